"""Behind walls: pip asks the organiser's package index and downloads wheels; nothing is built or executed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from evaluate.confine.children import Exceeded, TooSlow, run
from evaluate.confine.delivery import send, sending
from evaluate.core.errors import EntryError, ImageFault
from evaluate.untrusted.requirements import FILE

DOWNLOADED = "wheels"
_CHUNK_BYTES = 1 << 20
_RUN_PIP = """
import runpy, sys

def refuse(event, _):
    if event in ("subprocess.Popen", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system"):
        raise PermissionError("a package would have to be built, and only wheels are accepted")

sys.addaudithook(refuse)
sys.path.insert(0, sys.argv.pop(1))
"""
"""Prevents pip from building: a wheel may require a source distribution by its URL, which no option of pip refuses."""
_ONCE = """
runpy.run_module("pip", run_name="__main__", alter_sys=True)
"""
_FOR_EACH = """
import contextlib, io

projects = sys.argv.pop(1).split(",")
words = sys.argv[1:]
for n, project in enumerate(projects):
    sys.argv[1:] = [*words, project]
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.suppress(SystemExit):
        runpy.run_module("pip", run_name="__main__", alter_sys=True)
    begins = ("Available versions: ", "Could not fetch URL ", "Found link ")
    kept = [line for line in said.getvalue().splitlines() if line.strip().startswith(begins)]
    print("\\0" * (n > 0) + "\\n".join(kept))
"""
"""One process for several projects: pip takes as long to start as to ask.  Most of what it prints is about links that
do not fit."""


@dataclass(frozen=True, kw_only=True)
class Said:
    """How pip ended, and what it printed."""

    returncode: int
    stdout: str
    stderr: str


def ask(
    interpreter: str,
    library: str,
    words: list[str],
    environment: dict[str, str],
    work: Path,
    seconds: float,
    most_bytes: int,
    out: int | None,
    projects: list[str],
) -> Said:
    """Run pip in the folder ``work``.

    Raises EntryError if it writes more than ``most_bytes``. Raises ImageFault if it does not end in time.

    * ``library``: the folder that has the package pip.
    * ``projects``: run pip for each of these as its last word; what it says of versions and links of each is parted by
      NUL.  Empty: run it once.
    * ``out``: a `evaluate.confine.delivery` for the files that pip leaves in the folder `DOWNLOADED`.
    """
    program, each = (_RUN_PIP + _FOR_EACH, [",".join(projects)]) if projects else (_RUN_PIP + _ONCE, [])
    argv = [interpreter, "-I", "-c", program, library, *each, *words]
    try:
        done = run(argv, env=environment, cwd=work, seconds=seconds, most_bytes=most_bytes, folder=work)
    except TooSlow as e:
        raise ImageFault(f"pip {words[0]} {e}") from e
    except Exceeded as e:
        tries = "pip tries one version after another of packages that contradict each other"
        raise EntryError(f"downloading the packages of {FILE} {e}; {tries}: name versions that fit together") from e
    if out is not None and done.returncode == 0:
        with sending(out) as stream:
            for path in sorted((work / DOWNLOADED).iterdir()):
                with path.open("rb") as f:
                    send(stream, path.name, iter(partial(f.read, _CHUNK_BYTES), b""))
    return Said(returncode=done.returncode, stdout=done.stdout, stderr=done.stderr)
