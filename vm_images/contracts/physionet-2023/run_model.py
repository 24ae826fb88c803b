"""The organiser's program that answers: ``run_model.py MODEL DATA OUTPUTS [VERBOSE]``."""

import os
import sys

from _challenge import _folders, _invoked, _numbered
from helper_code import find_data_folders, save_challenge_outputs
from team_code import load_challenge_models, run_challenge_models

if __name__ == "__main__":
    folder, data, outputs, verbose = _folders(sys.argv[1:], "MODEL", "DATA", "OUTPUTS")
    models = load_challenge_models(folder, verbose)
    with _invoked():
        for patient in _numbered(find_data_folders(data), data, verbose >= 1):
            outcome, probability, cpc = run_challenge_models(models, data, patient, verbose)
            target = os.path.join(outputs, patient, f"{patient}.txt")
            os.makedirs(os.path.dirname(target), exist_ok=True)
            save_challenge_outputs(target, patient, outcome, probability, cpc)
