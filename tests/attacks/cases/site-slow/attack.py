from __future__ import annotations

HEADS = (
    "GET / HTTP/1.1\r\nX: ",
    "POST /logout HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nx",
    "POST /challenges/kits19/upload HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\n"
    "Content-Length: 1000\r\n\r\nx",
)


def attack(site):
    who = "slow@example.org"
    site.ask("POST", "/api/v1/teams", who, values={"name": "Slow"})
    place = site.begin(who, 100_000).headers["location"]
    head = f"PATCH {place} HTTP/1.1\r\nHost: x\r\nCookie: {site.cookie(who)}\r\nTus-Resumable: 1.0.0\r\n"
    head += "Upload-Offset: 0\r\nContent-Type: application/offset+octet-stream\r\nContent-Length: 100000\r\n\r\nx"
    strangers = site.flood(1, head.encode())
    for head in HEADS:
        strangers += site.flood(800, head.encode())
    served = site.ask("GET", "/api/v1/challenges").status
    if served != 200:
        yield f"GOT everybody shut out: {served}"
    ended = site.ended(strangers)
    yield "all ended" if ended == len(strangers) else f"GOT {len(strangers) - ended} connections without end"
    site.ask("DELETE", place, who, headers={"Tus-Resumable": "1.0.0"})
