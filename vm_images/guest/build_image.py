"""Builds the image of an entry's Dockerfile in a guest that does nothing else, as root of a user namespace.

    python3 -I -S -c PROGRAM PLAN UNPACK WORD… <archive

PLAN is a JSON object: ``bases`` (names after FROM -> their archives), ``context`` (words of UNPACK, which unpacks the
entry from standard input), ``dockerfile``, ``ignore`` (a file of the entry; empty: none), ``proxy`` and ``index`` (the
addresses of what leads to mirrors and of the package index; empty: there is no network), ``target`` (the OCI archive to
write), ``at`` (a file that always has three numbers of the instruction that is carried out: its stage, its place there,
and how many there are in the stage).  What the entry's lines do, they do as this program's user: nothing that it prints
or leaves is more than the entry's word.  The exit code is that of the first program that fails.
"""

from __future__ import annotations

import json
import os
import re
import select
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


STEP = re.compile(rb"(?:\[(\d{1,4})/\d{1,4}\] )?STEP (\d{1,4})/(\d{1,4}): ")
"""How buildah announces an instruction, where there are several stages with the number of its own."""
LOOK_SECONDS = 0.5
CHUNK = 1 << 16


def build(words: list[str], note: str) -> int:
    """Build, print all that is printed, and note each instruction that begins after the one before it.

    A process that an instruction has left behind may hold the pipe for ever: when buildah has ended, nobody waits.
    """
    at, rest = (1, 0), b""
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as child:
        assert child.stdout is not None
        while True:
            ended = child.poll() is not None
            if not select.select([child.stdout], [], [], 0 if ended else LOOK_SECONDS)[0]:
                if ended:
                    break
                continue
            if not (data := os.read(child.stdout.fileno(), CHUNK)):
                break
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
            *lines, rest = (rest + data).split(b"\n")
            rest = rest[-CHUNK:]
            for found in filter(None, map(STEP.match, lines)):
                stage, step, steps = int(found[1] or 1), int(found[2]), int(found[3])
                if (stage, step) == (at[0], at[1] + 1) or (stage > at[0] and step == 1):
                    at = stage, step
                    with open(note, "w") as file:
                        file.write(f"{stage} {step} {steps}\n")
    return child.returncode


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
    if code := build(["buildah", "build", *options, "--tag=built", context], plan["at"]):
        return code
    pushed = ["buildah", "push", "--quiet", "--disable-compression", policy]
    pushed += ["localhost/built", f"oci-archive:{plan['target']}"]
    return subprocess.run(pushed, stdin=subprocess.DEVNULL, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
