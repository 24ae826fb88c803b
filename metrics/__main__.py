"""``python -m metrics``: score answers from the command line, with nothing but this package.

Exit codes: 0 scored, 1 the answers are at fault, 2 wrong usage or the references are at fault.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import metrics
from metrics.base import RULES, AnswerError, ReferenceDataError
from metrics.files import read_records
from metrics.scoring import as_json, as_text, both


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code, or raises SystemExit(2) on wrong usage."""
    parser = _parser()
    asked = parser.parse_args(arguments)
    if asked.list:
        for name in metrics.names():
            summary = (importlib.import_module(f"metrics.{name}").__doc__ or "").partition("\n")[0]
            print(f"{name:<15}{summary}")
        return 0
    for option in ("metric", "references", "answers"):
        if getattr(asked, option) is None:
            parser.error(f"--{option} is missing (or --list to see the metrics)")
    for option in ("references", "answers", "records"):
        path = getattr(asked, option)
        if path is not None and not path.exists():
            parser.error(f"--{option} {path}: no such file or folder")
    try:
        metrics.get(asked.metric)
    except KeyError as reason:
        parser.error(str(reason.args[0]))
    try:
        records = read_records(asked.records) if asked.records is not None else None
        pair = both(asked.metric, asked.references, asked.answers, records=records, rules=asked.rules)
    except AnswerError as reason:
        print(f"answers: {reason}", file=sys.stderr)
        return 1
    except ReferenceDataError as reason:
        print(f"references: {reason}", file=sys.stderr)
        return 2
    print(json.dumps(as_json(pair), indent=1, allow_nan=False) if asked.json else as_text(pair))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m metrics",
        description="Score answers to a biomedical challenge, by corrected and official rules side by side.",
        epilog=(__doc__ or "").splitlines()[2],
    )
    parser.add_argument("--list", action="store_true", help="list the metrics and end")
    parser.add_argument("--metric", metavar="NAME", help="which metric, for example cinc2017")
    parser.add_argument("--references", metavar="PATH", type=Path, help="the organiser's file or folder")
    parser.add_argument("--answers", metavar="PATH", type=Path, help="the team's file or folder")
    parser.add_argument("--records", metavar="FILE", type=Path, help="record list, one name a line (default: all)")
    parser.add_argument(
        "--rules", choices=RULES, default="corrected", help="which rules judge; the official numbers are always given"
    )
    parser.add_argument("--json", action="store_true", help="JSON with the scores of each record instead of a table")
    return parser


if __name__ == "__main__":
    sys.exit(main())
