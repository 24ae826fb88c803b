from __future__ import annotations

import tarfile
from pathlib import Path


def make(sample: Path, scratch: Path) -> Path:
    upload = scratch / "entry.tar"
    member = tarfile.TarInfo("entry/setup.sh")
    member.type = tarfile.GNUTYPE_SPARSE
    head = bytearray(member.tobuf(tarfile.GNU_FORMAT))
    head[386:398] = head[398:410] = b"%011o\0" % 0
    head[483:495] = b"\x80" + (1 << 60).to_bytes(11, "big")
    head[148:156] = b" " * 8
    head[148:156] = b"%06o\0 " % sum(head)
    upload.write_bytes(bytes(head) + bytes(1024))
    return upload
