"""Leases of GPUs: plain folders stand in for the kernel's list of devices."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluate.core.errors import ChallengeError, Fault
from evaluate.host.devices import DevicesBusy, leased_gpus

GPUS = ("0000:65:00.0", "0000:66:00.0", "0000:67:00.0")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for address in GPUS:
        (tmp_path / address).mkdir()
    return tmp_path


def test_two_slots_never_share_a_device(folder: Path) -> None:
    with leased_gpus("toy", 1, GPUS[:2], folder) as first, leased_gpus("toy", 1, GPUS[:2], folder) as second:
        assert (first, second) == (GPUS[:1], GPUS[1:2])
        with pytest.raises(DevicesBusy, match=r"needs 1 of the GPUs .* in use by another evaluation on this machine"):
            leased_gpus("toy", 1, GPUS[:2], folder).__enter__()
    with leased_gpus("toy", 2, GPUS, folder) as again:
        assert again == GPUS[:2]


def test_too_few_free_devices_hold_none_and_none_is_needed_without_gpus(folder: Path) -> None:
    with leased_gpus("toy", 2, GPUS, folder):
        with pytest.raises(DevicesBusy):
            leased_gpus("toy", 2, GPUS, folder).__enter__()
        with leased_gpus("toy", 1, GPUS, folder) as left:
            assert left == GPUS[2:]
    with leased_gpus("toy", 0, GPUS, folder / "none") as leased:
        assert leased == ()


def test_host_that_lacks_devices_is_told_what_to_write(folder: Path) -> None:
    with pytest.raises(ChallengeError, match=r"need 1 GPU, and evaluate.yaml of the state directory names 0"):
        leased_gpus("toy", 1, (), folder).__enter__()
    with pytest.raises(Fault, match=r"GPU 0000:99:00.0: there is no such PCI device on this host"):
        leased_gpus("toy", 1, ["0000:99:00.0"], folder).__enter__()
