"""Context of the commands of the queue: the state directory, its configuration, the open store."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import click

from evaluate.commands.state import state_of
from evaluate.config.load import NamedChallenge, challenge_key, load_config, named_challenge
from evaluate.config.types import Config

if TYPE_CHECKING:
    from evaluate.report.audience import Policy
    from evaluate.store.db.rows import QueuedEntry
    from evaluate.store.entries.store import Store
    from evaluate.store.files.depot import Depot
    from evaluate.views.board import BoardRow


@dataclass(frozen=True, kw_only=True)
class QueueContext:
    """The state directory and its configuration; the store and the depot are opened when they are asked for."""

    context: click.Context
    state: Path
    config: Config
    """Content of ``evaluate.yaml``."""
    daemon: bool = False
    """True if many threads use the queue; else it gets one connection."""

    @cached_property
    def store(self) -> Store:
        """The queue, with the newest schema."""
        from evaluate.store.db.database import COMMAND_CONNECTIONS, POOL
        from evaluate.store.entries.store import open_store

        store = open_store(self.state, self.config.database, pool=POOL if self.daemon else COMMAND_CONNECTIONS)
        self.context.call_on_close(store.engine.dispose)
        from evaluate.store.entries.challenges import settle

        for old, new in settle(store, self.config, self._move_seal).items():
            self.say(f"the challenge at {old} is now at {new}, and its entries with it")
        return store

    def _move_seal(self, old: str, new: str) -> None:
        from evaluate.receipts.issue import Registry

        Registry(self.state).rename(old, new)

    @property
    def depot(self) -> Depot:
        """Depot where hosts exchange files."""
        return self._shared_and_depot[1]

    @property
    def shared(self) -> Path:
        """The folder where this host has the files that all hosts share, exchanged by the depot."""
        return self._shared_and_depot[0]

    @cached_property
    def _shared_and_depot(self) -> tuple[Path, Depot]:
        from evaluate.store.files.depot import open_depot

        return open_depot(self.state, self.config.shared)

    @property
    def exists(self) -> bool:
        """True if there is a queue; nothing is made."""
        from evaluate.store.db.database import file_of

        return self.config.database.startswith("postgresql") or file_of(self.state, self.config.database).exists()

    def say(self, text: str) -> None:
        """Print a line on standard error."""
        click.echo(text, err=True)

    def policy(self, entry: QueuedEntry) -> Policy:
        """Parts of a report that the team of an entry may not see."""
        from evaluate.views.feedback import policy_of

        return policy_of(self.config, self.store, entry)

    def key(self, name: str) -> str:
        """The name in the store of a challenge, by any of its names or its folder."""
        return challenge_key(name, self.config)

    def challenge(self, name: str) -> NamedChallenge:
        """The challenge of this name or in this folder."""
        return named_challenge(name, self.config)

    def places(self, named: NamedChallenge, *, public: bool = False) -> list[BoardRow]:
        """The board of a challenge; ``public``: as its teams may see it."""
        from evaluate.views.feedback import places_of

        return places_of(self.store, self.config, named, public=public)


def opened(ctx: click.Context, *, daemon: bool = False) -> QueueContext:
    """The state directory of the command line, with its configuration."""
    state = state_of(ctx)
    return QueueContext(context=ctx, state=state, config=load_config(state), daemon=daemon)
