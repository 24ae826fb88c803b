"""Entries as git repositories: real bundles, a real server on loopback, and repositories that want too much."""

import os
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evaluate.core.errors import EntryError, Fault, UsageError
from evaluate.untrusted.archives import open_entry
from evaluate.untrusted.repository import ARCHIVE, fetch_repository, is_bundle
from tests.support.git_server import GitServer, commit, git, serving
from tests.support.scorers import written


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = written(tmp_path / "work", {"entry.py": "print()\n"})
    git(folder, "init", "-q")
    commit(folder)
    return folder


def bundle(folder: Path, *what: str) -> Path:
    target = folder.parent / "entry.bundle"
    git(folder, "bundle", "create", "-q", str(target), *(what or ("HEAD", "main")))
    return target


def bundle_after(folder: Path) -> Path:
    commit(folder)
    return bundle(folder)


ATTRIBUTES = b"* export-ignore export-subst eol=crlf ident filter=x working-tree-encoding=UTF-16\n"


def test_bundle_becomes_an_archive_of_its_commit_to_the_byte_in_which_no_attribute_takes_effect(
    repository: Path, tmp_path: Path
) -> None:
    files = {
        "entry.py": b"one\n$Format:%H$ $Id$\n",
        ".gitattributes": ATTRIBUTES,
        "sub/.gitattributes": ATTRIBUTES,
        os.fsdecode(b"a\tb \xff\n.txt"): b"\0\r\n",
        "large": os.urandom(3 << 20),
    }
    written(repository, files)
    (repository / "entry.py").chmod(0o755)
    (repository / "link").symlink_to("entry.py")
    git(repository, "config", "filter.x.smudge", "false")
    (repository / ".git" / "info" / "attributes").write_text("* -text -eol -ident -filter -working-tree-encoding\n")
    path = bundle_after(repository)
    assert is_bundle(path)
    assert fetch_repository(path, tmp_path) == git(repository, "rev-parse", "HEAD")
    out = tmp_path / "out"
    out.mkdir()
    subprocess.run(["tar", "-xf", tmp_path / ARCHIVE, "-C", out], check=True)
    contents = {str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*") if path.is_file()}
    assert contents == {**files, "link": files["entry.py"]}
    assert (out / "entry.py").stat().st_mode & 0o777 == 0o755
    assert (out / "link").readlink() == Path("entry.py")
    assert not (tmp_path / "repository.git").exists()


def test_commit_is_a_part_of_the_entry(repository: Path, tmp_path: Path) -> None:
    entry = open_entry(bundle(repository), tmp_path)
    assert entry.commit == git(repository, "rev-parse", "HEAD")
    other = tmp_path / "other"
    other.mkdir()
    assert open_entry(bundle(repository), other).sha256 == entry.sha256


def test_branch_of_a_bundle_is_its_head_or_main_and_of_others_it_is_asked_which(
    repository: Path, tmp_path: Path
) -> None:
    git(repository, "branch", "one")
    first, head = git(repository, "rev-parse", "HEAD"), commit(repository)
    git(repository, "branch", "two")
    assert fetch_repository(bundle(repository, "main", "one"), tmp_path) == head
    assert fetch_repository(bundle(repository, "one"), tmp_path) == first
    with pytest.raises(EntryError, match="no default branch; there is one, two"):
        fetch_repository(bundle(repository, "one", "two"), tmp_path)
    assert fetch_repository(bundle(repository, "HEAD"), tmp_path) == head


@pytest.mark.parametrize("name", ["--upload-pack=id", "-x"])
def test_branch_that_looks_like_an_option_is_a_branch(name: str, repository: Path, tmp_path: Path) -> None:
    head = git(repository, "rev-parse", "HEAD")
    git(repository, "update-ref", f"refs/heads/{name}", "HEAD")
    assert fetch_repository(bundle(repository, f"refs/heads/{name}"), tmp_path) == head
    git(repository, "symbolic-ref", "HEAD", f"refs/heads/{name}")
    assert fetch_repository(bundle(repository, "HEAD", f"refs/heads/{name}"), tmp_path) == head


def test_repository_of_sha256_objects_is_taken(tmp_path: Path) -> None:
    folder = written(tmp_path / "new", {"entry.py": "1\n"})
    git(folder, "init", "-q", "--object-format=sha256")
    assert fetch_repository(bundle_after(folder), tmp_path) == git(folder, "rev-parse", "HEAD")
    assert len(git(folder, "rev-parse", "HEAD")) == 64


def test_bundle_in_which_commits_or_files_lack_is_named(repository: Path, tmp_path: Path) -> None:
    commit(repository)
    with pytest.raises(EntryError, match="lacks these prerequisite commits"):
        fetch_repository(bundle(repository, "HEAD~1..HEAD", "main"), tmp_path)
    with pytest.raises(EntryError, match="repository"):
        fetch_repository(bundle(repository, "--filter=blob:none", "HEAD", "main"), tmp_path)
    (repository / "entry.py").unlink()
    with pytest.raises(EntryError, match="contains no files"):
        fetch_repository(bundle_after(repository), tmp_path)


@pytest.mark.parametrize(
    ("packed_mib", "unpacked_mib", "options", "message"),
    [
        (3, 0, {"most_bytes": 1 << 20}, "fetching the repository needs more than 1 MiB"),
        (0, 9, {"most_bytes": 8 << 20}, "files have 9 MiB; at most 8 are allowed"),
        (0, 0, {"seconds": -1}, "fetching the repository did not end within"),
    ],
    ids=["packed", "unpacked", "slow"],
)
def test_repository_that_is_too_large_or_slow_is_refused(
    packed_mib: int, unpacked_mib: int, options: dict[str, int], message: str, repository: Path, tmp_path: Path
) -> None:
    (repository / "big").write_bytes(os.urandom(packed_mib << 20) + bytes(unpacked_mib << 20))
    with pytest.raises(EntryError, match=message):
        fetch_repository(bundle_after(repository), tmp_path, **options)


@pytest.fixture
def server(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    git(tmp_path, "clone", "-q", "--bare", str(repository), "served.git")
    with serving(tmp_path, monkeypatch) as git_server:
        yield f"https://{git_server.host}/served.git"


def test_name_is_looked_up_once(server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """git would not find this name by itself, so it goes to the address that was checked."""
    real = socket.getaddrinfo

    def getaddrinfo(host: str, *words: Any, **names: Any) -> Any:
        return real("127.0.0.1" if host == "entry.example" else host, *words, **names)

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    address = server.replace("127.0.0.1", "entry.example")
    assert fetch_repository(address, tmp_path, loopback=True)


def test_only_the_last_commit_of_a_server_is_fetched(server: str, repository: Path, tmp_path: Path) -> None:
    (repository / "old").write_bytes(os.urandom(3 << 20))
    commit(repository)
    (repository / "old").unlink()
    head = commit(repository)
    git(repository, "push", "-q", str(tmp_path / "served.git"), "main")
    assert fetch_repository(server, tmp_path, loopback=True, most_bytes=1 << 20) == head


def test_who_is_at_fault_that_a_repository_cannot_be_fetched(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(tmp_path, "init", "-q", "--bare", "empty.git")
    for address, error, message in (
        (server.replace("served", "empty"), EntryError, "contains no commit on a branch"),
        (server.replace("served", "other"), EntryError, "not found"),
        ("https://127.0.0.1:9/served.git", Fault, "cannot be reached"),
    ):
        with pytest.raises(error, match=message):
            fetch_repository(address, tmp_path, loopback=True)
    with pytest.raises(UsageError, match="is not a public machine"):
        fetch_repository(server, tmp_path)
    for target in ("file:///etc/passwd", "/served.git/info/refs"):
        monkeypatch.setattr(GitServer, "redirect", target)
        with pytest.raises(EntryError, match="the server redirects to another address, which is not followed"):
            fetch_repository(server, tmp_path, loopback=True)
    monkeypatch.delenv("GIT_SSL_CAINFO")
    with pytest.raises(Fault, match="certificate"):
        fetch_repository(server, tmp_path, loopback=True)
