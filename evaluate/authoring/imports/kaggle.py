"""A Kaggle competition from its host's files: a metric (module or notebook), ``solution.csv``, a sample submission."""

from __future__ import annotations

import ast
import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from evaluate.authoring.imports.base import REQUIREMENTS, SAMPLE, Draft, modules_of
from evaluate.authoring.imports.source import Problems, Source
from evaluate.confine.ownership import temporary_folder
from evaluate.core.errors import ChallengeError
from evaluate.schema.document import shown
from evaluate.stages.scorers.kaggle import code_of

_PARTS = {"quiz": "Public", "exam": "Private"}
_USAGE, _IGNORED = "Usage", "ignored"
_CODE = (".py", ".ipynb")
_WISH = "score(solution, submission, row_id_column_name, …)"
_FIRST = ("solution", "submission", "row_id_column_name")
_OF_HOSTS = "the pages for participants do not have it: take it from the settings of the competition, as its host"
_MOST_CELL = 1 << 24
"""Characters of one cell: some submissions have masks in them."""
_SHOWN = 3

Function = ast.FunctionDef | ast.AsyncFunctionDef


def title_of(source: Source) -> str:
    """The name of the folder or archive."""
    return source.path.resolve().name if str(source.path) == source.name else Path(source.name).stem


def make(draft: Draft) -> None:
    """Write the challenge. Raises ChallengeError, naming all that is wrong in the files."""
    source = draft.source
    if not source.path.is_dir():
        raise ChallengeError(
            f"{source.name}: expected a folder or an archive with a metric, solution.csv and sample_submission.csv"
        )
    problems = Problems(source)
    found = _metric(source, problems)
    solution, sample = _table(source, "solution", problems), _table(source, "submission", problems)
    row_id = _row_id(solution, sample, problems) if solution and sample else ""
    parts = _parts(solution, problems) if solution else False
    problems.refuse()
    assert found is not None and solution is not None and sample is not None
    path, score = found
    draft.title = draft.name.replace("-", " ").capitalize()
    draft.description = (ast.get_docstring(score) or "").partition(">>>")[0].strip()
    draft.copy(path, f"metric/{path.name}")
    draft.copy(solution.path, f"solution/{solution.path.name}")
    draft.copy(sample.path, f"{SAMPLE}/{sample.path.name}")
    draft.one_record(tuple(_PARTS), f"Upload an archive with one CSV as {sample.path.name}; see README.md.")
    metric = {"scorer": "kaggle", "program": f"metric/{path.name}", "primary": "score", "row_id": row_id}
    draft.keys |= {"kind": "answers", "metric": metric}
    draft.keys["data"] = {
        stage: {"folder": f"data/{stage}", "references": "solution", **({"part": part} if parts else {})}
        for stage, part in _PARTS.items()
    }
    if not parts:
        del draft.keys["data"]["quiz"]["references"]
    draft.carry(f"metric ({path.name}:{score.lineno})")
    draft.carry(f"row ids in the column {row_id} ({sample.path.name}:1)")
    all_is_exam = f"{solution.path.name}: all is the exam"
    draft.carry("the public part is the quiz, the private one the exam" if parts else all_is_exam)
    where = f"{path.name}:{score.lineno}"
    draft.leave(
        "whether a larger or a smaller score is better",
        where,
        "it is in the settings of the competition, not in the metric: set metric.direction, here larger",
    )
    draft.leave("the board's quotas and dates", f"{path.name}:1", "they are in the settings of the competition")
    for name, has_default in _further(score):
        why = "its default counts: set metric.arguments otherwise"
        draft.leave(f"the value of {name}", where, why if has_default else f"set metric.arguments.{name}: no default")
    _packages(draft, path)
    packages = draft.folder / REQUIREMENTS
    listed = packages.read_text() if packages.is_file() else ""
    if "pandas" not in listed.split():
        draft.write(REQUIREMENTS, f"{listed}pandas\n")
        draft.keys["metric"]["requirements"] = REQUIREMENTS


def _packages(draft: Draft, path: Path) -> None:
    """Those that the metric imports; a notebook's have no line, since its cells are in no file of their own."""
    if path.suffix == ".py":
        draft.require([path])
        return
    with temporary_folder("metric-") as folder:
        code = folder / "code.py"
        code.write_bytes(code_of(path))
        draft.require([], dict.fromkeys(modules_of([code]), path.name))


def _metric(source: Source, problems: Problems) -> tuple[Path, Function] | None:
    """The file with the metric, and its function."""
    there = sorted(one for one in source.folder.iterdir() if one.suffix in _CODE and _is_named(one))
    found: list[tuple[Path, Function]] = []
    for path in there:
        if not problems.check(path):
            continue
        try:
            tree = ast.parse(code_of(path))
        except SyntaxError as e:
            problems.add(path, f"expected Python: {e.msg}", e.lineno or 0)
        except (ValueError, RecursionError, MemoryError) as e:
            problems.add(path, str(e) or "expected Python, found expressions that are nested too deep")
        else:
            named = [one for one in tree.body if isinstance(one, Function) and one.name == "score"]
            found += [(path, named[-1])] if named else []
    if len(found) > 1:
        names = ", ".join(path.name for path, _ in found)
        problems.add(source.path, f"expected one metric, found a function score in {names}: leave one of them")
    if not found:
        files = f", found {', '.join(path.name for path in there)} without one" if there else ", found no code"
        problems.add(
            source.path, f"expected a module or notebook with a function {_WISH} outside of classes{files}; {_OF_HOSTS}"
        )
        return None
    path, score = found[0]
    given = [one.arg for one in (*score.args.posonlyargs, *score.args.args)]
    if isinstance(score, ast.AsyncFunctionDef):
        problems.add(path, "score: expected a plain function, found async def", score.lineno)
    swapped = given[:2] == ["submission", "solution"]
    if swapped or (len(given) < len(_FIRST) and not score.args.vararg):
        has = ", ".join(given) or "none"
        problems.add(path, f"score: expected the arguments {', '.join(_FIRST)}, found {has}", score.lineno)
    return path, score


def _is_named(path: Path) -> bool:
    """Whether it is a file, or a link, which is looked at before it is read."""
    return path.is_symlink() or path.is_file()


def _further(score: Function) -> Iterator[tuple[str, bool]]:
    """The arguments after the first three, and whether they have defaults."""
    arguments = [*score.args.posonlyargs, *score.args.args]
    bare = len(arguments) - len(score.args.defaults)
    for n, one in enumerate(arguments[len(_FIRST) :], len(_FIRST)):
        yield one.arg, n >= bare
    for one, default in zip(score.args.kwonlyargs, score.args.kw_defaults, strict=True):
        yield one.arg, default is not None


@dataclass(frozen=True, kw_only=True)
class _Table:
    """A CSV, column by column; cells that are missing are empty."""

    path: Path
    columns: Mapping[str, list[str]]
    lines: list[int] = field(default_factory=list)
    """Of the rows."""


def _table(source: Source, word: str, problems: Problems) -> _Table | None:
    """The CSV with this word in its name."""
    files = [path for path in source.within(source.folder) if _is_named(path) and word in path.name.lower()]
    found = [path for path in files if path.parent == source.folder and path.suffix.lower() == ".csv"]
    if len(found) != 1:
        wish = f"expected one file *{word}*.csv"
        others = [path for path in files if path not in found and path.suffix.lower() in (".csv", ".zip", ".gz", ".7z")]
        if found:
            problems.add(source.path, f"{wish}, found {', '.join(path.name for path in found)}: leave one of them")
        elif others:
            problems.add(others[0], f"{wish} in {source.called} itself: unpack or move this one there")
        else:
            there = ", ".join(sorted(path.name for path in source.folder.glob("*.csv"))) or "no CSV"
            problems.add(source.path, f"{wish}, found {there}{f'; {_OF_HOSTS}' if word == 'solution' else ''}")
        return None
    return _rows(found[0], problems) if problems.check(found[0]) else None


def _rows(path: Path, problems: Problems) -> _Table | None:
    usual = csv.field_size_limit()
    try:
        with path.open(newline="", encoding="utf-8-sig") as f:
            reader = csv.reader(f)
            head = next(reader, [])
            twice = sorted({name for name in head if head.count(name) > 1})
            if not any(head) or twice:
                wish = "expected names of columns, each once"
                problems.add(path, f"{wish}, found {', '.join(twice) + ' twice' if twice else 'none'}", 1)
                return None
            if len(head) == 1 and any(mark in head[0] for mark in ";\t"):
                problems.add(path, f"expected commas between columns, found {shown(head[0])}", 1)
                return None
            csv.field_size_limit(_MOST_CELL)
            rows, lines = [], []
            for row in reader:
                if not any(row):
                    continue
                if len(row) != len(head):
                    problems.add(path, f"expected {len(head)} cells as in line 1, found {len(row)}", reader.line_num)
                    return None
                rows.append(row)
                lines.append(reader.line_num)
    except (UnicodeDecodeError, csv.Error) as e:
        problems.add(path, f"expected a CSV in UTF-8: {e}", 1)
        return None
    finally:
        csv.field_size_limit(usual)
    if not rows:
        problems.add(path, "expected rows below the names of columns, found none", 1)
        return None
    cells = zip(*rows, strict=True)
    return _Table(
        path=path, columns={name: list(cells_) for name, cells_ in zip(head, cells, strict=True)}, lines=lines
    )


def _row_id(solution: _Table, sample: _Table, problems: Problems) -> str:
    """The column of row numbers: the first of the sample that the solution has too."""
    name = next((name for name in sample.columns if name in solution.columns), "")
    if not name:
        has, wish = ", ".join(sample.columns), ", ".join(solution.columns)
        problems.add(sample.path, f"expected a column of {solution.path.name} ({wish}) with row ids, found {has}", 1)
        return ""
    for table in (solution, sample):
        seen: dict[str, int] = {}
        for value, line in zip(table.columns[name], table.lines, strict=True):
            if not value.strip():
                problems.add(table.path, f"{name}: expected a row id, found an empty cell", line)
                return name
            if value in seen:
                problems.add(
                    table.path, f"{name}: expected each row id once, found {shown(value)} of line {seen[value]}", line
                )
                return name
            seen[value] = line
    ours, theirs = set(solution.columns[name]), set(sample.columns[name])
    for table, lacking in ((sample, ours - theirs), (solution, theirs - ours)):
        if lacking:
            some = ", ".join(sorted(lacking)[:_SHOWN])
            other = solution if table is sample else sample
            text = f"expected the rows of {other.path.name}; {len(lacking)} are missing, such as {some}"
            problems.add(table.path, f"{name}: {text}")
    return name


def _parts(solution: _Table, problems: Problems) -> bool:
    """Whether it says which rows are public and which private."""
    if _USAGE not in solution.columns:
        near = next((name for name in solution.columns if name.strip().lower() == _USAGE.lower()), None)
        if near is not None:
            problems.add(solution.path, f"expected the column {_USAGE}, found {shown(near)}: rename it", 1)
        return False
    known = {*(part.lower() for part in _PARTS.values()), _IGNORED}
    for value, line in zip(solution.columns[_USAGE], solution.lines, strict=True):
        if value.lower() not in known:
            problems.add(solution.path, f"{_USAGE}: expected Public, Private or Ignored, found {shown(value)}", line)
            return False
    there = {value.lower() for value in solution.columns[_USAGE]}
    lacking = [part for part in _PARTS.values() if part.lower() not in there]
    if lacking:
        which = " and ".join(lacking)
        problems.add(
            solution.path,
            f"{_USAGE}: expected rows of both parts, found none that is {which}; or leave {_USAGE} out",
            1,
        )
    return True
