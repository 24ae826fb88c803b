"""An entry whose Dockerfile was translated, in a real machine: folder, variables, user and command."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from evaluate.authoring.skeleton import write_skeleton
from evaluate.commands.main import main
from evaluate.config.challenge.types import Kind

pytestmark = [pytest.mark.vm, pytest.mark.slow]

DOCKERFILE = """FROM python:3.10-slim
RUN apt-get update && apt-get install -y --no-install-recommends python3 && rm -rf /var/lib/apt/lists/*
WORKDIR /opt/algorithm
COPY requirements.txt .
RUN pip install -r requirements.txt && useradd algorithm
COPY . /opt/algorithm/
ENV GREETING="hello there" TWICE="a b"
USER algorithm
CMD ["sh", "start.sh", "run.py"]
"""
START = """set -e
test "$GREETING" = "hello there" && test "$TWICE" = "a b"
test "$(id -u)" != 0
test -e /opt/algorithm/weights/bias.txt && touch /opt/algorithm/new
exec python "$1"
"""


def test_image_of_a_dockerfile_is_the_machine_that_its_program_sees(own_state: Path, tmp_path: Path) -> None:
    write_skeleton(tmp_path / "toy", Kind.PYTHON)
    challenge = tmp_path / "toy" / "challenge.yaml"
    challenge.write_text(challenge.read_text() + "\ndockerfile: {}\n")
    entry = tmp_path / "toy" / "sample_entry"
    program = (entry / "entry.py").read_text()
    (entry / "entry.py").unlink()
    (entry / "run.py").write_text(f"import sys\nsys.argv[1:] = ['/input', '/output']\n{_later(program)}")
    for name, text in {
        "Dockerfile": DOCKERFILE,
        "start.sh": START,
        "weights/bias.txt": "0",
        "requirements.txt": "",
    }.items():
        (entry / name).parent.mkdir(exist_ok=True)
        (entry / name).write_text(text)
    command = ["--state", str(own_state), "try", str(entry), "--challenge", str(tmp_path / "toy")]
    done = CliRunner().invoke(main, [*command, "--accelerator", "tcg"])
    assert done.exit_code == 0, done.output
    assert "score OK" in done.output
    assert "USER algorithm: the program runs as the machine's own user" in done.output


def _later(program: str) -> str:
    """A program without its line ``from __future__``, which must be the first."""
    return program.replace("from __future__ import annotations\n", "")
