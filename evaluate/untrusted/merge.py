"""The layers of a container image as one tree, and the tree as one tar archive; nothing is unpacked or executed.

A layer's paths are resolved in the tree below it as overlayfs and container engines do: a path below a symbolic link of
a lower layer follows the link, always inside the tree; ``.wh.NAME`` removes NAME of the lower layers,
``.wh..wh..opq`` everything they have in its folder.
"""

from __future__ import annotations

import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from evaluate.core.errors import EntryError
from evaluate.protocol.guest import OWNER_SHIFT, OWNERS
from evaluate.untrusted.tar import blaming, members, open_plain

WHITEOUT, OPAQUE = ".wh.", ".wh..wh..opq"
_MOST_LINKS = 40
_MOST_NAME_BYTES, _MOST_DEPTH = 4000, 200
MOST_PART_BYTES = 255
"""Limit of one name in Linux."""
_MOST_IDS = 65_535
"""Different users and groups in one squashfs."""
_MOST_GLOBAL_RECORDS = 100
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
        self.notes: list[str] = []
        self._left = most_files
        self._steps = max(most_files, 1000) * _STEPS_A_FILE
        self._ids: set[int] = set()
        self._dropped = self._rights = 0

    def add(self, number: int, label: str, tar: Path) -> None:
        """Add a layer, a plain tar archive, on top.

        Raises EntryError, which names the layer and what is not allowed in it.
        """
        files = self._members(label, tar)
        self._check_ids(label)
        for parts, _ in files:  # deletions of a layer are applied before its files are added
            if parts and parts[-1] == OPAQUE:
                folder = self.walk(parts[:-1])
                if folder is not None and folder.kind == "folder":
                    folder.children.clear()
            elif parts and parts[-1].startswith(WHITEOUT):
                folder = self.walk(parts[:-1])
                if folder is not None:
                    folder.children.pop(parts[-1].removeprefix(WHITEOUT), None)
        for parts, member in files:
            if parts and not parts[-1].startswith(WHITEOUT):
                self._put(number, label, parts, member)
        if self._dropped:
            self.notes.append(
                f"{label}: {self._dropped} device nodes in /dev left out; the virtual machine has its own"
            )
        if self._rights:
            self.notes.append(f"{label}: capabilities of {self._rights} files left out; programs run without them")
        self._dropped = self._rights = 0

    def add_folder(self, number: int, label: str, tar: Path, target: Sequence[str]) -> None:
        """Put a plain tar archive, in which no name has a meaning of its own, in the place of a folder.

        Whoever its files belong to, everybody may read them.

        Raises EntryError as `add`.
        """
        files = self._members(label, tar)
        self._check_ids(label)
        self._folder(target, number, label).children.clear()
        for parts, member in files:
            if not parts:
                continue
            if member.islnk():
                member.linkname = "/".join((*target, member.linkname))
            member.mode |= 0o555 if member.isdir() else 0o444
            self._put(number, label, (*target, *parts), member)
        self._rights = 0

    def _members(self, label: str, tar: Path) -> list[tuple[tuple[str, ...], tarfile.TarInfo]]:
        files = []
        with blaming(f"{label} is not a complete tar archive"), tar.open("rb") as f, open_plain(f) as bundle:
            for member in members(bundle):
                if len(bundle.pax_headers) > _MOST_GLOBAL_RECORDS:  # `tarfile` copies them to each member
                    raise EntryError(f"{label}: more than {_MOST_GLOBAL_RECORDS} records in global headers")
                files.append((self._checked(member, label), member))
                member.pax_headers = {}  # up to a mebibyte each
        return files

    def _check_ids(self, label: str) -> None:
        if len(self._ids) > _MOST_IDS:
            raise EntryError(f"{label}: the image has more than {_MOST_IDS} different users and groups")

    def _checked(self, member: tarfile.TarInfo, label: str) -> tuple[str, ...]:
        self._left -= 1
        if self._left < 0:
            raise EntryError(f"{label}: the image contains more files than are allowed")
        parts = tuple(part for part in member.name.split("/") if part not in ("", "."))
        if ".." in parts:
            raise EntryError(f"{label}: {member.name[:200]!r} leads out of the image")
        if len(member.name.encode(errors="replace")) > _MOST_NAME_BYTES or len(parts) > _MOST_DEPTH:
            raise EntryError(f"{label}: {member.name[:80]!r}… is too long or too deep a name")
        if any(len(part.encode(errors="replace")) > MOST_PART_BYTES for part in parts):
            raise EntryError(f"{label}: {member.name[:80]!r}… has a name of more than {MOST_PART_BYTES} bytes")
        if "\0" in member.name or member.size < 0:
            raise EntryError(
                f"{label}: {member.name[:200]!r} is impossible: a zero byte in its name, or {member.size} bytes"
            )
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
        self._rights += any(key.endswith("xattr.security.capability") for key in member.pax_headers)
        return parts

    def _put(self, number: int, label: str, parts: tuple[str, ...], member: tarfile.TarInfo) -> None:
        if member.ischr() or member.isblk():
            if parts[0] != "dev":
                raise EntryError(f"{label}: {member.name[:200]!r} is a device")
            self._dropped += 1
            return
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
