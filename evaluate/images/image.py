"""A built image as the rest of the program sees it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class Image:
    """A kernel, an initial file system with the guest agent, and a read-only root; see ``manifest.json``."""

    name: str
    digest: str
    """``sha256:…`` of the manifest's content part (kernel, modules, root, package list), not of the agent."""
    kernel: Path
    initrd: Path
    """Modules and the guest agent of this version of the program."""
    root: Path
    """squashfs"""
    cpu_model: str
    """libvirt's name of the model; the same under every accelerator."""
    cpu_disabled: tuple[str, ...]
    """Features taken out of the model."""
