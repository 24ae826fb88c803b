import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metrics.base import AnswerError, ReferenceDataError
from metrics.challenges.cpsc2021 import AFF, AFP, N, Reference, windows
from tests.support.challenge_files import LENGTH, Episodes, saved

COMMENTS = ("non atrial fibrillation", "persistent atrial fibrillation", "paroxysmal atrial fibrillation")
PAROXYSMAL = {6: "(AFIB", 12: "(N"}  # an episode from sample 650 to 1250


@pytest.fixture
def bench(tmp_path: Path) -> Episodes:
    """A record of each class: n, f and p."""
    bench = Episodes(tmp_path)
    bench.add_record("n", COMMENTS[N])
    bench.add_record("f", COMMENTS[AFF], {0: "(AFIB", 19: "(N"})
    bench.add_record("p", COMMENTS[AFP], PAROXYSMAL)
    return bench


@pytest.mark.parametrize("rules", ["official", "corrected"])
def test_perfect_answers_earn_one_three_and_one_plus_two_per_episode(bench: Episodes, rules: str) -> None:
    bench.add_answer("n", [])
    bench.add_answer("f", [[0, LENGTH - 1]])
    bench.add_answer("p", [[650, 1250]])
    report = bench.score(rules)
    assert {record: row["u"] for record, row in report.per_record.items()} == {"f": 3.0, "n": 1.0, "p": 3.0}
    assert report.per_record["p"] == {
        "class_true": 2.0, "class_pred": 2.0, "ma": 1.0, "mr": 1.0, "ur": 1.0, "ue": 2.0, "u": 3.0,
    }  # fmt: skip
    assert report.values == {"U": pytest.approx(7 / 3), "Ur": 1.0, "Ue": pytest.approx(4 / 3)}
    assert (report.primary, report.notes) == ("U", ())


def test_windows_of_persistent_fibrillation_reach_to_the_ends_and_one_stops_before_the_last_sample() -> None:
    reference: dict[str, Any] = {"record": "r", "annotation_samples": tuple(range(0, 90, 10))}
    starts = windows(
        Reference(n_samples=200, class_true=AFF, onsets=(4,), offsets=(5,), **reference),
        reference["annotation_samples"].__getitem__,
    )
    assert starts == ([(0, 60, 1.0), (60, 70, 0.5)], [(30, 200, 1.0), (20, 30, 0.5)])
    _, starts = windows(
        Reference(n_samples=70, class_true=AFP, onsets=(), offsets=(5,), **reference),
        reference["annotation_samples"].__getitem__,
    )
    assert starts == [(30, 60, 1.0), (60, 69, 0.5), (20, 30, 0.5)]


# ------------------------------------------------------------------------------------------------------ official


def test_official_score_without_answers_is_nan_with_a_note(bench: Episodes) -> None:
    report = bench.score("official")
    assert math.isnan(report.values["U"])
    assert any("NaN" in note for note in report.notes)


# ----------------------------------------------------------------------------------------------------- corrected


NO_PAIRS = (
    "[]", "{}", '{"predict_endpoints": null}', '{"predict_endpoints": {}}', '{"predict_endpoints": "12"}',
    '{"predict_endpoints": [1, 2]}', '{"predict_endpoints": [[1], [2]]}', '{"predict_endpoints": [[1, 2], [3]]}',
    '{"predict_endpoints": [["1", "2"]]}', '{"predict_endpoints": [[true, false]]}', '{"predict_endpoints": [[]]}',
    '{"predict_endpoints": [[1, [2]]]}', '{"predict_endpoints": [[1, 2], null]}', "", "[" * 5000,
)  # fmt: skip
FAR = "expected positions from 0 to 2099"


@pytest.mark.parametrize(
    ("rules", "record", "answer", "wish"),
    [
        *(("official", "n", endpoints, -0.5) for endpoints in ([[10**9, -5], [1, 2]], [100, 200], [[]])),
        *(
            ("official", "p", endpoints, "expected")
            for endpoints in (
                [[10, LENGTH]], [[-LENGTH - 1, 10]], [[math.nan, 10]], [[10, math.inf]], [100, 200],
                [[1, 2, 3], [4, 5, 6]], [[10**400, 1]], [[10**400, 1.5]], '\ufeff{"predict_endpoints": []}',
            )
        ),
        *(("official", "n", endpoints, "expected") for endpoints in ([[1, 2, 3]], [100])),
        *((rules, "p", text, "expected") for rules in ("official", "corrected") for text in NO_PAIRS),
        # fractions are cut, and an end before its start is scored as it stands
        ("corrected", "p", [[650.9, 1250.9]], 3.0),
        ("corrected", "p", [[1250, 650]], 1.0),
        ("corrected", "p", '\ufeff{"predict_endpoints": []}', -1.0),
        *(
            ("corrected", record, endpoints, FAR)
            for record in ("p", "n")
            for endpoints in ([[-1, 100]], [[100, LENGTH]], [[100, math.nan]], [[-math.inf, 5]], [[-0.5, 5]])
        ),
    ],
)  # fmt: skip
def test_answer_earns_or_is_refused(
    bench: Episodes, rules: str, record: str, answer: object, wish: float | str
) -> None:
    text = answer if isinstance(answer, str) else json.dumps({"predict_endpoints": answer})
    (bench.answers / f"{record}.json").write_text(text)
    if isinstance(wish, float):
        assert bench.score(rules, [record]).per_record[record]["u"] == wish
        return
    with pytest.raises(AnswerError, match=rf"{record}\.json, record {record}: {wish}"):
        bench.score(rules, [record])


def test_unsigned_zero_of_a_mat_file_wraps_around_officially(bench: Episodes) -> None:
    (bench.answers / "p.mat").write_bytes(saved(np.array([[0, 100]], "u1")))  # 0 - 1 is 255
    assert bench.score("official").per_record["p"]["mr"] == 1.0
    with pytest.raises(AnswerError, match=r"found \[-1, 99\]"):
        bench.score(records=["p"])
    (bench.answers / "p.mat").write_bytes(saved(np.array([[0, 100]], "u2")))  # 0 - 1 is 65535
    with pytest.raises(AnswerError, match="found 65535"):
        bench.score("official")


def test_answers_for_other_records_are_left_out_with_a_note(bench: Episodes) -> None:
    (bench.answers / "p.second.json").write_text('{"predict_endpoints": [[650, 1250]]}')
    official = bench.score("official")  # by whose rules a name ends at the first dot
    assert official.per_record["p"]["u"] == 3.0
    bench.add_answer("p", [[650, 1250]])
    bench.add_answer("f", [])
    report = bench.score("official", ["p"])
    assert (set(report.per_record), "f.json" in report.notes[0]) == ({"p.second.json", "p.json"}, True)
    bench.add_answer("other", "nonsense")
    report = bench.score(records=["p"])
    assert report.values["U"] == 3.0
    assert "3 answer files for records outside" in report.notes[0]


def test_missing_answer_earns_the_least_of_its_class(bench: Episodes) -> None:
    for answered, expected in (("n", {"f": -2.0, "n": 1.0, "p": -1.0}), ("f", {"f": -2.0, "n": -1.0, "p": -1.0})):
        bench.add_answer(answered, [])
        report = bench.score()
        assert {record: row["u"] for record, row in report.per_record.items()} == expected
        assert report.values["U"] == pytest.approx(sum(expected.values()) / 3)
        assert "2 of 3 records have no answer" in report.notes[0]
        (bench.answers / f"{answered}.json").unlink()
    with pytest.raises(AnswerError, match=r"expected a <record>\.json or <record>\.mat, found none"):
        bench.score()


def test_the_list_decides_then_the_file_records_then_the_headers(bench: Episodes) -> None:
    bench.add_answer("p", [])
    bench.add_answer("f", [])
    assert set(bench.score().per_record) == {"n", "f", "p"}
    (bench.references / "RECORDS").write_text("p\nn\n")
    assert list(bench.score().per_record) == ["p", "n"]
    assert list(bench.score(records=["f"]).per_record) == ["f"]
    with pytest.raises(ReferenceDataError, match="record other"):
        bench.score(records=["other"])


def test_an_unusable_answer_is_a_missing_one_of_its_record(bench: Episodes) -> None:
    bench.add_answer("n", [])
    bench.add_answer("f", [[0, LENGTH - 1]])
    missing = bench.score()
    for endpoints, reason in (
        ([650, 1250], "found 2 numbers"),
        ([[0, LENGTH]], "expected positions from 0"),
        ("x", "found"),
    ):
        bench.add_answer("p", endpoints)
        report = bench.score()
        assert report.values == missing.values
        assert reason in report.unusable["p"]
        assert any(note.record == "p" and reason in note for note in report.notes)
    (bench.answers / "p.mat").write_bytes(saved(np.zeros((0, 2))))
    assert "expected one answer file for the record, found p.json and p.mat" in bench.score().unusable["p"]


def test_windows_near_the_ends_of_the_record_end_with_it(bench: Episodes) -> None:
    # a start at the last but two and an end at the second annotation: the official program wraps around or stops
    bench.add_record("a", COMMENTS[AFP], {0: "(AFIB", 1: "(N", 17: "(AFIB", 19: "(N"})
    bench.add_answer("a", [[LENGTH - 1, 0], [1550, 249], [1549, 250]])
    row = bench.score(records=["a"]).per_record["a"]
    # starts: 0.5 behind A19, 0.5 from A15, 0 before; ends: 1 before A2, twice, and 0.5 on [A2, A3)
    assert row["ue"] == (0.5 + 0.5 + 1.0 + 1.0 + 0.5) * (2 / 3)


@pytest.mark.parametrize(
    ("marks", "answer", "episodes"),
    [
        ({6: "(AFIB\0", 12: "(N\0"}, [[650, 1250]], 1),
        ({0: "(N", 6: "(AFIB", 12: "(N"}, [[650, 1250]], 1),
        ({0: "(SBR", 6: "(AFL", 12: "(SBR"}, [[650, 1250]], 1),
        ({6: "(AFIB", 8: "(AFL", 10: "(AFIB", 12: "(N"}, [[650, 1250]], 1),
        ({6: "(AFIB"}, [[650, LENGTH - 1]], 1),
        ({0: "(N", 6: "(AFL"}, [[650, LENGTH - 1]], 1),
        ({0: "(B", 6: "(AFIB", 12: "(T", 14: "(AFIB"}, [[650, 1250], [1450, LENGTH - 1]], 2),
    ],
)
def test_rhythms_as_other_databases_annotate_them_are_episodes(
    bench: Episodes, marks: dict[int, str], answer: list[list[int]], episodes: int
) -> None:
    bench.add_record("a", COMMENTS[AFP], marks)
    bench.add_answer("a", answer)
    row = bench.score(records=["a"]).per_record["a"]
    assert (row["ma"], row["ue"]) == (episodes, 2.0 * episodes)


@pytest.mark.parametrize("listed", ["p.hea", "p.atr", "af/p", "af/p.hea"])
def test_a_list_may_name_records_with_suffix_or_folder(bench: Episodes, listed: str) -> None:
    bench.add_answer("p", [[650, 1250]])
    assert bench.score(records=[listed]).values["U"] == 3.0
    (bench.references / "RECORDS").write_text(f"{listed}\n", encoding="utf-16")
    assert bench.score().values["U"] == 3.0
    (bench.references / "af").mkdir()
    for suffix in ("hea", "atr"):
        (bench.references / f"p.{suffix}").rename(bench.references / "af" / f"p.{suffix}")
    if "/" in listed:
        assert bench.score().values["U"] == 3.0


def test_af_record_without_an_episode_or_annotations_is_the_organisers_fault(bench: Episodes) -> None:
    bench.add_record("a", COMMENTS[AFF])
    with pytest.raises(ReferenceDataError, match="record a: expected an episode"):
        bench.score(records=["a"])
    (bench.references / "p.atr").unlink()
    bench.add_answer("p", [])
    for rules in ("official", "corrected"):
        with pytest.raises(ReferenceDataError, match=r"p\.atr, record p: expected a file"):
            bench.score(rules, ["p"])


# ---------------------------------------------------------------------------------------------------- resampling


def test_records_of_one_patient_are_one_cluster(bench: Episodes) -> None:
    for name in ("data_7_1", "data_7_12", "data_70_1"):
        bench.add_record(name, COMMENTS[N])
    bench.add_answer("n", [])
    resampler = bench.score(records=["data_7_1", "data_7_12", "data_70_1", "n"]).resampler
    assert resampler is not None
    assert resampler.clusters == ("patient 7", "patient 7", "patient 70", "n")
