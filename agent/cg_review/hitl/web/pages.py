"""What the templates are given: everything of a document that a page shows, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from cg_review.findings import Round, Severity
from cg_review.hitl.case import Placed
from cg_review.hitl.confirm import PAGE
from cg_review.hitl.desk import OPEN, Desk, View, standing
from cg_review.hitl.reasons import shown
from cg_review.hitl.web.render import changes, rendered
from cg_review.points import load_points

HERE = Path(__file__).parent
_FIELDS = ("response", "evidence", "choice", "replacement", "notes")


@dataclass(frozen=True)
class Item:
    """A claim as the side list and its card show it."""

    id: str
    text: str
    source: str
    round: str
    why: str
    points: tuple[int, ...]
    severity: str
    where: str
    before: str
    sentence: str
    after: str
    state: str
    standing: str
    is_open: bool
    is_sign_off: bool


@dataclass(frozen=True)
class Filters:
    """Which claims are listed: of one point (0: all), of one severity ("": all)."""

    point: int = 0
    severity: str = ""

    def fits(self, item: Item) -> bool:
        """Whether a claim is listed."""
        by_point = not self.point or self.point in item.points
        return by_point and (not self.severity or item.severity == self.severity)


@lru_cache(maxsize=1)
def templates() -> Environment:
    """The templates; everything they are given is escaped."""
    return Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def items_of(view: View) -> list[Item]:
    """The claims of a document, Round A first."""
    severities = {point.id: point.severity for point in load_points()}
    claims = sorted(view.case.claims, key=lambda placed: placed.claim.round is not Round.A)
    return [_item(view, placed, severities) for placed in claims]


def _item(view: View, placed: Placed, severities: Mapping[int, Severity]) -> Item:
    claim, context = placed.claim, shown(view.case, placed)
    worst = min((severities[p] for p in context.points), key=lambda one: one.rank, default=None)
    state = view.state(claim)
    line = f"line {context.line}" if context.line else "the whole document"
    return Item(
        id=claim.id,
        text=claim.text,
        source=claim.source,
        round=str(claim.round),
        why=context.why,
        points=context.points,
        severity=str(worst or ""),
        where=" › ".join(part for part in (context.section, line) if part),
        before=context.before,
        sentence=context.sentence,
        after=context.after,
        state=state,
        standing=standing(view, claim),
        is_open=state == OPEN,
        is_sign_off=placed.is_sign_off,
    )


def documents_page(root: str, desks: list[Desk], by: str) -> str:
    """The list of documents."""
    rows = []
    for number, desk in enumerate(desks):
        view = desk.view()
        rows.append({"number": number, "name": desk.name, "path": str(desk.path), **_progress(view)})
    return templates().get_template("documents.html").render(root=root, rows=rows, by=by)


def document_page(
    root: str,
    number: int,
    desk: Desk,
    by: str,
    chosen: str = "",
    filters: Filters = Filters(),
    problem: str = "",
    entered: Mapping[str, str] | None = None,
    tab: str = "text",
    saved: str = "",
) -> str:
    """One document, with the claim `chosen` (else the first open one) in hand. `entered` is kept after a problem."""
    view = desk.settle()
    items = items_of(view)
    listed = [item for item in items if filters.fits(item)]
    in_hand, quick = _in_hand(items, listed, chosen)
    query = f"?point={filters.point}&severity={filters.severity}&tab={tab}&claim="
    classes = {item.id: _class(item, in_hand) for item in items}
    body: Markup = changes(view.case) if tab == "changes" else rendered(view.case, classes, query)
    shown = {
        "root": root,
        "number": number,
        "name": desk.name,
        "by": by,
        "items": listed,
        "item": in_hand,
        "quick": quick,
        "filters": filters,
        "points": load_points(),
        "severities": [str(one) for one in Severity],
        "query": query,
        "tab": tab,
        "body": body,
        "problem": problem,
        "entered": {**dict.fromkeys(_FIELDS, ""), **(entered or {})},
        "saved": saved,
        "is_last": len(view.open) == 1 and in_hand is not None and in_hand.is_open,
    }
    return (
        templates()
        .get_template("document.html")
        .render(shown, **_neighbours(listed, in_hand), **_progress(view))
    )


def _in_hand(items: list[Item], listed: list[Item], chosen: str) -> tuple[Item | None, list[Item]]:
    """The claim whose card is shown (the chosen one, else the first open one), or a page of Round A to go through at once."""
    asked = next((item for item in items if item.id == chosen), None)
    if asked is not None:
        return asked, []
    open_items = [item for item in listed if item.is_open]
    quick = [item for item in open_items if item.round == "A"][:PAGE]
    return (None if quick else next(iter(open_items), None)), quick


def _neighbours(listed: list[Item], in_hand: Item | None) -> dict[str, str | None]:
    """The ids of the claims before and behind the one in hand, as they are listed."""
    order = [item.id for item in listed]
    if in_hand is None or in_hand.id not in order:
        return {"previous": None, "following": None}
    at = order.index(in_hand.id)
    return {
        "previous": order[at - 1] if at > 0 else None,
        "following": order[at + 1] if at + 1 < len(order) else None,
    }


def _class(item: Item, in_hand: Item | None) -> str:
    kind = item.severity.lower() if item.is_open and item.severity else "open" if item.is_open else "answered"
    return f"{kind} in-hand" if in_hand and in_hand.id == item.id else kind


def _progress(view: View) -> dict[str, Any]:
    prior = view.case.origin.prior
    clarity = prior.frontmatter.text("clarity-status") if prior else ""
    total = len(view.case.claims)
    return {
        "status": f"{clarity} | {prior.hitl_status if prior else ''}",
        "total": total,
        "done": total - len(view.open),
        "held": len(view.held),
    }
