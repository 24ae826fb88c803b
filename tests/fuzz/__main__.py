"""A fuzz run over every parser for a fixed time: ``python -m tests.fuzz --seconds 60 [--parser NAME ...]``.

With ``--replies`` what is changed are not the bytes that readers get, but what readers that were taken over answer.
Valid examples are changed at random; the outcome may be a result or one of the documented errors. Anything else, a
crash, a hang, or memory beyond the bound is a finding: it is minimised, kept in a file, and ``--replay FILE`` runs it
again.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import secrets
import sys
import tempfile
import time
from collections import ChainMap
from collections.abc import Callable
from pathlib import Path
from random import Random

from tests.fuzz.isolated import HANG_SECONDS, MEMORY_BYTES, Finding, Progress, attempt, minimised, replay, run_isolated
from tests.fuzz.mutation import enlarged
from tests.fuzz.parsers import PARSERS, Parser
from tests.fuzz.replies import REPLIES

ALL = ChainMap(PARSERS, REPLIES)


def fuzz(
    parser: Parser,
    *,
    seconds: float,
    first_seed: int,
    least: int = 1,
    most: float = math.inf,
    begin: Callable[[bytes], None] = lambda _: None,
) -> None:
    """Fuzz one parser for a time, and with some inputs at least, and at most; raises what it finds.

    ``begin`` gets each input beforehand.  One that comes again is neither tried again nor counted.
    """
    seeds, chance = parser.seeds(), Random(first_seed)
    end, tried = time.monotonic() + seconds, 0
    seen: set[int] = set()
    while tried < least or (tried < most and time.monotonic() < end):
        data = parser.change(chance, seeds, parser.mend)
        if (digest := hash(data)) in seen:
            continue
        seen.add(digest)
        begin(data)
        attempt(parser, data)
        tried += 1


def hunt(parser: Parser, seconds: float, most: float, first_seed: int) -> Callable[[Progress], None]:
    """The work of a worker: valid examples, then very large ones, then changed ones."""

    def work(progress: Progress) -> None:
        end = time.monotonic() + seconds
        for data in [
            *parser.seeds(),
            *enlarged(parser.seeds(), parser.large_bytes),
            *enlarged(parser.seeds(), 1 << 17),
        ]:
            progress.begin(data)
            attempt(parser, data)
        fuzz(
            parser,
            seconds=end - time.monotonic(),
            first_seed=first_seed,
            most=most,
            begin=progress.begin,
        )

    return work


def report(name: str, finding: Finding, folder: Path) -> str:
    """Minimise the finding and write it to a file; returns it in words."""
    small = minimised(ALL[name], finding)
    path = folder / f"{name}-{hashlib.sha256(small.data).hexdigest()[:8]}"
    folder.mkdir(parents=True, exist_ok=True)
    path.write_bytes(small.data)
    shown = repr(small.data) if len(small.data) <= 300 else f"{len(small.data)} bytes"
    again = f"python -m tests.fuzz --parser {name} --replay {path}"
    return f"FINDING {small.what}: {small.detail[:300]}\n  {shown}\n  {again}"


def main() -> int:
    """Fuzz and report."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--seconds", type=float, default=60, help="for each parser")
    options.add_argument("--inputs", type=float, default=math.inf, metavar="N", help="for each parser, at most")
    options.add_argument("--parser", nargs="+", choices=sorted(ALL), metavar="NAME")
    options.add_argument("--replies", action="store_true", help="every reply, instead of every parser")
    options.add_argument("--seed", type=int, default=None, help="to repeat a run")
    options.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()) / "fuzz", help="folder of findings")
    options.add_argument("--replay", type=Path, metavar="FILE", help="run this input instead")
    asked = options.parse_args()
    names = asked.parser or list(REPLIES if asked.replies else PARSERS)
    if asked.replay:
        if len(names) != 1:
            options.error("--replay needs the --parser that the input is for")
        outcome = replay(ALL[names[0]], asked.replay.read_bytes())
        print(outcome.finding.what if outcome.finding else "no finding")
        return 1 if outcome.finding else 0
    first = asked.seed if asked.seed is not None else secrets.randbelow(1 << 30)
    print(f"seed {first}, {asked.seconds:g} s a parser, at most {HANG_SECONDS} s and {MEMORY_BYTES >> 30} GiB an input")
    findings = 0
    for name in names:
        begun = time.monotonic()
        outcome = run_isolated(hunt(ALL[name], asked.seconds, asked.inputs, first))
        told = "no finding" if outcome.finding is None else report(name, outcome.finding, asked.keep)
        findings += outcome.finding is not None
        each = outcome.tried / (time.monotonic() - begun)
        done = f"{outcome.tried:>8} inputs, {each:>5.0f} a second, peak {outcome.peak_bytes >> 20:>5} MiB"
        print(f"{name:<22}{done}, {told}", flush=True)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
