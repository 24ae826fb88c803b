"""`evaluate rejudge`: rejudging the entries of a challenge, as a set."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from evaluate.commands.queue_context import opened
from evaluate.core.model import Stage
from evaluate.store.entries import rejudge_attempts
from evaluate.views import rejudging


@click.group()
def rejudge() -> None:
    """Rejudge the entries of a challenge as a set: start, compare, then apply or discard.

    Results change only when a rejudging is applied; earlier results are kept.
    """


@rejudge.command()
@click.option("--challenge", required=True, metavar="NAME", help="Name of a challenge, or its folder.")
@click.option("--metric-only", is_flag=True, help="Only rescore the exam's answers (the default).")
@click.option(
    "--from",
    "first",
    type=click.Choice([stage.value for stage in Stage]),
    help="Rerun this stage and all later ones.",
)
@click.option(
    "--new-references",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Score against these references; every host must reach them at this path.",
)
@click.pass_context
def start(
    ctx: click.Context, challenge: str, metric_only: bool, first: str | None, new_references: Path | None
) -> None:
    """Start a rejudging of every entry that reached the exam, at the lowest priority; print its id."""
    if metric_only and first not in (None, Stage.SCORE.value):
        raise click.UsageError(f"--metric-only runs the score stage alone; --from {first} was asked for as well")
    queue = opened(ctx)
    key = queue.key(challenge)
    stage = Stage(first or Stage.SCORE)
    identity, count, gone = rejudging.start(queue.store, queue.depot, key, stage, new_references)
    for entry in gone:
        queue.say(f"{entry} is left out: the products of the stages before {stage} are missing")
    queue.say(f"{count} entries are rejudged from {stage} on; see: evaluate rejudge show {identity}")
    click.echo(identity)


@rejudge.command(name="list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def list_all(ctx: click.Context, as_json: bool) -> None:
    """List all rejudgings, oldest first."""
    rows = rejudging.rejudgings(opened(ctx).store)
    if as_json:
        click.echo(json.dumps([asdict(row) for row in rows], indent=1))
        return
    for row in rows:
        click.echo(f"{row.id:<6}{row.state:<11}{row.ended} of {row.entries} rejudged  {row.challenge} from {row.first}")
    if not rows:
        click.echo("nothing has been rejudged yet")


@rejudge.command()
@click.argument("identity", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def show(ctx: click.Context, identity: str, as_json: bool) -> None:
    """Show what rejudging ID changes: verdicts, scores and ranks before and after."""
    queue = opened(ctx)
    row = rejudging.rejudging(queue.store, identity)
    changes = rejudging.changes(queue.store, identity, queue.config.terms(row.challenge))
    click.echo(
        json.dumps(rejudging.as_json(row, changes), indent=1, allow_nan=False)
        if as_json
        else rejudging.as_text(row, changes)
    )


@rejudge.command()
@click.argument("identity", metavar="ID")
@click.pass_context
def apply(ctx: click.Context, identity: str) -> None:
    """Apply rejudging ID: all of its results now count, or none if it fails; repeating it changes nothing."""
    count, new = rejudge_attempts.adopt_rejudging(opened(ctx).store, identity)
    if not new:
        click.echo(f"{identity} is already applied, to {count} entries; nothing was changed")
        return
    click.echo(f"{identity} is applied: {count} entries have its results now; the earlier ones are kept")


@rejudge.command()
@click.argument("identity", metavar="ID")
@click.argument("entries", metavar="[ENTRY]...", nargs=-1)
@click.pass_context
def retry(ctx: click.Context, identity: str, entries: tuple[str, ...]) -> None:
    """Requeue the parked attempts of rejudging ID, or only those at ENTRY, after the cause is repaired."""
    count = rejudge_attempts.retry_rejudging(opened(ctx).store, identity, entries)
    click.echo(f"{count} entries of {identity} are rejudged again; see: evaluate rejudge show {identity}")


@rejudge.command()
@click.argument("identity", metavar="ID")
@click.argument("entry", metavar="ENTRY")
@click.option("--reason", required=True, metavar="TEXT", help="Reason, which `show` displays.")
@click.pass_context
def exclude(ctx: click.Context, identity: str, entry: str, reason: str) -> None:
    """Exclude ENTRY, whose attempt is parked, from rejudging ID: it keeps its current result."""
    rejudge_attempts.exclude_attempt(opened(ctx).store, identity, entry, reason)
    click.echo(f"{entry} keeps its result; see: evaluate rejudge show {identity}")


@rejudge.command()
@click.argument("identity", metavar="ID")
@click.pass_context
def discard(ctx: click.Context, identity: str) -> None:
    """Discard rejudging ID; nothing changes."""
    count = rejudge_attempts.discard_rejudging(opened(ctx).store, identity)
    click.echo(f"{identity} is discarded: {count} entries keep the results they have")


COMMANDS = (rejudge,)
