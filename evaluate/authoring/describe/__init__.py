"""A challenge for readers elsewhere: the BIAS design document, Croissant metadata; what is not known is marked."""
