"""Which files a command opens, noted beside it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evaluate.core.model import MIB, Limits, Run, Usage, Verdict
from evaluate.sandbox.base import Command, Machine
from evaluate.sandbox.persistent_guest import split_listing, with_listing
from evaluate.sandbox.plain import PlainHypervisor, PlainSandbox

LIMITS = Limits(instructions=1, wall_seconds=120, output_bytes=MIB)
IMAGE: Any = None
FILES = ("next.sh", "src/a.c", "src/b.c", "model.txt", "setup.sh", "old")


@pytest.fixture
def sandbox(tmp_path: Path) -> Iterator[PlainSandbox]:
    with PlainHypervisor(tmp_path).boot(Machine(image=IMAGE)) as found:
        names = " ".join(FILES)
        text = f"mkdir src; for f in {names}; do echo $f > $f; done; ln -s model.txt link"
        assert found.run(Command(argv=("/bin/sh", "-c", text), keep=True), LIMITS).verdict is Verdict.OK
        yield found


def noted(sandbox: PlainSandbox, text: str) -> tuple[frozenset[str] | None, Run]:
    return split_listing(sandbox.run(*with_listing(Command(argv=("/bin/sh", "-c", text), keep=True), LIMITS)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("true", []),
        ("ls -l; ls src; test -f model.txt", []),
        ("cat src/a.c", ["src/a.c"]),
        ("cat link", ["model.txt"]),
        ("sh setup.sh || cat src/*.c | sort > new", ["setup.sh", "src/a.c", "src/b.c"]),
        ("echo more >> next.sh", ["next.sh"]),
        ("chmod +x next.sh; mv old newer; rm model.txt", ["model.txt", "next.sh", "old"]),
    ],
)
def test_files_that_are_read_written_renamed_or_given_rights_are_noted(
    sandbox: PlainSandbox, text: str, expected: list[str]
) -> None:
    found, run = noted(sandbox, text)
    assert (sorted(found or ()), run.verdict, run.files) == (expected, Verdict.OK, {})


def test_end_and_output_of_the_command_are_unchanged_and_without_a_list_nothing_is_known(sandbox: PlainSandbox) -> None:
    names, run = noted(sandbox, "cat old; echo why >&2; exit 7")
    assert (names, run.exit_code, run.stdout, run.stderr) == (frozenset({"old"}), 7, b"old\n", b"why\n")
    assert noted(sandbox, "kill -9 $$")[1].detail == "was ended by signal 9"
    assert split_listing(Run(verdict=Verdict.OK, usage=Usage(), exit_code=0))[0] is None
