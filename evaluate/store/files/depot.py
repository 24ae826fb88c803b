"""Storage where hosts that share no folder leave uploads, images, layers and products of stages for each other.

With a shared folder nothing is copied.  With an fsspec URL (``s3://…``, ``gs://…``, ``sftp://…``) every host has a
folder of its own that mirrors what it needs::

    blobs/<sha256>      a file, or a folder as a tar
    names/<name>        JSON: what it is (file, folder, link) and its digest, or where the link leads

A name is written after its blob and never changes, so what it names is complete; what is fetched is checked by its
digest. A name is created or exists already: of two hosts that publish one at once the first wins, and the other takes
what the first has published for its own.
"""

from __future__ import annotations

import json
import os
import secrets
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from evaluate.confine.children import tool
from evaluate.confine.ownership import discard_tree
from evaluate.core.errors import Fault, UsageError
from evaluate.core.files import point, publish_once, sha256_file
from evaluate.core.packages import extra_to_install

_PART = ".name-"
"""Start of the name of a name that is being written."""


class SharedFolder:
    """All hosts see the same folder, so that nothing is exchanged.

    Names are paths below the folder that all hosts reach, such as ``entries/<sha256>/archive``.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def has(self, name: str) -> bool:
        """True if it is on this host or can be fetched."""
        return (self._folder / name).exists()

    def fetch(self, name: str) -> None:
        """Copy it to this host, if any host has published it and it is not here yet."""

    def below(self, name: str) -> list[str]:
        """The names directly below one, of what is on this host or can be fetched."""
        return _children(self._folder, name)

    def publish(self, name: str) -> None:
        """Let other hosts fetch what is on this one; nothing happens if it was published before.

        If another host publishes the same name meanwhile, what is here is replaced by that.
        """

    def agree(self, name: str) -> None:
        """Publish it, or, if another host already has, replace the copy here with that one."""


class Mirror(SharedFolder):
    """A folder of this host that mirrors what it needs of an fsspec URL."""

    def __init__(self, url: str, folder: Path) -> None:
        try:
            from fsspec.core import url_to_fs  # noqa: PLC0415  # only where somebody asks for it
        except ImportError as e:
            raise Fault(f"shared: {url} {extra_to_install(e) or f'cannot be used: {e}'}") from e
        try:
            self._files, self._root = url_to_fs(url)
        except (ImportError, ValueError) as e:
            raise Fault(f"shared: {url}: {e}") from e
        given = self._files.protocol
        self._protocols = {given} if isinstance(given, str) else set(given)
        super().__init__(folder)

    def has(self, name: str) -> bool:
        return (self._folder / name).exists() or self._read(name) is not None

    def fetch(self, name: str) -> None:
        if not (self._folder / name).exists() and (record := self._read(name)) is not None:
            self._bring(name, record)

    def below(self, name: str) -> list[str]:
        with _faults(f"asking what is below {name}"):
            self._files.invalidate_cache()
            try:
                paths = self._files.ls(f"{self._root}/names/{name}", detail=False)
            except FileNotFoundError:
                paths = []
        names = (path.rstrip("/").rpartition("/")[2] for path in paths)
        names_here = {f"{name}/{child}" for child in names if not child.startswith(_PART)}
        return sorted(names_here.union(_children(self._folder, name)))

    def publish(self, name: str) -> None:
        if self._read(name) is None:
            self._write(name)

    def agree(self, name: str) -> None:
        record = self._read(name)
        if record is None:
            self._write(name)
        elif record["sha256"] != sha256_file(self._folder / name):
            self._bring(name, record)

    def _adopt(self, name: str) -> None:
        """Replace what is here by what another host published first."""
        if (record := self._read(name)) is None:
            raise Fault(f"{name} of {self._root} exists and cannot be read")
        path = self._folder / name
        if "link" in record:
            self.fetch(str(Path(name).parent / record["link"]))
            point(path, record["link"])
        elif path.is_dir():
            going = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
            path.rename(going)
            self._bring(name, record)
            discard_tree(going)
        else:
            self._bring(name, record)

    def _bring(self, name: str, record: dict[str, Any]) -> None:
        target = self._folder / name
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o711)
        if "link" in record:
            self.fetch(str(Path(name).parent / record["link"]))
            with suppress(FileExistsError):  # another thread of this host was faster
                target.symlink_to(record["link"])
            return
        with tempfile.TemporaryDirectory(prefix=".fetch-", dir=target.parent) as scratch:
            blob, folder = Path(scratch) / "blob", Path(scratch) / "folder"
            with _faults(f"fetching {name}"):
                self._files.get_file(f"{self._root}/blobs/{record['sha256']}", str(blob))
            if (digest := sha256_file(blob)) != record["sha256"]:
                raise Fault(f"{name} of {self._root}: expected the digest {record['sha256']}, found {digest}")
            if record["kind"] == "folder":
                folder.mkdir()
                tool(["tar", "-xpf", blob, "-C", folder], doing=f"unpacking {name}")
            whole = folder if record["kind"] == "folder" else blob
            whole.chmod(record["mode"])
            publish_once(whole, target)

    def _write(self, name: str) -> None:
        source = self._folder / name
        if source.is_symlink():
            link = str(source.readlink())
            self.publish(str(Path(name).parent / link))
            if not self._create_name(name, {"link": link}):
                self._adopt(name)
            return
        with tempfile.TemporaryDirectory(prefix=".publish-", dir=source.parent) as scratch:
            blob, kind = source, "file"
            if source.is_dir():
                blob, kind = Path(scratch) / "blob", "folder"
                tool(["tar", "-cpf", blob, "--sparse", "-C", source, "."], doing=f"packing {name}")
            digest = sha256_file(blob)
            path = f"{self._root}/blobs/{digest}"
            with _faults(f"publishing {name}"):
                if not self._files.exists(path):
                    part = f"{path}.{Path(scratch).name}.part"
                    self._files.makedirs(f"{self._root}/blobs", exist_ok=True)
                    self._files.put_file(str(blob), part)
                    self._files.mv(part, path)
        record = {"kind": kind, "sha256": digest, "mode": stat.S_IMODE(source.stat().st_mode)}
        if not self._create_name(name, record):
            self._adopt(name)

    def _create_name(self, name: str, record: dict[str, Any]) -> bool:
        """Write a name, unless there is one; returns whether it was written."""
        path, data = f"{self._root}/names/{name}", json.dumps(record).encode()
        with _faults(f"publishing {name}"):
            self._files.makedirs(path.rpartition("/")[0], exist_ok=True)
            try:
                if "file" in self._protocols:
                    _create_file(Path(path), data)
                elif self._protocols & {"sftp", "ssh"}:
                    with self._files.open(path, "xb") as file:
                        file.write(data)
                else:  # an object store does so in one step
                    self._files.pipe_file(path, data, mode="create")
            except FileExistsError:
                return False
            return True

    def _read(self, name: str) -> dict[str, Any] | None:
        with _faults(f"asking for {name}"):
            self._files.invalidate_cache()
            try:
                record: dict[str, Any] = json.loads(self._files.cat_file(f"{self._root}/names/{name}"))
            except FileNotFoundError:
                return None
            return record


def _create_file(path: Path, data: bytes) -> None:
    """Create a file with its content, or raise FileExistsError."""
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=_PART) as part:
        part.write(data)
        part.flush()
        os.link(part.name, path)


def _children(folder: Path, name: str) -> list[str]:
    parent = folder / name
    return sorted(f"{name}/{path.name}" for path in parent.iterdir()) if parent.is_dir() else []


@contextmanager
def _faults(what: str) -> Iterator[None]:
    """Turn the errors of fsspec's file systems, which have no common type, into a `Fault`."""
    try:
        yield
    except Exception as e:
        raise Fault(f"{what}: {type(e).__name__}: {e}") from e


Depot = SharedFolder | Mirror


def open_depot(state: Path, shared: str) -> tuple[Path, Depot]:
    """The folder in which a host has the files that all hosts share, and how it exchanges them.

    Raises UsageError if the folder does not exist, for example because a network folder is not mounted.

    ``shared``: as in ``evaluate.yaml``: a folder, an fsspec URL, or empty for one host alone.
    """
    if "://" in shared:
        folder = state / "mirror"
        folder.mkdir(exist_ok=True, mode=0o711)
        return folder, Mirror(shared, folder)
    folder = Path(shared) if shared else state
    if not folder.is_dir():
        raise UsageError(f"shared: expected a folder that all hosts reach, found none at {folder}")
    return folder, SharedFolder(folder)
