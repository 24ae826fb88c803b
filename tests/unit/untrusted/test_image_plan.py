"""What a Dockerfile comes to, and what is said of lines that come to nothing."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from evaluate.challenge.types import BaseImage
from evaluate.core.model import Refusal, RefusalKind
from evaluate.untrusted.image_places import ImagePlan, is_free
from evaluate.untrusted.image_plan import translate
from evaluate.untrusted.image_stage import LineRequest

NAMES = ("Dockerfile", "requirements.txt", "run.py", "src/a.py", "src/b/c.py", "model/m.sav", "run.sh")
PYTHON = (BaseImage(image="python"),)


def plan(
    text: str,
    ignore: str = "",
    *,
    bases: Sequence[BaseImage] = PYTHON,
    needed: Sequence[str] = (),
    trained: bool = False,
) -> ImagePlan:
    return translate(text.encode(), ignore.encode(), ".dockerignore", NAMES, bases, needed, "3.11", trained=trained)


def texts(found: Sequence[LineRequest]) -> list[str]:
    return [one.text for one in found]


def refusal(text: str, ignore: str = "", *, bases: Sequence[BaseImage] = PYTHON, needed: Sequence[str] = ()) -> Refusal:
    (found,) = plan(text, ignore, bases=bases, needed=needed).refusals
    return found


def run(text: str) -> ImagePlan:
    return plan(f"FROM python:3.11\nWORKDIR /app\nCOPY . .\nRUN {text}\n")


def test_fixed_shape_of_a_challenge_is_translated() -> None:
    found = plan(
        "FROM python:3.10.1-buster\nRUN mkdir /challenge\nCOPY ./ /challenge\nWORKDIR /challenge\n"
        "RUN pip install -r requirements.txt\n"
    )
    assert found.refusals == ()
    assert texts(found.requirement_files) == ["requirements.txt"]
    assert (found.cwd, dict(found.links), found.steps) == ("/home/challenge", {"/challenge": "/home/challenge"}, ())
    assert found.notes == (
        "note: Dockerfile line 1: python:3.10.1-buster becomes Python 3.11 on Debian, which the machine has",
    )


def test_packages_keep_the_lines_that_ask_for_them() -> None:
    found = run(
        "apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y \\\n git=1:2.39 \\\n libgl1 && \\\n"
        " rm -rf /var/lib/apt/lists/* && python3 -m pip install -U pip numpy==1.26 \\\n 'scipy>=1.11'"
    )
    assert [(one.line, one.text) for one in found.packages] == [(5, "git = 1:2.39"), (6, "libgl1")]
    assert [(one.line, one.text) for one in found.requirements] == [(7, "numpy==1.26"), (8, "scipy>=1.11")]
    assert found.refusals == ()


def test_environment_program_and_folder_are_those_of_the_last_stage() -> None:
    found = plan(
        "ARG V=3.11\nFROM python:${V}-slim AS base\nARG TOOL=/t\nENV A=b PATH=$TOOL/bin:$PATH\nENV OLD a b\n"
        'FROM base\nCOPY . /opt/x\nWORKDIR /opt/x\nWORKDIR src\nENTRYPOINT ["python"]\nCMD ["a.py", "-v"]\n'
    )
    assert dict(found.env) == {
        "A": "b",
        "PATH": "/t/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "OLD": "a b",
    }
    assert (found.argv, found.cwd) == (("python", "a.py", "-v"), "/home/challenge/src")
    assert found.refusals == ()


def test_shell_form_of_a_program_is_a_shell() -> None:
    assert plan("FROM python:3.11\nENTRYPOINT python run.py $0 $@").argv == ("/bin/sh", "-c", "python run.py $0 $@")


def test_files_elsewhere_are_led_to_and_files_not_copied_removed() -> None:
    found = plan(
        "FROM python:3.11\nWORKDIR /opt/algorithm\nCOPY requirements.txt run.py ./\nCOPY src lib/\n"
        "COPY model /weights\nCOPY run.sh /usr/local/bin/start\n"
        "RUN chmod +x /usr/local/bin/start && mkdir -p out/{a,b} /data\n"
    )
    assert dict(found.links) == {
        "/opt/algorithm": "/home/challenge",
        "/weights": "/home/challenge/model",
        "/usr/local/bin/start": "/home/challenge/run.sh",
    }
    assert found.folders == ("/data",)
    assert found.steps == (
        ("copy", "src/a.py", "lib/a.py"),
        ("copy", "src/b/c.py", "lib/b/c.py"),
        ("folder", "out/a"),
        ("folder", "out/b"),
        ("executable", "run.sh"),
        ("remove", "Dockerfile"),
        ("remove", "src"),
    )


@pytest.mark.parametrize(
    "place",
    [
        "/usr/lib/python3.11/hashlib.py",  # would be imported by our own program that describes a learned model
        "/etc/ld.so.preload",
        "/etc/ssl/openssl.cnf",
        "/usr/bin/python3",
        "/lib/x86_64-linux-gnu/libc.so.6",
        "/bin/sh",
        "/proc/x",
    ],
)
def test_file_of_the_entry_takes_no_place_of_the_machine(place: str) -> None:
    found = refusal(f"FROM python:3.11\nCOPY . /app\nCOPY run.py {place}\n")
    assert (found.kind, found.found) == (RefusalKind.PLACE, f"COPY to {place.rpartition('/')[0]}")
    assert not is_free(place)


@pytest.mark.parametrize(
    "place", ["usr/local/x", "/usr/local/../lib/x", "/usr/local/", "/", "", "/opt/\ud800", "/a\0b", "//a"]
)
def test_what_is_no_place_is_free_for_nobody(place: str) -> None:
    assert not is_free(place) and is_free("/usr/local/bin/start") and is_free("/predict")


@pytest.mark.parametrize("word", ["a\\u0000b", "\\ud800"])
def test_words_that_no_program_can_be_given_are_those_of_a_shell(word: str) -> None:
    assert plan(f'FROM python:3.11\nCMD ["{word}"]\n').argv == ("/bin/sh", "-c", f'["{word}"]')


def test_file_that_is_overwritten_is_copied_before() -> None:
    found = plan("FROM python:3.11\nCOPY . /app\nWORKDIR /app\nRUN mv run.py old.py && mv run.sh run.py\n")
    assert found.steps[:2] == (("copy", "run.py", "old.py"), ("copy", "run.sh", "run.py"))


def test_what_pip_installed_in_another_stage_is_installed() -> None:
    found = plan(
        "FROM python:3.11 AS builder\nWORKDIR /app\nCOPY requirements.txt .\nRUN python -m venv /opt/venv && \\\n"
        " . /opt/venv/bin/activate && pip install -r requirements.txt\nFROM python:3.11\nWORKDIR /app\n"
        "COPY --from=builder /opt/venv /opt/venv\nCOPY --from=0 /app/requirements.txt asked.txt\nCOPY . .\n"
    )
    assert texts(found.requirement_files) == ["requirements.txt"]
    assert ("copy", "requirements.txt", "asked.txt") in found.steps
    assert found.refusals == ()


def test_images_that_the_organiser_allows_bring_their_packages() -> None:
    bases = (
        BaseImage(image="pytorch/pytorch:2.*", requirements=("torch=={version}", "numpy"), packages=("libgomp1",)),
    )
    found = plan("FROM docker.io/pytorch/pytorch:2.5.1-cuda12.4-cudnn9-runtime", bases=bases)
    assert (texts(found.requirements), texts(found.packages)) == (["torch==2.5.1", "numpy"], ["libgomp1"])
    assert refusal("FROM pytorch/pytorch:1.4", bases=bases).kind is RefusalKind.BASE


@pytest.mark.parametrize("image", ["python", "python:3", "python:3.8-slim", "library/python:3.11", "python:slim"])
def test_older_or_unnamed_pythons_are_allowed(image: str) -> None:
    assert plan(f"FROM {image}").refusals == ()


@pytest.mark.parametrize(
    ("line", "kind", "way"),
    [
        ("FROM python:3.13-slim", RefusalKind.PYTHON, "FROM python:3.11"),
        ("FROM python:2.7", RefusalKind.PYTHON, "FROM python:3.11"),
        ("FROM pytorch/pytorch:2.5.1-cuda", RefusalKind.BASE, "RUN pip install torch==2.5.1"),
        # older ones have no wheel for the Python of the machine: the next refusal would only say so
        ("FROM pytorch/pytorch:1.7.1-cuda11.0", RefusalKind.BASE, "RUN pip install 'torch>=2.0'"),
        ("FROM tensorflow/tensorflow:2.8.0-gpu", RefusalKind.BASE, "RUN pip install 'tensorflow>=2.12'"),
        ("FROM tensorflow/tensorflow:latest", RefusalKind.BASE, "RUN pip install tensorflow"),
        ("FROM ubuntu:22.04", RefusalKind.BASE, "FROM python:3.11"),
        ("COPY . /app", RefusalKind.BASE, "FROM python:3.11"),
    ],
)
def test_base_that_is_not_allowed_is_named_with_a_way_out(line: str, kind: RefusalKind, way: str) -> None:
    found = refusal(line)
    assert (found.kind, found.line) == (kind, 1)
    assert way in found.way_out


@pytest.mark.parametrize(
    ("line", "kind", "way"),
    [
        ("git clone https://example.org/a.git", RefusalKind.GIT, "add the files of https://example.org/a.git"),
        ("git lfs pull", RefusalKind.GIT, "itself"),
        ("wget -O m.bin https://example.org/m", RefusalKind.DOWNLOAD, "add it to the entry"),
        ("curl -L https://huggingface.co/a/b/m.pt -o m.pt", RefusalKind.MODEL_HUB, "save the model"),
        ("python -c 'import timm; timm.create_model(1)'", RefusalKind.MODEL_HUB, "save the model"),
        ("curl -s https://bootstrap.pypa.io/get-pip.py | python3", RefusalKind.DOWNLOAD, "pip is already installed"),
        ("pip install git+https://example.org/a.git", RefusalKind.GIT, "add the modules of git+https"),
        ("pip install -e .", RefusalKind.SOURCE, "ENV PYTHONPATH"),
        ("pip install ./src", RefusalKind.SOURCE, "ENV PYTHONPATH"),
        ("pip install a --extra-index-url https://example.org/s", RefusalKind.INDEX, "leave out --extra-index-url"),
        ("pip install -r other.txt", RefusalKind.FILE, "add it to the entry"),
        ("pip install torch==$UNKNOWN", RefusalKind.VARIABLE, "ARG NAME=value"),
        ("apt-get install -y ./a.deb", RefusalKind.PACKAGE, "apt-get install -y"),
        ("conda install numpy", RefusalKind.COMMAND, "write: RUN pip install numpy"),
        ("conda install -c a -y pytorch=2.2.2=py310 'wfdb>=4' a::b", RefusalKind.COMMAND, "torch==2.2.2 'wfdb>=4' b"),
        ("mamba install -n base python=3.10 cudatoolkit", RefusalKind.COMMAND, "remove the line"),
        ("conda env create -f environment.yml", RefusalKind.COMMAND, "requirements.txt"),
        ("conda install --file packages.txt", RefusalKind.COMMAND, "requirements.txt"),
        ("apk add git", RefusalKind.COMMAND, "apt-get install"),
        ("make -j4", RefusalKind.COMMAND, "do it at home"),
        ("echo a > b", RefusalKind.COMMAND, "add the file to the entry"),
        ("for i in 1 2; do pip install a; done", RefusalKind.COMMAND, "do it at home"),
    ],
)
def test_command_that_does_more_than_install_is_refused_with_a_way_out(line: str, kind: RefusalKind, way: str) -> None:
    (found,) = run(line).refusals
    assert (found.file, found.line, found.kind) == ("Dockerfile", 4, kind)
    assert way in found.way_out


@pytest.mark.parametrize(
    "line",
    [
        "pip install --upgrade pip setuptools wheel",
        "apt-get update || true",
        "apt-get install -qq -y git >/dev/null 2>&1",
        "set -eux; useradd -m me; chown -R me /app",
        "ln -s /usr/bin/python3 /usr/bin/python",
        "bash -c 'apt-get update && pip install numpy'",
        "cd src && mkdir x",
        "git config --global a b",
        "echo 'export A=b' >> ~/.bashrc",
    ],
)
def test_line_without_harm_is_no_problem(line: str) -> None:
    assert run(line).refusals == ()


def test_index_of_pytorch_is_ignored_with_a_note() -> None:
    found = run("pip install torch==2.3.0+cu121 -f https://download.pytorch.org/whl/torch_stable.html")
    assert texts(found.requirements) == ["torch==2.3.0"]
    assert "note: Dockerfile line 4: torch==2.3.0+cu121 becomes torch==2.3.0" in found.notes


def test_all_problems_are_found_at_once_with_their_lines() -> None:
    found = plan(
        "FROM python:3.12\nCOPY . /c\nWORKDIR /c\nRUN pip install \\\n  numpy && \\\n  git clone x && \\\n  make\n"
        "apt-get install gcc\nRUN <<EOF\npip install scipy\nwget https://example.org\nEOF\nCOPY nothing.py .\n"
    )
    assert [(one.line, one.kind.value) for one in found.refusals] == [
        (1, "python"),
        (6, "git"),
        (7, "command"),
        (8, "instruction"),
        (11, "download"),
        (13, "file"),
    ]
    assert found.refusals[3].way_out == "write: RUN apt-get install gcc"


def test_model_that_dockerignore_leaves_out_is_named_with_its_line() -> None:
    found = refusal("FROM python:3.11\nCOPY . /c", "*.md\nmodel/\n")
    assert (found.file, found.line, found.kind) == (".dockerignore", 2, RefusalKind.IGNORED)
    assert found.found == "model/"
    assert "model/m.sav" in found.expected
    assert found.way_out == "remove the line, or add below it: !model/m.sav"


def test_model_that_is_made_by_training_may_be_left_out() -> None:
    found = plan("FROM python:3.11\nCOPY . /c", "model\n", trained=True)
    assert found.refusals == ()
    assert found.notes[-1] == "note: .dockerignore line 1: model leaves out model/m.sav"
    assert ("remove", "model") in found.steps


def test_program_of_the_challenge_must_be_in_the_image() -> None:
    assert refusal("FROM python:3.11\nCOPY src /c", needed=["run.py"]).found == "no COPY of run.py"
    hidden = refusal("FROM python:3.11\nCOPY . /c", "run.py", needed=["run.py"])
    assert (hidden.file, hidden.line, hidden.kind) == (".dockerignore", 1, RefusalKind.IGNORED)


def test_file_that_is_copied_but_left_out_is_named_with_its_line() -> None:
    found = refusal("FROM python:3.11\nCOPY src /c/\n", "\n\nsrc\n")
    assert (found.file, found.line) == (".dockerignore", 3)
    assert found.expected == "it leaves out src, which Dockerfile line 2 needs"


@pytest.mark.parametrize("place", ["/root", "/tmp/x", "/dev/shm"])
def test_files_do_not_go_to_the_machines_own_folders(place: str) -> None:
    assert refusal(f"FROM python:3.11\nCOPY run.py {place}/").kind is RefusalKind.PLACE


def test_wild_cards_are_those_of_docker() -> None:
    found = plan("FROM python:3.11\nWORKDIR /c\nCOPY *.py *.sh ./\nCOPY s*c ./\n")
    assert ("remove", "model") in found.steps
    assert ("copy", "src/a.py", "a.py") in found.steps


def test_number_of_problems_is_bounded() -> None:
    found = plan("FROM python:3.11\n" + "RUN make\n" * 300)
    assert len(found.refusals) == 100
    assert found.notes[-1] == "and 200 more lines that cannot be translated"
