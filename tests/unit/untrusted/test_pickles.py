"""The scikit-learn of a pickled model is found without unpickling it."""

from __future__ import annotations

import gzip
import io
import pickle
import zlib

import pytest

from evaluate.untrusted.archives import sklearn_version

STATE = {"leads": ("I", "II"), "weights": b"\0" * 3_000_000, "_sklearn_version": "0.23.2", "n": 7}


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("packed", [bytes, zlib.compress, gzip.compress])
def test_version_is_found_in_every_protocol_and_compression(protocol: int, packed: type[bytes]) -> None:
    assert sklearn_version(io.BytesIO(packed(pickle.dumps(STATE, protocol)))) == "0.23.2"


@pytest.mark.parametrize(
    "data",
    [b"", b"x" * 5_000_000, b"\x78\x9cno", gzip.compress(b"_sklearn_version", mtime=0)[:-9]],
    ids=["empty", "text", "no zlib", "cut gzip"],  # the same in every process that collects them
)
def test_file_without_a_version_has_none(data: bytes) -> None:
    assert sklearn_version(io.BytesIO(data)) == ""
