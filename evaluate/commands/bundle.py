"""`evaluate bundle`: everything that is needed to evaluate an entry again, in one folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from evaluate.commands.groups import DefaultGroup
from evaluate.commands.state import state_of

if TYPE_CHECKING:
    from evaluate.challenge.types import Challenge
    from evaluate.home.bundle import Bundle
    from evaluate.receipts.verify import ReceiptFinding

_FOLDER = click.Path(path_type=Path, file_okay=False)


@click.group(cls=DefaultGroup, default="write")
def bundle() -> None:
    """Export all that is needed to evaluate entry ID again, or rerun such an export."""


@bundle.command()
@click.argument("identity", metavar="ID")
@click.argument("folder", type=_FOLDER)
@click.pass_context
def write(ctx: click.Context, identity: str, folder: Path) -> None:
    """Export all that is needed to evaluate entry ID again to the new FOLDER, as an OCI image layout.

    It has the archive, the image with its recipe and lock, layers, the challenge without what is hidden, the receipt
    and this program. `evaluate bundle run FOLDER` evaluates it again, without a network.
    """
    from evaluate.commands.queue_context import opened
    from evaluate.queue.bundle import bundle as write_bundle

    own = opened(ctx)
    digest = write_bundle(own.store, own.state, own.shared, own.depot, own.store.entry(identity), folder)
    click.echo(f"{folder} {digest}; `evaluate bundle run {folder}` evaluates it again")


@bundle.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--rerun", default="quiz", show_default=True, metavar="quiz|RECORD", help="What to rerun.")
@click.option("--only-verify", is_flag=True, help="Verify every file and the receipt, without running anything.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def run(ctx: click.Context, folder: Path, rerun: str, only_verify: bool, as_json: bool) -> None:
    """Verify the bundle in FOLDER, rerun its entry here without a network, and compare the result with the receipt.

    Exit code 1: a check failed; 3: a check could not be performed.
    """
    import tempfile

    from evaluate.core.errors import UsageError
    from evaluate.home.bundle import read_bundle
    from evaluate.receipts.envelope import read_envelope
    from evaluate.receipts.issue import PROOF, RECEIPT
    from evaluate.receipts.keys import public_keys
    from evaluate.receipts.note import read_proof
    from evaluate.receipts.verify import conclusion, findings

    found = read_bundle(folder)
    receipt, entries = found.below("receipt"), list(found.below("entry").values())
    if len(entries) != 1 or RECEIPT not in receipt:
        raise UsageError(f"{folder}: expected one entry and its receipt")
    keys = public_keys(receipt["public.json"].read_bytes(), "public.json")
    proof = read_proof(receipt[PROOF].read_text(encoding="utf-8"), PROOF) if PROOF in receipt else None
    signed, checks = findings(receipt[RECEIPT], keys, proof=proof, entry=entries[0])
    read_envelope(receipt[RECEIPT].read_bytes(), RECEIPT)
    if not only_verify and all(check.ok is not False for check in checks):
        with tempfile.TemporaryDirectory(prefix="evaluate-") as scratch:
            checks += _again(ctx, found, signed.statement["predicate"], Path(scratch), rerun)
    ok = all(check.ok is not False for check in checks)
    if as_json:
        rows = [{"what": check.what, "ok": check.ok, "found": check.found} for check in checks]
        click.echo(json.dumps({"ok": ok, "digest": found.digest, "findings": rows}, indent=1))
    else:
        marks = {True: "ok", False: "WRONG", None: "not checked"}
        for check in checks:
            click.echo(f"{marks[check.ok]:<12}{check.what}: {check.found}")
        click.echo(conclusion(signed, checks))
    ctx.exit(0 if ok else 1)


def _again(
    ctx: click.Context, found: Bundle, predicate: dict[str, object], scratch: Path, what: str
) -> list[ReceiptFinding]:
    import shutil

    from evaluate.commands.console import ConsoleMonitor
    from evaluate.core.errors import UsageError
    from evaluate.home.bundle import install
    from evaluate.home.rerun import rerun
    from evaluate.report.audience import Policy

    images = {name.partition("/")[0] for name in found.below("images")}
    if len(images) != 1:
        raise UsageError(f"{found.folder}: it has no image, since the entry runs nothing")
    state = state_of(ctx)
    install(found, state)
    found.unpack("challenge", scratch / "challenge")
    ((name, blob),) = found.below("entry").items()
    archive = Path(shutil.copyfile(blob, scratch / name))
    rules = _challenge(next((scratch / "challenge").iterdir()))
    with ConsoleMonitor(Policy(hidden_exam=True)) as monitor:
        return rerun(predicate, archive, rules, what, state, monitor, image=images.pop())


def _challenge(folder: Path) -> Challenge:
    """The challenge of a bundle; the records of a hidden exam are not there, and are not needed."""
    from evaluate.challenge.load import read_challenge
    from evaluate.core.errors import ChallengeError

    challenge, problems = read_challenge(folder)
    if challenge is None or not challenge.quiz.records:
        raise ChallengeError("\n".join(problems) or f"{folder}: the quiz has no records")
    return challenge


COMMANDS = (bundle,)
