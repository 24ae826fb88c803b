"""Content that no reader takes: the fault of its writer, and what was expected."""

import gzip
import json
import os
import re
import struct
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.io

from metrics.base import AnswerError, MetricError, ReferenceDataError
from metrics.readers.detections import MAX_DETECTIONS, parse_detections
from metrics.readers.files import parse_json, read_text
from metrics.readers.matfile import read_matrix
from metrics.readers.references import load_lesions
from metrics.readers.volumes import MAX_VOXELS, open_volume, whole_labels
from metrics.readers.wfdb_files import read_annotations, read_header
from tests.support.challenge_files import KEY, saved
from tests.support.volume_files import labels, nifti_bytes
from tests.unit.metrics.readers.test_matfile import big_endian
from tests.unit.metrics.readers.test_references import SQUARE, xml
from tests.unit.metrics.readers.test_wfdb_files import END, word

Reader = tuple[str, type[MetricError], Callable[[Path], object]]


def lesions(file: Path) -> object:
    return load_lesions(file, record="r", rules="corrected", cache=None)


def detections(file: Path) -> object:
    return parse_detections(read_text(file, AnswerError, keep_bom=True), file=file, record="r", finite=True)


def values_of_json(file: Path) -> object:
    return parse_json(read_text(file, AnswerError, keep_bom=True), AnswerError, file=file)


VOLUME: Reader = "a.nii.gz", AnswerError, lambda file: open_volume(file, AnswerError, record="r").load(whole_labels(3))
OPENED: Reader = "a.nii", AnswerError, lambda file: open_volume(file, AnswerError, record="r")
MATRIX: Reader = "a.mat", AnswerError, lambda file: read_matrix(file, KEY, AnswerError, record="r", max_bytes=10**6)
ANNOTATIONS: Reader = "r.atr", ReferenceDataError, lambda file: read_annotations(file, "r")
HEADER: Reader = "r.hea", ReferenceDataError, lambda file: read_header(file, "r")
XML: Reader = "Tumor_001.xml", ReferenceDataError, lesions
OUTLINES: Reader = "Tumor_001.json", ReferenceDataError, lesions
DETECTIONS: Reader = "Tumor_001.csv", AnswerError, detections
JSON: Reader = "a.json", AnswerError, values_of_json
READERS = [VOLUME, OPENED, MATRIX, ANNOTATIONS, HEADER, XML, OUTLINES, DETECTIONS, JSON]

VALUES = np.random.default_rng(0).integers(0, 4, (5, 4, 3)).astype(np.uint8)
PLAIN = nifti_bytes(VALUES)
PACKED = gzip.compress(PLAIN)


def with_value(value: float) -> bytes:
    values = VALUES.astype(np.float32)
    values[2, 2, 2] = value
    return nifti_bytes(values)


def header(**fields: Any) -> bytes:
    content = bytearray(nifti_bytes(labels("012")))
    places = {"dim": (40, "<i2"), "datatype": (70, "<i2"), "vox_offset": (108, "<f4"), "scl_inter": (116, "<f4")}
    if "scl_inter" in fields:
        content[112:116] = np.float32(1).tobytes()
    for name, value in fields.items():
        offset, dtype = places[name]
        packed = np.asarray(value, dtype).tobytes()
        content[offset : offset + len(packed)] = packed
    return bytes(content)


def other(**options: Any) -> bytes:
    stream = BytesIO()
    scipy.io.savemat(stream, {"other": np.ones((1, 2))}, **options)
    return stream.getvalue()


NUMBERS = big_endian(struct.pack(">HH", 1, 500), 4)
MAT = saved(np.ones((4, 2)), do_compression=True)
NO_MATRIX = (np.array([[1 + 2j]]), np.array([[True]]), np.array(["a"]), {"a": 1}, np.zeros((1, 2, 3)))
OCTAVE = b"# name: predict_endpoints\n# type: matrix\n"
OTHER_FORM = "save it with 'save -v7'"

OUTLINED = xml(("Tumor", SQUARE))

WRONG: list[tuple[Reader, bytes | str, str]] = [
    *((VOLUME, PACKED[:-cut], "record r") for cut in (1, 4, 8, 9, 30, 60)),
    (VOLUME, PLAIN[:-1], "60 voxels of uint8"),
    *((VOLUME, with_value(value), f"found {value}") for value in (np.nan, np.inf, 0.5)),
    *((VOLUME, text, "NIfTI") for text in (b"", b"\x1f\x8b", b"GIF89a", bytes(600), b"\x5c\x01\x00\x00" + bytes(100))),
    # headers, before anything is allocated
    (OPENED, header(dim=[3, 32767, 32767, 32767]), f"at most {MAX_VOXELS:,} voxels"),
    (OPENED, header(dim=[3, 0, 3, 1]), "at least one voxel"),
    (OPENED, header(dim=[3, -3, 3, 1]), "at least one voxel"),
    (OPENED, header(dim=[9, 3, 3, 1]), "1 to 7 axes"),
    (OPENED, header(datatype=32), "integer or floating-point"),
    (OPENED, header(datatype=77), "known type"),
    (OPENED, header(vox_offset=1e9), "voxels to start"),
    (OPENED, header(vox_offset=np.nan), "voxels to start"),
    (OPENED, header(scl_inter=np.inf), "usable scaling"),

    *((MATRIX, saved(value), "found a variable that is not a matrix") for value in NO_MATRIX),
    (MATRIX, other(format="4"), "record r: expected a MAT file of version 5, found something else"),
    (MATRIX, b"MATLAB 7.3 MAT-file".ljust(124) + b"\x00\x02IM" + bytes(512), "found version 7.3"),
    (MATRIX, b"", "something else"),
    (MATRIX, other(), "expected a variable predict_endpoints, found none"),
    (MATRIX, saved(np.zeros((500_000, 2)), do_compression=True), "expand to more than 1,000,000 bytes"),
    (MATRIX, saved(np.ones((4, 2)))[:-200], "declares"),
    (MATRIX, MAT[:136] + b"\xff" + MAT[137:], "a part that cannot be expanded"),
    (MATRIX, NUMBERS.replace(struct.pack(">ii", 1, 2), struct.pack(">ii", 1 << 30, 2)), "for 1073741824 x 2 numbers"),
    (MATRIX, b"# Created by Octave 8.4.0, Sat Nov 28 02:00:00 2026 UTC <a@b>\n" + OCTAVE, OTHER_FORM),
    (MATRIX, OCTAVE, OTHER_FORM),
    (MATRIX, b"Octave-1-L\0\1\0\0\0", OTHER_FORM),
    (MATRIX, b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(512) + b"\x89HDF\r\n\x1a\n", OTHER_FORM),
    (MATRIX, b"\x89HDF\r\n\x1a\n" + bytes(120), OTHER_FORM),

    (ANNOTATIONS, b"\x01", "odd number of bytes"),
    (ANNOTATIONS, word(1, 5), "no end mark"),
    (ANNOTATIONS, word(1, 5) + word(59, 0) + b"\0\0" + END, "interval that is cut short"),
    (ANNOTATIONS, word(1, 5) + word(63, 40) + b"(N" + END, "text that is cut short"),
    (ANNOTATIONS, word(63, 2) + b"(N" + word(1, 5) + END, "before the first annotation"),
    *((HEADER, text, "number of samples") for text in (
        "", "# only a comment\n", "r two 200\n", "r 2 200 many\n", "r 2 200 -5\n", f"r 2 200 {'9' * 5000}\n",
    )),

    (XML, "<a", "ASAP XML"),
    (XML, '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "document type"),
    (XML, xml(("Lymph", SQUARE)), "found 'Lymph'"),
    (XML, xml(("None", SQUARE)), "without a group: give 'a' a group, or delete it"),
    *((XML, OUTLINED.replace("320", number), "vertices of two numbers") for number in ("1,5", "3_20", "\u0663\u0662")),
    *((XML, OUTLINED.replace(' X="320"', cell), "coordinates up to") for cell in ("", ' X="1e9"', ' X="nan"')),
    (XML, xml(("Tumor", [])), "list of vertices"),
    (OUTLINES, "[]", '"positive"'),
    (OUTLINES, '{"positive": 3}', "list under 'positive'"),
    (OUTLINES, '{"positive": [3]}', "polygons with a list"),
    *((OUTLINES, json.dumps({"positive": [{"vertices": vertices}]}), "two numbers")
      for vertices in ([1, 2], [[1, 2], [3]], [[1, [2]]])),
    (OUTLINES, '{"positive": [], "negative": {}}', "list under 'negative'"),
    (OUTLINES, "[" * 100_000, "levels of JSON"),
    (OUTLINES, '{"positive": [{"vertices": [[0, 0], [1e7, 0], [1e7, 1e7]]}]}', "spread over"),

    (DETECTIONS, "confidence,X,Y\n0.5,1,2\n", "in line 1, found 'confidence,X,Y' (the file must"),
    (DETECTIONS, "0.5,1,2\n\n", "in line 2, found ''"),
    (DETECTIONS, "0.5,1.0,2\n", "in line 1, found '0.5,1.0,2"),
    (DETECTIONS, "0.5,1_0,2\n", "in line 1, found '0.5,1_0,2"),
    (DETECTIONS, "0.5;1;2\n", "in line 1, found '0.5;1;2"),
    (DETECTIONS, "\ufeff0.5,1,2\n", "in line 1, found '\\ufeff0.5"),
    (DETECTIONS, "0,5,1,2\n0.5,x,2\n", "in line 2, found '0.5,x,2"),
    (DETECTIONS, "0.5," + "9" * 5000 + ",1\n", "in line 1, found '0.5,999"),
    (DETECTIONS, "0.5,1,2\n" * (MAX_DETECTIONS + 1), f"at most {MAX_DETECTIONS:,} lines"),
    *((DETECTIONS, f"{value},1,2\n", "finite confidence in line 1") for value in ("nan", "inf", "-inf", "1e999")),

    *((JSON, text, "expected") for text in ("", "{", "[" * 10**5, '{"a": ' * 50_000, "9" * 5000, "\ufeff{}", "NaN x")),
    (JSON, b"good\nb\xe4d\n", "found byte 0xe4 in line 2"),
]  # fmt: skip


@pytest.mark.parametrize(("reader", "content", "message"), WRONG)
def test_wrong_content_is_its_writers_fault(tmp_path: Path, reader: Reader, content: bytes | str, message: str) -> None:
    name, error, read = reader
    (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(error, match=re.escape(message)) as caught:
        read(tmp_path / name)
    assert caught.value.record == "r" or reader is JSON
    assert name in str(caught.value)


@pytest.mark.parametrize("reader", READERS)
def test_pipe_folder_or_nothing_is_no_file(tmp_path: Path, reader: Reader) -> None:
    name, error, read = reader
    for make in (lambda path: None, os.mkfifo, Path.mkdir):  # nobody waits for a pipe
        path = tmp_path / getattr(make, "__name__", "") / name
        path.parent.mkdir(exist_ok=True)
        make(path)
        with pytest.raises(error, match=re.escape(name)):
            read(path)
