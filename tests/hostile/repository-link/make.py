from __future__ import annotations

import runpy
from pathlib import Path

_WRITERS = runpy.run_path(str(Path(__file__).parents[1] / "_writers.py"))
git, bundle = _WRITERS["git"], _WRITERS["bundle"]


def make(sample: Path, scratch: Path) -> Path:
    git(sample, "init", "-q")
    blob = git(sample, "hash-object", "-w", "--stdin", text="/etc/passwd")
    (sample / "requirements.txt").unlink()
    git(sample, "add", "-A")
    listed = git(sample, "ls-tree", git(sample, "write-tree"))
    tree = git(sample, "mktree", text=f"{listed}\n120000 blob {blob}\trequirements.txt\n")
    return bundle(sample, scratch, tree)
