"""What must always hold, whatever the document and whatever a reviewer says of it."""

from __future__ import annotations

from datetime import date

import pytest
from cg_review import review, validate
from cg_review.annotate import annotate, apply_edits, undo_edits
from cg_review.errors import CgReviewError, DocumentRefused, InputError
from cg_review.findings import Finding, Severity
from cg_review.guard import allows
from cg_review.markers import load_markers
from cg_review.origin import read_origin
from cg_review.parse import parse
from cg_review.pipeline import at_noon
from cg_review.placing import applicable
from cg_review.structure import shape_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import ContentReviewer, documents

TODAY = date(2026, 11, 30)
relaxed = settings(suppress_health_check=list(HealthCheck))


def drafted(text: str, reviewer: ContentReviewer, name: str = "plan.md"):
    try:
        return review(text, name=name, today=TODAY, reviewer=reviewer)
    except (DocumentRefused, InputError):
        return None


@relaxed
@given(documents)
def test_spans_slice_to_their_text(text: str) -> None:
    document = parse(text)
    for segment in document.segments:
        assert len(segment.plain) == len(segment.plain_offsets)
        assert 0 <= segment.span.start < segment.span.end <= len(text)
        assert segment.span.start <= segment.insertion <= len(text)
        for character, offset in zip(segment.plain, segment.plain_offsets, strict=True):
            if character.isalnum() and segment.table is None:
                assert text[offset] in (character, "&")


@relaxed
@given(documents, st.integers(1, 6))
def test_a_draft_is_valid_and_warns_of_nothing(text: str, share: int) -> None:
    result = drafted(text, ContentReviewer(share))
    if result is not None and result.cgd_text is not None:
        report = validate(result.cgd_text, now=at_noon(TODAY))
        assert [(fault.code, fault.message) for fault in report.faults] == []
        assert report.rag_ingestable is False


@relaxed
@given(documents, st.integers(1, 6))
def test_reviewing_the_draft_again_changes_nothing(text: str, share: int) -> None:
    first = drafted(text, ContentReviewer(share))
    if first is None or first.cgd_text is None:
        return
    again = review(
        first.cgd_text, name="plan.cgd.md", today=date(2027, 2, 1), reviewer=ContentReviewer(share)
    )
    assert again.cgd_text == first.cgd_text
    assert again.unchanged


@relaxed
@given(documents, st.integers(1, 6))
def test_findings_are_slices_of_the_text_given(text: str, share: int) -> None:
    result = drafted(text, ContentReviewer(share))
    for finding in result.findings if result else ():
        assert text[finding.start : finding.end] == finding.quote
        assert [other for other in result.findings if other.id == finding.id] == [finding]


def _every_finding(document) -> list[Finding]:
    findings = []
    for number, segment in enumerate(document.segments):
        point = number % 9 + 1
        findings.append(
            Finding(
                id=f"f{number}",
                points=(4 if segment.kind == "table" else point,),
                severity=Severity.WARNING,
                span=segment.span,
                quote=segment.span.of(document.text),
                segment=segment.number,
                reason="r",
                fix="",
            )
        )
    return findings


@relaxed
@given(documents)
def test_undoing_the_edits_restores_the_source(text: str) -> None:
    document, markers = parse(text), load_markers()
    edits = annotate(document, _every_finding(document), markers)
    assert undo_edits(apply_edits(text, edits), edits) == text


@relaxed
@given(documents)
def test_the_edits_that_go_in_change_no_structure(text: str) -> None:
    document, markers = parse(text), load_markers()
    edits = applicable(document, annotate(document, _every_finding(document), markers))
    assert shape_of(parse(apply_edits(text, edits))) == shape_of(document)


@relaxed
@given(documents)
def test_every_rewrite_passes_the_guard(text: str) -> None:
    document, markers = parse(text), load_markers()
    for edit in annotate(document, _every_finding(document), markers):
        assert edit.before == "" or allows(edit.before, edit.after, markers)
        assert edit.span.of(text) == edit.before


@relaxed
@given(st.one_of(st.binary(max_size=300), documents.map(str.encode)))
def test_no_input_raises_anything_but_our_errors(data: bytes) -> None:
    message = "any.md"
    try:
        review(data, name="any.md", today=TODAY, reviewer=ContentReviewer())
    except CgReviewError as error:
        message = str(error)
    assert "any.md" in message


@relaxed
@given(documents, st.integers(1, 5))
def test_an_earlier_reviews_edits_are_found_again(text: str, share: int) -> None:
    result = drafted(text, ContentReviewer(share))
    if result is None or result.cgd_text is None:
        return
    origin = read_origin(result.cgd_text.encode(), "plan.cgd.md", load_markers())
    assert result.cgd_text.startswith(apply_edits(origin.source, origin.edits))
    if "*(" not in text:
        assert origin.body.of(origin.source).strip() == text.lstrip("\ufeff").strip() or text.lstrip(
            "\ufeff"
        ).startswith("---")


def test_the_properties_see_documents_that_are_drafted() -> None:
    """The strategy is no use if everything it builds is refused."""
    result = drafted("# A\n\nRevenue will be $50M by Q4.\n", ContentReviewer(1))
    assert result is not None
    assert len(result.findings) == 2
    with pytest.raises(DocumentRefused):
        review("```\nnever closed", today=TODAY, reviewer=ContentReviewer(1))
