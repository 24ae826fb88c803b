"""docs/verify_receipt.py, written from the documentation alone, and our verifier agree about thousands of changes."""

import base64
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from runpy import run_path
from types import SimpleNamespace
from typing import Any

import pytest
import rfc8785
from jsonschema import Draft202012Validator

from evaluate.config.challenge.cache import load_challenge
from evaluate.core.errors import UsageError
from evaluate.receipts.envelope import sign
from evaluate.receipts.issue import Registry
from evaluate.receipts.keys import KeyRing, Signer, public_keys, published
from evaluate.receipts.note import read_proof
from evaluate.receipts.statement import PAYLOAD_TYPE
from evaluate.receipts.verify import findings, signature_checked
from tests.conftest import CHECKOUT
from tests.support.documents import blocks
from tests.support.receipts import HIDDEN, Clock, issue, logged
from tests.unit.receipts.test_receipts import evaluation  # noqa: F401  # a fixture

pytestmark = pytest.mark.slow
FILES = ("receipt.json", "receipt.json.tlog-proof")


SECOND = CHECKOUT / "docs" / "verify_receipt.py"


@dataclass
class Both:
    """The two verifiers; each answers 0 (holds), 1 (does not) or 3 (cannot be decided)."""

    keys: Path
    other: SimpleNamespace

    def ours(self, folder: Path) -> int:
        proof = folder / FILES[1]
        try:
            given = read_proof(proof.read_bytes().decode(), "it") if proof.exists() else None
            keys = public_keys(self.keys.read_bytes(), "keys")
            _, checks = findings(folder / FILES[0], keys, proof=given)
        except (UsageError, UnicodeDecodeError):
            return 1
        return 1 if any(check.ok is False for check in checks) else 0 if signature_checked(checks) else 3

    def agreed(self, folder: Path) -> int:
        answer = self.ours(folder)
        assert self.other.main([str(folder / FILES[0]), str(self.keys)]) == answer, folder
        return answer


@pytest.fixture
def both(tmp_path: Path, registry: Registry) -> Both:
    registry.signer()
    (tmp_path / "public.json").write_text(published(registry.keys.public()))
    return Both(tmp_path / "public.json", SimpleNamespace(**run_path(str(SECOND))))


def copied(folder: Path, to: Path) -> Path:
    to.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        shutil.copy(folder / name, to)
    return to


def test_no_flipped_bit_is_accepted_by_either(tmp_path: Path, registry: Registry, both: Both) -> None:
    registry.seal(load_challenge("cinc2017"))
    folder = copied(issue(registry).folder, tmp_path / "mine")
    assert both.agreed(folder) == 0
    tried = 0
    for name in FILES:
        whole = (folder / name).read_bytes()
        for at in range(len(whole)):
            changed = bytearray(whole)
            changed[at] ^= 1 << at % 8
            (folder / name).write_bytes(changed)
            assert both.agreed(folder) == 1, (name, at)
            tried += 1
        (folder / name).write_bytes(whole)
    assert both.agreed(folder) == 0 and tried > 2000


@pytest.mark.parametrize(
    "change",
    [
        lambda told: told["signatures"][0].update(keyid=[]),
        lambda told: told.update(payloadType=5),
        lambda told: told.update(payloadType="\ud800"),
        lambda told: told.update(payload=base64.b64encode(b"[" * 100_000).decode()),
        lambda told: told.update(payload=base64.b64encode(b'{"predicate": []}').decode()),
        lambda told: told["signatures"].clear(),
    ],
)
def test_odd_receipt_is_refused_by_both(tmp_path: Path, registry: Registry, both: Both, change: Any) -> None:
    folder = copied(issue(registry).folder, tmp_path / "mine")
    told = json.loads((folder / FILES[0]).read_bytes())
    change(told)
    (folder / FILES[0]).write_text(json.dumps(told))
    assert both.agreed(folder) == 1


def changed(value: Any) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yield the place of each text and number in it, and a copy with another one there."""
    if not isinstance(value, dict | list):
        yield (), f"{value}0" if isinstance(value, str) else (value or 0) + 1
        return
    for key, item in list(value.items() if isinstance(value, dict) else enumerate(value)):
        for path, other in changed(item):
            copy = value.copy()
            copy[key] = other
            yield (key, *path), copy


def resigned(statement: Any, signer: Signer) -> bytes:
    return sign(json.dumps(statement).encode(), PAYLOAD_TYPE, signer) + b"\n"


def test_no_changed_field_is_accepted_by_either(tmp_path: Path, registry: Registry, both: Both) -> None:
    folder = copied(issue(registry).folder, tmp_path / "mine")
    told = json.loads((folder / FILES[0]).read_bytes())
    statement = json.loads(base64.b64decode(told["payload"]))
    thief = KeyRing(tmp_path / "thief").signer()
    signer = registry.signer()
    for path, other in changed(statement):
        payload = base64.b64encode(json.dumps(other).encode()).decode()
        forged = {**told, "payload": payload}
        for data in (json.dumps(forged).encode(), resigned(other, thief), resigned(other, signer)):
            (folder / FILES[0]).write_bytes(data)
            assert both.agreed(folder) == 1, path


def folders(tmp_path: Path, registry: Registry, clock: Clock) -> Iterator[tuple[str, Path]]:
    """Receipts of keys that were replaced, stolen and revoked, and of logs that were restored, each with its proof."""
    clock("09:00:00")
    yield "first", copied(issue(registry).folder, tmp_path / "first")
    clock("10:00:00")
    late = issue(registry)
    yield "late", copied(late.folder, tmp_path / "late")
    stolen = registry.signer()
    thieves = Registry(shutil.copytree(tmp_path / "state", tmp_path / "thieves"))
    clock("11:00:00")
    registry.rotate()
    yield "second", copied(issue(registry).folder, tmp_path / "second")
    yield "forged", copied(issue(thieves).folder, tmp_path / "forged")
    logged(registry.log, resigned(json.loads(json.dumps({"_type": "x", "predicate": {}})), stolen).rstrip(), stolen)
    clock("12:00:00")
    registry.revoke(stolen.public.id, registry.keys.public()[0].since + 1800)
    for name in ("leaves", "ends", "hashes"):
        (tmp_path / "thieves" / "receipt-log" / name).write_bytes(b"")
    shutil.rmtree(tmp_path / "thieves" / "receipt-log" / "receipts")
    clock("09:00:00")
    yield "dated back", copied(issue(thieves).folder, tmp_path / "dated-back")
    clock("12:00:00")
    fresh = copied(late.folder, tmp_path / "fresh-late")
    (fresh / FILES[1]).write_text(registry.log.proof(late.number).text)
    yield "fresh late", fresh
    fresh = copied(tmp_path / "first", tmp_path / "fresh-first")
    (fresh / FILES[1]).write_text(registry.log.proof(0).text)
    yield "fresh first", fresh
    backup = shutil.copytree(tmp_path / "state", tmp_path / "backup")
    lost = issue(registry)
    yield "lost", copied(lost.folder, tmp_path / "lost")
    restored = Registry(backup)
    restored.restored("2026-11-22")
    yield "back", copied(restored.adopt(lost.receipt).folder, tmp_path / "back")
    bare = copied(tmp_path / "first", tmp_path / "bare")
    (bare / FILES[1]).unlink()
    yield "bare", bare
    shutil.copytree(tmp_path / "state" / "keys", tmp_path / "before-keys")
    shutil.copytree(backup / "keys", tmp_path / "keys-now")


def test_both_agree_about_keys_and_logs(tmp_path: Path, registry: Registry, both: Both, clock: Clock) -> None:
    clock("08:00:00")
    shutil.rmtree(tmp_path / "state")
    receipts = dict(folders(tmp_path, Registry(tmp_path / "state"), clock))
    both.keys.write_text((tmp_path / "keys-now" / "public.json").read_text())
    assert {name: both.agreed(folder) for name, folder in receipts.items()} == {
        "first": 1,  # its head is of the key that was revoked since
        "late": 1,
        "second": 0,
        "forged": 1,
        "dated back": 1,  # first in a log that the thief of the key made
        "fresh late": 1,
        "fresh first": 0,
        "lost": 1,
        "back": 0,
        "bare": 1,
    }
    both.keys.write_text((tmp_path / "before-keys" / "public.json").read_text())
    assert both.agreed(receipts["lost"]) == 0 and both.agreed(receipts["second"]) == 0


def test_the_second_verifier_checks_what_is_named_and_refuses_what_cannot_be_read(
    tmp_path: Path, registry: Registry, both: Both
) -> None:
    (tmp_path / "entry.zip").write_bytes(b"an entry")
    (tmp_path / "odd").write_text('[{"label": "x", "salt": 5, "value": 1}]')
    folder = issue(registry).folder
    arguments = [str(folder / FILES[0]), str(both.keys)]
    wrong = {"--proof": ["none"], "--entry": ["none", "entry.zip"], "--openings": ["none", "odd"]}
    for option, file in ((option, file) for option, files in wrong.items() for file in files):
        assert both.other.main([*arguments, option, str(tmp_path / file)]) == 1
    openings = folder / "openings.json"
    assert json.loads(openings.read_text())
    assert both.other.main([*arguments, "--openings", str(openings)]) == 0
    openings.write_text(re.sub(r'"salt": "\w+', f'"salt": "{"0" * 64}', openings.read_text()))
    assert both.other.main([*arguments, "--openings", str(openings)]) == 1


def test_the_command_of_the_documentation_runs(tmp_path: Path, registry: Registry, both: Both) -> None:
    folder = copied(issue(registry).folder, tmp_path / "mine")
    shutil.copy(both.keys, folder)
    shutil.copy(SECOND, folder)
    ((block,),) = [part.commands for part in blocks(CHECKOUT / "docs" / "receipt-format.md") if part.language == "sh"]
    done = subprocess.run([sys.executable, *block.split()[1:]], cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "ok: OK\n"), done.stderr


@pytest.mark.parametrize("text", ["", 'a"b\\c\n\t\x01', "ü€😀"])
def test_its_canonical_json_is_that_of_the_standard(both: Both, text: str) -> None:
    value = {"b": [1, -7, True, None, text], text: {"\U0001f600": 1, "\uff5e": 2, "a": "x"}}
    assert both.other.canonical(value).encode() == rfc8785.dumps(value)


def test_every_statement_is_of_the_published_schema(tmp_path: Path, registry: Registry, request: Any) -> None:
    schema = json.loads((CHECKOUT / "docs" / "receipt.schema.json").read_text())
    Draft202012Validator.check_schema(schema)
    rules = load_challenge("cinc2017")
    whole = request.getfixturevalue("evaluation")
    first, *others = whole.outcomes
    prep = replace(first, result=replace(first.result, installed=("torch 2.5.1+cpu",)))
    whole = replace(whole, outcomes=(prep, *others))
    registry.issue(replace(whole, identity="e1", number=7, attempt=2, team="red", submitted=1.0), rules, HIDDEN)
    issue(registry)
    registry.seal(rules)
    name = registry.signer().public.id
    registry.revoke(name, registry.keys.public()[0].since)
    registry.restored("2026-11-22")
    statements = [told for _, told in registry.receipts()]
    kinds = {told["predicateType"].split(":")[2] for told in statements}
    assert kinds == {"evaluation", "seal", "log-event"}
    assert statements[0]["predicate"]["stages"][0]["installed"] == ["torch 2.5.1+cpu"]
    for told in statements:
        Draft202012Validator(schema).validate(told)
        wrong = {**told, "predicate": {**told["predicate"], "evaluator": None}}
        assert not Draft202012Validator(schema).is_valid(wrong)
