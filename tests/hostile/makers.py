"""Uploads, answers and words of cases; a function is called as its case, with ``_`` for ``-``."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import struct
import subprocess
import tarfile
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import repeat
from pathlib import Path
from typing import Any

from evaluate.protocol import messages
from evaluate.protocol.frames import Frame, FrameWriter

GIB = 1 << 30


# Archives: each gets the folder of the sample entry, and returns the file that is uploaded


def _written(scratch: Path, name: str, data: bytes | bytearray) -> Path:
    upload = scratch / name
    upload.write_bytes(data)
    return upload


def _member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "", size: int = 0, major: int = 0) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.type, member.linkname, member.size, member.devmajor = kind, link, size, major
    return member


class Zeros:
    """A file of zeros without an end."""

    def read(self, size: int = -1) -> bytes:
        return bytes(size)


Maker = Callable[[Path, Path], Any]


def _gz_bomb(name: str, *members: tarfile.TarInfo) -> Maker:
    """A compressed tar of files of zeros."""

    def make(_: Path, scratch: Path) -> Path:
        with gzip.open(scratch / name, "wb", 9) as packed, tarfile.open(fileobj=packed, mode="w|") as tar:
            for member in members:
                tar.addfile(member, Zeros())
        return scratch / name

    return make


def _uploaded(name: str, data: bytes) -> Maker:
    """A file with these bytes."""
    return lambda _, scratch: _written(scratch, name, data)


def _with_members(*members: tarfile.TarInfo) -> Maker:
    """The sample entry as a tar, and members besides, whose content is zeros."""

    def make(sample: Path, scratch: Path) -> Path:
        upload = scratch / "entry.tar"
        with tarfile.open(upload, "w") as tar:
            tar.add(sample, "entry")
            for member in members:
                tar.addfile(member, io.BytesIO(bytes(member.size)))
        return upload

    return make


def _with_zip(change: Callable[[bytearray], bytearray | None]) -> Maker:
    """The sample entry as a zip whose bytes are changed in place, or replaced."""
    return lambda sample, scratch: _written(scratch, "entry.zip", change(data := _zip(sample)) or data)


def _with_line(name: str) -> Maker:
    """The sample entry with a file of two million lines."""

    def make(sample: Path, scratch: Path) -> Path:
        (sample / name).write_text("!\n" * (2 << 20))
        return sample

    return make


def _zip_of(files: Mapping[str, bytes]) -> bytearray:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return bytearray(packed.getvalue())


def _zip(sample: Path) -> bytearray:
    return _zip_of({path.name: path.read_bytes() for path in sorted(sample.iterdir())})


archive_absolute = _with_members(
    *(_member(name, size=3) for name in ("/tmp/evaluate-escaped", "//etc/evaluate-escaped"))
)


archive_bomb_flat = _with_zip(lambda _: _zip_of({f"big{number}": bytes(4 << 20) for number in range(32)}))
archive_bomb_gz = _gz_bomb("entry.tar.gz", _member("entry/big", size=1 << 27))


def archive_bomb_header(sample: Path, scratch: Path) -> Path:
    upload = scratch / "entry.tar.gz"
    member = _member("entry/prediction_00210.nii.gz", size=94 * GIB)
    # some zeros, compressed once; each copy of them is a further member of the gzip file
    zeros = gzip.compress(bytes(GIB >> 6))
    with upload.open("wb") as f:
        f.write(gzip.compress(member.tobuf(tarfile.PAX_FORMAT)))
        for _ in range(94 << 6):
            f.write(zeros)
    return upload


def archive_bomb_nested(sample: Path, scratch: Path) -> Path:
    data = bytes(1 << 20)
    for level in range(9):
        data = bytes(_zip_of({f"{level}-{number}.zip": data for number in range(10)}))
    return _written(scratch, "entry.zip", data)


def archive_bomb_overlapping(sample: Path, scratch: Path) -> Path:
    data = _zip_of({"a": bytes(8 << 20)})
    directory = data.index(b"PK\1\2")
    entry = data[directory : data.rindex(b"PK\5\6")]
    count = 500
    tail = struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, count, count, count * len(entry), directory, 0)
    return _written(scratch, "entry.zip", data[:directory] + entry * count + tail)


def _count(data: bytearray) -> None:
    end = data.rindex(b"PK\5\6")
    data[end + 8 : end + 12] = struct.pack("<HH", 60000, 60000)


archive_count = _with_zip(_count)


def _crc(data: bytearray) -> None:
    directory = data.index(b"PK\1\2")
    while directory >= 0:
        data[directory + 16 : directory + 20] = bytes(4)
        directory = data.find(b"PK\1\2", directory + 4)


archive_crc = _with_zip(_crc)
_DECLARED = _member("entry/setup.sh", size=1 << 62).tobuf(tarfile.GNU_FORMAT)
archive_declared = _uploaded("entry.tar", _DECLARED)
archive_declared_gz = _uploaded("entry.tar.gz", gzip.compress(_DECLARED))
archive_deep = _with_members(_member("entry/" + "d/" * 4000 + "f"))


_DEVICES = {"disk": tarfile.BLKTYPE, "null": tarfile.CHRTYPE, "pipe": tarfile.FIFOTYPE}
archive_device = _with_members(*(_member(f"entry/{name}", kind, major=8) for name, kind in _DEVICES.items()))


def _encrypted(data: bytearray) -> None:
    data[6] |= 1
    data[data.index(b"PK\1\2") + 8] |= 1


archive_encrypted = _with_zip(_encrypted)
archive_hard_link = _with_members(_member("entry/answers2.txt", tarfile.LNKTYPE, "/etc/passwd"))
archive_long_name = _with_members(_member("entry/" + "n" * 65000))


def archive_many(sample: Path, scratch: Path) -> Path:
    upload = scratch / "entry.tar.gz"
    member = _member("entry/f").tobuf()
    with gzip.open(upload, "wb", 1) as packed:
        for _ in range(60):
            packed.write(member * 1000)
    return upload


_NAMES = ("\x1b[2J\x07", "a\nb", "\udcff\udcfe", "\u202etxt.exe", " ", "-rf")
archive_names = _with_members(*(_member(f"entry/{name}") for name in _NAMES))
archive_nothing = _uploaded("entry.zip", b"")
_PAX = _member("entry/harmless")
_PAX.pax_headers = {"path": "../../evaluate-escaped", "size": str(1 << 61), "linkpath": "/etc/passwd"}
archive_pax = _with_members(_PAX)


def archive_polyglot(sample: Path, scratch: Path) -> Path:
    upload = _written(scratch, "entry.zip", b"#!/bin/sh\ntouch /tmp/evaluate-escaped\n" + _zip(sample))
    upload.chmod(0o755)
    return upload


archive_same_name = _with_members(
    _member("entry/twice", tarfile.DIRTYPE), _member("entry/twice", tarfile.SYMTYPE, "../..")
)


def archive_sparse(sample: Path, scratch: Path) -> Path:
    head = bytearray(_member("entry/setup.sh", tarfile.GNUTYPE_SPARSE).tobuf(tarfile.GNU_FORMAT))
    head[386:398] = head[398:410] = b"%011o\0" % 0
    head[483:495] = b"\x80" + (1 << 60).to_bytes(11, "big")
    head[148:156] = b" " * 8
    head[148:156] = b"%06o\0 " % sum(head)
    return _written(scratch, "entry.tar", bytes(head) + bytes(1024))


archive_symlink = _with_members(
    _member("entry/out", tarfile.SYMTYPE, "/tmp"), _member("entry/out/evaluate-escaped", size=3)
)
_FOLDERS = ("..", "entry/../..", "entry/a/../../../../tmp")
archive_traversal = _with_members(*(_member(f"{folder}/evaluate-escaped", size=3) for folder in _FOLDERS))


archive_two_directories = _with_zip(lambda data: _zip_of({"../evaluate-escaped": b"out"}) + data)


def _zip64(data: bytearray) -> None:
    directory = data.index(b"PK\1\2")
    name, extra = data[directory + 28], data[directory + 30]
    field = struct.pack("<HHQQ", 1, 16, 1 << 63, 1 << 63)
    data[directory + 20 : directory + 28] = bytes([255] * 8)
    data[directory + 30 : directory + 32] = struct.pack("<H", len(field))
    at = directory + 46 + name
    data[at : at + extra] = field
    end = data.rindex(b"PK\5\6")
    data[end + 12 : end + 16] = struct.pack("<I", end - directory)


archive_zip64 = _with_zip(_zip64)
dependencies_flood, requirements_flood = _with_line("dependencies.txt"), _with_line("requirements.txt")


# Container images


def _layer(*members: tarfile.TarInfo) -> bytes:
    """A layer with a program, and members besides, whose content is zeros."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        for member in (_member("run.sh", size=5), *members):
            member.mode = 0o755
            tar.addfile(member, io.BytesIO(bytes(member.size)))
    return packed.getvalue()


def _image(scratch: Path, layer: bytes, manifest: dict[str, Any] | None = None, **config: Any) -> Path:
    """An image of one layer."""
    digest = hashlib.sha256(layer).hexdigest()
    settings = {
        "os": "linux",
        "architecture": "amd64",
        "config": {"Entrypoint": ["/run.sh"]},
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{digest}"]},
        **config,
    }
    named = {"Config": "config.json", "RepoTags": ["e:1"], "Layers": ["layer.tar"], **(manifest or {})}
    files = {
        "config.json": json.dumps(settings).encode(),
        "layer.tar": layer,
        "manifest.json": json.dumps([named]).encode(),
    }
    upload = scratch / "image.tar"
    with tarfile.open(upload, "w") as tar:
        for name, data in files.items():
            tar.addfile(_member(name, size=len(data)), io.BytesIO(data))
    return upload


def _of_image(layer: bytes, manifest: dict[str, Any] | None = None, **config: Any) -> Maker:
    return lambda _, scratch: _image(scratch, layer, manifest, **config)


image_architecture = _of_image(_layer(), architecture="arm64")
image_bomb = _of_image(_member("big", size=1 << 62).tobuf(tarfile.GNU_FORMAT) + bytes(1024))
image_device = _of_image(_layer(_member("dev/sda", tarfile.BLKTYPE)))
image_digest = _of_image(_layer(), rootfs={"type": "layers", "diff_ids": ["sha256:" + "0" * 64]})
image_link = _of_image(_layer(_member("out", tarfile.SYMTYPE, "/tmp"), _member("out/evaluate-escaped", size=3)))
image_manifest = _of_image(_layer(), {"Config": "../../../../etc/passwd", "Layers": ["/etc/shadow"]})
image_traversal = _of_image(_layer(_member("../../evaluate-escaped", size=3)))
image_whiteout = _of_image(_layer(_member(".wh..."), _member("a/.wh..wh..opq/../../b")))
image_bomb_zeros = _gz_bomb("image.tar.gz", _member("manifest.json"), _member("layer.tar", size=300 << 20))


def image_json(sample: Path, scratch: Path) -> Path:
    upload = _image(scratch, _layer())
    data = b'[{"Config": "config.json", "Layers": ["layer.tar"], "RepoTags": ' + b"[" * 100000
    with tarfile.open(upload, "a") as tar:
        tar.addfile(_member("manifest.json", size=len(data)), io.BytesIO(data))
    return upload


# Repositories


def _git(folder: Path, *words: str, text: str = "") -> str:
    """The output of git."""
    name = {f"GIT_{who}_{what}": "a" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    environment = {**os.environ, **name, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(
        ["git", "-c", "init.defaultBranch=main", *words],
        cwd=folder,
        env=environment,
        input=text,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def _bundle(listed: Callable[[Path], str], blob: str = "") -> Maker:
    """A repository with one commit of a tree of these lines, in which BLOB is the number of a file."""

    def make(sample: Path, scratch: Path) -> Path:
        _git(sample, "init", "-q")
        number = _git(sample, "hash-object", "-w", "--stdin", text=blob)
        tree = _git(sample, "mktree", "--missing", text=listed(sample).replace("BLOB", number))
        _git(sample, "update-ref", "refs/heads/main", _git(sample, "commit-tree", tree, "-m", "x"))
        upload = scratch / "entry.bundle"
        _git(sample, "bundle", "create", "-q", str(upload), "HEAD", "main")
        return upload

    return make


def _folders(sample: Path) -> str:
    kind, held = "100644 blob", _git(sample, "hash-object", "-w", "--stdin", text="x")
    for _ in range(8):
        held = _git(sample, "mktree", text="".join(f"{kind} {held}\t{n}\n" for n in range(10)))
        kind = "040000 tree"
    return "".join(f"{kind} {held}\t{n}\n" for n in range(10))


def _hooks(sample: Path) -> str:
    blob = _git(sample, "hash-object", "-w", "--stdin", text="#!/bin/sh\ntouch /tmp/evaluate-escaped\n")
    hooks = _git(sample, "mktree", text=f"100755 blob {blob}\tpost-checkout\n")
    inner = _git(sample, "mktree", text=f"040000 tree {hooks}\thooks\n")
    return f"040000 tree {inner}\t.git\n"


def _link(sample: Path) -> str:
    (sample / "requirements.txt").unlink()
    _git(sample, "add", "-A")
    listed = _git(sample, "ls-tree", _git(sample, "write-tree"))
    return f"{listed}\n120000 blob BLOB\trequirements.txt\n"


repository_bomb = _bundle(_folders)
repository_damaged = _uploaded(
    "entry.bundle", b"# v2 git bundle\n" + b"1" * 40 + b" HEAD\n\nPACK\0\0\0\2\x7f\xff\xff\xff"
)
repository_hooks = _bundle(_hooks)
repository_link = _bundle(_link, "/etc/passwd")
repository_submodule = _bundle(
    lambda _: f"100644 blob BLOB\t.gitmodules\n160000 commit {'1' * 40}\ta\n",
    '[submodule "a"]\npath = a\nurl = ext::touch /tmp/evaluate-escaped\n',
)
repository_traversal = _bundle(lambda _: "100644 blob BLOB\t..\n", "out")


# Answers: each gets the folder of references, and returns the answers, or answers and references of its own


def _answered(files: Callable[[Path], Mapping[str, bytes]]) -> Maker:
    """A folder of answers, whose names come from the references."""

    def make(references: Path, scratch: Path) -> Path:
        for name, data in files(references).items():
            path = scratch / "answers" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return scratch / "answers"

    return make


def _for_each_record(ending: str, data: Callable[[], bytes]) -> Maker:
    return _answered(lambda references: {f"{path.stem}{ending}": data() for path in references.iterdir()})


def _for_each_frame(references: Path) -> Mapping[str, bytes]:
    data = b'{"points": [{"x": ' + b"9" * 400_000 + b', "y": 1e999}]}'
    paths = [path.relative_to(references) for path in references.rglob("*.json")]
    return {str(path.parent.parent / path.name): data for path in paths}


answers_adaptor2021_json = _answered(_for_each_frame)
answers_camelyon16_numbers = _answered(lambda _: {"test_001.csv": b"inf,100,100\n0.5,nan,1e400\n"})
answers_camelyon16_rows = _answered(lambda _: {"test_001.csv": b"0.5,100,100\n" * 5_000_000})


def answers_cinc2017_endless(references: Path, scratch: Path) -> Path:
    answers = _written(scratch, "answers.txt", b"")
    os.truncate(answers, 10 << 30)
    return answers


def _text(data: Callable[[], bytes]) -> Maker:
    return lambda _, scratch: _written(scratch, "answers.txt", data())


answers_cinc2017_line = _text(lambda: b"T" * (256 << 20))
answers_cinc2017_lines = _text(lambda: b"T00001,N\n" * 20_000_000)


def _packed_mat() -> bytes:
    packed = zlib.compress(bytes(256 << 20), 9)
    return b"MATLAB 5.0 MAT-file".ljust(124) + struct.pack("<HHII", 0x0100, 0x4D49, 15, len(packed)) + packed


answers_cpsc2021_mat = _for_each_record(".mat", cache(_packed_mat))
answers_cpsc2021_json = _for_each_record(".json", lambda: b'{"predict_endpoints": ' + b"[" * 100_000)
answers_cpsc2021_numbers = _for_each_record(
    ".json", lambda: b'{"predict_endpoints": [[-1, 1e999], [NaN, 9223372036854775808], [5, 4]]}'
)


def _table(text: str) -> Maker:
    """A table of answers, and references of its own."""

    def make(_: Path, scratch: Path) -> tuple[Path, Path]:
        references = _written(scratch, "r.csv", b"record,value\na,1\nb,2\n")
        return _written(scratch, "answers.csv", text.encode()), references

    return make


answers_generic_numbers = _table("record,value\na," + "9" * 100_000 + "\nb,1e999\n")
answers_generic_table = _table("record,value" + ",x" * 1_000_000 + "\na,1\nb,2\n")


def _head(volume: Path) -> bytearray:
    with gzip.open(volume) as file:
        return bytearray(file.read(352))


def _volume_bomb(references: Path) -> Mapping[str, bytes]:
    volume = min(references.glob("*.nii.gz"))
    return {volume.name: gzip.compress(_head(volume) + bytes(256 << 20), 1)}


def _huge_shape(volume: Path) -> bytes:
    head = _head(volume)
    head[42:48] = struct.pack("<3h", 32767, 32767, 32767)
    return gzip.compress(head)


answers_kits19_bomb = answers_kits23_bomb = answers_mlperf_kits19_bomb = _answered(_volume_bomb)
answers_kits19_shape = answers_mlperf_kits19_shape = _answered(
    lambda references: {volume.name: _huge_shape(volume) for volume in references.glob("*.nii.gz")}
)


# Guests: each gets what writes frames, and yields what the agent says


READY, STARTED, EXITED, BUSY = (
    messages.encode(kind()) for kind in (messages.Ready, messages.Started, messages.Exited, messages.Busy)
)
_ENDED = {"exit_code": -1, "signal": 1e308, "memory_peak": 10**400, "output_bytes": -5}
Agent = Callable[[FrameWriter], Iterator[bytes]]


def _saying(*frames: Frame) -> Agent:
    return lambda writer: map(writer.pack, frames)


def _writing(data: Callable[[FrameWriter], bytes]) -> Agent:
    return lambda writer: iter([data(writer)])


guest_noise = _writing(lambda _: bytes(range(256)) * 100)
guest_numbers = _saying(READY, STARTED, EXITED, Frame("ended", _ENDED))
guest_other_boot = _writing(lambda _: FrameWriter(bytes(16)).pack(READY))
guest_silent = _saying()
guest_skips = _saying(READY, EXITED)


def guest_busy(writer: FrameWriter) -> Iterator[bytes]:
    while True:
        yield writer.pack(BUSY)
        time.sleep(0.01)


def guest_deep(writer: FrameWriter) -> Iterator[bytes]:
    body = b'{"kind": "ready", "x": ' + b"[" * 100_000
    yield writer.pack(READY)[:28] + struct.pack(">II", len(body), 0) + body


def guest_repeats(writer: FrameWriter) -> Iterator[bytes]:
    return repeat(writer.pack(READY))


def guest_trickles(writer: FrameWriter) -> Iterator[bytes]:
    for byte in writer.pack(READY):
        yield bytes([byte])
        time.sleep(1)
