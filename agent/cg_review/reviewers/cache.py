"""Answers on disk, so that a second run costs nothing. Only validated answers are kept, never a failure.

The key is a hash of everything an answer depends on; the file holds the answer, which quotes the document, so the
folder is the user's alone.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from platformdirs import user_cache_path
from pydantic import BaseModel, ValidationError

Schema = TypeVar("Schema", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class CacheInfo:
    """What the cache holds; `size` in bytes."""

    folder: Path
    answers: int
    size: int


def default_folder() -> Path:
    """Where answers are kept unless told otherwise; `CG_REVIEW_CACHE_DIR` names another place."""
    override = os.environ.get("CG_REVIEW_CACHE_DIR")
    return Path(override) if override else user_cache_path("cg-review") / "answers"


def cache_key(values: Mapping[str, object]) -> str:
    """SHA-256 over all that an answer depends on."""
    canonical = json.dumps(values, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()


class AnswerCache:
    """A folder of answers. A cache that cannot be read or written is an empty one: it never stops a review."""

    def __init__(self, folder: Path, read_only: bool = False) -> None:
        self.folder = folder
        self._read_only = read_only

    def get(self, key: str, schema: type[Schema]) -> Schema | None:
        """The answer under `key`; None when there is none or it is not readable as `schema`."""
        try:
            return schema.model_validate_json(self._path(key).read_bytes())
        except (OSError, ValidationError):
            return None

    def put(self, key: str, answer: BaseModel) -> None:
        """Keep an answer, unless this is a cache to read only; written whole or not at all."""
        if self._read_only:
            return
        path = self._path(key)
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            descriptor, temporary = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
            try:
                with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                    file.write(answer.model_dump_json())
                os.replace(temporary, path)
            except BaseException:
                os.unlink(temporary)
                raise

    def info(self) -> CacheInfo:
        """How many answers there are and how much room they take."""
        sizes = [path.stat().st_size for path in self._files()]
        return CacheInfo(self.folder, len(sizes), sum(sizes))

    def clear(self) -> int:
        """Delete all answers; return how many. Touches nothing but files the cache named itself."""
        files = list(self._files())
        for path in files:
            path.unlink(missing_ok=True)
        return len(files)

    def _files(self) -> Iterator[Path]:
        return self.folder.glob("[0-9a-f][0-9a-f]/*.json")

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"
