from __future__ import annotations

import time

import pytest
from cg_review.validator.sources import is_actionable


@pytest.mark.parametrize(
    "source",
    [
        "https://example.org/prices", "www.example.org", "Vendor's pricing page (example.com)", "doi:10.1000/182", "Q3 Report page 12", "section 4.2 of the contract",
        "Table 3", "figure 2b", "Appendix B", "§ 12", "Calibration report 2026", "2025 audit", "Installation guide v2", "spec 2.1", "User manual, version 3",
        "Ask Maria in Finance", "ask the Harbour Office", "Contact Jo", "check with Ines", "Check Q3 planning doc", "Ask the author of pricing.md", "minutes.docx",
        "Annual Orchard Survey", "Maria Silva", "Bank of England", "RFC 2119", "ISO 9001", "OPS-142", "TBD - ask Maria", "询问 张伟明", "p. 14", "slides, slide 7",
        "Check the Git history for the version sealed as 7d865e959b24", "Internal Revenue Service",
    ],
)  # fmt: skip
def test_actionable(source: str) -> None:
    assert is_actionable(source)


@pytest.mark.parametrize(
    "source",
    [
        "", "   ", "TBD", "tbd.", "research", "Research", "Industry Reports", "industry benchmarks", "various sources", "Various Sources", "internal sources", "N/A", "n/a", "data",
        "Information", "internal data", "market research", "Market Research", "ask someone", "check the data", "to be determined", "unknown", "various experts", "our experience",
        "public information", "e.g. the usual", "common knowledge", "the internet", "several studies", "vague", "also vague", "-", "?", "Google",
    ],
)  # fmt: skip
def test_vague(source: str) -> None:
    assert not is_actionable(source)


def test_long_sources_cost_little() -> None:
    started = time.process_time()
    for source in (
        "report " * 50_000,
        "ask " * 50_000,
        "a." * 100_000,
        "industry " * 50_000,
        "A " * 100_000,
        "1" * 200_000,
    ):
        is_actionable(source)
    assert time.process_time() - started < 2
