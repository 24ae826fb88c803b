"""What the descriptions of the keys give: the tables in the documentation, and a reader that names mistakes once."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from evaluate.authoring.check import EXPECTATION
from evaluate.authoring.fetch import SOURCE
from evaluate.authoring.skeleton import write_skeleton
from evaluate.config.challenge.load import list_challenges, read_challenge
from evaluate.config.challenge.scorer import SCORER
from evaluate.config.challenge.types import CHALLENGE, Kind
from evaluate.config.schema.document import load_document
from evaluate.config.schema.keys import Section, read, table
from evaluate.config.types import CONFIG
from evaluate.core.files import data_folder
from evaluate.images.recipe import RECIPE

CHECKOUT = Path(__file__).resolve().parents[3]
CHALLENGES = data_folder("challenges")
SECTIONS: dict[str, Section[Any]] = {
    "challenge.yaml": CHALLENGE,
    "evaluate.yaml": CONFIG,
    "expect.yaml": EXPECTATION,
    "recipe.yaml": RECIPE,
    "source.yaml": SOURCE,
    "metric.scorer": SCORER,
}
Values = dict[str, Any]


@pytest.mark.parametrize(
    ("page", "file"),
    [
        ("challenges/README.md", "challenge.yaml"),
        ("challenges/README.md", "expect.yaml"),
        ("challenges/README.md", "source.yaml"),
        ("docs/configuration.md", "evaluate.yaml"),
        ("docs/scorers.md", "metric.scorer"),
    ],
)
def test_table_of_a_page_is_the_generated_one(page: str, file: str, request: pytest.FixtureRequest) -> None:
    path = CHECKOUT / page
    text = path.read_text()
    begin, end = f"<!-- keys of {file} -->\n", "<!-- end of keys -->"
    before, _, rest = text.partition(begin)
    _, _, after = rest.partition(end)
    wanted = f"{before}{begin}{table(SECTIONS[file])}{end}{after}"
    if request.config.getoption("--regenerate"):
        path.write_text(wanted)
    assert path.read_text() == wanted


def test_example_of_the_configuration_is_read(tmp_path: Path) -> None:
    (example,) = re.findall(r"```yaml\n(.*?)```", (CHECKOUT / "docs/configuration.md").read_text(), re.DOTALL)
    (tmp_path / "evaluate.yaml").write_text(example)
    document = load_document(tmp_path / "evaluate.yaml")
    assert read(document, CONFIG) is not None
    assert document.problems == []


def shipped() -> list[Path]:
    files = [*CHALLENGES.glob("*/challenge.yaml"), *CHALLENGES.glob("*/source.yaml")]
    files += CHALLENGES.glob("*/bad_entries/*/expect.yaml")
    return sorted(
        path for path in (*files, *data_folder("vm_images").glob("*/recipe.yaml")) if "_templates" not in str(path)
    )


@pytest.mark.parametrize("path", shipped(), ids=lambda path: "/".join(path.parts[-3:]))
def test_what_we_ship_is_accepted(path: Path) -> None:
    document = load_document(path)
    read(document, SECTIONS[path.name])
    assert document.problems == []


def without(*keys: str) -> Callable[[Values], None]:
    def change(values: Values) -> None:
        for key in keys[:-1]:
            values = values[key]
        values.pop(keys[-1], None)

    return change


def with_value(value: object, *keys: str) -> Callable[[Values], None]:
    def change(values: Values) -> None:
        for key in keys[:-1]:
            values = values.setdefault(key, {})
        values[keys[-1]] = value

    return change


MISTAKES = {
    "no title": without("title"),
    "no kind": without("kind"),
    "no image": without("image"),
    "no metric": without("metric"),
    "no inputs": without("inputs"),
    "no required files": without("required_files"),
    "no labels": without("answers", "labels"),
    "no answers": without("answers"),
    "no data": without("data"),
    "no exam": without("data", "exam"),
    "no folder": without("data", "quiz", "folder"),
    "no limits": without("limits"),
    "no limits of setup": without("limits", "setup"),
    "no instructions": without("limits", "quiz", "instructions_per_record"),
    "another kind": with_value("skripts", "kind"),
    "kind twice": with_value(["answers", "answers"], "kind"),
    "scripts and others": with_value(["scripts", "answers"], "kind"),
    "no kinds": with_value([], "kind"),
    "unknown key": with_value(1, "titel"),
    "unknown key below": with_value(1, "sizes", "disk_mib"),
    "unknown stage": with_value({}, "limits", "score"),
    "limits of the set": with_value(1.0e9, "limits", "quiz", "instructions"),
    "a list of sizes": with_value([1], "sizes"),
    "files of another kind": with_value(["{record}.txt"], "answers", "files"),
    "input without record": with_value(["a.txt"], "inputs"),
    "input above the folder": with_value(["../{record}.txt"], "inputs"),
    "input with an empty part": with_value(["a//{record}.txt"], "inputs"),
    "input with other braces": with_value(["{record}{x}.txt"], "inputs"),
    "input of another form": with_value(["{record!r:>99}.txt"], "inputs"),
    "one input": with_value("{record}.txt", "inputs"),
    "other rules": with_value("unofficial", "rules"),
    "other mode": with_value("batch", "run", "mode"),
    "relative MATLAB": with_value("bin/matlab", "run", "matlab"),
    "empty title": with_value(" ", "title"),
    "number as a label": with_value([1, 2], "answers", "labels"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistake_is_named_once(mistake: str, tmp_path: Path) -> None:
    write_skeleton(tmp_path / "hearts", Kind.SCRIPTS)
    file = tmp_path / "hearts" / "challenge.yaml"
    values = load_document(file).value
    MISTAKES[mistake](values)
    file.write_text(yaml.safe_dump(values))
    (problem,) = read_challenge(tmp_path / "hearts")[1]
    assert re.match(rf"{re.escape(str(file))}:\d+: ", problem)


@pytest.mark.parametrize("name", list_challenges())
def test_key_that_is_mistyped_gives_one_error(name: str, tmp_path: Path) -> None:
    """Every top-level key of every challenge in turn, with its last two letters swapped."""
    text = (CHALLENGES / name / "challenge.yaml").read_text()
    folder = CHALLENGES / name
    for key in load_document(folder / "challenge.yaml").value:
        mistyped = f"{key[:-2]}{key[-1]}{key[-2]}"
        (tmp_path / "challenge.yaml").write_text(re.sub(rf"^{key}:", f"{mistyped}:", text, flags=re.MULTILINE))
        for data in folder.glob("sample_data"):
            if not (tmp_path / data.name).exists():
                (tmp_path / data.name).symlink_to(data)
        (problem,) = read_challenge(tmp_path)[1]
        assert f"unknown key '{mistyped}'; did you mean '{key}'?" in problem
