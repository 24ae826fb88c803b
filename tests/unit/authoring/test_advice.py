from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from evaluate.authoring.advice import QUESTIONS, TASKS, proposals, questions_of
from evaluate.challenge.load import read_challenge
from evaluate.commands.main import main
from evaluate.core.errors import UsageError
from metrics.generic import make


@pytest.mark.parametrize("task", TASKS)
def test_every_proposal_is_a_measure_with_a_reason_whatever_is_answered(task: str) -> None:
    keys = [question.key for question in questions_of(task)]
    seen = set()
    for answers in product([False, True], repeat=len(keys)):
        found = proposals(task, dict(zip(keys, answers, strict=True)))
        assert found
        seen.add(tuple(each.line + each.reason for each in found))
        for each in found:
            spec = yaml.safe_load(each.line)["metric"]
            assert make(spec).name
            assert len(each.reason) > 20
    # every question matters
    assert len(seen) >= 2 ** bool(keys) and (not keys or len(seen) > len(keys))


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.key)
def test_every_question_changes_what_is_proposed(question: object) -> None:
    key, tasks = question.key, question.tasks  # type: ignore[attr-defined]
    for task in tasks:
        others = [each.key for each in questions_of(task) if each.key != key]
        assert any(
            proposals(task, {**dict.fromkeys(others, rest), key: True}) != proposals(task, dict.fromkeys(others, rest))
            for rest in (False, True)
        ), (task, key)


def test_rare_labels_small_structures_and_operating_points_come_first() -> None:
    assert proposals("classification", {"imbalance": True})[0].spec["measure"] == "classification.f1"
    assert proposals("classification", {"prevalence": True})[0].spec["measure"] == "classification.accuracy"
    assert proposals("scores", {"operating_point": True})[0].spec["measure"].endswith("sensitivity_at_specificity")
    assert proposals("segmentation", {"small": True})[0].spec["measure"] == "segmentation.nsd"
    assert "equal scores count one half" in proposals("scores", {"ties": True})[0].reason
    with pytest.raises(UsageError, match="expected what is answered to be one of classification"):
        proposals("poetry", {})


def test_new_challenge_asks_and_writes_what_fits_beside_its_own_metric(tmp_path: Path) -> None:
    path = tmp_path / "hearts"
    words = ["challenge", "new", str(path), "--kind", "answers", "--measure"]
    done = CliRunner().invoke(main, words, input="poetry\n2\ny\ny\ny\nn\nn\nn\n")
    assert done.exit_code == 0, done.output
    assert "expected a name or a number of the list, found 'poetry'" in done.output
    assert "Is there a clinical operating point" in done.output
    text = (path / "challenge.yaml").read_text()
    assert "#   metric: {measure: classification.sensitivity_at_specificity, at: 0.95}" in text
    assert text.index("metric: accuracy.py") < text.index("# Measures that fit")
    challenge, problems = read_challenge(path)
    assert challenge is not None and challenge.metric.endswith("accuracy.py") and not problems
    # nothing is asked, and nothing written, where there is a challenge already, or no answer
    again = CliRunner().invoke(main, words, input="")
    assert again.exit_code == 2 and "What is answered" not in again.output
    cut = CliRunner().invoke(main, ["challenge", "new", str(tmp_path / "lungs"), "--measure"], input="scores\ny\n")
    assert cut.exit_code != 0 and not (tmp_path / "lungs").exists()
