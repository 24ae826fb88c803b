"""`evaluate submit, daemon, status, why, report, board`: the queue."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from evaluate import report as reports
from evaluate.challenge import load_challenge
from evaluate.errors import Fault
from evaluate.host import default_state, open_state
from evaluate.model import CounterInfo, Entry, Evaluation

try:
    from evaluate.queue import backup as copies
    from evaluate.queue import board as boards
    from evaluate.queue.daemon import Daemon, Rules, holder, stop_on_signals
    from evaluate.queue.flow import Means
    from evaluate.queue.store import QueuedEntry, State, Store, open_store
    from evaluate.queue.submission import submit as submit_entry
    from evaluate.queue.why import why as why_sentence
    from evaluate.queue.work import StageRunner, archive_of, read_result, read_score
except ImportError as e:
    raise Fault("the queue needs more packages: pip install 'sandbox-evaluate[daemon]'") from e

_PATH = click.Path(path_type=Path)
_SHOWN = 20


def _store(ctx: click.Context) -> tuple[Path, Store]:
    state = open_state(ctx.obj or default_state())
    return state, open_store(state)


def _say(text: str) -> None:
    click.echo(text, err=True)


@click.command()
@click.argument("entry")
@click.option("--challenge", required=True, metavar="NAME", help="Name of a challenge, or its folder.")
@click.option("--team", required=True, metavar="TEAM", help="Whose entry it is.")
@click.pass_context
def submit(ctx: click.Context, entry: str, challenge: str, team: str) -> None:
    """Put ENTRY into the queue; prints its id.

    ENTRY is what `evaluate try` takes. It is checked at once, and refused with the same words as in prep. The same
    archive of the same team is the same entry.
    """
    state, store = _store(ctx)
    identity, _ = submit_entry(entry, challenge, team, state, store, _say)
    click.echo(identity)


@click.command()
@click.option("--once", is_flag=True, help="Drain the queue, then exit.")
@click.option("--slots", type=click.IntRange(min=1), default=1, show_default=True, help="Virtual machines at once.")
@click.option("--shards", type=click.IntRange(min=1), default=1, show_default=True, help="Parts of an exam.")
@click.option(
    "--stop-seconds",
    type=click.FloatRange(min=0),
    default=30.0,
    show_default=True,
    help="For running stages at the end.",
)
@click.option(
    "--free-gib", type=click.FloatRange(min=0), default=5.0, show_default=True, help="Room on the disk to keep."
)
@click.option("--accelerator", type=click.Choice(["auto", "kvm", "tcg"]), default="auto", show_default=True)
@click.pass_context
def daemon(
    ctx: click.Context, once: bool, slots: int, shards: int, stop_seconds: float, free_gib: float, accelerator: str
) -> None:
    """Take entries out of the queue and evaluate them, until SIGTERM or Ctrl-C.

    Killed at any moment it loses nothing: the next daemon goes on where it was.
    """
    state, store = _store(ctx)
    runner = StageRunner(state=state, accelerator=accelerator, say=_say)
    means = Means(store=store, state=state, runner=runner, shards=shards)
    rules = Rules(slots=slots, stop_seconds=stop_seconds, free_bytes=int(free_gib * (1 << 30)))
    running = Daemon(means, rules, _say)
    stop_on_signals(running)
    if not running.run(once=once):
        os._exit(0)  # threads of workflows that wait for their stages; they go on at the next start


@click.command()
@click.argument("identity", metavar="[ID]", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def status(ctx: click.Context, identity: str | None, as_json: bool) -> None:
    """How many entries are where, and the newest of them; or the stages of one entry."""
    state, store = _store(ctx)
    if identity is not None:
        entry = store.entry(identity)
        results = store.results(identity, entry.attempt)
        if as_json:
            click.echo(json.dumps({**asdict(entry), "stages": [_public(result) for result in results]}, indent=1))
            return
        click.echo(why_sentence(entry, store, holder(state)))
        for result in results:
            click.echo(f"  {result['stage']:<6}{result['verdict']:<18}{result['message'].partition(chr(10))[0]}")
        return
    counts, newest = store.counts(), store.entries(newest=_SHOWN)
    if as_json:
        click.echo(json.dumps({"counts": counts, "newest": [asdict(entry) for entry in newest]}, indent=1))
        return
    process = holder(state)
    click.echo(f"daemon: process {process}" if process is not None else "daemon: none runs")
    click.echo("  ".join(f"{name} {counts.get(name, 0)}" for name in State))
    for entry in newest:
        click.echo(
            f"{entry.id}  {entry.state:<7}{entry.team:<16}{entry.name:<28}{entry.detail.partition(chr(10))[0][:60]}"
        )


def _public(result: dict[str, Any]) -> dict[str, Any]:
    """A stage as a team may see it: nothing per record of the exam."""
    hidden = ("records", "diagnostics") if result["stage"] == "exam" else ()
    return {key: value for key, value in result.items() if key not in hidden}


@click.command()
@click.argument("identity", metavar="ID")
@click.pass_context
def why(ctx: click.Context, identity: str) -> None:
    """What the entry ID waits for, who holds it, and what comes next, in one sentence."""
    state, store = _store(ctx)
    click.echo(why_sentence(store.entry(identity), store, holder(state)))


@click.command()
@click.argument("identity", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--html", "html_file", type=_PATH, metavar="FILE", help="Write one HTML file.")
@click.option("--organiser", is_flag=True, help="With the records of a hidden exam.")
@click.pass_context
def report(ctx: click.Context, identity: str, as_json: bool, html_file: Path | None, organiser: bool) -> None:
    """The report of the entry ID, as its team gets it. Exit code 0 if it passed, 1 if not."""
    state, store = _store(ctx)
    entry = store.entry(identity)
    if not (results := store.results(identity, entry.attempt)):
        raise click.UsageError(why_sentence(entry, store, holder(state)))
    challenge = load_challenge(entry.challenge)
    hidden = challenge.exam.hidden and not organiser
    evaluation = _evaluation(entry, results, store.score(identity, entry.attempt), state)
    if html_file is not None:
        html_file.write_text(reports.to_html(evaluation, challenge.limits, hidden_exam=hidden), encoding="utf-8")
    if as_json:
        found = reports.to_json(evaluation, hidden_exam=hidden)
        click.echo(json.dumps(found, indent=1, allow_nan=False))
    elif html_file is None:
        click.echo(reports.to_text(evaluation, challenge.limits, hidden_exam=hidden))
    ctx.exit(0 if evaluation.verdict.passed else 1)


def _evaluation(
    entry: QueuedEntry, results: list[dict[str, Any]], score: dict[str, Any] | None, state: Path
) -> Evaluation:
    machine = next((result["machine"] for result in reversed(results) if result.get("machine")), None) or {}
    counter = machine.get("counter")
    return Evaluation(
        entry=Entry(
            archive=archive_of(state, entry.sha256).with_name(entry.name),
            sha256=entry.sha256,
            size=entry.bytes,
            commit=entry.commit,
        ),
        challenge=Path(entry.challenge).name,
        accelerator=machine.get("accelerator", "none"),
        image=machine.get("image", ""),
        counter=CounterInfo(**counter) if counter else None,
        stages=tuple(read_result(result) for result in results),
        score=read_score(score) if score is not None else None,
    )


@click.command()
@click.argument("name")
@click.option("--csv", "csv_file", type=_PATH, metavar="FILE", help="Write CSV ('-': print it).")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def board(ctx: click.Context, name: str, csv_file: Path | None, as_json: bool) -> None:
    """The board of the challenge NAME: the best of each team's attempts; equal scores share a rank."""
    _, store = _store(ctx)
    challenge = load_challenge(name)
    known = name if Path(name).name == name else str(challenge.folder)
    places = boards.ranked(boards.attempts_of(store, known), challenge.board.decimals)
    if csv_file is not None and str(csv_file) != "-":
        csv_file.write_text(boards.as_csv(places), encoding="utf-8")
    elif csv_file is not None:
        click.echo(boards.as_csv(places), nl=False)
    elif as_json:
        click.echo(json.dumps([asdict(place) for place in places], indent=1))
    else:
        click.echo(boards.as_text(places) if places else f"{name}: no entry has a score yet")


@click.command()
@click.argument("identity", metavar="ID")
@click.pass_context
def retry(ctx: click.Context, identity: str) -> None:
    """Put the parked entry ID back into the queue, when what was at fault is mended; it costs the team nothing."""
    state, store = _store(ctx)
    click.echo(why_sentence(store.retry(identity), store, holder(state)))


@click.command()
@click.argument("file", type=_PATH)
@click.pass_context
def backup(ctx: click.Context, file: Path) -> None:
    """Write a copy of the queue to FILE; daemons and submissions go on meanwhile."""
    _, store = _store(ctx)
    copies.backup(store, file)
    click.echo(f"{len(store.entries())} entries in {file}")


@click.command()
@click.argument("file", type=_PATH)
@click.option("--from-journal", is_flag=True, help="Believe only the journal of FILE and make the rest anew from it.")
@click.pass_context
def restore(ctx: click.Context, file: Path, from_journal: bool) -> None:
    """Bring the queue back from FILE, a backup, into a state directory without one."""
    state = open_state(ctx.obj or default_state())
    click.echo(f"{copies.restore(file, state, from_journal=from_journal)} entries are back in {state}")


COMMANDS = (submit, daemon, status, why, report, board, retry, backup, restore)
