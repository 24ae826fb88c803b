"""For organisers: the same as on their pages."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from fastapi import Query
from fastapi.responses import JSONResponse, Response

from evaluate.report.json import to_json
from evaluate.serve import entry_views, team_actions
from evaluate.serve.api import models
from evaluate.serve.api.responses import entry_model, entry_page, limits_of, tagged, team_model
from evaluate.serve.authorization import Admin, ChallengeOrganiser, Organiser
from evaluate.serve.entry_views import Before
from evaluate.serve.errors import Refused
from evaluate.serve.organiser_acts import api
from evaluate.serve.receipts import logged
from evaluate.store.db.rows import State
from evaluate.store.db.tables import ENTRIES
from evaluate.store.entries.baselines import baselines
from evaluate.store.files.evidence import evidence_of
from evaluate.store.people import logins
from evaluate.store.people.deadlines import deadlines
from evaluate.store.people.teams import get_team, teams
from evaluate.store.repositories import claims
from evaluate.store.submission import attempts_in
from evaluate.views import rejudging
from evaluate.views.overview import as_json as look_json
from evaluate.views.overview import entry_json, overview
from evaluate.views.why import why

After = Annotated[str, Query(max_length=100, description="The `next` of the previous page.")]
Limit = Annotated[int, Query(ge=1, le=100)]


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
