"""The page that an auditor reads first names nothing that is not there."""

import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from fnmatch import fnmatch
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


_ABOUT = ("hog", "outlive", "carry", "kernel", "answer", "setup", "counter", "guest", "qemu")
_READ = ("archive", "image", "repository", "metric", "answers")
ROOMS = set(re.findall(r"`([\w/]+)/\w+\.(?:py|c)`", TEXT))
MADE = r"^(?:\s*(?:async )?def |[\w *]+[ *])"
"""Begin of a function in Python or C."""
IS_THERE: dict[str, Callable[[str], bool]] = {
    r"[\w/.@-]+/[\w.@-]+\.(py|c|md)": lambda name: (CHECKOUT / name).is_file(),
    r"\w+\.(py|c)": lambda name: any((CHECKOUT / room / name).is_file() for room in ROOMS),
    r"\w+\(\)": lambda name: any(re.search(rf"{MADE}{name[:-2]}\(", text, re.MULTILINE) for text in SOURCES),
    r"test_\w+": lambda name: any(f"def {name}(" in text for text in TESTS),
    rf"({'|'.join((*_ABOUT, *_READ))})-[a-z*-]+": lambda name: any(fnmatch(case, name) for case in CASES),
}
"""Form of a quoted name -> whether such a thing exists."""


@pytest.mark.parametrize("form", IS_THERE)
def test_what_is_named_is_there(form: str) -> None:
    names = [name for name in QUOTED if re.fullmatch(form, name)]
    assert names and [name for name in names if not IS_THERE[form](name)] == []


def test_counts_of_system_calls_are_those_of_the_list() -> None:
    (counts,) = re.findall(r"reader has (\d+) .*?write come (\d+) .*?git (\d+) .*?network (\d+)", TEXT, re.DOTALL)
    lists = (lockdown._READING, lockdown._WRITING, lockdown._STARTING, lockdown._CONNECTING)
    assert [int(number) for number in counts] == [len(names.split()) for names in lists]


def test_it_is_read_in_one_sitting() -> None:
    assert len(TEXT.splitlines()) <= 200
