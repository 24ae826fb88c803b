"""Hosts that share no folder: what one publishes the other fetches, whole."""

from pathlib import Path

import pytest

from evaluate.core.errors import Fault, UsageError
from evaluate.store.files.depot import Mirror, SharedFolder, open_depot

NAME = "work/e1/1/prep"
Hosts = tuple[Path, Mirror, Path, Mirror]


@pytest.fixture
def hosts(tmp_path: Path) -> Hosts:
    """Two hosts and one place; fsspec's own local files stand for an object store."""
    parts: list[Path | Mirror] = []
    for name in "ab":
        (tmp_path / name).mkdir()
        folder, depot = open_depot(tmp_path / name, f"file://{tmp_path}/store")
        assert isinstance(depot, Mirror)
        parts += [folder, depot]
    return tuple(parts)  # type: ignore[return-value]


def test_folder_arrives_whole_with_its_modes_and_holes(hosts: Hosts) -> None:
    here, ours, there, theirs = hosts
    folder = here / NAME
    (folder / "deep").mkdir(parents=True)
    folder.chmod(0o711)
    (folder / "deep" / "result.json").write_text("{}")
    with (folder / "disk").open("wb") as f:
        f.truncate(64 << 20)
    (folder / "disk").chmod(0o640)
    assert not theirs.has(NAME)
    ours.publish(NAME)
    assert theirs.has(NAME)
    theirs.fetch(NAME)
    arrived = there / NAME
    assert (arrived / "deep" / "result.json").read_text() == "{}"
    assert (arrived / "disk").stat().st_size == 64 << 20
    assert (arrived / "disk").stat().st_mode & 0o777 == 0o640
    assert arrived.stat().st_mode & 0o777 == 0o711
    assert [path.name for path in arrived.parent.iterdir()] == ["prep"]


def test_what_is_below_a_name_is_found_here_and_there_and_a_link_arrives_with_what_it_leads_to(hosts: Hosts) -> None:
    here, ours, there, theirs = hosts
    for folder, name in ((here, "a"), (here, "b"), (there, "c")):
        (folder / "evidence" / "e1").mkdir(parents=True, exist_ok=True)
        (folder / "evidence" / "e1" / name).touch()
    ours.publish("evidence/e1/a")
    assert theirs.below("evidence/e1") == ["evidence/e1/a", "evidence/e1/c"]
    assert theirs.below("evidence/e2") == []
    assert SharedFolder(here).below("evidence/e1") == ["evidence/e1/a", "evidence/e1/b"]
    assert SharedFolder(here).below("evidence/e2") == []
    (here / "images" / "bookworm-1").mkdir(parents=True)
    (here / "images" / "bookworm-1" / "vmlinuz").write_text("kernel")
    (here / "images" / "bookworm").symlink_to("bookworm-1")
    ours.publish("images/bookworm")
    theirs.fetch("images/bookworm")
    assert (there / "images" / "bookworm").readlink() == Path("bookworm-1")
    assert (there / "images" / "bookworm" / "vmlinuz").read_text() == "kernel"


@pytest.mark.parametrize(
    ("kind", "act"),
    [("file", "publish"), ("file", "agree"), ("folder", "publish"), ("link", "publish"), ("file", "agree later")],
)
def test_of_two_hosts_that_publish_a_name_at_once_or_agree_on_it_the_first_wins_and_the_other_adopts_it(
    hosts: Hosts, monkeypatch: pytest.MonkeyPatch, kind: str, act: str
) -> None:
    here, ours, there, theirs = hosts
    name = "layers/k"
    for folder, text in ((here, "monday"), (there, "tuesday")):
        path = folder / name
        path.parent.mkdir()
        if kind == "file":
            path.write_text(text)
        elif kind == "folder":
            path.mkdir()
            (path / "result.json").write_text(text)
        else:
            (path.parent / text).write_text(text)
            path.symlink_to(text)
    (verb, *later), read = act.split(), theirs._read

    def too_early(asked: str) -> object:
        """Nothing is there yet; right afterwards it is."""
        if asked == name:
            monkeypatch.setattr(theirs, "_read", read)
            ours.publish(name)
            return None
        return read(asked)

    if later:
        ours.agree(name)
    else:
        monkeypatch.setattr(theirs, "_read", too_early)
    getattr(theirs, verb)(name)
    for folder in (here, there):
        path = folder / name
        assert (path / "result.json" if kind == "folder" else path).read_text() == "monday"
        assert not list(path.parent.glob(".*"))


def test_a_name_is_created_once_on_an_object_store_too(tmp_path: Path) -> None:
    _, depot = open_depot(tmp_path, f"memory://{tmp_path.name}")
    assert isinstance(depot, Mirror)
    assert depot._create_name("a/b", {"link": "c"})
    assert not depot._create_name("a/b", {"link": "d"})
    assert depot._read("a/b") == {"link": "c"}


def test_what_was_changed_on_the_way_is_refused(hosts: Hosts, tmp_path: Path) -> None:
    here, ours, there, theirs = hosts
    (here / "a").write_text("text")
    ours.publish("a")
    (blob,) = (tmp_path / "store" / "blobs").iterdir()
    blob.write_text("other")
    with pytest.raises(Fault, match=r"a of .*: expected the digest [0-9a-f]{64}, found [0-9a-f]{64}"):
        theirs.fetch("a")
    assert list(there.iterdir()) == []


def test_unknown_name_is_left_alone_and_a_broken_place_is_a_fault(hosts: Hosts, tmp_path: Path) -> None:
    here, ours, _, theirs = hosts
    theirs.fetch("nothing")
    (here / "a").write_text("text")
    ours.publish("a")
    (tmp_path / "store" / "names" / "a").write_text("{")
    with pytest.raises(Fault, match="asking for a: "):
        theirs.fetch("a")


def test_folder_is_the_state_directory_unless_another_is_named(tmp_path: Path) -> None:
    folder, depot = open_depot(tmp_path, "")
    assert folder == tmp_path
    assert isinstance(depot, SharedFolder)
    (tmp_path / "srv").mkdir()
    assert open_depot(tmp_path, str(tmp_path / "srv"))[0] == tmp_path / "srv"
    with pytest.raises(UsageError, match=r"shared: expected a folder .* found none at .*none"):
        open_depot(tmp_path, str(tmp_path / "none"))
    with pytest.raises(Fault, match="shared: nosuch://x/y: "):
        open_depot(tmp_path, "nosuch://x/y")
