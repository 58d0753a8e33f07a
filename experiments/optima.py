"""The least total of every game of four families, as far as they go in the time given.

3 x n, 4 x n and 5 x n with distinct symbols, and 3, 4 and 5 positions with repeats: the least total
of guesses and its mean, the worst case of the strategy found and how many secrets it leaves for the
last guess. A game that takes longer than ``--seconds`` keeps the total of the best player that
simulates it, marked as best known; of a game that experiments/classes.py has not finished, the best
tree is taken. Writes results/optima.json and .md after every game; games that
are proven there are not searched again.
"""

import argparse
import json
import time
from pathlib import Path
from typing import Any

import common

from moo_research.objective import Objective
from moo_research.players import get
from moo_research.rules import Rules
from moo_research.search import Engine, Progress, prove
from moo_research.simulate import simulate
from moo_research.tree import DecisionTree

FAMILIES = {
    "3 positions": [f"3x{n}" for n in range(3, 15)],
    "4 positions": [f"4x{n}" for n in range(4, 13)],
    "5 positions": [f"5x{n}" for n in range(5, 11)],
    "3 positions, repeats": [f"3x{n}r" for n in range(2, 13)],
    "4 positions, repeats": [f"4x{n}r" for n in range(2, 10)],
    "5 positions, repeats": [f"5x{n}r" for n in range(2, 8)],
}
PLAYERS = ("entropy", "parts", "expected-size")


class TimeUp(Exception):
    """A game has had its time."""


def study(game: str, seconds: float, threads: int, folder: Path) -> dict[str, Any]:
    """Prove the least total of a game, or find a good strategy for it."""
    began = time.perf_counter()
    file = folder / f"{game}-best.json.gz"
    if file.exists():
        tree = DecisionTree.load(file)
        source = f"tree {file.name}"
        return entry(game, tree.total, tree.histogram, source, time.perf_counter() - began)

    def watch(_progress: Progress) -> None:
        if time.perf_counter() - began > seconds:
            raise TimeUp

    try:
        found = prove(Engine(game, threads=threads), Objective.mean(), watch)
    except TimeUp:
        runs = [simulate(get(name), game) for name in PLAYERS]
        best = min(runs, key=lambda run: run.total)
        total, histogram, source = best.total, best.histogram, f"player {best.player}"
    else:
        total, histogram, source = found.total, found.histogram, "proved"
    return entry(game, total, histogram, source, time.perf_counter() - began)


def entry(
    game: str, total: int | None, histogram: Any, source: str, seconds: float
) -> dict[str, Any]:
    """Put together what is known of a game."""
    assert total is not None
    codes = Rules.parse(game).size
    return {
        "rules": game,
        "codes": codes,
        "total": total,
        "mean": total / codes,
        "max_guesses": len(histogram),
        "last": histogram[-1],
        "histogram": histogram,
        "proved": source == "proved",
        "source": source,
        "seconds": round(seconds, 2),
    }


def report(known: dict[str, dict[str, Any]]) -> str:
    """Lay out the families in tables."""
    text = (
        "# Least totals\n\n"
        "The least total of guesses over all secrets, with the worst case of a strategy that"
        " attains it and the secrets it solves at its last guess. A total that is not proved is"
        " that of the best strategy known here. Seconds are by the clock; when this was made, other"
        " work shared the machine.\n"
    )
    for family, games in FAMILIES.items():
        rows = [
            (
                each["rules"],
                each["codes"],
                each["total"],
                f"{each['mean']:.4f}",
                each["max_guesses"],
                each["last"],
                "proved" if each["proved"] else f"best known ({each['source']})",
                common.histogram(each["histogram"]),
                each["seconds"],
            )
            for each in (known[game] for game in games if game in known)
        ]
        heads = ("game", "codes", "total", "mean", "worst", "last", "", "histogram", "seconds")
        text += f"\n## {family}\n\n{common.table(heads, rows)}\n"
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="RULES")
    parser.add_argument("--seconds", type=float, default=60, help="time for a game (60)")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--output", type=Path, default=common.RESULTS, metavar="DIR")
    options = parser.parse_args()
    file = options.output / "optima.json"
    known = {}
    if file.exists():
        known = {each["rules"]: each for each in json.loads(file.read_text())["games"]}
    every = [game for games in FAMILIES.values() for game in games]
    for game in options.games or every:
        if game in known and known[game]["proved"]:
            continue
        known[game] = study(game, options.seconds, options.threads, options.output)
        games = [known[each] for each in every if each in known]
        common.write(options.output, "optima", {"games": games}, report(known))
    common.plot(options.output, "optima", "family", {"games": games})


if __name__ == "__main__":
    main()
