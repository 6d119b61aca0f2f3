"""Point 7: what the document itself shows to be not there yet, told as if it were."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import regex

from cg_review.document import SegmentKind, Table
from cg_review.findings import Quote, RawFinding
from cg_review.points import Point
from cg_review.reviewers.embedded.analysis import Analysis, Reading
from cg_review.reviewers.embedded.matching import lower
from cg_review.reviewers.embedded.words import STOPWORDS, stem, stems, words_of

_FINITE = regex.compile(
    r"\b(?:is|are|has|have|was|were|does|do|can|now|already|[a-z]{3,}(?:s|ed)|run|let|see|find|borrow|use|search|serve|pay|book|order|read|get|send|work|show|report|receive|choose|track|share|open|print|return|scan|start|stream)\b"
)
_DENIES_OR_TELLS = regex.compile(
    r"\b(?:will|won't|not|no|never|cannot|without|was|were|had|chose|decided)\b|n't\b"
)
_NOW = regex.compile(r"\b(?:without|now)\b")
_LABEL = 8  # words of a sentence that names what the next one is about
_RARE = 0.05  # a word in more of the sentences than this does not say which thing is meant,
_SELDOM = 3  # unless it is in no more than so many
_TASK = regex.compile(
    r"(?:build|update|collect|publish|add|create|define|implement|introduce|establish|set up|document|write|test|deploy|monitor|review|train|migrate|enable|extend|improve|reduce|prepare|plan|design|evaluate|investigate|integrate|support|provide|ensure|move|make|replace|connect|hook up|order|buy|find|agree|draft|sign|apply)\b"
)
_SUBJECT_END = regex.compile(r"[;:]| but | and | while |, (?:so|which|who) ")
_ANOTHER = regex.compile(r"(?:the |a )?(?:next|another|further|following|future|new version|later)\b")
_NAMED = regex.compile(r"\b[a-z]+ \d{1,3}\b")


@dataclass(frozen=True, slots=True)
class Absence:
    """A sentence or a row that says something is not there yet: its telling words, and where it stands."""

    reading: Reading
    words: frozenset[str]
    named: frozenset[str]
    cue: str
    later: bool = False  # said only by a day to come


def told_as_built(point: Point, analysis: Analysis) -> Iterator[RawFinding]:
    """Sentences in the present about a thing that another place says is not there yet."""
    absences = [*_sentences(analysis), *_to_come(analysis), *_rows(analysis, point)]
    so_far = _so_far(analysis)
    if not absences and not so_far:
        return
    index = _index(absences)
    rare: frozenset[str] = _rare(analysis) if absences else frozenset()
    for reading in analysis.readings:
        following = so_far.get(reading.segment.number)
        candidates = _candidates(reading, index, rare)
        if not (candidates or following) or not asserts(reading, analysis, point):
            continue
        score, absence = _best(reading, candidates, rare, analysis)
        if following and score < _SO_FAR_SCORE:
            score, absence = _SO_FAR_SCORE, following
        if absence:
            yield RawFinding(
                point=7,
                segment=reading.segment.number,
                reason=f'told as if it were there; elsewhere the document says "{absence.cue}" of it',
                confidence=min(0.9, score),
                related=(Quote(segment=absence.reading.segment.number, quote=""),),
            )


_SO_FAR = regex.compile(
    r"^(?:so far|for now|until now|up to now|at present|as yet),? .*\b(?:only|has been|have been|is|are|one|two)\b"
)
_SO_FAR_SCORE = 0.65


def _so_far(analysis: Analysis) -> dict[int, Absence]:
    """Sentences ("so far only English has been recorded") that take back the one before them, by that one's number."""
    found = {}
    for reading in analysis.seek(analysis.readings[1:], _SO_FAR):
        before = analysis.readings[reading.segment.number - 2]
        if before.segment.block == reading.segment.block and _SO_FAR.search(reading.lower):
            cue = reading.segment.plain[:40].strip()
            found[before.segment.number] = Absence(reading, frozenset(), frozenset(), cue)
    return found


def _index(absences: list[Absence]) -> dict[str, list[Absence]]:
    """Absences by word and by segment (under its number), those that say the same once."""
    index: dict[str, list[Absence]] = defaultdict(list)
    seen: set[tuple[frozenset[str], frozenset[str]]] = set()
    for absence in absences:
        index[str(absence.reading.segment.number)].append(absence)
        if (absence.words, absence.named) not in seen:
            seen.add((absence.words, absence.named))
            for word in absence.words:
                index[word].append(absence)
    return index


def _candidates(reading: Reading, index: dict[str, list[Absence]], rare: frozenset[str]) -> list[Absence]:
    """What shares a rare word with the sentence, or stands right behind it."""
    number = reading.segment.number
    shared = (reading.stems & index.keys() & rare) - GENERIC
    keys = (*sorted(shared), str(number + 1), str(number + 2))
    return [absence for key in keys for absence in index.get(key, ())]


def _best(
    reading: Reading, candidates: list[Absence], rare: frozenset[str], analysis: Analysis
) -> tuple[float, Absence | None]:
    words, named = reading.stems - GENERIC, _named(reading.lower)
    best: tuple[float, Absence | None] = (0.0, None)
    for absence in {id(a): a for a in candidates}.values():
        score = _overlap(reading, words, named, absence, rare, analysis)
        if score > best[0]:
            best = score, absence
    return best


def _sentences(analysis: Analysis) -> Iterator[Absence]:
    for reading in analysis.readings:
        if reading.segment.kind is SegmentKind.TABLE or reading.segment.table is not None:
            continue
        spans = reading.spans_of("unbuilt", analysis.traits)
        if spans and not analysis.has("question", reading):
            start, end = min(spans)
            subject = _subject(reading.lower, start) or _beside(analysis, reading, start, end)
            words = _telling(subject)
            if words and not _ANOTHER.match(subject.strip()):
                yield Absence(reading, words, _named(subject), reading.segment.plain[start:end].strip())


def _beside(analysis: Analysis, reading: Reading, start: int, end: int) -> str:
    """What is absent where nothing stands before the cue: the sentence before ("Comment sync. No backend yet."), or what
    follows ("a stub of the index"). A name too short to tell ("CI is not set up") is something."""
    if any(_is_name(word) for word in words_of(reading.lower[:start])):
        return ""
    before = analysis.readings[reading.segment.number - 2] if reading.segment.number > 1 else None
    if before and before.segment.block == reading.segment.block and len(before.words) <= _LABEL:
        return before.lower
    return _SUBJECT_END.split(reading.lower[end:])[0]


def _is_name(word: str) -> bool:
    return word.isalpha() and word not in STOPWORDS and stem(word) not in GENERIC


def _rows(analysis: Analysis, point: Point) -> Iterator[Absence]:
    """Rows of a plan whose state says "open", "not started", "idea"."""
    for table in analysis.document.tables:
        column = _state_column(table, point)
        if column is None:
            continue
        for row, number in zip(table.rows, table.row_segments, strict=True):
            state = lower(row[column].plain).strip("* ") if column < len(row) else ""
            if _is_open(state, point):
                reading = analysis.readings[number - 1]
                text = max(
                    (lower(cell.plain) for i, cell in enumerate(row) if i != column), key=len, default=""
                )
                yield Absence(reading, _telling(text), _named(text), row[column].plain.strip())


def _to_come(analysis: Analysis) -> Iterator[Absence]:
    """Sentences that put a thing's beginning on a day to come ("the Turku lab opens in September 2027")."""
    for reading in analysis.seek(analysis.readings, _BEGINS):
        if reading.segment.table is not None or reading.segment.kind is SegmentKind.HEADING:
            continue
        match = _BEGINS.search(reading.lower)
        if (
            not match
            or analysis.has("question", reading)
            or not (match["release"] or analysis.is_ahead(reading))
        ):
            continue
        words = _telling(_subject(reading.lower, match.start()))
        if words:
            subject = reading.lower[: match.start()]
            yield Absence(
                reading,
                words,
                _named(subject),
                reading.segment.plain[match.start() : match.end()],
                later=True,
            )


_BEGINS = regex.compile(
    r"\b(?:will (?:come|arrive|open|start|launch|be (?:added|built|delivered|installed|ready|available))|opens|arrives|starts|launches|goes live|is delivered|is installed|comes)\b"
    r"(?: (?:with|in) (?P<release>(?:version |release |v)?\d+(?:\.\d+)*|the next))?"
)


def _subject(text: str, cue: int) -> str:
    """What stands before the cue in its clause; the clause before where the cue opens its own ("…; no design exists")."""
    cuts = [0, *(match.end() for match in _SUBJECT_END.finditer(text, 0, cue))]
    for start in reversed(cuts):
        if _telling(text[start:cue]):
            return text[start:cue]
    return ""


def _state_column(table: Table, point: Point) -> int | None:
    headers = set(point.words["state_headers"])
    for index, cell in enumerate(table.header):
        if headers & set(words_of(lower(cell.plain))):
            states = [lower(row[index].plain) for row in table.rows if index < len(row)]
            if any(_is_open(state.strip("* "), point) for state in states):
                return index
    return None


_OPEN = regex.compile(
    r"(?:not |no |un(?!it)|awaiting|waiting|to be |being |applied for|under (?:review|construction)|nobody|nothing)"
)


def _is_open(state: str, point: Point) -> bool:
    return bool(_OPEN.match(state)) or any(
        state == word or state.startswith(word + ",") or (len(word) > 4 and word in state)
        for word in point.words["open_states"]
    )


def _telling(text: str) -> frozenset[str]:
    """The stems of a text's telling words."""
    return frozenset(stems(words_of(text))) - GENERIC


GENERIC = frozenset(
    map(
        stem,
        [
            "phase",
            "plan",
            "design",
            "contract",
            "work",
            "tender",
            "test",
            "version",
            "release",
            "state",
            "status",
            "date",
            "spring",
            "summer",
            "autumn",
            "winter",
            "survey",
            "january",
            "february",
            "march",
            "april",
            "may",
            "june",
            "july",
            "august",
            "september",
            "october",
            "november",
            "december",
            "approval",
            "budget",
            "project",
            "action",
            "owner",
            "due",
            "not",
            "yet",
            "been",
            "started",
            "team",
            "system",
            "service",
            "tool",
            "product",
            "feature",
            "option",
            "support",
            "available",
            "present",
            "existing",
            "current",
            "planned",
            "next",
        ],
    )
)


def _named(text: str) -> frozenset[str]:
    """Numbered things: "crane 7", "zone 2"."""
    return frozenset(m.group() for m in _NAMED.finditer(text) if m.group().split()[0] not in STOPWORDS)


def asserts(reading: Reading, analysis: Analysis, point: Point) -> bool:
    """Whether the sentence says, in the present or past, that something is so, and nothing silences it."""
    segment = reading.segment
    if segment.kind not in (SegmentKind.SENTENCE, SegmentKind.LIST_ITEM) or segment.footnote is not None:
        return False
    if analysis.is_silent(reading, point.silent_on):
        return False
    if len(reading.lower.split()) < 4 or not _FINITE.search(reading.lower):
        return False
    if reading.spans_of("unbuilt", analysis.traits) or analysis.has("dated", reading):
        return False
    if segment.kind is SegmentKind.LIST_ITEM and _TASK.match(reading.lower):
        return False
    if _DENIES_OR_TELLS.search(reading.lower) and not _NOW.search(reading.lower):
        return False
    return not analysis.silenced(reading, reading.clauses[0], point.silent_on)


def _rare(analysis: Analysis) -> frozenset[str]:
    """The stems that few sentences have, and that therefore say which thing is meant."""
    counter: Counter[str] = Counter()
    for reading in analysis.readings:
        if reading.segment.kind is not SegmentKind.TABLE:
            counter.update(reading.stems)
    most = max(_SELDOM, len(analysis.readings) * _RARE)
    return frozenset(word for word, count in counter.items() if count <= most)


def _overlap(
    reading: Reading,
    words: frozenset[str],
    named: frozenset[str],
    absence: Absence,
    rare: frozenset[str],
    analysis: Analysis,
) -> float:
    """How surely both are about the same thing, 0 to 1: the absent thing's own words, their rarity, nearness."""
    if reading is absence.reading:
        return 0.0
    kinds = {name.split()[0] for name in named} & {name.split()[0] for name in absence.named}
    if kinds and not named & absence.named:
        return 0.0  # crane 6 and crane 7
    distance = absence.reading.segment.number - reading.segment.number
    near = 0 < distance <= 2 and absence.reading.segment.section == reading.segment.section
    if named & absence.named and near:
        return 0.75
    shared = words & absence.words
    if shared.isdisjoint(rare):
        return 0.0
    coverage = len(shared) / len(absence.words)
    if analysis.document_traits & {"technical", "proposal", "rules"} and not (near or coverage >= 0.66):
        return 0.0
    if absence.later:
        return 0.6 if coverage >= 0.6 and (len(shared) >= 2 or near) else 0.0
    if near and coverage >= 0.3:
        return 0.7
    if coverage >= 0.5 or len(shared) >= 2:
        return 0.5 + 0.1 * min(3, len(shared))
    return 0.0
