"""A receipt from issue to verification, by this program and by OpenSSL and OpenSSH alone."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.types import Challenge
from evaluate.config.load import load_config
from evaluate.core import codec
from evaluate.core.model import (
    Entry,
    Evaluation,
    MachineParts,
    Note,
    RecordOutcome,
    Score,
    Stage,
    StageOutcome,
    StageResult,
    Usage,
    Verdict,
)
from evaluate.receipts.envelope import read_envelope
from evaluate.receipts.issue import LOG, Issued, Registry
from evaluate.receipts.statement import Committer, secret_of
from evaluate.receipts.verify import receipt_line
from evaluate.untrusted.packing import pack
from evaluate.untrusted.selection import select
from tests.conftest import CHECKOUT
from tests.support.evaluations import MACHINE
from tests.support.receipts import EVALUATION, HIDDEN, Evaluate, issue
from tests.support.scorers import written

DOCUMENT = CHECKOUT / "docs" / "receipts.md"
SECRETS = ("hidden-17", "4300000123", "secret of a record")


CINC = load_challenge("cinc2017")


@pytest.fixture
def evaluation(tmp_path: Path) -> Evaluation:
    archive = written(tmp_path, {"entry.zip": b"an entry"}) / "entry.zip"
    record = RecordOutcome(
        record="hidden-17", verdict=Verdict.OK, usage=Usage(instructions=4_300_000_123), message="secret of a record"
    )
    exam = StageResult(stage=Stage.EXAM, verdict=Verdict.OK, usage=record.usage, records=(record,))
    score = Score(
        primary="F1", values={"F1": 0.1 + 0.2}, official={}, notes=(Note(text=SECRETS[2], record="hidden-17"),)
    )
    judged = StageOutcome(result=StageResult(stage=Stage.SCORE, verdict=Verdict.OK), score=score)
    entry = Entry(archive=archive, sha256=_sha256(archive), size=8)
    return replace(EVALUATION, entry=entry, outcomes=(StageOutcome(result=exam, machine=MACHINE), judged))


@pytest.fixture
def issued(registry: Registry, evaluation: Evaluation) -> Issued:
    return registry.issue(evaluation, CINC, HIDDEN)


def _sha256(path: Path) -> str:
    return subprocess.run(["sha256sum", path], capture_output=True, text=True, check=True).stdout.split()[0]


def test_a_receipt_is_whole_and_has_nothing_that_is_hidden(tmp_path: Path, issued: Issued, evaluate: Evaluate) -> None:
    text = json.dumps(read_envelope(issued.receipt.read_bytes(), "it").statement)
    assert not [secret for secret in SECRETS if secret in text]
    predicate = json.loads(text)["predicate"]
    assert predicate["score"]["values"] == {"F1": "0.30000000000000004"}
    assert set(predicate["withheld"]) == {"exam", "numbers"} and len(predicate["withheld"]["exam"]["records"]) == 1
    done = evaluate("verify", issued.receipt, "--entry", tmp_path / "entry.zip", "--json")
    values = json.loads(done.stdout)
    assert (done.exit_code, values["ok"]) == (0, True)
    assert {finding["what"]: finding["ok"] for finding in values["findings"]} == dict.fromkeys(
        ("signature", "format", "entry", "log"), True
    )


def test_the_organiser_opens_a_single_record(tmp_path: Path, issued: Issued, evaluate: Evaluate) -> None:
    openings = json.loads((issued.folder / "openings.json").read_text())
    (record,) = [opening for opening in openings if opening["label"].startswith("record 0 of exam")]
    assert record["value"]["instructions"] == 4_300_000_123
    alone = tmp_path / "one.json"
    alone.write_text(json.dumps([record]))
    assert "as committed" in evaluate("verify", issued.receipt, "--openings", alone, code=0).stdout
    alone.write_text(json.dumps([{**record, "value": {**record["value"], "instructions": 5}}]))
    assert "not what the receipt commits to" in evaluate("verify", issued.receipt, "--openings", alone, code=1).stdout


def test_the_same_references_have_the_same_commitment_and_others_another(
    tmp_path: Path, registry: Registry, evaluation: Evaluation
) -> None:
    def committed(rules: Challenge) -> str:
        data = registry.issue(evaluation, rules, HIDDEN).receipt.read_bytes()
        return str(read_envelope(data, "it").statement["predicate"]["challenge"]["references"])

    changed = tmp_path / "REFERENCE.csv"
    changed.write_text("A00001,N\n")
    other = CINC.with_records(exam=replace(CINC.exam, references=changed))
    assert committed(CINC) == committed(CINC) != committed(other)
    assert Committer(b"a").commit("x", "N") != Committer(b"b").commit("x", "N")
    committer = Committer(secret_of(tmp_path / "state" / "keys" / "salt"))
    commitment = committer.commit("x", {"b": 1, "a": "N"})
    opening = committer.opened["x"]
    assert replace(opening, value={"a": "N", "b": 1}).commitment == commitment
    other_value = committer.commit("x", {"a": "O", "b": 1})
    assert replace(opening, value={"a": "O", "b": 1}).commitment != other_value, "it opens no other value, even guessed"


@pytest.mark.skipif(shutil.which("jq") is None, reason="this machine has no jq")
def test_commands_of_the_documentation_run(tmp_path: Path, issued: Issued, evaluate: Evaluate) -> None:
    folder = tmp_path / "participant"
    shutil.copytree(issued.folder, folder)
    shutil.copy(tmp_path / "entry.zip", folder)
    (folder / "public.json").write_text(evaluate("key", "list").stdout)
    (folder / "allowed_signers").write_text(evaluate("key", "list", "--ssh").stdout)
    blocks = re.findall(r"```sh\n(.*?)```", DOCUMENT.read_text(), flags=re.S)
    assert len(blocks) == 8
    (trial,) = (block for block in blocks if block.startswith("evaluate try"))
    blocks.remove(trial)  # in the next test
    blocks.remove("evaluate board verify cinc2017 --receipts site --key public.json\n")  # in test_board_verification.py
    for block in blocks:
        if block.startswith("evaluate"):
            for line in block.splitlines():
                words = [folder / word if "." in word or word == "site" else word for word in line.split()[1:]]
                evaluate(*words, code=0)
        else:
            ran = subprocess.run(["sh", "-euc", block], cwd=folder, capture_output=True, text=True, check=False)
            assert ran.returncode == 0, ran.stderr
            assert "Signature Verified Successfully" in ran.stdout or 'Good "evaluate-receipt" signature' in ran.stdout
    (folder / "receipt.json").write_bytes(
        (folder / "receipt.json").read_bytes().replace(b'"payload":"ey', b'"payload":"eg')
    )
    for block in (line for line in blocks if not line.startswith("evaluate")):
        assert subprocess.run(["sh", "-euc", block], cwd=folder, capture_output=True, check=False).returncode != 0


def test_a_reader_of_the_documentation_makes_a_receipt_to_check(tmp_path: Path, evaluate: Evaluate) -> None:
    (block,) = re.findall(r"```sh\n(evaluate try .*?)```", DOCUMENT.read_text(), flags=re.S)
    (tmp_path / "challenges").symlink_to(CHECKOUT / "challenges")
    program = f'evaluate() {{ {shlex.quote(sys.executable)} -m evaluate "$@"; }}\n'
    environment = {**os.environ, "EVALUATE_STATE": str(tmp_path / "state")}
    (tmp_path / "state").mkdir()
    done = subprocess.run(
        ["sh", "-euc", program + block], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "entry: sample_entry.tar.gz is the archive that was evaluated" in done.stdout  # not where it was packed


def test_configuration_of_the_documentation_is_read(tmp_path: Path) -> None:
    (text,) = re.findall(r"```yaml\n(challenges:.*?)```", DOCUMENT.read_text(), flags=re.S)
    (tmp_path / "evaluate.yaml").write_text(text)
    assert load_config(tmp_path).challenges["cinc2017"].receipts == "published"


def test_a_removed_log_takes_its_receipts_with_it_and_a_new_one_begins(tmp_path: Path, issued: Issued) -> None:
    shutil.rmtree(tmp_path / "state" / LOG)
    second = issue(Registry(tmp_path / "state"))
    assert (issued.number, second.number) == (0, 0)
    assert second.receipt.is_file()


def test_a_receipt_says_all_that_a_machine_consists_of(registry: Registry, evaluation: Evaluation) -> None:
    texts: dict[str, Any] = {field.name: f"its {field.name}" for field in fields(MachineParts)}
    parts = MachineParts(**{**texts, "libvirt": 11_000_000, "cpu_disabled": ("avx",), "tolerance": 1e-3})
    exam, score = evaluation.outcomes
    there = replace(MACHINE, parts=parts, layers=("d4",), isolation="snapshot", processor="a CPU", host="red")
    quiz = StageOutcome(
        result=StageResult(stage=Stage.QUIZ, verdict=Verdict.OK, usage=Usage(instructions=12)),
        machine=replace(there, host="green"),
    )
    exam = replace(exam, machine=there)
    queued = replace(evaluation, outcomes=(quiz, exam, score), identity="e1", number=7, attempt=2, team="red")
    data = registry.issue(queued, CINC, HIDDEN).receipt.read_bytes()
    told = read_envelope(data, "it").statement["predicate"]
    machine, before = told["machine"], told["other_machines"]["quiz"]
    assert machine["parts"] == {**codec.to_json(parts), "tolerance": "0.001"}
    assert (machine["layers"], machine["isolation"], machine["processor"]) == (["d4"], "snapshot", "a CPU")
    assert (machine["host"], before["host"]) == ("red", "green")
    assert told["entry"].items() >= {"id": "e1", "number": 7, "attempt": 2, "team": "red"}.items()
    assert len(told["evaluator"]["sha256"]) == 64 and told["challenge"]["mode"] == "set"
    assert told["stages"][0]["usage"]["instructions"] == 12


def test_a_folder_is_compared_as_it_was_packed(tmp_path: Path, registry: Registry, evaluate: Evaluate) -> None:
    folder = written(tmp_path / "mine", {"answers.csv": "A1,N\n"})
    archive = pack(select(folder, all_files=False), tmp_path / "mine.tar.gz")
    entry = Entry(archive=archive, sha256=_sha256(archive), size=1)
    receipt = issue(registry, replace(EVALUATION, entry=entry)).receipt
    for sent in (archive, folder):
        assert evaluate("verify", receipt, "--entry", sent).exit_code == 0
    (folder / "answers.csv").write_text("A1,O\n")
    assert evaluate("verify", receipt, "--entry", folder).exit_code == 1


def test_report_names_the_receipt_and_its_page_says_what_is_proven_what_is_not_and_by_whom(
    tmp_path: Path, issued: Issued, evaluate: Evaluate
) -> None:
    line = receipt_line(issued.receipt)
    assert (line.number, line.sha256) == (issued.number, _sha256(issued.receipt))
    assert line.key in evaluate("key", "list").stdout
    file = tmp_path / "page.html"
    assert evaluate("verify", issued.receipt, "--html", file).exit_code == 0
    text = file.read_text()
    wanted = ("signed this statement", "the organiser, who holds the key", "Not checked", "What a receipt cannot prove")
    stated = ("What the organiser states", "Ended 20", "Withheld, but bound")
    assert [words for words in (*wanted, *stated) if words not in text] == []
    assert (text.count("Shown by"), "nobody signed" in text) == (2, False), "signature and log alone are proven"
    assert evaluate("verify", issued.receipt, "--entry", file, "--html", file).exit_code == 1
    assert "What is proven" not in file.read_text()
    mine = shutil.copytree(issued.folder, tmp_path / "mine") / "receipt.json"
    mine.write_bytes(mine.read_bytes().replace(b'"sig":"', b'"sig":"AAAA', 1))
    assert evaluate("verify", mine, "--html", file).exit_code == 1
    text = file.read_text()
    assert "Failed checks" in text and "a receipt that nobody signed" in text
    assert not [words for words in ("What is proven", *stated) if words in text]
    assert "<script" not in text and "http" not in text.replace("http://www.w3.org", "")
