"""The image of `Containerfile` and the words about it, without building it."""

import re
import shlex
import subprocess
from pathlib import Path

import click
import pytest

from evaluate.commands.main import main

ROOT = Path(__file__).parent.parent.parent
SCRIPT = ROOT / "ci" / "image.sh"
LINES = re.findall(r"\| `((?:podman|docker) run [^`]+)` \|", (ROOT / "docs" / "container.md").read_text())


@pytest.mark.parametrize("line", LINES)
def test_documented_line_starts_a_command_of_ours_without_privileges(line: str) -> None:
    words = shlex.split(line)
    ours = words[words.index("sandbox-evaluate") + 1 :]
    context = click.Context(main)
    command = main.get_command(context, ours[0])
    assert command is not None
    command.make_context(ours[0], ours[1:])
    assert "--privileged" not in words and not [word for word in words if word.startswith("--cap-add")]


def test_there_is_a_line_for_every_system() -> None:
    assert len(LINES) == 4


def test_image_is_for_an_ordinary_user_and_takes_what_run_lays_out() -> None:
    text = (ROOT / "Containerfile").read_text()
    assert text.index("USER evaluate") < text.index("ENTRYPOINT")
    laid_out = SCRIPT.read_text()
    for source in re.findall(r"^(?:ADD|COPY) (?:--\S+ )?(\S+) ", text, re.MULTILINE):
        assert f"$context/{Path(source).parts[0]}" in laid_out, source
    for script in (ROOT / "run", SCRIPT):
        subprocess.run(["sh", "-n", script], check=True)


def test_rights_in_the_image_are_not_those_of_whoever_builds_it() -> None:
    """Two builds of a commit with the umasks 022 and 077 differed by the rights of one folder."""
    text = SCRIPT.read_text()
    assert 0 < text.find("umask 022") < text.index("context=$(mktemp -d)")


def test_image_says_which_commit_and_version_it_is_made_from() -> None:
    labels = re.findall(r"^org\.opencontainers\.image\.(\w+)=(\$\(.*\))", SCRIPT.read_text(), re.MULTILINE)
    assert [name for name, _ in labels] == ["revision", "version", "created"]
    assert "--dirty" in labels[0][1]  # what was changed after the commit is said too


def test_nothing_of_others_is_below_the_image() -> None:
    """An image by name is another one tomorrow, and one by digest has the defects of its day (Pinned-Dependencies)."""
    assert re.findall(r"^FROM (.*)", (ROOT / "Containerfile").read_text(), re.MULTILINE) == ["scratch"]
