"""``moo hint``: the next guess in a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from moo_research.cli import common, turns
from moo_research.errors import HistoryError
from moo_research.layout import counted, format_summary
from moo_research.rules import Rules

if TYPE_CHECKING:
    from moo_research.advice import Advice

CODES_SHOWN = 10
PARTS_A_LINE = 8


@click.command()
@turns.history_arguments
@common.json_option
def command(
    history: tuple[str, ...], rules: Rules, first_symbol: int, notation: str, as_json: bool
) -> None:
    """Say what to guess next after the turns HISTORY, each a guess with its response.

    For example: moo hint "1234 0B2C" "6512 2B2C". A file with one turn a line can stand for them,
    and - for standard input. Where the best guess can be proved in about a second, it is.
    """
    from moo_research.advice import Adviser
    from moo_research.game import Record, audit

    writing = turns.Writing(rules, first_symbol, notation)
    record = Record(rules)
    for turn in turns.read_arguments(history, writing):
        record.add(turn)
    if record.count == 0:
        result = audit(record.turns, space=record.space)
        suspects = "; ".join(turns.describe_suspects(result, writing))
        raise HistoryError(
            f"no code agrees with these answers, {turns.how_many_are_mistaken(result.slips)}: "
            f"{suspects} (see moo audit)"
        )
    state = record.state
    advice = Adviser(state.space).advise_in(state)
    if as_json:
        common.print_json(
            {
                "rules": str(rules),
                "candidates": advice.candidates,
                "guess": writing.code(advice.guess),
                "is_candidate": advice.is_candidate,
                "parts": {str(response): size for response, size in advice.parts.items()},
                "method": advice.method,
                "total": advice.total,
                "mean": advice.mean,
            }
        )
        return
    codes = [writing.code(state.space.text(int(n))) for n in state.candidates[:CODES_SHOWN]]
    some = " ".join(codes) + " ..." * (advice.candidates > CODES_SHOWN)
    each = [f"{writing.response(r)} {size}" for r, size in advice.parts.items()]
    rows = [each[i : i + PARTS_A_LINE] for i in range(0, len(each), PARTS_A_LINE)]
    parts = "\n".join("  ".join(row) for row in rows)
    click.echo(
        format_summary(
            [
                ("game", common.describe_rules(rules)),
                ("candidates", f"{advice.candidates}: {some}"),
                ("guess", f"{writing.code(advice.guess)}, {explain(advice)}"),
                ("parts", parts),
            ]
        )
    )


def explain(advice: Advice) -> str:
    """Say what speaks for a guess."""
    if advice.method == "single":
        return "the only code left"
    kind = "a candidate" if advice.is_candidate else "no candidate itself"
    if advice.total is None:
        return f"{kind}; by the player {advice.method}, not proved best"
    guesses = counted(advice.total, "guess", "guesses")
    return (
        f"{kind}; proved best: {guesses} over all candidates from here on, mean {advice.mean:.4f}"
    )
