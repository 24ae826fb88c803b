"""Bad entries of challenges, put together as their `expect.yaml` says."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

from evaluate.authoring.check import EXPECT, Expectation, read_expectation
from evaluate.challenge.types import Challenge
from evaluate.core.errors import ChallengeError


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
