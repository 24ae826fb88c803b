"""Checks that WFDB headers among the records can be read, and that entries get the signal files they name.

`wfdb` is the reader of this field: what it cannot read, entries cannot read unless they have a reader of their own, as
those of the PhysioNet Challenges have for headers as they were published.  Here it reads the organiser's own files;
headers on their way into a guest are only copied, line by line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path, PurePosixPath

from evaluate.challenge.types import RecordSet
from evaluate.stages.kinds.base import header_lines
from metrics.base import ReferenceDataError
from metrics.readers.wfdb_files import Header, read_header

_SUFFIX = ".hea"
_SHOWN = 20
_SEGMENTS = re.compile(r"[^/]+/([0-9]+)")
_TIMES = r"([][0-9:./-]+|[0-9]+-[A-Za-z]{3}-[0-9]+)"
_RECORD_LINE = re.compile(rf"\S+\s+[0-9]+(\s+[0-9.e/()+-]+(\s+[0-9]+(\s+{_TIMES}){{,2}})?)?")
_SEGMENT_LINE = re.compile(r"\S+\s+[0-9]+")
_SIGNAL_LINE = re.compile(r"\S+\s+[0-9]+(x[0-9]+)?(:[0-9]+)?(\+[0-9]+)?(\s+[0-9e.+-]+(\([0-9-]+\))?(/\S+)?[^#]*)?")


def check_headers(records: RecordSet, say: Callable[[str], None]) -> Iterator[str]:
    """Problems of the headers of a record set, at most 20 lines; none where inputs are not WFDB.

    ``say``: is given a recommendation about headers that are readable, but not by `wfdb`.
    """
    if any(pattern.endswith(_SUFFIX) for pattern in records.inputs):
        unread: list[str] = []
        yield from islice(_all_headers(records, unread), _SHOWN)
        if unread:
            summary = f"{len(unread)} headers cannot be read by wfdb, and so by entries that use it"
            say(f"{summary}; their lines are in order otherwise. The first: {unread[0]}")


def _all_headers(records: RecordSet, unread: list[str]) -> Iterator[str]:
    import wfdb  # noqa: PLC0415  # it imports pandas

    for record in records.records:
        inputs = records.files(record)
        for name, path in inputs.items():
            if name.endswith(_SUFFIX):
                problem = ""
                try:
                    wfdb.rdheader(str(path.with_suffix("")))
                except Exception as e:  # wfdb raises many types, and IndexError for an empty file
                    problem = f"{path}: wfdb cannot read this header: {type(e).__name__}: {e}"
                try:
                    header = read_header(path, record)
                except ReferenceDataError as e:
                    yield problem or str(e)
                    continue
                if problem:
                    unread.append(problem)
                yield from _missing_signals(path, PurePosixPath(name).parent, header, inputs)
                if records.strip_comments:
                    yield from _unknown_lines(path, header)


def _segments(header: Header) -> int | None:
    found = _SEGMENTS.fullmatch(header.lines[0][0])
    return int(found[1]) if found else None


def _missing_signals(path: Path, folder: PurePosixPath, header: Header, inputs: dict[str, Path]) -> Iterator[str]:
    words = [line[0] for line in header.lines[1:]]
    segments = _segments(header)
    names = words if segments is None else [f"{name}{_SUFFIX}" for name in words if name != "~"]
    what, expected = ("signals", int(header.lines[0][1])) if segments is None else ("segments", segments)
    if len(words) != expected:
        yield f"{path}: expected a line for each of {expected} {what}, found {len(words)}"
    for name in dict.fromkeys(names):
        if str(folder / name) not in inputs:
            yield f"{path}: names the file {name}, which is not one of the record's inputs ({', '.join(inputs)})"


def _unknown_lines(path: Path, header: Header) -> Iterator[str]:
    """Lines that are left where comments are taken out, and may say what the comments say."""
    further = _SIGNAL_LINE if _segments(header) is None else _SEGMENT_LINE
    forms = iter((_RECORD_LINE,))
    for number, (_, line) in enumerate(header_lines(path.read_bytes()), 1):
        if line and not line.startswith("#") and not next(forms, further).fullmatch(line):
            yield (
                f"{path}:{number}: expected a line of the record, of a signal or a comment, found {line[:80]!r}, "
                "which entries would get although public_headers.strip_comments is set"
            )
