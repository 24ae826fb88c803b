"""Pages for anybody: the front page, a challenge, its board."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Annotated

import sqlalchemy as sa
from fastapi import APIRouter, Form
from fastapi.responses import JSONResponse, Response
from markupsafe import Markup

from evaluate.config.challenge.load import program_challenge
from evaluate.config.challenge.types import Kind
from evaluate.config.load import NamedChallenge
from evaluate.home.public_folder import can_be_tried
from evaluate.receipts.keys import published
from evaluate.serve import downloads
from evaluate.serve.authorization import Anyone, User, Visit, client_of
from evaluate.serve.entry_views import shown_board
from evaluate.serve.errors import Refused
from evaluate.serve.pages.rendering import (
    environment,
    go,
    page,
    public,
    static,
)
from evaluate.serve.receipts import checked, public_keys
from evaluate.serve.site import Site, team_id
from evaluate.store.db.rows import State
from evaluate.store.db.tables import ENTRIES
from evaluate.store.people.site_settings import TextKind, accept_rules, has_accepted, text_of
from evaluate.views.board import BoardRow, as_csv, as_json
from evaluate.views.board_page import section_of
from metrics.readers.foreign import decoded

router = APIRouter(include_in_schema=False)
_MOST_COMPARED = 40
"""Teams whose ranks still make a readable, and quick, page."""
_FILES_SECONDS = 60.0
"""Seconds between two looks, at least, at the files of a challenge."""
_COUNTS_SECONDS = 10.0
"""Seconds between two counts of entries, at least, for the front page."""

HOW = {
    Kind.SCRIPTS: "a zip or tar.gz archive with setup.sh and next.sh, which is called once for each record",
    Kind.PYTHON: "a zip or tar.gz archive, or a git repository, with a Python program",
    Kind.IMAGE: "a container image, as docker save writes it or as an OCI archive",
    Kind.ANSWERS: "a zip or tar.gz archive with your answers; nothing is run",
}
"""Words for an upload, by kind of entry."""


@router.get("/")
def front(visit: Anyone) -> Response:
    """The challenges and the announcements."""
    counts: Mapping[str, Mapping[str, int]] = visit.site.kept("counts", _COUNTS_SECONDS).get(
        visit.site.line, lambda: _entries_by_team(visit.site)
    )
    listings = [(listing, counts.get(listing.store_name, {})) for listing in visit.site.challenges()]
    return page(
        visit,
        "front.html",
        challenges=listings,
        teams=len({team for _, count in listings for team in count}),
        entries=sum(sum(count.values()) for _, count in listings),
        news=visit.site.announcements()[:10],
    )


def _entries_by_team(site: Site) -> Mapping[str, Mapping[str, int]]:
    """Challenge by its name in the store -> team -> its entries, without withdrawn and cancelled ones."""
    out = (State.CANCELLED.value, State.WITHDRAWN.value)
    query = sa.select(ENTRIES.c.challenge, ENTRIES.c.team, sa.func.count().label("entries"))
    query = query.where(ENTRIES.c.state.not_in(out)).group_by(ENTRIES.c.challenge, ENTRIES.c.team)
    counts: dict[str, dict[str, int]] = {}
    with site.store.engine.connect() as connection:
        for row in connection.execute(query):
            counts.setdefault(row.challenge, {})[row.team] = row.entries
    return counts


@router.get("/challenges/{challenge}")
def challenge_page(visit: Anyone, challenge: str) -> Response:
    """Task, rules, limits, dates, how to enter."""
    listing = visit.site.challenge(challenge)
    readme = listing.challenge.folder / "README.md"
    text = decoded(readme.read_bytes(), errors="replace") if readme.is_file() else ""
    return page(
        visit,
        "challenge.html",
        listing=listing,
        readme=text,
        how=[HOW[kind] for kind in listing.challenge.kinds],
        phases=listing.phases,
        attempts=listing.terms.allowed(listing.challenge.board),
        news=visit.site.announcements(listing.slug),
        seal=visit.site.seal(listing),
        at_home=_at_home(listing),
    )


@router.get("/challenges/{challenge}/data")
def data_page(visit: Anyone, challenge: str) -> Response:
    """Files for download, and the command that tries an entry at home."""
    listing = visit.site.challenge(challenge)

    def look() -> tuple[int, int]:
        files = downloads.public_files(listing.challenge)
        return len(files), downloads.size_of(files)

    count, size = visit.site.kept(("files", listing.slug)).get(
        lambda: (listing.challenge, time.time() // _FILES_SECONDS), look
    )
    return page(
        visit,
        "data.html",
        listing=listing,
        count=count,
        size=size,
        starters=downloads.starters(listing.challenge),
        at_home=_at_home(listing) if count else "",
    )


def _at_home(listing: NamedChallenge) -> str:
    """The command that tries an entry at home; empty if there is none."""
    if listing.challenge.folder == program_challenge(listing.slug):
        return f"evaluate try ENTRY --challenge {listing.slug}"
    return f"evaluate try ENTRY --challenge ./{listing.slug}" if can_be_tried(listing.challenge) else ""


@router.get("/challenges/{challenge}/folder.tar.gz")
def challenge_folder(visit: Anyone, challenge: str) -> Response:
    """The public folder of a challenge; an interrupted download can be resumed."""
    listing = visit.site.challenge(challenge)
    return downloads.sent(downloads.challenge_archive(visit.site, listing), f"{listing.slug}.tar.gz")


@router.get("/challenges/{challenge}/starter.tar.gz")
def starter(visit: Anyone, challenge: str, language: str = "") -> Response:
    """A first entry that passes."""
    listing = visit.site.challenge(challenge)
    archive = downloads.starter_archive(visit.site, listing, language)
    return downloads.sent(archive, f"{listing.slug}-{language}.tar.gz")


@router.get("/challenges/{challenge}/rules")
def rules_page(visit: Anyone, challenge: str) -> Response:
    """Rules, and frequently asked questions."""
    listing = visit.site.challenge(challenge)
    settings = visit.site.store.settings
    return page(
        visit,
        "rules.html",
        listing=listing,
        rules=text_of(settings, TextKind.RULES, listing.slug),
        questions=text_of(settings, TextKind.QUESTIONS, listing.slug),
        accepted=visit.person is not None and has_accepted(settings, listing.slug, visit.person.address),
    )


@router.post("/challenges/{challenge}/rules")
def accept(visit: User, challenge: str) -> Response:
    """Accept the rules."""
    listing = visit.site.challenge(challenge)
    accept_rules(visit.site.store.settings, listing.slug, visit.who.address)
    return go(f"/challenges/{listing.slug}/enter", "accepted")


@router.get("/receipts")
def receipts_page(visit: Anyone) -> Response:
    """The public keys, and the form by which a receipt is checked."""
    return page(visit, "receipts.html", keys=public_keys(visit.site), checked=None)


@router.get("/receipts/public.json")
def keys_file(visit: Anyone) -> Response:
    """The public keys as `evaluate verify --key` reads them."""
    return public(visit.request, published(public_keys(visit.site)), "application/json", "public.json")


@router.post("/receipts")
def check_receipt(visit: Anyone, text: Annotated[str, Form()]) -> Response:
    """Check a receipt by this site's keys and log."""
    visit.site.rates.take(visit.site.rates.strangers, "receipts", client_of(visit.request))
    return page(visit, "receipts.html", keys=public_keys(visit.site), checked=checked(visit.site, text.encode()))


@router.get("/challenges/{challenge}/board")
def board_page(visit: Anyone, challenge: str) -> Response:
    """The best of each team's attempts, phase by phase."""
    site, listing = visit.site, visit.site.challenge(challenge)
    shown = shown_board(visit, listing)

    def make() -> str:
        rules, sections = listing.challenge, []
        for name in listing.phase_names:
            hidden, title = rules.hides(listing.terms.data_of(name)), name or rules.title
            section = section_of(site.store, rules, title, shown.of(name), hidden=hidden, most=_MOST_COMPARED)
            sections.append(section)
        return environment().get_template("board.part.html").render(listing=listing, board=shown, sections=sections)

    kept = site.kept(("part", shown.withheld, shown.early, listing.slug))
    part: str = kept.get(lambda: (shown.places, listing.challenge, listing.terms), make)
    for team in visit.person.teams if visit.person is not None else ():
        row = f'<tr data-team="{team_id(team)}"'
        part = part.replace(row, f'{row} class="primary"')
    return page(visit, "board.site.html", listing=listing, part=Markup(part))


@router.get("/challenges/{challenge}/board.csv")
def board_csv(visit: Anyone, challenge: str) -> Response:
    """The board for spreadsheets."""
    listing = visit.site.challenge(challenge)
    return public(visit.request, as_csv(_open(visit, listing)), "text/csv", f"{listing.slug}.csv")


@router.get("/challenges/{challenge}/board.json")
def board_json(visit: Anyone, challenge: str) -> Response:
    """The board for programs."""
    listing = visit.site.challenge(challenge)
    body = JSONResponse(as_json(_open(visit, listing))).body
    return public(visit.request, bytes(body), "application/json", f"{listing.slug}.json")


def _open(visit: Visit, listing: NamedChallenge) -> list[BoardRow]:
    shown = shown_board(visit, listing)
    if shown.withheld:
        raise Refused(404, f"the organiser has not released the board of {listing.slug} yet")
    return shown.places


@router.get("/static/{name}")
async def static_file(visit: Anyone, name: str) -> Response:
    """Style and scripts; an address with a digest never changes its content."""
    if name not in static():
        raise Refused(404, "no such file")
    text, kind, digest = static()[name]
    current = visit.request.url.query == digest
    cached = "public, max-age=31536000, immutable" if current else "no-cache"
    return Response(text, media_type=kind, headers={"Cache-Control": cached, "ETag": f'"{digest}"'})


@router.get("/healthz")
def healthz(visit: Anyone) -> Response:
    """Health of the site and its database."""
    visit.site.line()
    return JSONResponse({"status": "ok"})
