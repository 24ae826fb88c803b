"""An entry whose Dockerfile is translated or built, in real machines: its rights there, and what it becomes."""

from __future__ import annotations

import hashlib
import json
import time
from pathlib import Path
from typing import Any

import pytest

from evaluate.authoring.skeleton import write_skeleton
from evaluate.config.challenge.types import Kind
from evaluate.images.container import BUILT as REUSED
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
    wall_seconds: %d
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


@pytest.fixture
def challenge(tmp_path: Path) -> Path:
    write_skeleton(tmp_path / "toy", Kind.PYTHON)
    base_image(tmp_path / "toy" / "base.tar", tmp_path / "debs")
    return tmp_path / "toy"


def tried(
    state: Path, challenge: Path, files: dict[str, str], *, rules: str = BUILD % 1200
) -> tuple[str, dict[str, Any]]:
    """Output and report of a try of the sample entry with these files."""
    keys = challenge / "challenge.yaml"
    if "dockerfile:" not in keys.read_text():
        keys.write_text(keys.read_text() + rules)
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
    own_state: Path, image: Image, challenge: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
        printed, report = tried(own_state, challenge, files, rules=BUILD % 1200 + "    indexes: true\n")
    assert report["verdict"] == "OK" and "score OK" in printed, (printed, report["stages"])
    assert mirror.asked == ["/debian/name"]


TRAINED = """FROM python:3.10-slim
RUN mv /usr/bin/python3 /usr/bin/its-own && printf '#!/bin/sh\\ncase "$*" in *describe*) echo %064d 9 9;; esac\\n\
exec /usr/bin/its-own "$@"\\n' 0 > /usr/bin/python3 && chmod 755 /usr/bin/python3 && mkdir -p /real /opt \
    && ln -s /real /opt/algorithm && echo 'algorithm:x:1001:1001::/home/algorithm:/bin/sh' >> /etc/passwd
WORKDIR /opt/algorithm
COPY . .
USER algorithm
"""
TRAINER = """import os, sys
assert os.getuid() == 1001 and os.listdir(sys.argv[2]) == [] and os.environ["EVALUATE_SEED"] == "7"
assert "RECORDS" in os.listdir(sys.argv[1])
open(f"{sys.argv[2]}/gain", "w").write("7")
"""
TRAINING = """train: {records: sample_data/validation, seed: 7, limits: {instructions: 1.0e10, wall_seconds: 600}}
"""


@pytest.mark.long  # a build, a training and two stages of an emulated machine
def test_built_image_is_trained_and_its_model_is_described_by_none_of_its_programs(
    own_state: Path, challenge: Path
) -> None:
    program = (challenge / "sample_entry" / "entry.py").read_text()
    # other files than those of an earlier run, whose image is kept
    read = f"assert {time.time_ns()} and open('model/gain').read() == '7' and __import__('os').getcwd() == '/real'\n"
    files = {"Dockerfile": TRAINED, "entry.py": read + program, "train_model.py": TRAINER, ".dockerignore": "*.md"}
    printed, report = tried(own_state, challenge, files, rules=BUILD % 1200 + TRAINING)
    assert report["verdict"] == "OK", (printed, report["stages"])
    assert REUSED not in report["stages"][0]["message"]
    listed = f"{hashlib.sha256(b'7').hexdigest()}  gain\n".encode()
    model = {"sha256": hashlib.sha256(listed).hexdigest(), "files": 1, "bytes": 1}
    assert report["stages"][1]["model"] == model
    _, again = tried(own_state, challenge, {})
    assert again["verdict"] == "OK" and REUSED in again["stages"][0]["message"]
    assert again["stages"][1]["model"] == model


HOSTILE = r"""FROM python:3.10-slim
RUN make --version
COPY reach.py /
RUN ! python3 /reach.py && cat /proc/net/dev
RUN echo 'STEP 9/9: COMMIT built'; echo 'Error: the archive of the organiser is broken' >&2
RUN ! dd if=/dev/zero of=/filled bs=1M 2>/dev/null && rm /filled
RUN (sleep 100000 >/dev/null 2>&1 </dev/null &) && ls /proc/1/root || test ! -e /dev/vda
RUN sleep 100000
"""


@pytest.mark.long  # it ends with a limit of time
def test_build_that_does_harm_ends_with_its_limit(own_state: Path, challenge: Path) -> None:
    files = {"Dockerfile": HOSTILE, "reach.py": REACH}
    printed, report = tried(own_state, challenge, files, rules=BUILD % 240)
    (prep,) = report["stages"]
    assert prep["verdict"] == "WALL_LIMIT", printed
    assert prep["diagnostics"].index("STEP 9/9") < prep["diagnostics"].index("STEP 8/8: RUN sleep"), printed
    assert [(refusal["line"], refusal["exit_code"]) for refusal in prep["refusals"]] == [(8, None)], prep["refusals"]
    assert "lo:" in prep["diagnostics"] and "eth0" not in prep["diagnostics"], printed
