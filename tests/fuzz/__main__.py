"""A fuzz run over every parser for a fixed time: ``python -m tests.fuzz --seconds 60 [--parser NAME ...]``.

Hypothesis changes valid examples; what may come of it is a result or one of the errors that are documented.  Anything
else, a hang, or memory beyond the bound is a finding, made small and printed with the bytes that cause it.
"""

from __future__ import annotations

import argparse
import os
import resource
import secrets
import signal
import sys
import tempfile
import time
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from tests.fuzz.parsers import PARSERS, Parser

HANG_SECONDS = 20
MEMORY_BYTES = 6 << 30
_ROUND = 300
_EDGES = (0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, (1 << 63) - 1, (1 << 64) - 1)
_WORDS = (b"nan", b"inf", b"-1", b"1e999", b"\xff\xfe", b"\0", b"[" * 2000, b"{" * 2000, b"9" * 5000, b"\n", b",", b'"')


@st.composite
def changed(draw: st.DrawFn, seeds: list[bytes]) -> bytes:
    """A valid example with some changes, or anything."""
    if draw(st.integers(0, 19)) == 0:
        return draw(st.binary(max_size=400))
    data = bytearray(draw(st.sampled_from(seeds)))
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(data)))
        what = draw(st.integers(0, 6))
        if what == 0:
            data[at : at + 1] = draw(st.binary(min_size=1, max_size=1))
        elif what == 1:
            size = draw(st.sampled_from((1, 2, 4, 8)))
            value = draw(st.sampled_from(_EDGES)) & ((1 << 8 * size) - 1)
            data[at : at + size] = value.to_bytes(size, draw(st.sampled_from(("little", "big"))))
        elif what == 2:
            del data[at : at + draw(st.integers(1, 40))]
        elif what == 3:
            data[at:at] = draw(st.sampled_from(_WORDS))
        elif what == 4:
            end = draw(st.integers(at, len(data)))
            data[at:at] = data[at:end][:4000]
        elif what == 5:
            del data[at:]
        else:
            data[at:at] = draw(st.binary(max_size=30))
    return bytes(data)


def _hang(_number: int, _frame: object) -> None:
    raise TimeoutError(f"no end within {HANG_SECONDS} s")


def attempt(parser: Parser, data: bytes) -> None:
    """Run a parser; raises only what is a finding."""
    signal.signal(signal.SIGALRM, _hang)
    signal.alarm(HANG_SECONDS)
    try:
        with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as folder:
            parser.run(data, Path(folder))
    except parser.allowed:
        pass
    finally:
        signal.alarm(0)


def fuzz(name: str, seconds: float, first_seed: int, examples: int = _ROUND) -> int:
    """Fuzz one parser for a time, at least one round; how many inputs it got."""
    parser = PARSERS[name]
    seeds = parser.seeds()
    for data in seeds:
        attempt(parser, data)
    end, tried, number = time.monotonic() + seconds, 0, first_seed

    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=False,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    @given(changed(seeds))
    def once(data: bytes) -> None:
        nonlocal tried
        tried += 1
        attempt(parser, data)

    while True:
        seed(number)(once)()
        number += 1
        if time.monotonic() >= end:
            return tried


def main() -> int:
    """Fuzz and report."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--seconds", type=float, default=60, help="for each parser")
    options.add_argument("--parser", nargs="+", choices=sorted(PARSERS), metavar="NAME", default=list(PARSERS))
    options.add_argument("--seed", type=int, default=None, help="to repeat a run")
    asked = options.parse_args()
    first = asked.seed if asked.seed is not None else secrets.randbelow(1 << 30)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    print(f"seed {first}, {asked.seconds:g} s a parser, at most {MEMORY_BYTES >> 30} GiB")
    findings = 0
    for name in asked.parser:
        try:
            tried = fuzz(name, asked.seconds, first)
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
            print(f"{name:<22}{tried:>8} inputs, no finding; peak so far {peak} MiB", flush=True)
        except Exception as e:
            findings += 1
            print(f"{name:<22}FINDING {type(e).__name__}: {e}", *getattr(e, "__notes__", ()), sep="\n  ", flush=True)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
