"""What people do with teams at once: nobody is lost, and nobody is in two teams."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from threading import Barrier

import pytest

from evaluate.core.errors import EvaluateError
from evaluate.operate.audit import verify
from evaluate.serve.authorization import known_person
from evaluate.serve.errors import Refused
from evaluate.serve.site import Site, open_site
from evaluate.serve.team_actions import change_member, invite, inviting_team, join, leave, make_team
from evaluate.store.people import logins
from evaluate.store.people.teams import Member, Role, Team, get_team
from tests.support.queues import keep_team, queue

SITES = 4
"""Each has its own connections, as processes of the site on several hosts have."""


@pytest.fixture
def sites(tmp_path: Path, queue_url: str) -> Iterator[list[Site]]:
    text = "web: {admins: [root@example.org]}\nchallenges: {cinc2017: {}}\n"
    (tmp_path / "evaluate.yaml").write_text(
        text + (f"database: {queue_url}\nshared: {tmp_path}\n" if queue_url else "")
    )
    with queue(tmp_path, queue_url), ExitStack() as stack:
        opened = [open_site(tmp_path, "http://site.example") for _ in range(SITES)]
        for site in opened:
            site.rates.teams = site.rates.changes
            stack.callback(site.store.engine.dispose)
        yield opened


def at_once(acts: Sequence[Callable[[], object]]) -> list[object]:
    """Do all at one moment; what each returned, or the error that it ended with."""
    barrier = Barrier(len(acts))

    def act(work: Callable[[], object]) -> object:
        barrier.wait()
        try:
            return work()
        except (Refused, EvaluateError) as e:
            return e

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(act, acts))


def test_organiser_may_put_a_person_into_two_teams_who_then_joins_no_third(sites: list[Site]) -> None:
    database = sites[0].store.database
    for name in ("Alpha", "Beta"):
        keep_team(database, Team(name=name, members=(Member(address="Ann@Example.org"),)))
    keep_team(database, Team(name="Gamma"))
    assert logins.teams_of(database, "ann@example.org") == ("Alpha", "Beta")
    with pytest.raises(Refused, match="you are in team Alpha; leave it first"):
        join(sites[0], known_person(sites[0], "ann@example.org"), "Gamma")


def test_member_who_is_removed_does_not_come_back_by_the_same_invitation(sites: list[Site]) -> None:
    ann, bob = (known_person(sites[0], f"{name}@example.org") for name in ("ann", "bob"))
    team = make_team(sites[0], ann, "Alpha")
    token = invite(sites[0], team, ann)
    join(sites[0], bob, inviting_team(sites[0], token))
    change_member(sites[0], team, ann, bob.address, "remove")
    with pytest.raises(Refused, match="this invitation has expired"):
        inviting_team(sites[0], token)


def test_two_owners_who_leave_at_once_leave_one_of_them(sites: list[Site]) -> None:
    owners = [f"o{n}@example.org" for n in range(SITES)]
    members = [Member(address=address, role=Role.OWNER) for address in owners] + [Member(address="m@example.org")]
    team = keep_team(sites[0].store.database, Team(name="Delta", members=tuple(members)))
    leaving = [known_person(site, address) for site, address in zip(sites, owners, strict=True)]
    outcomes = at_once([lambda n=n: leave(sites[n], team, leaving[n]) for n in range(SITES)])  # type: ignore[misc]
    assert sum(isinstance(outcome, Refused) for outcome in outcomes) == 1
    left = get_team(sites[0].store.database, "Delta").members
    assert sorted(member.role for member in left) == [Role.MEMBER, Role.OWNER]


def test_owner_who_was_removed_meanwhile_changes_nothing_more(sites: list[Site]) -> None:
    members = tuple(Member(address=f"{name}@example.org", role=Role.OWNER) for name in ("ann", "bob"))
    team = keep_team(sites[0].store.database, Team(name="Delta", members=members))
    ann, bob = (known_person(sites[0], member.address) for member in members)
    change_member(sites[0], team, bob, "ann@example.org", "remove")
    with pytest.raises(Refused, match="only team owners"):
        change_member(sites[0], team, ann, "bob@example.org", "remove")
    assert [member.address for member in get_team(sites[0].store.database, "Delta").members] == ["bob@example.org"]


def test_change_of_one_member_takes_back_no_other_change(sites: list[Site]) -> None:
    names = [f"p{n}@example.org" for n in range(8)]
    members = (Member(address="o@example.org", role=Role.OWNER), *(Member(address=address) for address in names))
    team = keep_team(sites[0].store.database, Team(name="Delta", members=members))
    owner = known_person(sites[0], "o@example.org")
    before = sites[0].store.database.position().line
    at_once([lambda n=n: change_member(sites[n % SITES], team, owner, names[n], "no mail") for n in range(8)])  # type: ignore[misc]
    assert {
        member.mail for member in get_team(sites[0].store.database, "Delta").members if member.address in names
    } == {False}
    assert sites[0].store.database.position().line == before + 8
    assert list(verify.whole(sites[0].store.database)) == []


def test_journal_has_the_change_alone(sites: list[Site]) -> None:
    from evaluate.store.db import journal

    database = sites[0].store.database
    make_team(sites[0], known_person(sites[0], "ann@example.org"), "Delta")
    join(sites[0], known_person(sites[0], "bob@example.org"), "Delta")
    line = list(journal.read(database))[-1]
    bob = {"address": "bob@example.org", "name": "", "role": "member", "mail": True, "own": True}
    assert (line.event, line.data) == ("team-changed", {"team": "Delta", "members": [bob]})
    leave(sites[0], get_team(database, "Delta"), known_person(sites[0], "bob@example.org"))
    line = list(journal.read(database))[-1]
    assert (line.event, line.data) == ("team-changed", {"team": "Delta", "left": ["bob@example.org"]})
