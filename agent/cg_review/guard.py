"""The edit guard: an edit may add a hedge and nothing else, and may lose nothing (DESIGN, "Annotation and the edit guard")."""

from __future__ import annotations

import re

from cg_review.markers import Markers

_TOKEN = re.compile(r"\d+(?:[.,:/]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*|[^\w\s*_]", re.UNICODE)


def allows(before: str, after: str, markers: Markers) -> bool:
    """Whether every number, name and content word of `before` is in `after`, in order, and all that is new is a hedge.

    Words are compared by lemma (processes, process), everything else as written; markers in `after` are left aside.
    """
    old, new = _tokens(before), _tokens(markers.pattern.sub("", after))
    at = 0
    for token in new:
        if at < len(old) and _same(old[at], token):
            at += 1
            continue
        skipped = at
        while skipped < len(old) and old[skipped].lower() in markers.dropped:
            skipped += 1
        if skipped < len(old) and skipped > at and _same(old[skipped], token):
            at = skipped + 1
        elif token.lower() not in markers.added:
            return False
    return all(token.lower() in markers.dropped for token in old[at:])


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(text)


def _same(old: str, new: str) -> bool:
    return old == new or (old[:1] == new[:1] and (old in inflections(new) or new in inflections(old)))


def inflections(word: str) -> set[str]:
    """The third person singular of `word`, as English spells it."""
    if not word.isalpha():
        return set()
    forms = {word + "s"}
    if word.endswith(("s", "sh", "ch", "x", "z", "o")):
        forms.add(word + "es")
    if word.endswith("y"):
        forms.add(word[:-1] + "ies")
    return forms
