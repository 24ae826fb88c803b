"""Definitions and archives that were written to harm, or by somebody who did not look, are refused by their names."""

from __future__ import annotations

import re
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from evaluate.authoring.imports import base, import_challenge
from evaluate.authoring.imports.base import unpacked
from evaluate.core.errors import ChallengeError, UsageError
from tests.support import bundles
from tests.support.scorers import written

pytestmark = pytest.mark.slow

LONG = "x" * 5000


def refused(form: str, source: Path, tmp: Path, wish: str) -> None:
    """It is, and nothing is left."""
    with pytest.raises(ChallengeError, match=wish):
        import_challenge(form, source, tmp / "to" / "challenge")
    assert not list((tmp / "to").glob("*")) and not list((tmp / "to").glob(".*"))


FILES: dict[str, tuple[Callable[[Path], Path], str, Callable[[Any], str]]] = {
    "codabench": (bundles.codabench, "competition.yaml", lambda said: yaml.safe_dump(said, sort_keys=False)),
}
GONE = object()


def changed(form: str, folder: Path, where: tuple[Any, ...], value: Any) -> Path:
    """A definition of this form with another value at this place; its file."""
    make, name, dumped = FILES[form]
    path = make(folder) / name
    said = yaml.safe_load(path.read_text())
    place = said
    for key in where[:-1]:
        place = place[key]
    if value is GONE:
        del place[where[-1]]
    else:
        place[where[-1]] = value
    path.write_text(dumped(said))
    return path


@pytest.mark.parametrize(
    ("form", "where", "value", "wish"),
    [
        ("codabench", ("phases", 1, "index"), [1], "expected a whole number, found [1]"),
        ("codabench", ("phases", 1, "tasks"), True, "expected a list, found true"),
        ("codabench", ("phases", 1, "tasks"), GONE, "expected the key tasks, which is missing"),
        ("codabench", ("phases", 1, "tasks"), ["7"], "expected the index of a task (0, 1), found '7'"),
        ("codabench", ("phases", 1, "max_submissions"), "many", "expected a whole number, found 'many'"),
        ("codabench", ("phases", 1, "max_submissions"), float("inf"), "expected a whole number, found inf"),
        ("codabench", ("phases", 1, "execution_time_limit"), "nan", "expected a number, found 'nan'"),
        ("codabench", ("phases",), {"a": 1}, "expected a list, found {'a': 1}"),
        ("codabench", ("pages",), {"title": "a"}, "expected a list, found {'title': 'a'}"),
        ("codabench", ("leaderboards", 0, "columns"), [1], "expected keys and values, found 1"),
        ("codabench", ("leaderboards", 0, "columns", 0, "key"), GONE, "expected the key key, which is missing"),
        ("codabench", ("leaderboards", 0, "columns", 0, "computation_indexes"), "1,x", "expected whole numbers, as"),
        ("codabench", ("leaderboards",), GONE, "expected the key leaderboards, which is missing"),
        ("codabench", ("tasks", 1, "scoring_program"), {}, "expected a text, found {}"),
        ("codabench", ("tasks", 1, "scoring_program"), GONE, "expected the key scoring_program, which is missing"),
        ("codabench", ("tasks", 1, "scoring_program"), "a\0b", "expected the name of a file or folder of bundle"),
        ("codabench", ("tasks", 1, "scoring_program"), LONG, "expected the name of a file or folder of bundle"),
        ("codabench", ("tasks", 1, "scoring_program"), "/etc", "'/etc' leads out of bundle"),
        ("codabench", ("tasks", 1, "reference_data"), "../dev", "'../dev' leads out of bundle"),
        ("codabench", ("tasks", 1, "reference_data"), "final\\data", "expected / between folders"),
        ("codabench", ("tasks", 1, "reference_data"), ".", ".: no such folder or zip in the bundle"),
        ("codabench", ("pages", 0, "file"), "/etc/passwd", "'/etc/passwd' leads out of bundle"),
        ("codabench", ("terms",), ["a"], "expected a text, found ['a']"),
    ],
)
def test_value_of_another_type_is_refused_with_its_file_line_and_key(
    tmp_path: Path, form: str, where: tuple[Any, ...], value: Any, wish: str
) -> None:
    path = changed(form, tmp_path / "bundle", where, value)
    said = [word for word in where[-2:] if isinstance(word, str)]  # one of them is in the line that is named
    with pytest.raises(ChallengeError) as error:
        import_challenge(form, tmp_path / "bundle", tmp_path / "to" / "challenge")
    assert not list((tmp_path / "to").iterdir())
    text = str(error.value)
    found = re.search(rf"{path.name}:(\d+): ", text)
    assert found is not None and wish in text, text
    line = path.read_text().splitlines()[int(found[1]) - 1]
    assert value is GONE or any(word in line for word in said) or "- " in line or line.strip() in ("{", "["), line


def test_all_mistakes_of_a_definition_are_named_at_once(tmp_path: Path) -> None:
    path = changed("codabench", tmp_path / "bundle", ("phases", 0, "tasks"), 1)
    path.write_text(path.read_text().replace("title: Small Words", "title: [a]"))
    refused(
        "codabench", tmp_path / "bundle", tmp_path, r"yaml:2: title: expected a text(.|\n)*phases\[1\]\.tasks: expect"
    )


def test_bundle_of_the_platform_before_is_named(tmp_path: Path) -> None:
    old = {"competition.yaml": "title: Old\nphases: {1: {label: First}}\nleaderboard: {columns: {}}\n"}
    refused(
        "codabench", written(tmp_path / "old", old), tmp_path, r"competition\.yaml:2: phases: is of CodaLab, version 1"
    )


@pytest.mark.parametrize(("form", "key"), [("codabench", "title")])
def test_key_that_appears_again_is_noted_and_the_last_one_counts(tmp_path: Path, form: str, key: str) -> None:
    make, name, _ = FILES[form]
    path = make(tmp_path / "bundle") / name
    text = path.read_text()
    line = next(line for line in text.splitlines(keepends=True) if line.strip().strip('"').startswith(key))
    path.write_text(text.replace(line, line + line, 1))
    found = import_challenge(form, tmp_path / "bundle", tmp_path / "to")
    again = {one.what.rpartition(".")[2]: one.where for one in found.left_out if "appears again" in one.what}
    assert set(again) == {f"{key}, which appears again"}
    number = text.splitlines(keepends=True).index(line) + 2
    assert list(again.values()) == [f"{name}:{number}"]


@pytest.mark.parametrize(
    ("form", "text", "wish"),
    [
        ("codabench", f"phases: [{'{},' * 100_000}]\n", r"competition\.yaml:1: has more than 100000 values"),
    ],
)
def test_definition_of_a_hundred_thousand_phases_is_refused(tmp_path: Path, form: str, text: str, wish: str) -> None:
    make, name, _ = FILES[form]
    (make(tmp_path / "bundle") / name).write_text(text)
    refused(form, tmp_path / "bundle", tmp_path, wish)


@pytest.mark.parametrize("form", FILES)
@pytest.mark.parametrize("member", ["/etc/cron.d/x", "../../x", "a/../../x"])
def test_member_of_an_archive_does_not_leave_its_folder(tmp_path: Path, form: str, member: str) -> None:
    make, _, _ = FILES[form]
    source = make(tmp_path / "bundle")
    with zipfile.ZipFile(tmp_path / "bundle.zip", "w") as archive:
        for path in sorted(one for one in source.rglob("*") if one.is_file()):
            archive.write(path, path.relative_to(source))
        archive.writestr(member, "x")
    refused(form, tmp_path / "bundle.zip", tmp_path, r"bundle\.zip: ")
    assert not list(tmp_path.glob("x")) and not list(tmp_path.parent.glob("x"))


def test_mistakes_in_an_archive_are_named_by_its_name(tmp_path: Path) -> None:
    changed("codabench", tmp_path / "bundle", ("phases",), 7)
    shutil.make_archive(str(tmp_path / "bundle"), "zip", tmp_path / "bundle")
    refused(
        "codabench", tmp_path / "bundle.zip", tmp_path, r"/bundle\.zip/competition\.yaml:\d+: phases: expected a list"
    )


@pytest.mark.parametrize(
    ("form", "where", "value", "wish"),
    [
        (
            "codabench",
            ("tasks", 1, "scoring_program"),
            "/etc",
            r"bundle\.zip/competition\.yaml:\d+: .*leads out of bundle",
        ),
        (
            "codabench",
            ("phases", 1, "tasks"),
            ["7"],
            r"bundle\.zip/competition\.yaml:\d+: .*expected the index of a task",
        ),
    ],
)
def test_everything_in_an_archive_is_named_by_it(
    tmp_path: Path, form: str, where: tuple[Any, ...], value: Any, wish: str
) -> None:
    changed(form, tmp_path / "bundle", where, value)
    shutil.make_archive(str(tmp_path / "bundle"), "zip", tmp_path / "bundle")
    with pytest.raises(ChallengeError, match=wish) as error:
        import_challenge(form, tmp_path / "bundle.zip", tmp_path / "to" / "challenge")
    assert ".part" not in str(error.value) and "source" not in str(error.value)


@pytest.mark.parametrize("form", FILES)
def test_definition_that_is_a_link_to_a_file_of_this_machine_is_not_read(tmp_path: Path, form: str) -> None:
    """Its content would be quoted in what is wrong with it."""
    make, name, _ = FILES[form]
    path = make(tmp_path / "bundle") / name
    (tmp_path / "key").write_text("secret-of-the-host: 7\nchallenge: 7\nchallenge_phases: 7\n")
    path.unlink()
    path.symlink_to(tmp_path / "key")
    refused(form, tmp_path / "bundle", tmp_path, rf"{name}: is a link that leads out of bundle$")


def test_archive_in_an_archive_is_named_by_both(tmp_path: Path) -> None:
    source = bundles.codabench(tmp_path / "bundle")
    (source / "final/reference.zip").write_bytes(b"PK no zip")
    shutil.make_archive(str(tmp_path / "bundle"), "zip", source)
    refused("codabench", tmp_path / "bundle.zip", tmp_path, r"bundle\.zip/final/reference\.zip: ")


def test_folder_that_somebody_makes_meanwhile_is_not_touched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two imports at once: one wins, the other changes nothing."""
    to, finish = tmp_path / "to", base.Draft.write

    def write(draft: base.Draft, name: str, text: str) -> None:
        written(to, {"own.txt": "mine"})
        finish(draft, name, text)

    monkeypatch.setattr(base.Draft, "write", write)
    with pytest.raises(UsageError, match="to: already exists; nothing was changed"):
        import_challenge("codabench", bundles.codabench(tmp_path / "bundle"), to)
    assert [path.name for path in to.iterdir()] == ["own.txt"]


def test_key_with_a_similar_name_is_named_where_one_is_missing(tmp_path: Path) -> None:
    path = bundles.codabench(tmp_path / "bundle") / "competition.yaml"
    path.write_text(path.read_text().replace("leaderboards:", "leaderboard:"))
    with pytest.raises(ChallengeError, match="expected the key leaderboards, which is missing; there is 'leaderboard'"):
        import_challenge("codabench", tmp_path / "bundle", tmp_path / "to" / "challenge")


def test_challenge_that_fails_its_check_is_taken_away_and_named_by_its_name(tmp_path: Path) -> None:
    changed("codabench", tmp_path / "bundle", ("leaderboards", 0, "columns", 0, "key"), "")
    refused("codabench", tmp_path / "bundle", tmp_path, r"(?m)^challenge/challenge\.yaml:\d+: ")


@pytest.mark.parametrize("program", ["scoring_program", "ingestion_program"])
@pytest.mark.parametrize("text", [None, "", "commands: x\n", "description: no command\n"])
def test_program_without_a_command_is_named_before_its_first_entry(
    tmp_path: Path, program: str, text: str | None
) -> None:
    source = bundles.codabench(tmp_path / "bundle")
    (path,) = (source / program).glob("metadata*")
    path.unlink() if text is None else path.write_text(text)
    wish = rf"competition\.yaml:\d+: tasks\[2\]\.{program}: {program}/?: expected metadata\.yaml with a line `command: "
    refused("codabench", source, tmp_path, wish)


LAUGHS = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 60))


@pytest.mark.parametrize(
    ("data", "wish"),
    [
        ((LAUGHS + "title: *a59\n").encode(), "has more than 100000 values, those of its aliases"),
        (b"title: &a [*a]\nversion: 2\n", r"competition.yaml:1: title: expected a text, found \[None\]"),
        (
            bundles.COMPETITION.replace("Small", "Sm\N{LATIN SMALL LETTER A WITH DIAERESIS}ll").encode("latin-1"),
            "not UTF-8",
        ),
        (b"[" * 1_200, "nested too deep|not valid YAML"),
        (b"title: " + b"x" * (1 << 20), "expected at most 1 MiB"),
        (b"title: !!python/object/apply:os.system ['true']\n", r"yaml:1: title: expected a text, found \['true'\]"),
        (b"title: a\0b\n", "control character"),
    ],
    ids=["aliases", "within-itself", "latin-1", "deep", "huge", "object", "zero"],
)
def test_definition_that_is_no_plain_yaml_of_its_size_is_refused(tmp_path: Path, data: bytes, wish: str) -> None:
    source = bundles.codabench(tmp_path / "bundle")
    (source / "competition.yaml").write_bytes(data)
    refused("codabench", source, tmp_path, wish)


def test_archive_that_unpacks_to_more_than_there_is_room_for_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros", bytes(4 << 20))
    assert (tmp_path / "bomb.zip").stat().st_size < 1 << 14
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=4 << 20))
    with pytest.raises(ChallengeError, match=r"bomb\.zip: .*4 MiB or more; at most 2 are"):
        unpacked(tmp_path / "bomb.zip", tmp_path / "out", "bomb.zip")
    assert not list(tmp_path.glob("*out*"))


def test_sample_of_2024_is_no_perfect_channel_of_which_its_program_leaves_nothing(tmp_path: Path) -> None:
    program = {"evaluate_model.py": "def compute_snr(): ...\n"}
    found = import_challenge("physionet", written(tmp_path / "evaluation", program), tmp_path / "year")
    truth, given = (found.folder / name / "r1.dat" for name in ("labels", "sample_entry"))
    assert truth.stat().st_size == given.stat().st_size == 20 and truth.read_bytes() != given.read_bytes()
