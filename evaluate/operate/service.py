"""The systemd units of a server: the daemon, the site, and what runs every night."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from string import Template

from evaluate.config.types import Config
from evaluate.confine.walls import ROOT
from evaluate.core.errors import UsageError
from evaluate.host.state import SERVICE_USER

UNIT, WEB_UNIT = "evaluate.service", "evaluate-web.service"
NIGHTLY = tuple(f"evaluate-{name}.{kind}" for name in ("backup", "prune") for kind in ("service", "timer"))
HELPER = ("evaluate-helper.socket", "evaluate-helper@.service")
BACKUPS = Path("/var/backups/evaluate")
_HARDENING = "hardening.conf"
_MARGIN_SECONDS = 30
"""Seconds that systemd waits longer than running stages are given to end."""
_LIB = Path("/var/lib")
_TEMPORARY = (Path("/tmp"), Path("/var/tmp"))
"""Each service has its own (PrivateTmp), so what it needs of the machine's is bound into them."""
_SPECIAL = frozenset("$%:\\\"'")
"""Characters that mean something else in a unit, in one key in other words than in the next."""
_FOLDERS = ("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin")


def units(python: Path, state: Path, config: Config) -> dict[str, str]:
    """All units of a server by name, also of the helper, and of the backup and the pruning of every night.

    Raises UsageError if a unit cannot name a path.

    ``python``: the interpreter in whose environment the program is installed.
    """
    values = _values(python, state, config)
    return {name: _unit(name, values) for name in (UNIT, WEB_UNIT, *HELPER, *NIGHTLY)}


def _unit(name: str, values: Mapping[str, str]) -> str:
    writes = [values["writes"], *([_quoted(str(BACKUPS))] if "backup" in name else [])]
    hardening = Template(_text(_HARDENING)).substitute({**values, "writes": " ".join(writes)})
    return Template(_text(name)).substitute({**values, "hardening": hardening.rstrip()})


def _text(name: str) -> str:
    return (files("evaluate.operate") / "units" / name).read_text(encoding="utf-8")


def _values(python: Path, state: Path, config: Config) -> dict[str, str]:
    managed = state.parent == _LIB
    writes = [str(state)] + ([config.shared] if config.shared.startswith("/") else [])
    return {
        "python": _quoted(str(python)),
        "state": _quoted(str(state)),
        "home": _quoted(str(state)),
        "user": SERVICE_USER,
        # that of the program first: its perf may count
        "path": os.pathsep.join((_quoted(str(python.parent)), *_FOLDERS)),
        "backups": _quoted(str(BACKUPS)),
        "folder": f"StateDirectory={state.name}\nStateDirectoryMode=0710\n" if managed else "",
        "writes": " ".join(_quoted(path) for path in writes),
        "binds": _binds(python, state),
        "stop": f"{config.stop_seconds:g} s",
        "timeout": f"{config.stop_seconds + _MARGIN_SECONDS:.0f}",
    }


def _binds(python: Path, state: Path) -> str:
    """Lines of a unit that show program and state where they lie in a folder for temporary files."""
    program = [python.parent.parent, *([ROOT] if python == Path(sys.executable) else [])]
    shown = [*(("BindReadOnlyPaths", path) for path in program), ("BindPaths", state)]
    lines = (f"{key}={_quoted(str(path))}" for key, path in shown if any(map(path.is_relative_to, _TEMPORARY)))
    return "".join(f"\n{line}" for line in lines)


def _quoted(text: str) -> str:
    """The path as one word of a unit file."""
    if not text.isprintable() or (special := sorted(_SPECIAL & set(text))):
        unusable = " ".join(special) if text.isprintable() else "characters that cannot be printed"
        raise UsageError(f"{text!r}: found {unusable} in a path that systemd units name; move it to one without")
    return f'"{text}"' if " " in text or ";" in text else text
