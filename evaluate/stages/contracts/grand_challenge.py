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
from pathlib import Path
from typing import Any

from evaluate.challenge.sockets import IMAGES, INPUTS_FILE, Socket, Sockets, SuperKind
from evaluate.challenge.types import Challenge, RecordSet
from evaluate.core.errors import ChallengeError
from evaluate.core.model import Program
from evaluate.stages.contracts.base import Contract, Files
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
        beside=tuple(f"{{record}}/{name}" for one in challenge.sockets.outputs[1:] for name in one.files()),
    )


def environment(env: Mapping[str, str]) -> dict[str, str]:
    """The variables of a container, without those that the platform keeps for itself, and with its own."""
    return {key: value for key, value in env.items() if not key.lower().startswith(_AWAY)} | ENVIRONMENT


def started(program: Program) -> Program:
    """How its program is started."""
    return replace(program, env=environment(program.env))


def serves(program: Program) -> bool:
    """Whether it is a server; the platform compares the label in lower case, without spaces and quotes."""
    return program.labels.get(API_METHOD, "").strip().strip("\"'").strip().lower() == INVOKED


def inputs(sockets: Sockets, record_set: RecordSet, records: Sequence[str]) -> Files:
    """What is in ``/input`` for one record: its files in the order of the sockets, and their list."""
    (record,) = records
    given = by_socket(record_set, record)
    if len(given) != len(sockets.inputs):
        raise ChallengeError(f"{len(sockets.inputs)} sockets and {len(given)} input files; expected a file for each")
    placed: Files = {}
    described = []
    for one, files in zip(sockets.inputs, given, strict=True):
        if not files or (len(files) > 1 and not one.is_dicom):
            wanted = "DICOM files" if one.is_dicom else "one file"
            raise ChallengeError(f"{record}: socket {one.slug}: expected {wanted}, found {len(files)}")
        if one.is_dicom:
            placed |= {f"{one.relative_path}/{file.name}": file for file in files}
        else:
            (file,) = files
            suffixes = [suffix for suffix in IMAGES if file.name.lower().endswith(suffix)] or [file.suffix]
            placed[one.files(suffixes)[0]] = file
        described.append(value_of(one, record, files[0]))
    return {INPUTS_FILE: json.dumps(described, indent=1).encode(), **placed}


def by_socket(record_set: RecordSet, record: str) -> list[list[Path]]:
    """A record's files in the order of ``inputs``: one, or those of a folder."""
    return [list(replace(record_set, inputs=(one,)).files(record).values()) for one in record_set.inputs]


def value_of(described: Socket, key: str, file: Path) -> dict[str, Any]:
    """A socket with what is in it, as ``inputs.json`` and ``predictions.json`` have it.

    * ``key``: names the record, from which the identifiers are made.
    * ``file``: a file, or a folder with one.
    """
    kind, value = described.super_kind, None
    name = next((one.name for one in sorted(file.iterdir())), "") if file.is_dir() else file.name
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
    found: dict[str, Path] = {}
    for one in sockets.outputs:
        if one.super_kind is SuperKind.IMAGE:
            image, problem = _image(one, gathered / one.relative_path)
            if image is None:
                return problem
            suffix = next(suffix for suffix in IMAGES if image.name.lower().endswith(suffix))
            found[one.files([suffix])[0]] = image
            continue
        found[one.relative_path] = gathered / one.relative_path
        if not found[one.relative_path].is_file():
            return f"Output file {one.relative_path!r} was not produced"
    values = [one.relative_path for one in sockets.outputs if one.super_kind is SuperKind.VALUE]
    texts = json_values(tuple(found[name] for name in values)) if values else []
    for name, text in zip(values, texts, strict=True):
        if text is None:
            return f"The output file {name!r} is not valid json"
        if text:
            found[name].write_text(text)
    for name, path in found.items():
        place = target / record / name
        place.parent.mkdir(parents=True, exist_ok=True)
        path.rename(place)
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
