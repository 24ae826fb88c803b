"""Facts for an organiser about a hidden exam before its first entry: its readers, and the records that it shares."""

from __future__ import annotations

import filecmp
import re
import stat
from collections.abc import Iterator
from itertools import islice
from pathlib import Path, PurePosixPath

from evaluate.config.challenge.load import FILE
from evaluate.config.challenge.types import MAIN_EXAM, Challenge, Isolation, RecordSet
from evaluate.core.files import sha256_file
from metrics.base import ReferenceDataError
from metrics.readers.wfdb_files import Header, read_header

_SHOWN = 3


def recommendations(challenge: Challenge, attempts: int) -> Iterator[str]:
    """Advice in sentences; none for an exam that is not hidden.

    ``attempts``: how many a team has in a phase; 0: any number.
    """
    if not any(exam.hidden and exam.records for exam in challenge.exams.values()):
        return
    if not attempts:
        yield "a team has any number of attempts at the hidden records; board: {attempts: N} limits them"
    if challenge.runs_programs and challenge.isolation is Isolation.NAMESPACE and not challenge.gpus:
        yield (
            "records of the hidden exam share one machine (isolation: namespace), in which a program can measure what "
            "earlier records made it read; isolation: snapshot gives each a machine of its own"
        )


def exposures(challenge: Challenge) -> Iterator[str]:
    """Mistakes that reveal hidden records or references."""
    for name, exam in challenge.exams.items():
        if exam.hidden:
            judged = challenge.with_exam(name)
            yield from _readable(judged)
            for public in (
                challenge.quiz,
                *(exam_records for exam_records in challenge.exams.values() if not exam_records.hidden),
            ):
                yield from _same_references(judged, public)
                yield from _same_records(judged, public)
            yield from _given_away(judged)


def _readable(challenge: Challenge) -> Iterator[str]:
    """References and records that every user of this machine can read."""
    places = [path for path in (challenge.exam.references, challenge.exam.folder) if path is not None]
    for top in dict.fromkeys(path.resolve() for path in places if path.exists()):
        for path in _files(top):
            if _is_open(path):
                yield (
                    f"{path}: every user of this machine can read it (mode {stat.S_IMODE(path.stat().st_mode):03o}), "
                    f"and the exam is hidden; chmod -R go= {top}"
                )
                break


def _is_open(file: Path) -> bool:
    """True if everybody may read a file, and go through the folders that it is in."""
    folders = all(folder.stat().st_mode & stat.S_IXOTH for folder in file.parents)
    return folders and not file.is_symlink() and bool(file.stat().st_mode & stat.S_IROTH)


def _same_references(challenge: Challenge, public: RecordSet) -> Iterator[str]:
    """References of public records, whose score every team is shown, that are those of the hidden exam."""
    quiz, exam = public.references, challenge.exam.references
    # a scorer scores all references that it is given, a metric those of its records
    if challenge.scorer is None or quiz is None or exam is None or not quiz.exists() or not exam.exists():
        return
    first, second = quiz.resolve(), exam.resolve()
    if first.is_relative_to(second) or second.is_relative_to(first):
        yield (
            f"{challenge.folder / FILE}: {_place(public)}.references: the same as those of the hidden exam ({exam}), "
            f"so the public score of the {public.name or 'quiz'} is the hidden one; expected those of other, public "
            "records"
        )


def _place(records: RecordSet) -> str:
    """The keys of a set of records."""
    return f"data.exams.{records.name}" if records.name not in ("", MAIN_EXAM) else f"data.{records.name or 'quiz'}"


def _same_records(challenge: Challenge, public: RecordSet) -> Iterator[str]:
    """Public records, whose results every team is shown, that are records of the hidden exam: of its name and bytes."""
    if challenge.answers.whole:  # a placeholder, which says what to upload
        return
    exam = challenge.exam
    shared = [record for record in public.records if record in exam.records and _are_equal(record, public, exam)]
    if shared:
        yield (
            f"{challenge.folder / FILE}: {_place(public)}: {len(shared)} of its records are records of the hidden "
            f"exam, such as {', '.join(shared[:_SHOWN])}; expected other records, since results of the "
            f"{public.name or 'quiz'} are public"
        )


def _are_equal(record: str, first: RecordSet, second: RecordSet) -> bool:
    others = second.files(record)
    return all(
        name in others and path.is_file() and others[name].is_file() and filecmp.cmp(path, others[name], shallow=False)
        for name, path in first.files(record).items()
    )


def _given_away(challenge: Challenge) -> Iterator[str]:
    """Files of the sample entry, which everybody gets, that are hidden references."""
    sample, references = challenge.folder / "sample_entry", challenge.exam.references
    if references is None or not sample.is_dir():
        return
    sizes = {path.stat().st_size for path in _files(sample)}
    digests = {sha256_file(path): path for path in _files(references) if path.stat().st_size in sizes}
    for path in _files(sample):
        if path.stat().st_size and (reference := digests.get(sha256_file(path))) is not None:
            same_as = f"the same bytes as {reference.name} of the hidden references"
            yield f"{path}: {same_as}; every team gets the sample entry"


def _files(top: Path) -> Iterator[Path]:
    inside = sorted(top.rglob("*")) if top.is_dir() else [top]
    yield from (path for path in inside if path.is_file())


# Checks that WFDB headers among the records can be read, and that entries get the signal files they name.
#
# Here they are the organiser's own files; headers on their way into a guest are only copied, line by line.


_SUFFIX = ".hea"
_HEADERS_SHOWN = 20
_SEGMENTS = re.compile(r"[^/]+/([0-9]+)")


def check_headers(records: RecordSet) -> Iterator[str]:
    """Problems of the headers of a record set, at most 20 lines; none where inputs are not WFDB."""
    if any(pattern.endswith(_SUFFIX) for pattern in records.inputs):
        yield from islice(_all_headers(records), _HEADERS_SHOWN)


def _all_headers(records: RecordSet) -> Iterator[str]:
    for record in records.records:
        inputs = records.files(record)
        for name, path in inputs.items():
            if name.endswith(_SUFFIX):
                try:
                    header = read_header(path, record)
                except ReferenceDataError as e:
                    yield str(e)
                    continue
                yield from _missing_signals(path, PurePosixPath(name).parent, header, inputs)


def _segments(header: Header) -> int | None:
    match = _SEGMENTS.fullmatch(header.lines[0][0])
    return int(match[1]) if match else None


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
