"""Switches for all tests. No test reaches the network: a socket to anything but this machine is an error."""

from __future__ import annotations

import ipaddress
import os
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# The suite is the same every time; CG_REVIEW_EXAMPLES=1000 looks for new examples (and then they are random).
EXAMPLES = os.environ.get("CG_REVIEW_EXAMPLES")
settings.register_profile(
    "suite", max_examples=int(EXAMPLES or 40), derandomize=EXAMPLES is None, deadline=None
)
settings.register_profile("thorough", settings.get_profile("suite"), max_examples=400)  # of `make test-all`
settings.load_profile("suite")


def _is_this_machine(address: object) -> bool:
    if not isinstance(address, tuple):
        return True  # a Unix socket
    host = str(address[0])
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@pytest.fixture(autouse=True, scope="session")
def no_network() -> Iterator[None]:
    """Refuse every connection that leaves this machine."""
    monkeypatch = pytest.MonkeyPatch()
    for name in ("connect", "connect_ex"):
        original = getattr(socket.socket, name)

        def guarded(self: socket.socket, address: Any, *, _original: Any = original) -> Any:
            if not _is_this_machine(address):
                raise RuntimeError(f"a test reached for the network: {address}")
            return _original(self, address)

        monkeypatch.setattr(socket.socket, name, guarded)
    yield
    monkeypatch.undo()


@pytest.fixture(scope="session")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where each test has a folder; pytest would look through all of them for the number of the next."""
    return tmp_path_factory.mktemp("answers")


@pytest.fixture(autouse=True)
def own_surroundings(answers: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No keys, no proxies, no settings of whoever runs the tests; a cache of each test's own."""
    for name in (
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_AUTH_TOKEN",
        "OPENAI_API_KEY",
        "OPENAI_BASE_URL",
        "CG_REVIEW_MODEL",
    ):
        monkeypatch.delenv(name, raising=False)
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    folder = Path(tempfile.mkdtemp(dir=answers))
    monkeypatch.setenv("CG_REVIEW_CACHE_DIR", str(folder))
    return folder
