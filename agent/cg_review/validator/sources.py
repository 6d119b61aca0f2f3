"""Is a source actionable? The intent of W-HC02 (FORMAT 12.11): could a person act on it, or is it a shrug?"""

from __future__ import annotations

import re

_LIMIT = 1000  # characters of a source that are looked at

_VAGUE = re.compile(
    r"\b(?:tbd|tbc|t\.b\.d\.?|n/?a|to be (?:determined|done|confirmed)|unknown|none|unspecified|"
    r"(?:industry|market|internal|external|public|online|various|several|multiple|different|other|many|general|common|"
    r"third[- ]party|academic|scientific|recent|own)"
    r"(?: (?:reports?|benchmarks?|sources?|data|research|studies|experts?|analysts?|standards?|averages?|articles?|"
    r"papers?|documents?|information|knowledge|web ?sites?|statistics|estimates?|surveys?|literature|practices?))+|"
    r"various|internal|research|data|information|literature|internet|the web|google|common knowledge|experts?|"
    r"sources?|studies|experience|somewhere|someone|somebody)\b",
    re.IGNORECASE,
)
_NUMBERED = (
    r"\b(?:pages?|pp?\.?|sections?|sec\.?|tables?|figures?|fig\.?|appendix|annex|chapters?|slides?|rows?|lines?|"
    r"paragraphs?|clauses?|articles?|items?|tickets?|issues?)\s*(?:no\.?\s*)?[#A-Z]?\d"
)
_DOCUMENT = (
    r"reports?|guides?|specs?|specifications?|manuals?|handbooks?|datasheets?|standards?|papers?|surveys?|"
    r"documentation|docs?|release notes|changelog|minutes|audit|contract|price list"
)
_YEAR_OR_VERSION = r"(?:(?:19|20)\d\d|v\.?\s?\d|version \d|rev(?:ision|\.)? ?\w?\d|\d+\.\d+|q[1-4]\b)"
_PATTERNS = tuple(
    re.compile(pattern, flags)
    for pattern, flags in (
        (r"https?://\S|\bwww\.\S|\bdoi:|\b10\.\d{4,9}/\S", re.IGNORECASE),
        (
            r"\b[\w-]{2,64}\.[a-z][a-z0-9]{1,5}\b(?!\.$)",
            re.IGNORECASE,
        ),  # a domain, or a file with its extension
        (r"(?<![\w.])[\w-]\.(?:md|markdown|txt|csv|json|pdf|docx|xlsx)\b", re.IGNORECASE),
        (_NUMBERED, re.IGNORECASE),
        (r"§\s*\d|\b(?:appendix|annex) [A-Z]\b", 0),
        (rf"\b(?:{_DOCUMENT})\b.{{0,80}}?\b{_YEAR_OR_VERSION}", re.IGNORECASE),
        (rf"\b{_YEAR_OR_VERSION}.{{0,80}}?\b(?:{_DOCUMENT})\b", re.IGNORECASE),
        (r"\b[A-Z]{2,10}[- ]?\d{2,}", 0),  # RFC 2119, ISO 9001, a ticket's key
        (r"(?<!\w)@\w{2,}", 0),
    )
)
_ASK = re.compile(
    r"\b(?:ask|contact|check|consult|call|email|phone|see|verify|confirm)\b((?:\s+[^\s.;,]+){1,5})",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_][\w'’&.-]*")
_JOINING = {"of", "the", "and", "for", "in", "de", "van", "von", "der", "du", "di", "da", "la", "&"}


def is_actionable(source: str) -> bool:
    """Whether a person can tell from `source` where to verify a claim."""
    flat = " ".join(source[:_LIMIT].split())
    if any(pattern.search(flat) for pattern in _PATTERNS[:3]):  # an address or a file, whatever its name says
        return True
    text = _VAGUE.sub("·", flat)
    if any(pattern.search(text) for pattern in _PATTERNS):
        return True
    if any(_is_name(word) for found in _ASK.finditer(text) for word in _WORD.findall(found[1])):
        return True
    return _holds_long_name(text)


def _is_name(word: str) -> bool:
    """A capitalised word, or one in a script without capitals."""
    first = word[0]
    return first.isupper() or first.istitle() or (first.isalpha() and first.lower() == first.upper())


def _holds_long_name(text: str) -> bool:
    """Whether two name-like words follow each other, joining words between them allowed."""
    run = 0
    for phrase in re.split(r"[·,;:()\[\]/|]|\s[–—-]\s", text):
        run = 0
        for word in phrase.split():
            bare = word.strip(".'\"“”‘’")
            if bare and _is_name(bare):
                run += 1
            elif run and (bare.lower() in _JOINING or bare[:1].isdigit()):
                continue
            else:
                run = 0
            if run == 2 or (
                run == 1 and not bare.isascii() and bare.lower() == bare.upper() and len(bare) > 3
            ):
                return True
    return False
