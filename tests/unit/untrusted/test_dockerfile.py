"""Plan of a Dockerfile of the usual shape, and refusals of all other lines."""

from collections.abc import Sequence

import pytest

from evaluate.config.challenge.types import BaseImage
from evaluate.core.model import Refusal, RefusalKind
from evaluate.untrusted.dockerfile import ImagePlan, LineRequest, is_free, translate

NAMES = ("Dockerfile", "requirements.txt", "run.py", "src/a.py", "src/b/c.py", "model/m.sav", "run.sh")
PYTHON = (BaseImage(image="python"),)


def plan(text: str, bases: Sequence[BaseImage] = PYTHON) -> ImagePlan:
    return translate(text.encode(), NAMES, bases, "3.11")


def texts(requests: Sequence[LineRequest]) -> list[str]:
    return [request.text for request in requests]


def refusal(text: str, bases: Sequence[BaseImage] = PYTHON) -> Refusal:
    (only,) = plan(text, bases).refusals
    return only


def run(text: str) -> ImagePlan:
    return plan(f"FROM python:3.11\nWORKDIR /app\nCOPY . .\nRUN {text}\n")


@pytest.mark.parametrize(
    "lines",
    [
        "WORKDIR /app\nCOPY requirements.txt .\nRUN pip install -r requirements.txt\nCOPY . .",
        "COPY --chown=a:a src /app/src\nWORKDIR /app\nCOPY requirements.txt ./\nRUN pip install -r ./requirements.txt",
        "COPY . /app\nRUN pip3 install --no-cache-dir --requirement=/app/requirements.txt",
        "COPY requirements.txt /app/\nRUN python3 -m pip install -r /app/requirements.txt",
    ],
)
def test_files_are_copied_to_one_folder_and_pip_finds_them(lines: str) -> None:
    image = plan(f"FROM python:3.11\n{lines}\n")
    assert (image.refusals, image.top, texts(image.requirement_files)) == ([], "/app", ["requirements.txt"])


def test_packages_keep_the_line_of_the_instruction_that_asks_for_them() -> None:
    image = run(
        "set -eux; apt-get update && DEBIAN_FRONTEND=x apt-get install -y \\\n# tools\n git=1:2.39 \\\n libgl1 && \\\n"
        " rm -rf /var/lib/apt/lists/* && pip install -U pip wheel numpy==1.26 \\\n 'scipy>=1.11' && mkdir -p /app"
    )
    assert [(request.line, request.text) for request in image.packages] == [(4, "git=1:2.39"), (4, "libgl1")]
    assert texts(image.requirements) == ["numpy==1.26", "scipy>=1.11"]
    assert image.refusals == []


@pytest.mark.parametrize(
    "line",
    [
        *(f"COPY run.py /{folder}" for folder in ("", "etc/", "proc/", "root", "tmp/x/", "usr/local/bin/")),
        *(f"COPY run.py /{folder}/" for folder in ("usr/lib/python3.11", "lib/x86_64-linux-gnu")),
        *("COPY src /app", "COPY run.py /app/other.py", "COPY . /app\nCOPY run.sh /weights/"),
    ],
)
def test_files_go_to_one_folder_that_is_none_of_the_machines_under_their_own_names(line: str) -> None:
    assert refusal(f"FROM python:3.11\n{line}\n").kind is RefusalKind.PLACE


@pytest.mark.parametrize("folder", ["usr/x", "/usr/src/../lib/x", "/opt/", "/", "", "/opt/\ud800", "/a\0b", "//a"])
def test_text_that_is_no_folder_is_free_for_nobody(folder: str) -> None:
    assert not is_free(folder) and is_free("/opt/algorithm") and is_free("/predict") and not is_free("/home/challenge")


def test_images_that_the_organiser_allows_bring_their_packages() -> None:
    bases = (
        BaseImage(image="pytorch/pytorch:2.*", requirements=("torch=={version}", "numpy"), packages=("libgomp1",)),
    )
    image = plan("FROM docker.io/pytorch/pytorch:2.5.1-cuda12.4-cudnn9-runtime", bases)
    assert (texts(image.requirements), texts(image.packages)) == (["torch==2.5.1", "numpy"], ["libgomp1"])
    assert refusal("FROM pytorch/pytorch:1.4", bases).kind is RefusalKind.BASE


@pytest.mark.parametrize("image", ["python", "python:3", "python:3.8-slim", "library/python:3.11", "python:slim"])
def test_older_or_unnamed_pythons_are_allowed(image: str) -> None:
    assert plan(f"FROM {image}").refusals == []


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("FROM python:3.13-slim", RefusalKind.PYTHON),
        ("FROM python:2.7", RefusalKind.PYTHON),
        ("FROM pytorch/pytorch:2.5.1-cuda", RefusalKind.BASE),
        ("FROM ubuntu:22.04", RefusalKind.BASE),
        ("FROM python:$VERSION-slim", RefusalKind.COMMAND),
        ("COPY . /app", RefusalKind.BASE),
    ],
)
def test_base_that_is_not_allowed_is_named_with_a_way_out(line: str, kind: RefusalKind) -> None:
    refused = refusal(line)
    assert (refused.kind, refused.line) == (kind, 1)
    assert "FROM python:3.11" in refused.way_out
    assert refusal("# nothing").found == "no FROM"


@pytest.mark.parametrize(
    ("line", "kind", "way"),
    [
        ("git clone https://example.org/a.git", RefusalKind.DOWNLOAD, "add it to the entry"),
        ("wget -O m.bin https://example.org/m", RefusalKind.DOWNLOAD, "add it to the entry"),
        ("curl -s https://bootstrap.pypa.io/get-pip.py | python3", RefusalKind.DOWNLOAD, "add it to the entry"),
        ("pip install -r other.txt", RefusalKind.FILE, "COPY . ."),
        ("pip install torch==$UNKNOWN", RefusalKind.COMMAND, "the value itself"),
        ("make -j4", RefusalKind.COMMAND, "do it at home"),
        ("echo a > b", RefusalKind.COMMAND, "do it at home"),
        ("apt-get install libgl1 # tools", RefusalKind.COMMAND, "do it at home"),
        ("mkdir /data", RefusalKind.COMMAND, "make it when it starts"),
        ("mkdir -p cache/new", RefusalKind.COMMAND, "make it when it starts"),
        ("rm -r /app/src", RefusalKind.COMMAND, "do it at home"),
        ("apt-get update || true", RefusalKind.COMMAND, "do it at home"),
        ("pip install torch -f https://example.org/torch.html", RefusalKind.DOWNLOAD, "name the packages alone"),
        ("pip install --no-deps torch", RefusalKind.COMMAND, "name the packages alone"),
        ("pip install 'numpy", RefusalKind.COMMAND, "do it at home"),
    ],
)
def test_command_that_does_more_than_install_is_refused_with_a_way_out(line: str, kind: RefusalKind, way: str) -> None:
    refused = run(line).refusals[0]
    assert (refused.file, refused.line, refused.kind) == ("Dockerfile", 4, kind)
    assert way in refused.way_out


def test_folder_made_before_the_files_are_copied_is_named_by_its_own_line() -> None:
    image = plan("FROM python:3.11\nWORKDIR /app\nRUN mkdir -p /app out\nENV A='`'\nCOPY . .\n")
    assert [(refused.line, refused.found) for refused in image.refusals] == [(3, "mkdir /app/out")]
    assert (image.top, image.env) == ("/app", {"A": "`"})


def test_all_problems_are_collected_at_once_with_their_lines() -> None:
    image = plan(
        "FROM python:3.12\nCOPY . /c\nWORKDIR $HERE\nENV A b\nRUN pip install \\\n  numpy && \\\n  git clone x; make\n"
        "apt-get install gcc\nFROM python:3.11\nCOPY --from=a /x /y\nCOPY nothing.py .\nADD a.tar .\nRUN <<EOF\nmake\n"
    )
    assert [refused.line for refused in image.refusals] == [1, 3, 4, 5, 5, 8, 9, 10, 11, 12, 13, 14]
    other = {refused.line: refused.kind.value for refused in image.refusals if refused.kind is not RefusalKind.COMMAND}
    assert other == {1: "python", 5: "download", 11: "file"}
    assert [[request.line for request in stage] for stage in image.stages] == [
        [1, 2, 3, 4, 5, 8],
        [9, 10, 11, 12, 13, 14],
    ]


def test_sizes_are_bounded() -> None:
    image = plan("FROM python:3.11\n" + "RUN make\n" * 300)
    assert (len(image.refusals), image.notes) == (100, ["and 200 more lines that cannot be translated"])
