"""The helper functions of 2021, under the names and with the results that the year gives them."""

import os
from functools import partial

import numpy as np
from _challenge import _write_lines, is_finite_number, is_integer, is_number, load_text  # noqa: F401

_TWELVE = ("I", "II", "III", "aVR", "aVL", "aVF", "V1", "V2", "V3", "V4", "V5", "V6")


def sort_leads(leads):
    """Leads in the usual order of twelve; others follow in the order that they have."""
    order = {lead: n for n, lead in enumerate(_TWELVE)}
    return tuple(sorted(leads, key=lambda lead: order.get(lead, len(order) + list(leads).index(lead))))


def find_challenge_files(data_directory):
    """The headers, and the recordings beside them, in the order of their names."""
    stems = (os.path.splitext(name) for name in sorted(os.listdir(data_directory)))
    places = [os.path.join(data_directory, stem) for stem, end in stems if end == ".hea" and not stem.startswith(".")]
    found = [place for place in places if os.path.isfile(f"{place}.mat")]
    return [f"{place}.hea" for place in found], [f"{place}.mat" for place in found]


load_header = load_text


def load_recording(recording_file, header=None, leads=None, key="val"):
    """A recording as an array, leads by samples; with a header and leads, these leads of it."""
    from scipy.io import loadmat

    recording = loadmat(recording_file)[key]
    return choose_leads(recording, header, leads) if header and leads else recording


def choose_leads(recording, header, leads):
    """The rows of these leads; zero where the recording lacks one."""
    found = np.zeros((len(leads), np.shape(recording)[1]), recording.dtype)
    there = get_leads(header)
    for i, lead in enumerate(leads):
        if lead in there:
            found[i] = recording[there.index(lead)]
    return found


def _first(header, number, convert):
    """A word of the first line; None if it is missing or something else."""
    try:
        return convert(header.split("\n", 1)[0].split(" ")[number])
    except (IndexError, ValueError):
        return None


get_recording_id = partial(_first, number=0, convert=str)
get_num_leads = partial(_first, number=1, convert=float)
get_frequency = partial(_first, number=2, convert=float)  # samples of a lead in a second
get_num_samples = partial(_first, number=3, convert=float)  # samples of each lead


def _lead_lines(header):
    """The words of the line of each lead."""
    lines = header.split("\n")
    return [line.split(" ") for line in lines[1 : int(lines[0].split(" ")[1]) + 1]]


def get_leads(header):
    """The names of the leads."""
    return tuple(words[-1] for words in _lead_lines(header))


def _numbers(header, leads, position):
    """A number of the line of each of these leads; 0 where there is none."""
    found = np.zeros(len(leads))
    for words in _lead_lines(header):
        number = words[position].split("/")[0] if len(words) > position else ""
        if words[-1] in leads and is_number(number):
            found[list(leads).index(words[-1])] = float(number)
    return found


def get_adc_gains(header, leads):
    """The gains of these leads."""
    return _numbers(header, leads, 2)


def get_baselines(header, leads):
    """The zeros of these leads."""
    return _numbers(header, leads, 4)


def _comments(header, name):
    """What follows the name and a colon in comments; None for one that has nothing there."""
    found = [line.split(": ") for line in header.split("\n") if line.startswith(f"#{name}")]
    return [words[1].strip() if len(words) > 1 else None for words in found]


def get_age(header):
    """The age in years; NaN if it is no number, None if it is not there."""
    found = _comments(header, "Age")
    return None if not found else float(found[-1]) if is_number(found[-1]) else float("nan")


def get_sex(header):
    """The sex as it is written, or None."""
    return next((sex for sex in reversed(_comments(header, "Sex")) if sex is not None), None)


def get_labels(header):
    """The codes of the diagnoses."""
    return [code.strip() for codes in _comments(header, "Dx") if codes is not None for code in codes.split(",")]


def save_outputs(output_file, recording_id, classes, labels, probabilities):
    """Write the answer for a recording."""
    _write_lines(output_file, recording_id, classes, labels, probabilities)


def load_outputs(output_file):
    """An answer: the recording with its line's end, classes, labels as they are written, probabilities."""
    lines = load_text(output_file).splitlines(keepends=True)
    classes, labels, probabilities = ([word.strip() for word in line.split(",")] for line in lines[1:4])
    numbers = tuple(float(one) if is_finite_number(one) else float("nan") for one in probabilities)
    return (lines[0][1:] if len(lines[0]) > 1 else None), tuple(classes), tuple(labels), numbers
