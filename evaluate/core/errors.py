"""Errors by the party at fault: the only taxonomy of errors.

::

    EvaluateError
    ├── EntryError        the team's: the uploaded entry cannot be evaluated as it is      exit 1
    ├── UsageError        the caller's: a wrong option, a path that does not exist         exit 2
    ├── ChallengeError    the organiser's: challenge, records, references                  exit 2
    └── Fault             ours: the infrastructure failed; says nothing about the entry    exit 3
        ├── SandboxFault      the virtual machine, libvirt, the guest agent
        │   └── BootFault         a guest was started and did not come up
        ├── CounterFault      instructions cannot be counted
        └── ImageFault        an image or layer cannot be built or is incomplete
            └── MirrorFault       a mirror of packages cannot be used

What an entry's *program* does (crash, loop, flood, wrong answer) is expected and is no exception: it is a
`Verdict`.  Messages name the thing, what was expected and what was found.
"""

from __future__ import annotations

from collections.abc import Sequence

from evaluate.core.model import Refusal
from evaluate.core.sanitize import sanitize


class EvaluateError(Exception):
    """Base of all errors raised on purpose.  Messages may quote untrusted text, so they are sanitized."""

    exit_code = 3
    too_slow = False
    """True if something did not end in the time that it was given."""

    def __init__(self, message: str) -> None:
        super().__init__(sanitize(message))


class EntryError(EvaluateError):
    """The uploaded entry is at fault; becomes an INVALID_ENTRY verdict."""

    exit_code = 1

    def __init__(self, message: str, refusals: Sequence[Refusal] = ()) -> None:
        """``refusals``: the same, line by line, as far as that is known."""
        super().__init__(message)
        self.refusals = tuple(refusals)


def refused(refusals: Sequence[Refusal]) -> EntryError:
    """The error for these."""
    return EntryError("\n".join(map(str, refusals)), refusals)


class UsageError(EvaluateError):
    """The command was called wrongly."""

    exit_code = 2


class ChallengeError(EvaluateError):
    """The challenge, its records or its references are at fault: the organiser must act."""

    exit_code = 2


class Fault(EvaluateError):
    """The infrastructure is at fault; the team's quota is untouched and the work may be retried."""

    exit_code = 3


class SandboxFault(Fault):
    """The virtual machine, libvirt or the guest agent did not do what was asked."""

    def __init__(self, message: str, *, console: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.console = tuple(map(sanitize, console))
        """The last lines of the guest's console, for the organiser."""


class BootFault(SandboxFault):
    """A guest was started and its agent did not become ready."""


class CounterFault(Fault):
    """Instructions cannot be counted; never replaced by a guess."""


class ImageFault(Fault):
    """An image or layer cannot be built, or is not what its digest says."""


class MirrorFault(ImageFault):
    """A mirror of packages, from which layers are made, cannot be used."""
