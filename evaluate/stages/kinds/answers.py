"""Kind ``answers``: the answers themselves are uploaded; nothing is run."""

from __future__ import annotations

from collections.abc import Collection, Generator, Mapping, Sequence
from pathlib import Path

from evaluate.config.challenge.types import Challenge, RecordSet
from evaluate.core.errors import EntryError
from evaluate.core.model import RecordOutcome, Stage, StageResult, Usage, Verdict
from evaluate.stages.job import Job, PreparedEntry
from evaluate.stages.kinds.entry_kind import Answered, EntryKind, Prepped
from evaluate.untrusted.archives import Listing, extract, inspect
from evaluate.untrusted.listing import lost, unlike_an_entry

_SHOWN = 3


class UploadedAnswers(EntryKind):
    """Archives of answers."""

    runs = False

    def check(self, archive: Path, challenge: Challenge) -> tuple[Listing, Mapping[str, str], list[str]]:
        """The listing, the answers found in it, and notes for the team."""
        listing = inspect(archive, challenge)
        members, notes = find_answers(listing, challenge)
        return listing, members, [*listing.notes(challenge.wanted_files), *notes]

    def prep(self, job: Job) -> Prepped:
        """Check the archive and find the answers in it."""
        job.monitor.step("checking the archive")
        listing, members, notes = self.check(job.entry.archive, job.challenge)
        result = StageResult(stage=Stage.PREP, verdict=Verdict.OK, message="\n".join(notes))
        origins = {name: listing.origins[path] for name, path in members.items()}
        return result, PreparedEntry(
            kind=job.kind, folder=job.folder, form=listing.kind, members=origins, dry_run=listing.dry_run
        )

    def answer(
        self, job: Job, prepared: PreparedEntry, stage: Stage, record_set: RecordSet, answers: Path
    ) -> Generator[Answered, None, None]:
        """Take the answers of these records out of the archive."""
        job.monitor.step("unpacking the answers")
        members = prepared.members
        rules, limits = job.challenge.answers, job.challenge.limits[stage.value]
        if rules.whole:
            yield _all_of_it(job, prepared, record_set, answers)
            return
        chosen = {
            record: next((name for name in rules.names(record) if name in members), None)
            for record in record_set.records
        }
        wanted = [name for name in (*chosen.values(), *rules.shared) if name in members]
        names = {name: members[name] for name in wanted if name}
        unpacked = job.challenge.archive.unpacked_bytes
        extract(job.entry.archive, prepared.form, names, answers, limits.answer_bytes, unpacked)
        yield Answered(
            outcomes=tuple(
                RecordOutcome(
                    record=record,
                    verdict=Verdict.OK if name else Verdict.BAD_ANSWER,
                    usage=Usage(),
                    answer=name,
                    message="" if name else f"the archive has no {' or '.join(rules.names(record))}",
                )
                for record, name in chosen.items()
            ),
            usage=Usage(),
        )


def _all_of_it(job: Job, prepared: PreparedEntry, record_set: RecordSet, answers: Path) -> Answered:
    """Every file of the archive, as the answer to each record."""
    most = job.challenge.archive.unpacked_bytes
    extract(job.entry.archive, prepared.form, prepared.members, answers, most, most)
    outcomes = (
        RecordOutcome(record=record, verdict=Verdict.OK, usage=Usage(), answer=f"{len(prepared.members)} files")
        for record in record_set.records
    )
    return Answered(outcomes=tuple(outcomes), usage=Usage())


def find_answers(listing: Listing, challenge: Challenge) -> tuple[Mapping[str, str], list[str]]:
    """The answers in an archive by the name they should have, wherever they are in it, and notes for the team.

    Raises EntryError if there is no answer, or two files could be the same answer.
    """
    rules = challenge.answers
    if rules.whole:
        # where they are in the archive: a scorer may look for its one folder by name
        answers = {_whole(listing, path): path for path in listing.origins}
        if not answers:
            raise EntryError("the archive has no files")
        return answers, []
    records = dict.fromkeys((*challenge.quiz.records, *challenge.exam.records))
    names = {name for record in records for name in rules.names(record)} | set(rules.shared)
    in_any_case: dict[str, list[str]] = {}
    for wish in names:
        in_any_case.setdefault(wish.lower(), []).append(wish)
    answers = {}
    problems: list[str] = []
    others: list[str] = []
    origins = listing.origins
    for path, member in listing.members.items():
        if member.kind == "folder":
            continue
        parts = _whole(listing, path).split("/")
        wishes = (_wish("/".join(parts[n:]), names, in_any_case) for n in range(len(parts)))
        name = next(filter(None, wishes), None)
        if name is None:
            others.append(path)
        elif problem := lost(listing, path):
            problems.append(problem)
        elif name in answers and origins[answers[name]] != origins[path]:
            problems.append(f"{answers[name]!r} and {path!r} could both be the answer {name}")
        else:
            answers[name] = path
    if problems:
        raise EntryError("\n".join(problems[:20]))
    if not answers:
        wanted = [rules.names(record)[0] for record in list(records)[:_SHOWN]]
        offered = f"; there is {', '.join(map(repr, others[:_SHOWN]))}" if others else ""
        about = unlike_an_entry(listing.members) or f"wanted files such as {', '.join(wanted)}{offered}"
        raise EntryError(f"no answers: {about}")
    notes = []
    if others:
        rest = f" and {len(others) - _SHOWN} more" if len(others) > _SHOWN else ""
        notes.append(f"no answers, and ignored: {', '.join(others[:_SHOWN])}{rest}")
    return answers, notes


def _whole(listing: Listing, path: str) -> str:
    """A path with the one top folder, which may be that of a record."""
    return f"{listing.prefix}/{path}" if listing.prefix else path


def _wish(name: str, names: Collection[str], in_any_case: Mapping[str, Sequence[str]]) -> str | None:
    """The answer's right name, if this is it or differs from one only in upper and lower case."""
    if name in names:
        return name
    alike = in_any_case.get(name.lower(), ())
    return alike[0] if len(alike) == 1 else None
