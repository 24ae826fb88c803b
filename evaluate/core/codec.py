"""Converts values of `evaluate.core.model` to JSON values and back: the only codec of the program.

Everything that is stored in files or in the database, or sent between our processes, goes through here.  The public
JSON of a report is a contract with outside programs and has its own module, `evaluate.report.json`.
"""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from cattrs import Converter

T = TypeVar("T")


def to_json(value: Any) -> Any:
    """A frozen value of the model in a form that `json.dumps` accepts; NaN, which JSON does not have, becomes null."""
    return _converter().unstructure(value)


def from_json(kind: type[T], values: Any) -> T:
    """A value of this type from the output of `to_json`; keys that have a default may be missing.

    Raises cattrs.BaseValidationError if the input does not have the form of this type.
    """
    return _converter().structure(values, kind)


@cache
def _converter() -> Converter:
    converter = Converter(detailed_validation=False)
    converter.register_unstructure_hook(float, lambda value: None if math.isnan(value) else value)
    converter.register_structure_hook(float, lambda value, _: math.nan if value is None else float(value))
    converter.register_unstructure_hook(Path, str)
    converter.register_structure_hook(Path, lambda value, _: Path(value))
    return converter
