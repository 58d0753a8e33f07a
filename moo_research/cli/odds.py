"""``moo odds``: the most secrets that can be solved within k guesses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from moo_research.cli import common
from moo_research.rules import Rules

if TYPE_CHECKING:
    from moo_research.odds import OddsRow


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
    """Find the most secrets that any strategy solves within 1, 2, ... guesses, up to all of them.

    Each number is proven, and rows are printed as they are found. The strategies for different
    numbers of guesses may differ.
    """
    from moo_research.odds import odds

    width = max(len("solved"), len(str(rules.size)))

    def show(row: OddsRow) -> None:
        if row.guesses == 1:
            head = f"guesses  {'solved':>{width}}  probability"
            common.print_line(f"{common.describe_rules(rules)}\n\n{head}")
        common.print_line(
            f"{row.guesses:>7}  {row.solved:>{width}}  {float(row.probability):.6f}  "
            f"{row.probability}"
        )

    with common.progress_line(f"{rules} odds", quiet) as progress:
        found = odds(
            rules,
            threads=threads,
            memory=memory,
            kernel=kernel,
            progress=progress,
            found=None if as_json else show,
        )
    common.tell_statistics()
    if as_json:
        common.print_json(
            {
                "rules": str(rules),
                "rows": [
                    {
                        "guesses": row.guesses,
                        "solved": row.solved,
                        "probability": float(row.probability),
                    }
                    for row in found.rows
                ],
                "proved": found.proved,
                "seconds": found.seconds,
            }
        )
    else:
        proof = "every number proved" if found.proved else "not proved"
        click.echo(f"\n{proof}, in {found.seconds:.2f} s")
