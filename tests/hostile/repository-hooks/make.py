from __future__ import annotations

import runpy
from pathlib import Path

_WRITERS = runpy.run_path(str(Path(__file__).parents[1] / "_writers.py"))
git, bundle = _WRITERS["git"], _WRITERS["bundle"]


def make(sample: Path, scratch: Path) -> Path:
    git(sample, "init", "-q")
    blob = git(sample, "hash-object", "-w", "--stdin", text="#!/bin/sh\ntouch /tmp/evaluate-escaped\n")
    hooks = git(sample, "mktree", text=f"100755 blob {blob}\tpost-checkout\n")
    inner = git(sample, "mktree", text=f"040000 tree {hooks}\thooks\n")
    tree = git(sample, "mktree", text=f"040000 tree {inner}\t.git\n")
    return bundle(sample, scratch, tree)
