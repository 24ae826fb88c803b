"""The organiser's program that answers: ``run_model.py -d DATA -m MODEL -o OUTPUTS [-v] [-f]``."""

import argparse
from pathlib import Path

from helper_code import find_records, save_outputs
from team_code import load_model, run_model


def answers(asked):
    """The record and the two answers for each record below the folder of data, in the order of their names."""
    model = load_model(asked.model_folder, asked.verbose)
    records = find_records(asked.data_folder)
    if not records:
        raise FileNotFoundError(f"{asked.data_folder}: no records")
    for record in records:
        try:
            binary, probability = run_model(str(Path(asked.data_folder) / record), model, asked.verbose)
        except BaseException as error:
            if not asked.allow_failures:
                raise
            if asked.verbose:
                print(f"{record}: failed: {error!r}")
            binary, probability = float("nan"), float("nan")
        yield record, binary, probability


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-d", "--data_folder", required=True)
    parser.add_argument("-m", "--model_folder", required=True)
    parser.add_argument("-o", "--output_folder", required=True)
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("-f", "--allow_failures", action="store_true")
    given = parser.parse_args()
    for name, binary_output, probability_output in answers(given):
        target = Path(given.output_folder) / f"{name}.txt"
        target.parent.mkdir(parents=True, exist_ok=True)
        save_outputs(str(target), Path(name).name, binary_output, probability_output)
