"""Guests through libvirt: booted, or restored from a saved machine, and destroyed whatever happens.

Theory of operation.  A guest is a transient domain started with AUTODESTROY on this process's connection:
when the process dies, however it dies, libvirt destroys the domain.  If libvirt itself dies in between, the
domain remains, with our prefix and, in its metadata, the path of the lock that its creator held; `LibvirtHypervisor`
destroys such domains when it starts.  Inside this process a guest exists exactly as long as the context that
`boot` returns.  It is destroyed, not shut down: the guest is hostile and may ignore ACPI.

QEMU never runs as root.  Under the system's libvirt each guest has a user of its own, to whom the guest's run folder is
open and no other; under a user's own libvirt all run as that user.  It sees only the files of the run folder and
read-only images of the state directory.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

from evaluate.core.errors import BootFault, SandboxFault
from evaluate.core.files import sha256_file, sha256_kept
from evaluate.core.model import CounterInfo, Limits, MachineParts, Run
from evaluate.counters.base import Counter
from evaluate.images.image import Image
from evaluate.sandbox.base import Command, CommandRunner, Machine, host_faults
from evaluate.sandbox.connection import connect, default_uri, library_version, sweep
from evaluate.sandbox.domain import KERNEL_LINE, QEMU, qemu_version
from evaluate.sandbox.guest import BOOT_SECONDS, place_of
from evaluate.sandbox.memory_medium import SealedMemory
from evaluate.sandbox.run_folders import RunFolders
from evaluate.sandbox.running import LibvirtSandbox, NotLoaded, Rooms, showing_console
from evaluate.sandbox.snapshots import Snapshot, Snapshots
from evaluate.sandbox.starting import Starter, cores, turn

_FORMAT = 9
"""Version of the format of snapshots: increased when the same machine is saved in another way."""


class LibvirtHypervisor:
    """Boots and destroys guests.

    Under emulation all but those of unusual machines start from a saved one; KVM boots as quickly.
    """

    def __init__(
        self,
        *,
        state: Path,
        counter: Counter,
        accelerator: str,
        boot_seconds: float = BOOT_SECONDS,
        attempts: int = 2,
        say: Callable[[str], None] = lambda _: None,
        after_room: Callable[[Path], None] = lambda _: None,
    ) -> None:
        """Connect to libvirt, and remove what dead supervisors left.

        ``after_room``: gets the folder of each guest of `rooms` when its command has ended.
        """
        self._boot_seconds = boot_seconds
        self._attempts = attempts
        self._state = state
        self._calibrations: list[CounterInfo] = []
        self._counter = counter
        self._accelerator = accelerator
        self.runs = RunFolders(state / "runs")
        """Parent of the folders of guests and evaluations."""
        self._snapshots = Snapshots(state / "snapshots")
        self._say = say
        self._after_room = after_room
        self._connection = connect(default_uri())
        self._starter = Starter(self._connection, state, self.runs, counter, accelerator)
        self.swept = sweep(self._connection, self.runs)
        """Names of domains and folders of dead supervisors that were removed."""

    @property
    def accelerator(self) -> str:
        """``kvm`` or ``tcg``."""
        return self._accelerator

    @property
    def counter(self) -> CounterInfo | None:
        return max(self._calibrations, key=lambda c: abs(c.calibration_error), default=None)

    @contextmanager
    def boot(self, machine: Machine) -> Iterator[LibvirtSandbox]:
        """A guest that does not boot is started once more."""
        for attempt in range(self._attempts):
            with ExitStack() as stack:
                try:
                    with turn(self._state / "boots", cores()):
                        sandbox = self._boot(machine, stack)
                except SandboxFault:
                    if attempt + 1 == self._attempts:
                        raise
                    continue
                yield sandbox
                return

    def _boot(self, machine: Machine, stack: ExitStack, *, to_save: bool = False) -> LibvirtSandbox:
        """A guest that has been greeted: from the saved machine of its image if possible, else by a cold boot."""
        if self._accelerator == "tcg" and machine.can_be_saved:
            key = _digest(self._facts(machine))
            try:
                sandbox = self._restored(machine, key, stack, to_save=to_save)
                if sandbox is not None:
                    return sandbox
            except SandboxFault as e:
                self._snapshots.discard(key)
                self._say(f"the saved machine of the image is unusable, so this guest boots: {e}")
        return self._cold(machine, stack, to_save=to_save)

    def _restored(
        self, machine: Machine, key: str, stack: ExitStack, *, to_save: bool = False
    ) -> LibvirtSandbox | None:
        """A guest from the saved machine of its image, greeted; None if that was removed meanwhile."""
        self._save_image(machine, key)
        with ExitStack() as restored:
            saved = restored.enter_context(self._snapshots.using(key))
            if saved is None:
                return None
            sandbox = self._starter.restore(machine, saved, restored, shared=to_save, alone=to_save)
            sandbox.resume()
            sandbox.guest.greet(machine, self._boot_seconds)
            self._calibrations.append(sandbox.counter)
            stack.push(restored.pop_all())
        return sandbox

    def _cold(self, machine: Machine, stack: ExitStack, *, to_save: bool = False) -> LibvirtSandbox:
        sandbox = self._starter.boot(machine, stack, to_save=to_save)
        with showing_console(sandbox.folder, BootFault):
            sandbox.guest.greet(machine, self._boot_seconds)
            sandbox.guest.calibrate()
        self._calibrations.append(sandbox.counter)
        return sandbox

    @host_faults("saving the machine of an image")
    def _save_image(self, machine: Machine, key: str) -> None:
        """Make the saved machine of an image if there is none: booted, calibrated, without disks of anybody."""
        with self._snapshots.making(key):
            with self._snapshots.using(key) as snapshot:
                if snapshot is not None:
                    return
            self._say("booting the image once, to save it: later guests start from there")
            with ExitStack() as stack:
                bare = Machine(
                    image=machine.image, sizes=machine.sizes, exact=machine.exact, answers_bytes=machine.answers_bytes
                )
                sandbox = self._cold(bare, stack, to_save=True)
                sandbox.guest.rest()
                kept = self._folder_to_save_in(stack)
                self._snapshots.publish(key, kept, sandbox.save(kept))

    @contextmanager
    def rooms(self, machine: Machine, sample: Command, limits: Limits) -> Iterator[CommandRunner]:
        if not machine.can_be_saved:
            raise SandboxFault("a machine with GPUs, a licence server or many layers cannot be saved")
        # time passes with the executed instructions; with several processors, each waits for the others by its time
        machine = replace(machine, exact=self._accelerator == "tcg" and machine.sizes.processors == 1)
        key = self._key_of_entry(machine, sample, limits)
        with ExitStack() as stack:
            for attempt in range(self._attempts):
                try:
                    with turn(self._state / "boots", cores()):
                        failed = self._save_entry(machine, key, sample, limits)
                    if failed is not None:
                        break
                    saved = stack.enter_context(self._snapshots.using(key))
                    if saved is None:
                        raise SandboxFault(f"the snapshot {key} was removed before it was used")
                    break
                except SandboxFault as e:
                    self._snapshots.discard(key)
                    if attempt + 1 == self._attempts:
                        raise
                    self._say(f"the saved machine of the entry is made again: {e}")
            if failed is not None:
                yield NotLoaded(failed, self._calibrations[-1])
                return
            assert saved is not None
            counter = CounterInfo(kind=self._counter.kind, calibration_error=saved.guest.error)
            self._calibrations.append(counter)
            sealed = self._sealed(saved, machine, stack)
            rooms = Rooms(partial(self._room, machine, saved, sealed), counter, self._after_room)
            stack.callback(rooms.close)
            yield rooms

    @host_faults("copying the memory of a saved machine")
    def _sealed(self, saved: Snapshot, machine: Machine, stack: ExitStack) -> SealedMemory | None:
        """Return the memory that all rooms of a saved machine map; None where each has a copy."""
        if not machine.exact or not self._starter.hands_memory_over:
            return None
        return stack.enter_context(closing(SealedMemory(saved.memory)))

    def _room(self, machine: Machine, saved: Snapshot, sealed: SealedMemory | None, stack: ExitStack) -> LibvirtSandbox:
        """A guest that is paused until its only command comes."""
        sandbox = self._starter.restore(machine, saved, stack, alone=True, gated=machine.exact, sealed=sealed)
        if sandbox.gate is not None:
            sandbox.reach(sandbox.gate)
        return sandbox

    @host_faults("saving the machine of an entry")
    def _save_entry(self, machine: Machine, key: str, sample: Command, limits: Limits) -> Run | None:
        """Make the saved machine of a prepared entry if there is none: it has answered the sample once, or is loaded.

        Returns how a server ended that could not be loaded.
        """
        with self._snapshots.making(key):
            with self._snapshots.using(key) as snapshot:
                if snapshot is not None:
                    return None
            with ExitStack() as stack:
                sandbox = self._boot(machine, stack, to_save=True)
                if not sample.inbox:
                    sandbox = self._warmed_up(sandbox, machine, stack, sample, limits)
                elif (failed := sandbox.load(sample, limits)) is not None:
                    return failed
                kept = self._folder_to_save_in(stack)
                order = None if sample.inbox or sample.mounts else place_of(sample, limits)
                facts = sandbox.save(kept, ("root", "home", "tmp"), awaits_order=machine.exact, order=order)
                trial = Snapshot(folder=kept, guest=facts)
                with ExitStack() as trying:
                    room = self._room(machine, trial, self._sealed(trial, machine, trying), trying)
                    if machine.exact and not sample.inbox:
                        overhead = room.guest.calibrate_at_once(sample, limits, room.ordered(sample))
                        facts = replace(facts, overhead_at_once=overhead)
                self._snapshots.publish(key, kept, facts)
                return None

    def _warmed_up(
        self, sandbox: LibvirtSandbox, machine: Machine, stack: ExitStack, sample: Command, limits: Limits
    ) -> LibvirtSandbox:
        """The guest, or another one if it cannot be used any more, after a sample."""
        sandbox.lend(sample.medium)
        sandbox.run(sample, limits)
        if not sandbox.guest.is_usable:
            sandbox = self._boot(machine, stack, to_save=True)
        sandbox.lend(None)
        return sandbox

    def _key_of_entry(self, machine: Machine, sample: Command, limits: Limits) -> str:
        prepared = machine.prepared
        frozen = [path for disks in (prepared.chain if prepared else ()) for path in (disks.root, disks.home)]
        return _digest(
            {
                **self._facts(machine),
                "layers": [sha256_kept(layer) for layer in machine.layers],
                "prepared": [sha256_file(path) for path in frozen],
                # two teams never share a snapshot, even if all of this is the same
                "folder": str(prepared.root.parent) if prepared else machine.owner,
                "container": machine.container,
                "place": asdict(place_of(sample, limits)),
                "server": sample.inbox and [*sample.argv, sample.cwd, sorted(sample.env.items())],
            }
        )

    def _facts(self, machine: Machine) -> dict[str, Any]:
        """Everything that a saved machine of an image depends on."""
        return {
            "format": _FORMAT,
            "parts": asdict(self.parts(machine.image)),
            "sizes": asdict(machine.sizes),
            "exact": machine.exact,
            "answers": machine.answers_bytes,
        }

    def parts(self, image: Image) -> MachineParts:
        """All that may change a count, besides disks and their sizes."""
        program = shutil.which(QEMU)
        return MachineParts(
            image=image.digest,
            agent=image.agent,
            kernel_line=KERNEL_LINE,
            qemu=qemu_version(),
            qemu_sha256=sha256_kept(Path(program)) if program else "",
            libvirt=library_version(),
            accelerator=self._accelerator,
            cpu_model=image.cpu_model,
            cpu_disabled=tuple(image.cpu_disabled),
            counter=self._counter.kind,
            counter_version=self._counter.version,
            tolerance=self._counter.tolerance,
        )

    def _folder_to_save_in(self, stack: ExitStack) -> Path:
        return stack.enter_context(self.runs.new("saved")) / "saved"


def _digest(facts: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:32]
