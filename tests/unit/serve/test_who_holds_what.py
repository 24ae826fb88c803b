"""Who holds what, in any interleaving of two requests: uploads, phases, quotas, hidden records, archives, teams.

The two are asked of processes of their own, as of two servers of a site.
"""

import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from inspect import signature
from itertools import count, cycle
from pathlib import Path
from queue import Empty, Queue
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlencode

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from evaluate.config.terms import PruneRules
from evaluate.core.errors import EvaluateError
from evaluate.core.files import sha256_file
from evaluate.operate import prune
from evaluate.operate.audit import verify
from evaluate.serve import intake, uploads
from evaluate.serve import team_actions as acts
from evaluate.serve.authorization import known_person
from evaluate.serve.errors import Refused
from evaluate.serve.site import Site
from evaluate.store import submission
from evaluate.store.db.database import Database
from evaluate.store.db.reasons import NO_REASON, Reason, ended_with
from evaluate.store.db.rows import ACTIVE, QueuedEntry, State
from evaluate.store.db.tables import ACCOUNTS, MEMBERS, TEAMS
from evaluate.store.entries.store import advance, keep_score
from evaluate.store.files.archives import pruned
from evaluate.store.files.stage_folders import archive_of
from evaluate.store.people import uploads as rows
from evaluate.store.people.logins import normal_address
from evaluate.store.people.teams import get_team
from evaluate.views import feedback
from tests.support.queues import by_hand, queue, score, upload
from tests.support.sites import ANN, BOB, HIDDEN, Site_

_mine = threading.local()
_POLL_SECONDS = 0.01
"""Between two looks whether a piece of work waits for a lock; its order of steps does not depend on it."""


class Interleaving:
    """Lets one of several threads run at a time, from one stop to the next (`stop_at`).

    ``steps``: numbers of steps of the first, then the next, and so on in turn; and from the beginning again.
    ``waits``: true if a thread that goes on waits for a lock of one that has stopped; then another goes on as well.
    """

    def __init__(self, steps: Sequence[int], waits: Callable[[], bool]) -> None:
        self._steps, self._waits = steps, waits
        self._back: Queue[tuple[int, bool]] = Queue()
        """Numbers of threads that have stopped, and whether they ended."""
        self._errors: list[BaseException] = []

    def run(self, *works: Callable[[], object]) -> list[int]:
        """Run all to their ends; returns how many steps each took, or raises the first error."""
        turns = [threading.Semaphore(0) for _ in works]

        def begin(number: int) -> None:
            turns[number].acquire()
            _mine.stop = lambda: (self._back.put((number, False)), turns[number].acquire())
            try:
                works[number]()
            except BaseException as e:  # raised below
                self._errors.append(e)
            self._back.put((number, True))

        threads = [threading.Thread(target=begin, args=(number,)) for number in range(len(works))]
        for thread in threads:
            thread.start()
        stopped, going, taken = list(range(len(works))), 0, [0] * len(works)
        order = (number for number, steps in zip(cycle(stopped[:]), cycle(self._steps)) for _ in range(steps))
        while stopped or going:
            if stopped and (not going or self._waits()):
                number = next(order)
                number = number if number in stopped else stopped[0]
                stopped.remove(number)
                turns[number].release()
                taken[number] += 1
                going += 1
            try:
                number, ended = self._back.get(timeout=_POLL_SECONDS if stopped else None)
            except Empty:
                continue
            going -= 1
            if not ended:
                stopped = sorted([*stopped, number])
        for thread in threads:
            thread.join()
        if self._errors:
            raise self._errors[0]
        return taken


def stop_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let threads of an `Interleaving` stop before and after each transaction that writes.

    On PostgreSQL they also stop within it, before each statement: there another process may come in between.
    """
    for name in ("change", "step"):
        monkeypatch.setattr(Database, name, _stopping(getattr(Database, name)))
    init = Database.__init__

    def made(database: Database, *words: Any, **named: Any) -> None:
        init(database, *words, **named)
        if database.shared:
            sa.event.listen(database.engine, "before_cursor_execute", lambda *_: _stop())

    monkeypatch.setattr(Database, "__init__", made)


def _stop() -> None:
    getattr(_mine, "stop", lambda: None)()


def _stopping(change: Callable[..., Any]) -> Callable[..., Any]:
    @contextmanager
    def changed(database: Database, *names: str) -> Iterator[sa.Connection]:
        _stop()
        with change(database, *names) as connection:
            yield connection
        _stop()

    return changed


ATTEMPTS = (1, 2)
"""Of a team in each of two phases."""
CAROL = "carol@example.org"
PEOPLE, TEAM_NAMES, CONTENTS = (ANN, BOB, CAROL), ("red", "blue"), (0, 1, 2)
NEEDED = (State.QUEUED, *ACTIVE, State.PARKED)
Work = Callable[[Site], object]
Request = tuple[str, str, str, int, bool]


class Holding(RuleBasedStateMachine):
    """Pairs of requests, one after the other or at once."""

    new_queue: Callable[[], str]

    @initialize()
    def begin(self) -> None:
        self._stack = ExitStack()
        folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory()))
        url = self.new_queue()
        # a process that a test has stopped is no frozen one; and nothing here is about power cuts
        options = "-c idle_in_transaction_session_timeout=0 -c synchronous_commit=off"
        own = f"{url}?{urlencode({'options': options})}" if url else ""
        self.store, other = (self._stack.enter_context(queue(folder / "state", own)) for _ in range(2))
        self.border = time.time() + 1e5
        border = datetime.fromtimestamp(self.border, UTC).isoformat()
        self.all = Site_(folder / "state", self.store)
        self.all.hide(
            phases=[
                {"name": "first", "ends": border, "attempts": ATTEMPTS[0]},
                {"name": "second", "begins": border, "attempts": ATTEMPTS[1]},
            ],
            prune={"uploads_days": 0},
        )
        self.site = self.all.site
        self.servers = self.site, Site(state=self.site.state, store=other, rates=self.site.rates)
        self.known = self.site.challenge(HIDDEN).store_name
        self.arrived: set[str] = set()
        """Uploads that have arrived and that nobody has removed."""

    def teardown(self) -> None:
        if hasattr(self, "_stack"):
            with suppress(KeyError):
                assert list(verify.whole(self.store.database)) == []
            self._stack.close()

    # what requests do

    def bring(self, site: Site, team: str, content: int, late: bool) -> str:
        """An upload arrives in one of the phases, and is not looked at yet."""
        data = f"archive {content}".encode()
        person = SimpleNamespace(address=ANN)
        found = uploads._begin(site, person, team=team, challenge=HIDDEN, name=f"{content}.zip", size=len(data))  # type: ignore[arg-type]
        uploads.data_of(site, found).write_bytes(data)
        at = self.border + (1 if late else -1)
        rows.keep_received(site.store.database, found.id, len(data), arrived=at)
        self.arrived.add(found.id)
        return found.id

    def bring_and_take(self, site: Site, team: str, content: int, late: bool) -> None:
        with suppress(Refused):  # four are waiting
            intake.intake(site, self.bring(site, team, content, late))

    def take_first(self, site: Site) -> None:
        for one in rows.waiting(site.store.database)[:1]:
            intake.intake(site, one.id)

    def remove_first(self, site: Site) -> None:
        for one in rows.waiting(site.store.database)[:1]:
            with suppress(Refused):
                uploads.remove(site, one.id)
                self.arrived.discard(one.id)

    def fail_once(self, site: Site) -> None:
        for one in rows.waiting(site.store.database)[:1]:
            rows.put_off(site.store.database, one, "the disk is full")
            by_hand(site.store, "update uploads set again = 0")

    def first(self, site: Site, *states: State) -> QueuedEntry | None:
        return next((one for one in site.store.entries() if one.state in states), None)

    def evaluate(self, site: Site) -> None:
        """The first that waits goes through its exam, as a daemon does it."""
        for entry in site.store.next_entries(1):
            if not self.advance(site, entry, State.EXAM, NO_REASON):
                continue
            feedback.charge(site.config, site.store, entry, "d" * 64)
            line = site.store.score_line(entry.attempt, score(0.5))
            with site.store.database.step() as connection:
                keep_score(connection, entry.id, line)
            self.advance(site, site.store.entry(entry.id), State.DONE, ended_with("OK"))

    def advance(self, site: Site, entry: QueuedEntry, state: State, reason: Reason) -> bool:
        with site.store.database.step() as connection:
            return advance(connection, entry, state, reason)

    def cancel(self, site: Site) -> None:
        if (entry := self.first(site, State.QUEUED, State.PARKED)) is not None:
            with suppress(EvaluateError):
                site.store.cancel(entry.id)

    def prune(self, site: Site) -> None:
        config = site.config
        assert config.terms(self.known).prune == PruneRules(uploads_days=0)
        prune.carry_out(site.store, prune.plan(site.store, site.state, site.shared, config))

    def sweep(self, site: Site) -> None:
        uploads.sweep(site)

    def join(self, site: Site, address: str, team: str) -> None:
        with suppress(Refused, EvaluateError):
            acts.join(site, known_person(site, address), team)

    def leave(self, site: Site, address: str) -> None:
        person = known_person(site, address)
        for name in person.teams:
            with suppress(Refused, EvaluateError):
                acts.leave(site, get_team(site.store.database, name), person)

    def make(self, site: Site, address: str, team: str) -> None:
        with suppress(Refused, EvaluateError):
            acts.make_team(site, known_person(site, address), team)

    # how they come

    def at_once(self, order: list[int], first: Work, second: Work) -> list[int]:
        """Ask one of each server; returns how many steps each took."""
        return Interleaving(order, self.is_anyone_waiting).run(*map(partial, (first, second), self.servers))

    def is_anyone_waiting(self) -> bool:
        if not self.store.database.shared:
            return False
        here = "datname = current_database() and wait_event_type = 'Lock'"
        with self.store.engine.connect() as connection:
            return bool(connection.exec_driver_sql(f"select count(*) from pg_stat_activity where {here}").scalar())

    def work(self, which: Request) -> Work:
        what, address, team, content, late = which
        words, act = {"address": address, "team": team, "content": content, "late": late}, getattr(self, what)
        return partial(act, **{name: words[name] for name in words.keys() & signature(act).parameters})

    def bring_quietly(self, site: Site, team: str, content: int, late: bool) -> None:
        with suppress(Refused):
            self.bring(site, team, content, late)

    WHAT = "bring_and_take bring_quietly take_first remove_first fail_once evaluate cancel prune sweep join leave make"
    REQUESTS = st.tuples(
        st.sampled_from(WHAT.split()),
        st.sampled_from(PEOPLE),
        st.sampled_from(TEAM_NAMES),
        st.sampled_from(CONTENTS),
        st.booleans(),
    )
    ORDER = st.lists(st.integers(1, 40), min_size=2, max_size=8)

    @rule(first=REQUESTS, second=REQUESTS, order=ORDER)
    def two_at_once(self, first: Request, second: Request, order: list[int]) -> None:
        self.at_once(order, self.work(first), self.work(second))

    # what holds

    @invariant()
    def nothing_that_arrived_is_lost(self) -> None:
        entries = {one.id: one for one in self.store.entries()}
        for identity in self.arrived:
            found = rows.find_upload(self.store.database, identity)
            assert found is not None
            if found.entry:
                assert found.entry in entries
            elif not found.error:
                assert uploads.data_of(self.site, found).is_file()
            else:
                assert found.error.startswith("team "), "the quota alone refuses here"

    @invariant()
    def what_waits_has_its_bytes(self) -> None:
        gone = pruned(self.store)
        for entry in self.store.entries():
            if entry.state in NEEDED:
                assert sha256_file(archive_of(self.site.shared, entry.sha256)) == entry.sha256
                assert entry.sha256 not in gone, "else it is not missed when it is lost"

    @invariant()
    def quota_and_attempts_are_exact(self) -> None:
        entries = self.store.entries()
        used = Counter(
            (one.team, one.submitted >= self.border) for one in entries if one.charged or one.state in NEEDED
        )
        assert all(count <= ATTEMPTS[late] for (_, late), count in used.items()), used
        same = Counter((one.team, one.sha256, one.submitted >= self.border) for one in entries if one.state in NEEDED)
        assert all(count == 1 for count in same.values()), "an archive of a team waits twice"
        of = {one.id: one for one in entries}
        numbers: Counter[tuple[str, int]] = Counter()
        with self.store.engine.connect() as connection:
            for row in connection.execute(sa.select(ACCOUNTS)):
                numbers[of[row.entry].team, row.number] += 1
        assert all(one == 1 for one in numbers.values())

    @invariant()
    def nobody_is_in_two_teams(self) -> None:
        with self.store.engine.connect() as connection:
            found = Counter(connection.scalars(sa.select(MEMBERS.c.address)))
            assert set(connection.scalars(sa.select(MEMBERS.c.team))) <= set(
                connection.scalars(sa.select(TEAMS.c.name))
            )
        assert all(count == 1 for count in found.values()), found
        assert set(map(normal_address, found)) == set(found)


@pytest.fixture
def machine(queue_urls: Callable[[], str], monkeypatch: pytest.MonkeyPatch) -> type[Holding]:
    stop_at(monkeypatch)
    # what is in an archive is asked elsewhere
    monkeypatch.setattr(submission, "kind_of", lambda *_: None)
    monkeypatch.setattr(submission, "handler", lambda _kind: SimpleNamespace(check=lambda *_: None))
    return type("Machine", (Holding,), {"new_queue": staticmethod(queue_urls)})


@pytest.fixture
def held(machine: type[Holding]) -> Iterator[Holding]:
    """Two sites on an empty queue, for pairs of requests that a test chooses."""
    holding = machine()
    holding.begin()
    yield holding
    holding.teardown()


def test_who_holds_what_in_any_interleaving_of_two_requests(machine: type[Holding]) -> None:
    few = settings(max_examples=15, stateful_step_count=12, deadline=None)
    # a busy machine is no failure
    run_state_machine_as_test(machine, settings=settings(few, suppress_health_check=[HealthCheck.too_slow]))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("bring_and_take", "evaluate"),
        ("evaluate", "bring_and_take"),
        *[(one, one) for one in ("bring_and_take", "evaluate")],
    ],
)
def test_who_holds_what_when_a_request_comes_at_any_step_of_another(held: Holding, first: str, second: str) -> None:
    earlier: set[str] = set()
    for steps in count(1):
        # looked at again when all are over: each time, it would be most of what this test does
        earlier, held.arrived = earlier | held.arrived, set()
        # of the last attempt, or of the last two
        late = first == second == "evaluate"
        for content in range(1 + late) if "evaluate" in (first, second) else ():
            waits = upload(f"team {steps}", content, held.known)
            held.store.submit([waits], arrived=held.border + (1 if late else -1))
        works = (held.work((what, ANN, f"team {steps}", content, late)) for what, content in ((first, 1), (second, 2)))
        taken, _ = held.at_once([steps, 1000], *works)
        held.nothing_that_arrived_is_lost()
        held.quota_and_attempts_are_exact()
        if taken < steps:
            held.arrived |= earlier
            held.nothing_that_arrived_is_lost()
            return
        while State.QUEUED in held.store.counts():
            held.evaluate(held.site)


@pytest.mark.parametrize("prunes_first", [True, False])
def test_archive_that_is_submitted_again_at_any_step_of_its_pruning_is_there(
    held: Holding, *, prunes_first: bool
) -> None:
    for steps in count(1):
        again = partial(held.bring_and_take, team=f"team {steps}", content=steps, late=False)
        again(held.site)
        while State.QUEUED in held.store.counts():
            held.cancel(held.site)
        taken, _ = held.at_once([steps, 1000], *((held.prune, again) if prunes_first else (again, held.prune)))
        assert held.first(held.site, State.QUEUED) is not None
        held.what_waits_has_its_bytes()
        if taken < steps:
            return
