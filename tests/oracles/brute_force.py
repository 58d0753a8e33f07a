"""The least cost of a game by trying everything: no bound, no symmetry, no order, no table of the
product.

Responses come from :mod:`tests.oracles.responses`. A set of candidates is an integer with one bit
per code. The only thing left out is a guess that all candidates answer alike without winning: it
would be followed by the same question one guess later, for ever.
"""

from collections.abc import Callable, Sequence
from functools import cache

from tests.oracles.responses import all_codes, respond

INFINITE = float("inf")


class Game:
    """All codes of a game and the response of each to each."""

    def __init__(self, positions: int, symbols: int, repeats: bool, leading_zero: bool) -> None:
        self.codes = all_codes(positions, symbols, repeats, leading_zero)
        self.everything = (1 << len(self.codes)) - 1
        # masks[guess]: for each response that is possible, the set of codes that get it; the win
        # first.
        self.masks: list[list[int]] = []
        for guess in self.codes:
            sets: dict[tuple[int, int], int] = {(positions, 0): 0}
            for i, secret in enumerate(self.codes):
                response = respond(guess, secret)
                sets[response] = sets.get(response, 0) | 1 << i
            self.masks.append(list(sets.values()))


def least_cost(
    game: Game, cost: Callable[[int], float], depth: int = 0, secrets: int | None = None
) -> float:
    """Return the least cost over all secrets of a set, after ``depth`` guesses; INFINITE if there
    is no strategy.

    ``cost(k)`` is what a secret solved at guess k costs.
    """

    @cache
    def value(candidates: int, depth: int) -> float:
        now = cost(depth + 1)
        if now == INFINITE:
            return INFINITE
        if candidates & (candidates - 1) == 0:
            return now
        best = INFINITE
        for win, *others in game.masks:
            parts = [part for mask in others if (part := candidates & mask)]
            won = candidates & win
            if not won and len(parts) == 1:
                continue
            total = now if won else 0
            for part in parts:
                total += value(part, depth + 1)
            best = min(best, total)
        return best

    return value(game.everything if secrets is None else secrets, depth)


def vector(start: Sequence[int], step: int | None) -> Callable[[int], float]:
    """Return the cost function of a vector: ``start``, then ``step`` more a guess, or no guess at
    all."""

    def cost(k: int) -> float:
        if k <= len(start):
            return start[k - 1]
        return INFINITE if step is None else start[-1] + step * (k - len(start))

    return cost


Pair = tuple[float, float]


def undominated(
    game: Game,
    first: Callable[[int], float],
    second: Callable[[int], float],
    depth: int = 0,
    secrets: int | None = None,
) -> set[Pair]:
    """Return every pair of costs that some strategy has and none beats in one and equals in the
    other; empty if there is no strategy.

    ``first(k)`` and ``second(k)`` are what a secret solved at guess k costs.
    """

    @cache
    def value(candidates: int, depth: int) -> frozenset[Pair]:
        now = (first(depth + 1), second(depth + 1))
        if INFINITE in now:
            return frozenset()
        if candidates & (candidates - 1) == 0:
            return frozenset({now})
        found: set[Pair] = set()
        for win, *others in game.masks:
            parts = [part for mask in others if (part := candidates & mask)]
            won = candidates & win
            if not won and len(parts) == 1:
                continue
            sums: set[Pair] = {now if won else (0, 0)}
            for part in parts:
                more = value(part, depth + 1)
                sums = least_of({(a + c, b + d) for a, b in sums for c, d in more})
            found |= sums
        return frozenset(least_of(found))

    return set(value(game.everything if secrets is None else secrets, depth))


def least_of(pairs: set[Pair]) -> set[Pair]:
    """Return the pairs that no other is at least as good as in both."""
    kept: list[Pair] = []
    for pair in sorted(pairs):
        if not kept or pair[1] < kept[-1][1]:
            kept.append(pair)
    return set(kept)


def corners(pairs: set[Pair]) -> list[Pair]:
    """Return the corners of the lower left convex hull of undominated pairs, by the first cost.

    A pair is one if no segment between two others passes on or below it.
    """
    return [
        (x, y)
        for x, y in sorted(pairs)
        if not any(
            left[0] < x < right[0]
            and (y - left[1]) * (right[0] - left[0]) >= (right[1] - left[1]) * (x - left[0])
            for left in pairs
            for right in pairs
        )
    ]
