"""Runs the hostile cases on this machine, one after the other."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from evaluate.attack import hosted
from evaluate.attack.cases import FAULT, NOT_TRIED, Case, Seen, Via, judge
from evaluate.attack.guests import Guests, from_qemu
from evaluate.config.load import load_config
from evaluate.core.errors import EvaluateError, UsageError
from evaluate.core.sanitize import in_one_line
from evaluate.host.accelerators import open_hypervisor
from evaluate.host.capacity import leased_gpus
from evaluate.images.build import build_image
from evaluate.images.recipe import load_recipe
from evaluate.sandbox.run_folders import RunFolders

IMAGE = "bookworm"
_SHOWN = 160
_ORDER = (Via.UPLOAD, Via.ANSWERS, Via.METRIC, Via.GUEST, Via.RECORD, Via.SETUP, Via.QEMU)
_HOSTED = {
    Via.UPLOAD: hosted.upload,
    Via.ANSWERS: hosted.answers,
    Via.METRIC: hosted.metric,
    Via.GUEST: hosted.agent,
}


@dataclass(frozen=True, kw_only=True)
class Result:
    """One case and its outcome."""

    case: Case
    seen: Seen
    seconds: float

    @property
    def tried(self) -> bool:
        """True if this machine could try it."""
        return self.seen.outcome != NOT_TRIED

    @property
    def held(self) -> bool:
        """True if it ended as expected, or could not be run."""
        return not self.tried or judge(self.case, self.seen)

    @property
    def line(self) -> str:
        """One case for a terminal: what was tried, expected and seen."""
        how = "held" if self.held else "FAILED"
        if not self.tried:
            how = "not tried"
        elif self.held and self.seen.reached:
            how = "known"
        text = f"{how:<10}{self.case.name}: {self.case.attack}; expected {self.case.wanted}; saw {self.seen.outcome}"
        reached = "; ".join(self.seen.reached) or ("" if self.held else self.seen.text)
        if reached:
            text += f" ({in_one_line(reached)[:_SHOWN]})"
        if self.case.residual and self.seen.reached:
            text += f"; known: {self.case.residual}"
        return f"{text}  {self.seconds:.1f} s"


def outcomes(results: Sequence[Result]) -> dict[str, Any]:
    """The outcome of each case for other programs; one that was not tried here counts as neither passed nor failed."""
    cases = [
        {
            "case": result.case.name,
            "expected": list(result.case.expected),
            "seen": result.seen.outcome,
            "ok": result.held,
        }
        for result in results
    ]
    passed = sum(result.tried and result.held for result in results)
    return {"cases": cases, "passed": passed, "failed": sum(not result.held for result in results)}


def selected(cases: Iterable[Case], patterns: Iterable[str]) -> list[Case]:
    """The cases whose names match one of the patterns, in the order in which they run; all if there is no pattern.

    Raises UsageError if none matches.
    """
    patterns = tuple(patterns) or ("*",)
    matching = [case for case in cases if any(fnmatch(case.name, pattern) for pattern in patterns)]
    if not matching:
        raise UsageError(f"no hostile case is called {' or '.join(patterns)}")
    return sorted(matching, key=lambda case: (_ORDER.index(case.via), case.name))


class Suite:
    """Runs cases; the first one that needs a virtual machine boots it."""

    def __init__(self, state: Path, accelerator: str, say: Callable[[str], None]) -> None:
        self._state, self._accelerator, self._say = state, accelerator, say
        self._runs = RunFolders(state / "runs")
        self._held = ExitStack()
        self._guests: Guests | None = None

    def run(self, cases: Iterable[Case]) -> Iterator[Result]:
        """The result of each case as soon as it has ended."""
        with self._held:
            for case in cases:
                begin = time.monotonic()
                seen = self._tried(case)
                yield Result(case=case, seen=seen, seconds=time.monotonic() - begin)

    def _tried(self, case: Case) -> Seen:
        try:
            if case.via in _HOSTED:
                with self._runs.new("attack") as scratch:
                    return _HOSTED[case.via](case, scratch)
            guests = self._used_guests()
            return from_qemu(case, guests, self._state) if case.via is Via.QEMU else guests.attack(case)
        except EvaluateError as e:  # before the attack could begin
            return Seen(FAULT, f"this machine cannot try it: {e}")
        except Exception as e:  # a defect that an attack found is a result, and the next case runs
            return Seen("CRASHED", f"{type(e).__name__}: {e}")

    def _used_guests(self) -> Guests:
        if self._guests is None:
            image = build_image(load_recipe(IMAGE), self._state, self._say)
            hypervisor = open_hypervisor(self._state, image, self._accelerator, self._say)
            folder = self._held.enter_context(self._runs.new("attack"))
            # a QEMU with a GPU has no walls, so attacks begin in such a guest where entries may
            gpus = load_config(self._state).gpus if hypervisor.accelerator == "kvm" else ()
            gpus = self._held.enter_context(leased_gpus("doctor --attack", len(gpus), gpus))
            self._guests = Guests(hypervisor, image, folder, gpus)
            self._held.callback(self._guests.drop)
        return self._guests
