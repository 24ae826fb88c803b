"""Scorers in real virtual machines: files at their places, no network, limits, a container's own root."""

import json
import os
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluate.authoring.imports import import_challenge
from evaluate.config.challenge.scorer import Form
from evaluate.core.errors import ChallengeError
from evaluate.core.model import StageOutcome, Verdict
from evaluate.host.wiring import StateLayers
from evaluate.images.image import Image
from evaluate.images.recipe import load_recipe
from evaluate.sandbox.libvirt import LibvirtHypervisor
from evaluate.stages.job import NullMonitor, ScorerMeans
from tests.conftest import CHECKOUT
from tests.support import bundles
from tests.support.commands import command, program
from tests.support.documents import lay_out
from tests.support.oci_images import BUSYBOX, MERGED, docker_save, layer, packages
from tests.support.scorers import scored

pytestmark = pytest.mark.vm

SCORE = """
import json, os, socket, sys
from pathlib import Path
where, output = Path("/app/input"), Path("/app/output")
try:
    socket.create_connection(("192.0.2.1", 80), timeout=5)
    network = 1
except OSError:
    network = 0
for folder in (where / "ref", where / "res", Path("/app/program")):
    try:  # a copy of its own: what is on the disk is not changed
        (folder / "mark").write_text("x")
    except OSError as e:
        print(folder, e)
assert not Path("/app/input/other").exists() and len(list(Path("/app/program").glob("mark"))) <= 1
Path("/app/shared/note").write_text("x")
truth, given = ((where / name / "a.txt").read_text() for name in ("ref", "res"))
(output / "scores.json").write_text(json.dumps({"right": float(truth == given), "network": network}))
"""


@pytest.fixture
def means(hypervisor: LibvirtHypervisor, image: Image, state: Path) -> Iterator[ScorerMeans]:
    """Image, hypervisor and layers of this machine."""
    with hypervisor.runs.new("scorer") as folder:
        layers = StateLayers(image, load_recipe("bookworm"), state, NullMonitor())
        yield ScorerMeans(image=image, hypervisor=hypervisor, layers=layers, folder=folder)


FILES = {"a.txt": "1"}


def test_a_scorer_runs_in_a_guest(tmp_path: Path, means: ScorerMeans) -> None:
    def of(program: str) -> StageOutcome:
        files = {"metadata.yaml": "command: python score.py", "score.py": program}
        return scored(tmp_path, Form.CODABENCH, files, FILES, FILES, by=means, primary="right")

    outcome = of(SCORE)
    assert outcome.score is not None and dict(outcome.score.values) == {"right": 1.0, "network": 0.0}
    assert outcome.machine is not None and outcome.machine.image == means.image.digest
    assert outcome.result.verdict is Verdict.OK and outcome.result.usage.instructions > 10**6
    assert [path.name for path in means.folder.iterdir()] == ["owner.lock"]  # of the folder of runs
    fills = "import os\nos.mkfifo('/app/output/scores.json')\nopen('/app/output/more', 'wb').truncate(2 << 30)"
    with pytest.raises(ChallengeError, match="the codabench scorer left more than 64 MiB in its folder of answers"):
        of(fills)


def test_a_container_is_a_scorer_with_its_own_root(tmp_path: Path, means: ScorerMeans) -> None:
    text = json.dumps({"aggregates": {"score": 0.5}})
    script = f"""#!/bin/sh
set -e
cat /opt/ml/input/data/ground_truth/a.txt /opt/app/own.txt
echo '{text}' > /output/metrics.json
"""
    links = layer(("bin/sh", "busybox"), ("bin/cat", "busybox"))
    program = layer(("opt/app/run.sh", script.encode()), ("opt/app/own.txt", b"own"))
    layers = [MERGED, *packages(BUSYBOX, tmp_path / "debs"), links, program]
    archive = docker_save(tmp_path / "image.tar", layers, {"Entrypoint": ["/opt/app/run.sh"]})
    keys = {"container": archive, "primary": "aggregates.score"}
    outcome = scored(tmp_path, Form.GRAND_CHALLENGE, {}, FILES, FILES, by=means, **keys)
    assert outcome.score is not None and outcome.score.values["aggregates.score"] == 0.5
    assert "1own" in outcome.result.diagnostics


def test_an_imported_bundle_is_checked_and_scores(own_state: Path, tmp_path: Path) -> None:
    """The commands of docs/scorers.md that need a machine, on a phase alone: a machine for each command of a stage."""
    import_challenge("codabench", bundles.codabench(tmp_path / "bundle"), tmp_path / "words", 1)
    for line in ("challenge check words", "try words/sample_entry --challenge words"):
        words = line.replace("words", str(tmp_path / "words"), 1 if "check" in line else 2).split()
        code, output = command(own_state, *words)
        assert code == 0, output
    assert "accuracy 0.7500" in output


LAST_YEAR = {
    "evaluate challenge check": "the exam: macro_f1 0.3333",
    "evaluate try hearts/sample_entry --challenge hearts --runner": "macro_f1 0.3333",
    "evaluate board": "baseline (baseline)  0.429 ",
}
"""Commands of docs/last-year.md, and what they print among other things."""


def test_last_years_challenge_has_its_baseline_on_the_leaderboard(own_state: Path, tmp_path: Path) -> None:
    """The commands of docs/last-year.md, those that need a machine among them."""
    file = tmp_path / "evaluate"
    file.write_text(f'#!/bin/sh\nexec {shlex.join(program(own_state))} "$@"\n')
    file.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    commands = lay_out(CHECKOUT / "docs" / "last-year.md", tmp_path)
    (own_state / "evaluate.yaml").write_text((tmp_path / "state" / "evaluate.yaml").read_text())
    assert {name for name in LAST_YEAR for line in commands if line.startswith(name)} == set(LAST_YEAR)
    for line in commands:
        argv = ["sh", "-euc", line]
        done = subprocess.run(argv, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{line}: {done.stdout}{done.stderr}"
        for beginning, words in LAST_YEAR.items():
            assert not line.startswith(beginning) or words in done.stdout + done.stderr, line
