import os
from pathlib import Path

import pytest

from metrics.base import AnswerError, MetricError, ReferenceDataError
from metrics.readers import files
from tests.support.scorers import written


def test_a_file_of_the_allowed_size_is_read_and_one_byte_more_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"x" * 10)
    assert files.read_bounded(file, 10, AnswerError) == b"x" * 10
    with pytest.raises(AnswerError, match="expected at most 9 bytes, found 10"):
        files.read_bounded(file, 9, AnswerError)


@pytest.mark.parametrize("error", [AnswerError, ReferenceDataError])
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("absent", "expected a file, found none"),
        (".", "found a folder"),
        ("pipe", "expected a regular file"),  # and nobody waits for it
        ("/dev/zero", "expected a regular file"),
        ("/proc/self/status", "expected at most 10 bytes"),  # which has no true size
        ("nothing", "found a link to case_1/answer.json, which is not there"),
    ],
)
def test_what_is_no_file_of_the_size_is_the_fault_of_who_the_caller_says(
    name: str, message: str, error: type[MetricError], tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "nothing").symlink_to("case_1/answer.json")
    with pytest.raises(error, match=message):
        files.read_bounded(tmp_path / name, 10, error)


def test_byte_order_mark_goes_unless_it_is_kept_and_line_ends_stay(tmp_path: Path) -> None:
    file = tmp_path / "text"
    file.write_bytes(b"\xef\xbb\xbfa\r\nb")
    assert files.read_text(file, AnswerError) == "a\r\nb"
    assert files.read_text(file, AnswerError, keep_bom=True) == "\ufeffa\r\nb"


def test_an_excerpt_is_short_however_deep_or_long_the_value(tmp_path: Path) -> None:
    for depth in range(0, 1200, 13):  # around the limit of recursion a parser may still succeed
        try:
            value = files.parse_json('{"a": [' * depth + "]}" * depth or "[]", AnswerError, file=tmp_path)
        except AnswerError:
            continue
        assert len(files.excerpt(value)) <= 80
    for value in ("x" * 10**6, list(range(10**5)), {str(n): n for n in range(10**5)}, 10**4000):
        assert len(files.excerpt(value)) <= 80
    assert files.excerpt({"points": [1, None]}) == "{'points': [1, None]}"


def test_listing_is_sorted_goes_as_deep_as_asked_and_has_no_more_files_than_allowed(tmp_path: Path) -> None:
    written(tmp_path, dict.fromkeys(("z", "a", "b/y", "b/c/x"), ""))
    assert files.list_files(tmp_path, AnswerError) == (tmp_path / "a", tmp_path / "z")
    listed = files.list_files(tmp_path, AnswerError, depth=3, max_files=6)
    assert listed == tuple(tmp_path / name for name in ("a", "b/c/x", "b/y", "z"))
    with pytest.raises(AnswerError, match="expected fewer files"):
        files.list_files(tmp_path, AnswerError, depth=3, max_files=5)


def test_links_are_followed_within_the_folder_only(tmp_path: Path) -> None:
    inside = written(tmp_path, {"secret": "", "answers/here": ""}) / "answers"
    for name, target in (("good", "here"), ("nothing", "x/y.json"), ("loop", ".")):
        (inside / name).symlink_to(target)
    assert {path.name for path in files.list_files(inside, AnswerError, depth=5)} == {"good", "here", "nothing"}
    for name, target, message in (("bad", "../secret", "leads out of the folder"), ("self", "self", "cannot be")):
        (inside / name).symlink_to(target)
        with pytest.raises(AnswerError, match=message):
            files.list_files(inside, AnswerError)
        (inside / name).unlink()
    for name, message in (("secret", "found a file"), ("absent", "found none")):
        with pytest.raises(ReferenceDataError, match=message):
            files.list_files(tmp_path / name, ReferenceDataError)


def test_record_list_skips_blank_lines_and_refuses_repeats(tmp_path: Path) -> None:
    file = tmp_path / "RECORDS"
    file.write_bytes(b"\xef\xbb\xbfA1\r\n\r\n A2 \r\n")
    assert files.read_records(file) == ("A1", "A2")
    file.write_text("A1\nA2\nA1\n")
    with pytest.raises(ReferenceDataError, match=r"A1.*once"):
        files.read_records(file)
    with pytest.raises(ReferenceDataError, match="at least one"):
        files.check_records([])
