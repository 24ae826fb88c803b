"""All parsers of untrusted bytes on the host.  Nothing else on the host reads such bytes."""
