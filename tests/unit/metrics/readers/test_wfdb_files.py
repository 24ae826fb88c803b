import struct
from pathlib import Path

import numpy as np
import pytest
import wfdb

from metrics.base import ReferenceDataError
from metrics.readers.foreign import is_data
from metrics.readers.wfdb_files import Annotations, length_of, read_annotations, read_header


def word(code: int, low: int) -> bytes:
    return struct.pack("<H", code << 10 | low)


def _skip(interval: int) -> bytes:
    high, low = divmod(interval % (1 << 32), 1 << 16)
    return word(59, 0) + struct.pack("<HH", high, low)


END = word(0, 0)


def _read(folder: Path, content: bytes) -> Annotations:
    (folder / "r.atr").write_bytes(content)
    return read_annotations(folder / "r.atr", "r")


def _assert_as_wfdb(folder: Path, record: str) -> None:
    ours = read_annotations(folder / f"{record}.atr", record)
    theirs = wfdb.rdann(str(folder / record), "atr")
    assert ours.samples.tolist() == theirs.sample.tolist()
    assert ours.notes == {index: text for index, text in enumerate(theirs.aux_note) if text}


def test_annotations_that_wfdb_writes_are_read_as_wfdb_reads_them(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    samples = np.cumsum(rng.integers(1, 3000, 500))  # many intervals are beyond the 10 bits of a word
    samples[250:] += 10_000_000
    symbols = ["N"] * 500
    notes = [""] * 500
    for index, text in ((3, "(AFIB"), (4, "(N"), (100, "(AFL"), (101, "a text of odd length."), (499, "(N")):
        symbols[index], notes[index] = "+", text
    channel, number = rng.integers(0, 3, 500), rng.integers(0, 3, 500)
    wfdb.wrann("r", "atr", samples, symbols, aux_note=notes, chan=channel, num=number, fs=200, write_dir=str(tmp_path))
    _assert_as_wfdb(tmp_path, "r")
    assert read_annotations(tmp_path / "r.atr", "r").notes[100] == "(AFL"


def test_annotations_of_all_shared_records_are_read_as_wfdb_reads_them(shared: Path) -> None:
    files = [file for file in sorted(shared.rglob("*.atr")) if is_data(file.name)]
    assert files
    for file in files:
        _assert_as_wfdb(file.parent, file.stem)
        ours, theirs = read_header(file.with_suffix(".hea"), file.stem), wfdb.rdheader(str(file.with_suffix("")))
        assert (ours.n_samples, list(ours.comments)) == (theirs.sig_len, theirs.comments)


TEXT = b"\xff\xff\xec\xfc?"  # as words these look like texts and skips
DEFINITION = b"## time resolution: 200"


@pytest.mark.parametrize(
    ("content", "samples", "notes"),
    [
        (word(1, 5) + _skip(70_000) + _skip(-20_000) + word(1, 7) + _skip(-3) + word(28, 0), [5, 50012, 50009], {}),
        (word(28, 9) + word(63, len(TEXT)) + TEXT + b"\0" + word(1, 2), [9, 11], {0: TEXT.decode("latin-1")}),
        (
            word(22, 0) + word(63, len(DEFINITION)) + DEFINITION + b"\0" + word(0, 50) + word(28, 50)
            + word(63, 2) + b"(N",
            [100],
            {0: "(N"},
        ),
    ],
    ids=["intervals add up and may go back", "a text is no annotation", "definitions are left out"],
)  # fmt: skip
def test_entries_that_are_no_beats(tmp_path: Path, content: bytes, samples: list[int], notes: dict[int, str]) -> None:
    annotation = _read(tmp_path, content + END)
    assert (annotation.samples.tolist(), annotation.notes) == (samples, notes)
    _assert_as_wfdb(tmp_path, "r")
    for nothing in (b"", END):
        assert _read(tmp_path, nothing).samples.size == 0


def test_header_has_numbers_and_comments(tmp_path: Path) -> None:
    file = tmp_path / "r.hea"
    file.write_bytes(b"# a \r\nr/1 2 200/360(0) 5589 10:00:00\r\nr.dat 16 1\r\n #\t persistent \xe4 fibrillation \r\n")
    header = read_header(file, "r")
    assert (header.n_samples, header.comments) == (5589, ("a", "persistent  fibrillation"))


@pytest.mark.parametrize(
    ("content", "length"),
    [
        (b"r 1 200\nr.dat 16\n", 7),
        (b"r 1\nr.dat 16\n", 7),
        (b"r 2 200\nr.dat 212\nr.dat 212\n", 4),
        (b"r 1 200\nr.dat 16x2+2 200\n", 3),
        (b"r 1 200\nr.dat 310\n", 10),
        (b"r 1 200 0\nr.dat 16\n", 7),
        (b"r 1 200 5 05-May-2020 09:49:17\nr.dat 16\n", 5),
        (b"r.mat 1 200 5\nr.dat 16\n", 5),
        (b"r/2 1 200 5\na 2\nb 3\n", 5),
        (b"r/2 1 200\na 2\nb 4\n", 6),
        ("\N{BOM}r 1 200 5\n".encode("utf-16-le"), 5),
    ],
)
def test_the_length_of_a_record_is_what_header_segments_or_signal_say(
    tmp_path: Path, content: bytes, length: int
) -> None:
    (tmp_path / "r.hea").write_bytes(content)
    (tmp_path / "r.dat").write_bytes(bytes(14))
    assert length_of(tmp_path / "r.hea", read_header(tmp_path / "r.hea", "r"), "r") == length


@pytest.mark.parametrize(
    ("form", "signal", "message"),
    [
        ("16", None, "found neither"),
        ("16", b"/annex/objects/MD5E-s20--0123456789abcdef0123456789abcdef.dat\n", "git annex get"),
        ("16x0", bytes(14), "found neither"),
        (f"16+{'9' * 5000}", bytes(14), "found neither"),
    ],
    ids=["absent", "pointer", "no samples in a frame", "endless number"],
)
def test_a_record_of_unknown_length_is_the_organisers_fault(
    tmp_path: Path, form: str, signal: bytes, message: str
) -> None:
    (tmp_path / "r.hea").write_text(f"r 1 200\nr.dat {form}\n")
    if signal is not None:
        (tmp_path / "r.dat").write_bytes(signal)
    with pytest.raises(ReferenceDataError, match=message):
        length_of(tmp_path / "r.hea", read_header(tmp_path / "r.hea", "r"), "r")
