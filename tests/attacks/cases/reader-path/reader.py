from __future__ import annotations


def taken_over(request: dict, secret: str) -> object:
    return {
        "archive": secret,
        "path": secret,
        "commit": "0" * 40,
        "branch": secret,
        "config": {"entrypoint": [], "cmd": [], "env": {}, "cwd": "/", "user": ""},
        "digest": "sha256:" + "0" * 64,
        "layers": [],
    }
