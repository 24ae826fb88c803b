"""Requirements of an entry as a layer of wheels."""

import errno
import io
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from unittest.mock import Mock

import pytest
from packaging.requirements import Requirement as Specification

from evaluate.core.errors import EntryError, Fault, ImageFault, MirrorFault
from evaluate.images import wheels
from evaluate.images.apt import Package
from evaluate.images.image import Image
from evaluate.images.wheels import build_wheels_layer, python_of
from evaluate.untrusted.requirements import NotInstallable, parse_requirements
from evaluate.untrusted.wheel_files import PipOutput, Unpacker
from tests.support.loopback import Page, serving
from tests.support.scorers import written

IMAGE = Image(name="bookworm", digest="sha256:" + "0" * 64, packages=(Package("python3", "3.11.2-1+b1", "amd64"),))

pytestmark = pytest.mark.slow


def test_python_is_the_images_and_nothing_asked_for_needs_no_layer(tmp_path: Path) -> None:
    assert python_of(IMAGE) == "3.11"
    with pytest.raises(ImageFault, match="has no python3"):
        python_of(Image(**{**IMAGE.__dict__, "packages": ()}))
    assert build(b"# none\n", tmp_path) is None


def build(lines: bytes, state: Path, messages: list[str] | None = None) -> Path | None:
    tell = (lambda _: None) if messages is None else messages.append
    return build_wheels_layer(IMAGE, parse_requirements(lines), state, tell)


class Pip:
    """It stands for pip: an answer to ``download``, one for each project to ``index``, and what it was asked."""

    def __init__(self, error: str, download: str = "", versions: str = "Available versions: 1.0\n") -> None:
        self.error, self.download, self.versions = error, download, versions
        self.asked: list[str] = []

    def __call__(self, *words: str, each: Sequence[str] = (), **_: object) -> PipOutput:
        self.asked.append(words[0])
        if words[0] == "download":
            return PipOutput(returncode=1, stdout=self.download, stderr=self.error)
        return PipOutput(returncode=0, stdout="\0".join([self.versions] * len(each)), stderr="")


NO_MATCH = "ERROR: No matching distribution found for {}\n"
CONFLICT = "ERROR: Cannot install a and b because these package versions have conflicting dependencies.\n"
CAUSE = "\nThe conflict is caused by:\n    a 1 depends on c<2\n    b 1 depends on c>=2\n\n"
ABSENT = "some packages in these conflicts have no matching distributions available for your environment:\n    c\n"
FILES = "https://files.example.org/packages"
ONLY_SOURCE = f"""\
  Found link {FILES}/a-1.0.tar.gz#sha256=0 (from {FILES}/) (requires-python:>=3.5), version: 1.0
  Found link {FILES}/a-2.0.tar.gz (from {FILES}/), version: 2.0
  Found link {FILES}/a-2.0-py3-none-any.whl (from {FILES}/), version: 2.0
a (2.0)
Available versions: 2.0, 1.0
"""
"""Output of pip 23.0 of Debian 12, which lists a version that has no wheel."""
NINES = "9" * 5000
Faults = type[Exception] | tuple[type[Exception], ...]
FAULT_OF_ENTRY, FAULT_OF_INDEX, OF_EITHER = EntryError, ImageFault, (EntryError, ImageFault)


@pytest.mark.parametrize(
    ("line", "pip", "fault", "wish"),
    [
        ("a\nb", Pip(CONFLICT, CAUSE), FAULT_OF_ENTRY, "fulfilled: a 1 depends on c<2; b 1 depends on c>=2$"),
        ("a", Pip(CONFLICT, CAUSE + ABSENT), FAULT_OF_ENTRY, "fulfilled: no wheel fits of c; a 1 depends on c<2; b 1"),
        ("a", Pip("ERROR: [Errno 28] No space left on device\n"), FAULT_OF_INDEX, "No space left on device"),
        ("a", Pip("ERROR: Exception:\nTraceback\nReadTimeoutError: read\n"), FAULT_OF_INDEX, "ReadTimeoutError: read"),
        (
            "a==1.0",
            Pip(NO_MATCH.format("a==1.0"), versions=ONLY_SOURCE),
            FAULT_OF_ENTRY,
            r"there is no wheel of it for CPython 3\.11 .* ask for a>=2\.0,<2\.3",
        ),
        ("a", Pip(NO_MATCH.format("a")), FAULT_OF_INDEX, "has a now, but did not"),
        # of a pip that an attacker took over
        ("a==1", Pip(NO_MATCH.format("a"), versions=f"Available versions: 2.{{, {NINES}, 0.5\n"), OF_EITHER, ""),
        ("a==1", Pip(NO_MATCH.format(f"b=={NINES} (from c)"), versions="Available versions: 0.5\n"), OF_EITHER, ""),
        ("a==1", Pip(NO_MATCH.format("b" + " (from " * 200_000)), OF_EITHER, ""),
        ("a==1", Pip(NO_MATCH.format("a ["), versions="Available versions: 0.5\n"), OF_EITHER, ""),
    ],
)
def test_failure_of_pip_is_the_entrys_fault_only_where_that_is_certain(
    line: str, pip: Pip, fault: Faults, wish: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wheels, "_pip", pip)
    with pytest.raises(fault, match=wish or None) as caught:
        build(line.encode(), tmp_path)
    assert len(str(caught.value)) < 3000
    assert not list((tmp_path / "layers").glob("*.squashfs"))


@pytest.mark.parametrize(
    ("wanted", "nearest"),
    [
        ("p==1.16.2", "p>=1.23.2,<1.26"),
        ("p==1.24", "p==1.23.10"),
        ("p==1.23.3", "p>=1.23.10,<1.26"),
        ("p>=9", ""),
        ("p==9.*", ""),
    ],
)
def test_nearest_version_is_the_next_that_is_released_or_else_the_last(
    wanted: str, nearest: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    versions = "Available versions: 1.24.0rc1, 1.23.10, 1.23.2\n"
    monkeypatch.setattr(wheels, "_pip", Pip(NO_MATCH.format(wanted), versions=versions))
    with pytest.raises(EntryError) as caught:
        build(wanted.encode(), tmp_path)
    replaced = caught.value.replaced if isinstance(caught.value, NotInstallable) else {}
    assert replaced == ({wanted: nearest} if nearest else {})


@pytest.mark.parametrize("noted", [1, 1 << 32], ids=["long ago", "by a clock that was ahead"])
def test_pins_that_cannot_be_installed_are_not_asked_for_again_on_the_same_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, noted: int
) -> None:
    pip = Pip(NO_MATCH.format("a==3"))
    monkeypatch.setattr(wheels, "_pip", pip)
    answers = []
    for _ in range(2):
        with pytest.raises(NotInstallable) as caught:
            build(b"a==3\n", tmp_path)
        answers.append((str(caught.value), caught.value.replaced, caught.value.instead, len(pip.asked)))
    assert answers[0] == answers[1]
    assert answers[0][1:3] == ({"a==3": "a==1.0"}, b"a==1.0")
    (note,) = (tmp_path / "cache").glob("pins-*.json")
    os.utime(note, (noted, noted))
    with pytest.raises(NotInstallable):
        build(b"a==3\n", tmp_path)
    assert len(pip.asked) == 2 * answers[0][3]


def test_index_is_asked_for_many_pins_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pip = Pip("")
    monkeypatch.setattr(wheels, "_pip", pip)
    pins = [*(f"good{n}==1.0" for n in range(45)), "good7==9", "bad==2", "tinypkg"]
    lacks = wheels._lacks(list(map(Specification, pins)), "3.11", tmp_path)
    assert [pin for pin, lack in zip(pins, lacks, strict=True) if lack] == ["good7==9", "bad==2"]
    assert len(pip.asked) == 4  # three for the 46 packages, and one for those that lack something
    monkeypatch.setattr(
        wheels, "_pip", Mock(return_value=PipOutput(returncode=0, stdout="Available versions: 1", stderr=""))
    )
    with pytest.raises(MirrorFault, match="expected answers for 2 packages, found 1"):
        wheels._lacks([Specification("a==1.0"), Specification("b==1.0")], "3.11", tmp_path)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Page]:
    """A package index that has nothing."""
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    with serving(Page(status=404)) as page:
        monkeypatch.setenv("PIP_INDEX_URL", f"{page.url}/simple")
        yield page


@pytest.mark.parametrize(
    ("status", "wish"),
    [
        (404, r"^requirements.txt line 2: tinypkg>1: no such package$"),
        (429, "cannot be read: .*429 Client Error"),
        (0, "Connection refused"),
    ],
)
def test_index_is_at_fault_unless_it_says_that_it_has_no_such_package(
    status: int, wish: str, server: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.status = status
    if not status:
        with socket.create_server(("127.0.0.1", 0)) as closed:
            monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{closed.getsockname()[1]}/simple")
    with pytest.raises(EntryError if status == 404 else ImageFault, match=wish):
        build(b"\ntinypkg > 1\n", tmp_path)


def test_pip_reaches_its_folder_the_network_and_what_the_organiser_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mirror").mkdir()
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / ".netrc").touch()
    monkeypatch.setenv("PIP_FIND_LINKS", f"{tmp_path}/mirror {tmp_path}/none")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    isolated = Mock(return_value=PipOutput(returncode=0, stdout="", stderr=""))
    monkeypatch.setattr(wheels, "isolated", isolated)
    wheels._pip("download", python="3.11", work=tmp_path / "work")
    openings = isolated.call_args.args[0].openings
    assert openings.scratch is not None
    assert (openings.scratch.folder, openings.network) == (tmp_path / "work", True)
    assert {tmp_path / "mirror", tmp_path / "home" / ".netrc"} <= set(openings.reads)
    assert not {Path("/"), tmp_path, tmp_path / "home"} & set(openings.reads)
    assert {re.sub(r"[\d.]+$", "", path.name) for path in openings.programs} == {"python", "prlimit"}


def wheel(
    folder: Path,
    name: str,
    files: Mapping[str, str | bytes] | Mapping[zipfile.ZipInfo, str],
    metadata: str = "",
    version: str = "1.0",
) -> Path:
    """A wheel."""
    info = f"{name}-{version}.dist-info"
    path = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as bundle:
        for at, data in files.items():
            bundle.writestr(at, data)
        bundle.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{metadata}")
        bundle.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
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
    shutil.make_archive(str(folder / "evilpkg-1.0"), "gztar", written(tmp_path / "sources", sources), "evilpkg-1.0")
    wheel(folder, "sneakypkg", {"sneakypkg.py": ""}, f"Requires-Dist: evilpkg @ {folder.as_uri()}/evilpkg-1.0.tar.gz\n")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


@pytest.mark.usefixtures("index")
@pytest.mark.parametrize(
    ("settings", "configuration", "version"),
    [
        ({"PIP_FIND_LINKS": "{top}/index {top}/web/files"}, "", "1.0+cpu"),
        ({"PIP_FIND_LINKS": "{top}/index {top}/web/files"}, "constraint = {top}/constraints.txt", "1.0"),
        (
            {"PIP_NO_INDEX": "0", "PIP_INDEX_URL": "file://{top}/web/simple"},
            "extra-index-url = file://{top}/web/simple/",
            "1.0+cpu",
        ),
    ],
    ids=["a folder beside another", "a file of constraints", "pages that link to files beside them"],
)
def test_settings_of_pip_and_the_files_they_name_choose_the_wheel(
    settings: Mapping[str, str], configuration: str, version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files, page = tmp_path / "web/files", tmp_path / "web/simple/tinypkg/index.html"
    files.mkdir(parents=True)
    page.parent.mkdir(parents=True)
    name = wheel(files, "tinypkg", {"tinypkg.py": ""}, version="1.0+cpu").name
    page.write_text(f'<a href="../../files/{name}">{name}</a>')
    (tmp_path / "constraints.txt").write_text("tinypkg!=1.0+cpu\n")
    (tmp_path / "pip.conf").write_text(f"[global]\n{configuration.format(top=tmp_path)}\n")
    for key, value in {"PIP_CONFIG_FILE": "{top}/pip.conf", **settings}.items():
        monkeypatch.setenv(key, value.format(top=tmp_path))
    layer = build(b"tinypkg == 1.0\n", tmp_path)
    assert layer is not None
    assert json.loads(layer.with_suffix(".json").read_text())["wheels"] == [f"tinypkg-{version}-py3-none-any.whl"]


def listing(layer: Path) -> dict[str, tarfile.TarInfo]:
    data = subprocess.run(["sqfs2tar", layer], check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        return {member.name.removeprefix("./"): member for member in tar}


def test_wheel_is_unpacked_compiled_and_packed_the_same_twice(
    index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wheels, "download", lambda *_, **__: [index / "tinypkg-1.0-py3-none-any.whl"])
    layers = [build(b"tinypkg == 1.0\n", tmp_path / name) for name in ("a", "b")]
    assert layers[0] is not None and layers[1] is not None
    assert layers[0].read_bytes() == layers[1].read_bytes()
    members = listing(layers[0])
    site = "usr/local/lib/python3.11/dist-packages"
    assert f"{site}/tinypkg.py" in members
    compiled = f"{site}/__pycache__/tinypkg.cpython-311.pyc" in members
    assert compiled == (wheels.find_interpreter("3.11") is not None)
    assert {(member.uid, member.mtime) for member in members.values()} == {(0, 0)}
    assert {name for name in members if "/bin/" in name} == {"usr/local/bin/tiny", "usr/local/bin/tool"}
    messages: list[str] = []
    assert build(b"tinypkg==1.0 # again\n", tmp_path / "a", messages) == layers[0]
    assert messages == []
    monkeypatch.setattr(wheels, "find_interpreter", lambda _: None)
    plain = build(b"tinypkg == 1.0\n", tmp_path / "c", messages)
    assert plain is not None and (plain.name != layers[0].name) == compiled, "without the guest's Python it is another"
    assert "no Python 3.11 here" in messages[0]
    assert not [name for name in listing(plain) if name.endswith(".pyc")]


@pytest.mark.parametrize(
    ("lines", "wish"),
    [
        ("needspkg", "^requirements.txt: evilpkg, needed by needspkg: there is no wheel"),
        ("sneakypkg", "would have to be built, and only wheels are accepted"),
        ("oldpkg", r"'oldpkg' requires a different Python: 3\.11"),
    ],
)
def test_source_is_never_run_and_no_package_of_another_python_taken(
    lines: str, wish: str, index: Path, tmp_path: Path
) -> None:
    with pytest.raises(EntryError, match=wish):
        build(f"tinypkg\n{lines}\n".encode(), tmp_path / "s")
    assert not (tmp_path / "ran").exists()
    assert [p.name for p in (tmp_path / "s" / "layers").iterdir() if not p.name.endswith(".lock")] == []


def test_every_line_that_cannot_be_installed_is_named_with_its_reason(index: Path, tmp_path: Path) -> None:
    lines = ["# old", "evilpkg", "tinypkg==3", "python==3.6.6", "tensorflow-gpu==1.10", "gone"]
    with pytest.raises(NotInstallable) as caught:
        build("\n".join(lines).encode(), tmp_path)
    expected = (
        ("there is no wheel of it for CPython 3.11 on x86-64 Linux", "put its code into the entry"),
        ("no such version for CPython 3.11", "tinypkg==1.0 is the nearest that there is"),
        ("the challenge has its Python, and this is no package", "remove the line"),
        ("nothing to install has this name", "the package is tensorflow"),
        ("no such package", ""),
    )
    for n, (refusal, (reason, way_out)) in enumerate(zip(caught.value.refusals, expected, strict=True), 1):
        assert (refusal.line, refusal.found) == (n + 1, lines[n])
        assert refusal.expected.startswith(reason) and way_out in refusal.way_out
    assert caught.value.replaced == {"tinypkg==3": "tinypkg==1.0"}
    assert caught.value.instead == b"\nevilpkg\ntinypkg==1.0\npython==3.6.6\ntensorflow-gpu==1.10\ngone"
    assert not (tmp_path / "ran").exists()


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
    link = zipfile.ZipInfo("link")
    link.external_attr = 0o120777 << 16
    path = wheel(tmp_path, "x", {link: "/etc/passwd"})
    it = unpacker(tmp_path)
    it.unpack(path)
    assert (it.site / "link").read_text() == "/etc/passwd"
    assert not (it.site / "link").is_symlink()


def test_damaged_wheel_is_the_entrys_fault_and_a_full_disk_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, it = wheel(tmp_path, "x", {"a": "text" * 100}), unpacker(tmp_path)
    data = bytearray(path.read_bytes())
    data[40:44] = b"\xff\xff\xff\xff"
    path.write_bytes(data)
    with pytest.raises(EntryError, match=rf"{path.name} cannot be unpacked"):
        it.unpack(path)
    monkeypatch.setattr(it, "_member", Mock(side_effect=OSError(errno.ENOSPC, "No space left on device")))
    with pytest.raises(Fault, match="No space left"):
        it.unpack(wheel(tmp_path, "y", {"a": "text"}))
