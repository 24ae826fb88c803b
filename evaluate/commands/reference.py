"""The command line as documentation: a page for the site, and pages for `man`, both from the commands themselves."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

import click
from click.shell_completion import BashComplete, FishComplete, ZshComplete
from packaging.requirements import Requirement

from evaluate import DISTRIBUTION, __version__
from evaluate.commands.main import main
from evaluate.config.types import Config
from evaluate.operate.service import BACKUPS, USER, units

_ESCAPES = str.maketrans({"\\": r"\e", "-": r"\-", "'": r"\(aq"})


def commands() -> Iterator[tuple[str, click.Command]]:
    """Every command with its name, such as "evaluate image build", groups before their commands."""
    yield from _below("evaluate", main, click.Context(main, info_name="evaluate"))


def _below(name: str, command: click.Command, ctx: click.Context) -> Iterator[tuple[str, click.Command]]:
    yield name, command
    if isinstance(command, click.Group):
        for word in command.list_commands(ctx):
            child = command.get_command(ctx, word)
            if child is not None and not child.hidden:
                yield from _below(f"{name} {word}", child, click.Context(child, info_name=word, parent=ctx))


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
    if below := [other for other in names if other.rpartition(" ")[0] == name]:
        lines += [".SH SEE ALSO", ", ".join(f"\\fB{_roff(other.replace(' ', '-'))}\\fR(1)" for other in below)]
    return "\n".join(lines) + "\n"


def _usage(name: str, command: click.Command) -> str:
    pieces = command.collect_usage_pieces(click.Context(command, info_name=name))
    return " ".join([name, *pieces])


def _help(command: click.Command) -> str:
    """The help with one line for each paragraph, except for paragraphs with fixed lines."""
    blocks = []
    for block in (command.help or "").strip().split("\n\n"):
        lines = [line.strip() for line in block.splitlines()]
        kept = lines[:1] == ["\b"]
        blocks.append("\n".join(lines[1:]) if kept else " ".join(lines))
    return "\n\n".join(filter(None, blocks))


def _as_markdown(text: str) -> str:
    blocks = [f"```text\n{block}\n```" if "\n" in block else block for block in text.split("\n\n")]
    return "\n\n".join(
        re.sub(r"([<>*])", r"\\\1", paragraph) if not paragraph.startswith("```") else paragraph for paragraph in blocks
    )


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


# What a distribution has besides the program: `python -m evaluate.commands.reference FOLDER [PREFIX]` writes it.
# PREFIX is the environment that the program will be in, by default that of `install.sh`.


PREFIX, STATE = Path("/opt/evaluate"), Path("/var/lib/evaluate")
"""Folders where `install.sh` puts the program and its state."""
_COMPLETIONS = {"evaluate.bash": BashComplete, "_evaluate": ZshComplete, "evaluate.fish": FishComplete}


def write(folder: Path, prefix: Path = PREFIX) -> None:
    """Write all of it into a folder, which may exist."""
    shells = {name: shell(main, {}, "evaluate", "_EVALUATE_COMPLETE") for name, shell in _COMPLETIONS.items()}
    files = {
        **{f"man/man1/{name}": text for name, text in man_pages(__version__).items()},
        **{f"completions/{name}": shell.source_template % shell.source_vars() for name, shell in shells.items()},
        **{f"systemd/{name}": text for name, text in units(prefix / "bin" / "python", STATE, Config()).items()},
        "systemd/sysusers.conf": f'u {USER} - "evaluate daemon" {STATE} /usr/sbin/nologin\nm {USER} kvm\n',
        "systemd/tmpfiles.conf": f"d {STATE} 0710 {USER} {USER} -\nd {BACKUPS} 0700 {USER} {USER} -\n",
        "sbom.cdx.json": json.dumps(sbom(), indent=1) + "\n",
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def sbom() -> dict[str, Any]:
    """This distribution and every other that it needs and that is installed, as a CycloneDX 1.5 document."""
    program_distribution = distribution(DISTRIBUTION)
    distributions, needs = _closure(program_distribution)
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {"type": "application", **_component(program_distribution)}},
        "components": [{"type": "library", **_component(each)} for name, each in sorted(distributions.items())],
        "dependencies": [{"ref": ref, "dependsOn": sorted(names)} for ref, names in sorted(needs.items())],
    }


def _closure(root: Distribution) -> tuple[dict[str, Distribution], dict[str, set[str]]]:
    """The distributions below one by name, and the needs of each by package URL."""
    distributions: dict[str, Distribution] = {}
    needs: dict[str, set[str]] = {}
    waiting = [root]
    while waiting:
        current = waiting.pop()
        needs[_url(current)] = set()
        for text in current.requires or ():
            required = Requirement(text)
            # our own extras count where they are installed, those of others only where a marker holds without one
            if required.marker is not None and current is not root and not required.marker.evaluate({"extra": ""}):
                continue
            name = _normal(required.name)
            try:
                other = distributions.get(name) or distribution(name)
            except PackageNotFoundError:
                continue
            if name == _normal(DISTRIBUTION):
                continue
            needs[_url(current)].add(_url(other))
            if name not in distributions:
                distributions[name] = other
                waiting.append(other)
    return distributions, needs


def _component(package: Distribution) -> dict[str, Any]:
    made: dict[str, Any] = {"bom-ref": _url(package), "name": package.metadata["Name"], "version": package.version}
    made["purl"] = _url(package)
    licence = _licence(package)
    return {**made, "licenses": [{"license": {"name": licence}}]} if licence else made


def _licence(package: Distribution) -> str:
    """The licence in the metadata: an expression, else the names of classifiers, else a line of text."""
    stated = package.metadata.json
    if expression := str(stated.get("license_expression") or ""):
        return expression
    names = [
        str(each).rpartition(" :: ")[2] for each in stated.get("classifier", ()) if str(each).startswith("License ::")
    ]
    return " AND ".join(names) or str(stated.get("license") or "").strip().partition("\n")[0]


def _url(package: Distribution) -> str:
    return f"pkg:pypi/{_normal(package.metadata['Name'])}@{package.version}"


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        raise SystemExit("usage: python -m evaluate.commands.reference FOLDER [PREFIX]")
    write(*map(Path, sys.argv[1:]))
