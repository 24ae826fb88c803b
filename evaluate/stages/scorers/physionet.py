"""Form ``physionet``: the evaluation program of a year, called as its README says.

The programs print three decimals.  Where the function that computes them returns the same numbers, those are taken
unrounded: two entries must not share a rank because of a format.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from evaluate.core.errors import ChallengeError
from evaluate.stages.scorers.base import (
    HOME,
    OUTPUT,
    Adapter,
    Asked,
    Content,
    Numbers,
    ScorerTask,
    Step,
    UnreadableScores,
    driver,
    read_json,
    read_text,
    replaced,
)

_SCORES, _RETURNED = "scores.csv", "returned.json"
_PLACES = {
    "program": f"{HOME}/program",
    "references": f"{HOME}/references",
    "answers": f"{HOME}/answers",
    "output": OUTPUT,
}
CALLS: Mapping[int, str] = {
    2020: f"evaluate_12ECG_score.py $references $answers $output/{_SCORES}",
    2021: f"evaluate_model.py $references $answers $output/{_SCORES}",
    2022: f"evaluate_model.py $references $answers $output/{_SCORES}",
    2023: f"evaluate_model.py $references $answers $output/{_SCORES}",
    2024: f"evaluate_model.py -d $references -o $answers -s $output/{_SCORES}",
    2025: f"evaluate_model.py -d $references -o $answers -s $output/{_SCORES}",
    2026: f"evaluate_model.py -d LABELS -o ANSWERS -p PREVALENCE -s $output/{_SCORES}",
}
"""Year -> how its program is called; files in the place of folders are written as words."""


def steps(task: ScorerTask) -> Sequence[Step]:
    """One call."""
    year = task.scorer.year
    words = replaced(task.scorer.command or CALLS[year], _PLACES)
    if not task.scorer.command and year == max(CALLS):
        tables = _tables(task)
        words = tuple(tables.get(word, word) for word in words)
    if not (task.folder / words[0]).is_file():
        raise ChallengeError(f"{task.folder}: expected {words[0]}, the program of {year}")
    files: dict[str, Content] = {
        **driver("physionet_driver.py"),
        _PLACES["program"]: task.folder,
        _PLACES["references"]: task.references,
        _PLACES["answers"]: task.answers,
    }
    argv = ("python3", f"{HOME}/physionet_driver.py", f"{OUTPUT}/{_RETURNED}", *words)
    return (Step(argv=argv, files=files, cwd=_PLACES["program"]),)


def _tables(task: ScorerTask) -> Mapping[str, str]:
    """Words of the call of 2026 -> its files: labels, predictions, prevalence (else the labels)."""
    labels, prevalence = "labels.csv", "prevalence.csv"
    if not (task.references / labels).is_file():
        raise ChallengeError(f"{task.references}: expected a folder with {labels}, and {prevalence} where it differs")
    found = sorted(path.relative_to(task.answers) for path in task.answers.rglob("*.csv"))
    ages = prevalence if (task.references / prevalence).is_file() else labels
    return {
        "LABELS": f"{_PLACES['references']}/{labels}",
        "ANSWERS": f"{_PLACES['answers']}/{found[0] if found else 'demographics.csv'}",
        "PREVALENCE": f"{_PLACES['references']}/{ages}",
    }


def read(output: Path, asked: Asked) -> Numbers:
    """The scores of the file, unrounded where the program returned them."""
    written = output / _SCORES
    printed = scores_of(read_text(written) if written.exists() else asked.stdout)
    if not printed:
        raise UnreadableScores(f"wrote no scores: expected lines NAME: NUMBER or tables in {_SCORES}")
    returned = output / _RETURNED
    kept = read_json(read_text(returned), _RETURNED) if returned.exists() else []
    return Numbers(values=unrounded(printed, kept), strict=False)


def scores_of(text: str) -> dict[str, str]:
    """The numbers of a file of scores as they are written: ``name: number``, and tables below ``# titles``.

    >>> scores_of("#Murmur scores\\nAUROC,Cost\\n0.5,1.000\\n\\nChallenge score: 0.167\\n")
    {'Murmur scores.AUROC': '0.5', 'Murmur scores.Cost': '1.000', 'Challenge score': '0.167'}
    """
    found: dict[str, str] = {}
    title = ""
    head: list[str] = []
    for line in text.splitlines():
        if not line.strip():
            title, head = "", []
        elif line.startswith("#"):
            title, head = f"{line.lstrip('# ').strip()}.", []
        elif "," not in line and ":" in line:
            name, _, value = line.rpartition(":")
            if _is_number(value):
                found[f"{title}{name.strip()}"] = value.strip()
        else:
            cells = [cell.strip() for cell in next(csv.reader([line]))]
            if head and len(cells) == len(head) and all(map(_is_number, cells)):
                found |= {f"{title}{name}": cell for name, cell in zip(head, cells, strict=True)}
            elif head and len(cells) == len(head) and all(map(_is_number, cells[1:])):
                found |= {f"{title}{cells[0]}.{n}": cell for n, cell in zip(head[1:], cells[1:], strict=True)}
            else:
                head = cells
    return found


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def unrounded(printed: Mapping[str, str], returned: Any) -> dict[str, float]:
    """What was printed, each replaced by the first number returned that is printed so and was not used before."""
    left = [float(one) for one in returned if isinstance(one, int | float)] if isinstance(returned, list) else []
    found = {}
    for name, text in printed.items():
        digits = len(text.partition(".")[2])
        exact = next((n for n, one in enumerate(left) if f"{one:.{digits}f}" == text or _both_nan(one, text)), None)
        found[name] = float(text) if exact is None else left.pop(exact)
    return found


def _both_nan(one: float, text: str) -> bool:
    return math.isnan(one) and math.isnan(float(text))


PHYSIONET = Adapter(steps=steps, read=read)
