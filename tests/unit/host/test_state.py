"""Which state directory a command uses, as whom, and what it says to somebody who may not."""

import os
import pwd
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluate.core.errors import UsageError
from evaluate.host import state as states
from evaluate.host.state import default_state
from tests.support.passable import AS_ANOTHER_USER

AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root can act as another user")
OWNER = pwd.getpwnam("nobody")


@pytest.fixture
def server() -> Iterator[Path]:
    """A state directory that belongs to another user, where everybody can pass."""
    folder = Path(tempfile.mkdtemp(prefix="evaluate-server-", dir="/var/tmp"))
    folder.chmod(0o755)
    state = folder / "state"
    state.mkdir(mode=0o710)
    os.chown(state, OWNER.pw_uid, OWNER.pw_gid)
    yield state
    shutil.rmtree(folder)


_MAIN = """
from evaluate.commands.main import main
main()
"""


def evaluate(
    *words: str, changes: str = "", user: int | None = None, python: str | Path = sys.executable, **variables: str
) -> subprocess.CompletedProcess[str]:
    """The program in a process of its own, with some changes."""
    argv, env = [python, "-P", "-c", changes + _MAIN, *words], {**os.environ, **variables}
    return subprocess.run(
        argv, capture_output=True, text=True, check=False, env=env, user=user, extra_groups=[], cwd="/"
    )


def test_state_directory_of_a_server_is_found_by_whoever_asks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EVALUATE_STATE", raising=False)
    monkeypatch.setattr(states, "INSTALLED", tmp_path / "installed")
    assert default_state() != tmp_path / "state"
    (tmp_path / "installed").symlink_to(tmp_path / "state")
    for user in (0, 1234):
        monkeypatch.setattr("os.geteuid", lambda user=user: user)
        assert default_state() == tmp_path / "state"
    monkeypatch.setenv("EVALUATE_STATE", "/elsewhere")
    assert default_state() == Path("/elsewhere")


@AS_ANOTHER_USER
def test_root_goes_on_as_the_owner_so_that_the_services_can_read_what_it_writes(server: Path) -> None:
    done = evaluate("--state", str(server), "team", "add", "alpha")
    assert done.returncode == 0, done.stderr
    done = evaluate("--state", str(server), "status", "x" * 300)  # longer than the name of a file
    assert (done.returncode, "no entry" in done.stderr) == (2, True), done.stderr
    found = list(server.rglob("*"))
    assert found and {path.stat().st_uid for path in found} == {OWNER.pw_uid}


@AS_ANOTHER_USER
def test_root_repairs_the_machine_and_leaves_nothing_in_the_folder_of_the_services(server: Path) -> None:
    done = evaluate("--state", str(server), "doctor", "--fix", "--all", changes=_REPAIRS)
    assert "the daemon is an ordinary user" in done.stdout, done.stderr
    assert {path.stat().st_uid for path in server.rglob("*")} <= {OWNER.pw_uid}


@AS_ANOTHER_USER
def test_owner_with_a_home_of_the_caller_uses_its_own(server: Path) -> None:
    """As `runuser -u` leaves it."""
    done = evaluate("--state", str(server), "status", user=OWNER.pw_uid, HOME="/root")
    assert done.returncode == 0, done.stderr


@AS_ROOT
def test_file_or_program_that_the_owner_cannot_read_is_named_with_what_to_do(server: Path) -> None:
    closed = server.parent / "closed"
    closed.mkdir(mode=0o700)
    done = evaluate("--state", str(server), "submit", str(closed), "--challenge", "kits19", "--team", "alpha")
    assert done.returncode == 2
    assert f"{closed} is closed to the user nobody, as whom evaluate runs on this server" in done.stderr
    (closed / "python").symlink_to(sys.executable)  # as a checkout in root's own home
    done = evaluate("--state", str(server), "status", python=closed / "python", PYTHONPATH=os.pathsep.join(sys.path))
    assert done.returncode == 2
    assert f"{closed}/python, a part of this program, is closed to the user nobody" in done.stderr
    assert f"state directory {server} belongs: type the 'evaluate' that is installed" in done.stderr
    assert "--state, or EVALUATE_STATE" in done.stderr


@AS_ANOTHER_USER
def test_another_user_is_told_what_to_type(server: Path) -> None:
    for done in (
        evaluate("--state", str(server), "status", user=1234),
        evaluate("status", user=1234, EVALUATE_STATE=str(server)),
    ):
        assert done.returncode == 2
        assert "it belongs to the user nobody: type 'sudo evaluate" in done.stderr and "EVALUATE_STATE" in done.stderr


@AS_ANOTHER_USER
@pytest.mark.parametrize("user", [OWNER.pw_uid, 64321])
def test_what_a_trial_by_root_left_is_named_with_the_command_that_gives_it(server: Path, user: int) -> None:
    os.chown(server, user, -1)  # the second has no name, as in many containers
    (server / "runs").mkdir(mode=0o711)
    (server / "runs" / "lock").touch(0o600)
    done = evaluate("--state", str(server), "status", user=user)
    assert done.returncode == 2
    assert "runs in it is not writable for this user, as after a trial by root" in done.stderr
    assert f"'chown -R {user}:" in done.stderr and f" {server}'" in done.stderr


@AS_ROOT
def test_root_serves_no_folder_of_its_own_where_the_services_have_a_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVALUATE_AS_ROOT", "")
    monkeypatch.setattr(states, "SERVICE_USER", "no-such-user")
    states.refuse_root(tmp_path)  # a container, where there is nobody else
    with pytest.raises(UsageError, match=f"&& chown -R no-such-user: {tmp_path}; for a trial as root") as refused:
        states.refuse_root(tmp_path, public=True)
    assert f": useradd --system --user-group --home-dir {tmp_path} " in str(refused.value)
    monkeypatch.setattr(states, "SERVICE_USER", OWNER.pw_name)
    command = f"chown -R nobody: {tmp_path}; for a trial as root, set EVALUATE_AS_ROOT=1"
    with pytest.raises(UsageError, match=f"would be root, .*: {re.escape(command)}$"):
        states.refuse_root(tmp_path)
    monkeypatch.setenv("EVALUATE_AS_ROOT", "1")
    states.refuse_root(tmp_path)


_AS_ROOT = """
from evaluate.host import state
state.SERVICE_USER = "no-such-user"
"""
_REPAIRS = """
import os
from evaluate.host import doctor
doctor.repair, doctor.diagnose = lambda _say: None, lambda state: [doctor.daemon_check(state)]
os.execve = lambda *_: None  # it goes on as the owner in this process
"""
_BECOMES = """
from evaluate.confine import root_helper, scratch
scratch.has_loops = lambda: True
root_helper.start = lambda uid, gid: print("helper", uid, gid, flush=True)
"""


@AS_ROOT
@pytest.mark.parametrize(
    ("words", "address", "refused"),
    [
        (("daemon",), "https://challenge.example.org", True),
        (("daemon", "--once"), "http://localhost:8000", False),
        (("serve", "--host", "0.0.0.0", "--port", "0"), "http://127.0.0.1:8000", True),
    ],
)
def test_daemon_and_site_of_root_serve_no_strangers(
    words: tuple[str, ...], address: str, refused: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = tmp_path / "state"
    state.mkdir()
    (state / "evaluate.yaml").write_text(f"web: {{address: '{address}'}}\n")
    monkeypatch.setenv("EVALUATE_AS_ROOT", "")
    done = evaluate("--state", str(state), *words, changes=_AS_ROOT)
    assert done.returncode == (2 if refused else 0), done.stderr
    assert f"chown -R no-such-user: {state}" in done.stderr  # the reason, or a line of the daemon's log


@AS_ANOTHER_USER
def test_root_leaves_a_helper_behind_when_a_service_becomes_its_user(server: Path) -> None:
    for words, starts in ((("daemon", "--once"), True), (("status",), False)):
        done = evaluate("--state", str(server), *words, changes=_BECOMES)
        assert done.returncode == 0, done.stderr
        assert (f"helper {OWNER.pw_uid} {OWNER.pw_gid}" in done.stdout.splitlines()) == starts
