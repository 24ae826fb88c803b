"""A site of others, as `evaluate remote` and CI use it: its API below /api/v1 and uploads by tus 1.0, with a token.

Needs the standard library alone.  Redirects are not followed, so a token goes to the server that it was given for; and
it does not cross a network without TLS.
"""

from __future__ import annotations

import http.client
import json
import os
import time
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from evaluate import __version__
from evaluate.core.errors import EntryError, EvaluateError, Fault, UsageError
from evaluate.core.files import exclusive, sha256_file, write_file
from evaluate.core.model import Verdict
from evaluate.core.sanitize import parsed, sanitize

API = "/api/v1"
NO_SITE = "is it a site of evaluate?"
POLL_SECONDS = 2.0
"""Between two questions how an entry is doing."""
FIRST_WAIT = 0.5
"""Seconds before a request is tried again; twice as many each time."""
_TRIES = 8
"""Tries of a part of an upload, and of questions while one waits."""
_FEW = 3
"""Tries of a question of a person, who sees a wrong address sooner."""
_MOST_WAIT = 60.0
_TIMEOUT_SECONDS = 60.0
_CHUNK = 8 << 20
_MOST_ANSWER = 256 << 20
_AGAIN = (409, 423, 429, 502, 503, 504, 507)
"""Answers to a part of an upload after which it may go on."""
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_ERRORS: Mapping[int, type[EvaluateError]] = {413: EntryError, 422: EntryError}


class _Refused(Exception):
    """An answer that is no success."""

    def __init__(self, status: int, detail: str, headers: Mapping[str, str]) -> None:
        super().__init__(detail)
        self.status, self.detail, self.headers = status, detail, headers

    @property
    def error(self) -> EvaluateError:
        """The same as an error of the command line."""
        kind = _ERRORS.get(self.status, Fault if self.status >= 500 else UsageError)
        return kind(self.detail)


class _NoRedirect(HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


@dataclass(frozen=True)
class SiteResponse:
    """Answer of a server."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body as values. Raises Fault if it is something else: another server, or a proxy, answers."""
        try:
            return parsed(self.body)
        except ValueError as e:
            raise Fault(f"the server did not answer in JSON; {NO_SITE}") from e

    @property
    def offset(self) -> int:
        """Number of bytes of an upload that have arrived. Raises Fault as `json`."""
        text = self.headers.get("Upload-Offset") or ""
        if not (text.isascii() and text.isdigit() and len(text) < 20):
            raise Fault(f"the server did not say what has arrived; {NO_SITE}")
        return int(text)

    @property
    def text(self) -> str:
        """The body as text that is fit for a terminal."""
        return sanitize(self.body.decode("utf-8", "replace"))


def address_of(text: str) -> str:
    """The address of a server, without a path.

    Raises UsageError if it is none, or a token would cross the network for all to read.
    """
    try:
        parts = urlsplit(text.strip())
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        host = parts.netloc.encode("idna").decode()
    except ValueError:
        usable = False
    if not usable or parts.path.strip("/") or parts.query:
        raise UsageError(f"--server: expected an address such as https://challenge.example.org, found {text!r}")
    if parts.scheme == "http" and parts.hostname not in _LOOPBACK:
        raise UsageError(f"--server {text}: expected https://, since all on the way could read the token")
    return f"{parts.scheme}://{host}"


@dataclass
class RemoteState:
    """State of `evaluate remote` between calls: servers with tokens, and uploads that can go on."""

    default: str = ""
    """The server of the newest login."""
    tokens: dict[str, str] = field(default_factory=dict)
    uploads: dict[str, str] = field(default_factory=dict)
    """Upload -> its address on the server."""

    @classmethod
    def read(cls) -> RemoteState:
        """Read the state of this user. Raises UsageError if the file is damaged."""
        path = _state_file()
        try:
            values = json.loads(path.read_text(encoding="utf-8"))
            return cls(str(values["default"]), dict(values["tokens"]), dict(values["uploads"]))
        except FileNotFoundError:
            return cls()
        except (ValueError, KeyError, TypeError) as e:
            raise UsageError(f"{path} is damaged; remove it and log in again") from e

    @classmethod
    @contextmanager
    def changed(cls) -> Iterator[RemoteState]:
        """The state, which no other call changes meanwhile; kept at the end, readable for this user alone."""
        path = _state_file()
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with exclusive(path.with_name("lock")):
            yield (now := cls.read())
            write_file(path, json.dumps(asdict(now), indent=1).encode(), 0o600)


def _state_file() -> Path:
    base = os.environ.get("XDG_CONFIG_HOME")
    return (Path(base) if base else Path.home() / ".config") / "evaluate" / "remote.json"


@dataclass(frozen=True)
class Server:
    """A site, asked with a token."""

    address: str
    token: str = ""

    def __post_init__(self) -> None:
        """Raise UsageError for a token that no request can have."""
        if not self.token.isascii() or not self.token.isprintable():
            raise UsageError(f"expected a token in printable ASCII; make one at {self.address}/account")

    def get(self, path: str, *, text: bool = False, tries: int = _FEW, **query: Any) -> SiteResponse:
        """Ask; tried again while the server cannot be reached.

        Raises EvaluateError if the server refuses, with its words, or cannot be reached.

        ``text``: for people, in the words of the command line, where the API has both.
        """
        asked = {key: value for key, value in query.items() if value not in (None, "")}
        where = path + (f"?{urlencode(asked)}" if asked else "")
        headers = {"Accept": "text/plain" if text else "application/json"}
        return self._patiently(lambda: self._ask("GET", where, headers), tries)

    def post(self, path: str, values: Mapping[str, Any]) -> Any:
        """Send values, perhaps several times: the same submission is the same entry.  Raises as `get`."""
        headers = {"Content-Type": "application/json"}
        return self._patiently(lambda: self._ask("POST", path, headers, json.dumps(values).encode()), _FEW).json

    def entry(self, identity: str, tries: int = _FEW) -> dict[str, Any]:
        """State of an entry, and its next step."""
        state: dict[str, Any] = self.get(f"{API}/entries/{quote(identity, safe='')}", tries=tries).json
        return state

    def watch(self, identity: str) -> Iterator[dict[str, Any]]:
        """An entry each time it has changed, until nothing more is done by itself."""
        before: dict[str, Any] = {}
        while True:
            state = self.entry(identity, _TRIES)
            if state != before:
                yield state
                before = state
            if state["state"] in ENDED:
                return
            time.sleep(POLL_SECONDS)

    def upload(
        self,
        file: Path,
        challenge: str,
        team: str,
        progress: Callable[[int], object] = lambda _: None,
    ) -> tuple[str, float]:
        """Upload an archive, from where an earlier try stopped; returns the id of the entry, and when the upload began.

        An entry that was submitted before that, by the clock of the site, is the same archive as an earlier one. Raises
        EntryError if the archive is refused. Raises Fault if the server cannot be reached, or cannot check the archive
        now; the same call resumes.

        ``progress``: called with the number of bytes that the server has.
        """
        size = file.stat().st_size
        digest = sha256_file(file)
        key = " ".join([self.address, challenge, team, digest])
        address, at = RemoteState.read().uploads.get(key, ""), -1
        failed = 0
        with file.open("rb") as opened:
            while at < size:
                try:
                    if address and at < 0:
                        at = self._arrived(address)
                        address = address if at >= 0 else ""
                    if not address:
                        address, at = self._begin(file.name, size, challenge, team, digest), 0
                        with RemoteState.changed() as kept:
                            kept.uploads[key] = address
                    progress(at)
                    if at < size:
                        opened.seek(at)
                        data = opened.read(min(_CHUNK, size - at))
                        if not data:
                            raise UsageError(
                                f"{file}: expected {size} bytes, found {at}: the file was changed while it was sent; "
                                "run the command again once it is complete"
                            )
                        at, failed = self._bring(address, at, data), 0
                except (_Refused, Fault) as e:
                    if isinstance(e, _Refused) and e.status not in _AGAIN:
                        raise e.error from e
                    failed, at = failed + 1, -1
                    if failed >= _TRIES:
                        error = e.error if isinstance(e, _Refused) else e
                        raise Fault(f"{error}; run the command again, and the upload resumes") from e
                    _wait(failed, e)
        progress(size)
        entry = self._taken(address)
        with RemoteState.changed() as kept:
            kept.uploads.pop(key, None)
        if isinstance(entry, EntryError):
            raise entry
        return entry

    def _begin(self, name: str, size: int, challenge: str, team: str, sha256: str) -> str:
        metadata = {"filename": name, "challenge": challenge, "team": team, "sha256": sha256}
        values = {key: value.encode("utf-8", "replace") for key, value in metadata.items()}
        headers = {
            **_TUS,
            "Upload-Length": str(size),
            "Upload-Metadata": ",".join(f"{key} {b64encode(value).decode()}" for key, value in values.items()),
        }
        location = self._ask("POST", "/uploads", headers, b"").headers.get("Location") or ""
        if not (path := urlsplit(location).path).startswith("/"):  # else it would continue the server's name
            raise Fault(f"the server did not say where the upload goes; {NO_SITE}")
        return path

    def _arrived(self, address: str) -> int:
        """Number of bytes of an upload that have arrived; -1: the server does not know it any more."""
        try:
            return self._ask("HEAD", address, _TUS).offset
        except _Refused as e:
            if e.status in (403, 404, 410):
                return -1
            raise

    def _bring(self, address: str, at: int, data: bytes) -> int:
        headers = {**_TUS, "Content-Type": "application/offset+octet-stream", "Upload-Offset": str(at)}
        return self._ask("PATCH", address, headers, data).offset

    def _taken(self, address: str) -> tuple[str, float] | EntryError:
        """The entry that an upload becomes, and when the upload began; or why it is refused."""
        delayed = 0
        while True:
            upload = self.get(f"{API}{address}", tries=_TRIES).json
            if upload["entry"]:
                return str(upload["entry"]), float(upload["created"])
            if upload["error"]:
                return EntryError(upload["error"])
            if why := upload.get("delayed"):
                delayed += 1
                if delayed >= _TRIES:
                    raise Fault(f"{why}; run the command again to see its outcome")
            time.sleep(min(FIRST_WAIT * 2**delayed, _MOST_WAIT))

    def _patiently(self, ask: Callable[[], SiteResponse], tries: int) -> SiteResponse:
        for failed in range(1, tries + 1):
            try:
                return ask()
            except (_Refused, Fault) as e:
                if isinstance(e, _Refused) and e.status not in (429, 502, 503, 504):
                    raise e.error from e
                if failed == tries:
                    raise (e.error if isinstance(e, _Refused) else e) from e
                _wait(failed, e)
        raise AssertionError

    def _ask(self, method: str, path: str, headers: Mapping[str, str], body: bytes | None = None) -> SiteResponse:
        request = Request(self.address + path, method=method, data=body, headers=dict(headers))
        request.add_header("User-Agent", f"evaluate/{__version__}")
        if self.token:
            request.add_unredirected_header("Authorization", f"Bearer {self.token}")
        try:
            with build_opener(_NoRedirect).open(request, timeout=_TIMEOUT_SECONDS) as answer:
                return SiteResponse(answer.status, answer.headers, answer.read(_MOST_ANSWER))
        except HTTPError as e:
            with e:
                raise _Refused(e.code, _detail(e), dict(e.headers)) from e
        except (OSError, http.client.HTTPException) as e:
            reason = e.reason if isinstance(e, URLError) else e
            raise Fault(f"{self.address} cannot be reached: {reason or type(reason).__name__}") from e


ENDED: Mapping[str, int] = {"done": 0, "cancelled": 2, "withdrawn": 2, "parked": 3}
"""States in which an entry stays without somebody's help -> exit code; of ``done`` the verdict decides."""
_TUS = {"Tus-Resumable": "1.0.0"}


def exit_code(entry: Mapping[str, Any]) -> int:
    """The exit code that an entry which has ended stands for."""
    return verdict_code(entry["verdict"]) if entry["state"] == "done" else ENDED[entry["state"]]


def verdict_code(verdict: str) -> int:
    """0 if it passed, else 1."""
    return 0 if verdict in [passing.value for passing in Verdict if passing.passed] else 1


def _detail(error: HTTPError) -> str:
    """Why a request was refused, in the server's words."""
    try:
        return str(parsed(error.read(1 << 16))["detail"])
    except (ValueError, KeyError, TypeError, OSError, http.client.HTTPException):
        return f"{urlsplit(error.url).netloc} answered {error.code} {error.reason}"


def _wait(failed: int, error: Exception) -> None:
    after = error.headers.get("Retry-After", "") if isinstance(error, _Refused) else ""
    wanted = float(after) if after.isascii() and after.isdigit() else FIRST_WAIT * 2 ** (failed - 1)
    time.sleep(min(wanted, _MOST_WAIT))
