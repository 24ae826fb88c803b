"""The CI templates as they stand: the steps of each are run, as a runner would, with an entry that needs no machine."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import yaml

from evaluate.config.challenge.cache import load_challenge
from evaluate.receipts.keys import KeyRing
from evaluate.sandbox.disks import empty_slot
from tests.conftest import CHECKOUT
from tests.support.documents import blocks

FREE = load_challenge("kits19")
SCRIPT = CHECKOUT / "ci" / "evaluate.sh"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A repository with the sample entry in the folder ``mine``."""
    shutil.copytree(FREE.folder / "sample_entry", tmp_path / "mine")
    program = tmp_path / "evaluate"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -W ignore -m evaluate "$@"\n')
    program.chmod(0o755)
    return tmp_path


def shell(script: str, workspace: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("GITHUB_", "EVALUATE_"))},
        "EVALUATE": str(workspace / "evaluate"),
        "EVALUATE_STATE": str(workspace / "state"),
        **variables,
    }
    argv = ["sh", "-euc", script]
    return subprocess.run(argv, cwd=workspace, env=environment, capture_output=True, text=True, check=False)


def action_step(name: str) -> dict[str, Any]:
    steps = yaml.safe_load((CHECKOUT / "action.yml").read_text())["runs"]["steps"]
    (wanted,) = [step for step in steps if step["name"] == name]
    return dict(wanted)


def variables_of(step: dict[str, Any], given: dict[str, str]) -> dict[str, str]:
    """The environment of a step, with the inputs of the action put in."""
    inputs = yaml.safe_load((CHECKOUT / "action.yml").read_text())["inputs"]
    values = {name: given.get(name, keys.get("default", "")) for name, keys in inputs.items()}
    return {
        key: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda match: values[match[1]], value)
        for key, value in step["env"].items()
    }


@pytest.mark.slow
@pytest.mark.parametrize("template", ["github", "gitlab"])
def test_steps_of_a_template_evaluate_and_their_warm_cache_is_no_part_of_the_entry(
    workspace: Path, template: str
) -> None:
    """The templates keep images and reports in the work tree of which the entry is packed."""
    repository = workspace / "mine"
    for words in (["init", "--quiet"], ["add", "."]):
        subprocess.run(["git", *words], cwd=repository, check=True)
    if template == "github":
        key, step = action_step("Key of the cache"), action_step("Evaluate")
        given = {"challenge": "kits19", "entry": "."}
        script, out = step["run"], step["env"]["OUT"].replace("${{ inputs.report }}", "evaluate-report")
        variables = {
            **variables_of(step, given),
            "GITHUB_ACTION_PATH": str(CHECKOUT),
            "GITHUB_OUTPUT": str(workspace / "output"),
            "GITHUB_STEP_SUMMARY": str(workspace / "summary"),
        }
        done = shell(key["run"], repository, **{**variables, **variables_of(key, given)})
        assert done.returncode == 0, done.stderr
        assert re.fullmatch(r"key=[0-9a-f]{32}\n", (workspace / "output").read_text())
    else:
        job = yaml.safe_load((CHECKOUT / "ci" / "gitlab.yml").read_text())["evaluate"]
        script = "\n".join(line.replace("/tmp/evaluate-source", shlex.quote(str(CHECKOUT))) for line in job["script"])
        variables, out = {**job["variables"], "CHALLENGE": "kits19"}, job["variables"]["OUT"]
        assert job["artifacts"]["reports"]["junit"] == f"{out}/junit.xml"
    variables["EVALUATE"] = str(workspace / "evaluate")
    # what restoring a cache of images and layers brings
    canary = repository / variables["EVALUATE_STATE"] / "layers" / "large"
    canary.parent.mkdir(parents=True)
    canary.write_bytes(os.urandom(1 << 20))
    done = shell(script, repository, **variables)
    assert done.returncode == 0, done.stderr
    assert json.loads((repository / out / "report.json").read_text())["entry"]["bytes"] < 1 << 20
    assert {f.name for f in (repository / out).iterdir()} == {"report.html", "report.json", "junit.xml", "summary.md"}
    assert ET.parse(repository / out / "junit.xml").getroot().get("failures") == "0"
    assert (repository / variables["EVALUATE_STATE"] / "receipt-log").is_dir()
    if template == "github":
        assert "mine.tar.gz: OK, passed" in (workspace / "summary").read_text()


@pytest.mark.slow
@pytest.mark.parametrize("pulled", [True, False])
def test_job_runs_in_an_image_that_can_be_pulled_and_installs_nothing(workspace: Path, *, pulled: bool) -> None:
    programs = workspace / "programs"
    programs.mkdir()
    (programs / "docker").write_text(
        f"""#!/bin/sh
echo "$*" >>{workspace}/docker-said
[ "$1" = run ] || exit {0 if pulled else 1}
while [ "$1" != registry/evaluate:1 ]; do shift; done
shift
exec {workspace}/evaluate "$@"
"""
    )
    (programs / "podman").write_text("#!/bin/sh\nexit 1\n")
    for program in programs.iterdir():
        program.chmod(0o755)
    script = shlex.quote(str(SCRIPT))
    if not pulled:  # a copy, in which nothing is installed
        (workspace / "copy" / "ci").mkdir(parents=True)
        script = shutil.copy(SCRIPT, workspace / "copy" / "ci")
        (workspace / "copy" / "run").write_text("#!/bin/sh\necho installs $*\nexit 9\n")
        (workspace / "copy" / "run").chmod(0o755)
    path = f"{programs}:{os.environ['PATH']}"
    given = {"CHALLENGE": "kits19", "ENTRY": "mine", "EVALUATE": "", "IMAGE": "registry/evaluate:1", "PATH": path}
    done = shell(f"sh {script}", workspace, **given)
    if not pulled:
        assert (done.returncode, done.stdout) == (9, "installs setup\n")
        assert "registry/evaluate:1 cannot be pulled here, so the program is installed" in done.stderr
        return
    assert done.returncode == 0, done.stderr
    assert (workspace / "evaluate-report" / "report.json").is_file()
    pull, run = (workspace / "docker-said").read_text().splitlines()
    assert pull == "pull --quiet registry/evaluate:1"
    assert f"--volume {workspace}:{workspace} --workdir {workspace}" in run and "--privileged" not in run
    assert f"{workspace}/state/layers:/home/evaluate/.local/state/evaluate/layers" in run


@pytest.mark.slow
def test_entry_that_fails_ends_the_job_with_1_and_is_in_its_summary(workspace: Path) -> None:
    for file in (workspace / "mine").iterdir():
        file.unlink()
    done = shell(f"sh {shlex.quote(str(SCRIPT))}", workspace, CHALLENGE="kits19", ENTRY="mine")
    assert done.returncode == 1, done.stderr
    assert "❌" in (workspace / "evaluate-report" / "summary.md").read_text()


WANTED = ["dependencies.txt", "requirements.txt", "Dockerfile"]
"""The files of an entry that say what is installed."""


@pytest.mark.parametrize("entry", ["mine", "my entry", "mine.tar", "é"])
def test_key_of_the_cache_changes_with_what_the_entry_wants_installed(workspace: Path, entry: str) -> None:
    def key(path: Path, wanted: str) -> str:
        path.parent.mkdir(exist_ok=True)
        path.write_text(wanted)
        return shell(f"sh {shlex.quote(str(SCRIPT))} key", workspace, ENTRY=entry).stdout

    paths = [workspace / entry] if entry.endswith(".tar") else [workspace / entry / name for name in WANTED]
    for path in paths:
        keys = [key(path, wanted) for wanted in ("", "gcc (= 4:12.2.0-3)\n", "")]
        assert keys[0] == keys[2] != keys[1] and keys[0], path
    done = shell(f"sh {shlex.quote(str(SCRIPT))} key", workspace, ENTRY="no such")
    assert (done.returncode, done.stdout) == (2, "")
    assert "ENTRY is no such: expected a folder or an archive" in done.stderr


@pytest.mark.parametrize("template", ["github", "gitlab"])
def test_cache_has_images_and_layers_and_neither_keys_nor_disks(workspace: Path, template: str) -> None:
    """Caches are packed as if their files had no holes, and read by jobs of other branches."""
    if template == "github":
        paths = action_step("Image and layers")["with"]["path"].split()
    else:
        paths = yaml.safe_load((CHECKOUT / "ci" / "gitlab.yml").read_text())["evaluate"]["cache"]["paths"]
    state = workspace / ".evaluate-state"
    empty_slot(state / "cache" / "blank")
    KeyRing(state / "keys").signer()
    (state / "layers").mkdir()
    (state / "layers" / "a.squashfs").write_bytes(b"a")
    cached = [file for path in paths for file in sorted((workspace / path).rglob("*")) if file.is_file()]
    assert cached == [state / "layers" / "a.squashfs"]


def test_key_of_gitlab_depends_on_the_same_files() -> None:
    """GitLab accepts two patterns, in which it knows the star alone."""
    patterns = yaml.safe_load((CHECKOUT / "ci" / "gitlab.yml").read_text())["evaluate"]["cache"]["key"]["files"]
    assert len(patterns) <= 2 and not set("".join(patterns)) & set("?[]{}$")
    assert [name for name in WANTED if not any(fnmatchcase(name, pattern) for pattern in patterns)] == []
    assert not any(fnmatchcase(name, pattern) for name in ("AUTHORS.txt", "LICENSE.txt") for pattern in patterns)


@pytest.mark.slow
def test_commands_of_the_page_run(workspace: Path) -> None:
    for block in blocks(CHECKOUT / "docs" / "ci.md"):
        if block.language == "yaml":
            assert isinstance(yaml.safe_load(block.text), dict)
        for line in block.commands if block.language == "sh" else ():
            here = line.replace("cinc2017", "kits19").replace("ci/evaluate.sh", shlex.quote(str(SCRIPT)))
            done = shell(re.sub("^evaluate ", f"{workspace}/evaluate ", here), workspace)
            assert done.returncode == 0, f"{line}: {done.stderr}"


@pytest.mark.parametrize(("name", "fails"), [("plain", 0), ("with space é", 3)])
def test_ci_runs_the_tests_in_another_folder_and_leaves_nothing(tmp_path: Path, name: str, fails: int) -> None:
    here, folder = tmp_path / "checkout", tmp_path / "elsewhere" / name
    (here / ".ci").mkdir(parents=True)
    folder.parent.mkdir()
    (tmp_path / "shared").mkdir()
    (here / ".venv").mkdir()
    shutil.copy(CHECKOUT / ".ci" / "run", here / ".ci")
    (here / "run").write_text(f'#!/bin/sh\npwd; ls -A; echo "$@ $EVALUATE_SHARED"; exit {fails}\n')
    (here / "run").chmod(0o755)
    environment = {"PATH": os.environ["PATH"], "PLACE": str(folder)}
    done = subprocess.run([here / ".ci" / "run"], env=environment, capture_output=True, text=True, check=False)
    lines = [str(folder), ".ci", "run", f"test {tmp_path / 'shared'}"]
    assert (done.returncode, done.stdout.splitlines()) == (fails, lines), done.stderr
    assert list(folder.parent.iterdir()) == []


def test_action_says_what_its_steps_use() -> None:
    text = (CHECKOUT / "action.yml").read_text()
    used = set(re.findall(r"\$\{\{ inputs\.([\w-]+) \}\}", text))
    assert used == set(yaml.safe_load(text)["inputs"])
