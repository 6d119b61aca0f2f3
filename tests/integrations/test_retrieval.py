from __future__ import annotations

import pytest
from cg_review.errors import ReviewIncomplete
from cg_review.integrations.retrieval import Annotator, admitted, describe
from cg_review.reviewers import FakeReviewer, Found, PassFailed
from integrations.cgds import SOURCE, TODAY, draft, reviewed, tampered


def test_only_what_a_person_has_reviewed_is_admitted() -> None:
    gated = admitted(reviewed(), TODAY)
    assert gated is not None
    assert gated.body == "# Notes\n\nWe met on Monday. We plan to meet again.\n"
    for text in (SOURCE, "", draft(), tampered(), reviewed().replace("2.1", "3.0", 1)):
        assert admitted(text, TODAY) is None


def test_metadata_is_flat_and_says_what_the_document_is() -> None:
    metadata = describe(reviewed(), TODAY).metadata
    assert all(isinstance(value, str | bool) for value in metadata.values())
    assert metadata["clarity_gate_status"] == "CLEAR"
    assert metadata["clarity_gate_hitl"] == "REVIEWED"
    assert metadata["clarity_gate_ingestable"] is True
    assert metadata["clarity_gate_points"] == "1-9"
    assert metadata["clarity_gate_claims"].startswith("claim-")
    assert len(metadata["clarity_gate_sha256"]) == 64
    assert "W-HS01" in str(describe(tampered(), TODAY).metadata["clarity_gate_refused"])


def test_annotating_gives_the_markers_and_no_record() -> None:
    gated = Annotator(today=TODAY)(SOURCE, "plan.md")
    assert "**projected**" in gated.body
    assert "HITL" not in gated.body
    assert gated.metadata["clarity_gate_ingestable"] is False


def test_a_review_that_could_not_finish_is_no_annotation() -> None:
    answers = [PassFailed(1, "timed out"), *(Found(point, ()) for point in range(2, 10))]
    with pytest.raises(ReviewIncomplete, match="timed out"):
        Annotator(reviewer=FakeReviewer(answers), today=TODAY)(SOURCE, "plan.md")
