"""Definitions and archives that were written to harm, or by somebody who did not look, are refused by their names."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from evaluate.authoring.imports.base import unpacked
from evaluate.authoring.imports.forms import import_challenge
from evaluate.core.errors import ChallengeError
from tests.support import bundles
from tests.support.scorers import written

pytestmark = pytest.mark.slow

LONG = "x" * 5000


def refused(form: str, source: Path, tmp: Path, wish: str) -> None:
    """It is, and nothing is left."""
    with pytest.raises(ChallengeError, match=wish):
        import_challenge(form, source, tmp / "to" / "challenge")
    assert not list((tmp / "to").glob("*")) and not list((tmp / "to").glob(".*"))


@pytest.mark.parametrize(
    ("form", "where", "value", "wish"),
    [
        ("codabench", ("phases", 0, "index"), None, "not of the type that its form asks for: TypeError"),
        ("codabench", ("phases", 1, "tasks"), True, "not of the type"),
        ("codabench", ("leaderboards", 0, "columns"), [1], "not of the type"),
        ("codabench", ("tasks", 1, "scoring_program"), "a\0b", "expected the name of a file or folder of bundle"),
        ("codabench", ("tasks", 1, "scoring_program"), LONG, "expected the name of a file or folder of bundle"),
        ("evalai", ("leaderboard", 0, "schema", "metadata"), [1], "not of the type"),
        ("evalai", ("dataset_splits",), "../x", "not of the type"),
        ("evalai", ("challenge_phases", 1, "max_submissions"), float("inf"), "OverflowError"),
        ("forge", ("challenge", "phases", 1), {"a": 1}, "KeyError: 'slug'"),
        ("forge", ("challenge", "phases", 1, "algorithm_interfaces"), 7, "not of the type"),
    ],
)
def test_value_of_another_type_is_refused_without_a_traceback(
    tmp_path: Path, form: str, where: tuple[Any, ...], value: Any, wish: str
) -> None:
    files: dict[str, tuple[Callable[[Path], Path], str, Callable[[Any], str]]] = {
        "codabench": (bundles.codabench, "competition.yaml", yaml.safe_dump),
        "evalai": (bundles.evalai, "challenge_config.yaml", yaml.safe_dump),
        "forge": (bundles.forge, "context.json", json.dumps),
    }
    make, name, dumped = files[form]
    path = make(tmp_path / "bundle") / name
    said = yaml.safe_load(path.read_text())
    place = said
    for key in where[:-1]:
        place = place[key]
    place[where[-1]] = value
    path.write_text(dumped(said))
    refused(form, tmp_path / "bundle", tmp_path, wish)


LAUGHS = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 60))


@pytest.mark.parametrize(
    ("data", "wish"),
    [
        ((LAUGHS + "title: *a59\n").encode(), "its aliases make more than 100000 values of it"),
        (b"title: &a [*a]\nversion: 2\n", "expected phases"),
        (bundles.COMPETITION.encode("utf-16"), r"competition.yaml:1: not UTF-8 text"),
        (
            bundles.COMPETITION.replace("Small", "Sm\N{LATIN SMALL LETTER A WITH DIAERESIS}ll").encode("latin-1"),
            "not UTF-8",
        ),
        (b"[" * 1_200, "nested too deep|not valid YAML"),
        (b"title: " + b"x" * (1 << 20), "expected at most 1 MiB"),
        (b"title: !!python/object/apply:os.system ['true']\n", "expected phases"),
        (b"title: a\0b\n", "control character"),
    ],
    ids=["aliases", "within-itself", "utf-16", "latin-1", "deep", "huge", "object", "zero"],
)
def test_definition_that_is_no_plain_yaml_of_its_size_is_refused(tmp_path: Path, data: bytes, wish: str) -> None:
    source = bundles.codabench(tmp_path / "bundle")
    (source / "competition.yaml").write_bytes(data)
    refused("codabench", source, tmp_path, wish)


def test_archive_that_unpacks_to_more_than_there_is_room_for_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros", bytes(4 << 20))
    assert (tmp_path / "bomb.zip").stat().st_size < 1 << 14
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=4 << 20))
    with pytest.raises(ChallengeError, match=r"bomb\.zip: .*4 MiB or more; at most 2 are"):
        unpacked(tmp_path / "bomb.zip", tmp_path / "out")
    assert not list(tmp_path.glob("*out*"))


@pytest.mark.parametrize(
    ("files", "wish"),
    [
        ({"solution.csv": b"id,v\xe4l\n1,2\n"}, r"solution\.csv:1: expected a CSV in UTF-8"),
        ({"solution.csv": b"id," + b"x" * 200_000 + b"\n"}, r"solution\.csv:1: expected a CSV in UTF-8"),
        ({"metric.py": b"def score(a, b, c): ...\n\0"}, "expected a module or notebook with a function score"),
        ({"metric.py": b"x = " + b"(" * 100_000}, "expected a module or notebook with a function score"),
    ],
)
def test_files_of_kaggle_that_are_no_text_of_their_kind_are_named(
    tmp_path: Path, files: dict[str, bytes], wish: str
) -> None:
    source = bundles.kaggle(tmp_path / "host")
    for name, data in files.items():
        (source / name).write_bytes(data)
    refused("kaggle", source, tmp_path, wish)


def test_sample_of_2024_is_no_perfect_channel_of_which_its_program_leaves_nothing(tmp_path: Path) -> None:
    program = {"evaluate_model.py": "def compute_snr(): ...\n"}
    found = import_challenge("physionet", written(tmp_path / "evaluation", program), tmp_path / "year")
    truth, given = (found.folder / name / "r1.dat" for name in ("labels", "sample_entry"))
    assert truth.stat().st_size == given.stat().st_size == 20 and truth.read_bytes() != given.read_bytes()
