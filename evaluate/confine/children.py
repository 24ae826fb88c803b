"""Child processes, all of them started here: host tools that must succeed, and bounded readers of untrusted bytes.

* `tool` runs a program of the host and waits; `piped` runs one and writes to it.  A missing program, a
  failure or a passed deadline is a `Fault` that names the Debian package or quotes the program's last lines.
* `run` and `started` run a program on untrusted input, bounded in time, memory and what it writes; `Exceeded`
  says which bound was reached, and the caller knows whose fault that is.
* `evaluate.confine.isolated` runs one of our functions in the same way.
"""

from __future__ import annotations

import hashlib
import os
import re
import resource
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from evaluate.confine.control_groups import Group, GroupLimits, own_group
from evaluate.confine.trees import holds_at_most
from evaluate.core.errors import Fault
from evaluate.core.files import SCRATCH, publish
from evaluate.core.packages import package_of, to_install
from evaluate.core.waiting import Deadline

_POLL_SECONDS = 0.1
_MEMORY_BYTES = 4 << 30
_MOST_OUTPUT = 64 << 20
_TOOL_SECONDS = 3600.0
"""Building an image takes minutes; a tool that takes longer than this hangs."""
_SHOWN_LINES = 15
_TOO_LARGE = re.compile(rf"\bsignal {int(signal.SIGXFSZ)}\b|File too large")
"""Text printed by programs that ignore the signal, or that had a child which it ended."""
_Stream = int | IO[bytes]
_PROCESSES, _PROCESSORS = 512, 4
"""Number of processes that a bounded child may consist of, and of processors that they may use at once."""
_SEVERAL = 2
"""Memory they may have together, as a multiple of one's: what one alone needs is bounded by its address space."""


class Exceeded(Exception):
    """A child reached a bound; the message says which."""


class TooSlow(Exceeded):
    """It took longer than allowed."""


def require(programs: Iterable[str], fault: type[Fault] = Fault) -> None:
    """Raise ``fault`` if a program is missing; it names every missing one and the command that installs them."""
    missing = sorted(program for program in programs if shutil.which(program) is None)
    if missing:
        raise fault(f"not found on this machine: {', '.join(missing)}; install with: {to_install(missing)}")


def tool(
    argv: Sequence[str | Path],
    *,
    doing: str,
    fault: type[Fault] = Fault,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    seconds: float = _TOOL_SECONDS,
    stdout: _Stream = subprocess.PIPE,
) -> bytes:
    """Standard output of a program of the host that must succeed; empty if it goes to ``stdout``.

    ``doing``: what it is for, in an error: "fetching the package indexes".

    Raises ``fault`` if it is missing, failed, or did not end in time.
    """
    done = ended(argv, doing=doing, fault=fault, env=env, cwd=cwd, seconds=seconds, stdout=stdout)
    if done.returncode != 0:
        raise fault(failure(doing, argv, done.returncode, done.stderr))
    return done.stdout or b""


def ended(
    argv: Sequence[str | Path],
    *,
    doing: str,
    fault: type[Fault] = Fault,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    seconds: float = _TOOL_SECONDS,
    stdout: _Stream = subprocess.PIPE,
) -> subprocess.CompletedProcess[bytes]:
    """`tool` without a judgement of the exit status."""
    try:
        return subprocess.run(
            list(argv),
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.PIPE,
            env=env,
            cwd=cwd,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired as e:
        raise fault(f"{doing}: {argv[0]} did not end within {seconds:.0f} s") from e
    except OSError as e:
        raise _not_started(argv, doing, fault, e) from e


@contextmanager
def piped(
    argv: Sequence[str | Path],
    *,
    doing: str,
    fault: type[Fault] = Fault,
    env: Mapping[str, str] | None = None,
    seconds: float = _TOOL_SECONDS,
    stdout: IO[bytes] | None = None,
) -> Iterator[IO[bytes]]:
    """The input of a program of the host as a stream; it must succeed.

    ``seconds``: how long it may take once the stream has ended; ``stdout``: where its output goes.

    Raises ``fault`` if it is missing, failed, or did not end in time.
    """
    with tempfile.TemporaryFile() as printed:
        try:
            process = subprocess.Popen(
                list(argv), stdin=subprocess.PIPE, stdout=stdout or printed, stderr=printed, env=env
            )
        except OSError as e:
            raise _not_started(argv, doing, fault, e) from e
        stream = process.stdin
        assert stream is not None
        broken: BrokenPipeError | None = None
        try:
            yield stream
            stream.close()
            process.wait(seconds)
        except BrokenPipeError as e:
            broken = e
        except subprocess.TimeoutExpired as e:
            process.kill()
            raise fault(f"{doing}: {argv[0]} did not end within {seconds:.0f} s") from e
        except BaseException:
            process.kill()
            raise
        finally:
            with suppress(BrokenPipeError):
                stream.close()
            process.wait()
        if process.returncode != 0 or broken:
            printed.seek(0)
            raise fault(failure(doing, argv, process.returncode, printed.read(_MOST_OUTPUT))) from broken


def failure(doing: str, argv: Sequence[str | Path], status: int, stderr: bytes) -> str:
    """The message about a program that failed: what it was for, and the end of what it printed."""
    lines = stderr.decode(errors="replace").strip().splitlines()[-_SHOWN_LINES:]
    how = f"was killed by signal {-status}" if status < 0 else f"ended with exit status {status}"
    return "\n  ".join([f"{doing}: {argv[0]} {how}", *lines])


def _not_started(argv: Sequence[str | Path], doing: str, fault: type[Fault], error: OSError) -> Fault:
    program = Path(argv[0]).name
    if not isinstance(error, FileNotFoundError) or program not in package_of():
        return fault(f"{doing}: {argv[0]} cannot be started: {error}")
    return fault(f"{doing}: {argv[0]} is not installed; install with: {to_install([program])}")


@dataclass(frozen=True, kw_only=True)
class ChildLimits:
    """Limits of one process."""

    seconds: float
    """Seconds of processor time."""
    most_bytes: int
    """Size of every single file that it writes."""
    memory_bytes: int = _MEMORY_BYTES
    """Size of its address space."""


@contextmanager
def started(
    argv: Sequence[str], limits: ChildLimits, group: Group | None = None, **popen: Any
) -> Iterator[subprocess.Popen[bytes]]:
    """A child process with limits; if it is still running at the end, it and everything it started are killed.

    * ``group``: of `bounded_group`, for all that it starts together.
    * ``popen``: further arguments of `subprocess.Popen`.
    """
    bounds = {
        "fsize": (resource.RLIMIT_FSIZE, limits.most_bytes),
        "as": (resource.RLIMIT_AS, limits.memory_bytes),
        "cpu": (resource.RLIMIT_CPU, max(1, int(limits.seconds))),
        "core": (resource.RLIMIT_CORE, 0),
    }
    require(["prlimit"])
    # not between fork and exec, where our own code may hang in a process with threads; and not from outside, where the
    # child has a head start
    words = [f"--{name}={_limit(which, most)}" for name, (which, most) in bounds.items()]
    argv = [*(group.entering if group else ()), "prlimit", *words, "--", *argv]
    popen = {"stdin": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **popen}
    with subprocess.Popen(argv, start_new_session=True, **popen) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


@contextmanager
def bounded_group(memory_bytes: int = _MEMORY_BYTES, kept_bytes: int = 0) -> Iterator[Group | None]:
    """A control group for a bounded child, which may keep ``kept_bytes`` of files in memory; None without groups."""
    most = _SEVERAL * memory_bytes + kept_bytes
    with own_group("reader", GroupLimits(memory_bytes=most, processes=_PROCESSES, processors=_PROCESSORS)) as group:
        yield group


def _limit(which: int, most: int) -> str:
    """Soft and hard limit: the hard one second or byte later, since a SIGKILL at it does not show the reason."""
    allowed = resource.getrlimit(which)[1]
    return ":".join(str(n if allowed == resource.RLIM_INFINITY else min(n, allowed)) for n in (most, most + 1))


def run(
    argv: Sequence[str],
    *,
    env: Mapping[str, str],
    cwd: Path,
    seconds: float,
    most_bytes: int,
    folder: Path | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a bounded child to its end; its output is kept to 64 MiB, undecodable bytes as surrogates.

    Raises Exceeded if it took longer or wrote more.

    ``most_bytes``: bound of every file that it writes, and of ``folder`` as a whole.
    """
    deadline = Deadline(seconds)
    with (
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
        bounded_group() as group,
        started(
            argv, ChildLimits(seconds=seconds, most_bytes=most_bytes), group, env=env, cwd=cwd, stdout=out, stderr=err
        ) as process,
    ):
        while process.poll() is None:
            if deadline.passed:
                raise TooSlow(f"did not end within {seconds:.0f} s")
            if folder is not None and not holds_at_most(folder, most_bytes):
                raise Exceeded(f"needs more than {most_bytes >> 20} MiB")
            try:
                process.wait(_POLL_SECONDS)
            except subprocess.TimeoutExpired:
                continue
        texts = [_text(stream) for stream in (out, err)]
        if process.returncode == -signal.SIGXFSZ or _TOO_LARGE.search(texts[1]):
            raise Exceeded(f"needs more than {most_bytes >> 20} MiB")
        if process.returncode != 0 and group is not None and group.ran_out_of_memory:
            raise Exceeded(f"needs more than {_SEVERAL * _MEMORY_BYTES >> 20} MiB of memory")
        if process.returncode == -signal.SIGXCPU:
            raise TooSlow(f"did not end within {seconds:.0f} s")
    return subprocess.CompletedProcess(list(argv), process.returncode, texts[0], texts[1])


def _text(stream: IO[bytes]) -> str:
    stream.seek(0)
    return stream.read(_MOST_OUTPUT).decode(errors="surrogateescape")


# C programs of this project, compiled at first use


def compiled(source: Path, cache: Path, name: str, compiler: Sequence[str], fault: type[Fault]) -> Path:
    """A compiled C file, from the cache or compiled now (a second).

    * ``source``: one C file that includes no other file of this project.
    * ``cache``: folder of what was compiled; made if it does not exist.
    * ``name``: what the file's name begins with; a digest of source and compiler follows.
    * ``compiler``: the command, without its input and output.
    * ``fault``: what is raised if the compiler is missing or fails.
    """
    digest = hashlib.sha256(source.read_bytes() + " ".join(compiler).encode()).hexdigest()[:16]
    target = cache / f"{name.partition('.')[0]}-{digest}{''.join(Path(name).suffixes)}"
    if target.exists():
        return target
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache, prefix=SCRATCH) as scratch:  # two slots may build it at the same time
        made = Path(scratch) / target.name
        tool([*compiler, "-o", made, source], doing=f"compiling {source.name}", fault=fault)
        publish(made, target, 0o755)
    return target
