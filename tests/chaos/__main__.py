"""Disturbs daemons by a seeded schedule, and audits that nothing was lost or doubled: ``python -m tests.chaos``."""

import argparse
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from tests.chaos.audit import KINDS, audit
from tests.chaos.cluster import NAMES, Cluster, Schedule, small_disk, uploads
from tests.support.challenges import with_training
from tests.support.postgres import Server, server

TRIES = ("--tries", "6")
"""Tries of a stage; a run kills many guests."""
WATERMARK = ("--free-mib", "2")
"""GiB of free space for runs in which a disk gets full: below it no try is started, so none is used up."""


def chaos(
    root: Path,
    *,
    kills: int,
    entries: int,
    seed: int,
    hosts: int = 1,
    server: Server | None = None,
    disk: Path | None = None,
    trains: bool = False,
) -> tuple[Schedule, list[str]]:
    """Run a schedule in an empty folder, and audit; if entries are trained, some of them fail in it.

    Returns the schedule, and its findings.
    """
    sent = uploads(entries)
    if trains:
        toy = str(with_training(root / "trains").folder)
        sent = uploads(entries, (*NAMES, "fails-train", "recovers-train"), challenge=toy)
    with Cluster(root, hosts=hosts, server=server, cuts=server is not None) as daemons:
        daemons.disk = disk
        schedule = Schedule(daemons, sent, seed, TRIES if disk is None else (*TRIES, *WATERMARK))
        schedule.run(kills)
        return schedule, audit_cluster(daemons)  # while a host's way to the database is there


def audit_cluster(daemons: Cluster) -> list[str]:
    """Findings during the run, and those of the audit."""
    return daemons.findings + audit(daemons.hosts[0].state, daemons.root, disk_was_full=daemons.disk is not None)


def in_words(schedule: Schedule, entries: int, findings: list[str]) -> str:
    """What was done, how often, and what was found; a run of a stage that was interrupted is repeated."""
    lines = [f"{n:5} {what}" for what, n in sorted(schedule.done.items())]
    kinds = ", ".join(f"{kind} {sum(finding.startswith(kind) for finding in findings)}" for kind in KINDS)
    runs = [run.rpartition(" ")[0] for run in schedule.cluster.stage_runs()]
    repeated = len(runs) - len(set(runs))
    figures = f"{schedule.kills} kills, {entries} entries, {len(runs)} stage runs ({repeated} repeated)"
    return "\n".join([*lines, *findings, f"{figures}: {kinds}; {len(findings)} findings"])


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--kills", type=int, default=100, help="kills, and other events")
    options.add_argument("--entries", type=int, default=200)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--hosts", type=int, default=1)
    options.add_argument("--postgres", action="store_true", help="a PostgreSQL server of its own, also for one host")
    options.add_argument("--disk", type=int, default=0, metavar="MIB", help="work on so small a disk, and fill it")
    options.add_argument("--trains", action="store_true", help="entries are trained")
    options.add_argument("--folder", type=Path, help="an empty folder to work in, which is kept")
    asked = vars(options.parse_args())
    with ExitStack() as stack:
        root = asked.pop("folder") or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="evaluate-chaos-")))
        postgres = stack.enter_context(server()) if asked.pop("postgres") or asked["hosts"] > 1 else None
        disk = None
        if mib := asked.pop("disk"):
            folder = root / ("shared" if postgres else "host0")
            folder.mkdir()
            disk = stack.enter_context(small_disk(folder, mib))
        schedule, findings = chaos(root, server=postgres, disk=disk, **asked)
        print(in_words(schedule, asked["entries"], findings))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
