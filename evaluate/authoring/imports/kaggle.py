"""A Kaggle competition from its host's files: a metric (module or notebook), ``solution.csv``, a sample submission."""

from __future__ import annotations

import ast
import csv
from pathlib import Path

from evaluate.authoring.imports.base import SAMPLE, Draft
from evaluate.core.errors import ChallengeError
from evaluate.stages.scorers.kaggle import module_of

_PARTS = {"quiz": "Public", "exam": "Private"}


def title_of(root: Path) -> str:
    """The name of the folder."""
    return root.resolve().name


def _metric(root: Path) -> tuple[Path, ast.FunctionDef]:
    for path in sorted(one for one in root.iterdir() if one.suffix in (".py", ".ipynb")):
        try:
            tree = ast.parse(module_of(path))
        except (SyntaxError, ValueError, RecursionError, MemoryError, ChallengeError):
            continue
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and node.name == "score":
                return path, node
    raise ChallengeError(f"{root}: expected a module or notebook with a function score(solution, submission, …)")


def _table(root: Path, word: str) -> Path:
    found = sorted(path for path in root.glob("*.csv") if word in path.name.lower())
    if len(found) != 1:
        there = ", ".join(path.name for path in sorted(root.glob("*.csv"))) or "no CSV"
        raise ChallengeError(f"{root}: expected one file *{word}*.csv, found {there}")
    return found[0]


def _head(path: Path) -> list[str]:
    try:
        with path.open(newline="", encoding="utf-8-sig") as f:
            return next(csv.reader(f), [])
    except (UnicodeDecodeError, csv.Error) as e:
        raise ChallengeError(f"{path.name}:1: expected a CSV in UTF-8: {e}") from e


def make(draft: Draft, source: Path) -> None:
    """Write the challenge."""
    if not source.is_dir():
        raise ChallengeError(f"{source}: expected a folder with a metric, solution.csv and sample_submission.csv")
    path, score = _metric(source)
    solution, sample = _table(source, "solution"), _table(source, "submission")
    columns = _head(solution)
    row_id = next((name for name in _head(sample) if name in columns), "")
    if not row_id:
        raise ChallengeError(f"{sample.name}:1: expected a column of {solution.name} ({', '.join(columns)})")
    draft.title = draft.name.replace("-", " ").capitalize()
    draft.description = (ast.get_docstring(score) or "").partition(">>>")[0].strip()
    draft.copy(path, f"metric/{path.name}")
    draft.copy(solution, f"solution/{solution.name}")
    draft.copy(sample, f"{SAMPLE}/{sample.name}")
    draft.one_record(tuple(_PARTS), f"Upload an archive with one CSV as {sample.name}; see README.md.")
    metric = {"scorer": "kaggle", "program": f"metric/{path.name}", "primary": "score", "row_id": row_id}
    draft.keys |= {"kind": "answers", "metric": metric}
    parts = "Usage" in columns
    draft.keys["data"] = {
        stage: {"folder": f"data/{stage}", "references": "solution", **({"part": part} if parts else {})}
        for stage, part in _PARTS.items()
    }
    if not parts:
        del draft.keys["data"]["quiz"]["references"]
    draft.carry(f"metric ({path.name}:{score.lineno})")
    draft.carry(f"row ids in the column {row_id} ({sample.name}:1)")
    draft.carry(
        "the public part is the quiz, the private one the exam" if parts else f"{solution.name}: all is the exam"
    )
    draft.leave(
        "whether a larger or a smaller score is better",
        f"{path.name}:{score.lineno}",
        "it is in the settings of the competition, not in the metric: set metric.direction, here larger",
    )
    draft.leave("the board's quotas and dates", f"{path.name}:1", "they are in the settings of the competition")
    names = [one.arg for one in (*score.args.args, *score.args.kwonlyargs)][3:]
    for name in names:
        draft.leave(
            f"the value of {name}", f"{path.name}:{score.lineno}", "its default counts: set metric.arguments otherwise"
        )
    module = draft.folder / "metric" / "code.py"
    module.write_bytes(module_of(path))
    draft.require([module])
    module.unlink()
    packages = draft.folder / "requirements.txt"
    listed = packages.read_text() if packages.is_file() else ""
    if "pandas" not in listed.split():
        draft.write("requirements.txt", f"{listed}pandas\n")
        draft.keys["metric"]["requirements"] = "requirements.txt"
