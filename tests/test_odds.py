"""The most secrets within k guesses, against brute force and Tanaka's capacities."""

import json
from collections.abc import Callable
from fractions import Fraction

import pytest
from click.testing import Result

from moo_research import published
from moo_research.odds import odds
from moo_research.rules import Rules
from tests.oracles.brute_force import Game, least_cost, vector

Moo = Callable[..., Result]


@pytest.mark.parametrize("text", ["1x1", "1x4", "2x4", "2x5", "3x4", "2x4r", "3x2rz", "2x5z"])
def test_odds_are_those_of_brute_force(text: str) -> None:
    rules = Rules.parse(text)
    game = Game(rules.positions, rules.symbols, rules.repeats, rules.leading_zero)
    found = odds(rules)
    assert found.proved
    for k, row in enumerate(found.rows, 1):
        solved = rules.size - least_cost(game, vector((0,) * k + (1,), 0))
        assert (row.guesses, row.solved) == (k, solved)
        assert row.probability == Fraction(row.solved, rules.size)
        assert (row.solved == rules.size) == (row is found.rows[-1])


def test_odds_as_json(moo: Moo) -> None:
    value = json.loads(moo("odds", "4x6r", "--json").stdout)
    assert value["rules"] == "4x6r" and value["proved"] is True
    assert [row["guesses"] for row in value["rows"]] == [1, 2, 3, 4, 5]
    assert value["rows"][-1] == {"guesses": 5, "solved": 6**4, "probability": 1.0}
    # Knuth 1977: five guesses are enough, and four are not.
    assert len(value["rows"]) == published.MASTERMIND.worst_case


def test_the_published_capacities(moo: Moo) -> None:
    """Tanaka's table 1 has the first four; all secrets take as many as the worst case."""
    lines = moo("odds").stdout.splitlines()
    assert lines[0].startswith("4x10: ")
    rows = [line.split() for line in lines[3:-2]]
    assert tuple(int(row[1]) for row in rows[:4]) == published.CAPACITIES
    assert [int(row[0]) for row in rows] == list(range(1, published.WORST_CASE + 1))
    assert rows[-1][1:] == ["5040", "1.000000", "1"]
    for _, solved, probability, fraction in rows:
        assert Fraction(fraction) == Fraction(int(solved), 5040)
        assert probability == f"{int(solved) / 5040:.6f}"
    assert lines[-1].startswith("every number proved, in ")


def test_rows_are_told_as_they_are_found() -> None:
    seen: list[int] = []
    found = odds("2x6", found=lambda row: seen.append(row.solved))
    assert seen == [row.solved for row in found.rows]


def test_a_wrong_request_prints_no_table(moo: Moo) -> None:
    result = moo("odds", "10x10")
    assert result.exit_code == 2 and result.stdout == "" and result.stderr.count("\n") == 1
