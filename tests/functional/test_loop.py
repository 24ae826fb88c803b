"""A participant's day in real machines: first entries, tries after changes, a shell.

Languages whose packages take minutes to install are for ``python -m tests.starters``.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from evaluate.authoring.skeleton import write_entry
from evaluate.config.challenge.cache import load_challenge
from evaluate.core.model import Evaluation, Verdict
from evaluate.home.profile import profile
from evaluate.home.shell import Terminal, open_shell
from evaluate.home.trial import Trial, TryOptions
from evaluate.home.watch import Session
from evaluate.sandbox.libvirt import LibvirtHypervisor
from evaluate.sandbox.persistent_guest import KeptHypervisor
from evaluate.stages.job import Lines, NullMonitor

CHALLENGE = load_challenge("cinc2017")
SHORT = CHALLENGE.with_records(exam=replace(CHALLENGE.exam, records=CHALLENGE.exam.records[:2]))
pytestmark = [pytest.mark.vm, pytest.mark.slow]


@pytest.fixture(scope="module")
def kept(hypervisor: LibvirtHypervisor, tmp_path_factory: pytest.TempPathFactory) -> Iterator[KeptHypervisor]:
    """One guest for every try of this module."""
    with closing(KeptHypervisor(hypervisor, tmp_path_factory.mktemp("gathered"), 0)) as found:
        yield found


def one_more(entry: Path, state: Path, kept: KeptHypervisor, said: list[str]) -> Evaluation:
    return Session(entry, SHORT, state, kept).once(Lines(said.append), TryOptions(quiz_records=3))


def test_new_entry_passes_and_a_change_runs_what_it_affects(state: Path, kept: KeptHypervisor, tmp_path: Path) -> None:
    entry, said = tmp_path / "mine", list[str]()
    write_entry(entry, CHALLENGE, "c")
    first = one_more(entry, state, kept, said)
    assert first.verdict is Verdict.OK, first.stages[-1].message + first.stages[-1].diagnostics
    answers = entry / "answers.txt"
    answers.write_text(answers.read_text().replace("S00001,N", "S00001,A").replace("S00003,A", "S00003,N"))
    found = one_more(entry, state, kept, said)
    assert kept.ran == 0
    assert "2 of 3 answers differ" in found.stages[1].message
    program = entry / "classify.c"
    program.write_text(program.read_text().replace("'A' : 'N'", "'N' : 'A'"))
    found = one_more(entry, state, kept, said)
    assert kept.remembered == 0
    assert [outcome.answer for outcome in found.stages[1].records] == ["A", "A", "N"]
    assert not (found.stages[0].diagnostics or found.stages[1].diagnostics)


def test_new_entry_in_another_language_passes_in_the_same_machine(
    state: Path, kept: KeptHypervisor, tmp_path: Path
) -> None:
    write_entry(tmp_path / "mine", CHALLENGE, "python")
    found = one_more(tmp_path / "mine", state, kept, [])
    assert found.verdict is Verdict.OK, found.stages[-1].message + found.stages[-1].diagnostics


def test_shell_has_the_record_and_the_rights_of_its_command(state: Path, hypervisor: object, tmp_path: Path) -> None:
    write_entry(tmp_path / "mine", CHALLENGE, "python")
    typed, write_typed = os.pipe()
    read_shown, shown = os.pipe()
    os.write(write_typed, b"id -un\nls S00002.mat S00003.mat\nbash next.sh S00002\ncat answers.txt\ntouch /etc/x\n")
    os.close(write_typed)
    found: list[bytes] = []

    def read() -> None:
        while data := os.read(read_shown, 1 << 16):
            found.append(data)

    reader = threading.Thread(target=read)
    reader.start()
    terminal = Terminal(read=typed, write=shown)
    run = open_shell(Trial(tmp_path / "mine", CHALLENGE, state, NullMonitor(), "tcg"), "S00002", terminal=terminal)
    os.close(shown)
    reader.join()
    said = b"".join(found).decode()
    assert said.startswith("The command is: /bin/bash next.sh S00002\nchallenge\n"), said
    assert "\nS00002.mat\n" in said
    assert "cannot access 'S00003.mat'" in said
    assert "S00002,N\n" in said
    assert "/etc/x" in said and run.verdict is not Verdict.WALL_LIMIT


def test_profile_names_the_functions_of_a_program(state: Path, hypervisor: object, tmp_path: Path) -> None:
    write_entry(tmp_path / "mine", CHALLENGE, "c")
    program = tmp_path / "mine" / "classify.c"
    text = program.read_text()
    slow = "static volatile long sink;\n__attribute__((noinline)) void much_work(void)\n{\n"
    slow += "    for (long i = 0; i < 30000000; i++)\n        sink += i;\n}\n\nint main"
    program.write_text(text.replace("int main", slow).replace("    printf(", "    much_work();\n    printf("))
    found = profile(Trial(tmp_path / "mine", CHALLENGE, state, NullMonitor()))
    first = found.functions[0]
    # small functions share 64 bytes of code
    assert "much_work" in first.name and first.file == "/home/challenge/classify", found
    assert first.instructions > 0.8 * found.instructions > 3e7


def test_profile_names_the_lines_of_a_program_in_python(state: Path, hypervisor: object, tmp_path: Path) -> None:
    write_entry(tmp_path / "mine", CHALLENGE, "python")
    program = tmp_path / "mine" / "classify.py"
    slow = "def much_work():\n    total = 0\n    for i in range(3_000_000):\n        total += i * i\n\n\nmuch_work()\n"
    program.write_text(program.read_text() + slow)
    script = tmp_path / "mine" / "next.sh"  # a shell that computes: the profile looks every few milliseconds
    script.write_text(script.read_text().replace("\n", "\nfor ((i = 0; i < 100000; i++)); do :; done\n", 1))
    found = profile(Trial(tmp_path / "mine", CHALLENGE, state, NullMonitor()))
    work = sum(count for line, count in found.lines if line.startswith("classify.py:") and "much_work" in line)
    assert work > 0.4 * found.instructions, found
    assert any(one.program.endswith("/bash") for one in found.functions)
