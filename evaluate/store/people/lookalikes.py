"""Names of teams that people would take for each other, by the data of Unicode's technical standard 39.

A name has letters of one script (Latin goes with those of East Asia) and no character that nobody sees; and its
skeleton, in which every character is the one that all of its look-alikes stand for, is that of no other team.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from evaluate.core.errors import UsageError
from evaluate.store.db.rows import folded

_NEUTRAL = {"COMMON", "INHERITED", "UNKNOWN"}
_EAST_ASIAN = {"LATIN", "HAN", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO"}
_UNSEEN = (
    (0x034F,),
    (0x115F,),
    (0x1160,),
    (0x17B4,),
    (0x17B5,),
    (0x3164,),
    (0xFFA0,),
    (0xFE00, 0xFE0F),
    (0xE0100, 0xE01EF),
)
"""Variation selectors, fillers, the grapheme joiner: marks and letters without a shape of their own."""
_ASCII = str.maketrans("1|0", "llo")
"""The look-alikes in ASCII, of folded text."""


def check_letters(name: str) -> None:
    """Refuse a name with unseen characters, or letters of scripts that do not go together.

    Raises UsageError, which names the characters or the scripts.
    """
    if name.isascii():
        return
    unseen = [letter for letter in name if _is_unseen(letter)]
    if unseen:
        raise UsageError(f"--team: expected characters that can be seen, found U+{ord(unseen[0]):04X} in {name!r}")
    from confusable_homoglyphs import categories  # noqa: PLC0415  # reads a megabyte; most names are ASCII

    scripts = {categories.alias(letter) for letter in unicodedata.normalize("NFKC", name)} - _NEUTRAL
    if len(scripts) > 1 and not scripts <= _EAST_ASIAN:
        raise UsageError(f"--team: expected letters of one script, found {', '.join(sorted(scripts))} in {name!r}")


def _is_unseen(letter: str) -> bool:
    code = ord(letter)
    return 0x180B <= code <= 0x180F or any(ends[0] <= code <= ends[-1] for ends in _UNSEEN)


@lru_cache(maxsize=20_000)
def skeleton(name: str) -> str:
    """Common form of all names that look alike."""
    text = unicodedata.normalize("NFD", folded(name))
    if not text.isascii():
        text = folded("".join(map(_prototype, text)))
    return text.translate(_ASCII)


def _prototype(letter: str) -> str:
    """The character that its look-alikes stand for."""
    if letter.isascii():
        return letter
    from confusable_homoglyphs.confusables import confusables_data  # noqa: PLC0415  # as above

    others = [other["c"] for other in confusables_data.get(letter, ())]
    # the data lists all look-alikes of a prototype, and of each other character its prototype alone
    return min(letter, others[0]) if len(others) == 1 else letter
