"""The four stages on a scripted sandbox: commands, conclusions, the little that leaves the exam, and its shards."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.types import Isolation
from evaluate.core.errors import EntryError, SandboxFault
from evaluate.core.model import (
    CounterInfo,
    Evaluation,
    Limits,
    MachineInfo,
    RecordOutcome,
    Run,
    Stage,
    StageOutcome,
    StageResult,
    Usage,
    Verdict,
)
from evaluate.report.audience import for_organiser
from evaluate.report.json import to_json
from evaluate.report.text import to_text
from evaluate.sandbox.base import HOME, Command
from evaluate.stages.exam import Shard, join_exam, shards
from evaluate.stages.job import TrialRules
from evaluate.stages.prep import installed
from tests.support.fake_sandbox import FakeHypervisor, Script, crashing, ended_well
from tests.support.scorers import written
from tests.support.scripted import evaluated
from tests.support.toys import truth

CHALLENGE = load_challenge("cinc2017")
ANSWERS = f"{HOME}/answers.txt"
TRUE = truth(CHALLENGE)


def answering(label_of: Callable[[str], str]) -> Callable[[Command, Limits], Run]:
    """A script whose next.sh appends an answer."""

    def script(command: Command, limits: Limits) -> Run:
        if command.argv[:2] != ("/bin/bash", "next.sh"):
            return ended_well(command, limits)
        record = command.argv[2]
        text = f"{record},{label_of(record)}\n"
        return replace(ended_well(command, limits), files={ANSWERS: text.encode()})

    return script


@pytest.fixture
def entry(tmp_path: Path) -> Path:
    """An entry whose answers.txt is true."""
    answers = "".join(f"{r},{TRUE[r]}\r\n" for r in reversed(CHALLENGE.quiz.records))
    return written(tmp_path / "entry", {**dict.fromkeys(CHALLENGE.required_files, "true\n"), "answers.txt": answers})


def tried(entry: Path, folder: Path, script: Script, **changes: object) -> tuple[Evaluation, FakeHypervisor]:
    return evaluated(CHALLENGE, entry, folder, script, **changes)


def test_entry_that_answers_all_truly_scores_one_by_commands_that_see_their_own_files_and_keep_nothing(
    entry: Path, tmp_path: Path
) -> None:
    evaluation, hypervisor = tried(entry, tmp_path, answering(TRUE.__getitem__))
    assert [(r.stage, r.verdict) for r in evaluation.stages] == [
        (stage, Verdict.OK) for stage in Stage if stage is not Stage.TRAIN
    ]
    assert evaluation.score is not None
    assert evaluation.score.values["F1"] == 1.0
    assert evaluation.score.official["F1"] == 1.0
    assert len(hypervisor.machines) == 3
    assert hypervisor.machines[0].entry is not None
    assert hypervisor.machines[1].entry is None  # the archive is not in the guests that see records
    for sandbox in hypervisor.sandboxes[1:]:
        for command in sandbox.commands:
            record = command.argv[2]
            assert set(command.inputs) == {f"{HOME}/{record}.hea", f"{HOME}/{record}.mat"}
            assert (command.keep, command.remove) == (False, (ANSWERS,))
    for name in ("quiz.iso", "exam.iso"):
        assert b"REFERENCE" not in (tmp_path / "work" / name).read_bytes().upper().replace(b"\0", b"")
    found = to_json(for_organiser(evaluation, CHALLENGE.limits))
    assert set(found) >= {"verdict", "entry", "challenge", "accelerator", "image", "counter", "stages", "score"}
    assert set(found["counter"]) == {"kind", "mode", "calibration_error"}
    assert found["isolation"] == "namespace"
    for stage in found["stages"]:
        assert set(stage) >= {"stage", "verdict", "message", "usage"}
        assert set(stage["usage"]) >= {"instructions", "wall_seconds"}
    assert set(found["stages"][2]["records"][0]) >= {"record", "verdict", "instructions", "wall_seconds", "answer"}
    assert set(found["score"]) >= {"primary", "values", "notes"}


def test_first_wrong_answer_ends_the_quiz_which_no_printed_word_passes(entry: Path, tmp_path: Path) -> None:
    evaluation, hypervisor = tried(entry, tmp_path, answering(lambda r: "O" if r == "S00003" else TRUE[r]))
    assert evaluation.verdict is Verdict.MISMATCH
    assert evaluation.stages[-1].message == (
        "record S00003: next.sh answered 'O', but the entry's answers.txt says 'A'"
    )
    assert len(hypervisor.sandboxes[1].commands) == 3
    assert evaluation.score is None

    def says(command: Command, limits: Limits) -> Run:
        return replace(ended_well(command, limits), stdout=b"S00001,N\nverdict: OK\n")

    assert tried(entry, tmp_path / "says", says)[0].verdict is Verdict.BAD_ANSWER


@pytest.mark.parametrize(
    ("answers", "trial", "verdict", "message"),
    [
        ("S00001,N\n", TrialRules(), Verdict.MISMATCH, "has no line for this record"),
        ("A00001,N\n", TrialRules(own_records=True), Verdict.OK, "nothing to compare"),
    ],
)
def test_record_that_the_entry_does_not_know_is_a_mismatch_but_for_own_records(
    entry: Path, tmp_path: Path, answers: str, trial: TrialRules, verdict: Verdict, message: str
) -> None:
    (entry / "answers.txt").write_text(answers)
    evaluation, _ = tried(entry, tmp_path, answering(TRUE.__getitem__), trial=trial)
    assert evaluation.verdict is verdict and message in evaluation.stages[1].message


def failing_in_the_exam(command: Command, limits: Limits) -> Run:
    record = command.argv[-1]
    if record == "T00005":
        return crashing(printed=b"secret")(command, limits)
    if record == "T00006":
        return replace(ended_well(command, limits), verdict=Verdict.WALL_LIMIT, detail="slow")
    return answering(TRUE.__getitem__)(command, limits)


def test_failures_in_the_exam_are_missing_answers_and_do_not_end_it(entry: Path, tmp_path: Path) -> None:
    evaluation, _ = tried(entry, tmp_path, failing_in_the_exam)
    exam = evaluation.stages[2]
    assert exam.verdict is Verdict.OK
    assert exam.message == "12 records, 10 answered; 1 RUNTIME_ERROR, 1 WALL_LIMIT"
    assert evaluation.score is not None
    # T00005 is A and T00006 is N, both count as ~: N 4 of 5 found, A 2 of 3
    expected = (2 * 4 / (5 + 4) + 2 * 2 / (3 + 2) + 1) / 3
    assert evaluation.score.values["F1"] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("program", ["setup.sh", "next.sh"])
def test_program_that_fails_gives_its_output_to_the_team_with_a_hint(entry: Path, tmp_path: Path, program: str) -> None:
    evaluation, _ = tried(entry, tmp_path, crashing(program, b"\xff No module named 'numpy.fft'"))
    last = evaluation.stages[-1]
    assert (last.verdict, len(evaluation.stages)) == (Verdict.RUNTIME_ERROR, 1 if program == "setup.sh" else 2)
    assert "exit code 1" in last.message
    assert "dependencies.txt lists no python3-numpy, the usual package of the module numpy" in last.message
    assert last.diagnostics == "standard error:\n\N{REPLACEMENT CHARACTER} No module named 'numpy.fft'"
    assert "No module" in to_text(for_organiser(evaluation, CHALLENGE.limits))


@pytest.mark.parametrize("stage", [Stage.QUIZ, Stage.EXAM])
def test_error_of_the_entry_is_the_verdict_of_its_stage_and_a_fault_of_the_sandbox_none(
    entry: Path, tmp_path: Path, stage: Stage
) -> None:
    def script(command: Command, limits: Limits) -> Run:
        records = CHALLENGE.quiz.records if stage is Stage.QUIZ else CHALLENGE.exam.records
        if command.argv[-1] in records:
            raise error
        return answering(TRUE.__getitem__)(command, limits)

    error: Exception = EntryError("p1.csv is larger than 1 MiB")
    evaluation, _ = tried(entry, tmp_path, script)
    last = evaluation.stages[-1]
    assert (last.stage, last.verdict, last.message) == (stage, Verdict.INVALID_ENTRY, "p1.csv is larger than 1 MiB")
    error = SandboxFault("the guest closed its channel")
    with pytest.raises(SandboxFault):
        tried(entry, tmp_path / "again", script)


def test_isolated_record_gets_a_medium_with_its_own_files_and_no_other(entry: Path, tmp_path: Path) -> None:
    seen: list[tuple[str, bytes]] = []

    def script(command: Command, limits: Limits) -> Run:
        if command.medium is not None:
            seen.append((command.argv[2], command.medium.read_bytes()))
        return answering(TRUE.__getitem__)(command, limits)

    isolated = replace(CHALLENGE, isolation=Isolation.SNAPSHOT)
    evaluation, hypervisor = evaluated(isolated, entry, tmp_path, script)
    assert evaluation.verdict is Verdict.OK
    first = CHALLENGE.quiz.records[0]  # also answered before the machine is saved, in quiz and exam
    assert [record for record, _ in seen] == [first, *CHALLENGE.quiz.records, first, *CHALLENGE.exam.records]
    for record, disc in seen:
        others = {*CHALLENGE.quiz.records, *CHALLENGE.exam.records} - {record}
        assert record.encode() in disc
        assert not [other for other in others if other.encode() in disc]
    assert [machine.records for machine in hypervisor.machines] == [None] * 3


def test_dry_run_ends_after_the_quiz_and_a_file_that_is_only_wanted_is_a_note(entry: Path, tmp_path: Path) -> None:
    (entry / "DRYRUN").touch()
    (entry / "LICENSE.txt").unlink()
    required = tuple(name for name in CHALLENGE.required_files if name != "LICENSE.txt")
    rules = replace(CHALLENGE, required_files=required, wanted_files=("LICENSE.txt",))
    found, _ = evaluated(rules, entry, tmp_path, answering(TRUE.__getitem__))
    assert found.verdict is Verdict.DRY_RUN
    assert found.verdict.passed
    assert len(found.stages) == 2
    assert found.stages[0].verdict is Verdict.OK
    about = "the terms under which others may use it"
    assert found.stages[0].message == f"note: LICENSE.txt is missing: {about}; it should be there"


def test_packages_of_layers_are_named_with_their_versions(tmp_path: Path) -> None:
    files = {
        "deb.json": '{"packages": ["zip 3.0-13"]}',
        "pip.json": '{"wheels": ["numpy-1.26.4-cp311-none-any.whl"]}',
        "plain.txt": "scipy-1.14.0-cp311-none-any.whl\n",
    }
    written(tmp_path, files)
    layers = [tmp_path / name for name in ("deb.squashfs", "pip.squashfs", "plain.txt", "organisers.squashfs")]
    assert list(installed(layers)) == ["zip 3.0-13", "numpy 1.26.4", "scipy 1.14.0"]


MACHINE = MachineInfo(accelerator="tcg", image="sha256:0", counter=CounterInfo(kind="tcg", calibration_error=0.0))
USAGE = Usage(instructions=10, wall_seconds=1.0, memory_bytes=5)


def shard(folder: Path, records: dict[str, Verdict], machine: MachineInfo | None = None, **keys: Any) -> Shard:
    """A shard whose records ended like this, and its answers on disk."""
    answered = [record for record, ended in records.items() if ended is Verdict.OK]
    written(folder, {"answers.txt": "".join(f"{record},N\n" for record in answered)})
    outcomes = tuple(RecordOutcome(record=record, verdict=ended, usage=USAGE) for record, ended in records.items())
    result = StageResult(stage=Stage.EXAM, usage=USAGE, records=outcomes, **{"verdict": Verdict.OK, **keys})
    return Shard(outcome=StageOutcome(result=result, machine=machine), answers=folder)


def test_shards_become_one_exam_in_the_order_of_the_records(tmp_path: Path) -> None:
    parts = [
        shard(tmp_path / "1", {"c": Verdict.OK, "d": Verdict.WALL_LIMIT}, MACHINE),
        shard(tmp_path / "0", {"a": Verdict.OK, "b": Verdict.RUNTIME_ERROR}),
    ]
    written(tmp_path, {"0/site/a.json": "of a", "1/site/c.json": "of c"})
    joined = join_exam(CHALLENGE, ["a", "b", "c", "d"], parts, tmp_path / "answers")
    result = joined.result
    assert (result.verdict, result.message) == (Verdict.OK, "4 records, 2 answered; 1 RUNTIME_ERROR, 1 WALL_LIMIT")
    assert [outcome.record for outcome in result.records] == ["a", "b", "c", "d"]
    assert result.usage == Usage(instructions=20, wall_seconds=2.0, memory_bytes=5)
    assert joined.machine == MACHINE
    assert (tmp_path / "answers" / "answers.txt").read_text() == "a,N\nc,N\n"
    assert [(tmp_path / f"answers/site/{name}.json").read_text() for name in "ac"] == ["of a", "of c"]


@pytest.mark.parametrize(
    ("contents", "whole"),
    [
        (["a,0.1\n", "b,0.2"], "a,0.1\nb,0.2\n"),
        (["slide,score\r\na,0.1\r\n", "\ufeffslide,score\nb,0.2\n"], "slide,score\na,0.1\nb,0.2\n"),
        (["a,0.1\r\nb,0.2", "a,0.1\r\nb,0.2"], "a,0.1\r\nb,0.2"),
    ],
    ids=["parts", "with a header", "the same upload"],
)
def test_file_for_the_whole_set_has_the_lines_of_all_shards(tmp_path: Path, contents: list[str], whole: str) -> None:
    parts = [shard(tmp_path / str(n), {record: Verdict.OK}) for n, record in enumerate("ab")]
    for part, content in zip(parts, contents, strict=True):
        (part.answers / "slides.csv").write_bytes(content.encode())
    join_exam(load_challenge("camelyon16"), ["a", "b"], parts, tmp_path / "answers")
    assert (tmp_path / "answers" / "slides.csv").read_bytes().decode() == whole


@pytest.mark.parametrize(
    ("records", "verdict", "reason", "counted"),
    [
        (
            ["b"],
            Verdict.INSTRUCTION_LIMIT,
            "and printed 3 records, 1 answered",
            "; 2 records, 1 answered; 1 INSTRUCTION_LIMIT",
        ),
        ([], Verdict.INVALID_ENTRY, "b.csv is larger than 1 MiB", ""),
    ],
    ids=["ended early", "refused"],
)
def test_verdict_of_a_shard_is_that_of_the_exam_and_counts_appear_once(
    tmp_path: Path, records: list[str], verdict: Verdict, reason: str, counted: str
) -> None:
    message = f"{reason}; 1 record of this shard" if records else reason
    parts = [
        shard(tmp_path / "0", {"a": Verdict.OK}),
        shard(tmp_path / "1", dict.fromkeys(records, verdict), verdict=verdict, reason=reason, message=message),
    ]
    joined = join_exam(CHALLENGE, ["a", "b"], parts, tmp_path / "answers")
    assert (joined.result.verdict, joined.result.message) == (verdict, f"{reason}{counted}")
    assert [outcome.record for outcome in joined.result.records] == ["a", *records]
    assert joined.machine is None, "as of uploaded answers"


@given(st.integers(0, 40), st.integers(1, 12))
def test_every_record_is_in_one_shard_and_none_is_empty(n: int, parts: int) -> None:
    records = [f"r{i}" for i in range(n)]
    found = shards(records, parts)
    assert [record for part in found for record in part] == records
    if records:
        assert len(found) == min(n, parts)
        assert max(map(len, found)) - min(map(len, found)) <= 1
