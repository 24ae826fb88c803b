from __future__ import annotations

import os
from pathlib import Path

import pytest

from metrics.base import AnswerError, ReferenceDataError
from metrics.readers.files import (
    check_records,
    excerpt,
    list_files,
    parse_json,
    read_bounded,
    read_json,
    read_records,
    read_text,
)


def test_the_caller_decides_whose_fault_a_missing_file_is(tmp_path: Path) -> None:
    for error in (AnswerError, ReferenceDataError):
        with pytest.raises(error, match="expected a file, found none"):
            read_bounded(tmp_path / "absent", 10, error)


def test_a_file_of_the_allowed_size_is_read_and_one_byte_more_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"x" * 10)
    assert read_bounded(file, 10, AnswerError) == b"x" * 10
    with pytest.raises(AnswerError, match="expected at most 9 bytes, found 10"):
        read_bounded(file, 9, AnswerError)


def test_a_file_without_a_true_size_is_still_bounded() -> None:
    endless = Path("/dev/zero")
    with pytest.raises(AnswerError, match="expected a regular file"):
        read_bounded(endless, 10, AnswerError)
    with pytest.raises(AnswerError, match="expected at most 10 bytes"):
        read_bounded(Path("/proc/self/status"), 10, AnswerError)


def test_a_pipe_does_not_make_the_reader_wait(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(AnswerError, match="expected a regular file"):
        read_bounded(tmp_path / "pipe", 10, AnswerError)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(AnswerError, match="found a folder"):
        read_bounded(tmp_path, 10, AnswerError)


def test_bytes_that_are_not_utf8_are_named_with_their_line(tmp_path: Path) -> None:
    file = tmp_path / "text"
    file.write_bytes(b"good\nb\xe4d\n")
    with pytest.raises(AnswerError, match="found byte 0xe4 in line 2") as caught:
        read_text(file, AnswerError, record="A1")
    assert (caught.value.file, caught.value.record) == (str(file), "A1")


def test_byte_order_mark_goes_unless_it_is_kept_and_line_ends_stay(tmp_path: Path) -> None:
    file = tmp_path / "text"
    file.write_bytes(b"\xef\xbb\xbfa\r\nb")
    assert read_text(file, AnswerError) == "a\r\nb"
    assert read_text(file, AnswerError, keep_bom=True) == "\ufeffa\r\nb"


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, '{"a": ' * 50_000, "9" * 5000, "\ufeff{}", "NaN x"])
def test_text_that_is_no_usable_json_is_an_error_of_its_writer(text: str, tmp_path: Path) -> None:
    with pytest.raises(AnswerError, match="expected"):
        parse_json(text, AnswerError, file=tmp_path)


def test_an_excerpt_is_short_however_deep_or_long_the_value(tmp_path: Path) -> None:
    for depth in range(0, 1200, 13):  # around the limit of recursion a parser may still succeed
        try:
            value = parse_json('{"a": [' * depth + "]}" * depth or "[]", AnswerError, file=tmp_path)
        except AnswerError:
            continue
        assert len(excerpt(value)) <= 80
    for value in ("x" * 10**6, list(range(10**5)), {str(n): n for n in range(10**5)}, 10**4000):
        assert len(excerpt(value)) <= 80
    assert excerpt({"points": [1, None]}) == "{'points': [1, None]}"


def test_listing_is_sorted_and_goes_as_deep_as_asked(tmp_path: Path) -> None:
    (tmp_path / "b" / "c").mkdir(parents=True)
    for name in ("z", "a", "b/y", "b/c/x"):
        (tmp_path / name).touch()
    assert list_files(tmp_path, AnswerError) == (tmp_path / "a", tmp_path / "z")
    assert list_files(tmp_path, AnswerError, depth=3) == tuple(tmp_path / name for name in ("a", "b/c/x", "b/y", "z"))


def test_a_link_that_leads_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    inside = tmp_path / "answers"
    inside.mkdir()
    (tmp_path / "secret").touch()
    (inside / "here").touch()
    (inside / "good").symlink_to("here")
    assert [path.name for path in list_files(inside, AnswerError)] == ["good", "here"]
    (inside / "bad").symlink_to("../secret")
    with pytest.raises(AnswerError, match="leads out of the folder"):
        list_files(inside, AnswerError)


def test_a_link_to_nothing_is_named_with_its_target(tmp_path: Path) -> None:
    (tmp_path / "a.json").symlink_to("case_1/answer.json")
    assert list_files(tmp_path, AnswerError) == (tmp_path / "a.json",)
    with pytest.raises(AnswerError, match=r"found a link to case_1/answer\.json, which is not there"):
        read_json(tmp_path / "a.json", AnswerError)


def test_a_loop_of_links_ends(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(".", target_is_directory=True)
    assert list_files(tmp_path, AnswerError, depth=5) == ()
    (tmp_path / "self").symlink_to("self")
    with pytest.raises(AnswerError):
        list_files(tmp_path, AnswerError)


def test_a_folder_of_too_many_files_is_refused(tmp_path: Path) -> None:
    for number in range(4):
        (tmp_path / str(number)).touch()
    assert len(list_files(tmp_path, AnswerError, max_files=4)) == 4
    with pytest.raises(AnswerError, match="expected fewer files"):
        list_files(tmp_path, AnswerError, max_files=3)


def test_what_is_no_folder_cannot_be_listed(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ReferenceDataError, match="found a file"):
        list_files(tmp_path / "file", ReferenceDataError)
    with pytest.raises(ReferenceDataError, match="found none"):
        list_files(tmp_path / "absent", ReferenceDataError)


def test_record_list_skips_blank_lines_and_refuses_repeats(tmp_path: Path) -> None:
    file = tmp_path / "RECORDS"
    file.write_bytes(b"\xef\xbb\xbfA1\r\n\r\n A2 \r\n")
    assert read_records(file) == ("A1", "A2")
    file.write_text("A1\nA2\nA1\n")
    with pytest.raises(ReferenceDataError, match=r"A1.*once"):
        read_records(file)
    with pytest.raises(ReferenceDataError, match="at least one"):
        check_records([])
