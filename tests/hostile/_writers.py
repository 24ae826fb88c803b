"""Archives and repositories that the programs `make.py` of the cases begin with; they read it by `runpy`."""

from __future__ import annotations

import hashlib
import io
import json
import os
import subprocess
import tarfile
from pathlib import Path
from typing import Any


def image(scratch: Path, layer: bytes, manifest: dict[str, Any] | None = None, **config: Any) -> Path:
    """An image of one layer."""
    digest = hashlib.sha256(layer).hexdigest()
    settings = {
        "os": "linux",
        "architecture": "amd64",
        "config": {"Entrypoint": ["/run.sh"]},
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{digest}"]},
        **config,
    }
    named = {"Config": "config.json", "RepoTags": ["e:1"], "Layers": ["layer.tar"], **(manifest or {})}
    files = {
        "config.json": json.dumps(settings).encode(),
        "layer.tar": layer,
        "manifest.json": json.dumps([named]).encode(),
    }
    upload = scratch / "image.tar"
    with tarfile.open(upload, "w") as tar:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    return upload


def layer(*members: tuple[str, bytes, str, int]) -> bytes:
    """A layer of members: name, kind, target of the link, size."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        for name, kind, link, size in members:
            member = tarfile.TarInfo(name)
            member.type, member.linkname, member.size, member.mode = kind, link, size, 0o755
            tar.addfile(member, io.BytesIO(bytes(size)))
    return packed.getvalue()


def git(folder: Path, *words: str, text: str = "") -> str:
    """The output of git."""
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


def bundle(sample: Path, scratch: Path, tree: str) -> Path:
    """A repository with one commit of this tree."""
    git(sample, "update-ref", "refs/heads/main", git(sample, "commit-tree", tree, "-m", "x"))
    upload = scratch / "entry.bundle"
    git(sample, "bundle", "create", "-q", str(upload), "HEAD", "main")
    return upload
