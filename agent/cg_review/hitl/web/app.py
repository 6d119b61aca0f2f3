"""The application: every request is checked before anything is read, nothing changes on GET, every page has a strict CSP."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import TypeVar
from urllib.parse import parse_qs, quote, unquote

import anyio.to_thread
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from cg_review.errors import CgReviewError, InputError
from cg_review.hitl.answers import Answer, person, read_response
from cg_review.hitl.answers import Response as Said
from cg_review.hitl.desk import AnswerConflict, Desk
from cg_review.hitl.web.pages import HERE, Filters, document_page, documents_page

MAX_FORM = 64_000
"""Bytes of a form; an answer is a few sentences."""

_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; form-action 'self'; "
        "frame-ancestors 'none'; base-uri 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_STATIC = {"style.css": "text/css", "keys.js": "text/javascript"}
_Form = dict[str, list[str]]
T = TypeVar("T")


class Page:
    """The handlers, with what they share."""

    def __init__(
        self, desks: Sequence[Desk], token: str, port: int, by: str, clock: Callable[[], datetime]
    ) -> None:
        self.desks, self.token, self.by, self.clock = list(desks), token, by, clock
        self.hosts = {f"127.0.0.1:{port}", f"localhost:{port}", f"[::1]:{port}"}
        self.root = f"/{token}"

    # -- checks --------------------------------------------------------------------------------------------------------

    def refusal(self, request: Request) -> Response | None:
        """Why a request is not served: another host's name (DNS rebinding), a wrong token, another page's form."""
        host = request.headers.get("host", "")
        if host not in self.hosts:
            return PlainTextResponse("wrong host", 421)
        given = str(request.path_params.get("token", ""))
        if not secrets.compare_digest(given.encode(), self.token.encode()):
            return PlainTextResponse("not found", 404)
        if request.method == "POST":
            origin = request.headers.get("origin")
            if origin != f"http://{host}":
                return PlainTextResponse("this form was not sent by this page", 403)
        return None

    def who(self, request: Request) -> str:
        """The person at this browser: as the page was told, else as the command was."""
        return unquote(request.cookies.get("by", "")) or self.by

    def desk(self, request: Request) -> tuple[int, Desk] | None:
        """The document that a request is about."""
        number = int(request.path_params["number"])
        return (number, self.desks[number]) if number < len(self.desks) else None

    # -- pages ---------------------------------------------------------------------------------------------------------

    async def documents(self, request: Request) -> Response:
        """The list, or the document where there is only one."""
        if len(self.desks) == 1:
            return RedirectResponse(f"{self.root}/d/0", 303)
        return HTMLResponse(await _in_thread(documents_page, self.root, self.desks, self.who(request)))

    async def document(self, request: Request) -> Response:
        """One document."""
        found = self.desk(request)
        if found is None:
            return PlainTextResponse("not found", 404)
        query = request.query_params
        html = await _in_thread(
            document_page,
            self.root,
            *found,
            self.who(request),
            query.get("claim", ""),
            _filters(query.get("point", ""), query.get("severity", "")),
            "",
            None,
            "changes" if query.get("tab") == "changes" else "text",
            "Saved." if query.get("saved") == "1" else "",
        )
        return HTMLResponse(html)

    async def static(self, request: Request) -> Response:
        """The style and the script."""
        name = request.path_params["name"]
        if name not in _STATIC:
            return PlainTextResponse("not found", 404)
        return Response((HERE / "static" / name).read_bytes(), media_type=_STATIC[name])

    # -- answers -------------------------------------------------------------------------------------------------------

    async def name(self, request: Request) -> Response:
        """Remember who sits here."""
        form = await _form(request)
        try:
            who = person(_one(form, "by"))
        except CgReviewError as error:
            return PlainTextResponse(str(error), 400)
        back = _one(form, "number")
        response = RedirectResponse(f"{self.root}/d/{back}" if back.isdecimal() else f"{self.root}/", 303)
        response.set_cookie("by", quote(who), path=self.root, httponly=True, samesite="strict")
        return response

    async def answer(self, request: Request) -> Response:
        """Save one answer, or the ticked ones of Round A; show the page again with what was entered where that fails."""
        found = self.desk(request)
        if found is None:
            return PlainTextResponse("not found", 404)
        number, desk = found
        form = await _form(request)
        filters = _filters(_one(form, "point"), _one(form, "severity"))
        try:
            answers, seen = self.answers(form, person(self.who(request)))
            await _in_thread(desk.give, answers, seen)
        except CgReviewError as error:
            entered = {key: values[0] for key, values in form.items()}
            chosen = _one(form, "claim") if len(form.get("claim", [])) == 1 else ""
            html = await _in_thread(
                document_page,
                self.root,
                number,
                desk,
                self.who(request),
                chosen,
                filters,
                str(error),
                entered,
            )
            return HTMLResponse(html, 409 if isinstance(error, AnswerConflict) else 422)
        where = f"?point={filters.point}&severity={filters.severity}&saved=1"
        return RedirectResponse(f"{self.root}/d/{number}{where}", 303)

    def answers(self, form: _Form, by: str) -> tuple[list[Answer], dict[str, str]]:
        """The answers of a form, and how the claims stood on its page. Raises InputError where there are none."""
        claims = form.get("claim", [])
        said = read_response(_one(form, "response"))
        if not claims or said is None:
            raise InputError("nothing was chosen, so nothing was saved")
        if len(claims) > 1 and said is not Said.TRUE:
            raise InputError("several claims at once can only be true")
        choice = _one(form, "choice")
        answers = [
            Answer(
                claim=claim,
                response=said,
                evidence=_one(form, "evidence") if said is Said.TRUE or choice == "replace" else "",
                choice=choice if choice in ("replace", "remove") else "exclude",
                replacement=_one(form, "replacement") if choice == "replace" else "",
                notes=_one(form, "notes"),
                by=by,
                when=self.clock(),
            )
            for claim in claims
        ]
        return answers, {claim: _one(form, f"seen-{claim}") for claim in claims}


def build_app(
    desks: Sequence[Desk], token: str, port: int, by: str, clock: Callable[[], datetime]
) -> Starlette:
    """The application for `desks`, at `/token/` of loopback's `port`."""
    page = Page(desks, token, port, by, clock)

    def checked(
        handler: Callable[[Request], Awaitable[Response]],
    ) -> Callable[[Request], Awaitable[Response]]:
        async def checking(request: Request) -> Response:
            try:
                response = page.refusal(request) or await handler(request)
            except CgReviewError as error:
                response = PlainTextResponse(str(error), 422)
            response.headers.update(_HEADERS)
            return response

        return checking

    return Starlette(
        routes=[
            Route("/{token}/", checked(page.documents), methods=["GET"]),
            Route("/{token}/name", checked(page.name), methods=["POST"]),
            Route("/{token}/d/{number:int}", checked(page.document), methods=["GET"]),
            Route("/{token}/d/{number:int}/answer", checked(page.answer), methods=["POST"]),
            Route("/{token}/static/{name}", checked(page.static), methods=["GET"]),
            Route("/{rest:path}", checked(_nothing), methods=["GET", "POST"]),
        ]
    )


async def _nothing(request: Request) -> Response:
    return PlainTextResponse("not found", 404)


async def _in_thread(function: Callable[..., T], *arguments: object) -> T:
    """Run what reads and writes files beside the event loop."""
    return await anyio.to_thread.run_sync(lambda: function(*arguments))


async def _form(request: Request) -> _Form:
    """The fields of a form. Raises InputError where it is larger than an answer can be."""
    data = b""
    async for chunk in request.stream():
        data += chunk
        if len(data) > MAX_FORM:
            raise InputError("this form is too large")
    return parse_qs(data.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=200)


def _one(form: _Form, name: str) -> str:
    return form.get(name, [""])[0]


def _filters(point: str, severity: str) -> Filters:
    known = severity if severity in ("CRITICAL", "WARNING", "TEMPORAL", "VERIFIABLE") else ""
    return Filters(int(point) if point in tuple("123456789") else 0, known)
