"""The domain XML against kept files: ``tcg.xml``, and what others have otherwise; `--regenerate` rewrites them."""

from contextlib import nullcontext
from dataclasses import replace
from difflib import unified_diff
from pathlib import Path
from typing import Any

import pytest

from evaluate.core.errors import SandboxFault
from evaluate.core.model import LicenceServer, Sizes
from evaluate.protocol.guest import LICENCE_PORT, PORT, RECORDS_BYTES
from evaluate.sandbox.base import Machine
from evaluate.sandbox.domain import (
    Disk,
    Domain,
    Memory,
    channel_path,
    domain_xml,
    owner_lock,
    walls_of,
)
from evaluate.sandbox.starting import check_gpus
from tests.conftest import CHECKOUT
from tests.support.scripted import IMAGE

KEPT = CHECKOUT / "tests" / "data" / "domain"


FOLDER = Path("/state/runs/guest-0123abcd")
IMAGE_FOLDER = Path("/state/images/bookworm")
MACHINE = Machine(
    image=replace(
        IMAGE,
        kernel=IMAGE_FOLDER / "vmlinuz",
        initrd=IMAGE_FOLDER / "initrd.img",
        cpu_model="Haswell-noTSX",
        cpu_disabled=("erms", "rdrand"),
    ),
    sizes=Sizes(memory_bytes=(2 << 30) - RECORDS_BYTES),
)


def domain(accelerator: str, **machine: Any) -> Domain:
    below = (Path("/state/runs/evaluation-1/home.qcow2"), Path("/state/cache/blank/home.qcow2"))
    return Domain(
        accelerator=accelerator,
        machine=replace(MACHINE, **machine),
        folder=FOLDER,
        disks=[
            Disk(serial="base", path=IMAGE_FOLDER / "root.squashfs", format="raw", readonly=True),
            Disk(serial="home", path=FOLDER / "home.qcow2", format="qcow2", readonly=False, backing=below),
        ],
        qemu_arguments=("-plugin", f"/state/cache/tcg_count.so,words={FOLDER}/instructions")
        if accelerator == "tcg"
        else (),
    )


MEMORY = Memory(path=Path("/state/runs/a,b/memory"), shared=True, restored=False)
DOMAINS = {
    "kvm": lambda: domain("kvm"),
    "tcg": lambda: domain("tcg"),
    "licence": lambda: domain("tcg", licence_server=LicenceServer(host="licences", ports=(27000,))),
    "saved": lambda: replace(domain("tcg", exact=True), memory=MEMORY),
    "restored": lambda: replace(domain("tcg"), memory=replace(MEMORY, shared=False, restored=True)),
    "own-user": lambda: replace(domain("tcg"), user=(1879048199, 2013265920), changes_owners=False),
    "walled": lambda: replace(
        domain("tcg"), walls="read /state/images/bookworm/vmlinuz", emulator=Path("/state/cache/walled_qemu")
    ),
    "processors": lambda: domain("kvm", sizes=replace(MACHINE.sizes, processors=4)),
    "gpu": lambda: domain("kvm", gpus=("0000:65:00.0", "0001:0a:1f.7")),
}


def kept(name: str) -> str:
    """What is kept of a domain: that of ``tcg`` whole, and of others the lines that differ from it."""
    base, xml = (domain_xml(DOMAINS[one]()).splitlines(keepends=True) for one in ("tcg", name))
    return "".join(xml if name == "tcg" else unified_diff(base, xml, "tcg", name, n=1))


@pytest.mark.parametrize("name", DOMAINS)
def test_xml_is_that_of_the_kept_file(name: str, request: pytest.FixtureRequest) -> None:
    file = KEPT / f"{name}.{'xml' if name == 'tcg' else 'diff'}"
    if request.config.getoption("--regenerate"):
        file.write_text(kept(name))
    assert kept(name) == file.read_text()


def test_owner_lock_and_channel_are_read_back() -> None:
    xml = domain_xml(domain("kvm"))
    assert owner_lock(xml) == FOLDER / "owner.lock"
    assert walls_of(xml) == ""
    with pytest.raises(SandboxFault, match="no socket"):
        channel_path(xml)  # libvirt chooses the path when it starts the domain
    live = xml.replace('<source mode="bind" />', '<source mode="bind" path="/run/socket" />')
    assert channel_path(live) == Path("/run/socket")


def test_sockets_are_where_a_long_home_does_not_matter_and_libvirt_of_a_user_hears_of_no_owner() -> None:
    xml = domain_xml(replace(DOMAINS["licence"](), keeps_sockets=True, changes_owners=False))
    for port in (PORT, LICENCE_PORT):
        assert channel_path(xml, port) == FOLDER / port
    assert "seclabel" not in xml and "seclabel" in domain_xml(domain("tcg"))


@pytest.mark.parametrize(
    ("accelerator", "files", "driver", "problem"),
    [
        ("kvm", [], "", "GPU 0000:65:00.0: there is no such PCI device on this host"),
        ("tcg", ["iommu_group"], "", "pass-through needs KVM, and this guest would run under tcg"),
        ("kvm", ["vendor"], "", "in no IOMMU group; boot the host with intel_iommu=on"),
        (
            "kvm",
            ["iommu_group"],
            "snd_hda_intel",
            r"shares its IOMMU group with 0000:65:00\.1, which the host uses by snd",
        ),
        ("kvm", ["iommu_group"], "vfio-pci", ""),
        ("kvm", ["iommu_group"], "pcieport", ""),
        ("kvm", ["iommu_group"], "", ""),
    ],
)
def test_device_passes_through_with_all_of_its_group_or_is_a_fault(
    accelerator: str, files: list[str], driver: str, problem: str, tmp_path: Path
) -> None:
    gpu, audio = (tmp_path / f"0000:65:00.{n}" for n in (0, 1))
    for name in files:
        (gpu / name / "devices").mkdir(parents=True)
    if files == ["iommu_group"]:
        for device in (gpu, audio):
            (device / "iommu_group").mkdir(parents=True, exist_ok=True)
            (gpu / "iommu_group" / "devices" / device.name).symlink_to(device)
    if driver:
        (tmp_path / driver).mkdir()
        (audio / "driver").symlink_to(tmp_path / driver)
        check_gpus([gpu.name, audio.name], "kvm", tmp_path)
    with pytest.raises(SandboxFault, match=problem) if problem else nullcontext():
        check_gpus([gpu.name], accelerator, tmp_path)
    check_gpus([], "tcg", tmp_path)
