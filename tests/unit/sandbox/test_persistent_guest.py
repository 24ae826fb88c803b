"""The guest that stays between tries: what is run again, and what is not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from evaluate.core.errors import SandboxFault
from evaluate.core.files import sha256_file
from evaluate.core.model import Limits, Run, Verdict
from evaluate.sandbox.base import Command, Machine
from evaluate.sandbox.persistent_guest import KeptHypervisor, version_of
from evaluate.untrusted.selection import select
from tests.support.fake_sandbox import FakeHypervisor, FakeSandbox, ended_well
from tests.support.scripted import IMAGE

LIMITS = Limits(instructions=1, wall_seconds=1)
UNPACK = Command(argv=("python3", "-c", "…", "tar"), stdin_entry=True, keep=True)
SETUP = Command(argv=("/bin/bash", "setup.sh"), keep=True)
RECORD = Command(argv=("/bin/bash", "next.sh", "r1"), inputs={"/home/r1": "r1"})


class PersistentFake(FakeSandbox):
    """Remembers its media."""

    is_usable = True

    def fill_entry(self, archive: Path) -> None:
        self.entry = archive.read_bytes()

    def lend(self, medium: Path | None) -> None:
        self.records = medium


class PersistentHost(FakeHypervisor):
    """Keeps `PersistentFake`s."""

    @contextmanager
    def persistent(self, machine: Machine) -> Iterator[PersistentFake]:
        sandbox = PersistentFake(self._script)
        with self._guest(machine, sandbox):
            yield sandbox


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    (tmp_path / "entry.tar.gz").write_bytes(b"archive")
    return tmp_path / "entry.tar.gz"


@pytest.fixture
def medium(tmp_path: Path) -> Path:
    (tmp_path / "records.iso").write_bytes(b"records")
    return tmp_path / "records.iso"


def a_try(kept: KeptHypervisor, content: str, archive: Path, medium: Path) -> None:
    kept.holds({"": content})
    with kept.boot(Machine(image=IMAGE, entry=archive)) as sandbox:
        sandbox.run(UNPACK, LIMITS)
        sandbox.run(SETUP, LIMITS)
    with kept.boot(Machine(image=IMAGE, records=medium)) as sandbox:
        sandbox.run(RECORD, LIMITS)


def test_one_guest_serves_all_tries_and_runs_again_what_a_change_affects(
    archive: Path, medium: Path, tmp_path: Path
) -> None:
    host = PersistentHost()
    kept = KeptHypervisor(host, tmp_path, 0)
    for version, records, ran in (
        ("one", b"records", 3),
        ("one", b"records", 0),
        ("one", b"other records", 1),
        ("two", b"other records", 3),
    ):
        medium.write_bytes(records)
        a_try(kept, version, archive, medium)
        assert (kept.ran, kept.remembered) == (ran, 3 - ran)
    (guest,) = host.sandboxes
    emptied = [guest.commands[i + 1] for i, command in enumerate(guest.commands) if "-delete" in command.argv]
    assert emptied == [UNPACK], "the home is emptied for another version"
    assert [command.medium for command in guest.commands[2:3]] == [medium]
    assert host.running == 1
    kept.close()
    assert host.running == 0


def test_answers_that_are_remembered_are_left_again(medium: Path, tmp_path: Path) -> None:
    def script(command: Command, limits: Limits) -> Run:
        assert command.gather is not None
        command.gather.mkdir()
        (command.gather / "r1.json").write_text("{}")
        return ended_well(command, limits)

    kept = KeptHypervisor(PersistentHost(script), tmp_path, 10)
    for folder in (tmp_path / "a", tmp_path / "b"):
        with kept.boot(Machine(image=IMAGE, records=medium)) as sandbox:
            sandbox.run(Command(argv=("x",), mounts={"/input": "0"}, output="/output", gather=folder), LIMITS)
        assert (folder / "r1.json").read_text() == "{}"
    assert (kept.ran, kept.remembered) == (1, 1)


def test_a_guest_that_failed_or_may_be_busy_or_has_other_dependencies_is_replaced(tmp_path: Path) -> None:
    def script(command: Command, limits: Limits) -> Run:
        if command.argv[0] == "broken":
            raise SandboxFault("no answer")
        slow = command.argv[0] == "slow"
        return replace(ended_well(command, limits), verdict=Verdict.WALL_LIMIT if slow else Verdict.OK)

    host = PersistentHost(script)
    kept = KeptHypervisor(host, tmp_path, 0)
    for name, usable, layer, guests in (
        ("slow", True, "a", 1),
        ("slow", False, "a", 1),
        ("well", True, "a", 2),
        ("well", True, "a", 2),
        ("well", True, "b", 3),
    ):
        PersistentFake.is_usable = usable
        with kept.boot(Machine(image=IMAGE, layers=[Path(layer)])) as sandbox:
            sandbox.run(Command(argv=(name,)), LIMITS)
        assert (len(host.sandboxes), host.running) == (guests, int(usable or name == "well"))
    with pytest.raises(SandboxFault), kept.boot(Machine(image=IMAGE)) as sandbox:
        sandbox.run(Command(argv=("broken",)), LIMITS)
    assert host.running == 0


def test_content_is_what_programs_can_see(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("one")
    (tmp_path / "README.md").write_text("text")

    def version() -> Mapping[str, str]:
        return version_of(tmp_path, select(tmp_path), lambda name: name.startswith("README"))

    first = version()
    (tmp_path / "README.md").write_text("other text")
    assert version() == first
    (tmp_path / "a.c").chmod(0o755)
    assert version() != first
    archive = tmp_path / "entry.zip"
    archive.write_bytes(b"zip")
    assert version_of(archive, None, lambda _: False) == {"": sha256_file(archive)}


def test_a_version_that_cannot_be_unpacked_is_not_taken_for_the_next(
    archive: Path, medium: Path, tmp_path: Path
) -> None:
    def script(command: Command, limits: Limits) -> Run:
        fails = command.stdin_entry and "bad" in kept._now[""]
        return replace(ended_well(command, limits), verdict=Verdict.RUNTIME_ERROR if fails else Verdict.OK)

    kept = KeptHypervisor(PersistentHost(script), tmp_path, 0)
    for content in ("bad one", "good"):
        kept.holds({"": content})
        with kept.boot(Machine(image=IMAGE, entry=archive)) as sandbox:
            assert (sandbox.run(UNPACK, LIMITS).verdict is Verdict.OK) == (content == "good")
