"""Two strategies racing: each solves a secret of its own, and fewer guesses win.

The secrets are independent and uniform, so a race depends on nothing but the two histograms (Tanaka
1996, section 5). All results are exact fractions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from moo_research.errors import MooError

__all__ = ["Race", "race"]


@dataclass(frozen=True, slots=True)
class Race:
    """How often the first of two strategies wins, draws and loses; the three add up to 1."""

    win: Fraction
    draw: Fraction
    loss: Fraction

    @property
    def score(self) -> Fraction:
        """Points of the first: a win counts 1, a draw 1/2."""
        return self.win + self.draw / 2


def race(ours: Sequence[int], theirs: Sequence[int]) -> Race:
    """Race two strategies, given by their histograms: secrets solved at guess 1, 2, ....

    >>> race([1, 2, 3], [0, 6]).score
    Fraction(1, 3)
    """
    pairs = sum(ours) * sum(theirs)
    if pairs == 0 or min(*ours, *theirs) < 0:
        raise MooError("a race needs two histograms of secrets solved at guess 1, 2, ...")
    win = sum(count * sum(theirs[k:]) for k, count in enumerate(ours, 1))
    draw = sum(a * b for a, b in zip(ours, theirs, strict=False))
    return Race(Fraction(win, pairs), Fraction(draw, pairs), Fraction(pairs - win - draw, pairs))
