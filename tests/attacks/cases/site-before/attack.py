from __future__ import annotations


def attack(site):
    lists = ("/entries", "/organise/entries", "/organise/journal", "/api/v1/entries", "/api/v1/organise/journal")
    found = []
    for path in lists:
        for before in (2**63, 10**100, -1, "x"):
            found.append((path, before, site.ask("GET", f"{path}?before={before}", "root@example.org").status))
    yield from (f"GOT {status} from {path} before {before}" for path, before, status in found if status != 400)
    yield f"refused {sum(status == 400 for *_, status in found)}"
