"""The evaluation program of a PhysioNet Challenge as a challenge: its repository, and small data of our own making.

The data of a year are not in its repository: references and answers that stand in for them let everything be tried, and
are replaced by the organiser's.  An organiser who has them beside the program names them ``labels`` and ``outputs``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from pathlib import Path

from evaluate.authoring.imports.base import REQUIREMENTS, SAMPLE, Draft, Problems, Source, modules_of
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
_SAYS: Mapping[int, str] = {
    2020: "Dx",
    2021: "Dx",
    2022: "Murmur",
    2023: "Outcome",
    2024: "Labels",
    2025: "Chagas label",
}
"""Year -> the word before the label in the file of a record."""
_OF_TEAMS = ("team_code.py", "run_12ECG_classifier.py")
_HELPER = "helper_code"
_DEEPEST, _SHOWN = 3, 3
_RECORDS = ("r1", "r2", "r3", "r4")
_TWENTIETHS = 2
"""Number of positive records for 2025, whose score counts the positive ones among the first twentieth."""
_FILES: Mapping[int, tuple[str, str]] = {
    2020: ("{record}.hea", "{record}.csv"),
    2021: ("{record}.hea", "{record}.csv"),
    2022: ("{record}.txt", "{record}.csv"),
    2023: ("{record}/{record}.txt", "{record}/{record}.txt"),
    2024: ("{record}.hea", "{record}.hea"),
    2025: ("{record}.hea", "{record}.txt"),
}
"""Year -> the file with a record's label, and that of its answer."""


def title_of(source: Source) -> str:
    """With the year."""
    problems = Problems(source)
    program = _program(source, problems)
    problems.refuse()
    return f"physionet-{program[1] if program else 0}"


def _program(source: Source, problems: Problems) -> tuple[Path, int] | None:
    """The program, and its year."""
    names = " or ".join(_PROGRAMS)
    if not source.path.is_dir():
        problems.add(source.path, f"expected the folder of an evaluation program, in which {names} is")
        return None
    paths = [path for path in source.within(source.folder) if len(path.relative_to(source.folder).parts) <= _DEEPEST]
    programs = [path for path in paths if path.name in _PROGRAMS and path.is_file()]
    if len(programs) > 1:
        listed = ", ".join(str(path.relative_to(source.folder)) for path in programs[:_SHOWN])
        problems.add(source.path, f"expected one evaluation program, found {listed}: import the folder of one of them")
        return None
    if not programs:
        other = next((path for path in paths if path.stem in [Path(name).stem for name in _PROGRAMS]), None)
        team = next((path for path in paths if path.name in _OF_TEAMS), None)
        if other is not None:
            problems.add(other, f"expected {names}, found the program in another language: take the one in Python")
        elif team is not None:
            problems.add(
                team, f"expected {names}, found the code of a team: import the repository evaluation-YEAR of the year"
            )
        else:
            problems.add(source.path, f"expected {names}, found neither")
        return None
    year = _year(programs[0], problems) if _is_read(programs[0], problems) else 0
    return (programs[0], year) if year else None


def _is_read(path: Path, problems: Problems) -> bool:
    """True if it is a program in Python."""
    if not problems.check(path):
        return False
    try:
        ast.parse(path.read_bytes())
    except SyntaxError as e:
        problems.add(path, f"expected Python 3: {e.msg}", e.lineno or 0)
        return False
    except (ValueError, RecursionError, MemoryError) as e:
        problems.add(path, f"expected Python 3: {e}")
        return False
    return True


def _year(path: Path, problems: Problems) -> int:
    """The year of a program, by its comments and README, else by its words; 0 if that is not clear."""
    years = _PROGRAMS[path.name]
    if len(years) == 1:
        return years[0]
    text = path.read_text(errors="replace")
    counts = {year: len(re.findall(mark, text, re.IGNORECASE)) for year, mark in _MARKS.items()}
    for file in (path, *sorted(path.parent.glob("README*"))):
        if not file.is_file() or not problems.check(file):
            continue
        words = file.read_text(errors="replace")
        year_lines = [
            (year, n) for n, line in enumerate(words.splitlines(), 1) for year in _named(line) if year in years
        ]
        if not year_lines:
            continue
        named = [year for year, _ in year_lines]
        year = max(set(named), key=named.count)
        others = [other for other in counts if counts[other] and other != year]
        if counts[year] or not others:
            return year
        line = next(n for one_, n in year_lines if one_ == year)
        problems.add(
            file,
            f"says {year}, but {path.name} has the words of {others[-1]} and none of {year}: put the program of the "
            "year there, or mend what it says",
            line,
        )
        return 0
    if not any(counts.values()):
        problems.add(
            path, f"expected the evaluation program of a year from {years[0]} to {years[-1]}, found none's words"
        )
        return 0
    return max(reversed(counts), key=lambda year: counts[year])


def _named(line: str) -> list[int]:
    """The years that a line names as that of a challenge."""
    matches = re.findall(r"\b(20\d\d)\b(?=[^\n]{0,40}Challenge)|Challenge[^\n]{0,20}\b(20\d\d)\b", line)
    return [int(year) for both in matches for year in both if year]


def _files_beside(path: Path, year: int, problems: Problems) -> None:
    """Check what the program reads or imports of its own folder, and the packages that it names."""
    for name in _ALSO.get(year, ()):
        if not (path.parent / name).is_file():
            problems.add(
                path, f"expected {name} beside it, which the program of {year} reads; take it from its repository"
            )
    modules = modules_of([path])
    if _HELPER in modules and not (path.parent / f"{_HELPER}.py").is_file():
        line = int(modules[_HELPER].rpartition(":")[2])
        problems.add(path, f"imports {_HELPER}; expected {_HELPER}.py beside it, from the same repository", line)
    pins = path.parent / REQUIREMENTS
    if pins.is_file() and problems.check(pins):
        try:
            decoded(pins.read_bytes())
        except UnicodeDecodeError:
            problems.add(pins, "expected text in UTF-8 or UTF-16", 1)


def make(draft: Draft) -> None:
    """Write the challenge. Raises ChallengeError, naming all that is wrong in the files."""
    problems = Problems(draft.source)
    program = _program(draft.source, problems)
    problems.refuse()
    assert program is not None
    path, year = program
    name = path.name
    _files_beside(path, year, problems)
    data = _own_data(path.parent, year, problems)
    problems.refuse()
    primary = _PRIMARY[year]
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
    draft.keys |= {
        "kind": "answers",
        "metric": {
            "scorer": "physionet",
            "program": "scorer",
            "year": year,
            "primary": primary,
        },
    }
    draft.carry(f"{name}, the program of {year} ({name}:1); {primary} ranks, larger is better")
    _data(draft, year, data)
    pins = next((file for file in (path.parent / REQUIREMENTS,) if file.is_file()), None)
    if pins is not None and year > _NO_WHEELS:
        draft.write(REQUIREMENTS, decoded(pins.read_bytes()))
        draft.keys["metric"]["requirements"] = REQUIREMENTS
        draft.carry("requirements.txt, with its versions")
        text = (draft.folder / REQUIREMENTS).read_text()
        if "wfdb" in text and "pandas" not in text:  # which wfdb needs, in no version that it names
            draft.write(REQUIREMENTS, f"{text.rstrip()}\n{_OF_THE_TIME['pandas']}\n")
    draft.require([draft.folder / "scorer"])
    if year <= _NO_WHEELS:
        listed = (draft.folder / REQUIREMENTS).read_text().split() if "requirements" in draft.keys["metric"] else []
        lines = [_OLD_NUMPY, *(name for name in listed if name != "numpy")]
        draft.write(REQUIREMENTS, "".join(f"{line}\n" for line in lines))
        draft.keys["metric"]["requirements"] = REQUIREMENTS
        why = f"its packages have no wheels for Python 3.11: {_OLD_NUMPY} is the nearest that has"
        draft.leave("the versions of requirements.txt", f"{(pins or path).name}:1", why)
    elif pins is None and "requirements" in draft.keys["metric"]:
        listed = (draft.folder / REQUIREMENTS).read_text().split()
        draft.write(REQUIREMENTS, "".join(f"{_OF_THE_TIME.get(name, name)}\n" for name in listed))
        draft.carry(f"packages as old as the program: {', '.join(_OF_THE_TIME.values())}")
    if data is None:
        why = "they are not in its repository: replace labels/ and sample_entry/"
        draft.leave("the data of the year", f"{name}:1", why)
    else:
        draft.carry(f"{data[0].name} and {data[1].name} beside the program: labels/ and {SAMPLE}/")
    draft.leave("quotas: up to 5 unofficial and 10 official entries", f"{name}:1", "set phases in evaluate.yaml")


def _own_data(beside: Path, year: int, problems: Problems) -> tuple[Path, Path] | None:
    """The organiser's references and answers of a sample, if they are beside the program."""
    labels, outputs = beside / "labels", beside / "outputs"
    folders = [folder for folder in (labels, outputs) if folder.is_dir()]
    if not folders:
        for folder in (labels, outputs):
            if (packed := folder.with_name(f"{folder.name}.zip")).is_file():
                problems.add(packed, f"expected a folder {folder.name}: unpack it there")
        return None
    lacking = [folder.name for folder in (labels, outputs) if folder not in folders]
    if lacking:
        problems.add(
            folders[0],
            f"expected a folder {lacking[0]} beside it, found none: {year} is scored with both, or with neither",
        )
        return None
    if not all([problems.check(labels), problems.check(outputs)]):
        return None
    if year == max(_PRIMARY):
        if not (labels / "labels.csv").is_file():
            problems.add(labels, "expected labels.csv in it, found none")
        if len(list(outputs.rglob("*.csv"))) != 1:
            problems.add(outputs, f"expected one CSV, found {len(list(outputs.rglob('*.csv')))}")
        return labels, outputs
    records = _records(labels, year)
    label, answer = _FILES[year]
    if not records:
        problems.add(labels, f"expected files {label.format(record='RECORD')}, as {year} has them, found none")
    label_line = re.compile(rf"^#?\s*{_SAYS[year]}\s*:\s*\S", re.MULTILINE)
    files = {record: labels / label.format(record=record) for record in records}
    unsaid = [
        record
        for record, file in files.items()
        if not file.is_file() or not label_line.search(file.read_text(errors="replace"))
    ]
    for record in unsaid[:_SHOWN]:
        problems.add(
            labels / label.format(record=record), f"expected a line `{_SAYS[year]}: …`, found none: it is no label"
        )
    if len(unsaid) > _SHOWN:
        problems.add(labels, f"{len(unsaid) - _SHOWN} more files have no label")
    gone = [record for record in records if not (outputs / answer.format(record=record)).is_file()]
    if gone:
        listed = ", ".join(answer.format(record=record) for record in gone[:_SHOWN])
        problems.add(
            outputs, f"expected an answer for each record of labels; {len(gone)} are missing, such as {listed}"
        )
    return labels, outputs


def _records(labels: Path, year: int) -> list[str]:
    label, _ = _FILES[year]
    after = label.rpartition("{record}")[2]
    paths = sorted(labels.glob(f"{'*/' if '/' in label else ''}*{after}"))
    return [path.name.removesuffix(after) for path in paths if is_data(path.name)]


def _data(draft: Draft, year: int, given: tuple[Path, Path] | None) -> None:
    if given is not None:
        draft.copy(given[0], "labels")
        draft.copy(given[1], SAMPLE)
    if year == max(_PRIMARY):
        _table_of_2026(draft, given=given is not None)
        return
    if given is None:
        for n, record in enumerate(_RECORDS if year != 2025 else [f"r{n:02}" for n in range(20 * _TWENTIETHS)]):
            for name, text in _labels(year, n, record).items():
                draft.write(f"labels/{name}", text)
            for name, text in _answers(year, n, record).items():
                draft.write(f"{SAMPLE}/{name}", text)
    records = _records(draft.folder / "labels", year)
    for stage in ("quiz", "exam"):
        draft.write(f"data/{stage}/RECORDS", "".join(f"{record}\n" for record in records))
        for record in records:
            draft.write(f"data/{stage}/{record}.txt", f"record {record}: its data are the organiser's\n")
    draft.keys |= {
        "inputs": ["{record}.txt"],
        "answers": {"files": [_FILES[year][1]]},
        "data": {
            "quiz": {"folder": "data/quiz"},
            "exam": {"folder": "data/exam", "references": "labels"},
        },
    }
    if year == 2024:
        draft.keys["answers"] = {"whole": True}


_CODES = ("426783006", "164889003", "270492004", "426783006")


def _labels(year: int, n: int, record: str) -> dict[str, str]:
    """The files of one reference."""
    if year in (2020, 2021):
        return {f"{record}.hea": f"{record} 12 500 5000\n#Age: 5{n}\n#Sex: Female\n#Dx: {_CODES[n]}\n"}
    if year == 2022:
        murmur, outcome = ("Present", "Unknown", "Absent", "Absent")[n], ("Abnormal", "Normal")[n % 2]
        files = f"AV {record}.hea {record}.wav {record}.tsv"
        return {f"{record}.txt": f"{record} 1 4000\n{files}\n#Murmur: {murmur}\n#Outcome: {outcome}\n"}
    if year == 2023:
        good = n % 2
        about = "Hospital: A\nAge: 60\nSex: Male\nROSC: 10\nOHCA: True\nShockable Rhythm: True\nTTM: 33\n"
        text = f"Patient: {record}\n{about}Outcome: {'Good' if good else 'Poor'}\nCPC: {1 if good else 5}\n"
        return {f"{record}/{record}.txt": text}
    if year == 2024:
        return _signal(record, "NORM" if n % 2 else "MI", "AQaqUAeqEQ")
    label_line = f"# Chagas label: {n < _TWENTIETHS}"
    return {f"{record}.hea": f"{record} 12 400 4000\n# Age: 50\n# Sex: Male\n{label_line}\n# Source: own\n"}


def _answers(year: int, n: int, record: str) -> dict[str, str]:
    """The files of one answer."""
    if year in (2020, 2021):
        codes = sorted(set(_CODES))
        ones = ["1" if code == _CODES[n] else "0" for code in codes]
        scores = ["0.9" if value == "1" else "0.1" for value in ones]
        return {f"{record}.csv": f"#{record}\n{','.join(codes)}\n{','.join(ones)}\n{','.join(scores)}\n"}
    if year == 2022:
        classes = ("Present", "Unknown", "Absent", "Abnormal", "Normal")
        chosen = {("Present", "Unknown", "Absent", "Present")[n], "Abnormal" if n % 2 == 0 else "Normal"}
        ones = ["1" if name in chosen else "0" for name in classes]
        return {f"{record}.csv": f"#{record}\n{','.join(classes)}\n{','.join(ones)}\n{','.join(ones)}\n"}
    if year == 2023:
        outcome, probability, cpc = ("Good", 0.1, 1) if n % 2 else ("Poor", 0.9, 5)
        text = f"Patient: {record}\nOutcome: {outcome}\nOutcome Probability: {probability}\nCPC: {cpc}\n"
        return {f"{record}/{record}.txt": text}
    if year == 2024:
        return _signal(record, "NORM", "AQapUAerEQ")  # not the same: of a perfect channel its program leaves nothing
    label, probability = (1, 0.9) if n < _TWENTIETHS else (0, 0.2)
    return {f"{record}.txt": f"{record}\n# Chagas label: {label}\n# Chagas probability: {probability}\n"}


def _signal(record: str, label: str, samples: str) -> dict[str, str]:
    """A record of one channel, ten samples of 16 bits that are text too: a letter and a space, 0x2041 for A."""
    return {
        f"{record}.hea": f"{record} 1 500 10\n{record}.dat 16 1000/mV 16 0 8257 0 0 I\n# Labels: {label}\n",
        f"{record}.dat": "".join(f"{letter} " for letter in samples),
    }


def _table_of_2026(draft: Draft, *, given: bool) -> None:
    """The tables of 2026, which has one file of answers, unless they are ``given``."""
    rows = [("S1", f"P{n}", 60 + n % 2, n % 3 == 0) for n in range(8)]
    head = "SiteID,BDSPPatientID,Age,Cognitive_Impairment"
    truth = [f"{site},{patient},{age},{int(label)}" for site, patient, age, label in rows]
    answers = [f"{site},{patient},{age},{int(label)},{0.8 if label else 0.2}" for site, patient, age, label in rows]
    if not given:
        draft.write("labels/labels.csv", "\n".join([head, *truth]) + "\n")
        draft.write(
            f"{SAMPLE}/demographics.csv", "\n".join([f"{head},Cognitive_Impairment_Probability", *answers]) + "\n"
        )
    draft.one_record(("quiz", "exam"), "Upload an archive with one file, demographics.csv; see README.md.")
    draft.keys["data"] = {
        "quiz": {"folder": "data/quiz"},
        "exam": {"folder": "data/exam", "references": "labels"},
    }
