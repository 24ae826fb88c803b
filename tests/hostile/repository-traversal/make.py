from __future__ import annotations

import runpy
from pathlib import Path

_WRITERS = runpy.run_path(str(Path(__file__).parents[1] / "_writers.py"))
git, bundle = _WRITERS["git"], _WRITERS["bundle"]


def make(sample: Path, scratch: Path) -> Path:
    git(sample, "init", "-q")
    blob = git(sample, "hash-object", "-w", "--stdin", text="out")
    tree = git(sample, "mktree", text=f"100644 blob {blob}\t..\n")
    return bundle(sample, scratch, tree)
