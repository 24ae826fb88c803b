"""Hints for a team about the cause of a failure, from the output of its program; no verdict depends on them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from evaluate.untrusted.requirements import PACKAGES_OF, of_pip

_WORD = r"([A-Za-z0-9_][A-Za-z0-9_.+-]{0,60})"
_PATTERNS = (
    ("module", rf"No module named '?{_WORD}"),
    ("library", rf"error while loading shared libraries: {_WORD}:"),
    ("R package", rf"there is no package called [‘'\"]{_WORD}"),
    ("Octave package", rf"package {_WORD} (?:is not installed|must be installed)"),
    ("program", rf"(?:^|[:\s'‘]){_WORD}['’]?: (?:command )?not found"),
    ("program", rf"env: [‘']{_WORD}['’]: No such file"),
)
"""Kind of thing, and how programs say that it is missing."""
_NETWORK = re.compile(
    r"name resolution|could not resolve host|unable to resolve host|name or service not known|network is unreachable"
    r"|getaddrinfo|failed to establish a new connection|urlopen error|unknown host|could not connect to server",
    re.IGNORECASE,
)
"""Messages of programs that reach no network."""
_PIP = re.compile(r"externally-managed-environment|(?:^|[:\s'‘])pip3?['’]?: (?:command )?not found", re.MULTILINE)
_PYTHON = re.compile(
    r"(?:^|[:\s'‘])(?:[\w/]*/)?python2?(?:\.7)?['’]?: (?:(?:command )?not found|No such file)", re.MULTILINE
)
"""Messages of a shell that Python has no such name here."""
_FIRST_LINE = re.compile(
    r"([\w./+-]+)(?:\\r|\^M|\r)['’]?: (?:No such file|bad interpreter)"
    r"|([\w./+-]+): cannot execute: required file not found"
)
"""Messages about a script whose first line names no program."""
_OLDER_MODEL = re.compile(
    r"Trying to unpickle estimator (\w{1,60}) from version ([\w.]{1,20}) when using version ([\w.]{1,20}?)\.?(?:\s|$)"
)
"""Message of scikit-learn that a model comes from another version."""
_SONAME = re.compile(r"(lib.+?)(-[0-9.]+)?\.so\.([0-9]+)")


@dataclass(frozen=True, kw_only=True)
class Lack:
    """One thing that was not there."""

    kind: str
    """``module``, ``library``, ``program``, ``R package``, ``Octave package``."""
    name: str

    def package(self, *, of_debian: bool) -> str:
        """The usual name of its package, of Debian or of the Python package index; empty where there is none."""
        requirement = PACKAGES_OF.get(self.name.lower(), self.name) if self.kind == "module" else ""
        match self.kind if of_debian else "":
            case "module":
                return of_pip(requirement)
            case "library":
                return _of_library(self.name)
            case "R package":
                return f"r-cran-{self.name.lower()}"
            case "Octave package":
                return f"octave-{self.name}"
        return requirement


def _of_library(soname: str) -> str:
    """Debian names the package of ``libgomp.so.1`` ``libgomp1``, and that of ``libfoo2.so.3`` ``libfoo2-3``."""
    match = _SONAME.match(soname)
    if match is None:
        return ""
    name, release, version = match[1], match[2] or "", match[3]
    between = "-" if (name + release)[-1].isdigit() else ""
    return f"{name}{release}{between}{version}".replace("_", "-").lower()


def lacks(printed: str) -> tuple[Lack, ...]:
    """Everything that programs said was not there, in order, each once."""
    missing = []
    for line in printed.splitlines():
        for kind, pattern in _PATTERNS:
            if match := re.search(pattern, line):
                name = match[1].partition(".")[0] if kind == "module" else match[1]
                missing.append(Lack(kind=kind, name=name))
                break
    return tuple(dict.fromkeys(missing))


def _cause(printed: str, file: str, *, of_debian: bool) -> str:
    """Cause of a failure beside things that are missing."""
    if of_debian and _PIP.search(printed):
        return f"pip has no network here: list Debian's packages, such as python3-numpy, in {file}"
    if models := _OLDER_MODEL.findall(printed):
        name, made, here = models[-1]  # the parts of a model are named before it
        other = "" if of_debian else f", or pin scikit-learn=={made} in {file} if it has wheels for this Python"
        return (
            f"the entry brings a model ({name}) that scikit-learn {made} made, and {here} is installed: train it again "
            f"with {here}{other}"
        )
    if script := _FIRST_LINE.search(printed):
        name = script[1] or script[2]
        return (
            f"the first line of a script names a program that is not there ({name}); if the script has Windows line "
            "ends, sed -i 's/\\r$//' FILE removes them"
        )
    return ""


def hint(printed: str, file: str, listed: frozenset[str], *, of_debian: bool) -> str:
    """One sentence on a usual cause, or on the first thing whose package ``file`` does not list; else empty.

    * ``printed``: the output of the program.
    * ``file``: the team's list of packages.
    * ``listed``: the names in it.
    * ``of_debian``: whether these are Debian's packages or those of the Python package index.
    """
    if cause := _cause(printed, file, of_debian=of_debian):
        return cause
    if _NETWORK.search(printed):
        return f"there is no network in the virtual machine: put downloads into the entry, or list them in {file}"
    if _PYTHON.search(printed):
        return "there is no program python, which was Python 2: call python3"
    for lack in lacks(printed):
        package = lack.package(of_debian=of_debian)
        if not package:
            return f"the {lack.kind} {lack.name} is neither part of the entry nor installed by {file}"
        if package.lower() not in listed:
            return f"{file} lists no {package}, the usual package of the {lack.kind} {lack.name}"
    return ""
