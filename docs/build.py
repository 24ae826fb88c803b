"""Hooks of mkdocs: pages that are generated from the code, and pages that live beside the code they describe."""

from __future__ import annotations

import posixpath
import re
import sys
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent
BESIDE_THE_CODE = {
    "queue.md": "evaluate/queue/README.md",
    "images.md": "vm_images/README.md",
    "hostile.md": "tests/hostile/README.md",
    "challenges.md": "challenges/README.md",
    "metrics-guide.md": "metrics/README.md",
}
"""Page of the site -> file of the repository."""
_LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)#:\s]+)(#[^)\s]*)?\)")


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that are no files of this folder."""
    sys.path.insert(0, str(ROOT))
    from evaluate.commands.reference import markdown  # noqa: PLC0415  # of this checkout

    pages = {page: (ROOT / source).read_text(encoding="utf-8") for page, source in BESIDE_THE_CODE.items()}
    pages["reference/cli.md"] = markdown()
    for name, text in pages.items():
        files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: Any, files: Files) -> str:
    """Let links between files of the repository lead to pages of the site; to what is no page, be only its name."""
    known = {source: name for name, source in BESIDE_THE_CODE.items()}
    here = page.file.src_uri
    source = BESIDE_THE_CODE.get(here, f"docs/{here}")

    def led(match: re.Match[str]) -> str:
        image, text, target, anchor = match.group(1), match.group(2), match.group(3), match.group(4) or ""
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
        name = known.get(path, path.removeprefix("docs/") if path.startswith("docs/") else "")
        if not name or files.get_file_from_path(name) is None:
            return text
        return f"{image}[{text}]({posixpath.relpath(name, posixpath.dirname(here) or '.')}{anchor})"

    return _LINK.sub(led, markdown)
