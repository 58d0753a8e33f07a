"""Every objective for every game of the family: 3 x n, 4 x n, and with repeats 4 x 6 and 4 x 7.

Writes results/family.json and results/family.md, and a picture into results/plots/ if Matplotlib is
installed.
"""

from typing import Any

import common

from moo_research.duel import race
from moo_research.objective import Objective
from moo_research.odds import odds_rows
from moo_research.search import Engine, Solution, prove, worst_case
from moo_research.strongest import strongest

GAMES = [f"3x{n}" for n in range(3, 11)] + [f"4x{n}" for n in range(4, 11)] + ["4x6r", "4x7r"]


def study(game: str, threads: int) -> dict[str, Any]:
    """Return everything about one game."""
    engine = Engine(game, threads=threads)
    codes = engine.space.size
    limit = worst_case(engine)
    mean, last = Objective.mean(), Objective.at_last(limit, codes)

    def at_last(solution: Solution) -> int:
        assert solution.histogram is not None
        return sum(solution.histogram[limit - 1 :])

    fastest = prove(engine, mean.then(last, codes))
    safest = prove(engine, last.limited(limit).then(mean, codes))
    worst = prove(engine, mean.limited(limit))
    play = strongest(game, threads=threads)
    return {
        "rules": game,
        "codes": codes,
        "total": fastest.total,
        "mean": fastest.mean,
        "mean_then_last": at_last(fastest),
        "mean_histogram": fastest.histogram,
        "worst_case": limit,
        "total_within_worst_case": worst.total,
        "fewest_last": at_last(safest),
        "last_then_mean": safest.total,
        "last_histogram": safest.histogram,
        "odds": [row.solved for row in odds_rows(engine)],
        "strongest_histogram": play.strategy.histogram,
        "strongest_total": play.strategy.total,
        "strongest_scores": [str(r.score) for r in play.rounds if r.score is not None],
        "strongest_equilibrium": play.equilibrium,
        "strongest_against_least_total": str(
            race(play.strategy.histogram, play.rounds[0].histogram).score
        ),
    }


def report(rows: list[dict[str, Any]]) -> str:
    """Lay out what was found in tables."""
    totals = common.table(
        (
            "game",
            "codes",
            "least total",
            "mean",
            "with it, at last guess or later",
            "worst case",
            "least total within it",
            "fewest at last guess",
            "least total with that",
        ),
        [
            (
                r["rules"],
                r["codes"],
                r["total"],
                f"{r['mean']:.4f}",
                r["mean_then_last"],
                r["worst_case"],
                r["total_within_worst_case"],
                r["fewest_last"],
                r["last_then_mean"],
            )
            for r in rows
        ],
    )
    odds = common.table(
        ("game", "most secrets within 1, 2, ... guesses"),
        [(r["rules"], common.histogram(r["odds"])) for r in rows],
    )
    races = common.table(
        ("game", "strongest", "total", "score against least total", "best reply to itself"),
        [
            (
                r["rules"],
                common.histogram(r["strongest_histogram"]),
                r["strongest_total"],
                r["strongest_against_least_total"],
                "yes" if r["strongest_equilibrium"] else "no",
            )
            for r in rows
        ],
    )
    return (
        "# The family, every objective\n\nEvery figure is the optimum, proven by exhaustive"
        " search, and every histogram that of a replayed tree. The last guess\nis that of the least"
        f" worst case.\n\n## Totals and the last guess\n\n{totals}\n\n## Odds\n\n{odds}\n\n"
        "## Strongest play\n\nThe fixed point of iterated best replies, begun with a strategy of"
        f" least total.\n\n{races}\n"
    )


def main() -> None:
    args = common.arguments(__doc__, GAMES)
    rows = []
    for game in args.games:
        rows.append(study(game, args.threads))
        print(game, "done", flush=True)
    common.write(args.output, "family", {"games": rows}, report(rows))
    common.plot(args.output, "family", "family", {"games": rows})


if __name__ == "__main__":
    main()
