"""The organiser's programs of the PhysioNet Challenges: how an entry of each year is trained, and answers its records.

``train_model.py`` and the program that answers call `train` and `answer` with their year.  ``helper_code.py`` and what
is called of it and of ``team_code.py`` is the entry's.
"""

import argparse
import contextlib
import os
import sys
from functools import partial


def train(year):
    """Train the entry with the function that it has for that."""
    given = _given(year, "data", "model")
    if year == 2020:
        from train_12ECG_classifier import train_12ECG_classifier as function

        os.makedirs(given.model, exist_ok=True)
    elif year == 2021:
        from team_code import training_code as function
    elif year in (2022, 2023):
        from team_code import train_challenge_model as function
    elif year == 2024:
        from team_code import train_models as function
    else:
        from team_code import train_model as function
    function(given.data, given.model, *([given.verbose] if year >= 2022 else []))


def answer(year):
    """Load the entry's model, and leave its answers to all records in the form of the year."""
    given = _given(year, "model", "data", "output")
    os.makedirs(given.output, exist_ok=True)
    _ANSWERS[year](given)


def _given(year, *folders):
    """What a program is called with: folders by options since 2024, in their places before."""
    parser = argparse.ArgumentParser()
    for folder in folders:
        words = (f"-{folder[0]}", f"--{folder}_folder") if year >= 2024 else (folder,)
        parser.add_argument(*words, **({"dest": folder, "required": True} if year >= 2024 else {}))
    if year >= 2024:
        parser.add_argument("-v", "--verbose", action="store_true")
        parser.add_argument("-f", "--allow_failures", action="store_true")
    elif year >= 2022:
        parser.add_argument("verbose", nargs="?", type=lambda word: int(float(word)), default=1)
    return parser.parse_args(sys.argv[1:])


# how each year answers


def _answer_2020(given):
    import numpy as np
    from run_12ECG_classifier import load_12ECG_model, run_12ECG_classifier
    from scipy.io import loadmat

    model = load_12ECG_model(given.model)
    with _invoked():
        names = os.listdir(given.data)
        for name in _numbered(sorted(n for n in names if n.lower().endswith("mat") and n[0] != "."), given.data):
            signals = np.asarray(loadmat(os.path.join(given.data, name))["val"], dtype=np.float64)
            with open(os.path.join(given.data, name.replace(".mat", ".hea"))) as file:
                header = file.readlines()
            labels, scores, classes = run_12ECG_classifier(signals, header, model)
            lines = [f"#{os.path.splitext(name)[0]}", *(",".join(map(str, row)) for row in (classes, labels, scores))]
            with open(os.path.join(given.output, name.replace(".mat", ".csv")), "w") as file:
                file.write("".join(f"{line}\n" for line in lines))


def _answer_2021(given):
    from helper_code import (
        find_challenge_files,
        get_leads,
        get_recording_id,
        load_header,
        load_recording,
        save_outputs,
        sort_leads,
    )
    from team_code import load_model, run_model

    files = list(zip(*find_challenge_files(given.data)))  # noqa: B905 - a built image may have an old Python
    sets = {sort_leads(get_leads(load_header(file))) for file, _ in files}
    loaded = {leads: load_model(given.model, leads) for leads in sorted(sets)}
    for file, signals in _numbered(files, given.data):
        header, recording = load_header(file), load_recording(signals)
        model = loaded[sort_leads(get_leads(header))]
        found = _tried(partial(run_model, model, header, recording), ([], [], []), True, True)
        target = os.path.join(given.output, f"{os.path.splitext(os.path.basename(file))[0]}.csv")
        save_outputs(target, get_recording_id(header), *found)


def _answer_2022(given):
    from helper_code import (
        find_patient_files,
        get_patient_id,
        load_patient_data,
        load_recordings,
        save_challenge_outputs,
    )
    from team_code import load_challenge_model, run_challenge_model

    model = load_challenge_model(given.model, given.verbose)
    with _invoked():
        for file in _numbered(find_patient_files(given.data), given.data, given.verbose >= 1):
            patient = load_patient_data(file)
            found = run_challenge_model(model, patient, load_recordings(given.data, patient), given.verbose)
            target = os.path.join(given.output, f"{os.path.splitext(os.path.basename(file))[0]}.csv")
            save_challenge_outputs(target, get_patient_id(patient), *found)


def _answer_2023(given):
    from helper_code import find_data_folders, save_challenge_outputs
    from team_code import load_challenge_models, run_challenge_models

    models = load_challenge_models(given.model, given.verbose)
    with _invoked():
        for patient in _numbered(find_data_folders(given.data), given.data, given.verbose >= 1):
            found = run_challenge_models(models, given.data, patient, given.verbose)
            save_challenge_outputs(_place(given.output, patient, f"{patient}.txt"), patient, *found)


def _answer_2024(given):
    from helper_code import find_records, load_header, save_header, save_labels, save_signals
    from team_code import load_models, run_models

    models = load_models(given.model, given.verbose)
    with _invoked():
        for record in _numbered(find_records(given.data), given.data, given.verbose):
            place, target = os.path.join(given.data, record), _place(given.output, record)
            answer = partial(run_models, place, *models, given.verbose)
            signals, labels = _tried(answer, (None, None), given.allow_failures, given.verbose)
            header = load_header(place)
            save_header(target, header)
            if signals is not None:  # a value out of range ends the run even where failures are allowed, as there
                save_signals(target, signals, [line for line in header.split("\n") if line.startswith("#")])
            if labels is not None:
                save_labels(target, labels)


def _answer_2025(given):
    from helper_code import find_records, save_outputs
    from team_code import load_model, run_model

    model, failed = load_model(given.model, given.verbose), (float("nan"), float("nan"))
    with _invoked():
        for record in _numbered(find_records(given.data), given.data, given.verbose):
            answer = partial(run_model, os.path.join(given.data, record), model, given.verbose)
            found = _tried(answer, failed, given.allow_failures, given.verbose)
            save_outputs(_place(given.output, f"{record}.txt"), os.path.basename(record), *found)


def _answer_2026(given):
    from helper_code import (
        DEMOGRAPHICS_FILE,
        HEADERS,
        find_patients,
        is_boolean,
        is_nan,
        is_number,
        update_demographics_table,
    )
    from team_code import load_model, run_model

    def answer(record):
        binary, probability = run_model(model, record, given.data, given.verbose)
        if not (is_boolean(binary) or is_nan(binary)) or not is_number(probability):
            raise ValueError(f"expected true or false and a number, found {binary!r} and {probability!r}")
        return binary, probability

    model = load_model(given.model, given.verbose)
    with _invoked():
        table = os.path.join(given.data, DEMOGRAPHICS_FILE)
        failed, results = (float("nan"), float("nan")), {}
        for record in _numbered(find_patients(table), given.data, given.verbose):
            found = _tried(partial(answer, record), failed, given.allow_failures, given.verbose)
            results[record[HEADERS["bids_folder"]]] = found
        update_demographics_table(table, given.output, results)


_ANSWERS = {
    2020: _answer_2020,
    2021: _answer_2021,
    2022: _answer_2022,
    2023: _answer_2023,
    2024: _answer_2024,
    2025: _answer_2025,
    2026: _answer_2026,
}


# what they have in common


def _place(*parts):
    """A path, whose folder is made."""
    path = os.path.join(*parts)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    return path


_PORT = 4743


def _asked():
    """The connection that asks a server for a record; others hear that it is healthy, since its model is loaded."""
    import socket

    listener = socket.create_server(("127.0.0.1", _PORT))
    while True:
        line, _ = listener.accept()
        head = b""
        while b"\r\n\r\n" not in head and (data := line.recv(4096)):
            head += data
        if head.startswith(b"POST /invoke "):
            return line
        with line:
            line.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")


@contextlib.contextmanager
def _invoked():
    """What is done for the records, after the model was loaded.

    Where EVALUATE_SERVER is 1 the supervisor loads the model once, and has a record answered in a copy of the machine:
    then the program is a server on port 4743, and waits here for ``POST /invoke``.
    """
    line = _asked() if os.environ.pop("EVALUATE_SERVER", "") == "1" else None
    yield
    if line is not None:
        line.sendall(b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")


def _numbered(records, data_folder, verbose=True):
    """Each of the records; says which one it is."""
    if not records:
        raise FileNotFoundError(f"{data_folder}: no records")
    for n, record in enumerate(records, 1):
        if verbose:
            print(f"- {n}/{len(records)}: {record}...", flush=True)
        yield record


def _tried(answer, otherwise, allow_failures, verbose):
    """What the team's function answers; where it may fail and does, the answer for that."""
    try:
        return answer()
    except BaseException as error:
        if not allow_failures:
            raise
        if verbose:
            print(f"... failed: {error!r}", flush=True)
        return otherwise
