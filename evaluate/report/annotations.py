"""What went wrong, at the line of the entry's own file where it did, as CI services show it beside the file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from evaluate.core.model import Stage
from evaluate.report.audience import View
from evaluate.report.words import MEANING, advice

_HOME = "/home/challenge/"
_PLACES = (
    re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+)'),  # Python
    re.compile(r"(?P<file>[\w./+-]+): line (?P<line>\d+):"),  # bash
    re.compile(r"(?P<file>[\w./+-]+): ?(?P<line>\d+):"),  # sh, compilers, Octave
)
_STARTS = {Stage.PREP: "setup.sh", Stage.QUIZ: "next.sh", Stage.EXAM: "next.sh"}


@dataclass(frozen=True, kw_only=True)
class Annotation:
    """A remark for one file, or for none."""

    text: str
    file: str = ""
    """Path in the entry."""
    line: int = 0
    """From 1; 0: the whole file."""


def remarks(view: View, files: Sequence[str]) -> tuple[Annotation, ...]:
    """One for each line that is to be changed, or one for the stage that was not passed.

    Where it goes is looked up in what the command printed, which only the entry itself decides on; it is a hint.

    ``files``: the entry's own files, relative to its folder; a place in another file is not shown.
    """
    evaluation = view.evaluation
    last = evaluation.stages[-1]
    if last.verdict.passed:
        return ()
    text = f"{last.stage}: {last.verdict}, {MEANING[last.verdict]}. {last.message} {advice(evaluation)}"
    known = set(files)
    if last.refusals:
        return tuple(
            Annotation(text=str(one), file=one.file, line=one.line) if one.file in known else Annotation(text=str(one))
            for one in last.refusals
        )
    for printed in reversed(last.diagnostics.splitlines()):
        for pattern in _PLACES:
            for found in pattern.finditer(printed):
                file = found["file"].removeprefix(_HOME).removeprefix("./")
                if file in known:
                    return (Annotation(text=f"{text}\n{printed.strip()}", file=file, line=int(found["line"])),)
    start = _STARTS.get(last.stage, "")
    return (Annotation(text=text, file=start if start in known else ""),)


def to_github(found: Sequence[Annotation], folder: str = "") -> str:
    """Workflow commands of GitHub, a line each, to be printed; ``folder`` is where the entry is in the repository."""
    lines = []
    for one in found:
        path = "/".join(part for part in (folder, one.file) if part and part != ".") if one.file else ""
        place = f" file={_property(path)}" if path else ""
        place += f",line={one.line}" if path and one.line else ""
        lines.append(f"::error{place}::{_data(one.text)}\n")
    return "".join(lines)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
