"""The guest agent's modules, imported on the host as in the guest: as top-level modules."""

import importlib
import sys
from typing import Any

from evaluate.core.files import data_folder

GUEST = data_folder("vm_images") / "guest"


def guest_module(name: str) -> Any:
    """One of agent, container, kernel, unpack."""
    if str(GUEST) not in sys.path:
        sys.path.append(str(GUEST))
    return importlib.import_module(name)
