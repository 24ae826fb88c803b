"""Dates and quotas of a challenge as organisers changed them at the site.

They are settings, so the journal has every one; ``evaluate.yaml`` holds for challenges that nobody changed.  The site
looks for changes with every request, a daemon with its rounds, a command when it starts.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaluate.config.terms import Phase, Terms, finished_terms
from evaluate.config.types import Config
from evaluate.core.errors import UsageError

if TYPE_CHECKING:  # commands that only look need no database library
    from evaluate.queue.db.settings import Settings

KEY = "terms:"
LEAVING = "terms-leaving:"
"""Start of the key of a setting: which entries leave their phase by a change that was confirmed; for the journal."""


@dataclass(frozen=True, kw_only=True)
class EditedTerms:
    """What can be changed at the site."""

    phases: tuple[Phase, ...]
    attempts: int | None
    """Of a team in a phase that does not say so itself; None: as the challenge says; 0: any number."""

    @property
    def text(self) -> str:
        """As JSON; times that are not finite are null."""
        phases = [
            {key: value if not isinstance(value, float) or math.isfinite(value) else None for key, value in row.items()}
            for row in map(asdict, self.phases)
        ]
        return json.dumps({"attempts": self.attempts, "phases": phases})


def terms_from(text: str) -> EditedTerms:
    """The terms of `EditedTerms.text`."""
    found = json.loads(text)
    return EditedTerms(attempts=found["attempts"], phases=tuple(map(_phase, found["phases"])))


def _phase(row: Mapping[str, Any]) -> Phase:
    begins, ends = row["begins"], row["ends"]
    return Phase(
        name=row["name"],
        begins=-math.inf if begins is None else float(begins),
        ends=math.inf if ends is None else float(ends),
        attempts=row["attempts"],
    )


def check_terms(config: Config, name: str, wanted: EditedTerms | None) -> None:
    """Refuse what `edit_terms` would refuse."""
    if name not in config.challenges:
        raise UsageError(f"{name}: expected a challenge that evaluate.yaml names; add it there first")
    if wanted is not None and (problems := _problems(wanted)):
        raise UsageError("\n".join(problems))


def edit_terms(
    settings: Settings,
    config: Config,
    name: str,
    wanted: EditedTerms | None,
    leaving: Mapping[str, int] | None = None,
) -> None:
    """Change the dates and quotas of a challenge.

    Raises UsageError if ``evaluate.yaml`` does not name the challenge, or the phases make no sense; every mistake is
    named.

    * ``name``: in ``evaluate.yaml``.
    * ``wanted``: None: as ``evaluate.yaml`` says again.
    * ``leaving``: team -> number of its entries that leave their phase by this, as the organiser saw and confirmed it.
    """
    check_terms(config, name, wanted)
    confirmed = {LEAVING + name: json.dumps(dict(leaving))} if leaving else {}
    settings.keep_together({**confirmed, KEY + name: "" if wanted is None else wanted.text})


def _problems(wanted: EditedTerms) -> list[str]:
    found = [f"phase {one.name}: expected an end after its begin" for one in wanted.phases if one.begins >= one.ends]
    found += ["expected a name for each phase"] if not all(one.name for one in wanted.phases) else []
    numbers = [wanted.attempts, *(one.attempts for one in wanted.phases)]
    found += ["expected 0 or more attempts"] if any(one is not None and one < 0 for one in numbers) else []
    terms = Terms(phases=wanted.phases, attempts=wanted.attempts)
    finished_terms(terms, lambda _where, problem: found.append(f"phases: {problem}"), Path())
    return found


def edited(config: Config, changed: Mapping[str, str]) -> Config:
    """The configuration with what was changed at the site.

    ``changed``: name in ``evaluate.yaml`` -> text of a setting; empty: nothing.
    """
    known = {name: terms_from(text) for name, text in changed.items() if text and name in config.challenges}
    if not known:
        return config
    new = {
        name: replace(config.challenges[name], phases=one.phases, attempts=one.attempts) for name, one in known.items()
    }
    return replace(config, challenges={**config.challenges, **new})
