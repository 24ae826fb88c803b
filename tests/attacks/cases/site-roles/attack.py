from __future__ import annotations


def attack(site):
    who = "steward@example.org"
    site.ask("POST", "/organise/people/challenge", "root@example.org", form={"address": who, "challenge": "kits19"})
    own = site.ask("GET", "/organise/challenges/kits19/entries", who).status
    foreign = (
        ("GET", "/organise/challenges/cinc2017/entries"),
        ("POST", "/organise/challenges/cinc2017/release"),
        ("GET", "/organise/entries"),
        ("GET", "/organise/people"),
        ("GET", "/api/v1/organise/queue"),
        ("GET", "/api/v1/organise/journal"),
    )
    found = [(path, site.ask(method, path, who).status) for method, path in foreign]
    yield from (f"GOT {path}: {status}" for path, status in found if status != 403)
    yield f"own {own}, refused {sum(status == 403 for _, status in found)}"
