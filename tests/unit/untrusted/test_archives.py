"""Listing and checking of uploaded archives."""

import errno
import gzip
import os
import tarfile
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from evaluate.config.challenge.cache import load_challenge
from evaluate.core.errors import EntryError, Fault
from evaluate.untrusted import archives
from evaluate.untrusted.archives import answer_for, extract, inspect, looks_like_container, parse_answers
from evaluate.untrusted.listing import ArchiveRules, extract_members, is_container, list_archive, read_member
from evaluate.untrusted.tar import blaming
from tests.support.oci_images import layer, special
from tests.support.packing import zipped

CHALLENGE = load_challenge("cinc2017")
LABELS = CHALLENGE.answers.labels
FILES = dict.fromkeys(CHALLENGE.required_files, b"text\n")


def tarred(path: Path, files: dict[str, bytes], *extra: tarfile.TarInfo) -> Path:
    path.write_bytes(gzip.compress(layer(*files.items(), extra=extra)))
    return path


POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"a" * 64 + b"\nsize 123456789\n"


KEY = "MD5E-s2097152--0123456789abcdef0123456789abcdef.bin"
DVC = b"outs:\n- md5: 0123456789abcdef0123456789abcdef\n  path: weights.pt\n"


@pytest.fixture(autouse=True)
def without_walls(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read archives in this process, which takes less time, but for tests of walls."""
    if "belong" not in request.node.name:
        monkeypatch.setattr(archives, "isolated", lambda _, work, *words: work(*words))


@pytest.mark.parametrize("pack", [zipped, tarred])
@pytest.mark.parametrize(
    ("name", "data", "command"),
    [
        ("m.pkl", POINTER, "git lfs pull"),
        ("m.bin", f"/annex/objects/{KEY}\n".encode(), "git annex get"),
        ("m.bin", f"../.git/annex/objects/9k/QW/{KEY}/{KEY}".encode(), "git annex get"),
        ("weights.pt.dvc", DVC, "dvc pull"),
    ],
)
def test_pointers_to_content_elsewhere_are_refused_with_the_command_that_brings_it(
    pack: Callable[..., Path], name: str, data: bytes, command: str, tmp_path: Path
) -> None:
    files = {**FILES, f"model/{name}": data, "notes.txt": b"n" * len(POINTER)}
    with pytest.raises(EntryError) as error:
        inspect(pack(tmp_path / "entry", files), CHALLENGE)
    (refusal,) = error.value.refusals
    assert (refusal.file, refusal.line) == (f"model/{name}", 0)
    assert refusal.found.startswith("a pointer of ") and command in refusal.way_out


def test_links_of_git_annex_are_refused_as_pointers_wherever_they_lead(tmp_path: Path) -> None:
    links = [
        special(name, tarfile.SYMTYPE, f"{up}.git/annex/objects/9k/QW/{KEY}/{KEY}")
        for name, up in (("a", ""), ("b", "../"))
    ]
    with pytest.raises(EntryError) as error:
        inspect(tarred(tmp_path / "entry", FILES, *links), CHALLENGE)
    assert [refusal.file for refusal in error.value.refusals] == ["a", "b"]


@pytest.mark.parametrize("content", ["model/weights.pt", "model/weights.pt/part"])
def test_file_of_dvc_beside_its_content_is_fine(content: str, tmp_path: Path) -> None:
    inspect(zipped(tmp_path / "e", {**FILES, "model/weights.pt.dvc": DVC, content: b"1"}), CHALLENGE)


@pytest.mark.parametrize("pack", [zipped, tarred])
@pytest.mark.parametrize("top", ["", "entry/", "./", "My Entry/", "entry\\"])
def test_complete_entry_with_or_without_a_top_folder_and_junk_of_file_managers(
    tmp_path: Path, pack: Callable[[Path, dict[str, bytes]], Path], top: str
) -> None:
    names = (*FILES, "__MACOSX/x", ".DS_Store", "._setup.sh", "Thumbs.db", "Desktop.ini")
    listing = inspect(pack(tmp_path / "e", {top + name: FILES.get(name, b"") for name in names}), CHALLENGE)
    assert listing.prefix == top.strip("./\\")
    assert set(listing.members) == set(FILES)
    assert listing.read("setup.sh", 100) == b"text\n"
    assert not listing.dry_run


@pytest.mark.parametrize(
    ("authors", "licence"), [("AUTHORS", "LICENSE"), ("authors.md", "Licence.txt"), ("CONTRIBUTORS.txt", "COPYING")]
)
def test_files_for_people_may_have_their_usual_names(authors: str, licence: str, tmp_path: Path) -> None:
    files = {{"AUTHORS.txt": authors, "LICENSE.txt": licence}.get(name, name): data for name, data in FILES.items()}
    assert {authors, licence} <= set(inspect(zipped(tmp_path / "e", files), CHALLENGE).members)
    with pytest.raises(EntryError, match=f"{licence} is empty"):
        inspect(zipped(tmp_path / "e2", {**files, licence: b""}), CHALLENGE)


def test_every_missing_file_is_named_with_its_likely_name(tmp_path: Path) -> None:
    names = {"Setup.sh", "sub/next.sh", "AUTHORS.txt", "run.ipynb", "answers.txt.txt"}
    wanted = replace(CHALLENGE, required_files=(*CHALLENGE.required_files, "run.py"))
    with pytest.raises(EntryError) as caught:
        inspect(zipped(tmp_path / "e", dict.fromkeys(names, b"")), wanted)
    text = f"{caught.value}\n"
    assert "AUTHORS.txt is empty\n" in text
    assert "setup.sh is missing; there is 'Setup.sh'\n" in text
    assert "next.sh is missing; there is 'sub/next.sh', but it must be at the top of the entry\n" in text
    assert "dependencies.txt is missing: Debian packages, one on each line; it may be empty\n" in text
    assert "run.py is missing; there is 'run.ipynb', a notebook: jupyter nbconvert --to" in text
    assert "there is 'answers.txt.txt', whose last ending Windows does not show: rename it to answers.txt\n" in text
    (note,) = inspect(zipped(tmp_path / "f", {**FILES, "requirements.txt.txt": b"numpy\n"}), CHALLENGE).notes([])
    assert note.endswith("an ending that Windows does not show: rename it to 'requirements.txt'")


@pytest.mark.parametrize(
    ("encoding", "letters"), [("cp932", "表示/ソ"), ("gbk", "乗/乗"), ("big5", "功/許"), ("utf-8", "größe/ä")]
)
def test_second_byte_of_a_letter_in_a_code_page_is_no_separator(encoding: str, letters: str, tmp_path: Path) -> None:
    top, name = (word.encode(encoding) for word in letters.split("/"))
    # names that are not marked as UTF-8
    tops, names = "Y" * len(top), "Z" * len(name)
    path = zipped(tmp_path / "e", {f"{tops}/{file}": b"1" for file in (*FILES, f"{names}.txt")})
    path.write_bytes(path.read_bytes().replace(tops.encode(), top).replace(names.encode(), name))
    members = inspect(path, CHALLENGE).members
    assert FILES.keys() < members.keys()
    assert len(members) == len(FILES) + 1 and "/" not in "".join(members)
    assert encoding != "utf-8" or "ä.txt" in members


@pytest.mark.parametrize("pack", [zipped, tarred])
@pytest.mark.parametrize("name", ["../out", "/etc/passwd", "..\\out", "C:\\out"])
def test_name_that_leads_out_is_refused(pack: Callable[..., Path], name: str, tmp_path: Path) -> None:
    with pytest.raises(EntryError, match="leads out"):
        inspect(pack(tmp_path / "e", {**FILES, name: b"x"}), CHALLENGE)


@pytest.mark.parametrize("target", ["nothing", "sub", "setup.sh"])
def test_required_link_to_no_file_is_named_with_its_target(target: str, tmp_path: Path) -> None:
    files = {name: data for name, data in FILES.items() if name != "setup.sh"}
    links = special("sub", tarfile.DIRTYPE), special("setup.sh", tarfile.SYMTYPE, target)
    with pytest.raises(EntryError, match=f"^'setup.sh' is a link to '{target}', which is no file of the archive"):
        inspect(tarred(tmp_path / "e", files, *links), CHALLENGE)


def test_links_to_one_file_are_extracted_as_files_and_counted(tmp_path: Path) -> None:
    files = {**FILES, "a": b"a" * 700_000}
    listing = inspect(tarred(tmp_path / "e", files, special("b", tarfile.LNKTYPE, "a")), CHALLENGE)
    names = {"x/a": listing.origins["a"], "y/b": listing.origins["b"]}
    extract(listing.archive, listing.kind, names, tmp_path / "out", 1 << 20, 2 << 20)
    assert [(tmp_path / "out" / name).read_bytes() for name in names] == [files["a"]] * 2
    with pytest.raises(EntryError, match="files and links"):
        extract(listing.archive, listing.kind, names, tmp_path / "small", 1 << 20, 1 << 20)


@pytest.mark.parametrize(
    ("data", "looks"),
    [
        (b"", "empty"),
        (b"Rar!\x1a\x07", "a RAR archive"),
        (b"hello there", "a text file"),
        ("a,b\n1,2\n".encode("utf-16"), "a table"),
        (b"record,label\nA1,N\n", "a table"),
        (b'{"message": "Not Found"}', "a JSON text"),
        (b"\n<!DOCTYPE html><html>", "a web page"),
        (POINTER, "a pointer of Git LFS"),
        (gzip.compress(bytes(344) + b"n+1\0" + bytes(400), mtime=0), r"one gzip file \(a NIfTI volume\)"),
        (b"\xff\xfe\x00", "something else"),
        (
            {"top/entry.zip": b"PK", "__MACOSX/top/._entry.zip": b"1"},
            "contains only 'entry.zip', an archive in an archive: hand in that one itself",
        ),
        ({"[Content_Types].xml": b"", "xl/workbook.xml": b""}, "Excel"),
    ],
)
def test_file_that_is_no_archive_of_an_entry_is_named_by_its_likeness(
    tmp_path: Path, data: bytes | dict[str, bytes], looks: str
) -> None:
    if isinstance(data, bytes):
        (tmp_path / "e").write_bytes(data)
    else:
        zipped(tmp_path / "e", data)
    with pytest.raises(EntryError, match=looks):
        inspect(tmp_path / "e", CHALLENGE)


@pytest.mark.parametrize(("method", "name"), [(9, "Deflate64"), (93, "Zstandard")])
def test_compression_that_is_not_read_is_named_with_how_to_pack_again(method: int, name: str, tmp_path: Path) -> None:
    path = zipped(tmp_path / "e", FILES)
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x01\x02") + 10] = method
    path.write_bytes(data)
    with pytest.raises(EntryError, match=rf"^'.*' is compressed with {name}, .* pack the files again, with tar"):
        inspect(path, CHALLENGE)


def test_too_large_archive_is_refused(tmp_path: Path) -> None:
    small = replace(CHALLENGE, archive=replace(CHALLENGE.archive, bytes=1 << 20))
    with pytest.raises(EntryError, match="at most 1 are allowed"):
        inspect(zipped(tmp_path / "e", {**FILES, "random": os.urandom(3 << 20)}), small)


RULES = ArchiveRules(packed_bytes=1 << 20, unpacked_bytes=1 << 20, files=10)


def declaring(path: Path, size: int, *, compress: bool, name: str = "big") -> Path:
    """A tar archive with a member that declares a size, and nothing of it."""
    data = special(name, tarfile.REGTYPE, size=size).tobuf(tarfile.GNU_FORMAT)
    path.write_bytes(gzip.compress(data, mtime=0) if compress else data)
    return path


@pytest.mark.parametrize("size", [1 << 62, 1 << 40, 600_000])
@pytest.mark.parametrize("compress", [True, False])
def test_member_that_is_not_there_is_refused_and_not_waited_for(tmp_path: Path, size: int, compress: bool) -> None:
    path = declaring(tmp_path / "e", size, compress=compress)
    assert path.stat().st_size < 1000
    with pytest.raises(EntryError, match=r"it ends within|unpacks to too much|unexpected end of data"):
        list_archive(path, RULES)
    with pytest.raises(EntryError):
        read_member(path, "tar", "other", 100, RULES.unpacked_bytes)
    with (tmp_path / "sent").open("wb") as sent, pytest.raises(EntryError):
        extract_members(path, "tar", {"other": "x"}, 100, RULES.unpacked_bytes, sent.fileno())
    assert not is_container(path)


def test_archive_without_its_last_blocks_is_still_read(tmp_path: Path) -> None:
    header = special("a", tarfile.REGTYPE, size=3).tobuf()
    (tmp_path / "e").write_bytes(gzip.compress(header + b"abc".ljust(512, b"\0")))
    assert list(list_archive(tmp_path / "e", RULES).members) == ["a"]


def test_container_is_recognised_by_its_first_files_however_large_they_are(tmp_path: Path) -> None:
    assert is_container(declaring(tmp_path / "layer", 1 << 40, compress=True, name=f"{'0a' * 32}/layer.tar"))
    assert is_container(declaring(tmp_path / "blob", 1 << 40, compress=True, name="blobs/sha256"))
    # a marker behind more than is looked at costs no more than that
    late = tarred(tmp_path / "late", {"zeros": bytes(70 << 20), "oci-layout": b""})
    assert not looks_like_container(late)


def test_zip_of_many_files_is_refused_before_its_directory_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = zipped(tmp_path / "e", {f"f{i}": b"" for i in range(11)})
    lying = tmp_path / "lying"
    data = bytearray(path.read_bytes())
    data[-14:-10] = b"\2\0\2\0"  # the end record's own numbers of files
    lying.write_bytes(data)
    large = tmp_path / "large"
    with zipfile.ZipFile(large, "w") as bundle:
        for i in range(40):
            info = zipfile.ZipInfo(f"a{i}")
            info.comment = b"x" * 60_000
            bundle.writestr(info, b"")
    monkeypatch.setattr(zipfile.ZipFile, "__init__", lambda *_: pytest.fail("the directory was loaded"))
    with pytest.raises(EntryError, match="holds 11 files; at most 10 are allowed"):
        list_archive(path, RULES)
    with pytest.raises(EntryError, match="contains more than 10 files"):
        list_archive(lying, RULES)
    with pytest.raises(EntryError, match=r"directory of the archive has 2 MiB; at most 1 are allowed"):
        list_archive(large, replace(RULES, packed_bytes=1 << 30, files=50))


def test_link_in_the_place_of_answers_or_a_text_that_is_larger_than_allowed_is_named(tmp_path: Path) -> None:
    path = tarred(tmp_path / "e", {**FILES, "answers.txt": b"x" * 5000}, special("a", tarfile.SYMTYPE, "setup.sh"))
    with pytest.raises(EntryError, match=r"answers.txt is larger than"):
        inspect(path, CHALLENGE).read("answers.txt", 1000)
    with pytest.raises(EntryError, match=r"^'a' is a link; expected a file"):
        read_member(path, "tar", "a", 100, 1 << 20)


def test_full_or_broken_disk_is_not_the_archives_fault(tmp_path: Path) -> None:
    for pack in (zipped, tarred):
        path = pack(tmp_path / "e", {**FILES, "a": b"answer"})
        with Path("/dev/full").open("wb") as full, pytest.raises(OSError, match="No space left"):
            extract_members(path, "zip" if pack is zipped else "tar", {"a": "a"}, 100, 1 << 20, full.fileno())
    for number in (errno.ENOSPC, errno.EIO, errno.EACCES):
        with pytest.raises(Fault, match="/upload: "), blaming("the archive is damaged", Path("/upload")):
            raise OSError(number, os.strerror(number))
    with pytest.raises(EntryError, match="damaged"), blaming("the archive is damaged"):
        raise gzip.BadGzipFile("CRC check failed")


def test_extracted_files_belong_to_us_and_a_folder_that_cannot_be_written_is_our_fault(tmp_path: Path) -> None:
    listing = inspect(tarred(tmp_path / "e", {**FILES, "a": b"answer"}), CHALLENGE)
    extract(listing.archive, listing.kind, {"deep/a": "a"}, tmp_path / "answers", 100, 1 << 20)
    assert (tmp_path / "answers/deep/a").read_bytes() == b"answer"
    for path in (tmp_path / "answers", tmp_path / "answers/deep", tmp_path / "answers/deep/a"):
        assert (path.stat().st_uid, path.stat().st_gid) == (os.geteuid(), os.getegid())
    (tmp_path / "full" / "a").mkdir(parents=True)
    with pytest.raises(Fault, match="Is a directory: 'a'"):
        extract(listing.archive, listing.kind, {"a": "a"}, tmp_path / "full", 100, 1 << 20)


def test_answers_in_any_form_of_a_text_file_are_read_and_wrong_lines_quoted() -> None:
    data = b"\xef\xbb\xbfA1,N\r\n\r\n A2 , ~ \nA1,N\nA3,O"
    assert parse_answers(data, LABELS) == {"A1": "N", "A2": "~", "A3": "O"}
    assert parse_answers(data.decode("utf-8-sig").encode("utf-16"), LABELS) == {"A1": "N", "A2": "~", "A3": "O"}
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
    label, text = answer_for("A1", data, LABELS)
    assert label == answer and problem in text
