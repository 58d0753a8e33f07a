"""Draw the pictures of docs/search.md: every figure on them is computed here, by the program.

    python docs/pictures/make.py

writes the files beside this one; tests/test_docs.py compares them with what is committed. Each has
a title and a description for a screen reader, and follows the reader's choice of light or dark.
"""

from __future__ import annotations

import itertools
import json
import math
import sys
from pathlib import Path
from xml.sax.saxutils import escape

from moo_research import formats
from moo_research.objective import Objective
from moo_research.odds import odds_rows
from moo_research.players import bundled_tree
from moo_research.rules import Response, Rules
from moo_research.search import Engine
from moo_research.symmetry import orbits, symmetries
from moo_research.tree import DecisionTree

HERE = Path(__file__).resolve().parent
EFFORT = HERE.parent.parent / "results" / "effort.json"

STYLE = """
:root { color-scheme: light dark; }
text { font: 14px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: #1c2126; }
.code { font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.quiet { fill: #555e68; }
.paper { fill: #ffffff; }
.box, .open { fill: #e4eef7; stroke: #33658a; }
.proven { fill: #33658a; }
.gone { fill: #9aa7b4; }
.open { stroke-dasharray: 4 3; }
.edge, .limit { stroke: #555e68; fill: none; }
.limit { stroke: #a63d00; stroke-width: 2; }
.limits { fill: #a63d00; }
@media (prefers-color-scheme: dark) {
text { fill: #e6eaee; }
.quiet { fill: #a9b4bf; }
.paper { fill: #14191e; }
.box, .open { fill: #20364a; stroke: #7fb2dc; }
.proven { fill: #7fb2dc; }
.gone { fill: #6b7885; }
.edge { stroke: #a9b4bf; }
.limit { stroke: #ff9d5c; }
.limits { fill: #ff9d5c; }
}
"""


class Picture:
    """An SVG file in the making."""

    def __init__(self, width: int, height: int, title: str, about: str) -> None:
        self.lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
            f' viewBox="0 0 {width} {height}" role="img" aria-labelledby="title about">',
            f'<title id="title">{escape(title)}</title>',
            f'<desc id="about">{escape(about)}</desc>',
            f"<style>{STYLE}</style>",
            f'<rect class="paper" width="{width}" height="{height}" rx="8"/>',
        ]

    def text(self, x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> None:
        """Write a line; ``anchor`` is start, middle or end."""
        self.lines.append(
            f'<text x="{x:.5g}" y="{y:.5g}" class="{kind}" text-anchor="{anchor}">'
            f"{escape(text)}</text>"
        )

    def box(self, x: float, y: float, width: float, height: float, kind: str) -> None:
        """Draw a rectangle."""
        self.lines.append(
            f'<rect x="{x:.5g}" y="{y:.5g}" width="{width:.5g}" height="{height:.5g}"'
            f' class="{kind}"/>'
        )

    def line(self, points: str, kind: str = "edge") -> None:
        """Draw a line through points, ``"x,y x,y"``."""
        self.lines.append(f'<polyline points="{points}" class="{kind}"/>')

    def __str__(self) -> str:
        return "\n".join([*self.lines, "</svg>\n"])


def tree() -> str:
    """The decision tree of docs/formats.md, as the program draws any tree."""
    text = (HERE.parent / "formats.md").read_text(encoding="utf-8")
    example = text.split("```json\n", 1)[1].split("```", 1)[0]
    return formats.write(DecisionTree.from_json(json.loads(example)), "svg")


def allowed_at(engine: Engine) -> list[int]:
    """The secrets that the capacities allow to be solved at guess 1, 2, ..."""
    most = [0, *(row.solved for row in odds_rows(engine))]
    return [after - before for before, after in itertools.pairwise(most)]


def capacities(allowed: list[int]) -> str:
    """What the capacities allow the whole game, beside a strategy of least total."""
    strategy = bundled_tree(Rules.parse("4x10"))
    assert strategy is not None
    total, bound = (
        sum(k * count for k, count in enumerate(counts, 1))
        for counts in (strategy.histogram, allowed)
    )
    picture = Picture(
        720,
        100 + 46 * len(allowed),
        "The capacity bound of the game 4x10",
        f"For each guess, two bars: the secrets that capacities allow to be solved there, and those"
        f" that a strategy of least total solves there. Allowed: {allowed}, in all {bound} guesses;"
        f" solved: {list(strategy.histogram)}, in all {total} guesses.",
    )
    picture.text(24, 32, "Secrets of 4x10 solved at each guess")
    picture.box(24, 46, 12, 12, "proven")
    picture.text(42, 57, f"by a strategy of least total: {total} guesses", "quiet")
    picture.box(384, 46, 12, 12, "gone")
    picture.text(402, 57, f"as the capacities allow: {bound} guesses", "quiet")
    scale = 520 / max(*allowed, *strategy.histogram)
    for row, (ours, best) in enumerate(zip(strategy.histogram, allowed, strict=True)):
        y = 80 + 46 * row
        picture.text(24, y + 20, f"guess {row + 1}")
        for shift, count, kind in ((0, ours, "proven"), (17, best, "gone")):
            picture.box(90, y + shift, max(1, count * scale), 14, kind)
            picture.text(98 + count * scale, y + shift + 12, str(count))
    return str(picture)


def guesses(engine: Engine, allowed: list[int]) -> str:
    """Bound and value of every second guess after one response, and the limit of the best."""
    space, response = engine.space, Response(2, 1)
    history = [(0, response)]
    search = engine.search(Objective.mean())
    candidates = search.candidates(history)

    def cost_of(part: int) -> int:
        """Least cost of a part by its size: early guesses filled first."""
        filled = itertools.chain.from_iterable([k] * count for k, count in enumerate(allowed, 1))
        return sum(itertools.islice(filled, part))

    rows = []
    for orbit in orbits(space, [0], [response]):
        bound = sum(
            1 if answer.bulls == 4 else len(part) + cost_of(len(part))
            for answer, part in space.split(candidates, orbit.guess).items()
        )
        value = search.value_of(orbit.guess, history)
        assert value is not None
        rows.append((space.text(orbit.guess), bound, value - len(candidates)))
    rows.sort(key=lambda row: (row[2], row[1]))
    best, worst = rows[0][2], max(row[2] for row in rows)
    refuted = sum(bound >= best for _guess, bound, _value in rows[1:])
    picture = Picture(
        720,
        122 + 24 * len(rows),
        "What a bound settles",
        f"{len(candidates)} candidates after 0123 answered {response}. One row for each of"
        f" {len(rows)} guesses: a bar from nothing to its bound by sizes, continued to what it"
        f" really costs. A line marks {best}, the cost of the best, {rows[0][0]}. The bounds of"
        f" {refuted} others reach the line: they are refuted without any search.",
    )
    picture.text(
        24,
        32,
        f"After 0123 answered {response}: {len(candidates)} candidates, {len(rows)} guesses up to"
        " symmetry",
    )
    picture.box(24, 46, 12, 12, "proven")
    picture.text(42, 57, "bound by sizes", "quiet")
    picture.box(164, 46, 12, 12, "gone")
    picture.text(182, 57, "bound that reaches the limit", "quiet")
    picture.box(394, 46, 12, 12, "open")
    picture.text(412, 57, "what the guess really costs", "quiet")
    start, low = 90, 0.8 * best
    scale = 540 / (worst - low)
    limit = start + (best - low) * scale
    for row, (guess, bound, value) in enumerate(rows):
        y = 92 + 24 * row
        picture.text(24, y + 13, guess, "code")
        picture.box(start, y, (value - low) * scale, 16, "open")
        kind = "gone" if bound >= best and row else "proven"
        picture.box(start, y, (bound - low) * scale, 16, kind)
        picture.text(start + 6 + (value - low) * scale, y + 13, str(value))
    picture.line(f"{limit:.5g},74 {limit:.5g},{100 + 24 * len(rows)}", "limit")
    picture.text(limit + 6, 84, f"the best so far: {best}", "limits")
    picture.text(
        24, 112 + 24 * len(rows), f"Bars begin at {low:.0f} guesses over all candidates.", "quiet"
    )
    return str(picture)


def symmetry(engine: Engine) -> str:
    """How many guesses symmetry leaves, after more and more turns."""
    space = engine.space
    once, both = [("0123", "0B1C")], [("0123", "0B1C"), ("1456", "0B1C")]
    rows = []
    for name, turns in (
        ("at the start", []),
        ("after 0123 0B1C", once),
        ("then 1456 0B1C", both),
    ):
        numbers = [space.index(guess) for guess, _ in turns]
        answers = [Response.parse(response, 4) for _, response in turns]
        left = len(orbits(space, numbers, answers))
        rows.append((name, symmetries(space, numbers, answers), left))
    fixed = len(orbits(space, [space.index(guess) for guess, _ in both]))
    picture = Picture(
        720,
        214,
        "Guesses left by symmetry",
        "; ".join(f"{name}: {count} symmetries, {left} guesses" for name, count, left in rows)
        + f"; {fixed} if the two guesses might not change places. All codes: {len(space)}.",
    )
    picture.text(24, 32, f"Guesses to try out of {len(space)} codes (logarithmic)")
    picture.text(230, 62, "symmetries", "quiet", "end")
    picture.text(250, 62, "guesses that are not equal by one of them", "quiet")
    scale = 390 / math.log(len(space))
    for row, (name, count, left) in enumerate(rows):
        y = 78 + 40 * row
        picture.text(24, y + 15, name)
        picture.text(230, y + 15, f"{count}", "", "end")
        width = max(2, math.log(left) * scale)
        picture.box(250, y, width, 20, "proven")
        picture.text(258 + width, y + 15, str(left))
    picture.text(250, 197, f"{fixed} if turns with equal responses kept their places", "quiet")
    return str(picture)


def trials() -> str:
    """The stages that a guess goes through, and how many guesses of 4x10 each settles."""
    games = json.loads(EFFORT.read_text(encoding="utf-8"))["games"]
    game = next(game for game in games if game["rules"] == "4x10")
    stages = [
        ("split the candidates", "sum the bounds of the parts by size", game["ended_size"]),
        ("look at each part", "quick bound, memo", game["ended_quick"]),
        ("pass over all guesses", "parts bound of the parts still open", game["ended_pass"]),
        ("search the parts", "each with the limit the others leave", game["ended_search"]),
        ("the best so far", "its cost is the new limit", game["improved"]),
    ]
    all_guesses = game["guesses_tried"]
    picture = Picture(
        720,
        66 + 74 * len(stages),
        "The stages of trying a guess",
        f"Of {all_guesses} guesses taken up in 4x10: "
        + "; ".join(f"{name} ({what}): {count}" for name, what, count in stages)
        + ".",
    )
    picture.text(24, 32, f"4x10, least total: {all_guesses} guesses taken up")
    picture.text(440, 32, "refuted here", "quiet")
    for row, (name, what, count) in enumerate(stages):
        y, last = 50 + 74 * row, row == len(stages) - 1
        picture.box(24, y, 290, 50, "box")
        picture.text(38, y + 21, name)
        picture.text(38, y + 40, what, "quiet")
        if not last:
            picture.line(f"169,{y + 50} 169,{y + 74}")
            picture.line(f"164,{y + 67} 169,{y + 74} 174,{y + 67}")
            picture.line(f"314,{y + 25} 350,{y + 25}")
            picture.line(f"343,{y + 20} 350,{y + 25} 343,{y + 30}")
        share = f"{count}  ({count / all_guesses:.1%})"
        picture.box(440, y + 34, max(1, 256 * count / all_guesses), 8, "proven" if last else "gone")
        picture.text(440, y + 26, f"{share} become the best" if last else share)
    return str(picture)


def draw() -> dict[str, str]:
    """Return every picture by its file name."""
    engine = Engine("4x10")
    allowed = allowed_at(engine)
    return {
        "tree-2x3.svg": tree(),
        "capacities.svg": capacities(allowed),
        "guesses.svg": guesses(engine, allowed),
        "symmetry.svg": symmetry(engine),
        "trials.svg": trials(),
    }


def main() -> int:
    """Write the pictures."""
    for name, text in draw().items():
        (HERE / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
