"""Files that everybody may have of a challenge, so that ``evaluate try`` works at home as on the server.

Where the exam is hidden, the description says instead that the exam has the records of the quiz, and training too if
its own are hidden; its comments are not copied, since they may say what is hidden.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import yaml

from evaluate.config.challenge.load import FILE, RECORDS
from evaluate.config.challenge.types import MAIN_EXAM, Challenge, RecordSet
from evaluate.core.errors import UsageError


def public_folder(challenge: Challenge) -> Iterator[tuple[str, Path | bytes]]:
    """Each file by its path in the folder: where it is, or its content.

    Raises UsageError if the public records are elsewhere, or would tell of the hidden ones.
    """
    for name, path in public_files(challenge):
        yield name, _without_hidden(path, challenge) if name == FILE and challenge.hides_exams else path


def can_be_tried(challenge: Challenge) -> bool:
    """True if its public folder is enough: not if the exam is hidden and the metric is a file of the organiser's."""
    return not (challenge.hides_exams and challenge.metric.endswith(".py"))


def _without_hidden(path: Path, challenge: Challenge) -> bytes:
    description = yaml.safe_load(path.read_text(encoding="utf-8"))
    if challenge.hides(MAIN_EXAM):
        description["data"]["exam"] = {
            key: value for key, value in description["data"]["quiz"].items() if key != "sample_score"
        }
    if others := {
        name: exam for name, exam in description["data"].pop("exams", {}).items() if not challenge.hides(name)
    }:
        description["data"]["exams"] = others
    if challenge.hides_training:
        kept = {key: value for key, value in description["train"].items() if key not in ("inputs", "files", "hidden")}
        description["train"] = {**kept, "records": description["data"]["quiz"]["folder"]}
    description.pop("allow_tcg_exam", None)
    return yaml.safe_dump(description, sort_keys=False, allow_unicode=True).encode()


def public_files(challenge: Challenge) -> Iterator[tuple[str, Path]]:
    """The public files of a challenge, by their paths in its folder: those named here, and no others.

    Rules, README, organisers' layers and images, what belongs to quiz and public training; of an open challenge also
    the exam and the metric.  Whatever else lies in the folder (a sample entry, programs that make data, old copies) is
    not needed to try an entry, and may say what is hidden.  Raises UsageError if the records of its quiz, or for
    training, are elsewhere, so they would be missing; or references of its quiz name records of the hidden exam.
    """
    base, quiz = challenge.folder.resolve(), challenge.quiz
    public = [exam for exam in challenge.exams.values() if not exam.hidden]
    if not quiz.folder.resolve().is_relative_to(base):
        raise UsageError(f"{challenge.name}: the records of its quiz are outside its folder, in {quiz.folder}")
    named = [challenge.folder / FILE, challenge.folder / "README.md", *challenge.layers, *_parts(quiz)]
    named += challenge.base_images.values()
    named += _below([challenge.programs] if challenge.programs is not None else [])
    if challenge.train is not None and not challenge.train.records.hidden:
        train = challenge.train.records
        if not train.folder.resolve().is_relative_to(base):
            raise UsageError(f"{challenge.name}: its training records are outside its folder, in {train.folder}")
        named += [*_parts(train), *(train.folder / name for name in challenge.train.files)]
    if challenge.scorer is not None:
        if challenge.hides_exams:
            raise UsageError(f"{challenge.name}: its scorer may say what is hidden, so it has no public folder")
        inputs = (records.input_data for records in (quiz, *public) if records.input_data)
        named += [*_below(challenge.scorer.files), *_below(inputs)]
    if not challenge.hides_exams and Path(challenge.metric).suffix == ".py":
        named.append(Path(challenge.metric))
    named += [path for exam in public for path in _parts(exam)]
    paths = sorted({path for path in named if path.is_file() and path.resolve().is_relative_to(base)})
    for exam in challenge.exams.values():
        if exam.hidden:
            _refuse_hidden(challenge, exam, paths)
    for path in paths:
        yield path.resolve().relative_to(base).as_posix(), path


def _below(places: Iterable[Path]) -> Iterator[Path]:
    """The files of files and folders."""
    for path in places:
        yield from path.rglob("*") if path.is_dir() else [path]


def _parts(records: RecordSet) -> Iterator[Path]:
    """The list, the inputs and the references of a set of records."""
    yield records.folder / RECORDS
    for record in records.records:
        yield from records.files(record).values()
    if records.references is not None:
        whole = records.references
        yield from (path for path in (whole.rglob("*") if whole.is_dir() else [whole]) if _is_of(path, records))


def _is_of(path: Path, records: RecordSet) -> bool:
    """True if a file of references is that of a record of the set, or is for all of them."""
    if path == records.references:
        return True
    assert records.references is not None
    parts = path.relative_to(records.references).as_posix()
    return any(re.search(rf"(?<![A-Za-z0-9]){re.escape(record)}(?![A-Za-z0-9])", parts) for record in records.records)


def _refuse_hidden(challenge: Challenge, exam: RecordSet, paths: Sequence[Path]) -> None:
    """Refuse a public folder that has a file of a hidden exam, or a public list that names its records."""
    public = [challenge.quiz, *(other for other in challenge.exams.values() if not other.hidden)]
    only = set(exam.records).difference(*(records.records for records in public))
    secret = {path.resolve() for record in only for path in exam.files(record).values()}
    secret |= {exam.references.resolve()} if exam.references is not None else set()
    lists = {path for records in public for path in (records.folder / RECORDS, records.references)}
    for path in paths:
        words = path.read_text(errors="replace") if path in lists else ""
        record = next((record for record in only if re.search(rf"(?<!\w){re.escape(record)}(?!\w)", words)), None)
        if record is not None or path.resolve() in secret:
            what = f"names record {record} of the hidden exam" if record else "belongs to the hidden exam too"
            raise UsageError(f"{path}: {what}; keep public and hidden records in folders and files of their own")
