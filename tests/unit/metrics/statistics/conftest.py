import numpy as np
import pytest


@pytest.fixture
def random() -> np.random.Generator:
    """Numbers that no other test draws from."""
    return np.random.default_rng(5)
