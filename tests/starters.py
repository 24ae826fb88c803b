"""Tries the first entry of every language and challenge in a real machine: ``python -m tests.starters [LANGUAGE …]``.

Installing Octave, R and Java takes minutes the first time.  Images are made of Debian's packages, without docker.
"""

import sys
import tempfile
import time
from pathlib import Path

from evaluate.authoring.skeleton import languages, write_entry
from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.load import list_challenges
from evaluate.config.challenge.types import Kind
from evaluate.home.trial import Trial, try_entry
from evaluate.host.state import default_state, open_state
from evaluate.stages.job import NullMonitor
from tests.support.oci_images import python_image


def main(wanted: list[str]) -> int:
    """0 if all of them pass."""
    state, failed = open_state(default_state()), 0
    for name in list_challenges():
        challenge = load_challenge(name)
        for language in languages(challenge):
            if wanted and language not in wanted:
                continue
            begin = time.monotonic()
            with tempfile.TemporaryDirectory() as scratch:
                entry = Path(scratch) / "mine"
                write_entry(entry, challenge, language)
                if Kind.IMAGE in challenge.kinds:
                    program = (entry / "answer.py").read_bytes()
                    entry = python_image(Path(scratch) / "entry.tar", program, Path(scratch) / "debs")
                evaluation = try_entry(Trial(entry, challenge, state, NullMonitor(), "tcg"))
            failed += not evaluation.verdict.passed
            last = evaluation.stages[-1]
            seconds = time.monotonic() - begin
            print(f"{name} {language}: {evaluation.verdict} {last.message} {last.diagnostics} ({seconds:.0f} s)")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
