"""Contracts in the table, and their changes of a challenge and of its stages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from evaluate.config.challenge.contract import TERMS, ContractName
from evaluate.config.challenge.load import read_challenge, record_set
from evaluate.config.challenge.types import Challenge, Kind, Mode, RecordSet
from evaluate.core.errors import ChallengeError
from evaluate.core.model import Limits, Run, Verdict
from evaluate.protocol.guest import HOME, INVOKE
from evaluate.sandbox.base import Command
from evaluate.stages.contracts import CONTRACTS, contract_of
from evaluate.stages.contracts.contract import WAITS, unlabelled
from evaluate.stages.contracts.physionet_years import lay_2026, merge_2026, sessions_of_one_patient
from evaluate.stages.job import TrialRules
from tests.conftest import CHECKOUT
from tests.support.documents import blocks
from tests.support.fake_sandbox import ended_well
from tests.support.scripted import evaluated
from tests.support.toys import Layers

RULES: dict[str, Any] = {
    "title": "entries of another platform",
    "contract": "physionet-2025",
    "kind": "python",
    "image": "bookworm",
    "metric": "own.py",
    "data": {"quiz": {"folder": "data"}, "exam": {"folder": "data"}},
    "limits": {stage: {"instructions_per_record": 1e10, "wall_seconds_per_record": 60} for stage in ("quiz", "exam")},
}


def loaded(folder: Path, **changes: Any) -> tuple[Challenge | None, list[str]]:
    for record in ("r1", "r2"):
        for name in (f"{record}.hea", f"{record}.dat"):
            (folder / "data").mkdir(parents=True, exist_ok=True)
            (folder / "data" / name).write_text(f"{record} 1 400 0\n")
    (folder / "challenge.yaml").write_text(yaml.safe_dump({**RULES, **changes}))
    return read_challenge(folder)


def test_every_contract_has_terms_and_an_adapter() -> None:
    assert set(TERMS) == set(CONTRACTS) == set(ContractName)
    for name, contract in CONTRACTS.items():
        assert TERMS[name].version.partition("@")[2]
        assert callable(contract) or all(isinstance(one, bytes) or one.is_file() for one in contract.files.values()), (
            name
        )
        assert Kind(TERMS[name].kind)


def test_contract_stands_for_the_keys_that_a_challenge_leaves_out(tmp_path: Path) -> None:
    challenge, problems = loaded(tmp_path)
    assert problems == [] and challenge is not None
    assert (challenge.platform, challenge.run.mode) == (ContractName.PHYSIONET_2025, Mode.RECORD)
    assert challenge.answers.files == ("{record}.txt",)
    assert list(challenge.exam.files("r1")) == ["r1.hea", "r1.dat"]
    assert contract_of(challenge) is CONTRACTS[ContractName.PHYSIONET_2025]


def test_keys_of_a_challenge_count_before_those_of_its_contract(tmp_path: Path) -> None:
    challenge, problems = loaded(tmp_path, inputs=["{record}.hea"], run={"mode": "set"})
    assert problems == [] and challenge is not None
    assert (list(challenge.exam.files("r1")), challenge.run.mode) == (["r1.hea"], Mode.SET)
    assert challenge.answers.files == ("{record}.txt",)


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


def answering(command: Command, limits: Limits) -> Run:
    if command.gather is not None:
        command.gather.mkdir()
        for record in ("r1", "r2"):
            (command.gather / f"{record}.txt").write_text(f"{record}\n")
    return ended_well(command, limits)


def test_organisers_files_replace_the_teams_and_its_programs_are_started(tmp_path: Path) -> None:
    challenge, _ = loaded(tmp_path / "challenge")
    assert challenge is not None
    entry = tmp_path / "entry"
    entry.mkdir()
    for name in ("team_code.py", "helper_code.py", "run_model.py"):
        (entry / name).write_text("# the team's\n")
    evaluation, hypervisor = evaluated(challenge, entry, tmp_path, answering, layers=Layers())
    assert evaluation.verdict is Verdict.OK, evaluation.stages[-1].message
    put = hypervisor.sandboxes[0].commands[-1]
    assert set(put.inputs.values()) == {"_challenge.py", "run_model.py", "train_model.py"}
    assert set(put.argv) >= set(put.inputs.values()) and put.keep
    assert all(place.startswith(f"{HOME}/.") for place in put.inputs)
    first = hypervisor.sandboxes[1].commands[0]
    assert first.argv[:2] == ("/usr/bin/python3", "run_model.py")
    assert first.argv[2:] == ("-d", "/input", "-m", f"{HOME}/model", "-o", "/output", "-v")
    assert [outcome.answer for outcome in evaluation.stages[-1].records] == ["r1.txt", "r2.txt"]
    (entry / "team_code.py").unlink()
    (tmp_path / "again").mkdir()
    evaluation, hypervisor = evaluated(challenge, entry, tmp_path / "again", answering, layers=Layers())
    assert evaluation.verdict is Verdict.INVALID_ENTRY and hypervisor.machines == []
    assert "team_code.py" in evaluation.stages[0].message


@pytest.mark.parametrize(
    ("changes", "loads_each", "served"),
    [({"isolation": "snapshot"}, False, True), ({"isolation": "snapshot"}, True, False), ({}, False, False)],
)
def test_model_is_loaded_once_where_each_record_has_a_machine_of_its_own(
    changes: dict[str, Any], loads_each: bool, served: bool, tmp_path: Path
) -> None:
    challenge, _ = loaded(tmp_path / "challenge", **changes)
    assert challenge is not None
    entry = tmp_path / "entry"
    entry.mkdir()
    for name in ("team_code.py", "helper_code.py"):
        (entry / name).write_text("# the team's\n")
    evaluation, hypervisor = evaluated(
        challenge, entry, tmp_path, answering, layers=Layers(), trial=TrialRules(loads_each=loads_each)
    )
    assert evaluation.verdict is Verdict.OK, evaluation.stages[-1].message
    command = hypervisor.sandboxes[-1].commands[-1]
    assert (command.argv[:2] == (INVOKE, "hold")) is served and command.argv[-8] == "run_model.py"
    assert (command.inbox, bool(command.mounts)) == (("/input", False) if served else ("", True))
    assert command.env == ({WAITS: "1"} if served else {})


def test_organisers_own_programs_take_the_places_of_ours_and_of_the_teams(tmp_path: Path) -> None:
    own = tmp_path / "challenge" / "own"
    own.mkdir(parents=True)
    for name in ("run_model.py", "helper_code.py"):
        (own / name).write_text("# the organiser's\n")
    contract = {"platform": "physionet-2025", "programs": "own"}
    challenge, problems = loaded(tmp_path / "challenge", contract=contract, isolation="snapshot")
    assert challenge is not None and problems == []
    entry = tmp_path / "entry"
    entry.mkdir()
    (entry / "team_code.py").write_text("# the team's\n")
    evaluation, hypervisor = evaluated(challenge, entry, tmp_path, answering, layers=Layers())
    assert evaluation.verdict is Verdict.OK, evaluation.stages[-1].message
    files = contract_of(challenge).files
    assert {name for name, path in files.items() if path == own / name} == {"run_model.py", "helper_code.py"}
    put = hypervisor.sandboxes[0].commands[-1]
    assert set(put.inputs.values()) == {"_challenge.py", "helper_code.py", "run_model.py", "train_model.py"}
    assert hypervisor.sandboxes[-1].commands[-1].argv[0] != INVOKE, "their program is no server"


def test_files_with_a_star_may_be_missing_and_are_of_their_record_alone(tmp_path: Path) -> None:
    for name in ("n/a/a.txt", "n/a/b.txt", "n/b/b.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    named_twice = record_set(tmp_path / "n", ("{record}/{record}.txt", "{record}/*"))
    assert (named_twice.records, list(named_twice.files("a"))) == (("a", "b"), ["a/a.txt", "a/b.txt"])
    for name in ("1.txt", "1_AV.wav", "1_MV.wav", "10.txt", "10_AV.wav", "[1]_AV.wav"):
        (tmp_path / name).write_text(name)
    found = record_set(tmp_path, ("{record}.txt", "{record}_*.wav", "{record}_*.hea"))
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
    (tmp_path / "demographics.csv").write_text("".join(f"{row}\n" for row in rows))
    (tmp_path / "RECORDS").write_text("S/a_ses-1\nS/b_ses-1\n")
    for name in ("S/a_ses-1", "S/b_ses-1"):
        (tmp_path / f"{name}.edf").parent.mkdir(exist_ok=True)
        (tmp_path / f"{name}.edf").write_bytes(b"0")
    records = record_set(tmp_path, ("{record}.edf", "demographics.csv"), nested=True)
    assert list(records.files("S/a_ses-1")) == ["S/a_ses-1.edf", "demographics.csv"], "what seals and bundles have"
    found = lay_2026(records, records.records[1:])
    assert found == {
        "S/b_ses-1.edf": tmp_path / "S/b_ses-1.edf",
        "demographics.csv": b'SiteID,BidsFolder,SessionID,Age\nS,b,1,"6,0"\n',
    }
    with pytest.raises(ChallengeError, match="no row of the record S/c_ses-1"):
        lay_2026(records, ("S/c_ses-1",))


def test_rows_of_2026_are_merged_in_the_order_of_records_and_each_from_its_own_answer(tmp_path: Path) -> None:
    answers, merged = tmp_path / "answers", tmp_path / "merged"
    head = "SiteID,BidsFolder,SessionID,P\n"
    texts = {
        "b": f"{head}S,b,01,0.2\n",
        "a": f"{head}S,a,1,0.1\nS,d,1,0.4\n",
        "c": "other\nc\n",
        "e": f"{head}S,d,1,0.4\n",
        "f": f"{head}S\n",
        "g": f'{head}"{"x" * 200_000}"\n',
    }
    (answers / "S").mkdir(parents=True)
    for name, text in texts.items():
        (answers / f"S/{name}_ses-1.csv").write_text(text)
    merged.mkdir()
    names = tuple(f"S/{name}_ses-1" for name in "abcdefg")
    merge_2026(RecordSet(folder=tmp_path, records=names, inputs=(), references=None), answers, merged)
    assert (merged / "demographics.csv").read_text() == f"{head}S,a,1,0.1\nS,b,01,0.2\n"


def test_sessions_of_one_patient_of_2026_get_the_answer_of_the_last_one(tmp_path: Path) -> None:
    answers, merged = tmp_path / "answers", tmp_path / "merged"
    head = "SiteID,BidsFolder,SessionID,Cognitive_Impairment,Cognitive_Impairment_Probability\n"
    (answers / "S").mkdir(parents=True)
    merged.mkdir()
    names = ("S/a_ses-1", "S/b_ses-1", "S/a_ses-2")
    for name, said in zip(names, ("False,0.1", "False,0.4", "True,0.9"), strict=True):
        row = f"S,{name[2]},{name[-1]},{said}"
        (answers / f"{name}.csv").write_text(f"{head}{row}\n")
    merge_2026(RecordSet(folder=tmp_path, records=names, inputs=(), references=None), answers, merged)
    rows = (merged / "demographics.csv").read_text().splitlines()[1:]
    assert rows == ["S,a,1,True,0.9", "S,b,1,False,0.4", "S,a,2,True,0.9"]
    assert sessions_of_one_patient(names) == [["S/a_ses-1", "S/a_ses-2"]]


PAGE = CHECKOUT / "docs/contracts.md"


def test_page_has_every_contract_with_its_kind() -> None:
    rows = [line.split("|")[1:3] for line in PAGE.read_text().splitlines() if line.startswith("| `")]
    found = {name.strip(" `"): kind.strip(" `") for name, kind in rows}
    assert found == {name.value: terms.kind for name, terms in TERMS.items()}


def test_commands_of_the_page_are_run_in_a_real_machine() -> None:
    lines = [line for block in blocks(PAGE) if block.language == "sh" for line in block.commands]
    functional = (CHECKOUT / "tests/functional/test_training.py").read_text()
    assert lines and all(f'"{line}"' in functional for line in lines)


def test_example_names_a_contract_and_its_kind() -> None:
    example, own = (yaml.safe_load(block.text) for block in blocks(PAGE) if block.language == "yaml")
    assert TERMS[ContractName(example["contract"])].kind == example["kind"]
    assert own["contract"] == {"platform": example["contract"], "programs": "year"}
