"""Files that leave a participant's folder, and others that never do."""

import json
import os
import subprocess
import tarfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from evaluate.core.errors import EntryError, UsageError
from evaluate.untrusted.packing import ALLOWED, described, pack, suspects, to_send
from evaluate.untrusted.selection import IGNORE, select
from tests.support.git_server import commit, git
from tests.support.scorers import written

PRIVATE_KEY = "-----BEGIN OPENSSH " + "PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjE\n"
ENTRY = {"setup.sh": "true\n", "next.sh": "true\n", "src/classify.c": "int main(void) { return 0; }\n"}
CANARIES = (
    ".git/config",
    "vendor/library/.git/config",
    ".env",
    "deploy/.env.production",
    ".netrc",
    ".pypirc",
    ".ssh/id_ed25519",
    "keys/id_rsa",
    "server.pem",
    ".aws/credentials",
    "kaggle.json",
    ".docker/config.json",
    "venv/pyvenv.cfg",
    "venv/lib/secret.py",
    ".evaluate-state/queue.sqlite",
    "evaluate-report/report.json",
    "state/runs/one/disk",
    "src/__pycache__/classify.pyc",
    ".bash_history",
    ".Renviron",
    "cloud/service-account-1.json",
    ".vscode/settings.json",
    ".env.local",
    "src/._classify.c",
    "__MACOSX/x",
    "desktop.ini",
    "deploy/prod.env",
    ".npmrc",
    ".cache/huggingface/token",
    ".huggingface/token",
    ".kube/config",
    "deploy/kubeconfig.yaml",
    ".dockercfg",
    "gcloud/application_default_credentials.json",
    "module/.git",
)
"""Places of a folder from which nothing may leave it."""


def work_tree(folder: Path, files: Mapping[str, str], *tracked: str) -> Path:
    """A folder with these files, of which git tracks some; without names all."""
    git(written(folder, files), "init", "--quiet")
    git(folder, "add", "--force", "--", *(tracked or ["."]))
    return folder


def content(archive: Path) -> str:
    with tarfile.open(archive) as tar:
        streams = [(member.name, tar.extractfile(member) if member.isreg() else None) for member in tar]
        return "\n".join(name + (stream.read().decode(errors="replace") if stream else "") for name, stream in streams)


def reasons(folder: Path) -> dict[str, str]:
    return {file.name: file.reason for file in select(folder).left_out}


@pytest.mark.parametrize("all_files", [False, True])
@pytest.mark.parametrize("tracked", [False, True])
def test_secrets_and_files_of_tools_never_leave_a_folder(tmp_path: Path, tracked: bool, all_files: bool) -> None:
    folder = written(tmp_path / "entry", {**ENTRY, **dict.fromkeys(CANARIES, "CANARY")})
    (folder / "state" / "receipt-log").mkdir()
    if tracked:
        (folder / ".git" / "config").unlink()
        git(folder, "init", "--quiet")
        git(folder, "add", "--force", "--", *ENTRY, ".env", "server.pem", "venv", "state", ".evaluate-state")
        with (folder / ".git" / "config").open("a") as config:
            config.write("# CANARY\n")
    selection = select(folder, all_files=all_files)
    assert selection.files == tuple(sorted(ENTRY))
    assert "CANARY" not in content(pack(selection, tmp_path / "entry.tar.gz"))
    assert {".env", "server.pem", "venv", "state"} <= {file.name for file in selection.left_out}


def test_git_work_tree_gives_tracked_files_and_the_rest_on_demand(tmp_path: Path) -> None:
    files = {**ENTRY, ".gitignore": "data/\n", "data/big": "x", "notes.txt": "x", "model.pt": "weights"}
    folder = work_tree(tmp_path / "entry", files, ".gitignore", "model.pt", *ENTRY)
    (folder / "next.sh").write_text("changed\n")
    (folder / "model.pt").unlink()
    selection = select(folder)
    assert selection.files == (".gitignore", *sorted(ENTRY))
    assert "changed" in content(pack(selection, tmp_path / "1.tar.gz"))
    assert reasons(folder) == {
        **dict.fromkeys(("notes.txt", "data/big"), "not tracked by git"),
        "model.pt": "tracked by git, but not here",
        ".git": "version control",
    }
    assert "--all-files" in "\n".join(described(selection))
    assert {"notes.txt", "data/big"} <= set(select(folder, all_files=True).files)


def test_work_tree_of_which_git_says_nothing_is_not_packed_as_if_git_tracked_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = work_tree(tmp_path / "entry", {**ENTRY, "notes.txt": "x"}, *ENTRY)
    (folder / ".git" / "config").write_text("[damaged\n")
    with pytest.raises(UsageError, match=r"entry: expected git to say which files it tracks: (?s:.*)--all-files"):
        select(folder)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match="there is no program git here"):
        select(folder / "src")
    assert "notes.txt" in select(folder, all_files=True).files


def test_submodule_gives_tracked_files_and_an_absent_one_is_said_to_be_left_out(tmp_path: Path) -> None:
    folder, library = work_tree(tmp_path / "entry", ENTRY), work_tree(tmp_path / "library", {"lib.c": "1\n"})
    commit(library)
    for name in ("here", "absent"):
        git(folder, "submodule", "--quiet", "add", str(library), name)
    commit(folder)
    (folder / "here" / "untracked").write_text("x")
    git(folder, "submodule", "--quiet", "deinit", "absent")
    selection = select(folder)
    assert set(selection.files) == {*ENTRY, ".gitmodules", "here/lib.c"}
    left = reasons(folder)
    assert left["here/.git"] == "version control" and left["here/untracked"] == "not tracked by git"
    assert left["absent"] == "tracked by git, but not here"


def test_new_folder_in_a_work_tree_is_packed_without_ignored_files(tmp_path: Path) -> None:
    work_tree(tmp_path, {".gitignore": "*.log\n/mine/data/\n", "README": "x"}, "README")
    folder = written(tmp_path / "mine", {**ENTRY, "a.log": "x", "data/big": "x"})
    assert select(folder).files == tuple(sorted(ENTRY))


def test_gitignore_that_is_no_text_counts_as_for_git(tmp_path: Path) -> None:
    folder = written(tmp_path / "entry", {**ENTRY, "a.log": "x", "b.tmp": "x"})
    git(folder, "init", "--quiet")
    (folder / ".gitignore").write_bytes("model/\r\n*.log\r\n".encode("utf-16") + b"\n*.tmp\n")
    listed = tuple(sorted(git(folder, "ls-files", "--others", "--exclude-standard").split()))
    assert select(folder).files == listed == tuple(sorted({*ENTRY, ".gitignore", "a.log"}))
    (folder / IGNORE).write_bytes(b"*.csv \xff\n")
    with pytest.raises(UsageError, match=f"{IGNORE}: expected patterns"):
        select(folder)


def test_evaluateignore_leaves_out_tracked_files_too(tmp_path: Path) -> None:
    folder = work_tree(tmp_path / "entry", {**ENTRY, ".evaluateignore": "", "a.csv": "", "keep.csv": ""})
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        (folder / IGNORE).write_bytes("*.csv\n!keep.csv\n".encode(encoding))
        for all_files in (False, True):
            assert select(folder, all_files=all_files).files == tuple(sorted([*ENTRY, ".evaluateignore", "keep.csv"]))


def test_links_are_packed_as_links_and_not_followed_and_a_file_with_two_names_twice(tmp_path: Path) -> None:
    written(tmp_path / "elsewhere", {"secret": "CANARY"})
    folder = written(tmp_path / "entry", ENTRY)
    (folder / "data").symlink_to(tmp_path / "elsewhere")
    (folder / "again").symlink_to(folder)
    os.mkfifo(folder / "pipe")
    os.link(folder / "next.sh", folder / "z.sh")
    selection = select(folder)
    assert selection.files == tuple(sorted([*ENTRY, "data", "again", "z.sh"]))
    packed = pack(selection, tmp_path / "1.tar.gz")
    assert "CANARY" not in content(packed)
    with tarfile.open(packed) as tar:
        assert not any(member.islnk() for member in tar)
    assert [one.reason for one in selection.left_out] == ["neither a file, a folder nor a link"]


def test_link_of_git_annex_is_packed_as_its_content_or_named(tmp_path: Path) -> None:
    folder = written(tmp_path / "entry", {**ENTRY, ".git/annex/objects/x/KEY/KEY": "weights"})
    (folder / "model.bin").symlink_to(".git/annex/objects/x/KEY/KEY")
    assert "weights" in content(pack(select(folder), tmp_path / "1.tar.gz"))
    (folder / "gone.bin").symlink_to("../.git/annex/objects/y/KEY/KEY")
    with pytest.raises(UsageError, match=r"gone.bin is a pointer of git-annex .* run 'git annex get .'"):
        to_send(folder, print)


def test_same_contents_give_the_same_bytes_for_every_user(tmp_path: Path) -> None:
    first, second = (written(tmp_path / name, ENTRY) for name in ("first", "second"))
    for path in second.rglob("*"):
        path.chmod(0o775 if path.is_dir() else 0o664)
        os.utime(path, (1, 1))
    packed = [pack(select(folder), tmp_path / f"{folder.name}.tar.gz").read_bytes() for folder in (first, second)]
    assert packed[0] == packed[1]


def test_folder_deeper_than_any_entry_is_refused_without_a_crash(tmp_path: Path) -> None:
    folder = written(tmp_path / "entry", ENTRY)
    here = os.open(folder, os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    with pytest.raises(EntryError, match="more than 100 deep"):
        select(folder)
    subprocess.run(["rm", "-r", folder / "d"], check=True)


def test_folder_of_which_nothing_is_left_says_why(tmp_path: Path) -> None:
    folder = written(tmp_path / "entry", {".env": "A=1\n"})
    with pytest.raises(EntryError, match=r"no file to pack; left out: \.env \(may hold credentials\)"):
        pack(select(folder), tmp_path / "1.tar.gz")


SECRETS = {
    "a private key": PRIVATE_KEY,
    "an AWS access key": "key_id = 'AKIA" + "IOSFODNN7EXAMPLF'",
    "a GitHub token": "TOKEN=ghp_" + "a1B2" * 9,
    "a GitLab token": "glpat-" + "a1B2_" * 4,
    "a Hugging Face token": "login('hf_" + "aB1c" * 9 + "')",
    "a token of an evaluate site": "EVALUATE_TOKEN=ev_" + "aB1c-_" * 7 + "x",
    "a password in an address": "url = 'https://bot:s3cr3tword@git.example.org/team.git'",
    "an Azure storage key": "AccountName=x;AccountKey=" + "aB1c" * 21 + "==",
    "a JSON web token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0." + "aB1c_" * 8,
    "a password or key": 'wandb_api_key = "9f8b2c7e1d4a5f60c3b2a1908f7e6d5c"',
}
CELLS = (
    'api_key = "9f8b2c7e1d4a5f60"',
    "os.environ['AWS_SECRET_ACCESS_KEY'] = '9f8b2c7e1d4a5f60/K7MDENG+bPx'",
    'os.environ["HF_TOKEN"] = "9f8b2c7e1d4a5f60"',
    'wandb.login(key="9f8b2c7e1d4a5f60c3b2a1908f7e6d5c")',
    "%env KAGGLE_KEY=9f8b2c7e1d4a5f60c3b2a1908f7e6d5c",
    "%pip install git+https://9f8b2c7e1d4a5f60c3b2a1908f7e6d5c@git.example.org/x.git",
)


IN_OUTPUT = {"data": {"image/png": "iVBORw0KGgo+a/" * 200_000}, "text": [f"{CELLS[-2]}\n"]}


def notebook(cell: dict[str, object]) -> bytes:
    return json.dumps({"cells": [{"cell_type": "code", **cell}]}, indent=1).encode()


@pytest.mark.parametrize(
    ("file", "data", "lines"),
    [
        *(("a.py", cell.encode(), ["a password or key"]) for cell in CELLS),
        *(("a.ipynb", notebook({"source": [f"{cell}\n", "1"]}), ["a password or key"]) for cell in CELLS),
        ("a.ipynb", notebook({"outputs": [IN_OUTPUT]}), ["a password or key"]),
        ("settings.yml", b"  db_password: 9f8b2c7e1d4a5f60\n", ["a password or key"]),
        ("a.py", b"  db_password: 9f8b2c7e1d4a5f60\n", []),
        ("notes.txt", f"one\n{SECRETS['a GitLab token']}\n".encode("utf-16"), ["a GitLab token"]),
        ("model.bin", PRIVATE_KEY.encode() + b"\0", []),
    ],
    ids=lambda value: value[:30] if isinstance(value, str | bytes) else None,
)
def test_secret_is_found_in_every_form_of_text(file: str, data: bytes, lines: list[str], tmp_path: Path) -> None:
    (tmp_path / file).write_bytes(data)
    assert [suspect.what for suspect in suspects(file, tmp_path / file)] == lines


@pytest.mark.parametrize("target", ["../elsewhere", "/etc/passwd", "sub/../../elsewhere/secret"])
def test_link_that_leaves_the_folder_is_not_sent(tmp_path: Path, target: str) -> None:
    folder = written(tmp_path / "entry", {**ENTRY, "sub/x": ""})
    (folder / "sub" / "inside").symlink_to("../next.sh")
    (folder / "data").symlink_to(target)
    with pytest.raises(UsageError, match=r"nothing was submitted\ndata is a link that leaves the folder\nput what"):
        to_send(folder, print)
    (folder / "data").unlink()
    assert "sub/inside" in to_send(folder, print).files


@pytest.mark.parametrize("what", SECRETS)
def test_line_that_looks_like_a_secret_is_refused_by_file_and_line(tmp_path: Path, what: str) -> None:
    folder = written(tmp_path / "entry", {**ENTRY, "src/train.py": f"import os\n{SECRETS[what]}\n"})
    with pytest.raises(UsageError, match=rf"src/train\.py line 2 looks like {what}") as found:
        to_send(folder, print)
    assert SECRETS[what].splitlines()[0] not in str(found.value)
    assert ".evaluateignore" in str(found.value)
    written(folder, {"src/train.py": f"import os\n{SECRETS[what].splitlines()[0]}  # {ALLOWED}\n"})
    to_send(folder, print)


@pytest.mark.parametrize(
    "line",
    [
        "token = tokens[12345678901]",
        "password = os.environ['PASSWORD']",
        'token = "begin_of_sequence_v2"',
        'secret_key = "change-me-please"',
        "https://user@example.org/path:8080@x",
        "api_key: str = field(default='')",
        "AKIA is a prefix",
        "tokens=load('model-v2.bin')",
        "git+https://github-actions-of-the-team@example.org/x.git",
    ],
)
def test_ordinary_line_is_no_secret(line: str, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(line)
    assert not list(suspects("a.py", tmp_path / "a.py"))
