"""What a team is warned of in its own archive."""

from __future__ import annotations

import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from evaluate.config.challenge.cache import load_challenge
from evaluate.untrusted.archives import inspect

CHALLENGE = load_challenge("kits19")
FILES = {"mine/.git/config": "x", "mine/.env": "x", "mine/a.py": "import b\nkey = 'AKIA" + "IOSFODNN7EXAMPLF'\n"}


@pytest.mark.parametrize("form", ["zip", "tar"])
def test_team_is_warned_of_credentials_by_file_and_line(tmp_path: Path, form: str) -> None:
    archive = tmp_path / "entry"
    if form == "zip":
        with zipfile.ZipFile(archive, "w") as bundle:
            for name, text in FILES.items():
                bundle.writestr(name, text)
    else:
        with tarfile.open(archive, "w:gz") as tar:
            for name, text in FILES.items():
                member = tarfile.TarInfo(name)
                member.size = len(text)
                tar.addfile(member, io.BytesIO(text.encode()))
    text = "\n".join(inspect(archive, CHALLENGE).notes(()))
    assert ".git/config: version control" in text
    assert ".env: may hold credentials" in text
    assert "a.py line 2 looks like an AWS access key" in text
    assert "AKIAIO" not in text


def test_ordinary_archive_has_no_warning(tmp_path: Path) -> None:
    archive = tmp_path / "entry.zip"
    with zipfile.ZipFile(archive, "w") as bundle:
        bundle.writestr("next.sh", "echo hello\n")
        bundle.writestr("model.npy", "key = 'AKIA" + "IOSFODNN7EXAMPLF'\n")
    assert inspect(archive, CHALLENGE).notes(()) == []
