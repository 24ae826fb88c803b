"""The command line as documentation: a page for the site, and pages for `man`, both from the commands themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click

from evaluate.commands.main import main

_ESCAPES = str.maketrans({"\\": r"\e", "-": r"\-", "'": r"\(aq"})


def commands() -> Iterator[tuple[str, click.Command]]:
    """Every command with its name, such as "evaluate image build", groups before what is in them."""
    yield from _below("evaluate", main, click.Context(main, info_name="evaluate"))


def _below(name: str, command: click.Command, ctx: click.Context) -> Iterator[tuple[str, click.Command]]:
    yield name, command
    if isinstance(command, click.Group):
        for one in command.list_commands(ctx):
            found = command.get_command(ctx, one)
            if found is not None and not found.hidden:
                yield from _below(f"{name} {one}", found, click.Context(found, info_name=one, parent=ctx))


def markdown() -> str:
    """All commands as one page."""
    parts = [
        "# Command line\n",
        "Made from the program. Exit codes everywhere: **0** passed or done, **1** the entry's fault,",
        "**2** wrong usage or the organiser's fault, **3** an infrastructure fault,",
        "**130** interrupted by Ctrl-C, **143** ended by SIGTERM. `daemon` and `serve` end with **0**",
        "by either; Ctrl-C also ends `status --live` with **0**, and `try --watch` with the code of the last try.\n",
    ]
    for name, command in commands():
        parts += [f"## {name}\n", f"```text\n{_usage(name, command)}\n```\n", _as_markdown(_help(command)), ""]
        if rows := [f"| `{names}` | {_cell(text)} |" for names, text in _parameters(command)]:
            parts += ["| option | meaning |", "|---|---|", *rows, ""]
    return "\n".join(parts)


def man_pages(version: str) -> dict[str, str]:
    """A page of section 1 for each command, by its file name, such as "evaluate-image-build.1"."""
    names = [name for name, _ in commands()]
    return {f"{name.replace(' ', '-')}.1": _man_page(name, command, names, version) for name, command in commands()}


def _man_page(name: str, command: click.Command, names: list[str], version: str) -> str:
    title = name.replace(" ", "-")
    lines = [
        f'.TH "{title.upper()}" "1" "" "evaluate {version}" "evaluate"',
        ".SH NAME",
        f"{_roff(title)} \\- {_roff(_help(command).partition('.')[0])}",
        ".SH SYNOPSIS",
        f".B {_roff(_usage(name, command))}",
        ".SH DESCRIPTION",
    ]
    for block in _help(command).split("\n\n"):
        lines += [".PP", *(["\n.br\n".join(map(_roff, block.splitlines()))] if "\n" in block else [_roff(block)])]
    if parameters := list(_parameters(command)):
        lines.append(".SH OPTIONS")
        for option, text in parameters:
            lines += [".TP", f".B {_roff(option)}", _roff(text)]
    if below := [one for one in names if one.rpartition(" ")[0] == name]:
        lines += [".SH SEE ALSO", ", ".join(f"\\fB{_roff(one.replace(' ', '-'))}\\fR(1)" for one in below)]
    return "\n".join(lines) + "\n"


def _usage(name: str, command: click.Command) -> str:
    pieces = command.collect_usage_pieces(click.Context(command, info_name=name))
    return " ".join([name, *pieces])


def _help(command: click.Command) -> str:
    """The help with one line for each paragraph, but for those whose lines are kept."""
    blocks = []
    for block in (command.help or "").strip().split("\n\n"):
        lines = [line.strip() for line in block.splitlines()]
        kept = lines[:1] == ["\b"]
        blocks.append("\n".join(lines[1:]) if kept else " ".join(lines))
    return "\n\n".join(filter(None, blocks))


def _as_markdown(text: str) -> str:
    blocks = [f"```text\n{block}\n```" if "\n" in block else block for block in text.split("\n\n")]
    return "\n\n".join(re.sub(r"([<>*])", r"\\\1", one) if not one.startswith("```") else one for one in blocks)


def _parameters(command: click.Command) -> Iterator[tuple[str, str]]:
    ctx = click.Context(command)
    for parameter in command.params:
        record = parameter.get_help_record(ctx) if isinstance(parameter, click.Option) else None
        if record is not None:
            yield " ".join(record[0].split()), " ".join(record[1].split())


def _cell(text: str) -> str:
    return re.sub(r"([|<>*])", r"\\\1", text)


def _roff(text: str) -> str:
    """Text that roff prints as it is, in one line that is no request."""
    escaped = text.translate(_ESCAPES)
    return f"\\&{escaped}" if escaped.startswith((".", "\\(aq")) else escaped
