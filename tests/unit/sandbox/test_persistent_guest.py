"""The guest that stays between tries: what is run again, and what is not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from evaluate.core.errors import SandboxFault
from evaluate.core.model import Limits, Run, Verdict
from evaluate.images.image import Image
from evaluate.sandbox.base import Command, Machine
from evaluate.sandbox.fake import FakeHypervisor, FakeSandbox, ended_well
from evaluate.sandbox.persistent_guest import KeptHypervisor, content_of, plain

LIMITS = Limits(instructions=1, wall_seconds=1)
UNPACK = Command(argv=("python3", "-c", "…", "tar"), stdin_entry=True, keep=True)
SETUP = Command(argv=("/bin/bash", "setup.sh"), keep=True)
RECORD = Command(argv=("/bin/bash", "next.sh", "r1"), inputs={"/home/r1": "r1"})
IMAGE = Image(
    **{"name": "i", "digest": "d", "cpu_model": "", "cpu_disabled": (), "packages": (), "recipe_digest": ""},
    **{"kernel": Path("k"), "initrd": Path("i"), "root": Path("r")},  # type: ignore[arg-type]
)


class StandingFake(FakeSandbox):
    """Remembers its media."""

    def fill_entry(self, archive: Path) -> None:
        self.entry = archive

    def lend(self, medium: Path | None) -> None:
        self.records = medium


class StandingHost(FakeHypervisor):
    """Keeps `StandingFake`s."""

    @contextmanager
    def stand(self, machine: Machine) -> Iterator[StandingFake]:
        sandbox = StandingFake(self._script)
        with self._guest(machine, sandbox):
            yield sandbox


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "entry.tar.gz"
    path.write_bytes(b"archive")
    return path


@pytest.fixture
def medium(tmp_path: Path) -> Path:
    path = tmp_path / "records.iso"
    path.write_bytes(b"records")
    return path


def a_try(kept: KeptHypervisor, content: str, archive: Path, medium: Path, *, easy: bool = True) -> None:
    kept.holds(content, plain=easy)
    with kept.boot(Machine(image=IMAGE, entry=archive)) as sandbox:
        sandbox.run(UNPACK, LIMITS)
        sandbox.run(SETUP, LIMITS)
    with kept.boot(Machine(image=IMAGE, records=medium)) as sandbox:
        sandbox.run(RECORD, LIMITS)


def test_one_guest_serves_all_tries_and_its_home_is_emptied_for_another_version(
    archive: Path, medium: Path, tmp_path: Path
) -> None:
    host = StandingHost()
    kept = KeptHypervisor(host, tmp_path, 0)
    a_try(kept, "one", archive, medium)
    a_try(kept, "two", archive, medium)
    (guest,) = host.sandboxes
    unpacked = [command.argv[-1] for command in guest.commands if command.stdin_entry]
    assert ["-delete" in text for text in unpacked] == [False, True]
    assert all("head -c 7 | /usr/bin/tar" in text for text in unpacked)
    assert [command.medium for command in guest.commands[2:3]] == [medium]
    assert host.running == 1
    kept.close()
    assert host.running == 0


def test_what_is_not_affected_by_a_change_does_not_run_again(archive: Path, medium: Path, tmp_path: Path) -> None:
    host = StandingHost()
    kept = KeptHypervisor(host, tmp_path, 0)
    a_try(kept, "one", archive, medium)
    a_try(kept, "one", archive, medium)
    assert (kept.ran, kept.remembered) == (0, 3)
    medium.write_bytes(b"other records")
    a_try(kept, "one", archive, medium)
    assert (kept.ran, kept.remembered) == (1, 2)
    a_try(kept, "two", archive, medium)
    assert (kept.ran, kept.remembered) == (3, 0)


def test_an_archive_that_may_need_repairs_is_unpacked_as_on_a_server(
    archive: Path, medium: Path, tmp_path: Path
) -> None:
    host = StandingHost()
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

    kept = KeptHypervisor(StandingHost(script), tmp_path, 10)
    for folder in (tmp_path / "a", tmp_path / "b"):
        with kept.boot(Machine(image=IMAGE, records=medium)) as sandbox:
            sandbox.run(Command(argv=("x",), mounts={"/input": "0"}, output="/output", gather=folder), LIMITS)
        assert (folder / "r1.json").read_text() == "{}"
    assert (kept.ran, kept.remembered) == (1, 1)


def test_a_guest_that_failed_or_may_be_busy_is_replaced(medium: Path, tmp_path: Path) -> None:
    runs = {"slow": Verdict.WALL_LIMIT}

    def script(command: Command, limits: Limits) -> Run:
        if command.argv[0] == "broken":
            raise SandboxFault("no answer")
        return replace(ended_well(command, limits), verdict=runs.get(command.argv[0], Verdict.OK))

    host = StandingHost(script)
    kept = KeptHypervisor(host, tmp_path, 0)
    for n, name in enumerate(("slow", "well", "well"), 1):
        with kept.boot(Machine(image=IMAGE)) as sandbox:
            sandbox.run(Command(argv=(name,)), LIMITS)
        assert len(host.sandboxes) == min(n, 2)
    with pytest.raises(SandboxFault), kept.boot(Machine(image=IMAGE)) as sandbox:
        sandbox.run(Command(argv=("broken",)), LIMITS)
    assert host.running == 0


def test_other_dependencies_need_another_guest(tmp_path: Path) -> None:
    host = StandingHost()
    kept = KeptHypervisor(host, tmp_path, 0)
    for layer in ("a", "a", "b"):
        with kept.boot(Machine(image=IMAGE, layers=[Path(layer)])):
            pass
    assert [machine.layers for machine in host.machines] == [[Path("a")], [Path("b")]]
    assert host.running == 1


def test_content_is_what_programs_can_see(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("one")
    (tmp_path / "README.md").write_text("text")

    def content() -> str:
        return content_of(tmp_path, ["a.c", "README.md"], lambda name: name.startswith("README"))

    first = content()
    (tmp_path / "README.md").write_text("other text")
    assert content() == first
    (tmp_path / "a.c").chmod(0o755)
    assert content() != first
    assert plain(tmp_path, ["a.c"])
    (tmp_path / "a.c").write_bytes(b"one\r\n")
    assert not plain(tmp_path, ["a.c"])
