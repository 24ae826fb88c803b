"""Entries as teams of the PhysioNet Challenges hand them in: our own, in a few lines, for each year.

Each learns the mean of the heights of its signals, and calls those above it positive.  Its ``helper_code.py`` has the
functions of the year that it and the organiser's programs call.
"""

from collections.abc import Mapping
from pathlib import Path

from evaluate.config.challenge.contract import ContractName

_COMMON = """\
import os
import numpy as np

def save_mean(model_folder, values):
    os.makedirs(model_folder, exist_ok=True)
    np.savetxt(os.path.join(model_folder, "mean.txt"), [np.mean(values)])

def load_mean(model_folder, verbose=1):
    return np.loadtxt(os.path.join(model_folder, "mean.txt"))

def save_rows(file, record, *rows):
    open(file, "w").write("\\n".join(["#" + record, *(",".join(map(str, row)) for row in rows), ""]))
"""
_RECORDS = """\
def find_records(folder):
    return sorted(name[:-4] for name in os.listdir(folder) if name.endswith(".hea"))

def load_header(record):
    return open(record + ".hea").read()

def highest(record):
    return np.fromfile(record + ".dat", "<i2").max()
"""
ENTRIES: Mapping[ContractName, Mapping[str, str]] = {
    ContractName.PHYSIONET_2020: {
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
    },
    ContractName.PHYSIONET_2021: {
        "helper_code.py": """\
from scipy.io import loadmat

def find_challenge_files(data_directory):
    stems = [os.path.join(data_directory, name[:-4]) for name in sorted(os.listdir(data_directory)) if ".hea" in name]
    return [stem + ".hea" for stem in stems], [stem + ".mat" for stem in stems]

def load_header(header_file):
    return open(header_file).read()

def load_recording(recording_file):
    return loadmat(recording_file)["val"]

def get_recording_id(header):
    return header.split()[0]

def get_leads(header):
    return tuple(line.split()[-1] for line in header.splitlines()[1:] if line[0] != "#")

def sort_leads(leads):
    return tuple(leads)

def get_labels(header):
    return [line for line in header.splitlines() if line.startswith("#Dx")]

save_outputs = save_rows  # classes, labels, probabilities
""",
        "team_code.py": """\
def training_code(data_directory, model_directory):
    headers, recordings = find_challenge_files(data_directory)
    assert all(get_labels(load_header(header)) for header in headers)
    save_mean(model_directory, [load_recording(file).max() for file in recordings])

def load_model(model_directory, leads):
    return {"mean": load_mean(model_directory), "leads": leads}

def run_model(model, header, recording):
    assert get_leads(header) == model["leads"] and get_labels(header) == []
    if "fail" in get_recording_id(header):
        raise RuntimeError("on purpose")
    high = int(recording.max() > model["mean"])
    return ["164889003", "426783006"], [high, 1 - high], [0.9 if high else 0.1, 0.1 if high else 0.9]
""",
    },
    ContractName.PHYSIONET_2022: {
        "helper_code.py": """\
from scipy.io import wavfile

def find_patient_files(data_folder):
    return [os.path.join(data_folder, name) for name in sorted(os.listdir(data_folder)) if name.endswith(".txt")]

def load_patient_data(filename):
    return open(filename).read()

def get_patient_id(data):
    return data.split()[0]

def load_recordings(data_folder, data):
    names = [word for word in data.split() if word.endswith(".wav")]
    return [wavfile.read(os.path.join(data_folder, name))[1] for name in names]

save_challenge_outputs = save_rows  # classes, labels, probabilities
""",
        "team_code.py": """\
def train_challenge_model(data_folder, model_folder, verbose):
    assert verbose == 1
    highest = []
    for file in find_patient_files(data_folder):
        data = load_patient_data(file)
        assert "#Murmur: " in data and "#Outcome: " in data
        highest.append(max(one.max() for one in load_recordings(data_folder, data)))
    save_mean(model_folder, highest)

load_challenge_model = load_mean

def run_challenge_model(model, data, recordings, verbose):
    assert len(recordings) == 2 and "#Height: " in data and "Murmur" not in data and "Outcome" not in data
    high = int(max(one.max() for one in recordings) > model)
    labels = [high, 0, 1 - high, high, 1 - high]
    return ["Present", "Unknown", "Absent", "Abnormal", "Normal"], labels, labels
""",
    },
    ContractName.PHYSIONET_2023: {
        "helper_code.py": """\
from scipy.io import loadmat

def find_data_folders(root_folder):
    names = sorted(os.listdir(root_folder))
    return [name for name in names if os.path.isdir(os.path.join(root_folder, name))]

def load_challenge_data(data_folder, patient_id):
    return open(os.path.join(data_folder, patient_id, patient_id + ".txt")).read()

def save_challenge_outputs(filename, patient_id, outcome, outcome_probability, cpc):
    said = "Poor" if outcome else "Good"
    rows = [f"Patient: {patient_id}", f"Outcome: {said}", f"Outcome Probability: {float(outcome_probability):.3f}"]
    open(filename, "w").write("\\n".join([*rows, f"CPC: {cpc:.3f}", ""]))
""",
        "team_code.py": """\
def highest(data_folder, patient_id):
    (name,) = [name for name in os.listdir(os.path.join(data_folder, patient_id)) if name.endswith(".mat")]
    return loadmat(os.path.join(data_folder, patient_id, name))["val"].max()

def train_challenge_model(data_folder, model_folder, verbose):
    patients = find_data_folders(data_folder)
    assert all("Outcome: " in load_challenge_data(data_folder, patient) for patient in patients)
    save_mean(model_folder, [highest(data_folder, patient) for patient in patients])

load_challenge_models = load_mean

def run_challenge_models(models, data_folder, patient_id, verbose):
    metadata = load_challenge_data(data_folder, patient_id)
    assert "Hospital: A" in metadata and "Outcome" not in metadata and "CPC" not in metadata
    high = highest(data_folder, patient_id) > models
    return high, np.array([0.9 if high else 0.1])[0], 5 if high else 1
""",
    },
    ContractName.PHYSIONET_2024: {
        "helper_code.py": _RECORDS
        + """
def save_header(record, header):
    open(record + ".hea", "w").write(header)

def save_labels(record, labels):
    save_header(record, load_header(record) + "# Labels: " + ", ".join(labels) + "\\n")

def save_signals(record, signal, comments=()):
    signal.astype("<i2").tofile(record + ".dat")
""",
        "team_code.py": """\
def train_models(data_folder, model_folder, verbose):
    places = [os.path.join(data_folder, record) for record in find_records(data_folder)]
    assert all("# Labels: " in load_header(place) for place in places)
    save_mean(model_folder, [highest(place) for place in places])

def load_models(model_folder, verbose):
    return load_mean(model_folder), None

def run_models(record, digitization_model, classification_model, verbose):
    assert "Labels" not in load_header(record) and not os.path.exists(record + ".dat")
    assert os.path.isfile(record + "-0.png")
    if record.endswith("r0102"):
        raise RuntimeError("on purpose")
    return np.zeros((250, 12)), ["MI"]
""",
    },
    ContractName.PHYSIONET_2025: {
        "helper_code.py": _RECORDS
        + """
def save_outputs(output_file, record_name, label, probability):
    rows = [record_name, f"# Chagas label: {label}", f"# Chagas probability: {probability}", ""]
    open(output_file, "w").write("\\n".join(rows))
""",
        "team_code.py": """\
def train_model(data_folder, model_folder, verbose):
    places = [os.path.join(data_folder, record) for record in find_records(data_folder)]
    assert all("# Chagas label: " in load_header(place) for place in places)
    save_mean(model_folder, [highest(place) for place in places])

load_model = load_mean

def run_model(record, model, verbose):
    header = load_header(record)
    assert "# Age: " in header and "Chagas" not in header, header
    if record.endswith("r0102"):
        raise RuntimeError("on purpose")
    high = bool(highest(record) > model)
    return high, 0.9 if high else 0.1
""",
    },
    ContractName.PHYSIONET_2026: {
        "helper_code.py": """\
import math
import pandas as pd

DEMOGRAPHICS_FILE = "demographics.csv"
HEADERS = {"bids_folder": "BidsFolder", "session_id": "SessionID", "label": "Cognitive_Impairment"}

def find_patients(table):
    return pd.read_csv(table)[["BidsFolder", "SiteID", "SessionID"]].to_dict("records")

def load_demographics(table, patient_id, session_id):
    rows = pd.read_csv(table)
    return rows[(rows["BidsFolder"] == patient_id) & (rows["SessionID"] == session_id)].iloc[0].to_dict()

def is_number(x):
    return isinstance(x, (int, float))

def is_nan(x):
    return is_number(x) and math.isnan(x)

def is_boolean(x):
    return x in (0, 1)

def update_demographics_table(input_file, output_folder, results):
    table = pd.read_csv(input_file)
    for n, column in enumerate(("Cognitive_Impairment", "Cognitive_Impairment_Probability")):
        found = [results.get(patient, (None, None))[n] for patient in table["BidsFolder"]]
        table[column] = [None if one is None or is_nan(one) else one for one in found]
    table.to_csv(os.path.join(output_folder, DEMOGRAPHICS_FILE), index=False)
""",
        "team_code.py": """\
def train_model(data_folder, model_folder, verbose):
    table = os.path.join(data_folder, DEMOGRAPHICS_FILE)
    rows = [load_demographics(table, record["BidsFolder"], record["SessionID"]) for record in find_patients(table)]
    assert all(row["Cognitive_Impairment"] in (True, False) for row in rows)
    save_mean(model_folder, [row["Age"] for row in rows])

load_model = load_mean

def run_model(model, record, data_folder, verbose):
    row = load_demographics(os.path.join(data_folder, DEMOGRAPHICS_FILE), record["BidsFolder"], record["SessionID"])
    assert HEADERS["label"] not in row and row["Race"] == "White"
    stem = f"{record['BidsFolder']}_ses-{record['SessionID']}"
    signal = os.path.join(data_folder, "physiological_data", record["SiteID"], stem + ".edf")
    assert os.path.isfile(signal), os.listdir(data_folder)
    if record["BidsFolder"].endswith("00102"):
        raise RuntimeError("on purpose")
    old = bool(row["Age"] > model)
    return old, 0.9 if old else 0.1
""",
    },
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
    above = {"helper_code.py": _COMMON, "team_code.py": "from helper_code import *\n\n"}
    for name, text in ENTRIES[contract].items():
        (folder / name).write_text(above.get(name, "") + text)
    (folder / "Dockerfile").write_text(_DOCKERFILE)
    (folder / "requirements.txt").write_text(requirements)
    (folder / "run_model.py").write_text("raise SystemExit('the team changed this program')\n")
    return folder
