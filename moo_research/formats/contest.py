"""Nested braces: ``{AB:{10:{AC:{10:AA,01:CB,00:BB}},02:BA,01:{BC:{01:CA}},00:CC}}``.

The grammar of a contest for strategies of Mastermind with five positions and eight colours
(Programming Puzzles & Code Golf, "Mastermind strategy", 2014): a code, then for each response,
bulls and cows in one digit each, how to go on, which is braces again or the last code. The winning
response is left out. docs/formats.md specifies it.
"""

from __future__ import annotations

from moo_research.errors import ResponseError, TreeError
from moo_research.formats.foreign import CODE, Situation, Text, in_symbols
from moo_research.rules import SYMBOLS, Response, response_id
from moo_research.tree import MAX_GUESSES, DecisionTree, Node

__all__ = ["parse", "write"]

_LETTERS = SYMBOLS[10:].upper()


def parse(text: Text) -> Situation:
    """Read a strategy; see :mod:`moo_research.formats.foreign`."""
    root, opened = _begin(text)
    stack = [root] if opened else []
    while stack:
        parts = stack[-1].parts
        assert parts is not None
        digits = text.take(r"[0-9]{2}(?![0-9])", "a response of two digits, such as 10,")
        response = _response(digits, text)
        if response in parts:
            raise text.error(f"the response {digits} to this guess occurs twice", text.start)
        text.take(":", "':'")
        parts[response], opened = _begin(text)
        if opened:
            if len(stack) == MAX_GUESSES - 1:
                raise text.error(f"deeper than {MAX_GUESSES} guesses")
            stack.append(parts[response])
            continue
        while stack and text.take("[,}]", "',' or '}'") == "}":
            text.take("}", "'}'")
            stack.pop()
    return root


def _begin(text: Text) -> tuple[Situation, bool]:
    """Read a code and what stands before it; tell whether responses follow."""
    opened = text.peek() == "{"
    if opened:
        text.take("{", "'{'")
    guess = text.take(CODE, "a code")
    situation = text.situation()
    situation.guess = guess
    if opened:
        text.take(":", "':'")
        text.take("{", "'{'")
    return situation, opened


def _response(digits: str, text: Text) -> Response:
    try:
        return Response(int(digits[0]), int(digits[1]))
    except ResponseError as error:
        raise text.error(str(error), text.start) from None


def write(tree: DecisionTree) -> str:
    """Return the tree on one line, in the letters A-Z, or in 0-9a-z for more than 26 symbols.

    Raises TreeError unless every secret is solved, and for a response of ten cows.
    """
    tree.ensure_valid()
    spell = in_symbols(_LETTERS if tree.rules.symbols <= len(_LETTERS) else SYMBOLS)
    pieces: list[str] = []
    stack: list[Node | str] = ["\n", tree.root]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            pieces.append(item)
            continue
        if not item.parts:
            pieces.append(spell(item.guess))
            continue
        pieces.append(f"{{{spell(item.guess)}:{{")
        stack.append("}}")
        before = ""
        for response, part in sorted(item.parts.items(), key=_by_id, reverse=True):
            stack += [before, part, f"{_digits(response)}:"]
            before = ","
    return "".join(pieces)


def _by_id(item: tuple[Response, Node]) -> int:
    return response_id(item[0])


def _digits(response: Response) -> str:
    if response.cows > 9:
        raise TreeError(f"contest has one digit for each number; {response} needs two")
    return f"{response.bulls}{response.cows}"
