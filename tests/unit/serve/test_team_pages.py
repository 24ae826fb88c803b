"""What teams and visitors find at the site: results, downloads, rules, receipts, and a way on from every refusal."""

from __future__ import annotations

import io
import re
import tarfile
from pathlib import Path

import pytest

from evaluate.config.challenge.cache import load_challenge
from evaluate.config.types import Config
from evaluate.receipts.issue import Registry
from evaluate.receipts.note import read_proof
from evaluate.store.files.depot import SharedFolder
from evaluate.store.people.site_settings import TextKind, keep_text
from tests.support.queues import sign
from tests.support.sites import ADMIN, ANN, BOB, HIDDEN, Site_
from tests.unit.serve.test_uploads import begin


def cells(text: str, entry: str) -> list[str]:
    """The cells of the row about an entry."""
    (row,) = (
        table_row for table_row in re.findall(r"<tr.*?</tr>", text, re.DOTALL) if f"/entries/{entry}" in table_row
    )
    return [re.sub(r"<[^>]+>", "", cell).strip() for cell in re.findall(r"<t[hd].*?</t[hd]>", row, re.DOTALL)]


def test_my_entries_have_verdict_score_and_rank(site: Site_) -> None:
    site.scored("blue", 0.75)
    first, best = site.scored("red", 0.25), site.scored("red", 0.5, n=1)
    text = site.client(ANN).get("/entries").text
    assert cells(text, best)[1:4] == ["0.5000 F1", "2", "OK"]
    assert cells(text, first)[1:4] == ["0.2500 F1", "", "OK"]
    assert re.findall(r'<th scope="col"[^>]*>([^<]*)<', text)[:3] == ["upload", "score", "rank"]
    task = site.client(ANN).get("/challenges/kits19").text
    assert task.index("Submit an entry") < task.index("<strong>Task.</strong>")


def test_board_names_the_measure_the_day_and_all_measures(site: Site_) -> None:
    site.scored("red", 0.5, values={"F1": 0.5, "recall": 0.8765}, intervals={"F1": [0.4, 0.6]})
    site.scored("blue", 0.75, values={"F1": 0.75, "recall": 0.4321}, intervals={"F1": [0.7, 0.8]})
    text = site.client().get("/challenges/kits19/board").text
    assert '<th scope="col" class="n">F1</th>' in text and "0.8765" in text and 'aria-label="0.400 to 0.600"' in text
    assert len(re.findall(r'<td><time datetime="\d{4}-\d\d-\d\dT', text)) == 2


def test_form_that_was_refused_knows_the_way_back(site: Site_) -> None:
    ann = site.client("new@example.org")
    site.client(ANN)
    answer = ann.post("/teams/new", data={"name": "red"}, headers={"Referer": "http://site.example/teams/new?x=1"})
    assert answer.status_code == 409 and 'href="/teams/new?x=1"' in answer.text
    other = ann.post("/teams/new", data={"name": "red"}, headers={"Referer": "http://evil.example/teams/new"})
    assert "evil" not in other.text


def members(content: bytes) -> dict[str, bytes]:
    with tarfile.open(fileobj=io.BytesIO(content)) as archive_file:
        return {member.name: archive_file.extractfile(member).read() for member in archive_file if member.isfile()}  # type: ignore[union-attr]


def test_public_folder_of_a_hidden_challenge_has_nothing_of_its_exam_and_can_be_tried(
    site: Site_, tmp_path: Path
) -> None:
    hidden = load_challenge(str(site.hide()))
    client = site.client()
    text = client.get(f"/challenges/{HIDDEN}/data").text
    assert f"evaluate try entry --challenge ./{HIDDEN}" in text and "hidden and not in it" in text
    archive_sent = client.get(f"/challenges/{HIDDEN}/folder.tar.gz")
    names = members(archive_sent.content)
    assert not any(record in name for name in names for record in hidden.exam.records)
    for name, content in names.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    unpacked = load_challenge(str(tmp_path / HIDDEN))
    assert unpacked.exam.records == unpacked.quiz.records == hidden.quiz.records
    part = client.get(f"/challenges/{HIDDEN}/folder.tar.gz", headers={"Range": "bytes=10-19"})
    assert (part.status_code, part.content) == (206, archive_sent.content[10:20])


def test_download_follows_a_change_of_the_folder(site: Site_) -> None:
    readme = site.hide() / "README.md"
    client = site.client()
    before = client.get(f"/challenges/{HIDDEN}/folder.tar.gz").content
    readme.write_text("A new task.")
    after = client.get(f"/challenges/{HIDDEN}/folder.tar.gz").content
    assert before != after and members(after)[f"{HIDDEN}/README.md"] == b"A new task."


def test_first_entry_can_be_downloaded_in_each_language(site: Site_) -> None:
    client = site.client()
    for language in re.findall(r"starter.tar.gz\?language=(\w+)", client.get("/challenges/kits19/data").text):
        names = members(client.get(f"/challenges/kits19/starter.tar.gz?language={language}").content)
        assert "README.md" in names
    assert client.get("/challenges/kits19/starter.tar.gz?language=../..").status_code == 404


def test_rules_are_accepted_before_the_first_upload(site: Site_, archive: bytes) -> None:
    keep_text(site.store.settings, TextKind.RULES, "kits19", "Be **fair**.")
    ann = site.client(ANN)
    refused = begin(ann, len(archive))
    assert (refused.status_code, "accept the rules first" in refused.json()["detail"]) == (409, True)
    git = ann.post("/challenges/kits19/git", data={"address": "https://example.org/a.git"})
    assert git.status_code == 409
    text = ann.get("/challenges/kits19/enter").text
    assert "<strong>fair</strong>" in text and "I accept these rules" in text and 'type="file"' not in text
    assert ann.post("/challenges/kits19/rules").headers["location"] == "/challenges/kits19/enter?said=accepted"
    assert begin(ann, len(archive)).status_code == 201
    assert "You have accepted these rules" in ann.get("/challenges/kits19/rules").text


def test_organiser_writes_rules_and_questions_and_others_do_not(site: Site_) -> None:
    admin = site.client(ADMIN)
    for kind in TextKind:
        sent = admin.post("/organise/challenges/kits19/texts", data={"kind": kind, "text": f"About *{kind}*."})
        assert sent.status_code == 303
    text = site.client().get("/challenges/kits19/rules").text
    assert "About <em>rules</em>." in text and "About <em>questions</em>." in text
    assert site.client(ANN).post("/organise/challenges/kits19/texts", data={"kind": "rules"}).status_code == 403


@pytest.fixture
def receipt(site: Site_) -> bytes:
    """The receipt of an entry of team red."""
    entry = site.store.entry(site.scored("red", challenge="cinc2017"))
    site.configure(challenges={"kits19": {}, "cinc2017": {}})
    sign(Registry(site.state), site.store, site.state, SharedFolder(site.state), Config(), entry, "green:1")
    page = site.client(ANN).get(f"/entries/{entry.id}").text
    assert f'href="/entries/{entry.id}/receipt"' in page and 'href="/receipts"' in page
    return site.client(ANN).get(f"/entries/{entry.id}/receipt").content


def test_team_gets_its_receipt_and_the_newest_proof(site: Site_, receipt: bytes) -> None:
    (entry,) = site.store.entries()
    other = site.scored("red", challenge="cinc2017", n=1)
    assert "has no receipt" in site.client(ANN).get(f"/api/v1/entries/{other}/receipt/proof").json()["detail"]
    registry = Registry(site.state)
    registry.rotate()
    path = f"/api/v1/entries/{entry.id}/receipt"
    assert site.client(ANN).get(path).content == receipt
    proof = read_proof(site.client(ANN).get(f"{path}/proof").text, "it")
    assert proof.holds_for(receipt.rstrip(b"\n"))
    assert proof.checkpoint.signed_by(registry.keys.public()[-1:]), "the newest head"
    assert site.client(BOB).get(f"{path}/proof").status_code == 404


def test_visitor_checks_a_receipt_by_the_sites_keys_and_log(site: Site_, receipt: bytes) -> None:
    client = site.client()
    key = Registry(site.state).keys.public()[0].id
    assert key in client.get("/receipts").text
    assert client.get("/receipts/public.json").json()["keys"][0]["id"] == key
    assert '<span class="big">Holds</span>' in client.post("/receipts", data={"text": receipt.decode()}).text
    changed = receipt.decode().replace('"payload":"', '"payload":"e30', 1)
    for wrong in (changed, "nothing", "{}", "[" * 5000, receipt.decode()[:-40]):
        answer = client.post("/receipts", data={"text": wrong})
        assert (answer.status_code, "Does not hold" in answer.text) == (200, True), wrong[:40]


def test_team_uploads_no_more_than_the_organiser_allows_in_all(site: Site_, archive: bytes) -> None:
    site.scored("red")  # of ten bytes
    ann = site.client(ANN)
    for gib, status in (((len(archive) + 9) / 2**30, 413), ((len(archive) + 10) / 2**30, 201)):
        site.configure(team_gib=gib)
        answer = begin(ann, len(archive))
        assert answer.status_code == status, answer.text
        assert status == 201 or "found 10 and" in answer.json()["detail"]
