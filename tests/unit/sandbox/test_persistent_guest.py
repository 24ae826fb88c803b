"""The guest that stays between tries: what is run again, and what is not."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from evaluate.core.errors import SandboxFault
from evaluate.core.files import sha256_file
from evaluate.core.model import Limits, Run, Verdict
from evaluate.sandbox.base import Command, Machine
from evaluate.sandbox.persistent_guest import KeptHypervisor, Version, version_of
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


def a_try(kept: KeptHypervisor, content: str | Version, archive: Path, medium: Path, *, easy: bool = True) -> None:
    kept.holds(Version(files={"": content}, plain=easy) if isinstance(content, str) else content)
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
    unpacked = [command.argv[-1] for command in guest.commands if command.stdin_entry]
    assert ["-delete" in text for text in unpacked] == [False, True], "the home is emptied for another version"
    assert all("head -c 7 | /usr/bin/tar" in text for text in unpacked)
    assert [command.medium for command in guest.commands[2:3]] == [medium]
    assert host.running == 1
    kept.close()
    assert host.running == 0


def test_an_archive_that_may_need_repairs_is_unpacked_as_on_a_server(
    archive: Path, medium: Path, tmp_path: Path
) -> None:
    host = PersistentHost()
    kept = KeptHypervisor(host, tmp_path, 0)
    for content in ("one", "two"):
        a_try(kept, content, archive, medium, easy=False)
    argvs = [command.argv for command in host.sandboxes[0].commands]
    assert argvs[0] == argvs[4] == UNPACK.argv
    assert "-delete" in argvs[3][-1]


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

    def version() -> Version:
        return version_of(tmp_path, select(tmp_path), lambda name: name.startswith("README"))

    first = version()
    (tmp_path / "README.md").write_text("other text")
    assert version().files == first.files and first.plain
    (tmp_path / "a.c").chmod(0o755)
    assert version().files != first.files
    (tmp_path / "weights.bin").write_bytes(b"one\r\n")
    assert version().plain  # whole models would be read and sent again at every change
    for content, mode in ((b"one\r\n", 0o755), (b"one\n", 0o644)):
        (tmp_path / "a.sh").write_bytes(content)
        (tmp_path / "a.sh").chmod(mode)
        assert not version().plain  # unpacking gives Unix line ends, and the right to be run
    (tmp_path / "a.sh").chmod(0o755)
    assert version().plain
    archive = tmp_path / "entry.zip"
    archive.write_bytes(b"zip")
    assert version_of(archive, None, lambda _: False) == Version(files={"": sha256_file(archive)})


class Entry:
    """A folder, and a guest whose setup opens some of its files."""

    def __init__(self, folder: Path, opens: Sequence[str] | None) -> None:
        self.folder, self._opens = folder, opens
        self.host = PersistentHost(self._script)
        folder.mkdir()
        for name in ("setup.sh", "next.sh", "model.txt"):
            (folder / name).write_text("one\n")
            (folder / name).chmod(0o755)

    def version(self) -> Version:
        return version_of(self.folder, select(self.folder), lambda _: False)

    def _script(self, command: Command, limits: Limits) -> Run:
        run = ended_well(command, limits)
        listing = next((name for name in command.collect if "opened" in name), None)
        if listing is None or self._opens is None:
            return run
        return replace(run, files={listing: "\0".join(["opened", *self._opens]).encode()})


def test_only_a_file_that_setup_has_not_opened_is_replaced_where_it_alone_has_changed(
    archive: Path, medium: Path, tmp_path: Path
) -> None:
    entry = Entry(tmp_path / "mine", ["setup.sh"])
    kept = KeptHypervisor(entry.host, tmp_path, 0)
    a_try(kept, entry.version(), archive, medium)
    (entry.folder / "next.sh").write_text("two\n")
    archive.write_bytes(b"a longer archive")
    a_try(kept, entry.version(), archive, medium)
    assert (kept.ran, kept.remembered) == (1, 2)
    (guest,) = entry.host.sandboxes
    with tarfile.open(fileobj=io.BytesIO(guest.entry)) as tar:  # type: ignore[attr-defined]
        assert tar.getnames() == ["next.sh"]
    assert "-delete" not in guest.commands[-2].argv[-1] and guest.commands[-2].keep
    a_try(kept, entry.version(), archive, medium)
    assert (kept.ran, kept.remembered) == (0, 3)
    (entry.folder / "setup.sh").write_text("two\n")
    a_try(kept, entry.version(), archive, medium)
    assert (kept.ran, kept.remembered) == (3, 0)
    assert guest.entry == b"a longer archive"  # type: ignore[attr-defined]


@pytest.mark.parametrize("change", ["unknown", "added", "removed", "line ends"])
def test_setup_runs_again_where_it_may_see_a_difference(
    archive: Path, medium: Path, tmp_path: Path, change: str
) -> None:
    entry = Entry(tmp_path / "mine", None if change == "unknown" else ["setup.sh"])
    kept = KeptHypervisor(entry.host, tmp_path, 0)
    a_try(kept, entry.version(), archive, medium)
    name = {"added": "new.txt", "line ends": "next.sh"}.get(change, "model.txt")
    (entry.folder / name).write_bytes(b"two\r\n" if change == "line ends" else b"two\n")
    if change == "removed":
        (entry.folder / name).unlink()
    a_try(kept, entry.version(), archive, medium)
    assert (kept.ran, kept.remembered) == (3, 0)


def test_a_version_that_cannot_be_unpacked_is_not_taken_for_the_next(
    archive: Path, medium: Path, tmp_path: Path
) -> None:
    def script(command: Command, limits: Limits) -> Run:
        fails = command.stdin_entry and "bad" in kept._now.files[""]
        return replace(ended_well(command, limits), verdict=Verdict.RUNTIME_ERROR if fails else Verdict.OK)

    kept = KeptHypervisor(PersistentHost(script), tmp_path, 0)
    for content in ("bad one", "good"):
        kept.holds(Version(files={"": content}, plain=True))
        with kept.boot(Machine(image=IMAGE, entry=archive)) as sandbox:
            assert (sandbox.run(UNPACK, LIMITS).verdict is Verdict.OK) == (content == "good")
