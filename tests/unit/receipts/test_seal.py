"""A challenge is stated before its first entry; what changes later shows in receipts and on the board."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from evaluate.authoring.contract_samples import write_challenge
from evaluate.authoring.skeleton import write_skeleton
from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.contract import ContractName
from evaluate.config.challenge.types import Kind
from evaluate.config.load import load_config
from evaluate.core.errors import UsageError
from evaluate.core.files import data_folder
from evaluate.home.public_folder import public_files
from evaluate.receipts.envelope import read_envelope
from evaluate.receipts.exam_data import exam_data, judge_digest
from evaluate.receipts.issue import Registry
from evaluate.receipts.statement import Committer, challenge_digests
from tests.conftest import CHECKOUT
from tests.support.challenges import two_exams
from tests.support.receipts import EVALUATION, HIDDEN, Evaluate, issue
from tests.support.scorers import written


@pytest.fixture
def hearts(tmp_path: Path) -> Path:
    return Path(shutil.copytree(data_folder("challenges") / "cinc2017", tmp_path / "hearts"))


def seal_in(receipt: Path) -> dict[str, Any] | None:
    digests: dict[str, Any] = read_envelope(receipt.read_bytes(), "it").statement["predicate"]["challenge"]
    return digests.get("seal")


def test_a_seal_is_a_receipt_of_a_challenge_that_says_nothing_hidden(
    tmp_path: Path, hearts: Path, registry: Registry, evaluate: Evaluate
) -> None:
    assert seal_in(issue(registry, challenge=str(hearts)).receipt) is None
    done = evaluate("challenge", "seal", hearts, "--json")
    told = json.loads(done.stdout)
    assert (told["number"], told["before"]) == (1, {"receipts": 1, "entries": 0})
    exam = load_challenge(str(hearts)).exam
    assert not [name for name in exam.records if name in done.stdout]
    seen, page = evaluate("verify", told["file"], code=0).stdout, tmp_path / "seal.html"
    assert "states what hearts was" in seen and "entry:" not in seen
    openings = Path(told["file"]).with_name("openings.json")
    assert evaluate("verify", told["file"], "--openings", openings, "--html", page).exit_code == 0
    assert "What a receipt cannot prove" not in page.read_text()
    assert "after 1 entry (number 1 of the log)" in evaluate("challenge", "seal", hearts, code=0).stdout


@pytest.mark.parametrize(
    ("pattern", "named"),
    [
        ("sample_data/test/REFERENCE.csv", "references"),
        ("sample_data/test/*.hea", "data"),
        ("challenge.yaml", "rules"),
    ],
)
def test_what_changes_after_the_seal_shows_in_receipts_and_on_the_board(
    tmp_path: Path, hearts: Path, registry: Registry, evaluate: Evaluate, pattern: str, named: str
) -> None:
    assert "before the first entry (number 0 of the log)" in evaluate("challenge", "seal", hearts, code=0).stdout
    before = issue(registry, challenge=str(hearts)).receipt
    unchanged = seal_in(before)
    assert unchanged is not None and (unchanged["number"], unchanged["changed"]) == (0, [])
    seen = evaluate("verify", before).stdout
    assert "ok          challenge: as sealed, number 0 of the log" in seen and "was not the one" not in seen
    changed_file = min(hearts.glob(pattern))
    changed_file.write_bytes(changed_file.read_bytes() + b"\n")
    after = issue(registry, challenge=str(hearts)).receipt
    changed = seal_in(after)
    assert changed is not None and named in changed["changed"]
    checked = evaluate("verify", after)
    assert checked.exit_code == 1 and f"not what was sealed as number 0 of the log: {named}" in checked.stdout
    assert "The challenge was not the one that was sealed." in checked.stdout
    assert f"CHANGED since: {named}" in evaluate("board", hearts).stdout
    page = tmp_path / "board.html"
    evaluate("board", hearts, "--html", page)
    assert f"CHANGED since: {named}" in page.read_text()
    assert f"has changed since: {named}" in evaluate("challenge", "seal", hearts, code=2).output
    told = json.loads(evaluate("challenge", "seal", hearts, "--replace", "--json").stdout)
    assert (told["replaces"], named in told["changed"], told["before"]["receipts"]) == (0, True, 2)


# what a rank depends on


@pytest.mark.parametrize(
    ("before", "after", "named"),
    [
        ("{attempts: 3}", "{attempts: 9}", "terms"),
        ("{phases: [{name: a, ends: 2026-05-01}]}", "{phases: [{name: a, ends: 2026-06-01}]}", "terms"),
        ("{scores: withheld}", "{scores: released}", "scores"),
        ("{charge_dry_runs: false}", "{charge_dry_runs: true}", "terms"),
    ],
)
def test_rules_of_the_board_in_evaluate_yaml_are_sealed(
    tmp_path: Path, evaluate: Evaluate, before: str, after: str, named: str
) -> None:
    state = written(tmp_path / "state", {"evaluate.yaml": f"challenges: {{cinc2017: {before}}}\n"})
    assert evaluate("challenge", "seal", "cinc2017").exit_code == 0
    assert "nothing changed since" in evaluate("board", "cinc2017").stdout
    (state / "evaluate.yaml").write_text(f"challenges: {{cinc2017: {after}}}\n")
    assert f"CHANGED since: {named}" in evaluate("board", "cinc2017").stdout
    challenge = load_challenge("cinc2017")
    board = load_config(state).terms("cinc2017").sealed(challenge.board)
    issued = Registry(state).issue(EVALUATION, challenge, HIDDEN, board=board)
    seal = seal_in(issued.receipt)
    assert seal is not None and seal["changed"] == [named]


def test_the_code_of_an_installed_metric_of_another_distribution_is_sealed(
    hearts: Path, evaluate: Evaluate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    about = "Metadata-Version: 2.1\nName: pulse\nVersion: 1.0\nRequires-Dist: click>=8\n"
    files = {
        "pulse-1.0.dist-info/METADATA": about,
        "pulse-1.0.dist-info/entry_points.txt": "[evaluate.metrics]\npulse = pulse_metric.rate:METRIC\n",
        "pulse_metric/__init__.py": "",
        "pulse_metric/rate.py": "raise RuntimeError('nobody imports it for a seal')\n",
        "pulse_metric/helper.py": "FACTOR = 1\n",
    }
    monkeypatch.syspath_prepend(str(written(tmp_path / "site", files)))
    text = (hearts / "challenge.yaml").read_text()
    (hearts / "challenge.yaml").write_text(text.replace("metric: cinc2017", "metric: pulse"))
    told = json.loads(evaluate("challenge", "seal", hearts, "--json").stdout)
    assert told["challenge"]["metric"]["name"] == "pulse"
    assert {"pulse": "1.0"}.items() <= told["challenge"]["libraries"].items()
    assert {"numpy", "click"} <= set(told["challenge"]["libraries"])
    assert "nothing changed since" in evaluate("board", hearts).stdout
    written(tmp_path / "site", {"pulse_metric/helper.py": "FACTOR = 2\n"})
    assert "CHANGED since: metric" in evaluate("board", hearts).stdout


@pytest.mark.parametrize("metric", ["no-such-metric", "missing.py"])
def test_a_metric_that_does_not_exist_is_not_sealed(metric: str, hearts: Path, registry: Registry) -> None:
    challenge = replace(load_challenge(str(hearts)), metric=metric)
    with pytest.raises(UsageError, match="does not exist, so nothing is sealed"):
        registry.seal(challenge)
    assert registry.log.size == 0


def test_every_exam_is_sealed_and_receipts_are_compared_by_their_own(tmp_path: Path, registry: Registry) -> None:
    challenge = load_challenge(str(two_exams(tmp_path / "hearts")))
    sealed = registry.seal(challenge)
    assert set(sealed.digests["exams"]["final"]) == {"records", "references", "data"}

    def changed(exam: str) -> tuple[str | None, list[str]]:
        judged = challenge.with_exam(exam)
        issued = registry.issue(EVALUATION, judged, HIDDEN, exam=registry.exam_data(judged))
        stated = read_envelope(issued.receipt.read_bytes(), "it").statement["predicate"]["challenge"]
        return stated.get("exam"), stated["seal"]["changed"]

    assert [changed(exam) for exam in ("exam", "final")] == [(None, []), ("final", [])]
    labels = challenge.folder / "sample_data" / "final" / "REFERENCE.csv"
    labels.write_text(labels.read_text().replace("N", "A"))
    assert [changed(exam) for exam in ("exam", "final")] == [(None, []), ("final", ["references"])]
    now = registry.seal_now(challenge)
    assert now is not None and now.changed == ("exams",)


def test_a_folder_may_move_and_a_challenge_be_renamed(tmp_path: Path, hearts: Path, registry: Registry) -> None:
    registry.seal(load_challenge(str(hearts)))
    hearts.rename(tmp_path / "other")
    moved = replace(load_challenge(str(tmp_path / "other")), name="hearts")
    assert registry.seal(moved).number == 0, "the same seal"
    registry.rename("hearts", "cardio")
    renamed = replace(moved, name="cardio")
    assert registry.seal(renamed).number == 0
    issued = registry.issue(replace(EVALUATION, challenge="cardio"), renamed, HIDDEN)
    stated = read_envelope(issued.receipt.read_bytes(), "it").statement["predicate"]["challenge"]
    assert (stated["name"], stated["seal"]["number"], stated["seal"]["changed"]) == ("cardio", 0, [])


# Receipts name scorers and contracts; the digest of a scorer is that of everything that a score depends on.


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_skeleton(tmp_path / "own", Kind.ANSWERS, scorer=True)
    return tmp_path / "own"


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("scorer/score.py", "LABELS = ", "LABELS  = "),
        ("challenge.yaml", "direction: larger", "direction: smaller"),
        ("challenge.yaml", "wall_seconds: 300", "wall_seconds: 301"),
    ],
)
def test_whatever_changes_a_score_changes_the_digests(
    folder: Path, tmp_path: Path, file: str, old: str, new: str
) -> None:
    before = load_challenge(str(folder))
    digests = judge_digest(before), exam_data(before, tmp_path / "kept").digest
    path = folder / file
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    after = load_challenge(str(folder))
    assert judge_digest(after) != digests[0] and exam_data(after, tmp_path / "kept").digest != digests[1]


def test_receipt_names_the_scorer_which_is_public_unless_the_exam_is_hidden(folder: Path) -> None:
    challenge = load_challenge(str(folder))
    digests = challenge_digests(challenge, Committer(secret=b"0" * 32))
    assert digests["scorer"] == {"form": "command", "contract": "1", "image": "bookworm"}
    assert digests["metric"] == {"name": "scorer:command", "sha256": judge_digest(challenge)}
    assert "scorer/score.py" in dict(public_files(challenge))
    path = folder / "challenge.yaml"
    path.write_text(path.read_text().replace("exam: {", "exam: {hidden: true, "))
    with pytest.raises(UsageError, match="may say what is hidden"):
        list(public_files(load_challenge(str(folder))))


def test_receipt_names_the_contract_as_the_schema_has_it(tmp_path: Path) -> None:
    write_challenge(tmp_path, ContractName.PHYSIONET_2025)
    stated = challenge_digests(load_challenge(str(tmp_path)), Committer(bytes(32)))
    assert stated["contract"] == {"name": "physionet-2025", "version": "physionetchallenges.github.io@3d2f23d6"}
    assert "contract" not in challenge_digests(load_challenge("cinc2017"), Committer(bytes(32)))
    schema = json.loads((CHECKOUT / "docs" / "receipt.schema.json").read_text())
    described = schema["$defs"]["challenge"]["properties"]
    assert set(stated) <= set(described)
    for name, wrong in (("contract", {"name": "physionet-2025"}), ("libraries", {"numpy": 2})):
        check = Draft202012Validator(described[name])
        assert check.is_valid(stated[name]) and not check.is_valid(wrong)
