"""What has arrived in time becomes an entry or has a reason that its team can read, whatever happens meanwhile."""

import errno
import io
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from itertools import chain, repeat
from pathlib import Path
from typing import Any
from unittest.mock import DEFAULT, Mock

import pytest
import sqlalchemy as sa
from fastapi.testclient import TestClient

from evaluate.core.errors import ChallengeError, EntryError, Fault
from evaluate.core.files import sha256_file
from evaluate.core.model import Refusal, RefusalKind
from evaluate.report.json import refusal_json
from evaluate.serve import intake, uploads
from evaluate.store.db.tables import ENTRIES
from evaluate.store.people import uploads as rows
from evaluate.untrusted.repository import Unreachable
from tests.support.queues import by_hand, queue
from tests.support.sites import ADMIN, ANN, BOB, Site_
from tests.unit.serve.test_uploads import TUS, begin, bring, person, taken_in

V1 = "/api/v1"


@pytest.fixture
def site(tmp_path: Path, queue_url: str) -> Iterator[Site_]:
    """A site on a database of each kind."""
    with queue(tmp_path / "state", queue_url) as store:
        yield Site_(tmp_path / "state", store)


def fail_first(monkeypatch: pytest.MonkeyPatch, error: Exception, times: int = 1) -> None:
    """Let so many entries fail before they are submitted, and no later ones."""
    effects = chain(repeat(error, times), repeat(DEFAULT))
    monkeypatch.setattr(intake, "submit", Mock(side_effect=effects, wraps=intake.submit))


def due_now(site: Site_) -> None:
    by_hand(site.store, "update uploads set again = 0")


def utc(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat()


@pytest.mark.parametrize(
    "error",
    [
        Fault("secret words"),
        ChallengeError("secret words"),
        OSError(28, "secret words"),
        sa.exc.InterfaceError("", {}, Exception("secret words")),
    ],
)
def test_error_of_the_infrastructure_costs_nothing_and_is_shown_to_the_organiser(
    site: Site_, archive: bytes, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    ann = site.client(ANN)
    fail_first(monkeypatch, error)
    location = begin(ann, len(archive)).headers["location"]
    bring(ann, location, 0, archive)
    body = ann.get(f"{V1}{location}").json()
    assert (body["entry"], body["error"], body["received"]) == ("", "", len(archive))
    assert "internal error" in body["delayed"] and "secret" not in str(body)
    page = ann.get(location).text
    assert "counts as submitted at" in page and "secret" not in page
    assert "secret words" in site.client(ADMIN).get("/organise").text
    by_hand(site.store, "update uploads set again = again + 3600 where again > 0")  # a busy machine may be late
    taken_in(site.site)
    assert site.store.entries() == []  # not yet
    due_now(site)
    # the phase has ended meanwhile
    site.configure(challenges={"kits19": {"phases": [{"name": "only", "ends": utc(body["arrived"] + 0.001)}]}})
    taken_in(site.site)
    (entry,) = site.store.entries()
    assert entry.submitted == body["arrived"]
    assert ann.get(location).headers["location"] == f"/entries/{entry.id}"
    assert list((site.state / uploads.FOLDER).iterdir()) == []
    assert "secret words" not in site.client(ADMIN).get("/organise").text


def test_upload_that_is_complete_after_the_end_is_refused_and_says_by_which_time(site: Site_, archive: bytes) -> None:
    ann = site.client(ANN)
    site.configure(challenges={"kits19": {"phases": [{"name": "only", "ends": utc(time.time() + 3600)}]}})
    location = begin(ann, len(archive)).headers["location"]
    site.configure(challenges={"kits19": {"phases": [{"name": "only", "ends": utc(time.time() - 1)}]}})
    bring(ann, location, 0, archive)
    assert "no phase" in ann.get(f"{V1}{location}").json()["error"]
    assert begin(ann, len(archive)).status_code == 422


def test_what_no_quota_allows_is_refused_before_its_bytes_unless_it_was_submitted_before(
    site: Site_, archive: bytes, tmp_path: Path
) -> None:
    ann = site.client(ANN)
    site.configure(challenges={"kits19": {"attempts": 1}})
    bring(ann, begin(ann, len(archive)).headers["location"], 0, archive)
    refused = begin(ann, len(archive))
    assert refused.status_code == 422 and "has 1 attempts" in refused.json()["detail"]
    refused = ann.post(f"{V1}/entries", json={"challenge": "kits19", "address": "https://example.org/x/y.git"})
    assert refused.status_code == 422 and "has 1 attempts" in refused.json()["detail"]
    by_hand(site.store, sa.update(ENTRIES).values(commit="0" * 40, name="y.git"))
    address = "https://example.org/x/y.git"
    uploads.create_address(site.site, person(site), slug="kits19", team="", address=address)
    with pytest.raises(EntryError, match="has 1 attempts"):
        uploads.create_address(site.site, person(site), slug="kits19", team="", address=address.replace("y", "z"))
    (tmp_path / "a").write_bytes(archive)
    again = begin(ann, len(archive), sha256=sha256_file(tmp_path / "a"))
    bring(ann, again.headers["location"], 0, archive)
    (entry,) = site.store.entries()
    assert ann.get(again.headers["location"]).headers["location"] == f"/entries/{entry.id}"


def complete(site: Site_, data: bytes, name: str = "entry.zip") -> rows.Upload:
    """An upload that has arrived and is not taken in yet."""
    upload = uploads.create(site.site, person(site), slug="kits19", team="", name=name, size=len(data))
    uploads.data_of(site.site, upload).write_bytes(data)
    rows.keep_received(site.store.database, upload.id, len(data), arrived=time.time())
    return current(site, upload)


def current(site: Site_, upload: rows.Upload) -> rows.Upload:
    row = rows.find_upload(site.store.database, upload.id)
    assert row is not None
    return row


def test_what_to_change_is_on_the_page_and_a_list_for_programs(
    site: Site_, archive: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusal = Refusal(
        file="Dockerfile",
        line=3,
        kind=RefusalKind.COMMAND,
        found="RUN make",
        expected="only packages are installed",
        way_out="build it at home",
    )
    fail_first(monkeypatch, EntryError(f"{refusal}\nand <b>more</b>", [refusal]), times=2)
    upload, ann = complete(site, archive), site.client(ANN)
    intake.intake(site.site, upload.id)
    page = ann.get(f"/uploads/{upload.id}").text
    assert "1 line to change" in page and "<code>RUN make</code>" in page and "build it at home" in page
    assert "and &lt;b&gt;more&lt;/b&gt;" in page and str(refusal) not in page, "each reason is there once"
    body = ann.get(f"{V1}/uploads/{upload.id}").json()
    assert body["refusals"] == [refusal_json(refusal)] and body["error"].startswith(str(refusal))
    direct = ann.post(f"{V1}/challenges/kits19/entries", content=archive)
    assert (direct.status_code, direct.json()["refusals"]) == (422, [refusal_json(refusal)])


def test_upload_whose_bytes_are_lost_is_shown_to_the_organiser_and_then_refused_with_a_reason(
    site: Site_, archive: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload = complete(site, archive)
    shutil.rmtree(uploads.folder_of(site.site, upload.id))
    taken_in(site.site)  # another process of the site may have them, or the disk may come back
    assert current(site, upload) == upload
    monkeypatch.setattr(intake, "_MISSED_SECONDS", 0.0)
    taken_in(site.site)
    assert "no process of the site has it" in site.client(ADMIN).get("/organise").text
    monkeypatch.setattr(intake, "_LOST_SECONDS", 0.0)
    due_now(site)
    taken_in(site.site)
    assert "submit it again" in site.client(ANN).get(f"{V1}/uploads/{upload.id}").json()["error"]
    uploads.sweep(site.site)
    assert current(site, upload), "its team can read why"
    assert site.store.entries() == []


def test_process_that_is_killed_after_the_entry_was_made_leaves_one_entry(
    site: Site_, archive: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload = complete(site, archive)
    monkeypatch.setattr(intake, "remove_bytes", lambda *_: None)  # killed here
    intake.intake(site.site, upload.id)
    monkeypatch.undo()
    (entry,) = site.store.entries()
    rows.refuse(site.store.database, upload.id, "too late")
    assert (current(site, upload).entry, current(site, upload).error) == (entry.id, "")
    site.store.cancel(entry.id)  # else the same archive would be the same entry anyway
    taken_in(site.site)
    assert len(site.store.entries()) == 1
    uploads.sweep(site.site)
    assert list((site.state / uploads.FOLDER).iterdir()) == []


def test_upload_that_is_held_takes_nothing_from_others_and_goes_on_then(site: Site_) -> None:
    ann = site.client(ANN)
    location = begin(ann, 5).headers["location"]
    with uploads.held(site.site, location.rpartition("/")[2]):
        assert bring(ann, location, 0, b"hel").status_code == ann.delete(location, headers=TUS).status_code == 423
    assert bring(ann, location, 0, b"hel").status_code == 204
    assert ann.patch(location, headers={**TUS, "Upload-Offset": "x"}).status_code in (400, 415)
    assert bring(ann, location, 3, b"l").status_code == 204


def test_disk_that_fills_up_stops_an_upload_which_goes_on_later(site: Site_) -> None:
    ann = site.client(ANN)
    location = begin(ann, 3 << 20).headers["location"]
    assert bring(ann, location, 0, bytes(1 << 20)).status_code == 204
    site.configure(free_gib=1e6)
    answer = bring(ann, location, 1 << 20, bytes(1 << 20))
    assert (answer.status_code, int(answer.headers["retry-after"]) > 0) == (507, True)
    assert ann.head(location, headers=TUS).headers["upload-offset"] == str(1 << 20)
    site.configure(free_gib=0)
    assert bring(ann, location, 1 << 20, bytes(1 << 20)).headers["upload-offset"] == str(2 << 20)


def test_disk_that_is_full_at_the_last_bytes_keeps_those_before(site: Site_, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, most, opened = site.client(ANN), 4 << 20, Path.open

    class File(io.FileIO):
        """A file on a disk with room for no more."""

        def write(self, data: Any) -> int:
            if self.tell() == most:
                raise OSError(errno.ENOSPC, "No space left on device")
            return super().write(data[: most - self.tell()])

    def on_the_disk(path: Path, mode: str = "r", *words: Any, **named: Any) -> Any:
        return File(path, mode) if mode == "r+b" else opened(path, mode, *words, **named)

    location = begin(ann, most + 1).headers["location"]
    monkeypatch.setattr(Path, "open", on_the_disk)
    assert bring(ann, location, 0, bytes(most + 1)).status_code == 507
    assert ann.head(location, headers=TUS).headers["upload-offset"] == str(most)


def test_form_whose_end_finds_a_full_disk_leaves_no_upload(site: Site_, monkeypatch: pytest.MonkeyPatch) -> None:
    free = iter([1 << 40])  # as it begins
    monkeypatch.setattr(uploads, "_free", lambda _site: next(free, 0))
    assert site.client(ANN).post("/challenges/kits19/upload", files={"file": ("entry.zip", b"x")}).status_code == 507
    assert rows.uploads_of(site.store.database, ("red",)) == []


def test_no_more_is_promised_than_the_disk_has(site: Site_, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "_free", lambda _site: 10_000)
    together = threading.Barrier(6)

    def ask(number: int) -> int:
        together.wait()
        return begin(site.client(ANN if number % 2 else BOB), 1000).status_code

    with ThreadPoolExecutor(6) as pool:
        statuses = sorted(pool.map(ask, range(6)))
    assert statuses == [201] * 5 + [507]
    ann = site.client(ANN)
    refused = begin(ann, 1)
    assert (refused.status_code, int(refused.headers["retry-after"]) > 0) == (507, True)
    (waiting, *_) = rows.uploads_of(site.store.database, ("red",))
    assert ann.delete(f"/uploads/{waiting.id}", headers=TUS).status_code == 204
    assert begin(ann, 1000).status_code == 201


def test_slow_repositories_keep_no_file_waiting(site: Site_, archive: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    release, submit = threading.Event(), intake.submit

    def slow(source: Any, *words: Any, **named: Any) -> Any:
        if isinstance(source, str):
            release.wait(60)
            raise EntryError("the repository is empty")
        return submit(source, *words, **named)

    monkeypatch.setattr(intake, "submit", slow)
    who = person(site)
    begun = [
        uploads.create_address(site.site, who, slug="kits19", team="", address=f"https://example.org/{n}.git")
        for n in range(rows.MOST_OPEN)
    ]
    futures = [intake.begin_intake(site.site, upload) for upload in begun]
    bob = site.client(BOB)
    location = begin(bob, len(archive)).headers["location"]
    bring(bob, location, 0, archive)
    assert [entry.team for entry in site.store.entries()] == ["blue"]
    release.set()
    for future in futures:
        future.result(60)
    ann = site.client(ANN)
    assert {ann.get(f"{V1}/uploads/{upload.id}").json()["error"] for upload in begun} == {"the repository is empty"}


def test_address_is_kept_and_fetched_again_when_its_server_was_down(
    site: Site_, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    fail_first(monkeypatch, Unreachable("example.org cannot be reached"), times=intake._MOST_FETCHES)
    ann = site.client(ANN)
    asked = {"challenge": "kits19", "address": "https://example.org/x/y.git"}
    answer = ann.post(f"{V1}/entries", json=asked)
    assert (answer.status_code, "asked again automatically" in answer.json()["detail"]) == (503, True)
    location = answer.headers["location"]
    assert "counts as submitted when it has named its newest commit" in ann.get(location).text
    assert ann.get(f"{V1}{location}").json()["arrived"] > time.time(), "the commit that counts is not known before"
    assert ann.post(f"{V1}/entries", json=asked).headers["location"] == location
    for _ in range(intake._MOST_FETCHES):
        due_now(site)
        taken_in(site.site)
    assert "could not be fetched" in ann.get(f"{V1}{location}").json()["error"]
    assert "example.org cannot be reached" in caplog.text and "Traceback" not in caplog.text
    form = ann.post("/challenges/kits19/git", data={"address": asked["address"]})
    assert form.status_code == 303


def test_shared_folder_that_is_not_there_refuses_no_address_and_a_forbidden_one_is_refused_with_its_reason(
    site: Site_, tmp_path: Path
) -> None:
    waits, forbidden = (
        uploads.create_address(site.site, person(site), slug="kits19", team="", address=f"https://{host}/x.git")
        for host in ("example.org", "127.0.0.1")
    )
    missing = tmp_path / "not mounted"
    site.configure(shared=str(missing))
    intake._take(site.site, waits)
    ann = site.client(ANN)
    body = ann.get(f"{V1}/uploads/{waits.id}").json()
    assert (body["entry"], body["error"]) == ("", "") and "internal error" in body["delayed"]
    assert str(missing) in site.client(ADMIN).get("/organise").text
    missing.mkdir()
    intake._take(site.site, forbidden)
    assert "is not a public machine" in ann.get(f"{V1}/uploads/{forbidden.id}").json()["error"]


def by_tus(client: TestClient, data: bytes) -> int:
    return int(bring(client, begin(client, len(data)).headers["location"], 0, data).status_code)


def in_a_request(client: TestClient, data: bytes) -> int:
    return client.post(f"{V1}/challenges/kits19/entries", content=data).status_code


def by_form(client: TestClient, data: bytes) -> int:
    return client.post("/challenges/kits19/upload", files={"file": ("entry.zip", data)}).status_code


@pytest.mark.parametrize("send", [by_tus, in_a_request, by_form])
@pytest.mark.parametrize("lasting", [True, False])
def test_time_of_arrival_holds_though_the_database_does_not_answer_then(
    site: Site_,
    archive: bytes,
    monkeypatch: pytest.MonkeyPatch,
    send: Callable[[TestClient, bytes], int],
    lasting: bool,
) -> None:
    ann = TestClient(site.app, base_url=site.site.address, follow_redirects=False, raise_server_exceptions=False)
    ann.cookies = site.client(ANN).cookies
    keep = rows.keep_received

    def gone(*_: Any, **__: Any) -> None:
        if not lasting:
            monkeypatch.setattr(rows, "keep_received", keep)
        raise sa.exc.OperationalError("", {}, Exception("failover"))

    monkeypatch.setattr(rows, "keep_received", gone)
    assert send(ann, archive) == 503
    monkeypatch.setattr(rows, "keep_received", keep)
    site.configure(challenges={"kits19": {"phases": [{"name": "only", "ends": utc(time.time())}]}})
    uploads.sweep(site.site)
    taken_in(site.site)
    (entry,) = site.store.entries()
    assert entry.submitted < time.time()


def test_what_is_left_of_a_request_whose_process_was_killed_takes_no_place_of_its_team(
    site: Site_, archive: bytes
) -> None:
    who = person(site)
    goes_on, dead, whole = (
        uploads.create(site.site, who, slug="kits19", team="", name="entry.zip", size=len(archive)) for _ in range(3)
    )
    for begun, data in ((dead, archive[:5]), (whole, archive)):
        with uploads.held(site.site, begun.id, at_once=True):
            uploads.give_up_dead(site.site)  # it is being written
            uploads.data_of(site.site, begun).write_bytes(data)
    rows.keep_received(site.store.database, whole.id, len(archive), arrived=time.time())
    uploads.give_up_dead(site.site)
    assert {row.id for row in rows.uploads_of(site.store.database, ("red",))} == {goes_on.id, whole.id}
    taken_in(site.site)
    assert [path.name for path in (site.state / uploads.FOLDER).iterdir()] == [goes_on.id]
    assert len(site.store.entries()) == 1


def test_team_that_wants_much_stands_in_the_line_once() -> None:
    turns, began, order = intake.Turns(1, "test"), threading.Event(), []
    first = turns.add("red", "first", began.wait)
    wanted = [("red", "r1"), ("red", "r2"), ("red", "r3"), ("blue", "b1"), ("green", "g1"), ("blue", "b2")]
    futures = [turns.add(team, key, lambda key=key: order.append(key)) for team, key in wanted]
    began.set()
    for future in [first, *futures]:
        future.result(60)
    assert order == ["b1", "g1", "r1", "b2", "r2", "r3"]


def test_team_has_one_thread_however_many_are_free() -> None:
    turns, release = intake.Turns(4, "test"), threading.Event()
    slow = [turns.add("red", f"slow{n}", release.wait) for n in range(6)]
    turns.add("blue", "quick", lambda: None).result(60)
    assert not any(future.done() for future in slow)
    release.set()
    for future in slow:
        future.result(60)


def test_same_work_is_done_once_and_its_error_is_that_of_all_who_wait() -> None:
    turns, release, done = intake.Turns(2, "test"), threading.Event(), []

    def work() -> None:
        release.wait()
        done.append(1)
        raise KeyError("x")

    first, again = turns.add("red", "one", work), turns.add("red", "one", work)
    assert first is again and not first.cancel()
    release.set()
    with pytest.raises(KeyError):
        first.result(60)
    assert done == [1]
    turns.add("red", "one", lambda: None).result(60)
