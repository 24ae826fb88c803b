"""A bundle: everything that is needed to evaluate an entry again in ten years, as one OCI image layout.

The layout is a folder of content-addressed blobs (OCI image specification 1.1), whose manifest has the artifact type
`ARTIFACT` and names every file in the annotation ``org.opencontainers.image.title``, as ORAS does.  Registries take it
as it is.

    entry/NAME                       the archive
    challenge/NAME/…                 rules, quiz and layers of the challenge; of an open exam that and the metric too
    receipt/…                        the receipt with its proof, and the server's public keys
    images/IMAGE-DIGEST/…            the built image; its manifest has the lock of all its packages
    recipe/…                         what it was built from
    layers/…                         the entry's dependencies
    code/….whl                       this program
"""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
import os
import re
import shutil
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

import evaluate
from evaluate import __version__
from evaluate.challenge.load import FILE
from evaluate.challenge.records import RECORDS
from evaluate.challenge.types import Challenge, RecordSet
from evaluate.confine.ownership import set_mode
from evaluate.core.errors import UsageError
from evaluate.core.files import publish, sha256_file
from evaluate.core.json_text import parsed
from evaluate.core.resources import data_folder

ARTIFACT = "application/vnd.sandbox-evaluate.bundle.v1"
_MANIFEST = "application/vnd.oci.image.manifest.v1+json"
_EMPTY = "application/vnd.oci.empty.v1+json"
_TITLE = "org.opencontainers.image.title"
_CREATED = "1980-01-01T00:00:00Z"
_BYTES = "application/octet-stream"
_DATA = ("challenges", "vm_images", "tests/hostile")
_DISTRIBUTION = "sandbox_evaluate"


@dataclass(frozen=True, kw_only=True)
class Bundle:
    """A bundle whose every blob has the digest that it is named by."""

    folder: Path
    digest: str
    """``sha256:…`` of the manifest: of everything."""
    files: Mapping[str, Path]
    """Name in the bundle -> blob."""

    def below(self, name: str) -> dict[str, Path]:
        """The files of a folder of the bundle, by their paths in it."""
        start = f"{name}/"
        return {path.removeprefix(start): blob for path, blob in self.files.items() if path.startswith(start)}

    def unpack(self, name: str, target: Path) -> None:
        """Copy a folder of the bundle to a new folder."""
        for path, blob in self.below(name).items():
            place = target / path
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(blob, place)


def write_bundle(folder: Path, files: Mapping[str, Path | bytes]) -> str:
    """Write a bundle into a new folder; returns its digest. Raises UsageError if the folder is not empty."""
    if folder.exists() and any(folder.iterdir()):
        raise UsageError(f"{folder}: expected a new or empty folder; nothing was written")
    blobs = folder / "blobs" / "sha256"
    blobs.mkdir(parents=True, exist_ok=True)
    layers = []
    for name, source in sorted(files.items()):
        data = source if isinstance(source, bytes) else None
        digest = hashlib.sha256(data).hexdigest() if data is not None else sha256_file(Path(str(source)))
        place = blobs / digest
        if not place.exists():
            place.write_bytes(data) if data is not None else shutil.copyfile(Path(str(source)), place)
        layers.append({**_descriptor(_BYTES, digest, place.stat().st_size), "annotations": {_TITLE: name}})
    (blobs / hashlib.sha256(b"{}").hexdigest()).write_bytes(b"{}")
    manifest = {
        "schemaVersion": 2,
        "mediaType": _MANIFEST,
        "artifactType": ARTIFACT,
        "config": {**_descriptor(_EMPTY, hashlib.sha256(b"{}").hexdigest(), 2), "data": "e30="},
        "layers": layers,
        "annotations": {"org.opencontainers.image.created": _CREATED},
    }
    text = json.dumps(manifest, indent=1).encode()
    digest = hashlib.sha256(text).hexdigest()
    (blobs / digest).write_bytes(text)
    index = {
        "schemaVersion": 2,
        "manifests": [{**_descriptor(_MANIFEST, digest, len(text)), "artifactType": ARTIFACT}],
    }
    (folder / "oci-layout").write_text(json.dumps({"imageLayoutVersion": "1.0.0"}))
    (folder / "index.json").write_text(json.dumps(index, indent=1))
    return f"sha256:{digest}"


def _descriptor(kind: str, digest: str, size: int) -> dict[str, Any]:
    return {"mediaType": kind, "digest": f"sha256:{digest}", "size": size}


def read_bundle(folder: Path) -> Bundle:
    """A bundle, every byte of which is checked.

    Raises UsageError if it is none, or a blob is missing or was changed; it is named.
    """
    try:
        (found,) = parsed((folder / "index.json").read_bytes())["manifests"]
        manifest = parsed(_blob(folder, found).read_bytes())
        if manifest["artifactType"] != ARTIFACT:
            raise ValueError(manifest["artifactType"])
        files = {one["annotations"][_TITLE]: _blob(folder, one) for one in manifest["layers"]}
    except (OSError, ValueError, KeyError, TypeError) as e:
        raise UsageError(f"{folder}: expected a bundle (evaluate bundle ID), found something else: {e}") from e
    wrong = [name for name in files if name.startswith("/") or ".." in Path(name).parts]
    if wrong:
        raise UsageError(f"{folder}: {wrong[0]!r} is no name of a file in a bundle")
    return Bundle(folder=folder, digest=found["digest"], files=files)


def _blob(folder: Path, descriptor: Mapping[str, Any]) -> Path:
    kind, _, digest = str(descriptor["digest"]).partition(":")
    if kind != "sha256" or not digest.isalnum():
        raise ValueError(f"digest {descriptor['digest']}")
    path = folder / "blobs" / "sha256" / digest
    name = descriptor.get("annotations", {}).get(_TITLE, "the manifest")
    if not path.is_file():
        raise UsageError(f"{folder}: {name} is missing: {path.name}")
    if (now := sha256_file(path)) != digest:
        raise UsageError(f"{folder}: {name} was changed: expected SHA-256 {digest}, found {now}")
    return path


def open_parts(challenge: Challenge) -> Iterator[tuple[str, Path]]:
    """The files of a challenge that a bundle has, by their paths in its folder: those named here, and no others.

    Rules, README, organisers' layers and images, what belongs to quiz and public training; of an open challenge also
    the exam and the metric.  Whatever else lies in the folder (a sample entry, programs that make data, old copies) is
    not needed to evaluate an entry again, and may say what is hidden.  Raises UsageError if the records of its quiz, or
    for training, are elsewhere, so they would not be in the bundle; or references of its quiz name records of the
    hidden exam.
    """
    base, quiz, exam = challenge.folder.resolve(), challenge.quiz, challenge.exam
    if not quiz.folder.resolve().is_relative_to(base):
        raise UsageError(f"{challenge.name}: the records of its quiz are outside its folder, in {quiz.folder}")
    named = [challenge.folder / FILE, challenge.folder / "README.md", *challenge.layers, *_parts(quiz)]
    named += challenge.base_images.values()
    if challenge.train is not None and not challenge.train.records.hidden:
        train = challenge.train.records
        if not train.folder.resolve().is_relative_to(base):
            raise UsageError(f"{challenge.name}: its training records are outside its folder, in {train.folder}")
        named += [*_parts(train), *(train.folder / name for name in challenge.train.files)]
    if challenge.scorer is not None:
        if exam.hidden:
            raise UsageError(f"{challenge.name}: its scorer may say what is hidden, so there is no bundle of it")
        named += [*_below(challenge.scorer.files), *_below(one.input_data for one in (quiz, exam) if one.input_data)]
    if not exam.hidden:
        metric = Path(challenge.metric)
        named += [*_parts(exam), *([metric] if metric.suffix == ".py" else [])]
    found = sorted({path for path in named if path.is_file() and path.resolve().is_relative_to(base)})
    if exam.hidden:
        _refuse_hidden(challenge, found)
    for path in found:
        yield path.resolve().relative_to(base).as_posix(), path


def _below(places: Iterable[Path]) -> Iterator[Path]:
    """The files of files and folders."""
    for place in places:
        yield from place.rglob("*") if place.is_dir() else [place]


def _parts(records: RecordSet) -> Iterator[Path]:
    """The list, the inputs and the references of a set of records."""
    yield records.folder / RECORDS
    for record in records.records:
        yield from records.files(record).values()
    if records.references is not None:
        whole = records.references
        yield from (path for path in (whole.rglob("*") if whole.is_dir() else [whole]) if _is_of(path, records))


def _is_of(path: Path, records: RecordSet) -> bool:
    """Whether a file of references is that of a record of the set, or is for all of them."""
    if path == records.references:
        return True
    assert records.references is not None
    parts = path.relative_to(records.references).as_posix()
    return any(re.search(rf"(?<![A-Za-z0-9]){re.escape(record)}(?![A-Za-z0-9])", parts) for record in records.records)


def _refuse_hidden(challenge: Challenge, found: Sequence[Path]) -> None:
    """Refuse a bundle that would have a file of the hidden exam, or a list of the quiz that names its records."""
    quiz, exam = challenge.quiz, challenge.exam
    only = set(exam.records) - set(quiz.records)
    secret = {path.resolve() for record in only for path in exam.files(record).values()}
    secret |= {exam.references.resolve()} if exam.references is not None else set()
    lists = {quiz.folder / RECORDS, quiz.references}
    for path in found:
        words = path.read_text(errors="replace") if path in lists else ""
        record = next((record for record in only if re.search(rf"(?<!\w){re.escape(record)}(?!\w)", words)), None)
        if record is not None or path.resolve() in secret:
            what = f"names record {record} of the hidden exam" if record else "belongs to the hidden exam too"
            raise UsageError(f"{path}: {what}; keep the quiz and the exam in folders and files of their own")


def program_wheel() -> tuple[str, bytes]:
    """Name and content of a wheel of this program as it is installed here; the same files give the same bytes."""
    package = Path(evaluate.__file__).parent
    import metrics  # noqa: PLC0415

    sources = {f"evaluate/{name}": path for name, path in _tree(package) if not name.startswith("_data/")}
    sources |= {f"metrics/{name}": path for name, path in _tree(Path(metrics.__file__).parent)}
    for data in _DATA:
        sources |= {f"evaluate/_data/{data}/{name}": path for name, path in _tree(data_folder(data))}
    about = f"{_DISTRIBUTION}-{__version__}.dist-info"
    texts = {f"{about}/WHEEL": "Wheel-Version: 1.0\nGenerator: evaluate\nRoot-Is-Purelib: true\nTag: py3-none-any\n"}
    try:
        installed = distribution("sandbox-evaluate")
        texts |= {f"{about}/{name}": installed.read_text(name) or "" for name in ("METADATA", "entry_points.txt")}
    except PackageNotFoundError as e:
        raise UsageError("this program is not installed, so its dependencies are not known: pip install it") from e
    content = {name: path.read_bytes() for name, path in sources.items()}
    content |= {name: text.encode() for name, text in texts.items()}
    record = io.StringIO()
    rows = csv.writer(record, lineterminator="\n")
    for name, held in sorted(content.items()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(held).digest()).rstrip(b"=").decode()
        rows.writerow([name, f"sha256={digest}", len(held)])
    rows.writerow([f"{about}/RECORD", "", ""])
    content[f"{about}/RECORD"] = record.getvalue().encode()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, held in sorted(content.items()):
            archive.writestr(zipfile.ZipInfo(name), held, zipfile.ZIP_DEFLATED)
    return f"{_DISTRIBUTION}-{__version__}-py3-none-any.whl", packed.getvalue()


def _tree(folder: Path) -> Iterator[tuple[str, Path]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(folder).as_posix(), path


def install(bundle: Bundle, state: Path) -> None:
    """Put the image and the layers of a bundle into a state directory, unless they are there."""
    for kind in ("images", "layers"):
        parent = state / kind
        parent.mkdir(parents=True, exist_ok=True)
        for top in sorted({name.partition("/")[0] for name in bundle.below(kind)}):
            if (parent / top).exists():
                continue
            part = parent / f".bundle-{os.getpid()}-{top}"
            below = bundle.below(f"{kind}/{top}")
            if below:
                part.mkdir(mode=0o755)
                bundle.unpack(f"{kind}/{top}", part)
            else:
                shutil.copyfile(bundle.files[f"{kind}/{top}"], part)
                set_mode(part, 0o644)
            publish(part, parent / top)
