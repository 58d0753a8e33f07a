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
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from moo_research.objective import Objective
from moo_research.rules import Rules
from moo_research.search import (
    Engine,
    ProgressCallback,
    Solution,
    named_progress,
    prove,
    worst_case,
)
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
    found: Callable[[Point], None] | None = None,
) -> Frontier:
    """Find the supported points of total against secrets at the last guess, within the least worst
    case.

    ``found`` is told each point as soon as it is proven, the two ends first.
    """
    began = time.perf_counter()
    engine = Engine(rules, threads=threads, memory=memory, kernel=kernel)
    limit = worst_case(engine, progress)
    codes = engine.space.size
    mean = Objective.mean().limited(limit)
    last = Objective.at_last(limit, codes).limited(limit)

    def least(objective: Objective, stage: str) -> Point:
        return _point(prove(engine, objective, named_progress(progress, stage)), limit)

    def tell(point: Point) -> Point:
        if found is not None:
            found(point)
        return point

    def between(left: Point, right: Point) -> Iterator[Point]:
        mixture = _mixture(left, right, limit)
        stage = f"between {left.total}, {left.last} and {right.total}, {right.last}"
        middle = least(mixture, stage)
        if mixture.of(middle.histogram) < mixture.of(left.histogram):
            tell(middle)
            yield from between(left, middle)
            yield middle
            yield from between(middle, right)

    fastest = tell(least(mean.then(last, codes), "least total"))
    points = [fastest]
    safest = least(last.then(mean, codes), "fewest at the last guess")
    if safest.total > fastest.total:
        points += [*between(fastest, tell(safest)), safest]
    # Neighbours that differ by one in either leave no room for a point between them.
    complete = all(
        right.total - left.total == 1 or left.last - right.last == 1
        for left, right in itertools.pairwise(points)
    )
    return Frontier(engine.rules, limit, tuple(points), complete, time.perf_counter() - began)


def _mixture(left: Point, right: Point, limit: int) -> Objective:
    """Return the weighted sum of total and last that is equal at two points."""
    total_weight, last_weight = left.last - right.last, right.total - left.total
    costs = [total_weight * k for k in range(1, limit + 1)]
    costs[-1] += last_weight
    return Objective("mixture", tuple(costs), None)


def _point(solution: Solution, limit: int) -> Point:
    assert solution.histogram is not None
    assert solution.total is not None
    assert solution.tree is not None
    last = solution.histogram[limit - 1] if len(solution.histogram) >= limit else 0
    return Point(solution.total, last, solution.histogram, solution.tree)
