"""Every reply of a process behind walls, as whoever took it over may change it; the host's own side reads it.

Only the start of the process is left out: its standard output is a file that has the reply.  The outcome may be a value
of the declared form, or a refusal.  Whatever is not of that form ends in the same way, so of these one in `_UNREADABLE`
is followed to that end, and one in `_SAID` of the errors that a reader may say; all values are.
"""

import json
import os
import socket
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock
from zlib import crc32

import msgspec

from evaluate.config.challenge.scorer import Scorer
from evaluate.config.challenge.types import DockerfileRules
from evaluate.confine import isolated as module
from evaluate.confine.isolated_child import STANDING
from evaluate.confine.lockdown import Orders, WallState, standing
from evaluate.confine.replies import Error, UnreadableReply, form_of, value_of
from evaluate.confine.walls import Walls
from evaluate.core.codec import to_json
from evaluate.core.errors import EvaluateError
from evaluate.core.model import ContainerProgram, Note, Picture, Refusal, RefusalKind, Score, User
from evaluate.host import isolation
from evaluate.images import container, wheels
from evaluate.images.mirrors import Mirrors
from evaluate.protocol.guest import FILE_HEADER
from evaluate.report import html
from evaluate.report.words import score_in_words
from evaluate.stages import score
from evaluate.stages.confined import Reply, answer
from evaluate.stages.entry_image import image_of
from evaluate.stages.scorers import codabench
from evaluate.stages.scorers.run import read_behind_walls
from evaluate.stages.scorers.scorer_output import read_scores
from evaluate.untrusted import archives, repository
from evaluate.untrusted.answers_disk import json_values, read_answers_disk, read_json_values, unpack_answers
from evaluate.untrusted.dockerfile import ImagePlan, LineRequest, translate
from evaluate.untrusted.listing import ArchiveMember, Contents, extract_members, is_container, list_archive, read_member
from evaluate.untrusted.mirror_proxy import Fetched, serve_connection
from evaluate.untrusted.oci import Blob, ImageConfig, Layer, OciImage, read_image
from evaluate.untrusted.repository import read_repository
from evaluate.untrusted.requirements import parse_requirements
from evaluate.untrusted.wheel_files import PipOutput, run_pip
from metrics.command import Outcome, Task, perform
from tests.fuzz.mutation import changed_value
from tests.fuzz.parsers import CINC, Parser, file

_ORDERS = Orders(uid=None, threads=1, folder=None, files=(), programs=(), network=False, call_filter="")
_ERRORS = [
    b'{"error": "EntryError", "message": "the archive is damaged"}',
    b'{"error": "Fault", "message": "No space left on device"}',
    b'{"error": "memory", "message": ""}',
    b'{"error": "space", "message": "full"}',
]


_UNREADABLE, _SAID = 100, 5


def of(value: object) -> bytes:
    """An honest reply."""
    return json.dumps({"value": msgspec.to_builtins(value)}).encode()


@contextmanager
def answered(replies: Sequence[bytes]) -> Iterator[None]:
    """Each call behind walls is answered with the next of these, and the last again and again."""
    waiting = list(replies)

    @contextmanager
    def started(*_: object, **__: object) -> Iterator[Any]:
        data = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        with tempfile.TemporaryFile(dir="/dev/shm") as out, Path(os.devnull).open("rb") as stderr:
            out.write(STANDING + data)
            out.seek(0)
            yield SimpleNamespace(stdout=out, stderr=stderr, wait=lambda: 0)

    @contextmanager
    def walls(*_: object) -> Iterator[Walls]:
        yield Walls(prefix=(), pass_fds=(), environment={}, orders=_ORDERS)

    with mock.patch.object(module, "started", started), mock.patch.object(module, "walls", walls):
        yield


Use = Callable[[Path], object]


def reader(function: Callable[..., object], use: Use, *honest: object, before: Sequence[bytes] = ()) -> Parser:
    """The replies of a reader, and what the host does with one; ``before`` it come these."""

    form = form_of(function)

    def run(data: bytes, folder: Path) -> None:
        # what the host reads itself, if a reader says that a disk is broken, does not depend on the reply
        with answered([*before, data]), mock.patch.object(module, "_host_errors", lambda _: iter(())):
            use(folder)

    def over(data: bytes) -> bool:
        try:
            value = value_of(data, form)
        except UnreadableReply:
            return crc32(data) % _UNREADABLE != 0
        return isinstance(value, Error) and crc32(data) % _SAID != 0

    # an honest reply may still be refused here, where nothing was written
    return Parser(
        seeds=[*map(of, honest), *_ERRORS],
        run=run,
        over=over,
        change=changed_value,
        allowed=(EvaluateError,),
        of=(function,),
    )


def _fetched(_: Path) -> str:
    mirrors = Mirrors({}, "http://index.test/simple")
    ours, theirs = socket.socketpair()
    with ours, theirs:
        mirrors.serve(ours)
    return json.dumps(to_json(mirrors.fetched()))


def _file(folder: Path, data: bytes = b"") -> Path:
    return file(folder, "file", data)


def contents(*names: str) -> Contents:
    return Contents(
        kind="tar",
        prefix="entry",
        members={name: ArchiveMember(name=f"entry/{name}", size=5, kind="file") for name in names},
        origins={name: f"entry/{name}" for name in names},
    )


_CONTENTS = contents(*CINC.required_files, "answers.txt")
_LISTED = of(_CONTENTS)


def _inspected(folder: Path) -> archives.Listing:
    listing = archives.inspect(_file(folder), CINC)
    with suppress(EvaluateError):
        listing.need(CINC.required_files)
    return listing


def _listed(folder: Path) -> None:
    listing = _inspected(folder)
    _ = listing.dry_run, listing.prefix, sum(member.size for member in listing.members.values())


_DISK = FILE_HEADER.pack(0, 0)
_DIGEST = "sha256:" + "0" * 64
_IMAGE = OciImage(
    digest=_DIGEST,
    config=ImageConfig(entrypoint=("/run",), cmd=("go",), env={"A": "b"}, cwd="/", user="1:2"),
    layers=(Layer(number=0, blob=Blob(name="layer.tar", offset=512, size=1024), diff_id=_DIGEST),),
)
_MERGED = ContainerProgram(argv=("/run", "go"), env={"A": "b"}, cwd="/", user=User(uid=1, gid=2))


def _imported(folder: Path) -> None:
    container.container_layer(_file(folder), "go", folder / "state", CINC.archive, lambda _: None)


def _downloaded(folder: Path) -> None:
    with mock.patch.object(wheels, "settings_of_pip", dict):  # starts a process, whatever the reply is
        wheels.download(parse_requirements(b"numpy >= 1.26\n"), "3.11", folder)


_NOT_FOUND = "ERROR: No matching distribution found for numpy (from other)\n"
_OF_PIP = [
    PipOutput(returncode=1, stdout="Available versions: 1.0, 2.0\n", stderr=_NOT_FOUND),
    PipOutput(returncode=1, stdout="The conflict is caused by:\n  a\n\n", stderr="ERROR: conflicting dependencies\n"),
    PipOutput(returncode=0, stdout="", stderr=""),
]
_SCORE = Score(
    primary="F1",
    values={"F1": 0.5, "other": float("nan")},
    official={"F1": 0.5},
    intervals={"F1": (0.4, 0.6)},
    resampled=(0.4, 0.5),
    clusters=7,
    notes=(Note(text="a note", record="A1"), Note(text="another")),
    pictures=(Picture(name="Confusion", numbers='{"kind": "confusion"}', record="A1"),),
)
_REPLIES_OF_SCORERS = [
    Reply(kind="score", score=_SCORE),
    Reply(kind="score", score=_SCORE, rows={"A1": {"reference": "N", "answer": "A", "FP": 1.0}}),
    Reply(kind="answer_error", message="line 3"),
    Reply(kind="challenge_error", message="no reference"),
]
_REFERENCES = CINC.exam.references or Path()


_WITH_IMAGE = replace(CINC, dockerfile=DockerfileRules())
_IMAGE_FILES = [of(contents("Dockerfile", "requirements.txt", "model.pkl")), of(b"FROM python:3.11")]
_PLAN = ImagePlan(
    packages=[LineRequest(text="ffmpeg", line=2), LineRequest(text="jq = 1.6", line=2)],
    requirements=[LineRequest(text="numpy==1.26.4", line=3)],
    requirement_files=[LineRequest(text="requirements.txt", line=4)],
    env={"A": "b"},
    top="/challenge",
    notes=["a note"],
    refusals=[Refusal(file="Dockerfile", line=1, kind=RefusalKind.BASE, found="x", expected="y", way_out="z")],
)


def _translated(folder: Path) -> None:
    image = image_of(archives.inspect(_file(folder), _WITH_IMAGE), _WITH_IMAGE)
    assert image is not None
    json.dumps([*image.plan.notes, *map(str, image.packages)])
    with suppress(EvaluateError):
        image.check()


def _scored(folder: Path) -> None:
    outcome = score.score("cinc2017", _REFERENCES, _file(folder), ["A1"], take_rows=score.in_lines)
    if outcome.score is not None:
        score_in_words(outcome.score).encode()
        json.dumps(to_json(outcome.score))


def _alone(folder: Path) -> None:
    outcome = score.alone(Task(metric="cinc2017", references=_REFERENCES, answers=_file(folder)))
    _ = outcome.at_fault.upper(), [*outcome.pictures]


def _read_scores(folder: Path) -> None:
    read = read_behind_walls(Scorer(primary="accuracy"), folder, b"")
    if read.kind == "answer_error":
        _ = read.message.upper()
    else:
        assert read.score is not None
        score_in_words(read.score).encode()
        json.dumps(to_json(read.score))


def _commanded(folder: Path) -> None:
    (folder / codabench.METADATA[0]).touch()
    codabench.command_in(folder).encode()


def _drawn(_: Path) -> None:
    html._drawings.cache_clear()
    drawings = html.drawn([Picture(name=name, numbers="{}") for name in ("Confusion", "Roc")])
    [(image.title + image.data).encode() for image in drawings.images]


def _stood(_: Path) -> None:
    with mock.patch.object(isolation, "in_chroot", lambda _: False):  # starts a process, whatever the reply is
        isolation.walls_check()


REPLIES: dict[str, Parser] = {
    "reply-listing": reader(list_archive, _listed, _CONTENTS),
    "reply-member": reader(
        read_member,
        lambda f: archives.parse_answers(_inspected(f).read("answers.txt", 1 << 20), ["N", "A"]),
        b"A1,N\nA2,A\n",
        before=[_LISTED],
    ),
    "reply-container": reader(is_container, lambda f: archives.looks_like_container(_file(f)), True, False),
    "reply-extracted": reader(
        extract_members,
        lambda f: archives.extract(_file(f), "tar", {"a": "a"}, f / "out", 1 << 20, 1 << 20),
        None,
    ),
    "reply-answers-disk": reader(
        read_answers_disk, lambda f: unpack_answers(_file(f, _DISK), f / "out", 1 << 20), ("a.json", "deep/b")
    ),
    "reply-json-values": reader(read_json_values, lambda f: json_values((_file(f),)), ["", None, '{"a": null}']),
    "reply-repository": reader(read_repository, lambda f: repository.fetch_repository(_file(f), f), "0" * 40),
    "reply-image": reader(read_image, _imported, _IMAGE),
    "reply-merged": reader(container.merge_and_pack, _imported, _MERGED, before=[of(_IMAGE)]),
    "reply-pip": reader(run_pip, _downloaded, *_OF_PIP),
    "reply-image-plan": reader(translate, _translated, _PLAN, before=_IMAGE_FILES),
    "reply-fetched": reader(
        serve_connection,
        _fetched,
        (Fetched(url="http://deb.debian.org/debian/a.deb", status=200, bytes=5, sha256="0" * 64),),
    ),
    "reply-wheels": reader(
        wheels.pack_wheels,
        lambda f: wheels.pack_behind_walls([], "3.11", None, f / "layer", wheels.LayerLimits()),
        None,
    ),
    "reply-score": reader(answer, _scored, *_REPLIES_OF_SCORERS),
    "reply-scorer": reader(read_scores, _read_scores, *_REPLIES_OF_SCORERS),
    "reply-command": reader(codabench.read_command, _commanded, "python3 $program/score.py"),
    "reply-drawings": reader(html.draw, _drawn, (html.Drawing(title="Confusion", svg="<svg/>"), None)),
    "reply-outcome": reader(perform, _alone, Outcome(text="F1 0.5", values='{"F1": 0.5}', pictures=("{}",))),
    "reply-standing": reader(standing, _stood, WallState(uid=3, landlock=6)),
}
