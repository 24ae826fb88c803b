"""What a host has for jobs: room for guests, GPUs (plain folders stand in for the kernel's list), a licence server."""

from dataclasses import replace
from pathlib import Path

import pytest

from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.types import Kind
from evaluate.config.types import Config
from evaluate.core.errors import ChallengeError, Fault
from evaluate.core.model import Entry, LicenceServer, Sizes
from evaluate.host.capacity import Capacity, DevicesBusy, HostLoad, leased_gpus
from evaluate.host.wiring import HostMeans, licence_server, make_job
from evaluate.images.image import Image
from evaluate.images.recipe import Recipe
from evaluate.stages.job import NullMonitor

GIB = 1 << 30
IDLE = HostLoad(cores=16, load=0.0, memory_bytes=64 * GIB, available_bytes=60 * GIB, guests=0, guests_bytes=0)
SMALL, LARGE = Capacity(processors=1, memory_bytes=2 * GIB), Capacity(processors=4, memory_bytes=8 * GIB)


@pytest.mark.parametrize(
    ("size", "held", "changes", "slots"),
    [
        (SMALL, 0, {}, 16),
        (LARGE, 0, {}, 4),
        (replace(LARGE, memory_bytes=20 * GIB), 0, {}, 2),  # a fifth of the memory is the host's own
        (LARGE, 3, {"load": 12.0}, 4),  # its own guests are no load of others
        (LARGE, 1, {"load": 12.0}, 2),
        (LARGE, 0, {"load": 90.0}, 1),  # the queue goes on
        (LARGE, 0, {"available_bytes": 17 * GIB}, 2),
        (LARGE, 1, {"available_bytes": 17 * GIB, "guests": 1, "guests_bytes": 8 * GIB}, 3),
        (LARGE, 1, {"available_bytes": 17 * GIB, "guests": 1, "guests_bytes": GIB}, 2),  # it will fill its memory
        (SMALL, 0, {"cores": 0}, 1),
    ],
)
def test_slots_are_as_many_as_processors_and_free_memory_bear(
    size: Capacity, held: int, changes: dict[str, float], slots: int
) -> None:
    assert size.now(held, replace(IDLE, **changes)) == slots


def test_guest_is_the_largest_of_the_challenges_and_the_load_of_this_host_is_measured() -> None:
    small = load_challenge("cinc2017")
    limits = {**small.limits, "exam": replace(small.limits["exam"], processors=4)}
    large = replace(small, limits=limits, sizes=Sizes(memory_bytes=8 * GIB))
    found = Capacity.of([small, large])
    assert found.processors == 4 and 8 * GIB < found.memory_bytes < 9 * GIB
    assert Capacity.of([]).processors == 1
    load = HostLoad.measured()
    assert 0 < load.available_bytes < load.memory_bytes and load.cores > 0


GPUS = ("0000:65:00.0", "0000:66:00.0", "0000:67:00.0")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for address in GPUS:
        (tmp_path / address).mkdir()
    return tmp_path


def test_too_few_devices_hold_none_and_none_is_needed_without_gpus(folder: Path) -> None:
    with leased_gpus("toy", 2, GPUS, folder):
        with pytest.raises(DevicesBusy, match=r"needs 2 of the GPUs .* in use by another evaluation on this machine"):
            leased_gpus("toy", 2, GPUS, folder).__enter__()
        with leased_gpus("toy", 1, GPUS, folder) as left:
            assert left == GPUS[2:]
    with leased_gpus("toy", 0, GPUS, folder / "none") as leased:
        assert leased == ()
    with pytest.raises(ChallengeError, match=r"need 1 GPU, and evaluate.yaml of the state directory names 0"):
        leased_gpus("toy", 1, (), folder).__enter__()
    with pytest.raises(ChallengeError, match=r"need 2 GPU, and evaluate.yaml of the state directory names 1"):
        leased_gpus("toy", 2, (GPUS[0], GPUS[0]), folder).__enter__()
    with pytest.raises(Fault, match=r"GPU 0000:99:00.0: there is no such PCI device on this host"):
        leased_gpus("toy", 1, ["0000:99:00.0"], folder).__enter__()


CHALLENGE = load_challenge("adaptor2021")
SERVER = LicenceServer(host="licence.example.org", ports=(27000, 27001))


def test_challenge_gets_the_licence_server_that_it_asks_for_or_the_host_is_told_what_to_write() -> None:
    asking = replace(CHALLENGE, licence=True)
    assert licence_server(CHALLENGE, Config(licence_server=SERVER)) is None
    assert licence_server(asking, Config(licence_server=SERVER)) == SERVER
    with pytest.raises(ChallengeError, match=r"need a licence server; name it in evaluate.yaml"):
        licence_server(asking, Config())


def test_challenge_whose_image_has_no_recipe_is_at_fault_not_the_host(tmp_path: Path) -> None:
    def image_of(recipe: Recipe) -> Image:
        raise AssertionError(recipe.name)

    entry = Entry(archive=tmp_path / "red.zip", sha256="", size=0, commit="")
    with pytest.raises(ChallengeError, match=r"adaptor2021: no image recipe 'bookwurm'; known: .*bookworm"):
        make_job(
            HostMeans(state=tmp_path, monitor=NullMonitor(), image_of=image_of),
            entry,
            replace(CHALLENGE, image="bookwurm"),
            tmp_path,
            kind=Kind.SCRIPTS,
        )
