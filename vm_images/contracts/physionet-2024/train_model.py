"""The organiser's program that trains: ``train_model.py -d DATA -m MODEL [-v]``."""

from _challenge import _arguments
from team_code import train_models

if __name__ == "__main__":
    given = _arguments(__doc__, output=False)
    train_models(given.data_folder, given.model_folder, given.verbose)
