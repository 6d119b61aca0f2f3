"""Test vectors that ship with the program, so that an installation can prove itself: `hash --test`, `claim-id --test`."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from cg_review.cgd.hashing import document_hash
from cg_review.cgd.ids import VECTORS, claim_id

HASH_DOCUMENT = """---
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
HASH = "d4db0fcd3493313c59eb2d59b8f3f9aaec1cfb578e6ce7c589a225ee48741545"


def run_hash_vectors() -> Iterator[tuple[str, bool]]:
    """Yield (name, passed) for each hash vector of FORMAT section 3."""
    same = {
        "vector": HASH_DOCUMENT,
        "CRLF": HASH_DOCUMENT.replace("\n", "\r\n"),
        "CR": HASH_DOCUMENT.replace("\n", "\r"),
        "BOM": "\ufeff" + HASH_DOCUMENT,
        "trailing white space": HASH_DOCUMENT.replace("world.", "world. \t"),
        "extra blank lines": HASH_DOCUMENT.replace("\n\n", "\n\n\n\n"),
        "the hash itself": HASH_DOCUMENT.replace("PENDING", HASH),
        "the hash on its own line": HASH_DOCUMENT.replace(" PENDING", f"\n  {HASH}"),
    }
    for name, text in same.items():
        yield name, document_hash(text) == HASH
    different = {
        "leading white space": HASH_DOCUMENT.replace("Hello", " Hello"),
        "frontmatter": HASH_DOCUMENT.replace("CLEAR", "UNCLEAR", 1),
        "the key in the body": HASH_DOCUMENT.replace("Hello", "document-sha256: x\nHello"),
        "a marker in a fence": HASH_DOCUMENT.replace("Hello", "```\n<!-- CLARITY_GATE_END -->\n```\nHello"),
    }
    for name, text in different.items():
        yield f"{name} is hashed", document_hash(text) != HASH
    accented = HASH_DOCUMENT.replace("Hello", "Zoë")
    yield "NFD", document_hash(unicodedata.normalize("NFD", accented)) == document_hash(accented)


def run_claim_vectors() -> Iterator[tuple[str, bool]]:
    """Yield (call, passed) for each claim id vector of the seed."""
    for text, location, expected in VECTORS:
        yield f'claim_id("{text}", "{location}") = {expected}', claim_id(text, location) == expected
