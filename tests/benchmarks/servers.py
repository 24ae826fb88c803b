"""What clean rooms of a server cost in instructions, as a ratio to one server that answers every record.

By hand: ``python -m tests.benchmarks.servers [--state STATE] [--records N] [--rooms N] [--mib SIZE]``.

A server in Python loads weights of that size (it fills memory and takes their checksum) and answers records whose work
is a thousandth of that.  It is loaded once and each record is answered in a copy of the loaded machine; beside it one
server answers all records, asked by a program in the same guest.  The goal is a ratio of at most 1.3.  Rooms count
alike, so with ``--rooms`` some stand for all: each takes seconds, since the memory of the loaded machine is copied.

In a copy the server leaves a canary in its memory and wherever it may write, and fails if it finds one, so that the run
ends well only if no record sees what another left.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from pathlib import Path

from evaluate.core.model import MIB, Limits, Run, Sizes, Verdict
from evaluate.host.accelerators import open_hypervisor
from evaluate.host.state import default_state, open_state
from evaluate.images.image import load_image
from evaluate.protocol.guest import INVOKE
from evaluate.sandbox.base import Command, Machine
from evaluate.sandbox.disks import medium

SERVER = """
import os, zlib
from http.server import BaseHTTPRequestHandler, HTTPServer
seen = []
def canary():
    places = [f"{{folder}}/canary" for folder in ("/tmp", "/var/tmp", "/dev/shm", "/output", os.getcwd())]
    found = seen + [place for place in places if os.path.exists(place)]
    for place in places:
        open(place, "w").close()
    seen.append(open("/input/a.txt").read())
    return found
class Handler(BaseHTTPRequestHandler):
    def log_message(self, *words): pass
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
    def do_POST(self):
        zlib.crc32(memoryview(weights)[:len(weights) // 1000])
        self.send_response(500 if os.path.isdir("/input") and canary() else 201)
        self.end_headers()
weights = bytearray(os.urandom(1 << 20) * {mib})
zlib.crc32(weights)
HTTPServer(("127.0.0.1", 4743), Handler).serve_forever()
"""
SHARED = """
import http.client, subprocess, sys, time
server = subprocess.Popen(sys.argv[2:])
def asked(method, path):
    try:
        line = http.client.HTTPConnection("127.0.0.1", 4743)
        line.request(method, path)
        return line.getresponse().status
    except OSError:
        time.sleep(0.2)
while asked("GET", "/health") != 200:
    pass
assert all(asked("POST", "/invoke") == 201 for _ in range(int(sys.argv[1])))
server.kill()
"""


def counted(run: Run) -> int:
    """Its instructions, if it ended well."""
    assert run.verdict is Verdict.OK, f"{run.detail} {run.stderr.decode(errors='replace')}"
    return run.usage.instructions


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--state", type=Path, default=None)
    parser.add_argument("--records", type=int, default=20)
    parser.add_argument("--rooms", type=int, default=None)
    parser.add_argument("--mib", type=int, default=64)
    given = parser.parse_args()
    state = open_state(given.state or default_state())
    image, sizes = load_image("bookworm", state), Sizes(memory_bytes=(1024 + 3 * given.mib) * MIB)
    hypervisor = open_hypervisor(state, image, "tcg")
    limits = Limits(instructions=10**13, wall_seconds=3600, memory_bytes=(512 + 2 * given.mib) * MIB)
    own = ("/usr/bin/python3", "-c", SERVER.format(mib=given.mib))
    server = Command(argv=(INVOKE, "hold", "3600", *own), inbox="/input", output="/output")
    n_rooms = min(given.rooms or given.records, given.records)
    with hypervisor.runs.new("servers") as folder:
        discs = [medium(folder / f"{i:04}.iso", {"a.txt": f"record {i:04}".encode()}) for i in range(n_rooms)]
        with hypervisor.boot(Machine(image=image, sizes=sizes)) as guest:
            shared = counted(
                guest.run(Command(argv=("/usr/bin/python3", "-c", SHARED, str(given.records), *own)), limits)
            )
            once = counted(guest.run(Command(argv=(INVOKE, "once", "3600", *own)), limits))
        print(f"one server: {shared:,} instructions; loaded for one record: {once:,}", flush=True)
        begin = time.monotonic()
        with hypervisor.rooms(Machine(image=image, sizes=sizes, owner=str(folder)), server, limits) as rooms:
            print(f"loaded and saved in {time.monotonic() - begin:.1f} s", flush=True)
            begin = time.monotonic()
            counts = [counted(rooms.run(replace(server, medium=disc), limits)) for disc in discs]
            print(f"{(time.monotonic() - begin) / n_rooms:.2f} s for each record in a room")
    ours = once - counts[0] + given.records * sum(counts) // n_rooms
    print(f"{len(set(counts))} different counts of {n_rooms} rooms; {counts[0]:,} instructions each")
    print("no record found the canary of another")
    print(f"one load and {given.records} rooms: {ours:,}; ratio {ours / shared:.2f}")


if __name__ == "__main__":
    main()
