"""Every function of the product that is run behind walls."""

import ast
import importlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def _walled_in() -> Iterator[Callable[..., object]]:
    """Every function of the product that is passed to `isolated`."""
    for path in sorted((ROOT / "evaluate").rglob("*.py")):
        module, text = ".".join(path.relative_to(ROOT).with_suffix("").parts), path.read_text()
        for node in ast.walk(ast.parse(text)) if "isolated(" in text else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isolated":
                named = node.args[1]
                function: Any = importlib.import_module(module)
                for part in ast.unparse(named).split("."):
                    function = getattr(function, part)
                yield function


WALLED_IN = list(_walled_in())
