"""Issues receipts: makes the statement, signs it, logs it, and keeps it in the state directory.

receipt-log/receipts/<number>/receipt.json             the signed statement; may be given to anyone
                              receipt.json.sig         the same file, signed as OpenSSH does it
                              receipt.json.tlog-proof  that it is in the log
                              openings.json            for the organiser only: what opens its commitments

They lie inside the log's folder since their numbers mean nothing without it: who removes a log removes its receipts.
"""

from __future__ import annotations

import json
import shutil
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from evaluate.challenge import Challenge
from evaluate.core.files import SCRATCH, publish
from evaluate.core.model import Evaluation
from evaluate.receipts.commitments import Committer, secret_of
from evaluate.receipts.envelope import sign, ssh_signature
from evaluate.receipts.keys import KeyRing
from evaluate.receipts.log import Log
from evaluate.receipts.statement import PAYLOAD_TYPE, statement
from evaluate.report.audience import Policy

LOG = "receipt-log"
"""The log's folder in a state directory."""
RECEIPT, OPENINGS = "receipt.json", "openings.json"
SIGNATURE, PROOF = f"{RECEIPT}.sig", f"{RECEIPT}.tlog-proof"
PUBLIC_FILES = (RECEIPT, SIGNATURE, PROOF)
"""What may be given to anyone."""


@dataclass(frozen=True, kw_only=True)
class Issued:
    """A receipt in the state directory."""

    number: int
    """Its place in the log, from 0."""
    folder: Path

    @property
    def receipt(self) -> Path:
        """The file that may be given to anyone, with the two beside it."""
        return self.folder / RECEIPT


class Registry:
    """The keys, the log and the receipts of a state directory."""

    def __init__(self, state: Path) -> None:
        self._folder = state / LOG / "receipts"
        self._secret = state / "keys" / "salt"
        self.keys = KeyRing(state / "keys")
        self.log = Log(state / LOG)

    def issue(self, evaluation: Evaluation, challenge: Challenge, policy: Policy) -> Issued:
        """Sign and log the receipt of an evaluation that has just ended.

        Raises
        ------
        Fault
            Keys or log are damaged, or cannot be written.
        """
        signer = self.keys.signer()
        committer = Committer(secret_of(self._secret))
        made = statement(evaluation, challenge, policy, committer, log=self.log.origin, at=time.time())
        data = sign(made.payload, PAYLOAD_TYPE, signer)
        proof = self.log.append(data, signer)
        self._folder.mkdir(parents=True, exist_ok=True)
        part = Path(tempfile.mkdtemp(prefix=SCRATCH, dir=self._folder))
        try:
            (part / RECEIPT).write_bytes(data + b"\n")
            (part / SIGNATURE).write_text(ssh_signature(data + b"\n", signer))
            (part / PROOF).write_text(proof.text, encoding="utf-8")
            openings = json.dumps([asdict(opening) for opening in made.openings], indent=1)
            (part / OPENINGS).write_text(openings + "\n", encoding="utf-8")
            (part / OPENINGS).chmod(0o600)
            publish(part, self._folder / str(proof.index))
        except BaseException:
            shutil.rmtree(part, ignore_errors=True)
            raise
        return Issued(number=proof.index, folder=self._folder / str(proof.index))
