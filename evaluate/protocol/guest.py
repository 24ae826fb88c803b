"""Facts about a guest that the host and the agent must agree on."""

from __future__ import annotations

import struct

PORT = "org.evaluate.agent.0"
"""Name of the virtio-serial port that frames travel through."""
LICENCE_PORT = "org.evaluate.licence.0"
"""Name of the virtio-serial port of the licence relay."""
HOME = "/home/challenge"
"""Home of the user ``challenge``, on the home disk; entries are unpacked here."""
UID = GID = 1000
"""User and group ``challenge``."""
OWNER_SHIFT, OWNERS = 100_000, 65_536
"""User n of a container is user ``OWNER_SHIFT + n`` of the guest, for n below ``OWNERS``."""
RECORDS_AT, RECORDS_BYTES = 256 << 20, 256 << 20
"""Address and size of a part of the machine's memory that the guest's kernel leaves alone.  There the host writes the
medium of a command that has one of its own, and the order for an agent that got `Await`: the lengths of both
(64 bits each, little endian), the frame of the order at `ORDER_BEGIN`, and the medium from `RECORDS_BEGIN` on."""
ORDER_BEGIN, RECORDS_BEGIN = 16, 1 << 20
"""In bytes after `RECORDS_AT`."""
GATE_AT = 1 << 40
"""Where the agent has the code of a function that returns at once.  A machine that was restored for one record stands
still there, and its order is in memory when it resumes."""
MARK_AT = GATE_AT + (1 << 20)
"""Where a command's process calls a function that returns at once, before its program takes its place.  What was
counted until there is the agent's; ``vm_images/guest/keeper.c`` has the same number."""
PROBE = "@probe"
"""As ``argv[0]``: the calibration probe, a program of known instruction count that the entry cannot see."""
INVOKE = "@invoke"
"""As ``argv[0]``: our program that starts a server of the entry and invokes it (``vm_images/guest/invoke.c``)."""


# The answers disk: a raw disk on which the guest agent writes the files of an output folder, one after the other.
#
# Each file is a header, its name (relative, `/` between folders) and its content.  A header of two zeros ends the
# list.


FILE_HEADER = struct.Struct("<HQ")
"""Bytes of the name, bytes of the content."""
MOST_FILES = 100_000
MOST_NAME_BYTES = 1024


# The frames of the licence relay: connections multiplexed over one virtio-serial port, in both directions.
#
# A frame is a header and a body::
#
#     kind u8 | connection u32 | body bytes u16 | body        (little endian)
#
# ======== ============== =====================================================================================
# kind     from           meaning
# ======== ============== =====================================================================================
# RESET    guest          a new relay runs in the guest; the host drops all connections and echoes the body,
#                         a random marker, so that the guest can skip what was sent to an earlier relay
# OPEN     guest          a program connected; the body is a `PLACE`, the index of its port in the agreed list
# DATA     both           bytes of a connection
# CLOSE    both           the connection has ended
# ======== ============== =====================================================================================


HEADER = struct.Struct("<BIH")
PLACE = struct.Struct("<H")
RESET, OPEN, DATA, CLOSE = range(4)
MARKER_BYTES = 32
MOST_BODY_BYTES = 16 << 10
MOST_CONNECTIONS = 64
