"""Container images as strangers send them: form, merge, limits, and messages about wrong ones."""

import gzip
import hashlib
import io
import json
import subprocess
import tarfile
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluate.config.challenge.types import ArchiveLimits
from evaluate.confine.isolated import Bounds
from evaluate.core.errors import EntryError, Fault
from evaluate.core.model import User
from evaluate.images import container
from evaluate.images.container import ContainerLayer, container_layer
from evaluate.untrusted.listing import is_container
from evaluate.untrusted.merge import Tree
from evaluate.untrusted.oci import Blob, read_image, unpack_layer
from tests.support.oci_images import Entry, bundle, digest, docker_save, layer, oci_layout, pax, special

LIMITS = ArchiveLimits(unpacked_bytes=4 << 20, files=500)
PROGRAM: Entry = ("run.sh", b"#!/bin/sh\n")
PASSWD = b"root:x:0:0::/root:/bin/sh\nalice:x:1001:1002::/home/alice:/bin/sh\n"


def made(archive: Path, argument: str = "", **rules: str) -> ContainerLayer:
    return container_layer(archive, argument, archive.parent / "state", LIMITS, lambda _: None, **rules)


@pytest.fixture(autouse=True)
def without_walls(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Read images in this process, which takes less time, but for one test."""
    if "same_layer" not in request.node.name:
        (tmp_path / "scratch").mkdir()
        monkeypatch.setattr(container, "PLACE", tmp_path / "scratch")
        monkeypatch.setattr(container, "isolated", lambda _, work, *words: work(*words))


def opened(squashfs: Path) -> tarfile.TarFile:
    data = subprocess.run(["sqfs2tar", str(squashfs)], capture_output=True, check=True).stdout
    return tarfile.open(fileobj=io.BytesIO(data))


def contents(squashfs: Path) -> dict[str, tarfile.TarInfo]:
    return {member.name.removeprefix("./"): member for member in opened(squashfs)}


def read(squashfs: Path, name: str) -> bytes:
    found = opened(squashfs).extractfile(name)
    assert found is not None
    return found.read()


LOWER = layer(PROGRAM, ("etc", None), ("etc/passwd", PASSWD), ("etc/group", b"staff:x:50:\n"), ("data/old", b"old"))
UPPER = layer(("data/new", b"new"), ("data/.wh.old", b""), uid=7)


def test_all_forms_give_the_same_layer(tmp_path: Path) -> None:
    layers = []
    for n, (write, compress) in enumerate(product([docker_save, oci_layout], [False, True])):
        (tmp_path / str(n)).mkdir()
        archive = write(tmp_path / str(n) / "image.tar", [LOWER, UPPER], compress=compress)
        assert is_container(archive)
        layers.append(made(archive).layer)
    names = contents(layers[0])
    assert "data/old" not in names
    assert not [name for name in names if ".wh." in name]
    assert (names["data/new"].uid, names["run.sh"].uid) == (100_007, 100_000)
    assert read(layers[0], "data/new") == b"new"
    assert {"input", "output", "proc", "dev", "tmp", "var/tmp"} <= set(names)
    assert names["tmp"].mode == 0o1777
    assert len({path.read_bytes() for path in layers}) == 1


def test_same_image_is_merged_once(tmp_path: Path) -> None:
    said: list[str] = []
    archive = docker_save(tmp_path / "image.tar", [LOWER])
    first = container_layer(archive, "go", tmp_path / "state", LIMITS, said.append)
    assert any("merging" in line for line in said)
    said.clear()
    assert container_layer(archive, "go", tmp_path / "state", LIMITS, said.append) == first
    assert said == []


def test_nested_index_of_many_platforms_gives_ours(tmp_path: Path) -> None:
    platforms = [("linux", "arm64"), ("linux", "amd64"), ("unknown", "unknown")]
    assert made(oci_layout(tmp_path / "i.tar", [LOWER], nested=True, platforms=platforms)).program.argv == ("/run.sh",)


ROOT = User(uid=0, gid=0)
STARTED = {"Entrypoint": ["/run.sh", "--fast"], "Cmd": ["ignored"], "WorkingDir": "/made/here", "User": "alice:staff"}


@pytest.mark.parametrize(
    ("config", "rules", "argv", "user", "home"),
    [
        (STARTED, {"argument": "go"}, ("/run.sh", "--fast", "go"), User(uid=1001, gid=50), "/home/alice"),
        ({"User": ""}, {}, ("/run.sh",), ROOT, "/root"),
        ({"User": "1001"}, {}, ("/run.sh",), User(uid=1001, gid=1002), "/home/alice"),
        ({"User": "77"}, {}, ("/run.sh",), User(uid=77, gid=0), "/"),
        ({"User": "77:88"}, {}, ("/run.sh",), User(uid=77, gid=88), "/"),
        ({"Entrypoint": None}, {"argument": "go", "program": "/usr/bin/go"}, ("/usr/bin/go", "go"), ROOT, "/root"),
        ({"Entrypoint": ["/run.sh"]}, {"argument": "go", "program": "/usr/bin/go"}, ("/run.sh", "go"), ROOT, "/root"),
        ({"Entrypoint": None}, {"argument": "go"}, ("go",), ROOT, "/root"),  # the argument itself is on the path
    ],
)
def test_program_is_started_as_image_and_rules_say(
    config: dict[str, object], rules: dict[str, str], argv: tuple[str, ...], user: User, home: str, tmp_path: Path
) -> None:
    env = {"PATH": "/x:/bin", "MODEL": "a=b", "PYTHONHASHSEED": "random"}
    base = layer(PROGRAM, ("usr/bin", None), ("bin", "usr/bin"), ("usr/bin/go", b"#!/bin/sh\n"))
    config = {"Env": [f"{name}={value}" for name, value in env.items()], **config}
    archive = docker_save(tmp_path / "i.tar", [LOWER, base], config)
    image = made(archive, **rules)
    assert (image.program.argv, image.program.user) == (argv, user)
    assert image.program.env == {"HOME": home, **env}
    assert image.program.cwd == config.get("WorkingDir", "/")
    assert made(archive, **rules) == image


@pytest.mark.parametrize(
    ("config", "wish"),
    [
        ({"Entrypoint": None}, r"no entry point, and no program 'landmark_detection' is on its path .*ENTRYPOINT \["),
        ({"Entrypoint": ["/app/run.sh"]}, r"entry point '/app/run.sh' is no executable file of the image"),
        ({"Entrypoint": ["/etc/passwd"]}, r"'/etc/passwd' is no executable file of the image.*chmod \+x"),
        ({"User": "bob"}, r"runs as user 'bob', who is not in its /etc/passwd"),
        ({"User": "0:wheel"}, r"runs as group 'wheel'"),
        ({"User": "70000"}, r"expected a number below 65536"),
        ({"Env": "PATH=/bin"}, r"config.Env: expected a list of words"),
        ({"Env": ["A=\ud800"]}, r"config.Env: expected a list of words"),
        ({"Env": ["A=" + "x" * 40_000]}, r"config.Env has 39 KiB; at most 32 are allowed"),
        ({"User": "9" * 5000}, r"config.User: expected a word"),
        ({"User": "٣"}, r"expected a number below 65536, found '٣'"),
        ({"User": {"name": "root"}}, r"config.User: expected a word, found"),
        ({"WorkingDir": "/a\0b"}, r"config.WorkingDir: expected a word"),
        ({"Entrypoint": ["/run.sh"], "WorkingDir": "/run.sh/x"}, r"working folder '/run.sh/x': /run.sh is a file"),
        ({"Entrypoint": ["/run.sh"], "WorkingDir": "/" + "d" * 300}, r"working folder: 'd+'… has more than 255 bytes"),
        ({"Entrypoint": ["/run.sh"], "WorkingDir": "/gone/x"}, "'/gone/x': /gone is a link that leads nowhere"),
        ({"Entrypoint": ["/" + "ab" * 2000]}, r"the image's entry point '/[ab]{199}' is no executable"),
    ],
)
def test_image_that_cannot_be_started_is_told_why(config: dict[str, object], wish: str, tmp_path: Path) -> None:
    base = layer(PROGRAM, ("gone", "nowhere"))
    passwd = layer(("etc/passwd", PASSWD), mode=0o644)
    with pytest.raises(EntryError, match=wish):
        made(docker_save(tmp_path / "i.tar", [base, passwd], config), "landmark_detection")


@pytest.mark.parametrize(
    ("folder", "expected"), [("/a/../b", "/b"), ("../../x", "/x"), ("//a/./b/", "/a/b"), ("/link/new", "/link/new")]
)
def test_working_folder_is_made_inside_the_image(folder: str, expected: str, tmp_path: Path) -> None:
    base = layer(PROGRAM, ("real", None), ("link", "../../real"))
    found = made(docker_save(tmp_path / "i.tar", [base], {"WorkingDir": folder}))
    assert found.program.cwd == expected
    assert contents(found.layer)[expected.replace("/link", "/real")[1:]].isdir()


def test_path_below_a_link_goes_where_the_link_leads(tmp_path: Path) -> None:
    lower = layer(PROGRAM, ("usr/lib", None), ("lib", "usr/lib"), ("abs", "/usr/lib"), ("up", "../../../usr"))
    upper = layer(("lib/x", b"1"), ("abs/y", b"2"), ("up/z", b"3"))
    names = contents(made(docker_save(tmp_path / "i.tar", [lower, upper])).layer)
    assert {"usr/lib/x", "usr/lib/y", "usr/z"} <= set(names)
    assert names["lib"].issym() and names["lib"].linkname == "usr/lib"


def test_hard_link_keeps_its_bytes_without_its_first_name(tmp_path: Path) -> None:
    lower = layer(PROGRAM, ("a", b"first"), ("b", b"second"))
    links = layer(extra=[special("of-a", tarfile.LNKTYPE, "a"), special("of-b", tarfile.LNKTYPE, "b")])
    upper = layer((".wh.a", b""), ("b", b"third"), extra=[special("again", tarfile.LNKTYPE, "./of-a")])
    squashfs = made(docker_save(tmp_path / "i.tar", [lower, links, upper])).layer
    names = contents(squashfs)
    assert "a" not in names and [name for name, member in names.items() if member.islnk()] == ["of-a"]
    assert [read(squashfs, name) for name in ("again", "of-b", "b")] == [b"first", b"second", b"third"]


def test_odd_layers_are_borne_without_devices_and_capabilities(tmp_path: Path) -> None:
    names = ["caf\udce9", "two\nlines", "back\\slash", "-rf", " ", "é" * 127]
    console = special("dev/console", tarfile.CHRTYPE, devmajor=5, devminor=1)
    padded = layer(PROGRAM, ("was-link", "run.sh"), *((name, b"") for name in names), extra=[console]) + b"x" * 2100
    capable = pax("ping", {"SCHILY.xattr.security.capability": b"\1\0\0\2"})
    merged = made(docker_save(tmp_path / "i.tar", [bytes(1024), padded, capable, layer(("was-link", None))]))
    members = contents(merged.layer)
    assert {*names, "ping", "run.sh"} <= members.keys() and "dev/console" not in members
    assert members["was-link"].isdir() and not members["ping"].pax_headers


def one(*entries: Entry, **options: object) -> Callable[[Path], Path]:
    return lambda folder: docker_save(folder / "i.tar", [layer(PROGRAM), layer(*entries, **options)])  # type: ignore[arg-type]


def raw(data: bytes) -> Callable[[Path], Path]:
    return lambda folder: docker_save(folder / "i.tar", [layer(PROGRAM), data])


def files_of(**files: object) -> Callable[[Path], Path]:
    data = {f"{name}.json": json.dumps(value).encode() for name, value in files.items()}
    return lambda folder: bundle(folder / "i.tar", data)


def negative() -> bytes:
    data = bytearray(layer(("x", b"")))
    data[124:136] = b"\xff" * 10 + b"\xfe\x00"  # -512 in the binary form of large numbers
    data[148:156] = b" " * 8
    data[148:156] = b"%06o\0 " % sum(data[:512])
    return bytes(data)


def links_to_links() -> bytes:
    chain = [(f"l{i}", "./" * 1900 + f"l{i + 1}") for i in range(39)]
    return layer(*chain, ("l39", None), *((f"l0/{i}", b"") for i in range(100)))


def named_images(folder: Path) -> Path:
    manifests = [
        {"digest": digest(name.encode()), "annotations": {"org.opencontainers.image.ref.name": name}}
        for name in ("first:1", "second:2")
    ]
    return files_of(index={"manifests": manifests})(folder)


def unconfigured(folder: Path) -> Path:
    config = {"os": "linux", "architecture": "amd64", "config": None, "rootfs": {"diff_ids": [digest(LOWER)]}}
    manifest = [{"Config": "c.json", "Layers": ["l"]}]
    texts = {"c.json": config, "manifest.json": manifest}
    return bundle(folder / "i.tar", {"l": LOWER, **{name: json.dumps(text).encode() for name, text in texts.items()}})


def with_model(path: Path, *members: bytes) -> Path:
    """An image with a model of its own, and a tarball beside it."""
    own = layer(PROGRAM, ("opt", None), ("opt/ml", None), ("opt/ml/model", None), ("opt/ml/model/own.txt", b"image's"))
    return docker_save(path, [own], more={"model.tar.gz": gzip.compress(b"".join(members), mtime=0)})


def beside(tarball: bytes) -> Callable[[Path], Path]:
    return lambda folder: with_model(folder / "i.tar", tarball)


GLOBAL = {f"key{i}": b"v" for i in range(200)}
HOSTILE: dict[str, tuple[Callable[[Path], Path], str]] = {
    "device": (one(extra=[special("disk", tarfile.BLKTYPE)]), r"layer 1 .*'disk' is a device"),
    "fifo": (one(extra=[special("pipe", tarfile.FIFOTYPE)]), r"'pipe' is neither a file, a folder nor a link"),
    "hard link out": (one(extra=[special("x", tarfile.LNKTYPE, "../../etc/shadow")]), "is a hard link to"),
    "hard link to a folder": (one(("d", None), extra=[special("x", tarfile.LNKTYPE, "d")]), "is a hard link to"),
    "large owner": (one(("x", b""), uid=70_000), "belongs to 70000:70000"),
    "long name": (one(("n/" * 300 + "x", b"")), "too long or too deep"),
    "many files": (one(*((f"f{i}", b"") for i in range(600))), "more files than are allowed"),
    "name of 300 bytes": (one(("n" * 300, b"")), "has a name of more than 255 bytes"),
    "zero in a name": (raw(pax("x", {"path": b"a\0b"})), r"'a\\x00b' is impossible"),
    "negative size": (raw(negative()), "layer 1 .* -512 bytes"),
    "negative size in a PAX header": (raw(pax("x", {"size": b"-512"})), "layer 1 .*(-512 bytes|invalid offset)"),
    "size no number can hold": (raw(pax("x", {"size": b"9" * 30})), "layer 1 .* is not a complete tar archive"),
    "chain of headers": (raw(pax("x", {"comment": b"c"})[:1024] * 3000), "layer 1 .* is not a complete tar archive"),
    "sparse file of no numbers": (
        raw(pax("x", {"GNU.sparse.map": b"a,b"})),
        "layer 1 .* is not a complete tar archive",
    ),
    "global headers": (
        raw(pax("x", GLOBAL, kind=tarfile.XGLTYPE)),
        "layer 1 .*(in global|more extended) headers",
    ),
    "link to nothing": (one(("l", "")), "'l' is a link to ''; expected 1 to 4000 bytes"),
    "link of 100,000 bytes": (one(("l", "t/" * 50_000)), "'l' is a link to .*; expected 1 to 4000 bytes"),
    "links to links": (raw(links_to_links()), "the image's links lead to links too often"),
    "two named images": (named_images, r"2 images for linux/amd64 \(first:1, second:2\); save one"),
    "two images of docker": (files_of(manifest=[{"RepoTags": ["a:1"]}, {}]), r"contains 2 images \(a:1, unnamed\)"),
    "platform of another form": (files_of(index={"manifests": [{"platform": "linux"}]}), "digest: expected a str"),
    "digest out of the archive": (
        files_of(index={"manifests": [{"digest": "sha256:../../etc/passwd"}]}),
        "expected a digest 'sha256:…', found 'sha256:../../etc/passwd'",
    ),
    "large header": (
        raw(special("x", tarfile.XHDTYPE, size=2 << 20).tobuf() + bytes((2 << 20) + 1024)),
        "is not a complete tar archive: .*an extended header of 2097152 bytes",
    ),
    "link for a mount point": (one(("tmp", "/etc")), "/tmp is a link in the image"),
    "no platform that runs here": (
        lambda f: oci_layout(f / "i.tar", [LOWER], platforms=[("linux", "arm64")]),
        "no image for linux/amd64; there is linux/arm64",
    ),
    "cut off": (lambda f: docker_save(f / "i.tar", [layer(PROGRAM)[:700]]), "is not a complete tar archive"),
    "no image": (lambda f: bundle(f / "i.tar", {"readme": b"x"}), "not a container image: expected an OCI layout"),
    "zstd": (
        lambda f: docker_save(f / "i.tar", [b"\x28\xb5\x2f\xfd" + bytes(600)]),
        "is compressed with zstd; save the image with gzip",
    ),
    "no configuration": (unconfigured, "neither an entry point nor a command"),
    "model that leads out": (beside(layer(("../x", b""))), r"model\.tar\.gz: '\.\./x' leads out of the image"),
    "model with a hard link out": (
        beside(layer(extra=[special("a", tarfile.LNKTYPE, "/run.sh")])),
        r"model\.tar\.gz: .* hard link",
    ),
    "model that is no archive": (beside(b"no archive"), r"model\.tar\.gz is not a complete tar archive"),
    "large model": (beside(bytes(1 << 23)), r"model\.tar\.gz unpacks to more"),
    "large JSON": (lambda f: bundle(f / "i.tar", {"manifest.json": b" " * (5 << 20)}), "manifest.json has 5 MiB"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_wrong_image_is_refused_and_leaves_nothing(name: str, tmp_path: Path) -> None:
    write, wish = HOSTILE[name]
    with pytest.raises(EntryError, match=wish):
        made(write(tmp_path), model="/opt/ml/model")
    assert not [p for p in (tmp_path / "state" / "layers").iterdir() if not p.name.endswith(".lock")]
    assert not list(tmp_path.rglob("shadow"))


def test_damaged_image_is_named(tmp_path: Path) -> None:
    archive = oci_layout(tmp_path / "i.tar", [LOWER])
    archive.write_bytes(archive.read_bytes().replace(b"/run.sh", b"/bad.sh"))
    with pytest.raises(EntryError, match="does not match its digest"):
        made(archive)
    archive = docker_save(tmp_path / "i.tar", [LOWER], compress=True)
    archive.write_bytes(archive.read_bytes()[:-30])
    with pytest.raises(EntryError, match="the container image is damaged"):
        made(archive)


@pytest.mark.slow
def test_more_owners_than_a_squashfs_can_hold_are_refused(tmp_path: Path) -> None:
    owned = [special(f"u{i}", tarfile.REGTYPE, uid=i, gid=65_535 - i) for i in range(32_768)]
    (tmp_path / "0").write_bytes(layer(extra=owned))
    with pytest.raises(EntryError, match="layer 0: the image has more than 65535 different users and groups"):
        Tree(40_000).add(0, "layer 0", tmp_path / "0")


def test_full_disk_is_not_the_teams_fault(tmp_path: Path) -> None:
    archive = docker_save(tmp_path / "i.tar", [layer(PROGRAM, ("big", bytes(1 << 16)))])
    image = read_image(archive, tmp_path / "plain", LIMITS)
    with pytest.raises(Fault, match="/dev/full: No space left"):
        unpack_layer(archive, image.layers[0], Path("/dev/full"), 1 << 20)


def test_links_between_layers_of_an_old_docker_are_followed(tmp_path: Path) -> None:
    plain = docker_save(tmp_path / "i.tar", [LOWER, LOWER])
    with tarfile.open(plain) as tar, tarfile.open(tmp_path / "old.tar", "w") as out:
        for member in tar:
            if member.name == "1/layer.tar":
                out.addfile(special("1/layer.tar", tarfile.SYMTYPE, "../0/layer.tar"))
            else:
                out.addfile(member, tar.extractfile(member))
    image = read_image(tmp_path / "old.tar", tmp_path / "plain", LIMITS)
    assert image.layers[0].blob == image.layers[1].blob


NAMES = st.sampled_from(["a", "b", "c"])
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)
MEMBERS = st.one_of(
    st.tuples(PATHS, st.one_of(st.none(), st.binary(max_size=3))),
    st.tuples(PATHS.map(lambda p: f"{p.rpartition('/')[0]}/.wh.{p.rpartition('/')[2]}".lstrip("/")), st.just(b"")),
    st.tuples(PATHS.map(lambda p: f"{p}/.wh..wh..opq"), st.just(b"")),
    st.tuples(PATHS.map(lambda p: f"{p}/link"), st.sampled_from(["a", "/b", "../c"])),  # never above another path
)


def model(layers: list[list[Entry]]) -> dict[str, str | bytes | None]:
    """Paths of the merged tree with their contents, by applying the layers to a dictionary."""
    tree: dict[str, str | bytes | None] = {}

    def drop(path: str, *, itself: bool = True) -> None:
        for name in [n for n in tree if (itself and n == path) or n.startswith(f"{path}/")]:
            del tree[name]

    for entries in layers:
        for name, _ in entries:
            folder, _, last = name.rpartition("/")
            if last == ".wh..wh..opq":
                if tree.get(folder, b"") is None:
                    drop(folder, itself=False)
            elif last.startswith(".wh."):
                drop(f"{folder}/{last[4:]}".lstrip("/"))
        for name, content in entries:
            folder, _, last = name.rpartition("/")
            if last.startswith(".wh."):
                continue
            parts = name.split("/")
            for i in range(1, len(parts)):
                above = "/".join(parts[:i])
                if tree.get(above, b"") is not None:
                    drop(above)
                    tree[above] = None
            if content is not None or tree.get(name, b"") is not None:
                drop(name)
            tree[name] = content
    return tree


@settings(max_examples=150)
@given(st.lists(st.lists(MEMBERS, max_size=6), min_size=1, max_size=4))
def test_merge_is_that_of_a_simple_model(tmp_path_factory: pytest.TempPathFactory, layers: list[list[Entry]]) -> None:
    folder = tmp_path_factory.mktemp("layers")
    tree, files = Tree(10_000), []
    for number, entries in enumerate(layers):
        files.append(folder / f"{number}.tar")
        files[-1].write_bytes(layer(*entries))
        tree.add(number, f"layer {number}", files[-1])
    found = {
        path: {"folder": None, "link": node.target}.get(node.kind, tree.read(path, files, 100))
        for path, node in tree.paths()
    }
    assert found == model(layers)


def test_tarball_beside_an_image_takes_the_place_of_a_folder_that_everybody_may_read(tmp_path: Path) -> None:
    hard = special("net/again", tarfile.LNKTYPE, "net/weights.bin")
    tarball = layer(("net", None), ("net/weights.bin", b"12"), (".wh.net", b"no whiteout"), mode=0o600, extra=[hard])
    archive = with_model(tmp_path / "i.tar", tarball)
    found = made(archive, "go", model="/opt/ml/model")
    assert found.model == hashlib.sha256(gzip.compress(tarball, mtime=0)).hexdigest()
    inside = {name: one.mode for name, one in contents(found.layer).items() if name.startswith("opt/ml/model/")}
    assert inside == {
        "opt/ml/model/.wh.net": 0o644,
        "opt/ml/model/net": 0o755,
        "opt/ml/model/net/again": 0o644,
        "opt/ml/model/net/weights.bin": 0o644,
    }
    assert read(found.layer, "opt/ml/model/net/weights.bin") == b"12"
    assert made(archive, "go", model="/opt/ml/model") == found
    without = made(archive, "go")
    assert without.model == "" and read(without.layer, "opt/ml/model/own.txt") == b"image's"
    other = with_model(tmp_path / "other.tar", layer(("weights.bin", b"34")))
    assert made(other, "go", model="/opt/ml/model").layer != found.layer


@pytest.mark.parametrize("offset", [2**62, 2**70])
def test_reader_that_names_a_model_beyond_every_file_makes_no_fault_of_the_host(
    offset: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def taken_over(bounds: Bounds, work: Callable[..., Any], *words: Any) -> Any:
        if work is read_image:
            blob = Blob(name="model.tar.gz", offset=offset, size=2**70)
            return replace(read_image(*words), model=blob)
        raise EntryError("refused by another reader")

    monkeypatch.setattr(container, "isolated", taken_over)
    with pytest.raises(EntryError, match="refused by another reader"):
        container_layer(with_model(tmp_path / "i.tar", layer()), "", tmp_path / "s", LIMITS, str, model="/opt/ml/model")
