"""A group of commands of which one need not be named: `board NAME` is `board show NAME`."""

from __future__ import annotations

from typing import Any

import click


class DefaultGroup(click.Group):
    """A group that calls the command ``default`` where its first word names none.

    ``default``: the command's name.
    """

    def __init__(self, *arguments: Any, default: str, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._default = default

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As that of any group, with the command's name before the words."""
        return super().parse_args(ctx, args if args[:1] and args[0] in self.commands else [self._default, *args])
