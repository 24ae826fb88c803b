"""A hypervisor that changes one thing of another: all the rest is passed on."""

from __future__ import annotations

from contextlib import AbstractContextManager

from evaluate.core.model import CounterInfo, Limits, MachineParts
from evaluate.images.image import Image
from evaluate.sandbox.base import Command, Hypervisor, Machine, Sandbox


class Wrapped:
    """See `evaluate.sandbox.base.Hypervisor`; a derived class says how a guest boots."""

    def __init__(self, hypervisor: Hypervisor) -> None:
        self._wrapped = hypervisor

    @property
    def accelerator(self) -> str:
        """See `Hypervisor`."""
        return self._wrapped.accelerator

    @property
    def counter(self) -> CounterInfo | None:
        """See `Hypervisor`."""
        return self._wrapped.counter

    def parts(self, image: Image) -> MachineParts:
        """See `Hypervisor`."""
        return self._wrapped.parts(image)

    def rooms(self, machine: Machine, sample: Command, limits: Limits) -> AbstractContextManager[Sandbox]:
        """See `Hypervisor`; a guest for each command is not changed."""
        return self._wrapped.rooms(machine, sample, limits)
