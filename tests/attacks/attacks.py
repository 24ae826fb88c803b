"""Attacks as folders below ``cases``: a program, and in ``expect.yaml`` what it tries and how it must end."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import yaml

from evaluate.attack.cases import Seen

CASES = Path(__file__).parent / "cases"


@dataclass(frozen=True, kw_only=True)
class Attack:
    """One attack; see tests/attacks/README.md for the keys."""

    folder: Path
    attack: str
    expected: tuple[str, ...]
    says: str = ""
    readers: tuple[str, ...] = ()
    fault: str = ""
    groups: bool = False
    root: bool = False

    @property
    def name(self) -> str:
        return self.folder.name

    def holds(self, seen: Seen) -> bool:
        """True if it ended as expected."""
        said = re.search(self.says, seen.text, re.MULTILINE)
        return not seen.reached and seen.outcome in self.expected and said is not None


def attacks(kind: str) -> list[Attack]:
    """The attacks of a kind: ``reader``, ``site`` or ``fault``."""
    values = {path.parent: yaml.safe_load(path.read_text()) for path in sorted(CASES.glob(f"{kind}-*/expect.yaml"))}
    lists = ("expected", "readers")
    return [
        Attack(folder=folder, **{key: tuple(value) if key in lists else value for key, value in keys.items()})
        for folder, keys in values.items()
    ]
