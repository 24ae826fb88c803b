"""An uploaded archive as the host sees it: its checked list of files, and a few small files.

Only uploaded answers are unpacked on the host; the guest does the rest.  All problems of an entry are named in
one message.  The bytes are read by `evaluate.untrusted.listing` in a bounded process.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from types import MappingProxyType

from evaluate.config.challenge.types import ArchiveLimits, Challenge
from evaluate.config.types import HelperAccount
from evaluate.confine.delivery import Delivery, usable_name
from evaluate.confine.isolated import Bounds, isolated
from evaluate.core.errors import EntryError, SandboxFault, UsageError, refused
from evaluate.core.files import sha256_file
from evaluate.core.model import Entry, Refusal, RefusalKind, TrainedModel
from evaluate.untrusted.listing import (
    ArchiveRules,
    Contents,
    extract_members,
    hidden,
    is_container,
    list_archive,
    lost,
    missing,
    read_member,
    unlike_an_entry,
)
from evaluate.untrusted.packing import pack
from evaluate.untrusted.repository import ARCHIVE, fetch_repository, is_address, is_bundle
from evaluate.untrusted.selection import Selection, select
from evaluate.untrusted.tar import blaming, most_unpacked
from metrics.readers.foreign import Pointer, decoded

DRYRUN = "DRYRUN"
_SHOWN = 20
_SECONDS = 30
_BYTES_A_SECOND = 50 << 20
"""Bytes decompressed per second by the slowest processor on which an honest archive must be read in time."""


def _bounds(doing: str, archive: Path, unpacked_bytes: int) -> Bounds:
    """In proportion to what was uploaded, since it cannot unpack to more than a multiple of that."""
    return Bounds(doing=doing, seconds=_SECONDS + most_unpacked(archive, unpacked_bytes) / _BYTES_A_SECOND)


_REPLY_BYTES, _REPLY_BYTES_A_FILE, _MOST_REPLY_BYTES = 1 << 20, 4 << 10, 256 << 20
"""Size of a listing as JSON, which has each name four times."""


@dataclass(frozen=True, kw_only=True)
class Listing(Contents):
    """Contents of an archive, and the means to read it."""

    archive: Path
    unpacked_bytes: int
    """Bytes that the rules allow."""

    @property
    def dry_run(self) -> bool:
        """True if the team asks to stop after the quiz."""
        return DRYRUN in self.members

    def read(self, name: str, max_bytes: int) -> bytes:
        """A small text file of the entry.

        Raises EntryError if it is larger than ``max_bytes`` (counted while reading; no header is trusted) or damaged.
        """
        if (text := self.texts.get(name)) is not None and len(text) <= max_bytes:
            return text
        if name not in self.origins:
            raise EntryError(lost(self, name) or f"{name} is no file")
        origin, bounds = self.origins[name], _bounds(f"reading {name}", self.archive, self.unpacked_bytes)
        bounds = replace(bounds, reply_bytes=2 * max_bytes + _REPLY_BYTES)  # in base64
        return isolated(bounds, read_member, self.archive, self.kind, origin, max_bytes, self.unpacked_bytes)

    def notes(self, wanted: Sequence[str]) -> list[str]:
        """Notes on absent files of these, which nobody insists on, and on endings that hide."""
        absent = [f"note: {problem}; it should be there" for problem in missing(self.members, wanted)]
        return absent + [f"note: {problem}" for problem in islice(hidden(self.members), _SHOWN)]

    def need(self, names: Sequence[str]) -> None:
        """Check that these files are there.

        Raises EntryError, which names the missing ones, and files with similar names.
        """
        problems = list(missing(self.members, names))
        if problems:
            raise EntryError(unlike_an_entry(self.members) or "\n".join(problems))


def extract(
    archive: Path, form: str, names: Mapping[str, str], folder: Path, max_bytes: int, unpacked_bytes: int
) -> None:
    """Write files of an archive into an empty folder of the host, which is created, in one pass.

    Raises EntryError if one is larger than ``max_bytes`` (counted while reading), damaged, or the files have more than
    ``unpacked_bytes``.

    * ``form``: ``zip`` or ``tar``, from its listing.
    * ``names``: a name in the folder -> a name exactly as in the archive (`Contents.origins`). Links to one file
      become its further names.
    """
    doing = "extracting the answers"
    targets: dict[str, str] = {}
    further = {name: first for name, origin in names.items() if (first := targets.setdefault(origin, name)) != name}
    delivery = Delivery(
        folder=folder,
        most_bytes=unpacked_bytes,
        most_files=len(targets),
        expected=set(targets.values()).__contains__,
        doing=doing,
    )
    with delivery.open() as out:
        bounds = replace(_bounds(doing, archive, unpacked_bytes), pass_fds=(out,))
        isolated(bounds, extract_members, archive, form, targets, max_bytes, unpacked_bytes, out)
    if sum((folder / name).stat().st_size for name in (*targets.values(), *further.values())) > unpacked_bytes:
        raise EntryError(f"the files and links of the archive have more than {unpacked_bytes >> 20} MiB")
    for name, first in further.items():
        if usable_name(name.encode(errors="replace")) != name:
            raise EntryError(f"{name[:200]!r} is not a usable file name")
        with blaming(f"{name[:200]!r} cannot be written"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).hardlink_to(folder / first)


def unpack(archive: Path, folder: Path, limits: ArchiveLimits, *, whole_names: bool) -> None:
    """Write all files of an archive into a folder that is created.

    Raises EntryError if it is no zip or tar archive, or larger than allowed, or has a name that leads out of it.

    ``whole_names``: whether the one folder that all files are in, if they are, is a part of their names.
    """
    rules = ArchiveRules(packed_bytes=limits.bytes, unpacked_bytes=limits.unpacked_bytes, files=limits.files)
    contents = _contents(archive, _state(archive), rules)
    before = f"{contents.prefix}/" if whole_names and contents.prefix else ""
    names = {f"{before}{name}": origin for name, origin in contents.origins.items()}
    extract(archive, contents.kind, names, folder, limits.unpacked_bytes, limits.unpacked_bytes)


def open_entry(
    source: Path | str,
    scratch: Path,
    choose: Callable[[Path], Selection] = select,
    accounts: Mapping[str, HelperAccount] = MappingProxyType({}),
    commit: str = "",
) -> Entry:
    """The entry in an archive; a folder or a git repository is first packed into an archive in ``scratch``.

    Raises UsageError if there is no such file or folder, or the address is not allowed. Raises EntryError if the
    repository cannot be read or holds something an entry must not contain. Raises ChallengeError if its server refuses
    the organisers' token. Raises Fault if its server cannot be reached.

    * ``source``: a file or folder, or the HTTPS address of a repository.
    * ``choose``: chooses which files of a folder belong to the entry.
    * ``accounts``, ``commit``: see `fetch_repository`.
    """
    path = Path(source)
    if is_address(str(source)):
        commit = fetch_repository(str(source), scratch, accounts=accounts, commit=commit)
        path = scratch / ARCHIVE
    elif path.is_file() and is_bundle(path):
        commit = fetch_repository(path, scratch)
        path = scratch / ARCHIVE
    if path.is_dir():
        path = pack(choose(path), scratch / f"{path.resolve().name}.tar.gz")
    if not path.is_file():
        raise UsageError(f"{path}: no such entry; expected a zip or tar.gz archive, a folder, or a git repository")
    return upload(path, commit)


def upload(path: Path, commit: str = "") -> Entry:
    """A file as an entry, unread but for its digest."""
    return Entry(archive=path.resolve(), sha256=sha256_file(path), size=path.stat().st_size, commit=commit)


def looks_like_container(archive: Path) -> bool:
    """True if an archive is a container image: an OCI layout or what ``docker save`` writes."""
    return _is_container(archive, _state(archive))


def inspect(archive: Path, challenge: Challenge, texts: Sequence[str] = ()) -> Listing:
    """Check an archive against the rules by its listing.

    Raises EntryError, which names every problem that was found, one per line.

    ``texts``: small files that will be read, as far as they are there.
    """
    limits = challenge.archive
    rules = ArchiveRules(
        packed_bytes=limits.bytes,
        unpacked_bytes=limits.unpacked_bytes,
        files=limits.files,
        required=tuple(challenge.required_files),
        texts=tuple(texts),
        text_bytes=limits.text_bytes,
    )
    contents = _contents(archive, _state(archive), rules)
    if contents.pointers:
        raise refused([_pointer(name, pointer) for name, pointer in contents.pointers.items()])
    return Listing(**vars(contents), archive=archive, unpacked_bytes=limits.unpacked_bytes)


def _state(archive: Path) -> tuple[int, ...]:
    """Properties that change with the file."""
    file = archive.stat()
    return file.st_dev, file.st_ino, file.st_size, file.st_mtime_ns, file.st_ctime_ns


@lru_cache(maxsize=1)
def _is_container(archive: Path, state: tuple[int, ...]) -> bool:
    """The form of an archive, looked at once by those who ask one after the other."""
    del state
    return isolated(_bounds("reading the archive", archive, 0), is_container, archive)


@lru_cache(maxsize=1)
def _contents(archive: Path, state: tuple[int, ...], rules: ArchiveRules) -> Contents:
    """The listing of an archive, made once for those who ask for it one after the other."""
    del state
    names = min(_MOST_REPLY_BYTES, rules.files * _REPLY_BYTES_A_FILE)
    bounds = _bounds("reading the archive", archive, rules.unpacked_bytes)
    bounds = replace(bounds, reply_bytes=_REPLY_BYTES + names + 2 * len(rules.texts) * rules.text_bytes)
    return isolated(bounds, list_archive, archive, rules)


def _pointer(name: str, pointer: Pointer) -> Refusal:
    return Refusal(
        file=name,
        line=0,
        kind=RefusalKind.FILE,
        found=f"a pointer of {pointer.kind}",
        expected=f"expected the content itself, which {pointer.kind} keeps elsewhere",
        way_out=f"run: {pointer.command}; and hand in the entry again, without the file if it is not needed",
    )


def parse_answers(data: bytes, labels: Sequence[str]) -> dict[str, str]:
    """The entry's own answers, ``record,label`` per line; order, line ends and a missing last newline do not matter.

    Raises EntryError if a line is not such a pair, a label is not allowed, or a record has two different answers; all
    are named.
    """
    answers: dict[str, str] = {}
    problems: list[str] = []
    for number, line, pair in _lines(data):
        where = f"answers.txt line {number}"
        if pair is None:
            problems.append(f"{where}: expected 'record,label', found {line[:80]!r}")
            continue
        record, label = pair
        if label not in labels:
            problems.append(f"{where}: expected one of {' '.join(labels)}, found {label[:80]!r}")
        elif answers.setdefault(record, label) != label:
            problems.append(f"{where}: record {record} has two answers, {answers[record]} and {label}")
    if problems:
        raise EntryError("\n".join(problems[:_SHOWN]))
    return answers


def answer_for(record: str, data: bytes, labels: Sequence[str]) -> tuple[str | None, str]:
    """The answer that ``next.sh`` left for one record, or None and the problem; lines of other records are ignored."""
    answers = {pair[1] for _, _, pair in _lines(data) if pair is not None and pair[0] == record}
    if not answers:
        return None, f"next.sh ended well but left no line '{record},…' in answers.txt"
    if len(answers) > 1:
        return None, f"next.sh left different answers in answers.txt: {' and '.join(sorted(answers))[:80]}"
    label = answers.pop()
    if label not in labels:
        return None, f"answer for record {record}: expected one of {' '.join(labels)}, found {label[:80]!r}"
    return label, ""


def _lines(data: bytes) -> Iterator[tuple[int, str, tuple[str, str] | None]]:
    for number, line in enumerate(decoded(data, errors="replace").splitlines(), 1):
        if not line.strip():
            continue
        record, comma, label = line.partition(",")
        yield number, line, (record.strip(), label.strip()) if comma else None


# Reads how `vm_images/guest/model_folder.py` describes the folder of an entry's model


_LINE = re.compile(rb"([0-9a-f]{64}) ([0-9]{1,12}) ([0-9]{1,15})\n")


def parse_model(printed: bytes) -> TrainedModel:
    """The model that one line describes. Raises SandboxFault if it is not that line."""
    match = _LINE.fullmatch(printed)
    if match is None:
        raise SandboxFault(f"expected digest, files and bytes of a model from the guest, found {printed[:80]!r}")
    return TrainedModel(sha256=match[1].decode(), files=int(match[2]), bytes=int(match[3]))
