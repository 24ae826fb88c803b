from __future__ import annotations

import stat
from pathlib import Path

import pytest

from evaluate.core.errors import Fault, UsageError
from evaluate.receipts.keys import CREDENTIAL, KeyRing, public_keys, published


def test_a_key_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    ring = KeyRing(tmp_path / "keys")
    signer = ring.signer()
    assert ring.signer().public == signer.public == ring.public()[0]
    file = tmp_path / "keys" / f"{signer.public.id}.pem"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.chmod(0o640)
    with pytest.raises(Fault, match=r"may be read by others \(mode 640\)"):
        ring.signer()


def test_a_replaced_key_is_published_with_the_time_of_its_use(tmp_path: Path) -> None:
    ring = KeyRing(tmp_path)
    old = ring.signer()
    new = ring.rotate()
    first, second = ring.public()
    assert (first.id, second.id) == (old.public.id, new.public.id)
    assert first.until == second.since and second.until is None
    assert first.covers(first.since) and not first.covers(second.since + 1)
    assert ring.signer().public == new.public
    assert not (tmp_path / f"{first.id}.pem").exists()
    assert public_keys(published([first, second]).encode(), "it") == [first, second]


def test_a_credential_of_the_service_manager_is_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = KeyRing(tmp_path / "one").signer().public
    given = tmp_path / "credentials"
    given.mkdir()
    (given / CREDENTIAL).write_bytes((tmp_path / "one" / f"{made.id}.pem").read_bytes())
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(given))
    ring = KeyRing(tmp_path / "two")
    assert ring.signer().public.id == made.id
    assert [path.name for path in (tmp_path / "two").glob("*.pem")] == []
    with pytest.raises(UsageError, match="replace it there"):
        ring.rotate()


NO_KEYS = [b"", b"{}", b'{"keys": [1]}', b"-----BEGIN PUBLIC KEY-----\n", b'{"keys": [{"id": "a"}]}']


@pytest.mark.parametrize("data", NO_KEYS)
def test_what_is_no_key_is_refused(data: bytes) -> None:
    with pytest.raises(UsageError, match=r"^it: expected"):
        public_keys(data, "it")


def test_a_key_with_the_id_of_another_is_refused(tmp_path: Path) -> None:
    KeyRing(tmp_path).signer()
    text = published(KeyRing(tmp_path).public())
    with pytest.raises(UsageError, match="does not have that id"):
        public_keys(text.replace(KeyRing(tmp_path).public()[0].id, 16 * "0").encode(), "it")
