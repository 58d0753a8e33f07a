"""One guess per orbit of a history.

A permutation of the positions with a permutation of the symbols turns the game into itself. Those
that map the set of (guess, response) pairs of a history to itself leave its candidates as they are,
so two guesses that they exchange are worth the same. Turns may change places when their responses
are equal; give no responses to keep every guess where it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from moo_research import _engine
from moo_research.rules import Response, response_id

if TYPE_CHECKING:
    from moo_research.codes import CodeSpace

__all__ = ["Orbit", "least_of_orbits", "orbits", "symmetries"]


@dataclass(frozen=True, slots=True)
class Orbit:
    """Guesses that are worth the same."""

    guess: int
    """Number of the least of them, in lexicographic order."""

    size: int
    """How many they are."""


def _turns(
    space: CodeSpace, guesses: Sequence[int], responses: Sequence[Response] | None
) -> tuple[np.ndarray, list[int]]:
    rows = np.ascontiguousarray(space.codes[np.asarray(guesses, dtype=np.intp)], dtype=np.uint8)
    rows = rows.reshape(len(guesses), space.rules.positions)
    # Without responses every turn is told apart, so that none changes places.
    ids = (
        list(range(len(guesses)))
        if responses is None
        else [response_id(response) for response in responses]
    )
    return rows, ids


def symmetries(
    space: CodeSpace, guesses: Sequence[int] = (), responses: Sequence[Response] | None = None
) -> int:
    """Return the number of symmetries that keep a history of code numbers (and responses).

    For seven positions and more the list may be cut short, and the number is a lower bound.
    """
    rows, ids = _turns(space, guesses, responses)
    rules = space.rules
    count, _complete = _engine.symmetries(
        rules.positions, rules.symbols, rules.leading_zero, rows, ids
    )
    return int(count)


def least_of_orbits(
    space: CodeSpace, guesses: Sequence[int] = (), responses: Sequence[Response] | None = None
) -> np.ndarray:
    """Return, for every code, the number of the least code of its orbit: shape (codes,), int64.

    Where the list of symmetries is cut short (seven positions and more), orbits may be split.
    """
    rows, ids = _turns(space, guesses, responses)
    rules = space.rules
    least = np.frombuffer(
        _engine.least_codes(
            rules.positions, rules.symbols, rules.leading_zero, rows, ids, space.codes
        ),
        dtype=np.uint8,
    ).reshape(space.codes.shape)
    # Lexicographic order of rows is numeric order of their digits; up to 36^10 fits 64 bits.
    weights = rules.symbols ** np.arange(rules.positions - 1, -1, -1, dtype=np.int64)
    numbers: np.ndarray = np.searchsorted(space.codes @ weights, least @ weights)
    return numbers


def orbits(
    space: CodeSpace, guesses: Sequence[int] = (), responses: Sequence[Response] | None = None
) -> tuple[Orbit, ...]:
    """Return the orbits of all codes under the symmetries that keep a history, least first.

    >>> from moo_research.codes import CodeSpace
    >>> len(orbits(CodeSpace("4x10"), [0]))
    20
    """
    least, sizes = np.unique(least_of_orbits(space, guesses, responses), return_counts=True)
    return tuple(Orbit(int(g), int(n)) for g, n in zip(least, sizes, strict=True))
