"""The guest agent: process 1 of the guest, and its trusted half.

It takes messages from the host (`evaluate.protocol`) and runs one command at a time.  The host counts the
instructions of the whole machine, so the agent sleeps from before a command begins until the host has read its
counter: in between the command's keeper (`keeper.c`) speaks to the host.  What the entry does is reported; an error of
the agent itself is an ``AgentFault``.
"""

from __future__ import annotations

import contextlib
import gc
import mmap
import os
import select
import shutil
import signal
import stat
import time
from collections.abc import Callable, Iterator
from typing import NoReturn, TypeVar

import container
import kernel
from container import CGROUPS, DISKS, INBOX, LAYERS, MEDIUM, ROOT, Bounds, Frames, Held, Keeper, Place, Report, Task
from kernel import (
    CLONE_NEWNET,
    MNT_DETACH,
    MS_NOATIME,
    MS_NODEV,
    MS_NOEXEC,
    MS_NOSUID,
    MS_RDONLY,
    call,
    mount,
    mount_through_loop,
)

from evaluate.protocol import frames, messages
from evaluate.protocol.frames import FrameError, FrameReader, FrameWriter
from evaluate.protocol.guest import (
    GATE_AT,
    GID,
    LICENCE_PORT,
    ORDER_BEGIN,
    OWNER_SHIFT,
    PORT,
    PROBE,
    RECORDS_AT,
    RECORDS_BEGIN,
    UID,
)
from evaluate.protocol.messages import Message

_CHUNK = 1 << 16
_BUSY_SECONDS = 5.0
_RELAY_SECONDS = 10.0
_HUNG_UP_TRIES, _HUNG_UP_SECONDS = 1000, 0.02
"""How often the agent looks whether the host is there again, before it switches the machine off.  The connection is
also gone for a moment in a machine that was saved and restored."""
_FULL_BYTES, _FULL_INODES = 64 << 10, 16
"""A file system with less than this left is called full."""
_MEDIUM = ("iso9660", MS_RDONLY | MS_NODEV | MS_NOSUID)
_MEDIUM_FILE = "/run/evaluate/medium.iso"
_LOOK_SECONDS = 0.01
_DEBUG = "/sys/kernel/debug"
_SLICE_NS = 10**8
_DAY = 86400
_UNCOLLECTED = 10_000
"""More objects than this are looked through between two commands."""
_NUMBERS_REUSED_SECONDS = 420
"""So long after a file was removed, ext4 without a journal gives its number to no other one (`recently_deleted` in
Linux 6.1: up to 360 s).  A record would learn from its own files how many others have made, and the kernel would go
through more of them from record to record."""
_SETTINGS = {
    "kernel/dmesg_restrict": "1",
    "kernel/kptr_restrict": "1",
    "kernel/perf_event_paranoid": "3",
    "kernel/unprivileged_bpf_disabled": "1",
    "kernel/randomize_va_space": "0",  # so that counts are repeatable
    "kernel/sched_rt_runtime_us": "-1",  # for what takes precedence, see `container.take_precedence`
    "vm/dirty_writeback_centisecs": "0",  # what an entry writes reaches the disk when memory is short, or at the end
    "vm/dirty_background_ratio": "30",  # of the memory; a third of that for each disk, see `Machine.__init__`
    "vm/dirty_ratio": "40",
    "user/max_user_namespaces": "0",  # otherwise an entry could reach much more of the kernel
    "vm/unprivileged_userfaultfd": "0",
}


M = TypeVar("M", bound=Message)


class Working:
    """A context in which the alarm strikes every few seconds."""

    def __enter__(self) -> None:
        signal.setitimer(signal.ITIMER_REAL, _BUSY_SECONDS, _BUSY_SECONDS)

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)


class Port:
    """The connection to the host, as messages."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self._reader = FrameReader(None)
        self._writer: FrameWriter | None = None
        self._arrived: list[Message] = []
        self._frames: Frames | None = None
        signal.signal(signal.SIGALRM, lambda _number, _frame: self.send(messages.Busy()))
        self.busy = Working()
        """`Busy` is sent every few seconds while its body waits; the body must not send anything itself."""

    def receive(self) -> Message:
        """The next message, waiting for it."""
        tries = 0
        while not self._arrived:
            data = os.read(self.fd, _CHUNK)
            self._take(data)
            tries = 0 if data else tries + 1
            if not data:
                if self._reader.nonce is not None and tries > _HUNG_UP_TRIES:
                    power_off()
                time.sleep(_HUNG_UP_SECONDS)
        return self._arrived.pop(0)

    def await_in_memory(self, gate: Callable[[], object]) -> None:
        """Take what the host leaves in memory while the machine stands still at the gate.

        A machine that waits to be saved does not come there, and its clock leaps from one look to the next.
        """
        with _records(RECORDS_BEGIN) as begin:
            while not any(begin[8:ORDER_BEGIN]):
                time.sleep(_LOOK_SECONDS)
            gate()
            size = int.from_bytes(begin[8:ORDER_BEGIN], "little")
            self._take(begin[ORDER_BEGIN : ORDER_BEGIN + size])

    def _take(self, data: bytes) -> None:
        self._arrived += [messages.decode(frame, messages.FROM_HOST) for frame in self._reader.feed(data)]

    def lend(self, keeper: Keeper, order: messages.Run | messages.Invoke | messages.Kill) -> Report | Held:
        """Let the keeper speak to the host, until that has read its counter, or `Loaded`."""
        assert self._writer is not None
        spoken = self._writer.number, self._reader.number
        if isinstance(order, messages.Kill):
            report = keeper.watch(*spoken, waits=False, kill=True)
        else:
            report = keeper.watch(*spoken, waits=order.waits, at_once=order.at_once)
        self._writer.number += report.sent
        self._reader.number += report.heard
        self._take(report.unread)
        return report

    def frames(self) -> Frames:
        """What the keeper may send and hear."""
        if self._frames is None:
            assert self._reader.nonce is not None
            spoken: tuple[Message, ...] = (messages.Started(), messages.Exited(), messages.Loaded(), messages.Busy())
            spoken += (messages.Go(), messages.Kill(), messages.Counted())
            self._frames = Frames(*(frames.pack(messages.encode(each), self._reader.nonce, 0) for each in spoken))
        return self._frames

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
            self._writer = FrameWriter(self._reader.nonce)
        data = memoryview(self._writer.pack(messages.encode(message, checked=False)))
        while data:
            data = data[os.write(self.fd, data) :]


@contextlib.contextmanager
def _records(size: int, offset: int = 0) -> Iterator[mmap.mmap]:
    """A part of the memory that the host writes to."""
    with (
        open("/dev/mem", "rb") as memory,
        mmap.mmap(memory.fileno(), size, mmap.MAP_SHARED, mmap.PROT_READ, offset=RECORDS_AT + offset) as found,
    ):
        yield found


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


def _set_clock(seconds: int) -> None:
    """Set the clock; 0: leave it as it is."""
    if seconds:
        time.clock_settime(time.CLOCK_REALTIME, seconds)


def _set(name: str, value: str) -> None:
    with open(f"/proc/sys/{name}", "w") as f:
        f.write(value)


def _relay(ports: list[int]) -> Callable[[int], None] | None:
    """The relay to the licence server, for the few challenges that have one: others need not load its module."""
    if not ports:
        return None
    import licence  # noqa: PLC0415

    fd = os.open(_port_device(LICENCE_PORT), os.O_RDWR | os.O_CLOEXEC)
    return lambda ready: licence.relay(fd, ports, ready)


class Machine:
    """The disks, as the host's ``Hello`` describes them."""

    def __init__(self, hello: messages.Hello, gate: Callable[[], object] = bool) -> None:
        self.gate = gate
        self.next_day = 0
        _set_clock(hello.clock)
        if hello.clock:
            self.next_day = hello.clock + _DAY
        self._mounted: list[str] = []
        self.n_layers = hello.layers
        self.base = not hello.container
        self.frozen = container.freeze_counters()
        if hello.container:
            _set("user/max_user_namespaces", "64")  # user 0 of a container must not be user 0 of the machine
        for i in range(self.n_layers):
            os.makedirs(f"{LAYERS}/{i}", exist_ok=True)
            mount_through_loop(_disk(f"layer{i}"), f"{LAYERS}/{i}", "squashfs")
            self._mounted.insert(0, f"{LAYERS}/{i}")
        for name in ("root", "home", "tmp"):
            # inode tables are not initialised in the background, which would be counted
            flags = MS_NODEV | MS_NOSUID | MS_NOATIME
            disk = _disk(name)
            self._mount(disk, f"{DISKS}/{name}", "ext4", flags, "noinit_itable")
            # otherwise the memory in which its files may wait depends on how much was written to the other disks, and
            # may be none: then a new file is written at once, and its record takes another course each time
            with open(f"/sys/block/{os.path.basename(disk)}/bdi/min_ratio", "w") as f:
                f.write("33")
        os.makedirs(MEDIUM, exist_ok=True)
        if hello.records:
            self._mount(_disk("records"), MEDIUM, *_MEDIUM)
        self.entry = _disk("entry") if hello.entry else None
        self.relay = _relay(list(hello.licence))
        self.answers = _disk("answers") if hello.answers else None
        self.shared = container.Mounted()
        if hello.fresh:
            for path in (f"{DISKS}/root/kept", f"{DISKS}/root/work", f"{DISKS}/home/kept"):
                os.mkdir(path)
            os.chown(f"{DISKS}/home/kept", UID, GID)
        # a later guest finds them, because the entry may have filled the disks by then
        for path in (container.SHARED_UPPER, container.SHARED_WORK, *container.SHARED, *container.SCRATCH):
            os.makedirs(path, exist_ok=True)
        self._left: tuple[list[messages.Disk], tuple[int, int, int]] | None = None
        self._lock: container.Lock | None = None
        self.ready: tuple[Place, Bounds] | None = None
        """The place that is ready for the next command."""

    def _mount(self, disk: str, target: str, kind: str, flags: int, data: str = "") -> None:
        os.makedirs(target, exist_ok=True)
        mount(disk, target, kind, flags, data)
        self._mounted.insert(0, target)

    @contextlib.contextmanager
    def medium(self) -> Iterator[None]:
        """The medium of one command, from the memory that the host writes it to: no disk is waited for."""
        with _records(RECORDS_BEGIN) as begin:
            size = int.from_bytes(begin[:8], "little")
        with _records(size, RECORDS_BEGIN) as found, open(_MEDIUM_FILE, "wb") as copy:
            copy.write(found)
        mount_through_loop(_MEDIUM_FILE, MEDIUM, *_MEDIUM)
        os.unlink(_MEDIUM_FILE)
        yield
        call("umount2", MEDIUM, 0)  # now the kernel forgets it

    def place(self, order: messages.Run) -> Place:
        """Where a command runs."""
        # a guest that runs one record only forgets by being destroyed, and is saved with what it has in memory
        alone = order.medium or order.inbox or order.at_once
        forgets = not (order.keep or alone)
        return Place(
            keep=order.keep,
            n_layers=self.n_layers,
            base=self.base,
            mounts=tuple(order.mounts.items()),
            output=order.output,
            inbox=order.inbox,
            beside=order.beside,
            owner=UID if order.user is None else OWNER_SHIFT + order.user.uid,
            home=self.left()[1],
            user=None if order.user is None else (order.user.uid, order.user.gid),
            builds=order.builds,
            stdin=(self.entry or "/dev/null") if order.stdin_entry else "/dev/null",
            forgets=forgets and not self._locks(),
            frozen=self.frozen,
            masks=container.masks(order.remove) if self.base and not order.keep and not alone else (),
        )

    def _locks(self) -> bool:
        """True if the entry's files are locked in memory; in a container, which owns all files of its image, they are
        not."""
        if not self.base:
            return False
        if self._lock is None:
            self._lock = container.Lock()
        return self._lock.holds

    def release(self) -> None:
        """Let the entry's files change, and their disks be unmounted."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def unmount(self) -> None:
        """Unmount the disks, so that they are complete."""
        call("umount2", ROOT, MNT_DETACH)
        mount(*container.HELD)
        if self.shared.home is not None:
            mount(*container.HELD_HOME)
        for path in (container.SHARED_UPPER, container.SHARED_WORK, *container.SHARED[1:]):
            for item in os.scandir(path):
                shutil.rmtree(item.path)
        os.sync()
        for target in self._mounted:
            call("umount2", target, 0)

    def left(self) -> tuple[list[messages.Disk], tuple[int, int, int]]:
        """What the last command that was kept has left: full disks; mode, user and group of the home folder."""
        if self._left is None:
            home = os.stat(f"{DISKS}/home/kept")
            self._left = self.full(), (stat.S_IMODE(home.st_mode), home.st_uid, home.st_gid)
        return self._left

    def forget_left(self) -> None:
        """A command that is kept has left something else."""
        self._left = None

    def full(self) -> list[messages.Disk]:
        """The disks that have no space or no inodes left."""
        found: list[messages.Disk] = []
        names: tuple[messages.Disk, ...] = ("root", "home", "tmp")
        for name in names:
            state = os.statvfs(f"{DISKS}/{name}")
            if state.f_bavail * state.f_frsize < _FULL_BYTES or state.f_favail < _FULL_INODES:
                found.append(name)
        return found


def run(port: Port, machine: Machine, keeper: Keeper, order: messages.Run) -> None:
    """One command, from ``Run`` to ``Ended``."""
    _set_clock(order.clock)
    if not order.keep and (full := machine.left()[0]):
        _refuse(port, order, full)
        return
    if order.keep:
        machine.release()
    with machine.medium() if order.medium else contextlib.nullcontext():
        _run(port, machine, keeper, order)
    if order.keep:
        machine.forget_left()


def _place(machine: Machine, order: messages.Run) -> tuple[Place, Bounds]:
    """Where a command runs, and within which bounds."""
    limits = order.limits
    bounds = Bounds(
        memory_bytes=limits.memory_bytes,
        processes=limits.processes + (2 if machine.relay else 1),
        output_bytes=limits.output_bytes,
        answer_bytes=limits.answer_bytes,
    )
    return machine.place(order), bounds


def _plan_of_place(port: Port, machine: Machine, place: Place, bounds: Bounds) -> bytes:
    plan = container.plan_of_place(place, bounds, port.frames(), mounted=machine.shared)
    machine.shared = place.mounted
    return plan


def _make_ready(port: Port, machine: Machine, keeper: Keeper, order: messages.Run) -> None:
    """Make the place of a command whose task comes later."""
    if machine.left()[0]:
        return  # it will be refused
    with port.busy:
        place, bounds = _place(machine, order)
        keeper.make_place(_plan_of_place(port, machine, place, bounds))
    machine.ready = place, bounds


def _prepare(port: Port, machine: Machine, keeper: Keeper, order: messages.Run, place: Place, bounds: Bounds) -> int:
    """Have the keeper prepare a command; returns the process number of its init."""
    task = Task(
        argv=order.argv,
        cwd=order.cwd,
        env=order.env,
        inputs=order.inputs,
        remove=order.remove,
        collect=order.collect,
        clock=machine.next_day if order.at_once or order.inbox else 0,
    )
    ready, machine.ready = machine.ready, None
    if ready not in (None, (place, bounds)):
        raise ValueError("expected the user, folders and limits for which this machine was saved, found others")
    plan = b"" if ready else _plan_of_place(port, machine, place, bounds)
    return keeper.prepare(plan, container.plan_of_task(place, task))


def _run(port: Port, machine: Machine, keeper: Keeper, order: messages.Run) -> None:
    limits = order.limits
    # no alarm may strike in a machine that must do the same whenever it is restored
    with contextlib.nullcontext() if order.at_once else port.busy:
        place, bounds = _place(machine, order)
        init = _prepare(port, machine, keeper, order, place, bounds)
        namespace = os.open(f"/proc/{init}/ns/mnt", os.O_RDONLY | os.O_CLOEXEC) if place.output else -1
        relay = _start_relay(machine.relay, init, place.group) if machine.relay else None
    start: messages.Run | messages.Invoke | messages.Kill = order
    report = port.lend(keeper, start)
    if isinstance(report, Held):
        start = _invoked(port, machine)
        report = port.lend(keeper, start)
    waits = not isinstance(start, messages.Kill) and start.waits
    if isinstance(report, Held) or (not report.heard and waits):
        port.expect(messages.Go)  # says what came instead
        raise FrameError("'go' came when the command had been given up")
    if not report.counted:
        port.expect(messages.Counted)

    with port.busy:
        if len(report.files) != len(order.collect):
            raise OSError("the files of a command were not read")
        if relay is not None:
            os.kill(relay, signal.SIGKILL)
            os.waitpid(relay, 0)
        problem = ""
        if place.output and machine.answers:
            problem = container.gather(namespace, place.output, place.owner, machine.answers, limits.answers_bytes)
        full = machine.full()
    if place.output:
        os.close(namespace)
    exit_code, ended_by = end_of(report.status)
    port.send(
        messages.Ended(
            exit_code=exit_code,
            signal=ended_by,
            oom=report.oom_kills > 0,
            forks_refused=report.forks_refused,
            memory_peak=report.memory_peak,
            output_bytes=report.stdout.total + report.stderr.total,
            stdout=report.stdout.kept(),
            stderr=report.stderr.kept(),
            disk_full=tuple(full),
            files=tuple(_collected(file) for file in report.files),
            gather_problem=messages.sentence(problem),
        )
    )
    with port.busy:  # while the host reads the report
        machine.shared = keeper.finish(machine.shared)
        if machine.relay is None and order.argv[0] != PROBE:  # a licence server compares clocks; a probe makes no files
            _set_clock(int(time.time()) + _NUMBERS_REUSED_SECONDS)
    if gc.get_count()[0] > _UNCOLLECTED:
        gc.collect()  # here, because automatic collection is off


def _invoked(port: Port, machine: Machine) -> messages.Invoke | messages.Kill:
    """Wait, and be saved meanwhile, until the host invokes a server, and put the record's files into its folder."""
    message = port.receive()
    if isinstance(message, messages.Await):
        _await_order(port, machine)
        message = port.expect(messages.Invoke)
    if isinstance(message, messages.Kill):  # the host sent it before it received our `Loaded`
        return message
    if not isinstance(message, messages.Invoke):
        raise FrameError(f"expected 'await', 'invoke' or 'kill', found {message.kind!r}")
    _set_clock(message.clock)
    with contextlib.nullcontext() if message.at_once else port.busy, machine.medium():
        shutil.copytree(MEDIUM, INBOX, dirs_exist_ok=True)
    return message


def _await_order(port: Port, machine: Machine) -> None:
    """Take the next message from memory."""
    _lengthen_slices()
    port.send(messages.Awaiting(random_key_at=kernel.random_key_at()))
    port.await_in_memory(machine.gate)


def _collected(file: bytes) -> messages.Collected:
    if file[:1] == b"+":
        return messages.Collected(data=file[1:])
    return messages.Collected(problem=messages.sentence(file.decode(errors="replace") or "not readable"))


def _start_relay(work: Callable[[int], None], init: int, group: str) -> int:
    """Run the relay in the network namespace and the control group of a command; returns its process number.

    What it does until it listens would be counted, so that is waited for, but not for a host that does not answer it.
    """
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid:
        os.close(theirs)
        select.select([ours], [], [], _RELAY_SECONDS)
        os.close(ours)
        return pid
    try:
        with open(f"{group}/cgroup.procs", "w") as f:
            f.write("0")
        call("setns", os.open(f"/proc/{init}/ns/net", os.O_RDONLY | os.O_CLOEXEC), CLONE_NEWNET)
        work(theirs)
    finally:
        os._exit(70)


def _refuse(port: Port, order: messages.Run, full: list[messages.Disk]) -> None:
    """Report for a command that cannot write anything, because the entry's own setup has filled a disk.

    The host gets the same messages as for a command that fails at once.
    """
    names = ", ".join("the root disk" if name == "root" else f"/{name}" for name in full)
    text = f"nothing can be written: {names} filled up"
    if order.waits:
        port.send(messages.Started())
        port.expect(messages.Go)
    port.send(messages.Exited())
    port.expect(messages.Counted)
    port.send(
        messages.Ended(
            exit_code=126,
            memory_peak=0,
            output_bytes=len(text) + 1,
            stderr=f"{text}\n".encode(),
            disk_full=tuple(full),
            files=(messages.Collected(problem="missing"),) * len(order.collect),
            gather_problem=text,
        )
    )


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
    kernel.seed_random()
    mount("cgroup", CGROUPS, "cgroup2", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    with open(f"{CGROUPS}/cgroup.subtree_control", "w") as f:
        f.write("+memory +pids")
    container.make_dev_and_run()
    os.makedirs(ROOT, exist_ok=True)
    os.makedirs(container.HELD_HOME[1])
    for held in (container.HELD, container.HELD_HOME):
        mount(*held)  # before the keeper has anything that takes a lower number and may give it back
    os.setpriority(os.PRIO_PROCESS, 0, -20)
    container.take_precedence(False)


def _lengthen_slices() -> None:
    """Let a thread run on for `_SLICE_NS` though another one could.

    Where the timer interrupts it depends on how many instructions the kernel has executed, which memory that is laid
    out in another way changes; where it waits of its own accord depends on the program only.
    """
    mount("debug", _DEBUG, "debugfs", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    for name in ("latency_ns", "min_granularity_ns", "wakeup_granularity_ns"):
        # a kernel since 6.6 has none of them
        with contextlib.suppress(FileNotFoundError), open(f"{_DEBUG}/sched/{name}", "r+b", buffering=0) as f:
            f.write(str(_SLICE_NS).encode())
    call("umount2", _DEBUG, 0)


def serve(port: Port) -> None:
    """Answer messages until ``Finish``; after ``Rest``, begin again."""
    prepare()
    keeper = Keeper(port.fd)
    gate = kernel.function_at(GATE_AT)
    while True:
        machine = Machine(port.expect(messages.Hello), gate)
        gc.collect()
        gc.freeze()  # existing objects stay, so the collections between commands need not look at it
        port.send(messages.Ready())
        while isinstance(message := port.receive(), messages.Run | messages.Await):
            if isinstance(message, messages.Await):
                if message.order is not None:
                    _make_ready(port, machine, keeper, message.order)
                _await_order(port, machine)
            else:
                run(port, machine, keeper, message)
        with port.busy:
            machine.release()
            container.aside(machine.unmount)
        if isinstance(message, messages.Finish):
            port.send(messages.Finished())
            return
        if not isinstance(message, messages.Rest):
            raise FrameError(f"expected 'run', 'await', 'rest' or 'finish', found {message.kind!r}")
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
