"""`cg-review serve PATH…`: answer the claims of documents on a local web page."""

from __future__ import annotations

import secrets
import socket
from datetime import datetime
from pathlib import Path

import click

from cg_review.cli._people import by_option, moment, now_option, paths_argument
from cg_review.errors import InputError


@click.command("serve", context_settings={"help_option_names": ["-h", "--help"]})
@paths_argument
@by_option
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="The port (default: a free one).")
@click.option("--open/--no-open", "open_", default=True, help="Open the page in a browser.")
@now_option
def command(paths: tuple[Path, ...], by: str | None, port: int, open_: bool, now: datetime | None) -> int:
    """Answer the claims of documents on a page of this machine, which nobody else can reach.

    The address holds a random token. Stop with Ctrl-C; every answer is saved as it is given.
    """
    try:
        import uvicorn

        from cg_review.hitl.web.app import build_app
    except ImportError as error:
        raise InputError(f"serve needs {error.name}: pip install 'cg-review[web]'") from error
    from cg_review.hitl.answers import person
    from cg_review.hitl.desk import find_desks

    desks = find_desks(paths, "web")
    name = person(by) if by else ""
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
        listener.listen(128)  # whoever reads the address can connect at once
    except OSError as error:
        raise InputError(f"--port {port}: {error.strerror or error}") from error
    port = listener.getsockname()[1]
    token = secrets.token_urlsafe(24)
    app = build_app(desks, token, port, name, lambda: moment(now))
    address = f"http://127.0.0.1:{port}/{token}/"
    click.echo(f"{address}\nStop with Ctrl-C.")
    if open_:
        click.launch(address)
    config = uvicorn.Config(app, log_level="warning", access_log=False, server_header=False)
    uvicorn.Server(config).run(sockets=[listener])
    return 0
