"""A scorer of Codabench's form that does harm: it is the organiser's fault, and its words reach no team."""

import json
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import psutil
import pytest

from evaluate.config.challenge.scorer import Computed, Form
from evaluate.core.errors import ChallengeError
from evaluate.core.model import Entry, Evaluation, Limits
from evaluate.images.squashfs import in_folder, laid_out
from evaluate.report.audience import Policy, for_organiser, for_team
from evaluate.report.html import to_html
from evaluate.report.json import to_json
from evaluate.report.text import to_junit, to_markdown, to_text
from evaluate.stages.scorers.adapter import ScoreRequest
from evaluate.stages.scorers.codabench import read
from evaluate.stages.scorers.scorer_output import read_scores
from tests.support.scorers import scored, written

OUT = "import os\nout = '/app/output/'\n"
GOOD = "open(out + 'scores.json', 'w').write('{\"accuracy\": 0.5}')\n"


def run(tmp: Path, program: str, **keys: Any) -> Any:
    files = {"metadata.yaml": "command: python3 score.py", "score.py": OUT + program}
    limits = Limits(instructions=10**12, wall_seconds=300, output_bytes=1 << 20, answers_bytes=64 << 20)
    keys = {"primary": "accuracy", "values": ("accuracy",), "limits": limits, **keys}
    return scored(tmp, Form.CODABENCH, files, {"truth.txt": "secret-of-r1"}, {"answer.txt": "x"}, **keys)


@pytest.mark.parametrize(
    ("program", "wish"),
    [
        ("os.mkfifo(out + 'scores.json')", "Could not find scores file|expected a file"),
        ("os.mkdir(out + 'scores.json')", "Could not find scores file"),
        ("os.symlink('/app/input/ref/truth.txt', out + 'scores.txt')", "Could not find scores file"),
        (GOOD + "open('/app/input/ref/more', 'w').write('x'); os.kill(os.getpid(), 11)", "was ended by signal 11"),
        (GOOD + "print(open('/app/input/ref/truth.txt').read()); raise SystemExit(1)", "exit code 1: secret-of-r1"),
        ("open(out + 'large', 'wb').write(bytes(80 << 20)); " + GOOD, "files|MiB|space|answers"),
    ],
)
def test_harm_by_a_scorer_is_the_organisers_fault(tmp_path: Path, program: str, wish: str) -> None:
    with pytest.raises(ChallengeError, match=wish):
        run(tmp_path, program)
    assert (tmp_path / "references/truth.txt").read_text() == "secret-of-r1"
    assert [path.name for path in (tmp_path / "references").iterdir()] == ["truth.txt"]


LAUGHS = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 60))


TEXTS = (
    ("accuracy: -.inf", "accuracy: expected a finite number up to 1e+15, found -inf"),
    ("accuracy: 1e16", "accuracy: expected a finite number up to 1e+15, found 1e+16"),
    ("accuracy: half", "accuracy: expected a number, found 'half'"),
    ("other: 1", "expected the primary value 'accuracy', found other"),
    ("a: &a [*a]\nb: {", "scores.txt: expected lines key: number"),
    ("[" * 20_000, "scores.txt: expected lines key: number"),
    ("accuracy: !!python/object/apply:os.system ['true']", "scores.txt: expected lines key: number"),
    ("accuracy: 1\n" * 10**6, "scores.txt: expected at most 1 MiB, found 11.4"),
    ("accuracy: 0.1\nother: 1\naccuracy: 0.9", "scores.txt: accuracy has two values"),
    ("[1]: 2\naccuracy: 1", "scores.txt: expected lines key: number"),
    ("", "expected an object of keys and values, found NoneType"),
    (f"{LAUGHS}accuracy: *a59\n", "accuracy: expected a number, found"),  # values within each other without end
)
OBJECTS = (
    ('{"accuracy": 0.1, "accuracy": 0.9}', "scores.json: accuracy has two values"),
    ('{"accuracy": [1], "accuracy": [1]}', "scores.json: accuracy has two values"),
    ('{"other": {"k": 1, "k": 2}, "accuracy": 1}', "scores.json: k has two values"),
    ('{"accuracy": 1e400}', "accuracy: expected a finite number up to 1e+15, found inf"),
    ('{"accuracy": ' + "[" * 900 + "]" * 900 + "}", "accuracy: expected a number, found '[["),
    ('{"a":' * 10_000 + "1" + "}" * 10_000, "scores.json: expected JSON"),
    ("[1, 2]", "scores.json: expected an object of keys and values, found list"),
    ("{", "scores.json: expected JSON"),
    ("{}", "expected the primary value 'accuracy', found nothing"),
    ('{"accuracy": NaN}', "accuracy: expected a finite number up to 1e+15, found nan"),
    ('{"accuracy": ' + "9" * 4000 + "}", "accuracy: expected a finite number up to 1e+15, found a larger one"),
    ('{"accuracy": "0.5"}', "accuracy: expected a number, found '0.5'"),
    ('{"accuracy": true}', "accuracy: expected a number, found 'True'"),
    (json.dumps({f"k{i}": i for i in range(5000)} | {"accuracy": 1}), "wrote 5001 values"),
    (json.dumps({"accuracy": 1, "x" * 300: 1}), "with names of 200 letters"),
    (json.dumps({"k" * (1 << 20): 1}), f"expected the primary value 'accuracy', found {'k' * 80}"),
    (json.dumps({f"{n}\x1b[2J\n": 1 for n in range(9)}), "found 0\ufffd[2J"),
    *(
        (json.dumps({"accuracy": 1, name: 2}), "expected names in one line of text, found")
        for name in ("b\x1b[2J", "b\n1", "b\u202e", "b\ud800", "")
    ),
)


@pytest.mark.parametrize(
    ("name", "text", "wish"),
    [
        *(("scores.txt", text, wish) for text, wish in TEXTS),
        *(("scores.json", text, wish) for text, wish in OBJECTS),
    ],
    ids=lambda text: text[:30],
)
def test_scores_that_are_no_numbers_by_their_names_are_named_in_a_few_words(
    tmp_path: Path, name: str, text: str, wish: str
) -> None:
    folder = written(tmp_path, {name: text})
    for form in ("codabench", "command") if name == "scores.json" else ("codabench",):
        reply = read_scores(form, folder, "", ScoreRequest(primary="accuracy"), {}, smaller=False)
        assert reply.kind == "challenge_error" and reply.score is None and wish in reply.message
        if name == "scores.txt":
            assert len(reply.message) < 1000, "what YAML's parser says has lines"
        else:
            assert len(reply.message) < 500 and reply.message.isprintable()
    if wish.startswith("expected names"):  # those that nobody declares are left out
        declared = ScoreRequest(primary="accuracy", values=("accuracy",))
        score = read_scores("codabench", folder, "", declared, {}, smaller=False).score
        assert score is not None and dict(score.values) == {"accuracy": 1.0}
    same = written(tmp_path / "same", {"scores.json": '{"accuracy": 0.5, "accuracy": 0.5}'})
    assert read(same, ScoreRequest(primary="accuracy")).values == {"accuracy": 0.5}


def test_names_that_no_challenge_declares_tell_nothing_of_hidden_references(tmp_path: Path) -> None:
    """Whoever takes a scorer over, by a file that it loads, could write them with the labels."""
    numbers = {"accuracy": 0.5, "label of r1": 7}
    folder = written(tmp_path, {"scores.json": json.dumps(numbers)})
    computed = {"twice": Computed(by="sum", of=("accuracy", "accuracy"))}
    for form in ("codabench", "command"):
        for values, hidden, rules, kept in (
            ((), False, {}, numbers),
            ((), True, computed, {"accuracy": 0.5, "twice": 1.0}),
            (tuple(numbers), True, {}, numbers),
        ):
            asked = ScoreRequest(primary="accuracy", values=values, hidden=hidden)
            score = read_scores(form, folder, "", asked, rules, smaller=False).score
            assert score is not None and dict(score.values) == kept


TELLS = """
import sys
truth = open('/app/input/ref/truth.txt').read()
print(truth); print(truth, file=sys.stderr)
open(out + 'scores.txt', 'w').write(f'accuracy: 0.9\\n{truth}: 1\\n')
open(out + truth, 'w').write(truth)
"""


def test_output_about_references_reaches_the_organiser_alone(tmp_path: Path) -> None:
    """By standard output and error, names of numbers and of files."""
    outcome = run(tmp_path, TELLS + GOOD, again=True)
    entry = Entry(archive=Path("entry.zip"), sha256="0" * 64, size=1)
    evaluation = Evaluation(entry=entry, challenge="words", outcomes=(outcome,))
    for hidden in (False, True):
        for form in (to_text, to_html, to_json, to_markdown, to_junit):
            text = str(form(for_team(evaluation, {}, Policy(hidden_exam=hidden))))
            assert "secret" not in text, form
            assert "0.5" in text or form is to_junit
    known = for_organiser(evaluation, {}).evaluation.outcomes[0].result.diagnostics
    assert known.count("secret-of-r1") >= 2


def test_one_entry_is_scored_twice_at_once(tmp_path: Path) -> None:
    """By two hosts of a queue, or by somebody who rejudges: each has places of its own, and nothing is left."""
    run(tmp_path, GOOD)
    folders = [tmp_path / name for name in ("program", "references", "answers")]

    def once(_: int) -> float:
        score = scored(tmp_path, Form.CODABENCH, *folders, primary="accuracy", again=True).score
        assert score is not None and len(score.notes) == 1  # that there is no interval
        return score.values["accuracy"]

    with ThreadPoolExecutor(2) as several:
        assert list(several.map(once, range(4))) == [0.5] * 4
    assert not list((tmp_path / "means").glob("scorer-*"))


def words_of(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:  # it has ended
        return []


def test_scoring_whose_daemon_is_killed_leaves_no_program_and_can_be_repeated(tmp_path: Path) -> None:
    daemon = get_context("spawn").Process(target=run, args=(tmp_path, "import time\ntime.sleep(600)\n"))
    daemon.start()
    own: list[psutil.Process] = []
    # the program itself: bubblewrap has it among its words before it has asked to end with its parent
    while ["python3", "score.py"] not in map(words_of, own):
        assert daemon.is_alive()
        own = psutil.Process(daemon.pid).children(recursive=True)
        time.sleep(0.1)
    daemon.kill()
    daemon.join()
    _, alive = psutil.wait_procs(own, timeout=60)
    assert not alive
    assert run(tmp_path, GOOD).score is not None


@pytest.mark.parametrize(
    ("make", "wish"),
    [
        (os.mkfifo, "truth.txt: expected a file or a folder, found a pipe, socket or device"),
        (lambda path: path.symlink_to("/dev/zero"), "truth.txt: expected a file or a folder, found a pipe"),
        (lambda path: path.symlink_to("/proc/sys/vm/compact_memory"), "truth.txt: cannot be read: Permission denied"),
        (lambda path: path.symlink_to("nowhere"), "truth.txt: No such file"),
    ],
    ids=["pipe", "device", "closed", "gone"],
)
def test_references_that_cannot_be_read_are_named(tmp_path: Path, make: Callable[[Path], None], wish: str) -> None:
    """And nothing waits for them."""
    make(written(tmp_path / "references", {}) / "truth.txt")
    for write in (laid_out, in_folder):
        with pytest.raises(ChallengeError, match=wish):
            write(tmp_path / write.__name__, {"/app/input/ref": tmp_path / "references"})
