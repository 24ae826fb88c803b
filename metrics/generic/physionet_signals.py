"""Signals that were read from images: signal-to-noise ratio as in the PhysioNet Challenge 2024.

Conventions
-----------
References and answers are folders of WFDB records, ``<record>.hea`` with its signal files, in mV; a record may lie in
a folder below.  Channels belong together by name, whatever its case.

For each channel the answer is moved in time and level to where it agrees best with the reference, if that is not more
than 0.5 s and 1 mV: both signals become pictures of 256 levels, smoothed, and the largest value of their correlation
says how far.  Then 10 log10 (mean s² / mean (s - e)²) over samples that both have, times their share of the
reference's.  The score is the mean over the channels of all records.

* *Missing* records, and channels without a sample: 0.
* *Missing channels* of a record: 0; by the official rules the answer is zero everywhere.
* *Equal signals* have no noise: 100 dB, which no other channel exceeds; by the official rules they are left out.
* *Early answers*: the official program moves the first k samples of an answer that is k samples early, and drops the
  others; by the corrected rules all are moved.
* Without any answer the official value is not defined.
* Other sampling frequencies or units end the official program, and are refused.

Source: physionetchallenges/evaluation-2024 1a513547; formulas in our own words.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy import ndimage, signal

from metrics.base import AnswerError, Given, MetricError, Note, ReferenceDataError
from metrics.generic.base import Floats, Measured, Values, by_name, ratio, sums
from metrics.generic.options import one_of, option
from metrics.generic.physionet import Official
from metrics.generic.tables import LARGEST, answer_notes, clusters_beside, listed_names, require_all
from metrics.readers.cases import Case
from metrics.readers.files import Refuse, check_records, list_names, require_no_pointer
from metrics.readers.wfdb_files import Header, length_of, read_header
from metrics.statistics.workers import map_records

_LEVELS = 256
_DEPTH = 4
"""Folders below the given one."""
_MOST_SHIFT_SECONDS, _MOST_SHIFT_MV = 0.5, 1.0
MAX_SAMPLES = 1 << 24
"""Samples of all channels of a record."""
_MOST_TIMES = 4
"""Length of an answer, in lengths of its reference: its picture must fit into memory."""
PERFECT_DB = 100.0
_FS_HZ = 250.0
"""Sampling frequency of a header that states none."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Signals:
    """One record."""

    channels: tuple[str, ...]
    fs_hz: float
    values: Floats
    """In mV, shape (samples, channels)."""


@dataclass(frozen=True, kw_only=True)
class Snr2024(Official):
    """Mean signal-to-noise ratio in dB."""

    measure = "physionet.snr2024"
    align: str = option("best", one_of("best", "none"), "whether answers are moved in time and level first")

    def measured(self, given: Given) -> Measured:
        references, answers = given.references, given.answers

        def record_of(path: Path) -> str | None:
            return str(path.relative_to(answers).with_suffix("")) if path.suffix == ".hea" else None

        references_of = _headers(references, ReferenceDataError)
        answered = _headers(answers, AnswerError, given.refusal(record_of))
        names = check_records(listed_names(references_of, given.records), file=references)
        require_all(names, references_of, "a header for every record of the list", references)
        notes = answer_notes(names, answered, "0 dB", answers, references_of)

        given.answered.update(answered)
        given.require_answered("a <record>.hea")
        files = [Case(record=name, reference=references_of[name], answer=answered.get(name)) for name in names]

        def ratios(of: Case) -> dict[str, float]:
            truth = read_signals(of.reference, ReferenceDataError, record=of.record)
            answer = read_signals(of.answer, AnswerError, record=of.record) if of.answer is not None else None
            return self.ratios_of(truth, answer, of.record)

        ratios_by_record = map_records(given.with_usable(ratios), files, workers=given.workers, progress=given.progress)
        rows = np.array([[math.fsum(row.values()), len(row)] for row in (_defined(each) for each in ratios_by_record)])
        nothing = self.official and not any(name in answered for name in names)
        if perfect := sum(len(each) - len(_defined(each)) for each in ratios_by_record):
            notes += (Note(f"{perfect} channels are equal to the reference's and left out"),)

        def formula(total: Floats) -> Values:
            value = ratio(total[:, 0], total[:, 1])
            return {"snr_db": np.full_like(value, math.nan) if nothing else value}

        return Measured(
            records=clusters_beside(references, names),
            statistic=sums(rows, formula),
            per_record={name: _defined(each) for name, each in zip(names, ratios_by_record, strict=True)},
            notes=notes,
        )

    def ratios_of(self, truth: Signals, answer: Signals | None, record: str) -> dict[str, float]:
        """The ratio of each channel in dB; NaN where it is left out."""
        if answer is None:
            return dict.fromkeys(truth.channels, 0.0)
        if answer.fs_hz != truth.fs_hz:
            raise AnswerError(f"expected {truth.fs_hz:g} samples a second, found {answer.fs_hz:g}", record=record)
        if len(answer.values) > (most := _MOST_TIMES * len(truth.values)):
            raise AnswerError(f"expected at most {most:,} samples, found {len(answer.values):,}", record=record)
        channel_of = {name.casefold(): k for k, name in enumerate(answer.channels)}
        ratios = {}
        for k, name in enumerate(truth.channels):
            expected = truth.values[:, k]
            answered = np.full(len(answer.values), 0.0 if self.official else math.nan)
            if name.casefold() in channel_of:
                answered = answer.values[:, channel_of[name.casefold()]]
            if self.align == "best":
                answered = aligned(expected, answered, truth.fs_hz, official=self.official)
            value = snr_db(expected, answered, official=self.official)
            ratios[name] = min(value, PERFECT_DB) if not self.official else math.nan if math.isinf(value) else value
        return ratios


def _defined(ratios: dict[str, float]) -> dict[str, float]:
    return {name: value for name, value in ratios.items() if not math.isnan(value)}


def snr_db(reference: Floats, answer: Floats, *, official: bool = False) -> float:
    """Signal-to-noise ratio in dB of samples that both have, times their share of the reference's.

    0 where they have none in common, or the reference is 0 in these; `PERFECT_DB` without noise; NaN where all of the
    reference is 0 or it has no sample.  With ``official`` NaN where it is 0 in these, and infinite without noise.
    """
    n = min(reference.size, answer.size)
    finite = np.isfinite(reference)
    both = finite[:n] & np.isfinite(answer[:n])
    if not both.any():
        return 0.0 if finite.any() else math.nan
    truth = reference[:n][both]
    power, noise = float(np.mean(truth**2)), float(np.mean((truth - answer[:n][both]) ** 2))
    if not power:
        return math.nan if official or not reference[finite].any() else 0.0
    ratio_db = 10 * math.log10(power / noise) if noise else math.inf if official else PERFECT_DB
    return ratio_db * float(both.sum() / finite.sum())


def aligned(reference: Floats, answer: Floats, fs_hz: float, *, official: bool = False) -> Floats:
    """The answer moved to where it agrees best, see the module; as it is where that is too far.

    With ``official``, of an answer that is too early by k samples only the first k are left.
    """
    finite = [np.isfinite(each) for each in (reference, answer)]
    if not all(each.any() for each in finite):
        return answer
    low = min(float(each[used].min()) for each, used in zip((reference, answer), finite, strict=True))
    high = max(float(each[used].max()) for each, used in zip((reference, answer), finite, strict=True))
    if high <= low:
        return answer
    length = max(reference.size, answer.size)
    pictures = []
    for each, used in zip((reference, answer), finite, strict=True):
        picture = np.zeros((_LEVELS, length))
        levels = np.round((_LEVELS - 1) * (each[used] - low) / (high - low) + 1).astype(np.int64)
        picture[np.clip(levels, 1, _LEVELS) - 1, np.flatnonzero(used)] = 1
        pictures.append(ndimage.gaussian_filter(picture, 0.5))
    cross = signal.fftconvolve(pictures[0], pictures[1][::-1, ::-1])
    level, time = np.unravel_index(int(np.argmax(cross)), cross.shape)
    # the reference agrees best with itself where nothing is moved
    samples = length - 1 - int(time)
    millivolts = (_LEVELS - 1 - int(level)) / (_LEVELS - 1) * (high - low)
    if abs(samples) > round(_MOST_SHIFT_SECONDS * fs_hz) or abs(millivolts) > _MOST_SHIFT_MV:
        return answer
    gap = np.full(abs(samples), math.nan)
    moved = np.concatenate(
        [gap, answer[: -samples if official else samples]] if samples < 0 else [answer[samples:], gap]
    )
    return np.asarray(moved - millivolts)


def read_signals(header: Path, error: type[MetricError], *, record: str) -> Signals:
    """The signals of a WFDB record, in mV.

    Raises ``error`` for a damaged record, files elsewhere than beside the header, too many samples, another unit than
    mV, or two channels of one name.
    """

    def fail(reason: str) -> MetricError:
        return error(reason, file=header, record=record)

    text = read_header(header, record, error)
    # an answer that names the reference's file would agree with it
    for name in dict.fromkeys(words[0] for words in text.lines[1:]):
        path = header.parent / name
        require_no_pointer(path, error, record=record)
        linked = path.is_symlink() and error is AnswerError
        if Path(name).name != name or not path.is_file() or linked:
            raise fail(f"expected signals in files beside the header, found {name[:80]!r}")
    samples, channels, lines = length_of(header, text, record, error), int(text.lines[0][1]), len(text.lines) - 1
    if channels != lines:
        raise fail(f"expected a line for each of {channels} signals, found {lines}")
    try:
        read = _read(header.parent, text, samples)
    except Exception as reason:  # wfdb raises anything over a damaged file
        raise fail(f"expected a WFDB record, cannot read it: {reason or type(reason).__name__}") from None
    if read.p_signal is None or not len(read.p_signal):
        raise fail("expected at least one sample, found none")
    if (np.abs(read.p_signal) > LARGEST).any():
        raise fail(f"expected signals up to {LARGEST:g} mV, found larger ones: is the gain right?")
    names = tuple(map(str, read.sig_name))
    if len({name.casefold() for name in names}) < len(names):
        raise fail(f"expected every channel once, found {', '.join(names)[:120]}")
    if wrong := next((unit for unit in read.units if unit != "mV"), None):
        raise fail(f"expected signals in mV, found {str(wrong)[:40]!r}")
    return Signals(channels=names, fs_hz=float(read.fs), values=np.asarray(read.p_signal, np.float64))


def _read(folder: Path, header: Header, samples: int) -> Any:
    """The record that `wfdb.rdrecord` would return, which stops at names with a suffix and dates in words.

    A plain header beside the signals would need a folder that can be written to; behind walls there is none.
    """
    import wfdb  # noqa: PLC0415  # a second, and most metrics read no signals
    from wfdb.io import _header, _signal  # noqa: PLC0415

    (_, _, *more), *lines = header.lines
    signals = _header._parse_signal_lines([" ".join(words) for words in lines])
    every = list(range(len(lines)))
    frames = zip(signals["samps_per_frame"], signals["skew"], strict=True)
    if sum(size * (samples + abs(skew or 0)) for size, skew in frames) > MAX_SAMPLES:
        raise ValueError(f"it declares more than {MAX_SAMPLES:,} samples")
    layout = ("file_name", "fmt", "byte_offset", "samps_per_frame", "skew", "init_value")
    samples_of = _signal._rd_segment(
        dir_name=str(folder),
        pn_dir=None,
        n_sig=len(lines),
        sig_len=samples,
        sampfrom=0,
        sampto=samples,
        channels=every,
        ignore_skew=False,
        **{name: signals[name] for name in layout},
    )
    stated = re.match("[0-9.]+", more[0]) if more else None
    fs_hz = float(stated[0]) if stated else _FS_HZ
    record = wfdb.Record(e_d_signal=samples_of, n_sig=len(lines), fs=fs_hz, sig_len=samples, **signals)
    record._arrange_fields(channels=every, sampfrom=0, smooth_frames=True)
    record.dac(expanded=False, inplace=True)
    return record


def _headers(folder: Path, error: type[MetricError], refuse: Refuse | None = None) -> dict[str, Path]:
    names = (name for name in list_names(folder, error, depth=_DEPTH, refuse=refuse) if name.endswith(".hea"))
    path_of = {name.removesuffix(".hea"): folder / name for name in names}
    if not path_of and error is ReferenceDataError:
        raise error("expected at least one <record>.hea, found none", file=folder)
    return path_of


MEASURES = by_name(Snr2024)
