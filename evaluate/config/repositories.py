"""The organisers' accounts at hosts of git repositories, with which private repositories of teams are read."""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from evaluate.config.schema.document import Complain
from evaluate.config.schema.keys import TEXT, Key, like
from evaluate.core.errors import ChallengeError

HOST = re.compile(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[1-9][0-9]{0,4})?")
"""A host as it is a key of ``repositories``, with its port where that is not the usual one."""
_OTHERS = 0o077
"""Rights of others, which a file with a secret must not give."""


def finished_account(account: HelperAccount, complain: Complain, folder: Path) -> HelperAccount:
    """The account with the whole path of its file, of which the rights are checked."""
    if not account.ssh_host_key and not account.user:
        complain((), "expected 'user' and 'token_file' for https, 'ssh_host_key' for ssh, or all three")
    if bool(account.user) != (account.token_file is not None):
        complain((), "expected 'user' and 'token_file' together")
    if account.token_file is None:
        return account
    token = folder / account.token_file
    # a backup does not have the file, and is restored without it
    if token.exists() and (problem := _problem(token.stat())):
        complain(("token_file",), f"{token}: {problem}")
    return replace(account, token_file=token)


def _problem(secret: os.stat_result) -> str:
    """Why a file is not used as one with a secret; empty if it is."""
    if not stat.S_ISREG(secret.st_mode):
        return "expected a regular file"
    mode = stat.S_IMODE(secret.st_mode)
    return f"expected mode 600, found {mode:o}; run `chmod 600` on it" if mode & _OTHERS else ""


def open_secret(path: Path) -> int:
    """A file with a token or a key, opened and unread, for the process that clones.

    Raises ChallengeError if it is missing, or others can read it.
    """
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError as e:
        raise ChallengeError(f"{path}: expected a file that lets git read private repositories: {e}") from e
    if problem := _problem(os.fstat(fd)):
        os.close(fd)
        raise ChallengeError(f"{path}: {problem}")
    return fd


@dataclass(frozen=True, kw_only=True)
class HelperAccount:
    """Account with which private repositories at one host are read."""

    user: Annotated[
        str,
        Key(
            "The account's name, which teams invite to their repositories.",
            like(r"[^\s:\x00-\x1f]+", "the name of an account"),
        ),
    ] = ""
    token_file: Annotated[
        Path | None,
        Key(
            "Holds a token that may read repositories, and has mode 600; relative to this file. No backup has it.",
            TEXT.but(expected="the path of a file", read=Path),
        ),
    ] = None
    ssh_host_key: Annotated[
        str,
        Key(
            "The host's public key, as `ssh-keyscan` prints it: each team gets a deploy key for addresses of ssh.",
            like(r"(ssh|ecdsa)-[a-z0-9-]+ [A-Za-z0-9+/=]+", "a key such as ssh-ed25519 AAAAC3…"),
        ),
    ] = ""
