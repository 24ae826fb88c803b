"""Functions that read strangers' bytes in separate processes."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from evaluate.confine import isolated as module
from evaluate.confine.isolated import Bounds, isolated
from evaluate.core.errors import ChallengeError, EntryError, EvaluateError, Fault, ImageFault, SandboxFault
from tests.support import isolated_functions as functions
from tests.support.children import children

BOUNDS = Bounds(doing="reading the archive", seconds=60)


def test_value_comes_back_as_its_type_and_names_need_not_be_ascii(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"\0\xff")
    names = ("caf\udce9", "\ud800", "two\nlines")
    found = isolated(BOUNDS, functions.describe, path, names, times=3)
    assert found == functions.Found(names=dict.fromkeys(names, 3), data=b"\0\xff", size=2)
    assert isolated(BOUNDS, functions.encodings) == ("utf-8", "utf-8")


@pytest.mark.parametrize("spin", [functions.spin, functions.spin_on])
def test_function_that_does_not_end_costs_its_bound_of_processor_time(spin: Callable[[], None]) -> None:
    with pytest.raises(EntryError, match="reading the archive took more than 1 s of processor time"):
        isolated(replace(BOUNDS, seconds=1), spin)


def test_process_that_is_killed_before_its_walls_stand_is_no_lack_of_walls() -> None:
    with pytest.raises(Fault, match="reading the archive ended with signal 9 before its walls stood"):
        module._judged(b"", b"", -9, BOUNDS, None)


def test_function_that_takes_all_memory_is_stopped() -> None:
    with pytest.raises(EntryError, match="reading the archive took more than 512 MiB of memory"):
        isolated(replace(BOUNDS, memory_bytes=512 << 20), functions.swell)
    with pytest.raises(SandboxFault, match="of memory"):
        isolated(replace(BOUNDS, blame=SandboxFault), functions.swell)


def test_function_that_sleeps_is_given_up_with_all_that_it_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_PATIENCE", 1)
    before = children()
    with pytest.raises(Fault, match="reading the archive did not end within 2 s") as found:
        isolated(replace(BOUNDS, seconds=1), functions.sleep)
    assert found.value.too_slow
    assert psutil.wait_procs(children(beside=before), timeout=60)[1] == []


def test_errors_come_back_as_themselves_or_are_blamed_on_whom_the_call_blames_if_it_does_not_declare_them() -> None:
    for name, error in (("entry", EntryError), ("image", ImageFault)):
        with pytest.raises(error, match=rf"^{name} is at fault$"):
            isolated(replace(BOUNDS, raises=(error,)), functions.refuse, name)
    with pytest.raises(EntryError, match=r"^image is at fault$"):
        isolated(BOUNDS, functions.refuse, "image")
    with pytest.raises(SandboxFault, match=r"^entry is at fault$"):
        isolated(replace(BOUNDS, raises=(), blame=SandboxFault), functions.refuse, "entry")
    for name in (b"Fault", b"UsageError", b"EvaluateError", b"KeyboardInterrupt", b"annotations"):
        with pytest.raises(EntryError, match=r"^let me try again$"):
            isolated(BOUNDS, functions.forge, b'{"error": "%s", "message": "let me try again"}' % name)


@pytest.mark.parametrize("blamed", [Fault, ChallengeError])
def test_defect_is_that_of_the_functions_author(blamed: type[EvaluateError]) -> None:
    for function, problem in (
        (functions.fail, "ended with exit status 1: KeyError: 'a defect of the host'"),
        (functions.die, "ended with signal 11"),
    ):
        with pytest.raises(blamed, match=problem):
            isolated(replace(BOUNDS, defect=blamed), function)


def test_reply_is_bounded_and_what_is_printed_is_no_reply() -> None:
    assert len(isolated(replace(BOUNDS, reply_bytes=3 << 20), functions.chatter)) == 1 << 21
    with pytest.raises(EntryError, match="found more than 1024 KiB of names and text"):
        isolated(BOUNDS, functions.chatter)


def test_function_that_returns_a_path_is_not_called(tmp_path: Path) -> None:
    with pytest.raises(
        TypeError, match=r"path_of returns <class 'pathlib\..*Path'>: only plain data comes out of walls"
    ):
        isolated(BOUNDS, functions.path_of, tmp_path)
