"""Histories: guesses with their responses, as people write them.

A turn is a guess and its response in one line; the response may be in any notation that
:meth:`~moo_research.rules.Response.parse` reads, and blanks, capitals and full-width digits make no
difference:

>>> rules = Rules.parse("4x10")
>>> [str(read_turn(text, rules)) for text in ("1234 0B2C", "1234: 0,2", "1 2 3 4 EAT 0 BITE 2")]
['1234 0B2C', '1234 0B2C', '1234 0B2C']
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from moo_research.errors import CodeError, HistoryError, MooError, ResponseError, shown
from moo_research.rules import Response, Rules

if TYPE_CHECKING:
    from moo_research.codes import CodeSpace

__all__ = ["Turn", "numbered", "read_code", "read_history", "read_response", "read_turn"]


@dataclass(frozen=True, slots=True)
class Turn:
    """A guess and its response."""

    guess: str
    """The code, in the symbols 0-9a-z."""

    response: Response

    def __str__(self) -> str:
        return f"{self.guess} {self.response}"


def read_code(text: str, rules: Rules, first_symbol: int = 0) -> str:
    """Read a code as people write it, ``1234`` or ``1 2 3 4``; return it in the symbols 0-9a-z.

    Raises CodeError.
    """
    letters = _BETWEEN.sub("", _plain(text))
    return rules.write_code(rules.read_code(letters, first_symbol))


def read_response(text: str, rules: Rules) -> Response:
    """Read a response in any notation, the words bulls and cows, hits and blows written out or not.

    Raises ResponseError for what cannot be read, and for a response that no guess gets.
    """
    words = _plain(text).rstrip(".!;,")
    for pattern, letter in _WORDS:
        words = pattern.sub(letter, words)
    response = Response.parse(words, rules.positions)
    if response not in rules.responses:
        raise ResponseError(f"response {shown(text.strip())} cannot occur in {rules}")
    return response


def read_turn(text: str, rules: Rules, first_symbol: int = 0) -> Turn:
    """Read a guess and its response. Raises CodeError, ResponseError or HistoryError."""
    guess, response = _split(_plain(text), rules.positions)
    if not response:
        read_code(guess, rules, first_symbol)
        raise HistoryError(f"{shown(text.strip())} lacks a response; write {_example(rules)}")
    code = read_code(guess, rules, first_symbol)
    return Turn(code, read_response(response, rules))


def _is_response(text: str, rules: Rules) -> bool:
    try:
        read_response(text, rules)
    except ResponseError:
        return False
    return True


def read_history(lines: Iterable[str], rules: Rules, first_symbol: int = 0) -> tuple[Turn, ...]:
    """Read a history of one turn a line.

    Empty lines, what follows a ``#``, and numbers such as ``1.`` before a turn are skipped. A guess
    that stands alone is followed by its response in the next line. Raises HistoryError, which names
    the turn.
    """
    turns: list[Turn] = []
    guess = ""
    for line in lines:
        text = _NUMBER.sub("", line.partition("#")[0]).strip()
        if not text:
            continue
        if not guess and _is_code(text, rules, first_symbol):
            guess = text
            continue
        if not guess and _is_response(text, rules):
            raise HistoryError(
                f"turn {len(turns) + 1}: {shown(text)} lacks a guess; write {_example(rules)}"
            )
        try:
            turns.append(read_turn(f"{guess} {text}", rules, first_symbol))
        except MooError as error:
            other = _rules_for(text) if isinstance(error, CodeError) else ""
            advice = (
                f"; or give the rules, --rules {other}" if other not in ("", str(rules)) else ""
            )
            raise HistoryError(f"turn {len(turns) + 1}: {error}{advice}") from None
        guess = ""
    if guess:
        raise HistoryError(
            f"turn {len(turns) + 1}: {shown(guess)} lacks a response; write {_example(rules)}"
        )
    return tuple(turns)


def numbered(turns: Sequence[Turn], space: CodeSpace) -> tuple[tuple[int, Response], ...]:
    """Return the turns with each guess as the number of its code."""
    return tuple((space.index(turn.guess), turn.response) for turn in turns)


def _rules_for(text: str) -> str:
    """Rules of ten symbols under which the guess of a turn is a code, or nothing."""
    word = re.split(r"[\s,:;=]", _plain(text).strip(), maxsplit=1)[0]
    if not (word.isascii() and word.isdigit() and 2 <= len(word) <= 10):
        return ""
    return f"{len(word)}x10" + "r" * (len(set(word)) < len(word))


# Wide forms and blanks of other scripts become ours; so do the signs that look like digits.
def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).strip()


_BETWEEN = re.compile(r"[\s,._-]+")
_NUMBER = re.compile(r"^\s*\d+[.)]\s+")
_AFTER_GUESS = re.compile(r"(?:[\s,:;=]|->)+")
_WORDS = tuple(
    (re.compile(pattern, re.IGNORECASE), letter)
    for pattern, letter in (
        (r"(?<![a-z])bulls?(?![a-z])", "B"),
        (r"(?<![a-z])cows?(?![a-z])", "C"),
        (r"(?<![a-z])hits?(?![a-z])", "H"),
        (r"(?<![a-z])blows?(?![a-z])", "B"),
        (r"(?<=[a-z])\s*[,;]\s*(?=\d)", " "),  # 1B, 2C
    )
)


def _split(text: str, positions: int) -> tuple[str, str]:
    """Part a turn into guess and response; either may come out empty or wrong."""
    words = _AFTER_GUESS.split(text, maxsplit=positions)
    if positions > 1 and len(words) > positions and all(len(w) == 1 for w in words[:positions]):
        return "".join(words[:positions]), words[positions]
    guess, *response = _AFTER_GUESS.split(text, maxsplit=1)
    if not response and len(guess) > positions:
        return guess[:positions], guess[positions:]
    return guess, response[0] if response else ""


def _is_code(text: str, rules: Rules, first_symbol: int) -> bool:
    try:
        read_code(text, rules, first_symbol)
    except CodeError:
        return False
    return True


def _example(rules: Rules) -> str:
    """A turn of this game, for a message."""
    code = range(rules.positions) if not rules.repeats else [0] * rules.positions
    first = 0 if rules.leading_zero or rules.symbols == 1 else 1
    symbols = [(number + first) % rules.symbols for number in code]
    return f"guess and response, such as '{rules.write_code(symbols)} {rules.responses[0]}'"
