"""`evaluate submit, status, report, board, cancel, withdraw, resolve`: entries in the queue."""

from __future__ import annotations

import json
import re
import shutil
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from evaluate.commands.queue_context import QueueContext, opened
from evaluate.commands.state import all_files_option, keys_in, packed, submitted_words, write
from evaluate.core.model import Stage, StageResult
from evaluate.store.db.rows import QueuedEntry

if TYPE_CHECKING:
    import sqlalchemy as sa
    from rich.console import Console

    from evaluate.config.load import NamedChallenge
    from evaluate.views.board import BoardRow, MixedBoard
    from evaluate.views.board_verification import Verified

_PATH = click.Path(path_type=Path)
_WIDE = 500


class DefaultGroup(click.Group):
    """A group that calls the command ``default`` where its first word names none: `board NAME` is `board show NAME`."""

    def __init__(self, *arguments: Any, default: str, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._default = default

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As that of any group, with the command's name before the words."""
        return super().parse_args(ctx, args if args[:1] and args[0] in self.commands else [self._default, *args])


@click.command()
@click.argument("entry")
@click.option("--challenge", required=True, metavar="NAME", help="Name of a challenge, or its folder.")
@click.option("--team", required=True, metavar="TEAM", help="Team to submit for, by its name or an alias.")
@all_files_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def submit(ctx: click.Context, entry: str, challenge: str, team: str, all_files: bool, as_json: bool) -> None:
    """Submit ENTRY to the queue; print its id, phase, remaining attempts and position.

    Only the id is on standard output. ENTRY is anything that `evaluate try` accepts. It is checked at once, with
    the same messages as in prep. The same archive of the same team is the same entry, unless that one was cancelled or
    is of an earlier phase. Phase and attempts are those at the start of this command.
    """
    arrived = time.time()
    from evaluate.store.submission import submit as submit_entry
    from evaluate.views.why import queue_position

    queue = opened(ctx)
    with packed(entry, queue.say, all_files=all_files, state=queue.state) as source:
        submission = submit_entry(source, challenge, team, queue.state, queue.store, queue.config, arrived=arrived)
    turn, count = queue_position(submission.entry, queue.store), submission.attempts
    if as_json:
        document: dict[str, Any] = {"id": submission.entry.id, "new": submission.new, "team": submission.entry.team}
        document |= {"state": submission.entry.state.value}
        document |= {"phase": count.phase, "attempts_left": count.left, "place": turn}
        click.echo(json.dumps(document, indent=1))
        return
    if not submission.new:
        queue.say(f"this archive was submitted before by team {submission.entry.team}: it is the same entry")
    limits = [(quota.name, quota.most, quota.left) for quota in count.limits]
    queue.say(submitted_words(count.team, count.phase, limits, submission.entry.state.value, turn))
    click.echo(submission.entry.id)


@click.command()
@click.argument("identity", metavar="[ID]", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--team", metavar="TEAM", help="Show only entries of this team.")
@click.option("--challenge", metavar="NAME", help="Show only entries to this challenge.")
@click.option("--faults", is_flag=True, help="List internal errors and the entries that they affect.")
@click.option("--evidence", is_flag=True, help="With ID: also every infrastructure fault that it met, on any host.")
@click.pass_context
def status(
    ctx: click.Context,
    identity: str | None,
    as_json: bool,
    team: str | None,
    challenge: str | None,
    faults: bool,
    evidence: bool,
) -> None:
    """Show the queue: entries by state, running stages, newest entries; or the stages of entry ID, and what is next.

    With ID, the first line explains in one sentence what the entry is waiting for, where it is, and what happens next.
    """
    from evaluate.views import overview as looks

    queue = opened(ctx)
    if faults:
        if identity is not None or team or challenge or evidence:
            raise click.UsageError("--faults: expected no ID and no other option but --json")
        _show_faults(queue, as_json=as_json)
        return
    if identity is not None and (team or challenge):
        raise click.UsageError("expected an ID, or --team and --challenge; found both")
    if evidence and (identity is None or as_json):
        raise click.UsageError("--evidence: expected an ID, and no --json")
    if identity is not None:
        _show_entry(queue, identity, as_json=as_json)
        if evidence:
            _show_evidence(queue, identity)
        return
    of = _selection(queue, team, challenge)
    look = looks.overview(queue.store, of=of)
    mixed = _mixed(queue)
    if as_json:
        more = {"mixed_boards": [asdict(remark) for remark in mixed]}
        click.echo(json.dumps({**looks.as_json(look), **more}, indent=1))
    else:
        _console().print(looks.as_renderable(look))
        for remark in mixed:
            queue.say(str(remark))


def _mixed(queue: QueueContext) -> list[MixedBoard]:
    """The boards whose entries were judged by different data."""
    from evaluate.views.board import mixed_boards

    return mixed_boards(queue.store, queue.config)


def _show_faults(queue: QueueContext, *, as_json: bool) -> None:
    from evaluate.store.schedule.faults import faults
    from evaluate.views.words import fault_text

    rows = faults(queue.store.database)
    if as_json:
        click.echo(json.dumps([fault.as_json() for fault in rows], indent=1))
        return
    click.echo("\n\n".join(map(fault_text, rows)) or "no internal error is open")


@click.command()
@click.argument("what", metavar="[FAULT|ID]", required=False)
@click.option("--requeue", is_flag=True, help="With FAULT: requeue the entries that this error parked.")
@click.option("--all-parked", is_flag=True, help="Requeue every parked entry.")
@click.pass_context
def resolve(ctx: click.Context, what: str | None, requeue: bool, all_parked: bool) -> None:
    """Mark internal error FAULT as resolved, and resume what it had stopped; or requeue the parked entry ID.

    Repair the cause first; `evaluate status --faults` lists the errors. With --requeue or --all-parked, prints the
    entries that are back in the queue. It costs their teams nothing.
    """
    from evaluate.store.schedule.faults import resolve as resolve_fault
    from evaluate.views.why import why as why_sentence

    queue = opened(ctx)
    if (what is None) != all_parked:
        raise click.UsageError("expected a FAULT or an ID, or --all-parked")
    is_fault = what is not None and re.fullmatch("[0-9]{1,18}", what) is not None
    if requeue and not is_fault:
        raise click.UsageError("--requeue: expected a FAULT, a number of `evaluate status --faults`")
    if what is None:
        entries = queue.store.retry_parked()
        many = f"{len(entries)} entries are back in the queue" if len(entries) != 1 else "1 entry is back in the queue"
    elif is_fault:
        entries = resolve_fault(queue.store.database, int(what), requeue=requeue)
        many = f"fault {what} is resolved" + (f"; {len(entries)} entries are back in the queue" if requeue else "")
    else:
        click.echo(why_sentence(queue.store.retry(what), queue.store))
        return
    for entry in entries:
        click.echo(entry)
    queue.say(many)


def _selection(queue: QueueContext, team: str | None, challenge: str | None) -> list[sa.ColumnElement[bool]]:
    from evaluate.store.entries.store import selection
    from evaluate.store.people.teams import own_name

    key = queue.key(challenge) if challenge is not None else ""
    if team is None:
        return selection(challenge=key)
    with queue.store.database.ask() as connection:
        name = own_name(connection, team)
    if name is None:
        raise click.UsageError(f"--team {team}: no such team; `evaluate team list` shows all")
    return selection(name, key)


def _console() -> Console:
    """A console as wide as the terminal; without one, as wide as its content, so that programs find whole lines."""
    from rich.console import Console

    console = Console(soft_wrap=True)
    return console if console.is_terminal else Console(soft_wrap=True, width=_WIDE)


def _show_entry(queue: QueueContext, identity: str, *, as_json: bool) -> None:
    from evaluate.report.audience import outcome_for_team, recounted, to_the_minute
    from evaluate.report.json import stage_json
    from evaluate.views import overview as looks
    from evaluate.views.why import why as why_sentence

    entry = queue.store.entry(identity)
    outcomes = queue.store.outcomes(identity, entry.attempt)
    policy = queue.policy(entry)
    results = [_short(outcome_for_team(outcome, policy).result) for outcome in recounted(outcomes)]
    if policy.feedback is not None:
        entry = replace(entry, changed=to_the_minute(entry.changed))
    if as_json:
        click.echo(json.dumps({**looks.entry_json(entry), "stages": [stage_json(r) for r in results]}, indent=1))
        return
    click.echo(why_sentence(entry, queue.store))
    for result in results:
        click.echo(f"  {result.stage:<6}{result.verdict:<18}{result.message.partition(chr(10))[0]}")


def _show_evidence(queue: QueueContext, identity: str) -> None:
    from evaluate.store.files.evidence import as_text, evidence_of

    attempt = queue.store.entry(identity).attempt
    faults = evidence_of(queue.shared, queue.depot, identity, attempt)
    click.echo("\n".join(map(as_text, faults)) or f"no fault is known of attempt {attempt}")


@click.command()
@click.argument("identity", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--html", "html_file", type=_PATH, metavar="FILE", help="Write one HTML file.")
@click.option("--receipt", "receipt_folder", type=_PATH, metavar="DIR", help="Copy the signed receipt to DIR.")
@click.option(
    "--organiser",
    is_flag=True,
    help="Show the organiser's view, with the records of a hidden exam and unreleased scores.",
)
@click.pass_context
def report(
    ctx: click.Context,
    identity: str,
    as_json: bool,
    html_file: Path | None,
    receipt_folder: Path | None,
    organiser: bool,
) -> None:
    """Show the report of entry ID, as its team sees it.

    Exit code 0 if it passed, 1 if not or if it is still in its stages, 3 if it waits for the organiser, 2 if it was
    cancelled or withdrawn.
    """
    from evaluate.operate.signing import evaluation_of, receipt_of
    from evaluate.receipts.verify import receipt_line
    from evaluate.report.audience import for_organiser, for_team
    from evaluate.report.html import Beside, to_html
    from evaluate.report.json import to_json
    from evaluate.report.text import to_text
    from evaluate.views.feedback import attempt_rules
    from evaluate.views.why import why as why_sentence
    from evaluate.views.why import why_for_team

    queue = opened(ctx)
    entry = queue.store.entry(identity)
    sentence = (why_sentence if organiser else why_for_team)(entry, queue.store)
    evaluation = evaluation_of(queue.store, queue.shared, entry, queue.config)
    if evaluation is None:
        raise click.UsageError(sentence)
    if not entry.state.ended:
        queue.say(sentence)
    rules = attempt_rules(queue.store, entry)
    limits = rules.limits
    policy = queue.policy(entry)
    view = for_organiser(evaluation, limits) if organiser else for_team(evaluation, limits, policy)
    if html_file is not None:
        receipt = receipt_of(queue.shared, queue.depot, entry)
        line = receipt_line(receipt) if receipt is not None else None
        beside = Beside(sample_score=rules.sample_score, receipt=line, stages=rules.stages)
        write(html_file, to_html(view, beside))
    if receipt_folder is not None:
        _copy_receipt(queue, receipt_of(queue.shared, queue.depot, entry), receipt_folder, entry)
    if as_json:
        click.echo(json.dumps(to_json(view), indent=1, allow_nan=False))
    elif html_file is None:
        click.echo(to_text(view))
    ctx.exit({"parked": 3, "cancelled": 2, "withdrawn": 2}.get(evaluation.state, 0 if evaluation.passed else 1))


def _copy_receipt(queue: QueueContext, receipt: Path | None, folder: Path, entry: QueuedEntry) -> None:
    from evaluate.receipts.issue import OPENED, OPENINGS, PROOF, Registry

    if receipt is None:
        raise click.UsageError(f"{entry.id} has no receipt: it is {entry.state}")
    try:
        shutil.copytree(receipt.parent, folder, dirs_exist_ok=True)
        registry = Registry(queue.state)
        if (proof := registry.newest_proof(receipt)) is not None:
            write(folder / PROOF, proof.text)
            if (openings := registry.folder(proof.index).folder / OPENED).exists():
                shutil.copy(openings, folder / OPENINGS)
    except OSError as e:
        raise click.UsageError(f"{folder} cannot be written: {e.strerror}") from e


def _short(result: StageResult) -> StageResult:
    """Without the records of the exam, which are for the report."""
    return replace(result, records=(), diagnostics="") if result.stage is Stage.EXAM else result


@click.group(cls=DefaultGroup, default="show")
def board() -> None:
    """Show the leaderboard of challenge NAME: each team's best attempt in each phase. Equal scores share a rank."""


@board.command("show")
@click.argument("name")
@click.option("--phase", metavar="PHASE", help="Show only this phase.")
@click.option("--csv", "csv_file", type=_PATH, metavar="FILE", help="Write CSV ('-': print it).")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--html", "page", type=_PATH, metavar="FILE", help="Write an HTML page for publication.")
@click.pass_context
def show_board(
    ctx: click.Context, name: str, phase: str | None, csv_file: Path | None, as_json: bool, page: Path | None
) -> None:
    """Show the leaderboard of challenge NAME: each team's best attempt in each phase. Equal scores share a rank.

    Teams with the same letter under "tied" do not differ significantly: their order may be due to chance. Entries that
    were withdrawn or disqualified are named on standard error, with the reason. `evaluate board verify NAME` recomputes
    the leaderboard from receipts alone.
    """
    from evaluate.receipts.issue import Registry
    from evaluate.store.db.rows import State
    from evaluate.store.db.tables import ENTRIES
    from evaluate.views import board as boards
    from evaluate.views.words import detail

    queue = opened(ctx)
    named = queue.challenge(name)
    rules, terms = named.challenge, named.terms
    places = queue.places(named, public=True)
    names = _phases(named, phase)
    places = [row for row in places if row.phase in names]
    seal = Registry(queue.state).seal_now(rules, terms.sealed(rules.board))
    if page is not None:
        write(page, _board_page(queue, named, names, places, seal.words if seal else ""))
    elif csv_file is not None and str(csv_file) != "-":
        write(csv_file, boards.as_csv(places))
    elif csv_file is not None:
        click.echo(boards.as_csv(places), nl=False)
    elif as_json:
        click.echo(json.dumps(boards.as_json(places, seal.json if seal else None), indent=1))
    else:
        if boards.data_in_words(places):
            queue.say(boards.rejudging_advice(name))
        click.echo(boards.phases_as_text(name, names, places, rules.board.decimals))
        if words := boards.rules_in_words(rules):
            click.echo(f"{name} is {words}")
        withdrawn = (ENTRIES.c.challenge == named.store_name) & (ENTRIES.c.state == State.WITHDRAWN.value)
        for entry in queue.store.entries(withdrawn):
            queue.say(f"not on the board: {entry.id} of {entry.team}, {detail(entry.reason)}")
        if seal:
            click.echo(f"{name} was {seal.words}")


@board.command("verify")
@click.argument("name")
@click.option(
    "--receipts", type=_PATH, multiple=True, metavar="DIR", help="Include receipts of another host; repeatable."
)
@click.option(
    "--key", "key_files", type=_PATH, multiple=True, metavar="FILE", help="Public keys of that host; repeatable."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def verify_board(
    ctx: click.Context, name: str, receipts: tuple[Path, ...], key_files: tuple[Path, ...], as_json: bool
) -> None:
    """Recompute the leaderboard of challenge NAME from receipts alone, and compare; exit code 1: they differ.

    What is hidden is read from the openings beside the receipts. DIR is `receipt-log/receipts` of a state directory.
    Without a queue, as on anybody's machine, DIR is a site of `evaluate log export` with the board, and nothing else is
    needed. Exit code 3: openings are not published yet.
    """
    from evaluate.views import board as boards

    queue = opened(ctx)
    here = queue.exists
    checked = _checked(queue, name, receipts, key_files) if here else _checked_site(name, receipts, key_files)
    holds = not checked.problems and not checked.closed
    if as_json:
        click.echo(json.dumps({"ok": holds, **asdict(checked), "places": boards.as_json(checked.places)}, indent=1))
    else:
        for line in (*checked.problems, *checked.closed, *checked.notes):
            click.echo(line)
        if holds:
            places = f"{len(checked.places)} places: ranks, scores, ties and intervals"
            click.echo(f"{places} are those of {checked.receipts} receipts{'' if here else ' in the log'}")
    ctx.exit(1 if checked.problems else 3 if checked.closed else 0)


def _checked(queue: QueueContext, name: str, receipts: tuple[Path, ...], key_files: tuple[Path, ...]) -> Verified:
    """Calculate the board of a queue again by its receipts, and those of other hosts."""
    from evaluate.receipts.issue import Registry
    from evaluate.store.db.tables import ENTRIES
    from evaluate.views.board_verification import stated_board, verify_board

    named, registry = queue.challenge(name), Registry(queue.state)
    folders = {registry.receipts_folder: registry.log, **dict.fromkeys(receipts)}
    stated = stated_board(queue.store, named, queue.places(named))
    keys = [*registry.keys.public(), *keys_in(*key_files)]
    entries = {entry.id for entry in queue.store.entries(ENTRIES.c.challenge == named.store_name)}
    return verify_board(stated, folders, keys, entries)


def _checked_site(name: str, sites: tuple[Path, ...], key_files: tuple[Path, ...]) -> Verified:
    """Calculate the board of a published site again: by its receipts, its keys and its log."""
    from evaluate.receipts.published_log import RECEIPTS, ExportedLog, audit
    from evaluate.views.board_verification import FOLDER, read_board, verify_board

    if not sites or not key_files:
        raise click.UsageError("there is no queue here: expected --receipts DIR, a published log, and --key FILE")
    keys = keys_in(*key_files)
    sites = tuple(path.parent if path.name == RECEIPTS else path for path in sites)
    files = [file for path in sites if (file := path / FOLDER / f"{name}.json").is_file()]
    if not files:
        raise click.UsageError(f"{sites[0] / FOLDER / f'{name}.json'}: expected the signed board, found none")
    checked = verify_board(read_board(files[0], keys), dict.fromkeys(path / RECEIPTS for path in sites), keys)
    logs = [(path, audit(ExportedLog(path), keys)) for path in sites]
    problems = [f"{path}: {problem}" for path, log_audit in logs for problem in log_audit.problems]
    notes = [note for _, log_audit in logs for note in log_audit.notes]
    return replace(checked, problems=(*checked.problems, *problems), notes=(*checked.notes, *notes))


def _board_page(
    queue: QueueContext, named: NamedChallenge, names: list[str], places: list[BoardRow], sealed: str
) -> str:
    from evaluate.store.people.site_settings import scores_released
    from evaluate.views.board_page import section_of, to_html

    rules, terms = named.challenge, named.terms
    sections = [
        section_of(
            queue.store,
            rules,
            phase or named.slug,
            [row for row in places if row.phase == phase],
            hidden=rules.hides(terms.data_of(phase)),
        )
        for phase in names
    ]
    released = scores_released(queue.config, queue.store.settings, named.store_name)
    return to_html(named.slug, sections, released=released, sealed=sealed)


def _phases(named: NamedChallenge, asked: str | None) -> list[str]:
    names = named.phase_names
    if asked is None:
        return names
    if asked not in names:
        raise click.UsageError(f"--phase {asked}: no such phase; there are: {', '.join(filter(None, names)) or 'none'}")
    return [asked]


@click.command()
@click.argument("identity", metavar="ID")
@click.pass_context
def cancel(ctx: click.Context, identity: str) -> None:
    """Cancel entry ID in any state; a running stage finishes, and its result is discarded."""
    from evaluate.views.why import why as why_sentence

    queue = opened(ctx)
    click.echo(why_sentence(queue.store.cancel(identity), queue.store))


@click.command()
@click.argument("what", metavar="ID|TEAM")
@click.option("--reason", default="", metavar="TEXT", help="Reason, recorded in the journal and emailed to the team.")
@click.option("--disqualify", is_flag=True, help="Disqualify: a disqualified team can no longer submit.")
@click.option("--undo", is_flag=True, help="Undo a withdrawal: scored entries count again.")
@click.pass_context
def withdraw(ctx: click.Context, what: str, reason: str, disqualify: bool, undo: bool) -> None:
    """Withdraw entry ID, or all entries of TEAM, from the leaderboard.

    Used attempts stay used. Unfinished entries are cancelled. Results and receipts are kept. Prints the ids
    of the entries.
    """
    from evaluate.store.entries import withdrawal

    queue = opened(ctx)
    if undo:
        identities = withdrawal.readmit(queue.store, what)
    else:
        identities = withdrawal.withdraw(queue.store, what, reason, disqualify=disqualify)
    for identity in identities:
        click.echo(identity)
    single = len(identities) == 1
    queue.say(f"{len(identities)} {'entry' if single else 'entries'} {'reinstated' if undo else 'withdrawn'}")


COMMANDS = (submit, status, report, board, cancel, withdraw, resolve)
