"""The helper functions of 2023, under the names and with the results that the year gives them."""

import math
import os
from functools import partial

import numpy as np
import scipy as sp  # noqa: F401 - programs of teams get these by `from helper_code import *`
import scipy.io
from _challenge import (
    _bare,
    _integer,
    _scalar,
    _truth,
    is_finite_number,  # noqa: F401
    is_integer,
    is_nan,
    is_number,
    load_text,
    save_text,
)

_WORDS = ("false", "f"), ("true", "t")


def remove_extra_characters(x):
    """Its text without quotes, square brackets and blanks."""
    return _bare(x, "\"'[] ")


def is_boolean(x):
    """Whether it says true or false."""
    return not is_nan(_truth(x, remove_extra_characters(x), *_WORDS))


def sanitize_boolean_value(x):
    """1, 0, or NaN for anything else."""
    text = remove_extra_characters(x)
    return _truth(text, text, *_WORDS)


def sanitize_integer_value(x):
    """A whole number, or NaN."""
    return _integer(remove_extra_characters(x))


def sanitize_scalar_value(x):
    """A number, or NaN."""
    return _scalar(remove_extra_characters(x))


def find_data_folders(root_folder):
    """The patients: folders with a text of the same name, in order."""
    names = sorted(os.listdir(root_folder))
    return [name for name in names if os.path.isfile(os.path.join(root_folder, name, f"{name}.txt"))]


load_text_file = load_text


def load_challenge_data(data_folder, patient_id):
    """The text of a patient."""
    return load_text(os.path.join(data_folder, patient_id, f"{patient_id}.txt"))


def find_recording_files(data_folder, patient_id):
    """A patient's recordings: names of headers without what follows the last underscore, in order."""
    stems = (os.path.splitext(name) for name in os.listdir(os.path.join(data_folder, patient_id)))
    return sorted({"_".join(stem.split("_")[:-1]) for stem, end in stems if end == ".hea" and stem[:1] != "."})


def load_recording_data(record_name, check_values=False):
    """The signals of a record in physical units, channels by samples; the channels; samples in a second."""
    header = record_name if os.path.splitext(record_name)[1] else f"{record_name}.hea"
    if not os.path.isfile(header):
        raise FileNotFoundError(f"{record_name}: no such recording")
    lines = [line.strip() for line in load_text(header).split("\n") if line.strip()]
    _, _, frequency, samples, *_ = lines[0].split(" ")
    signals = [[word.strip() for word in line.split(" ")] for line in lines[1:] if not line.startswith("#")]
    files = {words[0] for words in signals}
    if len(files) != 1:
        raise NotImplementedError(f"{header}: expected one file of signals, found {len(files)}")
    data = np.asarray(scipy.io.loadmat(os.path.join(os.path.dirname(header), files.pop()))["val"])
    if np.shape(data) != (len(signals), int(samples)):
        raise ValueError(f"{header}: expected {len(signals)} x {samples} values, found {np.shape(data)}")
    found = np.zeros(np.shape(data), dtype=np.float32)
    for row, values, words in zip(found, data, signals, strict=True):
        number = words[2].split("/")[0]
        gain, bracket, rest = number.partition("(")
        baseline = float(rest.split(")")[0]) if bracket and ")" in rest else 0.0
        if check_values and values[0] != int(words[5]):
            raise ValueError(f"{header}: the first value of {words[8]} is {values[0]}, not {words[5]}")
        if check_values and np.sum(values, dtype=np.int16) != int(words[6]):
            raise ValueError(f"{header}: the sum of {words[8]} is not {words[6]}")
        row[:] = (np.asarray(values, dtype=np.float64) - baseline - int(words[4])) / float(gain)
    return found, [words[8] for words in signals], float(frequency)


def reduce_channels(current_data, current_channels, requested_channels):
    """The rows of those channels that there are, and their names."""
    if current_channels == requested_channels:
        return current_data, current_channels
    rows = [current_channels.index(name) for name in requested_channels if name in current_channels]
    return current_data[rows, :], [current_channels[row] for row in rows]


def expand_channels(current_data, current_channels, requested_channels):
    """The rows of these channels; NaN for those that there are not."""
    if current_channels == requested_channels:
        return current_data
    found = np.full((len(requested_channels), np.shape(current_data)[1]), np.nan)
    for row, name in zip(found, requested_channels, strict=True):
        if name in current_channels:
            row[:] = current_data[current_channels.index(name)]
    return found


def cast_variable(variable, variable_type, preserve_nan=True):
    """A value of this type; NaN stays."""
    if preserve_nan and is_nan(variable):
        return math.nan
    casts = {bool: sanitize_boolean_value, int: sanitize_integer_value, float: sanitize_scalar_value}
    return casts.get(variable_type, variable_type)(variable)


def cast_int_if_int_else_float(x):
    """A whole number, a number, or what it is."""
    return int(float(x)) if is_integer(x) else float(x) if is_number(x) else x


def get_variable(text, variable_name, variable_type):
    """What follows the colon in the first line with this beginning; None if there is none."""
    for line in text.split("\n"):
        if line.startswith(variable_name):
            return cast_variable(line.partition(":")[2].strip(), variable_type)
    return None


get_patient_id = partial(get_variable, variable_name="Patient", variable_type=str)
get_hospital = partial(get_variable, variable_name="Hospital", variable_type=str)
get_age = partial(get_variable, variable_name="Age", variable_type=int)  # the age in years
get_sex = partial(get_variable, variable_name="Sex", variable_type=str)
get_rosc = partial(get_variable, variable_name="ROSC", variable_type=int)  # minutes until the return of circulation
get_ohca = partial(get_variable, variable_name="OHCA", variable_type=bool)  # whether the arrest was out of the hospital
get_shockable_rhythm = partial(get_variable, variable_name="Shockable Rhythm", variable_type=bool)
get_ttm = partial(get_variable, variable_name="TTM", variable_type=int)  # the target of temperature, in degrees Celsius


def _label(string, name):
    value = get_variable(string, name, str)
    if value is None or is_nan(value):
        raise ValueError(f"no {name}: hidden data have no labels")
    return value


def get_outcome(string):
    """0 for good, 1 for poor."""
    value = _label(string, "Outcome")
    return {"Good": 0, "Poor": 1}.get(value, value)


def get_outcome_probability(string):
    """The probability of a poor outcome."""
    return sanitize_scalar_value(_label(string, "Outcome Probability"))


def get_cpc(string):
    """The cerebral performance category."""
    return sanitize_scalar_value(_label(string, "CPC"))


get_utility_frequency = partial(
    get_variable, variable_name="#Utility frequency", variable_type=int
)  # of the mains, in Hz


def _time(string, name):
    return tuple(map(int, get_variable(string, name, str).split(":")))


get_start_time = partial(_time, name="#Start time")  # hours, minutes and seconds of the beginning
get_end_time = partial(_time, name="#End time")  # hours, minutes and seconds of the end


def convert_seconds_to_hours_minutes_seconds(seconds):
    """Hours, minutes and seconds."""
    return int(seconds // 3600), int(seconds % 3600 // 60), int(seconds % 60)


def convert_hours_minutes_seconds_to_seconds(hours, minutes, seconds):
    """Seconds."""
    return 3600 * hours + 60 * minutes + seconds


def save_challenge_outputs(filename, patient_id, outcome, outcome_probability, cpc):
    """Write the answer for a patient, unless there is no file; returns its text."""
    said = sanitize_boolean_value(outcome)
    text = (
        f"Patient: {patient_id}\n"
        f"Outcome: {'Good' if said == 0 else 'Poor' if said == 1 else said}\n"
        f"Outcome Probability: {sanitize_scalar_value(outcome_probability):.3f}\n"
        f"CPC: {sanitize_scalar_value(cpc):.3f}\n"
    )
    if filename is not None:
        save_text(filename, text)
    return text
