"""What this host's pip is configured with: its files, as pip finds them, and a setting of them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from configparser import Error as ConfigParserError
from configparser import RawConfigParser
from pathlib import Path

_OF_HOST = Path("/etc/pip.conf")


def files_of_pip(environment: Mapping[str, str]) -> tuple[Path, ...]:
    """The files that pip reads with these variables, the one that counts most first; each may be missing.

    As pip has it, the file of ``PIP_CONFIG_FILE`` takes the place of the user's own, and ``/dev/null`` that of all.
    """
    named = environment.get("PIP_CONFIG_FILE", "")
    if named == os.devnull:
        return ()
    home = Path(environment.get("HOME") or "/")
    folder = Path(environment.get("XDG_CONFIG_HOME") or home / ".config")
    own = (folder / "pip/pip.conf", home / ".pip/pip.conf")
    others = (environment.get("XDG_CONFIG_DIRS") or "/etc/xdg").split(":")
    of_host = (_OF_HOST, *(Path(other, "pip/pip.conf") for other in reversed(others)))
    return (*((Path(named),) if named and Path(named).exists() else own), *of_host)


def setting_of_pip(name: str, environment: Mapping[str, str] = os.environ) -> str:
    """A setting that holds for all commands of pip; empty: there is none."""
    if given := environment.get(f"PIP_{name.upper().replace('-', '_')}"):
        return given
    values = (value for file in files_of_pip(environment) for key, value in _settings(file, "global") if key == name)
    return next(values, "")


def words_of_pip(file: Path) -> list[str]:
    """The words of all values of one of its files, which may name further files: constraints, certificates."""
    return [word for _, value in _settings(file) for word in value.split()]


def _settings(file: Path, section: str = "") -> Iterator[tuple[str, str]]:
    """Names and values in a file, of one section or of all; none if it cannot be read: pip says what is wrong."""
    found = RawConfigParser(allow_no_value=True)
    try:
        found.read(file, encoding="utf-8")
    except (OSError, ValueError, ConfigParserError):
        return
    for name in found.sections():
        if not section or name == section:
            yield from ((key, value) for key, value in found[name].items() if value)
