"""Checks a challenge for its organiser: every mistake at once, with file, line, key, value expected and value found."""

from __future__ import annotations

import filecmp
import math
import re
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any

from evaluate.config.challenge.load import FILE, make_challenge
from evaluate.config.challenge.scorer import Scorer
from evaluate.config.challenge.types import MAIN_EXAM, Challenge, Isolation, Kind, RecordSet
from evaluate.config.schema.document import Where, load_document
from evaluate.config.schema.keys import (
    ANY_NUMBER,
    COUNT,
    POSITIVE_SECONDS,
    TEXT,
    Key,
    ListOf,
    Section,
    key,
    one_of,
    read,
)
from evaluate.core.errors import ChallengeError, EntryError, Fault
from evaluate.core.files import sha256_file
from evaluate.core.model import MIB, Limits, Score, Sizes, Stage, StageOutcome, Verdict
from evaluate.core.sanitize import gist
from evaluate.images.recipe import recipe_names
from evaluate.stages.contracts import contract_of
from evaluate.stages.job import ScorerMeans
from evaluate.stages.score import score_answers
from evaluate.stages.scorers.run import last_words
from evaluate.untrusted.archives import looks_like_container, parse_answers
from evaluate.untrusted.requirements import parse_requirements
from metrics.base import ReferenceDataError
from metrics.readers.files import MAX_TEXT_BYTES, stand_in
from metrics.readers.foreign import POINTER_BYTES, decoded, pointer
from metrics.readers.wfdb_files import read_header

EXPECT = "expect.yaml"
METRIC_SECONDS = 25.0
"""Seconds that a metric may take for the sample entry on each of the two sets of records, by default."""
_SCORE_DIFFERENCE = 0.00006
"""Scores are written with four decimals."""
_SHOWN = 12
"""Pointers that are named, of each set of records."""
_RECORDS_SHOWN = 3


def check_challenge(
    folder: Path,
    say: Callable[[str], None] = lambda _: None,
    *,
    attempts: int | None = None,
    seconds: float | None = None,
    means: Callable[[Challenge], AbstractContextManager[ScorerMeans]] | None = None,
) -> list[str]:
    """Every mistake in the challenge in ``folder``, a line each; empty if there is none.

    Raises Fault if the confined process in which the metric runs cannot be used here.

    * ``say``: is given what the sample entry scores, where that needs no virtual machine, and recommendations.
    * ``attempts``: how many a team has in a phase (0: any number), if not as the challenge says.
    * ``seconds``: how long the metric may take for each set of records; by default `METRIC_SECONDS`, for a scorer its
      own limit.
    * ``means``: what a scorer is run with; without it, a scorer is not run.
    """
    try:
        document = load_document(folder / FILE)
    except ChallengeError as e:
        return str(e).splitlines()
    challenge = make_challenge(document)
    if challenge is None:
        return document.problems
    if challenge.image and challenge.image not in recipe_names():
        document.complain(("image",), f"expected one of {', '.join(recipe_names())}, found {challenge.image!r}")
    if challenge.scorer is not None:
        for problem in _scorer_problems(challenge.scorer):
            document.complain(("metric",), problem)
    elif challenge.metric and (unknown := _unknown_metric(challenge.metric)):
        document.complain(("metric",), unknown)
    for where, problem in (*_base_images(challenge), *_memory_of_commands(challenge)):
        document.complain(where, problem)
    for problem in (*_other_files(challenge), *exposures(challenge)):
        document.complain_of_file(problem)
    if not document.problems:  # otherwise what a metric says may be about the same mistake
        # it may fail in the same way on each set
        for problem in dict.fromkeys(_scored_by_all_means(challenge, say, seconds, means)):
            document.complain_of_file(problem)
        for text in recommendations(challenge, challenge.board.attempts if attempts is None else attempts):
            say(text)
    return document.problems


def check_challenges(folders: Iterable[Path]) -> None:
    """Check several challenges, such as all that a configuration names.

    Raises ChallengeError if something is wrong in one; every mistake of all is named. Raises Fault as `check_challenge`
    does.
    """
    problems = [problem for folder in folders for problem in check_challenge(folder)]
    if problems:
        raise ChallengeError("\n".join(problems))


def _other_files(challenge: Challenge) -> Iterator[str]:
    readme = challenge.folder / "README.md"
    if not readme.is_file():
        yield f"{readme}: missing; expected task, source and licence"
    for records in (challenge.quiz, *challenge.exams.values()):
        yield from islice(_pointers(records), _SHOWN)
        yield from islice(_headers(records), _HEADERS_SHOWN)
        yield from _references(challenge, records)
    yield from _sample_entry(challenge)
    for path in sorted((challenge.folder / "bad_entries").glob("*/")):
        try:
            yield from read_expectation(path / EXPECT)[1]
        except ChallengeError as e:
            yield from str(e).splitlines()


def _pointers(records: RecordSet) -> Iterator[str]:
    """Files of the records, and of their references, whose content is elsewhere."""
    inputs = [path for record in records.records for path in records.files(record).values()]
    references = records.references
    others = [] if references is None else [references] if references.is_file() else sorted(references.rglob("*"))
    for path in dict.fromkeys((*inputs, *others)):
        if path.is_file() and path.stat().st_size <= POINTER_BYTES:
            absence = str(pointer(path.read_bytes()) or "")
        else:
            absence = stand_in(path) if not path.exists() else ""
        if absence:
            yield f"{path}: {absence}"


# metric and references


def _base_images(challenge: Challenge) -> Iterator[tuple[Where, str]]:
    """Base images of Dockerfiles that are no container images."""
    for name, archive in challenge.base_images.items():
        if archive.is_file() and not looks_like_container(archive):
            where = ("dockerfile", "build", "images", name)
            yield where, f"{archive}: expected a container image, as 'docker save' writes it, or an OCI archive"


def _unknown_metric(name: str) -> str:
    """Mistake in the name, or the options, of a metric; an organiser's own code is not run for that."""
    if name.endswith(".py"):
        return "" if Path(name).is_file() else f"{name}: no such file"
    import metrics  # noqa: PLC0415  # numpy takes long to import

    if not name.lstrip().startswith("{"):
        names = (*metrics.names(), *metrics.plugins())
        return "" if name in names else f"no metric is called {name!r}; there are {', '.join(names)}"
    try:
        metrics.get(name)
    except KeyError as e:
        return str(e.args[0])
    return ""


def _references(challenge: Challenge, records: RecordSet) -> Iterator[str]:
    """Labels outside the set, and records without a reference, where references are lines ``record,label``."""
    if records.references is None or not records.references.is_file() or not records.records:
        return
    if records.references.stat().st_size > MAX_TEXT_BYTES:  # an array of gigabytes, for a metric of the organiser's own
        return
    lines = decoded(records.references.read_bytes(), errors="replace").splitlines()
    rows = [(n, [cell.strip() for cell in line.split(",")]) for n, line in enumerate(lines, 1) if line.strip()]
    named = {cells[0] for _, cells in rows if len(cells) > 1}
    if not named & set(records.records):  # a metric may have references of another form
        return
    for record in records.records:
        if record not in named:
            yield f"{records.references}: no reference for record {record}"
    if any(len(cells) != 2 for _, cells in rows):
        return
    first: dict[str, tuple[int, str]] = {}
    for n, (record, label) in rows:
        before, first_label = first.setdefault(record, (n, label))
        if first_label != label:
            yield f"{records.references}:{n}: {record} is {label!r} here and {first_label!r} in line {before}"
    if not challenge.answers.labels:
        return
    for n, (_, label) in rows:
        if label not in challenge.answers.labels:
            labels = " ".join(challenge.answers.labels)
            yield f"{records.references}:{n}: expected one of the labels {labels}, found {label!r}"


def _scorer_problems(scorer: Scorer) -> Iterator[str]:
    """Mistakes in a scorer's keys that need the recipes and the files of requirements."""
    if scorer.image not in recipe_names():
        yield f"image: expected one of {', '.join(recipe_names())}, found {scorer.image!r}"
    if scorer.requirements is not None and scorer.requirements.is_dir():
        yield f"requirements: expected a file, found the folder {scorer.requirements}"
    elif scorer.requirements is not None and scorer.requirements.exists():  # else it is named already
        try:
            parse_requirements(scorer.requirements.read_bytes())
        except EntryError as e:
            yield f"requirements: {e}"


def _scored_by_all_means(
    challenge: Challenge,
    say: Callable[[str], None],
    seconds: float | None,
    means: Callable[[Challenge], AbstractContextManager[ScorerMeans]] | None,
) -> Iterator[str]:
    if challenge.scorer is None:
        yield from _scored(challenge, say, METRIC_SECONDS if seconds is None else seconds, None)
    elif means is None:
        say("the scorer was not run: that needs a virtual machine")
    else:
        if not (challenge.folder / "sample_entry").is_dir():
            say("the scorer was not run: there is no sample_entry to score")
            return
        with means(challenge) as scorer_means:
            yield from _scored(challenge, say, math.inf if seconds is None else seconds, scorer_means)


def _scored(
    challenge: Challenge,
    say: Callable[[str], None],
    seconds: float,
    means: ScorerMeans | None,
) -> Iterator[str]:
    """Score the sample entry's answers, or none, in the confined process that scores entries; yields mistakes.

    An organiser's metric is a program like any other: it may end, hang or write, and this check continues.
    """
    sample = challenge.folder / "sample_entry"
    with tempfile.TemporaryDirectory() as scratch:
        none = Path(scratch)
        (none / challenge.answers.file).touch()
        (none / "folder").mkdir()
        nothing = none if challenge.answers_are_lines else none / "folder"
        judged = [(Stage.QUIZ, challenge, challenge.quiz)]
        judged += [(Stage.EXAM, challenge.with_exam(name), exam) for name, exam in challenge.exams.items()]
        for stage, rules, records in judged:
            if records.references is None or not records.records:
                continue
            answers = sample if _sample_answers(rules, stage) else nothing
            if means is not None and answers is nothing:
                continue  # a program of somebody else's need not have an answer to none
            try:
                outcome = score_answers(rules, records, answers, means, seconds=seconds, again=True)
            except (ChallengeError, Fault) as e:
                if isinstance(e, Fault) and not e.too_slow:
                    raise
                yield gist(str(e)) + (f"; --seconds allows more than {seconds:.0f}" if e.too_slow else "")
                if e.too_slow:
                    return
                continue
            if outcome.result.diagnostics.strip():
                printed = gist(outcome.result.diagnostics)
                say(f"the metric prints, which only you see, in the reports of entries: {printed}")
            if answers is sample and outcome.score is None:
                yield _unscored(challenge, sample, outcome)
            elif answers is sample and outcome.score is not None:
                say(f"the sample entry's answers for the {records.name or stage}: {outcome.result.message}")
                yield from (f"{sample}: record {record.record}: {record.message}" for record in outcome.result.records)
                yield from _unexpected(challenge, stage, records, outcome.score)
                for note in outcome.score.notes if means is not None else ():
                    say(note.text)


def _unscored(challenge: Challenge, sample: Path, outcome: StageOutcome) -> str:
    """The reason why a sample entry has no score, with the place where an ingestion program failed."""
    ingestion = challenge.scorer.ingestion if challenge.scorer is not None else None
    text = outcome.result.message
    if ingestion is not None and challenge.exam.hidden:  # the message for teams has no line
        text += last_words(outcome.result.diagnostics.encode())
    return f"{sample}: {gist(text)}"


def _unexpected(challenge: Challenge, stage: Stage, records: RecordSet, score: Score) -> Iterator[str]:
    """Mistakes in the score of the sample entry's answers."""
    value = score.values[score.primary]
    where = f"{challenge.folder / FILE}: data.{stage}.sample_score"
    if math.isnan(value):
        sample = challenge.folder / "sample_entry"
        yield f"{sample}: expected a number for its answers to the {stage}, found {score.primary} nan"
    elif records.sample_score is not None and abs(value - records.sample_score) > _SCORE_DIFFERENCE:
        yield f"{where}: expected {value:.4f}, which the metric computes, found {records.sample_score:g}"


def _memory_of_commands(challenge: Challenge) -> Iterator[tuple[Where, str]]:
    """Memory for a command that its machine lacks."""
    for stage, limits in challenge.limits.items() if challenge.runs_programs else ():
        if limits.memory_bytes > challenge.sizes.memory_bytes:
            where: Where = ("train", "limits") if stage == Stage.TRAIN else ("limits", stage)
            yield (
                (*where, "memory_mib"),
                f"expected at most the {challenge.sizes.memory_bytes // MIB} MiB that the machine has "
                f"(sizes.memory_mib), found {limits.memory_bytes // MIB}",
            )


def _sample_answers(challenge: Challenge, stage: Stage) -> bool:
    """True if the sample entry has answers for a stage, so that no machine is needed to score them."""
    sample = challenge.folder / "sample_entry"
    if challenge.answers.whole:
        return any(path.is_file() for path in sample.rglob("*"))
    if challenge.answers_are_lines:  # its own answers, for the public records
        return stage is Stage.QUIZ and (sample / challenge.answers.file).is_file()
    if stage is not Stage.EXAM or Kind.ANSWERS not in challenge.kinds:
        return False
    places = map(challenge.answers.names, challenge.exam.records)
    return any((sample / name).exists() for names in places for name in names)


# sample entry


def _sample_entry(challenge: Challenge) -> Iterator[str]:
    sample = challenge.folder / "sample_entry"
    if not sample.is_dir():
        if challenge.scorer is None and challenge.contract is None:  # another platform need not have one
            yield f"{sample}: missing; a challenge shows teams an entry that passes"
        return
    programs = [name for name in (challenge.run.program, challenge.run.octave) if name]
    needs = contract_of(challenge).needs
    required = [*challenge.required_files, *needs]
    if programs and not needs and not any((sample / name).exists() for name in programs):
        required.append(programs[0])
    yield from (f"{sample / name}: missing, a required file" for name in required if not (sample / name).exists())
    own_answers = sample / challenge.answers.file
    if challenge.answers.labels and own_answers.is_file():
        try:
            answers = parse_answers(own_answers.read_bytes(), challenge.answers.labels)
        except EntryError as e:
            yield from (f"{own_answers}: {problem}" for problem in str(e).splitlines())
            return
        for record in challenge.quiz.records:
            if record not in answers:
                yield f"{own_answers}: no answer for quiz record {record}"
    if challenge.answers.whole and not any(path.is_file() for path in sample.rglob("*")):
        yield f"{sample}: has no files"
    if challenge.kinds and not challenge.runs_programs and not challenge.answers.whole:
        for names in map(challenge.answers.names, challenge.exam.records):
            if not any((sample / name).exists() for name in names):
                yield f"{sample}: no answer {' or '.join(names)}"


# a hidden exam before its first entry: its readers, and the records that it shares


def recommendations(challenge: Challenge, attempts: int) -> Iterator[str]:
    """Advice in sentences; none for an exam that is not hidden.

    ``attempts``: how many a team has in a phase; 0: any number.
    """
    if not any(exam.hidden and exam.records for exam in challenge.exams.values()):
        return
    if not attempts:
        yield "a team has any number of attempts at the hidden records; board: {attempts: N} limits them"
    if challenge.runs_programs and challenge.isolation is Isolation.NAMESPACE and not challenge.gpus:
        yield (
            "records of the hidden exam share one machine (isolation: namespace), in which a program can measure what "
            "earlier records made it read; isolation: snapshot gives each a machine of its own"
        )


def exposures(challenge: Challenge) -> Iterator[str]:
    """Mistakes that reveal hidden records or references."""
    publics = (challenge.quiz, *(exam for exam in challenge.exams.values() if not exam.hidden))
    for name, exam in challenge.exams.items():
        if exam.hidden:
            judged = challenge.with_exam(name)
            yield from _readable(judged)
            for public in publics:
                yield from _same_references(judged, public)
                yield from _same_records(judged, public)
            yield from _given_away(judged)


def _readable(challenge: Challenge) -> Iterator[str]:
    """References and records that every user of this machine can read."""
    places = [path for path in (challenge.exam.references, challenge.exam.folder) if path is not None]
    for top in dict.fromkeys(path.resolve() for path in places if path.exists()):
        if (path := next(filter(_is_open, _files(top)), None)) is not None:
            yield (
                f"{path}: every user of this machine can read it (mode {stat.S_IMODE(path.stat().st_mode):03o}), "
                f"and the exam is hidden; chmod -R go= {top}"
            )


def _is_open(file: Path) -> bool:
    """True if everybody may read a file, and go through the folders that it is in."""
    folders = all(folder.stat().st_mode & stat.S_IXOTH for folder in file.parents)
    return folders and not file.is_symlink() and bool(file.stat().st_mode & stat.S_IROTH)


def _same_references(challenge: Challenge, public: RecordSet) -> Iterator[str]:
    """References of public records, whose score every team is shown, that are those of the hidden exam."""
    quiz, exam = public.references, challenge.exam.references
    # a scorer scores all references that it is given, a metric those of its records
    if challenge.scorer is None or quiz is None or exam is None or not quiz.exists() or not exam.exists():
        return
    first, second = quiz.resolve(), exam.resolve()
    if first.is_relative_to(second) or second.is_relative_to(first):
        yield (
            f"{challenge.folder / FILE}: {_place(public)}.references: the same as those of the hidden exam ({exam}), "
            f"so the public score of the {public.name or 'quiz'} is the hidden one; expected those of other, public "
            "records"
        )


def _place(records: RecordSet) -> str:
    """The keys of a set of records."""
    return f"data.exams.{records.name}" if records.name not in ("", MAIN_EXAM) else f"data.{records.name or 'quiz'}"


def _same_records(challenge: Challenge, public: RecordSet) -> Iterator[str]:
    """Public records, whose results every team is shown, that are records of the hidden exam: of its name and bytes."""
    if challenge.answers.whole:  # a placeholder, which says what to upload
        return
    exam = challenge.exam
    shared = [record for record in public.records if record in exam.records and _are_equal(record, public, exam)]
    if shared:
        yield (
            f"{challenge.folder / FILE}: {_place(public)}: {len(shared)} of its records are records of the hidden "
            f"exam, such as {', '.join(shared[:_RECORDS_SHOWN])}; expected other records, since results of the "
            f"{public.name or 'quiz'} are public"
        )


def _are_equal(record: str, first: RecordSet, second: RecordSet) -> bool:
    others = second.files(record)
    return all(
        name in others and path.is_file() and others[name].is_file() and filecmp.cmp(path, others[name], shallow=False)
        for name, path in first.files(record).items()
    )


def _given_away(challenge: Challenge) -> Iterator[str]:
    """Files of the sample entry, which everybody gets, that are hidden references."""
    sample, references = challenge.folder / "sample_entry", challenge.exam.references
    if references is None or not sample.is_dir():
        return
    sizes = {path.stat().st_size for path in _files(sample)}
    digests = {sha256_file(path): path for path in _files(references) if path.stat().st_size in sizes}
    for path in _files(sample):
        if path.stat().st_size and (reference := digests.get(sha256_file(path))) is not None:
            same_as = f"the same bytes as {reference.name} of the hidden references"
            yield f"{path}: {same_as}; every team gets the sample entry"


def _files(top: Path) -> Iterator[Path]:
    inside = sorted(top.rglob("*")) if top.is_dir() else [top]
    yield from (path for path in inside if path.is_file())


# Checks that WFDB headers among the records can be read, and that entries get the signal files they name.
#
# Here they are the organiser's own files; headers on their way into a guest are only copied, line by line.

_SUFFIX = ".hea"
_HEADERS_SHOWN = 20
_SEGMENTS = re.compile(r"[^/]+/([0-9]+)")
"""First word of the header of a record in segments, whose further lines name headers, and gaps (``~``)."""


def _headers(records: RecordSet) -> Iterator[str]:
    """Problems of the headers of a record set; none where inputs are not WFDB."""
    for record in records.records:
        inputs = records.files(record)
        for name, path in inputs.items():
            if not name.endswith(_SUFFIX):
                continue
            try:
                first, *lines = read_header(path, record).lines
            except ReferenceDataError as e:
                yield str(e)
                continue
            match = _SEGMENTS.fullmatch(first[0])
            number, what = (int(match[1]), "segments") if match else (int(first[1]), "signals")
            if len(lines) != number:
                yield f"{path}: expected a line for each of {number} {what}, found {len(lines)}"
            files = (
                [f"{line[0]}{_SUFFIX}" for line in lines if line[0] != "~"] if match else [line[0] for line in lines]
            )
            for file in dict.fromkeys(files):
                if str(PurePosixPath(name).parent / file) not in inputs:
                    given = ", ".join(inputs)
                    yield f"{path}: names the file {file}, which is not one of the record's inputs ({given})"


# bad entries

_TEXTS = ListOf(expected="a list of texts", item=TEXT)
_BYTES = COUNT.but(expected="a number of bytes")


CHANGED_LIMITS: Section[dict[str, Any]] = Section(
    dict,
    {
        "instructions": Key("Retired user-mode instructions.", COUNT),
        "wall_seconds": Key("Time on the clock.", POSITIVE_SECONDS),
        "processes": Key("Processes and threads.", COUNT),
        **{f.name: Key("A limit of the command.", _BYTES) for f in fields(Limits) if f.name.endswith("_bytes")},
    },
)
_CHANGED_STAGES: Section[dict[str, Any]] = Section(
    dict, {stage: Key(f"Of {stage}.", CHANGED_LIMITS) for stage in ("setup", "quiz", "exam")}
)
_CHANGED_SIZES: Section[dict[str, Any]] = Section(
    dict, {f.name: Key("A size of the machine.", _BYTES) for f in fields(Sizes) if f.name.endswith("_bytes")}
)


@dataclass(frozen=True, kw_only=True)
class Expectation:
    """Expectation of an ``expect.yaml`` about an entry that must fail (or pass in an unusual way)."""

    stage: Stage = key(
        "The stage that this is about; the last one unless its verdict is OK.", one_of(Stage), required=True
    )
    verdict: Verdict = key("Its verdict.", one_of(Verdict), required=True)
    message_contains: tuple[str, ...] = key("What its message contains.", _TEXTS, ())
    diagnostics_contain: tuple[str, ...] = key("What the diagnostics contain.", _TEXTS, ())
    remove: tuple[str, ...] = key(
        "Files of the sample entry that this entry lacks; its own files replace those of the same name.",
        ListOf(expected="a list of file names of the sample entry", item=TEXT.but(expected="a file name")),
        (),
    )
    limits: Mapping[str, Mapping[str, Any]] = key(
        "Limits that differ from the challenge's, so that a test is short.", _CHANGED_STAGES, factory=dict
    )
    sizes: Mapping[str, int] = key("Sizes that differ from the challenge's.", _CHANGED_SIZES, factory=dict)
    score: float = key("The challenge's primary value, calculated by hand.", ANY_NUMBER, math.nan, default="none")


EXPECTATION = Section(Expectation)
"""The keys of ``expect.yaml``."""


def read_expectation(path: Path) -> tuple[Expectation | None, list[str]]:
    """An ``expect.yaml`` and the mistakes in it; None where a required key is wrong.

    Raises ChallengeError if it cannot be read at all.
    """
    document = load_document(path)
    expectation = read(document, EXPECTATION)
    return expectation, document.problems
