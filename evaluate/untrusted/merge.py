"""The layers of a container image as one tree, the tree as one tar archive, and how its program is started.

Nothing is unpacked or executed.

A layer's paths are resolved in the tree below it as overlayfs and container engines do: a path below a symbolic link of
a lower layer follows the link, always inside the tree; ``.wh.NAME`` removes NAME of the lower layers,
``.wh..wh..opq`` everything they have in its folder.
"""

from __future__ import annotations

import posixpath
import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from evaluate.config.challenge.types import ArchiveLimits
from evaluate.core.errors import EntryError
from evaluate.core.model import ContainerProgram, User
from evaluate.protocol.guest import OWNER_SHIFT, OWNERS
from evaluate.untrusted.oci import MODEL, ImageConfig, OciImage, unpack_blob, unpack_layer
from evaluate.untrusted.tar import blaming, members, open_plain

_WHITEOUT, _OPAQUE = ".wh.", ".wh..wh..opq"
_MOST_LINKS = 40
_MOST_NAME_BYTES, _MOST_DEPTH = 4000, 200
_MOST_PART_BYTES = 255
"""Limit of one name in Linux."""
_MOST_IDS = 65_535
"""Different users and groups in one squashfs."""
_STEPS_A_FILE = 200
"""Average number of names looked up in the tree for each file; chains of links need many."""


@dataclass(frozen=True, eq=False)
class FileContent:
    """Bytes of a file, shared by its hard links."""

    layer: int
    offset: int
    size: int


@dataclass(eq=False)
class Node:
    """A file, folder or symbolic link of the merged tree."""

    kind: str
    """``file``, ``folder`` or ``link``."""
    mode: int = 0o755
    uid: int = 0
    gid: int = 0
    target: str = ""
    content: FileContent | None = None
    children: dict[str, Node] = field(default_factory=dict)
    layer: int = -1


class Tree:
    """The merged tree; layers are added from the lowest up."""

    def __init__(self, most_files: int) -> None:
        self.root = Node("folder")
        self._left = most_files
        self._steps = max(most_files, 1000) * _STEPS_A_FILE
        self._ids: set[int] = set()

    def add(self, number: int, label: str, tar: Path) -> None:
        """Add a layer, a plain tar archive, on top.

        Raises EntryError, which names the layer and what is not allowed in it.
        """
        files = self._members(label, tar)
        for parts, _ in files:  # deletions of a layer are applied before its files are added
            if parts and parts[-1] == _OPAQUE:
                folder = self.walk(parts[:-1])
                if folder is not None and folder.kind == "folder":
                    folder.children.clear()
            elif parts and parts[-1].startswith(_WHITEOUT):
                folder = self.walk(parts[:-1])
                if folder is not None:
                    folder.children.pop(parts[-1].removeprefix(_WHITEOUT), None)
        for parts, member in files:
            if parts and not parts[-1].startswith(_WHITEOUT):
                self._put(number, label, parts, member)

    def add_folder(self, number: int, label: str, tar: Path, target: Sequence[str]) -> None:
        """Put a plain tar archive, in which no name has a meaning of its own, in the place of a folder.

        Whoever its files belong to, everybody may read them.

        Raises EntryError as `add`.
        """
        files = self._members(label, tar)
        self._folder(target, number, label).children.clear()
        for parts, member in files:
            if not parts:
                continue
            if member.islnk():
                member.linkname = "/".join((*target, member.linkname))
            member.mode |= 0o555 if member.isdir() else 0o444
            self._put(number, label, (*target, *parts), member)

    def _members(self, label: str, tar: Path) -> list[tuple[tuple[str, ...], tarfile.TarInfo]]:
        files = []
        with blaming(f"{label} is not a complete tar archive"), tar.open("rb") as f, open_plain(f) as bundle:
            for member in members(bundle):
                files.append((self._checked(member, label), member))
                member.pax_headers = {}  # up to a mebibyte each; programs run without the capabilities in them
        if len(self._ids) > _MOST_IDS:
            raise EntryError(f"{label}: the image has more than {_MOST_IDS} different users and groups")
        return files

    def _checked(self, member: tarfile.TarInfo, label: str) -> tuple[str, ...]:
        self._left -= 1
        if self._left < 0:
            raise EntryError(f"{label}: the image contains more files than are allowed")
        parts = tuple(part for part in member.name.split("/") if part not in ("", "."))
        if ".." in parts:
            raise EntryError(f"{label}: {member.name[:200]!r} leads out of the image")
        if len(member.name.encode(errors="replace")) > _MOST_NAME_BYTES or len(parts) > _MOST_DEPTH:
            raise EntryError(f"{label}: {member.name[:80]!r}… is too long or too deep a name")
        if any(len(part.encode(errors="replace")) > _MOST_PART_BYTES for part in parts):
            raise EntryError(f"{label}: {member.name[:80]!r}… has a name of more than {_MOST_PART_BYTES} bytes")
        if "\0" in member.name:
            raise EntryError(f"{label}: {member.name[:200]!r} is impossible: a zero byte in its name")
        if member.issym() and not (
            0 < len(member.linkname.encode(errors="replace")) <= _MOST_NAME_BYTES and "\0" not in member.linkname
        ):
            raise EntryError(
                f"{label}: {member.name[:200]!r} is a link to {member.linkname[:80]!r}; "
                f"expected 1 to {_MOST_NAME_BYTES} bytes without zeros"
            )
        if member.issparse():
            raise EntryError(f"{label}: {member.name[:200]!r} is a sparse file, which is not supported")
        if not (0 <= member.uid < OWNERS and 0 <= member.gid < OWNERS):
            raise EntryError(
                f"{label}: {member.name[:200]!r} belongs to {member.uid}:{member.gid}; "
                f"users and groups below {OWNERS} are supported"
            )
        self._ids.update((member.uid, member.gid))
        return parts

    def _put(self, number: int, label: str, parts: tuple[str, ...], member: tarfile.TarInfo) -> None:
        if member.ischr() or member.isblk():
            if parts[0] != "dev":
                raise EntryError(f"{label}: {member.name[:200]!r} is a device")
            return  # the virtual machine has its own
        if not (member.isreg() or member.isdir() or member.issym() or member.islnk()):
            raise EntryError(f"{label}: {member.name[:200]!r} is neither a file, a folder nor a link")
        folder = self._folder(parts[:-1], number, label)
        name = parts[-1]
        before = folder.children.get(name)
        node = Node("folder", member.mode & 0o1777, member.uid, member.gid, layer=number)
        if member.isdir():
            if before is not None and before.kind == "folder":
                node.children = before.children
        elif member.issym():
            node.kind, node.target = "link", member.linkname
        elif member.islnk():
            node = self._hard_link(label, member)
        else:
            node.kind, node.content = "file", FileContent(number, member.offset_data, member.size)
        folder.children[name] = node

    def _hard_link(self, label: str, member: tarfile.TarInfo) -> Node:
        parts = [part for part in member.linkname.split("/") if part not in ("", ".")]
        target = self.walk(parts, follow_last=False) if len(parts) <= _MOST_DEPTH else None
        if target is None or target.kind == "folder":
            raise EntryError(
                f"{label}: {member.name[:200]!r} is a hard link to {member.linkname[:200]!r}, which does not exist"
            )
        return target

    def _folder(self, parts: Sequence[str], number: int, label: str) -> Node:
        """The folder that contains a path, created if it is missing or not a folder."""
        node = self.root
        for i, part in enumerate(parts):
            child = node.children.get(part)
            if child is not None and child.kind == "link":
                child = self.walk(parts[: i + 1])
                if child is None:
                    raise EntryError(f"{label}: {'/'.join(parts)!r} is below a link that leads nowhere")
            if child is None or child.kind != "folder":
                child = node.children[part] = Node("folder", layer=number)
            node = child
        return node

    def walk(self, parts: Sequence[str], *, follow_last: bool = True) -> Node | None:
        """The node at a path, links followed inside the tree; None if there is none.

        Raises EntryError if the image's links were followed too often, over all paths together.
        """
        node, above = self.root, [self.root]
        waiting, links = list(reversed(parts)), 0
        while waiting:
            part = waiting.pop()
            self._steps -= 1
            if self._steps < 0:
                raise EntryError("the image's links lead to links too often to be followed")
            if part in ("", "."):
                continue
            if part == "..":
                if len(above) > 1:
                    above.pop()
                node = above[-1]
                continue
            child = node.children.get(part) if node.kind == "folder" else None
            if child is None:
                return None
            if child.kind == "link" and (waiting or follow_last):
                links += 1
                if links > _MOST_LINKS:
                    return None
                if child.target.startswith("/"):
                    node, above = self.root, [self.root]
                waiting.extend(reversed(child.target.split("/")))
                continue
            node = child
            above.append(node)
        return node

    def paths(self) -> Iterator[tuple[str, Node]]:
        """Every path below the root with its node, sorted, a folder before what it holds."""
        waiting = [("", self.root)]
        while waiting:
            path, node = waiting.pop()
            if path:
                yield path, node
            below = sorted(node.children.items(), reverse=True)
            waiting.extend((f"{path}/{name}" if path else name, child) for name, child in below)

    def write(self, layers: Sequence[Path], stream: IO[bytes]) -> None:
        """Write the tree as a tar archive with shifted owners; the same tree gives the same bytes."""
        files = [path.open("rb") for path in layers]
        written: dict[FileContent, str] = {}
        try:
            with tarfile.open(fileobj=stream, mode="w|", format=tarfile.PAX_FORMAT) as tar:
                tar.addfile(_header(".", self.root))
                for path, node in self.paths():
                    header = _header(f"./{path}", node)
                    content = node.content
                    if content is None:
                        tar.addfile(header)
                    elif content in written:
                        header.type, header.linkname = tarfile.LNKTYPE, written[content]
                        tar.addfile(header)
                    else:
                        header.size = content.size
                        written[content] = header.name
                        files[content.layer].seek(content.offset)
                        tar.addfile(header, files[content.layer])
        finally:
            for file in files:
                file.close()

    def read(self, path: str, layers: Sequence[Path], most_bytes: int) -> bytes | None:
        """The beginning of a small file of the tree, links followed; None if there is none."""
        node = self.walk(path.split("/"))
        if node is None or node.content is None:
            return None
        with layers[node.content.layer].open("rb") as f:
            f.seek(node.content.offset)
            return f.read(min(node.content.size, most_bytes))


def _header(name: str, node: Node) -> tarfile.TarInfo:
    header = tarfile.TarInfo(name)
    kinds = {"folder": tarfile.DIRTYPE, "link": tarfile.SYMTYPE, "file": tarfile.REGTYPE}
    header.type, header.linkname = kinds[node.kind], node.target
    header.mode = 0o777 if node.kind == "link" else node.mode
    header.uid, header.gid = node.uid + OWNER_SHIFT, node.gid + OWNER_SHIFT
    return header


# The image as one tar archive, and how its program is started; run in a bounded process


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


def merge_image(
    archive: Path,
    image: OciImage,
    argument: str,
    work: Path,
    limits: ArchiveLimits,
    stream: IO[bytes],
    program: str = "",
    model: str = "",
) -> ContainerProgram:
    """Merge the layers of an image and write the tree as a tar archive to a stream; the program as it is started.

    Raises EntryError if a layer, or the way the image is to be started, is at fault.

    * ``archive``: the plain archive that the image's parts are in.
    * ``argument``: argument of the entry point by the rules; empty: the image's own arguments.
    * ``work``: an empty folder for the layers.
    * ``program``: what is called with the argument in an image that has it, but no entry point.
    * ``model``: the folder of the image that the tarball beside it takes the place of, if there is one.
    """
    left, layers = limits.unpacked_bytes, list[Path]()
    for layer in image.layers:
        layers.append(work / f"layer-{layer.number}.tar")
        left -= unpack_layer(archive, layer, layers[-1], left)
    tree = Tree(limits.files)
    for layer, path in zip(image.layers, layers, strict=True):
        tree.add(layer.number, layer.label, path)
    if model and image.model is not None:
        layers.append(work / "model.tar")
        unpack_blob(archive, image.model, MODEL, layers[-1], left)
        tree.add_folder(len(image.layers), MODEL, layers[-1], model.strip("/").split("/"))
    started = program_of(image.config, argument, tree, layers, program)
    _prepare(tree, started.cwd)
    tree.write(layers, stream)
    return started


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
            raise EntryError(
                f"the image's entry point {argv[0][:200]!r} is no executable file of the image; COPY it there, and RUN "
                "chmod +x"
            )
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
        if len(part.encode()) > _MOST_PART_BYTES:
            raise EntryError(f"the image's working folder: {part[:80]!r}… has more than {_MOST_PART_BYTES} bytes")
        child = tree.walk(parts[:i]) or folder.children.setdefault(part, Node("folder"))
        if child.kind != "folder":
            kind = "a file" if child.kind == "file" else "a link that leads nowhere"
            raise EntryError(f"the image's working folder {cwd[:200]!r}: /{'/'.join(parts[:i])[:200]} is {kind}")
        folder = child
