"""The program that starts a server and invokes it, with servers that do as they should and others."""

import subprocess
import sys
from pathlib import Path

import pytest

from evaluate.images.initrd import program
from tests.support.servers import WALLS

SERVER = """
import os, socket, sys, time
listener = socket.create_server(("127.0.0.1", 4743))
asked = 0
while True:
    one, _ = listener.accept()
    head = b""
    while b"\\r\\n\\r\\n" not in head:
        head += one.recv(4096)
    path = head.split()[1].decode()
    asked += 1
    try:
        {answer}
    except OSError:
        pass
    one.close()
"""
OK, CREATED = (
    f"one.sendall(b'HTTP/1.1 {status}\\r\\nContent-Length: 0\\r\\n\\r\\n')" for status in ("200 OK", "201 Created")
)
NOT_YET = OK.replace("200 OK", "503 Not yet")


@pytest.fixture(scope="module")
def invoke(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return program("invoke.c", tmp_path_factory.mktemp("invoke"))


def healthy_then(answer: str) -> str:
    return f"{OK} if path == '/health' else {answer}"


def run(invoke: Path, answer: str, *, seconds: int = 60, source: str = SERVER) -> subprocess.CompletedProcess[str]:
    server = (sys.executable, "-I", "-S", "-c", source.format(answer=answer))
    words = [*WALLS, str(invoke), "once", str(seconds), *server]
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=300)


def last_line(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 1, done
    return done.stderr.splitlines()[-1]


def test_time_in_which_the_server_waits_for_a_disk_is_not_counted(invoke: Path, tmp_path: Path) -> None:
    """A clock that follows the instructions leaps while all wait for the host's disk."""
    source = tmp_path / "server.c"
    # who has called vfork waits in the same state as for a disk
    source.write_text("#include <unistd.h>\nint main() { if (vfork() == 0) { sleep(4); _exit(0); } return 5; }")
    subprocess.run(["gcc", "-o", tmp_path / "server", source], check=True)
    words = [*WALLS, str(invoke), "once", "3", str(tmp_path / "server")]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=300)
    assert last_line(done) == "the server ended with exit code 5 before it was healthy"


def test_server_is_asked_for_its_health_until_it_is_200_and_then_invoked_once(invoke: Path) -> None:
    healthy = f"{OK} if asked > 3 else {NOT_YET}"
    done = run(invoke, f"print(path, flush=True); {CREATED} if path == '/invoke' else {healthy}")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == ["/health"] * 4 + ["/invoke"]


@pytest.mark.parametrize(
    "answer",
    [
        "one.sendall(b'HTTP/1.1 201 Created\\r\\n\\r\\n')",  # the end of the connection is the end of the answer
        "one.sendall(b'HTTP/1.0 201 Created\\r\\nContent-Length: 100000\\r\\n\\r\\n' + bytes(100000))",
        "one.sendall(b'HTTP/1.1 100 Continue\\r\\n\\r\\nHTTP/1.1 201 Created\\r\\ncontent-length:0\\r\\n\\r\\n')",
        "one.sendall(b'HTTP/1.1 201 Created\\r\\nX: ' + b'x' * 60000 + b'\\r\\nContent-Length: 2\\r\\n\\r\\n{{}}')",
        "one.sendall(b'HTTP/1.1 201 Created\\r\\n\\r\\n' + bytes(200 << 20))",  # a huge body is read and thrown away
        "(one.sendall(b'HTTP/1.1 201 Created\\r\\nContent-Length: 3\\r\\n\\r\\n123'), time.sleep(3600))",
    ],
)
def test_status_201_is_what_counts(invoke: Path, answer: str) -> None:
    done = run(invoke, healthy_then(answer))
    assert (done.returncode, done.stderr) == (0, "")


def reply(text: str) -> str:
    return f"one.sendall(b'{text}')"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (OK, "answered with 200"),
        (CREATED.replace("201 Created", "500 Broken"), "answered with 500"),
        (reply("nonsense\\r\\n\\r\\n"), "answered by something that is not HTTP"),
        (reply("HTTP/1.1 abc\\r\\n\\r\\n"), "answered by something that is not HTTP"),
        ("None", "not answered at all"),
        (reply("HTTP/1.1 201 Created\\r\\nContent-Length: 9\\r\\n\\r\\n123"), "answered by less than it announced"),
        (
            "[one.sendall(b'X: y\\r\\n' if n else b'HTTP/1.1 201 Created\\r\\n') for n in range(1 << 20)]",
            "answered with more than 64 KiB of headers",
        ),
        ("sys.exit(3)", "the server ended with exit code 3 while it was invoked"),
        ("os.kill(os.getpid(), 11)", "the server was ended by signal 11 while it was invoked"),
    ],
)
def test_anything_else_is_a_failure_that_is_named(invoke: Path, answer: str, reason: str) -> None:
    line = last_line(run(invoke, healthy_then(answer)))
    assert line == (reason if reason.startswith("the server") else f"POST /invoke was {reason}; expected 201")


REDIRECTS = "one.sendall(b'HTTP/1.1 307 There\\r\\nLocation: http://127.0.0.1:4743/other\\r\\n\\r\\n')"
NEVER = "GET /health on port 4743: expected 200 within 2 s; the last time it was"
ENDED = "before it was healthy"


@pytest.mark.parametrize(
    ("answer", "source", "reason"),
    [
        (REDIRECTS, SERVER, "GET /health was answered with 307: expected 200, not a redirect"),
        (NOT_YET, SERVER, f"{NEVER} answered with 503"),
        ("time.sleep(3600)", SERVER, f"{NEVER} not answered in time"),
        ("[one.sendall(b'x') for _ in iter(int, 1)]", SERVER, f"{NEVER} answered by something that is not HTTP"),
        ("", "import sys; sys.exit(4)", f"the server ended with exit code 4 {ENDED}"),
        ("", "", f"the server ended with exit code 0 {ENDED}"),  # even if it went on in the background
        ("", "import os; os.abort()", f"the server was ended by signal 6 {ENDED}"),
    ],
)
def test_server_that_is_never_healthy_or_ends_while_it_is_loaded_is_given_up(
    invoke: Path, answer: str, source: str, reason: str
) -> None:
    assert last_line(run(invoke, answer, seconds=2 if reason.startswith(NEVER) else 60, source=source)) == reason


def test_program_that_does_not_exist_is_named(invoke: Path) -> None:
    done = subprocess.run([*WALLS, invoke, "once", "60", "/no/such"], capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[0] == "/no/such: No such file or directory"
    assert last_line(done).startswith("the server could not be started")
