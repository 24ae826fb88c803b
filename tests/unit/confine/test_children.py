"""Child processes with bounds."""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from evaluate.confine import children as bounded
from evaluate.confine.children import piped, require, tool
from evaluate.core.errors import ImageFault

ENVIRONMENT = {"PATH": os.environ["PATH"]}


def run(
    code: str, folder: Path, *, seconds: float = 60, most_bytes: int = 1 << 20, watched: Path | None = None
) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-I", "-c", code]
    return bounded.run(argv, env=ENVIRONMENT, cwd=folder, seconds=seconds, most_bytes=most_bytes, folder=watched)


def test_what_a_child_says_and_how_it_ends_are_kept(tmp_path: Path) -> None:
    code = "import sys; print('out'); sys.stderr.buffer.write(b'\\xff'); sys.exit(3)"
    done = run(code, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (3, "out\n", "\udcff")


def test_child_that_writes_too_many_files_is_killed_with_its_own_children(tmp_path: Path) -> None:
    code = (
        "import os, time\n"
        "if child := os.fork():\n"
        "    open('child', 'w').write(str(child))\n"
        "    for n in range(9): open(str(n), 'wb').write(bytes(1 << 18))\n"
        "time.sleep(600)\n"
    )
    with pytest.raises(bounded.Exceeded, match="needs more than 1 MiB"):
        run(code, tmp_path, watched=tmp_path)
    with suppress(psutil.NoSuchProcess):  # it was sent the signal, and dies when it is its turn
        psutil.Process(int((tmp_path / "child").read_text())).wait(60)


def test_tool_that_fails_is_quoted_and_its_purpose_named() -> None:
    assert tool(["sh", "-c", "echo out; echo said >&2"], doing="asking") == b"out\n"
    with pytest.raises(ImageFault, match=r"^packing it: sh ended with exit status 3\n  said$"):
        tool(["sh", "-c", "echo said >&2; exit 3"], doing="packing it", fault=ImageFault)
    with pytest.raises(ImageFault, match="packing it: sleep did not end within 0 s"):
        tool(["sleep", "600"], doing="packing it", fault=ImageFault, seconds=0.1)


def test_missing_program_comes_with_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(ImageFault, match=r"packing: tar2sqfs is not installed; .*apt-get install squashfs-tools-ng$"):
        tool(["tar2sqfs"], doing="packing", fault=ImageFault)
    with pytest.raises(ImageFault, match=r"not found on this machine: gpgv, xorriso; .*apt-get install gpgv xorriso$"):
        require(["xorriso", "gpgv"], ImageFault)


def test_tool_that_is_written_to_writes_elsewhere_and_its_failure_is_seen(tmp_path: Path) -> None:
    with (
        (tmp_path / "out").open("wb") as out,
        piped(["sh", "-c", 'cat; echo "$WHO"'], doing="packing", stdout=out, env={"WHO": "me"}) as stream,
    ):
        stream.write(b"text ")
    assert (tmp_path / "out").read_bytes() == b"text me\n"
    for script, seconds, found in (
        ("echo full >&2; exit 7", 60, "ended with exit status 7\n  full"),
        ("cat >/dev/null; exec sleep 600", 0.1, "did not end within 0 s"),
    ):
        with (
            pytest.raises(ImageFault, match=f"packing: sh {found}"),
            piped(["sh", "-c", script], doing="packing", fault=ImageFault, seconds=seconds) as stream,
        ):
            stream.write(b"x" * (1 << 20))
    with pytest.raises(KeyError), piped(["sleep", "600"], doing="packing"):
        raise KeyError
