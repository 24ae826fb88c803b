"""The code blocks of the documentation, so that tests can run what it shows."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_FENCED = re.compile(r"^( *)```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """One fenced block."""

    language: str
    """The word behind the fence; empty if there is none."""
    text: str
    line: int
    """Number of its first line in the file."""

    @property
    def commands(self) -> tuple[str, ...]:
        """The commands of a block of shell, without comments."""
        lines = (line.partition("  #")[0].strip() for line in self.text.replace("\\\n", " ").splitlines())
        return tuple(line for line in lines if line and not line.startswith("#"))


def blocks(page: Path) -> Iterator[Block]:
    """Every fenced block of a page, in order."""
    text = page.read_text(encoding="utf-8")
    for match in _FENCED.finditer(text):
        yield Block(language=match[2], text=match[3], line=text.count("\n", 0, match.start()) + 2)


def lay_out(page: Path, folder: Path) -> list[str]:
    """Write each block below a line with a path alone, such as `hearts/challenge.yaml`:; returns the commands.

    A block of YAML without a path is the configuration: ``state/evaluate.yaml``.
    """
    text = page.read_text(encoding="utf-8").splitlines()
    commands: list[str] = []
    for block in blocks(page):
        named = re.fullmatch(r"`(\S+)`:", text[block.line - 4])
        name = named[1] if named else "state/evaluate.yaml" if block.language == "yaml" else None
        if name is not None:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            # as Excel writes it
            encoding = "utf-8-sig" if name.endswith(".csv") else "utf-8"
            (folder / name).write_text(block.text.replace("/srv/evaluate", str(folder)), encoding)
        elif block.language == "sh":
            commands += block.commands
    return commands
