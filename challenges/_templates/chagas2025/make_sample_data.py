"""Makes sample_data/: one beat in twelve leads, wide where the record is positive.  The same bytes every time."""

from __future__ import annotations

import math
import struct
from pathlib import Path

HERE = Path(__file__).parent / "sample_data"
LEADS = ("I", "II", "III", "aVR", "aVL", "aVF", "V1", "V2", "V3", "V4", "V5", "V6")
RATE, SAMPLES, GAIN = 100, 100, 1000


def main() -> None:
    for part, first, n in (("validation", "v", 20), ("test", "t", 20)):
        folder = HERE / part
        folder.mkdir(parents=True, exist_ok=True)
        records = []
        for i in range(1, n + 1):
            record, positive = f"{first}{i:02d}", i == 1
            records.append(record)
            width = 12 if positive else 4
            beat = [round(GAIN * math.exp(-(((t - 50) / width) ** 2)) * (1 + i / 100)) for t in range(SAMPLES)]
            frames = [value for value in beat for _ in LEADS]
            (folder / f"{record}.dat").write_bytes(struct.pack(f"<{len(frames)}h", *frames))
            checksum = struct.unpack("<h", struct.pack("<H", sum(beat) & 0xFFFF))[0]
            signal = f"{record}.dat 16 {GAIN}/mV 16 0 {beat[0]} {checksum} 0"
            lines = [f"{record} {len(LEADS)} {RATE} {SAMPLES}", *(f"{signal} {lead}" for lead in LEADS)]
            lines += [f"# Age: {40 + i}", "# Sex: Female", f"# Chagas label: {positive}", "# Source: own"]
            (folder / f"{record}.hea").write_text("".join(f"{line}\n" for line in lines))
        (folder / "RECORDS").write_text("".join(f"{record}\n" for record in records))


if __name__ == "__main__":
    main()
