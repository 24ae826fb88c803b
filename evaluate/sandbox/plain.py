"""Runs an entry on this host without a virtual machine, for somebody's first minutes: nothing is counted.

A `Hypervisor` whose "guests" are folders.  A command runs under bubblewrap, without a network, with the programs of
this host, the same home, environment and mounts as in a guest, and in a copy of the prepared home, so that a record
leaves nothing to the next.  Time and output are limited, instructions and memory are not; it is no boundary against a
hostile program, and no server uses it.
"""

from __future__ import annotations

import os
import shutil
import signal
import stat
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import IO

from evaluate.confine.children import ended, require
from evaluate.confine.delivery import usable_name
from evaluate.confine.ownership import remove_tree, temporary_folder
from evaluate.confine.trees import TooDeep, walk
from evaluate.core.errors import EntryError, SandboxFault, UsageError
from evaluate.core.model import CounterInfo, Limits, MachineParts, Run, Usage, Verdict
from evaluate.core.waiting import Deadline, readable
from evaluate.images.image import Image
from evaluate.protocol.guest import GID, HOME, MOST_NAME_BYTES, UID
from evaluate.sandbox.base import Command, Machine, Prepared, environment

PLAIN = "plain"
"""Name of the accelerator."""
NONE = "none"
"""Name of the counter."""
_KEPT = 32 << 10
"""Bytes of the beginning and of the end of an output that are kept for the team."""
_CHUNK = 1 << 16
_SAY_SECONDS = 1.0
"""Seconds between two messages about what a command has used so far."""
_OF_HOST = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/usr", "/opt", "/nix/store", "/gnu/store")
_SETTINGS = ("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "fonts", "mime.types", "octave.conf", "R")
_USERS = f"root:x:0:0::/root:/bin/sh\nchallenge:x:{UID}:{GID}::{HOME}:/bin/bash\n"
_GROUPS = f"root:x:0:\nchallenge:x:{GID}:\n"
_ENVIRONMENT = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": HOME,
    "USER": "challenge",
    "LOGNAME": "challenge",
    "SHELL": "/bin/bash",
    "LANG": "C.UTF-8",
    "TERM": "dumb",
    "PYTHONHASHSEED": "0",
    "OMP_NUM_THREADS": "1",
}
"""As in a guest (`vm_images/guest/container.py`)."""


class PlainHypervisor:
    """Hypervisor in name: commands run on this computer, without a virtual machine."""

    accelerator = PLAIN
    counter = CounterInfo(kind=NONE, calibration_error=0.0)

    def __init__(self, scratch: Path) -> None:
        """Folders for commands are made in ``scratch``."""
        require(["bwrap"])
        self._scratch = scratch

    def parts(self, image: Image) -> MachineParts:
        """Return the parts of a machine that has none."""
        return MachineParts(
            image=image.digest,
            agent="",
            kernel_line="",
            qemu="",
            qemu_sha256="",
            libvirt=0,
            accelerator=PLAIN,
            cpu_model="",
            cpu_disabled=(),
            counter=NONE,
            counter_version="",
            tolerance=0.0,
        )

    @contextmanager
    def boot(self, machine: Machine) -> Iterator[PlainSandbox]:
        """A home folder, empty or as `PlainSandbox.freeze` left it."""
        if machine.container or machine.gpus or machine.licence_server is not None:
            raise UsageError("container images, GPUs and licence servers need the virtual machine: leave --runner out")
        with temporary_folder("plain-", self._scratch) as folder:
            home = folder / "home" if machine.prepared is None else machine.prepared.home
            home.mkdir(exist_ok=True)
            sandbox = PlainSandbox(machine, home, folder)
            try:
                yield sandbox
            finally:
                sandbox.ended = True

    def rooms(self, machine: Machine, sample: Command, limits: Limits) -> AbstractContextManager[PlainSandbox]:
        """The same: every command has a copy of the home anyway."""
        del sample, limits
        return self.boot(machine)


class PlainSandbox:
    """Runner of commands on this computer."""

    counter = PlainHypervisor.counter

    def __init__(self, machine: Machine, home: Path, scratch: Path) -> None:
        self._machine, self._home, self._scratch = machine, home, scratch
        self.ended = False

    def run(self, command: Command, limits: Limits) -> Run:
        """Run one command to its end, or to its limit of time or output."""
        if self.ended:
            raise SandboxFault("the sandbox has ended")
        with ExitStack() as stack:
            work = stack.enter_context(temporary_folder("command-", self._scratch))
            home = self._home
            if not command.keep:
                home = work / "home"
                _copy(self._home, home, "its home folder")
            medium = command.medium or self._machine.records
            for name in command.remove:
                _remove(_below(home, HOME, name))
            for name, source in command.inputs.items():
                target = _below(home, HOME, name)
                _remove(target)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(_of_medium(medium, source), target)
            output, tmp = work / "output", work / "tmp"
            output.mkdir()
            tmp.mkdir()
            entry = self._machine.entry if command.stdin_entry else None
            stdin = subprocess.DEVNULL if entry is None else stack.enter_context(entry.open("rb"))
            layers = [_copied(layer, work) for layer in self._machine.layers]
            binds = ["--bind", str(tmp), "/tmp", *_binds(command, medium, output, layers)]
            argv = [*_walls(stack, home, binds), "--", *command.argv]
            run = _watched(argv, _environment(command, limits, layers), stdin, limits, command.using)
            if command.gather is not None:
                run = _gathered(run, output, command.gather, limits.answers_bytes)
            return _collected(run, {HOME: home, "/tmp": tmp}, command.collect, limits.answer_bytes)

    def freeze(self, folder: Path) -> Prepared:
        """Keep the home folder."""
        kept = Prepared.left_in(folder)
        kept.root.touch()
        self._home.rename(kept.home)
        self.ended = True
        return kept


def _environment(command: Command, limits: Limits, layers: Sequence[Path]) -> dict[str, str]:
    lists = [str(_modules(layer)) for layer in layers if not layer.is_dir()]
    modules = {"PYTHONPATH": os.pathsep.join(lists)} if lists else {}
    programs = [str(_programs(layer)) for layer in layers if _programs(layer).is_dir()]
    path = os.pathsep.join((_ENVIRONMENT["PATH"], *programs))
    return {**_ENVIRONMENT, "PATH": path, **modules, **environment(command, limits)}


def _binds(command: Command, medium: Path | None, output: Path, layers: Sequence[Path]) -> list[str]:
    words = [word for layer in layers if not layer.is_dir() for word in ("--ro-bind", *2 * (str(_modules(layer)),))]
    for top in (top for layer in layers if layer.is_dir() for top in sorted(layer.iterdir())):
        if f"/{top.name}" not in _OF_HOST:  # which this host has itself
            words += ["--bind", str(top), f"/{top.name}"]
    for programs in (folder for folder in map(_programs, layers) if folder.is_dir()):
        words += ["--ro-bind", *2 * (str(programs),)]
    for target, folder in command.mounts.items():
        words += ["--ro-bind", str(_of_medium(medium, folder)), target]
    if command.output:
        words += ["--bind", str(output), command.output]
    return [*words, "--chdir", command.cwd]


def _copied(layer: Path, work: Path) -> Path:
    """A layer; of one that is a folder, with files at their places, a copy that the command may change."""
    if not layer.is_dir():
        return layer
    copy = work / f"layer-{layer.name}"
    _copy(layer, copy, "a layer")
    return copy


def _copy(source: Path, target: Path, what: str) -> None:
    """Copy a folder with its links, modes and times. Raises EntryError if a name is too long or closed to this user."""
    done = ended(["cp", "--archive", source, target], doing=f"copying {what}", env={**os.environ, "LC_ALL": "C"})
    last = done.stderr.decode(errors="replace").strip().rpartition("\n")[2][-500:]
    if last.endswith(("File name too long", "Permission denied")):
        raise EntryError(f"the entry left {what} that cannot be copied: {last}")
    if done.returncode != 0:
        raise SandboxFault(f"{what} cannot be copied: {last}")


def _programs(layer: Path) -> Path:
    """The programs of a layer that is a folder; this host's own come first, at their places."""
    return layer / "usr/local/bin"


def _modules(layer: Path) -> Path:
    """The folder of Python modules beside a layer, which is a list of them (`evaluate.home.plain_job`)."""
    return layer.with_suffix("")


def _walls(stack: ExitStack, home: Path, binds: Sequence[str]) -> list[str]:
    """bubblewrap with the programs of this host, read-only, and nothing else of it."""
    words = ["bwrap", "--unshare-all", "--unshare-user", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    words += ["--uid", str(UID), "--gid", str(GID), "--hostname", "challenge"]
    for path in map(Path, _OF_HOST):
        if path.is_symlink():
            words += ["--symlink", str(path.readlink()), str(path)]
        elif path.is_dir():
            words += ["--ro-bind", str(path), str(path)]
    for name in _SETTINGS:
        words += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    for target, text in (("/etc/passwd", _USERS), ("/etc/group", _GROUPS)):
        file = stack.enter_context((home.parent / f".{Path(target).name}").open("w+"))
        file.write(text)
        file.flush()
        words += ["--ro-bind", file.name, target]
    words += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/dev/shm", "--dir", "/var/tmp"]
    return [*words, "--bind", str(home), HOME, *binds]


class _Output:
    """Kept part of one output: its beginning and its end."""

    def __init__(self) -> None:
        self.size, self._first, self._last = 0, bytearray(), bytearray()

    def add(self, data: bytes) -> None:
        self.size += len(data)
        room = _KEPT - len(self._first)
        self._first += data[:room]
        self._last += data[room:] if room < len(data) else b""
        del self._last[:-_KEPT]

    @property
    def kept(self) -> bytes:
        left_out = self.size - len(self._first) - len(self._last)
        gap = f"\n[… {left_out} bytes left out …]\n".encode() if left_out else b""
        return bytes(self._first) + gap + bytes(self._last)


def _watched(
    argv: Sequence[str],
    environment: Mapping[str, str],
    stdin: IO[bytes] | int,
    limits: Limits,
    using: Callable[[Usage, Limits], None] | None = None,
) -> Run:
    """Run a command until it ends or reaches a limit; everything that it started ends with it."""
    deadline, begin = Deadline(limits.wall_seconds), time.monotonic()
    with (
        tempfile.TemporaryFile() as status,
        subprocess.Popen(
            [argv[0], "--json-status-fd", str(status.fileno()), *argv[1:]],
            env=environment,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            pass_fds=[status.fileno()],
        ) as process,
    ):
        assert process.stdout is not None and process.stderr is not None
        outputs = {process.stdout.fileno(): _Output(), process.stderr.fileno(): _Output()}
        streams = tuple(outputs.values())
        verdict = Verdict.OK
        try:
            while outputs and verdict is Verdict.OK:
                for fd in readable(outputs, min(deadline.left, _SAY_SECONDS)):
                    data = os.read(fd, _CHUNK)
                    if data:
                        outputs[fd].add(data)
                    else:
                        del outputs[fd]
                if using is not None:
                    using(Usage(wall_seconds=time.monotonic() - begin), limits)
                if sum(stream.size for stream in streams) > limits.output_bytes:
                    verdict = Verdict.OUTPUT_LIMIT
                elif deadline.passed:
                    verdict = Verdict.WALL_LIMIT
        finally:
            if outputs:  # also when Ctrl-C ends it
                os.killpg(process.pid, signal.SIGKILL)
        code = process.wait()
        status.seek(0)
        ran = b"exit-code" in status.read()  # bubblewrap writes it only of a command that it has started
    wall = time.monotonic() - begin
    usage = Usage(wall_seconds=wall, output_bytes=sum(stream.size for stream in streams))
    details = {
        Verdict.OUTPUT_LIMIT: f"printed more than {limits.output_bytes >> 20} MiB",
        Verdict.WALL_LIMIT: f"ran for more than {limits.wall_seconds:.0f} s",
    }
    detail = details.get(verdict, "")
    if verdict is Verdict.OK and code != 0:
        verdict, detail = Verdict.RUNTIME_ERROR, f"ended with exit code {code}"
        if code > 128 and code - 128 in signal.valid_signals():  # so bubblewrap reports a signal
            detail = f"was ended by signal {code - 128}"
    if not ran and streams[1].kept.startswith(b"bwrap: "):
        text = streams[1].kept[:500].decode(errors="replace").strip()
        raise SandboxFault(f"{text}; evaluate doctor says what this computer refuses, and what allows it")
    return Run(
        verdict=verdict, usage=usage, exit_code=code, stdout=streams[0].kept, stderr=streams[1].kept, detail=detail
    )


def _below(folder: Path, top: str, name: str) -> Path:
    """The place of a file below ``top`` of a guest; what an entry left in ``folder`` is not followed out of it."""
    inside = PurePosixPath(name)
    if not inside.is_relative_to(top) or ".." in inside.parts:
        raise SandboxFault(f"{name}: expected a place below {top}")
    path = folder / inside.relative_to(top)
    if not path.parent.resolve().is_relative_to(folder.resolve()):
        raise SandboxFault(f"{name}: the entry has put a link in its way")
    return path


def _of_medium(medium: Path | None, name: str) -> Path:
    if medium is None:
        raise SandboxFault("the command reads records, and there are none")
    return medium / name


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        remove_tree(path)
    else:
        path.unlink(missing_ok=True)


def _collected(run: Run, folders: Mapping[str, Path], names: Sequence[str], most_bytes: int) -> Run:
    """The run with the files that were asked for; only regular ones of the folders that a command can write to."""
    files, problems = dict(run.files), dict(run.problems)
    for name in names:
        top = next((top for top in folders if PurePosixPath(name).is_relative_to(top)), None)
        if top is None:
            continue
        try:
            fd = os.open(_below(folders[top], top, name), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except FileNotFoundError:
            continue
        except OSError as e:
            problems[name] = e.strerror or str(e)
            continue
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            os.close(fd)
            problems[name] = "not a regular file"
            continue
        with os.fdopen(fd, "rb") as file:
            data = file.read(most_bytes + 1)
        if len(data) > most_bytes:
            problems[name] = f"larger than {most_bytes} bytes"
        else:
            files[name] = data
    return replace(run, files=files, problems=problems)


def _gathered(run: Run, output: Path, target: Path, most_bytes: int) -> Run:
    """Copy the regular files of the output folder, as far as they fit and have usable names, as those of a guest."""
    target.mkdir(parents=True, exist_ok=True)
    left = most_bytes
    try:
        for item in walk(output):
            name = usable_name(os.fsencode("/".join(item.parts)))
            if not stat.S_ISREG(item.status.st_mode) or name is None or len(name.encode()) > MOST_NAME_BYTES:
                continue
            left -= item.status.st_size
            if left < 0:
                problem = f"left more than {most_bytes >> 20} MiB in its folder of answers"
                return replace(run, verdict=Verdict.OUTPUT_LIMIT, detail=problem)
            copy = target / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(output / name, copy)
    except TooDeep as e:
        return replace(run, verdict=Verdict.OUTPUT_LIMIT, detail=f"left {e}")
    return run
