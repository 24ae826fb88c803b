"""Checks a challenge for its organiser: every mistake at once, with file, key, value found and value wanted."""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from evaluate.challenge import Challenge, Kind, read_challenge
from evaluate.core.errors import ChallengeError, EntryError
from evaluate.core.keys import Keys, by_name, checked, load_yaml, texts
from evaluate.core.model import Limits, Sizes, Stage, Verdict
from evaluate.images.recipe import recipe_names
from evaluate.untrusted.archives import parse_answers

EXPECT = "expect.yaml"


def check_challenge(folder: Path) -> list[str]:
    """Every mistake in the challenge in ``folder``, a line each; empty if there is none."""
    challenge, problems = read_challenge(folder)
    if challenge is None:
        return problems
    where = folder / "challenge.yaml"
    if challenge.image and challenge.image not in recipe_names():
        problems.append(f"{where}: image: expected one of {', '.join(recipe_names())}, found {challenge.image!r}")
    try:
        import metrics  # noqa: PLC0415  # numpy is not what most commands wait for

        metrics.get(challenge.metric)
    except KeyError as e:
        problems.append(f"{where}: metric: {e.args[0]}")
    if not (folder / "README.md").is_file():
        problems.append(f"{folder / 'README.md'}: missing; wanted task, source and licence")
    problems += _sample_entry(challenge)
    for path in sorted((folder / "bad_entries").glob("*/")):
        problems += check_expectation(path / EXPECT)
    return problems


def _sample_entry(challenge: Challenge) -> list[str]:
    sample = challenge.folder / "sample_entry"
    if not sample.is_dir():
        return [f"{sample}: missing; a challenge shows teams an entry that passes"]
    required = list(challenge.required_files)
    if Kind.PYTHON in challenge.kinds and not (sample / (challenge.run.octave or challenge.run.program)).exists():
        required.append(challenge.run.program)
    problems = [f"{sample / name}: missing, a required file" for name in required if not (sample / name).exists()]
    answers = sample / challenge.answers.file
    if Kind.SCRIPTS in challenge.kinds and answers.is_file():
        try:
            known = parse_answers(answers.read_bytes(), challenge.answers.labels)
        except EntryError as e:
            return [*problems, f"{answers}: {e}"]
        problems += [f"{answers}: no answer for quiz record {r}" for r in challenge.quiz.records if r not in known]
    if challenge.kinds == (Kind.ANSWERS,):
        for names in map(challenge.answers.names, challenge.exam.records):
            if not any((sample / name).exists() for name in names):
                problems.append(f"{sample}: no answer {' or '.join(names)}")
    return problems


@dataclass(frozen=True, kw_only=True)
class Expectation:
    """What an ``expect.yaml`` says of an entry that must fail (or pass in an unusual way)."""

    stage: Stage
    """The stage meant; the last one unless its verdict is OK."""
    verdict: Verdict
    message_contains: tuple[str, ...]
    diagnostics_contain: tuple[str, ...]
    remove: tuple[str, ...]
    """Files of the sample entry that this entry lacks; its own files replace those of the same name."""
    limits: Mapping[str, Mapping[str, Any]]
    """For each stage the `Limits` that differ from the challenge's, so that a test is short."""
    sizes: Mapping[str, int]
    score: float
    """Of the challenge's primary value, calculated by hand; NaN where none is expected."""


def read_expectation(path: Path) -> tuple[Expectation, list[str]]:
    """An ``expect.yaml`` and the mistakes in it.

    Raises
    ------
    ChallengeError
        It cannot be read at all.
    """
    problems: list[str] = []
    keys = Keys(load_yaml(path), str(path), problems)
    none: tuple[str, ...] = ()
    found = Expectation(
        stage=keys.need("stage", f"one of {', '.join(Stage)}", Stage, Stage.PREP),
        verdict=keys.need("verdict", f"one of {', '.join(Verdict)}", Verdict, Verdict.OK),
        message_contains=keys.take("message_contains", "a list of texts", texts, none),
        diagnostics_contain=keys.take("diagnostics_contain", "a list of texts", texts, none),
        remove=keys.take("remove", "a list of file names of the sample entry", texts, none),
        limits=keys.take("limits", "limits of a stage", _limits_of_stages, {}),
        sizes=keys.take("sizes", f"some of {', '.join(_names(Sizes))}", _some_of(Sizes), {}),
        score=keys.take("score", "a number", float, math.nan),
    )
    keys.end()
    return found, problems


def check_expectation(path: Path) -> list[str]:
    """Mistakes of one ``expect.yaml``."""
    try:
        return read_expectation(path)[1]
    except ChallengeError as e:
        return [str(e)]


def assemble_entry(challenge: Challenge, name: str, target: Path) -> Expectation:
    """Put the bad entry ``name`` together in ``target``: the sample entry with its differences."""
    folder = challenge.folder / "bad_entries" / name
    expectation, problems = read_expectation(folder / EXPECT)
    if problems:
        raise ChallengeError("\n".join(problems))
    shutil.copytree(challenge.folder / "sample_entry", target)
    shutil.copytree(folder, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns(EXPECT))
    for file in expectation.remove:
        (target / file).unlink()
    return expectation


def changed_rules(challenge: Challenge, expectation: Expectation) -> Challenge:
    """The challenge with the limits and sizes under which an entry is expected to fail."""
    limits = {
        stage: replace(of_stage, **expectation.limits.get(stage, {})) for stage, of_stage in challenge.limits.items()
    }
    return replace(challenge, limits=limits, sizes=replace(challenge.sizes, **expectation.sizes))


def _names(kind: type) -> list[str]:
    return [f.name for f in fields(kind)]


def _some_of(kind: type) -> Callable[[Any], dict[str, Any]]:
    return lambda value: checked(by_name(value), set(value) <= set(_names(kind)))


def _limits_of_stages(value: Any) -> dict[str, dict[str, Any]]:
    found = checked(by_name(value), set(value) <= {"setup", "quiz", "exam"})
    return {stage: _some_of(Limits)(limits) for stage, limits in found.items()}
