"""Checks a challenge for its organiser: every mistake at once, with file, key, value found and value wanted."""

from __future__ import annotations

from pathlib import Path

import metrics
from evaluate.challenge import Challenge, Keys, Kind, load_yaml, read_challenge
from evaluate.errors import ChallengeError, EntryError
from evaluate.images.recipe import recipe_names
from evaluate.intake import parse_answers
from evaluate.model import Stage, Verdict

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
    problems = [
        f"{sample / name}: missing, a required file"
        for name in challenge.required_files
        if not (sample / name).exists()
    ]
    answers = sample / challenge.answers.file
    if challenge.kind is Kind.SCRIPTS and answers.is_file():
        try:
            known = parse_answers(answers.read_bytes(), challenge.answers.labels)
        except EntryError as e:
            return [*problems, f"{answers}: {e}"]
        problems += [f"{answers}: no answer for quiz record {r}" for r in challenge.quiz.records if r not in known]
    return problems


def check_expectation(path: Path) -> list[str]:
    """Mistakes of one ``expect.yaml``."""
    problems: list[str] = []
    try:
        keys = Keys(load_yaml(path), str(path), problems)
    except ChallengeError as e:
        return [str(e)]
    keys.need("stage", f"one of {', '.join(Stage)}", Stage, Stage.PREP)
    keys.need("verdict", f"one of {', '.join(Verdict)}", Verdict, Verdict.OK)
    keys.take("message_contains", "a list of texts", list, [])
    keys.take("remove", "a list of file names of the sample entry", list, [])
    keys.take("limits", "limits that differ from the challenge's", dict, {})
    keys.take("sizes", "disk sizes that differ from the challenge's", dict, {})
    keys.end()
    return problems
