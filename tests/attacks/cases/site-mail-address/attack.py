from __future__ import annotations


def attack(site):
    addresses = ("|touch /tmp/x@example.org", "a@[127.0.0.1]", "=?utf-8?q?ann?=@example.org", "-oQ/tmp@example.org")
    addresses += ('"a b"@example.org', "a@example.org\nBcc: b@example.org")
    found = []
    for one in addresses:
        found.append(
            (
                one,
                site.ask(
                    "POST", "/api/v1/organise/people", "root@example.org", values={"address": one, "rank": "organiser"}
                ).status,
            )
        )
        found.append((one, site.ask("POST", "/organise/people", "root@example.org", form={"address": one}).status))
    yield from (f"GOT {one!a}: {status}" for one, status in found if status < 400)
    yield f"refused {sum(400 <= status < 500 for _, status in found)}"
