"""What an organiser should know of a hidden exam before its first entry: who can read it, and what feedback reveals."""

from __future__ import annotations

import csv
import filecmp
import stat
from collections.abc import Iterator
from pathlib import Path

from evaluate.challenge.load import FILE
from evaluate.challenge.types import Challenge, Isolation, RecordSet
from evaluate.core.errors import EntryError
from evaluate.core.files import sha256_file
from evaluate.untrusted.archives import parse_answers
from metrics.readers.foreign import decoded

_SHOWN = 3


def hidden_labels(challenge: Challenge) -> dict[str, str]:
    """Record -> its reference, where references are lines ``record,label``; else empty."""
    references, labels = challenge.exam.references, set(challenge.answers.labels)
    if references is None or not references.is_file() or not labels:
        return {}
    rows = list(csv.reader(decoded(references.read_bytes(), errors="replace").splitlines()))
    found = {row[0].strip(): row[1].strip() for row in rows if len(row) == 2}
    of_records = {record: found[record] for record in challenge.exam.records if found.get(record) in labels}
    return of_records if len(of_records) == len(challenge.exam.records) else {}


def recommendations(challenge: Challenge, attempts: int) -> Iterator[str]:
    """What to consider, in sentences; nothing for an exam that is not hidden.

    ``attempts``: how many a team has in a phase; 0: any number.
    """
    if not challenge.exam.hidden or not challenge.exam.records:
        return
    if not attempts:
        yield "a team has any number of attempts at the hidden records; board: {attempts: N} limits them"
    if challenge.runs_programs and challenge.isolation is Isolation.NAMESPACE and not challenge.gpus:
        yield (
            "records of the hidden exam share one machine (isolation: namespace), in which a program can measure what "
            "earlier records made it read; isolation: snapshot gives each a machine of its own"
        )


def exposures(challenge: Challenge) -> Iterator[str]:
    """Mistakes through which what is hidden is not."""
    if not challenge.exam.hidden:
        return
    yield from _readable(challenge)
    yield from _same_references(challenge)
    yield from _same_records(challenge)
    yield from _given_away(challenge)


def _readable(challenge: Challenge) -> Iterator[str]:
    """References and records that every user of this machine can read."""
    places = [path for path in (challenge.exam.references, challenge.exam.folder) if path is not None]
    for place in dict.fromkeys(path.resolve() for path in places if path.exists()):
        inside = [place, *sorted(place.rglob("*"))] if place.is_dir() else [place]
        files = (path for path in inside if path.is_file() and not path.is_symlink())
        if _open_above(place) and (found := next((path for path in files if _is_open(path, place)), None)) is not None:
            mode = stat.S_IMODE(found.stat().st_mode)
            yield (
                f"{found}: every user of this machine can read it (mode {mode:03o}), and the exam is hidden; "
                f"chmod -R go= {place}"
            )


def _open_above(path: Path) -> bool:
    """Whether everybody may go through the folders that a path is in."""
    return all(parent.stat().st_mode & stat.S_IXOTH for parent in path.parents)


def _is_open(file: Path, top: Path) -> bool:
    within = [parent for parent in file.parents if parent == top or top in parent.parents] if file != top else []
    return bool(file.stat().st_mode & stat.S_IROTH) and all(one.stat().st_mode & stat.S_IXOTH for one in within)


def _same_references(challenge: Challenge) -> Iterator[str]:
    """References of the quiz, whose score every team is shown, that are those of the hidden exam."""
    quiz, exam = challenge.quiz.references, challenge.exam.references
    # a scorer scores all references that it is given, a metric those of its records
    if challenge.scorer is None or quiz is None or exam is None or not quiz.exists() or not exam.exists():
        return
    one, other = quiz.resolve(), exam.resolve()
    if one.is_relative_to(other) or other.is_relative_to(one) or _same_content(one, other):
        yield (
            f"{challenge.folder / FILE}: data.quiz.references: the same as those of the hidden exam ({exam}), so the "
            "public score of the quiz is the hidden one; expected those of other, public records"
        )


def _same_records(challenge: Challenge) -> Iterator[str]:
    """Records of the quiz, whose results every team is shown, that are records of the hidden exam."""
    if challenge.answers.whole:  # a placeholder, which says what to upload
        return
    quiz, exam = challenge.quiz, challenge.exam
    if quiz.folder.resolve() == exam.folder.resolve():
        shared = {record: record for record in quiz.records if record in exam.records}
    else:
        by_size: dict[int, list[tuple[str, Path]]] = {}
        for record, path in _signals(exam):
            by_size.setdefault(path.stat().st_size, []).append((record, path))
        shared = {}
        for record, path in _signals(quiz):
            others = by_size.get(path.stat().st_size, [])
            if same := [one for one, other in others if filecmp.cmp(path, other, shallow=False)]:
                shared[record] = same[0]
    if shared:
        shown = [one if one == other else f"{one} ({other} there)" for one, other in shared.items()]
        yield (
            f"{challenge.folder / FILE}: data.quiz: {len(shared)} of its records are records of the hidden exam, such "
            f"as {', '.join(shown[:_SHOWN])}; expected other records, since results of the quiz are public"
        )


def _signals(records: RecordSet) -> Iterator[tuple[str, Path]]:
    """Each record with its largest input file; a header beside it has the record's name in it."""
    for record in records.records:
        files = [path for name, path in records.files(record).items() if record in name and path.is_file()]
        largest = max(files, key=lambda path: path.stat().st_size, default=None)
        if largest is not None and largest.stat().st_size:
            yield record, largest


def _same_content(first: Path, second: Path) -> bool:
    """True if two files, or all files of two folders, have the same bytes under any names."""
    ones, others = (sorted(_files(place), key=lambda path: path.stat().st_size) for place in (first, second))
    sizes = [[path.stat().st_size for path in files] for files in (ones, others)]
    if sizes[0] != sizes[1] or not any(sizes[0]):
        return False
    return sorted(map(sha256_file, ones)) == sorted(map(sha256_file, others))


def _given_away(challenge: Challenge) -> Iterator[str]:
    """Answers of the sample entry, which everybody gets, that are the hidden references."""
    sample, references = challenge.folder / "sample_entry", challenge.exam.references
    if references is None or not sample.is_dir():
        return
    own = sample / challenge.answers.file
    if (truth := hidden_labels(challenge)) and own.is_file():
        try:
            known = parse_answers(own.read_bytes(), challenge.answers.labels)
        except EntryError:
            return  # named elsewhere
        if same := [record for record in truth if record in known and record not in challenge.quiz.records]:
            yield (
                f"{own}: it answers {len(same)} records of the hidden exam, such as {', '.join(same[:_SHOWN])}; "
                "expected the records of the quiz alone, since every team gets the sample entry"
            )
    sizes = {path.stat().st_size for path in _files(sample)}
    digests = {sha256_file(path): path for path in _files(references) if path.stat().st_size in sizes}
    for path in _files(sample):
        if path.stat().st_size and (found := digests.get(sha256_file(path))) is not None:
            yield f"{path}: the same bytes as {found.name} of the hidden references; every team gets the sample entry"


def _files(place: Path) -> Iterator[Path]:
    inside = place.rglob("*") if place.is_dir() else [place]
    yield from (path for path in inside if path.is_file())
