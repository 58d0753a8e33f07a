"""What a strategy is to minimise: a cost for each guess number, summed over all secrets.

Every objective of this package is a vector c[1] <= c[2] <= ...: a secret solved at guess k costs
c[k]. The search knows nothing else about it.

==================================  ==========================================================
least total                         1, 2, 3, ...
all secrets within m guesses        0 (m times), and no guess after that
fewest secrets at guess m           0 (m - 1 times), 1, and no guess after that
most secrets within k guesses       0 (k times), then 1 for ever
best score against a histogram h    2 (h[1] + ... + h[k-1]) + h[k]
first A, then B                     A's vector times a weight above all that B can reach, plus B's
==================================  ==========================================================
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from moo_research.errors import ObjectiveError

__all__ = ["LARGEST_SUM", "Objective"]

LARGEST_SUM = 2**50
"""No strategy may cost more than this in all, so that sums stay exact in the search."""


@dataclass(frozen=True, slots=True)
class Objective:
    """A non-decreasing cost per guess number.

    Raises :class:`~moo_research.errors.ObjectiveError` where the numbers decrease, are negative, or
    are none at all.
    """

    name: str
    """How it is called in output."""

    start: tuple[int, ...]
    """Cost of a secret solved at guess 1, 2, ..., as far as it is not regular."""

    step: int | None
    """How much each guess past the start costs more than the one before; None forbids them."""

    components: tuple[Objective, ...] = ()
    """The objectives that this one puts in order, the most important first; none if simple."""

    def __post_init__(self) -> None:
        if not self.start:
            raise ObjectiveError("an objective needs the cost of at least one guess")
        if self.start[0] < 0:
            raise ObjectiveError(f"costs must not be negative, and the first is {self.start[0]}")
        for k, (before, after) in enumerate(itertools.pairwise(self.start), 1):
            if after < before:
                raise ObjectiveError(
                    f"costs must not decrease, but guess {k} costs {before} and guess {k + 1}"
                    f" costs {after}"
                )
        if self.step is not None and self.step < 0:
            raise ObjectiveError("costs must not decrease")

    @classmethod
    def mean(cls) -> Objective:
        """Least total of guesses, and so the least mean."""
        return cls("mean", (1,), 1)

    @classmethod
    def within(cls, guesses: int) -> Objective:
        """All secrets within so many guesses; costs nothing, but may be impossible."""
        return cls(f"within {guesses}", (0,) * guesses, None)

    @classmethod
    def at_last(cls, guesses: int, codes: int) -> Objective:
        """Fewest secrets past guess number ``guesses``, then fewest at it, of so many codes.

        So a strategy that keeps to ``guesses`` comes before all that do not, and where none of
        those that are compared does, the one that fails least often is best.
        """
        return cls("last", (0,) * (guesses - 1) + (1, codes + 1), 0)

    @classmethod
    def odds(cls, guesses: int) -> Objective:
        """Most secrets within so many guesses: the fewest that need more."""
        return cls(f"odds {guesses}", (0,) * guesses + (1,), 0)

    @classmethod
    def against(cls, histogram: Sequence[int]) -> Objective:
        """Best score in a race against a strategy with this histogram (secrets at guess 1, 2, ...).

        Both players solve independent uniform secrets; fewer guesses win, equal counts are a draw.
        With n secrets, a strategy of cost C scores 1 - C / (2 n^2), a win counting 1 and a draw 1/2
        (Tanaka 1996).
        """
        if any(count < 0 for count in histogram) or not any(histogram):
            raise ObjectiveError("a histogram counts the secrets solved at guess 1, 2, ...")
        faster = [0, *itertools.accumulate(histogram)]
        costs = [2 * lost + drawn for lost, drawn in zip(faster, histogram, strict=False)]
        return cls("best reply", (*costs, 2 * faster[-1]), 0)

    @classmethod
    def raw(cls, costs: Iterable[int]) -> Objective:
        """Take the costs as they are; guesses past the end are not allowed."""
        return cls("cost", tuple(costs), None)

    @property
    def text(self) -> str:
        """The costs in words: ``1 step 1``, or ``0 0 1 limit`` if no more guesses are allowed."""
        tail = "limit" if self.step is None else f"step {self.step}"
        return f"{' '.join(map(str, self.start))} {tail}"

    def costs(self, guesses: int) -> tuple[int, ...]:
        """Return the cost of guess 1 .. ``guesses``, fewer if a limit comes first."""
        if self.step is None or guesses <= len(self.start):
            return self.start[:guesses]
        last = self.start[-1]
        more = guesses - len(self.start)
        return self.start + tuple(last + self.step * i for i in range(1, more + 1))

    @property
    def limit(self) -> int | None:
        """Number of guesses allowed; None if there is no limit."""
        return len(self.start) if self.step is None else None

    def limited(self, guesses: int) -> Objective:
        """Return the same objective with no more than so many guesses allowed."""
        if self.limit is not None and self.limit <= guesses:
            return self
        return replace(self, start=self.costs(guesses), step=None)

    def then(self, other: Objective, codes: int) -> Objective:
        """Return the objective that minimises this one and, among its optima, ``other``.

        For a game of so many codes. A strategy costs ``other`` from codes x its first cost to codes
        x c, where c is what it costs at the deepest guess of a strategy that matters. The weight
        must exceed the difference, so c is taken at a guess that no optimal strategy goes beyond:
        the limit, or the number of codes.
        """
        limits = [limit for limit in (self.limit, other.limit) if limit is not None]
        deepest = min([*limits, max(codes, len(self.start), len(other.start))])
        theirs = other.costs(deepest)
        weight = codes * (theirs[-1] - theirs[0]) + 1
        length = min(deepest, max(len(self.start), len(other.start)))
        start = tuple(
            weight * a + b for a, b in zip(self.costs(length), other.costs(length), strict=True)
        )
        step = None
        if self.step is not None and other.step is not None:
            step = weight * self.step + other.step
        elif length < deepest:
            start = tuple(weight * a + b for a, b in zip(self.costs(deepest), theirs, strict=True))
        components = (*(self.components or (self,)), *(other.components or (other,)))
        return Objective(f"{self.name}, then {other.name}", start, step, components)

    def check_size(self, codes: int, guesses: int) -> None:
        """Raise ObjectiveError if strategies so deep could cost more than LARGEST_SUM."""
        if codes * self.costs(guesses)[-1] > LARGEST_SUM:
            raise ObjectiveError(
                f"the costs are too large: {codes} codes of {self.costs(guesses)[-1]} each"
                f" exceed 2^50, past which sums would not be exact"
            )

    def of(self, histogram: Sequence[int]) -> int:
        """Return what a strategy with this histogram (secrets at guess 1, 2, ...) costs."""
        costs = self.costs(len(histogram))
        if len(costs) < len(histogram) and any(histogram[len(costs) :]):
            raise ObjectiveError(f"{self.name} allows {len(costs)} guesses")
        return sum(count * cost for count, cost in zip(histogram, costs, strict=False))

    def each_of(self, histogram: Sequence[int]) -> tuple[int, ...]:
        """Return what the strategy costs under each component, or under this objective alone."""
        return tuple(part.of(histogram) for part in self.components or (self,))
