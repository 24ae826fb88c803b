"""The server of a repository behind walls: how git logs in there, and whose fault it is that it is not let in."""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from evaluate.core.errors import ChallengeError, EntryError, EvaluateError

_REFUSED = re.compile(r"could not read (?:Username|Password)|Authentication failed|returned error: 401")
_HIDDEN = re.compile(
    r"not found|returned error: (?:403|404)|does not appear to be a git repository|Permission denied", re.I
)
"""Messages of a server to an account without access, which are the same as where there is no repository."""
_OTHER_HOST = "Host key verification failed"
_MOST_SECRET_BYTES = 4096
_SSH = """Host *
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
    (folder / "config").write_text(_SSH.format(address=address, folder=folder))
    (folder / "hosts").write_text(f"host {login.ssh_host_key}\n")
    try:
        yield RepositoryServer(url=url, login=login, environment={"GIT_SSH": "ssh", "GIT_SSH_VARIANT": "ssh"})
    finally:
        key.unlink()
