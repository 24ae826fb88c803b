"""Form ``grand-challenge``: an evaluation container: ``/input/predictions.json`` → ``/output/metrics.json``.

With ``sockets`` the answers of each record become a job: its inputs are named after the record's files, its outputs are
its answer files, by their paths: ``{record}/RELATIVE_PATH``.  The evaluation runs only if every record is answered.
Without it (phases of kind "prediction upload") the answers are in ``/input`` as they are.

References are in ``/opt/ml/input/data/ground_truth``.  With ``invoke: true``, or the label for it,
the container is a server: it is asked for ``/health``, then once for ``/invoke``.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from evaluate.challenge.sockets import read_sockets
from evaluate.core.errors import ChallengeError
from evaluate.stages.contracts.grand_challenge import by_socket, environment, serves, value_of
from evaluate.stages.scorers.base import (
    HOME,
    Adapter,
    Asked,
    Content,
    NotShown,
    Numbers,
    ScorerTask,
    Step,
    driver,
    flat,
    mapping,
    read_json,
    read_text,
    under,
)

_METRICS = "metrics.json"
_GROUND_TRUTH = "/opt/ml/input/data/ground_truth"
_OF_CASES = ("results", "case", "cases")
_SPACE = uuid.UUID("6ba7b812-9dad-11d1-80b4-00c04fd430c8")


def steps(task: ScorerTask) -> Sequence[Step]:
    """The container's own program."""
    program = task.program
    if program is None:
        raise ChallengeError("a scorer of form grand-challenge is a container")
    env = environment(program.env)
    files: dict[str, Content] = {_GROUND_TRUTH: task.references}
    if task.scorer.sockets is None:
        files["/input"] = task.answers
    else:
        jobs, placed = predictions(task, task.scorer.sockets)
        files |= {"/input/predictions.json": json.dumps(jobs, indent=1).encode(), **placed}
    argv: tuple[str, ...] = program.argv
    if task.scorer.invoke or serves(program):
        files |= driver("invoke_driver.py")
        argv = ("python3", f"{HOME}/invoke_driver.py", *argv)
    return (Step(argv=argv, files=files, cwd=program.cwd, env=env),)


def predictions(task: ScorerTask, path: Path) -> tuple[list[dict[str, Any]], dict[str, Content]]:
    """What is in ``predictions.json``, and the files of the jobs by their places.

    Raises NotShown if a record has no answer.
    """
    sockets = read_sockets(path)
    jobs: list[dict[str, Any]] = []
    placed: dict[str, Content] = {}
    lacking: list[str] = []
    for record in task.records.records:
        key = str(uuid.uuid5(_SPACE, record))
        base = f"/input/{key}/output"
        answered = []
        for socket in sockets.outputs:
            found = task.answers / record / socket.relative_path
            if not found.exists():
                lacking.append(f"{record}/{socket.relative_path}")
                continue
            place = under(base, socket.relative_path)
            placed[place] = found
            answered.append(value_of(socket, key, found))
        files = [found[0] for found in by_socket(task.records, record) if found]
        given = [value_of(socket, key, file) for socket, file in zip(sockets.inputs, _repeated(files), strict=False)]
        jobs.append(
            {
                "pk": key,
                "url": f"https://example.org/jobs/{key}/",
                "api_url": f"https://example.org/api/jobs/{key}/",
                "algorithm_image": "https://example.org/images/1/",
                "inputs": given,
                "outputs": answered,
                "status": "Succeeded",
                "exec_duration": None,
                "invoke_duration": None,
                "rendered_result_text": "",
                "title": record,
                "hanging_protocol": None,
                "optional_hanging_protocols": [],
                "view_content": {},
            }
        )
    if lacking:
        more = f" and {len(lacking) - 3} more" if len(lacking) > 3 else ""
        raise NotShown(f"every record must be answered; there is no {', '.join(lacking[:3])}{more}")
    return jobs, placed


def _repeated(files: Sequence[Path]) -> Iterator[Path]:
    """Each file, then the first again: a record may have fewer files than an algorithm has inputs."""
    yield from files
    while files:
        yield files[0]


def read(output: Path, asked: Asked) -> Numbers:
    """All numbers by their paths; those of single cases where they are a list."""
    said = mapping(read_json(read_text(output / _METRICS), _METRICS), _METRICS)
    cases: list[Any] = next((said[name] for name in _OF_CASES if isinstance(said.get(name), list)), [])
    records = {}
    for n, one in enumerate(cases, 1):
        row = flat(one)
        # the mean of a column has one of these names
        row |= {f"aggregates.{key}{tail}": value for key, value in row.items() for tail in ("", ".mean")}
        records[str(n)] = {key: value for key, value in row.items() if key in (*asked.values, asked.primary)}
    return Numbers(values=flat(said), records=records if all(records.values()) else {}, strict=False)


GRAND_CHALLENGE = Adapter(steps=steps, read=read)
