"""Attacks from behind the walls: a reader that the bytes took over, and the unchanged host, which must not believe it.

The child runs a function of `tests/attacks/taken_over.py` in place of our function; everything else, the host's whole
side and the walls, is what runs in production.
"""

import re
import stat
import tarfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from evaluate.attack.cases import FAULT, Seen
from evaluate.attack.hosted import ended
from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.types import ArchiveLimits, Challenge, DockerfileRules
from evaluate.confine import isolated
from evaluate.confine.control_groups import delegated
from evaluate.confine.lockdown import standing
from evaluate.confine.walls import Openings, interpreter
from evaluate.core.model import Verdict
from evaluate.images.container import container_layer
from evaluate.protocol.guest import FILE_HEADER
from evaluate.report.html import drawn
from evaluate.stages.entry_image import image_of
from evaluate.stages.score import score_answers
from evaluate.untrusted.answers_disk import unpack_answers
from evaluate.untrusted.archives import extract, inspect, open_entry
from evaluate.untrusted.dockerfile import FILE
from evaluate.untrusted.repository import fetch_repository
from tests.conftest import CHECKOUT
from tests.support.git_server import commit, git
from tests.support.scorers import written

_TAKEN_OVER = """
import evaluate.confine.isolated_child as inside
space = {"__name__": "taken_over"}
exec(compile(%(program)r, "taken over", "exec"), space)
inside._called = lambda request: space[%(attack)r](request, %(secret)r)
"""
"""Before our own last word, `child()`, which then calls the attack."""
_PROGRAM = CHECKOUT / "tests" / "attacks" / "taken_over.py"
_MIB = 1 << 20
INVALID = Verdict.INVALID_ENTRY.value
UNREADABLE = "without a reply that can be read"


@dataclass(frozen=True)
class Attack:
    """A function of `taken_over.py`."""

    name: str
    readers: str
    """Names from `READERS`: the readers that are taken over, one after the other."""
    outcomes: tuple[str, ...]
    """Outcomes that are allowed."""
    says: str
    """A regular expression that the message must match."""


ATTACKS = (
    Attack("broken_disk", "repository image listing extract", (INVALID,), "Input/output error"),
    Attack("executable", "listing repository", (INVALID,), r"tried [0-9]+, allowed \[\]"),
    Attack("fills", "repository", (INVALID,), "wrote more than|wrote ([0-9]|[1-9][0-9]|1[0-9][0-9]) MiB"),
    Attack("floods", "repository listing answers score", (INVALID, FAULT), "of names and text"),
    Attack("forks", "group", (INVALID,), "started [0-9]{1,3} processes$"),
    Attack("group", "group", (INVALID,), "took more than 512 MiB of memory"),
    Attack("links", "repository image", (FAULT,), UNREADABLE),
    Attack("notes", "score", (FAULT,), "notes or numbers that no report can contain"),
    Attack("path", "repository image listing answers extract score", (FAULT,), UNREADABLE),
    Attack("pictures", "score", (Verdict.OK.value,), "0 of 3 pictures drawn"),
    Attack("libraries", "plan", (FAULT,), "without a reply that can be used: a place that is the machine's"),
    Attack("blames_machine", "repository image listing extract", (INVALID,), "let me try again"),
    Attack("splice", "listing repository", (INVALID,), r"tried 4, allowed \[\]"),
    Attack("stream", "extract answers", (INVALID, FAULT), "not a usable file name|not asked for"),
)


_WORDS = "of the host alone\n"


def _secret(work: Path) -> Path:
    """A file as the host's signing key is: in a folder and with rights of the host alone."""
    folder = work / "private"
    folder.mkdir(mode=0o700)
    path = folder / "secret"
    path.write_text(_WORDS)
    path.chmod(0o600)
    return path


def _described(path: Path) -> object:
    try:
        status = path.lstat()
        return stat.S_IMODE(status.st_mode), status.st_uid, status.st_nlink, status.st_ino, path.read_text()
    except OSError as e:
        return str(e)


def _is_copy(path: Path) -> bool:
    return path.is_symlink() or (path.is_file() and _WORDS.encode() in path.read_bytes())


def _sample(challenge: Challenge, work: Path) -> Path:
    return open_entry(challenge.folder / "sample_entry", work).archive


def _listing(challenge: Challenge, work: Path) -> None:
    inspect(_sample(challenge, work), challenge)


def _extract(challenge: Challenge, work: Path) -> None:
    extract(_sample(challenge, work), "tar", {"answers.txt": "answers.txt"}, work / "out", _MIB, _MIB)


def _repository(_challenge: Challenge, work: Path) -> None:
    source, bundle = work / "source", work / "entry.bundle"
    source.mkdir()
    git(source, "init", "-q")
    commit(source)
    git(source, "bundle", "create", "-q", str(bundle), "--all")
    fetch_repository(bundle, work, most_bytes=_MIB)


def _answers(_challenge: Challenge, work: Path) -> None:
    disk = work / "disk"
    disk.write_bytes(FILE_HEADER.pack(1, 2) + b"a" + b"{}" + FILE_HEADER.pack(0, 0))
    unpack_answers(disk, work / "out", _MIB)


def _image(challenge: Challenge, work: Path) -> None:
    archive = work / "image.tar"
    with tarfile.open(archive, "w") as tar:
        tar.add(challenge.folder / "challenge.yaml", "manifest.json")
    limits = ArchiveLimits(bytes=8 * _MIB, unpacked_bytes=8 * _MIB, files=100)
    container_layer(archive, "go", work / "state", limits, lambda _: None)


def _plan(challenge: Challenge, work: Path) -> None:
    files = {FILE: "FROM python:3.11\nCOPY . /challenge\n", "run.py": "print()\n"}
    entry = written(work / "entry", files)
    rules = replace(challenge, dockerfile=DockerfileRules(), required_files=())
    image = image_of(inspect(open_entry(entry, work).archive, rules), rules)
    assert image is not None
    image.check()


def memory_is_bounded() -> bool:
    """True if a control group with memory is delegated to this process."""
    top = delegated()
    return top is not None and "memory" in (top / "cgroup.controllers").read_text().split()


def _in_group(_challenge: Challenge, _work: Path) -> None:
    program = Openings(programs=(interpreter().resolve(),))
    isolated.isolated(
        isolated.Bounds(doing="reading in a group", seconds=60, memory_bytes=512 * _MIB, openings=program), standing
    )


def _score(challenge: Challenge, _work: Path) -> str:
    score = score_answers(challenge, challenge.exam, challenge.folder / "sample_entry").score
    pictures = score.pictures if score is not None else ()
    return f"{len(drawn(pictures).images)} of {len(pictures)} pictures drawn"


READERS: dict[str, Callable[[Challenge, Path], str | None]] = {
    "listing": _listing,
    "extract": _extract,
    "repository": _repository,
    "answers": _answers,
    "image": _image,
    "plan": _plan,
    "group": _in_group,
    "score": _score,
}
"""The readers that can be taken over."""


@pytest.mark.parametrize(
    ("attack", "reader"),
    [
        pytest.param(attack, reader, id=f"{attack.name}-{reader}")
        for attack in ATTACKS
        for reader in attack.readers.split()
    ],
)
def test_host_believes_no_reader_that_was_taken_over_and_has_lost_nothing(
    attack: Attack, reader: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if attack.name == "group" and not memory_is_bounded():
        pytest.skip("no control group with memory is delegated to this process (systemd-run --property=Delegate=yes)")
    secret = _secret(tmp_path)
    before = _described(secret)
    program = _TAKEN_OVER % {"secret": str(secret), "program": _PROGRAM.read_text(), "attack": attack.name}
    monkeypatch.setattr(isolated, "_CODE", isolated._CODE.replace("child()", f"exec({program!r}); child()"))
    with ended() as outcomes:
        text = READERS[reader](load_challenge("cinc2017"), tmp_path)
        outcomes.append(Seen(Verdict.OK.value, text or "the host took what it was given"))
    (seen,) = outcomes
    assert seen.outcome in attack.outcomes, seen
    assert re.search(attack.says, seen.text, re.MULTILINE), seen
    assert _described(secret) == before
    assert [path for path in tmp_path.rglob("*") if path != secret and _is_copy(path)] == []
