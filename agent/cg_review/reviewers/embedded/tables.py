"""Point 4 on tables: figures, ticks or scores that look measured, and no origin for that table."""

from __future__ import annotations

from collections.abc import Iterator

import regex

from cg_review.document import Cell, Segment, SegmentKind, Table
from cg_review.findings import RawFinding
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.matching import lower
from cg_review.reviewers.embedded.words import words_of

_FIGURE = regex.compile(
    r"[~≈±+<>-]{0,2}\s?[€$£]?\s?\d[\d.,' \u00a0]*\s?(?:%|percent|x|×|k|m|bn|million|ms|s|µs|min|h|hours?|days?|years?|kg|g|t|km|m|cm|mm|l|°c|gb|mb|kb|tb|kwh|kw|w|€|\$|£|eur|usd|points?|pts|/\s?\d+)?(?:\s?[±/-]\s?\d[\d.,]*\s?%?)?"
)
_TICK = regex.compile(
    r"(?:✓|✔|✗|✘|✅|❌|☑|yes\b|no\b|partial|partly|limited|full\b|none\b|●|○|★+☆*|n/a|[-–—]$).{0,30}",
    regex.IGNORECASE,
)
_DATE_LIKE = regex.compile(
    r"(?:19|20)\d\d(?:-\d\d){0,2}|\d{1,2}:\d\d(?:\s?[-–]\s?\d{1,2}:\d\d)?|q[1-4](?: \d{4})?"
)
_ORIGIN_CODE = regex.compile(r"\b[a-z]{2,6}-\d{1,6}\b")
_DATED = regex.compile(
    r"\b(?:19|20)\d\d-\d\d|\b(?:january|february|march|april|may|june|july|august|september|october|november|december) (?:19|20)\d\d|\bn\s?=\s?\d"
)
_DECLARED = regex.compile(
    r"\b(?:is|are|shows?|gives?|lists?|were|as) (?:only |all |the |just )?(?:\w+ )?(?:settings?|defaults?|targets?|estimates?|examples?|projections?|assumptions?|guess(?:es)?|requirements?|limits?|planned|prescribed|recommended|illustrations?)\b"
)
_OWN_FIGURE = regex.compile(r"\d\s?%|\b\d+\.\d+\b|[€$£]\s?\d|\b\d{1,3}(?:,\d{3})+\b")
_NUMBERED = regex.compile(r"(?:table|tab\.|figure|fig\.) \d")
_LABEL_COLUMNS = 1
_TITLE = 3  # words: a caption of no more names the table and not where it comes from


def unsourced_tables(point: Point, analysis: Analysis) -> Iterator[RawFinding]:
    """One finding a table whose cells look measured and whose origin is nowhere."""
    for table in analysis.document.tables:
        if len(table.rows) < 2 and not _has_share(table):
            continue
        looks = what_it_looks_like(table, point)
        if (
            looks
            and not has_origin(table, analysis, point.words["provenance"])
            and not _is_unmeasured(table, analysis, point)
            and not _is_account(table, point)
        ):
            cells = ", ".join(_telling_cells(table))
            yield RawFinding(
                point=4,
                segment=table.segment,
                reason=f"the table {looks} ({cells}), and no caption, header, cell, sentence beside it or footnote says where they come from",
                confidence=0.75,
            )


_PRICED = regex.compile(
    r"\b(?:price|prices|pricing|list price|cost per|fee|rate|per (?:month|year|seat|user|unit|night|hour|kg|litre))\b"
)
_MONEY = regex.compile(r"^[~≈]?\s?(?:[€$£]\s?\d|\d[\d.,]*\s?(?:€|\$|£|eur|usd|gbp|chf)\b)")


def unsourced_prices(point: Point, analysis: Analysis) -> Iterator[RawFinding]:
    """Point 9: the first price of a price table that names neither its list nor its date."""
    for table in analysis.document.tables:
        for column in range(1, len(table.header)):
            cells = [(at, row[column]) for at, row in enumerate(table.rows) if column < len(row)]
            priced = [(at, cell) for at, cell in cells if _MONEY.search(lower(cell.plain).strip("* "))]
            if (
                len(priced) < 2
                or len(priced) * 2 < len(cells)
                or not _PRICED.search(lower(table.header[column].plain))
            ):
                continue
            if not has_origin(table, analysis, point.words["provenance"]):
                at, cell = priced[0]
                yield RawFinding(
                    point=9,
                    segment=table.row_segments[at],
                    quote=cell.text,
                    reason=f'"{cell.plain.strip()}" and the other prices of the column name no list and no date',
                    fix_place="above",
                    kind="PRICING",
                    confidence=0.6,
                )
            break


def what_it_looks_like(table: Table, point: Point) -> str:
    """In what way the cells look measured; empty where they don't."""
    columns = _value_columns(table, point)
    if not columns:
        return ""
    cells = [lower(row[c].plain).strip() for row in table.rows for c in columns if c < len(row)]
    filled = [cell for cell in cells if cell]
    if not filled:
        return ""
    figures = sum(is_figure(cell) for cell in filled)
    ticks = sum(bool(_TICK.fullmatch(cell)) for cell in filled)
    mixed = len({cell[:1] for cell in filled if _TICK.fullmatch(cell)}) > 1
    compares = lower(table.header[0].plain).strip("* ") in point.words["matrix_headers"]
    if (
        compares
        and mixed
        and ticks >= 3
        and ticks / len(filled) >= 0.3
        and len(columns) >= 2
        and len(table.rows) >= 2
    ):
        return "ticks off what each has"
    if figures / len(filled) >= 0.5 or (figures and (ticks + figures) / len(filled) >= 0.7):
        return "gives figures that look measured"
    return ""


def is_figure(cell: str) -> bool:
    """Whether a cell (lower case) is a number with perhaps a unit, and no date or time of day."""
    bare = cell.strip("*_ ")
    return bool(bare and _FIGURE.fullmatch(bare)) and not _DATE_LIKE.fullmatch(bare)


def _value_columns(table: Table, point: Point) -> list[int]:
    """The columns that could hold measurements: not the labels, nor what its header calls a setting, date or number."""
    descriptive = set(point.words["descriptive_headers"])
    columns = []
    for index, header in enumerate(table.header):
        title = lower(header.plain).strip("*_ :#")
        title = regex.sub(r"\s*[(\[].*", "", title)
        if index < _LABEL_COLUMNS or title in descriptive or title in {"#", "no", "no.", "nr", "id"}:
            continue
        if title.split() and title.split()[-1] in descriptive:
            continue
        columns.append(index)
    return columns


def has_origin(table: Table, analysis: Analysis, words: tuple[str, ...]) -> bool:
    """Whether a caption, a cell, a sentence next to the table or a footnote says where the figures come from."""
    inside = " ".join(lower(cell.plain) for row in (table.header, *table.rows) for cell in row)
    headed = any(_names(lower(cell.plain), words) for cell in table.header[_LABEL_COLUMNS:])
    if headed or (_names(inside, words) and _DATED.search(inside)):
        return True
    if "[^" in "".join(cell.text for row in (table.header, *table.rows) for cell in row):
        return True
    near = beside(table, analysis)
    if "technical" in analysis.document_traits and _on_a_machine(table, analysis):
        return True
    return _has_caption(near) or any(_tells_origin(reading, analysis, words) for reading in near)


_MACHINE = regex.compile(
    r"\b(?:(?:i\d|ryzen|xeon|epyc|core|intel|amd|apple m\d|graviton|[cmtrn]\d\w?\.\d*\w+|vcpus?|cores?|cpus?|ghz|gb|ram|ubuntu|debian|fedora|centos|macos|windows|linux|gcc|clang|rustc|node\.?js|jdk|go|python) ?v?\d|\d+ ?(?:vcpus?|cores?|cpus?|ghz|gb)|dataset|data set|corpus|workload|hardware|test machine|benchmark (?:setup|environment|code|program|script))",
)


def _on_a_machine(table: Table, analysis: Analysis) -> bool:
    """Whether the section, or one around it, says on what machine or data a program was measured."""
    naming = analysis.sections_with(_MACHINE)
    at: int | None = analysis.document.segment(table.segment).section
    while at is not None and at not in naming:
        at = analysis.document.sections[at].parent
    return at is not None and at != 0


def _has_caption(near: list[Reading]) -> bool:
    """Whether a numbered caption says more than the table's name."""
    for reading in near:
        numbered = _NUMBERED.match(reading.lower)
        block = [r for r in near if r.segment.block == reading.segment.block]
        if numbered and sum(len(r.words) for r in block) > _TITLE + 2:
            return True
    return False


def _tells_origin(reading: Reading, analysis: Analysis, words: tuple[str, ...]) -> bool:
    text = reading.lower
    if analysis.has("sourced", reading):
        return True
    return _names(text, words) and bool(
        _DATED.search(text)
        or _ORIGIN_CODE.search(text)
        or reading.segment.links
        or "￼" in text
        or "caption" in text
        or len(text) < 200
    )


def beside(table: Table, analysis: Analysis) -> list[Reading]:
    """The last two sentences before the table and the first block after it, in its section."""
    first, last = table.segment, table.row_segments[-1] if table.row_segments else table.segment
    section = analysis.document.segment(first).section
    before: list[Reading] = []
    for reading in reversed(analysis.readings[max(0, first - 3) : first - 1]):
        if not _is_prose(reading.segment, section) or _tells_its_own(reading):
            break
        before.append(reading)
    after = [reading for reading in analysis.readings[last : last + 3] if _is_prose(reading.segment, section)]
    return before + _caption(after)


def _caption(after: list[Reading]) -> list[Reading]:
    """The first sentence after a table, and the rest of its block where it is set in emphasis."""
    if not after:
        return []
    first = after[0].segment
    if _tells_its_own(after[0]) or after[0].lower.rstrip().endswith(":"):
        return []
    return [r for r in after if r.segment.block == first.block] if _is_styled(after[0]) else after[:1]


def _tells_its_own(reading: Reading) -> bool:
    """Whether a sentence gives a result of its own, so that its source is not the table's."""
    told = regex.sub(r"\([^)]*\)", "", reading.lower)
    return bool(_OWN_FIGURE.search(told)) and not _announces(reading.lower) and not _is_styled(reading)


def _is_styled(reading: Reading) -> bool:
    styled = reading.segment.styled
    return bool(styled) and sum(styled) * 2 > len(styled)


def _is_prose(segment: Segment, section: int) -> bool:
    return segment.section == section and segment.kind in (SegmentKind.SENTENCE, SegmentKind.LIST_ITEM)


def _is_unmeasured(table: Table, analysis: Analysis, point: Point) -> bool:
    """Whether heading, header or the sentence before says that these are targets, settings, examples or a schedule."""
    section = analysis.document.segment(table.segment).section
    heading = analysis.document.sections[section]
    title = lower(heading.title)
    header = " ".join(lower(cell.plain) for cell in table.header)
    words = point.words["unmeasured"]
    before = analysis.readings[table.segment - 2] if table.segment > 1 else None
    announced = (
        before is not None
        and _is_prose(before.segment, section)
        and _announces(before.lower)
        and _names(before.lower, words)
    )
    after = (
        _caption(
            [r for r in analysis.readings[table.row_segments[-1] :][:3] if _is_prose(r.segment, section)]
        )
        if table.row_segments
        else []
    )
    declared = any(_DECLARED.search(reading.lower) for reading in after)
    # a document that is called a plan has results, too
    titles = words if heading.level > 1 else tuple(word for word in words if word != "plan")
    return _names(title, titles) or _header_is(header, words) or announced or declared


def _is_account(table: Table, point: Point) -> bool:
    """Whether the last row adds up the rows above: a count that the author keeps, not a measurement."""
    last = table.rows[-1] if table.rows and table.rows[-1] else []
    sums = bool(last) and _names(lower(last[0].plain), point.words["totals"])
    return sums and not any("%" in cell.plain for cell in last)


def _announces(text: str) -> bool:
    """Whether a sentence speaks about the table below it."""
    return text.rstrip().endswith(":") or bool(_ABOUT_A_TABLE.search(text))


_ABOUT_A_TABLE = regex.compile(
    r"\b(?:table|figures?|values|numbers|below|following|rows?|columns?|cells|percentages|all of these|these are)\b"
)


def _header_is(header: str, words: tuple[str, ...]) -> bool:
    return _names(header, tuple(word for word in words if word not in _WEAK_IN_HEADER))


_WEAK_IN_HEADER = {
    "price",
    "prices",
    "pricing",
    "plan",
    "budget",
    "forecast",
    "limit",
    "schedule",
    "projection",
    "fees",
    "tariff",
}


def _names(text: str, words: tuple[str, ...]) -> bool:
    """Whether one of the words or phrases stands in the text."""
    tokens = set(words_of(text))
    return any(word in tokens if " " not in word else f" {word} " in f" {text} " for word in words)


def _has_share(table: Table) -> bool:
    return any("%" in cell.plain for row in table.rows for cell in row)


def _telling_cells(table: Table) -> list[str]:
    """Up to three cells to name in a reason: figures and ticks."""
    cells: list[Cell] = [cell for row in table.rows for cell in row[1:] if cell.plain.strip()]
    telling = [
        cell.plain.strip()
        for cell in cells
        if is_figure(lower(cell.plain)) or _TICK.fullmatch(cell.plain.strip())
    ]
    return telling[:3]
