"""Listing and checking of uploaded archives."""

from __future__ import annotations

import contextlib
import io
import os
import tarfile
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evaluate.challenge import load_challenge
from evaluate.core.errors import EntryError, UsageError
from evaluate.untrusted.archives import answer_for, inspect, open_entry, pack_folder, parse_answers

CHALLENGE = load_challenge("cinc2017")
LABELS = CHALLENGE.answers.labels
FILES = dict.fromkeys(CHALLENGE.required_files, b"text\n")


def zipped(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, data in files.items():
            bundle.writestr(name, data)
    return path


def tarred(path: Path, files: dict[str, bytes], *extra: tarfile.TarInfo) -> Path:
    with tarfile.open(path, "w:gz") as bundle:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            bundle.addfile(info, io.BytesIO(data))
        for info in extra:
            bundle.addfile(info)
    return path


@pytest.mark.parametrize("pack", [zipped, tarred])
@pytest.mark.parametrize("top", ["", "entry/", "./", "My Entry/"])
def test_complete_entry_with_or_without_a_top_folder(
    tmp_path: Path, pack: Callable[[Path, dict[str, bytes]], Path], top: str
) -> None:
    listing = inspect(pack(tmp_path / "e", {top + name: data for name, data in FILES.items()}), CHALLENGE)
    assert listing.prefix == top.strip("./")
    assert set(listing.members) == set(FILES)
    assert listing.read("setup.sh", 100) == b"text\n"
    assert not listing.dry_run


def test_zip_of_windows_and_junk_of_file_managers(tmp_path: Path) -> None:
    files = {f"entry\\{name}": data for name, data in FILES.items()}
    listing = inspect(zipped(tmp_path / "e", {**files, "__MACOSX/x": b"", "entry\\.DS_Store": b""}), CHALLENGE)
    assert listing.prefix == "entry"
    assert set(listing.members) == set(FILES)


def test_every_missing_file_is_named_with_its_likely_name(tmp_path: Path) -> None:
    files = {"Setup.sh": b"", "sub/next.sh": b"", "AUTHORS.txt": b""}
    with pytest.raises(EntryError) as caught:
        inspect(zipped(tmp_path / "e", files), CHALLENGE)
    lines = str(caught.value).splitlines()
    assert "AUTHORS.txt is empty" in lines
    assert "setup.sh is missing; there is 'Setup.sh'" in lines
    assert "next.sh is missing; there is 'sub/next.sh'" in lines
    assert "dependencies.txt is missing" in lines


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("../out", "leads out"),
        ("/etc/passwd", "leads out"),
        ("a/../../out", "leads out"),
        ("..\\out", "leads out"),
        ("C:\\out", "leads out"),
        ("new\nline", "no usable file name"),
    ],
)
def test_name_that_leads_out_is_refused(tmp_path: Path, name: str, problem: str) -> None:
    for pack in (zipped, tarred):
        with pytest.raises(EntryError, match=problem):
            inspect(pack(tmp_path / "e", {**FILES, name: b"x"}), CHALLENGE)


def special(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


@pytest.mark.parametrize(
    ("info", "problem"),
    [
        (special("l", tarfile.SYMTYPE, "/etc/passwd"), "link to '/etc/passwd'"),
        (special("l", tarfile.SYMTYPE, "../../x"), "outside the entry's folder"),
        (special("l", tarfile.LNKTYPE, "../x"), "outside the entry's folder"),
        (special("d", tarfile.BLKTYPE), "neither a file"),
        (special("p", tarfile.FIFOTYPE), "neither a file"),
        (special("setup.sh", tarfile.REGTYPE), "stands in the archive twice"),
    ],
)
def test_special_member_is_refused(tmp_path: Path, info: tarfile.TarInfo, problem: str) -> None:
    with pytest.raises(EntryError, match=problem):
        inspect(tarred(tmp_path / "e", FILES, info), CHALLENGE)


def test_link_inside_the_entry_is_fine(tmp_path: Path) -> None:
    inspect(tarred(tmp_path / "e", FILES, special("sub/l", tarfile.SYMTYPE, "../setup.sh")), CHALLENGE)


@pytest.mark.parametrize(
    ("data", "looks"),
    [
        (b"", "empty"),
        (b"Rar!\x1a\x07", "a RAR archive"),
        (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
        (b"hello there", "a text file"),
        (b"\xff\xfe\x00", "something else"),
    ],
)
def test_file_that_is_no_archive_says_what_it_looks_like(tmp_path: Path, data: bytes, looks: str) -> None:
    (tmp_path / "e").write_bytes(data)
    with pytest.raises(EntryError, match=looks):
        inspect(tmp_path / "e", CHALLENGE)


def test_bomb_is_refused_by_its_ratio_and_size(tmp_path: Path) -> None:
    small = replace(CHALLENGE, archive=replace(CHALLENGE.archive, unpacked_bytes=200 << 20))
    for pack in (zipped, tarred):
        with pytest.raises(EntryError, match=r"times its size"):
            inspect(pack(tmp_path / "e", {**FILES, "zeros": bytes(100 << 20)}), small)
    tiny = replace(CHALLENGE, archive=replace(CHALLENGE.archive, unpacked_bytes=1 << 20))
    for pack in (zipped, tarred):
        with pytest.raises(EntryError, match=r"unpack"):
            inspect(pack(tmp_path / "e", {**FILES, "zeros": bytes(5 << 20)}), tiny)


def test_too_many_files_and_too_large_archives_are_refused(tmp_path: Path) -> None:
    few = replace(CHALLENGE, archive=replace(CHALLENGE.archive, files=10))
    with pytest.raises(EntryError, match="more than 10 files"):
        inspect(tarred(tmp_path / "e", {**FILES, **{f"f{i}": b"" for i in range(10)}}), few)
    small = replace(CHALLENGE, archive=replace(CHALLENGE.archive, bytes=1 << 20))
    with pytest.raises(EntryError, match="at most 1 are allowed"):
        inspect(zipped(tmp_path / "e", {**FILES, "random": os.urandom(3 << 20)}), small)


def test_encrypted_zip_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path / "e", FILES)
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(data)
    with pytest.raises(EntryError, match="encrypted"):
        inspect(path, CHALLENGE)


def test_text_that_is_larger_than_allowed_is_refused_while_reading(tmp_path: Path) -> None:
    listing = inspect(zipped(tmp_path / "e", {**FILES, "answers.txt": b"x" * 5000}), CHALLENGE)
    with pytest.raises(EntryError, match=r"answers.txt is larger than"):
        listing.read("answers.txt", 1000)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(position=st.integers(0, 2000), value=st.integers(0, 255), cut=st.integers(0, 2500), kind=st.sampled_from("zt"))
def test_damaged_archive_is_the_entrys_fault_or_still_fine(
    tmp_path: Path, position: int, value: int, cut: int, kind: str
) -> None:
    path = (zipped if kind == "z" else tarred)(tmp_path / "e", FILES)
    data = bytearray(path.read_bytes())
    data[position % len(data)] = value
    path.write_bytes(data[: max(1, len(data) - cut % len(data))] if cut % 3 == 0 else data)
    with contextlib.suppress(EntryError):
        listing = inspect(path, CHALLENGE)
        for name in CHALLENGE.required_files:
            listing.read(name, 1000)


def test_folder_is_packed_the_same_way_twice(tmp_path: Path) -> None:
    folder = tmp_path / "entry"
    folder.mkdir()
    for name, data in FILES.items():
        (folder / name).write_bytes(data)
    first = pack_folder(folder, tmp_path / "1.tar.gz").read_bytes()
    os.utime(folder / "setup.sh", (1, 1))
    assert pack_folder(folder, tmp_path / "2.tar.gz").read_bytes() == first
    entry = open_entry(folder, tmp_path)
    assert entry.size == len(first)
    inspect(entry.archive, CHALLENGE)


def test_entry_that_is_not_there_is_wrong_usage(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such entry"):
        open_entry(tmp_path / "nothing.zip", tmp_path)


def test_answers_in_any_form_of_a_text_file() -> None:
    data = b"\xef\xbb\xbfA1,N\r\n\r\n A2 , ~ \nA1,N\nA3,O"
    assert parse_answers(data, LABELS) == {"A1": "N", "A2": "~", "A3": "O"}


def test_every_wrong_line_of_the_answers_is_quoted() -> None:
    with pytest.raises(EntryError) as caught:
        parse_answers(b"A1 N\nA2,AF\nA3,N\nA3,A\n", LABELS)
    assert str(caught.value).splitlines() == [
        "answers.txt line 1: expected 'record,label', found 'A1 N'",
        "answers.txt line 2: expected one of N A O ~, found 'AF'",
        "answers.txt line 4: record A3 has two answers, N and A",
    ]


@pytest.mark.parametrize(
    ("data", "answer", "problem"),
    [
        (b"A1,N\n", "N", ""),
        (b"OLD,A\r\nnonsense\r\nA1,N", "N", ""),
        (b"A1,N\nA1,N\n", "N", ""),
        (b"A1,N\nA1,A\n", None, "different answers"),
        (b"A10,N\n", None, "left no line 'A1,…'"),
        (b"", None, "left no line"),
        (b"A1,n\n", None, "expected one of N A O ~, found 'n'"),
    ],
)
def test_answer_of_one_record(data: bytes, answer: str | None, problem: str) -> None:
    found, text = answer_for("A1", data, LABELS)
    assert found == answer
    assert problem in text


@given(st.binary(max_size=300))
def test_any_bytes_are_answers_or_an_entry_error(data: bytes) -> None:
    answer_for("A1", data, LABELS)
    with contextlib.suppress(EntryError):
        parse_answers(data, LABELS)
