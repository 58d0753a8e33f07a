"""The notation of published Mastermind strategies: ``1296 (1122: 1, 16 (1213: 0, ...``.

Knuth (1976-77) prints his strategy so; Irving (1978-79), Neuwirth (1982) and Koyama and Lai (1993)
follow him, and the program mmstrat writes and reads it as "Irving format". A situation is the
number of its candidates and, in brackets, the guess and the situations that its responses lead to,
in a fixed order. What the reader can find out is left out. docs/formats.md specifies all of it; the
hands of these authors differ in ways that exclude each other nowhere, so they are read as one
format.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

from moo_research.formats.foreign import CODE, Situation, Text, in_symbols
from moo_research.layout import counted
from moo_research.rules import Response
from moo_research.tree import MAX_GUESSES, DecisionTree, Visit

__all__ = ["parse", "write"]

_NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_WIDTH = 100


# ---- reading ----


def parse(text: Text) -> Situation:
    """Read a strategy; see :mod:`moo_research.formats.foreign`."""
    return _Parser(text).parse()


class _Parser:
    def __init__(self, text: Text) -> None:
        self.text = text
        self.positions = 0
        # Situations given by a name only, and those that say what a name stands for.
        self.named: dict[str, Situation] = {}
        self.defined: dict[str, Situation] = {}

    def parse(self) -> Situation:
        text = self.text
        root, opened = self._head()
        if root.guess is None:
            raise text.error("the first guess is missing", root.offset)
        self.positions = len(root.guess)
        self._fill(root, opened)
        while text.peek():
            name = text.take("[A-Z]", "the name of a situation")
            if name in self.defined:
                raise text.error(f"{name} is defined twice", text.start)
            text.take("=", "'='")
            situation = text.situation()
            situation.parts = None
            if text.peek().isdigit():
                situation.count = self._count()
            self.defined[name] = situation
            self._fill(situation, self._guess(situation))
        self._link(root)
        return root

    def _count(self) -> int:
        return int(self.text.take("[0-9]{1,9}", "a number of candidates"))

    def _head(self) -> tuple[Situation, bool]:
        """Read a situation as far as its first part; tell whether there are parts."""
        text = self.text
        count = self._count()
        situation = text.situation() if count else Situation(text.start)  # few zeros are kept
        situation.count, situation.parts = count, None
        following = text.peek()
        if following == "(":
            return situation, self._guess(situation)
        if following and following in _NAMES:
            name = text.take("[A-Z]", "a name")
            if name in self.named:
                raise text.error(f"{name} stands in two places", text.start)
            self.named[name] = situation
            situation.parts = {}  # until it is known what the name stands for
        return situation, False

    def _guess(self, situation: Situation) -> bool:
        """Read a bracket, the guess and the mark behind it; tell whether parts follow."""
        text = self.text
        text.take(r"\(", "'('")
        guess = text.take(CODE, "a code")
        situation.offset = text.start
        # The mark x belongs to the code by its looks; * and x say only what can be seen anyway.
        if len(guess) == self.positions + 1 and guess.endswith("x"):
            guess = guess[:-1]
        elif text.peek() in ("*", "x"):
            text.take("[*x]", "a mark")
        situation.guess = guess
        return text.take("[:)]", "':' or ')'") == ":"

    def _fill(self, situation: Situation, opened: bool) -> None:
        """Read the parts of a situation, and of those in it, up to the last closing bracket."""
        text = self.text
        # Open situations, each with the parts read so far, in groups of equal bulls.
        stack: list[tuple[Situation, list[list[Situation]]]] = []
        if opened:
            stack.append((situation, [[]]))
        while stack:
            part, opened = self._head()
            groups = stack[-1][1]
            groups[-1].append(part)
            if max(len(groups), len(groups[-1])) > self.positions + 1:
                raise text.error(
                    f"a bracket has at most {self.positions + 1} groups of as many numbers",
                    part.offset,
                )
            if opened:
                if len(stack) == MAX_GUESSES:
                    raise text.error(f"deeper than {MAX_GUESSES} guesses")
                stack.append((part, [[]]))
                continue
            while stack:
                separator = text.take("[,;)]", "',', ';' or ')'")
                parent, groups = stack[-1]
                if separator == ";":
                    groups.append([])
                if separator != ")":
                    break
                parent.parts = self._parts(groups)
                stack.pop()

    def _parts(self, groups: list[list[Situation]]) -> dict[Response, Situation]:
        """Tell which response each part follows. Raises TreeError unless all have their place."""
        positions = self.positions
        if len(groups) != positions + 1:
            raise self.text.error(
                f"the bracket has {counted(len(groups), 'group')} of numbers; {positions + 1} are "
                f"expected, for 0 to {counted(positions, 'bull')}",
                self.text.start,
            )
        parts: dict[Response, Situation] = {}
        for bulls, group in enumerate(groups):
            # One cow beside all bulls but one is impossible: Knuth counts it as 0, others leave
            # it out.
            impossible = bulls == positions - 1
            if len(group) not in {positions - bulls + 1, positions - bulls + 1 - impossible}:
                raise self.text.error(
                    f"there are {counted(len(group), 'number')} for {counted(bulls, 'bull')}; "
                    f"{positions - bulls + 1 - impossible} are expected",
                    group[0].offset,
                )
            for cows, part in enumerate(reversed(group)):
                response = Response(bulls, cows)
                bare = part.guess is None and part.parts is None
                if bulls == positions or (impossible and cows == 1):
                    most = int(bulls == positions)
                    if not bare or part.count not in range(most + 1):
                        raise self.text.error(
                            f"nothing follows {response}; the number must be at most {most}",
                            part.offset,
                        )
                elif part.count or not bare:
                    parts[response] = part
        return parts

    def _link(self, root: Situation) -> None:
        """Put what a name stands for where the name is."""
        for name, situation in self.named.items():
            if name not in self.defined:
                raise self.text.error(f"{name} is not defined", situation.offset)
            definition = self.defined[name]
            situation.guess, situation.parts = definition.guess, definition.parts
            situation.offset = definition.offset
        # Each name stands in one place, so there is no circle unless the root does not reach it.
        reached = set()
        stack = [root]
        while stack:
            situation = stack.pop()
            reached.add(situation.offset)
            stack += (situation.parts or {}).values()
        for name, definition in self.defined.items():
            if definition.offset not in reached:
                raise self.text.error(
                    f"{name} is defined, but the first guess does not lead to it",
                    definition.offset,
                )


# ---- writing ----


def write(tree: DecisionTree) -> str:
    """Return the tree as mmstrat writes it, in lines of 100 characters.

    Symbols are written from 1 on if there are at most nine and any may come first, else from 0 on.
    Raises TreeError unless every secret is solved.
    """
    rules = tree.rules
    first_symbol = int(rules.symbols < 10 and rules.leading_zero)
    writer = _Writer(tree, rules.alphabet(first_symbol))
    paragraphs = [writer.text([writer.visits["root"]], naming=True)]
    paragraphs += [f"{name} ={writer.text(writer.bracket(v))}" for name, v in writer.named.items()]
    return "\n".join(
        textwrap.fill(
            each, _WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False
        )
        + "\n"
        for each in paragraphs
    )


class _Writer:
    def __init__(self, tree: DecisionTree, alphabet: str) -> None:
        self.positions = tree.rules.positions
        self.spell = in_symbols(alphabet)
        self.visits = {visit.place: visit for visit in tree.visits()}
        self.named: dict[str, Visit] = {}

    def text(self, items: Iterable[str | Visit], naming: bool = False) -> str:
        """Write pieces of text and situations; ``naming``: the large ones by a name only.

        As with mmstrat, those are named that follow the first guess, have more candidates than
        there are responses, and are not brief.
        """
        pieces: list[str] = []
        stack = [*items][::-1]
        while stack:
            item = stack.pop()
            if isinstance(item, str):
                pieces.append(item)
                continue
            size = len(item.candidates)
            pieces.append(str(size))
            if not item.node.parts and item.response is not None:
                continue  # the last candidate is guessed
            large = size >= self.positions * (self.positions + 3) // 2 and not self._is_brief(item)
            if naming and large and len(item.guesses) == 2 and len(self.named) < len(_NAMES):
                name = _NAMES[len(self.named)]
                self.named[name] = item
                pieces.append(name)
                continue
            stack += [*self.bracket(item)][::-1]
        return "".join(pieces)

    def bracket(self, visit: Visit) -> Iterator[str | Visit]:
        """Yield the guess of a situation and, unless each response then tells the secret, the rest.

        An asterisk marks a guess that cannot be the secret.
        """
        guess = self.spell(visit.node.guess)
        if self._is_brief(visit):
            yield f" ({guess}{'' if visit.may_win else '*'})"
            return
        yield f" ({guess}:"
        for bulls in range(self.positions):
            for cows in reversed(range(self.positions - bulls + 1)):
                if (bulls, cows) == (self.positions - 1, 1):
                    continue
                yield " "
                response = Response(bulls, cows)
                yield self.visits[f"{visit.place}/{response}"] if response in visit.split else "0"
                yield "," if cows else ";"
        yield f" {int(visit.may_win)})"

    def _is_brief(self, visit: Visit) -> bool:
        """Whether every secret is solved by this guess or by the next, without a detour."""
        return not any(part.parts for part in visit.node.parts.values())
