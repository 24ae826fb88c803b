"""In a guest: calls ``score(solution, submission, row_id_column_name, …)`` as Kaggle does."""

import importlib
import json
import math
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pandas as pd


class ParticipantVisibleError(Exception):
    """Shown to the participant."""


class HostVisibleError(Exception):
    """Shown to the host alone."""


def safe_call_score(metric: Callable[..., Any], solution: Any, submission: Any, **arguments: Any) -> Any:
    """Calls a function of scikit-learn: a ValueError of it is about the submission."""
    try:
        found = metric(solution, submission, **arguments)
    except ValueError as e:
        raise ParticipantVisibleError(f"the submission cannot be scored: {e}") from e
    return found


def main(home: Path, output: Path) -> None:
    """Check the submission, call the metric, write its number or why there is none."""
    asked = json.loads((home / "asked.json").read_text())
    row_id, part = asked["row_id"], asked["part"]
    helpers = types.ModuleType("kaggle_metric_utilities")
    for one in (ParticipantVisibleError, HostVisibleError, safe_call_score):
        setattr(helpers, one.__name__, one)
    sys.modules[helpers.__name__] = helpers
    sys.path.insert(0, str(home / "metric"))
    metric = importlib.import_module("metric")

    def refuse(text: str) -> NoReturn:
        (output / "scores.json").write_text(json.dumps({"refused": text}))
        sys.exit(0)

    solution = pd.read_csv(home / "solution.csv")
    if row_id not in solution:
        sys.exit(f"solution: expected a column {row_id!r}, found {', '.join(map(str, solution))}")
    try:
        submission = pd.read_csv(home / "submission.csv")
    except (ValueError, UnicodeDecodeError) as e:
        refuse(f"the submission is no CSV: {e}")
    if row_id not in submission:
        refuse(f"the submission has no column {row_id!r}; it has {', '.join(map(str, list(submission)[:20]))}")
    if submission[row_id].duplicated().any():
        refuse(f"the submission has a row twice: {submission[row_id][submission[row_id].duplicated()].iloc[0]}")
    missing = solution[row_id][~solution[row_id].isin(submission[row_id])]
    extra = submission[row_id][~submission[row_id].isin(solution[row_id])]
    if len(missing) or len(extra):
        refuse(
            f"the submission has {len(submission)} rows, {len(missing)} of the {len(solution)} expected ones are "
            f"missing and {len(extra)} are not expected"
        )
    submission = submission.set_index(row_id, drop=False).loc[solution[row_id]].reset_index(drop=True)
    if "Usage" in solution:
        if part:
            wanted = (solution["Usage"].astype(str).str.lower() == part.lower()).to_numpy()
            if not wanted.any():
                sys.exit(f"solution: no row has Usage {part!r}")
            solution, submission = solution[wanted], submission[wanted]
        solution = solution.drop(columns="Usage")
    elif part:
        sys.exit(f"solution: expected a column Usage for the part {part!r}")
    solution, submission = solution.reset_index(drop=True), submission.reset_index(drop=True)
    visible = (ParticipantVisibleError, getattr(metric, "ParticipantVisibleError", ParticipantVisibleError))
    try:
        found = metric.score(solution.copy(), submission.copy(), row_id, **asked["arguments"])
    except visible as e:
        refuse(str(e) or "the submission was refused without a reason")
    if found is None or isinstance(found, bool) or not math.isfinite(float(found)):
        sys.exit(f"score(): expected a finite number, found {found!r}")
    (output / "scores.json").write_text(json.dumps({asked["key"]: float(found)}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
