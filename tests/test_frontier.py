"""The trade-off of total against the last guess, against every undominated pair by brute force."""

import json
from collections.abc import Callable
from functools import cache

import pytest
from click.testing import Result

from moo_research.frontier import frontier
from moo_research.rules import Rules
from moo_research.search import Engine, solve, worst_case
from tests.oracles.brute_force import Game, corners, least_of, undominated, vector

Moo = Callable[..., Result]
GAMES = ("2x3", "2x4", "2x5", "2x6", "3x4", "3x5", "4x4", "2x4r", "3x3r", "3x2rz", "2x5z", "1x5")


@cache
def every_pair(text: str) -> set[tuple[float, float]]:
    """All undominated pairs of total and last, within the least worst case."""
    rules = Rules.parse(text)
    game = Game(rules.positions, rules.symbols, rules.repeats, rules.leading_zero)
    limit = worst_case(Engine(rules))
    return undominated(
        game, vector(tuple(range(1, limit + 1)), None), vector((0,) * (limit - 1) + (1,), None)
    )


def test_the_oracle_finds_corners() -> None:
    # By hand: (2, 2) lies on the line from (0, 3) to (6, 0), (3, 1) below it, (5, 1) is dominated.
    pairs = least_of({(0, 3), (2, 2), (3, 1), (5, 1), (6, 0)})
    assert pairs == {(0, 3), (2, 2), (3, 1), (6, 0)}
    assert corners(pairs) == [(0, 3), (3, 1), (6, 0)]
    assert corners({(0, 2), (1, 1), (2, 0)}) == [(0, 2), (2, 0)]


@pytest.mark.parametrize("text", GAMES)
def test_supported_points_are_the_corners_of_all(text: str) -> None:
    found = frontier(text)
    pairs = every_pair(text)
    points = [(point.total, point.last) for point in found.points]
    assert points == corners(pairs)
    if found.complete:
        assert set(points) == pairs


@pytest.mark.parametrize("text", GAMES)
def test_the_ends_are_the_lexicographic_optima(text: str) -> None:
    pairs = sorted(every_pair(text))
    limit = worst_case(Engine(text))
    for objective, then, (total, last) in (
        ("worst", "last", pairs[0]),
        ("last", ["mean"], pairs[-1]),
    ):
        solution = solve(text, objective=objective, then=then)
        assert solution.histogram is not None
        assert (solution.total, sum(solution.histogram[limit - 1 :])) == (total, last)


def test_each_point_is_the_replay_of_its_tree() -> None:
    seen = []
    found = frontier("3x7", found=seen.append)
    assert sorted(seen, key=lambda point: point.total) == list(found.points)
    for point in found.points:
        replay = point.tree.verify()
        assert replay.valid
        assert (replay.total, replay.histogram) == (point.total, point.histogram)
        assert replay.max_guesses is not None and replay.max_guesses <= found.max_guesses
        assert sum(point.histogram[found.max_guesses - 1 :]) == point.last


def test_frontier_as_json(moo: Moo) -> None:
    value = json.loads(moo("frontier", "3x5", "--json").stdout)
    assert value["rules"] == "3x5"
    assert [(p["total"], p["last"]) for p in value["points"]] == corners(every_pair("3x5"))
    for point in value["points"]:
        assert sum(point["histogram"]) == 60
        assert sum(k * n for k, n in enumerate(point["histogram"], 1)) == point["total"]
    assert isinstance(value["complete"], bool)


def test_frontier_says_which_points_are_listed(moo: Moo) -> None:
    for text in GAMES:
        lines = moo("frontier", text).stdout.splitlines()
        complete = any(line.startswith("This is the complete front") for line in lines)
        supported = any(line.startswith("These are the supported points only") for line in lines)
        assert complete != supported
        assert complete == frontier(text).complete


def test_the_same_tie_break_twice_changes_nothing(moo: Moo) -> None:
    once = json.loads(moo("solve", "3x5", "--json", "--objective", "last", "--then", "mean").stdout)
    twice = json.loads(
        moo(
            "solve", "3x5", "--json", "--objective", "last", "--then", "mean", "--then", "last"
        ).stdout
    )
    assert twice["objective"] == "last, then mean, then last"
    assert twice["histogram"] == once["histogram"]


def test_a_cost_with_tie_breaks(moo: Moo) -> None:
    """All within five guesses as often as can be, then the least total: by brute force."""
    rules = Rules.parse("3x4")
    game = Game(3, 4, False, True)
    cost = (0, 0, 1, 1, 1, 5)
    value = json.loads(
        moo("solve", "3x4", "--json", "--cost", "0,0,1,1,1,5", "--then", "mean").stdout
    )
    least = min(undominated(game, vector(cost, None), vector(tuple(range(1, 7)), None)))
    spent = sum(n * c for n, c in zip(value["histogram"], cost, strict=False))
    assert (spent, value["total"]) == least
    assert sum(value["histogram"]) == rules.size
