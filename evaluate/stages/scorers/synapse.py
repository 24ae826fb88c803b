"""Form ``synapse``: ``validate.py``, then ``score.py``, on one prediction and a folder with one ground truth.

Both are called with ``-p PREDICTION -g FOLDER -o results.json -t TASK``, the task being ``part`` of the records; the
second only if the first says VALIDATED.  ``validation_errors`` and ``score_errors`` of an INVALID prediction are shown
to the team, as there, with at most 500 characters.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from evaluate.core.errors import ChallengeError
from evaluate.stages.scorers.base import (
    HOME,
    OUTPUT,
    Adapter,
    Asked,
    Content,
    Numbers,
    ScorerTask,
    Step,
    UnreadableScores,
    driver,
    flat,
    mapping,
    read_json,
    read_text,
    single_file,
)

_RESULTS = "results.json"
_MANIFEST = "SYNAPSE_METADATA_MANIFEST.tsv"
_MOST_SAID = 500


def steps(task: ScorerTask) -> Sequence[Step]:
    """Both programs, by our driver."""
    truth = task.references
    if truth.is_dir():
        found = [path for path in truth.iterdir() if path.is_file() and path.name != _MANIFEST]
        if len(found) != 1:
            raise ChallengeError(f"{truth}: expected one file, the ground truth, found {len(found)}")
        truth = found[0]
    given = single_file(task, "the prediction")
    prediction = f"{HOME}/prediction/{given.name}"
    asked = {"prediction": prediction, "groundtruth": f"{HOME}/groundtruth", "task": task.records.part}
    files: dict[str, Content] = {
        **driver("synapse_driver.py"),
        f"{HOME}/program": task.folder,
        f"{HOME}/groundtruth/{truth.name}": truth,
        prediction: given,
        f"{HOME}/asked.json": json.dumps(asked).encode(),
    }
    argv = ("python3", f"{HOME}/synapse_driver.py", HOME, OUTPUT)
    return (Step(argv=argv, files=files, cwd=f"{HOME}/program"),)


def read(output: Path, asked: Asked) -> Numbers:
    """The metrics, or the message for the team."""
    del asked
    said = mapping(read_json(read_text(output / _RESULTS), _RESULTS), _RESULTS)
    for step, good in (("validation", "VALIDATED"), ("score", "SCORED")):
        status = said.get(f"{step}_status")
        if status == "INVALID":
            told = said.get(f"{step}_errors") or f"the prediction is INVALID by the {step}"
            return Numbers(refused=str(told)[:_MOST_SAID])
        if status != good:
            raise UnreadableScores(f"{_RESULTS}: expected {step}_status {good} or INVALID, found {str(status)[:80]!r}")
    return Numbers(values=flat(said))


SYNAPSE = Adapter(steps=steps, read=read)
