"""What a report says of how instructions were counted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evaluate.core.model import CounterInfo, Evaluation, MachineInfo, Usage
from evaluate.report.audience import for_organiser
from evaluate.report.json import to_json
from evaluate.report.words import how_it_ran
from tests.unit.report.test_audience import evaluation

PERF = CounterInfo(kind="perf", calibration_error=0.001)


def ran(counter: CounterInfo, processors: int = 1) -> Evaluation:
    alone = evaluation((), "", Usage())
    machine = MachineInfo(accelerator="kvm", image="sha256:0", counter=counter, processors=processors)
    return replace(alone, outcomes=tuple(replace(outcome, machine=machine) for outcome in alone.outcomes))


KEYS = {"kind", "mode", "calibration_error"}


@pytest.mark.parametrize(
    ("counter", "words", "keys"),
    [
        (PERF, "counter perf (calibration error +1.0e-03), image", KEYS),
        (
            replace(PERF, recount_difference=-0.002),
            "counter perf (calibration error +1.0e-03), recounts differ by -2.0e-03",
            KEYS | {"recount_difference"},
        ),
        (CounterInfo(kind="uncounted", calibration_error=0.0), "uncounted: limits judged under emulation", KEYS),
    ],
)
def test_report_says_how_it_was_counted(counter: CounterInfo, words: str, keys: set[str]) -> None:
    assert words in how_it_ran(ran(counter))
    assert set(to_json(for_organiser(ran(counter), {}))["counter"]) == keys


def test_report_says_how_many_processors_there_were_if_there_were_several() -> None:
    alone, several = ran(PERF), ran(PERF, processors=4)
    assert "4 processors, whose instructions are added" in how_it_ran(several)
    assert to_json(for_organiser(several, {}))["processors"] == 4
    assert "processors" not in how_it_ran(alone) and "processors" not in to_json(for_organiser(alone, {}))
