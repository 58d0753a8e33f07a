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
from typing import TYPE_CHECKING, Literal, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from moo_research import _players, _responses
from moo_research.codes import CodeSpace
from moo_research.errors import HistoryError, MooError, RulesError, shown
from moo_research.rules import Response, Rules, response_count, response_id
from moo_research.tree import DecisionTree

if TYPE_CHECKING:
    from moo_research.search import Progress

__all__ = [
    "CATALOGUE",
    "ORDERS",
    "TIES",
    "Entry",
    "FirstConsistent",
    "Greedy",
    "Measure",
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

ORDERS: tuple[Order, ...] = ("lexicographic", "swap")
TIES: tuple[Ties, ...] = ("consistent", "earliest")

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
        left = self.space.consistent(guess, response, self.candidates)
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
class Measure:
    """What a guess is weighed by, the less the better: the sizes of the parts that it makes."""

    weights: Callable[[NDArray[np.float64]], NDArray[np.float64]]
    """From part sizes, any shape, to what a part of that size counts; one of size 0 counts 0."""

    largest: bool = False
    """Whether the part that counts most is the measure, and not the sum over the parts. The
    weights must then grow with the size."""

    bonus: float = 0.0
    """Taken off for a guess that is a candidate; at least 0."""


@dataclass(frozen=True, slots=True)
class Greedy:
    """Guesses what measures least by the sizes of the parts that it makes of the candidates.

    No partition may measure less than the one into single candidates made by a candidate.
    """

    name: str
    measure: Measure

    consistent_only: bool
    """Whether it considers candidates only, or every code."""

    ties: Ties
    order: Order

    @property
    def deterministic(self) -> bool:
        return True

    def choose(self, state: State) -> int:
        kernel = _kernel(self, state.space)
        return kernel.choose(state.candidates.astype(np.uint32), _turns(state))

    def grow(
        self, state: State, lengths: NDArray[np.uint8]
    ) -> tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint8]]:
        """Return everything it does from a state on, as a tree in preorder.

        Of each node the guess, the number of the node above (that of the first means nothing), and
        the id of the response that leads to it. ``lengths`` (one for each code) is set to the
        guesses that each candidate takes, those of the history included. Raises MooError if the
        player comes to a guess that tells nothing.
        """
        space = state.space
        try:
            guesses, parents, responses = _kernel(self, space).grow(
                state.candidates.astype(np.uint32), _turns(state), lengths
            )
        except _players.UselessGuess as error:
            guess = space.text(error.args[0])
            raise MooError(f"player {self.name} guesses {guess} where that tells nothing") from None
        return (
            np.frombuffer(guesses, np.uint32),
            np.frombuffer(parents, np.uint32),
            np.frombuffer(responses, np.uint8),
        )


def _turns(state: State) -> list[tuple[int, int]]:
    return [(guess, response_id(response)) for guess, response in state.history]


@lru_cache(maxsize=2)
def _kernel(player: Greedy, space: CodeSpace) -> _players.Greedy:
    """The player at work in a game; it has room for as many candidates as there are codes."""
    rules = space.rules
    swapped = player.order == "swap"
    return _players.Greedy(
        space.codes,
        rules.symbols,
        rules.leading_zero,
        _swap_ranks(rules).astype(np.uint32) if swapped else None,
        player.measure.weights(np.arange(space.size + 2, dtype=np.float64)),
        player.measure.largest,
        player.measure.bonus,
        player.consistent_only,
        player.ties == "consistent",
    )


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

    def tree_for(
        self, rules: Rules, searching: Callable[[Progress], None] | None = None
    ) -> DecisionTree:
        """The tree played under these rules; ``searching`` is told of the search, if there is one.

        Raises RulesError if it is a tree for other rules.
        """
        if self.tree is None:
            if rules not in self._solved:
                self._solved[rules] = _optimal_tree(rules, searching)
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
def _optimal_tree(rules: Rules, searching: Callable[[Progress], None] | None) -> DecisionTree:
    """A tree of least total: the one that comes with the package, or else one found now."""
    if (bundled := bundled_tree(rules)) is not None:
        return bundled
    from moo_research.search import solve

    tree = solve(rules, progress=searching).tree
    assert tree is not None
    return tree


# --- What they measure: weights of a part of t candidates ----------------------------------------


def _size(t: NDArray[np.float64]) -> NDArray[np.float64]:
    return t


def _square(t: NDArray[np.float64]) -> NDArray[np.float64]:
    return t * t


def _minus_one(t: NDArray[np.float64]) -> NDArray[np.float64]:
    return -np.asarray(t > 0, np.float64)


def _t_log_t(t: NDArray[np.float64]) -> NDArray[np.float64]:
    return t * np.log(np.maximum(t, 1))


def _landy(t: NDArray[np.float64]) -> NDArray[np.float64]:
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


def _entropy(order: Order, wish: Ties | None, _seed: int) -> Player:
    measure = Measure(_t_log_t, bonus=0.0 if wish else _LARMOUTH_BONUS)
    return Greedy("entropy", measure, False, wish or "consistent", order)


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
        _greedy("minimax", Measure(_size, largest=True), "earliest"),
    ),
    Entry(
        "minimax-consistent",
        "smallest largest part, candidates only; ties: earliest",
        "Clever1Player of the C++ players article",
        _greedy(
            "minimax-consistent", Measure(_size, largest=True), "earliest", consistent_only=True
        ),
    ),
    Entry(
        "knuth",
        "smallest largest part, all codes; ties: a candidate, then earliest",
        "Knuth 1977",
        _greedy("knuth", Measure(_size, largest=True)),
    ),
    Entry(
        "expected-size",
        "least expected size of the part; ties: a candidate, then earliest",
        "Irving 1978",
        _greedy("expected-size", Measure(_square)),
    ),
    Entry(
        "entropy",
        "most information, a candidate 2 log 2 ahead unless --ties is given",
        "Neuwirth 1982; Larmouth for the 2 log 2",
        _entropy,
    ),
    Entry(
        "parts",
        "most parts; ties: a candidate, then earliest",
        "Kooi 2005",
        _greedy("parts", Measure(_minus_one)),
    ),
    Entry(
        "larmouth",
        "least sum of t log t, 2 log 2 off for a candidate; ties: a candidate, then earliest",
        "Larmouth, by way of the Web",
        _greedy("larmouth", Measure(_t_log_t, bonus=_LARMOUTH_BONUS)),
    ),
    Entry(
        "landy",
        "least sum of t x with x^x = t, a reading; ties: a candidate, then earliest",
        "Landy, in outline, by way of the Web",
        _greedy("landy", Measure(_landy)),
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
        if entry.name == name.lower():
            return entry.make(order, ties, seed)
    if name.endswith((".json", ".json.gz")) or Path(name).is_file():
        tree = DecisionTree.load(name)
        tree.ensure_valid()
        return TreePlayer(name, tree)
    raise MooError(
        f"there is no player {shown(name)}; choose from {', '.join(names())}, or name a tree file"
    )
