"""A model beside an image of grand-challenge, in a real machine."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from evaluate.config.challenge.load import read_challenge
from evaluate.config.challenge.types import Challenge
from evaluate.core.model import Evaluation, Verdict
from evaluate.home.trial import Trial, TryOptions, try_entry
from evaluate.stages.job import NullMonitor
from tests.functional.test_grand_challenge import METRIC
from tests.support.oci_from_debian import python_image
from tests.support.oci_images import layer, with_file

pytestmark = [pytest.mark.vm, pytest.mark.slow]
RECORDS = ("r1", "r2")
OF_GRAND_CHALLENGE = """
import json
from pathlib import Path
files = sorted(one.name for one in Path("/input/images/ct").iterdir())
weights = Path("/opt/ml/model/net/weights.txt")
found = {"files": files, "weights": weights.read_text(), "own": Path("/opt/ml/model/own.txt").exists()}
Path("/output/found.json").write_text(json.dumps(found))
try:
    weights.write_text("changed")
except OSError:
    pass
"""


def challenge(folder: Path, contract: str, files: Mapping[str, bytes], **changes: Any) -> Challenge:
    for name, data in {**files, "RECORDS": "\n".join(RECORDS).encode()}.items():
        (folder / "data" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "data" / name).write_bytes(data)
    (folder / "own.py").write_text(METRIC)
    limits = {"instructions_per_record": 1e10, "wall_seconds_per_record": 120}
    rules = {
        "title": "one start",
        "contract": contract,
        "kind": "image",
        "image": "bookworm",
        "metric": "own.py",
        "inputs": ["{record}.txt"],
        "data": {"quiz": {"folder": "data"}, "exam": {"folder": "data", "references": "data"}},
        "limits": dict.fromkeys(("quiz", "exam"), limits),
        **changes,
    }
    (folder / "challenge.yaml").write_text(yaml.safe_dump({key: one for key, one in rules.items() if one is not None}))
    found, problems = read_challenge(folder)
    assert problems == [] and found is not None
    return found


def answered(entry: Path, rules: Challenge, state: Path, kept: Path) -> Evaluation:
    found = try_entry(Trial(entry, rules, state, NullMonitor(), "tcg"), TryOptions(keep=kept))
    assert found.verdict is Verdict.OK, found.stages[-1].message + found.stages[-1].diagnostics
    return found


def test_model_beside_an_image_is_in_its_place_for_every_record_of_dicom_files(
    state: Path, hypervisor: object, tmp_path: Path
) -> None:
    folder = tmp_path / "challenge"
    ct = {"slug": "ct", "relative_path": "images/ct", "super_kind": "Image", "kind": "DICOM Image Set"}
    found = {"slug": "found", "relative_path": "found.json", "super_kind": "Value"}
    folder.mkdir()
    (folder / "sockets.json").write_text(json.dumps({"inputs": [ct], "outputs": [found]}))
    names = {record: [f"{i}.dcm" for i in range(n)] for n, record in enumerate(RECORDS, 2)}
    files = {f"{record}/images/ct/{name}": bytes(128) + b"DICM" for record in RECORDS for name in names[record]}
    rules = challenge(folder, "grand-challenge", files, sockets="sockets.json", inputs=None)
    model = gzip.compress(layer(("net", None), ("net/weights.txt", b"12"), mode=0o600))
    image = python_image(tmp_path / "model.tar", OF_GRAND_CHALLENGE.encode(), tmp_path / "packages")
    done = answered(with_file(image, "model.tar.gz", model), rules, state, tmp_path)
    assert "model.tar.gz, sha256:" in done.stages[0].message
    texts = [json.loads((tmp_path / "answers" / one / "found.json").read_text()) for one in RECORDS]
    assert texts == [{"files": names[record], "weights": "12", "own": False} for record in RECORDS]
