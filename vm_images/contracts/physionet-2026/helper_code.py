"""The helper functions of 2026, under the names and with the results that the year gives them."""

import contextlib
import os
import sys  # noqa: F401 - programs of teams get these by `from helper_code import *`
from collections import defaultdict  # noqa: F401
from functools import partial
from typing import Any, Dict, List, Optional, Tuple, Union  # noqa: F401, UP035

import numpy as np
import pandas as pd
from _challenge import find_records as _find_records
from _challenge import (  # noqa: F401
    is_boolean,
    is_finite_number,
    is_integer,
    is_nan,
    is_number,
    remove_extra_characters,
    sanitize_boolean_value,
    sanitize_integer_value,
    sanitize_scalar_value,
)

with contextlib.suppress(ImportError):
    import edfio  # noqa: F401
with contextlib.suppress(ImportError):
    import scipy as sp  # noqa: F401

DEMOGRAPHICS_FILE = "demographics.csv"
PHYSIOLOGICAL_DATA_SUBFOLDER = "physiological_data"
ALGORITHMIC_ANNOTATIONS_SUBFOLDER = "algorithmic_annotations"
HUMAN_ANNOTATIONS_SUBFOLDER = "human_annotations"
HEADERS = {
    "site_id": "SiteID",
    "patient_id": "BDSPPatientID",
    "creation_time": "CreationTime",
    "bids_folder": "BidsFolder",
    "session_id": "SessionID",
    "age": "Age",
    "sex": "Sex",
    "race": "Race",
    "ethnicity": "Ethnicity",
    "bmi": "BMI",
    "time_to_event": "Time_to_Event",
    "label": "Cognitive_Impairment",
    "last_visit_date": "Last_Known_Visit_Date",
    "time_to_last_visit": "Time_to_Last_Visit",
    "prediction_binary": "Cognitive_Impairment",
    "prediction_prob": "Cognitive_Impairment_Probability",
}
_UNKNOWN = (
    *("unknown", "unavailable", "declined", "unreported", "nan"),
    *("none", "not specified", "prefer not to say", ""),
)


def get_header(key):
    """The column of a key."""
    return HEADERS.get(key, key)


# the table


def find_patients(patient_data_file):
    """The records of a table: BidsFolder, SiteID and SessionID of each, once."""
    columns = [HEADERS[key] for key in ("bids_folder", "site_id", "session_id")]
    return pd.read_csv(patient_data_file)[columns].drop_duplicates().to_dict("records")


def find_records(folder, file_extension=".edf"):
    """The records below a folder, by the files with this suffix."""
    return _find_records(folder, file_extension)


def load_demographics(metadata_file, patient_id, session_id):
    """The row of a patient and session; empty if there is none."""
    table = pd.read_csv(metadata_file)
    rows = table[(table[HEADERS["bids_folder"]] == patient_id) & (table[HEADERS["session_id"]] == session_id)]
    return {} if rows.empty else rows.iloc[0].to_dict()


def update_demographics_table(input_file, output_folder, results_dict):
    """Write the table with answers, which are those of a BidsFolder; returns where."""
    table = pd.read_csv(input_file)
    label, probability = HEADERS["prediction_binary"], HEADERS["prediction_prob"]
    for column, value in ((label, None), (probability, float("nan"))):
        if column not in table.columns:
            table[column] = value
    table[label] = table[label].astype(object)
    for patient, answers in results_dict.items():
        rows = table[HEADERS["bids_folder"]] == patient
        for column, answer in zip((label, probability), answers, strict=True):
            table.loc[rows, column] = answer
    target = os.path.join(output_folder, os.path.basename(input_file))
    table.to_csv(target, index=False)
    return target


# values of a row


def load_site_id(data):
    """The site."""
    return data.get(HEADERS["site_id"], "Unknown")


def load_session(data):
    """The session."""
    return data.get(HEADERS["session_id"], "Unknown")


def _number(data, key):
    value = data.get(HEADERS[key])
    return float(value) if is_number(value) else float("nan")


load_age = partial(_number, key="age")  # the age in years, or NaN
load_bmi = partial(_number, key="bmi")  # the body-mass index, or NaN
load_Time_to_Event = partial(_number, key="time_to_event")  # the time to the event, or NaN
load_Time_to_Last_Visit = partial(_number, key="time_to_last_visit")  # the time to the last visit, or NaN


def load_Last_Known_Visit_Date(data):
    """The date of the last visit."""
    return data.get(HEADERS["last_visit_date"], "Unknown")


def _text(data, key):
    return str(data.get(HEADERS[key], "")).strip()


def load_sex(data, standardize=True):
    """Female, Male or Unknown; or as it is written."""
    text = _text(data, "sex")
    words = {"f": "Female", "m": "Male"}
    return words.get(text[:1].casefold(), "Unknown") if standardize else text


_RACES = {"White": ("white", "caucasian"), "Black": ("black", "african american"), "Asian": ("asian",)}


def _race(text, unknown):
    """A group by its words, or Unavailable by those of ``unknown``, or Others."""
    for group, words in (*_RACES.items(), ("Unavailable", unknown)):
        if any(word in text.casefold() for word in words):
            return group
    return "Others"


def load_race(data, standardize=True):
    """White, Black, Asian or Unavailable; or as it is written."""
    text = _text(data, "race")
    # the last of the words is empty, and so in every text: Others is never said
    return _race(text, _UNKNOWN) if standardize else text


def get_standardized_race(data):
    """As `load_race`, but others are Others: its name until June 2026."""
    text = _text(data, "race")
    return _race(text, _UNKNOWN[:-1]) if text else "Unavailable"


def load_ethnicity(data, standardize=True):
    """Hispanic, Not Hispanic or Unavailable; or as it is written."""
    text = _text(data, "ethnicity")
    if not standardize:
        return text
    small = text.casefold()
    if any(word in small for word in ("not hispanic", "non-hispanic", "non hispanic", "not latino", "non-latino")):
        return "Not Hispanic"
    return "Hispanic" if "hispanic" in small or "latino" in small else "Unavailable"


get_standardized_ethnicity = load_ethnicity  # its name until June 2026


def load_label(data):
    """The label of a row, 0 or 1."""
    value = data.get(HEADERS["label"])
    found = float("nan") if value is None else sanitize_boolean_value(value)
    if is_nan(found):
        raise ValueError(f"no label: expected true or false, found {value!r}; hidden data have none")
    return int(found)


def load_diagnoses(metadata_file, patient_id):
    """The label of a patient in a table, 0 or 1."""
    table = pd.read_csv(metadata_file)
    values = table.loc[table[HEADERS["bids_folder"]] == patient_id, HEADERS["label"]].values
    if not len(values) or pd.isna(values[0]):
        raise ValueError(f"{metadata_file}: no diagnosis of {patient_id}")
    return int(str(values[0]).casefold() == "true") if isinstance(values[0], str) else int(bool(values[0]))


# signals


def load_edf(record):
    """An EDF file, with or without its suffix; None, and a line that says why, if it cannot be read."""
    import edfio

    path = record if record.endswith(".edf") else f"{record}.edf"
    try:
        return edfio.read_edf(path, lazy_load_data=False)
    except Exception as error:
        print(f"{path}: cannot be read: {error}")
        return None


def load_edf_to_nparrays(edf_path):
    """The signals of an EDF file by their names in small letters, and samples of each in a second."""
    edf = load_edf(edf_path)
    signals = [] if edf is None else [(one.label.lower().strip(), one) for one in edf.signals]
    return {name: one.data for name, one in signals}, {name: float(one.sampling_frequency) for name, one in signals}


load_signal_data = load_edf_to_nparrays


def get_sampling_frequency(signal):
    """Samples of a signal in a second, or None."""
    return getattr(signal, "sampling_frequency", None)


def get_num_samples(signal):
    """Samples of a signal, or None."""
    data = getattr(signal, "data", None)
    return None if data is None else len(data)


def get_signal_name(signal):
    """The name of a signal."""
    return getattr(signal, "label", "").strip()


def get_signal_data(signal):
    """The samples of a signal."""
    return getattr(signal, "data", np.array([]))


def load_signals_as_array(edf_object):
    """The samples of each signal, or None."""
    signals = getattr(edf_object, "signals", None)
    return None if signals is None else [one.data for one in signals]


# names of channels


def load_rename_rules(csv_path):
    """Usual name -> all names of a channel, from the column Channel_Names, where semicolons separate them."""
    if not os.path.isfile(csv_path):
        print(f"{csv_path}: no such table of channels")
        return {}
    table = pd.read_csv(csv_path)
    if "Channel_Names" not in table.columns:
        print(f"{csv_path}: expected a column Channel_Names")
        return {}
    found = {}
    for text in table["Channel_Names"].dropna():
        names = [name.strip().replace("'", "").replace('"', "") for name in str(text).split(";")]
        if names := [name for name in names if name]:
            found[names[0].lower()] = names
    return found


def _clean(name):
    for end in ("_pds", "_eg"):
        name = name.lower().replace(end, "")
    return name.replace(":", "-").strip()


def map_valid_channels_rename_only(columns_original, rename_rules):
    """Usual name -> the channel that there is, by the first of its names that fits."""
    there = {_clean(name): name for name in columns_original}
    first = {usual: next((n for n in map(_clean, names) if n in there), None) for usual, names in rename_rules.items()}
    return {usual: there[name] for usual, name in first.items() if name is not None}


def standardize_channel_names_rename_only(columns_original, rename_rules):
    """Channel -> usual name, and the channels to leave out because another has that name."""
    chosen = map_valid_channels_rename_only(columns_original, rename_rules)
    renamed = {channel: usual for usual, channel in chosen.items()}
    dropped = {
        name
        for usual, channel in chosen.items()
        for name in columns_original
        if name != channel and _clean(name) in set(map(_clean, rename_rules[usual]))
    }
    for name in columns_original:
        if _clean(name) in ("pulse", "pr") and name not in renamed and "hr" not in renamed.values():
            renamed[name] = "hr"
    return renamed, sorted(dropped)


def derive_bipolar_signal(ch_a_signal, ref_signal):
    """A signal less a reference, or less the mean of two; None, and a line that says why, if they do not fit."""
    try:
        return ch_a_signal - (0.5 * (ref_signal[0] + ref_signal[1]) if isinstance(ref_signal, tuple) else ref_signal)
    except Exception as error:
        print(f"no bipolar signal: {error}")
        return None
