"""A fuzz run led by coverage, by atheris (libFuzzer): ``python -m tests.fuzz.guided PARSER [--seconds 60]``.

Beside `tests.fuzz`, whose changes are blind: what reaches a line that nothing had reached becomes an example
to go on from.  The examples are kept in the folder, from which the next run of this parser begins.  What it finds it
writes beside them as ``crash-…`` or ``timeout-…``; `python -m tests.fuzz --parser PARSER --replay FILE` runs it again.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
from pathlib import Path
from random import Random

import atheris

_PARSERS = ["evaluate.untrusted", "evaluate.protocol", "evaluate.config.schema", "metrics"]
with atheris.instrument_imports(include=_PARSERS):
    from tests.fuzz.isolated import HANG_SECONDS, MEMORY_BYTES, attempt
    from tests.fuzz.parsers import PARSERS


def main() -> None:
    """Fuzz one parser; libFuzzer ends the process, with another status than 0 after a finding."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("parser", choices=sorted(PARSERS), metavar="PARSER")
    options.add_argument("--seconds", type=int, default=60)
    options.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()) / "fuzz", help="folder of examples")
    asked = options.parse_args()
    parser = PARSERS[asked.parser]
    examples = asked.keep / f"{asked.parser}-examples"
    examples.mkdir(parents=True, exist_ok=True)
    for data in parser.seeds():
        (examples / hashlib.sha256(data).hexdigest()).write_bytes(data)

    def mutate(data: bytes, most: int, seed: int) -> bytes:
        """libFuzzer's own change, with checksums corrected in three of four, as in `tests.fuzz.mutation`."""
        changed = bytes(atheris.Mutate(data, most))
        return changed if parser.mend is None or Random(seed).randrange(4) == 0 else parser.mend(changed)[:most]

    words = {
        "max_total_time": asked.seconds,
        "max_len": max(1 << 16, *(4 * len(data) for data in parser.seeds())),
        "timeout": 15 * HANG_SECONDS,  # of the clock, which a busy host stretches; `attempt` counts processor time
        "rss_limit_mb": MEMORY_BYTES >> 20,
        "artifact_prefix": f"{asked.keep}/{asked.parser}-",
    }
    arguments = [sys.argv[0], *(f"-{word}={value}" for word, value in words.items()), str(examples)]
    atheris.Setup(arguments, lambda data: attempt(parser, data), custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
