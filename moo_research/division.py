"""A search divided into tasks, whose results last.

The top of the search runs here: sets of candidates that are too large for one task are searched
guess by guess, by the same branch and bound as in ext/search.c, with the same order, symmetry,
bounds and cutoffs. What is left are *tasks*: what do the candidates after this history cost, if it
is less than this cutoff? A task is answered by the engine here, or by whoever ``ask`` sends it to;
its answer is a cost, or a lower bound not below the cutoff, and both are kept in a
:class:`~moo_research.store.Store`, which is asked first. So a search that was stopped takes up
where it was: what was proven is looked up, and costs no more than that.

A :class:`Division` has the methods of the engine's own search (``solve``, ``tree``), so that every
objective, however it is put together, can be searched in tasks.
"""

from __future__ import annotations

import heapq
import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from moo_research import _engine
from moo_research.codes import CodeSpace
from moo_research.errors import HistoryError, StoreError, shown
from moo_research.objective import Objective
from moo_research.rules import Response, Rules, response_count, response_id, response_of_id
from moo_research.store import Costs, Image, Key, Proven, Store, costs_ahead
from moo_research.symmetry import least_of_orbits

__all__ = ["Answer", "Division", "Task", "candidates_after", "read_history", "write_history"]

INFINITE: int = _engine.INFINITE

_TASK_SIZE = 500
"""Sets of more candidates are divided."""

_LEAST_TASK_SIZE = 64
_LEAST_SIZE = 32  # smaller sets are solved as soon as they are looked up
_WORTH_SECONDS = 0.004  # what took less is not kept: to name a set takes a tenth of a millisecond
_AIM_SIZE = 24  # smaller parts are solved to the end at once
_LONG_SECONDS = 8.0  # a task that takes longer is followed by smaller ones

Turns = tuple[tuple[int, int], ...]
"""A history: numbers of guesses, ids of their responses."""


@dataclass(frozen=True, slots=True)
class Task:
    """What do the candidates after a history cost, if less than a cutoff?"""

    history: Turns
    cutoff: int


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a task."""

    bound: int
    """The least cost if it is below the cutoff, else a lower bound of it that is not."""

    guess: int
    """Number of a guess that attains a cost below the cutoff."""


@dataclass(slots=True, eq=False)
class _Level:
    """Where a set whose guesses are tried is; for display only."""

    size: int
    tried: int = 0
    settled: int = 0
    best: int = INFINITE


@dataclass(frozen=True, slots=True)
class _Known:
    bound: int
    exact: bool
    guess: int | None = None


@dataclass(slots=True)
class _Part:
    codes: np.ndarray
    history: Turns
    known: _Known


def candidates_after(space: _engine.Space, history: Sequence[tuple[int, int]]) -> np.ndarray:
    """Return the numbers of the codes that agree with a history, ascending, uint32."""
    codes = np.arange(space.codes, dtype=np.uint32)
    for guess, response in history:
        codes = codes[np.frombuffer(space.responses(guess), dtype=np.uint8)[codes] == response]
    return codes


class Division:
    """One objective's search, divided into tasks, with a store behind it.

    ``space`` and ``table`` are the game, ``search`` the engine's search for the objective, whose
    memo all tasks share; ``cost`` and ``limited`` as that search has them. ``ask`` answers a task,
    by default the engine at hand; up to ``parallel`` guesses of a set are tried at a time, and
    ``ask`` is called from as many threads and more. Sets of more than ``task_size`` candidates are
    divided; results that took less than ``worth`` seconds are not kept.
    """

    def __init__(
        self,
        space: CodeSpace,
        table: _engine.Space,
        search: _engine.Search,
        objective: Objective,
        cost: Sequence[int],
        limited: bool,
        store: Store,
        *,
        ask: Callable[[Task], Answer] | None = None,
        parallel: int = 1,
        task_size: int = _TASK_SIZE,
        worth: float = _WORTH_SECONDS,
    ) -> None:
        self.tasks = 0
        """Tasks answered so far."""
        self.longest = 0.0
        """Seconds of the task that took longest."""
        self._levels: list[_Level] = []
        self._space = space
        self._rules: Rules = space.rules
        self._text = str(space.rules)
        self._table = table
        self._search = search
        self._objective = objective
        self._cost = [int(price) for price in cost]
        self._limited = limited
        self._store = store
        self._ask = ask
        # The engine here answers one question at a time; threads of its own share the work on it.
        self._parallel = parallel if ask is not None else 1
        self._engine_lock = threading.Lock()
        self._count_lock = threading.Lock()
        self._task_size = task_size
        self._worth = worth
        # Cost above the first bound, per candidate: the mean of what was seen lately.
        self._rise = 0.0
        self._costs: dict[int, Costs] = {}
        self._sizes: dict[tuple[int, int], np.ndarray] = {}
        end = len(self._cost) if limited else self._flat_from()
        first, last = self._price(1), self._price(end)
        before = self._price(end - 1) if end > 1 else first
        # As in the engine: where the last rise decides, the question is which part is too large.
        steep = last - before > before - first
        self._largest_first = (first == last or steep) if limited else end < len(cost) and steep

    # ---- what the engine's search does ----

    def solve(
        self,
        codes: np.ndarray,
        history: Sequence[tuple[int, int]] = (),
        described: bool = True,
        cutoff: int = INFINITE,
    ) -> tuple[int, int]:
        """Return the least cost of the candidates after a history, and a guess that attains it.

        As the engine's: a cost that is not below the cutoff is only a lower bound. ``codes`` must
        be all candidates of the history. Raises :class:`moo_research._engine.Interrupted`.
        """
        assert described
        self._levels.clear()
        try:
            known = self._value(codes, tuple(history), cutoff)
        finally:
            self._store.flush(force=True)
        return known.bound, known.guess if known.guess is not None else int(codes[0])

    def tree(
        self,
        codes: np.ndarray,
        value: int,
        history: Sequence[tuple[int, int]] = (),
        described: bool = True,
    ) -> tuple[list[int], list[int], list[int]]:
        """Return a tree that attains the exact least cost: guesses, parents, responses, in
        preorder."""
        assert described
        self._levels.clear()
        guesses: list[int] = []
        parents: list[int] = []
        responses: list[int] = []

        def grow(codes: np.ndarray, history: Turns, value: int, parent: int, response: int) -> None:
            here = len(guesses)
            guess = self._best_guess(codes, history, value)
            if guess is None:
                self._ensure(self._at_once(codes, history, value + 1).bound == value)
                more, above, answers = self._search.tree(codes, value, history, True)
                guesses.extend(more)
                parents.extend([parent, *(here + i for i in above[1:])])
                responses.extend([response, *answers[1:]])
                return
            guesses.append(guess)
            parents.append(parent)
            responses.append(response)
            total, parts = self._evaluate(codes, history, guess, value + 1)
            self._ensure(total == value)
            for part in sorted(parts, key=lambda part: part.history[-1][1]):
                grow(part.codes, part.history, part.known.bound, here, part.history[-1][1])

        grow(codes, tuple(history), value, 0, 0)
        self._store.flush(force=True)
        return guesses, parents, responses

    def _ensure(self, holds: bool) -> None:
        if not holds:
            raise StoreError(
                f"{self._store.path} has a cost that cannot be attained; see moo store verify"
            )

    @property
    def levels(self) -> list[tuple[int, int, int, int, int]]:
        """Where the search is: (size, guesses tried, secrets settled, best, bound) of the set asked
        for, its part, ..., the task at hand."""
        here = [(at.size, at.tried, at.settled, at.best, 0) for at in self._levels]
        return [*here, *self._search.levels]

    # ---- sets ----

    def _value(
        self, codes: np.ndarray, history: Turns, cutoff: int, looked_up: bool = False
    ) -> _Known:
        """What a set costs: from the store, by a task, or by trying its guesses here."""
        depth, size = len(history), len(codes)
        if self._limited and depth >= len(self._cost):
            return _Known(INFINITE, True)
        if size < _LEAST_SIZE and size <= self._task_size:
            return self._at_once(codes, history, cutoff)
        found = None if looked_up else self._look_up(codes, history)
        if found is not None and (found.exact or found.bound >= cutoff):
            return found
        self._store.flush()
        began = time.perf_counter()
        if size > self._task_size:
            known = self._divide(codes, history, cutoff)
        elif self._ask is None:
            known = self._at_once(codes, history, cutoff)
        else:
            answer = self._ask(Task(history, cutoff))
            known = self._known_of(answer.bound, answer.guess, cutoff)
        seconds = time.perf_counter() - began
        if size <= self._task_size:
            with self._count_lock:
                self.tasks += 1
                self.longest = max(self.longest, seconds)
                if seconds > _LONG_SECONDS:
                    self._task_size = max(_LEAST_TASK_SIZE, size * 2 // 3)
        if seconds >= self._worth:
            self._keep(codes, history, known)
        return known

    def _at_once(self, codes: np.ndarray, history: Turns, cutoff: int) -> _Known:
        with self._engine_lock:
            bound, guess = self._search.solve(codes, history, True, cutoff)
        return self._known_of(bound, guess, cutoff)

    @staticmethod
    def _known_of(bound: int, guess: int, cutoff: int) -> _Known:
        exact = bound < cutoff or bound >= INFINITE
        return _Known(bound, exact, guess if exact and bound < INFINITE else None)

    def _divide(self, codes: np.ndarray, history: Turns, cutoff: int) -> _Known:
        """Search a set guess by guess."""
        level = _Level(len(codes), best=cutoff)
        self._levels.append(level)
        best, guess, low, done = cutoff, None, INFINITE, False
        trials = self._trials(codes, history, lambda: best)
        lock = threading.Lock()

        def run(most: float = math.inf) -> None:
            nonlocal best, guess, low, done
            while most > 0:
                most -= 1
                with lock:
                    if done:
                        return
                    bound, trial = next(trials)
                    below = best
                    if bound >= below:
                        low, done = min(low, bound), True
                        return
                total, _parts = self._evaluate(codes, history, trial, below, level)
                with lock:
                    if total < best:
                        best, guess = total, trial
                    else:
                        low = min(low, total)
                    level.tried += 1
                    level.settled = 0
                    level.best = best

        # The first guess alone: it is the best bet, and sets the cutoff for the others.
        run(1)
        self._at_a_time([run] * self._parallel if not done else [])
        self._levels.remove(level)
        if guess is not None:
            return _Known(best, True, guess)
        bound = min(max(low, cutoff), INFINITE)
        return _Known(bound, bound >= INFINITE)

    def _at_a_time(self, work: Sequence[Callable[[], object]]) -> None:
        """Do several things, at a time if tasks are answered elsewhere."""
        if self._parallel == 1 or len(work) < 2:
            for one in work:
                one()
            return
        with ThreadPoolExecutor(len(work)) as pool:
            for future in [pool.submit(one) for one in work]:
                future.result()

    def _trials(
        self, codes: np.ndarray, history: Turns, best: Callable[[], int]
    ) -> Iterator[tuple[int, int]]:
        """Yield the guesses of a set with a lower bound each, ascending.

        One of each orbit. They are ordered by how many parts they make; the sizes of the parts are
        counted when a group of equal bounds has its turn. Ends with the bound of what is left out
        because it cannot be below the best.
        """
        depth, size = len(history), len(codes)
        counts = np.frombuffer(self._table.parts(codes), dtype=np.uint8).astype(np.int64)
        member = np.zeros(len(counts), dtype=bool)
        member[codes] = True
        guesses = [guess for guess, _response in history]
        responses = [response_of_id(response) for _guess, response in history]
        least = least_of_orbits(self._space, guesses, responses)
        # A code outside that makes one part learns nothing.
        usable = (least == np.arange(len(counts))) & (member | (counts > 1))
        c1, c2, c3 = (self._price(depth + k) for k in (1, 2, 3))
        by_size = self._by_size(depth + 1, int(counts.max()))
        bounds = {}
        for k in np.unique(counts[usable]).tolist():
            for is_member in (True, False):
                bounds[is_member, k] = min(
                    _times(int(is_member), c1) + _times(k - is_member, c2) + _times(size - k, c3),
                    INFINITE,
                )
        groups = sorted((bound, not m, -k) for (m, k), bound in bounds.items())
        heap: list[tuple[int, int, int]] = []
        win = response_count(self._rules.positions) - 1
        for group_bound, outside, less in [*groups, (INFINITE, True, 0)]:
            while heap and heap[0][0] < group_bound:
                bound, _squares, guess = heapq.heappop(heap)
                yield bound, guess
            if group_bound >= best():
                break
            group = np.flatnonzero(usable & (counts == -less) & (member != outside))
            for guess in group.tolist():
                row = np.frombuffer(self._table.responses(guess), dtype=np.uint8)
                sizes = np.bincount(row[codes], minlength=win + 1)
                bound = int(by_size[sizes[:win]].sum()) + (0 if outside else c1)
                heapq.heappush(heap, (min(bound, INFINITE), int(sizes @ sizes), guess))
        yield group_bound, -1

    # ---- one guess ----

    def _evaluate(
        self,
        codes: np.ndarray,
        history: Turns,
        guess: int,
        cutoff: int,
        level: _Level | None = None,
    ) -> tuple[int, list[_Part]]:
        """Return what a set costs if a guess comes next, and its parts; a lower bound, and parts
        that are not settled, if that is not below the cutoff."""
        depth = len(history) + 1
        row = np.frombuffer(self._table.responses(guess), dtype=np.uint8)[codes]
        win = response_count(self._rules.positions) - 1
        sizes = np.bincount(row, minlength=win + 1)
        by_size = self._by_size(depth, win)
        total = won = self._price(depth) if sizes[win] else 0
        parts = []
        for response in np.flatnonzero(sizes[:win]).tolist():
            part = codes[row == response]
            known = _Known(int(by_size[len(part)]), False)
            parts.append(_Part(part, (*history, (guess, response)), known))
            total += known.bound
        parts.sort(key=lambda part: len(part.codes), reverse=self._largest_first)

        def improve(part: _Part, known: _Known) -> bool:
            """Take what is known of a part; whether the guess is refuted."""
            nonlocal total
            if known.exact or known.bound > part.known.bound:
                total += known.bound - part.known.bound
                part.known = known
            return total >= cutoff

        if total >= cutoff:
            return min(total, INFINITE), parts
        # First what is cheap: a cutoff of 0 asks for no more than the bounds.
        for part in parts:
            if self._limited and depth >= len(self._cost):
                known = _Known(INFINITE, True)
            else:
                known = replace(self._at_once(part.codes, part.history, 0), exact=False)
            if improve(part, known):
                return min(total, INFINITE), parts
        for part in parts:
            found = self._look_up(part.codes, part.history)
            if found is not None and improve(part, found):
                return min(total, INFINITE), parts
        if level is not None:
            level.settled = sum(len(part.codes) for part in parts if part.known.exact)
        if cutoff >= INFINITE and self._parallel > 1:
            # Nothing can refute the guess, so that all parts are to be settled, in any order.
            def settle(part: _Part) -> None:
                if not part.known.exact:
                    part.known = self._value(part.codes, part.history, cutoff, looked_up=True)

            self._at_a_time([partial(settle, part) for part in parts])
            total = sum(part.known.bound for part in parts) + won
            return min(total, INFINITE), parts
        # No large part is followed past what such parts use to cost before the others have been
        # brought as far: the last steps of a bound are the dearest, and often the sum is enough.
        starts = [part.known.bound for part in parts]
        for final in (True,) if self._largest_first else (False, True):
            for part, start in zip(parts, starts, strict=True):
                size = len(part.codes)
                aim = cutoff - (total - part.known.bound)
                if not final and size >= _AIM_SIZE:
                    aim = min(aim, start + int(self._rise * size))
                if part.known.exact or aim <= part.known.bound:
                    continue
                known = self._value(part.codes, part.history, aim, looked_up=True)
                if known.exact and known.bound < INFINITE and size >= _AIM_SIZE:
                    self._rise += 0.1 * ((known.bound - start) / size - self._rise)
                if improve(part, known):
                    return min(total, INFINITE), parts
                if level is not None and known.exact:
                    level.settled += size
        return total, parts

    # ---- costs ----

    def _price(self, guess: int) -> int:
        """What it costs to solve a secret at a guess."""
        if guess <= len(self._cost):
            return self._cost[guess - 1]
        return INFINITE if self._limited else self._cost[-1]

    def _flat_from(self) -> int:
        end = len(self._cost)
        while end > 1 and self._cost[end - 2] == self._cost[-1]:
            end -= 1
        return end

    def _by_size(self, depth: int, parts: int) -> np.ndarray:
        """Lower bounds of 0, 1, 2, ... candidates after ``depth`` guesses, of which no guess makes
        more than so many parts: one solved at once, one of each other part next."""
        known = self._sizes.get((depth, parts))
        if known is None:
            c1, c2, c3 = (self._price(depth + k) for k in (1, 2, 3))
            known = self._sizes[depth, parts] = np.array(
                [0]
                + [
                    min(
                        _times(1, c1)
                        + _times(min(n, parts) - 1, c2)
                        + _times(max(n - parts, 0), c3),
                        INFINITE,
                    )
                    for n in range(1, self._space.size + 1)
                ],
                dtype=np.int64,
            )
        return known

    # ---- the store ----

    def _ahead(self, depth: int) -> Costs:
        if depth not in self._costs:
            self._costs[depth] = costs_ahead(self._objective, depth)
        return self._costs[depth]

    def _look_up(self, codes: np.ndarray, history: Turns, anyway: bool = False) -> _Known | None:
        """What the store has of a set."""
        size, depth = len(codes), len(history)
        if self._limited and depth >= len(self._cost):
            return None
        costs = self._ahead(depth)
        # The engine's memo has the tasks of this search; the divided sets it does not know.
        mine = size > self._task_size or (self._ask is not None and size >= _LEAST_SIZE)
        if not (anyway or mine or self._store.knows_size(self._text, costs.text, size)):
            return None
        image = Image.of(self._rules, self._space.codes[codes])
        proven = self._store.find(Key(self._text, costs.text, image.digest, size))
        if proven is None:
            return None
        bound = costs.expand(proven.bound, size)
        guess = None
        if proven.guess is not None:
            guess = self._space.index(image.back(self._rules.read_code(proven.guess)))
        return _Known(INFINITE if bound is None else bound, proven.exact, guess)

    def _keep(self, codes: np.ndarray, history: Turns, known: _Known) -> None:
        size = len(codes)
        costs = self._ahead(len(history))
        image = Image.of(self._rules, self._space.codes[codes])
        guess = None
        if known.guess is not None:
            guess = self._rules.write_code(image.forth(self._space.codes[known.guess].tolist()))
        bound = None if known.bound >= INFINITE else costs.shrink(known.bound, size)
        self._store.keep(
            Key(self._text, costs.text, image.digest, size),
            Proven(write_history(self._space, history), bound, known.exact, guess),
        )

    def _best_guess(self, codes: np.ndarray, history: Turns, value: int) -> int | None:
        known = self._look_up(codes, history, anyway=True)
        if known is None and len(codes) > self._task_size:
            known = self._value(codes, history, value + 1)
        if known is None or not known.exact or known.bound != value:
            return None
        return known.guess


def _times(count: int, price: int) -> int:
    """So many secrets at that price each; none at a price that cannot be had cost nothing."""
    return 0 if count == 0 else INFINITE if price >= INFINITE else count * price


def write_history(space: CodeSpace, history: Turns) -> str:
    """Write a history: ``0123 0B1C 1456 0B1C``."""
    return " ".join(f"{space.text(guess)} {response_of_id(answer)}" for guess, answer in history)


def read_history(space: CodeSpace, text: str) -> Turns:
    """Read what :func:`write_history` wrote. Raises :class:`~moo_research.errors.MooError`."""
    words = text.split()
    if len(words) % 2:
        raise HistoryError(f"a history pairs guesses and responses, and {shown(text)} does not")
    return tuple(
        (space.index(guess), response_id(Response.parse(answer, space.rules.positions)))
        for guess, answer in zip(words[::2], words[1::2], strict=True)
    )
