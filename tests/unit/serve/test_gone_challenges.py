"""Pages of entries whose challenge is gone, or lost a section, show what is over by the rules that it began with."""

from __future__ import annotations

import shutil

import pytest

from evaluate.config.challenge.cache import load_challenge
from evaluate.store.entries.bases import as_text, keep_rules, rules_of
from tests.support.sites import ADMIN, ANN, Site_


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
