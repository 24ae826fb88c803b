"""A board is calculated again from receipts: in its state directory, and by a stranger from a published site alone.

What was changed in either is named.
"""

import base64
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from click.testing import Result
from jsonschema import Draft202012Validator

from evaluate.config.challenge.cache import load_challenge
from evaluate.config.load import load_config
from evaluate.config.terms import Scores
from evaluate.receipts.issue import Registry
from evaluate.receipts.statement import EVENT_TYPE, SEAL_TYPE
from evaluate.store.db.tables import SCORES
from evaluate.views.board import BoardRow
from evaluate.views.board_verification import differences
from tests.conftest import CHECKOUT
from tests.support.commands import printed, run
from tests.support.queues import CHALLENGE, queue, run_stages, sign, submitted
from tests.unit.views.test_board import around

pytestmark = pytest.mark.slow

REST: Any = {"wall_seconds": 0.0, "attempts": 1, "entry": "e1"}
TEAMS = {"red": 0.8, "green": 0.7, "blue": 0.8, "grey": None}


def season(folder: Path, scores: Scores, *, sealed: bool = False) -> Path:
    """The state directory of a challenge whose four entries have ended."""
    state = folder / "state"
    with queue(state) as store:
        (state / "evaluate.yaml").write_text(
            f"challenges:\n  {CHALLENGE}:\n    receipts: published\n    scores: {scores.value}\n"
            f"    phases: [{{name: spring, begins: 2020-01-01, ends: 2099-01-01}}]\n"
        )
        config = load_config(state)
        if sealed:
            assert run(state, "challenge", "seal", CHALLENGE).exit_code == 0
        submitted(store, *TEAMS)
        for entry in store.next_entries(len(TEAMS)):
            run_stages(store, state, entry, TEAMS[entry.team], **around(TEAMS[entry.team]))
            sign(store, state, store.entry(entry.id), config)
    return state


@pytest.fixture(params=[Scores.RELEASED, Scores.WITHHELD])
def state(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    return season(tmp_path, request.param)


def verify(state: Path, *argv: str) -> Result:
    return run(state, "board", "verify", CHALLENGE, *argv)


@pytest.mark.parametrize(("column", "receipts"), [("value", "3"), ("high", "0.72")])
def test_changed_score_or_interval_is_named(state: Path, column: str, receipts: str) -> None:
    with queue(state) as store, store.engine.begin() as connection:
        connection.execute(sa.update(SCORES).where(SCORES.c.value == 0.7).values({column: 0.9}))
    shown = {"value": "rank 1", "high": "high 0.9"}[column]
    done = verify(state)
    line = f"team green in phase spring: the board says {shown}, the receipts say {receipts}"
    assert (done.exit_code, line in done.stdout) == (1, True), done.output


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        ("1/receipt.json", '"sig":"', '"sig":"AAAA', "1: signature: made by none of the keys"),
        ("0/openings.json", '"0.8"', '"0.9"', "not what the receipt commits to"),
        ("2", "", "", "it counts by attempt 1, which has no receipt"),
    ],
)
def test_changed_or_missing_receipt_is_named(state: Path, file: str, old: str, new: str, expected: str) -> None:
    path = state / "receipt-log" / "receipts" / file
    if path.is_dir():
        path.rename(state / "elsewhere")
    else:
        path.write_text(path.read_text().replace(old, new, 1))
    done = verify(state)
    assert (done.exit_code, expected in done.stdout) == (1, True), done.output


def test_a_board_does_not_count_what_a_revoked_key_signed(state: Path) -> None:
    name = Registry(state).signer().public.id
    printed(state, "key", "revoke", name, "--since", "2026-01-01")
    done_again = verify(state)
    assert done_again.exit_code == 1
    assert "which was not valid at the time that is stated" in done_again.stdout
    assert "team red in phase spring: no receipt gives it the place that the board shows" in done_again.stdout


def test_receipts_under_an_earlier_name_of_the_challenge_count(state: Path) -> None:
    folder = shutil.copytree(load_challenge(CHALLENGE).folder, state / "cardio")
    (state / "evaluate.yaml").write_text(f"challenges: {{cardio: {{folder: {folder}}}}}\n")
    assert run(state, "challenge", "rename", CHALLENGE, "cardio").exit_code == 0
    done = run(state, "board", "verify", "cardio")
    assert (done.exit_code, "are those of 4 receipts" in done.stdout) == (0, True), done.output


@pytest.fixture
def site(tmp_path: Path) -> Path:
    state = season(tmp_path, Scores.RELEASED)
    assert run(state, "log", "export", tmp_path / "site").exit_code == 0
    return tmp_path / "site"


def verified(site: Path, *argv: str) -> Result:
    empty = site.parent / "empty"
    shutil.rmtree(empty, ignore_errors=True)
    keys = ("--key", site / "public.json")
    return run(empty, "board", "verify", CHALLENGE, "--receipts", site, *keys, *argv)


def test_a_stranger_calculates_the_board_again(site: Path) -> None:
    done = verified(site)
    assert done.exit_code == 0, done.output
    assert "4 places: ranks, scores, ties and intervals are those of 4 receipts in the log" in done.stdout
    told = json.loads(verified(site, "--json").stdout)
    ranks = {row["team"]: (row["rank"], row["phase"]) for row in told["places"]}
    assert (told["ok"], ranks["red"], ranks["green"]) == (True, (1, "spring"), (3, "spring"))
    assert not list((site.parent / "empty").iterdir()), "nothing was made"


def test_a_stranger_finds_baselines(tmp_path: Path) -> None:
    state = season(tmp_path, Scores.RELEASED)
    assert run(state, "challenge", "seal", CHALLENGE).exit_code == 0
    for argv in (["team", "baseline", "red"], ["log", "export", str(tmp_path / "site")]):
        assert run(state, *argv).exit_code == 0
    done = verified(tmp_path / "site", "--json")
    assert done.exit_code == 0, done.output
    places = {row["team"]: row for row in json.loads(done.stdout)["places"]}
    assert (places["red"]["rank"], places["red"]["baseline"], places["blue"]["rank"]) == (None, True, 1)
    board = tmp_path / "site" / "boards" / f"{CHALLENGE}.json"
    stated = json.loads(base64.b64decode(json.loads(board.read_bytes())["payload"]))
    Draft202012Validator(json.loads((CHECKOUT / "docs" / "receipt.schema.json").read_text())).validate(stated)
    assert run(state, "board", "verify", CHALLENGE).exit_code == 0


def a_score(site: Path) -> str:
    file = site / "boards" / f"{CHALLENGE}.json"
    told = json.loads(file.read_bytes())
    payload = base64.b64decode(told["payload"]).replace(b'"score":"0.7"', b'"score":"0.9"')
    file.write_text(json.dumps({**told, "payload": base64.b64encode(payload).decode()}))
    return "expected a signature by a key that was valid then"


def a_tile(site: Path) -> str:
    file = site / "tile" / "0" / "000.p" / "4"
    file.write_bytes(file.read_bytes()[:-1] + b"\0")
    return "the first 4 receipts are not those of the newest checkpoint"


def the_keys(site: Path) -> str:
    (site / "public.json").write_text(printed(site.parent / "other", "key", "list"))
    return "expected a signature by a key that was valid then"


def a_statement(site: Path) -> str:
    file = site / "receipts" / "0" / "receipt.json"
    told = json.loads(file.read_bytes())
    statement = json.loads(base64.b64decode(told["payload"])) | {"predicate": {}}
    file.write_text(json.dumps({**told, "payload": base64.b64encode(json.dumps(statement).encode()).decode()}))
    return "receipt.json: expected the receipt of an evaluation, found KeyError: 'challenge'"


def a_proof(site: Path) -> str:
    (site / "receipts" / "0" / "receipt.json.tlog-proof").write_bytes(b"\xff")
    return "receipt.json.tlog-proof: expected text, found bytes that are no UTF-8"


def test_second_place_of_a_team_is_a_difference() -> None:
    first = BoardRow(phase="", rank=1, team="red", score=0.9, low=None, high=None, tied="", instructions=0, **REST)
    assert list(differences([first], [first])) == []
    (problem,) = differences([replace(first, score=1.0), first], [first])
    assert problem == "the board has more than one place for a team in a phase"


def a_name(site: Path) -> str:
    (site / "receipts" / "2").rename(site / "receipts" / "02")  # a number that the log does not check
    return "it counts by attempt 1, which has no receipt"


def a_stranger(site: Path, kind: str) -> str:
    """A statement that nobody signed, with nothing in it."""
    statement = base64.b64encode(json.dumps({"predicateType": kind, "predicate": {}}).encode()).decode()
    (site / "receipts" / "9").mkdir()
    envelope = {"payload": statement, "payloadType": "x", "signatures": []}
    (site / "receipts" / "9" / "receipt.json").write_text(json.dumps(envelope))
    return "receipt 9 is not the one in the log"


@pytest.mark.parametrize(
    "change",
    [
        *(a_score, a_tile, the_keys, a_statement, a_proof, a_name),
        partial(a_stranger, kind=SEAL_TYPE),
        partial(a_stranger, kind=EVENT_TYPE),
    ],
)
def test_what_was_changed_is_named(site: Path, change: Callable[[Path], str]) -> None:
    expected = change(site)
    done = verified(site)
    assert done.exit_code in (1, 2)
    assert expected in done.output


def counting_by(state: Path, site: Path, rules: str) -> Result:
    """The site verified by a stranger, after its board counts by other rules."""
    (state / "evaluate.yaml").write_text(
        f"challenges: {{{CHALLENGE}: {{receipts: published, scores: released{rules}}}}}\n"
    )
    printed(state, "log", "export", site)
    return verified(site)


SPRING = ", phases: [{name: spring, begins: 2020-01-01, ends: 2099-01-01}]"
MOVED = ", phases: [{name: spring, begins: 2020-01-01, ends: 2026-01-01}]"


def test_a_board_that_counts_by_other_rules_than_were_sealed_is_wrong(tmp_path: Path) -> None:
    state, site = season(tmp_path, Scores.RELEASED, sealed=True), tmp_path / "site"
    done = counting_by(state, site, SPRING)
    assert done.exit_code == 0, done.output
    for rules, name in ((MOVED, "phases"), (f", attempts: 1{SPRING}", "attempts 1, not 0")):
        done = counting_by(state, site, rules)
        assert done.exit_code == 1, done.output
        assert "the board counts by other rules than its seal" in done.stdout and name in done.stdout
    assert run(state, "challenge", "seal", CHALLENGE, "--replace").exit_code == 0
    done = counting_by(state, site, f", attempts: 1{SPRING}")
    assert done.exit_code == 0, "the seal says what has changed, after four entries: " + done.output
    shutil.rmtree(site / "receipts" / "0")
    done = verified(site)
    assert (done.exit_code, "receipts name the seal number 0, which is missing or invalid" in done.stdout) == (1, True)


def test_a_board_of_a_revoked_key_is_refused(site: Path) -> None:
    """Whoever stole it can sign a board of any date, and no log shows when."""
    state = site.parent / "state"
    key = Registry(state).keys.public()[0]
    assert run(state, "key", "revoke", key.id, "--since", "2099-01-01T00:00:00Z").exit_code == 2
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    assert run(state, "key", "revoke", key.id, "--since", now).exit_code == 0
    board = (site / "boards" / f"{CHALLENGE}.json").read_bytes()
    assert run(state, "log", "export", site).exit_code == 0
    assert verified(site).exit_code in (0, 1), "it is signed again by the new key"
    (site / "boards" / f"{CHALLENGE}.json").write_bytes(board)
    done = verified(site)
    assert (done.exit_code, "expected a signature by a key that" in done.output) == (2, True)


def test_openings_are_published_at_the_end_of_a_season(tmp_path: Path) -> None:
    state, site = season(tmp_path, Scores.WITHHELD), tmp_path / "site"
    assert run(state, "log", "export", site).exit_code == 0
    assert not list(site.rglob("openings*"))
    (state / "receipt-log" / "receipts").rename(tmp_path / "elsewhere")
    assert "no receipt" in run(state, "challenge", "open", CHALLENGE, "--early", code=2).output
    (tmp_path / "elsewhere").rename(state / "receipt-log" / "receipts")
    assert run(state, "log", "export", site).exit_code == 0
    assert verified(site).exit_code == 2, "there is no board of scores that are withheld"
    done = run(state, "challenge", "open", CHALLENGE)
    assert (done.exit_code, "the phase spring has not ended" in done.output) == (2, True)
    printed(state, "challenge", "open", CHALLENGE, "--early")
    assert run(state, "log", "export", site).exit_code == 0
    assert verified(site).exit_code == 0, verified(site).output
    (site / "receipts" / "0" / "openings.json").unlink()
    done = verified(site)
    assert (done.exit_code, "the opening of its numbers is missing" in done.stdout) == (3, True)
    shown = site / "receipts" / "1" / "openings.json"
    shown.write_text(shown.read_text().replace('"0.7"', '"0.9"'))
    assert verified(site).exit_code == 1


def test_one_record_of_one_entry_is_opened_for_an_appeal(tmp_path: Path) -> None:
    state = season(tmp_path, Scores.WITHHELD)
    registry = Registry(state)
    openings = registry.folder(1).folder / "openings.json"
    record = {"label": "record 0 of exam", "salt": "00" * 32, "value": {"record": "A1", "answer": "N"}}
    openings.write_text(json.dumps([*json.loads(openings.read_text()), record]))  # as of a hidden exam
    with queue(state) as store:
        entry = store.entries()[1].id
    assert run(state, "challenge", "open", CHALLENGE, "--record", "B7", "--entry", entry).exit_code == 2
    printed(state, "challenge", "open", CHALLENGE, "--record", "A1", "--entry", entry)
    assert [path.parent.name for path in state.rglob("openings.public.json")] == ["1"]
    assert json.loads(openings.with_name("openings.public.json").read_text()) == [record]
    assert run(state, "report", entry, "--receipt", tmp_path / "mine").exit_code in (0, 1)
    assert json.loads((tmp_path / "mine" / "openings.json").read_text()) == [record]
