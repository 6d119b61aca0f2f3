"""Record the cassettes again: the nine passes over `tidewatch.md`, against a real model server (see README.md).

    python cassettes/record.py openai --base-url http://127.0.0.1:8091/v1 --model smollm2-135m-instruct
    python cassettes/record.py anthropic --model claude-sonnet-4-5     # with a key in ANTHROPIC_API_KEY

Requests are compared with their whole body, so the prompts and rules in force are kept beside the cassettes, in
`pinned/`; the tests play the cassettes with those.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sys
from datetime import date
from pathlib import Path

from ruamel.yaml import YAML

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path[:0] = [str(ROOT / "agent"), str(ROOT / "tests")]

from cassette_player import cassette  # noqa: E402
from cg_review.parse import parse  # noqa: E402
from cg_review.reviewers import PassFailed  # noqa: E402
from cg_review.reviewers.desk import Desk  # noqa: E402
from cg_review.reviewers.model import ModelReviewer  # noqa: E402
from cg_review.reviewers.settings import ModelSettings  # noqa: E402

TODAY = date(2026, 11, 30)
MAX_OUTPUT = 500  # tokens; the local model rarely stops by itself
_NEEDLESS = ("patterns", "words", "silent_on")  # of a rule file: the embedded reviewer's


def pin() -> None:
    """Keep the prompts in force, and of the rules what prompts show."""
    shutil.rmtree(HERE / "pinned", ignore_errors=True)
    shutil.copytree(ROOT / "prompts", HERE / "pinned" / "prompts")
    folder = HERE / "pinned" / "rules" / "points"
    folder.mkdir(parents=True)
    yaml = YAML(typ="safe", pure=True)
    yaml.width = 120
    for path in sorted((ROOT / "rules" / "points").glob("*.yaml")):
        shown = {k: v for k, v in yaml.load(path.read_text(encoding="utf-8")).items() if k not in _NEEDLESS}
        with (folder / path.name).open("w", encoding="utf-8") as file:
            yaml.dump(shown, file)


def settings(
    provider: str, model: str, base_url: str | None, max_output: int, concurrency: int = 1
) -> ModelSettings:
    """What the recording and its replay have in common."""
    return ModelSettings(
        model=f"{provider}:{model}",
        base_url=base_url,
        window=8_192,
        max_output=max_output,
        concurrency=concurrency,
        temperature=0.0 if base_url else None,
        deadline=3_600.0,
        cache=False,
        floor=False,
        rules=(HERE / "pinned" / "rules",),
        prompts=(HERE / "pinned" / "prompts",),
    )


def main() -> None:
    """Record one provider's cassette and say what became of the passes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("provider", choices=("openai", "anthropic"))
    parser.add_argument("--base-url")
    parser.add_argument("--model", required=True)
    parser.add_argument("--max-output", type=int, default=MAX_OUTPUT)
    parser.add_argument("--keep-pinned", action="store_true", help="play against the prompts kept earlier")
    given = parser.parse_args()
    if not given.keep_pinned:
        pin()
    document = parse((HERE / "tidewatch.md").read_text(encoding="utf-8"))
    reviewer = ModelReviewer(Desk(settings(given.provider, given.model, given.base_url, given.max_output)))
    target = HERE / f"{given.provider}.yaml"
    target.unlink(missing_ok=True)
    with cassette(given.provider, record=True):
        results = asyncio.run(reviewer.run_all(range(1, 10), document, TODAY))
    for result in results:
        outcome = result.reason if isinstance(result, PassFailed) else "found"
        print(f"point {result.point}: {outcome}, {len(result.findings)} finding(s), {result.usage}")


if __name__ == "__main__":
    main()
