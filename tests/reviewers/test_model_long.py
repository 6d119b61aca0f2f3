"""Long documents: parts, the facts of all parts, halves."""

from __future__ import annotations

from typing import Any

from cg_review.reviewers import Found, PassFailed
from model_fixtures import Serve, book, read
from scripted_server import EMPTY, Turn, answer, finding, point_of, prefix_of, turns

CLAIM = "Revenue will be $9M by Q4."


# -- long documents ----------------------------------------------------------------------------------------------------


def test_points_5_and_8_are_also_asked_over_the_facts_of_all_parts(serve: Serve) -> None:
    server = serve(turns(Turn(EMPTY)))
    results = read(server, text=book(), window=8_000, max_output=1_000)
    assert all(isinstance(result, Found) for result in results)
    parts = len({prefix_of(body) for body in server.requests}) - 1
    assert parts >= 2
    asked = [point_of(body) for body in server.requests if "from all parts" in prefix_of(body)]
    assert sorted(asked) == [5, 8]
    assert len(server.requests) == 9 * parts + 2


def test_an_edit_in_one_part_reads_that_part_and_the_facts_again(serve: Serve) -> None:
    server = serve(turns(Turn(EMPTY)))
    read(server, text=book(), window=8_000, max_output=1_000)
    before = len(server.requests)
    read(server, text=book(changed=30), window=8_000, max_output=1_000)
    again = server.requests[before:]
    assert len({prefix_of(body) for body in again}) == 2
    assert sorted(map(point_of, again)) == sorted([*range(1, 10), 5, 8])


def test_findings_do_not_depend_on_where_the_cuts_fall(serve: Serve) -> None:
    def script(body: dict[str, Any]) -> Turn:
        lines = [line for line in prefix_of(body).splitlines() if line.startswith("[s") and "gates." in line]
        return Turn(answer(*[finding(int(line[2:].split("]")[0]), line.split("] ", 1)[1]) for line in lines]))

    server = serve(script)
    found = [
        {f.segment for f in read(server, 1, text=book(), window=window, max_output=1_000)[0].findings}
        for window in (7_000, 8_000, 12_000, 100_000)
    ]
    assert len(found[0]) == 40
    assert all(segments == found[0] for segments in found)


def test_a_global_pass_that_fails_wipes_nothing(serve: Serve) -> None:
    """C37: the part's conflict survives, and the missing pass is named."""

    def script(body: dict[str, Any]) -> Turn:
        if "from all parts" in prefix_of(body):
            return Turn(status=400)
        return Turn(answer(finding(2, "A draft.")) if "[s2] A draft." in prefix_of(body) else EMPTY)

    (result,) = read(serve(script), 5, text=book(), window=8_000, max_output=1_000)
    assert isinstance(result, PassFailed)
    assert [f.quote for f in result.findings] == ["A draft."]
    assert result.reason == "over the facts of the whole document: HTTP 400 (scripted_fault)"


def test_a_failed_part_is_named_and_found_elsewhere_is_kept(serve: Serve) -> None:
    server = serve(lambda body: Turn(status=400) if "Part 2 of" in prefix_of(body) else Turn(EMPTY))
    (result,) = read(server, 1, text=book(), window=8_000, max_output=1_000)
    assert isinstance(result, PassFailed)
    assert result.reason.startswith("part 2 of ")


def test_a_long_part_whose_answer_was_cut_is_asked_in_halves(serve: Serve) -> None:
    def script(body: dict[str, Any]) -> Turn:
        lines = [line for line in prefix_of(body).splitlines() if line.startswith("[s") and "gates." in line]
        if len(lines) > 20:
            return Turn("{", stop="cut")
        return Turn(answer(*[finding(int(line[2:].split("]")[0]), "gates") for line in lines]))

    server = serve(script)
    (result,) = read(server, 1, text=book(), window=100_000)
    assert isinstance(result, Found)
    assert len({f.segment for f in result.findings}) == 40
    assert len(server.requests) == 3
    assert result.usage is not None
    assert result.usage.requests == 3


def test_a_model_that_never_stops_does_not_multiply_the_cost(serve: Serve) -> None:
    server = serve(turns(Turn("{", stop="cut")))
    (result,) = read(server, 1, text=book(), window=100_000)
    assert isinstance(result, PassFailed)
    assert len(server.requests) == 7
    (small,) = read(server, 1)
    assert isinstance(small, PassFailed)
    assert len(server.requests) == 8
