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
    kind, held = "100644 blob", git(sample, "hash-object", "-w", "--stdin", text="x")
    for _ in range(9):
        held = git(sample, "mktree", text="".join(f"{kind} {held}\t{n}\n" for n in range(10)))
        kind = "040000 tree"
    tree = held
    git(sample, "update-ref", "refs/heads/main", git(sample, "commit-tree", tree, "-m", "x"))
    upload = scratch / "entry.bundle"
    git(sample, "bundle", "create", "-q", str(upload), "HEAD", "main")
    return upload
