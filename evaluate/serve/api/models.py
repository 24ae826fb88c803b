"""Requests and responses of the API, as OpenAPI describes them.  Times are seconds since 1970 (UTC)."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Generic, TypeVar

from pydantic import AliasPath, BaseModel, BeforeValidator, ConfigDict, Field

from evaluate.report.audience import to_the_minute
from evaluate.serve.site import team_id
from evaluate.store.people.logins import MOST_TOKEN_DAYS, Rank, Scope
from evaluate.views.board import BoardRow

EntryId = Annotated[str, Field(description="Id of the entry.")]
ChallengeName = Annotated[str, Field(description="Name of the challenge.")]
TeamName = Annotated[str, Field(description="Name of the team.")]
GivenChallenge = Annotated[str, Field(max_length=150, description="Name of the challenge.")]
NextNumber = Annotated[int | None, Field(description="Value of `before` for the next page; null at the end.")]
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


class Board(Model):
    """A leaderboard."""

    challenge: ChallengeName
    withheld: bool
    """True if the organiser has not released the leaderboard; `places` is then empty."""
    places: list[BoardRow]
    """Rows of all phases, in order of rank."""


class Stage(Model):
    """Outcome of a stage; of a hidden exam without its records."""

    stage: str
    """Name of the stage: `prep`, `train` (only where entries are trained), `quiz`, `exam` or `score`."""
    verdict: str
    """Verdict of the stage, such as `OK` or `WALL_LIMIT`."""
    message: str
    """Message about the outcome."""


class Entry(Model):
    """An entry."""

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
    attempt: int
    """Number of the attempt at the entry, from 1."""
    submitted: float
    """Time of submission."""
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
    scopes: list[Scope] = Field(min_length=1, max_length=2)
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
