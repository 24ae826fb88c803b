"""``python -m metrics``: score answers from the command line, with nothing but this package.

Exit codes: 0 scored, 1 the answers are at fault, 2 wrong usage or the references are at fault.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import metrics
from metrics.base import RULES, AnswerError, ReferenceDataError, ScoreReport
from metrics.plots import af_timeline, save_plot, save_plots
from metrics.readers.files import read_records
from metrics.scoring import Against, as_json, as_text, both, score_all
from metrics.statistics.uncertainty import NotComparableError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code, or raises SystemExit(2) on wrong usage."""
    parser = _parser()
    asked = parser.parse_args(arguments)
    if asked.list:
        for name in metrics.names():
            summary = (importlib.import_module(f"metrics.challenges.{name}").__doc__ or "").partition("\n")[0]
            print(f"{name:<15}{summary}")
        return 0
    if problem := _problem(asked):
        parser.error(problem)
    try:
        options: dict[str, Any] = {
            "records": read_records(asked.records) if asked.records is not None else None,
            "rules": asked.rules,
            "workers": asked.workers,
            "progress": _progress if sys.stderr.isatty() else None,
        }
        pair = both(asked.metric, asked.references, asked.answers, **options)
        reports: dict[str, ScoreReport] = {}
        if asked.against:
            (own, _), *others = _entries(asked).items()
            reports = {own: pair.report} | score_all(asked.metric, asked.references, dict(others), **options)
        found = Against.of(reports, asked.schemes) if reports else None
    except AnswerError as reason:
        print(f"answers: {reason}", file=sys.stderr)
        return 1
    except ReferenceDataError as reason:
        print(f"references: {reason}", file=sys.stderr)
        return 2
    except NotComparableError as reason:
        print(f"--against: {reason}", file=sys.stderr)
        return 2
    try:
        for path in _pictures(asked, pair.report):
            print(f"{path}", file=sys.stderr)
    except OSError as reason:
        parser.error(f"--plots {asked.plots}: {reason.strerror}")
    if asked.json:
        print(json.dumps(as_json(pair) | (found.as_json() if found else {}), indent=1, allow_nan=False))
    else:
        print(as_text(pair) + (f"\n\n{found.as_text()}" if found else ""))
    return 0


def _pictures(asked: argparse.Namespace, report: ScoreReport) -> list[Path]:
    """Draw the requested pictures; returns the files."""
    if asked.plots is None:
        return []
    files = save_plots(report, asked.plots)
    for record in asked.episodes or ():
        files += save_plot(af_timeline(asked.references, asked.answers, record), asked.plots)
    return files


def _progress(done: int, total: int) -> None:
    print(f"\r{done} of {total} cases", end="\n" if done == total else "", file=sys.stderr, flush=True)


def _problem(asked: argparse.Namespace) -> str:
    """What is wrong with the options, empty if nothing is."""
    for option in ("metric", "references", "answers"):
        if getattr(asked, option) is None:
            return f"--{option} is missing (or --list to see the metrics)"
    for option in ("references", "answers", "records", "against"):
        given = getattr(asked, option)
        for path in given if isinstance(given, list) else [given]:
            if path is not None and not path.exists():
                return f"--{option} {path}: no such file or folder"
    if problem := _problem_of_extras(asked):
        return problem
    try:
        metrics.get(asked.metric)
    except KeyError as reason:
        return str(reason.args[0])
    return ""


def _problem_of_extras(asked: argparse.Namespace) -> str:
    if asked.against and len(_entries(asked)) <= len(asked.against):
        return f"--against: names of files or folders must differ, found {', '.join(_entries(asked))}"
    if asked.schemes is not None and not asked.against:
        return "--schemes: ranks several answers, and needs --against"
    if asked.episodes and (asked.plots is None or asked.metric != "cpsc2021"):
        return "--episodes: draws records of cpsc2021, and needs --plots DIR"
    if asked.plots is not None and importlib.util.find_spec("matplotlib") is None:
        return "--plots: pictures need matplotlib: pip install 'sandbox-evaluate[plots]'"
    return ""


def _entries(asked: argparse.Namespace) -> dict[str, Path]:
    return {path.stem if path.is_file() else path.name: path for path in (asked.answers, *asked.against)}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m metrics",
        description="Score answers to a biomedical challenge, by corrected and official rules side by side.",
        epilog=(__doc__ or "").splitlines()[2],
    )
    parser.add_argument("--list", action="store_true", help="list the metrics and end")
    parser.add_argument(
        "--metric",
        metavar="NAME",
        help='which metric, for example cinc2017, or options as JSON: {"measure": "classification.f1"}',
    )
    parser.add_argument("--references", metavar="PATH", type=Path, help="the organiser's file or folder")
    parser.add_argument("--answers", metavar="PATH", type=Path, help="the team's file or folder")
    parser.add_argument("--records", metavar="FILE", type=Path, help="record list, one name a line (default: all)")
    parser.add_argument(
        "--rules", choices=RULES, default="corrected", help="which rules judge; the official numbers are always given"
    )
    parser.add_argument(
        "--against", metavar="PATH", type=Path, nargs="+", help="answers of others: a ranking and how sure it is"
    )
    parser.add_argument(
        "--schemes",
        metavar="KEY",
        help="with --against: also rank in five ways by this number of single records (see per_record in --json)",
    )
    parser.add_argument(
        "--episodes", metavar="RECORD", nargs="+", help="with --plots: the AF episodes of these records of cpsc2021"
    )
    parser.add_argument("--plots", metavar="DIR", type=Path, help="draw the report's pictures there, as SVG and PNG")
    parser.add_argument(
        "--workers", metavar="N", type=int, default=1, help="processes that share volumes or slides (default: 1)"
    )
    parser.add_argument("--json", action="store_true", help="JSON with the scores of each record instead of a table")
    return parser


def run(arguments: Sequence[str] | None = None) -> int:
    """`main` for a process of its own: quiet where the reader of its output has left, as ``| head`` does."""
    try:
        code = main(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        # else the interpreter complains when it closes the stream
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    return code


if __name__ == "__main__":
    sys.exit(run())
