"""A daemon whose stages are scripted by the names of the entries; `tests.chaos.cluster.Host` starts it.

It can end, or stop, itself at the n-th passing of a named transition (``--act published-before:2:KILL``), run with a
clock that jumps (a file ``clock`` in the shared folder: seconds that are added), and have another version of the flow.
All of that is patched into the program's functions from here; the program knows nothing of it.
"""

import argparse
import functools
import math
import os
import random
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dbos._sys_db import SystemDatabase

from evaluate.config.load import load_config
from evaluate.config.types import Config, Retries
from evaluate.core.codec import from_json
from evaluate.core.errors import ChallengeError, EvaluateError, SandboxFault
from evaluate.core.model import MIB, Score, Stage, StageOutcome, StageResult, Usage, Verdict
from evaluate.receipts.issue import Registry
from evaluate.run import chain, daemon, flow, takeover
from evaluate.run.daemon import Daemon, handle_signals
from evaluate.run.flow import FlowContext
from evaluate.store.db import journal
from evaluate.store.entries.store import Store, open_store
from evaluate.store.files import stage_folders
from evaluate.store.files.depot import SharedFolder, open_depot
from evaluate.store.files.stage_folders import Task, challenge_of, work_folder
from evaluate.store.logs import log_to
from evaluate.store.schedule import engine, hosts, tasks
from evaluate.store.schedule.engine import Engine
from evaluate.store.schedule.hosts import Lease, new_executor
from tests.support import unflushed  # noqa: F401

RAN, HELD, CLOCK = "ran.txt", "held.txt", "clock"
TRANSITIONS: dict[str, tuple[Any, str]] = {
    "hosted": (Lease, "take"),
    "launched": (Engine, "launch"),
    "taken": (Store, "next_entries"),
    "planned": (chain, "keep_plan"),
    "moved": (chain, "advance"),
    "journalled": (journal, "write"),
    "placed": (tasks, "place"),
    "enqueued": (Engine, "place"),
    "begun": (tasks, "begin"),
    "charged": (Store, "charge"),
    "performed": (flow, "perform"),
    "published": (stage_folders, "publish"),
    "described": (Store, "result_line"),
    "kept": (chain, "keep_result"),
    "scored": (chain, "keep_score"),
    "evident": (flow, "keep_evidence"),
    "released": (tasks, "end"),
    "given-back": (tasks, "again"),
    "flow-written": (SystemDatabase, "update_workflow_outcome"),
    "evicted": (hosts, "evict"),
    "ended": (Engine, "cancel"),
    "swept": (takeover, "sweep_parts"),
    "forgotten": (Engine, "forget"),
    "left": (Lease, "leave"),
}
"""The function behind each transition, which is passed before and after the call; after only if it had an effect."""


def guest_name(shared: Path) -> str:
    """Name of the child processes that take the place of QEMU."""
    return f"guest-of:{shared}"


@dataclass(frozen=True, kw_only=True)
class ScriptedRunner:
    """Takes a moment, writes a file, and does what the entry's name says: ``<what>-<stage>…``; during a task also what
    the shell script ``during-<task>`` in the shared folder says, run in the challenge's.
    """

    shared: Path
    seconds: float
    host: str
    broken: bool = False
    """True if nothing runs on this host."""

    def __call__(self, task: Task, folder: Path) -> StageOutcome:
        if self.broken:
            raise SandboxFault("KVM is gone", console=("kvm: No such device",))
        what, _, stage = task.entry.name.partition("-")
        self._products_before(task)
        with (self.shared / RAN).open("a") as f:
            f.write(f"{task.entry.id} {task.name} {self.host}\n")
        if (script := self.shared / f"during-{task.name}").exists():
            subprocess.run(["/bin/sh", script], check=True, cwd=challenge_of(task.entry).folder)
        (folder / "half").write_text("first")
        self._note("takes", task)
        self._live_in_guest(random.uniform(0, 2 * self.seconds))
        self._note("frees", task)
        (folder / "half").write_text("first and second")
        verdict = Verdict.OK
        if stage.startswith(task.stage.value):
            tries = (self.shared / RAN).read_text().count(f"{task.entry.id} {task.name} ")
            if what == "fault" or (what == "recovers" and tries < 2):
                raise SandboxFault("the guest closed its channel")
            if what == "broken":
                raise ChallengeError("REFERENCE.csv is gone")
            if what == "fails":
                verdict = Verdict.RUNTIME_ERROR
        score = from_json(Score, scripted_score(task.entry.number)) if task.stage is Stage.SCORE else None
        usage = Usage(instructions=7, wall_seconds=0.1)
        result = StageResult(stage=task.stage, verdict=verdict, message=task.name, usage=usage)
        return StageOutcome(result=result, score=score)

    def _note(self, what: str, task: Task) -> None:
        with (self.shared / HELD).open("a") as f:
            f.writelines(f"{what} {address}\n" for address in task.gpus)

    def _products_before(self, task: Task) -> None:
        before = {
            Stage.PREP: (),
            Stage.TRAIN: ("prep",),
            Stage.QUIZ: ("prep", "train")[: 2 - (challenge_of(task.entry).train is None)],
            Stage.EXAM: ("quiz",) if task.shard is not None else tuple(f"exam-{i}" for i in range(task.shards)),
            Stage.SCORE: ("exam",),
        }
        for name in before[task.stage]:
            if (work_folder(self.shared, task.entry) / name / "half").read_text() != "first and second":
                raise ChallengeError(f"{name} is half-written")

    def _live_in_guest(self, seconds: float) -> None:
        """Depend on a process that dies with this one, however this one dies, as QEMU does."""
        argv, stdin = [guest_name(self.shared)], subprocess.PIPE
        with subprocess.Popen(argv, executable="/bin/cat", stdin=stdin, stdout=subprocess.DEVNULL) as guest:
            try:
                guest.wait(seconds)
            except subprocess.TimeoutExpired:
                return
        raise SandboxFault("the guest is gone")


def scripted_score(number: int) -> dict[str, Any]:
    """The score of the entry of this number."""
    values = {"F1": 0.5 + number / 1000}
    return {"primary": "F1", "values": values, "official": values, "intervals": {}, "notes": []}


def act_at(point: str, passing: int, number: signal.Signals) -> None:
    """Send this process a signal when a transition is passed for the ``passing``-th time."""
    name, _, when = point.rpartition("-")
    owner, attribute = TRANSITIONS[name]
    original = getattr(owner, attribute)
    left, lock = [passing], threading.Lock()

    def passed() -> None:
        with lock:
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), number)

    @functools.wraps(original)
    def around(*arguments: Any, **named: Any) -> Any:
        if when == "before":
            passed()
        result = original(*arguments, **named)
        if when == "after" and (result is None or result):
            passed()
        return result

    setattr(owner, attribute, around)


def jump_with(path: Path, real: Callable[[], float] = time.time) -> None:
    """Run this process with a clock to which the seconds in a file are added."""

    def jumping() -> float:
        try:
            return real() + float(path.read_text() or 0)
        except (OSError, ValueError):
            return real()

    time.time = jumping


def flow_context(store: Store, shared: Path, executor: str, **other: Any) -> FlowContext:
    """The context of workflows on the host green whose stages take no time, with other parts."""
    parts = {
        "depot": SharedFolder(shared),
        "runner": ScriptedRunner(shared=shared, seconds=0.0, host="green"),
        "config": Config(host="green"),
        "receipts": Registry(shared),
        **other,
    }
    parts.setdefault("engine", Engine(store.database, executor))
    return FlowContext(store=store, shared=shared, executor=executor, **parts)


def run(log: Path, words: list[str], environment: Mapping[str, str]) -> None:
    """Be the daemon of a command line, with this log, in a process that was forked for it."""
    os.environ.clear()
    os.environ.update(environment)
    with log.open("ab") as file:
        for number in (1, 2):
            os.dup2(file.fileno(), number)
    sys.stdout = sys.stderr = os.fdopen(1, "w", buffering=1, closefd=False)
    warnings.simplefilter("ignore")
    options = argparse.ArgumentParser()
    options.add_argument("state", type=Path)
    options.add_argument("--once", action="store_true")
    options.add_argument("--slots", type=int, default=3)
    options.add_argument("--shards", type=int, default=3)
    options.add_argument("--for", dest="duration", type=float, default=math.inf, help="seconds until it ends")
    options.add_argument("--seconds", type=float, default=0.05, help="mean length of a stage")
    options.add_argument("--tries", type=int, default=3)
    options.add_argument("--free-mib", type=int, default=0, help="below so much room nothing is begun")
    options.add_argument("--version", default=engine.VERSION, help="of the flow")
    options.add_argument("--devices", type=Path, default=flow.DEVICES, help="what stands for the PCI devices")
    options.add_argument("--poll", type=float, default=0.1, help="seconds between two looks")
    options.add_argument("--share", type=float, default=1.0, help="seconds for which an attempt keeps its slot")
    options.add_argument("--broken", action="store_true", help="every stage fails at once")
    options.add_argument("--act", default="", metavar="POINT:N:SIGNAL")
    asked = options.parse_args(words)
    config = replace(
        load_config(asked.state),
        slots=asked.slots,
        shards=asked.shards,
        retries=Retries(attempts=asked.tries, delay_seconds=0.05),
        free_bytes=asked.free_mib * MIB,
        stop_seconds=5,
    )
    log_to(sys.stdout)
    shared, depot = open_depot(asked.state, config.shared)
    jump_with(shared / CLOCK)
    for module in (engine, daemon, takeover):
        module.VERSION = asked.version
    if asked.act:
        point, passing, name = asked.act.split(":")
        act_at(point, int(passing), signal.Signals[f"SIG{name}"])
    store, executor = open_store(asked.state, config.database), new_executor(config.host)
    context = flow_context(
        store,
        shared,
        executor,
        depot=depot,
        runner=ScriptedRunner(shared=shared, seconds=asked.seconds, host=asked.state.name, broken=asked.broken),
        config=config,
        receipts=Registry(asked.state),
        engine=Engine(store.database, executor, asked.poll, gpus=bool(config.gpus)),
        poll_seconds=asked.poll,
        share_seconds=asked.share,
        devices=asked.devices,
    )
    running = Daemon(asked.state, context, seconds=asked.duration)
    handle_signals(running)
    try:
        ended = running.run(once=asked.once)
    except EvaluateError as e:
        print(f"evaluate: {e}", flush=True)
        os._exit(e.exit_code)
    if not ended:
        sys.stdout.flush()
        os._exit(0)
