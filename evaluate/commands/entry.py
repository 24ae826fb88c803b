"""`evaluate demo, try, score`: one entry, or its answers, on this machine and without a queue."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from evaluate.commands.state import state_of, write
from evaluate.core.model import ACCELERATORS

if TYPE_CHECKING:
    from evaluate.challenge import Challenge
    from evaluate.core.model import Evaluation
    from evaluate.report.html import ReceiptLine

_SHOWN = 20
_LANGUAGES = ("python", "c", "octave", "r", "java")  # `evaluate.authoring.starter.LANGUAGES`
_PATH = click.Path(path_type=Path)
_ACCELERATOR = click.option(
    "--accelerator",
    type=click.Choice(ACCELERATORS),
    default="auto",
    show_default=True,
    help="auto: KVM where a guest really boots with it and the processor counts, else software emulation. "
    "kvm-uncounted: KVM without counts; what might be over its limit runs again under emulation.",
)


@click.command()
@_ACCELERATOR
@click.pass_context
def demo(ctx: click.Context, accelerator: str) -> None:
    """Take the sample entry of cinc2017 through all four stages in a real virtual machine.

    Builds the image first if it is not there (a minute or two, once).
    """
    from evaluate.challenge import load_challenge
    from evaluate.report.audience import for_organiser
    from evaluate.report.text import to_text

    rules = load_challenge("cinc2017")
    evaluation, _ = _evaluate(ctx, rules.folder / "sample_entry", rules, accelerator=accelerator)
    click.echo(to_text(for_organiser(evaluation, rules.limits)))
    ctx.exit(0 if evaluation.verdict.passed else 1)


@click.command()
@click.argument("entry", type=_PATH)
@click.option("--challenge", "name", required=True, metavar="NAME", help="Name of a challenge, or its folder.")
@click.option(
    "--lang", "language", type=click.Choice(_LANGUAGES), help="Language of the program; by default the first there is."
)
def new(entry: Path, name: str, language: str | None) -> None:
    """Write an entry that passes to the new folder ENTRY, to be changed piece by piece.

    Its README says what to change.  Where a challenge takes uploaded answers, they are written unless a language is
    named; where it takes container images, a Dockerfile and a script that makes the archive.
    """
    from evaluate.authoring.starter import write_entry
    from evaluate.challenge import load_challenge

    for line in write_entry(entry, load_challenge(name), language, name):
        click.echo(line)


@click.command("try")
@click.argument("entry")
@click.option("--challenge", "name", required=True, metavar="NAME", help="Name of a challenge, or its folder.")
@click.option("--records", type=_PATH, metavar="DIR", help="Your own records, for quiz and exam.")
@click.option("--references", type=_PATH, metavar="PATH", help="True answers; by default REFERENCE.csv in DIR.")
@click.option("--quiz-records", type=click.IntRange(min=1), metavar="N", help="Only the first N records in the quiz.")
@click.option("--json", "json_file", type=_PATH, metavar="FILE", help="Write the report as JSON ('-': print it).")
@click.option("--html", "html_file", type=_PATH, metavar="FILE", help="Write the report as one HTML file.")
@click.option("--junit", "junit_file", type=_PATH, metavar="FILE", help="Write the report as JUnit XML, for CI.")
@click.option("--keep", type=_PATH, metavar="DIR", help="Keep the answers, and what an extra run left, in DIR.")
@_ACCELERATOR
@click.pass_context
def try_(
    ctx: click.Context,
    entry: str,
    name: str,
    records: Path | None,
    references: Path | None,
    quiz_records: int | None,
    json_file: Path | None,
    html_file: Path | None,
    junit_file: Path | None,
    keep: Path | None,
    accelerator: str,
) -> None:
    """Evaluate ENTRY here: the same machine, limits and words as on the server.

    ENTRY is an archive, a folder, a git bundle, or the address https://….git of a repository.

    Without --records the challenge's public sample data are used.
    """
    from evaluate.challenge import load_challenge
    from evaluate.host.trial import with_records
    from evaluate.report.audience import Policy, for_team
    from evaluate.report.html import Beside, to_html
    from evaluate.report.json import to_json
    from evaluate.report.junit import to_junit
    from evaluate.report.text import to_text

    rules = with_records(load_challenge(name), records, references)
    evaluation, receipt = _evaluate(
        ctx,
        entry,
        rules,
        own_records=records is not None,
        accelerator=accelerator,
        quiz_records=quiz_records,
        keep=keep,
    )
    view = for_team(evaluation, rules.limits, Policy(hidden_exam=rules.exam.hidden))
    as_json = json.dumps(to_json(view), indent=1, allow_nan=False)
    click.echo(as_json if json_file is not None and str(json_file) == "-" else to_text(view))
    for path, make in (
        (json_file, lambda _: as_json + "\n"),
        (html_file, lambda view: to_html(view, Beside(sample_score=rules.exam.sample_score, receipt=receipt))),
        (junit_file, to_junit),
    ):
        if path is not None and str(path) != "-":
            write(path, make(view))
    ctx.exit(0 if evaluation.verdict.passed else 1)


def _evaluate(
    ctx: click.Context, entry: Path | str, rules: Challenge, **options: Any
) -> tuple[Evaluation, ReceiptLine]:
    from evaluate.commands.console import ConsoleMonitor
    from evaluate.host.trial import try_entry
    from evaluate.receipts.issue import Registry
    from evaluate.receipts.shown import receipt_line
    from evaluate.report.audience import Policy

    policy = Policy(hidden_exam=rules.exam.hidden)
    state = state_of(ctx)
    with ConsoleMonitor(policy) as monitor:
        evaluation = try_entry(entry, rules, state, monitor, **options)
        issued = Registry(state).issue(evaluation, rules, policy)
        monitor.say(f"receipt {issued.receipt}")
    return evaluation, receipt_line(issued.receipt)


@click.command()
@click.option(
    "--challenge", "name", required=True, metavar="NAME", help="Name of a challenge, its folder, or a metric."
)
@click.option("--references", type=_PATH, required=True, metavar="PATH")
@click.option("--answers", type=_PATH, required=True, metavar="PATH")
@click.option("--records", type=_PATH, metavar="FILE", help="The organiser's record list, a name a line.")
@click.option("--rules", type=click.Choice(["official", "corrected"]), default="corrected", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--against", type=_PATH, multiple=True, metavar="PATH", help="Answers of others, to rank and compare.")
@click.option("--schemes", metavar="KEY", help="With --against: rank in five ways by this number of single records.")
@click.option("--plots", type=_PATH, metavar="DIR", help="Draw the report's pictures there.")
@click.option("--workers", type=int, default=1, help="Processes that share volumes or slides.")
@click.pass_context
def score(
    ctx: click.Context,
    name: str,
    references: Path,
    answers: Path,
    records: Path | None,
    rules: str,
    as_json: bool,
    against: tuple[Path, ...],
    schemes: str | None,
    plots: Path | None,
    workers: int,
) -> None:
    """Score answers without running anything; no virtual machine is needed.

    With --against, --schemes, --plots or --workers it is `python -m metrics` for the metric of the challenge.
    """
    from evaluate.challenge import list_challenges, load_challenge
    from evaluate.report.json import score_json
    from evaluate.stages.score import score as run_score
    from metrics.scoring import table

    for option, path in (("--references", references), ("--answers", answers), ("--records", records)):
        if path is not None and not path.exists():
            raise click.UsageError(f"{option} {path}: no such file or folder")
    metric = load_challenge(name).metric if name in list_challenges() or Path(name).is_dir() else name
    if against or schemes is not None or plots is not None or workers != 1:
        from metrics.__main__ import main as score_alone

        argv = ["--metric", metric, "--references", references, "--answers", answers, "--rules", rules]
        given = (("--records", records), ("--schemes", schemes), ("--plots", plots), ("--workers", workers))
        argv += [word for option, value in given if value is not None for word in (option, value)]
        argv += ["--against", *against] if against else []
        ctx.exit(score_alone([*map(str, argv), *(["--json"] if as_json else [])]))
    listed = records.read_text(encoding="utf-8-sig").split() if records is not None else None
    outcome = run_score(metric, references, answers, listed, rules)
    result, numbers = outcome.result, outcome.score
    if as_json:
        found = {
            "verdict": result.verdict.value,
            "metric": metric,
            "rules": rules,
            "message": result.message,
            "score": score_json(numbers) if numbers else None,
        }
        click.echo(json.dumps(found, indent=1, allow_nan=False))
    elif numbers is None:
        click.echo(f"{result.verdict.value}: {result.message}")
    else:
        official = numbers.official if rules != "official" else None
        title = Path(metric).stem
        click.echo(
            table(title, rules, numbers.values, official, numbers.intervals, [note.text for note in numbers.notes])
        )
    ctx.exit(0 if result.verdict.passed else 1)


@click.command()
@click.argument("entry")
@click.argument("record")
@click.option(
    "--challenge", "name", metavar="NAME", help="Name of a challenge, or its folder; without it ENTRY is an id."
)
@click.option("--times", type=click.IntRange(min=1), default=1, show_default=True, help="How often.")
@click.option("--explain", is_flag=True, help="Show where the runs differ; counts at least twice.")
@click.pass_context
def recount(ctx: click.Context, entry: str, record: str, name: str | None, times: int, explain: bool) -> None:
    """Count the record RECORD of ENTRY again, under emulation, each time in a machine of its own.

    ENTRY is the id of an entry in the queue, or with --challenge an archive, a folder or a repository.

    The machine is restored from one saved state, and its time passes with the instructions that it executes, so the
    number is the same each time; docs/clean-room.md says what that depends on.  Exit code 0 if all counts are equal.
    """
    from evaluate.challenge import load_challenge
    from evaluate.commands.console import ConsoleMonitor
    from evaluate.host.recount import agreement
    from evaluate.host.recount import recount as run_recount
    from evaluate.report.audience import Policy

    if name is not None:
        source: Path | str = entry
        rules = load_challenge(name)
    else:
        from evaluate.commands.opened import opened
        from evaluate.queue.work import archive_of, challenge_of

        own = opened(ctx)
        queued = own.store.entry(entry)
        source, rules = archive_of(own.shared, queued.sha256), challenge_of(queued)
        own.depot.fetch(str(source.relative_to(own.shared)))
    times = max(times, 2 if explain else 1)
    with ConsoleMonitor(Policy(hidden_exam=rules.exam.hidden)) as monitor:
        found = run_recount(source, rules, record, state_of(ctx), monitor, times=times, explain=explain)
    for run in found.runs:
        click.echo(f"{found.stage} {record}: {run.usage.instructions} instructions, {run.verdict}")
    if times > 1:
        click.echo(agreement(found.counts))
    for one in found.differences[:_SHOWN]:
        click.echo(f"  {one.address:#018x} {one.region}: {' '.join(map(str, one.counts))}")
    ctx.exit(0 if len(set(found.counts)) == 1 else 1)


COMMANDS = (demo, new, try_, score, recount)
