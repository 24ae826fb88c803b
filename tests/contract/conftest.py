"""The virtual machines of the functional tests."""

from __future__ import annotations

from tests.functional.conftest import hypervisor, image, state

__all__ = ["hypervisor", "image", "state"]
