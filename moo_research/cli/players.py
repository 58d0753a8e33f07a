"""``moo players``: the players that other commands know by name."""

from __future__ import annotations

import click

from moo_research.cli import common


@click.command()
@common.json_option
def command(as_json: bool) -> None:
    """List the players that ``simulate`` and ``duel`` know, with what they do and their source.

    Instead of a name, a path names a tree file, whose strategy is played.
    """
    from moo_research.layout import format_table
    from moo_research.players import CATALOGUE

    if as_json:
        common.print_json(
            {
                "players": [
                    {"name": each.name, "description": each.description, "source": each.source}
                    for each in CATALOGUE
                ]
            }
        )
    else:
        rows = [(each.name, each.description, each.source) for each in CATALOGUE]
        click.echo(format_table(("name", "description", "source"), rows))
