"""MedPerf's ``container_config.yaml``: how a task of a container is run; of a team's, read in a bounded process."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

import yaml

from evaluate.confine.isolated import Bounds, isolated
from evaluate.core.errors import EntryError

CONFIG = "container_config.yaml"
_TYPES = ("DockerImage", "DockerArchive")
_RUN_ARGS = {"shm_size", "gpus", "command", "entrypoint", "environment"}
_MOST_BYTES = 1 << 20


@dataclass(frozen=True, kw_only=True)
class Volume:
    """A place that the container finds something at, or leaves something."""

    place: str
    is_folder: bool


@dataclass(frozen=True, kw_only=True)
class ContainerTask:
    """How one task is run."""

    entrypoint: tuple[str, ...]
    """In the place of the image's own; empty: that."""
    command: tuple[str, ...]
    environment: Mapping[str, str]
    inputs: Mapping[str, Volume]
    outputs: Mapping[str, Volume]


def container_task(text: str, task: str) -> ContainerTask:
    """As `read_container_task`, behind walls."""
    if len(text) > _MOST_BYTES:
        raise EntryError(f"{CONFIG} has {len(text)} letters; at most {_MOST_BYTES} are allowed")
    bounds = Bounds(doing=f"reading {CONFIG}", seconds=20)
    return isolated(bounds, read_container_task, text, task)


def read_container_task(text: str, task: str) -> ContainerTask:
    """The task of that name. Raises EntryError, naming the key, what was expected and what was found."""
    try:
        said = yaml.safe_load(text)
    except (ValueError, RecursionError, yaml.YAMLError) as e:
        raise EntryError(f"expected YAML: {str(e)[:200]}") from e
    if not isinstance(said, dict) or said.get("container_type") not in _TYPES:
        found = said.get("container_type") if isinstance(said, dict) else said
        raise EntryError(f"container_type: expected {' or '.join(_TYPES)}, found {str(found)[:80]!r}")
    tasks = _mapping(said.get("tasks"), "tasks")
    if task not in tasks:
        raise EntryError(f"tasks: expected {task}, found {', '.join(map(str, tasks))[:200] or 'nothing'}")
    where = f"tasks.{task}"
    found = _mapping(tasks[task], where)
    arguments = _mapping(found.get("run_args"), f"{where}.run_args")
    if unknown := set(map(str, arguments)) - _RUN_ARGS:
        raise EntryError(f"{where}.run_args: unknown {', '.join(sorted(unknown))[:200]}")
    environment = _mapping(arguments.get("environment"), f"{where}.run_args.environment")
    return ContainerTask(
        entrypoint=_words(arguments.get("entrypoint"), f"{where}.run_args.entrypoint"),
        command=_words(arguments.get("command"), f"{where}.run_args.command"),
        environment={str(key): str(value) for key, value in environment.items()},
        inputs=_volumes(found, f"{where}.input_volumes"),
        outputs=_volumes(found, f"{where}.output_volumes"),
    )


def _mapping(value: Any, where: str) -> Mapping[Any, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise EntryError(f"{where}: expected a mapping, found {str(value)[:80]!r}")
    return value


def _words(value: Any, where: str) -> tuple[str, ...]:
    try:
        words = [str(word) for word in value] if isinstance(value, list) else shlex.split(str(value or ""))
    except ValueError as e:
        raise EntryError(f"{where}: {e}") from e
    if any("\0" in word for word in words):
        raise EntryError(f"{where}: expected words without zero bytes")
    return tuple(words)


def _volumes(task: Mapping[Any, Any], where: str) -> Mapping[str, Volume]:
    found = {}
    for key, said in _mapping(task.get(where.rpartition(".")[2]), where).items():
        volume = _mapping(said, f"{where}.{key}")
        place = PurePosixPath(str(volume.get("mount_path")))
        if not place.is_absolute() or ".." in place.parts or len(place.parts) < 2 or len(str(place)) > 1000:
            raise EntryError(f"{where}.{key}.mount_path: expected an absolute path, found {str(place)[:80]!r}")
        if volume.get("type") not in ("file", "directory"):
            raise EntryError(f"{where}.{key}.type: expected file or directory, found {str(volume.get('type'))[:80]!r}")
        found[str(key)] = Volume(place=str(place), is_folder=volume["type"] == "directory")
    return found
