"""Hypothesis: whole documents built from fragments, mutated, and plain noise."""

from __future__ import annotations

from fuzz.invariants import check_bytes
from hypothesis import given, settings
from hypothesis import strategies as st
from validator.documents import BODY, CLAIM, FRONTMATTER, RECORD, document, sealed, with_claim

FRAGMENTS = st.sampled_from(
    ["<!-- CLARITY_GATE_END -->\n", "<!-- CG-EXCLUSION:BEGIN id=a -->\n", "<!-- CG-EXCLUSION:END id=a -->\n", "<!-- CG-EXCLUSION:END id=b -->\n", "```\n", "~~~~\n", "> ```\n",
     "    ```\n", "## Verified Claims\n", "## HITL Verification Record\n", "### Round B: True HITL Verification\n", "| Claim | Value | Source | Verified |\n", "|---|---|---|---|\n",
     "| a | b | c | 2026-06-01 |\n", "<!--\n", "-->\n", "---\n", "document-sha256: x\n", "Clarity Gate: CLEAR | REVIEWED\n", "text\n", "\n", "\ufeff", "\x0c", "\u2028", "\x85", "e\u0301\n"]
)  # fmt: skip
FIELDS = st.sampled_from(
    ["tier:\n  level: SOT\n", "exceptions-ids: [a]\n", "exceptions-reason: x\n", "a: &b 1\n", "c: *b\n", "clarity-status: UNCLEAR\n", "rag-ingestable: no\n", "exclusions-coverage: .inf\n",
     "x: |\n  document-sha256: y\n", "  # deeper\n", "d: [1, {e: 2}]\n", "f: 'g\n", "h: \"\\ud800\"\n", "\ti: 1\n", "? j\n", "k: !!int x\n", "<<: {l: 1}\n", "m: \x85n\n", CLAIM]
)  # fmt: skip
LINES = FRONTMATTER.splitlines(keepends=True)


@st.composite
def documents(draw: st.DrawFn) -> bytes:
    front = list(LINES)
    for extra in draw(st.lists(FIELDS, max_size=3)):
        front.insert(draw(st.integers(0, len(front))), extra)
    if draw(st.booleans()):
        del front[draw(st.integers(0, len(front) - 1))]
    body = draw(st.lists(FRAGMENTS | st.just(BODY) | st.just(RECORD), max_size=6).map("".join))
    newline = draw(st.sampled_from(["\n", "\n", "\r\n", "\r"]))
    return document(body, "".join(front)).replace("\n", newline).encode("utf-8", "surrogatepass")


@st.composite
def mutations(draw: st.DrawFn) -> bytes:
    raw = bytearray(draw(st.sampled_from([sealed(), with_claim()])).encode())
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(raw) - 1))
        raw[place : place + draw(st.integers(0, 12))] = draw(
            st.binary(max_size=6)
            | st.sampled_from([b"\r", b"\n", b"-", b": ", b"`", b"|", b"#", b"\0", b"\xff"])
        )
    return bytes(raw)


@settings(max_examples=120, deadline=None)
@given(
    documents()
    | mutations()
    | st.binary(max_size=300)
    | st.text().map(lambda text: f"---\n{text}\n---\n".encode("utf-8", "surrogatepass"))
)
def test_any_bytes_are_answered(raw: bytes) -> None:
    check_bytes(raw)
