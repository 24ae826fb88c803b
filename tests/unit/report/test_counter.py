"""What a report says of how instructions were counted."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from evaluate.core.model import CounterInfo, Evaluation, MachineInfo, Usage
from evaluate.report.audience import for_organiser
from evaluate.report.json import _counter, to_json
from evaluate.report.words import how_it_ran
from tests.unit.report.test_audience import evaluation

PERF = CounterInfo(kind="perf", calibration_error=0.001)


def ran(counter: CounterInfo, processors: int = 1) -> Evaluation:
    found = evaluation((), "", Usage())
    machine = MachineInfo(accelerator="kvm", image="sha256:0", counter=counter, processors=processors)
    return replace(found, outcomes=tuple(replace(outcome, machine=machine) for outcome in found.outcomes))


@pytest.mark.parametrize(
    ("counter", "words"),
    [
        (PERF, "counter perf (calibration error +1.0e-03), image"),
        (
            replace(PERF, recount_difference=-0.002),
            "counter perf (calibration error +1.0e-03), recounts differ by -2.0e-03",
        ),
        (CounterInfo(kind="uncounted", calibration_error=0.0), "uncounted: limits judged under emulation"),
    ],
)
def test_report_says_how_it_was_counted(counter: CounterInfo, words: str) -> None:
    assert words in how_it_ran(ran(counter))


def test_report_says_how_many_processors_there_were_if_there_were_several() -> None:
    one, several = ran(PERF), ran(PERF, processors=4)
    assert "4 processors, whose instructions are added" in how_it_ran(several)
    assert to_json(for_organiser(several, {}))["processors"] == 4
    assert "processors" not in how_it_ran(one) and "processors" not in to_json(for_organiser(one, {}))


@pytest.mark.parametrize(
    ("counter", "keys"),
    [(PERF, {"kind", "mode", "calibration_error"}), (replace(PERF, recount_difference=0.01), {"recount_difference"})],
)
def test_recount_is_a_key_only_where_there_was_one(counter: CounterInfo, keys: set[str]) -> None:
    found: dict[str, Any] = _counter(counter, "perf")
    assert keys <= set(found)
    assert ("recount_difference" in found) == (counter.recount_difference is not None)
