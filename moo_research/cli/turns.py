"""What the commands that take or make a history share: its options, its reading, its wording."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from moo_research.cli import common
from moo_research.errors import HistoryError, ResponseError, shown
from moo_research.history import Turn, read_history
from moo_research.layout import counted
from moo_research.rules import NOTATIONS, Response, Rules

if TYPE_CHECKING:
    from moo_research.game import Audit

_RESPONSES_SHOWN = 6
_EXPLANATIONS_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Writing:
    """How codes and responses are read and written."""

    rules: Rules
    first_symbol: int
    notation: str

    def __post_init__(self) -> None:
        """Refuse at once what could not be written later."""
        self.rules.alphabet(self.first_symbol)
        try:
            Response(self.rules.positions, 0).format(self.notation)
        except ResponseError as error:
            raise click.BadParameter(str(error), param_hint="--notation") from None

    def code(self, code: str) -> str:
        """Write a code that is given in the symbols 0-9a-z."""
        return common.write_code(self.rules, code, self.first_symbol)

    def response(self, response: Response) -> str:
        """Write a response."""
        return response.format(self.notation)

    def turn(self, turn: Turn) -> str:
        """Write a guess and its response."""
        return f"{self.code(turn.guess)} {self.response(turn.response)}"


def writing_options(function: common.Function) -> common.Function:
    """Add the options that say how codes and responses are written."""
    notation = click.option(
        "--notation",
        type=click.Choice(NOTATIONS, case_sensitive=False),
        default="1B2C",
        show_default=True,
        metavar="NAME",
        help=f"How responses are printed: {', '.join(NOTATIONS)}. All of them are read.",
    )
    return common.first_symbol_option(notation(function))


def history_arguments(function: common.Function) -> common.Function:
    """Add the turns of a game, its rules, and how they are written."""
    for option in (
        writing_options,
        click.option(
            "--rules",
            type=Rules.of,
            default="4x10",
            show_default=True,
            metavar="RULES",
            help="The game, such as 3x10 or 4x6r.",
        ),
        click.argument("history", nargs=-1),
    ):
        function = option(function)
    return function


def read_arguments(history: Sequence[str], writing: Writing) -> tuple[Turn, ...]:
    """Read turns, files of turns, and ``-`` for those on standard input."""
    rules, first_symbol = writing.rules, writing.first_symbol
    lines: list[str] = []
    for argument in history:
        if not argument.strip():
            raise HistoryError("a turn is empty; write guess and response, such as '1234 0B2C'")
        if argument == "-":
            lines += _lines(sys.stdin.buffer.read() if sys.stdin else b"")
        elif _is_there(argument):
            lines += _lines(Path(argument).read_bytes())
            _must_be_turns(argument, lines, writing)
        elif _FILE_NAME.fullmatch(argument):
            raise HistoryError(
                f"there is no file {shown(argument)}, and it is no turn such as '1234 0B2C' either"
            )
        else:
            lines += argument.splitlines()
    return read_history(lines, rules, first_symbol)


def _must_be_turns(name: str, lines: Sequence[str], writing: Writing) -> None:
    """Name the file of turns that cannot be read."""
    try:
        read_history(lines, writing.rules, writing.first_symbol)
    except HistoryError as error:
        raise HistoryError(f"file {shown(Path(name).name)}: {error}") from None


_FILE_NAME = re.compile(r"\S*/\S*|\S*\.[a-z]\w*", re.IGNORECASE)


def _lines(data: bytes) -> list[str]:
    return data.decode(errors="replace").splitlines()


def _is_there(name: str) -> bool:
    """Whether there is a file, a pipe or a device of that name; a folder is read in vain."""
    try:
        return Path(name).exists()
    except (OSError, ValueError):  # a name too long, or no name
        return False


def in_words(items: Sequence[str], last: str) -> str:
    """Join with commas, and with a word before the last: ``1, 2 or 3``."""
    *most, end = items
    return f"{', '.join(most)} {last} {end}" if most else end


def describe_suspects(result: Audit, writing: Writing) -> list[str]:
    """Say in a line each which answers may be mistaken, and what they should have been."""
    if result.slips == 1:
        return [
            f"answer {suspect.turn}: {writing.turn(result.turns[suspect.turn - 1])}"
            f" should be {_some(list(map(writing.response, suspect.could_be)), 'or')}"
            for suspect in result.suspects
        ]
    lines = []
    for explanation in result.explanations[:_EXPLANATIONS_SHOWN]:
        numbers = in_words([str(turn) for turn, _ in explanation.right], "and")
        right = in_words([writing.response(response) for _, response in explanation.right], "and")
        lines.append(f"answers {numbers}: should be {right}")
    if more := len(result.explanations) - len(lines):
        lines.append(f"or {counted(more, 'other way', 'other ways')}")
    return lines


def _some(items: list[str], last: str) -> str:
    if more := max(0, len(items) - _RESPONSES_SHOWN):
        items = [*items[:_RESPONSES_SHOWN], f"{more} others"]
    return in_words(items, last)


def how_many_are_mistaken(slips: int) -> str:
    """Say how many answers must be mistaken at the least."""
    return "one of them is mistaken" if slips == 1 else f"at least {slips} of them are mistaken"
