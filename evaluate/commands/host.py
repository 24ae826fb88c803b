"""`evaluate daemon, host, doctor, backup, restore, verify-state, prune`: the hosts that evaluate, and their upkeep."""

from __future__ import annotations

import json
import math
import os
import re
import sys
from dataclasses import asdict, replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import click

from evaluate.commands.queue_context import opened
from evaluate.commands.state import Finite, check_writable, owned, quoted, write
from evaluate.config.schema.keys import AUTO, AUTO_WORD, SLOTS
from evaluate.core.model import ACCELERATORS
from evaluate.host.state import default_state

if TYPE_CHECKING:
    from evaluate.config.types import Config
    from evaluate.host.finding import Check

_PATH = click.Path(path_type=Path)
_FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)


class _Duration(click.ParamType[float]):
    """A length of time in seconds, such as 3600, 90m or 1h30m."""

    name = "duration"
    _UNITS: ClassVar = {"d": 86400.0, "h": 3600.0, "m": 60.0, "s": 1.0}

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read it."""
        if isinstance(value, float):
            return value
        text = str(value).strip().lower()
        if re.fullmatch(r"\d+(\.\d+)?", text):
            return float(text)
        if not re.fullmatch(r"(\d+(\.\d+)?[dhms])+", text):
            self.fail(f"expected a number of seconds, or such as 90m, 12h or 1h30m; found {value!r}", param, ctx)
        return sum(float(many) * self._UNITS[unit] for many, unit in re.findall(r"([\d.]+)([dhms])", text))


DURATION = _Duration()


class _Slots(click.ParamType[int]):
    """A number from 1, or `AUTO`."""

    name = "slots"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if re.fullmatch(r"[1-9]\d{0,8}", value):
            return int(value)
        if value != AUTO_WORD:
            self.fail(f"expected {SLOTS.expected}, found {value!r}", param, ctx)
        return AUTO


@click.command()
@click.option("--once", is_flag=True, help="Evaluate all queued entries, then exit.")
@click.option(
    "--for",
    "duration",
    type=DURATION,
    metavar="DURATION",
    help="Stop within this time, such as 90m or 12h; for cluster jobs.",
)
@click.option(
    "--slots",
    type=_Slots(),
    metavar="N|auto",
    help="Virtual machines to run at once on this host, or as many as it bears.  [default: 1]",
)
@click.option("--shards", type=click.IntRange(min=1), help="Number of parts an exam is split into.  [default: 1]")
@click.option("--stop-seconds", type=Finite(min=0), help="Time that running stages get after SIGTERM.  [default: 30]")
@click.option("--free-gib", type=Finite(min=0), help="Disk space to keep free, in GiB.  [default: 5]")
@click.option("--accelerator", type=click.Choice(ACCELERATORS), default="auto", show_default=True)
@click.pass_context
def daemon(
    ctx: click.Context, /, once: bool, duration: float | None, accelerator: str, free_gib: float | None, **given: Any
) -> None:
    """Evaluate the entries in the queue, until SIGTERM or Ctrl-C.

    It may be killed at any moment without loss: the next daemon, or one on another host, resumes where it stopped. On
    SIGHUP it rereads evaluate.yaml; options take precedence over the file. Each challenge that the file names is
    checked first, as by `evaluate challenge check`.

    With --for, it runs a stage only if the entry's limits fit into the remaining time, and ends --stop-seconds before
    that time. Its lease is shorter than --stop-seconds, so that other hosts soon take over its work if it is killed
    anyway. With --once as well, it also ends when nothing runs and no waiting stage fits.
    """
    from evaluate.authoring.check import check_challenges
    from evaluate.config.challenge.cache import load_challenge
    from evaluate.config.load import load_config
    from evaluate.config.types import within_grace
    from evaluate.host.capacity import Capacity, HostLoad
    from evaluate.host.state import daemon_check, refuse_root
    from evaluate.receipts.issue import Registry
    from evaluate.run.daemon import Daemon, handle_signals
    from evaluate.run.flow import FlowContext
    from evaluate.run.runner import StageRunner
    from evaluate.store.logs import LOG, log_to
    from evaluate.store.schedule.engine import Engine
    from evaluate.store.schedule.hosts import new_executor

    queue = opened(ctx, daemon=True)
    refuse_root(queue.state, public=load_config(queue.state).web.is_public)
    options = {key: value for key, value in given.items() if value is not None}
    if free_gib is not None:
        options["free_bytes"] = int(free_gib * (1 << 30))

    checked: set[Path] = set()
    borne: Capacity | None = None

    def load() -> Config:
        nonlocal borne
        config = replace(load_config(queue.state), **options)
        new = set(config.folders()) - checked
        check_challenges(sorted(new))
        checked.update(new)
        borne = Capacity.of(map(load_challenge, map(str, config.folders()))) if config.slots == AUTO else None
        config = replace(config, slots=borne.at_rest(HostLoad.measured())) if borne else config
        return config if duration is None else within_grace(config)

    config = load()
    log_to(form=config.log)
    if not (user := daemon_check(queue.state)).ok:
        LOG.warning("%s: %s", user.found, user.remedy_text)
    runner = StageRunner(
        depot=queue.depot,
        state=queue.state,
        shared=queue.shared,
        accelerator=accelerator,
        say=cache(partial(LOG.info, "%s")),  # every stage repeats it
    )
    executor = new_executor(config.host)
    context = FlowContext(
        store=queue.store,
        shared=queue.shared,
        depot=queue.depot,
        runner=runner,
        config=config,
        receipts=Registry(queue.state),
        executor=executor,
        engine=Engine(queue.store.database, executor, gpus=bool(config.gpus)),
    )
    running = Daemon(
        queue.state,
        context,
        load,
        math.inf if duration is None else duration,
        lambda held: borne.now(held, HostLoad.measured()) if borne else sys.maxsize,
    )
    handle_signals(running)
    if not running.run(once=once):
        sys.stderr.flush()
        os._exit(0)  # threads of workflows still wait for their stages; they resume at the next start


@click.group()
def host() -> None:
    """List and drain the hosts that evaluate entries; print their systemd units."""


@host.command(name="list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def list_hosts(ctx: click.Context, as_json: bool) -> None:
    """List every host with a daemon."""
    from evaluate.store.schedule.hosts import hosts
    from evaluate.views.words import span

    rows = hosts(opened(ctx).store)
    if as_json:
        click.echo(json.dumps([asdict(row) for row in rows], indent=1))
        return
    for row in rows:
        how = "silent" if row.left_seconds <= 0 else "drained" if row.draining else "active"
        last = "" if row.left_seconds <= 0 else f", its lease holds for {span(row.left_seconds)}"
        click.echo(f"{row.name:<24}{how:<9}{row.running} of {row.slots} slots, evaluate {row.version}{last}")
    if not rows:
        click.echo("no daemon is running (evaluate daemon)")


@host.command(name="drain")
@click.argument("name")
@click.option("--off", is_flag=True, help="End draining: the host accepts work again.")
@click.pass_context
def drain_host(ctx: click.Context, name: str, off: bool) -> None:
    """Drain host NAME: it finishes running stages and accepts no new work, also after restarts, until --off."""
    from evaluate.store.schedule.hosts import drain, hosts

    store = opened(ctx).store
    drain(store, name, on=not off)
    running = sum(row.running for row in hosts(store) if row.name == name)
    click.echo(f"{name} accepts work again" if off else f"{name} is drained; {running} stages still running")


@click.command()
@click.argument("folder", metavar="DIR", type=_PATH)
@click.pass_context
def backup(ctx: click.Context, folder: Path) -> None:
    """Back up everything that the queue needs to DIR, verified, without stopping the daemon.

    If DIR is an earlier backup, only what is new is copied. If `verify-state` finds damage, no backup is made; if only
    uploads or challenges are missing, it is made with exit code 3.
    """
    from evaluate.operate import backup_folder

    queue = opened(ctx)
    made = backup_folder.backup(queue.store, queue.state, queue.shared, queue.depot, folder)
    click.echo(f"{made.entries} entries and {len(made.files)} files in {folder}, verified")
    for line in made.absent:
        queue.say(line)
    ctx.exit(3 if made.absent else 0)


@click.command()
@click.argument("folder", metavar="DIR", type=_PATH)
@click.option("--check", is_flag=True, help="Dry run: verify the backup, and show where everything would go.")
@click.option(
    "--challenges",
    type=_PATH,
    metavar="DIR",
    help="Restore your own challenges into DIR instead of their former places.",
)
@click.pass_context
def restore(ctx: click.Context, folder: Path, check: bool, challenges: Path | None) -> None:
    """Restore the backup DIR as a new state directory.

    It may have an evaluate.yaml already. No other command opens it until it is complete; if the
    command is interrupted, run it again.
    """
    from evaluate.operate import restoration

    state = owned(ctx)
    restored = restoration.restore(folder, state, challenges=challenges, check=check)
    for path in restored.kept:
        click.echo(f"{path} differs from the backup and {'would stay' if check else 'was left'} as it is", err=True)
    for name, target in restored.moved:
        click.echo(f"{name} is now {target}; evaluate.yaml does not name it", err=True)
    for line in (*restored.absent, *filter(None, [restored.log])):
        click.echo(line, err=True)
    click.echo(f"{restored.entries} entries {'would be' if check else 'are'} back in {state}")


@click.command(name="verify-state")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def verify_state(ctx: click.Context, as_json: bool) -> None:
    """Verify the queue against its journal: files, hash chain, tables, long texts, uploads,
    challenges.

    The journal is also compared with what this host's receipts say of it, and the log of receipts is checked. Exit
    code 3 if anything differs.
    """
    from evaluate.operate import upkeep

    queue = opened(ctx)
    left = list(upkeep.everything(queue.store, queue.state, queue.shared, queue.depot))
    if as_json:
        click.echo(json.dumps(upkeep.as_json(left), indent=1))
    else:
        click.echo("\n".join(map(str, left)) or "the queue matches its journal")
    ctx.exit(3 if left else 0)


@click.command()
@click.option(
    "--dry-run", is_flag=True, help="Show what would be deleted and how much space that frees; delete nothing."
)
@click.pass_context
def prune(ctx: click.Context, dry_run: bool) -> None:
    """Delete what the retention rules in evaluate.yaml allow (`prune` of each challenge, `unused_days`)."""
    from evaluate.operate import prune as pruning

    queue = opened(ctx)
    items = pruning.plan(queue.store, queue.state, queue.shared, queue.config)
    if not dry_run:
        pruning.sweep(queue.store, queue.state, queue.shared)
    size = sum(item.bytes for item in items) if dry_run else pruning.carry_out(queue.store, items)
    for item in items:
        whose = f" of {item.entry}" if item.entry else ""
        click.echo(f"{item.kind:<11}{item.bytes / (1 << 20):>10.1f} MiB{whose}: {item.consequence}")
    verb = "would be freed" if dry_run else "were freed"
    click.echo(f"{size / (1 << 20):.1f} MiB {verb}: {len(items)} things")


@host.command()
@click.option("--all", "folder", type=_FOLDER, metavar="DIR", help="Write the units of a whole server into DIR.")
@click.option("--prefix", type=_PATH, help="For packagers: the environment of the program.")
@click.pass_context
def service(ctx: click.Context, folder: Path | None, prefix: Path | None) -> None:
    """Print a systemd unit for the daemon of this state directory.

    With --all, also those of the helper that mounts places of a fixed size, of the site, and of a backup and `evaluate
    prune` every night. With --prefix, the units are those of a program that will be there, with the default settings.

    \b
    evaluate host service > /etc/systemd/system/evaluate.service
    systemctl enable --now evaluate
    """  # click keeps a paragraph's lines after \b
    from evaluate.config.load import load_config
    from evaluate.config.types import Config
    from evaluate.operate.service import UNIT, units

    state = (ctx.obj or default_state()).absolute()
    python = Path(sys.executable) if prefix is None else prefix / "bin" / "python"
    texts = units(python, state, load_config(state) if prefix is None else Config())
    if folder is None:
        click.echo(texts[UNIT], nl=False)
        return
    for name, text in texts.items():
        write(folder / name, text)


@click.command()
@click.argument("cases", nargs=-1, metavar="[CASE]...")
@click.option("--fix", is_flag=True, help="Run the commands that repair what is missing.")
@click.option("--all", "every", is_flag=True, help="Show every check, as on a server.")
@click.option("--attack", is_flag=True, help="Run attacks against this installation.")
@click.option("--json", "json_file", type=_PATH, metavar="FILE", help="With --attack: write the outcomes as JSON.")
@click.option("--accelerator", type=click.Choice(ACCELERATORS), default="auto", help="With --attack.")
@click.pass_context
def doctor(
    ctx: click.Context,
    cases: tuple[str, ...],
    fix: bool,
    every: bool,
    attack: bool,
    json_file: Path | None,
    accelerator: str,
) -> None:
    """Check this machine: what it has, what is missing, and the exact command that repairs it.

    Without a queue, only what is missing is shown.

    With --attack, runs programs, uploads and answers that try to escape, to exhaust resources or to cheat (at most 20
    minutes under emulation), and names each that was not stopped as expected. Nothing else should run meanwhile. Under
    KVM the guests have the GPUs of evaluate.yaml. CASE, such as archive-crc or 'archive-*', runs only these attacks.
    """
    from evaluate.host.doctor import diagnose, repair

    if not attack and (cases or json_file is not None):
        raise click.UsageError("CASE and --json belong to --attack")
    words = sys.argv[1:]
    if fix:
        repair(click.echo)
        # that needed root; what follows is the owner's
        words = [word for word in words if word != "--fix"]
    state = owned(ctx, words)
    checks = [*diagnose(state), *_queue_checks(state)]
    server = every or attack or any((state / name).exists() for name in ("evaluate.yaml", "queue.sqlite"))
    for check in checks if server else [check for check in checks if check.needed and not check.ok]:
        word = "ok  " if check.ok else "miss" if check.needed else "note"
        click.echo(f"{word}  {check.name:<12}{quoted(check.found)}")
        if not check.ok and check.remedy:
            click.echo(f"      {'':<12}repair: {check.remedy_text}")
    ready = all(check.ok or not check.needed for check in checks)
    if not server:
        missing = "nothing that is needed is missing; " if ready else ""
        click.echo(f"{missing}evaluate doctor --all shows every check")
    if attack:
        ready &= _attacked(state, cases, accelerator, json_file)
    ctx.exit(0 if ready else 3)


def _attacked(state: Path, patterns: tuple[str, ...], accelerator: str, json_file: Path | None) -> bool:
    """Run the hostile cases, and print their outcomes; returns True if all ended as they must."""
    from evaluate.attack.cases import load_cases
    from evaluate.attack.suite import Suite, outcomes, selected

    cases = selected(load_cases(), patterns)
    check_writable(json_file)
    results = []
    for result in Suite(state, accelerator, click.echo).run(cases):
        results.append(result)
        click.echo(f"[{len(results)}/{len(cases)}] {result.line}")
    summary = outcomes(results)
    if json_file is not None:
        write(json_file, json.dumps(summary, indent=1) + "\n")
    passed, failed = summary["passed"], summary["failed"]
    not_tried = len(results) - passed - failed
    click.echo(f"{passed} of {passed + failed} attacks ended as they must; {not_tried} not tried")
    return bool(failed == 0)


def _queue_checks(state: Path) -> list[Check]:
    """The database of a queue, if it cannot be used; nothing without a queue."""
    from evaluate.config.load import load_config
    from evaluate.core.errors import EvaluateError
    from evaluate.host.finding import Check
    from evaluate.store.db.database import COMMAND_CONNECTIONS, file_of, open_database

    try:
        config = load_config(state)
        if config.database.startswith("postgresql") or file_of(state, config.database).exists():
            open_database(state, config.database, pool=COMMAND_CONNECTIONS).engine.dispose()
    except EvaluateError as e:
        return [Check(name="database", ok=False, found=str(e))]
    return []


COMMANDS = (daemon, host, doctor, backup, restore, verify_state, prune)
