"""Words in every place of a challenge's folder that is not public: none of them leaves by any way."""

import io
import shutil
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.types import Challenge
from evaluate.core.codec import to_json
from evaluate.core.files import sha256_file
from evaluate.core.model import Note, RecordOutcome, Score, Stage, StageOutcome, StageResult, Usage, Verdict
from evaluate.operate.notify import _team_text, notices
from evaluate.stages.score import score_answers
from evaluate.store.db.reasons import ended_with
from evaluate.store.db.rows import State, to_row
from evaluate.store.entries.store import Store
from evaluate.store.files.stage_folders import archive_of, work_folder
from evaluate.views.feedback import charge
from tests.support.challenges import hidden
from tests.support.commands import printed
from tests.support.crawler import walked
from tests.support.queues import keep_result, keep_score, sign, upload
from tests.support.sites import ANN, HIDDEN, Site_

WORD = "canary"
PUBLIC = {"challenge.yaml", "README.md", "sample_data/validation"}
"""Files that belong to everybody."""


def planted(folder: Path) -> Challenge:
    """The hidden challenge with a word of its own in every file, and files that nobody names."""
    hidden(folder, metric="own.py", allow_tcg_exam=True)
    test = folder / "sample_data" / "test"
    names = (test / "RECORDS").read_text().split()
    for n, name in enumerate(names):  # the names of hidden records are secret themselves
        for path in sorted(test.glob(f"{name}.*")):
            text = path.read_bytes().replace(name.encode(), f"{WORD}{n}".encode())
            path.with_name(f"{WORD}{n}{path.suffix}").write_bytes(text)
            path.unlink()
        for path in (test / "RECORDS", test / "REFERENCE.csv"):
            path.write_text(path.read_text().replace(name, f"{WORD}{n}"))
    (folder / "own.py").write_text(
        f"# {WORD}-metric\nimport metrics\n\n\nclass Own:\n    name, has_official = 'own', False\n\n"
        "    def score(self, references, answers, **more):\n        print(open(references).read())\n"
        "        return metrics.get('cinc2017').score(references, answers, **more)\n\n\nMETRIC = Own()\n"
    )
    unnamed = {
        "make_sample_data.py": "seed = ",
        "old/REFERENCE.csv": "",
        "REFERENCE.csv~": "",
        ".git/config": "",
        "sample_data/REFERENCE.old.csv": "",
        "sample_data/validation/REFERENCE.all.csv": "",
        "sample_data/validation/notes.txt": "",
        "sample_entry/answers.csv": "",
        "bad_entries/more/expect.yaml": "# ",
        "reports/metric.log": "",
    }
    for name, before in unnamed.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{before}{WORD}-{name.replace('/', '-')}\n{WORD}0,N\n")
    return load_challenge(str(folder))


def judged(site: Site_, challenge: Challenge) -> str:
    """An entry that has ended, whose stages, records, notes and metric said what they know."""
    store, state, name = site.store, site.state, str(challenge.folder)
    content = state.parent / "red.zip"
    content.write_bytes(b"an entry")
    ((identity, _),) = store.submit([{**upload("red", 0, name), "sha256": sha256_file(content)}])
    (entry,) = store.next_entries(1)
    archive = archive_of(state, entry.sha256)
    archive.parent.mkdir(parents=True)
    shutil.copy(content, archive)
    answers = work_folder(state, entry) / "exam"
    answers.mkdir(parents=True)
    truth = challenge.exam.references
    assert truth is not None
    shutil.copy(truth, answers / "answers.txt")
    scored = score_answers(challenge, challenge.exam, answers)
    assert scored.score is not None and WORD in scored.result.diagnostics
    noted = Score(**{**vars(scored.score), "notes": (Note(text=f"{WORD}-note"), Note(text=WORD, record=f"{WORD}0"))})
    used = Usage(instructions=1000, wall_seconds=1.0)
    records = tuple(
        RecordOutcome(record=name, verdict=Verdict.OK, usage=used, answer=f"{WORD}-answer", message=f"{WORD}-said")
        for name in challenge.exam.records
    )
    exam = StageResult(
        stage=Stage.EXAM, verdict=Verdict.OK, records=records, usage=used, message=WORD, diagnostics=WORD, reason=WORD
    )
    for outcome in (StageOutcome(result=exam), StageOutcome(result=scored.result, score=noted)):
        store.move(identity, State(outcome.result.stage.value))
        charge(site.site.config, store, store.entry(identity), "d" * 64)
        keep_result(store, identity, 1, outcome.result.stage.value, to_row(outcome))
    keep_score(store, identity, 1, to_json(noted))
    sign(store, state, store.entry(identity), site.site.config)
    store.move(identity, State.DONE, ended_with("OK"))
    return identity


def ways_out(site: Site_, store: Store, identity: str, folder: Path) -> Iterator[tuple[str, bytes]]:
    """Everything that a team or the public may have."""
    state = site.state

    def run(*argv: str | Path) -> bytes:
        return printed(state, *argv).encode()

    run("log", "export", folder / "export")
    run("report", identity, "--html", folder / "report.html")
    yield "report", run("report", identity)
    yield "json", run("report", identity, "--json")
    yield "board", run("board", HIDDEN)
    yield "board as JSON", run("board", HIDDEN, "--json")
    run("board", HIDDEN, "--html", folder / "board.html")
    yield "seal", run("challenge", "seal", HIDDEN, "--json")
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield str(path), path.read_bytes()
    for notice in notices(store, site.site.config, 0):
        yield "mail", _team_text(notice).encode()
    for address in (ANN, ""):
        with site.client(address, raise_server_exceptions=False) as client:
            for page in walked(store, client, HIDDEN):
                yield f"{address} {page.url}", page.content


def contents(data: bytes) -> Iterator[bytes]:
    """The bytes, and those of the files in an archive."""
    yield data
    with suppress(zipfile.BadZipFile), zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name in archive.namelist():
            yield name.encode() + b"\n" + archive.read(name)


@pytest.mark.slow
def test_no_word_of_the_folder_leaves_by_any_way(site: Site_, tmp_path: Path) -> None:
    challenge = planted(tmp_path / HIDDEN)
    site.configure(challenges={HIDDEN: {"folder": str(challenge.folder)}})
    identity = judged(site, challenge)
    (tmp_path / "out").mkdir()
    ways = list(ways_out(site, site.store, identity, tmp_path / "out"))
    leaked = [way for way, data in ways if any(WORD.encode() in part for part in contents(data))]
    assert leaked == []
    assert len(ways) > 100 and any(way == "mail" for way, _ in ways)


def test_a_quiz_whose_lists_name_hidden_records_has_no_public_folder(tmp_path: Path) -> None:
    from evaluate.core.errors import UsageError
    from evaluate.home.public_folder import public_files

    challenge = planted(tmp_path / HIDDEN)
    assert not [name for name, _ in public_files(challenge) if not name.startswith(tuple(PUBLIC))]
    references = challenge.quiz.references
    assert references is not None
    references.write_text(references.read_text() + f"{WORD}0,N\n")
    with pytest.raises(UsageError, match="names record canary0 of the hidden exam"):
        list(public_files(challenge))
