"""Entries with a Dockerfile on a scripted sandbox: translated, built or refused."""

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.contract import ContractName
from evaluate.config.challenge.types import DockerfileRules, Kind, OfPlatform
from evaluate.core.errors import EntryError
from evaluate.core.model import Limits, RefusalKind, Run, TrainedModel, User, Verdict
from evaluate.images.container import BUILT as REUSED
from evaluate.report.audience import for_organiser
from evaluate.report.text import to_text
from evaluate.sandbox.base import HOME, Command
from evaluate.stages.image_build import failing
from evaluate.stages.kinds.detection import handler
from evaluate.stages.prep import prep
from evaluate.untrusted.archives import open_entry
from evaluate.untrusted.dockerfile import ImagePlan, LineRequest
from tests.conftest import CHECKOUT
from tests.support.challenges import with_training
from tests.support.documents import blocks
from tests.support.fake_sandbox import crashing, ended_well
from tests.support.scripted import OLD
from tests.support.toys import BUILT, DOCKERFILE, USAGE, Toys, building


def test_dockerfile_becomes_layers_files_and_an_environment_and_names_where_a_missing_module_belongs(
    toys: Toys,
) -> None:
    challenge, entry = toys.with_dockerfile()
    evaluation, hypervisor, layers = toys.evaluated(challenge, entry)
    assert evaluation.verdict is Verdict.OK
    links = {"/usr/local/bin/python": "/usr/bin/python3", "/challenge": "/home/challenge"}
    assert layers.asked == [b"numpy==1.26\n", b"libgomp1\n", f"{links}"]
    names = [layer.name for layer in hypervisor.machines[1].layers]
    assert names == ["places.squashfs", "wheels.squashfs", "debian.squashfs"]
    (command,) = hypervisor.sandboxes[2].commands
    program = ("/usr/bin/python3", "entry.py")
    assert (command.argv[:2], command.env, command.cwd) == (program, {"A": "b", "C": "d e"}, "/home/challenge")
    assert "note: Dockerfile line 1: python:3.10 becomes Python 3.11" in evaluation.stages[0].message
    printed = b"ModuleNotFoundError: No module named 'mne_connectivity'"
    evaluation, _, _ = toys.evaluated(challenge, entry, crashing("entry.py", printed))
    assert "requirements.txt lists no mne_connectivity" in evaluation.stages[-1].message


def test_dockerfile_is_a_file_like_any_other_unless_the_challenge_says_so(toys: Toys) -> None:
    challenge, entry = toys.with_dockerfile("RUN make\n")
    evaluation, _, layers = toys.evaluated(replace(challenge, dockerfile=None), entry)
    assert (evaluation.verdict, layers.asked) == (Verdict.OK, [b"numpy==1.26\n"])


def test_all_problems_of_a_dockerfile_are_named_at_once(toys: Toys) -> None:
    text = "FROM python:3.13\nCOPY . /c\nWORKDIR /c\nRUN pip install -r requirements.txt -e .\n"
    text += "RUN apt-get install A! make && pip install a@b\nRUN make\n"
    challenge, entry = toys.with_dockerfile(text)
    (entry / "requirements.txt").write_text("numpy==1.26\n-e .\n")
    evaluation, _, layers = toys.evaluated(challenge, entry)
    (prep_result,) = evaluation.stages
    assert prep_result.verdict is Verdict.INVALID_ENTRY
    assert [(refusal.file, refusal.line, refusal.kind.value) for refusal in prep_result.refusals] == [
        ("Dockerfile", 1, "python"),
        ("Dockerfile", 4, "command"),
        ("Dockerfile", 6, "command"),
        ("Dockerfile", 5, "package"),
        ("Dockerfile", 5, "requirement"),
        ("requirements.txt", 2, "requirement"),
    ]
    assert layers.asked == []
    assert prep_result.message.splitlines() == [str(refusal) for refusal in prep_result.refusals]


def test_dockerfile_that_cannot_be_translated_is_built_where_the_challenge_has_builds(toys: Toys) -> None:
    evaluation, hypervisor, layers = toys.evaluated(*toys.with_builds())
    assert evaluation.verdict is Verdict.OK, evaluation.stages[0].message
    assert layers.asked == [b"buildah\n", ""]
    built, prepared, quiz, _ = hypervisor.machines
    assert (built.container, built.licence_server, built.sizes.tmp_bytes) == (True, None, 5 << 30)
    (command,) = hypervisor.sandboxes[0].commands
    assert (command.user, command.cwd) == (User(uid=0, gid=0), "/")
    plan = json.loads(command.argv[-2])
    assert (plan["bases"], plan["ignore"]) == ({"docker.io/library/python:3.13": "/bases/0.tar"}, "")
    assert prepared.container and quiz.container and quiz.prepared is not None
    assert [layer.name for layer in quiz.layers] == ["image.squashfs"]
    (command,) = hypervisor.sandboxes[2].commands
    expected = (("python3", "entry.py", "/input", "/output"), {"A": "b"}, "/app", User(uid=7, gid=8), False)
    assert (command.argv, command.env, command.cwd, command.user, command.builds) == expected
    assert not list(toys.work.glob("b*"))


def test_dockerfile_that_can_be_translated_is_built_only_where_the_entry_lacks_the_program(toys: Toys) -> None:
    challenge, entry = toys.with_builds(DOCKERFILE, "python:3.10")
    _, hypervisor, _ = toys.evaluated(challenge, entry)
    assert not any(machine.container for machine in hypervisor.machines)
    (entry / "entry.py").rename(entry / "own.py")
    _, hypervisor, _ = toys.evaluated(challenge, entry)
    assert hypervisor.sandboxes[2].commands[0].argv == ("/run",)
    evaluation, _, _ = toys.evaluated(replace(challenge, dockerfile=DockerfileRules()), entry)
    assert "entry.py" in evaluation.stages[0].message and evaluation.verdict is Verdict.INVALID_ENTRY


FAILED = Run(
    verdict=Verdict.RUNTIME_ERROR,
    usage=USAGE,
    exit_code=2,
    stdout=b"STEP 2/4: RUN make\nno rule\n",
    detail="ended with exit code 2",
)


@pytest.mark.parametrize(
    ("ended", "verdict", "message"),
    [
        (Verdict.RUNTIME_ERROR, Verdict.INVALID_ENTRY, "Dockerfile cannot be built: Error: no"),
        (Verdict.DISK_LIMIT, Verdict.DISK_LIMIT, "Dockerfile cannot be built: ended with exit code 2"),
        (Verdict.OK, Verdict.INVALID_ENTRY, "the build of Dockerfile left no image"),
    ],
)
def test_build_that_fails_is_the_entrys_verdict_with_its_output(
    toys: Toys, ended: Verdict, verdict: Verdict, message: str
) -> None:
    challenge, entry = toys.with_builds()
    run = replace(FAILED, verdict=ended, stderr=b"Error: no\n")
    evaluation, _, _ = toys.evaluated(challenge, entry, building(challenge, run=run))
    (stage,) = evaluation.stages
    assert (stage.verdict, stage.message) == (verdict, message)
    assert ended is Verdict.OK or "Error: no" in stage.diagnostics


def test_line_of_a_build_that_fails_is_a_value(toys: Toys) -> None:
    text = "ARG A=1\nFROM python:3.13 AS a\nFROM python:3.13\n\nRUN --mount=x make \\\n all\n"
    challenge, entry = toys.with_builds(text)
    evaluation, _, _ = toys.evaluated(challenge, entry, building(challenge, run=FAILED, at=b"2 2 2\n"))
    (refusal,) = evaluation.stages[0].refusals
    assert (refusal.file, refusal.line, refusal.kind) == ("Dockerfile", 5, RefusalKind.BUILD)
    assert refusal.found == "RUN --mount=x make all"
    assert (refusal.exit_code, refusal.printed) == (2, ("STEP 2/4: RUN make", "no rule"))
    assert refusal.expected == "expected exit code 0, found 2"
    over = replace(FAILED, verdict=Verdict.WALL_LIMIT, exit_code=None, detail="ran for more than 5 s")
    evaluation, _, _ = toys.evaluated(challenge, entry, building(challenge, run=over, at=b"1 1 1\n"))
    (refusal,) = evaluation.stages[0].refusals
    assert (refusal.line, refusal.exit_code) == (2, None)
    assert refusal.expected == "expected an end: ran for more than 5 s"


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
    stages = [[LineRequest(line=n, text="RUN") for n in (1, 2)]]
    if note is not None:
        (tmp_path / "at").write_bytes(note)
    instruction = failing(ImagePlan(stages=stages), tmp_path / "at")
    assert (instruction and instruction.line) == line


def test_line_that_no_build_can_do_is_refused_at_once(toys: Toys, tmp_path: Path) -> None:
    text = "ARG OF=x\nFROM $OF AS b\nFROM debian:12 AS a\nRUN make\nRUN git clone https://a.org/b.git\n"
    text += "FROM scratch\nFROM a\nFROM b\n"
    challenge, entry = toys.with_builds(text)
    evaluation, hypervisor, _ = toys.evaluated(challenge, entry)
    refusals = evaluation.stages[0].refusals
    assert [(refusal.line, refusal.kind.value) for refusal in refusals] == [(3, "base"), (5, "download")]
    assert hypervisor.machines == []
    with pytest.raises(EntryError):
        handler(Kind.PYTHON).check(open_entry(entry, tmp_path).archive, challenge)


@pytest.mark.parametrize(
    ("image", "indexes", "built"),
    [("python:3.10", True, True), ("python:3.9", True, False), ("python:3.10", False, False)],
)
def test_pins_of_an_old_python_are_built_where_builds_have_its_image_and_the_index(
    toys: Toys, image: str, indexes: bool, built: bool
) -> None:
    evaluation, hypervisor, _ = toys.evaluated(
        *toys.with_builds(DOCKERFILE, image, indexes=indexes), instead=b"old==2\n"
    )
    if not built:
        assert (evaluation.stages[0].refusals, hypervisor.machines) == ((OLD,), [])
        return
    assert evaluation.verdict is Verdict.OK, evaluation.stages[0].message
    plan = json.loads(hypervisor.sandboxes[0].commands[0].argv[-2])
    assert (plan["proxy"], plan["index"][:7]) == ("http://127.0.0.1:3128", "http://")
    assert json.loads((toys.work / "fetched.json").read_text()) == []


class Builds:
    """Prepares an entry again and again, with a state directory of its own."""

    def __init__(self, toys: Toys, folder: Path) -> None:
        self.toys, self.state = toys, folder / "state"
        self.challenge, self.entry = toys.with_builds(BUILT.replace("entry.py requirements.txt /c/", ". /c"))

    def built(self, **changes: Any) -> bool:
        """True if it was built this time."""
        challenge = changes.pop("challenge", self.challenge)
        job, hypervisor, layers = self.toys.job(challenge, self.entry, building(challenge))
        layers.state = self.state
        result = prep(replace(job, **changes)).result
        assert result.verdict is Verdict.OK, result.message
        is_built = any(command.builds for sandbox in hypervisor.sandboxes for command in sandbox.commands)
        assert (REUSED in result.message) is not is_built
        return is_built


def test_folder_is_built_once_for_the_same_team_files_base_images_and_rules(toys: Toys, tmp_path: Path) -> None:
    builds = Builds(toys, tmp_path)
    assert [builds.built(team="red"), builds.built(team="red")] == [True, False]
    assert [builds.built(team="blue"), builds.built(team="red")] == [True, False]
    assert builds.built()  # of no team, as at home
    (builds.entry / "notes.md").write_text("another archive")
    assert builds.built(team="red")
    assert [builds.built(), builds.built()] == [True, False]
    os.utime(builds.entry / "entry.py", (1, 1))
    assert not builds.built()
    with (builds.entry / "entry.py").open("a") as file:
        file.write("# another\n")
    assert [builds.built(), builds.built()] == [True, False]
    (builds.entry / "entry.py").chmod(0o755)
    assert builds.built()
    (builds.entry / ".dockerignore").write_text("*.md\n")
    assert builds.built()
    builds.challenge.base_images["python:3.13"].write_bytes(b"another image")
    assert builds.built()
    rules = DockerfileRules(build=replace(builds.challenge.dockerfile.build, disk_bytes=6 << 30))
    assert builds.built(challenge=replace(builds.challenge, dockerfile=rules))
    for path in (builds.state / "layers").glob("*.json"):
        path.write_text(path.read_text()[:-20])
    assert [builds.built(), builds.built()] == [True, False]
    (builds.state / "layers" / "image.squashfs").unlink()
    assert builds.built()


def test_organisers_programs_replace_those_of_a_built_image(toys: Toys) -> None:
    challenge, entry = toys.with_builds()
    for name in ("team_code.py", "helper_code.py"):
        (entry / name).touch()
    challenge = replace(challenge, contract=OfPlatform(platform=ContractName("physionet-2025")))
    evaluation, hypervisor, _ = toys.evaluated(challenge, entry)
    assert evaluation.stages[0].verdict is Verdict.OK, evaluation.stages[0].message
    (command,) = hypervisor.sandboxes[1].commands
    assert (command.argv, command.keep, command.user) == (("@probe", "1"), True, User(uid=0, gid=0))
    assert command.inputs["/app/run_model.py"] == "run_model.py"
    (command,) = hypervisor.sandboxes[2].commands[:1]
    assert command.argv[:2] == ("python3", "run_model.py")
    assert "/app/model" in command.argv


def test_built_image_is_trained_in_by_its_own_python_and_described_from_beside_it(toys: Toys, tmp_path: Path) -> None:
    challenge, entry = toys.with_builds()
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

    evaluation, hypervisor, _ = toys.evaluated(challenge, entry, script)
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


PAGE = CHECKOUT / "docs/dockerfiles.md"


def test_examples_are_read(toys: Toys) -> None:
    folder = toys.challenge(Kind.PYTHON)[0].folder
    base = folder / "python-3.10-slim.tar"
    base.touch()
    rules = (folder / "challenge.yaml").read_text()

    def dockerfile(example: str) -> Any:
        (folder / "challenge.yaml").write_text(f"{rules}\n{example}")
        return load_challenge(str(folder)).dockerfile

    of_images, of_builds = (dockerfile(block.text) for block in blocks(PAGE) if block.language == "yaml")
    bases, build = of_images.bases, of_builds.build
    assert build.images == {"python:3.10-slim": base}
    assert (build.disk_bytes, build.image_bytes, build.indexes) == (30000 << 20, 8 << 30, True)
    assert [rule.image for rule in bases] == ["python", "pytorch/pytorch:2.*"] and bases[1].requirements


def test_every_kind_of_refusal_is_explained_and_the_example_of_some_is_a_part_of_a_report(toys: Toys) -> None:
    text = PAGE.read_text()
    assert [kind.value for kind in RefusalKind if f"`{kind.value}`" not in text.partition("| `kind` |")[2]] == []
    (example,) = (block.text for block in blocks(PAGE) if block.language == "text")
    lines = ["FROM python:3.11", *[""] * 8, "COPY . /net", "RUN git clone https://example.org/net.git", "RUN make"]
    evaluation, _, _ = toys.evaluated(*toys.with_dockerfile("\n".join(lines)))
    assert example.rstrip("\n") in to_text(for_organiser(evaluation, {}))
