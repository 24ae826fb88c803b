from __future__ import annotations


def attack(site):
    names = ("=1+1", "+1+1", "-1+1", "@SUM(1)", "\uff1d2*3")
    for number, name in enumerate(names):
        made = site.ask("POST", "/api/v1/teams", f"table{number}@example.org", values={"name": name}).status
        if made == 201:
            site.scored(name)
    cells = [line.split(",") for line in site.ask("GET", "/challenges/kits19/board.csv").text.splitlines()]
    yield from (f"GOT {name!a} into a cell" for name in names if any(name in line for line in cells))
    yield f"quoted {sum(any(chr(39) + name in line for line in cells) for name in names)}"
