"""An EvalAI challenge: ``challenge_config.yaml``, the evaluation script (a folder or a zip), annotations, templates."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from evaluate.authoring.imports.base import REQUIREMENTS, SAMPLE, Draft, phases_of
from evaluate.authoring.imports.codabench import moment_of
from evaluate.authoring.imports.definition import EACH, SINGLE, SWITCH, TEXT, WHOLE, Definition, Required, Shape
from evaluate.authoring.imports.source import Source
from evaluate.core.errors import ChallengeError

FILE = "challenge_config.yaml"
_REQUIREMENT = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)(\[[A-Za-z0-9_, -]+\])?\s*([=<>!~].*)?")
_PAGES = {
    "evaluation_details": "Evaluation",
    "terms_and_conditions": "Terms and conditions",
    "submission_guidelines": "Submission guidelines",
}
_PHASE: Shape = {
    "id": SINGLE,
    "name": TEXT,
    "codename": TEXT,
    "start_date": TEXT,
    "end_date": TEXT,
    "test_annotation_file": TEXT,
    "max_submissions": WHOLE,
}
_SPLIT: Shape = {
    "challenge_phase_id": SINGLE,
    "leaderboard_id": SINGLE,
    "dataset_split_id": SINGLE,
    "visibility": SINGLE,
    "is_leaderboard_order_descending": SWITCH,
}
_SCHEMA: Shape = {
    "labels": Required([TEXT]),
    "default_order_by": TEXT,
    "metadata": {EACH: {"sort_ascending": SINGLE}},
}
_SHAPE: Mapping[str, Shape] = {
    **dict.fromkeys(_PAGES, TEXT),
    "title": TEXT,
    "short_description": TEXT,
    "description": TEXT,
    "evaluation_script": TEXT,
    "leaderboard": Required([{"id": SINGLE, "schema": Required(_SCHEMA)}]),
    "challenge_phases": Required([_PHASE]),
    "dataset_splits": [{"id": SINGLE, "name": TEXT, "codename": TEXT}],
    "challenge_phase_splits": [_SPLIT],
    "start_date": TEXT,
    "end_date": TEXT,
}
_WHY = {
    "image": "challenges have no logo",
    "remote_evaluation": "the evaluation runs on the hosts of this program",
    "leaderboard_description": "boards have no text of their own",
    "published": "what `challenges:` in evaluate.yaml names is published",
    "tags": "challenges have no tags",
}
_PHASE_READ = {
    "id",
    "name",
    "description",
    "codename",
    "start_date",
    "end_date",
    "test_annotation_file",
    "max_submissions",
    "is_active",
    "is_public",
}
_PHASE_WHY = {
    "max_submissions_per_day": "attempts are counted in a phase, not in a day",
    "max_submissions_per_month": "attempts are counted in a phase, not in a month",
    "max_concurrent_submissions_allowed": "use `one_in_exam` in evaluate.yaml",
    "leaderboard_public": "use `scores: withheld` in evaluate.yaml",
    "allowed_email_ids": "teams are admitted by the settings of the site (docs/web.md)",
    "disable_logs": "what the evaluation prints is shown to the organiser alone",
    "is_submission_public": "entries are never public",
    "is_restricted_to_select_one_submission": "the best attempt of a team counts",
    "is_partial_submission_evaluation_enabled": "an entry has one score",
    "allowed_submission_file_types": "the one file of an upload is given to the script as it is",
    "submission_meta_attributes": "entries have no forms to be filled in",
    "default_submission_meta_attributes": "entries have no forms to be filled in",
}


def title_of(source: Source) -> str:
    """The title of a challenge."""
    return str(_read(source).value.get("title") or "challenge")


def _read(source: Source) -> Definition:
    root = source.folder
    path = root / FILE if source.path.is_dir() else source.path
    if source.path.is_dir() and not path.is_file():  # older ones have other names
        found = [one for one in sorted(root.glob("*.y*ml")) if "challenge_phases" in one.read_text(errors="replace")]
        path = found[0] if len(found) == 1 else path
    if not path.is_file() or path.suffix not in (".yaml", ".yml"):
        raise ChallengeError(f"{source.name}: expected a challenge of EvalAI: a folder or a zip with {FILE}")
    return Definition(path, source).checked(_SHAPE)


def make(draft: Draft, phase: int | None = None) -> None:
    """Write the challenge; ``phase`` is the place of the phase that decides, from 0, by default the last."""
    of, root = _read(draft.source), draft.source.folder
    said = of.value
    draft.title = str(said.get("title") or draft.name).strip()
    draft.description = str(said.get("short_description") or "").strip()
    phases = said["challenge_phases"]
    if not phases:
        raise of.error("expected a phase, found none", "challenge_phases")
    wanted = len(phases) - 1 if phase is None else phase
    if not 0 <= wanted < len(phases):
        raise of.error(f"has no phase {wanted}; there are 0 to {len(phases) - 1}", "challenge_phases")
    chosen = phases[wanted]
    _script(draft, of)
    _board(draft, of, chosen, wanted)
    _as_returned(draft, of)
    draft.one_record(("quiz", "exam"), "Upload an archive with one file, the submission, as for EvalAI; see README.md.")
    annotations = str(chosen.get("test_annotation_file", ""))
    where = ("challenge_phases", wanted + 1, "test_annotation_file")
    found = of.file(annotations, *where)
    if not found.is_file():
        raise of.error(f"{annotations or 'missing'}: no such file", *where)
    draft.copy(found, f"annotations/{found.name}") if found.suffix != ".zip" else draft.copy(found, "annotations")
    codename = str(chosen.get("codename") or "")
    exam = {"folder": "data/exam", "references": "annotations", "part": codename}
    draft.keys["data"] = {"quiz": {"folder": "data/quiz"}, "exam": {k: v for k, v in exam.items() if v}}
    draft.carry(f"phase {codename} with {annotations} ({of.place('challenge_phases', wanted + 1)})")
    for n, one in enumerate(phases):
        if n != wanted:
            draft.leave(
                f"the annotations of phase {one.get('name', n)}",
                of.place("challenge_phases", n + 1),
                f"a challenge has one exam; import it as another with --phase {n}",
            )
    _terms(draft, of, phases)
    _pages(draft, of)
    for key, value in said.items():
        if key not in _SHAPE and value not in (None, False, [], ""):
            draft.leave(key, of.place(key), _WHY.get(key, "unknown key"))
    of.leave_repeated(draft.leave)
    samples = [one for pattern in ("*sample*submission*", "*submission*sample*") for one in sorted(root.glob(pattern))]
    if samples:
        target = SAMPLE if samples[0].is_dir() or samples[0].suffix == ".zip" else f"{SAMPLE}/{samples[0].name}"
        draft.copy(samples[0], target)
        draft.carry(f"{SAMPLE}: {samples[0].name}")
    else:
        draft.leave(
            "an entry as example",
            f"{of.path.name}:1",
            f"a configuration of EvalAI has none: add {SAMPLE}/ with one file",
        )
    _requirements(draft)


def _script(draft: Draft, of: Definition) -> None:
    name = str(of.value.get("evaluation_script") or "evaluation_script")
    found = of.folder_or_zip(name, "evaluation_script")
    if found is None:
        raise of.error(f"{name}: no such folder or zip", "evaluation_script")
    draft.copy(found, "evaluation_script")
    package = draft.folder / "evaluation_script"
    inner = [path for path in package.iterdir() if (path / "__init__.py").is_file()]
    if not (package / "__init__.py").is_file() and len(inner) == 1:  # zipped with its folder
        work = package.with_name("evaluation_script.inner")
        inner[0].rename(work)
        for rest in sorted(package.rglob("*"), reverse=True):
            rest.rmdir() if rest.is_dir() else rest.unlink()
        package.rmdir()
        work.rename(package)
    if not (package / "__init__.py").is_file():
        raise of.error(f"{name}: expected a package with __init__.py", "evaluation_script")
    draft.keys |= {"kind": "answers", "metric": {"scorer": "evalai", "program": "evaluation_script"}}
    draft.carry(f"evaluation script ({of.place('evaluation_script')})")


def _requirements(draft: Draft) -> None:
    """The packages of the script: of its requirements.txt, else those that it imports or installs by itself."""
    package = draft.folder / "evaluation_script"
    if (package / REQUIREMENTS).is_file():
        draft.copy(package / REQUIREMENTS, REQUIREMENTS)
        draft.keys["metric"]["requirements"] = REQUIREMENTS
        draft.carry(f"evaluation_script/{REQUIREMENTS}, with its versions")
        return
    installed = {}
    for text, line in _installed(package / "__init__.py"):
        where = f"evaluation_script/__init__.py:{line}"
        if (found := _REQUIREMENT.fullmatch(text)) is None or (package / text).exists():
            draft.leave(f"package {text}, which __init__.py installs", where, "expected the name of a package")
            continue
        installed[found[1]] = where
        if found[3]:
            draft.leave(
                f"the version of {text}", where, f"write it into {REQUIREMENTS} if it has wheels for Python 3.11"
            )
    draft.require([package], installed)


def _installed(path: Path) -> Iterator[tuple[str, int]]:
    """What a module gives to its functions that call pip, and the lines."""
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    functions = [one for one in tree.body if isinstance(one, ast.FunctionDef)]
    calling = {
        one.name
        for one in functions
        if any(isinstance(node, ast.Constant) and node.value == "pip" for node in ast.walk(one))
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in calling:
            for one in node.args:
                if isinstance(one, ast.Constant) and isinstance(one.value, str):
                    yield one.value.strip(), node.lineno


def _board(draft: Draft, of: Definition, phase: Mapping[str, Any], n: int) -> None:
    said = of.value
    boards = {one.get("id"): (n, one) for n, one in enumerate(said["leaderboard"], 1)}
    rows = [one for one in said.get("challenge_phase_splits", []) if one.get("challenge_phase_id") == phase.get("id")]
    splits = {one.get("id"): str(one.get("codename")) for one in said.get("dataset_splits", [])}
    row = next((one for one in rows if one.get("visibility", 3) == 3), rows[0] if rows else {})
    if not boards:
        raise of.error("expected a leaderboard, found none", "leaderboard")
    place, board = boards.get(row.get("leaderboard_id")) or next(iter(boards.values()))
    schema: dict[str, Any] = board["schema"]
    labels = [str(one) for one in schema["labels"]]
    if not labels:
        raise of.error("expected a label, found none", "leaderboard", place, "schema", "labels")
    primary = str(schema.get("default_order_by") or labels[0])
    ascending = schema.get("metadata", {}).get(primary, {}).get("sort_ascending")
    smaller = bool(ascending) if ascending is not None else not row.get("is_leaderboard_order_descending", True)
    metric: dict[str, Any] = {"primary": primary, "direction": "smaller" if smaller else "larger", "values": labels}
    if row.get("dataset_split_id") in splits:
        metric["split"] = splits[row["dataset_split_id"]]
    draft.keys["metric"] |= metric
    draft.carry(
        f"leaderboard {', '.join(labels)}: {metric['direction']} {primary} is better ({of.place('leaderboard', place)})"
    )
    for one in rows:
        if one is not row:
            where = of.place("challenge_phase_splits", said["challenge_phase_splits"].index(one) + 1)
            name = splits.get(one.get("dataset_split_id"), "?")
            draft.leave(f"the board of split {name}", where, "a challenge has one board; its numbers are in the report")
    if (decimals := row.get("leaderboard_decimal_precision")) is not None:
        where = of.place("challenge_phase_splits", said["challenge_phase_splits"].index(row) + 1)
        draft.leave(f"leaderboard_decimal_precision {decimals}", where, "numbers are shown to four decimals")


def _as_returned(draft: Draft, of: Definition) -> None:
    """Where the script plainly returns other splits or numbers than the configuration names, go by the script."""
    splits, where = _returned(draft.folder / "evaluation_script")
    metric = draft.keys["metric"]
    if not splits:
        return
    there = f"the script returns {', '.join(splits)} ({where}): the first one counts"
    if (split := metric.get("split")) is not None and split not in splits:
        draft.leave(f"split {split}", of.place("dataset_splits"), there)
        del metric["split"]
    labels = splits[metric.get("split", next(iter(splits)))]
    if labels and not set(labels) & set(metric["values"]):
        why = f"the script returns {', '.join(labels)} ({where}): {labels[0]} ranks, {metric['direction']} is better"
        draft.leave(f"labels {', '.join(metric['values'])}", of.place("leaderboard", 1), why)
        metric |= {"primary": labels[0], "values": labels}


def _returned(package: Path) -> tuple[dict[str, list[str]], str]:
    """The splits with their labels that a script returns, and where; none if it does not say so in constants."""
    for path in sorted(package.rglob("*.py")):
        try:
            tree = ast.parse(path.read_bytes())
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.List):
                found = {split: labels for one in node.elts for split, labels in _split(one)}
                if found and len(found) == len(node.elts):
                    return found, f"{path.name}:{node.lineno}"
    return {}, ""


def _split(node: ast.expr) -> Iterator[tuple[str, list[str]]]:
    """``{"split": {"label": …}}``, all names being constants."""
    if isinstance(node, ast.Dict) and len(node.keys) == 1 and isinstance(inner := node.values[0], ast.Dict):
        names = [key.value for key in (*node.keys, *inner.keys) if isinstance(key, ast.Constant)]
        if len(names) == 1 + len(inner.keys) and all(isinstance(name, str) for name in names):
            yield str(names[0]), [str(name) for name in names[1:]]


def _terms(draft: Draft, of: Definition, phases: list[dict[str, Any]]) -> None:
    found = []
    for n, phase in enumerate(phases, 1):
        place = of.place("challenge_phases", n)
        one: dict[str, Any] = {"name": str(phase.get("name") or phase.get("codename") or n)}
        for key, name in (("start_date", "begins"), ("end_date", "ends")):
            if phase.get(key) is not None:
                moment = moment_of(phase[key])
                if moment is None:
                    draft.leave(f"{key} {phase[key]}", place, "expected a day or a time")
                else:
                    one[name] = moment
        if phase.get("max_submissions"):
            one["attempts"] = int(phase["max_submissions"])
        found.append(one)
        draft.carry(f"phase {one['name']} ({place})")
        for key in phase:
            if key not in _PHASE_READ and phase[key] not in (None, False, [], ""):
                draft.leave(
                    f"{key} of phase {one['name']}",
                    of.place("challenge_phases", n, key),
                    _PHASE_WHY.get(key, "unknown key"),
                )
    ordered = phases_of(found)
    overlapping = len({str(one.get("begins")) for one in ordered}) < len(ordered)
    if overlapping:  # phases of EvalAI may be open at the same time
        draft.leave(
            "phases that are open at the same time",
            of.place("challenge_phases"),
            "phases of one challenge follow one another; only the phase that was imported is in evaluate.yaml",
        )
        ordered = ordered[-1:]
    draft.terms = {"phases": ordered}


def _pages(draft: Draft, of: Definition) -> None:
    names = {"description": "Description", **_PAGES}
    found = [(key, title) for key, title in names.items() if key in of.value]
    if found:
        draft.readme += ["", "## Pages", ""]
    for key, title in found:
        name = str(of.value[key])
        # or the text itself
        path = of.file(name, key) if "\n" not in name and name.endswith((".html", ".md", ".txt")) else None
        if path is not None and path.is_file():
            draft.copy(path, f"docs/{path.name}")
            draft.readme.append(f"* [{title}](docs/{path.name})")
            draft.carry(f"page {title} ({of.place(key)})")
        elif path is not None:
            draft.leave(f"page {title}", of.place(key), f"{name}: no such file")
        else:
            draft.readme.append(f"{title}: {name}")
