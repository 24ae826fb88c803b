"""Images of grand-challenge in real machines: loaded once and invoked for each record, and started for each."""

import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.types import Challenge, Isolation
from evaluate.core.model import Verdict
from evaluate.stages.contracts.grand_challenge import API_METHOD
from tests.functional.test_challenges import attempt
from tests.support.oci_images import layer, python_image, with_file
from tests.support.scorers import written
from tests.unit.stages.contracts.test_grand_challenge import SOCKETS, usable

pytestmark = pytest.mark.vm
RECORDS = ("r1", "r2")
LIMITS = {stage: {"instructions_per_record": 5e9, "wall_seconds_per_record": 120} for stage in ("quiz", "exam")}
ANSWER = """
import json, os, pathlib
CANARY = pathlib.Path("/tmp/canary")
def answer(loaded):
    given = {one["socket"]["slug"]: one for one in json.loads(pathlib.Path("/input/inputs.json").read_text())}
    (image,) = pathlib.Path("/input/images/ct").iterdir()
    found = {
        "interface": sorted(given), "image": image.read_text(), "age": given["age"]["value"],
        "same": given["age"]["interface"] == given["age"]["socket"], "loaded": loaded, "canary": CANARY.exists(),
        "away": [key for key in os.environ if key.lower().startswith("grand_challenge_")],
        "log": os.environ["LOG_LEVEL"], "score": float("nan"),
    }
    CANARY.write_text("seen")
    pathlib.Path("/output/found.json").write_text(json.dumps(found))
    pathlib.Path("/output/log.txt").write_text("well")
    os.makedirs("/output/images/mask")
    pathlib.Path("/output/images/mask/any-name.mha").write_text("mask of " + image.read_text())
"""
SERVER = (
    ANSWER
    + """
from http.server import BaseHTTPRequestHandler, HTTPServer
asked = 0
class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
    def do_POST(self):
        global asked
        asked += 1
        answer(asked)
        self.send_response(201)
        self.end_headers()
HTTPServer(("127.0.0.1", 4743), Handler).serve_forever()
"""
)


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Makes images, of packages that are fetched once."""
    scratch = tmp_path_factory.mktemp("packages")

    def make(target: Path, program: str, method: str = "") -> Path:
        labels = {API_METHOD: method} if method else {}
        env = ["PATH=/usr/bin:/bin", "GRAND_CHALLENGE_TOKEN=secret"]
        return python_image(target / "entry.tar", program.encode(), scratch, Labels=labels, Env=env)

    return make


@pytest.fixture
def challenge(tmp_path: Path) -> Challenge:
    return usable(tmp_path / "challenge", limits=LIMITS)


def answers(kept: Path) -> dict[str, Any]:
    return {record: json.loads((kept / "answers" / record / "found.json").read_text()) for record in RECORDS}


def test_server_is_loaded_once_and_answers_every_record_in_a_clean_place(
    packed: Callable[..., Path], challenge: Challenge, state: Path, hypervisor: object, tmp_path: Path
) -> None:
    entry = packed(tmp_path, SERVER, "invoke")
    evaluation = attempt(entry, state, replace(challenge, isolation=Isolation.SNAPSHOT), keep=tmp_path)
    assert evaluation.verdict is Verdict.OK, evaluation.stages[-1].message + evaluation.stages[-1].diagnostics
    for record, answer in answers(tmp_path).items():
        assert answer == {
            "interface": ["age", "ct", "notes"],
            "image": f"picture of {record}",
            "age": 41,
            "same": True,
            "loaded": 1,  # whatever a server counts begins again with each record
            "canary": False,
            "away": [],
            "log": "INFO",
            "score": None,
        }
        mask = tmp_path / "answers" / record / "images" / "mask" / "mask.mha"
        assert mask.read_text() == f"mask of picture of {record}"


WITH_MODEL = """
import json
from pathlib import Path
files = sorted(one.name for one in Path("/input/images/ct").iterdir())
weights = Path("/opt/ml/model/net/weights.txt")
found = {"files": files, "weights": weights.read_text()}
Path("/output/found.json").write_text(json.dumps(found))
try:
    weights.write_text("changed")
except OSError:
    pass
"""


def test_model_beside_an_image_is_in_its_place_for_every_record_of_dicom_files(
    packed: Callable[..., Path], challenge: Challenge, state: Path, hypervisor: object, tmp_path: Path
) -> None:
    ct = {"slug": "ct", "relative_path": "images/ct", "super_kind": "Image", "kind": "DICOM Image Set"}
    rules = {"inputs": [ct], "outputs": SOCKETS["outputs"][:1]}
    written(challenge.folder, {"sockets.json": json.dumps(rules), "data/RECORDS": "r1\nr2\n"})
    names = {record: [f"{i}.dcm" for i in range(n)] for n, record in enumerate(RECORDS, 2)}
    for record in RECORDS:
        folder = challenge.folder / "data" / record / "images" / "ct"
        (folder / "ct.mha").unlink()
        for name in names[record]:
            (folder / name).write_bytes(bytes(128) + b"DICM")
    model = gzip.compress(layer(("net", None), ("net/weights.txt", b"12"), mode=0o600))
    entry = with_file(packed(tmp_path, WITH_MODEL), "model.tar.gz", model)
    evaluation = attempt(entry, state, load_challenge(str(challenge.folder)), keep=tmp_path)
    assert evaluation.verdict is Verdict.OK, evaluation.stages[-1].message + evaluation.stages[-1].diagnostics
    assert "model.tar.gz, sha256:" in evaluation.stages[0].message
    assert answers(tmp_path) == {record: {"files": names[record], "weights": "12"} for record in RECORDS}
