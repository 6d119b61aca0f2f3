"""What a document is about, as far as it decides whether what it tells can be held against what another one tells."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath

import regex

from cg_review.across.words import GENRES, RULES, Stems, any_of, bare, stem_of
from cg_review.document import Document, SegmentKind
from cg_review.reviewers.embedded.words import STOPWORDS, stem, words_of

_RECORD = regex.compile(rf"\b{any_of(RULES.records)}\b")
_DATED = regex.compile(r"\b(?:19|20)\d\d[-_ ](?:0[1-9]|1[0-2])\b")
_SETTLED = regex.compile(
    r"^[^\w\n]*status\W{1,4}(?:draft|archived|superseded|deprecated|obsolete|rejected|withdrawn|proposed)\b",
    regex.MULTILINE | regex.IGNORECASE,
)
_CASE = regex.compile(rf"\b{any_of(RULES.cases)}\b|\b(?:19|20)\d\d\b|\bv?\d+(?:\.\d+)+\b|\bv\d+\b|\bq[1-4]\b")
_NAME = regex.compile(r"(?<![.!?:;] )(?<!^)(?<![\"“(*_-])\b[A-Z][\w-]+")
_FRONT_TITLE = regex.compile(r"^title:[ \t]*(\S.*)$", regex.MULTILINE)
_LONGEST = 12  # words of a title that are read
_ENTRY = ("readme", "index", "overview", "about", "home")


@dataclass(frozen=True, slots=True)
class Scope:
    """`name`: the title as written; `title`: its words in order, as stems. `topic`: those that are a subject's own. `own`: the names among them.

    `names`: every name that its text uses. `is_entry`: it stands for the whole folder.
    """

    path: str
    name: str
    title: tuple[str, ...]
    topic: Stems
    own: frozenset[str]
    names: frozenset[str]
    is_entry: bool

    def differs(self, other: Scope, shared: frozenset[str]) -> bool:
        """Whether the two documents are about two things: names of their own, or titles of one form."""
        own, others = self.own - shared, other.own - shared
        if own and others and not own & other.names and not others & self.names:
            return True
        if len(self.title) != len(other.title) or not self.title:
            return False
        pairs = [(a, b) for a, b in zip(self.title, other.title, strict=True) if a != b]
        one_apart = len(pairs) == 1 and len(self.title) > 1
        return one_apart and not set(pairs[0]) & GENRES


def is_record(document: Document, path: str) -> bool:
    """Whether a document tells, by its title or head, of a moment, a wish or a sample: minutes, a changelog, a proposal."""
    title = _title(document, path)
    head = document.text[: document.body.start + 600]
    return bool(_RECORD.search(title.lower()) or _DATED.search(title) or _SETTLED.search(head))


def is_record_path(path: str) -> bool:
    """The same by a path inside its folder."""
    told = PurePath(path).with_suffix("").as_posix().lower()
    return bool(_RECORD.search(told.replace("_", " ")) or _DATED.search(told))


def scope_of_document(document: Document, path: str) -> Scope:
    """What the document is about."""
    title = _title(document, path)
    words = [stem_of(word) for word in words_of(title)[:_LONGEST] if word not in STOPWORDS]
    names = frozenset(
        stem(match.group().lower())
        for segment in document.segments
        if segment.kind in (SegmentKind.SENTENCE, SegmentKind.LIST_ITEM)
        for match in _NAME.finditer(segment.plain)
    )
    topic = tuple(word for word in words if word not in GENRES and not word.startswith("~"))
    own = frozenset(
        stem(word)
        for word in words_of(title)[:_LONGEST]
        if stem_of(word) in topic and _is_name(word, document)
    )
    entry = PurePath(path).stem.lower() in _ENTRY
    return Scope(path, title, tuple(words), tuple(sorted(set(topic))), own, names | set(words), entry)


def _is_name(word: str, document: Document) -> bool:
    """Whether a word of the title is written with a capital throughout the text, and more than once."""
    body = document.body.of(document.text)
    written = regex.findall(rf"\b{regex.escape(word)}\b", body, regex.IGNORECASE)
    return len(written) > 2 and not any(one == one.lower() for one in written)


def cases_of(document: Document, section: int, path: str) -> Stems:
    """The cases (an environment, a region, a year …) that headings, title and path bind a section to."""
    titles = [one.title for one in document.section_path(section)]
    told = (
        " ".join((*titles, PurePath(path).with_suffix("").name)).lower().replace("_", " ").replace("-", " ")
    )
    return tuple(sorted({match.group() for match in _CASE.finditer(told)}))


def page_of(document: Document, section: int, scope: Scope) -> Stems:
    """What a label such as "Owner:" speaks of: the topics of its headings and its page. A page of several ("Branches") only
    says what kind of thing its headings name."""
    topics = [_topic(one.title) for one in document.section_path(section)]
    below = {word for topic in topics[1:] for word in topic}
    is_list = scope.name.lower().endswith("s") and bool(below)
    return bare(below if is_list else {*scope.topic, *below, *(topics[0] if topics else ())})


def _topic(title: str) -> list[str]:
    told = (stem_of(word) for word in words_of(title) if word not in STOPWORDS and word not in RULES.cases)
    return [word for word in told if word not in GENRES and not word.startswith("~")]


def _title(document: Document, path: str) -> str:
    """The first heading of the first level, else the frontmatter's title, else the file's name."""
    top = next((section.title for section in document.sections if section.level == 1), None)
    given = _FRONT_TITLE.search(document.text[: document.body.start])
    return top or (
        given[1].strip("\"' ") if given else PurePath(path).stem.replace("-", " ").replace("_", " ")
    )
