"""What the organiser's programs of several years have in common; ``helper_code.py`` is the entry's."""

import argparse
import contextlib
import os


def _write_lines(output_file, record, *rows):
    """The answer of 2020: ``#record``, and lines of values with commas between them."""
    lines = [f"#{record}", *(",".join(map(str, row)) for row in rows)]
    with open(output_file, "w") as file:
        file.write("".join(f"{line}\n" for line in lines))


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
    try:
        return (*arguments[: len(names)], int(float(verbose)))
    except ValueError:
        return (*arguments[: len(names)], 1)


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
