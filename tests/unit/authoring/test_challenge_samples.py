"""The challenges' samples without a machine: known scores, the scripts that drew them, what guests may see."""

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import metrics
from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.types import Challenge, RecordSet
from evaluate.core.files import data_folder
from evaluate.core.model import MIB
from evaluate.images.recipe import load_recipe
from evaluate.stages.contracts.contract import input_files

CHALLENGES = data_folder("challenges")

KNOWN: dict[str, tuple[dict[str, float], dict[str, float]]] = {
    "adaptor2021": (
        {"F1": 0.8, "TP": 8, "FP": 0, "FN": 4},
        {"F1": 0.8, "precision": 1.0, "recall": 2 / 3, "TP": 24, "FP": 0, "FN": 12},
    ),
    "camelyon16": ({"froc": 1.0, "auc": 1.0}, {"froc": 4.4 / 6, "auc": 8 / 9}),
    "cpsc2021": ({"U": 6.5 / 3, "Ur": 1.0, "Ue": 3.5 / 3}, {"U": 2.4, "Ur": 1.0, "Ue": 1.4}),
    "kits19": (
        {"composite": 0.599880, "tk_dice": 0.961895, "tu_dice": 0.237866},
        {"composite": 0.618981, "tk_dice": 0.970097, "tu_dice": 0.267864},
    ),
    "mlperf_kits19": (
        {"mean_dice": 0.970588, "target_reached": 1.0},
        {"mean_dice": 0.958734, "l1_dice": 0.994826, "l2_dice": 0.922641, "target_reached": 1.0},
    ),
}
"""What a sample entry scores in quiz and exam; the README gives the latter too."""


def sample_answers(challenge: Challenge, records: RecordSet, result: Path) -> Path:
    """The folder of the sample entry's answers."""
    sample = challenge.folder / "sample_entry"
    if challenge.name == "adaptor2021":
        runpy.run_path(str(sample / "landmark_detection.py"))["main"](records.folder, result)
        return result
    if challenge.name == "cpsc2021":
        subprocess.run([sys.executable, sample / "entry_2021.py", records.folder, result], check=True)
        return result
    return sample


def check_scores(challenge: Challenge, folder: Path) -> None:
    sets = (("quiz", challenge.quiz), ("exam", challenge.exam))
    for (part, records), wanted in zip(sets, KNOWN[challenge.name], strict=True):
        assert records.references is not None
        (folder / part).mkdir()
        answers = sample_answers(challenge, records, folder / part)
        report = metrics.get(challenge.metric).score(records.references, answers, records=records.records)
        assert report.primary == next(iter(wanted))
        assert {key: report.values[key] for key in wanted} == pytest.approx(wanted, abs=1e-6)


@pytest.mark.parametrize("name", KNOWN)
def test_sample_entry_has_the_known_score_that_its_readme_states(name: str, tmp_path: Path) -> None:
    challenge = load_challenge(name)
    check_scores(challenge, tmp_path)
    primary, value = next(iter(KNOWN[name][1].items()))
    assert f"{primary} = {value:.4f}" in (CHALLENGES / name / "README.md").read_text()
    assert challenge.exam.sample_score == pytest.approx(value, abs=1e-4)
    assert sum(path.stat().st_size for path in challenge.folder.rglob("*") if path.is_file()) < MIB // 2


@pytest.mark.slow
@pytest.mark.parametrize("name", (*KNOWN, "cinc2017"))
def test_samples_drawn_again_are_the_same(name: str, tmp_path: Path) -> None:
    """The same files with the same meaning: how well they are compressed depends on the machine's libraries."""
    kept, drawn = CHALLENGES / name, tmp_path / name
    for file in (f"{name}/challenge.yaml", f"{name}/make_samples.py", "kits19/make_samples.py"):  # one draws as kits19
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_bytes((CHALLENGES / file).read_bytes())
    runpy.run_path(str(drawn / "make_samples.py"), run_name="__main__")

    def below(folder: Path) -> set[Path]:
        return {p.relative_to(folder) for p in folder.glob("sample_data/**/*") if p.is_file()}

    assert below(drawn) == below(kept)
    for path in sorted(below(drawn)):
        if path.suffix in ("", ".csv", ".json", ".atr", ".hea"):
            assert (drawn / path).read_bytes() == (kept / path).read_bytes(), path
    if not (drawn / "sample_entry").exists():
        (drawn / "sample_entry").symlink_to(kept / "sample_entry")
    (tmp_path / "answers").mkdir()
    if name in KNOWN:
        check_scores(load_challenge(str(drawn)), tmp_path / "answers")


def test_guests_see_neither_class_nor_annotations_of_an_ecg() -> None:
    challenge = load_challenge("cpsc2021")
    for records in (challenge.quiz, challenge.exam):
        headers = [records.folder / f"{record}.hea" for record in records.records]
        assert all("atrial fibrillation" in path.read_text() for path in headers)
        given = input_files(records, records.records)
        assert {Path(name).suffix for name in given} == {".hea", ".dat"}
        for path in headers:
            seen = given[path.name]
            assert isinstance(seen, bytes)
            assert seen.splitlines() == [line for line in path.read_bytes().splitlines() if line[:1] != b"#"]
            assert b"fibrillation" not in seen


def test_page_of_the_ecg_challenge_names_what_the_image_has() -> None:
    page = (load_challenge("cinc2017").folder / "README.md").read_text()
    packages = load_recipe("bookworm").packages
    assert {"build-essential", "zip", "unzip", "bzip2", "xz-utils", "python3"} <= set(packages)
    assert all(f"`{name}`" in page for name in packages if name not in ("python3", "devscripts"))
    assert not any("numpy" in name for name in packages)
