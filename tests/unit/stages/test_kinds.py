"""Kinds of entry on a scripted sandbox: what is started with what, and what becomes of the answers."""

from __future__ import annotations

import io
import json
import os
import tarfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import wfdb

from evaluate.authoring.skeleton import write_skeleton
from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.contract import ContractName
from evaluate.config.challenge.types import BuildRules, Challenge, DockerfileRules, Kind, OfPlatform, RecordSet
from evaluate.core.codec import from_json, to_json
from evaluate.core.errors import ChallengeError, EntryError
from evaluate.core.model import (
    Evaluation,
    Limits,
    Program,
    Refusal,
    RefusalKind,
    Run,
    Stage,
    TrainedModel,
    Usage,
    User,
    Verdict,
)
from evaluate.images.container import BUILT as REUSED
from evaluate.images.container import ContainerLayer, built_layer
from evaluate.sandbox.base import HOME, Command
from evaluate.stages.contracts.contract import input_files, without_comments
from evaluate.stages.image_build import failing
from evaluate.stages.job import Job, NullMonitor, TrialRules
from evaluate.stages.kinds.answers import find_answers
from evaluate.stages.kinds.detection import handler
from evaluate.stages.pipeline import evaluate_entry
from evaluate.stages.prep import PREPARED, load_prepared, prep
from evaluate.untrusted.archives import inspect, open_entry
from evaluate.untrusted.dependencies import Dependency
from evaluate.untrusted.dockerfile import ImagePlan, LineRequest
from evaluate.untrusted.requirements import NotInstallable, Requirement
from tests.support.fake_sandbox import FakeHypervisor, ended_well
from tests.support.trained import with_training
from tests.unit.stages.test_stages import IMAGE

pytestmark = pytest.mark.slow

USAGE = Usage(instructions=5000, wall_seconds=1.0)


@pytest.fixture(autouse=True)
def digests_of_layers_are_their_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluate.stages.job.sha256_kept", lambda path: path.name)


OLD = Refusal(
    file="requirements.txt", line=1, kind=RefusalKind.PIN, found="old==1", expected="no wheel", way_out="old==2"
)


class Layers:
    """Remembers what was asked for."""

    def __init__(self) -> None:
        self.asked: list[bytes | str] = []
        self.instead = b""
        """What alone can be installed; empty: everything can."""
        self.state: Path | None = None
        """Where images that were built are remembered; None: nowhere."""

    def debian(self, dependencies: bytes | Sequence[Dependency]) -> Path | None:
        self.asked.append(dependencies if isinstance(dependencies, bytes) else str([one.name for one in dependencies]))
        return Path("/layers/debian.squashfs")

    def wheels(self, requirements: bytes | Sequence[Requirement]) -> Path | None:
        if not isinstance(requirements, bytes):
            requirements = "".join(f"{one.specification}\n" for one in requirements).encode()
        self.asked.append(requirements)
        if self.instead not in (b"", requirements):
            raise NotInstallable([OLD], {"old==1": "old==2"}, self.instead)
        return Path("/layers/wheels.squashfs")

    def lacking(self, requirements: Sequence[Requirement]) -> tuple[Refusal, ...]:
        self.asked.append(f"lacking {len(requirements)}")
        return (OLD,)

    def places(self, links: Mapping[str, str]) -> Path | None:
        self.asked.append(f"{dict(links)}")
        return Path("/layers/places.squashfs")

    def container(
        self, archive: Path, argument: str, limits: object, program: str = "", model: str = ""
    ) -> ContainerLayer:
        self.asked.append(argument)
        program = Program(argv=("/run", argument), env={"A": "b"}, cwd="/app", user=User(uid=7, gid=8))
        layer = Path("/layers/image.squashfs") if self.state is None else self.state / "layers" / "image.squashfs"
        if self.state is not None:
            layer.touch()
        return ContainerLayer(layer=layer, program=program, notes=("a note",))

    def built(self, asked: Any, make: Callable[[], ContainerLayer], *, again: bool) -> ContainerLayer:
        if self.state is None:
            return make()
        return built_layer(asked, make, self.state, print, again=again)


def answering(**labels: str) -> Callable[[Command, Limits], Run]:
    """A program that answers the records that are named."""

    def script(command: Command, limits: Limits) -> Run:
        if command.gather is not None:
            command.gather.mkdir()
            for record, label in labels.items():
                (command.gather / f"{record}.txt").write_text(label)
        return replace(ended_well(command, limits), usage=USAGE)

    return script


@pytest.fixture
def toy(tmp_path: Path) -> Callable[..., Challenge]:
    def make(kind: Kind, old: str = "", new: str = "") -> Challenge:
        write_skeleton(tmp_path / "toy", kind)
        path = tmp_path / "toy" / "challenge.yaml"
        assert old in path.read_text()
        path.write_text(path.read_text().replace(old, new))
        return load_challenge(str(tmp_path / "toy"))

    return make


def evaluated(
    challenge: Challenge,
    entry: Path,
    script: Callable[[Command, Limits], Run],
    tmp_path: Path,
    *,
    instead: bytes = b"",
) -> tuple[Evaluation, FakeHypervisor, Layers]:
    job, hypervisor, layers = job_of(challenge, entry, script, tmp_path)
    layers.instead = instead
    return evaluate_entry(job), hypervisor, layers


def job_of(
    challenge: Challenge, entry: Path, script: Callable[[Command, Limits], Run], tmp_path: Path
) -> tuple[Job, FakeHypervisor, Layers]:
    work = tmp_path / "work"
    work.mkdir()
    hypervisor, layers = FakeHypervisor(script), Layers()
    job = Job(
        entry=open_entry(entry, work),
        challenge=challenge,
        kind=challenge.kinds[0],
        quiz=challenge.quiz,
        exam=challenge.exam,
        image=IMAGE,
        hypervisor=hypervisor,
        layers=layers,
        monitor=NullMonitor(),
        folder=work,
    )
    return job, hypervisor, layers


def truth(challenge: Challenge) -> dict[str, str]:
    return dict(
        line.split(",")
        for part in ("validation", "test")
        for line in (challenge.folder / "sample_data" / part / "REFERENCE.csv").read_text().split()
    )


def test_python_program_gets_the_set_at_once_and_average_limits(toy: Callable[..., Challenge], tmp_path: Path) -> None:
    challenge = toy(Kind.PYTHON)
    entry = challenge.folder / "sample_entry"
    seen: list[Limits] = []

    def script(command: Command, limits: Limits) -> Run:
        seen.append(limits)
        return answering(**truth(challenge))(command, limits)

    evaluation, hypervisor, layers = evaluated(challenge, entry, script, tmp_path)
    assert evaluation.score is not None and evaluation.score.values["accuracy"] == 1.0
    (command,) = hypervisor.sandboxes[2].commands
    assert command.argv == ("/usr/bin/python3", "entry.py", "/input", "/output")
    assert (command.mounts, command.output, command.user) == ({"/input": "0"}, "/output", None)
    assert seen[-1].instructions == 6 * challenge.limits["exam"].instructions
    assert layers.asked == [(entry / "requirements.txt").read_bytes()]
    assert hypervisor.machines[2].layers == [Path("/layers/wheels.squashfs")]


def test_start_that_fails_before_its_first_answer_is_not_blamed_on_a_record(
    toy: Callable[..., Challenge], tmp_path: Path
) -> None:
    challenge = toy(Kind.PYTHON)

    def script(command: Command, limits: Limits) -> Run:
        run = ended_well(command, limits)
        return replace(run, verdict=Verdict.RUNTIME_ERROR, detail="exit code 1") if command.output else run

    evaluation, _, _ = evaluated(challenge, challenge.folder / "sample_entry", script, tmp_path)
    n = len(challenge.quiz.records)
    assert evaluation.stages[-1].message.startswith(f"the start for {n} records: exit code 1")


def test_answers_in_the_programs_own_folder_are_named(toy: Callable[..., Challenge], tmp_path: Path) -> None:
    challenge = toy(Kind.PYTHON)
    (name, *_) = challenge.answers.names(challenge.quiz.records[0])

    def script(command: Command, limits: Limits) -> Run:
        return replace(ended_well(command, limits), files=dict.fromkeys(command.collect, b"N"))

    evaluation, _, _ = evaluated(challenge, challenge.folder / "sample_entry", script, tmp_path)
    said = f"it left /home/challenge/{name}: expected the answers in its last argument, /output"
    assert said in evaluation.stages[-1].message


@pytest.mark.parametrize("newer", [True, False])
def test_pins_that_are_too_old_are_replaced_with_a_note_where_the_rules_say_so(
    toy: Callable[..., Challenge], tmp_path: Path, newer: bool
) -> None:
    challenge = toy(Kind.PYTHON)
    challenge = replace(challenge, run=replace(challenge.run, newer_pins=newer))
    entry = challenge.folder / "sample_entry"
    (entry / "requirements.txt").write_text("old==1\n")
    script = answering(**truth(challenge))
    evaluation, _, layers = evaluated(challenge, entry, script, tmp_path, instead=b"old==2")
    assert evaluation.verdict is (Verdict.OK if newer else Verdict.INVALID_ENTRY)
    assert layers.asked == [b"old==1\n", b"old==2"][: 1 + newer]
    message = evaluation.stages[0].message
    assert ("old==2 in the place of old==1" in message) is newer
    assert "line 1: old==1: no wheel" in message, "the pin and the reason"


DOCKERFILE = """FROM python:3.10
RUN apt-get update && apt-get install -y libgomp1
COPY . /challenge
WORKDIR /challenge
RUN pip install -r requirements.txt && mkdir cache
ENV A=b
USER 1000
CMD ["python", "own.py"]
"""


def with_dockerfile(toy: Callable[..., Challenge], text: str = DOCKERFILE) -> tuple[Challenge, Path]:
    challenge = replace(toy(Kind.PYTHON), dockerfile=DockerfileRules())
    entry = challenge.folder / "sample_entry"
    (entry / "Dockerfile").write_text(text)
    (entry / "requirements.txt").write_text("numpy==1.26\n")
    return challenge, entry


def test_dockerfile_becomes_layers_files_and_an_environment(toy: Callable[..., Challenge], tmp_path: Path) -> None:
    challenge, entry = with_dockerfile(toy)
    evaluation, hypervisor, layers = evaluated(challenge, entry, answering(**truth(challenge)), tmp_path)
    assert evaluation.verdict is Verdict.OK
    links = {"/usr/local/bin/python": "/usr/bin/python3", "/challenge": "/home/challenge"}
    assert layers.asked == [b"numpy==1.26\n", "['libgomp1']", f"{links}"]
    assert [layer.name for layer in hypervisor.machines[1].layers] == [
        "places.squashfs",
        "wheels.squashfs",
        "debian.squashfs",
    ]
    (command,) = hypervisor.sandboxes[2].commands
    program = ("/usr/bin/python3", "entry.py")
    assert (command.argv[:2], command.env, command.cwd) == (program, {"A": "b"}, "/home/challenge")
    assert "note: Dockerfile line 1: python:3.10 becomes Python 3.11" in evaluation.stages[0].message


def test_entry_without_the_program_is_built_where_the_challenge_has_builds(
    toy: Callable[..., Challenge], tmp_path: Path
) -> None:
    challenge, entry = with_builds(toy, DOCKERFILE.replace("3.10", "3.13"))
    (entry / "entry.py").rename(entry / "own.py")
    _, hypervisor, _ = evaluated(challenge, entry, building(challenge), tmp_path)
    assert hypervisor.sandboxes[2].commands[0].argv == ("/run", "")
    (without := tmp_path / "without").mkdir()
    rules = replace(challenge, dockerfile=DockerfileRules())
    evaluation, _, _ = evaluated(rules, entry, building(challenge), without)
    assert "entry.py" in evaluation.stages[0].message and evaluation.verdict is Verdict.INVALID_ENTRY


def test_all_problems_of_a_dockerfile_are_named_at_once(toy: Callable[..., Challenge], tmp_path: Path) -> None:
    challenge, entry = with_dockerfile(
        toy, "FROM python:3.13\nCOPY . /c\nWORKDIR /c\nRUN pip install -r requirements.txt\nRUN make\n"
    )
    (entry / "requirements.txt").write_text("numpy==1.26\n-e .\n")
    evaluation, _, layers = evaluated(challenge, entry, answering(**truth(challenge)), tmp_path)
    (prep,) = evaluation.stages
    assert prep.verdict is Verdict.INVALID_ENTRY
    assert [(one.file, one.line, one.kind.value) for one in prep.refusals] == [
        ("Dockerfile", 1, "python"),
        ("Dockerfile", 5, "command"),
        ("requirements.txt", 2, "requirement"),
        ("requirements.txt", 1, "pin"),
    ]
    assert layers.asked == ["lacking 0"]
    assert prep.message.splitlines() == [str(one) for one in prep.refusals]


def test_module_that_is_missing_is_asked_for_in_the_file_that_the_dockerfile_names(
    toy: Callable[..., Challenge], tmp_path: Path
) -> None:
    challenge, entry = with_dockerfile(toy)
    said = b"ModuleNotFoundError: No module named 'mne_connectivity'"

    def script(command: Command, limits: Limits) -> Run:
        run = ended_well(command, limits)
        failed = "entry.py" in command.argv
        return replace(run, verdict=Verdict.RUNTIME_ERROR, detail="exit code 1", stderr=said) if failed else run

    evaluation, _, _ = evaluated(challenge, entry, script, tmp_path)
    assert "requirements.txt lists no mne_connectivity" in evaluation.stages[-1].message


def test_model_of_a_scikit_learn_that_the_machine_has_not_is_named(
    toy: Callable[..., Challenge], tmp_path: Path
) -> None:
    challenge, entry = with_dockerfile(toy)
    (entry / "model").mkdir()
    (entry / "model" / "m.sav").write_bytes(b"\x80\x04}\x94\x8c\x10_sklearn_version\x94\x8c\x060.23.2\x94s.")
    evaluation, _, _ = evaluated(challenge, entry, answering(**truth(challenge)), tmp_path)
    found = evaluation.stages[0].refusals[0]
    assert (found.file, found.kind, found.found) == ("model/m.sav", RefusalKind.MODEL, "a model of scikit-learn 0.23.2")
    assert found.way_out == "train it again with scikit-learn==1.1.3 or newer"


BUILT = "FROM python:3.13\nRUN make\nCOPY entry.py requirements.txt /c/\nWORKDIR /c\n"


def with_builds(toy: Callable[..., Challenge], text: str = BUILT) -> tuple[Challenge, Path]:
    challenge, entry = with_dockerfile(toy, text)
    base = challenge.folder / "base.tar"
    base.write_bytes(b"an image")
    rules = DockerfileRules(build=BuildRules(images={"python:3.13": base}, disk_bytes=5 << 30))
    return replace(challenge, dockerfile=rules), entry


def building(
    challenge: Challenge, *, run: Run | None = None, at: bytes | None = None
) -> Callable[[Command, Limits], Run]:
    """A guest that builds an image, or ends so, and a program that answers."""
    answers = answering(**truth(challenge))

    def script(command: Command, limits: Limits) -> Run:
        if not command.builds:
            return answers(command, limits)
        assert command.gather is not None
        if at is not None:
            command.gather.mkdir()
            (command.gather / "at").write_bytes(at)
        if run is not None:
            return run
        command.gather.mkdir(exist_ok=True)
        (command.gather / "image.tar").write_bytes(b"an image")
        return ended_well(command, limits)

    return script


def test_dockerfile_that_cannot_be_translated_is_built_where_the_challenge_has_builds(
    toy: Callable[..., Challenge], tmp_path: Path
) -> None:
    challenge, entry = with_builds(toy)
    evaluation, hypervisor, layers = evaluated(challenge, entry, building(challenge), tmp_path)
    assert evaluation.verdict is Verdict.OK, evaluation.stages[0].message
    assert layers.asked == [b"buildah\n", ""]
    built, prepared, quiz, _ = hypervisor.machines
    assert (built.container, built.licence_server, built.sizes.tmp_bytes) == (True, None, 5 << 30)
    (command,) = hypervisor.sandboxes[0].commands
    assert (command.user, command.cwd) == (User(uid=0, gid=0), "/")
    plan = json.loads(command.argv[-2])
    assert plan["bases"] == {"docker.io/library/python:3.13": "/bases/0.tar"}
    assert plan["ignore"] == ""
    assert [machine.container for machine in (prepared, quiz)] == [True, True]
    assert [layer.name for layer in quiz.layers] == ["image.squashfs"]
    assert quiz.prepared is not None
    (command,) = hypervisor.sandboxes[2].commands
    assert (command.argv, command.env, command.cwd) == (
        ("python3", "entry.py", "/input", "/output"),
        {"A": "b"},
        "/app",
    )
    assert (command.user, command.builds) == (User(uid=7, gid=8), False)
    assert not list((tmp_path / "work").glob("b*"))


@pytest.mark.parametrize(
    ("run", "verdict", "message"),
    [
        (
            Run(
                verdict=Verdict.RUNTIME_ERROR,
                usage=USAGE,
                exit_code=1,
                stdout=b"STEP 2/4: RUN make",
                stderr=b"Error: no\n",
                detail="ended with exit code 1",
            ),
            Verdict.INVALID_ENTRY,
            "Dockerfile cannot be built: Error: no",
        ),
        (
            Run(verdict=Verdict.DISK_LIMIT, usage=USAGE, stderr=b"full\n", detail="filled up /tmp"),
            Verdict.DISK_LIMIT,
            "Dockerfile cannot be built: filled up /tmp",
        ),
    ],
)
def test_build_that_fails_is_the_entrys_verdict_with_what_was_printed(
    toy: Callable[..., Challenge], tmp_path: Path, run: Run, verdict: Verdict, message: str
) -> None:
    challenge, entry = with_builds(toy)
    evaluation, _, _ = evaluated(challenge, entry, building(challenge, run=run), tmp_path)
    (prep,) = evaluation.stages
    assert (prep.verdict, prep.message, prep.usage) == (verdict, message, USAGE)
    assert run.stderr.decode().strip() in prep.diagnostics


def failed(**changes: object) -> Run:
    printed = b"STEP 2/4: RUN make\nno rule\n"
    run = Run(verdict=Verdict.RUNTIME_ERROR, usage=USAGE, exit_code=2, stdout=printed, detail="ended with exit code 2")
    return replace(run, **changes)  # type: ignore[arg-type]


def test_line_of_a_build_that_fails_is_a_value(toy: Callable[..., Challenge], tmp_path: Path) -> None:
    text = "ARG A=1\nFROM python:3.13 AS a\nFROM python:3.13\n\nRUN --mount=x make \\\n all\n"
    challenge, entry = with_builds(toy, text)
    evaluation, _, _ = evaluated(challenge, entry, building(challenge, run=failed(), at=b"2 2 2\n"), tmp_path)
    (found,) = evaluation.stages[0].refusals
    assert (found.file, found.line, found.kind) == ("Dockerfile", 5, RefusalKind.BUILD)
    assert found.found == "RUN --mount=x make all"
    assert (found.exit_code, found.printed) == (2, ("STEP 2/4: RUN make", "no rule"))
    assert found.expected == "expected exit code 0, found 2"
    over = failed(verdict=Verdict.WALL_LIMIT, exit_code=None, detail="ran for more than 5 s")
    (again := tmp_path / "again").mkdir()
    evaluation, _, _ = evaluated(challenge, entry, building(challenge, run=over, at=b"1 1 1\n"), again)
    (found,) = evaluation.stages[0].refusals
    assert (found.line, found.exit_code, found.expected) == (2, None, "expected an end: ran for more than 5 s")


@pytest.mark.parametrize(
    ("note", "line"),
    [
        (b"1 1 2\n", 1),
        (b"1 2 2\n", 2),
        (b"1 2 4\n", 1),  # of the base image, ONBUILD
        (b"1 4 4\n", 2),
        (b"1 3 2\n", None),
        (b"0 1 2\n", None),
        (b"2 1 2\n", None),
        (b"1 0 2\n", 1),
        (b"1 2 2\n1 1 2\n", None),
        (b"-1 2 2\n", None),
        (b"9" * 100, None),
        (b"", None),
        (None, None),
    ],
)
def test_note_of_a_guest_names_an_instruction_or_none(tmp_path: Path, note: bytes | None, line: int | None) -> None:
    stages = (tuple(LineRequest(line=n, text="RUN") for n in (1, 2)),)
    if note is not None:
        (tmp_path / "at").write_bytes(note)
    found = failing(ImagePlan(stages=stages), tmp_path / "at")
    assert (found and found.line) == line


def test_build_that_leaves_no_image_is_the_entrys_own_fault(toy: Callable[..., Challenge], tmp_path: Path) -> None:
    challenge, entry = with_builds(toy)
    run = Run(verdict=Verdict.OK, usage=USAGE, exit_code=0)
    evaluation, _, _ = evaluated(challenge, entry, building(challenge, run=run), tmp_path)
    (prep,) = evaluation.stages
    assert (prep.verdict, prep.message) == (Verdict.INVALID_ENTRY, "the build of Dockerfile left no image")


def test_what_no_build_can_do_is_refused_at_once(toy: Callable[..., Challenge], tmp_path: Path) -> None:
    text = (
        "ARG OF=debian\nFROM $OF:12 AS a\nRUN make\nRUN git clone https://example.org/net.git\nFROM scratch\nFROM a\n"
    )
    challenge, entry = with_builds(toy, text)
    evaluation, hypervisor, _ = evaluated(challenge, entry, building(challenge), tmp_path)
    assert hypervisor.machines == []
    refusals = evaluation.stages[0].refusals
    assert [(one.line, one.kind.value) for one in refusals] == [(2, "base"), (4, "download")]
    assert refusals[0].way_out == "write: FROM python:3.13"
    with pytest.raises(EntryError):
        handler(Kind.PYTHON).check(open_entry(entry, tmp_path).archive, challenge)


def test_here_documents_are_refused_where_they_would_be_built(toy: Callable[..., Challenge], tmp_path: Path) -> None:
    challenge, entry = with_builds(toy, "FROM python:3.13\nRUN <<E\nmake\nE\nCOPY . /c\nWORKDIR /c\n")
    evaluation, hypervisor, _ = evaluated(challenge, entry, building(challenge), tmp_path)
    (found,) = evaluation.stages[0].refusals
    assert (found.line, found.kind, found.found, hypervisor.machines) == (2, RefusalKind.INSTRUCTION, "RUN <<E", [])


def test_builds_are_a_way_out_only_where_they_would_do(toy: Callable[..., Challenge], tmp_path: Path) -> None:
    challenge, entry = with_dockerfile(toy, "FROM python:3.10\nRUN make\nCOPY . /c\nWORKDIR /c\n")
    evaluation, _, _ = evaluated(challenge, entry, answering(), tmp_path)
    found = evaluation.stages[0].refusals[0]
    assert (found.line, found.kind) == (2, RefusalKind.COMMAND)
    assert found.way_out.endswith("or ask the organisers to allow builds (dockerfile.build)")


def test_pins_of_an_old_python_are_built_where_builds_reach_the_index(
    toy: Callable[..., Challenge], tmp_path: Path
) -> None:
    challenge, entry = with_builds(toy, DOCKERFILE)
    assert challenge.dockerfile is not None and challenge.dockerfile.build is not None
    rules = replace(challenge.dockerfile.build, images={"python:3.10": challenge.folder / "base.tar"}, indexes=True)
    challenge = replace(challenge, dockerfile=DockerfileRules(build=rules))
    evaluation, hypervisor, _ = evaluated(challenge, entry, building(challenge), tmp_path, instead=b"old==2\n")
    assert evaluation.verdict is Verdict.OK, evaluation.stages[0].message
    (command,) = hypervisor.sandboxes[0].commands
    plan = json.loads(command.argv[-2])
    assert (plan["proxy"], plan["index"][:7]) == ("http://127.0.0.1:3128", "http://")
    assert json.loads((tmp_path / "work" / "fetched.json").read_text()) == []


@pytest.mark.parametrize("indexes", [True, False])
def test_pins_of_an_old_python_are_refused_where_no_build_could_do_better(
    toy: Callable[..., Challenge], tmp_path: Path, *, indexes: bool
) -> None:
    challenge, entry = with_builds(toy, DOCKERFILE)
    assert challenge.dockerfile is not None and challenge.dockerfile.build is not None
    name = "python:3.9" if indexes else "python:3.10"
    rules = replace(challenge.dockerfile.build, images={name: challenge.folder / "base.tar"}, indexes=indexes)
    challenge = replace(challenge, dockerfile=DockerfileRules(build=rules))
    evaluation, hypervisor, _ = evaluated(challenge, entry, building(challenge), tmp_path, instead=b"old==2\n")
    assert evaluation.stages[0].refusals == (OLD,)
    assert hypervisor.machines == []


class Builds:
    """Prepares an entry again and again, with a state directory of its own."""

    def __init__(self, toy: Callable[..., Challenge], folder: Path) -> None:
        self.challenge, self.entry = with_builds(toy, "FROM python:3.13\nRUN make\nCOPY . /c\nWORKDIR /c\n")
        self.state, self._folder, self._n = folder / "state", folder, 0

    def built(self, **changes: Any) -> bool:
        """True if it was built this time."""
        self._n += 1
        folder = self._folder / str(self._n)
        folder.mkdir()
        challenge = changes.pop("challenge", self.challenge)
        job, hypervisor, layers = job_of(challenge, self.entry, building(challenge), folder)
        layers.state = self.state
        result = prep(replace(job, **changes)).result
        assert result.verdict is Verdict.OK, result.message
        found = any(command.builds for sandbox in hypervisor.sandboxes for command in sandbox.commands)
        assert (REUSED in result.message) is not found
        return found


@pytest.fixture
def builds(toy: Callable[..., Challenge], tmp_path: Path) -> Builds:
    return Builds(toy, tmp_path)


def test_what_was_packed_here_is_built_once_for_the_files_that_the_build_reads(builds: Builds) -> None:
    home: dict[str, Any] = {"trial": TrialRules(packed_here=True)}
    assert [builds.built(**home), builds.built(**home)] == [True, False]
    os.utime(builds.entry / "entry.py", (1, 1))
    assert not builds.built(**home)
    with (builds.entry / "entry.py").open("a") as file:
        file.write("# another\n")
    assert [builds.built(**home), builds.built(**home)] == [True, False]
    (builds.entry / "entry.py").chmod(0o755)
    assert builds.built(**home)
    (builds.entry / ".dockerignore").write_text("*.md\n")
    assert builds.built(**home)
    assert [builds.built(trial=TrialRules(packed_here=True, builds_again=True)), builds.built(**home)] == [True, False]
    builds.challenge.base_images["python:3.13"].write_bytes(b"another image")
    assert builds.built(**home)
    rules = builds.challenge.dockerfile
    assert rules is not None and rules.build is not None
    other = replace(builds.challenge, dockerfile=replace(rules, build=replace(rules.build, disk_bytes=6 << 30)))
    assert builds.built(challenge=other, **home)
    for path in (builds.state / "layers").glob("*.json"):
        path.write_text(path.read_text()[:-20])
    assert [builds.built(**home), builds.built(**home)] == [True, False]
    (builds.state / "layers" / "image.squashfs").unlink()
    assert builds.built(**home)


def test_no_team_gets_an_image_that_was_built_for_another(builds: Builds) -> None:
    assert [builds.built(team="red"), builds.built(team="red")] == [True, False]
    assert [builds.built(team="blue"), builds.built(team="red")] == [True, False]
    assert builds.built()  # of no team, as at home
    (builds.entry / "notes.md").write_text("another archive")
    assert builds.built(team="red")


def test_what_mirrors_gave_is_listed_for_a_build_that_is_used_again(builds: Builds, tmp_path: Path) -> None:
    rules = builds.challenge.dockerfile
    assert rules is not None and rules.build is not None
    build = replace(rules.build, indexes=True)
    challenge = replace(builds.challenge, dockerfile=replace(rules, build=build))
    assert [builds.built(challenge=challenge), builds.built(challenge=challenge)] == [True, False]
    assert [(tmp_path / n / "work" / "fetched.json").read_text() for n in ("1", "2")] == ["[]", "[]"]


def test_organisers_programs_replace_those_of_a_built_image(toy: Callable[..., Challenge], tmp_path: Path) -> None:
    challenge, entry = with_builds(toy)
    for name in ("team_code.py", "helper_code.py"):
        (entry / name).touch()
    challenge = replace(challenge, contract=OfPlatform(platform=ContractName("physionet-2025")))
    evaluation, hypervisor, _ = evaluated(challenge, entry, building(challenge), tmp_path)
    assert evaluation.stages[0].verdict is Verdict.OK, evaluation.stages[0].message
    (command,) = hypervisor.sandboxes[1].commands
    assert (command.argv, command.keep, command.user) == (("@probe", "1"), True, User(uid=0, gid=0))
    assert command.inputs["/app/run_model.py"] == "run_model.py"
    (command,) = hypervisor.sandboxes[2].commands[:1]
    assert command.argv[:2] == ("python3", "run_model.py")
    assert "/app/model" in command.argv


def test_built_image_is_trained_in_by_its_own_python_and_described_from_beside_it(
    toy: Callable[..., Challenge], tmp_path: Path
) -> None:
    challenge, entry = with_builds(toy)
    training = with_training(tmp_path / "trained").train
    assert training is not None
    (entry / "train_model.py").touch()
    limits = {**challenge.limits, "train": challenge.limits["exam"]}
    challenge = replace(challenge, train=training, limits=limits)
    built = building(challenge)

    def script(command: Command, limits: Limits) -> Run:
        if command.beside:
            return replace(ended_well(command, limits), stdout=b"a" * 64 + b" 1 2\n")
        return built(command, limits)

    evaluation, hypervisor, _ = evaluated(challenge, entry, script, tmp_path)
    assert evaluation.verdict is Verdict.OK, evaluation.stages[-1].message
    assert evaluation.stages[1].model == TrainedModel(sha256="a" * 64, files=1, bytes=2)
    emptied, trains, described = hypervisor.sandboxes[2].commands
    for command, what in ((emptied, "empty"), (described, "describe")):
        assert command.argv[5:] == ("in", HOME, "7", "8", what, "/app/model")
        assert (command.user, command.beside, command.keep) == (User(uid=0, gid=0), True, True)
    assert trains.argv == ("python3", "train_model.py", "/input", "/app/model")
    assert (trains.user, trains.cwd, trains.keep, trains.beside) == (User(uid=7, gid=8), "/app", True, False)
    assert trains.env == {"A": "b", "EVALUATE_SEED": "7", "PYTHONHASHSEED": "7"}
    quiz = hypervisor.machines[3]
    assert quiz.container and quiz.prepared is not None and len(quiz.prepared.chain) == 2


def test_dockerfile_that_can_be_translated_is_not_built(toy: Callable[..., Challenge], tmp_path: Path) -> None:
    challenge, entry = with_builds(toy, DOCKERFILE)
    evaluation, hypervisor, _ = evaluated(challenge, entry, building(challenge), tmp_path)
    assert evaluation.verdict is Verdict.OK
    assert not any(machine.container for machine in hypervisor.machines)


def test_dockerfile_is_a_file_like_any_other_unless_the_challenge_says_so(
    toy: Callable[..., Challenge], tmp_path: Path
) -> None:
    challenge, entry = with_dockerfile(toy, "RUN make\n")
    evaluation, _, layers = evaluated(
        replace(challenge, dockerfile=None), entry, answering(**truth(challenge)), tmp_path
    )
    assert (evaluation.verdict, layers.asked) == (Verdict.OK, [b"numpy==1.26\n"])


def test_python_program_is_started_for_each_record_where_the_rules_say_so(
    toy: Callable[..., Challenge], tmp_path: Path
) -> None:
    challenge = toy(Kind.PYTHON, "mode: set", "mode: record")
    entry = challenge.folder / "sample_entry"
    evaluation, hypervisor, _ = evaluated(challenge, entry, answering(**truth(challenge)), tmp_path)
    assert [command.mounts for command in hypervisor.sandboxes[2].commands] == [{"/input": str(i)} for i in range(6)]
    assert [outcome.usage for outcome in evaluation.stages[2].records] == [USAGE] * 6


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
    rules: str, argv: tuple[str, ...], asked: list[bytes], toy: Callable[..., Challenge], tmp_path: Path
) -> None:
    challenge = toy(Kind.PYTHON, "program: entry.py", f"program: entry.py, {rules}")
    entry = challenge.folder / "sample_entry"
    (entry / "entry.py").rename(entry / "go.m")
    _, hypervisor, layers = evaluated(challenge, entry, answering(**truth(challenge)), tmp_path)
    assert hypervisor.sandboxes[1].commands[0].argv == argv
    assert layers.asked == asked


def test_layer_of_the_organisers_lies_below_the_entrys_own(toy: Callable[..., Challenge], tmp_path: Path) -> None:
    toy(Kind.PYTHON)
    (tmp_path / "toy" / "matlab.squashfs").touch()
    path = tmp_path / "toy" / "challenge.yaml"
    path.write_text(path.read_text() + "\nlayers: [matlab.squashfs]\n")
    challenge = load_challenge(str(tmp_path / "toy"))
    entry = challenge.folder / "sample_entry"
    evaluation, hypervisor, _ = evaluated(challenge, entry, answering(**truth(challenge)), tmp_path)
    for machine in hypervisor.machines:
        assert machine.layers == [Path("/layers/wheels.squashfs"), challenge.folder / "matlab.squashfs"]
    ran_on = evaluation.machine
    assert ran_on is not None and ran_on.layers == ("wheels.squashfs", "matlab.squashfs"), "what a receipt states"
    (challenge.folder / "matlab.squashfs").unlink()
    with pytest.raises(ChallengeError, match=r"matlab.squashfs: no such layer"):
        load_challenge(str(tmp_path / "toy"))


def test_container_is_started_as_it_says_and_twice_if_there_is_an_extra_task(
    toy: Callable[..., Challenge], tmp_path: Path
) -> None:
    challenge = toy(Kind.IMAGE, "argument: answer", "argument: answer, extra: other")
    archive = challenge.folder / "sample_entry.tar"
    archive.write_bytes(archive.read_bytes() if archive.is_file() else b"x")
    evaluation, hypervisor, layers = evaluated(challenge, archive, answering(**truth(challenge)), tmp_path)
    assert evaluation.verdict is Verdict.OK
    assert evaluation.stages[0].message == "a note"
    first, extra = hypervisor.sandboxes[1].commands
    assert (first.argv, first.env, first.cwd, first.user) == (
        ("/run", "answer"),
        {"A": "b"},
        "/app",
        User(uid=7, gid=8),
    )
    assert extra.argv == ("/run", "other")
    assert hypervisor.machines[1].container
    assert layers.asked == ["answer"]
    assert len(list((tmp_path / "work" / "extra").iterdir())) == 10


def test_missing_answer_ends_the_quiz_and_only_counts_in_the_exam(
    toy: Callable[..., Challenge], tmp_path: Path
) -> None:
    challenge = toy(Kind.PYTHON)
    entry = challenge.folder / "sample_entry"
    labels = {record: label for record, label in truth(challenge).items() if record != "t03"}
    evaluation, _, _ = evaluated(challenge, entry, answering(**labels), tmp_path)
    assert evaluation.stages[2].message == "6 records, 5 answered; 1 BAD_ANSWER"
    assert evaluation.score is not None and evaluation.score.values["missing"] == 1
    other = tmp_path / "other"
    other.mkdir()
    del labels["v02"]
    evaluation, _, _ = evaluated(challenge, entry, answering(**labels), other)
    assert evaluation.verdict is Verdict.BAD_ANSWER
    assert "record v02: the program ended well but left no v02.txt in /output" in evaluation.stages[1].message


@pytest.mark.slow
def test_set_over_its_limit_ends_the_exam_and_a_crash_keeps_what_was_answered(
    toy: Callable[..., Challenge], tmp_path: Path
) -> None:
    challenge = toy(Kind.PYTHON)
    entry = challenge.folder / "sample_entry"
    labels = truth(challenge)
    for verdict, ends in ((Verdict.INSTRUCTION_LIMIT, True), (Verdict.RUNTIME_ERROR, False)):

        def script(command: Command, limits: Limits, verdict: Verdict = verdict) -> Run:
            some = dict(list(labels.items())[:7])
            run = answering(**some)(command, limits)
            exam = limits.instructions == 6 * challenge.limits["exam"].instructions
            return replace(run, verdict=verdict, detail="it ended") if exam and command.gather else run

        folder = tmp_path / verdict
        folder.mkdir()
        evaluation, _, _ = evaluated(challenge, entry, script, folder)
        exam = evaluation.stages[2]
        assert exam.verdict is (verdict if ends else Verdict.OK)
        assert "6 records, 3 answered" in exam.message
        assert (evaluation.score is None) is ends


def test_uploaded_answers_run_nothing(toy: Callable[..., Challenge], tmp_path: Path) -> None:
    challenge = toy(Kind.ANSWERS)
    with zipfile.ZipFile(tmp_path / "answers.zip", "w") as bundle:
        for record, label in truth(challenge).items():
            bundle.writestr(f"some/folder/{record}.txt", label)
        bundle.writestr("some/readme.md", "x")
    evaluation, hypervisor, _ = evaluated(challenge, tmp_path / "answers.zip", ended_well, tmp_path)
    assert hypervisor.machines == []
    assert evaluation.stages[0].message == "no answers, and ignored: readme.md"
    assert "public score: accuracy 1.0000" in evaluation.stages[1].message
    assert evaluation.score is not None and evaluation.score.values["accuracy"] == 1.0


def test_folder_of_the_one_record_is_not_taken_for_a_folder_around_everything(
    toy: Callable[..., Challenge], tmp_path: Path
) -> None:
    challenge = toy(Kind.ANSWERS)
    rules = replace(challenge.answers, files=("{record}/label.txt",))
    record = challenge.exam.records[0]
    with zipfile.ZipFile(tmp_path / "answers.zip", "w") as bundle:
        bundle.writestr(f"{record}/label.txt", "N")
    found, notes = find_answers(inspect(tmp_path / "answers.zip", challenge), replace(challenge, answers=rules))
    assert (found, notes) == ({f"{record}/label.txt": "label.txt"}, [])


def test_upload_that_is_the_answer_as_a_whole_keeps_its_one_folder(
    toy: Callable[..., Challenge], tmp_path: Path
) -> None:
    challenge = toy(Kind.ANSWERS)
    rules = replace(challenge.answers, whole=True)
    with zipfile.ZipFile(tmp_path / "answers.zip", "w") as bundle:
        bundle.writestr("results/a.txt", "1")
        bundle.writestr("__MACOSX/results/._a.txt", "1")
    found, notes = find_answers(inspect(tmp_path / "answers.zip", challenge), replace(challenge, answers=rules))
    assert (found, notes) == ({"results/a.txt": "a.txt"}, [])


def test_links_among_answers_are_followed_in_the_archive_or_named_with_their_target(
    toy: Callable[..., Challenge], tmp_path: Path
) -> None:
    challenge = toy(Kind.ANSWERS)
    first, *others = truth(challenge)
    with tarfile.open(tmp_path / "answers.tar.gz", "w:gz") as bundle:
        info = tarfile.TarInfo(f"best/{first}.txt")
        info.size = 1
        bundle.addfile(info, io.BytesIO(b"N"))
        for i, record in enumerate(others):
            info = tarfile.TarInfo(f"best/{record}.txt")
            info.type, info.linkname = (
                (tarfile.LNKTYPE, f"best/{first}.txt") if i % 2 else (tarfile.SYMTYPE, f"{first}.txt")
            )
            bundle.addfile(info)
        again = tarfile.TarInfo(f"{first}.txt")
        again.type, again.linkname = tarfile.SYMTYPE, f"best/{first}.txt"
        bundle.addfile(again)
    evaluation, _, _ = evaluated(challenge, tmp_path / "answers.tar.gz", ended_well, tmp_path)
    assert evaluation.verdict is Verdict.OK
    assert all(one.answer for stage in evaluation.stages for one in stage.records)
    with tarfile.open(tmp_path / "lost.tar.gz", "w:gz") as bundle:
        info = tarfile.TarInfo(f"{first}.txt")
        info.type, info.linkname = tarfile.SYMTYPE, "elsewhere/a.txt"
        bundle.addfile(info)
    with pytest.raises(EntryError, match=f"^'{first}.txt' is a link to 'elsewhere/a.txt', which is no file of"):
        find_answers(inspect(tmp_path / "lost.tar.gz", challenge), challenge)


def test_answer_over_its_limit_is_the_entrys_own_fault(toy: Callable[..., Challenge], tmp_path: Path) -> None:
    challenge = toy(Kind.ANSWERS)
    with zipfile.ZipFile(tmp_path / "answers.zip", "w") as bundle:
        for record, label in truth(challenge).items():
            long = record == challenge.exam.records[0]
            bundle.writestr(f"{record}.txt", bytes(challenge.limits["exam"].answer_bytes + 1) if long else label)
    evaluation, _, _ = evaluated(challenge, tmp_path / "answers.zip", ended_well, tmp_path)
    assert (evaluation.stages[-1].stage, evaluation.verdict) == (Stage.EXAM, Verdict.INVALID_ENTRY)
    assert evaluation.stages[-1].message == f"{challenge.exam.records[0]}.txt is larger than 1 MiB"


@pytest.mark.parametrize("kind", list(Kind))
def test_what_prep_left_is_read_back_by_another_process(
    kind: Kind, toy: Callable[..., Challenge], tmp_path: Path
) -> None:
    values = {
        Kind.SCRIPTS: {"layers": ["/layers/a.squashfs"], "expected": {"A1": "N"}},
        Kind.PYTHON: {
            "layers": ["/layers/i.squashfs"],
            "program": {"argv": ["python3"], "env": {"A": "b"}, "cwd": "/app", "user": None, "labels": {}},
        },
        Kind.IMAGE: {
            "layers": ["/layers/i.squashfs"],
            "program": {"argv": ["/run"], "env": {}, "cwd": "/", "user": {"uid": 7, "gid": 8}, "labels": {"a": "b"}},
        },
        Kind.ANSWERS: {"layers": [], "form": "zip", "members": {"t1.txt": "some/t1.txt"}},
    }[kind]
    payload = from_json(handler(kind).payload, values)
    assert to_json(payload) == values
    (tmp_path / PREPARED).write_text(json.dumps({"kind": kind.value, "dry_run": True, "payload": values}))
    found = load_prepared(tmp_path)
    assert (found.kind, found.dry_run, found.payload, found.folder) == (kind, True, payload, tmp_path)


def test_comments_of_a_header_are_taken_out() -> None:
    header = b"r 2 200 10\r\nr.dat 16 200 16 0 0 0 0 I\r\n# paroxysmal atrial fibrillation\r\n#x\n"
    assert without_comments(header) == b"r 2 200 10\r\nr.dat 16 200 16 0 0 0 0 I\r\n"


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
        (tmp_path / name).write_bytes(b"r 1 200 10\n # Dx: AF\n")
    inputs = ("{record}.hea", "{record}_*")
    records = RecordSet(folder=tmp_path, records=("r",), inputs=inputs, references=None, strip_comments=True)
    found = input_files(records, "r")
    assert set(found.values()) == {b"r 1 200 10\n"} and len(found) == 3
