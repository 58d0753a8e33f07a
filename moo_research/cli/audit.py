"""``moo audit``: the answers of a game that cannot be right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from moo_research.cli import common, turns
from moo_research.layout import counted, format_table
from moo_research.rules import Rules

if TYPE_CHECKING:
    from moo_research.game import Audit


@click.command()
@turns.history_arguments
@click.option("--secret", metavar="CODE", help="The secret, if it is known.")
@common.json_option
def command(
    history: tuple[str, ...],
    rules: Rules,
    first_symbol: int,
    notation: str,
    secret: str | None,
    as_json: bool,
) -> int:
    """Find wrong answers among the turns HISTORY, each a guess with its response.

    For example: moo audit "9238 0B2C" "1792 1B1C" --secret 1234. A file with one turn a line can
    stand for them, and - for standard input. Without the secret, the answers that can be mistaken
    are found if no code agrees with all of them. Exit status 1 if an answer is wrong.
    """
    from moo_research.game import audit
    from moo_research.history import read_code

    writing = turns.Writing(rules, first_symbol, notation)
    code = None if secret is None else read_code(secret, rules, first_symbol)
    result = audit(turns.read_arguments(history, writing), rules, secret=code)
    if as_json:
        common.print_json(_json(result, writing))
    else:
        click.echo(_summary(result, writing))
    return 0 if result.consistent else 1


def _json(result: Audit, writing: turns.Writing) -> dict[str, object]:
    return {
        "rules": str(result.rules),
        "secret": None if result.secret is None else writing.code(result.secret),
        "consistent": result.consistent,
        "candidates": result.candidates,
        "suspects": [
            {
                "turn": suspect.turn,
                "given": str(suspect.given),
                "could_be": list(map(str, suspect.could_be)),
            }
            for suspect in result.suspects
        ],
        "slips": result.slips,
        "explanations": [
            {
                "right": [
                    {"turn": turn, "response": str(response)} for turn, response in each.right
                ],
                "codes": each.codes,
            }
            for each in result.explanations
        ],
        "turns": [
            {"guess": writing.code(turn.guess), "response": str(turn.response), "candidates": count}
            for turn, count in zip(result.turns, result.counts, strict=False)
        ],
    }


def _summary(result: Audit, writing: turns.Writing) -> str:
    known = {suspect.turn: suspect for suspect in result.suspects} if result.secret else {}
    rows: list[tuple[object, ...]] = []
    for number, (turn, count) in enumerate(zip(result.turns, result.counts, strict=False), 1):
        right = known.get(number)
        note = f"wrong: {writing.response(right.could_be[0])}" if right else ""
        code, response = writing.code(turn.guess), writing.response(turn.response)
        rows.append((number, count, code, response, note))
    rows.append(("", result.candidates, "", "", "left"))
    lines = [common.describe_rules(result.rules), ""]
    lines.append(format_table(("turn", "candidates", "guess", "response", ""), rows, (0, 1)))
    lines.append("")
    if result.secret is not None:
        code = writing.code(result.secret)
        wrong = counted(result.slips, "answer is", "answers are")
        lines.append(
            f"every answer is right for {code}"
            if result.consistent
            else f"{wrong} wrong for {code}"
        )
    elif result.consistent:
        codes = counted(result.candidates, "code agrees", "codes agree")
        lines.append(f"{codes} with every answer")
    else:
        lines.append(
            f"no code agrees with these answers, {turns.how_many_are_mistaken(result.slips)}:"
        )
        lines += [f"  {line}" for line in turns.describe_suspects(result, writing)]
    return "\n".join(lines)
