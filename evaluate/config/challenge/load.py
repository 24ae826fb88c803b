"""Find a challenge by name or path, and read its ``challenge.yaml``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from glob import escape
from pathlib import Path
from stat import S_ISDIR, S_ISREG

from evaluate.config.challenge.contract import TERMS, ContractName, Sockets, filled_in, read_sockets
from evaluate.config.challenge.scorer import SCORER, Scorer
from evaluate.config.challenge.types import (
    CHALLENGE,
    MAIN_EXAM,
    MORE_WITH_DOCKERFILE,
    MOST_SAVED_LAYERS,
    WITH_FOLDER,
    WITH_PROGRAM,
    Challenge,
    Data,
    Isolation,
    Mode,
    RecordSet,
    Training,
)
from evaluate.config.schema.document import Document, Where, load_document
from evaluate.config.schema.keys import read
from evaluate.core.errors import ChallengeError, UsageError
from evaluate.core.files import data_folder, is_there
from evaluate.core.model import Stage
from metrics.readers.files import stand_in
from metrics.readers.foreign import decoded, is_data

# The records of a folder, by its list or by the names of its files


RECORDS = "RECORDS"
_SHOWN = 20
_RECORD_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
"""A record's name becomes an argument of a shell script and a part of file names."""
_NESTED_NAME = re.compile(rf"{_RECORD_NAME.pattern}(/{_RECORD_NAME.pattern})*")
"""Pattern for names of records that no shell script gets: a record may be a file somewhere below the data folder."""


def record_set(
    folder: Path, inputs: Sequence[str], references: Path | None = None, *, nested: bool = False
) -> RecordSet:
    """The records of a folder, by its RECORDS file or, without one, by the files of the first input pattern.

    Raises ChallengeError if the folder, a record's file or the references are missing, or a name is not valid; the
    first 20 are named.

    ``nested``: whether a record may be in a subfolder; its name is then a path.
    """
    if not is_there(folder, S_ISDIR):
        raise ChallengeError(f"{folder}: no such folder of records")
    if not inputs:
        raise ChallengeError(f"{folder}: no names of input files are given")
    listing = folder / RECORDS
    if listing.is_file():
        source = str(listing)
        lines = decoded(listing.read_bytes(), errors="replace").splitlines()
        named = [
            (_listed(line.strip(), folder, inputs), f"{listing}:{n}") for n, line in enumerate(lines, 1) if line.strip()
        ]
    else:
        source = str(folder)
        before, *after = inputs[0].split("{record}")
        files = folder.glob(f"{escape(before)}{'**/' if nested else ''}*{'*'.join(map(escape, after))}")
        again = "(?P=record)".join(map(re.escape, after))
        form = re.compile(f"{re.escape(before)}(?P<record>.+){again}")
        paths = (str(path.relative_to(folder)) for path in files)
        matches = (form.fullmatch(path) for path in paths if is_data(path))
        named = [(name, source) for name in sorted(match["record"] for match in matches if match)]
    problems = [] if named else [f"{source}: no records; expected a {RECORDS} file or files like {inputs[0]}"]
    valid = _NESTED_NAME if nested else _RECORD_NAME
    first: dict[str, str] = {}
    for name, where in named:
        if not valid.fullmatch(name):
            problems.append(f"{where}: {name!r} is not a valid record name")
        elif name in first:
            problems.append(f"{where}: record {name} appears twice; first at {first[name]}")
        first.setdefault(name, where)
    records = RecordSet(folder=folder, records=tuple(first), inputs=tuple(inputs), references=references)
    if not problems:
        missing = [path for name in first for path in records.files(name).values() if not is_there(path, S_ISREG)]
        problems += [f"{path}: missing, although its record is in {source}{_instead(path)}" for path in missing]
    if len(problems) > _SHOWN:
        problems[_SHOWN:] = [f"{source}: and {len(problems) - _SHOWN} more problems"]
    if references is not None and not is_there(references):
        problems.append(f"{references}: no such references{_instead(references)}")
    if problems:
        raise ChallengeError("\n".join(problems))
    return records


def _instead(path: Path) -> str:
    stand = stand_in(path)
    return f"; there is {stand}" if stand else ""


def _listed(name: str, folder: Path, inputs: Sequence[str]) -> str:
    """The record of a line of RECORDS, which may have the suffix of its file, or a folder where the files have none."""
    for pattern in inputs:
        before, _, suffix = pattern.partition("{record}")
        if not before and suffix.startswith(".") and "*" not in suffix:
            name = name.removesuffix(suffix)
    if not _NESTED_NAME.fullmatch(name):
        return name
    alone = name.rpartition("/")[2]
    places = [folder / inputs[0].format(record=each) for each in (name, alone)]
    return alone if is_there(places[1], S_ISREG) and not is_there(places[0], S_ISREG) else name


FILE = "challenge.yaml"


def list_challenges() -> tuple[str, ...]:
    """Names of the challenges that come with the program."""
    return tuple(sorted(path.parent.name for path in data_folder("challenges").glob(f"*/{FILE}")))


def program_challenge(name: str) -> Path | None:
    """The folder of a challenge that comes with the program; None if none has this name."""
    folder = data_folder("challenges") / name
    return folder.resolve() if "/" not in name and is_there(folder / FILE, S_ISREG) else None


def challenge_folder(name_or_path: str) -> Path:
    """The folder of a challenge, by its name or its path. Raises UsageError if there is none."""
    if (named := program_challenge(name_or_path)) is not None:
        return named
    if is_there(Path(name_or_path) / FILE, S_ISREG):
        return Path(name_or_path).resolve()
    raise UsageError(
        f"no challenge {name_or_path!r}: neither one of {', '.join(list_challenges())} nor a folder with a {FILE}"
    )


def read_challenge(folder: Path, isolation: str | None = None) -> tuple[Challenge | None, list[str]]:
    """The challenge in a folder and every mistake in it; None where it cannot even be read."""
    try:
        document = load_document(folder / FILE)
    except ChallengeError as e:
        return None, str(e).splitlines()
    if isolation is not None and isinstance(document.value, dict):
        document.value["isolation"] = isolation
    challenge = make_challenge(document)
    return challenge, document.problems


def make_challenge(document: Document) -> Challenge | None:
    """The challenge that a ``challenge.yaml`` describes; its mistakes are noted in the document."""
    folder = document.path.parent
    sockets = _leave_to_contract(document)
    challenge = read(document, CHALLENGE)
    if challenge is None:
        return None
    challenge = replace(challenge, name=folder.name, folder=folder)
    _check_contract(document, challenge)
    _check_isolation(document, challenge)
    scorer = _scorer(document)
    _check_answers(document, challenge, scorer)
    quiz, exam = (
        _record_set(document, ("data", stage), records, challenge, challenge.inputs)
        for stage, records in (("quiz", challenge.quiz), ("exam", challenge.exam))
    )
    exams = {
        name: _record_set(document, ("data", "exams", name), records, challenge, challenge.inputs)
        for name, records in challenge.data.exams.items()
    }
    if len({records_of_exam.references is None for records_of_exam in (exam, *exams.values())}) > 1:
        document.complain(("data", "exams"), "expected references of every exam, or of none")
    if MAIN_EXAM in exams:
        document.complain(("data", "exams", MAIN_EXAM), "expected another name: data.exam has this one")
    train, limits = _training(document, challenge), challenge.limits
    if train is not None and train.limits is not None:
        limits = {**limits, Stage.TRAIN.value: train.limits}
    return replace(
        challenge.with_machines(limits),
        metric=_metric(challenge, scorer),
        sockets=sockets,
        data=Data(
            quiz=quiz,
            exam=replace(exam, name=MAIN_EXAM),
            exams={name: replace(records, name=name) for name, records in exams.items()},
        ),
        train=train,
        scorer=scorer,
    )


def _metric(challenge: Challenge, scorer: Scorer | None) -> str:
    """The name by which `metrics.get` finds it, or that of the scorer."""
    if scorer is not None:
        return scorer.name
    return str(challenge.folder / challenge.metric) if challenge.metric.endswith(".py") else challenge.metric


def _training(document: Document, challenge: Challenge) -> Training | None:
    """Return how entries are trained; None if they are not."""
    train = challenge.train
    if train is None:
        return None
    named = replace(train.records, hidden=train.hidden)
    records = _record_set(document, ("train",), named, challenge, train.inputs or challenge.inputs, folder="records")
    if train.hidden and not all(map(challenge.hides, challenge.exams)):
        document.complain(
            ("train", "hidden"),
            "needs data.exam.hidden, and that of every further exam: a model that saw secret records could tell them "
            "by its answers to public ones",
        )
    for name in train.files:
        if not is_there(records.folder / name, S_ISREG):
            document.complain(("train", "files"), f"{records.folder / name}: no such file")
    return replace(train, records=records)


def _leave_to_contract(document: Document) -> Sockets | None:
    """Fill in the keys that a file leaves to its contract; returns the sockets of the contract, if it has some."""
    platform = document.value.get("contract") if isinstance(document.value, dict) else None
    platform = platform.get("platform") if isinstance(platform, dict) else platform
    if platform not in tuple(ContractName):
        return None
    terms = TERMS[ContractName(platform)]
    document.value = filled_in(document.value, terms.keys)
    if terms.learns and isinstance(document.value.get("train"), dict):
        document.value["train"] = filled_in(document.value["train"], {"inputs": list(terms.learns)})
    file = document.value.get("sockets")
    if terms.sockets and file is None:
        document.complain((), f"key 'sockets' is missing; expected a file name, because the contract is {platform}")
    if not terms.sockets or not isinstance(file, str):
        return None
    try:
        sockets = read_sockets(document.path.parent / file)
    except ChallengeError as e:
        document.complain(("sockets",), str(e))
        return None
    document.value = filled_in(document.value, sockets.keys)
    return sockets


def _check_contract(document: Document, challenge: Challenge) -> None:
    """Note keys that do not fit the contract."""
    contract = challenge.platform
    if challenge.sockets is not None and not (contract and TERMS[contract].sockets):
        document.complain(("sockets",), "needs a contract that has sockets")
    if contract is None:
        if challenge.run.allow_failures:
            document.complain(("run", "allow_failures"), "needs a contract")
        return
    if challenge.programs is not None:
        if not contract.startswith("physionet-"):
            document.complain(("contract",), f"{contract} has no programs of the organiser")
        if not is_there(challenge.programs, S_ISDIR):
            document.complain(("contract",), f"{challenge.programs}: no such folder")
    terms = TERMS[contract]
    if not challenge.inputs and not (terms.sockets and challenge.sockets):
        document.complain((), f"key 'inputs' is missing; {contract} does not say what a record's files are")
    if challenge.kinds and terms.kind not in challenge.kinds:
        document.complain(("kind",), f"expected {terms.kind}, because the contract is {contract}")
    if challenge.run.allow_failures and not terms.may_fail:
        document.complain(("run", "allow_failures"), f"{contract} does not let a program fail and continue")
    mode = terms.keys.get("run", {}).get("mode")
    if terms.one_mode and mode != challenge.run.mode:
        document.complain(("run", "mode"), f"expected {mode}, because the contract is {contract}")


def _scorer(document: Document) -> Scorer | None:
    """The scorer that takes the place of a metric; None if there is none, or it cannot be read."""
    metric = document.value.get("metric") if isinstance(document.value, dict) else None
    if not isinstance(metric, dict) or "scorer" not in metric:
        return None
    scorer = read(document, SCORER, ("metric",))
    if scorer is None:
        return None
    if scorer.container is not None and (scorer.requirements or scorer.packages):
        document.complain(("metric", "container"), "has its own packages: leave requirements and packages out")
    if scorer.values and scorer.primary not in scorer.values:
        document.complain(("metric", "values"), f"expected the primary {scorer.primary!r} among them")
    return scorer


def _check_answers(document: Document, challenge: Challenge, scorer: Scorer | None) -> None:
    """Note keys that need a scorer."""
    if challenge.answers.whole and scorer is None:
        document.complain(("answers", "whole"), "needs metric.scorer: metrics read the files of each record")
    sets: list[tuple[Where, RecordSet]] = [(("data", "quiz"), challenge.quiz), (("data", "exam"), challenge.exam)]
    sets += [(("data", "exams", name), records) for name, records in challenge.data.exams.items()]
    for where, records in sets:
        if records.input_data is not None and scorer is None:
            document.complain((*where, "input_data"), "needs metric.scorer: a metric has no use for it")


def _check_isolation(document: Document, challenge: Challenge) -> None:
    """Note keys that cannot be combined with a saved machine."""
    if challenge.isolation is not Isolation.SNAPSHOT:
        return
    most = MOST_SAVED_LAYERS - (MORE_WITH_DOCKERFILE if challenge.dockerfile is not None else 0)
    folders = any(kind in WITH_FOLDER and kind in WITH_PROGRAM for kind in challenge.kinds)
    for problem, wrong in (
        (
            "needs run.mode: record, because each record has a machine of its own",
            folders and challenge.run.mode is Mode.SET,
        ),
        ("cannot be combined with gpus: a device cannot be saved", challenge.gpus > 0),
        ("cannot be combined with licence: a connection cannot be saved", challenge.licence),
        (f"allows at most {most} layers", len(challenge.layers) > most),
    ):
        if wrong:
            document.complain(("isolation",), f"{Isolation.SNAPSHOT} {problem}")


def _record_set(
    document: Document,
    where: Where,
    named: RecordSet,
    challenge: Challenge,
    inputs: tuple[str, ...],
    *,
    folder: str = "folder",
) -> RecordSet:
    """The records that the keys there name, the folder by ``folder``; an empty set where they cannot be read."""
    empty = replace(
        named,
        folder=challenge.folder / named.folder,
        inputs=inputs,
        references=None,
        strip_comments=challenge.public_headers.strip_comments and where != ("train",),
    )
    if not named.folder.parts or not inputs:  # named already
        return empty
    if not is_there(empty.folder, S_ISDIR):
        document.complain((*where, folder), f"{empty.folder}: no such folder")
        return empty
    try:
        records = record_set(empty.folder, inputs, named.references, nested=not challenge.answers_are_lines)
    except ChallengeError as e:
        for problem in str(e).splitlines():
            document.complain_of_file(problem)
        return empty
    return replace(empty, records=records.records, references=records.references)
