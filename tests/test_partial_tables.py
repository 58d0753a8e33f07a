"""Games whose table of responses does not fit: its rows are filled as they are needed."""

import json
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moo_research import _engine
from moo_research.codes import CodeSpace
from moo_research.errors import MemoryLimitError
from moo_research.objective import Objective
from moo_research.rules import Response
from moo_research.search import Engine, Search, kernels, solve
from moo_research.store import Store
from tests.oracles.brute_force import Game, least_cost, vector

GAMES = {
    text: CodeSpace(text) for text in ("3x5", "4x5", "3x4r", "3x3rz", "4x5z", "5x3r", "2x9", "6x6")
}


def space_of(text: str, most_rows: int, kernel: str = "auto") -> _engine.Space:
    codes = GAMES[text]
    return _engine.Space(
        codes.codes, codes.rules.symbols, codes.rules.leading_zero, kernel, most_rows
    )


def search_in(space: _engine.Space, threads: int = 1) -> _engine.Search:
    """A search for the least total."""
    cost = np.arange(1, space.codes + 2, dtype=np.int64)
    return _engine.Search(space, cost, False, 1 << 20, threads)


@given(data=st.data(), kernel=st.sampled_from(kernels()))
@settings(max_examples=100, deadline=None)
def test_a_few_rows_give_the_answers_of_the_whole_table(data: st.DataObject, kernel: str) -> None:
    text = data.draw(st.sampled_from(sorted(GAMES)))
    size = GAMES[text].size
    most = data.draw(st.integers(12, 30))
    whole, partial = space_of(text, size, kernel), space_of(text, most, kernel)
    assert (whole.most_rows, partial.most_rows) == (size, min(most, size))
    expected, search = search_in(whole), search_in(partial)
    # One question after the other, so that rows are given up for others.
    for _ in range(5):
        members = data.draw(st.sets(st.integers(0, size - 1), min_size=1, max_size=12))
        candidates = np.array(sorted(members), dtype=np.uint32)
        assert partial.parts(candidates) == whole.parts(candidates)
        assert partial.excess(candidates, 2) == whole.excess(candidates, 2)
        asked = np.random.default_rng(len(members)).permutation(size)[:7].astype(np.uint32)
        sizes = np.frombuffer(partial.sizes(candidates, asked), dtype=np.uint32).reshape(7, -1)
        for guess, counted in zip(asked.tolist(), sizes, strict=True):
            row = np.frombuffer(whole.responses(guess), dtype=np.uint8)[candidates]
            assert counted.tolist() == np.bincount(row, minlength=len(counted)).tolist()
        value, guess = search.solve(candidates, (), False)
        assert value == expected.solve(candidates, (), False)[0]
        assert search.value_of(guess, candidates, (), False) == value
        guesses, parents, responses = search.tree(candidates, value, (), False)
        assert len(guesses) == len(parents) == len(responses) >= len(candidates)
        assert set(members) <= set(guesses)
        code = data.draw(st.integers(0, size - 1))
        assert partial.responses(code) == whole.responses(code)


def test_the_search_with_few_rows_against_brute_force() -> None:
    text = "3x4r"
    rules = GAMES[text].rules
    game = Game(rules.positions, rules.symbols, rules.repeats, rules.leading_zero)
    search = search_in(space_of(text, 20))
    rng = np.random.default_rng(3)
    for n in (1, 2, 3, 5, 8, 11, 14):
        members = np.sort(rng.choice(64, n, replace=False)).astype(np.uint32)
        expected = least_cost(game, vector((1,), 1), 0, sum(1 << int(m) for m in members))
        assert search.solve(members, (), False)[0] == expected


def test_more_candidates_than_rows_are_refused() -> None:
    space = space_of("3x5", 10)
    search = search_in(space)
    with pytest.raises(_engine.TooManyRows):
        search.solve(np.arange(11, dtype=np.uint32), (), False)
    with pytest.raises(_engine.TooManyRows):
        space.parts(np.arange(11, dtype=np.uint32))
    assert search.solve(np.arange(10, dtype=np.uint32), (), False)[0] > 10


def test_an_interrupt_is_heard_while_rows_are_filled() -> None:
    codes = CodeSpace("6x8")
    space = _engine.Space(codes.codes, 8, True, "auto", codes.size - 1)
    search = search_in(space)
    search.interrupt()
    with pytest.raises(_engine.Interrupted):
        search.solve(np.arange(codes.size - 1, dtype=np.uint32), (), False)


def test_questions_from_several_threads_wait_for_each_other() -> None:
    size = GAMES["4x5"].size
    space, whole = space_of("4x5", 40), space_of("4x5", size)
    rng = np.random.default_rng(11)
    sets = [np.sort(rng.choice(size, 30, replace=False)).astype(np.uint32) for _ in range(40)]
    expected = [search_in(whole).solve(members, (), False)[0] for members in sets]
    found = [0] * len(sets)

    def ask(first: int) -> None:
        search = search_in(space)
        for i in range(first, len(sets), 4):
            assert space.parts(sets[i]) == whole.parts(sets[i])
            found[i] = search.solve(sets[i], (), False)[0]

    threads = [threading.Thread(target=ask, args=(first,)) for first in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == expected


def test_an_engine_takes_as_many_rows_as_its_memory_has_room_for() -> None:
    whole = Engine("4x8")
    assert whole.most_candidates == whole.space.size
    # 5040 codes: 25 MB of table.
    tight = Engine("4x10", memory=64 << 20)
    assert 512 <= tight.most_candidates < 5040
    history = [(0, Response(0, 2))]
    value, _guess = Search(tight, Objective.mean()).solve(history)
    assert value == Search(Engine("4x10"), Objective.mean()).solve(history)[0]
    with pytest.raises(MemoryLimitError, match=r"from 5040 candidates .* the limit is 64 MB"):
        solve("4x10", memory=64 << 20)
    with pytest.raises(MemoryLimitError, match="games of at most"):
        Engine("6x36")


def test_sets_that_do_not_fit_are_divided_where_there_is_a_store(tmp_path: Path) -> None:
    for text, options in [
        ("4x9", {}),
        ("4x9", {"objective": "last"}),
        ("4x9", {"max_guesses": 6}),
        ("4x9z", {}),
    ]:
        memory = 55 << 20
        assert Engine(text, memory=memory).most_candidates < Engine(text).space.size
        with Store(tmp_path / "some.sqlite") as store:
            found = solve(text, memory=memory, store=store, **options)
        plain = solve(text, **options)
        assert (found.optimum, found.feasible) == (plain.optimum, plain.feasible)
        assert found.tree is not None and found.tree.verify().valid


SUBTREE = """
import json
from moo_research.objective import Objective
from moo_research.machine import peak_memory
from moo_research.search import Engine, Search
engine = Engine("6x10", memory=400 << 20)
space = engine.space
totals = []
for secret in ("940273", "713465", "923617", "185329", "185203", "285617"):
    guesses = [space.index(text) for text in ("012345", "023617", "185923", "405162")]
    history = [(guess, space.response(guess, space.index(secret))) for guess in guesses]
    search = Search(engine, Objective.mean())
    candidates = search.candidates(history)
    value, _ = search.solve(history)
    root = search.tree(value, history)
    stack, total = [(root, 5)], 0
    secrets = set()
    while stack:
        node, depth = stack.pop()
        number = space.index(node.guess)
        if number in candidates:
            total += depth
            secrets.add(number)
        stack += [(part, depth + 1) for part in node.parts.values()]
    assert (total, secrets) == (value, set(candidates.tolist()))
    totals.append(value)
peak = peak_memory()
print(json.dumps({"totals": totals, "peak": peak, "most": engine.most_candidates}))
"""


def test_six_digits_of_ten_are_searched_within_their_memory() -> None:
    run = subprocess.run([sys.executable, "-c", SUBTREE], capture_output=True, check=True)
    found = json.loads(run.stdout)
    assert len(found["totals"]) == 6
    assert found["peak"] <= 400 << 20
    assert found["most"] < 151200


def test_rows_are_given_up_when_others_are_needed() -> None:
    # Enough questions to touch every row of the table, of which 64 are there at a time.
    codes = CodeSpace("5x7")
    space = _engine.Space(codes.codes, 7, True, "auto", 64)
    for first in range(0, codes.size - 64, 61):
        members = np.arange(first, first + 64, dtype=np.uint32)
        column = np.frombuffer(space.responses(5), dtype=np.uint8)[members]
        sizes = np.bincount(column)
        assert space.parts(members)[5] == np.count_nonzero(sizes)
