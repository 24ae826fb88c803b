"""The organiser's program that trains: ``train_model.py DATA MODEL``."""

import os
import sys

from train_12ECG_classifier import train_12ECG_classifier

if __name__ == "__main__":
    data, model = sys.argv[1:]
    os.makedirs(model, exist_ok=True)
    train_12ECG_classifier(data, model)
