"""`evaluate remote` against a site that is really served."""

import json
import re
import shlex
import shutil
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path
from tarfile import is_tarfile
from typing import Any

import pytest
from fastapi import Response

from evaluate import remote
from evaluate.config.challenge.cache import load_challenge
from evaluate.core.errors import Fault, UsageError
from evaluate.serve import intake
from evaluate.serve.app import make_app
from evaluate.store.db.rows import State
from evaluate.store.people.logins import Scope, make_token
from tests.conftest import CHECKOUT
from tests.support.commands import printed
from tests.support.commands import run as evaluate
from tests.support.packing import pack_folder
from tests.support.queues import at_fault, by_hand, queue, run_stages, upload
from tests.support.served import served
from tests.support.sites import ANN, BOB, Site_
from tests.unit.serve.test_uploads import taken_in
from tests.unit.untrusted.test_packing import CANARIES, content, git

pytestmark = pytest.mark.slow

SAMPLE = load_challenge("kits19").folder / "sample_entry"


class Cuts:
    """A site that breaks off some requests: what an unsteady network does to an upload."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self.left = 0
        self.seen: list[str] = []

    async def __call__(
        self, scope: dict[str, Any], receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]
    ) -> None:
        if scope["type"] == "http":
            self.seen.append(scope["method"])
            if scope["method"] == "PATCH" and self.left:
                self.left -= 1
                await Response(status_code=502)(scope, receive, send)
                return
        await self._app(scope, receive, send)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site_]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("EVALUATE_TOKEN", raising=False)
    monkeypatch.delenv("EVALUATE_SERVER", raising=False)
    monkeypatch.setattr(remote, "FIRST_WAIT", 0.01)
    monkeypatch.setattr(remote, "POLL_SECONDS", 0.02)
    with queue(tmp_path / "state") as store:
        yield Site_(tmp_path / "state", store)


@pytest.fixture
def cuts(site: Site_) -> Cuts:
    return Cuts(make_app(site.site))


@pytest.fixture
def server(site: Site_, cuts: Cuts) -> Iterator[str]:
    with served(site, cuts) as address:
        yield address


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """An entry to kits19 that passes."""
    return pack_folder(SAMPLE, tmp_path / "mine.tar.gz")


def token(site: Site_, address: str = ANN, *scopes: Scope) -> str:
    return make_token(site.store.database, address, "test", scopes or (Scope.READ, Scope.SUBMIT), 1.0)[1]


run = partial(evaluate, None, "remote")


def login(site: Site_, server: str, address: str = ANN) -> None:
    assert run("login", server, "--token", token(site, address)).exit_code == 0


def test_login_keeps_the_token_for_this_user_alone_and_the_environment_goes_before_it(
    site: Site_, server: str, tmp_path: Path
) -> None:
    mine, other = site.scored("red"), site.scored("blue", n=1)
    done = run("login", server, input=f"{token(site)}\n")
    assert (done.exit_code, done.stderr) == (0, f"logged in at {server} as {ANN}, team red\n")
    kept = tmp_path / "config" / "evaluate" / "remote.json"
    assert (kept.stat().st_mode & 0o777, kept.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert [name in run("status").stdout for name in (mine, other)] == [True, False]
    env = {"EVALUATE_TOKEN": token(site, BOB), "EVALUATE_SERVER": server}
    assert [name in run("status", env=env).stdout for name in (mine, other)] == [False, True]
    kept.write_text("[]")
    assert f"{kept} is damaged" in run("status", code=2).stderr


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ("login SERVER --token wrong", 2, "the token is invalid"),
        ("login http://challenge.example.org --token x", 2, "expected https://"),
        ("status --server challenge.example.org", 2, "expected an address such as https://"),
        ("status --server https://[challenge", 2, "expected an address such as https://"),
        ("status --server https://chałłenge..org", 2, "expected an address such as https://"),
        ("status --server https://challenge.example.org:0x", 2, "expected an address such as https://"),
        ("status", 2, "EVALUATE_SERVER"),
        ("status --server http://127.0.0.1:9", 3, "cannot be reached"),
    ],
)
def test_site_that_cannot_be_used_is_named_and_nothing_is_kept(
    site: Site_, server: str, tmp_path: Path, words: str, code: int, message: str
) -> None:
    assert message in run(*words.replace("SERVER", server).split(), code=code).stderr
    assert not (tmp_path / "config" / "evaluate" / "remote.json").exists()


def test_answers_of_others_than_a_site_are_faults_and_no_redirect_gets_the_token(site: Site_, server: str) -> None:
    with pytest.raises(UsageError, match="303"):
        remote.Server(server).get("/entries")
    with pytest.raises(Fault, match="is it a site of evaluate"):
        _ = remote.Server(server).get("/login").json


@pytest.mark.parametrize(
    "headers", [{}, {"location": ".evil.example/1"}, {"location": "/uploads/1", "upload-offset": "-"}]
)
def test_upload_to_others_than_a_site_is_a_fault(site: Site_, archive: Path, headers: dict[str, str]) -> None:
    portal = Response("please log in to this network", headers=headers)
    with served(site, portal) as address, pytest.raises(Fault, match=r"is it a site of evaluate\?; run the command"):
        remote.Server(address, "a").upload(archive, "kits19", "red")


@pytest.mark.parametrize(
    "answer", ["[]", "{}", "5", '"text"', '{"teams": 5, "items": [{}], "state": [], "id": "\\u001b"}']
)
@pytest.mark.parametrize("words", ["login SERVER --token x", "status", "status e1", "status e1 --wait", "report e1"])
def test_json_of_others_than_a_site_is_a_fault(site: Site_, words: str, answer: str) -> None:
    with served(site, Response(answer)) as address:
        env = {"EVALUATE_SERVER": address, "EVALUATE_TOKEN": "x"}
        done = run(*words.replace("SERVER", address).split(), env=env, code=3)
    assert "is it a site of evaluate?" in done.stderr and not done.stdout


def test_token_of_the_environment_may_end_with_a_line_and_is_never_repeated(site: Site_, server: str) -> None:
    mine = site.scored("red")
    assert mine in run("status", env={"EVALUATE_SERVER": server, "EVALUATE_TOKEN": f"{token(site)}\n"}).stdout
    for odd in ("ev_a\nb", "ev_\N{KELVIN SIGN}"):
        done = run("status", env={"EVALUATE_SERVER": server, "EVALUATE_TOKEN": odd}, code=2)
        assert "expected a token" in done.stderr and "ev_" not in done.output


def test_login_during_an_upload_is_kept(site: Site_, server: str, archive: Path) -> None:
    def another(_bytes: int) -> None:
        with remote.RemoteState.changed() as kept:
            kept.tokens["https://challenge.example.org"] = "x"

    login(site, server)
    remote.Server(server, token(site)).upload(archive, "kits19", "red", another)
    assert remote.RemoteState.read().tokens.keys() == {server, "https://challenge.example.org"}


def test_archive_is_uploaded_once_and_its_id_alone_is_printed(site: Site_, server: str, archive: Path) -> None:
    phases = [{"name": "final", "begins": "2020-01-01T00:00:00Z", "attempts": 3}]
    site.configure(challenges={"kits19": {"phases": phases}})
    login(site, server)
    done = run("submit", archive, "--challenge", "kits19")
    (entry,) = site.store.entries()
    words = "team red, phase final, 2 of 3 attempts left, place 1 in the queue\n"
    assert (done.exit_code, done.stdout, done.stderr) == (0, f"{entry.id}\n", words)
    assert (entry.team, entry.name, entry.bytes) == ("red", "mine.tar.gz", archive.stat().st_size)
    again = json.loads(run("submit", archive, "--challenge", "kits19", "--json").stdout)
    assert (again["id"], again["new"]) == (entry.id, False)
    words = f"this archive was submitted before by team red: it is the same entry\n{words}"
    assert run("submit", archive, "--challenge", "kits19").stderr == words
    assert evaluate(site.state, "submit", archive, "--challenge", "kits19", "--team", "red").stderr == words
    (begun,) = site.store.next_entries(1)
    run_stages(site.store, site.state, begun, verdict="WALL_LIMIT")
    done = run("submit", archive, "--challenge", "kits19", "--wait")
    assert (done.exit_code, done.stdout) == (1, f"{entry.id}\n")
    assert "WALL_LIMIT" in done.stderr.splitlines()[-1]


def test_what_cannot_be_submitted_is_refused_as_on_the_server(site: Site_, server: str, archive: Path) -> None:
    login(site, server)
    bad = archive.with_name("bad.zip")
    bad.write_text("no archive")
    here = evaluate(site.state, "submit", bad, "--challenge", "kits19", "--team", "red")
    there = run("submit", bad, "--challenge", "kits19")
    assert here.exit_code == there.exit_code == 1
    assert here.stderr == there.stderr != ""
    reader = {"EVALUATE_TOKEN": token(site, ANN, Scope.READ)}
    for entry, challenge, env, message in (
        (archive, "none", {}, "no challenge 'none'"),
        ("http://example.org/a.git", "kits19", {}, "http"),
        (archive, "kits19", reader, "needs the scope submit"),
    ):
        assert message in run("submit", entry, "--challenge", challenge, env=env, code=2).stderr


@pytest.mark.parametrize("forgotten", [False, True])
def test_upload_that_was_given_up_goes_on_when_the_command_is_run_again(
    site: Site_, server: str, cuts: Cuts, archive: Path, monkeypatch: pytest.MonkeyPatch, *, forgotten: bool
) -> None:
    login(site, server)
    monkeypatch.setattr(remote, "_TRIES", 2)
    cuts.left = 2
    assert "the upload resumes" in run("submit", archive, "--challenge", "kits19", code=3).stderr
    begun = cuts.seen.count("POST")
    if forgotten:
        with remote.RemoteState.changed() as kept:
            kept.uploads = dict.fromkeys(kept.uploads, "/uploads/gone")
    assert run("submit", archive, "--challenge", "kits19").exit_code == 0
    assert cuts.seen.count("POST") == begun + forgotten, "a second upload is begun only if the first is gone"
    assert remote.RemoteState.read().uploads == {}


@pytest.mark.parametrize(("ending", "code"), [("OK", 0), ("WALL_LIMIT", 1), ("parked", 3), ("cancelled", 2)])
def test_waiting_for_an_entry_ends_with_its_exit_code(site: Site_, server: str, ending: str, code: int) -> None:
    site.store.submit([upload("red", 0, "kits19")])
    (entry,) = site.store.next_entries(1)
    if ending == "parked":
        site.store.move(entry.id, State.PARKED, at_fault("the disk is full"), attempt=entry.attempt)
    elif ending == "cancelled":
        site.store.cancel(entry.id)
    else:
        run_stages(site.store, site.state, entry, verdict=ending)
    login(site, server)
    done = run("status", entry.id, "--wait", "--json")
    assert (done.exit_code, json.loads(done.stdout)["id"]) == (code, entry.id)
    if code < 2:
        assert json.loads(done.stdout)["verdict"] == ending and run("report", entry.id).exit_code == code


def test_upload_goes_on_after_cuts_where_it_stopped(
    site: Site_, server: str, cuts: Cuts, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    login(site, server)
    monkeypatch.setattr(remote, "_CHUNK", archive.stat().st_size // 3 + 1)
    cuts.left = 2
    assert run("submit", archive, "--challenge", "kits19").exit_code == 0
    assert cuts.seen.count("PATCH") == 3 + 2 and cuts.seen.count("HEAD") == 2
    assert len(site.store.entries()) == 1


def test_archive_that_shrinks_while_it_is_sent_is_named(
    site: Site_, server: str, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = archive.stat().st_size
    monkeypatch.setattr(remote, "_CHUNK", size // 2)

    def cut(_bytes: int) -> None:
        with archive.open("r+b") as file:
            file.truncate(size // 2)

    with pytest.raises(UsageError, match=f"expected {size} bytes, found {size // 2}"):
        remote.Server(server, token(site)).upload(archive, "kits19", "red", cut)


def test_upload_that_the_site_cannot_check_now_ends_with_3_and_is_the_same_when_the_command_is_run_again(
    site: Site_, server: str, cuts: Cuts, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    login(site, server)
    monkeypatch.setattr(remote, "_TRIES", 2)
    with monkeypatch.context() as failing:
        failing.setattr(intake, "submit", lambda *_, **__: (_ for _ in ()).throw(Fault("the disk is full")))
        done = run("submit", archive, "--challenge", "kits19")
        assert (done.exit_code, "run the command again" in done.stderr) == (3, True)
        assert "disk is full" not in done.stderr
    by_hand(site.store, "update uploads set again = 0")
    taken_in(site.site)
    begun = cuts.seen.count("POST")
    assert run("submit", archive, "--challenge", "kits19").exit_code == 0
    assert cuts.seen.count("POST") == begun and "PATCH" not in cuts.seen[-3:]
    assert (len(site.store.entries()), remote.RemoteState.read().uploads) == (1, {})


def test_status_report_and_board_say_what_they_say_on_the_server(site: Site_, server: str, tmp_path: Path) -> None:
    identity, other = site.scored("red", 0.625), site.scored("blue", n=1)
    login(site, server)
    assert (
        run("status", identity).stdout.splitlines()[1:]
        == evaluate(site.state, "status", identity).stdout.splitlines()[1:]
    )
    for words in (["report", identity], ["board", "kits19"]):
        assert run(*words).stdout == evaluate(site.state, *words).stdout
    for words in (["report", identity, "--json"], ["board", "kits19", "--json"]):
        assert json.loads(run(*words).stdout) == json.loads(evaluate(site.state, *words).stdout)
    assert "it is not your team's" in run("report", other, code=2).stderr
    page = tmp_path / "report.html"
    assert run("report", identity, "--html", page).exit_code == 0
    assert page.read_text().startswith("<!doctype html>")


def test_commands_of_the_guide_do_what_it_says(
    site: Site_, server: str, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = re.findall(r"^evaluate remote (.*)$", (CHECKOUT / "docs" / "web.md").read_text(), re.MULTILINE)
    assert len(lines) == 7
    monkeypatch.chdir(archive.parent)
    archive.rename("entry.zip")
    secret, identity = token(site), site.scored("red")
    names = {"https://challenge.example.org": server, "cinc2017": "kits19", "ID": identity, ".": SAMPLE}
    for line in lines:
        words = [names.get(word, word) for word in shlex.split(line) if word != "--wait" or "ID" in line]
        assert run(*words, input=f"{secret}\n").exit_code == 0, line
    assert Path("report.html").is_file()


def test_no_canary_of_a_folder_leaves_it_by_any_command(
    site: Site_, server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Words in every place that the tests of packing know, all tracked by git that git would track."""
    login(site, server)
    folder = tmp_path / "mine"
    shutil.copytree(SAMPLE, folder)
    for name in CANARIES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"CANARY {name}\n")
    (folder / "state" / "receipt-log").mkdir()
    (folder / "kept-here").mkdir()
    (folder / "kept-here" / "notes").write_text("CANARY of a state directory that only its option names\n")
    (folder / ".git" / "config").unlink()
    git(folder, "init", "--quiet")
    git(folder, "add", "--force", "--all", "--", ".", ":!vendor")
    with (folder / ".git" / "config").open("a") as config:
        config.write("# CANARY\n")
    monkeypatch.chdir(folder)
    evaluate(folder / "kept-here", "remote", "submit", ".", "--challenge", "kits19", "--all-files", code=0)
    shutil.rmtree("kept-here")
    for words in (["submit", ".", "--team", "red"], ["try", ".", "--keep", str(tmp_path / "kept")]):
        printed(tmp_path / "own", *words, "--challenge", "kits19", "--all-files")
    sent = [path for top in (site.state, tmp_path / "own") for path in (top / "entries").rglob("*") if path.is_file()]
    assert len(sent) >= 2
    for path in [*sent, *(tmp_path / "kept").rglob("*.*")]:
        assert "CANARY" not in (content(path) if is_tarfile(path) else path.read_text(errors="replace")), path
