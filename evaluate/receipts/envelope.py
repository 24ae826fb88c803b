"""A statement with its signatures: a DSSE envelope, and the same file signed as OpenSSH does it."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from securesystemslib.dsse import Envelope
from securesystemslib.exceptions import VerificationError
from securesystemslib.signer import CryptoSigner, SSlibKey

from evaluate.core.errors import UsageError
from evaluate.core.sanitize import parsed
from evaluate.receipts.keys import PublicKey, Signer

SSH_NAMESPACE = "evaluate-receipt"
_SSH_HASH = "sha512"
_LINE = 70


@dataclass(frozen=True)
class Signed:
    """An envelope that was read; nothing about its signature is checked."""

    envelope: Envelope
    statement: dict[str, Any]
    canonical: bool = True
    """True if it is written as it was signed; else nobody's signature holds."""

    def signed_by(self, keys: list[PublicKey]) -> PublicKey | None:
        """The key of these that signed it; None if none did."""
        by_id = {key.id: key for key in keys}
        try:
            signers = self.envelope.verify([_key(key) for key in keys], 1) if keys and self.canonical else {}
        except VerificationError:
            return None
        return next((by_id[name] for name in signers), None)


def sign(payload: bytes, payload_type: str, signer: Signer) -> bytes:
    """The envelope as one line of JSON."""
    envelope = Envelope(payload, payload_type, {})
    envelope.sign(CryptoSigner(signer.private, _key(signer.public)))
    return json.dumps(envelope.to_dict(), separators=(",", ":")).encode()


def read_envelope(data: bytes, name: str) -> Signed:
    """An envelope with a statement from its bytes. Raises UsageError if the bytes are something else."""
    try:
        document = parsed(data)
        texts = [document["payload"], *(signature["sig"] for signature in document["signatures"])]
        envelope = Envelope.from_dict(document)
        "".join([envelope.payload_type, *envelope.signatures]).encode()  # each is text
        statement = parsed(envelope.payload)
        canonical = all(base64.b64encode(base64.b64decode(text)).decode() == text for text in texts)
    except (ValueError, KeyError, TypeError, AttributeError) as e:
        raise UsageError(f"{name}: expected a receipt (a DSSE envelope as JSON), found something else") from e
    if not isinstance(statement, dict) or not isinstance(statement.get("predicate"), dict):
        raise UsageError(f"{name}: expected a receipt, found an envelope without a statement")
    return Signed(envelope, statement, canonical)


def ssh_signature(data: bytes, signer: Signer) -> str:
    """The signature file that ``ssh-keygen -Y verify -n evaluate-receipt`` takes (OpenSSH, PROTOCOL.sshsig)."""
    public = _string(b"ssh-ed25519") + _string(signer.public.raw)
    same = _string(SSH_NAMESPACE.encode()) + _string(b"") + _string(_SSH_HASH.encode())
    signature = signer.sign(b"SSHSIG" + same + _string(hashlib.new(_SSH_HASH, data).digest()))
    blob = b"SSHSIG" + struct.pack(">I", 1) + _string(public) + same
    text = base64.b64encode(blob + _string(_string(b"ssh-ed25519") + _string(signature))).decode()
    lines = [text[at : at + _LINE] for at in range(0, len(text), _LINE)]
    return "\n".join(["-----BEGIN SSH SIGNATURE-----", *lines, "-----END SSH SIGNATURE-----", ""])


def allowed_signers(keys: Sequence[PublicKey]) -> str:
    """The file that ``ssh-keygen -Y verify -f`` takes; with ``-Overify-time`` for keys that were replaced."""
    used = [(key, base64.b64encode(_string(b"ssh-ed25519") + _string(key.raw)).decode()) for key in keys]
    return "".join(f"evaluate {_options(key)} ssh-ed25519 {raw}\n" for key, raw in used if _ends(key) > key.since)


def _options(key: PublicKey) -> str:
    times = {"valid-after": key.since // 60 * 60, "valid-before": _ends(key)}
    given = {name: datetime.fromtimestamp(at, UTC) for name, at in times.items() if 0 < at < math.inf}
    return ",".join([f'namespaces="{SSH_NAMESPACE}"', *(f'{name}="{at:%Y%m%d%H%M%SZ}"' for name, at in given.items())])


def _ends(key: PublicKey) -> float:
    return min((end for end in (key.until, key.revoked) if end is not None), default=math.inf)


def _string(data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + data


def _key(key: PublicKey) -> SSlibKey:
    return SSlibKey.from_crypto(key.key, key.id)
