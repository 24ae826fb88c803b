"""A short run of the fuzzer over every parser, the same every time; the long one is by hand."""

from __future__ import annotations

import pytest

from tests.fuzz.__main__ import attempt, fuzz
from tests.fuzz.parsers import PARSERS, Parser


@pytest.mark.parametrize("name", PARSERS)
def test_changed_examples_end_in_a_result_or_a_documented_error(name: str) -> None:
    assert fuzz(name, seconds=0, first_seed=1, examples=60) > 0


@pytest.mark.parametrize("name", PARSERS)
def test_examples_themselves_are_valid(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    for data in PARSERS[name].seeds():
        PARSERS[name].run(data, tmp_path_factory.mktemp("seed"))


def test_fuzzer_sees_what_must_not_be() -> None:
    def breaks(data: bytes, _: object) -> None:
        if b"N" not in data:
            raise KeyError("N")

    with pytest.raises(KeyError):
        attempt(Parser(seeds=lambda: [b"N"], run=breaks), b"x")
