"""Examples of docs/contracts.md as the program reads them."""

from __future__ import annotations

import yaml

from evaluate.config.challenge.contract import TERMS, ContractName
from tests.conftest import CHECKOUT
from tests.support.documents import blocks

PAGE = CHECKOUT / "docs/contracts.md"


def test_page_has_every_contract_with_its_kind() -> None:
    rows = [line.split("|")[1:3] for line in PAGE.read_text().splitlines() if line.startswith("| `")]
    found = {name.strip(" `"): kind.strip(" `") for name, kind in rows}
    assert found == {name.value: terms.kind for name, terms in TERMS.items()}


def test_commands_of_the_page_are_run_in_a_real_machine() -> None:
    lines = [line for block in blocks(PAGE) if block.language == "sh" for line in block.commands]
    functional = (CHECKOUT / "tests/functional/test_training.py").read_text()
    assert lines and all(f'"{line}"' in functional for line in lines)


def test_example_names_a_contract_and_its_kind() -> None:
    example, own = (yaml.safe_load(block.text) for block in blocks(PAGE) if block.language == "yaml")
    assert TERMS[ContractName(example["contract"])].kind == example["kind"]
    assert own["contract"] == {"platform": example["contract"], "programs": "year"}
