"""Counts in many rooms, by hand: ``python -m tests.chaos.rooms``.

Runs every program ``--times N`` in rooms of its own, or those that ``--only`` names, each
restored from a machine in which it has run once; all counts of one must be equal, or the exit code is 1.  ``--large``
adds numpy, Octave, R and Node, whose packages become a layer.  ``--again`` uses a state directory of its own, in which
the image is built once more: the counts are to be the same.
"""

from __future__ import annotations

import argparse
import re
import shutil
import signal
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from evaluate.core.model import MIB, Limits, Run
from evaluate.home.recount import agreement
from evaluate.host.accelerators import open_hypervisor
from evaluate.host.state import default_state, open_state
from evaluate.images.build import build_image
from evaluate.images.image import Image, load_image
from evaluate.images.layers import build_layer
from evaluate.images.recipe import load_recipe
from evaluate.sandbox.base import HOME, Command, Machine
from evaluate.sandbox.disks import medium
from evaluate.sandbox.libvirt import LibvirtHypervisor
from evaluate.untrusted.dependencies import parse_dependencies

LIMITS = Limits(instructions=10**12, wall_seconds=600, memory_bytes=1024 * MIB)
_IMAGE = "bookworm"


_SOURCES = {
    "c.c": r"""
#include <stdio.h>
int main(void)
{
    double sum = 0;
    for (int i = 1; i < 200000; i++)
        sum += 1.0 / i;
    printf("%.9f\n", sum);
}
""",
    "exceptions.cpp": r"""
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
static int half(int i)
{
    if (i % 3 == 0)
        throw std::runtime_error(std::to_string(i));
    return i / 2;
}
int main()
{
    std::map<std::string, int> found;
    for (int i = 0; i < 2000; i++)
        try {
            found[std::to_string(half(i))]++;
        } catch (const std::exception &e) {
            found[e.what()]--;
        }
    std::printf("%zu\n", found.size());
}
""",
    "threads.c": r"""
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long sum;
static void *work(void *n)
{
    for (int i = 0; i < 20000; i++) {
        pthread_mutex_lock(&lock);
        sum += (long)n * i;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}
int main(void)
{
    pthread_t threads[8];
    for (long i = 0; i < 8; i++)
        pthread_create(&threads[i], 0, work, (void *)i);
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], 0);
    printf("%ld\n", sum);
}
""",
}
_THREADS = """
import threading
lock, found = threading.Lock(), []
def work(n):
    for i in range(1000):
        with lock:
            found.append(n * i)
threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
[one.start() for one in threads], [one.join() for one in threads]
print(sum(found))
"""
_SCRIPTS = {
    "Python": """python3 -c '
import json, re
print(len(json.dumps({str(i): re.sub("1", "one", str(i)) for i in range(3000)})))'""",
    "Python threads": f"python3 -c '{_THREADS}'",
    "pipeline": "seq 1 3000 | sort -r | awk '{s += $1} END {print s}' | tr 0-9 a-j",
    "signals": "trap 'n=$((n+1))' USR1; n=0; for i in {1..100}; do kill -USR1 $$; done; echo $n",
    "sleeps": "for i in {1..5}; do sleep 0.3; done; echo rested",
    "reads 50 MB": "md5sum large.dat",
}
PACKAGES = ("python3-numpy", "python3-scipy", "octave", "r-base-core", "nodejs")
"""Debian packages of `_LARGE`."""
_LARGE = {
    "numpy and scipy": """python3 -c '
import numpy, scipy.linalg
m = numpy.arange(2500.0).reshape(50, 50) + numpy.eye(50)
print(scipy.linalg.svdvals(m)[:3].round(6), numpy.sort(m.ravel() % 7).sum())'""",
    "Octave": "octave-cli --no-gui --quiet --eval 'm = magic(40); disp(sum(svd(m))); disp(fft(1:8))'",
    "R": "Rscript -e 'm <- matrix(1:900 %% 7, 30); print(sum(svd(m)$d)); print(summary(lm(dist ~ speed, cars)))'",
    "Node": "node -e 'let s = 0; for (let i = 0; i < 300000; i++) s += i % 7; console.log(s, JSON.stringify([s]))'",
}


def programs(folder: Path, *, large: bool = False) -> dict[str, Command]:
    """Commands by their names, each with a medium; those in C and C++ only where this machine has a compiler.

    ``large``: also those that need a layer of `PACKAGES`.
    """
    compiled = {}
    for name, source in _SOURCES.items():
        compiler = shutil.which("g++" if name.endswith(".cpp") else "gcc")
        if compiler is not None:
            (folder / name).write_text(source)
            program = folder / name.partition(".")[0]
            subprocess.run([compiler, "-O1", "-static", "-pthread", "-o", program, folder / name], check=True)
            compiled[program.name] = program
    files: dict[str, Path | bytes] = {**compiled, "large.dat": bytes(range(256)) * 200_000}
    disc = medium(folder / "record.iso", files)
    scripts = {name: f"chmod +x {name}; ./{name}" for name in compiled} | _SCRIPTS | (_LARGE if large else {})
    commands = {}
    for name, script in scripts.items():
        needed = [file for file in files if file in re.split(r"[\s/;]+", script)]
        inputs = {f"{HOME}/{file}": file for file in needed}
        commands[name] = Command(argv=("/bin/bash", "-c", script), inputs=inputs, medium=disc)
    return commands


def counts(state: Path, only: Sequence[str], times: int, *, large: bool) -> int:
    """Number of programs with different counts; Ctrl-C, or SIGTERM, shows those so far."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    image = load_image(_IMAGE, state)
    hypervisor = open_hypervisor(state, image, "tcg", lambda _: None)
    assert isinstance(hypervisor, LibvirtHypervisor)
    layers = [_layer(image, state)] if large else []
    runs_of: dict[str, list[Run]] = defaultdict(list)
    with hypervisor.runs.new("rooms") as folder, suppress(KeyboardInterrupt):
        commands = programs(folder, large=large)
        for name in only or commands:
            machine = Machine(image=image, layers=layers, owner=name)
            with hypervisor.rooms(machine, commands[name], LIMITS) as rooms:
                for n in range(times):
                    runs_of[name].append(rooms.run(commands[name], LIMITS))
                    print(f"  {n} {name}: {runs_of[name][-1].usage.instructions}", flush=True)
    for name, runs in runs_of.items():
        verdicts = ", ".join(sorted({run.verdict for run in runs}))
        print(f"{name}: {agreement([run.usage.instructions for run in runs])}, {verdicts}", flush=True)
    return sum(len({run.usage.instructions for run in runs}) > 1 for runs in runs_of.values())


def _layer(image: Image, state: Path) -> Path:
    wanted = parse_dependencies("".join(f"{name}\n" for name in PACKAGES).encode())
    layer = build_layer(image, load_recipe(_IMAGE), wanted, state, print)
    assert layer is not None
    return layer


def main() -> int:
    """Exit code 1 if counts differed."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--state", type=Path, default=default_state())
    options.add_argument("--times", type=int, default=100)
    options.add_argument("--only", nargs="+", default=[])
    options.add_argument("--large", action="store_true")
    options.add_argument("--again", action="store_true")
    given = options.parse_args()
    state = open_state(given.state)
    if not given.again:
        return int(counts(state, given.only, given.times, large=given.large) > 0)
    with tempfile.TemporaryDirectory(dir=state.parent, prefix="evaluate-") as fresh:
        other = open_state(Path(fresh))
        build_image(load_recipe(_IMAGE), other, print)
        return int(counts(other, given.only, given.times, large=given.large) > 0)


if __name__ == "__main__":
    raise SystemExit(main())
