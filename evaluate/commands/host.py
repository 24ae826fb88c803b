"""`evaluate daemon, host, backup, restore, service`: the processes that evaluate, and their keep."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import click

from evaluate.commands.opened import opened
from evaluate.host.config import Config, load_config
from evaluate.host.state import default_state, open_state
from evaluate.queue.daemon import Daemon, handle_signals
from evaluate.queue.flow import FlowContext
from evaluate.queue.logs import log_to, saying_once
from evaluate.queue.outbound.prometheus import Measures
from evaluate.queue.runner import StageRunner
from evaluate.queue.service import service_unit
from evaluate.queue.store import backup as copies
from evaluate.queue.store.hosts import drain, hosts, new_executor
from evaluate.queue.views.words import span

_PATH = click.Path(path_type=Path)


@click.command()
@click.option("--once", is_flag=True, help="Drain the queue, then exit.")
@click.option("--slots", type=click.IntRange(min=1), help="Virtual machines at once on this host.  [default: 1]")
@click.option("--shards", type=click.IntRange(min=1), help="Parts of an exam.  [default: 1]")
@click.option("--stop-seconds", type=click.FloatRange(min=0), help="For running stages at the end.  [default: 30]")
@click.option("--free-gib", type=click.FloatRange(min=0), help="Room on the disk to keep.  [default: 5]")
@click.option("--accelerator", type=click.Choice(["auto", "kvm", "tcg"]), default="auto", show_default=True)
@click.pass_context
def daemon(ctx: click.Context, /, once: bool, accelerator: str, free_gib: float | None, **given: Any) -> None:
    """Take entries out of the queue and evaluate them, until SIGTERM or Ctrl-C.

    Killed at any moment it loses nothing: the next daemon, or one on another host, goes on where it was. SIGHUP reads
    evaluate.yaml anew; options go before what it says.
    """
    own = opened(ctx)
    options = {key: value for key, value in given.items() if value is not None}
    if free_gib is not None:
        options["free_bytes"] = int(free_gib * (1 << 30))

    def load() -> Config:
        return replace(load_config(own.state), **options)

    config = load()
    log_to(form=config.log)
    measures = Measures(own.store)
    runner = StageRunner(
        depot=own.depot,
        state=own.state,
        shared=own.shared,
        accelerator=accelerator,
        say=saying_once(),
        watched=measures.watched,
    )
    executor = new_executor(config.host)
    context = FlowContext(
        store=own.store, shared=own.shared, depot=own.depot, runner=runner, config=config, executor=executor
    )
    running = Daemon(own.state, context, measures, load)
    handle_signals(running)
    if not running.run(once=once):
        sys.stderr.flush()
        os._exit(0)  # threads of workflows that wait for their stages; they go on at the next start


@click.group()
def host() -> None:
    """The hosts that evaluate: which there are, and which are to begin nothing more."""


@host.command(name="list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def list_hosts(ctx: click.Context, as_json: bool) -> None:
    """Every host with a daemon."""
    found = hosts(opened(ctx).store)
    if as_json:
        click.echo(json.dumps([asdict(one) for one in found], indent=1))
        return
    for one in found:
        how = "silent" if one.left_seconds <= 0 else "drained" if one.draining else "works"
        last = "" if one.left_seconds <= 0 else f", its lease holds for {span(one.left_seconds)}"
        click.echo(f"{one.name:<24}{how:<9}{one.running} of {one.slots} slots, evaluate {one.version}{last}")
    if not found:
        click.echo("no daemon runs (evaluate daemon)")


@host.command(name="drain")
@click.argument("name")
@click.option("--off", is_flag=True, help="Let it take up work again.")
@click.pass_context
def drain_host(ctx: click.Context, name: str, off: bool) -> None:
    """Let the host NAME end what it runs and begin nothing more, also after restarts, until --off."""
    store = opened(ctx).store
    drain(store, name, on=not off)
    running = sum(one.running for one in hosts(store) if one.name == name)
    click.echo(f"{name} takes up work again" if off else f"{name} begins nothing more; {running} stages still run")


@click.command()
@click.argument("file", type=_PATH)
@click.pass_context
def backup(ctx: click.Context, file: Path) -> None:
    """Write a copy of the queue to FILE, one SQLite file; daemons and submissions go on meanwhile."""
    store = opened(ctx).store
    copies.backup(store, file)
    click.echo(f"{sum(store.counts().values())} entries in {file}")


@click.command()
@click.argument("file", type=_PATH)
@click.option("--from-journal", is_flag=True, help="Believe only the journal of FILE and make the rest anew from it.")
@click.pass_context
def restore(ctx: click.Context, file: Path, from_journal: bool) -> None:
    """Bring the queue back from FILE, a backup, into a state directory or a database without one."""
    state = open_state(ctx.obj or default_state())
    count = copies.restore(file, state, load_config(state).database, from_journal=from_journal)
    click.echo(f"{count} entries are back in {state}")


@click.command()
@click.pass_context
def service(ctx: click.Context) -> None:
    """Print a systemd unit for the daemon of this state directory.

    \b
    evaluate service > /etc/systemd/system/evaluate.service
    systemctl enable --now evaluate
    """  # click keeps a paragraph's lines after \b
    state = open_state(ctx.obj or default_state())
    click.echo(service_unit(Path(sys.executable), state, load_config(state)), nl=False)


COMMANDS = (daemon, host, backup, restore, service)
