import pytest

from tests.support.sites import sample_archive


@pytest.fixture(scope="session")
def archive() -> bytes:
    """An entry to kits19 that passes."""
    return sample_archive()
