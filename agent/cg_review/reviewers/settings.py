"""How a model reads: which one, where, how much it may cost. Keys are never in here, only the name of their variable."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from cg_review.errors import InputError

EMBEDDED = "embedded"
KEY_VARIABLES = {"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY"}
_OUTPUT_SHARE = 4  # at most a quarter of the window is left for an answer
_OUTPUT_CAP = 8_000
_UNKNOWN_WINDOW = 16_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """Settings of the reviewer. `None` means: the default that fits the model or server.

    `model` is "embedded", "anthropic:NAME" or "openai:NAME" (any OpenAI-compatible server with `base_url`). Lengths are
    in tokens, times in seconds, cost in US dollars. `deadline` is for one pass over one part, retries included;
    `retry_after_cap` bounds how long a server may have us wait. `min_confidence` (0 to 1) is what a finding of the
    embedded reviewer needs. `rules` and `prompts` are folders laid over the shipped
    ones.
    """

    model: str = EMBEDDED
    base_url: str | None = None
    api_key_env: str | None = None
    window: int | None = None
    max_output: int | None = None
    temperature: float | None = None
    concurrency: int | None = None
    deadline: float = 300.0
    retry_after_cap: float = 60.0
    max_cost: float | None = None
    max_tokens_total: int | None = None
    cache: bool = True
    cache_dir: Path | None = None
    floor: bool = True
    min_confidence: float = 0.0
    adjudicate: bool = False
    answers: Path | None = None
    offline: bool = False
    log_content: bool = False
    rules: tuple[Path, ...] = ()
    prompts: tuple[Path, ...] = ()

    @property
    def provider(self) -> str:
        """ "embedded", "anthropic" or "openai". Raises InputError for anything else."""
        if self.model == EMBEDDED:
            return EMBEDDED
        provider, colon, name = self.model.partition(":")
        if provider not in KEY_VARIABLES or not colon or not name.strip():
            raise InputError(
                f"--model {self.model}: expected embedded, anthropic:NAME or openai:NAME (with --base-url for any "
                "OpenAI-compatible server)"
            )
        return provider

    @property
    def model_name(self) -> str:
        """The model's name as its provider knows it."""
        return self.model.partition(":")[2]

    @property
    def key_variable(self) -> str:
        """The environment variable that holds the key."""
        return self.api_key_env or KEY_VARIABLES[self.provider]

    @property
    def is_local(self) -> bool:
        """Whether the server is on this machine or a private network."""
        host = urlsplit(self.base_url or "").hostname or ""
        if host == "localhost" or host.endswith(".local"):
            return True
        try:
            return ipaddress.ip_address(host).is_private
        except ValueError:
            return False

    @property
    def at_once(self) -> int:
        """Requests in flight together. One for a local server, whose prefix cache is per slot (ENGINES)."""
        return self.concurrency or (1 if self.is_local else 8)

    def window_of(self, known: int | None) -> int:
        """The model's window; `known` is what the price list says of it."""
        return self.window or known or _UNKNOWN_WINDOW

    def output_of(self, window: int) -> int:
        """The answer allowance of one request."""
        return self.max_output or min(_OUTPUT_CAP, window // _OUTPUT_SHARE)
