"""The scoring process: reads one JSON request, confines itself, scores, writes one JSON reply.

``python -m evaluate.stages.confined`` is started by `evaluate.stages.score` and by nobody else.
"""

from __future__ import annotations

import ctypes
import json
import math
import os
import resource
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWNET = 0x08000000, 0x10000000, 0x40000000
_MEMORY_BYTES = 16 << 30
_CPU_SECONDS = 3600


def confine() -> None:
    """Give up the network, the right to write files, and unbounded memory and time.

    Raises
    ------
    OSError
        The kernel does not allow it; there is no scoring without it.
    """
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (_CPU_SECONDS, _CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))  # no byte into any file; pipes are not files
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    libc = ctypes.CDLL(None, use_errno=True)
    uid, gid = os.geteuid(), os.getegid()
    spaces = CLONE_NEWIPC | CLONE_NEWNET
    if uid != 0:
        spaces |= CLONE_NEWUSER  # an ordinary user may make the others inside one
    _checked(libc.unshare(spaces), "unshare")
    if uid != 0:
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1")
        Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1")


def _checked(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def answer(request: Mapping[str, Any]) -> dict[str, Any]:
    """Score a request; the reply as JSON values, NaN as null."""
    # after `confine`: numpy starts threads, and a process with threads gets no user namespace
    import metrics  # noqa: PLC0415
    from metrics.scoring import as_json, both  # noqa: PLC0415
    from metrics.uncertainty import FEWEST_CLUSTERS, clusters_of, resampled  # noqa: PLC0415

    paths = Path(request["references"]), Path(request["answers"])
    try:
        pair = both(request["metric"], *paths, records=request["records"], rules=request["rules"])
    except KeyError as e:
        return {"kind": "reference_error", "message": str(e.args[0])}
    except metrics.AnswerError as e:
        return {"kind": "answer_error", "message": str(e)}
    except metrics.ReferenceDataError as e:
        return {"kind": "reference_error", "message": str(e)}
    reply = as_json(pair)
    del reply["per_record"]  # nothing of a single record leaves the exam this way
    clusters = clusters_of(pair.report)
    drawn = resampled(pair.report).get(pair.report.primary) if clusters >= FEWEST_CLUSTERS else None
    reply["resampled"] = [] if drawn is None else [round(x, 6) if math.isfinite(x) else None for x in drawn.tolist()]
    return {"kind": "score", **reply, "clusters": clusters}


def main() -> None:
    """One request in, one reply out."""
    request = json.load(sys.stdin)
    confine()
    json.dump(answer(request), sys.stdout)


if __name__ == "__main__":
    main()
