"""`evaluate remote`: enter a challenge at a site, from a participant's machine or from CI."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import click

from evaluate.commands.state import all_files_option, packed, submitted_words, write

if TYPE_CHECKING:
    from evaluate.remote import Server

_PATH = click.Path(path_type=Path)
_server = click.option(
    "--server",
    metavar="ADDRESS",
    envvar="EVALUATE_SERVER",
    help="The site.  [default: $EVALUATE_SERVER, else the newest login]",
)
_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
_wait = click.option(
    "--wait", is_flag=True, help="Wait until the entry has ended, and exit with the code of its report."
)


class _OfSite(click.Group):
    """Group whose commands read the answers of a site."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (LookupError, TypeError, AttributeError, ValueError) as e:  # JSON of other names and types
            from evaluate.core.errors import Fault
            from evaluate.remote import NO_SITE

            raise Fault(f"the answer of the server makes no sense ({type(e).__name__}: {e}); {NO_SITE}") from e


@click.group(cls=_OfSite)
def remote() -> None:
    """Take part in a challenge on a web site: log in, submit, see entries, reports and leaderboards.

    \b
    Once:   evaluate remote login https://challenge.example.org     asks for a token from your account page
    Then:   evaluate remote submit entry.zip --challenge NAME --wait
    In CI:  EVALUATE_SERVER and EVALUATE_TOKEN in place of the login

    Exit codes are those of the same commands on the server.
    """


def _token() -> str:
    """The token in the environment, without the line's end that a file of secrets has."""
    import os

    return os.environ.get("EVALUATE_TOKEN", "").strip()


def _opened(server: str | None) -> Server:
    """The server that is meant, with its token."""
    from evaluate.remote import RemoteState, Server, address_of

    kept = RemoteState.read()
    address = address_of(server) if server else kept.default
    if not address:
        raise click.UsageError("no server: name one with --server or EVALUATE_SERVER, or log in first")
    return Server(address, _token() or kept.tokens.get(address, ""))


def _say(text: str) -> None:
    from evaluate.core.sanitize import sanitize

    click.echo(sanitize(text), err=True)


def _print_json(values: Any) -> None:
    click.echo(json.dumps(values, indent=1))


@remote.command()
@click.argument("server")
@click.option("--token", help="The token.  [default: $EVALUATE_TOKEN, else asked for, or read from standard input]")
def login(server: str, token: str | None) -> None:
    """Log in to the site SERVER: store a token for it, and make it the default site.

    Make the token on the page of your account at the site. It is kept in ~/.config/evaluate/remote.json, which you
    alone can read, and is sent only to that site.
    """
    from evaluate.remote import API, RemoteState, Server, address_of

    address = address_of(server)
    secret = token or _token()
    if not secret and sys.stdin.isatty():
        secret = click.prompt(f"token of {address}/account", hide_input=True, err=True)
    secret = (secret or sys.stdin.readline()).strip()
    if not secret:
        raise click.UsageError(f"expected a token; make one at {address}/account")
    account = Server(address, secret).get(f"{API}/me").json
    teams = ", ".join(team["name"] for team in account["teams"])
    with RemoteState.changed() as kept:
        kept.default, kept.tokens[address] = address, secret
    _say(f"logged in at {address} as {account['address']}, {f'team {teams}' if teams else 'in no team yet'}")


@remote.command()
@click.argument("entry")
@click.option("--challenge", required=True, metavar="NAME", help="Name of a challenge of the site.")
@click.option("--team", default="", metavar="TEAM", help="Team to submit for, if you are in several.")
@all_files_option
@_json
@_wait
@_server
@click.pass_context
def submit(
    ctx: click.Context,
    entry: str,
    challenge: str,
    team: str,
    all_files: bool,
    as_json: bool,
    wait: bool,
    server: str | None,
) -> None:
    """Submit ENTRY, an archive, a folder, or the https address of a git repository; print its id.

    Only the id is on standard output. Run the command again to resume an upload whose connection was lost.

    Of a folder in a git work tree the files that git tracks are packed, otherwise all that .gitignore does not name,
    and never .git, .env, keys, virtual environments or caches; .evaluateignore leaves out more. What is packed is
    listed, and nothing is sent if a line of it looks like a secret.
    """
    from evaluate.core.sanitize import in_one_line
    from evaluate.host.state import default_state
    from evaluate.remote import API
    from evaluate.untrusted.repository import is_address

    site = _opened(server)
    made, began = {}, 0.0
    if is_address(entry):
        asked = {"challenge": challenge, "address": entry, "team": team}
        made = site.post(f"{API}/entries", asked)
        identity = str(made["id"])
    else:
        with packed(entry, _say, all_files=all_files, state=ctx.obj or default_state()) as source:
            archive = Path(source)
            if not archive.is_file():
                wish = "expected an archive, a folder, or the address of a repository"
                raise click.UsageError(f"{entry}: no such entry; {wish}")
            with _progress(archive) as moved:
                identity, began = site.upload(archive, challenge, team, moved)
    state = site.entry(identity)
    new = made["new"] if made else state["submitted"] >= began
    if not wait and as_json:
        _print_json({**state, "new": new})
        return
    if not new:
        _say(f"this archive was submitted before by team {state['team']}: it is the same entry")
    limits = [(limit["name"], limit["attempts"], limit["left"]) for limit in state["limits"]]
    _say(submitted_words(state["team"], state["phase"], limits, state["state"], state["place"]))
    if not as_json:
        click.echo(in_one_line(identity))
    if wait:
        _wait_for(ctx, site, identity, as_json=as_json)


@contextmanager
def _progress(archive: Path) -> Iterator[Callable[[int], None]]:
    """A bar on a terminal, and nothing elsewhere; takes the number of bytes that have arrived."""
    size, hidden = archive.stat().st_size, not sys.stderr.isatty()
    with click.progressbar(length=size, label=archive.name, file=sys.stderr, hidden=hidden) as bar:
        yield lambda arrived: bar.update(arrived - bar.pos)


def _wait_for(ctx: click.Context, site: Server, identity: str, *, as_json: bool) -> None:
    """Say each change on standard error until the entry has ended; then leave with its exit code."""
    from evaluate.remote import exit_code

    sentence = ""
    state: dict[str, Any] = {}
    for state in site.watch(identity):
        if state["sentence"] != sentence:
            sentence = state["sentence"]
            _say(sentence)
    if as_json:
        _print_json(state)
    ctx.exit(exit_code(state))


@remote.command()
@click.argument("identity", metavar="[ID]", required=False)
@click.option("--challenge", metavar="NAME", help="Show only entries to this challenge.")
@_json
@_wait
@_server
@click.pass_context
def status(
    ctx: click.Context, identity: str | None, challenge: str | None, as_json: bool, wait: bool, server: str | None
) -> None:
    """List the newest entries of your teams; or show the state and stages of entry ID."""
    from evaluate.core.sanitize import sanitize
    from evaluate.remote import API

    if identity is None and wait:
        raise click.UsageError("--wait needs the ID of an entry")
    site = _opened(server)
    if identity is None:
        entries = site.get(f"{API}/entries", challenge=challenge).json["items"]
        if as_json:
            _print_json(entries)
            return
        for row in entries:
            words = (
                f"{row['id']}  {row['verdict'] or row['state']:<18}{row['challenge']:<14}{row['team']}  {row['name']}"
            )
            click.echo(sanitize(words))
        if not entries:
            _say("no entry yet")
    elif wait:
        _wait_for(ctx, site, identity, as_json=as_json)
    else:
        entry = site.entry(identity)
        if as_json:
            _print_json(entry)
            return
        click.echo(sanitize(entry["sentence"]))
        for stage in entry["stages"]:
            first = stage["message"].partition("\n")[0]
            click.echo(sanitize(f"  {stage['stage']:<6}{stage['verdict']:<18}{first}"))


@remote.command()
@click.argument("identity", metavar="ID")
@_json
@click.option("--html", "html_file", type=_PATH, metavar="FILE", help="Write one HTML file.")
@_server
@click.pass_context
def report(ctx: click.Context, identity: str, as_json: bool, html_file: Path | None, server: str | None) -> None:
    """Show the report of entry ID. Exit code 0 if it passed, 1 if not."""
    from evaluate.remote import API, verdict_code

    site = _opened(server)
    part = quote(identity, safe="")
    document = site.get(f"{API}/entries/{part}/report").json
    code = verdict_code(document["verdict"])
    if html_file is not None:
        write(html_file, site.get(f"/entries/{part}/report").body.decode("utf-8", "replace"))
    if as_json:
        _print_json(document)
    elif html_file is None:
        click.echo(site.get(f"{API}/entries/{part}/report", text=True).text.rstrip("\n"))
    ctx.exit(code)


@remote.command()
@click.argument("name")
@_json
@_server
def board(name: str, as_json: bool, server: str | None) -> None:
    """Show the leaderboard of challenge NAME: each team's best attempt in each phase."""
    from evaluate.remote import API

    site = _opened(server)
    part = quote(name, safe="")
    if as_json:
        _print_json(site.get(f"/challenges/{part}/board.json").json)
    else:
        click.echo(site.get(f"{API}/challenges/{part}/board", text=True).text.rstrip("\n"))


COMMANDS = (remote,)
