"""Hints for teams whose programs did not find something."""

from __future__ import annotations

import pytest

from evaluate.stages.missing_dependencies import hint, lacks


@pytest.mark.parametrize(
    ("printed", "package"),
    [
        ("ModuleNotFoundError: No module named 'numpy'", "python3-numpy"),
        ("ModuleNotFoundError: No module named 'sklearn.svm'", "python3-sklearn"),
        ("./run: error while loading shared libraries: libgomp.so.1: cannot open shared object file", "libgomp1"),
        ("./x: error while loading shared libraries: libfftw3.so.3: cannot open shared object file", "libfftw3-3"),
        ("there is no package called ‘Rcpp’", "r-cran-rcpp"),
        ("error: pkg load: package signal is not installed", "octave-signal"),
    ],
)
def test_missing_thing_is_named_with_its_debian_package(printed: str, package: str) -> None:
    text = hint(printed, "dependencies.txt", frozenset(), of_debian=True)
    assert text.startswith(f"dependencies.txt lists no {package}, ")
    assert hint(printed, "dependencies.txt", frozenset([package]), of_debian=True) == ""


def test_requirement_has_its_name_in_the_package_index() -> None:
    printed = "ModuleNotFoundError: No module named 'cv2'"
    assert hint(printed, "requirements.txt", frozenset(), of_debian=False) == (
        "requirements.txt lists no opencv-python-headless, the usual package of the module cv2"
    )


@pytest.mark.parametrize(
    ("printed", "part"),
    [
        ("setup.sh: line 4: cmake: command not found", "the program cmake is neither part of the entry nor installed"),
        ("/usr/bin/env: ‘Rscript’: No such file or directory", "the program Rscript is neither"),
        ("curl: (6) Could not resolve host: example.org", "there is no network"),
        ("<urlopen error [Errno -3] Temporary failure in name resolution>", "there is no network"),
        ("Failed to establish a new connection: [Errno 101] Network is unreachable", "there is no network"),
        ("wget: unable to resolve host address 'example.org'", "there is no network"),
        ("setup.sh: line 30: python: command not found", "call python3"),
        ("/usr/bin/env: ‘python2.7’: No such file or directory", "call python3"),
        ("next.sh: line 2: /usr/bin/python: No such file or directory", "call python3"),
        ("/usr/bin/env: ‘python3\\r’: No such file or directory", "not there (python3); if the script"),
        ("/bin/sh: ./x: /usr/bin/python3^M: bad interpreter: No such file", "not there (/usr/bin/python3); if"),
        ("next.sh: line 3: ./x.py: cannot execute: required file not found", "not there (./x.py); if"),
        ("error: externally-managed-environment", "pip has no network here: list Debian's packages"),
        ("setup.sh: line 3: pip3: command not found", "pip has no network here"),
    ],
)
def test_usual_cause_is_named_with_advice(printed: str, part: str) -> None:
    assert part in hint(f"before\n{printed}\nafter\n", "dependencies.txt", frozenset(), of_debian=True)


def test_other_output_says_nothing() -> None:
    printed = "Segmentation fault\nValueError: record not found in list\nthe python: is pythonic\n"
    assert lacks(printed) == () and hint(printed, "dependencies.txt", frozenset(), of_debian=True) == ""


def test_model_of_another_version_is_named_with_both_versions() -> None:
    printed = (
        "/usr/lib/python3/dist-packages/sklearn/base.py:348: InconsistentVersionWarning: Trying to unpickle estimator "
        "SimpleImputer from version 0.23.2 when using version 1.3.2. This might lead to breaking code\n"
        "ModuleNotFoundError: No module named 'numpy.none'\n"
    )
    assert hint(printed, "requirements.txt", frozenset(), of_debian=False) == (
        "the entry brings a model (SimpleImputer) that scikit-learn 0.23.2 made, and 1.3.2 is installed: train it "
        "again with 1.3.2, or pin scikit-learn==0.23.2 in requirements.txt if it has wheels for this Python"
    )
    whole = f"{printed}{printed.replace('SimpleImputer', 'RandomForestClassifier')}"
    assert hint(whole, "dependencies.txt", frozenset(), of_debian=True) == (
        "the entry brings a model (RandomForestClassifier) that scikit-learn 0.23.2 made, and 1.3.2 is installed: "
        "train it again with 1.3.2"
    )
