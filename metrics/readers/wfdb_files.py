"""Parts of a WFDB record that a rhythm metric needs: its length, its comments and its annotations.

The signal itself is never read, only its size where a header does not state its length.  Why it does not use ``wfdb``,
the reader that this field knows, and a dependency: for a record of 20 minutes ``wfdb.rdheader`` takes 1.6 ms and
``wfdb.rdann`` 12 ms; the functions here take 0.015 ms and 0.12 ms, a hundredth.  Scoring 700 records would take 10 s
instead of 0.2 s.
The tests check that both readers agree on random and on published records. Where signals are needed, for a picture or
an entry, use ``wfdb``.

Source: WFDB Applications Guide (header and annotation file formats, MIT format), and the behaviour of wfdb 4.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path, PurePath

import numpy as np
from numpy.typing import NDArray

from metrics.base import ReferenceDataError
from metrics.readers.files import MIB, ErrorClass, read_bounded, require_no_pointer
from metrics.readers.foreign import decoded

MAX_HEADER_BYTES = MIB
MAX_ANNOTATION_BYTES = 64 * MIB

_BITS = {
    **dict.fromkeys(("8", "80"), Fraction(8)),
    **dict.fromkeys(("16", "61", "160"), Fraction(16)),
    **dict.fromkeys(("310", "311"), Fraction(32, 3)),
    "212": Fraction(12),
    "24": Fraction(24),
    "32": Fraction(32),
}
"""Bits of a sample in each format of signal files that are not compressed."""
_FORMAT = re.compile(r"([0-9]+)(?:x([1-9][0-9]{0,8}))?(?::[0-9]+)?(?:\+([0-9]{1,18}))?")
"""Format, samples in a frame, bytes before the first."""

# Codes of the MIT annotation format, the upper six bits of each 16-bit word.
_NOT_AN_ANNOTATION = 0
_COMMENT = 22
_SKIP = 59
_AUX = 63


@dataclass(frozen=True, kw_only=True)
class Header:
    """Content of a header file: the number of samples per signal, and the comment lines without ``#`` and blanks."""

    n_samples: int | None
    """As the header states it; of a record in segments without a statement their sum. None if it is not stated."""
    comments: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    """Words of the other lines: of the record, then of its signals or segments."""


@dataclass(frozen=True, kw_only=True)
class Annotations:
    """Content of an annotation file: ``samples``, 0-based, shape (n,), and the texts that are not empty."""

    samples: NDArray[np.int64]
    notes: dict[int, str]
    """Index into `samples` -> text, such as ``(AFIB``; in ascending order."""


def read_header(path: Path | str, record: str, error: ErrorClass = ReferenceDataError) -> Header:
    """Read a ``.hea`` file.

    Raises ``error`` if the file cannot be read, or has no line with the number of signals.
    """
    content = read_bounded(path, MAX_HEADER_BYTES, error, record=record)
    # wfdb reads headers as ASCII and leaves other bytes out
    text = decoded(content, errors="ignore").encode("ascii", "ignore").decode()
    lines: list[list[str]] = []
    comments = []
    for line in text.splitlines():
        if line.lstrip().startswith("#"):
            comments.append(line.strip().strip(" \t#"))
        elif words := line.split():
            lines.append(words)
    # name and number of segments, number of signals, sampling frequency, number of samples
    record_line, *further = lines or [[]]
    if len(record_line) < 2 or not all(re.fullmatch(r"[0-9]{1,18}", words) for words in record_line[1:4:2]):
        raise error(
            "expected a header line with the number of signals in its second place "
            f"and the number of samples, if it is known, in its fourth, found {' '.join(record_line)[:80]!r}",
            file=path,
            record=record,
        )
    n_samples = int(record_line[3]) if len(record_line) > 3 else None
    if n_samples is None and "/" in record_line[0]:
        lengths = [words[1] for words in further if len(words) > 1]
        n_samples = sum(map(int, lengths)) if all(re.fullmatch(r"[0-9]{1,18}", length) for length in lengths) else None
    return Header(n_samples=n_samples, comments=tuple(comments), lines=tuple(map(tuple, (record_line, *further))))


def length_of(path: Path | str, header: Header, record: str, error: ErrorClass = ReferenceDataError) -> int:
    """The number of samples of a record, from its header or else from the size of its signal file.

    Raises ``error`` if the header does not state it, and the signal file is not there or of another format.
    """
    if header.n_samples:  # 0 means that it is not known, too
        return header.n_samples
    signals = [(words[0], form) for words in header.lines[1:] if (form := _FORMAT.fullmatch(" ".join(words[1:2])))]
    for name, form in signals:
        file = Path(path).parent / name
        require_no_pointer(file, error, record=record)
        if form[1] in _BITS and PurePath(name).name == name and file.is_file():
            in_a_frame = sum(int(other[2] or 1) for file_name, other in signals if file_name == name)
            samples = 8 * (file.stat().st_size - int(form[3] or 0)) // _BITS[form[1]]
            return int(max(samples, 0) // in_a_frame)
    raise error(
        "expected the number of samples in the header, or a signal file of a format "
        f"{', '.join(_BITS)} to take it from, found neither",
        file=path,
        record=record,
    )


def read_annotations(path: Path | str, record: str) -> Annotations:
    """Read an annotation file in MIT format.

    As in ``wfdb.rdann``, entries of code 0 and definitions (comments at sample 0) are left out. Raises
    ReferenceDataError if the file cannot be read, is cut short, or is not an annotation file.
    """
    content = read_bounded(path, MAX_ANNOTATION_BYTES, ReferenceDataError, record=record)
    try:
        return _parse_annotations(content)
    except _Malformed as reason:
        raise ReferenceDataError(
            f"expected an annotation file in MIT format, found {reason}", file=path, record=record
        ) from None


class _Malformed(Exception):
    """Why some bytes are not an annotation file."""


def _parse_annotations(content: bytes) -> Annotations:
    if len(content) % 2:
        raise _Malformed(f"an odd number of bytes ({len(content)})")
    words = np.frombuffer(content, "<u2")
    if len(words) and words[-1] != 0:
        raise _Malformed("no end mark")
    codes = (words >> 10).astype(np.uint16, copy=False)
    plain = np.ones(len(words), bool)
    plain[-1:] = False  # the end mark
    note_words: list[tuple[int, str]] = []
    skips: list[tuple[int, int]] = []
    free = 0  # first word that is not part of the special entry before it
    for position in np.flatnonzero(codes >= _SKIP).tolist():
        if position < free:
            continue
        word = int(words[position])
        code = word >> 10
        if code == _SKIP:
            free = position + 3
            if free >= len(words):
                raise _Malformed("an interval that is cut short")
            # a 32-bit interval, upper half first
            high, low = int(words[position + 1]), int(words[position + 2])
            skips.append((free, (high << 16 | low) - (1 << 32 if high & 0x8000 else 0)))
        elif code == _AUX:
            length = word & 0xFF
            free = position + 1 + (length + 1) // 2
            if free >= len(words):
                raise _Malformed("a text that is cut short")
            begin = 2 * (position + 1)
            note_words.append((position, content[begin : begin + length].decode("latin-1")))
        else:  # number, subtype, channel: not needed here
            free = position + 1
        plain[position:free] = False
    steps = np.multiply(words & 1023, plain, dtype=np.int64)
    for position, interval in skips:
        steps[position] += interval
    return _select(plain, codes, steps.cumsum(), note_words)


def _select(
    plain: NDArray[np.bool_], codes: NDArray[np.uint16], samples: NDArray[np.int64], note_words: list[tuple[int, str]]
) -> Annotations:
    """The plain annotations that count, each text moved from its word to the annotation before it."""
    samples, codes = samples[plain], codes[plain]
    left_out = (codes == _NOT_AN_ANNOTATION) | ((codes == _COMMENT) & (samples == 0))
    rank = np.cumsum(~left_out) - 1
    notes = {}
    owners = np.cumsum(plain)[[word for word, _ in note_words]] - 1 if note_words else np.zeros(0, np.int64)
    for owner, (_, text) in zip(owners.tolist(), note_words, strict=True):
        if owner < 0:
            raise _Malformed("a text before the first annotation")
        if text and not left_out[owner]:
            notes[int(rank[owner])] = text
    return Annotations(samples=samples[~left_out], notes=notes)
