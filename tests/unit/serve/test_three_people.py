"""A season in a real browser, done by three people who read no source: an organiser, a participant, a visitor."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from evaluate.config.challenge.cache import load_challenge
from evaluate.config.load import load_config
from evaluate.config.types import Config
from evaluate.operate.notify import Mail
from evaluate.receipts.issue import Registry
from evaluate.store.db.rows import FaultyPart, State
from evaluate.store.entries.phases import in_force
from evaluate.store.files.depot import SharedFolder
from evaluate.store.schedule.faults import FaultReport, record
from tests.support.packing import pack_folder
from tests.support.queues import at_fault, queue, run_stages, sign, upload
from tests.support.served import served
from tests.support.sites import ADMIN, Site_
from tests.unit.serve.test_browser import NEW, register, window

pytest.importorskip("tests.support.browser", reason="playwright is not installed")
pytestmark = pytest.mark.slow
TEAM = "Violet"


MAIL = {"mail": {"server": "localhost", "sender": "site@example.org"}}


def phase(ends: str) -> dict[str, object]:
    """The only phase, as evaluate.yaml has it."""
    return {"name": "official", "begins": "2020-01-01", "ends": ends, "attempts": 3}


@pytest.fixture
def letters(monkeypatch: pytest.MonkeyPatch) -> list[EmailMessage]:
    """What was mailed."""
    found: list[EmailMessage] = []
    monkeypatch.setattr(Mail, "post", lambda _self, some, _timeout: found.extend(some))
    return found


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site_]:
    """A site whose challenge withholds its scores, really served."""
    monkeypatch.setattr("evaluate.serve.site._BOARD_SECONDS", 0.0)
    (tmp_path / "state").mkdir()
    with queue(tmp_path / "state") as store:
        found = Site_(tmp_path / "state", store)
        found.configure(notify=MAIL, challenges={"kits19": {"scores": "withheld", "phases": [phase("2099-01-01")]}})
        with served(found):
            yield found


def archive(folder: Path, name: str) -> Path:
    """An entry that passes, each another."""
    shutil.copytree(load_challenge("kits19").folder / "sample_entry", folder / name)
    (folder / name / "notes.txt").write_text(name)
    return pack_folder(folder / name, folder / f"{name}.tar.gz")


def evaluated(site: Site_, identity: str, value: float) -> None:
    """Do what a daemon does, to the receipt."""
    site.store.next_entries(100)
    run_stages(site.store, site.state, site.store.entry(identity), value)
    entry = site.store.entry(identity)
    sign(Registry(site.state), site.store, site.state, SharedFolder(site.state), Config(), entry, "green:1")


def fault(site: Site_) -> str:
    """Park an entry of another team for an internal error."""
    ((identity, _),) = site.store.submit([upload("red", 1, "kits19")])
    site.store.next_entries(1)
    what = {"part": FaultyPart.CHALLENGE, "name": "kits19", "stage": "prep", "challenge": "kits19"}
    found = FaultReport(**what, message="the mirror of the references is away", lines=("404",))
    with site.store.database.step() as connection:
        record(connection, identity, 1, found, 3)
    site.store.move(identity, State.PARKED, at_fault("the mirror of the references is away", stage="prep"))
    return identity


def organiser_sets_up(page: Any) -> None:
    page.goto("/")
    page.get_by_role("link", name="Organise").click()
    page.get_by_role("link", name="Challenges").last.click()
    page.get_by_role("link", name="Edit").click()
    rules = page.locator("form", has=page.locator("input[name=kind][value=rules]"))
    rules.get_by_label("Text (Markdown)").fill("Use **no** external data.")
    rules.get_by_role("button", name="Save").click()
    page.get_by_text("Saved").first.wait_for()
    page.get_by_role("link", name="Announcements").click()
    page.get_by_label("Text (Markdown)").fill("The phase *official* is open.")
    page.get_by_role("button", name="Announce").click()
    page.get_by_text("The phase official is open.").wait_for()


def participant_accepts_the_rules(page: Any) -> None:
    page.goto("/challenges/kits19")
    page.get_by_role("navigation", name="challenge").get_by_role("link", name="Submit").click()
    assert page.get_by_text("Upload a file").count() == 0
    page.get_by_text("external data").wait_for()
    page.get_by_role("button", name="I accept these rules").click()


def participant_submits(page: Any, archive: Path, said: str) -> str:
    page.get_by_role("navigation", name="challenge").get_by_role("link", name="Submit").click()
    assert said in page.locator("main").inner_text()
    page.locator("input[type=file]").set_input_files(archive)
    page.get_by_role("button", name="Upload").click()
    page.wait_for_url(re.compile("/entries/"))
    return str(page.url.rpartition("/")[2])


def organiser_lets_one_team_submit_later(page: Any) -> None:
    page.goto("/organise/challenges/kits19")
    late = page.locator("form[action$='/deadlines']")
    late.get_by_label("Team").fill(TEAM)
    late.get_by_label("Until").fill("2098-01-01T00:00")
    late.get_by_label("Reason").fill("a flood")
    late.get_by_role("button", name="Set the deadline").click()
    page.get_by_text("a flood").wait_for()


def test_three_people_do_their_tasks_to_the_end(
    site: Site_, letters: list[EmailMessage], tmp_path: Path, browser: Any
) -> None:
    with window(browser, site, ADMIN) as organiser, window(browser, site) as participant:
        organiser_sets_up(organiser)
        register(participant, letters, TEAM, NEW)
        participant_accepts_the_rules(participant)
        first = participant_submits(participant, archive(tmp_path, "first"), "3 of 3")
        evaluated(site, first, 0.125)
        participant.get_by_role("link", name="Full report").wait_for()  # the page fills by itself
        assert participant.get_by_text("0.1250").count() == 0
        parked = fault(site)
        organiser.goto("/organise/faults")
        organiser.get_by_text("the mirror of the references is away").first.wait_for()
        organiser.get_by_role("button", name="Resolve and requeue").click()
        organiser.get_by_text("No open errors.").wait_for()
        assert site.store.entry(parked).state is not State.PARKED
        site.configure(notify=MAIL, challenges={"kits19": {"scores": "withheld", "phases": [phase("2021-01-01")]}})
        in_force(site.store, load_config(site.state), accept="kits19")
        organiser_lets_one_team_submit_later(organiser)
        participant.goto("/challenges/kits19")
        said = "The organiser lets this team submit until"
        evaluated(site, participant_submits(participant, archive(tmp_path, "second"), said), 0.875)
        organiser.get_by_label("all teams are to see their scores now").check()
        organiser.get_by_label("all teams are to see their scores now").check()
        organiser.get_by_role("button", name="Release scores").click()
        organiser.get_by_text("Scores released.").wait_for()
        participant.goto("/entries")
        participant.get_by_role("link", name="second.tar.gz").click()
        participant.get_by_text("0.8750").first.wait_for()
        with participant.expect_download() as brought:
            participant.get_by_role("link", name="Receipt", exact=True).click()
        receipt = Path(brought.value.path()).read_text()
    with window(browser, site) as visitor:
        visitor.goto("/")
        visitor.get_by_role("link", name="Leaderboard").first.click()
        row = visitor.get_by_role("row").filter(has_text=TEAM)
        row.wait_for()
        assert "0.875" in row.inner_text()
        visitor.get_by_role("link", name="Check a receipt").click()
        visitor.get_by_label("Receipt (JSON)").fill(receipt)
        visitor.get_by_role("button", name="Check").click()
        visitor.get_by_text("Holds", exact=True).wait_for()
        visitor.get_by_label("Receipt (JSON)").fill(receipt.replace('"sig":"', '"sig":"AAAA', 1))
        visitor.get_by_role("button", name="Check").click()
        visitor.get_by_text("Does not hold", exact=True).wait_for()
