"""Versions of other programs that something runs on or needs."""

from __future__ import annotations

from collections.abc import Iterator

import regex

from cg_review.across.statements import Statement, is_flat
from cg_review.across.values import Value
from cg_review.across.words import RULES, WHOLES, Stems, bare, stems_of

_NAME = r"(?P<name>[A-Z][\w+#.-]*[A-Za-z+#](?: [A-Z]\w+)?)"
_VERSION = (
    r"(?P<version>v?\d+(?:\.\d+){0,3})(?![\d.]*[\w%])(?P<least>\+| or (?:later|newer|above|higher|up))?"
)
_ENDS = r"(?=[.;,]?$|[;,] | (?:and|with|in|on)\b)"
_SAYS = regex.compile(
    rf"^(?:(?P<of>[Tt]he|[Oo]ur|[Ee]very) )?(?P<holder>[^.;:!?,()]{{2,40}}?) (?:is|are|runs on|run on|uses|use|needs|need|requires|require|is built on)"
    rf"(?: at least)? {_NAME} {_VERSION}{_ENDS}"
)
_ALSO = regex.compile(
    rf" and (?:runs on|uses|needs|requires|is built on)(?: at least)? {_NAME} {_VERSION}{_ENDS}"
)
_LABEL = regex.compile(
    rf"^(?:(?P<holder>[A-Z][\w ]{{2,30}}):|(?:Requires|Needs)(?: at least)?) {_NAME} {_VERSION}{_ENDS}"
)


def versions(plain: str) -> Iterator[Statement]:
    """The versions that the sentence or list item `plain` states."""
    if not is_flat(plain.lower().replace("at least", "")):
        return
    match = _SAYS.match(plain) or _LABEL.match(plain)
    if match is None:
        return
    ours = (match.groupdict().get("of") or "").lower() == "our"
    holder = () if ours else _holder(match["holder"] or "")
    for one in (match, _ALSO.match(plain, match.end())):
        if one is not None and one["name"].lower() not in RULES.numbered:
            written = f"{one['version']}{one['least'] or ''}"
            yield version_of(
                one["name"], holder, one["version"], bool(one["least"]) or "at least" in plain, written
            )


def version_of(name: str, holder: Stems, version: str, is_least: bool, written: str) -> Statement:
    """The version of `name` that `holder` (nobody: the whole) has, or needs at least."""
    aspect = "oldest version" if is_least else "version"
    subject = (*holder, "|", *stems_of(name))
    return Statement(aspect, subject, (), Value("version", unit=version.removeprefix("v")), name, written)


def _holder(words: str) -> Stems:
    stems = stems_of(words)
    return () if set(stems) <= WHOLES else bare(stems) or stems
