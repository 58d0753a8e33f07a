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
    from moo_research.layout import format_summary
    from moo_research.players import CATALOGUE, get

    if as_json:
        common.print_json(
            {
                "players": [
                    {
                        "name": each.name,
                        "description": each.description,
                        "source": each.source,
                        "deterministic": player.deterministic,
                        "ties": getattr(player, "ties", None),
                    }
                    for each in CATALOGUE
                    for player in [get(each.name)]
                ]
            }
        )
    else:
        lines = [(each.name, f"{each.description}\n({each.source})") for each in CATALOGUE]
        click.echo(format_summary(lines))
        click.echo(
            "\nA part is the candidates with the same response, t its size. Ties: of equal guesses."
        )
