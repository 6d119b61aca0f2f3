"""Against the real markitdown (`make test-frameworks`); the documents are made here."""

from __future__ import annotations

import hashlib
import io
import sys
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cg_review.cgd.frontmatter import read_frontmatter
from cg_review.convert import CONVERTIBLE, convert, is_convertible
from cg_review.errors import InputError
from cg_review.pipeline import Settings
from cg_review.run import Options, plan, run
from cg_review.sources import find_passage, read_sources
from cg_review.validator import validate
from integrations.needs import need

SETTINGS = Settings(now=datetime(2026, 11, 30, 12, tzinfo=UTC))
SENTENCE = "Revenue will be $9M by 2027."


def test_without_the_converter_the_message_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "markitdown", None)
    with pytest.raises(InputError, match=r"report\.pdf: .*pip install 'cg-review\[convert\]'"):
        convert(b"%PDF", "report.pdf")


def test_what_is_converted() -> None:
    assert is_convertible("a/Report.PDF")
    assert not is_convertible("a/report.md")


need("markitdown")


def html() -> bytes:
    return f"<html><body><h1>Plan ü</h1><p>{SENTENCE}</p><script>alert(1)</script></body></html>".encode()


def docx() -> bytes:
    word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    package = "http://schemas.openxmlformats.org/package/2006"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    main = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    files = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types"><Default Extension="rels" ContentType='
        '"application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" '
        f'ContentType="{main}"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" Type="{office}" '
        'Target="word/document.xml"/></Relationships>',
        "word/document.xml": f'<w:document xmlns:w="{word}"><w:body><w:p><w:r><w:t>{SENTENCE}</w:t></w:r></w:p>'
        "</w:body></w:document>",
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return buffer.getvalue()


def pptx() -> bytes:
    from pptx import Presentation

    presentation = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[1])
    slide.shapes.title.text = "Plan"
    slide.placeholders[1].text = SENTENCE
    buffer = io.BytesIO()
    presentation.save(buffer)
    return buffer.getvalue()


def pdf() -> bytes:
    content = f"BT /F1 12 Tf 72 720 Td ({SENTENCE}) Tj ET".encode()
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(content), content),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    out, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    size = len(objects) + 1
    trailer = b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (size, len(out))
    return out + b"xref\n0 %d\n0000000000 65535 f \n" % size + table + trailer


FILES = {"plan.html": html, "plan.docx": docx, "plan.pptx": pptx, "plan.pdf": pdf}


@pytest.mark.parametrize("name", FILES)
def test_a_document_becomes_a_cgd_that_names_its_origin(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(FILES[name]())
    with run(plan([str(tmp_path / name)], None, True, "-"), SETTINGS) as documents:
        (done,) = documents
    assert SENTENCE in [finding.quote for finding in done.review.findings]
    cgd = (tmp_path / f"{name}.cgd.md").read_text(encoding="utf-8")
    assert validate(cgd).valid
    data = read_frontmatter(cgd).data
    assert data["origin"] == name
    assert data["origin-sha256"] == hashlib.sha256((tmp_path / name).read_bytes()).hexdigest()
    assert str(data["origin-converter"]).startswith("markitdown ")
    assert "alert(1)" not in cgd


def test_folders_take_them_when_asked_and_skip_what_is_unchanged(tmp_path: Path) -> None:
    for name, make in FILES.items():
        (tmp_path / name).write_bytes(make())
    (tmp_path / "a.md").write_text(SENTENCE)
    assert [job.name[-4:] for job in plan([str(tmp_path)], None, True, "-").jobs] == ["a.md"]
    options = Options(convert=True)
    for remembered in (False, True):
        with run(plan([str(tmp_path)], None, True, "-", options), SETTINGS, options) as documents:
            assert [one.remembered for one in documents] == [remembered] * 5
    options = Options(convert=True, texts=True)
    with run(plan([str(tmp_path)], None, True, "-", options), SETTINGS, options) as documents:
        assert [(one.remembered, SENTENCE in (one.review.text or "")) for one in documents] == [
            (True, True)
        ] * 5


@pytest.mark.parametrize("suffix", sorted(CONVERTIBLE))
@pytest.mark.parametrize("data", [b"", b"not what it says", b"PK\x03\x04broken", b"%PDF-1.4 broken"])
def test_broken_files_are_errors_not_tracebacks(suffix: str, data: bytes) -> None:
    try:
        text = convert(data, f"x{suffix}")
    except InputError as error:
        assert str(error).startswith(f"x{suffix}: ")
        assert "\n" not in str(error)
    else:
        assert suffix in (".html", ".htm")
        assert b"origin-sha256" in text


def test_a_document_of_another_kind_can_be_a_source(tmp_path: Path) -> None:
    for name, data in (("plan.html", html()), ("plan.docx", docx())):
        (tmp_path / name).write_bytes(data)
    sources = read_sources([tmp_path])
    assert [source.name for source in sources] == ["plan.docx", "plan.html"]
    for source in sources:
        passage = find_passage(SENTENCE, "$9M", [source])
        assert passage is not None
        assert passage.place.startswith(f"{source.name}, converted line ")
