"""Form ``medperf``: the task ``evaluate`` of a ``container_config.yaml``.

Inputs ``predictions`` (the answers), ``labels`` (the references) and ``parameters_file`` are where its volumes say;
``results.yaml`` (or the one file of its output) has the numbers, nested ones by dotted keys; true is 1, false 0.  The
image is what ``docker save`` writes; MLCubes without ``container_type`` are refused, as there.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from evaluate.challenge.scorer import Scorer
from evaluate.core.errors import ChallengeError, EntryError
from evaluate.stages.scorers.base import (
    OUTPUT,
    Adapter,
    Asked,
    Content,
    Link,
    Numbers,
    ScorerTask,
    Step,
    UnreadableScores,
    flat,
    mapping,
    named,
    read_yaml,
)
from evaluate.untrusted.container_config import ContainerTask, Volume, read_container_task

_TASK = "evaluate"


def _task(scorer: Scorer) -> ContainerTask:
    path = scorer.config
    assert path is not None  # the keys require it
    try:
        return read_container_task(path.read_text(), _TASK)
    except (OSError, ValueError, EntryError) as e:
        raise ChallengeError(f"{path}: {e}") from e


def argument(scorer: Scorer) -> str:
    """The first word of the command, which follows the image's entry point."""
    return next(iter(_task(scorer).command), "")


def steps(task: ScorerTask) -> Sequence[Step]:
    """The task."""
    described, program = _task(task.scorer), task.program
    assert program is not None  # the keys require a container
    own, words = described.entrypoint, described.command
    argv = (*own, *words) if own else (*program.argv, *words[1:])
    sources: dict[str, Content | None] = {
        "predictions": task.answers,
        "labels": task.references,
        "parameters_file": task.scorer.parameters or b"{}\n",
    }
    files: dict[str, Content] = {}
    for key, volume in described.inputs.items():
        if key not in sources:
            raise ChallengeError(f"{task.scorer.config}: {_TASK}: unknown input volume {key!r}")
        files[volume.place] = _as_mounted(volume, sources[key])
    for volume in described.outputs.values():  # of a file, itself: its folder may be that of the program, or /
        files[volume.place] = Link(OUTPUT if volume.is_folder else f"{OUTPUT}/{PurePosixPath(volume.place).name}")
    env = {**program.env, **described.environment}
    return (Step(argv=argv, files=files, cwd=program.cwd, env=env),)


def _as_mounted(volume: Volume, source: Content | None) -> Content:
    """Of a folder with one file, that file, where a file is asked for."""
    assert source is not None
    if not volume.is_folder and isinstance(source, Path) and source.is_dir():
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
        raise UnreadableScores(f"expected results.yaml, found {named(*(one.name for one in found)) or 'nothing'}")
    said = read_yaml(path, "YAML")
    if not said:
        raise UnreadableScores(f"{path.name} is empty")
    return Numbers(values=flat(mapping(said, path.name), booleans=True), strict=False)


MEDPERF = Adapter(steps=steps, read=read, argument=argument)
