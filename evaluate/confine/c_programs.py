"""C programs of this project, compiled at first use."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Sequence
from pathlib import Path

from evaluate.confine.children import tool
from evaluate.core.errors import Fault
from evaluate.core.files import SCRATCH, publish


def compiled(source: Path, cache: Path, name: str, compiler: Sequence[str], fault: type[Fault]) -> Path:
    """A compiled C file, from the cache or compiled now (a second).

    * ``source``: one C file that includes no other file of this project.
    * ``cache``: folder of what was compiled; made if it does not exist.
    * ``name``: what the file's name begins with; a digest of source and compiler follows.
    * ``compiler``: the command, without its input and output.
    * ``fault``: what is raised if the compiler is missing or fails.
    """
    digest = hashlib.sha256(source.read_bytes() + " ".join(compiler).encode()).hexdigest()[:16]
    target = cache / f"{name.partition('.')[0]}-{digest}{''.join(Path(name).suffixes)}"
    if target.exists():
        return target
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache, prefix=SCRATCH) as scratch:  # two slots may build it at the same time
        made = Path(scratch) / target.name
        tool([*compiler, "-o", made, source], doing=f"compiling {source.name}", fault=fault)
        publish(made, target, 0o755)
    return target
