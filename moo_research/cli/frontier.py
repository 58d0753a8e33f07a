"""``moo frontier``: the trade-off of total against secrets at the last guess."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from moo_research.cli import common
from moo_research.layout import format_table
from moo_research.rules import Rules

if TYPE_CHECKING:
    from moo_research.frontier import Frontier, Point


@click.command()
@common.rules_argument
@common.search_options
def command(
    rules: Rules,
    threads: int,
    memory: int | None,
    kernel: str | None,
    quiet: bool,
    as_json: bool,
) -> None:
    """Find the trade-off between the total and the number of secrets at the last guess.

    All strategies keep the least worst case. The points found are the supported ones: each is the
    least of some mixture of the two. On a terminal they are told as they are found.
    """
    from moo_research.frontier import frontier

    with common.progress_line(f"{rules} frontier", quiet) as progress:

        def tell(point: Point) -> None:
            common.print_line(f"found: total {point.total}, last {point.last}", err=True)

        front = frontier(
            rules,
            threads=threads,
            memory=memory,
            kernel=kernel,
            progress=progress,
            found=None if progress is None else tell,
        )
    common.tell_statistics()
    if as_json:
        common.print_json(
            {
                "rules": str(front.rules),
                "max_guesses": front.max_guesses,
                "points": [
                    {
                        "total": point.total,
                        "last": point.last,
                        "histogram": list(point.histogram),
                    }
                    for point in front.points
                ],
                "complete": front.complete,
                "seconds": front.seconds,
            }
        )
    else:
        click.echo(_describe(front))


def _describe(front: Frontier) -> str:
    codes = front.rules.size
    rows = [
        (
            point.total,
            f"{point.total / codes:.4f}",
            point.last,
            " ".join(map(str, point.histogram)),
        )
        for point in front.points
    ]
    table = format_table(
        ("total", "mean", "last", "secrets at guess 1, 2, ..."), rows, right=(0, 1, 2)
    )
    return (
        f"{common.describe_rules(front.rules)}\n"
        f"all secrets within {front.max_guesses} guesses, the least worst case; last: secrets at"
        f" guess {front.max_guesses}\n\n{table}\n\n{_coverage(front)}\n"
        f"computed in {front.seconds:.2f} s"
    )


def _coverage(front: Frontier) -> str:
    """Say which points are listed."""
    if front.complete:
        return "This is the complete front: no strategy beats or lies between these points."
    return (
        "These are the supported points only, the corners of the convex hull: no strategy lies"
        " below the\nlines between them, but undominated ones above those lines may exist."
    )
