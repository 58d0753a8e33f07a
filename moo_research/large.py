"""A player for games too large to weigh every guess: millions of codes, some 20 ms a turn.

Ten distinct digits have 3 628 800 codes. :class:`Sampled` keeps every candidate, and looks at some
of the guesses with some of the candidates:

1. *Draw*: guesses among the candidates and among all codes, weighed on few candidates.
2. *Climb*: from the best of these, exchange two positions or one symbol as long as that is better.
   Most of the gain over the best of many drawn guesses comes from here, for in the middle of a
   large game the best guesses are codes that no drawing finds and that are no candidates.
3. *Weigh again*: where the climbs end, on a larger sample; the best is the guess, unless
4. the candidates are few enough to *look ahead*: then the best few guesses are compared by the best
   guess found, by drawing and climbing again, for each of their parts.

A guess is weighed by the number of further guesses to be expected: none after a win, and for a part
of n candidates what `_cost_table` says. As that grows with log n, this is entropy with a premium on
guesses that may win, much as in Larmouth's measure. Where guesses times candidates are few, every
guess is weighed on every candidate.

The work is a fixed number of responses, whatever the time, and the draws follow from the history:
equal states get equal guesses. Figures, and what else was tried: docs/large.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from numpy.random import default_rng
from numpy.typing import NDArray

from moo_research import _responses
from moo_research._players import measure
from moo_research.codes import CodeSpace
from moo_research.errors import MooError
from moo_research.rules import Rules, response_count, response_id

if TYPE_CHECKING:
    from moo_research.players import State

__all__ = ["Sampled"]

Codes = NDArray[np.uint8]
"""Codes, one a row."""

# The work of a turn at effort 1. Candidates on which guesses are weighed when they are drawn, while
# they climb, and at last:
_SMALL, _MIDDLE, _FULL = 500, 4000, 16_000
# Responses spent on drawn guesses, and the most guesses drawn.
_DRAWN_RESPONSES, _MOST_DRAWN = 100_000, 2000
# Climbs, the drawn guesses from which they begin, and the candidates among those at least.
_CLIMBS, _STARTS, _STARTING_CANDIDATES = 8, 6, 3
# The most candidates with which the game is looked ahead, the guesses compared, the guesses tried
# on each part before the climb, and the candidates of the part tried too.
_AHEAD, _COMPARED, _TRIED, _TRIED_CANDIDATES = 4000, 8, 60, 20
# Codes on which the first guess is weighed.
_OPENING_SAMPLE = 20_000

# Every guess is weighed on every candidate up to this many responses and sizes of parts.
_EXHAUSTIVE = 4_000_000
# Values that are equal on paper differ by less than this, others by more.
_EQUAL = 1e-9


@dataclass(frozen=True, slots=True)
class Sampled:
    """Weighs sampled guesses on sampled candidates, and climbs from the best.

    Raises MooError for an effort that is not above 0.
    """

    effort: float = 1.0
    """Work for a turn; more looks at more candidates and more guesses."""

    seed: int = 0
    """Seed of the draws."""

    name: str = "sampled"

    def __post_init__(self) -> None:
        if not 0 < self.effort < math.inf:
            raise MooError(f"an effort of {self.effort} is not possible; it must be above 0")

    @property
    def deterministic(self) -> bool:
        return True

    def choose(self, state: State) -> int:
        space, left = state.space, state.candidates.size
        if left <= 2:
            return int(state.candidates[0])
        if left == space.size:
            guess = _opening(space, self.seed)
            # The space remembers: millions of responses are found now, not within the next turn.
            space.response_ids(guess)
            return guess
        if space.size * max(left, response_count(space.rules.positions)) <= _EXHAUSTIVE:
            sample = _Sample(space.rules, space.codes.take(state.candidates, axis=0))
            guesses = space.codes
        else:
            sample, guesses = self._search(state)
        values = sample.weigh(guesses)
        order = np.argsort(values, kind="stable")
        best = order[0]
        # No guess does better than one that may win and tells all others apart.
        if sample.whole and left <= _AHEAD and values[best] * left > left - 1 + _EQUAL:
            # Of guesses that are worth the same most are alike.
            different = order[np.diff(values[order], prepend=-1.0) > _EQUAL]
            compared = different[: self._times(_COMPARED)]
            tried = guesses[order[: self._times(_TRIED)]]
            ahead = [sample.look_ahead(guess, tried) for guess in guesses[compared]]
            best = compared[int(np.argmin(np.round(ahead, 9)))]
        return space.index(guesses[best].tolist())

    def _times(self, work: int) -> int:
        return max(1, round(work * self.effort))

    def _search(self, state: State) -> tuple[_Sample, Codes]:
        """Draw guesses and let the best climb; return the best found, and the sample for them."""
        space = state.space
        turns = ((guess, response_id(answer)) for guess, answer in state.history)
        random = default_rng([self.seed, 2, *chain.from_iterable(turns)])

        def draw(numbers: NDArray[np.integer] | int, most: int) -> Codes:
            """Codes out of these, or out of so many: all of them, or ``most`` drawn."""
            size = numbers if isinstance(numbers, int) else numbers.size
            drawn = np.arange(size) if size <= most else random.integers(size, size=most)
            return space.codes.take(drawn if isinstance(numbers, int) else numbers[drawn], axis=0)

        left = state.candidates.size
        full = draw(state.candidates, self._times(_FULL))
        small, middle, large = (
            _Sample(space.rules, full[:size], whole=left <= min(size, len(full)))
            for size in (self._times(_SMALL), self._times(_MIDDLE), len(full))
        )
        most = self._times(min(_MOST_DRAWN, _DRAWN_RESPONSES // len(small.codes)))
        candidates = draw(state.candidates, (most + 1) // 2)
        drawn = np.concatenate((candidates, draw(space.size, most)))
        values = small.weigh(drawn)
        order = np.argsort(values, kind="stable")
        inside = np.argsort(values[: len(candidates)], kind="stable")
        starts = np.concatenate((order[:_STARTS], inside[:_STARTING_CANDIDATES]))
        begins = np.unique(drawn[starts], axis=0)
        values = middle.weigh(begins)
        first = np.argsort(values, kind="stable")[: self._times(_CLIMBS)]
        ends = [middle.climb(begins[place], float(values[place])) for place in first]
        others = drawn[order[: self._times(_TRIED)]] if left <= _AHEAD else drawn[:0]
        return large, np.unique(np.concatenate((begins, ends, others)), axis=0)


@dataclass(frozen=True, slots=True)
class _Sample:
    """Candidates on which guesses are weighed."""

    rules: Rules

    codes: Codes
    """All candidates, in lexicographic order, or some that were drawn."""

    whole: bool = True
    """Whether these are all the candidates."""

    def weigh(self, guesses: Codes) -> NDArray[np.float64]:
        """Return the further guesses expected after each guess; on a sample, less a constant."""
        cost = _cost_table(1 << (len(self.codes) + 1).bit_length())
        values = np.empty(len(guesses))
        measure(guesses, self.codes, self.rules.symbols, cost, False, values)
        if self.whole:
            values -= self._has(guesses)  # a win takes no further guess
        return values / len(self.codes)

    def _has(self, guesses: Codes) -> NDArray[np.bool_]:
        """Whether each guess is among the candidates, if these are all."""
        powers = self.rules.symbols ** np.arange(self.rules.positions - 1, -1, -1, dtype=np.int64)
        # Numbers in the order of the codes, so that those of the candidates ascend.
        known, wanted = self.codes @ powers, guesses @ powers
        found = known.take(np.searchsorted(known, wanted), mode="clip") == wanted
        return np.asarray(found)

    def climb(self, guess: Codes, value: float) -> Codes:
        """Return the guess where steps to the best neighbour end; ``value``: that of ``guess``."""
        while True:
            around = neighbours(self.rules, guess)
            if not len(around):
                return guess
            values = self.weigh(around)
            best = int(values.argmin())
            if values[best] >= value - _EQUAL:
                return guess
            guess, value = around[best], float(values[best])

    def look_ahead(self, guess: Codes, tried: Codes) -> float:
        """Return the further guesses to be expected after ``guess`` and the best guesses after it.

        ``tried``: guesses to begin with on each part. Needs all the candidates.
        """
        ids = _table(guess[np.newaxis], self.codes)[0]
        sizes = np.bincount(ids, minlength=response_count(self.rules.positions))
        total = 0.0
        for answer in np.flatnonzero(sizes[:-1]).tolist():
            size = int(sizes[answer])
            if size <= 2:
                total += _cost_table(4)[size]
                continue
            part = _Sample(self.rules, self.codes[ids == answer])
            guesses = np.concatenate((part.codes[:_TRIED_CANDIDATES], tried))
            values = part.weigh(guesses)
            best = int(values.argmin())
            value = float(values[best])
            if value * size > size - 1 + _EQUAL:
                end = part.climb(guesses[best], value)
                value = float(part.weigh(end[np.newaxis])[0])
            total += size + value * size
        return total / len(self.codes)


def _table(guesses: Codes, codes: Codes) -> Codes:
    """Response ids of each guess to each code."""
    ids = np.empty((len(guesses), len(codes)), np.uint8)
    _responses.fill(guesses, codes, ids)
    return ids


@lru_cache(maxsize=32)
def _cost_table(length: int) -> NDArray[np.float64]:
    """The guesses to be expected for all candidates of a part together, by its size.

    1 and 3 for one candidate and two. From three on a line fitted to what this player itself takes
    for the parts of 8x10 and 10x10, n (1 + 0.52 log n), with 5.04 for three.
    """
    sizes = np.arange(length, dtype=np.float64)
    costs = sizes * (1 + 0.52 * np.log(np.maximum(sizes, 1)))
    costs[2:4] = (3, 5.04)[: max(0, length - 2)]
    return costs


@lru_cache(maxsize=32)
def _exchanges(positions: int, symbols: int) -> NDArray[np.intp]:
    """For all symbols in some order: places 0 to ``positions - 1`` after each exchange of two, of
    which one at least is below ``positions``.
    """
    pairs = [(i, j) for i in range(positions) for j in range(i + 1, symbols)]
    places = np.tile(np.arange(symbols), (len(pairs), 1))
    for row, (i, j) in zip(places, pairs, strict=True):
        row[[i, j]] = j, i
    return places[:, :positions]


def neighbours(rules: Rules, guess: Codes) -> Codes:
    """Return the codes that differ by an exchange of two positions or by one symbol."""
    if rules.repeats:
        first, second = np.triu_indices(rules.positions, 1)
        exchanged = np.tile(guess, (first.size, 1))
        rows = np.arange(first.size)
        exchanged[rows, first], exchanged[rows, second] = guess[second], guess[first]
        replaced = np.tile(guess, (rules.positions, rules.symbols, 1))
        for position in range(rules.positions):
            replaced[position, :, position] = np.arange(rules.symbols)
        around = np.concatenate((exchanged, replaced.reshape(-1, rules.positions)))
        around = around[(around != guess).any(axis=1)]
    else:
        unused = np.ones(rules.symbols, np.bool_)
        unused[guess] = False
        symbols = np.concatenate((guess, np.flatnonzero(unused).astype(np.uint8)))
        around = symbols[_exchanges(rules.positions, rules.symbols)]
    if not rules.leading_zero:
        around = around[around[:, 0] != 0]
    return around


# --- The first guess ----------------------------------------------------------------------------


def _opening(space: CodeSpace, seed: int) -> int:
    """The first guess: the best of codes of every kind, on a sample of all codes."""
    rules = space.rules
    guesses = np.array([*_kinds(rules)], np.uint8)
    if len(guesses) == 1:
        return space.index(guesses[0].tolist())
    whole = space.size <= _OPENING_SAMPLE
    codes = space.codes
    if not whole:
        random = default_rng([seed, 3])
        codes = codes.take(random.integers(space.size, size=_OPENING_SAMPLE), axis=0)
    values = _Sample(rules, codes, whole).weigh(guesses)
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
