"""What the exported programs share: the tree as a short text, and the player that fills its gaps.

A program (:mod:`~moo_research.formats.python`, :mod:`~moo_research.formats.c`,
:mod:`~moo_research.formats.javascript`) lists the codes of its game and reads a decision tree from
a text of a few hundred characters. docs/formats.md specifies that text. The ideas:

* Candidates follow from the history, so that the parts of a guess need not be written: the tree is
  its guesses alone, parents first, a guess being the number of a candidate or of a code.
* A program has a player of its own, which guesses what leaves the fewest candidates on average
  (Irving 1978), of as many codes as it can try at once. A subtree that it plays by itself as the
  tree does, down to every secret, is a single mark; most small parts are.
* Marks and numbers go through an arithmetic coder (range coding, Martin 1979) that counts how often
  each mark comes for parts of about that size. Its digits are the printable characters that need
  no escape in any of the languages.

A tree too long for a limit is cut: subtrees are left to the program's own player, those first whose
text is long for the guesses that it saves (:func:`fit`).

Nothing here trusts the way in: the text is decoded again, and what is claimed about the program is
measured on the tree that came out.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from textwrap import wrap

import numpy as np
from numpy.typing import NDArray

from moo_research.codes import CodeSpace
from moo_research.errors import MooError, TreeError, shown
from moo_research.formats import Written
from moo_research.layout import counted
from moo_research.players import part_sizes
from moo_research.rules import Response, Rules
from moo_research.tree import MAX_GUESSES, DecisionTree, Node

__all__ = ["DIGITS", "EFFORT", "Program", "decode", "fit", "shortened", "write"]

DIGITS = "".join(chr(code) for code in range(35, 127) if chr(code) not in "<?\\")
"""The digits of a text, in order of value. Without ``"`` and backslash they need no escape, without
``<`` no place in a page is harmful, without ``?`` C finds no trigraph."""

EFFORT = 20_000
"""Responses that the program's own player may work out for candidates as guesses, and the same
again for any codes: some hundredths of a second in Python."""

LINE = 80
"""Characters of the text on one line of a program."""

BASE = len(DIGITS)
# The widest state whose numbers a JavaScript double still holds exactly: BASE**8 < 2**53.
PLACES = 8
WIDEST: int = BASE**PLACES
NARROWEST = WIDEST // BASE

OWN, CANDIDATE, ANY = range(3)
"""The marks: the program's own player from here on; candidate number ...; code number ..."""

Codes = NDArray[np.integer]


@dataclass(frozen=True, slots=True)
class Program:
    """What a program is made of, whatever its language."""

    rules: Rules

    text: str
    """The tree, in :data:`DIGITS`; docs/formats.md tells how to read it."""

    played: DecisionTree
    """What the program plays, its own player included."""

    whole: bool
    """Whether it plays the tree that it was made from, guess by guess."""

    @property
    def lines(self) -> list[str]:
        """The text in pieces of :data:`LINE` characters; at least one, the last may be shorter."""
        return [self.text[i : i + LINE] for i in range(0, len(self.text), LINE)] or [""]

    @property
    def measures(self) -> str:
        """Total, mean and worst case in words."""
        played = self.played
        guesses = "guess" if played.total == 1 else "guesses"
        return (
            f"{played.total} {guesses} over all secrets, mean {played.mean:.4f}, "
            f"worst case {played.max_guesses}"
        )

    @property
    def example(self) -> list[tuple[str, Response]]:
        """Two turns of a game that it plays (one where there are no more), to show how to ask."""
        rules = self.rules
        last = rules.alphabet()[::-1]
        secret = last[0] * rules.positions if rules.repeats else last[: rules.positions]
        return self.played.play(secret)[:2]

    def head(self) -> list[str]:
        """Lines for the top of the source: the game, how well it is played, and by what."""
        rules = self.rules
        repeats = "repeats allowed" if rules.repeats else "all different"
        zero = "" if rules.leading_zero else f", not beginning with {rules.alphabet()[0]}"
        what = (
            "It plays the whole decision tree that it was made from."
            if self.whole
            else "It plays a part of the decision tree that it was made from, as much as its size "
            "allows, and the rest by a rule of its own."
        )
        lines = [
            f"Plays bulls and cows, {rules}: {counted(rules.size, 'code')}.",
            f"A code has {counted(rules.positions, 'symbol')} out of {rules.alphabet()}, "
            f"{repeats}{zero}.",
            f"{self.measures}.",
            f"Secrets solved at guess 1, 2, ...: {' '.join(map(str, self.played.histogram))}",
            what,
        ]
        return [part for line in lines for part in wrap(line, LINE)]

    def source(self, *templates: str, **values: object) -> str:
        """Join and fill in templates: ``@NAME@`` stands for the value called NAME.

        Known besides ``values``: ``P``, ``S``, ``SYMBOLS``, ``BASE``, ``PLACES``,
        ``NARROWEST``, ``EFFORT``, ``LINE``.
        """
        known: dict[str, object] = {
            "P": self.rules.positions,
            "S": self.rules.symbols,
            "SYMBOLS": self.rules.alphabet(),
            "BASE": BASE,
            "PLACES": PLACES,
            "NARROWEST": NARROWEST,
            "EFFORT": EFFORT,
            "LINE": LINE,
        }
        known |= values
        return re.sub("@([A-Z]+)@", lambda match: str(known[match[1]]), "".join(templates))


def shortened(code: str, comment: str, indent: str) -> str:
    """Take comments and blank lines out of a template, and all of its indentation but this much.

    ``comment``: what a line that is one begins with; ``indent``: stands for four spaces.
    """
    short = []
    for line in code.splitlines():
        text = line.lstrip(" ")
        if text and not text.startswith(comment):
            short.append(indent * ((len(line) - len(text)) // 4) + text + "\n")
    return "".join(short)


# --- The arithmetic coder -----------------------------------------------------------------------


class _Writer:
    """Turns marks and numbers into a text."""

    def __init__(self) -> None:
        self._low = 0
        self._width = WIDEST
        self._digits: list[int] = []
        self._counts = _new_counts()

    def mark(self, kind: int, candidates: int) -> None:
        counts = self._counts[candidates.bit_length()]
        self._narrow(sum(counts[:kind]), counts[kind], sum(counts))
        counts[kind] += 1

    def number(self, value: int, limit: int) -> None:
        """Write a number from 0 to ``limit - 1``, all of them as likely."""
        self._narrow(value, 1, limit)

    def text(self) -> str:
        """Finish: of the numbers that are left, the one that ends in the most zeros."""
        for places in reversed(range(PLACES + 1)):
            unit = BASE**places
            low = -(-self._low // unit) * unit
            if low < self._low + self._width:
                break
        self._low = low
        self._carry()
        for _ in range(PLACES):
            self._shift()
        return "".join(DIGITS[digit] for digit in self._digits).rstrip(DIGITS[0])

    def _narrow(self, start: int, size: int, total: int) -> None:
        unit = self._width // total
        self._low += start * unit
        self._width = size * unit
        self._carry()
        while self._width < NARROWEST:
            self._shift()
            self._width *= BASE

    def _carry(self) -> None:
        if self._low >= WIDEST:
            self._low -= WIDEST
            place = len(self._digits) - 1
            while self._digits[place] == BASE - 1:
                self._digits[place] = 0
                place -= 1
            self._digits[place] += 1

    def _shift(self) -> None:
        digit, rest = divmod(self._low, NARROWEST)
        self._digits.append(digit)
        self._low = rest * BASE


class _Reader:
    """Reads them back, as the programs do. A text goes on with zeros without end."""

    def __init__(self, text: str) -> None:
        self._digits = iter([DIGITS.index(digit) for digit in text])
        self._width = self._unit = WIDEST
        self._code = 0
        for _ in range(PLACES):
            self._shift()
        self._counts = _new_counts()

    def mark(self, candidates: int) -> int:
        counts = self._counts[candidates.bit_length()]
        value = self._value(sum(counts))
        kind = OWN if value < counts[0] else CANDIDATE if value < counts[0] + counts[1] else ANY
        self._narrow(sum(counts[:kind]), counts[kind])
        counts[kind] += 1
        return kind

    def number(self, limit: int) -> int:
        value = self._value(limit)
        self._narrow(value, 1)
        return value

    def _value(self, total: int) -> int:
        self._unit = self._width // total
        value = self._code // self._unit
        if value >= total:  # what division leaves over is never written
            raise TreeError("the text stands for no tree")
        return value

    def _narrow(self, start: int, size: int) -> None:
        self._code -= start * self._unit
        self._width = size * self._unit
        while self._width < NARROWEST:
            self._shift()
            self._width *= BASE

    def _shift(self) -> None:
        self._code = self._code * BASE + next(self._digits, 0)


def _new_counts() -> list[list[int]]:
    """How often each mark came, for each number of binary digits of the number of candidates."""
    return [[1, 1, 1] for _ in range(32)]


# --- The program's own player -------------------------------------------------------------------


class _OwnPlayer:
    """Guesses what leaves the fewest candidates on average, of the codes it has time to try.

    They are every k-th candidate, then every k-th code; of equal ones it takes the first tried. The
    programs have the same few lines. Choices are kept, for a part is met again and again.
    """

    def __init__(self, space: CodeSpace) -> None:
        self.space = space
        self._guesses: dict[bytes, int] = {}
        self._totals: dict[bytes, int] = {}

    def guess(self, candidates: Codes) -> int:
        if candidates.size <= 2:
            return int(candidates[0])
        key = candidates.tobytes()
        if key not in self._guesses:
            self._guesses[key] = self._choose(candidates)
        return self._guesses[key]

    def total(self, candidates: Codes) -> int:
        """The guesses that it needs for all of the candidates."""
        if candidates.size <= 2:
            return 2 * candidates.size - 1
        key = candidates.tobytes()
        if key not in self._totals:
            parts = _parts(self.space, candidates, self.guess(candidates)).values()
            self._totals[key] = candidates.size + sum(map(self.total, parts))
        return self._totals[key]

    def node(self, candidates: Codes) -> Node:
        """The tree that it plays from these candidates on."""
        guess = self.guess(candidates)
        parts = _parts(self.space, candidates, guess)
        text = self.space.text(guess)
        return Node(text, {response: self.node(part) for response, part in parts.items()})

    def _choose(self, candidates: Codes) -> int:
        size = candidates.size
        best, least = -1, math.inf
        for pool in (candidates, np.arange(self.space.size)):
            tried = pool[:: 1 + size * pool.size // EFFORT]
            squares = np.square(part_sizes(self.space, tried, candidates)).sum(axis=1)
            first = int(squares.argmin())
            if squares[first] < least:
                best, least = int(tried[first]), int(squares[first])
            if least == size:  # every part has one candidate: none can be better
                break
        return best


def _parts(space: CodeSpace, candidates: Codes, guess: int) -> dict[Response, Codes]:
    """The parts that a guess leaves, without the winning one, in order of response id."""
    win = Response(space.rules.positions, 0)
    split = space.split(candidates, guess)
    return {response: part for response, part in split.items() if response != win}


# --- From a tree to a text and back -------------------------------------------------------------


@dataclass(slots=True, eq=False)
class _Part:
    """A node of the tree with its candidates, and what matters for leaving it out."""

    candidates: Codes
    guess: int
    parts: list[_Part]

    alike: bool
    """Whether the program's own player plays the subtree as it is, guess by guess."""

    own_total: int = 0
    """Guesses that the program's own player needs for the candidates; set only to cut a tree."""

    @property
    def size(self) -> int:
        return int(self.candidates.size)

    @property
    def mark(self) -> int:
        """The mark it gets in the whole text."""
        return OWN if self.alike else self.mark_of_guess

    @property
    def mark_of_guess(self) -> int:
        return ANY if self.place is None else CANDIDATE

    @property
    def place(self) -> int | None:
        """The number of the guess among the candidates; None if it is not one of them."""
        place = int(np.searchsorted(self.candidates, self.guess))
        return place if place < self.size and self.candidates[place] == self.guess else None


def _analysed(tree: DecisionTree, own: _OwnPlayer) -> _Part:
    space = own.space

    def part_of(node: Node, candidates: Codes) -> _Part:
        guess = space.index(node.guess)
        split = _parts(space, candidates, guess)
        parts = [part_of(node.parts[response], part) for response, part in split.items()]
        alike = all(part.alike for part in parts) and own.guess(candidates) == guess
        return _Part(candidates, guess, parts, alike)

    return part_of(tree.root, np.arange(space.size))


def _encode(root: _Part, codes: int, cut: Collection[_Part] = ()) -> str:
    """Write the tree of a game of ``codes`` codes, leaving the parts in ``cut`` out."""
    writer = _Writer()
    for part in _walk(root, cut):
        if part.alike or part in cut:
            writer.mark(OWN, part.size)
            continue
        writer.mark(part.mark_of_guess, part.size)
        if part.place is None:
            writer.number(part.guess, codes)
        else:
            writer.number(part.place, part.size)
    return writer.text()


def decode(rules: Rules, text: str) -> DecisionTree:
    """Return the tree that a program with this text plays.

    Raises TreeError for a text with other characters than :data:`DIGITS`, for one that stands for
    no tree, or for one deeper than :data:`~moo_research.tree.MAX_GUESSES`.
    """
    if not set(text) <= set(DIGITS):
        raise TreeError(f"{shown(text)} is no text of a program: it has characters of no value")
    return _decoded(text, _OwnPlayer(CodeSpace(rules)))


def _decoded(text: str, own: _OwnPlayer) -> DecisionTree:
    space = own.space
    reader = _Reader(text)

    def grow(candidates: Codes, depth: int) -> Node:
        if depth > MAX_GUESSES:
            raise TreeError(f"the text stands for a tree of more than {MAX_GUESSES} guesses")
        kind = reader.mark(candidates.size)
        if kind == OWN:
            return own.node(candidates)
        guess = (
            int(candidates[reader.number(candidates.size)])
            if kind == CANDIDATE
            else reader.number(space.size)
        )
        split = _parts(space, candidates, guess)
        parts = {response: grow(part, depth + 1) for response, part in split.items()}
        return Node(space.text(guess), parts)

    return DecisionTree.of(space.rules, grow(np.arange(space.size), 1))


# --- To a size ----------------------------------------------------------------------------------


def write(
    tree: DecisionTree, name: str, render: Callable[[Program, bool], str], max_bytes: int | None
) -> Written:
    """Write a program as :func:`fit` makes it, and say how large it is and how well it plays."""
    source, program = fit(tree, name, render, max_bytes)
    how = "" if program.whole else ", tree cut to size"
    return Written(source, f"{counted(len(source), 'byte')} of {name}{how}: {program.measures}")


def fit(
    tree: DecisionTree,
    name: str,
    render: Callable[[Program, bool], str],
    max_bytes: int | None = None,
) -> tuple[str, Program]:
    """Return the source of a program that plays the tree, and what it is made of.

    ``name``: of the language, for messages; ``render(program, terse)``: makes the source, in ASCII.
    If the source has more than ``max_bytes`` bytes, it is made terse; if that is not enough,
    subtrees are left to the program's own player so that it fits and its total stays low. Raises
    TreeError unless the tree solves every secret, MooError if no program fits.
    """
    tree.ensure_valid()
    own = _OwnPlayer(CodeSpace(tree.rules))
    root = _analysed(tree, own)

    def program(cut: Collection[_Part] = ()) -> Program:
        text = _encode(root, own.space.size, cut)
        played = _decoded(text, own)
        return Program(tree.rules, text, played, played.root == tree.root)

    whole = program()
    assert whole.whole
    for terse in (False, True):
        source = render(whole, terse)
        if max_bytes is None or len(source) <= max_bytes:
            return source, whole
    assert max_bytes is not None
    smallest = program({root})
    least = len(render(smallest, True))
    if least > max_bytes:
        raise MooError(
            f"the smallest {name} program for {tree.rules} has {least} bytes, more than {max_bytes}"
        )

    def size(cut: Collection[_Part]) -> int:
        # Its measures are not known before it is played; what they add is taken off below.
        return len(render(replace(smallest, text=_encode(root, own.space.size, cut)), True))

    _own_totals(root, own)
    budget = max_bytes
    while True:
        best = program(_best_cut(root, own.space.size, size, budget))
        source = render(best, True)
        if len(source) <= max_bytes:
            return source, best
        budget -= len(source) - max_bytes


def _best_cut(
    root: _Part, codes: int, size: Callable[[Collection[_Part]], int], budget: int
) -> set[_Part]:
    """Choose the parts to leave out, such that the size is within the budget and the total low.

    A digit of text is given a price in guesses. For a price, the best choice is found from the
    leaves up; a search for the least price whose choice fits gives a corner of the convex hull of
    all choices, and the corner next to it, which is too large. Between them, either is mended: the
    large one by cutting what costs few guesses for its digits, both by filling what room is left.
    """
    digits = _digits_of_marks(root, codes)
    low, high = 0.0, float(codes)
    large, fitting = _cut_at(root, low, digits), {root}
    if size(large) <= budget:
        fitting = large
    for _ in range(40):
        if large == fitting:
            break
        price = (low + high) / 2
        cut = _cut_at(root, price, digits)
        if size(cut) <= budget:
            high, fitting = price, cut
        else:
            low, large = price, cut
    choices = [fitting, _cut_further(root, large, digits, size, budget)]
    filled = [_filled(cut, (large, set()), size, budget) for cut in choices]
    return min(filled, key=lambda cut: _total(root, cut))


def _cut_further(
    root: _Part,
    large: set[_Part],
    digits: Callable[[_Part], tuple[float, float]],
    size: Callable[[Collection[_Part]], int],
    budget: int,
) -> set[_Part]:
    """Cut more and more of a choice that is too large, until it fits."""
    cut = set(large)
    while (excess := size(cut) - budget) > 0:
        # What each part costs if it is left out, for each of the digits saved that are needed.
        costs: list[tuple[float, int, _Part]] = []
        taken: dict[_Part, float] = {}
        for number, part in enumerate(reversed(list(_walk(root, cut)))):
            left_out, kept = digits(part)
            taken[part] = left_out
            if not part.alike and part not in cut:
                taken[part] = kept + sum(taken[below] for below in part.parts)
                lost = part.own_total - _total(part, cut)
                saved = min(max(taken[part] - left_out, 1e-9), excess)
                costs.append((lost / saved, number, part))
        cut.add(min(costs)[2])
    return cut


def _filled(
    cut: set[_Part],
    finer: Collection[set[_Part]],
    size: Callable[[Collection[_Part]], int],
    budget: int,
) -> set[_Part]:
    """Take back parts that were left out, those first that save most, as far as there is room.

    ``finer``: choices that tell how a part taken back is cut within itself.
    """
    for choice in finer:
        saved = {part: part.own_total - _total(part, choice - {part}) for part in cut}
        for part in sorted(cut, key=lambda part: -saved[part]):
            below = set(_walk(part))
            trial = cut - below | (choice & below) - {part}
            if part in cut and saved[part] > 0 and size(trial) <= budget:
                cut = trial
    return cut


def _own_totals(root: _Part, own: _OwnPlayer) -> None:
    for part in _walk(root):
        part.own_total = own.total(part.candidates)


def _digits_of_marks(root: _Part, codes: int) -> Callable[[_Part], tuple[float, float]]:
    """Estimate the digits that a part takes, left out or with its guess, from the whole text."""
    counts = _new_counts()
    for part in _walk(root):
        counts[part.size.bit_length()][part.mark] += 1

    def digits(part: _Part) -> tuple[float, float]:
        ours = counts[part.size.bit_length()]
        left_out, kept = (
            math.log(sum(ours) / ours[mark], BASE) for mark in (OWN, part.mark_of_guess)
        )
        return left_out, kept + math.log(codes if part.place is None else part.size, BASE)

    return digits


def _cut_at(
    root: _Part, price: float, digits: Callable[[_Part], tuple[float, float]]
) -> set[_Part]:
    """The parts left out by the best choice, where a digit costs ``price`` guesses."""
    cut: set[_Part] = set()
    cost: dict[_Part, float] = {}
    for part in reversed(list(_walk(root))):  # parts before what they are parts of
        left_out, kept = digits(part)
        cost[part] = part.own_total + price * left_out
        if not part.alike:
            whole = part.size + price * kept + sum(cost[below] for below in part.parts)
            if whole < cost[part]:
                cost[part] = whole
            else:
                cut.add(part)
    return cut


def _total(root: _Part, cut: Collection[_Part]) -> int:
    """The guesses for all candidates of a part, if those in ``cut`` are left out."""
    if root.alike or root in cut:
        return root.own_total
    return root.size + sum(_total(part, cut) for part in root.parts)


def _walk(root: _Part, cut: Collection[_Part] = ()) -> Iterator[_Part]:
    """The part and all below it that a text has a mark for, each before its own parts."""
    stack = [root]
    while stack:
        part = stack.pop()
        yield part
        if not part.alike and part not in cut:
            stack += reversed(part.parts)
