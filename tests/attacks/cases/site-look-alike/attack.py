from __future__ import annotations


def attack(site):
    made = site.ask("POST", "/api/v1/teams", "first@example.org", values={"name": "Pavlov 1"}).status
    if made != 201:
        yield f"the first team cannot be made: {made}"
    names = ("Pavlov\ufe0f 1", "P\u0430vlov 1", "Pavlov l", "PAVLOV 1")
    found = []
    for number, name in enumerate(names):
        found.append(site.ask("POST", "/api/v1/teams", f"second{number}@example.org", values={"name": name}).status)
    yield from (f"GOT a team {name!a}" for name, status in zip(names, found) if status < 400)
    yield f"refused {sum(400 <= status < 500 for status in found)}"
