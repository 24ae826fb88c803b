"""``evaluate.yaml``: what an organiser says of a host, of the daemons, and of each challenge.

The file is the one of the state directory, or what ``EVALUATE_CONFIG`` names.  Every key has a default
that works, and every mistake is named at once::

    database: postgresql+psycopg://evaluate@db/evaluate      # default: one SQLite file in the state directory
    shared: /srv/evaluate                                     # uploads, layers, images; needed by many hosts
    host: green                                               # name of this host, by default that of the machine
    slots: 4                                                  # virtual machines at once on this host
    shards: 2                                                 # parts of an exam
    free_gib: 20                                              # below it nothing is begun
    stop_seconds: 60                                          # for running stages after SIGTERM
    heartbeat: {seconds: 20, ttl_seconds: 90}
    retries: {attempts: 3, delay_seconds: 30}
    log: json                                                 # or human
    prometheus: 127.0.0.1:9464
    gpus: ["0000:65:00.0"]                                    # devices that guests may be given
    licence_server: {host: licence.example.org, ports: [27000, 27001]}
    notify:
      mail: {server: localhost, sender: evaluate@example.org, organiser: me@example.org, teams: {red: red@example.org}}
      webhook: {url: "https://example.org/hook"}
    challenges:
      af2017:
        folder: /srv/challenges/af2017
        scores: withheld                                      # until the organiser writes: released
        one_in_exam: true
        phases:
          - {name: unofficial, begins: 2017-02-01, ends: 2017-04-10, attempts: 5}
          - {name: official, begins: 2017-04-10, ends: 2017-09-01, attempts: 10}
"""

from __future__ import annotations

import math
import os
import re
import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from evaluate.challenge import BoardRules, challenge_folder
from evaluate.core.errors import ChallengeError, UsageError
from evaluate.core.keys import (
    Keys,
    by_name,
    checked,
    from_one,
    like,
    list_of,
    load_yaml,
    number,
    positive,
    some_of,
    text,
    whole,
    word,
    yes_no,
)
from evaluate.core.model import MIB
from evaluate.sandbox.base import LicenceServer

FILE = "evaluate.yaml"
VARIABLE = "EVALUATE_CONFIG"
_GIB = 1024 * MIB
_PCI = re.compile(r"[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]")
_HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62})")
_MAIL = re.compile(r"[^@\s<>,]+@[^@\s<>,]+")


class LogFormat(StrEnum):
    """What a line of the log looks like."""

    HUMAN = "human"
    JSON = "json"


class Scores(StrEnum):
    """Whether teams may know their scores."""

    RELEASED = "released"
    WITHHELD = "withheld"


class Security(StrEnum):
    """How the connection to a mail server is protected."""

    NONE = "none"
    STARTTLS = "starttls"
    TLS = "tls"


@dataclass(frozen=True, kw_only=True)
class Phase:
    """A part of a challenge with a board and a quota of its own."""

    name: str
    begins: float = -math.inf
    ends: float = math.inf
    """Seconds since 1970, UTC; an entry belongs to the phase it was submitted in, the end excluded."""
    attempts: int | None = None
    """How many entries of a team may reach its exam; None: as `Rules` says; 0: any number."""


@dataclass(frozen=True, kw_only=True)
class Rules:
    """What the organiser says of one challenge beside its own ``challenge.yaml``."""

    folder: Path | None = None
    """None: the challenge of that name that travels with the program."""
    attempts: int | None = None
    """How many entries of a team may reach the exam in a phase; None: as ``challenge.yaml`` says; 0: any number."""
    charge_dry_runs: bool = False
    """Whether an entry that does not reach the exam costs an attempt as well."""
    one_in_exam: bool = False
    """Whether of one team only one entry may be in the exam at once."""
    scores: Scores = Scores.RELEASED
    phases: tuple[Phase, ...] = ()

    def allowed(self, board: BoardRules) -> int:
        """How many entries of a team may reach the exam in a phase that does not say so itself; 0: any number."""
        return board.attempts if self.attempts is None else self.attempts

    def phase(self, at: float) -> Phase | None:
        """The phase of an entry that was submitted at ``at``; None where there is none."""
        return next((phase for phase in self.phases if phase.begins <= at < phase.ends), None)


@dataclass(frozen=True, kw_only=True)
class MailRules:
    """Where mail goes."""

    server: str
    sender: str
    port: int
    security: Security = Security.NONE
    user: str = ""
    password_file: Path | None = None
    organiser: str = ""
    """Gets what is parked; empty: nobody does."""
    teams: Mapping[str, str] = field(default_factory=dict)
    """Team -> address; gets how its entries ended."""


@dataclass(frozen=True, kw_only=True)
class WebhookRules:
    """Where every change of state is posted as JSON."""

    url: str


@dataclass(frozen=True, kw_only=True)
class NotifyRules:
    """Who is told of changes."""

    mail: MailRules | None = None
    webhook: WebhookRules | None = None
    timeout_seconds: float = 10.0
    """Of one try."""
    tries: int = 6
    delay_seconds: float = 5.0
    """Before the second try; twice as long before each further one."""


@dataclass(frozen=True, kw_only=True)
class Heartbeat:
    """How hosts that share a database know that another has died."""

    seconds: float = 20.0
    ttl_seconds: float = 90.0
    """A host that was silent for so long loses its work to the others."""


@dataclass(frozen=True, kw_only=True)
class Retries:
    """What happens after an infrastructure fault."""

    attempts: int = 3
    """How often a stage is tried before the entry is parked."""
    delay_seconds: float = 30.0
    """Before the second try; twice as long before each further one."""


@dataclass(frozen=True, kw_only=True)
class Address:
    """A TCP address to listen on."""

    host: str
    port: int


@dataclass(frozen=True, kw_only=True)
class Config:
    """Everything in the file."""

    database: str = ""
    """SQLAlchemy URL; empty: a SQLite file in the state directory."""
    shared: str = ""
    """Folder or fsspec URL that all hosts reach; empty: the state directory."""
    host: str = field(default_factory=socket.gethostname)
    """Name of this host, by which it is drained; several daemons on one machine need several."""
    slots: int = 1
    """Stages, and so virtual machines, at once on this host."""
    shards: int = 1
    """Parts of an exam."""
    free_bytes: int = 5 * _GIB
    """Below so much room on a disk nothing is begun."""
    stop_seconds: float = 30.0
    """How long a running stage may go on after SIGTERM; later its work is done again at the next start."""
    heartbeat: Heartbeat = Heartbeat()
    retries: Retries = Retries()
    log: LogFormat = LogFormat.HUMAN
    prometheus: Address | None = None
    notify: NotifyRules = NotifyRules()
    challenges: Mapping[str, Rules] = field(default_factory=dict)
    gpus: tuple[str, ...] = ()
    """PCI addresses of the devices that guests may be given, such as ``0000:65:00.0``."""
    licence_server: LicenceServer | None = None

    def rules(self, challenge: str) -> Rules:
        """What is said of a challenge, by its name or by the folder it lies in."""
        if (found := self.challenges.get(challenge)) is not None:
            return found
        same = (rules for rules in self.challenges.values() if rules.folder and str(rules.folder) == challenge)
        return next(same, Rules())

    def place(self, challenge: str) -> str:
        """What `evaluate.challenge.load_challenge` finds a challenge by: the organiser's folder, else the name."""
        folder = self.rules(challenge).folder
        return str(folder) if folder else challenge


def config_path(state: Path) -> Path | None:
    """The file that counts: what $EVALUATE_CONFIG names, else that of the state directory if there is one.

    Raises
    ------
    UsageError
        A file was named that is not there.
    """
    if not (named := os.environ.get(VARIABLE)):
        path = state / FILE
        return path if path.is_file() else None
    if not Path(named).is_file():
        raise UsageError(f"{VARIABLE} {named}: no such file")
    return Path(named)


def load_config(state: Path) -> Config:
    """The configuration of a state directory.

    Raises
    ------
    UsageError
        A file was named that is not there.
    ChallengeError
        The file is wrong; every mistake is named.
    """
    path = config_path(state)
    if path is None:
        return Config()
    problems: list[str] = []
    found = load_yaml(path)
    no_gpus: tuple[str, ...] = ()
    keys = Keys({} if found is None else found, str(path), problems)
    config = Config(
        database=keys.take("database", "an SQLAlchemy URL such as postgresql+psycopg://user@host/name", _database, ""),
        shared=keys.take("shared", "an absolute path or an fsspec URL", _shared, ""),
        host=keys.take("host", "a name of letters, digits, dots and hyphens", like(_HOST), socket.gethostname()),
        slots=keys.take("slots", "a whole number from 1", from_one, Config.slots),
        shards=keys.take("shards", "a whole number from 1", from_one, Config.shards),
        free_bytes=keys.take("free_gib", "a number of GiB", _gibibytes, Config.free_bytes),
        stop_seconds=keys.take("stop_seconds", "a number of seconds", number, Config.stop_seconds),
        heartbeat=_heartbeat(keys.below("heartbeat")),
        retries=_retries(keys.below("retries")),
        log=keys.take("log", "human or json", LogFormat, Config.log),
        prometheus=keys.take("prometheus", "an address such as 127.0.0.1:9464", _address, None),
        notify=_notify(keys.below("notify"), path.parent),
        challenges=_challenges(keys, path.parent),
        gpus=keys.take("gpus", "a list of PCI addresses such as 0000:65:00.0", list_of(like(_PCI)), no_gpus),
        licence_server=_licence(keys.below("licence_server")) if keys.has("licence_server") else None,
    )
    keys.end()
    if config.database.startswith("postgresql") and not config.shared:
        problems.append(f"{path}: key 'shared' is missing; many hosts on one database need a folder that all reach")
    if problems:
        raise ChallengeError("\n".join(problems))
    return config


def _heartbeat(keys: Keys) -> Heartbeat:
    found = Heartbeat(
        seconds=keys.take("seconds", "a number of seconds", positive, Heartbeat.seconds),
        ttl_seconds=keys.take("ttl_seconds", "a number of seconds", positive, Heartbeat.ttl_seconds),
    )
    if found.ttl_seconds < 3 * found.seconds:
        keys.problems.append(
            f"{keys.where}: ttl_seconds: expected at least three times seconds ({found.seconds:g}), "
            f"found {found.ttl_seconds:g}"
        )
    keys.end()
    return found


def _retries(keys: Keys) -> Retries:
    found = Retries(
        attempts=keys.take("attempts", "a whole number from 1", from_one, Retries.attempts),
        delay_seconds=keys.take("delay_seconds", "a number of seconds", number, Retries.delay_seconds),
    )
    keys.end()
    return found


def _licence(keys: Keys) -> LicenceServer:
    no_ports: tuple[int, ...] = ()
    found = LicenceServer(
        host=keys.need("host", "a name or address", word, ""),
        ports=keys.need("ports", "a list of TCP ports", _ports, no_ports),
    )
    keys.end()
    return found


def _notify(keys: Keys, folder: Path) -> NotifyRules:
    found = NotifyRules(
        mail=_mail(keys.below("mail"), folder) if keys.has("mail") else None,
        webhook=_webhook(keys.below("webhook")) if keys.has("webhook") else None,
        timeout_seconds=keys.take("timeout_seconds", "a number of seconds", positive, NotifyRules.timeout_seconds),
        tries=keys.take("tries", "a whole number from 1", from_one, NotifyRules.tries),
        delay_seconds=keys.take("delay_seconds", "a number of seconds", number, NotifyRules.delay_seconds),
    )
    keys.end()
    return found


def _mail(keys: Keys, folder: Path) -> MailRules:
    security = keys.take("security", f"one of {', '.join(Security)}", Security, Security.NONE)
    usual = {Security.NONE: 25, Security.STARTTLS: 587, Security.TLS: 465}[security]
    password = keys.take("password_file", "the path of a file", text, "")
    no_teams: dict[str, str] = {}
    found = MailRules(
        server=keys.need("server", "the name of a host", text, ""),
        port=keys.take("port", "a TCP port", _port, usual),
        security=security,
        sender=keys.need("sender", "a mail address", like(_MAIL), ""),
        user=keys.take("user", "a name", text, ""),
        password_file=folder / password if password else None,
        organiser=keys.take("organiser", "a mail address", like(_MAIL), ""),
        teams=keys.take("teams", "team: address", _mail_addresses, no_teams),
    )
    if found.user and found.password_file is None:
        keys.problems.append(f"{keys.where}: key 'password_file' is missing; wanted with 'user'")
    if found.password_file is not None and not found.password_file.is_file():
        keys.problems.append(f"{keys.where}: password_file: {found.password_file}: no such file")
    if found.user and security is Security.NONE and found.server not in ("localhost", "127.0.0.1", "::1"):
        keys.problems.append(f"{keys.where}: security: expected starttls or tls where a password is sent, found 'none'")
    keys.end()
    return found


def _webhook(keys: Keys) -> WebhookRules:
    found = WebhookRules(url=keys.need("url", "an address https://… or http://…", _url, ""))
    keys.end()
    return found


def _challenges(keys: Keys, folder: Path) -> dict[str, Rules]:
    found = {}
    for name, value in keys.named("challenges", "the name of each challenge and what is said of it").items():
        said = {"folder": value} if isinstance(value, str) else value
        found[name] = _rules(Keys(said, f"{keys.where}: challenges: {name}", keys.problems), name, folder)
    return found


def _rules(keys: Keys, name: str, folder: Path) -> Rules:
    given = keys.take("folder", "the folder of a challenge", text, "")
    place = (folder / given).resolve() if given else None
    try:
        challenge_folder(str(place) if place else name)
    except UsageError as e:
        keys.problems.append(f"{keys.where}: folder: {e}")
    found = Rules(
        folder=place,
        attempts=keys.take("attempts", "a whole number (0: any)", whole, None),
        charge_dry_runs=keys.take("charge_dry_runs", "true or false", yes_no, Rules.charge_dry_runs),
        one_in_exam=keys.take("one_in_exam", "true or false", yes_no, Rules.one_in_exam),
        scores=keys.take("scores", "released or withheld", Scores, Rules.scores),
        phases=tuple(map(_phase, keys.each("phases", "a list of phases"))),
    )
    _check_phases(found.phases, keys)
    keys.end()
    return found


def _phase(keys: Keys) -> Phase:
    found = Phase(
        name=keys.need("name", "a word", text, ""),
        begins=keys.take("begins", "a day or a time such as 2017-04-10T12:00:00Z", _time, -math.inf),
        ends=keys.take("ends", "a day or a time such as 2017-04-10T12:00:00Z", _time, math.inf),
        attempts=keys.take("attempts", "a whole number (0: any)", whole, None),
    )
    if not found.begins < found.ends:
        keys.problems.append(f"{keys.where}: ends: expected a time after begins")
    keys.end()
    return found


def _check_phases(phases: Sequence[Phase], keys: Keys) -> None:
    names = [phase.name for phase in phases]
    keys.problems += [f"{keys.where}: phases: {name!r} stands there twice" for name in sorted(_twice(names))]
    ordered = sorted(phases, key=lambda phase: phase.begins)
    keys.problems += [
        f"{keys.where}: phases: {after.name!r} begins before {before.name!r} ends"
        for before, after in pairwise(ordered)
        if after.begins < before.ends
    ]


def _twice(names: Sequence[str]) -> set[str]:
    return {name for name in names if names.count(name) > 1}


def _gibibytes(value: Any) -> int:
    return int(number(value) * _GIB)


def _port(value: Any) -> int:
    return checked(from_one(value), value < 65536)


def _ports(value: Any) -> tuple[int, ...]:
    found = some_of(_port)(value)
    return checked(found, len(set(found)) == len(found))


def _time(value: Any) -> float:
    """Seconds since 1970; what says no zone is UTC, and a day is its first moment."""
    if not isinstance(value, date):
        raise ValueError
    moment = value if isinstance(value, datetime) else datetime(value.year, value.month, value.day)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def _database(value: Any) -> str:
    return checked(text(value), value.startswith(("sqlite:///", "postgresql+psycopg://")))


def _shared(value: Any) -> str:
    return checked(text(value), value.startswith("/") or "://" in value)


def _url(value: Any) -> str:
    parts = urlsplit(text(value))
    return checked(text(value), parts.scheme in ("http", "https") and bool(parts.hostname))


def _address(value: Any) -> Address:
    host, _, port = text(value).rpartition(":")
    return Address(host=text(host.strip("[]")), port=_port(int(port)))


def _mail_addresses(value: Any) -> dict[str, str]:
    return {team: like(_MAIL)(address) for team, address in by_name(value).items()}
