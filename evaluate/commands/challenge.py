"""`evaluate challenge`: list, check and start challenges, and download their data.

What a command needs is imported in it: `evaluate --help` reads only this file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from evaluate.commands.state import Finite

if TYPE_CHECKING:
    from evaluate.commands.queue_context import QueueContext
    from evaluate.config.challenge.types import Challenge
    from evaluate.core.model import Evaluation
    from evaluate.stages.job import ScorerMeans

_PATH = click.Path(path_type=Path)
_KINDS = ("scripts", "python", "image", "answers")


@click.group()
def challenge() -> None:
    """List, check and create challenges."""


@challenge.command("list")
def list_() -> None:
    """List the challenges that come with the program."""
    from evaluate.config.challenge.cache import load_challenge
    from evaluate.config.challenge.load import list_challenges

    for name in list_challenges():
        click.echo(f"{name:<16}{load_challenge(name).title}")


@challenge.command()
@click.argument("path")
@click.option("--seconds", type=Finite(min=0), metavar="N", help="Time limit of the metric, for each set of records.")
@click.option(
    "--measure", is_flag=True, help="Run the sample entry and the bad entries in a virtual machine, and propose limits."
)
@click.option(
    "--runner",
    type=click.Choice(["vm", "plain"]),
    default="vm",
    show_default=True,
    help="Where a scorer runs; plain: on this computer, in seconds, with its own Python and packages.",
)
@click.pass_context
def check(ctx: click.Context, path: str, seconds: float | None, measure: bool, runner: str) -> None:
    """Name every mistake in a challenge (a name or a folder), and score its sample entry where no machine is needed.

    A scorer of its own needs one, or --runner plain: it scores the sample entry twice, so that random results are
    noticed.

    A name is looked up in evaluate.yaml too, whose phases and attempts belong to the challenge. For a hidden exam,
    it says what protects it better.

    --measure prints a section `limits` for challenge.yaml: twice what the slowest entry that must pass uses.
    """
    from evaluate.authoring.check import check_challenge
    from evaluate.commands.queue_context import opened
    from evaluate.config.challenge.load import challenge_folder

    if measure and runner == "plain":
        raise click.UsageError("--measure counts instructions, which --runner plain does not")
    queue = opened(ctx)
    folder = queue.config.locate(path) or challenge_folder(path)
    key = queue.key(str(folder))
    problems = check_challenge(
        folder,
        lambda text: click.echo(f"{folder.name}: {text}", err=True),
        attempts=queue.config.terms(key).most,
        seconds=seconds,
        means=partial(_means, ctx, plain=runner == "plain"),
    )
    for problem in problems:
        click.echo(problem)
    if measure and not problems:
        problems = _measured(ctx, folder)
    click.echo(f"{folder.name}: {len(problems) or 'no'} problem{'s' if len(problems) != 1 else ''}", err=True)
    ctx.exit(2 if problems else 0)


def _measured(ctx: click.Context, folder: Path) -> list[str]:
    """Print the limits that entries of a challenge need; returns which entries did not end as they should."""
    import tempfile

    from evaluate.commands.state import state_of
    from evaluate.config.challenge.cache import load_challenge
    from evaluate.home.measure import measure
    from evaluate.home.trial import Trial, try_entry
    from evaluate.stages.job import NullMonitor

    rules = load_challenge(str(folder))
    if not rules.runs_programs:
        click.echo(f"{folder.name}: its entries run no programs, so there is nothing to measure", err=True)
        return []
    state = state_of(ctx)

    def attempt(entry: Path, limited: Challenge) -> Evaluation:
        click.echo(f"{folder.name}: {entry.name}", err=True)
        return try_entry(Trial(entry, limited, state, NullMonitor()))

    with tempfile.TemporaryDirectory() as scratch:
        measurement = measure(rules, Path(scratch), attempt)
    for line in measurement.lines:
        click.echo(f"{folder.name}: {line}", err=True)
    for problem in measurement.problems:
        click.echo(problem)
    click.echo(measurement.yaml, nl=False)
    return list(measurement.problems)


@contextmanager
def _means(ctx: click.Context, challenge: Challenge, *, plain: bool) -> Iterator[ScorerMeans]:
    """Image, hypervisor and folders for a scorer on this machine; ``plain``: without a virtual machine."""
    from evaluate.host.state import default_state, open_state
    from evaluate.host.wiring import HostMeans, scorer_means
    from evaluate.sandbox.run_folders import RunFolders
    from evaluate.stages.job import Lines

    state = open_state(ctx.obj or default_state())

    def say(text: str) -> None:
        click.echo(f"{challenge.name}: {text}", err=True)

    with RunFolders(state / "runs").new("check") as folder:
        if plain:
            from evaluate.home.plain_job import PlainLayers, plain_scorer_means

            yield plain_scorer_means(challenge, folder, PlainLayers(state, Lines(say)))
            return
        yield scorer_means(HostMeans(state=state, monitor=Lines(say)), challenge, folder)


@challenge.command()
@click.argument("path", type=_PATH)
@click.option(
    "--kind",
    type=click.Choice(_KINDS),
    default=_KINDS[0],
    show_default=True,
    help="Kind of entry that teams upload.",
)
@click.option(
    "--template",
    type=click.Choice(["scorer", *(f"physionet-{year}" for year in range(2020, 2027))]),
    help="Instead: a scoring program of your own (docs/scorers.md), or entries of one of the years of the PhysioNet "
    "Challenge as they are (docs/contracts.md).",
)
def new(path: Path, kind: str, template: str | None) -> None:
    """Create a working challenge in the new folder PATH: definition, metric, sample data, sample entry.

    \b
      evaluate challenge new hearts --kind python
      evaluate challenge check hearts
      evaluate try hearts/sample_entry --challenge hearts
    """
    from evaluate.authoring.skeleton import write_skeleton
    from evaluate.config.challenge.types import Kind

    if template is not None and template.startswith("physionet-"):
        from evaluate.authoring.contract_samples import new_challenge
        from evaluate.config.challenge.contract import ContractName

        click.echo("\n".join(new_challenge(path, ContractName(template))))
        return
    for line in write_skeleton(path, Kind(kind), scorer=template is not None):
        click.echo(line)


@challenge.command("import")
@click.argument("form", type=click.Choice(["codabench", "physionet"]))
@click.argument("path", type=_PATH)
@click.option("--to", type=_PATH, metavar="DIR", help="Folder to create; by default one named by the title.")
@click.option("--phase", type=click.IntRange(min=0), metavar="N", help="Phase that decides, from 0; default the last.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def import_(form: str, path: Path, to: Path | None, phase: int | None, as_json: bool) -> None:
    """Make a challenge folder of another platform's definition at PATH, a folder or an archive.

    It says what was carried over, and line by line what was not and why. Nothing of the definition is run.

    \b
      evaluate challenge import codabench bundle.zip --to iris
      evaluate challenge check iris --runner plain
      evaluate challenge check iris
    """
    from evaluate.authoring.imports import import_challenge
    from evaluate.config.challenge.cache import load_challenge

    imported = import_challenge(form, path, to, phase)
    if as_json:
        click.echo(json.dumps(imported.as_json(), indent=1, ensure_ascii=False))
        return
    for text in imported.carried:
        click.echo(f"carried: {text}")
    for omission in imported.left_out:
        click.echo(f"left out: {omission.what} ({omission.where}): {omission.why}")
    sample = imported.folder / "sample_entry"
    if not sample.exists():
        click.echo(f"{sample}: missing; put the files of one submission there first")
    scorer = load_challenge(str(imported.folder)).scorer
    following = [f"evaluate challenge check {imported.folder}"]
    if scorer is None or scorer.container is None:  # which needs the machine
        following.insert(0, f"{following[0]} --runner plain")
    for word, text in zip(("next", "then"), following, strict=False):
        click.echo(f"{word}: {text}")


@challenge.command("fetch")
@click.argument("path")
@click.option("--to", "target", type=_PATH, required=True, metavar="DIR", help="Destination folder.")
@click.option("--only", multiple=True, metavar="PATTERN", help="Fetch only matching files, such as 'validation/*'.")
@click.option("--list", "list_only", is_flag=True, help="List what would be fetched, and exit.")
def fetch_(path: str, target: Path, only: tuple[str, ...], list_only: bool) -> None:
    """Download the public data of a challenge; files that are complete are not fetched again."""
    from evaluate.authoring.fetch import downloads, fetch, read_source
    from evaluate.config.challenge.load import challenge_folder

    source = read_source(challenge_folder(path))
    click.echo(f"from: {source.page}\nlicence: {source.licence}\ncite: {source.cite}", err=True)
    wanted = [file for file in downloads(source) if not only or any(Path(file.name).match(pattern) for pattern in only)]
    if list_only:
        for file in wanted:
            click.echo(file.name)
        return
    if not wanted:
        raise click.UsageError(f"--only {' '.join(only)}: no file matches")
    fetch(wanted, target, lambda text: click.echo(text, err=True))
    unchecked = sum(file.sha256 is None for file in wanted)
    note = f"; the publisher provides no checksum for {unchecked} of them" if unchecked else ", every checksum matches"
    click.echo(f"{len(wanted)} files in {target}{note}")


@challenge.command()
@click.argument("name")
@click.option("--replace", is_flag=True, help="Seal a changed challenge again; the new seal lists what changed.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def seal(ctx: click.Context, name: str, replace: bool, as_json: bool) -> None:
    """Seal challenge NAME before its first entry: sign and log what it consists of.

    The seal has the digests of rules, metric and the code that makes a board, the attempts and phases of evaluate.yaml,
    and commitments to references and hidden records, which say nothing about them. Give its file to everybody: every
    later receipt, and the board, say whether anything has changed since.
    """
    from evaluate.commands.queue_context import opened
    from evaluate.receipts.issue import Registry
    from evaluate.receipts.seal import SealNow

    queue = opened(ctx)
    registry, named = Registry(queue.state), queue.challenge(name)
    rules, terms = named.challenge, named.terms
    sealed = registry.seal(
        rules, entries=_entries(queue, named.store_name), replace=replace, board=terms.sealed(rules.board)
    )
    file = registry.folder(sealed.number).receipt
    if as_json:
        document = {
            "number": sealed.number,
            "sha256": sealed.sha256,
            "file": str(file),
            **sealed.statement["predicate"],
        }
        click.echo(json.dumps(document, indent=1))
        return
    click.echo(f"{rules.name} was {SealNow(seal=sealed).words}; publish {file}")


@challenge.command("open")
@click.argument("name")
@click.option("--record", metavar="R", help="Open only the commitments about this exam record.")
@click.option("--entry", metavar="ID", help="Open only those in the receipts of this entry, for example for an appeal.")
@click.option("--early", is_flag=True, help="Publish even while a phase of the challenge is open.")
@click.pass_context
def open_(ctx: click.Context, name: str, record: str | None, entry: str | None, early: bool) -> None:
    """Publish the openings of the commitments in the receipts of challenge NAME, at the end of its season.

    `evaluate log export` then has the openings beside the receipts, and the board with its true scores, so that anybody
    can calculate it again. What is published cannot be taken back.
    """
    import time

    from evaluate.commands.queue_context import opened
    from evaluate.receipts.issue import OPENED, Registry

    queue = opened(ctx)
    named = queue.challenge(name)
    running = [phase.name for phase in named.terms.phases if phase.ends > time.time()]
    if running and record is None and not early:
        raise click.UsageError(f"the phase {running[0]} has not ended: its teams would see what is hidden (--early)")
    registry = Registry(queue.state)
    count = 0
    for number, many in registry.open(named.challenge.name, record, entry):
        count += many
        click.echo(f"{registry.folder(number).folder / OPENED}: {many} openings")
    if not count:
        raise click.UsageError(f"no receipt of {name} here has an opening of {record or 'anything'}")
    click.echo(f"{count} openings are public; publish them with `evaluate log export`")


@challenge.command()
@click.argument("old")
@click.argument("new")
@click.pass_context
def rename(ctx: click.Context, old: str, new: str) -> None:
    """Move all entries of challenge OLD to challenge NEW, a name in evaluate.yaml or a built-in challenge.

    OLD is the name that evaluate.yaml had, or what `evaluate status` calls it. Boards, quotas and rejudgings follow. A
    challenge whose folder in evaluate.yaml changes needs no renaming: it is the same challenge as long as its name is.
    """
    from evaluate.commands.queue_context import opened
    from evaluate.receipts.issue import Registry
    from evaluate.store.entries.challenges import rename as give

    queue = opened(ctx)
    count = give(queue.store, queue.config, old, new, Registry(queue.state).rename)
    click.echo(
        f"{count} entries of {old} belong to {new} now" if count != 1 else f"1 entry of {old} belongs to {new} now"
    )


def _entries(queue: QueueContext, key: str) -> int:
    """Count the entries of a challenge in the queue, if there is a queue."""
    from evaluate.store.entries.store import selection

    if not queue.exists:
        return 0
    return sum(queue.store.counts(*selection(challenge=key)).values())


COMMANDS = (challenge,)
