"""Answers that name no record of the list are refused with both spellings and the probable rule."""

from pathlib import Path

import pytest

from metrics.base import AnswerError
from metrics.generic import make
from metrics.readers.names import check_some_match


@pytest.mark.parametrize(
    ("names", "given", "cause"),
    [
        (["001", "002"], ["1", "2"], "leading zeros are missing or added"),
        (["1", "2"], ["1.0", "2.0"], "numbers are written with decimals"),
        (["001", "020"], ["1.0", "20.0"], "leading zeros are missing and numbers are written with decimals"),
        (["a", "b"], ["test/a", "test/b"], "a folder is part of the name"),
        (["a", "b"], ["a.nii.gz", "b.nii.gz"], "the suffix of a file is part of the name"),
        (["Case_1", "Case_2"], ["case_1", "case_2"], "capital and small letters differ"),
        (["case_1", "case_2"], ["case-1", "case 2"], "blanks, hyphens or underscores differ"),
        (["caf\u00e9", "b"], ["cafe\u0301", "\uff42"], "letters or digits are other characters that look alike"),
        (["001", "002"], ["patient1", "patient2"], "a word is part of the name"),
        (["a", "b"], ["x", "y"], ""),
    ],
)
def test_probable_rule_is_named_with_both_spellings(names: list[str], given: list[str], cause: str) -> None:
    with pytest.raises(AnswerError, match="no answer names a record of the list") as caught:
        check_some_match(names, given, Path("answers.csv"))
    text = str(caught.value)
    assert text.endswith(f"; probably {cause}") if cause else "probably" not in text
    assert all(name in text for name in (*names, *given))
    assert caught.value.record == given[0]  # so it is not shown where records are secret


def test_few_matches_head_the_report_without_names_of_records_in_the_general_note() -> None:
    general, named = check_some_match(["001", "002", "003", "104"], ["1", "2", "3", "104"], None)
    assert general == "only 1 of 4 answers name a record of the list; probably leading zeros are missing or added"
    assert (general.record, named.record) == (None, "1")
    assert check_some_match(["a", "b"], ["a", "b", "x"], None) == check_some_match(["a"], [], None) == ()


def test_answers_for_records_outside_the_list_that_have_references_are_no_mistake_of_names(tmp_path: Path) -> None:
    truth, answers = tmp_path / "references.csv", tmp_path / "answers.csv"
    truth.write_text("record,label\n001,0\n002,1\n")
    answers.write_text("record,label\n001,0\n")
    assert make({"measure": "classification.accuracy"}).score(truth, answers, records=["002"]).values["accuracy"] == 0.0
