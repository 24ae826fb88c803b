"""Every parser of untrusted bytes, with valid examples to start from and the errors it may raise."""

import contextlib
import gzip
import io
import json
import os
import shutil
import signal
import tempfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import IO, Any

import numpy as np
from PIL import Image

import metrics
from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.load import read_challenge
from evaluate.config.challenge.types import BaseImage
from evaluate.confine.delivery import Delivery, send, sending
from evaluate.core.errors import ChallengeError, EntryError, SandboxFault
from evaluate.core.files import data_folder
from evaluate.protocol.frames import Frame, FrameError, FrameReader, FrameWriter
from evaluate.stages.contracts.contract import without_comments
from evaluate.untrusted.answers_disk import read_answers_disk, read_json_values
from evaluate.untrusted.archives import answer_for, parse_answers, parse_model
from evaluate.untrusted.dockerfile import ImagePlan, translate
from evaluate.untrusted.listing import (
    ArchiveRules,
    check_directory,
    extract_members,
    is_container,
    list_archive,
    read_member,
)
from evaluate.untrusted.merge import merge_image, program_of
from evaluate.untrusted.mirror_proxy import NotPassedOn, read_request
from evaluate.untrusted.oci import MODEL, read_image, unpack_blob, unpack_layer
from evaluate.untrusted.repository import check_tree
from evaluate.untrusted.requirements import loosened, parse_dependencies, parse_requirements
from evaluate.untrusted.tar import is_compressed, most_unpacked, open_plain, open_tar
from evaluate.untrusted.wheel_files import unpack_wheels
from metrics.challenges import kits23, mlperf_kits19
from metrics.readers.cases import Case
from metrics.readers.references import load_lesions
from tests.benchmarks.metrics import episodes
from tests.fuzz import mutation
from tests.fuzz.mutation import Mend
from tests.support import oci_images
from tests.support.challenge_files import saved
from tests.support.volume_files import nifti_bytes

OF_METRICS: tuple[type[Exception], ...] = (metrics.AnswerError, metrics.ReferenceDataError)
OF_EVALUATE: tuple[type[Exception], ...] = (EntryError, ChallengeError, SandboxFault, FrameError)
CINC = load_challenge("cinc2017")
HANG_SECONDS = 20


@dataclass(frozen=True, kw_only=True)
class Parser:
    """A parser with valid examples."""

    seeds: Sequence[bytes]
    run: Callable[[bytes, Path], object]
    """Called with the bytes and an empty folder."""
    allowed: tuple[type[Exception], ...] = OF_METRICS
    mend: Mend | None = None
    """Corrects checksums; applied to most changed examples."""
    over: Callable[[bytes], bool] = lambda _: False
    """True if nothing more is to be asked of these bytes; called first."""
    change: Callable[[Random, Sequence[bytes], Mend | None], bytes] = mutation.changed
    of: tuple[Callable[..., object], ...] = ()
    """The public functions of `evaluate.untrusted` that get the bytes; a test checks that none is forgotten."""

    def attempt(self, data: bytes) -> None:
        """Run it in an empty folder; raises only what is a finding."""
        signal.signal(signal.SIGPROF, _hang)
        signal.setitimer(signal.ITIMER_PROF, HANG_SECONDS)  # a busy host is no finding
        try:
            if self.over(data):
                return
            with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as folder:
                self.run(data, Path(folder))
        except self.allowed:
            pass
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)


def _hang(_number: int, _frame: object) -> None:
    raise TimeoutError(f"no end within {HANG_SECONDS} s of a processor")


def file(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def both_rules(score: Callable[[str], object]) -> None:
    """Both must succeed or raise an allowed error; the second is tried even if the first rejects."""
    refusal: Exception | None = None
    for rules in ("official", "corrected"):
        try:
            score(rules)
        except OF_METRICS as e:
            refusal = e
    if refusal is not None:
        raise refusal


def scored(
    metric: str,
    files: Mapping[str, bytes],
    name: str,
    seeds: Sequence[bytes] = (),
    *,
    mend: Mend | None = None,
    roots: tuple[str, str] = ("references", "answers"),
) -> Parser:
    """Files of a metric, of which one is changed; by default from what it is."""

    def run(data: bytes, folder: Path) -> None:
        for path, content in {**files, name: data}.items():
            file(folder, path, content)
        references, answers = (folder / root for root in roots)
        both_rules(lambda rules: metrics.get(metric).score(references, answers, rules=rules))

    return Parser(seeds=seeds or [files[name]], run=run, mend=mend)


LINES = b"A1,N\nA2,A\r\nA3,O\nA4,~"
CINC_ROOTS = ("R.csv", "answers.txt")
CINC_FILES = dict.fromkeys(CINC_ROOTS, LINES)


def cpsc_files() -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        episodes(folder, 1, minutes=1)
        return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("data_*")}


CPSC = cpsc_files()
CPSC_REFERENCES = {name: data for name, data in CPSC.items() if name.startswith("references")}
PLAIN_MAT = saved(np.array([[10, 400]], np.int32))
MATS = [saved(np.array([[10.0, 400.0], [900.0, 2000.0]]), do_compression=True), PLAIN_MAT]

VOLUME = np.zeros((6, 5, 4), np.uint8)
VOLUME[1:4, 1:4, 1:3] = 1
VOLUME[2, 2, 2] = 2
VOLUMES = [
    nifti_bytes(VOLUME.astype(kind), version=version) for kind in (np.uint8, np.float32, np.int16) for version in (1, 2)
]


def volumes(changed: str, name: str) -> Parser:
    """Answers and references of kits19 with this ending, of which one is changed."""
    pack = (lambda data: gzip.compress(data, 1)) if name.endswith(".gz") else bytes
    files = {f"{root}/case_00000{name}": pack(VOLUMES[0]) for root in ("references", "answers")}
    return scored("kits19", files, f"{changed}/case_00000{name}", [*map(pack, VOLUMES)])


def surface(data: bytes, folder: Path) -> None:
    answer = file(folder, "answers/case_00000.nii", data)
    reference = file(folder, "references/case_00000.nii", VOLUMES[0])
    case = Case(record="case_00000", reference=reference, answer=answer)
    for metric in (kits23, mlperf_kits19):
        for rules in ("official", "corrected"):
            with contextlib.suppress(*OF_METRICS):
                metric.score_case(case, rules=rules)


def png() -> bytes:
    picture = io.BytesIO()
    mask = np.zeros((40, 60), np.uint8)
    mask[5:20, 5:30] = 255
    Image.fromarray(mask).save(picture, "PNG")
    return picture.getvalue()


def tiffs() -> list[bytes]:
    mask, picture = np.zeros((640, 640), np.uint8), io.BytesIO()
    mask[64:320, 64:320] = 1
    try:
        import tifffile
    except ImportError:  # it is a library of the tests; the others of this program need none of them
        Image.fromarray(mask).save(picture, "TIFF")
        return [picture.getvalue()]
    pictures = []
    for options in ({"compression": "zlib"}, {"tile": (16, 16)}, {}):
        picture = io.BytesIO()
        with tifffile.TiffWriter(picture) as tiff:
            for level in (mask, mask[::32, ::32]):
                tiff.write(level, **options)
        pictures.append(picture.getvalue())
    return pictures


def slide(ending: str, seeds: Sequence[bytes], mend: Mend | None = None) -> Parser:
    def run(data: bytes, folder: Path) -> None:
        path = file(folder, f"references/Tumor_001{ending}", data)
        for rules in ("official", "corrected"):
            load_lesions(path, record="Tumor_001", rules=rules, cache=None)

    return Parser(seeds=seeds, run=run, mend=mend)


ASAP = (
    b"<?xml version='1.0'?><ASAP_Annotations><Annotations><Annotation Name='a' Type='Polygon' PartOfGroup='Tumor'>"
    b"<Coordinates><Coordinate Order='0' X='320' Y='320'/><Coordinate Order='1' X='3200' Y='320'/>"
    b"<Coordinate Order='2' X='3200' Y='3200'/></Coordinates></Annotation></Annotations></ASAP_Annotations>"
)
POLYGONS = json.dumps(
    {"positive": [{"name": "a", "vertices": [[320, 320], [3200, 320], [3200, 3200]]}], "negative": []}
).encode()
CAMELYON = {
    "references/Tumor_001_Mask.png": png(),
    "answers/Tumor_001.csv": b"0.9,100,200\n0.5,12,3\n0.1,-5,7\n",
    "answers/slides.csv": b"Tumor_001,0.9\n",
}
POINTS = b'{"folderName":"p1","subfolderName":"s","imageFileName":"1.png","points":[{"x":1.5,"y":2},{"x":100,"y":3}]}'
ADAPTOR = {"references/p1/s/point_labels/1.json": POINTS, "answers/p1/s/1.json": POINTS}


def archives() -> list[bytes]:
    files = [(f"entry/{name}", b"A1,N\n") for name in (*CINC.required_files, "code/x.c")]
    plain = oci_images.layer(*files, ("entry/link", "code/x.c"))
    bundle = io.BytesIO()
    with zipfile.ZipFile(bundle, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name in CINC.required_files:
            zipped.writestr(name, "A1,N\n")
    return [plain, gzip.compress(plain, mtime=0), bundle.getvalue()]


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


def delivered(sent: IO[bytes], folder: Path) -> None:
    """Take a stream of files that a parser sent, as the host does."""
    sent.seek(0)
    (folder / "out").mkdir()
    Delivery(folder=folder / "out", most_bytes=1 << 26, most_files=1000).take(sent)


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
        limits = replace(CINC.archive, unpacked_bytes=1 << 24)
        merge_image(parts, image, "go", folder / "work", limits, merged, model="/opt/ml/model")


def frames(data: bytes, _folder: Path) -> None:
    reader = FrameReader(b"n" * 16, max_blob=1 << 20)
    for i in range(0, len(data), 7):
        reader.feed(data[i : i + 7])


FRAMES = (Frame("hello", {"version": 1}, b""), Frame("ended", {"id": 3}, b"x" * 50))


def challenge(data: bytes, folder: Path) -> None:
    shutil.copytree(CINC.folder / "sample_data", folder / "sample_data")
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


def translated(dockerfile: bytes, _folder: Path) -> ImagePlan:
    names = ["requirements.txt", "run.py", "model/a.pt", "data/cache/b.txt", "keep.md", f"{'a' * 26}.txt"]
    return translate(dockerfile, names, [BaseImage(image="python")], "3.11")


def of_host(
    run: Callable[[bytes, Path], object], seeds: Sequence[bytes], *of: Callable[..., object], **options: Any
) -> Parser:
    """A parser of `evaluate`, and its functions that get the bytes."""
    return Parser(seeds=seeds, run=run, of=of, **{"allowed": OF_EVALUATE, **options})


def alone(parse: Callable[[bytes], object], seeds: Sequence[bytes]) -> Parser:
    """A function that gets nothing but the bytes."""
    return of_host(lambda data, _: parse(data), seeds, parse)


REQUIREMENTS = b"numpy >= 1.26 # note\nscipy==1.11.4 --hash=sha256:00\nwfdb; python_version > '3.8'\n"
REQUESTS = [
    b"GET http://deb.debian.org/debian/dists/bookworm/InRelease HTTP/1.1\r\nHost: deb.debian.org\r\n"
    b"Range: bytes=10-\r\nAccept: text/*\r\nUser-Agent: Debian APT-HTTP/1.3\r\n\r\n",
    b"HEAD http://index.test:8080/simple/a/?b=c HTTP/1.0\r\nConnection: close\r\n\r\n",
]
PARSERS: dict[str, Parser] = {
    "cinc-answers": scored("cinc2017", CINC_FILES, "answers.txt", [LINES, b"\xef\xbb\xbf" + LINES], roots=CINC_ROOTS),
    "cinc-references": scored("cinc2017", CINC_FILES, "R.csv", roots=CINC_ROOTS),
    "cpsc-header": scored("cpsc2021", CPSC, "references/data_0_1.hea"),
    "cpsc-annotations": scored("cpsc2021", CPSC, "references/data_0_1.atr"),
    "cpsc-json": scored("cpsc2021", CPSC, "answers/data_0_1.json"),
    "cpsc-mat": scored("cpsc2021", CPSC_REFERENCES, "answers/data_0_1.mat", MATS),
    "cpsc-mat-compressed": scored(
        "cpsc2021", CPSC_REFERENCES, "answers/data_0_1.mat", [PLAIN_MAT], mend=mutation.compressed_mat
    ),
    "nifti-answer": volumes("answers", ".nii"),
    "nifti-gz-answer": volumes("answers", ".nii.gz"),
    "nifti-reference": volumes("references", ".nii"),
    "camelyon-detections": scored("camelyon16", CAMELYON, "answers/Tumor_001.csv"),
    "camelyon-slides": scored("camelyon16", CAMELYON, "answers/slides.csv"),
    "kits23-answer": Parser(seeds=VOLUMES, run=surface),
    "camelyon-png": slide("_Mask.png", [png()], mutation.png),
    "camelyon-tiff": slide("_Mask.tif", tiffs()),
    "camelyon-asap": slide(".xml", [ASAP]),
    "camelyon-json": slide(".json", [POLYGONS]),
    "adaptor-answer": scored("adaptor2021", ADAPTOR, "answers/p1/s/1.json"),
    "adaptor-label": scored("adaptor2021", ADAPTOR, "references/p1/s/point_labels/1.json"),
    "record-list": Parser(
        seeds=[b"A1\nA2\r\nA3"],
        run=lambda data, folder: metrics.readers.files.read_records(file(folder, "RECORDS", data)),
    ),
    "archive": of_host(
        archive,
        archives(),
        *(is_container, list_archive, check_directory, read_member, extract_members),
        *(open_tar, is_compressed, most_unpacked),
        mend=mutation.archive,
    ),
    "delivery": of_host(lambda data, folder: delivered(io.BytesIO(data), folder), delivery_seeds()),
    "wheel": of_host(wheel, wheels(), unpack_wheels, mend=mutation.archive),
    "container-image": of_host(
        container_image,
        container_images(),
        *(read_image, unpack_layer, unpack_blob, merge_image, program_of, open_plain),
        mend=mutation.archive,
    ),
    "git-tree": of_host(
        lambda data, _: check_tree(data.decode(errors="surrogateescape"), 1 << 20),
        [b"100644 blob 0a5 12\tsetup.sh\x00120000 blob 0a6 4\tsub/link\x00"],
        check_tree,
    ),
    "requirements": alone(parse_requirements, [REQUIREMENTS]),
    "requirements-loosened": alone(loosened, [REQUIREMENTS]),
    "dockerfile": of_host(
        translated,
        [DOCKERFILE, b"# escape=`\nARG A=3.11\nFROM python:${A}\nRUN pip install `\n x==1 && mkdir a\n"],
        translate,
    ),
    "mirror-request": of_host(
        lambda data, _: read_request(io.BytesIO(data)), REQUESTS, read_request, allowed=(NotPassedOn,)
    ),
    "dependencies": alone(parse_dependencies, [b"octave\npython3-numpy = 1:1.24.2-1\n# note\n"]),
    "entry-answers": of_host(
        lambda data, _: (answer_for("A1", data, CINC.answers.labels), parse_answers(data, CINC.answers.labels)),
        [LINES],
        *(answer_for, parse_answers),
    ),
    "model-folder": alone(parse_model, [b"0" * 64 + b" 3 1234\n"]),
    "frames": of_host(frames, [b"".join(map(FrameWriter(b"n" * 16).pack, FRAMES))]),
    "answers-disk": of_host(
        answers_disk, [b"\x01\x00\x02\x00\x00\x00\x00\x00\x00\x00aXY" + bytes(10)], read_answers_disk
    ),
    "json-values": of_host(
        lambda data, folder: read_json_values((file(folder, "found.json", data),)),
        [b'{"a": [1, 2.5e3, NaN, -Infinity, 1e999], "b": null}', b"[" * 90000],
        read_json_values,
        allowed=(),
    ),
    "challenge": of_host(challenge, [(data_folder("challenges") / "cinc2017" / "challenge.yaml").read_bytes()]),
    "header-comments": of_host(lambda data, _: without_comments(data), [CPSC["references/data_0_1.hea"]], allowed=()),
}
