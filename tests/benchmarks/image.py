"""What building an image costs, as a ratio to its floor: ``python -m tests.benchmarks.image [--recipe NAME]``.

The floor is what nobody can leave out, done by Debian's programs alone: fetch the indexes and the same packages from
the same mirror with one ``apt-get``, and unpack each into an empty folder with ``dpkg-deb -x``, one after the other.
It has no maintainer script, no byte code and no packing.  A second floor does the same over as many connections as the
build and on all processors.  Floors and build take turns, each from nothing.  In parentheses are the processor seconds
of this process and its children, which mean something where other work runs, too.  With ``TMPDIR`` in memory, where
programs can be run, no file system remembers what the turn before has removed.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from evaluate.confine.children import tool
from evaluate.images.apt import Apt, Mirrored
from evaluate.images.build import _AT_ONCE, _located_kernel, _parts, build_image, check_available
from evaluate.images.recipe import Recipe, load_recipe
from evaluate.images.staging import remove_tree
from tests.benchmarks._spent import Spent, middle, timed, total


def own() -> float:
    """Seconds of processors of this process and its children."""
    return sum(os.times()[:4])


def floor(recipe: Recipe, connections: int, processors: int) -> list[Spent]:
    """Indexes, packages, files."""
    folder = Path(tempfile.mkdtemp(prefix="evaluate-floor-"))
    try:
        apt = Apt(folder / "apt", recipe.signed_sources())
        wanted: list[Mirrored] = []

        def indexes() -> None:
            apt.update()
            wanted.extend((*check_available(recipe, apt, None), _located_kernel(recipe, apt, None)))

        def download() -> None:
            parts = _parts(wanted) if connections > 1 else [wanted]
            with ThreadPoolExecutor(connections) as pool:
                list(pool.map(lambda n: apt.download(parts[n], folder / f"debs-{n}"), range(len(parts))))

        def unpack() -> None:
            with ThreadPoolExecutor(processors) as pool:
                list(pool.map(_unpack, folder.glob("debs-*/*.deb")))

        def _unpack(deb: Path) -> None:
            tool(["dpkg-deb", "-x", deb, folder / "root"], doing=f"unpacking {deb.name}")

        (folder / "root").mkdir()
        return [timed(indexes, own), timed(download, own), timed(unpack, own)]
    finally:
        remove_tree(folder)


def build(recipe: Recipe) -> Spent:
    """An image from nothing."""
    state = Path(tempfile.mkdtemp(prefix="evaluate-state-"))
    try:
        return timed(lambda: build_image(recipe, state, lambda _: None), own)
    finally:
        remove_tree(state)


def main() -> None:
    """Print what each turn takes, and the ratios of the medians."""
    parser = argparse.ArgumentParser(description="what building an image costs")
    parser.add_argument("--recipe", default="bookworm")
    parser.add_argument("--times", type=int, default=3)
    given = parser.parse_args()
    recipe, processors = load_recipe(given.recipe), os.cpu_count() or 1
    ways = {"floor, one after the other": (1, 1), f"floor, {_AT_ONCE} connections": (_AT_ONCE, processors)}
    found: dict[str, list[Spent]] = {name: [] for name in (*ways, "build")}
    for _ in range(given.times):
        for name, way in ways.items():
            parts = floor(recipe, *way)
            found[name].append(total(parts))
            print(f"{name}: {found[name][-1]}: indexes {parts[0]}, packages {parts[1]}, files {parts[2]}", flush=True)
        found["build"].append(build(recipe))
        print(f"build: {found['build'][-1]}", flush=True)
    built = middle(found["build"])
    for name in ways:
        least = middle(found[name])
        of_processors = built.processors / least.processors
        print(f"ratio to {name}: {built.seconds / least.seconds:.2f}, of processors {of_processors:.2f}")


if __name__ == "__main__":
    main()
