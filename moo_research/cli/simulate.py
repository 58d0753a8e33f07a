"""``moo simulate``: play all secrets, or some drawn at random, with one player."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from moo_research.cli import common
from moo_research.layout import counted, format_histogram, format_summary, total_of_guesses
from moo_research.rules import Rules

if TYPE_CHECKING:
    from moo_research.players import Order, Player, Ties
    from moo_research.simulate import ProgressCallback, Simulation

SECRETS_SHOWN = 20
_REDRAWN_AFTER = 0.2

order_option = click.option(
    "--order",
    type=click.Choice(("lexicographic", "swap")),
    default="lexicographic",
    show_default=True,
    help="Order of the codes: of equal guesses the earliest is taken.",
)
ties_option = click.option(
    "--ties",
    type=click.Choice(("consistent", "earliest")),
    help="Of equal guesses, a candidate first, or the earliest whatever it is."
    " [default: the player's own, see moo players]",
)


@click.command()
@click.argument("player_name", metavar="PLAYER")
@click.argument("rules", type=Rules.of, required=False)
@click.option(
    "--games",
    type=click.IntRange(min=1),
    metavar="N",
    help="Play N secrets drawn at random instead of every secret once.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="S",
    help="Seed of the secrets drawn and of a random player.",
)
@order_option
@ties_option
@common.quiet_option
@common.json_option
def command(
    player_name: str,
    rules: Rules | None,
    games: int | None,
    seed: int,
    order: Order,
    ties: Ties | None,
    quiet: bool,
    as_json: bool,
) -> None:
    """Play every secret with PLAYER, a name out of ``moo players`` or a tree file.

    RULES are 4x10, or those of the tree, unless given. In games of millions of codes secrets can
    be drawn (--games), and few players are quick enough: sampled, first, random, tree files.
    Players that have no use for --order or --ties ignore them.
    """
    from moo_research import players
    from moo_research.simulate import simulate

    player = players.get(player_name, order=order, ties=ties, seed=seed)
    if rules is None:
        tree = player.tree if isinstance(player, players.TreePlayer) else None
        rules = Rules.of("4x10") if tree is None else tree.rules
    what = f"{rules} {player_name}"
    with common.progress_line(what, quiet) as searching, games_progress(what, quiet) as progress:
        result = simulate(
            player, rules, games=games, seed=seed, progress=progress, searching=searching
        )
    by_chance = games is not None or not player.deterministic
    if as_json:
        common.print_json(
            {
                "player": result.player,
                "rules": str(result.rules),
                "order": getattr(player, "order", None),
                "ties": getattr(player, "ties", None),
                "games": result.games,
                "total": result.total,
                "mean": result.mean,
                "max_guesses": result.max_guesses,
                "histogram": result.histogram,
                "standard_error": result.standard_error if by_chance else None,
                "longest": result.longest,
                "seconds": result.seconds,
                "mean_turn_seconds": result.mean_turn,
                "longest_turn_seconds": result.longest_turn,
            }
        )
    else:
        click.echo(_summary(player, result, drawn=games is not None, by_chance=by_chance))


def _summary(player: Player, result: Simulation, *, drawn: bool, by_chance: bool) -> str:
    shown = list(result.longest[:SECRETS_SHOWN])
    if more := len(result.longest) - len(shown):
        shown.append(f"and {more} more (--json lists all)")
    error = f", standard error {result.standard_error:.4f}" if by_chance else ""
    rules = {"consistent": "a candidate, then the earliest", "earliest": "the earliest"}
    order, ties = getattr(player, "order", None), getattr(player, "ties", None)
    lines = [
        ("game", common.describe_rules(result.rules)),
        ("player", result.player),
        *([("order", order)] if order else []),
        *([("ties", rules[ties])] if ties else []),
        ("games", f"{result.games}" + (" drawn at random" if drawn else ", every secret")),
        ("total", total_of_guesses(result.total)),
        ("mean", f"{result.mean:.4f} guesses{error}"),
        ("worst case", counted(result.max_guesses, "guess", "guesses")),
        ("histogram", format_histogram(result.histogram)),
        ("longest", " ".join(shown)),
        ("time", f"{result.seconds:.2f} s"),
    ]
    if result.mean_turn is not None and result.longest_turn is not None:
        mean, longest = (
            f"{1000 * each:.2f} ms" for each in (result.mean_turn, result.longest_turn)
        )
        lines.append(("turns", f"{mean} of processor time on average, the longest {longest}"))
    return format_summary(lines)


@contextmanager
def games_progress(what: str, quiet: bool) -> Iterator[ProgressCallback | None]:
    """Give a callback that shows how many games are done, a few times a second."""
    from moo_research.search import Progress

    with common.progress_line(what, quiet) as show:
        if show is None:
            yield None
            return
        began = last = time.perf_counter()

        def tell(settled: int, games: int) -> None:
            nonlocal last
            now = time.perf_counter()
            if now - last >= _REDRAWN_AFTER:
                last = now
                stage = f"{settled} of {games} games"
                show(Progress(stage, now - began, 0, 0, None, None, settled / games))

        yield tell
