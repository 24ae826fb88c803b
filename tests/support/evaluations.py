"""Evaluations as pages show them: one that passed with every picture, one that failed, one of many records."""

import json
import random
from dataclasses import replace
from pathlib import Path

from evaluate.config.challenge.cache import load_challenge
from evaluate.core.model import (
    MIB,
    CounterInfo,
    Entry,
    Evaluation,
    MachineInfo,
    Note,
    Picture,
    RecordOutcome,
    Score,
    Stage,
    StageOutcome,
    StageResult,
    Usage,
    Verdict,
)
from evaluate.report.html import Beside, ReceiptLine
from metrics.plots.data import (
    AfTimeline,
    CaseDice,
    Confusion,
    FrameLandmarks,
    FrocCurve,
    LandmarkErrors,
    Plot,
    RecordValues,
    RocCurve,
)

LIMITS = load_challenge("cinc2017").limits
BESIDE = Beside(sample_score=0.8857, receipt=ReceiptLine(number=41, sha256="5e" * 32, key="a1b2c3d4e5f60718"))
MACHINE = MachineInfo(
    accelerator="tcg", image=f"sha256:{'7c' * 32}", counter=CounterInfo(kind="tcg", calibration_error=0.0)
)
ENTRY = Entry(archive=Path("rhythm-classifier.tar.gz"), sha256="9f" * 32, size=123_456)


def plots() -> tuple[Plot, ...]:
    """One picture of each kind, of made-up numbers."""
    counts = ((40, 2, 5, 1), (3, 18, 4, 0), (6, 5, 22, 2), (0, 0, 0, 0))
    cases = tuple(f"case_{i:05d}" for i in range(30))
    dice = tuple(round(0.3 + 0.022 * i, 4) for i in range(30))
    rates = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
    sensitivity = (0.42, 0.5, 0.61, 0.7, 0.76, 0.8)
    return (
        Confusion(
            subject="cinc2017",
            title="cinc2017: F1 = 0.7312, 108 records, corrected rules",
            references=("N", "A", "O", "~"),
            answers=("N", "A", "O", "~"),
            counts=counts,
            shares=tuple(tuple(n / sum(row) if sum(row) else float("nan") for n in row) for row in counts),
        ),
        RocCurve(
            subject="camelyon16",
            title="camelyon16: auc = 0.8800, 129 slides, corrected rules",
            false_positive_rate=(0.0, 0.0, 0.1, 0.3, 1.0),
            true_positive_rate=(0.0, 0.5, 0.8, 0.9, 1.0),
            auc=0.88,
            interval=(0.81, 0.93),
        ),
        FrocCurve(
            subject="camelyon16",
            title="camelyon16: froc = 0.6317, 129 slides, corrected rules",
            false_positives=(0.0, *rates, 10.0),
            sensitivity=(0.3, *sensitivity, 0.82),
            points=tuple(zip(rates, sensitivity, strict=True)),
            score=0.6317,
            interval=(0.55, 0.71),
            band=tuple((rate, value - 0.08, value + 0.07) for rate, value in zip(rates, sensitivity, strict=True)),
        ),
        CaseDice(
            subject="kits19",
            title="kits19: composite = 0.6190, 30 cases, corrected rules",
            cases=cases,
            series={"kidney and tumour": dice, "tumour": tuple(x * 0.8 for x in dice)},
            means={"kidney and tumour": 0.619, "tumour": 0.4952},
            target=float("nan"),
        ),
        RecordValues(
            subject="own", title="own: error = 1.2", cases=cases, series={"error": dice}, means={"error": 0.619}
        ),
        LandmarkErrors(
            subject="adaptor2021",
            title="adaptor2021: F1 = 0.8000, 24 frames, corrected rules",
            distances_px=tuple(0.1 + 0.18 * i for i in range(30)),
            radius_px=6.0,
        ),
        FrameLandmarks(
            subject="patient1/video1/0004",
            title="adaptor2021, frame patient1/video1/0004: 2 found, 1 false, 1 missed",
            matched=(((210.0, 150.0), (212.0, 151.0)), ((290.0, 242.0), (288.0, 245.0))),
            missed=((466.0, 35.0),),
            false=((271.0, 106.0),),
        ),
        AfTimeline(
            subject="data_7_2",
            title="cpsc2021, record data_7_2: U = 1.5 (Ur 1, Ue 0.5), corrected rules",
            seconds=1200.0,
            reference=((100.0, 420.0), (700.0, 900.0)),
            answered=((105.0, 400.0), (640.0, 910.0)),
            has_answer=True,
            start_windows=((98.0, 103.0, 1.0), (698.0, 703.0, 1.0)),
            end_windows=((418.0, 423.0, 1.0), (898.0, 903.0, 1.0)),
            earned=((0.5, 0.0), (0.0, 1.0)),
        ),
    )


def outcomes(n: int, failing: int = 0) -> tuple[RecordOutcome, ...]:
    """Records, of which the last ``failing`` are over their limit."""
    drawn = random.Random(7)
    records = []
    for i in range(n):
        instructions = int(drawn.lognormvariate(22.5, 0.45))
        usage = Usage(
            instructions=instructions, wall_seconds=instructions / 9e8, memory_bytes=int(drawn.uniform(90, 240) * MIB)
        )
        records.append(RecordOutcome(record=f"A{i:05d}", verdict=Verdict.OK, usage=usage, answer="NAO~"[i % 4]))
    over = Usage(instructions=60_000_000_001, wall_seconds=88.2, memory_bytes=400 * MIB)
    for i in range(n - failing, n):
        records[i] = replace(
            records[i], verdict=Verdict.INSTRUCTION_LIMIT, usage=over, answer=None, message="stopped at its limit"
        )
    return tuple(records)


def _stage(stage: Stage, records: tuple[RecordOutcome, ...], message: str, **other: object) -> StageOutcome:
    usage = sum((record.usage for record in records), Usage())
    result = StageResult(stage=stage, verdict=Verdict.OK, message=message, usage=usage, records=records)
    return StageOutcome(result=replace(result, **other), machine=MACHINE)  # type: ignore[arg-type]


def passed(records: int = 108, failing: int = 2) -> Evaluation:
    """Through all stages, with a score and one picture of each kind."""
    prep = _stage(Stage.PREP, (), "", usage=Usage(instructions=10**9, wall_seconds=12.5, memory_bytes=80 * MIB))
    exam = _stage(Stage.EXAM, outcomes(records, failing), f"{records - failing} of {records} records answered")
    score = Score(
        primary="F1",
        values={"F1": 0.7312, "F1n": 0.86, "F1a": 0.7333, "F1o": 0.6, "F1p": float("nan")},
        official={"F1": 0.7312, "F1n": 0.86, "F1a": 0.7333, "F1o": 0.6},
        intervals={"F1": (0.651, 0.802), "F1n": (0.79, 0.92), "F1a": (0.6, 0.84), "F1o": (0.47, 0.71)},
        notes=(Note(text="F1p is not defined: no reference has the class ~"),),
        pictures=tuple(Picture(name=plot.name, numbers=json.dumps(plot.as_json())) for plot in plots()),
    )
    judged = StageResult(stage=Stage.SCORE, verdict=Verdict.OK, message="F1 0.7312 (95 % interval 0.651 to 0.802)")
    return Evaluation(
        entry=ENTRY,
        challenge="cinc2017",
        outcomes=(
            prep,
            _stage(Stage.QUIZ, outcomes(8), "8 of 8 answers are reproduced"),
            exam,
            StageOutcome(result=judged, score=score),
        ),
        team="red",
        submitted=1_795_000_000.0,
        judged=1_795_000_900.0,
        version="0.1.0",
    )


def failed() -> Evaluation:
    """Stopped in the quiz at the first record, with what the command printed."""
    over = RecordOutcome(
        record="A00003",
        verdict=Verdict.RUNTIME_ERROR,
        usage=Usage(instructions=700_000_000, wall_seconds=1.1, memory_bytes=90 * MIB),
        message="exit code 1",
    )
    quiz = _stage(
        Stage.QUIZ,
        (*outcomes(2), over),
        "record A00003: next.sh ended with exit code 1",
        verdict=Verdict.RUNTIME_ERROR,
        diagnostics="Traceback (most recent call last):\n"
        '  File "/home/challenge/classify.py", line 12, in <module>\n'
        "    import numpy\nModuleNotFoundError: No module named 'numpy'\n",
    )
    return replace(passed(), outcomes=(passed().outcomes[0], quiz))
