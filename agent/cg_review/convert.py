"""Documents that are not Markdown yet: converted first, with the origin's name and hash in the frontmatter.

The converter is markitdown: one call for PDF, Word, PowerPoint and HTML, MIT, kept by Microsoft, and it works on
this machine with what it installs. docling reads PDF layouts better but downloads models of gigabytes when it runs, and
pymupdf4llm is AGPL. What it cannot do: the text of a scanned page, and a PDF's headings and tables (they come out as
text), so findings in them are told without their section.
"""

from __future__ import annotations

import hashlib
import io
import json
from importlib.metadata import PackageNotFoundError, version
from pathlib import PurePath

from cg_review.errors import InputError

# Suffix: markitdown's converter for it. Its own guessing is not used: it reads a broken PDF as plain text.
_CONVERTERS = {
    ".pdf": "PdfConverter",
    ".docx": "DocxConverter",
    ".pptx": "PptxConverter",
    ".html": "HtmlConverter",
    ".htm": "HtmlConverter",
}
CONVERTIBLE = frozenset(_CONVERTERS)
MAX_BYTES = 100_000_000


def is_convertible(name: str) -> bool:
    """Whether a file of this name is converted."""
    return PurePath(name).suffix.lower() in CONVERTIBLE


def converter() -> str:
    """Name and version of the converter; results depend on it."""
    try:
        return f"markitdown {version('markitdown')}"
    except PackageNotFoundError:
        return "markitdown (missing)"


def convert(data: bytes, name: str) -> bytes:
    """The document as Markdown, its origin in the frontmatter.

    Raises InputError where the converter is missing, or the file is too large, or cannot be read, or holds no text.
    """
    if len(data) > MAX_BYTES:
        raise InputError(f"{name}: {len(data):,} bytes; at most {MAX_BYTES:,} are converted")
    try:
        from markitdown import StreamInfo, converters
    except ModuleNotFoundError as error:
        raise InputError(f"{name}: {error.name} is missing; pip install 'cg-review[convert]'") from error
    suffix = PurePath(name).suffix.lower()
    info = StreamInfo(extension=suffix, charset=_charset(data, name))
    try:
        text = str(getattr(converters, _CONVERTERS[suffix])().convert(io.BytesIO(data), info).markdown)
    except Exception as error:  # its converters raise whatever their libraries raise on a broken file
        raise InputError(f"{name}: cannot be converted: {_first_line(error)}") from error
    text = (
        text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n\n").replace("\x00", "").strip("\n")
    )
    if not text.strip():
        raise InputError(f"{name}: holds no text; a scanned document has to be recognised (OCR) first")
    return (_origin(data, name) + text + "\n").encode("utf-8", "replace")


def _origin(data: bytes, name: str) -> str:
    fields = {
        "origin": PurePath(name).name,
        "origin-sha256": hashlib.sha256(data).hexdigest(),
        "origin-converter": converter(),
    }
    lines = "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in fields.items())
    return f"---\n{lines}---\n\n"


def _charset(data: bytes, name: str) -> str | None:
    """UTF-8 where HTML is UTF-8; otherwise the converter finds out."""
    if not name.lower().endswith((".html", ".htm")):
        return None
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return "utf-8"


def _first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__
