"""The small rewrites of `rules/markers.yaml`: "will be" -> "is **projected** to be", "improves" -> "**may** improve".

Only where the grammar is certain: one verb of the kind in the sentence, and a subject whose number is plain.
"""

from __future__ import annotations

import re

from cg_review.guard import inflections
from cg_review.markers import Markers, VerbRewrite

_WILL = re.compile(r"\bwill\b", re.IGNORECASE)
_WILL_VERB = re.compile(r"\bwill ([a-z]+)\b")
_SUBJECT = re.compile(r"([^\W\d_]+)\s+\Z")
_WORD = re.compile(r"(?=\b([^\W\d_]+) ([a-z]+)\b(?: ([^\W\d_]*))?)")
_BEFORE_A_NOUN = {
    "the",
    "a",
    "an",
    "of",
    "and",
    "or",
    "our",
    "its",
    "their",
    "these",
    "those",
    "all",
    "to",
    "some",
    "many",
}
_AFTER_A_NOUN = {"is", "are", "was", "were", "will", "has", "have", "and", "or", "of", "can", "may", "must"}
_NOT_A_VERB = {
    "not",
    "also",
    "never",
    "always",
    "soon",
    "then",
    "now",
    "only",
    "likely",
    "probably",
    "have",
    "likewise",
}

Proposal = tuple[int, int, str]
"""Plain characters [start, end) of a segment, and what to put there."""


def propose(point: int, plain: str, markers: Markers) -> Proposal | None:
    """The small rewrite of a point for a sentence's plain reading; None where there is none."""
    rewrites = markers.rewrites
    if point == 2:
        return _will(plain, markers)
    if point in (6, 7):
        return _verb(rewrites.causes if point == 6 else rewrites.future, plain)
    return None


def _will(plain: str, markers: Markers) -> Proposal | None:
    """`will be` -> `is **projected** to be`; `will` + verb -> `is **expected** to` + verb."""
    found = list(_WILL.finditer(plain))
    match = _WILL_VERB.search(plain)
    if len(found) != 1 or match is None or match[1] in _NOT_A_VERB or plain.rstrip().endswith("?"):
        return None
    be = _be(plain[: match.start()], markers)
    if be is None:
        return None
    template = markers.rewrites.will.will_be if match[1] == "be" else markers.rewrites.will.will_verb
    return match.start(), match.end(), template.format(be=be, verb=match[1])


def _be(before: str, markers: Markers) -> str | None:
    """The form of "be" for the subject that ends `before`; None where its number is not plain."""
    match = _SUBJECT.search(before)
    if match is None:
        return None
    word, start = match[1], match.start(1)
    lower = word.lower()
    if lower == "i":
        return "am"
    clause = re.split(r"[,;:(]", before)[-1]
    if re.search(
        r"\b(?:and|or|who|which|what|that|of|in|for|with|from|by|on|at)\b", clause[: -len(match[0])] + " "
    ):
        return None  # the word next to "will" need not be the subject
    if lower in markers.plural:
        return "are"
    if lower in markers.singular or not lower.endswith("s") or lower.endswith("ss"):
        return "is"
    return None if start and word[0].isupper() else "are"


def _verb(rule: VerbRewrite, plain: str) -> Proposal | None:
    """A verb of the rule's list, where it is the only one and stands where a verb stands."""
    found = [match for match in _WORD.finditer(plain) if match[2] in rule.verbs]
    if len(found) != 1:
        return None
    before, verb, after = (group or "" for group in found[0].groups())
    base = rule.verbs[verb]
    if verb not in inflections(base) or before.lower() in _BEFORE_A_NOUN or after.lower() in _AFTER_A_NOUN:
        return None
    return found[0].start(2), found[0].end(2), rule.replace.format(verb=base)
