"""The commands of docs/kvm-day.md and docs/gpu-day.md are ones that this version understands.

No machine here has KVM, or a GPU, to run them with.
"""

import shlex
import subprocess
from pathlib import Path

import click
import pytest

from evaluate.commands.main import main
from evaluate.config.challenge.cache import load_challenge
from tests.benchmarks import sandbox
from tests.conftest import CHECKOUT
from tests.support.commands import printed
from tests.support.documents import blocks

FILES = {"kvm-day": 8, "gpu-day": 6}
"""Page -> how many files, or folders with files, its commands write for us."""
LINES = {
    page: [line for block in blocks(CHECKOUT / f"docs/{page}.md") if block.language == "sh" for line in block.commands]
    for page in FILES
}
OF_DEBIAN = ("mkdir", "lscpu", "systemd-detect-virt", "lspci", "cat", "find", "echo")


@pytest.mark.parametrize("line", sorted({line for lines in LINES.values() for line in lines}))
def test_command_is_understood(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(CHECKOUT)
    words = shlex.split(line.partition(" > ")[0].replace("gpu-toy/", "challenges/cinc2017/"))
    if words[0] == "evaluate":
        command: click.Command | None = main
        rest, context = words[1:], click.Context(main)
        while isinstance(command, click.Group):
            command = command.get_command(context, rest.pop(0))
        assert command is not None
        command.make_context(command.name, rest)
    elif words[:3] == ["python", "-m", "pytest"]:
        assert all((CHECKOUT / word).is_file() for word in words[3:] if not word.startswith("-"))
    elif words[0] == "python":
        assert words[:3] == ["python", "-m", sandbox.__name__]
        assert sandbox.arguments().parse_args(words[3:]).accelerator == "kvm"
    else:
        assert words[0] in OF_DEBIAN


@pytest.mark.parametrize(("page", "files"), FILES.items())
def test_every_file_that_is_written_is_in_the_folder_that_is_sent(page: str, files: int) -> None:
    ends = (" > ", "--json ", "--report ")
    written = [line.rpartition(end)[2].split()[0] for line in LINES[page] for end in ends if end in line]
    assert len(written) == files
    assert all(name == page or name.startswith(f"{page}/") for name in written)


def test_challenge_of_the_page_needs_a_gpu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (made, added) = (line for line in LINES["gpu-day"] if line.startswith(("evaluate challenge new", "echo")))
    printed(None, *shlex.split(made)[1:])
    subprocess.run(added, shell=True, check=True)
    assert load_challenge("gpu-toy").gpus == 1
