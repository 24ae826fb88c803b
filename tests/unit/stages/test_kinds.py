"""Kinds of entry on a scripted sandbox: their commands, and the fate of their answers."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
import wfdb

from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.types import Kind, RecordSet
from evaluate.core.errors import ChallengeError, EntryError
from evaluate.core.model import Limits, Run, Stage, User, Verdict
from evaluate.sandbox.base import Command
from evaluate.stages.contracts.contract import input_files, without_comments
from evaluate.stages.kinds.answers import find_answers
from evaluate.stages.kinds.detection import kind_of
from evaluate.stages.prep import load_prepared, prep
from evaluate.untrusted.archives import inspect
from tests.support.fake_sandbox import ended_well
from tests.support.oci_images import docker_save, layer
from tests.support.toys import USAGE, Toys, answering, building, truth


@pytest.fixture
def toys(tmp_path: Path) -> Toys:
    return Toys(tmp_path)


def zipped(path: Path, files: Mapping[str, str | bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as bundle:
        for name, text in files.items():
            bundle.writestr(name, text)
    return path


def test_python_program_gets_the_set_at_once_and_average_limits(toys: Toys) -> None:
    challenge, entry = toys.challenge(Kind.PYTHON)
    seen: list[Limits] = []

    def script(command: Command, limits: Limits) -> Run:
        seen.append(limits)
        return answering(**truth(challenge))(command, limits)

    evaluation, hypervisor, layers = toys.evaluated(challenge, entry, script)
    assert evaluation.score is not None and evaluation.score.values["accuracy"] == 1.0
    (command,) = hypervisor.sandboxes[2].commands
    assert command.argv == ("/usr/bin/python3", "entry.py", "/input", "/output")
    assert (command.mounts, command.output, command.user) == ({"/input": "0"}, "/output", None)
    assert seen[-1].instructions == 6 * challenge.limits["exam"].instructions
    assert layers.asked == [(entry / "requirements.txt").read_bytes()]
    assert hypervisor.machines[2].layers == [Path("/layers/wheels.squashfs")]


def test_python_program_is_started_for_each_record_where_the_rules_say_so(toys: Toys) -> None:
    evaluation, hypervisor, _ = toys.evaluated(*toys.challenge(Kind.PYTHON, "mode: set", "mode: record"))
    assert [command.mounts for command in hypervisor.sandboxes[2].commands] == [{"/input": str(i)} for i in range(6)]
    assert [outcome.usage for outcome in evaluation.stages[2].records] == [USAGE] * 6


def test_failure_names_the_start_and_answers_in_another_folder(toys: Toys) -> None:
    challenge, entry = toys.challenge(Kind.PYTHON)
    (name, *_) = challenge.answers.names(challenge.quiz.records[0])

    def fails(command: Command, limits: Limits) -> Run:
        run = ended_well(command, limits)
        return replace(run, verdict=Verdict.RUNTIME_ERROR, detail="exit code 1") if command.output else run

    def leaves_elsewhere(command: Command, limits: Limits) -> Run:
        return replace(ended_well(command, limits), files=dict.fromkeys(command.collect, b"N"))

    evaluation, _, _ = toys.evaluated(challenge, entry, fails)
    n = len(challenge.quiz.records)
    assert evaluation.stages[-1].message.startswith(f"the start for {n} records: exit code 1")
    evaluation, _, _ = toys.evaluated(challenge, entry, leaves_elsewhere)
    text = f"it left /home/challenge/{name}: expected the answers in its last argument, /output"
    assert text in evaluation.stages[-1].message


@pytest.mark.parametrize("newer", [True, False])
def test_pins_that_are_too_old_are_replaced_with_a_note_where_the_rules_say_so(toys: Toys, newer: bool) -> None:
    challenge, entry = toys.challenge(Kind.PYTHON)
    challenge = replace(challenge, run=replace(challenge.run, newer_pins=newer))
    (entry / "requirements.txt").write_text("old==1\n")
    evaluation, _, layers = toys.evaluated(challenge, entry, instead=b"old==2")
    assert evaluation.verdict is (Verdict.OK if newer else Verdict.INVALID_ENTRY)
    assert layers.asked == [b"old==1\n", b"old==2"][: 1 + newer]
    message = evaluation.stages[0].message
    assert ("old==2 in the place of old==1" in message) is newer
    assert "line 1: old==1: no wheel" in message, "the pin and the reason"


@pytest.mark.parametrize(
    ("rules", "argv", "asked"),
    [
        ("octave: go.m", ("/usr/bin/octave-cli", "--no-history", "--eval", "go('/input', '/output')"), [b"octave\n"]),
        (
            "octave: go.m, matlab: /opt/matlab/bin/matlab",
            ("/opt/matlab/bin/matlab", "-nodisplay", "-batch", "go('/input', '/output')"),
            [],
        ),
    ],
)
def test_function_may_stand_in_the_programs_place(
    rules: str, argv: tuple[str, ...], asked: list[bytes], toys: Toys
) -> None:
    challenge, entry = toys.challenge(Kind.PYTHON, "program: entry.py", f"program: entry.py, {rules}")
    (entry / "entry.py").rename(entry / "go.m")
    _, hypervisor, layers = toys.evaluated(challenge, entry)
    assert (hypervisor.sandboxes[1].commands[0].argv, layers.asked) == (argv, asked)


def test_layer_of_the_organisers_lies_below_the_entrys_own(toys: Toys) -> None:
    challenge, entry = toys.challenge(Kind.PYTHON)
    layer = challenge.folder / "matlab.squashfs"
    layer.touch()
    with (challenge.folder / "challenge.yaml").open("a") as keys:
        keys.write("\nlayers: [matlab.squashfs]\n")
    evaluation, hypervisor, _ = toys.evaluated(load_challenge(str(challenge.folder)), entry)
    for machine in hypervisor.machines:
        assert machine.layers == [Path("/layers/wheels.squashfs"), layer]
    ran_on = evaluation.machine
    assert ran_on is not None and ran_on.layers == ("wheels.squashfs", "matlab.squashfs"), "a receipt states them"
    layer.unlink()
    with pytest.raises(ChallengeError, match=r"matlab.squashfs: no such file"):
        load_challenge(str(challenge.folder))


def test_archive_decides_where_a_challenge_takes_images_and_answers(toys: Toys, tmp_path: Path) -> None:
    challenge, _ = toys.challenge(Kind.ANSWERS)
    image = docker_save(tmp_path / "image.tar", [layer(("run", b""))])
    both = replace(challenge, kinds=(Kind.IMAGE, Kind.ANSWERS))
    assert [kind_of(archive, both) for archive in (image, zipped(tmp_path / "a.zip", {"t01.txt": "N"}))] == [
        *both.kinds
    ]


def test_container_is_started_as_it_says(toys: Toys) -> None:
    challenge, _ = toys.challenge(Kind.IMAGE)
    archive = challenge.folder / "sample_entry.tar"
    archive.write_bytes(b"x")
    evaluation, hypervisor, layers = toys.evaluated(challenge, archive)
    assert (evaluation.verdict, layers.asked) == (Verdict.OK, ["answer"])
    (first,) = hypervisor.sandboxes[1].commands
    expected = (("/run", "answer"), {"A": "b"}, "/app", User(uid=7, gid=8))
    assert (first.argv, first.env, first.cwd, first.user) == expected
    assert hypervisor.machines[1].container


def test_missing_answer_ends_the_quiz_and_only_counts_in_the_exam(toys: Toys) -> None:
    challenge, entry = toys.challenge(Kind.PYTHON)
    labels = {record: label for record, label in truth(challenge).items() if record != "t03"}
    evaluation, _, _ = toys.evaluated(challenge, entry, answering(**labels))
    assert evaluation.stages[2].message == "6 records, 5 answered; 1 BAD_ANSWER"
    assert evaluation.score is not None and evaluation.score.values["missing"] == 1
    del labels["v02"]
    evaluation, _, _ = toys.evaluated(challenge, entry, answering(**labels))
    assert evaluation.verdict is Verdict.BAD_ANSWER
    assert "record v02: the program ended well but left no v02.txt in /output" in evaluation.stages[1].message


@pytest.mark.parametrize(("verdict", "ends"), [(Verdict.INSTRUCTION_LIMIT, True), (Verdict.RUNTIME_ERROR, False)])
def test_set_over_its_limit_ends_the_exam_and_a_crash_keeps_answers(toys: Toys, verdict: Verdict, ends: bool) -> None:
    challenge, entry = toys.challenge(Kind.PYTHON)

    def script(command: Command, limits: Limits) -> Run:
        run = answering(**dict(list(truth(challenge).items())[:7]))(command, limits)
        exam = limits.instructions == 6 * challenge.limits["exam"].instructions
        return replace(run, verdict=verdict, detail="it ended") if exam and command.gather else run

    evaluation, _, _ = toys.evaluated(challenge, entry, script)
    exam = evaluation.stages[2]
    assert exam.verdict is (verdict if ends else Verdict.OK)
    assert "6 records, 3 answered" in exam.message
    assert (evaluation.score is None) is ends


def test_uploaded_answers_run_nothing(toys: Toys, tmp_path: Path) -> None:
    challenge, _ = toys.challenge(Kind.ANSWERS)
    files = {f"some/folder/{record}.txt": label for record, label in truth(challenge).items()}
    archive = zipped(tmp_path / "answers.zip", {**files, "some/readme.md": "x"})
    evaluation, hypervisor, _ = toys.evaluated(challenge, archive)
    assert hypervisor.machines == []
    assert evaluation.stages[0].message == "no answers, and ignored: readme.md"
    assert "public score: accuracy 1.0000" in evaluation.stages[1].message
    assert evaluation.score is not None and evaluation.score.values["accuracy"] == 1.0


@pytest.mark.parametrize(
    ("keys", "file", "path"),
    [
        ({"files": ("{record}/label.txt",)}, "t01/label.txt", "label.txt"),
        ({"whole": True}, "results/a.txt", "a.txt"),
    ],
)
def test_one_folder_of_answers_counts_where_it_is_a_part_of_their_names(
    toys: Toys, tmp_path: Path, keys: dict[str, object], file: str, path: str
) -> None:
    challenge, _ = toys.challenge(Kind.ANSWERS)
    assert "t01" in challenge.exam.records
    archive = zipped(tmp_path / "answers.zip", {file: "N", f"__MACOSX/{file}": "1"})
    rules = replace(challenge.answers, **keys)  # type: ignore[arg-type]
    assert find_answers(inspect(archive, challenge), replace(challenge, answers=rules)) == ({file: path}, [])


def test_links_among_answers_are_followed_in_the_archive_or_named_with_their_target(toys: Toys, tmp_path: Path) -> None:
    challenge, _ = toys.challenge(Kind.ANSWERS)
    first, *others = truth(challenge)
    with tarfile.open(tmp_path / "answers.tar.gz", "w:gz") as bundle, tarfile.open(tmp_path / "lost.tar", "w") as lost:

        def link(tar: tarfile.TarFile, name: str, kind: bytes, target: str) -> None:
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, target
            tar.addfile(info)

        info = tarfile.TarInfo(f"best/{first}.txt")
        info.size = 1
        bundle.addfile(info, io.BytesIO(b"N"))
        for i, record in enumerate(others):
            kind, target = (tarfile.LNKTYPE, f"best/{first}.txt") if i % 2 else (tarfile.SYMTYPE, f"{first}.txt")
            link(bundle, f"best/{record}.txt", kind, target)
        link(bundle, f"{first}.txt", tarfile.SYMTYPE, f"best/{first}.txt")
        link(lost, f"{first}.txt", tarfile.SYMTYPE, "elsewhere/a.txt")
    evaluation, _, _ = toys.evaluated(challenge, tmp_path / "answers.tar.gz")
    assert evaluation.verdict is Verdict.OK
    assert all(outcome.answer for stage in evaluation.stages for outcome in stage.records)
    with pytest.raises(EntryError, match=f"^'{first}.txt' is a link to 'elsewhere/a.txt', which is no file of"):
        find_answers(inspect(tmp_path / "lost.tar", challenge), challenge)


def test_answer_over_its_limit_is_the_entrys_own_fault(toys: Toys, tmp_path: Path) -> None:
    challenge, _ = toys.challenge(Kind.ANSWERS)
    record = challenge.exam.records[0]
    long = {f"{record}.txt": bytes(challenge.limits["exam"].answer_bytes + 1)}
    files = {f"{record}.txt": label for record, label in truth(challenge).items()}
    evaluation, _, _ = toys.evaluated(challenge, zipped(tmp_path / "answers.zip", {**files, **long}))
    assert (evaluation.stages[-1].stage, evaluation.verdict) == (Stage.EXAM, Verdict.INVALID_ENTRY)
    assert evaluation.stages[-1].message == f"{record}.txt is larger than 1 MiB"


def test_prepared_entry_is_read_back_by_another_process(toys: Toys) -> None:
    challenge, entry = toys.with_builds()
    job, _, _ = toys.job(challenge, entry, building(challenge))
    assert prep(job).result.verdict is Verdict.OK
    prepared = load_prepared(job.folder)
    assert (prepared.kind, prepared.folder, prepared.program.user) == (Kind.PYTHON, job.folder, User(uid=7, gid=8))
    assert prepared.container and [layer.name for layer in prepared.layers] == ["image.squashfs"]


@pytest.mark.parametrize(
    "between", [b"\n ", b"\n\t ", b"\n\xef\xbb\xbf", b"\n\xa0", b"\r", b"\x0b", b"\x0c", b"\x1c", b"\x1e", b"\r\n\x1f"]
)
def test_no_comment_that_wfdb_reads_is_left_in_a_header(between: bytes, tmp_path: Path) -> None:
    header = b"r 1 200 10\nr.dat 16 200 16 0 0 0 0 I" + between + b"# Dx: AF\n"
    (tmp_path / "r.hea").write_bytes(header)
    assert wfdb.rdheader(str(tmp_path / "r")).comments == ["Dx: AF"]
    (tmp_path / "r.hea").write_bytes(without_comments(header))
    assert wfdb.rdheader(str(tmp_path / "r")).comments == []


def test_comments_of_segments_are_left_out_like_those_of_the_record(tmp_path: Path) -> None:
    for name in ("r.hea", "r_1.hea", "r_2.HEA"):
        (tmp_path / name).write_bytes(b"r 1 200 10\r\n# Dx: AF\r\n#x\n")
    inputs = ("{record}.hea", "{record}_*")
    records = RecordSet(folder=tmp_path, records=("r",), inputs=inputs, references=None, strip_comments=True)
    files = input_files(records, "r")
    assert set(files.values()) == {b"r 1 200 10\r\n"} and len(files) == 3
