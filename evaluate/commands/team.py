"""`evaluate team`: names of teams, their members and mail, deadlines of their own, and baselines."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from evaluate.commands.queue_context import opened

if TYPE_CHECKING:
    from collections.abc import Callable

    from evaluate.store.people.teams import Team

_ROLES = ("owner", "member")


@click.group()
def team() -> None:
    """Manage teams: names, aliases, members and their email addresses, deadlines of their own, baselines.

    A team exists from its first entry on, or since `team add`. Upper and lower case make no difference: `delta` is
    `Delta`.
    """


@team.command(name="list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def list_all(ctx: click.Context, as_json: bool) -> None:
    """List every team with its members."""
    from evaluate.store.people.teams import team_data, teams

    rows = teams(opened(ctx).store.database)
    if as_json:
        click.echo(json.dumps([{**team_data(row), "since": row.since} for row in rows], indent=1))
        return
    for row in rows:
        click.echo(_as_text(row))
    if not rows:
        click.echo("there is no team yet")


@team.command()
@click.argument("name")
@click.pass_context
def key(ctx: click.Context, name: str) -> None:
    """Print the deploy key of team NAME, which reads its private repositories by ssh.

    The team adds it to its repository as a key that may read; it is made when it is asked for first.
    """
    from evaluate.store.people.teams import get_team
    from evaluate.store.repositories import public_key

    queue = opened(ctx)
    database = queue.store.database
    click.echo(public_key(database, queue.shared, get_team(database, name).name).strip())


@team.command()
@click.argument("name")
@click.option("--member", "addresses", multiple=True, metavar="ADDRESS", help="Email address of a member; repeatable.")
@click.pass_context
def add(ctx: click.Context, name: str, addresses: tuple[str, ...]) -> None:
    """Register team NAME, or add members to it; `team alias` adds other names."""
    from evaluate.store.people.teams import Member

    def added(team: Team) -> Team:
        new = (Member(address=address) for address in dict.fromkeys(addresses) if team.member(address) is None)
        return replace(team, members=(*team.members, *new))

    _change(ctx, name, added, make=True)


@team.command()
@click.argument("name")
@click.argument("address")
@click.option("--person", metavar="TEXT", help="Name of the member.")
@click.option("--role", type=click.Choice(_ROLES), help="Role on the web site: owners can change the team.")
@click.option("--mail/--no-mail", default=None, help="Whether to email results to the member.")
@click.option("--remove", is_flag=True, help="Remove the member from the team.")
@click.pass_context
def member(
    ctx: click.Context, name: str, address: str, person: str | None, role: str | None, mail: bool | None, remove: bool
) -> None:
    """Add, change or remove the member of team NAME with this email address."""
    from evaluate.core.errors import UsageError
    from evaluate.store.people.teams import Member, Role

    def changed(team: Team) -> Team:
        before = team.member(address)
        if remove and before is None:
            raise UsageError(f"team {team.name} has no member {address!r}")
        others = tuple(other for other in team.members if other is not before)
        now = before or Member(address=address)
        now = replace(
            now,
            name=now.name if person is None else person,
            role=now.role if role is None else Role(role),
            mail=now.mail if mail is None else mail,
        )
        return replace(team, members=others if remove else (*others, now))

    _change(ctx, name, changed)


@team.command()
@click.argument("name")
@click.argument("other")
@click.option("--remove", is_flag=True, help="Remove the alias OTHER; its entries stay with the team.")
@click.pass_context
def alias(ctx: click.Context, name: str, other: str, remove: bool) -> None:
    """Add OTHER as an alias of team NAME; entries submitted under it become the team's."""
    from evaluate.core.errors import UsageError
    from evaluate.store.db.rows import folded

    def changed(team: Team) -> Team:
        if not remove:
            is_theirs = folded(other) in map(folded, (team.name, *team.aliases))
            return team if is_theirs else replace(team, aliases=(*team.aliases, other))
        left = tuple(name for name in team.aliases if folded(name) != folded(other))
        if left == team.aliases:
            raise UsageError(f"{other!r} is no alias of team {team.name}; its aliases: {', '.join(left) or 'none'}")
        return replace(team, aliases=left)

    _change(ctx, name, changed)


@team.command()
@click.argument("name", metavar="[TEAM]", required=False)
@click.option("--challenge", required=True, metavar="NAME", help="Challenge, as evaluate.yaml names it.")
@click.option("--phase", metavar="PHASE", help="With TEAM: the phase that it may submit to.")
@click.option("--until", metavar="TIME", help="With TEAM: its deadline, such as 2026-05-01T12:00:00Z.")
@click.option("--reason", default="", metavar="TEXT", help="Reason, recorded in the journal.")
@click.option("--undo", is_flag=True, help="Withdraw the deadline of TEAM.")
@click.pass_context
def extend(
    ctx: click.Context,
    name: str | None,
    challenge: str,
    phase: str | None,
    until: str | None,
    reason: str,
    undo: bool,
) -> None:
    """Let TEAM submit to a phase that has ended, or ends before its deadline.

    Until then, the team's entries belong to that phase. Without TEAM, lists the deadlines of a challenge.
    """
    from evaluate.report.words import moment
    from evaluate.store.people.site_settings import Extension, allow_late, deadlines, withdraw_deadline

    queue = opened(ctx)
    if name is None:
        for row in deadlines(queue.store.settings, queue.config, challenge):
            click.echo(f"{row.team}: phase {row.phase} until {moment(row.until)} ({row.reason})")
        return
    if phase is None or (until is None) != undo:
        raise click.UsageError("expected --phase, and either --until with --reason, or --undo")
    if until is None:
        withdraw_deadline(queue.store.database, queue.config, challenge, name, phase)
        return
    wanted = Extension(challenge=challenge, team=name, phase=phase, until=_time(until), reason=reason)
    extension = allow_late(queue.store.database, queue.config, wanted)
    click.echo(f"team {extension.team} may submit to phase {extension.phase} until {moment(extension.until)}")


def _time(text: str) -> float:
    from evaluate.config.schema.keys import seconds_since_1970

    try:
        return seconds_since_1970(text)
    except ValueError as e:
        raise click.UsageError(f"expected a time such as 2026-05-01T12:00:00Z, found {text!r}") from e


@team.command()
@click.argument("team", required=False)
@click.option("--undo", is_flag=True, help="Remove the mark.")
@click.pass_context
def baseline(ctx: click.Context, team: str | None, undo: bool) -> None:
    """Mark TEAM as a baseline, which is listed on leaderboards without a rank.

    The ranks of others are as if it were not there. Without TEAM, lists all that are marked.
    """
    from evaluate.store.people.site_settings import baseline_teams, mark_baseline

    database = opened(ctx).store.database
    if team is None:
        if undo:
            raise click.UsageError("expected TEAM with --undo")
        for name in sorted(baseline_teams(database)):
            click.echo(name)
        return
    marked = mark_baseline(database, team, on=not undo)
    click.echo(
        f"{marked} is no baseline" if undo else f"{marked} is a baseline: it is listed on leaderboards without a rank"
    )


def _change(ctx: click.Context, name: str, change: Callable[[Team], Team], *, make: bool = False) -> None:
    from evaluate.store.people.teams import change_team

    click.echo(_as_text(change_team(opened(ctx).store.database, name, change, make=make)))


def _as_text(team: Team) -> str:
    lines = [team.name + (f" (also {', '.join(team.aliases)})" if team.aliases else "")]
    for person in team.members:
        words = [person.address, person.name, person.role.value, "" if person.mail else "no mail"]
        lines.append(f"  {', '.join(filter(None, words))}")
    return "\n".join(lines)


COMMANDS = (team,)
