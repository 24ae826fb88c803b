"""Every usage line, and every line that a help text shows, is one that the program understands, and loads little."""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from docs.build import commands
from evaluate.commands.main import COMMANDS, SECTIONS, main
from tests.support.commands import printed, run

ALL = {ctx.command_path: ctx.command for ctx in commands()}
LEAVES = {name: command for name, command in ALL.items() if not isinstance(command, click.Group)}


def called(argv: list[str], command: click.Command, monkeypatch: pytest.MonkeyPatch) -> Any:
    """What comes of these words, when the command itself does nothing but say that it was called."""
    monkeypatch.setattr(command, "callback", lambda *_, **__: click.echo("CALLED"))
    return run(None, *argv)


def examples() -> Iterator[tuple[str, str]]:
    for name, command in ALL.items():
        for line in (command.help or "").splitlines():
            if line.strip().startswith("evaluate "):
                yield name, line.strip()


@pytest.mark.parametrize(("name", "line"), list(examples()))
def test_a_line_that_a_help_text_shows_is_understood(name: str, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words = shlex.split(re.split("  | > ", line)[0])
    command = max((leaf for leaf in LEAVES if line.startswith(f"{leaf} ")), key=len)
    done = called(words[1:], LEAVES[command], monkeypatch)
    assert done.exit_code == 0 and "CALLED" in done.stdout, f"{name}: {line}: {done.output}"


CONTRACT = """
demo
try file --challenge cinc2017 --records folder --references file --json - --html - --junit -
try file --challenge cinc2017 --isolation snapshot --receipt word --write-answers --record A1
try file --challenge cinc2017 --shell A1
daemon --for 90m
why e1
report e1 --html -
board verify cinc2017 --receipts folder --key file
image build bookworm
image list
challenge open cinc2017 --record A1
recount file A1 --challenge cinc2017 --records folder --times 3 --explain --json
recount e1 A1
restore folder --check --challenges word
serve --host 127.0.0.1 --port 8000
"""
"""Command lines on which outside programs rely, beside those that other tests run."""


@pytest.mark.parametrize("line", CONTRACT.strip().splitlines())
def test_command_lines_of_outside_programs_are_understood(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("")
    words = [str(tmp_path / given) if given in ("file", "folder") else given for given in line.split()]
    leaves = LEAVES | {"evaluate why": LEAVES["evaluate status"]}
    named = [given for given in leaves if f"evaluate {line} ".startswith(f"{given} ")]
    command = max(named, key=len) if named else f"evaluate {words[0]} show"  # `board NAME` is `board show NAME`
    done = called(words, leaves[command], monkeypatch)
    assert done.exit_code == 0 and "CALLED" in done.stdout, done.output


# What a command imports: a person who types ``--help`` or ``status`` waits for nothing else.


HEAVY = {
    *("alembic", "authlib", "dbos", "fastapi", "jinja2", "libvirt"),
    *("nibabel", "numpy", "prometheus_client", "psutil", "scipy", "wfdb"),
}
PROBE = """
import sys
from evaluate.commands.main import main
try:
    main(sys.argv[1:])
except SystemExit as e:
    assert not e.code, e.code
print(*sorted({name.partition(".")[0] for name in sys.modules}), file=sys.stderr)
"""


def imported(*argv: str) -> set[str]:
    """The top-level packages that a command had imported when it ended."""
    done = subprocess.run([sys.executable, "-c", PROBE, *argv], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stderr.splitlines()[-1].split())


def test_help_loads_no_package_but_click_and_status_nothing_of_the_daemon(tmp_path: Path) -> None:
    for words in (("--help",), ("challenge", "--help")):
        assert not imported(*words) & (HEAVY | {"sqlalchemy", "rich", "yaml", "pydantic", "msgspec"})
    argv = ("--state", str(tmp_path), "status")
    imported(*argv)  # creates the database
    assert not imported(*argv) & HEAVY


def test_help_has_every_command_in_one_section_and_says_what_the_command_says_of_itself() -> None:
    assert sorted(name for names in SECTIONS.values() for name in names) == sorted(COMMANDS)
    lines = printed(None, "--help").splitlines()
    assert [line for line in lines if line[:-1] in SECTIONS] == [f"{title}:" for title in SECTIONS]
    shown = " ".join(" ".join(lines).split())
    for name in COMMANDS:
        command = main.get_command(click.Context(main), name)
        assert command is not None and command.help is not None
        sentence = " ".join(command.help.replace("`", "'").split()).split(". ")[0]
        assert f" {name} {sentence}" in shown
