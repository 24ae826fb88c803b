"""For organisers: what their pages show, and their acts, which forms of pages call as well."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import JSONResponse, Response

from evaluate.core.errors import UsageError
from evaluate.core.model import Stage
from evaluate.report.json import to_json
from evaluate.serve import entry_views
from evaluate.serve.acts import Acts
from evaluate.serve.api import models
from evaluate.serve.api.responses import router
from evaluate.serve.authorization import Admin, ChallengeOrganiser, Organiser, Visit
from evaluate.serve.entry_views import Before
from evaluate.serve.errors import Refused
from evaluate.serve.receipts import logged
from evaluate.store.db.rows import State
from evaluate.store.db.tables import ENTRIES
from evaluate.store.entries import withdrawal
from evaluate.store.entries.store import Named, selection
from evaluate.store.files.evidence import evidence_of
from evaluate.store.people import logins, site_settings
from evaluate.store.people.logins import normal_address
from evaluate.store.people.site_settings import Extension, allow_late, deadlines, release_scores, withdraw_deadline
from evaluate.store.people.teams import get_team, teams
from evaluate.store.repositories import claims, release_claim
from evaluate.store.schedule.hosts import drain
from evaluate.store.submission import attempts_in
from evaluate.views import rejudging
from evaluate.views.overview import as_json as look_json
from evaluate.views.overview import entry_json, overview
from evaluate.views.why import why

api = router("organise", "/organise")
pages = APIRouter(include_in_schema=False, prefix="/organise")
act = Acts(api=api, pages=pages)
After = Annotated[str, Query(max_length=100, description="The `next` of the previous page.")]
Limit = Annotated[int, Query(ge=1, le=100)]


@act("/hosts/{host}/drain", "/organise?saved")
def drain_host(visit: Organiser, host: str, asked: models.Switch) -> None:
    """Drain a host, or end its draining."""
    drain(visit.site.store, host, on=asked.on)


@act("/entries/{identity}/retry", "/organise/entries/{identity}?retried", answer=models.Entry)
def retry(visit: ChallengeOrganiser, identity: str) -> models.Entry:
    """Requeue a parked entry, at no cost to the team."""
    return models.Entry.model_validate(visit.site.store.retry(visit.entry.id))


@act("/entries/{identity}/cancel", "/organise/entries/{identity}?cancelled", answer=models.Entry)
def cancel(visit: ChallengeOrganiser, identity: str) -> models.Entry:
    """Cancel an entry in any state."""
    return models.Entry.model_validate(visit.site.store.cancel(visit.entry.id))


@act("/entries/{identity}/withdraw", "/organise/entries/{identity}?saved", answer=models.Changed)
def withdraw_entry(visit: ChallengeOrganiser, identity: str, asked: models.Withdraw) -> models.Changed:
    """Withdraw or reinstate an entry."""
    return _withdraw(visit, visit.entry, asked)


@act("/teams/baseline", "/organise/teams?saved")
def mark_team(visit: Organiser, asked: models.MarkTeam) -> None:
    """Mark a team as a baseline, so that none of its entries has a rank, or remove the mark."""
    site_settings.mark_baseline(visit.site.store.database, asked.team, on=asked.on)


@act("/teams/withdraw", "/organise/teams?saved", answer=models.Changed)
def withdraw_team(visit: Organiser, asked: models.WithdrawTeam) -> models.Changed:
    """Withdraw or reinstate all entries of a team."""
    return _withdraw(visit, get_team(visit.site.store.database, asked.team), asked)


def _withdraw(visit: Visit, subject: Named, asked: models.Withdraw) -> models.Changed:
    store = visit.site.store
    if asked.undo:
        return models.Changed(entries=withdrawal.readmit(store, subject))
    return models.Changed(entries=withdrawal.withdraw(store, subject, asked.reason, disqualify=asked.disqualify))


@act("/retry-parked", "/organise?retried", answer=models.Changed)
def retry_parked(visit: Organiser, asked: models.Retry) -> models.Changed:
    """Requeue every parked entry, or those of a challenge or team."""
    store_name = visit.site.challenge(asked.challenge).store_name if asked.challenge else ""
    name = get_team(visit.site.store.database, asked.team).name if asked.team else ""
    return models.Changed(entries=visit.site.store.retry_parked(*selection(name, store_name)))


@act("/rejudgings", "/organise/rejudgings/{result.id}?started", answer=models.Rejudging, status=201)
def start(visit: Organiser, asked: models.StartRejudging) -> models.Rejudging:
    """Rejudge every entry of a challenge that reached the exam, from a stage on."""
    site = visit.site
    store_name = site.challenge(asked.challenge).store_name
    identity, _count, _gone = rejudging.start(site.store, site.depot, store_name, Stage(asked.first))
    return models.Rejudging.model_validate(rejudging.rejudging(site.store, identity))


@act("/rejudgings/{identity}/apply", "/organise/rejudgings/{identity}?applied", answer=models.Counted)
def apply(visit: ChallengeOrganiser, identity: str) -> models.Counted:
    """Apply a rejudging: all of its results count, or none."""
    return models.Counted(entries=rejudging.apply(visit.site.store, identity)[0])


@act("/rejudgings/{identity}/discard", "/organise/rejudgings/{identity}?discarded", answer=models.Counted)
def discard(visit: ChallengeOrganiser, identity: str) -> models.Counted:
    """Discard a rejudging; nothing changes."""
    return models.Counted(entries=rejudging.discard(visit.site.store, identity))


@act("/rejudgings/{identity}/retry", "/organise/rejudgings/{identity}?retried", answer=models.Counted)
def retry_rejudging(visit: ChallengeOrganiser, identity: str) -> models.Counted:
    """Requeue its parked attempts."""
    return models.Counted(entries=rejudging.retry(visit.site.store, identity, ()))


@act("/rejudgings/{identity}/exclude", "/organise/rejudgings/{identity}?excluded")
def exclude(visit: ChallengeOrganiser, identity: str, asked: models.Exclude) -> None:
    """Let an entry keep the result it has."""
    rejudging.exclude(visit.site.store, identity, asked.entry, asked.reason)


@act("/challenges/{challenge}/release", "/organise/challenges?saved")
def release(visit: ChallengeOrganiser, challenge: str, asked: models.Switch) -> None:
    """Release scores and leaderboard, or follow the configuration again."""
    release_scores(visit.site.store.settings, visit.site.challenge(challenge).store_name, on=asked.on)


@act("/news", "/organise/news?announced", answer=models.Announcement, status=201)
def announce(visit: Organiser, asked: models.Announce) -> models.Announcement:
    """Publish an announcement, for all or on the page of a challenge."""
    slug = visit.site.challenge(asked.challenge).slug if asked.challenge else ""
    return models.Announcement.model_validate(site_settings.announce(visit.site.store.settings, asked.text, slug))


@act("/news/{identity}", "/organise/news?removed", form="/news/{identity}/remove", method="DELETE")
def withdraw(visit: Organiser, identity: str) -> None:
    """Remove an announcement."""
    try:
        site_settings.withdraw_news(visit.site.store.settings, identity)
    except UsageError as e:
        raise Refused(404, str(e)) from e


@act("/challenges/{challenge}/deadlines", "/organise/challenges/{challenge}?saved", answer=models.Deadline)
def extend(visit: ChallengeOrganiser, challenge: str, asked: models.Deadline) -> models.Deadline:
    """Let one team submit to a phase that has ended, or ends before its deadline, in place of an earlier deadline."""
    site = visit.site
    wanted = Extension(challenge=site.challenge(challenge).slug, **asked.model_dump())
    return models.Deadline.model_validate(allow_late(site.store.database, site.config, wanted))


@act("/challenges/{challenge}/deadlines/withdraw", "/organise/challenges/{challenge}?saved")
def end_deadline(visit: ChallengeOrganiser, challenge: str, asked: models.EndDeadline) -> None:
    """Withdraw the later deadline of a team."""
    site = visit.site
    withdraw_deadline(site.store.database, site.config, site.challenge(challenge).slug, asked.team, asked.phase)


@act("/repositories/release", "/organise/teams?saved")
def release_repository(visit: Organiser, asked: models.ReleaseRepository) -> None:
    """Let any team submit a repository that a team has claimed; the next that does claims it."""
    release_claim(visit.site.store.settings, asked.repository)


@act("/people", "/organise/people?saved")
def give_role(visit: Admin, asked: models.Person) -> None:
    """Assign a role to a person, or remove it."""
    logins.give_rank(visit.site.store.database, normal_address(asked.address), asked.rank)


@api.get("/queue", response_model=models.Queue)
def queue(visit: Organiser) -> Any:
    """Entries by state, hosts, running stages and parked entries."""
    store = visit.site.store
    look = look_json(overview(store, 1))
    parked = [entry_json(entry) for entry in store.entries(ENTRIES.c.state == State.PARKED.value)]
    hosts = [{name: host[name] for name in models.Host.model_fields} for host in look["hosts"]]
    return {"counts": look["counts"], "hosts": hosts, "running": look["running"], "parked": parked}


@api.get("/entries", response_model=models.Page[models.Entry])
def entries(
    visit: Organiser,
    before: Before = None,
    limit: Limit = entry_views.PER_PAGE,
    challenge: Annotated[str, Query(max_length=150)] = "",
    team: Annotated[str, Query(max_length=100)] = "",
) -> Any:
    """List all entries, newest first."""
    names = (get_team(visit.site.store.database, team).name,) if team else None
    return entry_views.entries_of(visit.site, names, challenge=challenge, before=before, most=limit)


@api.get("/entries/{identity}", response_model=models.Evidence)
def evidence(visit: ChallengeOrganiser, identity: str) -> Any:
    """The state of an entry, and every fault that it met."""
    site, entry = visit.site, visit.entry
    faults = evidence_of(site.shared, site.depot, entry.id, entry.attempt)
    return {"entry": entry, "sentence": why(entry, site.store), "faults": faults}


@api.get("/entries/{identity}/report")
def report(visit: ChallengeOrganiser, identity: str) -> Response:
    """The full report, with the parts that teams do not see."""
    view = entry_views.view_of(visit.site, visit.entry, organiser=True)
    if view is None:
        raise Refused(404, f"no stage of {identity} has ended yet")
    return JSONResponse(to_json(view))


@api.get("/baselines", response_model=models.Items[str])
def marked(visit: Organiser) -> Any:
    """List the teams that are marked as baselines."""
    return {"items": sorted(site_settings.baseline_teams(visit.site.store.database))}


@api.get("/rejudgings", response_model=models.Items[models.Rejudging])
def rejudgings(visit: Organiser) -> Any:
    """List all rejudgings, oldest first."""
    return {"items": rejudging.rejudgings(visit.site.store)}


@api.get("/rejudgings/{identity}", response_model=models.Changes)
def show(visit: ChallengeOrganiser, identity: str) -> Any:
    """Changes by a rejudging: verdicts, scores and ranks before and after."""
    chosen = visit.rejudging
    changes = rejudging.changes(visit.site.store, identity, visit.site.config.terms(chosen.challenge))
    return {**models.Rejudging.model_validate(chosen).model_dump(), "changes": changes}


@api.get("/challenges/{challenge}/deadlines", response_model=models.Items[models.Deadline])
def later_deadlines(visit: ChallengeOrganiser, challenge: str) -> Any:
    """List the later deadlines of single teams."""
    site = visit.site
    return {"items": deadlines(site.store.settings, site.config, site.challenge(challenge).slug)}


@api.get("/repositories", response_model=models.Items[models.Claim])
def repositories(visit: Organiser) -> Any:
    """List the private repositories that teams have claimed by submitting them first."""
    return {"items": claims(visit.site.store.settings)}


@api.get("/teams", response_model=models.Items[models.Team])
def all_teams(visit: Organiser) -> Any:
    """List every team with its members."""
    return {"items": teams(visit.site.store.database)}


@api.get("/challenges/{challenge}/attempts", response_model=models.Quota)
def attempts(visit: ChallengeOrganiser, challenge: str, after: After = "", limit: Limit = 100) -> Any:
    """Use of attempts in the phase that is open now, by the names of the teams."""
    store_name = visit.site.challenge(challenge).store_name
    counts = attempts_in(visit.site.store, store_name, visit.site.config, after=after, most=limit)
    return {"items": counts, "next": counts[-1].team if len(counts) == limit else None}


@api.get("/journal", response_model=models.Page[models.Line])
def journal(visit: Organiser, before: Before = None, limit: Limit = 100) -> Any:
    """The journal, newest line first."""
    lines = visit.site.store.lines(before=before, most=limit)
    return {"items": lines, "next": lines[-1].number if len(lines) == limit and lines[-1].number > 1 else None}


@api.get("/log", response_model=models.Log)
def log(visit: Organiser, before: Before = None, limit: Limit = entry_views.PER_PAGE) -> Any:
    """The signed receipts, newest first, and the signed head of their log."""
    part = logged(visit.site, before=before, most=limit)
    checkpoint = part.head.note if part.head is not None else None
    return {"checkpoint": checkpoint, "key": part.key, "items": part.items, "next": part.after}


@api.get("/people", response_model=models.Items[models.Person])
def roles(visit: Admin) -> Any:
    """List the people to whom an admin assigned a role."""
    ranks = logins.ranks(visit.site.store.database)
    return {"items": [{"address": address, "rank": rank} for address, rank in ranks.items()]}
