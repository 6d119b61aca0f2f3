"""The local page's application: who is let in, what is shown, what is saved (issue D, "Web page"). The browser is in test_browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from cg_review import validate
from cg_review.hitl.answers import Answer
from cg_review.hitl.desk import Desk, find_desks
from hitl_cases import NOON, drafted

pytest.importorskip("starlette")
pytest.importorskip("httpx")

from cg_review.hitl.web.app import MAX_FORM, build_app
from starlette.testclient import TestClient

SOURCE = "# Fares\n\nThe base fare costs $4.\n\nUsers prefer our ferry.\n"
HOST = "http://127.0.0.1:8765"
SAME = {"origin": HOST}


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    (tmp_path / ".git").mkdir()
    path = tmp_path / "fares.cgd.md"
    path.write_text(drafted(SOURCE, "fares.md"))
    return Desk(path, "web")


@pytest.fixture
def client(desk: Desk) -> Iterator[TestClient]:
    app = build_app([desk], "secret", 8765, "Maria Lopez", lambda: NOON)
    with TestClient(app, base_url=HOST, follow_redirects=False) as one:
        yield one


def form(desk: Desk, words: str, **fields: str) -> dict[str, str]:
    view = desk.view()
    placed = next(placed for placed in view.case.claims if words in placed.claim.text)
    return {"claim": placed.claim.id, f"seen-{placed.claim.id}": view.state(placed.claim), **fields}


def test_a_page_shows_the_claim_its_reason_and_nothing_ticked(client: TestClient) -> None:
    page = client.get("/secret/d/0").text
    assert "The base fare costs $4." in page
    assert "a fact about the outside world with no source" in page
    assert not re.search(r'name="response"[^>]*checked', page)
    assert "0 of 2 answered" in page
    assert client.get("/secret/").headers["location"] == "/secret/d/0"


def test_answers_are_saved_and_the_page_goes_on(client: TestClient, desk: Desk) -> None:
    data = form(desk, "base fare", response="true", evidence="fare table")
    saved = client.post("/secret/d/0/answer", data=data, headers=SAME)
    assert saved.status_code == 303
    assert "[fare table]" in desk.path.read_text()
    page = client.get(saved.headers["location"]).text
    assert "Save and end the review" in page
    assert "signed Maria Lopez" in page
    client.post("/secret/d/0/answer", data=form(desk, "Users", response="estimated"), headers=SAME)
    assert validate(desk.path, now=NOON).rag_ingestable
    assert "Nothing waits for an answer" in client.get("/secret/d/0").text


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/wrong/d/0", {}, 404),
        ("/secre/d/0", {}, 404),
        ("/d/0", {}, 404),
        ("/", {}, 404),
        ("/secret/d/9", {}, 404),
        ("/secret/static/app.py", {}, 404),
        ("/secret/static/..%2fapp.py", {}, 404),
        ("/secret/d/0", {"host": "evil.example"}, 421),
        ("/secret/d/0", {"host": "127.0.0.1:1"}, 421),
        ("/secret/d/0", {"host": "localhost:8765"}, 200),
    ],
)
def test_who_is_let_in(client: TestClient, path: str, headers: dict[str, str], status: int) -> None:
    assert client.get(path, headers=headers).status_code == status


@pytest.mark.parametrize(
    "origin", [None, "null", "https://evil.example", "http://127.0.0.1:1", "https://127.0.0.1:8765"]
)
def test_a_form_of_another_page_is_refused(client: TestClient, desk: Desk, origin: str | None) -> None:
    before = desk.path.read_bytes()
    headers = {} if origin is None else {"origin": origin}
    data = form(desk, "base fare", response="true")
    assert client.post("/secret/d/0/answer", data=data, headers=headers).status_code == 403
    assert client.post("/secret/name", data={"by": "Eve"}, headers=headers).status_code == 403
    assert desk.path.read_bytes() == before


def test_get_changes_nothing(client: TestClient, desk: Desk) -> None:
    before = desk.path.read_bytes()
    assert client.get("/secret/d/0/answer", params=form(desk, "base fare", response="true")).status_code in (
        404,
        405,
    )
    assert client.get("/secret/name", params={"by": "Eve"}).status_code in (404, 405)
    assert desk.path.read_bytes() == before


def test_every_answer_has_the_strict_headers(client: TestClient) -> None:
    for path in (
        "/secret/d/0",
        "/secret/static/keys.js",
        "/secret/static/style.css",
        "/nothing",
        "/secret/d/99",
    ):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe-inline" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
    page = client.get("/secret/d/0").text
    assert not re.search(r"<script>|<style|\son\w+=|style=|https?://(?!127)", page)


def test_a_conflict_is_shown_and_nothing_is_lost(client: TestClient, desk: Desk) -> None:
    mine = form(desk, "base fare", response="true", evidence="my table")
    other = Answer(claim=mine["claim"], response="true", evidence="Jo's table", by="Jo Berg", when=NOON)
    Desk(desk.path, "web").give([other])
    answer = client.post("/secret/d/0/answer", data=mine, headers=SAME)
    assert answer.status_code == 409
    assert "confirmed by Jo Berg on 2026-06-15" in answer.text
    assert "[Jo&#39;s table]" not in desk.path.read_text()
    assert "[Jo's table]" in desk.path.read_text()


def test_two_tabs_on_two_claims_both_count(client: TestClient, desk: Desk) -> None:
    first, second = form(desk, "base fare", response="true"), form(desk, "Users", response="estimated")
    for data in (first, second):
        assert client.post("/secret/d/0/answer", data=data, headers=SAME).status_code == 303
    assert desk.path.read_text().rstrip().endswith("CLEAR | REVIEWED")


def test_what_was_entered_stays_when_it_cannot_be_saved(client: TestClient, desk: Desk) -> None:
    data = form(
        desk, "base fare", response="false", choice="replace", replacement="It costs $5.", notes="see <b>"
    )
    answer = client.post("/secret/d/0/answer", data=data, headers=SAME)
    assert answer.status_code == 422
    assert "would need a review itself" in answer.text
    assert 'value="It costs $5."' in answer.text
    assert "see &lt;b&gt;" in answer.text
    assert client.post("/secret/d/0/answer", data={"response": "true"}, headers=SAME).status_code == 422
    assert (
        client.post("/secret/d/0/answer", data=form(desk, "base", response="maybe"), headers=SAME).status_code
        == 422
    )


def test_a_name_is_needed(desk: Desk) -> None:
    app = build_app([desk], "secret", 8765, "", lambda: NOON)
    with TestClient(app, base_url=HOST, follow_redirects=False) as client:
        data = form(desk, "base fare", response="true")
        assert client.post("/secret/d/0/answer", data=data, headers=SAME).status_code == 422
        assert "First say above who you are" in client.get("/secret/d/0").text
        named = client.post("/secret/name", data={"by": "Jörg, Berg;", "number": "0"}, headers=SAME)
        assert "httponly" in named.headers["set-cookie"].lower()
        assert "samesite=strict" in named.headers["set-cookie"].lower()
        assert client.post("/secret/d/0/answer", data=data, headers=SAME).status_code == 303
    assert 'confirmed-by: "Jörg, Berg;"' in desk.path.read_text()


def test_a_huge_form_is_refused(client: TestClient, desk: Desk) -> None:
    data = form(desk, "base fare", response="true", evidence="x" * MAX_FORM)
    assert client.post("/secret/d/0/answer", data=data, headers=SAME).status_code == 422
    assert "[xxx" not in desk.path.read_text()


def test_filters_and_the_diff(client: TestClient) -> None:
    page = client.get("/secret/d/0?point=9").text
    side = page.split("<aside")[1]
    assert "base fare" in side
    assert "Users prefer" not in side
    assert "Nothing waits for an answer here" in client.get("/secret/d/0?point=4").text
    assert "<ins> *(unverified: pricing)*</ins>" in client.get("/secret/d/0?tab=changes").text
    assert client.get("/secret/d/0?point=x&severity=%3Cb%3E&tab=%22").status_code == 200


HOSTILE = """\
# <script>alert(1)</script> Fares

<script>document.title = "owned"</script>

<img src=x onerror=alert(1)>

The base fare costs $4 at [us](javascript:alert(1)) and ![a "q" $5](x.png "t").

⸢0⸣ Users prefer our ferry ⸤0⸥.

| costs $10 <b onclick=alert(1)>x</b> | b |
|---|---|
| <svg/onload=alert(1)> | costs $20 |
"""


def test_a_hostile_document_stays_text(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    path = tmp_path / "<img src=x onerror=alert(1)>.cgd.md"
    path.write_text(drafted(HOSTILE, "fares.md"))
    app = build_app(find_desks([tmp_path], "web"), "secret", 8765, "M", lambda: NOON)
    with TestClient(app, base_url=HOST) as client:
        for tab in ("text", "changes"):
            page = client.get(f"/secret/d/0?tab={tab}").text
            assert page.count("<script") == 1  # the page's own
            assert not re.search(r"<(img|svg|b )", page)
            assert not re.search(r'(href|src)="(?!/secret/|\?|#)', page)


def test_round_a_is_a_list_of_ten_with_nothing_ticked(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    towns = ["Aldo", "Brin", "Cleo", "Dunk", "Elba", "Fell", "Gant", "Hoff", "Iver", "Jura", "Kell", "Lund"]
    lines = [f"The crossing to {town} costs ${n}." for n, town in enumerate(towns, 1)]
    (tmp_path / "list.txt").write_text("\n".join(lines))
    source = "# Fares\n\n" + "\n\n".join(lines) + "\n"
    path = tmp_path / "fares.cgd.md"
    path.write_text(drafted(source, "fares.md", sources=[tmp_path / "list.txt"], attended=True))
    desk = Desk(path, "web")
    with TestClient(build_app([desk], "secret", 8765, "M", lambda: NOON), base_url=HOST) as client:
        page = client.get("/secret/d/0").text
        assert page.count('type="checkbox"') == 10
        assert "checked" not in page
        ids = re.findall(r'name="claim" value="(claim-\w+)"', page)[:2]
        data = {"claim": ids, "response": "true", **{f"seen-{id_}": "open" for id_ in ids}}
        assert client.post("/secret/d/0/answer", data=data, headers=SAME).status_code == 200
        assert path.read_text().count("[list.txt, line") == 2
        assert client.get("/secret/d/0").text.count('type="checkbox"') == 10
