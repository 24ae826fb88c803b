"""Text of strangers, fit for a terminal, a log, XML and a database."""

from __future__ import annotations


def sanitize(text: str) -> str:
    """The same text in which nothing moves a cursor, changes a colour, or is no text at all.

    Ends of lines and tabs stay; other white space becomes a blank, every other control character, and half a surrogate,
    a replacement character.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_sanitize, text.replace("\r\n", "\n")))


def _sanitize(character: str) -> str:
    if character.isprintable() or character in "\n\t":
        return character
    return " " if character.isspace() else "\N{REPLACEMENT CHARACTER}"
