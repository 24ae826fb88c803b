"""Asks the witnesses of a log for their signatures of its newest head (C2SP ``tlog-witness``, the side of the log)."""

from __future__ import annotations

import re
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from http.client import HTTPException
from queue import Empty, SimpleQueue

from evaluate.core.sanitize import in_one_line
from evaluate.receipts.log import Log
from evaluate.receipts.note import Checkpoint, Cosigner, written_hash
from evaluate.receipts.witness import ADD, MOST_BYTES, SECONDS, WitnessAnswer

_PAUSE_SECONDS = 60.0
"""For which a witness that did not answer is not asked again."""
_SIZE = re.compile(r"\d{1,18}\n", re.ASCII)


@dataclass(frozen=True)
class _Reached:
    """How a witness answered the last time."""

    size: int = 0
    silent_until: float = 0.0


class Cosigners:
    """The witnesses of a log, as the log asks them.

    * ``witnesses``: each with its address.
    * ``say``: gets a message for each witness that refuses or does not answer.
    """

    def __init__(self, witnesses: Mapping[Cosigner, str], say: Callable[[str], object]) -> None:
        self._witnesses, self._say = witnesses, say
        self._reached: dict[tuple[str, str], _Reached] = {}
        self._asking: set[str] = set()
        """Addresses that have not answered a question yet."""
        self._lock = threading.Lock()

    def __bool__(self) -> bool:
        return bool(self._witnesses)

    def ask(self, log: Log) -> None:
        """Let the newest head of a log have a signature of each witness, as far as they answer."""
        with self._lock, log.witnessing():
            head = log.checkpoint()
            if head is None:
                return
            lines = []
            for witness, address in self._witnesses.items():
                if head.cosigned(witness) is None:
                    lines.append(self._line(log, head, witness, address))
            if any(lines):
                log.add_signatures(head, "".join(lines))

    def _line(self, log: Log, head: Checkpoint, witness: Cosigner, address: str) -> str:
        """The line that a witness adds to a head; empty if it adds none."""
        key = witness.name, head.origin
        known = self._reached.get(key, _Reached())
        if time.monotonic() < known.silent_until:
            return ""
        size = known.size
        for last in (False, False, True):
            try:
                answer = self._post(address, _body(log, head, size))
            except (OSError, HTTPException) as e:
                self._reached[key] = _Reached(size, time.monotonic() + _PAUSE_SECONDS)
                self._say(f"the witness {witness.name} does not answer: {e}")
                return ""
            seen = int(answer.body) if answer.status == 409 and _SIZE.fullmatch(answer.body) else None
            if seen is not None and seen != size and seen <= head.size and not last:
                size = seen
                continue
            if answer.status != 200:
                what = in_one_line(answer.body.strip()) if seen is None else _conflict(seen, head.size)
                self._say(f"the witness {witness.name} does not sign the head of the log: {answer.status}, {what}")
                return ""
            self._reached[key] = _Reached(head.size)
            lines = [f"{line}\n" for line in answer.body.splitlines()]
            good = [line for line in lines if replace(head, note=head.note + line).cosigned(witness) is not None]
            if not good:
                self._say(f"the witness {witness.name} returned an invalid signature")
            return "".join(good[:1])
        return ""

    def _post(self, address: str, body: bytes) -> WitnessAnswer:
        """What a witness answers, within `SECONDS` however slowly it speaks; OSError or HTTPException."""
        if address in self._asking:
            raise TimeoutError("expected an answer to an earlier question, found none yet")
        answers: SimpleQueue[WitnessAnswer | OSError | HTTPException] = SimpleQueue()

        def ask() -> None:
            found: WitnessAnswer | OSError | HTTPException
            try:
                found = _posted(address, body)
            except (OSError, HTTPException) as e:
                found = e
            finally:
                self._asking.discard(address)  # before a waiting thread may ask again
            answers.put(found)

        self._asking.add(address)
        threading.Thread(target=ask, daemon=True).start()
        try:
            found = answers.get(timeout=SECONDS)
        except Empty:
            raise TimeoutError(f"expected an answer within {SECONDS:.0f} s, found none") from None
        if isinstance(found, WitnessAnswer):
            return found
        raise found


def _body(log: Log, head: Checkpoint, old: int) -> bytes:
    proof = log.consistency(old, head.size) if 0 < old < head.size else []
    return "\n".join([f"old {old}", *map(written_hash, proof), "", head.note]).encode()


def _conflict(seen: int, size: int) -> str:
    """Why a witness refuses a head that it has compared with the one that it signed."""
    if seen == size:  # the first version of the standard answers 409 to that, and later ones 422
        return f"it signed another head of size {seen}: two histories were shown, or somebody else has the key"
    return f"it saw size {seen}, and this head has {size}"


def _posted(address: str, body: bytes) -> WitnessAnswer:
    request = urllib.request.Request(address.rstrip("/") + ADD, data=body, method="POST")  # of evaluate.yaml
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as found:
            return WitnessAnswer(found.status, found.read(MOST_BYTES).decode("utf-8", "replace"))
    except urllib.error.HTTPError as e:
        with e:
            return WitnessAnswer(e.code, e.read(MOST_BYTES).decode("utf-8", "replace"))
