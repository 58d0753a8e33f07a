"""``moo duel``: the exact score of two strategies in a race."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import click

from moo_research.cli import common
from moo_research.cli.simulate import games_progress, order_option, ties_option
from moo_research.errors import MooError
from moo_research.layout import format_table
from moo_research.rules import Rules

if TYPE_CHECKING:
    from moo_research.players import Order, Player, Ties
    from moo_research.simulate import Simulation


@click.command()
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.argument("rules", type=Rules.of, required=False)
@order_option
@ties_option
@common.quiet_option
@common.json_option
def command(
    first: str,
    second: str,
    rules: Rules | None,
    order: Order,
    ties: Ties | None,
    quiet: bool,
    as_json: bool,
) -> None:
    """Race strategy A against strategy B, each a name out of ``moo players`` or a tree file.

    Each solves a secret of its own, drawn independently; fewer guesses win, and equal numbers draw.
    The result is exact: over all pairs of secrets. RULES are 4x10, or those of a tree, unless
    given.
    """
    from moo_research import players
    from moo_research.duel import race
    from moo_research.simulate import simulate

    both = [players.get(name, order=order, ties=ties) for name in (first, second)]
    for player in both:
        _require_deterministic(player)
    if rules is None:
        trees = [each.tree for each in both if isinstance(each, players.TreePlayer) and each.tree]
        rules = trees[0].rules if trees else Rules.of("4x10")
    results: list[Simulation] = []
    for name, player in zip((first, second), both, strict=True):
        with games_progress(f"{rules} {name}", quiet) as progress:
            results.append(simulate(player, rules, progress=progress))
    result = race(*(each.histogram for each in results))
    figures = {
        "win": result.win,
        "draw": result.draw,
        "loss": result.loss,
        "score": result.score,
    }
    if as_json:
        common.print_json(
            {
                "rules": str(rules),
                "players": [first, second],
                "totals": [each.total for each in results],
                "histograms": [each.histogram for each in results],
                **{name: str(value) for name, value in figures.items()},
            }
        )
        return
    rows = [
        (side, name, each.total, f"{each.mean:.4f}", " ".join(map(str, each.histogram)))
        for side, name, each in zip("AB", (first, second), results, strict=True)
    ]
    head = ("", "player", "total", "mean", "secrets at guess 1, 2, ...")
    click.echo(f"{common.describe_rules(rules)}\n")
    click.echo(format_table(head, rows, right=(2, 3)))
    lines = [
        (f"A {what}", _percent(figures[key]), figures[key])
        for what, key in (
            ("wins", "win"),
            ("draws", "draw"),
            ("loses", "loss"),
            ("scores", "score"),
        )
    ]
    click.echo(
        "\n" + "\n".join(f"{what:<9} {percent:>11}  {exact}" for what, percent, exact in lines)
    )


def _percent(value: Fraction) -> str:
    return f"{float(100 * value):.5f} %"


def _require_deterministic(player: Player) -> None:
    if not player.deterministic:
        raise MooError(
            f"player {player.name} guesses at random, so that its score is no fixed number; "
            f"moo simulate {player.name} --games N samples its games"
        )
