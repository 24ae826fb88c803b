"""The answers disk: a raw disk on which the guest agent writes the files of an output folder, one after the other.

Each file is a header, its name (relative, ``/`` between folders) and its content.  A header of two zeros ends the
list.
"""

from __future__ import annotations

import struct

FILE_HEADER = struct.Struct("<HQ")
"""Bytes of the name, bytes of the content."""
MOST_FILES = 100_000
MOST_NAME_BYTES = 1024
