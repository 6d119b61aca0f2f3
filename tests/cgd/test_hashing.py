from __future__ import annotations

import time
import unicodedata

import pytest
from cg_review.cgd.hashing import body_hash, canonicalise, document_hash, normalise, stored_hash
from cg_review.errors import DocumentRefused
from hypothesis import given
from hypothesis import strategies as st

VECTOR = """---
clarity-gate-version: 2.0
processed-date: 2026-01-12
processed-by: Claude
clarity-status: CLEAR
hitl-status: REVIEWED
hitl-pending-count: 0
points-passed: 1-9
document-sha256: PENDING
hitl-claims: []
---

# Test Document

Hello world.

<!-- CLARITY_GATE_END -->
Clarity Gate: CLEAR | REVIEWED
"""
DIGEST = "d4db0fcd3493313c59eb2d59b8f3f9aaec1cfb578e6ce7c589a225ee48741545"


@pytest.mark.parametrize(
    "variant",
    [
        VECTOR,
        VECTOR.replace("\n", "\r\n"),
        VECTOR.replace("\n", "\r"),
        "\ufeff" + VECTOR,
        VECTOR.replace("Hello world.", "Hello world. \t\u3000"),
        VECTOR.replace("\n\n", "\n\n\n\n"),
        VECTOR.replace("PENDING", DIGEST),
        VECTOR.replace("document-sha256: PENDING", f"document-sha256:\n  {DIGEST}"),
        VECTOR.replace("CLEAR | REVIEWED", "anything after the marker"),
    ],
)
def test_vector_holds_for_every_way_to_write_the_same_text(variant: str) -> None:
    assert document_hash(variant) == DIGEST


@pytest.mark.parametrize(
    "variant",
    [
        VECTOR.replace("Hello", " Hello"),
        VECTOR.replace("Hello world.", "Hello world."[:-1]),
        VECTOR.replace("CLEAR\n", "UNCLEAR\n", 1),
        VECTOR.replace("Hello", "document-sha256: x\nHello"),
        VECTOR.replace("Hello", "\tHello"),
    ],
)
def test_every_change_of_meaning_changes_the_hash(variant: str) -> None:
    assert document_hash(variant) != DIGEST


def test_composed_and_decomposed_letters_hash_alike() -> None:
    text = VECTOR.replace("Hello", "Zoë à Malmö")
    assert document_hash(unicodedata.normalize("NFD", text)) == document_hash(
        unicodedata.normalize("NFC", text)
    )


def test_only_line_feeds_end_lines() -> None:
    assert canonicalise("a\x0cb\x85c\u2028d") == "a\x0cb\x85c\u2028d\n"


def test_a_document_without_boundaries_has_no_hash() -> None:
    with pytest.raises(DocumentRefused, match="no frontmatter"):
        document_hash("# Title\n")
    with pytest.raises(DocumentRefused, match="no end marker"):
        document_hash(VECTOR.replace("<!-- CLARITY_GATE_END -->", ""))


@pytest.mark.parametrize("form", [DIGEST, f'"{DIGEST}"', f"'{DIGEST}'  # sealed", f"\n  {DIGEST}"])
def test_stored_hash_is_read_in_every_form(form: str) -> None:
    assert stored_hash(VECTOR.replace("PENDING", form)) == DIGEST


@pytest.mark.parametrize(
    "form", ["PENDING", DIGEST.upper(), DIGEST[:-1], f"|\n  {DIGEST}", f"{DIGEST}\n  more"]
)
def test_other_forms_are_no_stored_hash(form: str) -> None:
    assert stored_hash(VECTOR.replace("PENDING", form)) is None


def test_body_hash_is_that_of_the_canonical_body() -> None:
    assert body_hash("a  \r\n\r\n\r\n\r\nb") == body_hash("a\n\nb\n")
    assert body_hash("a") != body_hash(" a")


@given(st.text(alphabet="a\u0300\u0315\u05ae\u0327\u0f73\u0344\u0344\u1100\u1161\u11a8", max_size=300))
def test_long_runs_of_marks_are_normalised_as_python_would(text: str) -> None:
    assert normalise(text) == unicodedata.normalize("NFC", text)


@pytest.mark.parametrize("marks", ["\u0315\u0300\u05ae\u0327", "\u0f73", "\u0344\u0327", "\u0300"])
def test_marks_without_end_cost_linear_time(marks: str) -> None:
    started = time.process_time()
    canonicalise("a" + marks * 200_000)
    assert time.process_time() - started < 5
