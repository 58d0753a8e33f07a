"""What a store costs, and what a cluster of this machine brings, for the least total of games.

Each game is solved without a store, with a new store, and by 1, 2, ... workers, in turn, several
times; each row has the medians. Wall time is that of the search: the cluster is there by then.
Processor time is that of all processes, so that it tells something on a busy machine, too. Writes
results/cluster.json and results/cluster.md, unless --print is given.
"""

import argparse
import os
import statistics
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import common
import psutil

from moo_research.cluster import Cluster, silence
from moo_research.search import Solution, solve
from moo_research.store import Store

Run = Callable[[], Solution]


def processor_seconds() -> float:
    """Processor time of this process and of those that it has started and that live."""
    here = psutil.Process()
    times = [process.cpu_times() for process in (here, *here.children(recursive=True))]
    return sum(each.user + each.system for each in times)


def timed(run: Run) -> dict[str, float]:
    """Do one run and say what it took."""
    load = os.getloadavg()[0]
    began, processor = time.perf_counter(), processor_seconds()
    solution = run()
    return {
        "seconds": time.perf_counter() - began,
        "processor_seconds": processor_seconds() - processor,
        "guesses_tried": solution.guesses_tried,
        "load": load,
    }


def measure(game: str, workers: int | None, store: bool) -> dict[str, float]:
    """Solve a game once: by so many workers, or in this process."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        kept = stack.enter_context(Store(folder / "new.sqlite")) if store else None
        cluster = None if workers is None else stack.enter_context(Cluster(workers=workers))
        return timed(lambda: solve(game, store=kept, cluster=cluster))


def study(game: str, runs: int, most: int) -> list[dict[str, Any]]:
    """Measure all ways to solve a game."""
    ways: dict[str, tuple[int | None, bool]] = {"one process": (None, False), "store": (None, True)}
    for workers in range(1, most + 1):
        ways[f"{workers} worker{'' if workers == 1 else 's'}, store"] = (workers, True)
    taken: dict[str, list[dict[str, float]]] = {name: [] for name in ways}
    for _ in range(runs):
        for name, way in ways.items():
            taken[name].append(measure(game, *way))
    return [
        {
            "rules": game,
            "way": name,
            "runs": runs,
            **{key: statistics.median(run[key] for run in each) for key in each[0]},
        }
        for name, each in taken.items()
    ]


def report(rows: list[dict[str, Any]]) -> str:
    """Lay out the medians in a table."""
    head = ("game", "", "seconds", "processor seconds", "guesses tried", "load before")
    lines = [
        (
            row["rules"],
            row["way"],
            f"{row['seconds']:.2f}",
            f"{row['processor_seconds']:.2f}",
            f"{row['guesses_tried']:,.0f}",
            f"{row['load']:.1f}",
        )
        for row in rows
    ]
    return (
        "# A store and a cluster\n\nLeast total; medians. A load above 0.5 means that others were"
        f" at work, and that seconds say little.\n\n{common.table(head, lines)}\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=["5x8"], metavar="RULES")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument("--output", type=Path, default=common.RESULTS, metavar="DIR")
    parser.add_argument("--print", action="store_true", help="write no files")
    args = parser.parse_args()
    silence()
    rows = [row for game in args.games for row in study(game, args.runs, args.workers)]
    if args.print:
        print(report(rows))
    else:
        common.write(args.output, "cluster", {"rows": rows}, report(rows))


if __name__ == "__main__":
    main()
