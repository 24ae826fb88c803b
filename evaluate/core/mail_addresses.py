"""What a mail address is here: name and domain in ASCII, as every mail server takes them."""

from __future__ import annotations

import re

_ATOM = r"[A-Za-z0-9!#$%&'*+/=^_{}~-]+"
_LABEL = r"[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?"
ADDRESS = rf"(?!-){_ATOM}(\.{_ATOM})*@{_LABEL}(\.{_LABEL})*"
"""A pattern for the whole text.

No pipe, address of a host in brackets, quoted name or encoded word: what a program that sends mail might take for
something else.
"""


def is_address(text: str) -> bool:
    """Whether a text is a mail address."""
    return re.fullmatch(ADDRESS, text) is not None
