"""``evaluate.yaml``: an organiser's settings for a host, its daemons and each challenge.

The file is the one in the state directory, or the one that ``EVALUATE_CONFIG`` names.  Every key has a default that
works, and all mistakes are reported together.  The annotations of the dataclasses are the only description of the file:
the reader, the JSON schema and the table in ``docs/configuration.md``, which also has an example, come from them.
"""

from __future__ import annotations

import math
import os
import socket
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

from evaluate.challenge import FILE as CHALLENGE_FILE
from evaluate.challenge import BoardRules, challenge_folder, list_challenges, program_challenge
from evaluate.core.addresses import ADDRESS, is_address
from evaluate.core.document import Complain, Document, load_document
from evaluate.core.errors import UsageError
from evaluate.core.keys import (
    COUNT,
    NUMBER,
    PORT,
    POSITIVE_SECONDS,
    SECONDS,
    SWITCH,
    TEXT,
    WHOLE,
    Key,
    ListOf,
    Named,
    Section,
    Sections,
    Value,
    like,
    one_of,
    read,
    scaled,
)
from evaluate.core.model import MIB, LayerLimits, LicenceServer

FILE = "evaluate.yaml"
VARIABLE = "EVALUATE_CONFIG"
_GIB = 1024 * MIB
_LOCAL = ("localhost", "127.0.0.1", "::1")
_MAIL_PORTS = {"none": 25, "starttls": 587, "tls": 465}


class LogFormat(StrEnum):
    """The format of a line of the log."""

    HUMAN = "human"
    JSON = "json"


class Scores(StrEnum):
    """Whether teams may know their scores."""

    RELEASED = "released"
    WITHHELD = "withheld"


class Receipts(StrEnum):
    """Whether `evaluate log export` publishes the receipts of a challenge."""

    PRIVATE = "private"
    PUBLISHED = "published"


class Security(StrEnum):
    """How the connection to a mail server is protected."""

    NONE = "none"
    STARTTLS = "starttls"
    TLS = "tls"


@dataclass(frozen=True, kw_only=True)
class Address:
    """A TCP address to listen on."""

    host: str
    port: int


def seconds_since_1970(text: str) -> float:
    """A time without a zone is UTC, and a day is its first moment."""
    moment = datetime.fromisoformat(text)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def _address(text: str) -> Address:
    host, _, port = text.rpartition(":")
    if int(port) not in range(1, 65536):
        raise ValueError
    return Address(host=host.strip("[]"), port=int(port))


def _web_address(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError
    return text


_GIBIBYTES = scaled(NUMBER, _GIB, "GiB")
_MOMENT = like(
    r"\d{4}-\d{2}-\d{2}([Tt ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?([Zz]|[-+]\d{2}:\d{2})?)?",
    "a day or a time such as 2017-04-10T12:00:00Z",
).but(read=seconds_since_1970)
_MAIL = like(ADDRESS, "a mail address")


def _addresses(found: str | list[str]) -> tuple[str, ...]:
    addresses = (found,) if isinstance(found, str) else tuple(found)
    if not addresses or not all(is_address(address) for address in addresses):
        raise ValueError
    return addresses


_ONE_ADDRESS = {"type": "string", "pattern": f"^{ADDRESS}$"}
_MAILS = Value(
    expected="a mail address, or a list of them",
    type=str | list[str],
    read=_addresses,
    schema={"anyOf": [_ONE_ADDRESS, {"type": "array", "items": _ONE_ADDRESS, "minItems": 1}]},
)
_ATTEMPTS = WHOLE.but(expected="a whole number (0: any number)")


def _finished_phase(phase: Phase, complain: Complain, folder: Path) -> Phase:
    if not phase.begins < phase.ends:
        complain(("ends",), "expected a time after begins")
    return phase


@dataclass(frozen=True, kw_only=True)
class Phase:
    """A part of a challenge with its own board and quota."""

    name: Annotated[str, Key("The name by which its board is requested.", TEXT.but(expected="a word"), required=True)]
    begins: Annotated[
        float, Key("Entries submitted from this time on belong to it.", _MOMENT, default="always")
    ] = -math.inf
    """Seconds since 1970, UTC, as below."""
    ends: Annotated[float, Key("Entries submitted from this time on do not.", _MOMENT, default="never")] = math.inf
    attempts: Annotated[
        int | None,
        Key("How many entries of a team may reach its exam.", _ATTEMPTS, default="as the challenge says"),
    ] = None
    """None: as in `Terms`; 0: any number."""


_DAYS = NUMBER.but(expected="a number of days")


@dataclass(frozen=True, kw_only=True)
class PruneRules:
    """What `evaluate prune` may remove, and the daemon by itself when less than ``free_gib`` is free."""

    prepared_days: Annotated[
        float | None,
        Key(
            "Prepared disks, so long after an entry ended; it can then be rejudged from prep only.",
            _DAYS,
            default="never",
        ),
    ] = None
    superseded_days: Annotated[
        float | None, Key("What attempts produced that no longer count, so long after.", _DAYS, default="never")
    ] = None
    uploads_days: Annotated[
        float | None,
        Key("Uploads that were refused in prep or cancelled, so long after (0: at once).", _DAYS, default="never"),
    ] = None
    evidence_days: Annotated[
        float | None, Key("The evidence of faults, so long after an entry ended.", _DAYS, default="never")
    ] = None


def _as_json(at: float) -> str | None:
    """A time; None: always, or never."""
    return datetime.fromtimestamp(at, UTC).isoformat() if math.isfinite(at) else None


def _finished_terms(terms: Terms, complain: Complain, folder: Path) -> Terms:
    phases = Counter(phase.name for phase in terms.phases)
    for name in sorted(name for name, n in phases.items() if n > 1):
        complain(("phases",), f"{name!r} appears twice")
    ordered = sorted(terms.phases, key=lambda phase: phase.begins)
    for before, after in pairwise(ordered):
        if after.begins < before.ends and before.begins < before.ends:
            complain(("phases",), f"{after.name!r} begins before {before.name!r} ends")
    return replace(terms, folder=(folder / terms.folder).resolve()) if terms.folder else terms


@dataclass(frozen=True, kw_only=True)
class Terms:
    """The organiser's settings for one challenge, in addition to its ``challenge.yaml``."""

    folder: Annotated[
        Path | None,
        Key(
            "Where a challenge of your own is, relative to this file; without it, the name is one of the program's.",
            TEXT.but(expected="the folder of a challenge", read=Path),
            default="the challenge of that name that comes with the program",
        ),
    ] = None
    attempts: Annotated[
        int | None,
        Key(
            "How many entries of a team may reach the exam in a phase.",
            _ATTEMPTS,
            default="as `board.attempts` of its file",
        ),
    ] = None
    """None: as in ``challenge.yaml``; 0: any number."""
    charge_dry_runs: Annotated[
        bool, Key("Whether an entry that does not reach the exam costs an attempt as well.", SWITCH)
    ] = False
    one_in_exam: Annotated[bool, Key("Whether only one entry of a team may be in the exam at a time.", SWITCH)] = False
    scores: Annotated[Scores, Key("Whether teams may see their scores.", one_of(Scores, "released or withheld"))] = (
        Scores.RELEASED
    )
    receipts: Annotated[
        Receipts,
        Key(
            "Whether `evaluate log export` publishes the receipts of its entries, with their teams and scores.",
            one_of(Receipts, "private or published"),
        ),
    ] = Receipts.PRIVATE
    phases: Annotated[
        tuple[Phase, ...],
        Key(
            "Parts of the challenge, each with its own board and quota.",
            Sections(expected="a list of phases", item=Section(Phase, finish=_finished_phase)),
        ),
    ] = ()

    organisers: Annotated[
        tuple[str, ...],
        Key(
            "Who organises this challenge at the site, and nothing else there; an admin can name more.",
            ListOf(expected="a list of mail addresses", item=_MAIL, empty=True),
        ),
    ] = ()
    prune: Annotated[PruneRules, Key("What may be removed to free disk space.", Section(PruneRules))] = PruneRules()

    def allowed(self, board: BoardRules) -> int:
        """How many entries of a team may reach the exam in a phase that sets no number itself; 0: any number."""
        return board.attempts if self.attempts is None else self.attempts

    @property
    def most(self) -> int | None:
        """How many entries of a team may reach the exam in the most generous phase; None: as the challenge says."""
        given = [self.attempts if phase.attempts is None else phase.attempts for phase in self.phases] or [
            self.attempts
        ]
        if 0 in given:
            return 0
        known = [one for one in given if one is not None]
        return max(known) if known and len(known) == len(given) else None

    def sealed(self, board: BoardRules) -> dict[str, Any]:
        """What of the settings a rank depends on, as values of JSON; see `evaluate.receipts.seal`."""
        terms = {
            "attempts": self.allowed(board),
            "charge_dry_runs": self.charge_dry_runs,
            "phases": [
                {
                    "name": phase.name,
                    "begins": _as_json(phase.begins),
                    "ends": _as_json(phase.ends),
                    "attempts": self.allowed(board) if phase.attempts is None else phase.attempts,
                }
                for phase in self.phases
            ],
        }
        return {"terms": terms, "scores": self.scores.value}

    def next_phase(self, at: float) -> Phase | None:
        """The phase that opens first after ``at``; None if none does."""
        later = (phase for phase in self.phases if phase.begins > at)
        return min(later, key=lambda phase: phase.begins, default=None)

    def phase(self, at: float) -> Phase | None:
        """The phase of an entry that was submitted at ``at``; None if there is none."""
        return next((phase for phase in self.phases if phase.begins <= at < phase.ends), None)


def _finished_mail(mail: MailRules, complain: Complain, folder: Path) -> MailRules:
    password = folder / mail.password_file if mail.password_file else None
    trusted = folder / mail.ca_file if mail.ca_file else None
    if trusted is not None and not trusted.is_file():
        complain(("ca_file",), f"{trusted}: no such file")
    if trusted is not None and mail.security is Security.NONE:
        complain(("ca_file",), "certificates are only used with security: starttls or tls")
    if mail.user and password is None:
        complain((), "key 'password_file' is missing; expected with 'user'")
    if password is not None and not password.is_file():
        complain(("password_file",), f"{password}: no such file")
    if mail.user and mail.security is Security.NONE and mail.server not in _LOCAL:
        complain(("security",), "expected starttls or tls where a password is sent, found 'none'")
    port = mail.port or _MAIL_PORTS[mail.security]
    return replace(mail, password_file=password, ca_file=trusted, port=port)


@dataclass(frozen=True, kw_only=True)
class MailRules:
    """The mail server, the sender and the recipients."""

    server: Annotated[
        str,
        Key(
            "Takes the mail; `evaluate doctor` connects to it.",
            like(r"[^\s:/@]+|[0-9A-Fa-f.]*(:[0-9A-Fa-f.]*){2,}", "the name of a host, with its port under 'port'"),
            required=True,
        ),
    ]
    sender: Annotated[str, Key("The sender of all mail.", _MAIL, required=True)]
    port: Annotated[int, Key("TCP port of the server.", PORT, default="25, 587 (starttls) or 465 (tls)")] = 0
    """0: the usual port for the encryption; a loaded configuration has the number."""
    security: Annotated[
        Security,
        Key("How the connection is encrypted; the server's certificate must be valid for its name.", one_of(Security)),
    ] = Security.NONE
    user: Annotated[str, Key("The account at the server.", TEXT.but(expected="a name"))] = ""
    password_file: Annotated[
        Path | None,
        Key("Holds its password; relative to this file.", TEXT.but(expected="the path of a file", read=Path)),
    ] = None
    ca_file: Annotated[
        Path | None,
        Key(
            "Certificates (PEM) to trust besides those of the system; relative to this file.",
            TEXT.but(expected="the path of a file", read=Path),
        ),
    ] = None
    link: Annotated[
        str,
        Key(
            "Address of an entry's page at your site, for mail to teams.",
            like(r"https?://\S*\{entry\}\S*", "an address with {entry}, such as https://example.org/entries/{entry}"),
        ),
    ] = ""
    organiser: Annotated[str, Key("Receives a message about each parked entry.", _MAIL, default="nobody")] = ""
    teams: Annotated[
        Mapping[str, tuple[str, ...]],
        Key(
            "Receive the results of their entries, besides the members that `evaluate team` knows.",
            Named(expected="team: address, or a list of addresses", item=_MAILS, placeholder="TEAM"),
        ),
    ] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class WebhookRules:
    """Where every change of state is posted as JSON."""

    url: Annotated[
        str, Key("Where to.", TEXT.but(expected="an address https://… or http://…", read=_web_address), required=True)
    ]


@dataclass(frozen=True, kw_only=True)
class NotifyRules:
    """Who is notified of changes."""

    mail: Annotated[
        MailRules | None, Key("Mail to organisers and teams.", Section(MailRules, finish=_finished_mail), optional=True)
    ] = None
    webhook: Annotated[
        WebhookRules | None, Key("Every change of state, posted as JSON.", Section(WebhookRules), optional=True)
    ] = None
    timeout_seconds: Annotated[float, Key("For one try.", POSITIVE_SECONDS)] = 10.0
    tries: Annotated[int, Key("Number of attempts to send a message.", COUNT)] = 6
    delay_seconds: Annotated[float, Key("Delay before the second attempt; doubles each time.", SECONDS)] = 5.0


class Registration(StrEnum):
    """Who may make a team at the site."""

    OPEN = "open"
    CLOSED = "closed"


def _finished_oidc(oidc: OidcRules, complain: Complain, folder: Path) -> OidcRules:
    secret = folder / oidc.client_secret_file if oidc.client_secret_file else None
    if secret is not None and not secret.is_file():
        complain(("client_secret_file",), f"{secret}: no such file")
    return replace(oidc, issuer=oidc.issuer.rstrip("/"), client_secret_file=secret)


@dataclass(frozen=True, kw_only=True)
class OidcRules:
    """The provider that people log in with at the site."""

    issuer: Annotated[
        str,
        Key(
            "Its address; `/.well-known/openid-configuration` below it describes it.",
            TEXT.but(expected="an address https://…", read=_web_address),
            required=True,
        ),
    ]
    client_id: Annotated[str, Key("The name of the site at the provider.", TEXT.but(expected="a text"), required=True)]
    client_secret_file: Annotated[
        Path | None,
        Key("Holds the site's secret; relative to this file.", TEXT.but(expected="the path of a file", read=Path)),
    ] = None
    name: Annotated[str, Key("What the provider is called on the page.", TEXT.but(expected="a name"))] = (
        "single sign-on"
    )


@dataclass(frozen=True, kw_only=True)
class WebRules:
    """The site that `evaluate serve` makes."""

    address: Annotated[
        str,
        Key(
            "The address by which people reach the site; links in mail begin with it.",
            like(r"https?://[^\s/?#]+", "an address without a path, such as https://challenge.example.org"),
            default="http:// and where it listens",
        ),
    ] = ""
    title: Annotated[str, Key("What the site is called.", TEXT.but(expected="a line of text"))] = "Challenges"
    admins: Annotated[
        tuple[str, ...],
        Key(
            "Who may do everything, and name organisers.",
            ListOf(expected="a list of mail addresses", item=_MAIL, empty=True),
        ),
    ] = ()
    registration: Annotated[
        Registration,
        Key("Whether anybody with a mail address may make a team, or organisers alone.", one_of(Registration)),
    ] = Registration.OPEN
    oidc: Annotated[
        OidcRules | None,
        Key("Login by OpenID Connect.", Section(OidcRules, finish=_finished_oidc), optional=True),
    ] = None


@dataclass(frozen=True, kw_only=True)
class WitnessRules:
    """A witness of the log of receipts (`evaluate log witness`)."""

    url: Annotated[
        str,
        Key("Its address.", TEXT.but(expected="an address https://… or http://…", read=_web_address), required=True),
    ]
    key: Annotated[
        str,
        Key(
            "Its verifier key, as it prints it.",
            like(r"[^\s+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/=]+", "a verifier key such as name+0123abcd+BA…"),
            required=True,
        ),
    ]


FENCED = 0.7
"""The part of a lease after which a host that could not renew it ends itself, before others may take over."""
FENCE_MARGIN_SECONDS = 1.0
"""For its end, and for that of its virtual machines."""


def _finished_heartbeat(found: Heartbeat, complain: Complain, folder: Path) -> Heartbeat:
    # the rest of the lease must hold a heartbeat that came late, and the margin
    least = math.ceil(round(10 * (found.seconds + FENCE_MARGIN_SECONDS) / (1 - FENCED), 6)) / 10
    if found.ttl_seconds < least:
        wish = f"at least {least:g}, since a host that is cut off ends itself after {FENCED:g} of it, and has "
        wish += f"seconds ({found.seconds:g}) and {FENCE_MARGIN_SECONDS:g} more for that"
        complain(("ttl_seconds",), f"expected {wish}, found {found.ttl_seconds:g}")
    return found


@dataclass(frozen=True, kw_only=True)
class Heartbeat:
    """How hosts that share a database learn that another has died."""

    seconds: Annotated[float, Key("Time between two signs of life.", POSITIVE_SECONDS)] = 20.0
    ttl_seconds: Annotated[
        float, Key("A host that gives no sign of life for this long loses its work to the others.", POSITIVE_SECONDS)
    ] = 90.0


def within_grace(config: Config) -> Config:
    """The same with a lease that expires within `stop_seconds`.

    Raises
    ------
    UsageError
        These are too few for any lease.
    """
    ttl = min(config.heartbeat.ttl_seconds, config.stop_seconds)
    seconds = min(config.heartbeat.seconds, ttl * (1 - FENCED) - FENCE_MARGIN_SECONDS)
    if seconds < 1:
        least = math.ceil((1 + FENCE_MARGIN_SECONDS) / (1 - FENCED))
        raise UsageError(
            f"stop_seconds: expected at least {least} for a lease within them, found {config.stop_seconds:g}"
        )
    return replace(config, heartbeat=Heartbeat(seconds=seconds, ttl_seconds=ttl))


@dataclass(frozen=True, kw_only=True)
class Retries:
    """What happens after an infrastructure fault."""

    attempts: Annotated[int, Key("Number of attempts at a stage before the entry is parked.", COUNT)] = 3
    delay_seconds: Annotated[float, Key("Delay before the second attempt; doubles each time.", SECONDS)] = 30.0
    stop_after: Annotated[
        int, Key("Faults in a row, each of another entry, after which a host or challenge is stopped.", COUNT)
    ] = 5


_LAYER_LIMITS = Section(
    LayerLimits,
    {
        "packages": Key("Number of packages with all that they depend on.", COUNT),
        "download_bytes": Key("Size of what is downloaded.", _GIBIBYTES, name="download_gib"),
        "installed_bytes": Key("Size of what is installed.", _GIBIBYTES, name="installed_gib"),
    },
)
_LICENCE_SERVER = Section(
    LicenceServer,
    {
        "host": Key("Its name or address.", like(r"\S+", "a name or address"), required=True),
        "ports": Key(
            "Its ports; a guest finds them on its own loopback under the same numbers.",
            ListOf(expected="a list of TCP ports", item=PORT, unique=True),
            required=True,
        ),
    },
)


@dataclass(frozen=True, kw_only=True)
class Config:
    """Everything in the file."""

    database: Annotated[
        str,
        Key(
            "Where the queue is kept; for many hosts, PostgreSQL.",
            like(
                r"(sqlite:///|postgresql\+psycopg://)(?:.|\n)*",
                "an SQLAlchemy URL such as postgresql+psycopg://user@host/name",
            ),
            default="a SQLite file in the state directory",
        ),
    ] = ""
    shared: Annotated[
        str,
        Key(
            "Where hosts exchange uploads, layers and images; required with PostgreSQL.",
            like(r"(/|\S+://)(?:.|\n)*", "an absolute path or an fsspec URL"),
            default="the state directory",
        ),
    ] = ""
    host: Annotated[
        str,
        Key(
            "Name of this host, used to drain it; several daemons on one machine need different names.",
            like(r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}", "a name of letters, digits, dots and hyphens"),
            default="that of the machine",
        ),
    ] = field(default_factory=socket.gethostname)
    slots: Annotated[int, Key("How many stages, and so virtual machines, run at once on this host.", COUNT)] = 1
    shards: Annotated[int, Key("Number of parts that an exam is divided into.", COUNT)] = 1
    free_bytes: Annotated[
        int, Key("No stage is started with less free disk space than this.", _GIBIBYTES, name="free_gib")
    ] = 5 * _GIB
    stop_seconds: Annotated[
        float,
        Key("How long running stages may continue after SIGTERM; later ones are repeated at the next start.", SECONDS),
    ] = 30.0
    heartbeat: Annotated[
        Heartbeat,
        Key("How hosts learn that another has died.", Section(Heartbeat, finish=_finished_heartbeat)),
    ] = Heartbeat()
    retries: Annotated[Retries, Key("What happens after an infrastructure fault.", Section(Retries))] = Retries()
    dependencies: Annotated[
        LayerLimits, Key("What an entry's dependencies.txt, and its requirements.txt, may need in all.", _LAYER_LIMITS)
    ] = LayerLimits()
    log: Annotated[LogFormat, Key("Format of the log.", one_of(LogFormat, "human or json"))] = LogFormat.HUMAN
    prometheus: Annotated[
        Address | None,
        Key(
            "Where metrics for Prometheus are served.",
            like(r"\S+:\d{1,5}", "an address such as 127.0.0.1:9464").but(read=_address),
        ),
    ] = None
    notify: Annotated[NotifyRules, Key("Who is notified of changes.", Section(NotifyRules))] = NotifyRules()
    web: Annotated[WebRules, Key("The site of `evaluate serve`.", Section(WebRules))] = WebRules()
    witnesses: Annotated[
        tuple[WitnessRules, ...],
        Key(
            "Asked to sign each head of the log of receipts; a receipt has the signatures of those that answer.",
            Sections(expected="a list of witnesses", item=Section(WitnessRules)),
        ),
    ] = ()
    challenges: Annotated[
        Mapping[str, Terms],
        Key(
            "Settings of the organiser for each challenge; a single text is its folder.",
            Named(
                expected="the name of each challenge and what is said about it",
                item=Section(Terms, finish=_finished_terms, shorthand="folder"),
            ),
        ),
    ] = field(default_factory=dict)
    unused_days: Annotated[
        float | None,
        Key(
            "Images, layers, caches and saved machines that no entry needs: removable so long after they were made.",
            _DAYS,
            default="never",
        ),
    ] = None
    gpus: Annotated[
        tuple[str, ...],
        Key(
            "Devices that guests may be given.",
            ListOf(
                expected="a list of PCI addresses such as 0000:65:00.0",
                item=like(r"[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]", "a PCI address such as 0000:65:00.0"),
                empty=True,
            ),
        ),
    ] = ()
    licence_server: Annotated[
        LicenceServer | None,
        Key("The only address that guests may reach, for challenges that need it.", _LICENCE_SERVER, optional=True),
    ] = None

    def terms(self, known: str) -> Terms:
        """The settings for a challenge, by its name in the store: its folder, or its name in the program."""
        same = (rules for name, rules in self.challenges.items() if known == (str(rules.folder or name)))
        return next(same, Terms())

    def folders(self) -> list[Path]:
        """The folder of each challenge that is named here."""
        found = [self.locate(name) for name in self.challenges]
        return [folder for folder in found if folder is not None]

    def locate(self, challenge: str) -> Path | None:
        """The folder of a challenge that is named here, or that comes with the program; None if neither.

        Never one that happens to lie in the current directory: other rules would hold for it there than elsewhere.
        """
        rules = self.challenges.get(challenge)
        return rules.folder if rules is not None and rules.folder else program_challenge(challenge)


def name_of(known: str, config: Config) -> str:
    """What people call a challenge, by its name in the store."""
    return next((name for name in config.challenges if known_as(name, config) == known), known)


def known_as(name: str, config: Config) -> str:
    """The name of a challenge in the store, whatever name or path it is given by.

    Its name if it is part of the program and the configuration does not name its folder, else its folder; with either,
    `Config.terms` finds the organiser's terms for it.

    Raises
    ------
    UsageError
        There is none.  A name without a slash is never a folder of the current directory, because the rules of the
        configuration would then hold for it in one directory and not in another.
    """
    folder = config.locate(name)
    if folder is None and "/" not in name and name not in (".", ".."):
        names = ", ".join(dict.fromkeys([*config.challenges, *list_challenges()]))
        raise UsageError(
            f"no challenge {name!r}: there are {names}; name one of your own with its folder in {FILE}, "
            f"or write a path such as ./{name}"
        )
    folder = folder or challenge_folder(name)
    if any(rules.folder == folder for rules in config.challenges.values()):
        return str(folder)
    return folder.name if program_challenge(folder.name) == folder else str(folder)


def config_path(state: Path) -> Path | None:
    """The file that applies: the one that $EVALUATE_CONFIG names, else that of the state directory if there is one.

    Raises
    ------
    UsageError
        The file that was named does not exist.
    """
    if not (named := os.environ.get(VARIABLE)):
        path = state / FILE
        return path if path.is_file() else None
    if not Path(named).is_file():
        raise UsageError(f"{VARIABLE} {named}: no such file")
    return Path(named).absolute()


def load_config(state: Path) -> Config:
    """The configuration of a state directory.

    Raises
    ------
    UsageError
        The file that was named does not exist.
    ChallengeError
        The file is wrong; every mistake is named.
    """
    path = config_path(state)
    return Config() if path is None else read_config(path)


def read_config(path: Path) -> Config:
    """The configuration in a file; see `load_config`."""
    document = load_document(path)
    if document.value is None:
        document.value = {}
    config = read(document, CONFIG)
    if config is not None:
        _check(config, document)
    document.refuse_problems()
    assert config is not None
    return config


def _check(config: Config, document: Document) -> None:
    if config.database.startswith("postgresql") and "shared" not in document.value:
        document.complain((), "key 'shared' is missing; many hosts on one database need a folder that all reach")
    first: dict[Path, str] = {}
    for name, rules in config.challenges.items():
        folder = rules.folder or program_challenge(name)
        if folder is None:
            known = ", ".join(list_challenges())
            document.complain(
                ("challenges", name),
                f"these rules are for no challenge: none of this name comes with the program ({known}); "
                "expected 'folder' with the folder of your own, relative to this file",
            )
        elif not (folder / CHALLENGE_FILE).is_file():
            document.complain(
                ("challenges", name, "folder"), f"expected a folder with a {CHALLENGE_FILE}, found {folder}"
            )
        elif folder in first:
            document.complain(("challenges", name), f"the folder of {first[folder]!r} again: {folder}")
        else:
            first[folder] = name


CONFIG = Section(Config)
"""The keys of ``evaluate.yaml``."""
