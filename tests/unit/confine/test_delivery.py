"""Files out of walls: the host writes them down, whatever was sent."""

import io
import os
import struct
from dataclasses import replace
from itertools import repeat
from pathlib import Path

import pytest

from evaluate.confine.delivery import Delivery, send, sending
from evaluate.core.errors import EntryError, Fault, SandboxFault


def stream(*files: tuple[bytes, bytes], end: bytes = struct.pack("<I", 0)) -> bytes:
    return (
        b"".join(
            struct.pack("<I", len(name)) + name + (struct.pack("<I", len(data)) + data if data else b"") + bytes(4)
            for name, data in files
        )
        + end
    )


@pytest.fixture
def delivery(tmp_path: Path) -> Delivery:
    for name in ("out", "other"):
        (tmp_path / name).mkdir()
    return Delivery(folder=tmp_path / "out", most_bytes=100, most_files=5)


def test_files_are_written_where_they_belong(tmp_path: Path) -> None:
    delivery = Delivery(folder=tmp_path / "out", most_bytes=3 << 20, most_files=2)
    with delivery.open() as fd, sending(fd) as out:
        send(out, "a", [b"1", b"", b"2"])
        send(out, "deep/er/ä", [bytes((2 << 20) + 1)])
    assert (tmp_path / "out" / "a").read_bytes() == b"12"
    assert (tmp_path / "out" / "deep" / "er" / "ä").read_bytes() == bytes((2 << 20) + 1)


@pytest.mark.parametrize(
    ("data", "wish"),
    [
        *(
            (stream((name, b"x")), "is not a usable file name")
            for name in (
                b"/etc/passwd", b"../up", b"a/../b", b"a//b", b"a/", b".", b"\0", b"new\nline", b"\xff", b"a" * 256,
                b"/".join([b"d"] * 65),
            )
        ),
        (stream((b"a", b"1"), (b"a", b"2")), "gave 'a' twice, or in a file"),
        (stream((b"a", b"1"), (b"a/b", b"2")), "gave 'a/b' twice, or in a file"),
        (stream((b"a/b", b"1"), (b"a", b"2")), "gave 'a' twice, or in a file"),
        (stream((b"a", bytes(60)), (b"b", bytes(41))), "gave more than 0 MiB of files"),
        (stream(*((b"%d" % n, b"") for n in range(6))), "gave more than 5 files"),
        (struct.pack("<I", 4097), "a part of 4097 bytes"),
        (struct.pack("<I", 1) + b"a" + struct.pack("<I", 1 << 31), "a part of 2147483648 bytes"),
        (stream((b"a", b"1"), end=b""), "end too early"),
        (stream((b"a", b"1"))[:-10], "end too early"),
        (b"", "end too early"),
    ],
)  # fmt: skip
def test_stream_that_is_none_is_refused(data: bytes, wish: str, delivery: Delivery) -> None:
    with pytest.raises(EntryError, match=wish):
        delivery.take(io.BytesIO(data))
    with pytest.raises(SandboxFault, match=wish):
        replace(delivery, folder=delivery.folder.with_name("other"), blame=SandboxFault).take(io.BytesIO(data))


def test_link_that_is_there_is_not_followed(delivery: Delivery, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "key").write_text("of the host")
    (delivery.folder / "folder").symlink_to(secret)
    (delivery.folder / "file").symlink_to(secret / "key")
    for name in (b"folder/key", b"folder/new"):
        with pytest.raises(OSError, match=r"Not a directory|Too many levels"):
            delivery.take(io.BytesIO(stream((name, b"x"))))
    delivery.take(io.BytesIO(stream((b"file", b"x"))))  # in the place of the link
    assert not (delivery.folder / "file").is_symlink()
    assert [path.name for path in secret.iterdir()] == ["key"]
    assert (secret / "key").read_text() == "of the host"


def test_only_what_was_asked_for_is_taken(delivery: Delivery) -> None:
    with pytest.raises(EntryError, match="gave 'b', which was not asked for"):
        replace(delivery, expected={"a"}.__contains__).take(io.BytesIO(stream((b"a", b""), (b"b", b""))))


def test_reason_for_which_nobody_listens_any_more_is_the_one_that_is_given(delivery: Delivery) -> None:
    with pytest.raises(EntryError, match="gave more than 0 MiB"), delivery.open() as fd:
        with pytest.raises(BrokenPipeError), os.fdopen(fd, "wb", closefd=False, buffering=0) as out:
            send(out, "a", repeat(bytes(1000)))
        raise Fault("Broken pipe")
    with pytest.raises(Fault, match="of its own"), delivery.open():
        raise Fault("of its own")


def test_disk_of_the_host_is_the_hosts(delivery: Delivery, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "mkdir", full)
    with pytest.raises(Fault, match="No space left"), delivery.open() as fd, sending(fd) as out:
        send(out, "folder/a", [b"1"])
