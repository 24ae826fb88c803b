"""Kinds of entry on a scripted sandbox: their commands, the fate of their answers, pins and hints for teams."""

import tarfile
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest
import wfdb

from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.types import Kind, RecordSet
from evaluate.core.errors import ChallengeError, EntryError
from evaluate.core.model import Limits, Run, Stage, Verdict
from evaluate.sandbox.base import Command
from evaluate.stages.contracts.contract import input_files, without_comments
from evaluate.stages.kinds.answers import find_answers
from evaluate.stages.kinds.detection import kind_of
from evaluate.stages.missing_dependencies import hint, lacks
from evaluate.stages.pins import install
from evaluate.untrusted.archives import inspect
from evaluate.untrusted.requirements import NotInstallable, loosened
from tests.support.fake_sandbox import crashing, ended_well
from tests.support.oci_images import docker_save, layer, special
from tests.support.packing import zipped
from tests.support.toys import USAGE, Toys, answering, truth


def test_python_program_gets_the_set_at_once_and_average_limits(toys: Toys) -> None:
    challenge, entry = toys.challenge(Kind.PYTHON)
    evaluation, hypervisor, layers = toys.evaluated(challenge, entry)
    assert evaluation.score is not None and evaluation.score.values["accuracy"] == 1.0
    (command,) = hypervisor.sandboxes[2].commands
    assert command.argv == ("/usr/bin/python3", "entry.py", "/input", "/output")
    assert (command.mounts, command.output, command.user) == ({"/input": "0"}, "/output", None)
    assert hypervisor.sandboxes[2].limits[0].instructions == 6 * challenge.limits["exam"].instructions
    assert layers.asked == [(entry / "requirements.txt").read_bytes()]
    assert hypervisor.machines[2].layers == [Path("/layers/wheels.squashfs")]


def test_python_program_is_started_for_each_record_where_the_rules_say_so(toys: Toys) -> None:
    evaluation, hypervisor, _ = toys.evaluated(*toys.challenge(Kind.PYTHON, "mode: set", "mode: record"))
    assert [command.mounts for command in hypervisor.sandboxes[2].commands] == [{"/input": str(i)} for i in range(6)]
    assert [outcome.usage for outcome in evaluation.stages[2].records] == [USAGE] * 6


def test_failure_names_the_start_and_answers_in_another_folder(toys: Toys) -> None:
    challenge, entry = toys.challenge(Kind.PYTHON)
    (name, *_) = challenge.answers.names(challenge.quiz.records[0])

    def leaves_elsewhere(command: Command, limits: Limits) -> Run:
        return replace(ended_well(command, limits), files=dict.fromkeys(command.collect, b"N"))

    evaluation, _, _ = toys.evaluated(challenge, entry, crashing("entry.py"))
    n = len(challenge.quiz.records)
    assert evaluation.stages[-1].message.startswith(f"the start for {n} records: ended with exit code 1")
    evaluation, _, _ = toys.evaluated(challenge, entry, leaves_elsewhere)
    text = f"it left /home/challenge/{name}: expected the answers in its last argument, /output"
    assert text in evaluation.stages[-1].message


@pytest.mark.parametrize("newer", [True, False])
def test_pins_that_are_too_old_are_replaced_with_a_note_where_the_rules_say_so(toys: Toys, newer: bool) -> None:
    challenge, entry = toys.challenge(Kind.PYTHON)
    challenge = replace(challenge, run=replace(challenge.run, newer_pins=newer))
    (entry / "requirements.txt").write_text("old==1\n")
    evaluation, hypervisor, layers = toys.evaluated(challenge, entry, instead=b"old==2")
    assert evaluation.verdict is (Verdict.OK if newer else Verdict.INVALID_ENTRY)
    assert bool(hypervisor.machines) is newer
    assert layers.asked == [b"old==1\n", b"old==2"][: 1 + newer]
    message = evaluation.stages[0].message
    assert ("old==2 in the place of old==1" in message) is newer
    assert "line 1: old==1: no wheel" in message, "the pin and the reason"


@pytest.mark.parametrize(
    ("rules", "argv", "asked"),
    [
        ("", ("/usr/bin/octave-cli", "--no-history", "--eval"), [b"octave\n"]),
        (", matlab: /opt/matlab/bin/matlab", ("/opt/matlab/bin/matlab", "-nodisplay", "-batch"), []),
    ],
)
def test_function_may_stand_in_the_programs_place(
    rules: str, argv: tuple[str, ...], asked: list[bytes], toys: Toys
) -> None:
    challenge, entry = toys.challenge(Kind.PYTHON, "program: entry.py", f"program: entry.py, octave: go.m{rules}")
    (entry / "entry.py").rename(entry / "go.m")
    _, hypervisor, layers = toys.evaluated(challenge, entry)
    called = (*argv, "go('/input', '/output')")
    assert (hypervisor.sandboxes[1].commands[0].argv, layers.asked) == (called, asked)


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


def test_container_is_started_with_its_argument(toys: Toys) -> None:
    challenge, _ = toys.challenge(Kind.IMAGE)
    archive = challenge.folder / "sample_entry.tar"
    archive.write_bytes(b"x")
    evaluation, hypervisor, layers = toys.evaluated(challenge, archive)
    assert (evaluation.verdict, layers.asked) == (Verdict.OK, ["answer"])
    assert hypervisor.sandboxes[1].commands[0].argv == ("/run", "answer") and hypervisor.machines[1].container


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
    kinds = [
        (tarfile.LNKTYPE, f"my/best/{first}.txt"),
        (tarfile.SYMTYPE, f"{first}.txt"),
        (tarfile.SYMTYPE, f"../to/../{first}.txt"),
    ]
    links = [special(f"my/best/{record}.txt", *kinds[i % 3]) for i, record in enumerate(others)]
    links.append(special(f"my/{first}.txt", tarfile.SYMTYPE, f"best/{first}.txt"))
    links.append(special("my/to", tarfile.SYMTYPE, "best"))
    (tmp_path / "answers.tar").write_bytes(layer((f"my/best/{first}.txt", b"N"), extra=links))
    (tmp_path / "lost.tar").write_bytes(layer((f"{first}.txt", "elsewhere/a.txt")))
    evaluation, _, _ = toys.evaluated(challenge, tmp_path / "answers.tar")
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


ASKED = b"numpy==1.19.4\njoblib==0.17.0\nwfdb>=4\n"
NEAREST = b"numpy>=1.23.2,<1.26\njoblib==0.17.0\nwfdb>=4"


LACKING = EntryError("requirements.txt cannot be fulfilled: wfdb")


def index(*replies: object, instead: bytes = NEAREST) -> Mock:
    """Has no numpy 1.19.4, and replies so to all that is asked after it."""
    refused = NotInstallable([], {"numpy==1.19.4": "numpy>=1.23.2,<1.26"}, instead)
    return Mock(**{"wheels.side_effect": [refused, *replies]})


def test_pins_that_do_not_go_with_it_are_loosened_too() -> None:
    layers = index(LACKING, Path("/layers/wheels.squashfs"))
    _, notes = install(layers, ASKED, newer=True)
    assert "joblib>=0.17.0 in the place of joblib==0.17.0" in notes[0] and "numpy==1.19.4" in notes[0]
    asked = [call.args[0] for call in layers.wheels.call_args_list]
    assert asked == [ASKED, NEAREST, b"numpy<1.26,>=1.23.2\njoblib>=0.17.0\nwfdb>=4"]


@pytest.mark.parametrize("instead", [NEAREST, b"wfdb>=4"])
def test_tried_versions_are_named_where_they_do_not_suffice(instead: bytes) -> None:
    with pytest.raises(EntryError, match=r"cannot be fulfilled: wfdb\n.*tried: numpy>=1.23.2,<1.26 in the place of"):
        install(index(LACKING, LACKING, instead=instead), ASKED, newer=True)


def test_pins_become_lower_bounds_and_nothing_else_changes() -> None:
    found = loosened(b"a==1.*\nb[x]==2,!=3\nc>=1\nd\n")
    assert found == (b"a==1.*\nb[x]!=3,>=2\nc>=1\nd", {"b[x]!=3,==2": "b[x]!=3,>=2"})


@pytest.mark.parametrize(
    ("printed", "file", "package"),
    [
        ("ModuleNotFoundError: No module named 'numpy'", "dependencies.txt", "python3-numpy"),
        ("ModuleNotFoundError: No module named 'sklearn.svm'", "dependencies.txt", "python3-sklearn"),
        ("ModuleNotFoundError: No module named 'cv2'", "requirements.txt", "opencv-python-headless"),
        ("./run: error while loading shared libraries: libgomp.so.1: cannot open", "dependencies.txt", "libgomp1"),
        ("./x: error while loading shared libraries: libfftw3.so.3: cannot open", "dependencies.txt", "libfftw3-3"),
        ("there is no package called ‘Rcpp’", "dependencies.txt", "r-cran-rcpp"),
        ("error: pkg load: package signal is not installed", "dependencies.txt", "octave-signal"),
    ],
)
def test_missing_thing_is_named_with_its_package_of_debian_or_the_index(printed: str, file: str, package: str) -> None:
    of_debian = file == "dependencies.txt"
    assert hint(printed, file, frozenset(), of_debian=of_debian).startswith(f"{file} lists no {package}, ")
    assert hint(printed, file, frozenset([package]), of_debian=of_debian) == ""


@pytest.mark.parametrize(
    ("printed", "part"),
    [
        ("setup.sh: line 4: cmake: command not found", "the program cmake is neither part of the entry nor installed"),
        ("/usr/bin/env: ‘Rscript’: No such file or directory", "the program Rscript is neither"),
        ("curl: (6) Could not resolve host: example.org", "there is no network"),
        ("<urlopen error [Errno -3] Temporary failure in name resolution>", "there is no network"),
        ("Failed to establish a new connection: [Errno 101] Network is unreachable", "there is no network"),
        ("wget: unable to resolve host address 'example.org'", "there is no network"),
        ("setup.sh: line 30: python: command not found", "call python3"),
        ("/usr/bin/env: ‘python2.7’: No such file or directory", "call python3"),
        ("next.sh: line 2: /usr/bin/python: No such file or directory", "call python3"),
        ("/usr/bin/env: ‘python3\\r’: No such file or directory", "not there (python3); if the script"),
        ("/bin/sh: ./x: /usr/bin/python3^M: bad interpreter: No such file", "not there (/usr/bin/python3); if"),
        ("next.sh: line 3: ./x.py: cannot execute: required file not found", "not there (./x.py); if"),
        ("error: externally-managed-environment", "pip has no network here: list Debian's packages"),
        ("setup.sh: line 3: pip3: command not found", "pip has no network here"),
    ],
)
def test_usual_cause_is_named_with_advice_and_other_output_says_nothing(printed: str, part: str) -> None:
    other = "Segmentation fault\nValueError: record not found in list\nthe python: is pythonic\n"
    assert lacks(other) == () and hint(other, "dependencies.txt", frozenset(), of_debian=True) == ""
    assert part in hint(f"{other}{printed}\nafter\n", "dependencies.txt", frozenset(), of_debian=True)


def test_model_of_another_version_is_named_with_both_versions() -> None:
    printed = (
        "/usr/lib/python3/dist-packages/sklearn/base.py:348: InconsistentVersionWarning: Trying to unpickle estimator "
        "SimpleImputer from version 0.23.2 when using version 1.3.2. This might lead to breaking code\n"
        "ModuleNotFoundError: No module named 'numpy.none'\n"
    )
    assert hint(printed, "requirements.txt", frozenset(), of_debian=False) == (
        "the entry brings a model (SimpleImputer) that scikit-learn 0.23.2 made, and 1.3.2 is installed: train it "
        "again with 1.3.2, or pin scikit-learn==0.23.2 in requirements.txt if it has wheels for this Python"
    )
    whole = f"{printed}{printed.replace('SimpleImputer', 'RandomForestClassifier')}"
    assert hint(whole, "dependencies.txt", frozenset(), of_debian=True) == (
        "the entry brings a model (RandomForestClassifier) that scikit-learn 0.23.2 made, and 1.3.2 is installed: "
        "train it again with 1.3.2"
    )
