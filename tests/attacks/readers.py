"""Attacks from behind the walls: a reader that the bytes took over, and the unchanged host, which must not believe it.

The child runs a program of the case in place of our function; everything else, the host's whole side and the walls, is
what runs in production.
"""

from __future__ import annotations

import stat
import subprocess
import tarfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from evaluate.attack.cases import NOT_TRIED, Seen
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
from evaluate.stages.dockerfile import image_of
from evaluate.stages.score import score_answers
from evaluate.untrusted.answers_disk import unpack_answers
from evaluate.untrusted.archives import extract, inspect, open_entry
from evaluate.untrusted.dockerfile import FILE
from evaluate.untrusted.repository import fetch_repository
from tests.attacks.attacks import Attack

_TAKEN_OVER = """
import evaluate.confine.isolated_child as inside
space = {}
exec(compile(%(program)r, "taken over", "exec"), space)
inside._called = lambda request: space["taken_over"](request, %(secret)r)
"""
"""Before our own last word, `child()`, which then calls what the case defines."""
_MIB = 1 << 20
_NO_GROUPS = (
    "no control group with memory is delegated to this process; to try it: systemd-run --pty --property=Delegate=yes"
)


def reader(case: Attack, scratch: Path) -> Seen:
    """Let each reader that the case names be taken over, and look at what the host has lost; the first that failed."""
    if case.groups and not _memory_is_bounded():
        return Seen(NOT_TRIED, _NO_GROUPS)
    seen = Seen(Verdict.OK.value, "no reader is named")
    for name in case.readers:
        work = scratch / name
        work.mkdir()
        secret = _secret(work)
        before = _described(secret)
        with _taken_over(case, secret), ended() as found:
            text = READERS[name](load_challenge("cinc2017"), work)
            found.append(Seen(Verdict.OK.value, text or "the host took what it was given"))
        lost = () if _described(secret) == before else (f"GOT {name}: a file of the host",)
        copies = [path for path in work.rglob("*") if path != secret and _is_copy(path)]
        seen = Seen(found[0].outcome, f"{name}: {found[0].text}", (*lost, *(f"GOT a copy {path}" for path in copies)))
        if seen.outcome not in case.expected or seen.reached:
            return seen
    return seen


@contextmanager
def _taken_over(case: Attack, secret: Path) -> Iterator[None]:
    honest = isolated._CODE
    program = _TAKEN_OVER % {"secret": str(secret), "program": (case.folder / "reader.py").read_text()}
    isolated._CODE = honest.replace("child()", f"exec({program!r}); child()")
    try:
        yield
    finally:
        isolated._CODE = honest


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
        found = path.lstat()
        return stat.S_IMODE(found.st_mode), found.st_uid, found.st_nlink, found.st_ino, path.read_text()
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
    (source / "file").write_text("x\n")
    name = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    for words in (
        ["init", "-q"],
        ["add", "."],
        [*name, "commit", "-qm", "x"],
        ["bundle", "create", "-q", bundle, "--all"],
    ):
        subprocess.run(["git", *words], cwd=source, check=True, capture_output=True)
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
    entry = work / "entry"
    entry.mkdir()
    (entry / FILE).write_text("FROM python:3.11\nCOPY . /challenge\n")
    (entry / "run.py").write_text("print()\n")
    rules = replace(challenge, dockerfile=DockerfileRules(), required_files=())
    found = image_of(inspect(open_entry(entry, work).archive, rules), rules)
    assert found is not None
    found.check()


def _memory_is_bounded() -> bool:
    top = delegated()
    return top is not None and "memory" in (top / "cgroup.controllers").read_text().split()


def _in_group(_challenge: Challenge, _work: Path) -> None:
    program = Openings(programs=(interpreter().resolve(),))
    isolated.isolated(
        isolated.Bounds(doing="reading in a group", seconds=60, memory_bytes=512 * _MIB, openings=program), standing
    )


def _score(challenge: Challenge, _work: Path) -> str:
    found = score_answers(challenge, challenge.exam, challenge.folder / "sample_entry").score
    pictures = found.pictures if found is not None else ()
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
