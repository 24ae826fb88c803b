"""Tables of records: CSV, JSON, or one small file per record.

Conventions
-----------
A table is one of
* a CSV file.  Its first line is a header if it names the record column; without one, columns come in the order of the
  measure (``record,label`` for classification).  Blank lines are skipped, blanks around cells dropped;
* a JSON file: a list of rows ``[{"record": "r1", "label": "A"}]``, a mapping ``{"r1": {"label": "A"}}``, where a record
  with several rows has a list of them, or ``{"r1": "A"}`` where one column is enough;
* a folder with one such file called ``references`` or ``REFERENCE`` (of the organiser) or ``answers`` (of the team),
  with the suffix ``.csv``, ``.txt`` or ``.json``; or else with a file ``<record>.csv`` or ``<record>.json`` for each
  record, without a record column.

Cells are kept as text until a column is read as numbers; those must be finite.
"""

from __future__ import annotations

import csv
import math
import re
from abc import abstractmethod
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from metrics.base import (
    PATIENT,
    AnswerError,
    Given,
    MetricError,
    Note,
    ReferenceDataError,
    ScoreReport,
    UnusableAnswers,
    some,
)
from metrics.generic.base import EXCLUDE, Bools, Floats, GenericMeasure, Ints, Measured, Records
from metrics.generic.options import TEXT, one_of, option, or_none
from metrics.readers.files import ErrorClass, check_records, excerpt, list_files, parse_json, read_text
from metrics.readers.foreign import plain_number, separator_hint
from metrics.readers.names import as_known, check_some_match, probably

CLUSTERS = "clusters.csv"
"""In a folder of references: ``record,patient`` for measures that have no table of references."""
LARGEST = 1e100
"""Limit of numbers whose squares are added."""
_DECIMAL_COMMA = re.compile("(^|,)[+-]?[0-9]+,[0-9]+$")
_STEMS = {ReferenceDataError: ("references", "REFERENCE"), AnswerError: ("answers",)}
_SUFFIXES = (".csv", ".txt", ".json")
_SUFFIXES_AT_END = re.compile(r"(\.(csv|txt|json))+$")
_JSON = re.compile(r"\.json(\.txt)?$")
_SPREADSHEETS = (".xlsx", ".xls", ".xlsm", ".ods", ".tsv", ".numbers")


@dataclass(frozen=True, kw_only=True, eq=False)
class Table:
    """Rows of records, in the order of the file."""

    file: Path
    error: type[MetricError]
    names: Sequence[str]
    """Record of each row."""
    columns: Mapping[str, list[str]]
    places: Sequence[str]
    """The line of each row, for messages."""
    listed: tuple[str, ...] = ()
    """Records that have their own file, with or without rows."""
    headless: bool = False
    """True if the first line of its file was taken for a row, as it does not name the column of records."""

    @property
    def header(self) -> tuple[str, ...]:
        """Names of all columns but that of the records."""
        return tuple(self.columns)

    def fail(self, reason: str, row: int | None = None) -> MetricError:
        """The error about this table or one of its rows, for the caller to raise."""
        return self.error(reason, file=self.file) if row is None else self.wrong({row: reason})

    def wrong(self, reasons: Mapping[int, str]) -> MetricError:
        """The error about some rows; of answers, about those of their records alone."""
        named = [(self.names[row], f"{self.places[row]}: {reason}") for row, reason in reasons.items()]
        if self.error is AnswerError:
            return UnusableAnswers(dict(reversed(named)), file=self.file)  # of one record, the first row
        return self.error(named[0][1], file=self.file, record=named[0][0][:80] or None)

    def without(self, records: Container[str]) -> Table:
        """The table without the rows of these records."""
        return self._of_rows([row for row, name in enumerate(self.names) if name not in records])

    def _of_rows(self, kept: Sequence[int], listed: tuple[str, ...] | None = None) -> Table:
        return replace(
            self,
            names=[self.names[row] for row in kept],
            columns={name: [cells[row] for row in kept] for name, cells in self.columns.items()},
            places=[self.places[row] for row in kept],
            listed=self.listed if listed is None else listed,
        )

    def column(self, name: str) -> list[str]:
        """The cells of a column. Raises MetricError if there is no column of this name."""
        if name in self.columns:
            return self.columns[name]
        if not self.names and not self.header:
            return []
        raise self.fail(f"expected a column {name!r}, found {', '.join(self.header) or 'none'}")

    def named(self, name: str, wish: str) -> list[str]:
        """A column of which no cell is blank. Raises MetricError if one is; ``wish`` says what was expected."""
        cells = self.column(name)
        if "" in cells:
            raise self.wrong({row: f"expected {wish}, found none" for row, cell in enumerate(cells) if not cell})
        return cells

    def classes(self, name: str) -> NDArray[np.object_]:
        """A column of classes, shape (rows,). Raises MetricError if there is no column of this name."""
        return np.array(self.column(name), dtype=object)

    def numbers(self, name: str, *, low: float = -math.inf, high: float = math.inf, flags: bool = False) -> Floats:
        """A column of finite numbers, shape (rows,); with ``flags`` truth values are 0 and 1.

        Raises MetricError if a cell is something else, or outside ``low`` to ``high``.
        """
        cells = self.column(name)
        values = _numbers(cells, flags=flags)
        wrong = np.flatnonzero(~(np.isfinite(values) & (values >= low) & (values <= high)))
        if not wrong.size:
            return values
        bounds = f" from {low:g} to {high:g}" if math.isfinite(low) and math.isfinite(high) else ""
        bounds = bounds or (f" from {low:g}" if math.isfinite(low) else "")
        reasons: dict[int, str] = {}
        for row in wrong.tolist():
            # a bound that nobody comes near
            limits = "" if high == LARGEST and not math.isfinite(values[row]) else bounds
            shown = f"{_shown(cells[row])}{_decimal_comma(cells[row])}"
            reasons[row] = f"expected a finite number{limits} as {name}, found {shown}"
        raise self.wrong(reasons)

    def points(self, names: Sequence[str]) -> Floats:
        """Columns of coordinates, shape (rows, columns). Raises MetricError as `numbers`."""
        return np.stack([self.numbers(name, low=-LARGEST, high=LARGEST) for name in names], axis=1)

    def flags(self, name: str) -> Bools:
        """A column of 0 and 1, shape (rows,). Raises MetricError if a cell is something else."""
        values = self.numbers(name, low=0, high=1, flags=True)
        odd = np.flatnonzero((values != 0) & (values != 1))
        if odd.size:
            raise self.wrong({row: f"expected 0 or 1 as {name}, found {values[row]:g}" for row in odd.tolist()})
        return np.asarray(values == 1)

    def rows_of(self) -> dict[str, int]:
        """The row of each record. Raises MetricError if a record has two."""
        rows = {name: row for row, name in enumerate(self.names)}
        if len(rows) < len(self.names):
            again = (row for row, name in enumerate(self.names) if rows[name] != row)
            seen = {self.names[row] for row in again}
            first = dict[str, int]()
            reasons = {
                row: "expected every record once, found it again"
                for row, name in enumerate(self.names)
                if name in seen and first.setdefault(name, row) != row
            }
            raise self.wrong(reasons)
        return rows

    def groups(self) -> dict[str, list[int]]:
        """The rows of each record; records without rows have an empty list."""
        rows = defaultdict[str, list[int]](list, {name: [] for name in self.listed})
        for row, name in enumerate(self.names):
            rows[name].append(row)
        return dict(rows)

    def without_blank(self, *columns: str) -> Table:
        """The table without the rows that are blank in all of these columns: they mean a record that has nothing."""
        present = [cells for name in columns if (cells := self.columns.get(name)) is not None]
        kept = [row for row in range(len(self.names)) if any(cells[row] for cells in present)]
        return self._of_rows(kept, tuple(dict.fromkeys([*self.listed, *self.names])))


@dataclass(frozen=True, kw_only=True, eq=False)
class Paired:
    """Rows of references and answers of the same records."""

    truth: Table
    given: Table
    records: Records
    references: Ints
    """Row of each record in the table of references."""
    answers: Ints
    """Row in the table of answers; -1 where the record has no answer."""
    notes: tuple[Note, ...]

    @property
    def answered(self) -> Bools:
        """True for the records with an answer."""
        return self.answers >= 0

    def of_references(self, values: Any) -> Any:
        """Values that the rows of references have, of shape (rows, …), for each record."""
        return values[self.references]

    def of_answers(self, values: Any, missing: Any = math.nan) -> Any:
        """Values that the rows of answers have, of shape (rows, …), for each record, of shape (n_records, …)."""
        column = np.full((self.answers.size, *values.shape[1:]), missing, values.dtype)
        column[self.answered] = values[self.answers[self.answered]]
        return column


@dataclass(frozen=True, kw_only=True)
class OfRows(GenericMeasure):
    """A measure of rows that name their records."""

    record_column: str = option("record", TEXT, "name of the column of records")
    cluster: str | None = option(None, or_none(TEXT), "column of the references that the bootstrap draws by")

    def _listed(
        self, truth: Table, records: Sequence[str] | None, wish: str, *, empty: bool
    ) -> tuple[dict[str, list[int]], Records]:
        """The rows of each record of the references, and the record list.

        Raises ReferenceDataError if a record of the list is not among them, or has no row (allowed with ``empty``);
        ``wish`` says what was expected.
        """
        places = truth.groups()
        names = check_records(listed_names(places, records), file=truth.file)
        require_all(names, {name for name, rows in places.items() if rows or empty}, wish, truth.file)
        cells = _cluster_column(truth, self.cluster)
        if cells is None:
            return places, clusters_beside(truth.file, names)
        clusters = tuple(next((cells[row] for row in places[name] if cells[row]), name) for name in names)
        return places, Records(names=names, clusters=clusters)


@dataclass(frozen=True, kw_only=True)
class OfTables(OfRows):
    """A measure of two tables with one row for each record, from files or from memory."""

    missing: str = option("worst", one_of("worst", EXCLUDE), "what a record without an answer counts")
    _missing_counts: ClassVar[str] = "given the worst value"
    """Words of the report about records without an answer."""

    def measured(self, given: Given) -> Measured:
        order = (*self._reference_columns, self.cluster or PATIENT)
        references = read_table(given.references, ReferenceDataError, order=order, record=self.record_column)
        answers = read_answers(given, order=self._answer_columns, record=self.record_column)
        given.require_answered()
        return self._of_rows(references, answers, given.records)

    def score_tables(self, references: Table, answers: Table) -> ScoreReport:
        """The report of tables in memory."""
        return self.report(self._of_rows(references, answers, None))

    def _of_rows(self, references: Table, answers: Table, records: Sequence[str] | None) -> Measured:
        missing = "left out" if self.missing == EXCLUDE else self._missing_counts
        return self.measured_of(pair(references, answers, records, cluster=self.cluster, missing=missing))

    @property
    @abstractmethod
    def _reference_columns(self) -> tuple[str, ...]:
        """The columns of references without a header, after the record and before its cluster."""

    @property
    @abstractmethod
    def _answer_columns(self) -> tuple[str, ...]:
        """The columns of answers without a header, after the record."""

    @abstractmethod
    def measured_of(self, of: Paired) -> Measured:
        """Prepare what can be resampled."""

    def _used(self, of: Paired) -> Bools:
        """True for the records that count."""
        return of.answered | (self.missing != EXCLUDE)


def table_of(what: str, columns: Mapping[str, Sequence[str] | Floats]) -> Table:
    """A table that is in memory, of text or numbers, of records 0, 1, and so on; ``what`` is its name in messages."""
    cells = {
        name: list(map(str, values.tolist() if isinstance(values, np.ndarray) else values))
        for name, values in columns.items()
    }
    rows = range(max(map(len, cells.values())))
    return Table(
        file=Path(what),
        error=ReferenceDataError if what == "references" else AnswerError,
        names=[str(row) for row in rows],
        columns=cells,
        places=[f"row {row}" for row in rows],
    )


def read_answers(given: Given, *, order: Sequence[str], record: str = "record") -> Table:
    """The table of answers without the records whose rows cannot be used; arguments as for `read_table`.

    Raises AnswerError if the file or folder does not exist, is empty, or has no usable row.
    """
    refused: dict[str, str] = {}
    table = read_table(given.answers, AnswerError, order=order, record=record, refused=refused)
    for name, reason in refused.items():
        given.refuse(name, AnswerError(reason, file=table.file, record=name[:80] or None))
    given.answered.update(table.names, table.listed, refused)
    if table.file.is_dir():
        given.require_answered("answers.csv or a <record>.csv")
    elif not table.names and not read_text(table.file, AnswerError).strip():
        reason = "expected a table, found an empty file: was the upload cut off?"
        given.refused.append(AnswerError(reason, file=table.file))
    given.require_usable()
    return table.without(given.unusable) if given.unusable else table


def read_table(
    path: Path,
    error: ErrorClass,
    *,
    order: Sequence[str],
    record: str = "record",
    refused: dict[str, str] | None = None,
) -> Table:
    """A table, in one of the forms of the module.

    Raises ``error`` if the file or folder does not exist, or has a row of another length, no record name, or another
    format.

    * ``order``: names of the columns after the record, for a file without a header.
    * ``refused``: takes the records of rows that cannot be read, and the reasons, in the place of an error.
    """
    reading = partial(_File, error=error, order=order, record=record, refused=refused)
    if not path.is_dir():
        return reading(path=path).read()

    def refuse(file: Path, reason: MetricError) -> None:
        if refused is None:
            raise reason
        if file.suffix in _SUFFIXES:
            refused[file.stem] = f"{file.name}: {reason.reason}"

    there = list_files(path, error, refuse=None if refused is None else refuse)
    files = [file for file in there if file.suffix in _SUFFIXES and file.name != CLUSTERS]
    if not files and (others := [file.name for file in there if file.suffix.lower() in _SPREADSHEETS]):
        raise error(f"expected a table in CSV or JSON, found {some(others)}: save it as CSV", file=path)
    # Windows hides the last suffix, so that one more is added
    whole = [file for file in files if _SUFFIXES_AT_END.sub("", file.name) in _STEMS.get(error, ())]
    if len(whole) > 1:
        raise error(f"expected one table, found {', '.join(file.name for file in whole)}", file=path)
    if whole:
        return reading(path=whole[0]).read()
    tables = []
    for file in files:
        try:
            tables.append(reading(path=file, file_record=file.stem).read())
        except MetricError as reason:
            refuse(file, reason)
    return _joined(tables, path, error)


def pair(
    references: Table, answers: Table, records: Sequence[str] | None, *, cluster: str | None, missing: str
) -> Paired:
    """Match the single rows of references and answers by record.

    Raises AnswerError if a record is answered twice. Raises ReferenceDataError if a record appears twice, one of
    the list has no reference, or there are no references at all.

    * ``records``: the organiser's list; every record of the references if not given.
    * ``cluster``: column of the references whose values the bootstrap draws; ``patient`` if there is one and none is
      given.
    * ``missing``: what the note says about records without an answer.
    """
    column = _cluster_column(references, cluster)
    reference_rows, answer_rows = references.rows_of(), answers.rows_of()
    names = check_records(listed_names(reference_rows, records), file=references.file)
    require_all(names, reference_rows, "a reference for every record of the list", references.file)
    rows = [reference_rows[name] for name in names]
    first_line = _first_line(references) if records is None else ()
    clusters = names if column is None else tuple(column[row] or name for row, name in zip(rows, names, strict=True))
    return Paired(
        truth=references,
        given=answers,
        records=Records(names=names, clusters=clusters),
        references=np.array(rows, np.int64),
        answers=np.array([answer_rows.get(name, -1) for name in names], np.int64),
        notes=(*first_line, *answer_notes(names, answer_rows, missing, answers.file, reference_rows)),
    )


def listed_names(rows: Mapping[str, object], records: Sequence[str] | None) -> Sequence[str]:
    """The names of the list as the references have them; those of all references without a list."""
    return tuple(rows) if records is None else as_known(check_records(records), rows.__contains__)


def _first_line(table: Table) -> tuple[Note, ...]:
    """A note on a first line of references that may be a header, as its class is that of no other record.

    Raises ReferenceDataError where it is a header for certain: its name alone has no digit.
    """
    first, *others = table.names or ("",)
    cells = next(iter(table.columns.values()), [])
    if not table.headless or len(others) < 2 or any(map(str.isdigit, first)) or not math.isnan(_number(cells[0])):
        return ()
    if cells[0] in cells[1:] or len(set(cells[1:])) == len(others):  # values that never repeat are no classes
        return ()
    line = f"{first[:80]},{cells[0][:80]}"
    if all(any(map(str.isdigit, name)) for name in others):
        wish = "expected a record, or a header that names the column of records (option record_column)"
        raise table.fail(f"line 1: {wish}, found {line!r}")
    question = "is scored as a record: is it a header?"
    return (Note(f"{first}: the first line of the references, {line!r}, {question}", first),)


def strange_classes(
    expected: Iterable[str], answered: Iterable[str], file: Path, what: str = "classes"
) -> tuple[Note, ...]:
    """A note on answered classes that no reference has, with what is probably wrong with them.

    Raises AnswerError if there are answers, and none has a class of the references.
    """
    classes, words = set(expected), set(answered)
    strange = sorted(words - classes)
    if not strange:
        return ()
    why = probably(classes, strange)
    if classes and len(strange) == len(words):
        reason = f"no answer has one of the {what} of the references, {some(sorted(classes))}{why}"
        raise AnswerError(f"{reason}; found {some([name[:80] for name in strange])}", file=file)
    return (Note(f"{len(strange)} answered {what} that no reference has{why}: {some(strange)}", ""),)


def repeated_rows(table: Table, columns: Iterable[str]) -> tuple[Note, ...]:
    """A note on rows of references that are equal in all of these columns."""
    rows = list(zip(table.names, *(table.column(name) for name in columns), strict=True))
    more = len(rows) - len(set(rows))
    return (Note(f"{more} rows of the references are there more than once"),) if more else ()


def require_all(names: Iterable[str], available: Container[str], wish: str, file: Path) -> None:
    """Raise `ReferenceDataError` for the first record of the list that is not among those that are known."""
    for name in names:
        if name not in available:
            raise ReferenceDataError(f"expected {wish}, found none", file=file, record=name)


def answer_notes(
    names: Sequence[str],
    given: Mapping[str, object],
    missing: str,
    file: Path | None = None,
    others: Iterable[str] = (),
) -> tuple[Note, ...]:
    """Notes on missing and surplus answers; only ``per_record`` says which records are missing.

    Raises AnswerError if there are answers, and none names a record of the list.
    """
    listed = set(names)
    absent = sum(name not in given for name in names)
    surplus = [name for name in given if name not in listed]
    notes = list(check_some_match(names, list(given), file, others))
    if absent:
        notes.append(Note(f"{absent} of {len(names)} records have no answer, {missing}"))
    if surplus:
        notes.append(Note(f"{len(surplus)} answers for records outside the list are ignored: {some(surplus)}", ""))
    return tuple(notes)


def clusters_beside(references: Path, names: tuple[str, ...]) -> Records:
    """The record list with the patients of `CLUSTERS` in the folder of references, if there is such a file.

    Raises ReferenceDataError if the file cannot be read, or lacks a record of the list.
    """
    file = references / CLUSTERS
    if not references.is_dir() or not file.is_file():
        return Records(names=names, clusters=names)
    table = read_table(file, ReferenceDataError, order=(PATIENT,))
    patients, rows = table.column(PATIENT), table.rows_of()
    require_all(names, rows, "a patient for every record of the list", file)
    return Records(names=names, clusters=tuple(patients[rows[name]] or name for name in names))


def _cluster_column(references: Table, cluster: str | None) -> list[str] | None:
    return references.columns.get(PATIENT) if cluster is None else references.column(cluster)


@dataclass(frozen=True, kw_only=True)
class _File:
    """One file of a table, and how it is read."""

    path: Path
    error: ErrorClass
    order: Sequence[str]
    record: str
    refused: dict[str, str] | None
    """Takes records whose rows cannot be read, and the reasons; None: such a row is an error."""
    file_record: str | None = None
    """The record of a file of its own."""

    def read(self) -> Table:
        """The table."""
        text = read_text(self.path, self.error, record=self.file_record)
        if not _JSON.search(self.path.name):
            return self._of_csv(text)
        return self._of_json(parse_json(text, self.error, file=self.path, record=self.file_record, unique=True))

    def _fail(self, reason: str) -> MetricError:
        return self.error(reason, file=self.path, record=self.file_record)

    def _refuse(self, name: str | None, reason: str) -> None:
        """Leave out a row, and so its record; raise the error where that is not allowed or the file is its own."""
        if self.refused is None or self.file_record is not None:
            raise self._fail(reason)
        self.refused.setdefault(name or "", reason)

    def _table(self, columns: dict[str, list[str]], places: Sequence[str], *, headless: bool = False) -> Table:
        """The table of columns, of which every row names its record."""
        names = columns.pop(self.record, [])
        if self.file_record is not None:
            names = [self.file_record] * len(places)
        for position, name in zip(places, names, strict=True):
            if not name:
                self._refuse("", f"{position}: expected the name of a record, found none")
        table = Table(
            file=self.path,
            error=self.error,
            names=names,
            columns=columns,
            places=places,
            listed=() if self.file_record is None else (self.file_record,),
            headless=headless,
        )
        return table if "" not in names else table.without({""})

    def _rows_of_csv(self, text: str) -> list[tuple[int, list[str]]]:
        """Line and cells of each row that is not blank."""
        lines = csv.reader(StringIO(text, newline=None), strict=True, skipinitialspace=True)
        rows: list[tuple[int, list[str]]] = []
        try:
            for cells in lines:
                rows.append((lines.line_num, [cell.strip() for cell in cells]))
        except csv.Error as reason:
            first = f"line {lines.line_num}: expected CSV, found {reason}"
            if self.refused is None or self.file_record is not None or lines.line_num == 1:
                raise self._fail(first) from None
            rows = []
            for number, line in enumerate(text.splitlines(), 1):  # a row is a line, so that a broken one costs no other
                try:
                    cells = next(csv.reader([line], strict=True, skipinitialspace=True), [])
                except csv.Error as broken:
                    name = line.partition(",")[0].strip(' "')
                    self.refused.setdefault(name, f"line {number}: expected CSV, found {broken}")
                    continue
                rows.append((number, [cell.strip() for cell in cells]))
        return [(number, cells) for number, cells in rows if any(cells)]

    def _of_csv(self, text: str) -> Table:
        top = text.lstrip().partition("\n")[0].strip()
        one_cell = self.file_record is not None and len(self.order) == 1 and self.order[0] not in re.split("[;\t]", top)
        in_order = [*([] if self.file_record is not None else [self.record]), *self.order]
        if (hint := separator_hint(top)) and not one_cell:
            raise self._fail(f"line 1: expected {','.join(in_order)}, found {top[:80]!r}{hint}")
        rows = self._rows_of_csv(text)
        first = rows[0][1] if rows else []
        named = in_order[0] in first
        if named:
            header = first
            if len(set(header)) < len(header):
                raise self._fail(f"expected every column once, found {', '.join(header)[:200]}")
        else:
            header, width = in_order, len(first)
            if self.refused is not None and rows:  # what most rows have: the first may be the one that is cut off
                width = Counter(len(cells) for _, cells in rows).most_common(1)[0][0]
            if first and width < (1 if self.file_record is not None else 2):
                shown = ",".join(first)[:80]
                raise self._fail(f"line {rows[0][0]}: expected {','.join(header)}, found {shown!r}")
            header = header[:width] if first else header
        whole: list[tuple[int, list[str]]] = []
        for line, cells in rows[named:]:
            if len(cells) == len(header):
                whole.append((line, cells))
                continue
            wish, shown = f"{len(header)} cells ({','.join(header)[:120]})", ",".join(cells)
            hint = _decimal_comma(shown) if len(cells) > len(header) else ""
            column = header.index(self.record) if self.record in header else 0
            name = cells[column] if column < len(cells) else None
            self._refuse(name, f"line {line}: expected {wish}, found {shown[:80]!r}{hint}")
        columns = {name: [cells[column] for _, cells in whole] for column, name in enumerate(header)}
        return self._table(columns, [f"line {line}" for line, _ in whole], headless=not named)

    def _row(self, value: object, name: str | None) -> list[dict[str, object]]:
        """The row of a value of JSON, with its record."""
        if isinstance(value, dict):
            return [value if name is None else {**value, self.record: name}]
        if name is not None and isinstance(value, str | int | float):
            return [{self.record: name, self.order[0]: value}]
        reason = f"expected an object with {', '.join(self.order)}, found {excerpt(value)}"
        if self.refused is None or name is None:
            raise self.error(reason, file=self.path, record=name)
        self._refuse(name, reason)
        return []

    def _of_json(self, content: object) -> Table:
        rows: list[dict[str, object]] = []
        if self.file_record is not None or isinstance(content, list):
            for each in content if isinstance(content, list) else [content]:
                rows += self._row(each, self.file_record)
        elif isinstance(content, dict):
            for name, value in content.items():
                if isinstance(value, list):
                    rows += [row for each in value for row in self._row(each, name)] or [{self.record: name}]
                else:
                    rows += self._row(value, name)
        else:
            raise self.error(f"expected a JSON list or object of records, found {excerpt(content)}", file=self.path)
        header = list(dict.fromkeys(key for row in rows for key in row))
        for row in rows:
            for key, value in row.items():
                if not isinstance(value, str | int | float | None):
                    name = None if key == self.record else _cell(row.get(self.record))
                    self._refuse(name, f"expected text or a number as {key[:80]}, found {excerpt(value)}")
                    row[key] = None
        if rows and self.record not in header:
            reason = f"expected {self.record!r} in every row, found {', '.join(header)[:120]}"
            raise self.error(reason, file=self.path)
        columns = {key: [_cell(row.get(key)) for row in rows] for key in header}
        return self._table(columns, [f"row {number}" for number in range(1, len(rows) + 1)])


def _decimal_comma(text: str) -> str:
    return "; write a point instead of a decimal comma" if _DECIMAL_COMMA.search(text) else ""


class _Flag(str):
    """A truth value of JSON: 1 or 0 as a class or a flag, but no number."""


def _shown(cell: str) -> str:
    return ("true" if cell == "1" else "false") if isinstance(cell, _Flag) else repr(cell[:80])


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return _Flag(int(value))
    return str(value).strip() if isinstance(value, str | int | float) else ""


def _joined(tables: Sequence[Table], path: Path, error: ErrorClass) -> Table:
    header = list(dict.fromkeys(name for table in tables for name in table.columns))
    return Table(
        file=path,
        error=error,
        names=[name for table in tables for name in table.names],
        columns={
            name: [cell for table in tables for cell in table.columns.get(name, [""] * len(table.names))]
            for name in header
        },
        places=[f"{table.file.name}, {position}" for table in tables for position in table.places],
        listed=tuple(name for table in tables for name in table.listed),
    )


def _numbers(cells: list[str], *, flags: bool) -> Floats:
    if not flags and any(isinstance(cell, _Flag) for cell in cells):
        cells = ["" if isinstance(cell, _Flag) else cell for cell in cells]
    try:
        plain_number("".join(cells))
        return np.array(cells, np.float64).reshape(len(cells))
    except ValueError:
        return np.array([_number(cell) for cell in cells])


def _number(cell: str) -> float:
    try:
        return float(plain_number(cell))
    except ValueError:
        return math.nan
