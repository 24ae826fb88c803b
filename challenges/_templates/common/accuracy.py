"""The metric of this challenge: the share of records with the right label, from 0 to 1.

References are a file ``REFERENCE.csv`` with ``record,label`` on each line.  Answers are a file of the same form, or a
folder with ``<record>.txt`` that contains the label.  The organiser's record list decides: a record without an answer
is wrong.

What a report contains decides what comes with the score:

* ``per_record`` with a number ``accuracy``, of which the value ``accuracy`` is the mean: 95 % intervals, and the groups
  of teams on the board that cannot be told apart.  A score that is no mean, such as F1, gives its counts instead:
  ``resampler=metrics.uncertainty.SumsOfRecords(...)``, see "A metric of your own" in metrics/README.md.
* ``per_record`` with the texts ``reference`` and ``answer``: a picture of the confusion matrix.
* ``per_record`` with the text ``patient``, if a patient has several records: those are drawn together.
* ``unusable`` with the reasons of answers that count as missing: notes, and failures of the exam.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from metrics import AnswerError, ReferenceDataError, ScoreReport

LABELS = ("P", "N")


class Accuracy:
    """See `metrics.Metric`."""

    name = "accuracy"
    has_official = False
    """There is no official program to agree with, so ``rules`` has no effect and answers are scored once."""

    def score(
        self, references: Path, answers: Path, *, records: Sequence[str] | None = None, rules: str = "corrected"
    ) -> ScoreReport:
        """The report, or an `AnswerError` for the team, or a `ReferenceDataError` for the organiser."""
        truth = dict(pair(line, references) for line in references.read_text().splitlines())
        names = list(records) if records is not None else list(truth)
        for record in names:
            if record not in truth:
                raise ReferenceDataError("no reference for this record", file=references, record=record)
        found, unusable = {}, {}
        for record in names:
            try:
                found[record] = read_answer(answers, record)
            except AnswerError as error:  # costs its record alone
                found[record], unusable[record] = None, error.reason
        if unusable and not any(found.values()):
            raise AnswerError(f"no answer can be used; {min(unusable.values())}", record=min(unusable))
        right = {record: float(found[record] == truth[record]) for record in names}
        return ScoreReport(
            metric=self.name,
            rules=rules,
            primary="accuracy",
            values={"accuracy": sum(right.values()) / len(names), "missing": float(list(found.values()).count(None))},
            per_record={
                record: {"accuracy": right[record], "reference": truth[record], "answer": found[record] or ""}
                for record in names
            },
            unusable=unusable,
        )


def pair(line: str, file: Path) -> tuple[str, str]:
    """A record and its label."""
    record, _, label = (part.strip() for part in line.partition(","))
    if label not in LABELS:
        raise ReferenceDataError(f"expected 'record,label' with a label of {LABELS}, found {line[:80]!r}", file=file)
    return record, label


def read_answer(answers: Path, record: str) -> str | None:
    """The label that was answered for a record; None if there is none."""
    if answers.is_dir():
        file = answers / f"{record}.txt"
        label = file.read_text(errors="replace").strip()[:80] if file.is_file() else None
    else:
        lines = (line.partition(",") for line in answers.read_text(errors="replace").splitlines())
        file, label = answers, next((label.strip() for name, _, label in lines if name.strip() == record), None)
    if label is not None and label not in LABELS:
        raise AnswerError(f"expected one of {' '.join(LABELS)}, found {label!r}", file=file.name, record=record)
    return label


METRIC = Accuracy()
