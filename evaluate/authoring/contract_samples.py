"""A challenge with small data for each contract of the PhysioNet Challenges: an entry can be tried without one.

The data are made by this program, the same bytes every time, in the year's files: beats of a heart, or where no program
looks for beats a sine, whose height and rate say the label.
"""

from __future__ import annotations

import io
import math
import struct
import tempfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.io import savemat, wavfile

from evaluate.authoring.skeleton import check_name, new_folder
from evaluate.config.challenge.contract import TERMS, ContractName
from evaluate.config.challenge.load import FILE
from evaluate.confine.ownership import discard_tree
from evaluate.core.files import data_folder

LEADS = ("I", "II", "III", "aVR", "aVL", "aVF", "V1", "V2", "V3", "V4", "V5", "V6")
_GAIN = 1000
_HIGHEST = 32000
"""Digital value of an EDF file; its negative is the lowest."""
_STAGES, _EVENTS = (5, 3, 2, 1, 4, 2), ("resp", "arousal", "limb")
Files = dict[str, bytes]
"""Place below the folder of a part -> content."""


def _sine(n: int, positive: bool, samples: int) -> list[int]:
    """A signal of 16 bits; those of positive records are twice as high, and faster."""
    height, period = (0.8, 25) if positive else (0.4, 40)
    height *= 1 + (n % 7) / 50
    return [round(_GAIN * height * math.sin(2 * math.pi * (t + n) / period)) for t in range(samples)]


_BEAT = ((0.12, 0.02, 0.15), (0.235, 0.008, -0.1), (0.26, 0.01, 1.0), (0.285, 0.009, -0.25), (0.48, 0.04, 0.3))
"""The waves P to T of a beat of a heart: seconds after its beginning, width in seconds, height in millivolts."""


def _beats(n: int, positive: bool, samples: int, rate: int) -> list[int]:
    """A signal of 16 bits, in which programs of teams find R waves; those of positive records are higher and faster."""
    height, period = (1.6, 0.7) if positive else (0.8, 0.9)
    time = np.arange(samples) / rate
    phase = (time + n / 40) % (period + (n % 7) / 100)
    signal = sum(mv * np.exp(-(((phase - at) / width) ** 2) / 2) for at, width, mv in _BEAT)
    noise = np.random.RandomState(n).randint(-9, 10, samples)  # the stream of this old generator never changes
    return [int(value) for value in np.round(_GAIN * height * signal) + noise]


def _header(
    record: str, file: str, form: str, names: Sequence[str], rate: int, signal: Sequence[int], comments: Sequence[str]
) -> bytes:
    """A WFDB header of channels that are all equal."""
    checksum = (sum(signal) + (1 << 15)) % (1 << 16) - (1 << 15)  # of 16 bits, with a sign
    channel = f"{file} {form} {_GAIN}/mV 16 0 {signal[0]} {checksum} 0"
    lines = [f"{record} {len(names)} {rate} {len(signal)}", *(f"{channel} {name}" for name in names), *comments]
    return "".join(f"{line}\n" for line in lines).encode()


def _dat(signal: Sequence[int], channels: int) -> bytes:
    return np.repeat(np.array(signal, dtype="<i2"), channels).tobytes()


def _mat(signal: Sequence[int], channels: int) -> bytes:
    """A matrix ``val`` of version 4, whose header has no date."""
    file = io.BytesIO()
    savemat(file, {"val": np.tile(np.array(signal, dtype=np.int16), (channels, 1))}, format="4")
    return file.getvalue()


def _wav(signal: Sequence[int], rate: int) -> bytes:
    file = io.BytesIO()
    wavfile.write(file, rate, np.array(signal, dtype="<i2"))
    return file.getvalue()


def _png(signal: Sequence[int], height: int = 64) -> bytes:
    """A picture of a signal, in grey."""
    rows = np.full((height, len(signal)), 255, dtype=np.uint8)
    level = [height // 2 - value * height // (4 * _GAIN) for value in signal]
    rows[np.clip(level, 0, height - 1), range(len(signal))] = 0

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    size = struct.pack(">IIBBBBB", len(signal), height, 8, 0, 0, 0, 0)
    pixels = zlib.compress(b"".join(b"\0" + row.tobytes() for row in rows), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", size) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


@dataclass(frozen=True, kw_only=True)
class _Channel:
    """A signal of an EDF file."""

    values: np.ndarray[Any, np.dtype[np.float64]]
    rate: int
    """Values in a record of the file."""
    unit: str = ""
    most: int = 1
    """Value that the highest digital value stands for; the lowest stands for as much below 0."""

    def digital(self) -> np.ndarray[Any, np.dtype[np.int16]]:
        """By records of the file, one a row."""
        return np.round(self.values / self.most * _HIGHEST).astype("<i2").reshape(-1, self.rate)


def _edf(signals: Mapping[str, _Channel]) -> bytes:
    """An EDF file of records of 30 seconds."""
    widths = (16, 80, 8, 8, 8, 8, 8, 80, 8, 32)
    rows = [
        (name, "", channel.unit, -channel.most, channel.most, -_HIGHEST, _HIGHEST, "", channel.rate, "")
        for name, channel in signals.items()
    ]
    data = np.hstack([channel.digital() for channel in signals.values()])
    fixed = [("0", 8), ("X X X X", 80), ("Startdate X X X X", 80), ("01.01.26", 8), ("00.00.00", 8)]
    fixed += [(str(256 * (len(signals) + 1)), 8), ("", 44), (str(len(data)), 8), ("30", 8)]
    fixed += [(str(len(signals)), 4)]
    head = "".join(text.ljust(width) for text, width in fixed)
    head += "".join(str(row[column]).ljust(width) for column, width in enumerate(widths) for row in rows)
    return head.encode() + data.tobytes()


def _matrix(record: str, n: int, positive: bool) -> Files:
    """2020 and 2021."""
    signal = _beats(n, positive, 5000, 500)
    code = "164889003" if positive else "426783006"
    comments = [f"#Age: {41 + n % 24}", f"#Sex: {('Female', 'Male')[n % 2]}", f"#Dx: {code}"]
    comments += [f"#{name}: Unknown" for name in ("Rx", "Hx", "Sx")]
    header = _header(record, f"{record}.mat", "16+24", LEADS, 500, signal, comments)
    return {f"{record}.hea": header, f"{record}.mat": _mat(signal, len(LEADS))}


def _heart_sounds(record: str, n: int, positive: bool) -> Files:
    """2022."""
    signal = _sine(n, positive, 4000)
    places = ("AV", "MV")
    lines = [f"{record} {len(places)} 4000"]
    lines += [
        f"{location} {record}_{location}.hea {record}_{location}.wav {record}_{location}.tsv" for location in places
    ]
    lines += [
        "#Age: Child",
        f"#Sex: {('Female', 'Male')[n % 2]}",
        f"#Height: {100 + n % 24}.0",
        f"#Weight: {20 + n % 24}.0",
    ]
    # all classes occur: some programs expect each of them
    murmur = "Present" if positive else "Unknown" if n % 8 == 3 else "Absent"
    lines += ["#Pregnancy status: False", f"#Murmur: {murmur}"]
    lines += [f"#Outcome: {'Abnormal' if positive else 'Normal'}"]
    files = {f"{record}.txt": "".join(f"{line}\n" for line in lines).encode()}
    for location in places:
        name = f"{record}_{location}"
        files[f"{name}.hea"] = _header(name, f"{name}.wav", "16+44", (location,), 4000, signal, ())
        files[f"{name}.wav"] = _wav(signal, 4000)
        files[f"{name}.tsv"] = b"0.1\t0.2\t1\n"
    return files


def _brain_waves(record: str, n: int, positive: bool) -> Files:
    """2023."""
    signal = _sine(n, positive, 3000)
    lines = [
        f"Patient: {record}",
        "Hospital: A",
        f"Age: {50 + n % 24}",
        f"Sex: {('Female', 'Male')[n % 2]}",
        "ROSC: 20",
    ]
    lines += ["OHCA: True", "Shockable Rhythm: True", "TTM: 33"]
    lines += [f"Outcome: {'Poor' if positive else 'Good'}", f"CPC: {5 if positive else 1}"]
    name, channels = f"{record}_001_004_EEG", ("F3", "P3", "F4", "P4")
    comments = ["#Utility frequency: 60", "#Start time: 4:00:00", "#End time: 4:00:30"]
    return {
        f"{record}/{record}.txt": "".join(f"{line}\n" for line in lines).encode(),
        f"{record}/{name}.hea": _header(name, f"{name}.mat", "16+24", channels, 100, signal, comments),
        f"{record}/{name}.mat": _mat(signal, len(channels)),
    }


def _images(record: str, n: int, positive: bool) -> Files:
    """2024."""
    signal = _sine(n, positive, 250)
    comments = [f"# Labels: {'MI' if positive else 'NORM'}", f"# Image: {record}-0.png"]
    return {
        f"{record}.hea": _header(record, f"{record}.dat", "16", LEADS, 500, signal, comments),
        f"{record}.dat": _dat(signal, len(LEADS)),
        f"{record}-0.png": _png(signal),
    }


def _chagas(record: str, n: int, positive: bool) -> Files:
    """2025."""
    signal = _beats(n, positive, 4000, 400)
    comments = [f"# Age: {41 + n % 24}", f"# Sex: {('Female', 'Male')[n % 2]}", f"# Chagas label: {positive}"]
    header = _header(record, f"{record}.dat", "16", LEADS, 400, signal, [*comments, "# Source: own"])
    return {f"{record}.hea": header, f"{record}.dat": _dat(signal, len(LEADS))}


def _sleep(record: str, n: int, positive: bool) -> Files:
    """2026; the table is `_table`'s.  Six epochs, in which all stages occur, and which no two records have alike: many
    programs cannot train with a column that is constant."""
    dice = np.random.RandomState(n)  # the stream of this old generator never changes
    seconds, rate = 30 * len(_STAGES), 128
    wave = np.array(_sine(n, positive, seconds * rate), dtype=float)
    names = ("f3-m2", "f4-m1", "c3-m2", "c4-m1", "e1-m2", "e2-m1", "chin1-chin2", "lat", "ecg", "airflow", "spo2")
    signals = {
        name: _Channel(values=wave + dice.randint(-60, 61, wave.size), rate=30 * rate, unit="uV", most=3200)
        for name in names
    }
    stages = dice.permutation(np.array(_STAGES, dtype=float))
    events = (dice.randint(0, 20, seconds) == 0).astype(float)
    algorithms = {
        **{f"{name}_caisr": _Channel(values=np.roll(events, k), rate=30) for k, name in enumerate(_EVENTS)},
        "stage_caisr": _Channel(values=stages, rate=1, most=10),
        **{
            f"caisr_prob_{name}": _Channel(
                values=(stages == stage) * 0.6 + dice.randint(1, 10, stages.size) / 50, rate=1
            )
            for stage, name in enumerate(("n3", "n2", "n1", "r", "w"), 1)
        },
        "caisr_prob_arous": _Channel(values=0.1 + events / 2, rate=30),
    }
    return {
        f"physiological_data/{record}.edf": _edf(signals),
        f"algorithmic_annotations/{record}_caisr_annotations.edf": _edf(algorithms),
    }


def _table(rows: Sequence[tuple[str, int, bool]]) -> Files:
    """The demographics of 2026."""
    # the official program looks up how many people of an age are ill, in the training data too: those have every age
    lines = ["SiteID,BDSPPatientID,BidsFolder,SessionID,Age,Sex,Race,Ethnicity,BMI,Cognitive_Impairment"]
    for record, n, positive in rows:
        site, _, name = record.partition("/")
        folder, _, session = name.partition("_ses-")
        lines.append(
            f"{site},{folder.removeprefix('sub-')},{folder},{session},{60 + n % 24},{('Female', 'Male')[n % 2]},White,"
            f"Not Hispanic,2{n % 7}.5,{positive}"
        )
    return {"demographics.csv": "".join(f"{line}\n" for line in lines).encode()}


_MAKERS: Mapping[ContractName, Callable[[str, int, bool], Files]] = {
    ContractName.PHYSIONET_2020: _matrix,
    ContractName.PHYSIONET_2021: _matrix,
    ContractName.PHYSIONET_2022: _heart_sounds,
    ContractName.PHYSIONET_2023: _brain_waves,
    ContractName.PHYSIONET_2024: _images,
    ContractName.PHYSIONET_2025: _chagas,
    ContractName.PHYSIONET_2026: _sleep,
}
SAMPLED = tuple(_MAKERS)
"""The contracts that there are sample data for."""
_RECORDS: Mapping[ContractName, str] = {
    ContractName.PHYSIONET_2022: "{:05d}",
    ContractName.PHYSIONET_2026: "S0001/sub-S0001{:05d}_ses-1",
}
"""Patterns of the names of records, by their number."""


def samples(contract: ContractName, first: int, count: int) -> Files:
    """The files of some records with their labels, and a list ``RECORDS``; every fourth record is positive."""
    rows = [(_RECORDS.get(contract, "r{:04d}").format(n), n, n % 4 == 1) for n in range(first, first + count)]
    files: Files = {"RECORDS": "".join(f"{record}\n" for record, _, _ in rows).encode()}
    for row in rows:
        files |= _MAKERS[contract](*row)
    return files | (_table(rows) if contract is ContractName.PHYSIONET_2026 else {})


_TEMPLATE = "physionet"
_PARTS = {"training": (1, 24), "validation": (201, 4), "test": (101, 20)}
"""Part -> the number of its first record, and how many it has."""


def write_challenge(folder: Path, contract: ContractName, name: str = "") -> None:
    """Write a challenge whose entries are those of a contract, into a folder that exists.

    ``name``: of the challenge, by default the folder's.
    """
    words = {
        "NAME": name or folder.name,
        "CONTRACT": contract.value,
        "MODE": "record" if TERMS[contract].one_mode else "set",
        "ISOLATION": "snapshot" if TERMS[contract].one_mode else "namespace",  # libraries are imported once either way
        "YEAR = 2025": f"YEAR = {contract.value[-4:]}",
    }
    for path in sorted((data_folder("challenges") / "_templates" / _TEMPLATE).iterdir()):
        if path.is_file():
            text = path.read_text()
            for word, value in words.items():
                text = text.replace(word, value)
            (folder / path.name).write_text(text)
    for part, (first, count) in _PARTS.items():
        for file, content in samples(contract, first, count).items():
            target = folder / "sample_data" / part / file
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)


def new_challenge(folder: Path, contract: ContractName) -> list[str]:
    """Write that challenge into a new folder; returns the next steps, as lines.

    Raises UsageError if the folder exists, or its name is not valid.
    """
    check_name(folder)
    with new_folder(folder) as part:
        write_challenge(part, contract, folder.name)
    return [
        f"{folder}: a challenge for entries of {contract}",
        f"  {folder}/{FILE}   the definition: limits, where the data are",
        f"  {folder}/metric.py        the score of the year",
        f"  evaluate challenge check {folder}",
        f"  evaluate try ENTRY --challenge {folder}",
    ]


def sample_challenge(state: Path, contract: ContractName) -> Path:
    """The folder of that challenge in a state directory; written again, as a whole, each time."""
    top = state / "contracts"
    top.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".part-", dir=top) as scratch:
        made, target = Path(scratch) / contract.value, top / contract.value
        made.mkdir()
        write_challenge(made, contract, contract.value)
        if (target / FILE).is_file() and _same(made, target):
            return target
        discard_tree(target)
        made.rename(target)
    return target


def _same(first: Path, other: Path) -> bool:
    names = [sorted(path.relative_to(top) for path in top.rglob("*") if path.is_file()) for top in (first, other)]
    return names[0] == names[1] and all((first / name).read_bytes() == (other / name).read_bytes() for name in names[0])
