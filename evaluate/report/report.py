"""An evaluation as text for a person, as JSON for programs, as JUnit for CI; the same words everywhere."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping
from html import escape
from typing import Any
from xml.etree import ElementTree as ET

from evaluate.core.model import Evaluation, Limits, RecordOutcome, Score, Stage, StageResult, Usage, Verdict

_WHAT = {
    Verdict.INVALID_ENTRY: "the entry is not complete or not well-formed",
    Verdict.RUNTIME_ERROR: "a command of the entry failed",
    Verdict.INSTRUCTION_LIMIT: "over the instruction limit",
    Verdict.WALL_LIMIT: "over the time limit",
    Verdict.MEMORY_LIMIT: "over the memory limit",
    Verdict.PROCESS_LIMIT: "over the process limit",
    Verdict.DISK_LIMIT: "a disk is full",
    Verdict.OUTPUT_LIMIT: "over the output limit",
    Verdict.MISMATCH: "an answer differs from the entry's own answers",
    Verdict.BAD_ANSWER: "an answer is missing or not well-formed",
    Verdict.DRY_RUN: "dry run passed",
    Verdict.OK: "passed",
}


def to_json(evaluation: Evaluation, *, hidden_exam: bool) -> dict[str, Any]:
    """The contract of design section 11.

    Parameters
    ----------
    hidden_exam : bool
        Leave the exam's records out, as in every report that a team gets.
    """
    return {
        "verdict": evaluation.verdict.value,
        "entry": {
            "name": evaluation.entry.archive.name,
            "sha256": evaluation.entry.sha256,
            "bytes": evaluation.entry.size,
            **({"commit": evaluation.entry.commit} if evaluation.entry.commit else {}),
        },
        "challenge": evaluation.challenge,
        "accelerator": evaluation.accelerator,
        "image": evaluation.image,
        "counter": {
            "kind": evaluation.counter.kind,
            "calibration_error": evaluation.counter.calibration_error,
        }
        if evaluation.counter
        else None,
        "stages": [_stage_json(stage, hidden_exam) for stage in evaluation.stages],
        "score": {**score_json(evaluation.score), "notes": _notes(evaluation, hidden_exam)}
        if evaluation.score
        else None,
    }


def score_json(score: Score) -> dict[str, Any]:
    """The numbers of the score stage as values of JSON."""
    return {
        "primary": score.primary,
        "values": numbers(score.values),
        "official": numbers(score.official),
        "intervals": {key: list(bounds) for key, bounds in score.intervals.items()},
        "notes": list(score.notes),
    }


def numbers(values: Mapping[str, float]) -> dict[str, float | None]:
    """NaN as null, since JSON has no NaN."""
    return {key: None if math.isnan(value) else value for key, value in values.items()}


def _notes(evaluation: Evaluation, hidden_exam: bool) -> list[str]:
    """What is said beside the score; of a hidden exam nothing of a record, since it may tell of its reference."""
    notes = list(evaluation.score.notes) if evaluation.score else []
    records = [one.record for stage in evaluation.stages if stage.stage is Stage.EXAM for one in stage.records]
    if not hidden_exam or not records:
        return notes
    names = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, records))})(?!\w)")
    shown = [_before(names, note) for note in notes]
    withheld = shown.count("")
    return [*filter(None, shown), *([f"{withheld} notes on single records are the organiser's"] if withheld else [])]


def _before(names: re.Pattern[str], note: str) -> str:
    """The clauses of a note before the first that has a name; empty if that leaves nothing but whose note it is."""
    clauses = itertools.takewhile(lambda clause: not names.search(clause), note.split(": "))
    text = ": ".join(clauses)
    return "" if text == "official" else text


def _stage_json(stage: StageResult, hidden_exam: bool) -> dict[str, Any]:
    found: dict[str, Any] = {
        "stage": stage.stage.value,
        "verdict": stage.verdict.value,
        "message": stage.message,
        "usage": _usage_json(stage.usage),
    }
    if stage.diagnostics:
        found["diagnostics"] = stage.diagnostics
    if stage.stage in (Stage.QUIZ, Stage.EXAM) and not (stage.stage is Stage.EXAM and hidden_exam):
        found["records"] = [_record_json(outcome) for outcome in stage.records]
    return found


def _usage_json(usage: Usage) -> dict[str, Any]:
    return {
        "instructions": usage.instructions,
        "wall_seconds": round(usage.wall_seconds, 3),
        "memory_bytes": usage.memory_bytes,
    }


def _record_json(outcome: RecordOutcome) -> dict[str, Any]:
    found: dict[str, Any] = {
        "record": outcome.record,
        "verdict": outcome.verdict.value,
        "instructions": outcome.usage.instructions,
        "wall_seconds": round(outcome.usage.wall_seconds, 3),
        "memory_bytes": outcome.usage.memory_bytes,
        "answer": outcome.answer,
    }
    if outcome.message:
        found["message"] = outcome.message
    return found


def to_text(evaluation: Evaluation, limits: Mapping[str, Limits], *, hidden_exam: bool) -> str:
    """What a person of the team would want to know, a line or two per stage."""
    lines = [f"{evaluation.entry.archive.name} · challenge {evaluation.challenge}"]
    for stage in evaluation.stages:
        lines.append(f"  {stage.stage.value:<6}{stage.verdict.value:<18}{_stage_line(stage)}".rstrip())
        worst = worst_record(stage, limits, named=not (stage.stage is Stage.EXAM and hidden_exam))
        if worst:
            lines.append(f"{'':26}{worst}")
        if stage.stage is Stage.PREP and stage.usage.instructions:
            lines.append(f"{'':26}setup.sh: {used(stage.usage.instructions, limits['setup'].instructions)}")
        if stage.diagnostics:
            lines += [f"    | {line}" for line in stage.diagnostics.splitlines()[-40:]]
    if evaluation.score:
        score = evaluation.score
        notes = _notes(evaluation, hidden_exam)
        from metrics.scoring import table  # noqa: PLC0415  # numpy is not what most commands wait for

        shown = table(evaluation.challenge, "score", score.values, score.official, score.intervals, notes)
        lines += [f"{'':8}{line}" for line in shown.splitlines()]
    counter = evaluation.counter
    if evaluation.image:
        how = f"accelerator {evaluation.accelerator}"
        if counter:
            how += f", counter {counter.kind} (calibration error {counter.calibration_error:+.1e})"
        lines.append(f"{how}, image {evaluation.image[:19]}…")
    else:
        lines.append("nothing was run: the answers themselves were sent")
    if evaluation.entry.commit:
        lines.append(f"commit {evaluation.entry.commit}")
    lines.append(f"verdict: {evaluation.verdict.value}, {_WHAT[evaluation.verdict]}")
    return "\n".join(lines)


def _stage_line(stage: StageResult) -> str:
    first, *rest = stage.message.splitlines() or [""]
    return "\n".join([first, *(f"{'':26}{line}" for line in rest)])


def used(instructions: int, limit: int) -> str:
    """ "6.4e8 of 6.0e10 instructions (1.1 %)" """
    return f"{power(instructions)} of {power(limit)} instructions ({100 * instructions / limit:.2g} %)"


def power(count: float) -> str:
    """A count as people write it: 6.4e8."""
    return f"{count:.1e}".replace("e+0", "e").replace("e+", "e")


def worst_record(stage: StageResult, limits: Mapping[str, Limits], *, named: bool) -> str:
    """The record that came nearest to the instruction limit; empty where there is none."""
    if not stage.records:
        return ""
    limit = limits[stage.stage.value].instructions
    worst = max(stage.records, key=lambda outcome: outcome.usage.instructions)
    if worst.usage == Usage():  # the program was started once for all of them, or nothing was run
        if stage.usage == Usage():
            return ""
        return (
            f"all records together: {used(stage.usage.instructions, limit * len(stage.records))}; "
            f"{stage.usage.wall_seconds:.1f} s and {stage.usage.memory_bytes >> 20} MiB"
        )
    place = f", {worst.record}" if named else ""
    seconds = max(outcome.usage.wall_seconds for outcome in stage.records)
    memory = max(outcome.usage.memory_bytes for outcome in stage.records) >> 20
    return (
        f"{100 * worst.usage.instructions / limit:.2g} % of the instruction limit on the worst record{place}: "
        f"{used(worst.usage.instructions, limit)}; at most {seconds:.1f} s and {memory} MiB a record"
    )


def to_junit(evaluation: Evaluation, *, hidden_exam: bool) -> str:
    """JUnit XML for CI: one test case a stage, and one a record of the quiz and of an exam that is not hidden."""
    suite = ET.Element("testsuite", name=f"evaluate {evaluation.challenge}")
    for stage in evaluation.stages:
        _case(suite, stage.stage.value, stage.verdict, stage.message, stage.usage, stage.diagnostics)
        if stage.stage is Stage.EXAM and hidden_exam:
            continue
        for outcome in stage.records:
            name = f"{stage.stage.value} {outcome.record}"
            _case(suite, name, outcome.verdict, outcome.message, outcome.usage, "")
    cases = suite.findall("testcase")
    suite.set("tests", str(len(cases)))
    suite.set("failures", str(sum(case.find("failure") is not None for case in cases)))
    ET.indent(suite)
    return ET.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def _case(suite: ET.Element, name: str, verdict: Verdict, message: str, usage: Usage, text: str) -> None:
    case = ET.SubElement(
        suite, "testcase", name=name, classname=suite.get("name", ""), time=f"{usage.wall_seconds:.3f}"
    )
    if not verdict.passed:
        failure = ET.SubElement(case, "failure", type=verdict.value, message=message)
        failure.text = text


_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1b1f24 }
h1 { font-size: 1.4rem } h2 { font-size: 1.1rem; margin-top: 2rem }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .25rem .6rem; border-bottom: 1px solid #d8dee4 }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums }
.ok { color: #116329 } .bad { color: #a40e26 } .bar { background: #d8dee4; width: 8rem; height: .6rem }
.bar div { background: #0969da; height: 100% } pre { background: #f6f8fa; padding: .8rem; overflow-x: auto }
.muted { color: #59636e }
"""


def to_html(evaluation: Evaluation, limits: Mapping[str, Limits], *, hidden_exam: bool) -> str:
    """One HTML file that needs no other file."""
    name = escape(evaluation.entry.archive.name)
    verdict = evaluation.verdict
    css = "ok" if verdict.passed else "bad"
    parts = [
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>",
        f"<title>{name}: {verdict}</title><style>{_STYLE}</style></head><body>",
        f"<h1>{name} · {escape(evaluation.challenge)}</h1>",
        f"<p class='{css}'><strong>{verdict}</strong>, {_WHAT[verdict]}</p>",
    ]
    if evaluation.score:
        parts += _score_html(evaluation.score)
        parts += [f"<p class='muted'>{escape(note)}</p>" for note in _notes(evaluation, hidden_exam)]
    for stage in evaluation.stages:
        parts += _stage_html(stage, limits, hidden=stage.stage is Stage.EXAM and hidden_exam)
    counter = evaluation.counter
    counted = f", counter {counter.kind} (calibration error {counter.calibration_error:+.1e})" if counter else ""
    parts.append(
        f"<p class='muted'>accelerator {evaluation.accelerator}{counted}<br>image {evaluation.image or 'none'}<br>"
        f"entry sha256:{evaluation.entry.sha256}"
        + (f"<br>commit {escape(evaluation.entry.commit)}" if evaluation.entry.commit else "")
        + "</p></body></html>\n"
    )
    return "\n".join(parts)


def _score_html(score: Score) -> list[str]:
    titles = ("score", "95 % interval", "organisers' program")
    head = "<th></th>" + "".join(f"<th class='n'>{title}</th>" for title in titles)
    parts = [f"<h2>Score</h2><table><tr>{head}</tr>"]
    for key, value in score.values.items():
        bounds, other = score.intervals.get(key), score.official.get(key)
        between = "" if bounds is None else f"{bounds[0]:.3f} to {bounds[1]:.3f}"
        shown = "" if other is None else f"{other:.4f}"
        cells = "".join(f"<td class='n'>{cell}</td>" for cell in (f"{value:.4f}", between, shown))
        parts.append(f"<tr><td>{escape(key)}</td>{cells}</tr>")
    return [*parts, "</table>"]


def _stage_html(stage: StageResult, limits: Mapping[str, Limits], *, hidden: bool) -> list[str]:
    css = "ok" if stage.verdict.passed else "bad"
    parts = [f"<h2>{stage.stage} <span class='{css}'>{stage.verdict}</span></h2>"]
    if stage.message:
        parts.append(f"<p>{escape(stage.message).replace(chr(10), '<br>')}</p>")
    worst = worst_record(stage, limits, named=not hidden)
    if worst:
        parts.append(f"<p class='muted'>{escape(worst)}</p>")
    if stage.diagnostics:
        parts.append(f"<pre>{escape(stage.diagnostics)}</pre>")
    if stage.records and not hidden:
        limit = limits[stage.stage.value].instructions
        # where the program was started once for all records, none has a usage of its own
        counted = any(outcome.usage != Usage() for outcome in stage.records)
        heads = "<th class='n'>instructions</th><th>of the limit</th><th class='n'>seconds</th>" if counted else ""
        parts.append(f"<table><tr><th>record</th><th>verdict</th><th>answer</th>{heads}<th></th></tr>")
        for outcome in stage.records:
            share = min(100.0, 100 * outcome.usage.instructions / limit)
            used_cells = (
                f"<td class='n'>{outcome.usage.instructions:,}</td>"
                f"<td><div class='bar' title='{share:.2g} %'><div style='width:{share:.1f}%'></div></div></td>"
                f"<td class='n'>{outcome.usage.wall_seconds:.1f}</td>"
            )
            parts.append(
                f"<tr><td>{escape(outcome.record)}</td><td class='{'ok' if outcome.verdict.passed else 'bad'}'>"
                f"{outcome.verdict}</td><td>{escape(outcome.answer or '')}</td>{used_cells if counted else ''}"
                f"<td>{escape(outcome.message)}</td></tr>"
            )
        parts.append("</table>")
    return parts
