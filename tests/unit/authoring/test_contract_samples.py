"""Challenges for the contracts of the PhysioNet Challenges: their data, and the score of the files of each year.

Expected scores are those of the official programs (numbers of the shared notes on contracts, computed there).
"""

import csv
import io
import math
import re
from pathlib import Path

import numpy as np
import pytest
from scipy.io import loadmat
from scipy.signal import find_peaks

from evaluate.authoring.check import check_challenge
from evaluate.authoring.contract_samples import SAMPLED, sample_challenge, samples, write_challenge
from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.contract import ContractName
from evaluate.config.challenge.load import read_challenge
from evaluate.core.model import RefusalKind
from evaluate.untrusted.dockerfile import translate
from metrics import AnswerError, ScoreReport, get
from tests.support.commands import printed, run
from tests.support.scorers import written

Files = dict[str, str]


@pytest.mark.parametrize("contract", SAMPLED, ids=str)
def test_challenge_of_a_contract_has_no_mistake_and_no_label_in_what_is_shown(
    contract: ContractName, tmp_path: Path
) -> None:
    folder = sample_challenge(tmp_path, contract)
    challenge, problems = read_challenge(folder)
    assert problems == [] and challenge is not None
    assert (challenge.name, challenge.platform, len(challenge.exam.records)) == (contract.value, contract, 20)
    assert sample_challenge(tmp_path, contract) == folder
    assert samples(contract, 1, 5) == samples(contract, 1, 5)


def test_records_of_2026_let_programs_of_real_teams_train(tmp_path: Path) -> None:
    """They need every age of the others, no column that is constant, and the probability of every stage."""
    folder = sample_challenge(tmp_path, ContractName.PHYSIONET_2026)
    ages = {}
    for table in folder.glob("sample_data/*/demographics.csv"):
        with table.open(newline="") as rows:
            ages[table.parent.name] = {int(row["Age"]) for row in csv.DictReader(rows)}
    assert set(ages) == {"training", "validation", "test"}
    assert ages["validation"] | ages["test"] <= ages["training"] <= set(range(18, 100))
    files = [path.read_bytes() for path in folder.glob("sample_data/test/algorithmic_annotations/*/*.edf")]
    assert len(files) == len(set(files)) == 20
    signals = 10
    names = {files[0][256 + 16 * i : 272 + 16 * i].decode().strip() for i in range(signals)}
    assert {f"caisr_prob_{stage}" for stage in ("w", "n1", "n2", "n3", "r", "arous")} < names
    assert len(files[0]) == 256 * (signals + 1) + 6 * 2 * (4 * 30 + 6)


@pytest.mark.parametrize(
    ("image", "wheels"),
    [
        ("python:3.10.1-buster", []),
        ("pytorch/pytorch:2.4.1-cuda12.1-cudnn9-devel", ["torch==2.4.1", "torchvision"]),
        ("pytorch/pytorch:latest", ["torch", "torchvision"]),
        ("docker.io/tensorflow/tensorflow:2.12.0-gpu", ["tensorflow==2.12.0"]),
        ("tensorflow/tensorflow:latest-gpu", ["tensorflow"]),
        ("ubuntu:24.04", None),
    ],
)
def test_images_that_teams_begin_with_bring_what_is_in_them_and_others_are_refused(
    image: str, wheels: list[str] | None, tmp_path: Path
) -> None:
    rules = load_challenge(str(sample_challenge(tmp_path, ContractName.PHYSIONET_2025))).dockerfile
    assert rules is not None
    text = f"FROM {image}\nCOPY team_code.py /challenge/\n".encode()
    plan = translate(text, ["Dockerfile", "team_code.py"], rules.bases, "3.11")
    if wheels is not None:
        assert ([line.text for line in plan.requirements], plan.refusals) == (wheels, [])
        return
    (refusal,) = plan.refusals
    assert refusal.kind is RefusalKind.BASE
    assert "FROM python:3.11 or FROM pytorch/pytorch or FROM tensorflow/tensorflow" in refusal.way_out


def scored(year: int, tmp_path: Path, references: Files, answers: Files, rules: str) -> ScoreReport:
    challenge = written(tmp_path / f"own{year}", {})
    write_challenge(challenge, ContractName(f"physionet-{year}"))
    places = written(tmp_path / "references", references), written(tmp_path / "answers", answers)
    return get(str(challenge / "metric.py")).score(*places, rules=rules)


MURMURS = ("Present", "Unknown", "Absent")


@pytest.mark.parametrize("second", [None, "#2\n", "#2\nPresent,Absent\n1\n0,0\n", "#2\nPresent\nmaybe\n0\n"])
def test_missing_or_unusable_answer_ends_the_program_of_2022_and_is_wrong_by_corrected_rules(
    second: str | None, tmp_path: Path
) -> None:
    references = {f"{n}.txt": f"{n} 0 4000\n#Murmur: {label}\n" for n, label in enumerate(MURMURS, 1)}
    answers = {f"{n}.csv": f"#{n}\n{','.join(MURMURS)}\n{row}\n0,0,0\n" for n, row in ((1, "1,0,0"), (3, "0,0,1"))}
    answers |= {} if second is None else {"2.csv": second}
    with pytest.raises(AnswerError, match=r"2.*expected"):
        scored(2022, tmp_path, references, answers, "official")
    report = scored(2022, tmp_path, references, answers, "corrected")
    assert report.values[report.primary] == pytest.approx((5 + 1) / (5 + 3 + 1))
    assert list(report.unusable) == ([] if second is None else ["2"])


NAMES = [f"r{n:02d}" for n in range(40)]
CODES = ("1", "2", "426783006")
HOSPITALS = [("A", "Good", 0.9), *[("A", "Poor", 0.8)] * 20, ("B", "Poor", 0.2), ("B", "Good", 0.1)]
KEYS, CHANCE = "SiteID,BidsFolder,SessionID,Age,Cognitive_Impairment", "Cognitive_Impairment_Probability"
SLEEP = [
    *(("S1,a,1,60", False, "0,0.2"), ("S2,a,1,60", True, "1,0.7"), ("S2,c,1,70", True, "1,0.9")),
    *(("S2,c,2,70", False, "1,0.6"), ("S2,d,1,70", False, "0,0.1")),
]
YEARS: dict[int, tuple[Files, Files, list[tuple[str, float, float]]]] = {
    2021: (  # 1 for a right answer, a half of 0.5 for a related one; always normal gets 1, all right 3
        {
            "weights.csv": f",{','.join(CODES)}\n1,1,0.5,0\n2,0.5,1,0\n426783006,0,0,1\n",
            **{f"{name}.hea": f"{name} 0 1 1\n#Dx: {code}\n" for name, code in zip("abc", CODES, strict=True)},
        },
        {
            f"{name}.csv": f"#{name}\n{','.join(CODES)}\n{row}\n0,0,0\n"
            for name, row in (("a", "1,0,0"), ("b", "1,0,0"), ("c", "0,0,1"))
        },
        [("reward", (2.25 - 1) / (3 - 1), (2.25 - 1) / (3 - 1))],
    ),
    2023: (  # of hospital A nobody is found without a false alarm, which the official program divides by the ill
        {
            f"{name}/{name}.txt": f"Patient: {name}\nHospital: {hospital}\nOutcome: {outcome}\n"
            for name, (hospital, outcome, _) in zip(NAMES, HOSPITALS, strict=False)
        },
        {
            f"{name}/{name}.txt": f"Patient: {name}\nOutcome: Good\nOutcome Probability: {probability}\nCPC: 1\n"
            for name, (_, _, probability) in zip(NAMES, HOSPITALS, strict=False)
        },
        [("sensitivity", 1, 1 / 21)],
    ),
    2025: (  # two places of forty records for three of one probability, of whom two are of the eight that are positive
        {f"{name}.hea": f"{name} 0 1 1\n# Chagas label: {n % 5 == 0}\n" for n, name in enumerate(NAMES)},
        {
            f"{name}.txt": f"{name}\n# Chagas label: True\n# Chagas probability: {0.9 if n in (0, 1, 5) else 0.1}\n"
            for n, name in enumerate(NAMES)
        },
        [("prioritised2025", 0.16725, 1 / 6)],
    ),
    2026: (  # found, the ill one of two earns 1, and of three 2; the false alarm costs 1, the other two earn 1 and 0.5
        {
            "RECORDS": "S1/a_ses-1\nS2/a_ses-1\nS2/c_ses-1\nS2/c_ses-2\nS2/d_ses-1\n",
            "demographics.csv": "\n".join([KEYS, *(f"{row},{truth}" for row, truth, _ in SLEEP)]),
        },
        {"demographics.csv": "\n".join([f"{KEYS},{CHANCE}", *(f"{row},{answer}" for row, _, answer in SLEEP)])},
        [("accuracy", 4 / 5, 4 / 5), ("auroc", 1, 1), ("reward", 3.5 / 5, 3.5 / 5)],
    ),
}
"""References and answers in the year's files; values by the official and by the corrected rules."""


@pytest.mark.parametrize("year", YEARS)
def test_files_of_a_year_are_read(year: int, tmp_path: Path) -> None:
    references, answers, expected = YEARS[year]
    official, corrected = (
        scored(year, tmp_path, references, answers, rules).values for rules in ("official", "corrected")
    )
    for name, *values in expected:
        assert [official[name], corrected[name]] == pytest.approx(values, abs=1e-9)


def test_new_challenge_of_a_contract_is_complete(tmp_path: Path) -> None:
    printed(None, "challenge", "new", tmp_path / "hearts", "--template", "physionet-2022")
    assert check_challenge(tmp_path / "hearts") == []


def test_try_in_a_repository_that_lacks_the_teams_code_names_it(tmp_path: Path) -> None:
    (tmp_path / "entry").mkdir()
    (tmp_path / "entry/run_model.py").write_text("pass\n")
    words = ["try", tmp_path / "entry", "--contract", "physionet-2025", "--runner", "plain"]
    done = run(tmp_path / "state", *words)
    assert done.exit_code == 1 and "team_code.py" in done.output and "INVALID_ENTRY" in done.output


@pytest.mark.parametrize("rules", ["official", "corrected"])
def test_labels_of_2024_get_the_official_f_measure_beside_the_signals(rules: str, tmp_path: Path) -> None:
    wanted = (["NORM"], ["AFIB/AFL", "HYP"], ["MI"], ["NORM"], [])
    answered = (["NORM"], ["HYP"], ["NORM"], ["NORM", "other"], ["MI"])
    write_challenge(tmp_path, ContractName.PHYSIONET_2024)
    for part, labels in (("references", wanted), ("answers", answered)):
        files = samples(ContractName.PHYSIONET_2024, 1, len(wanted))
        for n, names in enumerate(labels, 1):
            line = f"# Labels: {', '.join(names)}\n".encode()
            files[f"r{n:04d}.hea"] = re.sub(rb"# Labels: .*\n", line, files[f"r{n:04d}.hea"])
        written(tmp_path / part, files)
    program = tmp_path / "metric.py"
    report = get(str(program)).score(tmp_path / "references", tmp_path / "answers", rules=rules)
    assert report.primary == "snr_db" and report.values["f1_macro"] == pytest.approx(0.45, abs=1e-9)
    program.write_text(program.read_text().replace('TASK_2024 = "signals"', 'TASK_2024 = "labels"'))
    for path in (tmp_path / "answers").glob("*.hea"):
        path.write_text(re.sub(r"# Labels: .*\n", "", path.read_text()))
    none = get(str(program)).score(tmp_path / "references", tmp_path / "answers", rules=rules)
    assert none.primary == "f1_macro" and "snr_db" in none.values
    assert none.values["f1_macro"] == pytest.approx(math.nan if rules == "official" else 0, nan_ok=True)


@pytest.mark.parametrize("year", [2020, 2021, 2025])
def test_hearts_beat_for_ten_seconds(year: int) -> None:
    """Programs of real teams find R waves, and leave records out that have none: then nothing is left to learn from."""
    files = samples(ContractName(f"physionet-{year}"), 1, 4)
    for name in files["RECORDS"].decode().split():
        (_, channels, rate, length), *_ = map(str.split, files[f"{name}.hea"].decode().splitlines())
        data = files[f"{name}.dat"] if year == 2025 else loadmat(io.BytesIO(files[f"{name}.mat"]))["val"].T.tobytes()
        signal = np.frombuffer(data, dtype="<i2").reshape(int(length), int(channels))[:, 1]
        assert int(length) == 10 * int(rate)
        peaks, _ = find_peaks(signal, height=0.6 * signal.max(), distance=0.3 * int(rate))
        assert 9 <= len(peaks) <= 15
        assert np.ptp(np.diff(peaks)) <= 3, "a rhythm"
