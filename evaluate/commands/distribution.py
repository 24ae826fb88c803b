"""What a distribution has besides the program: ``python -m evaluate.commands.distribution FOLDER [PREFIX]`` writes it.

PREFIX is the environment that the program will be in, by default that of `install.sh`.

man/man1/*.1         a manual page for each command
completions/*        for bash, zsh and fish
systemd/             the units, the user, the state directory and the folder of backups of a server
sbom.cdx.json        what is installed with it, as CycloneDX
"""

from __future__ import annotations

import json
import re
import sys
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from click.shell_completion import BashComplete, FishComplete, ZshComplete
from packaging.requirements import Requirement

from evaluate import DISTRIBUTION, __version__
from evaluate.commands.main import main as program
from evaluate.commands.reference import man_pages
from evaluate.config.types import Config
from evaluate.queue.service import BACKUPS, USER, units

PREFIX, STATE = Path("/opt/evaluate"), Path("/var/lib/evaluate")
"""Where `install.sh` puts the program and its state."""
_COMPLETIONS = {"evaluate.bash": BashComplete, "_evaluate": ZshComplete, "evaluate.fish": FishComplete}


def write(folder: Path, prefix: Path = PREFIX) -> None:
    """Write all of it into a folder, which may exist."""
    manual, completions = folder / "man" / "man1", folder / "completions"
    for place in (manual, completions):
        place.mkdir(parents=True, exist_ok=True)
    for name, text in man_pages(__version__).items():
        (manual / name).write_text(text, encoding="utf-8")
    for name, shell in _COMPLETIONS.items():
        made = shell(program, {}, "evaluate", "_EVALUATE_COMPLETE")
        (completions / name).write_text(made.source_template % made.source_vars(), encoding="utf-8")
    systemd = folder / "systemd"
    systemd.mkdir(exist_ok=True)
    for name, text in units(prefix / "bin" / "python", STATE, Config()).items():
        (systemd / name).write_text(text, encoding="utf-8")
    (systemd / "sysusers.conf").write_text(
        f'u {USER} - "evaluate daemon" {STATE} /usr/sbin/nologin\nm {USER} kvm\n', encoding="utf-8"
    )
    (systemd / "tmpfiles.conf").write_text(
        f"d {STATE} 0710 {USER} {USER} -\nd {BACKUPS} 0700 {USER} {USER} -\n", encoding="utf-8"
    )
    (folder / "sbom.cdx.json").write_text(json.dumps(sbom(), indent=1) + "\n", encoding="utf-8")


def sbom() -> dict[str, Any]:
    """This distribution and every other that it needs and that is installed, as a CycloneDX 1.5 document."""
    own = distribution(DISTRIBUTION)
    found, needs = _closure(own)
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {"type": "application", **_component(own)}},
        "components": [{"type": "library", **_component(one)} for name, one in sorted(found.items())],
        "dependencies": [{"ref": ref, "dependsOn": sorted(names)} for ref, names in sorted(needs.items())],
    }


def _closure(own: Distribution) -> tuple[dict[str, Distribution], dict[str, set[str]]]:
    """The distributions below one by name, and what each needs by package URL."""
    found: dict[str, Distribution] = {}
    needs: dict[str, set[str]] = {}
    waiting = [own]
    while waiting:
        one = waiting.pop()
        needs[_url(one)] = set()
        for text in one.requires or ():
            required = Requirement(text)
            # our own extras count where they are installed, those of others only where a marker holds without one
            if required.marker is not None and one is not own and not required.marker.evaluate({"extra": ""}):
                continue
            name = _normal(required.name)
            try:
                other = found.get(name) or distribution(name)
            except PackageNotFoundError:
                continue
            if name == _normal(DISTRIBUTION):
                continue
            needs[_url(one)].add(_url(other))
            if name not in found:
                found[name] = other
                waiting.append(other)
    return found, needs


def _component(one: Distribution) -> dict[str, Any]:
    made: dict[str, Any] = {"bom-ref": _url(one), "name": one.metadata["Name"], "version": one.version}
    made["purl"] = _url(one)
    licence = _licence(one)
    return {**made, "licenses": [{"license": {"name": licence}}]} if licence else made


def _licence(one: Distribution) -> str:
    """As its metadata state it: an expression, else the names of its classifiers, else a line of text."""
    stated = one.metadata.json
    if expression := str(stated.get("license_expression") or ""):
        return expression
    names = [
        str(each).rpartition(" :: ")[2] for each in stated.get("classifier", ()) if str(each).startswith("License ::")
    ]
    return " AND ".join(names) or str(stated.get("license") or "").strip().partition("\n")[0]


def _url(one: Distribution) -> str:
    return f"pkg:pypi/{_normal(one.metadata['Name'])}@{one.version}"


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        raise SystemExit("usage: python -m evaluate.commands.distribution FOLDER [PREFIX]")
    write(*map(Path, sys.argv[1:]))
