"""Checks a challenge for its organiser: every mistake at once, with file, line, key, value expected and value found."""

from __future__ import annotations

import math
import shutil
import tempfile
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from evaluate.authoring.wfdb_headers import check_headers
from evaluate.challenge import FILE, Challenge, RecordSet, make_challenge
from evaluate.core.document import Document, load_document
from evaluate.core.errors import ChallengeError, EntryError
from evaluate.core.keys import ANY_NUMBER, COUNT, POSITIVE_SECONDS, TEXT, Key, ListOf, Section, one_of, read
from evaluate.core.model import Limits, Sizes, Stage, Verdict
from evaluate.images.recipe import recipe_names
from evaluate.untrusted.archives import parse_answers

if TYPE_CHECKING:
    from metrics import Metric

EXPECT = "expect.yaml"


def check_challenge(folder: Path) -> list[str]:
    """Every mistake in the challenge in ``folder``, a line each; empty if there is none."""
    try:
        document = load_document(folder / FILE)
    except ChallengeError as e:
        return str(e).splitlines()
    challenge = make_challenge(document)
    if challenge is None:
        return document.problems
    if challenge.image and challenge.image not in recipe_names():
        document.complain(("image",), f"expected one of {', '.join(recipe_names())}, found {challenge.image!r}")
    metric = _metric(challenge, document)
    for problem in dict.fromkeys(_other_files(challenge, metric)):  # a metric may fail in the same way on each set
        document.complain_of_file(problem)
    return document.problems


def _other_files(challenge: Challenge, metric: Metric | None) -> Iterator[str]:
    readme = challenge.folder / "README.md"
    if not readme.is_file():
        yield f"{readme}: missing; expected task, source and licence"
    for records in (challenge.quiz, challenge.exam):
        yield from check_headers(records)
        yield from _references(challenge, records, metric)
    sample = list(_sample_entry(challenge))
    yield from sample
    if not sample and metric is not None:
        yield from _sample_score(challenge, metric)
    for path in sorted((challenge.folder / "bad_entries").glob("*/")):
        yield from check_expectation(path / EXPECT)


# metric and references


def _metric(challenge: Challenge, document: Document) -> Metric | None:
    """The metric; None where there is none, or its code is wrong."""
    if not challenge.metric:
        return None
    own = Path(challenge.metric) if challenge.metric.endswith(".py") else None
    if own and not own.is_file():
        document.complain(("metric",), f"{own}: no such file")
        return None
    import metrics  # noqa: PLC0415  # numpy takes long to import

    try:
        metric = metrics.get(challenge.metric)
    except Exception as e:  # whatever the organiser's module does when it is imported
        lookup = isinstance(e, KeyError) and _line_in(e, own) is None
        document.complain(("metric",), str(e.args[0]) if lookup else _code_error(e, own, challenge.metric))
        return None
    if not callable(getattr(metric, "score", None)):
        where = f"{own}: METRIC" if own else f"metric {challenge.metric!r}"
        document.complain(("metric",), f"{where}: expected an object with a method score, found {metric!r}")
        return None
    return metric


def _line_in(error: Exception, file: Path | None) -> int | None:
    """The line of the organiser's file that an error comes from."""
    if isinstance(error, SyntaxError) and error.filename == str(file):
        return error.lineno
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(file)]
    return lines[-1] if lines else None


def _code_error(error: Exception, file: Path | None, metric: str) -> str:
    line = _line_in(error, file)
    where = f"{file}:{line}" if line else str(file or f"metric {metric!r}")
    reason = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{where}: {type(error).__name__}: {reason}"


def _references(challenge: Challenge, records: RecordSet, metric: Metric | None) -> Iterator[str]:
    """Records without a reference, and labels outside the set."""
    if records.references is None or not records.records:
        return
    problems = list(_labels(challenge, records.references))
    yield from problems
    if problems or metric is None:
        return
    with tempfile.TemporaryDirectory() as scratch:
        nothing = Path(scratch) / (challenge.answers.file if challenge.answers_are_lines else "answers")
        if challenge.answers_are_lines:
            nothing.touch()
        else:
            nothing.mkdir()
        yield from _scored(challenge, records, nothing, metric, of_answers=False)


def _labels(challenge: Challenge, references: Path) -> Iterator[str]:
    """Where answers are labels and the references lines ``record,label``: those outside the set."""
    if not challenge.answers.labels or not references.is_file():
        return
    lines = references.read_text(encoding="utf-8-sig", errors="replace").splitlines()
    pairs = [(n, line.split(",")) for n, line in enumerate(lines, 1) if line.strip()]
    if not all(len(pair) == 2 for _, pair in pairs):  # a metric may have references of another form
        return
    for n, (_, label) in pairs:
        if label.strip() not in challenge.answers.labels:
            labels = " ".join(challenge.answers.labels)
            yield f"{references}:{n}: expected one of the labels {labels}, found {label.strip()!r}"


def _sample_score(challenge: Challenge, metric: Metric) -> Iterator[str]:
    """The sample entry of answers, which needs no machine, is scored."""
    if not challenge.runs_programs and challenge.exam.references is not None:
        yield from _scored(challenge, challenge.exam, challenge.folder / "sample_entry", metric, of_answers=True)


def _scored(
    challenge: Challenge, records: RecordSet, answers: Path, metric: Metric, *, of_answers: bool
) -> Iterator[str]:
    """What a metric reports as wrong; ``of_answers``: whether the answers are checked too."""
    import metrics  # noqa: PLC0415

    assert records.references is not None
    own = Path(challenge.metric) if challenge.metric.endswith(".py") else None
    try:
        metric.score(records.references, answers, records=records.records, rules=challenge.rules)
    except metrics.AnswerError as e:
        if of_answers:
            yield f"{answers}: {e}"
    except metrics.ReferenceDataError as e:
        yield str(e) if e.file else f"{records.references}: {e}"
    except Exception as e:  # whatever the organiser's module does
        yield _code_error(e, own, challenge.metric)


# sample entry


def _sample_entry(challenge: Challenge) -> Iterator[str]:
    sample = challenge.folder / "sample_entry"
    if not sample.is_dir():
        yield f"{sample}: missing; a challenge shows teams an entry that passes"
        return
    programs = [name for name in (challenge.run.program, challenge.run.octave) if name]
    required = list(challenge.required_files)
    if programs and not any((sample / name).exists() for name in programs):
        required.append(programs[0])
    yield from (f"{sample / name}: missing, a required file" for name in required if not (sample / name).exists())
    own_answers = sample / challenge.answers.file
    if challenge.answers.labels and own_answers.is_file():
        try:
            known = parse_answers(own_answers.read_bytes(), challenge.answers.labels)
        except EntryError as e:
            yield from (f"{own_answers}: {problem}" for problem in str(e).splitlines())
            return
        for record in challenge.quiz.records:
            if record not in known:
                yield f"{own_answers}: no answer for quiz record {record}"
    if challenge.kinds and not challenge.runs_programs:
        for names in map(challenge.answers.names, challenge.exam.records):
            if not any((sample / name).exists() for name in names):
                yield f"{sample}: no answer {' or '.join(names)}"


# bad entries

_TEXTS = ListOf(expected="a list of texts", item=TEXT)
_BYTES = COUNT.but(expected="a number of bytes")


CHANGED_LIMITS: Section[dict[str, Any]] = Section(
    dict,
    {
        "instructions": Key("Retired user-mode instructions.", COUNT),
        "wall_seconds": Key("Time on the clock.", POSITIVE_SECONDS),
        "processes": Key("Processes and threads.", COUNT),
        **{f.name: Key("A limit of the command.", _BYTES) for f in fields(Limits) if f.name.endswith("_bytes")},
    },
)
_CHANGED_STAGES: Section[dict[str, Any]] = Section(
    dict, {stage: Key(f"Of {stage}.", CHANGED_LIMITS) for stage in ("setup", "quiz", "exam")}
)
_CHANGED_SIZES: Section[dict[str, Any]] = Section(
    dict, {f.name: Key("A size of the machine.", _BYTES) for f in fields(Sizes)}
)


@dataclass(frozen=True, kw_only=True)
class Expectation:
    """What an ``expect.yaml`` says about an entry that must fail (or pass in an unusual way)."""

    stage: Annotated[
        Stage,
        Key("The stage that this is about; the last one unless its verdict is OK.", one_of(Stage), required=True),
    ]
    verdict: Annotated[Verdict, Key("Its verdict.", one_of(Verdict), required=True)]
    message_contains: Annotated[tuple[str, ...], Key("What its message contains.", _TEXTS)] = ()
    diagnostics_contain: Annotated[tuple[str, ...], Key("What the diagnostics contain.", _TEXTS)] = ()
    remove: Annotated[
        tuple[str, ...],
        Key(
            "Files of the sample entry that this entry lacks; its own files replace those of the same name.",
            ListOf(expected="a list of file names of the sample entry", item=TEXT.but(expected="a file name")),
        ),
    ] = ()
    limits: Annotated[
        Mapping[str, Mapping[str, Any]],
        Key("Limits that differ from the challenge's, so that a test is short.", _CHANGED_STAGES),
    ] = field(default_factory=dict)
    sizes: Annotated[Mapping[str, int], Key("Sizes that differ from the challenge's.", _CHANGED_SIZES)] = field(
        default_factory=dict
    )
    score: Annotated[
        float,
        Key(
            "The challenge's primary value, calculated by hand.",
            ANY_NUMBER,
            default="none",
        ),
    ] = math.nan


EXPECTATION = Section(Expectation)
"""The keys of ``expect.yaml``."""


def read_expectation(path: Path) -> tuple[Expectation | None, list[str]]:
    """An ``expect.yaml`` and the mistakes in it; None where a required key is wrong.

    Raises
    ------
    ChallengeError
        It cannot be read at all.
    """
    document = load_document(path)
    found = read(document, EXPECTATION)
    return found, document.problems


def check_expectation(path: Path) -> list[str]:
    """Mistakes of one ``expect.yaml``."""
    try:
        return read_expectation(path)[1]
    except ChallengeError as e:
        return str(e).splitlines()


def assemble_entry(challenge: Challenge, name: str, target: Path) -> Expectation:
    """Put the bad entry ``name`` together in ``target``: the sample entry with its differences."""
    folder = challenge.folder / "bad_entries" / name
    expectation, problems = read_expectation(folder / EXPECT)
    if expectation is None or problems:
        raise ChallengeError("\n".join(problems))
    shutil.copytree(challenge.folder / "sample_entry", target)
    shutil.copytree(folder, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns(EXPECT))
    for file in expectation.remove:
        (target / file).unlink()
    return expectation


def with_changed_limits(challenge: Challenge, expectation: Expectation) -> Challenge:
    """The challenge with the limits and sizes under which an entry is expected to fail."""
    limits = {
        stage: replace(of_stage, **expectation.limits.get(stage, {})) for stage, of_stage in challenge.limits.items()
    }
    return replace(challenge, limits=limits, sizes=replace(challenge.sizes, **expectation.sizes))
