"""Readings of Landy's function, which its source gives only in outline: none has his total.

The source says that the function involves the solution x of x^x = n. Each reading here weighs the
parts of a guess by a function of their sizes t and of x, takes something off for a guess that may
be the secret, and has a rule for ties; each plays all secrets of 4 x 10. Writes
results/landy.json and results/landy.md, with Matplotlib a picture, too; takes a minute or two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import common
import numpy as np
from numpy.typing import NDArray

from moo_research import published
from moo_research.errors import MooError
from moo_research.players import Greedy, Measure, Order, Ties, solve_x_to_the_x
from moo_research.simulate import simulate

Values = NDArray[np.float64]

WEIGHTS: dict[str, Callable[[Values, Values], Values]] = {
    "t x": lambda t, x: t * x,
    "(t - 1) x": lambda t, x: (t - 1) * x,
    "(t + 1) x": lambda t, x: (t + 1) * x,
    "t (x - log x)": lambda t, x: t * (x - np.log(x)),
    "t (x + log x)": lambda t, x: t * (x + np.log(x)),
    "t sqrt x": lambda t, x: t * np.sqrt(x),
    "t x^(3/2)": lambda t, x: t * x**1.5,
    "t x^2": lambda t, x: t * x**2,
    "t x^3": lambda t, x: t * x**3,
    "t log x": lambda t, x: t * np.log(x),
    "t x log x": lambda t, x: t * x * np.log(x),
    "t^2 / x": lambda t, x: t**2 / x,
    "x": lambda _t, x: x,
}
SCALES = (1, 2)
"""x^x is so many times the size of the part."""

BONUSES = (0.0, 0.25, 0.5, 0.75, 1.0, 2 * np.log(2), 1.5, 2.0, 2.5, 3.0, 4.0)
RULES: tuple[tuple[Ties, Order], ...] = (
    ("consistent", "lexicographic"),
    ("earliest", "lexicographic"),
    ("consistent", "swap"),
)


def measure(text: str, scale: int, bonus: float) -> Measure:
    """Return the measure of a reading; a part without candidates counts nothing."""

    def weights(t: Values) -> Values:
        some = np.maximum(t, 1)
        return np.where(t > 0, WEIGHTS[text](some, solve_x_to_the_x(scale * some)), 0.0)

    return Measure(weights, bonus=bonus)


def readings() -> Iterator[dict[str, Any]]:
    """Yield every reading with its total; None if it comes to a guess that tells nothing."""
    for text, scale, bonus, (ties, order) in product(WEIGHTS, SCALES, BONUSES, RULES):
        player = Greedy("landy", measure(text, scale, bonus), False, ties, order)
        try:
            total = simulate(player).total
        except MooError:
            total = None
        yield {
            "weight": text,
            "x^x": f"{scale} t".removeprefix("1 "),
            "bonus": round(float(bonus), 4),
            "ties": ties,
            "order": order,
            "total": total,
        }


def report(rows: list[dict[str, Any]], known: int) -> str:
    """Lay out the nearest readings, and the nearest of each weight."""
    played = sorted(
        (row for row in rows if row["total"] is not None), key=lambda row: abs(row["total"] - known)
    )
    nearest_of = {row["weight"]: row for row in reversed(played)}
    head = ("part of t counts", "x^x is", "taken off", "ties", "order", "total")
    nearest = common.table(head, [row.values() for row in played[:10]])
    each = common.table(head, [nearest_of[text].values() for text in WEIGHTS if text in nearest_of])
    useless = len(rows) - len(played)
    same = sum(row["total"] == known for row in played)
    return (
        "# Readings of Landy's function\n\n"
        f"Published: a total of {known} over all secrets of 4 x 10;"
        f" {same} of {len(rows)} readings have it.\n{useless}"
        " of them come to a guess that tells nothing. *Taken off*: for a guess that may be the"
        " secret.\n\n"
        f"## The nearest ten\n\n{nearest}\n\n## The nearest of each weight\n\n{each}\n"
    )


def main() -> None:
    known = next(row.total for row in published.PLAYERS if row.player == "Landy")
    assert known is not None
    rows = list(readings())
    value = {"published": known, "readings": rows}
    common.write(common.RESULTS, "landy", value, report(rows, known))
    common.plot(common.RESULTS, "landy", "landy", value)


if __name__ == "__main__":
    main()
