"""Values of small tables, counted by hand, and of random arrays, as scikit-learn and scipy have them.

Then those with missing answers: each is the worst there can be, or is left out as the option says.
"""

import math
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from metrics.adapters import score_arrays
from metrics.base import AnswerError
from tests.support.score_tables import check, column, scored

m = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
Options = dict[str, Any]
NAN = math.nan

# TP 3 FN 1, FP 2 TN 4
TRUTH, ANSWERS = [1, 1, 1, 1, 0, 0, 0, 0, 0, 0], [1, 1, 1, 0, 1, 1, 0, 0, 0, 0]
RATES = {"sensitivity": 3 / 4, "specificity": 4 / 6, "ppv": 3 / 5, "npv": 4 / 5, "youden": 3 / 4 + 4 / 6 - 1}
SCORES = [0.9, 0.8, 0.6, 0.3, 0.8, 0.5, 0.4, 0.3, 0.2, 0.1]
# falling: .9 TP1 FP0; .8 TP2 FP1 (a tie of both classes); .6 TP3; .5 FP2; .4 FP3; .3 TP4 FP4; .2 FP5; .1 FP6
POINTS_OF_ROC = [
    ("sensitivity_at_specificity", 5 / 6, 3 / 4),
    ("sensitivity_at_specificity", 0.9, 1 / 4),  # the tie at .8 cannot be parted
    ("sensitivity_at_specificity", 0.0, 1.0),
    ("specificity_at_sensitivity", 0.75, 5 / 6),
    ("specificity_at_sensitivity", 0.8, 2 / 6),
    ("ppv_at_sensitivity", 0.5, 3 / 4),
    ("npv_at_specificity", 0.5, 5 / 6),
    ("sensitivity_at_ppv", 0.7, 3 / 4),
    ("sensitivity_at_ppv", 1.0, 1 / 4),
]
# A: TP 2 FN 2 FP 1, B: TP 1 FN 1 FP 1, C: TP 1 FN 0 FP 1
LETTERS = column("label", "AAAABBC"), column("label", "AABCBAC")
AB, AAB = column("label", "AB"), column("label", "AAB")
ILL = column("label", ["ill", "ill", "healthy", "healthy"])
COSTS = {"costs": {"healthy": {"ill": 1}, "ill": {"healthy": 10}}}
MURMURS = {"weights": {"P": 5, "U": 3, "A": 1}}
# two places of 40 for three of .9, of which two are positive, of eight; PhysioNet 2025 draws 10,000 orders: 0.16725
TOP = (
    column("label", [int(i % 5 == 0) for i in range(40)]),
    column("score", [0.9 if i in (0, 5, 1) else 0.1 for i in range(40)]),
)
# comparable: r0 with four others, r2 with r3 (censored at the same time) and r4; r1 and r3 are censored, r4 is last.
# r0 wins all four, r2 loses to r3 and ties with r4
SURVIVAL, RISKS = "record,time,event\nr0,1,1\nr1,2,0\nr2,3,1\nr3,3,0\nr4,5,1\n", [9, 4, 5, 6, 5]
NUMBERS = column("value", [1, 2, 3, 6]), column("value", [1, 3, 3, 4])

# rewards of the PhysioNet Challenge 2021 between some of its classes
CODES = ["164889003", "164890007", "713427006|59118001", "270492004", "426783006", "427172004|17338001"]
REWARDS = [
    [1.0, 0.5, 0.4, 0.3, 0.25, 0.375],
    [0.5, 1.0, 0.4, 0.3, 0.25, 0.375],
    [0.4, 0.4, 1.0, 0.4, 0.35, 0.475],
    [0.3, 0.3, 0.4, 1.0, 0.45, 0.425],
    [0.25, 0.25, 0.35, 0.45, 1.0, 0.375],
    [0.375, 0.375, 0.475, 0.425, 0.375, 1.0],
]
REWARDS_2021 = {code: dict(zip(CODES, row, strict=True)) for code, row in zip(CODES, REWARDS, strict=True)}
TRUTH_2021 = ["426783006", "164889003", "270492004|59118001", "17338001"]
ANSWERS_2021 = ["426783006", "164890007", "270492004", "426783006|427172004"]
OF_N: Options = {"normal": "N", "rewards": {"N": {"N": 1, "A": 0.5}, "A|B": {"N": 0.3, "A|B": 1}}}

# r0 has two objects, r1 one, r2 none; of three records.  Found: one object of r0, that of r1; the second detection of
# the same object is false.  Thresholds .9: 0 FP 1/3; .8: 1 FP; .7: 2 FP; .6: 2 FP 2/3; .5: 3 FP
OBJECTS = "record,x,y\nr0,0,0\nr0,10,0\nr1,5,5\nr2,,\n"
DETECTED = "record,x,y,score\nr0,1,0,0.9\nr0,0,1,0.8\nr0,30,0,0.7\nr1,5,6,0.6\nr2,1,1,0.5\n"
NEAR: Options = {"match": "centre", "distance": 2}
# the confident one reaches both and takes the nearer, which is the only one that the other reaches
GREEDY = "record,x,y\nr0,0,0\nr0,2,0", "record,x,y,score\nr0,0.9,0,0.9\nr0,-1,0,0.1"
SCORED = "record,x,y,score\n"
# precision 1/2 and 2/3: the envelope is 2/3 throughout; with equal confidences 2 of 3 at once
RISING = "record,x,y\nr0,0,0\nr0,10,0", "record,x,y,score\nr0,50,0,0.9\nr0,0,0,0.8\nr0,10,0,0.7"
TIED = RISING[0], "record,x,y,score\nr0,50,0,1\nr0,0,0,1\nr0,10,0,1"
BOXES = "record,x0,y0,x1,y1\nr0,0,0,2,2\nr1,,,,", "record,x0,y0,x1,y1,score\nr0,1,0,3,2,0.5"
# the grid of pycocotools has 0.7000000000000001 as a recall, which 7 of 10 objects do not reach; then one box is false
TEN = "record,x0,y0,x1,y1\n" + "".join(f"r{i},10,10,20,20\n" for i in range(10))
SEVEN = "record,x0,y0,x1,y1,score\n" + "".join(f"r{i},10,10,20,20,{0.9 - i / 100}\n" for i in range(7))
SEVEN += "r0,40,40,50,50,0.5\nr7,10,10,20,20,0.4\n"
KINDS = "record,x,y,kind\nr0,0,0,a\nr0,10,0,b", "record,x,y,score,kind\nr0,0,0,0.9,a\nr0,10,0,0.8,a\nr0,10,0,0.7,c"

TIMED, ONSETS = "record,onset,offset\n", {"onset_tolerance_seconds": 1}
EVENTS = "record,onset,offset\nr0,10,20\nr0,40,50\nr1,5,9\nr2,,\n"
ANSWERED = "record,onset,offset\nr0,11,20\nr0,30,33\nr0,45,70\nr1,5,8\nr2,1,2\n"
DURATION = {"f1": 2 * 17 / (24 + 41), "sensitivity": 17 / 24, "ppv": 17 / 41}
BEATS = (
    "record,onset,kind\na,1,N\na,2,V\na,3,N\na,4,V\nb,1,N\n",
    "record,onset,kind\na,1.1,N\na,2.15,V\na,3.2,V\na,4,N\n",
)
OF_KINDS = {"sensitivity[V]": 1 / 2, "ppv[V]": 1 / 2, "sensitivity[S]": NAN, "ppv[S]": NAN}

# 5 and 2 mm in a, 0 in b: every record counts once, every landmark in the rates
LANDMARKS = "record,landmark,x,y\na,1,0,0\na,2,10,0\nb,1,5,5\n", "record,landmark,x,y\na,1,3,4\na,2,10,2\nb,1,5,5\n"
BEFORE = "record,landmark,x,y,x_before,y_before\na,1,0,0,0,6\na,2,10,0,10,1\nb,1,5,5,9,5\n"

BY_HAND: list[tuple[str, Options, str, str, dict[str, Any]]] = [
    *((f"classification.{name}", {}, column("label", TRUTH), column("label", ANSWERS), {name: rate, **RATES})
      for name, rate in RATES.items()),
    *((f"classification.{name}", {"at": at}, column("label", TRUTH), column("score", SCORES), {name: value})
      for name, at, value in POINTS_OF_ROC),
    # nothing may be positive, and without a negative there is no specificity
    ("classification.sensitivity_at_specificity", {"at": 1}, column("label", [1, 0, 0]),
     column("score", [0.1, 0.9, 0.8]), {"sensitivity_at_specificity": 0}),
    ("classification.sensitivity_at_specificity", {"at": 0.5}, column("label", [1, 1]), column("score", [0.1, 0.9]),
     {"sensitivity_at_specificity": NAN}),
    # of more classes the positive one is judged against the others
    ("classification.sensitivity", {"positive": "A"}, column("label", "AABBC"), column("label", "ABBCC"),
     {"sensitivity": 1 / 2, "specificity": 1, "ppv": 1, "npv": 3 / 4, "youden": 1 / 2}),
    ("classification.f1", {}, *LETTERS,
     {"f1_macro": (4 / 7 + 2 / 4 + 2 / 3) / 3, "f1[A]": 4 / 7, "f1[B]": 2 / 4, "f1[C]": 2 / 3}),
    ("classification.f1", {"average": "binary", "positive": "B"}, *LETTERS, {"f1_binary": 2 / 4}),
    # a missing answer is a miss of its class and a hit of none.  A: TP 1 FN 1 FP 0, B: TP 1 FN 0 FP 0; in Matthews' it
    # is of a fourth class: 2*3 - (1*2 + 1*1) = 3, 9 - (1 + 1 + 1), 9 - (4 + 1).  An unknown label is wrong, too
    ("classification.f1", {}, AAB, column("label", "AB", ["r0", "r2"]), {"f1_macro": (2 / 3 + 1) / 2, "f1[A]": 2 / 3,
     "f1[B]": 1, "r1": {"reference": "A", "answer": "", "correct": 0}}),
    ("classification.f1", {"missing": "exclude-with-note"}, AAB, column("label", "AB", ["r0", "r2"]), {"f1_macro": 1}),
    ("classification.mcc", {}, AAB, column("label", "AB", ["r0", "r2"]), {"mcc": 3 / math.sqrt(6 * 4)}),
    ("classification.f1", {}, AAB, column("label", "AXB"), {"f1_macro": (2 / 3 + 1) / 2}),
    ("classification.specificity", {}, column("label", TRUTH),  # r8 is unknown, r9 missing
     column("label", [1, 1, 1, 0, 1, 1, 0, 0, 7], [f"r{i}" for i in range(9)]),
     {"specificity": 2 / 6, "sensitivity": 3 / 4, "ppv": 3 / 7, "npv": 2 / 3, "youden": 3 / 4 + 2 / 6 - 1}),
    # a class that is in neither is left out or counts as the option says, and an answer makes it one
    *(("classification.f1", {"labels": [*"ABC"], **absent}, AB, AB, {"f1_macro": mean})
      for absent, mean in (({}, 1), ({"absent": "zero"}, 2 / 3), ({"absent": "one"}, 1))),
    ("classification.f1", {"labels": [*"ABC"]}, AB, column("label", "AC"),
     {"f1_macro": 1 / 3, "f1[A]": 1, "f1[B]": 0, "f1[C]": 0}),
    ("classification.balanced_accuracy", {"labels": [*"ABC"]}, AB, AB,
     {"balanced_accuracy": 1, "recall[A]": 1, "recall[B]": 1, "recall[C]": NAN}),
    # references that are all of one class are still of two
    *(("classification.brier", {}, column("label", [only] * 2), column("score", [0, 0.5]), {"neg_brier": value})
      for only, value in ((0, -0.125), (1, -0.625))),
    *(("classification.npv", {}, column("label", [only] * 2), column("label", [0, 1]), {"npv": 1 - only})
      for only in (0, 1)),
    *(("classification.auroc", option, AB, column("score", [0.9, 0.1]), {"auroc": 1})
      for option in ({"positive": "A"}, {"labels": ["B", "A"]})),
    ("classification.mcc", {}, AAB, column("label", "AAA"), {"mcc": 0}),
    # 0, 10, 1, 0 of four; always "ill" costs 2 of four; a missing answer is as dear as the dearest, or as declared
    ("classification.cost", COSTS, ILL, column("label", ["ill", "healthy", "ill", "healthy"]),
     {"neg_cost": -11 / 4, "cost": 11 / 4, "normalised_cost": 11 / 2}),
    ("classification.cost", COSTS, ILL, column("label", ["ill", "ill"], ["r0", "r2"]), {"neg_cost": -(10 + 1 + 1) / 4}),
    ("classification.cost", {**COSTS, "missing_cost": 3}, ILL, column("label", ["ill", "ill"], ["r0", "r2"]),
     {"neg_cost": -(3 + 1 + 3) / 4}),
    # grades 0 1 2; answers 0, 2 and none, which disagrees by 2 with its reference 2
    ("classification.weighted_kappa", {"labels": ["0", "1", "2"], "weights": "linear"}, column("label", [0, 1, 2]),
     column("label", [0, 2], ["r0", "r1"]),
     {"kappa": 1 - (0 + 1 + 2) / (((0 + 2 + 2) + (1 + 1 + 1) + (2 + 0 + 2)) / 3)}),
    ("classification.weighted_kappa", {}, column("label", "AA"), column("label", "AA"), {"kappa": NAN}),
    # the scores of PhysioNet 2022
    ("classification.weighted_accuracy", MURMURS, column("label", "PPUAAA"), column("label", "PAUAPA"),
     {"weighted_accuracy": 0.625}),
    ("classification.weighted_accuracy", {"weights": {"A": 5, "N": 1}}, column("label", "AAANNN"),
     column("label", "ANANAN"), {"weighted_accuracy": 2 / 3}),
    *(("classification.top_fraction", {"fraction": share}, *TOP, {"top_fraction": value})
      for share, value in ((0.05, 2 * 2 / 3 / 8), (0.1, (2 + 6 / 37) / 8), (1, 1), (0.01, 0))),
    ("survival.c_index", {}, SURVIVAL, column("risk", RISKS), {"c_index": 4.5 / 6}),
    ("survival.c_index", {"predicts": "time"}, SURVIVAL, column("risk", [-n for n in RISKS]), {"c_index": 4.5 / 6}),
    ("survival.c_index", {"until": 3}, SURVIVAL, column("risk", RISKS), {"c_index": 1}),
    ("regression.mae", {}, *NUMBERS, {"neg_mae": -0.75, "mae": 0.75}),
    ("regression.rmse", {}, *NUMBERS, {"neg_rmse": -math.sqrt(5 / 4), "rmse": math.sqrt(5 / 4)}),
    # means 2.5 and 3.5, both variances 1.25, covariance 1.25
    ("regression.ccc", {}, column("value", [1, 2, 3, 4]), column("value", [2, 3, 4, 5]),
     {"ccc": 2 * 1.25 / (1.25 + 1.25 + 1)}),
    ("multilabel.f1", {}, column("labels", ["NORM", "AFIB/AFL|HYP", "MI", "NORM"]),
     column("labels", ["NORM", "HYP", "NORM", "NORM"]), {"f1_macro": 0.45}),  # the F-measure of PhysioNet 2024
    ("multilabel.f1", {"unknown": "ignore"}, column("labels", ["A", "", "B"]), column("labels", ["A|C", "", "B"]),
     {"f1_macro": 1}),
    ("multilabel.auroc", {"labels": ["A", "B"]}, column("labels", ["A", ""]), "record,p_A,p_B\nr0,.9,.2\nr1,.8,.1",
     {"auroc_macro": 1, "auroc[A]": 1, "auroc[B]": NAN}),
    ("multilabel.reward", {"normal": CODES[4], "rewards": REWARDS_2021}, column("labels", TRUTH_2021),
     column("labels", ANSWERS_2021), {"reward": 0.3751846381093058}),  # of the official program
    # own: N right 1, B as A 1, A as A and N (1 + .3) / 2; right answers 3; always N: 1, .3 / 2, .3 / 2
    ("multilabel.reward", OF_N, column("labels", ["N", "B", "A"]), column("labels", ["N", "A", "A|N|unscored"]),
     {"reward": (2.65 - 1.3) / (3 - 1.3)}),
    ("multilabel.reward", OF_N, column("labels", ["N", "N"]), column("labels", ["N", "A"]), {"reward": 0}),

    ("detection.f1", NEAR, OBJECTS, DETECTED, {"f1": 4 / (4 + 3 + 1), "precision": 2 / 5, "recall": 2 / 3,
     "r0": {"TP": 1, "FP": 2, "FN": 1}, "r2": {"TP": 0, "FP": 1, "FN": 0}}),
    *(("detection.f1", {**NEAR, **option}, OBJECTS, DETECTED, {"f1": 4 / 7, "precision": 1 / 2, "recall": 2 / 3})
      for option in ({"duplicates": "ignore"}, {"threshold": 0.6})),
    # distances up to and including the limit, which each object may have for itself
    ("detection.f1", {"distance": 1}, OBJECTS, DETECTED, {"f1": 4 / (4 + 3 + 1)}),
    ("detection.f1", {"distance": 0.99}, OBJECTS, DETECTED, {"f1": 0}),
    ("detection.f1", {"radius_column": "r"}, "record,x,y,r\nr0,0,0,1\nr0,10,0,5", "record,x,y\nr0,2,0\nr0,14,0",
     {"f1": 0.5, "r0": {"TP": 1, "FP": 1, "FN": 1}}),
    ("detection.f1", NEAR, *GREEDY, {"f1": 1}),
    ("detection.f1", {**NEAR, "matching": "greedy"}, *GREEDY, {"f1": 0.5}),
    # the nearer of two of equal confidence comes first in any order, and else the more confident one
    *(("detection.f1", {"distance": 3, "matching": "greedy"}, "record,x,y\nr0,4,0\nr0,0,0", SCORED + rows, {"f1": f1})
      for rows, f1 in (("r0,-2,0,1\nr0,1,0,1", 0.5), ("r0,1,0,1\nr0,-2,0,1", 0.5), ("r0,1,0,0.9\nr0,-2,0,1", 1))),
    ("detection.f1", NEAR, GREEDY[0], "record,x,y\nr0,0.9,0\nr0,-1,0", {"f1": 1}),
    ("detection.f1", {"match": "iou", "iou": 1 / 3}, *BOXES, {"f1": 1}),
    ("detection.f1", {"match": "iou", "iou": 0.34}, *BOXES, {"f1": 0}),
    ("detection.f1", {**NEAR, "class_column": "kind"}, *KINDS, {"f1": 0.5, "r0": {"TP": 1, "FP": 1, "FN": 1}}),
    ("detection.map", {**NEAR, "class_column": "kind"}, *KINDS, {"map": 0.5, "ap[a]": 1, "ap[b]": 0}),
    ("detection.froc", {**NEAR, "rates": [1 / 3, 0.5, 1.0]}, OBJECTS, DETECTED,
     {"froc": (1 / 3 + 1 / 3 + 2 / 3) / 3, "sensitivity_at_0.333333": 1 / 3, "sensitivity_at_0.5": 1 / 3,
      "sensitivity_at_1": 2 / 3, "r0": {"objects": 2, "found": 1, "false_positives": 2}}),
    # precision 1 at recall 1/3, then 2/4 at 2/3 (after .9 .8 .7 .6); recalls 0, .01, …: 34 up to .33, 33 up to .66
    ("detection.map", {**NEAR, "interpolation": "none"}, OBJECTS, DETECTED, {"map": (1 + 2 / 4) / 3}),
    ("detection.map", {**NEAR, "interpolation": "all"}, OBJECTS, DETECTED, {"map": (1 + 2 / 4) / 3}),
    ("detection.map", NEAR, OBJECTS, DETECTED, {"map": (34 * 1 + 33 * 0.5) / 101}),
    ("detection.map", {**NEAR, "thresholds": [0.5, 2], "interpolation": "all"}, OBJECTS, DETECTED,
     {"map": 0.25, "map_at_0.5": 0, "map_at_2": 0.5}),
    ("detection.map", {"match": "iou"}, TEN, SEVEN, {"map": (70 + 11 * 8 / 9) / 101}),
    ("detection.map", {**NEAR, "interpolation": "all"}, *RISING, {"map": 2 / 3}),
    ("detection.map", {**NEAR, "interpolation": "none"}, *RISING, {"map": (1 / 2 + 2 / 3) / 2}),
    ("detection.map", {**NEAR, "most": 1}, *RISING, {"map": 0}),
    ("detection.map", {**NEAR, "interpolation": "none"}, *TIED, {"map": 2 / 3}),

    ("events.f1", {"onset_tolerance_seconds": 1}, EVENTS, ANSWERED,
     {"f1": 4 / (4 + 3 + 1), "sensitivity": 2 / 3, "ppv": 2 / 5, "r0": {"TP": 1, "FP": 2, "FN": 1}}),
    ("events.f1", {"onset_tolerance_seconds": 1, "offset_tolerance_seconds": 0.5}, EVENTS, ANSWERED,
     {"f1": 2 / (2 + 4 + 2), "r1": {"TP": 0, "FP": 1, "FN": 1}}),
    ("events.f1", {"onset_tolerance_seconds": 0.99}, EVENTS, ANSWERED,
     {"f1": 2 / 8, "r0": {"TP": 0, "FP": 3, "FN": 2}}),
    # events on one side only
    *((measure, options, *sides, {"f1": 0})
      for measure, options in (("events.overlap", {}), ("events.duration", {}), ("events.f1", ONSETS))
      for sides in ((TIMED + "1,,\n", TIMED + "1,1,2\n"), (TIMED + "1,1,2\n", TIMED + "1,,\n"))),
    # a tolerance that is reached counts in spite of rounding
    ("events.f1", {"onset_tolerance_seconds": 0.1}, "record,onset\nr0,0.2", "record,onset\nr0,0.3", {"f1": 1}),
    ("events.f1", {"unit": "samples", "fs_hz": 100, "onset_tolerance_seconds": 0.15}, "record,onset\nr0,100\nr0,200\n",
     "record,onset\nr0,115\nr0,216\n", {"f1": 0.5, "r0": {"TP": 1, "FP": 1, "FN": 1}}),
    # found: all three; right: all but 30-33 and that of r2
    ("events.overlap", {}, EVENTS, ANSWERED, {"f1": 2 * 1 * 0.6 / 1.6, "sensitivity": 1, "ppv": 3 / 5}),
    # 40-50 is covered from 45 on; 45-70 lies in it for a fifth only
    ("events.overlap", {"least_overlap": 0.5}, EVENTS, ANSWERED,
     {"f1": 2 * 0.4 / 1.4, "r0": {"found": 2, "episodes": 2, "right": 1, "answered": 3}}),
    ("events.duration", {}, EVENTS, ANSWERED,
     {**DURATION, "r0": {"common_seconds": 14, "reference_seconds": 20, "answer_seconds": 37}}),
    ("events.duration", {"unit": "samples", "fs_hz": 2}, EVENTS, ANSWERED,
     {**DURATION, "r0": {"common_seconds": 7, "reference_seconds": 10, "answer_seconds": 18.5}}),
    # the third beat is 0.2 s off; b has no answer
    ("events.beats", {"class_column": "kind"}, *BEATS, {"f1": 6 / 9, "sensitivity": 3 / 5, "ppv": 3 / 4,
     "mean_sensitivity": (3 / 4 + 0) / 2, "mean_ppv": 3 / 4, **OF_KINDS}),
    # the beats at .4 and .55 are near the same answer, which is one hit
    ("events.beats", {}, "record,onset\na,.4\na,.5\na,.55\na,.9\n", "record,onset\na,.4\na,1.25\n", {"f1": 2 / 6}),
    ("events.beats", {"class_column": "kind", "from_seconds": 1.5}, *BEATS, {"f1": 2 * 2 / (3 + 3)}),

    ("landmarks.mre", {}, *LANDMARKS, {"neg_mre": -1.75, "mre": 1.75, "sdr_2mm": 2 / 3, "sdr_2.5mm": 2 / 3,
     "sdr_3mm": 2 / 3, "sdr_4mm": 2 / 3, "a": {"1": 5, "2": 2}}),
    ("landmarks.sdr", {"spacing_mm": [1, 0.5], "within_mm": [1]}, *LANDMARKS,
     {"sdr_1mm": 2 / 3, "mre": (((9 + 4) ** 0.5 + 1) / 2) / 2}),
    ("landmarks.tre", {}, BEFORE, LANDMARKS[1],
     {"neg_tre": -1.75, "tre": 1.75, "tre_before": (3.5 + 4) / 2, "robustness": (0.5 + 1) / 2}),
]  # fmt: skip


@pytest.mark.parametrize(("measure", "options", "references", "answers", "expected"), BY_HAND)
def test_values_by_hand(
    tmp_path: Path, measure: str, options: Options, references: str, answers: str, expected: dict[str, Any]
) -> None:
    check(scored(tmp_path, {"measure": measure, **options}, references, answers), expected)


Random = np.random.Generator
ABC = np.array(list("ABC"))


def labels(r: Random) -> tuple[Any, Any]:
    truth = r.choice(ABC, 50, p=[0.5, 0.3, 0.2])
    return truth, np.where(r.random(50) < 0.6, truth, r.choice(ABC, 50))


def chances(r: Random) -> tuple[Any, Any]:
    return r.choice(ABC, 50), r.dirichlet([1, 1, 1], 50)


def scores(r: Random) -> tuple[Any, Any]:
    return r.integers(0, 2, 40), r.integers(0, 9, 40) / 8


def grades(r: Random) -> tuple[Any, Any]:
    truth = r.integers(0, 12, 80)  # whose order by alphabet is another
    return truth, np.clip(truth + r.integers(-2, 3, 80), 0, 11)


def numbers(r: Random) -> tuple[Any, Any]:
    truth = r.integers(0, 9, 40).astype(float)
    return truth, truth + r.integers(-3, 4, 40)


def sets(r: Random) -> tuple[Any, Any]:
    truth = r.random((40, 4)) < [0.5, 0.3, 0.2, 0.1]
    return truth.astype(int), (truth ^ (r.random((40, 4)) < 0.2)).astype(int)


def scores_of_sets(r: Random) -> tuple[Any, Any]:
    return sets(r)[0], r.integers(0, 8, (40, 4)) / 8


def against_the_rest(peer: Callable[..., float], way: str) -> Callable[..., float]:
    return lambda truth, matrix: peer(truth[:, None] == ABC, matrix, average=way)


def kappa(truth: Any, answers: Any, way: str) -> float:
    return float(m.cohen_kappa_score(truth, answers, labels=range(12), weights=None if way == "none" else way))


OF_ABC: Options = {"labels": [*"ABC"]}
AREAS = {"auroc": m.roc_auc_score, "auprc": m.average_precision_score}
PEERS: list[tuple[str, Options, Callable[[Random], tuple[Any, Any]], Callable[..., Any]]] = [
    ("classification.accuracy", {}, labels, m.accuracy_score),
    ("classification.balanced_accuracy", {}, labels, m.balanced_accuracy_score),
    ("classification.mcc", {}, labels, m.matthews_corrcoef),
    ("classification.brier", {}, scores, lambda *pair: -m.brier_score_loss(*pair)),
    ("classification.log_loss", {}, scores, lambda *pair: -m.log_loss(*pair)),
    ("classification.log_loss", OF_ABC, chances, lambda *pair: -m.log_loss(*pair, labels=ABC)),
    ("multilabel.exact_match", {}, sets, m.accuracy_score),
    ("regression.mae", {}, numbers, lambda *pair: -m.mean_absolute_error(*pair)),
    ("regression.rmse", {}, numbers, lambda *pair: -m.root_mean_squared_error(*pair)),
    ("regression.r2", {}, numbers, m.r2_score),
    ("regression.pearson", {}, numbers, lambda *pair: stats.pearsonr(*pair).statistic),
    ("regression.spearman", {}, numbers, lambda *pair: stats.spearmanr(*pair).statistic),
]
for way in ("linear", "quadratic", "none"):
    PEERS.append(("classification.weighted_kappa", {"weights": way}, grades, partial(kappa, way=way)))
for way in ("macro", "micro", "weighted", "samples"):
    peer = partial(m.f1_score, average=way, zero_division=1)
    PEERS.append(("multilabel.f1", {"average": way, "absent": "one"}, sets, peer))
    if way != "samples":
        PEERS.append(("classification.f1", {"average": way}, labels, peer))
for name, area in AREAS.items():
    PEERS.append((f"classification.{name}", {}, scores, area))
    for way in ("macro", "micro", "weighted"):
        PEERS.append((f"multilabel.{name}", {"average": way}, scores_of_sets, partial(area, average=way)))
        if way != "micro":
            rest = against_the_rest(area, way)
            PEERS.append((f"classification.{name}", {**OF_ABC, "average": way}, chances, rest))


@pytest.mark.parametrize(("measure", "options", "draw", "peer"), PEERS)
def test_arrays_score_as_in_scikit_learn_and_scipy(
    measure: str, options: Options, draw: Callable[[Random], tuple[Any, Any]], peer: Callable[..., Any]
) -> None:
    for seed in range(5):
        truth, answers = draw(np.random.default_rng(seed))
        truth.flags.writeable = answers.flags.writeable = False  # and nothing writes to them
        ours = score_arrays({"measure": measure, **options}, truth, answers)
        assert ours == pytest.approx(peer(truth, answers), abs=1e-12)


def test_correlation_of_numbers_far_from_0_is_that_of_their_differences() -> None:
    truth, answers = numbers(np.random.default_rng(1))
    far = score_arrays({"measure": "regression.pearson"}, truth + 1e9, answers)
    assert far == pytest.approx(stats.pearsonr(truth, answers).statistic, abs=1e-6)


THREE, TWO_OF_FIVE = column("value", [1, 3, 3]), column("label", [0, 0, 1, 1, 1])
OF_THREE, CHANCES = column("label", "ABCB"), "record,p_A,p_B,p_C\nr0,.7,.2,.1\nr1,.3,.4,.3\nr2,.2,.2,.6\n"
FOUND = "record,x,y,score\nr0,0,0,0.9\nr0,10,0,0.9\nr2,,,\n"
HALF_ANSWERED = "record,onset,offset\nr0,10,20\nr0,40,50\nr2,,\n"

MISSING: list[tuple[Options, str, str, float, float]] = [
    # 6 is 5 from the farther end of the references, or 6 from that of the range
    ({"measure": "regression.mae"}, NUMBERS[0], THREE, (1 + 5) / 4, 1 / 3),
    ({"measure": "regression.mae", "range": [0, 10]}, NUMBERS[0], THREE, (1 + 6) / 4, 1 / 3),
    # at least the largest error made anywhere: silence is never better than an answer
    ({"measure": "regression.mae"}, NUMBERS[0], column("value", [1, 3, 33]), (1 + 30 + 30) / 4, 31 / 3),
    ({"measure": "regression.r2"}, NUMBERS[0], THREE, 1 - (1 + 25) / 14, 1 - 1 / 2),
    # 5 is farther from the end 1; the deviations of the values from their means have the sums of squares 8.75 and 2.75
    # and of products -0.25, those of their ranks 5, 4.5 and 0.5
    *(({"measure": f"regression.{name}"}, column("value", [1, 2, 3, 5]), column("value", [1, 2, 3]), worst, 1)
      for name, worst in (("ccc", -0.5 / (8.75 + 2.75 + 4)), ("pearson", -0.25 / math.sqrt(8.75 * 2.75)),
                          ("spearman", 0.5 / math.sqrt(5 * 4.5)))),
    # the missing positive loses both its pairs: 2.5 of 6 left; it comes last: P 1/1, 2/3 (tie), 3/5
    ({"measure": "classification.auroc"}, TWO_OF_FIVE, column("score", [0.1, 0.4, 0.35, 0.4], ["r0", "r1", "r2", "r4"]),
     2.5 / 6, 2.5 / 4),
    ({"measure": "classification.auprc"}, TWO_OF_FIVE, column("score", [0.1, 0.4, 0.8, 0.4], ["r0", "r1", "r3", "r4"]),
     (1 + 2 / 3 + 3 / 5) / 3, (1 + 2 / 3) / 2),
    # a missing negative is above all: 0.35, 0.8 and 0.4 beat it nowhere
    ({"measure": "classification.auroc"}, TWO_OF_FIVE, column("score", [0.4, 0.35, 0.8, 0.4], ["r1", "r2", "r3", "r4"]),
     1.5 / 6, 1.5 / 3),
    ({"measure": "classification.log_loss", "clip": 0.01}, OF_THREE, CHANCES,
     -(math.log(0.7) + math.log(0.4) + math.log(0.6) + math.log(0.01)) / 4,
     -(math.log(0.7) + math.log(0.4) + math.log(0.6)) / 3),
    ({"measure": "classification.brier"}, OF_THREE, CHANCES, (0.14 + 0.54 + 0.24 + 2) / 4, (0.14 + 0.54 + 0.24) / 3),
    ({"measure": "multilabel.auroc"}, column("labels", ["A", "", "A|B"]), "record,p_A,p_B\nr0,.9,.2\nr1,.8,.1",
     (1 / 2 + 0) / 2, 1),
    ({"measure": "multilabel.exact_match"}, column("labels", ["A", "", "B"]), column("labels", ["A", ""], ["r0", "r2"]),
     1 / 3, 1 / 2),
    ({"measure": "classification.sensitivity"}, TWO_OF_FIVE, column("label", [0, 0, 1, 0]), 1 / 3, 1 / 2),
    ({"measure": "classification.specificity"}, TWO_OF_FIVE, column("label", [0, 1], ["r0", "r2"]), 1 / 2, 1),
    ({"measure": "survival.c_index"}, SURVIVAL, column("risk", RISKS[:4]), 3 / 6, 3 / 4),
    ({"measure": "survival.c_index"}, SURVIVAL, "r0,1", 0, NAN),
    ({"measure": "detection.f1", "distance": 1}, OBJECTS, FOUND, 4 / 5, 1),
    ({"measure": "detection.froc", "distance": 1}, OBJECTS, FOUND, 2 / 3, 1),
    ({"measure": "detection.map", "distance": 1}, OBJECTS, FOUND, 67 / 101, 1),
    ({"measure": "events.overlap"}, EVENTS, HALF_ANSWERED, 4 / 5, 1),
    ({"measure": "events.duration"}, EVENTS, HALF_ANSWERED, 40 / 44, 1),
]  # fmt: skip


@pytest.mark.parametrize(("spec", "references", "answers", "worst", "left_out"), MISSING)
def test_missing_answer_is_the_worst_or_left_out(
    tmp_path: Path, spec: Options, references: str, answers: str, worst: float, left_out: float
) -> None:
    drawn = set()
    for options, value, words in (({}, worst, ""), ({"missing": "exclude-with-note"}, left_out, ", left out")):
        report = scored(tmp_path, {**spec, **options}, references, answers)
        key = report.primary.removeprefix("neg_")
        assert report.values[key] == pytest.approx(value, abs=1e-12, nan_ok=True)
        assert any(f"records have no answer{words}" in note for note in report.notes)
        assert report.resampler is not None
        drawn.add(report.resampler.records)
    assert len(drawn) == 1, "also the records left out are drawn"


def test_missing_landmark_is_at_the_worst_distance_and_a_surplus_one_is_ignored(tmp_path: Path) -> None:
    truth = "record,landmark,x,y\na,tip,0,0\na,top,10,0\nb,tip,5,5\n"
    some = "record,landmark,x,y\na,tip,3,4\na,other,1,1\n"
    with pytest.raises(AnswerError, match="answer for each of 2 landmarks"):
        scored(tmp_path, {"measure": "landmarks.mre"}, truth, some)
    report = scored(tmp_path, {"measure": "landmarks.mre", "worst_mm": 30}, truth, some)
    assert report.values["mre"] == pytest.approx(((5 + 30) / 2 + 30) / 2)
    assert report.values["sdr_4mm"] == 0
    assert "1 answered landmarks that the references do not have are ignored" in report.notes
    left = scored(tmp_path, {"measure": "landmarks.mre", "missing": "exclude-with-note"}, truth, some)
    assert (left.values["mre"], left.per_record["b"]) == (5, {})
