"""The commands of docs/kvm-day.md are ones that this version understands: no machine here has KVM to run them with."""

from __future__ import annotations

import shlex

import click
import pytest

from evaluate.commands.main import main
from tests.benchmarks import sandbox
from tests.conftest import CHECKOUT
from tests.support.documents import blocks

PAGE = CHECKOUT / "docs/kvm-day.md"
LINES = [line for block in blocks(PAGE) if block.language == "sh" for line in block.commands]
OF_DEBIAN = ("mkdir", "lscpu", "systemd-detect-virt")


def test_there_are_ten() -> None:
    assert len(LINES) == 10


@pytest.mark.parametrize("line", LINES)
def test_command_is_understood(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(CHECKOUT)
    words = shlex.split(line.partition(" > ")[0])
    if words[0] == "evaluate":
        command: click.Command | None = main
        rest, context = words[1:], click.Context(main)
        while isinstance(command, click.Group):
            command = command.get_command(context, rest.pop(0))
        assert command is not None
        command.make_context(command.name, rest)
    elif words[:3] == ["python", "-m", "pytest"]:
        assert all((CHECKOUT / word).is_file() for word in words[3:] if not word.startswith("-"))
    elif words[0] == "python":
        assert words[:3] == ["python", "-m", sandbox.__name__]
        assert sandbox.arguments().parse_args(words[3:]).accelerator == "kvm"
    else:
        assert words[0] in OF_DEBIAN


def test_every_file_that_is_written_is_in_the_folder_that_is_sent() -> None:
    written = [
        line.rpartition(end)[2].split()[0] for line in LINES for end in (" > ", "--json ", "--report ") if end in line
    ]
    assert len(written) == 8
    assert all(name == "kvm-day" or name.startswith("kvm-day/") for name in written)
