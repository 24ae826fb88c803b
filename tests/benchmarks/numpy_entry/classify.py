"""Tells atrial fibrillation by the spread of the intervals between R peaks, with what most entries use."""

import sys

import numpy as np
from scipy.io import loadmat
from scipy.signal import butter, filtfilt, find_peaks, welch

RATE = 300.0
name = sys.argv[1]
signal = loadmat(f"{name}.mat")["val"][0].astype(float)
filtered = filtfilt(*butter(2, [5, 20], btype="bandpass", fs=RATE), signal)
energy = np.convolve(np.gradient(filtered) ** 2, np.ones(36) / 36, mode="same")
peaks, _ = find_peaks(energy, distance=60, height=0.3 * np.percentile(energy, 98))
intervals = np.diff(peaks) / RATE
frequencies, power = welch(signal, fs=RATE, nperseg=1024)
noise = power[frequencies > 40].sum() / power.sum()
spread = np.std(np.diff(intervals)) if len(intervals) > 2 else 0.0
print(f"{name},{'~' if noise > 0.3 else 'A' if spread > 0.12 else 'N'}")
