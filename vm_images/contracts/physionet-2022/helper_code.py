"""The helper functions of 2022, under the names and with the results that the year gives them."""

import os
from functools import partial

import numpy as np
import scipy as sp  # noqa: F401 - programs of teams get these by `from helper_code import *`
import scipy.io
import scipy.io.wavfile
from _challenge import _write_lines, is_finite_number, is_integer, is_number, load_text


def compare_strings(x, y):
    """Whether texts are equal but for capitals and blanks around them."""
    return str(x).strip().casefold() == str(y).strip().casefold()


def find_patient_files(data_folder):
    """The files of patients, by number if their names are numbers, else by name."""
    stems = (os.path.splitext(name) for name in os.listdir(data_folder))
    found = sorted(stem for stem, end in stems if end == ".txt" and not stem.startswith("."))
    if all(map(is_integer, found)):
        found.sort(key=int)
    return [os.path.join(data_folder, f"{stem}.txt") for stem in found]


load_patient_data = load_text


def load_wav_file(filename):
    """The samples of a recording, and their number in a second."""
    frequency, recording = scipy.io.wavfile.read(filename)
    return recording, frequency


def load_recordings(data_folder, data, get_frequencies=False):
    """The recordings that a patient's text names; on demand with their frequencies."""
    words = (line.split(" ") for line in data.split("\n")[1 : get_num_locations(data) + 1])
    found = [load_wav_file(os.path.join(data_folder, one[2])) for one in words]
    recordings = [recording for recording, _ in found]
    return (recordings, [frequency for _, frequency in found]) if get_frequencies else recordings


def _first(data, number, convert):
    """A word of the first line; None if it is missing or something else."""
    try:
        return convert(data.split("\n", 1)[0].split(" ")[number])
    except (IndexError, ValueError):
        return None


get_patient_id = partial(_first, number=0, convert=str)
get_num_locations = partial(_first, number=1, convert=int)
get_frequency = partial(_first, number=2, convert=float)  # samples of a recording in a second


def get_locations(data):
    """Where the recordings were made."""
    return [line.split(" ")[0] for line in data.split("\n")[1 : get_num_locations(data) + 1]]


def _comment(data, name, convert=str.strip):
    """What follows the name, a colon and a blank in a comment; None if there is none, or nothing that can be it."""
    found = None
    for line in data.split("\n"):
        if line.startswith(f"#{name}:"):
            try:
                found = convert(line.split(": ")[1])
            except (IndexError, ValueError):
                continue
    return found


get_age = partial(_comment, name="Age")  # the group of age as it is written
get_sex = partial(_comment, name="Sex")
get_height = partial(_comment, name="Height", convert=float)  # the height, in cm
get_weight = partial(_comment, name="Weight", convert=float)  # the weight, in kg


def get_pregnancy_status(data):
    """Whether the patient is pregnant."""
    return _comment(data, "Pregnancy status", lambda text: bool(sanitize_binary_value(text)))


def _label(data, name):
    found = _comment(data, name, str)
    if found is None:
        raise ValueError(f"no #{name}: hidden data have no labels")
    return found


get_murmur = get_label = partial(_label, name="Murmur")  # the second until May 2022
get_outcome = partial(_label, name="Outcome")


def _bare(x):
    return str(x).replace('"', "").replace("'", "").strip()


def sanitize_binary_value(x):
    """1 for one and true, 0 for all else."""
    text = _bare(x)
    return int((is_finite_number(text) and float(text) == 1) or text in ("True", "true", "T", "t"))


def sanitize_scalar_value(x):
    """A number that may be infinite, 0 for all else."""
    text = _bare(x)
    return float(text) if is_number(text) and not np.isnan(float(text)) else 0.0


def save_challenge_outputs(filename, patient_id, classes, labels, probabilities):
    """Write the answer for a patient."""
    _write_lines(filename, patient_id, classes, labels, probabilities)


def load_challenge_outputs(filename):
    """An answer: the patient, classes, labels, probabilities."""
    first, classes, labels, probabilities = load_text(filename).splitlines()[:4]
    return (
        first.replace("#", "").strip(),
        tuple(one.strip() for one in classes.split(",")),
        tuple(map(sanitize_binary_value, labels.split(","))),
        tuple(map(sanitize_scalar_value, probabilities.split(","))),
    )
