"""The organiser's program that answers: ``run_model.py -d DATA -m MODEL -o OUTPUTS [-v] [-f]``."""

import os

from _challenge import _arguments, _invoked, _numbered, _tried
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
    """The team's answer, if it can be one."""
    binary, probability = run_model(model, record, given.data_folder, given.verbose)
    if not (is_boolean(binary) or is_nan(binary)) or not is_number(probability):
        raise ValueError(f"expected true or false and a number, found {binary!r} and {probability!r}")
    return binary, probability


if __name__ == "__main__":
    given = _arguments(__doc__, output=True)
    model = load_model(given.model_folder, given.verbose)
    with _invoked():
        table = os.path.join(given.data_folder, DEMOGRAPHICS_FILE)
        failed, results = (float("nan"), float("nan")), {}
        for record in _numbered(find_patients(table), given.data_folder, given.verbose):
            found = _tried(lambda one=record: answer(one), failed, given.allow_failures, given.verbose)
            results[record[HEADERS["bids_folder"]]] = found
        os.makedirs(given.output_folder, exist_ok=True)
        update_demographics_table(table, given.output_folder, results)
