"""The strongest play in a race, by iterated best reply.

Tanaka (1996) asked which strategy does best when two players race with independent secrets. Against
a known histogram h that is one more cost vector: a secret solved at guess k costs 2 (h[1] + ... +
h[k-1]) + h[k], twice the points that the opponent gets for it. So the exact best reply is one
search, and the best reply to that another. A strategy that is a best reply to itself, scoring 1/2,
ends the sequence: no fixed strategy scores more than 1/2 against it.

The score of every reply is computed from the histogram of its replayed tree and must agree with the
cost that the search has proven least. Nothing promises that the sequence ends so; it could go round
in a circle, and then the result says that.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from moo_research.duel import race
from moo_research.errors import MooError, ObjectiveError
from moo_research.objective import Objective
from moo_research.rules import Rules
from moo_research.search import Engine, ProgressCallback, Solution, prove
from moo_research.tree import DecisionTree

__all__ = ["MAX_ROUNDS", "Round", "Strongest", "best_reply", "strongest"]

MAX_ROUNDS = 50


@dataclass(frozen=True, slots=True)
class Round:
    """One strategy of the sequence."""

    histogram: tuple[int, ...]
    """Secrets solved at guess 1, 2, ..."""

    total: int
    """Guesses over all secrets."""

    score: Fraction | None
    """Its score against the strategy of the round before, from both histograms; None at first."""

    best_score: Fraction | None
    """What the search proves that no strategy can exceed against it; None if it was not asked."""

    tree: DecisionTree | None = field(repr=False)
    """The strategy; None if the sequence began with a bare histogram."""


@dataclass(frozen=True, slots=True)
class Strongest:
    """The sequence of best replies and how it ended."""

    rules: Rules
    rounds: tuple[Round, ...]
    """The strategy to begin with, then each best reply to the one before."""

    equilibrium: bool
    """Whether the last is a best reply to itself, so that no fixed strategy scores above 1/2
    against it."""

    circle: int | None
    """If the sequence has come back to an earlier histogram, the index of that round."""

    seconds: float

    @property
    def strategy(self) -> Round:
        """The last strategy."""
        return self.rounds[-1]


def best_reply(
    engine: Engine, histogram: Sequence[int], progress: ProgressCallback | None = None
) -> tuple[Solution, Fraction]:
    """Return a strategy that scores as much as any against a histogram, and that score, proven.

    The score is that of the replayed tree; raises AssertionError if it is not the one that the
    search claims.
    """
    codes = engine.space.size
    if sum(histogram) != codes:
        raise ObjectiveError(
            f"the histogram counts {sum(histogram)} secrets, but {engine.rules} has {codes}"
        )
    reply = prove(engine, Objective.against(histogram), progress)
    assert reply.histogram is not None
    assert reply.optimum is not None
    score = race(reply.histogram, histogram).score
    if score != 1 - Fraction(reply.optimum, 2 * codes * codes):
        raise AssertionError("the replayed tree does not score what the search says")
    return reply, score


def strongest(
    rules: Rules | str = "4x10",
    *,
    start: DecisionTree | Sequence[int] | None = None,
    rounds: int = MAX_ROUNDS,
    threads: int = 1,
    memory: int | None = None,
    kernel: str | None = None,
    progress: ProgressCallback | None = None,
) -> Strongest:
    """Iterate best replies from a strategy until one is a best reply to itself.

    ``start`` is a tree, or the histogram of a strategy; by default the search makes a strategy of
    least total. Ends after so many ``rounds`` of replies at the most.
    """
    began = time.perf_counter()
    if rounds < 1:
        raise MooError(f"at least one round is needed, not {rounds}")
    engine = Engine(rules, threads=threads, memory=memory, kernel=kernel)
    histogram, tree = _start(engine, start, progress)
    sequence = [Round(histogram, _total(histogram), None, None, tree)]
    for _ in range(rounds):
        last = sequence[-1]
        reply, score = best_reply(engine, last.histogram, progress)
        sequence[-1] = Round(last.histogram, last.total, last.score, score, last.tree)
        if score == Fraction(1, 2):
            return Strongest(engine.rules, tuple(sequence), True, None, time.perf_counter() - began)
        assert reply.histogram is not None
        earlier = [r.histogram for r in sequence]
        sequence.append(Round(reply.histogram, _total(reply.histogram), score, None, reply.tree))
        if reply.histogram in earlier:
            circle = earlier.index(reply.histogram)
            return Strongest(
                engine.rules, tuple(sequence), False, circle, time.perf_counter() - began
            )
    return Strongest(engine.rules, tuple(sequence), False, None, time.perf_counter() - began)


def _start(
    engine: Engine,
    start: DecisionTree | Sequence[int] | None,
    progress: ProgressCallback | None,
) -> tuple[tuple[int, ...], DecisionTree | None]:
    if start is None:
        solution = prove(engine, Objective.mean(), progress)
        assert solution.histogram is not None
        return solution.histogram, solution.tree
    if not isinstance(start, DecisionTree):
        return tuple(start), None
    if start.rules != engine.rules:
        raise MooError(f"the tree to begin with is for {start.rules}, not {engine.rules}")
    return start.histogram, start


def _total(histogram: Sequence[int]) -> int:
    return sum(k * count for k, count in enumerate(histogram, 1))
