"""The organiser's program that trains: ``train_model.py -d DATA -m MODEL [-v]``."""

import argparse

from team_code import train_model

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-d", "--data_folder", required=True)
    parser.add_argument("-m", "--model_folder", required=True)
    parser.add_argument("-v", "--verbose", action="store_true")
    asked = parser.parse_args()
    train_model(asked.data_folder, asked.model_folder, asked.verbose)
