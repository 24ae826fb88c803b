"""The organisers' accounts at hosts of git repositories, with which private repositories of teams are read."""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from evaluate.core.errors import ChallengeError
from evaluate.schema.document import Complain
from evaluate.schema.keys import TEXT, Key, like

HOST = re.compile(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[1-9][0-9]{0,4})?")
"""A host as it is a key of ``repositories``, with its port where that is not 443."""
_OTHERS = 0o077
"""Rights of others, which a file with a secret must not give."""


def finished_account(account: HelperAccount, complain: Complain, folder: Path) -> HelperAccount:
    """The account with the whole path of its file, of which the rights are checked."""
    token = folder / account.token_file
    # a backup does not have the file, and is restored without it
    if token.exists() and (problem := _problem(token.stat())):
        complain(("token_file",), f"{token}: {problem}")
    return replace(account, token_file=token)


def _problem(token: os.stat_result) -> str:
    """Why a file is not used as one with a token; empty if it is."""
    if not stat.S_ISREG(token.st_mode):
        return "expected a regular file"
    mode = stat.S_IMODE(token.st_mode)
    return f"expected mode 600, found {mode:o}; run `chmod 600` on it" if mode & _OTHERS else ""


@dataclass(frozen=True, kw_only=True)
class HelperAccount:
    """An account at one host."""

    user: Annotated[
        str,
        Key(
            "The account's name, which teams invite to their repositories.",
            like(r"[^\s:\x00-\x1f]+", "the name of an account"),
            required=True,
        ),
    ]
    token_file: Annotated[
        Path,
        Key(
            "Holds a token that may read repositories, and has mode 600; relative to this file. No backup has it.",
            TEXT.but(expected="the path of a file", read=Path),
            required=True,
        ),
    ]

    def open_token(self) -> int:
        """The file of the token, opened and unread, for the process that clones.

        Raises ChallengeError if it is missing, or others can read it.
        """
        try:
            fd = os.open(self.token_file, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        except OSError as e:
            raise ChallengeError(f"{self.token_file}: expected a file with the token of {self.user}: {e}") from e
        if problem := _problem(os.fstat(fd)):
            os.close(fd)
            raise ChallengeError(f"{self.token_file}: {problem}")
        return fd
