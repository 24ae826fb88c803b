"""The site in a real browser: from registration to the board, with and without script; readable for all, on a phone."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from evaluate.core.model import Stage
from evaluate.serve.app import routes
from evaluate.serve.authorization import COOKIE, known_person
from evaluate.serve.site import team_id
from evaluate.serve.team_actions import invite
from evaluate.store.db.rows import State
from evaluate.store.people import logins, site_settings
from evaluate.store.people.logins import LinkKind, Scope, begin_session, make_link, make_token
from evaluate.store.people.site_settings import Extension, allow_late, mark_baseline
from evaluate.store.people.teams import get_team
from evaluate.store.people.uploads import Upload, begin_upload
from evaluate.views import rejudging
from tests.support.queues import at_fault, queue, run_stages, upload
from tests.support.served import served
from tests.support.sites import ADMIN, ANN, BOB, Site_

browser_of = pytest.importorskip("tests.support.browser", reason="playwright is not installed")
NEW = "new@example.org"
PHASES = [{"name": "past", "ends": "2020-01-01"}, {"name": "official", "begins": "2020-01-01"}]
NOWHERE = "/challenges/kits19/none"
NOT_PAGES = re.compile(r"/api/|/static/|/healthz|\.(csv|json|tar|tar\.gz)$|/receipt$|/oidc")
"""Addresses of what is for programs, or for the scripts of pages."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site_]:
    """A site in the middle of a challenge."""
    folder = tmp_path_factory.mktemp("site")
    with queue(folder / "state") as store:
        yield Site_(folder / "state", store)


@pytest.fixture(scope="module")
def letters(site: Site_) -> Iterator[list[EmailMessage]]:
    with pytest.MonkeyPatch.context() as patch:
        yield site.letters(patch)


@pytest.fixture(scope="module")
def address(site: Site_) -> Iterator[str]:
    with served(site) as origin:
        yield origin


@pytest.fixture(scope="module")
def entry(tmp_path_factory: pytest.TempPathFactory, archive: bytes) -> Path:
    """The file of an entry that passes."""
    file = tmp_path_factory.mktemp("entry") / "mine.zip"
    file.write_bytes(archive)
    return file


@contextmanager
def window(browser: Any, site: Site_, person: str = "", **options: Any) -> Iterator[Any]:
    """A page of a browser in which somebody is logged in; no script or style of it may be refused or fail."""
    context = browser.new_context(base_url=site.site.address, **options)
    context.set_default_timeout(browser_of.MOST_MS)
    try:
        if person:
            secret = begin_session(site.store.database, person)
            context.add_cookies([{"name": COOKIE, "value": secret, "url": site.site.address}])
        page = context.new_page()
        wrong: list[str] = []
        page.on("console", lambda line: wrong.append(f"{line.text} {line.location}") if is_wrong(line) else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        yield page
        assert wrong == []
    finally:
        context.close()


def is_wrong(line: Any) -> bool:
    """True if a script or style was refused or failed; answers other than 200 are what some tests provoke."""
    return line.type == "error" and not line.text.startswith("Failed to load resource")


def register(page: Any, letters: list[EmailMessage], team: str, person: str) -> None:
    """Log in by mail for the first time, and make a team."""
    page.goto("/login?next=/teams/new")
    page.get_by_label("Email address").fill(person)
    page.get_by_role("button", name="Email me a login link").click()
    page.get_by_role("heading", name="Check your email").wait_for()
    while not (mine := [letter for letter in letters if letter["To"] == person]):
        time.sleep(0.01)  # the mail is sent after the page
    link = re.search(r"http://\S+", mine[-1].get_content())
    assert link
    page.goto(link.group())
    page.get_by_role("button", name="Log in").click()
    page.get_by_label("Name").fill(team)
    page.get_by_role("button", name="Create team").click()
    page.get_by_text("Team created.").wait_for()


def finish(site: Site_, page: Any, value: float) -> None:
    """Do what a daemon does for the entry that a page shows."""
    identity = page.url.rpartition("/")[2]
    site.store.next_entries(100)
    run_stages(site.store, site.state, site.store.entry(identity), value)


def small_parts(route: Any) -> None:
    """Give a page the script with parts so small that an upload takes several."""
    answer = route.fetch()
    text, count = re.subn(r"8 \* 1024 \* 1024", "1024", answer.text())
    assert count == 1
    route.fulfill(response=answer, body=text)


@pytest.mark.slow
def test_team_registers_uploads_through_a_cut_and_sees_its_entry_end_by_itself(
    site: Site_, address: str, letters: list[EmailMessage], entry: Path, browser: Any
) -> None:
    cut = []
    with window(browser, site) as page:
        register(page, letters, "green", NEW)
        page.goto("/")
        page.get_by_role("link", name="Kidney and kidney tumour").first.click()
        page.get_by_role("navigation", name="challenge").get_by_role("link", name="Submit").click()
        page.route(re.compile("upload.js"), small_parts)
        page.reload()

        def busy(route: Any) -> None:
            if route.request.method == "PATCH" and route.request.headers["upload-offset"] != "0" and not cut:
                cut.append("cut")
                route.fulfill(status=204, headers={"Upload-Offset": "1"})  # a proxy that says what is not so
                return
            route.continue_()

        page.route(re.compile("/uploads/"), busy)
        page.locator("input[type=file]").set_input_files(entry)
        page.get_by_role("button", name="Upload").click()
        page.wait_for_url(re.compile("/entries/"))
        assert cut
        assert "is next in line" in page.get_by_role("status").inner_text()
        finish(site, page, 0.875)
        page.get_by_text("0.8750").first.wait_for()
        assert page.get_by_role("heading", name="exam").is_visible()
        page.get_by_role("link", name="Full report").click()
        page.get_by_text("0.875").first.wait_for()
        page.goto("/challenges/kits19/board")
        assert "green" in page.get_by_role("row").nth(1).inner_text()


@pytest.mark.slow
def test_board_shows_a_new_score_without_being_loaded_again(site: Site_, address: str, browser: Any) -> None:
    with window(browser, site) as page:
        site.scored("red", 0.125, n=76, values={"F1": 0.125, "recall": 0.25})
        page.clock.install()
        page.goto("/challenges/kits19/board")
        page.get_by_text("All measures").first.click()
        page.get_by_role("button", name="submitted").click()
        site.scored("red", 0.9375, n=77, values={"F1": 0.9375, "recall": 0.25})
        new = page.get_by_text("0.9375").first
        for _ in range(100):
            page.clock.fast_forward(15_000)  # longer than it waits before it asks again
            if new.is_visible():
                break
            page.wait_for_timeout(300)
        assert new.is_visible()
        assert page.locator("details").first.get_attribute("open") is not None
        assert page.evaluate("document.activeElement.innerText").startswith("submitted")
        assert page.locator("th[aria-sort=ascending]").inner_text().startswith("submitted")


@pytest.mark.slow
def test_all_of_it_works_without_script(
    site: Site_, address: str, letters: list[EmailMessage], entry: Path, browser: Any
) -> None:
    with window(browser, site, java_script_enabled=False) as page:
        register(page, letters, "violet", "violet@example.org")
        page.goto("/challenges/kits19/enter")
        page.locator("input[type=file]").set_input_files(entry)
        page.get_by_role("button", name="Upload").click()
        page.wait_for_url(re.compile("/entries/"))
        finish(site, page, 0.25)
        page.reload()
        assert page.get_by_text("0.2500").first.is_visible()
        page.goto("/challenges/kits19/board")
        assert page.get_by_role("row").filter(has_text="violet").is_visible()
        page.goto("/account")
        page.get_by_role("button", name="Log out", exact=True).click()
        page.get_by_role("link", name="Log in").wait_for()


@pytest.fixture(scope="module")
def subjects(site: Site_, address: str) -> dict[str, str]:
    """Something to see on every page; part of an address -> what it names."""
    store, database = site.store, site.store.database
    scored = site.scored("red", 0.5, n=1)
    site.scored("blue", 0.75, n=2)
    ((failed, _),) = store.submit([upload("red", 3, "kits19")])
    ((parked, _),) = store.submit([upload("blue", 4, "kits19")])
    ((running, _),) = store.submit([upload("red", 5, "kits19")])
    store.submit([upload("red", 6, "kits19")])
    store.next_entries(3)
    run_stages(store, site.state, store.entry(failed), last=Stage.EXAM, verdict="WALL_LIMIT")
    store.move(parked, State.PARKED, at_fault("/dev/kvm cannot be opened"), attempt=store.entry(parked).attempt)
    store.move(running, State.PREP, attempt=store.entry(running).attempt)
    site_settings.announce(store.settings, "The **exam** begins on Monday.", "")
    begun = begin_upload(database, Upload(address=ANN, team="red", challenge="kits19", name="half.zip", bytes=1000))
    make_token(database, ANN, "laptop", (Scope.READ,), 9.0)
    logins.give_rank(database, "dora@example.org", logins.Rank.ORGANISER)
    site.configure(challenges={"kits19": {"phases": PHASES}})
    late = Extension(challenge="kits19", team="red", phase="past", until=4e9, reason="a flood in the server room")
    allow_late(database, site.site.config, late)
    mark_baseline(store.database, "blue")
    identity, _count, _gone = rejudging.start(
        store, site.site.depot, site.site.challenge("kits19").store_name, Stage.SCORE
    )
    return {
        "challenge": "kits19",
        "entry": scored,
        "identity": identity,
        "team": team_id("red"),
        "upload": begun.id,
        "/organise/entries/{identity}": f"/organise/entries/{parked}",
        "/login/link": f"/login/link?token={make_link(database, LinkKind.LOGIN, ANN, 900.0)}",
        "/join": f"/join?token={invite(site.site, get_team(database, 'blue'), known_person(site.site, BOB))}",
    }


def pages() -> list[str]:
    """The address of every page for people."""
    paths = {route.path for route in routes() if "GET" in (route.methods or ())}
    return sorted(path for path in paths if not NOT_PAGES.search(path))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(3))
def test_every_page_is_accessible_in_both_schemes_and_fits_a_phone(
    part: int, site: Site_, subjects: dict[str, str], browser: Any
) -> None:
    wrong: list[str] = []
    options = {"viewport": {"width": browser_of.PHONE, "height": 800}, "color_scheme": "light", "bypass_csp": True}
    everybody = [*pages(), NOWHERE]
    with window(browser, site, ADMIN, **options) as admin, window(browser, site, ANN, **options) as ann:
        for path in everybody[part::3]:
            page = admin if path.startswith("/organise") else ann
            where = subjects.get(path) or path.format_map(subjects)
            page.goto(where)
            wrong += [f"{where}: light: {violation}" for violation in browser_of.violations(page)]
            wrong += [f"{where}: {wide} pixels too wide"] if (wide := browser_of.overflow(page)) > 0 else []
            page.set_viewport_size({"width": browser_of.WIDE, "height": 800})
            wrong += (
                [f"{where}: {wide} pixels wider than a desktop's"] if (wide := browser_of.overflow(page)) > 0 else []
            )
            page.emulate_media(color_scheme="dark")
            wrong += [f"{where}: dark: {violation}" for violation in browser_of.violations(page, colours_only=True)]
            page.emulate_media(color_scheme="light")
            page.set_viewport_size({"width": browser_of.PHONE, "height": 800})
    assert wrong == []
