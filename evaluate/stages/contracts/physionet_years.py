"""The PhysioNet Challenges: a repository with ``team_code.py``, which programs of the organiser train and run.

The programs are ours (`vm_images/contracts/_challenge.py`), written to what the years prescribe; or the organiser's
own, which are in a folder of the challenge (`Challenge.programs`).  ``helper_code.py`` is the entry's.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from evaluate.config.challenge.contract import ContractName
from evaluate.config.challenge.types import RecordSet
from evaluate.core.errors import ChallengeError
from evaluate.core.files import data_folder
from evaluate.stages import scorers
from evaluate.stages.contracts.contract import Contract, Files, input_files, unlabelled
from evaluate.stages.scorers.adapter import (
    HOME,
    OUTPUT,
    PLACES,
    Adapter,
    Numbers,
    ScoreRequest,
    ScorerTask,
    Step,
    UnreadableScores,
    placed,
    read_json,
    read_text,
    replaced,
)
from metrics.readers.foreign import decoded, plain_number

_PROGRAM = data_folder("vm_images") / "contracts" / "_challenge.py"
_PYTHON = "/usr/bin/python3"
_HELPER = "helper_code.py"
_TEAM = ("team_code.py", _HELPER)
_FIRST_BY_OPTION = 2024
_TABLE = "demographics.csv"
_ANSWER_COLUMNS = ("Cognitive_Impairment", "Cognitive_Impairment_Probability")
_SECRET_COLUMNS = (
    *_ANSWER_COLUMNS,
    "Time_to_Event",
    "Last_Known_Visit_Date",
    "Time_to_Last_Visit",
)


def _files(year: int, program: str = "run_model.py") -> Files:
    """The organiser's programs of a year: that of all years, and those that call it."""
    calls = {"train_model.py": "train", program: "answer"}
    text = "from _challenge import {0}\n\nif __name__ == '__main__':\n    {0}({1})\n"
    return {_PROGRAM.name: _PROGRAM, **{name: text.format(call, year).encode() for name, call in calls.items()}}


def _year(
    year: int, *secret: str, run: str = "run_model.py", verbosity: Sequence[str] = (), **different: Any
) -> Contract:
    """A year: folders in their places with a ``verbosity`` after them, or from 2024 on by options.

    * ``secret``: beginnings of lines of headers and texts that quiz and exam do not show.
    * ``run``: the program that answers.
    * ``different``: other parts of the contract.
    """
    trains: Sequence[str] = ("{data}", "{model}", *verbosity)
    answers: Sequence[str] = ("{model}", "{data}", "{output}", *verbosity)
    by_option = year >= _FIRST_BY_OPTION
    if by_option:
        trains = ("-d", "{data}", "-m", "{model}", "-v")
        answers = ("-d", "{data}", "-m", "{model}", "-o", "{output}", "-v")
    contract = Contract(
        needs=_TEAM,
        files=_files(year, run),
        train=(_PYTHON, "train_model.py", *trains),
        run=(_PYTHON, run, *answers),
        waits=True,
        lenient=("-f",) if by_option else (),
        lay=partial(unlabelled, labels=secret),
    )
    return replace(contract, **different)


def _with_table(record_set: RecordSet, records: Sequence[str], secret: Sequence[str]) -> Files:
    """The records' files, and a table with their rows alone, without secret columns.

    Raises ChallengeError if the challenge's table lacks a record or a column.
    """
    path = record_set.folder / _TABLE
    try:
        rows = csv.DictReader(io.StringIO(decoded(path.read_bytes())))
        by_record = {f"{row['SiteID']}/{row['BidsFolder']}_ses-{row['SessionID']}": row for row in rows}
    except (OSError, KeyError, UnicodeDecodeError) as e:
        raise ChallengeError(f"{path}: expected a table with SiteID, BidsFolder and SessionID: {e}") from e
    if missing := [record for record in records if record not in by_record]:
        raise ChallengeError(f"{path}: no row of the record {missing[0]}")
    text = io.StringIO()
    columns = [name for name in rows.fieldnames or () if name not in secret]
    table = csv.DictWriter(text, columns, extrasaction="ignore", lineterminator="\n")
    table.writeheader()
    table.writerows(by_record[record] for record in records)
    return {**input_files(record_set, records), _TABLE: text.getvalue().encode()}


lay_2026 = partial(_with_table, secret=_SECRET_COLUMNS)
learn_2026 = partial(_with_table, secret=())


def taken_2026(gathered: Path, record: str, target: Path) -> str:
    """Give the one table of a start the name of its record."""
    table, answer = gathered / _TABLE, target / f"{record}.csv"
    if table.is_file():
        answer.parent.mkdir(parents=True, exist_ok=True)
        table.rename(answer)
    return ""


def merge_2026(record_set: RecordSet, answers: Path, merged: Path) -> None:
    """One table of the rows that records left, in the order of the records.

    All sessions of a patient get the answer of the last one, as in the table that the year's program writes.
    """
    head, rows = b"", dict[str, bytes]()
    for record in record_set.records:
        path = answers / f"{record}.csv"
        if path.is_file():
            first, _, rest = path.read_bytes().partition(b"\n")
            row = rest.partition(b"\n")[0]
            head = head or first
            if first == head and _is_of(record, first, row):
                rows[record] = row
    for sessions in sessions_of_one_patient(rows):
        last = _cells(head, rows[sessions[-1]])
        for record in sessions[:-1]:
            answer = {name: cell for name, cell in last.items() if name in _ANSWER_COLUMNS}
            rows[record] = _line(_cells(head, rows[record]) | answer)
    (merged / _TABLE).write_bytes(b"".join(line + b"\n" for line in (head, *rows.values()) if line))


def sessions_of_one_patient(records: Iterable[str]) -> list[list[str]]:
    """The records of 2026 that share a BidsFolder with others: the year's program tells them apart by that alone."""
    patients: dict[str, list[str]] = {}
    for record in records:
        patients.setdefault(_folder_of(record), []).append(record)
    return [sessions for sessions in patients.values() if len(sessions) > 1]


def _folder_of(record: str) -> str:
    return record.partition("/")[2].rpartition("_ses-")[0]


def _cells(head: bytes, row: bytes) -> dict[str, str]:
    names, cells = (next(csv.reader([line.decode(errors="replace")]), []) for line in (head, row))
    return dict(zip(names, cells, strict=False))


def _line(cells: Mapping[str, str]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(cells.values())
    return text.getvalue().encode()


def _is_of(record: str, head: bytes, row: bytes) -> bool:
    """True if a row is that of its own record: another's may have failed, and be answered by no other start.

    By the folder alone, as the year joins them; programs may write the other numbers in another way.
    """
    try:
        return _cells(head, row)["BidsFolder"] == _folder_of(record)
    except (csv.Error, KeyError):
        return False


def with_programs(contract: Contract, programs: Path) -> Contract:
    """The contract of a year, whose programs are replaced by those in a folder of the organiser's."""
    replacing = {path.name: path for path in sorted(programs.glob("*.py"))}
    needs = tuple(name for name in contract.needs if name not in replacing)
    waits = contract.waits and contract.run[1] not in replacing  # theirs know of no server
    return replace(contract, files={**contract.files, **replacing}, needs=needs, waits=waits)


_OF_2022 = ("Murmur", "Outcome", "Most audible location", "Systolic murmur", "Diastolic murmur")
YEARS: Mapping[ContractName, Contract] = {
    ContractName.PHYSIONET_2020: _year(
        2020, "Dx", run="driver.py", needs=("run_12ECG_classifier.py", "train_12ECG_classifier.py")
    ),
    # what is loaded in 2021 depends on the leads of the records
    ContractName.PHYSIONET_2021: _year(2021, "Dx", run="test_model.py", waits=False),
    ContractName.PHYSIONET_2022: _year(2022, *_OF_2022, verbosity=("1",)),
    ContractName.PHYSIONET_2023: _year(2023, "Outcome", "CPC", verbosity=("1",)),
    ContractName.PHYSIONET_2024: _year(2024, "Labels", beside=("{record}.dat",)),
    ContractName.PHYSIONET_2025: _year(2025, "Chagas label", "Chagas probability"),
    ContractName.PHYSIONET_2026: _year(2026, lay=lay_2026, learn=learn_2026, taken=taken_2026, merge=merge_2026),
}


# Form `physionet`: the evaluation program of a year, called as its README says.
#
# The programs print three decimals.  Where the function that computes them returns the same numbers, those are taken
# unrounded: two entries must not share a rank because of a format.


_SCORES, _RETURNED = "scores.csv", "returned.json"
_DRIVER = Path(scorers.__file__).with_name("physionet_driver.py")
"""Our own program that runs in a guest: it keeps what the function of the year's program returned."""
CALLS: Mapping[int, str] = {
    2020: f"evaluate_12ECG_score.py $references $answers $output/{_SCORES}",
    **dict.fromkeys((2021, 2022, 2023), f"evaluate_model.py $references $answers $output/{_SCORES}"),
    **dict.fromkeys((2024, 2025), f"evaluate_model.py -d $references -o $answers -s $output/{_SCORES}"),
    2026: f"evaluate_model.py -d LABELS -o ANSWERS -p PREVALENCE -s $output/{_SCORES}",
}
"""Year -> how its program is called; files in the place of folders are written as words."""


def scoring_steps(task: ScorerTask) -> Sequence[Step]:
    """One call."""
    year = task.scorer.year
    words = replaced(task.scorer.command or CALLS[year], PLACES)
    if not task.scorer.command and year == max(CALLS):
        tables = _tables(task)
        words = tuple(tables.get(word, word) for word in words)
    if not (task.folder / words[0]).is_file():
        raise ChallengeError(f"{task.folder}: expected {words[0]}, the program of {year}")
    files = {f"{HOME}/{_DRIVER.name}": _DRIVER, **placed(task)}
    argv = ("python3", f"{HOME}/{_DRIVER.name}", f"{OUTPUT}/{_RETURNED}", *words)
    return (Step(argv=argv, files=files, cwd=PLACES["program"]),)


def _tables(task: ScorerTask) -> Mapping[str, str]:
    """Words of the call of 2026 -> its files: labels, predictions, prevalence (else the labels)."""
    labels, prevalence = "labels.csv", "prevalence.csv"
    if not (task.references / labels).is_file():
        raise ChallengeError(f"{task.references}: expected a folder with {labels}, and {prevalence} where it differs")
    tables = sorted(path.relative_to(task.answers) for path in task.answers.rglob("*.csv"))
    ages = prevalence if (task.references / prevalence).is_file() else labels
    return {
        "LABELS": f"{PLACES['references']}/{labels}",
        "ANSWERS": f"{PLACES['answers']}/{tables[0] if tables else 'demographics.csv'}",
        "PREVALENCE": f"{PLACES['references']}/{ages}",
    }


def read_numbers(output: Path, request: ScoreRequest) -> Numbers:
    """The scores of the file, unrounded where the program returned them."""
    written = output / _SCORES
    printed = scores_of(read_text(written) if written.exists() else request.stdout)
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
    scores: dict[str, str] = {}
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
                scores[f"{title}{name.strip()}"] = value.strip()
        else:
            cells = [cell.strip() for cell in next(csv.reader([line]))]
            if head and len(cells) == len(head) and all(map(_is_number, cells)):
                scores |= {f"{title}{name}": cell for name, cell in zip(head, cells, strict=True)}
            elif head and len(cells) == len(head) and all(map(_is_number, cells[1:])):
                scores |= {f"{title}{cells[0]}.{n}": cell for n, cell in zip(head[1:], cells[1:], strict=True)}
            else:
                head = cells
    return scores


def _is_number(text: str) -> bool:
    try:
        float(plain_number(text))
    except ValueError:
        return False
    return True


def unrounded(printed: Mapping[str, str], returned: Any) -> dict[str, float]:
    """Replace each printed number by the first number returned that is printed so and was not used before."""
    left = (
        [float(number) for number in returned if isinstance(number, int | float)] if isinstance(returned, list) else []
    )
    numbers = {}
    for name, text in printed.items():
        digits = len(text.partition(".")[2])
        exact = next((n for n, number in enumerate(left) if f"{number:.{digits}f}" == text), None)
        numbers[name] = float(text) if exact is None else left.pop(exact)
    return numbers


PHYSIONET = Adapter(steps=scoring_steps, read=read_numbers)
