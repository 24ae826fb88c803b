"""The organiser's program that trains: ``train_model.py DATA MODEL [VERBOSE]``."""

import sys

from _challenge import _folders
from team_code import train_challenge_model

if __name__ == "__main__":
    train_challenge_model(*_folders(sys.argv[1:], "DATA", "MODEL"))
