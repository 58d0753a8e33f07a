"""What a search notes of sets while it runs, and what it would leave if it were interrupted: all of
it must be true, and a search that takes it over must come to the same end.

The oracle is brute force on small games (tests/oracles), for costs of every kind; on larger ones a
search that is told nothing.
"""

import random
import struct
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moo_research import _engine
from moo_research.division import candidates_after
from moo_research.objective import Objective
from moo_research.rules import response_of_id
from moo_research.search import Engine, Search
from tests.oracles.brute_force import INFINITE, least_cost, vector
from tests.test_search import STRANGE, assert_optimum, game, objectives, steps

Turns = tuple[tuple[int, int], ...]

ONLY_BOUND = 2**32 - 1
TOO_FAR = 65535  # no guess is said to be raised by so much


def true_cost(text: str, objective: Objective, codes: np.ndarray, depth: int) -> float:
    """What a set costs after so many guesses, by brute force."""
    secrets = sum(1 << int(code) for code in codes)
    if objective.limit is not None and depth >= objective.limit:
        return INFINITE
    return least_cost(game(text), vector(objective.start, objective.step), depth, secrets)


def cost_of_guess(
    text: str, objective: Objective, codes: np.ndarray, depth: int, guess: int
) -> float:
    """What it costs if a guess comes next, by brute force."""
    price = vector(objective.start, objective.step)
    total: float = 0
    secrets = sum(1 << int(code) for code in codes)
    win, *others = game(text).masks[guess]
    if secrets & win:
        total += price(depth + 1)
    for mask in others:
        if secrets & mask:
            total += least_cost(game(text), price, depth + 1, secrets & mask)
    return total


@dataclass(frozen=True)
class Left:
    """What was left of one set."""

    history: Turns
    bound: int
    best: int | None
    proven: int
    raised: tuple[tuple[int, int], ...]


def read(left: bytes) -> Iterator[Left]:
    """Read what a search has left, as ext/search.c writes it."""
    words = struct.unpack(f"={len(left) // 4}I", left)
    at = 0
    while at < len(words):
        turns, low, high, best = words[at : at + 4]
        at += 4
        history = tuple((words[at + 2 * t], words[at + 2 * t + 1]) for t in range(turns))
        at += 2 * turns
        proven, _first, _reached, _work, _step, count = words[at : at + 6]
        at += 6
        raised = tuple(zip(*[iter(words[at : at + 2 * count])] * 2, strict=True))
        at += 2 * count
        bound = low | high << 32
        yield Left(history, bound, None if best == ONLY_BOUND else best, bound + proven, raised)


def search_of(
    text: str, objective: Objective, least_size: int, step: float, threads: int = 1
) -> Search:
    search = Search(Engine(text, threads=threads), objective)
    search._search.steps(least_size, step)
    search._search.note(1)
    return search


@given(
    text=st.sampled_from(("2x4", "2x5", "3x4", "2x4r", "2x5z", "3x2r", "3x3r", "2x6")),
    objective=objectives | st.sampled_from([Objective.mean(), *STRANGE.values()]),
    least_size=st.integers(3, 12),
    step=steps,
    threads=st.integers(1, 2),
    seed=st.integers(0, 2**32),
)
@settings(max_examples=150, deadline=None)
def test_notes_are_true_and_change_no_optimum(
    text: str, objective: Objective, least_size: int, step: float, threads: int, seed: int
) -> None:
    search = search_of(text, objective, least_size, step, threads)
    search.solve()
    engine = search.engine
    notes = search._search.notes()
    assert search._search.notes() == []
    for history, bound, guess in notes:
        codes = candidates_after(engine._space, history)
        true = true_cost(text, objective, codes, len(history))
        assert bound <= (_engine.INFINITE if true == INFINITE else true)
        if guess is not None:
            assert bound == true == cost_of_guess(text, objective, codes, len(history), guess)
    told = search_of(text, objective, least_size, step, threads)
    for history, bound, guess in notes:
        if random.Random(seed).random() < 0.7:
            told._search.tell(candidates_after(engine._space, history), len(history), bound, guess)
    assert_optimum(told, text, objective)


def test_nothing_is_noted_unless_it_is_asked_for() -> None:
    noted = []
    for least in (0, 500, 20):
        search = Search(Engine("4x7"), Objective.mean())
        search._search.note(least)
        search.solve()
        noted.append(len(search._search.notes()))
    assert 0 == noted[0] < noted[1] < noted[2]


def test_what_was_told_need_not_be_found_out() -> None:
    search = search_of("4x7", Objective.mean(), 24, 0.05)
    value, guess = search.solve()
    told = search_of("4x7", Objective.mean(), 24, 0.05)
    for history, bound, best in search._search.notes():
        codes = candidates_after(told.engine._space, history)
        told._search.tell(codes, len(history), bound, best)
    assert told.solve() == (value, guess)
    assert told.statistics["guesses_tried"] < search.statistics["guesses_tried"] / 100


def stopped(search: Search, work: int) -> bytes:
    """Solve, stop after so much work, and return what is left; nothing if it is through by then."""
    search._search.stop_after(work)
    try:
        search._search.solve(search.engine.everything)
    except _engine.Interrupted:
        return search._search.left()
    assert search._search.left() == b""  # nothing runs any more
    return b""


@given(
    text=st.sampled_from(("3x4", "2x5", "2x6", "2x5r", "3x3r", "2x5z")),
    objective=objectives | st.sampled_from([Objective.mean(), *STRANGE.values()]),
    least_size=st.integers(3, 12),
    step=steps,
    work=st.integers(1, 600),
    seed=st.integers(0, 2**32),
)
@settings(max_examples=150, deadline=None)
def test_what_is_left_is_true_and_changes_no_optimum(
    text: str, objective: Objective, least_size: int, step: float, work: int, seed: int
) -> None:
    draw = random.Random(seed)
    search = search_of(text, objective, least_size, step)
    left = stopped(search, work)
    records = list(read(left))
    for one in draw.sample(records, min(3, len(records))):
        depth = len(one.history)
        codes = candidates_after(search.engine._space, one.history)
        assert one.bound <= one.proven <= true_cost(text, objective, codes, depth)
        for guess, raised in draw.sample(one.raised, min(5, len(one.raised))):
            shown = one.bound + raised
            assert shown <= cost_of_guess(text, objective, codes, depth, guess)
    again = search_of(text, objective, least_size, step, draw.randint(1, 2))
    again._search.leave(left)
    # What was taken over and is not used yet is left in turn.
    assert Counter(read(again._search.left())) == Counter(records)
    if draw.random() < 0.5:
        for history, bound, guess in search._search.notes():
            codes = candidates_after(search.engine._space, history)
            again._search.tell(codes, len(history), bound, guess)
    assert_optimum(again, text, objective)


@pytest.mark.parametrize("threads", [1, 2])
def test_one_may_look_while_it_runs(threads: int) -> None:
    search = search_of("4x8", Objective.mean(), 24, 0.05, threads)
    found: list[bytes] = []
    over = threading.Event()

    def watch() -> None:
        while not over.is_set():
            found.append(search._search.left())

    watcher = threading.Thread(target=watch)
    watcher.start()
    value, _guess = search.solve()
    over.set()
    watcher.join()
    found = [left for left in found if left]
    assert found
    fresh = Search(search.engine, Objective.mean())
    for left in found[:: len(found) // 20 + 1]:
        for one in list(read(left))[::5]:
            history = [(guess, response_of_id(answer)) for guess, answer in one.history]
            assert fresh.solve(history, one.proven)[0] >= one.proven
            for guess, raised in one.raised[:: len(one.raised) // 3 + 1]:
                assert fresh.value_of(guess, history, one.bound + raised) >= one.bound + raised
        again = search_of("4x8", Objective.mean(), 24, 0.05, threads)
        again._search.leave(left)
        assert again.solve()[0] == value


def test_a_search_interrupted_again_and_again_gets_there() -> None:
    """Each time by another search, that has nothing but what the one before has noted and left."""
    text, objective = "4x8", Objective.mean()
    alone = search_of(text, objective, 24, 0.05)
    value, _guess = alone.solve()
    every = alone.statistics["guesses_tried"]
    notes: dict[Turns, tuple[int, int | None]] = {}
    left, tried, ended = b"", 0, None
    while ended is None:
        search = search_of(text, objective, 24, 0.05)
        for history, (bound, guess) in notes.items():
            codes = candidates_after(search.engine._space, history)
            search._search.tell(codes, len(history), bound, guess)
        search._search.leave(left)
        search._search.stop_after(every // 8)
        try:
            ended, _guess = search._search.solve(search.engine.everything)
        except _engine.Interrupted:
            left = search._search.left()
        tried += search.statistics["guesses_tried"]
        for history, bound, guess in search._search.notes():
            if history not in notes or guess is not None or bound > notes[history][0]:
                notes[history] = bound, guess
        assert tried < 3 * every
    assert ended == value


@pytest.mark.parametrize(
    "words",
    [
        (1,),
        (0, 0, 0, ONLY_BOUND),
        (0, 0, 0, ONLY_BOUND, 0, 0, 0, 0, 0, 1),
        (0, 0, 0, ONLY_BOUND, 0, 0, 0, 0, 0, 2**32 - 1, 0, 1),
        (0, 0, 0, ONLY_BOUND, 0, 0, 0, 0, 0, 1, 360, 1),
        (0, 0, 0, ONLY_BOUND, 0, 0, 0, 0, 0, 1, 0, TOO_FAR),
        (0, 0, 0, 360, 0, 0, 0, 0, 0, 0),
        (0, 0, 2**31, ONLY_BOUND, 0, 0, 0, 0, 0, 0),
        (1, 0, 0, ONLY_BOUND, 360, 0, 0, 0, 0, 0, 0, 0),
        (1, 0, 0, ONLY_BOUND, 0, 200, 0, 0, 0, 0, 0, 0),
        (2**32 - 1, 0, 0, ONLY_BOUND, 0, 0, 0, 0, 0, 0),
    ],
)
def test_what_no_search_has_left_is_refused(words: tuple[int, ...]) -> None:
    search = search_of("4x6", Objective.mean(), 24, 0.05)
    with pytest.raises(ValueError, match="no such thing"):
        search._search.leave(struct.pack(f"={len(words)}I", *words))
    with pytest.raises(ValueError, match="no such thing"):
        search._search.leave(b"\0" * 41)
    assert search.solve() == Search(Engine("4x6"), Objective.mean()).solve()


def test_what_is_told_must_be_of_this_game() -> None:
    search = search_of("4x6", Objective.mean(), 24, 0.05)
    codes = np.arange(20, dtype=np.uint32)
    for arguments in [
        (codes[:0], 1, 5),
        (codes + 350, 1, 5),
        (codes, -1, 5),
        (codes, 10**6, 5),
        (codes, 1, 5, 360),
        (codes, 1, 5, -1),
    ]:
        with pytest.raises(ValueError, match=r"no such|no candidates|code numbers"):
            search._search.tell(*arguments)
