"""Commands, most of them of the queue: exit codes, and messages that name the thing, the wish and the value."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest
import sqlalchemy as sa
from click.testing import Result

from evaluate.authoring.skeleton import write_skeleton
from evaluate.commands.host import DURATION
from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.types import Kind
from evaluate.config.types import Config, Heartbeat, within_grace
from evaluate.core.errors import UsageError
from evaluate.core.model import Stage
from evaluate.run import daemon
from evaluate.store.db.reasons import Cause, Reason
from evaluate.store.db.rows import State
from evaluate.store.db.tables import RESULTS
from evaluate.store.entries.store import Store
from tests.support.commands import run
from tests.support.crawler import without_times
from tests.support.packing import another_entry
from tests.support.queues import CHALLENGE, at_fault, by_hand, failed, judged, lease, queue, run_stages, submitted


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with queue(tmp_path) as opened:
        yield opened


@pytest.fixture
def done(store: Store, tmp_path: Path) -> str:
    """An entry that ended well with 0.74."""
    (identity,) = judged(store, tmp_path, {"red": 0.7421})
    return identity


def configure(state: Path, text: str) -> None:
    (state / "evaluate.yaml").write_text(text)


WITHHELD = f"challenges: {{{CHALLENGE}: {{scores: withheld}}}}\n"
PHASES = f"""
challenges:
  {CHALLENGE}:
    phases: [{{name: early, ends: 2020-01-01}}, {{name: late, begins: 2020-01-01}}]
"""


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ("score --challenge cinc2017 --references no.csv --answers no.txt", 2, "no.csv"),
        ("try x.zip --challenge no-such", 2, "no challenge 'no-such'"),
        ("try x.zip", 2, "expected either --challenge NAME or --contract NAME"),
        ("try x.zip --challenge cinc2017 --contract physionet-2025", 2, "expected either --challenge"),
        ("try x.zip --challenge cinc2017 --runner plain --shell", 2, "need the virtual machine"),
        ("try x.zip --challenge cinc2017 --runner plain --profile", 2, "need the virtual machine"),
        ("try x.zip --challenge cinc2017 --runner plain --receipt=r.json", 2, "need the virtual machine"),
        ("try x.zip --contract physionet-1999", 2, "expected one of physionet-2020, physionet-2021"),
        ("challenge check no-such", 2, "no challenge 'no-such': neither one of adaptor2021, camelyon16"),
        ("image build no-such", 2, "no image recipe 'no-such'"),
        ("nonsense", 2, "nonsense"),
        ("--state /dev/null/state image list", 2, "--state"),
        ("image list bookworm", 3, "evaluate image build bookworm"),
        ("image verify bookworm", 3, "evaluate image build bookworm"),
        ("challenge list", 0, "cinc2017        AF classification"),
        ("cancel e0", 2, "no entry 'e0'; 'evaluate status' lists the newest"),
        ("report e0", 2, "no entry 'e0'"),
        ("host drain grey", 2, "no host 'grey' is alive; alive are: none"),
        ("board nonsense", 2, "no challenge 'nonsense': there are adaptor2021, camelyon16"),
        (f"board {CHALLENGE} --phase early", 2, "--phase early: no such phase; there are: none"),
        (f"board {CHALLENGE} --csv /none/such/board.csv", 2, "/none/such/board.csv cannot be written: No such file"),
        ("rejudge show r1", 2, "no rejudging 'r1'; there are: none"),
        (f"rejudge start --challenge {CHALLENGE}", 2, "no entry has reached the exam and ended"),
        (f"rejudge start --challenge {CHALLENGE} --from nowhere", 2, "'nowhere' is not one of"),
        (
            f"rejudge start --challenge {CHALLENGE} --metric-only --from exam",
            2,
            "--metric-only runs the score stage alone; --from exam was asked for as well",
        ),
        ("backup /dev/null/copy", 2, "/dev/null/copy: Not a directory"),
        ("restore /none/such/copy", 2, "no backup: there is no backup.json"),
        (f"submit /none/such.zip --challenge {CHALLENGE} --team red", 2, "/none/such.zip: no such entry; expected"),
        (f"submit x.zip --challenge {CHALLENGE} --team ''", 2, "--team: expected a name"),
        ("resolve 9", 2, "no fault 9"),
        ("status e0 --faults", 2, "--faults: expected no ID"),
        ("daemon --for 1h30x", 2, "expected a number of seconds, or such as 90m"),
        ("daemon --slots 0", 2, "--slots': expected auto or a whole number from 1, found '0'"),
        ("daemon --once --free-gib nan", 2, "expected a number, found 'nan'"),
        ("daemon --once --stop-seconds inf", 2, "expected a number, found 'inf'"),
        ("challenge check kits19 --seconds inf", 2, "expected a number, found 'inf'"),
        ("resolve 99999999999999999999", 2, "no entry '99999999999999999999'"),
        ("resolve", 2, "expected a FAULT or an ID, or --all-parked"),
        ("resolve e0 --all-parked", 2, "expected a FAULT or an ID, or --all-parked"),
        ("status --team grey", 2, "--team grey: no such team; `evaluate team list` shows all"),
        ("status e0 --team grey", 2, "expected an ID, or --team and --challenge; found both"),
        ("team member grey a@example.org", 2, "no team 'grey'"),
        ("team alias grey gray", 2, "no team 'grey'"),
    ],
)
def test_mistake_is_named_and_has_its_exit_code(
    store: Store, tmp_path: Path, words: str, code: int, message: str
) -> None:
    assert message in run(tmp_path, *(word.strip("'") for word in words.split(" ")), code=code).output
    assert store.database.position().line == 0


POSTGRES = "database: postgresql+psycopg://me:secret@127.0.0.1:1/queue\nshared: /srv\n"


@pytest.mark.parametrize(
    ("text", "words", "code", "messages"),
    [
        ("slots: 0\nlog: loud\n", "status", 2, ["slots", "'loud'"]),
        (POSTGRES, "status", 3, ["127.0.0.1:1/queue"]),
        ("", "status", 3, ["queue.sqlite cannot be used"]),
        ("shared: /none/such\n", "daemon --once", 2, ["found none at /none/such"]),
    ],
)
def test_configuration_or_database_that_cannot_be_used_is_named(
    tmp_path: Path, text: str, words: str, code: int, messages: list[str]
) -> None:
    configure(tmp_path, text)
    if not text:
        (tmp_path / "queue.sqlite").write_bytes(b"no database" * 1000)
    done = run(tmp_path, *words.split())
    assert done.exit_code == code and "secret" not in done.output
    assert all(message in done.output for message in messages), done.output


def test_daemon_starts_only_if_nothing_is_wrong_with_the_challenges_of_the_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[bool] = []
    monkeypatch.setattr(daemon, "handle_signals", lambda _: None)
    monkeypatch.setattr(daemon.Daemon, "run", lambda _self, once: started.append(once) or True)
    hearts = tmp_path / "hearts"
    write_skeleton(hearts, Kind.ANSWERS)
    configure(tmp_path, "challenges: {hearts: hearts}")
    assert (run(tmp_path, "daemon", "--once").exit_code, started) == (0, [True])
    (hearts / "accuracy.py").write_text("METRIC = 5")
    assert f"{hearts / 'accuracy.py'}: METRIC: expected" in run(tmp_path, "daemon", "--once", code=2).output
    assert started == [True]
    configure(tmp_path, "slots: 2\nchallenges: {hearts: {scores: withheld}}")
    for words in ("daemon --once", f"submit {hearts / 'sample_entry'} --challenge {hearts} --team red", "board hearts"):
        done = run(tmp_path, *words.split(), code=2)
        assert f"{tmp_path / 'evaluate.yaml'}:2: challenges.hearts: these rules are for no challenge" in done.output


def test_hosts_are_listed_and_drained_over_restarts(store: Store, tmp_path: Path) -> None:
    assert run(tmp_path, "host", "list").output == "no daemon is running (evaluate daemon)\n"
    host = lease(store, "green:1")
    line = run(tmp_path, "host", "list").output
    assert re.fullmatch(r"green +active +0 of 2 slots, evaluate \S+, its lease holds for 60 minutes\n", line)
    assert run(tmp_path, "host", "drain", "green").output == "green is drained; 0 stages still running\n"
    host.leave()
    host = lease(store, "green:2")
    lease(store, "blue:1")
    shown = json.loads(run(tmp_path, "host", "list", "--json").output)
    assert [(one["name"], one["draining"], one["slots"]) for one in shown] == [("blue", False, 2), ("green", True, 2)]
    host.leave()  # and is let work while it is away
    undrain = ("host", "drain", "green", "--off")
    assert run(tmp_path, *undrain).output == "green accepts work again\n"
    assert "no host 'green' is alive; alive are: blue\n" in run(tmp_path, *undrain, code=2).output
    lease(store, "green:3")
    assert "drained" not in run(tmp_path, "host", "list").output


def test_status_of_an_entry_a_team_or_a_challenge_shows_nothing_else(store: Store, tmp_path: Path, done: str) -> None:
    assert re.findall(r"^  (\w+)", run(tmp_path, "status", done).output, re.MULTILINE) == [
        "prep",
        "quiz",
        "exam",
        "score",
    ]
    assert run(tmp_path, "status", done, "--evidence").output.endswith("\nno fault is known of attempt 1\n")
    mine, other, third = submitted(store, "Delta", "blue", "delta")
    (kidneys,) = submitted(store, "Delta", challenge="kits19")
    for words, shown in (
        (("--team", "DELTA"), [kidneys, third, mine]),
        (("--challenge", "kits19"), [kidneys]),
        (("--team", "delta", "--challenge", CHALLENGE), [third, mine]),
        ((), [kidneys, third, other, mine, done]),
    ):
        look = json.loads(run(tmp_path, "status", *words, "--json").stdout)
        assert [row["id"] for row in look["newest"]] == shown
        assert look["counts"] == {
            **look["counts"],
            "queued": len(set(shown) - {done}),
            "done": int(done in shown),
        }
        text = run(tmp_path, "status", *words).output
        assert {name for name in (mine, other, third, kidneys, done) if name in text} == set(shown)


def test_withheld_score_is_in_no_form_of_status_and_report_but_the_organisers(
    store: Store, tmp_path: Path, done: str
) -> None:
    kept = store.details.keep(json.dumps({**store.results(done, 1)[-1], "message": "F1 0.7421"}))
    by_hand(store, sa.update(RESULTS).where(RESULTS.c.stage == "score").values(result=kept))
    assert "0.7421" in run(tmp_path, "status", done).output
    configure(tmp_path, WITHHELD)
    for words in (["status", done], ["status", done, "--json"], ["report", done], ["report", done, "--json"]):
        result = run(tmp_path, *words, code=0)
        assert "0.742" not in without_times(result.output) and "has not released the scores yet" in result.output, words
    html = tmp_path / "report.html"
    assert run(tmp_path, "report", done, "--html", str(html)).exit_code == 0
    assert "0.742" not in without_times(html.read_text())
    assert "0.742" in run(tmp_path, "report", done, "--organiser").output


def test_report_has_the_exit_code_of_the_verdict_and_parked_teams_learn_nothing_of_the_challenge(
    store: Store, tmp_path: Path, done: str
) -> None:
    assert run(tmp_path, "report", done).exit_code == 0
    failed, parked = submitted(store, "blue", "green")
    assert "is next in line" in run(tmp_path, "report", failed, code=2).output
    (entry, _) = store.next_entries(2)
    run_stages(store, tmp_path, entry, last=Stage.QUIZ, verdict="RUNTIME_ERROR")
    assert run(tmp_path, "report", failed).exit_code == 1
    fault = Reason(cause=Cause.CHALLENGE, stage="score", message="REFERENCE.csv, record A00042: no label")
    store.move(parked, State.PARKED, fault, charged=False)
    result = run(tmp_path, "report", parked)
    assert (result.exit_code, "A00042" in result.output, "not at fault" in result.output) == (2, False, True)
    assert "A00042" in run(tmp_path, "report", parked, "--organiser").output
    assert "A00042" in run(tmp_path, "status", parked).output
    bad = run(tmp_path, "report", done, "--html", str(tmp_path / "none" / "x.html"))
    assert (bad.exit_code, "x.html cannot be written: No such file" in bad.output) == (2, True)


def test_board_has_its_phases_and_forms_and_says_if_scores_are_withheld(
    store: Store, tmp_path: Path, done: str
) -> None:
    (row,) = json.loads(run(tmp_path, "board", CHALLENGE, "--json").stdout)
    assert (row["rank"], row["team"], row["entry"], row["phase"]) == (1, "red", done, "")
    judged(store, tmp_path, {"<b>blue": 0.5})
    page = tmp_path / "board.html"
    configure(tmp_path, WITHHELD)
    run(tmp_path, "board", CHALLENGE, "--html", str(page))
    assert "For the organiser only" in page.read_text()
    configure(tmp_path, PHASES)
    assert json.loads(run(tmp_path, "board", CHALLENGE, "--phase", "early", "--json").stdout) == []
    for name in (CHALLENGE, str(load_challenge(CHALLENGE).folder)):
        (row, _) = json.loads(run(tmp_path, "board", name, "--phase", "late", "--json").stdout)
        assert row["phase"] == "late"
    text = run(tmp_path, "board", CHALLENGE).output
    assert f"{CHALLENGE}, phase early: no entry has a score yet" in text and "0.7421" in text
    wrong = run(tmp_path, "board", CHALLENGE, "--phase", "last")
    assert (wrong.exit_code, "--phase last: no such phase; there are: early, late" in wrong.output) == (2, True)
    csv = run(tmp_path, "board", CHALLENGE, "--csv", "-").stdout.splitlines()
    assert len(csv) == 3 and csv[0].startswith("phase,rank,team,score")
    assert run(tmp_path, "board", CHALLENGE, "--html", str(page), code=0).output == ""
    text = page.read_text()
    assert text.index("red") < text.index("&lt;b&gt;blue") and "<b>blue" not in text
    assert "0.7421" in text and "late" in text and "For the organiser only" not in text
    assert not re.search(r"(src|href)=|url\(|@import", text)


def test_report_says_whose_it_is_when_it_was_judged_and_by_which_version(
    store: Store, tmp_path: Path, done: str
) -> None:
    with store.engine.connect() as connection:
        rows = connection.execute(sa.select(RESULTS.c.stage, RESULTS.c.result)).all()
    texts = {row.stage: {**json.loads(store.details.texts([row.result])[0]), "version": "9.8.7"} for row in rows}
    kept = {stage: store.details.keep(json.dumps(text)) for stage, text in texts.items()}
    with store.change() as connection:
        connection.exec_driver_sql("update entries set submitted = 1e9, changed = 1e9 + 3600")
        for stage, text in kept.items():
            connection.execute(sa.update(RESULTS).where(RESULTS.c.stage == stage).values(result=text))
    line = "team red · submitted 2001-09-09 01:46 UTC · judged 2001-09-09 02:46 UTC · evaluate 9.8.7"
    assert line in run(tmp_path, "report", done).output.splitlines()
    html = tmp_path / "report.html"
    run(tmp_path, "report", done, "--html", str(html))
    assert line in html.read_text()
    document = json.loads(run(tmp_path, "report", done, "--json").stdout)
    assert (document["team"], document["version"]) == ("red", "9.8.7")
    assert (document["submitted"], document["judged"]) == ("2001-09-09T01:46:40+00:00", "2001-09-09T02:46:40+00:00")


def test_rejudging_from_start_to_apply(store: Store, tmp_path: Path, done: str) -> None:
    def rejudge(*words: str) -> tuple[int, str]:
        ended = run(tmp_path, "rejudge", *words)
        return ended.exit_code, ended.output

    assert rejudge("list") == (0, "nothing has been rejudged yet\n")
    assert run(tmp_path, "rejudge", "start", "--challenge", CHALLENGE).stdout == "r1\n"
    assert f"such as the one at {done}, which is queued" in rejudge("apply", "r1")[1]
    (attempt,) = store.next_rejudging_attempts(1)
    run_stages(store, tmp_path, attempt, None, first=Stage.SCORE)
    shown = json.loads(rejudge("show", "r1", "--json")[1])
    assert (shown["state"], shown["changes"][0]["score"], shown["changes"][0]["new_score"]) == ("ready", 0.7421, None)
    assert "0.7421 → none" in rejudge("show", "r1")[1] and "ready" in rejudge("list")[1]
    assert rejudge("apply", "r1") == (0, "r1 is applied: 1 entries have its results now; the earlier ones are kept\n")
    assert rejudge("apply", "r1") == (0, "r1 is already applied, to 1 entries; nothing was changed\n")
    for words in (["retry", "r1"], ["exclude", "r1", done, "--reason", "x"], ["discard", "r1"]):
        assert rejudge(*words)[0] == 2


def last_line(done: Result) -> str:
    """What is said after the list of packed files."""
    return done.stderr.splitlines()[-1]


def enter(state: Path, number: int, team: str, *more: str) -> Result:
    folder = another_entry("kits19", state / f"entry{number}", number)
    return run(state, "submit", folder, "--challenge", "kits19", "--team", team, *more)


@pytest.mark.usefixtures("stopped_clock")
def test_submit_says_team_phase_attempts_and_place_beside_the_id(tmp_path: Path) -> None:
    configure(tmp_path, "challenges: {kits19: {attempts: {day: 2}, phases: [{name: early, attempts: 3}]}}")
    words = "team Delta, phase early, {} of 3 attempts left, {} of 2 attempts left today, place {} in the queue"
    first, other = enter(tmp_path, 1, "Delta"), enter(tmp_path, 2, "delta")
    assert first.exit_code == 0 and re.fullmatch(r"e[0-9a-f]{12}\n", first.stdout)
    assert [last_line(done) for done in (first, other)] == [words.format(2, 1, 1), words.format(1, 0, 2)]
    same = enter(tmp_path, 2, "DELTA")
    assert same.stdout == other.stdout
    assert "this archive was submitted before by team Delta: it is the same entry\nteam Delta" in same.stderr
    assert json.loads(enter(tmp_path, 1, "Delta", "--json").stdout) == {
        "id": first.stdout.strip(),
        "new": False,
        "team": "Delta",
        "state": "queued",
        "phase": "early",
        "attempts_left": 0,
        "place": 1,
    }


def test_fault_of_the_infrastructure_at_submit_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store: Store
) -> None:
    another_entry("kits19", tmp_path / "entry1", 1)
    full = Mock(side_effect=OSError(28, "No space left on device", "/var/lib/evaluate/entries"))
    with monkeypatch.context() as patched:
        patched.setattr(shutil, "copyfile", full)
        done = enter(tmp_path, 1, "red")
    assert (done.exit_code, done.stdout) == (3, "")
    assert last_line(done) == "evaluate: /var/lib/evaluate/entries: No space left on device; free some, and try again"
    by_hand(store, "alter table entries rename to away")
    done = enter(tmp_path, 1, "red")
    assert (done.exit_code, done.stdout) == (3, "")
    assert last_line(done) == "evaluate: the database cannot be used: no such table: entries"


def test_all_parked_entries_go_back_at_once_and_none_that_was_cancelled(store: Store, tmp_path: Path) -> None:
    ours = submitted(store, "red", "blue")
    for identity in ours:
        store.move(identity, State.PARKED, at_fault("no libvirt"))
    (waiting,) = submitted(store, "green")
    done = run(tmp_path, "resolve", "--all-parked")
    assert (done.stdout.split(), done.stderr) == (ours, "2 entries are back in the queue\n")
    assert {store.entry(name).attempt for name in ours} == {2} and store.entry(waiting).attempt == 1
    for code, message in ((0, "was cancelled"), (2, f"{waiting} is cancelled already")):
        assert message in run(tmp_path, "cancel", waiting, code=code).output
    assert run(tmp_path, "resolve", waiting).exit_code == 2
    assert run(tmp_path, "resolve", "--all-parked").stderr == "0 entries are back in the queue\n"


def test_team_is_registered_changed_and_listed(store: Store, tmp_path: Path) -> None:
    assert run(tmp_path, "team", "list").output == "there is no team yet\n"
    (entry,) = submitted(store, "The Deltas")
    run(tmp_path, "team", "add", "Delta", "--member", "ann@example.org")
    run(tmp_path, "team", "alias", "Delta", "the deltas")
    done = run(tmp_path, "team", "member", "Delta", "bob@example.org")
    assert done.output == "Delta (also the deltas)\n  ann@example.org, member\n  bob@example.org, member\n"
    assert store.entry(entry).team == "Delta"
    run(tmp_path, "team", "member", "delta", "ANN@example.org", "--role", "owner", "--person", "Ann", "--no-mail")
    run(tmp_path, "team", "member", "THE DELTAS", "bob@example.org", "--remove")
    run(tmp_path, "team", "alias", "delta", "Lab 4")
    run(tmp_path, "team", "alias", "delta", "the  deltas", "--remove")
    assert run(tmp_path, "team", "list").output == "Delta (also Lab 4)\n  ann@example.org, Ann, owner, no mail\n"
    (team,) = json.loads(run(tmp_path, "team", "list", "--json").stdout)
    assert team["members"] == [
        {"address": "ann@example.org", "name": "Ann", "role": "owner", "mail": False, "own": False}
    ]
    for wrong in (("member", "Delta", "eve@example.org", "--remove"), ("alias", "Delta", "gamma", "--remove")):
        assert run(tmp_path, "team", *wrong).exit_code == 2


def test_internal_errors_are_listed_and_resolved_with_their_entries(store: Store, tmp_path: Path) -> None:
    assert run(tmp_path, "status", "--faults").stdout == "no internal error is open\n"
    names = submitted(store, "red", "blue", "green")
    store.next_entries(3)
    failed(store, *names)
    store.move(names[0], State.PARKED, at_fault("KVM is gone"))
    text = run(tmp_path, "status", "--faults").stdout
    assert text.startswith("fault 1: host green failed 3 times, ")
    parts = ("prep: KVM is gone", "it accepts no new work", *names, "one\n", "two\n", "resolve 1 --requeue")
    assert [part in text for part in parts] == [True] * len(parts)
    (fault,) = json.loads(run(tmp_path, "status", "--faults", "--json").stdout)
    assert (fault["id"], fault["part"], fault["name"], fault["stopped"]) == (1, "host", "green", True)
    assert (fault["message"], fault["lines"], fault["entries"]) == ("KVM is gone", ["one", "two"], sorted(names))
    assert "internal errors: 1; stopped: host green (evaluate status --faults)" in run(tmp_path, "status").stdout
    assert run(tmp_path, "resolve", "1", "--requeue", code=0).stdout == f"{names[0]}\n"
    assert store.entry(names[0]).state is State.QUEUED


@pytest.mark.parametrize(
    ("text", "seconds"), [("90", 90.0), ("1h30m", 5400.0), ("12h", 43200.0), ("1.5d", 129600.0), ("0.5m", 30.0)]
)
def test_durations_are_read_as_people_write_them(text: str, seconds: float) -> None:
    assert DURATION.convert(text, None, None) == seconds


def test_lease_of_a_daemon_for_a_time_is_within_what_running_stages_have_to_end(tmp_path: Path) -> None:
    config = within_grace(Config(stop_seconds=30))
    assert config.heartbeat.ttl_seconds == 30 and config.heartbeat.seconds == pytest.approx(8)
    assert within_grace(Config(stop_seconds=600)).heartbeat == Heartbeat()
    with pytest.raises(UsageError, match="stop_seconds: expected at least 7 for a lease within them, found 5"):
        within_grace(Config(stop_seconds=5))
