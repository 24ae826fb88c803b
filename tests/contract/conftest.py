"""The virtual machines of the functional tests."""

from tests.functional.conftest import hypervisor, image, state

__all__ = ["hypervisor", "image", "state"]
