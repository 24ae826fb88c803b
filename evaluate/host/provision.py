"""Where an entry's dependencies come from: read-only layers, made once and kept in the state directory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from evaluate.challenge.types import ArchiveLimits
from evaluate.core.errors import ChallengeError
from evaluate.core.model import LayerLimits, Refusal
from evaluate.images.container import ContainerLayer, built_layer, container_layer
from evaluate.images.image import Image
from evaluate.images.layers import build_layer, build_places_layer
from evaluate.images.recipe import Recipe
from evaluate.images.wheels import build_wheels_layer, lacking, python_of
from evaluate.stages.job import Monitor
from evaluate.untrusted.dependencies import Dependency, parse_dependencies
from evaluate.untrusted.requirements import Requirement, parse_requirements


class StateLayers:
    """Builds layers of dependencies and keeps them in the state directory; see `evaluate.stages.job.Layers`."""

    def __init__(
        self,
        image: Image | None,
        recipe: Recipe | None,
        state: Path,
        monitor: Monitor,
        limits: LayerLimits = LayerLimits(),
    ) -> None:
        self._image, self._recipe, self._state, self._monitor = image, recipe, state, monitor
        self._limits = limits

    def debian(self, dependencies: bytes | Sequence[Dependency]) -> Path | None:
        """Packages of Debian, installed in containment."""
        image, recipe = self._base()
        asked = parse_dependencies(dependencies) if isinstance(dependencies, bytes) else dependencies
        return build_layer(image, recipe, asked, self._state, self._monitor.say, self._limits)

    def wheels(self, requirements: bytes | Sequence[Requirement]) -> Path | None:
        """Wheels of the package index, unpacked."""
        image, _ = self._base()
        asked = requirements
        if isinstance(asked, bytes):
            asked = parse_requirements(asked, python_of(image))
        return build_wheels_layer(image, asked, self._state, self._monitor.say, self._limits)

    def lacking(self, requirements: Sequence[Requirement]) -> tuple[Refusal, ...]:
        """Asked of the package index."""
        image, _ = self._base()
        with TemporaryDirectory(prefix="pins-") as work:
            return lacking(requirements, python_of(image), Path(work))

    def places(self, links: Mapping[str, str]) -> Path | None:
        """Symbolic links, packed."""
        return build_places_layer(links, self._state)

    def container(
        self, archive: Path, argument: str, limits: ArchiveLimits, program: str = "", model: str = ""
    ) -> ContainerLayer:
        """A container image, its layers merged."""
        return container_layer(archive, argument, self._state, limits, self._monitor.say, program, model)

    def built(self, asked: Any, make: Callable[[], ContainerLayer], *, again: bool) -> ContainerLayer:
        """Noted beside the layer."""
        return built_layer(asked, make, self._state, self._monitor.say, again=again)

    def _base(self) -> tuple[Image, Recipe]:
        if self._image is None or self._recipe is None:
            raise ChallengeError("challenge.yaml names no image, so there is nothing to install dependencies on")
        return self._image, self._recipe
