"""Players: strategies that choose one guess at a time, chosen by name.

A :class:`Player` is asked for the next guess in a :class:`State`: the codes of the game, those that
are still possible, and the history. Most players here weigh guesses by the sizes of the parts that
they make of the candidates (:class:`Greedy`); they differ in the measure, in the guesses that they
consider, and in what decides between equal guesses.

>>> [name for name in names() if name.startswith("minimax")]
['minimax', 'minimax-consistent']
>>> space = CodeSpace("4x10")
>>> space.text(get("entropy").choose(State.start(space)))
'0123'

Two options make a player definite. The *order* of codes is ``lexicographic`` or ``swap``, the order
of a recursive generator that swaps each position with every later element of the list of symbols.
The *tie rule* is ``consistent`` (of equal guesses a candidate, of those the earliest in the order)
or ``earliest`` (the earliest, candidate or not). Totals of the same measure differ by several per
cent with the tie rule; each player's default is told by :data:`CATALOGUE`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Literal, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from moo_research import _responses
from moo_research.codes import CodeSpace
from moo_research.errors import HistoryError, MooError, RulesError, shown
from moo_research.rules import Response, Rules, response_count, response_id
from moo_research.symmetry import least_of_orbits
from moo_research.tree import DecisionTree

__all__ = [
    "CATALOGUE",
    "ORDERS",
    "TIES",
    "Entry",
    "FirstConsistent",
    "Greedy",
    "Order",
    "Player",
    "RandomConsistent",
    "State",
    "TableThenRandom",
    "Ties",
    "TreePlayer",
    "bundled_tree",
    "get",
    "names",
    "swap_order",
]

Order = Literal["lexicographic", "swap"]
Ties = Literal["consistent", "earliest"]
Codes = NDArray[np.integer]
Measure = Callable[[NDArray[np.int64], NDArray[np.bool_]], NDArray[np.float64]]

ORDERS: tuple[Order, ...] = ("lexicographic", "swap")
TIES: tuple[Ties, ...] = ("consistent", "earliest")

# Responses counted at a time, which bounds the memory of a choice.
_BLOCK = 1 << 20
# Fewer responses than this cost less than finding the orbits of a history.
_WORTH_SYMMETRY = 100_000
# Sums of logarithms that are equal on paper differ by less than this, others by more.
_EQUAL = 1e-9
# Larmouth's measure takes this off if the guess may be the secret.
_LARMOUTH_BONUS = 2 * math.log(2)


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """What a player knows when it chooses."""

    space: CodeSpace

    candidates: Codes
    """Numbers of the codes still possible, ascending; at least one."""

    history: tuple[tuple[int, Response], ...] = ()
    """The guesses so far, by number, with their responses."""

    @classmethod
    def start(cls, space: CodeSpace) -> Self:
        """The beginning of a game."""
        return cls(space, np.arange(space.size))

    def after(self, guess: int, response: Response) -> Self:
        """The state after one more turn. Raises HistoryError if no candidate is left."""
        ids = self.space.response_ids(guess, self.candidates)
        left = self.candidates[ids == response_id(response)]
        if not left.size:
            text = self.space.text(guess)
            raise HistoryError(f"no code is left after {text} {response}; an answer is wrong")
        return type(self)(self.space, left, (*self.history, (guess, response)))


class Player(Protocol):
    """Chooses the next guess."""

    @property
    def name(self) -> str:
        """The name it goes by."""

    @property
    def deterministic(self) -> bool:
        """Whether equal states get equal guesses."""

    def choose(self, state: State) -> int:
        """Return the number of the next guess."""


@lru_cache(maxsize=8)
def swap_order(rules: Rules) -> Codes:
    """Return the numbers of all codes in swap order; read-only.

    The generator fixes position s by swapping element s with each element i = s, s + 1, ... of the
    array of symbols in turn, goes on with the next position, and swaps back. Raises RulesError
    where symbols repeat: the generator never repeats one.
    """
    if rules.repeats:
        raise RulesError(f"rules {rules} allow repeats; the swap order is one of distinct symbols")
    arrays = np.arange(rules.symbols, dtype=np.uint8)[np.newaxis]
    for s in range(rules.positions):
        # All arrays of one level at once: each is followed by its own swaps, as in the recursion.
        width = rules.symbols - s
        arrays = np.repeat(arrays, width, axis=0)
        rows = np.arange(len(arrays))
        partner = s + rows % width
        fixed = arrays[:, s].copy()
        arrays[:, s] = arrays[rows, partner]
        arrays[rows, partner] = fixed
    codes = arrays[:, : rules.positions]
    if not rules.leading_zero:
        codes = codes[codes[:, 0] != 0]
    # Every code comes once, so that its number is its place among them in lexicographic order.
    weights = rules.symbols ** np.arange(rules.positions - 1, -1, -1, dtype=np.int64)
    numbers = np.empty(len(codes), np.intp)
    numbers[np.argsort(codes @ weights)] = np.arange(len(codes))
    numbers.flags.writeable = False
    return numbers


@lru_cache(maxsize=8)
def _swap_ranks(rules: Rules) -> Codes:
    ranks = np.empty(rules.size, np.intp)
    ranks[swap_order(rules)] = np.arange(rules.size)
    return ranks


def _earliest(codes: Codes, space: CodeSpace, order: Order) -> int:
    """The earliest in the order of some codes, which are in ascending numbers."""
    if order == "lexicographic":
        return int(codes[0])
    return int(codes[np.argmin(_swap_ranks(space.rules)[codes])])


# --- The players --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FirstConsistent:
    """Guesses the first candidate in the order."""

    name: str = "first"
    order: Order = "lexicographic"

    @property
    def deterministic(self) -> bool:
        return True

    def choose(self, state: State) -> int:
        return _earliest(state.candidates, state.space, self.order)


@dataclass(frozen=True, slots=True)
class RandomConsistent:
    """Guesses any candidate, each as likely as another."""

    generator: np.random.Generator
    name: str = "random"

    @property
    def deterministic(self) -> bool:
        return False

    def choose(self, state: State) -> int:
        return int(state.candidates[self.generator.integers(state.candidates.size)])


@dataclass(frozen=True, slots=True)
class Greedy:
    """Guesses what measures least by the sizes of the parts that it makes of the candidates."""

    name: str

    measure: Measure
    """From part sizes (guesses x response ids, int64) and whether each guess is a candidate, what
    is to be least (guesses, float64). No partition may measure less than the one into single
    candidates made by a candidate."""

    consistent_only: bool
    """Whether it considers candidates only, or every code."""

    ties: Ties
    order: Order

    @property
    def deterministic(self) -> bool:
        return True

    def choose(self, state: State) -> int:
        space, candidates = state.space, state.candidates
        if candidates.size == 1:
            return int(candidates[0])
        if self.consistent_only or self.ties == "consistent":
            perfect = self._splits_all(state)
            if perfect.size:
                return _earliest(perfect, space, self.order)
        pool = candidates if self.consistent_only else np.arange(space.size)
        guesses, orbit_of = pool, None
        if pool.size * candidates.size > _WORTH_SYMMETRY:
            # Guesses of one orbit measure the same, and so does the least of them.
            turns = [guess for guess, _response in state.history]
            orbit_of = least_of_orbits(space, turns, [answer for _turn, answer in state.history])
            guesses = np.unique(orbit_of[pool])
        is_candidate = np.zeros(space.size, np.bool_)
        is_candidate[candidates] = True
        values = self._measure_all(state, guesses, is_candidate)
        best = guesses[values <= values.min() + _EQUAL]
        if orbit_of is not None:
            best = pool[np.isin(orbit_of[pool], best)]
        if self.ties == "consistent" and is_candidate[best].any():
            best = best[is_candidate[best]]
        return _earliest(best, space, self.order)

    def _splits_all(self, state: State) -> Codes:
        """The candidates that put every candidate into a part of its own, if there are any."""
        candidates, space = state.candidates, state.space
        if candidates.size > response_count(space.rules.positions):
            return candidates[:0]
        sizes = part_sizes(space, candidates, candidates)
        perfect: Codes = candidates[sizes.max(axis=1) == 1]
        return perfect

    def _measure_all(
        self, state: State, guesses: Codes, is_candidate: NDArray[np.bool_]
    ) -> NDArray[np.float64]:
        values = np.empty(guesses.size)
        step = max(1, _BLOCK // max(state.candidates.size, response_count(10)))
        for first in range(0, guesses.size, step):
            block = guesses[first : first + step]
            sizes = part_sizes(state.space, block, state.candidates)
            values[first : first + step] = self.measure(sizes, is_candidate[block])
        return values


def part_sizes(space: CodeSpace, guesses: Codes, candidates: Codes) -> NDArray[np.int64]:
    """Count the candidates by their response to each guess: shape (guesses, response ids)."""
    width = response_count(space.rules.positions)
    ids = np.empty((guesses.size, candidates.size), np.uint8)
    _responses.fill(space.codes[guesses], space.codes[candidates], ids)
    cells = ids + (np.arange(guesses.size, dtype=np.int32) * width)[:, np.newaxis]
    counts = np.bincount(cells.ravel(), minlength=guesses.size * width)
    return counts.reshape(guesses.size, width)


@dataclass(slots=True)
class TreePlayer:
    """Plays a decision tree: a given one, or an optimal one of whatever game it meets."""

    name: str = "optimal"
    tree: DecisionTree | None = None
    _solved: dict[Rules, DecisionTree] = field(default_factory=dict, repr=False)

    @property
    def deterministic(self) -> bool:
        return True

    def tree_for(self, rules: Rules) -> DecisionTree:
        """The tree played under these rules. Raises RulesError if it is one for others."""
        if self.tree is None:
            if rules not in self._solved:
                self._solved[rules] = _optimal_tree(rules)
            return self._solved[rules]
        if self.tree.rules != rules:
            raise RulesError(f"the tree {self.name} is for {self.tree.rules}, not for {rules}")
        return self.tree

    def choose(self, state: State) -> int:
        tree = self.tree_for(state.space.rules)
        node = tree.root
        for guess, response in state.history:
            if node.guess != (text := state.space.text(guess)):
                raise HistoryError(f"the tree {self.name} guesses {node.guess}, not {text}")
            if response not in node.parts:
                raise HistoryError(f"no code is left after {text} {response}; an answer is wrong")
            node = node.parts[response]
        return state.space.index(node.guess)


@dataclass(frozen=True, slots=True)
class TableThenRandom:
    """Guesses as an optimal tree does twice, then any candidate."""

    generator: np.random.Generator
    optimal: TreePlayer = field(default_factory=TreePlayer)
    name: str = "table-random"

    @property
    def deterministic(self) -> bool:
        return False

    def choose(self, state: State) -> int:
        if len(state.history) < 2 and state.candidates.size > 1:
            return self.optimal.choose(state)
        return int(state.candidates[self.generator.integers(state.candidates.size)])


@lru_cache(maxsize=4)
def bundled_tree(rules: Rules) -> DecisionTree | None:
    """Return the tree of least total that comes with the package, or None if there is none."""
    bundled = files("moo_research") / "data" / f"{rules}-mean.json.gz"
    return DecisionTree.load(str(bundled)) if bundled.is_file() else None


@lru_cache(maxsize=4)
def _optimal_tree(rules: Rules) -> DecisionTree:
    """A tree of least total: the one that comes with the package, or else one found now."""
    if (bundled := bundled_tree(rules)) is not None:
        return bundled
    from moo_research.search import solve

    tree = solve(rules).tree
    assert tree is not None
    return tree


# --- What they measure --------------------------------------------------------------------------


def _largest(sizes: NDArray[np.int64], _wins: NDArray[np.bool_]) -> NDArray[np.float64]:
    return np.asarray(sizes.max(axis=1), np.float64)


def _sum_of_squares(sizes: NDArray[np.int64], _wins: NDArray[np.bool_]) -> NDArray[np.float64]:
    return np.asarray(np.square(sizes).sum(axis=1), np.float64)


def _minus_parts(sizes: NDArray[np.int64], _wins: NDArray[np.bool_]) -> NDArray[np.float64]:
    return -np.asarray(np.count_nonzero(sizes, axis=1), np.float64)


def _t_log_t(sizes: NDArray[np.int64], _wins: NDArray[np.bool_]) -> NDArray[np.float64]:
    return np.asarray(_t_log_t_table(_power_above(sizes))[sizes].sum(axis=1))


def _larmouth(sizes: NDArray[np.int64], wins: NDArray[np.bool_]) -> NDArray[np.float64]:
    return _t_log_t(sizes, wins) - _LARMOUTH_BONUS * wins


def _landy(sizes: NDArray[np.int64], _wins: NDArray[np.bool_]) -> NDArray[np.float64]:
    return np.asarray(_landy_table(_power_above(sizes))[sizes].sum(axis=1))


def _power_above(sizes: NDArray[np.int64]) -> int:
    """A length of table that covers the sizes; powers of two, so that few tables are made."""
    return 1 << int(sizes.max()).bit_length()


@lru_cache(maxsize=32)
def _t_log_t_table(length: int) -> NDArray[np.float64]:
    t = np.arange(length, dtype=np.float64)
    return t * np.log(np.maximum(t, 1))


@lru_cache(maxsize=32)
def _landy_table(length: int) -> NDArray[np.float64]:
    t = np.arange(length, dtype=np.float64)
    return t * solve_x_to_the_x(np.maximum(t, 1))


def solve_x_to_the_x(n: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the x >= 1 with x^x = n, for n >= 1, by Newton's method on x log x = log n."""
    target = np.log(n)
    x = 1 + target  # above the solution, where the method falls towards it without overshooting
    for _ in range(60):
        x -= (x * np.log(x) - target) / (np.log(x) + 1)
    return x


# --- Their names --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Entry:
    """A player that can be asked for by name."""

    name: str
    description: str
    source: str
    make: Callable[[Order, Ties | None, int], Player]
    """From order, tie rule (None: its default) and seed."""


def _greedy(
    name: str, measure: Measure, ties: Ties = "consistent", consistent_only: bool = False
) -> Callable[[Order, Ties | None, int], Player]:
    return lambda order, wish, _seed: Greedy(name, measure, consistent_only, wish or ties, order)


def _random(_order: Order, _ties: Ties | None, seed: int) -> Player:
    return RandomConsistent(np.random.default_rng([seed, 0]))


def _table_then_random(_order: Order, _ties: Ties | None, seed: int) -> Player:
    return TableThenRandom(np.random.default_rng([seed, 0]))


def _sampled(_order: Order, _ties: Ties | None, seed: int) -> Player:
    from moo_research.large import Sampled

    return Sampled(seed=seed)


CATALOGUE = (
    Entry(
        "first",
        "the first candidate in the order",
        "CheckiO article; NaivePlayer of the C++ players article",
        lambda order, _ties, _seed: FirstConsistent(order=order),
    ),
    Entry("random", "any candidate", "Hit&Blow article", _random),
    Entry(
        "minimax",
        "smallest largest part, all codes; ties: earliest",
        "Clever2Player of the C++ players article",
        _greedy("minimax", _largest, "earliest"),
    ),
    Entry(
        "minimax-consistent",
        "smallest largest part, candidates only; ties: earliest",
        "Clever1Player of the C++ players article",
        _greedy("minimax-consistent", _largest, "earliest", consistent_only=True),
    ),
    Entry(
        "knuth",
        "smallest largest part, all codes; ties: a candidate, then earliest",
        "Knuth 1977",
        _greedy("knuth", _largest),
    ),
    Entry(
        "expected-size",
        "least expected size of the part; ties: a candidate, then earliest",
        "Irving 1978",
        _greedy("expected-size", _sum_of_squares),
    ),
    Entry(
        "entropy",
        "most information; ties: a candidate, then earliest",
        "Neuwirth 1982",
        _greedy("entropy", _t_log_t),
    ),
    Entry(
        "parts",
        "most parts; ties: a candidate, then earliest",
        "Kooi 2005",
        _greedy("parts", _minus_parts),
    ),
    Entry(
        "larmouth",
        "least sum of t log t, less 2 log 2 for a candidate; ties: a candidate, then earliest",
        "Larmouth, by way of the Web",
        _greedy("larmouth", _larmouth),
    ),
    Entry(
        "landy",
        "least sum of t x with x^x = t, a reading; ties: a candidate, then earliest",
        "Landy, in outline, by way of the Web",
        _greedy("landy", _landy),
    ),
    Entry(
        "sampled",
        "a climb to the most information, on samples; for games of millions of codes too",
        "docs/large.md",
        _sampled,
    ),
    Entry(
        "optimal",
        "a tree of least total, bundled or solved when it is needed",
        "Tanaka 1996, for 4x10",
        lambda _order, _ties, _seed: TreePlayer(),
    ),
    Entry(
        "table-random",
        "the first two guesses of an optimal tree, then any candidate",
        "Hit&Blow article",
        _table_then_random,
    ),
)
"""Every player that goes by a name; t are the sizes of the parts that a guess makes."""


def names() -> tuple[str, ...]:
    """Return the names of the players."""
    return tuple(entry.name for entry in CATALOGUE)


def get(
    name: str, *, order: Order = "lexicographic", ties: Ties | None = None, seed: int = 0
) -> Player:
    """Return the player of a name, or that of a tree file given by its path.

    ``order``: of the codes; ``ties``: a rule other than the player's default; ``seed``: of a random
    player, which plays the same again with the same seed. A player that has no use for an option
    ignores it. Raises MooError if there is no such player, TreeError for a tree that does not solve
    every secret.
    """
    if order not in ORDERS:
        raise MooError(f"there is no order {shown(order)}; the orders are {', '.join(ORDERS)}")
    if ties is not None and ties not in TIES:
        raise MooError(f"there is no tie rule {shown(ties)}; the rules are {', '.join(TIES)}")
    if seed < 0:
        raise MooError(f"{seed} is no seed; a seed is at least 0")
    for entry in CATALOGUE:
        if entry.name == name:
            return entry.make(order, ties, seed)
    if name.endswith((".json", ".json.gz")) or Path(name).is_file():
        tree = DecisionTree.load(name)
        tree.ensure_valid()
        return TreePlayer(name, tree)
    raise MooError(
        f"there is no player {shown(name)}; choose from {', '.join(names())}, or name a tree file"
    )
