"""Output of a program as its team sees it."""

from __future__ import annotations

import random

from evaluate.core.model import Run, Usage, Verdict
from evaluate.stages.kinds.entry_kind import diagnostics


def run(stdout: bytes, printed: int = 0) -> Run:
    usage = Usage(output_bytes=printed or len(stdout))
    return Run(verdict=Verdict.OUTPUT_LIMIT, usage=usage, stdout=stdout)


def test_binary_output_is_shown_in_twenty_escaped_lines_with_its_size() -> None:
    data = random.Random(1).randbytes(64 << 10)
    lines = diagnostics(run(data, printed=16 << 20)).splitlines()
    assert lines[0] == "standard output: not text; 16,777,216 bytes were printed in all, which begin with"
    assert len(lines) == 21
    assert all(line.isascii() and line.isprintable() for line in lines)


def test_text_in_any_language_and_with_a_progress_bar_is_shown_as_it_is() -> None:
    for text in ("Größe: 12 µV\n心房颤动\n", "10 %\r20 %\r30 %\x1b[0m"):
        assert diagnostics(run(text.encode())) == f"standard output:\n{text.strip()}"


def test_text_with_one_damaged_character_is_still_text() -> None:
    assert diagnostics(run(b"temperature 20 \xb0C in the laboratory")).startswith("standard output:\ntemperature")
