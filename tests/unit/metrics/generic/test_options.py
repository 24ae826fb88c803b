import dataclasses
import json
from typing import Any

import pytest
import yaml

import metrics
from metrics.generic import FAMILIES, SpecError, make, make_from_text, measures, options_of

CASES: list[tuple[Any, str, str]] = [
    ({"measure": "classification.f2"}, "measure", "classification.f1"),
    ({"measure": "f1"}, "measure", "classification.f1"),
    ({"measure": "classification.f1", "averge": "macro"}, "classification.f1: option", "average"),
    ({"measure": "classification.f1", "average": "makro"}, "classification.f1: average", "macro"),
    ({"measure": "classification.f1", "average": "binary"}, "classification.f1: positive", ""),
    ({"measure": "classification.f1", "labels": ["A", "A"]}, "classification.f1: labels", ""),
    ({"measure": "classification.auroc", "labels": ["a", "b"], "positive": "c"}, "classification.auroc: positive", ""),
    ({"measure": "detection.map", "distance": 1, "most": 0}, "detection.map: most", ""),
    ({"measure": "classification.cost"}, "classification.cost: costs", ""),
    ({"measure": "classification.cost", "costs": {"A": {"B": -1}}}, "classification.cost: costs", ""),
    ({"measure": "segmentation.nsd", "tolerance_mm": float("nan")}, "segmentation.nsd: tolerance_mm", ""),
    ({"measure": "segmentation.nsd", "tolerance_mm": "1"}, "segmentation.nsd: tolerance_mm", ""),
    ({"measure": "segmentation.dice", "labels": {"kidney": [0]}}, "segmentation.dice: labels", ""),
    ({"measure": "regression.mae", "range": [3, 1]}, "regression.mae: range", ""),
    ({"measure": "regression.mae", "range": [3]}, "regression.mae: range", ""),
    ({"measure": "detection.f1"}, "detection.f1: distance", ""),
    ({"measure": "landmarks.mre", "spacing_mm": [1, 1, 1]}, "landmarks.mre: spacing_mm", ""),
    ({"measure": "detection.f1", "match": "mask", "class_column": "k"}, "detection.f1: class_column", ""),
    ({"measure": "events.overlap", "unit": "samples"}, "events.overlap: fs_hz", ""),
    ({"measure": "events.f1"}, "events.f1: onset_tolerance_seconds", ""),
    ({"measure": "classification.weighted_accuracy", "weights": {"no": 5, "Absent": 1}, "labels": ["no", "Absnt"]},
     "classification.weighted_accuracy: weights", "Absent"),
    *(({"measure": "classification.cost", "costs": {"ill": {"well": 1}, "well": {"ill": 2}}, **wrong},
       "classification.cost: costs", nearest)
      for wrong, nearest in (
          ({"labels": ["ill", "sick"]}, ""),
          ({"costs": {"ill": {"well": 1}, "well": {"sick": 1}}}, ""),
          ({"costs": {"ill": {"well": 1}, "well": {"ill": 1, "wel": 2}}}, "well"),
      )),
    ({"measure": "multilabel.reward"}, "multilabel.reward: rewards", ""),
    ({"measure": "multilabel.reward", "rewards": {"A": {"A": 1}}, "matrix": "x.csv"}, "multilabel.reward: rewards", ""),
    *(({"measure": "classification.accuracy", "subgroups": columns}, "subgroups", "") for columns in ([], {}, 3, [3])),
    *(({"measure": "classification.accuracy", "subgroups": {name: bands}}, f"subgroups: {name}", "")
      for name, bands in (("age", [5, 2]), ("age", ["x"]), ("age", []), ("a=b", None))),
    ({"measure": ["classification.f1"]}, "measure", "classification.f1"),
    ({"measure": "classification.f1", "labels": ["A"]}, "classification.f1: labels", ""),
    ({"measure": "detection.f1", "distance": None}, "detection.f1: distance", ""),
    ({}, "metric", ""),
    ("classification.f1", "metric", ""),
]  # fmt: skip


@pytest.mark.parametrize(("spec", "option", "nearest"), CASES, ids=[str(spec)[:60] for spec, _, _ in CASES])
def test_spec_error_names_option_expected_found_and_nearest(spec: Any, option: str, nearest: str) -> None:
    with pytest.raises(SpecError) as caught:
        make(spec)
    assert caught.value.option == option
    assert caught.value.nearest == nearest
    assert "expected" in str(caught.value)
    assert "found" in str(caught.value)
    assert "quotes" not in str(caught.value), "of YAML's values alone"


@pytest.mark.parametrize(
    "options",
    [
        "measure: classification.f1\nlabels: [N, A, O, ~]",
        "measure: classification.f1\nlabels: [no, yes]",
        "measure: classification.auroc\npositive: yes",
        "measure: classification.cost\ncosts: {yes: {no: 1}, no: {yes: 2}}",
        "measure: classification.f1\nlabels: [2026-01-01, later]",
    ],
)
def test_labels_that_yaml_takes_for_other_values_get_the_hint_to_quote(options: str) -> None:
    with pytest.raises(SpecError, match=r'without quotes as values: write "~", "no"'):
        make(yaml.safe_load(options))


def test_spec_error_of_text_that_is_no_json_names_it() -> None:
    for text in ("{", '{"measure"', "{" * 100_000):
        with pytest.raises(SpecError, match="expected a JSON object"):
            make_from_text(text)


def test_every_option_says_what_it_accepts_and_means_and_accepts_its_default() -> None:
    assert {name.partition(".")[0] for name in measures()} == set(FAMILIES)
    for name in measures():
        for option, (wish, default, meaning) in options_of(name).items():
            assert wish and meaning, (name, option)
            if default is dataclasses.MISSING:
                continue
            try:
                make({"measure": name, option: list(default) if isinstance(default, tuple) else default})
            except SpecError as error:  # about another option, which has no default
                assert error.option != f"{name}: {option}" or error.value is None, (name, option)


def test_name_tells_options_that_are_not_defaults_so_that_other_options_cannot_be_compared() -> None:
    assert make({"measure": "classification.f1", "average": "macro"}).name == "classification.f1"
    spec = {"measure": "segmentation.dice", "labels": {"kidney": [1, 2]}, "missing": "exclude-with-note"}
    assert make(spec).name == "segmentation.dice(missing=exclude-with-note, labels=[[kidney, [1, 2]]])"


def test_get_accepts_a_specification_as_text_and_lists_no_other_names() -> None:
    text = json.dumps({"measure": "classification.f1", "average": "micro"})
    assert metrics.get(text).name == "classification.f1(average=micro)"
    with pytest.raises(KeyError, match=r"did you mean 'classification\.f1'"):
        metrics.get('{"measure": "classification.f2"}')
