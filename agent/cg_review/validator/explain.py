"""A code in words: its docstring, its entry in rules/codes.yaml, and what to do."""

from __future__ import annotations

import inspect

from cg_review.validator import engine  # noqa: F401 - registers the checks
from cg_review.validator.checks import CHECKS
from cg_review.validator.codes import Code, load_codes

_PROFILES = {
    "base": "always on",
    "rfc002": "with --profile rfc002",
    "rfc004": "with --profile rfc004",
    "style": "only with --enable",
}


def meaning(code: str) -> str:
    """Return what a document code means; "" for a code that a command raises."""
    check = CHECKS.get(code)
    return inspect.cleandoc(check.__doc__ or "") if check else ""


def explain_code(code: Code) -> str:
    """Return the page of a code."""
    when = _PROFILES[code.profile] if code.scope == "document" else "from promote, demote or the review queue"
    parts = [
        f"{code.code} ({code.severity}, {when}): {code.title}",
        meaning(code.code),
        f"What to do: {code.advice}",
    ]
    if code.together:
        parts.append(f"May rightly appear with {', '.join(code.together)}.")
    parts.append(f"Clarity Gate format 2.1, section {code.spec}")
    return "\n\n".join(part for part in parts if part) + "\n"


def list_codes() -> str:
    """Return a line a code."""
    return "".join(f"{code.code}  {code.title}\n" for code in load_codes().values())
