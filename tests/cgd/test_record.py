from __future__ import annotations

from dataclasses import dataclass

from cg_review.cgd.layout import END_MARKER, take_apart
from cg_review.cgd.record import find_record, render_record
from hypothesis import given
from hypothesis import strategies as st


@dataclass(frozen=True)
class Claim:
    text: str
    source: str = "Ask Jo Park"
    round: str = "B"
    confirmed_by: str | None = None
    confirmed_date: str | None = None


RECORD = """## HITL Verification Record

### Round A: Derived Data Confirmation
- The pump is blue (manual.md) ✓
- The pump is loud (manual.md) ⏳ pending

### Round B: True HITL Verification
| # | Claim | Status | Verified By | Date |
|---|-------|--------|-------------|------|
| 1 | Price is a \\| b | ✓ Confirmed | Jo Park | 2026-06-01 |
| 2 | Uptime is high | ⏳ Pending | — | — |
"""


def test_record_is_written_as_the_format_says() -> None:
    claims = [
        Claim("Price is a | b", confirmed_by="Jo Park", confirmed_date="2026-06-01"),
        Claim("The pump is blue", "manual.md", "A", "Jo", "2026-06-01"),
        Claim("Uptime is high"),
        Claim("The pump is loud", "manual.md", "A"),
    ]
    assert render_record(claims) == RECORD
    assert render_record(claims, "\r\n") == RECORD.replace("\n", "\r\n")
    assert render_record([]) == ""


def test_record_is_found_with_its_bullets_and_rows() -> None:
    text = f"# T\n\n```\n## HITL Verification Record\n```\n\n---\n\n{RECORD}\n{END_MARKER}\n"
    record = find_record(take_apart(text))
    assert record is not None
    assert text[slice(*record.span)] == RECORD + "\n"
    assert [text[slice(*bullet)] for bullet in record.bullets] == RECORD.split("\n")[3:5]
    assert [row.cells[1].text for row in record.rows] == ["Price is a \\| b", "Uptime is high"]


def test_other_headings_are_no_record() -> None:
    for heading in (
        "### HITL Verification Record",
        "<!--\n## HITL Verification Record\n-->",
        "    ## HITL Verification Record",
    ):
        assert find_record(take_apart(f"{heading}\n\ntext\n")) is None


@given(
    st.lists(
        st.builds(Claim, st.text(), st.text(), st.sampled_from("AB"), st.none() | st.text(min_size=1)),
        min_size=1,
        max_size=5,
    )
)
def test_whatever_people_supply_the_record_reads_back(claims: list[Claim]) -> None:
    text = f"{render_record(claims)}\n{END_MARKER}\n"
    layout = take_apart(text)
    record = find_record(layout)
    assert len(layout.markers) == 1
    assert record is not None
    assert len(record.rows) == sum(claim.round == "B" for claim in claims)
    assert all(len(row.cells) == 5 for row in record.rows)
    assert len(record.bullets) == sum(claim.round == "A" for claim in claims)
