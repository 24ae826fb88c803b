"""The frames of the licence relay: connections multiplexed over one virtio-serial port, in both directions.

A frame is a header and a body::

    kind u8 | connection u32 | body bytes u16 | body        (little endian)

======== ============== =====================================================================================
kind     from           meaning
======== ============== =====================================================================================
RESET    guest          a new relay runs in the guest; the host drops all connections and echoes the body,
                        a random marker, so that the guest can skip what was sent to an earlier relay
OPEN     guest          a program connected; the body is a `PLACE`, the index of its port in the agreed list
DATA     both           bytes of a connection
CLOSE    both           the connection has ended
======== ============== =====================================================================================
"""

from __future__ import annotations

import struct

HEADER = struct.Struct("<BIH")
PLACE = struct.Struct("<H")
RESET, OPEN, DATA, CLOSE = range(4)
MARKER_BYTES = 32
MOST_BODY_BYTES = 16 << 10
MOST_CONNECTIONS = 64
