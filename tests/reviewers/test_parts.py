"""Long documents: where they are cut, what is repeated, and that edits and cuts stay where they are."""

from __future__ import annotations

from itertools import pairwise

import pytest
from cg_review.document import Segment
from cg_review.parse import parse
from cg_review.reviewers.parts import NOWHERE, cut, ledger, states_fact
from cg_review.reviewers.prompts import load_prompts, segment_tokens
from hypothesis import given
from hypothesis import strategies as st
from model_fixtures import book

PROMPTS = load_prompts()


def parts_of(text: str, room: int = 1_500):  # type: ignore[no-untyped-def]
    document = parse(text)
    return document, cut(document, room, lambda segment: segment_tokens(document, segment))


def test_a_document_that_fits_is_one_part() -> None:
    document, parts = parts_of("# A\n\nOne.\n")
    assert [part.segments for part in parts] == [document.segments]
    assert "Part 1 of" not in PROMPTS.document(parts[0])


def test_parts_hold_every_segment_once_in_order_and_fit() -> None:
    document, parts = parts_of(book())
    assert len(parts) > 3
    assert tuple(s for part in parts for s in part.segments) == document.segments
    for part in parts:
        assert sum(segment_tokens(document, segment) for segment in part.segments) <= 1_500
        assert [part.local_number(s.number) for s in part.segments] == list(range(1, len(part.segments) + 1))
        assert part.document_number(len(part.segments) + 1) == NOWHERE
        assert part.local_number(0) == 0


def test_cuts_fall_at_section_borders() -> None:
    _, parts = parts_of(book())
    assert all(a.segments[-1].section != b.segments[0].section for a, b in pairwise(parts))


def test_a_section_too_long_is_cut_between_blocks_and_a_block_between_segments() -> None:
    paragraphs = "\n\n".join(
        f"Paragraph {n} says a little about rivers and a little about trees." for n in range(200)
    )
    _, parts = parts_of(f"# A\n\n{paragraphs}\n")
    assert len(parts) > 1
    assert all(a.segments[-1].block != b.segments[0].block for a, b in pairwise(parts))
    sentences = " ".join(f"Sentence {n} says a little about rivers." for n in range(400))
    assert len(parts_of(f"# A\n\n{sentences}\n")[1]) > 1


def test_outline_definitions_and_table_headers_are_repeated() -> None:
    rows = "\n".join(f"| Harbour {n} in the north | {n} metres |" for n in range(300))
    _, parts = parts_of(book(10) + f"\n## Depths\n\n| Harbour | Depth |\n|---|---|\n{rows}\n")
    last = PROMPTS.document(parts[-1])
    assert "-- Part" in last
    assert "Section 3" in last
    assert "TBM means tunnel boring machine." in last
    assert "--   Harbour | Depth" in last
    assert "[s1 row]" in last


def test_an_edit_changes_the_request_of_its_own_part_only() -> None:
    _, before = parts_of(book())
    _, after = parts_of(book(changed=20))
    changed = [
        a.number for a, b in zip(before, after, strict=True) if PROMPTS.document(a) != PROMPTS.document(b)
    ]
    assert len(changed) == 1


def test_the_ledger_has_the_facts_of_all_parts() -> None:
    document = parse(book())
    (facts,) = ledger(document, 20_000, lambda segment: segment_tokens(document, segment))
    gates = {s.number for s in document.segments if "gates" in s.plain}
    assert gates <= {s.number for s in facts.segments}
    assert "from all parts" in PROMPTS.document(facts)
    assert not states_fact(parse("Rivers are wet.\n").segments[0])


def test_a_ledger_too_long_keeps_statements_about_the_same_thing_together() -> None:
    text = "\n\n".join(
        f"The depot {'x' * n} has {n} {kind}." for n in range(40) for kind in ("gates", "pumps")
    )
    document = parse(text)
    first, second = ledger(document, 40, lambda segment: 1)
    assert {segment.plain.split()[-1] for segment in first.segments} == {"gates."}
    assert {segment.plain.split()[-1] for segment in second.segments} == {"pumps."}


@pytest.mark.parametrize("text", ["", "\n", "<!-- nothing -->"])
def test_nothing_to_read_is_one_empty_part(text: str) -> None:
    document, (part,) = parts_of(text)
    assert part.segments == document.segments == ()
    assert len(ledger(document, 500, lambda segment: 1)) == 1


@given(st.lists(st.integers(1, 30), min_size=1, max_size=30), st.integers(20, 200))
def test_any_cut_keeps_every_segment(lengths: list[int], room: int) -> None:
    document = parse("\n\n".join(f"## H{i}\n\n" + "Word. " * n for i, n in enumerate(lengths)))

    def weight(segment: Segment) -> int:
        return 5

    parts = cut(document, room, weight)
    assert tuple(s for part in parts for s in part.segments) == document.segments
    assert {part.of for part in parts} == {len(parts)}
