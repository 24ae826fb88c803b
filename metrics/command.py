"""Scoring from the command line: one program, which ``python -m metrics`` and ``evaluate score`` both are.

Exit codes: 0 scored, 1 the answers are at fault, 2 wrong usage, or references or metric at fault, 3 the machine failed.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

import metrics
from metrics.base import RULES, AnswerError, ReferenceDataError
from metrics.display import sanitize
from metrics.failures import failure_of, is_builtin, lookup_failure

_PATH = click.Path(path_type=Path)


@dataclass(frozen=True, kw_only=True)
class Task:
    """Input of one scoring."""

    metric: str
    references: Path
    answers: Path
    records: tuple[str, ...] | None = None
    rules: str = "corrected"
    against: Mapping[str, Path] = field(default_factory=dict)
    """Answers of others, by name."""
    workers: int = 1
    pictures: bool = False


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """The result, as plain values, so that it can come from another process."""

    at_fault: str = ""
    """"answers", "references", "metric", "usage" or "--against"; empty if there is a score."""
    message: str = ""
    text: str = ""
    values: str = "{}"
    """JSON."""
    pictures: tuple[str, ...] = ()
    """Numbers of pictures as JSON, see `metrics.plots.Plot.as_json`."""


def perform(task: Task) -> Outcome:
    """Score, compare and compute pictures; errors of answers, references and metric are values, those of the machine
    exceptions."""
    try:
        metric = metrics.get(task.metric)
    except (Exception, SystemExit) as e:  # code of a user's own, which runs when it is imported
        return Outcome(at_fault="usage", message=lookup_failure(task.metric, e))
    from metrics.readers.files import is_broken  # noqa: PLC0415  # brings numpy, as the next one does
    from metrics.statistics.uncertainty import NotComparableError  # noqa: PLC0415

    try:
        return _scored(task)
    except AnswerError as e:
        return Outcome(at_fault="answers", message=str(e))
    except ReferenceDataError as e:
        return Outcome(at_fault="references", message=str(e))
    except NotComparableError as e:
        return Outcome(at_fault="--against", message=str(e))
    except (Exception, SystemExit) as e:
        if is_builtin(metric) or is_broken(e):
            raise
        return Outcome(at_fault="metric", message=failure_of(task.metric, e))


def _scored(task: Task) -> Outcome:
    from metrics.plots import plots_of  # noqa: PLC0415  # as above
    from metrics.scoring import Against, as_json, as_text, both, score_all  # noqa: PLC0415

    options: dict[str, Any] = {
        "records": task.records,
        "rules": task.rules,
        "workers": task.workers,
        "progress": _progress if sys.stderr.isatty() else None,
    }
    pair = both(task.metric, task.references, task.answers, **options)
    text, values = as_text(pair), as_json(pair)
    primary = pair.report.primary
    values |= {  # what the report of an entry says of a score, under the same keys
        "verdict": "OK",
        "message": f"{primary} {pair.report.values[primary]:.4f}",
        "score": {
            "primary": primary,
            **{key: values[key] for key in ("values", "intervals", "notes")},
            "official": values["official"] or {},
        },
    }
    if task.against:
        first = {_name(task.answers): pair.report}
        others = score_all(task.metric, task.references, task.against, **options)
        against = Against.of(first | others)
        text, values = f"{text}\n\n{against.as_text()}", values | against.as_json()
    plots = plots_of(pair.report) if task.pictures else ()
    return Outcome(
        text=text,
        values=json.dumps(values, allow_nan=False),
        pictures=tuple(json.dumps(plot.as_json()) for plot in plots),
    )


def _progress(done: int, total: int) -> None:
    print(f"\r{done} of {total} cases", end="\n" if done == total else "", file=sys.stderr, flush=True)


def scoring_command(
    name: str, *, metric_of: Callable[[str], str] = str, perform: Callable[[Task], Outcome] = perform
) -> click.Command:
    """The command.

    * ``metric_of``: the metric that a name on the command line means.
    * ``perform``: does the work; the function of this module, perhaps in another process.
    """

    def score(
        named: str | None,
        references: Path | None,
        answers: Path | None,
        list_metrics: bool,
        against: tuple[Path, ...],
        plots: Path | None,
        records: Path | None,
        as_json: bool,
        **other: Any,
    ) -> None:
        if list_metrics:
            _list()
            return
        given = {"--challenge": named, "--references": references, "--answers": answers}
        if missing := next((option for option, value in given.items() if value is None), None):
            raise click.UsageError(f"{missing} is missing (or --list to see the metrics)")
        assert named is not None and references is not None and answers is not None
        _check_paths({"--references": (references,), "--answers": (answers,), "--against": against})
        _check_paths({"--records": (records,) if records else ()})
        metric = metric_of(named)
        task = Task(  # with paths that another process finds, and names in messages, whatever its working directory
            metric=str(Path(metric).absolute()) if metric.endswith(".py") else metric,
            references=references.absolute(),
            answers=answers.absolute(),
            records=_record_list(records),
            against={_name(path): path.absolute() for path in against},
            pictures=plots is not None,
            **other,
        )
        _check(task, against, plots)
        try:
            outcome = perform(task)
        except OSError as e:
            click.echo(f"this machine: {e}", err=True)
            click.get_current_context().exit(3)
        _show(task, outcome, plots, as_json=as_json)

    return _Command(name=name, callback=score, params=_options(), help=_HELP, epilog=(__doc__ or "").splitlines()[2])


_HELP = """Score answers without running an entry, by corrected and official rules side by side.

    No virtual machine is needed.
    """


class _Command(click.Command):
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As of other commands, after ``--against A B`` has become ``--against A --against B``."""
        words: list[str] = []
        option = ""
        for word in args:
            if word.startswith("--"):
                option = word
            elif option == "--against" and words[-1] != option:
                words.append(option)
            words.append(word)
        return super().parse_args(ctx, words)


def _options() -> list[click.Parameter]:
    return [
        click.Option(
            ["--challenge", "--metric", "named"],
            metavar="NAME",
            help="Which metric, for example cinc2017; a .py file with an object METRIC; a measure such as "
            'classification.f1; or its options as JSON: {"measure": "classification.f1"}. '
            "`evaluate score` takes the folder of a challenge too.",
        ),
        click.Option(["--references"], type=_PATH, metavar="PATH", help="The organiser's file or folder."),
        click.Option(["--answers"], type=_PATH, metavar="PATH", help="The team's file or folder."),
        click.Option(
            ["--records"],
            type=_PATH,
            metavar="FILE",
            help="File with the list of records, one name per line.  [default: all]",
        ),
        click.Option(
            ["--rules"],
            type=click.Choice(RULES),
            default="corrected",
            show_default=True,
            help="Rules of the primary score; official numbers are always shown.",
        ),
        click.Option(["--json", "as_json"], is_flag=True, help="Print JSON, with the scores of each record."),
        click.Option(
            ["--against"],
            type=_PATH,
            multiple=True,
            metavar="PATH…",
            help="Compare with these other answers: ranking, its uncertainty, and paired differences.",
        ),
        click.Option(["--plots"], type=_PATH, metavar="DIR", help="Write the report's figures to DIR, as SVG and PNG."),
        click.Option(
            ["--workers"],
            type=click.IntRange(min=1),
            default=1,
            show_default=True,
            help="Number of threads, for volumes or slides.",
        ),
        click.Option(["--list", "list_metrics"], is_flag=True, help="List the metrics, and exit."),
    ]


def _list() -> None:
    for name in metrics.names():
        summary = (importlib.import_module(f"metrics.challenges.{name}").__doc__ or "").partition("\n")[0]
        click.echo(f"{name:<15}{summary}")


def _name(path: Path) -> str:
    return path.stem if path.is_file() else path.name


def _record_list(file: Path | None) -> tuple[str, ...] | None:
    if file is None:
        return None
    from metrics.readers.files import read_records  # noqa: PLC0415

    try:
        return tuple(read_records(file))
    except ReferenceDataError as e:
        raise click.UsageError(f"--records: {e}") from e


def _check_paths(given: Mapping[str, Sequence[Path]]) -> None:
    for option, paths in given.items():
        for path in paths:
            if not path.exists():
                raise click.UsageError(f"{option} {path}: no such file or folder")


def _check(task: Task, against: Sequence[Path], plots: Path | None) -> None:
    names = [_name(path) for path in (task.answers, *against)]
    problem = ""
    if len(set(names)) < len(names):
        problem = f"--against: names of files or folders must differ, found {', '.join(names)}"
    elif plots is not None and importlib.util.find_spec("matplotlib") is None:
        problem = "--plots: pictures need matplotlib: pip install 'sandbox-evaluate[plots]'"
    if problem:
        raise click.UsageError(problem)


def _show(task: Task, outcome: Outcome, plots: Path | None, *, as_json: bool) -> None:
    if outcome.at_fault == "usage":
        raise click.UsageError(outcome.message)
    if outcome.at_fault:
        if as_json and outcome.at_fault == "answers":
            failed = {"verdict": "BAD_ANSWER", "metric": task.metric, "rules": task.rules}
            click.echo(json.dumps({**failed, "message": outcome.message, "score": None}, indent=1))
        click.echo(sanitize(f"{outcome.at_fault}: {outcome.message}"), err=True)
        click.get_current_context().exit(1 if outcome.at_fault == "answers" else 2)
    if plots is not None:
        _draw(outcome.pictures, plots)
    click.echo(json.dumps(json.loads(outcome.values), indent=1) if as_json else sanitize(outcome.text))


def _draw(pictures: Sequence[str], folder: Path) -> None:
    from metrics.plots import Plot, save_plot  # noqa: PLC0415

    try:
        for numbers in pictures:
            for file in save_plot(Plot.from_json(json.loads(numbers)), folder):
                click.echo(f"{file}", err=True)
    except OSError as e:
        raise click.UsageError(f"--plots {folder}: {e.strerror}") from e
