"""What is found of a receipt, each fault by its name, and what follows from that."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from evaluate.core.errors import UsageError
from evaluate.receipts.envelope import Signed, read_envelope, sign
from evaluate.receipts.issue import Registry
from evaluate.receipts.statement import PAYLOAD_TYPE
from evaluate.receipts.verify import LOST, RERUN, ReceiptFinding, conclusion, findings
from tests.support.commands import run
from tests.support.receipts import EVALUATION, issue

Changed = Callable[..., tuple[Signed, dict[str, ReceiptFinding]]]


@pytest.fixture
def changed(registry: Registry, tmp_path: Path) -> Changed:
    """What is found of a receipt that the key's holder signed after it was changed."""
    statement = read_envelope(issue(registry).receipt.read_bytes(), "it").statement

    def look(change: Callable[[dict[str, Any]], object] = lambda _: None, **given: Any) -> Any:
        copy = json.loads(json.dumps(statement))
        change(copy)
        receipt = tmp_path / "changed.json"
        receipt.write_bytes(sign(json.dumps(copy).encode(), PAYLOAD_TYPE, registry.signer()))
        signed, checks = findings(receipt, registry.keys.public(), **given)
        return signed, {check.what: check for check in checks}

    return look


@pytest.mark.parametrize(
    ("key", "value"), [("_type", "https://in-toto.io/Statement/v0"), ("predicateType", "https://example.org/mine")]
)
def test_statement_of_another_form_is_named_with_what_was_expected(changed: Changed, key: str, value: str) -> None:
    signed, checks = changed(lambda statement: statement.update({key: value}))
    assert checks["format"].ok is False
    assert checks["format"].found.startswith("expected ") and value in checks["format"].found.partition(", found ")[2]
    assert conclusion(signed, list(checks.values())) == "This receipt proves nothing: failed checks: format."


@pytest.mark.parametrize(
    "change", [lambda statement: statement.pop("subject"), *(partial(dict.update, subject=each) for each in ([], [5]))]
)
def test_statement_that_is_about_no_entry_is_named(
    changed: Changed, tmp_path: Path, change: Callable[[dict[str, Any]], object]
) -> None:
    _, checks = changed(change)
    assert (checks["entry"].ok, checks["entry"].found) == (False, "the statement is not about one entry")
    (tmp_path / "entry").mkdir()
    (tmp_path / "entry" / "next.sh").touch()
    done = run(tmp_path / "state", "verify", tmp_path / "changed.json", "--entry", tmp_path / "entry")
    assert (done.exit_code, "entry: the statement is not about one entry" in done.output) == (1, True), done.output


@pytest.mark.parametrize("seal", [{"number": 5}, 7, {"number": 5, "changed": 3}])
def test_seal_that_makes_no_sense_is_named(changed: Changed, seal: object) -> None:
    signed, checks = changed(lambda statement: statement["predicate"]["challenge"].update(seal=seal))
    assert checks["format"].found == "what it says of the seal of its challenge makes no sense"
    assert conclusion(signed, list(checks.values())).startswith("This receipt proves nothing: ")


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
