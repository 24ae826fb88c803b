"""Everything that the documentation shows is run: commands, Python, YAML; and the site is built without a warning."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs.build import commands as all_commands
from evaluate.authoring.check import check_challenge
from evaluate.config.challenge.cache import load_challenge
from evaluate.config.load import load_config
from metrics.__main__ import main as metrics_alone
from tests.conftest import CHECKOUT
from tests.support.commands import printed, process
from tests.support.documents import blocks

BY_ANOTHER_TEST = {
    "docs/clean-room.md": "tests/functional/test_rooms.py",
    "docs/receipts.md": "tests/unit/receipts/test_receipts.py",
    "docs/receipt-format.md": "tests/unit/receipts/test_second_verifier.py",
    "docs/configuration.md": "tests/unit/authoring/test_files_of_keys.py",
    "docs/training.md": "tests/unit/stages/test_train.py",
    "docs/scorers.md": "tests/unit/authoring/imports/test_imports.py",
    "docs/last-year.md": "tests/functional/test_scorers.py",
    "docs/contracts.md": "tests/unit/stages/contracts/test_table.py",
    "docs/dockerfiles.md": "tests/unit/stages/test_entry_image.py",
    "docs/ci.md": "tests/unit/test_ci_templates.py",
    "docs/disaster.md": "tests/unit/operate/test_disaster.py",
    "docs/web.md": "tests/unit/serve/test_serving.py",
    "docs/slurm.md": "tests/functional/test_slurm.py",
    "docs/kvm-day.md": "tests/unit/test_owners_days.py",
    "docs/gpu-day.md": "tests/unit/test_owners_days.py",
    "vm_images/README.md": "tests/unit/images/test_snapshot.py",
    "metrics/README.md": "tests/unit/metrics/test_readme.py",
    "evaluate/store/README.md": "tests/functional/test_queue_readme.py",
}
"""Pages whose blocks need a scene of their own."""
ELSEWHERE = {
    # a virtual machine
    "./run demo": "tests/functional/test_clone.py",
    **{
        f"evaluate try mine --challenge cinc2017{option}": "tests/functional/test_loop.py"
        for option in (" --shell S00003", " --profile --record S00003")
    },
    "evaluate try mine --challenge cinc2017 --watch": "tests/unit/home/test_watch.py",
    **{
        f"evaluate try mine --challenge cinc2017 {option}": "tests/unit/home/test_trial.py"
        for option in ("--write-answers", "--record S00003")
    },
    "evaluate try mine --challenge cinc2017": "tests/functional/test_challenges.py",
    "evaluate try mine --challenge cinc2017 --runner plain": "tests/unit/commands/test_trial.py",
    "evaluate try hearts/sample_entry --challenge hearts": "tests/functional/test_challenges.py",
    "evaluate image list bookworm": "tests/unit/commands/test_cli.py",
    "evaluate image verify bookworm": "tests/unit/commands/test_cli.py",
    "evaluate doctor": "tests/functional/test_hostile.py",
    # what installs, and the program that runs the tests
    "./run test": "run",
    "./run setup": "run",
    "./run container": "tests/unit/test_container.py",
    ". .venv/bin/activate": "run",
    "./install.sh": "tests/unit/test_packaging.py",
    "pipx install .": "tests/functional/test_wheel.py",
    "pipx install sandbox-evaluate": "tests/functional/test_wheel.py",
    **dict.fromkeys(
        ("apt-get install", "ci/deb.sh dist", "evaluate demo", "apt-get purge"), ".github/workflows/ci.yml"
    ),
    # the service manager of a server
    "systemctl enable --now evaluate": "tests/functional/test_systemd.py",
    "journalctl --unit evaluate --follow": "tests/functional/test_systemd.py",
    # the network
    "evaluate challenge fetch cinc2017 --to data": "tests/unit/authoring/test_fetch.py",
}
"""Begin of a command -> the file that runs it, because it needs more than this test has."""
PAGES = sorted(
    str(path.relative_to(CHECKOUT))
    for path in (CHECKOUT / "README.md", *CHECKOUT.glob("docs/*.md"), *CHECKOUT.glob("*/README.md"))
    if str(path.relative_to(CHECKOUT)) not in BY_ANOTHER_TEST and any(blocks(path))
)
SHOWN_ONLY = ("", "text", "nginx", "caddy", "flow")
"""Languages of blocks that are of other programs, or no code."""
FREE = load_challenge("kits19")
"""Its entries are answers, so that every command can be run without a machine."""


class Scene:
    """A folder with the files that the documentation names, and a state directory."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.state = folder, folder / "state"
        self.words = {
            "entry.zip": str(FREE.folder / "sample_entry"),
            "cinc2017": "kits19",
            "REFERENCE.csv": str(FREE.exam.references),
            "records": str(FREE.exam.folder),
            "DIR": str(FREE.exam.folder),
        }
        self.state.mkdir()
        (self.state / "evaluate.yaml").write_text("host: green\n")
        truth = load_challenge("cinc2017").exam.references
        assert truth is not None
        for name in ("REFERENCE.csv", "answers.txt"):
            shutil.copy(truth, folder / name)

    def run(self, line: str) -> None:
        """One command as it stands, but for the names of files, challenges and entries."""
        first, *rest = shlex.split(line)
        if [first, *rest[:2]] == ["python", "-m", "metrics"]:
            assert metrics_alone(rest[2:]) == 0, line
            return
        assert first in ("evaluate", ".venv/bin/evaluate"), f"no test knows how to run: {line}"
        words = rest if rest[0] in ("score", "challenge", "new") else [self.words.get(word, word) for word in rest]
        if rest[0] == "daemon":  # what it starts belongs to a process of its own
            assert process(self.state, *words).returncode == 0, line
            return
        output = printed(self.state, *words)
        if rest[0] == "submit":
            self.words["ID"] = output.strip()

    def configure(self, text: str) -> None:
        """A block of YAML is the configuration from here on, or the data of the challenge that was made before."""
        if text.startswith("data:"):
            file = self.folder / "hearts" / "challenge.yaml"
            file.write_text(file.read_text().partition("\ndata:")[0] + f"\n{text}")
            assert check_challenge(file.parent) == []
            return
        text = text.replace("/srv/evaluate", str(self.folder))  # where the documentation says to be
        (self.state / "evaluate.yaml").write_text(f"host: green\n{text}")
        load_config(self.state)


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    monkeypatch.chdir(tmp_path)
    return Scene(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_shows_does_what_it_says(page: str, scene: Scene) -> None:
    python = ""
    for block in blocks(CHECKOUT / page):
        if block.language == "sh":
            for line in block.commands:
                if not line.removeprefix(".venv/bin/").startswith(tuple(ELSEWHERE)):
                    scene.run(line)
        elif block.language == "python":
            python += block.text
        elif block.language == "yaml":
            scene.configure(block.text)
        else:
            assert block.language in SHOWN_ONLY, f"{page}:{block.line}: how is a block of {block.language} run?"
    exec(compile(python, page, "exec"), {})


def test_what_is_run_elsewhere_is_shown_and_is_run_there() -> None:
    pages = [CHECKOUT / "README.md", *CHECKOUT.glob("docs/*.md"), *CHECKOUT.glob("*/README.md")]
    shown = {line.removeprefix(".venv/bin/") for page in pages for block in blocks(page) for line in block.commands}
    assert [start for start in ELSEWHERE if not any(line.startswith(start) for line in shown)] == []
    for file in {*ELSEWHERE.values(), *BY_ANOTHER_TEST.values()}:
        assert (CHECKOUT / file).is_file(), file


def test_every_command_that_is_run_elsewhere_exists() -> None:
    names = {ctx.command_path for ctx in all_commands()}
    for line in ELSEWHERE:
        words = [word for word in shlex.split(line) if re.fullmatch("[a-z]+", word)]
        if words[:1] == ["evaluate"]:
            assert {" ".join(words[:2]), " ".join(words[:3])} & names, line


def test_every_page_is_listed_once_and_every_reader_has_a_path() -> None:
    text = (CHECKOUT / "mkdocs.yml").read_text()
    listed = re.findall(r"^ +- ([\w/-]+\.md)$", text[text.index("\nnav:") :], re.MULTILINE)
    pages = {str(path.relative_to(CHECKOUT / "docs")) for path in (CHECKOUT / "docs").rglob("*.md")}
    assert len(listed) == len(set(listed)) and pages <= set(listed)
    begin = (CHECKOUT / "docs" / "index.md").read_text().replace("../metrics/README.md", "metrics-guide.md")
    for reader in ("Participants", "Organisers", "Scientists", "Auditors", "Packagers"):
        first = re.search(rf"- {reader} \(.*\):\n +- ([\w-]+\.md)", text)
        assert first is not None and f"]({first[1]})" in begin, reader


def test_coverage_in_the_paper_is_that_of_the_metrics_page() -> None:
    """The paper has rows of it, of usual entries."""

    def rows(page: str, header: str) -> dict[str, str]:
        table = (CHECKOUT / "docs" / page).read_text().partition(header)[2].partition("\n\n")[0]
        lines = [line.strip("|").split("|") for line in table.splitlines() if line.startswith("| ")]
        return {line[0].strip().removesuffix(", usual").replace(" (Wilson)", ""): "|".join(line[1:]) for line in lines}

    paper = rows("paper.md", "| | 10 records | 30 |")
    assert len(paper) == 6
    assert paper.items() <= rows("metrics.md", "| coverage of 95 % intervals | 10 records |").items()


def test_files_beside_arrows_of_a_drawing_exist() -> None:
    (drawing,) = re.findall(
        r"^```flow\n(.*?)^```", (CHECKOUT / "docs" / "design.md").read_text(), re.DOTALL | re.MULTILINE
    )
    files = [line.split()[-1] for line in drawing.splitlines()]
    assert len(files) > 5 and all((CHECKOUT / file).is_file() for file in files)


def test_links_of_pages_lead_to_files_also_where_no_site_is_built() -> None:
    """People read the pages in a repository, where a name that only the site knows leads nowhere."""
    listed = subprocess.run(["git", "ls-files", "-z", "*.md"], cwd=CHECKOUT, capture_output=True, text=True, check=True)
    broken = [
        f"{page}: {target}"
        for page in filter(None, listed.stdout.split("\0"))
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)\s]*)?\)", (CHECKOUT / page).read_text())
        if not (CHECKOUT / page).parent.joinpath(target).exists()
    ]
    assert broken == []


@pytest.mark.slow
def test_site_is_built_without_a_warning_and_asks_nobody(tmp_path: Path) -> None:
    pytest.importorskip("material", reason="mkdocs-material is not installed (group test)")
    argv = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path / "site")]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(argv, cwd=CHECKOUT, capture_output=True, text=True, check=False, env=environment)
    assert (done.returncode, done.stderr) == (0, "")
    pages = {str(path.relative_to(tmp_path / "site")): path.read_text() for path in tmp_path.rglob("*.html")}
    assert {"index.html", "participant.html", "reference/cli.html", "queue.html"} <= set(pages)
    for name, text in pages.items():
        assert re.findall(r'(?:src="|<link rel="stylesheet" href=")https?:', text) == [], name
    assert "evaluate image build" in pages["reference/cli.html"]
    assert "metrics.measures.froc" in pages["reference/python.html"]
