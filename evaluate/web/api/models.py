"""What the API takes and gives, as OpenAPI describes it.  Times are seconds since 1970."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from evaluate.queue.people.logins import MOST_TOKEN_DAYS, Rank, Scope


class Model(BaseModel):
    """Nothing but what is named here."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class Problem(Model):
    """Why a request was not served (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    """In the words of the command line."""


class Phase(Model):
    """A part of a challenge with its own board and quota."""

    name: str
    begins: float | None
    """None: always."""
    ends: float | None
    """None: never."""
    attempts: int
    """0: any number."""


class Challenge(Model):
    """One challenge."""

    name: str
    title: str
    kinds: list[str]
    archive_bytes: int
    required_files: list[str]
    phase: str | None
    """The one that is open now; None: there is none, or no phases at all."""
    open: bool
    """Whether entries are taken."""
    phases: list[Phase]
    attempts: int
    """Where there are no phases; 0: any number."""
    released: bool
    """Whether scores are shown."""
    seal: str
    """When it was sealed, and what has changed since; empty if it was not."""


class Challenges(Model):
    """All challenges."""

    items: list[Challenge]


class Place(Model):
    """One line of a board."""

    phase: str
    rank: int | None
    """None: its entry was judged by other data than those with a rank, and is not compared with them."""
    team: str
    score: float | None
    low: float | None
    high: float | None
    tied: str
    instructions: int
    wall_seconds: float
    attempts: int
    entry: str
    data: str = ""
    """Which data it was judged by; empty if all entries of the phase were judged by the same."""


class Board(Model):
    """A board."""

    challenge: str
    withheld: bool
    """Whether the organiser has not released it; then there are no places."""
    places: list[Place]


class Stage(Model):
    """How a stage ended; of a hidden exam without its records."""

    stage: str
    verdict: str
    message: str


class Entry(Model):
    """One entry."""

    id: str
    challenge: str
    team: str
    name: str
    sha256: str
    bytes: int
    commit: str
    state: str
    verdict: str
    """Empty until it has ended."""
    attempt: int
    submitted: float
    """Seconds since 1970."""
    changed: float
    """The same, to the minute: how long a hidden exam took says something of its records."""


class EntryNow(Entry):
    """One entry with what is known of it now."""

    sentence: str
    """What it waits for, what comes next and when."""
    place: int | None
    """Which turn it has, from 1; None unless it waits for its turn."""
    stages: list[Stage]
    phase: str
    """That it belongs to; empty if the challenge has none."""
    attempts: int
    """How many its team has in that phase; 0: any number."""
    attempts_left: int | None
    """None: any number."""


class Entries(Model):
    """Part of a list of entries."""

    items: list[Entry]
    next: int | None
    """``before`` of the next part; None at the end."""


class Submit(Model):
    """A git repository to enter."""

    challenge: str = Field(max_length=150)
    address: str = Field(max_length=2000)
    """https://example.org/team/entry.git"""
    team: str = Field(default="", max_length=100)
    """Where one is in several."""


class Submitted(Model):
    """What became of a submission."""

    id: str
    new: bool
    """False: the team submitted the same archive before, and that is the entry."""
    team: str
    state: str
    phase: str
    attempts_left: int | None
    """None: any number."""
    place: int | None


class Upload(Model):
    """An upload by tus."""

    id: str
    challenge: str
    team: str
    name: str
    bytes: int
    received: int
    entry: str
    """The entry that it became; empty before."""
    error: str
    """Why it became none; empty otherwise."""
    created: float
    """When it began; an entry that was submitted before that is the same archive."""
    arrived: float | None
    """When all of it had arrived: phase and attempts are those of that time. Null before."""
    delayed: str
    """Why it is not an entry yet although the upload is complete; empty if nothing prevents it."""


class Member(Model):
    """A member of a team."""

    address: str
    name: str
    role: str
    mail: bool


class Team(Model):
    """A team."""

    id: str
    name: str
    aliases: list[str]
    members: list[Member]


class Teams(Model):
    """All teams."""

    items: list[Team]


class NewTeam(Model):
    """A team to make."""

    name: str = Field(min_length=1, max_length=100)


class Invitation(Model):
    """A link by which others join."""

    token: str
    address: str
    expires: float


class Join(Model):
    """The token of an invitation."""

    token: str = Field(max_length=200)


class ChangeMember(Model):
    """What a member becomes: owner, member, mail, no mail, or remove."""

    address: str = Field(max_length=320)
    what: str = Field(max_length=20)


class Merge(Model):
    """The other team."""

    other: str = Field(max_length=100)


class Me(Model):
    """Who asks."""

    address: str
    rank: Rank
    teams: list[Team]
    scopes: list[Scope] | None
    """Of the token; None with a session."""


class NewToken(Model):
    """A token to make."""

    name: str = Field(min_length=1, max_length=100)
    scopes: list[Scope] = Field(min_length=1, max_length=3)
    days: float = Field(default=90.0, gt=0, le=MOST_TOKEN_DAYS)


class Token(Model):
    """A token."""

    id: str
    name: str
    scopes: list[Scope]
    created: float
    expires: float


class MadeToken(Token):
    """A new token with its secret, which nobody can see again."""

    secret: str


class Tokens(Model):
    """One's tokens."""

    items: list[Token]


class Announcement(Model):
    """What organisers announced."""

    id: str
    at: float
    challenge: str
    text: str


class News(Model):
    """All announcements, the newest first."""

    items: list[Announcement]


class Announce(Model):
    """Something to announce; Markdown."""

    text: str = Field(min_length=1, max_length=5000)
    challenge: str = Field(default="", max_length=150)


class Switch(Model):
    """On or off."""

    on: bool = True


class Host(Model):
    """A process that evaluates."""

    name: str
    slots: int
    running: int
    version: str
    left_seconds: float
    draining: bool


class Queue(Model):
    """How many entries are where, and on what hosts."""

    counts: dict[str, int]
    hosts: list[Host]
    running: list[dict[str, Any]]
    parked: list[dict[str, Any]]


class Evidence(Model):
    """What is known of an entry, for organisers."""

    entry: Entry
    sentence: str
    faults: list[dict[str, Any]]


class Retry(Model):
    """Which parked entries."""

    challenge: str = Field(default="", max_length=150)
    team: str = Field(default="", max_length=100)


class Retried(Model):
    """Entries that are back in the queue."""

    entries: list[str]


class StartRejudging(Model):
    """What to rejudge."""

    challenge: str = Field(max_length=150)
    first: str = Field(default="score", pattern="^(prep|quiz|exam|score)$")


class Rejudging(Model):
    """A set of attempts beside those that count."""

    id: str
    challenge: str
    first: str
    entries: int
    ended: int
    excluded: int
    state: str


class Rejudgings(Model):
    """All of them, the oldest first."""

    items: list[Rejudging]


class Changes(Rejudging):
    """What a rejudging changes."""

    changes: list[dict[str, Any]]


class Withdraw(Model):
    """Whether to withdraw or reinstate, and why."""

    reason: str = Field(default="", max_length=1000)
    """What the team reads."""
    disqualify: bool = False
    """Whether the organiser decided it."""
    undo: bool = False
    """Whether it counts again."""


class WithdrawTeam(Withdraw):
    """The same for all entries of a team."""

    team: str = Field(max_length=100)


class Withdrawn(Model):
    """The entries that this changed."""

    entries: list[str]


class Exclude(Model):
    """An entry that keeps its result."""

    entry: str = Field(max_length=40)
    reason: str = Field(min_length=1, max_length=1000)


class Counted(Model):
    """How many entries."""

    entries: int


class MergeTeams(Model):
    """Two teams, of which the second becomes a part of the first."""

    team: str = Field(max_length=100)
    other: str = Field(max_length=100)


class Line(Model):
    """A line of the journal."""

    number: int
    at: float
    entry: str
    event: str
    data: dict[str, Any]


class Journal(Model):
    """Part of the journal, the newest line first."""

    items: list[Line]
    next: int | None


class Merges(Model):
    """Merges that teams asked for."""

    items: list[MergeTeams]


class RefuseMerge(Model):
    """Whose wish to forget."""

    team: str = Field(max_length=100)


class TeamAttempts(Model):
    """A team's attempts in a phase."""

    team: str
    phase: str
    """Empty if there are none, or none is open."""
    attempts: int
    """How many it has; 0: any number."""
    used: int
    waiting: int
    """Of entries that are in progress."""


class Quota(Model):
    """What teams used of their attempts."""

    items: list[TeamAttempts]
    next: str | None
    """The name after which the next part begins; null: there is none."""


class Logged(Model):
    """A receipt in the log."""

    number: int
    kind: str
    """``evaluation``, ``seal`` or ``event``."""
    name: str
    entry: str
    verdict: str
    sha256: str


class Log(Model):
    """Part of the log of receipts, the newest first."""

    checkpoint: str | None
    """The signed head; None: nothing was ever logged."""
    key: str
    """Id of the key that signed it."""
    items: list[Logged]
    next: int | None


class Person(Model):
    """Somebody with a role."""

    address: str = Field(max_length=320)
    rank: Rank


class People(Model):
    """Everybody with a role that an admin gave."""

    items: list[Person]
