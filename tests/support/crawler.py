"""Walks a site as whoever is logged in."""

import re
from collections import deque
from collections.abc import Iterator
from urllib.parse import urljoin, urlsplit

from fastapi.testclient import TestClient
from httpx2 import Response

from evaluate.serve.app import routes
from evaluate.serve.site import team_id
from evaluate.store.entries.store import Store

_TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?|\b[12]\d{9}\.\d+")
"""A date with a time, or seconds since 1970."""
_LINK = re.compile(r'(?:href|action|src)="([^"]+)"')


def without_times(text: str) -> str:
    """The text of a page without its times, whose fractions of a second may have the digits of any score."""
    return _TIME.sub("", text)


def walked(
    store: Store, client: TestClient, challenge: str, under: str = "", *, wrong: bool = False
) -> Iterator[Response]:
    """Every page that can be reached, and every route there is with own and with others' things.

    ``under``: only addresses that contain this.  ``wrong``: also requests that are refused.
    """
    entries = [entry.id for entry in store.entries()]
    values = {"entry": entries, "identity": entries[:2], "challenge": [challenge], "name": ["site.css"]}
    values |= {
        "team": sorted({team_id(entry.team) for entry in store.entries()}),
        "upload": ["none"],
        "host": ["green"],
        "token": ["none"],
    }
    paths = deque(["/", "/none", f"/challenges/{challenge}/none", "/entries?before=x", "/api/v1/entries?limit=-1"])
    for route in routes():
        (name,) = re.findall(r"{(\w+)}", route.path) or [""]
        for value in values.get(name, [""]):
            path = route.path.replace(f"{{{name}}}", value)
            if "GET" in route.methods:
                paths.append(path)
            elif wrong and not path.startswith(("/logout", "/teams/", "/api/v1/teams/")):
                json = {"Content-Type": "application/json"}
                yield client.request(sorted(route.methods)[0], path, content=b"{", headers=json)
    seen = set(paths)
    while paths:
        path = paths.popleft()
        if under not in path:
            continue
        reply = client.get(path)
        yield reply
        if "html" in reply.headers.get("content-type", ""):
            for link in (*_LINK.findall(reply.text), reply.headers.get("location", "")):
                there = urlsplit(urljoin(path, link.replace("&amp;", "&")))
                new = there.path + (f"?{there.query}" if there.query else "")
                if not there.scheme and new not in seen and not new.startswith("/logout"):
                    seen.add(new)
                    paths.append(new)
