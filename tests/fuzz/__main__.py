"""Fuzz runs over every parser, led by coverage, by atheris (libFuzzer).

    python -m tests.fuzz [NAME ...] [--seconds 60]

By a name ``reply-…`` what is changed is not what readers get, but what readers that were taken over answer.
Valid examples are changed by libFuzzer and by `tests.fuzz.mutation`; the outcome may be a result or one of the
documented errors.  Anything else, a crash, a hang, or memory beyond the bound is a finding: its input is kept as
``NAME-crash-…`` or ``NAME-timeout-…``, and ``NAME --replay FILE`` runs it again.  What reaches a line that nothing had
reached becomes an example to go on from; these are kept, too, and the next run of this parser begins from them.
"""

import argparse
import hashlib
import subprocess
import sys
import tempfile
from contextlib import nullcontext
from fnmatch import fnmatch
from pathlib import Path
from random import Random

try:
    import atheris
except ImportError:  # `./run test` installs it
    atheris = None
_PARSERS = ["evaluate.untrusted", "evaluate.protocol", "evaluate.confine.replies", "evaluate.config.schema", "metrics"]
with atheris.instrument_imports(include=_PARSERS) if atheris else nullcontext():
    from tests.fuzz.parsers import HANG_SECONDS, PARSERS
    from tests.fuzz.replies import REPLIES
_ALL = {**PARSERS, **REPLIES}
MEMORY_MIB = 3 << 10


def hunt(name: str, seconds: int, keep: Path) -> None:
    """Fuzz one parser; libFuzzer ends the process, with another status than 0 after a finding."""
    parser = _ALL[name]
    examples = keep / f"{name}-examples"
    examples.mkdir(parents=True, exist_ok=True)
    for data in parser.seeds:
        (examples / hashlib.sha256(data).hexdigest()).write_bytes(data)

    def mutate(data: bytes, most: int, seed: int) -> bytes:
        """libFuzzer's change, with checksums corrected in three of four, or a change by our own mutator."""
        chance = Random(seed)
        if chance.randrange(2):
            return parser.change(chance, [data, *parser.seeds], parser.mend)[:most]
        changed = bytes(atheris.Mutate(data, most))
        return changed if parser.mend is None or chance.randrange(4) == 0 else parser.mend(changed)[:most]

    words = {
        "max_total_time": seconds,
        "max_len": max(1 << 16, *(4 * len(data) for data in parser.seeds)),
        "timeout": 15 * HANG_SECONDS,  # of the clock, which a busy host stretches; `attempt` counts processor time
        "rss_limit_mb": MEMORY_MIB,
        "artifact_prefix": f"{keep}/{name}-",
    }
    arguments = [sys.argv[0], *(f"-{word}={value}" for word, value in words.items()), str(examples)]
    atheris.Setup(arguments, parser.attempt, custom_mutator=mutate)
    atheris.Fuzz()


def main() -> int:
    """Fuzz each in a process of its own."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("names", nargs="*", metavar="NAME", help="patterns such as reply-*; by default all")
    options.add_argument("--seconds", type=int, default=60, help="for each")
    options.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()) / "fuzz", help="folder of findings")
    options.add_argument("--replay", type=Path, metavar="FILE", help="run this input of the one NAME instead")
    asked = options.parse_args()
    names = [name for name in _ALL if any(fnmatch(name, pattern) for pattern in asked.names or "*")]
    if asked.replay:
        _ALL[names[0]].attempt(asked.replay.read_bytes())
    elif atheris is None:
        options.error("fuzzing needs atheris, which ./run test installs")
    elif len(names) == 1:
        hunt(names[0], asked.seconds, asked.keep)
    else:
        argv = [sys.executable, "-m", "tests.fuzz", "--seconds", str(asked.seconds), "--keep", str(asked.keep)]
        ended = {name: subprocess.run([*argv, name], check=False).returncode for name in names}
        findings = [name for name, status in ended.items() if status != 0]
        print(f"{len(ended)} fuzzed, findings: {', '.join(findings) or 'none'}")
        return 1 if findings else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
