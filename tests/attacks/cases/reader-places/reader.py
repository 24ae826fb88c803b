from __future__ import annotations

from evaluate.confine.isolated_child import _called as honest


def taken_over(request: dict, secret: str) -> object:
    if not request["function"].endswith(":translate"):
        return honest(request)
    return {
        "images": [],
        "heredocs": [],
        "stages": [],
        "packages": [],
        "requirements": [],
        "requirement_files": [],
        "env": {},
        "cwd": "/",
        "argv": [],
        "top": "/usr/lib/python3.11",
        "notes": [],
        "refusals": [],
    }
