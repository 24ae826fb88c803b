"""Attacks on the readers of the host: uploads, answers, metrics, and the words of a guest.  They need no machine."""

from __future__ import annotations

import os
import runpy
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from evaluate.attack.cases import CHALLENGE_ERROR, EXPECT, FAULT, GOT, Case, Seen
from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.types import Challenge, Kind
from evaluate.core.errors import ChallengeError, EntryError, Fault
from evaluate.core.model import Limits, StageOutcome, Verdict
from evaluate.counters.tcg import TcgCounter, TcgReading
from evaluate.images.container import container_layer
from evaluate.images.image import Image
from evaluate.protocol.frames import FrameReader, FrameWriter
from evaluate.sandbox.base import Command, Machine
from evaluate.sandbox.channel import Channel
from evaluate.sandbox.guest import Guest
from evaluate.stages.kinds.detection import handler, kind_of
from evaluate.stages.score import score
from evaluate.untrusted.archives import extract, inspect, open_entry

ESCAPED = "evaluate-escaped"
"""The name of files that attacks try to create where they must not."""
_PLACES = (Path("/"), Path("/tmp"), Path("/etc"), Path("/root"), Path("/var/tmp"), Path("/dev/shm"))
_SILENCE, _EXCHANGE = 2.0, 3.0


@contextmanager
def ended() -> Iterator[list[Seen]]:
    """Collects how an attack on the host ended; errors that this program raises are outcomes, others are not caught."""
    seen: list[Seen] = []
    try:
        yield seen
    except EntryError as e:
        seen.append(Seen(Verdict.INVALID_ENTRY.value, str(e)))
    except ChallengeError as e:
        seen.append(Seen(CHALLENGE_ERROR, str(e)))
    except Fault as e:
        seen.append(Seen(FAULT, str(e)))


def upload(case: Case, scratch: Path) -> Seen:
    """Take an upload as far as it goes without a virtual machine."""
    challenge = load_challenge(case.challenge)
    work = scratch / "work"
    work.mkdir()
    with ended() as seen:
        entry = open_entry(_made(case, challenge, scratch), work)
        kind = kind_of(entry.archive, challenge)
        handler(kind).check(entry.archive, challenge)
        if kind is Kind.IMAGE:
            container_layer(entry.archive, challenge.run.argument, work, challenge.archive, lambda _: None)
        elif kind is Kind.ANSWERS:
            listing = inspect(entry.archive, challenge)
            names = {str(i): origin for i, origin in enumerate(listing.origins.values())}
            most = challenge.archive.unpacked_bytes
            extract(entry.archive, listing.kind, names, work / "answers", most, listing.unpacked_bytes)
        seen.append(Seen(Verdict.OK.value, f"the intake takes it as an entry of kind {kind}"))
    return _outside(seen[0], scratch)


def _made(case: Case, challenge: Challenge, scratch: Path) -> Path:
    """The upload: of the case's program, or the sample entry with the case's files."""
    sample = scratch / "sample"
    shutil.copytree(challenge.folder / "sample_entry", sample)
    files = [path for path in case.folder.iterdir() if path.name != EXPECT]
    if not files:
        return cast(Path, _maker(case)(sample, scratch))
    for path in files:
        shutil.copyfile(path, sample / path.name)
    return sample


def answers(case: Case, scratch: Path) -> Seen:
    """Score answers of an entry: its maker gets the folder of references, and returns the file or folder of answers."""
    challenge = load_challenge(case.challenge)
    references, records = challenge.exam.references, challenge.exam.records
    assert references is not None
    given = _maker(case)(references, scratch)
    if isinstance(given, tuple):  # with references of its own
        given, references, records = *given, None  # type: ignore[assignment]
    with ended() as seen:
        seen.append(_scored(score(case.metric or challenge.metric, references, given, records, challenge.rules)))
    return _outside(seen[0], scratch)


def metric(case: Case, scratch: Path) -> Seen:
    """Let a hostile metric score."""
    references, given = scratch / "references", scratch / "answers"
    for folder in (references, given):
        folder.mkdir()
        (folder / "a.csv").write_text("a,1\n")
    (references / case.name).touch()
    (scratch / "secret").write_text("of another entry\n")
    with ended() as seen:
        seen.append(_scored(score(str(case.folder.parent / "metrics.py"), references, given, None)))
    if (scratch / "secret").read_text() != "of another entry\n":
        seen[0] = replace(seen[0], reached=(*seen[0].reached, "changed another entry's file"))
    return _outside(seen[0], scratch)


def _scored(outcome: StageOutcome) -> Seen:
    notes = outcome.score.notes if outcome.score else ()
    reached = tuple(line for note in notes for line in note.text.splitlines() if line.startswith(GOT))
    messages = [outcome.result.message, *(note.text for note in notes)]
    return Seen(outcome.result.verdict.value, "\n".join(messages), reached)


def agent(case: Case, scratch: Path) -> Seen:
    """Talk to a guest whose agent says what the case's maker yields."""
    near, far = socket.socketpair()
    speak = _maker(case)

    def talk() -> None:
        reader = FrameReader(None)
        with suppress(OSError), far:
            while not reader.nonce:
                reader.feed(far.recv(1 << 16))
            for data in speak(FrameWriter(reader.nonce)):
                far.sendall(data)
            while far.recv(1 << 16):
                pass

    thread = threading.Thread(target=talk, daemon=True)
    thread.start()
    channel = Channel(near, silence=_SILENCE)
    counter = TcgCounter(scratch / "tcg_count.so")
    counter.qemu_arguments(scratch)  # makes the file of counts, which stay zero without a machine
    reading = TcgReading(scratch / "instructions", threading.get_native_id())
    guest = Guest(channel, counter, reading, exchange_seconds=_EXCHANGE)
    try:
        with ended() as seen:
            guest.greet(Machine(image=cast(Image, None)), _EXCHANGE)
            run = guest.run(Command(argv=("true",)), Limits(instructions=10**9, wall_seconds=0.5))
            seen.append(Seen(run.verdict.value, f"{run.detail} {run.usage}"))
    finally:
        reading.close()
        channel.close()
        thread.join()
    return seen[0]


def _maker(case: Case) -> Callable[..., Any]:
    """The function of ``makers.py`` that is called as the case."""
    functions = runpy.run_path(str(case.folder.parent / "makers.py"))
    return cast(Callable[..., Any], functions[case.name.replace("-", "_")])


def _outside(seen: Seen, scratch: Path) -> Seen:
    """The result, with the files that the attack left outside its folder."""
    places = (*_PLACES, Path.cwd(), Path.home(), *scratch.parents, scratch)
    escaped = sorted({str(folder / ESCAPED) for folder in places if os.path.lexists(folder / ESCAPED)})
    return replace(seen, reached=(*seen.reached, *(f"{GOT} {path}" for path in escaped)))
