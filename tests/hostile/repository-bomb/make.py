from __future__ import annotations

import runpy
from pathlib import Path

_WRITERS = runpy.run_path(str(Path(__file__).parents[1] / "_writers.py"))
git, bundle = _WRITERS["git"], _WRITERS["bundle"]


def make(sample: Path, scratch: Path) -> Path:
    git(sample, "init", "-q")
    kind, held = "100644 blob", git(sample, "hash-object", "-w", "--stdin", text="x")
    for _ in range(9):
        held = git(sample, "mktree", text="".join(f"{kind} {held}\t{n}\n" for n in range(10)))
        kind = "040000 tree"
    tree = held
    return bundle(sample, scratch, tree)
