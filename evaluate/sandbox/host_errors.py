"""Where errors of the host become faults of the sandbox: once, for all that a guest is asked to do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from evaluate.core.errors import SandboxFault


@contextmanager
def of_the_host(doing: str) -> Iterator[None]:
    """Have a full disk, or whatever else the host refuses, raise a SandboxFault that says what was done.

    Also a decorator.  Not around the body of a context manager: what its caller raises is the caller's.
    """
    try:
        yield
    except OSError as e:
        raise SandboxFault(f"{doing}: {e}") from e
