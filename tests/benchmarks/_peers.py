"""The field's own libraries on the same arrays, in the same run; those that are not installed are said to be absent."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from metrics.challenges.kits19 import dice
from metrics.generic.classification import average_precisions, roc_areas
from metrics.generic.segmentation import AverageDistance, Hausdorff95
from metrics.measures.surface import bounding_box, surface_dice
from metrics.readers.volumes import joint_histogram
from tests.benchmarks import _inputs as inputs
from tests.benchmarks._peer import Peer, Value, compare
from tests.benchmarks._peers_of_arrays import ARRAYS
from tests.benchmarks._peers_of_files import FILES

SPACING_MM = (1.0, 0.8, 0.8)
TOLERANCE_MM = 0.9


def _masks(size: float) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    reference, answer = inputs.volume_pair((round(150 * size), round(256 * size), round(256 * size)))
    box = bounding_box(reference | answer)
    assert box is not None
    return (np.ascontiguousarray(reference[box] > 0), np.ascontiguousarray(answer[box] > 0))


def _surface_distance(size: float) -> tuple[Value, Value]:
    import surface_distance as theirs

    masks = _masks(size)

    def their_value() -> float:
        found = theirs.compute_surface_distances(*masks, spacing_mm=SPACING_MM)
        return float(theirs.compute_surface_dice_at_tolerance(found, TOLERANCE_MM))

    return lambda: surface_dice(*masks, spacing_mm=SPACING_MM, tolerance_mm=TOLERANCE_MM), their_value


def _medpy_hd95(size: float) -> tuple[Value, Value]:
    from medpy.metric import binary

    reference, answer = _masks(size)
    ours = Hausdorff95(percentile=100.0)
    return (
        lambda: ours.compare(reference, answer, SPACING_MM),
        lambda: float(binary.hd(answer, reference, voxelspacing=SPACING_MM)),
    )


def _medpy_assd(size: float) -> tuple[Value, Value]:
    from medpy.metric import binary

    reference, answer = _masks(size)
    return (
        lambda: AverageDistance().compare(reference, answer, SPACING_MM),
        lambda: float(binary.assd(answer, reference, voxelspacing=SPACING_MM)),
    )


def _monai_tensors(size: float) -> tuple[NDArray[np.uint8], NDArray[np.uint8], Any, Any]:
    import torch

    reference, answer = inputs.volume_pair((round(150 * size), round(256 * size), round(256 * size)))
    hot = [
        torch.from_numpy(np.stack([labels == k for k in range(3)])[None].astype(np.float32))
        for labels in (reference, answer)
    ]
    return reference, answer, *hot


def _monai_dice(size: float) -> tuple[Value, Value]:
    from monai.metrics import compute_dice

    reference, answer, truth, given = _monai_tensors(size)
    tumour = np.arange(256) == 2
    return (
        lambda: dice(joint_histogram([(reference, answer)]), tumour, empty=1.0),
        lambda: float(compute_dice(given, truth)[0, 2]),
    )


def _monai_surface(size: float) -> tuple[Value, Value]:
    import torch
    from monai.metrics import compute_surface_dice

    masks = _masks(size)
    truth, given = (torch.from_numpy(np.stack([~mask, mask])[None].astype(np.float32)) for mask in masks)
    return (
        lambda: surface_dice(*masks, spacing_mm=SPACING_MM, tolerance_mm=TOLERANCE_MM),
        lambda: float(
            compute_surface_dice(given, truth, [TOLERANCE_MM], spacing=list(SPACING_MM), use_subvoxels=True)[0, 0]
        ),
    )


def _ranked(size: float) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    r = inputs.random()
    positive = r.random(round(100_000 * size)) < 0.3
    return (positive + r.normal(size=positive.size)).round(3), positive


def _sklearn_auroc(size: float) -> tuple[Value, Value]:
    from sklearn.metrics import roc_auc_score

    scores, positive = _ranked(size)
    once = np.ones((1, scores.size), np.int64)
    return lambda: float(roc_areas(scores, positive)(once)[0]), lambda: float(roc_auc_score(positive, scores))


def _sklearn_precision(size: float) -> tuple[Value, Value]:
    from sklearn.metrics import average_precision_score

    scores, positive = _ranked(size)
    once = np.ones((1, scores.size), np.int64)
    return (
        lambda: float(average_precisions(scores, positive)(once)[0]),
        lambda: float(average_precision_score(positive, scores)),
    )


def _sklearn_resamples(size: float) -> tuple[Value, Value]:
    from sklearn.metrics import roc_auc_score

    scores, positive = _ranked(size / 20)
    weights = inputs.random(1).multinomial(scores.size, np.full(scores.size, 1 / scores.size), 100)

    def theirs() -> float:
        return float(np.mean([roc_auc_score(positive, scores, sample_weight=row) for row in weights]))

    return lambda: float(roc_areas(scores, positive)(weights).mean()), theirs


PEERS = (
    Peer(module="surface_distance", install="surface-distance", what="surface Dice", prepare=_surface_distance),
    Peer(module="medpy", install="medpy", what="Hausdorff distance", prepare=_medpy_hd95),
    Peer(
        module="medpy",
        install="medpy",
        what="average surface distance",
        prepare=_medpy_assd,
        close=0.02,
        why="medpy takes the mean of the two directions' means, ours is over all voxels of both surfaces",
    ),
    Peer(module="monai", install="monai (and torch)", what="Dice", prepare=_monai_dice, close=1e-6, why="float32"),
    Peer(
        module="monai",
        install="monai (and torch)",
        what="surface Dice",
        prepare=_monai_surface,
        close=1e-6,
        why="float32",
    ),
    Peer(module="sklearn", install="scikit-learn", what="ROC area", prepare=_sklearn_auroc),
    Peer(module="sklearn", install="scikit-learn", what="average precision", prepare=_sklearn_precision),
    Peer(module="sklearn", install="scikit-learn", what="100 resamples of a ROC area", prepare=_sklearn_resamples),
    *ARRAYS,
    *FILES,
)


def show(console: Console, size: float = 1.0) -> bool:
    """Print the table of all peers; returns whether every value agrees."""
    table = Table("what", "library", title="Peers, on the same arrays", box=None, pad_edge=False)
    for title in ("ours", "theirs", "ratio", "value", "difference"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("")
    agree = True
    for peer in PEERS:
        found = compare(peer, size)
        if found is None:
            table.add_row(peer.what, peer.module, "", "", "", "", "", f"not installed: pip install {peer.install}")
            continue
        agree &= found.agree
        table.add_row(
            peer.what,
            peer.module,
            f"{1000 * found.ours:.1f} ms",
            f"{1000 * found.theirs:.1f} ms",
            f"{found.ratio:.1f}x",
            f"{found.value:.6f}",
            f"{abs(found.value - found.their_value):.1e}",
            peer.why if found.agree else "DIFFERS",
        )
    console.print(table)
    return agree
