"""Advice for chunking (RFC-002): when chunks should carry sections along, and what is written of it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from cg_review.api import run_sync
from cg_review.cgd.chunk_context import chunk_advice
from cg_review.cgd.frontmatter import read_frontmatter
from cg_review.cgd.layout import take_apart
from cg_review.pipeline import Settings, review_document
from cg_review.validator import validate

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
GLOSSARY = "# Plan\n\n## 1. Glossary\n\nEngagement: a placement.\n\n## 2. Matching\n\nAn engagement ends.\n"
ORPHANS = "# Plan\n\n## 1. Limits\n\nThe limit is 80%.\n\n## 2. Use\n\nFor the limit, see §1. For all else, refer to section 1.\n"


@pytest.mark.parametrize(
    ("text", "advice", "sections", "references", "orphans"),
    [
        ("# Plan\n\nAll values are here: 80%.\n", "optional", (), 0, 0),
        (GLOSSARY, "advisable", ("## 1. Glossary",), 0, 0),
        (ORPHANS, "advisable", ("## 1. Limits",), 2, 2),
        (ORPHANS.replace("For the limit, see §1. For all", "The limit is 80% (see §1), with 3 days (see §1). For none").replace("refer to section 1", "ask"), "optional", (), 2, 0),
        ("# Plan\n\n```\nsee §1, see §2\n```\n\n<!-- see §3 -->\n", "optional", (), 0, 0),
        ("# Terms of use\n\nNothing else.\n", "optional", (), 0, 0),
        ("# P\n\n## 1. Values\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\n## 2. Use\n\nThe values of §1 apply: 5 days.\n", "advisable", ("## 1. Values",), 1, 0),
        ("# P\n\n## Values\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\n## Use\n\nThey are [here](#values): 5 days.\n", "advisable", ("## Values",), 1, 0),
    ],
)  # fmt: skip
def test_advice(text: str, advice: str, sections: tuple[str, ...], references: int, orphans: int) -> None:
    assert chunk_advice(take_apart(text)) == (advice, sections, references, orphans)


def test_a_section_that_five_others_refer_to_is_central() -> None:
    others = [f"## {n}. Part\n\nBy the rules of §9, it takes {n} days.\n\n" for n in range(1, 6)]
    text = "# P\n\n" + "".join(others) + "## 9. Rules\n\nBe kind.\n"
    assert chunk_advice(take_apart(text)).sections == ("## 9. Rules",)
    assert (
        chunk_advice(
            take_apart(text.replace("## 5. Part\n\nBy the rules of §9,", "## 5. Part\n\nSo"))
        ).sections
        == ()
    )


def review(text: str, write: bool) -> tuple[dict, str]:  # type: ignore[type-arg]
    settings = Settings(now=NOW, chunk_context=write)
    result = run_sync(review_document(text.encode(), "plan.md", settings))
    assert result.cgd_text is not None
    return result.model_dump(mode="json")["chunk_context"], result.cgd_text


def test_the_json_always_has_it_and_the_cgd_where_asked() -> None:
    shown, plain = review(GLOSSARY, write=False)
    assert shown == {"advice": "advisable", "sections": ["## 1. Glossary"]}
    assert "chunk-context" not in plain
    shown, written = review(GLOSSARY, write=True)
    data = read_frontmatter(written).data
    assert (data["chunk-context"], data["chunk-context-sections"]) == ("advisable", ["## 1. Glossary"])
    assert validate(written, now=NOW, profile="rfc002").faults == ()
    assert validate(written, now=NOW, profile="rfc004").faults == ()


def test_what_was_written_is_kept_up() -> None:
    _, written = review(GLOSSARY, write=True)
    assert review(written, write=False)[1] == written
    changed = review(written.replace("## 1. Glossary", "## 1. Overview"), write=False)[1]
    data = read_frontmatter(changed).data
    assert data["chunk-context"] == "optional"
    assert "chunk-context-sections" not in data


def test_warnings_of_the_profile() -> None:
    _, written = review(ORPHANS, write=True)
    assert validate(written, now=NOW, profile="rfc002").codes == ["W-CC02"]
    assert validate(written, now=NOW).codes == []
    bare = written.replace('chunk-context-sections:\n  - "## 1. Limits"\n', "")
    assert bare != written
    assert "W-CC01" in validate(bare, now=NOW, profile="rfc002").codes
