"""The systemd units of the daemon and of the site, for the given program and state directory."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from string import Template

from evaluate.host.config import Config

UNIT, WEB_UNIT = "evaluate.service", "evaluate-web.service"
USER = "evaluate"
_MARGIN_SECONDS = 30
"""How much longer systemd waits than running stages are given to end."""
_LIB = Path("/var/lib")


def service_unit(python: Path, state: Path, config: Config) -> str:
    """The text of `evaluate.service`.

    Parameters
    ----------
    python : Path
        The interpreter in whose environment the program is installed.
    """
    managed = state.parent == _LIB
    writes = [str(state)] + ([config.shared] if config.shared.startswith("/") else [])
    text = (files("evaluate.queue") / "units" / UNIT).read_text(encoding="utf-8")
    return Template(text).substitute(
        python=_quoted(str(python)),
        state=_quoted(str(state)),
        stop=f"{config.stop_seconds:g} s",
        timeout=f"{config.stop_seconds + _MARGIN_SECONDS:.0f}",
        user=USER,
        home=_quoted(str(state)),
        folder=f"StateDirectory={state.name}\nStateDirectoryMode=0710\n" if managed else "",
        writes=" ".join(_quoted(path) for path in writes),
    )


def web_unit(python: Path, state: Path, config: Config, host: str, port: int) -> str:
    """The text of `evaluate-web.service`; parameters as for `service_unit`, and where the site listens."""
    writes = [str(state)] + ([config.shared] if config.shared.startswith("/") else [])
    managed = state.parent == _LIB
    text = (files("evaluate.queue") / "units" / WEB_UNIT).read_text(encoding="utf-8")
    return Template(text).substitute(
        python=_quoted(str(python)),
        state=_quoted(str(state)),
        host=_quoted(host),
        port=port,
        user=USER,
        folder=f"StateDirectory={state.name}\nStateDirectoryMode=0710\n" if managed else "",
        writes=" ".join(_quoted(path) for path in writes),
    )


def _quoted(text: str) -> str:
    """The text as one word of a unit file."""
    safe = text.replace("%", "%%").replace("$", "$$").replace("\\", "\\\\").replace('"', '\\"')
    return f'"{safe}"' if any(c in safe for c in " \"'\\;") else safe
