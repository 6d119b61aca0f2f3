"""What the cells of a table state: the value of a row's label under a column's header."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import regex

from cg_review.across.counts import count_of, counted
from cg_review.across.statements import Statement, is_flat, measured, readable
from cg_review.across.values import Value, name_value, read_value
from cg_review.across.versions import version_of
from cg_review.across.words import RULES, Stems, aspect_in, bare, role_in, stems_of
from cg_review.document import Cell, Table
from cg_review.inline import OPAQUE

_NAME = regex.compile(
    r"(?:[Tt]he )?[A-Z][\w'’.-]*(?: (?:de|van|von|der|la|di|[A-Z][\w'’.-]*)){0,4}(?: (?:team|squad|group|guild|desk))?"
)
_VERSION = regex.compile(r"v?(\d+(?:\.\d+)+|\d+)(\+| or (?:later|newer))?")
_PER = regex.compile(r"(?i)(?:\bper |/ ?)(\w+)\b|\b(?=monthly|yearly)(month|year)ly\b")
_UNIT = regex.compile(
    r"(?i)[(\[ ]?(?:in )?\b(days|hours|minutes|min|seconds|s|ms|mb|gb|kb|weeks|months|years|%)\b?[)\]]?$"
)
_LONGEST = 120  # characters of a cell that can be a label or a value
_NOTHING = regex.compile(r"^[^\w]*$|^\d[\d.,%-]*$")


def cell_statements(table: Table, comma: bool | None, title: Stems) -> Iterator[tuple[Statement, int, Cell]]:
    """Statements with their row (0-based) and cell. `title` names what rows that only name a level are about."""
    headers = [_clean(cell) for cell in table.header]
    labels = [_clean(row[0]) if row else "" for row in table.rows]
    if len(headers) < 2:
        return
    for number, (row, label) in enumerate(zip(table.rows, labels, strict=True)):
        if _NOTHING.match(label) or labels.count(label) > 1 or not is_flat(label.lower()):
            continue
        more = title if label.lower() in RULES.levels else ()
        if label.lower() in RULES.levels and not title:
            continue
        for header, cell in zip(headers[1:], row[1:], strict=False):
            text = _clean(cell)
            if text and OPAQUE not in text and is_flat(text.lower()) and is_flat(header.lower()):
                found = _cell(label, header, headers[0], text, comma)
                if found is not None:
                    scope = tuple(sorted({*found.scope, *more}))
                    words = label if header.lower() in RULES.value_headers else f"{label}, {header}"
                    yield replace(found, scope=scope, words=words, filled_in=True), number, cell


def _clean(cell: Cell) -> str:
    text = readable(cell.plain, cell.text).replace("*", "").replace("_", " ")
    return " ".join(text.split()).rstrip(".:") if len(text) <= _LONGEST else ""


def _cell(label: str, header: str, first: str, text: str, comma: bool | None) -> Statement | None:
    role = role_in(header.lower().split())
    if role is not None:
        subject = bare(stems_of(label))
        is_name = _NAME.fullmatch(text) is not None and bool(subject)
        return Statement(role, subject, (), name_value(text), label, text) if is_name else None
    if stems_of(header) == stems_of("version"):
        version = _VERSION.fullmatch(text)
        return version_of(label, (), version[1], bool(version[2]), text) if version else None
    header, per = _without(_PER, header)
    for named, unit in ((_without(_UNIT, header)), (_without(_UNIT, label))):
        if unit and text.isdigit():
            text = f"{text} {unit}"
            header, label = (named, label) if header != named and unit in header else (header, named)
            break
    found = read_value(text, 0, comma)
    if found is None or text[found[1] :].strip():
        return None
    value = found[0]
    if per and "/" not in value.kind and value.kind not in {"date", "number", "rate"}:
        value = replace(value, kind=f"{value.kind}/{per}")  # $49 under "Price per month" is $49/month
    return _amount(label, header, first, value, text)


def _without(pattern: regex.Pattern[str], words: str) -> tuple[str, str]:
    """`words` without what the pattern finds, and its first group."""
    match = pattern.search(words)
    return (f"{words[: match.start()]} {words[match.end() :]}".strip(), match[1]) if match else (words, "")


def _amount(label: str, header: str, first: str, value: Value, text: str) -> Statement | None:
    says_nothing = not header or header.lower() in RULES.value_headers
    if value.kind == "number":
        thing = counted((label if says_nothing else header).lower())
        if thing is not None and value.low == value.low.to_integral_value():
            rest = () if says_nothing else stems_of(header.lower().removeprefix(thing))
            holder = () if says_nothing else bare(stems_of(label))
            return count_of(thing, holder, rest, value.low, text, False) if holder or says_nothing else None
    words = label if says_nothing else f"{label} {header}"
    told = "is"
    if says_nothing and value.kind != "date" and aspect_in(stems_of(label), False)[0] == "is":
        told = aspect_in(stems_of(first), False)[0]
    stated = measured(told, words, value, text, ())
    return replace(stated, named=False) if stated is not None and not stated.of_page else None
