"""Fixtures: a folder in a project of its own, and a vendor that takes batches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from batch.tree import make
from batch_api.calling import DOCUMENTS, Vendor
from model_fixtures import Serve, protocol, serve
from scripted_batches import with_batches
from scripted_server import EMPTY, Turn, answer, finding, point_of

__all__ = ["protocol", "serve"]


def script(body: dict[str, Any]) -> Turn:
    """Point 2 objects to what is said of revenue."""
    said = "Revenue will be $9M by 2027."
    shows = f"[s2] {said}" in str(body)
    return Turn(answer(finding(2, said)) if point_of(body) == 2 and shows else EMPTY)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project with two documents."""
    make(tmp_path / "docs", DOCUMENTS)
    (tmp_path / "cg-review.toml").write_text("")
    return tmp_path


@pytest.fixture
def vendor(serve: Serve, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Vendor:
    """The vendor, and the project as working directory."""
    monkeypatch.chdir(folder)
    server = serve(script)
    return Vendor(server, with_batches(server))
