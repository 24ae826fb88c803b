"""Rules of the whole tree: form, types, and the one direction of imports."""

import ast
import keyword
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
ROOMS = ("evaluate", "metrics", "challenges", "vm_images")


def run(*argv: str) -> None:
    done = subprocess.run([sys.executable, "-m", *argv], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_formatter_would_change_nothing() -> None:
    run("ruff", "format", "--check", ".")


def test_linter_finds_nothing() -> None:
    run("ruff", "check", ".")


def test_types_hold_strictly() -> None:
    run("mypy")


def test_rooms_import_one_way() -> None:
    """The contracts of `pyproject.toml`: layers, libvirt in one module, `metrics` without `evaluate`."""
    lint = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([lint, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_nothing_of_the_product_is_unused(tmp_path: Path) -> None:
    """By vulture; its exceptions are in `pyproject.toml`, and what templates name is used."""
    texts = [path.read_text() for path in (ROOT / "evaluate").rglob("*.html")]
    names = {word for text in texts for word in re.findall(r"[a-z_]\w+", text)}
    used = tmp_path / "used.py"
    used.write_text("".join(f"_.{name}\n" for name in sorted(names) if not keyword.iskeyword(name)))
    run("vulture", "--config", "pyproject.toml", *ROOMS, str(used))


_OWNERS_AND_TREES = {"chown", "lchown", "fchown", "rmtree", "setxattr", "removexattr"}
_MODES = {"chmod", "lchmod", "fchmod"}
_BESIDE_GUESTS = {"sandbox", "images", "host", "counters"}
_ROOMS = {path.name for path in (ROOT / "evaluate").iterdir() if (path / "__init__.py").is_file()} - {"confine"}


@pytest.mark.parametrize("room", sorted(_ROOMS))
def test_owners_and_trees_are_changed_by_descriptor(room: str) -> None:
    """By `evaluate.confine.ownership`: a name may lead to what another user puts in its place, a tree may be too deep.

    Modes too, where guests are.
    """
    refused = _OWNERS_AND_TREES | (_MODES if room in _BESIDE_GUESTS else set())
    changes = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {node.attr}"
        for path in sorted((ROOT / "evaluate" / room).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute) and node.attr in refused
    ]
    assert changes == []


_NOT_CODE = re.compile(r"#|import |from |\w+,$")
_ALIKE = 10
"""Lines that two places may have in common."""
_TWINS = {
    # programs of the guest, which imports nothing of the host
    ("evaluate/sandbox/licence_relay.py", "vm_images/guest/licence.py"),
    ("evaluate/sandbox/plain.py", "vm_images/guest/container.py"),
    # each starter is a folder that a participant takes away
    ("challenges/kits19/starters/python/answer.py", "challenges/mlperf_kits19/starters/python/answer.py"),
    # the signature of `score()`, which is the contract
    ("metrics/challenges/kits19.py", "metrics/challenges/kits23.py"),
}


def test_nothing_long_is_written_twice() -> None:
    """Runs of the same lines, imports and comments apart; what a released migration did is history."""
    places: dict[tuple[str, ...], set[str]] = {}
    for path in sorted(path for room in ROOMS for path in (ROOT / room).rglob("*")):
        if path.suffix not in (".py", ".c", ".html") or "migrations" in path.parts:
            continue
        stripped = (line.strip() for line in path.read_text().splitlines())
        lines = [line for line in stripped if len(line) > 2 and not _NOT_CODE.match(line)]
        for start in range(len(lines) - _ALIKE + 1):
            here = tuple(lines[start : start + _ALIKE])
            places.setdefault(here, set()).add(str(path.relative_to(ROOT)))
    assert {tuple(sorted(files)) for files in places.values() if len(files) > 1} - _TWINS == set()


PLAIN = {"evaluate/serve/api/models.py", "evaluate/protocol/messages.py"}
"""Files whose names others use: the API's description, and the wire's form of the model."""
FAMILIES = {"Auprc", "Auroc", "F1"}
"""The same measure of other answers."""


@pytest.mark.parametrize("package", ["evaluate", "metrics"])
def test_name_of_a_class_has_one_meaning(package: str) -> None:
    places: dict[str, list[str]] = {}
    for path in sorted((ROOT / package).rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        classes = [node.name for node in ast.parse(path.read_text()).body if isinstance(node, ast.ClassDef)]
        for class_name in classes if name not in PLAIN else ():
            places.setdefault(class_name, []).append(name)
    twice = {
        class_name: where
        for class_name, where in places.items()
        if len(where) > 1 and class_name[0] != "_" and class_name not in FAMILIES
    }
    assert twice == {}
