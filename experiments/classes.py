"""Prove the least total of a large game class by class, for games that take hours.

In a game of distinct symbols all first guesses are alike, so the classes of the first code are the
game. The smallest comes first. What is known of each class is written to results/classes-RULES.json
and .md as soon as it is proven; a later run goes on from there, and from what the store has of
classes that were not finished (docs/store.md). A class that takes longer than ``--seconds`` is left
open, with a lower bound and the total of a strategy for it.

Once there is a strategy for every class, they are put together to the best tree known, which is
replayed on every secret: RULES-best.json.gz, or RULES-mean.json.gz if all is proven.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import common
import numpy as np

from moo_research.objective import Objective
from moo_research.rules import Response, Rules, response_id, response_of_id
from moo_research.search import Engine, Progress, Search, prove
from moo_research.store import Store, default_path
from moo_research.symmetry import least_of_orbits
from moo_research.tree import DecisionTree, Node, replay

History = list[tuple[int, Response]]
EXACT_UP_TO, WIDTH = 150, 6
"""The strategy of a class that is left open is best play for sets of so many candidates, and the
best of so many guesses for larger ones, unless the command line says otherwise."""


class TimeUp(Exception):
    """A class has had its time."""


def until(end: float) -> Callable[[Progress], None]:
    """Return a callback that ends a search at a time of the clock that does not jump."""

    def watch(_progress: Progress) -> None:
        if time.perf_counter() > end:
            raise TimeUp

    return watch


def lower_bound(engine: Engine, history: History, seconds: float) -> int:
    """Prove that the candidates cost so much at least: as much as can be shown in the time.

    Guesses after the first are counted.
    """
    search = Search(engine, Objective.mean())
    size = len(search.candidates(history))
    end = time.perf_counter() + seconds
    bound, _guess = search.solve(history, cutoff=0)
    assert bound is not None
    step = max(1, size // 100)
    try:
        while seconds:
            value, _guess = search.solve(history, cutoff=bound + step, progress=until(end))
            assert value is not None
            if value < bound + step:
                return value - size  # exact
            bound = value
    except TimeUp:
        pass
    return bound - size


@dataclass(frozen=True)
class Plan:
    """A strategy for the candidates after a history, not written out yet."""

    history: tuple[tuple[int, Response], ...]
    total: int
    """Guesses from there on, over all candidates."""

    guess: int
    parts: tuple[Plan, ...] | None
    """None if best play follows."""

    def write(self, search: Search) -> Node:
        """Write it out."""
        space = search.engine.space
        if self.parts is None:
            size = len(search.candidates(self.history))
            return search.tree(self.total + size * len(self.history), self.history)
        return Node(
            space.text(self.guess), {part.history[-1][1]: part.write(search) for part in self.parts}
        )


def plan(
    search: Search, history: tuple[tuple[int, Response], ...], end: float, effort: tuple[int, int]
) -> Plan:
    """Find a good strategy: best play for small sets, else the best of a few guesses whose parts
    are small in the mean. No further guess is begun after a time."""
    space = search.engine.space
    candidates = search.candidates(history)
    size = len(candidates)
    exact_up_to, width = effort
    if size <= exact_up_to:
        value, guess = search.solve(history)
        assert value is not None
        return Plan(history, value - size * len(history), guess, None)
    least = least_of_orbits(space, [guess for guess, _ in history], [r for _, r in history])
    guesses = np.flatnonzero(least == np.arange(space.size))
    # Rows are symmetric: a member's responses to all guesses are those of all guesses to it.
    spread = np.empty(len(guesses))
    for at, guess in enumerate(guesses.tolist()):
        sizes = np.bincount(space.response_ids(guess, candidates))
        spread[at] = (sizes * np.log(np.maximum(sizes, 1))).sum()
    best: Plan | None = None
    for at in np.argsort(spread, kind="stable")[:width].tolist():
        if best is not None and time.perf_counter() > end:
            break
        guess = int(guesses[at])
        rows = space.response_ids(guess, candidates)
        total, parts = size, []
        responses, sizes = np.unique(rows, return_counts=True)
        # A set of n candidates takes 2 n - 1 guesses at least.
        floor = int((2 * sizes - 1).sum())
        for number, count in sorted(zip(responses.tolist(), sizes.tolist(), strict=True)):
            response = response_of_id(number)
            floor -= 2 * count - 1
            if response.bulls == space.rules.positions:
                continue
            part = plan(search, (*history, (guess, response)), end, effort)
            total += part.total
            parts.append(part)
            if best is not None and total + floor >= best.total:
                break
        else:
            if best is None or total < best.total:
                best = Plan(history, total, guess, tuple(parts))
    assert best is not None
    return best


def upper_bound(
    engine: Engine, history: History, seconds: float, effort: tuple[int, int]
) -> tuple[dict[str, Any], Node]:
    """Return a strategy for the candidates, and its total, next guess and histogram."""
    search = Search(engine, Objective.mean())
    found = plan(search, tuple(history), time.perf_counter() + seconds, effort)
    root = found.write(search)
    solved = replay(engine.rules, root, engine.space.texts(search.candidates(history)))
    if solved is None or sum(k * n for k, n in enumerate(solved, 1)) != found.total:
        raise AssertionError("the strategy does not take what it should")
    return {"total": found.total, "guess": root.guess, "histogram": solved}, root


def open_class(
    engine: Engine, response: Response, seconds: float, effort: tuple[int, int]
) -> tuple[dict[str, Any], Node | None]:
    """Say what can be found out about a class in a short time; nearly nothing in none."""
    history = [(0, response)]
    spent = time.process_time()
    known: dict[str, Any] = {"total": None, "guess": None, "histogram": None}
    root = None
    if seconds:
        known, root = upper_bound(engine, history, seconds, effort)
    result = {
        "response": str(response),
        "size": len(Search(engine, Objective.mean()).candidates(history)),
        "proved": False,
        "bound": lower_bound(engine, history, seconds),
        **known,
        "seconds": round(time.process_time() - spent, 2),
        "guesses_tried": None,
    }
    return result, root


def study(
    engine: Engine, response: Response, seconds: float, bounds: float, effort: tuple[int, int]
) -> tuple[dict[str, Any], Node | None]:
    """Prove what one class costs, or say what is known of it; and a strategy."""
    began, spent = time.perf_counter(), time.process_time()
    try:
        found = prove(engine, Objective.mean(), until(began + seconds), history=[(0, response)])
    except TimeUp:
        left, root = open_class(engine, response, bounds, effort)
        return left | {"seconds": round(time.process_time() - spent, 2)}, root
    result = {
        "response": str(response),
        "size": found.codes,
        "proved": True,
        "bound": found.total,
        "total": found.total,
        "guess": found.first_guess,
        "histogram": found.histogram,
        "seconds": round(time.process_time() - spent, 2),
        "guesses_tried": found.guesses_tried,
    }
    return result, found.root


def better(new: dict[str, Any], old: dict[str, Any]) -> dict[str, Any]:
    """Put together what two runs know of a class; the time is that of all of them."""
    result = dict(new)
    result["seconds"] = round(old["seconds"] + new["seconds"], 2)
    if not new["proved"]:
        result["bound"] = max(old["bound"], new["bound"])
        if old["total"] is not None and (new["total"] is None or old["total"] < new["total"]):
            result |= {name: old[name] for name in ("total", "guess", "histogram")}
    return result


def report(game: str, classes: list[dict[str, Any]], codes: int) -> str:
    """Lay out the classes in a table."""
    rows = [
        (
            each["response"],
            each["size"],
            each["guess"] or "",
            each["total"] or "",
            "proved" if each["proved"] else f"at least {each['bound']}",
            common.histogram(each["histogram"] or ()),
            each["seconds"],
        )
        for each in classes
    ]
    low = codes + sum(each["bound"] for each in classes)
    totals = [each["total"] for each in classes]
    known = None if None in totals else codes + sum(totals)
    if low == known:
        result = f"The least total is {low}, {low / codes:.4f} guesses a game (proved)."
    else:
        at_most = "" if known is None else f" and at most {known} ({known / codes:.4f} a game)"
        result = f"The least total is at least {low} ({low / codes:.4f} a game){at_most}."
    heads = ("response", "size", "next guess", "guesses", "", "at guess 1, 2, ...", "seconds")
    return (
        f"# {game} class by class\n\n"
        "Least total of guesses after the first, by its response; processor time.\n\n"
        f"{common.table(heads, rows)}\n\n{result}\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="5x10", metavar="RULES")
    parser.add_argument("--seconds", type=float, default=600, help="time for a class (600)")
    parser.add_argument("--bounds", type=float, default=60, help="time for its bounds (60)")
    parser.add_argument("--exact", type=int, default=EXACT_UP_TO, metavar="N")
    parser.add_argument("--width", type=int, default=WIDTH, metavar="N")
    parser.add_argument("--store", type=Path, default=None, metavar="FILE")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--output", type=Path, default=common.RESULTS, metavar="DIR")
    options = parser.parse_args()
    effort = options.exact, options.width
    rules = Rules.parse(options.game)
    if rules.repeats or not rules.leading_zero:
        parser.error("in this game first guesses differ; use moo solve --resume")
    name = f"classes-{rules}"
    file = options.output / f"{name}.json"
    known = {}
    if file.exists():
        known = {each["response"]: each for each in json.loads(file.read_text())["classes"]}
    best = options.output / f"{rules}-best.json.gz"
    roots = dict(DecisionTree.load(best).root.parts) if best.exists() else {}
    with Store(options.store or default_path()) as store:
        engine = Engine(rules, threads=options.threads, store=store)
        first = engine.space.text(0)
        sizes = np.bincount(engine.space.response_ids(0))
        win = response_id(Response(rules.positions, 0))
        responses = [response_of_id(i) for i in np.flatnonzero(sizes[:win]).tolist()]
        responses.sort(key=lambda response: int(sizes[response_id(response)]))
        for response in responses:
            if str(response) not in known:
                known[str(response)], _none = open_class(engine, response, 0, effort)
        for response in responses:
            if known[str(response)]["proved"]:
                continue
            found, root = study(engine, response, options.seconds, options.bounds, effort)
            old, known[str(response)] = known[str(response)], better(found, known[str(response)])
            if root is not None and known[str(response)]["total"] != old["total"]:
                roots[response] = root
            done = [known[str(each)] for each in responses]
            value = {"rules": str(rules), "codes": engine.space.size, "classes": done}
            common.write(options.output, name, value, report(str(rules), done, rules.size))
            if len(roots) == len(responses):
                tree = DecisionTree.of(
                    rules, Node(first, {each: roots[each] for each in responses})
                )
                # The first guess wins for one secret; every class adds one guess a secret.
                if tree.total != rules.size + sum(each["total"] for each in done):
                    raise AssertionError("the classes do not add up")
                tree.save(best)
                if all(each["proved"] for each in done):
                    best.replace(options.output / f"{rules}-mean.json.gz")


if __name__ == "__main__":
    main()
