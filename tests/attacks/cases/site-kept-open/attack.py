from __future__ import annotations

from contextlib import ExitStack

NEWS = "/events/boards/kits19"
ASKED = (
    (f"GET {NEWS} HTTP/1.1\r\nHost: x\r\n\r\n", 300),
    ("POST /logout HTTP/1.1\r\nHost: x\r\nOrigin: http://evil.example\r\nContent-Length: 0\r\n\r\n", 2100),
)


def attack(site):
    with ExitStack() as held:
        reader = held.enter_context(site.listens("127.0.0.9", NEWS))
        for asked, count in ASKED:
            for one in site.flood(count, asked.encode()):
                held.enter_context(one)
        served = site.ask("GET", "/api/v1/challenges").status
        if served != 200:
            yield f"GOT everybody shut out: {served}"
        reader.setblocking(False)
        try:
            lost = reader.recv(1 << 16, 2) == b""  # 2: only to look
        except BlockingIOError:
            lost = False
        except ConnectionError:
            lost = True
        yield "GOT the place of a reader with one connection" if lost else "everybody is served"
