"""Archives as participants upload them."""

import shutil
import zipfile
from collections.abc import Mapping
from pathlib import Path

from evaluate.config.challenge.cache import load_challenge
from evaluate.untrusted.packing import pack
from evaluate.untrusted.selection import select


def another_entry(challenge: str, folder: Path, note: object) -> Path:
    """A folder with the sample entry of a challenge, which a note makes another entry; it is made once."""
    if not folder.is_dir():
        shutil.copytree(load_challenge(challenge).folder / "sample_entry", folder)
        (folder / "notes.txt").write_text(f"{note}\n")
    return folder


def pack_folder(folder: Path, target: Path) -> Path:
    return pack(select(folder), target)


def zipped(path: Path, files: Mapping[str, str | bytes]) -> Path:
    """A zip archive of these files."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, content in files.items():
            bundle.writestr(name, content)
    return path
