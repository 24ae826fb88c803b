"""One finding about this machine, and the commands that repair it."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from dataclasses import dataclass

BY_ROOT = "EVALUATE_BY_ROOT"
"""Set where root has started the program and it continues as the owner of the state directory."""


@dataclass(frozen=True, kw_only=True)
class Check:
    """One finding."""

    name: str
    ok: bool
    found: str
    remedy: tuple[tuple[str, ...], ...] = ()
    """Commands, run one after the other."""
    needed: bool = True
    by_hand: bool = False
    """True if only a person may decide on the remedy, because it concerns the whole machine."""

    @property
    def remedy_text(self) -> str:
        """The commands as they are typed in a shell."""
        return " && ".join(shlex.join(command) for command in self.remedy)


def note(name: str, ok: bool, words: str, *remedy: tuple[str, ...], by_hand: bool = False) -> Check:
    """A finding about something that is useful and not needed."""
    return Check(name=name, ok=ok, found=words, remedy=remedy, needed=False, by_hand=by_hand)


def as_root(*command: str) -> tuple[str, ...]:
    """The command, by ``sudo`` where the person who typed is not root."""
    return command if os.geteuid() == 0 or os.environ.get(BY_ROOT) else ("sudo", *command)


# How well this installation holds what a hostile entry may do: a grade from the findings of the doctor.
#
# The grade is that of the first wall in `_RANKS` that does not stand; what comes later matters less.


_RANKS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("F", ("walls", "libvirt", "programs", "binding")),
    ("D", ("users", "qemu")),
    ("C", ("daemon", "mitigations", "nested", "ksm")),
    ("B", ("groups", "places", "smt", "swap", "core", "ptrace")),
)
"""Grade -> the findings that keep an installation at it."""
_BOTH = "E"
"""Grade where neither of the two walls around QEMU stands."""
_BEST = "A"


@dataclass(frozen=True, kw_only=True)
class Grade:
    """A to F, and what comes next."""

    letter: str
    because: str
    """The finding that keeps it there; empty for A."""
    command: str
    """Command that raises it, to be typed; empty where no command does."""

    @property
    def line(self) -> str:
        """The grade in words."""
        if not self.because:
            return f"grade {self.letter}: every wall that this program knows stands"
        raised = f"; raises it: {self.command}" if self.command else ""
        return f"grade {self.letter}: {self.because}{raised}"


def graded(checks: Sequence[Check]) -> Grade:
    """The grade of an installation."""
    failed = {check.name: check for check in checks if not check.ok}
    for letter, names in _RANKS:
        failures = [failed[name] for name in names if name in failed]
        if failures:
            first = failures[0]
            worse = letter == "D" and len(failures) > 1
            return Grade(
                letter=_BOTH if worse else letter,
                because=f"{first.name}: {first.found}",
                command=first.remedy_text,
            )
    return Grade(letter=_BEST, because="", command="")
