"""Kept results, solved afresh.

A store's digests tell whether a result is what was written. Whether it is *true* is asked here: its
candidates are worked out from its history, and must be as many, with the same image; then they are
searched again, by a search that knows no store.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from moo_research.division import read_history, read_left
from moo_research.errors import MemoryLimitError, MooError
from moo_research.rules import Response, Rules, response_of_id
from moo_research.search import Engine, ProgressCallback, Search
from moo_research.store import VERSION, Image, Key, Proven, Unfinished, objective_of

__all__ = ["Failure", "draw", "recheck", "recheck_unfinished"]


@dataclass(frozen=True, slots=True)
class Failure:
    """A kept result that does not hold."""

    key: Key
    proven: Proven
    reason: str


def draw(results: Sequence[tuple[Key, Proven]], number: int, seed: int) -> list[tuple[Key, Proven]]:
    """Draw so many results at random, or take all if there are no more."""
    if number >= len(results):
        return list(results)
    return random.Random(seed).sample(results, number)


def recheck(
    results: Sequence[tuple[Key, Proven]],
    *,
    threads: int = 1,
    memory: int | None = None,
    kernel: str | None = None,
    progress: ProgressCallback | None = None,
) -> list[Failure]:
    """Solve results afresh and return those that do not hold.

    Raises :class:`~moo_research.errors.MemoryLimitError` for a game that does not fit.
    """
    failures = []
    engine: Engine | None = None
    search: Search | None = None
    asked = None
    # Those of one question one after the other: they share a search, and what it remembers.
    order = sorted(
        results, key=lambda result: (result[0].rules, result[0].cost, result[1].history.count(" "))
    )
    for done, (key, proven) in enumerate(order):
        try:
            if engine is None or str(engine.rules) != key.rules:
                engine = Engine(
                    Rules.parse(key.rules), threads=threads, memory=memory, kernel=kernel
                )
            history = [
                (guess, response_of_id(answer))
                for guess, answer in read_history(engine.space, proven.history)
            ]
            if (engine, key.cost, len(history)) != asked or search is None:
                asked = engine, key.cost, len(history)
                search = engine.search(objective_of(key.cost, len(history)))
            reason = _flaw(search, history, key, proven, progress, f"{done} of {len(order)} done: ")
        except MemoryLimitError:
            raise
        except (MooError, ValueError) as error:
            reason = str(error)
        if reason:
            failures.append(Failure(key, proven, reason))
    return failures


_LARGEST = 200  # what was shown of larger sets may take as long to show again as it took


def recheck_unfinished(
    searches: Sequence[tuple[Unfinished, bytes]],
    number: int,
    seed: int,
    *,
    threads: int = 1,
    memory: int | None = None,
    kernel: str | None = None,
    progress: ProgressCallback | None = None,
) -> tuple[int, list[str]]:
    """Prove afresh so many bounds, drawn at random, of what unfinished searches have left of sets
    that are not large; return how many, and what is wrong, a line each.

    Raises :class:`~moo_research.errors.MemoryLimitError` for a game that does not fit.
    """
    failures: list[str] = []
    checked = 0
    draw = random.Random(seed)
    for search, content in searches:
        if search.version != VERSION:
            continue
        where = f"unfinished search of {search.rules}, costs {search.cost}"
        try:
            engine = Engine(
                Rules.parse(search.rules), threads=threads, memory=memory, kernel=kernel
            )
            afresh = engine.search(objective_of(search.cost, 0))
            claims: list[tuple[list[tuple[int, Response]], int | None, int]] = []
            for left in read_left(content):
                history = [(guess, response_of_id(answer)) for guess, answer in left.history]
                if len(afresh.candidates(history)) > _LARGEST:
                    continue
                claims.append((history, None, left.proven))
                claims += [(history, guess, bound) for guess, bound in left.guesses]
            for history, guess, bound in draw.sample(claims, min(number, len(claims))):
                checked += 1
                if guess is None:
                    value, _guess = afresh.solve(history, bound, progress, where)
                else:
                    value = afresh.value_of(guess, history, bound, progress, where)
                if value is not None and value < bound:
                    turns = [f"{engine.space.text(code)} {answer}" for code, answer in history]
                    failures.append(f"{where}: {' '.join(turns)} costs {value}, less than {bound}")
        except MemoryLimitError:
            raise
        except (MooError, ValueError, IndexError) as error:
            failures.append(f"{where}: {error}")
    return checked, failures


def _flaw(
    search: Search,
    history: list[tuple[int, Response]],
    key: Key,
    proven: Proven,
    progress: ProgressCallback | None,
    stage: str,
) -> str:
    """Say what is wrong with a result; nothing if it holds."""
    engine = search.engine
    codes = search.candidates(history)
    if len(codes) != key.size:
        return f"the history leaves {len(codes)} candidates, not {key.size}"
    image = Image.of(engine.rules, engine.space.codes[codes])
    if image.digest != key.image:
        return "the history leaves other candidates"
    if not proven.exact:
        # Anything below the bound would be found, and be less.
        value, _guess = search.solve(history, proven.bound, progress, stage)
        if value is not None and (proven.bound is None or value < proven.bound):
            return f"costs {value}, less than {proven.bound}"
        return ""
    value, _guess = search.solve(history, None, progress, stage)
    if value != proven.bound:
        return f"costs {value}, not {proven.bound}"
    if value is None:
        return ""
    if proven.guess is None:
        return "no guess"
    guess = engine.space.index(image.back(engine.rules.read_code(proven.guess)))
    attained = search.value_of(guess, history, value + 1, progress, stage)
    return "" if attained == value else "the guess does not attain the cost"
