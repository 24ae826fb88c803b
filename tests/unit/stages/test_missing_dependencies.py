"""Hints for teams whose programs did not find something."""

from __future__ import annotations

import pytest

from evaluate.stages.missing_dependencies import hint, lacks, of_replaced_file, unlisted


@pytest.mark.parametrize(
    ("printed", "package"),
    [
        ("ModuleNotFoundError: No module named 'numpy'", "python3-numpy"),
        ("ModuleNotFoundError: No module named 'sklearn.svm'", "python3-sklearn"),
        ("setup.sh: line 4: cmake: command not found", "cmake"),
        ("/bin/sh: 1: octave-cli: not found", "octave"),
        ("/usr/bin/env: ‘Rscript’: No such file or directory", "r-base-core"),
        ("./run: error while loading shared libraries: libgomp.so.1: cannot open shared object file", "libgomp1"),
        ("./x: error while loading shared libraries: libfftw3.so.3: cannot open shared object file", "libfftw3-3"),
        ("x.c:1:10: fatal error: gsl/gsl_math.h: No such file or directory", "libgsl-dev"),
        ("there is no package called ‘Rcpp’", "r-cran-rcpp"),
        ("error: pkg load: package signal is not installed", "octave-signal"),
    ],
)
def test_what_is_missing_is_named_with_its_debian_package(printed: str, package: str) -> None:
    found = hint(printed, "dependencies.txt", frozenset(), of_debian=True)
    assert found.startswith(f"dependencies.txt lists no {package}, ")
    assert hint(printed, "dependencies.txt", frozenset([package]), of_debian=True) == ""


def test_a_requirement_has_its_name_in_the_package_index() -> None:
    said = "ModuleNotFoundError: No module named 'cv2'"
    assert hint(said, "requirements.txt", frozenset(), of_debian=False) == (
        "requirements.txt lists no opencv-python-headless, the package of the module cv2"
    )


def test_error_in_a_package_that_only_others_asked_for_is_told_to_be_pinned() -> None:
    said = """Traceback (most recent call last):
  File "/home/challenge/team_code.py", line 3, in <module>
    import wfdb
  File "/usr/lib/python3/dist-packages/wfdb/io/annotation.py", line 3048, in <module>
    ann_class_table.set_index(ann_class_table["extension"].values, inplace=True)
  File "/usr/lib/python3/dist-packages/pandas/core/frame.py", line 7883, in set_index
    raise TypeError(
TypeError: The parameter "keys" may be a column key
"""
    found = hint(said, "requirements.txt", frozenset(["wfdb"]), of_debian=False)
    assert found.startswith("the error is in pandas, which requirements.txt does not list, so the newest is installed")
    assert hint(said, "requirements.txt", frozenset(["wfdb", "pandas"]), of_debian=False) == ""
    assert hint(said.replace("TypeError: T", "ValueError: T"), "requirements.txt", frozenset(), of_debian=False) == ""


def test_all_imports_that_no_list_has_are_named_at_once() -> None:
    texts = {
        "run.py": b"import os, numpy as np\nfrom sklearn.svm import SVC\nimport helper\nimport wfdb\n",
        "helper.py": b"import torch.nn\ndef f():\n    import optional\n",
    }
    others = unlisted(
        texts, frozenset(["wfdb"]), b"dependencies:\n  - numpy=1.26.4=py311\n  - pip:\n    - torch==2.2\n"
    )
    said = hint("No module named 'numpy'", "requirements.txt", frozenset(["wfdb"]), of_debian=False, others=others)
    assert said == (
        "requirements.txt lists no numpy, the package of the module numpy; its programs import, without a line for "
        "them: numpy, scikit-learn, torch; environment.yml, which is not read, has numpy==1.26.4, torch==2.2"
    )


def test_package_that_fails_at_its_import_is_told_apart_from_the_entry() -> None:
    said = """Traceback (most recent call last):
  File "/home/challenge/team_code.py", line 3, in <module>
    import wfdb
  File "/usr/lib/python3/dist-packages/wfdb/io/annotation.py", line 8, in <module>
    from pandas import Panel
ImportError: cannot import name 'Panel' from 'pandas' (/usr/lib/python3/dist-packages/pandas/__init__.py)
"""
    assert hint(said, "requirements.txt", frozenset(["wfdb"]), of_debian=False).startswith(
        "wfdb fails while it is imported"
    )
    called = said.replace("8, in <module>", "8, in rdann")
    assert hint(called, "requirements.txt", frozenset(["wfdb"]), of_debian=False) == ""


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("FileNotFoundError: [Errno 2] No such file or directory: '/Users/ann/m.pkl'", "/Users/ann/m.pkl is a path of"),
        ("FileNotFoundError: [Errno 2] No such file or directory: 'C:\\\\Users\\\\ann\\\\m.pkl'", "C:"),
        ("error: load: unable to find file /home/ann/m.mat", "/home/ann/m.mat is a path of another computer"),
        ("PermissionError: [Errno 13] Permission denied: '/outputA1.json'", "a name was appended to the folder"),
    ],
)
def test_path_of_another_computer_is_named(said: str, named: str) -> None:
    assert hint(said, "requirements.txt", frozenset(), of_debian=False).startswith(named)


@pytest.mark.parametrize("path", ["/home/challenge/m.pkl", "m.pkl", "/output/a.json"])
def test_other_paths_say_nothing(path: str) -> None:
    said = f"FileNotFoundError: [Errno 2] No such file or directory: '{path}'"
    assert hint(said, "requirements.txt", frozenset(), of_debian=False) == ""


def test_function_that_another_phase_called_otherwise_is_named() -> None:
    said = "ImportError: cannot import name 'load_models' from 'team_code' (/home/challenge/team_code.py)"
    found = hint(said, "requirements.txt", frozenset(), of_debian=False)
    assert found.startswith("team_code.py has no load_models: it was written for programs that call it by other names")


@pytest.mark.parametrize(
    "said",
    [
        "NameError: name 'get_label' is not defined. Did",
        "ImportError: cannot import name 'get_label' from 'helper_code' (/",
    ],
)
def test_function_of_a_file_that_the_organiser_replaces_is_named(said: str) -> None:
    found = of_replaced_file(
        said, {"helper_code.py": b"import os\ndef get_label(data):\n    pass\n", "run_model.py": b""}
    )
    assert found.startswith("helper_code.py of the organiser takes the place of the entry's, and has no get_label: ")
    assert of_replaced_file(said, {"helper_code.py": b"def get_label_2(data):\n    pass\n"}) == ""


def test_what_no_known_package_has_is_named_too() -> None:
    said = hint("No module named 'my_own_part'", "dependencies.txt", frozenset(), of_debian=True)
    assert said == "the module my_own_part is neither part of the entry nor installed by dependencies.txt"


@pytest.mark.parametrize("line", ["do/" * 400_000, "curl x; " + "rsync " * 200_000 + ":"])
def test_line_that_is_written_to_be_searched_for_days_is_searched_at_its_beginning_only(line: str) -> None:
    hint("", "dependencies.txt", frozenset(), of_debian=True, scripts={"setup.sh": line})


@pytest.mark.parametrize(
    "printed",
    [
        "curl: (6) Could not resolve host: example.org",
        "urllib.error.URLError: <urlopen error [Errno -3] Temporary failure in name resolution>",
        "requests.exceptions.ConnectionError: Failed to establish a new connection: [Errno 101] Network is unreachable",
        "fatal: unable to access 'https://example.org/x.git/': Could not resolve host: example.org",
        "wget: unable to resolve host address 'example.org'",
    ],
)
def test_program_that_wants_a_network_is_told_that_there_is_none(printed: str) -> None:
    found = hint(f"Traceback:\n{printed}\n", "requirements.txt", frozenset(), of_debian=False)
    advice = "put what is downloaded into the entry, or list it in requirements.txt"
    assert found == f"there is no network in the virtual machine: {advice}"


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("curl -s https://example.org/model.tar.gz | tar xz", "curl"),
        ("  wget -q $URL || exit 1", "wget"),
        ("model=$(/usr/bin/curl -fsS $URL)", "curl"),
        ("git clone -q https://example.org/x", "git clone"),
        ("python3 -c 'import urllib.request as r; r.urlopen(X)' 2>/dev/null", "urllib.request"),
        ("rsync -q example.org::models .", "rsync"),
    ],
)
def test_a_download_that_failed_without_a_word_is_named_by_its_line(line: str, what: str) -> None:
    scripts = {"setup.sh": f"#!/bin/bash\n# no curl here\nset -e\n{line}\n"}
    for printed in ("", "tar: model.tar.gz: Cannot open: No such file or directory", "No module named 'my_own_part'"):
        found = hint(printed, "dependencies.txt", frozenset(), of_debian=True, scripts=scripts)
        assert found.startswith(f"setup.sh, line 4, uses {what}, and there is no network in the virtual machine: ")


@pytest.mark.parametrize(
    "line", ["rsync -a a/ b/", "# curl x", "curl_like x", "cp curl.c x", "wget file:///x", "make curl"]
)
def test_what_reaches_no_network_is_not_called_a_download(line: str) -> None:
    assert hint("", "dependencies.txt", frozenset(), of_debian=True, scripts={"setup.sh": line}) == ""


@pytest.mark.parametrize(
    "printed",
    [
        "setup.sh: line 30: python: command not found",
        "/bin/sh: 1: python2: not found",
        "/usr/bin/env: ‘python2.7’: No such file or directory",
        "next.sh: line 2: /usr/bin/python: No such file or directory",
    ],
)
def test_script_for_an_older_python_is_told_which_there_is(printed: str) -> None:
    found = hint(printed, "dependencies.txt", frozenset(), of_debian=True)
    assert found.endswith("list python-is-python3 in dependencies.txt, or call python3")
    assert hint(printed.replace("python", "pythonic"), "dependencies.txt", frozenset(), of_debian=True) != found


@pytest.mark.parametrize(
    ("printed", "said"),
    [
        ("/usr/bin/env: ‘python3\\r’: No such file or directory", "a script has Windows line ends"),
        ("/bin/sh: ./x: /usr/bin/python3^M: bad interpreter: No such file or directory", "Windows line ends"),
        (
            "next.sh: line 3: ./x.py: cannot execute: required file not found",
            "the first line of ./x.py names",
        ),
        ("error: externally-managed-environment", "pip has no network here: list Debian's packages"),
        ("setup.sh: line 3: pip3: command not found", "pip has no network here"),
    ],
)
def test_script_that_cannot_be_started_or_calls_pip_is_told_what_to_do(printed: str, said: str) -> None:
    assert said in hint(f"before\n{printed}\nafter\n", "dependencies.txt", frozenset(), of_debian=True)


def test_other_output_says_nothing() -> None:
    assert lacks("Segmentation fault\nValueError: record not found in list\n") == ()


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
