from __future__ import annotations

import pytest
from cg_review.cgd.hashing import document_hash, stored_hash
from cg_review.cgd.seal import seal
from cg_review.errors import DocumentRefused

DRAFT = """---
# kept
clarity-gate-version: 2.1
clarity-status: CLEAR
hitl-status: REVIEWED
hitl-pending-count: 7
rag-ingestable: true
exclusions-coverage: 0.9
document-sha256: "PENDING"   # sealed
hitl-claims:
  - {id: claim-1, text: a, confirmed-by: null}
---
Body
<!-- CG-EXCLUSION:BEGIN id=a -->
12345
<!-- CG-EXCLUSION:END id=a -->
<!-- CLARITY_GATE_END -->
Clarity Gate: CLEAR | REVIEWED
"""


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_sealing_writes_the_hash_and_nothing_else(newline: str) -> None:
    draft = "\ufeff" + DRAFT.replace("\n", newline)
    sealed = seal(draft)
    assert sealed == draft.replace("PENDING", document_hash(draft))
    assert stored_hash(sealed) == document_hash(sealed)
    assert seal(sealed) == sealed


def test_sealing_brings_computed_fields_to_their_values_when_asked() -> None:
    sealed = seal(DRAFT, computed=True)
    block = DRAFT[DRAFT.index("<!-- CG") : DRAFT.index("<!-- CLARITY")]
    share = round(len(block) / len("Body\n" + block), 4)
    assert f"hitl-pending-count: 1\nrag-ingestable: false\nexclusions-coverage: {share}\n" in sealed
    assert seal(sealed, computed=True) == sealed


def test_a_missing_hash_is_added_and_a_block_scalar_becomes_one_line() -> None:
    missing = DRAFT.replace('document-sha256: "PENDING"   # sealed\n', "")
    assert f"rag-ingestable: true\ndocument-sha256: {document_hash(missing)}\n" in seal(missing)
    block = DRAFT.replace('"PENDING"   # sealed', "|\n  PENDING\n  more")
    assert f"document-sha256: {document_hash(block)}\nhitl" in seal(block)


def test_what_cannot_be_sealed_is_refused() -> None:
    with pytest.raises(DocumentRefused, match="not YAML"):
        seal(DRAFT.replace('"PENDING"', '"PENDING'))
    with pytest.raises(DocumentRefused, match="no end marker"):
        seal(DRAFT.replace("<!-- CLARITY_GATE_END -->", ""))
    with pytest.raises(DocumentRefused, match="no frontmatter"):
        seal("text\n")
