"""Requests and responses of the API, as OpenAPI describes them.  Times are seconds since 1970 (UTC)."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Generic, TypeVar

from pydantic import AliasPath, BaseModel, BeforeValidator, ConfigDict, Field

from evaluate.report.audience import to_the_minute
from evaluate.serve.receipts import Logged
from evaluate.serve.site import team_id
from evaluate.store.people.logins import MOST_TOKEN_DAYS, Rank, Scope
from evaluate.views.board import BoardRow

EntryId = Annotated[str, Field(description="Id of the entry.")]
ChallengeName = Annotated[str, Field(description="Name of the challenge.")]
TeamName = Annotated[str, Field(description="Name of the team.")]
GivenChallenge = Annotated[str, Field(max_length=150, description="Name of the challenge.")]
GivenTeam = Annotated[str, Field(max_length=100, description="Name of the team.")]
AttemptNumber = Annotated[int, Field(description="Number of the attempt at the entry, from 1.")]
NextNumber = Annotated[int | None, Field(description="Value of `before` for the next page; null at the end.")]


def _seconds(moment: object) -> object:
    """A moment as a form of a browser sends it, in UTC, as seconds since 1970; anything else as it is."""
    if isinstance(moment, str) and "T" in moment:
        return datetime.fromisoformat(moment).replace(tzinfo=UTC).timestamp()
    return moment


Moment = Annotated[float, BeforeValidator(_seconds)]
Bound = Annotated[float | None, BeforeValidator(lambda at: at if at is not None and math.isfinite(at) else None)]
"""End of a span; null where it has none."""
Item = TypeVar("Item")


class Model(BaseModel):
    """Accepts and returns the named properties only; an answer may be given as a value of the queue that has them."""

    model_config = ConfigDict(
        extra="forbid",
        allow_inf_nan=False,
        use_attribute_docstrings=True,
        from_attributes=True,
        validate_by_name=True,
        validate_by_alias=True,
    )


class Items(Model, Generic[Item]):
    """A list."""

    items: list[Item]
    """Its items."""


class Page(Items[Item]):
    """A page of a list, the newest first."""

    next: NextNumber


class Problem(Model):
    """Problem of a request that was not served (RFC 9457)."""

    type: str
    """Always `about:blank`."""
    title: str
    """Name of the HTTP status."""
    status: int
    """HTTP status code."""
    detail: str
    """Description, in the words of the command line."""


class Phase(Model):
    """A part of a challenge with its own board and quota."""

    name: str
    """Name of the phase."""
    begins: Bound
    """Start; null: no start."""
    ends: Bound
    """End; null: no end."""
    attempts: int
    """Attempts per team; 0: unlimited."""
    exam: str
    """Name of the exam that scores its entries."""


class AttemptLimit(Model):
    """A limit of a team's attempts, and its use."""

    name: str
    """Span of the limit: `phase`, `day` (UTC), `week` (UTC, from Monday)."""
    attempts: int = Field(validation_alias="most")
    """Attempts of the team."""
    used: int
    """Attempts used."""
    waiting: int
    """Attempts of entries in progress."""
    left: int
    """Attempts left."""
    ends: Bound
    """End of the span, in seconds since 1970; null: none."""


class Challenge(Model):
    """A challenge."""

    name: str
    """Name in addresses and on the command line."""
    title: str
    """Title for people."""
    kinds: list[str]
    """Kinds of entry that it accepts: `scripts`, `python`, `image`, `answers`."""
    archive_bytes: int
    """Largest upload."""
    required_files: list[str]
    """Files that an entry must contain."""
    phase: str | None
    """Phase that is open now; null: none."""
    open: bool
    """True if entries are accepted."""
    phases: list[Phase]
    """Phases in order of time."""
    attempts: int
    """Attempts per team where there are no phases; 0: unlimited."""
    released: bool
    """True if scores are released."""
    seal: str
    """Date of its seal, and the changes since; empty if it was not sealed."""


class BoardGroup(Model):
    """The score of one subgroup of the records."""

    column: str
    """Column that the records are grouped by, such as `sex`."""
    group: str
    """Name of the group."""
    score: float | None
    """Primary score of its records; null where it is not defined."""
    worst: bool
    """True if no group of the column has a lower score."""


class Board(Model):
    """A leaderboard."""

    challenge: ChallengeName
    withheld: bool
    """True if the organiser has not released the leaderboard; `places` is then empty."""
    places: list[BoardRow]
    """Rows of all phases, in order of rank."""
    groups: dict[str, list[BoardGroup]]
    """Scores of subgroups by entry; empty if the metric has none, and of a hidden exam."""


class Stage(Model):
    """Outcome of a stage; of a hidden exam without its records."""

    stage: str
    """Name of the stage: `prep`, `train` (only where entries are trained), `quiz`, `exam` or `score`."""
    verdict: str
    """Verdict of the stage, such as `OK` or `WALL_LIMIT`."""
    message: str
    """Message about the outcome."""


class _AnyEntry(Model):
    id: EntryId
    challenge: Annotated[ChallengeName, BeforeValidator(lambda store_name: Path(store_name).name)]
    team: TeamName
    name: str
    """File name or address that was submitted."""
    sha256: str
    """Digest of the archive."""
    bytes: int
    """Size of the archive."""
    commit: str
    """Git commit; empty for an archive."""
    attempt: AttemptNumber
    submitted: float
    """Time of submission."""


class Entry(_AnyEntry):
    """An entry."""

    state: str
    """State: `queued`, a stage, `parked`, `done`, `cancelled` or `withdrawn`."""
    verdict: str = Field(validation_alias=AliasPath("reason", "verdict"))
    """Verdict; empty until the entry has ended."""
    changed: Annotated[float, BeforeValidator(to_the_minute)]
    """Time of the last change of its state, to the minute: exact run times of a hidden exam would reveal something."""


class _Turn(Model):
    place: int | None
    """Position in the queue, from 1; null if it is not queued."""
    phase: str
    """Phase that it belongs to; empty if the challenge has none."""
    attempts_left: int | None
    """Attempts left now, by the narrowest limit; null: unlimited."""
    limits: list[AttemptLimit]
    """Use of each limit by its team."""


class EntryNow(_Turn, Entry):
    """An entry with its current state."""

    sentence: str
    """Cause of waiting, and the next step."""
    stages: list[Stage]
    """Finished stages."""
    attempts: int
    """Attempts of its team in that phase; 0: unlimited."""


class Submit(Model):
    """A git repository to submit."""

    challenge: GivenChallenge
    address: str = Field(max_length=2000)
    """Address of the repository, such as https://example.org/team/entry.git."""
    team: str = Field(default="", max_length=100)
    """Team to submit for, if you are in several."""


class Submitted(_Turn):
    """Result of a submission."""

    id: EntryId
    new: bool
    """False if the team submitted the same archive before; it is that entry."""
    team: TeamName
    state: str
    """State of the entry."""


class Refusal(Model):
    """Something that a team must change."""

    file: str
    """Path in the entry."""
    line: int | None
    """Number of the line, from 1; null: the whole file."""
    kind: str
    """Kind of the mistake: one of a fixed list of words."""
    found: str
    """Text that was found."""
    expected: str
    """Text that was expected, or the rule."""
    way_out: str
    """Nearest change that would do; may be empty."""
    exit_code: int | None
    """Exit code of an instruction that failed in a build; null: no build."""
    printed: list[str]
    """Last lines that the instruction printed."""


class Upload(Model):
    """An upload by tus."""

    id: str
    """Id of the upload."""
    challenge: ChallengeName
    team: TeamName
    name: str
    """Name of the file."""
    bytes: int
    """Size of the file."""
    received: int
    """Bytes received so far."""
    entry: str
    """Id of the entry that it became; empty before."""
    error: str
    """Reason of its rejection; empty: not rejected."""
    refusals: list[Refusal]
    """Lines of the reason that name something to change, with their parts."""
    created: float
    """Time of its beginning; an entry submitted before is the same archive."""
    arrived: float | None
    """Time of its completion, which decides phase and attempts; null before."""
    delayed: str
    """Reason of a delay after its completion; empty: no delay."""


class Member(Model):
    """A member of a team."""

    address: str
    """Email address."""
    name: str
    """Name; may be empty."""
    role: str
    """`owner` or `member`."""
    mail: bool
    """True if results are emailed."""


class Team(Model):
    """A team."""

    id: Annotated[str, BeforeValidator(team_id)] = Field(validation_alias="name")
    """Id of the team in addresses."""
    name: TeamName
    aliases: list[str]
    """Other names of the team."""
    members: list[Member]
    """Its members."""


class NewTeam(Model):
    """A team to create."""

    name: str = Field(min_length=1, max_length=100)
    """Name of the new team."""


class Invitation(Model):
    """A link by which others join a team."""

    token: str
    """Token for `/teams/join`."""
    address: str
    """Link for a browser."""
    expires: float
    """Time of expiry."""


class Join(Model):
    """The token of an invitation."""

    token: str = Field(max_length=200)
    """Token of an invitation."""


class ChangeMember(Model):
    """A change of a member."""

    address: str = Field(max_length=320)
    """Email address of the member."""
    what: str = Field(max_length=20)
    """New role or setting: `owner`, `member`, `mail`, `no mail` or `remove`."""


class Me(Model):
    """The logged-in user."""

    address: str
    """Your email address."""
    rank: Rank
    """Your role on the site."""
    teams: list[Team]
    """Your teams."""
    scopes: list[Scope] | None
    """Scopes of the token; null with a browser session."""


class NewToken(Model):
    """A token to create."""

    name: str = Field(min_length=1, max_length=100)
    """Name that you recognise the token by."""
    scopes: list[Scope] = Field(min_length=1, max_length=3)
    """Scopes of the token."""
    days: float = Field(default=90.0, gt=0, le=MOST_TOKEN_DAYS)
    """Days until it expires."""


class Token(Model):
    """A token."""

    id: str
    """Id of the token."""
    name: str
    """Name of the token."""
    scopes: list[Scope]
    """Scopes of the token."""
    created: float
    """Time of creation."""
    expires: float
    """Time of expiry."""


class MadeToken(Token):
    """A new token with its secret, which is shown once."""

    secret: str
    """The token itself; it is not shown again."""


class Announcement(Model):
    """An announcement of the organisers."""

    id: str
    """Id of the announcement."""
    at: float
    """Time of publication."""
    challenge: str
    """Name of the challenge; empty for all."""
    text: str
    """Text in Markdown."""


class Announce(Model):
    """A new announcement."""

    text: str = Field(min_length=1, max_length=5000)
    """Text in Markdown."""
    challenge: str = Field(default="", max_length=150)
    """Name of the challenge; empty for all."""


class Switch(Model):
    """On or off."""

    on: bool = True
    """True to switch on, false to switch off."""


class Host(Model):
    """A host with a daemon."""

    name: str
    """Name of the host."""
    slots: int
    """Virtual machines that it may run at once."""
    running: int
    """Stages that run now."""
    version: str
    """Version of the program."""
    left_seconds: float
    """Seconds until its lease expires; 0 or less: it does not respond."""
    draining: bool
    """True if it accepts no new work."""


class Running(Model):
    """A stage, or a part of an exam, that runs on a host."""

    entry: EntryId
    attempt: AttemptNumber
    task: str
    """Name of the task: `prep`, or `exam-2` for the third part of an exam."""
    number: int
    """Number of earlier tries."""
    stage: str
    """Stage that the task belongs to."""
    executor: str
    """Process that runs it: host name and a unique suffix."""
    since: float
    """Time of its start."""
    deadline: float | None
    """Latest end by all limits."""
    gpus: list[str]
    """PCI addresses of the GPUs that it uses."""


class Parked(_AnyEntry):
    """An entry that waits for the organiser."""

    number: int
    """Number of the entry in the queue, from 1."""
    state: str
    """State of the entry: `parked`."""
    reason: dict[str, Any]
    """Reason of parking, as fields."""
    detail: str
    """Reason of parking, in words."""
    charged: bool
    """True if it counts as one of the team's attempts."""
    changed: float
    """Time of the last change of its state."""
    references: str
    """References that it is scored against, if not the challenge's own."""
    plan: str
    """Settings that the attempt was started with, as JSON."""


class Failure(Model):
    """An infrastructure fault of an entry."""

    model_config = ConfigDict(extra="allow")

    entry: EntryId
    attempt: AttemptNumber
    task: str
    """Name of the task that failed."""
    at: float
    """Time of the failure."""
    executor: str
    """Process that ran it: host name and a unique suffix."""
    error: str
    """Class of the error."""
    message: str
    """Message of the error."""
    console: list[str] = []
    """Last lines of the virtual machine's console."""
    causes: str
    """Traceback of the error and its causes."""


class Queue(Model):
    """The queue: entries by state, hosts, running stages, parked entries."""

    counts: dict[str, int]
    """Number of entries by state."""
    hosts: list[Host]
    """Hosts with a daemon."""
    running: list[Running]
    """Stages that run now."""
    parked: list[Parked]
    """Entries that wait for the organiser."""


class Evidence(Model):
    """State and faults of an entry, for organisers."""

    entry: Entry
    """The entry."""
    sentence: str
    """Cause of waiting, and the next step."""
    faults: list[Failure]
    """Its infrastructure faults, oldest first."""


class Retry(Model):
    """Parked entries to requeue."""

    challenge: str = Field(default="", max_length=150)
    """Only entries to this challenge; empty: all."""
    team: str = Field(default="", max_length=100)
    """Only entries of this team; empty: all."""


class StartRejudging(Model):
    """A rejudging to start."""

    challenge: GivenChallenge
    first: str = Field(default="score", pattern="^(prep|train|quiz|exam|score)$")
    """First stage to rerun."""


class Rejudging(Model):
    """A set of new attempts, beside those that count."""

    id: str
    """Id of the rejudging."""
    challenge: ChallengeName
    first: str
    """First stage that is rerun."""
    entries: int
    """Number of entries."""
    ended: int
    """Number of entries that are rejudged."""
    excluded: int
    """Number of entries that keep their result."""
    state: str
    """State: `running`, `ready`, `stuck`, `applied` or `discarded`."""


class Change(Model):
    """Change that a rejudging makes for an entry."""

    entry: EntryId
    team: TeamName
    state: str
    """State of the new attempt; new values are valid once it is `done`."""
    reason: str
    """Reason of parking or exclusion; empty otherwise."""
    verdict: str
    """Verdict that counts now."""
    new_verdict: str
    """Verdict of the new attempt."""
    score: float | None
    """Score that counts now."""
    new_score: float | None
    """Score of the new attempt."""
    rank: int | None
    """Rank of the team now; null if it has none."""
    new_rank: int | None
    """Rank of the team once the rejudging is applied; null if it has none."""
    differs: bool
    """True if verdict, score or rank differ."""


class Changes(Rejudging):
    """A rejudging with its changes."""

    changes: list[Change]
    """Changes, entry by entry."""


class Withdraw(Model):
    """The wanted state, and its reason."""

    reason: str = Field(default="", max_length=1000)
    """Reason, shown to the team."""
    disqualify: bool = False
    """True if the organiser disqualifies it."""
    undo: bool = False
    """True to reinstate it."""


class WithdrawTeam(Withdraw):
    """The wanted state of all entries of a team, and its reason."""

    team: GivenTeam


class Changed(Model):
    """Entries that were changed."""

    entries: list[str]
    """Ids of the entries that changed."""


class MarkTeam(Switch):
    """Mark of a team as a baseline."""

    team: GivenTeam


class Claim(Model):
    """A private repository that a team was the first to submit."""

    repository: str
    """Its host and path."""
    team: str
    """Name of the team."""
    since: float
    """Time of its first submission, in seconds since 1970."""


class ReleaseRepository(Model):
    """A private repository whose claim is to end."""

    repository: str = Field(max_length=2000)
    """Its host and path."""


class EndDeadline(Model):
    """A later deadline of a team."""

    team: GivenTeam
    phase: str = Field(max_length=100)
    """Phase that it is for."""


class Deadline(EndDeadline):
    """A later deadline of a team, for a phase that is over for the others."""

    until: Moment
    """End of the extension, in seconds since 1970; after the end of the phase."""
    reason: str = Field(max_length=1000)
    """Reason, for the journal."""


class Exclude(Model):
    """An entry that keeps its result."""

    entry: str = Field(max_length=40)
    """Id of the entry."""
    reason: str = Field(min_length=1, max_length=1000)
    """Reason for keeping its result."""


class Counted(Model):
    """Number of entries."""

    entries: int
    """Number of entries that changed."""


class Line(Model):
    """A line of the journal."""

    number: int
    """Line number, from 1."""
    at: float
    """Time of writing."""
    entry: str
    """Id of the entry; empty if it concerns none."""
    event: str
    """Kind of event."""
    data: dict[str, Any]
    """Fields of the event."""


class TeamAttempts(Model):
    """A team's attempts in a phase."""

    team: TeamName
    phase: str
    """Name of the phase; empty if there are none, or none is open."""
    attempts: int = Field(validation_alias=AliasPath("in_phase", "most"))
    """Attempts of the team; 0: unlimited."""
    used: int = Field(validation_alias=AliasPath("in_phase", "used"))
    """Attempts used."""
    waiting: int = Field(validation_alias=AliasPath("in_phase", "waiting"))
    """Attempts of entries in progress."""
    limits: list[AttemptLimit]
    """Use of each limit by the team, the phase's among them."""


class Quota(Model):
    """Use of attempts by teams."""

    items: list[TeamAttempts]
    """The teams, by name."""
    next: str | None
    """Value of `after` for the next page; null at the end."""


class Log(Model):
    """A page of the log of receipts."""

    checkpoint: str | None
    """Signed head of the log; null while the log is empty."""
    key: str
    """Id of the key that signed it."""
    items: list[Logged]
    """The receipts, newest first."""
    next: NextNumber


class Person(Model):
    """A person with a role."""

    address: str = Field(max_length=320)
    """Email address."""
    rank: Rank
    """Role on the site."""
