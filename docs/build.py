"""Hooks of mkdocs: pages that are generated from the code, and pages that live beside the code they describe."""

from __future__ import annotations

import posixpath
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent
BESIDE_THE_CODE = {
    "queue.md": "evaluate/store/README.md",
    "images.md": "vm_images/README.md",
    "hostile.md": "tests/hostile/README.md",
    "challenges.md": "challenges/README.md",
    "metrics-guide.md": "metrics/README.md",
}
"""Page of the site -> file of the repository."""
_FLOW = re.compile(r"^```flow\n(.*?)^```\n", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)#:\s]+)(#[^)\s]*)?\)")


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that are no files of this folder."""
    pages = {page: (ROOT / source).read_text(encoding="utf-8") for page, source in BESIDE_THE_CODE.items()}
    pages["reference/cli.md"] = command_line()
    for name, text in pages.items():
        files.append(File.generated(config, name, content=text))
    return files


def commands() -> Iterator[click.Context]:
    """Every command, whose `command_path` is such as "evaluate image build"; groups before their commands."""
    sys.path.insert(0, str(ROOT))
    from evaluate.commands.main import main  # noqa: PLC0415  # of this checkout

    yield from _below(click.Context(main, info_name="evaluate", terminal_width=80))


def _below(ctx: click.Context) -> Iterator[click.Context]:
    yield ctx
    if isinstance(ctx.command, click.Group):
        for word in ctx.command.list_commands(ctx):
            child = ctx.command.get_command(ctx, word)
            if child is not None:
                yield from _below(click.Context(child, info_name=word, parent=ctx))


def command_line() -> str:
    """All commands as one page, from their own help."""
    intro = (
        "# Command line\n",
        "Made from the program. Exit codes everywhere: **0** passed or done, **1** the entry's fault,",
        "**2** wrong usage or the organiser's fault, **3** an infrastructure fault,",
        "**130** interrupted by Ctrl-C, **143** ended by SIGTERM. `daemon` and `serve` end with **0**",
        "by either; Ctrl-C ends `try --watch` with the code of the last try.\n",
    )
    return "\n".join([*intro, *(f"## {ctx.command_path}\n\n```text\n{ctx.get_help()}\n```\n" for ctx in commands())])


def on_page_markdown(markdown: str, page: Page, config: Any, files: Files) -> str:
    """Let links between files of the repository lead to pages of the site; to what is no page, be only its name."""
    known = {source: name for name, source in BESIDE_THE_CODE.items()}
    here = page.file.src_uri
    source = BESIDE_THE_CODE.get(here, f"docs/{here}")

    def led(match: re.Match[str]) -> str:
        image, text, target, anchor = match.group(1), match.group(2), match.group(3), match.group(4) or ""
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
        name = known.get(path, path.removeprefix("docs/") if path.startswith("docs/") else "")
        if not name or files.get_file_from_path(name) is None:
            return text
        return f"{image}[{text}]({posixpath.relpath(name, posixpath.dirname(here) or '.')}{anchor})"

    return _FLOW.sub(lambda match: drawn(match.group(1)), _LINK.sub(led, markdown))


_STEP = re.compile(r"(.+?) +-> (.+?) +(\S+)")
_LINE = '<path d="{}" fill="none" stroke="currentColor" marker-end="url(#head)"/>'
_WORDS = '<text x="{}" y="{}" text-anchor="{}" font-size="{}" fill="currentColor">{}</text>'
_BOX = '<rect x="150" y="{}" width="130" height="30" rx="6" fill="none" stroke="currentColor"/>'
_HEAD = (
    '<defs><marker id="head" markerWidth="8" markerHeight="8" refX="6" refY="4" orient="auto">'
    '<path d="M0 0 L8 4 L0 8 z" fill="currentColor"/></marker></defs>'
)


def drawn(text: str) -> str:
    """The picture, SVG in the page, of lines ``FROM -> TO  FILE``: boxes from top to bottom, an arrow for each line.

    An arrow to the next box is straight; another one is drawn beside them.
    """
    steps = [step.groups() for step in map(_STEP.fullmatch, text.strip().splitlines()) if step]
    boxes = list(dict.fromkeys(name for begin, end, _ in steps for name in (begin, end)))
    top = {name: 10 + 64 * number for number, name in enumerate(boxes)}
    parts = [_HEAD]
    for name, y in top.items():
        parts += [_BOX.format(y), _WORDS.format(215, y + 20, "middle", 16, name)]
    for begin, end, file in steps:
        first, last = top[begin] + 30, top[end]
        straight = last - first == 34
        parts.append(
            _LINE.format(f"M215 {first} V{last - 2}" if straight else f"M150 {first - 15} H70 V{last + 15} H148")
        )
        parts.append(_WORDS.format(228, last - 13, "start", 12, file))
    label = "; ".join(f"{begin} to {end}: {file}" for begin, end, file in steps)
    size = f'viewBox="0 0 620 {max(top.values()) + 45}" width="620" style="max-width: 100%"'
    return f'<svg role="img" aria-label="{label}" {size} xmlns="http://www.w3.org/2000/svg">{"".join(parts)}</svg>\n'
