"""Hints: exact where they claim to be, along a tree and off it; the CheckiO protocol.

Least totals come from tests/oracles/brute_force.py, which tries everything, from the closed form of
Chen & Lin, or from the published optimum of 4 x 10.
"""

from __future__ import annotations

import random
from math import inf

import pytest

import moo_research
from moo_research import advice, checkio, players, published
from moo_research.advice import Adviser
from moo_research.codes import CodeSpace
from moo_research.errors import CodeError, HistoryError
from moo_research.game import Record
from moo_research.history import Turn, numbered, read_history
from moo_research.objective import Objective
from moo_research.rules import Response, Rules
from moo_research.search import Engine
from tests.oracles.brute_force import Game, least_cost
from tests.oracles.responses import respond
from tests.strategies import all_codes

MOO = Rules.parse("4x10")


def answer(guess: str, secret: str) -> Response:
    return Response(*respond(guess, secret))


def guesses_of(adviser: Adviser, secret: str) -> list[str]:
    """Play one secret by asking for advice before every guess."""
    turns: list[Turn] = []
    while not turns or turns[-1].guess != secret:
        guess = adviser.advise(turns).guess
        turns.append(Turn(guess, answer(guess, secret)))
    return [turn.guess for turn in turns]


@pytest.mark.parametrize("name", ["2x4", "3x4", "2x3r", "2x4z"])
def test_advice_is_exact_after_any_history(name: str) -> None:
    """The total is the least there is, and the guess begins a strategy that has it."""
    rules, draw = Rules.parse(name), random.Random(4)
    codes = all_codes(rules)
    game = Game(rules.positions, rules.symbols, rules.repeats, rules.leading_zero)
    adviser = Adviser(name, seconds=inf)

    def least(secrets: list[str]) -> float:
        return least_cost(game, lambda k: k, 0, sum(1 << codes.index(code) for code in secrets))

    for _ in range(15):
        secret, turns = draw.choice(codes), []
        for _ in range(draw.randrange(3)):
            guess = draw.choice(codes)
            turns.append(Turn(guess, answer(guess, secret)))
        left = [c for c in codes if all(answer(t.guess, c) == t.response for t in turns)]
        got = adviser.advise(turns)
        assert got.candidates == len(left)
        assert got.total == least(left)
        assert got.mean == least(left) / len(left)
        assert got.is_candidate is (got.guess in left)
        parts: dict[Response, list[str]] = {}
        for code in left:
            parts.setdefault(answer(got.guess, code), []).append(code)
        assert got.parts == {response: len(part) for response, part in parts.items()}
        after = sum(least(part) for part in parts.values() if part != [got.guess])
        assert len(left) + after == got.total


@pytest.mark.parametrize("symbols", [4, 6])
def test_following_advice_is_optimal(symbols: int) -> None:
    """Totals of Chen & Lin 2004."""
    adviser = Adviser(f"2x{symbols}")
    total = sum(len(guesses_of(adviser, code)) for code in all_codes(adviser.rules))
    assert total == published.TWO_BY_N_TOTALS[symbols]


def turned(turns: list[Turn], places: list[int], names: dict[str, str]) -> list[Turn]:
    return [
        Turn("".join(names[turn.guess[place]] for place in places), turn.response) for turn in turns
    ]


def test_a_history_is_turned_into_one_of_the_tree() -> None:
    """Positions and symbols exchanged at will: the advice is the tree's, and exact.

    What is exact is told by the search, which knows nothing of the tree.
    """
    draw = random.Random(5)
    adviser = Adviser("4x10")
    tree = players.get("optimal").tree_for(MOO)
    search = Engine("4x10").search(Objective.mean())
    for length in (0, 1, 2, 2, 3, 4):
        while True:
            game = tree.play(draw.choice(all_codes(MOO)))
            if len(game) > length + 1:
                break
        turns = [Turn(guess, response) for guess, response in game[:length]]
        symbols = list(MOO.alphabet())
        other = draw.sample(symbols, len(symbols))
        names = dict(zip(symbols, other, strict=True))
        turns = turned(turns, draw.sample(range(4), 4), names)
        got = adviser.advise(turns)
        history = numbered(turns, adviser.space)
        candidates = len(search.candidates(history))
        assert got.candidates == candidates
        assert got.method == ("tree" if candidates > 1 else "single")
        assert got.total is not None
        cost = got.total + length * candidates
        if length:  # the whole game is proved elsewhere
            assert search.solve(history)[0] == cost
            assert search.value_of(adviser.space.index(got.guess), history) == cost
        else:
            assert cost == published.MINIMUM_TOTAL


def test_a_zero_that_may_not_lead_keeps_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tree of a game without a leading zero: symmetries keep the zero and the first position."""
    rules = Rules.parse("3x5z")
    tree = moo_research.solve(rules).tree
    assert tree is not None
    monkeypatch.setattr(players, "bundled_tree", lambda _rules: tree)
    adviser = Adviser(rules)
    search = Engine(rules).search(Objective.mean())
    methods = set()
    for first in all_codes(rules):
        for response in {answer(first, code) for code in all_codes(rules)}:
            turns = [Turn(first, response)]
            got = adviser.advise(turns)
            history = numbered(turns, adviser.space)
            assert got.total is not None
            assert got.total + got.candidates == search.solve(history)[0]
            assert (
                search.value_of(adviser.space.index(got.guess), history)
                == (search.solve(history)[0])
            )
            methods.add(got.method)
    assert methods == {"tree", "search", "single"}


def test_a_search_that_takes_too_long_is_given_up() -> None:
    """The same guess twice is no help, and the symmetry that is left is small."""
    turns = read_history(["9876 0B1C", "9876 0B1C"], MOO)
    got = Adviser("4x10", seconds=0).advise(turns)
    assert (got.method, got.candidates, got.total, got.mean) == ("sampled", 1440, None, None)
    exact = Adviser("4x10", seconds=inf).advise(turns)
    row = next(row for row in published.SECOND_GUESSES if row.response == "0B1C")
    assert (exact.method, exact.total) == ("search", row.total)


def test_more_turns_than_there_are_codes() -> None:
    once = read_history(["01 0B1C"], Rules.parse("2x4"))
    assert Adviser("2x4").advise(once * 300) == Adviser("2x4").advise(once)
    codes = all_codes(Rules.parse("2x4"))
    every = [Turn(guess, answer(guess, "31")) for guess in codes] * 2
    assert Adviser("2x4").advise(every).guess == "31"


def test_games_that_are_not_searched() -> None:
    """30 240 codes: the player of large games."""
    got = Adviser("5x10").advise(read_history(["01234 1B1C"], Rules.parse("5x10")))
    assert got.method == "sampled" and got.total is None
    assert sum(got.parts.values()) == got.candidates


def test_a_history_without_a_code_gets_no_advice() -> None:
    turns = read_history(["0123 0B0C", "0123 1B0C"], MOO)
    with pytest.raises(HistoryError, match="mistaken"):
        Adviser("4x10").advise(turns)


# --- CheckiO ------------------------------------------------------------------------------------


def test_checkio_needs_seven_guesses_and_plays_the_optimum() -> None:
    space = CodeSpace("4x10")
    guesses: dict[tuple[str, ...], str] = {}
    lengths = []
    for index in range(space.size):
        secret, history = space.text(index), []
        while not history or history[-1] != f"{secret} 4B0C":
            known = tuple(history)
            if known not in guesses:
                guesses[known] = checkio(history)
            guess = guesses[known]
            assert len(set(guess)) == len(guess) == 4
            history.append(f"{guess} {moo_research.respond(guess, secret)}")
        lengths.append(len(history))
    assert max(lengths) <= published.WORST_CASE
    assert sum(lengths) == published.MINIMUM_TOTAL


def test_checkio_after_the_guesses_of_others() -> None:
    """The reply agrees with every response."""
    assert checkio(["1234 0B2C", "6512 2B2C"]) in {"2516", "5612", "6152", "6521"}
    draw, codes = random.Random(6), all_codes(MOO)
    for _ in range(25):
        secret = draw.choice(codes)
        history = []
        for guess in draw.sample(codes, draw.randrange(1, 5)):
            history.append(f"{guess} {answer(guess, secret)}")
        reply = checkio(history)
        for turn in read_history(history, MOO):
            assert answer(turn.guess, reply) == turn.response
        assert checkio(tuple(history)) == reply


def test_checkio_reply_is_the_best_candidate() -> None:
    """Few candidates, none of which is as good as the best of all codes."""
    search = Engine("4x10").search(Objective.mean())
    draw, codes = random.Random(7), all_codes(MOO)
    space = search.engine.space
    seen = 0
    while seen < 4:
        secret = draw.choice(codes)
        turns = [Turn(guess, answer(guess, secret)) for guess in draw.sample(codes, 3)]
        history = numbered(turns, space)
        candidates = search.candidates(history).tolist()
        value, guess = search.solve(history)
        if not 10 < len(candidates) < 80 or guess in candidates:
            continue
        seen += 1
        values = {code: search.value_of(code, history) for code in candidates}
        reply = space.index(checkio([str(turn) for turn in turns]))
        assert values[reply] == min(values.values())
        assert value is not None and min(values.values()) >= value


def test_checkio_at_the_end_and_in_the_wrong() -> None:
    assert checkio() == checkio([]) == published.FIRST_GUESS
    assert checkio(["1234 4B0C"]) == "1234"
    with pytest.raises(HistoryError, match="mistaken"):
        checkio(["1234 4B0C", "1235 4B0C"])
    with pytest.raises(HistoryError, match="turn 2"):
        checkio(["1234 0B2C", "1234"])
    with pytest.raises(CodeError):
        Adviser("4x10").advise([Turn("12", Response(0, 0))])


def test_guesses_where_nothing_is_searched() -> None:
    record = Record("3x10")
    guess, method, total = advice.quick_guess(record.state)
    assert (record.state.space.text(guess), method, total) == ("012", "sampled", None)
