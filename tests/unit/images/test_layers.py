"""dependencies.txt, requirements.txt and what a layer holds; building one for real is a functional test."""

import io
import os
import re
import subprocess
import tarfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from evaluate.core.errors import EntryError
from evaluate.images.delta import difference, read_base, write_layer
from evaluate.untrusted.requirements import Dependency, parse_dependencies, parse_requirements
from tests.support.scorers import written

Parse = Callable[[bytes], Sequence[object]]


@pytest.mark.parametrize(
    ("text", "python", "specifications"),
    [
        (
            b"\xef\xbb\xbf# what we need\r\n\r\nnumpy >=1.26,<3 # fast\r\nSciPy[extra]==1.14.*\r\n"
            b'old ; python_version < "3.8"\r\nnew ; python_version >= "3.9" and sys_platform == "linux"\r\n'
            b"pandas==2.2.0 \\\r\n    --hash=sha256:00ff\r\nlast",
            "3.11",
            ["numpy<3,>=1.26", "SciPy[extra]==1.14.*", "new", "pandas==2.2.0", "last"],
        ),
        ("numpy>1\r\nscipy\r\n".encode("utf-16"), "3.11", ["numpy>1", "scipy"]),
        (b"torch===1.7.1\nnumpy == 1.26\n", "3.11", ["torch==1.7.1", "numpy==1.26"]),
        (b'b; platform_machine == "aarch64"\nc; sys_platform == "win32"\nd; extra == "x"\n', "3.11", []),
        (b'a; python_version < "3.10"\n', "3.9", ["a"]),
        (b"a\n" * 200, "3.11", ["a"] * 200),
    ],
)
def test_comments_hashes_conditions_encodings_and_line_ends_do_not_matter(
    text: bytes, python: str, specifications: list[str]
) -> None:
    assert [str(requirement.specification) for requirement in parse_requirements(text, python)] == specifications


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_comments_blanks_repetitions_and_line_ends_do_not_matter(encoding: str) -> None:
    text = "# packages\r\n\r\noctave\r\n  python3-six    = 1.10.0-3\noctave\nzip=3.0-13 # packer\n\t\nwfdb"
    assert parse_dependencies(text.encode(encoding)) == (
        Dependency(line=3, name="octave"),
        Dependency(line=4, name="python3-six", version="1.10.0-3"),
        Dependency(line=6, name="zip", version="3.0-13"),
        Dependency(line=8, name="wfdb"),
    )


PIP, DEBIAN = parse_requirements, parse_dependencies
OF_PIP = [
    ("-r other.txt", "options are not allowed", "write the lines of that file here"),
    ("--extra-index-url https://example.invalid/simple", "options are", "the challenge has its own index"),
    ("-e .", "options are not allowed", "list what it needs"),
    (".", "paths are not allowed", "list what it needs"),
    ("numpy @ file:///build/numpy/work/dist", "addresses are not allowed", "pip list --format=freeze"),
    ("git+https://example.invalid/team/ecg-tools.git@v2", "addresses", "write ecg-tools if the index has it"),
    ("tools @ git+https://example.invalid/team/ecg-tools", "addresses", "write ecg-tools if the index has it"),
    ("torch @ https://x.invalid/torch-2.2.0%2Bcpu-cp311-cp311-linux_x86_64.whl", "addresses", "torch==2.2.0"),
    ("torch @ https://example.invalid/a.zip", "addresses are not allowed", "write torch and a version"),
    ("a => 1", "name packages only", ""),
    ("$(id)", "name packages only", ""),
    ("numpy=1.26.4=py311h64a7726_0", "", "write numpy==1.26.4"),
    ("a===${HOME}", "write '=='", ""),
    ("a.zip", "files are not allowed", ""),
    ("b.tar.gz", "files are not allowed", ""),
    ("logging==0.4.9.6", "", "remove the line"),
    ('a; python_version ~= "abc"', "condition cannot be evaluated", ""),
    ('a;"">""', "condition cannot be evaluated", ""),
    ("a" + " " * 200_000 + "b", "a line of 200002 characters", ""),
    ("a" * 1001, "a line of 1001 characters", ""),
]
OF_DEBIAN = ("octave signal", "Octave", "-o=x", "octave=", "= 1", "octave = ; reboot", "a", "octave (>= 4)", "./x.deb")
NO_NAME = "expected 'package' or 'package = version'$"


@pytest.mark.parametrize(
    ("parse", "line", "why", "way_out"),
    [
        *((PIP, *row) for row in OF_PIP),
        *((DEBIAN, line, f"{re.escape(repr(line))}: {NO_NAME}", "") for line in OF_DEBIAN),
        # those of pip have other names in Debian
        (DEBIAN, "numpy==1.24.2", "", "write python3-numpy, "),
        (DEBIAN, "scikit-learn>=1.0", "", "write python3-sklearn, "),
        (DEBIAN, "Pillow", "", "write python3-pil, "),
    ],
)
def test_line_that_names_no_package_is_quoted_with_its_way_out(parse: Parse, line: str, why: str, way_out: str) -> None:
    with pytest.raises(EntryError, match=f"line 2: .*{why}") as caught:
        parse(f"numpy\n{line}\n".encode())
    (refusal,) = caught.value.refusals
    assert way_out in refusal.way_out


@pytest.mark.parametrize(
    ("parse", "text", "wish", "lines"),
    [
        (PIP, b"a==1 \\\n --hash=sha256:00\n\n-r c\n-r b\n", r"line 4: '-r c'(.*\n)*.*line 5: '-r b'", 2),
        (PIP, b"-r a\n" * 100_000, "options are not allowed", 20),
        (PIP, b"a\n" * 1_000_000, "names more than 200 packages", 1),
        (DEBIAN, b"zip = 1\nzip = 2\n", "^dependencies.txt line 2: zip = 2: line 1 asks for version 1 of it", 1),
        (DEBIAN, b"= " + b"x" * 100_000 + b"\n" + b"!\n" * 100_000, "expected 'package'", 20),
        (
            DEBIAN,
            b"".join(b"package%d\n" % n for n in range(100_000)),
            "^dependencies.txt: names more than 500 packages",
            1,
        ),
    ],
)
def test_wrong_lines_keep_their_numbers_and_no_more_are_listed_than_one_reads(
    parse: Parse, text: bytes, wish: str, lines: int
) -> None:
    with pytest.raises(EntryError, match=wish) as caught:
        parse(text)
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
