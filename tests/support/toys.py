"""Entries of skeleton challenges on a scripted sandbox."""

from dataclasses import replace
from pathlib import Path

from evaluate.authoring.skeleton import write_skeleton
from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.types import BuildRules, Challenge, DockerfileRules, Kind
from evaluate.core.model import Evaluation, Limits, Run, Usage
from evaluate.sandbox.base import Command
from evaluate.stages.job import Job
from evaluate.stages.pipeline import evaluate_entry
from tests.support.fake_sandbox import FakeHypervisor, Script, ended_well
from tests.support.scripted import Layers, job_of

USAGE = Usage(instructions=5000, wall_seconds=1.0)
DOCKERFILE = """FROM python:3.10
MAINTAINER a
RUN mkdir /challenge
RUN apt-get update && apt-get install -y libgomp1
COPY . /challenge
WORKDIR /challenge
RUN pip install -r requirements.txt
ENV A=b C="d e"
USER me
CMD ["python", "x"]
"""
BUILT = "FROM python:3.13\nRUN make\nCOPY entry.py requirements.txt /c/\nWORKDIR /c\n"


def answering(**labels: str) -> Script:
    """A program that answers the records that are named."""

    def script(command: Command, limits: Limits) -> Run:
        if command.gather is not None:
            command.gather.mkdir()
            for record, label in labels.items():
                (command.gather / f"{record}.txt").write_text(label)
        return replace(ended_well(command, limits), usage=USAGE)

    return script


def truth(challenge: Challenge) -> dict[str, str]:
    """The labels of all sample records."""
    return dict(
        line.split(",")
        for part in ("validation", "test")
        for line in (challenge.folder / "sample_data" / part / "REFERENCE.csv").read_text().split()
    )


def building(challenge: Challenge, *, run: Run | None = None, at: bytes | None = None) -> Script:
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


class Toys:
    """Challenges and entries in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._n = folder, 0
        self.work = folder
        """Folder of the last job."""

    def challenge(self, kind: Kind, old: str = "", new: str = "") -> tuple[Challenge, Path]:
        """The skeleton of a kind with a text replaced, and its sample entry."""
        write_skeleton(self._folder / "toy", kind)
        path = self._folder / "toy" / "challenge.yaml"
        assert old in path.read_text()
        path.write_text(path.read_text().replace(old, new))
        challenge = load_challenge(str(self._folder / "toy"))
        return challenge, challenge.folder / "sample_entry"

    def with_dockerfile(self, text: str = DOCKERFILE) -> tuple[Challenge, Path]:
        """A challenge that uses Dockerfiles, and an entry with this one."""
        challenge, entry = self.challenge(Kind.PYTHON)
        (entry / "Dockerfile").write_text(text)
        (entry / "requirements.txt").write_text("numpy==1.26\n")
        return replace(challenge, dockerfile=DockerfileRules()), entry

    def with_builds(
        self, text: str = BUILT, image: str = "python:3.13", *, indexes: bool = False
    ) -> tuple[Challenge, Path]:
        """A challenge that builds Dockerfiles that begin with an image, and an entry with this one."""
        challenge, entry = self.with_dockerfile(text)
        base = challenge.folder / "base.tar"
        base.write_bytes(b"an image")
        rules = BuildRules(images={image: base}, disk_bytes=5 << 30, indexes=indexes)
        return replace(challenge, dockerfile=DockerfileRules(build=rules)), entry

    def job(self, challenge: Challenge, entry: Path, script: Script) -> tuple[Job, FakeHypervisor, Layers]:
        """A job in a folder of its own."""
        self._n += 1
        self.work = self._folder / f"work{self._n}"
        hypervisor, layers = FakeHypervisor(script), Layers()
        return job_of(challenge, entry, self.work, hypervisor, layers=layers), hypervisor, layers

    def evaluated(
        self, challenge: Challenge, entry: Path, script: Script | None = None, *, instead: bytes = b""
    ) -> tuple[Evaluation, FakeHypervisor, Layers]:
        """An entry through all stages; by default all its answers are right."""
        job, hypervisor, layers = self.job(challenge, entry, script or building(challenge))
        layers.instead = instead
        return evaluate_entry(job), hypervisor, layers
