"""Builds a job with what it needs from this host: image, hypervisor, layers, licence server, devices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from evaluate.config.challenge.types import ArchiveLimits, Challenge, Kind
from evaluate.config.load import FILE, load_config
from evaluate.config.types import Config
from evaluate.core.errors import ChallengeError, UsageError
from evaluate.core.model import Entry, LayerLimits, LicenceServer
from evaluate.host.accelerators import open_hypervisor
from evaluate.images.build import build_image
from evaluate.images.container import ContainerLayer, built_layer, container_layer
from evaluate.images.image import Image
from evaluate.images.layers import build_layer, build_places_layer
from evaluate.images.recipe import Recipe, load_recipe
from evaluate.images.wheels import build_wheels_layer, python_of
from evaluate.sandbox.base import Hypervisor
from evaluate.stages.job import Job, Monitor, ScorerMeans
from evaluate.stages.kinds.detection import handler, kind_of
from evaluate.untrusted.requirements import Dependency, Requirement, parse_dependencies, parse_requirements

# Where an entry's dependencies come from: read-only layers, made once and kept in the state directory


class StateLayers:
    """Builds layers of dependencies and keeps them in the state directory."""

    def __init__(
        self,
        image: Image | None,
        recipe: Recipe | None,
        state: Path,
        monitor: Monitor,
        limits: LayerLimits = LayerLimits(),
        agree: Callable[[Path], object] = lambda _: None,
    ) -> None:
        self._image, self._recipe, self._state, self._monitor = image, recipe, state, monitor
        self._limits, self._agree = limits, agree

    def debian(self, dependencies: bytes | Sequence[Dependency]) -> Path | None:
        """Packages of Debian, installed in containment."""
        image, recipe = self._base()
        asked = parse_dependencies(dependencies) if isinstance(dependencies, bytes) else dependencies
        return self._agreed(build_layer(image, recipe, asked, self._state, self._monitor.say, self._limits))

    def wheels(self, requirements: bytes | Sequence[Requirement]) -> Path | None:
        """Wheels of the package index, unpacked."""
        image, _ = self._base()
        asked = requirements
        if isinstance(asked, bytes):
            asked = parse_requirements(asked, python_of(image))
        return self._agreed(build_wheels_layer(image, asked, self._state, self._monitor.say, self._limits))

    def places(self, links: Mapping[str, str]) -> Path | None:
        """Symbolic links, packed."""
        return self._agreed(build_places_layer(links, self._state))

    def container(
        self, archive: Path, argument: str, limits: ArchiveLimits, program: str = "", model: str = ""
    ) -> ContainerLayer:
        """A container image, its layers merged."""
        made = container_layer(archive, argument, self._state, limits, self._monitor.say, program, model)
        self._agree(made.layer)
        return made

    def built(self, asked: Any, make: Callable[[], ContainerLayer]) -> ContainerLayer:
        """Noted beside the layer."""
        made = built_layer(asked, make, self._state, self._monitor.say)
        self._agree(made.layer)
        return made

    def _agreed(self, layer: Path | None) -> Path | None:
        if layer is not None:
            self._agree(layer)
        return layer

    def _base(self) -> tuple[Image, Recipe]:
        if self._image is None or self._recipe is None:
            raise ChallengeError("challenge.yaml names no image, so there is nothing to install dependencies on")
        return self._image, self._recipe


@dataclass(frozen=True, kw_only=True)
class HostMeans:
    """Images, layers and machines of this host, and where they come from."""

    state: Path
    """The state directory of this host."""
    monitor: Monitor
    accelerator: str = "auto"
    hypervisor: Hypervisor | None = None
    """The one of the caller; by default one with the accelerator."""
    image_of: Callable[[Recipe], Image] | None = None
    """Finds or builds the image of a recipe for entries; by default in ``state``."""
    scorer_image_of: Callable[[Recipe], Image] | None = None
    """As ``image_of``, for scorers; by default that of entries."""
    layers_in: Path | None = None
    """Folder of the layers of dependencies; by default ``state``."""
    agree: Callable[[Path], object] = lambda _: None
    """Takes the layer that other hosts have in place of one that was made here: packages of a day are not those of
    another."""

    def _machine(
        self, challenge: Challenge, image: str, image_of: Callable[[Recipe], Image] | None
    ) -> tuple[Recipe, Image, Hypervisor]:
        try:
            recipe = load_recipe(image)
        except UsageError as e:  # the challenge names it, not the caller
            raise ChallengeError(f"{challenge.name}: {e}") from e
        built = image_of(recipe) if image_of else build_image(recipe, self.state, self.monitor.say)
        return (
            recipe,
            built,
            self.hypervisor or open_hypervisor(self.state, built, self.accelerator, self.monitor.say),
        )

    def _layers(self, recipe: Recipe | None, image: Image | None, config: Config) -> StateLayers:
        return StateLayers(image, recipe, self.layers_in or self.state, self.monitor, config.dependencies, self.agree)


def make_job(
    means: HostMeans,
    entry: Entry,
    challenge: Challenge,
    folder: Path,
    *,
    gpus: Sequence[str] = (),
    kind: Kind | None = None,
) -> Job:
    """A job on this host.  An entry that runs nothing gets no image and no hypervisor.

    Raises ChallengeError if the challenge asks for what this host does not have, or must not be run on it. Raises Fault
    if the virtual machine cannot be started here.

    * ``folder``: the folder of this evaluation only.
    * ``gpus``: PCI addresses of the devices that the caller has reserved for it (`evaluate.host.capacity`).
    * ``kind``: kind of the entry, if it is known already; otherwise the archive shows it.
    """
    config = load_config(means.state)
    recipe: Recipe | None = None
    image: Image | None = None
    kind = kind or kind_of(entry.archive, challenge)
    runs = handler(kind).runs
    if runs:
        recipe, image, hypervisor = means._machine(challenge, challenge.image, means.image_of)
        check_accelerator(challenge, hypervisor.accelerator)
        means = replace(means, hypervisor=hypervisor)
    return Job(
        entry=entry,
        challenge=challenge,
        kind=kind,
        quiz=challenge.quiz,
        exam=challenge.exam,
        image=image,
        hypervisor=means.hypervisor if runs else None,
        layers=means._layers(recipe, image, config),
        monitor=means.monitor,
        licence_server=licence_server(challenge, config) if runs else None,
        gpus=tuple(gpus) if runs else (),
        folder=folder,
        scorer=scorer_means(means, challenge, folder) if challenge.scorer is not None else None,
    )


def scorer_means(means: HostMeans, challenge: Challenge, folder: Path) -> ScorerMeans:
    """Means to run the scoring program of a challenge on this host; errors as for `make_job`."""
    scorer = challenge.scorer
    if scorer is None:
        raise ChallengeError(f"{challenge.name}: it has a metric, and no scorer")
    recipe, image, hypervisor = means._machine(challenge, scorer.image, means.scorer_image_of or means.image_of)
    if scorer.ingestion is not None:  # it runs what a team uploaded
        check_accelerator(challenge, hypervisor.accelerator)
    layers = means._layers(recipe, image, load_config(means.state))
    return ScorerMeans(image=image, hypervisor=hypervisor, layers=layers, folder=folder)


def licence_server(challenge: Challenge, config: Config) -> LicenceServer | None:
    """The licence server for entries of this challenge; None if they need none.

    Raises ChallengeError if they need one and the configuration of this host names none.
    """
    if not challenge.licence:
        return None
    if config.licence_server is None:
        raise ChallengeError(
            f"{challenge.name}: its entries need a licence server; name it in {FILE} of the state directory: "
            "licence_server: {host: …, ports: [27000]}"
        )
    return config.licence_server


def check_accelerator(challenge: Challenge, accelerator: str) -> None:
    """A hidden exam under software emulation needs the organiser's permission.

    Raises ChallengeError if the permission was not given.
    """
    if challenge.exam.hidden and accelerator == "tcg" and not challenge.allow_tcg_exam:
        raise ChallengeError(
            f"{challenge.name}: its exam is hidden, and QEMU does not call software emulation a security boundary; "
            "use a host with KVM and a PMU, or set allow_tcg_exam: true in challenge.yaml"
        )
