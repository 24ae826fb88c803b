"""The virtual machines of the functional tests."""

from __future__ import annotations

from tests.functional.conftest import hypervisor, image, sandbox, state

__all__ = ["hypervisor", "image", "sandbox", "state"]
