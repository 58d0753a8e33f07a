"""The trade-off between the total and the number of secrets at the last guess.

Both are sums of costs over the secrets, so the least of any mixture ``a total + b last`` is one
search. The points that are least for some mixture, the supported ones, are the corners of the
convex hull of what strategies can do; they are found by the method of Aneja and Nair (1979): begin
with the two ends, and between two neighbours search with the mixture for which they are equal. A
point below their line is a new corner; none is a proof that nothing lies below the line.

Points above the hull that no other point beats in both (unsupported ones) may exist between the
corners; this module does not list them, and says so.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from moo_research.objective import Objective
from moo_research.rules import Rules
from moo_research.search import Engine, ProgressCallback, Solution, prove, worst_case
from moo_research.tree import DecisionTree

__all__ = ["Frontier", "Point", "frontier"]


@dataclass(frozen=True, slots=True)
class Point:
    """A strategy on the frontier."""

    total: int
    """Guesses over all secrets."""

    last: int
    """Secrets that need the last guess."""

    histogram: tuple[int, ...]
    """Secrets solved at guess 1, 2, ..., of one strategy with this total and last."""

    tree: DecisionTree = field(repr=False)


@dataclass(frozen=True, slots=True)
class Frontier:
    """The corners of the trade-off."""

    rules: Rules
    max_guesses: int
    """The last guess: the least worst case, which all these strategies keep."""

    points: tuple[Point, ...]
    """By increasing total; the number at the last guess decreases."""

    complete: bool
    """Whether every undominated pair is listed, not only the supported ones."""

    seconds: float


def frontier(
    rules: Rules | str = "4x10",
    *,
    threads: int = 1,
    memory: int | None = None,
    kernel: str | None = None,
    progress: ProgressCallback | None = None,
) -> Frontier:
    """Find the supported points of total against secrets at the last guess, within the least worst
    case."""
    began = time.perf_counter()
    engine = Engine(rules, threads=threads, memory=memory, kernel=kernel)
    limit = worst_case(engine, progress)
    codes = engine.space.size
    mean = Objective.mean().limited(limit)
    last = Objective.at_last(limit).limited(limit)
    fastest = _point(prove(engine, mean.then(last, codes), progress), limit)
    safest = _point(prove(engine, last.then(mean, codes), progress), limit)
    points = [fastest]
    if safest.total > fastest.total:
        points += [*_between(engine, fastest, safest, limit, progress), safest]
    # Neighbours that differ by one in either leave no room for a point between them.
    complete = all(
        right.total - left.total == 1 or left.last - right.last == 1
        for left, right in itertools.pairwise(points)
    )
    return Frontier(engine.rules, limit, tuple(points), complete, time.perf_counter() - began)


def _between(
    engine: Engine, left: Point, right: Point, limit: int, progress: ProgressCallback | None
) -> Iterator[Point]:
    """Yield the corners between two points."""
    guesses, lasts = left.last - right.last, right.total - left.total
    # guesses * total + lasts * last is equal at both.
    costs = [guesses * k for k in range(1, limit + 1)]
    costs[-1] += lasts
    mixture = Objective("mixture", tuple(costs), None)
    middle = _point(prove(engine, mixture, progress), limit)
    if mixture.of(middle.histogram) < mixture.of(left.histogram):
        yield from _between(engine, left, middle, limit, progress)
        yield middle
        yield from _between(engine, middle, right, limit, progress)


def _point(solution: Solution, limit: int) -> Point:
    assert solution.histogram is not None
    assert solution.total is not None
    assert solution.tree is not None
    last = solution.histogram[limit - 1] if len(solution.histogram) >= limit else 0
    return Point(solution.total, last, solution.histogram, solution.tree)
