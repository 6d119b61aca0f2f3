"""What nine passes cost: billed prompt tokens and wall time, against a scripted server with a provider's cache.

    python benchmarks/cost.py [--data DIR]

The server bills a prefix it has seen before at a tenth, a prefix it writes to its cache at 1.25, the rest in full. One
document's worth is one prompt of its own (instructions, document, one question), so that nine independent prompts cost
nine. Aims for long documents: at most 2.2 documents' worth; at most 2.3 latencies of wall time. Exits 1 when missed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
if not any((Path(folder) / "cg_review").is_dir() for folder in sys.path):
    sys.path.insert(0, str(ROOT / "agent"))

from cg_review.parse import parse  # noqa: E402
from cg_review.reviewers import Found  # noqa: E402
from cg_review.reviewers.desk import Desk  # noqa: E402
from cg_review.reviewers.model import ModelReviewer  # noqa: E402
from cg_review.reviewers.prompts import count_tokens  # noqa: E402
from cg_review.reviewers.settings import ModelSettings  # noqa: E402

TODAY = date(2026, 11, 30)
LONG = 50_000  # tokens from which a document counts as long
MOST_DOCUMENTS, MOST_LATENCIES = 2.2, 2.3
CACHED, WRITTEN = 0.1, 1.25


@dataclass
class Bill:
    """What a server would charge for, in tokens. A prefix is in the cache once its first answer has been sent."""

    latency: float
    billed: float = 0.0
    cached: set[str] = field(default_factory=set)
    requests: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def charge(self, prefix: str, question: str) -> None:
        """Take down one request."""
        rate = CACHED if prefix in self.cached else WRITTEN
        self.billed += rate * count_tokens(prefix) + count_tokens(question)
        self.requests += 1


@contextmanager
def server(bill: Bill) -> Iterator[str]:
    """Serve the OpenAI protocol; every answer is empty and takes the same time."""

    class Server(ThreadingHTTPServer):
        request_queue_size = 64  # eight connect at once; a full queue costs them a second

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            user = body["messages"][1]["content"]
            at = user.index("# Point ")
            prefix = body["messages"][0]["content"] + user[:at]
            with bill.lock:
                bill.charge(prefix, user[at:])
            time.sleep(bill.latency)
            with bill.lock:
                bill.cached.add(prefix)
            self.answer()

        def answer(self) -> None:
            message = {"role": "assistant", "content": '{"findings": [], "nothing_else": true}'}
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            made: dict[str, Any] = {"id": "c", "object": "chat.completion", "created": 0, "model": "scripted"}
            data = json.dumps({**made, "choices": [choice]}).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *arguments: Any) -> None:
            pass

    httpd = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=httpd.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{httpd.server_port}/v1"
    finally:
        httpd.shutdown()


@dataclass(frozen=True)
class Row:
    """One document: its length in tokens, documents' worth of three ways to ask, latencies of wall time."""

    tokens: int
    nine_passes: float
    independent: float
    one_prompt: float
    latencies: float

    @property
    def meets_aims(self) -> bool:
        """Whether the aims are met; short documents have none for tokens."""
        return self.latencies <= MOST_LATENCIES and (self.tokens < LONG or self.nine_passes <= MOST_DOCUMENTS)


def measure(text: str, latency: float) -> Row:
    """Run the nine passes over a text and work out the alternatives."""
    document = parse(text)
    bill = Bill(latency)
    with server(bill) as url:
        settings = ModelSettings(
            model="openai:scripted", base_url=url, window=1_000_000, concurrency=8, cache=False
        )
        desk = Desk(settings)
        reviewer = ModelReviewer(desk)
        started = time.perf_counter()
        results = asyncio.run(reviewer.run_all(range(1, 10), document, TODAY))
        elapsed = time.perf_counter() - started
    assert all(isinstance(result, Found) for result in results)
    (part,) = desk.parts(document)
    prompts = desk.prompts.passes(part, desk.points, TODAY).values()
    independent = [prompt.tokens for prompt in prompts]
    worth = sum(independent) / 9
    prefix = next(iter(prompts)).prefix_tokens
    questions = sum(independent) - 9 * prefix
    return Row(
        tokens=count_tokens(text),
        nine_passes=bill.billed / worth,
        independent=sum(independent) / worth,
        one_prompt=(prefix + questions) / worth,
        latencies=elapsed / latency,
    )


def texts(data: Path, lengths: list[int]) -> Iterator[str]:
    """Documents of about the given lengths in tokens, made of the Markdown files below `data`."""
    files = [path.read_text(encoding="utf-8") for path in sorted(data.rglob("*.md"))]
    if not files:
        raise SystemExit(f"{data}: no Markdown files")
    for length in lengths:
        parts: list[str] = []
        while sum(map(count_tokens, parts)) < length:
            parts.append(files[len(parts) % len(files)])
        yield "\n\n".join(parts)


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=ROOT / "examples", help="a folder of Markdown files")
    parser.add_argument("--latency", type=float, default=5.0, help="seconds that an answer takes")
    given = parser.parse_args()
    measure("Nothing.\n", 0.0001)  # imports the SDK
    print(f"{'tokens':>8} {'nine passes':>12} {'independent':>12} {'one prompt':>11} {'latencies':>10}")
    met = True
    for text in texts(given.data, [1_000, 10_000, 50_000, 150_000]):
        row = measure(text, given.latency)
        met = met and row.meets_aims
        print(
            f"{row.tokens:>8} {row.nine_passes:>12.2f} {row.independent:>12.2f} {row.one_prompt:>11.2f} "
            f"{row.latencies:>10.2f}"
        )
    print(
        f"aims: {MOST_DOCUMENTS} documents' worth from {LONG} tokens on, {MOST_LATENCIES} latencies: "
        f"{'met' if met else 'MISSED'}"
    )
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
