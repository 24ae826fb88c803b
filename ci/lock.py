"""Update the locks in this folder: every package that an installation gets, with its version and hashes.

    python ci/lock.py           the newest versions that pyproject.toml allows; needs uv (pip install uv)

``server.lock`` is what install.sh installs, ``container.lock`` what the container image has, ``build.lock`` what builds
wheels.  Hashes are those of files that Linux on x86-64 may get with the Pythons that are supported, so that pip refuses
any other.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from packaging.tags import Tag
from packaging.utils import parse_wheel_filename

LOCKS = {"server": ["all"], "container": ["vm", "images", "plots"]}
"""The extras of each."""
TOOLS = ["hatchling==1.33.0", "hatch-vcs==0.5.0", "setuptools<81", "wheel"]
"""What builds our wheel, and libvirt's binding: of fixed versions, since the bytes of a wheel depend on them."""
_PYTHONS = range(11, 15)
_FOLDER = Path(__file__).parent


def resolved(source: Path, extras: list[str]) -> list[str]:
    """The lines of a lock."""
    with tempfile.TemporaryDirectory() as folder:
        found = Path(folder) / "pylock.toml"
        command = [sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--universal", "--python-version", "3.11"]
        command += [word for extra in extras for word in ("--extra", extra)]
        subprocess.run([*command, "--format", "pylock.toml", "-o", found, source], check=True)
        packages = tomllib.loads(found.read_text())["packages"]
    lines: list[str] = []
    for one in packages:
        marker = one.get("marker", "").replace("python_full_version >= '3.11' and ", "")
        condition = f" ; {marker}" if marker and marker != "python_full_version >= '3.11'" else ""
        files = [file for file in one.get("wheels", []) if _may_be_installed(file["url"].rpartition("/")[2])]
        files += [one["sdist"]] if "sdist" in one else []
        hashes = sorted(file["hashes"]["sha256"] for file in files)
        lines.append(f"{one['name']}=={one['version']}{condition} \\")
        lines += [f"    --hash=sha256:{digest} \\" for digest in hashes[:-1]] + [f"    --hash=sha256:{hashes[-1]}"]
    return lines


def _may_be_installed(wheel: str) -> bool:
    return any(_fits(tag) for tag in parse_wheel_filename(wheel)[3])


def _fits(tag: Tag) -> bool:
    pythons = {"py3", *(f"py3{n}" for n in _PYTHONS), *(f"cp3{n}" for n in _PYTHONS)}
    stable = tag.abi == "abi3" and tag.interpreter.startswith("cp3")
    platform = tag.platform == "any" or (tag.platform.startswith("manylinux") and tag.platform.endswith("_x86_64"))
    return platform and (tag.interpreter in pythons or stable) and not tag.abi.endswith("t")


def write(name: str, source: Path, extras: list[str]) -> None:
    """Resolve what a file asks for into a lock in this folder."""
    (_FOLDER / f"{name}.lock").write_text("\n".join(["# written by ci/lock.py", *resolved(source, extras), ""]))


if __name__ == "__main__":
    for name, extras in LOCKS.items():
        write(name, _FOLDER.parent / "pyproject.toml", extras)
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as asked:
        asked.write("\n".join(TOOLS))
        asked.flush()
        write("build", Path(asked.name), [])
