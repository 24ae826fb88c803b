"""Form ``medperf``: the task ``evaluate`` of a ``container_config.yaml``.

Inputs ``predictions`` (the answers), ``labels`` (the references) and ``parameters_file`` are where its volumes say;
``results.yaml`` (or the one file of its output) has the numbers, nested ones by dotted keys.  The image is what
``docker save`` writes; MLCubes without ``container_type`` are refused, as there.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

import yaml

from evaluate.challenge.scorer import Scorer
from evaluate.core.errors import ChallengeError
from evaluate.stages.scorers.base import (
    OUTPUT,
    Adapter,
    Asked,
    Content,
    Link,
    Numbers,
    Step,
    Task,
    Unreadable,
    flat,
    mapping,
    read_text,
)

_TASK = "evaluate"
_TYPES = ("DockerImage", "DockerArchive")
_RUN_ARGS = {"shm_size", "gpus", "command", "entrypoint", "environment"}


def _task(scorer: Scorer) -> Mapping[str, Any]:
    path = scorer.config
    assert path is not None  # the keys require it
    try:
        said = yaml.safe_load(path.read_text())
    except (OSError, ValueError, yaml.YAMLError) as e:
        raise ChallengeError(f"{path}: expected YAML: {e}") from e
    if not isinstance(said, dict) or said.get("container_type") not in _TYPES:
        found = said.get("container_type") if isinstance(said, dict) else said
        raise ChallengeError(f"{path}: container_type: expected {' or '.join(_TYPES)}, found {str(found)[:80]!r}")
    tasks = said.get("tasks")
    task = tasks.get(_TASK) if isinstance(tasks, dict) else None
    if not isinstance(task, dict):
        raise ChallengeError(f"{path}: tasks: expected {_TASK}, found {', '.join(tasks) if tasks else 'nothing'}")
    if unknown := set(task.get("run_args") or {}) - _RUN_ARGS:
        raise ChallengeError(f"{path}: tasks.{_TASK}.run_args: unknown {', '.join(sorted(unknown))}")
    return task


def _words(task: Mapping[str, Any], key: str) -> list[str]:
    said = (task.get("run_args") or {}).get(key) or ""
    return [str(word) for word in said] if isinstance(said, list) else shlex.split(str(said))


def argument(scorer: Scorer) -> str:
    """The first word of the command, which follows the image's entry point."""
    return next(iter(_words(_task(scorer), "command")), "")


def steps(task: Task) -> Sequence[Step]:
    """The task."""
    described, program = _task(task.scorer), task.program
    assert program is not None  # the keys require a container
    own = _words(described, "entrypoint")
    words = _words(described, "command")
    argv = (*own, *words) if own else (*program.argv, *words[1:])
    sources: dict[str, Content | None] = {
        "predictions": task.answers,
        "labels": task.references,
        "parameters_file": task.scorer.parameters or b"{}\n",
    }
    files: dict[str, Content] = {}
    for key, volume in (described.get("input_volumes") or {}).items():
        if key not in sources:
            raise ChallengeError(f"{task.scorer.config}: {_TASK}: unknown input volume {key!r}")
        files[str(volume["mount_path"])] = _as_mounted(volume, sources[key])
    for volume in (described.get("output_volumes") or {}).values():
        place = PurePosixPath(str(volume["mount_path"]))
        files[str(place if volume.get("type") == "directory" else place.parent)] = Link(OUTPUT)
    env = {
        **program.env,
        **{str(k): str(v) for k, v in ((described.get("run_args") or {}).get("environment") or {}).items()},
    }
    return (Step(argv=argv, files=files, cwd=program.cwd, env=env),)


def _as_mounted(volume: Mapping[str, Any], source: Content | None) -> Content:
    """Of a folder with one file, that file, where a file is asked for."""
    assert source is not None
    if volume.get("type") == "file" and isinstance(source, Path) and source.is_dir():
        found = sorted(path for path in source.iterdir() if path.is_file())
        if len(found) == 1:
            return found[0]
    return source


def read(output: Path, asked: Asked) -> Numbers:
    """The numbers of the results."""
    del asked
    found = sorted(path for path in output.rglob("*") if path.suffix in (".yaml", ".yml", ".json"))
    path = next((one for one in found if one.name == "results.yaml"), found[0] if len(found) == 1 else None)
    if path is None:
        raise Unreadable(f"expected results.yaml, found {', '.join(one.name for one in found) or 'nothing'}")
    text = read_text(path)
    try:
        said = yaml.safe_load(text)
    except yaml.YAMLError as e:
        raise Unreadable(f"{path.name}: expected YAML: {e}") from e
    if not said:
        raise Unreadable(f"{path.name} is empty")
    return Numbers(values=flat(mapping(said, path.name)), strict=False)


MEDPERF = Adapter(steps=steps, read=read, argument=argument)
