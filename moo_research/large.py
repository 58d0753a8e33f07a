"""A player for games too large to weigh every guess: millions of codes, some 20 ms a turn.

Ten distinct digits have 3 628 800 codes. :class:`Sampled` keeps every candidate, and looks at some
of the guesses with some of the candidates:

1. *Draw*: guesses among the candidates and among all codes, weighed on a sample of candidates.
2. *Climb*: from the best of these, exchange two positions or one symbol as long as that is better.
   Most of the gain over the best of many drawn guesses comes from here, for in the middle of a
   large game the best guesses are codes that no drawing finds and that are no candidates.
3. *Weigh again*: where the climbs end, on a larger sample; the best is the guess.
4. *Look ahead*: with few candidates left, the best dozen guesses are compared by the best guess
   found for each of their parts.

A guess is weighed by the number of further guesses to be expected, 1 + log n / log b for a part of
n candidates, and none for the win. That is entropy with a premium on guesses that may win; with the
b = 4 used here, for which two candidates take one and a half guesses as they do, it is Larmouth's
measure. Where guesses times candidates are few, every guess is weighed on every candidate.

The work is a fixed number of responses, whatever the time, and the draws follow from the history:
equal states get equal guesses, on every machine. Figures and what else was tried: docs/large.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from moo_research import _responses
from moo_research.codes import CodeSpace
from moo_research.errors import MooError
from moo_research.rules import Rules, response_count, response_id

if TYPE_CHECKING:
    from moo_research.players import State

__all__ = ["Sampled"]

Array = NDArray[np.uint8]
"""Codes, one a row."""

# Every guess is weighed on every candidate up to this many responses.
_EXHAUSTIVE = 4_000_000
# Codes on which the first guess is weighed.
_OPENING_SAMPLE = 20_000
# Responses counted at a time, which bounds the memory of a choice.
_BLOCK = 1 << 20
# Values that are equal on paper differ by less than this, others by more.
_EQUAL = 1e-9


@dataclass(frozen=True, slots=True)
class Sampled:
    """Weighs sampled guesses on sampled candidates, and climbs from the best.

    Raises MooError for an effort that is not above 0.
    """

    effort: float = 1.0
    """Work for a turn: 1 takes less than 50 ms in any game of up to ten distinct digits."""

    seed: int = 0
    """Seed of the draws."""

    name: str = "sampled"

    def __post_init__(self) -> None:
        if not 0 < self.effort < math.inf:
            raise MooError(f"effort {self.effort} is not possible; it must be above 0")

    @property
    def deterministic(self) -> bool:
        return True

    def choose(self, state: State) -> int:
        if state.candidates.size <= 2:
            return int(state.candidates[0])
        if not state.history:
            guess = _opening(state.space, self.seed)
            # The space remembers: millions of responses are found now, not within the next turn.
            state.space.response_ids(guess)
            return guess
        return _Choice(state, self.effort, self.seed).best()


class _Choice:
    """The choice of one guess."""

    def __init__(self, state: State, effort: float, seed: int) -> None:
        self.space = state.space
        self.rules = state.space.rules
        self.state = state
        self.left = state.candidates.size
        history = [
            number for turn, answer in state.history for number in (turn, response_id(answer))
        ]
        self.random = np.random.default_rng([seed, 2, *history])
        self.drawn = math.ceil(150 * effort)
        """Guesses drawn among the candidates, and as many among all codes."""
        self.starts = 6
        """Climbs begin at so many of the best drawn guesses, and at half as many candidates."""
        self.climbs = math.ceil(8 * effort)
        self.small, self.middle, self.full = (math.ceil(n * effort) for n in (300, 1000, 4000))
        """Candidates on which guesses are weighed: drawn ones, in a climb, and at last."""
        self.few = 60
        """Candidates from which on the game is looked ahead."""
        self.compared = math.ceil(12 * effort)
        self.spread = math.ceil(2000 * effort)
        """Drawn guesses where few candidates are left."""

    def best(self) -> int:
        space = self.space
        if space.size * self.left <= _EXHAUSTIVE:
            guesses = space.codes
            sample = self._candidates()
            values = weigh(guesses, sample, self.left)
        else:
            guesses, values, sample = self._search()
        order = np.argsort(values, kind="stable")
        if self.left > self.few:
            return space.index(guesses[order[0]].tolist())
        guesses = guesses[order[:300]]
        return space.index(guesses[look_ahead(guesses, sample, self.compared)].tolist())

    def _search(self) -> tuple[Array, NDArray[np.float64], Array]:
        """Draw, climb and weigh again; return guesses, their values, and the candidates seen."""
        left = self.left
        full = self._candidates(self.full)
        middle = full[: self.middle]
        among = self._candidates(self.drawn)
        spread = self.drawn if left > self.few else self.spread
        codes = self.space.codes
        anywhere = codes.take(self.random.integers(self.space.size, size=spread), axis=0)
        drawn = np.concatenate((among, anywhere))
        values = weigh(drawn, middle[: self.small], left)
        best = np.argsort(values, kind="stable")
        inside = np.argsort(values[: len(among)], kind="stable")
        starts = np.unique(
            np.concatenate((drawn[best[: self.starts]], among[inside[: self.starts // 2]])), axis=0
        )
        values = weigh(starts, middle, left)
        ends = [
            climb(self.rules, starts[place], values[place], middle, left)
            for place in np.argsort(values, kind="stable")[: self.climbs]
        ]
        more = drawn[best[:300]] if left <= self.few else drawn[:0]
        guesses = np.unique(np.concatenate((starts, ends, more)), axis=0)
        return guesses, weigh(guesses, full, left), full

    def _candidates(self, most: int | None = None) -> Array:
        """The candidates, or as many drawn from them if they are more."""
        numbers = self.state.candidates
        if most is not None and numbers.size > most:
            numbers = numbers[self.random.integers(numbers.size, size=most)]
        return self.space.codes.take(numbers, axis=0)


# --- Weighing -----------------------------------------------------------------------------------


def weigh(guesses: Array, sample: Array, left: int) -> NDArray[np.float64]:
    """Return the further guesses to be expected after each guess, up to a constant.

    ``guesses``: G x P codes; ``sample``: C x P candidates, all of them or drawn; ``left``: how many
    candidates there are. The less the better.
    """
    width = response_count(guesses.shape[1])
    cost = _cost_table(1 << len(sample).bit_length())
    values = np.empty(len(guesses))
    step = max(1, _BLOCK // len(sample))
    for first in range(0, len(guesses), step):
        sizes = _count(_table(guesses[first : first + step], sample), width)
        if len(sample) == left:
            sizes[:, -1] = 0  # a win takes no further guess
        values[first : first + step] = cost[sizes].sum(axis=1)
    return values / len(sample)


def _table(guesses: Array, codes: Array) -> Array:
    """Response ids of each guess to each code."""
    ids = np.empty((len(guesses), len(codes)), np.uint8)
    _responses.fill(guesses, codes, ids)
    return ids


def _count(ids: Array, width: int) -> NDArray[np.int64]:
    """How often each of ``width`` ids is in each row."""
    cells = ids + (np.arange(len(ids), dtype=np.int32) * width)[:, np.newaxis]
    counts = np.bincount(cells.ravel(), minlength=len(ids) * width)
    return counts.reshape(len(ids), width)


@lru_cache(maxsize=32)
def _cost_table(length: int) -> NDArray[np.float64]:
    """Further guesses to be expected for all candidates of a part together, by its size."""
    sizes = np.arange(length, dtype=np.float64)
    return sizes * (1 + np.log(np.maximum(sizes, 1)) / math.log(4))


# --- Climbing -----------------------------------------------------------------------------------


def climb(rules: Rules, guess: Array, value: float, sample: Array, left: int) -> Array:
    """Return the guess where steps to the best neighbour end; ``value`` is that of ``guess``."""
    while True:
        around = neighbours(rules, guess)
        values = weigh(around, sample, left)
        best = int(values.argmin()) if len(around) else 0
        if not len(around) or values[best] >= value - _EQUAL:
            return guess
        guess, value = around[best], float(values[best])


def neighbours(rules: Rules, guess: Array) -> Array:
    """Return the codes that differ by an exchange of two positions or by one symbol."""
    positions = rules.positions
    first, second = np.triu_indices(positions, 1)
    exchanged = np.repeat(guess[np.newaxis], first.size, axis=0)
    rows = np.arange(first.size)
    exchanged[rows, first], exchanged[rows, second] = guess[second], guess[first]
    symbols = np.arange(rules.symbols, dtype=np.uint8)
    if not rules.repeats:
        symbols = np.setdiff1d(symbols, guess)
    place, symbol = (axis.ravel() for axis in np.meshgrid(np.arange(positions), symbols))
    replaced = np.repeat(guess[np.newaxis], place.size, axis=0)
    replaced[np.arange(place.size), place] = symbol
    around = np.concatenate((exchanged, replaced))
    allowed = (around != guess).any(axis=1)
    if not rules.leading_zero:
        allowed &= around[:, 0] != 0
    found: Array = around[allowed]
    return found


# --- The beginning and the end ------------------------------------------------------------------


def look_ahead(guesses: Array, candidates: Array, compared: int) -> int:
    """Return the place of the guess that does best with the best guess for each of its parts.

    ``guesses``: the best first, of which the first ``compared`` are compared and all are tried on
    the parts; ``candidates``: all of them.
    """
    width = response_count(guesses.shape[1])
    table = _table(guesses, candidates)
    cost = _cost_table(1 << len(candidates).bit_length())
    totals = []
    for row in table[:compared]:
        total = 0.0
        for answer in np.unique(row).tolist():
            part = np.flatnonzero(row == answer)
            if answer == width - 1:
                continue
            if part.size <= 2:
                total += (0, 1, 3)[part.size]
                continue
            own = _table(candidates[part], candidates[part])
            sizes = _count(np.concatenate((own, table[:, part])), width)
            sizes[:, -1] = 0
            total += part.size + cost[sizes].sum(axis=1).min()
        totals.append(total)
    return int(np.argmin(np.round(totals, 9)))


def _opening(space: CodeSpace, seed: int) -> int:
    """The first guess: the best of codes of every kind, on a sample of all codes."""
    rules = space.rules
    guesses = np.array([*_kinds(rules)], np.uint8)
    if len(guesses) == 1:
        return space.index(guesses[0].tolist())
    sample = space.codes
    if space.size > _OPENING_SAMPLE:
        drawn = np.random.default_rng([seed, 3]).integers(space.size, size=_OPENING_SAMPLE)
        sample = sample.take(drawn, axis=0)
    values = weigh(guesses, sample, space.size)
    return space.index(guesses[values.argmin()].tolist())


def _kinds(rules: Rules) -> Iterator[list[int]]:
    """Yield first guesses so that every other is like one of them.

    At first the positions are alike but for the first where it may not be 0, and so are the symbols
    but for 0 there: what counts is how often a guess has its symbols. (With repeats and z the
    leading symbol is only tried as the most frequent.)
    """
    for counts in _partitions(rules.positions, rules.positions if rules.repeats else 1):
        kinds = len(counts)
        if rules.leading_zero:
            if kinds <= rules.symbols:
                yield [symbol for symbol, count in enumerate(counts) for _ in range(count)]
            continue
        if kinds < rules.symbols:
            yield [symbol for symbol, count in enumerate(counts, 1) for _ in range(count)]
        for zero in sorted({counts.index(count, 1) for count in counts[1:]}):
            if kinds <= rules.symbols:
                others = [count for place, count in enumerate(counts) if place != zero]
                code = [symbol for symbol, count in enumerate(others, 1) for _ in range(count)]
                yield [code[0], *[0] * counts[zero], *code[1:]]


def _partitions(number: int, most: int) -> Iterator[list[int]]:
    """Yield the ways to write a number as a sum of numbers up to ``most``, the largest first."""
    if number == 0:
        yield []
    for first in range(min(number, most), 0, -1):
        for rest in _partitions(number - first, first):
            yield [first, *rest]
