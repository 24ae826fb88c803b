"""CAMELYON16: lesion detection (FROC) and slide classification (ROC area).

Conventions
-----------
references : folder with, for each tumour slide, ``<slide>_Mask.png`` (level 5), ``<slide>_Mask.tif`` (pyramid),
    ``<slide>.xml`` (ASAP) or ``<slide>.json`` (polygons), see `metrics.readers.references`; and, optionally, the
    organisers' ``reference.csv``, lines ``slide,Tumor`` or ``slide,Normal`` (further columns are not read).
answers : folder with one ``<slide>.csv`` for each slide, lines ``confidence,X,Y`` in pixels of level 0, no header,
    empty for no detection; and, optionally, ``slides.csv``, lines ``slide,probability``, for the ROC area.
``froc`` is the mean of ``sensitivity_at_0.25`` to ``_8`` (false positives per slide); ``auc`` is there if
``slides.csv`` is.  Curves: ``total_FPs``, ``total_sensitivity``.  `metrics.measures.froc` defines them,
`metrics.measures.lesions` says what a lesion is.
A detection inside a lesion finds it, one in a group of isolated tumour cells is ignored, any other is a false
positive; of several in one lesion the most confident counts and the others cost nothing.

Source: computationalpathologygroup/Camelyon16 ``Python/Evaluation_FROC.py``
@546b6138c31a2e5cd8ff4d53266e42a450eec60a, ported to Python 3 by its obvious substitutions.  The organisers leave
Test_049 out of their comparisons: leave it out of the record list too.

``rules="official"``
    Slides are the CSV files found; tumour slides are those whose name starts with exactly ``Tumor``.  Only pixels of
    255 are tumour; without any, an ITC appears in the upper left corner.  Negative coordinates count from the other
    side.  A hit needs a confidence above 0; missed lesions and ITC stay in the list with 0, so negative thresholds
    find them all; the smallest of all thresholds is dropped.  A detection beyond the mask or a line that is not
    ``float,int,int`` stops it; without a lesion the sensitivity is NaN.  NaN confidences do not hit; as false
    positives they make its list of thresholds depend on memory addresses (here they come last, with a note).

``rules="corrected"``
    * The record list decides (``records``, else ``reference.csv``, else the references and all answered slides
      called normal); a missing CSV is a slide without detections, its lesions are missed.
    * ``Tumor_001``, ``tumor_001`` and ``test_001`` are all valid names and match in any case; a tumour slide is one
      whose reference shows tumour.
    * Tumour in a mask is all above half of its largest value; a mask without tumour is a normal slide.
    * Nothing wraps around: a detection outside the slide is a false positive.
    * A hit of any confidence finds its lesion.
    * A CSV with a line that is no detection, or a confidence that is not finite, counts as missing; a line of
      ``slides.csv`` that cannot be used costs its slide the probability.
    * Every threshold is an operating point, the smallest too; lesions that were missed or are ITC are none.
    * Confidences are compared in double precision throughout.
    * A slide missing from ``slides.csv`` loses every comparison: a tumour slide ranks below all, a normal one above.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from metrics.base import (
    AnswerError,
    AnswerFile,
    Given,
    MetricError,
    Note,
    OfFiles,
    ReferenceDataError,
    Resampler,
    ScoreReport,
    named_notes,
)
from metrics.measures.auc import Ranked, area_interval, roc_areas, roc_curves
from metrics.measures.froc import RATES, Froc, SlideHits
from metrics.measures.lesions import EvaluationMask
from metrics.readers.detections import (
    NO_DETECTIONS,
    corrected_hits,
    official_hits,
    outside_slide,
    parse_detections,
    parse_slide_list,
    parse_slide_scores,
)
from metrics.readers.files import Refuse, check_records, list_files, read_text
from metrics.readers.names import check_some_match
from metrics.readers.references import default_cache, find_references, load_lesions
from metrics.statistics.workers import map_records

SLIDE_SCORES = "slides.csv"
SLIDE_LIST = "reference.csv"
KEYS = ("froc", *(f"sensitivity_at_{rate:g}" for rate in RATES))
_NORMAL = EvaluationMask(shape=None)
_NOT_COUNTED = SlideHits(false_positives=np.zeros(0), lesion_scores=np.zeros(0), lesions=0, counted=False)
Value = TypeVar("Value")


# Validate: what a file may hold, or an error that names file and record


@dataclass(frozen=True, kw_only=True)
class _Job(AnswerFile):
    """The files of one slide, ``answer`` the CSV file, and what is known of it before they are read."""

    reference: Path | None
    is_tumour: bool | None
    """Presence of a tumour by its name (official) or the organisers' list (corrected)."""
    score: float | None
    """From ``slides.csv``: None if there is no such file, NaN if the slide is not in it."""


def _official_jobs(
    references: Path, answers: Path, records: Sequence[str] | None
) -> tuple[list[_Job], tuple[Note, ...]]:
    """One for each CSV file, and for each slide of ``slides.csv`` that has none."""
    sheets, scores = _read_answers(answers)
    # the program opens masks of tumour slides only: without any, the folder may be absent
    files = find_references(references) if references.exists() else {}
    listed = _read_list(references)
    names = [name for name in {**sheets, **(scores or {})} if records is None or name in records]
    if not any(name in sheets for name in names):
        raise AnswerError("expected at least one <slide>.csv, found none", file=answers)
    jobs: list[_Job] = []
    for name in names:
        named_tumour = name.startswith("Tumor")
        if named_tumour and name in sheets and name not in files:
            error = AnswerError if records is None else ReferenceDataError
            raise error(f"expected a mask {name}_Mask.tif for this slide, found none", file=references, record=name)
        jobs.append(
            _Job(
                record=name,
                answer=sheets.get(name),
                reference=files.get(name) if named_tumour else None,
                is_tumour=listed.get(name, named_tumour),
                score=(scores or {}).get(name),
            )
        )
    return jobs, ()


def _corrected_jobs(given: Given) -> tuple[list[_Job], tuple[Note, ...]]:
    """One for each slide of the organiser's list; names match in any case."""
    references, answers, records = given.references, given.answers, given.records
    without_score: dict[str, str] = {}
    twice: dict[str, str] = {}

    def refuse(path: Path, error: MetricError) -> None:
        if path.suffix == ".csv":
            twice[path.stem.lower()] = f"{path.name}: {error.reason}"

    found_sheets, found_scores = _read_answers(answers, without_score, refuse)
    sheets = _by_name(found_sheets, AnswerError, answers, twice)
    scores = None
    if found_scores is not None:
        scores = _by_name(found_scores, AnswerError, answers / SLIDE_SCORES, without_score)
        if without_score and not scores:
            raise AnswerError(f"no line can be used; {min(without_score.values())}", file=answers / SLIDE_SCORES)
    found_files = find_references(references)
    files = _by_name(found_files, ReferenceDataError, references)
    kinds = _read_list(references)
    listed = _by_name(kinds, ReferenceDataError, references / SLIDE_LIST)
    notes: list[Note] = []
    if records is not None:
        slides = list(check_records(records))
    elif kinds:
        slides = list(kinds)
    else:
        slides = sorted({*found_files, *(name for name in found_sheets if name.lower().startswith("normal"))})
        text = "no list of slides: those with a reference count, and those answered that are called normal"
        notes.append(Note(text))
    names = _by_name({slide: slide for slide in slides}, ReferenceDataError, None)
    if not names:
        raise ReferenceDataError("expected at least one slide, found none", file=references)
    jobs = [
        _Job(
            record=record,
            answer=sheets.get(name),
            reference=files.get(name),
            is_tumour=listed.get(name),
            score=None if scores is None else scores.get(name, math.nan),
        )
        for name, record in names.items()
    ]
    given.answered.update(job.record for job in jobs if job.answer is not None)
    if not scores:
        given.require_answered("a <slide>.csv of a slide of the list")
    for name, reason in twice.items():
        if name in names:
            given.refuse(names[name], AnswerError(reason, file=answers, record=names[name]))
    unranked = [j.record for j in jobs if j.score is not None and math.isnan(j.score)]
    notes += (
        *check_some_match(list(names), [name.lower() for name in found_sheets], answers, (*files, *listed)),
        *named_notes(
            "slides have no CSV file and count as without detections", [j.record for j in jobs if not j.answer]
        ),
        *named_notes(
            "CSV files of slides outside the list are ignored", [n for n in found_sheets if n.lower() not in names]
        ),
        *named_notes(f"slides are missing from {SLIDE_SCORES} and ranked worst", unranked),
        *named_notes(f"lines of {SLIDE_SCORES} cannot be used", list(without_score.values())),
    )
    return jobs, tuple(notes)


def _read_answers(
    answers: Path, refused: dict[str, str] | None = None, refuse: Refuse | None = None
) -> tuple[dict[str, Path], dict[str, float] | None]:
    """Slide to CSV file, and the content of ``slides.csv`` if there is one; see `parse_slide_scores`."""
    files = {path.name: path for path in list_files(answers, AnswerError, refuse=refuse) if path.suffix == ".csv"}
    slide_scores = files.pop(SLIDE_SCORES, None)
    sheets = {path.stem: path for path in files.values()}
    if slide_scores is None:
        return sheets, None
    return sheets, parse_slide_scores(read_text(slide_scores, AnswerError), file=slide_scores, refused=refused)


def _read_list(references: Path) -> dict[str, bool]:
    file = references / SLIDE_LIST
    return parse_slide_list(read_text(file, ReferenceDataError), file=file) if file.is_file() else {}


def _by_name(
    values: Mapping[str, Value], error: type[MetricError], file: Path | None, refused: dict[str, str] | None = None
) -> dict[str, Value]:
    """The same, with keys in lower case.

    ``refused``: takes the name, and the reason, where two names differ only in case; without it ``error`` is raised.
    """
    named: dict[str, Value] = {}
    for name, value in values.items():
        if name.lower() in named:
            reason = "expected one slide of this name in any case, found two"
            if refused is None:
                raise error(reason, file=file, record=name)
            refused[name.lower()] = f"{name}: {reason}"
        named[name.lower()] = value
    return {name: value for name, value in named.items() if refused is None or name not in refused}


# Measure: one record, and any multiset of records, as numbers


@dataclass(frozen=True, kw_only=True, eq=False)
class _Slide:
    """One slide with everything that its part of the score needs."""

    record: str
    hits: SlideHits
    lesions_found: int
    itc: int
    is_tumour: bool
    score: float | None
    """None where the slide does not count in the ROC area, infinite where it is missing from ``slides.csv``."""
    notes: tuple[Note, ...] = ()

    def values(self) -> dict[str, float]:
        """Values that the report gives about it."""
        values = {
            "tumour": float(self.is_tumour),
            "lesions": float(self.hits.lesions),
            "itc": float(self.itc),
            "found": float(self.lesions_found),
            "false_positives": float(self.hits.false_positives.size),
        }
        if self.score is not None and math.isfinite(self.score):
            values["score"] = self.score
        return values


@dataclass(frozen=True, kw_only=True, eq=False)
class SlideResampler:
    """`metrics.base.Resampler` of slides: sorted confidences and cumulative sums, nothing is read again."""

    records: tuple[str, ...]
    froc: Froc
    scored: NDArray[np.int64]
    """Columns of the slides in the ROC area."""
    ranked: Ranked
    """Their scores."""

    @property
    def clusters(self) -> tuple[str, ...]:
        """Each slide is its own cluster: the challenge does not say which are of one patient."""
        return self.records

    def values(self, weights: NDArray[np.int64]) -> dict[str, NDArray[np.float64]]:
        """Every value of the report, each of shape (b,)."""
        sensitivities = np.array([self.froc.sensitivities(row) for row in weights]).reshape(-1, len(RATES))
        values = dict(zip(KEYS, (sensitivities.mean(axis=1), *sensitivities.T), strict=True))
        if self.scored.size:
            values["auc"] = roc_areas(self.ranked.scores, self.ranked.positive)(weights[:, self.scored])
        return values

    def paired(self, other: Resampler, key: str, level: float) -> tuple[float, float, float] | None:
        """Bounds and p value of a difference of ``auc`` by DeLong's test."""
        if key != self.ranked.key or not isinstance(other, SlideResampler):
            return None
        return self.ranked.paired(other.ranked, level)


def _official_slide(job: _Job, *, cache: Path | None) -> _Slide:
    hits, itc, notes = _NOT_COUNTED, 0, []
    if job.answer is not None:
        text = read_text(job.answer, AnswerError, record=job.record, keep_bom=True)
        detections = parse_detections(text, file=job.answer, record=job.record, finite=False)
        lesions = None
        if job.reference is not None:
            lesions = load_lesions(job.reference, record=job.record, rules="official", cache=cache)
            itc = sum(lesion.itc for lesion in lesions.lesions)
            if lesions.shape is None:
                text = f"{job.record}: outlines do not give the slide's size, so none of its edges is checked"
                notes.append(Note(text, job.record))
        hits = official_hits(detections, lesions, file=job.answer, record=job.record)
        if np.isnan(hits.false_positives).any():
            text = (
                f"{job.record}: a false positive of confidence NaN has no defined place in the curve; here it is last"
            )
            notes.append(Note(text, job.record))
    return _Slide(
        record=job.record,
        hits=hits,
        lesions_found=int((hits.lesion_scores > 0).sum()),
        itc=itc,
        is_tumour=bool(job.is_tumour),
        score=job.score,
        notes=tuple(notes),
    )


def _corrected_slide(job: _Job, *, cache: Path | None) -> _Slide:
    lesions, notes = _NORMAL, []
    if job.reference is not None:
        lesions = load_lesions(job.reference, record=job.record, rules="corrected", cache=cache)
        if not lesions.lesions:
            notes.append(Note(f"{job.record}: its reference shows no tumour, so it is a normal slide", job.record))
    is_tumour = bool(lesions.lesions)
    if job.is_tumour is not None and job.is_tumour != is_tumour:
        kind = "tumour" if job.is_tumour else "no tumour"
        raise ReferenceDataError(
            f"expected {kind} as {SLIDE_LIST} says, found the opposite", file=job.reference, record=job.record
        )
    detections = NO_DETECTIONS
    if job.answer is not None:
        text = read_text(job.answer, AnswerError, record=job.record)
        detections = parse_detections(text, file=job.answer, record=job.record, finite=True)
    if lesions.shape is not None and (outside := outside_slide(detections, lesions.shape)):
        notes.append(Note(f"{job.record}: {outside} detections outside the slide are false positives", job.record))
    score = job.score
    if score is not None and math.isnan(score):
        score = -math.inf if is_tumour else math.inf
    hits = corrected_hits(detections, lesions)
    return _Slide(
        record=job.record,
        hits=hits,
        lesions_found=hits.lesion_scores.size,
        itc=sum(lesion.itc for lesion in lesions.lesions),
        is_tumour=is_tumour,
        score=score,
        notes=tuple(notes),
    )


# Report: the metric itself


@dataclass(frozen=True, kw_only=True)
class Camelyon16(OfFiles):
    """The metric of CAMELYON16."""

    name: str = "camelyon16"
    cache: Path | None = None
    """Folder of evaluation masks; `metrics.readers.references.default_cache` if None."""

    def scored(self, given: Given) -> ScoreReport:
        references, answers, records, rules = given.references, given.answers, given.records, given.rules
        official = rules == "official"
        jobs, notes = _official_jobs(references, answers, records) if official else _corrected_jobs(given)
        evaluate = partial(_official_slide if official else _corrected_slide, cache=self.cache or default_cache())
        slides = map_records(given.with_usable(evaluate), jobs, workers=given.workers, progress=given.progress)
        return _report(self.name, rules, slides, notes)


def _report(name: str, rules: str, slides: Sequence[_Slide], notes: Sequence[Note]) -> ScoreReport:
    froc = Froc([slide.hits for slide in slides], as_official=rules == "official")
    scored = [column for column, slide in enumerate(slides) if slide.score is not None]
    ranked = Ranked(
        key="auc",
        records=tuple(slides[column].record for column in scored),
        scores=np.array([slides[column].score for column in scored], np.float64),
        positive=np.array([slides[column].is_tumour for column in scored], np.bool_),
    )
    resampler = SlideResampler(
        records=tuple(slide.record for slide in slides),
        froc=froc,
        scored=np.array(scored, np.int64),
        ranked=ranked,
    )
    once = np.ones((1, len(slides)), np.int64)
    values = {key: float(value[0]) for key, value in resampler.values(once).items()}
    all_notes = [*notes, *(note for slide in slides for note in slide.notes)]
    if not any(slide.hits.lesions for slide in slides):
        all_notes.append(Note("froc and sensitivities undefined: there is no lesion to find"))
    if math.isnan(values.get("auc", 0.0)):
        all_notes.append(Note(f"auc undefined: {SLIDE_SCORES} has slides of one class only"))
    false_positives, sensitivity = froc.curve(once[0])
    curves = {"total_FPs": false_positives.tolist(), "total_sensitivity": sensitivity.tolist()}
    closed: dict[str, tuple[float, float]] = {}
    if not scored:
        all_notes.append(Note(f"auc is not computed: the answers have no {SLIDE_SCORES}"))
    if scored:
        curves |= roc_curves(ranked.scores, ranked.positive)
        closed["auc"] = area_interval(ranked.scores, ranked.positive)
    tumours = sum(slide.hits.lesions > 0 for slide in slides)
    return ScoreReport(
        metric=name,
        rules=rules,
        primary=KEYS[0],
        values=values,
        per_record={slide.record: slide.values() for slide in slides},
        curves=curves,
        notes=tuple(all_notes),
        intervals=closed,
        failing={key: (0.0, 1 / (tumours + 1)) for key in values if key != "auc"},
        resampler=resampler,
    )


METRIC = Camelyon16()
