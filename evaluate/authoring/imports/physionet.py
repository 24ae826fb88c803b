"""The evaluation program of a PhysioNet Challenge as a challenge.

The data of a year are not in its repository.  An organiser puts them beside the program: the references in a folder
``labels``, and the answers of an entry in ``outputs``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from evaluate.authoring.imports.base import REQUIREMENTS, SAMPLE, Draft, Source, modules_of
from evaluate.core.errors import ChallengeError
from metrics.readers.foreign import decoded, is_data

_PROGRAMS = {"evaluate_12ECG_score.py": (2020,), "evaluate_model.py": (2021, 2022, 2023, 2024, 2025, 2026)}
_PRIMARY: Mapping[int, str] = {
    2020: "Challenge metric",
    2021: "Challenge metric",
    2022: "Murmur scores.Weighted Accuracy",
    2023: "Challenge Score",
    2024: "SNR",
    2025: "Challenge score",
    2026: "Reward",
}
"""Year -> the number that ranks, as its program calls it; larger is better."""
_MARKS: Mapping[int, str] = {
    2021: r"load_weights|sinus_rhythm",
    2022: r"murmur",
    2023: r"hospital|cpc",
    2024: r"snr|digitization",
    2025: r"chagas|compute_challenge_score",
    2026: r"prevalence|reward",
}
"""Year -> words that only its program has."""
_NO_WHEELS, _OLD_NUMPY = 2022, "numpy>=1.23.2,<1.24"
"""The last year whose pinned packages have no wheels for the image's Python; the program of 2020 uses ``np.bool``."""
_OF_THE_TIME = {"numpy": "numpy<2.1", "pandas": "pandas<3"}
"""For a program whose repository names no versions."""
_ALSO: Mapping[int, tuple[str, ...]] = {2020: ("weights.csv",), 2021: ("weights.csv",)}
"""Year -> what its program reads from its own folder."""
_HELPER = "helper_code"
_DEEPEST, _SHOWN = 3, 3
_FILES: Mapping[int, tuple[str, str]] = {
    2020: ("{record}.hea", "{record}.csv"),
    2021: ("{record}.hea", "{record}.csv"),
    2022: ("{record}.txt", "{record}.csv"),
    2023: ("{record}/{record}.txt", "{record}/{record}.txt"),
    2024: ("{record}.hea", "{record}.hea"),
    2025: ("{record}.hea", "{record}.txt"),
}
"""Year -> the file with a record's label, and that of its answer; 2026 has one table of each."""


def _program(source: Source) -> tuple[Path, int]:
    """The program, and its year. Raises ChallengeError if there is none, or several."""
    names = " or ".join(_PROGRAMS)
    if not source.path.is_dir():
        raise ChallengeError(f"{source.name}: expected the folder of an evaluation program, in which {names} is")
    paths = [path for path in source.within(source.folder) if path.name in _PROGRAMS and path.is_file()]
    near = [path.relative_to(source.folder) for path in paths]
    near = [path for path in near if len(path.parts) <= _DEEPEST]
    if len(near) != 1:
        listed = ", ".join(map(str, near[:_SHOWN])) or "none"
        wish = f"expected one evaluation program, {names}, found {listed}"
        raise ChallengeError(f"{source.name}: {wish}: import the repository evaluation-YEAR of the year")
    path = source.folder / near[0]
    source.check(path)
    try:
        ast.parse(path.read_bytes())
    except (SyntaxError, ValueError, RecursionError, MemoryError) as e:
        line = e.lineno or 0 if isinstance(e, SyntaxError) else 0
        raise ChallengeError(f"{source.shown(path, line)}: expected Python 3: {getattr(e, 'msg', e)}") from e
    return path, _year(path, source)


def _year(path: Path, source: Source) -> int:
    """The year of a program, by its words. Raises ChallengeError if it has none of any year."""
    years = _PROGRAMS[path.name]
    if len(years) == 1:
        return years[0]
    text = path.read_text(errors="replace")
    counts = {year: len(re.findall(f"{_MARKS[year]}|{year} Challenge", text, re.IGNORECASE)) for year in years}
    year = max(reversed(years), key=lambda year: counts[year])
    if not counts[year]:
        wish = f"expected the evaluation program of a year from {years[0]} to {years[-1]}, found none's words"
        raise ChallengeError(f"{source.shown(path)}: {wish}")
    return year


def _lacking(path: Path, year: int, source: Source) -> Iterator[str]:
    """Mistakes in what the program reads or imports of its own folder, and in the packages that it names."""
    for name in _ALSO.get(year, ()):
        if not (path.parent / name).is_file():
            wish = f"expected {name} beside it, which the program of {year} reads; take it from its repository"
            yield f"{source.shown(path)}: {wish}"
    modules = modules_of([path])
    if _HELPER in modules and not (path.parent / f"{_HELPER}.py").is_file():
        line = int(modules[_HELPER].rpartition(":")[2])
        wish = f"imports {_HELPER}; expected {_HELPER}.py beside it, from the same repository"
        yield f"{source.shown(path, line)}: {wish}"
    pins = path.parent / REQUIREMENTS
    if pins.is_file():
        source.check(pins)
        try:
            decoded(pins.read_bytes())
        except UnicodeDecodeError:
            yield f"{source.shown(pins, 1)}: expected text in UTF-8 or UTF-16"
    labels, outputs = path.parent / "labels", path.parent / "outputs"
    if labels.is_dir() != outputs.is_dir():
        there, gone = (labels, outputs) if labels.is_dir() else (outputs, labels)
        wish = f"expected a folder {gone.name} beside it, found none: a year is scored with both"
        yield f"{source.shown(there)}: {wish}"
    elif labels.is_dir() and year in _FILES:
        label, answer = _FILES[year]
        records = _records(labels, year)
        if not records:
            wish = f"expected files {label.format(record='RECORD')}, as {year} has them, found none"
            yield f"{source.shown(labels)}: {wish}"
        gone_answers = [name for name in records if not (outputs / answer.format(record=name)).is_file()]
        if gone_answers:
            listed = ", ".join(answer.format(record=name) for name in gone_answers[:_SHOWN])
            wish = f"expected an answer for each record of labels; {len(gone_answers)} are missing, such as {listed}"
            yield f"{source.shown(outputs)}: {wish}"


def make(draft: Draft) -> None:
    """Write the challenge. Raises ChallengeError, naming all that is wrong in the files."""
    path, year = _program(draft.source)
    if problems := list(_lacking(path, year, draft.source)):
        raise ChallengeError("\n".join(problems))
    name = path.name
    draft.title = f"PhysioNet Challenge {year}, by its own program"
    draft.description = f"Scored by `{name}` of {year} as it is; the numbers are those that it prints."
    for file in sorted(path.parent.iterdir()):
        if (
            is_data(file.name)
            and file.suffix in (".py", ".csv", ".txt")
            and file.is_file()
            and "score" not in file.stem.lower().replace(path.stem.lower(), "")
        ):
            draft.copy(file, f"scorer/{file.name}")
    metric = {"scorer": "physionet", "program": "scorer", "year": year, "primary": _PRIMARY[year]}
    draft.keys |= {"kind": "answers", "metric": metric}
    draft.carry(f"{name}, the program of {year} ({name}:1); {_PRIMARY[year]} ranks, larger is better")
    _data(draft, path, year)
    _packages(draft, path, year)
    draft.leave("quotas: up to 5 unofficial and 10 official entries", f"{name}:1", "set phases in evaluate.yaml")


def _packages(draft: Draft, path: Path, year: int) -> None:
    pins = path.parent / REQUIREMENTS
    if year <= _NO_WHEELS:
        draft.require([draft.folder / "scorer"], versions={"numpy": _OLD_NUMPY})
        why = f"its packages have no wheels for Python 3.11: {_OLD_NUMPY} is the nearest that has"
        draft.leave("the versions of requirements.txt", f"{(pins if pins.is_file() else path).name}:1", why)
    elif not pins.is_file():
        draft.require([draft.folder / "scorer"], versions=_OF_THE_TIME)
    else:
        text = decoded(pins.read_bytes())
        if "wfdb" in text and "pandas" not in text:  # which wfdb needs, in no version that it names
            text = f"{text.rstrip()}\n{_OF_THE_TIME['pandas']}\n"
        draft.write(REQUIREMENTS, text)
        draft.keys["metric"]["requirements"] = REQUIREMENTS
        draft.carry("requirements.txt, with its versions")


def _records(labels: Path, year: int) -> list[str]:
    label, _ = _FILES[year]
    after = label.rpartition("{record}")[2]
    paths = sorted(labels.glob(f"{'*/' if '/' in label else ''}*{after}"))
    return [path.name.removesuffix(after) for path in paths if is_data(path.name)]


def _data(draft: Draft, program: Path, year: int) -> None:
    """References and the answers of an entry, if they are beside the program."""
    labels, outputs = program.parent / "labels", program.parent / "outputs"
    draft.keys["data"] = {
        "quiz": {"folder": "data/quiz"},
        "exam": {"folder": "data/exam", "references": "labels"},
    }
    if not labels.is_dir():
        draft.folder.joinpath("labels").mkdir()
        draft.one_record("Upload an archive of the files that the program reads; see README.md.")
        why = "they are not in its repository: put them beside it, in folders labels and outputs, and import it again"
        draft.leave("the data of the year", f"{program.name}:1", why)
        return
    draft.copy(labels, "labels")
    draft.copy(outputs, SAMPLE)
    draft.carry(f"labels and outputs beside the program: labels/ and {SAMPLE}/")
    if year not in _FILES:
        draft.one_record("Upload an archive with one file, demographics.csv; see README.md.")
        return
    records = _records(labels, year)
    for stage in ("quiz", "exam"):
        draft.write(f"data/{stage}/RECORDS", "".join(f"{record}\n" for record in records))
        for record in records:
            draft.write(f"data/{stage}/{record}.txt", f"record {record}: its data are the organiser's\n")
    answers = {"whole": True} if year == 2024 else {"files": [_FILES[year][1]]}
    draft.keys |= {"inputs": ["{record}.txt"], "answers": answers}
