"""HS: the document's hash."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cg_review.cgd.hashing import HASH_LINE, document_hash, hash_lines, stored_hash, unix_newlines
from cg_review.cgd.layout import next_line
from cg_review.cgd.nodes import Scalar
from cg_review.validator.checks import check, is_null, is_unknown
from cg_review.validator.report import Found, shown
from cg_review.validator.subject import Subject

_HEX64 = re.compile(r"[0-9a-f]{64}")
_LINE_ENDING = re.compile(r"\r\n|\r|\n")


@check("E-HS01")
def malformed(subject: Subject) -> Iterator[Found]:
    """`document-sha256` is not 64 lowercase hex digits, or text hides behind it.

    The hash leaves out every line of the frontmatter that looks like the key, and the deeper lines below it. More
    than one such line, or deeper lines that are not the value, would be text that nobody hashes.
    """
    node = subject.node("document-sha256")
    place = subject.place("document-sha256")
    if place is not None and not is_null(node) and not is_unknown(node):
        if not isinstance(node, Scalar) or node.style in ("|", ">") or not _HEX64.fullmatch(node.text):
            text = f", not {shown(node.text)}" if isinstance(node, Scalar) else ""
            yield Found(f"document-sha256 must be 64 lowercase hex digits{text}", place)
        elif _hidden_below(subject, place, node):
            yield Found("deeper lines below document-sha256 are outside the hash", place)
    yield from _second_line(subject)


def _hidden_below(subject: Subject, place: int, node: Scalar) -> bool:
    """Whether lines that the hash leaves out follow the line on which the value stands."""
    assert subject.layout.frontmatter is not None
    following = next_line(subject.text, node.end)
    if subject.text[following : following + 1].strip():
        return False  # nothing deeper follows
    below = unix_newlines(subject.text[place : subject.layout.frontmatter.end]).split("\n")
    ours = 1 + unix_newlines(subject.text[place : node.end]).count("\n")
    return hash_lines(below)[0][1] > ours


def _second_line(subject: Subject) -> Iterator[Found]:
    frontmatter, place = subject.layout.frontmatter, subject.place("document-sha256")
    if frontmatter is None or place is None or subject.text.count("document-sha256:", *frontmatter) < 2:
        return
    offset = frontmatter.start
    while offset < frontmatter.end:
        ending = _LINE_ENDING.search(subject.text, offset)
        line = subject.text[offset : ending.start() if ending else frontmatter.end]
        start = offset + len(line) - len(line.lstrip())
        if HASH_LINE.match(line) and start != place:
            yield Found("a second line that looks like document-sha256 is outside the hash", start)
        offset = ending.end() if ending else frontmatter.end


@check("W-HS01")
def mismatch(subject: Subject) -> Iterator[Found]:
    """The document is not the one that was sealed: frontmatter or body changed since the hash was written."""
    layout = subject.layout
    if layout.frontmatter is None or layout.end_marker is None or subject.undecodable is not None:
        return
    stored = None if is_unknown(subject.node("document-sha256")) else stored_hash(layout)
    if stored is not None and stored != document_hash(layout):
        place = subject.text.find(
            "document-sha256:", *layout.frontmatter
        )  # not by its node: the YAML may be broken
        yield Found("the document changed since it was sealed: document-sha256 does not match", place)
