"""A short run of the fuzzer over every parser, the same every time; the long one is by hand."""

from __future__ import annotations

from random import Random

import pytest

from tests.fuzz.parsers import PARSERS, Parser
from tests.fuzz.replies import REPLIES
from tests.support.walled_in import WALLED_IN

pytestmark = pytest.mark.slow


def changed(parser: Parser, count: int) -> set[bytes]:
    """So many different inputs, after which the parser was as it must be."""
    chance = Random(1)
    tried: set[bytes] = set()
    while len(tried) < count:
        data = parser.change(chance, parser.seeds, parser.mend)
        if data not in tried:
            parser.attempt(data)
            tried.add(data)
    return tried


@pytest.mark.parametrize("name", PARSERS)
def test_changed_examples_end_in_a_result_or_a_documented_error(name: str) -> None:
    changed(PARSERS[name], 60)


@pytest.mark.parametrize("name", PARSERS)
def test_examples_themselves_are_valid(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    for data in PARSERS[name].seeds:
        PARSERS[name].run(data, tmp_path_factory.mktemp("seed"))


@pytest.mark.parametrize("name", REPLIES)
def test_changed_reply_is_a_value_or_refused(name: str) -> None:
    tried = changed(REPLIES[name], 400)
    assert any(not REPLIES[name].over(data) for data in tried), "none went beyond the reading of a reply"


@pytest.mark.parametrize("function", WALLED_IN, ids=lambda f: f.__qualname__)
def test_replies_of_no_reader_are_forgotten(function: object) -> None:
    assert any(function in parser.of for parser in REPLIES.values()), "add its replies to tests/fuzz/replies.py"
