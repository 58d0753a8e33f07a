"""Every player over all secrets: mean, total, worst case, and the time that it takes.

Each player plays each game in processes of their own, single-threaded, so that nothing is left over
from the game before. The time runs from the rules to the last secret; the start of Python is not in
it, and what ``optimal`` plays is read or searched within it. It is processor time, which other
work on the machine lengthens little; the load found there is written down, and the time by the
clock is in the JSON file. Writes results/players.json and results/players.md; with Matplotlib the
picture, too.
"""

from __future__ import annotations

import multiprocessing
import os
import time
from statistics import median
from typing import Any

import common
from benchmark import processor

from moo_research import players, published
from moo_research.rules import Rules
from moo_research.search import kernels
from moo_research.simulate import simulate

GAMES = ("4x10", "4x6r", "5x8r")
RUNS = 3
LONG = 5.0
"""Seconds from which on one run has to do."""

UNSOLVED = ("5x8r",)
"""Games of which no optimal tree is known, and whose search is not for an experiment on players."""

_PLAYS_TREES = ("optimal", "table-random")
_WEIGHING = [
    entry.name for entry in players.CATALOGUE if isinstance(players.get(entry.name), players.Greedy)
]


def play(name: str, rules: str) -> dict[str, Any]:
    """Play every secret; to be called in a fresh process."""
    clock, used = time.perf_counter(), time.process_time()
    player = players.get(name)
    found = simulate(player, rules)
    return {
        "total": found.total,
        "mean": found.mean,
        "standard_error": None if player.deterministic else found.standard_error,
        "max_guesses": found.max_guesses,
        "histogram": found.histogram,
        "processor_seconds": time.process_time() - used,
        "seconds": time.perf_counter() - clock,
    }


def study(name: str, rules: str) -> dict[str, Any]:
    """Play in several processes, one after another; the times are medians."""
    runs: list[dict[str, Any]] = []
    while len(runs) < (1 if runs and runs[0]["processor_seconds"] > LONG else RUNS):
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            runs.append(pool.apply(play, (name, rules)))
    times = {key: median(run[key] for run in runs) for key in ("processor_seconds", "seconds")}
    return {"player": name, "rules": rules, **runs[0], **times, "runs": len(runs)}


def choices(rules: str) -> list[dict[str, Any]]:
    """The totals of each measure with either order and either rule for ties."""
    return [
        {"player": name, "order": order, "ties": ties, "total": simulate(player, rules).total}
        for name in _WEIGHING
        for order in players.ORDERS
        for ties in players.TIES
        for player in [players.get(name, order=order, ties=ties)]
    ]


def _time(row: dict[str, Any]) -> str:
    return f"{row['processor_seconds']:.{1 if row['processor_seconds'] > LONG else 3}f} s"


def _mean(row: dict[str, Any]) -> str:
    error = row["standard_error"]
    return f"{row['mean']:.4f}" + ("" if error is None else f" (standard error {error:.4f})")


def report(value: dict[str, Any]) -> str:
    """Lay out what was found in tables."""
    rows = value["players"]
    sections = []
    for game in dict.fromkeys(row["rules"] for row in rows):
        some = [row for row in rows if row["rules"] == game]
        table = common.table(
            ("player", "total", "mean", "worst case", "secrets at guess 1, 2, ...", "time"),
            [
                (
                    row["player"],
                    row["total"],
                    _mean(row),
                    row["max_guesses"],
                    common.histogram(row["histogram"]),
                    _time(row),
                )
                for row in some
            ],
        )
        left_out = [
            each.name
            for each in players.CATALOGUE
            if each.name not in {row["player"] for row in some}
        ]
        note = (
            f"\n\nLeft out, as no optimal tree is known: {', '.join(left_out)}." if left_out else ""
        )
        sections.append(f"## {game}: {Rules.of(game).size} secrets\n\n{table}{note}")
    pairs = [(order, ties) for order in players.ORDERS for ties in players.TIES]
    totals = {(row["player"], row["order"], row["ties"]): row["total"] for row in value["choices"]}
    choice = common.table(
        ("player", *(f"{order}, {ties}" for order, ties in pairs)),
        [(name, *(totals[name, order, ties] for order, ties in pairs)) for name in _WEIGHING],
    )
    speed = common.table(
        ("game", "total here", "total there", "time here", "time there"),
        [
            (
                row["rules"],
                row["total"],
                row["their_total"],
                _time(row),
                f"{row['their_seconds']} s",
            )
            for row in value["fastest"]
        ],
    )
    begin, end = value["load"]
    return (
        "# Players over all secrets\n\n"
        f"Processor time on {value['processor']}, {value['kernel']} kernel, one thread, in a fresh"
        f" process; the median of {RUNS} runs,\nor of one from {LONG:.0f} s on. The start of Python"
        " is not in it; the reading (4x10) or the search (4x6r) of the tree that\n`optimal` and"
        f" `table-random` play is. Load of the machine ({value['cores']} cores, average of a"
        f" minute): {begin:.1f} at the beginning,\n{end:.1f} at the end. Random players play every"
        " secret once.\n\n"
        + "\n\n".join(sections)
        + f"\n\n## Order and ties: totals of {value['choices_rules']}\n\n{choice}\n\n"
        "`entropy` takes 2 log 2 off for a candidate only where no rule for ties is given.\n\n"
        f"## Entropy beside {published.FASTEST_PROGRAM}\n\nIts figures are those of its own report,"
        f" from another machine; it was not run here.\n\n{speed}\n"
    )


def main() -> None:
    args = common.arguments(__doc__, GAMES)
    begin = os.getloadavg()[0]
    rows = []
    for game in args.games:
        for entry in players.CATALOGUE:
            if not (game in UNSOLVED and entry.name in _PLAYS_TREES):
                rows.append(study(entry.name, game))
                print(game, entry.name, _time(rows[-1]), flush=True)
    played = {(row["player"], row["rules"]): row for row in rows}
    fastest = [
        {
            **(played.get((each.name, each.rules)) or study(each.name, each.rules)),
            "their_total": each.total,
            "their_seconds": each.seconds,
        }
        for each in published.FASTEST_PLAYERS
    ]
    game = "4x10"
    value = {
        "processor": processor(),
        "cores": os.cpu_count(),
        "kernel": kernels()[0],
        "load": [begin, os.getloadavg()[0]],
        "players": rows,
        "choices_rules": game,
        "choices": choices(game),
        "fastest": fastest,
    }
    common.write(args.output, "players", value, report(value))
    common.plot(args.output, "players", "players", value)


if __name__ == "__main__":
    main()
