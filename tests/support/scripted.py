"""An entry through its stages, on a sandbox that a script answers for."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from evaluate.config.challenge.types import Challenge
from evaluate.core.model import Evaluation, Program, Refusal, RefusalKind, User
from evaluate.images.container import ContainerLayer, built_layer
from evaluate.images.image import Image
from evaluate.stages.job import Job, NullMonitor
from evaluate.stages.pipeline import evaluate_entry
from evaluate.untrusted.archives import open_entry
from evaluate.untrusted.requirements import Dependency, NotInstallable, Requirement
from tests.support.fake_sandbox import FakeHypervisor, Script

IMAGE = Image(
    name="bookworm",
    digest="sha256:" + "0" * 64,
    kernel=Path("vmlinuz"),
    initrd=Path("initrd"),
    root=Path("root"),
    cpu_model="none",
    cpu_disabled=(),
    packages=(),
    recipe_digest="",
)
OLD = Refusal(
    file="requirements.txt", line=1, kind=RefusalKind.PIN, found="old==1", expected="no wheel", way_out="old==2"
)


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


def job_of(challenge: Challenge, entry: Path, work: Path, hypervisor: FakeHypervisor, **changes: Any) -> Job:
    """The job of an entry in the folder ``work``."""
    work.mkdir(parents=True, exist_ok=True)
    usual = {
        "kind": challenge.kinds[0],
        "quiz": challenge.quiz,
        "exam": challenge.exam,
        "image": IMAGE,
        "layers": Layers(),
        "monitor": NullMonitor(),
    }
    opened = open_entry(entry, work)
    return Job(entry=opened, challenge=challenge, folder=work, hypervisor=hypervisor, **{**usual, **changes})


def evaluated(
    challenge: Challenge, entry: Path, folder: Path, script: Script, **changes: Any
) -> tuple[Evaluation, FakeHypervisor]:
    """Evaluation in a new folder ``work``, and the hypervisor; all machines have ended."""
    hypervisor = FakeHypervisor(script)
    evaluation = evaluate_entry(job_of(challenge, entry, folder / "work", hypervisor, **changes))
    assert hypervisor.running == 0
    return evaluation, hypervisor
