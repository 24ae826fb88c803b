"""`evaluate new, try`: the daily work of a participant."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from evaluate.commands.entry import accelerator_option, evaluated
from evaluate.commands.state import all_files_option, check_writable, state_of, write

if TYPE_CHECKING:
    from collections.abc import Callable

    from evaluate.config.challenge.types import Challenge
    from evaluate.core.model import Evaluation
    from evaluate.home.trial import Trial, TryOptions
    from evaluate.report.audience import View
    from evaluate.report.html import ReceiptLine

_LANGUAGES = ("python", "c", "octave", "r", "java")  # `evaluate.authoring.skeleton.LANGUAGES`
_PATH = click.Path(path_type=Path)


@click.command()
@click.argument("entry", type=_PATH)
@click.option("--challenge", "name", required=True, metavar="NAME", help="Name of a challenge, or its folder.")
@click.option(
    "--lang", "language", type=click.Choice(_LANGUAGES), help="Language of the program; by default the first available."
)
def new(entry: Path, name: str, language: str | None) -> None:
    """Create the folder ENTRY with a working entry to start from.

    Its README says what to change.  Where a challenge takes uploaded answers, they are written unless a language is
    named; where it takes container images, a Dockerfile and a script that makes the archive.
    """
    from evaluate.authoring.skeleton import write_entry
    from evaluate.config.challenge.cache import load_challenge

    for line in write_entry(entry, load_challenge(name), language, name):
        click.echo(line)


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """A try as it is asked for: the options of the command by their names."""

    entry: str
    name: str | None
    contract: str | None
    records: Path | None
    references: Path | None
    record: str | None
    watch: bool
    shell: str | None
    profile: bool
    write_answers: bool
    json_file: Path | None
    html_file: Path | None
    junit_file: Path | None
    summary_file: Path | None
    receipt_file: Path | None
    isolation: str | None
    no_train: bool
    model: Path | None
    keep: Path | None
    all_files: bool
    runner: str
    accelerator: str

    def check(self) -> None:
        """Raise UsageError for options that exclude each other."""
        if (self.name is None) is (self.contract is None):
            raise click.UsageError("expected either --challenge NAME or --contract NAME")
        if self.model is not None and self.no_train:
            raise click.UsageError("--model DIR is a model that was trained elsewhere: leave --no-train out")
        if self.plain and self.isolation is not None:
            raise click.UsageError("--runner plain: --isolation needs the virtual machine")
        if self.plain and (self.shell is not None or self.profile or self.receipt_file is not None):
            raise click.UsageError("--runner plain: --shell, --profile and --receipt need the virtual machine")

    @property
    def plain(self) -> bool:
        """True if it runs without a virtual machine."""
        return self.runner == "plain"

    @property
    def again(self) -> str:
        """The command with the options that a further try of one record needs."""
        words = ["evaluate", "try", self.entry]
        words += ["--challenge", self.name] if self.name is not None else ["--contract", str(self.contract)]
        words += ["--records", str(self.records)] if self.records is not None else []
        words += ["--runner", "plain"] if self.plain else []
        words += ["--no-train"] if self.no_train else ["--model", str(self.model)] if self.model is not None else []
        words += ["--isolation", self.isolation] if self.isolation is not None else []
        return shlex.join(words)

    @property
    def options(self) -> TryOptions:
        """The options of the evaluation itself."""
        from evaluate.home.trial import TryOptions

        return TryOptions(
            own_records=self.records is not None,
            record=self.record,
            write_answers=self.write_answers,
            all_files=self.all_files,
            plain=self.plain,
            train=not self.no_train,
            model=self.model,
            keep=self.keep,
        )


@dataclass(frozen=True, kw_only=True)
class _Report:
    """Output that is printed of a try, and the files that its report goes to besides."""

    asked: _Asked
    rules: Challenge

    @property
    def on_stdout(self) -> bool:
        """True if standard output gets the JSON."""
        return str(self.asked.json_file) == "-"

    def view(self, evaluation: Evaluation) -> View:
        """The report as the team sees it at home."""
        from evaluate.report.audience import for_team, policy_at_home

        return for_team(evaluation, self.rules.limits, policy_at_home(self.rules))

    def print(self, evaluation: Evaluation) -> None:
        """Print the report, what was used of each limit and what a server does differently."""
        from evaluate.home.trial import differs_on_a_server
        from evaluate.report.text import to_text
        from evaluate.report.words import shares

        view = self.view(evaluation)
        click.echo(to_text(view))
        for stage in view.evaluation.stages:
            for share in shares(stage, view.limits):
                click.echo(f"  {stage.stage.value:<6}{share.what}: {share.used}")
        for sentence in differs_on_a_server(self.rules, evaluation, self.asked.options):
            click.echo(f"on a server: {sentence}")

    def write(self, evaluation: Evaluation, receipt: ReceiptLine | None = None) -> None:
        """Write the files."""
        from evaluate.report.html import Beside, to_html
        from evaluate.report.json import to_json
        from evaluate.report.text import to_junit, to_markdown

        view = self.view(evaluation)
        as_json = json.dumps(to_json(view), indent=1, allow_nan=False)
        if self.on_stdout:
            click.echo(as_json)
        beside = Beside(sample_score=self.rules.exam.sample_score, receipt=receipt, stages=self.rules.stages)
        forms: tuple[tuple[Path | None, Callable[[], str]], ...] = (
            (self.asked.json_file, lambda: as_json + "\n"),
            (self.asked.html_file, lambda: to_html(view, beside)),
            (self.asked.junit_file, lambda: to_junit(view)),
            (self.asked.summary_file, lambda: to_markdown(view)),
        )
        for path, make in forms:
            if path is not None and str(path) != "-":
                write(path, make())


@click.command("try")
@click.argument("entry")
@click.option("--challenge", "name", metavar="NAME", help="Name of a challenge, or its folder.")
@click.option(
    "--contract",
    metavar="NAME",
    help="Instead of a challenge: what the entry was written for, such as physionet-2025; with small sample data.",
)
@click.option("--records", type=_PATH, metavar="DIR", help="Folder of your own records, for quiz and exam.")
@click.option("--references", type=_PATH, metavar="PATH", help="Reference answers; by default REFERENCE.csv in DIR.")
@click.option("--record", metavar="NAME", help="Run only this record, and show what its program prints; no score.")
@click.option("--watch", is_flag=True, help="Run again on every change; stop with Ctrl-C.")
@click.option(
    "--shell",
    is_flag=False,
    flag_value="",
    metavar="[RECORD]",
    help="Open a shell in the machine where the record's command runs, with its files; by default the first record.",
)
@click.option(
    "--profile",
    is_flag=True,
    help="Profile by function, and by line of Python, where --record (or the first) spends instructions.",
)
@click.option(
    "--write-answers", is_flag=True, help="Write the answers of this run into the entry's folder, as its own answers."
)
@click.option("--json", "json_file", type=_PATH, metavar="FILE", help="Write the report as JSON ('-': print it).")
@click.option("--html", "html_file", type=_PATH, metavar="FILE", help="Write the report as one HTML file.")
@click.option("--junit", "junit_file", type=_PATH, metavar="FILE", help="Write the report as JUnit XML, for CI.")
@click.option("--summary", "summary_file", type=_PATH, metavar="FILE", help="Write the report as Markdown, for CI.")
@click.option(
    "--receipt", "receipt_file", type=_PATH, metavar="FILE", help="Copy the receipt to FILE, and its proof beside it."
)
@click.option(
    "--isolation",
    type=click.Choice(["namespace", "snapshot"]),
    help="Isolation between records; by default as the challenge says.",
)
@click.option("--no-train", is_flag=True, help="Do not train the entry; use the model that it has.")
@click.option("--model", type=_PATH, metavar="DIR", help="Use your trained model in DIR, in the place of training.")
@click.option(
    "--keep",
    type=_PATH,
    metavar="DIR",
    help="Save the answers in DIR.",
)
@all_files_option
@click.option(
    "--runner",
    type=click.Choice(["vm", "plain"]),
    default="vm",
    show_default=True,
    help="plain: run without a virtual machine, with this computer's programs; nothing is counted.",
)
@accelerator_option
@click.pass_context
def try_(ctx: click.Context, /, **options: Any) -> None:
    """Evaluate ENTRY on this computer, with the same virtual machine and limits as on the server.

    ENTRY is an archive, a folder, a git bundle, or the address https://….git of a repository.

    Of a folder the files that git tracks are packed (--all-files: the others too), as `evaluate remote submit` does.

    Without --records the challenge's public sample data are used.

    An entry that was written for another platform needs no challenge: --contract names the platform
    (docs/contracts.md).
    """
    from evaluate.config.challenge.cache import load_challenge
    from evaluate.home.trial import Trial, with_records
    from evaluate.stages.job import Lines

    asked = _Asked(**options)
    asked.check()
    name = asked.name if asked.name is not None else _of_contract(ctx, str(asked.contract))
    rules = with_records(load_challenge(name, asked.isolation), asked.records, asked.references)
    report = _Report(asked=asked, rules=rules)
    say = Lines(lambda text: click.echo(text, err=True))
    trial = Trial(asked.entry, rules, state_of(ctx), say, asked.accelerator)  # as the user who writes the files
    if asked.shell is not None:
        from evaluate.home.shell import open_shell

        run = open_shell(trial, asked.shell or None, all_files=asked.all_files)
        say.say(f"the shell has ended; {run.usage.instructions} instructions")
        return
    if asked.profile:
        from evaluate.home.profile import profile

        click.echo("\n".join(profile(trial, asked.record, all_files=asked.all_files).shown()))
        return
    check_writable(asked.json_file, asked.html_file, asked.junit_file, asked.summary_file, asked.receipt_file)
    _notice(asked.plain)
    if asked.watch:
        _watch(ctx, report, trial)
    evaluation, receipt = evaluated(trial, asked.options, again=asked.again, receipt=asked.receipt_file)
    if not report.on_stdout:
        report.print(evaluation)
    report.write(evaluation, receipt)
    _notice(asked.plain)
    ctx.exit(0 if evaluation.verdict.passed else 1)


def _of_contract(ctx: click.Context, contract: str) -> str:
    """The folder of a challenge with small data for the entries of a contract."""
    from evaluate.authoring.contract_samples import SAMPLED, sample_challenge

    contracts = {contract_name.value: contract_name for contract_name in SAMPLED}
    if contract not in contracts:
        raise click.UsageError(f"--contract {contract}: expected one of {', '.join(contracts)}")
    return str(sample_challenge(state_of(ctx), contracts[contract]))


def _notice(plain: bool) -> None:
    """Say in large letters that nothing is counted, where that is so."""
    if plain:
        from evaluate.home.plain_job import NOTICE

        click.echo(NOTICE, err=True)


def _watch(ctx: click.Context, report: _Report, trial: Trial) -> NoReturn:
    """Try at every change, until Ctrl-C; the exit code is that of the last try, unless that was interrupted."""
    import signal
    import time

    from evaluate.commands.console import ConsoleMonitor
    from evaluate.commands.interrupts import Terminated, line
    from evaluate.home.watch import Session, changes
    from evaluate.report.audience import policy_at_home
    from evaluate.report.words import conclusion, score_in_words

    asked, entry = report.asked, Path(report.asked.entry)
    if not entry.exists():
        raise click.UsageError(f"--watch: {entry}: no such file or folder to look at")
    waiting, passed, before, judged = False, False, "", 0
    policy, options = policy_at_home(report.rules), asked.options
    tries = Session(trial, plain=asked.plain)
    try:
        for _ in changes(entry):
            waiting = False
            begin = time.monotonic()
            alone = asked.record is not None
            with ConsoleMonitor(policy, again=asked.again, has_shell=not asked.plain, show_output=alone) as monitor:
                evaluation = tries.once(monitor, options)
            passed, judged = evaluation.verdict.passed, judged + 1
            report.write(evaluation)
            scored = score_in_words(evaluation.score) if evaluation.score is not None else ""
            parts = [", ".join(conclusion(evaluation)), scored + (f", was {before}" if scored and before else "")]
            parts += [f"{time.monotonic() - begin:.1f} s", f"waiting for a change of {entry}"]
            before = f"{evaluation.score.values[evaluation.score.primary]:.4f}" if evaluation.score else before
            waiting = True  # before it is said: somebody may react at once
            click.echo(f"verdict: {'; '.join(filter(None, parts))}", err=report.on_stdout)
    except KeyboardInterrupt:
        if not waiting:
            raise
        ctx.exit(0 if passed else 1)
    except Terminated as e:
        if not judged:
            raise
        tried = "1 try was judged" if judged == 1 else f"{judged} tries were judged, the last"
        click.echo(line(signal.SIGTERM, f"{tried}: {evaluation.verdict}"), err=True)
        ctx.exit(int(str(e.code)))
    raise AssertionError("a watch ends with Ctrl-C")


COMMANDS = (new, try_)
