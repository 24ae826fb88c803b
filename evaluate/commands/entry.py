"""`evaluate demo, try, score`: one entry, or its answers, on this machine and without a queue."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from evaluate.commands.state import state_of, write

if TYPE_CHECKING:
    from evaluate.challenge import Challenge
    from evaluate.core.model import Evaluation

_PATH = click.Path(path_type=Path)
_ACCELERATOR = click.option(
    "--accelerator",
    type=click.Choice(["auto", "kvm", "tcg"]),
    default="auto",
    show_default=True,
    help="auto: KVM where a guest really boots with it and the processor counts, else software emulation.",
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
    evaluation = _evaluate(ctx, rules.folder / "sample_entry", rules, accelerator=accelerator)
    click.echo(to_text(for_organiser(evaluation, rules.limits)))
    ctx.exit(0 if evaluation.verdict.passed else 1)


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
    from evaluate.report.html import to_html
    from evaluate.report.json import to_json
    from evaluate.report.junit import to_junit
    from evaluate.report.text import to_text

    rules = with_records(load_challenge(name), records, references)
    evaluation = _evaluate(
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
        (html_file, to_html),
        (junit_file, to_junit),
    ):
        if path is not None and str(path) != "-":
            write(path, make(view))
    ctx.exit(0 if evaluation.verdict.passed else 1)


def _evaluate(ctx: click.Context, entry: Path | str, rules: Challenge, **options: Any) -> Evaluation:
    from evaluate.commands.console import ConsoleMonitor
    from evaluate.host.trial import try_entry
    from evaluate.receipts.issue import Registry
    from evaluate.report.audience import Policy

    policy = Policy(hidden_exam=rules.exam.hidden)
    state = state_of(ctx)
    with ConsoleMonitor(policy) as monitor:
        evaluation = try_entry(entry, rules, state, monitor, **options)
        issued = Registry(state).issue(evaluation, rules, policy)
        monitor.say(f"receipt {issued.receipt}")
    return evaluation


@click.command()
@click.option(
    "--challenge", "name", required=True, metavar="NAME", help="Name of a challenge, its folder, or a metric."
)
@click.option("--references", type=_PATH, required=True, metavar="PATH")
@click.option("--answers", type=_PATH, required=True, metavar="PATH")
@click.option("--records", type=_PATH, metavar="FILE", help="The organiser's record list, a name a line.")
@click.option("--rules", type=click.Choice(["official", "corrected"]), default="corrected", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def score(
    ctx: click.Context,
    name: str,
    references: Path,
    answers: Path,
    records: Path | None,
    rules: str,
    as_json: bool,
) -> None:
    """Score answers without running anything; no virtual machine is needed."""
    from evaluate.challenge import list_challenges, load_challenge
    from evaluate.report.json import score_json
    from evaluate.stages.score import score as run_score
    from metrics.scoring import table

    for option, path in (("--references", references), ("--answers", answers), ("--records", records)):
        if path is not None and not path.exists():
            raise click.UsageError(f"{option} {path}: no such file or folder")
    metric = load_challenge(name).metric if name in list_challenges() or Path(name).is_dir() else name
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


COMMANDS = (demo, try_, score)
