"""``moo table``: the best second guess for every response to the first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from moo_research import published
from moo_research.cli import common
from moo_research.layout import format_table
from moo_research.rules import Response, Rules

if TYPE_CHECKING:
    from moo_research.search import SecondGuessTable


@click.command()
@common.rules_argument
@common.first_symbol_option
@common.search_options
def command(
    rules: Rules,
    first_symbol: int,
    threads: int,
    memory: int | None,
    kernel: str | None,
    quiet: bool,
    as_json: bool,
) -> None:
    """Show the best second guess for every response to the first, with its total.

    Totals count the guesses after the first one, over all secrets of the class. Guesses that tie
    are listed once for each orbit; where a table has been published for the game, its guess is
    listed beside ours, marked = if it is best as well.
    """
    rules.alphabet(first_symbol)  # refused now rather than after the search
    from moo_research.search import second_guess_table

    with common.progress_line(f"{rules} table", quiet) as progress:
        table = second_guess_table(
            rules,
            threads=threads,
            memory=memory,
            kernel=kernel,
            progress=progress,
            published={
                Response.parse(row.response, rules.positions): row.guess
                for row in published.second_guesses(str(rules)).values()
                if row.guess is not None
            },
        )
    common.tell_statistics()

    def write(code: str) -> str:
        return common.write_code(rules, code, first_symbol)

    if as_json:
        common.print_json(
            {
                "rules": str(table.rules),
                "first_guess": write(table.first_guess),
                "rows": [
                    {
                        "response": str(row.response),
                        "size": row.size,
                        "guess": None if row.guess is None else write(row.guess),
                        "total": row.total,
                        "ties": [write(code) for code in row.ties],
                    }
                    for row in table.rows
                ],
                "total": table.total,
                "seconds": table.seconds,
            }
        )
        return
    click.echo(
        f"{common.describe_rules(rules)}\nfirst guess {write(table.first_guess)};"
        " totals count the guesses after it\n"
    )
    click.echo(_format(table, write))
    click.echo(
        f"\ntotal {table.total}: {rules.size} first guesses and"
        f" {table.total - rules.size} after them, in {table.seconds:.2f} s"
    )


def _format(table: SecondGuessTable, write: common.CodeWriter) -> str:
    known = published.second_guesses(str(table.rules))
    head = ["response", "size", "guess", "total", "ties"]
    rows = []
    for row in table.rows:
        others = [write(code) for code in row.ties if code != row.guess]
        line = [
            str(row.response),
            str(row.size),
            "-" if row.guess is None else write(row.guess),
            str(row.total),
            _shorten(others),
        ]
        if known:
            line += _beside(known.get(str(row.response)), row.guess, row.ties, row.total, write)
        rows.append(line)
    if known:
        head[-1:] = ["ties", "published", "total", ""]
    return format_table(head, rows, right=(1, 3, 6))


def _beside(
    known: published.SecondGuess | None,
    guess: str | None,
    ties: tuple[str, ...],
    total: int,
    write: common.CodeWriter,
) -> list[str]:
    """The published guess and total, and = where both are as good as ours."""
    if known is None:
        return ["", "", ""]
    if known.guess is None:
        return ["-", str(known.total), "=" if known.total == total else "differs"]
    best = known.guess == guess or known.guess in ties
    return [
        write(known.guess),
        str(known.total),
        "=" if best and known.total == total else "differs",
    ]


def _shorten(codes: list[str], most: int = 4) -> str:
    more = len(codes) - most
    return " ".join(codes[:most]) + (f" and {more} more" if more > 0 else "")
