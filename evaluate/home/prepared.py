"""Prepared entries that earlier tries left, so that setup runs once for an archive; for tries at home only."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from cattrs import BaseValidationError

from evaluate.confine.ownership import remove_tree
from evaluate.core.codec import from_json, to_json
from evaluate.core.files import exclusive, publish, sha256_file, sha256_kept
from evaluate.core.model import StageOutcome, Verdict
from evaluate.sandbox.base import Prepared
from evaluate.stages.contracts import contract_of
from evaluate.stages.job import Job
from evaluate.stages.prep import PREPARED, load_prepared, prep

NOTE = "prepared by an earlier try of the same archive; --no-cache prepares it again"
_OUTCOME = "outcome.json"
_MOST = 3
"""Prepared entries that are kept, the newest."""
_VERSION = 2
_PART = ".part-"


class PreparedEntries:
    """Prepared entries of a state directory."""

    def __init__(self, state: Path) -> None:
        self._folder = state / "cache" / "prepared"

    def prep(self, job: Job) -> StageOutcome:
        """`evaluate.stages.prep.prep`, or what it left for the same archive, challenge, image and machine."""
        key = _key(job)
        if key is None:
            return prep(job)
        target = self._folder / key
        with suppress(OSError), self._alone():
            if (earlier := _take(target, job.folder)) is not None:
                return earlier
        outcome = prep(job)
        if outcome.result.verdict is Verdict.OK:
            with suppress(OSError), self._alone():  # a full disk ends no try
                self._keep(target, job.folder, outcome)
        return outcome

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """No other try keeps, takes or removes anything meanwhile: what one copies is whole, and of one preparation."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with exclusive(self._folder.with_suffix(".lock")):
            yield

    def _keep(self, target: Path, folder: Path, outcome: StageOutcome) -> None:
        for left in self._folder.glob(f"{_PART}*"):
            remove_tree(left)  # by a try that was killed
        with tempfile.TemporaryDirectory(prefix=_PART, dir=self._folder) as scratch:
            made = Path(scratch) / "made"
            made.mkdir()
            files = [name for name in _names() if (folder / name).is_file()]
            for name in files:
                shutil.copyfile(folder / name, made / name)
            manifest = {"outcome": to_json(outcome), "bytes": {name: (made / name).stat().st_size for name in files}}
            (made / _OUTCOME).write_text(json.dumps(manifest))
            remove_tree(target)
            publish(made, target)
        kept = [path for path in self._folder.iterdir() if not path.name.startswith(".")]
        for old in sorted(kept, key=lambda path: path.stat().st_mtime, reverse=True)[_MOST:]:
            remove_tree(old)


def _names() -> tuple[str, ...]:
    disks = Prepared.left_in(Path())
    return PREPARED, disks.root.name, disks.home.name


def _key(job: Job) -> str | None:
    """Return the digest of all that the result of prep depends on; None where nothing runs."""
    if job.hypervisor is None or job.image is None:
        return None
    rules = job.challenge
    parts = to_json(job.hypervisor.parts(job.image))
    limits = to_json(rules.limits.get("setup"))
    settings = [rules.name, limits, to_json(rules.sizes), [str(layer) for layer in rules.layers], to_json(rules.run)]
    files = [rules.required_files, rules.wanted_files, rules.answers.file, rules.answers.labels]
    organisers = {
        name: sha256_file(content) if isinstance(content, Path) else hashlib.sha256(content).hexdigest()
        for name, content in contract_of(rules).files.items()
    }
    settings += [to_json(rules.dockerfile), {name: sha256_kept(path) for name, path in rules.base_images.items()}]
    words = [organisers, _VERSION, job.trial.packed_here, job.entry.sha256, job.kind.value, parts, settings, files]
    return hashlib.sha256(json.dumps(words, default=str, sort_keys=True).encode()).hexdigest()[:32]


def _take(kept: Path, folder: Path) -> StageOutcome | None:
    """Copy what is kept into the folder of a job, if it is whole and its layers are still there."""
    try:
        manifest = json.loads((kept / _OUTCOME).read_bytes())
        outcome = from_json(StageOutcome, manifest["outcome"])
        if any((kept / name).stat().st_size != size for name, size in manifest["bytes"].items()):
            return None
        if not all(layer.is_file() for layer in load_prepared(kept).payload.layers):
            return None
        for name in manifest["bytes"]:
            shutil.copyfile(kept / name, folder / name)
            (folder / name).chmod(0o444)
    except (OSError, ValueError, KeyError, TypeError, BaseValidationError):
        return None
    message = "\n".join(filter(None, (outcome.result.message, NOTE)))
    return replace(outcome, result=replace(outcome.result, message=message))
