"""A Codabench bundle: ``competition.yaml`` (version 2), programs, data and pages in a folder or a zip.

The exam is the last phase.  Where an ingestion program runs what is uploaded, the first phase is the quiz; predictions
fit the data of one phase, so without such a program another phase is a challenge of its own (``phase``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from pathlib import Path
from typing import Any

from evaluate.authoring.imports.base import SAMPLE, Draft, Source
from evaluate.config.schema.document import dotted, load_document, shown
from evaluate.config.schema.keys import ANY_NUMBER, WHOLE, Form, Key, ListOf, Section, Value, read
from evaluate.core.errors import ChallengeError
from evaluate.core.files import is_there
from evaluate.stages.scorers.codabench import METADATA, command_in

FILE = "competition.yaml"
_TERMS = ("start", "end", "max_submissions", "max_submissions_per_day")
_TASK_FOLDERS = ("scoring_program", "ingestion_program", "input_data", "reference_data")

# The types of its keys.  A definition has hundreds of keys of which each may be anything: all mistakes are named at
# once, each with its line, and what reads the values need not look again.  Keys not named here are left as they are.


def _numbers(value: int | list[int] | str) -> list[int]:
    items = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else [value]
    return [int(item) for item in items]


_TEXT = Value(expected="a text", type=str | int | float)
_NUMBERS = Value(
    expected="whole numbers, as a list or with commas between them", type=int | list[int] | str, read=_numbers
)
_SINGLE = Value(expected="a single value", type=str | int | float | bool)


def _described(required: Mapping[str, Form], others: Mapping[str, Form]) -> Section[dict[str, Any]]:
    """Keys and values of a definition: those that must be there, and others that may."""
    keys = {name: Key("", form, required=True) for name, form in required.items()}
    return Section(dict, {**keys, **{name: Key("", form) for name, form in others.items()}}, open=True)


def _several(what: str, item: Value | Section[Any], *, empty: bool = True) -> ListOf:
    """A list of a definition, of ``what``."""
    return ListOf(expected=f"a list of {what}", item=item, empty=empty)


_TASK = _described(
    {},
    {
        "index": WHOLE,
        "name": _TEXT,
        "key": _TEXT,
        "ingestion_only_during_scoring": _SINGLE,
        **dict.fromkeys(_TASK_FOLDERS, _TEXT),
    },
)
_PHASE = _described(
    {"tasks": _several("indexes of tasks", _TEXT, empty=False)},
    {
        "index": WHOLE,
        "name": _TEXT,
        "start": _TEXT,
        "end": _TEXT,
        "max_submissions": WHOLE,
        "max_submissions_per_day": WHOLE,
        "execution_time_limit": ANY_NUMBER,
        "starting_kit": _TEXT,
        "public_data": _TEXT,
    },
)
_COLUMN = _described(
    {"key": _TEXT},
    {
        "index": WHOLE,
        "sorting": _TEXT,
        "computation": _TEXT,
        "computation_indexes": _NUMBERS,
        "hidden": _SINGLE,
    },
)
_BOARD = _described(
    {"columns": _several("columns", _COLUMN, empty=False)},
    {"title": _TEXT, "submission_rule": _TEXT},
)
_BUNDLE = _described(
    {
        "phases": _several("phases", _PHASE, empty=False),
        "tasks": _several("tasks", _TASK),
        "leaderboards": _several("leaderboards", _BOARD, empty=False),
    },
    {
        "title": _TEXT,
        "description": _TEXT,
        "terms": _TEXT,
        "pages": _several("pages", _described({}, {"title": _TEXT, "file": _TEXT})),
        "solutions": _several(
            "solutions", _described({}, {"path": _TEXT, "tasks": _several("indexes of tasks", _TEXT)})
        ),
        "docker_image": _TEXT,
        "image": _SINGLE,
    },
)
_READ = {*_BUNDLE.keys, "version", "enable_detailed_results"}
_WHY = {
    "registration_auto_approve": "teams are admitted by the settings of the site (docs/web.md)",
    "make_programs_available": "give the programs to the teams by a starting kit",
    "make_input_data_available": "give the data to the teams by a starting kit",
    "hide_score_output": "use `scores: withheld` in evaluate.yaml",
    "accepts_only_result_submissions": "kind answers takes every upload",
    "precision": "boards show as many decimals as scores have, at most four",
}
_UNKNOWN = "there is nothing like it here"
_PHASE_READ = {*_PHASE.keys, "description", "solutions"}
_SHOWN = 5
_UPLOADED = ("model", "submission", "solution", "agent")
"""Names that ingestion programs usually give the module that a team uploads."""
SLOWER = 10
"""Factor by which a host without KVM may be slower than a container."""
_SAMPLES = ("sample_code_submission", "sample_result_submission", "sample_submission", "solution")


class Definition:
    """The YAML file of a bundle. Raises ChallengeError, naming every value of another type than its key has."""

    def __init__(self, source: Source) -> None:
        path = source.folder / FILE if source.path.is_dir() else source.path
        if path.name != FILE or not path.is_file():
            raise ChallengeError(f"{source.name}: expected a Codabench bundle: a folder or a zip with {FILE}")
        source.check(path)
        self.path, self._source = path, source
        self._document = load_document(path, source.shown(path))
        value = self._document.value
        if isinstance(value, dict) and isinstance(value.get("phases"), dict) and "leaderboard" in value:
            raise self.error(
                "is of CodaLab, version 1, whose phases are keys; expected version 2, a list, as Codabench makes of it "
                "when such a bundle is uploaded there",
                "phases",
            )
        self.value = read(self._document, _BUNDLE) or {}
        self._document.refuse_problems()

    def place(self, *where: str | int) -> str:
        """``file:line`` of a key; items of a list are counted from 1."""
        return f"{self.path.name}:{self._document.line(where)}"

    def error(self, problem: str, *where: str | int) -> ChallengeError:
        """Return the error that says that something in it cannot be imported."""
        location = self._source.shown(self.path, self._document.line(where))
        return ChallengeError(": ".join(filter(None, (location, dotted(where), problem))))

    def file(self, name: object, *where: str | int) -> Path:
        """A file or folder beside it, which need not exist, named by the key ``where``.

        Raises ChallengeError if it leads out of the folder.
        """
        try:
            return self._source.find(str(name))
        except ChallengeError as e:
            raise self.error(str(e), *where) from e

    def folder_or_zip(self, name: object, *where: str | int) -> Path | None:
        """A folder or a ``.zip``, with or without the suffix; None if there is neither."""
        path = self.file(name, *where)
        if path == self.path.parent:
            return None
        both = (path, path.with_name(f"{path.name}.zip"), path.with_suffix(""))
        return next((candidate for candidate in both if is_there(candidate)), None)


def make(draft: Draft, phase: int | None = None) -> None:
    """Write the challenge of a bundle; ``phase`` is the place of the one that decides, from 0, by default the last."""
    _Bundle(draft, Definition(draft.source)).make(phase)


class _Bundle:
    def __init__(self, draft: Draft, definition: Definition) -> None:
        self._draft, self._of = draft, definition
        self._said = definition.value

    def make(self, wanted: int | None) -> None:
        draft, definition = self._draft, self._said
        draft.title = str(definition.get("title") or "challenge").strip()
        draft.description = str(definition.get("description") or "").strip()
        phases = self._list("phases")
        ordered = _in_order(phases)
        if wanted is not None and not 0 <= wanted < len(ordered):
            raise self._of.error(f"has no phase {wanted}; there are 0 to {len(ordered) - 1}", "phases")
        last = ordered[-1 if wanted is None else wanted]
        exam = self._task(last)
        first = exam if last == ordered[0] or wanted is not None else self._task(ordered[0])
        ingestion = bool(exam.get("ingestion_program"))
        same = first["place"] == exam["place"]
        public = first if ingestion and not same and _same_programs(first, exam) else None
        if public is None and not same:
            why = "predictions fit the data of one phase" if not ingestion else "its programs are others"
            name = phases[ordered[0]].get("name", 0)
            draft.leave(
                f"the data of phase {name}",
                self._of.place("phases", ordered[0] + 1),
                f"{why}; import it as a challenge of its own with --phase 0",
            )
        for n in ordered[1:-1] if wanted is None else ():
            draft.leave(
                f"the data of phase {phases[n].get('name', n)}",
                self._of.place("phases", n + 1),
                f"a challenge has a quiz and an exam; import it with --phase {ordered.index(n)}",
            )
        self._scorer(exam, last)
        self._data(exam, public)
        self._phases(phases, ordered)
        self._pages()
        self._kit(phases, ordered, exam)
        self._rest()
        programs = [draft.folder / name for name in ("scoring_program", "ingestion_program", SAMPLE, "starting_kit")]
        draft.require([path for path in programs if path.is_dir()], not_installed=_UPLOADED if ingestion else ())
        if image := definition.get("docker_image"):
            draft.leave(
                f"docker_image {image}",
                self._of.place("docker_image"),
                "programs run in the image bookworm with the packages of requirements.txt; "
                "or name what `docker save` writes of it as metric.container",
            )

    def _list(self, key: str) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = self._said.get(key, [])
        return items

    def _task(self, phase: int) -> dict[str, Any]:
        """The task of a phase, with its place in the list of tasks; of several the first."""
        by_index: dict[str, tuple[int, dict[str, Any]]] = {}
        for n, task in enumerate(self._list("tasks"), 1):
            by_index.setdefault(str(task.get("index", n - 1)), (n, task))
        names, where = self._list("phases")[phase]["tasks"], ("phases", phase + 1, "tasks")
        for name in names:
            if str(name) not in by_index:
                indexes = ", ".join(list(by_index)[:_SHOWN]) or "none"
                raise self._of.error(f"expected the index of a task ({indexes}), found {shown(name)}", *where)
        for name in names[1:]:
            self._draft.leave(
                f"task {by_index[str(name)][1].get('name', name)}",
                self._of.place(*where),
                "a challenge scores one task: put it into a phase of its own, and import it with --phase",
            )
        position, task = by_index[str(names[0])]
        if "key" in task and not task.get("scoring_program"):
            raise self._of.error(
                "names a task on the server by its key: export the bundle with its programs", "tasks", position
            )
        return {**task, "place": position}

    def _take(self, task: Mapping[str, Any], key: str, target: str) -> bool:
        """Copy a part of a task; False if it has none."""
        name = task.get(key)
        if not name:
            return False
        source = self._of.folder_or_zip(name, "tasks", task["place"], key)
        if source is None:
            raise self._of.error(f"{name}: no such folder or zip in the bundle", "tasks", task["place"], key)
        if source.suffix != Path(str(name)).suffix:
            where = self._of.place("tasks", task["place"], key)
            self._draft.leave(f"{name}", where, f"no such file in the bundle; {source.name} was taken")
        self._draft.copy(source, target)
        copy = self._draft.folder / target
        if copy.is_file():
            raise self._of.error(f"{name}: expected a folder or zip", "tasks", task["place"], key)
        if key.endswith("program") and not command_in(copy):
            wish = f"expected {METADATA[0]} with a line `command: …` in it, found none"
            raise self._of.error(f"{name}: {wish}", "tasks", task["place"], key)
        return True

    def _scorer(self, task: Mapping[str, Any], phase: int) -> None:
        draft = self._draft
        metric: dict[str, Any] = {"scorer": "codabench", "program": "scoring_program"}
        if not self._take(task, "scoring_program", "scoring_program"):
            raise self._of.error("expected the key scoring_program, which is missing", "tasks", task["place"])
        if self._take(task, "ingestion_program", "ingestion_program"):
            metric["ingestion"] = "ingestion_program"
            if task.get("ingestion_only_during_scoring"):
                wish = "expected false: here the ingestion program runs before the scoring program"
                raise self._of.error(wish, "tasks", task["place"], "ingestion_only_during_scoring")
        metric |= self._columns()
        seconds = self._list("phases")[phase].get("execution_time_limit") or 600
        metric["limits"] = {"wall_seconds": SLOWER * seconds}
        draft.keys |= {"kind": "answers", "metric": metric}
        limit = f"execution_time_limit {seconds:g} s, times {SLOWER} for hosts with software emulation"
        draft.carry(f"{limit} ({self._of.place('phases', phase + 1)})")

    def _columns(self) -> dict[str, Any]:
        boards = self._list("leaderboards")
        for n, board in enumerate(boards[1:], 2):
            self._draft.leave(
                f"leaderboard {board.get('title', n)}", self._of.place("leaderboards", n), "a challenge has one board"
            )
        columns = boards[0]["columns"]
        ordered = _in_order(columns)
        by_index = {columns[n].get("index", n): str(columns[n]["key"]) for n in ordered}
        counted = {
            str(columns[n]["key"])
            for n in ordered
            if n == ordered[0] or columns[n].get("computation") or not columns[n].get("hidden")
        }
        computed: dict[str, Any] = {}
        for n in ordered:
            column, where = columns[n], self._of.place("leaderboards", 1, "columns", n + 1)
            if how := column.get("computation"):
                of = [by_index[i] for i in column.get("computation_indexes", []) if i in by_index]
                computed[str(column["key"])] = {"by": str(how), "of": of}
            self._not_carried(column, where, counted)
            if n != ordered[0] and str(column["key"]) in counted:
                self._draft.carry(f"column {column['key']} ({where})")
        primary = columns[ordered[0]]
        if len(ordered) > 1:
            self._draft.leave(
                "further columns as tie-breakers",
                self._of.place("leaderboards", 1, "columns"),
                "entries with the same score share a rank",
            )
        if rule := boards[0].get("submission_rule"):
            why = "the best attempt of a team counts"
            if "Best" not in str(rule):
                self._draft.leave(f"submission_rule {rule}", self._of.place("leaderboards", 1, "submission_rule"), why)
        smaller = str(primary.get("sorting") or "desc") == "asc"
        line = self._of.place("leaderboards", 1, "columns", ordered[0] + 1)
        better = "smaller" if smaller else "larger"
        self._draft.carry(f"column {primary['key']}, which ranks: {better} is better ({line})")
        ranking: dict[str, Any] = {"primary": str(primary["key"]), "direction": better}
        ranking["values"] = [key for key in by_index.values() if key in counted]
        return {**ranking, **({"computed": computed} if computed else {})}

    def _not_carried(self, column: Mapping[str, Any], where: str, counted: Set[str]) -> None:
        if column.get("hidden"):
            why = "all numbers of a score are shown, or none"
            if str(column["key"]) not in counted:
                why = f"{why}: metric.values leaves this one out"
            self._draft.leave(f"column {column['key']} hidden", where, why)
        for key in column:
            if key not in _COLUMN.keys and key != "title":
                self._draft.leave(f"{key} of column {column['key']}", where, _WHY.get(key, _UNKNOWN))

    def _data(self, exam: Mapping[str, Any], public: Mapping[str, Any] | None) -> None:
        draft = self._draft
        archive = "a zip with the files that the scoring program expects, as for Codabench"
        draft.one_record(f"Upload {archive}; see README.md.")
        draft.keys["data"] = {"quiz": {"folder": "data/quiz"}}
        for stage, task in (("quiz", public), ("exam", exam)):
            if task is None:
                continue
            data = {"folder": f"data/{stage}", "references": f"reference_data/{stage}"}
            if not self._take(task, "reference_data", f"reference_data/{stage}"):
                draft.folder.joinpath(f"reference_data/{stage}").mkdir(parents=True)
            if self._take(task, "input_data", f"input_data/{stage}"):
                data["input_data"] = f"input_data/{stage}"
            draft.carry(f"{stage}: {task.get('name', 'task')} ({self._of.place('tasks', task['place'])})")
            draft.keys["data"][stage] = data

    def _phases(self, phases: Sequence[Mapping[str, Any]], ordered: Sequence[int]) -> None:
        """Name the dates and quotas of each phase, which the organiser writes into evaluate.yaml."""
        for n in ordered:
            phase = phases[n]
            terms = ", ".join(f"{key} {phase[key]}" for key in _TERMS if phase.get(key) is not None)
            self._draft.leave(
                f"phase {phase.get('name') or n} ({terms or 'without dates'})",
                self._of.place("phases", n + 1),
                "write its dates and attempts as a phase of evaluate.yaml (docs/configuration.md)",
            )
            for key in phase:
                if key not in _PHASE_READ and phase[key] not in (None, False):
                    where = self._of.place("phases", n + 1, key)
                    self._draft.leave(f"{key} {shown(phase[key])}", where, _WHY.get(key, _UNKNOWN))

    def _pages(self) -> None:
        pages = [(page.get("title", ""), page.get("file", ""), n) for n, page in enumerate(self._list("pages"), 1)]
        if "terms" in self._said:
            pages.append(("Terms", self._said["terms"], 0))
        if pages:
            self._draft.readme += ["", "## Pages", ""]
        for title, name, n in pages:
            keys = ("pages", n) if n else ("terms",)
            where, path = self._of.place(*keys), self._of.file(name, *keys)
            if not path.is_file():
                self._draft.leave(f"page {title}", where, f"{name}: no such file in the bundle")
                continue
            self._draft.copy(path, f"docs/{path.name}")
            self._draft.readme.append(f"* [{title}](docs/{path.name})")
            self._draft.carry(f"page {title} ({where})")
        if isinstance(self._said.get("image"), str):
            self._draft.leave(f"image {self._said['image']}", self._of.place("image"), "challenges have no logo")

    def _kit(self, phases: Sequence[Mapping[str, Any]], ordered: Sequence[int], task: Mapping[str, Any]) -> None:
        """The starting kit, and a sample entry of the task."""
        draft = self._draft
        for key in ("starting_kit", "public_data"):
            n = next((n for n in ordered if phases[n].get(key)), None)
            if n is None:
                continue
            source = self._of.folder_or_zip(phases[n][key], "phases", n + 1, key)
            where = self._of.place("phases", n + 1, key)
            if source is None:
                draft.leave(f"{key} {phases[n][key]}", where, "no such folder or zip in the bundle")
                continue
            draft.copy(source, key)
            draft.readme.append(f"* {key.replace('_', ' ')}: `{key}/`")
            draft.carry(f"{key} ({where})")
        sample = self._sample(task)
        if sample is None:
            draft.leave("an entry as example", self._of.place("solutions"), f"the bundle has none: add {SAMPLE}/")
            return
        draft.copy(sample, SAMPLE)
        draft.carry(f"{SAMPLE}: {sample.name}")

    def _sample(self, task: Mapping[str, Any]) -> Path | None:
        """An upload that works: a solution, or a file with the usual name of one."""
        index = str(task.get("index", task["place"] - 1))
        solutions = [
            (n, solution, index in map(str, solution.get("tasks", [index])))
            for n, solution in enumerate(self._list("solutions"), 1)
        ]
        # code fits every task, predictions one
        for n, solution, fits in sorted(solutions, key=lambda solution: not solution[2]):
            candidate = self._of.folder_or_zip(solution.get("path", ""), "solutions", n, "path")
            if candidate is not None and (
                task.get("ingestion_program") or (fits and not self._is_code_alone(candidate))
            ):
                return candidate
        kit = self._draft.folder / "starting_kit"
        kinds = _SAMPLES if task.get("ingestion_program") else tuple(name for name in _SAMPLES if "code" not in name)
        for name in kinds:
            for folder in (self._draft.source.folder, kit):
                for candidate in (folder / name, folder / f"{name}.zip"):
                    if candidate.exists():
                        return candidate
        return None

    def _is_code_alone(self, folder: Path) -> bool:
        """True if it is code that nothing would run, such as the program that has made the predictions."""
        names = [path.name for path in self._draft.source.within(folder) if path.is_file()]
        return bool(names) and all(name.endswith(".py") for name in names)

    def _rest(self) -> None:
        for key, value in self._said.items():
            if key not in _READ and value not in (None, False, []):
                shown = f" {value}" if isinstance(value, str | int | float | bool) else ""
                self._draft.leave(f"{key}{shown}", self._of.place(key), _WHY.get(key, _UNKNOWN))


def _in_order(of: Sequence[Mapping[str, Any]]) -> list[int]:
    """The places of phases or columns, by their index."""
    return sorted(range(len(of)), key=lambda n: of[n].get("index", n))


def _same_programs(task: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return all(
        str(task.get(name, "")).strip("/") == str(other.get(name, "")).strip("/")
        for name in ("scoring_program", "ingestion_program")
    )
