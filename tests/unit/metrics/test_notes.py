"""Notes: what they say in general is free of records, what they say of one record names it."""

import json
import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import metrics
from metrics.base import AnswerError, Note, ScoreReport, named_notes
from metrics.scoring import ScoredPair, as_json, both
from tests.support.challenge_files import Episodes, Frames, Slides
from tests.support.volume_files import labels, write_pairs
from tests.unit.metrics.challenges.test_cpsc2021 import COMMENTS

Folders = tuple[Path, Path]


def rhythm(root: Path) -> Folders:
    (root / "REFERENCE.csv").write_text("Q1,N\nQ2,A\nQ3,O\n")
    (root / "answers.txt").write_text("Q1,N\nQ2,A\nQ9,O\n")
    return root / "REFERENCE.csv", root / "answers.txt"


def ambiguous_rhythm(root: Path) -> Folders:
    references, answers = rhythm(root)
    answers.write_text("Q1,N\nQ2,A\nQ2,N\nQ9,O")
    return references, answers


def episodes(root: Path) -> Folders:
    bench = Episodes(root)
    for record in ("Q1", "Q2"):
        bench.add_record(record, COMMENTS[0])
    for record in ("Q1", "Q3"):
        bench.add_answer(record, [])
    return bench.references, bench.answers


def volumes(root: Path) -> Folders:
    good, empty = labels("1122"), labels("0000")
    write_pairs(root, {"Q1": (good, None), "Q2": (empty, None), "Q3": (good, None)})
    answers = {"Q1": (None, labels("1103").astype(np.int16)), "Q2": (None, empty), "Q4": (None, good)}
    return write_pairs(root, answers, spacing_mm=(9, 1, 1))


def nan_volumes(root: Path) -> Folders:
    write_pairs(root, dict.fromkeys(("Q1", "Q2"), (labels("0000"), None)))
    return write_pairs(root, dict.fromkeys(("Q1", "Q2"), (None, labels("0000"))), spacing_mm=(9, 1, 1))


def slides(root: Path) -> Folders:
    challenge = Slides(root)
    for record in ("Tumor_Q1", "Tumor_Q2"):
        challenge.mask(record)
    for record, detection in (("Tumor_Q1", "100000,320"), ("Normal_Q3", "1,1"), ("other_Q4", "1,1")):
        challenge.sheet(record, f"0.5,{detection}")
    challenge.sheet("slides", "Tumor_Q1,0.5")
    return challenge.references, challenge.answers


def frames(root: Path) -> Folders:
    bench = Frames(root)
    for name in ("Q1", "Q2"):
        bench.add_labels(f"p/v/{name}", [(1, 50)])
    for name in ("Q1", "Q3"):
        bench.add_answer(f"p/v/{name}", [(1, 1)])
    return bench.references, bench.answers


CHALLENGES = [
    ("cinc2017", rhythm),
    ("cinc2017", ambiguous_rhythm),
    ("cpsc2021", episodes),
    *((metric, make) for metric in ("kits19", "kits23", "mlperf_kits19") for make in (volumes, nan_volumes)),
    ("camelyon16", slides),
    ("adaptor2021", frames),
]


@pytest.mark.parametrize("rules", ["official", "corrected"])
@pytest.mark.parametrize(("metric", "make"), CHALLENGES)
def test_no_general_note_names_a_record(
    metric: str, make: Callable[[Path], Folders], rules: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    references, answers = make(tmp_path)
    try:
        pair = both(metric, references, answers, rules=rules)
    except AnswerError:  # then there are no notes
        assert rules == "official" or make is ambiguous_rhythm
        return
    assert pair.notes
    for note in pair.notes:
        assert isinstance(note, Note)
        if note.record is None:
            # every record of these references and answers, scored or not, has a Q in its name
            assert "Q" not in note
            assert str(tmp_path) not in note
    printed = as_json(pair)
    assert printed["notes"] == [str(note) for note in pair.notes]
    assert printed["note_records"] == [note.record for note in pair.notes]
    json.dumps(printed)


def test_every_metric_is_tried() -> None:
    assert {metric for metric, _ in CHALLENGES} == set(metrics.names())


def test_a_note_prints_as_its_text_and_survives_the_way_between_processes() -> None:
    note = pickle.loads(pickle.dumps(Note("x: one voxel", "x")))
    assert (note, note.record, f"{note}") == ("x: one voxel", "x", "x: one voxel")
    assert Note("in general").record is None


def test_listed_records_stand_in_a_note_of_their_own() -> None:
    assert named_notes("cases have no answer", []) == ()
    general, detail = named_notes("cases have no answer", ["a", "b", "c"], shown=2)
    assert (general, general.record) == ("3 cases have no answer", None)
    assert (detail, detail.record) == ("3 cases have no answer: a, b and 1 more", "a")


REPORT = ScoreReport(metric="m", rules="corrected", primary="a", values={"a": 1.0})


def test_plain_string_of_another_package_is_about_the_record_that_it_names() -> None:
    notes: Any = ("two answers for r17", "all is well")
    report = replace(REPORT, per_record={"r17": {}}, notes=notes)
    assert [note.record for note in report.notes] == ["r17", None]


def test_why_the_official_program_stops_is_a_note_about_a_record() -> None:
    for error, record in ((AnswerError("found 'x'", record="r"), "r"), (AnswerError("found 'x'", file="f"), "")):
        general, detail = ScoredPair(report=REPORT, official=None, official_error=error).notes
        assert (general, general.record) == ("official: the organisers' program stops with an error", None)
        assert "found 'x'" in detail
        assert detail.record == record
