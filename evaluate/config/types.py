"""Everything in ``evaluate.yaml``.

Every key has a default that works.  The attributes of the dataclasses are the only description of the file: the
reader and the table in ``docs/configuration.md``, which also has an example, come from them.
"""

from __future__ import annotations

import math
import os
import re
import socket
import stat
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from urllib.parse import urlsplit

from evaluate.config.challenge.load import program_challenge
from evaluate.config.schema.document import Complain
from evaluate.config.schema.keys import (
    COUNT,
    DAYS,
    GIB,
    GIBIBYTES,
    LOOPBACK,
    MAIL,
    PATH,
    PORT,
    POSITIVE_SECONDS,
    SECONDS,
    SLOTS,
    TEXT,
    Address,
    Key,
    ListOf,
    Named,
    Section,
    address,
    key,
    like,
    one_of,
    web_address,
)
from evaluate.config.terms import Terms, finished_terms
from evaluate.core.errors import ChallengeError, UsageError
from evaluate.core.model import LayerLimits, LicenceServer

# The organisers' accounts at hosts of git repositories, with which private repositories of teams are read


HOST = re.compile(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[1-9][0-9]{0,4})?")
"""A host as it is a key of ``repositories``, with its port where that is not the usual one."""
_OTHERS = 0o077
"""Rights of others, which a file with a secret must not give."""


def finished_account(account: HelperAccount, complain: Complain) -> HelperAccount:
    """The account, of whose file the rights are checked."""
    if not account.ssh_host_key and not account.user:
        complain((), "expected 'user' and 'token_file' for https, 'ssh_host_key' for ssh, or all three")
    if bool(account.user) != (account.token_file is not None):
        complain((), "expected 'user' and 'token_file' together")
    token = account.token_file
    # a backup does not have the file, and is restored without it
    if token is not None and token.exists() and (problem := _problem(token.stat())):
        complain(("token_file",), f"{token}: {problem}")
    return account


def _problem(secret: os.stat_result) -> str:
    """Why a file is not used as one with a secret; empty if it is."""
    if not stat.S_ISREG(secret.st_mode):
        return "expected a regular file"
    mode = stat.S_IMODE(secret.st_mode)
    return f"expected mode 600, found {mode:o}; run `chmod 600` on it" if mode & _OTHERS else ""


def open_secret(path: Path) -> int:
    """A file with a token or a key, opened and unread, for the process that clones.

    Raises ChallengeError if it is missing, or others can read it.
    """
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError as e:
        raise ChallengeError(f"{path}: expected a file that lets git read private repositories: {e}") from e
    if problem := _problem(os.fstat(fd)):
        os.close(fd)
        raise ChallengeError(f"{path}: {problem}")
    return fd


@dataclass(frozen=True, kw_only=True)
class HelperAccount:
    """Account with which private repositories at one host are read."""

    user: str = key(
        "The account's name, which teams invite to their repositories.",
        like(r"[^\s:\x00-\x1f]+", "the name of an account"),
        "",
    )
    token_file: Path | None = key(
        "Holds a token that may read repositories, and has mode 600; relative to this file. No backup has it.",
        PATH,
        None,
    )
    ssh_host_key: str = key(
        "The host's public key, as `ssh-keyscan` prints it: each team gets a deploy key for addresses of ssh.",
        like(r"(ssh|ecdsa)-[a-z0-9-]+ [A-Za-z0-9+/=]+", "a key such as ssh-ed25519 AAAAC3…"),
        "",
    )


# Receivers of notices of changes


_FILE = PATH.but(leads_to="file")
_MAIL_PORTS = {"none": 25, "starttls": 587, "tls": 465}


class Security(StrEnum):
    """Protection of the connection to a mail server."""

    NONE = "none"
    STARTTLS = "starttls"
    TLS = "tls"


def _finished_mail(mail: MailRules, complain: Complain) -> MailRules:
    if mail.ca_file is not None and mail.security is Security.NONE:
        complain(("ca_file",), "certificates are only used with security: starttls or tls")
    if mail.user and mail.password_file is None:
        complain((), "key 'password_file' is missing; expected with 'user'")
    if mail.user and mail.security is Security.NONE and mail.server not in LOOPBACK:
        complain(("security",), "expected starttls or tls where a password is sent, found 'none'")
    return replace(mail, port=mail.port or _MAIL_PORTS[mail.security])


@dataclass(frozen=True, kw_only=True)
class MailRules:
    """The mail server, the sender and the recipients."""

    server: str = key(
        "Takes the mail; `evaluate doctor` connects to it.",
        like(r"[^\s:/@]+|[0-9A-Fa-f.]*(:[0-9A-Fa-f.]*){2,}", "the name of a host, with its port under 'port'"),
        required=True,
    )
    sender: str = key("The sender of all mail.", MAIL, required=True)
    port: int = key("TCP port of the server.", PORT, 0, default="25, 587 (starttls) or 465 (tls)")
    """0: the usual port for the encryption; a loaded configuration has the number."""
    security: Security = key(
        "How the connection is encrypted; the server's certificate must be valid for its name.",
        one_of(Security),
        Security.NONE,
    )
    user: str = key("The account at the server.", TEXT.but(expected="a name"), "")
    password_file: Path | None = key("Holds its password; relative to this file.", _FILE, None)
    ca_file: Path | None = key(
        "Certificates (PEM) to trust besides those of the system; relative to this file.", _FILE, None
    )
    organiser: str = key("Receives a message about each parked entry.", MAIL, "", default="nobody")


@dataclass(frozen=True, kw_only=True)
class NotifyRules:
    """Receivers of notices of changes."""

    mail: MailRules | None = key(
        "Mail to organisers and teams.", Section(MailRules, finish=_finished_mail), None, optional=True
    )


# The site: its address, and who may log in


class Registration(StrEnum):
    """Permission to make a team at the site."""

    OPEN = "open"
    CLOSED = "closed"


_ISSUER = TEXT.but(expected="an address https://…", read=lambda text: web_address(text).rstrip("/"))


@dataclass(frozen=True, kw_only=True)
class OidcRules:
    """The provider that people log in with at the site."""

    issuer: str = key("Its address; `/.well-known/openid-configuration` below it describes it.", _ISSUER, required=True)
    client_id: str = key("The name of the site at the provider.", TEXT.but(expected="a text"), required=True)
    client_secret_file: Path | None = key("Holds the site's secret; relative to this file.", _FILE, None)
    name: str = key("What the provider is called on the page.", TEXT.but(expected="a name"), "single sign-on")


@dataclass(frozen=True, kw_only=True)
class WebRules:
    """The site that `evaluate serve` makes."""

    address: str = key(
        "The address by which people reach the site; links in mail begin with it.",
        like(r"https?://[^\s/?#]+", "an address without a path, such as https://challenge.example.org"),
        "",
        default="http:// and where it listens",
    )
    title: str = key("What the site is called.", TEXT.but(expected="a line of text"), "Challenges")
    admins: tuple[str, ...] = key(
        "Who may do everything, and name organisers.",
        ListOf(expected="a list of mail addresses", item=MAIL, empty=True),
        (),
    )
    registration: Registration = key(
        "Whether anyone with an email address can create a team, or only organisers.",
        one_of(Registration),
        Registration.OPEN,
    )
    oidc: OidcRules | None = key("Login by OpenID Connect.", Section(OidcRules), None, optional=True)

    @property
    def is_public(self) -> bool:
        """True if people reach it from other machines."""
        return urlsplit(self.address).hostname not in (None, *LOOPBACK)


class LogFormat(StrEnum):
    """The format of a line of the log."""

    HUMAN = "human"
    JSON = "json"


FENCED = 0.7
"""The part of a lease after which a host that could not renew it ends itself, before others may take over."""
FENCE_MARGIN_SECONDS = 1.0
"""For its end, and for that of its virtual machines."""


def _finished_heartbeat(heartbeat: Heartbeat, complain: Complain) -> Heartbeat:
    # the rest of the lease must hold a heartbeat that came late, and the margin
    least = math.ceil(round(10 * (heartbeat.seconds + FENCE_MARGIN_SECONDS) / (1 - FENCED), 6)) / 10
    if heartbeat.ttl_seconds < least:
        wish = f"at least {least:g}, since a host that is cut off ends itself after {FENCED:g} of it, and has "
        wish += f"seconds ({heartbeat.seconds:g}) and {FENCE_MARGIN_SECONDS:g} more for that"
        complain(("ttl_seconds",), f"expected {wish}, found {heartbeat.ttl_seconds:g}")
    return heartbeat


@dataclass(frozen=True, kw_only=True)
class Heartbeat:
    """Signs of life by which hosts that share a database learn that another has died."""

    seconds: float = key("Time between two signs of life.", POSITIVE_SECONDS, 20.0)
    ttl_seconds: float = key(
        "A host that sends no heartbeat for this long loses its work to the others.", POSITIVE_SECONDS, 90.0
    )


def within_grace(config: Config) -> Config:
    """The same with a lease that expires within `stop_seconds`.

    Raises UsageError if these are too few for any lease.
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
    """Further attempts after an infrastructure fault."""

    attempts: int = key("Number of attempts at a stage before the entry is parked.", COUNT, 3)
    delay_seconds: float = key("Delay before the second attempt; doubles each time.", SECONDS, 30.0)
    stop_after: int = key(
        "Faults in a row after which a host (other entries) or a challenge (other teams) is stopped.", COUNT, 5
    )


_LAYER_LIMITS = Section(
    LayerLimits,
    {
        "packages": Key("Number of packages with all that they depend on.", COUNT),
        "download_bytes": Key("Size of what is downloaded.", GIBIBYTES, name="download_gib"),
        "installed_bytes": Key("Size of what is installed.", GIBIBYTES, name="installed_gib"),
    },
)
_LICENCE_SERVER = Section(
    LicenceServer,
    {
        "host": Key("Its name or address.", like(r"\S+", "a name or address"), required=True),
        "ports": Key(
            "Its ports; a guest finds them on its own loopback under the same numbers.",
            ListOf(expected="a list of TCP ports", item=PORT),
            required=True,
        ),
    },
)


@dataclass(frozen=True, kw_only=True)
class Config:
    """Everything in the file."""

    database: str = key(
        "Where the queue is kept; for many hosts, PostgreSQL.",
        like(
            r"(sqlite:///|postgresql\+psycopg://)(?:.|\n)*",
            "an SQLAlchemy URL such as postgresql+psycopg://user@host/name",
        ),
        "",
        default="a SQLite file in the state directory",
    )
    shared: str = key(
        "Where hosts exchange uploads, layers and images; required with PostgreSQL.",
        like(r"(/|\S+://)(?:.|\n)*", "an absolute path or an fsspec URL"),
        "",
        default="the state directory",
    )
    host: str = key(
        "Name of this host, used to drain it; several daemons on one machine need different names.",
        like(r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}", "a name of letters, digits, dots and hyphens"),
        factory=socket.gethostname,
        default="that of the machine",
    )
    slots: int = key(
        "How many stages, and so virtual machines, run at once on this host; `auto`: as many as its processors and "
        "free memory bear, and fewer while other programs need them.",
        SLOTS,
        1,
    )
    """0: `auto`."""
    shards: int = key("Number of parts that an exam is divided into.", COUNT, 1)
    free_bytes: int = key(
        "No stage is started with less free disk space than this.", GIBIBYTES, 5 * GIB, name="free_gib"
    )
    team_bytes: int | None = key(
        "How much a team may upload at the site in all.", GIBIBYTES, None, name="team_gib", default="any amount"
    )
    stop_seconds: float = key(
        "How long running stages may continue after SIGTERM; later ones are repeated at the next start.", SECONDS, 30.0
    )
    heartbeat: Heartbeat = key(
        "How hosts learn that another has died.", Section(Heartbeat, finish=_finished_heartbeat), Heartbeat()
    )
    retries: Retries = key("What happens after an infrastructure fault.", Section(Retries), Retries())
    dependencies: LayerLimits = key(
        "What an entry's dependencies.txt, and its requirements.txt, may need in all.", _LAYER_LIMITS, LayerLimits()
    )
    log: LogFormat = key("Format of the log.", one_of(LogFormat, "human or json"), LogFormat.HUMAN)
    prometheus: Address | None = key(
        "Where metrics for Prometheus are served.",
        like(r"\S+:\d{1,5}", "an address such as 127.0.0.1:9464").but(read=address),
        None,
    )
    notify: NotifyRules = key("Who is notified of changes.", Section(NotifyRules), NotifyRules())
    web: WebRules = key("The site of `evaluate serve`.", Section(WebRules), WebRules())
    challenges: Mapping[str, Terms] = key(
        "Settings of the organiser for each challenge; a single text is its folder.",
        Named(
            expected="the name of each challenge and what is said about it",
            item=Section(Terms, finish=finished_terms, shorthand="folder"),
        ),
        factory=dict,
    )
    repositories: Mapping[str, HelperAccount] = key(
        "Accounts that read private git repositories of teams.",
        Named(
            expected="the name of each host and the account there",
            item=Section(HelperAccount, finish=finished_account),
            placeholder="HOST",
        ),
        factory=dict,
    )
    unused_days: float | None = key(
        "Images, layers and caches that no entry needs: removable so long after they were made.",
        DAYS,
        None,
        default="never",
    )
    gpus: tuple[str, ...] = key(
        "Devices that guests may be given.",
        ListOf(
            expected="a list of PCI addresses such as 0000:65:00.0",
            item=like(r"[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]", "a PCI address such as 0000:65:00.0"),
            empty=True,
        ),
        (),
    )
    licence_server: LicenceServer | None = key(
        "The only address that guests may reach, for challenges that need it.", _LICENCE_SERVER, None, optional=True
    )

    def terms(self, key: str) -> Terms:
        """The settings for a challenge, by its name in the store: its folder, or its name in the program."""
        return self.challenges.get(self.name_of(key), Terms())

    def name_of(self, key: str) -> str:
        """The name here of a challenge by its name in the store; empty if it has none."""
        return next((name for name, rules in self.challenges.items() if key == str(rules.folder or name)), "")

    def folders(self) -> list[Path]:
        """The folder of each challenge that is named here."""
        folders = [self.locate(name) for name in self.challenges]
        return [folder for folder in folders if folder is not None]

    def locate(self, challenge: str) -> Path | None:
        """The folder of a challenge that is named here, or that comes with the program; None if neither.

        Never one that happens to lie in the current directory: other rules would hold for it there than elsewhere.
        """
        rules = self.challenges.get(challenge)
        return rules.folder if rules is not None and rules.folder else program_challenge(challenge)


CONFIG = Section(Config)
"""The keys of ``evaluate.yaml``."""
