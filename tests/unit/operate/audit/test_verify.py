"""What is changed behind the queue's back is found, named, and put right from the journal."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from evaluate.core.errors import Fault
from evaluate.core.model import Stage
from evaluate.operate.audit import verify
from evaluate.operate.audit.dump import backup
from evaluate.operate.audit.verify import Finding
from evaluate.store.db import journal
from evaluate.store.db.database import FILE
from evaluate.store.db.tables import ACCOUNTS
from evaluate.store.entries.store import Store
from evaluate.store.files.depot import SharedFolder
from evaluate.views.rejudging import start
from tests.support.queues import CHALLENGE, by_hand, judged, keep_result, queue, result, run_stages, submitted

LONG = [f"A{i}" for i in range(20)]
"""Records of a result whose text is kept apart."""
DAMAGED = "the journal is damaged at line"


@pytest.fixture
def store(tmp_path: Path, queue_url: str) -> Iterator[Store]:
    with queue(tmp_path, queue_url) as store:
        judged(store, tmp_path, {"a": 0.5, "b": 0.6})
        (waiting,) = submitted(store, "c")
        keep_result(store, waiting, 1, "quiz", result(Stage.QUIZ, records=LONG))
        start(store, SharedFolder(tmp_path), CHALLENGE, Stage.SCORE)
        store.settings.keep("drain:green", "yes")
        shown = {"data": "", "number": 1, "show": "score", "digits": 3, "withheld": False}
        with store.change() as connection:
            connection.execute(sa.insert(ACCOUNTS).values(entry=waiting, **shown))
            journal.write(connection, waiting, "account", shown, 1.0)
        yield store


def findings_of(store: Store) -> str:
    return "\n".join(map(str, verify.whole(store.database)))


@pytest.mark.parametrize(
    ("statement", "finding"),
    [
        ("update scores set value = 0.99 where value = 0.6", "value is 0.99, the journal says 0.6"),
        ("update scores set score = '{}' where value = 0.6", "score is '{}', the journal says"),
        ("update entries set charged = false where team = 'a'", "charged is "),
        ("update entries set submitted = submitted - 1 where team = 'c'", "submitted is "),
        ("update entries set submitted = submitted - 1 where team = 'a'", "submitted is "),  # by the first line
        ("update results set verdict = 'TIMEOUT' where stage = 'quiz'", "verdict is 'TIMEOUT', the journal says 'OK'"),
        ("update rejudging_attempts set state = 'done'", "state is 'done', the journal says 'queued'"),
        ("update settings set value = '' where key = 'drain:green'", "value is '', the journal says 'yes'"),
        ("update accounts set digits = 9", "digits is 9, the journal says 3"),
        ("delete from scores", "this row is missing; the journal has it"),
        ("delete from settings where key = 'drain:green'", "settings drain:green: this row is missing"),
        ("update journal set at = at + 1 where number = 3", f"{DAMAGED} 3: its hash chain is broken; restore a backup"),
        ("delete from journal where number = 2", f"{DAMAGED} 2: its hash chain is broken; restore a backup"),
        ("update scores set attempt = 7 where value = 0.6", " 7: this row is not in the journal"),
    ],
)
def test_change_is_named(store: Store, statement: str, finding: str) -> None:
    assert findings_of(store) == "", "nobody touched it"
    by_hand(store, statement)
    assert finding in findings_of(store)


def test_every_column_follows_from_the_journal_but_what_an_attempt_began_with(store: Store) -> None:
    with store.database.snapshot() as connection:
        replays = [replay for _, replay in verify.of_entries(connection)]
    rows = ((table, row) for table in verify.OF_ENTRIES for replay in replays for row in replay.rows(table).values())
    absent = {f"{table.name}.{column.name}" for table, row in rows for column in table.c if column.name not in row}
    assert absent == {"entries.plan", "rejudging_attempts.plan"}


@pytest.mark.parametrize("more", [0, 1, 3])
def test_first_findings_are_named_and_the_others_counted(more: int) -> None:
    findings = [
        Finding(kind="upload", where=f"u{n}", message="is gone", absent=n != 21) for n in range(verify.MOST + more)
    ]
    named = list(verify.first_of(findings, "entries", "uploads are gone"))
    assert named[: verify.MOST] == findings[: verify.MOST]
    rest = [Finding(kind="upload", where="entries", message=f"{more} more uploads are gone", absent=more == 1)]
    assert named[verify.MOST :] == (rest if more else [])


def test_of_many_changed_rows_the_first_are_named_and_the_others_counted(store: Store) -> None:
    submitted(store, *(f"team {n}" for n in range(verify.MOST)))
    many = len(store.entries())
    by_hand(store, "update entries set bytes = 11")
    by_hand(store, "update results set wall_seconds = 7 where stage = 'prep'")
    messages = [finding.message for finding in verify.whole(store.database)]
    assert messages.count("bytes is 11, the journal says 10") == verify.MOST
    assert messages.count("wall_seconds is 7.0, the journal says 0.5") == 4, "of two entries, and of a rejudging"
    assert f"{many - verify.MOST} more rows differ from the journal" in messages
    assert len(messages) == verify.MOST + 5


def test_damaged_and_missing_texts_are_named(tmp_path: Path) -> None:
    with queue(tmp_path) as store:
        (identity,) = submitted(store, "a")
        for stage in (Stage.QUIZ, Stage.EXAM):
            keep_result(store, identity, 1, stage.value, result(stage, records=LONG))
        by_hand(store, "delete from details where rowid = 1")
        by_hand(store, "update details set data = x'00'")
        assert sorted(finding.message for finding in verify.whole(store.database)) == [
            "the text is damaged; restore a backup",
            "the text is missing; restore a backup",
        ]


def test_damaged_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / FILE
    with queue(tmp_path) as store:
        (identity,) = submitted(store, "a")
        for i in range(200):
            keep_result(store, identity, i, "quiz", result(Stage.QUIZ, records=[f"A{i}{j}" for j in range(50)]))
    with sqlite3.connect(file) as connection:
        connection.execute("pragma wal_checkpoint(truncate)")
    connection.close()
    data = bytearray((file).read_bytes())
    for page in range(len(data) // 8192, len(data) // 8192 + 4):
        data[4096 * page : 4096 * page + 64] = b"\xff" * 64
    (file).write_bytes(data)
    with queue(tmp_path) as store:
        (finding,) = verify.whole(store.database)
        assert (finding.kind, finding.where) == ("file", str(file))


@pytest.mark.parametrize(("table", "column"), [("entries", "name"), ("journal", "data"), ("scores", "key")])
def test_text_that_is_none_is_named(tmp_path: Path, table: str, column: str) -> None:
    with queue(tmp_path) as store:
        (identity,) = submitted(store, "a")
        run_stages(store, tmp_path, store.entry(identity), 0.5)
        by_hand(store, f"update {table} set {column} = cast(x'c366' as text)")
        assert "a text cannot be read" in findings_of(store)


def test_file_of_a_queue_and_its_copy_are_for_their_owner_alone(store: Store, tmp_path: Path) -> None:
    backup(store, tmp_path / "copy")
    files = [tmp_path / "copy", *([] if store.database.shared else [Path(str(store.engine.url.database))])]
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}


def test_backup_of_a_queue_that_was_changed_is_refused_and_says_what_is_wrong(store: Store, tmp_path: Path) -> None:
    by_hand(store, "update scores set value = 0.99 where value = 0.6")
    with pytest.raises(Fault, match=r"value is 0\.99, the journal says 0\.6; nothing was written"):
        backup(store, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()
    by_hand(store, "update scores set value = 0.6 where value = 0.99")
    by_hand(store, "update journal set data = replace(data, 'a-0', 'z-0') where number = 1")
    with pytest.raises(Fault, match="damaged at line 1"):
        backup(store, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()
