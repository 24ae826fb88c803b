"""The messages between host and guest agent, as types, and the strict codec that carries them in frames.

The order of one conversation::

    host    Hello -----------------> sets its clock, mounts the disks
            <----------------------- Ready
            Run -------------------> prepares; the command's process waits just before exec
            <----------------------- Started
            Go --------------------> lets the command run
            Kill ------------------> (only if a limit is exceeded)
            <----------------------- Exited         every process of the command is dead
            Counted ---------------> collects files
            <----------------------- Ended
            Run … Ended, any number of times
            Finish ----------------> unmounts the disks
            <----------------------- Finished

In place of ``Finish`` the host may send ``Rest``: the agent unmounts the disks, answers ``Resting``, and waits for
another ``Hello``.  So a machine can be saved before it has any disk, and greeted again, with other disks, on whichever
host restores it.

An agent that gets ``Await`` answers ``Awaiting``, and then looks for the frame of its next message in memory
(`evaluate.protocol.guest`).  When there is anything, it comes to the place at which the host has its machine stand
still (`GATE_AT`) and leaves the frame: what comes through a port comes when the host's processors have time.  With an
order in ``Await``, the command's folders, namespaces and processes are made before the machine is saved, and only its
task comes later.

A ``Run`` without ``waits`` is answered by ``Exited``, without ``Started`` and ``Go``: the host sees at which
instruction it begins (`MARK_AT`).

A command with an ``inbox`` is a server: it has no files of a record yet, and the agent sends ``Loaded`` in place of
``Exited`` when it is healthy; nothing of it runs then.  After that the machine may be saved (`Await`, as above), and
``Invoke`` puts the files of a record into that folder and lets the server answer it, with or without ``Started`` and
``Go``::

            <----------------------- Loaded
            Invoke ----------------> fills the folder
            <----------------------- Started … Ended, as above

During long work the agent sends `Busy` at intervals, so that the host can tell a slow entry from a dead guest.
`AgentFault` may be sent at any time and is the last message.

A message is a frame whose JSON has exactly the fields of the class, but for those that have their defaults.  ``bytes``
travel in the frame's blob, in the order of their lengths in the JSON.  A field that is missing, unknown, of another
type or out of its stated range is a `FrameError` on the receiving side, and a message that the other side would refuse
is not sent.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, get_args, get_origin, get_type_hints

from evaluate.protocol.frames import Frame, FrameError
from evaluate.protocol.guest import OWNERS


@dataclass(frozen=True)
class Range:
    """Bounds, both included, of a number or of the length of anything else."""

    low: int
    high: int

    def check(self, value: Any) -> None:
        """Raise `FrameError` if the value is outside."""
        found = value if isinstance(value, int) else len(value)
        if not self.low <= found <= self.high:
            what = "" if isinstance(value, int) else "a length of "
            raise FrameError(f": expected {what}{self.low} to {self.high}, found {found}")


@dataclass(frozen=True)
class Utf8:
    """Text without lone surrogates, so that it can be written anywhere."""

    def check(self, value: str) -> None:
        """Raise `FrameError` if it cannot be encoded."""
        try:
            value.encode()
        except UnicodeEncodeError as e:
            raise FrameError(f": expected text that UTF-8 can encode, found {value[:80]!r}") from e


MOST_SENTENCE = 1000
MOST_PRINTED_BYTES = 128 << 10

Count = Annotated[int, Range(0, 1 << 50)]
"""Of bytes, processes or events."""
Port = Annotated[int, Range(1, 65535)]
Text = Annotated[str, Range(0, 1 << 20)]
Texts = Annotated[tuple[Text, ...], Range(0, 1 << 16)]
Table = Annotated[Mapping[str, str], Range(0, 1 << 16)]
Sentence = Annotated[str, Range(0, MOST_SENTENCE), Utf8()]
"""A sentence for people; see `sentence`."""
Disk = Literal["root", "home", "tmp"]
Owner = Annotated[int, Range(0, OWNERS - 1)]


@dataclass(frozen=True, kw_only=True)
class Message:
    """Base of all messages; ``kind`` is its name in a frame."""

    kind: ClassVar[str] = ""


# From the host


@dataclass(frozen=True, kw_only=True)
class Hello(Message):
    """Which disks and ports the machine has."""

    kind: ClassVar[str] = "hello"
    layers: Annotated[int, Range(0, 64)]
    """Number of read-only disks ``layer0``, ``layer1``, …, the uppermost first."""
    container: bool
    """The layers are the complete root of a container; the image's own root is not below them."""
    entry: bool
    records: bool
    answers: bool
    licence: Annotated[tuple[Port, ...], Range(0, 64)]
    """TCP ports of the licence server, which the agent opens on each command's loopback."""
    fresh: bool
    """The writable disks are blank."""
    clock: Count = 0
    """What the guest's clock shall say, in seconds since 1970 (UTC); 0: what it says already."""


@dataclass(frozen=True, kw_only=True)
class User:
    """User and group inside a container."""

    uid: Owner
    gid: Owner


@dataclass(frozen=True, kw_only=True)
class Limits:
    """The limits that the agent enforces; the host enforces instructions and time."""

    memory_bytes: Count
    processes: Count
    output_bytes: Count
    answer_bytes: Count
    answers_bytes: Count


@dataclass(frozen=True, kw_only=True)
class Run(Message):
    """Prepare a command; the fields are those of `evaluate.sandbox.base.Command`."""

    kind: ClassVar[str] = "run"
    argv: Annotated[tuple[Text, ...], Range(1, 1 << 16)]
    cwd: Text
    env: Table
    stdin_entry: bool = False
    inputs: Table
    remove: Texts = ()
    collect: Texts = ()
    keep: bool = False
    mounts: Table
    output: Text = ""
    inbox: Text = ""
    user: User | None = None
    builds: bool = False
    """As user 0 of a user namespace with every right there, as programs that make container images need."""
    beside: bool = False
    """A program of the machine's own, whose root is the machine's, with the container's at ``HOME``."""
    medium: bool = False
    """The command has a medium of its own, which is in memory; see `evaluate.protocol.guest.RECORDS_AT`."""
    waits: bool = True
    """Send `Started`, and wait for `Go`."""
    at_once: bool = False
    """The machine was saved for this command, and runs nothing else."""
    clock: Count = 0
    """As in `Hello`: in a machine that was restored the clock has stood still since it was saved."""
    limits: Limits


@dataclass(frozen=True, kw_only=True)
class Invoke(Message):
    """Have a server that is loaded answer the record of the medium in memory."""

    kind: ClassVar[str] = "invoke"
    waits: bool = True
    at_once: bool = False
    clock: Count = 0
    """These three as in `Run`."""


@dataclass(frozen=True, kw_only=True)
class Go(Message):
    """Let the prepared command run."""

    kind: ClassVar[str] = "go"


@dataclass(frozen=True, kw_only=True)
class Kill(Message):
    """End the running command.  It may arrive after the agent has sent `Exited`; the agent then ignores it."""

    kind: ClassVar[str] = "kill"


@dataclass(frozen=True, kw_only=True)
class Counted(Message):
    """The counter has been read; the agent may work again."""

    kind: ClassVar[str] = "counted"


@dataclass(frozen=True, kw_only=True)
class Rest(Message):
    """Unmount the disks, and wait for another `Hello`."""

    kind: ClassVar[str] = "rest"


@dataclass(frozen=True, kw_only=True)
class Await(Message):
    """Take the next message from memory."""

    kind: ClassVar[str] = "await"
    order: Run | None = None
    """A command without files of a medium, for which everything is made ready before: the next message is a `Run` with
    the same user, folders and limits."""


@dataclass(frozen=True, kw_only=True)
class Finish(Message):
    """Write everything to the disks and power off."""

    kind: ClassVar[str] = "finish"


# From the guest


@dataclass(frozen=True, kw_only=True)
class Ready(Message):
    """The disks are mounted."""

    kind: ClassVar[str] = "ready"


@dataclass(frozen=True, kw_only=True)
class Started(Message):
    """The command waits for `Go`, and the guest is idle."""

    kind: ClassVar[str] = "started"


@dataclass(frozen=True, kw_only=True)
class Busy(Message):
    """The agent is alive and at work."""

    kind: ClassVar[str] = "busy"


@dataclass(frozen=True, kw_only=True)
class Exited(Message):
    """Every process of the command is dead, and the guest is idle."""

    kind: ClassVar[str] = "exited"


@dataclass(frozen=True, kw_only=True)
class Loaded(Message):
    """A server is healthy and stands still."""

    kind: ClassVar[str] = "loaded"


@dataclass(frozen=True, kw_only=True)
class Collected:
    """One path of `Run.collect`: its bytes, or what is wrong with it."""

    data: bytes | None = None
    problem: Sentence = ""

    def __post_init__(self) -> None:
        """One of the two."""
        if (self.data is None) == (self.problem == ""):
            raise ValueError("expected either data or a problem")


@dataclass(frozen=True, kw_only=True)
class Ended(Message):
    """What became of the command."""

    kind: ClassVar[str] = "ended"
    exit_code: Annotated[int, Range(0, 255)] | None = None
    signal: Annotated[int, Range(1, 64)] | None = None
    """Exactly one of the two is not None; also 9 for a command that was killed before its end was seen."""
    oom: bool = False
    """The kernel killed it because of its memory use."""
    forks_refused: Count = 0
    memory_peak: Count
    """Bytes, those of the command's init included (less than 1 MB)."""
    output_bytes: Count
    """Standard output and error together, as printed."""
    stdout: Annotated[bytes, Range(0, MOST_PRINTED_BYTES)] = b""
    stderr: Annotated[bytes, Range(0, MOST_PRINTED_BYTES)] = b""
    """Only the beginning and the end, if long."""
    disk_full: Annotated[tuple[Disk, ...], Range(0, 3)] = ()
    """Disks with no room or no inode left."""
    files: Annotated[tuple[Collected, ...], Range(0, 1 << 16)] = ()
    """In the order of `Run.collect`."""
    gather_problem: Sentence = ""
    """Why the files of `Run.output` are not all on the answers disk; empty: they are."""

    def __post_init__(self) -> None:
        """A process ends in one of two ways."""
        if (self.exit_code is None) == (self.signal is None):
            raise ValueError("expected either an exit code or a signal")


@dataclass(frozen=True, kw_only=True)
class Resting(Message):
    """Nothing of any disk but the image is mounted or remembered."""

    kind: ClassVar[str] = "resting"


@dataclass(frozen=True, kw_only=True)
class Awaiting(Message):
    """What comes next is taken from memory."""

    kind: ClassVar[str] = "awaiting"
    random_key_at: Count
    """Where in the machine's memory the kernel has the key of its random numbers, in bytes; 0: not known."""


@dataclass(frozen=True, kw_only=True)
class Finished(Message):
    """The disks are written and unmounted; the machine is powering off."""

    kind: ClassVar[str] = "finished"


@dataclass(frozen=True, kw_only=True)
class AgentFault(Message):
    """Something went wrong in the agent, which ends the machine."""

    kind: ClassVar[str] = "fault"
    message: Sentence


Kinds = Mapping[str, type[Message]]
FROM_HOST: Kinds = {cls.kind: cls for cls in (Hello, Run, Invoke, Go, Kill, Counted, Rest, Await, Finish)}
FROM_GUEST: Kinds = {
    cls.kind: cls for cls in (Ready, Started, Busy, Exited, Loaded, Ended, Resting, Awaiting, Finished, AgentFault)
}


def sentence(text: str) -> str:
    """The text as a `Sentence`."""
    return text.encode(errors="backslashreplace").decode()[:MOST_SENTENCE]


# Codec


def encode(message: Message, *, checked: bool = True) -> Frame:
    """The frame of a message. Raises FrameError if a field has another type or value than its class says.

    ``checked``: whether that is looked at here; the other side does so, too.
    """
    blob: list[bytes] = []
    frame = Frame(message.kind, _fields(message, blob), b"".join(blob))
    if checked:
        decode(frame, {message.kind: type(message)})
    return frame


def decode(frame: Frame, kinds: Kinds) -> Message:
    """The message of a frame, one of ``kinds``.

    Raises FrameError if it is no such message; the text names the field, what was expected and what was found.
    """
    cls = kinds.get(frame.kind)
    if cls is None:
        raise FrameError(f"expected a message {' or '.join(map(repr, kinds))}, found {frame.kind[:80]!r}")
    blob = _Blob(frame.blob)
    try:
        message: Message = _reader_of(cls)(frame.values, blob)
    except FrameError as e:
        raise FrameError(f"{frame.kind}{e}") from e
    if blob.left:
        raise FrameError(f"{frame.kind}: {len(blob.left)} bytes of the blob belong to no field")
    return message


class _Blob:
    """What is left of a frame's blob."""

    def __init__(self, data: bytes) -> None:
        self.left = memoryview(data)

    def take(self, size: Any) -> bytes:
        """The next ``size`` bytes."""
        _expect(size, int)
        if not 0 <= size <= len(self.left):
            raise FrameError(f": expected {size} bytes in the blob, found {len(self.left)}")
        data, self.left = bytes(self.left[:size]), self.left[size:]
        return data


@functools.cache
def _defaults(cls: type) -> dict[str, Any]:
    """The default of each field; `MISSING` where it has none."""
    return {field.name: field.default for field in dataclasses.fields(cls)}


def _fields(item: Any, blob: list[bytes]) -> dict[str, Any]:
    defaults = _defaults(type(item))  # type: ignore[arg-type]
    return {name: _plain(value, blob) for name, value in vars(item).items() if value != defaults[name]}


def _plain(value: Any, blob: list[bytes]) -> Any:
    if value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, bytes):
        blob.append(value)
        return len(value)
    if dataclasses.is_dataclass(value):
        return _fields(value, blob)
    if isinstance(value, (tuple, list)):
        return [_plain(item, blob) for item in value]
    return dict(value) if isinstance(value, Mapping) else value


# A reader is made once for each type: in the guest, looking at types takes longer than what else a command needs.

_Reader = Callable[[Any, _Blob], Any]
"""Checks a JSON value and returns what a message has.  The text of its `FrameError` begins with the place in the
message, or with a colon."""


_READERS: dict[str, _Reader] = {}
"""Of whole messages, by their kinds.  A table of classes would be looked through in the order of their addresses, which
differ from boot to boot, and with them the count of a command that starts at once."""


def _reader_of(cls: type[Message]) -> _Reader:
    if (found := _READERS.get(cls.kind)) is None:
        found = _READERS[cls.kind] = _reader(cls)  # type: ignore[arg-type]
    return found


@functools.cache
def _reader(hint: Any) -> _Reader:  # noqa: PLR0911
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _bounded(arguments[0], arguments[1:])
    if type(None) in arguments:
        return _optional(_reader(arguments[0]))
    if origin is Literal:
        return _choice(arguments)
    if origin is tuple:
        return _items(_reader(arguments[0]))
    if origin is Mapping:
        return _table
    if hint is bytes:
        return lambda value, blob: blob.take(value)
    if dataclasses.is_dataclass(hint):
        hints = get_type_hints(hint, include_extras=True)
        return _object(hint, {name: _reader(hints[name]) for name in _defaults(hint)})  # type: ignore[arg-type]
    return lambda value, _: _expect(value, hint)


def _object(cls: type, readers: Mapping[str, _Reader]) -> _Reader:
    needed = {name for name, default in _defaults(cls).items() if default is dataclasses.MISSING}

    def read(values: Any, blob: _Blob) -> Any:
        if not needed <= _expect(values, dict).keys() <= readers.keys():
            missing, unknown = sorted(needed - values.keys()), sorted(values.keys() - readers.keys())
            raise FrameError(f": missing fields {missing}, unknown fields {[name[:80] for name in unknown[:8]]}")
        decoded, name = {}, ""
        try:
            for name, value in values.items():
                decoded[name] = readers[name](value, blob)
        except FrameError as e:
            raise FrameError(f".{name}{e}") from None
        try:
            return cls(**decoded)
        except ValueError as e:
            raise FrameError(f": {e}") from e

    return read


def _bounded(hint: Any, bounds: tuple[Any, ...]) -> _Reader:
    reader = _reader(hint)

    def read(value: Any, blob: _Blob) -> Any:
        found = reader(value, blob)
        for bound in bounds:
            bound.check(found)
        return found

    if len(bounds) > 1:
        return read
    bound, low, high = bounds[0], bounds[0].low, bounds[0].high  # most values are read by one of these three
    if hint is int:
        return lambda value, blob: value if type(value) is int and low <= value <= high else read(value, blob)
    if hint is str:
        return lambda value, blob: value if type(value) is str and low <= len(value) <= high else read(value, blob)

    def read_sized(value: Any, blob: _Blob) -> Any:
        found = reader(value, blob)
        if not low <= len(found) <= high:
            bound.check(found)
        return found

    return read_sized


def _optional(reader: _Reader) -> _Reader:
    return lambda value, blob: None if value is None else reader(value, blob)


def _choice(values: tuple[Any, ...]) -> _Reader:
    def read(value: Any, _: _Blob) -> Any:
        if value not in values:
            raise FrameError(f": expected one of {values}, found {_short(value)}")
        return value

    return read


def _items(reader: _Reader) -> _Reader:
    def read(value: Any, blob: _Blob) -> Any:
        found: list[Any] = []
        try:
            for item in _expect(value, list):
                found.append(reader(item, blob))
        except FrameError as e:
            raise FrameError(f"[{len(found)}]{e}") from None
        return tuple(found)

    return read


def _table(value: Any, _: _Blob) -> Any:
    for item in _expect(value, dict).values():
        _expect(item, str)
    return value


def _expect(value: Any, wanted: type) -> Any:
    if type(value) is not wanted:  # not isinstance: True is no number
        raise FrameError(f": expected {wanted.__name__}, found {_short(value)}")
    return value


def _short(value: Any) -> str:
    return f"{type(value).__name__} {repr(value)[:80] if not isinstance(value, (dict, list)) else ''}".rstrip()
