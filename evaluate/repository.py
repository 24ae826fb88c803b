"""Entries that are git repositories: a ``git bundle`` file, or an HTTPS address that ends in ``.git``.

The repository is fetched bare, by a git process that is confined (no other protocol, no hooks, no submodules, no
prompts, bounded in size and time), and its files are written to a tar archive object by object.  Nothing is checked out
on the host: no filter, attribute or link of the repository takes effect.
"""

from __future__ import annotations

import io
import ipaddress
import os
import resource
import shutil
import socket
import subprocess
import tarfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from evaluate.errors import EntryError, Fault, UsageError

_SIGNATURES = (b"# v2 git bundle\n", b"# v3 git bundle\n")
_SECONDS, _POLL_SECONDS = 600.0, 0.2
_BYTES = 2 << 30
_MEMORY_BYTES, _CPU_SECONDS = 4 << 30, 600
_LFS = b"version https://git-lfs.github.com/spec/"
_MOST_POINTER_BYTES = 1024
_SUBMODULE, _SYMLINK, _PROGRAM = "160000", "120000", "100755"
_NETWORK = ("Could not resolve host", "Failed to connect", "timed out", "Connection reset", "HTTP 5", "error: 5")


@dataclass(frozen=True, kw_only=True)
class Source:
    """A repository's files at the head of its default branch."""

    archive: Path
    """A plain tar archive; the same commit gives the same bytes."""
    commit: str
    branch: str


def is_address(text: str) -> bool:
    """Whether an entry is named by an address rather than by a path."""
    return "://" in text or text.startswith("git@")


def is_bundle(path: Path) -> bool:
    """Whether a file is a ``git bundle``."""
    with path.open("rb") as f:
        return f.read(16) in _SIGNATURES


def fetch_repository(
    source: str | Path, scratch: Path, *, most_bytes: int = _BYTES, seconds: float = _SECONDS, loopback: bool = False
) -> Source:
    """Fetch a repository and write its files to ``scratch/repository.tar``.

    Parameters
    ----------
    source : str or Path
        An address, or a bundle file.
    loopback : bool
        Whether an address of this machine or a private network is allowed, as tests need it.

    Raises
    ------
    UsageError
        The address is none that is allowed.
    EntryError
        The repository is damaged, empty, too large, or holds what an entry may not.
    Fault
        git is missing, or the server cannot be reached.
    """
    if isinstance(source, Path):
        origin, protocol = str(source.resolve()), "file"
    else:
        check_address(source, loopback=loopback)
        origin, protocol = source, "https"
    bare = scratch / "repository.git"
    try:
        _clone(origin, bare, protocol, most_bytes, seconds)
        branch, commit = _head(bare)
        archive = scratch / "repository.tar"
        with tarfile.open(archive, "w", format=tarfile.PAX_FORMAT) as tar:
            for member, data in _files(bare, commit, most_bytes):
                tar.addfile(member, io.BytesIO(data))
        return Source(archive=archive, commit=commit, branch=branch)
    finally:
        shutil.rmtree(bare, ignore_errors=True)


def check_address(address: str, *, loopback: bool = False) -> None:
    """Only HTTPS addresses of public machines that end in ``.git``.

    A name could be given another address between this look-up and git's own; a daemon in front of a private network
    should stand behind a proxy that refuses it.

    Raises
    ------
    UsageError
        It is another.
    """
    wish = "wanted an address such as https://example.org/team/entry.git"
    parts = urlsplit(address)
    if (
        parts.scheme != "https"
        or not parts.hostname
        or not parts.path.endswith(".git")
        or parts.query
        or parts.fragment
    ):
        raise UsageError(f"{address}: {wish}")
    if parts.username is not None or parts.password is not None:
        raise UsageError(f"{parts.hostname}: an address with a name or password in it is not taken; {wish}")
    try:
        found = {ipaddress.ip_address(item[4][0]) for item in socket.getaddrinfo(parts.hostname, parts.port or 443)}
    except (OSError, ValueError):
        return  # behind a proxy names are not known here; git says what it finds
    if not loopback and any(not one.is_global for one in found):
        raise UsageError(f"{address}: {parts.hostname} is no public machine; {wish}")


def _environment(scratch: Path, protocol: str) -> dict[str, str]:
    kept = ("PATH", "HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy", "SSL_CERT_FILE", "GIT_SSL_CAINFO")
    return {
        **{key: os.environ[key] for key in kept if key in os.environ},
        "HOME": str(scratch),
        "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "/bin/false",
        "GIT_ALLOW_PROTOCOL": protocol,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
    }


_SETTINGS: Mapping[str, str] = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "credential.helper": "",
    "fetch.fsckObjects": "true",
    "transfer.fsckObjects": "true",
    "http.followRedirects": "false",
    "http.lowSpeedLimit": "1000",
    "http.lowSpeedTime": "60",
    "submodule.recurse": "false",
    "protocol.version": "2",
    "gc.auto": "0",
    "pack.threads": "1",
}


def _git(*words: str) -> list[str]:
    git = shutil.which("git")
    if git is None:
        raise Fault("git is not installed; it is in the Debian package git")
    settings = [word for key, value in _SETTINGS.items() for word in ("-c", f"{key}={value}")]
    return [git, *settings, *words]


def _limit(most_bytes: int) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (_CPU_SECONDS, _CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _clone(source: str, bare: Path, protocol: str, most_bytes: int, seconds: float) -> None:
    # a bundle may name no default branch, so all of its branches are taken
    chosen = ["--single-branch", "--depth=1"] if protocol == "https" else []
    words = ["clone", "--bare", "--no-tags", "--template=", "--quiet", *chosen, "--", source, str(bare)]
    end = time.monotonic() + seconds
    with subprocess.Popen(
        _git(*words),
        env=_environment(bare.parent, protocol),
        cwd=bare.parent,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: _limit(most_bytes),  # noqa: PLW1509  # limits only; no thread holds what it needs
    ) as process:
        problem = ""
        while process.poll() is None:
            if time.monotonic() > end:
                problem = f"the repository did not arrive within {seconds:.0f} s"
            elif _size(bare) > most_bytes:
                problem = f"the repository has more than {most_bytes >> 20} MiB"
            if problem:
                os.killpg(process.pid, 9)
                break
            time.sleep(_POLL_SECONDS)
        said = process.communicate()[1].decode(errors="replace").strip()
    if problem:
        raise EntryError(problem)
    if process.returncode != 0:
        last = "; ".join(said.splitlines()[-3:])[:1000]
        if protocol == "https" and any(word in said for word in _NETWORK):
            raise Fault(f"the repository's server cannot be reached: {last}")
        raise EntryError(f"the repository cannot be read: {last}")


def _size(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*") if folder.is_dir() else ():
        try:
            total += path.lstat().st_size
        except FileNotFoundError:  # git renames while we look
            continue
    return total


def _said(bare: Path, *words: str) -> str:
    done = subprocess.run(
        _git("--git-dir", str(bare), *words),
        env=_environment(bare.parent, "none"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="surrogateescape",
        timeout=_SECONDS,
        check=False,
    )
    return done.stdout if done.returncode == 0 else ""


def _head(bare: Path) -> tuple[str, str]:
    """The default branch and its commit."""
    commit = _said(bare, "rev-parse", "--verify", "--quiet", "HEAD^{commit}").strip()
    branch = _said(bare, "symbolic-ref", "--short", "--quiet", "HEAD").strip()
    if commit:
        return branch, commit
    found = _said(bare, "for-each-ref", "--format=%(refname:short)", "refs/heads").split()
    for name in ("main", "master", *(found if len(found) == 1 else [])):
        if name in found:
            return name, _said(bare, "rev-parse", "--verify", f"refs/heads/{name}^{{commit}}").strip()
    if not found:
        raise EntryError("the repository holds no commit on a branch; `git bundle create FILE HEAD main` takes both")
    raise EntryError(f"the repository has no default branch; there is {', '.join(found[:10])}")


def _files(bare: Path, commit: str, most_bytes: int) -> Iterator[tuple[tarfile.TarInfo, bytes]]:
    """Every file of a commit with its contents, in git's order."""
    listing = _said(bare, "ls-tree", "-r", "-z", "--long", commit)
    if not listing:
        raise EntryError("the repository's commit holds no file")
    items: list[tuple[str, str, int, str]] = []
    for line in listing.split("\0"):
        if line:
            about, _, name = line.partition("\t")
            mode, kind, identity, length = about.split()
            if {"", ".", "..", ".git"} & set(name.split("/")):
                raise EntryError(f"{name!r} leads out of the repository")
            if mode == _SUBMODULE or kind != "blob":
                raise EntryError(f"{name!r} is a submodule, which is not fetched; put its files into the repository")
            items.append((mode, identity, int(length), name))
    total = sum(size for _, _, size, _ in items)
    if total > most_bytes:
        raise EntryError(f"the repository's files have {total >> 20} MiB; at most {most_bytes >> 20} are allowed")
    with subprocess.Popen(
        _git("--git-dir", str(bare), "cat-file", "--batch"),
        env=_environment(bare.parent, "none"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        for mode, identity, size, name in items:
            process.stdin.write(f"{identity}\n".encode())
            process.stdin.flush()
            process.stdout.readline()
            data = process.stdout.read(size)
            process.stdout.read(1)
            if len(data) != size:
                raise EntryError(f"{name!r} cannot be read out of the repository")
            if size <= _MOST_POINTER_BYTES and data.startswith(_LFS):
                raise EntryError(
                    f"{name!r} is a pointer of Git LFS, whose file is not in the repository; commit the file"
                )
            member = tarfile.TarInfo(name)
            if mode == _SYMLINK:
                member.type, member.linkname = tarfile.SYMTYPE, data.decode(errors="surrogateescape")
                yield member, b""
            else:
                member.size, member.mode = size, 0o755 if mode == _PROGRAM else 0o644
                yield member, data
        process.stdin.close()
