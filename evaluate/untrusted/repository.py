"""Entries that are git repositories: a ``git bundle`` file, or an address that ends in ``.git``, by HTTPS or ssh.

The repository is fetched bare, behind walls in which only git can be started (no other protocol, no hooks, no
submodules, no prompts, bounded in size and time), and its files are written to a tar archive.  Nothing is checked out
on the host: no filter, attribute or link of the repository takes effect.

A private repository is read with the organisers' account at its host, or by ssh with a key of its team.  The file of
the token or key is opened here and read behind the walls, where only the program that fetches gets it, for that host.
"""

from __future__ import annotations

import base64
import errno
import ipaddress
import os
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

from msgspec import Meta

from evaluate.config.types import HelperAccount, open_secret
from evaluate.confine import children as bounded
from evaluate.confine.isolated import Bounds, isolated
from evaluate.confine.ownership import temporary_folder
from evaluate.confine.scratch import PLACE, Scratch
from evaluate.confine.walls import Openings
from evaluate.core.errors import ChallengeError, EntryError, EvaluateError, Fault, UsageError

ARCHIVE = "repository.tar"
Commit = Annotated[str, Meta(pattern=r"^[0-9a-f]{40,64}$")]
_SIGNATURES = (b"# v2 git bundle\n", b"# v3 git bundle\n")
_SECONDS = 600.0
_BYTES = 2 << 30
_MOST_FILES, _LISTING_BYTES = 100_000, 64 << 20
_MOST_LINK_BYTES = 4096
_SUBMODULE, _SYMLINK = "160000", "120000"
_AS_COMMITTED = "* -export-ignore -export-subst -text -eol -ident -filter -working-tree-encoding\n"
_NETWORK = re.compile(
    r"Could not resolve|Failed to connect|[Tt]imed out|Connection (?:reset|refused|closed)|HTTP 5|error: 5"
    r"|[Cc]ertificate"
)
_PLAIN = re.compile(r"(?!\.+$)[A-Za-z0-9._~-]+")
"""A part of a path that has no other spelling."""
_ADDRESS = re.compile(
    r"(?:https://|ssh://[a-z_][a-z0-9_-]*@)(?P<host>[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(?::(?P<port>[0-9]{1,5}))?"
    r"/[A-Za-z0-9._~%+/@-]+\.git"
)
_NO_SUCH_NAME = (socket.EAI_NONAME, socket.EAI_NODATA)
"""Answers that name servers give for certain; all else is trouble on the way to them."""
_SSH = "ssh://"
_PORTS = {True: 22, False: 443}
"""Usual port of ssh, and of HTTPS."""
_WISH = "expected an address such as https://example.org/team/entry.git"
_TRANSLATED = ipaddress.IPv6Network("64:ff9b::/96")
"""IPv6 addresses that represent IPv4 addresses."""
_UNICAST = ipaddress.IPv6Network("2000::/3")
"""The IPv6 addresses that are given to public machines; further forms that represent IPv4 addresses are outside."""
_CERTIFICATES = ("SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO")
_PROXIES = ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy")
_KEPT = (*_PROXIES, "NO_PROXY", "no_proxy", *_CERTIFICATES)
_MEMORY_BYTES = 4 << 30
_TAR_OVERHEAD = 2
"""A tar archive of small files is larger than they are."""


_REFUSED = re.compile(r"could not read (?:Username|Password)|Authentication failed|returned error: 401")
_HIDDEN = re.compile(
    r"not found|returned error: (?:403|404)|does not appear to be a git repository|Permission denied", re.I
)
"""Messages of a server to an account without access, which are the same as where there is no repository."""
_OTHER_HOST = "Host key verification failed"
_MOST_SECRET_BYTES = 4096
_SSH_CONFIG = """Host *
HostName {address}
HostKeyAlias host
UserKnownHostsFile {folder}/hosts
GlobalKnownHostsFile {folder}/hosts
StrictHostKeyChecking yes
UpdateHostKeys no
IdentityFile {folder}/key
IdentitiesOnly yes
PreferredAuthentications publickey
BatchMode yes
ConnectTimeout 60
ServerAliveInterval 20
LogLevel ERROR
"""


class AddressError(UsageError):
    """An address from which no repository is fetched."""


class Unreachable(Fault):
    """The server of an address does not answer, or too slowly."""


@dataclass(frozen=True, kw_only=True)
class Login:
    """The account with which git logs in at a host."""

    host: str
    """Name in ``repositories`` of ``evaluate.yaml``."""
    user: str
    secret: int
    """The opened file of its token, or of a deploy key."""
    ssh_host_key: str
    """Empty: the host is asked by HTTPS."""


@dataclass(frozen=True, kw_only=True)
class RepositoryServer:
    """The server of an address."""

    url: str
    login: Login | None
    environment: dict[str, str]
    """Variables for the program that fetches, and for no other; no argument has the token."""
    secrets: tuple[str, ...] = ()

    def without_secrets(self, text: str) -> str:
        """Remove the token from what git said, should a server have sent it back."""
        for secret in self.secrets:
            text = text.replace(secret, "…")
        return text

    def refused(self, message: str) -> EvaluateError | None:
        """The error for a server that does not let the account, or nobody, read the repository; None: it is another."""
        if self.login is None:
            return (
                EntryError(
                    f"{self.url}: not found, or private; expected a public repository, since the organisers have no "
                    "account at this host. Is it spelt right? Make it public, or hand in an archive"
                )
                if _REFUSED.search(message) or _HIDDEN.search(message)
                else None
            )
        host, user = self.login.host, self.login.user
        if self.login.ssh_host_key and _OTHER_HOST in message:
            return ChallengeError(
                f"{host} has another key than repositories.{host}.ssh_host_key of evaluate.yaml says; compare it with "
                "the one that the host publishes"
            )
        if self.login.ssh_host_key and _HIDDEN.search(message):
            return EntryError(
                f"{self.url}: not found, or your team's deploy key is not in it. Is it spelt right? The page on which "
                "repositories are submitted shows the key; add it for reading (GitHub: Settings, Deploy keys; GitLab: "
                "Settings, Repository, Deploy keys), and submit the repository again"
            )
        if _REFUSED.search(message):
            return ChallengeError(
                f"{host} refuses the token of {user}: it is wrong, expired or revoked; make a new one there that may "
                f"read repositories, and put it into the file of repositories.{host}.token_file in evaluate.yaml"
            )
        if _HIDDEN.search(message):
            return EntryError(
                f"{self.url}: not found, or the organisers' account {user} has no access. Is it spelt right? "
                f"If it is private, invite {user} as a reader (GitHub: Settings, Collaborators, Add people; GitLab: "
                "Manage, Members, Invite members, role Reporter), wait until the invitation is accepted, and submit "
                "it again"
            )
        return None


@contextmanager
def logged_in(url: str, login: Login | None, address: str, home: Path) -> Iterator[RepositoryServer]:
    """Behind walls: the server, with what git needs to log in there; at the end the key for ssh is removed.

    * ``address``: the IP address for ssh, which was checked.
    * ``home``: the home of the process's user.
    """
    if login is None:
        yield RepositoryServer(url=url, login=None, environment={})
        return
    with os.fdopen(login.secret, "rb") as file:
        secret = file.read(_MOST_SECRET_BYTES).decode(errors="replace").strip()
    if not secret:
        raise ChallengeError(f"the file that repositories.{login.host}.token_file of evaluate.yaml names is empty")
    if not login.ssh_host_key:
        both = base64.b64encode(f"{login.user}:{secret}".encode()).decode()
        setting = {
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": f"http.https://{login.host}/.extraHeader",
            "GIT_CONFIG_VALUE_0": f"Authorization: Basic {both}",
        }
        yield RepositoryServer(url=url, login=login, environment=setting, secrets=(both, secret))
        return
    folder = home / ".ssh"
    folder.mkdir(mode=0o700)
    key = folder / "key"
    key.touch(0o600)
    key.write_text(f"{secret}\n")
    (folder / "config").write_text(_SSH_CONFIG.format(address=address, folder=folder))
    (folder / "hosts").write_text(f"host {login.ssh_host_key}\n")
    try:
        yield RepositoryServer(url=url, login=login, environment={"GIT_SSH": "ssh", "GIT_SSH_VARIANT": "ssh"})
    finally:
        key.unlink()


@dataclass(frozen=True, kw_only=True)
class RepositoryRequest:
    """Repository to be fetched, and the means for it."""

    address: str
    """Empty: it is a bundle."""
    addresses: tuple[str, ...]
    """IP addresses of the server."""
    environment: Mapping[str, str]
    """Variables that git gets."""
    login: Login | None
    commit: str
    most_bytes: int
    seconds: float


def is_address(text: str) -> bool:
    """True if an entry is given as an address rather than as a path."""
    return url_of(text) != text or "://" in text


def url_of(address: str) -> str:
    """An address such as git@example.org:team/entry.git as a URL; others are as they are."""
    return re.sub(r"^([a-z_][a-z0-9_-]*@[^/:@]+):/?", r"ssh://\1/", address)


def by_ssh(address: str) -> bool:
    """True if the server of an address is asked by ssh."""
    return url_of(address).startswith(_SSH)


def is_bundle(path: Path) -> bool:
    """True if a file is a ``git bundle``."""
    with path.open("rb") as f:
        return f.read(16) in _SIGNATURES


def host_of(address: str) -> str:
    """The host of an address as ``repositories`` of ``evaluate.yaml`` names it; empty if it is no such address."""
    parts = _ADDRESS.fullmatch(url_of(address))
    if parts is None:
        return ""
    usual = _PORTS[by_ssh(address)]
    port = int(parts["port"] or usual)
    return parts["host"].lower() + (f":{port}" if port != usual else "")


def only_name(address: str) -> str:
    """The name of a repository, one for all of its addresses: hosts do not tell small letters from capitals.

    Raises AddressError if the path is not written as hosts show it, which would be a second name.
    """
    path = url_of(address).partition("://")[2].partition("/")[2].removesuffix(".git")
    if not all(_PLAIN.fullmatch(part) and not part.endswith(".git") for part in path.split("/")):
        raise AddressError(f"{address}: expected the path as its host shows it, with letters, digits, '-', '_' and '.'")
    return f"{host_of(address)}/{path}".lower()


def fetch_repository(
    source: str | Path,
    scratch: Path,
    *,
    accounts: Mapping[str, HelperAccount] = MappingProxyType({}),
    commit: str = "",
    most_bytes: int = _BYTES,
    seconds: float = _SECONDS,
    loopback: bool = False,
) -> Commit:
    """Fetch a repository and write its files to `ARCHIVE` in ``scratch``: a plain tar, the same for a commit.

    Returns the commit that they were taken from.

    Raises AddressError if the address is not allowed. Raises EntryError if the repository is damaged, empty, too large,
    not accessible, or holds something an entry must not contain. Raises ChallengeError if the server refuses the
    organisers' token. Raises Unreachable if the server does not answer. Raises Fault if git is missing.

    * ``source``: an address, or a bundle file.
    * ``accounts``: of the organisers, by `host_of`, with the file of a deploy key for ssh; their hosts may be in a
      private network.
    * ``commit``: the commit to take, which was the head of the default branch; by default the present one.
    * ``most_bytes``: bound of the repository, and of its files together.
    * ``loopback``: whether an address of this machine or a private network is allowed, as tests need it.
    """
    address, bundle = ("", source.resolve()) if isinstance(source, Path) else (url_of(source), None)
    by_network, ssh, host = bundle is None, by_ssh(address), host_of(address)
    account = accounts.get(host, HelperAccount())
    private = loopback or host in accounts
    addresses = check_address(address, ssh=bool(account.ssh_host_key), loopback=private) if by_network else ()
    programs = ["git", "prlimit", *(["ssh"] if ssh else [])]
    bounded.require(programs)
    helpers = bounded.tool(["git", "--exec-path"], doing="looking for git's programs").decode().strip()
    kept = {key: os.environ[key] for key in _KEPT if key in os.environ}
    with temporary_folder("repository-", scratch) as work, ExitStack() as opened:
        secret = open_secret(account.token_file) if account.token_file else None
        if secret is not None:
            opened.callback(os.close, secret)
        made = work / ARCHIVE
        made.touch(0o644, exist_ok=False)
        bounds = Bounds(
            doing="fetching the repository",
            seconds=max(1.0, seconds),
            memory_bytes=_MEMORY_BYTES,
            file_bytes=_TAR_OVERHEAD * most_bytes + _LISTING_BYTES,
            # a server that is down is tried again
            raises=(EntryError, ChallengeError, Unreachable, Fault) if by_network else (EntryError,),
            openings=Openings(
                # certificates that this host's administrator chose
                reads=tuple(Path(kept[key]) for key in _CERTIFICATES if key in kept) if by_network else (),
                writes=(made,),
                scratch=Scratch(folder=work, most_bytes=_TAR_OVERHEAD * most_bytes + _LISTING_BYTES),
                programs=(*(Path(path) for name in programs if (path := shutil.which(name))), Path(helpers)),
                network=by_network,
                named_user=ssh,
            ),
            pass_fds=() if secret is None else (secret,),
        )
        host_key = account.ssh_host_key if ssh else ""
        login = None if secret is None else Login(host=host, user=account.user, secret=secret, ssh_host_key=host_key)
        request = RepositoryRequest(
            address=address,
            addresses=addresses,
            environment=kept,
            login=login,
            commit=commit,
            most_bytes=most_bytes,
            seconds=seconds,
        )
        fetched = isolated(bounds, read_repository, request, bundle, PLACE, made)
        made.replace(scratch / ARCHIVE)
        return fetched


def read_repository(request: RepositoryRequest, bundle: Path | None, work: Path, archive: Path) -> Commit:
    """Behind walls: fetch a repository and write its files to ``archive``; raises as `fetch_repository`."""
    os.environ.update({**request.environment, "PATH": os.environ["PATH"]})
    bare, address, addresses = work / "repository.git", request.address, request.addresses
    most_bytes, seconds = request.most_bytes, request.seconds
    if bundle is not None:
        # a bundle may name no default branch, so all of its branches are taken
        _run([*_CLONE, "--", str(bundle), str(bare)], bare, most_bytes, seconds)
    else:
        with logged_in(address, request.login, addresses[0] if addresses else "", work) as server:
            words = [*_CLONE, "--single-branch", "--depth=1", *_pin(address, addresses), "--", address, str(bare)]
            _run(words, bare, most_bytes, seconds, server)
            if request.commit:
                _fetch_commit(request.commit, bare, most_bytes, seconds, server)
    commit = request.commit or _head(bare)
    _check_files(bare, commit, most_bytes)
    _write_files(bare, commit, archive, most_bytes)
    return commit


def check_address(address: str, *, ssh: bool = False, loopback: bool = False) -> tuple[str, ...]:
    """Only addresses of public machines that end in ``.git``; returns the IP addresses of the name.

    git may use only these addresses, so that the name cannot resolve to another machine between this look-up and its
    own.  Behind a proxy, which looks names up itself, a name may be unknown here and nothing is returned: that proxy
    must refuse private networks.  Raises AddressError if it is a different kind of address, or there is no machine of
    that name. Raises Unreachable if the name cannot be looked up, and no proxy is set that could.

    ``ssh``: whether ssh is allowed besides HTTPS.
    """
    address = url_of(address)
    parts = _ADDRESS.fullmatch(address)
    shown = address if parts else repr(re.sub(r"//.*@", "//…@", address, flags=re.DOTALL))
    if "@" in shown and not parts:
        raise AddressError(f"{shown}: an address with a name or password in it is not accepted; {_WISH}")
    if by_ssh(address) and not ssh:
        raise AddressError(f"{shown}: the organisers have set up no ssh at this host; {_WISH}")
    port = int((parts and parts["port"]) or _PORTS[by_ssh(address)])
    if parts is None or not 0 < port < 65536:
        raise AddressError(f"{shown}: {_WISH}")
    host = parts["host"].strip("[]")
    try:
        addresses = {str(item[4][0]) for item in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)}
    except UnicodeError as e:
        raise AddressError(f"{shown}: {host} is not the name of a machine; {_WISH}") from e
    except OSError as e:
        if not by_ssh(address) and any(os.environ.get(name) for name in _PROXIES):
            return ()
        if isinstance(e, socket.gaierror) and e.errno in _NO_SUCH_NAME:
            raise AddressError(
                f"{shown}: there is no machine of the name {host} ({e.strerror}); is it spelt right?"
            ) from e
        raise Unreachable(f"{shown}: {host} cannot be looked up: {e}") from e
    if not loopback and not all(_is_public(ipaddress.ip_address(ip)) for ip in addresses):
        raise AddressError(f"{shown}: {host} is not a public machine; {_WISH}")
    return tuple(sorted(addresses))


def _is_public(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if address in _TRANSLATED:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return _is_public(inner)
        if address not in _UNICAST:
            return False
    return address.is_global and not address.is_multicast


def _pin(address: str, addresses: Sequence[str]) -> list[str]:
    """The option of ``git clone`` that names the IP addresses of the server."""
    parts = _ADDRESS.fullmatch(address)
    assert parts is not None
    if not addresses or by_ssh(address) or parts["host"].startswith("["):
        return []
    shown = ",".join(f"[{ip}]" if ":" in ip else ip for ip in addresses)
    return [f"--config=http.curloptResolve={parts['host']}:{parts['port'] or 443}:{shown}"]


def _environment(scratch: Path, protocol: str) -> dict[str, str]:
    return {
        **{key: os.environ[key] for key in ("PATH", *_KEPT) if key in os.environ},
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


_CLONE = ("clone", "--bare", "--no-tags", "--template=", "--quiet")


def _git(*words: str) -> list[str]:
    settings = [word for key, value in _SETTINGS.items() for word in ("-c", f"{key}={value}")]
    return ["git", *settings, *words]


def _run(
    words: Sequence[str], bare: Path, most_bytes: int, seconds: float, server: RepositoryServer | None = None
) -> None:
    """Fetch by a command of git, from a server or from a bundle."""
    protocol = server.url.partition(":")[0] if server else "file"
    environment = _environment(bare.parent, protocol) | (server.environment if server else {})
    try:
        done = bounded.run(
            _git(*words), env=environment, cwd=bare.parent, seconds=seconds, most_bytes=most_bytes, folder=bare
        )
    except bounded.Exceeded as e:
        ours = isinstance(e, bounded.TooSlow) and server is not None
        raise (Unreachable if ours else EntryError)(f"fetching the repository {e}") from e
    if done.returncode == 0:
        return
    # lines of the server come from the team, not from git
    lines = [line for line in done.stderr.strip().splitlines() if not line.startswith("remote:")]
    whole = "\n".join(lines)
    last = "; ".join(lines[-4:])[:1000]
    if server is not None:
        last = server.without_secrets(last)
    if re.search(r"returned error: 30\d", last):
        raise EntryError(f"the server redirects to another address, which is not followed; give that one: {last}")
    if "No space left on device" in whole:
        raise Fault(f"the repository cannot be written: {last}") from OSError(errno.ENOSPC, last)  # of its own place
    if server is not None and _NETWORK.search(whole):
        raise Unreachable(f"the repository's server cannot be reached: {last}")
    raise (server and server.refused(whole)) or EntryError(f"the repository cannot be read: {last}")


def _fetch_commit(commit: str, bare: Path, most_bytes: int, seconds: float, server: RepositoryServer) -> None:
    """Fetch a commit that was the head of the default branch, which may have moved."""
    if _commit(bare, commit) == commit:
        return
    try:
        words = ["--git-dir", str(bare), "fetch", "--depth=1", "--no-tags", "--quiet", "origin", commit]
        _run(words, bare, most_bytes, seconds, server)
    except EntryError as e:
        raise EntryError(
            f"commit {commit}, which was the newest when the repository was submitted, is not in it any more; "
            f"submit it again ({e})"
        ) from e


def _ask(bare: Path, *words: str, most_bytes: int = _LISTING_BYTES) -> subprocess.CompletedProcess[str]:
    argv = _git("--git-dir", str(bare), *words)
    return bounded.run(
        argv, env=_environment(bare.parent, "none"), cwd=bare.parent, seconds=_SECONDS, most_bytes=most_bytes
    )


def _commit(bare: Path, name: str) -> str:
    return _ask(bare, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}").stdout.strip()


def _head(bare: Path) -> str:
    """The commit of the default branch."""
    if commit := _commit(bare, "HEAD"):
        return commit
    branches = _ask(bare, "for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads").stdout.split()
    for name in branches if len(branches) == 1 else ("main", "master"):
        if name in branches and (commit := _commit(bare, f"refs/heads/{name}")):
            return commit
    if not branches:
        raise EntryError("the repository contains no commit on a branch; `git bundle create FILE HEAD main` adds both")
    raise EntryError(f"the repository has no default branch; there is {', '.join(branches[:10])}")


def _check_files(bare: Path, commit: str, most_bytes: int) -> None:
    """Check the list of a commit's files, bounded: a few kilobytes of nested trees can name billions of files."""
    try:
        listing = _ask(bare, "ls-tree", "-r", "-z", "--long", commit)
    except bounded.Exceeded as e:
        raise EntryError(f"the repository names too many files; at most {_MOST_FILES} are allowed") from e
    if listing.returncode != 0:
        raise EntryError(f"the repository's commit cannot be read: {listing.stderr.strip()[-1000:]}")
    check_tree(listing.stdout, most_bytes)


def check_tree(listing: str, most_bytes: int) -> None:
    """Check the files that ``git ls-tree -r -z --long`` lists.

    Raises EntryError if there are none, too many or too large ones, or one that an entry must not contain.
    """
    lines = listing.split("\0")[:-1]
    if not lines:
        raise EntryError("the repository's commit contains no files")
    if len(lines) > _MOST_FILES:
        raise EntryError(f"the repository names {len(lines)} files; at most {_MOST_FILES} are allowed")
    total = 0
    for line in lines:
        about, _, name = line.partition("\t")
        words = about.split()
        if len(words) != 4:
            raise EntryError(f"the repository's commit cannot be read: {line[:200]!r}")
        mode, kind, _, length = words
        if {"", ".", "..", ".git"} & set(name.split("/")):
            raise EntryError(f"{name!r} leads out of the repository")
        if mode == _SUBMODULE or kind != "blob":
            raise EntryError(f"{name!r} is a submodule, which is not fetched; put its files into the repository")
        if not (length.isascii() and length.isdecimal() and len(length) < 20):
            raise EntryError(f"{name!r} is not in the repository; was it cloned or bundled with a filter?")
        if mode == _SYMLINK and int(length) > _MOST_LINK_BYTES:
            raise EntryError(f"{name!r} is a link to a name of {length} bytes")
        total += int(length)
    if total > most_bytes:
        raise EntryError(f"the repository's files have {total >> 20} MiB; at most {most_bytes >> 20} are allowed")


def _write_files(bare: Path, commit: str, archive: Path, most_bytes: int) -> None:
    """Write all files as they were committed: `_AS_COMMITTED` takes precedence over a commit's ``.gitattributes``."""
    (bare / "info").mkdir(exist_ok=True)
    (bare / "info" / "attributes").write_text(_AS_COMMITTED)
    most_bytes = _TAR_OVERHEAD * most_bytes + _LISTING_BYTES
    words = ("-c", "tar.umask=0022", "archive", "--format=tar", f"--output={archive}", commit)
    done = _ask(bare, *words, most_bytes=most_bytes)
    if done.returncode != 0:
        last = done.stderr.strip()[-1000:]
        if "No space left on device" in last:
            raise Fault(f"the repository's files cannot be written: {last}") from OSError(errno.ENOSPC, last)
        raise EntryError(f"a file cannot be read out of the repository: {last}")
