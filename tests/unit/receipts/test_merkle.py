"""The tree of the log, compared with the definitions of RFC 6962 written out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluate.receipts import note

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
ROOTS = [by_definition(LEAVES[:n]) for n in range(MOST + 1)]
STORED: list[bytes] = []
for number, leaf in enumerate(LEAVES):
    STORED += note.appended(note.leaf_hash(leaf), number, STORED.__getitem__)
read = STORED.__getitem__


def test_roots_are_those_of_the_definition() -> None:
    assert [note.root(n, read) for n in range(MOST + 1)] == ROOTS
    assert len(STORED) == note.stored_before(MOST) < 2 * MOST


def test_known_root_of_the_certificate_transparency_tests() -> None:
    # the reference data of google/certificate-transparency, merkle_tree_test
    inputs = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
    expected = "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"
    stored: list[bytes] = []
    for n, text in enumerate(inputs):
        stored += note.appended(note.leaf_hash(bytes.fromhex(text)), n, stored.__getitem__)
    assert note.root(len(inputs), stored.__getitem__).hex() == expected


@given(st.integers(1, MOST), st.data())
def test_inclusion_proof_holds_for_its_leaf_alone(size: int, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, size - 1))
    other = data.draw(st.integers(0, MOST - 1).filter(lambda n: n != index))
    proof = note.inclusion_proof(index, size, read)
    own, root = note.leaf_hash(LEAVES[index]), ROOTS[size]
    assert note.includes(own, index, size, proof, root)
    assert not note.includes(note.leaf_hash(LEAVES[other]), index, size, proof, root)
    assert not note.includes(own, other, size, proof, root)
    assert not note.includes(own, index, size, [*proof, bytes(32)], root)
    for n in range(len(proof)):
        assert not note.includes(own, index, size, [*proof[:n], bytes(32), *proof[n + 1 :]], root)
        assert not note.includes(own, index, size, proof[:n] + proof[n + 1 :], root)


def test_leaves_outside_the_tree_have_no_proof() -> None:
    with pytest.raises(ValueError, match="leaf 5 of a tree of 5"):
        note.inclusion_proof(5, 5, read)
