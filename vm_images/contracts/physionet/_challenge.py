"""What the organiser's programs and helpers of several years have in common.

Names without an underscore are those that programs of teams use; each year's ``helper_code.py`` has its own of them.
"""

import argparse
import contextlib
import math
import os
from functools import partial

# values


def is_number(x):
    """Whether it is a number, or text that says one."""
    try:
        float(x)
    except (TypeError, ValueError):
        return False
    return True


def is_integer(x):
    """Whether it is a whole number, or text that says one."""
    return is_number(x) and float(x).is_integer()


def is_finite_number(x):
    """Whether it is a number other than NaN and the infinities."""
    return is_number(x) and math.isfinite(float(x))


def is_nan(x):
    """Whether it is NaN."""
    return is_number(x) and math.isnan(float(x))


def _bare(x, extra):
    return str(x).translate(str.maketrans("", "", extra)).strip()


def remove_extra_characters(x):
    """Its text without quotes, brackets and blanks, as of an array with one element."""
    return _bare(x, "\"'()[]{} \t")


_FALSE, _TRUE = ("false", "f", "no", "n"), ("true", "t", "yes", "y")


def _truth(number, text, false=_FALSE, true=_TRUE):
    """0 or 1 if a number or text says that, else NaN."""
    if text.casefold() in false or (is_number(number) and float(number) == 0):
        return 0
    return 1 if text.casefold() in true or (is_number(number) and float(number) == 1) else math.nan


def _integer(text):
    return int(float(text)) if is_integer(text) else math.nan


def _scalar(text):
    return float(text) if is_number(text) else math.nan


def is_boolean(x):
    """Whether it says true or false."""
    return not is_nan(_truth(x, remove_extra_characters(x)))


def sanitize_boolean_value(x):
    """1, 0, or NaN for anything else."""
    text = remove_extra_characters(x)
    return _truth(text, text)


def sanitize_integer_value(x):
    """A whole number, or NaN."""
    return _integer(remove_extra_characters(x))


def sanitize_scalar_value(x):
    """A number, or NaN."""
    return _scalar(remove_extra_characters(x))


# files


def load_text(filename):
    """The text of a file."""
    with open(filename) as file:
        return file.read()


def save_text(filename, string):
    """Write a text file."""
    with open(filename, "w") as file:
        file.write(string)


def find_records(folder, file_extension=".hea"):
    """The records in a folder and below it, by the files with this suffix: paths without it, in order."""
    found = set()
    for top, _, names in os.walk(folder):
        for name in names:
            stem, suffix = os.path.splitext(name)
            if suffix == file_extension:
                found.add(os.path.relpath(os.path.join(top, stem), folder))
    return sorted(found)


def _variables(string, variable_name):
    """What follows a name at the beginnings of lines."""
    return [line[len(variable_name) :].strip() for line in string.split("\n") if line.startswith(variable_name)]


def _write_lines(output_file, record, *rows):
    """The answer of 2020 to 2022: ``#record``, and lines of values with commas between them."""
    lines = [f"#{record}", *(",".join(map(str, row)) for row in rows)]
    save_text(output_file, "".join(f"{line}\n" for line in lines))


# headers of WFDB records, as texts


def get_header_file(record):
    """The header's file of a record."""
    return record if os.path.splitext(record)[1] == ".hea" else f"{record}.hea"


def load_header(record):
    """The header of a record."""
    return load_text(get_header_file(record))


def _word(string, number, convert=str, valid=lambda word: True):
    """A word of the first line, up to a slash; None if it is not valid."""
    word = string.split("\n", 1)[0].split(" ")[number].split("/")[0].strip()
    return convert(word) if valid(word) else None


get_record_name = partial(_word, number=0)
get_num_signals = partial(_word, number=1, convert=int, valid=is_integer)
get_sampling_frequency = partial(_word, number=2, convert=float, valid=is_number)  # samples of a signal in a second
get_num_samples = partial(_word, number=3, convert=int, valid=is_integer)  # samples of each signal


def _of_signals(string, number):
    """A word of the line of each signal."""
    return [line.split(" ")[number] for line in string.split("\n")[1 : get_num_signals(string) + 1]]


get_signal_names = partial(_of_signals, number=8)  # the names of the signals


def normalize_names(names_ref, names_est):
    """Those of ``names_est`` that are in ``names_ref`` but for capitals, as they are written there."""
    found = (next((ref for ref in names_ref if ref.casefold() == name.casefold()), None) for name in names_est)
    return [name for name in found if name is not None]


def reorder_signal(input_signal, input_channels, output_channels):
    """The columns of a signal in the order of other channels; zero where it lacks one of these."""
    import numpy as np

    assert len(set(input_channels)) == len(input_channels), "repeated channels"
    assert len(set(output_channels)) == len(output_channels), "repeated channels"
    if input_channels == output_channels:
        return input_signal
    signal, wanted, names = np.asarray(input_signal), normalize_names(input_channels, output_channels), input_channels
    found = np.zeros((signal.shape[0], len(wanted)), dtype=signal.dtype)
    for i, name in enumerate(wanted):
        found[:, i] = signal[:, list(names).index(name)]
    return found


# programs


def _arguments(about, *, output):
    """The options of a program of 2024 and later."""
    parser = argparse.ArgumentParser(description=about)
    for letter, name in (("d", "data"), ("m", "model"), *((("o", "output"),) if output else ())):
        parser.add_argument(f"-{letter}", f"--{name}_folder", required=True)
    parser.add_argument("-v", "--verbose", action="store_true")
    if output:
        parser.add_argument("-f", "--allow_failures", action="store_true")
    return parser.parse_args()


def _folders(arguments, *names):
    """The folders and the verbosity that a program of 2022 and 2023 is called with."""
    most = len(names) + 1
    if not len(names) <= len(arguments) <= most:
        raise SystemExit(f"expected the folders {' '.join(names)}, and perhaps a verbosity; found {arguments}")
    verbose = arguments[len(names)] if len(arguments) == most else 1
    return (*arguments[: len(names)], int(float(verbose)) if is_integer(verbose) else 1)


_PORT = 4743


def _asked():
    """The connection that asks a server for a record; others hear that it is healthy, since its model is loaded."""
    import socket

    listener = socket.create_server(("127.0.0.1", _PORT))
    while True:
        line, _ = listener.accept()
        head = b""
        while b"\r\n\r\n" not in head and (data := line.recv(4096)):
            head += data
        if head.startswith(b"POST /invoke "):
            return line
        with line:
            line.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")


@contextlib.contextmanager
def _invoked():
    """What is done for the records, after the model was loaded.

    Where EVALUATE_SERVER is 1 the supervisor loads the model once, and has a record answered in a copy of the machine:
    then the program is a server on port 4743, and waits here for ``POST /invoke``.
    """
    line = _asked() if os.environ.pop("EVALUATE_SERVER", "") == "1" else None
    yield
    if line is not None:
        line.sendall(b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")


def _numbered(records, data_folder, verbose=True):
    """Each of the records; says which one it is."""
    if not records:
        raise FileNotFoundError(f"{data_folder}: no records")
    for n, record in enumerate(records, 1):
        if verbose:
            print(f"- {n}/{len(records)}: {record}...", flush=True)
        yield record


def _tried(answer, otherwise, allow_failures, verbose):
    """What the team's function answers; where it may fail and does, the answer for that."""
    try:
        return answer()
    except BaseException as error:
        if not allow_failures:
            raise
        if verbose:
            print(f"... failed: {error!r}", flush=True)
        return otherwise
