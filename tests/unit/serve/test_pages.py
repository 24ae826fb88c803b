"""Pages as a browser without script gets them."""

import base64
import io
import json
import re
import shutil
import tarfile
import threading
import time
from pathlib import Path

import pytest
import yaml

from evaluate.config.challenge.cache import load_challenge
from evaluate.receipts.issue import Registry
from evaluate.receipts.note import read_proof
from evaluate.serve import downloads
from evaluate.serve.app import routes
from evaluate.store.entries.bases import as_text, keep_rules, rules_of
from evaluate.store.people.site_settings import TextKind, keep_text
from tests.support.crawler import walked
from tests.support.queues import sign, upload
from tests.support.sites import ADMIN, ANN, BOB, HIDDEN, Site_
from tests.unit.serve.test_uploads import begin


def test_front_page_says_how_many_take_part_and_a_challenge_how_it_is_tried_at_home(site: Site_) -> None:
    for n, team in enumerate(("red", "red", "blue")):
        site.scored(team, n=n)
    text = site.client().get("/").text
    assert "Kidney and kidney tumour" in text and "/challenges/kits19" in text and "2 teams, 3 entries" in text
    text = site.client().get("/challenges/kits19").text
    assert "evaluate try ENTRY --challenge kits19" in text
    assert "1.0e13 instructions" in text and "<strong>Task.</strong>" in text


def test_task_whose_metric_stays_with_the_organiser_has_no_command_and_only_limits_that_count(site: Site_) -> None:
    folder = site.hide()
    rules = yaml.safe_load((folder / "challenge.yaml").read_text())
    text = site.client().get(f"/challenges/{HIDDEN}").text
    assert "Limits, exam" in text and "Limits, setup" not in text
    (folder / "own.py").write_text(f"from metrics import get\n\nMETRIC = get({rules['metric']!r})\n")
    (folder / "challenge.yaml").write_text(yaml.safe_dump(rules | {"metric": "own.py", "kind": "answers"}))
    text = site.client().get(f"/challenges/{HIDDEN}").text
    assert "Limits, " not in text and "Try it at home" not in text and "<code></code>" not in text
    assert "stays with the organiser" in text


@pytest.mark.usefixtures("stopped_clock")
def test_page_to_enter_says_how_many_attempts_are_left_and_organisers_get_it_of_all(site: Site_) -> None:
    site.configure(challenges={"kits19": {"attempts": {"phase": 3, "day": 5}}})
    site.scored("red")
    site.store.submit([upload("red", 1, "kits19")])
    text = site.client(ANN).get("/challenges/kits19/enter").text
    for name, left in (("all", "1 of 3"), ("today (UTC)", "3 of 5")):
        row = f'<tr><th scope="row">{name}</th><td class="n">{left}</td><td class="n">1</td>'
        assert row in text
    assert "attempts per team: 3 in all, 5 a day" in " ".join(site.client().get("/challenges/kits19").text.split())
    assert "kits19: 1, 1, 1 (3 this day)" in site.client(ADMIN).get("/organise/teams").text


def test_page_of_an_error_knows_who_is_logged_in(site: Site_) -> None:
    answer = site.client().get("/challenges/none")
    assert (answer.status_code, "no challenge" in answer.text) == (404, True)
    assert "My entries" in site.client(ANN).get("/none").text
    assert "Log in" in site.client().get("/none").text


def test_board_shows_the_best_of_each_team_as_page_csv_and_json_and_marks_ones_own(site: Site_) -> None:
    site.scored("red", 0.25)
    site.scored("blue", 0.75)
    client = site.client()
    text = client.get("/challenges/kits19/board").text
    assert text.index(">0.75<") < text.index(">0.25<")
    csv = client.get("/challenges/kits19/board.csv")
    assert csv.text.splitlines()[1].startswith(",1,blue,0.75")
    assert "attachment" in csv.headers["content-disposition"]
    assert [row["team"] for row in client.get("/challenges/kits19/board.json").json()] == ["blue", "red"]
    own_row = r'class="primary" data-band="0"><td class="n"><span class="medal m\d">(\d)'
    browsers = (client, site.client(ANN), site.client(BOB))
    marked = [re.findall(own_row, browser.get("/challenges/kits19/board").text) for browser in browsers]
    assert marked == [[], ["2"], ["1"]]


def test_team_sees_its_entries_its_entry_and_its_report(site: Site_) -> None:
    entry = site.scored("red", 0.5)
    site.scored("blue", 0.75)
    ann = site.client(ANN)
    listed = ann.get("/entries").text
    assert entry in listed and "blue" not in listed
    text = ann.get(f"/entries/{entry}").text
    assert "prep text" in text and "0.5000" in text
    report = ann.get(f"/entries/{entry}/report")
    assert report.status_code == 200 and "prep text" in report.text and f'<a href="/entries/{entry}">' in report.text
    policy = report.headers["content-security-policy"]  # its own style, and no other
    assert "default-src 'none'" in policy and "style-src 'sha256-" in policy and "unsafe" not in policy
    assert json.loads(ann.get(f"/entries/{entry}/report.json").text)["verdict"] == "OK"


def test_names_are_escaped_and_no_page_has_inline_style_or_script(site: Site_) -> None:
    site.scored("<script>alert(1)</script>", 0.5)
    site.scored("red", 0.25)
    for page in walked(site.store, site.client(ANN), "kits19"):
        inline = "<script>" in page.text or re.search(r"<style|\sstyle=|\son[a-z]+=", page.text)
        own_style = "style-src 'sha256-" in page.headers["content-security-policy"]  # that of a report
        assert not inline or own_style or "html" not in page.headers.get("content-type", ""), page.url


def test_of_many_who_want_a_page_that_has_changed_one_makes_it(site: Site_) -> None:
    begun, go_on, made, got = threading.Event(), threading.Event(), [], []

    def make() -> str:
        made.append("page")
        begun.set()
        assert go_on.wait(60)
        return "page"

    def want() -> None:
        got.append(site.site.kept("what").get(lambda: 1, make))

    threads = [threading.Thread(target=want) for _ in range(3)]
    for thread in threads:
        thread.start()
        assert begun.wait(60)
    go_on.set()
    for thread in threads:
        thread.join()
    assert (made, got) == (["page"], ["page"] * 3)


@pytest.mark.parametrize("before", ["0", "-1", str(2**63), "9" * 100, "x"])
def test_number_that_is_none_of_the_list_is_refused(site: Site_, before: str) -> None:
    admin = site.client(ADMIN)
    for path in ("/entries", "/organise/journal", "/api/v1/entries"):
        assert admin.get(path, params={"before": before}).status_code == 400, path
    assert admin.post(f"/organise/faults/{before}/resolve").status_code == 400


def test_closed_challenge_says_which_phase_opens_when(site: Site_) -> None:
    later = [{"name": "final", "begins": "2091-05-01"}, {"name": "test", "begins": "2090-03-01", "ends": "2091-01-01"}]
    site.configure(challenges={"kits19": {"phases": later}})
    for path in ("/", "/challenges/kits19"):
        text = site.client().get(path).text
        assert "no phase is open" in text and "test opens " in text and "2090-03-01" in text, path


@pytest.mark.parametrize("gone", ["folder", "limits", "data", "metric"])
def test_pages_of_what_is_over_need_no_challenge(site: Site_, gone: str) -> None:
    folder = site.hide()
    entry = site.scored("red", challenge=str(folder))
    kept = site.store.details.keep(as_text(rules_of(load_challenge(str(folder)))))
    with site.store.change() as connection:
        keep_rules(connection, site.store.entry(entry), kept)
    paths = (f"/entries/{entry}", f"/entries/{entry}/report", f"/entries/{entry}/report.json")
    before = {path: site.client(ANN).get(path).status_code for path in paths}
    assert set(before.values()) == {200}
    if gone == "folder":
        shutil.rmtree(folder)
        site.configure(challenges={"kits19": {}})
    else:
        rules = folder / "challenge.yaml"
        rules.write_text(rules.read_text().replace(f"\n{gone}:", f"\nno_{gone}:"))
    assert {path: site.client(ANN).get(path).status_code for path in paths} == before
    more = (f"/entries/{entry}/report?organiser=true", f"/organise/entries/{entry}", "/entries", "/organise")
    assert all(site.client(ADMIN).get(path).status_code < 500 for path in more)


def fields(form: str) -> set[str]:
    """Names of what a form sends."""
    return set(re.findall(r'<(?:input|select|textarea|button)\b[^>]*?\sname="([^"]+)"', form))


def accepted(path: str) -> tuple[set[str], set[str]]:
    """Names that the handler of a form accepts, and those that it requires."""
    for route in routes():
        if "POST" in route.methods and route.path_regex.fullmatch(path):
            given = [
                (name, info)
                for field in route.dependant.body_params
                for name, info in getattr(
                    field.field_info.annotation, "model_fields", {field.name: field.field_info}
                ).items()
            ]
            return {name for name, _ in given}, {name for name, info in given if info.is_required()}
    raise AssertionError(f"no handler of the form {path}")


def test_every_form_sends_what_its_handler_accepts(site: Site_) -> None:
    site.configure(challenges={"kits19": {"scores": "withheld", "phases": [{"name": "past", "ends": "2020-01-01"}]}})
    site.scored("red")
    site.client(ADMIN).post("/organise/news", data={"text": "hello"})
    site.client(ANN).post("/account/tokens", data={"name": "ci", "scopes": ["read"]})
    site.client(ADMIN).post("/organise/rejudgings", data={"challenge": "kits19"})
    late = {"team": "red", "phase": "past", "until": "2999-01-01T12:00", "reason": "a flood"}
    site.client(ADMIN).post("/organise/challenges/kits19/deadlines", data=late)
    forms: set[str] = set()
    for person in ("", ANN, ADMIN):
        for page in walked(site.store, site.client(person), "kits19"):
            forms |= set(re.findall(r'<form [^>]*method="post".*?</form>', page.text, re.DOTALL))
    paths = {}
    for form in forms:
        (path,) = re.findall(r'action="([^"]+)"', form)
        paths[path] = form
        may, must = accepted(path)
        assert must <= fields(form) and (fields(form) <= may or path.endswith("/upload")), form
    assert len(paths) > 20


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
    for came in ("http://evil.example/teams/new", "http://site.example//evil.example/"):
        other = ann.post("/teams/new", data={"name": "red"}, headers={"Referer": came})
        assert "//evil" not in other.text


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


def test_download_follows_a_change_of_the_folder_and_one_that_has_begun_goes_on(
    site: Site_, monkeypatch: pytest.MonkeyPatch
) -> None:
    readme = site.hide() / "README.md"
    client, listing = site.client(), site.site.challenge(HIDDEN)
    before = client.get(f"/challenges/{HIDDEN}/folder.tar.gz").content
    found = downloads.challenge_archive(site.site, listing)
    readme.write_text("A new task.")
    after = client.get(f"/challenges/{HIDDEN}/folder.tar.gz").content
    assert before != after and members(after)[f"{HIDDEN}/README.md"] == b"A new task."
    assert found.read_bytes() == before, "another request has found it, and opens it now"
    later = time.time() + 3600
    monkeypatch.setattr(time, "time", lambda: later)
    readme.write_text("A newer task.")
    assert [downloads.challenge_archive(site.site, listing)] == list(found.parent.glob("*.tar.gz"))


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
    sign(site.store, site.state, entry)
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
    payload = base64.b64encode(rb'{"predicate": {}, "predicateType": "\ud800"}').decode()
    no_text = json.dumps({**json.loads(receipt), "payload": payload})
    for wrong in (changed, no_text, "nothing", "{}", "[" * 5000, receipt.decode()[:-40]):
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
