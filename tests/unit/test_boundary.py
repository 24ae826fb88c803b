"""The page that an auditor reads first names nothing that is not there."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions

import pytest

from evaluate.confine import lockdown
from tests.conftest import CHECKOUT

TEXT = (CHECKOUT / "docs" / "boundary.md").read_text()
QUOTED = sorted(set(re.findall(r"`([^`\n]+)`", TEXT)))
CASES = [path.name for path in (CHECKOUT / "tests" / "hostile").iterdir()]
SOURCES = [
    path.read_text()
    for room in ("evaluate", "vm_images")
    for path in (CHECKOUT / room).rglob("*")
    if path.suffix in (".py", ".c")
]
TESTS = [path.read_text() for path in (CHECKOUT / "tests").rglob("*.py")]


# not of the program, for which `./run setup` installs all
_OF_TESTS = {
    re.split(r"[^\w-]", wanted)[0].lower()
    for wanted in tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["dependency-groups"]["test"]
}


@pytest.mark.parametrize("module", sorted(set(re.findall(r"python\s+-m\s+(tests[\w.]*)", TEXT))))
def test_program_that_an_auditor_runs_starts_after_setup(module: str) -> None:
    missing = [name for name, of in packages_distributions().items() if {owner.lower() for owner in of} <= _OF_TESTS]
    assert "pytest" in missing
    without = f"import runpy, sys; sys.modules.update(dict.fromkeys({missing})); runpy.run_module({module!r})"
    subprocess.run([sys.executable, "-c", without], cwd=CHECKOUT, check=True)


@pytest.mark.parametrize("name", [name for name in QUOTED if re.fullmatch(r"[\w/.@-]+/[\w.@-]+\.(py|c|md)", name)])
def test_file_is_there(name: str) -> None:
    assert (CHECKOUT / name).is_file()


@pytest.mark.parametrize("name", [name for name in QUOTED if re.fullmatch(r"\w+\.(py|c)", name)])
def test_file_without_its_room_is_in_one_that_is_named(name: str) -> None:
    assert any((CHECKOUT / room / name).is_file() for room in set(re.findall(r"`([\w/]+)/\w+\.(?:py|c)`", TEXT)))


@pytest.mark.parametrize("name", [name for name in QUOTED if re.fullmatch(r"\w+\(\)", name)])
def test_function_is_there(name: str) -> None:
    made = re.compile(rf"^(?:\s*(?:async )?def |[\w *]+[ *]){name[:-2]}\(", re.MULTILINE)
    assert any(made.search(text) for text in SOURCES)


@pytest.mark.parametrize("name", [name for name in QUOTED if name.startswith("test_") and name.isidentifier()])
def test_test_is_there(name: str) -> None:
    assert any(f"def {name}(" in text for text in TESTS)


_ABOUT = ("hog", "outlive", "carry", "kernel", "answer", "setup", "counter", "guest", "qemu")
_READ = ("archive", "image", "repository", "metric", "answers")
CASE = re.compile(rf"({'|'.join((*_ABOUT, *_READ))})-[a-z*-]+")


@pytest.mark.parametrize("name", [name for name in QUOTED if CASE.fullmatch(name)])
def test_hostile_case_is_there(name: str) -> None:
    form = re.compile(name.replace("*", ".+"))
    assert any(form.fullmatch(case) for case in CASES)


def test_counts_of_system_calls_are_those_of_the_list() -> None:
    (counts,) = re.findall(r"reader has (\d+) .*?write come (\d+) .*?git (\d+) .*?network (\d+)", TEXT, re.DOTALL)
    lists = (lockdown._READING, lockdown._WRITING, lockdown._STARTING, lockdown._CONNECTING)
    assert [int(number) for number in counts] == [len(names.split()) for names in lists]


def test_it_is_read_in_one_sitting() -> None:
    assert len(TEXT.splitlines()) <= 200
