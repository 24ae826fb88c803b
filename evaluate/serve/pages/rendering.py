"""Templates, and answers made of them."""

from __future__ import annotations

import hashlib
import math
import re
import time
from datetime import UTC, datetime
from functools import cache, lru_cache
from importlib.resources import files
from itertools import count
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from jinja2 import Environment
from markdown_it import MarkdownIt
from markupsafe import Markup, escape

from evaluate.report.html import environment as templates
from evaluate.report.words import moment
from evaluate.serve.authorization import Person, Visit
from evaluate.serve.site import Site, team_id
from evaluate.views.words import journal_sentence, span

_STATIC = dict.fromkeys(("live.js", "page.js", "upload.js"), "text/javascript")
_CODE = re.compile(r"`([^`\n]+)`")


@cache
def environment() -> Environment:
    """The templates of the site, and those of reports below them."""
    made = templates("evaluate.serve")
    made.filters |= {
        "moment": _time,
        "day": _day,
        "away": _away,
        "coded": coded,
        "phase_now": lambda terms: terms.phase(time.time()),
        "next_phase": lambda terms: terms.next_phase(time.time()),
        "passed": lambda phase: 100 * (time.time() - phase.begins) / (phase.ends - phase.begins),
        "ago": lambda at: span(time.time() - at),
        "span": span,
        "sentence": journal_sentence,
        "size": _size,
        "team_id": team_id,
        "markdown": _rendered_markdown,
        "finite": math.isfinite,
        "minute": lambda at: f"{datetime.fromtimestamp(at, UTC):%Y-%m-%dT%H:%M}" if math.isfinite(at) else "",
    }
    made.globals["asset"] = lambda name: f"/static/{name}?{static()[name][2]}"
    return made


@lru_cache(maxsize=64)
def _rendered_markdown(text: str) -> Markup:
    """HTML of Markdown whose blocks of code can be scrolled by keyboard; HTML in the text itself stays text."""
    numbers = count(1)
    html = _markdown().render(text).replace("<pre>", '<pre tabindex="0">').replace("<th></th>", "<td></td>")
    scroll = '<div class="scroll" tabindex="0" role="region" aria-label="table {}"><table>'
    html = re.sub("<table>", lambda _: scroll.format(next(numbers)), html).replace("</table>", "</table></div>")
    # a page has its own heading above
    return Markup(re.sub(r"(</?h)([1-5])>", lambda head: f"{head[1]}{int(head[2]) + 1}>", html))


def _time(at: float, local: bool = False) -> Markup:
    """A moment as an element; with ``local`` the page's script writes the reader's own time beside it."""
    machine = f"{datetime.fromtimestamp(at, UTC):%Y-%m-%dT%H:%MZ}"
    return Markup('<time datetime="{}"{}>{}</time>').format(machine, Markup(" data-local") if local else "", moment(at))


def _day(at: float) -> Markup:
    minute = f"{datetime.fromtimestamp(at, UTC):%Y-%m-%dT%H:%M}"
    return Markup('<time datetime="{0}Z" title="{0} UTC">{1}</time>').format(minute, minute[:10])


def _away(at: float) -> str:
    """Distance of a moment from now: "in 3 days", "2 hours ago"."""
    seconds = at - time.time()
    return f"in {span(seconds)}" if seconds >= 0 else f"{span(-seconds)} ago"


def coded(text: str) -> Markup:
    """A message with its commands, which are between backticks, as code."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))


@cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table")


def _size(count: float) -> str:
    for unit, size in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count:.0f} bytes"


@cache
def static() -> dict[str, tuple[bytes, str, str]]:
    """Files that pages load: name -> content, type, digest."""
    folder = files("evaluate.serve") / "static"
    shared = (files("evaluate.report") / "templates" / "style.css").read_bytes()
    contents = {"site.css": (shared + b"\n" + (folder / "site.css").read_bytes(), "text/css")}
    contents |= {name: ((folder / name).read_bytes(), kind) for name, kind in _STATIC.items()}
    return {name: (text, kind, hashlib.sha256(text).hexdigest()[:16]) for name, (text, kind) in contents.items()}


def page(visit: Visit, template: str, **values: Any) -> Response:
    """A page in its frame."""
    answer = public(visit.request, rendered(visit, template, **values), "text/html")
    answer.headers.update({"Cache-Control": "no-store", "Vary": "Cookie"})
    return answer


def rendered(visit: Visit, template: str, **values: Any) -> str:
    """The text of a page."""
    message = MESSAGES.get(visit.request.query_params.get("said", ""), "")
    values = frame(visit.site, visit.request.url.path, visit.person) | {"said": message} | values
    return environment().get_template(template).render(values)


def frame(site: Site, path: str, person: Person | None = None) -> dict[str, Any]:
    """Values for the frame around a page."""
    return {"site": site, "title": site.config.web.title, "person": person, "path": path, "said": ""}


def error_page(site: Site, request: Request, person: Person | None, status: int, detail: str) -> Response:
    """A page about an error, with the way back."""
    host, _, page_there = request.headers.get("referer", "").partition("://")[2].partition("/")
    back = "/" + page_there.lstrip("/\\") if host == request.url.netloc else ""
    values = frame(site, request.url.path, person) | {"status": status, "detail": detail, "back": back}
    return HTMLResponse(environment().get_template("error.html").render(values), status)


def public(request: Request, content: str | bytes, kind: str, name: str = "") -> Response:
    """A body with its ETag; a browser that has it already gets a 304.

    ``name``: file name of a download.
    """
    body = content.encode() if isinstance(content, str) else content
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if name:
        headers["Content-Disposition"] = f'attachment; filename="{name}"'
    given = request.headers.get("if-none-match", "")
    if tag in {tag_given.strip().removeprefix("W/") for tag_given in given.split(",")}:
        return Response(status_code=304, headers=headers)
    return Response(body, media_type=kind, headers=headers)


MESSAGES = {
    "joined": "You have joined the team.",
    "left": "You have left the team.",
    "made": "Team created.",
    "saved": "Saved.",
    "removed": "Removed.",
    "resolved": "Internal error resolved.",
    "retried": "Requeued, at no cost to the team.",
    "cancelled": "Cancelled.",
    "applied": "Applied: the new results count now.",
    "discarded": "Discarded: nothing has changed.",
    "excluded": "Excluded: the entry keeps its current result.",
    "started": "Rejudging started.",
    "announced": "Announced.",
    "accepted": "Rules accepted.",
    "forgotten": "Your account and your data are removed.",
}
"""Messages shown after an action, by a key in the address: text from the address is never shown."""


def go(path: str, message: str = "") -> Response:
    """After a form: the page to look at next."""
    assert path.startswith("/") and (not message or message in MESSAGES)
    return RedirectResponse(path + (f"?said={message}" if message else ""), 303)
