"""The exact search against brute force, for every kernel and many objectives."""

import itertools
import threading
import time
from functools import cache

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from moo_research import _engine
from moo_research.codes import CodeSpace
from moo_research.errors import MemoryLimitError, MooError, ObjectiveError
from moo_research.objective import Objective
from moo_research.rules import Response, Rules, response_id, response_of_id
from moo_research.search import (
    ENDINGS,
    Engine,
    Progress,
    Search,
    kernels,
    least_worst_case,
    second_guess_table,
    solve,
)
from moo_research.symmetry import least_of_orbits
from moo_research.tree import DecisionTree, replay
from tests.oracles.brute_force import INFINITE, Game, least_cost, vector

SMALL = (
    "2x3",
    "2x4",
    "2x5",
    "3x4",
    "2x3r",
    "2x4r",
    "3x2r",
    "2x4z",
    "2x5z",
    "2x3rz",
    "3x2rz",
    "4x4",
)
LARGER = ("2x6", "3x5", "3x3r", "2x5r", "3x4z", "4x2r", "1x7", "1x5z", "3x3rz")

_games: dict[str, Game] = {}


def game(text: str) -> Game:
    """The brute-force game of some rules, made once."""
    if text not in _games:
        rules = Rules.parse(text)
        _games[text] = Game(rules.positions, rules.symbols, rules.repeats, rules.leading_zero)
    return _games[text]


@cache
def expected_cost(text: str, start: tuple[int, ...], step: int | None) -> float:
    """What brute force says; kept, because every kernel is asked."""
    return least_cost(game(text), vector(start, step))


def check(text: str, objective: Objective, kernel: str, threads: int = 1) -> None:
    """The search's optimum is the brute force's, and its tree attains it."""
    solution = solve(text, objective=objective, kernel=kernel, threads=threads)
    expected = expected_cost(text, objective.start, objective.step)
    assert solution.proved
    if expected == INFINITE:
        assert not solution.feasible
        assert solution.optimum is None
        assert solution.tree is None
        return
    assert solution.optimum == expected
    assert solution.tree is not None
    replay = solution.tree.verify()
    assert replay.valid
    assert replay.histogram is not None
    assert objective.of(replay.histogram) == expected


@pytest.mark.parametrize("kernel", kernels())
@pytest.mark.parametrize("text", SMALL + LARGER)
def test_least_total_is_that_of_brute_force(text: str, kernel: str) -> None:
    check(text, Objective.mean(), kernel)


STRANGE = {
    "convex": Objective("convex", (1, 2, 4, 8, 16, 32), 32),
    "concave": Objective("concave", (0, 10, 15, 18, 19), 0),
    "a step": Objective.odds(2),
    "late step": Objective.odds(3),
    "steps": Objective("steps", (3, 3, 5, 5, 9, 9), 2),
    "flat": Objective("flat", (7,), 0),
    "limited": Objective.raw((1, 2, 3, 4)),
    "too limited": Objective.raw((0, 0)),
    "last": Objective.raw((0, 0, 0, 1)),
    "long last": Objective.raw((0, 0, 0, 0, 0, 1)),
    "cliff": Objective.raw((0, 1, 2, 100)),
}


@pytest.mark.parametrize("kernel", kernels())
@pytest.mark.parametrize("name", STRANGE)
@pytest.mark.parametrize("text", SMALL)
def test_strange_costs_are_those_of_brute_force(text: str, name: str, kernel: str) -> None:
    check(text, STRANGE[name], kernel)


@pytest.mark.long
@pytest.mark.parametrize("kernel", kernels())
@pytest.mark.parametrize("name", STRANGE)
@pytest.mark.parametrize("text", LARGER)
def test_strange_costs_of_larger_games(text: str, name: str, kernel: str) -> None:
    check(text, STRANGE[name], kernel)


objectives = st.builds(
    lambda first, steps, tail: Objective(
        "random", tuple(int(x) for x in np.cumsum([first, *steps])), tail
    ),
    st.integers(0, 3),
    st.lists(st.integers(0, 5) | st.sampled_from([0, 0, 100]), max_size=6),
    st.none() | st.integers(0, 4),
)


@given(text=st.sampled_from(SMALL), objective=objectives, kernel=st.sampled_from(kernels()))
@settings(max_examples=300, deadline=None)
def test_random_costs_are_those_of_brute_force(
    text: str, objective: Objective, kernel: str
) -> None:
    check(text, objective, kernel)


def assert_optimum(search: Search, text: str, objective: Objective) -> None:
    """The search ends with the optimum of brute force, and its tree attains it."""
    value, _guess = search.solve()
    expected = expected_cost(text, objective.start, objective.step)
    assert value == (None if expected == INFINITE else expected)
    if value is not None:
        tree = DecisionTree.of(text, search.tree(value))
        assert objective.of(tree.histogram) == value


steps = st.sampled_from([0, 1e-3, 0.03, 0.1, 0.3, 1, 10])


@given(
    text=st.sampled_from(SMALL),
    objective=objectives,
    least_size=st.integers(3, 12),
    step=steps,
    threads=st.integers(1, 2),
)
@settings(max_examples=400, deadline=None)
def test_steps_on_small_sets_change_no_optimum(
    text: str, objective: Objective, least_size: int, step: float, threads: int
) -> None:
    # Sets of these games are smaller than those that the search solves step by step by itself.
    search = Search(Engine(text, threads=threads), objective)
    search._search.steps(least_size, step)
    assert_optimum(search, text, objective)


@given(
    text=st.sampled_from(("3x4", "3x5", "2x6", "2x4r", "3x3r")),
    objective=objectives,
    least_size=st.integers(3, 12),
    step=steps,
    seed=st.integers(0, 2**32),
    share=st.floats(0.2, 1.3),
)
@settings(max_examples=300, deadline=None)
def test_steps_keep_to_any_cutoff(
    text: str, objective: Objective, least_size: int, step: float, seed: int, share: float
) -> None:
    # After a guess, so that several guesses are followed in turn; exact below the cutoff, else a
    # bound that reaches it and is none too high.
    assume(objective.limit is None or objective.limit > 1)
    engine = Engine(text)
    space = engine.space
    rng = np.random.default_rng(seed)
    guess = int(rng.integers(space.size))
    response = space.response(guess, int(rng.integers(space.size)))
    history = [(guess, response_id(response))]
    codes = space.consistent(guess, response).astype(np.uint32)
    whole = Search(engine, objective)._search
    value, _guess = whole.solve(codes, history)
    search = Search(engine, objective)
    search._search.steps(least_size, step)
    cutoff = max(1, round(value * share)) if value < INFINITE else 50
    bound, _guess = search._search.solve(codes, history, True, cutoff)
    assert bound == value if value < cutoff else cutoff <= bound <= value


@pytest.mark.parametrize("name", STRANGE)
@pytest.mark.parametrize("text", ["3x6", "3x7", "4x5", "4x6", "3x4r"])
def test_steps_change_no_optimum_of_larger_games(text: str, name: str) -> None:
    values = set()
    for threads, least_size, step in [
        (1, 1 << 31, 0),
        (1, 24, 0),
        (1, 3, 0),
        (2, 3, 0.01),
        (1, 10, 0.1),
        (2, 20, 0.5),
    ]:
        search = Search(Engine(text, threads=threads), STRANGE[name])
        search._search.steps(least_size, step)
        values.add(search.solve()[0])
    assert len(values) == 1


@pytest.mark.long
@given(
    text=st.sampled_from(SMALL + LARGER), objective=objectives, kernel=st.sampled_from(kernels())
)
@settings(max_examples=1500, deadline=None)
def test_many_random_costs(text: str, objective: Objective, kernel: str) -> None:
    check(text, objective, kernel)


@given(
    text=st.sampled_from(("2x4", "3x4", "2x3r", "2x4z")),
    first=objectives,
    second=objectives,
)
@settings(max_examples=60, deadline=None)
def test_a_tie_break_is_lexicographic(text: str, first: Objective, second: Objective) -> None:
    # Brute force minimises pairs: Python compares tuples lexicographically.
    one, two = vector(first.start, first.step), vector(second.start, second.step)
    codes = Rules.parse(text).size
    both = first.then(second, codes)
    pairs = least_pair(game(text), one, two)
    solution = solve(text, objective=both)
    assert solution.feasible == (pairs is not None)
    if pairs is not None:
        assert solution.histogram is not None
        assert (first.of(solution.histogram), second.of(solution.histogram)) == pairs


def least_pair(game: Game, one, two) -> tuple[float, float] | None:
    """The lexicographically least pair of costs, by brute force over pairs."""
    cache: dict[tuple[int, int], tuple[float, float]] = {}

    def value(candidates: int, depth: int) -> tuple[float, float]:
        now = (one(depth + 1), two(depth + 1))
        if INFINITE in now:
            return (INFINITE, INFINITE)
        if candidates & (candidates - 1) == 0:
            return now
        if (candidates, depth) not in cache:
            best = (INFINITE, INFINITE)
            for win, *others in game.masks:
                parts = [part for mask in others if (part := candidates & mask)]
                if not candidates & win and len(parts) == 1:
                    continue
                totals = [value(part, depth + 1) for part in parts]
                totals += [now] if candidates & win else []
                best = min(best, (sum(t[0] for t in totals), sum(t[1] for t in totals)))
            cache[candidates, depth] = best
        return cache[candidates, depth]

    best = value(game.everything, 0)
    return None if best[0] == INFINITE else best


@given(data=st.data(), kernel=st.sampled_from(kernels()))
@settings(max_examples=150, deadline=None)
def test_any_set_of_candidates_without_a_history(data: st.DataObject, kernel: str) -> None:
    text = data.draw(st.sampled_from(("2x5", "3x4", "2x4r", "3x5", "3x3r")))
    objective = data.draw(objectives)
    depth = data.draw(st.integers(0, 2))
    engine = Engine(text, kernel=kernel)
    codes = engine.space.size
    members = sorted(data.draw(st.sets(st.integers(0, codes - 1), min_size=1, max_size=14)))
    limit = codes + 1 if objective.limit is None else objective.limit
    if depth >= limit:
        return
    search = _engine.Search(
        engine._space,
        np.array(objective.costs(limit), dtype=np.int64),
        objective.limit is not None,
        1 << 20,
    )
    # Two turns of an arbitrary history only set the depth; the set is not what they leave.
    history = [(0, 0)] * depth
    value, _ = search.solve(np.array(members, dtype=np.uint32), history, False)
    expected = least_cost(
        game(text),
        vector(objective.start, objective.step),
        depth,
        sum(1 << member for member in members),
    )
    assert value == (_engine.INFINITE if expected == INFINITE else expected)


@pytest.mark.parametrize("name", ["least total", *STRANGE])
@pytest.mark.parametrize("text", ["2x5", "3x4", "2x4r", "3x3r"])
def test_what_comes_after_a_turn_is_that_of_brute_force(text: str, name: str) -> None:
    objective = STRANGE.get(name, Objective.mean())
    first = 1
    space = CodeSpace(text)
    rows = space.response_ids(first)
    for response in sorted(set(rows.tolist())):
        members = np.flatnonzero(rows == response)
        expected = least_cost(
            game(text),
            vector(objective.start, objective.step),
            1,
            sum(1 << int(member) for member in members),
        )
        if objective.limit == 1:
            continue  # the history has used up the guesses
        turn = (space.text(first), response_of_id(response))
        solution = solve(text, objective=objective, after=[turn])
        assert (solution.codes, solution.history) == (len(members), (turn,))
        assert solution.tree is None
        if expected == INFINITE:
            assert not solution.feasible
            continue
        assert solution.optimum == expected
        assert solution.histogram is not None and solution.root is not None
        assert objective.of((0, *solution.histogram)) == expected
        assert sum(solution.histogram) == len(members)
        assert solution.first_guess == solution.root.guess
        secrets = space.texts(members)
        assert replay(space.rules, solution.root, secrets) == solution.histogram
        if len(members) > 1:  # the strategy is for these secrets and no others
            assert replay(space.rules, solution.root) is None
            assert replay(space.rules, solution.root, secrets[1:]) != solution.histogram


def test_what_comes_after_a_turn_is_in_the_second_guess_table() -> None:
    table = second_guess_table("4x8")
    for row in table.rows[:-1]:
        solution = solve("4x8", after=[(table.first_guess, str(row.response))])
        assert (solution.codes, solution.total) == (row.size, row.total)
    with pytest.raises(ObjectiveError, match="after a history"):
        solve("4x8", objective="last", after=[("0123", "1B1C")])
    with pytest.raises(MooError, match="a certificate is of a whole game"):
        solve("4x8", trace=True, after=[("0123", "1B1C")])


@pytest.mark.parametrize("kernel", kernels())
@pytest.mark.parametrize(
    "text", ["4x7", "3x8", "4x5r", "5x6", "6x6", "7x7", "9x2r", "10x2r", "2x36"]
)
def test_kernels_count_alike(text: str, kernel: str) -> None:
    # The oracle is a plain NumPy count over the table.
    engine = Engine(text, kernel=kernel)
    space = engine.space
    table = np.array([space.response_ids(g) for g in range(0, space.size, 7)])
    rng = np.random.default_rng(7)
    for n in (1, 2, 3, 7, 8, 9, 31, 63, 64, 100, 127, 128, 200, 255):
        if n > space.size:
            continue
        members = np.sort(rng.choice(space.size, n, replace=False)).astype(np.uint32)
        sizes = [np.bincount(row[members]) for row in table]
        parts = np.frombuffer(engine._space.parts(members), dtype=np.uint8)[::7]
        assert (parts == [np.count_nonzero(size) for size in sizes]).all()
        for cap in (1, 2, 5, 13):
            excess = engine._space.excess(members, cap)
            if excess is not None:
                expected = [np.maximum(size - cap, 0).sum() for size in sizes]
                assert (np.frombuffer(excess, dtype=np.uint8)[::7] == expected).all()


@given(line=st.binary(min_size=64, max_size=64), value=st.integers(0, 255))
def test_kernels_find_alike(line: bytes, value: int) -> None:
    expected = sum(1 << i for i, byte in enumerate(line) if byte == value)
    for kernel in kernels():
        space = _engine.Space(CodeSpace("2x3").codes, 3, True, kernel)
        assert space.equal(line, value) == expected


@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize("text", ["3x7", "4x6r", "4x8"])
def test_threads_change_nothing_but_the_tree(text: str, threads: int) -> None:
    one, many = solve(text), solve(text, threads=threads)
    assert one.optimum == many.optimum
    assert many.tree is not None
    assert many.tree.verify().total == one.total


def test_a_memo_of_the_least_size_costs_time_only() -> None:
    engine = Engine("4x7")
    expected = solve("4x7").optimum
    engine._memo_bytes = 0
    assert engine.search(Objective.mean()).solve()[0] == expected


def test_published_optima() -> None:
    # Koyama and Lai 1993; Chen and Lin 2004 (totals); Knuth 1977 (worst case).
    assert solve("4x6r").optimum == 5625
    assert solve("4x6r", max_guesses=5).optimum == 5626
    assert least_worst_case("4x6r").max_guesses == 5
    for symbols, total in ((4, 30), (6, 103), (8, 238), (10, 451)):
        assert solve(f"2x{symbols}").optimum == total


def test_the_published_optimum_of_moo() -> None:
    # Tanaka 1996, table 3.
    solution = solve("4x10", threads=2)
    assert solution.optimum == solution.total == 26274
    assert solution.max_guesses == 7
    assert solution.histogram is not None
    assert sum(solution.histogram) == 5040


def test_the_published_worst_case_of_moo() -> None:
    # Chen et al. 2007; capacities from Tanaka 1996, table 1.
    worst = least_worst_case("4x10")
    assert worst.max_guesses == 7
    assert worst.proved
    assert worst.impossible is not None
    assert not worst.impossible.feasible
    assert worst.capacities == (1, 14, 127, 864)


def test_the_table_lists_every_best_second_guess() -> None:
    # The oracle: brute force on the parts of the first guess, for each of the 60 codes as second.
    table = second_guess_table("3x5")
    space = CodeSpace("3x5")
    mean = vector((1,), 1)
    first = space.index(table.first_guess)
    for response, part in space.split(None, first).items():
        row = table.row(response)
        assert row.size == len(part)
        if row.guess is None:
            continue
        secrets = sum(1 << int(i) for i in part)
        assert row.total == least_cost(game("3x5"), mean, 1, secrets) - len(part)
        best = {
            guess
            for guess in range(space.size)
            if total_after(guess, secrets, mean) == row.total + len(part)
        }
        listed = {space.index(code) for code in row.ties}
        assert listed <= best
        # Every best guess lies in the orbit of a listed one.
        least = least_of_orbits(space, [first], [response])
        assert {int(least[g]) for g in best} == {int(least[g]) for g in listed}
    assert table.total == solve("3x5").optimum


def total_after(guess: int, secrets: int, cost) -> float:
    """Cost of a set after one guess when `guess` comes next, by brute force."""
    win, *others = game("3x5").masks[guess]
    parts = [part for mask in others if (part := secrets & mask)]
    if not secrets & win and len(parts) == 1:
        return INFINITE
    won = cost(2) if secrets & win else 0
    return won + sum(least_cost(game("3x5"), cost, 2, part) for part in parts)


def test_a_limit_below_the_worst_case_is_infeasible() -> None:
    solution = solve("2x4", max_guesses=2)
    assert (solution.feasible, solution.proved, solution.optimum) == (False, True, None)


def test_named_objectives() -> None:
    worst = solve("4x6r", objective="worst")
    assert (worst.max_guesses, worst.total) == (5, 5626)  # Koyama and Lai 1993
    last = solve("3x5", objective="last")
    limit = least_worst_case("3x5").max_guesses
    assert last.optimum == least_cost(game("3x5"), vector((0,) * (limit - 1) + (1,), None))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"objective": "fastest"}, "no objective 'fastest'"),
        ({"cost": (3, 2)}, "must not decrease"),
        ({"cost": (-1, 2)}, "must not be negative"),
        ({"cost": ()}, "at least one guess"),
        ({"cost": (0, 2**60)}, "too large"),
        ({"max_guesses": 0}, "at least one guess"),
        ({"threads": 0}, "threads"),
        ({"kernel": "mmx"}, "no kernel"),
        ({"cost": (1, 2), "objective": "last"}, "not both"),
    ],
)
def test_bad_requests(arguments: dict, message: str) -> None:
    with pytest.raises(MooError, match=message):
        solve("2x4", **arguments)


def test_games_and_limits_that_do_not_fit() -> None:
    with pytest.raises(MemoryLimitError, match="needs at least"):
        solve("10x10")
    with pytest.raises(MemoryLimitError, match="the limit is 1 MB"):
        solve("4x10", memory=1_000_000)
    with pytest.raises(ObjectiveError):
        Engine("2x4").search(Objective.within(1)).solve([(0, Response(0, 0))])


def test_progress_tells_where_the_search_is() -> None:
    seen: list[Progress] = []
    solve("4x9", kernel="portable", progress=seen.append)
    assert seen
    assert all(one.seconds <= other.seconds for one, other in itertools.pairwise(seen))
    assert "of 3024 secrets settled" in seen[-1].stage


def test_guesses_are_counted_by_size_and_by_what_settled_them() -> None:
    search = Search(Engine("4x7"), Objective.mean())
    search.solve()
    bands = search.tried_by_size
    assert [size for size, _ in bands] == [3 << band for band in range(len(bands))]
    for ending in ENDINGS:
        assert sum(counts[ending] for _, counts in bands) == search.statistics[ending]
    assert (
        sum(search.statistics[ending] for ending in ENDINGS) == search.statistics["guesses_tried"]
    )
    # The first guess, and every set that is solved, has a best guess.
    assert bands[-1][1]["improved"] >= 1
    assert bands[-1][0] <= 840 < 2 * bands[-1][0]


def test_helpers_come_for_every_question() -> None:
    search = Search(Engine("4x6", threads=2), Objective.mean())

    def helper() -> threading.Thread:
        thread = threading.Thread(target=search._search.help, args=(1,), daemon=True)
        thread.start()
        return thread

    for _ in range(2):
        search.solve()
        idle = helper()  # the question is over
        idle.join(60)
        assert not idle.is_alive()
        search._search.enlist()
        busy = helper()
        busy.join(0.1)
        assert busy.is_alive()
        search._search.dismiss()
        busy.join(60)
        assert not busy.is_alive()


def test_an_interrupt_ends_the_search_soon() -> None:
    engine = Engine("5x7", kernel="portable")
    search = engine.search(Objective.mean())
    timer = threading.Timer(0.2, search._search.interrupt)
    timer.start()
    began = time.monotonic()
    with pytest.raises(_engine.Interrupted):
        search._search.solve(engine.everything)
    assert search.statistics["guesses_tried"] > 0
    assert time.monotonic() - began < 60  # the whole search takes many times as long
