"""challenge.yaml, record sets, and the organiser's check."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evaluate.authoring.check import check_challenge
from evaluate.authoring.skeleton import write_skeleton
from evaluate.config.challenge import cache
from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.load import read_challenge, record_set
from evaluate.config.challenge.types import Challenge, Kind
from evaluate.core.errors import ChallengeError, UsageError
from evaluate.core.files import data_folder, sha256_file
from evaluate.core.model import MIB, Stage, Verdict
from evaluate.home.measure import assemble_entry
from evaluate.home.public_folder import public_files, public_folder
from evaluate.home.trial import with_records
from evaluate.receipts.statement import Committer, challenge_digests
from tests.support.oci_images import docker_save, layer
from tests.support.two_exams import two_exams

SOURCE = data_folder("challenges") / "cinc2017"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of cinc2017 to spoil."""
    return Path(shutil.copytree(SOURCE, tmp_path / "mine"))


def spoil(folder: Path, before: str, after: str) -> None:
    path = folder / "challenge.yaml"
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after))


def test_limits_and_records_of_cinc2017() -> None:
    challenge = load_challenge("cinc2017")
    assert challenge.limits["quiz"].instructions == 60_000_000_000
    assert challenge.limits["setup"].instructions == 600_000_000_000
    assert challenge.limits["exam"].wall_seconds == 600
    assert challenge.sizes.home_bytes == 2048 * MIB
    assert challenge.answers.labels == ("N", "A", "O", "~")
    assert (len(challenge.quiz.records), len(challenge.exam.records)) == (8, 12)
    assert list(challenge.exam.files("T00001")) == ["T00001.hea", "T00001.mat"]


def test_stage_has_a_machine_of_its_own_or_that_of_the_challenge(folder: Path) -> None:
    def machines() -> list[tuple[int, int, int]]:
        """Processors, GiB of the machine, MiB of the command."""
        challenge = load_challenge(str(folder))
        stages = {Stage.PREP: "setup", Stage.QUIZ: "quiz", Stage.EXAM: "exam"}
        sizes = {name: challenge.sizes_of(stage) for stage, name in stages.items()}
        commands = {name: challenge.limits[name].memory_bytes // MIB for name in sizes}
        return [(one.processors, one.memory_bytes // (1024 * MIB), commands[name]) for name, one in sizes.items()]

    assert machines() == [(1, 2, 1536)] * 3
    with (folder / "challenge.yaml").open("a") as file:
        file.write("processors: 2\nmemory: 4 GiB\n")
    assert machines() == [(2, 4, 3584)] * 3
    spoil(folder, "  exam: {instructions", "  exam: {processors: 4, memory: 8192 MiB, memory_mib: 700, instructions")
    assert machines() == [(2, 4, 3584), (2, 4, 3584), (4, 8, 700)]
    spoil(folder, "memory: 8192 MiB", "memory: 8 GB")
    with pytest.raises(ChallengeError, match=r"yaml:\d+: limits.exam.memory: expected a size of at least 1000 MiB"):
        load_challenge(str(folder))
    spoil(folder, "memory: 8 GB", "memory: 8 GiB")
    spoil(folder, "processors: 4", "processors: 17")
    with pytest.raises(
        ChallengeError, match=r"yaml:\d+: limits.exam.processors: expected a whole number from 1 to 16, "
    ):
        load_challenge(str(folder))


def test_check_finds_nothing_in_cinc2017() -> None:
    assert check_challenge(SOURCE) == []


def test_every_mistake_is_named_at_once(folder: Path) -> None:
    spoil(folder, "image: bookworm", "image: buster")
    spoil(folder, "metric: cinc2017", "metric: cinc2018")
    spoil(folder, "rules: corrected", "rule: corrected")
    spoil(folder, "wall_seconds: 1800", "wall_seconds: -1")
    spoil(folder, "kind: scripts", "kind: skripts")
    (folder / "sample_data" / "test" / "T00003.mat").unlink()
    (folder / "sample_entry" / "next.sh").unlink()
    (folder / "bad_entries" / "no_answer" / "expect.yaml").write_text("stage: quiz\nverdict: WRONG\n")
    text = "\n".join(check_challenge(folder))
    for wanted in (
        "image: expected one of bookworm, found 'buster'",
        "no metric is called 'cinc2018'",
        "unknown key 'rule'; did you mean 'rules'?",
        "wall_seconds: expected a number of seconds above 0, found -1",
        "kind: expected one of scripts, python, image, answers, or a list of them, found 'skripts'",
        "T00003.mat: missing, although",
        "next.sh: missing, a required file",
        "verdict: expected one of OK, INVALID_ENTRY",
    ):
        assert wanted in text


def test_missing_key_is_named_with_what_is_wanted(folder: Path) -> None:
    spoil(folder, "title:", "# title:")
    with pytest.raises(ChallengeError, match=r"challenge.yaml:3: key 'title' is missing; expected a line of text"):
        load_challenge(str(folder))


def test_yaml_that_cannot_be_read_is_the_organisers_fault(folder: Path) -> None:
    (folder / "challenge.yaml").write_text("a: [")
    with pytest.raises(ChallengeError, match=r"challenge\.yaml"):
        load_challenge(str(folder))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    value=st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
        max_leaves=5,
    ),
    key=st.sampled_from(["kind", "inputs", "answers", "limits", "data", "sizes", "archive", "required_files"]),
)
def test_any_value_under_any_key_is_a_challenge_or_named(folder: Path, value: object, key: str) -> None:
    import yaml

    values = yaml.safe_load((SOURCE / "challenge.yaml").read_text())
    values[key] = value
    (folder / "challenge.yaml").write_text(yaml.safe_dump(values))
    challenge, problems = read_challenge(folder)
    assert challenge is not None or problems


def test_challenge_that_is_not_there_lists_those_that_are() -> None:
    with pytest.raises(UsageError, match="cinc2017"):
        load_challenge("cinc1999")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("suffix", ["", ".hea", ".mat"])
@pytest.mark.parametrize("prefix", ["", "af/"])
def test_a_list_may_have_suffixes_folders_and_the_encoding_of_windows(
    tmp_path: Path, prefix: str, suffix: str, encoding: str
) -> None:
    for name in ("a.hea", "a.mat", "b.hea", "b.mat"):
        (tmp_path / name).touch()
    (tmp_path / "RECORDS").write_text(f"{prefix}a{suffix}\r\n{prefix}b{suffix}\r\n", encoding)
    found = record_set(tmp_path, ("{record}.hea", "{record}.mat"))
    assert found.records == ("a", "b")


def test_what_file_managers_leave_is_neither_record_nor_input(tmp_path: Path) -> None:
    for name in ("a_1.hea", "._a_1.hea", "a/x.wav", "a/._x.wav", "a/.DS_Store", "a/Thumbs.db"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    found = record_set(tmp_path, ("{record}_1.hea", "{record}/*"))
    assert (found.records, sorted(found.files("a"))) == (("a",), ["a/x.wav", "a_1.hea"])


def test_records_without_a_list_are_found_by_their_files(tmp_path: Path) -> None:
    for name in ("b.hea", "b.mat", "a.hea", "a.mat", "REFERENCE.csv"):
        (tmp_path / name).touch()
    assert record_set(tmp_path, ("{record}.hea", "{record}.mat")).records == ("a", "b")


@pytest.mark.parametrize(
    ("listing", "problem"),
    [
        ("a\r\nmissing\r\n", "missing.hea: missing, although"),
        ("9" * 300 + "\n", "999.hea: missing, although"),
        ("a\na\n", r"RECORDS:2: record a appears twice; first at .*RECORDS:1"),
        ("../a\n", "'../a' is not a valid record name"),
        ("-rf\n", "'-rf' is not a valid record name"),
        ("a;reboot\n", "not a valid record name"),
        ("", "no records"),
        ("b\xff\n", r"RECORDS:1: 'b.*' is not a valid record name"),
    ],
)
def test_wrong_record_list_is_named(tmp_path: Path, listing: str, problem: str) -> None:
    for name in ("a.hea", "a.mat"):
        (tmp_path / name).touch()
    (tmp_path / "RECORDS").write_bytes(listing.encode("latin-1"))
    with pytest.raises(ChallengeError, match=problem):
        record_set(tmp_path, ("{record}.hea", "{record}.mat"))


def test_own_records_serve_in_quiz_and_exam_with_the_references_beside_them() -> None:
    own = SOURCE / "sample_data" / "test"
    challenge = with_records(load_challenge("cinc2017"), own, None)
    assert challenge.quiz is challenge.exam
    assert challenge.exam.references == own / "REFERENCE.csv"
    assert not challenge.exam.hidden


def test_challenge_without_references_has_no_score_among_its_stages(tmp_path: Path) -> None:
    challenge = load_challenge("cinc2017")
    assert challenge.stages == (Stage.PREP, Stage.QUIZ, Stage.EXAM, Stage.SCORE)
    shutil.copytree(SOURCE / "sample_data" / "test", tmp_path / "own")
    (tmp_path / "own" / "REFERENCE.csv").unlink()
    assert with_records(challenge, tmp_path / "own", None).stages == (Stage.PREP, Stage.QUIZ, Stage.EXAM)


def test_own_records_that_are_not_there_are_wrong_usage(tmp_path: Path) -> None:
    challenge = load_challenge("cinc2017")
    with pytest.raises(UsageError, match="--records"):
        with_records(challenge, tmp_path / "none", None)
    with pytest.raises(UsageError, match="--references"):
        with_records(challenge, None, tmp_path / "none")


def test_bad_entry_is_the_sample_entry_with_its_differences(tmp_path: Path) -> None:
    challenge = replace(load_challenge("cinc2017"))
    expected = assemble_entry(challenge, "missing_next_sh", tmp_path / "entry")
    assert (expected.stage, expected.verdict) == (Stage.PREP, Verdict.INVALID_ENTRY)
    assert not (tmp_path / "entry" / "next.sh").exists()
    assert (tmp_path / "entry" / "setup.sh").exists()
    assert not (tmp_path / "entry" / "expect.yaml").exists()


def test_sample_data_are_what_their_script_makes(tmp_path: Path) -> None:
    script = tmp_path / "make_samples.py"
    shutil.copyfile(SOURCE / "make_samples.py", script)
    subprocess.run([sys.executable, script], check=True)
    made = {p.relative_to(tmp_path / "sample_data"): p.read_bytes() for p in tmp_path.rglob("sample_data/*/*")}
    kept = {p.relative_to(SOURCE / "sample_data"): p.read_bytes() for p in SOURCE.rglob("sample_data/*/*")}
    assert made == kept


def test_sample_records_are_read_by_wfdb() -> None:
    import wfdb

    record = wfdb.rdrecord(str(SOURCE / "sample_data" / "test" / "T00001"))
    assert (record.fs, record.sig_len, record.units) == (300, 3600, ["mV"])
    assert 0.8 < record.p_signal.max() < 1.5


def test_deep_nesting_is_named(tmp_path: Path) -> None:
    (tmp_path / "challenge.yaml").write_text("[" * 100_000)
    assert read_challenge(tmp_path)[1] == [f"{tmp_path / 'challenge.yaml'}: nested too deep"]


def test_many_problems_of_a_record_list_are_counted(tmp_path: Path) -> None:
    (tmp_path / "RECORDS").write_text("".join(f"r{n}\n" for n in range(30)))
    with pytest.raises(ChallengeError) as e:
        record_set(tmp_path, ("{record}.hea",))
    lines = str(e.value).splitlines()
    assert len(lines) == 21
    assert lines[-1] == f"{tmp_path / 'RECORDS'}: and 10 more problems"


def test_inputs_with_special_characters_are_names(tmp_path: Path) -> None:
    (tmp_path / "[x]a.txt").touch()
    (tmp_path / "xb.txt").touch()
    assert record_set(tmp_path, ("[x]{record}.txt",)).records == ("a",)


def test_what_cannot_be_saved_is_not_isolated_by_snapshots(folder: Path) -> None:
    assert load_challenge(str(folder)).isolation == "namespace"
    spoil(folder, "kind: scripts", "kind: scripts\nisolation: snapshot\ngpus: 1\nlicence: true")
    _, problems = read_challenge(folder)
    assert [problem.partition(": isolation: ")[2] for problem in problems] == [
        "snapshot cannot be combined with gpus: a device cannot be saved",
        "snapshot cannot be combined with licence: a connection cannot be saved",
    ]


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The folders whose challenges were read, not remembered."""
    found: list[Path] = []

    def count(folder: Path, isolation: str | None = None) -> tuple[Challenge | None, list[str]]:
        found.append(folder)
        return read_challenge(folder, isolation)

    monkeypatch.setattr(cache, "read_challenge", count)
    monkeypatch.setattr(cache, "_SETTLED_SECONDS", 0.0)
    return found


def more_keys(folder: Path) -> None:
    spoil(folder, "kind: scripts", "kind: scripts\n# a comment")


def another_record(folder: Path) -> None:
    records = load_challenge(str(folder)).exam
    first = next(iter(records.files(records.records[0]).values()))
    shutil.copy(first, first.with_name(f"another{first.suffix}"))


def a_list_of_records(folder: Path) -> None:
    records = load_challenge(str(folder)).exam
    (records.folder / "RECORDS").write_text(f"{records.records[0]}\n")


@pytest.mark.parametrize("change", [more_keys, another_record, a_list_of_records])
def test_challenge_is_read_again_when_something_of_it_has_changed(
    folder: Path, reads: list[Path], change: Callable[[Path], None]
) -> None:
    first = load_challenge(str(folder))
    assert load_challenge(str(folder)) is first
    assert len(reads) == 1
    change(folder)
    load_challenge(str(folder))
    load_challenge(str(folder))
    assert len(reads) == 2


def test_record_whose_file_is_gone_is_missed_at_once(folder: Path, reads: list[Path]) -> None:
    records = load_challenge(str(folder)).exam
    a_list_of_records(folder)
    load_challenge(str(folder))
    next(iter(records.files(records.records[0]).values())).unlink()
    with pytest.raises(ChallengeError, match="missing, although its record is in"):
        load_challenge(str(folder))


def test_what_was_touched_and_says_the_same_is_the_same_challenge(folder: Path, reads: list[Path]) -> None:
    first = load_challenge(str(folder))
    (folder / "challenge.yaml").touch()
    assert load_challenge(str(folder)) is first
    assert len(reads) == 2


def test_challenge_that_has_just_changed_is_not_remembered(folder: Path, reads: list[Path]) -> None:
    cache._SETTLED_SECONDS = 3600.0  # `reads` puts it back
    load_challenge(str(folder))
    load_challenge(str(folder))
    assert len(reads) == 2


def test_base_images_of_builds_must_be_there_and_be_images(tmp_path: Path) -> None:
    write_skeleton(tmp_path / "toy", Kind.PYTHON)
    rules, base = tmp_path / "toy" / "challenge.yaml", tmp_path / "toy" / "base.tar"
    rules.write_text(rules.read_text() + 'dockerfile:\n  build: {images: {"python:3.10-slim": base.tar}}\n')
    (problem,) = check_challenge(rules.parent)
    assert problem.endswith(f"dockerfile.build.images.python:3.10-slim: {base}: no such file")
    base.write_bytes(b"no image")
    (problem,) = check_challenge(rules.parent)
    assert "expected a container image, as 'docker save' writes it, or an OCI archive" in problem
    docker_save(base, [layer(("a", b""))], {})
    assert check_challenge(rules.parent) == []
    challenge = load_challenge(str(rules.parent))
    assert challenge.base_images == {"python:3.10-slim": base}
    digest = f"sha256:{sha256_file(base)}"
    assert challenge_digests(challenge, Committer(secret=b"0" * 32))["bases"] == {"python:3.10-slim": digest}
    assert dict(public_files(challenge))["base.tar"] == base


def test_builds_can_be_combined_with_training(tmp_path: Path) -> None:
    write_skeleton(tmp_path / "toy", Kind.PYTHON)
    rules = tmp_path / "toy" / "challenge.yaml"
    (rules.parent / "base.tar").touch()
    limits = "{instructions: 1.0e10, wall_seconds: 60}"
    rules.write_text(
        rules.read_text()
        + f"train: {{records: sample_data/validation, limits: {limits}}}\n"
        + "dockerfile:\n  build: {images: {python: base.tar}}\n"
    )
    challenge, problems = read_challenge(rules.parent)
    assert problems == [] and challenge is not None
    assert challenge.train is not None and challenge.base_images


def test_further_exams_are_records_of_their_own(tmp_path: Path) -> None:
    challenge = load_challenge(str(two_exams(tmp_path / "hearts")))
    assert {name: len(exam.records) for name, exam in challenge.exams.items()} == {"exam": 12, "final": 4}
    assert not challenge.exam.hidden and challenge.with_exam("final").exam.hidden and challenge.hides_exams
    assert challenge.hides("final") and challenge.hides("gone") and not challenge.hides("exam")
    assert check_challenge(challenge.folder) == []
    with pytest.raises(ChallengeError, match=r"data\.exams: expected 'test', which a phase .* names .*, found final"):
        challenge.with_exam("test")
    public = dict(public_folder(challenge))
    assert not any(name.startswith("sample_data/final") for name in public) and "sample_data/test/RECORDS" in public
    rules = public["challenge.yaml"]
    assert isinstance(rules, bytes) and b"final" not in rules and b"sample_data/test" in rules


@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        ({"folder": "gone"}, "data.exams.final.folder: "),
        ({"references": None}, "data.exams: expected references of every exam, or of none"),
        ({"colour": 1}, "data.exams.final: unknown key 'colour'"),
        ({"folder": "sample_data/test"}, "data.exam: 12 of its records are records of the hidden exam, such as T00001"),
    ],
)
def test_mistakes_in_further_exams_are_named(tmp_path: Path, keys: dict[str, object], problem: str) -> None:
    folder = two_exams(tmp_path / "hearts", keys)
    assert any(problem in found for found in check_challenge(folder))
