"""Surface Dice: the share of two surfaces that is within a tolerance of the other.

Conventions
-----------
Masks are boolean, of shape (z, y, x) or any order of axes, with ``spacing_mm`` in the same order.  Outside the array
is background.  The surface runs through the corners where eight voxels meet that are not all equal; each such
corner carries the area of the marching-cubes triangles between its eight voxels, and its distance to the other
surface is that to the nearest surface corner.

Source of the definition: google-deepmind/surface-distance @1f805cea446805e559badc80dd27f34175e4173d, as KiTS21 and
KiTS23 use it.  Its results are reproduced; the areas follow from six shapes (see `corner_areas`), and instead of a
distance map of the whole box only the few corners within the tolerance are checked.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

Mask = NDArray[np.bool_]
Box = tuple[slice, ...]
Corner = tuple[int, int, int]

_CORNERS: tuple[Corner, ...] = tuple(itertools.product((0, 1), repeat=3))  # type: ignore[arg-type]
_MAX_NEIGHBOURS = 4096
"""Number of corners within the tolerance above which a search tree is faster than checking each of them."""


@dataclass(frozen=True, kw_only=True, eq=False)
class _Surface:
    corners: NDArray[np.bool_]
    """The padded grid of corners, True on the surface."""
    points: NDArray[np.int64]
    """Flat positions of the surface corners in the grid."""
    areas: NDArray[np.float64]
    """Area in mm2 of each point."""


def surface_dice(reference_mask: Mask, answer_mask: Mask, *, spacing_mm: Sequence[float], tolerance_mm: float) -> float:
    """Normalised surface Dice at a tolerance.

    Parameters
    ----------
    reference_mask, answer_mask : bool, three-dimensional, of one shape
        Neither may be empty: the caller decides what that means.
    spacing_mm : three positive numbers, in the order of the axes
    tolerance_mm : float
        Distances up to and including it agree.

    Returns
    -------
    float
        (agreeing area of both surfaces) / (area of both surfaces), in [0, 1].

    Raises
    ------
    ValueError
        Shapes differ, or a mask is empty.
    """
    if reference_mask.shape != answer_mask.shape:
        raise ValueError(f"expected masks of one shape, found {reference_mask.shape} and {answer_mask.shape}")
    box = joined(bounding_box(reference_mask), bounding_box(answer_mask))
    if box is None or not (reference_mask[box].any() and answer_mask[box].any()):
        raise ValueError("expected two masks with at least one voxel, found an empty one")
    spacing = np.asarray(spacing_mm, np.float64)
    offsets = _offsets_within(spacing, tolerance_mm)
    reach = np.zeros(3, np.int64) if offsets is None else np.abs(offsets).max(axis=0)
    areas = corner_areas(spacing)
    reference = _surface(reference_mask[box], areas, reach)
    answer = _surface(answer_mask[box], areas, reach)
    agreeing = total = 0.0
    for surface, other in ((reference, answer), (answer, reference)):
        if offsets is None:
            near = _near_by_tree(surface, other, spacing, tolerance_mm)
        else:
            near = _near_by_offsets(surface, other, offsets)
        agreeing += float(surface.areas[near].sum())
        total += float(surface.areas.sum())
    return agreeing / total


def bounding_box(occupied: NDArray[np.generic]) -> Box | None:
    """The smallest box around everything that is not 0; None if everything is 0."""
    slab = occupied
    box: list[slice] = []
    for _ in range(occupied.ndim):
        # the box of the first axis, then what is left projected along it
        lines = np.flatnonzero(slab.reshape(len(slab), -1).any(axis=1))
        if not lines.size:
            return None
        box.append(slice(int(lines[0]), int(lines[-1]) + 1))
        slab = np.bitwise_or.reduce(slab[box[-1]], axis=0)
    return tuple(box)


def joined(first: Box | None, second: Box | None) -> Box | None:
    """The smallest box around both."""
    if first is None or second is None:
        return first or second
    return tuple(slice(min(a.start, b.start), max(a.stop, b.stop)) for a, b in zip(first, second, strict=True))


def corner_areas(spacing_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    """Area in mm2 of the marching-cubes surface between eight voxels, for each of their 256 patterns.

    Bit ``4 i + 2 j + k`` of a pattern is the voxel at (i, j, k).  A pattern and its complement have the same
    surface, so only patterns of up to four voxels count.  Voxels that share a face form a group; each group has a
    surface of its own, whose triangles depend only on its shape.
    """
    faces = np.prod(spacing_mm) / spacing_mm  # mm2 of a voxel face, by the axis it is normal to
    patterns, normals = _triangles()
    sizes = np.linalg.norm(normals * faces, axis=1)
    return np.bincount(patterns, sizes, minlength=256).astype(np.float64)


@functools.cache
def _triangles() -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Pattern and normal of every triangle of the 256 patterns, for unit spacing."""
    triangles: list[tuple[int, NDArray[np.float64]]] = []
    for pattern in range(1, 255):
        voxels = [corner for bit, corner in enumerate(_CORNERS) if pattern >> bit & 1]
        if len(voxels) > 4:
            voxels = [corner for corner in _CORNERS if corner not in voxels]
        triangles += [(pattern, normal) for group in _groups(voxels) for normal in _normals(group)]
    patterns, normals = zip(*triangles, strict=True)
    return np.array(patterns), np.array(normals)


def _groups(voxels: Sequence[Corner]) -> Iterator[list[Corner]]:
    """Voxels of a 2 x 2 x 2 block, grouped by shared faces."""
    left = set(voxels)
    while left:
        group = [left.pop()]
        for voxel in group:  # grows during the loop
            new = left.intersection(_neighbours(voxel))
            group.extend(new)
            left -= new
        yield group


def _neighbours(voxel: Corner) -> set[Corner]:
    return {other for other in _CORNERS if sum(a != b for a, b in zip(voxel, other, strict=True)) == 1}


def _normals(group: Sequence[Corner]) -> list[NDArray[np.float64]]:
    """Normals of the triangles around a group, of a length equal to their area, for unit spacing, up to sign."""
    joints = {
        voxel: [
            next(axis for axis in range(3) if voxel[axis] != other[axis])
            for other in _neighbours(voxel).intersection(group)
        ]
        for voxel in group
    }
    axes = {axis for directions in joints.values() for axis in directions}
    unit, ones = np.eye(3), np.ones(3)
    match len(group), len(axes):
        case 1, _:  # a corner is cut off
            return [ones / 8]
        case 2, _:  # an edge is cut off by a slanted rectangle
            (along,) = axes
            return [(ones - unit[along]) / 2]
        case 3, _:  # an L: half a face and a slanted trapezoid
            (across,) = {0, 1, 2} - axes
            return [unit[across] / 2, ones * 3 / 8]
        case 4, 2:  # a square: a flat face
            (across,) = {0, 1, 2} - axes
            return [unit[across]]
        case _ if max(map(len, joints.values())) == 3:  # a voxel with its three neighbours: a regular hexagon
            return [ones * 3 / 4]
        case _:  # a path around three axes: a bent hexagon
            ends = [directions[0] for directions in joints.values() if len(directions) == 1]
            return [ones / 2, *((ones - unit[along]) / 4 for along in ends)]


def _surface(mask: Mask, areas: NDArray[np.float64], reach: NDArray[np.int64]) -> _Surface:
    # one voxel more than the reach: the outermost corners belong to background voxels
    bits = np.pad(mask, [(int(n) + 1, int(n) + 1) for n in reach]).view(np.uint8)
    along_last = bits[..., 1:] << 1
    along_last |= bits[..., :-1]
    along_two = along_last[:, 1:] << 2
    along_two |= along_last[:, :-1]
    pattern = along_two[1:] << 4
    pattern |= along_two[:-1]
    # 0 and 255 are inside or outside all around; adding 1 wraps 255 to 0
    corners = pattern + np.uint8(1) > 1
    points = np.flatnonzero(corners)
    return _Surface(corners=corners, points=points, areas=areas[pattern.ravel()[points]])


def _offsets_within(spacing_mm: NDArray[np.float64], tolerance_mm: float) -> NDArray[np.int64] | None:
    """Steps between corners not longer than the tolerance, shortest first; None if there are too many."""
    reach = np.floor(tolerance_mm / spacing_mm)
    if not np.prod(2 * reach + 1) <= _MAX_NEIGHBOURS:
        return None
    steps: NDArray[np.int64] = np.array(list(itertools.product(*(range(-int(n), int(n) + 1) for n in reach))))
    lengths = np.sqrt(((steps * spacing_mm) ** 2).sum(axis=1))
    order = np.argsort(lengths, kind="stable")
    return np.asarray(steps[order[lengths[order] <= tolerance_mm]])


def _near_by_offsets(surface: _Surface, other: _Surface, offsets: NDArray[np.int64]) -> Mask:
    """True for the points of a surface with a point of the other surface within the offsets."""
    shape = surface.corners.shape
    strides = np.array([shape[1] * shape[2], shape[2], 1])
    target = other.corners.ravel()
    near = np.zeros(surface.points.size, np.bool_)
    left = np.arange(surface.points.size)
    for step in offsets @ strides:  # never leaves the grid, which is padded by the longest step
        hit = target[surface.points[left] + step]
        near[left[hit]] = True
        left = left[~hit]
    return near


def _near_by_tree(surface: _Surface, other: _Surface, spacing_mm: NDArray[np.float64], tolerance_mm: float) -> Mask:
    def places(of: _Surface) -> NDArray[np.float64]:
        return np.stack(np.unravel_index(of.points, of.corners.shape), axis=1) * spacing_mm

    distances, _ = cKDTree(places(other)).query(places(surface))
    return np.asarray(distances <= tolerance_mm)
