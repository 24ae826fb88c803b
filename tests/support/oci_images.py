"""Container images for tests, made without any container tool; some of Debian packages, of which each is a layer."""

import gzip
import hashlib
import io
import json
import subprocess
import sys
import tarfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from evaluate.images.squashfs import packer

Entry = tuple[str, str | bytes | None]
"""Name and content; None for a folder, a str for a symbolic link's target."""
Config = Mapping[str, Any]


def layer(*entries: Entry, extra: Sequence[tarfile.TarInfo] = (), mode: int = 0o755, uid: int = 0) -> bytes:
    """A plain layer."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as tar:
        for name, content in entries:
            member = tarfile.TarInfo(name)
            member.mode, member.uid, member.gid = mode, uid, uid
            if content is None:
                member.type = tarfile.DIRTYPE
            elif isinstance(content, str):
                member.type, member.linkname = tarfile.SYMTYPE, content
            else:
                member.size = len(content)
            tar.addfile(member, io.BytesIO(content if isinstance(content, bytes) else b""))
        for member in extra:
            tar.addfile(member)
    return data.getvalue()


def squashed(target: Path, tree: bytes) -> Path:
    """A plain layer as guests mount it."""
    with packer(target) as pipe:
        pipe.write(tree)
    target.chmod(0o644)
    return target


def special(name: str, kind: bytes, link: str = "", **attributes: Any) -> tarfile.TarInfo:
    """A member without content."""
    member = tarfile.TarInfo(name)
    member.type, member.linkname = kind, link
    for key, value in attributes.items():
        setattr(member, key, value)
    return member


def pax(name: str, records: Mapping[str, bytes], kind: bytes = tarfile.XHDTYPE) -> bytes:
    """A layer of one empty file after an extended header with these records, written without any check."""
    lines = b""
    for key, value in records.items():
        text = b" " + key.encode() + b"=" + value + b"\n"
        size = len(text) + len(str(len(text)))
        size = len(text) + len(str(size))
        lines += str(size).encode() + text
    head = special("header", kind, size=len(lines)).tobuf(tarfile.GNU_FORMAT)
    member = tarfile.TarInfo(name).tobuf(tarfile.GNU_FORMAT)
    return head + lines + bytes(-len(lines) % 512) + member + bytes(1024)


def digest(data: bytes) -> str:
    return "sha256:" + hashlib.sha256(data).hexdigest()


def config_of(layers: Sequence[bytes], config: Config | None, platform: tuple[str, str] = ("linux", "amd64")) -> bytes:
    return json.dumps(
        {
            "os": platform[0],
            "architecture": platform[1],
            "config": {"Entrypoint": ["/run.sh"], **(config or {})},
            "rootfs": {"type": "layers", "diff_ids": [digest(data) for data in layers]},
        }
    ).encode()


def bundle(path: Path, files: Mapping[str, bytes], *, compress: bool = False) -> Path:
    """A tar archive of these files."""
    data = layer(*files.items())
    path.write_bytes(gzip.compress(data, 1) if compress else data)
    return path


def docker_save(
    path: Path,
    layers: Sequence[bytes],
    config: Config | None = None,
    *,
    compress: bool = False,
    more: Mapping[str, bytes] | None = None,
) -> Path:
    """An archive as ``docker save`` writes it."""
    text = config_of(layers, config)
    name = digest(text)[7:] + ".json"
    names = [f"{i}/layer.tar" for i in range(len(layers))]
    manifest = [{"Config": name, "RepoTags": ["entry:latest"], "Layers": names}]
    files = {name: text, **dict(zip(names, layers, strict=True)), "manifest.json": json.dumps(manifest).encode()}
    return bundle(path, {**files, **(more or {})}, compress=compress)


def oci_layout(
    path: Path,
    layers: Sequence[bytes],
    config: Config | None = None,
    *,
    compress: bool = False,
    nested: bool = False,
    platforms: Sequence[tuple[str, str]] = (("linux", "amd64"),),
) -> Path:
    """An OCI image layout in a tar archive."""
    files: dict[str, bytes] = {"oci-layout": b'{"imageLayoutVersion":"1.0.0"}'}

    def put(data: bytes) -> dict[str, Any]:
        files[f"blobs/sha256/{digest(data)[7:]}"] = data
        return {"digest": digest(data), "size": len(data)}

    manifests = []
    for platform in platforms:
        text = config_of(layers, config, platform)
        blobs = [put(gzip.compress(data, 1, mtime=0)) for data in layers]
        manifest = json.dumps({"schemaVersion": 2, "config": put(text), "layers": blobs}).encode()
        manifests.append({**put(manifest), "platform": dict(zip(("os", "architecture"), platform, strict=True))})
    if nested:
        manifests = [put(json.dumps({"schemaVersion": 2, "manifests": manifests}).encode())]
    files["index.json"] = json.dumps({"schemaVersion": 2, "manifests": manifests}).encode()
    return bundle(path, files, compress=compress)


def with_file(archive: Path, name: str, data: bytes) -> Path:
    """An archive with another member, as ``tar --append`` adds it."""
    with tarfile.open(archive, "a") as tar:
        member = tarfile.TarInfo(name)
        member.size = len(data)
        tar.addfile(member, io.BytesIO(data))
    return archive


BUSYBOX = ("busybox-static",)
_PYTHON = f"python3.{sys.version_info.minor}"
"""The machine's own: its archives have no other."""
_OF_BUSYBOX = "bin" if sys.version_info < (3, 12) else "usr/bin"
"""Its folder in the package; a layer with ``bin`` hides the link of that name in an earlier one from buildah."""
PYTHON = (
    *("libc6", "libcrypt1", "zlib1g", "libexpat1", "libffi8", "libbz2-1.0", "liblzma5"),
    "libssl3" if sys.version_info < (3, 12) else "libssl3t64",
    *(f"lib{_PYTHON}-minimal", f"lib{_PYTHON}-stdlib", f"{_PYTHON}-minimal"),
)
_TOOLS = ("sh", "cat", "chown", "cp", "dd", "echo", "env", "id", "ls", "mkdir", "mv", "rm", "sleep", "test", "wget")
MERGED = layer(
    *((name, None) for name in ("usr", "usr/bin", "usr/lib", "usr/sbin", "tmp", "proc", "dev", "run", "var", "etc")),
    *((name, f"usr/{name}") for name in ("bin", "lib", "sbin")),
    ("usr/lib64", None),
    ("lib64", "usr/lib64"),
    ("etc/passwd", b"root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n"),
)
"""Debian's tree, in which packages still put files below ``/lib``."""


def packages(names: tuple[str, ...], folder: Path) -> list[bytes]:
    """The file trees of packages as plain tars."""
    folder.mkdir(parents=True, exist_ok=True)
    for update in (False, True):  # a machine may have no package lists yet
        if update:
            subprocess.run(["apt-get", "update", "-qq"], check=True, capture_output=True)
        done = subprocess.run(
            ["apt-get", "download", "-q", *names], cwd=folder, capture_output=True, text=True, check=False
        )
        if done.returncode == 0:
            break
    assert done.returncode == 0, done.stderr
    trees = []
    for name in names:
        (deb,) = folder.glob(f"{name}_*.deb")
        trees.append(subprocess.run(["dpkg-deb", "--fsys-tarfile", deb], check=True, capture_output=True).stdout)
    return trees


def busybox_image(target: Path, program: bytes, scratch: Path) -> Path:
    """An archive of ``docker save``: a static busybox with the program ``/bin/landmark_detection``, no entry point."""
    links = layer(*((f"bin/{name}", "busybox") for name in ("sh", "mkdir", "echo", "cat", "ls", "id")))
    program_layer = layer(("usr/local/bin/landmark_detection", program))
    layers = [MERGED, *packages(BUSYBOX, scratch), links, program_layer]
    return docker_save(target, layers, {"Entrypoint": None, "Cmd": ["/bin/sh"]}, compress=True)


def python_image(target: Path, program: bytes, scratch: Path, **config: Any) -> Path:
    """An OCI layout of Debian's Python that runs as ``nobody`` in its own folder; ``config`` adds to its settings."""
    program_layer = layer(("app/run.py", program), ("usr/bin/python3", _PYTHON))
    return oci_layout(
        target,
        [MERGED, *packages(PYTHON, scratch), program_layer],
        {
            "Entrypoint": ["python3", "/app/run.py"],
            "Env": ["PATH=/usr/bin:/bin", "LANG=C.UTF-8"],
            "WorkingDir": "/app",
            "User": "nobody",
            **config,
        },
    )


def base_image(target: Path, scratch: Path) -> Path:
    """An archive of ``docker save`` for Dockerfiles to begin with: Debian's Python and make with a static busybox."""
    links = layer(
        *((name, None) for name in ("tmp", "etc", "root", "home", "var", "opt")),
        *((f"{_OF_BUSYBOX}/{name}", "busybox") for name in _TOOLS),
        ("usr/bin/python3", _PYTHON),
        ("etc/passwd", b"root:x:0:0:root:/root:/bin/sh\n"),
        ("etc/group", b"root:x:0:\n"),
    )
    config = {"Entrypoint": None, "Cmd": ["python3"], "Env": ["PATH=/usr/local/bin:/usr/bin:/bin"]}
    return docker_save(target, [MERGED, *packages((*BUSYBOX, "make", *PYTHON), scratch), links], config)
