"""A sealed document to start from, and ways to change it."""

from __future__ import annotations

from cg_review.cgd.seal import seal

BODY = "\n# Orchard Notes\n\nRow 7 was replanted in March 2026 *(orchard log, p. 12)*.\n\n"
FRONTMATTER = """clarity-gate-version: 2.1
processed-date: 2026-06-10
processed-by: cg-review
clarity-status: CLEAR
hitl-status: REVIEWED
hitl-pending-count: 0
points-passed: 1-9
rag-ingestable: true
document-sha256: PENDING
hitl-claims: []
"""
CLAIM = """hitl-claims:
  - id: claim-a0b0c001
    text: "Tree 1 bears 10 kg"
    source: "Harvest log 2025, page 1"
    location: "orchard-notes/1"
    round: B
    confirmed-by: Ines Prat
    confirmed-date: 2026-06-09
"""
RECORD = """---

## HITL Verification Record

### Round B: True HITL Verification
| # | Claim | Status | Verified By | Date |
|---|-------|--------|-------------|------|
| 1 | Tree 1 bears 10 kg | ✓ Confirmed | Ines Prat | 2026-06-09 |

"""


def document(body: str = BODY, frontmatter: str = FRONTMATTER, status: str = "CLEAR | REVIEWED") -> str:
    """A document as given, not sealed."""
    return f"---\n{frontmatter}---\n{body}<!-- CLARITY_GATE_END -->\nClarity Gate: {status}\n"


def sealed(body: str = BODY, frontmatter: str = FRONTMATTER, status: str = "CLEAR | REVIEWED") -> str:
    """A document with its own hash."""
    return seal(document(body, frontmatter, status))


def with_claim() -> str:
    """A reviewed document with one confirmed claim."""
    return sealed(BODY + RECORD, FRONTMATTER.replace("hitl-claims: []\n", CLAIM))
