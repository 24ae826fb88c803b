"""Runs a scorer: its commands in guests, one after the other, and its output behind walls.

A guest has the files of its command on a read-only disk, no network, and limits of its own.  Whatever goes wrong in a
scorer is the organiser's fault (`ChallengeError`): its last line and the place of its traceback are named to them, and
what it prints is shown to nobody else.  The one exception are commands that run the entry's own program.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evaluate.config.challenge.scorer import Scorer
from evaluate.config.challenge.types import ArchiveLimits, RecordSet
from evaluate.confine.isolated import Bounds, isolated
from evaluate.confine.ownership import discard_tree, set_mode, temporary_folder
from evaluate.core.errors import ChallengeError, EntryError
from evaluate.core.model import (
    MIB,
    Note,
    Run,
    Score,
    Sizes,
    Stage,
    StageOutcome,
    StageResult,
    Usage,
    Verdict,
)
from evaluate.core.sanitize import worded
from evaluate.images.container import ContainerLayer
from evaluate.images.squashfs import Link
from evaluate.report.words import score_in_words
from evaluate.sandbox.base import Command, Machine
from evaluate.stages import pins
from evaluate.stages.confined import CHALLENGE_ERROR, SCORE, Reply
from evaluate.stages.job import ScorerMeans
from evaluate.stages.kinds.entry_kind import diagnostics
from evaluate.stages.scorers.adapter import OUTPUT, NotShown, ScoreRequest, ScorerTask, Step
from evaluate.stages.scorers.scorer_output import FORMS, read_scores

_MORE_MEMORY = 512 * MIB
"""Memory of the machine, beyond what the command may use."""
_CONTAINER = ArchiveLimits(bytes=16 << 30, unpacked_bytes=64 << 30, files=1_000_000)
"""An organiser's own image."""
_FRAME = re.compile(rb'File "([^"\n]{1,400})", line (\d{1,9})')
"""A place in a traceback of Python."""
_OF_OTHERS = re.compile(rb"/usr/|<|/.*/plain/[0-9a-f]{32}/")
"""Files of Python, and of packages; the last where there is no machine."""
_MOST_LINE, _TRACEBACK = 500, "Traceback (most recent call last)"
_PYTHON = {"/usr/local/bin/python": Link("/usr/bin/python3")}
"""Images of other platforms have it by this name too."""
_SECONDS, _MEMORY, _REPLY = 120, 2 << 30, 16 << 20


@dataclass(frozen=True, kw_only=True)
class _Ran:
    """Outcome of the commands of one scoring."""

    usage: Usage
    printed: str = ""
    read: Reply | None = None
    failed: StageResult | None = None
    """Result where the entry's own program is to blame."""


def score_by(
    scorer: Scorer,
    records: RecordSet,
    references: Path,
    answers: Path,
    means: ScorerMeans,
    *,
    seconds: float = math.inf,
    again: bool = False,
) -> StageOutcome:
    """Score the answers with the organiser's program.

    Raises ChallengeError if the scorer is at fault, or is not what its form says.

    * ``seconds``: a bound of the time on the clock of each command, for somebody who waits.
    * ``again``: whether to score a second time and compare, to notice a scorer whose results are random.
    """
    with temporary_folder("scorer-", means.folder) as folder:
        set_mode(folder, 0o711)  # the users of QEMU pass through it, as through that of the job
        container = _container(scorer, means)
        task = ScorerTask(
            scorer=scorer,
            records=records,
            references=references.resolve(),
            answers=answers.resolve(),
            outputs=folder,
            program=container.program if container else None,
        )
        try:
            steps = FORMS[scorer.form].steps(task)
        except NotShown as e:
            return StageOutcome(result=StageResult(stage=Stage.SCORE, verdict=Verdict.BAD_ANSWER, message=str(e)))
        scoring = _Scoring(task=task, steps=steps, container=container, means=means, seconds=seconds)
        ran = scoring.run(range(len(steps)))
        machine, read = means.info(), ran.read
        if ran.failed is not None or read is None:
            assert ran.failed is not None
            return StageOutcome(result=replace(ran.failed, usage=ran.usage), machine=machine)
        result = StageResult(
            stage=Stage.SCORE,
            verdict=Verdict.BAD_ANSWER,
            message=read.message,
            usage=ran.usage,
            diagnostics=ran.printed,
        )
        if read.score is None:
            return StageOutcome(result=result, machine=machine)
        score = read.score
        if again:
            score = _compared(score, scoring.run([len(steps) - 1]).read)
        result = replace(result, verdict=Verdict.OK, message=score_in_words(score))
        return StageOutcome(result=result, score=score, machine=machine)


def _container(scorer: Scorer, means: ScorerMeans) -> ContainerLayer | None:
    if scorer.container is None:
        return None
    try:
        return means.layers.container(scorer.container, "", _CONTAINER)
    except EntryError as e:
        raise ChallengeError(f"{scorer.container}: {e}") from e


RANDOM = "the scorer gives other numbers for the same answers when it runs again, so ranks depend on chance"
_CHANGING = "when the scorer runs again it gives other numbers that no rank depends on"


def _compared(score: Score, other: Reply | None) -> Score:
    """The score, with a note if the second one differs."""
    second = other.score.values if other is not None and other.score is not None else {}
    differing = [name for name, value in score.values.items() if second.get(name) != value]
    if not differing:
        return score
    shown = ", ".join(f"{name} {score.values[name]:g}, then {second.get(name, math.nan):g}" for name in differing[:3])
    text = f"{RANDOM if score.primary in differing else _CHANGING}: {shown}"
    return replace(score, notes=(*score.notes, Note(text=text)))


def read_behind_walls(
    scorer: Scorer, output: Path, stdout: bytes, last_words: str = "", *, hidden: bool = False
) -> Reply:
    """Read what a scorer's command left: a score, or words for the team.

    Raises ChallengeError if it is neither; ends with ``last_words``.

    ``hidden``: whether the references are.
    """
    read = isolated(
        Bounds(
            doing=f"reading what the {scorer.form} scorer wrote",
            seconds=_SECONDS,
            memory_bytes=_MEMORY,
            reply_bytes=_REPLY,
            blame=ChallengeError,
            raises=(),
            defect=ChallengeError,
        ),
        read_scores,
        str(scorer.form),
        output,
        stdout.decode(errors="replace"),
        ScoreRequest(primary=scorer.primary, values=scorer.values, hidden=hidden),
        dict(scorer.computed),
        scorer.direction == "smaller",
    )
    if read.kind == CHALLENGE_ERROR:
        raise ChallengeError(f"the {scorer.form} scorer: {read.message}{last_words}")
    if read.kind == SCORE and (read.score is None or read.score.primary not in read.score.values):
        raise ChallengeError(f"the {scorer.form} scorer gave no score{last_words}")
    return read


@dataclass(frozen=True, kw_only=True)
class _Scoring:
    """The commands of one scoring, and the means to run them."""

    task: ScorerTask
    steps: Sequence[Step]
    container: ContainerLayer | None
    means: ScorerMeans
    seconds: float

    def run(self, numbers: Sequence[int]) -> _Ran:
        """Run these commands, and read what they wrote; stops at the first that fails for the entry's fault."""
        scorer, hidden = self.task.scorer, self.task.records.hidden
        usage, printed, run = Usage(), [], None
        ingested: StageResult | None = None
        for n in numbers:
            discard_tree(self.task.output(n))
            run = self._run(n, self.steps[n])
            usage += run.usage
            printed.append(diagnostics(run))
            if run.verdict is Verdict.OK:
                continue
            if n < len(self.steps) - 1 and self.steps[n].runs_entry:
                ingested = ingested or self._failed(run)
                if scorer.ingestion is not None and run.verdict is Verdict.RUNTIME_ERROR:
                    continue  # as on Codabench, what there is is scored
            if ingested is None:
                raise ChallengeError(f"the {scorer.form} scorer {_how(run)}")
            return _Ran(usage=usage, failed=ingested)
        assert run is not None
        try:
            read = read_behind_walls(scorer, self.task.output(n), run.stdout, _printed(run), hidden=hidden)
        except ChallengeError:
            if ingested is None:
                raise
            return _Ran(usage=usage, failed=ingested)
        if ingested is not None and read.score is not None:
            note = Note(text=f"{ingested.message}; as on Codabench, what there was without it was scored")
            read = replace(read, score=replace(read.score, notes=(*read.score.notes, note)))
        return _Ran(usage=usage, printed="\n".join(filter(None, printed)), read=read)

    def _failed(self, run: Run) -> StageResult:
        """The result of a command that runs the uploaded program."""
        # what it printed may be of the data that it was run on
        how = run.detail if self.task.records.hidden else _how(run)
        program = "the uploaded program"
        if self.task.scorer.ingestion is not None:  # either may have failed
            program = "the ingestion program, which runs what was uploaded,"
        return StageResult(
            stage=Stage.SCORE,
            verdict=run.verdict,
            message=f"{program} {how}",
            reason=run.detail,
            diagnostics=diagnostics(run),
        )

    def _dependencies(self) -> list[Path]:
        """The layers of its packages."""
        scorer, layers = self.task.scorer, self.means.layers
        made = []
        try:
            if scorer.requirements is not None:
                made.append(pins.install(layers, scorer.requirements.read_bytes(), newer=False)[0])
            if scorer.packages:
                made.append(layers.debian("".join(f"{name}\n" for name in scorer.packages).encode()))
        except EntryError as e:
            raise ChallengeError(f"the scorer's packages cannot be installed: {e}") from e
        return [layer for layer in made if layer is not None]

    def _run(self, n: int, step: Step) -> Run:
        container = self.container
        layer = self.task.outputs / f"{n}.layer"
        if not layer.exists():
            self.means.layer(layer, step.files if container else {**_PYTHON, **step.files})
        limits = self.task.scorer.limits
        limits = replace(limits, wall_seconds=min(limits.wall_seconds, self.seconds))
        machine = Machine(
            image=self.means.image,
            layers=[layer, container.layer] if container else [layer, *self._dependencies()],
            container=container is not None,
            sizes=replace(Sizes(), memory_bytes=max(Sizes().memory_bytes, limits.memory_bytes + _MORE_MEMORY)),
            answers_bytes=limits.answers_bytes,
        )
        command = Command(
            argv=step.argv,
            cwd=step.cwd,
            env={**(container.program.env if container else {}), **step.env},
            output=OUTPUT,
            gather=self.task.output(n),
            user=container.program.user if container else None,
        )
        with self.means.hypervisor.boot(machine) as sandbox:
            run = sandbox.run(command, limits)
        self.task.output(n).mkdir(exist_ok=True)  # where it wrote nothing
        return run


def _how(run: Run) -> str:
    return f"{run.detail or 'failed'}{_last_words(run)}"


def _last_words(run: Run) -> str:
    return last_words(run.stderr.strip() or run.stdout.strip())


def last_words(printed: bytes) -> str:
    """The last words of a program, with file and line where its traceback ends, in its own files where it can."""
    sentence = _last_sentence(printed.decode(errors="replace"))
    places: list[tuple[bytes, bytes]] = _FRAME.findall(printed)
    frames = [frame for frame in places if not _OF_OTHERS.match(frame[0])] or places
    origin = f" ({frames[-1][0].decode(errors='replace')}, line {int(frames[-1][1])})" if frames else ""
    return (f": {sentence[:_MOST_LINE]}" if sentence else "") + origin


def _printed(run: Run) -> str:
    """The last lines that a program printed which ended well, and from which no score could be read."""
    lines = worded(run.stdout.decode(errors="replace"))
    last = f"; the last line of its standard output: {lines[-1].strip()[:_MOST_LINE]}" if lines else ""
    return last + (f"; of its standard error{_last_words(run)}" if run.stderr.strip() else "")


def _last_sentence(text: str) -> str:
    """The last line with words in it; of an exception whose message has several lines, the first with words."""
    lines = worded(text)
    begun = max((n for n, line in enumerate(lines) if line.startswith(_TRACEBACK)), default=None)
    if begun is None:
        return lines[-1].strip() if lines else ""
    n = next((n for n in range(begun + 1, len(lines)) if not lines[n][0].isspace()), len(lines) - 1)
    sentence = lines[n].strip()
    return f"{sentence} {lines[n + 1].strip()}" if sentence.endswith(":") and n + 1 < len(lines) else sentence
