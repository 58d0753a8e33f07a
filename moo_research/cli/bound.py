"""``moo bound``: the smallest worst case."""

from __future__ import annotations

import click

from moo_research.cli import common
from moo_research.layout import counted, format_summary
from moo_research.rules import Rules


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
    """Find the smallest worst case: a strategy that reaches it, and proof that none does better.

    The capacities are the most secrets that one strategy can solve within 1, 2, ... guesses.
    """
    from moo_research.search import least_worst_case

    with common.progress_line(f"{rules} worst case", quiet) as progress:
        worst = least_worst_case(
            rules, threads=threads, memory=memory, kernel=kernel, progress=progress
        )
    common.tell_statistics(worst.solution.statistics)
    if as_json:
        common.print_json(
            {
                "rules": str(rules),
                "max_guesses": worst.max_guesses,
                "proved": worst.proved,
                "capacities": list(worst.capacities),
                "seconds": worst.seconds,
            }
        )
        return
    proof = "both halves proved" if worst.proved else "not proved"
    click.echo(
        format_summary(
            [
                ("game", common.describe_rules(rules)),
                (
                    "worst case",
                    f"{counted(worst.max_guesses, 'guess', 'guesses')}, necessary and sufficient"
                    f" ({proof})",
                ),
                ("capacities", " ".join(map(str, worst.capacities))),
                ("time", f"{worst.seconds:.2f} s"),
            ]
        )
    )
