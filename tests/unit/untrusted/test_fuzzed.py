"""A short run of the fuzzer over every parser, the same every time; the long one is by hand."""

from __future__ import annotations

import pytest

from tests.fuzz.__main__ import fuzz
from tests.fuzz.parsers import PARSERS
from tests.fuzz.replies import REPLIES
from tests.support.walled_in import WALLED_IN

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", PARSERS)
def test_changed_examples_end_in_a_result_or_a_documented_error(name: str) -> None:
    tried: list[bytes] = []
    fuzz(PARSERS[name], seconds=0, first_seed=1, least=60, begin=tried.append)
    assert len(tried) == 60


@pytest.mark.parametrize("name", PARSERS)
def test_examples_themselves_are_valid(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    for data in PARSERS[name].seeds():
        PARSERS[name].run(data, tmp_path_factory.mktemp("seed"))


@pytest.mark.parametrize("name", REPLIES)
def test_changed_reply_is_a_value_or_refused(name: str) -> None:
    tried: list[bytes] = []
    fuzz(REPLIES[name], seconds=0, first_seed=1, least=400, begin=tried.append)
    assert len(tried) == 400
    assert any(not REPLIES[name].over(data) for data in tried[1:]), "none went beyond the reading of a reply"


@pytest.mark.parametrize("function", WALLED_IN, ids=lambda f: f.__qualname__)
def test_replies_of_no_reader_are_forgotten(function: object) -> None:
    assert any(function in parser.of for parser in REPLIES.values()), "add its replies to tests/fuzz/replies.py"
