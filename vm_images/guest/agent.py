"""The guest agent: program 1 of the guest, the trusted half of the machine that the entry's programs run in.

It takes frames from the supervisor and runs one command at a time.  Between ``go`` and ``exited`` it sleeps in
one epoll without a timeout, so that what it does is the same every time and small: the supervisor counts the
instructions of the whole machine.  What the entry does is reported; what goes wrong here is a ``fault``.
"""

from __future__ import annotations

import contextlib
import os
import platform
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any, NoReturn

sys.path.insert(0, "/run/evaluate")  # python3 -I leaves the program's own folder out

import container
import frames
import kernel
from container import CGROUPS, DISKS, LAYERS, MEDIUM, Pipes, Place, Task
from kernel import MS_NOATIME, MS_NODEV, MS_NOEXEC, MS_NOSUID, MS_RDONLY, call, mount

AGENT_VERSION = 1
_KEEP_BYTES = 32 << 10
_CHUNK = 1 << 16
_FULL_BYTES, _FULL_INODES = 64 << 10, 16
"""A file system with less than this left is called full."""
_SETTINGS = {
    "kernel/dmesg_restrict": "1",
    "kernel/kptr_restrict": "2",
    "kernel/perf_event_paranoid": "3",
    "kernel/unprivileged_bpf_disabled": "1",
    "kernel/randomize_va_space": "0",  # counts can be repeated
    "user/max_user_namespaces": "0",  # or an entry reaches much more of the kernel
    "vm/unprivileged_userfaultfd": "0",
}


class Port:
    """The way to the supervisor, as frames."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self._reader = frames.Reader(None)
        self._writer: frames.Writer | None = None
        self._arrived: list[frames.Frame] = []

    def read(self) -> None:
        """Take what has arrived; blocks if nothing has."""
        data = os.read(self.fd, _CHUNK)
        if not data:
            if self._reader.nonce is not None:
                power_off()  # the supervisor has hung up
            time.sleep(0.05)  # it has not called yet
        self._arrived += self._reader.feed(data)

    def next(self) -> frames.Frame | None:
        """A frame that has arrived whole."""
        return self._arrived.pop(0) if self._arrived else None

    def receive(self) -> frames.Frame:
        """The next frame, waiting for it."""
        while not self._arrived:
            self.read()
        return self._arrived.pop(0)

    def expect(self, kind: str, number: int) -> None:
        """Wait for a frame of this kind about command ``number``; a kill that came too late is let go."""
        while True:
            frame = self.receive()
            if frame.kind == "kill" and frame.values.get("id") == number:
                continue
            if frame.kind != kind or frame.values.get("id") != number:
                raise frames.FrameError(f"expected {kind!r} of command {number}, found {frame.kind!r}")
            return

    def send(self, kind: str, blob: bytes = b"", **values: Any) -> None:
        """Send a frame."""
        if self._writer is None:
            if self._reader.nonce is None:
                return  # nobody has spoken to us yet
            self._writer = frames.Writer(self._reader.nonce)
        data = memoryview(self._writer.pack(frames.Frame(kind, values, blob)))
        while data:
            data = data[os.write(self.fd, data) :]


def _port_device(wanted: str = frames.PORT) -> str:
    folder = "/sys/class/virtio-ports"
    for _ in range(200):
        for name in os.listdir(folder):
            with open(f"{folder}/{name}/name") as f:
                if f.read().strip() == wanted:
                    return f"/dev/{name}"
        time.sleep(0.05)  # the port is found by the kernel a moment after the driver is loaded
    raise OSError(f"no virtio port called {wanted}")


def _disk(serial: str) -> str:
    for name in os.listdir("/sys/block"):
        try:
            with open(f"/sys/block/{name}/serial") as f:
                if f.read().strip() == serial:
                    return f"/dev/{name}"
        except OSError:
            continue
    raise OSError(f"no disk has the serial {serial!r}")


def _set(name: str, value: str) -> None:
    with open(f"/proc/sys/{name}", "w") as f:
        f.write(value)


def _relay(ports: list[int]) -> Callable[[], None] | None:
    """The way to the licence server, for the few challenges that have one: others need not load its module."""
    if not ports:
        return None
    import licence  # noqa: PLC0415

    fd = os.open(_port_device(frames.LICENCE_PORT), os.O_RDWR | os.O_CLOEXEC)
    return lambda: licence.relay(fd, ports)


class Machine:
    """The disks, as the supervisor's ``hello`` describes them."""

    def __init__(self, hello: dict[str, Any]) -> None:
        if hello.get("version") != frames.VERSION:
            raise frames.FrameError(f"the supervisor speaks version {hello.get('version')}, not {frames.VERSION}")
        self.n_layers = int(hello["layers"])
        self.base = bool(hello["base"])
        if not self.base:
            _set("user/max_user_namespaces", "64")  # a container's user 0 must not be the machine's
        for i in range(self.n_layers):
            os.makedirs(f"{LAYERS}/{i}")
            mount(_disk(f"layer{i}"), f"{LAYERS}/{i}", "squashfs", MS_RDONLY)
        for name in ("root", "home", "tmp"):
            os.makedirs(f"{DISKS}/{name}")
            # the inode tables of a new disk stay as they are: nobody but the entry is to work in the guest
            mount(_disk(name), f"{DISKS}/{name}", "ext4", MS_NODEV | MS_NOSUID | MS_NOATIME, "noinit_itable")
        os.makedirs(MEDIUM)
        if hello["records"]:
            mount(_disk("records"), MEDIUM, "iso9660", MS_RDONLY | MS_NODEV | MS_NOSUID)
        self.entry = _disk("entry") if hello["entry"] else None
        self.relay = _relay([int(port) for port in hello["licence"]])
        self.answers = _disk("answers") if hello["answers"] else None
        os.makedirs("/run/evaluate/root")
        if hello["fresh"]:
            for path in (f"{DISKS}/root/kept", f"{DISKS}/root/work", f"{DISKS}/home/kept"):
                os.mkdir(path)
            os.chown(f"{DISKS}/home/kept", container.UID, container.GID)

    def unmount(self) -> None:
        """Leave the disks whole, their journals empty."""
        os.sync()
        for name in ("root", "home", "tmp"):
            call("umount2", f"{DISKS}/{name}", 0)

    def full(self) -> list[str]:
        """Names of the disks that have no room or no inode left."""
        found = []
        for name in ("root", "home", "tmp"):
            state = os.statvfs(f"{DISKS}/{name}")
            if state.f_bavail * state.f_frsize < _FULL_BYTES or state.f_favail < _FULL_INODES:
                found.append("/" + name if name != "root" else "the root disk")
        return found


class Stream:
    """What a command prints: counted, its beginning and its end kept."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self.total = 0
        self._head = bytearray()
        self._tail = bytearray()
        os.set_blocking(fd, False)

    def drain(self) -> None:
        """Take what is there."""
        while True:
            try:
                data = os.read(self.fd, _CHUNK)
            except BlockingIOError:
                return
            self.total += len(data)
            room = _KEEP_BYTES - len(self._head)
            self._head += data[:room]
            self._tail += data[room:]
            if len(self._tail) > 2 * _KEEP_BYTES:
                del self._tail[:-_KEEP_BYTES]
            if len(data) < _CHUNK:
                return

    def kept(self) -> bytes:
        """The beginning and the end, and how much is left out between them."""
        tail = bytes(self._tail[-_KEEP_BYTES:])
        left_out = self.total - len(self._head) - len(tail)
        gap = f"\n[… {left_out} bytes left out …]\n".encode() if left_out else b""
        return bytes(self._head) + gap + tail


class Group:
    """The control group of one command."""

    def __init__(self, name: str, memory_bytes: int, processes: int) -> None:
        self.path = f"{CGROUPS}/{name}"
        os.mkdir(self.path)
        self._set("memory.max", memory_bytes)
        self._set("memory.swap.max", 0)
        self._set("memory.oom.group", 1)
        self._set("pids.max", processes + 2)  # the keeper and the init are ours
        self.pids_events = os.open(f"{self.path}/pids.events", os.O_RDONLY | os.O_CLOEXEC)
        os.pread(self.pids_events, 256, 0)  # a file never read counts as changed and would wake at once

    def _set(self, name: str, value: int) -> None:
        with open(f"{self.path}/{name}", "w") as f:
            f.write(str(value))

    def _event(self, file: str, key: str) -> int:
        with open(f"{self.path}/{file}") as f:
            return next((int(line.split()[1]) for line in f if line.split()[0] == key), 0)

    def forks_refused(self) -> int:
        """How often a fork was refused for the number of processes."""
        os.pread(self.pids_events, 256, 0)  # so that the next event wakes again
        return self._event("pids.events", "max")

    def kill(self) -> None:
        """End everything in it."""
        self._set("cgroup.kill", 1)

    def oom(self) -> bool:
        """Whether the kernel ended it for its memory."""
        return self._event("memory.events", "oom_kill") > 0

    def memory_peak(self) -> int:
        """Bytes, the agent's own forks included (2 to 6 MB)."""
        with open(f"{self.path}/memory.peak") as f:
            return int(f.read())

    def close(self) -> None:
        """Remove it; it is empty."""
        os.close(self.pids_events)
        os.rmdir(self.path)


def run(port: Port, machine: Machine, order: dict[str, Any]) -> None:
    """One command, from ``run`` to ``ended``."""
    number, limits = int(order["id"]), order["limits"]
    if not order["keep"] and (full := machine.full()):
        _refuse(port, number, order["collect"], full)
        return
    user = tuple(order["user"]) if order["user"] else None
    place = Place(
        name=f"run-{number}",
        keep=bool(order["keep"]),
        n_layers=machine.n_layers,
        base=machine.base,
        mounts=dict(order["mounts"]),
        output=str(order["output"]),
        owner=container.UID if user is None else container.OWNER_SHIFT + user[0],
    )
    place.make()
    helpers = 1 if machine.relay else 0
    group = Group(place.name, int(limits["memory_bytes"]), int(limits["processes"]) + helpers)
    task = Task(
        argv=[str(word) for word in order["argv"]],
        cwd=str(order["cwd"]),
        env=dict(order["env"]),
        inputs=dict(order["inputs"]),
        remove=list(order["remove"]),
        stdin=(machine.entry or "/dev/null") if order["stdin_entry"] else "/dev/null",
        user=user,
        relay=machine.relay,
    )
    ends = {name: os.pipe() for name in ("stdout", "stderr", "ready", "go", "status")}
    ours = {name: pair[1] if name == "go" else pair[0] for name, pair in ends.items()}
    theirs = {name: pair[0] if name == "go" else pair[1] for name, pair in ends.items()}
    keeper = container.start(place, task, group.path, Pipes(**theirs))
    for name in ("ready", "go", "status"):
        os.close(theirs[name])
    ready = _read_all(ours["ready"])
    if ready != b"ok":
        raise OSError(f"a command cannot be started: {ready.decode(errors='replace') or 'no reason given'}")
    namespace = os.open(f"/proc/{keeper}/ns/mnt", os.O_RDONLY | os.O_CLOEXEC)
    streams = Stream(ours["stdout"]), Stream(ours["stderr"])
    output_bytes = int(limits["output_bytes"])
    watch = Watch(port, number, group, streams, ours, output_bytes)
    port.send("started", id=number)
    port.expect("go", number)
    watch.wait()
    port.send("exited", id=number)
    port.expect("counted", number)

    for stream in streams:
        stream.drain()
    status = _read_all(ours["status"])
    files, parts = [], [stream.kept() for stream in streams]
    sizes = [len(part) for part in parts]
    for path in order["collect"]:
        data, problem = container.collect(namespace, path, int(limits["answer_bytes"]))
        files.append({"path": path, "bytes": None if data is None else len(data), "problem": problem})
        parts.append(data or b"")
    gathered, problem = 0, ""
    if place.output and machine.answers:
        most = int(limits["answers_bytes"])
        gathered, problem = container.gather(namespace, place.output, place.owner, machine.answers, most)
    printed = sum(stream.total for stream in streams)
    facts = {
        **_end(status),
        "oom": group.oom(),
        "forks_refused": group.forks_refused(),
        "output_bytes": printed,
        "output_exceeded": printed > output_bytes,
        "killed": watch.killed,
        "memory_peak": group.memory_peak(),
        "disk_full": machine.full(),
        "stdout_bytes": sizes[0],
        "stderr_bytes": sizes[1],
        "files": files,
        "gathered": gathered,
        "gather_problem": problem,
    }
    os.close(namespace)
    for fd in (*ours.values(), theirs["stdout"], theirs["stderr"]):
        os.close(fd)
    group.close()
    port.send("ended", b"".join(parts), id=number, **facts)
    # after the report, while the supervisor reads it; rm, not Python: an entry can nest folders deeper than
    # Python recurses
    subprocess.run(["/bin/rm", "-rf", "--", *place.scratch], check=True)


def _refuse(port: Port, number: int, collect: list[str], full: list[str]) -> None:
    """Answer for a command whose writable layer finds no room: its own setup has filled the disk.

    The supervisor is told what it would be told of a command that fails at once.
    """
    message = f"nothing can be written: {', '.join(full)} filled up\n".encode()
    port.send("started", id=number)
    port.expect("go", number)
    port.send("exited", id=number)
    port.expect("counted", number)
    facts = {
        "exit_code": 126,
        "signal": None,
        "oom": False,
        "forks_refused": 0,
        "output_bytes": len(message),
        "output_exceeded": False,
        "killed": False,
        "memory_peak": 0,
        "disk_full": full,
        "stdout_bytes": 0,
        "stderr_bytes": len(message),
        "files": [{"path": path, "bytes": None, "problem": "missing"} for path in collect],
        "gathered": 0,
        "gather_problem": message.decode().strip(),
    }
    port.send("ended", message, id=number, **facts)


class Watch:
    """Lets a command run until it has ended or must be ended; then nothing of it is left alive.

    The agent keeps the writing ends of the output pipes open, so that their closing wakes nobody: the fewer
    wake-ups between ``go`` and ``exited``, the less of the agent is in the count.
    """

    def __init__(
        self,
        port: Port,
        number: int,
        group: Group,
        streams: tuple[Stream, Stream],
        ours: dict[str, int],
        output_bytes: int,
    ) -> None:
        self._port = port
        self._number = number
        self._group = group
        self._streams = streams
        self._go, self._status = ours["go"], ours["status"]
        self._output_bytes = output_bytes
        self.killed = False
        self._poll = select.epoll()
        for fd in (self._status, port.fd, *(stream.fd for stream in streams)):
            self._poll.register(fd, select.EPOLLIN)
        self._poll.register(group.pids_events, select.EPOLLPRI)

    def wait(self) -> None:
        """From ``go`` to the death of everything in the group."""
        os.write(self._go, b"g")
        over = False
        while not over:
            for fd, _events in self._poll.poll():  # each of them is looked at, whatever another says
                over = self._is_over(fd) or over
        self._poll.close()
        self._group.kill()
        _reap()

    def _is_over(self, fd: int) -> bool:
        if fd == self._status:
            return True
        if fd == self._group.pids_events:
            return self._group.forks_refused() > 0
        if fd == self._port.fd:
            self._port.read()
            while (frame := self._port.next()) is not None:
                if frame.kind != "kill" or frame.values.get("id") != self._number:
                    raise frames.FrameError(f"expected a kill of {self._number}, found {frame.kind!r}")
                self.killed = True
            return self.killed
        for stream in self._streams:
            if fd == stream.fd:
                stream.drain()
        return sum(stream.total for stream in self._streams) > self._output_bytes


def _reap() -> None:
    """Wait until no child is left: as program 1 the agent inherits every orphan."""
    while True:
        try:
            os.wait()
        except ChildProcessError:
            return


def _read_all(fd: int) -> bytes:
    found = b""
    while chunk := os.read(fd, 4096):
        found += chunk
    return found


def _end(status: bytes) -> dict[str, int | None]:
    """Exit code and signal; both None when everything was killed before the command ended by itself."""
    if len(status) != 4:
        return {"exit_code": None, "signal": int(signal.SIGKILL)}
    code = os.waitstatus_to_exitcode(int.from_bytes(status, "little"))
    return {"exit_code": code, "signal": None} if code >= 0 else {"exit_code": None, "signal": -code}


def power_off() -> NoReturn:
    """Switch the machine off."""
    os.sync()
    kernel.power_off()
    while True:
        signal.pause()


def prepare() -> None:
    """What must hold before the first command."""
    for name, value in _SETTINGS.items():
        with contextlib.suppress(FileNotFoundError):  # a kernel without that feature needs no setting for it
            _set(name, value)
    mount("cgroup", CGROUPS, "cgroup2", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    with open(f"{CGROUPS}/cgroup.subtree_control", "w") as f:
        f.write("+memory +pids")
    kernel.lock_memory()  # answers the supervisor also when memory is short
    os.setpriority(os.PRIO_PROCESS, 0, -20)
    # at the next tick, not at once: then many small writes of the entry wake the agent once
    os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


def serve(port: Port) -> None:
    """Answer frames until ``finish``."""
    prepare()
    hello = port.receive()
    if hello.kind != "hello":
        raise frames.FrameError(f"expected 'hello', found {hello.kind!r}")
    machine = Machine(hello.values)
    port.send("ready", agent=AGENT_VERSION, kernel=platform.release(), python=platform.python_version())
    while True:
        frame = port.receive()
        if frame.kind == "run":
            run(port, machine, frame.values)
        elif frame.kind == "finish":
            machine.unmount()
            port.send("finished")
            return
        else:
            raise frames.FrameError(f"expected 'run' or 'finish', found {frame.kind!r}")


def main() -> None:
    """Serve; whatever goes wrong is said and ends the machine."""
    try:
        port = Port(os.open(_port_device(), os.O_RDWR | os.O_CLOEXEC))
        try:
            serve(port)
        except Exception as e:
            port.send("fault", message=f"{type(e).__name__}: {e}")
    except Exception as e:
        print(f"evaluate agent: {type(e).__name__}: {e}", flush=True)
    power_off()


if __name__ == "__main__":
    main()
