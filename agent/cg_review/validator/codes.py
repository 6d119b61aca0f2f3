"""The codes, from rules/codes.yaml: severity, title, where the specification has them, and what to do."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from cg_review.cgd.nodes import plain
from cg_review.cgd.yaml_reader import read_yaml
from cg_review.errors import InputError
from cg_review.resources import find
from cg_review.validator.report import Severity

FILE = "codes.yaml"


class Code(NamedTuple):
    """One code. `profile` is base, rfc002, rfc004 or style; `scope` is document or command; `together` may appear with it."""

    code: str
    severity: Severity
    title: str
    spec: str
    format: str
    advice: str
    profile: str = "base"
    scope: str = "document"
    together: tuple[str, ...] = ()

    @property
    def family(self) -> str:
        """The two letters of the code's family, such as ST."""
        return self.code[2:4]


@cache
def load_codes(overlays: Sequence[Path] = ()) -> dict[str, Code]:
    """Return all codes by name, in the file's order. Raises InputError where the file is not what it should be."""
    path = find("rules", FILE, overlays)
    text = path.read_text(encoding="utf-8")
    tree = read_yaml(text, 0, len(text))
    listed = plain(tree.root.get("codes")) if tree.root and not tree.problems else None
    if not isinstance(listed, list):
        raise InputError(f"{path}: expected a list `codes`")
    try:
        codes = [_code(entry) for entry in listed]
    except (TypeError, AttributeError, ValueError) as error:
        raise InputError(f"{path}: {error}") from None
    return {code.code: code for code in codes}


def _code(entry: dict[str, str]) -> Code:
    fields = dict(entry)
    together = tuple(fields.pop("with", "").split())
    severity: Severity = "error" if fields.pop("severity") == "error" else "warning"
    if fields["code"][0] != ("E" if severity == "error" else "W"):
        raise ValueError(f"{fields['code']}: letter and severity differ")
    return Code(severity=severity, together=together, **fields)
