"""Requirements of an entry as a layer of wheels."""

from __future__ import annotations

import errno
import io
import os
import re
import socket
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from packaging.requirements import Requirement as Specification
from packaging.version import Version

from evaluate.confine.isolated import Bounds
from evaluate.core.errors import EntryError, Fault, ImageFault, MirrorFault
from evaluate.images import wheels
from evaluate.images.apt import Package
from evaluate.images.image import Image
from evaluate.images.wheels import _nearest, build_wheels_layer, python_of
from evaluate.stages.prep import installed
from evaluate.untrusted.requirements import NotInstallable, parse_requirements
from evaluate.untrusted.wheel_files import Said, Unpacker
from tests.support.loopback import serving

IMAGE = Image(
    name="bookworm",
    digest="sha256:" + "0" * 64,
    kernel=Path("vmlinuz"),
    initrd=Path("initrd"),
    root=Path("root"),
    cpu_model="none",
    cpu_disabled=(),
    packages=(Package("python3", "3.11.2-1+b1", "amd64"),),
    recipe_digest="",
)

pytestmark = pytest.mark.slow


def names(text: bytes) -> list[str]:
    return [str(one.specification) for one in parse_requirements(text)]


def test_comments_hashes_markers_and_line_ends_do_not_matter() -> None:
    text = (
        b"\xef\xbb\xbf# what we need\r\n\r\nnumpy >=1.26,<3 # fast\r\nSciPy[extra]==1.14.*\r\n"
        b'old ; python_version < "3.8"\r\nnew ; python_version >= "3.9" and sys_platform == "linux"\r\n'
        b"pandas==2.2.0 \\\r\n    --hash=sha256:00ff\r\nlast"
    )
    assert names(text) == ["numpy<3,>=1.26", "SciPy[extra]==1.14.*", "new", "pandas==2.2.0", "last"]


def test_lines_keep_their_numbers() -> None:
    with pytest.raises(EntryError, match=r"line 4: '-r more.txt'"):
        parse_requirements(b"a==1 \\\n --hash=sha256:00\n\n-r more.txt\n")


@pytest.mark.parametrize(
    ("line", "wish"),
    [
        ("-r other.txt", "options are not allowed"),
        ("--index-url https://example.invalid", "options are not allowed"),
        ("-e .", "options are not allowed"),
        ("./wheel.whl", "addresses and paths are not allowed"),
        ("https://example.invalid/a.whl", "addresses and paths are not allowed"),
        ("a @ https://example.invalid/a.whl", "addresses are not allowed"),
        ("a @ file:///etc/passwd", "addresses are not allowed"),
        ("git+ssh://example.invalid/a", "addresses and paths are not allowed"),
        ("a => 1", "name packages only"),
        ("a b", "name packages only"),
        ("$(id)", "name packages only"),
        ("a===${HOME}", "write '=='"),
        ("a.zip", "files are not allowed"),
        ("b.tar.gz", "files are not allowed"),
        ('a; python_version ~= "abc"', "condition cannot be evaluated"),
        ('a;"">""', "condition cannot be evaluated"),
        ("a" + " " * 200_000 + "b", "a line of 200002 characters"),
        ("a" * 1001, "a line of 1001 characters"),
    ],
)
def test_line_that_names_no_package_is_quoted(line: str, wish: str) -> None:
    with pytest.raises(EntryError, match=f"line 2: .*{wish}"):
        parse_requirements(f"numpy\n{line}\n".encode())


@pytest.mark.parametrize(
    ("line", "way_out"),
    [
        ("-r other.txt", "write the lines of that file here"),
        ("-e .", "list what it needs"),
        (".", "list what it needs"),
        ("git+https://example.invalid/team/ecg-tools.git@v2", "write ecg-tools if the index has it"),
        ("tools @ git+https://example.invalid/team/ecg-tools", "write ecg-tools if the index has it"),
        ("torch @ https://example.invalid/whl/torch-2.2.0%2Bcpu-cp311-cp311-linux_x86_64.whl", "torch==2.2.0"),
        ("numpy @ file:///build/numpy/work/dist", "pip list --format=freeze"),
        ("torch @ https://example.invalid/a.zip", "write torch and a version"),
        ("numpy=1.26.4=py311h64a7726_0", "write numpy==1.26.4"),
        ("--extra-index-url https://example.invalid/simple", "the challenge has its own index"),
        ("logging==0.4.9.6", "remove the line"),
    ],
)
def test_line_that_is_refused_gets_its_own_way_out(line: str, way_out: str) -> None:
    with pytest.raises(EntryError) as caught:
        parse_requirements(f"numpy\n{line}\n".encode())
    (one,) = caught.value.refusals
    assert way_out in one.way_out


def test_every_wrong_line_is_named() -> None:
    with pytest.raises(EntryError) as found:
        parse_requirements(b"-r a\n-r b\n")
    assert str(found.value).count("options are not allowed") == 2


def test_file_of_other_encodings_is_read() -> None:
    assert names("numpy>1\r\nscipy\r\n".encode("utf-16")) == ["numpy>1", "scipy"]


def test_equality_of_texts_is_that_of_versions() -> None:
    assert names(b"torch===1.7.1\nnumpy == 1.26\n") == ["torch==1.7.1", "numpy==1.26"]


def test_conditions_are_the_guests() -> None:
    text = (
        b'a; python_version == "3.11"\nb; platform_machine == "aarch64"\nc; sys_platform == "win32"\nd; extra == "x"\n'
    )
    assert names(text) == ["a"]
    assert [str(one.specification) for one in parse_requirements(b'a; python_version < "3.10"\n', "3.9")] == ["a"]


def test_no_more_problems_are_listed_than_one_reads() -> None:
    with pytest.raises(EntryError) as found:
        parse_requirements(b"-r a\n" * 100_000)
    assert len(str(found.value).splitlines()) == 20


def test_number_of_packages_is_bounded() -> None:
    assert len(parse_requirements(b"a\n" * 200)) == 200
    with pytest.raises(EntryError, match="names more than 200 packages"):
        parse_requirements(b"a\n" * 1_000_000)


def test_python_is_the_images() -> None:
    assert python_of(IMAGE) == "3.11"
    with pytest.raises(ImageFault, match="has no python3"):
        python_of(Image(**{**IMAGE.__dict__, "packages": ()}))


def test_nothing_asked_for_needs_no_layer(tmp_path: Path) -> None:
    assert build_wheels_layer(IMAGE, parse_requirements(b"# none\n"), tmp_path, lambda _: None) is None


def said(returncode: int, stdout: str = "", stderr: str = "") -> Said:
    return Said(returncode=returncode, stdout=stdout, stderr=stderr)


def build(lines: bytes, state: Path, said: list[str] | None = None) -> Path | None:
    tell = (lambda _: None) if said is None else said.append
    return build_wheels_layer(IMAGE, parse_requirements(lines), state, tell)


def test_conflict_is_told_in_pips_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    error = "ERROR: Cannot install a and b because these package versions have conflicting dependencies.\n"
    text = (
        "\nThe conflict is caused by:\n    a 1 depends on c<2\n    b 1 depends on c>=2\n\nTo fix this you could try:\n"
    )
    monkeypatch.setattr(wheels, "_pip", lambda *_, **__: said(1, text, error))
    with pytest.raises(EntryError, match=r"fulfilled: a 1 depends on c<2; b 1 depends on c>=2$"):
        build(b"a\nb\n", tmp_path)
    absent = "some packages in these conflicts have no matching distributions available for your environment:\n    c\n"
    text = text.replace("To fix", f"Additionally, {absent}\nTo fix")
    with pytest.raises(EntryError, match=r"fulfilled: no wheel fits of c; a 1 depends on c<2; b 1 depends on c>=2$"):
        build(b"a\nb\n", tmp_path)


@pytest.mark.parametrize(
    "error",
    [
        "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device\n",
        "ERROR: Exception:\nTraceback (most recent call last):\nReadTimeoutError: read timed out\n",
        "ERROR: HTTP error 503 while getting a\n",
    ],
)
def test_what_is_not_certainly_the_entrys_is_ours(error: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wheels, "_pip", lambda *_, **__: said(1, stderr=error))
    with pytest.raises(ImageFault, match=re.escape(error.strip().splitlines()[-1].removeprefix("ERROR: "))):
        build(b"a\n", tmp_path)
    assert not list((tmp_path / "layers").glob("*.squashfs"))


def test_version_without_a_wheel_is_refused_by_a_pip_that_lists_it_nevertheless(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As pip 23.0 of Debian 12 does."""
    place = "https://files.example.org/packages"
    listed = f"""\
  Found link {place}/a-1.0.tar.gz#sha256=0 (from {place}/) (requires-python:>=3.5), version: 1.0
  Found link {place}/a-2.0.tar.gz (from {place}/), version: 2.0
  Found link {place}/a-2.0-py3-none-any.whl (from {place}/), version: 2.0
a (2.0)
Available versions: 2.0, 1.0
"""

    def pip(*words: str, **_: object) -> Said:
        missing = said(1, stderr="ERROR: No matching distribution found for a==1.0\n")
        return missing if words[0] == "download" else said(0, listed)

    monkeypatch.setattr(wheels, "_pip", pip)
    with pytest.raises(EntryError, match=r"there is no wheel of it for CPython 3\.11 .* ask for a>=2\.0,<2\.3"):
        build(b"a==1.0\n", tmp_path)


def test_index_that_changes_its_mind_is_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def pip(*words: str, **_: object) -> subprocess.CompletedProcess[str]:
        missing = said(1, stderr="ERROR: No matching distribution found for a\n")
        return missing if words[0] == "download" else said(0, "Available versions: 1.0\n")

    monkeypatch.setattr(wheels, "_pip", pip)
    with pytest.raises(ImageFault, match="has a now"):
        build(b"a\n", tmp_path)


@pytest.mark.parametrize(
    ("missing", "versions"),
    [
        ("a", "2.{, " + "9" * 5000 + ", 0.5"),
        ("b==" + "9" * 5000 + " (from c)", "0.5"),
        ("b" + " (from " * 200_000, "0.5"),
        ("a [", "0.5"),
    ],
)
def test_what_a_pip_that_was_taken_over_prints_is_read_as_text(
    missing: str, versions: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pip(*words: str, **_: object) -> Said:
        refused = said(1, stderr=f"ERROR: No matching distribution found for {missing}\n")
        return refused if words[0] == "download" else said(0, f"Available versions: {versions}\n")

    monkeypatch.setattr(wheels, "_pip", pip)
    with pytest.raises((EntryError, ImageFault)) as found:
        build(b"a==1\n", tmp_path)
    assert len(str(found.value)) < 3000


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[BaseHTTPRequestHandler]]:
    """A package index that answers every request with the status ``answer``."""

    class Index(BaseHTTPRequestHandler):
        answer = 404

        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            self.send_response(self.answer)
            self.send_header("Content-Length", "0")
            self.end_headers()

    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    with serving(ThreadingHTTPServer(("127.0.0.1", 0), Index)) as http:
        monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{http.server_port}/simple")
        yield Index


@pytest.mark.parametrize("status", [403, 429])
def test_index_that_refuses_is_no_fault_of_the_entry(
    status: int, server: type[BaseHTTPRequestHandler], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "answer", status)
    with pytest.raises(ImageFault, match=f"cannot be read: .*{status} Client Error"):
        build(b"tinypkg\n", tmp_path)


def test_pip_reaches_its_folder_the_network_and_what_the_organiser_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mirror").mkdir()
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / ".netrc").touch()
    monkeypatch.setenv("PIP_FIND_LINKS", f"{tmp_path}/mirror {tmp_path}/none")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    asked: list[Bounds] = []

    def isolated(bounds: Bounds, *_: object) -> Said:
        asked.append(bounds)
        return said(0, "")

    monkeypatch.setattr(wheels, "isolated", isolated)
    wheels._pip("download", python="3.11", work=tmp_path / "work")
    found = asked[0].openings
    assert found.scratch is not None
    assert (found.scratch.folder, found.network) == (tmp_path / "work", True)
    assert {tmp_path / "mirror", tmp_path / "home" / ".netrc"} <= set(found.reads)
    assert not {Path("/"), tmp_path, tmp_path / "home"} & set(found.reads)
    assert {re.sub(r"[\d.]+$", "", path.name) for path in found.programs} == {"python", "prlimit"}


def test_files_that_the_configuration_of_pip_names_can_be_read(tmp_path: Path) -> None:
    constraints, folder = tmp_path / "constraints.txt", tmp_path / "index"
    constraints.touch()
    folder.mkdir()
    config = tmp_path / ".config" / "pip" / "pip.conf"
    config.parent.mkdir(parents=True)
    config.write_text(f"[global]\nconstraint = {constraints}\nextra-index-url = file://{folder}\n")
    found = wheels._settings({"HOME": str(tmp_path)})
    assert {config, constraints} <= set(found)
    assert folder not in found
    config.write_text("no section\n")
    assert constraints not in wheels._settings({"HOME": str(tmp_path)})


def test_unreachable_index_is_no_fault_of_the_entry(
    server: type[BaseHTTPRequestHandler], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{port}/simple")
    with pytest.raises(ImageFault, match="Connection refused"):
        build(b"tinypkg\n", tmp_path)


def test_package_that_the_index_does_not_know_is_the_entrys_fault(
    server: type[BaseHTTPRequestHandler], tmp_path: Path
) -> None:
    with pytest.raises(EntryError, match=r"^requirements.txt line 2: tinypkg>1: no such package$"):
        build(b"\ntinypkg > 1\n", tmp_path)


def wheel(
    folder: Path,
    name: str,
    files: Mapping[str, str | bytes],
    metadata: str = "",
    version: str = "1.0",
    tag: str = "py3-none-any",
) -> Path:
    """A wheel."""
    info = f"{name}-{version}.dist-info"
    path = folder / f"{name}-{version}-{tag}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as bundle:
        for at, data in files.items():
            bundle.writestr(at, data)
        bundle.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{metadata}")
        bundle.writestr(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: {tag}\n")
        bundle.writestr(f"{info}/RECORD", "")
    return path


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that stands for the package index: wheels, and a package of source that writes a file when built."""
    folder = tmp_path / "index"
    folder.mkdir()
    files = {
        "tinypkg.py": "ANSWER = 42\n\n\ndef main():\n    return ANSWER\n",
        "tinypkg-1.0.dist-info/entry_points.txt": "[console_scripts]\ntiny = tinypkg:main\n../../evil = tinypkg:main\n",
        "tinypkg-1.0.data/scripts/tool": "#!python\nprint(1)\n",
        "tinypkg-1.0.data/data/share/tiny/table.csv": "1\n",
    }
    wheel(folder, "tinypkg", files)
    wheel(folder, "oldpkg", {"oldpkg.py": ""}, "Requires-Python: <3.7\n")
    wheel(folder, "needspkg", {"needspkg.py": ""}, "Requires-Dist: evilpkg\n")
    sources = {
        "evilpkg-1.0/pyproject.toml": '[build-system]\nrequires=[]\nbuild-backend = "backend"\nbackend-path = ["."]\n',
        "evilpkg-1.0/backend.py": f"open({str(tmp_path / 'ran')!r}, 'w')\n",
        "evilpkg-1.0/PKG-INFO": "Metadata-Version: 2.1\nName: evilpkg\nVersion: 1.0\n",
    }
    with tarfile.open(folder / "evilpkg-1.0.tar.gz", "w:gz") as tar:
        for name, text in sources.items():
            member = tarfile.TarInfo(name)
            member.size = len(text)
            tar.addfile(member, io.BytesIO(text.encode()))
    wheel(folder, "sneakypkg", {"sneakypkg.py": ""}, f"Requires-Dist: evilpkg @ {folder.as_uri()}/evilpkg-1.0.tar.gz\n")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


@pytest.mark.parametrize("line", [b"tinypkg\n", b"tinypkg == 1.0\n"])
def test_wheels_for_the_cpu_come_from_an_index_that_the_site_names_beside_the_other(
    index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: bytes
) -> None:
    (tmp_path / "cpu").mkdir()
    wheel(tmp_path / "cpu", "tinypkg", {"tinypkg.py": ""}, version="1.0+cpu")
    monkeypatch.setenv("PIP_FIND_LINKS", f"{index} {tmp_path / 'cpu'}")
    layer = build(line, tmp_path)
    assert layer is not None and list(installed([layer])) == ["tinypkg 1.0+cpu"]


def test_wheel_is_unpacked_compiled_and_packed_the_same_twice(index: Path, tmp_path: Path) -> None:
    layers = [build(b"tinypkg == 1.0\n", tmp_path / name) for name in ("a", "b")]
    assert layers[0] is not None and layers[1] is not None
    assert layers[0].read_bytes() == layers[1].read_bytes()
    listing = subprocess.run(["sqfs2tar", layers[0]], check=True, capture_output=True).stdout
    (tmp_path / "layer.tar").write_bytes(listing)
    with tarfile.open(tmp_path / "layer.tar") as tar:
        found = {member.name.removeprefix("./"): member for member in tar}
    site = "usr/local/lib/python3.11/dist-packages"
    assert f"{site}/tinypkg.py" in found
    compiled = f"{site}/__pycache__/tinypkg.cpython-311.pyc" in found
    assert compiled == (wheels.find_interpreter("3.11") is not None)
    assert {(member.uid, member.mtime) for member in found.values()} == {(0, 0)}
    assert {name for name in found if "/bin/" in name} == {"usr/local/bin/tiny", "usr/local/bin/tool"}
    said: list[str] = []
    assert build(b"tinypkg==1.0 # again\n", tmp_path / "a", said) == layers[0]
    assert said == []


def test_without_the_guests_python_the_layer_is_another_one(
    index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled = build(b"tinypkg\n", tmp_path)
    monkeypatch.setattr(wheels, "find_interpreter", lambda _: None)
    said: list[str] = []
    plain = build(b"tinypkg\n", tmp_path, said)
    assert plain is not None and plain != compiled
    assert "no Python 3.11 here" in said[0]
    listing = subprocess.run(["sqfs2tar", plain], check=True, capture_output=True).stdout
    assert b"tinypkg.py" in listing and b".pyc" not in listing


@pytest.mark.parametrize(
    ("name", "wish"),
    [
        ("evilpkg", "^requirements.txt line 2: evilpkg: there is no wheel of it for CPython 3.11 on x86-64 Linux"),
        ("needspkg", "^requirements.txt: evilpkg, needed by needspkg: there is no wheel"),
        ("sneakypkg", "would have to be built, and only wheels are accepted"),
    ],
)
def test_source_is_never_run(name: str, wish: str, index: Path, tmp_path: Path) -> None:
    with pytest.raises(EntryError, match=wish):
        build(f"tinypkg\n{name}\n".encode(), tmp_path / "s")
    assert not (tmp_path / "ran").exists()
    assert [p.name for p in (tmp_path / "s" / "layers").iterdir() if not p.name.endswith(".lock")] == []


def test_version_that_is_not_there_is_named_with_those_that_are(index: Path, tmp_path: Path) -> None:
    with pytest.raises(
        EntryError, match=r"line 1: tinypkg==3: no such version .*; tinypkg==1\.0 is the nearest that there is$"
    ) as found:
        build(b"tinypkg==3\n", tmp_path)
    assert isinstance(found.value, NotInstallable)
    assert (found.value.replaced, found.value.instead) == ({"tinypkg==3": "tinypkg==1.0"}, b"tinypkg==1.0")
    assert build(found.value.instead, tmp_path) is not None


@pytest.mark.parametrize(
    ("name", "wish"),
    [
        ("python==3.6.6", "the challenge has its Python, and this is no package; remove the line"),
        ("tensorflow-gpu==1.10", "nothing to install has this name; the package is tensorflow"),
    ],
)
def test_what_has_no_newer_version_is_named_beside_what_has_one(
    name: str, wish: str, index: Path, tmp_path: Path
) -> None:
    with pytest.raises(NotInstallable) as both:
        build(f"# old\n{name}\ntinypkg==3\n".encode(), tmp_path)
    assert [line.split(": ")[0] for line in str(both.value).splitlines()] == [
        "requirements.txt line 2",
        "requirements.txt line 3",
    ]
    assert both.value.instead == f"\n{name}\ntinypkg==1.0".encode()
    with pytest.raises(EntryError) as one:
        build(both.value.instead, tmp_path)
    assert str(one.value) == f"requirements.txt line 2: {name}: {wish}"


def test_what_cannot_be_installed_is_not_asked_for_again_on_the_same_day(
    index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    pip = wheels._pip
    monkeypatch.setattr(wheels, "_pip", lambda *words, **more: asked.append(words) or pip(*words, **more))
    found = []
    for _ in range(2):
        with pytest.raises(NotInstallable) as error:
            build(b"tinypkg==3\n", tmp_path)
        found.append((str(error.value), error.value.replaced, error.value.instead, len(asked)))
    assert found[0] == found[1] and asked
    (note,) = (tmp_path / "cache").glob("pins-*.json")
    os.utime(note, (1, 1))
    with pytest.raises(NotInstallable):
        build(b"tinypkg==3\n", tmp_path)
    assert len(asked) == 2 * found[0][3]


COMPILED = "cp311-cp311-manylinux2014_x86_64"
OF_NUMPY_1 = b"\x7fELF...numpy.core._multiarray_umath\0numpy.core.multiarray failed to import\0"
OF_NUMPY_2 = OF_NUMPY_1 + b"numpy._core._multiarray_umath\0"


@pytest.fixture
def numpies(index: Path) -> Path:
    """An index with numpy 1 and 2, and packages that were compiled for either or do not care."""
    for version in ("1.26.4", "2.3.5"):
        wheel(index, "numpy", {"numpy/core.so": OF_NUMPY_1}, version=version, tag=COMPILED)
    for version, content in (("2.2.2", OF_NUMPY_1), ("2.3.0", OF_NUMPY_2)):
        files = {"torch/lib/libtorch_python.so": content, "torch/_C.so.1": b"\x7fELF"}
        wheel(index, "torch", files, version=version, tag=COMPILED)
    wheel(index, "of_both", {"a.cpython-311-x86_64-linux-gnu.so": OF_NUMPY_1}, "Requires-Dist: numpy\n", tag=COMPILED)
    wheel(index, "modern", {"m.so": OF_NUMPY_2}, "Requires-Dist: numpy>=2\n", tag=COMPILED)
    wheel(index, "pure", {"pure.py": "'numpy.core.multiarray'", "notes.some": OF_NUMPY_1}, "Requires-Dist: numpy\n")
    return index


@pytest.mark.parametrize(
    ("asked", "named", "instead"),
    [
        (b"torch==2.2.2\nnumpy\n", "line 1: torch==2.2.2: compiled", b"torch==2.2.2\nnumpy\nnumpy<2"),
        (b"pure\nof-both>=1\n", "line 2: of-both>=1: compiled", b"pure\nof-both>=1\nnumpy<2"),
    ],
)
def test_package_that_was_compiled_for_numpy_1_gets_it(
    asked: bytes, named: str, instead: bytes, numpies: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(
        NotInstallable, match=rf"{named} for numpy 1 and not for numpy 2\.3\.5; ask for numpy<2"
    ) as found:
        build(asked, tmp_path)
    assert (dict(found.value.replaced), found.value.instead) == ({}, instead)
    layer = build(instead, tmp_path)
    assert layer is not None
    assert "numpy-1.26.4-" in layer.with_suffix(".json").read_text()
    (note,) = (tmp_path / "cache").glob("pins-*.json")
    os.utime(note, (1, 1))
    monkeypatch.setattr(wheels, "_pip", None)
    with pytest.raises(NotInstallable, match="compiled for numpy 1"):  # it may be large, and does not change
        build(asked, tmp_path)


@pytest.mark.parametrize(
    "asked", [b"torch\nnumpy\n", b"torch==2.2.2\nnumpy>=2\n", b"torch==2.2.2\nnumpy==1.26.4\n", b"pure\nmodern\n"]
)
def test_numpy_stays_as_it_was_asked_for(asked: bytes, numpies: Path, tmp_path: Path) -> None:
    assert build(asked, tmp_path) is not None


def test_what_another_package_needs_numpy_1_for_is_named(numpies: Path, tmp_path: Path) -> None:
    wheel(numpies, "above", {"above.py": ""}, "Requires-Dist: of-both\n")
    with pytest.raises(NotInstallable, match=r"^requirements\.txt: of-both==1\.0: compiled for numpy 1"):
        build(b"above\n", tmp_path)


def test_damaged_module_of_a_wheel_is_the_entrys_fault(numpies: Path, tmp_path: Path) -> None:
    path = wheel(numpies, "of_both", {"a.so": OF_NUMPY_1 * 100}, "Requires-Dist: numpy\n", tag=COMPILED)
    content = bytearray(path.read_bytes())
    content[40:60] = b"\0" * 20
    path.write_bytes(content)
    with pytest.raises(EntryError, match=r"of_both-1\.0.*"):
        build(b"of-both\n", tmp_path)


def test_index_is_asked_for_many_pins_at_once(index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    pip = wheels._pip
    monkeypatch.setattr(wheels, "_pip", lambda *words, **more: asked.append(words) or pip(*words, **more))
    good = [f"good{n}" for n in range(45)]
    for name in good:
        wheel(index, name, {f"{name}.py": ""})
    pins = [*(f"{name}==1.0" for name in good), "good7==9", "evilpkg==1.0", "gone==1", "tinypkg"]
    lines = parse_requirements("\n".join(pins).encode())
    found = wheels.lacking(lines, "3.11", tmp_path)
    assert [(one.line, one.expected.partition(" for ")[0]) for one in found] == [
        (46, "no such version"),
        (47, "there is no wheel of it"),
        (48, "no such package"),
    ]
    assert len(asked) == 5  # three for the 47 packages, and two for those that lack something


def test_index_that_does_not_answer_for_every_project_is_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wheels, "_pip", lambda *_, **__: said(0, "Available versions: 1.0\n"))
    with pytest.raises(MirrorFault, match="expected answers for 2 packages, found 1"):
        wheels.lacking(parse_requirements(b"a==1.0\nb==1.0\n"), "3.11", tmp_path)


def test_package_for_another_python_is_named(index: Path, tmp_path: Path) -> None:
    with pytest.raises(EntryError, match=r"'oldpkg' requires a different Python: 3\.11"):
        build(b"oldpkg\n", tmp_path)


def unpacker(tmp_path: Path, most_bytes: int = 1 << 20, most_files: int = 100) -> Unpacker:
    return Unpacker(tmp_path / "root", "3.11", most_bytes=most_bytes, most_files=most_files)


def test_programs_and_data_of_a_wheel_get_their_places(index: Path, tmp_path: Path) -> None:
    unpacker(tmp_path).unpack(index / "tinypkg-1.0-py3-none-any.whl")
    local = tmp_path / "root" / "usr" / "local"
    assert (local / "share" / "tiny" / "table.csv").read_text() == "1\n"
    assert (local / "bin" / "tool").read_text() == "#!/usr/bin/python3\nprint(1)\n"
    assert (local / "bin" / "tiny").read_text().startswith("#!/usr/bin/python3\n")
    assert (local / "bin" / "tiny").stat().st_mode & 0o111
    site = local / "lib" / "python3.11" / "dist-packages"
    done = subprocess.run([sys.executable, local / "bin" / "tiny"], env={"PYTHONPATH": str(site)}, check=False)
    assert done.returncode == 42


@pytest.mark.parametrize(
    ("files", "wish"),
    [
        ({"../../../../../../escaped.py": ""}, "leads out of it"),
        ({"/escaped.py": ""}, "leads out of it"),
        ({"x-1.0.data/data/../../../escaped": ""}, "leads out of it"),
        ({"x-1.0.data/secret/escaped": ""}, "has no place"),
        ({"big": bytes(2 << 20)}, "unpack to more than 1 MiB"),
        ({f"{n}": "" for n in range(101)}, "holds 104 files; at most 100"),
        ({"a": "", "a/b": ""}, "File exists|Not a directory"),
        ({"x" * 300: ""}, "File name too long"),
    ],
)
def test_wheel_that_wants_too_much_is_refused(files: Mapping[str, str | bytes], wish: str, tmp_path: Path) -> None:
    path = wheel(tmp_path, "x", files)
    with pytest.raises(EntryError, match=f"^{path.name} (?:cannot be unpacked: )?.*(?:{wish})"):
        unpacker(tmp_path).unpack(path)
    assert not list(tmp_path.rglob("escaped*"))


def test_link_in_a_wheel_is_a_file(tmp_path: Path) -> None:
    path = tmp_path / "x-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as bundle:
        link = zipfile.ZipInfo("link")
        link.external_attr = 0o120777 << 16
        bundle.writestr(link, "/etc/passwd")
    it = unpacker(tmp_path)
    it.unpack(path)
    assert (it.site / "link").read_text() == "/etc/passwd"
    assert not (it.site / "link").is_symlink()


def test_damaged_wheel_is_the_entrys_fault_and_a_full_disk_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = wheel(tmp_path, "x", {"a": "text" * 100})
    data = bytearray(path.read_bytes())
    data[40:44] = b"\xff\xff\xff\xff"
    (tmp_path / "y-1.0-py3-none-any.whl").write_bytes(data)
    it = unpacker(tmp_path)
    with pytest.raises(EntryError, match=r"y-1.0-py3-none-any.whl cannot be unpacked"):
        it.unpack(tmp_path / "y-1.0-py3-none-any.whl")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(it, "_member", full)
    with pytest.raises(Fault, match="No space left"):
        it.unpack(path)


@pytest.mark.parametrize(
    ("wanted", "nearest"),
    [
        ("p==1.16.2", "p>=1.23.2,<1.26"),
        ("p==1.24", "p==1.23.10"),
        ("p>=1", ""),
        ("p==1.*", ""),
        ("p==1.23.3", "p>=1.23.10,<1.26"),
    ],
)
def test_nearest_version_is_the_next_that_is_released_or_else_the_last(wanted: str, nearest: str) -> None:
    usable = [Version(one) for one in ("1.24.0rc1", "1.23.10", "1.23.2")]
    assert _nearest(Specification(wanted), usable) == nearest
    assert _nearest(Specification(wanted), []) == ""
