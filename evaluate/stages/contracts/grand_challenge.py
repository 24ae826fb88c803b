"""grand-challenge: ``/input/inputs.json`` with the files of its sockets -> those of the output sockets in ``/output``.

An image whose label ``org.grand-challenge.api-method`` says ``invoke`` is a server, which is loaded once; others are
started for each record.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, repeat
from pathlib import Path
from typing import Any

from evaluate.config.challenge.contract import IMAGES, INPUTS_FILE, Socket, Sockets, SuperKind, read_sockets
from evaluate.config.challenge.types import Challenge, RecordSet
from evaluate.core.errors import ChallengeError
from evaluate.core.model import Program
from evaluate.images.squashfs import Content
from evaluate.protocol.guest import INVOKE
from evaluate.stages.contracts.contract import Contract, Files
from evaluate.stages.scorers.adapter import (
    Adapter,
    NotShown,
    Numbers,
    ScoreRequest,
    ScorerTask,
    Step,
    flat,
    mapping,
    read_json,
    read_text,
    under,
)
from evaluate.untrusted.answers_disk import json_values

API_METHOD = "org.grand-challenge.api-method"
INVOKED = "invoke"
ENVIRONMENT = {"PYTHONUNBUFFERED": "1", "LOG_LEVEL": "INFO", "no_proxy": "amazonaws.com"}
_AWAY = "grand_challenge_"
"""Variables that begin so are taken away, in any case."""
_SPACE = uuid.UUID("6ba7b812-9dad-11d1-80b4-00c04fd430c8")
_MOST_VALUE = 1 << 20
_SHOWN = 3


def grand_challenge(challenge: Challenge) -> Contract:
    """The contract of a challenge, whose file names the sockets."""
    if challenge.sockets is None:
        raise ChallengeError(f"{challenge.name}: its challenge.yaml names no sockets")
    return Contract(
        lay=partial(inputs, challenge.sockets),
        started=started,
        serves=serves,
        taken=partial(taken, challenge.sockets),
        last_line=True,
        tarball="/opt/ml/model",
        beside=tuple(f"{{record}}/{name}" for socket in challenge.sockets.outputs[1:] for name in socket.files()),
    )


def environment(env: Mapping[str, str]) -> dict[str, str]:
    """The variables of a container, without those that the platform keeps for itself, and with its own."""
    return {key: value for key, value in env.items() if not key.lower().startswith(_AWAY)} | ENVIRONMENT


def started(program: Program) -> Program:
    """Return its program as it is started."""
    return replace(program, env=environment(program.env))


def serves(program: Program) -> bool:
    """True if it is a server; the platform compares the label in lower case, without spaces and quotes."""
    return program.labels.get(API_METHOD, "").strip().strip("\"'").strip().lower() == INVOKED


def inputs(sockets: Sockets, record_set: RecordSet, records: Sequence[str]) -> Files:
    """Files that are in ``/input`` for one record, in the order of the sockets, and their list."""
    (record,) = records
    given = by_socket(record_set, record)
    if len(given) != len(sockets.inputs):
        raise ChallengeError(f"{len(sockets.inputs)} sockets and {len(given)} input files; expected a file for each")
    placed: Files = {}
    described = []
    for socket, files in zip(sockets.inputs, given, strict=True):
        if not files or (len(files) > 1 and not socket.is_dicom):
            wanted = "DICOM files" if socket.is_dicom else "one file"
            raise ChallengeError(f"{record}: socket {socket.slug}: expected {wanted}, found {len(files)}")
        if socket.is_dicom:
            placed |= {f"{socket.relative_path}/{file.name}": file for file in files}
        else:
            (file,) = files
            suffixes = [suffix for suffix in IMAGES if file.name.lower().endswith(suffix)] or [file.suffix]
            placed[socket.files(suffixes)[0]] = file
        described.append(value_of(socket, record, files[0]))
    return {INPUTS_FILE: json.dumps(described, indent=1).encode(), **placed}


def by_socket(record_set: RecordSet, record: str) -> list[list[Path]]:
    """A record's files in the order of ``inputs``: one, or those of a folder."""
    return [list(replace(record_set, inputs=(pattern,)).files(record).values()) for pattern in record_set.inputs]


def value_of(described: Socket, key: str, file: Path) -> dict[str, Any]:
    """A socket with what is in it, as ``inputs.json`` and ``predictions.json`` have it.

    * ``key``: names the record, from which the identifiers are made.
    * ``file``: a file, or a folder with one.
    """
    kind, value = described.super_kind, None
    name = next((path.name for path in sorted(file.iterdir())), "") if file.is_dir() else file.name
    if kind is SuperKind.VALUE and file.is_file() and file.stat().st_size <= _MOST_VALUE:
        try:
            value = json.loads(file.read_bytes())
        except (ValueError, RecursionError):
            value = None
    return {
        "pk": str(uuid.uuid5(_SPACE, f"{key}/{described.slug}")),
        "socket": described.described,
        "interface": described.described,  # its old name
        "value": value,
        "file": name if kind is SuperKind.FILE else None,
        "image": {"pk": str(uuid.uuid5(_SPACE, f"{key}/{name}")), "name": name} if kind is SuperKind.IMAGE else None,
    }


def taken(sockets: Sockets, gathered: Path, record: str, target: Path) -> str:
    """Check what a record's start left by the output sockets, as the platform does; see `Contract.taken`."""
    outputs: dict[str, Path] = {}
    for socket in sockets.outputs:
        if socket.super_kind is SuperKind.IMAGE:
            image, problem = _image(socket, gathered / socket.relative_path)
            if image is None:
                return problem
            suffix = next(suffix for suffix in IMAGES if image.name.lower().endswith(suffix))
            outputs[socket.files([suffix])[0]] = image
            continue
        outputs[socket.relative_path] = gathered / socket.relative_path
        if not outputs[socket.relative_path].is_file():
            return f"Output file {socket.relative_path!r} was not produced"
    values = [socket.relative_path for socket in sockets.outputs if socket.super_kind is SuperKind.VALUE]
    texts = json_values(tuple(outputs[name] for name in values)) if values else []
    for name, text in zip(values, texts, strict=True):
        if text is None:
            return f"The output file {name!r} is not valid json"
        if text:
            outputs[name].write_text(text)
    for name, path in outputs.items():
        answer = target / record / name
        answer.parent.mkdir(parents=True, exist_ok=True)
        path.rename(answer)
    return ""


def _image(described: Socket, folder: Path) -> tuple[Path | None, str]:
    where = described.relative_path or "/output"
    files = sorted(path for path in folder.iterdir() if path.is_file()) if folder.is_dir() else []
    if not described.relative_path:  # other outputs lie beside it
        files = [path for path in files if path.name.lower().endswith(IMAGES)]
    images = [path for path in files if path.name.lower().endswith(IMAGES)]
    if not files:
        return None, f"Output directory {where!r} is empty"
    if len(images) > 1:
        return None, f"Only 1 image should be produced in {where!r}, we found {len(images)}"
    if len(files) > 1 or not images:
        names = ", ".join(path.name for path in files[:_SHOWN])
        return None, f"Too many files in {where!r}: expected one {', '.join(IMAGES)}, found {names}"
    return images[0], ""


# Form `grand-challenge`: an evaluation container: `/input/predictions.json` → `/output/metrics.json`.
#
# With `sockets` the answers of each record become a job: its inputs are named after the record's files, its outputs
# are its answer files, by their paths: `{record}/RELATIVE_PATH`.  The evaluation runs only if every record is
# answered. Without it (phases of kind "prediction upload") the answers are in `/input` as they are.
#
# References are in `/opt/ml/input/data/ground_truth`.  With the label for it, the container is
# a server: it is asked for `/health`, then once for `/invoke`.


_METRICS = "metrics.json"
_GROUND_TRUTH = "/opt/ml/input/data/ground_truth"
_HEALTHY_SECONDS = "300"
_OF_CASES = ("results", "case", "cases")


def scoring_steps(task: ScorerTask) -> Sequence[Step]:
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
        try:
            described = json.dumps(jobs, indent=1).encode()
        except RecursionError as e:  # a value that could still be read
            raise NotShown("a value of the answers has brackets too deep in each other") from e
        files |= {"/input/predictions.json": described, **placed}
    server = (INVOKE, "once", _HEALTHY_SECONDS) if serves(program) else ()
    return (Step(argv=(*server, *program.argv), files=files, cwd=program.cwd, env=env),)


def predictions(task: ScorerTask, path: Path) -> tuple[list[dict[str, Any]], dict[str, Content]]:
    """Content of ``predictions.json``, and the files of the jobs by their places.

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
            answer = task.answers / record / socket.relative_path
            if not answer.exists():
                lacking.append(f"{record}/{socket.relative_path}")
                continue
            target = under(base, socket.relative_path)
            placed[target] = answer
            answered.append(value_of(socket, key, answer))
        files = [answer[0] for answer in by_socket(task.records, record) if answer]
        # a record may have fewer files than an algorithm has inputs
        given_files = chain(files, repeat(files[0]) if files else ())
        given = [value_of(socket, key, file) for socket, file in zip(sockets.inputs, given_files, strict=False)]
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


def read_numbers(output: Path, request: ScoreRequest) -> Numbers:
    """All numbers by their paths; those of single cases where they are a list."""
    report = mapping(read_json(read_text(output / _METRICS), _METRICS), _METRICS)
    cases: list[Any] = next((report[name] for name in _OF_CASES if isinstance(report.get(name), list)), [])
    records = {}
    for n, case in enumerate(cases, 1):
        row = flat(case)
        # the mean of a column has one of these names
        row |= {f"aggregates.{key}{tail}": value for key, value in row.items() for tail in ("", ".mean")}
        records[str(n)] = {key: value for key, value in row.items() if key in (*request.values, request.primary)}
    return Numbers(values=flat(report), records=records if all(records.values()) else {}, strict=False)


GRAND_CHALLENGE = Adapter(steps=scoring_steps, read=read_numbers)
