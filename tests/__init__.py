"""Tests."""

import os

# containers in which tests run as root may have the user of a server, or a site whose address others could reach
os.environ.setdefault("EVALUATE_AS_ROOT", "1")
