from __future__ import annotations

import hashlib
import io
import json
import tarfile
from pathlib import Path
from typing import Any


def image(scratch: Path, layer: bytes, manifest: dict[str, Any] | None = None, **config: Any) -> Path:
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
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        for name, kind, link, size in members:
            member = tarfile.TarInfo(name)
            member.type, member.linkname, member.size, member.mode = kind, link, size, 0o755
            tar.addfile(member, io.BytesIO(bytes(size)))
    return packed.getvalue()


def make(sample: Path, scratch: Path) -> Path:
    return image(scratch, layer(("run.sh", tarfile.REGTYPE, "", 5)), architecture="arm64")
