"""The program that follows buildah in a guest, with another program in its place."""

import subprocess
import sys
from pathlib import Path

import pytest

from evaluate.core.files import data_folder

STAGES = r"""echo 'STEP 1/2: FROM a'; echo '[2/2] STEP 1/1: FROM b'; exit 3"""


@pytest.mark.parametrize(
    ("script", "note", "code"),
    [
        ("echo 'STEP 1/3: FROM a'; echo 'STEP 2/3: RUN x'; echo no >&2; exit 2", "1 2 3\n", 2),
        ("echo 'STEP 1/3: FROM a'; echo 'STEP 3/3: forged'; echo ' STEP 2/3: RUN x'; exit 1", "1 1 3\n", 1),
        (STAGES, "2 1 1\n", 3),
        ("echo 'STEP 1/9: FROM a'; (sleep 1000 &) ; exit 0", "1 1 9\n", 0),
        ("head -c 300000 /dev/zero; printf 'STEP 1/1: no end of a line'", "", 0),
    ],
)
def test_instruction_that_is_carried_out_is_noted(tmp_path: Path, script: str, note: str, code: int) -> None:
    program = str(data_folder("vm_images") / "guest" / "build_image.py")
    call = f"import runpy, sys; sys.exit(runpy.run_path({program!r})['build'](['sh', '-c', sys.argv[1]], sys.argv[2]))"
    argv = [sys.executable, "-c", call, script, str(tmp_path / "at")]
    done = subprocess.run(argv, capture_output=True, timeout=60, check=False)
    assert done.returncode == code, done.stderr
    assert (tmp_path / "at").exists() == bool(note)
    assert not note or (tmp_path / "at").read_text() == note
    assert b"STEP 1/" in done.stdout  # all of it is passed on
