"""Every parser of untrusted bytes, with valid examples to start from and the errors it may raise."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import os
import shutil
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import IO

import numpy as np
import scipy.io
from PIL import Image

import metrics
from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.load import read_challenge
from evaluate.config.challenge.types import BaseImage
from evaluate.confine.delivery import Delivery, send, sending
from evaluate.core.errors import ChallengeError, EntryError, SandboxFault
from evaluate.core.files import data_folder
from evaluate.protocol.frames import Frame, FrameError, FrameReader, FrameWriter
from evaluate.stages.contracts.base import without_comments
from evaluate.untrusted.answers_disk import read_answers_disk, read_json_values
from evaluate.untrusted.archives import (
    answer_for,
    context_digest,
    find_secrets,
    parse_answers,
    parse_model,
    sklearn_version,
    sklearn_versions,
)
from evaluate.untrusted.container import merge_image, program_of
from evaluate.untrusted.dependencies import parse_dependencies
from evaluate.untrusted.dockerfile import ImagePlan, translate
from evaluate.untrusted.listing import (
    ArchiveRules,
    check_directory,
    extract_members,
    is_container,
    list_archive,
    read_member,
)
from evaluate.untrusted.mirror_proxy import NotPassedOn, read_request
from evaluate.untrusted.oci import MODEL, read_image, unpack_blob, unpack_layer
from evaluate.untrusted.repository import parse_tree
from evaluate.untrusted.requirements import loosened, parse_requirements
from evaluate.untrusted.tar import is_compressed, most_unpacked, open_plain, open_tar
from evaluate.untrusted.wheel_files import built_for_numpy_1, unpack_wheels
from metrics.challenges import kits23, mlperf_kits19
from metrics.readers.cases import Case
from metrics.readers.references import load_lesions
from tests.benchmarks import _inputs as inputs
from tests.fuzz import mutation
from tests.fuzz.mutation import Mend
from tests.support import oci_images
from tests.support.volume_files import nifti_bytes

OF_METRICS: tuple[type[Exception], ...] = (metrics.AnswerError, metrics.ReferenceDataError)
OF_EVALUATE: tuple[type[Exception], ...] = (EntryError, ChallengeError, SandboxFault, FrameError)
CINC = load_challenge("cinc2017")


@dataclass(frozen=True, kw_only=True)
class Parser:
    """What is fuzzed."""

    seeds: Callable[[], list[bytes]]
    run: Callable[[bytes, Path], object]
    """Called with the bytes and an empty folder."""
    allowed: tuple[type[Exception], ...] = OF_METRICS
    large_bytes: int = 18 << 20
    """Of the largest examples: more than the bound of every text file."""
    mend: Mend | None = None
    """Corrects checksums; applied to most changed examples."""
    over: Callable[[bytes], bool] = lambda _: False
    """Called first: whether nothing more becomes of these bytes."""
    change: Callable[[Random, Sequence[bytes], Mend | None], bytes] = mutation.changed
    of: tuple[Callable[..., object], ...] = ()
    """The public functions of `evaluate.untrusted` that get the bytes; a test checks that none is forgotten."""


def file(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def both_rules(metric: str, references: Path, answers: Path, **options: object) -> None:
    """Both must succeed or raise an allowed error; the second is tried even if the first rejects."""
    first: Exception | None = None
    for rules in ("official", "corrected"):
        try:
            metrics.get(metric).score(references, answers, rules=rules, **options)  # type: ignore[arg-type]
        except OF_METRICS as e:
            first = e
    if first is not None:
        raise first


LINES = b"A1,N\nA2,A\r\nA3,O\nA4,~"


def cinc_answers(data: bytes, folder: Path) -> None:
    both_rules("cinc2017", file(folder, "R.csv", LINES), file(folder, "answers.txt", data))


def cinc_references(data: bytes, folder: Path) -> None:
    both_rules("cinc2017", file(folder, "R.csv", data), file(folder, "answers.txt", LINES))


def of_record(inputs_: dict[str, bytes], name: str) -> Callable[[bytes, Path], None]:
    """CPSC 2021 with one of a record's files replaced."""

    def run(data: bytes, folder: Path) -> None:
        for part, content in {**inputs_, name: data}.items():
            file(folder, part, content)
        both_rules("cpsc2021", folder / "references", folder / "answers")

    return run


def cpsc_files() -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        inputs.episodes(folder, 1, minutes=1)
        found = {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("data_*")}
    return found


CPSC = cpsc_files()
MAT = io.BytesIO()
scipy.io.savemat(MAT, {"predict_endpoints": np.array([[10.0, 400.0], [900.0, 2000.0]])}, do_compression=True)
PLAIN_MAT = io.BytesIO()
scipy.io.savemat(PLAIN_MAT, {"predict_endpoints": np.array([[10, 400]], np.int32)})


def cpsc_mat(data: bytes, folder: Path) -> None:
    for part, content in CPSC.items():
        if part.startswith("references"):
            file(folder, part, content)
    file(folder, "answers/data_0_1.mat", data)
    both_rules("cpsc2021", folder / "references", folder / "answers")


VOLUME = np.zeros((6, 5, 4), np.uint8)
VOLUME[1:4, 1:4, 1:3] = 1
VOLUME[2, 2, 2] = 2


def volume(as_reference: bool, name: str) -> Callable[[bytes, Path], None]:
    def run(data: bytes, folder: Path) -> None:
        whole = nifti_bytes(VOLUME)
        references = file(folder, f"references/case_00000{name}", data if as_reference else _packed(whole, name))
        answers = file(folder, f"answers/case_00000{name}", _packed(whole, name) if as_reference else data)
        both_rules("kits19", references.parent, answers.parent)

    return run


def surface(data: bytes, folder: Path) -> None:
    answer = file(folder, "answers/case_00000.nii", data)
    reference = file(folder, "references/case_00000.nii", nifti_bytes(VOLUME))
    case = Case(record="case_00000", reference=reference, answer=answer)
    for metric in (kits23, mlperf_kits19):
        for rules in ("official", "corrected"):
            with contextlib.suppress(*OF_METRICS):
                metric.score_case(case, rules=rules)


def _packed(data: bytes, name: str) -> bytes:
    return gzip.compress(data, 1) if name.endswith(".gz") else data


def nifti_seeds(name: str) -> Callable[[], list[bytes]]:
    return lambda: [
        _packed(nifti_bytes(values, version=version), name)
        for values in (VOLUME, VOLUME.astype(np.float32), VOLUME.astype(np.int16))
        for version in (1, 2)
    ]


DETECTIONS = b"0.9,100,200\n0.5,12,3\n0.1,-5,7\n"


def png() -> bytes:
    picture = io.BytesIO()
    mask = np.zeros((40, 60), np.uint8)
    mask[5:20, 5:30] = 255
    Image.fromarray(mask).save(picture, "PNG")
    return picture.getvalue()


def tiffs() -> list[bytes]:
    import tifffile  # of the tests' libraries, which the other parsers do not need

    found = []
    for options in ({"compression": "zlib"}, {"tile": (16, 16)}, {}):
        picture = io.BytesIO()
        mask = np.zeros((640, 640), np.uint8)
        mask[64:320, 64:320] = 1
        with tifffile.TiffWriter(picture) as tiff:
            for level in (mask, mask[::32, ::32]):
                tiff.write(level, **options)
        found.append(picture.getvalue())
    return found


def slide(data: bytes, folder: Path, name: str) -> None:
    file(folder, f"references/Tumor_001{name}", data)
    for rules in ("official", "corrected"):
        load_lesions(folder / f"references/Tumor_001{name}", record="Tumor_001", rules=rules, cache=None)


ASAP = (
    b"<?xml version='1.0'?><ASAP_Annotations><Annotations><Annotation Name='a' Type='Polygon' PartOfGroup='Tumor'>"
    b"<Coordinates><Coordinate Order='0' X='320' Y='320'/><Coordinate Order='1' X='3200' Y='320'/>"
    b"<Coordinate Order='2' X='3200' Y='3200'/></Coordinates></Annotation></Annotations></ASAP_Annotations>"
)
POLYGONS = json.dumps(
    {"positive": [{"name": "a", "vertices": [[320, 320], [3200, 320], [3200, 3200]]}], "negative": []}
).encode()


def camelyon(name: str) -> Callable[[bytes, Path], None]:
    def run(data: bytes, folder: Path) -> None:
        file(folder, "references/Tumor_001_Mask.png", png())
        file(folder, "answers/Tumor_001.csv", DETECTIONS)
        file(folder, name, data)
        both_rules("camelyon16", folder / "references", folder / "answers")

    return run


POINTS = b'{"folderName":"p1","subfolderName":"s","imageFileName":"1.png","points":[{"x":1.5,"y":2},{"x":100,"y":3}]}'


def landmarks(name: str) -> Callable[[bytes, Path], None]:
    def run(data: bytes, folder: Path) -> None:
        file(folder, "references/p1/s/point_labels/1.json", POINTS)
        file(folder, "answers/p1/s/1.json", POINTS)
        file(folder, name, data)
        both_rules("adaptor2021", folder / "references", folder / "answers")

    return run


def record_list(data: bytes, folder: Path) -> None:
    metrics.readers.files.read_records(file(folder, "RECORDS", data))


def archives() -> list[bytes]:
    found = []
    for mode in ("w", "w:gz"):
        bundle = io.BytesIO()
        with tarfile.open(fileobj=bundle, mode=mode) as tar:  # type: ignore[call-overload]
            for name in (*CINC.required_files, "code/x.c"):
                member = tarfile.TarInfo(f"entry/{name}")
                member.size = 5
                tar.addfile(member, io.BytesIO(b"A1,N\n"))
            link = tarfile.TarInfo("entry/link")
            link.type, link.linkname = tarfile.SYMTYPE, "code/x.c"
            tar.addfile(link)
        found.append(bundle.getvalue())
    bundle = io.BytesIO()
    with zipfile.ZipFile(bundle, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name in CINC.required_files:
            zipped.writestr(name, "A1,N\n")
    return [*found, bundle.getvalue()]


RULES = ArchiveRules(packed_bytes=1 << 24, unpacked_bytes=1 << 26, files=1000)


def archive(data: bytes, folder: Path) -> None:
    path = file(folder, "entry", data)
    is_container(path)
    contents = list_archive(path, RULES)
    for name in ("answers.txt", "entry/answers.txt"):
        if name in contents.origins.values():
            read_member(path, contents.kind, name, 1 << 20, RULES.unpacked_bytes)
    files = [name for name, member in contents.members.items() if member.kind == "file"]
    targets = {contents.origins[name]: str(i) for i, name in enumerate(files)}
    with (folder / "sent").open("w+b") as sent:
        extract_members(path, contents.kind, targets, 1 << 20, RULES.unpacked_bytes, sent.fileno())
        delivered(sent, folder)
    find_secrets(path, contents.kind, {name: contents.origins[name] for name in files}, RULES.unpacked_bytes)


def delivered(sent: IO[bytes], folder: Path) -> None:
    """What the host makes of a stream of files that a parser sent."""
    sent.seek(0)
    (folder / "out").mkdir()
    Delivery(folder=folder / "out", most_bytes=1 << 26, most_files=1000).take(sent)


def delivery(data: bytes, folder: Path) -> None:
    delivered(io.BytesIO(data), folder)


def delivery_seeds() -> list[bytes]:
    with tempfile.TemporaryFile() as sent:
        with sending(sent.fileno()) as out:
            send(out, "a.json", [b"{}"])
            send(out, "deep/er/b", [b"x" * 50, b"y"])
        sent.seek(0)
        return [sent.read()]


def wheels() -> list[bytes]:
    bundle = io.BytesIO()
    with zipfile.ZipFile(bundle, "w", zipfile.ZIP_DEFLATED) as wheel:
        wheel.writestr("tiny/__init__.py", "x = 1\n")
        wheel.writestr("tiny/a.so", "numpy.core.multiarray")
        wheel.writestr("tiny-1.0.data/scripts/run", "#!python\n")
        wheel.writestr("tiny-1.0.dist-info/entry_points.txt", "[console_scripts]\ntiny = tiny:x\n")
    return [bundle.getvalue()]


def wheel(data: bytes, folder: Path) -> None:
    path = file(folder, "tiny-1.0-py3-none-any.whl", data)
    built_for_numpy_1([path], 1 << 20, 100)
    unpack_wheels([path], folder / "root", "3.11", 1 << 20, 100)


def container_images() -> list[bytes]:
    layers = [oci_images.layer(("run.sh", b"#!/bin/sh\n")), oci_images.layer(("etc", None), ("etc/x", b"1"))]
    with tempfile.TemporaryDirectory() as made:
        path = Path(made) / "image.tar"
        oci_images.docker_save(path, layers, more={MODEL: gzip.compress(layers[0])})
        saved = path.read_bytes()
        oci_images.oci_layout(path, layers)
        return [saved, path.read_bytes()]


def container_image(data: bytes, folder: Path) -> None:
    path = file(folder, "image.tar", data)
    image = read_image(path, folder / "plain.tar", CINC.archive)
    parts = folder / "plain.tar" if is_compressed(path) else path
    (folder / "work").mkdir()
    with (folder / "merged.tar").open("wb") as merged:
        merge_image(
            parts,
            image,
            "go",
            folder / "work",
            replace(CINC.archive, unpacked_bytes=1 << 24),
            os.dup(merged.fileno()),
            model="/opt/ml/model",
        )


def frames(data: bytes, _folder: Path) -> None:
    reader = FrameReader(b"n" * 16, max_blob=1 << 20)
    for i in range(0, len(data), 7):
        reader.feed(data[i : i + 7])


def frame_seeds() -> list[bytes]:
    writer = FrameWriter(b"n" * 16)
    return [writer.pack(Frame("hello", {"version": 1}, b"")) + writer.pack(Frame("ended", {"id": 3}, b"x" * 50))]


def challenge(data: bytes, folder: Path) -> None:
    for part in ("sample_data",):
        shutil.copytree(CINC.folder / part, folder / part)
    file(folder, "challenge.yaml", data)
    read_challenge(folder)


def answers_disk(data: bytes, folder: Path) -> None:
    with (folder / "sent").open("w+b") as sent:
        read_answers_disk(file(folder, "disk", data), 1 << 20, sent.fileno())
        delivered(sent, folder)


DOCKERFILE = b"""FROM python:3.10 AS base
ENV A=b PATH="/opt/x:$PATH"
WORKDIR /challenge
COPY --chown=1:1 requirements.txt ./
RUN apt-get update && apt-get install -y --no-install-recommends libgomp1=12 \\
    # note
    git && rm -rf /var/lib/apt/lists/* || true
RUN ["pip", "install", "-r", "requirements.txt"]
RUN <<END
pip install "numpy>=1" 2>/dev/null; wget https://example.org/a | tar x
END
COPY . .
FROM base
USER 1000
ENTRYPOINT ["python", "run.py"]
CMD $A
"""
PICKLED = b"\x80\x04}\x94\x8c\x10_sklearn_version\x94\x8c\x060.23.2\x94s."


def translated(dockerfile: bytes) -> ImagePlan:
    names = [
        "requirements.txt",
        "run.py",
        "model/a.pt",
        "data/cache/b.txt",
        "keep.md",
        "aaaaaaaaaaaaaaaaaaaaaaaaaa.txt",
    ]
    bases = [BaseImage(image="python")]
    return translate(dockerfile, names, bases, "3.11")


PARSERS: dict[str, Parser] = {
    "cinc-answers": Parser(seeds=lambda: [LINES, b"\xef\xbb\xbf" + LINES], run=cinc_answers),
    "cinc-references": Parser(seeds=lambda: [LINES], run=cinc_references),
    "cpsc-header": Parser(
        seeds=lambda: [CPSC["references/data_0_1.hea"]], run=of_record(CPSC, "references/data_0_1.hea")
    ),
    "cpsc-annotations": Parser(
        seeds=lambda: [CPSC["references/data_0_1.atr"]], run=of_record(CPSC, "references/data_0_1.atr")
    ),
    "cpsc-json": Parser(seeds=lambda: [CPSC["answers/data_0_1.json"]], run=of_record(CPSC, "answers/data_0_1.json")),
    "cpsc-mat": Parser(seeds=lambda: [MAT.getvalue(), PLAIN_MAT.getvalue()], run=cpsc_mat),
    "cpsc-mat-compressed": Parser(seeds=lambda: [PLAIN_MAT.getvalue()], run=cpsc_mat, mend=mutation.compressed_mat),
    "nifti-answer": Parser(seeds=nifti_seeds(".nii"), run=volume(False, ".nii")),
    "nifti-gz-answer": Parser(seeds=nifti_seeds(".nii.gz"), run=volume(False, ".nii.gz")),
    "nifti-reference": Parser(seeds=nifti_seeds(".nii"), run=volume(True, ".nii")),
    "camelyon-detections": Parser(seeds=lambda: [DETECTIONS], run=camelyon("answers/Tumor_001.csv")),
    "camelyon-slides": Parser(seeds=lambda: [b"Tumor_001,0.9\n"], run=camelyon("answers/slides.csv")),
    "kits23-answer": Parser(seeds=nifti_seeds(".nii"), run=surface),
    "camelyon-png": Parser(
        seeds=lambda: [png()], run=lambda data, folder: slide(data, folder, "_Mask.png"), mend=mutation.png
    ),
    "camelyon-tiff": Parser(seeds=tiffs, run=lambda data, folder: slide(data, folder, "_Mask.tif")),
    "camelyon-asap": Parser(seeds=lambda: [ASAP], run=lambda data, folder: slide(data, folder, ".xml")),
    "camelyon-json": Parser(seeds=lambda: [POLYGONS], run=lambda data, folder: slide(data, folder, ".json")),
    "adaptor-answer": Parser(seeds=lambda: [POINTS], run=landmarks("answers/p1/s/1.json")),
    "adaptor-label": Parser(seeds=lambda: [POINTS], run=landmarks("references/p1/s/point_labels/1.json")),
    "record-list": Parser(seeds=lambda: [b"A1\nA2\r\nA3"], run=record_list),
    "archive": Parser(
        seeds=archives,
        run=archive,
        allowed=OF_EVALUATE,
        mend=mutation.archive,
        of=(
            is_container,
            list_archive,
            check_directory,
            read_member,
            extract_members,
            find_secrets,
            open_tar,
            is_compressed,
            most_unpacked,
        ),
    ),
    "delivery": Parser(seeds=delivery_seeds, run=delivery, allowed=OF_EVALUATE),
    "wheel": Parser(
        seeds=wheels, run=wheel, allowed=OF_EVALUATE, mend=mutation.archive, of=(built_for_numpy_1, unpack_wheels)
    ),
    "container-image": Parser(
        seeds=container_images,
        run=container_image,
        allowed=OF_EVALUATE,
        mend=mutation.archive,
        of=(read_image, unpack_layer, unpack_blob, merge_image, program_of, open_plain),
    ),
    "git-tree": Parser(
        seeds=lambda: [b"100644 blob 0a5 12\tsetup.sh\x00120000 blob 0a6 4\tsub/link\x00"],
        run=lambda data, _: parse_tree(data.decode(errors="surrogateescape"), 1 << 20),
        allowed=OF_EVALUATE,
        of=(parse_tree,),
    ),
    "requirements": Parser(
        seeds=lambda: [b"numpy >= 1.26 # note\nscipy==1.11.4 --hash=sha256:00\nwfdb; python_version > '3.8'\n"],
        run=lambda data, _: (parse_requirements(data), loosened(data)),
        allowed=OF_EVALUATE,
        of=(parse_requirements, loosened),
    ),
    "dockerfile": Parser(
        seeds=lambda: [DOCKERFILE, b"# escape=`\nARG A=3.11\nFROM python:${A}\nRUN pip install `\n x==1 && mkdir a\n"],
        run=lambda data, _: translated(data),
        allowed=OF_EVALUATE,
        of=(translate,),
    ),
    "mirror-request": Parser(
        seeds=lambda: [
            b"GET http://deb.debian.org/debian/dists/bookworm/InRelease HTTP/1.1\r\nHost: deb.debian.org\r\n"
            b"Range: bytes=10-\r\nAccept: text/*\r\nUser-Agent: Debian APT-HTTP/1.3\r\n\r\n",
            b"HEAD http://index.test:8080/simple/a/?b=c HTTP/1.0\r\nConnection: close\r\n\r\n",
        ],
        run=lambda data, _: read_request(io.BytesIO(data)),
        allowed=(NotPassedOn,),
        of=(read_request,),
    ),
    "pickled-model": Parser(
        seeds=lambda: [PICKLED, zlib.compress(PICKLED), gzip.compress(PICKLED)],
        run=lambda data, _: sklearn_version(io.BytesIO(data)),
        allowed=(),
        of=(sklearn_version, sklearn_versions, context_digest),
    ),
    "dependencies": Parser(
        seeds=lambda: [b"octave\npython3-numpy = 1:1.24.2-1\n# note\n"],
        run=lambda data, _: parse_dependencies(data),
        allowed=OF_EVALUATE,
        of=(parse_dependencies,),
    ),
    "entry-answers": Parser(
        seeds=lambda: [LINES],
        run=lambda data, _: (answer_for("A1", data, CINC.answers.labels), parse_answers(data, CINC.answers.labels)),
        allowed=OF_EVALUATE,
        of=(answer_for, parse_answers),
    ),
    "model-folder": Parser(
        seeds=lambda: [b"0" * 64 + b" 3 1234\n"],
        run=lambda data, _: parse_model(data),
        allowed=OF_EVALUATE,
        of=(parse_model,),
    ),
    "frames": Parser(seeds=frame_seeds, run=frames, allowed=OF_EVALUATE),
    "answers-disk": Parser(
        seeds=lambda: [b"\x01\x00\x02\x00\x00\x00\x00\x00\x00\x00aXY" + bytes(10)],
        run=answers_disk,
        allowed=OF_EVALUATE,
        of=(read_answers_disk,),
    ),
    "json-values": Parser(
        seeds=lambda: [b'{"a": [1, 2.5e3, NaN, -Infinity, 1e999], "b": null}', b"[" * 90000],
        run=lambda data, folder: read_json_values((file(folder, "found.json", data),)),
        allowed=(),
        of=(read_json_values,),
    ),
    "challenge": Parser(
        seeds=lambda: [(data_folder("challenges") / "cinc2017" / "challenge.yaml").read_bytes()],
        run=challenge,
        allowed=OF_EVALUATE,
    ),
    "header-comments": Parser(
        seeds=lambda: [CPSC["references/data_0_1.hea"]], run=lambda data, _: without_comments(data), allowed=()
    ),
}
