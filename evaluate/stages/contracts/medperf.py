"""MedPerf: the task ``infer`` of a container; its ``container_config.yaml`` says where data and predictions are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePosixPath

from evaluate.core.errors import EntryError
from evaluate.core.model import Program
from evaluate.stages.contracts.base import Contract, Described
from evaluate.stages.scorers.base import Link
from evaluate.untrusted.container_config import CONFIG, ContainerTask, container_task

_TASK = "infer"
_DATA, _OUTPUT = "/input", "/output"
_EMPTY = {"parameters_file": b"{}\n", "additional_files": b""}
"""What an infer task may ask for beside its data, and finds empty: the image has its own."""


def described(text: str) -> Described:
    """How the task is run; EntryError if its description is at fault."""
    try:
        return _described(container_task(text, _TASK))
    except EntryError as e:
        raise EntryError(f"{CONFIG}: {e}") from e


def _described(task: ContainerTask) -> Described:
    places: dict[str, bytes | Link] = {}
    for key, volume in task.inputs.items():
        if key != "data_path" and key not in _EMPTY:
            names = ", ".join(("data_path", *_EMPTY))
            raise EntryError(f"tasks.{_TASK}.input_volumes: expected {names}, found {key[:80]!r}")
        if key == "data_path":
            places[volume.place] = Link(_DATA)
        else:
            places[f"{volume.place}/.empty" if volume.is_folder else volume.place] = _EMPTY[key]
    for key, volume in task.outputs.items():
        place = PurePosixPath(volume.place) if volume.is_folder else PurePosixPath(volume.place).parent
        if len(place.parts) == 1:
            raise EntryError(
                f"tasks.{_TASK}.output_volumes.{key}: expected a place below a folder, found {volume.place}"
            )
        places[str(place)] = Link(_OUTPUT)
    # a link to itself leads nowhere; these two are there anyway
    places = {place: one for place, one in places.items() if not isinstance(one, Link) or one.target != place}

    def started(program: Program) -> Program:
        words = task.command[1:]  # the first one is the argument of the entry point
        argv = (*task.entrypoint, *task.command) if task.entrypoint else (*program.argv, *words)
        return replace(program, argv=argv, env={**program.env, **task.environment})

    return Described(argument=task.command[0] if task.command else "", places=places, started=started)


MEDPERF = Contract(description=CONFIG, described=described)
