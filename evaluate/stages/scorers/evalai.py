"""Form ``evalai``: a package with ``evaluate(test_annotation_file, user_annotation_file, phase_codename, **kwargs)``.

``part`` of the records is the codename of the phase.  Of the splits in ``result``, ``split`` counts (else the first);
the numbers of the others have its name before theirs.  A label of ``values`` that is missing is an error, as there.
What it prints is for the organiser, whatever ``disable_logs`` says there.  Packages that ``__init__.py`` installs there
are those of ``metric.requirements``: its calls of pip do nothing.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evaluate.core.errors import ChallengeError
from evaluate.stages.scorers.base import (
    DRIVERS,
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
    mapping,
    named,
    read_json,
    read_text,
    single_file,
)

_RESULT = "result.json"


def steps(task: ScorerTask) -> Sequence[Step]:
    """One call, of our driver."""
    annotations = task.references
    if annotations.is_dir():
        found = sorted(path for path in annotations.iterdir() if path.is_file())
        if len(found) != 1:
            raise ChallengeError(f"{annotations}: expected one file, the test annotations, found {len(found)}")
        annotations = found[0]
    given = single_file(task, "the submission")
    annotated, submitted = f"{HOME}/annotations/{annotations.name}", f"{HOME}/submission/{given.name}"
    asked = {"annotations": annotated, "submission": submitted, "phase": task.records.part}
    files: dict[str, Content] = {
        **driver("evalai_driver.py"),
        f"{HOME}/instead/pip.py": DRIVERS / "pip.py",
        f"{HOME}/package/evaluation_script": task.folder,
        annotated: annotations,
        submitted: given,
        f"{HOME}/asked.json": json.dumps(asked).encode(),
    }
    argv = ("python3", f"{HOME}/evalai_driver.py", HOME, OUTPUT)
    return (Step(argv=argv, files=files, cwd=f"{HOME}/package"),)


def read(output: Path, asked: Asked) -> Numbers:
    """The numbers of the splits."""
    said = mapping(read_json(read_text(output / _RESULT), _RESULT), _RESULT)
    result = said.get("result")
    if not isinstance(result, list) or not result:
        raise UnreadableScores(f'evaluate() returned no "result": expected a list of splits, found {str(result)[:80]}')
    splits: dict[str, dict[str, Any]] = {}
    for one in result:
        for split, values in mapping(one, "result").items():
            splits[str(split)] = dict(mapping(values, f"result of {named(split)}"))
    judged = asked.split or next(iter(splits))
    if judged not in splits:
        raise UnreadableScores(f"expected the split {judged!r} in the result, found {named(*splits)}")
    others = {f"{split}.{key}": v for split, values in splits.items() if split != judged for key, v in values.items()}
    if lacking := [name for name in asked.values if name not in splits[judged] and name not in others]:
        raise UnreadableScores(f"the leaderboard's {', '.join(lacking)} is missing in the result of {judged}")
    return Numbers(values={**splits[judged], **others}, strict=False)


EVALAI = Adapter(steps=steps, read=read)
