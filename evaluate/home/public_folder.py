"""What everybody may have of a challenge, so that ``evaluate try`` works at home as on the server.

It is what a bundle has (`evaluate.home.bundle.open_parts`).  Where the exam is hidden, the description says instead
that the exam has the records of the quiz, and training too if its own are hidden; its comments are not copied, since
they may say what is hidden.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import yaml

from evaluate.challenge.load import FILE
from evaluate.challenge.types import Challenge
from evaluate.home.bundle import open_parts


def public_folder(challenge: Challenge) -> Iterator[tuple[str, Path | bytes]]:
    """Each file by its path in the folder: where it is, or its content.

    Raises UsageError if the public records are elsewhere, or would tell of the hidden ones.
    """
    for name, path in open_parts(challenge):
        yield name, _without_hidden(path, challenge) if name == FILE and challenge.exam.hidden else path


def can_be_tried(challenge: Challenge) -> bool:
    """Whether its public folder is enough: not if the exam is hidden and the metric is a file of the organiser's."""
    return not (challenge.exam.hidden and challenge.metric.endswith(".py"))


def _without_hidden(path: Path, challenge: Challenge) -> bytes:
    found = yaml.safe_load(path.read_text(encoding="utf-8"))
    found["data"]["exam"] = {key: value for key, value in found["data"]["quiz"].items() if key != "sample_score"}
    if challenge.hides_training:
        kept = {key: value for key, value in found["train"].items() if key not in ("inputs", "files", "hidden")}
        found["train"] = {**kept, "records": found["data"]["quiz"]["folder"]}
    found.pop("allow_tcg_exam", None)
    return yaml.safe_dump(found, sort_keys=False, allow_unicode=True).encode()
