"""What the sandbox costs, as ratios measured in one run; by hand: ``python -m tests.benchmarks.sandbox [STATE]``.

1. Ten commands, each isolated from the others, with limits and a count, against the same ten run one after the
   other in a bare QEMU guest without libvirt, plugin or limits.  Boot included, then without it.
2. The overshoot of an instruction limit: how much more than the limit a busy loop has used when it has ended.
3. The spread of the count of one command, in one guest and over fresh guests, and how many different counts twenty
   runs of a static C program, of Python and of a shell pipeline give.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from evaluate.core.model import Limits, Sizes
from evaluate.host.accelerators import open_hypervisor
from evaluate.host.state import default_state, open_state
from evaluate.images.image import Image, load_image
from evaluate.sandbox.base import HOME, Command, Machine
from evaluate.sandbox.libvirt import LibvirtHypervisor
from tests.support.bare_guest import bare_guest

N = 10
LIMITS = Limits(instructions=10**13, wall_seconds=600)
SCRIPTS = {
    "short (a tenth of a second)": "import json",
    "long (some seconds)": "print(sum(i * i for i in range(12_000_000)))",
}


def ours(hypervisor: LibvirtHypervisor, image: Image, script: str) -> tuple[float, float]:
    """Seconds with and without the boot."""
    begin = time.monotonic()
    with hypervisor.boot(Machine(image=image)) as guest:
        booted = time.monotonic()
        for _ in range(N):
            guest.run(Command(argv=("/usr/bin/python3", "-c", script)), LIMITS)
        end = time.monotonic()
    return end - begin, end - booted


def bare(image: Image, script: str) -> tuple[float, float]:
    """The same commands in one shell of a bare guest."""
    sizes = Sizes()
    disk_bytes = {"root": sizes.root_bytes, "home": sizes.home_bytes, "tmp": sizes.tmp_bytes}
    with tempfile.TemporaryDirectory() as folder:
        begin = time.monotonic()
        with bare_guest(image, Path(folder) / "guest", disk_bytes=disk_bytes) as guest:
            guest.hello()
            booted = time.monotonic()
            guest.sh("; ".join([f"/usr/bin/python3 -c '{script}'"] * N))
            end = time.monotonic()
    return end - begin, end - booted


PROGRAMS = {
    "static C": (f"{HOME}/prog",),
    "Python": ("/usr/bin/python3", "-c", "import json, random; print(sum(i * i for i in range(100_000)))"),
    "shell pipeline": ("/bin/bash", "-c", "seq 1 20000 | sort -n | awk '{s += $1} END {print s}' | cat"),
}
_C = """
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    unsigned long s = 1;
    char *p = malloc(1 << 20);
    for (int i = 0; i < 3000000; i++) {
        s = s * 6364136223846793005UL + i;
        p[s >> 44] = s;
    }
    printf("%lu\\n", s);
}
"""


def distinct(hypervisor: LibvirtHypervisor, image: Image) -> None:
    """Print how many different counts 20 runs of each program give in one guest."""
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder) / "prog.c", Path(folder) / "prog"
        source.write_text(_C)
        subprocess.run(["cc", "-O1", "-static", "-o", program, source], check=True)
        with hypervisor.boot(Machine(image=image, entry=program)) as guest:
            install = f"head -c {program.stat().st_size} >prog; chmod +x prog"
            guest.run(Command(argv=("/bin/bash", "-c", install), stdin_entry=True, keep=True), LIMITS)
            for name, argv in PROGRAMS.items():
                counts = [guest.run(Command(argv=argv), LIMITS).usage.instructions for _ in range(22)][2:]
                print(f"{name}: {len(set(counts))} different counts in 20 runs of {min(counts):.3g},", end=" ")
                print(f"spread {max(counts) - min(counts)} instructions")


def main() -> None:
    """Print the table."""
    state = open_state(Path(sys.argv[1]) if len(sys.argv) > 1 else default_state())
    image = load_image("bookworm", state)
    hypervisor = open_hypervisor(state, image, "tcg")
    for name, script in SCRIPTS.items():
        a, b = ours(hypervisor, image, script), bare(image, script)
        print(f"{N} commands, {name}: ours {a[0]:.1f} s, bare {b[0]:.1f} s, ratio {a[0] / b[0]:.2f};", end=" ")
        print(f"without boot {a[1]:.1f} s, {b[1]:.1f} s, ratio {a[1] / b[1]:.2f}; {(a[1] - b[1]) / N:.2f} s a command")
    counts = []
    for _ in range(3):
        with hypervisor.boot(Machine(image=image)) as guest:
            command = Command(argv=("/usr/bin/python3", "-c", "print(sum(i * i for i in range(100_000)))"))
            counts.append([guest.run(command, LIMITS).usage.instructions for _ in range(3)])
            for limit in (10**8, 10**9, 10**10) if len(counts) == 1 else ():
                spin = Command(argv=("/bin/bash", "-c", "while :; do :; done"))
                used = guest.run(spin, Limits(instructions=limit, wall_seconds=600)).usage.instructions
                print(f"limit {limit:.0e}: used {used / limit - 1:.2%} more ({used - limit:.1e} instructions)")
    one, fresh = counts[0], [of[0] for of in counts]
    print(
        f"spread of one command of {one[0]:.3g} instructions: {(max(one) - min(one)) / min(one):.1e} in one guest,",
        end=" ",
    )
    print(f"{(max(fresh) - min(fresh)) / min(fresh):.1e} over three fresh guests (the first run in each)")
    distinct(hypervisor, image)


if __name__ == "__main__":
    main()
