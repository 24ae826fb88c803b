"""The organiser's pages: queue, hosts, evidence of faults, rejudging, releases, announcements, teams, people."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from fastapi import Form
from fastapi.responses import Response, StreamingResponse

from evaluate.core.model import Stage
from evaluate.operate.season import season
from evaluate.report.json import to_json
from evaluate.serve import entry_views
from evaluate.serve.api.organise import pages as router
from evaluate.serve.authorization import Admin, ChallengeOrganiser, Organiser, Visit
from evaluate.serve.entry_views import Before, Number
from evaluate.serve.pages.rendering import go, page
from evaluate.serve.receipts import logged
from evaluate.store.db.rows import QueuedEntry, State
from evaluate.store.db.tables import ENTRIES
from evaluate.store.files.evidence import as_text as fault_text
from evaluate.store.files.evidence import evidence_of
from evaluate.store.people import logins
from evaluate.store.people.logins import normal_address
from evaluate.store.people.site_settings import TextKind, baseline_teams, deadlines, keep_text, text_of
from evaluate.store.people.teams import get_team, teams
from evaluate.store.repositories import claims
from evaluate.store.schedule.faults import faults, resolve
from evaluate.store.submission import attempts_in
from evaluate.views import rejudging
from evaluate.views.board import as_csv
from evaluate.views.overview import overview
from evaluate.views.why import why
from evaluate.views.words import detail

_JOURNAL_LINES = 100


@router.get("")
def queue(visit: Organiser) -> Response:
    """The queue, the hosts, running stages and parked entries."""
    store = visit.site.store
    look = overview(store)
    parked = store.entries(ENTRIES.c.state == State.PARKED.value)
    names = {host.executor: host.name for host in look.hosts}
    return page(visit, "organise/queue.html", look=look, parked=parked, names=names, states=list(State), detail=detail)


@router.get("/entries")
def entries(visit: Organiser, before: Before = None, challenge: str = "", team: str = "") -> Response:
    """The entries, the newest first."""
    return _entries(visit, before, challenge, team)


@router.get("/challenges/{challenge}/entries")
def entries_of_challenge(visit: ChallengeOrganiser, challenge: str, before: Before = None) -> Response:
    """The entries to a challenge, the newest first."""
    return _entries(visit, before, challenge, "")


def _entries(visit: Visit, before: int | None, challenge: str, team: str) -> Response:
    names = (get_team(visit.site.store.database, team).name,) if team else None
    part = entry_views.entries_of(visit.site, names, challenge=challenge, before=before)
    return page(
        visit,
        "organise/entries.html",
        part=part,
        scores=entry_views.scores_of(visit.site, part.items, organiser=True),
        challenge=challenge,
        team=team,
        detail=detail,
        name=lambda path: Path(path).name,
    )


@router.get("/entries/{identity}")
def entry(visit: ChallengeOrganiser, identity: str) -> Response:
    """An entry with everything: sentence, evidence of faults, journal, report."""
    site = visit.site
    shown = visit.entry
    return page(
        visit,
        "organise/entry.html",
        entry=shown,
        slug=site.slug_of(shown.challenge),
        sentence=why(shown, site.store),
        faults=[fault_text(fault) for fault in evidence_of(site.shared, site.depot, shown.id, shown.attempt)],
        lines=site.store.lines(identity),
        judged=entry_views.view_of(site, shown, organiser=True) is not None,
    )


@router.get("/rejudgings")
def rejudgings(visit: Organiser) -> Response:
    """Every rejudging, and the form of a new one."""
    rows = rejudging.rejudgings(visit.site.store)
    challenges = visit.site.challenges()
    used = {stage for listing in challenges for stage in listing.challenge.stages}
    return page(
        visit,
        "organise/rejudgings.html",
        rows=rows[::-1],
        challenges=challenges,
        stages=[stage for stage in Stage if stage in used],
        name=lambda path: Path(path).name,
    )


@router.get("/rejudgings/{identity}")
def one_rejudging(visit: ChallengeOrganiser, identity: str) -> Response:
    """Show the changes by a rejudging."""
    site = visit.site
    chosen = visit.rejudging
    changes = rejudging.changes(site.store, identity, site.config.terms(chosen.challenge))
    name = Path(chosen.challenge).name
    return page(visit, "organise/rejudging.html", rejudging=chosen, changes=changes, name=name)


@router.get("/challenges")
def challenges(visit: Organiser) -> Response:
    """Phases, quotas, and the release of scores."""
    rows = [(listing, visit.site.released(listing)) for listing in visit.site.challenges()]
    return page(visit, "organise/challenges.html", challenges=rows)


@router.get("/challenges/{challenge}")
def edit_challenge(visit: ChallengeOrganiser, challenge: str) -> Response:
    """Settings of a challenge that can be changed in the browser."""
    listing = visit.site.challenge(challenge)
    texts = [(kind, text_of(visit.site.store.settings, kind, listing.slug)) for kind in TextKind]
    return page(
        visit,
        "organise/challenge.html",
        listing=listing,
        texts=texts,
        released=visit.site.released(listing),
        phases=listing.phases,
        deadlines=deadlines(visit.site.store.settings, visit.site.config, listing.slug),
    )


@router.post("/challenges/{challenge}/texts")
def edit_text(
    visit: ChallengeOrganiser, challenge: str, kind: Annotated[TextKind, Form()], text: Annotated[str, Form()] = ""
) -> Response:
    """Replace the rules, or the questions."""
    slug = visit.site.challenge(challenge).slug
    keep_text(visit.site.store.settings, kind, slug, text)
    return go(f"/organise/challenges/{slug}", "saved")


@router.get("/news")
def announcements(visit: Organiser) -> Response:
    """The announcements, and the form for more."""
    return page(
        visit,
        "organise/news.html",
        news=visit.site.announcements(),
        challenges=visit.site.challenges(),
    )


@router.get("/challenges/{challenge}/everything.tar")
def everything(visit: ChallengeOrganiser, challenge: str) -> Response:
    """The entries to a challenge with answers, reports and receipts, and its board."""
    site, listing = visit.site, visit.site.challenge(challenge)

    def report(entry: QueuedEntry) -> Any:
        view = entry_views.view_of(site, entry, organiser=True)
        return None if view is None else to_json(view)

    entries = site.store.entries(ENTRIES.c.challenge == listing.store_name)
    pieces = season(entries, site.shared, site.depot, report, as_csv(site.places(listing)))
    headers = {"Content-Disposition": f'attachment; filename="{listing.slug}.tar"', "Cache-Control": "no-store"}
    return StreamingResponse(pieces, media_type="application/x-tar", headers=headers)


@router.get("/teams")
def all_teams(visit: Organiser) -> Response:
    """Every team with its members and its use of quotas."""
    site = visit.site
    now = [
        (listing, {row.team: row for row in attempts_in(site.store, listing.store_name, site.config)})
        for listing in site.challenges()
    ]
    return page(
        visit,
        "organise/teams.html",
        teams=teams(site.store.database),
        claims=claims(site.store.settings),
        quota=now,
        baselines=baseline_teams(site.store.database),
    )


@router.get("/faults")
def internal_errors(visit: Organiser) -> Response:
    """Internal errors: which part is at fault, and which entries are affected."""
    return page(visit, "organise/faults.html", faults=faults(visit.site.store.database))


@router.post("/faults/{number}/resolve")
def resolve_fault(visit: Organiser, number: Number, requeue: Annotated[bool, Form()] = True) -> Response:
    """Mark a part as repaired, and requeue its entries."""
    resolve(visit.site.store.database, number, requeue=requeue)
    return go("/organise/faults", "resolved")


@router.get("/journal")
def journal(visit: Organiser, before: Before = None) -> Response:
    """The journal, newest line first."""
    lines = visit.site.store.lines(before=before, most=_JOURNAL_LINES)
    return page(visit, "organise/journal.html", lines=lines)


@router.get("/log")
def log(visit: Organiser, before: Before = None) -> Response:
    """The receipts that were signed, and the signed head of their log."""
    return page(visit, "organise/log.html", part=logged(visit.site, before=before, most=entry_views.PER_PAGE))


@router.get("/people")
def roles(visit: Admin) -> Response:
    """The organisers and admins."""
    database = visit.site.store.database
    return page(
        visit,
        "organise/people.html",
        ranks=logins.ranks(database),
        admins=visit.site.config.web.admins,
        organisers=logins.organisers_of_challenges(database),
        challenges=visit.site.challenges(),
    )


@router.post("/people/challenge")
def let_organise(
    visit: Admin,
    address: Annotated[str, Form()],
    challenge: Annotated[str, Form()],
    on: Annotated[bool, Form()] = True,
) -> Response:
    """Make a person an organiser of one challenge, or revoke that."""
    slug = visit.site.challenge(challenge).slug if on else challenge
    logins.let_organise(visit.site.store.database, normal_address(address), slug, on=on)
    return go("/organise/people", "saved")
