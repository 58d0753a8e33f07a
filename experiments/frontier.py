"""The trade-off of total against secrets at the last guess, for 4 x 10 and others.

Writes results/frontier-RULES.json and .md, one pair for each game, and a picture into
results/plots/ if Matplotlib is installed.
"""

import common

from moo_research.frontier import frontier


def main() -> None:
    args = common.arguments(__doc__, ["4x10"])
    for game in args.games:
        front = frontier(
            game,
            threads=args.threads,
            found=lambda point: print(f"found: total {point.total}, last {point.last}", flush=True),
        )
        points = [
            {"total": p.total, "last": p.last, "histogram": list(p.histogram)} for p in front.points
        ]
        which = (
            "This is the complete front: no strategy beats or lies between these points."
            if front.complete
            else "These are the supported points only, the corners of the convex hull: no strategy"
            " lies below\nthe lines between them, but undominated ones above those lines may exist."
        )
        rows = [
            (p.total, f"{p.total / front.rules.size:.4f}", p.last, common.histogram(p.histogram))
            for p in front.points
        ]
        text = (
            f"# {game}: total against secrets at guess {front.max_guesses}\n\n"
            f"All secrets within {front.max_guesses} guesses, the least worst case. Every point is"
            f" proven by exhaustive\nsearch, its histogram counted in a replayed tree.\n\n"
            f"{common.table(('total', 'mean', 'last', 'secrets at guess 1, 2, ...'), rows)}\n\n"
            f"{which}\n"
        )
        value = {
            "rules": game,
            "max_guesses": front.max_guesses,
            "points": points,
            "complete": front.complete,
        }
        common.write(args.output, f"frontier-{game}", value, text)
        common.plot(args.output, f"frontier-{game}", "frontier", value)


if __name__ == "__main__":
    main()
