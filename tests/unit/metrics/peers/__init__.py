"""Our numbers beside those of the libraries that the field uses, on random and on degenerate input.

`pip install --group peers` installs them; they are no part of the product, and each test names the one that it misses.
"""
