"""`evaluate try` before a machine is needed."""

import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from evaluate.config.challenge.cache import load_challenge
from evaluate.confine.isolated import isolated
from evaluate.core.errors import SandboxFault, UsageError
from evaluate.core.model import Evaluation, Limits, Run, Stage, Verdict
from evaluate.home import trial
from evaluate.home.trial import Trial, TryOptions, differs_on_a_server, try_entry, with_records
from evaluate.home.watch import Session
from evaluate.host import wiring
from evaluate.sandbox.base import HOME, Command
from evaluate.stages import score
from evaluate.stages.job import Lines, NullMonitor
from evaluate.untrusted import packing
from tests.support.fake_sandbox import FakeHypervisor, ended_well
from tests.support.scripted import IMAGE

CHALLENGE = load_challenge("cinc2017")


def test_annotations_beside_the_records_are_the_references_where_those_of_the_challenge_are_beside_them_too(
    tmp_path: Path,
) -> None:
    challenge = load_challenge("cpsc2021")
    own = Path(shutil.copytree(challenge.quiz.folder, tmp_path / "mine"))
    assert with_records(challenge, own, None).exam.references == own
    for path in own.glob("*.atr"):
        path.unlink()
    assert with_records(challenge, own, None).exam.references is None
    listed = Path(shutil.copytree(CHALLENGE.quiz.folder, tmp_path / "ecg"))
    assert with_records(CHALLENGE, listed, None).exam.references == listed / "REFERENCE.csv"


def test_entry_that_lacks_a_required_file_is_refused_before_a_machine_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trial, "make_job", lambda *_, **__: pytest.fail("a machine was asked for"))
    entry = Path(shutil.copytree(CHALLENGE.folder / "sample_entry", tmp_path / "entry"))
    (entry / "next.sh").rename(entry / "other.sh")
    subprocess.run(["git", "init", "--quiet"], cwd=entry, check=True)
    subprocess.run(["git", "add", "--", ".", ":!answers.txt"], cwd=entry, check=True)
    said: list[str] = []
    found = try_entry(Trial(entry, CHALLENGE, tmp_path, Lines(said.append)))
    assert found.verdict is Verdict.INVALID_ENTRY and "next.sh" in found.stages[0].message
    assert [line for line in said if line.startswith("warning: ")] == [
        "warning: answers.txt, which the challenge requires, is left out (not tracked by git): "
        "git add --force it, or use --all-files"
    ]


def scripted(command: Command, limits: Limits) -> Run:
    """A next.sh that prints and answers A for every record."""
    run = ended_well(command, limits)
    if command.argv[:2] != ("/bin/bash", "next.sh"):
        return run
    return replace(run, stdout=b"hello\n", files={f"{HOME}/answers.txt": f"{command.argv[2]},A\n".encode()})


@pytest.fixture
def entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The sample entry of cinc2017, on a host whose image is there."""
    monkeypatch.setattr(wiring, "build_image", lambda *_: IMAGE)
    return Path(shutil.copytree(CHALLENGE.folder / "sample_entry", tmp_path / "entry"))


def tried(entry: Path, tmp_path: Path, **options: Any) -> tuple[Evaluation, list[str]]:
    said: list[str] = []
    host = FakeHypervisor(scripted)
    return try_entry(
        Trial(entry, CHALLENGE, tmp_path / "state", Lines(said.append)), TryOptions(**options), hypervisor=host
    ), said


@pytest.mark.slow
def test_own_records_are_scored_once_and_the_answers_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(score, "isolated", measured := Mock(wraps=isolated))
    uploads, kept = load_challenge("camelyon16"), tmp_path / "kept"
    own = with_records(uploads, uploads.exam.folder, uploads.exam.references)
    sample = Trial(uploads.folder / "sample_entry", own, tmp_path / "state", NullMonitor())
    found = try_entry(sample, TryOptions(own_records=True, keep=kept))
    assert (found.verdict, measured.call_count) == (Verdict.OK, 1)
    assert "the exam has the same ones" in found.stages[1].message
    assert (kept / "answers" / "test_001.csv").is_file()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "stage", "verdict", "message"),
    [
        ("case_90000", 1, Verdict.BAD_ANSWER, "record case_90000: case_90000.nii.gz: expected"),
        ("case_90003", 2, Verdict.OK, "3 records, 2 answered; 1 BAD_ANSWER"),
    ],
)
def test_a_volume_that_is_cut_off_ends_the_quiz_and_costs_the_exam_one_record(
    case: str, stage: int, verdict: Verdict, message: str, tmp_path: Path
) -> None:
    uploads = load_challenge("kits19")
    shutil.copytree(uploads.folder / "sample_entry", tmp_path / "entry")
    file = tmp_path / "entry" / f"{case}.nii.gz"
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    found = try_entry(Trial(tmp_path / "entry", uploads, tmp_path / "state", Lines(print)), TryOptions())
    assert found.verdict is verdict
    assert message in found.stages[stage].message
    assert [one.record for one in found.stages[stage].failed] == [case]


def test_every_answer_that_differs_is_named_at_once_and_what_a_server_does_differently(
    entry: Path, tmp_path: Path
) -> None:
    found, _ = tried(entry, tmp_path)
    own = dict(line.split(",") for line in (entry / "answers.txt").read_text().split())
    differing = [record for record in CHALLENGE.quiz.records if own[record] != "A"]
    assert found.verdict is Verdict.MISMATCH
    assert all(f"record {record}: " in found.stages[1].message for record in differing)
    said = differs_on_a_server(CHALLENGE, found, TryOptions(own_records=True))
    assert any("these are your own records" in line for line in said)


@pytest.mark.slow
def test_answers_are_written_and_wrong_ones_are_named(
    entry: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (entry / "answers.txt").unlink()
    found, said = tried(entry, tmp_path, write_answers=True)
    written = "".join(f"{record},A\n" for record in CHALLENGE.quiz.records)
    assert (entry / "answers.txt").read_text() == written
    assert found.stages[1].verdict is Verdict.OK
    assert f"{entry / 'answers.txt'}: 8 answers written" in said
    monkeypatch.setattr(score, "isolated", measured := Mock(wraps=isolated))
    found, said = tried(entry, tmp_path)
    assert found.stages[1].verdict is Verdict.OK
    assert measured.call_count == 1  # the score, and what is wrong of each record
    wrong = [line for line in said if "the reference is" in line]
    truth = dict(line.split(",") for line in (CHALLENGE.exam.references or entry).read_text().split())
    assert wrong == [
        f"  {record}: answered A, the reference is {truth[record]}"
        for record in CHALLENGE.exam.records
        if truth[record] != "A"
    ]


def test_one_record_runs_alone_in_its_stage(entry: Path, tmp_path: Path) -> None:
    for record, stage in (("S00002", Stage.QUIZ), ("T00002", Stage.EXAM)):
        found, _ = tried(entry, tmp_path, record=record)
        assert [result.stage for result in found.stages] == [Stage.PREP, stage]
        assert [outcome.record for outcome in found.stages[1].records] == [record]


@pytest.mark.slow
def test_records_after_a_crash_are_not_run_rather_than_answered_with_nothing(
    entry: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers, crash = scripted, CHALLENGE.quiz.records[2]

    def crashes(command: Command, limits: Limits) -> Run:
        run = answers(command, limits)
        return replace(run, verdict=Verdict.RUNTIME_ERROR, exit_code=1, files={}) if crash in command.argv else run

    monkeypatch.setattr(f"{__name__}.scripted", crashes)
    own = "".join(f"{record},A\n" for record in CHALLENGE.quiz.records)
    (entry / "answers.txt").write_text(own)
    found, said = tried(entry, tmp_path)
    assert [outcome.record for outcome in found.stages[1].records] == list(CHALLENGE.quiz.records[:3])
    assert not [line for line in said if line.startswith(tuple(f"  {one}: " for one in CHALLENGE.quiz.records[3:]))]
    assert said[-1] == "not run: 5 of 8 records of the quiz"


def test_what_looks_like_a_secret_is_said_once_and_a_file_without_permission_with_what_to_do(
    entry: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (entry / "next.sh").write_text(f"{(entry / 'next.sh').read_text()}# AKIA{'IOSFODNN7EXAMPLF'}\n")
    found, said = tried(entry, tmp_path)
    assert [line.startswith("warning: next.sh") for line in said if "next.sh" in line and "warning" in line] == [True]
    assert "next.sh" not in found.stages[0].message
    monkeypatch.setattr(packing.os, "access", lambda path, mode: Path(path).name != "classify.c")
    found, _ = tried(entry, tmp_path)
    assert found.verdict is Verdict.INVALID_ENTRY
    assert found.stages[0].message == (
        "no permission to read classify.c: chmod u+r gives it; or leave it out by .evaluateignore"
    )


def test_what_cannot_be_asked_for_is_refused(entry: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="cinc2017 has no record 'X'; there is S00001"):
        tried(entry, tmp_path, record="X")
    with pytest.raises(UsageError, match="contain no answers of their own"):
        try_entry(Trial(entry, load_challenge("cpsc2021"), tmp_path, Lines(print)), TryOptions(write_answers=True))
    with pytest.raises(UsageError, match="is not a folder"):
        tried(entry / "next.sh", tmp_path, write_answers=True)
    monkeypatch.setattr(trial.os, "access", lambda path, mode: mode != os.W_OK)
    with pytest.raises(UsageError, match=r"no permission to write answers\.txt into"):
        tried(entry, tmp_path, write_answers=True)


@pytest.mark.parametrize("watched", [False, True])
def test_where_no_guest_can_start_no_image_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, watched: bool
) -> None:
    built: list[object] = []
    for place in ("host.wiring", "home.watch"):
        monkeypatch.setattr(f"evaluate.{place}.build_image", lambda *words: built.append(words))
    monkeypatch.setattr("evaluate.sandbox.connection.libvirt", None)
    sample = Trial(CHALLENGE.folder / "sample_entry", CHALLENGE, tmp_path, NullMonitor())
    with pytest.raises(SandboxFault, match=r"libvirt-python is not installed: .*; --runner plain needs no"):
        if watched:
            Session(sample)
        else:
            try_entry(sample)
    assert not built
