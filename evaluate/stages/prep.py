"""prep: is the entry complete, can its dependencies be had, does its ``setup.sh`` succeed?

The archive is only listed on the host.  It is unpacked in the guest, by a program of ours that runs with no
more rights than the entry's own.
"""

from __future__ import annotations

from evaluate.errors import EntryError
from evaluate.intake import inspect, parse_answers
from evaluate.model import MIB, Limits, Run, Stage, StageResult, Usage, Verdict
from evaluate.resources import data_folder
from evaluate.sandbox.base import HOME, Command, Machine
from evaluate.stages.job import Job, PreparedEntry

_UNPACK_LIMITS = Limits(instructions=10**13, wall_seconds=1800, memory_bytes=512 * MIB, processes=8, output_bytes=MIB)
"""Ours, not the entry's: what bounds it is the size the intake allows."""


def prep(job: Job) -> tuple[StageResult, PreparedEntry | None]:
    """Check, install, unpack, set up; the prepared entry if all went well."""
    try:
        job.monitor.step("checking the archive")
        listing = inspect(job.entry.archive, job.challenge)
        answers = listing.read(job.challenge.answers.file, job.challenge.archive.text_bytes)
        expected = parse_answers(answers, job.challenge.answers.labels)
        job.monitor.step("installing dependencies")
        dependencies = listing.read("dependencies.txt", job.challenge.archive.text_bytes)
        layer = job.build_layer(dependencies)
    except EntryError as e:
        return StageResult(stage=Stage.PREP, verdict=Verdict.INVALID_ENTRY, message=str(e)), None
    layers = [layer] if layer is not None else []
    machine = Machine(image=job.image, layers=layers, entry=job.entry.archive, sizes=job.challenge.sizes)
    job.monitor.step("booting the virtual machine")
    with job.hypervisor.boot(machine) as sandbox:
        job.monitor.step("unpacking the entry")
        program = (data_folder("vm_images") / "guest" / "unpack.py").read_text()
        unpacked = sandbox.run(
            Command(
                argv=(
                    *("/usr/bin/python3", "-I", "-S", "-c", program),
                    *(listing.kind, str(job.entry.size), listing.prefix),
                ),
                stdin_entry=True,
                keep=True,
            ),
            _UNPACK_LIMITS,
        )
        if unpacked.verdict is not Verdict.OK:
            return _failed("the archive cannot be unpacked", unpacked, Verdict.INVALID_ENTRY), None
        job.monitor.step("running setup.sh")
        limits = job.challenge.limits["setup"]
        setup = sandbox.run(Command(argv=("/bin/bash", "setup.sh"), keep=True), limits)
        if setup.verdict is not Verdict.OK:
            return _failed("setup.sh", setup, setup.verdict), None
        job.monitor.step("keeping the prepared disks")
        disks = sandbox.freeze(job.folder)
    result = StageResult(stage=Stage.PREP, verdict=Verdict.OK, message=_notes(unpacked), usage=setup.usage)
    return result, PreparedEntry(listing=listing, layers=layers, disks=disks, expected=expected)


def _failed(what: str, run: Run, verdict: Verdict) -> StageResult:
    usage = run.usage if what == "setup.sh" else Usage()
    return StageResult(
        stage=Stage.PREP,
        verdict=verdict,
        message=f"{what}: {run.detail}" if what == "setup.sh" else f"{what}: {_last_line(run)}",
        usage=usage,
        diagnostics=diagnostics(run),
    )


def _last_line(run: Run) -> str:
    lines = run.stderr.decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else run.detail


def _notes(unpacked: Run) -> str:
    """What the unpacking program had to mend, one line each."""
    return unpacked.stdout.decode(errors="replace").strip()


def diagnostics(run: Run) -> str:
    """What a command printed, as the team gets to see it."""
    parts = []
    for name, data in (("standard output", run.stdout), ("standard error", run.stderr)):
        text = data.decode(errors="replace").strip()
        if text:
            parts.append(f"{name}:\n{text}")
    return "\n".join(parts)


__all__ = ["HOME", "diagnostics", "prep"]
