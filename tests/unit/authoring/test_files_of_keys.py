"""What the descriptions of the keys give: the tables in the documentation, and a reader that names mistakes once."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from evaluate.authoring.check import EXPECTATION
from evaluate.authoring.fetch import SOURCE
from evaluate.authoring.skeleton import write_skeleton
from evaluate.config.challenge.load import read_challenge
from evaluate.config.challenge.scorer import SCORER
from evaluate.config.challenge.types import CHALLENGE, Kind
from evaluate.config.schema.document import load_document
from evaluate.config.schema.keys import Form, Key, ListOf, Named, Section, Value, read
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


def table(section: Section[Any]) -> str:
    """A Markdown table of every key of a file: expected value, default, meaning."""
    rows = ["| key | value | default | meaning |", "|---|---|---|---|"]
    rows += [f"| {' | '.join(cell.replace('|', '&#124;') for cell in row)} |" for row in rows_of(section, "")]
    return "\n".join(rows) + "\n"


def rows_of(section: Section[Any], prefix: str) -> Iterator[tuple[str, str, str, str]]:
    defaults = section.defaults
    for name, (attribute, key) in section.by_name().items():
        form: Form = key.form
        here = prefix + name
        yield (
            f"`{here}`",
            "keys and values" if isinstance(form, Section) else form.expected,
            default_of(key, defaults.get(attribute)),
            key.meaning,
        )
        if isinstance(form, Named):
            here, form = f"{here}.{form.placeholder}", form.item
        if isinstance(form, ListOf):
            here, form = f"{here}[]", form.item
        if isinstance(form, Section):
            yield from rows_of(form, f"{here}.")


def default_of(key: Key, default: Any) -> str:
    if key.default:
        return key.default
    if key.required:
        return "required"
    if key.required_for:
        return f"required for {', '.join(f'`{case}`' for case in key.required_for)}"
    if isinstance(key.form, Section | Named):
        return "" if isinstance(key.form, Section) and default is not None else "none"
    if isinstance(key.form, Value) and default is not None:
        default = key.form.write(default)
    if default in (None, "", ()):
        return "none"
    if isinstance(default, float) and default.is_integer():
        default = int(default)
    return f"`{default if isinstance(default, str) else json.dumps(default)}`"


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
    rows = re.compile(rf"(?<=<!-- keys of {re.escape(file)} -->\n).*?(?=<!-- end of keys -->)", re.DOTALL)
    wanted, count = rows.subn(lambda _: table(SECTIONS[file]), text)
    assert count == 1
    if request.config.getoption("--regenerate"):
        path.write_text(wanted)
    assert path.read_text() == wanted


@pytest.mark.parametrize(
    ("page", "example", "section"),
    [
        (CHECKOUT / "docs/configuration.md", r"```yaml\n(.*?)```", CONFIG),
        (CHECKOUT / "docs/web.md", r"<<'END'\n(.*?)END\n", CONFIG),
        *((path, "(.+)", EXPECTATION) for path in sorted(CHALLENGES.glob("[a-z]*/bad_entries/*/expect.yaml"))),
    ],
    ids=lambda value: "/".join(value.parts[-4::2]) if isinstance(value, Path) else "",
)
def test_example_is_read(page: Path, example: str, section: Section[Any], tmp_path: Path) -> None:
    (text,) = re.findall(example, page.read_text(), re.DOTALL)
    (tmp_path / "example.yaml").write_text(text)
    document = load_document(tmp_path / "example.yaml")
    assert read(document, section) is not None and document.problems == []


GONE = object()
MISTAKES: dict[str, tuple[Any, ...]] = {
    "no kind": (GONE, "kind"),
    "no answers": (GONE, "answers"),
    "no data": (GONE, "data"),
    "no limits of setup": (GONE, "limits", "setup"),
    "kind twice": (["answers", "answers"], "kind"),
    "scripts and others": (["scripts", "answers"], "kind"),
    "no kinds": ([], "kind"),
    "limits of the set": (1.0e9, "limits", "quiz", "instructions"),
    "files of another kind": (["{record}.txt"], "answers", "files"),
    "input without record": (["a.txt"], "inputs"),
    "input above the folder": (["../{record}.txt"], "inputs"),
    "input with an empty part": (["a//{record}.txt"], "inputs"),
    "input with other braces": (["{record}{x}.txt"], "inputs"),
    "input of another form": (["{record!r:>99}.txt"], "inputs"),
}
"""Value, and the keys that lead to its place."""


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistake_is_named_once(mistake: str, tmp_path: Path) -> None:
    write_skeleton(tmp_path / "hearts", Kind.SCRIPTS)
    file = tmp_path / "hearts" / "challenge.yaml"
    values = section = load_document(file).value
    value, *keys, last = MISTAKES[mistake]
    for key in keys:
        section = section.setdefault(key, {})
    section[last] = value
    if value is GONE:
        del section[last]
    file.write_text(yaml.safe_dump(values))
    (problem,) = read_challenge(tmp_path / "hearts")[1]
    assert re.match(rf"{re.escape(str(file))}:\d+: ", problem)
