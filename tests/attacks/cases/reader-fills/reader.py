from __future__ import annotations

from evaluate.core.errors import EntryError

MIB = 1 << 20


def taken_over(request: dict, secret: str) -> object:
    written = 0
    try:
        for n in range(1000):
            with open(f"/scratch/{n}", "wb", buffering=0) as f:
                for _ in range(4):
                    written += f.write(bytes(MIB))
    except OSError:
        pass
    raise EntryError(f"wrote {written // MIB} MiB")
