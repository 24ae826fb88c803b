"""Acts of organisers at the site: each is one function, which a form of a page and the API both call."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import asdict
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Form
from fastapi.responses import Response

from evaluate.core.errors import UsageError
from evaluate.core.model import Stage
from evaluate.serve import team_actions as team_acts
from evaluate.serve.api import models
from evaluate.serve.api.responses import entry_model, tagged, team_model
from evaluate.serve.api.responses import router as part_of_the_api
from evaluate.serve.authorization import Admin, ChallengeOrganiser, Organiser, Visit
from evaluate.serve.errors import Refused
from evaluate.serve.pages.rendering import go
from evaluate.serve.site import Site
from evaluate.store.db.reader import EntrySelection
from evaluate.store.db.rows import QueuedEntry
from evaluate.store.entries import withdrawal
from evaluate.store.entries.baselines import mark_baseline
from evaluate.store.entries.store import Named
from evaluate.store.people import logins, site_settings
from evaluate.store.people.logins import normal_address
from evaluate.store.people.site_settings import release_scores
from evaluate.store.people.teams import get_team
from evaluate.store.repositories import release_claim
from evaluate.store.schedule.hosts import drain
from evaluate.views import rejudging

api = part_of_the_api("organise", "/organise")
pages = APIRouter(include_in_schema=False, prefix="/organise")


_Act = TypeVar("_Act", bound=Callable[..., Any])
"""Does it, and returns what the API answers with; its argument ``asked`` is what a form or a request gives."""


def act(path: str, page: str, *, answer: type[models.Model] | None = None, status: int = 200) -> Callable[[_Act], _Act]:
    """Let a form and the API call a function.

    * ``path``: below that of the organisers.
    * ``page``: to look at after the form, with what it says; with names of arguments in braces. Of a switch it says the
      second word where it is off.
    * ``answer``: of the API; by default nothing.
    """

    def register(does: _Act) -> _Act:
        signature = inspect.signature(does, eval_str=True)

        def answered(**given: Any) -> Response:
            answer_body = does(**given)
            if answer is None:
                return Response(status_code=204)
            if status == 200:
                return tagged(given["visit"], answer_body)
            return Response(answer_body.model_dump_json(), status, media_type="application/json")

        def shown(**given: Any) -> Response:
            result = does(**given)
            path_after, _, messages = page.format(result=result, **given).partition("?")
            words = messages.split("/")
            return go(path_after, words[0] if len(words) == 1 or given["asked"].on else words[1])

        of_form = [
            parameter.replace(annotation=Annotated[parameter.annotation, Form()])
            if parameter.name == "asked"
            else parameter
            for parameter in signature.parameters.values()
        ]
        for handler, parameters in ((answered, list(signature.parameters.values())), (shown, of_form)):
            handler.__name__, handler.__doc__ = does.__name__, inspect.getdoc(does)
            handler.__signature__ = inspect.Signature(parameters, return_annotation=Response)  # type: ignore[attr-defined]
        api.post(path, response_model=answer, status_code=status if answer is not None else 204)(answered)
        pages.post(path)(shown)
        return does

    return register


def entry_of(visit: Visit, identity: str) -> QueuedEntry:
    """An entry; Refused if there is none."""
    try:
        return visit.site.store.entry(identity)
    except UsageError as e:
        raise Refused(404, str(e)) from e


def rejudging_of(site: Site, identity: str) -> rejudging.Rejudging:
    """A rejudging; Refused if there is none."""
    try:
        return rejudging.rejudging(site.store, identity)
    except UsageError as e:
        raise Refused(404, str(e)) from e


@act("/hosts/{host}/drain", "/organise?drained/undrained")
def drain_host(visit: Organiser, host: str, asked: models.Switch) -> None:
    """Drain a host, or end its draining."""
    drain(visit.site.store, host, on=asked.on)


@act("/entries/{identity}/retry", "/organise/entries/{identity}?retried", answer=models.Entry)
def retry(visit: ChallengeOrganiser, identity: str) -> models.Entry:
    """Requeue a parked entry, at no cost to the team."""
    return entry_model(visit.site.store.retry(entry_of(visit, identity).id))


@act("/entries/{identity}/cancel", "/organise/entries/{identity}?cancelled", answer=models.Entry)
def cancel(visit: ChallengeOrganiser, identity: str) -> models.Entry:
    """Cancel an entry in any state."""
    return entry_model(visit.site.store.cancel(entry_of(visit, identity).id))


@act("/entries/{identity}/withdraw", "/organise/entries/{identity}?saved", answer=models.Withdrawn)
def withdraw_entry(visit: ChallengeOrganiser, identity: str, asked: models.Withdraw) -> models.Withdrawn:
    """Withdraw or reinstate an entry."""
    return _out(visit, entry_of(visit, identity), asked)


@act("/entries/{identity}/baseline", "/organise/entries/{identity}?saved")
def mark_entry(visit: ChallengeOrganiser, identity: str, asked: models.Switch) -> None:
    """Mark an entry as a baseline, which has no rank and does not count for its team, or remove the mark."""
    mark_baseline(visit.site.store, entry_of(visit, identity), on=asked.on)


@act("/teams/baseline", "/organise/teams?saved")
def mark_team(visit: Organiser, asked: models.MarkTeam) -> None:
    """Mark a team as a baseline, so that none of its entries has a rank, or remove the mark."""
    mark_baseline(visit.site.store, get_team(visit.site.store.database, asked.team), on=asked.on)


@act("/teams/withdraw", "/organise/teams?saved", answer=models.Withdrawn)
def withdraw_team(visit: Organiser, asked: models.WithdrawTeam) -> models.Withdrawn:
    """Withdraw or reinstate all entries of a team."""
    return _out(visit, get_team(visit.site.store.database, asked.team), asked)


def _out(visit: Visit, what: Named, asked: models.Withdraw) -> models.Withdrawn:
    store = visit.site.store
    if asked.undo:
        return models.Withdrawn(entries=withdrawal.readmit(store, what))
    return models.Withdrawn(entries=withdrawal.withdraw(store, what, asked.reason, disqualify=asked.disqualify))


@act("/retry-parked", "/organise?retried", answer=models.Retried)
def retry_parked(visit: Organiser, asked: models.Retry) -> models.Retried:
    """Requeue every parked entry, or those of a challenge or team."""
    store_name = visit.site.challenge(asked.challenge).store_name if asked.challenge else ""
    name = get_team(visit.site.store.database, asked.team).name if asked.team else ""
    return models.Retried(entries=visit.site.store.retry_parked(EntrySelection(team=name, challenge=store_name)))


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
    rejudging_of(visit.site, identity)
    return models.Counted(entries=rejudging.apply(visit.site.store, identity)[0])


@act("/rejudgings/{identity}/discard", "/organise/rejudgings/{identity}?discarded", answer=models.Counted)
def discard(visit: ChallengeOrganiser, identity: str) -> models.Counted:
    """Discard a rejudging; nothing changes."""
    rejudging_of(visit.site, identity)
    return models.Counted(entries=rejudging.discard(visit.site.store, identity))


@act("/rejudgings/{identity}/retry", "/organise/rejudgings/{identity}?retried", answer=models.Counted)
def retry_rejudging(visit: ChallengeOrganiser, identity: str) -> models.Counted:
    """Requeue its parked attempts."""
    rejudging_of(visit.site, identity)
    return models.Counted(entries=rejudging.retry(visit.site.store, identity, ()))


@act("/rejudgings/{identity}/exclude", "/organise/rejudgings/{identity}?excluded")
def exclude(visit: ChallengeOrganiser, identity: str, asked: models.Exclude) -> None:
    """Let an entry keep the result it has."""
    rejudging_of(visit.site, identity)
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


@act("/teams/merge", "/organise/teams?saved", answer=models.Team)
def merge(visit: Organiser, asked: models.MergeTeams) -> models.Team:
    """Merge two teams."""
    return team_model(team_acts.merge(visit.site, asked.team, asked.other))


@act("/teams/refuse", "/organise/teams?removed")
def refuse_merge(visit: Organiser, asked: models.RefuseMerge) -> None:
    """Decline a team's request to be merged."""
    team_acts.forget_merge(visit.site, asked.team)


@act("/repositories/release", "/organise/teams?saved")
def release_repository(visit: Organiser, asked: models.ReleaseRepository) -> None:
    """Let any team submit a repository that a team has claimed; the next that does claims it."""
    release_claim(visit.site.store.settings, asked.repository)


@act("/people", "/organise/people?saved")
def give_role(visit: Admin, asked: models.Person) -> None:
    """Assign a role to a person, or remove it."""
    logins.give_rank(visit.site.store.database, normal_address(asked.address), asked.rank)
