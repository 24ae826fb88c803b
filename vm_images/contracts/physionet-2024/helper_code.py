"""The helper functions of 2024, under the names and with the results that the year gives them."""

import os
import sys  # noqa: F401 - programs of teams get these by `from helper_code import *`
from functools import partial

import numpy as np
import scipy as sp  # noqa: F401
import wfdb
from _challenge import (  # noqa: F401
    _of_signals,
    _variables,
    find_records,
    get_header_file,
    get_num_samples,
    get_num_signals,
    get_record_name,
    get_sampling_frequency,
    get_signal_names,
    is_finite_number,
    is_integer,
    is_nan,
    is_number,
    load_header,
    load_text,
    normalize_names,
    reorder_signal,
    save_text,
)
from scipy.ndimage import gaussian_filter
from scipy.signal import fftconvolve

substring_labels = "# Labels:"
substring_images = "# Image:"


def get_variable(string, variable_name):
    """What the last line with a name says, and whether there is one."""
    found = _variables(string, variable_name)
    return (found[-1], True) if found else ("", False)


def get_variables(string, variable_name, sep=","):
    """What all lines with a name say, and whether there is one."""
    found = _variables(string, variable_name)
    return [part.strip() for line in found for part in line.split(sep)], bool(found)


def _needed(string, variable_name):
    found, there = get_variables(string, variable_name)
    if not there:
        raise ValueError(f"no {variable_name!r} in the header: hidden data have no labels")
    return found


get_labels_from_header = partial(_needed, variable_name=substring_labels)  # the labels


def load_labels(record):
    """The labels of a record."""
    return get_labels_from_header(load_header(record))


get_image_files_from_header = partial(_needed, variable_name=substring_images)  # the names of the images


def get_signal_files_from_header(string):
    """The names of the files of signals."""
    lines = string.split("\n")
    named = []
    for line in lines[1 : int(lines[0].split(" ")[1]) + 1]:
        if line.startswith("#"):
            break
        named.append(line.split(" ")[0].strip())
    return list(dict.fromkeys(named))


def _named(record, read):
    header = get_header_file(record)
    return read(load_text(header)) if os.path.isfile(header) else []


get_image_files = partial(_named, read=get_image_files_from_header)  # the names of a record's images
get_signal_files = partial(_named, read=get_signal_files_from_header)  # the names of a record's files of signals


def load_signals(record):
    """The signals of a record in physical units, and what its header says; None twice without files of signals."""
    names = get_signal_files(record)
    there = all(os.path.isfile(os.path.join(os.path.dirname(record), name)) for name in names)
    return wfdb.rdsamp(record) if names and there else (None, None)


def load_images(record):
    """The images of a record that there are."""
    from PIL import Image

    places = (os.path.join(os.path.dirname(record), name) for name in get_image_files(record))
    return [Image.open(place) for place in places if os.path.isfile(place)]


def save_header(record, header):
    """Write the header of a record."""
    save_text(get_header_file(record), header)


def save_labels(record, labels):
    """Add labels to the header of a record; returns it."""
    header = f"{load_header(record)}{substring_labels} {', '.join(labels)}\n"
    save_header(record, header)
    return header


def save_signals(record, signal, comments=()):
    """Write signals as the header of the record says, which must be there already."""
    header = load_header(record)
    folder, name = os.path.split(record)
    wfdb.wrsamp(
        name,
        fs=get_sampling_frequency(header),
        units=get_signal_units(header),
        sig_name=get_signal_names(header),
        p_signal=signal,
        fmt=get_signal_formats(header),
        adc_gain=get_adc_gains(header),
        baseline=get_baselines(header),
        comments=[comment.replace("#", "").strip() for comment in comments],
        write_dir=folder,
    )


def get_signal_formats(string):
    """The formats of the signals, without factors, skews and offsets."""
    return [word.split("x")[0].split(":")[0].split("+")[0] for word in _of_signals(string, 1)]


def get_adc_gains(string):
    """The gains of the signals."""
    return [float(word.split("/")[0].split("(")[0]) for word in _of_signals(string, 2)]


def get_baselines(string):
    """The values that stand for zero; those of the converter where none are given."""
    words = [word.split("/")[0] for word in _of_signals(string, 2)]
    zeros = get_adc_zeros(string) if any("(" not in word for word in words) else words
    return [
        int(word.split("(")[1].split(")")[0]) if "(" in word else zero for word, zero in zip(words, zeros, strict=True)
    ]


def get_signal_units(string):
    """The units of the signals."""
    return [word.split("/")[1] if "/" in word else "mV" for word in _of_signals(string, 2)]


def _integers(string, position):
    return [int(word) for word in _of_signals(string, position)]


get_adc_resolutions = partial(_integers, position=3)  # the bits of the converter
get_adc_zeros = partial(_integers, position=4)  # the zeros of the converter
get_initial_values = partial(_integers, position=5)  # the first values
get_checksums = partial(_integers, position=6)  # the sums
get_block_sizes = partial(_integers, position=7)  # the sizes of blocks


def compute_one_hot_encoding(data, classes):
    """A row for each list of labels with True at the classes that are in it."""
    found = np.zeros((len(data), len(classes)), dtype=np.bool_)
    for row, labels in zip(found, data, strict=True):
        row[:] = [any(one == label or (is_nan(one) and is_nan(label)) for label in labels) for one in classes]
    return found


def compute_one_vs_rest_confusion_matrix(labels, outputs, classes):
    """For each class [[TP, FP], [FN, TN]]."""
    truth, said = np.asarray(labels), np.asarray(outputs)
    assert truth.shape == said.shape, "expected as many outputs as labels"
    found = np.zeros((len(classes), 2, 2))
    for i, output in enumerate((1, 0)):
        for j, label in enumerate((1, 0)):
            found[:, i, j] = np.sum((truth == label) & (said == output), axis=0)
    return found


def compute_f_measure(labels, outputs):
    """The mean F-measure of the classes that are labels, that of each, and these classes."""
    classes = sorted(set().union(*map(set, labels)))
    truth, said = compute_one_hot_encoding(labels, classes), compute_one_hot_encoding(outputs, classes)
    counts = compute_one_vs_rest_confusion_matrix(truth, said, classes)
    tp, wrong = counts[:, 0, 0], counts[:, 0, 1] + counts[:, 1, 0]
    each = np.full(len(classes), np.nan)
    np.divide(2 * tp, 2 * tp + wrong, out=each, where=2 * tp + wrong > 0)
    return (np.nanmean(each) if np.any(np.isfinite(each)) else float("nan")), each, classes


def convert_signal(x, num_quant_levels, min_amp, max_amp, max_t):
    """A signal as an image: 1 at its level, at each time where it is finite."""
    time = np.flatnonzero(np.isfinite(x))
    level = np.round((num_quant_levels - 1) * (x[time] - min_amp) / (max_amp - min_amp) + 1).astype(int)
    found = np.zeros((num_quant_levels, max_t))
    found[np.clip(level, 1, num_quant_levels) - 1, time] = 1
    return found


def fft_correlate(A_ref, A_est):
    """The correlation of two images at all shifts."""
    return fftconvolve(A_ref, A_est[::-1, ::-1], mode="full")


def _peak(image):
    return np.unravel_index(np.argmax(image), image.shape)


def align_signals(x_ref, x_est, num_quant_levels, smooth=True, sigma=0.5):
    """The second signal where it fits the first best, and by how many samples and units it was moved."""
    if not (np.any(np.isfinite(x_ref)) and np.any(np.isfinite(x_est))):
        return x_est.copy(), 0, 0
    low, high = min(np.nanmin(x_ref), np.nanmin(x_est)), max(np.nanmax(x_ref), np.nanmax(x_est))
    size = max(np.size(x_ref), np.size(x_est))
    ref, est = (convert_signal(x, num_quant_levels, low, high, size) for x in (x_ref, x_est))
    if smooth:
        ref, est = gaussian_filter(ref, sigma), gaussian_filter(est, sigma)
    own, other = _peak(fft_correlate(ref, ref)), _peak(fft_correlate(ref, est))
    up = (own[0] - other[0]) / (num_quant_levels - 1) * (high - low)
    right = own[1] - other[1]
    gap = np.full(abs(right), np.nan)
    parts = (gap, x_est[:-right]) if right < 0 else (x_est[right:], gap)  # so there, also to the right
    return np.concatenate(parts) - up, right, up


def _compared(x_ref, x_est, keep_nans):
    """Two signals of one length, where both are finite; or where the first is, with zeros in the second."""
    size = max(np.size(x_ref), np.size(x_est))
    ref, est = (np.full(size, np.nan) for _ in range(2))
    ref[: np.size(x_ref)], est[: np.size(x_est)] = x_ref, x_est
    finite = np.isfinite(ref)
    if keep_nans:
        both = finite & np.isfinite(est)
        return ref[both], est[both], np.sum(both), np.sum(finite)
    est[~np.isfinite(est)] = 0
    return ref[finite], est[finite], np.sum(finite), np.sum(finite)


def compute_snr(x_ref, x_est, keep_nans=True, signal_median=False, noise_median=False):
    """The ratio of signal to noise in dB, times the share that is finite; the powers of signal and noise."""
    ref, est, used, finite = _compared(x_ref, x_est, keep_nans)
    middle = {False: np.mean, True: np.median}
    signal = middle[signal_median](ref**2) if used else float("nan")
    noise = middle[noise_median]((ref - est) ** 2) if used else float("nan")
    ratio = 0 if not used and finite else float("nan")
    if signal > 0 and noise > 0:
        ratio = 10 * np.log10(signal / noise)
    return (ratio * (used / finite) if keep_nans else ratio), signal, noise


def compute_ks_metric(x_ref, x_est, keep_nans=True):
    """1 less the largest difference of the shares of the sums of absolute values."""
    sums = [np.cumsum(np.abs(x)) for x in _compared(x_ref, x_est, keep_nans)[:2]]
    shares = [one / one[-1] if one[-1] > 0 else one for one in sums]
    return 1.0 - np.max(np.abs(shares[0] - shares[1]))


def compute_asci_metric(x_ref, x_est, beta=0.05, keep_nans=True):
    """The mean of 1 where the noise is below a share of the signal's deviation, and of -1 elsewhere."""
    if not 0 < beta <= 1:
        raise ValueError(f"expected beta above 0 and at most 1, found {beta}")
    ref, est = _compared(x_ref, x_est, keep_nans)[:2]
    return np.mean(np.where(np.abs(ref - est) <= beta * np.std(ref), 1.0, -1.0))


def compute_weighted_absolute_difference(x_ref, x_est, sampling_frequency, keep_nans=True):
    """The mean absolute difference with weights that are smaller where the signal is high."""
    from scipy.signal import filtfilt

    ref, est = _compared(x_ref, x_est, keep_nans)[:2]
    width = round(0.1 * sampling_frequency)
    smooth = filtfilt(np.ones(width), width, ref, method="gust")
    weight = 1 - 0.5 / np.max(smooth) * smooth
    return np.sum(np.abs(ref - est) * weight) / np.sum(weight)


def cast_int_float_unknown(x):
    """A whole number, a number, or the word Unknown for others."""
    if is_integer(x):
        return int(x)
    if is_finite_number(x):
        return float(x)
    if is_number(x):
        return "Unknown"
    raise NotImplementedError(f"{x!r}: expected a number")
