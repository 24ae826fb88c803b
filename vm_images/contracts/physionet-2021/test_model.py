"""The organiser's program that answers: ``test_model.py MODEL DATA OUTPUTS``."""

import os
import sys

from _challenge import _numbered, _tried
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

if __name__ == "__main__":
    models, data, outputs = sys.argv[1:]
    os.makedirs(outputs, exist_ok=True)
    files = list(zip(*find_challenge_files(data), strict=True))
    sets = {sort_leads(get_leads(load_header(file))) for file, _ in files}
    loaded = {leads: load_model(models, leads) for leads in sorted(sets)}
    for file, signals in _numbered(files, data):
        header, recording = load_header(file), load_recording(signals)
        model = loaded[sort_leads(get_leads(header))]
        found = _tried(lambda one=(model, header, recording): run_model(*one), ([], [], []), True, True)
        target = os.path.join(outputs, f"{os.path.splitext(os.path.basename(file))[0]}.csv")
        save_outputs(target, get_recording_id(header), *found)
