"""Who holds what, in any interleaving of two requests: uploads, phases, quotas, the budget, archives, teams."""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
import sqlalchemy as sa
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from evaluate.challenge.cache import load_challenge
from evaluate.config.terms import PruneRules
from evaluate.core.errors import EvaluateError
from evaluate.core.files import sha256_file
from evaluate.queue import feedback, submission
from evaluate.queue.audit import verify
from evaluate.queue.db.reasons import ended_with
from evaluate.queue.db.rows import ACTIVE, QueuedEntry, State
from evaluate.queue.db.tables import ACCOUNTS, MEMBERS, TEAMS
from evaluate.queue.people import uploads as rows
from evaluate.queue.people.logins import normal_address
from evaluate.queue.people.teams import get_team
from evaluate.queue.storage import prune
from evaluate.queue.storage.stage_folders import archive_of
from evaluate.web import intake, uploads
from evaluate.web import team_actions as acts
from evaluate.web.authorization import known_person
from evaluate.web.errors import Refused
from tests.support.interleaved import Interleaving, stop_at_transactions
from tests.support.queues import queue, score
from tests.support.sites import ANN, BOB, HIDDEN, Site_

ATTEMPTS = (1, 2)
"""Of a team in each of two phases."""
CAROL = "carol@example.org"
PEOPLE, TEAM_NAMES, CONTENTS = (ANN, BOB, CAROL), ("red", "blue"), (0, 1, 2)
NEEDED = (State.QUEUED, *ACTIVE, State.PARKED)
Work = Callable[[], object]


class Holding(RuleBasedStateMachine):
    """Pairs of requests, one after the other or at once."""

    new_queue: Callable[[], str]

    @initialize()
    def begin(self) -> None:
        self._stack = ExitStack()
        folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory()))
        (folder / "state").mkdir()
        self.store = self._stack.enter_context(queue(folder / "state", self.new_queue()))
        self.border = time.time() + 1000
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
        self.known = self.site.challenge(HIDDEN).known
        self.arrived: set[str] = set()
        """Uploads that have arrived and that nobody has removed."""

    def teardown(self) -> None:
        if hasattr(self, "_stack"):
            with suppress(KeyError):
                assert list(verify.whole(self.store.database)) == []
            self._stack.close()

    # what requests do

    def bring(self, team: str, content: int, late: bool) -> str:
        """An upload arrives in one of the phases, and is not looked at yet."""
        data = f"archive {content}".encode()
        person = SimpleNamespace(address=ANN)
        found = uploads._begin(self.site, person, team=team, challenge=HIDDEN, name=f"{content}.zip", size=len(data))  # type: ignore[arg-type]
        uploads.data_of(self.site, found).write_bytes(data)
        at = self.border + (1 if late else -1)
        rows.keep_received(self.store.database, found.id, len(data), arrived=at)
        self.arrived.add(found.id)
        return found.id

    def bring_and_take(self, team: str, content: int, late: bool) -> None:
        with suppress(Refused):  # four are waiting
            intake.intake(self.site, self.bring(team, content, late))

    def take_first(self) -> None:
        for one in rows.waiting(self.store.database)[:1]:
            intake.intake(self.site, one.id)

    def remove_first(self) -> None:
        for one in rows.waiting(self.store.database)[:1]:
            with suppress(Refused):
                uploads.remove(self.site, one.id)
                self.arrived.discard(one.id)

    def fail_once(self) -> None:
        for one in rows.waiting(self.store.database)[:1]:
            rows.put_off(self.store.database, one, "the disk is full")
            with self.store.change() as connection:
                connection.exec_driver_sql("update uploads set again = 0")

    def first(self, *states: State) -> QueuedEntry | None:
        return next((one for one in self.store.entries() if one.state in states), None)

    def evaluate(self) -> None:
        """The first that waits goes through its exam, as a daemon does it."""
        for entry in self.store.next_entries(1):
            if self.store.move(entry.id, State.EXAM, attempt=entry.attempt):
                feedback.charge(self.site.config, self.store, entry)
                self.store.keep_score(entry.id, entry.attempt, score(0.5))
                self.store.move(entry.id, State.DONE, ended_with("OK"), attempt=entry.attempt)

    def cancel(self) -> None:
        if (entry := self.first(State.QUEUED, State.PARKED)) is not None:
            with suppress(EvaluateError):
                self.store.cancel(entry.id)

    def prune(self) -> None:
        config = self.site.config
        assert config.terms(self.known).prune == PruneRules(uploads_days=0)
        prune.carry_out(self.store, prune.plan(self.store, self.site.state, self.site.shared, config))

    def sweep(self) -> None:
        uploads.sweep(self.site)

    def join(self, address: str, team: str) -> None:
        with suppress(Refused, EvaluateError):
            acts.join(self.site, known_person(self.site, address), team)

    def leave(self, address: str) -> None:
        person = known_person(self.site, address)
        for name in person.teams:
            with suppress(Refused, EvaluateError):
                acts.leave(self.site, get_team(self.store.database, name), person)

    def make(self, address: str, team: str) -> None:
        with suppress(Refused, EvaluateError):
            acts.make_team(self.site, known_person(self.site, address), team)

    # how they come

    def works(self, which: tuple[str, str, str, int, bool]) -> Work:
        what, address, team, content, late = which
        return {
            "bring": partial(self.bring_and_take, team, content, late),
            "bytes": partial(self.bring_quietly, team, content, late),
            "take": self.take_first,
            "remove": self.remove_first,
            "fail": self.fail_once,
            "evaluate": self.evaluate,
            "cancel": self.cancel,
            "prune": self.prune,
            "sweep": self.sweep,
            "join": partial(self.join, address, team),
            "leave": partial(self.leave, address),
            "make": partial(self.make, address, team),
        }[what]

    def bring_quietly(self, team: str, content: int, late: bool) -> None:
        with suppress(Refused):
            self.bring(team, content, late)

    WHAT = st.sampled_from(
        ("bring", "bytes", "take", "remove", "fail", "evaluate", "cancel", "prune", "sweep", "join", "leave", "make")
    )
    REQUESTS = st.tuples(
        WHAT, st.sampled_from(PEOPLE), st.sampled_from(TEAM_NAMES), st.sampled_from(CONTENTS), st.booleans()
    )
    ORDER = st.lists(st.integers(0, 1), min_size=6, max_size=20)

    @rule(first=REQUESTS, second=REQUESTS, order=ORDER)
    def two_at_once(
        self, first: tuple[str, str, str, int, bool], second: tuple[str, str, str, int, bool], order: list[int]
    ) -> None:
        Interleaving(order).run(self.works(first), self.works(second))

    @rule(late=st.booleans(), contents=st.tuples(st.sampled_from(CONTENTS), st.sampled_from(CONTENTS)), order=ORDER)
    def two_uploads_of_a_team(self, late: bool, contents: tuple[int, int], order: list[int]) -> None:
        Interleaving(order).run(*(partial(self.bring_and_take, "red", content, late) for content in contents))

    @rule(late=st.booleans(), content=st.sampled_from(CONTENTS), order=ORDER)
    def archive_is_submitted_again_while_it_is_pruned(self, late: bool, content: int, order: list[int]) -> None:
        self.bring_and_take("blue", content, late)
        for entry in self.store.entries():
            if entry.name == f"{content}.zip" and entry.state is State.QUEUED:
                self.store.cancel(entry.id)
        Interleaving(order).run(partial(self.bring_and_take, "blue", content, late), self.prune)

    @rule(order=ORDER)
    def two_exams(self, order: list[int]) -> None:
        Interleaving(order).run(self.evaluate, self.evaluate)

    # what holds

    @invariant()
    def nothing_that_arrived_is_lost(self) -> None:
        if not hasattr(self, "store"):
            return
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
        if not hasattr(self, "store"):
            return
        for entry in self.store.entries():
            if entry.state in NEEDED:
                assert sha256_file(archive_of(self.site.shared, entry.sha256)) == entry.sha256

    @invariant()
    def quota_and_budget_are_exact(self) -> None:
        if not hasattr(self, "store"):
            return
        entries = self.store.entries()
        used = Counter(
            (one.team, one.submitted >= self.border) for one in entries if one.charged or one.state in NEEDED
        )
        assert all(count <= ATTEMPTS[late] for (_, late), count in used.items()), used
        same = Counter((one.team, one.sha256, one.submitted >= self.border) for one in entries if one.state in NEEDED)
        assert all(count == 1 for count in same.values()), "an archive of a team waits twice"
        of = {one.id: one for one in entries}
        bits: Counter[tuple[str, str]] = Counter()
        numbers: Counter[tuple[str, str, int]] = Counter()
        with self.store.engine.connect() as connection:
            for row in connection.execute(sa.select(ACCOUNTS)):
                bits[of[row.entry].team, row.phase] += row.bits
                numbers[of[row.entry].team, row.phase, row.number] += 1
        most = load_challenge(self.known).feedback.bits
        assert all(one <= most for one in bits.values()) and all(one == 1 for one in numbers.values())

    @invariant()
    def nobody_is_in_two_teams(self) -> None:
        if not hasattr(self, "store"):
            return
        with self.store.engine.connect() as connection:
            found = Counter(connection.scalars(sa.select(MEMBERS.c.address)))
            assert set(connection.scalars(sa.select(MEMBERS.c.team))) <= set(
                connection.scalars(sa.select(TEAMS.c.name))
            )
        assert all(count == 1 for count in found.values()), found
        assert set(map(normal_address, found)) == set(found)


def test_who_holds_what_in_any_interleaving_of_two_requests(
    queue_urls: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    stop_at_transactions(monkeypatch)
    # what is in an archive is asked elsewhere
    monkeypatch.setattr(submission, "kind_of", lambda *_: None)
    monkeypatch.setattr(submission, "handler", lambda _kind: SimpleNamespace(check=lambda *_: None))
    machine = type("Machine", (Holding,), {"new_queue": staticmethod(queue_urls)})
    run_state_machine_as_test(machine, settings=settings(max_examples=15, stateful_step_count=12, deadline=None))
