"""Makes sample_entry.tar, a container image, from a static busybox and sample_entry/answer.sh; needs no docker."""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import tarfile
from pathlib import Path

HERE = Path(__file__).parent
LINKS = ("sh",)


def main() -> None:
    busybox = shutil.which("busybox", path="/bin:/usr/bin")
    if busybox is None:
        raise SystemExit("sample_entry.tar was not made: no busybox (Debian package busybox-static)")
    layer = io.BytesIO()
    with tarfile.open(fileobj=layer, mode="w") as tar:
        add(tar, "bin/busybox", Path(busybox).read_bytes(), 0o755)
        add(tar, "bin/answer", (HERE / "sample_entry" / "answer.sh").read_bytes(), 0o755)
        for name in LINKS:
            link = tarfile.TarInfo(f"bin/{name}")
            link.type, link.linkname = tarfile.SYMTYPE, "busybox"
            tar.addfile(link)
    data = layer.getvalue()
    config = json.dumps(
        {
            "architecture": "amd64",
            "os": "linux",
            "config": {"Entrypoint": ["/bin/sh", "/bin/answer"], "Env": ["PATH=/bin"], "WorkingDir": "/"},
            "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(data).hexdigest()]},
        }
    ).encode()
    name = hashlib.sha256(config).hexdigest() + ".json"
    manifest = json.dumps([{"Config": name, "RepoTags": ["sample:latest"], "Layers": ["layer.tar"]}]).encode()
    with tarfile.open(HERE / "sample_entry.tar", "w") as tar:
        for file, content in ((name, config), ("layer.tar", data), ("manifest.json", manifest)):
            add(tar, file, content, 0o644)


def add(tar: tarfile.TarFile, name: str, data: bytes, mode: int) -> None:
    member = tarfile.TarInfo(name)
    member.size, member.mode = len(data), mode
    tar.addfile(member, io.BytesIO(data))


if __name__ == "__main__":
    main()
