"""The most secrets that any strategy can solve within k guesses.

For each k that is one search, with the cost 0 for the first k guesses and 1 from then on: the least
cost is the number of secrets that must be left over. The first few are Tanaka's capacities (1996,
table 1). The strategies for different k may differ: no single one need attain them all.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from moo_research.objective import Objective
from moo_research.rules import Rules
from moo_research.search import Engine, ProgressCallback

__all__ = ["Odds", "OddsRow", "odds", "odds_rows"]


@dataclass(frozen=True, slots=True)
class OddsRow:
    """What can be done within some number of guesses."""

    guesses: int
    solved: int
    """The most secrets that one strategy solves within so many guesses."""

    probability: Fraction
    """The same as a part of all secrets."""


@dataclass(frozen=True, slots=True)
class Odds:
    """The odds for every number of guesses, up to the one that solves all secrets."""

    rules: Rules
    rows: tuple[OddsRow, ...]
    proved: bool
    seconds: float


def odds_rows(engine: Engine, progress: ProgressCallback | None = None) -> Iterator[OddsRow]:
    """Yield the odds within 1, 2, ... guesses, until all secrets are solved."""
    codes, solved, guesses = engine.space.size, 0, 0
    while solved < codes:
        guesses += 1
        search = engine.search(Objective.odds(guesses))
        left, _guess = search.solve(progress=progress, stage=f"within {guesses} guesses: ")
        assert left is not None
        solved = codes - left
        yield OddsRow(guesses, solved, Fraction(solved, codes))


def odds(
    rules: Rules | str = "4x10",
    *,
    threads: int = 1,
    memory: int | None = None,
    kernel: str | None = None,
    progress: ProgressCallback | None = None,
    found: Callable[[OddsRow], None] | None = None,
) -> Odds:
    """Find, with proof, the most secrets that a strategy can solve within 1, 2, ... guesses.

    ``found`` is told each row as soon as it is proven.
    """
    began = time.perf_counter()
    engine = Engine(rules, threads=threads, memory=memory, kernel=kernel)
    rows = []
    for row in odds_rows(engine, progress):
        rows.append(row)
        if found is not None:
            found(row)
    return Odds(engine.rules, tuple(rows), True, time.perf_counter() - began)
