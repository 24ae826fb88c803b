"""An entry whose Dockerfile is translated or built, in real machines: its rights there, and what it becomes."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaluate.authoring.skeleton import write_skeleton
from evaluate.config.challenge.types import Kind
from evaluate.images.image import Image
from evaluate.images.layers import build_layer
from evaluate.images.recipe import load_recipe
from evaluate.untrusted.requirements import parse_dependencies
from tests.support.commands import run
from tests.support.loopback import Page, serving
from tests.support.oci_images import base_image

pytestmark = [pytest.mark.vm, pytest.mark.slow]

BUILD = """
dockerfile:
  build:
    images: {"python:3.10-slim": base.tar}
    wall_seconds: 1200
    disk_mib: 1024
    image_mib: 512
"""
DOCKERFILE = """ARG VERSION=3.10
FROM python:${VERSION}-slim AS maker
WORKDIR /build
COPY gain.txt .
FROM docker.io/library/python:3.10-slim
WORKDIR /opt/algorithm
COPY --from=maker /build/gain.txt made.txt
COPY . .
RUN make && cat /etc/pip.conf && python3 fetched.py && test -n "$http_proxy" && ! python3 reach.py \\
    && echo 'algorithm:x:1001:1001::/home/algorithm:/bin/sh' >> /etc/passwd && mkdir /home/algorithm \\
    && chown 1001:1001 /home/algorithm
ENV GREETING="hello there"
USER algorithm
"""
CHECKED = """import os, pathlib, made
assert pathlib.Path("/name").read_text() == "from the mirror" and "http_proxy" not in os.environ
assert made.GAIN == 7 and os.environ["GREETING"] == "hello there"
assert os.getuid() == 1001 and os.environ["HOME"] == "/home/algorithm" and os.getcwd() == "/opt/algorithm"
assert not os.path.exists("secret.md") and not os.path.exists("/build")
"""

REACH = "import socket; socket.create_connection(('192.0.2.1', 80), 20)"
FETCHES = """import urllib.error, urllib.request
open("/name", "wb").write(urllib.request.urlopen("http://deb.debian.org/debian/name", timeout=60).read())
try:
    urllib.request.urlopen("http://other.test/", timeout=60)
except urllib.error.HTTPError as e:
    assert e.code == 403, e
else:
    raise SystemExit("another host was reached")
"""


def tried(state: Path, challenge: Path, files: dict[str, str], *, rules: str) -> tuple[str, dict[str, Any]]:
    """Output and report of a try of the sample entry with these files."""
    with (challenge / "challenge.yaml").open("a") as keys:
        keys.write(rules)
    entry, report = challenge / "sample_entry", challenge.parent / "report.json"
    for name, text in files.items():
        (entry / name).parent.mkdir(exist_ok=True)
        (entry / name).write_text(text)
    words = ["try", str(entry), "--challenge", str(challenge), "--accelerator", "tcg", "--json", str(report)]
    done = run(state, *words)
    assert report.exists(), done.output
    return done.output, json.loads(report.read_text())


TRANSLATED = """FROM python:3.10-slim
RUN apt-get update && apt-get install -y --no-install-recommends python3 && rm -rf /var/lib/apt/lists/*
WORKDIR /opt/algorithm
COPY requirements.txt .
RUN pip install -r requirements.txt
COPY . /opt/algorithm/
ENV GREETING="hello there" TWICE="a b"
USER algorithm
"""
SEES_ITSELF = """import os, pathlib
assert (os.environ["GREETING"], os.environ["TWICE"]) == ("hello there", "a b") and os.getuid() != 0
assert os.path.exists("/opt/algorithm/weights/bias.txt")
pathlib.Path("/opt/algorithm/new").touch()
"""


def test_image_of_a_dockerfile_is_the_machine_that_its_program_sees(own_state: Path, tmp_path: Path) -> None:
    write_skeleton(tmp_path / "toy", Kind.PYTHON)
    program = (tmp_path / "toy/sample_entry/entry.py").read_text().replace("from __future__ import annotations\n", "")
    files = {
        "Dockerfile": TRANSLATED,
        "weights/bias.txt": "0",
        "requirements.txt": "",
        "entry.py": SEES_ITSELF + program,
    }
    printed, report = tried(own_state, tmp_path / "toy", files, rules="\ndockerfile: {}\n")
    assert report["verdict"] == "OK" and "score OK" in printed, printed


def test_image_that_is_built_reaches_the_mirrors_and_nothing_else_answers_and_is_scored(
    own_state: Path, image: Image, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    challenge = tmp_path / "toy"
    write_skeleton(challenge, Kind.PYTHON)
    base_image(challenge / "base.tar", tmp_path / "debs")
    # the builder itself is Debian's, and no page of the mirror below
    build_layer(image, load_recipe(image.name), parse_dependencies(b"buildah\n"), own_state, print)
    program = (challenge / "sample_entry" / "entry.py").read_text()
    files = {
        "Dockerfile": DOCKERFILE,
        "Makefile": "made.py: made.txt\n\techo GAIN = `cat made.txt` > made.py\n",
        "gain.txt": "7",
        "entry.py": CHECKED + program,
        "reach.py": REACH,
        "fetched.py": FETCHES,
        ".dockerignore": "*.md\n",
        "secret.md": "",
    }
    with serving(Page(b"from the mirror")) as mirror:
        monkeypatch.setenv("EVALUATE_MIRROR", mirror.url)
        monkeypatch.setenv("PIP_INDEX_URL", f"{mirror.url}/simple")
        printed, report = tried(own_state, challenge, files, rules=BUILD + "    indexes: true\n")
    assert report["verdict"] == "OK" and "score OK" in printed, (printed, report["stages"])
    assert mirror.asked == ["/debian/name"]
