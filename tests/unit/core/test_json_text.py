"""JSON that others wrote, with more brackets than Python reads: refused as what it is by each that reads some."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from evaluate.config.challenge.sockets import read_sockets
from evaluate.core.errors import EvaluateError
from evaluate.core.sanitize import parsed
from evaluate.receipts.keys import public_keys
from evaluate.remote import SiteResponse
from evaluate.views.board_verification import _openings

DEEP = b"[" * 100_000


def test_brackets_without_end_are_no_json() -> None:
    for text in (DEEP, DEEP.decode(), b'{"a":' * 100_000, b"{", b"\xff"):
        with pytest.raises(ValueError, match=r"."):
            parsed(text)
    assert parsed(b'{"a": [1]}') == {"a": [1]}


@pytest.mark.parametrize(
    "read",
    [
        lambda folder: public_keys(DEEP, "public.json"),
        lambda folder: SiteResponse(200, {}, DEEP).json,
        lambda folder: read_sockets(folder / "index.json"),
        lambda folder: _openings(folder / "index.json"),
    ],
    ids=["keys", "site", "sockets", "openings"],
)
def test_reader_of_files_of_others_refuses_them(read: Callable[[Path], object], tmp_path: Path) -> None:
    (tmp_path / "index.json").write_bytes(DEEP)
    with pytest.raises(EvaluateError):
        read(tmp_path)
