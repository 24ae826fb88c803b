"""What a mail address is."""

from __future__ import annotations

from evaluate.config.schema.keys import is_address

GOOD = ["ann@example.org", "a.b+c@mail.example.co.uk", "root@localhost", "o'hara@x-y.example", "1@2.example"]
BAD = [
    "|touch /tmp/x@example.org",
    "|sh@example.org",
    "ann@[127.0.0.1]",
    "=?utf-8?q?ann?=@example.org",
    '"a b"@example.org',
    "-oQ/tmp@example.org",
    ".a@example.org",
    "a..b@example.org",
    "ann@-example.org",
    "ann@example..org",
    "ann@example.org\n",
    "ann\x1b@example.org",
    "a@b@example.org",
    "ann@ex\u0430mple.org",
    "@example.org",
    "ann@",
]


def test_usual_addresses_are_addresses_and_what_a_mail_program_may_take_for_something_else_is_none() -> None:
    assert [text for text in (*GOOD, *BAD) if is_address(text)] == GOOD
