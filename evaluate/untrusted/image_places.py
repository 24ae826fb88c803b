"""Where the files of an image are when its entry has been unpacked in one folder of the machine."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from evaluate.confine.delivery import usable_name
from evaluate.core.model import Refusal, RefusalKind
from evaluate.protocol.guest import HOME
from evaluate.untrusted.dockerfile import FILE
from evaluate.untrusted.image_stage import BuildStage, LineRequest

_MOST_LINKS, _MOST_STEPS, _MOST_PICKLES = 200, 20_000, 200
_PICKLE = re.compile(r"\.(?:sav|pkl|pickle|joblib|pickled)(?:\.(?:gz|bz2|xz|z))?$", re.IGNORECASE)
_EXISTING = ("usr", "etc", "var", "bin", "sbin", "lib", "lib64", "opt", "srv", "home", "mnt", "media", "boot")
_OURS = ("dev", "proc", "sys", "run", "tmp", "root", "input", "output")
_OPEN = ("usr/src", "usr/local/src", "opt", "srv", "home", "mnt", "media")
"""Folders of the image in which a folder of the entry's own may be."""


@dataclass(frozen=True, kw_only=True)
class ImagePlan:
    """An image in our terms."""

    base: str = ""
    images: tuple[LineRequest, ...] = ()
    """Images of others that its stages begin with."""
    heredocs: tuple[LineRequest, ...] = ()
    """Instructions with here-documents."""
    context: tuple[str, ...] = ()
    """The files of the entry that ``.dockerignore`` does not leave out."""
    stages: tuple[tuple[LineRequest, ...], ...] = ()
    """All instructions of each stage, from its FROM on."""
    packages: tuple[LineRequest, ...] = ()
    """Debian's, ``name`` or ``name = version``."""
    requirements: tuple[LineRequest, ...] = ()
    """Of the package index."""
    requirement_files: tuple[LineRequest, ...] = ()
    """Files of the entry that list more of them."""
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: str = HOME
    argv: tuple[str, ...] = ()
    """ENTRYPOINT and CMD; empty: neither."""
    steps: tuple[tuple[str, ...], ...] = ()
    """What is done in the folder where the entry is unpacked, in order: ``copy FROM TO``, ``folder NAME``,
    ``executable NAME``, ``remove NAME``."""
    links: Mapping[str, str] = field(default_factory=dict)
    """Place in the image -> where it leads to."""
    folders: tuple[str, ...] = ()
    """Empty folders of the image."""
    pickles: tuple[str, ...] = ()
    """Files of the entry that are in the image and may be pickled models."""
    notes: tuple[str, ...] = ()
    refusals: tuple[Refusal, ...] = ()


def placed(stage: BuildStage, names: Sequence[str]) -> ImagePlan:
    """The plan of an image.

    ``names``: all files of the entry.
    """
    top = _top(stage)
    links = {top: HOME} if top and top != HOME else {}
    steps, elsewhere, kept = list[tuple[str, ...]](), dict[str, str](), set[str]()
    for place, name in stage.files.items():
        inside = _inside(top, place)
        if not inside:
            elsewhere[place] = name
        elif inside != name:
            steps.append(("copy", name, inside))
        kept.add(inside or name)
    written = {step[-1] for step in steps}
    steps.sort(key=lambda step: step[1] not in written)  # what is overwritten is copied before
    links |= _links(elsewhere, stage.refusals)
    folders = []
    for place in stage.folders:
        if inside := _inside(top, place):
            steps.append(("folder", inside))
        elif place != top and _may_be_made(place) and not any(f"{place}/".startswith(f"{link}/") for link in links):
            folders.append(place)
    steps += [("executable", _inside(top, one) or stage.files[one]) for one in stage.executable if one in stage.files]
    steps += [("remove", name) for name in _gone(names, kept)]
    if len(steps) > _MOST_STEPS:
        stage.refuse(
            0,
            RefusalKind.PLACE,
            f"{len(steps)} files that are copied elsewhere or left out",
            f"expected at most {_MOST_STEPS}",
            "write: COPY . ., and leave out whole folders",
        )
        steps = []
    within = bool(top) and f"{stage.cwd}/".startswith(f"{top}/")
    return ImagePlan(
        base=stage.base,
        packages=tuple(stage.packages),
        requirements=tuple(stage.requirements),
        requirement_files=tuple(stage.requirement_files),
        env=stage.env,
        cwd=f"{HOME}{stage.cwd[len(top) :]}" if within else stage.cwd,
        argv=(*stage.entrypoint, *stage.cmd),
        steps=tuple(steps),
        links=links,
        folders=tuple(folders),
        pickles=tuple(name for name in dict.fromkeys(stage.files.values()) if _PICKLE.search(name))[:_MOST_PICKLES],
        notes=tuple(stage.notes),
        refusals=tuple(stage.refusals),
    )


def _inside(top: str, place: str) -> str:
    """The path below the folder ``top``; empty where it is not below it."""
    return place[len(top) + 1 :] if top and place.startswith(f"{top}/") else ""


def _top(stage: BuildStage) -> str:
    """The folder of the image that most of the entry's files are in under their own names; empty: there is none."""
    found: Counter[str] = Counter()
    for place, name in stage.files.items():
        if place.endswith(f"/{name}"):
            found[place[: -len(name) - 1]] += 1
    for folder, _ in found.most_common():
        if folder == HOME or _may_be_made(folder):
            return folder
    return ""


def _may_be_made(folder: str) -> bool:
    """Whether a folder of that name can be made in the machine without hiding what is there."""
    parts = folder.strip("/").split("/")
    if not is_free(folder) or folder in (HOME, "/home/challenge"):
        return False
    if parts[0] not in _EXISTING:
        return True
    return any(folder.startswith(f"/{one}/") for one in _OPEN) and folder.strip("/") not in _OPEN


def is_free(place: str) -> bool:
    """Whether a file or folder of the entry may be there, in place of what the machine has.

    Nowhere where its own programs look for theirs: a library for its Python, or for its linker to load into everything,
    would be in the programs with which the supervisor unpacks the entry and describes the model that it has learned.
    """
    parts = place.split("/")
    if parts[0] or usable_name(place[1:].encode(errors="surrogatepass")) is None or parts[1] in _OURS:
        return False
    return parts[1] not in _EXISTING or place.startswith(tuple(f"/{one}/" for one in (*_OPEN, "usr/local", "var")))


def _links(elsewhere: Mapping[str, str], refusals: list[Refusal]) -> dict[str, str]:
    """Links for files that are not in the one folder: of whole folders where that is possible, else of each file."""
    found: dict[str, str] = {}
    by_folder: dict[str, dict[str, str]] = {}
    for place, name in elsewhere.items():
        parts = place.strip("/").split("/")
        if not is_free(place):
            refusals.append(_misplaced(place, name))
            return {}
        ups = ["/" + "/".join(parts[:n]) for n in range(1, len(parts))]
        folder = next((up for up in ups if _may_be_made(up)), "")
        by_folder.setdefault(folder, {})[place] = name
    for folder, files in by_folder.items():
        starts = {
            name[: -len(place[len(folder) :])] if name.endswith(place[len(folder) :]) else None
            for place, name in files.items()
        }
        if folder and len(starts) == 1 and None not in starts:
            (start,) = starts
            found[folder] = f"{HOME}/{start}".rstrip("/") if start else HOME
        else:
            found |= {place: f"{HOME}/{name}" for place, name in files.items()}
    if len(found) > _MOST_LINKS:
        place, name = next(iter(elsewhere.items()))
        refusals.append(_misplaced(place, name))
        return {}
    return found


def _misplaced(place: str, name: str) -> Refusal:
    return Refusal(
        file=FILE,
        line=0,
        kind=RefusalKind.PLACE,
        found=f"COPY to {place.rpartition('/')[0] or '/'}",
        expected=f"expected a folder of the entry's own for {name}: that one belongs to the machine",
        way_out="write: WORKDIR /challenge, and: COPY . .",
    )


def _gone(names: Sequence[str], kept: set[str]) -> list[str]:
    """What is not in the image, by folders where a whole folder is not."""
    folders = {"/".join(parts[:n]) for name in kept if (parts := name.split("/")) for n in range(1, len(parts) + 1)}
    found: dict[str, None] = {}
    for name in names:
        if name in kept:
            continue
        parts = name.split("/")
        ups = ("/".join(parts[:n]) for n in range(1, len(parts) + 1))
        found[next((up for up in ups if up not in folders), name)] = None
    return list(found)
