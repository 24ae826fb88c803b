"""Random cases against the organisers' programs, by hand, with ``EVALUATE_OFFICIAL=FOLDER``.

FOLDER has their programs, which are no part of this project: a clone of each repository, in the folders ``cpsc``
and ``kits23``, or only the files that are read.  A program is changed only where today's libraries no longer run it
(each place is named), and never in what it counts.  No value may differ by more than 1e-9.
"""

import json
import math
import os
import re
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import wfdb

from metrics.challenges import cpsc2021, kits23
from tests.support.volume_files import write_volume

Random = np.random.Generator
Pairs = dict[str, tuple[float, float]]
"""What was compared: ours, and theirs."""


def program(
    file: Path, changes: dict[str, str] | None = None, modules: dict[str, Any] | None = None
) -> types.SimpleNamespace:
    """The functions of a program, up to its main part.

    ``changes``: text that today's libraries need otherwise; ``modules``: stand-ins for what it imports to read files.
    """
    text = re.split(r"^if __name__", file.read_text(encoding="utf-8"), maxsplit=1, flags=re.MULTILINE)[0]
    for old, new in (changes or {}).items():
        if old not in text:
            pytest.fail(f"{file}: expected {old!r}, found none: another version of the program?")
        text = text.replace(old, new)
    space: dict[str, Any] = {"__name__": file.stem}
    before = {name: sys.modules.get(name) for name in modules or {}}
    sys.modules.update(modules or {})
    try:
        exec(compile(text, str(file), "exec"), space)  # it is what this script is for
    finally:
        for name, module in before.items():
            sys.modules.pop(name) if module is None else sys.modules.update({name: module})
    return types.SimpleNamespace(**space)


def cpsc(folder: Path) -> Callable[[Random, Path], Pairs]:
    """score_2021.py of CPSC-Committee/cpsc2021-python-entry; numpy has no ``np.float`` any more."""
    theirs = program(folder / "score_2021.py", {"dtype=np.float)": "dtype=float)"})

    def case(r: Random, folder: Path) -> Pairs:
        for side in ("references", "answers"):
            (folder / side).mkdir()
        for i in range(int(r.integers(1, 4))):
            name, n = f"data_{i}_1", int(r.integers(20, 60))
            beats = np.cumsum(r.integers(60, 200, n))
            length = int(beats[-1] + r.integers(2, 300))
            kind = int(r.integers(3))
            episodes = 0 if kind == 0 else 1 if kind == 1 else int(r.integers(1, 4))
            marks = np.sort(r.choice(np.arange(4, n - 4), 2 * episodes, replace=False))
            rows = [(int(beat), "N", "") for beat in beats]
            if kind == 1:
                rows = [(0, "+", "(AFIB"), *rows, (length - 1, "+", "(N")]
            else:
                notes = ("(AFIB" if r.random() < 0.5 else "(AFL", "(N")
                rows += [(int(beats[mark]) + 1, "+", notes[k % 2]) for k, mark in enumerate(marks)]
            rows.sort(key=lambda row: row[0])
            samples, symbols, texts = (list(column) for column in zip(*rows, strict=True))
            where = str(folder / "references")
            wfdb.wrsamp(
                name,
                200,
                ["mV"] * 2,
                ["I", "II"],
                np.zeros((length, 2)),
                fmt=["16"] * 2,
                write_dir=where,
                comments=[("non", "persistent", "paroxysmal")[kind] + " atrial fibrillation"],
            )
            wfdb.wrann(name, "atr", np.array(samples), symbols, aux_note=texts, write_dir=where)
            ends = np.sort(r.integers(0, length, (int(r.integers(0, 4)), 2)), axis=1).tolist()
            if kind and r.random() < 0.5:
                near = r.integers(-150, 150, (max(1, episodes), 2))
                annotated = [[0, length - 1]] if kind == 1 else beats[marks].reshape(-1, 2).tolist()
                ends = np.clip(np.array(annotated) + near * (kind == 2), 0, length - 1).tolist()
            (folder / "answers" / f"{name}.json").write_text(json.dumps({"predict_endpoints": ends}))
        report = cpsc2021.METRIC.score(folder / "references", folder / "answers", rules="official")
        result = theirs.score(str(folder / "references"), str(folder / "answers"))
        return {"U": (report.values[report.primary], float(result))}

    return case


def _labels(r: Random, classes: int) -> tuple[Any, Any]:
    """Two label maps of one small shape, each often empty."""
    shape = tuple(int(n) for n in r.integers(2, 14, 3))
    share = r.choice([0, 0.02, 0.3, 0.9], 2)
    return tuple(  # type: ignore[return-value]
        (r.integers(0, classes, shape) * (r.random(shape) < each)).astype(np.uint8) for each in share
    )


def kits_23(folder: Path) -> Callable[[Random, Path], Pairs]:
    """kits23/evaluation/metrics.py of neheller/kits23, whose readers of files are left out."""
    source = folder / "kits23"
    names = program(source / "configuration" / "labels.py")
    dice = program(source / "evaluation" / "dice.py")
    masks = program(source / "evaluation" / "generate_bool_masks_for_hec.py")
    unused = ["SimpleITK", "kits23", "kits23.evaluation", "kits23.configuration", "batchgenerators"]
    unused += ["batchgenerators.utilities", "batchgenerators.utilities.file_and_folder_operations"]
    theirs = program(
        source / "evaluation" / "metrics.py",
        modules=dict.fromkeys(unused, types.SimpleNamespace())
        | {
            "kits23.evaluation.dice": dice,
            "kits23.configuration.labels": names,
            "kits23.configuration.paths": types.SimpleNamespace(TRAINING_DIR=""),
            "kits23.evaluation.generate_bool_masks_for_hec": masks,
        },
    )

    def case(r: Random, folder: Path) -> Pairs:
        reference, answer = _labels(r, 4)
        spacing = tuple(float(length) for length in r.choice([0.5, 0.78125, 1.0, 3.0], 3))
        for side, labels in (("references", reference), ("answers", answer)):
            write_volume(folder / side / "case_00000.nii.gz", labels, spacing_mm=spacing)
        report = kits23.METRIC.score(folder / "references", folder / "answers", rules="official")
        row, pairs = report.per_record["case_00000"], {}
        for name in names.HEC_NAME_LIST:
            members, tolerance = names.KITS_HEC_LABEL_MAPPING[name], names.HEC_SD_TOLERANCES_MM[name]
            arrays, lengths = (answer.T, reference.T), spacing[::-1]
            result = theirs.compute_metrics_for_label(*arrays, members, lengths, sd_tolerance_mm=tolerance)
            for kind, value in zip(("dice", "surface_dice"), result, strict=True):
                pairs[f"{kind} {name}"] = (float(row[f"{kind}_{name}"]), float(value))
        return pairs

    return case


@pytest.mark.filterwarnings("ignore")  # theirs leave files open
@pytest.mark.parametrize(("name", "prepare", "cases"), [("cpsc", cpsc, 500), ("kits23", kits_23, 300)])
def test_values_are_those_of_the_program(
    name: str, prepare: Callable[[Path], Callable[[Random, Path], Pairs]], cases: int, tmp_path: Path
) -> None:
    folder = Path(os.environ.get("EVALUATE_OFFICIAL", "none")) / name
    if not folder.is_dir():
        pytest.skip(f"no program of the organisers at {folder} (set EVALUATE_OFFICIAL)")
    try:
        case = prepare(folder)
    except ModuleNotFoundError as reason:
        pytest.skip(f"the program cannot be imported: {reason}")
    for number in range(cases):
        (tmp_path / str(number)).mkdir()
        for key, (value, other) in case(np.random.default_rng([1, number]), tmp_path / str(number)).items():
            equal = (math.isnan(value) and math.isnan(other)) or abs(value - other) <= 1e-9
            assert equal, f"case {number}, {key}: ours {value!r}, theirs {other!r}"
