"""The helper functions of 2025, under the names and with the results that the year gives them."""

import contextlib
import hashlib  # noqa: F401 - programs of teams get these by `from helper_code import *`
import os
import sys  # noqa: F401
from collections import defaultdict  # noqa: F401
from functools import partial

import numpy as np
import wfdb
from _challenge import (  # noqa: F401
    _variables,
    find_records,
    get_header_file,
    get_num_samples,
    get_num_signals,
    get_record_name,
    get_sampling_frequency,
    get_signal_names,
    is_boolean,
    is_finite_number,
    is_integer,
    is_nan,
    is_number,
    load_header,
    load_text,
    normalize_names,
    remove_extra_characters,
    reorder_signal,
    sanitize_boolean_value,
    sanitize_integer_value,
    sanitize_scalar_value,
    save_text,
)

with contextlib.suppress(ImportError):
    import scipy as sp  # noqa: F401
with contextlib.suppress(ImportError):
    import sklearn  # noqa: F401
age_string = "# Age:"
sex_string = "# Sex:"
source_string = "# Source:"
label_string = "# Chagas label:"
probability_string = "# Chagas probability:"


def get_variable(string, variable_name):
    """What the last line with a name says, and whether there is one."""
    found = _variables(string, variable_name)
    return (found[-1], True) if found else (None, False)


def _needed(string, variable_name, allow_missing):
    value, there = get_variable(string, variable_name)
    if not there and not allow_missing:
        raise ValueError(f"no {variable_name!r}: hidden data have no labels")
    return value


def get_label(string, allow_missing=False):
    """The label, 0 or 1."""
    return sanitize_boolean_value(_needed(string, label_string, allow_missing))


def get_probability(string, allow_missing=False):
    """The probability of a positive label."""
    return sanitize_scalar_value(_needed(string, probability_string, allow_missing))


def save_outputs(output_file, record_name, label, probability):
    """Write the answer for a record; returns its text."""
    text = f"{record_name}\n{label_string} {label}\n{probability_string} {probability}\n"
    save_text(output_file, text)
    return text


def get_age(string):
    """The age in years; text or None where it is no number."""
    age = get_variable(string, age_string)[0]
    return float(age) if is_number(age) else age


def get_sex(string):
    """The sex as it is written."""
    return get_variable(string, sex_string)[0]


def get_source(string):
    """The data set that it comes from."""
    return get_variable(string, source_string)[0]


def _loaded(record, get):
    return get(load_header(record))


load_label = partial(_loaded, get=get_label)
load_probability = partial(_loaded, get=get_probability)
load_age = partial(_loaded, get=get_age)
load_sex = partial(_loaded, get=get_sex)
load_source = partial(_loaded, get=get_source)


def load_signals(record):
    """The signals of a record in physical units, samples by channels, and what its header says."""
    return wfdb.rdsamp(record)


def get_signal_files(record):
    """The files with the signals of a record."""
    lines = load_header(record).split("\n")
    count = int(lines[0].split(" ")[1])
    return {os.path.join(os.path.dirname(record), line.split(" ")[0].strip()) for line in lines[1 : count + 1]}


def compute_challenge_score(labels, outputs, fraction_capacity=0.05, num_permutations=10**4, seed=12345):
    """The share of the positives among the largest outputs, averaged over random orders of equal ones."""
    labels, outputs = np.asarray(labels, dtype=float), np.asarray(outputs, dtype=float)
    assert len(labels) == len(outputs), "expected as many outputs as labels"
    capacity, positives = int(fraction_capacity * len(labels)), np.sum(labels == 1)
    if seed is not None:
        np.random.seed(seed)
    found = 0
    for _ in range(num_permutations):
        order = np.random.permutation(np.arange(len(labels)))
        first = np.argsort(outputs[order], kind="stable")[::-1][:capacity]
        found += np.sum(labels[order][first] == 1)
    return found / num_permutations / positives if positives else float("nan")


def compute_auc(labels, outputs):
    """The areas under the ROC and the precision-recall curve."""
    from sklearn.metrics import average_precision_score, roc_auc_score

    return roc_auc_score(labels, outputs), average_precision_score(labels, outputs)


def compute_accuracy(labels, outputs):
    """The share of outputs that are the labels."""
    from sklearn.metrics import accuracy_score

    return accuracy_score(labels, outputs)


def compute_f_measure(labels, outputs):
    """F1 of the positive class."""
    from sklearn.metrics import f1_score

    return f1_score(labels, outputs)
