"""Entries of skeleton challenges on a scripted sandbox."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from evaluate.authoring.skeleton import write_skeleton
from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.types import BuildRules, Challenge, DockerfileRules, Kind
from evaluate.core.model import Evaluation, Limits, Program, Refusal, RefusalKind, Run, Usage, User
from evaluate.images.container import ContainerLayer, built_layer
from evaluate.sandbox.base import Command
from evaluate.stages.job import Job
from evaluate.stages.pipeline import evaluate_entry
from evaluate.untrusted.requirements import Dependency, NotInstallable, Requirement
from tests.support.fake_sandbox import FakeHypervisor, ended_well
from tests.support.scripted import job_of

USAGE = Usage(instructions=5000, wall_seconds=1.0)
OLD = Refusal(
    file="requirements.txt", line=1, kind=RefusalKind.PIN, found="old==1", expected="no wheel", way_out="old==2"
)
DOCKERFILE = """FROM python:3.10
RUN apt-get update && apt-get install -y libgomp1
COPY . /challenge
WORKDIR /challenge
RUN pip install -r requirements.txt && mkdir cache
ENV A=b
USER 1000
"""
BUILT = "FROM python:3.13\nRUN make\nCOPY entry.py requirements.txt /c/\nWORKDIR /c\n"
Script = Callable[[Command, Limits], Run]


class Layers:
    """Layers that are not made; remembers the requests."""

    def __init__(self) -> None:
        self.asked: list[bytes | str] = []
        self.instead = b""
        """The only requirements that can be installed; empty: all can."""
        self.state: Path | None = None
        """Folder in which images that were built are remembered; None: none are."""
        self.labels: Mapping[str, str] = {}
        """Labels of images."""

    def debian(self, dependencies: bytes | Sequence[Dependency]) -> Path | None:
        if not isinstance(dependencies, bytes):
            dependencies = "".join(f"{line.name}\n" for line in dependencies).encode()
        self.asked.append(dependencies)
        return Path("/layers/debian.squashfs")

    def wheels(self, requirements: bytes | Sequence[Requirement]) -> Path | None:
        if not isinstance(requirements, bytes):
            requirements = "".join(f"{line.specification}\n" for line in requirements).encode()
        self.asked.append(requirements)
        if self.instead not in (b"", requirements):
            raise NotInstallable([OLD], {"old==1": "old==2"}, self.instead)
        return Path("/layers/wheels.squashfs")

    def places(self, links: Mapping[str, str]) -> Path | None:
        self.asked.append(f"{dict(links)}")
        return Path("/layers/places.squashfs")

    def container(
        self, archive: Path, argument: str, limits: object, program: str = "", model: str = ""
    ) -> ContainerLayer:
        self.asked.append(argument)
        argv = ("/run", argument) if argument else ("/run",)
        started = Program(argv=argv, env={"A": "b"}, cwd="/app", user=User(uid=7, gid=8), labels=self.labels)
        layer = Path("/layers/image.squashfs") if self.state is None else self.state / "layers" / "image.squashfs"
        if self.state is not None:
            layer.touch()
        return ContainerLayer(layer=layer, program=started, model=model and "ab" * 32)

    def built(self, asked: Any, make: Callable[[], ContainerLayer]) -> ContainerLayer:
        if self.state is None:
            return make()
        return built_layer(asked, make, self.state, print)


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
