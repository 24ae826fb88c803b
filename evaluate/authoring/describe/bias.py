"""The design document of a biomedical challenge (BIAS): what follows from the definition, and marked gaps.

Fields and their order follow the structured submission of MICCAI challenges (doi 10.1016/j.media.2020.101796).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from evaluate import __version__
from evaluate.challenge.types import Challenge, Isolation, Kind, Mode
from evaluate.config.terms import Scores, Terms
from evaluate.receipts.statement import minute

GAP = "**GAP**: "
"""Marks what the organisers have to write."""
_CHALLENGE = (
    "name",
    "acronym",
    "abstract",
    "keywords",
    "year",
    "authors",
    "novelty",
    "application scenarios",
    "conference or workshop",
    "duration",
    "expected number of participants",
    "publication and future plans",
    "space and hardware requirements",
)
_TASK = (
    "abstract",
    "keywords",
    "organizing team",
    "contact person",
    "lifecycle",
    "platform",
    "url",
    "interaction level policy",
    "training data policy",
    "organizer participation policy",
    "award policy",
    "results announcement",
    "publication policy",
    "result submission method",
    "pre-evaluation",
    "schedule",
    "ethics approval",
    "licence",
    "code availability (organizers)",
    "code availability (participants)",
    "conflict of interest",
    "field of application",
    "task category",
    "target cohort",
    "challenge cohort",
    "imaging modalities",
    "context information (data)",
    "context information (patient)",
    "data origin",
    "algorithm target",
    "assessment aim",
    "acquisition devices",
    "acquisition protocol",
    "center",
    "characteristic data",
    "case definition",
    "number of cases",
    "justification of the number of cases",
    "justification of the proportion of cases",
    "annotators",
    "annotation instructions",
    "annotation aggregation",
    "pre-processing methods",
    "sources of error",
    "evaluation metrics",
    "justification of metrics",
    "rank computation method",
    "justification of the rank computation method",
    "missing data",
    "statistical analyses: overview",
    "statistical analyses: precision of estimates",
    "statistical analyses: variability of performance",
    "statistical analyses: variability of rankings",
    "statistical analyses: tests of significance",
    "statistical analyses: software",
    "further analyses",
)
_UPLOADS = {
    Kind.SCRIPTS: "an archive with `setup.sh` and `next.sh`, which are run in a virtual machine without a network",
    Kind.PYTHON: "a repository with a Python program, which is run in a virtual machine without a network",
    Kind.IMAGE: "a container image, which is run in a virtual machine without a network",
    Kind.ANSWERS: "answers; no program is run",
}


def bias(challenge: Challenge, terms: Terms) -> str:
    """The document as Markdown."""
    known = dict(_known(challenge, terms))
    lines = [f"# {challenge.title}: challenge design document", ""]
    for title, names in (("Challenge", _CHALLENGE), ("Task", _TASK)):
        lines += [f"## {title}", ""]
        for name in names:
            lines += [f"### {name.capitalize()}", "", known.get(name) or f"{GAP}the organisers know this.", ""]
    return "\n".join(lines)


def _known(challenge: Challenge, terms: Terms) -> Iterator[tuple[str, str]]:
    yield "name", challenge.title
    yield "acronym", challenge.name
    yield "platform", f"evaluate {__version__} (sandbox-evaluate), on the organisers' own hosts"
    yield "interaction level policy", "Fully automatic: entries are run, or read, without interaction."
    yield "result submission method", _submission(challenge, terms)
    yield "pre-evaluation", _pre_evaluation(challenge)
    yield "schedule", _schedule(terms)
    yield "number of cases", _cases(challenge)
    yield "evaluation metrics", _metrics(challenge)
    yield "rank computation method", _ranks(challenge)
    yield "missing data", _missing(challenge)
    yield "space and hardware requirements", _machine(challenge)
    if terms.scores is Scores.WITHHELD:
        yield "results announcement", "Scores are withheld until the organisers release them."
    yield "code availability (organizers)", "The program is open source (MIT); so are its metrics."
    yield from _statistics(challenge)


def _submission(challenge: Challenge, terms: Terms) -> str:
    uploads = "; or ".join(_UPLOADS[kind] for kind in challenge.kinds)
    attempts = terms.allowed(challenge.board)
    many = f"{attempts} entries of a team reach the exam in a phase" if attempts else "Any number of entries"
    return f"Teams upload {uploads}. {many}; the best one counts."


def _pre_evaluation(challenge: Challenge) -> str:
    return (
        f"Before the exam each entry is tested on {len(challenge.quiz.records)} public records (quiz). Participants "
        "run the same evaluation at home with `evaluate try`. A file DRYRUN in an upload ends it after the quiz, at no "
        "cost."
    )


def _schedule(terms: Terms) -> str:
    rows = [
        f"* {phase.name}: {_day(phase.begins)} to {_day(phase.ends)}"
        + (f", {phase.attempts} entries" if phase.attempts is not None else "")
        for phase in terms.phases
    ]
    return "\n".join(rows)


def _day(at: float) -> str:
    return minute(at) if abs(at) < float("inf") else "open"


def _cases(challenge: Challenge) -> str:
    hidden = "secret" if challenge.exam.hidden else "not secret"
    train = challenge.train
    training = f"{GAP}training cases." if train is None else f"Training records: {len(train.records.records)}."
    return (
        f"Public validation records: {len(challenge.quiz.records)}. "
        f"Test records: {len(challenge.exam.records)} ({hidden}). {training}"
    )


def _metrics(challenge: Challenge) -> str:
    if challenge.scorer is not None:
        scorer = challenge.scorer
        return (
            f"The organisers' own program (form {scorer.form}, contract {scorer.contract}) in a virtual machine; "
            f"the board ranks `{scorer.primary}`, of which the {scorer.direction} value is better."
        )
    name = challenge.metric.rpartition("/")[2]
    return (
        f"`{name}` by {challenge.rules} rules; those of the official program are reported beside it where there is one."
    )


def _ranks(challenge: Challenge) -> str:
    return (
        "Entries are ranked by the primary value over all test records; values that are equal to "
        f"{challenge.board.decimals} decimals share a rank. Groups of entries that cannot be told apart are shown."
    )


def _missing(challenge: Challenge) -> str:
    if challenge.scorer is not None:
        return f"{GAP}what the organisers' program does with records that have no answer."
    return (
        "A record without an answer stays in the score, and counts as wrong or by the worst value, as the metric says."
    )


def _machine(challenge: Challenge) -> str:
    if not challenge.runs_programs:
        return "None of the participants: answers are uploaded."
    exam, sizes = challenge.limits["exam"], challenge.sizes
    each = "record" if challenge.run.mode is Mode.RECORD else "record, on the average"
    room = "a machine of its own for each record" if challenge.isolation is Isolation.SNAPSHOT else "one machine"
    return (
        f"One processor core, {sizes.memory_bytes >> 20} MiB of memory, {sizes.root_bytes >> 20} MiB of disk, "
        f"{challenge.gpus or 'no'} GPU; at most {exam.instructions:.3g} instructions for each {each}; {room}; "
        "no network."
    )


def _statistics(challenge: Challenge) -> Iterator[tuple[str, str]]:
    part = "statistical analyses: "
    of = "" if challenge.scorer is None else " Only where the program gives numbers of single records."
    yield f"{part}overview", f"Intervals of every value, and comparisons of entries on the same records.{of}"
    yield f"{part}precision of estimates", f"95 % bootstrap intervals (BCa) over records or patients.{of}"
    yield f"{part}variability of rankings", f"Ranks over 1000 bootstrap resamples of the records.{of}"
    yield f"{part}tests of significance", f"Paired bootstrap of differences, corrected for many comparisons.{of}"
    yield f"{part}software", f"evaluate {__version__} (sandbox-evaluate), package `metrics`"


def gaps(document: str) -> Mapping[str, int]:
    """How many fields a document has, and how many of them are gaps."""
    return {"fields": document.count("\n### "), "gaps": document.count(GAP)}
