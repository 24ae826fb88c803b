from __future__ import annotations

import runpy
from pathlib import Path

_WRITERS = runpy.run_path(str(Path(__file__).parents[1] / "_writers.py"))
git, bundle = _WRITERS["git"], _WRITERS["bundle"]


def make(sample: Path, scratch: Path) -> Path:
    git(sample, "init", "-q")
    text = '[submodule "a"]\npath = a\nurl = ext::touch /tmp/evaluate-escaped\n'
    blob = git(sample, "hash-object", "-w", "--stdin", text=text)
    tree = git(sample, "mktree", "--missing", text=f"100644 blob {blob}\t.gitmodules\n160000 commit {'1' * 40}\ta\n")
    return bundle(sample, scratch, tree)
