"""The receipts of the site's state directory: their public keys, and the check that anybody may make."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from evaluate.core.errors import UsageError
from evaluate.receipts.envelope import read_envelope
from evaluate.receipts.issue import PROOF, Registry
from evaluate.receipts.keys import PublicKey
from evaluate.receipts.verify import ReceiptFinding, conclusion, findings, signature_checked
from evaluate.serve.site import Site


def public_keys(site: Site) -> list[PublicKey]:
    """Every key that signed receipts of this state directory, earlier ones as well."""
    return Registry(site.state).keys.public()


@dataclass(frozen=True, kw_only=True)
class Checked:
    """Findings about a receipt that somebody gave."""

    conclusion: str
    """Statement of its proofs and their limits, in a sentence or two; or the reason why it is no receipt."""
    findings: tuple[ReceiptFinding, ...] = ()
    holds: bool = False


def checked(site: Site, data: bytes) -> Checked:
    """Check a receipt by the keys and the log of this site."""
    registry = Registry(site.state)
    keys = registry.keys.public()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "receipt.json"
        file.write_bytes(data.strip() + b"\n")
        try:
            read_envelope(data, "the text")
            number = registry.log.find(data.strip())
            proof = registry.log.proof(number) if number is not None else None
            signed, results = findings(file, keys, proof=proof, log=registry.log)
            words = conclusion(signed, results)
        except UsageError as e:
            return Checked(conclusion=f"{e}; paste the whole file receipt.json, and nothing else")
        except (KeyError, TypeError, ValueError, AttributeError):
            return Checked(conclusion="the text: expected a receipt, found a statement that makes no sense")
    holds = all(result.ok is not False for result in results) and signature_checked(results) and number is not None
    return Checked(conclusion=words, findings=tuple(results), holds=holds)


def newest_proof(site: Site, receipt: Path) -> bytes:
    """The proof that a receipt is in the log: against the newest head if the log is here, else the one beside it."""
    proof = Registry(site.state).newest_proof(receipt)
    return receipt.with_name(PROOF).read_bytes() if proof is None else proof.text.encode()
