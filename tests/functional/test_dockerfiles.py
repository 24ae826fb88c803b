"""An entry whose Dockerfile was translated, in a real machine: folder, variables and user."""

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
"""
CHECKED = """import os, pathlib
assert (os.environ["GREETING"], os.environ["TWICE"]) == ("hello there", "a b") and os.getuid() != 0
assert os.path.exists("/opt/algorithm/weights/bias.txt")
pathlib.Path("/opt/algorithm/new").touch()
"""


def test_image_of_a_dockerfile_is_the_machine_that_its_program_sees(own_state: Path, tmp_path: Path) -> None:
    write_skeleton(tmp_path / "toy", Kind.PYTHON)
    challenge = tmp_path / "toy" / "challenge.yaml"
    challenge.write_text(challenge.read_text() + "\ndockerfile: {}\n")
    entry = tmp_path / "toy" / "sample_entry"
    program = (entry / "entry.py").read_text().replace("from __future__ import annotations\n", "")
    (entry / "entry.py").write_text(CHECKED + program)
    (entry / "weights").mkdir()
    for name, text in {"Dockerfile": DOCKERFILE, "weights/bias.txt": "0", "requirements.txt": ""}.items():
        (entry / name).write_text(text)
    command = ["--state", str(own_state), "try", str(entry), "--challenge", str(tmp_path / "toy")]
    done = CliRunner().invoke(main, [*command, "--accelerator", "tcg"])
    assert done.exit_code == 0, done.output
    assert "score OK" in done.output
