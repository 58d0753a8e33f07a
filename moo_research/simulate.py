"""Playing many games: how a player does over all secrets, or over secrets drawn at random.

A deterministic player is not played game by game: games with the same history go on alike, so all
secrets go down together and each state is decided once. What comes of it is the player's decision
tree. A random player plays each game for itself, and so does every player where there are too many
codes for a tree.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from moo_research.codes import CodeSpace
from moo_research.errors import MooError
from moo_research.players import Greedy, Player, State, TableThenRandom, TreePlayer
from moo_research.rules import Response, Rules, response_count, response_of_id
from moo_research.tree import MAX_GUESSES, DecisionTree, Node

if TYPE_CHECKING:
    from moo_research.search import Progress

__all__ = ["Simulation", "decision_tree", "draw_secrets", "simulate"]

ProgressCallback = Callable[[int, int], None]
"""Is told how many secrets are settled, out of how many."""

MAX_GAMES = 10_000_000
"""The most games that :func:`simulate` draws."""

# The tree of a game with more codes would take hours.
_MOST_CODES = 1 << 17
# Players that weigh every code at every turn, or solve the whole game first.
_WEIGHING = (Greedy, TableThenRandom)

# Candidates that a greedy player settles in one call, which cannot be interrupted, in a moment.
_AT_ONCE = 4096


@dataclass(frozen=True, slots=True)
class Simulation:
    """How a player did."""

    player: str
    rules: Rules

    games: int
    """Games played: as many as there are secrets, or as were asked for."""

    histogram: tuple[int, ...]
    """Games won at guess 1, 2, ..., ``max_guesses``."""

    longest: tuple[str, ...]
    """The secrets that took ``max_guesses``, in lexicographic order."""

    seconds: float

    turn_seconds: tuple[float, ...] | None = None
    """The processor time of each turn, to find the candidates left and to choose: of all games that
    were played one by one, in the order played; None where a tree was grown."""

    @property
    def total(self) -> int:
        """Guesses over all games."""
        return sum(guess * games for guess, games in enumerate(self.histogram, 1))

    @property
    def mean(self) -> float:
        """Guesses for a game, on average."""
        return self.total / self.games

    @property
    def max_guesses(self) -> int:
        """Guesses in the worst game."""
        return len(self.histogram)

    @property
    def mean_turn(self) -> float | None:
        """Processor time of a turn, on average, in seconds; None where turns were not timed."""
        times = self.turn_seconds
        return None if times is None else sum(times) / len(times)

    @property
    def longest_turn(self) -> float | None:
        """Processor time of the longest turn, in seconds; None where turns were not timed."""
        return None if self.turn_seconds is None else max(self.turn_seconds)

    @property
    def deviation(self) -> float:
        """Standard deviation of the guesses for a game."""
        squares = sum(guess**2 * games for guess, games in enumerate(self.histogram, 1))
        return math.sqrt(max(squares / self.games - self.mean**2, 0))

    @property
    def standard_error(self) -> float:
        """Standard error of the mean, if the games were independent draws."""
        return self.deviation / math.sqrt(self.games)


def draw_secrets(space: CodeSpace, games: int, seed: int) -> NDArray[np.int64]:
    """Draw secrets, each as likely as another and independent, by number."""
    return np.random.default_rng([seed, 1]).integers(space.size, size=games)


def simulate(
    player: Player,
    rules: Rules | str = "4x10",
    *,
    games: int | None = None,
    seed: int = 0,
    progress: ProgressCallback | None = None,
    searching: Callable[[Progress], None] | None = None,
) -> Simulation:
    """Play every secret once, or as many secrets drawn with ``seed`` as ``games`` says.

    ``searching`` is told of the search for the tree that a player has to have first. Random players
    have a seed of their own. Raises MooError for a game too large, and for a player that comes to a
    guess that tells nothing.
    """
    began = time.perf_counter()
    rules = Rules.of(rules)
    if games is not None and not 1 <= games <= MAX_GAMES:
        raise MooError(f"{games} games cannot be played; ask for 1 to {MAX_GAMES}")
    _check_size(player, rules, games)
    space = CodeSpace(rules)
    if isinstance(player, TreePlayer | TableThenRandom):
        owner = player.optimal if isinstance(player, TableThenRandom) else player
        owner.tree_for(rules, searching)
    secrets = np.arange(space.size) if games is None else draw_secrets(space, games, seed)
    turn_seconds = None
    if player.deterministic and space.size <= _MOST_CODES:
        drawn = None if games is None else secrets
        lengths = _Growth(player, space, progress, drawn).lengths[secrets]
    else:
        turns = list(_play_one_by_one(player, space, secrets.tolist(), progress))
        lengths = np.array([len(game) for game in turns])
        turn_seconds = tuple(chain.from_iterable(turns))
    histogram = np.bincount(lengths)[1:]
    longest = np.unique(secrets[lengths == histogram.size])
    return Simulation(
        player=player.name,
        rules=space.rules,
        games=int(secrets.size),
        histogram=tuple(histogram.tolist()),
        longest=tuple(space.text(secret) for secret in longest.tolist()),
        seconds=time.perf_counter() - began,
        turn_seconds=turn_seconds,
    )


def decision_tree(player: Player, rules: Rules | str = "4x10") -> DecisionTree:
    """Return everything that a deterministic player does as a decision tree."""
    if not player.deterministic:
        raise MooError(f"player {player.name} guesses at random; it has no decision tree")
    rules = Rules.of(rules)
    _check_size(player, rules)
    space = CodeSpace(rules)
    growth = _Growth(player, space)
    parts: list[dict[Response, Node]] = [{} for _ in growth.guesses]
    nodes = [
        Node(space.text(guess), below) for guess, below in zip(growth.guesses, parts, strict=True)
    ]
    # A node shares its mapping of parts, which is filled in the order of response ids.
    edges = sorted(
        (parent, answer, child)
        for child, (parent, answer) in enumerate(growth.parents)
        if parent >= 0
    )
    for parent, answer, child in edges:
        parts[parent][response_of_id(answer)] = nodes[child]
    return DecisionTree.of(space.rules, nodes[0])


def _check_size(player: Player, rules: Rules, games: int | None = None) -> None:
    """Raise MooError if the player cannot play so large a game, or only drawn games of it."""
    if rules.size <= _MOST_CODES:
        return
    if isinstance(player, _WEIGHING) or (isinstance(player, TreePlayer) and player.tree is None):
        raise MooError(
            f"rules {rules} have {rules.size} codes, and player {player.name} considers them all: "
            f"up to {_MOST_CODES} can be simulated; sampled is a player for more"
        )
    if games is None:
        raise MooError(
            f"rules {rules} have {rules.size} codes; all secrets of up to {_MOST_CODES} can be "
            "played; of larger games some are, drawn at random (moo simulate --games N)"
        )


class _Growth:
    """The decision tree of a deterministic player, as arrays.

    If some secrets are drawn, only the branches that they go down.
    """

    def __init__(
        self,
        player: Player,
        space: CodeSpace,
        progress: ProgressCallback | None = None,
        drawn: NDArray[np.int64] | None = None,
    ) -> None:
        win = response_count(space.rules.positions) - 1
        self.lengths = np.zeros(space.size, np.uint8)
        """Guesses that each secret takes; of those drawn."""
        wanted = np.ones(space.size, np.bool_)
        if drawn is not None:
            wanted[:] = False
            wanted[drawn] = True
        all_wanted = int(np.count_nonzero(wanted))
        self.guesses: list[int] = []
        self.parents: list[tuple[int, int]] = []
        """Of each node, the node above, -1 for none, and the id of the response to it."""
        settled = 0
        stack = [(State.start(space), -1, 0)]
        while stack:
            state, parent, answer = stack.pop()
            if isinstance(player, Greedy) and state.candidates.size <= _AT_ONCE:
                self._add(player.grow(state, self.lengths), parent, answer)
                settled += int(np.count_nonzero(wanted[state.candidates]))
                if progress is not None:
                    progress(settled, all_wanted)
                continue
            guess = player.choose(state)
            here = len(self.guesses)
            self.guesses.append(guess)
            self.parents.append((parent, answer))
            candidates, turns = state.candidates, len(state.history) + 1
            ids = space.response_ids(guess, candidates)
            order = np.argsort(ids, kind="stable")
            sizes = np.bincount(ids, minlength=win + 1)
            if turns > MAX_GUESSES or (sizes.max() == candidates.size and not sizes[win]):
                raise MooError(
                    f"player {player.name} guesses {space.text(guess)} where that tells nothing"
                )
            ends = np.cumsum(sizes)
            for response in np.flatnonzero(sizes).tolist():
                part = candidates[order[ends[response] - sizes[response] : ends[response]]]
                if not wanted[part].any():
                    continue
                if response == win:
                    self.lengths[part] = turns
                    settled += 1
                    continue
                turn = (guess, response_of_id(response))
                stack.append((State(space, part, (*state.history, turn)), here, response))
            if progress is not None:
                progress(settled, all_wanted)

    def _add(
        self,
        nodes: tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint8]],
        parent: int,
        answer: int,
    ) -> None:
        """Add a tree that a response leads to, as :meth:`Greedy.grow` returns it."""
        guesses, parents, answers = (column.tolist() for column in nodes)
        here = len(self.guesses)
        self.guesses += guesses
        self.parents.append((parent, answer))
        self.parents += [(here + up, by) for up, by in zip(parents[1:], answers[1:], strict=True)]


def _play_one_by_one(
    player: Player, space: CodeSpace, secrets: Sequence[int], progress: ProgressCallback | None
) -> Iterator[list[float]]:
    """Yield the processor time of each turn of each game."""
    start = State.start(space)
    for played, secret in enumerate(secrets, 1):
        state = start
        turns: list[float] = []
        began = time.thread_time()
        while True:
            guess = player.choose(state)
            turns.append(time.thread_time() - began)
            if guess == secret:
                break
            if len(turns) > MAX_GUESSES:
                raise MooError(f"player {player.name} does not find {space.text(secret)}")
            response = space.response(guess, secret)
            began = time.thread_time()
            state = state.after(guess, response)
        yield turns
        if progress is not None:
            progress(played, len(secrets))
