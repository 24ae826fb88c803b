"""The score of a year of the PhysioNet Challenges, of its own files of labels and answers.

References are the records' files with their labels, answers what entries of the year leave.  By the official rules a
missing answer ends the official program until 2023, and counts as 0 later; by the corrected rules it is wrong, and so
is one that cannot be used.

* 2020, 2021: rewards of ``weights.csv`` beside the references, or 1 for the right label where there is none.
* 2022: weighted accuracy of murmurs.  2023: sensitivity at 5 % false alarms.
* 2024: signal-to-noise ratio and F-measure of the labels, which had boards of their own: `TASK_2024` says what ranks.
* 2025: share of the positives among the first 5 %.  2026: reward by age.

Sources: the evaluation programs of the years, in our own words.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from metrics import AnswerError, MetricError, Note, ReferenceDataError, ScoreReport
from metrics.base import Given, OfFiles
from metrics.generic.diagnostic import WeightedAccuracy
from metrics.generic.multilabel import F1, Reward
from metrics.generic.physionet import Outcome2023, Prioritised2025, Reward2026
from metrics.generic.physionet_signals import Snr2024
from metrics.generic.tables import Table

YEAR = 2025
TASK_2024 = "signals"
"""What ranks in 2024: ``signals`` or ``labels``."""
NORMAL, WEIGHTS, TABLE = "426783006", "weights.csv", "demographics.csv"
TRUE, FALSE = ("true", "1", "1.0", "t", "yes", "poor"), ("false", "0", "0.0", "f", "no", "good")
MOST_BYTES = 1 << 20
Row = Mapping[str, str]
Read = Callable[[Path, str, type[MetricError]], Row | None]


class OfYear(OfFiles):
    """See `metrics.Metric`."""

    name = f"physionet{YEAR}"

    def scored(self, given: Given) -> ScoreReport:
        """The report, or an `AnswerError` for the team, or a `ReferenceDataError` for the organiser."""
        references, official = given.references, given.strict
        names = list(given.records) if given.records is not None else all_records(references)
        if YEAR == 2024:
            signals = Snr2024().score(references, given.answers, records=names, rules=given.rules)
            labels = f_measure(given, names)
            found, other = (signals, labels) if TASK_2024 == "signals" else (labels, signals)
            found = replace(found, values={**found.values, **other.values}, notes=(*found.notes, *other.notes))
        else:
            measure, label, answer = MEASURES[YEAR](references, official)
            truth = table(references, ReferenceDataError, names, label)
            answered = table_of_answers(given, names, answer)
            missing = set(names) - set(answered.names)
            if official and missing and YEAR <= 2023:
                raise AnswerError("expected an answer for each record, found none", record=min(missing))
            given.require_answered()
            found = measure.score_tables(truth, answered)
        return replace(found, metric=self.name, rules=given.rules)


def all_records(references: Path) -> list[str]:
    """The records of a folder of references: its list, or those that there is a label of."""
    if (references / "RECORDS").is_file():
        return (references / "RECORDS").read_text().split()
    if (references / TABLE).is_file() and YEAR == 2026:
        found = [name_of(row) for row in csv.DictReader((references / TABLE).read_text().splitlines())]
    else:
        suffix = ".txt" if YEAR in (2022, 2023) else ".hea"
        files = (path for path in sorted(references.rglob(f"*{suffix}")) if not path.name.startswith("."))
        found = [str(path.relative_to(references).with_suffix("")) for path in files]
        if YEAR == 2023:  # a folder for each record
            found = [name.partition("/")[0] for name in found if name.partition("/")[0] == name.rpartition("/")[2]]
    if not found:
        raise ReferenceDataError("expected RECORDS or labels of records, found neither", file=references)
    return found


def table(folder: Path, error: type[MetricError], names: Sequence[str], read: Read) -> Table:
    """A table for a measure: a row of each record that there is a file of."""
    rows = {name: row for name in names if (row := read(folder, name, error)) is not None}
    return of_rows(folder, error, rows)


def table_of_answers(given: Given, names: Sequence[str], read: Read) -> Table:
    """The same of answers, without those that cannot be used."""
    rows = {}
    for name in names:
        try:
            row = None if name in given.unusable else read(given.answers, name, AnswerError)
        except AnswerError as error:
            given.answered.add(name)
            given.refuse(name, error)
            continue
        if row is not None:
            rows[name] = row
    given.answered.update(rows)
    return of_rows(given.answers, AnswerError, rows)


def of_rows(folder: Path, error: type[MetricError], rows: Mapping[str, Row]) -> Table:
    """The table of some rows."""
    columns = {key: [row[key] for row in rows.values()] for key in next(iter(rows.values()), {})}
    return Table(file=folder, error=error, names=list(rows), columns=columns, places=list(rows))


def name_of(row: Mapping[str, str | None]) -> str:
    """The record of a row of the table of 2026."""
    return f"{row.get('SiteID')}/{row.get('BidsFolder')}_ses-{row.get('SessionID')}"


def text(file: Path, record: str, error: type[MetricError]) -> str | None:
    """A small file; None where there is none."""
    if not file.is_file():
        if error is ReferenceDataError:
            raise error("no file with its label", file=file, record=record)
        return None
    if file.stat().st_size > MOST_BYTES:
        raise error(f"expected at most {MOST_BYTES} bytes", file=file.name, record=record)
    return file.read_text(errors="replace")


def said(content: str) -> dict[str, str]:
    """What lines ``# name: value`` or ``name: value`` say; the last of a name counts."""
    lines = (line.lstrip("# ").partition(":") for line in content.splitlines())
    return {name.strip(): value.strip() for name, _, value in lines}


def truth(value: str, what: str, record: str, error: type[MetricError]) -> str:
    """1 or 0."""
    if value.lower() not in TRUE + FALSE:
        raise error(f"expected {what} to be true or false, found {value[:40]!r}", record=record)
    return "1" if value.lower() in TRUE else "0"


def number(value: str, what: str, record: str) -> str:
    """A number that is finite; 0 for NaN, which a program that failed writes."""
    try:
        found = float(value)
    except ValueError:
        found = math.inf
    if math.isinf(found):
        raise AnswerError(f"expected {what} to be a number, found {value[:40]!r}", record=record)
    return "0" if math.isnan(found) else repr(found)


def lines_of_classes(folder: Path, record: str) -> list[list[str]] | None:
    """Classes, labels and scores of 2020 to 2022; None where there are none."""
    content = text(folder / f"{record}.csv", record, AnswerError)
    if content is None:
        return None
    rows = [[cell.strip() for cell in line.split(",")] for line in content.splitlines()[1:4]]
    if len(rows) != 3 or len({len(row) for row in rows}) != 1:
        raise AnswerError("expected lines of classes, labels and scores of one length", record=record)
    return rows


# the years


def rewards(references: Path, official: bool) -> tuple[Reward, Read, Read]:
    def label(folder: Path, record: str, error: type[MetricError]) -> Row:
        content = said(text(folder / f"{record}.hea", record, error) or "")
        return {"labels": "|".join(code.strip() for code in content.get("Dx", "").split(","))}

    def answer(folder: Path, record: str, error: type[MetricError]) -> Row | None:
        rows = lines_of_classes(folder, record)
        if rows is None:
            return None
        chosen = [one for one, label in zip(*rows[:2], strict=True) if truth(label or "0", one, record, error) == "1"]
        return {"labels": "|".join(chosen)}

    if (references / WEIGHTS).is_file():
        return Reward(normal=NORMAL, matrix=WEIGHTS), label, answer
    files = (path for path in sorted(references.rglob("*.hea")))
    codes = {code.strip() for path in files for code in said(path.read_text()).get("Dx", "").split(",")} - {""}
    own = {code: {other: float(code == other) for other in sorted(codes)} for code in sorted(codes | {NORMAL})}
    return Reward(normal=NORMAL, rewards=own), label, answer


def murmurs(references: Path, official: bool) -> tuple[WeightedAccuracy, Read, Read]:
    classes = ("Present", "Unknown", "Absent")

    def label(folder: Path, record: str, error: type[MetricError]) -> Row:
        return {"label": said(text(folder / f"{record}.txt", record, error) or "").get("Murmur", "")}

    def answer(folder: Path, record: str, error: type[MetricError]) -> Row | None:
        rows = lines_of_classes(folder, record)
        if rows is None:
            return None
        chosen = {one for one, label in zip(*rows[:2], strict=True) if truth(label, one, record, error) == "1"}
        murmur = [one for one in classes if one in chosen]
        return {"label": murmur[0] if len(murmur) == 1 else "Present"}

    return WeightedAccuracy(labels=classes, weights={"Present": 5, "Unknown": 3, "Absent": 1}), label, answer


def outcomes(references: Path, official: bool) -> tuple[Outcome2023, Read, Read]:
    def label(folder: Path, record: str, error: type[MetricError]) -> Row:
        content = said(text(folder / record / f"{record}.txt", record, error) or "")
        return {
            "label": truth(content.get("Outcome", ""), "Outcome", record, error),
            "hospital": content.get("Hospital", ""),
        }

    def answer(folder: Path, record: str, error: type[MetricError]) -> Row | None:
        content = text(folder / record / f"{record}.txt", record, error)
        key = "Outcome Probability"
        return None if content is None else {"score": number(said(content).get(key, ""), key, record)}

    return Outcome2023(official=official), label, answer


def f_measure(given: Given, names: Sequence[str]) -> ScoreReport:
    """Of the labels of 2024: the mean over those of references; a record without a label there does not count."""

    def labels(folder: Path, record: str, error: type[MetricError]) -> Row | None:
        content = text(folder / f"{record}.hea", record, error)
        found = [label.strip() for label in said(content or "").get("Labels", "").split(",")]
        return {"labels": "|".join(found)} if any(found) else None

    truth = table(given.references, ReferenceDataError, names, labels)
    if not truth.names:
        raise ReferenceDataError("no record has a label", file=given.references)
    answered = table_of_answers(given, truth.names, labels)
    found = F1(unknown="ignore").score_tables(truth, answered)
    if given.strict and not answered.names:  # as its program has it
        note = Note("no record has an answered label, so the official F-measure is not defined")
        found = replace(found, values=dict.fromkeys(found.values, math.nan), notes=(*found.notes, note))
    return found


def chagas(references: Path, official: bool) -> tuple[Prioritised2025, Read, Read]:
    def label(folder: Path, record: str, error: type[MetricError]) -> Row:
        content = said(text(folder / f"{record}.hea", record, error) or "")
        return {"label": truth(content.get("Chagas label", ""), "Chagas label", record, error)}

    def answer(folder: Path, record: str, error: type[MetricError]) -> Row | None:
        content = text(folder / f"{record}.txt", record, error)
        key = "Chagas probability"
        return None if content is None else {"score": number(said(content).get(key, "nan"), key, record)}

    return Prioritised2025(official=official), label, answer


def sleep(references: Path, official: bool) -> tuple[Reward2026, Read, Read]:
    def row_of(folder: Path, record: str, error: type[MetricError]) -> Row | None:
        content = text(folder / TABLE, record, error)
        for row in csv.DictReader((content or "").splitlines()):
            if name_of(row) == record:
                return row
        return None

    def label(folder: Path, record: str, error: type[MetricError]) -> Row:
        row = row_of(folder, record, error)
        if row is None:
            raise error(f"{TABLE} has no row of it", record=record)
        return {"label": truth(row.get("Cognitive_Impairment") or "", "its label", record, error), "age": row["Age"]}

    def answer(folder: Path, record: str, error: type[MetricError]) -> Row | None:
        row = row_of(folder, record, error)
        if row is None or not row.get("Cognitive_Impairment"):
            return None
        probability = number(row.get("Cognitive_Impairment_Probability") or "", "its probability", record)
        return {"label": truth(row["Cognitive_Impairment"], "its answer", record, error), "score": probability}

    return Reward2026(official=official), label, answer


MEASURES = {2020: rewards, 2021: rewards, 2022: murmurs, 2023: outcomes, 2025: chagas, 2026: sleep}
METRIC = OfYear()
