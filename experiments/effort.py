"""What settles the guesses that the search takes up, for the least total of some games: in all, and
by the size of the set whose guesses they are.

Writes results/effort.json and results/effort.md; with Matplotlib the pictures of it, too.
"""

from typing import Any

import common

from moo_research.objective import Objective
from moo_research.plots import ENDINGS
from moo_research.search import Engine, Search

GAMES = ["3x10", "4x7", "4x8", "4x9", "4x10", "5x7", "4x6r", "4x7r"]


def study(game: str) -> dict[str, Any]:
    """Search for the least total from the start and return what was counted, on one thread."""
    search = Search(Engine(game), Objective.mean())
    total, _ = search.solve()
    by_size = [{"size": size, **counts} for size, counts in search.tried_by_size]
    return {"rules": game, "total": total, **search.statistics, "by_size": by_size}


def report(games: list[dict[str, Any]]) -> str:
    """Lay out the counts in a table."""
    rows = [(game["rules"], game["total"], *(game[ending] for ending in ENDINGS)) for game in games]
    sizes = sorted({band["size"] for game in games for band in game["by_size"]})
    tried = [
        {band["size"]: sum(band[ending] for ending in ENDINGS) for band in game["by_size"]}
        for game in games
    ]
    sized = [
        (f"{size} to {2 * size - 1}", *(counts.get(size, 0) for counts in tried)) for size in sizes
    ]
    return (
        "# What settles a guess in the search\n\n"
        "Least total, one thread. Of the guesses taken up, how many were settled by what.\n\n"
        f"{common.table(('game', 'total', *ENDINGS.values()), rows)}\n\n"
        "Guesses taken up, by the candidates in their set; what settled them there is in"
        " effort.json.\n\n"
        f"{common.table(('candidates', *(game['rules'] for game in games)), sized)}\n"
    )


def main() -> None:
    args = common.arguments(__doc__, GAMES)
    games = [study(game) for game in args.games]
    value = {"games": games}
    common.write(args.output, "effort", value, report(games))
    common.plot(args.output, "effort", "effort", value)
    common.plot(args.output, "effort-by-size", "effort-by-size", value)


if __name__ == "__main__":
    main()
