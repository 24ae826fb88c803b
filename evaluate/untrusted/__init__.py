"""Every parser on the host of bytes that strangers wrote.  Nothing else on the host reads them."""
