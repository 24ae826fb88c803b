"""CAMELYON16: lesion detection (FROC) and slide classification (ROC area).

Conventions
-----------
references : folder with, for each tumour slide, ``<slide>_Mask.png`` (level 5), ``<slide>_Mask.tif`` (pyramid),
    ``<slide>.xml`` (ASAP) or ``<slide>.json`` (polygons), see `metrics.references`; and optionally the organisers'
    ``reference.csv``, lines ``slide,Tumor`` or ``slide,Normal`` (further columns are not read).
answers : folder with one ``<slide>.csv`` for each slide, lines ``confidence,X,Y`` in pixels of level 0, no header, empty
    for no detection; and optionally ``slides.csv``, lines ``slide,probability``, for the ROC area.
``froc`` is the mean of ``sensitivity_at_0.25`` to ``_8`` (false positives per slide); ``auc`` is there if ``slides.csv``
is.  Curves: ``total_FPs``, ``total_sensitivity``.  See `metrics.froc` for both, `metrics.lesions` for what a lesion is.
A detection inside a lesion finds it, one in a group of isolated tumour cells is ignored, any other is a false
positive; of several in one lesion the most confident counts and the others cost nothing.

Source: computationalpathologygroup/Camelyon16 ``Python/Evaluation_FROC.py``
@546b6138c31a2e5cd8ff4d53266e42a450eec60a, ported to Python 3 by its obvious substitutions.  The organisers leave
Test_049 out of their comparisons: leave it out of the record list too.

``rules="official"``
    Slides are the CSV files found; tumour slides are those whose name starts with exactly ``Tumor``.  Only pixels of
    255 are tumour; without any, an ITC appears in the upper left corner.  Negative coordinates count from the other
    side.  A hit needs a confidence above 0; missed lesions and ITC stay in the list with 0, so negative thresholds
    find them all; the smallest of all thresholds is dropped.  A detection beyond the mask or a line that is no
    ``float,int,int`` stops it; without a lesion the sensitivity is NaN.  NaN confidences do not hit; as false
    positives they make its list of thresholds depend on memory addresses (here they come last, with a note).

``rules="corrected"``
    * The record list decides (``records``, else ``reference.csv``, else the references and all answered slides
      called normal); a missing CSV is a slide without detections, its lesions are missed.
    * ``Tumor_001``, ``tumor_001`` and ``test_001`` are all good names and match in any case; a tumour slide is one
      whose reference shows tumour.
    * Tumour in a mask is all above half of its largest value; a mask without tumour is a normal slide.
    * Nothing wraps around: a detection outside the slide is a false positive.
    * A hit of any confidence finds its lesion; confidences that are not finite are refused.
    * Every threshold is an operating point, the smallest too; lesions that were missed or are ITC are none.
    * A slide missing from ``slides.csv`` loses every comparison: a tumour slide ranks below all, a normal one above.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from io import StringIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from metrics.base import AnswerError, MetricError, ReferenceDataError, ScoreReport
from metrics.cases import some
from metrics.files import check_records, list_files, read_text
from metrics.froc import RATES, Froc, SlideHits, roc_area
from metrics.kits19 import check_rules
from metrics.lesions import DOWNSAMPLING, EvaluationMask
from metrics.references import default_cache, find_references, load_lesions
from metrics.workers import Progress, map_records

SLIDE_SCORES = "slides.csv"
SLIDE_LIST = "reference.csv"
KEYS = ("froc", *(f"sensitivity_at_{rate:g}" for rate in RATES))
MAX_DETECTIONS = 100_000
"""Of one slide; real entries have some hundred."""
_FARTHEST = 1 << 40
"""Coordinates beyond are as far outside as this."""
_NO_LESIONS = EvaluationMask(shape=None)
