"""Parts of this program that work on somebody's computer, and how fast, in three lines."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from evaluate.core.files import write_file
from evaluate.core.model import Evaluation
from evaluate.host.finding import Check
from evaluate.report.words import power

_SPEEDS = "speeds.json"
_ENGINES = ("podman", "docker")
_ANSWERS_SECONDS = 10.0
_MACHINE = ("programs", "binding", "libvirt", "walls", "state")
"""Checks without which no virtual machine starts."""


def note_speed(state: Path, evaluation: Evaluation) -> None:
    """Keep how many instructions a second the machines of an evaluation executed."""
    machine = evaluation.machine
    counted = [stage.usage for stage in evaluation.stages if stage.usage.instructions and stage.usage.wall_seconds]
    seconds = sum(usage.wall_seconds for usage in counted)
    if machine is None or not seconds:
        return
    speeds = _speeds(state) | {machine.accelerator: sum(usage.instructions for usage in counted) / seconds}
    with suppress(OSError):  # it is only for `evaluate doctor`
        write_file(state / _SPEEDS, json.dumps(speeds).encode())


def working_parts(state: Path, checks: Sequence[Check]) -> Iterator[str]:
    """The three lines: KVM, emulation, and what needs neither.

    ``checks``: what `evaluate.host.doctor.diagnose` found.
    """
    by_name = {check.name: check for check in checks}
    broken = next((by_name[name] for name in _MACHINE if name in by_name and not by_name[name].ok), None)
    speeds = _speeds(state)
    kvm = by_name.get("kvm")
    if broken is not None:
        yield _line("KVM", False, f"the virtual machine needs a repair first ({broken.name})")
        yield _line("emulation", False, f"{broken.name}: {broken.found}")
    else:
        if kvm is None or not kvm.ok:
            yield _line("KVM", False, kvm.found if kvm is not None else "unknown")
        else:
            yield _line("KVM", True, _speed(speeds, "kvm") if "kvm" in speeds else "perhaps: the first try shows it")
        yield _line("emulation", True, f"{_speed(speeds, 'tcg')}; counts are the same as on a server")
    engine = _engine()
    plain = shutil.which("bwrap") is not None
    without = "--runner plain works without any, for the first minutes" if plain else "--runner plain needs bubblewrap"
    yield _line("container", bool(engine), f"{engine or 'neither podman nor docker answers'}; {without}")


def _line(what: str, works: bool, finding: str) -> str:
    return f"{what:<11}{'yes' if works else 'no':<4}{finding}"


def _speed(speeds: dict[str, float], accelerator: str) -> str:
    if accelerator not in speeds:
        return "not measured yet: the first try does"
    return f"{power(speeds[accelerator])} instructions a second when last tried"


def _speeds(state: Path) -> dict[str, float]:
    try:
        speeds = json.loads((state / _SPEEDS).read_bytes())
    except (OSError, ValueError):
        return {}
    return {name: float(speed) for name, speed in speeds.items() if isinstance(speed, int | float)} if speeds else {}


def _engine() -> str:
    """A program that runs containers here."""
    for name in _ENGINES:
        with suppress(OSError, subprocess.SubprocessError):
            subprocess.run([name, "info"], capture_output=True, check=True, timeout=_ANSWERS_SECONDS)
            return f"{name} answers"
    return ""
