"""Trees that other programs wrote: what their formats have in common once the text is parsed.

A module named in :data:`moo_research.formats.FOREIGN` has a function ``parse(text)`` that turns a
text into a :class:`Situation`, which may leave out what the rules determine. :func:`read` finds out
the rules and the symbols where nobody has said them, goes down the situations with the candidates
that are left, fills in what was left out, and replays the tree on every secret. docs/formats.md
specifies the formats.

Anybody may have written a file, so nothing here recurses, what is read is bounded, and an error
names the line and column, or the place in the tree.
"""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module

import numpy as np
from numpy.typing import NDArray

from moo_research.codes import CodeSpace
from moo_research.errors import CodeError, RulesError, TreeError, shown
from moo_research.formats import FOREIGN, json
from moo_research.layout import counted
from moo_research.rules import MAX_POSITIONS, MAX_SYMBOLS, SYMBOLS, Response, Rules
from moo_research.tree import (
    MAX_GUESSES,
    DecisionTree,
    Node,
    Verification,
    problem_of_response,
)

__all__ = [
    "CODE",
    "MAX_CODES",
    "MAX_SITUATIONS",
    "Imported",
    "Situation",
    "Text",
    "describe_symbols",
    "in_symbols",
    "load",
    "parse_symbols",
    "read",
]

MAX_CODES = 2**20
"""The most codes of a game whose tree is read: one with more would hardly fit the largest file."""


MAX_SITUATIONS = 2**21
"""The most situations of a file: every code may have one of its own, and as many lead there."""


@dataclass(slots=True, eq=False)
class Situation:
    """What a foreign file says of some candidates: how many there are, and what to guess."""

    offset: int
    """Where in the text it begins."""

    count: int | None = None
    """The number of candidates that the file claims, if it does."""

    guess: str | None = None
    """The code to guess, in the symbols of the file; None if it is left out."""

    parts: dict[Response, Situation] | None = field(default_factory=dict)
    """What follows each response but the winning one; None if that is left out."""


@dataclass(frozen=True, slots=True)
class Imported:
    """A foreign tree as ours, and what there is to be said of it."""

    tree: DecisionTree

    symbols: str
    """The symbols of the file, in the order of ours from 0 on."""

    completed: int
    """Guesses that the file leaves out and the rules determine."""

    remarks: tuple[str, ...]
    """Where the file claims something that is not so, or leaves out what the rules do not
    determine: one line each, beginning with the place."""

    verification: Verification
    """The replay of the tree on every secret."""


class Text:
    """A text read from left to right, with white space allowed between any two tokens."""

    def __init__(self, text: str) -> None:
        self.text = text.removeprefix("\ufeff")
        self.offset = 0
        self.start = 0
        """Where the token taken last begins."""
        self._situations = 0

    def peek(self) -> str:
        """Go to the next character that is no white space, and return it; "" at the end."""
        space = _SPACE.match(self.text, self.offset)
        assert space is not None
        self.offset = space.end()
        return self.text[self.offset : self.offset + 1]

    def take(self, pattern: str, what: str) -> str:
        """Take what matches ``pattern`` next. Raises TreeError if nothing does."""
        character = self.peek()
        if match := re.compile(pattern).match(self.text, self.offset):
            self.start, self.offset = match.span()
            return match[0]
        if character:
            raise self.error(f"there is {shown(character)} where {what} is expected")
        raise self.error(f"the file is cut short, where {what} is expected")

    def situation(self) -> Situation:
        """Return a new situation that begins with the token taken last. Raises TreeError."""
        self._situations += 1
        if self._situations > MAX_SITUATIONS:
            raise self.error(f"more than {MAX_SITUATIONS} situations", self.start)
        return Situation(self.start)

    def error(self, problem: str, offset: int | None = None) -> TreeError:
        """Return an error with the line and column of ``offset``, or of where reading is."""
        offset = self.offset if offset is None else offset
        line = self.text.count("\n", 0, offset) + 1
        column = offset - self.text.rfind("\n", 0, offset)
        return TreeError(f"line {line}, column {column}: {problem}")


_SPACE = re.compile(r"\s*")

CODE = "[0-9A-Za-z]+"
"""What a code looks like in any of the formats, for :meth:`Text.take`."""


def in_symbols(alphabet: str) -> Callable[[str], str]:
    """Return the function that writes a code of ours, in the symbols 0-9a-z, with others."""
    table = str.maketrans(SYMBOLS[: len(alphabet)], alphabet)
    return lambda code: code.translate(table)


def load(
    path: str | os.PathLike[str],
    name: str,
    rules: Rules | str | None = None,
    symbols: str | None = None,
) -> Imported:
    """Read a file, compressed with gzip or not; see :func:`read`."""
    with json.naming(path):
        return read(json.contents(path), name, rules, symbols)


def read(
    data: bytes | str,
    name: str,
    rules: Rules | str | None = None,
    symbols: str | None = None,
) -> Imported:
    """Make a tree from a text in the format called ``name``.

    ``rules``: of the game; found out if None. ``symbols``: those of the file in the order of ours
    from 0 on, with ranges such as ``A-F``; found out if None. Raises TreeError if the text is no
    tree, or if what was not said cannot be found out. Whether the tree solves every secret is told
    in the result.
    """
    if name not in FOREIGN:
        raise TreeError(f"{shown(name)} is no format that is read; those are {', '.join(FOREIGN)}")
    text = Text(json.decode(data))
    parse: Callable[[Text], Situation] = import_module(f"{__package__}.{name}").parse
    root = parse(text)
    if text.peek():
        raise text.error(f"there is {shown(text.peek())} after the end of the tree")
    game = None if rules is None else Rules.of(rules)
    alphabet = None if symbols is None else parse_symbols(symbols)
    game, alphabet = _find_game(_codes_of(root, text), root.count, game, alphabet)
    if game.size > MAX_CODES:
        raise TreeError(f"{game} has {game.size} codes; trees of at most {MAX_CODES} are read")
    return _Growth(text, game, alphabet).grow(root)


# ---- symbols ----


def parse_symbols(text: str) -> str:
    """Read the symbols of a file, written out or as ranges: ``ABCDEF``, ``A-F``, ``0-9a-z``.

    Raises TreeError unless they are different letters and digits. Letters are returned in lower
    case, for either case of a letter is the same symbol.
    """
    symbols = _RANGE.sub(lambda match: _between(match[1], match[2]), text.lower())
    if not symbols.isascii() or not symbols.isalnum():
        raise TreeError(
            f"symbols {shown(text)} are not understood; write letters and digits, such as A-F"
        )
    if len(set(symbols)) < len(symbols):
        raise TreeError(f"symbols {shown(text)} name one twice; upper and lower case are the same")
    return symbols


def describe_symbols(symbols: str) -> str:
    """Write symbols in short, with ranges, for :func:`parse_symbols`; letters alone as capitals."""
    runs: list[str] = []
    for symbol in symbols:
        if runs and _between(runs[-1][-1], symbol) == runs[-1][-1] + symbol:
            runs[-1] += symbol
        else:
            runs.append(symbol)
    text = "".join(run if len(run) < 3 else f"{run[0]}-{run[-1]}" for run in runs)
    return text.upper() if symbols.isalpha() else text


_RANGE = re.compile(r"([0-9a-z])-([0-9a-z])")


def _between(first: str, last: str) -> str:
    """The digits or letters from ``first`` to ``last``; nothing if there is no such range."""
    if first.isdigit() != last.isdigit():
        return ""
    return SYMBOLS[SYMBOLS.index(first) : SYMBOLS.index(last) + 1]


# ---- what the file does not say ----


@dataclass(frozen=True, slots=True)
class _Codes:
    """What the codes of a file have in common."""

    positions: int
    symbols: frozenset[str]
    heads: frozenset[str]
    repeats: bool


def _codes_of(root: Situation, text: Text) -> _Codes:
    """Look at every code of the file. Raises TreeError unless all are of the same length."""
    offsets: dict[str, int] = {}
    stack = [root]
    while stack:
        situation = stack.pop()
        if situation.guess is not None:
            offsets.setdefault(situation.guess.lower(), situation.offset)
        stack += (situation.parts or {}).values()
    if root.guess is None:
        raise text.error("the first guess is missing", root.offset)
    positions = len(root.guess)
    if positions > MAX_POSITIONS:
        raise text.error(
            f"the code {shown(root.guess)} has {positions} symbols; {MAX_POSITIONS} are the most",
            root.offset,
        )
    for code, offset in offsets.items():
        if len(code) != positions:
            raise text.error(
                f"the code {shown(code)} has {counted(len(code), 'symbol')}, and the first guess "
                f"has {positions}",
                offset,
            )
    return _Codes(
        positions,
        frozenset("".join(offsets)),
        frozenset(code[0] for code in offsets),
        any(len(set(code)) < positions for code in offsets),
    )


def _find_game(
    codes: _Codes, count: int | None, rules: Rules | None, alphabet: str | None
) -> tuple[Rules, str]:
    """Find out the rules and the symbols, as far as they are not given.

    A tree that solves every secret guesses every code, so that its codes show the rules. A file
    that leaves guesses out tells ``count``, the number of codes, which only few games have: without
    z only one, for a power is no product of consecutive numbers (Erdos and Selfridge 1975).
    Raises TreeError if nothing fits, or more than one game or alphabet does.
    """
    found = [
        (game, symbols)
        for game in (_games(codes.positions) if rules is None else [rules])
        for symbols in (_alphabets(game.symbols) if alphabet is None else [alphabet])
        if game.positions == codes.positions
        and game.symbols == len(symbols)
        and codes.symbols <= set(symbols)
        and (rules is not None or _agrees(game, symbols, codes, count))
    ]
    if len(found) == 1:
        return found[0]
    seen = describe_symbols("".join(sorted(codes.symbols)))
    if not found:
        what = f"{codes.positions} positions and the symbols {seen}"
        if rules is not None:
            given = "" if alphabet is None else f" written with {describe_symbols(alphabet)}"
            raise TreeError(f"the codes of the file have {what}: they do not fit {rules}{given}")
        many = "" if count is None else f" for {counted(count, 'code')}"
        raise TreeError(f"no rules fit{many}: the codes have {what}; say the rules (--rules)")
    if len({game for game, _ in found}) > 1:
        fitting = ", ".join(sorted({str(game) for game, _ in found}))
        raise TreeError(f"several rules fit: {fitting}; say which (--rules)")
    fitting = " and ".join(describe_symbols(symbols) for _, symbols in found)
    raise TreeError(
        f"the symbols {seen} of the file may be out of {fitting}; say which (--symbols)"
    )


def _games(positions: int) -> Iterator[Rules]:
    """Yield every game of so many positions that has a code; with one, r and z say nothing."""
    for symbols, repeats, leading_zero in itertools.product(
        range(1, MAX_SYMBOLS + 1), (False, True)[:positions], (True, False)[:positions]
    ):
        with suppress(RulesError):
            yield Rules(positions, symbols, repeats, leading_zero)


def _alphabets(number: int) -> Iterator[str]:
    """Yield the ways in which people write so many symbols: from 1 on, from 0 on, or letters."""
    for first in (1, 0, SYMBOLS.index("a")):
        if first + number <= len(SYMBOLS):
            yield SYMBOLS[first : first + number]


def _agrees(game: Rules, symbols: str, codes: _Codes, count: int | None) -> bool:
    """Whether a file with these codes, or ``count`` in all, can hold a tree for this game."""
    first_leads = symbols[0] in codes.heads
    if count is None:
        return (
            codes.symbols == set(symbols)
            and game.repeats == codes.repeats
            and game.leading_zero == first_leads
        )
    return game.size == count and game.repeats >= codes.repeats and game.leading_zero >= first_leads


# ---- from situations to nodes ----


class _Growth:
    """Makes the nodes of one tree, from the root down, with the candidates that reach each."""

    def __init__(self, text: Text, rules: Rules, alphabet: str) -> None:
        self.text = text
        self.rules = rules
        self.alphabet = alphabet
        self.space = CodeSpace(rules)
        self.win = Response(rules.positions, 0)
        self.ours = str.maketrans(alphabet, SYMBOLS[: rules.symbols])
        self.completed = 0
        self.remarks: list[str] = []

    def grow(self, root: Situation) -> Imported:
        """Make the tree and replay it."""
        top: dict[Response, Node] = {}
        everything = np.arange(self.space.size)
        # Where the node goes and under which response, its place, and how many guesses deep it is.
        stack: list[_Task] = [(root, everything, top, self.win, "root", 1)]
        while stack:
            situation, candidates, siblings, at, place, depth = stack.pop()
            if depth > MAX_GUESSES:
                raise self.text.error(f"deeper than {MAX_GUESSES} guesses", situation.offset)
            if situation.count not in (None, len(candidates)):
                self.remarks.append(
                    f"{place}: the file counts {counted(situation.count or 0, 'candidate')}; "
                    f"the rules leave {len(candidates)}"
                )
            if situation.guess is None:
                if (node := self._deduced(candidates, place)) is not None:
                    siblings[at] = node
                continue
            guess = self._code(situation)
            parts: dict[Response, Node] = {}
            siblings[at] = Node(self.space.text(guess), parts)
            split = self.space.split(candidates, guess)
            if situation.parts is None:
                for response, part in split.items():
                    step = f"{place}/{response}"
                    if response != self.win and (node := self._deduced(part, step)) is not None:
                        parts[response] = node
                continue
            for response, below in reversed(situation.parts.items()):
                if problem := problem_of_response(self.rules, response):
                    raise self.text.error(problem, below.offset)
                part = split.get(response, candidates[:0])
                step = f"{place}/{response}"
                stack.append((below, part, parts, response, step, depth + 1))
        tree = DecisionTree.of(self.rules, top[self.win])
        return Imported(tree, self.alphabet, self.completed, tuple(self.remarks), tree.verify())

    def _deduced(self, candidates: NDArray[np.integer], place: str) -> Node | None:
        """Guess the last candidate, or the first of two; leave out what has more, with a remark."""
        number = len(candidates)
        if number > 2:
            self.remarks.append(f"{place}: the file gives no guess for {number} candidates")
        if not 1 <= number <= 2:
            return None
        self.completed += number
        first, *others = (Node(self.space.text(int(code))) for code in candidates)
        if not others:
            return first
        response = self.space.response(*map(int, candidates))
        return Node(first.guess, {response: others[0]})

    def _code(self, situation: Situation) -> int:
        """Return the number of the code to guess. Raises TreeError if the rules forbid it."""
        assert situation.guess is not None
        try:
            return self.space.index(situation.guess.lower().translate(self.ours))
        except CodeError:
            problem = "a symbol twice"
            if len(set(situation.guess.lower())) == len(situation.guess) or self.rules.repeats:
                problem = f"{situation.guess[0]} in front"
            raise self.text.error(
                f"the code {shown(situation.guess)} has {problem}, which {self.rules} does not "
                "allow",
                situation.offset,
            ) from None


_Task = tuple[Situation, NDArray[np.integer], dict[Response, Node], Response, str, int]
