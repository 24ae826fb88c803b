"""The log: what is in it stays provable, whatever happens to its files or to the process that writes them."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluate.core.errors import Fault, UsageError
from evaluate.receipts import note
from evaluate.receipts.keys import KeyRing
from evaluate.receipts.log import Log
from evaluate.receipts.note import PROOF_HEADER, read_checkpoint, read_proof
from tests.support.receipts import logged
from tests.support.scorers import written


@pytest.fixture
def log(tmp_path: Path, ring: KeyRing) -> Log:
    log = Log(tmp_path / "log")
    for n in range(6):
        logged(log, b"receipt %d" % n, ring.signer())
    return log


def test_every_receipt_that_is_there_is_proven_by_the_head_at_its_time_and_by_the_newest(
    log: Log, ring: KeyRing
) -> None:
    for ask in (log.leaf, log.proof):
        with pytest.raises(UsageError, match="receipt 6 is not in the log, which has 6"):
            ask(6)
    proof = logged(log, b"one more", ring.signer())
    assert (proof.index, proof.checkpoint.size) == (6, 7)
    assert proof.holds_for(b"one more") and not proof.holds_for(b"another")
    assert read_proof(proof.text, "it") == proof
    assert log.leaf(6) == b"one more" and log.leaf(0) == b"receipt 0"
    assert log.proof(2).holds_for(b"receipt 2")
    assert proof.checkpoint.signed_by(ring.public()) == ring.public()[0]
    assert log.problems(ring.public()) == []


def test_a_receipt_is_on_the_disk_before_anything_is_signed_for_it(
    log: Log, ring: KeyRing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leaves, states = tmp_path / "log" / "leaves", []

    def sync(fd: int) -> None:
        head = log.checkpoint()
        assert os.path.samestat(os.fstat(fd), leaves.stat()) and head is not None
        states.append((leaves.read_bytes().splitlines()[-1], head.size))

    monkeypatch.setattr(os, "fdatasync", sync)
    logged(log, b"one more", ring.signer())
    assert states == [(b"one more", 6)]


@pytest.mark.parametrize("lost", ["hashes", "ends", "checkpoint"])
@pytest.mark.parametrize("left", [0, 70])
def test_what_a_killed_process_did_not_write_is_completed(
    log: Log, ring: KeyRing, tmp_path: Path, lost: str, left: int
) -> None:
    before = log.proof(1)
    file = tmp_path / "log" / lost
    if lost == "checkpoint":
        file.unlink()
    elif lost == "ends":
        os.truncate(file, left // 8 * 8)
    else:
        os.truncate(file, left)
    with (tmp_path / "log" / "leaves").open("ab") as leaves:
        leaves.write(b"half a rec")
    logged(log, b"receipt 6", ring.signer())
    assert list(log.leaves()) == [b"receipt %d" % n for n in range(7)]
    assert log.problems(ring.public(), before.checkpoint) == []
    assert log.leaf(5) == b"receipt 5"


def test_changed_and_lost_receipts_are_named_and_nothing_is_appended_after_them(
    log: Log, ring: KeyRing, tmp_path: Path
) -> None:
    file = tmp_path / "log" / "leaves"
    file.write_bytes(file.read_bytes().replace(b"receipt 3", b"receipt 8"))
    assert log.problems(ring.public()) == [
        "receipt 3 was changed after it was logged",
        "the first 6 receipts are not those of the newest checkpoint",
    ]
    os.truncate(file, 20)
    assert log.problems(ring.public()) == [
        "the newest checkpoint has 6 receipts, and the log has 2: the last ones were lost"
    ]
    with pytest.raises(Fault, match="has lost receipts"):
        logged(log, b"x", ring.signer())


def test_a_log_that_was_written_again_is_not_that_of_an_older_head(log: Log, ring: KeyRing, tmp_path: Path) -> None:
    proof = log.proof(3)
    other = Log(written(tmp_path / "other", {"origin": log.origin}))
    for n in (0, 1, 2, 7, 4, 5):
        logged(other, b"receipt %d" % n, ring.signer())
    assert other.problems(ring.public()) == []
    assert other.problems(ring.public(), proof.checkpoint) == [
        "the first 6 receipts are not those of the checkpoint that was given"
    ]


@pytest.mark.parametrize(
    ("read", "text"),
    [
        *((read_checkpoint, text) for text in ("", "a\nb\nc\n\n", "a\n01\n" + 43 * "A" + "=\n\n", "a\n1\nAAAA\n\n")),
        *((read_proof, text) for text in ("", f"{PROOF_HEADER}\n", f"{PROOF_HEADER}\nindex x\n\n")),
    ],
)
def test_text_of_another_form_is_refused(read: Callable[[str, str], object], text: str) -> None:
    with pytest.raises(UsageError, match=r"it: expected a (signed checkpoint|proof)"):
        read(text, "it")


# The tree of the log, compared with the definitions of RFC 6962 written out.


MOST = 70


def by_definition(leaves: list[bytes]) -> bytes:
    """RFC 6962, section 2.1."""
    if not leaves:
        return note.EMPTY_ROOT
    if len(leaves) == 1:
        return note.leaf_hash(leaves[0])
    k = 1
    while 2 * k < len(leaves):
        k *= 2
    return note.node_hash(by_definition(leaves[:k]), by_definition(leaves[k:]))


LEAVES = [bytes([n]) for n in range(MOST)]
STORED: list[bytes] = []
for number, leaf in enumerate(LEAVES):
    STORED += note.appended(note.leaf_hash(leaf), number, STORED.__getitem__)
read = STORED.__getitem__


@given(st.integers(1, MOST), st.data())
def test_root_is_that_of_the_definition_and_an_inclusion_proof_holds_for_its_leaf_alone(
    size: int, data: st.DataObject
) -> None:
    index = data.draw(st.integers(0, size - 1))
    other = data.draw(st.integers(0, MOST - 1).filter(lambda n: n != index))
    proof = note.inclusion_proof(index, size, read)
    hashed, root = note.leaf_hash(LEAVES[index]), by_definition(LEAVES[:size])
    assert note.root(size, read) == root
    assert note.includes(hashed, index, size, proof, root)
    assert not note.includes(note.leaf_hash(LEAVES[other]), index, size, proof, root)
    assert not note.includes(hashed, other, size, proof, root)
    assert not note.includes(hashed, index, size, [*proof, bytes(32)], root)
    for n in range(len(proof)):
        assert not note.includes(hashed, index, size, [*proof[:n], bytes(32), *proof[n + 1 :]], root)
        assert not note.includes(hashed, index, size, proof[:n] + proof[n + 1 :], root)
