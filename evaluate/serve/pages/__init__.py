"""Pages for browsers; all work without script, which only makes them live."""
