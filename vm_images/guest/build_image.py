"""Builds the image of an entry's Dockerfile in a guest that does nothing else, as root of a user namespace.

    python3 -I -S -c PROGRAM PLAN UNPACK WORD… <archive

PLAN is a JSON object: ``bases`` (names after FROM -> their archives), ``context`` (words of UNPACK, which unpacks
the entry from standard input), ``dockerfile``, ``ignore`` (a file of the entry; empty: none), ``proxy`` and
``index`` (the addresses of what leads to mirrors and of the package index; empty: there is no network), ``target`` (the
OCI archive to write).  What the entry's lines do, they do as this program's user: nothing that it prints or leaves is
more than the entry's word.  The exit code is that of the first program that fails.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
from urllib.parse import urlsplit

PLACE = "/tmp/builder"
WRITTEN = "/run", "/var/cache"
"""Folders of the guest that buildah writes to: for each short name it takes a lock there."""
STORAGE = """[storage]
driver = "overlay"
runroot = "{place}/run"
graphroot = "{place}/storage"
"""
POLICY = {"default": [{"type": "insecureAcceptAnything"}]}
"""Base images have been given by the organiser, and are not signed."""


def main(plan_text: str, unpack: str) -> int:
    """Import the bases, unpack the entry, build, and write the image; returns the exit code."""
    plan = json.loads(plan_text)
    context = f"{PLACE}/context"
    os.makedirs(context)
    for folder in WRITTEN:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m,mode=755", "builder", folder], check=True)
    settings = {
        "storage.conf": STORAGE.format(place=PLACE),
        "registries.conf": 'unqualified-search-registries = ["docker.io"]\n',
        "policy.json": json.dumps(POLICY),
    }
    for name, text in settings.items():
        with open(f"{PLACE}/{name}", "w") as file:
            file.write(text)
    os.environ["CONTAINERS_STORAGE_CONF"] = f"{PLACE}/storage.conf"
    os.environ["CONTAINERS_REGISTRIES_CONF"] = f"{PLACE}/registries.conf"
    policy = f"--signature-policy={PLACE}/policy.json"
    unpacking = [sys.executable, "-I", "-S", "-c", unpack, *plan["context"]]
    if code := subprocess.run(unpacking, cwd=context, stdout=subprocess.DEVNULL, check=False).returncode:
        return code
    for name, archive in plan["bases"].items():
        with tarfile.open(archive) as tar:
            form = "docker-archive" if "manifest.json" in tar.getnames() else "oci-archive"
        pulled = ["buildah", "pull", "--quiet", policy, f"{form}:{archive}"]
        done = subprocess.run(pulled, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode:
            print(f"the archive of {name} cannot be read", file=sys.stderr)
            return done.returncode
        subprocess.run(["buildah", "tag", done.stdout.split()[-1], name], check=True)
    options = ["--isolation=chroot", "--pull-never", "--layers=false", policy, f"--file={context}/{plan['dockerfile']}"]
    if plan["proxy"]:
        os.environ["http_proxy"] = plan["proxy"]  # RUN gets it, and the image does not
        # on a disk of this namespace: flags of the machine's own disks are locked here, and buildah would change them
        with open("/run/pip.conf", "w") as file:
            file.write(f"[global]\nindex-url = {plan['index']}\ntrusted-host = {urlsplit(plan['index']).netloc}\n")
        options.append("--volume=/run/pip.conf:/etc/pip.conf:ro")
    if plan["ignore"]:
        options.append(f"--ignorefile={context}/{plan['ignore']}")
    for words in (
        ["buildah", "build", *options, "--tag=built", context],
        [
            "buildah",
            "push",
            "--quiet",
            "--disable-compression",
            policy,
            "localhost/built",
            f"oci-archive:{plan['target']}",
        ],
    ):
        if code := subprocess.run(words, stdin=subprocess.DEVNULL, check=False).returncode:
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
