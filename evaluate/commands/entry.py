"""`evaluate demo, score, recount`: one entry, or its answers, on this machine and without a queue."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from evaluate.commands.state import state_of
from evaluate.core.model import ACCELERATORS
from metrics.command import scoring_command

if TYPE_CHECKING:
    from evaluate.core.model import Evaluation
    from evaluate.home.trial import Trial, TryOptions
    from evaluate.receipts.issue import Issued
    from evaluate.report.html import ReceiptLine
    from metrics.command import Outcome, Task

_SHOWN = 20
_PATH = click.Path(path_type=Path)
accelerator_option = click.option(
    "--accelerator",
    type=click.Choice(ACCELERATORS),
    default="auto",
    show_default=True,
    help="auto: KVM if a test guest boots with it and the processor has counters, else software emulation. "
    "Instructions of all processors of the machine are added.",
)


@click.command()
@accelerator_option
@click.pass_context
def demo(ctx: click.Context, accelerator: str) -> None:
    """Run the sample entry of cinc2017 through all four stages in a virtual machine.

    Builds the image first if it does not exist (a minute or two, once).
    """
    from evaluate.config.challenge.cache import load_challenge
    from evaluate.home.trial import Trial
    from evaluate.report.audience import for_organiser
    from evaluate.report.text import to_text
    from evaluate.stages.job import NullMonitor

    rules = load_challenge("cinc2017")
    sample = Trial(rules.folder / "sample_entry", rules, state_of(ctx), NullMonitor(), accelerator)
    evaluation, _ = evaluated(sample)
    click.echo(to_text(for_organiser(evaluation, rules.limits)))
    ctx.exit(0 if evaluation.verdict.passed else 1)


def evaluated(
    trial: Trial, options: TryOptions | None = None, *, again: str = "", receipt: Path | None = None
) -> tuple[Evaluation, ReceiptLine | None]:
    """Try an entry while a person watches, and issue its receipt; one record alone gets none.

    ``receipt``: where a copy of the receipt goes, with its proof and its other signature beside it.
    """
    from evaluate.commands.console import ConsoleMonitor
    from evaluate.home.trial import DEFAULTS, try_entry
    from evaluate.receipts.issue import Registry
    from evaluate.receipts.verify import receipt_line
    from evaluate.report.audience import policy_at_home

    policy = policy_at_home(trial.challenge)
    alone = options is not None and options.record is not None
    plain = options is not None and options.plain
    with ConsoleMonitor(policy, again=again, has_shell=not plain, show_output=alone) as monitor:
        evaluation = try_entry(replace(trial, monitor=monitor), options or DEFAULTS)
        if alone or plain:  # which is no evaluation
            return evaluation, None
        issued = Registry(trial.state).issue(evaluation, trial.challenge, policy)
        monitor.say(f"receipt {issued.receipt}")
        if receipt is not None:
            _copy_receipt(issued, receipt)
    return evaluation, receipt_line(issued.receipt)


def _copy_receipt(issued: Issued, target: Path) -> None:
    from evaluate.receipts.issue import PUBLIC_FILES, RECEIPT

    for name in PUBLIC_FILES:
        path = target.with_name(target.name + name.removeprefix(RECEIPT))
        try:
            path.write_bytes((issued.folder / name).read_bytes())
        except OSError as e:
            raise click.UsageError(f"{path} cannot be written: {e.strerror}") from e


def _metric_of(name: str) -> str:
    """The metric of a challenge, by its name or folder; other names are those of metrics."""
    from evaluate.config.challenge.cache import load_challenge
    from evaluate.config.challenge.load import list_challenges

    if name not in list_challenges() and not Path(name).is_dir():
        return name
    challenge = load_challenge(name)
    if challenge.scorer is not None:
        raise click.UsageError(
            f"{challenge.name} is scored by a program of its own, in a virtual machine: use `evaluate try`"
        )
    return challenge.metric


def _behind_walls(task: Task) -> Outcome:
    from evaluate.stages.score import alone

    return alone(task)


score = scoring_command("score", metric_of=_metric_of, perform=_behind_walls)


@click.command()
@click.argument("entry")
@click.argument("record")
@click.option(
    "--challenge", "name", metavar="NAME", help="Name of a challenge, or its folder; without it ENTRY is an id."
)
@click.option("--records", type=_PATH, metavar="DIR", help="Folder of your own records, which must include RECORD.")
@click.option("--times", type=click.IntRange(min=1), default=1, show_default=True, help="Number of runs.")
@click.option("--explain", is_flag=True, help="Show where the runs differ; runs at least twice.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def recount(
    ctx: click.Context,
    entry: str,
    record: str,
    name: str | None,
    records: Path | None,
    times: int,
    explain: bool,
    as_json: bool,
) -> None:
    """Recount the instructions of RECORD in ENTRY under emulation, in a fresh virtual machine each time.

    ENTRY is the id of an entry in the queue, or with --challenge an archive, a folder or a repository.

    The machine is restored from one saved state, and its time passes with the instructions that it executes, so the
    number is the same each time; docs/clean-room.md says what that depends on.  Exit code 0 if all counts are equal.
    """
    from evaluate.commands.console import ConsoleMonitor
    from evaluate.config.challenge.cache import load_challenge
    from evaluate.home.recount import agreement
    from evaluate.home.recount import recount as run_recount
    from evaluate.home.trial import with_records
    from evaluate.report.audience import policy_at_home

    if name is not None:
        source: Path | str = entry
        rules = load_challenge(name)
    else:
        from evaluate.commands.queue_context import opened
        from evaluate.store.files.stage_folders import archive_of, challenge_of

        queue = opened(ctx)
        queued = queue.store.entry(entry)
        source, rules = archive_of(queue.shared, queued.sha256), challenge_of(queued)
        queue.depot.fetch(str(source.relative_to(queue.shared)))
    rules = with_records(rules, records, None)
    times = max(times, 2 if explain else 1)
    with ConsoleMonitor(policy_at_home(rules)) as monitor:
        result = run_recount(source, rules, record, state_of(ctx), monitor, times=times, explain=explain)
    code = 0 if len(set(result.counts)) == 1 else 1
    if as_json:
        answers = [outcome.answer for outcome, _ in result.answered]
        document = {"record": record, "mode": result.mode, "counts": result.counts, "answers": answers}
        click.echo(json.dumps(document))
        ctx.exit(code)
    for _, run in result.answered:
        click.echo(f"{result.stage} {record}: {run.usage.instructions} instructions, {run.verdict}")
    if times > 1:
        click.echo(agreement(result.counts))
    for difference in result.differences[:_SHOWN]:
        click.echo(f"  {difference.address:#018x} {difference.region}: {' '.join(map(str, difference.counts))}")
    ctx.exit(code)


COMMANDS = (demo, score, recount)
