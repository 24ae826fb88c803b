"""The organiser's pages: queue, hosts, evidence of faults, rejudging, releases, announcements, teams, people."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Form
from fastapi.responses import Response

from evaluate.core.errors import UsageError
from evaluate.core.model import Stage
from evaluate.serve import entry_views
from evaluate.serve.authorization import Admin, ChallengeOrganiser, Organiser, Visit
from evaluate.serve.entry_views import Before, Number
from evaluate.serve.errors import Refused
from evaluate.serve.pages.rendering import go, page
from evaluate.store.db.rows import QueuedEntry, State
from evaluate.store.db.tables import ENTRIES
from evaluate.store.entries import rejudge_attempts, withdrawal
from evaluate.store.entries.store import Named
from evaluate.store.files.evidence import as_text as fault_text
from evaluate.store.files.evidence import evidence_of
from evaluate.store.people import logins, site_settings
from evaluate.store.people.logins import Rank, normal_address
from evaluate.store.people.site_settings import (
    Extension,
    TextKind,
    allow_late,
    baseline_teams,
    deadlines,
    keep_text,
    release_scores,
    text_of,
    withdraw_deadline,
)
from evaluate.store.people.teams import get_team, teams
from evaluate.store.repositories import claims, release_claim
from evaluate.store.schedule.faults import faults, resolve
from evaluate.store.schedule.hosts import drain
from evaluate.store.submission import attempts_in
from evaluate.views import rejudging
from evaluate.views.overview import overview
from evaluate.views.why import why
from evaluate.views.words import detail

router = APIRouter(include_in_schema=False, prefix="/organise")
_JOURNAL_LINES = 100
Text = Annotated[str, Form()]
Switch = Annotated[bool, Form()]
Reason = Annotated[str, Form(max_length=1000)]


@router.get("")
def queue(visit: Organiser) -> Response:
    """The queue, the hosts, running stages and parked entries."""
    store = visit.site.store
    look = overview(store)
    parked = store.entries(ENTRIES.c.state == State.PARKED.value)
    names = {host.executor: host.name for host in look.hosts}
    return page(visit, "organise/queue.html", look=look, parked=parked, names=names, states=list(State), detail=detail)


@router.post("/hosts/{host}/drain")
def drain_host(visit: Organiser, host: str, on: Switch = True) -> Response:
    """Drain a host, or end its draining."""
    drain(visit.site.store, host, on=on)
    return go("/organise", "saved")


@router.post("/retry-parked")
def retry_parked(visit: Organiser) -> Response:
    """Requeue every parked entry, at no cost to the teams."""
    visit.site.store.retry_parked()
    return go("/organise", "retried")


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


@router.post("/entries/{identity}/retry")
def retry(visit: ChallengeOrganiser, identity: str) -> Response:
    """Requeue a parked entry, at no cost to the team."""
    return _of_entry(visit.site.store.retry(visit.entry.id), "retried")


@router.post("/entries/{identity}/cancel")
def cancel(visit: ChallengeOrganiser, identity: str) -> Response:
    """Cancel an entry in any state."""
    return _of_entry(visit.site.store.cancel(visit.entry.id), "cancelled")


@router.post("/entries/{identity}/withdraw")
def withdraw_entry(
    visit: ChallengeOrganiser, identity: str, reason: Reason = "", disqualify: Switch = False, undo: Switch = False
) -> Response:
    """Withdraw or reinstate an entry."""
    _withdraw(visit, visit.entry, reason, disqualify, undo)
    return _of_entry(visit.entry, "saved")


def _of_entry(entry: QueuedEntry, message: str) -> Response:
    return go(f"/organise/entries/{entry.id}", message)


def _withdraw(visit: Visit, subject: Named, reason: str, disqualify: bool, undo: bool) -> None:
    if undo:
        withdrawal.readmit(visit.site.store, subject)
    else:
        withdrawal.withdraw(visit.site.store, subject, reason, disqualify=disqualify)


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


@router.post("/rejudgings")
def start(visit: Organiser, challenge: Text, first: Annotated[Stage, Form()] = Stage.SCORE) -> Response:
    """Rejudge every entry of a challenge that reached the exam, from a stage on."""
    site = visit.site
    identity, _count, _gone = rejudging.start(site.store, site.depot, site.challenge(challenge).store_name, first)
    return go(f"/organise/rejudgings/{identity}", "started")


@router.get("/rejudgings/{identity}")
def one_rejudging(visit: ChallengeOrganiser, identity: str) -> Response:
    """Show the changes by a rejudging."""
    site = visit.site
    chosen = visit.rejudging
    changes = rejudging.changes(site.store, identity, site.config.terms(chosen.challenge))
    name = Path(chosen.challenge).name
    return page(visit, "organise/rejudging.html", rejudging=chosen, changes=changes, name=name)


@router.post("/rejudgings/{identity}/apply")
def apply(visit: ChallengeOrganiser, identity: str) -> Response:
    """Apply a rejudging: all of its results count, or none."""
    rejudge_attempts.adopt_rejudging(visit.site.store, identity)
    return go(f"/organise/rejudgings/{identity}", "applied")


@router.post("/rejudgings/{identity}/discard")
def discard(visit: ChallengeOrganiser, identity: str) -> Response:
    """Discard a rejudging; nothing changes."""
    rejudge_attempts.discard_rejudging(visit.site.store, identity)
    return go(f"/organise/rejudgings/{identity}", "discarded")


@router.post("/rejudgings/{identity}/retry")
def retry_rejudging(visit: ChallengeOrganiser, identity: str) -> Response:
    """Requeue its parked attempts."""
    rejudge_attempts.retry_rejudging(visit.site.store, identity)
    return go(f"/organise/rejudgings/{identity}", "retried")


@router.post("/rejudgings/{identity}/exclude")
def exclude(visit: ChallengeOrganiser, identity: str, entry: Text, reason: Reason) -> Response:
    """Let an entry keep the result it has."""
    rejudge_attempts.exclude_attempt(visit.site.store, identity, entry, reason)
    return go(f"/organise/rejudgings/{identity}", "excluded")


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
    visit: ChallengeOrganiser, challenge: str, kind: Annotated[TextKind, Form()], text: Text = ""
) -> Response:
    """Replace the rules, or the questions."""
    slug = visit.site.challenge(challenge).slug
    keep_text(visit.site.store.settings, kind, slug, text)
    return go(f"/organise/challenges/{slug}", "saved")


@router.post("/challenges/{challenge}/release")
def release(visit: ChallengeOrganiser, challenge: str, on: Switch = True) -> Response:
    """Release scores and leaderboard, or follow the configuration again."""
    listing = visit.site.challenge(challenge)
    release_scores(visit.site.store.settings, listing.store_name, on=on)
    return go(f"/organise/challenges/{listing.slug}", "saved")


@router.post("/challenges/{challenge}/deadlines")
def extend(
    visit: ChallengeOrganiser,
    challenge: str,
    team: Text,
    phase: Text,
    until: Annotated[datetime, Form()],
    reason: Reason,
) -> Response:
    """Let one team submit to a phase that has ended, or ends before its deadline, in place of an earlier deadline.

    ``until``: in UTC, as the form has it.
    """
    site, slug = visit.site, visit.site.challenge(challenge).slug
    at = until.replace(tzinfo=UTC).timestamp()
    extension = Extension(challenge=slug, team=team, phase=phase, until=at, reason=reason)
    allow_late(site.store.database, site.config, extension)
    return go(f"/organise/challenges/{slug}", "saved")


@router.post("/challenges/{challenge}/deadlines/withdraw")
def end_deadline(visit: ChallengeOrganiser, challenge: str, team: Text, phase: Text) -> Response:
    """Withdraw the later deadline of a team."""
    site, slug = visit.site, visit.site.challenge(challenge).slug
    withdraw_deadline(site.store.database, site.config, slug, team, phase)
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


@router.post("/news")
def announce(visit: Organiser, text: Annotated[str, Form(max_length=5000)], challenge: Text = "") -> Response:
    """Publish an announcement, for all or on the page of a challenge."""
    slug = visit.site.challenge(challenge).slug if challenge else ""
    site_settings.announce(visit.site.store.settings, text, slug)
    return go("/organise/news", "announced")


@router.post("/news/{identity}/remove")
def withdraw(visit: Organiser, identity: str) -> Response:
    """Remove an announcement."""
    try:
        site_settings.withdraw_news(visit.site.store.settings, identity)
    except UsageError as e:
        raise Refused(404, str(e)) from e
    return go("/organise/news", "removed")


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


@router.post("/teams/baseline")
def mark_team(visit: Organiser, team: Text, on: Switch = True) -> Response:
    """Mark a team as a baseline, so that none of its entries has a rank, or remove the mark."""
    site_settings.mark_baseline(visit.site.store.database, team, on=on)
    return go("/organise/teams", "saved")


@router.post("/teams/withdraw")
def withdraw_team(
    visit: Organiser, team: Text, reason: Reason = "", disqualify: Switch = False, undo: Switch = False
) -> Response:
    """Withdraw or reinstate all entries of a team."""
    _withdraw(visit, get_team(visit.site.store.database, team), reason, disqualify, undo)
    return go("/organise/teams", "saved")


@router.post("/repositories/release")
def release_repository(visit: Organiser, repository: Text) -> Response:
    """Let any team submit a repository that a team has claimed; the next that does claims it."""
    release_claim(visit.site.store.settings, repository)
    return go("/organise/teams", "saved")


@router.get("/faults")
def internal_errors(visit: Organiser) -> Response:
    """Internal errors: which part is at fault, and which entries are affected."""
    return page(visit, "organise/faults.html", faults=faults(visit.site.store.database))


@router.post("/faults/{number}/resolve")
def resolve_fault(visit: Organiser, number: Number, requeue: Switch = True) -> Response:
    """Mark a part as repaired, and requeue its entries."""
    resolve(visit.site.store.database, number, requeue=requeue)
    return go("/organise/faults", "resolved")


@router.get("/journal")
def journal(visit: Organiser, before: Before = None) -> Response:
    """The journal, newest line first."""
    lines = visit.site.store.lines(before=before, most=_JOURNAL_LINES)
    return page(visit, "organise/journal.html", lines=lines)


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


@router.post("/people")
def give_role(visit: Admin, address: Text, rank: Annotated[Rank, Form()] = Rank.NONE) -> Response:
    """Assign a role to a person, or remove it."""
    logins.give_rank(visit.site.store.database, normal_address(address), rank)
    return go("/organise/people", "saved")


@router.post("/people/challenge")
def let_organise(visit: Admin, address: Text, challenge: Text, on: Switch = True) -> Response:
    """Make a person an organiser of one challenge, or revoke that."""
    slug = visit.site.challenge(challenge).slug if on else challenge
    logins.let_organise(visit.site.store.database, normal_address(address), slug, on=on)
    return go("/organise/people", "saved")
