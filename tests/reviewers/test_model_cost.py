"""What is not asked twice, and limits that hold: the cache of answers, dry runs, budgets."""

from __future__ import annotations

import asyncio
from datetime import date
from typing import Any

import pytest
from cg_review.parse import parse
from cg_review.reviewers import Found, PassFailed, Usage
from cg_review.reviewers.desk import Desk
from cg_review.reviewers.estimate import estimate
from cg_review.reviewers.settings import ModelSettings
from cg_review.reviewers.usage import Budget, BudgetReached, Price
from model_fixtures import TEXT, TODAY, Serve, book, read, settings
from scripted_server import EMPTY, Turn, answer, finding, point_of, turns

CLAIM = "Revenue will be $9M by Q4."


# -- the cache of answers ----------------------------------------------------------------------------------------------


def test_a_second_run_asks_nothing(serve: Serve) -> None:
    server = serve(turns(Turn(answer(finding(4, CLAIM)))))
    first = read(server)
    second = read(server)
    assert len(server.requests) == 9
    assert [r.findings for r in second] == [r.findings for r in first]
    assert all(r.usage is not None and r.usage.requests == 0 for r in second)


def test_a_new_day_asks_point_8_again(serve: Serve) -> None:
    server = serve(turns(Turn(EMPTY)))
    read(server)
    read(server, today=date(2026, 12, 1))
    assert list(map(point_of, server.requests[9:])) == [8]


@pytest.mark.parametrize(
    "changed", [{"model": "other"}, {"temperature": 0.7}, {"max_output": 777}, {"text": TEXT + "\nMore.\n"}]
)
def test_what_an_answer_depends_on_is_in_its_key(
    serve: Serve, protocol: str, changed: dict[str, Any]
) -> None:
    """C34: another model, setting or text never gets the answer of this one."""
    server = serve(turns(Turn(EMPTY)))
    read(server, 1)
    if "model" in changed:
        changed = {"model": f"{protocol}:other"}
    read(server, 1, **changed)
    assert len(server.requests) == 2


def test_a_failure_is_not_kept_and_no_cache_keeps_nothing(serve: Serve, own_surroundings: Any) -> None:
    server = serve(turns(Turn("broken", stop="cut")))
    read(server, 1)
    server.script = turns(Turn(EMPTY))
    read(server, 1, cache=False)
    assert not list(own_surroundings.rglob("*.json"))
    assert isinstance(read(server, 1)[0], Found)
    for path in own_surroundings.rglob("*.json"):
        path.write_text('{"findings": [{"quote":"Uptime')
    asked = len(server.requests)
    assert isinstance(read(server, 1)[0], Found)  # a damaged file is no answer
    assert len(server.requests) == asked + 1


def test_a_failed_pass_is_all_that_is_asked_again(serve: Serve) -> None:
    """What `--resume` rests on."""
    server = serve(lambda body: Turn(status=400) if point_of(body) == 6 else Turn(EMPTY))
    read(server)
    server.script = turns(Turn(EMPTY))
    assert all(isinstance(result, Found) for result in read(server))
    assert list(map(point_of, server.requests[9:])) == [6]


# -- cost --------------------------------------------------------------------------------------------------------------


def test_the_token_limit_is_never_passed(serve: Serve) -> None:
    server = serve(turns(Turn(EMPTY)))
    results = read(server, max_tokens_total=12_000, max_output=1_000)
    done = [result for result in results if isinstance(result, Found)]
    stopped = [result for result in results if isinstance(result, PassFailed)]
    assert done
    assert all("--max-tokens-total" in result.reason for result in stopped)
    assert sum(r.usage.input_tokens + r.usage.output_tokens for r in done if r.usage) <= 12_000
    assert read(server, max_tokens_total=50, cache=False)[0].findings == ()
    assert len(server.requests) == len(done)


def test_limits_hold_where_a_server_reports_no_usage(serve: Serve, protocol: str) -> None:
    raw = {
        "openai": b'{"choices": [{"message": {"content": "{\\"findings\\": [], \\"nothing_else\\": true}"}, "finish_reason": "stop"}]}',
        "anthropic": b'{"type": "message", "stop_reason": "end_turn", "usage": {}, '
        b'"content": [{"type": "text", "text": "{\\"findings\\": [], \\"nothing_else\\": true}"}]}',
    }[protocol]
    server = serve(turns(Turn(raw=raw)))
    results = read(server, max_tokens_total=12_000, max_output=1_000)
    assert 1 <= len(server.requests) < 9
    assert isinstance(results[0], Found)
    assert any(isinstance(result, PassFailed) for result in results)


def test_a_dry_run_makes_no_request_and_counts_right(serve: Serve) -> None:
    server = serve(turns(Turn(EMPTY)))
    for text, window in ((TEXT, 32_000), (book(), 8_000)):
        desk = Desk(settings(server, window=window, max_output=1_000))
        asked = len(server.requests)
        before = estimate(desk, range(1, 10), parse(text), TODAY)
        assert len(server.requests) == asked
        read(server, text=text, window=window, max_output=1_000)
        assert len(server.requests) - asked == before.usage.requests
        after = estimate(desk, range(1, 10), parse(text), TODAY)
        assert (after.usage.requests, after.answered) == (0, before.usage.requests)
    assert "no price known" in before.describe("openai:x")


def test_a_known_model_has_its_price() -> None:
    desk = Desk(settings_of_a_vendor())
    made = estimate(desk, range(1, 10), parse(TEXT), TODAY)
    assert desk.window == 200_000
    assert made.usage.cost is not None
    assert 0.001 < made.usage.cost < 5
    assert "up to $" in made.describe("anthropic:claude-sonnet-4-5")
    assert made.describe("a").startswith("a: 9 requests over 1 part(s)")


def settings_of_a_vendor() -> ModelSettings:
    return ModelSettings(model="anthropic:claude-sonnet-4-5")


def test_a_cost_limit_is_never_passed() -> None:
    async def spend(budget: Budget, price: Price) -> None:
        while True:
            worst = price.priced(Usage(1, 10_000, output_tokens=8_000))
            budget.settle(await budget.reserve(worst), price.priced(Usage(1, 10_000, output_tokens=100)))

    budget = Budget(max_cost=0.5)
    with pytest.raises(BudgetReached, match="--max-cost"):
        asyncio.run(spend(budget, Price("anthropic", "claude-sonnet-4-5")))
    assert budget.spent.requests > 5
    assert budget.spent.cost is not None
    assert budget.spent.cost <= 0.5


def test_a_request_that_may_not_fit_waits_for_those_in_flight() -> None:
    async def both() -> list[str]:
        budget = Budget(max_tokens=100)
        first = await budget.reserve(Usage(1, 60))
        order = []

        async def second() -> None:
            await budget.reserve(Usage(1, 60))
            order.append("second")

        waiting = asyncio.create_task(second())
        await asyncio.sleep(0.05)
        order.append("settled")
        budget.settle(first, Usage(1, 30))
        await waiting
        return order

    assert asyncio.run(both()) == ["settled", "second"]
