"""Several processes of one site: each with a state directory of its own, on one PostgreSQL."""

import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from evaluate.serve import uploads
from evaluate.serve.authorization import COOKIE
from evaluate.store.people import uploads as rows
from tests.support.postgres import Server
from tests.support.queues import queue
from tests.support.sites import ANN, Site_
from tests.unit.serve.test_uploads import TUS, begin, bring, taken_in

pytestmark = pytest.mark.slow


@pytest.fixture
def two(postgres: Server, tmp_path: Path) -> Iterator[tuple[Site_, Site_]]:
    """Two sites that share database and folder."""
    url = postgres.database(f"sites_{uuid.uuid4().hex}")
    (shared := tmp_path / "shared").mkdir()
    with ExitStack() as stack:
        sites = []
        for name in ("one", "other"):
            sites.append(Site_(tmp_path / name, stack.enter_context(queue(tmp_path / name, url))))
            sites[-1].configure(database=url, shared=str(shared))
        yield sites[0], sites[1]


def with_session_of(client: TestClient, other: Site_) -> TestClient:
    """A browser at another process, with the session that it has."""
    browser = other.client()
    browser.cookies.set(COOKIE, client.cookies[COOKIE])
    return browser


def test_session_and_board_of_one_process_are_those_of_all(two: tuple[Site_, Site_]) -> None:
    first, other = two
    ann = first.client(ANN)
    there = with_session_of(ann, other)
    assert there.get("/account").status_code == 200
    first.scored("red", 0.625)
    assert "0.625" in there.get("/challenges/kits19/board").text
    ann.post("/logout")
    assert there.get("/account").status_code == 303
    assert first.client(ANN).get("/entries/%00").status_code == 400, "PostgreSQL cannot have this text"


def test_upload_begun_at_one_process_goes_on_and_is_taken_in_at_another(
    two: tuple[Site_, Site_], archive: bytes
) -> None:
    first, other = two
    ann = first.client(ANN)
    location = begin(ann, len(archive)).headers["location"]
    middle = len(archive) // 2
    assert bring(ann, location, 0, archive[:middle]).status_code == 204
    there = with_session_of(ann, other)
    assert there.head(location, headers=TUS).headers["upload-offset"] == str(middle)
    assert bring(there, location, middle, archive[middle:]).status_code == 204
    (entry,) = first.store.entries()
    assert ann.get(location).headers["location"] == f"/entries/{entry.id}"


def test_upload_is_refused_with_a_clear_sentence_where_processes_share_no_folder(
    two: tuple[Site_, Site_], archive: bytes, tmp_path: Path
) -> None:
    first, other = two
    for site in two:
        site.configure(shared=f"file://{tmp_path}/bucket")  # objects, which hosts copy to folders of their own
    ann = first.client(ANN)
    location = begin(ann, len(archive)).headers["location"]
    there = with_session_of(ann, other)
    answer = bring(there, location, 0, archive)
    assert (answer.status_code, "started on another server of this site" in answer.text) == (404, True)
    assert there.head(location, headers=TUS).status_code == 404
    identity = location.rpartition("/")[2]
    (uploads.folder_of(first.site, identity) / "data").write_bytes(archive)
    rows.keep_received(first.store.database, identity, len(archive), arrived=time.time())
    taken_in(other.site)  # it is not here: who has it takes it in
    assert first.store.entries() == []
    taken_in(first.site)
    assert len(first.store.entries()) == 1
