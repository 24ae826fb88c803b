"""The challenges from upload to score: samples with their known scores, bad entries with their verdicts, real data."""

import math
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import libvirt
import pytest

from evaluate.authoring.skeleton import languages, write_entry
from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.load import list_challenges
from evaluate.config.challenge.types import Challenge, Kind
from evaluate.core.model import Evaluation, Stage, Verdict
from evaluate.home.measure import assemble_entry, with_changed_limits
from evaluate.home.trial import Trial, TryOptions, try_entry, with_records
from evaluate.sandbox.connection import connect, default_uri, sweep
from evaluate.sandbox.run_folders import RunFolders
from evaluate.stages.job import NullMonitor
from tests.chaos.audit import wait_until
from tests.support.commands import program
from tests.support.oci_images import busybox_image, python_image

ANSWERS = ("camelyon16", "kits19", "mlperf_kits19")
ADAPTOR = load_challenge("adaptor2021")


def attempt(entry: Path, state: Path, challenge: Challenge, **options: Any) -> Evaluation:
    return try_entry(Trial(entry, challenge, state, NullMonitor(), "tcg"), TryOptions(**options))


def bad_entries(names: tuple[str, ...]) -> list[tuple[str, str]]:
    return [
        (name, path.parent.name)
        for name in names
        for path in sorted(load_challenge(name).folder.glob("bad_entries/*/expect.yaml"))
    ]


def check_bad_entry(name: str, bad: str, state: Path, folder: Path, image: Path | None = None) -> None:
    challenge = load_challenge(name)
    expected = assemble_entry(challenge, bad, folder / bad)
    evaluation = attempt(image or folder / bad, state, with_changed_limits(challenge, expected))
    result = next((stage for stage in evaluation.stages if stage.stage is expected.stage), evaluation.stages[-1])
    assert (result.stage, result.verdict) == (expected.stage, expected.verdict), result.message
    for text in expected.message_contains:
        assert text in result.message
    for text in expected.diagnostics_contain:
        assert text in result.diagnostics
    if result.verdict is not Verdict.OK:
        assert evaluation.score is None
    if not math.isnan(expected.score):
        assert evaluation.score is not None
        assert evaluation.score.values[evaluation.score.primary] == pytest.approx(expected.score)


@pytest.mark.parametrize(("name", "bad"), bad_entries(ANSWERS))
def test_bad_answers_end_as_expected(name: str, bad: str, tmp_path: Path) -> None:
    check_bad_entry(name, bad, tmp_path / "state", tmp_path)


@pytest.mark.vm
def test_python_entry_has_the_known_score(state: Path, hypervisor: object, tmp_path: Path) -> None:
    challenge = load_challenge("cpsc2021")
    evaluation = attempt(challenge.folder / "sample_entry", state, challenge, keep=tmp_path / "kept")
    assert evaluation.verdict is Verdict.OK, evaluation.stages[-1].message
    assert evaluation.score is not None
    assert evaluation.score.values["U"] == 2.4
    assert sorted(p.name for p in (tmp_path / "kept" / "answers").iterdir()) == [
        f"{record}.json" for record in challenge.exam.records
    ]


@pytest.mark.vm
@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "language"), [(name, word) for name in list_challenges() for word in languages(load_challenge(name))]
)
def test_first_entry_in_every_language_passes(
    name: str, language: str, state: Path, hypervisor: object, tmp_path: Path
) -> None:
    challenge, entry = load_challenge(name), tmp_path / "mine"
    write_entry(entry, challenge, language)
    if Kind.IMAGE in challenge.kinds:
        entry = python_image(tmp_path / "entry.tar", (entry / "answer.py").read_bytes(), tmp_path / "debs")
    evaluation = attempt(entry, state, challenge)
    assert evaluation.verdict.passed, evaluation.stages[-1].message + evaluation.stages[-1].diagnostics


OFTEN = (
    *("missing_program", "options_in_requirements", "over_the_average_time", "source_only_package"),
    *("fork_bomb", "missing_next_sh", "unknown_package"),
)
"""Bad entries that every run tries; `test_sandbox.py` and the tests of the stages ask for the others' verdicts with
less.
"""


@pytest.mark.vm
@pytest.mark.parametrize(
    ("name", "bad"),
    [
        pytest.param(name, bad, marks=() if bad in OFTEN else pytest.mark.long)
        for name, bad in bad_entries(("cinc2017", "cpsc2021"))
    ],
)
def test_bad_program_ends_as_expected(name: str, bad: str, state: Path, hypervisor: object, tmp_path: Path) -> None:
    check_bad_entry(name, bad, state, tmp_path)


@pytest.fixture(scope="module")
def images(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Two images made with nothing but Debian's packages."""
    folder = tmp_path_factory.mktemp("images")
    programs = ADAPTOR.folder / "sample_entry"
    yield {
        "busybox": busybox_image(
            folder / "busybox.tar.gz", (programs / "landmark_detection.sh").read_bytes(), folder / "debs"
        ),
        "python": python_image(
            folder / "python.tar", (programs / "landmark_detection.py").read_bytes(), folder / "debs"
        ),
    }


@pytest.mark.vm
@pytest.mark.parametrize(("form", "f1"), [pytest.param("python", 0.8, marks=pytest.mark.long), ("busybox", 0.0)])
def test_container_image_meets_the_public_contract(
    form: str, f1: float, images: dict[str, Path], state: Path, hypervisor: object, tmp_path: Path
) -> None:
    evaluation = attempt(images[form], state, ADAPTOR)
    assert evaluation.verdict is Verdict.OK, evaluation.stages[-1].message + evaluation.stages[-1].diagnostics
    assert evaluation.score is not None
    assert evaluation.score.values["F1"] == pytest.approx(f1)
    assert "6 records, 6 answered" in evaluation.stages[2].message


@pytest.mark.vm
@pytest.mark.parametrize(("name", "bad"), bad_entries(("adaptor2021",)))
def test_bad_image_ends_as_expected(
    name: str, bad: str, images: dict[str, Path], state: Path, hypervisor: object, tmp_path: Path
) -> None:
    program = load_challenge(name).folder / "bad_entries" / bad / "landmark_detection.sh"
    image = None
    if program.is_file():
        image = busybox_image(tmp_path / "bad.tar.gz", program.read_bytes(), images["busybox"].parent / "debs")
    check_bad_entry(name, bad, state, tmp_path, image)


CINC = load_challenge("cinc2017")


@pytest.mark.vm
@pytest.mark.usefixtures("hypervisor")
def test_sample_entry_on_real_records(state: Path, tmp_path: Path, shared: Path) -> None:
    """Ten real records: the answers in the guest are those of the same program on this host."""
    source = shared / "data" / "cinc2017"
    records = tmp_path / "records"
    records.mkdir()
    names = (source / "records" / "RECORDS").read_text().split()[:10]
    for name in names:
        for suffix in (".hea", ".mat"):
            shutil.copyfile(source / "records" / f"{name}{suffix}", records / f"{name}{suffix}")
    (records / "RECORDS").write_text("".join(f"{name}\n" for name in names))
    entry = tmp_path / "entry"
    shutil.copytree(CINC.folder / "sample_entry", entry)
    program = tmp_path / "classify"
    subprocess.run(["cc", "-O2", "-o", program, entry / "classify.c", "-lm"], check=True)
    answers = [
        subprocess.run([program, name], cwd=records, capture_output=True, text=True, check=True).stdout
        for name in names
    ]
    (entry / "answers.txt").write_text("".join(answers))
    challenge = with_records(CINC, records, source / "REFERENCE-v3.csv")
    evaluation = attempt(entry, state, challenge, own_records=True)
    assert [stage.verdict for stage in evaluation.stages] == [Verdict.OK] * 4, evaluation.stages[-1].message
    exam = next(stage for stage in evaluation.stages if stage.stage is Stage.EXAM)
    assert [f"{outcome.record},{outcome.answer}\n" for outcome in exam.records] == answers


def domains(connection: Any) -> Iterator[tuple[str, str]]:
    """Name and description of every guest with our prefix, without those that end meanwhile."""
    for domain in connection.listAllDomains():
        with suppress(libvirt.libvirtError):
            if domain.name().startswith("evaluate-guest-"):
                yield domain.name(), domain.XMLDesc()


@pytest.mark.vm
@pytest.mark.usefixtures("hypervisor")
def test_killed_supervisor_leaves_nothing_after_the_next_start(own_state: Path) -> None:
    argv, environment = program(own_state, "demo", "--accelerator", "tcg"), {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environment) as demo:
        assert demo.stderr is not None
        assert any("1/12" in line for line in demo.stderr), "it ended before a record of the exam"
        demo.kill()
    connection = connect(default_uri())

    def left() -> list[str]:
        """Libvirt destroys the domain when it sees the connection break; a sweep takes what is left."""
        sweep(connection, RunFolders(own_state / "runs"))
        return [name for name, text in domains(connection) if str(own_state) in text]

    assert wait_until(lambda: not left(), 60), left()
    connection.close()
    assert [path.name for path in (own_state / "runs").iterdir() if path.is_dir()] == []
