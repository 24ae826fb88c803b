from __future__ import annotations

import ctypes
import errno
import os
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from metrics import Note, ScoreReport

TRIED: list[str] = []


def attempt(what: str, work: Callable[[], object]) -> None:
    """Ask whether something is allowed, by what changes nothing and keeps nothing; GOT says that it is."""
    try:
        work()
    except BaseException as e:
        TRIED.append(f"refused {what}: {type(e).__name__}")
    else:
        TRIED.append(f"GOT {what}")


class Hostile:
    name = "hostile"

    def score(
        self, references: Path, answers: Path, *, records: Sequence[str] | None = None, rules: str = "corrected"
    ) -> ScoreReport:
        attack(references, answers)
        return ScoreReport(
            metric=self.name, rules=rules, primary="x", values={"x": 0.5}, notes=tuple(map(Note, [*TRIED, "done"]))
        )


METRIC = Hostile()


REFUSED = (errno.EPERM, errno.EACCES, errno.ENOSYS)
LIBC = ctypes.CDLL(None, use_errno=True)


def checked(name: str, *arguments: object) -> None:
    """A call; errors other than of rights mean that the kernel would have gone on."""
    if getattr(LIBC, name)(*arguments) == -1 and ctypes.get_errno() in REFUSED:
        raise PermissionError(ctypes.get_errno(), name)


def attack(references: Path, answers: Path) -> None:
    attempt("starts a program", lambda: subprocess.run(["/bin/true"], check=True))
    attempt("reads its parent's memory", lambda: os.close(os.open(f"/proc/{os.getppid()}/mem", os.O_RDONLY)))
    # a file system that does not exist: who may mount is told so, and nobody mounts anything
    attempt("mounts", lambda: checked("mount", b"x", b"/", b"no-such-file-system", 0, None))
    attempt("makes a user namespace", lambda: checked("unshare", 0x10000000))
    # arguments that are refused in any case, but only after the right to make the call was checked
    attempt("uses io_uring", lambda: checked("syscall", 425, 0, None))
    attempt("loads a program into the kernel", lambda: checked("syscall", 321, 5, None, 0))
    attempt("counts what others do", lambda: checked("syscall", 298, None, 1, -1, -1, 0))
    attempt("uses key rings", lambda: checked("syscall", 250, 0x7FFF, 0, 0, 0, 0))
