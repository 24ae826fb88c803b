"""grand-challenge: files in ``/input``, answers from ``/output``, and refusals in the platform's words."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evaluate.config.challenge.contract import Sockets, read_sockets
from evaluate.config.challenge.types import Challenge, Isolation, Mode, RecordSet
from evaluate.core.errors import ChallengeError
from evaluate.core.model import Limits, Program, Run, Stage, User
from evaluate.protocol.guest import INVOKE
from evaluate.receipts.statement import contract_stated
from evaluate.sandbox.base import Command
from evaluate.stages.contracts import contract_of, grand_challenge
from evaluate.untrusted.answers_disk import read_json_values
from tests.support.fake_sandbox import FakeHypervisor, crashing, ended_well
from tests.support.oci_images import docker_save, layer
from tests.support.scorers import written
from tests.support.scripted import Layers, evaluated
from tests.unit.stages.contracts import test_table

SOCKETS: dict[str, list[dict[str, Any]]] = {
    "inputs": [
        {"slug": "ct", "relative_path": "images/ct", "super_kind": "Image", "kind": "MHA", "pk": 7},
        {"slug": "age", "relative_path": "age.json", "is_json_kind": True, "is_image_kind": False},
        {"slug": "notes", "relative_path": "notes.txt", "super_kind": "File"},
    ],
    "outputs": [
        {"slug": "found", "relative_path": "found.json", "super_kind": "Value"},
        {"slug": "mask", "relative_path": "images/mask", "super_kind": "Image"},
        {"slug": "log", "relative_path": "log.txt", "super_kind": "File"},
    ],
}
FILES = {
    "sockets.json": json.dumps(SOCKETS),
    **{
        f"data/{record}/{name}": text
        for record in ("r1", "r2")
        for name, text in {"images/ct/ct.mha": f"picture of {record}", "age.json": "41", "notes.txt": ""}.items()
    },
}
RULES = {"contract": "grand-challenge", "sockets": "sockets.json", "kind": "image", "files": FILES}


def usable(folder: Path, **changes: Any) -> Challenge:
    return test_table.usable(folder, **{**RULES, **changes})


def sockets_of(folder: Path, **changes: Any) -> Sockets:
    return read_sockets(written(folder, {"sockets.json": json.dumps({**SOCKETS, **changes})}) / "sockets.json")


@pytest.fixture
def sockets(tmp_path: Path) -> Sockets:
    return sockets_of(tmp_path)


@pytest.mark.parametrize("said", [{"kind": "DICOM Image Set"}, {"is_dicom_image_kind": True}])
def test_socket_of_dicom_gets_a_folder_of_files(said: dict[str, Any], tmp_path: Path) -> None:
    socket = {"slug": "ct", "relative_path": "images/ct", "super_kind": "Image", **said}
    sockets = sockets_of(tmp_path, inputs=[socket, SOCKETS["inputs"][1]])
    assert sockets.keys["inputs"] == ["{record}/images/ct/*", "{record}/age.json"]
    written(tmp_path / "r1", {"images/ct/2.dcm": "2", "images/ct/1.dcm": "1", "age.json": "41"})
    records = RecordSet(folder=tmp_path, records=("r1",), inputs=tuple(sockets.keys["inputs"]), references=None)
    found = grand_challenge.inputs(sockets, records, ["r1"])
    assert list(found) == ["inputs.json", "images/ct/1.dcm", "images/ct/2.dcm", "age.json"]
    ct, age = json.loads(found["inputs.json"])
    assert ct["socket"]["is_dicom_image_kind"] and not ct["socket"]["is_panimg_kind"] and ct["image"]["name"] == "1.dcm"
    assert age["value"] == 41
    with pytest.raises(ChallengeError, match="r2: socket ct: expected DICOM files, found 0"):
        grand_challenge.inputs(sockets, replace(records, records=("r2",)), ["r2"])
    with pytest.raises(ChallengeError, match="expected a folder of its own for DICOM files"):
        sockets_of(tmp_path, inputs=[{**socket, "relative_path": ""}])


def test_sockets_stand_for_inputs_and_answers(tmp_path: Path) -> None:
    challenge = usable(tmp_path)
    assert list(challenge.exam.files("r1")) == ["r1/images/ct/ct.mha", "r1/age.json", "r1/notes.txt"]
    assert challenge.answers.names("r1") == ("r1/found.json",)
    assert challenge.run.mode is Mode.RECORD
    digest = hashlib.sha256((tmp_path / "sockets.json").read_bytes()).hexdigest()
    assert challenge.platform is not None
    stated = contract_stated(challenge, challenge.platform)
    assert stated == {"name": "grand-challenge", "version": "rse-grand-challenge@4e38c78b", "sockets": digest}
    assert contract_of(challenge).beside[:2] == ("{record}/images/mask/mask.mha", "{record}/images/mask/mask.tif")


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"sockets": None}, "key 'sockets' is missing"),
        ({"contract": None}, "sockets: needs a contract that has sockets"),
        ({"run": {"mode": "set"}}, "run.mode: expected record"),
        ({"sockets": "others.json"}, "others.json: expected JSON"),
    ],
)
def test_rules_that_cannot_be_are_named(changes: dict[str, Any], problem: str, tmp_path: Path) -> None:
    _, problems = test_table.loaded(tmp_path, **{**RULES, **changes})
    assert any(problem in one for one in problems), problems


@pytest.mark.parametrize(
    ("outputs", "problem"),
    [
        (None, "no list outputs"),
        ([], "outputs: expected a socket, found none"),
        ([{"relative_path": "a"}], "expected sockets with a slug"),
        ([{"slug": "../a", "super_kind": "Value", "relative_path": "a"}], "expected sockets with a slug"),
        ([{"slug": "a", "super_kind": "Value", "relative_path": "../a"}], "relative_path: leads out"),
        ([{"slug": "a", "super_kind": "Value", "relative_path": "/a"}], "relative_path: leads out"),
        ([{"slug": "a", "super_kind": "Value", "relative_path": ""}], "expected the path of a file, found ''"),
        ([{"slug": "a", "super_kind": "Value", "relative_path": "inputs.json"}], "found 'inputs.json'"),
        ([{"slug": "a", "relative_path": "a"}], "super_kind: expected one of Image, File, Value"),
        ([SOCKETS["outputs"][0]] * 2, "two sockets have the same slug"),
    ],
)
def test_sockets_that_are_none_are_named(outputs: Any, problem: str, tmp_path: Path) -> None:
    with pytest.raises(ChallengeError) as found:
        sockets_of(tmp_path, outputs=outputs)
    assert problem in str(found.value)


def test_inputs_are_listed_by_both_names_of_a_socket(sockets: Sockets, tmp_path: Path) -> None:
    laid = grand_challenge.inputs(sockets, usable(tmp_path).exam, ("r1",))
    assert set(laid) == {"inputs.json", "images/ct/ct.mha", "age.json", "notes.txt"}
    ct, age, notes = json.loads(laid["inputs.json"])
    for one in (ct, age, notes):
        assert set(one) == {"pk", "socket", "interface", "value", "file", "image"}
        assert one["socket"] == one["interface"]
    full = {"title", "description", "slug", "kind", "pk", "default_value", "super_kind", "relative_path"}
    assert set(ct["socket"]) >= full | {"overlay_segments", "look_up_table", "is_image_kind", "is_json_kind"}
    assert (ct["socket"]["pk"], ct["socket"]["is_image_kind"], ct["image"]["name"]) == (7, True, "ct.mha")
    assert (age["value"], age["file"], age["image"], age["socket"]["super_kind"]) == (41, None, None, "Value")
    assert (notes["file"], notes["value"]) == ("notes.txt", None)


def test_image_in_the_input_itself_keeps_its_suffix(tmp_path: Path) -> None:
    (tmp_path / "r1.TIFF").write_text("picture")
    sockets = sockets_of(tmp_path, inputs=[{"slug": "slide", "relative_path": "", "super_kind": "image"}])
    records = RecordSet(folder=tmp_path, records=("r1",), inputs=("{record}.TIFF",), references=None)
    assert set(grand_challenge.inputs(sockets, records, ("r1",))) == {"inputs.json", "slide.tiff"}
    with pytest.raises(ChallengeError, match="1 sockets and 2 input files"):
        grand_challenge.inputs(sockets, replace(records, inputs=("{record}.a",) * 2), ("r1",))


def left(folder: Path, **files: str) -> Path:
    """Files that a start leaves; those of ``-`` are missing."""
    files = {"found.json": '{"a": 1}', "images/mask/x.mha": "mask", "log.txt": "", **files}
    (folder / "images/mask").mkdir(parents=True)
    return written(folder, {name: text for name, text in files.items() if text != "-"})


def test_outputs_get_the_names_of_answers(sockets: Sockets, tmp_path: Path) -> None:
    gathered = left(tmp_path / "left", **{"other.txt": "more", "found.json": "[NaN, Infinity, -1e999, 1.50]"})
    assert grand_challenge.taken(sockets, gathered, "site/r1", tmp_path / "answer") == ""
    found = {
        str(path.relative_to(tmp_path / "answer")): path.read_text() for path in (tmp_path / "answer").rglob("*.*")
    }
    assert found == {
        "site/r1/found.json": "[null, null, null, 1.5]",
        "site/r1/images/mask/mask.mha": "mask",
        "site/r1/log.txt": "",
    }


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({"found.json": "-"}, "Output file 'found.json' was not produced"),
        ({"found.json": "{'a': 1}"}, "The output file 'found.json' is not valid json"),
        ({"found.json": "[" * 100_000}, "The output file 'found.json' is not valid json"),
        ({"log.txt": "-"}, "Output file 'log.txt' was not produced"),
        ({"images/mask/x.mha": "-"}, "Output directory 'images/mask' is empty"),
        ({"images/mask/y.tif": "two"}, "Only 1 image should be produced in 'images/mask', we found 2"),
        ({"images/mask/y.txt": "two"}, "Too many files in 'images/mask': expected one .mha, .tif, .tiff, found x.mha"),
        ({"images/mask/x.mha": "-", "images/mask/y.png": "one"}, "Too many files in 'images/mask'"),
    ],
)
def test_outputs_are_refused_in_the_words_of_the_platform(
    files: dict[str, str], problem: str, sockets: Sockets, tmp_path: Path
) -> None:
    gathered = left(tmp_path / "left", **files)
    assert grand_challenge.taken(sockets, gathered, "r1", tmp_path / "answer").startswith(problem)


def test_json_that_is_portable_is_left_as_it_is(tmp_path: Path) -> None:
    texts = {b'{"a": 1.50,\n"b": []}': "", b"NaN": "null", b"\xff": None, b"": None, b"1" * 5000: None}
    for n, text in enumerate(texts):
        (tmp_path / str(n)).write_bytes(text)
    assert read_json_values(tuple(tmp_path / str(n) for n in range(len(texts)))) == list(texts.values())


@pytest.mark.parametrize(
    ("label", "serves"),
    [("invoke", True), (' "INVOKE" ', True), ("'invoke'", True), ("exec", False), ("", False), ("invoked", False)],
)
def test_label_says_how_an_image_is_called(label: str, serves: bool) -> None:
    labels = {grand_challenge.API_METHOD: label} if label else {}
    program = Program(argv=("/run",), env={}, cwd="/", user=User(uid=0, gid=0), labels=labels)
    assert grand_challenge.serves(program) is serves


def run_image(challenge: Challenge, method: str, tmp_path: Path, script: Any) -> tuple[Any, FakeHypervisor]:
    layers = Layers()
    layers.labels = {grand_challenge.API_METHOD: method}
    entry = docker_save(tmp_path / "entry.tar", [layer(("run", b""))])
    return evaluated(challenge, entry, tmp_path, script, layers=layers)


def answering(command: Command, limits: Limits) -> Run:
    if command.gather is not None:
        left(command.gather)
    return ended_well(command, limits)


@pytest.mark.parametrize("isolation", Isolation)
def test_image_is_started_for_each_record(isolation: Isolation, tmp_path: Path) -> None:
    challenge = usable(tmp_path / "challenge", isolation=isolation.value)
    evaluation, hypervisor = run_image(challenge, "exec", tmp_path, answering)
    assert evaluation.stages[0].message == f"model.tar.gz, sha256:{'ab' * 32}, is in /opt/ml/model"
    exam = evaluation.stages[-1]
    assert [outcome.answer for outcome in exam.records] == ["r1/found.json", "r2/found.json"], exam.message
    command = hypervisor.sandboxes[-1].commands[-1]
    assert command.argv == ("/run",) and command.inbox == ""
    assert command.env["LOG_LEVEL"] == "INFO"


def test_server_is_loaded_by_the_limits_of_setup_and_gets_records_as_rooms(tmp_path: Path) -> None:
    challenge = usable(tmp_path / "challenge", isolation="snapshot")
    evaluation, hypervisor = run_image(challenge, "invoke", tmp_path, answering)
    assert len(evaluation.stages[-1].records) == 2, evaluation.stages[-1].message
    quiz = hypervisor.sandboxes[0]
    (load, record), (loading, limits) = quiz.commands[:2], quiz.limits[:2]
    assert load.argv == record.argv == (INVOKE, "hold", str(int(challenge.limits["setup"].wall_seconds)), "/run")
    assert (load.inbox, record.inbox, record.output, dict(record.mounts)) == ("/input", "/input", "/output", {})
    assert loading.instructions == challenge.limits["setup"].instructions
    assert limits == challenge.limits["quiz"] and loading.memory_bytes == limits.memory_bytes


def test_last_line_of_a_public_record_is_the_reason(tmp_path: Path) -> None:
    challenge = usable(tmp_path / "challenge")

    script = crashing(printed=b"Traceback\nno such case\n\n")
    evaluation, hypervisor = run_image(challenge, "invoke", tmp_path, script)
    assert hypervisor.sandboxes[0].commands[0].argv[:3] == (INVOKE, "once", "60")
    assert evaluation.stages[-1].stage is Stage.QUIZ
    assert evaluation.stages[-1].message.endswith("ended with exit code 1: no such case")
