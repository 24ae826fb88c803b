"""Where an entry's dependencies come from: read-only layers, made once and kept in the state directory."""

from __future__ import annotations

from pathlib import Path

from evaluate.challenge.types import ArchiveLimits
from evaluate.core.errors import ChallengeError
from evaluate.core.model import LayerLimits
from evaluate.images.container import ContainerLayer, container_layer
from evaluate.images.image import Image
from evaluate.images.layers import build_layer
from evaluate.images.recipe import Recipe
from evaluate.images.wheels import build_wheels_layer, python_of
from evaluate.stages.monitor import Monitor
from evaluate.untrusted.dependencies import parse_dependencies
from evaluate.untrusted.requirements import parse_requirements


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

    def debian(self, dependencies: bytes) -> Path | None:
        """Packages of Debian, installed in containment."""
        image, recipe = self._base()
        return build_layer(
            image, recipe, parse_dependencies(dependencies), self._state, self._monitor.say, self._limits
        )

    def wheels(self, requirements: bytes) -> Path | None:
        """Wheels of the package index, unpacked."""
        image, _ = self._base()
        asked = parse_requirements(requirements, python_of(image))
        return build_wheels_layer(image, asked, self._state, self._monitor.say, self._limits)

    def container(self, archive: Path, argument: str, limits: ArchiveLimits, program: str = "") -> ContainerLayer:
        """A container image, its layers merged."""
        return container_layer(archive, argument, self._state, limits, self._monitor.say, program)

    def _base(self) -> tuple[Image, Recipe]:
        if self._image is None or self._recipe is None:
            raise ChallengeError("challenge.yaml names no image, so there is nothing to install dependencies on")
        return self._image, self._recipe
