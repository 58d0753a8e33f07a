"""Whether the time left of a search can be told while it runs: for the least total of some games.

A search settles the parts of its first guess one after the other, the largest last. When only the
largest is left, the time so far and the sizes of the parts are all there is to go by. This compares
the time that the rest then takes with what it would take if a part took as long as the cube of its
size. Writes results/time-left.json and results/time-left.md.
"""

from __future__ import annotations

import time
from typing import Any

import common

from moo_research.objective import Objective
from moo_research.search import Engine, Progress, Search

GAMES = ["3x16", "3x20", "4x10", "4x10z", "4x11", "5x8", "4x7r", "4x8r"]
POWER = 3


def study(game: str) -> dict[str, Any]:
    """Search on one thread, and note when the largest part of the first guess is begun."""
    search = Search(Engine(game), Objective.mean())
    size = search.engine.space.size
    begun: dict[tuple[int, int], float] = {}  # by candidates settled before, and size of the part

    def watch(progress: Progress) -> None:
        (_, tried, settled, _, _), (part, *_) = search._search.levels[:2]
        if tried == 0 and settled > 0:
            begun.setdefault((settled, part), progress.seconds)

    began = time.perf_counter()
    search.solve(progress=watch)
    seconds = time.perf_counter() - began
    # A part may be looked into before its turn; its turn comes when most have been settled.
    settled, largest = max(begun, key=lambda turn: (turn[1], turn[0]))
    before = sum(part**POWER for part in {part for _, part in begun if part < largest})
    at = begun[settled, largest]
    return {
        "rules": game,
        "codes": size,
        "seconds": round(seconds, 2),
        "largest": largest,
        "seconds_before": round(at, 2),
        "settled_before": round(settled / size, 3),
        "left": round(seconds - at, 2),
        "estimate": round(at * largest**POWER / before, 2),
    }


def report(games: list[dict[str, Any]]) -> str:
    """Lay out the times in a table."""
    head = (
        *("game", "codes", "whole search, s", "largest part"),
        *("secrets settled before it", "time before it, s", "time left then, s"),
        *("estimated, s", "estimate / truth"),
    )
    rows = [
        (
            *(game["rules"], game["codes"], game["seconds"], game["largest"]),
            *(f"{game['settled_before']:.0%}", game["seconds_before"], game["left"]),
            *(game["estimate"], f"{game['estimate'] / game['left']:.2g}"),
        )
        for game in games
    ]
    return (
        "# Can the time left of a search be told?\n\n"
        "Least total, one thread. When the largest part of the first guess is begun, the last:"
        " the time left, and what it\nwould be if parts took as long as the cube of their size.\n\n"
        f"{common.table(head, rows)}\n"
    )


def main() -> None:
    args = common.arguments(__doc__, GAMES)
    games = [study(game) for game in args.games]
    common.write(args.output, "time-left", {"games": games}, report(games))


if __name__ == "__main__":
    main()
