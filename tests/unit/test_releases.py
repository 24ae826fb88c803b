"""Releases: builds that are equal, and workflows that their platform understands."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.conftest import CHECKOUT

WORKFLOWS = sorted((CHECKOUT / ".github" / "workflows").glob("*.yml"))


def checked(schema: str, *files: Path) -> None:
    """By the schemas that the checker brings along, without a network."""
    done = subprocess.run(
        [Path(sys.executable).with_name("check-jsonschema"), "--builtin-schema", f"vendor.{schema}", *files],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_two_builds_of_a_commit_are_equal(tmp_path: Path) -> None:
    """From two folders, by users with another umask, whose files have other dates."""
    built = []
    for name, mask in (("first", 0o022), ("second", 0o077)):
        checkout, dist = tmp_path / name, tmp_path / f"{name}-dist"
        clone = ["git", "clone", "--quiet", "--shared", str(CHECKOUT), str(checkout)]
        subprocess.run(clone, check=True, umask=mask)
        environment = {**os.environ, "PYTHON": sys.executable}
        subprocess.run(
            [checkout / "ci" / "build.sh", dist], check=True, umask=mask, env=environment, capture_output=True
        )
        built.append({path.name: path.read_bytes() for path in dist.iterdir()})
    assert built[0] == built[1]
    assert sorted(name.rpartition(".")[2] for name in built[0]) == ["gz", "whl"]


def test_files_of_a_source_package_have_the_same_rights_whoever_unpacks_them(tmp_path: Path) -> None:
    """``git archive`` lets groups write, which root keeps when it unpacks, and an ordinary user's umask takes away."""
    (line,) = re.findall(r"^git .*archive .*$", (CHECKOUT / "ci" / "deb.sh").read_text(), re.MULTILINE)
    (tmp_path / "sandbox-evaluate-1").mkdir()
    shell = line.replace("tar -x", "tar -x --preserve-permissions")
    environment = {**os.environ, "made": str(tmp_path), "version": "1"}
    subprocess.run(["sh", "-euc", shell], cwd=CHECKOUT, env=environment, check=True, umask=0o022)
    rights = {
        path.stat().st_mode & 0o7777 for path in tmp_path.glob("sandbox-evaluate-1/**/*") if not path.is_symlink()
    }
    assert rights == {0o755, 0o644}


def test_source_package_asks_for_what_builds_it_before_it_downloads(tmp_path: Path) -> None:
    for name, does in (("dpkg-checkbuilddeps", "exit 1"), ("python3", f"touch {tmp_path}/began; exit 1")):
        (tmp_path / name).write_text(f"#!/bin/sh\n{does}\n")
        (tmp_path / name).chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run([CHECKOUT / "ci" / "deb.sh", tmp_path / "out"], env=environment, check=False)
    assert done.returncode == 1 and not (tmp_path / "began").exists()


@pytest.mark.parametrize("used", ["queue.sqlite", "evaluate.yaml", ""])
def test_purge_leaves_nothing_but_entries_keys_and_backups(used: str, tmp_path: Path) -> None:
    """A queue in PostgreSQL has no file here; its server has a configuration that names it."""
    folders = "etc/evaluate etc/systemd/system var/lib/evaluate/runs var/lib/evaluate-helper var/backups"
    for name in folders.split():
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "etc/evaluate/state").symlink_to(tmp_path / "var/lib/evaluate")
    (tmp_path / "etc/systemd/system/evaluate.service").symlink_to("/lib/systemd/system/evaluate.service")
    for name in ("subuid", "subgid"):
        (tmp_path / "etc" / name).write_text("ann:100000:65536\nevaluate:2000000:65536\n")
    if used:
        (tmp_path / "var/lib/evaluate" / used).touch()
    script = re.sub(r"(?<![\w*])/(?=etc/|var/)", f"{tmp_path}/", (CHECKOUT / "ci/debian/evaluate.postrm").read_text())
    subprocess.run(["sh", "-c", script, "postrm", "purge"], check=True, capture_output=True)
    left = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if not path.is_dir()}
    assert left == {"etc/subuid", "etc/subgid", *([f"var/lib/evaluate/{used}"] if used else [])}
    assert {path.name for path in (tmp_path / "var/lib").iterdir()} == ({"evaluate"} if used else set())
    assert (tmp_path / "etc/subuid").read_text() == "ann:100000:65536\n"


def locked(lock: str) -> dict[str, list[Requirement]]:
    """The packages of a lock, each of which has a hash."""
    text = (CHECKOUT / "ci" / f"{lock}.lock").read_text()
    logical = [line for line in text.replace("\\\n", "").splitlines() if not line.startswith("#")]
    assert all(re.search(r" --hash=sha256:[0-9a-f]{64}", line) for line in logical)
    packages: dict[str, list[Requirement]] = {}
    for line in logical:
        package = Requirement(line.partition(" --hash")[0])
        packages.setdefault(canonicalize_name(package.name), []).append(package)
    return packages


@pytest.mark.parametrize("script", ["build.sh", "deb.sh"])
def test_what_is_published_is_built_by_tools_with_hashes(script: str) -> None:
    """A tool by name and version alone brings whatever its own dependencies are on the day (Pinned-Dependencies)."""
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())
    assert {Requirement(each).name for each in project["build-system"]["requires"]} <= set(locked("build"))
    for line in re.findall(r"pip (?:install|download) (.*?[^\\])\n", (CHECKOUT / "ci" / script).read_text(), re.DOTALL):
        assert "--require-hashes" in line, line


@pytest.mark.parametrize(("lock", "extras"), [("server", ["all"]), ("container", ["vm", "images", "plots"])])
def test_lock_has_a_hash_for_each_package_and_a_version_that_is_allowed(lock: str, extras: list[str]) -> None:
    packages = locked(lock)
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["project"]
    wanted = [Requirement(each) for each in project["dependencies"]]
    while extras:
        for each in map(Requirement, project["optional-dependencies"][extras.pop()]):
            is_ours = each.name == project["name"]
            extras.extend(each.extras if is_ours else ())
            wanted.extend(() if is_ours else (each,))
    for each in wanted:
        versions = [str(package.specifier).removeprefix("==") for package in packages[canonicalize_name(each.name)]]
        assert all(each.specifier.contains(version) for version in versions), (each, versions)


def test_workflows_and_action_are_what_their_platform_reads() -> None:
    checked("github-workflows", *WORKFLOWS)
    checked("github-actions", CHECKOUT / "action.yml")
    checked("dependabot", CHECKOUT / ".github" / "dependabot.yml")


def test_no_program_in_machine_code_is_in_the_repository() -> None:
    """A reader of the source must see all that runs (Binary-Artifacts of OpenSSF Scorecard)."""
    done = subprocess.run(["git", "ls-files", "-z"], cwd=CHECKOUT, capture_output=True, check=True)
    files = [CHECKOUT / os.fsdecode(name) for name in done.stdout.split(b"\0") if name]
    compiled = (b"\x7fELF", b"MZ", b"\xca\xfe\xba\xbe", b"\xcf\xfa\xed\xfe", b"\0asm", b"!<arch>")
    assert files
    assert [path for path in files if path.is_file() and path.read_bytes().startswith(compiled)] == []


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflow_installs_tools_of_fixed_versions_and_calls_scripts_that_are_there(path: Path) -> None:
    """Programs by name alone would be whatever their index has on the day (Pinned-Dependencies)."""
    for line in re.findall(r"pip install ([^&\n]*)", path.read_text()):
        if "--require-hashes" in line:
            continue
        words = [word for word in line.split() if not word.startswith(("-", ".", "'.", '"', "$", "dist/"))]
        assert all("==" in word for word in words if word != "test"), line
    text = re.sub(r"#.*", "", path.read_text())
    for script in re.findall(r"(?<![\w./])((?:\.ci|ci|\.)/\w[\w./]*)", text):
        assert os.access(CHECKOUT / script, os.R_OK if script.endswith(".lock") else os.X_OK), script


def test_workflows_and_action_have_few_rights_and_run_nothing_of_strangers() -> None:
    """Programs by digest, no rights that a job does not need, no trigger or text by which a stranger runs commands with
    rights (Token-Permissions, Pinned-Dependencies and Dangerous-Workflow)."""
    options = ["--offline", "--quiet", "--color=never", ".github", "action.yml"]
    command = [Path(sys.executable).with_name("zizmor"), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=CHECKOUT)
    assert done.returncode == 0, done.stdout + done.stderr
