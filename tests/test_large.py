"""The player for games of millions of codes, and such games in simulation.

What it weighs is compared with plain definitions below, how it plays with the entropy player and
with published optima; responses come from :mod:`tests.oracles.responses`.
"""

import json
import math
from collections import Counter
from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from click.testing import Result

from moo_research import large, published
from moo_research.codes import CodeSpace
from moo_research.errors import MooError
from moo_research.large import Sampled
from moo_research.players import State, get
from moo_research.rules import Response, Rules, response_count
from moo_research.simulate import simulate
from tests.oracles import responses as oracle

Moo = Callable[..., Result]
Code = tuple[int, ...]


def all_codes(rules: Rules) -> list[Code]:
    return oracle.all_codes(rules.positions, rules.symbols, rules.repeats, rules.leading_zero)


def part_sizes(guess: Code, codes: list[Code]) -> Counter[int]:
    """Sizes of the parts by response id, without the one of the win."""
    sizes = Counter(oracle.response_id(guess, code) for code in codes)
    del sizes[response_count(len(guess)) - 1]
    return sizes


def cost(size: int) -> float:
    """Guesses for all of a part of some size, as the documentation has it."""
    return {1: 1.0, 2: 3.0, 3: 5.04}.get(size, size * (1 + 0.52 * math.log(size)))


def value(guess: Code, codes: list[Code]) -> float:
    return sum(map(cost, part_sizes(guess, codes).values())) / len(codes)


def after(space: CodeSpace, *turns: tuple[int, Response]) -> State:
    state = State.start(space)
    for guess, response in turns:
        state = state.after(guess, response)
    return state


def sample_of(state: State) -> large._Sample:
    codes = state.space.codes[state.candidates]
    return large._Sample(state.space.rules, codes)


STATES = [("4x6", "0123", "1B1C"), ("3x5r", "012", "0B1C"), ("3x6z", "123", "0B2C")]


# --- How it plays -------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["3x10", "4x8", "4x6r", "4x9z"])
@pytest.mark.parametrize("exhaustive", [True, False])
def test_small_games_are_played_about_as_well_as_by_entropy(
    rules: str, exhaustive: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within one per cent if every guess is weighed, within two if they are sampled and climb."""
    if not exhaustive:
        monkeypatch.setattr(large, "_EXHAUSTIVE", 0)
    total = simulate(get("sampled"), rules).total
    assert total <= simulate(get("entropy"), rules).total * (1.01 if exhaustive else 1.02)
    if rules == "4x6r":
        assert total >= published.MASTERMIND.total


@pytest.mark.parametrize(("rules", "games"), [("10x10", 2), ("7x10z", 4), ("6x12r", 2)])
def test_large_games_to_the_end(rules: str, games: int) -> None:
    """A judge that knows the secret answers; every guess is a code, and the last is the secret."""
    space, player = CodeSpace(rules), get("sampled")
    codes = np.random.default_rng(7).integers(space.size, size=games).tolist()
    for secret in codes:
        state = State.start(space)
        while (guess := player.choose(state)) != secret:
            pair = [tuple(space.codes[number].tolist()) for number in (guess, secret)]
            before = state.candidates.size
            state = state.after(guess, Response(*oracle.respond(*pair)))
            assert secret in state.candidates
            assert state.candidates.size < before
        # No better than luck would be a game of hundreds of guesses.
        assert len(state.history) + 1 <= 20


def test_equal_states_get_equal_guesses() -> None:
    space = CodeSpace("7x10")
    turn = (space.index("0123456"), Response(1, 4))
    guesses = [[player.choose(after(space, turn)) for _ in range(2)]
               for player in (Sampled(), Sampled(seed=5), Sampled(effort=0.1))]  # fmt: skip
    assert all(one == two for one, two in guesses)
    assert len({one for one, _two in guesses}) > 1
    first, second = (simulate(Sampled(), "7x10", games=5, seed=2) for _ in range(2))
    assert (first.histogram, first.longest) == (second.histogram, second.longest)


@pytest.mark.parametrize("effort", [0.001, 3.0])
def test_any_effort_plays(effort: float) -> None:
    found = simulate(Sampled(effort=effort), "6x9", games=5, seed=1)
    assert found.games == 5 and found.max_guesses <= 20


@pytest.mark.parametrize("effort", [0.0, -1.0, math.inf, math.nan])
def test_no_such_effort(effort: float) -> None:
    with pytest.raises(MooError, match="effort"):
        Sampled(effort=effort)


def test_a_guess_that_decides_everything_is_taken() -> None:
    """Candidates of which one tells all the others apart: it is guessed, 2 n - 1 in all."""
    space = CodeSpace("4x10")
    state = after(
        space, (space.index("0123"), Response(2, 0)), (space.index("0245"), Response(0, 2))
    )
    for guess in state.candidates.tolist():
        for part in space.split(state.candidates, guess).values():
            small = State(space, part, state.history)
            codes = [tuple(code) for code in space.codes[part].tolist()]
            perfect = [
                code for code in codes if max(part_sizes(code, codes).values(), default=1) == 1
            ]
            if perfect and len(codes) > 2:
                chosen = get("sampled").choose(small)
                assert tuple(space.codes[chosen].tolist()) in perfect


# --- What it weighs -----------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "guess", "answer"), STATES)
def test_weighing_by_definition(rules: str, guess: str, answer: str) -> None:
    space = CodeSpace(rules)
    state = after(space, (space.index(guess), Response.parse(answer, space.rules.positions)))
    codes = [tuple(code) for code in space.codes[state.candidates].tolist()]
    expected = [value(code, codes) for code in all_codes(space.rules)]
    assert sample_of(state).weigh(space.codes) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("rules", "guess", "answer"), STATES)
def test_looking_ahead_by_definition(rules: str, guess: str, answer: str) -> None:
    """With every code tried on the parts: the least that any guess makes of each part."""
    space = CodeSpace(rules)
    state = after(space, (space.index(guess), Response.parse(answer, space.rules.positions)))
    every = all_codes(space.rules)
    codes = [tuple(code) for code in space.codes[state.candidates].tolist()]
    sample = sample_of(state)
    for place in range(0, space.size, space.size // 3):
        total = 0.0
        parts: dict[int, list[Code]] = {}
        for code in codes:
            parts.setdefault(oracle.response_id(every[place], code), []).append(code)
        for answer_id, part in parts.items():
            if answer_id == response_count(space.rules.positions) - 1:
                continue
            best = min(value(code, part) for code in every) * len(part) + len(part)
            total += cost(len(part)) if len(part) <= 2 else best
        found = sample.look_ahead(space.codes[place], space.codes)
        assert found == pytest.approx(total / len(codes), abs=1e-9)


@pytest.mark.parametrize("rules", ["3x5", "4x4", "3x4r", "3x4z", "3x3rz", "1x5", "1x1", "2x1r"])
def test_neighbours_by_definition(rules: str) -> None:
    """Codes that an exchange of two positions or one other symbol makes of a code."""
    space = CodeSpace(rules)
    every = all_codes(space.rules)

    def near(one: Code, two: Code) -> bool:
        differ = [
            place for place, pair in enumerate(zip(one, two, strict=True)) if len({*pair}) > 1
        ]
        exchanged = any(
            tuple(two[{i: j, j: i}.get(k, k)] for k in range(len(two))) == one
            for i, j in combinations(range(len(two)), 2)
        )
        return bool(differ) and (len(differ) == 1 or exchanged)

    for guess in every:
        found = large.neighbours(space.rules, np.array(guess, np.uint8))
        expected = {code for code in every if near(guess, code)}
        assert {tuple(code) for code in found.tolist()} == expected


@pytest.mark.parametrize("rules", ["3x5", "3x5z", "3x3z", "4x3r", "3x4r", "1x4z", "2x3rz"])
def test_no_first_guess_is_better_than_those_considered(rules: str) -> None:
    space = CodeSpace(rules)
    values = sample_of(State.start(space)).weigh(space.codes)
    chosen = get("sampled").choose(State.start(space))
    assert values[chosen] == pytest.approx(values.min(), abs=1e-9)


# --- Simulation of large games ------------------------------------------------------------------


def test_simulate_drawn_games_of_millions_of_codes(moo: Moo) -> None:
    request = ("simulate", "sampled", "8x10z", "--games", "4", "--seed", "3")
    value_ = json.loads(moo(*request, "--json").stdout)
    assert value_["games"] == sum(value_["histogram"]) == 4
    assert 0 < value_["mean_turn_seconds"] <= value_["longest_turn_seconds"]
    lines = {line.split()[0]: line for line in moo(*request).stdout.splitlines()}
    assert f"{value_['total']} guesses" in lines["total"]
    assert "the longest" in lines["turns"]


def test_turns_are_timed_where_games_are_played_one_by_one() -> None:
    found = simulate(get("first"), "7x10", games=3, seed=1)
    assert found.turn_seconds is not None and len(found.turn_seconds) == found.total
    assert found.longest_turn == max(found.turn_seconds)
    assert simulate(get("first"), "3x5").turn_seconds is None


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (("sampled", "10x36r", "--games", "3"), "can be listed"),
        (("sampled", "7x10"), "--games"),
        (("entropy", "7x10", "--games", "3"), "sampled is a player for more"),
        (("optimal", "7x10", "--games", "3"), "sampled is a player for more"),
    ],
)
def test_requests_that_are_too_large(moo: Moo, request_: tuple[str, ...], words: str) -> None:
    result = moo("simulate", *request_)
    assert result.exit_code == 2 and result.stdout == ""
    assert result.stderr.count("\n") == 1 and words in result.stderr
