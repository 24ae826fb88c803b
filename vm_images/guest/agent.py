"""The guest agent: process 1 of the guest, and its trusted half.

It takes messages from the host (`evaluate.protocol`) and runs one command at a time.  The host counts the
instructions of the whole machine, so the agent's work between ``Go`` and ``Exited`` is small and the same every
time: it sleeps in one epoll and wakes once, when the command's keeper reports.  What the entry does is reported; an
error of the agent itself is an ``AgentFault``.
"""

from __future__ import annotations

import contextlib
import fcntl
import gc
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import NoReturn, TypeVar

sys.path.insert(0, "/run/evaluate")  # python3 -I leaves the program's own folder out

import container
import kernel
from container import CGROUPS, DISKS, LAYERS, MEDIUM, Pipes, Place, Task
from kernel import MS_NOATIME, MS_NODEV, MS_NOEXEC, MS_NOSUID, MS_RDONLY, call, mount

from evaluate.protocol import messages
from evaluate.protocol.frames import FrameError, Reader, Writer
from evaluate.protocol.guest import GID, LICENCE_PORT, OWNER_SHIFT, PORT, UID
from evaluate.protocol.messages import Message

_KEEP_BYTES = 32 << 10
_CHUNK = 1 << 16
_CHUNKS_A_WAKE = 16
"""After so many chunks the port is checked again, however fast the command prints."""
_PIPE_BYTES = 1 << 20
_FIRST_LOOK_SECONDS, _LOOK_SECONDS = 2.0, 8.0
_BUSY_SECONDS = 5.0
_FULL_BYTES, _FULL_INODES = 64 << 10, 16
"""A file system with less than this left is called full."""
_MEDIUM = ("iso9660", MS_RDONLY | MS_NODEV | MS_NOSUID)
_SETTINGS = {
    "kernel/dmesg_restrict": "1",
    "kernel/kptr_restrict": "2",
    "kernel/perf_event_paranoid": "3",
    "kernel/unprivileged_bpf_disabled": "1",
    "kernel/randomize_va_space": "0",  # so that counts are repeatable
    "user/max_user_namespaces": "0",  # otherwise an entry could reach much more of the kernel
    "vm/unprivileged_userfaultfd": "0",
}


M = TypeVar("M", bound=Message)


class Port:
    """The connection to the host, as messages."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self._reader = Reader(None)
        self._writer: Writer | None = None
        self._arrived: list[Message] = []

    def read(self) -> None:
        """Take what has arrived; blocks if nothing has."""
        data = os.read(self.fd, _CHUNK)
        if not data:
            if self._reader.nonce is not None:
                power_off()  # the host has hung up
            time.sleep(0.05)  # it has not connected yet
        self._arrived += [messages.decode(frame, messages.FROM_HOST) for frame in self._reader.feed(data)]

    def next(self) -> Message | None:
        """A message that has arrived completely, or None."""
        return self._arrived.pop(0) if self._arrived else None

    def receive(self) -> Message:
        """The next message, waiting for it."""
        while not self._arrived:
            self.read()
        return self._arrived.pop(0)

    def expect(self, kind: type[M]) -> M:
        """Wait for a message of this kind."""
        message = self.receive()
        while kind is messages.Counted and isinstance(message, messages.Kill):
            message = self.receive()  # the host sent it before it received our `Exited`
        if not isinstance(message, kind):
            raise FrameError(f"expected {kind.kind!r}, found {message.kind!r}")
        return message

    def send(self, message: Message) -> None:
        """Send a message."""
        if self._writer is None:
            if self._reader.nonce is None:
                return  # the host has not sent anything yet
            self._writer = Writer(self._reader.nonce)
        data = memoryview(self._writer.pack(messages.encode(message)))
        while data:
            data = data[os.write(self.fd, data) :]

    @contextlib.contextmanager
    def busy(self) -> Iterator[None]:
        """Send `Busy` every few seconds while the body waits for something; the body must not send anything itself."""
        before = signal.signal(signal.SIGALRM, lambda _number, _frame: self.send(messages.Busy()))
        signal.setitimer(signal.ITIMER_REAL, _BUSY_SECONDS, _BUSY_SECONDS)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)


def _port_device(wanted: str = PORT) -> str:
    folder = "/sys/class/virtio-ports"
    for _ in range(200):
        for name in os.listdir(folder):
            with open(f"{folder}/{name}/name") as f:
                if f.read().strip() == wanted:
                    return f"/dev/{name}"
        time.sleep(0.05)  # the kernel finds the port a moment after the driver is loaded
    raise OSError(f"no virtio port called {wanted}")


def _disk(serial: str, *, needed: bool = True) -> str:
    for name in os.listdir("/sys/block"):
        try:
            with open(f"/sys/block/{name}/serial") as f:
                if f.read().strip() == serial:
                    return f"/dev/{name}"
        except OSError:
            continue
    if needed:
        raise OSError(f"no disk has the serial {serial!r}")
    return ""


def _set(name: str, value: str) -> None:
    with open(f"/proc/sys/{name}", "w") as f:
        f.write(value)


def _relay(ports: list[int]) -> Callable[[], None] | None:
    """The relay to the licence server, for the few challenges that have one: others need not load its module."""
    if not ports:
        return None
    import licence  # noqa: PLC0415

    fd = os.open(_port_device(LICENCE_PORT), os.O_RDWR | os.O_CLOEXEC)
    return lambda: licence.relay(fd, ports)


class Machine:
    """The disks, as the host's ``Hello`` describes them."""

    def __init__(self, hello: messages.Hello) -> None:
        if hello.clock:
            time.clock_settime(time.CLOCK_REALTIME, hello.clock)
        self._mounted: list[str] = []
        self.n_layers = hello.layers
        self.base = not hello.container
        if hello.container:
            _set("user/max_user_namespaces", "64")  # user 0 of a container must not be user 0 of the machine
        for i in range(self.n_layers):
            self._mount(_disk(f"layer{i}"), f"{LAYERS}/{i}", "squashfs", MS_RDONLY)
        for name in ("root", "home", "tmp"):
            # noinit_itable: the kernel does not initialise inode tables in the background, which would be counted
            flags = MS_NODEV | MS_NOSUID | MS_NOATIME
            self._mount(_disk(name), f"{DISKS}/{name}", "ext4", flags, "noinit_itable")
        os.makedirs(MEDIUM, exist_ok=True)
        self._records = _disk("records", needed=hello.records)
        if hello.records:
            self._mount(self._records, MEDIUM, *_MEDIUM)
        self.entry = _disk("entry") if hello.entry else None
        self.relay = _relay(list(hello.licence))
        self.answers = _disk("answers") if hello.answers else None
        os.makedirs("/run/evaluate/root", exist_ok=True)
        if hello.fresh:
            for path in (f"{DISKS}/root/kept", f"{DISKS}/root/work", f"{DISKS}/home/kept"):
                os.mkdir(path)
            os.chown(f"{DISKS}/home/kept", UID, GID)

    def _mount(self, disk: str, target: str, kind: str, flags: int, data: str = "") -> None:
        os.makedirs(target, exist_ok=True)
        mount(disk, target, kind, flags, data)
        self._mounted.insert(0, target)

    @contextlib.contextmanager
    def medium(self) -> Iterator[None]:
        """The records disk, for one command."""
        mount(self._records, MEDIUM, *_MEDIUM)
        yield
        call("umount2", MEDIUM, 0)  # the kernel now forgets everything that it has read of the disk

    def unmount(self) -> None:
        """Unmount the disks, so that they are complete and their journals are empty."""
        os.sync()
        for target in self._mounted:
            call("umount2", target, 0)

    def full(self) -> list[messages.Disk]:
        """The disks that have no space or no inodes left."""
        found: list[messages.Disk] = []
        names: tuple[messages.Disk, ...] = ("root", "home", "tmp")
        for name in names:
            state = os.statvfs(f"{DISKS}/{name}")
            if state.f_bavail * state.f_frsize < _FULL_BYTES or state.f_favail < _FULL_INODES:
                found.append(name)
        return found


class Stream:
    """The output of a command: all of it is counted, its beginning and its end are kept.

    The pipe holds a mebibyte, so the output of most commands is read when they have ended.
    """

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self.total = 0
        self._head = bytearray()
        self._tail = bytearray()
        os.set_blocking(fd, False)

    def drain(self, chunks: int | None = None) -> None:
        """Read what is available, at most so many chunks."""
        while chunks is None or chunks > 0:
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
            if not data:
                return
            chunks = None if chunks is None else chunks - 1

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
        self._set("pids.max", processes + 2)  # the keeper and the init do not belong to the entry
        self.pids_events = os.open(f"{self.path}/pids.events", os.O_RDONLY | os.O_CLOEXEC)
        os.pread(self.pids_events, 256, 0)  # otherwise it counts as changed and wakes the agent at once

    def _set(self, name: str, value: int) -> None:
        with open(f"{self.path}/{name}", "w") as f:
            f.write(str(value))

    def _event(self, file: str, key: str) -> int:
        with open(f"{self.path}/{file}") as f:
            return next((int(line.split()[1]) for line in f if line.split()[0] == key), 0)

    def forks_refused(self) -> int:
        """How often a fork was refused because of the number of processes."""
        os.pread(self.pids_events, 256, 0)  # so that the next event wakes the agent again
        return self._event("pids.events", "max")

    def kill(self) -> None:
        """Kill every process in it."""
        self._set("cgroup.kill", 1)

    def oom(self) -> bool:
        """Whether the kernel killed it because of its memory use."""
        return self._event("memory.events", "oom_kill") > 0

    def memory_peak(self) -> int:
        """Bytes, the agent's own forks included (2 to 6 MB)."""
        with open(f"{self.path}/memory.peak") as f:
            return int(f.read())

    def close(self) -> None:
        """Remove it; it is empty."""
        os.close(self.pids_events)
        os.rmdir(self.path)


def run(port: Port, machine: Machine, order: messages.Run) -> None:
    """One command, from ``Run`` to ``Ended``."""
    if not order.keep and (full := machine.full()):
        _refuse(port, order, full)
        return
    with machine.medium() if order.medium else contextlib.nullcontext():
        _run(port, machine, order)


def _run(port: Port, machine: Machine, order: messages.Run) -> None:
    limits = order.limits
    owner = UID if order.user is None else OWNER_SHIFT + order.user.uid
    place = Place(
        keep=order.keep,
        n_layers=machine.n_layers,
        base=machine.base,
        mounts=order.mounts,
        output=order.output,
        owner=owner,
    )
    task = Task(
        argv=order.argv,
        cwd=order.cwd,
        env=order.env,
        inputs=order.inputs,
        remove=order.remove,
        stdin=(machine.entry or "/dev/null") if order.stdin_entry else "/dev/null",
        user=None if order.user is None else (order.user.uid, order.user.gid),
        relay=machine.relay,
    )
    ends = {name: os.pipe() for name in ("stdout", "stderr", "ready", "go", "status")}
    ours = {name: pair[1] if name == "go" else pair[0] for name, pair in ends.items()}
    theirs = {name: pair[0] if name == "go" else pair[1] for name, pair in ends.items()}
    for name in ("stdout", "stderr"):
        fcntl.fcntl(ours[name], fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
        os.fchown(ours[name], owner, owner)  # so that a program may open /dev/stdout
    # a command that starts at once is counted from its order on, so no alarm may strike in between
    with contextlib.nullcontext() if order.at_once else port.busy():
        place.make()
        group = Group(place.name, limits.memory_bytes, limits.processes + (1 if machine.relay else 0))
        keeper = container.start(place, task, group.path, Pipes(**theirs))
        for name in ("ready", "go", "status"):
            os.close(theirs[name])
        ready = _read_all(ours["ready"])
    if ready != b"ok":
        raise OSError(f"a command cannot be started: {ready.decode(errors='replace') or 'no reason given'}")
    namespace = os.open(f"/proc/{keeper}/ns/mnt", os.O_RDONLY | os.O_CLOEXEC)
    streams = Stream(ours["stdout"]), Stream(ours["stderr"])
    watch = Watch(port, group, streams, (theirs["stdout"], theirs["stderr"]), ours["status"], limits.output_bytes)
    if not order.at_once:
        port.send(messages.Started())
        port.expect(messages.Go)
    os.write(ours["go"], b"g")
    status = watch.wait()
    port.send(messages.Exited())
    port.expect(messages.Counted)

    with port.busy():
        for stream in streams:
            stream.drain()
        files = []
        for path in order.collect:
            data, problem = container.collect(namespace, path, limits.answer_bytes)
            files.append(messages.Collected(data=data, problem=messages.sentence(problem)))
        problem = ""
        if place.output and machine.answers:
            problem = container.gather(namespace, place.output, place.owner, machine.answers, limits.answers_bytes)
        full = machine.full()
    exit_code, ended_by = end_of(status)
    ended = messages.Ended(
        exit_code=exit_code,
        signal=ended_by,
        oom=group.oom(),
        forks_refused=group.forks_refused(),
        memory_peak=group.memory_peak(),
        output_bytes=sum(stream.total for stream in streams),
        stdout=streams[0].kept(),
        stderr=streams[1].kept(),
        disk_full=tuple(full),
        files=tuple(files),
        gather_problem=messages.sentence(problem),
    )
    os.close(namespace)
    for fd in (*ours.values(), theirs["stdout"], theirs["stderr"]):
        os.close(fd)
    group.close()
    port.send(ended)
    # done while the host reads the report; rm, not Python: an entry can nest folders deeper than Python recurses
    with port.busy():
        subprocess.run(["/bin/rm", "-rf", "--", *place.scratch], check=True)
    gc.collect()  # here, because automatic collection is off


def _refuse(port: Port, order: messages.Run, full: list[messages.Disk]) -> None:
    """Report for a command that cannot write anything, because the entry's own setup has filled a disk.

    The host gets the same messages as for a command that fails at once.
    """
    names = ", ".join("the root disk" if name == "root" else f"/{name}" for name in full)
    text = f"nothing can be written: {names} filled up"
    if not order.at_once:
        port.send(messages.Started())
        port.expect(messages.Go)
    port.send(messages.Exited())
    port.expect(messages.Counted)
    port.send(
        messages.Ended(
            exit_code=126,
            signal=None,
            oom=False,
            forks_refused=0,
            memory_peak=0,
            output_bytes=len(text) + 1,
            stdout=b"",
            stderr=f"{text}\n".encode(),
            disk_full=tuple(full),
            files=(messages.Collected(data=None, problem="missing"),) * len(order.collect),
            gather_problem=text,
        )
    )


class Watch:
    """Lets a command run until it has ended or must be killed; afterwards all its processes are dead.

    The command's output does not wake the agent: it checks at intervals whether a pipe is full, and only then starts
    to read while the command runs.  So the agent's part of the count of a command with little output is always the
    same.
    """

    def __init__(
        self,
        port: Port,
        group: Group,
        streams: tuple[Stream, Stream],
        writing_ends: tuple[int, int],
        status: int,
        output_bytes: int,
    ) -> None:
        self._port = port
        self._group = group
        self._streams = streams
        self._status = status
        self._output_bytes = output_bytes
        self._room = select.poll()
        for fd in writing_ends:
            self._room.register(fd, select.POLLOUT)
        self._poll = select.epoll()
        for fd in (status, port.fd):
            self._poll.register(fd, select.EPOLLIN)
        self._poll.register(group.pids_events, select.EPOLLPRI)

    def wait(self) -> bytes:
        """From ``Go`` until every process in the group is dead; returns what the keeper reported."""
        look: float | None = _FIRST_LOOK_SECONDS
        over = False
        while not over:
            events = self._poll.poll(look)
            if not events and look is not None:
                look = min(2 * look, _LOOK_SECONDS)
                if len(self._room.poll(0)) < len(self._streams):
                    look = None
                    for stream in self._streams:
                        self._poll.register(stream.fd, select.EPOLLIN)
            for fd, _events in events:  # all of them are checked, whatever the result of another
                over = self._is_over(fd) or over
        self._poll.close()
        with self._port.busy():
            # the keeper reports when everything else is dead, so after its report there is nothing to kill
            status = os.read(self._status, 4) if select.select([self._status], [], [], 0)[0] else b""
            if len(status) != 4:
                self._group.kill()
            _reap()
        return status or _read_all(self._status)

    def _is_over(self, fd: int) -> bool:
        if fd == self._status:
            return True
        if fd == self._group.pids_events:
            return self._group.forks_refused() > 0
        if fd == self._port.fd:
            self._port.read()
            message = self._port.next()
            if message is not None and not isinstance(message, messages.Kill):
                raise FrameError(f"expected 'kill', found {message.kind!r}")
            return message is not None
        for stream in self._streams:
            if fd == stream.fd:
                stream.drain(_CHUNKS_A_WAKE)
        return sum(stream.total for stream in self._streams) > self._output_bytes


def _reap() -> None:
    """Wait until no child is left: as process 1 the agent inherits every orphan."""
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


def end_of(status: bytes) -> tuple[int | None, int | None]:
    """Exit code or signal; SIGKILL for a command that was killed before its end was seen."""
    if len(status) != 4:
        return None, int(signal.SIGKILL)
    code = os.waitstatus_to_exitcode(int.from_bytes(status, "little"))
    return (code, None) if code >= 0 else (None, -code)


def power_off() -> NoReturn:
    """Switch the machine off."""
    os.sync()
    kernel.power_off()
    while True:
        signal.pause()


def prepare() -> None:
    """Settings that must hold before the first command."""
    for name, value in _SETTINGS.items():
        with contextlib.suppress(FileNotFoundError):  # a kernel without that feature needs no setting for it
            _set(name, value)
    mount("cgroup", CGROUPS, "cgroup2", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    with open(f"{CGROUPS}/cgroup.subtree_control", "w") as f:
        f.write("+memory +pids")
    kernel.lock_memory()  # so that it answers the host even if memory is short
    os.setpriority(os.PRIO_PROCESS, 0, -20)
    # wake at the next tick, not at once: then many small writes of the entry wake the agent only once
    os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


def serve(port: Port) -> None:
    """Answer messages until ``Finish``; after ``Rest``, begin again."""
    prepare()
    while True:
        machine = Machine(port.expect(messages.Hello))
        port.send(messages.Ready())
        while isinstance(message := port.receive(), messages.Run):
            run(port, machine, message)
        with port.busy():
            container.aside(machine.unmount)
        if isinstance(message, messages.Finish):
            port.send(messages.Finished())
            return
        if not isinstance(message, messages.Rest):
            raise FrameError(f"expected 'run', 'rest' or 'finish', found {message.kind!r}")
        port.send(messages.Resting())


def main() -> None:
    """Serve; whatever goes wrong is reported and ends the machine."""
    gc.disable()  # it would run during one command and not during the next
    try:
        port = Port(os.open(_port_device(), os.O_RDWR | os.O_CLOEXEC))
        try:
            serve(port)
        except Exception as e:
            port.send(messages.AgentFault(message=messages.sentence(f"{type(e).__name__}: {e}")))
    except Exception as e:
        print(f"evaluate agent: {type(e).__name__}: {e}", flush=True)
    power_off()


if __name__ == "__main__":
    main()
