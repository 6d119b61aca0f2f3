"""The lines at the top of a memo that say who writes to whom and about what are no claims; what follows is."""

from __future__ import annotations

import pytest
from pasting import review

CLAIM = "Our new gate is the best and cuts the costs by 40% in all the harbours of the coast."
FIELDS = {"From": "Anna Moor, COO", "To": "All staff", "Date": "2026-11-12", "Subject": CLAIM}
FORMS = {
    "lines": "\n".join(f"{label}: {words}" for label, words in FIELDS.items()),
    "lines with more": "\n".join(
        f"{label}: {words}" for label, words in {**FIELDS, "Job title": "x"}.items()
    ),
    "hard breaks": "  \r\n".join(f"**{label}:** {words}" for label, words in FIELDS.items()),
    "paragraphs": "\n\n".join(f"**{label}**: {words}" for label, words in FIELDS.items()),
    "list": "\n".join(f"- *{label}:* {words}" for label, words in FIELDS.items()),
    "quote": "\n".join(f"> {label.upper()}: {words}" for label, words in FIELDS.items()),
    "table": "| | |\n|--|--|\n" + "\n".join(f"| **{label}:** | {words} |" for label, words in FIELDS.items()),
    "table with a first row": f"| From | Anna |\n|--|--|\n| Subject | {CLAIM} |",
}


@pytest.mark.parametrize(
    "above", ["", "# Memo\n\n", "INTERNAL MEMO\n\n", "# Mail\n\nIt came late.\n\n## First\n\n"]
)
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
def test_a_letterhead_claims_nothing_and_what_follows_does(form: str, above: str) -> None:
    document, findings = review(f"{above}{form}\n\n{CLAIM}\n")
    assert [finding.quote for finding in findings] == [CLAIM]
    assert findings[0].span.end > len(document.text) - 3


@pytest.mark.parametrize(
    "text",
    [
        f"Subject: {CLAIM}\n",  # one line is no letterhead
        f"Cost: high\n\nSubject: {CLAIM}\n",
        f"From: Anna\nTo: all\n{CLAIM}\n",
        f"From: Anna\nTo: all\n\nThe harbour was closed on that day.\n\nSubject: {CLAIM}\n",
    ],
)
def test_what_only_looks_like_one_is_read(text: str) -> None:
    assert any(CLAIM in finding.quote for finding in review(text)[1])


def test_a_letterhead_may_still_be_wrong_about_the_calendar() -> None:
    (finding,) = review("From: Anna\nTo: all\nDate: Monday, 2026-11-12\n\nThe harbour is closed.\n")[1]
    assert finding.points == (8,)
