"""What the site bears: ``python -m tests.benchmarks.web``; ``--help`` has options to make it smaller.

By default 200 readers of the live board of 500 teams, while every second a team gets a
new score with 1000 resampled ones, and 20 uploads of 200 MiB at once.  `evaluate serve` runs as a process of its own,
readers, uploads and scores in others; all share the machine's processors, so the processor time of each is shown.
Shown are the times of pages as a reader waits for them once there is a board, how many uploads became entries with the
bytes that were sent, and the memory of the site.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import hashlib
import io
import multiprocessing
import os
import random
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from base64 import b64encode
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import psutil
import yaml

from evaluate.config.challenge.cache import load_challenge
from evaluate.core.model import Stage
from evaluate.store.entries.store import Store, open_store
from evaluate.store.people.logins import begin_session
from evaluate.store.people.teams import Member, Role, Team
from tests.support.queues import keep_team, run_stages, upload

CHALLENGE = "load"
CHUNK = 8 << 20
RESAMPLES = 1000
PERIOD_SECONDS = 10.0
"""As board.site.html tells its script, which varies it by a quarter."""


def client(port: int, cookie: str = "") -> httpx2.AsyncClient:
    """A connection to the site."""
    headers = {"Cookie": cookie} if cookie else {}
    return httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}", headers=headers, timeout=None)


async def reader(port: int, until: float, times: list[float]) -> None:
    """A reader of the board: asks for the page, then for its live part every few seconds, with its ETag."""
    await asyncio.sleep(random.uniform(0, PERIOD_SECONDS))
    async with client(port) as page:
        path, tag = f"/challenges/{CHALLENGE}/board", ""
        while True:
            begin = time.perf_counter()
            found = await page.get(path, headers={"If-None-Match": tag} if tag else {})
            times.append(time.perf_counter() - begin)
            assert found.status_code == 304 or (found.status_code == 200 and "team" in found.text), found.status_code
            tag = found.headers.get("etag", tag) if path.endswith("live") else ""
            path = f"/challenges/{CHALLENGE}/board/live"
            if time.time() >= until:
                return
            await asyncio.sleep(PERIOD_SECONDS * random.uniform(0.75, 1.25))


def read_board(port: int, readers: int, seconds: float) -> tuple[list[float], float]:
    """Seconds that each page took, and the processor seconds of this process."""
    times: list[float] = []
    until = time.time() + seconds

    async def all_of_them() -> None:
        await asyncio.gather(*(reader(port, until, times) for _ in range(readers)))

    asyncio.run(all_of_them())
    return times, used()


async def bring(port: int, secret: str, n: int, parts: tuple[bytes, bytes]) -> tuple[str, str]:
    """Upload an archive; returns the digest of what was sent, and of what the site says it has, or why not."""
    tus = {"Tus-Resumable": "1.0.0"}
    metadata = {"filename": f"entry-{n}.zip", "challenge": CHALLENGE, "team": f"loader {n}"}
    said = ",".join(f"{key} {b64encode(value.encode()).decode()}" for key, value in metadata.items())
    size = sum(map(len, parts))
    async with client(port, f"session={secret}") as site:
        begun = await site.post("/uploads", headers={"Upload-Length": str(size), "Upload-Metadata": said, **tus})
        if begun.status_code != 201:
            return "", begun.text
        place, at = begun.headers["location"], 0
        for part in parts:
            for begin in range(0, len(part), CHUNK):
                data = part[begin : begin + CHUNK]
                more = {"Upload-Offset": str(at), "Content-Type": "application/offset+octet-stream", **tus}
                sent = await site.patch(place, content=data, headers=more)
                if sent.status_code != 204:
                    return "", sent.text
                at += len(data)
        digest = hashlib.sha256(b"".join(parts)).hexdigest()
        while True:
            found = (await site.get(f"/api/v1{place}")).json()
            if found.get("error"):
                return digest, found["error"]
            if found.get("entry"):
                return digest, (await site.get(f"/api/v1/entries/{found['entry']}")).json()["sha256"]
            await asyncio.sleep(0.5)


def bring_all(port: int, secrets: list[str], mib: int) -> tuple[float, list[tuple[str, str]], float]:
    """Seconds until the last upload is an entry, what `bring` says of each, and the processor seconds for that."""
    shared = archive(0, mib)[0]
    parts = [(shared, archive(n, mib)[1]) for n in range(len(secrets))]
    begin, before = time.perf_counter(), used()

    async def all_of_them() -> list[tuple[str, str]]:
        return await asyncio.gather(*(bring(port, secret, n, parts[n]) for n, secret in enumerate(secrets)))

    brought = asyncio.run(all_of_them())
    return time.perf_counter() - begin, brought, used() - before


_PADDING: dict[int, bytes] = {}


def archive(n: int, mib: int) -> tuple[bytes, bytes]:
    """An archive that no other team has: its beginning, which all share, and its end."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as found:
        if mib not in _PADDING:
            _PADDING[mib] = random.Random(mib).randbytes(1 << 20) * mib
        found.writestr(zipfile.ZipInfo("padding.bin"), _PADDING[mib])
        common = made.tell()
        for path in sorted((load_challenge("cinc2017").folder / "sample_entry").iterdir()):
            found.write(path, path.name)
        found.writestr("team.txt", f"loader {n}\n")
    text = made.getvalue()
    return text[:common], text[common:]


def fill(store: Store, state: Path, folder: Path, teams: int) -> None:
    """Let so many teams have a score."""
    store.submit([upload(f"team {n}", n, str(folder)) for n in range(teams)])
    for entry in store.next_entries(teams):
        value = random.random()
        run_stages(store, state, entry, value, first=Stage.EXAM, **drawn(value))


def drawn(value: float) -> dict[str, Any]:
    """What is kept of a score that was drawn again."""
    return {"resampled": [round(random.gauss(value, 0.05), 6) for _ in range(RESAMPLES)], "clusters": 300}


def score_more(state: Path, folder: Path, seconds: float) -> tuple[int, float]:
    """Let a team get a new score each second; returns how many, and the processor seconds that took."""
    store, count, until = open_store(state), 0, time.time() + seconds
    while time.time() < until:
        ((identity, _),) = store.submit([upload(f"team {count}", 10**6 + count, str(folder))])
        store.next_entries(1)
        value = random.random()
        run_stages(store, state, store.entry(identity), value, first=Stage.EXAM, **drawn(value))
        count += 1
        time.sleep(1.0)
    return count, used()


def used() -> float:
    """Processor seconds of this process so far."""
    found = psutil.Process().cpu_times()
    return found.user + found.system


@contextmanager
def serving(state: Path) -> Iterator[tuple[int, psutil.Process]]:
    """The site's port and process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    argv = [sys.executable, "-m", "evaluate", "--state", str(state), "serve", "--port", str(port)]
    process = subprocess.Popen(argv, stderr=subprocess.DEVNULL)
    try:
        while process.poll() is None:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.1)
        yield port, psutil.Process(process.pid)
    finally:
        process.terminate()
        process.wait()


def site_used(process: psutil.Process) -> tuple[float, float]:
    """Processor seconds of the site, and of its children that have ended."""
    found = process.cpu_times()
    return found.user + found.system, found.children_user + found.children_system


def measure(teams: int, readers: int, uploads: int, mib: int, seconds: float, scratch: Path) -> bool:
    """Show the figures; returns whether no upload was lost."""
    state, folder = scratch / "state", scratch / CHALLENGE
    state.mkdir()
    shutil.copytree(load_challenge("cinc2017").folder, folder)
    rules = yaml.safe_load((folder / "challenge.yaml").read_text())
    rules["archive"] = {**rules.get("archive", {}), "mib": 2 * mib + 64, "unpacked_mib": 2 * mib + 64}
    (folder / "challenge.yaml").write_text(yaml.safe_dump(rules))
    (state / "evaluate.yaml").write_text(yaml.safe_dump({"challenges": {CHALLENGE: {"folder": str(folder)}}}))
    store = open_store(state)
    begin = time.perf_counter()
    fill(store, state, folder, teams)
    secrets = []
    for n in range(uploads):
        address = f"loader{n}@example.org"
        keep_team(store.database, Team(name=f"loader {n}", members=(Member(address=address, role=Role.OWNER),)))
        secrets.append(begin_session(store.database, address))
    print(f"{teams} teams with a score: {time.perf_counter() - begin:.0f} s; {os.cpu_count()} processors", flush=True)
    with serving(state) as (port, process), ProcessPoolExecutor(3, multiprocessing.get_context("spawn")) as pool:
        httpx2.get(f"http://127.0.0.1:{port}/challenges/{CHALLENGE}/board", timeout=None)  # the first takes seconds
        before = process.memory_info().rss
        first = site_used(process)
        reading = pool.submit(read_board, port, readers, seconds)
        scoring = pool.submit(score_more, state, folder, seconds)
        bringing = pool.submit(bring_all, port, secrets, mib)
        most = 0
        while not (reading.done() and bringing.done()):
            most = max(most, process.memory_info().rss)
            time.sleep(0.2)
        (times, by_readers), (took, brought, by_uploads) = reading.result(), bringing.result()
        scores, by_scores = scoring.result()
        by_site = [now - before for now, before in zip(site_used(process), first, strict=True)]
    show("pages", times)
    print(f"{len(times) / seconds:.0f} pages a second while {scores} scores came")
    kept = sum(sent == found for sent, found in brought)
    print(f"uploads of {mib} MiB: {kept} of {uploads} became entries with the bytes that were sent, in {took:.0f} s")
    for _, found in brought:
        if len(found) != 64:
            print(f"  {found}")
    print(f"memory of the site: {before >> 20} MiB before, {most >> 20} MiB at most")
    print(
        f"processor seconds: the site {by_site[0]:.1f}, what checks archives for it {by_site[1]:.1f}, readers "
        f"{by_readers:.1f}, those who upload {by_uploads:.1f}, those who score {by_scores:.1f}; "
        f"load average {os.getloadavg()[0]:.1f}"
    )
    return kept == uploads


def show(name: str, times: list[float]) -> None:
    """Median, 95th percentile and maximum."""
    if len(times) > 1:
        p95 = statistics.quantiles(times, n=20)[-1]
        print(f"{name}: {len(times)}, median {statistics.median(times) * 1e3:.0f} ms, p95 {p95 * 1e3:.0f} ms, "
              f"longest {max(times) * 1e3:.0f} ms")  # fmt: skip


def main() -> int:
    """The command line."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    for name, value in (("teams", 500), ("readers", 200), ("uploads", 20), ("mib", 200), ("seconds", 60)):
        options.add_argument(f"--{name}", type=int, default=value)
    found = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="evaluate-web-") as scratch:
        ok = measure(found.teams, found.readers, found.uploads, found.mib, found.seconds, Path(scratch))
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
