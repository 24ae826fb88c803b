"""A team's entries: the list, one entry, its report."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, JSONResponse, Response

from evaluate.operate.signing import receipt_of
from evaluate.receipts.verify import receipt_line
from evaluate.report.html import Beside, to_html
from evaluate.report.json import to_json
from evaluate.report.words import MEANING, advice, beside_refusals, how_it_ran, usage_line
from evaluate.serve import entry_views
from evaluate.serve.authorization import Team, User
from evaluate.serve.entry_views import Before
from evaluate.serve.errors import Refused
from evaluate.serve.pages.rendering import page
from evaluate.store.db.rows import State
from evaluate.store.people.uploads import uploads_of
from evaluate.views.feedback import attempt_rules
from evaluate.views.why import why_for_team

router = APIRouter(include_in_schema=False)
_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)


@router.get("/entries")
def entries(visit: User, before: Before = None) -> Response:
    """The entries of the user's teams, newest first."""
    part = entry_views.entries_of(visit.site, visit.who.teams, before=before)
    unfinished = uploads_of(visit.site.store.database, visit.who.teams)
    scores = entry_views.scores_of(visit.site, part.items)
    return page(
        visit,
        "entries.html",
        part=part,
        uploads=unfinished,
        scores=scores,
        ranks=entry_views.ranks_of(visit, part.items),
        name=lambda challenge: Path(challenge).name,
    )


@router.get("/entries/{entry}")
def entry_page(visit: Team, entry: str) -> Response:
    """The state of an entry, its next step, and the outcomes of its stages."""
    shown = visit.entry
    view = entry_views.view_of(visit.site, shown)
    by_stage = {stage.stage.value: stage for stage in view.evaluation.stages} if view else {}
    ended = shown.state is State.DONE
    return page(
        visit,
        "entry.html",
        entry=shown,
        by_stage=by_stage,
        order=entry_views.order_of(visit.site, shown, by_stage),
        what_to_do=advice(view.evaluation) if view and ended and not view.evaluation.passed else "",
        receipt=ended and receipt_of(visit.site.shared, visit.site.depot, shown) is not None,
        rank=entry_views.ranks_of(visit, [shown]).get(shown.id) if ended else None,
        slug=visit.site.slug_of(shown.challenge),
        sentence=why_for_team(shown, visit.site.store),
        view=view,
        meaning=MEANING,
        beside_refusals=beside_refusals,
        usage_line=lambda stage: usage_line(stage, view.limits if view else {}),
        how=how_it_ran(view.evaluation) if view else "",
    )


@router.get("/entries/{entry}/report")
def report(visit: Team, entry: str, organiser: bool = False) -> Response:
    """The report as one page, the same as `evaluate report --html` writes."""
    if organiser and not visit.organiser:
        raise Refused(403, "only organisers can do this")
    view = entry_views.report_of(visit, organiser=organiser)
    receipt = receipt_of(visit.site.shared, visit.site.depot, visit.entry)
    rules = attempt_rules(visit.site.store, visit.entry)
    back = f"/organise/entries/{entry}" if organiser else f"/entries/{entry}"
    line = receipt_line(receipt) if receipt is not None else None
    beside = Beside(sample_score=rules.sample_score, receipt=line, back=back, stages=rules.stages)
    text = to_html(view, beside)
    return HTMLResponse(text, headers={"Content-Security-Policy": policy_for(text), "Cache-Control": "no-store"})


def policy_for(text: str) -> str:
    """A policy for a page that holds its own style: by the digest of that style, and nothing else."""
    digests = [hashlib.sha256(style.encode()).digest() for style in _STYLE.findall(text)]
    sources = " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests) or "'none'"
    return f"default-src 'none'; style-src {sources}; img-src data:; base-uri 'none'; frame-ancestors 'none'"


@router.get("/entries/{entry}/receipt")
def receipt_file(visit: Team, entry: str) -> Response:
    """The signed receipt, without openings."""
    file = entry_views.receipt_file(visit)
    name = f'attachment; filename="{visit.entry.id}-{file.name}"'
    return Response(file.read_bytes(), media_type="application/json", headers={"Content-Disposition": name})


@router.get("/entries/{entry}/report.json")
def report_json(visit: Team, entry: str) -> Response:
    """The report for programs, the same as `evaluate report --json` prints."""
    name = f'attachment; filename="{visit.entry.id}.json"'
    return JSONResponse(
        to_json(entry_views.report_of(visit)), headers={"Content-Disposition": name, "Cache-Control": "no-store"}
    )
