"""The organiser's program that answers: ``run_model.py -d DATA -m MODEL -o OUTPUTS [-v] [-f]``."""

import os
from functools import partial

from _challenge import _arguments, _invoked, _numbered, _tried
from helper_code import find_records, save_outputs
from team_code import load_model, run_model

if __name__ == "__main__":
    given = _arguments(__doc__, output=True)
    model = load_model(given.model_folder, given.verbose)
    failed = float("nan"), float("nan")
    with _invoked():
        for record in _numbered(find_records(given.data_folder), given.data_folder, given.verbose):
            place = os.path.join(given.data_folder, record)
            answer = partial(run_model, place, model, given.verbose)
            binary, probability = _tried(answer, failed, given.allow_failures, given.verbose)
            target = os.path.join(given.output_folder, f"{record}.txt")
            os.makedirs(os.path.dirname(target), exist_ok=True)
            save_outputs(target, os.path.basename(record), binary, probability)
