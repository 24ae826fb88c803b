"""One finding about this machine, and the commands that repair it."""

from __future__ import annotations

import os
import shlex
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
