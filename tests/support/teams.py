"""Entries as teams of the PhysioNet Challenges hand them in: our own, in a few lines, for each year.

Each learns the mean of the heights of its signals, and calls those above it positive.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from evaluate.challenge.contract import ContractName

_OF_2020 = {
    "train_12ECG_classifier.py": """\
import os
import numpy as np
from scipy.io import loadmat

def train_12ECG_classifier(input_directory, output_directory):
    names = [name for name in os.listdir(input_directory) if name.endswith(".mat")]
    highest = [loadmat(os.path.join(input_directory, name))["val"].max() for name in names]
    np.savetxt(os.path.join(output_directory, "mean.txt"), [np.mean(highest)])
""",
    "run_12ECG_classifier.py": """\
import os
import numpy as np

CLASSES = ["164889003", "426783006"]

def load_12ECG_model(input_directory):
    return np.loadtxt(os.path.join(input_directory, "mean.txt"))

def run_12ECG_classifier(data, header_data, model):
    assert data.dtype == np.float64 and header_data[0].endswith("\\n"), header_data
    assert not any(line.startswith("#Dx") for line in header_data)
    high = int(data.max() > model)
    return [high, 1 - high], [0.9 if high else 0.1, 0.1 if high else 0.9], CLASSES
""",
}
_OF_2021 = {
    "team_code.py": """\
from helper_code import *
import json

def training_code(data_directory, model_directory):
    os.makedirs(model_directory, exist_ok=True)
    headers, recordings = find_challenge_files(data_directory)
    assert all(get_labels(load_header(header)) for header in headers)
    mean = np.mean([load_recording(file).max() for file in recordings])
    with open(os.path.join(model_directory, "mean.json"), "w") as file:
        json.dump(float(mean), file)

def load_model(model_directory, leads):
    assert leads == sort_leads(leads)
    with open(os.path.join(model_directory, "mean.json")) as file:
        return {"mean": json.load(file), "leads": leads}

def run_model(model, header, recording):
    assert get_leads(header) == model["leads"] and get_labels(header) == []
    gains, zeros = get_adc_gains(header, model["leads"]), get_baselines(header, model["leads"])
    assert set(gains) == {1000.0} and set(zeros) == {0.0}
    assert get_age(header) > 0 and get_sex(header) in ("Female", "Male")
    chosen = choose_leads(recording, header, ("V6", "none"))
    assert (chosen[0] == recording[11]).all() and not chosen[1].any()
    if "fail" in get_recording_id(header):
        raise RuntimeError("on purpose")
    high = int(recording.max() > model["mean"])
    return ["164889003", "426783006"], [high, 1 - high], [0.9 if high else 0.1, 0.1 if high else 0.9]
""",
}
_OF_2022 = {
    "team_code.py": """\
from helper_code import *

def train_challenge_model(data_folder, model_folder, verbose):
    assert verbose == 1
    os.makedirs(model_folder, exist_ok=True)
    highest = []
    for file in find_patient_files(data_folder):
        data = load_patient_data(file)
        assert get_label(data) == get_murmur(data) in ("Present", "Unknown", "Absent")
        assert get_outcome(data) in ("Abnormal", "Normal")
        highest.append(max(one.max() for one in load_recordings(data_folder, data)))
    np.savetxt(os.path.join(model_folder, "mean.txt"), [np.mean(highest)])

def load_challenge_model(model_folder, verbose):
    return np.loadtxt(os.path.join(model_folder, "mean.txt"))

def run_challenge_model(model, data, recordings, verbose):
    assert get_locations(data) == ["AV", "MV"] and len(recordings) == get_num_locations(data) == 2
    assert (get_age(data), get_frequency(data), get_pregnancy_status(data)) == ("Child", 4000.0, False)
    assert get_height(data) > 100 and "Murmur" not in data and "Outcome" not in data
    high = int(max(one.max() for one in recordings) > model)
    labels = [high, 0, 1 - high, high, 1 - high]
    return ["Present", "Unknown", "Absent", "Abnormal", "Normal"], labels, labels
""",
}
_OF_2023 = {
    "team_code.py": """\
from helper_code import *

def highest(data_folder, patient_id):
    (recording,) = find_recording_files(data_folder, patient_id)
    place = os.path.join(data_folder, patient_id, recording + "_EEG")
    data, channels, frequency = load_recording_data(place, check_values=True)
    assert channels == ["F3", "P3", "F4", "P4"] and frequency == 100 and data.shape == (4, 3000)
    text = load_text_file(place + ".hea")
    assert get_utility_frequency(text) == 60 and get_start_time(text) == (4, 0, 0)
    reduced, names = reduce_channels(data, channels, ["P4", "none"])
    assert names == ["P4"] and np.isnan(expand_channels(reduced, names, ["none", "P4"])[0]).all()
    return data.max()

def train_challenge_model(data_folder, model_folder, verbose):
    os.makedirs(model_folder, exist_ok=True)
    patients = find_data_folders(data_folder)
    for patient in patients:
        metadata = load_challenge_data(data_folder, patient)
        assert get_outcome(metadata) == (get_cpc(metadata) == 5)
    np.savetxt(os.path.join(model_folder, "mean.txt"), [np.mean([highest(data_folder, one) for one in patients])])

def load_challenge_models(model_folder, verbose):
    return np.loadtxt(os.path.join(model_folder, "mean.txt"))

def run_challenge_models(models, data_folder, patient_id, verbose):
    metadata = load_challenge_data(data_folder, patient_id)
    assert get_age(metadata) > 49 and get_ohca(metadata) == 1 and get_rosc(metadata) == 20
    assert get_hospital(metadata) == "A" and "Outcome" not in metadata and "CPC" not in metadata
    high = highest(data_folder, patient_id) > models
    return high, np.array([0.9 if high else 0.1]), 5 if high else 1
""",
}
_OF_2024 = {
    "team_code.py": """\
from helper_code import *

def train_models(data_folder, model_folder, verbose):
    os.makedirs(model_folder, exist_ok=True)
    places = [os.path.join(data_folder, record) for record in find_records(data_folder)]
    assert all(load_labels(place) in (["MI"], ["NORM"]) for place in places)
    highest = [load_signals(place)[0].max() for place in places]
    np.savetxt(os.path.join(model_folder, "mean.txt"), [np.mean(highest)])

def load_models(model_folder, verbose):
    return np.loadtxt(os.path.join(model_folder, "mean.txt")), None

def run_models(record, digitization_model, classification_model, verbose):
    header = load_header(record)
    assert "Labels" not in header and load_signals(record) == (None, None)
    (name,) = get_image_files(record)
    assert os.path.isfile(os.path.join(os.path.dirname(record), name))
    if record.endswith("r0102"):
        raise RuntimeError("on purpose")
    signal = np.zeros((get_num_samples(header), get_num_signals(header)))
    signal[:, :] = np.sin(np.arange(len(signal)) / 6)[:, None]
    return signal, ["MI"]
""",
}
_OF_2025 = {
    "team_code.py": """\
from helper_code import *

def train_model(data_folder, model_folder, verbose):
    os.makedirs(model_folder, exist_ok=True)
    places = [os.path.join(data_folder, record) for record in find_records(data_folder)]
    assert all(load_label(place) in (0, 1) for place in places)
    np.savetxt(os.path.join(model_folder, "mean.txt"), [np.mean([load_signals(one)[0].max() for one in places])])

def load_model(model_folder, verbose):
    return np.loadtxt(os.path.join(model_folder, "mean.txt"))

def run_model(record, model, verbose):
    header = load_header(record)
    assert get_age(header) > 40 and get_sex(header) in ("Female", "Male") and get_source(header) == "own"
    assert np.isnan(get_label(header, allow_missing=True)), header
    signal, fields = load_signals(record)
    assert reorder_signal(signal, fields["sig_name"], ["v6", "I"]).shape == (len(signal), 2)
    if record.endswith("r0102"):
        raise RuntimeError("on purpose")
    high = bool(signal.max() > model)
    return high, 0.9 if high else 0.1
""",
}
_OF_2026 = {
    "team_code.py": """\
from helper_code import *

def train_model(data_folder, model_folder, verbose):
    os.makedirs(model_folder, exist_ok=True)
    table = os.path.join(data_folder, DEMOGRAPHICS_FILE)
    ages = []
    for record in find_patients(table):
        row = load_demographics(table, record[HEADERS["bids_folder"]], record[HEADERS["session_id"]])
        assert load_label(row) == load_diagnoses(table, record["BidsFolder"])
        ages.append(load_age(row))
    np.savetxt(os.path.join(model_folder, "mean.txt"), [np.mean(ages)])

def load_model(model_folder, verbose):
    return np.loadtxt(os.path.join(model_folder, "mean.txt"))

def run_model(model, record, data_folder, verbose):
    table = os.path.join(data_folder, DEMOGRAPHICS_FILE)
    row = load_demographics(table, record["BidsFolder"], record["SessionID"])
    assert HEADERS["label"] not in row and load_race(row) == get_standardized_race(row) == "White"
    assert get_standardized_ethnicity(row) == load_ethnicity(row) and load_sex(row) in ("Female", "Male")
    stem = f"{record['BidsFolder']}_ses-{record['SessionID']}"
    signal = os.path.join(data_folder, PHYSIOLOGICAL_DATA_SUBFOLDER, record["SiteID"], stem + ".edf")
    assert os.path.isfile(signal), os.listdir(data_folder)
    if record["BidsFolder"].endswith("00102"):
        raise RuntimeError("on purpose")
    old = load_age(row) > model
    return old, 0.9 if old else 0.1
""",
}
ENTRIES: Mapping[ContractName, Mapping[str, str]] = {
    ContractName.PHYSIONET_2020: _OF_2020,
    ContractName.PHYSIONET_2021: _OF_2021,
    ContractName.PHYSIONET_2022: _OF_2022,
    ContractName.PHYSIONET_2023: _OF_2023,
    ContractName.PHYSIONET_2024: _OF_2024,
    ContractName.PHYSIONET_2025: _OF_2025,
    ContractName.PHYSIONET_2026: _OF_2026,
}
_DOCKERFILE = """\
FROM python:3.10.1-buster

## DO NOT EDIT these 3 lines.
RUN mkdir /challenge
COPY ./ /challenge
WORKDIR /challenge

RUN pip install -r requirements.txt
"""


def write_entry(folder: Path, contract: ContractName, requirements: str = "") -> Path:
    """An entry for a contract."""
    folder.mkdir()
    for name, text in ENTRIES[contract].items():
        (folder / name).write_text(text)
    (folder / "Dockerfile").write_text(_DOCKERFILE)
    (folder / "requirements.txt").write_text(requirements)
    (folder / "run_model.py").write_text("raise SystemExit('the team changed this program')\n")
    return folder
