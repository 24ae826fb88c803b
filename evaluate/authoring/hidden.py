"""What an organiser should know of a hidden exam before its first entry: who can read it, and what feedback reveals."""

from __future__ import annotations

import csv
import stat
from collections.abc import Iterator
from pathlib import Path

from evaluate.challenge.types import Challenge, Isolation
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
