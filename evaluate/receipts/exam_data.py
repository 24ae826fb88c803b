"""What an exam is judged by, as digests: its records, their files, the references, and the metric or scorer.

An attempt keeps these digests from the beginning of its exam: later stages compare them with the files of that time,
and the receipt states them.  Nobody is shown them, since guessed references could be compared with them.  A metric of
this program is identified by its name: a later release has the same metric, and its notes say when a number changes.
An organiser's own metric is identified by its code.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from evaluate.challenge.types import Challenge, RecordSet
from evaluate.core.errors import ChallengeError
from evaluate.core.files import sha256_file, write_file
from evaluate.receipts.code import judge_digest, tree_files

_NAMED = 5
"""Records and files that a message names of each sort; the others are counted."""


@dataclass(frozen=True, kw_only=True)
class ExamData:
    """Digests of what an exam is judged by."""

    records: tuple[str, ...]
    files: Mapping[str, str]
    """Input files by their names below the folder of records."""
    references: Mapping[str, str] | None
    """The same; a single file has no name."""
    metric: str
    rules: str
    input_data: Mapping[str, str] | None = None

    @property
    def digest(self) -> str:
        """One digest of it all: scores of equal digests may be compared."""
        return hashlib.sha256(self.as_text().encode()).hexdigest()

    def as_text(self) -> str:
        """As JSON; equal data give equal text."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_text(cls, text: str) -> ExamData:
        """What `as_text` gave."""
        values = json.loads(text)
        return cls(**{**values, "records": tuple(values["records"])})

    def changes(self, now: ExamData, *, answers_only: bool = False) -> tuple[str, ...]:
        """What is not any more as it was, in words for the organiser.

        ``answers_only``: only what answers are made of, for answers that other references score.
        """
        found = [*_files("record", dict.fromkeys(self.records, ""), dict.fromkeys(now.records, ""))]
        if not found and self.records != now.records:
            found.append("the order of the records")
        found += _files("file", self.files, now.files)
        if answers_only:
            return tuple(found)
        for what, before, after in (
            ("reference", self.references, now.references),
            ("input_data file", self.input_data, now.input_data),
        ):
            found += _files(what, before or {}, after or {})
        found += ["the metric or scorer"] if self.metric != now.metric else []
        found += [f"metric rules: {self.rules}, now {now.rules}"] if self.rules != now.rules else []
        return tuple(found)


def exam_data(challenge: Challenge, kept: Path) -> ExamData:
    """What the exam of a challenge is judged by now. Raises ChallengeError if a file of it is missing.

    ``kept``: see `files_of`.
    """
    exam = challenge.exam
    try:
        return ExamData(
            records=exam.records,
            files=files_of(exam, kept),
            references=None if exam.references is None else tree_files(exam.references),
            metric=judge_digest(challenge) if challenge.has_own_judge else challenge.metric,
            rules=challenge.rules,
            input_data=None if exam.input_data is None else tree_files(exam.input_data),
        )
    except OSError as e:
        raise ChallengeError(f"{e.filename}: of the exam of {challenge.name}: {e.strerror}") from e


def files_of(records: RecordSet, kept: Path) -> dict[str, str]:
    """SHA-256 of the input files of a set of records by their names, in the order of the records.

    ``kept``: a file of digests by path and inode, so that a file that did not change is read once.
    """
    known: dict[str, list[Any]] = {}
    with suppress(OSError, ValueError):
        known = json.loads(kept.read_text())
    read = dict(known)
    found: dict[str, str] = {}
    for record in records.records:
        for name, path in records.files(record).items():
            status = path.stat()
            identity = [status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns]
            digest = known.get(str(path), [])
            if digest[:-1] != identity:
                digest = read[str(path)] = [*identity, sha256_file(path)]
            found[name] = digest[-1]
    if read != known:
        with suppress(OSError):  # of somebody who may only read; it is read again the next time
            write_file(kept, json.dumps(read).encode(), 0o600)
    return found


def _files(what: str, before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    """Which of them were removed, added or changed."""
    for how, names in (
        ("removed", [name for name in before if name not in after]),
        ("added", [name for name in after if name not in before]),
        ("changed", [name for name in before if after.get(name, before[name]) != before[name]]),
    ):
        named = ", ".join(name or "a single file" for name in names[:_NAMED])
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        if names == [""]:
            yield f"{what}s {how}"
        elif names:
            yield f"{what}{'s' if len(names) > 1 else ''} {how}: {named}{more}"
