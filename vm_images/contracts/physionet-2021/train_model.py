"""The organiser's program that trains: ``train_model.py DATA MODEL``."""

import sys

from team_code import training_code

if __name__ == "__main__":
    data, model = sys.argv[1:]
    training_code(data, model)
