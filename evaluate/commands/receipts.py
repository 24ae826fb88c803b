"""`evaluate verify`, `log` and `key`: receipts, the log that they are in, and the keys that they are signed with."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from evaluate.commands.queue_context import QueueContext
    from evaluate.operate.audit.verify import Finding
    from evaluate.receipts.envelope import Signed
    from evaluate.receipts.issue import Registry
    from evaluate.receipts.statement import Opening
    from evaluate.receipts.verify import ReceiptFinding

from evaluate.commands.state import keys_in, state_of, write

_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
_FOLDER = click.Path(path_type=Path, file_okay=False)


@click.command()
@click.argument("receipt", type=_FILE)
@click.option("--key", "key_file", type=_FILE, help="Public keys of the server (public.json, or one key as PEM).")
@click.option(
    "--entry",
    type=click.Path(path_type=Path, exists=True),
    help="Check that this archive or folder is what was evaluated.",
)
@click.option("--proof", type=_FILE, help="Proof of inclusion in the log; by default RECEIPT.tlog-proof.")
@click.option("--openings", type=_FILE, help="Openings of the commitments (openings.json), for organisers.")
@click.option(
    "--rerun",
    metavar="quiz|RECORD",
    help="With --entry: rerun the quiz or one record here, and compare verdicts, answers and counts.",
)
@click.option("--challenge", "name", metavar="NAME", help="With --rerun: name of the challenge here, if it differs.")
@click.option("--html", "page_file", type=click.Path(path_type=Path), help="Write a page that explains the result.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def verify(
    ctx: click.Context,
    receipt: Path,
    key_file: Path | None,
    entry: Path | None,
    proof: Path | None,
    openings: Path | None,
    rerun: str | None,
    name: str | None,
    page_file: Path | None,
    as_json: bool,
) -> None:
    """Verify the RECEIPT of an evaluation: signature, entry, and inclusion in the log.

    Without --key the keys and the log of this machine's state directory are used.  Only --rerun needs a virtual
    machine.  Exit code 1: a check failed; 3: a check could not be performed, such as the signature without a key.
    """
    from evaluate.receipts.issue import Registry
    from evaluate.receipts.note import proof_in
    from evaluate.receipts.statement import openings_in
    from evaluate.receipts.verify import conclusion, findings, page, signature_checked

    registry = None if key_file else Registry(state_of(ctx))
    keys = registry.keys.public() if registry else keys_in(*filter(None, [key_file]))
    beside = proof or receipt.with_name(f"{receipt.name}.tlog-proof")
    found_proof = proof_in(beside) if beside.exists() else None
    opened = openings_in(openings) if openings is not None else []
    server_log = registry.log if registry is not None and registry.log.size else None
    with _archive(receipt, entry) as archive:
        signed, checks = findings(receipt, keys, proof=found_proof, entry=archive, openings=opened, log=server_log)
        if rerun is not None and all(check.ok is not False for check in checks):
            checks += _run_again(ctx, signed, archive, name, rerun, opened)
    if page_file is not None:
        write(page_file, page(signed, checks))
    holds, authentic = all(check.ok is not False for check in checks), signature_checked(checks)
    if as_json:
        rows = [{"what": check.what, "ok": check.ok, "found": check.found} for check in checks]
        click.echo(json.dumps({"ok": holds and authentic, "findings": rows, "statement": signed.statement}, indent=1))
    else:
        marks = {True: "ok", False: "WRONG", None: "not checked"}
        for check in checks:
            click.echo(f"{marks[check.ok]:<12}{check.what}: {check.found}")
        click.echo(conclusion(signed, checks))
    ctx.exit(1 if not holds else 0 if authentic else 3)


@contextmanager
def _archive(receipt: Path, entry: Path | None) -> Iterator[Path | None]:
    """The archive that a receipt may be about; a folder is packed as `submit` does it, with or without other files."""
    if entry is None or not entry.is_dir():
        yield entry
        return
    from evaluate.core.files import sha256_file
    from evaluate.receipts.envelope import read_envelope
    from evaluate.receipts.verify import subject_of
    from evaluate.untrusted.packing import pack
    from evaluate.untrusted.selection import select

    wanted = subject_of(read_envelope(receipt.read_bytes(), str(receipt)))
    with tempfile.TemporaryDirectory(prefix="evaluate-") as scratch:
        for all_files in (True, False):
            archive = pack(select(entry, all_files=all_files), Path(scratch) / f"{entry.resolve().name}.tar.gz")
            if wanted is None or sha256_file(archive) == wanted[1]:
                break
        yield archive


def _run_again(
    ctx: click.Context, signed: Signed, entry: Path | None, name: str | None, what: str, opened: list[Opening]
) -> list[ReceiptFinding]:
    from evaluate.commands.console import ConsoleMonitor
    from evaluate.config.challenge.cache import load_challenge
    from evaluate.home.recount import rerun
    from evaluate.receipts.verify import is_seal
    from evaluate.report.audience import policy_at_home

    if entry is None or is_seal(signed):
        raise click.UsageError("--rerun needs the receipt of an evaluation, and its archive: --entry FILE")
    predicate = signed.statement["predicate"]
    rules = load_challenge(name or predicate["challenge"]["name"])
    with ConsoleMonitor(policy_at_home(rules)) as monitor:
        return rerun(predicate, entry, rules, what, state_of(ctx), monitor, opened)


@click.group()
def log() -> None:
    """Verify and export the log of receipts, the audit log of evaluations."""


@log.command("verify")
@click.option(
    "--since", type=_FILE, multiple=True, help="Check that the log continues this older checkpoint or .tlog-proof."
)
@click.option("--key", "key_file", type=_FILE, help="Public keys; by default those of the folder or state directory.")
@click.option("--folder", type=_FOLDER, help="Use a copy made by `evaluate log export` instead of the state directory.")
@click.pass_context
def verify_log(ctx: click.Context, since: tuple[Path, ...], key_file: Path | None, folder: Path | None) -> None:
    """Verify the log: every receipt, the Merkle tree, the signed heads; exit code 1: something was lost or changed."""
    from evaluate.receipts.issue import Registry
    from evaluate.receipts.note import PROOF_HEADER, read_checkpoint, read_proof, text_in
    from evaluate.receipts.published_log import ExportedLog, audit

    registry = None if folder else Registry(state_of(ctx))
    receipt_log = registry.log if registry else ExportedLog(folder or Path())
    if key_file is not None:
        keys = keys_in(key_file)
    else:
        keys = registry.keys.public() if registry else ExportedLog(folder or Path()).keys
    earlier = []
    for file in since:
        text = text_in(file)
        is_proof = text.startswith(PROOF_HEADER)
        earlier.append(read_proof(text, str(file)).checkpoint if is_proof else read_checkpoint(text, str(file)))
    log_audit = audit(receipt_log, keys, earlier)
    problems, notes = list(log_audit.problems), list(log_audit.notes)
    for lost in () if folder else _unlogged(ctx):
        (notes if lost.absent else problems).append(str(lost))
    for line in (*problems, *notes):
        click.echo(line)
    if not problems:
        size = receipt_log.size
        log_has = "1 receipt" if size == 1 else f"{size} receipts"
        whole = "the others as they were" if notes else "none lost or changed"
        click.echo(f"{log_has} in the log, {whole}" + (f" since {', '.join(map(str, since))}" if since else ""))
    ctx.exit(1 if problems else 0)


def _unlogged(ctx: click.Context) -> list[Finding]:
    """Receipts that the queue of the state directory knows, if there is one, and its log does not have."""
    from evaluate.commands.queue_context import opened
    from evaluate.receipts.issue import Registry

    queue = opened(ctx)
    if not queue.exists:
        return []
    from evaluate.operate.signing import unlogged

    return list(unlogged(Registry(queue.state), queue.store.database))


@log.command()
@click.argument("folder", type=_FOLDER)
@click.pass_context
def export(ctx: click.Context, folder: Path) -> None:
    """Export the log to FOLDER as static files for a web server, or update an earlier export.

    It has digests of all receipts, seals, and statements about the log. The receipts of a challenge are in it if
    evaluate.yaml says `receipts: published`.
    """
    from evaluate.commands.queue_context import opened
    from evaluate.config.terms import Receipts
    from evaluate.receipts.issue import Registry
    from evaluate.receipts.published_log import export as write_site

    queue = opened(ctx)
    registry = Registry(queue.state)
    named = queue.config.challenges.items()
    shown = {name: terms for name, terms in named if terms.receipts is Receipts.PUBLISHED}
    names = {
        alias: _is_open(queue, name)
        for name, terms in shown.items()
        for alias in {name, (terms.folder or Path(name)).name}
    }
    write_site(registry.log, registry.keys.public(), folder, registry.published(names))
    if queue.exists:
        for name in shown:
            _write_board(queue, registry, name, folder)
    click.echo(f"{folder} has the log and its keys; `evaluate log verify --folder {folder}` checks it")


def _is_open(queue: QueueContext, name: str) -> bool:
    """True if nothing of a challenge is hidden from its teams."""
    from evaluate.config.terms import Scores
    from evaluate.store.people.site_settings import scores_released

    named = queue.challenge(name)
    if named.challenge.hides_exams:
        return False
    if queue.exists:
        return scores_released(queue.config, queue.store.settings, named.store_name)
    return named.terms.scores is Scores.RELEASED


def _write_board(queue: QueueContext, registry: Registry, name: str, folder: Path) -> None:
    """The signed board of a challenge, as its teams see it; unrounded once its openings are published."""
    from evaluate.core.files import write_file
    from evaluate.store.people.site_settings import scores_released
    from evaluate.views.board_verification import FOLDER, signed_board, stated_board

    named = queue.challenge(name)
    shown_name = named.challenge.name
    opened = registry.is_opened(shown_name)
    if not opened and not scores_released(queue.config, queue.store.settings, named.store_name):
        return
    stated = stated_board(queue.store, named, queue.places(named, public=not opened))
    (folder / FOLDER).mkdir(exist_ok=True)
    write_file(folder / FOLDER / f"{shown_name}.json", signed_board(registry, stated) + b"\n")


@log.command()
@click.argument("receipt", type=_FILE)
@click.pass_context
def adopt(ctx: click.Context, receipt: Path) -> None:
    """Add a RECEIPT that was lost when the log was restored back to the log; its proof must lie beside it."""
    from evaluate.receipts.issue import Registry

    adopted = Registry(state_of(ctx)).adopt(receipt)
    click.echo(f"{receipt} is number {adopted.number} of the log; give the team the proof in {adopted.folder}")


@log.command()
@click.argument("number", type=click.IntRange(min=0))
@click.option("--folder", type=_FOLDER, help="Use a copy made by `evaluate log export` instead of the state directory.")
@click.pass_context
def proof(ctx: click.Context, number: int, folder: Path | None) -> None:
    """Print the proof that receipt NUMBER is included in the current log."""
    from evaluate.receipts.issue import LOG
    from evaluate.receipts.log import Log
    from evaluate.receipts.published_log import ExportedLog

    receipt_log = ExportedLog(folder) if folder else Log(state_of(ctx) / LOG)
    click.echo(receipt_log.proof(number).text, nl=False)


@click.group()
def key() -> None:
    """List, rotate and revoke the keys that sign receipts."""


@key.command("list")
@click.option("--ssh", is_flag=True, help="Print an allowed-signers file for ssh-keygen.")
@click.pass_context
def list_keys(ctx: click.Context, ssh: bool) -> None:
    """Print the public keys with the times when they were used: what teams need to verify receipts."""
    from evaluate.receipts.envelope import allowed_signers
    from evaluate.receipts.issue import Registry
    from evaluate.receipts.keys import published

    registry = Registry(state_of(ctx))
    registry.signer()  # made at first use
    keys = registry.keys.public()
    if ssh:
        click.echo(allowed_signers(keys), nl=False)
    else:
        click.echo(published(keys), nl=False)


@key.command()
@click.pass_context
def rotate(ctx: click.Context) -> None:
    """Replace the signing key; receipts signed with the old one stay valid."""
    from evaluate.receipts.issue import Registry

    made = Registry(state_of(ctx)).rotate()
    click.echo(f"receipts are now signed with the key {made.public.id}; publish `evaluate key list`")


@key.command()
@click.argument("identity", metavar="ID")
@click.option("--since", required=True, metavar="TIME", help="Time from which others may have used the key (UTC).")
@click.pass_context
def revoke(ctx: click.Context, identity: str, since: str) -> None:
    """Revoke key ID: invalidate everything it signed at or after TIME, such as 2026-11-22T09:00:00Z.

    A key that is in use is replaced. The revocation is signed and logged, and in the published list of keys. Receipts
    from before TIME still count, under a head of the log that the new key signed: `evaluate log proof NUMBER`.
    """
    from evaluate.config.schema.keys import seconds_since_1970
    from evaluate.receipts.issue import Registry

    try:
        at = seconds_since_1970(since)
    except ValueError as e:
        raise click.UsageError(f"--since {since}: expected a time such as 2026-11-22T09:00:00Z") from e
    void = Registry(state_of(ctx)).revoke(identity, at)
    for number in void:
        click.echo(f"receipt {number} no longer counts")
    click.echo(f"the key {identity} is revoked since {since}; publish `evaluate key list` and `evaluate log export`")


COMMANDS = (verify, log, key)
