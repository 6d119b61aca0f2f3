"""ST: the parts of the file and its required fields."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cg_review.cgd.computed import VERSION
from cg_review.cgd.nodes import Mapping, Scalar
from cg_review.validator.checks import check, is_null, is_text, is_unknown, place_of, real_date
from cg_review.validator.report import Found, shown
from cg_review.validator.subject import HITL, Subject

REQUIRED = (
    "clarity-gate-version",
    "processed-date",
    "processed-by",
    "clarity-status",
    "hitl-status",
    "hitl-pending-count",
    "points-passed",
    "document-sha256",
    "hitl-claims",
)
TIER_FIELDS = ("level", "owner", "version", "promoted-date", "promoted-by")

_POINTS = re.compile(r"[1-9][ \t]*(?:-[ \t]*[1-9])?[ \t]*(?:,[ \t]*[1-9][ \t]*(?:-[ \t]*[1-9])?[ \t]*)*")
_RANGE = re.compile(r"([1-9])[ \t]*-[ \t]*([1-9])")


@check("E-ST01")
def unreadable(subject: Subject) -> Iterator[Found]:
    """The frontmatter is not YAML that every reader takes alike.

    A syntax error, something other than one mapping, a key that stands twice in one mapping (readers differ in
    which one counts), a NUL or another character YAML forbids; also a file that is not UTF-8.
    """
    if subject.undecodable is not None:
        yield Found("the file is not UTF-8", subject.undecodable)
    for problem in subject.frontmatter.problems:
        if problem.kind == "syntax":
            yield Found(problem.message, problem.offset)
        elif problem.kind == "duplicate" and problem.related is not None:
            lines = subject.lines_of(problem.related, problem.offset)
            yield Found(f"{problem.message}: on lines {lines[0]} and {lines[1]}", problem.offset)


@check("E-ST02")
def no_frontmatter(subject: Subject) -> Iterator[Found]:
    """The file does not start with a frontmatter between two lines that are exactly `---`."""
    if subject.layout.frontmatter is not None or subject.undecodable is not None:
        return
    if subject.layout.opening is None:
        yield Found("the file does not start with a line `---` and a frontmatter")
    else:
        yield Found("the frontmatter is not closed by a line `---`")


@check("E-ST03")
def required_fields(subject: Subject) -> Iterator[Found]:
    """A required field is missing, null, or not of its form.

    The version is a text such as `2.1`, without a `v`; the pending count an integer from 0 on, unquoted. A `tier`
    block needs level (SOT), owner, version, promoted-date and promoted-by.
    """
    if not subject.readable:
        return
    for name in REQUIRED:
        node = subject.node(name)
        if is_unknown(node) or (name == "hitl-claims" and node is not None):
            continue
        if is_null(node):
            words = f"{name} is missing" if node is None else f"{name} is null"
            yield Found(words, subject.place(name))
        elif wrong := _wrong_form(subject, name):
            yield Found(f"{name} {wrong}", subject.place(name))
    yield from _tier_fields(subject)


def _wrong_form(subject: Subject, name: str) -> str | None:
    """Say what is wrong with a field whose form no other code judges."""
    node = subject.node(name)
    text = node.text if isinstance(node, Scalar) else ""
    if name == "clarity-gate-version" and not VERSION.fullmatch(text):
        return f"must be a version such as 2.1, not {shown(text)}"
    if name == "hitl-pending-count" and subject.count is None:
        return "must be an unquoted integer from 0 on"
    if name == "processed-by" and not is_text(node):
        return "must name who or what processed the document"
    if name in ("clarity-status", "hitl-status") and not is_text(node):
        return "must be a status word"
    return None


def _tier_fields(subject: Subject) -> Iterator[Found]:
    tier = subject.node("tier")
    if subject.place("tier") is None or is_unknown(tier):
        return
    if not isinstance(tier, Mapping):
        yield Found(
            "tier must hold level, owner, version, promoted-date and promoted-by", subject.place("tier")
        )
        return
    for name in TIER_FIELDS:
        node = tier.get(name)
        if is_unknown(node):
            continue
        place = place_of(tier, name) if tier.key(name) else subject.place("tier")
        if not is_text(node):
            yield Found(f"tier.{name} is missing or empty", place)
        elif isinstance(node, Scalar) and name == "level" and node.text != "SOT":
            yield Found(f"tier.level must be SOT, not {shown(node.text)}", place)
        elif isinstance(node, Scalar) and name == "promoted-date" and real_date(node.text) is None:
            yield Found(f"tier.promoted-date must be a date YYYY-MM-DD, not {shown(node.text)}", place)


@check("E-ST04")
def processed_date(subject: Subject) -> Iterator[Found]:
    """`processed-date` is not a real day written YYYY-MM-DD, or lies after today (UTC)."""
    node = subject.node("processed-date")
    if is_null(node) or is_unknown(node):
        return
    text = node.text if isinstance(node, Scalar) else ""
    day = real_date(text)
    if day is None:
        yield Found(
            f"processed-date must be a real date YYYY-MM-DD, not {shown(text)}",
            subject.place("processed-date"),
        )
    elif day > subject.now.date():
        yield Found(
            f"processed-date {text} is after today, {subject.now.date()} (UTC)",
            subject.place("processed-date"),
        )


@check("E-ST05")
def points_passed(subject: Subject) -> Iterator[Found]:
    """`points-passed` is not a comma-separated list of points 1–9 and ascending ranges, such as `1-4,7,9`."""
    node = subject.node("points-passed")
    if is_null(node) or is_unknown(node):
        return
    text = node.text.strip() if isinstance(node, Scalar) else ""
    if not _POINTS.fullmatch(text) or any(low > high for low, high in _RANGE.findall(text)):
        yield Found(
            f"points-passed must list points such as 1-4,7,9, not {shown(text)}",
            subject.place("points-passed"),
        )


@check("E-ST06")
def end_marker(subject: Subject) -> Iterator[Found]:
    """The body has no `<!-- CLARITY_GATE_END -->` outside a fence, so nothing says where the hashed text ends."""
    if subject.layout.frontmatter is not None and subject.layout.end_marker is None:
        fences = subject.layout.fences
        words = "no end marker <!-- CLARITY_GATE_END --> after the body"
        if fences.unclosed is not None:
            words += f"; the fence opened on line {subject.lines_of(fences.unclosed)[0]} is never closed"
        yield Found(words)


@check("E-ST07")
def status_line(subject: Subject) -> Iterator[Found]:
    """The line right after the end marker is not exactly `Clarity Gate: <clarity-status> | <hitl-status>`.

    Nothing else may stand on the marker's line behind it. Where frontmatter and status line share the same unknown
    word, it is this code; where only the frontmatter has it, E-SC05.
    """
    marker = subject.layout.end_marker
    if marker is None:
        return
    status = subject.status
    if not subject.line_is_ours(marker.end):
        yield Found("nothing may follow the end marker on its line", marker.end)
    elif status is None:
        yield Found("the end marker is not followed by a status line", marker.start)
    elif not status.exact:
        vocabulary = f"Clarity Gate: CLEAR or UNCLEAR | {', '.join(HITL)}"
        yield Found(
            f"the status line must stand right after the marker and read exactly {vocabulary}", status.start
        )


@check("E-ST08")
def second_marker(subject: Subject) -> Iterator[Found]:
    """The end marker stands more than once outside fences; in inline code and in the frontmatter it counts as well."""
    layout = subject.layout
    extra = [*layout.frontmatter_markers, *layout.markers[1:]]
    if extra and layout.markers:
        count = len(layout.frontmatter_markers) + len(layout.markers)
        yield Found(f"the end marker stands {count} times; there must be one", extra[0])
    elif len(extra) > 1:
        yield Found("the end marker stands in the frontmatter", extra[0])


@check("E-ST09")
def text_after_status(subject: Subject) -> Iterator[Found]:
    """Text follows the status line: it is outside the hash, so anybody could have added it."""
    if subject.status is None:
        return
    rest = subject.text[subject.status.end :]
    if rest.strip():
        place = subject.status.end + len(rest) - len(rest.lstrip())
        yield Found("text after the status line is outside the hash", place)


@check("E-ST10")
def verification_record(subject: Subject) -> Iterator[Found]:
    """Claims exist, but the body has no `## HITL Verification Record`, or not the section of a round with claims.

    The heading must be of level 2, outside fences and HTML comments, before the end marker.
    """
    if not subject.claims:
        return
    if subject.record is None:
        yield Found("hitl-claims has claims, but the body has no `## HITL Verification Record`")
        return
    for letter, heading in (("A", subject.record.round_a), ("B", subject.record.round_b)):
        if heading is None and any(_round(claim) == letter for claim in subject.claims):
            yield Found(
                f"the record has no `### Round {letter}: …` section, but round {letter} has claims",
                subject.record.heading.start,
            )


@check("W-ST11")
def round_b_rows(subject: Subject) -> Iterator[Found]:
    """The table of Round B in the record does not have one row for each claim of round B."""
    if subject.record is None or subject.record.round_b is None or not subject.judged_claims:
        return
    rounds = [_round(claim) for claim in subject.claims]
    if any(one not in ("A", "B") for one in rounds):
        return
    rows, expected = len(subject.record.rows), rounds.count("B")
    if rows != expected:
        yield Found(f"the Round B table has {rows} rows for {expected} claims", subject.record.round_b.start)


def _round(claim: Mapping) -> str:
    node = claim.get("round")
    return node.text if isinstance(node, Scalar) else ""
