"""Contracts in the table, and their changes of a challenge and of its stages."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from evaluate.config.challenge.contract import TERMS, ContractName
from evaluate.config.challenge.load import read_challenge, record_set
from evaluate.config.challenge.types import Challenge, Mode, RecordSet
from evaluate.core.errors import ChallengeError
from evaluate.core.model import Stage, StageResult
from evaluate.protocol.guest import HOME, INVOKE
from evaluate.stages.contracts import CONTRACTS, contract_of
from evaluate.stages.contracts.contract import WAITS, unlabelled
from evaluate.stages.contracts.physionet_years import lay_2026, merge_2026, sessions_of_one_patient
from evaluate.stages.job import TrialRules
from tests.conftest import CHECKOUT
from tests.support.documents import blocks
from tests.support.fake_sandbox import FakeHypervisor
from tests.support.scorers import written
from tests.support.scripted import evaluated
from tests.support.toys import answering

RULES: dict[str, Any] = {
    "title": "entries of another platform",
    "contract": "physionet-2025",
    "kind": "python",
    "image": "bookworm",
    "metric": "own.py",
    "data": {"quiz": {"folder": "data"}, "exam": {"folder": "data"}},
    "limits": {stage: {"instructions_per_record": 1e10, "wall_seconds_per_record": 60} for stage in ("quiz", "exam")},
}


FILES = {f"data/{name}": f"{name[:2]} 1 400 0\n" for name in ("r1.hea", "r1.dat", "r2.hea", "r2.dat")}


def loaded(folder: Path, *, files: Mapping[str, str] = FILES, **changes: Any) -> tuple[Challenge | None, list[str]]:
    """A challenge by these rules; None takes one away."""
    rules = {key: value for key, value in {**RULES, **changes}.items() if value is not None}
    return read_challenge(written(folder, {**files, "challenge.yaml": yaml.safe_dump(rules)}))


def usable(folder: Path, **changes: Any) -> Challenge:
    challenge, problems = loaded(folder, **changes)
    assert problems == [] and challenge is not None
    return challenge


def prepared(challenge: Challenge, folder: Path, *names: str, **changes: Any) -> tuple[StageResult, FakeHypervisor]:
    """The result of prep for an entry with these files, which goes through all stages, and the hypervisor."""
    entry = written(folder / "entry", dict.fromkeys(names, "# the team's\n"))
    answers = answering(r1="r1\n", r2="r2\n")
    evaluation, hypervisor = evaluated(challenge, entry, folder, answers, **changes)
    last = evaluation.stages[-1]
    if last.stage is not Stage.PREP:
        assert [outcome.answer for outcome in last.records] == ["r1.txt", "r2.txt"], last.message
    return evaluation.stages[0], hypervisor


@pytest.mark.parametrize(
    ("changes", "mode", "files"),
    [
        ({}, Mode.RECORD, ["r1.hea", "r1.dat"]),
        ({"inputs": ["{record}.hea"], "run": {"mode": "set"}}, Mode.SET, ["r1.hea"]),
    ],
    ids=["contract", "challenge"],
)
def test_contract_stands_for_the_keys_that_a_challenge_leaves_out(
    changes: dict[str, Any], mode: Mode, files: list[str], tmp_path: Path
) -> None:
    challenge = usable(tmp_path, **changes)
    assert (challenge.run.mode, list(challenge.exam.files("r1"))) == (mode, files)
    assert challenge.answers.files == ("{record}.txt",)
    assert contract_of(challenge) is CONTRACTS[ContractName.PHYSIONET_2025]


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"contract": "physionet-1999"}, "contract: expected the name of a contract"),
        ({"inputs": ["all.csv", "{record}.hea"]}, "inputs[1]: expected a file name with {record}, found 'all.csv'"),
        ({"contract": None, "run": {"allow_failures": True}}, "run.allow_failures: needs a contract"),
        ({"contract": {"platform": "physionet-2025", "programs": "gone"}}, "gone: no such folder"),
        ({"contract": {"platform": "physionet-2025", "program": "own"}}, "contract: expected the name of a contract"),
        ({"contract": {"platform": "grand-challenge", "programs": "."}}, "grand-challenge has no programs of the"),
        ({"kind": "answers"}, "kind: expected python, because the contract is physionet-2025"),
    ],
)
def test_a_contract_that_cannot_be_is_named(changes: dict[str, Any], problem: str, tmp_path: Path) -> None:
    _, problems = loaded(tmp_path, **changes)
    assert any(problem in one for one in problems), problems


def test_organisers_files_replace_the_teams_and_its_programs_are_started(tmp_path: Path) -> None:
    _, hypervisor = prepared(usable(tmp_path / "c"), tmp_path, "team_code.py", "helper_code.py", "run_model.py")
    put = hypervisor.sandboxes[0].commands[-1]
    assert set(put.inputs.values()) == {"_challenge.py", "run_model.py", "train_model.py"}
    assert set(put.argv) >= set(put.inputs.values()) and put.keep
    assert all(place.startswith(f"{HOME}/.") for place in put.inputs)
    first = hypervisor.sandboxes[1].commands[0]
    assert first.argv[:2] == ("/usr/bin/python3", "run_model.py")
    assert first.argv[2:] == ("-d", "/input", "-m", f"{HOME}/model", "-o", "/output", "-v")


@pytest.mark.parametrize(
    ("changes", "loads_each", "served"),
    [({"isolation": "snapshot"}, False, True), ({"isolation": "snapshot"}, True, False), ({}, False, False)],
)
def test_model_is_loaded_once_where_each_record_has_a_machine_of_its_own(
    changes: dict[str, Any], loads_each: bool, served: bool, tmp_path: Path
) -> None:
    challenge, trial = usable(tmp_path / "c", **changes), TrialRules(loads_each=loads_each)
    _, hypervisor = prepared(challenge, tmp_path, "team_code.py", "helper_code.py", trial=trial)
    command = hypervisor.sandboxes[-1].commands[-1]
    assert (command.argv[:2] == (INVOKE, "hold")) is served and command.argv[-8] == "run_model.py"
    assert (command.inbox, bool(command.mounts)) == (("/input", False) if served else ("", True))
    assert command.env == ({WAITS: "1"} if served else {})


def test_organisers_own_programs_take_the_places_of_ours_and_of_the_teams(tmp_path: Path) -> None:
    own = written(tmp_path / "c" / "own", {"run_model.py": "", "helper_code.py": ""})
    contract = {"platform": "physionet-2025", "programs": "own"}
    challenge = usable(tmp_path / "c", contract=contract, isolation="snapshot")
    _, hypervisor = prepared(challenge, tmp_path, "team_code.py")
    files = contract_of(challenge).files
    assert {name for name, path in files.items() if path == own / name} == {"run_model.py", "helper_code.py"}
    put = hypervisor.sandboxes[0].commands[-1]
    assert set(put.inputs.values()) == {"_challenge.py", "helper_code.py", "run_model.py", "train_model.py"}
    assert hypervisor.sandboxes[-1].commands[-1].argv[0] != INVOKE, "their program is no server"


def test_files_with_a_star_may_be_missing_and_are_of_their_record_alone(tmp_path: Path) -> None:
    twice = written(tmp_path / "n", dict.fromkeys(("a/a.txt", "a/b.txt", "b/b.txt"), ""))
    named_twice = record_set(twice, ("{record}/{record}.txt", "{record}/*"))
    assert (named_twice.records, list(named_twice.files("a"))) == (("a", "b"), ["a/a.txt", "a/b.txt"])
    names = ("1.txt", "1_AV.wav", "1_MV.wav", "10.txt", "10_AV.wav", "[1]_AV.wav")
    found = record_set(
        written(tmp_path, dict.fromkeys(names, "")), ("{record}.txt", "{record}_*.wav", "{record}_*.hea")
    )
    assert found.records == ("1", "10")
    assert list(found.files("1")) == ["1.txt", "1_AV.wav", "1_MV.wav"]
    assert list(found.files("10")) == ["10.txt", "10_AV.wav"]


def test_labels_are_left_out_of_headers_and_texts_and_of_nothing_else(tmp_path: Path) -> None:
    header = b"r 1 500 2\nr.dat 16 1 16 0 0 0 0 Dx\n# Age: 5\r\n#dx: 7\n#  Dx : 8\n#Dxx: 9\n# Sex: F\n"
    (tmp_path / "r.hea").write_bytes(header)
    (tmp_path / "r.dat").write_bytes(b"#Dx: 7\n")
    found = unlabelled(record_set(tmp_path, ("{record}.hea", "{record}.dat")), ("r",), labels=("Dx",))
    assert found["r.hea"] == b"r 1 500 2\nr.dat 16 1 16 0 0 0 0 Dx\n# Age: 5\r\n#Dxx: 9\n# Sex: F\n"
    assert found["r.dat"] == tmp_path / "r.dat"


def test_table_of_2026_has_the_rows_of_a_start_without_secret_columns(tmp_path: Path) -> None:
    rows = [
        "SiteID,BidsFolder,SessionID,Age,Cognitive_Impairment,Time_to_Event",
        'S,b,1,"6,0",True,5',
        "S,a,1,61,False,",
    ]
    table, listed = "".join(f"{row}\n" for row in rows), "S/a_ses-1\nS/b_ses-1\n"
    files = {"demographics.csv": table, "RECORDS": listed, "S/a_ses-1.edf": "0", "S/b_ses-1.edf": "0"}
    written(tmp_path, files)
    records = record_set(tmp_path, ("{record}.edf", "demographics.csv"), nested=True)
    assert list(records.files("S/a_ses-1")) == ["S/a_ses-1.edf", "demographics.csv"], "what seals and bundles have"
    found = lay_2026(records, records.records[1:])
    assert found == {
        "S/b_ses-1.edf": tmp_path / "S/b_ses-1.edf",
        "demographics.csv": b'SiteID,BidsFolder,SessionID,Age\nS,b,1,"6,0"\n',
    }
    with pytest.raises(ChallengeError, match="no row of the record S/c_ses-1"):
        lay_2026(records, ("S/c_ses-1",))


def test_rows_of_2026_are_merged_in_the_order_of_records_each_from_its_own_answer_or_the_last_of_a_patient(
    tmp_path: Path,
) -> None:
    head = "SiteID,BidsFolder,SessionID,P"
    texts = {
        "S/b_ses-1": f"{head}\nS,b,01,0.2\n",
        "S/a_ses-1": f"{head}\nS,a,1,0.1\nS,d,1,0.4\n",
        "S/c_ses-1": "other\nc\n",
        "S/e_ses-1": f"{head}\nS,d,1,0.4\n",
        "S/f_ses-1": f"{head}\nS\n",
        "S/g_ses-1": f'{head}\n"{"x" * 200_000}"\n',
    }
    assert merged(tmp_path / "1", texts, *sorted([*texts, "S/d_ses-1"])) == [head, "S,a,1,0.1", "S,b,01,0.2"]
    head = "SiteID,BidsFolder,SessionID,Cognitive_Impairment,Cognitive_Impairment_Probability"
    texts = {
        "S/a_ses-1": f"{head}\nS,a,1,False,0.1\n",
        "S/b_ses-1": f"{head}\nS,b,1,False,0.4\n",
        "S/a_ses-2": f"{head}\nS,a,2,True,0.9\n",
    }
    assert merged(tmp_path / "2", texts, *texts) == [head, "S,a,1,True,0.9", "S,b,1,False,0.4", "S,a,2,True,0.9"]
    assert sessions_of_one_patient(texts) == [["S/a_ses-1", "S/a_ses-2"]]


def merged(folder: Path, answers: dict[str, str], *records: str) -> list[str]:
    """Lines of the table that the answers of records become."""
    record_files = {f"{record}.csv": text for record, text in answers.items()}
    target = written(folder / "merged", {})
    records_of = RecordSet(folder=folder, records=records, inputs=(), references=None)
    merge_2026(records_of, written(folder / "answers", record_files), target)
    return (target / "demographics.csv").read_text().splitlines()


PAGE = CHECKOUT / "docs/contracts.md"


def test_page_and_its_example_have_every_contract_with_its_kind() -> None:
    rows = [line.split("|")[1:3] for line in PAGE.read_text().splitlines() if line.startswith("| `")]
    found = {name.strip(" `"): kind.strip(" `") for name, kind in rows}
    assert found == {name.value: TERMS[name].kind for name in CONTRACTS} and set(TERMS) == set(CONTRACTS)
    example, own = (yaml.safe_load(block.text) for block in blocks(PAGE) if block.language == "yaml")
    assert TERMS[ContractName(example["contract"])].kind == example["kind"]
    assert own["contract"] == {"platform": example["contract"], "programs": "year"}


def test_commands_of_the_page_are_run_in_a_real_machine() -> None:
    lines = [line for block in blocks(PAGE) if block.language == "sh" for line in block.commands]
    functional = (CHECKOUT / "tests/functional/test_training.py").read_text()
    assert lines and all(f'"{line}"' in functional for line in lines)
