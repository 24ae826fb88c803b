"""The domain XML against kept files; `--regenerate` rewrites them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from evaluate.sandbox.domain import Disk, Domain, channel_path, domain_xml, network_devices, owner_lock

KEPT = Path(__file__).parent.parent / "data" / "domain"


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


@pytest.mark.parametrize("accelerator", ["kvm", "tcg"])
def test_xml_is_that_of_the_kept_file(accelerator: str, request: pytest.FixtureRequest) -> None:
    kept = KEPT / f"{accelerator}.xml"
    xml = domain_xml(domain(accelerator))
    if request.config.getoption("--regenerate"):
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(xml)
    assert xml == kept.read_text()


def test_libvirt_of_a_user_is_told_nothing_of_owners() -> None:
    assert "seclabel" in domain_xml(domain("tcg"))
    assert "seclabel" not in domain_xml(replace(domain("tcg"), changes_owners=False))


def test_no_network_device_is_in_it() -> None:
    assert network_devices(domain_xml(domain("tcg"))) == []


@pytest.mark.parametrize(
    "device",
    [
        "<devices><interface type='user'/></devices>",
        "<devices><hostdev mode='subsystem' type='pci'/></devices>",
        "<q:commandline xmlns:q='http://libvirt.org/schemas/domain/qemu/1.0'><q:arg value='-netdev'/></q:commandline>",
        "<q:commandline xmlns:q='http://libvirt.org/schemas/domain/qemu/1.0'>"
        "<q:arg value='virtio-net-pci,netdev=n'/></q:commandline>",
    ],
)
def test_network_device_is_found(device: str) -> None:
    assert len(network_devices(f"<domain>{device}</domain>")) == 1


def test_owner_lock_and_channel_are_read_back() -> None:
    xml = domain_xml(domain("kvm"))
    assert owner_lock(xml) == Path("/state/runs/guest-1/owner.lock")
    assert channel_path(xml) is None  # libvirt chooses the path when it starts the domain
    live = xml.replace('<source mode="bind" />', '<source mode="bind" path="/run/socket" />')
    assert channel_path(live) == Path("/run/socket")
