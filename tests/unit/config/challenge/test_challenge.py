"""challenge.yaml, record sets, and the organiser's check."""

import shutil
from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evaluate.authoring.check import check_challenge
from evaluate.authoring.skeleton import write_skeleton
from evaluate.config.challenge import cache
from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.load import read_challenge, record_set
from evaluate.config.challenge.types import Kind
from evaluate.core.errors import ChallengeError, UsageError
from evaluate.core.files import data_folder, sha256_file
from evaluate.core.model import MIB, Stage
from evaluate.home.public_folder import public_files, public_folder
from evaluate.home.trial import with_records
from evaluate.receipts.statement import Committer, challenge_digests
from tests.support.challenges import two_exams
from tests.support.oci_images import docker_save, layer

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


def test_stage_has_a_machine_of_its_own_or_that_of_the_challenge(folder: Path) -> None:
    def machines() -> list[tuple[int, int, int]]:
        """Processors, GiB of the machine, MiB of the command."""
        challenge = load_challenge(str(folder))
        stages = {Stage.PREP: "setup", Stage.QUIZ: "quiz", Stage.EXAM: "exam"}
        sizes = {name: challenge.sizes_of(stage) for stage, name in stages.items()}
        commands = {name: challenge.limits[name].memory_bytes // MIB for name in sizes}
        return [(size.processors, size.memory_bytes // (1024 * MIB), commands[name]) for name, size in sizes.items()]

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


def test_mistakes_of_keys_data_and_entries_are_named_at_once(folder: Path) -> None:
    spoil(folder, "image: bookworm", "image: buster")
    spoil(folder, "metric: cinc2017", "metric: cinc2018")
    (folder / "sample_data" / "test" / "T00003.mat").unlink()
    (folder / "sample_entry" / "next.sh").unlink()
    (folder / "bad_entries" / "no_answer" / "expect.yaml").write_text("stage: quiz\nverdict: WRONG\n")
    text = "\n".join(check_challenge(folder))
    for wanted in (
        "image: expected one of bookworm, found 'buster'",
        "no metric is called 'cinc2018'",
        "T00003.mat: missing, although",
        "next.sh: missing, a required file",
        "verdict: expected one of OK, INVALID_ENTRY",
    ):
        assert wanted in text


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
    values = yaml.safe_load((SOURCE / "challenge.yaml").read_text())
    values[key] = value
    (folder / "challenge.yaml").write_text(yaml.safe_dump(values))
    challenge, problems = read_challenge(folder)
    assert challenge is not None or problems


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("suffix", ["", ".hea", ".mat"])
@pytest.mark.parametrize("prefix", ["", "af/"])
def test_a_list_may_have_suffixes_folders_and_the_encoding_of_windows(
    tmp_path: Path, prefix: str, suffix: str, encoding: str
) -> None:
    for name in ("a.hea", "a.mat", "b.hea", "b.mat"):
        (tmp_path / name).touch()
    (tmp_path / "RECORDS").write_text(f"{prefix}a{suffix}\r\n{prefix}b{suffix}\r\n", encoding)
    records = record_set(tmp_path, ("{record}.hea", "{record}.mat"))
    assert records.records == ("a", "b")


LEFT = "._a_1.hea a/._x.wav a/.DS_Store a/Thumbs.db"


@pytest.mark.parametrize(
    ("names", "inputs", "records", "files"),
    [
        ("b.hea b.mat a.hea a.mat REFERENCE.csv", ("{record}.hea", "{record}.mat"), ("a", "b"), ["a.hea", "a.mat"]),
        ("[x]a.txt xb.txt", ("[x]{record}.txt",), ("a",), ["[x]a.txt"]),
        (f"a_1.hea a/x.wav {LEFT}", ("{record}_1.hea", "{record}/*"), ("a",), ["a/x.wav", "a_1.hea"]),
    ],
)
def test_records_without_a_list_are_found_by_their_files_and_not_by_what_file_managers_leave(
    tmp_path: Path, names: str, inputs: tuple[str, ...], records: tuple[str, ...], files: list[str]
) -> None:
    for name in names.split():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    found = record_set(tmp_path, inputs)
    assert (found.records, sorted(found.files("a"))) == (records, files)


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
        ("".join(f"r{n}\n" for n in range(15)), r"(.*\n){20}.*RECORDS: and 10 more problems$"),
    ],
)
def test_wrong_record_list_is_named(tmp_path: Path, listing: str, problem: str) -> None:
    for name in ("a.hea", "a.mat"):
        (tmp_path / name).touch()
    (tmp_path / "RECORDS").write_bytes(listing.encode("latin-1"))
    with pytest.raises(ChallengeError, match=problem):
        record_set(tmp_path, ("{record}.hea", "{record}.mat"))


def test_own_records_serve_in_quiz_and_exam(tmp_path: Path) -> None:
    challenge = load_challenge("cinc2017")
    changed = with_records(challenge, SOURCE / "sample_data" / "test", None)
    assert changed.quiz is changed.exam and not changed.exam.hidden
    for option, paths in (("--records", (tmp_path / "none", None)), ("--references", (None, tmp_path / "none"))):
        with pytest.raises(UsageError, match=option):
            with_records(challenge, *paths)


def test_what_cannot_be_saved_is_not_isolated_by_snapshots(folder: Path) -> None:
    assert load_challenge(str(folder)).isolation == "namespace"
    spoil(folder, "kind: scripts", "kind: scripts\nisolation: snapshot\ngpus: 1\nlicence: true")
    _, problems = read_challenge(folder)
    assert [problem.partition(": isolation: ")[2] for problem in problems] == [
        "snapshot cannot be combined with gpus: a device cannot be saved",
        "snapshot cannot be combined with licence: a connection cannot be saved",
    ]


Change = Callable[[Path], object]
CHANGES: dict[str, Change] = {
    "keys": lambda folder: spoil(folder, "kind: scripts", "kind: scripts\n# a comment"),
    "a record": lambda folder: (folder / "sample_data/test/T1.mat").touch(),
    "a list": lambda folder: (folder / "sample_data/test/RECORDS").write_text("T00001\n"),
    "times": lambda folder: (folder / "challenge.yaml").touch(),
}


@pytest.mark.parametrize("change", CHANGES)
def test_challenge_is_read_again_when_something_of_it_has_changed(
    folder: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    reader = Mock(wraps=read_challenge)
    monkeypatch.setattr(cache, "read_challenge", reader)
    monkeypatch.setattr(cache, "_SETTLED_SECONDS", 0.0)
    first = load_challenge(str(folder))
    assert load_challenge(str(folder)) is first
    assert reader.call_count == 1
    CHANGES[change](folder)
    assert (load_challenge(str(folder)) is first) == (change != "a list"), "what says the same is the same challenge"
    load_challenge(str(folder))
    assert reader.call_count == 2
    monkeypatch.setattr(cache, "_SETTLED_SECONDS", 3600.0)  # what has just changed may change again and look the same
    (folder / "challenge.yaml").touch()
    load_challenge(str(folder))
    load_challenge(str(folder))
    assert reader.call_count == 4


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
    limits = "{instructions: 1.0e10, wall_seconds: 60}"
    rules.write_text(rules.read_text() + f"train: {{records: sample_data/validation, limits: {limits}}}\n")
    assert read_challenge(rules.parent)[1] == []


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
        ({"folder": "sample_data/test"}, "data.exam: 12 of its records are records of the hidden exam, such as T00001"),
    ],
)
def test_mistakes_in_further_exams_are_named(tmp_path: Path, keys: dict[str, object], problem: str) -> None:
    folder = two_exams(tmp_path / "hearts", keys)
    assert any(problem in line for line in check_challenge(folder))
