"""How the sampled player does in games of millions of codes, and whether a contest would let it.

Plays secrets drawn at random, each game of RULES in a process of its own, and measures the mean
with its standard error, the longest turn (processor time: from a response to the next guess), the
time from the start of Python to the first guess, and the peak of memory. Writes results/large.json
and results/large.md; with Matplotlib the picture, too.
"""

from __future__ import annotations

import multiprocessing
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Any

import common

from moo_research import players
from moo_research.rules import Rules
from moo_research.simulate import simulate

GAMES = 1000
SEED = 1
LENGTHS = (7, 8, 9, 10)
LIMITS = "50 ms a turn, 2 s to start, 500 MB"
STARTS = 5

FIRST_GUESS = """
import sys
from moo_research import players
from moo_research.codes import CodeSpace
print(players.get("sampled").choose(players.State.start(CodeSpace(sys.argv[1]))), flush=True)
"""


def measure(game: str) -> dict[str, Any]:
    """Play the games of some rules; to be called in a fresh process."""
    result = simulate(players.get("sampled"), game, games=GAMES, seed=SEED)
    times = result.turn_seconds
    assert times is not None and result.mean_turn is not None
    return {
        "rules": game,
        "codes": Rules.parse(game).size,
        "games": result.games,
        "mean": round(result.mean, 4),
        "standard_error": round(result.standard_error, 4),
        "worst": result.max_guesses,
        "histogram": list(result.histogram),
        "turn_ms": round(1000 * result.mean_turn, 1),
        "turn_ms_999_of_1000": round(
            1000 * statistics.quantiles(times, n=1000, method="inclusive")[-1], 1
        ),
        "longest_turn_ms": round(1000 * max(times), 1),
        # In KB, but on a Mac, where it is in bytes.
        "peak_mb": round(
            resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            / (1e6 if sys.platform == "darwin" else 1e3)
        ),
        "seconds": round(result.seconds, 1),
    }


def start_seconds(game: str) -> float:
    """Time from starting Python to the first guess, the median of some."""
    times = []
    for _ in range(STARTS):
        began = time.perf_counter()
        with subprocess.Popen(
            [sys.executable, "-c", FIRST_GUESS, game], stdout=subprocess.PIPE
        ) as process:
            assert process.stdout is not None and process.stdout.readline()
            times.append(time.perf_counter() - began)
    return statistics.median(times)


def main() -> None:
    args = common.arguments(__doc__, [f"{length}x10{z}" for z in ("", "z") for length in LENGTHS])
    rows = []
    for game in args.games:
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            row = pool.apply(measure, (game,))
        row["start_seconds"] = round(start_seconds(game), 2)
        rows.append(row)
        # After each game, so that nothing is lost.
        value, text = report(rows)
        common.write(args.output, "large", value, text)
    common.plot(args.output, "large", "large", value)


def report(rows: Sequence[dict[str, Any]]) -> tuple[dict[str, Any], str]:
    """Lay out what was measured, for a program and for people."""
    head = (
        *("game", "codes", "games", "mean", "standard error", "worst case"),
        *("turn, ms", "999 of 1000, ms", "longest, ms", "start, s", "peak, MB"),
    )
    keys = (
        *("rules", "codes", "games", "mean", "standard_error", "worst"),
        *("turn_ms", "turn_ms_999_of_1000", "longest_turn_ms", "start_seconds", "peak_mb"),
    )
    histograms = [(row["rules"], common.histogram(row["histogram"])) for row in rows]
    text = (
        "# Games of up to millions of codes\n\n"
        f"The player `sampled` with secrets drawn at random (seed {SEED}); z: no leading zero. A"
        " turn is the processor\ntime from a response to the next guess; start is the time from"
        " starting Python to the first guess (median of\n"
        f"{STARTS}). The limits aimed at: {LIMITS}.\n\n"
        f"{common.table(head, [[row[key] for key in keys] for row in rows])}\n\n"
        f"{common.table(('game', 'games won at guess 1, 2, ...'), histograms)}\n"
    )
    return {"player": "sampled", "seed": SEED, "games": list(rows)}, text


if __name__ == "__main__":
    main()
