"""The organiser's program that answers: ``run_model.py MODEL DATA OUTPUTS [VERBOSE]``."""

import os
import sys

from _challenge import _folders, _invoked, _numbered
from helper_code import (
    find_patient_files,
    get_patient_id,
    load_patient_data,
    load_recordings,
    save_challenge_outputs,
)
from team_code import load_challenge_model, run_challenge_model

if __name__ == "__main__":
    models, data, outputs, verbose = _folders(sys.argv[1:], "MODEL", "DATA", "OUTPUTS")
    model = load_challenge_model(models, verbose)
    os.makedirs(outputs, exist_ok=True)
    with _invoked():
        for file in _numbered(find_patient_files(data), data, verbose >= 1):
            patient = load_patient_data(file)
            classes, labels, probabilities = run_challenge_model(
                model, patient, load_recordings(data, patient), verbose
            )
            target = os.path.join(outputs, f"{os.path.splitext(os.path.basename(file))[0]}.csv")
            save_challenge_outputs(target, get_patient_id(patient), classes, labels, probabilities)
