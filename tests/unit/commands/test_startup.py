"""What a command imports: a person who types ``--help`` or ``status`` waits for nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click
from click.testing import CliRunner

from evaluate.commands.main import COMMANDS, main

HEAVY = {
    "alembic",
    "authlib",
    "dbos",
    "fastapi",
    "jinja2",
    "libvirt",
    "nibabel",
    "numpy",
    "prometheus_client",
    "psutil",
}
HEAVY |= {"scipy", "wfdb"}
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


def test_help_loads_no_package_but_click() -> None:
    for words in (("--help",), ("challenge", "--help")):
        assert not imported(*words) & (HEAVY | {"sqlalchemy", "rich", "yaml", "pydantic", "msgspec"})


def test_status_loads_nothing_of_the_daemon(tmp_path: Path) -> None:
    argv = ("--state", str(tmp_path), "status")
    imported(*argv)  # creates the database
    assert not imported(*argv) & HEAVY


def test_help_says_of_each_command_what_the_command_says_of_itself() -> None:
    shown = " ".join(CliRunner().invoke(main, ["--help"]).output.split())
    for name in COMMANDS:
        command = main.get_command(click.Context(main), name)
        assert command is not None and command.help is not None
        sentence = " ".join(command.help.replace("`", "'").split()).split(". ")[0]
        assert f" {name} {sentence}" in shown
