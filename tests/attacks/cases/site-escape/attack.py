from __future__ import annotations


def attack(site):
    made = site.ask("POST", "/api/v1/organise/news", "root@example.org", values={"text": "calm\x1b[2J\x9b1A\x07\u202e"})
    shown = made.text + site.ask("GET", "/").text + site.ask("GET", "/api/v1/news").text
    left = [name for name in ("\x1b", "\\u001b", "\x9b", "\\u009b", "\x07", "\\u0007", "\u202e") if name in shown]
    yield from (f"GOT {name!a} to every reader" for name in left)
    yield "announced without them" if made.status == 201 and "calm" in shown else f"not announced: {made.status}"
