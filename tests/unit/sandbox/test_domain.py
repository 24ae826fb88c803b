"""The domain XML against kept files: ``tcg.xml``, and what others have otherwise; `--regenerate` rewrites them."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from difflib import unified_diff
from pathlib import Path

import pytest

from evaluate.core.errors import SandboxFault
from evaluate.core.model import LicenceServer
from evaluate.protocol.guest import LICENCE_PORT, PORT
from evaluate.sandbox.domain import (
    KERNEL_LINE,
    Disk,
    Domain,
    Memory,
    channel_path,
    domain_xml,
    owner_lock,
)
from evaluate.sandbox.starting import check_gpus, reads_memory_only
from tests.conftest import CHECKOUT

KEPT = CHECKOUT / "tests" / "data" / "domain"


def domain(accelerator: str) -> Domain:
    return Domain(
        name="evaluate-guest-0123abcd",
        accelerator=accelerator,
        memory_bytes=2 << 30,
        kernel=Path("/state/images/bookworm/vmlinuz"),
        initrd=Path("/state/images/bookworm/initrd.img"),
        cmdline="console=ttyS0 quiet",
        cpu_model="Haswell-noTSX",
        cpu_disabled=("erms", "rdrand"),
        disks=[
            Disk(serial="base", path=Path("/state/images/bookworm/root.squashfs"), format="raw", readonly=True),
            Disk(
                serial="home",
                path=Path("/state/runs/guest-1/home.qcow2"),
                format="qcow2",
                readonly=False,
                backing=(Path("/state/runs/evaluation-1/home.qcow2"), Path("/state/cache/blank/home.qcow2")),
            ),
        ],
        console_log=Path("/state/runs/guest-1/console.log"),
        owner_lock=Path("/state/runs/guest-1/owner.lock"),
        qemu_arguments=("-plugin", "/state/cache/tcg_count.so,words=/state/runs/guest-1/instructions")
        if accelerator == "tcg"
        else (),
    )


MEMORY = Memory(path=Path("/state/runs/a,b/memory"), shared=True, restored=False)
DOMAINS = {
    "kvm": lambda: domain("kvm"),
    "tcg": lambda: domain("tcg"),
    "licence": lambda: replace(domain("tcg"), licence_server=LicenceServer(host="licences", ports=(27000,))),
    "saved": lambda: replace(domain("tcg"), memory=MEMORY, exact=True),
    "restored": lambda: replace(domain("tcg"), memory=replace(MEMORY, shared=False, restored=True)),
    "readonly": lambda: replace(domain("tcg"), memory=replace(MEMORY, shared=False, readonly=True, restored=True)),
    "own-user": lambda: replace(domain("tcg"), user=(1879048199, 2013265920), changes_owners=False),
    "walled": lambda: replace(
        domain("tcg"), walls="read /state/images/bookworm/vmlinuz", emulator=Path("/state/cache/walled_qemu")
    ),
    "processors": lambda: replace(domain("kvm"), processors=4),
    "gpu": lambda: replace(domain("kvm"), gpus=("0000:65:00.0", "0001:0a:1f.7")),
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


def test_libvirt_of_a_user_is_told_nothing_of_owners() -> None:
    assert "seclabel" in domain_xml(domain("tcg"))
    assert "seclabel" not in domain_xml(replace(domain("tcg"), changes_owners=False))


def test_qemu_that_can_only_read_the_memory_is_known_by_its_version() -> None:
    versions = {"7.2.22 (Debian 1:7.2+dfsg-7)": False, "8.1.9": False, "8.2.0": True, "10.0.2": True, "": False}
    assert {version: reads_memory_only(f"QEMU emulator version {version}") for version in versions} == versions


def test_owner_lock_and_channel_are_read_back() -> None:
    xml = domain_xml(domain("kvm"))
    assert owner_lock(xml) == Path("/state/runs/guest-1/owner.lock")
    assert channel_path(xml) is None  # libvirt chooses the path when it starts the domain
    live = xml.replace('<source mode="bind" />', '<source mode="bind" path="/run/socket" />')
    assert channel_path(live) == Path("/run/socket")


def test_sockets_are_where_a_long_home_does_not_matter() -> None:
    xml = domain_xml(replace(DOMAINS["licence"](), sockets=Path("/state/runs/guest-1")))
    assert channel_path(xml) == Path("/state/runs/guest-1") / PORT
    assert channel_path(xml, LICENCE_PORT) == Path("/state/runs/guest-1") / LICENCE_PORT


def test_port_of_the_licence_server_is_another_than_the_agents() -> None:
    xml = domain_xml(DOMAINS["licence"]())
    for port, path in ((PORT, "/run/a"), (LICENCE_PORT, "/run/b")):
        target = f'<target type="virtio" name="{port}" />'
        before, _, after = xml.partition(target)
        head, _, tail = before.rpartition('<source mode="bind"')
        xml = f'{head}<source mode="bind" path="{path}"{tail}{target}{after}'
    assert channel_path(xml) == Path("/run/a")
    assert channel_path(xml, LICENCE_PORT) == Path("/run/b")


@pytest.mark.parametrize(
    ("accelerator", "files", "wish"),
    [
        ("kvm", [], "GPU 0000:65:00.0: there is no such PCI device on this host"),
        ("tcg", ["iommu_group"], "pass-through needs KVM, and this guest would run under tcg"),
        ("kvm", ["vendor"], "in no IOMMU group; boot the host with intel_iommu=on"),
    ],
)
def test_device_that_cannot_be_passed_through_is_a_fault(
    accelerator: str, files: list[str], wish: str, tmp_path: Path
) -> None:
    for name in files:
        (tmp_path / "0000:65:00.0").mkdir(exist_ok=True)
        (tmp_path / "0000:65:00.0" / name).touch()
    with pytest.raises(SandboxFault, match=wish):
        check_gpus(["0000:65:00.0"], accelerator, tmp_path)


@pytest.mark.parametrize(
    ("driver", "passes"), [("snd_hda_intel", False), ("vfio-pci", True), ("pcieport", True), ("", True)]
)
def test_device_passes_with_what_is_in_its_group(driver: str, passes: bool, tmp_path: Path) -> None:
    gpu, audio = (tmp_path / f"0000:65:00.{n}" for n in (0, 1))
    (tmp_path / driver).mkdir(exist_ok=True)
    for device in (gpu, audio):
        (device / "iommu_group" / "devices").mkdir(parents=True)
        (gpu / "iommu_group" / "devices" / device.name).symlink_to(device)
    if driver:
        (audio / "driver").symlink_to(tmp_path / driver)
    with nullcontext() if passes else pytest.raises(SandboxFault, match=r"65:00\.1, which the host uses by snd_hda"):
        check_gpus([gpu.name], "kvm", tmp_path)
    check_gpus([gpu.name, audio.name], "kvm", tmp_path)


def test_device_that_is_there_passes(tmp_path: Path) -> None:
    (tmp_path / "0000:65:00.0").mkdir()
    (tmp_path / "0000:65:00.0" / "iommu_group").touch()
    check_gpus(["0000:65:00.0"], "kvm", tmp_path)
    check_gpus([], "tcg", tmp_path)


@pytest.mark.parametrize(
    "word", ["norandmaps", "vdso=0", "LD_BIND_NOW=1", "PYTHONHASHSEED=0", "no_timer_check", "panic=-1", "psi=0"]
)
def test_kernel_line_has_what_counts_and_busy_hosts_need(word: str) -> None:
    assert word in KERNEL_LINE.split()
