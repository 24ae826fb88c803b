"""Form ``kaggle``: a module or notebook with ``score(solution, submission, row_id_column_name, …)``.

References are one CSV with the column of row numbers and, where the public and the private part differ, ``Usage``;
``data.quiz.part`` and ``data.exam.part`` say which part is scored.  A submission with other rows or columns is refused
before the call, in our own words; a ``ParticipantVisibleError`` is shown to the team, any other error is the
organiser's.  It needs pandas: name it in ``requirements``.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from evaluate.core.errors import ChallengeError
from evaluate.core.json_text import parsed
from evaluate.stages.scorers.base import (
    HOME,
    OUTPUT,
    Adapter,
    Asked,
    Content,
    Numbers,
    ScorerTask,
    Step,
    driver,
    mapping,
    read_json,
    read_text,
    single_file,
)
from evaluate.stages.scorers.command import SCORES, of_json

_SUFFIXES = (".py", ".ipynb")


def module_of(path: Path) -> bytes:
    """`code_of` a file of the challenge. Raises ChallengeError if it has none."""
    try:
        return code_of(path)
    except ValueError as e:
        raise ChallengeError(f"{path}: {e}") from e


def code_of(path: Path) -> bytes:
    """The code of a module, or of a notebook's cells without lines for IPython. Raises ValueError if it is neither."""
    if path.suffix not in _SUFFIXES:
        raise ValueError(f"expected a file {' or '.join(_SUFFIXES)}")
    if path.suffix == ".py":
        return path.read_bytes()
    try:
        cells = parsed(path.read_text(encoding="utf-8-sig"))["cells"]
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    except (ValueError, KeyError, TypeError) as e:
        raise ValueError(f"expected a notebook of Jupyter, found {type(e).__name__}: {e}") from e
    kept = [line for line in "\n\n".join(code).splitlines() if not line.lstrip().startswith(("%", "!"))]
    return ("\n".join(kept) + "\n").encode()


def steps(task: ScorerTask) -> Sequence[Step]:
    """One call, of our driver."""
    solution = task.references
    if solution.is_dir():
        found = sorted(solution.glob("*.csv"))
        if len(found) != 1:
            raise ChallengeError(f"{solution}: expected one CSV, the solution, found {len(found)}")
        solution = found[0]
    asked = {
        "row_id": task.scorer.row_id,
        "part": task.records.part,
        "arguments": dict(task.scorer.arguments),
        "key": task.scorer.primary,
    }
    files: dict[str, Content] = {
        **driver("kaggle_driver.py"),
        f"{HOME}/metric/metric.py": module_of(task.folder),
        f"{HOME}/solution.csv": solution,
        f"{HOME}/submission.csv": single_file(task, "the submission"),
        f"{HOME}/asked.json": json.dumps(asked).encode(),
    }
    argv = ("python3", f"{HOME}/kaggle_driver.py", HOME, OUTPUT)
    return (Step(argv=argv, files=files, cwd=f"{HOME}/metric"),)


def read(output: Path, asked: Asked) -> Numbers:
    """What the driver wrote."""
    return of_json(mapping(read_json(read_text(output / SCORES), SCORES), SCORES))


KAGGLE = Adapter(steps=steps, read=read)
