"""Interface of a contract to the stages: what lies where, how programs are started, and where their answers are.

A `Contract` is data and a few functions; whatever it does not say is as this platform has it, and a challenge without a
contract has one that says nothing (`OWN`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from evaluate.config.challenge.types import RecordSet
from evaluate.core.model import Program
from evaluate.protocol.guest import HOME

Files = dict[str, Path | bytes]
"""Place below the folder of data -> a file of the host, or its content."""


_TEXTS = (".hea", ".txt")
WAITS = "EVALUATE_SERVER"
"""The variable that makes a server of a program that `Contract.waits`."""


def header_lines(header: bytes) -> Iterator[tuple[bytes, str]]:
    """The lines of a WFDB header as they are, and each as wfdb reads it.

    That is ASCII without blanks around it, other bytes and those of 0 (of UTF-16) left out, and with every line end
    that Python knows.
    """
    for line in header.decode("latin-1").splitlines(keepends=True):
        yield line.encode("latin-1"), "".join(letter for letter in line if letter.isascii()).replace("\0", "").strip()


def without_comments(header: bytes) -> bytes:
    """A WFDB header without its comment lines, which in some databases name the diagnosis."""
    return b"".join(line for line, read in header_lines(header) if not read.startswith("#"))


def input_files(record_set: RecordSet, records: Sequence[str]) -> dict[str, Path | bytes]:
    """The input files of some records, by their place below the data folder, as a guest may see them."""
    files: dict[str, Path | bytes] = {}
    for record in records:
        for name, path in record_set.files(record).items():
            stripped = record_set.strip_comments and path.suffix.lower() == ".hea"
            files[name] = without_comments(path.read_bytes()) if stripped else path
    return files


def unlabelled(record_set: RecordSet, records: Sequence[str], *, labels: Sequence[str]) -> Files:
    """The records' files; in headers and texts, lines that begin with one of these words are left out.

    A ``#`` and blanks before the word do not count, nor do capitals.
    """
    secret = re.compile(rf"[#\s]*(?:{'|'.join(map(re.escape, labels))})\b", re.IGNORECASE)

    def shown(content: Path | bytes) -> bytes:
        text = content.read_bytes() if isinstance(content, Path) else content
        return b"".join(line for line, read in header_lines(text) if not secret.match(read))

    files = input_files(record_set, records)
    return {
        name: shown(source) if PurePath(name).suffix.lower() in _TEXTS else source for name, source in files.items()
    }


@dataclass(frozen=True, kw_only=True)
class Contract:
    """One contract."""

    needs: tuple[str, ...] = ()
    """Files that an archive must hold."""
    files: Mapping[str, Path | bytes] = field(default_factory=dict)
    """The organiser's files, or their content, by their places in the entry's folder, where they replace the team's."""
    train: tuple[str, ...] = ()
    """Command that starts training, with the words ``{data}`` and ``{model}``; empty: there is none."""
    run: tuple[str, ...] = ()
    """Command that answers records, with ``{model}``, ``{data}`` and ``{output}``; empty: as kind and challenge say."""
    waits: bool = False
    """True if ``run`` can load its model and then wait, as a server, until it is invoked for a record (`WAITS`)."""
    lenient: tuple[str, ...] = ()
    """Words added to ``run`` where the challenge has ``run.allow_failures``."""
    model: str = f"{HOME}/model"
    """The folder that training fills."""
    tarball: str = ""
    """The folder of an image that a tarball with its model, beside it in its archive, takes the place of."""
    lay: Callable[[RecordSet, Sequence[str]], Files] = input_files
    """The folder of data of one start that answers these records; without labels."""
    learn: Callable[[RecordSet, Sequence[str]], Files] = input_files
    """The folder of data of training, with labels."""
    started: Callable[[Program], Program] = lambda program: program
    """Changes how the program of an image is started."""
    serves: Callable[[Program], bool] = lambda _: False
    """True if the program of an image is a server, which is loaded and then invoked for each record."""
    taken: Callable[[Path, str, Path], str] | None = None
    """Takes the answer of one record out of what its start left; None: it is there by the names of answers.

    Its arguments: the folder with what is left, the record, and a folder that it may make, where the files of the
    answer get the names that answers have.  It returns what is wrong with them, for the team; empty: nothing."""
    last_line: bool = False
    """True if a team reads the last line of standard error, of public records, as the reason of a failure."""
    beside: tuple[str, ...] = ()
    """Further files of an answer, with ``{record}``; each may be missing."""
    merge: Callable[[RecordSet, Path, Path], None] | None = None
    """Writes what a metric or scorer reads to an empty folder, from a folder of answers; None: the answers as they are.

    Its arguments: the records in their order, the folder of answers, the empty folder."""

    def command(self, words: Sequence[str], *, data: str, output: str = "") -> tuple[str, ...]:
        """``train`` or ``run`` with the places filled in."""
        return tuple(word.format(data=data, output=output, model=self.model) for word in words)


OWN = Contract()
"""Contract of challenges without one of their own."""
