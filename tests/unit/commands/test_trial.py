"""`evaluate new` and `evaluate try --runner plain`, as somebody types them first."""

import json
import os
import signal
import subprocess
import tempfile
from pathlib import Path

import click
import pytest

from evaluate.authoring.skeleton import write_entry
from evaluate.commands.state import check_writable
from evaluate.config.challenge.cache import load_challenge
from evaluate.home.plain_job import NOTICE
from tests.support.commands import printed, program, run


@pytest.mark.slow
def test_entry_is_tried_without_a_virtual_machine_and_says_so_first_and_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    printed(tmp_path / "state", "new", "mine", "--challenge", "cinc2017", "--lang", "python")
    words = ["try", "mine", "--challenge", "cinc2017", "--runner", "plain", "--json", "report.json"]
    done = run(tmp_path / "state", *words, code=0)
    lines = done.stderr.splitlines()
    assert (lines[0], lines[-1]) == (NOTICE, NOTICE)
    report = json.loads(Path("report.json").read_text())
    assert (report["verdict"], report["accelerator"], report["counter"]["kind"]) == ("OK", "plain", "none")
    assert "instructions" not in done.stdout.replace("instructions and memory", "")
    assert not (tmp_path / "state" / "receipt-log").exists()
    Path("mine/next.sh").write_text("exit 3\n")
    assert run(tmp_path / "state", *words).exit_code == 1


@pytest.mark.parametrize("option", ["--json", "--html", "--junit", "--summary", "--receipt"])
def test_file_that_cannot_be_written_is_refused_before_anything_runs(tmp_path: Path, option: str) -> None:
    for path, why in (
        (tmp_path / "missing" / "file", f"the user {os.geteuid()} sees no folder"),
        (tmp_path, "it is a folder"),
    ):
        done = run(tmp_path / "state", "try", tmp_path / "no-entry", "--challenge", "cinc2017", option, path)
        assert (done.exit_code, f"{path} cannot be written: {why}" in done.stderr) == (2, True), done.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user")
def test_file_in_a_folder_of_another_user_is_refused() -> None:
    """As `evaluate` is, where root types a command on a server."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "mine").touch()
        (folder / "closed").mkdir(mode=0o700)
        os.seteuid(65534)
        try:
            for path in (folder / "mine", folder / "new", folder / "closed" / "new"):
                with pytest.raises(click.UsageError, match="the user 65534 may not write there"):
                    check_writable(path)
            check_writable(None, Path("-"), Path("/dev/null"))
        finally:
            os.seteuid(0)


def watch(folder: Path) -> subprocess.Popen[str]:
    argv = program(folder / "state", "try", "mine", "--challenge", "cinc2017", "--watch", "--runner", "plain")
    return subprocess.Popen(argv, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.slow
def test_a_watch_judges_every_change_and_ends_with_the_code_of_the_last_try(tmp_path: Path) -> None:
    write_entry(tmp_path / "mine", load_challenge("cinc2017"), "c")
    with watch(tmp_path) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("verdict: OK")
        (tmp_path / "mine" / "next.sh").write_text("sleep x\n")
        assert process.stdout.readline().startswith("verdict: RUNTIME_ERROR")
        process.send_signal(signal.SIGINT)
        _, printed = process.communicate(timeout=600)
    assert process.returncode == 1
    assert printed.splitlines()[0] == NOTICE and "sleep: invalid time interval" in printed


def test_a_watch_that_sigterm_ends_says_what_was_judged(tmp_path: Path) -> None:
    write_entry(tmp_path / "mine", load_challenge("cinc2017"), "python")
    (tmp_path / "mine" / "next.sh").write_text("exit 3\n")
    with watch(tmp_path) as process:
        assert process.stdout is not None and process.stdout.readline().startswith("verdict: RUNTIME_ERROR")
        process.send_signal(signal.SIGTERM)
        _, printed = process.communicate(timeout=600)
    assert process.returncode == 143
    assert printed.splitlines()[-1] == "Terminated; 1 try was judged: RUNTIME_ERROR"
