"""A short run of the fuzzer over every parser, the same every time, and no parser of strangers' bytes is forgotten.

The long run is by hand.
"""

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from types import FunctionType
from typing import IO, get_args, get_type_hints

import pytest

from evaluate import untrusted
from evaluate.untrusted import (
    answers_disk,
    archives,
    listing,
    mirror_proxy,
    oci,
    packing,
    repository,
    selection,
    tar,
    wheel_files,
)
from tests.fuzz.parsers import PARSERS, Parser
from tests.fuzz.replies import REPLIES
from tests.support.walled_in import WALLED_IN


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


@pytest.mark.slow
@pytest.mark.parametrize("name", PARSERS)
def test_examples_are_valid_and_changed_ones_end_in_a_result_or_a_documented_error(
    name: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    for data in PARSERS[name].seeds:
        PARSERS[name].run(data, tmp_path_factory.mktemp("seed"))
    changed(PARSERS[name], 60)


@pytest.mark.slow
@pytest.mark.parametrize("name", REPLIES)
def test_changed_reply_is_a_value_or_refused(name: str) -> None:
    tried = changed(REPLIES[name], 400)
    assert any(not REPLIES[name].over(data) for data in tried), "none went beyond the reading of a reply"


@pytest.mark.parametrize("function", WALLED_IN, ids=lambda f: f.__qualname__)
def test_replies_of_no_reader_are_forgotten(function: object) -> None:
    assert any(function in parser.of for parser in REPLIES.values()), "add its replies to tests/fuzz/replies.py"


BYTES = (bytes, Path, IO[bytes], oci.OciImage)
"""Types of strangers' bytes."""
OTHERS: dict[Callable[..., object], str] = {
    archives.unpack: "calls list_archive and extract_members in bounded processes",
    archives.extract: "calls extract_members in a bounded process",
    archives.inspect: "calls list_archive in a bounded process",
    archives.looks_like_container: "calls is_container in a bounded process",
    archives.open_entry: "chooses between a file, a folder and a repository",
    archives.upload: "calculates a digest",
    answers_disk.unpack_answers: "calls read_answers_disk in a bounded process",
    answers_disk.json_values: "calls read_json_values in a bounded process",
    listing.open_members: "read_member and extract_members call it",
    tar.pieces: "extract_members and unpack_blob call it",
    tar.blaming: "reads nothing",
    tar.host_file: "reads nothing",
    **dict.fromkeys(
        (packing.suspects, packing.pack, packing.to_send, packing.to_try, selection.select, selection.content_of),
        "reads a folder of the person who packs it",
    ),
    mirror_proxy.serve_connection: "read_request reads what the guest says; the path is that of certificates",
    wheel_files.run_pip: "pip is the parser, behind walls; what it prints is read by images.wheels",
    repository.fetch_repository: "git is the parser, in a bounded process; its list is read by check_tree",
    repository.read_repository: "git is the parser, behind walls; its list is read by check_tree",
    repository.is_bundle: "compares sixteen bytes",
    repository.logged_in: "reads the organisers' token and writes settings for git",
    wheel_files.compile_site: "Python's compiler is the parser, behind walls",
}
"""Public functions with such a parameter that are not parsers, and why."""


def functions() -> Iterator[Callable[..., object]]:
    for module_info in pkgutil.iter_modules(untrusted.__path__):
        module = importlib.import_module(f"{untrusted.__name__}.{module_info.name}")
        for name, found in vars(module).items():
            function = inspect.unwrap(found) if callable(found) else found
            if isinstance(function, FunctionType) and found.__module__ == module.__name__ and not name.startswith("_"):
                yield found


def takes_bytes(function: Callable[..., object]) -> bool:
    hints = get_type_hints(inspect.unwrap(function))
    hints.pop("return", None)
    return any(kind in BYTES or any(part in BYTES for part in get_args(kind)) for kind in hints.values())


PUBLIC = [function for function in functions() if takes_bytes(function)]
FUZZED = {function for parser in PARSERS.values() for function in parser.of}


@pytest.mark.parametrize("function", PUBLIC, ids=lambda f: f"{f.__module__}.{f.__name__}")
def test_parser_is_in_the_fuzz_list(function: Callable[..., object]) -> None:
    assert function in FUZZED or function in OTHERS, (
        f"{function.__module__}.{function.__name__} takes strangers' bytes: add it to tests/fuzz/parsers.py"
    )


def test_exceptions_are_still_needed() -> None:
    assert set(OTHERS) <= set(PUBLIC)
    assert len(PUBLIC) > 15
