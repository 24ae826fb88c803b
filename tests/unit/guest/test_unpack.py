from __future__ import annotations

import io
import stat
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.guest_modules import GUEST

Unpack = Callable[..., subprocess.CompletedProcess[str]]
SOURCE = (GUEST / "unpack.py").read_text()


@pytest.fixture
def unpacked(tmp_path: Path) -> Unpack:
    """Unpack bytes into ``tmp_path / "home"`` as in the guest: from a disk that is longer than the archive."""
    (tmp_path / "home").mkdir()

    def unpack(archive: bytes, kind: str, prefix: str = "") -> subprocess.CompletedProcess[str]:
        (tmp_path / "disk").write_bytes(archive + bytes(1 + -len(archive) % 512))
        with (tmp_path / "disk").open("rb") as disk:
            return subprocess.run(
                [sys.executable, "-I", "-S", "-c", SOURCE, kind, str(len(archive)), prefix],
                stdin=disk,
                cwd=tmp_path / "home",
                capture_output=True,
                text=True,
                check=False,
            )

    return unpack


def zip_of(*members: tuple[str, bytes, int], system: int = 3) -> bytes:
    """A zip archive; modes with type bits, 0 for none."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, data, mode in members:
            info = zipfile.ZipInfo("x")
            info.filename = name  # the constructor would turn backslashes round
            info.create_system = system
            info.external_attr = mode << 16 | 0x20  # of DOS: a file to be archived
            info.compress_type = zipfile.ZIP_DEFLATED
            bundle.writestr(info, data)
    return out.getvalue()


def tar_of(*members: tuple[str, bytes | str, bytes, int], mode: str = "w:gz") -> bytes:
    """A tar archive of (name, contents or target of a link, type, mode)."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as bundle:  # type: ignore[call-overload]
        for name, data, kind, bits in members:
            info = tarfile.TarInfo(name)
            info.type, info.mode = kind, bits
            content = b"" if isinstance(data, str) else data
            info.linkname, info.size = data if isinstance(data, str) else "", len(content)
            bundle.addfile(info, io.BytesIO(content))
    return out.getvalue()


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_zip_with_a_top_folder_loses_it(tmp_path: Path, unpacked: Unpack) -> None:
    archive = zip_of(("entry/", b"", 0o40755), ("entry/next.sh", b"echo\n", 0o100644), ("entry/lib/a", b"1", 0o100600))
    done = unpacked(archive, "zip", "entry")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    home = tmp_path / "home"
    assert sorted(str(p.relative_to(home)) for p in home.rglob("*")) == ["lib", "lib/a", "next.sh"]
    assert mode_of(home / "next.sh") == 0o755
    assert mode_of(home / "lib/a") == 0o600


def test_zip_made_on_windows(tmp_path: Path, unpacked: Unpack) -> None:
    archive = zip_of(
        ("src\\", b"", 0), ("src\\main.c", b"int x;\r\n", 0), ("next.sh", b"echo 1\r\necho 2\r\n", 0), system=0
    )
    done = unpacked(archive, "zip")
    home = tmp_path / "home"
    assert done.returncode == 0
    assert (home / "src/main.c").read_bytes() == b"int x;\r\n"
    assert mode_of(home / "src/main.c") == 0o644
    assert (home / "next.sh").read_bytes() == b"echo 1\necho 2\n"
    assert done.stdout == "next.sh: Windows line ends were changed to Unix ones\n"


def test_zip_names_in_utf8_and_cp437(tmp_path: Path, unpacked: Unpack) -> None:
    assert unpacked(zip_of(("größe.txt", b"1", 0)), "zip").returncode == 0
    old = zip_of(("gr__e.txt", b"2", 0)).replace(b"gr__e.txt", b"gr\x94\xe1e.txt")  # ö and ß of cp437, no UTF-8 flag
    (tmp_path / "home/größe.txt").unlink()
    assert unpacked(old, "zip").returncode == 0
    assert (tmp_path / "home/größe.txt").read_bytes() == b"2"


def test_second_byte_of_a_letter_in_a_code_page_is_no_separator(tmp_path: Path, unpacked: Unpack) -> None:
    letter = "表".encode("cp932")
    archive = zip_of(("12/next.sh", b"", 0), ("12/sub\\12", b"1", 0)).replace(b"12", letter)
    assert unpacked(archive, "zip", letter.decode("cp437")).returncode == 0
    home = tmp_path / "home"
    assert {p.relative_to(home).parts[0] for p in home.rglob("*")} == {"next.sh", "sub"}


def test_scripts_in_encodings_of_windows_become_plain(tmp_path: Path, unpacked: Unpack) -> None:
    text = "echo ä\r\n"
    done = unpacked(zip_of(("a.sh", text.encode("utf-16"), 0), ("b.sh", b"\xef\xbb\xbf" + text.encode(), 0)), "zip")
    assert [(tmp_path / "home" / name).read_bytes() for name in ("a.sh", "b.sh")] == ["echo ä\n".encode()] * 2
    assert done.stdout.startswith("a.sh: UTF-16 was changed to UTF-8 and Windows line ends")
    assert "b.sh: the byte order mark was removed" in done.stdout


def test_leftovers_of_file_managers_are_left_out(tmp_path: Path, unpacked: Unpack) -> None:
    names = ("__MACOSX/e/._next.sh", "e/.DS_Store", "e/._next.sh", "e/Thumbs.db", "e/desktop.ini", "e/next.sh")
    assert unpacked(zip_of(*((name, b"", 0) for name in names)), "zip", "e").returncode == 0
    assert [p.name for p in (tmp_path / "home").iterdir()] == ["next.sh"]


@pytest.mark.parametrize("mode", ["w", "w:gz"])
def test_tar_with_odd_modes_and_links_inside(tmp_path: Path, unpacked: Unpack, mode: str) -> None:
    archive = tar_of(
        ("./", "", tarfile.DIRTYPE, 0),
        ("./bin", "", tarfile.DIRTYPE, 0o4000),
        ("./bin/tool", b"tool", tarfile.REGTYPE, 0o6711),
        ("./setup.sh", b"x", tarfile.REGTYPE, 0),
        ("./hard", "./bin/tool", tarfile.LNKTYPE, 0),
        ("./bin/soft", "../setup.sh", tarfile.SYMTYPE, 0),
        mode=mode,
    )
    done = unpacked(archive, "tar")
    home = tmp_path / "home"
    assert (done.returncode, done.stderr) == (0, "")
    assert mode_of(home / "bin/tool") == 0o711
    assert mode_of(home / "setup.sh") == 0o711
    assert (home / "hard").samefile(home / "bin/tool")
    assert (home / "bin/soft").readlink() == Path("../setup.sh")


def test_hard_link_loses_the_top_folder_too(tmp_path: Path, unpacked: Unpack) -> None:
    archive = tar_of(("e/a", b"1", tarfile.REGTYPE, 0o644), ("e/b", "e/a", tarfile.LNKTYPE, 0o644))
    assert unpacked(archive, "tar", "e").returncode == 0
    assert (tmp_path / "home/b").read_bytes() == b"1"


def test_later_member_of_a_name_replaces_the_earlier_and_not_what_it_links_to(tmp_path: Path, unpacked: Unpack) -> None:
    archive = tar_of(
        ("a", b"1", tarfile.REGTYPE, 0o644), ("b", "a", tarfile.SYMTYPE, 0), ("b", b"2", tarfile.REGTYPE, 0o644)
    )
    assert unpacked(archive, "tar").returncode == 0
    assert (tmp_path / "home/a").read_bytes() == b"1"
    assert (tmp_path / "home/b").read_bytes() == b"2"


REFUSED = {
    "../up": tar_of(("../up", b"", tarfile.REGTYPE, 0o644)),
    "/abs": tar_of(("/abs", b"", tarfile.REGTYPE, 0o644)),
    "a/out": tar_of(("a/out", "../../etc", tarfile.SYMTYPE, 0)),
    "absolute": tar_of(("absolute", "/etc", tarfile.SYMTYPE, 0)),
    "hard": tar_of(("hard", "../x", tarfile.LNKTYPE, 0)),
    "pipe": tar_of(("pipe", "", tarfile.FIFOTYPE, 0o644)),
    "disk": tar_of(("disk", "", tarfile.BLKTYPE, 0o644)),
    "f/below": tar_of(("f", b"", tarfile.REGTYPE, 0o644), ("f/below", b"", tarfile.REGTYPE, 0o644)),
    "n" * 300: tar_of(("n" * 300, b"", tarfile.REGTYPE, 0o644)),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_member_is_named_in_one_line(tmp_path: Path, unpacked: Unpack, name: str) -> None:
    done = unpacked(REFUSED[name], "tar")
    assert done.returncode == 1
    assert done.stderr.startswith(f"{name!r}: ")
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "up").exists()


@pytest.mark.parametrize("name", ["..\\up", "a\\..\\..\\up", "\\..\\up"])
def test_zip_with_backslashes_cannot_leave_either(tmp_path: Path, unpacked: Unpack, name: str) -> None:
    done = unpacked(zip_of((name, b"", 0)), "zip")
    assert done.returncode == 1
    assert done.stderr.startswith(f"{name!r}: ")
    assert not (tmp_path / "up").exists()


def test_zip_link_outside_is_refused(unpacked: Unpack) -> None:
    done = unpacked(zip_of(("link", b"../../etc/passwd", 0o120777)), "zip")
    assert done.returncode == 1
    assert done.stderr.startswith("'link': it is a link to '../../etc/passwd'")


def test_damaged_archives_are_one_line_not_a_traceback(
    unpacked: Unpack,
) -> None:
    data = bytes(range(256)) * 40
    whole = zip_of(("data", data, 0o100644))
    damaged = whole[:60] + b"\xff" * 40 + whole[100:]
    packed = tar_of(("data", data, tarfile.REGTYPE, 0o644))
    for archive, kind in ((damaged, "zip"), (packed[:-40], "tar"), (b"text", "zip"), (b"text", "tar")):
        done = unpacked(archive, kind)
        assert done.returncode == 1
        assert done.stderr.count("\n") == 1, done.stderr
    assert unpacked(damaged, "zip").stderr.startswith("'data': ")


def test_bytes_after_the_archive_do_not_belong_to_it(tmp_path: Path, unpacked: Unpack) -> None:
    first, second = zip_of(("first", b"", 0)), zip_of(("second", b"", 0))
    (tmp_path / "disk").write_bytes(first + second)
    with (tmp_path / "disk").open("rb") as disk:
        argv = [sys.executable, "-I", "-S", "-c", SOURCE, "zip", str(len(first)), ""]
        subprocess.run(argv, stdin=disk, cwd=tmp_path / "home", check=True)
    assert [p.name for p in (tmp_path / "home").iterdir()] == ["first"]
