"""Does the strongest play depend on where the iterated best replies begin?

For each game they begin from optimal strategies for many objectives: the least total with ties
broken in many ways, worst case and last guess, most secrets within k guesses, mixtures of total and
last guess, costs that grow faster and slower than the guesses; and, on 4 x 10, from histograms that
have been published. Writes results/strongest-starts.json and .md.
"""

from collections.abc import Iterator
from typing import Any

import common

from moo_research import published
from moo_research.duel import race
from moo_research.objective import Objective
from moo_research.search import Engine, prove, worst_case
from moo_research.strongest import strongest

GAMES = ["3x6", "3x7", "3x8", "3x9", "3x10", "4x6", "4x7", "4x8", "4x9", "4x6r", "4x7r", "4x10"]


def objectives(engine: Engine) -> Iterator[tuple[str, Objective]]:
    """Yield objectives whose optimal strategies the replies may begin from, with names."""
    codes, limit = engine.space.size, worst_case(engine)
    mean, last = Objective.mean(), Objective.at_last(limit, codes)
    within = mean.limited(limit + 1)
    yield "least total", mean
    for k in range(2, limit + 1):
        yield f"least total, then most within {k}", within.then(Objective.odds(k), codes)
    # Squares dislike late solves, roots like early ones.
    squares = Objective.raw(tuple(k * k for k in range(1, limit + 2)))
    roots = Objective.raw(tuple(hundredfold_root(k) for k in range(1, limit + 2)))
    yield "least total, then least squares", within.then(squares, codes)
    yield "least total, then least roots", within.then(roots, codes)
    yield "least total within the worst case", mean.limited(limit)
    yield "fewest at the last guess", last.limited(limit)
    yield "fewest at the last guess, then least total", last.limited(limit).then(mean, codes)
    for k in range(2, limit):
        yield (
            f"most within {k}, then least total",
            Objective.odds(k).limited(limit + 2).then(mean, codes),
        )
    for weight in (1, 3, 10, 40):
        costs = list(range(1, limit + 1))
        costs[-1] += weight
        yield f"total plus {weight} for each at the last guess", Objective.raw(costs)
    yield "least squares", squares
    yield "least roots", roots


def hundredfold_root(k: int) -> int:
    """Return 100 times the square root of k, rounded down."""
    return int(100 * k**0.5)


def starts(game: str, engine: Engine) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield histograms to begin from, each once, with names."""
    seen = set()
    for name, objective in objectives(engine):
        histogram = prove(engine, objective).histogram
        if histogram is not None and histogram not in seen:
            seen.add(histogram)
            yield name, histogram
    if game == "4x10":
        yield "published minimum strategy", published.MINIMUM_HISTOGRAM
        yield "published best reply", published.BEST_REPLY.histogram
        for player in published.PLAYERS:
            if player.rules == game and player.histogram is not None:
                yield f"published player: {player.player} ({player.order})", player.histogram


def study(game: str, threads: int) -> list[dict[str, Any]]:
    """Run the replies from every start of one game."""
    engine = Engine(game, threads=threads)
    rows = []
    for name, histogram in starts(game, engine):
        result = strongest(game, start=histogram, threads=threads)
        rows.append(
            {
                "rules": game,
                "start": name,
                "start_total": result.rounds[0].total,
                "start_histogram": histogram,
                "rounds": len(result.rounds) - 1,
                "equilibrium": result.equilibrium,
                "histogram": result.strategy.histogram,
                "total": result.strategy.total,
                "score_against_start": str(race(result.strategy.histogram, histogram).score),
            }
        )
        print(game, name, common.histogram(result.strategy.histogram), flush=True)
    return rows


def report(rows: list[dict[str, Any]]) -> str:
    """Say for each game how many fixed points there are, and list the starts."""
    text = (
        "# Does the strongest play depend on the start?\n\nIterated best replies, each proven best"
        " by exhaustive search and scored from its replayed tree, until a strategy is a\nbest reply"
        " to itself. Only starts with histograms of their own are listed.\n"
    )
    for game in dict.fromkeys(row["rules"] for row in rows):
        mine = [row for row in rows if row["rules"] == game]
        ends = list(dict.fromkeys(row["histogram"] for row in mine if row["equilibrium"]))
        open_ends = sum(not row["equilibrium"] for row in mine)
        text += f"\n## {game}\n\n{len(mine)} starts, {len(ends)} fixed point"
        text += "s" * (len(ends) != 1) + (f", {open_ends} without one" if open_ends else "") + ":\n"
        text += "".join(f"- {common.histogram(end)}\n" for end in ends) + "\n"
        text += common.table(
            ("start", "total", "histogram", "rounds", "ends at", "score of that against the start"),
            [
                (
                    row["start"],
                    row["start_total"],
                    common.histogram(row["start_histogram"]),
                    row["rounds"],
                    ends.index(row["histogram"]) + 1 if row["equilibrium"] else "no fixed point",
                    row["score_against_start"],
                )
                for row in mine
            ],
        )
        text += "\n"
    return text


def main() -> None:
    args = common.arguments(__doc__, GAMES)
    rows = [row for game in args.games for row in study(game, args.threads)]
    common.write(args.output, "strongest-starts", {"starts": rows}, report(rows))
    common.plot(args.output, "strongest-starts", "starts", {"starts": rows})


if __name__ == "__main__":
    main()
