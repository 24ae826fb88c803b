"""Acts of organisers at the site, by forms and by the API."""

from __future__ import annotations

from dataclasses import asdict

from fastapi import APIRouter

from evaluate.core.errors import UsageError
from evaluate.core.model import Stage
from evaluate.serve import team_actions
from evaluate.serve.acts import Acts
from evaluate.serve.api import models
from evaluate.serve.api.responses import entry_model, team_model
from evaluate.serve.api.responses import router as part_of_the_api
from evaluate.serve.authorization import Admin, ChallengeOrganiser, Organiser, Visit
from evaluate.serve.errors import Refused
from evaluate.store.entries import withdrawal
from evaluate.store.entries.baselines import mark_baseline
from evaluate.store.entries.store import Named, selection
from evaluate.store.people import logins, site_settings
from evaluate.store.people.deadlines import Extension, allow_late, withdraw_deadline
from evaluate.store.people.logins import normal_address
from evaluate.store.people.site_settings import release_scores
from evaluate.store.people.teams import get_team, merge_teams
from evaluate.store.repositories import release_claim
from evaluate.store.schedule.hosts import drain
from evaluate.views import rejudging

api = part_of_the_api("organise", "/organise")
pages = APIRouter(include_in_schema=False, prefix="/organise")
act = Acts(api=api, pages=pages)


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
