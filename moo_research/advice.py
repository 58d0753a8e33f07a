"""The next guess in any game, as good as a second of work can make it.

Where the history is that of an optimal tree, or is turned into one by a symmetry of the game, the
tree is followed. Elsewhere the candidates are searched exactly, where they are few enough; the
search has a time limit. What is too large for it, or takes it too long, is left to a player that
looks at a sample (:mod:`moo_research.large`), by :func:`quick_guess`.

>>> advice = Adviser("3x10").advise(read_history(["012 0B2C"], Rules.parse("3x10")))
>>> advice.candidates, advice.method
(63, 'search')
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import permutations
from math import inf

from moo_research import players
from moo_research.codes import CodeSpace
from moo_research.errors import HistoryError, MemoryLimitError
from moo_research.game import Record
from moo_research.history import Turn, read_history
from moo_research.objective import Objective
from moo_research.players import State, TreePlayer
from moo_research.rules import SYMBOLS, Response, Rules
from moo_research.search import Engine, Progress, Search
from moo_research.tree import DecisionTree, Node

__all__ = ["Advice", "Adviser", "checkio", "quick_guess"]

SECONDS = 1.0
"""The time that a search may take before it is given up."""

# The table of responses that a search needs has the square of so many bytes.
_MOST_CODES_SEARCHED = 1 << 14
# As measured, a search mostly ends in time below one of these numbers, and hardly ever above both.
_FEW_CODES = 5040
_FEW_CANDIDATES = 400
# Symmetries are tried one by one.
_MOST_POSITIONS_TURNED = 5


@dataclass(frozen=True, slots=True)
class Advice:
    """The next guess, and why."""

    guess: str
    """In the symbols 0-9a-z."""

    method: str
    """``single`` (the one candidate left), ``tree`` (of least total), ``search`` (for the least
    total) or ``sampled`` (the player of that name)."""

    candidates: int
    """Codes still possible."""

    is_candidate: bool
    """Whether the guess may be the secret."""

    parts: Mapping[Response, int]
    """Candidates by their response to the guess, in the order of ids."""

    total: int | None
    """The least number of guesses from here on, over all candidates; None if it is not known."""

    @property
    def mean(self) -> float | None:
        """The least mean number of guesses from here on; None if it is not known."""
        return None if self.total is None else self.total / self.candidates


class Adviser:
    """Gives advice in one game; keeps what it has built from question to question."""

    def __init__(self, game: Rules | str | CodeSpace, *, seconds: float = SECONDS) -> None:
        """``seconds``: what a search may take; without a limit, ``inf``."""
        self.space = game if isinstance(game, CodeSpace) else CodeSpace(game)
        self.rules = self.space.rules
        self.seconds = seconds

    def advise(self, turns: Sequence[Turn]) -> Advice:
        """Return the best next guess known. Raises HistoryError where no code is left."""
        record = Record(self.space)
        for turn in turns:
            record.add(turn)
        return self.advise_in(record.state)

    def advise_in(self, state: State) -> Advice:
        """The same for a state of this game."""
        if not state.candidates.size:
            raise HistoryError("no code agrees with these responses; one of them is mistaken")
        guess, method, total = self._choose(state)
        parts = {
            response: len(part)
            for response, part in self.space.split(state.candidates, guess).items()
        }
        win = Response(self.rules.positions, 0)
        count = int(state.candidates.size)
        return Advice(self.space.text(guess), method, count, win in parts, parts, total)

    def best_candidate(self, state: State) -> int:
        """Return the number of the best next guess known among the candidates."""
        guess, method, _total = self._choose(state)
        if guess in state.candidates:
            return guess
        few = state.candidates.size <= _FEW_CANDIDATES
        if few and method in ("tree", "search") and self._engine is not None:
            return _best_of(self._engine.search(Objective.mean()), state)
        return players.get("minimax-consistent").choose(state)

    def _choose(self, state: State) -> tuple[int, str, int | None]:
        """The number of a guess, the method, and the least number of guesses if it is known."""
        if state.candidates.size == 1:
            return int(state.candidates[0]), "single", 1
        if (found := self._on_tree(state)) is not None:
            return found
        if (exact := self._search(state)) is not None:
            total, guess = exact
            return guess, "search", total
        return quick_guess(state)

    # ---- following a tree ----

    @cached_property
    def _tree(self) -> DecisionTree | None:
        return players.bundled_tree(self.rules)

    def _on_tree(self, state: State) -> tuple[int, str, int] | None:
        """The guess of the tree, if a symmetry of the game turns the history into one of its own.

        A symmetry permutes the positions and renames the symbols.
        """
        if self._tree is None:
            return None
        turns = [Turn(self.space.text(guess), response) for guess, response in state.history]
        for places in _symmetric_places(self.rules):
            names = _Names(self.rules)
            node: Node | None = self._tree.root
            path = []
            for turn in turns:
                turned = "".join(turn.guess[place] for place in places)
                if node is None or not names.join(turned, node.guess):
                    break
                path.append(Turn(node.guess, turn.response))
                node = node.parts.get(turn.response)
            else:
                if node is not None:
                    guess = [""] * self.rules.positions
                    for place, symbol in zip(places, names.ours(node.guess), strict=True):
                        guess[place] = symbol
                    number = self.space.index("".join(guess))
                    return number, "tree", _total(self.space, node, path)
        return None

    # ---- searching ----

    @cached_property
    def _engine(self) -> Engine | None:
        if self.space.size > _MOST_CODES_SEARCHED:
            return None
        try:
            return Engine(self.rules)
        except MemoryLimitError:
            return None

    def _search(self, state: State) -> tuple[int, int] | None:
        """The least number of guesses from here on, and the number of a guess that attains it; None
        if that takes too long."""
        few = self.space.size <= _FEW_CODES or state.candidates.size <= _FEW_CANDIDATES
        if not few or self._engine is None:
            return None
        search = self._engine.search(Objective.mean())
        history = tuple(dict.fromkeys(state.history))  # a turn told twice tells nothing more
        try:
            total, guess = search.solve(history, progress=self._watch)
        except _TimeUp:
            return None
        assert total is not None
        return total - len(history) * int(state.candidates.size), guess

    def _watch(self, progress: Progress) -> None:
        if progress.seconds > self.seconds:
            raise _TimeUp


class _TimeUp(Exception):
    """A search has had its time."""


def quick_guess(state: State) -> tuple[int, str, int | None]:
    """Choose where neither a tree nor a search does: the guess, the method, and no total.

    This is the one place that decides how large games are played.
    """
    return players.get("sampled").choose(state), "sampled", None


def _best_of(search: Search, state: State) -> int:
    """The candidate that begins the best strategy of those that begin with a candidate."""
    least, best = None, int(state.candidates[0])
    for guess in state.candidates.tolist():
        value = search.value_of(guess, state.history, least)
        if value is not None and (least is None or value < least):
            least, best = value, guess
    return best


# --- Symmetries ---------------------------------------------------------------------------------


def _symmetric_places(rules: Rules) -> Iterable[tuple[int, ...]]:
    """The permutations of the positions that keep the game, the identity first; in games of many
    positions no other."""
    every = tuple(range(rules.positions))
    if rules.positions > _MOST_POSITIONS_TURNED:
        return (every,)
    return (p for p in permutations(every) if rules.leading_zero or p[0] == 0)


class _Names:
    """A renaming of symbols, as far as it is settled."""

    def __init__(self, rules: Rules) -> None:
        self.alphabet = rules.alphabet()
        # A 0 that may not lead is a symbol apart.
        self.theirs_of = {} if rules.leading_zero else {SYMBOLS[0]: SYMBOLS[0]}
        self.ours_of = dict(self.theirs_of)

    def join(self, ours: str, theirs: str) -> bool:
        """Let the symbols of one code become those of another; False if they cannot."""
        return all(
            self.theirs_of.setdefault(a, b) == b and self.ours_of.setdefault(b, a) == a
            for a, b in zip(ours, theirs, strict=True)
        )

    def ours(self, theirs: str) -> str:
        """Name a code back; symbols that nothing is known of are taken in their order."""
        for b in theirs:
            if b not in self.ours_of:
                a = next(a for a in self.alphabet if a not in self.theirs_of)
                self.join(a, b)
        return "".join(self.ours_of[b] for b in theirs)


def _total(space: CodeSpace, node: Node, path: Sequence[Turn]) -> int:
    """The guesses that a tree asks from a node on, over all secrets that reach it."""
    record = Record(space)
    for turn in path:
        record.add(turn)
    total, stack = 0, [(node, record.candidates)]
    while stack:
        node, candidates = stack.pop()
        total += int(candidates.size)
        if node.parts:
            split = space.split(candidates, space.index(node.guess))
            stack += [(node.parts[r], part) for r, part in split.items() if r in node.parts]
    return total


# --- CheckiO ------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _checkio_adviser() -> Adviser:
    return Adviser("4x10", seconds=inf)


def checkio(history: Iterable[str] = ()) -> str:
    """Return the next guess at four distinct digits, by the protocol of the CheckiO mission.

    ``history`` has the guesses so far with their responses, ``["1234 0B2C", "6512 2B2C"]``. From
    the empty history on the guesses are those of a tree of least total, and at most seven. After a
    history that the tree does not make, the guess is the best candidate: it agrees with every
    response. Raises MooError for a history that cannot be read, or with which no code agrees.

    >>> checkio(["1234 0B2C", "6512 2B2C"])
    '2516'
    """
    adviser = _checkio_adviser()
    turns = read_history(history, adviser.rules)
    record = Record(adviser.space)
    for turn in turns:
        record.add(turn)
    state = record.state
    if not state.candidates.size:
        raise HistoryError("no code agrees with these responses; one of them is mistaken")
    try:
        return adviser.space.text(TreePlayer().choose(state))
    except HistoryError:  # the history is not the tree's
        return adviser.space.text(adviser.best_candidate(state))
