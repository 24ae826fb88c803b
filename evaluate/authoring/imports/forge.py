"""A grand-challenge-forge context: a JSON file with the phases of a challenge and their algorithm interfaces.

A context names data and interfaces, and has neither: the evaluation container (what ``docker save`` writes) and the
cases are put in their places by the organiser.  An image beside the JSON file is imported.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from evaluate.authoring.imports.base import SAMPLE, Draft
from evaluate.authoring.imports.definition import SINGLE, TEXT, Definition, Required, Shape
from evaluate.authoring.imports.source import Source
from evaluate.challenge import sockets
from evaluate.challenge.load import FILE
from evaluate.core.errors import ChallengeError
from evaluate.schema.document import Where

_SAMPLE_CASES = {"quiz": ("public-1",), "exam": ("case-1", "case-2")}
_IMAGES = ("*evaluation*.tar", "*evaluation*.tar.gz", "*evaluation*.tgz")
_PLACEHOLDER = '''"""Stands in for the evaluation container: the share of expected outputs that are there."""

import json
import os
import sys
from pathlib import Path

references, answers, output = map(Path, sys.argv[1:])
rows = {}
for line in (references / "expected.txt").read_text().split():
    record, _, name = line.partition("/")
    rows.setdefault(record, []).append((answers / record / name).exists())
records = {record: {"answered": sum(there) / len(there)} for record, there in rows.items()}
mean = sum(row["answered"] for row in records.values()) / len(records)
(output / "scores.json").write_text(json.dumps({"values": {"answered": mean}, "records": records}))
'''


_SOCKET: Shape = {
    "slug": Required(TEXT),
    "relative_path": Required(TEXT),
    "kind": TEXT,
    "super_kind": TEXT,
    "is_image_kind": SINGLE,
    "is_json_kind": SINGLE,
    "is_file_kind": SINGLE,
}
_ARCHIVE: Shape = {"slug": Required(TEXT), "url": TEXT}
_PHASE: Shape = {
    "slug": Required(TEXT),
    "archive": _ARCHIVE,
    "algorithm_interfaces": Required([{"inputs": [_SOCKET], "outputs": [_SOCKET]}]),
    "evaluation_additional_inputs": [_SOCKET],
    "evaluation_additional_outputs": [_SOCKET],
}
_SHAPE: Mapping[str, Shape] = {
    "phase": _PHASE,
    "challenge": {
        "slug": Required(TEXT),
        "url": Required(TEXT),
        "archives": Required([_ARCHIVE]),
        "phases": Required([_PHASE]),
    },
}


def _context(source: Source) -> Definition:
    paths = sorted(source.path.glob("*.json")) if source.path.is_dir() else [source.path]
    for path in paths:
        try:
            found = Definition(path, source)
        except ChallengeError:
            if len(paths) == 1:
                raise
            continue  # another file
        if any(found.value.get(key) is not None for key in _SHAPE):
            return found.checked(_SHAPE)
    raise ChallengeError(
        f"{source.name}: expected a JSON file with a key `challenge` or `phase`, as grand-challenge-forge reads it"
    )


def title_of(source: Source) -> str:
    """The slug of the challenge, or of its phase."""
    found = _context(source).value
    return str((found.get("challenge") or found["phase"])["slug"])


def _phases(of: Definition) -> list[tuple[dict[str, Any], Where]]:
    """The phases with their places; the context of a phase has one."""
    if "challenge" not in of.value:
        return [(of.value["phase"], ("phase",))]
    return [(one, ("challenge", "phases", n)) for n, one in enumerate(of.value["challenge"]["phases"], 1)]


def make(draft: Draft, phase: int | None = None) -> None:
    """Write the challenge of a phase, by default the last."""
    of = _context(draft.source)
    said = of.value.get("challenge", {})
    phases = _phases(of)
    wanted = len(phases) - 1 if phase is None else phase
    if not 0 <= wanted < len(phases):
        raise of.error(f"expected a phase {wanted}, found {len(phases)} phases", "challenge", "phases")
    chosen, place = phases[wanted]
    interfaces = chosen["algorithm_interfaces"]
    if not interfaces or not interfaces[0].get("outputs"):
        raise of.error("expected an interface with outputs", *place, "algorithm_interfaces")
    for n, other in enumerate(interfaces[1:], 2):
        slugs = ", ".join(str(one["slug"]) for one in other.get("inputs", []))
        draft.leave(
            f"the interface of {slugs}",
            of.place(*place, "algorithm_interfaces", n),
            "a challenge has one interface: the first one was taken",
        )
    inputs, outputs = interfaces[0].get("inputs", []), interfaces[0]["outputs"]
    for key, listed in (("inputs", inputs), ("outputs", outputs)):
        for n, one in enumerate(listed, 1):
            sockets.socket(one, of.place(*place, "algorithm_interfaces", 1, key, n))
    draft.title = ", ".join(str(one["slug"]) for one in (said, chosen) if one)
    draft.description = f"Imported from {said['url']}." if said else ""
    draft.write("sockets.json", json.dumps({"inputs": inputs, "outputs": outputs}, indent=1) + "\n")
    draft.carry(f"phase {chosen['slug']} with its interface ({of.place(*place, 'slug')})")
    for n, (one, where) in enumerate(phases):
        if n != wanted:
            draft.leave(f"phase {one['slug']}", of.place(*where, "slug"), f"a challenge has one exam: use --phase {n}")
    archives: list[tuple[dict[str, Any], Where]] = (
        [(chosen["archive"], (*place, "archive"))] if "archive" in chosen else []
    )
    named: dict[str, Where] = {}
    archives += [(one, ("challenge", "archives", n)) for n, one in enumerate(said.get("archives", []), 1)]
    for one, where in archives:
        if named.setdefault(str(one["slug"]), where) is not where:
            continue
        why = "a context has no data: put them in data/exam"
        draft.leave(f"the cases of archive {one['slug']}", of.place(*where, "slug"), why)
    for key in ("evaluation_additional_inputs", "evaluation_additional_outputs"):
        for n, one in enumerate(chosen.get(key, []), 1):
            why = "the evaluation gets predictions.json and the ground truth alone"
            draft.leave(f"{key}: {one['slug']}", of.place(*place, key, n), why)
    of.leave_repeated(draft.leave)
    _cases(draft, inputs, outputs)
    _scorer(draft, of.path)
    draft.leave(
        "columns, directions and quotas of the board",
        of.place(*place),
        "they are in the settings of the phase, not in a context",
    )


def _cases(draft: Draft, inputs: Sequence[Mapping[str, Any]], outputs: Sequence[Mapping[str, Any]]) -> None:
    """Cases that stand in for the archive's, and their answers."""
    names = [f"{{record}}/{sockets.socket(socket, 'a socket').files()[0]}" for socket in inputs] or [
        "{record}/case.txt"
    ]
    answers = [f"{{record}}/{sockets.socket(socket, 'a socket').files()[0]}" for socket in outputs]
    draft.keys |= {
        "kind": ["answers", "image"],
        "image": "bookworm",
        "inputs": names,
        "run": {"mode": "set"},
        "answers": {"files": answers},
        "data": {
            "quiz": {"folder": "data/quiz"},
            "exam": {"folder": "data/exam", "references": "ground_truth"},
        },
        "limits": {
            stage: {"instructions_per_record": 1e13, "wall_seconds_per_record": 3600} for stage in ("quiz", "exam")
        },
    }
    if len(answers) > 1:  # of the files of a record one is its answer; all of them are scored
        draft.keys |= {"kind": ["answers"], "answers": {"whole": True}}
        del draft.keys["image"]
        draft.leave(
            "entries that are container images",
            f"{FILE}:1",
            "several outputs: `kind: image` with `contract: grand-challenge` and `sockets: sockets.json` "
            "takes images (docs/contracts.md)",
        )
    expected = []
    for stage, cases in _SAMPLE_CASES.items():
        draft.write(f"data/{stage}/RECORDS", "".join(f"{case}\n" for case in cases))
        for case in cases:
            for name, socket in zip(names, [*inputs, {}], strict=False):
                draft.write(f"data/{stage}/{name.format(record=case)}", _example(socket))
            for name, socket in zip(answers, outputs, strict=True):
                draft.write(f"{SAMPLE}/{name.format(record=case)}", _example(socket))
                if stage == "exam":
                    expected.append(name.format(record=case))
    draft.write("ground_truth/expected.txt", "".join(f"{name}\n" for name in expected))


def _example(socket: Mapping[str, Any]) -> str:
    if str(socket.get("super_kind")).lower() == "value":
        return json.dumps(socket.get("example_value")) + "\n"
    return f"stands in for a file of {socket.get('slug', 'a case')}\n"


def _scorer(draft: Draft, path: Path) -> None:
    found = [image for pattern in _IMAGES for image in sorted(draft.source.folder.glob(pattern))]
    if found:
        draft.copy(found[0], found[0].name)
        draft.keys["metric"] = {
            "scorer": "grand-challenge",
            "container": found[0].name,
            "sockets": "sockets.json",
            "primary": "aggregates.score",
        }
        draft.carry(f"evaluation container {found[0].name}")
        draft.leave("score_jsonpath", f"{path.name}:1", "set metric.primary to the path of the score in metrics.json")
        return
    draft.write("placeholder/score.py", _PLACEHOLDER)
    draft.keys["metric"] = {
        "scorer": "command",
        "program": "placeholder",
        "command": "python3 score.py $references $answers $output",
        "primary": "answered",
    }
    draft.leave(
        "the evaluation container",
        f"{path.name}:1",
        "a context has none; `placeholder/` counts outputs until metric is {scorer: grand-challenge, container: "
        "IMAGE.tar, sockets: sockets.json, primary: PATH}",
    )
