"""Attacks on the site: a real `evaluate serve` on a loopback port, with a state directory of its own."""

from __future__ import annotations

import json
import runpy
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import yaml

from evaluate.attack.cases import FAULT, GOT, Seen
from evaluate.core.errors import Fault
from evaluate.core.model import Verdict
from evaluate.core.waiting import Deadline
from tests.attacks.attacks import Attack

if TYPE_CHECKING:
    from evaluate.web.site import Site

ADMIN = "root@example.org"
OWN = "127.0.0.1"
_SECONDS = 60.0
_BETWEEN = 0.1
_PROGRAM = "from evaluate.commands.main import main\nmain()\n"


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What the site answered."""

    status: int
    headers: Mapping[str, str]
    """Names in lower case."""
    text: str

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.text)


class Target:
    """The site as attacks see it."""

    def __init__(self, state: Path, port: int) -> None:
        self.state, self.port = state, port
        self._sessions: dict[str, str] = {}

    @property
    def origin(self) -> str:
        """Where it is."""
        return f"http://{OWN}:{self.port}"

    def configure(self, **more: Any) -> None:
        """Write evaluate.yaml, which the site reads again."""
        usual = {"web": {"admins": [ADMIN]}, "challenges": {"kits19": {}, "cinc2017": {}}, "free_gib": 0}
        (self.state / "evaluate.yaml").write_text(yaml.safe_dump(usual | more))

    def cookie(self, address: str) -> str:
        """The header of a browser in which a person is logged in."""
        from evaluate.queue.people.logins import begin_session

        if address not in self._sessions:
            with self._open() as site:
                self._sessions[address] = begin_session(site.store.database, address)
        return f"session={self._sessions[address]}"

    @contextmanager
    def _open(self) -> Iterator[Site]:
        from evaluate.web.site import open_site  # its packages may be missing

        site = open_site(self.state, self.origin)
        try:
            yield site
        finally:
            site.store.engine.dispose()

    def forget(self, address: str) -> None:
        """Let a person log in again."""
        self._sessions.pop(address, None)

    def ask(
        self,
        method: str,
        path: str,
        who: str = "",
        *,
        form: Mapping[str, Any] | None = None,
        values: Any = None,
        data: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """One request, by a person who is logged in, or by nobody; ``form`` or ``values`` (JSON) is its body."""
        sent = {"Cookie": self.cookie(who)} if who else {}
        if form is not None:
            data, sent["Content-Type"] = urlencode(form, doseq=True).encode(), "application/x-www-form-urlencoded"
        if values is not None:
            data, sent["Content-Type"] = json.dumps(values).encode(), "application/json"
        connection = HTTPConnection(OWN, self.port, timeout=_SECONDS)
        try:
            connection.request(method, path, data, {**sent, **(headers or {})})
            found = connection.getresponse()
            text = found.read().decode("utf-8", "replace")
            return Answer(
                status=found.status, headers={name.lower(): one for name, one in found.getheaders()}, text=text
            )
        finally:
            connection.close()

    def begin(self, who: str, size: int, challenge: str = "kits19") -> Answer:
        """Begin an upload by tus."""
        from base64 import b64encode

        said = {"filename": "entry.zip", "challenge": challenge}
        metadata = ",".join(f"{key} {b64encode(value.encode()).decode()}" for key, value in said.items())
        headers = {"Tus-Resumable": "1.0.0", "Upload-Length": str(size), "Upload-Metadata": metadata}
        return self.ask("POST", "/uploads", who, headers=headers)

    def scored(self, team: str) -> None:
        """Put an entry of a team on the board of kits19, as if it had been evaluated."""
        from evaluate.queue.db.reasons import ended_with
        from evaluate.queue.db.rows import State

        row = {"challenge": "kits19", "team": team, "name": "entry.zip", "sha256": "0" * 64, "bytes": 10, "commit": ""}
        values = {"Dice": 0.5}
        score = {"primary": "Dice", "values": values, "official": values, "intervals": {}, "notes": []}
        with self._open() as site:
            ((identity, _),) = site.store.submit([row])
            for state in (State.PREP, State.QUIZ, State.EXAM, State.SCORE):
                site.store.move(identity, state, attempt=1)
            site.store.charge(identity, 1)
            site.store.keep_score(identity, 1, score, "")
            site.store.move(identity, State.DONE, ended_with(Verdict.OK.value), attempt=1)


@contextmanager
def site_under_attack(state: Path) -> Iterator[Target]:
    """Serve meanwhile. Raises Fault if the site does not start."""
    state.mkdir(parents=True)
    with socket.socket() as free:
        free.bind((OWN, 0))
        port = free.getsockname()[1]
    target = Target(state, port)
    target.configure()
    argv = [sys.executable, "-W", "ignore", "-c", _PROGRAM, "--state", str(state), "serve", "--port", str(port)]
    with (
        (state / "log").open("wb") as log,
        subprocess.Popen(argv, stdout=log, stderr=log) as process,
    ):
        try:
            deadline = Deadline(_SECONDS)
            while not _answers(target):
                if process.poll() is not None or deadline.passed:
                    raise Fault(f"the site does not start: {(state / 'log').read_text()[-500:]}")
                time.sleep(_BETWEEN)
            yield target
        finally:
            process.terminate()


def _answers(target: Target) -> bool:
    try:
        return target.ask("GET", "/api/v1/challenges").status == 200
    except (OSError, HTTPException):
        return False


def attack(case: Attack, target: Target) -> Seen:
    """Run the ``attack`` of a case; afterwards the site must serve others and have logged no traceback."""
    log = target.state / "log"
    begin = log.stat().st_size
    lines = [str(line) for line in runpy.run_path(str(case.folder / "attack.py"))["attack"](target)]
    target.configure()
    reached = tuple(line for line in lines if line.startswith(GOT))
    if not _answers(target):
        return Seen(FAULT, "the site does not serve others any more", reached)
    with log.open("rb") as file:
        file.seek(begin)
        said = file.read().decode("utf-8", "replace")
    if "Traceback" in said:
        return Seen("CRASHED", said[-500:], reached)
    return Seen(Verdict.OK.value, "\n".join(lines), reached)
