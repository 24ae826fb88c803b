"""The scoring process: reads one JSON request, confines itself, scores, writes one JSON reply.

``python -m evaluate.stages.confined`` is started by `evaluate.stages.score` only.  The reply says whose
fault it is when there is no score: the team's (``answer_error``), the organiser's (``challenge_error``), or ours, when
there is no reply at all.
"""

from __future__ import annotations

import ctypes
import json
import math
import os
import resource
import sys
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWNET = 0x08000000, 0x10000000, 0x40000000
_MEMORY_BYTES = 16 << 30
_CPU_SECONDS = 3600
SCORE, ANSWER_ERROR, CHALLENGE_ERROR = "score", "answer_error", "challenge_error"
"""The kinds of reply."""


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
        spaces |= CLONE_NEWUSER  # inside one, an ordinary user may create the other namespaces
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
    """Score a request; returns the reply as JSON values."""
    # after `confine`: numpy starts threads, and a process with threads gets no user namespace
    import metrics  # noqa: PLC0415

    name = request["metric"]
    try:
        metric = metrics.get(name)
    except (Exception, SystemExit) as e:  # code of an organiser, which runs when it is imported
        unknown = isinstance(e, KeyError) and not _own_frames(name, e)
        return {"kind": CHALLENGE_ERROR, "message": str(e.args[0]) if unknown else _last_line(name, e)}
    try:
        return {"kind": SCORE, "score": _scored(request)}
    except metrics.AnswerError as e:
        return {"kind": ANSWER_ERROR, "message": str(e)}
    except metrics.ReferenceDataError as e:
        return {"kind": CHALLENGE_ERROR, "message": str(e)}
    except (Exception, SystemExit) as e:
        if _is_ours(metric):
            raise
        return {"kind": CHALLENGE_ERROR, "message": _last_line(name, e)}


def _scored(request: Mapping[str, Any]) -> Any:
    from evaluate.core.codec import to_json  # noqa: PLC0415
    from evaluate.core.model import Note, Score  # noqa: PLC0415
    from metrics.scoring import both  # noqa: PLC0415
    from metrics.uncertainty import FEWEST_CLUSTERS, clusters_of, resampled  # noqa: PLC0415

    paths = Path(request["references"]), Path(request["answers"])
    pair = both(request["metric"], *paths, records=request["records"], rules=request["rules"])
    clusters = clusters_of(pair.report)
    drawn = resampled(pair.report).get(pair.report.primary) if clusters >= FEWEST_CLUSTERS else None
    # nothing else about a single record leaves the exam this way
    return to_json(
        Score(
            primary=pair.report.primary,
            values={key: float(value) for key, value in pair.report.values.items()},
            official={key: float(value) for key, value in pair.official.values.items()} if pair.official else {},
            intervals={key: (float(low), float(high)) for key, (low, high) in pair.intervals.of.items()},
            resampled=() if drawn is None else tuple(round(x, 6) if math.isfinite(x) else math.nan for x in drawn),
            clusters=clusters,
            notes=tuple(Note(text=str(note), record=getattr(note, "record", "")) for note in pair.notes),
        )
    )


def _is_ours(metric: object) -> bool:
    """Whether a metric is part of this distribution, so that an unforeseen error in it is our fault."""
    return type(metric).__module__.partition(".")[0] == "metrics"


def _own_frames(metric: str, error: BaseException) -> list[int | None]:
    """The lines of an organiser's own metric that an error passed through, the innermost last."""
    frames = traceback.extract_tb(error.__traceback__)
    return [frame.lineno for frame in frames if Path(frame.filename).name == Path(metric).name]


def _last_line(metric: str, error: BaseException) -> str:
    """Where an organiser's own metric stopped, and why."""
    line = error.lineno if isinstance(error, SyntaxError) else next(reversed(_own_frames(metric, error)), None)
    where = f"{metric}, line {line}" if line else metric
    return f"{where}: {''.join(traceback.format_exception_only(error)).strip().splitlines()[-1]}"


def main() -> None:
    """One request in, one reply out."""
    request = json.load(sys.stdin)
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what an organiser's metric prints must not mix with the reply
    confine()
    json.dump(answer(request), replies)
    replies.flush()


if __name__ == "__main__":
    main()
