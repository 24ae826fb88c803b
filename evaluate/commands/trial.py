"""`evaluate new, try`: what a participant does all day."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from evaluate.commands.entry import accelerator_option, evaluated
from evaluate.commands.state import write

if TYPE_CHECKING:
    from evaluate.challenge import Challenge
    from evaluate.core.model import Evaluation
    from evaluate.report.html import ReceiptLine

_LANGUAGES = ("python", "c", "octave", "r", "java")  # `evaluate.authoring.starter.LANGUAGES`
_PATH = click.Path(path_type=Path)


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


@dataclass(frozen=True, kw_only=True)
class _Files:
    """Where the report goes, besides the terminal."""

    json: Path | None
    html: Path | None
    junit: Path | None


@click.command("try")
@click.argument("entry")
@click.option("--challenge", "name", required=True, metavar="NAME", help="Name of a challenge, or its folder.")
@click.option("--records", type=_PATH, metavar="DIR", help="Your own records, for quiz and exam.")
@click.option("--references", type=_PATH, metavar="PATH", help="True answers; by default REFERENCE.csv in DIR.")
@click.option("--quiz-records", type=click.IntRange(min=1), metavar="N", help="Only the first N records in the quiz.")
@click.option("--record", metavar="NAME", help="Only this record, with what its program prints; no score.")
@click.option("--write-answers", is_flag=True, help="Write the entry's own answers into its folder, from this run.")
@click.option("--json", "json_file", type=_PATH, metavar="FILE", help="Write the report as JSON ('-': print it).")
@click.option("--html", "html_file", type=_PATH, metavar="FILE", help="Write the report as one HTML file.")
@click.option("--junit", "junit_file", type=_PATH, metavar="FILE", help="Write the report as JUnit XML, for CI.")
@click.option("--keep", type=_PATH, metavar="DIR", help="Keep the answers, and what an extra run left, in DIR.")
@accelerator_option
@click.pass_context
def try_(
    ctx: click.Context,
    entry: str,
    name: str,
    records: Path | None,
    references: Path | None,
    quiz_records: int | None,
    record: str | None,
    write_answers: bool,
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

    rules = with_records(load_challenge(name), records, references)
    files = _Files(json=json_file, html=html_file, junit=junit_file)
    again = shlex.join(["evaluate", "try", entry, "--challenge", name])
    again += shlex.join(["", "--records", str(records)]) if records is not None else ""
    options = {"own_records": records is not None, "quiz_records": quiz_records}
    evaluation, receipt = evaluated(
        ctx,
        entry,
        rules,
        again=again,
        show_output=record is not None,
        accelerator=accelerator,
        keep=keep,
        record=record,
        write_answers=write_answers,
        **options,
    )
    _report(evaluation, rules, receipt, files, options)
    ctx.exit(0 if evaluation.verdict.passed else 1)


def _report(
    evaluation: Evaluation, rules: Challenge, receipt: ReceiptLine | None, files: _Files, options: dict[str, Any]
) -> None:
    """Print the report, write the files, and say what was used of each limit and what a server does differently."""
    from evaluate.core.model import Stage
    from evaluate.host.trial import differs_on_a_server
    from evaluate.report.audience import Policy, for_team
    from evaluate.report.html import Beside, to_html
    from evaluate.report.json import to_json
    from evaluate.report.junit import to_junit
    from evaluate.report.limits import shares
    from evaluate.report.text import to_text

    view = for_team(evaluation, rules.limits, Policy(hidden_exam=rules.exam.hidden))
    as_json = json.dumps(to_json(view), indent=1, allow_nan=False)
    if files.json is not None and str(files.json) == "-":
        click.echo(as_json)
    else:
        click.echo(to_text(view))
        for stage in view.evaluation.stages:
            if limits := rules.limits.get("setup" if stage.stage is Stage.PREP else stage.stage.value):
                for share in shares(stage, limits):
                    click.echo(f"  {stage.stage.value:<6}{share.line}")
        for sentence in differs_on_a_server(rules, evaluation, **options):
            click.echo(f"on a server: {sentence}")
    beside = Beside(sample_score=rules.exam.sample_score, receipt=receipt)
    for path, make in (
        (files.json, lambda _: as_json + "\n"),
        (files.html, lambda view: to_html(view, beside)),
        (files.junit, to_junit),
    ):
        if path is not None and str(path) != "-":
            write(path, make(view))


COMMANDS = (new, try_)
