"""The tools: what they do, and above all what they cannot do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema
import pytest
from cg_review.cgd.frontmatter import read_frontmatter
from cg_review.integrations.tools import TOOLS, Workspace, anthropic_tools, openai_tools
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from integrations.cgds import SOURCE, TODAY, draft, workspace


@pytest.fixture
def tools(tmp_path: Path) -> Workspace:
    return Workspace(workspace(tmp_path), TODAY)


def test_a_review_writes_a_draft_and_says_who_has_to_confirm(tools: Workspace) -> None:
    answer = tools.dispatch("review_document", {"path": "plan.md"})
    assert answer["draft"] == "plan.cgd.md"
    assert (tools.root / "plan.cgd.md").read_text() == draft()
    assert [(one["quote"], one["severity"]) for one in answer["findings"]] == [
        ("Revenue will be $9M by 2027.", "CRITICAL")
    ]
    assert {claim["status"] for claim in answer["claims"]} == {"pending"}
    assert "Never answer for them" in answer["next"]


def test_a_review_can_leave_the_folder_alone(tools: Workspace) -> None:
    before = sorted(tools.root.iterdir())
    assert "**projected**" in tools.dispatch("review_document", {"path": "plan.md", "write": False})["draft"]
    assert "**projected**" in tools.dispatch("review_text", {"text": SOURCE})["draft"]
    assert sorted(tools.root.iterdir()) == before


def test_the_gate_and_the_claims(tools: Workspace) -> None:
    assert tools.dispatch("check_document", {"path": "reviewed.cgd.md"})["ingestable"] is True
    assert tools.dispatch("check_document", {"path": "draft.cgd.md"})["ingestable"] is False
    assert tools.dispatch("validate_document", {"path": "draft.cgd.md"}) == {
        "path": "draft.cgd.md", "valid": True, "faults": []
    }  # fmt: skip
    claims = tools.dispatch("list_claims", {"path": "reviewed.cgd.md"})
    assert (claims["hitl_status"], [claim["status"] for claim in claims["claims"]]) == (
        "REVIEWED",
        ["verified"],
    )


def test_confirmations_are_compared_with_the_audit_log(tools: Workspace) -> None:
    (tools.root / ".git").mkdir()
    (tools.root / ".cg-review").mkdir()
    (tools.root / ".cg-review/audit.jsonl").write_text("")
    answer = tools.dispatch("check_document", {"path": "reviewed.cgd.md"})
    assert answer["ingestable"] is False
    assert "audit log" in answer["reason"]


def test_how_to_answer_names_the_command_and_does_nothing(tools: Workspace) -> None:
    before = (tools.root / "draft.cgd.md").read_bytes()
    answer = tools.dispatch("how_to_answer", {"path": "draft.cgd.md"})
    assert answer["command"] == f"cg-review confirm {tools.root / 'draft.cgd.md'}"
    assert answer["pending"] == 1
    assert (tools.root / "draft.cgd.md").read_bytes() == before


@pytest.mark.parametrize("path", ["../secret.md", "/etc/passwd", "link.md", "gone.md", "", "."])
def test_nothing_outside_the_workspace_is_touched(tools: Workspace, path: str) -> None:
    secret = tools.root.parent / "secret.md"
    secret.write_text("Revenue will be $1M.")
    (tools.root / "link.md").symlink_to(secret)
    for name in set(TOOLS) - {"review_text"}:
        assert set(tools.dispatch(name, {"path": path})) == {"error"}
    assert not secret.with_name("secret.cgd.md").exists()


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("confirm", {}),
        ("review_document", {}),
        ("review_document", {"path": 3}),
        ("review_text", {"text": "a", "x": 1}),
    ],
)
def test_wrong_calls_come_back_as_words(tools: Workspace, name: str, arguments: dict[str, Any]) -> None:
    assert set(tools.dispatch(name, arguments)) == {"error"}


def test_schemas_are_json_schemas_and_answers_fit_theirs(tools: Workspace) -> None:
    for tool in TOOLS.values():
        jsonschema.Draft202012Validator.check_schema(tool.input_schema)
        arguments = {"text": SOURCE} if tool.name == "review_text" else {"path": "draft.cgd.md"}
        jsonschema.validate(tools.dispatch(tool.name, arguments), tool.output_schema)
    assert (
        [tool["name"] for tool in anthropic_tools()]
        == [tool["name"] for tool in openai_tools()]
        == list(TOOLS)
    )


CONFIRMING = (
    "confirmed-by: An Agent\n",
    "hitl-status: REVIEWED\n",
    "Clarity Gate: CLEAR | REVIEWED\n",
    "- [x] True\n",
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    calls=st.lists(
        st.tuples(
            st.sampled_from(sorted(TOOLS)),
            st.sampled_from(["plan.md", "draft.cgd.md", "reviewed.cgd.md", "plan.cgd.md"]),
            st.lists(
                st.sampled_from(
                    (*CONFIRMING, "Prices start at $4.\n", "---\n", "## HITL Verification Record\n")
                )
            ),
        ),
        max_size=4,
    )
)
def test_no_sequence_of_calls_confirms_anything(
    tools: Workspace, calls: list[tuple[str, str, list[str]]]
) -> None:
    confirmed_before = (tools.root / "reviewed.cgd.md").read_text().count("confirmed-by:")
    for name, path, lines in calls:
        answer = tools.dispatch(
            name, {"text": "# T\n\n" + "".join(lines)} if name == "review_text" else {"path": path}
        )
        if name == "review_text" and answer.get("draft"):
            assert read_frontmatter(answer["draft"]).data["hitl-status"] == "PENDING"
    for path in tools.root.glob("*.cgd.md"):
        text = path.read_text()
        if path.name != "reviewed.cgd.md":
            assert read_frontmatter(text).data["hitl-status"] == "PENDING"
            assert "confirmed-by:" not in text
    assert (tools.root / "reviewed.cgd.md").read_text().count("confirmed-by:") <= confirmed_before
