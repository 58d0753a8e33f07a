"""A picture of the tree: its first guesses, what they leave, and when the secrets are solved.

As many guesses deep as fit :data:`MAX_ROWS` rows, at least two: the first guess, the second one for
each response to it. A row ends with the number of its candidates and a bar as long as they are
many, divided by the guess that solves them: the shades that the histogram below explains. It is a
plain picture, without script, in light colours as on paper.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.sax.saxutils import escape, quoteattr

from moo_research.layout import counted
from moo_research.rules import Response
from moo_research.tree import DecisionTree

__all__ = ["MAX_LEVELS", "MAX_ROWS", "write"]

MAX_ROWS = 64
"""The most rows drawn, if there is a choice: the responses to one guess of ten positions fit."""

MAX_LEVELS = 4
"""The most guesses drawn on one path."""

_MARGIN = 24
_ROW = 26
_BOX = 20
_LETTER = 8
_GAP = 128
_BAR = 280
_HEAD = 96
_NARROWEST = 720  # the line below the title has room

_LIGHT, _DARK = (0xB9, 0xD6, 0xEE), (0x08, 0x30, 0x6B)

_STYLE = """
text { font: 13px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: #1c2126; }
.title { font-size: 18px; font-weight: 600; }
.quiet, .size { fill: #555e68; }
.size { font-size: 11px; }
.code { font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.box { fill: #f4f8fc; stroke: #6b7f93; }
.asked { stroke-dasharray: 3 2; }
.edge { fill: none; stroke: #9aa7b4; }
.row { stroke: #e3e7eb; }
"""


@dataclass(slots=True)
class _Branch:
    """A guess, or the end of a game where ``guess`` is empty, and the secrets behind it."""

    guess: str
    response: Response | None
    may_win: bool
    histogram: list[int]
    branches: list[_Branch] = field(default_factory=list)

    @property
    def size(self) -> int:
        return sum(self.histogram)

    @property
    def span(self) -> str:
        """The fewest and the most guesses: ``2-7``."""
        guesses = [guess for guess, count in enumerate(self.histogram, 1) if count]
        return str(guesses[0]) if len(guesses) == 1 else f"{guesses[0]}\N{EN DASH}{guesses[-1]}"

    @property
    def mean(self) -> float:
        return sum(k * count for k, count in enumerate(self.histogram, 1)) / self.size

    def rows(self, levels: int) -> int:
        """How many rows this takes, drawn ``levels`` guesses deep."""
        if levels == 1 or not self.branches:
            return 1
        return sum(branch.rows(levels - 1) for branch in self.branches)


def write(tree: DecisionTree) -> str:
    """Return an SVG document; raises TreeError unless every secret is solved."""
    root = _branches(tree)
    deepest = min(MAX_LEVELS, tree.max_guesses)
    levels = next((n for n in range(deepest, 2, -1) if root.rows(n) <= MAX_ROWS), min(deepest, 2))
    return _Drawing(tree, root, levels).text()


def _branches(tree: DecisionTree) -> _Branch:
    """Gather the first :data:`MAX_LEVELS` guesses with the histogram below each."""
    win = Response(tree.rules.positions, 0)
    worst = tree.max_guesses
    drawn: dict[str, _Branch] = {}
    for visit in tree.visits():
        places = visit.place.split("/")
        level = len(places)
        if level <= MAX_LEVELS:
            branch = _Branch(visit.node.guess, visit.response, visit.may_win, [0] * worst)
            drawn[visit.place] = branch
            if level > 1:
                drawn["/".join(places[:-1])].branches.append(branch)
        if visit.may_win:
            for above in range(1, min(level, MAX_LEVELS) + 1):
                drawn["/".join(places[:above])].histogram[level - 1] += 1
            if level <= MAX_LEVELS and visit.node.parts:
                solved = [int(guess == level) for guess in range(1, worst + 1)]
                drawn[visit.place].branches.append(_Branch("", win, True, solved))
    for branch in drawn.values():
        # The win has the largest response id and comes last.
        branch.branches.sort(key=lambda below: not below.guess)
    return drawn["root"]


class _Drawing:
    """The elements of one picture, row by row."""

    def __init__(self, tree: DecisionTree, root: _Branch, levels: int) -> None:
        self.tree = tree
        self.root = root
        self.levels = levels
        self.box = tree.rules.positions * _LETTER + 14
        self.bars_at = self.left(levels) + max(self.box, 60) + 90
        self.width = max(self.bars_at + _BAR + 130 + _MARGIN, _NARROWEST)
        self.rows = 0

    def left(self, level: int) -> int:
        """Where the boxes of a level begin."""
        return _MARGIN + (level - 1) * (self.box + _GAP)

    def text(self) -> str:
        """Return the whole document."""
        body = [*self.head(), *self.branch(self.root, 1)[1], *self.histogram()]
        height = _HEAD + (self.rows + len(self.root.histogram) + 3) * _ROW
        words = _words(self.tree)
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{height}"'
            f' viewBox="0 0 {self.width} {height}" role="img" aria-label={quoteattr(words)}>',
            f"<title>{escape(words)}</title>",
            f"<style>{_STYLE}</style>",
            f'<rect width="{self.width}" height="{height}" fill="#ffffff"/>',
            *body,
            "</svg>",
        ]
        return "\n".join(lines) + "\n"

    def head(self) -> Iterator[str]:
        yield _text(_MARGIN, 34, f"Decision tree for {self.tree.rules}", "title")
        yield _text(_MARGIN, 56, _words(self.tree).partition(": ")[2], "quiet")
        for level in range(1, self.levels + 1):
            yield _text(self.left(level), _HEAD - 10, f"guess {level}", "quiet")
        yield _text(self.bars_at - 12, _HEAD - 10, "candidates", "quiet", "end")
        yield _text(self.bars_at + _BAR + 66, _HEAD - 10, "guesses", "quiet", "end")
        yield _text(self.bars_at + _BAR + 130, _HEAD - 10, "mean", "quiet", "end")

    def branch(self, branch: _Branch, level: int) -> tuple[float, list[str]]:
        """Draw a branch; return the height of its middle too. Depth is at most MAX_LEVELS."""
        below = branch.branches if level < self.levels else []
        elements: list[str] = []
        heights = []
        for child in below:
            height, drawn = self.branch(child, level + 1)
            heights.append(height)
            elements += drawn
        if heights:
            middle = (heights[0] + heights[-1]) / 2
            edges = [self.edge(level, middle, height) for height in heights]
            size = _text(
                self.left(level) + self.box / 2,
                middle + _BOX / 2 + 12,
                str(branch.size),
                "size",
                "middle",
            )
            elements = [*edges, *elements, size]
        else:
            middle = _HEAD + (self.rows + 0.5) * _ROW
            self.rows += 1
            elements += self.row(branch, level, middle)
        return middle, [*elements, *self.node(branch, level, middle)]

    def edge(self, level: int, start: float, end: float) -> str:
        left = self.left(level) + self.box
        right = self.left(level + 1) - 52
        middle = (left + right) / 2
        return (
            f'<path class="edge" d="M{left} {start:g}C{middle:g} {start:g} {middle:g} {end:g}'
            f' {right} {end:g}"/>'
        )

    def node(self, branch: _Branch, level: int, middle: float) -> Iterator[str]:
        left = self.left(level)
        if branch.response is not None:
            yield _text(left - 8, middle + 4.5, str(branch.response), "code", "end")
        if not branch.guess:
            yield _text(left, middle + 4.5, "solved", "quiet")
            return
        kind = "box" if branch.may_win else "box asked"
        yield (
            f'<rect class="{kind}" x="{left}" y="{middle - _BOX / 2:g}" width="{self.box}"'
            f' height="{_BOX}" rx="4"/>'
        )
        yield _text(left + self.box / 2, middle + 4.5, branch.guess, "code", "middle")

    def row(self, branch: _Branch, level: int, middle: float) -> Iterator[str]:
        """Draw what a row tells of its candidates."""
        if level < self.levels:
            start = self.left(level) + self.box + 8
            end = self.bars_at - 60
            yield f'<path class="row" d="M{start} {middle:g}H{end}"/>'
        yield _text(self.bars_at - 12, middle + 4.5, str(branch.size), "", "end")
        yield from self.bar(branch, middle)
        yield _text(self.bars_at + _BAR + 66, middle + 4.5, branch.span, "", "end")
        mean = f"{branch.mean:.4f}"
        yield _text(self.bars_at + _BAR + 130, middle + 4.5, mean, "", "end")

    def bar(self, branch: _Branch, middle: float) -> Iterator[str]:
        """Draw a bar as long as the candidates are many, one piece for each guess."""
        per_secret = _BAR / self._largest(self.root, self.levels)
        done = 0
        for guess, count in enumerate(branch.histogram, 1):
            if count:
                yield self.piece(
                    self.bars_at + done * per_secret, middle, count * per_secret, guess
                )
                done += count

    def _largest(self, branch: _Branch, levels: int) -> int:
        if levels == 1 or not branch.branches:
            return branch.size
        return max(self._largest(below, levels - 1) for below in branch.branches)

    def piece(self, left: float, middle: float, width: float, guess: int) -> str:
        worst = len(self.root.histogram)
        share = (guess - 1) / max(worst - 1, 1)
        mixed = (round(a + (b - a) * share) for a, b in zip(_LIGHT, _DARK, strict=True))
        colour = "".join(f"{part:02x}" for part in mixed)
        return (
            f'<rect x="{left:.2f}" y="{middle - 7:g}" width="{width:.2f}" height="14"'
            f' fill="#{colour}"/>'
        )

    def histogram(self) -> Iterator[str]:
        """Draw how many secrets are solved at each guess, in the shades of the bars above."""
        histogram = self.root.histogram
        top = _HEAD + (self.rows + 1.5) * _ROW
        yield _text(_MARGIN, top, "Secrets solved at each guess")
        for guess, count in enumerate(histogram, 1):
            middle = top + (guess + 0.1) * _ROW
            yield _text(_MARGIN + 60, middle + 4.5, f"guess {guess}", "quiet", "end")
            yield _text(_MARGIN + 130, middle + 4.5, str(count), "", "end")
            width = count * (self.width - 2 * _MARGIN - 142) / max(histogram)
            yield self.piece(_MARGIN + 142, middle, width, guess)


def _words(tree: DecisionTree) -> str:
    return (
        f"Decision tree for {tree.rules}: {counted(tree.rules.size, 'code')}, "
        f"{counted(tree.total, 'question')} in all, mean {tree.mean:.4f}, "
        f"at most {counted(tree.max_guesses, 'guess', 'guesses')}; dashed: a guess that cannot win"
    )


def _text(x: float, y: float, words: str, kind: str = "", anchor: str = "") -> str:
    attributes = f' class="{kind}"' if kind else ""
    attributes += f' text-anchor="{anchor}"' if anchor else ""
    return f'<text x="{x:g}" y="{y:g}"{attributes}>{escape(words)}</text>'
