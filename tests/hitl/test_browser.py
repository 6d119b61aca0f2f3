"""The local page in a real Chromium: a whole document, the keyboard alone, a hostile document, a conflict, axe-core.

Skipped where there is no browser, unless CG_REVIEW_BROWSER says that there has to be one (CI). With
CG_REVIEW_SCREENSHOTS=DIR the pages are kept as pictures.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cg_review import validate
from hitl_cases import NOON, PLAN, drafted

CHROMIUM = os.environ.get("CG_REVIEW_BROWSER") or shutil.which("chromium") or shutil.which("chromium-browser")
if not CHROMIUM:
    pytest.skip("no Chromium on this machine", allow_module_level=True)
if os.environ.get("CG_REVIEW_BROWSER"):
    from playwright import sync_api as playwright
else:
    playwright = pytest.importorskip("playwright.sync_api")

pytestmark = pytest.mark.xdist_group("browser")

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
AXE = Path(__file__).parent / "vendor" / "axe.min.js"
SHOTS = os.environ.get("CG_REVIEW_SCREENSHOTS")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as api:
        one = api.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield one
        one.close()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Any]:
    """Starts `cg-review serve` on a document made of a source; gives its address and the document's path."""
    (tmp_path / ".git").mkdir()
    running: list[subprocess.Popen[str]] = []

    def start(source: str = PLAN, name: str = "plan", by: str = "") -> tuple[str, Path]:
        path = tmp_path / f"{name}.cgd.md"
        path.write_text(drafted(source, "plan.md"))
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        environment.pop("CG_REVIEW_BY", None)
        command = [
            sys.executable,
            "-m",
            "cg_review",
            "serve",
            str(path),
            "--no-open",
            "--now",
            NOON.isoformat(),
        ]
        process = subprocess.Popen(
            command + (["--by", by] if by else []), env=environment, stdout=subprocess.PIPE, text=True
        )
        running.append(process)
        assert process.stdout is not None
        return process.stdout.readline().strip(), path

    yield start
    for process in running:
        process.terminate()
        process.wait(20)


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1180, "height": 900})
    context.set_default_timeout(10_000)
    one = context.new_page()
    problems: list[str] = []
    one.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    one.on("pageerror", lambda error: problems.append(str(error)))
    one.on("dialog", lambda dialog: (problems.append("dialog"), dialog.dismiss()))
    one.problems = problems
    yield one
    context.close()


def shot(page: Any, name: str) -> None:
    if SHOTS:
        page.screenshot(path=str(Path(SHOTS) / f"{name}.png"))


def serious(page: Any) -> list[str]:
    """What axe-core calls serious or critical. Its script comes through the debugger: the page's own policy forbids it."""
    page.evaluate(AXE.read_text(encoding="utf-8") + "; 0")
    result = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{one['id']}: {node['html']}"
        for one in result["violations"]
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]


def test_a_whole_document_with_the_mouse_and_a_reload(serve: Any, page: Any) -> None:
    address, path = serve()
    page.goto(address)
    page.get_by_label("You are").fill("Maria Lopez")
    page.get_by_role("button", name="Start").click()
    shot(page, "claim")
    page.get_by_label("True t", exact=True).check()
    page.get_by_label("What did you find").fill("board deck 2026, page 3")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Saved.").wait_for()
    assert "[board deck 2026, page 3]" in path.read_text()
    page.get_by_label("Not true").check()
    shot(page, "not-true")
    page.get_by_label("take the sentence out").check()
    page.get_by_role("button", name="Save").click()
    page.get_by_text("1 held until the last answer").wait_for()
    page.reload()
    for _ in range(20):
        button = page.get_by_role("button", name="Save")
        if not button.count():
            break
        page.get_by_label("Keep as an estimate").check()
        button.click()
        page.wait_for_load_state()
    page.get_by_role("heading", name="Nothing waits for an answer").wait_for()
    shot(page, "finished")
    report = validate(path, now=NOON)
    assert report.faults == ()
    assert report.rag_ingestable
    assert "Users prefer" not in path.read_text()
    assert page.problems == []


def test_the_keyboard_alone(serve: Any, page: Any) -> None:
    address, path = serve("# Fares\n\nThe base fare costs $4.\n\nUsers prefer our ferry.\n", by="Maria Lopez")
    page.goto(address)
    press = page.keyboard.press
    press("j")
    page.wait_for_url("**claim=*")
    page.wait_for_load_state()  # the keys work once the script is there
    assert page.locator("blockquote strong").inner_text() == "Users prefer our ferry."
    press("k")
    page.locator("blockquote strong", has_text="base fare").wait_for()
    page.wait_for_load_state()
    press("t")
    press("Tab")
    page.keyboard.type("fare table of May")
    press("Enter")
    page.get_by_text("Saved.").wait_for()
    page.wait_for_load_state()
    press("e")
    press("Enter")
    page.get_by_role("heading", name="Nothing waits for an answer").wait_for()
    assert "[fare table of May]" in path.read_text()
    assert validate(path, now=NOON).rag_ingestable
    page.wait_for_load_state()
    press("d")
    page.locator("pre.changes ins").first.wait_for()
    assert page.problems == []


def test_nothing_is_ticked_beforehand_and_only_what_is_needed_is_shown(serve: Any, page: Any) -> None:
    address, _ = serve(by="Maria Lopez")
    page.goto(address)
    assert page.locator("input[name=response]:checked").count() == 0
    assert not page.get_by_label("take the sentence out").is_visible()
    page.keyboard.press("f")
    assert page.get_by_label("take the sentence out").is_visible()
    assert page.get_by_label("exclude the block").is_checked()
    page.keyboard.press("e")
    assert not page.get_by_label("What did you find").is_visible()


def test_a_conflict_between_two_tabs(serve: Any, page: Any) -> None:
    address, path = serve(by="Maria Lopez")
    page.goto(address)
    other = page.context.new_page()
    other.goto(address)
    for one, words in ((other, "the other tab's table"), (page, "my table")):
        one.keyboard.press("t")
        one.get_by_label("What did you find").fill(words)
        one.get_by_role("button", name="Save").click()
        one.wait_for_load_state()
    alert = page.get_by_role("alert")
    alert.wait_for()
    assert "confirmed by Maria Lopez" in alert.inner_text()
    assert "You entered: true; my table" in alert.inner_text()
    shot(page, "conflict")
    text = path.read_text()
    assert "the other tab's table" in text
    assert "my table" not in text


HOSTILE = """\
# <script>alert(1)</script> Fares

<script>document.title = "owned"</script><img src=x onerror="document.title='owned'">

The base fare costs $4 at [us](javascript:document.title='owned') and ![a](x.png).

Users prefer <svg onload="document.title='owned'"> our ferry.
"""


def test_a_hostile_document_does_nothing(serve: Any, page: Any) -> None:
    address, _ = serve(HOSTILE, by="Maria Lopez")
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(address)
    page.get_by_role("link", name="Show what the review changed").click()
    page.locator("pre.changes").wait_for()
    assert page.title() == "plan.cgd.md · cg-review"
    assert page.problems == []
    assert page.locator("main script, main img, main svg").count() == 0
    assert all(url.startswith(address.rsplit("/", 2)[0]) for url in requests)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1180])
def test_axe_finds_no_serious_fault_and_nothing_overflows(
    serve: Any, browser: Any, scheme: str, width: int
) -> None:
    address, _ = serve(by="Maria Lopez")
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True
    )
    page = context.new_page()
    page.goto(address)
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    shot(page, f"{scheme}-{width}")
    page.keyboard.press("f")
    assert serious(page) == []
    page.keyboard.press("d")
    page.locator("pre.changes").wait_for()
    assert serious(page) == []
    context.close()
