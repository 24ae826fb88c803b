"""For organisers: what their pages show, and their acts, which forms of pages call as well."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import JSONResponse, Response

from evaluate.core.errors import UsageError
from evaluate.core.model import Stage
from evaluate.report.json import to_json
from evaluate.serve import entry_views, team_actions
from evaluate.serve.acts import Acts
from evaluate.serve.api import models
from evaluate.serve.api.responses import entry_model, entry_page, limits_of, router, tagged, team_model
from evaluate.serve.authorization import Admin, ChallengeOrganiser, Organiser, Visit
from evaluate.serve.entry_views import Before
from evaluate.serve.errors import Refused
from evaluate.serve.receipts import logged
from evaluate.store.db.rows import State
from evaluate.store.db.tables import ENTRIES
from evaluate.store.entries import withdrawal
from evaluate.store.entries.baselines import baselines, mark_baseline
from evaluate.store.entries.store import Named, selection
from evaluate.store.files.evidence import evidence_of
from evaluate.store.people import logins, site_settings
from evaluate.store.people.deadlines import Extension, allow_late, deadlines, withdraw_deadline
from evaluate.store.people.logins import normal_address
from evaluate.store.people.site_settings import release_scores
from evaluate.store.people.teams import get_team, merge_teams, teams
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


@act("/hosts/{host}/drain", "/organise?drained/undrained")
def drain_host(visit: Organiser, host: str, asked: models.Switch) -> None:
    """Drain a host, or end its draining."""
    drain(visit.site.store, host, on=asked.on)


@act("/entries/{identity}/retry", "/organise/entries/{identity}?retried", answer=models.Entry)
def retry(visit: ChallengeOrganiser, identity: str) -> models.Entry:
    """Requeue a parked entry, at no cost to the team."""
    return entry_model(visit.site.store.retry(visit.entry.id))


@act("/entries/{identity}/cancel", "/organise/entries/{identity}?cancelled", answer=models.Entry)
def cancel(visit: ChallengeOrganiser, identity: str) -> models.Entry:
    """Cancel an entry in any state."""
    return entry_model(visit.site.store.cancel(visit.entry.id))


@act("/entries/{identity}/withdraw", "/organise/entries/{identity}?saved", answer=models.Changed)
def withdraw_entry(visit: ChallengeOrganiser, identity: str, asked: models.Withdraw) -> models.Changed:
    """Withdraw or reinstate an entry."""
    return _withdraw(visit, visit.entry, asked)


@act("/entries/{identity}/baseline", "/organise/entries/{identity}?saved")
def mark_entry(visit: ChallengeOrganiser, identity: str, asked: models.Switch) -> None:
    """Mark an entry as a baseline, which has no rank and does not count for its team, or remove the mark."""
    mark_baseline(visit.site.store, visit.entry, on=asked.on)


@act("/teams/baseline", "/organise/teams?saved")
def mark_team(visit: Organiser, asked: models.MarkTeam) -> None:
    """Mark a team as a baseline, so that none of its entries has a rank, or remove the mark."""
    mark_baseline(visit.site.store, get_team(visit.site.store.database, asked.team), on=asked.on)


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


@act("/challenges/{challenge}/release", "/organise/challenges?released/withheld")
def release(visit: ChallengeOrganiser, challenge: str, asked: models.Switch) -> None:
    """Release scores and leaderboard, or follow the configuration again."""
    release_scores(visit.site.store.settings, visit.site.challenge(challenge).store_name, on=asked.on)


@act("/news", "/organise/news?announced", answer=models.Announcement, status=201)
def announce(visit: Organiser, asked: models.Announce) -> models.Announcement:
    """Publish an announcement, for all or on the page of a challenge."""
    slug = visit.site.challenge(asked.challenge).slug if asked.challenge else ""
    return models.Announcement(**asdict(site_settings.announce(visit.site.store.settings, asked.text, slug)))


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


@act("/teams/merge", "/organise/teams?saved", answer=models.Team)
def merge(visit: Organiser, asked: models.MergeTeams) -> models.Team:
    """Merge two teams."""
    return team_model(merge_teams(visit.site.store.database, asked.team, asked.other))


@act("/teams/refuse", "/organise/teams?removed")
def refuse_merge(visit: Organiser, asked: models.RefuseMerge) -> None:
    """Decline a team's request to be merged."""
    team_actions.forget_merge(visit.site, asked.team)


@act("/repositories/release", "/organise/teams?saved")
def release_repository(visit: Organiser, asked: models.ReleaseRepository) -> None:
    """Let any team submit a repository that a team has claimed; the next that does claims it."""
    release_claim(visit.site.store.settings, asked.repository)


@act("/people", "/organise/people?saved")
def give_role(visit: Admin, asked: models.Person) -> None:
    """Assign a role to a person, or remove it."""
    logins.give_rank(visit.site.store.database, normal_address(asked.address), asked.rank)


@api.get("/queue", response_model=models.Queue)
def queue(visit: Organiser) -> Response:
    """Entries by state, hosts, running stages and parked entries."""
    store = visit.site.store
    look = look_json(overview(store, 1))
    parked = [entry_json(entry) for entry in store.entries(ENTRIES.c.state == State.PARKED.value)]
    hosts = [{name: host[name] for name in models.Host.model_fields} for host in look["hosts"]]
    answer = {"counts": look["counts"], "hosts": hosts, "running": look["running"], "parked": parked}
    return JSONResponse(models.Queue.model_validate(answer).model_dump(mode="json"))


@api.get("/entries", response_model=models.Page[models.Entry])
def entries(
    visit: Organiser,
    before: Before = None,
    limit: Limit = entry_views.PER_PAGE,
    challenge: Annotated[str, Query(max_length=150)] = "",
    team: Annotated[str, Query(max_length=100)] = "",
) -> Response:
    """List all entries, newest first."""
    names = (get_team(visit.site.store.database, team).name,) if team else None
    part = entry_views.entries_of(visit.site, names, challenge=challenge, before=before, most=limit)
    return tagged(visit, entry_page(part))


@api.get("/entries/{identity}", response_model=models.Evidence)
def evidence(visit: ChallengeOrganiser, identity: str) -> Response:
    """The state of an entry, and every fault that it met."""
    site, entry = visit.site, visit.entry
    faults = evidence_of(site.shared, site.depot, entry.id, entry.attempt)
    return tagged(
        visit,
        models.Evidence(
            entry=entry_model(entry),
            sentence=why(entry, site.store),
            faults=[models.Failure(**fault) for fault in faults],
        ),
    )


@api.get("/entries/{identity}/report")
def report(visit: ChallengeOrganiser, identity: str) -> Response:
    """The full report, with the parts that teams do not see."""
    view = entry_views.view_of(visit.site, visit.entry, organiser=True)
    if view is None:
        raise Refused(404, f"no stage of {identity} has ended yet")
    return JSONResponse(to_json(view))


@api.get("/baselines", response_model=models.Items[str])
def marked(visit: Organiser) -> Response:
    """List the teams and entries that are marked as baselines."""
    return tagged(visit, models.Items[str](items=baselines(visit.site.store)))


@api.get("/rejudgings", response_model=models.Items[models.Rejudging])
def rejudgings(visit: Organiser) -> Response:
    """List all rejudgings, oldest first."""
    items = [models.Rejudging.model_validate(row) for row in rejudging.rejudgings(visit.site.store)]
    return tagged(visit, models.Items[models.Rejudging](items=items))


@api.get("/rejudgings/{identity}", response_model=models.Changes)
def show(visit: ChallengeOrganiser, identity: str) -> Response:
    """Changes by a rejudging: verdicts, scores and ranks before and after."""
    chosen = visit.rejudging
    rows = rejudging.changes(visit.site.store, identity, visit.site.config.terms(chosen.challenge))
    changes = [models.Change.model_validate(row) for row in rows]
    return tagged(visit, models.Changes(**models.Rejudging.model_validate(chosen).model_dump(), changes=changes))


@api.get("/challenges/{challenge}/deadlines", response_model=models.Items[models.Deadline])
def later_deadlines(visit: ChallengeOrganiser, challenge: str) -> Response:
    """List the later deadlines of single teams."""
    site = visit.site
    rows = deadlines(site.store.settings, site.config, site.challenge(challenge).slug)
    return tagged(visit, models.Items[models.Deadline](items=[models.Deadline.model_validate(row) for row in rows]))


@api.get("/repositories", response_model=models.Items[models.Claim])
def repositories(visit: Organiser) -> Response:
    """List the private repositories that teams have claimed by submitting them first."""
    rows = claims(visit.site.store.settings)
    return tagged(visit, models.Items[models.Claim](items=[models.Claim(**asdict(row)) for row in rows]))


@api.get("/teams", response_model=models.Items[models.Team])
def all_teams(visit: Organiser) -> Response:
    """List every team with its members."""
    return tagged(
        visit, models.Items[models.Team](items=[team_model(team) for team in teams(visit.site.store.database)])
    )


@api.get("/merges", response_model=models.Items[models.MergeTeams])
def merges(visit: Organiser) -> Response:
    """List the merges that teams asked for."""
    items = [
        models.MergeTeams(team=request["team"], other=request["other"])
        for request in team_actions.merges_asked(visit.site)
    ]
    return tagged(visit, models.Items[models.MergeTeams](items=items))


@api.get("/challenges/{challenge}/attempts", response_model=models.Quota)
def attempts(visit: ChallengeOrganiser, challenge: str, after: After = "", limit: Limit = 100) -> Response:
    """Use of attempts in the phase that is open now, by the names of the teams."""
    store_name = visit.site.challenge(challenge).store_name
    counts = attempts_in(visit.site.store, store_name, visit.site.config, after=after, most=limit)
    items = [
        models.TeamAttempts(
            team=count.team,
            phase=count.phase,
            attempts=count.in_phase.most,
            used=count.in_phase.used,
            waiting=count.in_phase.waiting,
            limits=limits_of(count),
        )
        for count in counts
    ]
    return tagged(visit, models.Quota(items=items, next=counts[-1].team if len(counts) == limit else None))


@api.get("/journal", response_model=models.Page[models.Line])
def journal(visit: Organiser, before: Before = None, limit: Limit = 100) -> Response:
    """The journal, newest line first."""
    lines = visit.site.store.lines(before=before, most=limit)
    items = [{name: getattr(line, name) for name in models.Line.model_fields} for line in lines]
    after = lines[-1].number if len(lines) == limit and lines[-1].number > 1 else None
    return JSONResponse({"items": items, "next": after})


@api.get("/log", response_model=models.Log)
def log(visit: Organiser, before: Before = None, limit: Limit = entry_views.PER_PAGE) -> Response:
    """The signed receipts, newest first, and the signed head of their log."""
    part = logged(visit.site, before=before, most=limit)
    checkpoint = part.head.note if part.head is not None else None
    return tagged(visit, models.Log(checkpoint=checkpoint, key=part.key, items=list(part.items), next=part.after))


@api.get("/people", response_model=models.Items[models.Person])
def roles(visit: Admin) -> Response:
    """List the people to whom an admin assigned a role."""
    ranks = logins.ranks(visit.site.store.database)
    return tagged(
        visit,
        models.Items[models.Person](
            items=[models.Person(address=address, rank=rank) for address, rank in ranks.items()]
        ),
    )
