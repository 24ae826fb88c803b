"""Changes of valid examples: flipped, cut, spliced, repeated, with huge sizes and with other words substituted."""

import copy
import json
import re
import struct
import zlib
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

Mend = Callable[[bytes], bytes]
"""Corrects the checksums after a change, so that a parser gets beyond them."""

MOST_CHANGES = 6
_NEAR = 600
"""Bytes at either end in which every second change is made."""
MOST_REPEATED_BYTES = 1 << 19
_EDGES = (0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, (1 << 63) - 1, (1 << 64) - 1)
_WORDS = (
    *(b"\xff\xfe", b"\xef\xbb\xbf", b"\0", b"\r", b"\n", b"\r\n", b",", b'"', b"\\", b"\x1f\x8b", b"\xc2\x85", b"../"),
    *(b"null", b"true", b"[]", b"{}", b"[[]]", b'""', b'"x"', b"nan", b"NaN", b"-Infinity", b"inf", b"1e999", b"-1"),
    *(b"0", b"-0.0", b"1.5", b"1e308", b"0x1", b"1_0", b"9223372036854775808", b"9" * 400, b"9" * 5000),
    *(b"[" * 2000, b"{" * 2000, b'{"a":' * 1500, b"&a [*a]", b"!!python/none", b"<a>" * 1000, "٣".encode()),
)
_TOKEN = re.compile(rb'"[^"\n]{0,200}"|[-+.\w]+|[\[\]{}<>:,=/#-]')


def changed(chance: Random, seeds: Sequence[bytes], mend: Mend | None = None) -> bytes:
    """A valid example with some changes, or anything."""
    if chance.randrange(30) == 0:
        return chance.randbytes(chance.randint(0, 400))
    data = bytearray(chance.choice(seeds))
    for _ in range(chance.randint(1, MOST_CHANGES)):
        begin, end = _span(chance, data)
        data[begin:end] = _replacement(chance, bytes(data[begin:end]), seeds)
    return bytes(data) if mend is None or chance.randrange(4) == 0 else mend(bytes(data))


def _span(chance: Random, data: bytearray) -> tuple[int, int]:
    """A word, some bytes, none or all that follow; more often at the ends, where headers and directories are."""
    near = chance.randint(0, min(len(data), _NEAR))
    at = chance.choice((chance.randint(0, len(data)), chance.randint(0, len(data)), near, len(data) - near))
    if chance.randrange(3) == 0 and (word := _TOKEN.search(data, at) or _TOKEN.search(data)):
        return word.span()
    return at, at + chance.choice((0, 0, 1, 1, 2, 4, 8, chance.randint(1, 60), len(data)))


def _replacement(chance: Random, part: bytes, seeds: Sequence[bytes]) -> bytes:
    """Nothing, chance bytes, a number at the edge of its range, a word, a part of an example, or the same repeated."""
    kind, size, other = chance.randrange(10), max(1, min(len(part), 8)), chance.choice(seeds)
    if kind == 0:
        return b""
    if kind == 1:
        return chance.randbytes(chance.choice((len(part), chance.randint(0, 30))))
    if kind == 2:
        edge = chance.choice(_EDGES) & ((1 << 8 * size) - 1)
        return edge.to_bytes(size, "little" if chance.randrange(2) else "big")
    if kind == 3:
        begin = chance.randint(0, len(other))
        return other[begin : chance.randint(begin, len(other))]
    if kind == 4:
        most = MOST_REPEATED_BYTES // max(1, len(part))
        return part * chance.randint(1, max(1, most if chance.randrange(100) == 0 else min(most, 100)))
    return chance.choice(_WORDS)


_NUMBERS = (0, -1, 1, 2**31, 2**63, -(2**63) - 1, 2**64, 10**400, 0.5, -0.0, 1e308, float("nan"), float("inf"))
_TEXTS = (
    *("", " ", "/", "..", "../../etc/passwd", "/etc/passwd", "a/../b", "-rf", "CON", "x" * 300, "9" * 400, "\0", "\n"),
    *("\r\nX: y", "\x1b[2J", "\u202e", "\ufeff", "\ud800", "\u0661", "=1+1", "<script>", "{{7*7}}", "%s%n", "é" * 40),
)
_MOST_TEXT = 1 << 17


def changed_value(chance: Random, seeds: Sequence[bytes], mend: Mend | None = None) -> bytes:
    """A valid example of JSON with other values in the same places, or with other bytes, as `changed`."""
    try:
        whole = [json.loads(chance.choice(seeds))]
        if chance.randrange(2):
            return changed(chance, seeds, mend)
        for _ in range(chance.randint(1, MOST_CHANGES)):
            places = list(_places(whole))
            inside, key = chance.choice(places)
            inside[key] = _other(chance, inside[key], [above[at] for above, at in places])
        return json.dumps(whole[0]).encode()
    except (ValueError, RecursionError):  # what a run goes on from need not be JSON
        return changed(chance, seeds, mend)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Each folder of a value, and a key in it."""
    for key in range(len(value)) if isinstance(value, list) else list(value):
        yield value, key
        if isinstance(value[key], list | dict):
            yield from _places(value[key])


def _other(chance: Random, value: Any, others: Sequence[Any]) -> Any:
    if chance.randrange(8) == 0:
        return copy.deepcopy(chance.choice(others))
    if isinstance(value, str):
        begin, end = sorted(chance.randint(0, len(value)) for _ in range(2))
        if chance.randrange(4) == 0:
            many = chance.choice((2, 50)) if chance.randrange(200) else 5000
            return (value[:begin] + value[begin:end] * many + value[end:])[:_MOST_TEXT]
        return chance.choice(("", value[:begin])) + chance.choice(_TEXTS) + chance.choice(("", value[end:]))
    if isinstance(value, list):
        return chance.choice((value * 2, value[::-1], value[:-1], []))
    if isinstance(value, dict):
        names = list(value)
        name = chance.choice(names) if names else "a"
        changed_ = {key: item for key, item in value.items() if key != name}
        return changed_ if chance.randrange(2) else {**changed_, chance.choice((*_TEXTS, *names)): value.get(name)}
    return chance.choice((not value, None) if isinstance(value, bool) or value is None else _NUMBERS)


def png(data: bytes) -> bytes:
    """Correct the checksums of chunks."""
    mended, at = bytearray(data), 8
    while at + 12 <= len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        end = at + 8 + size
        if end + 4 > len(data):
            break
        mended[end : end + 4] = zlib.crc32(data[at + 4 : end]).to_bytes(4, "big")
        at = end + 4
    return bytes(mended)


def tar(data: bytes) -> bytes:
    """Correct the checksums of headers."""
    mended = bytearray(data)
    for at in range(0, len(data) - 511, 512):
        if data[at + 257 : at + 262] == b"ustar":
            mended[at + 148 : at + 156] = b" " * 8
            mended[at + 148 : at + 156] = b"%06o\0 " % sum(mended[at : at + 512])
    return bytes(mended)


def zip_archive(data: bytes) -> bytes:
    """Correct the offset of the directory in a zip archive."""
    directory, end = data.find(b"PK\1\2"), data.rfind(b"PK\5\6")
    if directory < 0 or end + 20 > len(data) or end < directory:
        return data
    return data[: end + 12] + struct.pack("<II", end - directory, directory) + data[end + 20 :]


def archive(data: bytes) -> bytes:
    """Correct whichever of the two formats it is."""
    return zip_archive(data) if data.startswith(b"PK") else tar(data)


def compressed_mat(data: bytes) -> bytes:
    """Pack the part after the header of a MAT file."""
    packed = zlib.compress(data[128:], 1)
    return data[:128] + struct.pack("<II", 15, len(packed)) + packed
