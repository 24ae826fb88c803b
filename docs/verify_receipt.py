#!/usr/bin/env python3
"""A second verifier of receipts, written from docs/receipt-format.md alone: Python's library and `cryptography`.

    python3 verify_receipt.py receipt.json public.json [--proof FILE] [--entry FILE] [--openings FILE]

Exit code 0: all that was given holds; 1: something does not; 3: it cannot be decided without the proof.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import sys
from datetime import datetime
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

STATEMENT = "https://in-toto.io/Statement/v1"
PAYLOAD = "application/vnd.in-toto+json"
LAST_SECOND = 253_402_300_799  # of the year 9999
KINDS = tuple(f"urn:sandbox-evaluate:{name}:v1" for name in ("evaluation", "seal", "log-event"))


class Wrong(Exception):
    """A check failed."""


class Unknown(Exception):
    """It cannot be decided with what was given."""


def check(good, message):
    """Go on only if it is so."""
    if not good:
        raise Wrong(message)


def decoded(text):
    """Base64 in its only canonical form."""
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError as e:
        raise Wrong(f"not base64: {text[:40]!r}") from e
    check(base64.b64encode(data).decode() == text, "base64 that is not canonical")
    return data


def holds(raw, signature, data):
    """True if an Ed25519 signature is of these data."""
    try:
        Ed25519PublicKey.from_public_bytes(raw).verify(signature, data)
    except InvalidSignature:
        return False
    return True


def keys_in(file):
    """Id -> (raw bytes, the entry of the list)."""
    found = {}
    for one in json.loads(file.read_text())["keys"]:
        key = serialization.load_pem_public_key(one["pem"].encode())
        raw = key.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
        check(hashlib.sha256(raw).hexdigest()[:16] == one["id"], "a key does not have its id")
        found[one["id"]] = (raw, one)
    return found


def envelope(data, keys):
    """The statement, and the key that signed it."""
    try:
        document = json.loads(data)
        payload, kind = decoded(document["payload"]), document["payloadType"]
        signatures = [(one["keyid"], decoded(one["sig"])) for one in document["signatures"]]
        statement = json.loads(payload)
        kinds = kind, statement["_type"], statement["predicateType"]
    except (ValueError, KeyError, TypeError, AttributeError) as e:
        raise Wrong(f"not a receipt: {e}") from e
    check(kinds[:2] == (PAYLOAD, STATEMENT) and kinds[2] in KINDS, f"another format: {kinds}")
    signed = b"DSSEv1 %d %s %d %s" % (len(kind.encode()), kind.encode(), len(payload), payload)
    for name, signature in signatures:
        if name in keys and holds(keys[name][0], signature, signed):
            return statement, keys[name]
    raise Wrong("signed by none of the keys")


def proof_in(text):
    """Number, hashes, and the signed head (origin, size, root, body, lines)."""
    try:
        head, note = text.split("\n\n", 1)
        first, *lines = head.split("\n")
        lines = lines[1:] if lines[0].startswith("extra ") else lines
        word, number = lines[0].split(" ")
        body, signatures = note.split("\n\n", 1)
        origin, size, root = body.split("\n")[:3]
        index, width = int(number), int(size)
    except (ValueError, IndexError) as e:
        raise Wrong(f"not a proof: {e}") from e
    check(first == "c2sp.org/tlog-proof@v1" and word == "index", "not a proof of c2sp.org/tlog-proof@v1")
    check((str(index), str(width)) == (number, size) and 0 <= index < width, "numbers of the proof")
    hashes = [decoded(line) for line in lines[1:]]
    check(all(len(one) == 32 for one in [*hashes, decoded(root)]), "a hash has 32 bytes")
    return index, hashes, (origin, width, decoded(root), f"{body}\n".encode(), signatures.split("\n"))


def included(leaf, index, size, hashes, root):
    """RFC 9162, section 2.1.3.2."""
    node, last, found = index, size - 1, leaf
    for other in hashes:
        if last == 0:
            return False
        if node & 1 or node == last:
            found = hashlib.sha256(b"\1" + other + found).digest()
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            found = hashlib.sha256(b"\1" + found + other).digest()
        node, last = node >> 1, last >> 1
    return last == 0 and found == root


def note_signatures(lines, name, kind, raw):
    """What follows the id of a key in the lines of a signed note (C2SP signed-note)."""
    wanted = hashlib.sha256(name.encode() + b"\n" + kind + raw).digest()[:4]
    for line in lines:
        if line.startswith(f"\N{EM DASH} {name} "):
            try:
                data = decoded(line.removeprefix(f"\N{EM DASH} {name} "))
            except Wrong:
                continue
            if data[:4] == wanted:
                yield data[4:]


def head_key(head, keys):
    """The key that signed a head and was in use at its size."""
    origin, size, _, body, lines = head
    for raw, one in keys.values():
        signatures = list(note_signatures(lines, origin, b"\1", raw))
        if signatures and all(holds(raw, signature, body) for signature in signatures):
            spans = one.get("logs") or []
            in_use = [
                s
                for s in spans
                if s["origin"] == origin and s["first"] <= size and (s["end"] is None or size <= s["end"])
            ]
            check(not spans or in_use, "the key of the head was not in use at that size")
            return one
    raise Wrong("the head is signed by none of the keys")


def valid(key, statement, proof, signer_of_head, keys):
    """True if the key was valid when it signed; see "Which time a key is judged by"."""
    predicate = statement["predicate"]
    stated = predicate.get("ended") or predicate.get("sealed") or predicate.get("stated")
    try:
        at = datetime.fromisoformat(str(stated).replace("Z", "+00:00")).timestamp()
    except ValueError as e:
        raise Wrong("no time is stated") from e
    until, revoked = key.get("until"), key.get("revoked")
    if key["since"]:
        check(at + 60 > key["since"] and (until is None or at <= until), "the key was not in use at the time stated")
        check(revoked is None or at + 60 <= revoked, "the key was revoked before the time stated")
    if proof is None:
        check(revoked is None, "the key is revoked, and no proof shows that the log saw it before")
        if until is not None:
            raise Unknown("the key was replaced: only the proof shows when it signed")
        return
    index, _, (origin, *_) = proof
    spans = [s for s in key.get("logs") or [] if s["origin"] == origin]
    if key.get("logs"):
        used = any(
            index in s["adopted"] or (s["first"] <= index and (s["end"] is None or index < s["end"])) for s in spans
        )
        check(used, "the key was not in use at this number of the log")
        check(
            all(s["revoked"] is None or index < s["revoked"] for s in spans), "the key was revoked before this number"
        )
    if revoked is not None:
        check(signer_of_head.get("revoked") is None, "the head is signed by a revoked key too: get a newer proof")
    lost = [s["restored"] for _, one in keys.values() for s in one.get("logs") or [] if s["origin"] == origin]
    check(all(one is None or index < one for one in lost), "the log was restored and lost this receipt")


def canonical(value):
    """RFC 8785 for what receipts have: no fractions."""
    if isinstance(value, dict):
        order = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(f"{canonical(name)}:{canonical(value[name])}" for name in order) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def texts(value):
    """Every text in a JSON value."""
    if isinstance(value, str):
        yield value
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from texts(one)


def verify(given):
    """The statement; Wrong or Unknown."""
    keys = keys_in(given.keys)
    line = given.receipt.read_bytes().rstrip(b"\n")
    statement, (_, key) = envelope(line, keys)
    beside = given.proof or given.receipt.with_name(given.receipt.name + ".tlog-proof")
    proof, signer = None, {}
    if given.proof or beside.exists():
        proof = proof_in(beside.read_bytes().decode())
        index, hashes, head = proof
        leaf = hashlib.sha256(b"\0" + line).digest()
        check(included(leaf, index, head[1], hashes, head[2]), "the proof is not about this receipt")
        signer = head_key(head, keys)
    valid(key, statement, proof, signer, keys)
    if given.entry:
        (subject,) = statement["subject"]
        digest = hashlib.sha256(given.entry.read_bytes()).hexdigest()
        check(digest == subject["digest"]["sha256"], "another entry")
    for one in json.loads(given.openings.read_text()) if given.openings else ():
        commitment = hashlib.sha256(bytes.fromhex(one["salt"]) + canonical(one["value"]).encode()).hexdigest()
        check(commitment in set(texts(statement["predicate"])), f"{one['label']!r} is not what was committed")
    return statement


def main(argv=None):
    """Print and return what came out."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("receipt", type=Path)
    asked.add_argument("keys", type=Path)
    for name in ("--proof", "--entry", "--openings"):
        asked.add_argument(name, type=Path)
    try:
        predicate = verify(asked.parse_args(argv))["predicate"]
    except (Wrong, OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as e:
        print(f"WRONG: {e!r}")  # the files may be anybody's
        return 1
    except Unknown as e:
        print(f"not decided: {e}")
        return 3
    print(f"ok: {predicate.get('verdict') or predicate.get('event') or 'sealed'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
