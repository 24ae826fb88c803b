"""Staged sandbox evaluation of challenge entries: prep, quiz, exam, score."""

from __future__ import annotations

DISTRIBUTION = "sandbox-evaluate"
__version__: str


def __getattr__(name: str) -> str:
    """The version, which is that of the installed distribution, and so of the tag; looked up when it is asked for."""
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415  # `--help` needs none

    try:
        return version(DISTRIBUTION)
    except PackageNotFoundError:  # a copy of the files that was never installed
        return "0"
