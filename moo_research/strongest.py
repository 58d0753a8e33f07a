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
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from moo_research.duel import race
from moo_research.errors import MooError, ObjectiveError
from moo_research.objective import Objective
from moo_research.rules import Response, Rules
from moo_research.search import Engine, ProgressCallback, Solution, named_progress, prove
from moo_research.tree import DecisionTree

__all__ = [
    "MAX_ROUNDS",
    "ReplyClass",
    "Round",
    "Strongest",
    "best_reply",
    "reply_classes",
    "strongest",
]

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
    """The strategy; None if it was given by its histogram only."""


@dataclass(frozen=True, slots=True)
class Strongest:
    """The sequence of best replies and how it ended."""

    rules: Rules
    rounds: tuple[Round, ...]
    """The strategy to begin with, then each best reply to the one before."""

    equilibrium: bool | None
    """Whether the last is a best reply to itself, so that no fixed strategy scores above 1/2
    against it; None if the rounds ran out before that was asked."""

    circle: int | None
    """If the sequence has come back to an earlier histogram, the index of that round."""

    proof: Solution = field(repr=False)
    """The last search: the least cost against the strategy before the last reply, or against the
    last strategy itself at an equilibrium. With ``trace`` it has what a certificate needs."""

    seconds: float

    @property
    def strategy(self) -> Round:
        """The last strategy."""
        return self.rounds[-1]


@dataclass(frozen=True, slots=True)
class ReplyClass:
    """Best play against a histogram after one response to the first guess."""

    response: Response
    size: int
    """Candidates left."""

    guess: str
    """A best second guess."""

    cost: int
    """Least cost over the candidates: twice the points that they give the opponent."""

    asked: str
    """The second guess that was asked about."""

    asked_cost: int | None
    """Least cost if that one is taken; None if the limit on guesses cannot be kept then."""

    totals: tuple[int, int]
    """Fewest and most guesses after the first, over the candidates, in all best play."""


def best_reply(
    engine: Engine,
    histogram: Sequence[int],
    progress: ProgressCallback | None = None,
    *,
    trace: bool = False,
) -> tuple[Solution, Fraction]:
    """Return a strategy that scores as much as any against a histogram, and that score, proven.

    The score is that of the replayed tree; raises AssertionError if it is not the one that the
    search claims. ``trace`` keeps what a certificate needs.
    """
    _check_histogram(engine, histogram)
    codes = engine.space.size
    reply = prove(engine, Objective.against(histogram), progress, trace=trace)
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
    trace: bool = False,
    found: Callable[[Round], None] | None = None,
) -> Strongest:
    """Iterate best replies from a strategy until one is a best reply to itself.

    ``start`` is a tree, or the histogram of a strategy; by default the search makes a strategy of
    least total. Ends after so many ``rounds`` of replies at the most. ``found`` is told each
    strategy as soon as it is there, ``trace`` keeps what a certificate of the last search needs.
    """
    began = time.perf_counter()
    if rounds < 1:
        raise MooError(f"at least one round is needed, not {rounds}")
    engine = Engine(rules, threads=threads, memory=memory, kernel=kernel)
    histogram, tree = _start(engine, start, progress)
    sequence: list[Round] = []

    def add(histogram: tuple[int, ...], score: Fraction | None, tree: DecisionTree | None) -> None:
        sequence.append(Round(histogram, _total(histogram), score, None, tree))
        if found is not None:
            found(sequence[-1])

    def ended(equilibrium: bool | None, circle: int | None = None) -> Strongest:
        seconds = time.perf_counter() - began
        return Strongest(engine.rules, tuple(sequence), equilibrium, circle, reply, seconds)

    add(histogram, None, tree)
    for number in range(1, rounds + 1):
        last = sequence[-1]
        reply, score = best_reply(
            engine, last.histogram, named_progress(progress, f"round {number}"), trace=trace
        )
        assert reply.histogram is not None
        if last.tree is None and reply.histogram == last.histogram:
            # It was given by its histogram only, and here is a strategy that has it.
            last = replace(last, tree=reply.tree)
        sequence[-1] = replace(last, best_score=score)
        if score == Fraction(1, 2) and last.tree is not None:
            return ended(True)
        earlier = [each.histogram for each in sequence]
        add(reply.histogram, score, reply.tree)
        if reply.histogram in earlier:
            return ended(False, earlier.index(reply.histogram))
    return ended(None)


def reply_classes(
    engine: Engine,
    histogram: Sequence[int],
    first: str,
    asked: Mapping[Response, str],
    progress: ProgressCallback | None = None,
) -> Iterator[ReplyClass]:
    """Judge second guesses of others: for each response in ``asked``, how good is that guess?

    Play is limited to as many guesses as the histogram has, where each guess has to cost more than
    the one before. Best play is not unique, and neither is its total; the fewest guesses break the
    ties one way, the most guesses the other way.
    """
    _check_histogram(engine, histogram)
    space, within = engine.space, len(histogram)
    costs = Objective.against(histogram).costs(within)
    weight = space.size * within + 1  # above every total, so that the cost comes first
    cheap = engine.search(Objective("best reply", costs, None))
    short = engine.search(
        Objective("short", tuple(weight * c + k for k, c in enumerate(costs, 1)), None)
    )
    long = engine.search(
        Objective("long", tuple(weight * c + within - k for k, c in enumerate(costs, 1)), None)
    )
    for response, guess in asked.items():
        history = [(space.index(first), response)]
        show = named_progress(progress, str(response))
        size = len(cheap.candidates(history))
        cost, best = cheap.solve(history, progress=show)
        fewest, most = (search.solve(history, progress=show)[0] for search in (short, long))
        if cost is None or fewest is None or most is None:
            raise ObjectiveError(f"{within} guesses are not enough after {response}")
        yield ReplyClass(
            response=response,
            size=size,
            guess=space.text(best),
            cost=cost,
            asked=guess,
            asked_cost=cheap.value_of(space.index(guess), history, progress=show),
            # The first guess counts in these sums of guess numbers.
            totals=(
                fewest - weight * cost - size,
                weight * cost + size * within - most - size,
            ),
        )


def _start(
    engine: Engine,
    start: DecisionTree | Sequence[int] | None,
    progress: ProgressCallback | None,
) -> tuple[tuple[int, ...], DecisionTree | None]:
    if start is None:
        solution = prove(engine, Objective.mean(), named_progress(progress, "least total"))
        assert solution.histogram is not None
        return solution.histogram, solution.tree
    if not isinstance(start, DecisionTree):
        _check_histogram(engine, start)
        return tuple(start), None
    if start.rules != engine.rules:
        raise MooError(f"the tree to begin with is for {start.rules}, not {engine.rules}")
    return start.histogram, start


def _check_histogram(engine: Engine, histogram: Sequence[int]) -> None:
    codes = engine.space.size
    if sum(histogram) != codes:
        raise ObjectiveError(
            f"the histogram counts {sum(histogram)} secrets, but {engine.rules} has {codes}"
        )


def _total(histogram: Sequence[int]) -> int:
    return sum(k * count for k, count in enumerate(histogram, 1))
