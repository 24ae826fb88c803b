"""Uploads: by tus with resuming, and by a plain form; both into the same intake as the command line."""

import base64
from pathlib import Path

import pytest
from httpx2 import Client, Response

from evaluate.config.challenge.cache import load_challenge
from evaluate.serve import intake, uploads
from evaluate.serve.site import Site
from evaluate.store.people import uploads as rows
from tests.support.sites import ANN, Site_

TUS = {"Tus-Resumable": "1.0.0"}
BYTES = {**TUS, "Content-Type": "application/offset+octet-stream"}


def begin(client: Client, size: int, name: str = "entry.zip", challenge: str = "kits19", **more: str) -> Response:
    values = {"filename": name, "challenge": challenge, **more}
    metadata = ",".join(f"{key} {base64.b64encode(value.encode()).decode()}" for key, value in values.items())
    answer: Response = client.post("/uploads", headers={**TUS, "Upload-Length": str(size), "Upload-Metadata": metadata})
    return answer


def bring(client: Client, location: str, at: int, data: bytes) -> Response:
    answer: Response = client.patch(location, headers={**BYTES, "Upload-Offset": str(at)}, content=data)
    return answer


def test_plain_form_does_the_same_without_script(site: Site_, archive: bytes) -> None:
    ann = site.client(ANN)
    answer = ann.post("/challenges/kits19/upload", data={"team": "red"}, files={"file": ("mine.zip", archive)})
    assert answer.status_code == 303
    (entry,) = site.store.entries()
    assert ann.get(answer.headers["location"]).headers["location"] == f"/entries/{entry.id}"
    assert (entry.team, entry.name, entry.bytes) == ("red", "mine.zip", len(archive))
    two = ann.post("/challenges/kits19/upload", files=[("file", ("mine.zip", archive)), ("file", ("b.zip", b"b"))])
    assert two.status_code == 400 and "expected one file in the form, found several" in two.text
    assert len(site.store.entries()) == 1 and not list(site.site.shared.joinpath(uploads.FOLDER).glob("*/data"))
    kind = f"multipart/form-data; boundary={'b' * 300}"
    answer = ann.post("/challenges/kits19/upload", content=b"x", headers={"Content-Type": kind})
    assert answer.status_code == 400 and "boundary" in answer.text


def test_size_is_bounded_by_what_was_said_and_the_challenge_and_the_version_of_tus_is_1_0(
    site: Site_, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = site.client(ANN)
    location = begin(ann, 5).headers["location"]
    assert bring(ann, location, 0, b"123456").status_code == 413
    assert bring(ann, location, 0, b"1").headers["upload-offset"] == "1"
    monkeypatch.setattr(uploads, "_BUFFER", 2)
    for chunks in ([b"234", b"5678"], [b"2345", b"6"]):
        chunked = ann.patch(location, headers={**BYTES, "Upload-Offset": "1"}, content=iter(chunks))
        assert chunked.status_code == 413
        assert ann.head(location, headers=TUS).headers["upload-offset"] == "1", "none of it counts"
    assert site.store.entries() == []
    most = load_challenge("kits19").archive.bytes
    answer = begin(ann, most + 1)
    assert answer.status_code == 413 and f"at most {most:,} bytes" in answer.json()["detail"]
    assert answer.headers["content-type"] == "application/problem+json"
    assert begin(ann, 0).status_code == 400
    answer = ann.post("/uploads", headers={"Tus-Resumable": "0.2", "Upload-Length": "5"})
    assert (answer.status_code, answer.headers["tus-version"]) == (412, "1.0.0")
    assert site.client().options("/uploads").headers["tus-extension"] == "creation,termination,expiration"


def test_team_has_only_so_many_unfinished_uploads_and_can_remove_one(site: Site_) -> None:
    ann = site.client(ANN)
    places = [begin(ann, 5).headers["location"] for _ in range(rows.MOST_OPEN)]
    refused = begin(ann, 5)
    assert refused.status_code == 429 and "4 unfinished uploads" in refused.json()["detail"]
    assert int(refused.headers["retry-after"]) > 0
    assert ann.delete(places[0], headers=TUS).status_code == 204
    assert begin(ann, 5).status_code == 201


def taken_in(site: Site) -> None:
    """Wait until all that waits was tried."""
    for future in intake.take_waiting(site).values():
        future.result()


def person(site: Site_) -> uploads.Person:
    from evaluate.serve.authorization import known_person

    return known_person(site.site, ANN)


def test_bytes_that_a_power_cut_took_are_asked_for_again(site: Site_) -> None:
    ann = site.client(ANN)
    location = begin(ann, 10).headers["location"]
    bring(ann, location, 0, b"12345678")
    assert "8 bytes of 10 bytes uploaded." in ann.get(location).text
    with (uploads.folder_of(site.site, location.rpartition("/")[2]) / "data").open("r+b") as file:
        file.truncate(3)
    assert ann.head(location, headers=TUS).headers["upload-offset"] == "3"
    assert bring(ann, location, 8, b"90").status_code == 409
    assert bring(ann, location, 3, b"45").headers["upload-offset"] == "5"


def test_name_of_a_file_is_its_last_part_and_no_way_out() -> None:
    names = {"a.zip": "a.zip", "../../etc/passwd": "passwd", "C:\\x\\b.zip": "b.zip", "..": "upload", "a\n\0b": "a �b"}
    assert {given: uploads.plain_name(given) for given in names} == names
    assert len(uploads.plain_name("ä" * 500).encode()) <= 200


def test_git_address_must_be_an_address(site: Site_, tmp_path: Path) -> None:
    unseen = ("https://a\0/b.git", "https://a\n/b.git", "https://a\N{ZERO WIDTH SPACE}/b.git")
    for address in (str(tmp_path), "/etc/passwd", "file:///etc", "http://example.org/x.git", *unseen):
        answer = site.client(ANN).post("/challenges/kits19/git", data={"address": address})
        assert (answer.status_code, "https://example.org/team/entry.git" in answer.text) == (400, True)
