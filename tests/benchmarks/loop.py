"""What a participant waits for: tries of a changed C entry on 20 records, against the entry's own time.

By hand: ``python -m tests.benchmarks.loop [--state STATE]``.  Prints a line for each change: the seconds of the try,
the entry's own seconds (what ran of ``setup.sh`` and every record's command), and the goal under emulation: of a
changed C file 1.5 times that and 3 seconds, of a file that setup does not open 1 second more.  The own time is of the
guest's clock, which stands while the host runs something else: on a host with a load nothing else can be compared.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
import time
from pathlib import Path

from evaluate.challenge.cache import load_challenge
from evaluate.core.model import Stage
from evaluate.home.trial import TryOptions, with_records
from evaluate.home.watch import session
from evaluate.host.state import default_state, open_state
from evaluate.stages.job import NullMonitor

RECORDS = 20
OWN = TryOptions(own_records=True)
CHANGES = (("classify.c", "/* changed */", 1.5, 3.0), ("next.sh", "# changed", 1.0, 1.0), ("answers.txt", "", 0.0, 1.0))
"""A file, what is added to it, and the goal: so many times the own time, and so many seconds more."""


def main() -> None:
    """Measure, and print the line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--state", type=Path, default=default_state())
    state = open_state(parser.parse_args().state)
    challenge = load_challenge("cinc2017")
    with tempfile.TemporaryDirectory() as scratch:
        entry, records = Path(scratch) / "entry", Path(scratch) / "records"
        shutil.copytree(challenge.folder / "sample_entry", entry)
        records.mkdir()
        for part in (challenge.quiz, challenge.exam):
            for record in part.records:
                for path in part.files(record).values():
                    shutil.copyfile(path, records / path.name)
        names = [*challenge.quiz.records, *challenge.exam.records][:RECORDS]
        (records / "RECORDS").write_text("".join(f"{name}\n" for name in names))
        (entry / "answers.txt").write_text("X00001,N\n")  # of none of these records, so that they run once
        rules = with_records(challenge, records, None)
        with session(entry, rules, state, NullMonitor(), "tcg") as tries:
            tries.once(NullMonitor(), OWN)
            for name, change, times, more in CHANGES:
                file = entry / name
                file.write_text(f"{file.read_text()}{change}\n")
                begin = time.monotonic()
                found = tries.once(NullMonitor(), OWN)
                took = time.monotonic() - begin
                own = sum(stage.usage.wall_seconds for stage in found.stages if stage.stage is not Stage.PREP)
                own += found.stages[0].usage.wall_seconds if name == "classify.c" else 0.0
                print(
                    f"{name} changed, {len(names)} records: {found.verdict} in {took:.1f} s; own time {own:.1f} s"
                    f"{f', {took / own:.1f} times that' if own else ''}, goal {times * own + more:.1f} s"
                    f"; load {os.getloadavg()[0]:.1f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
