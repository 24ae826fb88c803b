import gzip
import io
import stat
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from tarfile import BLKTYPE, DIRTYPE, FIFOTYPE, LNKTYPE, REGTYPE, SYMTYPE

import pytest

from tests.support.guest_modules import GUEST
from tests.support.oci_images import layer, special

Unpack = Callable[..., subprocess.CompletedProcess[str]]
SOURCE = (GUEST / "unpack.py").read_text()


@pytest.fixture
def unpacked(tmp_path: Path) -> Unpack:
    """Unpack bytes into ``tmp_path / "home"`` as in the guest: from a disk that is longer than the archive."""
    (tmp_path / "home").mkdir()

    def unpack(
        archive: bytes, prefix: str = "", *, after: bytes = b"", kind: str = ""
    ) -> subprocess.CompletedProcess[str]:
        kind = kind or ("zip" if archive.startswith(b"PK") else "tar")
        (tmp_path / "disk").write_bytes(archive + after + bytes(1 + -len(archive) % 512))
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


def tree(home: Path) -> dict[str, bytes | str]:
    """Files in the home folder: content, or target of a link."""
    paths = {str(path.relative_to(home)): path for path in home.rglob("*") if path.is_symlink() or path.is_file()}
    return {name: str(path.readlink()) if path.is_symlink() else path.read_bytes() for name, path in paths.items()}


TOP = zip_of(("entry/", b"", 0o40755), ("entry/next.sh", b"echo\n", 0o100644), ("entry/lib/a", b"1", 0o100600))
SCRIPT = b"echo 1\r\necho 2\r\n"
WINDOWS = zip_of(("src\\", b"", 0), ("src\\main.c", b"int x;\r\n", 0), ("next.sh", SCRIPT, 0), system=0)
OLD = zip_of(("gr__e.txt", b"2", 0)).replace(b"gr__e.txt", b"gr\x94\xe1e.txt")  # ö and ß of cp437, no UTF-8 flag
LETTER = "表".encode("cp932")  # its second byte is that of a backslash
PAGE = zip_of(("12/next.sh", b"", 0), ("12/sub\\12", b"1", 0)).replace(b"12", LETTER)
ENCODED = zip_of(("a.sh", "echo ä\r\n".encode("utf-16"), 0), ("b.sh", b"\xef\xbb\xbf" + "echo ä\r\n".encode(), 0))
LEFTOVERS = ("__MACOSX/e/._next.sh", "e/.DS_Store", "e/._next.sh", "e/Thumbs.db", "e/desktop.ini", "e/next.sh")


@pytest.mark.parametrize(
    ("archive", "prefix", "files", "message"),
    [
        (TOP, "entry", {"lib/a": b"1", "next.sh": b"echo\n"}, ""),
        (
            WINDOWS,
            "",
            {"src/main.c": b"int x;\r\n", "next.sh": b"echo 1\necho 2\n"},
            "next.sh: Windows line ends were changed to Unix ones\n",
        ),
        (zip_of(("größe.txt", b"1", 0)), "", {"größe.txt": b"1"}, ""),
        (OLD, "", {"größe.txt": b"2"}, ""),
        (PAGE, LETTER.decode("cp437"), {"next.sh": b"", f"sub/{LETTER.decode('cp437')}": b"1"}, ""),
        (
            ENCODED,
            "",
            dict.fromkeys(("a.sh", "b.sh"), "echo ä\n".encode()),
            "a.sh: UTF-16 was changed to UTF-8 and Windows line ends",
        ),
        (zip_of(*((name, b"", 0) for name in LEFTOVERS)), "e", {"next.sh": b""}, ""),
        # a hard link loses the top folder too
        (layer(("e/a", b"1"), extra=[special("e/b", LNKTYPE, "e/a")]), "e", {"a": b"1", "b": b"1"}, ""),
        # a later member of a name replaces the earlier, and not the file that it links to
        (layer(("a", b"1"), ("b", "a"), ("b", b"2")), "", {"a": b"1", "b": b"2"}, ""),
    ],
    ids=["top", "Windows", "UTF-8", "cp437", "code page", "encodings", "leftovers", "hard link", "replaced"],
)
def test_archive_becomes_the_files_of_the_home_folder(
    tmp_path: Path, unpacked: Unpack, archive: bytes, prefix: str, files: dict[str, bytes | str], message: str
) -> None:
    done = unpacked(archive, prefix)
    assert (done.returncode, done.stderr) == (0, "")
    assert tree(tmp_path / "home") == files
    assert done.stdout.startswith(message) and bool(done.stdout) == bool(message)
    assert archive != ENCODED or "b.sh: the byte order mark was removed" in done.stdout


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_modes_give_the_rights_that_programs_need_and_no_others(
    tmp_path: Path, unpacked: Unpack, pack: Callable[[bytes], bytes]
) -> None:
    members = [
        special("./", DIRTYPE, mode=0),
        special("./bin", DIRTYPE, mode=0o4000),
        special("./bin/tool", REGTYPE, mode=0o6711),
        special("./setup.sh", REGTYPE, mode=0),
        special("./hard", LNKTYPE, "./bin/tool", mode=0),
        special("./bin/soft", SYMTYPE, "../setup.sh", mode=0),
    ]
    assert unpacked(pack(layer(extra=members))).returncode == 0
    home = tmp_path / "home"
    assert tree(home) == {"bin/tool": b"", "setup.sh": b"", "hard": b"", "bin/soft": "../setup.sh"}
    assert (home / "hard").samefile(home / "bin/tool")
    assert unpacked(TOP, "entry").returncode == unpacked(WINDOWS).returncode == 0
    modes = {"bin/tool": 0o711, "setup.sh": 0o711, "lib/a": 0o600, "src/main.c": 0o644, "next.sh": 0o755}
    assert {name: stat.S_IMODE((home / name).stat().st_mode) for name in modes} == modes


REFUSED = {
    **{name: layer((name, b"")) for name in ("../up", "/abs", "n" * 300)},
    "f/below": layer(("f", b""), ("f/below", b"")),
    "a/out": layer(("a/out", "../../etc")),
    "absolute": layer(("absolute", "/etc")),
    "hard": layer(extra=[special("hard", LNKTYPE, "../x")]),
    **{name: layer(extra=[special(name, kind)]) for name, kind in (("pipe", FIFOTYPE), ("disk", BLKTYPE))},
    **{name: zip_of((name, b"", 0)) for name in ("..\\up", "a\\..\\..\\up", "\\..\\up")},
    "link": zip_of(("link", b"../../etc/passwd", 0o120777)),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_member_is_named_in_one_line(tmp_path: Path, unpacked: Unpack, name: str) -> None:
    done = unpacked(REFUSED[name])
    assert done.returncode == 1
    assert done.stderr.startswith(f"{name!r}: ") and done.stderr.count("\n") == 1
    assert name != "link" or "it is a link to '../../etc/passwd'" in done.stderr
    assert not (tmp_path / "up").exists()


def test_bytes_after_the_archive_do_not_belong_to_it(tmp_path: Path, unpacked: Unpack) -> None:
    assert unpacked(zip_of(("first", b"", 0)), after=zip_of(("second", b"", 0))).returncode == 0
    assert tree(tmp_path / "home") == {"first": b""}


def test_damaged_archives_are_one_line_not_a_traceback(unpacked: Unpack) -> None:
    data = bytes(range(256)) * 40
    whole = zip_of(("data", data, 0o100644))
    damaged = whole[:60] + b"\xff" * 40 + whole[100:]
    packed = gzip.compress(layer(("data", data)))
    for archive, kind in ((damaged, "zip"), (packed[:-40], "tar"), (b"text", "zip"), (b"text", "tar")):
        done = unpacked(archive, kind=kind)
        assert done.returncode == 1
        assert done.stderr.count("\n") == 1, done.stderr
    assert unpacked(damaged).stderr.startswith("'data': ")
