"""Checks that WFDB headers among the records can be read, and that entries get the signal files they name.

`wfdb` is the reader of this field: what it cannot read, most entries cannot read either.  Here it reads the
organiser's own files; headers on their way into a guest are only copied, line by line.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any

from evaluate.challenge.types import RecordSet

_SUFFIX = ".hea"
_SHOWN = 20


def check_headers(records: RecordSet) -> Iterator[str]:
    """What is wrong with the headers of a record set, at most 20 lines; nothing where inputs are not WFDB."""
    if any(pattern.endswith(_SUFFIX) for pattern in records.inputs):
        yield from islice(_all_headers(records), _SHOWN)


def _all_headers(records: RecordSet) -> Iterator[str]:
    import wfdb  # noqa: PLC0415  # it imports pandas

    for record in records.records:
        inputs = records.files(record)
        for name, path in inputs.items():
            if name.endswith(_SUFFIX):
                try:
                    header = wfdb.rdheader(str(path.with_suffix("")))
                except Exception as e:  # wfdb raises many types, and IndexError for an empty file
                    yield f"{path}: wfdb cannot read this header: {type(e).__name__}: {e}"
                    continue
                yield from _missing_signals(path, PurePosixPath(name).parent, header, inputs)


def _missing_signals(path: Path, folder: PurePosixPath, header: Any, inputs: dict[str, Path]) -> Iterator[str]:
    segments = getattr(header, "seg_name", None)
    names = [f"{name}{_SUFFIX}" for name in segments if name != "~"] if segments else header.file_name or []
    if not segments and len(names) != header.n_sig:
        yield f"{path}: expected a line for each of {header.n_sig} signals, found {len(names)}"
    for name in dict.fromkeys(names):
        if str(folder / name) not in inputs:
            yield f"{path}: names the file {name}, which is not one of the record's inputs ({', '.join(inputs)})"
