"""A short run of the fuzzer over every parser, the same every time; the long one is by hand."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz import isolated
from tests.fuzz.__main__ import fuzz
from tests.fuzz.isolated import Finding, Progress, attempt, minimised, replay, run_isolated
from tests.fuzz.parsers import PARSERS, Parser
from tests.fuzz.replies import REPLIES
from tests.support.walled_in import WALLED_IN

pytestmark = pytest.mark.slow


def parser_of(run: object) -> Parser:
    return Parser(seeds=lambda: [b"N"], run=run)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", PARSERS)
def test_changed_examples_end_in_a_result_or_a_documented_error(name: str) -> None:
    tried: list[bytes] = []
    fuzz(PARSERS[name], seconds=0, first_seed=1, least=60, begin=tried.append)
    assert len(tried) == 60


@pytest.mark.parametrize("name", PARSERS)
def test_examples_themselves_are_valid(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    for data in PARSERS[name].seeds():
        PARSERS[name].run(data, tmp_path_factory.mktemp("seed"))


@pytest.mark.parametrize("name", REPLIES)
def test_changed_reply_is_a_value_or_refused(name: str) -> None:
    tried: list[bytes] = []
    fuzz(REPLIES[name], seconds=0, first_seed=1, least=400, begin=tried.append)
    assert len(tried) == 400
    assert any(not REPLIES[name].over(data) for data in tried[1:]), "none went beyond the reading of a reply"


@pytest.mark.parametrize("function", WALLED_IN, ids=lambda f: f.__qualname__)
def test_replies_of_no_reader_are_forgotten(function: object) -> None:
    assert any(function in parser.of for parser in REPLIES.values()), "add its replies to tests/fuzz/replies.py"


def test_fuzzer_sees_what_must_not_be() -> None:
    def breaks(data: bytes, _: object) -> None:
        if b"N" not in data:
            raise KeyError("N")

    with pytest.raises(KeyError):
        attempt(parser_of(breaks), b"x")


def test_crash_is_a_finding_about_the_input_that_made_it() -> None:
    def dies(data: bytes, _: object) -> None:
        if b"!" in data:
            os.kill(os.getpid(), signal.SIGKILL)

    found = replay(parser_of(dies), b"abc!def").finding
    assert found is not None
    assert (found.what, found.data) == (f"signal {signal.SIGKILL.value}", b"abc!def")
    assert replay(parser_of(dies), b"abc").finding is None


def test_memory_beyond_the_bound_is_a_finding() -> None:
    def swells(_data: bytes, _: object) -> None:
        bytearray(2 * isolated.MEMORY_BYTES)

    found = replay(parser_of(swells), b"x").finding
    assert found is not None
    assert found.what.startswith("MemoryError at ")


def test_library_that_no_alarm_interrupts_is_a_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolated, "_STALLED", 0.05)

    def sleeps(progress: Progress) -> None:
        progress.begin(b"zzz")
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGPROF])
        signal.sigwait([signal.SIGPROF])

    found = run_isolated(sleeps).finding
    assert found == Finding(what="hang", data=b"zzz")


def test_finding_is_made_small() -> None:
    def breaks(data: bytes, _: object) -> None:
        if b"ab" in data:
            raise KeyError("ab")

    large = replay(parser_of(breaks), b"x" * 40 + b"ab" + b"y" * 40).finding
    assert large is not None
    small = minimised(parser_of(breaks), large)
    assert (small.what, small.data) == (large.what, b"ab")


def test_finding_runs_again_from_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.fuzz.__main__ import report

    def breaks(data: bytes, _: object) -> None:
        if b"N" not in data:
            raise KeyError("N")

    monkeypatch.setitem(PARSERS, "broken", parser_of(breaks))
    found = replay(PARSERS["broken"], b"xx").finding
    assert found is not None
    told = report("broken", found, tmp_path)
    assert "KeyError at " in told
    assert f"--parser broken --replay {next(tmp_path.iterdir())}" in told


def test_run_led_by_coverage_begins_from_the_examples_and_finds_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.fuzz.guided", "json-values", "--seconds", "1", "--keep", tmp_path]
    told = subprocess.run(command, check=False, capture_output=True, text=True, cwd=Path(__file__).parents[3])
    assert told.returncode == 0, told.stderr
    assert "INFO: A corpus is not provided" not in told.stderr
    assert len(list((tmp_path / "json-values-examples").iterdir())) >= len(PARSERS["json-values"].seeds())
    assert not list(tmp_path.glob("json-values-crash-*"))
