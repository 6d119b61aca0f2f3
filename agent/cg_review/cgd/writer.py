"""Writes YAML: scalars that mean what they say, claims, and the frontmatter of a new file (FORMAT section 2)."""

from __future__ import annotations

import re
from collections.abc import Mapping as MappingABC
from collections.abc import Sequence as SequenceABC
from typing import Any

from cg_review.cgd.nodes import core_kind

KEY_ORDER = (
    "clarity-gate-version",
    "processed-date",
    "processed-by",
    "clarity-status",
    "hitl-status",
    "hitl-pending-count",
    "points-passed",
    "rag-ingestable",
    "document-sha256",
    "exclusions-coverage",
    "exceptions-reason",
    "exceptions-ids",
    "hitl-claims",
)
CLAIM_KEYS = ("id", "text", "value", "source", "location", "round", "confirmed-by", "confirmed-date")

# Patterns stand here as text and are compiled (and kept by `re`) on first use: the validator imports this module for
# its key names, and most of its runs never write YAML.

# Keys whose values stand unquoted in every published example, where their form allows it.
_PLAIN_KEYS = {
    "clarity-gate-version": r"\d+\.\d+",
    "processed-date": r"\d{4}-\d{2}-\d{2}",
    "confirmed-date": r"\d{4}-\d{2}-\d{2}",
    "promoted-date": r"\d{4}-\d{2}-\d{2}",
    "points-passed": r"[1-9](?:-[1-9])?(?:,[1-9](?:-[1-9])?)*",
    "document-sha256": r"[0-9a-f]{64}|PENDING",
}
# Keys whose values the seed's example always quotes.
_QUOTED_KEYS = {"text", "value", "source", "location"}
# A plain scalar: starts with a letter or a digit, and nothing in it that means something to YAML anywhere.
_PLAIN = r"(?a:[^\W_][\w ./()+%$€£&'’@~^*!?=<>|-]*)"
# What YAML 1.1 readers (many pipelines) take for a boolean, a number or a date, beyond the core schema.
_YAML11 = r"(?i:y|n|yes|no|on|off)|[-+]?[\d.][\d_,.:eE+-]*|0[xob][\da-fA-F_]+|\d{4}-\d{1,2}-\d{1,2}.*"
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_UNPRINTABLE = r"\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029\ufeff\ufffe\uffff"
_SPECIAL = rf'[\\"{_UNPRINTABLE}]'
_ONLY_DOUBLE = rf"[{_UNPRINTABLE}]"  # what only double quotes can hold


def quote_scalar(text: str) -> str:
    """Return `text` as a one-line YAML scalar that every reader takes for this string; plain where that is safe."""
    return text if _is_plain(text) else _double_quoted(text)


def _double_quoted(text: str) -> str:
    return '"' + re.sub(_SPECIAL, lambda found: _ESCAPES.get(found[0], f"\\u{ord(found[0]):04x}"), text) + '"'


def _is_plain(text: str) -> bool:
    return (
        bool(re.fullmatch(_PLAIN, text))
        and text == text.strip()
        and core_kind(text, "") == "str"
        and not re.fullmatch(_YAML11, text)
    )


def quote_like(text: str, style: str) -> str:
    """Return `text` as a scalar in the quotes of the one it replaces: "'" or '"', where they can hold it."""
    if style == "'" and not re.search(_ONLY_DOUBLE, text):
        return "'" + text.replace("'", "''") + "'"
    return _double_quoted(text) if style else quote_scalar(text)


def scalar(key: str | None, value: object) -> str:
    """Return the YAML of one scalar under `key`: str, bool, int, float or None."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    form = _PLAIN_KEYS.get(key or "")
    text = str(value)
    if form and re.fullmatch(form, text):
        return text
    return _double_quoted(text) if key in _QUOTED_KEYS else quote_scalar(text)


def render_entry(key: str, value: Any, indent: int = 0) -> list[str]:
    """Return the lines (without endings) of `key: value` in block style, `indent` spaces in."""
    head = " " * indent + quote_scalar(key) + ":"
    if isinstance(value, MappingABC):
        if not value:
            return [f"{head} {{}}"]
        return [
            head,
            *(line for name, item in value.items() for line in render_entry(name, item, indent + 2)),
        ]
    if isinstance(value, SequenceABC) and not isinstance(value, str):
        if not value:
            return [f"{head} []"]
        return [head, *(line for item in value for line in render_item(item, indent + 2))]
    return [f"{head} {scalar(key, value)}"]


def render_item(value: Any, indent: int) -> list[str]:
    """Return the lines of one list entry, its dash `indent` spaces in."""
    dash = " " * indent + "- "
    if isinstance(value, MappingABC) and value:
        lines = [line for name, item in value.items() for line in render_entry(name, item, indent + 2)]
        return [dash + lines[0][indent + 2 :], *lines[1:]]
    if isinstance(value, MappingABC) or (isinstance(value, SequenceABC) and not isinstance(value, str)):
        return [dash + render_flow(value)]
    return [dash + scalar(None, value)]


def render_flow(value: Any, key: str | None = None) -> str:
    """Return `value` in flow style, on one line."""
    if isinstance(value, MappingABC):
        return (
            "{"
            + ", ".join(f"{quote_scalar(name)}: {render_flow(item, name)}" for name, item in value.items())
            + "}"
        )
    if isinstance(value, SequenceABC) and not isinstance(value, str):
        return "[" + ", ".join(render_flow(item) for item in value) + "]"
    return scalar(key, value)  # no plain scalar of ours holds a comma, a bracket or a brace


def claim_fields(claim: object) -> dict[str, Any]:
    """Return the fields of a claim (an object or a mapping) in the format's order, without those that are absent."""
    found: dict[str, Any] = {}
    for key in CLAIM_KEYS:
        name = key.replace("-", "_")
        value = (
            claim.get(key, claim.get(name)) if isinstance(claim, MappingABC) else getattr(claim, name, None)
        )
        if value is not None:
            found[key] = str(value)
    return found


def render_frontmatter(fields: MappingABC[str, Any], kept: str = "") -> str:
    """Return the frontmatter of a new file, delimiter lines included, in the key order of FORMAT section 2.

    `kept` is YAML from the source document, copied as it stands before `tier`.
    """
    ordered = [key for key in KEY_ORDER if key in fields]
    ordered += [key for key in fields if key not in KEY_ORDER and key != "tier"]
    lines = [line for key in ordered for line in render_entry(key, fields[key])]
    tier = render_entry("tier", fields["tier"]) if "tier" in fields else []
    kept = kept if not kept or kept.endswith(("\n", "\r")) else kept + "\n"
    return "".join(
        ["---\n", *(f"{line}\n" for line in lines), kept, *(f"{line}\n" for line in tier), "---\n"]
    )
