"""The organiser's program that answers: ``run_model.py -d DATA -m MODEL -o OUTPUTS [-v] [-f]``."""

import os
from functools import partial

from _challenge import _arguments, _invoked, _numbered, _tried
from helper_code import find_records, load_header, save_header, save_labels, save_signals
from team_code import load_models, run_models

if __name__ == "__main__":
    given = _arguments(__doc__, output=True)
    digitization, classification = load_models(given.model_folder, given.verbose)
    with _invoked():
        for record in _numbered(find_records(given.data_folder), given.data_folder, given.verbose):
            place, target = (os.path.join(folder, record) for folder in (given.data_folder, given.output_folder))
            answer = partial(run_models, place, digitization, classification, given.verbose)
            signals, labels = _tried(answer, (None, None), given.allow_failures, given.verbose)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            header = load_header(place)
            save_header(target, header)
            if signals is not None:  # a value out of range ends the run even where failures are allowed, as there
                save_signals(target, signals, [line for line in header.split("\n") if line.startswith("#")])
            if labels is not None:
                save_labels(target, labels)
