"""A container image merged to one tar archive, and how its program is started; run in a bounded process."""

from __future__ import annotations

import difflib
import os
import posixpath
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from evaluate.config.challenge.types import ArchiveLimits
from evaluate.core.errors import EntryError
from evaluate.core.model import ContainerProgram, User
from evaluate.protocol.guest import OWNERS
from evaluate.untrusted.merge import MOST_PART_BYTES, Node, Tree
from evaluate.untrusted.oci import MODEL, ImageConfig, OciImage, unpack_blob, unpack_layer

_MOUNT_POINTS = {
    "dev": 0o755,
    "proc": 0o555,
    "tmp": 0o1777,
    "run": 0o755,
    "var": 0o755,
    "var/tmp": 0o1777,
    "input": 0o755,
    "output": 0o755,
}
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_MOST_PASSWD_BYTES = 1 << 20
_MOST_NEAR = 200
"""Most characters of paths that are compared: comparing long similar paths is slow."""


@dataclass(frozen=True, kw_only=True)
class Merged:
    """ContainerProgram of a merged image as it is started, and notes for the team."""

    program: ContainerProgram
    notes: tuple[str, ...]


def merge_image(
    archive: Path,
    image: OciImage,
    argument: str,
    work: Path,
    limits: ArchiveLimits,
    descriptor: int,
    program: str = "",
    model: str = "",
) -> Merged:
    """Merge the layers of an image and write the tree as a tar archive to an open file.

    Raises EntryError if a layer, or the way the image is to be started, is at fault.

    * ``archive``: the plain archive that the image's parts are in.
    * ``argument``: argument of the entry point by the rules; empty: the image's own arguments.
    * ``work``: an empty folder for the layers.
    * ``program``: what is called with the argument in an image that has it, but no entry point.
    * ``model``: the folder of the image that the tarball beside it takes the place of, if there is one.
    """
    layers = _plain_layers(archive, image, work, limits)
    tree = Tree(limits.files)
    for layer, path in zip(image.layers, layers, strict=True):
        tree.add(layer.number, layer.label, path)
    if model and image.model is not None:
        left = limits.unpacked_bytes - sum(path.stat().st_size for path in layers)
        layers.append(work / "model.tar")
        unpack_blob(archive, image.model, MODEL, layers[-1], left)
        tree.add_folder(len(image.layers), MODEL, layers[-1], model.strip("/").split("/"))
    started = program_of(image.config, argument, tree, layers, program)
    _prepare(tree, started.cwd)
    with suppress(BrokenPipeError), os.fdopen(descriptor, "wb") as stream:  # its reader reports why it ended
        tree.write(layers, stream)
    return Merged(program=started, notes=tuple(tree.notes))


def _plain_layers(archive: Path, image: OciImage, work: Path, limits: ArchiveLimits) -> list[Path]:
    left, tars = limits.unpacked_bytes, []
    for layer in image.layers:
        tars.append(work / f"layer-{layer.number}.tar")
        left -= unpack_layer(archive, layer, tars[-1], left)
    return tars


def program_of(
    config: ImageConfig, argument: str, tree: Tree, layers: Sequence[Path], program: str = ""
) -> ContainerProgram:
    """Return the image's program as it is started with the argument from the rules.

    Raises EntryError if there is no program of that name in the image, or the image's user is unknown; the message says
    what to add.
    """
    env = {"PATH": _PATH, "PYTHONHASHSEED": "0", **config.env}
    cwd = "/" + posixpath.normpath(f"/{config.cwd}").lstrip("/")
    argv = (*config.entrypoint, *((argument,) if argument else config.cmd))
    if program and not config.entrypoint and _find(program, env["PATH"], cwd, tree) is not None:
        argv = (program, argument) if argument else (program,)
    if not argv:
        raise EntryError('the image has neither an entry point nor a command; add ENTRYPOINT ["/path/of/program"]')
    if _find(argv[0], env["PATH"], cwd, tree) is None:
        if config.entrypoint:
            raise EntryError(f"the image's entry point {argv[0][:200]!r} is not in the image{_near(argv[0], tree)}")
        raise EntryError(
            f"the image has no entry point, and no program {argv[0]!r} is on its path ({env['PATH']}): add "
            f'ENTRYPOINT ["/path/of/your/program"] to its Dockerfile, which is then called as "… {argv[0]}", '
            f"or COPY an executable program to /usr/local/bin/{argv[0]}"
        )
    user, home = _user(config.user, tree, layers)
    return ContainerProgram(argv=argv, env={"HOME": home, **env}, cwd=cwd, user=user, labels=config.labels)


def _find(program: str, path: str, cwd: str, tree: Tree) -> Node | None:
    if "/" in program:
        places = [program if program.startswith("/") else f"{cwd}/{program}"]
    else:
        places = [f"{folder}/{program}" for folder in path.split(":")]
    for candidate in places:
        node = tree.walk(candidate.split("/"))
        if node is not None and node.kind == "file" and node.mode & 0o111:
            return node
    return None


def _near(program: str, tree: Tree) -> str:
    """Hint for a message: a similar name, or that the file exists but is not executable."""
    name = program.rpartition("/")[2]
    paths = [f"/{path}" for path, node in tree.paths() if path.rpartition("/")[2] == name and node.kind == "file"]
    if f"/{program.lstrip('/')}" in paths:
        return ": the file there is not executable (RUN chmod +x)"
    short = [f"/{path}" for path, _ in tree.paths() if len(path) < _MOST_NEAR] if len(program) < _MOST_NEAR else []
    near = paths[:1] or difflib.get_close_matches(program, short, n=1)
    return f"; there is {near[0]!r}" if near else ""


def _user(text: str, tree: Tree, layers: Sequence[Path]) -> tuple[User, str]:
    """User and home by name or number, ``user[:group]``, from the image's own passwd and group files."""
    name, _, group = text.partition(":")
    uid, gid, home = 0, 0, "/root" if tree.walk(["root"]) is not None else "/"
    entry = _line(tree.read("etc/passwd", layers, _MOST_PASSWD_BYTES), name or "0", number_at=2)
    if entry is not None and len(entry) >= 6:
        uid, gid, home = _number(entry[2], text), _number(entry[3], text), entry[5] or "/"
    elif name and not name.isdecimal():
        raise EntryError(f"the image runs as user {name!r}, who is not in its /etc/passwd")
    elif name:
        uid, home = _number(name, text), "/"
    if group:
        entry = _line(tree.read("etc/group", layers, _MOST_PASSWD_BYTES), group, number_at=2)
        if entry is None and not group.isdecimal():
            raise EntryError(f"the image runs as group {group!r}, which is not in its /etc/group")
        gid = _number(entry[2] if entry is not None else group, text)
    return User(uid=uid, gid=gid), home


def _line(data: bytes | None, name: str, *, number_at: int) -> list[str] | None:
    for line in (data or b"").decode(errors="replace").splitlines():
        parts = line.split(":")
        if len(parts) > number_at and name in (parts[0], parts[number_at]) and "\0" not in line:
            return parts
    return None


def _number(text: str, user: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 10) or int(text) >= OWNERS:
        raise EntryError(f"the image's user {user[:80]!r}: expected a number below {OWNERS}, found {text[:40]!r}")
    return int(text)


def _prepare(tree: Tree, cwd: str) -> None:
    """Create the folders that the guest mounts something on, and the working directory."""
    for path, mode in _MOUNT_POINTS.items():
        folder = tree.root
        parts = path.split("/")
        for part in parts[:-1]:
            folder = folder.children[part]
        node = folder.children.setdefault(parts[-1], Node("folder", mode))
        if node.kind != "folder":
            raise EntryError(f"/{path} is a {node.kind} in the image; the virtual machine needs a folder there")
    folder = tree.root
    parts = [part for part in cwd.split("/") if part]
    for i, part in enumerate(parts, 1):
        if len(part.encode()) > MOST_PART_BYTES:
            raise EntryError(f"the image's working folder: {part[:80]!r}… has more than {MOST_PART_BYTES} bytes")
        child = tree.walk(parts[:i]) or folder.children.setdefault(part, Node("folder"))
        if child.kind != "folder":
            kind = "a file" if child.kind == "file" else "a link that leads nowhere"
            raise EntryError(f"the image's working folder {cwd[:200]!r}: /{'/'.join(parts[:i])[:200]} is {kind}")
        folder = child
