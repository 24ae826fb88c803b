"""Examples of docs/dockerfiles.md as the program reads and prints them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from evaluate.config.challenge.types import CHALLENGE, DockerfileRules
from evaluate.config.schema.document import load_document
from evaluate.config.schema.keys import read_part
from evaluate.core.model import Entry, Evaluation, RefusalKind, Stage, StageOutcome, StageResult, Verdict
from evaluate.report.audience import for_organiser
from evaluate.report.text import to_text
from evaluate.untrusted.dockerfile import translate
from tests.conftest import CHECKOUT
from tests.support.documents import blocks

PAGE = CHECKOUT / "docs/dockerfiles.md"


def read_rules(example: str, folder: Path) -> Any:
    (folder / "part.yaml").write_text(example)
    document = load_document(folder / "part.yaml")
    rules = read_part(document, CHALLENGE.keys["dockerfile"].form, ("dockerfile",))  # type: ignore[arg-type]
    assert document.problems == []
    return rules


def test_example_of_builds_is_read(tmp_path: Path) -> None:
    _, example = (block.text for block in blocks(PAGE) if block.language == "yaml")
    build = read_rules(example, tmp_path).build
    assert build.images == {"python:3.10-slim": Path("python-3.10-slim.tar")}
    assert (build.disk_bytes, build.image_bytes, build.indexes) == (30000 << 20, 8 << 30, True)


def test_example_of_images_is_read(tmp_path: Path) -> None:
    example, _ = (block.text for block in blocks(PAGE) if block.language == "yaml")
    rules = read_rules(example, tmp_path)
    assert [base.image for base in rules.bases] == ["python", "pytorch/pytorch:2.*"]
    assert rules.bases[1].requirements == tuple(yaml.safe_load(example)["dockerfile"]["bases"][1]["requirements"])


def test_example_of_refusals_is_a_part_of_a_report() -> None:
    (example,) = (block.text for block in blocks(PAGE) if block.language == "text")
    lines = ["FROM python:3.11", *[""] * 8, "COPY . /net", "RUN git clone https://example.org/net.git", "RUN make"]
    rules = DockerfileRules().bases
    plan = translate("\n".join(lines).encode(), ["model/net.sav"], rules, "3.11")
    result = StageResult(stage=Stage.PREP, verdict=Verdict.INVALID_ENTRY, refusals=plan.refusals)
    entry = Entry(archive=Path("net.zip"), sha256="", size=0)
    evaluation = Evaluation(entry=entry, challenge="net", outcomes=(StageOutcome(result=result),))
    assert example.rstrip("\n") in to_text(for_organiser(evaluation, {}))


def test_every_kind_of_refusal_is_explained() -> None:
    text = PAGE.read_text()
    assert [kind.value for kind in RefusalKind if f"`{kind.value}`" not in text.partition("| `kind` |")[2]] == []
