"""Pages for anybody: the front page, a challenge, its board."""

from __future__ import annotations

import time

from fastapi import APIRouter
from fastapi.responses import JSONResponse, Response

from evaluate.challenge import Kind
from evaluate.queue.views.board import Place, as_csv, as_json
from evaluate.web.audience import Anyone, Visit
from evaluate.web.board import phases_of, section_of, shown_board
from evaluate.web.pages.rendering import page, public, rendered, static
from evaluate.web.refused import Refused
from evaluate.web.site import Entered

router = APIRouter(include_in_schema=False)

HOW = {
    Kind.SCRIPTS: "a zip or tar.gz archive with setup.sh and next.sh, which is called once for each record",
    Kind.PYTHON: "a zip or tar.gz archive, or a git repository, with a Python program",
    Kind.IMAGE: "a container image, as docker save writes it or as an OCI archive",
    Kind.ANSWERS: "a zip or tar.gz archive with your answers; nothing is run",
}
"""What a team uploads, by kind of entry."""


@router.get("/")
def front(visit: Anyone) -> Response:
    """The challenges, and what the organiser announced."""
    found = [(one, one.terms.phase(time.time())) for one in visit.site.challenges()]
    return page(visit, "front.html", challenges=found, news=visit.site.announcements()[:10])


@router.get("/challenges/{challenge}")
def challenge_page(visit: Anyone, challenge: str) -> Response:
    """Task, rules, limits, dates, how to enter."""
    one = visit.site.challenge(challenge)
    readme = one.challenge.folder / "README.md"
    text = readme.read_text(encoding="utf-8", errors="replace") if readme.is_file() else ""
    return page(
        visit,
        "challenge.html",
        one=one,
        readme=text,
        how=[HOW[kind] for kind in one.challenge.kinds],
        phases=sorted(one.terms.phases, key=lambda phase: phase.begins),
        now=one.terms.phase(time.time()),
        attempts=one.terms.allowed(one.challenge.board),
        news=visit.site.announcements(one.slug),
        seal=visit.site.seal(one),
    )


@router.get("/challenges/{challenge}/board")
def board_page(visit: Anyone, challenge: str) -> Response:
    """The best of each team's attempts, phase by phase."""
    one = visit.site.challenge(challenge)
    return _board(visit, one, "board.site.html")


@router.get("/challenges/{challenge}/board/live")
def board_live(visit: Anyone, challenge: str) -> Response:
    """The part of the board that changes, for the page's script."""
    one = visit.site.challenge(challenge)
    return _board(visit, one, "board.part.html")


def _board(visit: Visit, one: Entered, template: str) -> Response:
    found = shown_board(visit, one)
    stamp = (found.stamp, visit.person, template)

    def make() -> str:
        made = [section_of(visit.site, one, name, found.of(name)) for name in phases_of(one)]
        shown = min(4, one.challenge.board.decimals)
        return rendered(visit, template, said="", one=one, board=found, sections=made, decimals=shown)

    if visit.person is None:  # everybody gets the same
        return public(visit.request, visit.site.kept((template, one.slug), stamp, make), "text/html")
    return public(visit.request, make(), "text/html")


@router.get("/challenges/{challenge}/board.csv")
def board_csv(visit: Anyone, challenge: str) -> Response:
    """The board for spreadsheets."""
    one = visit.site.challenge(challenge)
    return public(visit.request, as_csv(_open(visit, one)), "text/csv", f"{one.slug}.csv")


@router.get("/challenges/{challenge}/board.json")
def board_json(visit: Anyone, challenge: str) -> Response:
    """The board for programs."""
    one = visit.site.challenge(challenge)
    body = JSONResponse(as_json(_open(visit, one))).body
    return public(visit.request, bytes(body), "application/json", f"{one.slug}.json")


def _open(visit: Visit, one: Entered) -> list[Place]:
    found = shown_board(visit, one)
    if found.withheld:
        raise Refused(404, f"the organiser has not released the board of {one.slug} yet")
    return found.places


@router.get("/static/{name}")
def static_file(visit: Anyone, name: str) -> Response:
    """Style and scripts; an address with a digest never changes its content."""
    if name not in static():
        raise Refused(404, "no such file")
    text, kind, digest = static()[name]
    known = visit.request.url.query == digest
    cached = "public, max-age=31536000, immutable" if known else "no-cache"
    return Response(text, media_type=kind, headers={"Cache-Control": cached, "ETag": f'"{digest}"'})


@router.get("/healthz")
def healthz(visit: Anyone) -> Response:
    """Whether the site and its database work."""
    visit.site.line()
    return JSONResponse({"status": "ok"})
