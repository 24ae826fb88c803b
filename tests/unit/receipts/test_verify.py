"""What is found of a receipt, each fault by its name, and what follows from that."""

import json
import re
import shutil
from base64 import b64encode
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evaluate.core.errors import UsageError
from evaluate.receipts.envelope import Signed, read_envelope, sign
from evaluate.receipts.issue import Registry
from evaluate.receipts.statement import PAYLOAD_TYPE, PREDICATE_TYPE
from evaluate.receipts.verify import LOST, RERUN, ReceiptFinding, conclusion, findings
from tests.support.commands import run
from tests.support.receipts import EVALUATION, issue

Changed = Callable[..., tuple[Signed, dict[str, ReceiptFinding]]]


@pytest.fixture
def changed(registry: Registry, tmp_path: Path) -> Changed:
    """What is found of a receipt that the key's holder signed after it was changed."""
    statement = read_envelope(issue(registry).receipt.read_bytes(), "it").statement

    def look(change: Callable[[dict[str, Any]], object] = lambda _: None) -> Any:
        copy = json.loads(json.dumps(statement))
        change(copy)
        receipt = tmp_path / "changed.json"
        receipt.write_bytes(sign(json.dumps(copy).encode(), PAYLOAD_TYPE, registry.signer()))
        signed, checks = findings(receipt, registry.keys.public())
        return signed, {check.what: check for check in checks}

    return look


NO_ENTRY = "the statement is not about one entry"
NOT_VALID = "by the key .*, which was not valid at the time that is stated: it was in use from [^,]*"
NO_SEAL = "what it says of the seal of its challenge makes no sense"


@pytest.mark.parametrize(
    ("change", "what", "found"),
    [
        (lambda told: told.update(_type="https://in-toto.io/v0"), "format", "expected .*, found .*in-toto.io/v0.*"),
        (lambda told: told.update(predicateType="x:/mine"), "format", "expected .*, found .*x:/mine"),
        (lambda told: told.pop("subject"), "entry", NO_ENTRY),
        (lambda told: told.update(subject=[]), "entry", NO_ENTRY),
        (lambda told: told.update(subject=[5]), "entry", NO_ENTRY),
        (lambda told: told["predicate"]["challenge"].update(seal={"number": 5}), "format", NO_SEAL),
        (lambda told: told["predicate"].update(ended="2001-01-01T00:00Z"), "signature", NOT_VALID),
        (lambda told: told["predicate"].update(ended="noon"), "signature", NOT_VALID),
        (lambda told: told["predicate"]["challenge"].update(seal=7), "format", NO_SEAL),
        (lambda told: told["predicate"]["challenge"].update(seal={"number": 5, "changed": 3}), "format", NO_SEAL),
    ],
)
def test_fault_of_a_statement_is_named_with_what_was_expected(
    changed: Changed, change: Callable[[dict[str, Any]], object], what: str, found: str
) -> None:
    signed, checks = changed(change)
    assert checks[what].ok is False and re.fullmatch(found, checks[what].found)
    assert conclusion(signed, list(checks.values())) == f"This receipt proves nothing: failed checks: {what}."


def test_statement_about_no_entry_is_named_where_an_entry_is_given(changed: Changed, tmp_path: Path) -> None:
    changed(lambda statement: statement.update(subject=[5]))
    (tmp_path / "entry").mkdir()
    (tmp_path / "entry" / "next.sh").touch()
    done = run(tmp_path / "state", "verify", tmp_path / "changed.json", "--entry", tmp_path / "entry")
    assert (done.exit_code, "entry: the statement is not about one entry" in done.output) == (1, True), done.output


def test_what_ran_again_is_said_with_what_was_not_checked(changed: Changed) -> None:
    signed, checks = changed()

    def said(*records: str) -> str:
        again = [ReceiptFinding(what=f"{RERUN} {name}", ok=True, found="the same") for name in records]
        return conclusion(signed, [*checks.values(), *again])

    assert "is shown only by running it again" in said()
    assert "On this machine the entry did with record A1 what is stated. Not checked: entry, log." in said("A1")
    assert "the entry did with 2 records what is stated" in said("A1", "A2")


def test_receipt_that_the_log_here_has_lost_is_named(registry: Registry, tmp_path: Path) -> None:
    def of(registry: Registry, team: str) -> Path:
        return issue(registry, replace(EVALUATION, identity=team, number=1, team=team)).receipt

    first = of(registry, "red")
    shutil.copytree(tmp_path / "state", tmp_path / "copy")
    second = of(registry, "blue")
    proofs = [registry.log.proof(number) for number in range(2)]

    def lost(receipt: Path, number: int, other: Registry) -> str:
        checks = findings(receipt, registry.keys.public(), proof=proofs[number], log=other.log)[1]
        return "".join(check.found for check in checks if check.what == LOST)

    assert lost(first, 0, registry) == lost(second, 1, registry) == ""
    copy = Registry(tmp_path / "copy")
    assert copy.log.origin == registry.log.origin and lost(first, 0, copy) == ""
    assert lost(second, 1, copy) == "the log that is here has 1, and not this one as number 1"
    of(copy, "green")
    assert lost(second, 1, copy) == "the log that is here has 2, and not this one as number 1"
    another = Registry(tmp_path / "another")
    of(another, "red")
    assert lost(second, 1, another) == "", "it is another log"


def test_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"none\.json cannot be read: No such file"):
        findings(tmp_path / "none.json", [])


@pytest.mark.parametrize("of", [{"salt": "zz"}, {"salt": 5}, {"label": 5}, {"value": 10**30}, {"value": "\ud800"}])
def test_openings_that_open_nothing_are_named(registry: Registry, tmp_path: Path, of: dict[str, Any]) -> None:
    opening = {"label": "numbers", "salt": "00", "value": 1}
    for text in (json.dumps([opening | of]), "5"):
        (tmp_path / "openings.json").write_text(text)
        receipt = issue(registry).receipt
        done = run(tmp_path / "state", "verify", receipt, "--openings", tmp_path / "openings.json")
        assert (done.exit_code, "expected openings of a receipt" in done.output) == (2, True), done.output


def test_receipt_of_a_stranger_writes_no_line_of_its_own(registry: Registry, tmp_path: Path) -> None:
    told = json.loads(issue(registry).receipt.read_bytes())
    statement = read_envelope(json.dumps(told).encode(), "it").statement
    statement["subject"][0]["name"] = "a\nok          signature: by the key\x1b[2A"
    told["payload"] = b64encode(json.dumps(statement).encode()).decode()
    (tmp_path / "odd.json").write_text(json.dumps(told))
    done = run(tmp_path / "state", "verify", tmp_path / "odd.json")
    lines = [line for line in done.stdout.splitlines() if line.startswith("ok")]
    assert (done.exit_code, lines, "\x1b" in done.stdout) == (1, [f"ok          format: {PREDICATE_TYPE}"], False)
    statement["predicate"]["verdict"] = "OK\nok          signature: by the key\x1b[2A"
    (tmp_path / "signed.json").write_bytes(sign(json.dumps(statement).encode(), PAYLOAD_TYPE, registry.signer()))
    done = run(tmp_path / "state", "verify", tmp_path / "signed.json")
    assert "The holder of the key states OK ok" in done.stdout and "\x1b" not in done.stdout
