"""Proposals for a challenge's limits, from the usage of its sample entry and bad entries in a virtual machine.

As problemtools does for contests: a limit is a multiple of what the slowest entry that must pass uses.  Instructions
and memory are counted, so twice is enough; time on the clock also depends on the host, and is only there for programs
that sleep.
"""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from evaluate.authoring.check import EXPECT, Expectation, read_expectation
from evaluate.config.challenge.types import Challenge
from evaluate.core.errors import ChallengeError
from evaluate.core.model import MIB, Evaluation, Limits, Stage
from evaluate.report.words import power, shares

_TIMES = {"instructions": 2.0, "memory": 2.0, "time": 10.0}
"""A limit is so many times what the slowest that must pass uses."""
_LEAST = {"instructions": 1e8, "memory": 64.0 * MIB, "time": 60.0}
_WIDE = 10
"""Multiple of its limits that an entry may use while it is measured."""
_FIELDS = {"instructions": "instructions", "memory": "memory_bytes", "time": "wall_seconds"}

Try = Callable[[Path, Challenge], Evaluation]
"""Evaluates an entry under the limits of a challenge."""
Needs = dict[tuple[str, str], tuple[float, str]]
"""Stage and what is limited -> the most that is needed, and by which entry and record."""


@dataclass(frozen=True, kw_only=True)
class Measurement:
    """Result of measuring."""

    limits: Mapping[str, Mapping[str, float]]
    """Stage -> what is limited (`instructions`, `time` in seconds, `memory` in bytes) -> proposed."""
    lines: tuple[str, ...]
    """Lines on what the proposals follow from."""
    problems: tuple[str, ...]
    """Entries that did not end as they should."""

    @property
    def yaml(self) -> str:
        """The section `limits` of challenge.yaml."""
        return "limits:\n" + "".join(f"  {stage}: {{{_keys(stage, each)}}}\n" for stage, each in self.limits.items())


def measure(challenge: Challenge, folder: Path, attempt: Try) -> Measurement:
    """Run the sample entry and every bad entry of a challenge, and propose limits.

    ``folder``: where bad entries are put together.
    """
    wide = replace(challenge, limits={stage: _widened(limits, challenge) for stage, limits in challenge.limits.items()})
    needs: Needs = {}
    problems = []
    sample = attempt(challenge.folder / "sample_entry", wide)
    if not sample.verdict.passed:
        problems.append(f"sample_entry: expected to pass with {_WIDE} times the limits, found {_end(sample)}")
    _note(needs, "sample_entry", sample, wide)
    for entry in sorted(path.parent for path in challenge.folder.glob(f"bad_entries/*/{EXPECT}")):
        expected = assemble_entry(challenge, entry.name, folder / entry.name)
        has_limits = any(expected.limits.values()) or bool(expected.sizes)
        passes = expected.verdict.passed and not has_limits
        evaluation = attempt(folder / entry.name, wide if passes else with_changed_limits(challenge, expected))
        end = next((stage for stage in evaluation.stages if stage.stage is expected.stage), evaluation.stages[-1])
        if (end.stage, end.verdict) != (expected.stage, expected.verdict):
            wanted = f"{expected.verdict} in {expected.stage}"
            problems.append(f"bad_entries/{entry.name}: expected {wanted}, found {end.verdict} in {end.stage}")
        elif passes:
            _note(needs, f"bad_entries/{entry.name}", evaluation, wide)
    proposed = {key: _round_up(max(_TIMES[key[1]] * need, _LEAST[key[1]]), key[1]) for key, (need, _) in needs.items()}
    memory = challenge.sizes.memory_bytes
    proposed = {key: min(value, memory) if key[1] == "memory" else value for key, value in proposed.items()}
    lines = [
        f"{stage}: {_shown(what, need)} of {what} by {who}; proposed {_shown(what, proposed[stage, what])}, "
        f"now {_shown(what, getattr(challenge.limits[stage], _FIELDS[what]))}"
        for (stage, what), (need, who) in needs.items()
    ]
    stages = dict.fromkeys(stage for stage, _ in proposed)
    limits = {stage: {what: value for (of, what), value in proposed.items() if of == stage} for stage in stages}
    return Measurement(limits=limits, lines=tuple(lines), problems=tuple(problems))


def _widened(limits: Limits, challenge: Challenge) -> Limits:
    return replace(
        limits,
        instructions=_WIDE * limits.instructions,
        wall_seconds=_WIDE * limits.wall_seconds,
        memory_bytes=max(limits.memory_bytes, challenge.sizes.memory_bytes),
    )


def _note(needs: Needs, who: str, evaluation: Evaluation, rules: Challenge) -> None:
    """Keep the most that an entry needs of each limit; of a program for all records the mean of a record."""
    for result in evaluation.stages:
        stage = _stage(result.stage)
        for share in shares(result, rules.limits):
            if share.what not in _FIELDS:
                continue
            need = share.worst_percent / 100 * getattr(rules.limits[stage], _FIELDS[share.what])
            if need > needs.get((stage, share.what), (0.0, ""))[0]:
                needs[stage, share.what] = need, who + (f", record {share.worst_record}" if share.worst_record else "")


def _stage(stage: Stage) -> str:
    return "setup" if stage is Stage.PREP else stage.value


def _end(evaluation: Evaluation) -> str:
    last = evaluation.stages[-1]
    return f"{last.verdict} in {last.stage}: {last.message}"


def _round_up(value: float, what: str) -> float:
    """Round to two digits, memory to 64 MiB, seconds to ten."""
    step = {"memory": 64.0 * MIB, "time": 10.0}.get(what) or 10.0 ** (math.floor(math.log10(value)) - 1)
    return math.ceil(value / step - 1e-9) * step


def _shown(what: str, value: float) -> str:
    if what == "instructions":
        return power(value)
    return f"{value / MIB:.0f} MiB" if what == "memory" else f"{value:.3g} s"


def _keys(stage: str, limits: Mapping[str, float]) -> str:
    tail = "" if stage == "setup" else "_per_record"
    names = {"instructions": f"instructions{tail}", "time": f"wall_seconds{tail}", "memory": "memory_mib"}
    numbers = {what: f"{value / MIB if what == 'memory' else value:.0f}" for what, value in limits.items()}
    numbers |= {"instructions": power(limits["instructions"])} if "instructions" in limits else {}
    return ", ".join(f"{names[what]}: {numbers[what]}" for what in names if what in numbers)


# Bad entries of challenges, put together as their `expect.yaml` says


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
