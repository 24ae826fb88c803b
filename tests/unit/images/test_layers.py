"""dependencies.txt and what a layer holds; building one for real is a functional test."""

from __future__ import annotations

import io
import os
import subprocess
import tarfile
from pathlib import Path

import pytest

from evaluate.core.errors import EntryError
from evaluate.images.delta import difference, read_base, write_layer
from evaluate.untrusted.requirements import Dependency, parse_dependencies
from tests.support.scorers import written


def test_comments_blanks_repetitions_and_line_ends_do_not_matter() -> None:
    text = b"\xef\xbb\xbf# packages\r\n\r\noctave\r\n  python3-six    = 1.10.0-3\noctave\nzip=3.0-13 # packer\n\t\nwfdb"
    assert parse_dependencies(text) == (
        Dependency(line=3, name="octave"),
        Dependency(line=4, name="python3-six", version="1.10.0-3"),
        Dependency(line=6, name="zip", version="3.0-13"),
        Dependency(line=8, name="wfdb"),
    )


@pytest.mark.parametrize(
    "line", ["octave signal", "Octave", "-o=x", "octave=", "= 1", "octave = ; reboot", "a", "octave (>= 4)", "./x.deb"]
)
def test_line_that_asks_for_no_package_is_quoted(line: str) -> None:
    with pytest.raises(EntryError) as caught:
        parse_dependencies(f"zip\n{line}\n".encode())
    assert str(caught.value) == f"dependencies.txt line 2: {line!r}: expected 'package' or 'package = version'"


@pytest.mark.parametrize(
    ("line", "package"),
    [("numpy==1.24.2", "python3-numpy"), ("scikit-learn>=1.0", "python3-sklearn"), ("Pillow", "python3-pil")],
)
def test_package_of_pip_gets_that_of_debian_as_its_way_out(line: str, package: str) -> None:
    with pytest.raises(EntryError) as caught:
        parse_dependencies(f"{line}\n".encode("utf-16"))
    (refusal,) = caught.value.refusals
    assert refusal.way_out.startswith(f"write {package}, ")


@pytest.mark.parametrize(
    ("text", "wish", "lines"),
    [
        (b"zip = 1\nzip = 2\n", "line 2: zip = 2: line 1 asks for version 1 of it", 1),
        (b"= " + b"x" * 100_000 + b"\n" + b"!\n" * 100_000, "expected 'package'", 20),
        (b"".join(b"package%d\n" % n for n in range(100_000)), "dependencies.txt: names more than 500 packages", 1),
    ],
)
def test_wrong_file_makes_a_short_message(text: bytes, wish: str, lines: int) -> None:
    with pytest.raises(EntryError, match=wish) as caught:
        parse_dependencies(text)
    assert len(str(caught.value).splitlines()) == lines
    assert len(str(caught.value)) < 5000


def test_layer_holds_what_is_new_and_changed_and_whiteouts_of_what_is_gone(tmp_path: Path) -> None:
    files = ("usr/lib/same", "usr/lib/longer", "usr/lib/gone/inner", "etc/removed")
    tree = written(tmp_path / "tree", dict.fromkeys(files, "x"))
    for name in files:
        os.utime(tree / name, (1000, 1000))
    (tree / "usr" / "lib" / "link").symlink_to("same")
    packed = subprocess.run(["tar", "-C", tree, "-c", "."], check=True, capture_output=True).stdout
    base = read_base(io.BytesIO(packed))
    assert difference(str(tree), base) == ([], [])
    changes = """printf xy >usr/lib/longer; rm -r usr/lib/gone etc/removed; ln -sfn longer usr/lib/link
    mkdir -m 700 opt; printf n >opt/new; ln opt/new opt/twin"""
    subprocess.run(["sh", "-euc", changes], cwd=tree, check=True)
    changed, gone = difference(str(tree), base)
    assert changed == ["opt", "opt/new", "opt/twin", "usr/lib/link", "usr/lib/longer"]
    assert gone == ["etc/removed", "usr/lib/gone"]
    out = io.BytesIO()
    write_layer(str(tree), changed, gone, 2000, out)
    out.seek(0)
    with tarfile.open(fileobj=out) as layer:
        members = {m.name: m for m in layer}
        assert layer.extractfile("./usr/lib/longer").read() == b"xy"  # type: ignore[union-attr]
    assert sorted(members) == [
        *("./etc", "./etc/removed", "./opt", "./opt/new", "./opt/twin"),
        *("./usr", "./usr/lib", "./usr/lib/gone", "./usr/lib/link", "./usr/lib/longer"),
    ]
    assert members["./etc/removed"].ischr()
    assert (members["./etc/removed"].devmajor, members["./etc/removed"].devminor) == (0, 0)
    assert members["./usr/lib/link"].linkname == "longer"
    assert members["./opt"].mode == 0o700
    assert members["./opt/twin"].islnk() or members["./opt/new"].islnk()
    assert max(m.mtime for m in members.values()) <= 2000
