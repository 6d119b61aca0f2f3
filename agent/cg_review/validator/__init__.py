"""The deterministic validator: every code of the format, on any document that exists. Imports nothing of the LLM side.

- validate(source, *, now, profile) -> ValidationReport: every fault at once, in document order
- check(source, *, now) -> Gate: the ingestion gate; may_ingest(report), refusal(report) for a report at hand
- load_codes() -> {code: Code}: severity, title, specification section and advice
"""

from cg_review.validator.codes import Code, load_codes
from cg_review.validator.engine import PROFILES, validate
from cg_review.validator.gate import Gate, check, may_ingest, refusal
from cg_review.validator.report import Fault, ValidationReport

__all__ = [
    "PROFILES",
    "Code",
    "Fault",
    "Gate",
    "ValidationReport",
    "check",
    "load_codes",
    "may_ingest",
    "refusal",
    "validate",
]
