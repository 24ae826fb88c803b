"""Issues receipts: makes the statement, signs it, logs it, and keeps it in the state directory.

receipt-log/receipts/<number>/receipt.json             the signed statement; may be given to anyone
                              receipt.json.sig         the same file, signed as OpenSSH does it
                              receipt.json.tlog-proof  that it is in the log
                              openings.json            for the organiser only: what opens its commitments
                              openings.public.json     those of them that may be published

They lie inside the log's folder since their numbers mean nothing without it: who removes a log removes its receipts.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluate.config.challenge.types import Challenge
from evaluate.confine.ownership import discard_tree
from evaluate.core.errors import Fault, UsageError
from evaluate.core.files import SCRATCH, publish, write_file
from evaluate.core.model import Evaluation
from evaluate.receipts.envelope import read_envelope, sign, ssh_signature
from evaluate.receipts.exam_data import ExamData, exam_data
from evaluate.receipts.keys import MINUTE, KeyRing, Signer, continued
from evaluate.receipts.log import Held, Log
from evaluate.receipts.note import Proof, proof_in
from evaluate.receipts.seal import DIGESTS, Seal, SealNow, refuse_change, seal_statement, sealed_digests
from evaluate.receipts.statement import (
    ADOPTED,
    PAYLOAD_TYPE,
    PREDICATE_TYPE,
    RESTORED,
    REVOKED,
    SEAL_TYPE,
    Committer,
    Opening,
    Receipt,
    challenge_digests,
    event,
    events,
    moment,
    openings_in,
    openings_text,
    secret_of,
    stated_time,
    statement,
)
from evaluate.report.audience import Policy

LOG = "receipt-log"
"""The log's folder in a state directory."""
RECEIPT, OPENINGS = "receipt.json", "openings.json"
OPENED = "openings.public.json"
"""The openings that are published (`evaluate challenge open`)."""
SIGNATURE, PROOF = f"{RECEIPT}.sig", f"{RECEIPT}.tlog-proof"
PUBLIC_FILES = (RECEIPT, SIGNATURE, PROOF)
"""Files that may be given to anyone."""


@dataclass(frozen=True, kw_only=True)
class Issued:
    """A receipt in the state directory."""

    number: int
    """Number in the log, from 0."""
    folder: Path

    @property
    def receipt(self) -> Path:
        """The file that may be given to anyone, with the two beside it."""
        return self.folder / RECEIPT

    @property
    def sha256(self) -> str:
        """Digest of the receipt without the line's end."""
        return hashlib.sha256(self.receipt.read_bytes().rstrip(b"\n")).hexdigest()


class Registry:
    """The keys, the log and the receipts of a state directory."""

    def __init__(self, state: Path) -> None:
        self._log = state / LOG
        self.receipts_folder = self._log / "receipts"
        """Folder with a folder of files for every receipt, named by its number."""
        self._seals, self._opened = self._log / "seals", self._log / "opened"
        self._secret = state / "keys" / "salt"
        self.keys = KeyRing(state / "keys")
        self.log = Log(self._log)

    def issue(
        self,
        evaluation: Evaluation,
        challenge: Challenge,
        policy: Policy,
        queue: Mapping[str, Any] | None = None,
        board: Mapping[str, Any] | None = None,
        exam: ExamData | None = None,
        rules: str = "",
    ) -> Issued:
        """Sign and log the receipt of an evaluation that has just ended.

        Raises Fault if keys or log are damaged, or cannot be written.

        * ``exam`` and ``rules``: what it was judged by, and the digest of ``challenge.yaml``; by default what is there
          now.
        * ``queue``: the end of the queue's journal; see `statement`.
        * ``board``: the settings by which a board counts; see `challenge_digests`.
        """
        seal, sealed = self.seal_of(challenge), None
        committer = self._committer()
        if seal is None:
            digests = challenge_digests(challenge, committer, board, exam)
        else:
            digests = self._digests(challenge, seal, committer, board, exam)
        digests |= {"rules": {"sha256": rules}} if rules else {}
        if seal is not None:
            sealed = {"number": seal.number, "sha256": seal.sha256, "changed": list(seal.changed(digests))}
        with self.log.changed() as held:
            at = self._now(held)
            receipt = statement(
                evaluation, challenge, policy, committer, digests, log=held.origin, at=at, seal=sealed, queue=queue
            )
            return self._logged(held, receipt)

    def seal(
        self,
        challenge: Challenge,
        *,
        entries: int = 0,
        replace: bool = False,
        board: Mapping[str, Any] | None = None,
    ) -> Seal:
        """Seal a challenge; if it is sealed and unchanged, that seal.

        Raises UsageError if it was sealed before, and has changed.

        * ``board``: the settings by which a board counts; see `challenge_digests`.
        * ``entries``: how many of the challenge are in the queue already.
        * ``replace``: seal it again if it has changed.
        """
        earlier = self.seal_of(challenge)
        committer = self._committer()
        digests = self._digests(challenge, earlier, committer, board)
        if earlier is not None:
            changed = earlier.changed(digests)
            if not changed and digests.keys() <= earlier.digests.keys():
                return earlier
            if changed and not replace:
                raise refuse_change(challenge.name, changed)
        stated = [statement for _, statement in self.receipts() if statement.get("predicateType") == PREDICATE_TYPE]
        receipts = sum(statement["predicate"]["challenge"]["name"] == challenge.name for statement in stated)
        before = {"receipts": receipts, "entries": entries}
        with self.log.changed() as held:
            receipt = seal_statement(
                challenge, digests, before=before, earlier=earlier, log=held.origin, at=self._now(held)
            )
            issued = self._logged(held, dataclasses.replace(receipt, openings=tuple(committer.opened.values())))
        self._seals.mkdir(exist_ok=True)
        write_file(self._seals / f"{challenge.name}.json", json.dumps({"number": issued.number}).encode())
        return Seal(number=issued.number, sha256=issued.sha256, statement=json.loads(receipt.payload))

    def seal_of(self, challenge: Challenge) -> Seal | None:
        """The newest seal of a challenge; None if it has none.

        Raises Fault if the log does not have it where it should be.
        """
        file = self._seals / f"{challenge.name}.json"
        if not file.exists():
            return None
        try:
            number = int(json.loads(file.read_text())["number"])
        except (ValueError, KeyError, TypeError) as e:
            raise Fault(f"{file} is damaged: expected the number of a seal; restore it from a backup") from e
        data = self.log.leaf(number)
        sealed = read_envelope(data, f"receipt {number} of the log").statement
        if sealed.get("predicateType") != SEAL_TYPE:
            raise Fault(f"{file} names receipt {number} of the log, which is not a seal")
        return Seal(number=number, sha256=hashlib.sha256(data).hexdigest(), statement=sealed)

    def rename(self, old: str, new: str) -> None:
        """Move seal and openings of a challenge, by its name or place, to another one, unless that has its own."""
        old, new = Path(old).name, Path(new).name
        seal, new_seal = (self._seals / f"{name}.json" for name in (old, new))
        for before, after in ((seal, new_seal), (self._opened / old, self._opened / new)):
            if before.exists() and not after.exists():
                before.rename(after)

    def _digests(
        self,
        challenge: Challenge,
        seal: Seal | None,
        committer: Committer,
        board: Mapping[str, Any] | None,
        exam: ExamData | None = None,
    ) -> dict[str, Any]:
        """Describe a challenge by commitments, which are those of its seal where nothing has changed but its name."""
        name = challenge.name if seal is None else str(seal.digests["name"])
        digests = sealed_digests(dataclasses.replace(challenge, name=name), committer, self._log, board, exam)
        return {**digests, "name": challenge.name}

    def exam_data(self, challenge: Challenge) -> ExamData:
        """Return what the exam of a challenge is judged by now. Raises ChallengeError if a file of it is missing."""
        return exam_data(challenge, self._log / DIGESTS)

    def folder(self, number: int) -> Issued:
        """The files of a receipt, which this state directory need not have."""
        return Issued(number=number, folder=self.receipts_folder / str(number))

    def newest_proof(self, receipt: Path) -> Proof | None:
        """The proof that a receipt, with its first proof beside it, is in the log as it is now; None: it is not."""
        beside = receipt.with_name(PROOF)
        first = proof_in(beside)
        if first.index >= self.log.size:
            return None
        return self.log.proof(first.index) if self.log.leaf(first.index) == receipt.read_bytes().rstrip(b"\n") else None

    def seal_now(self, challenge: Challenge, board: Mapping[str, Any] | None = None) -> SealNow | None:
        """The seal of a challenge, compared with the challenge as it is now; None if it has none."""
        seal = self.seal_of(challenge)
        if seal is None:
            return None
        digests = self._digests(challenge, seal, self._committer(), board)
        return SealNow(seal=seal, changed=seal.changed(digests))

    def receipts(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Number and statement of everything in the log, in order; nothing about signatures is checked."""
        for number, line in enumerate(self.log.leaves()):
            yield number, read_envelope(line, f"receipt {number} of the log").statement

    def _now(self, held: Held) -> float:
        """The time that a statement gives: not before the first use of its key, even if the clock was set back."""
        return max(self._signer(held).public.since, time.time())

    def signer(self) -> Signer:
        """The key in use, made at first use, and published with its place in the log."""
        with self.log.changed() as held:
            return self._signer(held)

    def rotate(self) -> Signer:
        """Replace the key in use, and sign the newest head of the log with the new one; see `KeyRing.rotate`."""
        with self.log.changed() as held:
            self._signer(held)
            signer = self.keys.rotate(held.position)
            held.sign(signer)
            return signer

    def revoke(self, name: str, since: float) -> list[int]:
        """Revoke a key from a time on; returns the numbers of the receipts that do not count any more.

        A key that is in use is replaced.  The revocation is a statement in the log, signed by the key that is in use.
        Raises UsageError if there is no such key, the time is to come, or the key is revoked since an earlier one.
        """
        with self.log.changed() as held:
            current = self._signer(held)
            key = next((key for key in self.keys.public() if key.id == name), None)
            if key is None:
                ids = ", ".join(key.id for key in self.keys.public())
                raise UsageError(f"{name}: expected the id of a key of this state directory ({ids})")
            if since > time.time():
                raise UsageError(f"{name}: expected a time that is over, found one to come")
            if key.revoked is not None and key.revoked < since:
                raise UsageError(f"{name} is revoked since an earlier time; a revocation is final")
            if current.public.id == name:
                self.keys.rotate(held.position)
                key = next(key for key in self.keys.public() if key.id == name)
            signed = list(self._signed_by(name))
            span = key.span(held.origin)
            end = held.size if span is None or span.end is None else span.end
            first = next((number for number, at in signed if at is None or at + MINUTE > since), end)
            logs = [dataclasses.replace(part, revoked=first) if part is span else part for part in key.logs]
            self.keys.replace([dataclasses.replace(key, revoked=since, logs=tuple(logs))])
            about = {"key": name, "since": moment(since), "first": first}
            if not any(revocation.items() >= about.items() for _, revocation in events(self.log, REVOKED)):
                self._logged(held, event(held, REVOKED, about, self._now(held)))
            return [number for number, _ in signed if number >= first]

    def restored(self, backup: str) -> Issued | None:
        """Continue a log that was brought back from a backup; None if the backup had none.

        Receipts that were signed after the backup are lost with their heads.  So that no two heads of one log
        contradict each other, the log gets another origin, and a statement that names the old one.

        ``backup``: when the backup was made.
        """
        if not self.log.size:
            return None
        with self.log.changed() as held:
            self._signer(held)
            former = held.origin
            held.rename()
            self.keys.replace([continued(key, former, held.origin, held.size) for key in self.keys.public()])
            return self._logged(held, event(held, RESTORED, {"former": former, "backup": backup}, self._now(held)))

    def adopt(self, receipt: Path) -> Issued:
        """Log a receipt again that this log had, and lost when it was restored; its files get a folder as all others.

        Raises UsageError if it is not a receipt of this log, or was changed, or is not lost.
        """
        data = receipt.read_bytes().rstrip(b"\n")
        signed = read_envelope(data, str(receipt))
        beside = receipt.with_name(PROOF)
        if not beside.exists():
            raise UsageError(f"{beside}: expected the proof that was handed out with the receipt, found none")
        proof = proof_in(beside)
        former = {restoration["former"]: restoration["before"]["size"] for _, restoration in events(self.log, RESTORED)}
        former_number = f"number {proof.index} of the log {proof.checkpoint.origin}"
        with self.log.changed() as held:
            self._signer(held)
            keys = self.keys.public()
            key = signed.signed_by(keys)
            if key is None or proof.checkpoint.signed_by(keys) is None or not proof.holds_for(data):
                raise UsageError(f"{receipt}: expected a receipt and a proof by a key of this log, found another")
            if proof.index < former.get(proof.checkpoint.origin, proof.index + 1):
                raise UsageError(
                    f"{receipt}, {former_number}, is not of a part that was lost; `evaluate log verify` says more"
                )
            number = self.log.find(data)
            if number is None:
                number = held.size
                logs = [
                    dataclasses.replace(part, adopted=(*part.adopted, number))
                    if part.origin == held.origin and not part.used(number)  # the key may have been replaced since
                    else part
                    for part in key.logs
                ]
                self.keys.replace([dataclasses.replace(key, logs=tuple(logs))])
                proof = held.append(data, self._signer(held))
                files = {RECEIPT: data + b"\n", PROOF: proof.text.encode()}
                if (signature := receipt.with_name(SIGNATURE)).exists():
                    files[SIGNATURE] = signature.read_bytes()
                self._publish(number, files)
            about = {"number": number, "sha256": hashlib.sha256(data).hexdigest(), "former": former_number}
            if not any(adoption.items() >= about.items() for _, adoption in events(self.log, ADOPTED)):
                self._logged(held, event(held, ADOPTED, about, self._now(held)))
        return self.folder(number)

    def _signed_by(self, name: str) -> Iterator[tuple[int, float | None]]:
        """Number and stated time of what a key signed."""
        for number, line in enumerate(self.log.leaves()):
            signed = read_envelope(line, f"receipt {number} of the log")
            if name in signed.envelope.signatures:
                yield number, stated_time(signed.statement)

    def _signer(self, held: Held) -> Signer:
        """The key that signs the next receipt."""
        return self.keys.signer(held.position)

    def published(self, challenges: Mapping[str, bool]) -> dict[int, dict[str, bytes]]:
        """The files of the receipts that may be published, by number: all seals and statements about the log as well.

        ``challenges``: names of those whose receipts are published, and whether with the resamples of their scores,
        from which the ties of a board follow.
        """
        files_by_number = {}
        for number, stated in self.receipts():
            evaluation = stated.get("predicateType") == PREDICATE_TYPE
            if evaluation and stated["predicate"]["challenge"]["name"] not in challenges:
                continue
            files = {RECEIPT: self.log.leaf(number) + b"\n"}
            if (signature := self.receipts_folder / str(number) / SIGNATURE).exists():
                files[SIGNATURE] = signature.read_bytes()
            opened = self._openings(number, OPENED)
            if evaluation and challenges.get(stated["predicate"]["challenge"]["name"]):
                resampled = stated["predicate"]["withheld"].get("numbers")
                opened += [
                    opening
                    for opening in self._openings(number, OPENINGS)
                    if opening.commitment == resampled and opening not in opened
                ]
            if opened:
                files[OPENINGS] = openings_text(opened)
            files_by_number[number] = files
        return files_by_number

    def _openings(self, number: int, name: str) -> list[Opening]:
        """The openings in a file beside a receipt; none if it does not exist."""
        file = self.receipts_folder / str(number) / name
        return openings_in(file) if file.exists() else []

    def open(self, challenge: str, record: str | None = None, entry: str | None = None) -> Iterator[tuple[int, int]]:
        """Allow openings of a challenge's receipts to be published; yields each number, and how many it has.

        * ``record``: only those of this record; then seals stay closed.
        * ``entry``: only those of the receipts of this entry.
        """
        whole = False
        for number, stated in self.receipts():
            about = stated["predicate"].get("challenge", {}).get("name") == challenge
            whose = stated["predicate"].get("entry", {}).get("id")
            if not about or entry not in (None, whose):
                continue
            wanted = [
                opening
                for opening in self._openings(number, OPENINGS)
                if record is None or (isinstance(opening.value, dict) and opening.value.get("record") == record)
            ]
            before = self._openings(number, OPENED)
            if wanted:
                both = [*before, *(opening for opening in wanted if opening not in before)]
                write_file(self.receipts_folder / str(number) / OPENED, openings_text(both))
                whole = record is None and entry is None
                yield number, len(wanted)
        if whole:
            self._opened.mkdir(parents=True, exist_ok=True)
            write_file(self._opened / challenge, b"")

    def is_opened(self, challenge: str) -> bool:
        """True if all openings of a challenge may be published."""
        return (self._opened / challenge).exists()

    def _committer(self) -> Committer:
        return Committer(secret_of(self._secret))

    def _logged(self, held: Held, receipt: Receipt) -> Issued:
        """Sign and log a statement, and leave it with what belongs to it in a folder of its number."""
        signer = self._signer(held)
        data = sign(receipt.payload, PAYLOAD_TYPE, signer)
        proof = held.append(data, signer)
        files = {
            RECEIPT: data + b"\n",
            SIGNATURE: ssh_signature(data + b"\n", signer).encode(),
            PROOF: proof.text.encode(),
            OPENINGS: openings_text(receipt.openings),
        }
        return self._publish(proof.index, files)

    def _publish(self, number: int, files: Mapping[str, bytes]) -> Issued:
        """The files of a receipt, in a folder that is there with all of them or not at all."""
        self.receipts_folder.mkdir(parents=True, exist_ok=True)
        part = Path(tempfile.mkdtemp(prefix=SCRATCH, dir=self.receipts_folder))
        try:
            for name, data in files.items():
                (part / name).write_bytes(data)
                (part / name).chmod(0o600 if name == OPENINGS else 0o644)
            publish(part, self.receipts_folder / str(number))
        except BaseException:
            discard_tree(part)
            raise
        return self.folder(number)
