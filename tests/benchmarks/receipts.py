"""What receipts cost: ``python -m tests.benchmarks.receipts [N]``, by default 10,000.

Issues so many receipts into an empty state directory, verifies each with its proof, and then the log as a whole.
Together at most a minute for 10,000.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from evaluate.challenge.cache import load_challenge
from evaluate.core.model import Entry, Evaluation, Stage, StageOutcome, StageResult, Usage, Verdict
from evaluate.receipts.issue import PROOF, Registry
from evaluate.receipts.note import read_proof
from evaluate.receipts.verify import findings
from evaluate.report.audience import Policy

MOST_SECONDS = 60.0
_DEFAULT = 10_000


def measured(n: int) -> dict[str, float]:
    """Seconds for issuing ``n`` receipts, for verifying each, and for verifying the log; Fault if one does not hold."""
    challenge, policy = load_challenge("cinc2017"), Policy(hidden_exam=True)
    exam = StageResult(stage=Stage.EXAM, verdict=Verdict.OK, usage=Usage(instructions=10**9, wall_seconds=12.5))
    evaluation = Evaluation(
        entry=Entry(archive=Path("entry.zip"), sha256="", size=8),
        challenge=challenge.name,
        outcomes=(StageOutcome(result=exam),),
    )
    with tempfile.TemporaryDirectory() as folder:
        registry = Registry(Path(folder))
        busy, started = time.process_time(), time.monotonic()
        issued = []
        for i in range(n):
            entry = replace(evaluation.entry, sha256=f"{i:064x}")
            issued.append(registry.issue(replace(evaluation, entry=entry), challenge, policy))
        signed = time.monotonic()
        keys = registry.keys.public()
        for one in issued:
            file = one.folder / PROOF
            _, checks = findings(one.receipt, keys, proof=read_proof(file.read_text(), str(file)))
            assert all(check.ok is not False for check in checks)
        verified = time.monotonic()
        assert registry.log.problems(keys) == []
        ended = time.monotonic()
        print(f"of a processor: {time.process_time() - busy:.1f} s")
    return {"issue": signed - started, "verify each": verified - signed, "verify the log": ended - verified}


def main() -> None:
    """Print a table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("n", nargs="?", type=int, default=_DEFAULT, help="how many receipts")
    n = options.parse_args().n
    found = measured(n)
    for what, seconds in found.items():
        print(f"{what:<16}{seconds:8.2f} s {n / seconds:10.0f} a second")
    print(
        f"{'together':<16}{sum(found.values()):8.2f} s for {n} receipts (at most {MOST_SECONDS:.0f} s for {_DEFAULT})"
    )


if __name__ == "__main__":
    main()
