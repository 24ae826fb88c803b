"""What the commands of the queue work on: the state directory, its configuration, the open store."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from evaluate.challenge import Challenge, load_challenge
from evaluate.commands.state import state_of
from evaluate.core.errors import Fault
from evaluate.host.config import Config, Scores, Terms, load_config
from evaluate.report.audience import Policy

try:
    from evaluate.queue.depot import Depot, open_depot
    from evaluate.queue.store.entries import QueuedEntry, Store, open_store
except ImportError as e:
    raise Fault("the queue needs more packages: pip install 'sandbox-evaluate[daemon]'") from e

if TYPE_CHECKING:
    from evaluate.queue.views.board import Place


@dataclass(frozen=True, kw_only=True)
class Opened:
    """The state directory, its configuration and the store together."""

    state: Path
    config: Config
    store: Store
    shared: Path
    """The folder where this host has the files that all hosts share, exchanged by the depot."""
    depot: Depot

    def say(self, text: str) -> None:
        """Tell the user something on standard error."""
        click.echo(text, err=True)

    def policy(self, entry: QueuedEntry) -> Policy:
        """What the team of an entry may not see."""
        from evaluate.queue.work import challenge_of

        released = self.config.terms(entry.challenge).scores is Scores.RELEASED
        return Policy(hidden_exam=challenge_of(entry).exam.hidden, scores_released=released)

    def challenge(self, known: str) -> Challenge:
        """The challenge of this name in the store."""
        return load_challenge(known)

    def places(self, known: str, terms: Terms) -> list[Place]:
        """The board of a challenge."""
        from evaluate.queue.views.board import board_of

        board_rules = self.challenge(known).board
        return board_of(self.store, known, terms.phases, terms.allowed(board_rules), board_rules.decimals)


def opened(ctx: click.Context) -> Opened:
    """Open what the command line names."""
    state = state_of(ctx)
    config = load_config(state)
    shared, depot = open_depot(state, config.shared)
    store = open_store(state, config.database)
    ctx.call_on_close(store.engine.dispose)
    return Opened(state=state, config=config, store=store, shared=shared, depot=depot)
