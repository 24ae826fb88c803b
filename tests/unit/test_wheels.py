"""Requirements of an entry as a layer of wheels."""

from __future__ import annotations

import subprocess
import tarfile
from pathlib import Path

import pytest

from evaluate.errors import EntryError, ImageFault
from evaluate.images import wheels
from evaluate.images.apt import Package
from evaluate.images.image import Image
from evaluate.images.wheels import build_wheels_layer, parse_requirements, python_of

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
    ],
)
def test_line_that_names_no_package_is_quoted(line: str, wish: str) -> None:
    with pytest.raises(EntryError, match=f"line 2: .*{wish}"):
        parse_requirements(f"numpy\n{line}\n".encode())


def test_every_wrong_line_is_named() -> None:
    with pytest.raises(EntryError) as found:
        parse_requirements(b"-r a\n-r b\n")
    assert str(found.value).count("options are not allowed") == 2


def test_python_is_the_images() -> None:
    assert python_of(IMAGE) == "3.11"
    with pytest.raises(ImageFault, match="has no python3"):
        python_of(Image(**{**IMAGE.__dict__, "packages": ()}))


def test_nothing_asked_for_needs_no_layer(tmp_path: Path) -> None:
    assert build_wheels_layer(IMAGE, parse_requirements(b"# none\n"), tmp_path, lambda _: None) is None


def said(returncode: int, stdout: str = "", stderr: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.CompletedProcess([], returncode, stdout, stderr)


def test_unreachable_index_is_no_fault_of_the_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    error = "ERROR: Could not find a version that satisfies numpy\nWARNING: Retrying after NewConnectionError\n"
    monkeypatch.setattr(wheels, "_pip", lambda *_, work: said(1, stderr=error))
    with pytest.raises(ImageFault, match="cannot be reached"):
        build_wheels_layer(IMAGE, parse_requirements(b"numpy\n"), tmp_path, lambda _: None)
    assert not list((tmp_path / "layers").glob("*.squashfs"))


def test_conflict_is_told_in_pips_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    error = (
        "ERROR: Cannot install a and b because these package versions have conflicting dependencies.\n\n"
        "The conflict is caused by:\n    a 1 depends on c<2\n    b 1 depends on c>=2\n\nTo fix this you could try to:\n"
    )

    def pip(*words: str, work: Path) -> subprocess.CompletedProcess[str]:
        return said(1, stderr=error) if words[0] == "download" else said(0, "Available versions: 1.0\n")

    monkeypatch.setattr(wheels, "_pip", pip)
    with pytest.raises(EntryError, match=r"The conflict is caused by: a 1 depends on c<2 b 1 depends on c>=2$"):
        build_wheels_layer(IMAGE, parse_requirements(b"a\nb\n"), tmp_path, lambda _: None)


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that stands for the package index: one wheel, and one package of source only."""
    folder = tmp_path / "index"
    (folder / "code").mkdir(parents=True)
    (folder / "code" / "tinypkg.py").write_text("ANSWER = 42\n")
    import zipfile

    info = "tinypkg-1.0.dist-info"
    with zipfile.ZipFile(folder / "tinypkg-1.0-py3-none-any.whl", "w") as wheel:
        wheel.write(folder / "code" / "tinypkg.py", "tinypkg.py")
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: tinypkg\nVersion: 1.0\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/entry_points.txt", "[console_scripts]\ntiny = tinypkg:main\n")
        wheel.writestr(f"{info}/RECORD", f"tinypkg.py,,\n{info}/METADATA,,\n{info}/WHEEL,,\n{info}/RECORD,,\n")
    (folder / "evilpkg-1.0").mkdir()
    (folder / "evilpkg-1.0" / "setup.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    with tarfile.open(folder / "evilpkg-1.0.tar.gz", "w:gz") as tar:
        tar.add(folder / "evilpkg-1.0" / "setup.py", "evilpkg-1.0/setup.py")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def test_wheel_is_unpacked_compiled_and_packed_the_same_twice(index: Path, tmp_path: Path) -> None:
    asked = parse_requirements(b"tinypkg == 1.0\n")
    layers = [build_wheels_layer(IMAGE, asked, tmp_path / name, lambda _: None) for name in ("a", "b")]
    assert layers[0] is not None and layers[1] is not None
    assert layers[0].read_bytes() == layers[1].read_bytes()
    listing = subprocess.run(["sqfs2tar", layers[0]], check=True, capture_output=True).stdout
    (tmp_path / "layer.tar").write_bytes(listing)
    with tarfile.open(tmp_path / "layer.tar") as tar:
        found = {member.name.removeprefix("./"): member for member in tar}
    site = "usr/local/lib/python3.11/dist-packages"
    assert f"{site}/tinypkg.py" in found
    assert {(member.uid, member.mtime) for member in found.values()} == {(0, 0)}
    assert not [name for name in found if "/bin/" in name or name.endswith(("RECORD", "direct_url.json"))]
    said: list[str] = []
    assert build_wheels_layer(IMAGE, asked, tmp_path / "a", said.append) == layers[0]
    assert said == []


def test_source_is_never_run(index: Path, tmp_path: Path) -> None:
    with pytest.raises(EntryError, match=r"requirements.txt line 2: evilpkg"):
        build_wheels_layer(IMAGE, parse_requirements(b"tinypkg\nevilpkg\n"), tmp_path / "s", lambda _: None)
    assert not (tmp_path / "ran").exists()
    assert [p.name for p in (tmp_path / "s" / "layers").iterdir() if not p.name.endswith(".lock")] == []
