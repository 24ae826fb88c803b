"""The command line; a contract with outside programs (names, arguments, exit codes).

Exit codes: 0 the entry passed / done, 1 the entry's fault, 2 wrong usage or the organiser's fault,
3 an infrastructure fault.
"""

from __future__ import annotations

import json
import signal
import sys
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

import click

from evaluate import __version__
from evaluate.challenge import Challenge, list_challenges, load_challenge
from evaluate.commands.challenge import challenge
from evaluate.commands.console import ConsoleMonitor
from evaluate.core.errors import EvaluateError, SandboxFault
from evaluate.core.model import Evaluation
from evaluate.host.accelerators import ACCELERATORS
from evaluate.host.doctor import diagnose, repair
from evaluate.host.state import default_state, open_state
from evaluate.host.trial import try_entry, with_records
from evaluate.images.build import build_image
from evaluate.images.image import list_images, load_image, verify_image
from evaluate.images.recipe import load_recipe
from evaluate.report.audience import Policy, for_organiser, for_team
from evaluate.report.html import to_html
from evaluate.report.json import score_json, to_json
from evaluate.report.junit import to_junit
from evaluate.report.text import to_text
from evaluate.stages.score import score as run_score

_PATH = click.Path(path_type=Path)
_ACCELERATOR = click.option(
    "--accelerator",
    type=click.Choice(ACCELERATORS),
    default="auto",
    show_default=True,
    help="auto: KVM where a guest really boots with it and the processor counts, else software emulation.",
)


_QUEUE = {
    **dict.fromkeys(("submit", "status", "why", "report", "board", "retry", "cancel"), "queue"),
    **dict.fromkeys(("daemon", "host", "backup", "restore", "service"), "host"),
    "rejudge": "rejudge",
}
"""Command -> its module in `evaluate.commands`."""


class _Group(click.Group):
    """Turns errors into one message and the right exit code; loads the queue's packages only for its commands."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), *_QUEUE])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in _QUEUE:
            commands = import_module(f"evaluate.commands.{_QUEUE[cmd_name]}").COMMANDS
            found: click.Command = next(command for command in commands if command.name == cmd_name)
            return found
        return super().get_command(ctx, cmd_name)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except EvaluateError as e:
            click.echo(f"evaluate: {e}", err=True)
            for line in e.console if isinstance(e, SandboxFault) else ():
                click.echo(f"  console: {line}", err=True)
            ctx.exit(e.exit_code)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="evaluate")
@click.option(
    "--state",
    type=_PATH,
    help="Folder of images, layers and runs.  [default: $EVALUATE_STATE, else /var/lib/evaluate for root, "
    "~/.local/state/evaluate for others]",
)
@click.pass_context
def main(ctx: click.Context, state: Path | None) -> None:
    """Evaluate challenge entries in virtual machines: prep, quiz, exam, score.

    \b
    First steps:
      evaluate doctor                                  what this machine has and lacks
      evaluate demo                                    a sample entry through all four stages
      evaluate try entry.zip --challenge cinc2017      your own entry, as the server would

    Exit codes: 0 passed, 1 the entry's fault, 2 wrong usage or the organiser's fault, 3 infrastructure fault.
    """
    ctx.obj = state
    signal.signal(signal.SIGTERM, _terminated)


def _terminated(_number: int, _frame: object) -> NoReturn:
    sys.exit(3)  # as an exception, so that every guest is destroyed on the way out


def _state(ctx: click.Context) -> Path:
    return open_state(ctx.obj or default_state())


@main.command()
@_ACCELERATOR
@click.pass_context
def demo(ctx: click.Context, accelerator: str) -> None:
    """Take the sample entry of cinc2017 through all four stages in a real virtual machine.

    Builds the image first if it is not there (a minute or two, once).
    """
    rules = load_challenge("cinc2017")
    evaluation = _evaluate(ctx, rules.folder / "sample_entry", rules, accelerator=accelerator)
    click.echo(to_text(for_organiser(evaluation, rules.limits)))
    ctx.exit(0 if evaluation.verdict.passed else 1)


@main.command("try")
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
            _write(path, make(view))
    ctx.exit(0 if evaluation.verdict.passed else 1)


def _write(path: Path, content: str) -> None:
    try:
        path.write_text(content, encoding="utf-8")
    except OSError as e:
        raise click.UsageError(f"{path} cannot be written: {e.strerror}") from e


def _evaluate(ctx: click.Context, entry: Path | str, rules: Challenge, **options: Any) -> Evaluation:
    with ConsoleMonitor(Policy(hidden_exam=rules.exam.hidden)) as monitor:
        return try_entry(entry, rules, _state(ctx), monitor, **options)


@main.command()
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
        from metrics.scoring import table  # noqa: PLC0415  # numpy is not what most commands wait for

        click.echo(
            table(title, rules, numbers.values, official, numbers.intervals, [note.text for note in numbers.notes])
        )
    ctx.exit(0 if result.verdict.passed else 1)


@main.group()
def image() -> None:
    """Build and look at virtual machine images."""


@image.command("build")
@click.argument("name")
@click.option("--rebuild", is_flag=True, help="Build anew, with the package versions of today.")
@click.pass_context
def image_build(ctx: click.Context, name: str, rebuild: bool) -> None:
    """Build the image NAME by its recipe (a minute or two)."""
    built = build_image(load_recipe(name), _state(ctx), lambda text: click.echo(text, err=True), rebuild=rebuild)
    click.echo(f"{built.name} {built.digest}")


@image.command("list")
@click.argument("name", required=False)
@click.pass_context
def image_list(ctx: click.Context, name: str | None) -> None:
    """The images that are built, or every package of the image NAME with its version."""
    if name is None:
        for found in list_images(_state(ctx)):
            click.echo(f"{found} {load_image(found, _state(ctx)).digest}")
        return
    for package in load_image(name, _state(ctx)).packages:
        click.echo(f"{package.name} {package.version}")


@image.command("verify")
@click.argument("name")
@click.pass_context
def image_verify(ctx: click.Context, name: str) -> None:
    """Compute every digest of the image NAME anew."""
    click.echo(f"{name} {verify_image(name, _state(ctx)).digest}: every file is as it was built")


main.add_command(challenge)


@main.command()
@click.option("--fix", is_flag=True, help="Run the commands that repair what is missing.")
@click.pass_context
def doctor(ctx: click.Context, fix: bool) -> None:
    """What this machine has, what is missing, and the exact command that repairs it."""
    state = ctx.obj or default_state()
    checks = repair(state, click.echo) if fix else diagnose(state)
    for check in checks:
        click.echo(f"{'ok  ' if check.ok else 'miss' if check.needed else 'note'}  {check.name:<12}{check.found}")
        if not check.ok and check.remedy:
            click.echo(f"      {'':<12}repair: {check.remedy_text}")
    ctx.exit(0 if all(check.ok or not check.needed for check in checks) else 3)
