from __future__ import annotations

import os
import subprocess
from pathlib import Path


def git(folder: Path, *words: str, text: str = "") -> str:
    name = {f"GIT_{who}_{what}": "a" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    environment = {**os.environ, **name, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(
        ["git", "-c", "init.defaultBranch=main", *words],
        cwd=folder,
        env=environment,
        input=text,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def make(sample: Path, scratch: Path) -> Path:
    git(sample, "init", "-q")
    blob = git(sample, "hash-object", "-w", "--stdin", text="out")
    tree = git(sample, "mktree", text=f"100644 blob {blob}\t..\n")
    git(sample, "update-ref", "refs/heads/main", git(sample, "commit-tree", tree, "-m", "x"))
    upload = scratch / "entry.bundle"
    git(sample, "bundle", "create", "-q", str(upload), "HEAD", "main")
    return upload
