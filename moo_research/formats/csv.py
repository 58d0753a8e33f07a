"""A table for spreadsheets and statistics: one row for each secret, in lexicographic order.

The columns are ``secret``, then ``guess_1`` to ``guess_m`` for a worst case of m guesses (empty
once the secret is solved), then ``guesses``, their number.
"""

from moo_research.tree import DecisionTree

__all__ = ["write"]


def write(tree: DecisionTree) -> str:
    """Return the rows, commas between cells; raises TreeError unless every secret is solved."""
    most = tree.max_guesses
    rows = [["secret", *(f"guess_{number}" for number in range(1, most + 1)), "guesses"]]
    for secret, guesses in tree.games():
        empty = [""] * (most - len(guesses))
        rows.append([secret, *guesses, *empty, str(len(guesses))])
    # Codes are letters and digits, so no cell needs quotes.
    return "".join(",".join(row) + "\n" for row in rows)
