"""The organiser's program that answers: ``driver.py MODEL DATA OUTPUTS``."""

import os
import sys

import numpy as np
from _challenge import _invoked, _numbered, _write_lines
from run_12ECG_classifier import load_12ECG_model, run_12ECG_classifier
from scipy.io import loadmat

if __name__ == "__main__":
    models, data, outputs = sys.argv[1:]
    os.makedirs(outputs, exist_ok=True)
    model = load_12ECG_model(models)
    with _invoked():
        names = sorted(name for name in os.listdir(data) if name.lower().endswith("mat") and not name.startswith("."))
        for name in _numbered(names, data):
            signals = np.asarray(loadmat(os.path.join(data, name))["val"], dtype=np.float64)
            with open(os.path.join(data, name.replace(".mat", ".hea"))) as file:
                header = file.readlines()
            labels, scores, classes = run_12ECG_classifier(signals, header, model)
            target = os.path.join(outputs, name.replace(".mat", ".csv"))
            _write_lines(target, os.path.splitext(name)[0], classes, labels, scores)
