"""The evaluation program of a PhysioNet Challenge as a challenge: its repository, and small data of our own making.

The data of a year are not in its repository: references and answers that stand in for them let everything be tried, and
are replaced by the organiser's.  An organiser who has them beside the program names them ``labels`` and ``outputs``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from evaluate.authoring.imports.base import SAMPLE, Draft, within
from evaluate.core.errors import ChallengeError

_PROGRAMS = {"evaluate_12ECG_score.py": (2020,), "evaluate_model.py": (2021, 2022, 2023, 2024, 2025, 2026)}
_PRIMARY: Mapping[int, tuple[str, str]] = {
    2020: ("Challenge metric", "larger"),
    2021: ("Challenge metric", "larger"),
    2022: ("Murmur scores.Weighted Accuracy", "larger"),
    2023: ("Challenge Score", "larger"),
    2024: ("SNR", "larger"),
    2025: ("Challenge score", "larger"),
    2026: ("Reward", "larger"),
}
"""Year -> the number that ranks, as its program calls it, and which is better."""
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
_RECORDS = ("r1", "r2", "r3", "r4")
_FILES: Mapping[int, tuple[str, str]] = {
    2020: ("{record}.hea", "{record}.csv"),
    2021: ("{record}.hea", "{record}.csv"),
    2022: ("{record}.txt", "{record}.csv"),
    2023: ("{record}/{record}.txt", "{record}/{record}.txt"),
    2024: ("{record}.hea", "{record}.hea"),
    2025: ("{record}.hea", "{record}.txt"),
}
"""Year -> the file with a record's label, and that of its answer."""


def title_of(root: Path) -> str:
    """With the year."""
    return f"physionet-{_year(_program(root)[0])}"


def _program(root: Path) -> tuple[Path, str]:
    if not root.is_dir():
        raise ChallengeError(f"{root}: expected the folder of an evaluation program")
    there = [path for path in within(root) if len(path.relative_to(root).parts) <= 3]
    for name in _PROGRAMS:
        found = [path for path in there if path.name == name]
        if found:
            return found[0], name
    raise ChallengeError(f"{root}: expected {' or '.join(_PROGRAMS)}")


def _year(path: Path) -> int:
    """The year of a program, by what it says of itself, else by its words."""
    years = _PROGRAMS[path.name]
    if len(years) == 1:
        return years[0]
    text = path.read_text(errors="replace")
    around = [text, *(one.read_text(errors="replace") for one in sorted(path.parent.glob("README*")))]
    for part in around:
        said = [
            int(year)
            for year in re.findall(r"\b(20\d\d)\b(?=[^\n]{0,40}Challenge)|Challenge[^\n]{0,20}\b(20\d\d)\b", part)
            for year in year
            if year
        ]
        known = [year for year in said if year in years]
        if known:
            return max(set(known), key=known.count)
    counts = {year: len(re.findall(mark, text, re.IGNORECASE)) for year, mark in _MARKS.items()}
    return max(reversed(counts), key=lambda year: counts[year])


def make(draft: Draft, source: Path) -> None:
    """Write the challenge."""
    path, name = _program(source)
    year = _year(path)
    primary, direction = _PRIMARY[year]
    draft.title = f"PhysioNet Challenge {year}, by its own program"
    draft.description = f"Scored by `{name}` of {year} as it is; the numbers are those that it prints."
    for one in sorted(path.parent.iterdir()):
        if (
            one.suffix in (".py", ".csv", ".txt")
            and one.is_file()
            and "score" not in one.stem.lower().replace(path.stem.lower(), "")
        ):
            draft.copy(one, f"scorer/{one.name}")
    draft.keys |= {
        "kind": "answers",
        "metric": {
            "scorer": "physionet",
            "program": "scorer",
            "year": year,
            "primary": primary,
            "direction": direction,
        },
    }
    draft.carry(f"{name}, the program of {year} ({name}:1); {primary} ranks, {direction} is better")
    _data(draft, year, path.parent)
    pins = next((one for one in (path.parent / "requirements.txt",) if one.is_file()), None)
    if pins is not None and year > _NO_WHEELS:
        draft.copy(pins, "requirements.txt")
        draft.keys["metric"]["requirements"] = "requirements.txt"
        draft.carry("requirements.txt, with its versions")
        text = (draft.folder / "requirements.txt").read_text()
        if "wfdb" in text and "pandas" not in text:  # which wfdb needs, in no version that it names
            draft.write("requirements.txt", f"{text.rstrip()}\n{_OF_THE_TIME['pandas']}\n")
    draft.require([draft.folder / "scorer"])
    if year <= _NO_WHEELS:
        listed = (
            (draft.folder / "requirements.txt").read_text().split() if "requirements" in draft.keys["metric"] else []
        )
        lines = [_OLD_NUMPY, *(name for name in listed if name != "numpy")]
        draft.write("requirements.txt", "".join(f"{line}\n" for line in lines))
        draft.keys["metric"]["requirements"] = "requirements.txt"
        why = f"its packages have no wheels for Python 3.11: {_OLD_NUMPY} is the nearest that has"
        draft.leave("the versions of requirements.txt", f"{(pins or path).name}:1", why)
    elif pins is None and "requirements" in draft.keys["metric"]:
        listed = (draft.folder / "requirements.txt").read_text().split()
        draft.write("requirements.txt", "".join(f"{_OF_THE_TIME.get(name, name)}\n" for name in listed))
        draft.carry(f"packages as old as the program: {', '.join(_OF_THE_TIME.values())}")
    draft.leave(
        "the data of the year", f"{name}:1", "they are not in its repository: replace labels/ and sample_entry/"
    )
    draft.leave("quotas: up to 5 unofficial and 10 official entries", f"{name}:1", "set phases in evaluate.yaml")


def _data(draft: Draft, year: int, beside: Path) -> None:
    if year == max(_PRIMARY):
        _table_of_2026(draft)
        return
    label, answer = _FILES[year]
    own = beside / "labels"
    if own.is_dir() and (beside / "outputs").is_dir():
        draft.copy(own, "labels")
        draft.copy(beside / "outputs", SAMPLE)
    else:
        for n, record in enumerate(_RECORDS):
            for name, text in _labels(year, n, record).items():
                draft.write(f"labels/{name}", text)
            for name, text in _answers(year, n, record).items():
                draft.write(f"{SAMPLE}/{name}", text)
    _, _, after = label.rpartition("{record}")
    found = sorted((draft.folder / "labels").glob(f"{'*/' if '/' in label else ''}*{after}"))
    records = [path.name.removesuffix(after) for path in found]
    for stage in ("quiz", "exam"):
        draft.write(f"data/{stage}/RECORDS", "".join(f"{record}\n" for record in records))
        for record in records:
            draft.write(f"data/{stage}/{record}.txt", f"record {record}: its data are the organiser's\n")
    draft.keys |= {
        "inputs": ["{record}.txt"],
        "answers": {"files": [answer]},
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
    return {
        f"{record}.hea": f"{record} 12 400 4000\n# Age: 50\n# Sex: Male\n# Chagas label: {n % 2 == 0}\n# Source: own\n"
    }


def _answers(year: int, n: int, record: str) -> dict[str, str]:
    """The files of one answer."""
    if year in (2020, 2021):
        codes = sorted(set(_CODES))
        ones = ["1" if code == _CODES[n] else "0" for code in codes]
        scores = ["0.9" if one == "1" else "0.1" for one in ones]
        return {f"{record}.csv": f"#{record}\n{','.join(codes)}\n{','.join(ones)}\n{','.join(scores)}\n"}
    if year == 2022:
        classes = ("Present", "Unknown", "Absent", "Abnormal", "Normal")
        chosen = {("Present", "Unknown", "Absent", "Present")[n], "Abnormal" if n % 2 == 0 else "Normal"}
        ones = ["1" if one in chosen else "0" for one in classes]
        return {f"{record}.csv": f"#{record}\n{','.join(classes)}\n{','.join(ones)}\n{','.join(ones)}\n"}
    if year == 2023:
        outcome, probability, cpc = ("Good", 0.1, 1) if n % 2 else ("Poor", 0.9, 5)
        text = f"Patient: {record}\nOutcome: {outcome}\nOutcome Probability: {probability}\nCPC: {cpc}\n"
        return {f"{record}/{record}.txt": text}
    if year == 2024:
        return _signal(record, "NORM", "AQapUAerEQ")  # not the same: of a perfect channel its program leaves nothing
    said, probability = (1, 0.9) if n % 2 == 0 else (0, 0.2)
    return {f"{record}.txt": f"{record}\n# Chagas label: {said}\n# Chagas probability: {probability}\n"}


def _signal(record: str, label: str, samples: str) -> dict[str, str]:
    """A record of one channel, ten samples of 16 bits that are text too: a letter and a space, 0x2041 for A."""
    return {
        f"{record}.hea": f"{record} 1 500 10\n{record}.dat 16 1000/mV 16 0 8257 0 0 I\n# Labels: {label}\n",
        f"{record}.dat": "".join(f"{letter} " for letter in samples),
    }


def _table_of_2026(draft: Draft) -> None:
    """The tables of 2026, which has one file of answers."""
    rows = [("S1", f"P{n}", 60 + n % 2, n % 3 == 0) for n in range(8)]
    head = "SiteID,BDSPPatientID,Age,Cognitive_Impairment"
    truth = [f"{site},{patient},{age},{int(label)}" for site, patient, age, label in rows]
    given = [f"{site},{patient},{age},{int(label)},{0.8 if label else 0.2}" for site, patient, age, label in rows]
    draft.write("labels/labels.csv", "\n".join([head, *truth]) + "\n")
    draft.write(f"{SAMPLE}/demographics.csv", "\n".join([f"{head},Cognitive_Impairment_Probability", *given]) + "\n")
    draft.one_record(("quiz", "exam"), "Upload an archive with one file, demographics.csv; see README.md.")
    draft.keys["data"] = {
        "quiz": {"folder": "data/quiz"},
        "exam": {"folder": "data/exam", "references": "labels"},
    }
