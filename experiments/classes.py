"""Prove the least total of a large game class by class, for games that take hours.

In a game of distinct symbols all first guesses are alike, so the classes of the first code are the
game. The smallest comes first. What is known of each class is written to results/classes-RULES.json
and .md as soon as it is proven; a later run goes on from there, and from what the store has of
classes that were not finished (docs/store.md). A class that takes longer than ``--seconds`` is left
open, with a lower bound and the total of a strategy for it.

Once every class is proven, the tree is put together from the store and replayed on every secret.
"""

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import common
import numpy as np

from moo_research.objective import Objective
from moo_research.rules import Response, Rules, response_id, response_of_id
from moo_research.search import Engine, Progress, Search, prove
from moo_research.store import Store, default_path
from moo_research.symmetry import least_of_orbits

History = list[tuple[int, Response]]
SECOND_GUESSES = 12
"""Second guesses that are looked at for the strategy of a class that is left open."""


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


def upper_bound(engine: Engine, history: History, seconds: float) -> tuple[int | None, str | None]:
    """Return the total of a strategy for the candidates, and its next guess.

    The strategy is the best one that begins with one of a few guesses whose parts are smallest in
    the mean; of two, the one that is found in the time.
    """
    search = Search(engine, Objective.mean())
    space = engine.space
    candidates = search.candidates(history)
    least = least_of_orbits(space, [guess for guess, _ in history], [r for _, r in history])
    guesses = np.flatnonzero(least == np.arange(space.size))
    squares = []
    for guess in guesses.tolist():
        sizes = np.bincount(space.response_ids(guess, candidates)).astype(np.int64)
        squares.append(int(sizes @ sizes))
    best, chosen = None, None
    end = time.perf_counter() + seconds
    for at in np.argsort(squares, kind="stable")[:SECOND_GUESSES].tolist():
        guess = int(guesses[at])
        try:
            total = search.value_of(guess, history, best, progress=until(end))
        except TimeUp:
            break
        if total is not None and (best is None or total < best):
            best, chosen = total, guess
    if best is None or chosen is None:
        return None, None
    return best - len(candidates), space.text(chosen)


def open_class(engine: Engine, response: Response, seconds: float) -> dict[str, Any]:
    """Say what can be found out about a class in a short time; nearly nothing in none."""
    history = [(0, response)]
    began = time.perf_counter()
    total, guess = upper_bound(engine, history, seconds) if seconds else (None, None)
    return {
        "response": str(response),
        "size": len(Search(engine, Objective.mean()).candidates(history)),
        "proved": False,
        "bound": lower_bound(engine, history, seconds),
        "total": total,
        "guess": guess,
        "histogram": None,
        "seconds": round(time.perf_counter() - began, 2),
        "guesses_tried": None,
    }


def study(engine: Engine, response: Response, seconds: float, bounds: float) -> dict[str, Any]:
    """Prove what one class costs, or say what is known of it."""
    began = time.perf_counter()
    try:
        found = prove(engine, Objective.mean(), until(began + seconds), history=[(0, response)])
    except TimeUp:
        left = open_class(engine, response, bounds)
        return left | {"seconds": round(time.perf_counter() - began, 2)}
    return {
        "response": str(response),
        "size": found.codes,
        "proved": True,
        "bound": found.total,
        "total": found.total,
        "guess": found.first_guess,
        "histogram": found.histogram,
        "seconds": round(found.seconds, 2),
        "guesses_tried": found.guesses_tried,
    }


def better(new: dict[str, Any], old: dict[str, Any]) -> dict[str, Any]:
    """Put together what two runs know of a class; the time is that of all of them."""
    result = dict(new)
    result["seconds"] = round(old["seconds"] + new["seconds"], 2)
    if not new["proved"]:
        result["bound"] = max(old["bound"], new["bound"])
        if old["total"] is not None and (new["total"] is None or old["total"] < new["total"]):
            result["total"], result["guess"] = old["total"], old["guess"]
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
        "Least total of guesses after the first, by its response; one thread.\n\n"
        f"{common.table(heads, rows)}\n\n{result}\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="5x10", metavar="RULES")
    parser.add_argument("--seconds", type=float, default=600, help="time for a class (600)")
    parser.add_argument("--bounds", type=float, default=60, help="time for its bounds (60)")
    parser.add_argument("--store", type=Path, default=None, metavar="FILE")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--output", type=Path, default=common.RESULTS, metavar="DIR")
    options = parser.parse_args()
    rules = Rules.parse(options.game)
    if rules.repeats or not rules.leading_zero:
        parser.error("in this game first guesses differ; use moo solve --resume")
    name = f"classes-{rules}"
    file = options.output / f"{name}.json"
    known = {}
    if file.exists():
        known = {each["response"]: each for each in json.loads(file.read_text())["classes"]}
    with Store(options.store or default_path()) as store:
        engine = Engine(rules, threads=options.threads, store=store)
        sizes = np.bincount(engine.space.response_ids(0))
        win = response_id(Response(rules.positions, 0))
        responses = [response_of_id(i) for i in np.flatnonzero(sizes[:win]).tolist()]
        responses.sort(key=lambda response: int(sizes[response_id(response)]))
        for response in responses:
            known.setdefault(str(response), open_class(engine, response, 0))
        for response in responses:
            if known[str(response)]["proved"]:
                continue
            found = study(engine, response, options.seconds, options.bounds)
            known[str(response)] = better(found, known[str(response)])
            done = [known[str(each)] for each in responses]
            value = {"rules": str(rules), "codes": engine.space.size, "classes": done}
            common.write(options.output, name, value, report(str(rules), done, rules.size))
        if all(each["proved"] for each in known.values()):
            solution = prove(engine, Objective.mean())
            total = rules.size + sum(each["total"] for each in known.values())
            if solution.tree is None or solution.total != total:
                raise AssertionError("the classes do not add up")
            solution.tree.save(options.output / f"{rules}-mean.json.gz")


if __name__ == "__main__":
    main()
