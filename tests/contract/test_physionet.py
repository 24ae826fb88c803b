"""The contract of each PhysioNet year: our programs call an entry as theirs do, and leave the files of the year.

The entries are our own (`tests.support.teams`); they check what they are given.
"""

import csv
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from evaluate.authoring.contract_samples import SAMPLED, samples
from evaluate.config.challenge.contract import TERMS, ContractName
from evaluate.config.challenge.load import record_set
from evaluate.config.challenge.types import RecordSet
from evaluate.images.initrd import program
from evaluate.stages.contracts import CONTRACTS
from evaluate.stages.contracts.contract import WAITS
from tests.support.servers import WALLS, Held
from tests.support.teams import ENTRIES, write_entry

FIRST, COUNT = 101, 4
"""The records that are answered: 101 is positive, 102 fails where the entry may."""


def lay(folder: Path, files: Mapping[str, bytes | Path]) -> None:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.read_bytes())


def data(folder: Path, contract: ContractName, first: int, count: int) -> RecordSet:
    lay(folder, samples(contract, first, count))
    return record_set(folder, TERMS[contract].keys["inputs"], nested=True)


class Entry:
    """An entry in its folder, with the organiser's files over it."""

    def __init__(self, folder: Path, contract: ContractName) -> None:
        self.name, self.home = contract, write_entry(folder, contract)
        self.contract = replace(CONTRACTS[contract], model=str(self.home / "model"))
        lay(self.home, self.contract.files)

    def start(self, words: Sequence[str], data: Path, output: Path) -> subprocess.CompletedProcess[str]:
        argv = self.contract.command(words, data=str(data), output=str(output))
        return subprocess.run([sys.executable, *argv[1:]], cwd=self.home, capture_output=True, text=True, check=False)

    def answer(
        self, records: RecordSet, chosen: Sequence[str], folder: Path, *, lenient: bool = False
    ) -> subprocess.CompletedProcess[str]:
        lay(folder / "input", self.contract.lay(records, chosen))
        words = (*self.contract.run, *(self.contract.lenient if lenient else ()))
        (folder / "output").mkdir()
        return self.start(words, folder / "input", folder / "output")

    def serve(self, records: RecordSet, chosen: Sequence[str], folder: Path, held: Held) -> None:
        """Answer as a server that is loaded before there is a record; its model is gone by then."""
        for name in ("input", "output"):
            (folder / name).mkdir()
        argv = self.contract.command(self.contract.run, data=str(folder / "input"), output=str(folder / "output"))
        command = (*WALLS, "--bind", str(folder), str(folder), str(program("invoke.c", folder)))
        words, env = [*command, "hold", "60", sys.executable, *argv[1:]], {**os.environ, WAITS: "1"}
        with subprocess.Popen(words, cwd=self.home, env=env, pass_fds=held.passed) as process:
            held.until_loaded()
            shutil.rmtree(self.home / "model")
            lay(folder / "input", self.contract.lay(records, chosen))
            held.let_go()
            assert process.wait() == 0


@pytest.fixture(scope="module", params=SAMPLED, ids=str)
def trained(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Entry:
    folder = tmp_path_factory.mktemp("trained")
    trained_entry = Entry(folder / "entry", request.param)
    data(folder / "training", request.param, 1, 8)
    done = trained_entry.start(trained_entry.contract.train, folder / "training", folder / "training")
    assert done.returncode == 0, done.stderr
    return trained_entry


@pytest.fixture
def entry(trained: Entry, tmp_path: Path) -> Entry:
    """An entry with its model, which a test may remove."""
    copied = Entry(tmp_path / "entry", trained.name)
    shutil.copytree(trained.home, copied.home, dirs_exist_ok=True)
    return copied


def test_every_year_has_an_entry_and_sample_data() -> None:
    assert set(SAMPLED) == set(ENTRIES) == {name for name in ContractName if name.value.startswith("physionet-")}


@pytest.mark.slow
def test_record_by_record_an_entry_leaves_the_years_files(entry: Entry, held: Held, tmp_path: Path) -> None:
    assert entry.contract.waits is (entry.name is not ContractName.PHYSIONET_2021)  # its models depend on the record
    records = data(tmp_path / "hidden", entry.name, FIRST, COUNT)
    answers = tmp_path / "answers"
    for n in (0, 2):
        room = tmp_path / f"room{n}"
        room.mkdir()
        if n and entry.contract.waits:
            entry.serve(records, records.records[n : n + 1], room, held)
        else:
            done = entry.answer(records, records.records[n : n + 1], room)
            assert done.returncode == 0, done.stderr
        left, record = room / "output", records.records[n]
        if entry.contract.taken is not None:
            assert entry.contract.taken(left, record, room / "taken") == ""
            left = room / "taken"
        name = TERMS[entry.name].keys["answers"]["files"][0].format(record=record)
        check(entry.name, record, (left / name).read_text(), positive=n == 0)
        (answers / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(left / name, answers / name)
    if entry.contract.merge is not None:
        (tmp_path / "merged").mkdir()
        entry.contract.merge(records, answers, tmp_path / "merged")
        (table,) = (tmp_path / "merged").iterdir()
        with table.open() as file:
            names = [row["BidsFolder"] for row in csv.DictReader(file)]
        assert names == ["sub-S000100101", "sub-S000100103"]


def check(contract: ContractName, record: str, text: str, *, positive: bool) -> None:
    """An answer, to the letter of the year."""
    lines = text.splitlines()
    high, low = ("1", "0") if positive else ("0", "1")
    likely, unlikely = ("0.9", "0.1") if positive else ("0.1", "0.9")
    if contract in (ContractName.PHYSIONET_2020, ContractName.PHYSIONET_2021):
        assert lines == [f"#{record}", "164889003,426783006", f"{high},{low}", f"{likely},{unlikely}"]
    elif contract is ContractName.PHYSIONET_2022:
        row = f"{high},0,{low},{high},{low}"
        assert lines == [f"#{record}", "Present,Unknown,Absent,Abnormal,Normal", row, row]
    elif contract is ContractName.PHYSIONET_2023:
        outcome, cpc = ("Poor", "5.000") if positive else ("Good", "1.000")
        probability = f"Outcome Probability: {likely}00"
        assert lines == [f"Patient: {record}", f"Outcome: {outcome}", probability, f"CPC: {cpc}"]
    elif contract is ContractName.PHYSIONET_2024:
        assert lines[0].split() == [record, "12", "500", "250"]
        assert lines[-1] == "# Labels: MI" and f"# Image: {record}-0.png" in text and text.count("Labels") == 1
    elif contract is ContractName.PHYSIONET_2025:
        assert lines == [record, f"# Chagas label: {positive}", f"# Chagas probability: {likely}"]
    else:
        assert lines[0].endswith("BMI,Cognitive_Impairment,Cognitive_Impairment_Probability")
        assert len(lines) == 2 and lines[1].endswith(",True,0.9") and record.endswith(f"{lines[1].split(',')[2]}_ses-1")


@pytest.mark.slow
def test_failure_ends_the_run_unless_the_year_or_the_organiser_lets_it(entry: Entry, tmp_path: Path) -> None:
    if entry.name in (ContractName.PHYSIONET_2020, ContractName.PHYSIONET_2022, ContractName.PHYSIONET_2023):
        assert entry.contract.lenient == () and not TERMS[entry.name].may_fail
        return
    if entry.name is ContractName.PHYSIONET_2021:  # which never ends
        data(tmp_path / "training", entry.name, 1, 8)
        header = (tmp_path / "training/r0001.hea").read_text().replace("r0001 12", "fail 12")
        (tmp_path / "training/r0001.hea").write_text(header)
        records = record_set(tmp_path / "training", TERMS[entry.name].keys["inputs"])
        done = entry.answer(records, records.records[:2], tmp_path)
        assert done.returncode == 0 and "... failed" in done.stdout, done.stderr
        assert (tmp_path / "output/r0001.csv").read_text() == "#fail\n\n\n\n"
        return
    records = data(tmp_path / "hidden", entry.name, FIRST, COUNT)
    for lenient in (False, True):
        room = tmp_path / f"room-{lenient}"
        room.mkdir()
        done = entry.answer(records, records.records[1:3], room, lenient=lenient)
        assert (done.returncode == 0) is lenient and "on purpose" in done.stderr + done.stdout
    left = {path.name: path for path in (room / "output").rglob("*") if path.is_file()}
    if entry.name is ContractName.PHYSIONET_2024:
        assert "Labels" not in left["r0102.hea"].read_text() and "r0102.dat" not in left
        assert "r0103.dat" in left
    elif entry.name is ContractName.PHYSIONET_2025:
        assert left["r0102.txt"].read_text().endswith("# Chagas label: nan\n# Chagas probability: nan\n")
        assert "True" not in left["r0102.txt"].read_text() and "r0103.txt" in left
    else:
        first, second = left["demographics.csv"].read_text().splitlines()[1:]
        assert first.endswith(",,") and second.endswith("0.9")
