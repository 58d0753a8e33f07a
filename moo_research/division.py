"""A search divided into tasks, whose results last.

The top of the search runs here: sets of candidates that are too large for one task are searched
guess by guess, by the same branch and bound as in ext/search.c, with the same order, symmetry,
bounds and cutoffs. What is left are *tasks*: what do the candidates after this history cost, if it
is less than this cutoff? A task is answered by the engine here, or by whoever ``ask`` sends it to;
its answer is a cost, or a lower bound not below the cutoff, and both are kept in a
:class:`~moo_research.store.Store`, which is asked first. So a search that was stopped takes up
where it was: what was proven is looked up, and costs no more than that.

The engine notes what it proves of the sets that took it longest while it is at work, and that is
kept as it comes. It begins with what was kept before in its memo. So where all is answered here no
set is divided but those that the engine has no room for, and little more is lost by a crash than
the seconds since something was kept last.

If tasks are answered elsewhere, many are under way at a time. All parts of the first guess of a set
are needed, in any order; then several guesses are tried at a time, a few to a task; and where
hands are idle, the parts of one guess are settled at a time. Work that has become needless is
dropped: the other parts of a guess that one part has refuted, guesses whose bound is no longer
below the best. When a better guess is found, the cutoffs of what is under way fall. What takes too
long is given back and divided further.

A :class:`Division` has the methods of the engine's own search (``solve``, ``tree``), so that every
objective, however it is put together, can be searched in tasks.
"""

from __future__ import annotations

import heapq
import threading
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from moo_research import _engine
from moo_research.codes import CodeSpace
from moo_research.errors import HistoryError, StoreError, shown
from moo_research.objective import Objective
from moo_research.rules import Response, Rules, response_count, response_id, response_of_id
from moo_research.store import (
    Costs,
    Image,
    Key,
    Notes,
    Proven,
    Store,
    Unfinished,
    costs_ahead,
)
from moo_research.symmetry import least_of_orbits

__all__ = [
    "Answer",
    "Division",
    "Dropped",
    "Question",
    "Task",
    "candidates_after",
    "pack_left",
    "read_history",
    "read_left",
    "write_history",
]

INFINITE: int = _engine.INFINITE
INFINITE_TIME = float("inf")

_TASK_SIZE = 1000
"""Sets of more candidates are divided, where tasks are answered elsewhere."""

_LEAST_SIZE = 32  # smaller sets are solved as soon as they are looked up
_WORTH_SECONDS = 0.004  # what took less is not kept: to name a set takes a tenth of a millisecond
_AIM_SIZE = 24  # smaller parts are solved to the end at once
# Sets that took so much are kept: some 25 ms, as the engine counts work; less in games of more
# codes, where it takes longer.
_NOTED_WORK, _NOTED_CODES = 2000, 15_000
_NOTE_SECONDS = 1.0  # between one look at what is noted and the next
_STATE_SECONDS = 2.0  # between one look at what would be lost and the next; or more, so that it
_STATE_SHARE = 0.01  # takes no more than this part of the time
_MOST_STATE_SECONDS = 20.0  # but that it is done so often in any case
_DEEPEST = 10  # sets after more guesses are hardly worth keeping
_LEAST_ASKED = 200  # smaller sets are mostly solved in less time than it takes to ask
_BATCH_SECONDS = 0.3  # as many guesses are tried by one task
_GUESS_SECONDS = 6.0  # a guess that takes longer is divided into its parts
_HURRY_SECONDS = 4.0  # the same where others have nothing to do
_MOST_GUESSES = 100
_HOPEFUL = 4  # so many guesses of a set often better the first
_STACK_BYTES = 16 << 20  # address space, not memory; for sets that are solved here

# Who has help first: what is needed in any case, then guesses, then the parts of one guess; among
# these the shortest history.
_NEEDED, _GUESSES, _PARTS = 0, 100, 200

Turns = tuple[tuple[int, int], ...]
"""A history: numbers of guesses, ids of their responses."""


@dataclass(frozen=True, slots=True)
class Task:
    """What do the candidates after a history cost, if less than a cutoff?"""

    history: Turns
    cutoff: int

    guesses: tuple[int, ...] = ()
    """If there are any: what do they cost if this guess comes next, or that?"""

    known: tuple[tuple[Key, Proven], ...] = ()
    """What is known of parts of these guesses."""

    seconds: float = INFINITE_TIME
    """Guesses that are not through by then are left out of the answer."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a task."""

    bounds: tuple[int, ...]
    """The cost of the candidates, or of each guess in turn: the least if it is below the cutoff and
    all before it, else a lower bound of it that is not. Those left out took too long."""

    cutoff: int
    """The cutoff that was kept to; it may have fallen meanwhile."""

    guess: int = 0
    """Number of a guess that attains the cost of the candidates, if that is below the cutoff."""

    proven: tuple[tuple[Key, Proven], ...] = ()
    """What was proven on the way, to be kept."""

    counts: tuple[tuple[str, int], ...] = ()
    """What the search has counted."""

    seconds: float = 0.0
    """How long it took."""


class Question(Protocol):
    """A task that somebody was asked to answer."""

    def answer(self) -> Answer:
        """Wait for the answer and return it. Raises :class:`Dropped`."""

    def drop(self) -> None:
        """Say that it need not be answered any more, from any thread."""

    def lower(self, by: int) -> None:
        """Say that the cutoff has fallen, from any thread; that need not be heard."""


class Dropped(Exception):
    """The question is not to be answered any more."""


class _Late(Exception):
    """What was asked takes too long."""


class _Scope:
    """Work that is dropped together: questions, and scopes of work within."""

    def __init__(self, around: _Scope | None = None, cutoff: int | None = None) -> None:
        self.over = False
        self.fallen = 0
        """By how much the cutoff has fallen since the work began."""
        self._cutoff = cutoff
        self._lock = threading.Lock()
        self._open: set[Question | _Scope] = set()
        self._around = around
        if around is not None:
            around.add(self)

    def add(self, one: Question | _Scope) -> None:
        """Take something in; raises Dropped if this is over."""
        with self._lock:
            if not self.over:
                self._open.add(one)
                return
        one.drop()
        raise Dropped

    def remove(self, one: Question | _Scope) -> None:
        """Let go of something that has ended."""
        with self._lock:
            self._open.discard(one)

    def close(self) -> None:
        """Tell the scope around that this has ended."""
        if self._around is not None:
            self._around.remove(self)

    def drop(self) -> None:
        """Drop everything within."""
        with self._lock:
            self.over = True
            dropped, self._open = self._open, set()
        for one in dropped:
            one.drop()

    def lower_to(self, cutoff: int) -> None:
        """Let the cutoff that this began with fall."""
        assert self._cutoff is not None
        by = self._cutoff - self.fallen - cutoff
        if by > 0:
            self.lower(by)

    def lower(self, by: int) -> None:
        """Let the cutoffs of all questions within fall, but not of those that a set within asks:
        it has found a best guess of its own perhaps."""
        self.fallen += by
        self.tell(by)

    def tell(self, by: int) -> None:
        """Let the cutoffs fall of what is under way at the moment."""
        with self._lock:
            told = list(self._open)
        for one in told:
            if not isinstance(one, _Scope) or one._cutoff is None:
                one.lower(by)


@dataclass(slots=True, eq=False)
class _Group:
    """Work that several threads may do together."""

    step: Callable[[], bool]
    rank: int
    helpers: int = 0
    open: bool = True
    failure: BaseException | None = None


class _Crew:
    """Threads that search: at most so many are at work at a time, wherever in the search there is
    work to share; those that wait for others do not count."""

    def __init__(self, size: Callable[[], int] | None) -> None:
        self._size = size or (lambda: 1)
        self._alone = size is None
        self._ready = threading.Condition()
        self._groups: list[_Group] = []
        self._active = 1
        self._returning = 0
        """Threads whose helpers are done, and that are to go on before others begin."""

    @property
    def spare(self) -> bool:
        """Whether somebody could help."""
        return self._active + self._returning < self._size()

    def together(self, step: Callable[[], bool], rank: int) -> None:
        """Call ``step`` until it returns false, from this thread and any that is free.

        Those of the least rank have help first. Returns when all calls have; raises what one has.
        """
        if self._alone:
            while step():
                pass
            return
        group = _Group(step, rank)
        with self._ready:
            self._groups.append(group)
            self._hire()
        self._work(group)
        with self._ready:
            self._active -= 1
            self._hire()
            self._ready.notify_all()
            self._ready.wait_for(lambda: not group.helpers)
            self._returning += 1
            self._ready.wait_for(lambda: self._active < self._size())
            self._returning -= 1
            self._active += 1
        if group.failure is not None:
            raise group.failure

    def _work(self, group: _Group, helper: bool = False) -> None:
        try:
            while group.open and group.step():
                if helper and self._returning:
                    return
        except BaseException as error:
            # Others are dropped because something went wrong, which is what is to be told.
            if group.failure is None or isinstance(group.failure, Dropped):
                group.failure = error
        with self._ready:
            if group.open:
                group.open = False
                self._groups.remove(group)

    def _hire(self) -> None:
        """Start as many threads as may work; under lock."""
        while self._groups and self.spare:
            self._active += 1
            group = self._next()
            before = threading.stack_size(_STACK_BYTES)  # some systems give very little
            try:
                threading.Thread(target=self._help, args=(group,), daemon=True).start()
            finally:
                threading.stack_size(before)

    def _next(self) -> _Group:
        group = min(self._groups, key=lambda group: group.rank)
        group.helpers += 1
        return group

    def _help(self, group: _Group) -> None:
        while True:
            self._work(group, helper=True)
            with self._ready:
                group.helpers -= 1
                self._active -= 1
                self._ready.notify_all()
                if not self._groups or not self.spare:
                    return
                self._active += 1
                group = self._next()
                self._hire()


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


@dataclass(slots=True)
class _Split:
    """The parts that a guess makes, and what they cost together at least."""

    total: int
    parts: list[_Part] = field(default_factory=list)

    @property
    def exact(self) -> bool:
        """Whether that is what they cost."""
        return all(part.known.exact for part in self.parts) and self.total < INFINITE

    def improve(self, part: _Part, known: _Known) -> None:
        """Take what is known of a part."""
        if known.exact or known.bound > part.known.bound:
            # Each is finite, or there is no more to be said.
            self.total = min(self.total + known.bound - part.known.bound, INFINITE)
            part.known = known


@dataclass(frozen=True, slots=True)
class _Trial:
    """A guess to be tried."""

    bound: int
    """What it costs at least."""

    guess: int
    largest: int
    """Candidates of the largest part that it makes."""


def candidates_after(space: _engine.Space, history: Sequence[tuple[int, int]]) -> np.ndarray:
    """Return the numbers of the codes that agree with a history, ascending, uint32."""
    codes = np.arange(space.codes, dtype=np.uint32)
    for guess, response in history:
        codes = codes[np.frombuffer(space.responses(guess), dtype=np.uint8)[codes] == response]
    return codes


class Division:
    """One objective's search, divided into tasks, with a store behind it.

    ``space`` and ``table`` are the game, ``search`` the engine's search for the objective, whose
    memo all tasks share; ``cost`` and ``limited`` as that search has them. ``ask`` sends a task to
    somebody, by default the engine at hand; then up to ``parallel`` tasks are under way at a time
    (if that is a function, as many as it says at the time), and ``ask`` is called from as many
    threads. Sets of more than ``task_size`` candidates are divided at once, and those that take too
    long; results that took less than ``worth`` seconds are not kept.
    """

    def __init__(
        self,
        space: CodeSpace,
        table: _engine.Space,
        search: _engine.Search,
        objective: Objective,
        cost: Sequence[int],
        limited: bool,
        store: Store | Notes,
        *,
        ask: Callable[[Task], Question] | None = None,
        parallel: int | Callable[[], int] = 1,
        task_size: int | None = None,
        worth: float = _WORTH_SECONDS,
        noted: int | None = None,
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
        if ask is None:
            self._crew = _Crew(None)
        else:
            self._crew = _Crew(parallel if callable(parallel) else lambda: parallel)
        self._scope = _Scope()
        self._late = INFINITE_TIME
        self._guess_seconds = _BATCH_SECONDS  # what a guess takes lately
        self._counts: Counter[str] = Counter()
        self._kept_sizes: set[tuple[str, int]] = set()
        self._engine_lock = threading.Lock()
        self._stop_lock = threading.Lock()
        self._count_lock = threading.Lock()
        self._leaving = threading.Lock()
        self._under_way: Unfinished | None = None
        # A set of more candidates than the table of responses may have rows is divided in any case.
        self._task_size = min(
            task_size or (space.size if ask is None else _TASK_SIZE), table.most_rows
        )
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
        less = min(1.0, _NOTED_CODES / space.size)
        search.note(max(1, int(_NOTED_WORK * less)) if noted is None else noted)
        if ask is None:
            self._tell(store.about(self._text, {self._ahead(d).text for d in self._depths()}))

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
        with self._keeping(tuple(history)):
            known = self._value(codes, tuple(history), cutoff, self._scope)
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
            split = self._evaluate(codes, history, guess, value + 1, self._scope)
            self._ensure(split.exact and split.total == value)
            for part in sorted(split.parts, key=lambda part: part.history[-1][1]):
                grow(part.codes, part.history, part.known.bound, here, part.history[-1][1])

        with self._keeping(None):
            grow(codes, tuple(history), value, 0, 0)
        return guesses, parents, responses

    def answer(self, task: Task) -> Answer:
        """Answer a task of another division of the same search, that has asked elsewhere: here."""
        notes = self._store
        assert isinstance(notes, Notes) and self._ask is None
        before, began = self._search.stats, time.perf_counter()
        new = [(key, proven) for key, proven in task.known if proven.beats(notes.known(key))]
        for key, proven in task.known:
            notes.add(key, proven)
        self._tell(new)
        codes = candidates_after(self._table, task.history)
        bounds, guess, cutoff = [], 0, task.cutoff
        if not task.guesses:
            known = self._solved(codes, task.history, cutoff, self._scope)
            bounds, guess = [known.bound], known.guess or 0
        self._late = time.monotonic() + task.seconds
        try:
            for trial in task.guesses:
                total = self._followed(codes, task.history, trial, cutoff)
                bounds.append(total)
                if total < cutoff:
                    cutoff = total
                    self._note_parts(codes, task.history, trial, total)
        except _Late:
            pass
        finally:
            self._late = INFINITE_TIME
        self._keep_notes()
        after = self._search.stats
        return Answer(
            tuple(bounds),
            task.cutoff,
            guess,
            tuple(notes.take().items()),
            tuple((name, count - before[name]) for name, count in after.items()),
            time.perf_counter() - began,
        )

    def gave_up(self, task: Task) -> Answer:
        """Return the answer to a task whose :meth:`answer` was interrupted: what was proven."""
        notes = self._store
        assert isinstance(notes, Notes)
        self._keep_notes()
        return Answer((), task.cutoff, proven=tuple(notes.take().items()))

    def interrupt(self) -> None:
        """End whatever this search is doing."""
        self._leave()
        with self._stop_lock:
            self._scope.drop()
            self._search.interrupt()

    def resume(self) -> None:
        """Search again after :meth:`interrupt`, once that has ended all."""
        self._scope = _Scope()
        self._search.resume()

    @property
    def stats(self) -> dict[str, int]:
        """What was counted here, and by those who have answered tasks."""
        with self._count_lock:
            return {name: n + self._counts[name] for name, n in self._search.stats.items()}

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
        self, codes: np.ndarray, history: Turns, cutoff: int, scope: _Scope, looked_up: bool = False
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
        return self._solved(codes, history, cutoff, scope)

    def _solved(self, codes: np.ndarray, history: Turns, cutoff: int, scope: _Scope) -> _Known:
        """What a set costs, that the store has nothing of; it is kept."""
        size = len(codes)
        began, waited = time.perf_counter(), 0.0
        if size > self._task_size:
            known = self._divide(codes, history, cutoff, scope)
        elif self._ask is None or size < min(_LEAST_ASKED, self._task_size):
            known = self._at_once(codes, history, cutoff)
        else:
            answer = self._asked(Task(history, cutoff), scope)
            waited = time.perf_counter() - began - answer.seconds
            if answer.bounds:
                known = self._known_of(answer.bounds[0], answer.guess, min(cutoff, answer.cutoff))
            else:
                known = self._divide(codes, history, cutoff, scope)
        seconds = time.perf_counter() - began - waited
        if size <= self._task_size and self._ask is None:
            self.tasks += 1
            self.longest = max(self.longest, seconds)
        if seconds >= self._worth:
            self._keep(codes, history, known)
        return known

    def _asked(self, task: Task, scope: _Scope) -> Answer:
        """Have a task answered elsewhere, and keep what was proven there."""
        assert self._ask is not None
        if scope.over:
            raise Dropped
        question = self._ask(task)
        scope.add(question)
        try:
            answer = question.answer()
        except Dropped:
            raise
        except BaseException:
            self._scope.drop()  # nobody else need go on
            raise
        finally:
            scope.remove(question)
        for key, proven in answer.proven:
            self._store.keep(key, proven)
            self._kept_sizes.add((key.cost, key.size))
        with self._count_lock:
            self._counts.update(dict(answer.counts))
            self.tasks += 1
            self.longest = max(self.longest, answer.seconds)
        return answer

    def _at_once(self, codes: np.ndarray, history: Turns, cutoff: int) -> _Known:
        with self._engine_lock:
            bound, guess = self._search.solve(codes, history, True, cutoff)
        return self._known_of(bound, guess, cutoff)

    @contextmanager
    def _no_longer(self, seconds: float) -> Iterator[None]:
        """Raise _Late in what the engine does within, once it has taken so long."""
        late = threading.Event()

        def stop() -> None:
            late.set()
            self._search.interrupt()

        watch = threading.Timer(max(0.0, min(seconds, threading.TIMEOUT_MAX)), stop)
        watch.daemon = True
        watch.start()
        try:
            yield
        except _engine.Interrupted:
            if not late.is_set() or self._scope.over:
                raise
            raise _Late from None
        finally:
            watch.cancel()
            watch.join()
            with self._stop_lock:  # or an interrupt in between would be forgotten
                if late.is_set() and not self._scope.over:
                    self._search.resume()

    def _followed(self, codes: np.ndarray, history: Turns, guess: int, cutoff: int) -> int:
        """What a set costs if a guess comes next; _Late if that cannot be found out in time."""
        with self._no_longer(self._late - time.monotonic()), self._engine_lock:
            return self._search.value_of(guess, codes, history, True, cutoff)

    def _note_parts(self, codes: np.ndarray, history: Turns, guess: int, total: int) -> None:
        """Note what the parts of the best guess so far cost, or the tree would have to find out."""
        for part in self._evaluate(codes, history, guess, total + 1, self._scope).parts:
            if part.known.exact and len(part.codes) >= _LEAST_SIZE:
                self._keep(part.codes, part.history, part.known)

    @staticmethod
    def _known_of(bound: int, guess: int, cutoff: int) -> _Known:
        exact = bound < cutoff or bound >= INFINITE
        return _Known(bound, exact, guess if exact and bound < INFINITE else None)

    def _divide(self, codes: np.ndarray, history: Turns, cutoff: int, scope: _Scope) -> _Known:
        """Search a set guess by guess."""
        level = _Level(len(codes), best=cutoff)
        self._levels.append(level)
        best, guess, low, done = cutoff, None, INFINITE, False
        trials = self._trials(codes, history, lambda: best)
        held: list[_Trial] = []
        under_way: dict[_Scope, _Trial] = {}
        lock = threading.Lock()
        rise = self._price(len(history) + 2) - self._price(len(history) + 1)
        less = len(codes) * rise // 100 if rise < INFINITE // len(codes) else 0

        def next_trials() -> list[_Trial]:
            """Take one that is divided here, or a few for a task; none if there are no more."""
            nonlocal low, done
            taken: list[_Trial] = []
            most = self._batch() if level.tried else 1
            while len(taken) < most and not done:
                trial = held.pop() if held else next(trials)
                if trial.bound >= best:
                    low, done = min(low, trial.bound), True
                elif taken and trial.largest > self._task_size:
                    held.append(trial)
                    break
                else:
                    taken.append(trial)
                    if trial.largest > self._task_size:
                        break
            return taken

        def settle(trial: _Trial, total: int, exact: bool) -> bool:
            """Take what a guess costs, or that at least; whether that is enough."""
            nonlocal best, guess, low
            if exact and total < best:
                best, guess = total, trial.guess
                for other, first in under_way.items():
                    if first.bound >= best:
                        other.drop()
                    else:
                        other.lower_to(best)
            elif total >= best:
                low = min(low, total)
            else:
                return False
            level.tried += 1
            level.settled = 0
            level.best = best
            return True

        def step() -> bool:
            with lock:
                if scope.over:
                    raise Dropped
                taken = next_trials()
            again = False
            while taken:
                with lock:
                    cutoff = best
                    if under_way and level.tried < _HOPEFUL and not again:
                        # The best is likely to fall a little yet, and then that is enough.
                        cutoff -= less
                    here = _Scope(scope, cutoff)
                    under_way[here] = taken[0]
                try:
                    totals = self._try(codes, history, taken, cutoff, here, level)
                except Dropped:
                    if scope.over:
                        raise
                    totals = [(trial.bound, False) for trial in taken]  # none below the best
                finally:
                    with lock:
                        del under_way[here]
                    here.close()
                with lock:
                    for total, exact in totals:
                        if not settle(taken[0], total, exact):
                            again = True
                            break
                        del taken[0]
            return not done

        try:
            # The first guess alone: it is the best bet, and sets the cutoff for the others.
            if step():
                self._crew.together(step, len(history) + _GUESSES)
        finally:
            self._levels.remove(level)
        if guess is not None:
            return _Known(best, True, guess)
        bound = min(max(low, cutoff), INFINITE)
        return _Known(bound, bound >= INFINITE)

    def _batch(self) -> int:
        """How many guesses one task tries."""
        if self._ask is None or self._crew.spare:
            return 1
        return max(1, min(_MOST_GUESSES, int(_BATCH_SECONDS / max(self._guess_seconds, 1e-4))))

    def _try(
        self,
        codes: np.ndarray,
        history: Turns,
        trials: Sequence[_Trial],
        cutoff: int,
        scope: _Scope,
        level: _Level,
    ) -> list[tuple[int, bool]]:
        """Return what a set costs if this guess comes next, or that; at least of the first.

        It is exact if it is below the cutoff and all before it, else a lower bound.
        """
        if self._ask is None or trials[0].largest > self._task_size:
            split = self._evaluate(codes, history, trials[0].guess, cutoff, scope, level)
            return [(split.total, split.exact)]
        known: dict[Key, Proven] = {}
        guesses: list[int] = []
        for trial in trials:
            split = self._split(codes, history, trial.guess)
            for part in split.parts:
                found = self._find(part.codes, part.history)
                if found is not None:
                    known[found[0]] = found[1]
                    split.improve(part, self._read(part.codes, len(part.history), found[1]))
            if split.total >= cutoff:
                if not guesses:
                    return [(split.total, split.exact)]
                break
            guesses.append(trial.guess)
        seconds = _HURRY_SECONDS if self._crew.spare else _GUESS_SECONDS
        task = Task(history, cutoff, tuple(guesses), tuple(known.items()), seconds)
        answer = self._asked(task, scope)
        each = answer.seconds / max(1, len(answer.bounds))
        self._guess_seconds += 0.2 * (each - self._guess_seconds)
        if not answer.bounds:
            # It takes long, so its parts are worth a task each; what is known of them is kept.
            split = self._evaluate(codes, history, guesses[0], cutoff, scope, level)
            return [(split.total, split.exact)]
        below, totals = min(cutoff, answer.cutoff), []
        for bound in answer.bounds:
            totals.append((bound, bound < below))
            below = min(below, bound)
        return totals

    def _counts_of_parts(self, codes: np.ndarray, guesses: np.ndarray) -> np.ndarray:
        """Return how many parts each code makes of a set; where the rows of the table for the set
        do not fit, only of those codes that are among the guesses, a mask."""
        if len(codes) <= self._table.most_rows:
            return np.frombuffer(self._table.parts(codes), dtype=np.uint8).astype(np.int64)
        counts = np.zeros(len(guesses), dtype=np.int64)
        asked = np.flatnonzero(guesses)
        counts[asked] = np.count_nonzero(self._sizes_of_parts(codes, asked), axis=1)
        return counts

    def _sizes_of_parts(self, codes: np.ndarray, guesses: np.ndarray) -> np.ndarray:
        """Return the sizes of the parts that guesses make of a set: shape (guesses, responses)."""
        responses = response_count(self._rules.positions)
        if len(codes) <= self._table.most_rows:
            counted = self._table.sizes(codes, guesses.astype(np.uint32))
            return np.frombuffer(counted, dtype=np.uint32).reshape(-1, responses).astype(np.int64)
        sizes = np.zeros((len(guesses), responses), dtype=np.int64)
        for i, guess in enumerate(guesses.tolist()):
            row = np.frombuffer(self._table.responses(guess), dtype=np.uint8)
            sizes[i] = np.bincount(row[codes], minlength=responses)
        return sizes

    def _trials(
        self, codes: np.ndarray, history: Turns, best: Callable[[], int]
    ) -> Iterator[_Trial]:
        """Yield the guesses of a set with a lower bound each, ascending.

        One of each orbit. They are ordered by how many parts they make; the sizes of the parts are
        counted when a group of equal bounds has its turn. Ends with the bound of what is left out
        because it cannot be below the best.
        """
        depth, size = len(history), len(codes)
        member = np.zeros(self._space.size, dtype=bool)
        member[codes] = True
        guesses = [guess for guess, _response in history]
        responses = [response_of_id(response) for _guess, response in history]
        least = least_of_orbits(self._space, guesses, responses) == np.arange(len(member))
        counts = self._counts_of_parts(codes, least)
        # A code outside that makes one part learns nothing.
        usable = least & (member | (counts > 1))
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
        heap: list[tuple[int, int, int, int]] = []
        win = response_count(self._rules.positions) - 1
        for group_bound, outside, less in [*groups, (INFINITE, True, 0)]:
            while heap and heap[0][0] < group_bound:
                bound, _squares, guess, largest = heapq.heappop(heap)
                yield _Trial(bound, guess, largest)
            if group_bound >= best():
                break
            group = np.flatnonzero(usable & (counts == -less) & (member != outside))
            sizes = self._sizes_of_parts(codes, group)
            bounds_of_group = by_size[sizes[:, :win]].sum(axis=1) + (0 if outside else c1)
            for trial in zip(
                np.minimum(bounds_of_group, INFINITE).tolist(),
                (sizes**2).sum(axis=1).tolist(),
                group.tolist(),
                sizes[:, :win].max(axis=1).tolist(),
                strict=True,
            ):
                heapq.heappush(heap, trial)
        while True:
            yield _Trial(group_bound, -1, 0)

    # ---- one guess ----

    def _split(self, codes: np.ndarray, history: Turns, guess: int) -> _Split:
        """Split a set by a guess, with the bounds that the sizes of its parts give."""
        depth = len(history) + 1
        row = np.frombuffer(self._table.responses(guess), dtype=np.uint8)[codes]
        win = response_count(self._rules.positions) - 1
        sizes = np.bincount(row, minlength=win + 1)
        by_size = self._by_size(depth, win)
        split = _Split(self._price(depth) if sizes[win] else 0)
        for response in np.flatnonzero(sizes[:win]).tolist():
            part = codes[row == response]
            known = _Known(int(by_size[len(part)]), False)
            split.parts.append(_Part(part, (*history, (guess, response)), known))
            split.total = min(split.total + known.bound, INFINITE)
        split.parts.sort(key=lambda part: len(part.codes), reverse=self._largest_first)
        return split

    def _evaluate(
        self,
        codes: np.ndarray,
        history: Turns,
        guess: int,
        cutoff: int,
        scope: _Scope,
        level: _Level | None = None,
    ) -> _Split:
        """Return what a set costs if a guess comes next: exact if it is below the cutoff, else a
        lower bound."""
        depth = len(history) + 1
        split = self._split(codes, history, guess)
        parts = split.parts
        # First what is cheap: a cutoff of 0 asks for no more than the bounds.
        for part in parts:
            if split.total >= cutoff:
                return split
            if self._limited and depth >= len(self._cost):
                split.improve(part, _Known(INFINITE, True))
            elif len(codes) <= self._table.most_rows:
                known = replace(self._at_once(part.codes, part.history, 0), exact=False)
                split.improve(part, known)
        for part in parts:
            if split.total >= cutoff:
                return split
            found = self._look_up(part.codes, part.history)
            if found is not None:
                split.improve(part, found)
        if level is not None:
            level.settled = sum(len(part.codes) for part in parts if part.known.exact)
        # No large part is followed past what such parts use to cost before the others have been
        # brought as far: the last steps of a bound are the dearest, and often the sum is enough.
        # Where all parts are needed in any case, and may be settled at a time, that is no gain.
        needed = cutoff >= INFINITE and self._ask is not None
        starts = {part.history: part.known.bound for part in parts}
        lock = threading.Lock()
        here = _Scope(scope)

        def settle(final: bool, left: Iterator[_Part]) -> bool:
            if time.monotonic() >= self._late:
                for each in parts:  # whoever asked will go on from there
                    better = each.known.exact or each.known.bound > starts[each.history]
                    if better and len(each.codes) >= _LEAST_ASKED:
                        self._keep(each.codes, each.history, each.known)
                raise _Late
            with lock:
                part = next(left, None)
                if part is None:
                    return False
                size, start = len(part.codes), starts[part.history]
            while True:
                with lock:
                    below = cutoff - here.fallen
                    if split.total >= below:
                        return False
                    aim = below - (split.total - part.known.bound)
                    if not final and size >= _AIM_SIZE:
                        aim = min(aim, start + int(self._rise * size))
                    # Again if what was asked has kept to a cutoff that fell too far.
                    if part.known.exact or aim <= part.known.bound:
                        return True
                known = self._value(part.codes, part.history, aim, here, looked_up=True)
                with lock:
                    if known.exact and known.bound < INFINITE and size >= _AIM_SIZE:
                        self._rise += 0.1 * ((known.bound - start) / size - self._rise)
                    before = split.total
                    split.improve(part, known)
                    # That much less is left to the others.
                    here.tell(split.total - before)
                    if level is not None and known.exact:
                        level.settled += size
                    refuted = split.total >= cutoff - here.fallen
                if refuted:
                    here.drop()
                    return False

        try:
            for final in (True,) if self._largest_first or needed else (False, True):
                largest_first = sorted(parts, key=lambda part: -len(part.codes))
                left = iter(largest_first if needed else parts)
                rank = len(history) + (_NEEDED if needed else _PARTS)
                self._crew.together(lambda: settle(final, left), rank)  # noqa: B023
                if split.total >= cutoff - here.fallen:
                    break
        except Dropped:
            if scope.over or split.total < cutoff - here.fallen:
                raise
        finally:
            here.close()
        return split

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

    @contextmanager
    def _keeping(self, history: Turns | None) -> Iterator[None]:
        """Keep what the engine notes while something is searched within; and if that is what comes
        after a history, take over what an earlier search has left, and leave it in turn."""
        if history is not None and self._ask is None:
            self._under_way = Unfinished(
                self._text, self._objective.text, write_history(self._space, history)
            )
            for content in self._store.take_over(self._under_way):
                try:
                    self._search.leave(zlib.decompress(content))
                except (ValueError, zlib.error):
                    raise StoreError(
                        f"{self._store.path} has an unfinished search that cannot be read;"
                        " moo store list tells which"
                    ) from None
        over = threading.Event()

        def keep() -> None:
            left = time.monotonic()
            patience = _STATE_SECONDS
            while not over.wait(_NOTE_SECONDS):
                began = time.monotonic()
                if began - left >= patience:
                    took = self._leave()
                    left = time.monotonic()
                    patience = min(max(_STATE_SECONDS, took / _STATE_SHARE), _MOST_STATE_SECONDS)
                self._keep_notes()
                self._store.flush()

        watch = threading.Thread(target=keep, daemon=True)
        watch.start()
        try:
            yield
            self._keep_notes()
            # What was left goes when all that came of it is there.
            if self._store.flush(force=True):
                with self._leaving:
                    if self._under_way is not None:
                        self._search.leave_nothing()
                        self._store.leave(self._under_way, None)
        finally:
            with self._leaving:
                self._under_way = None
            over.set()
            watch.join()
            self._keep_notes()
            self._store.flush(force=True)

    def _leave(self) -> float:
        """Keep what would be lost, besides the notes, if the search were interrupted now; return
        the seconds that it took to put it together."""
        with self._leaving:
            began = time.perf_counter()
            left = b"" if self._under_way is None else self._search.left()
            content = pack_left(left)
            took = time.perf_counter() - began
            if self._under_way is not None and left:
                self._store.leave(self._under_way, content)
            return took

    def _keep_notes(self) -> None:
        """Keep what the engine has noted lately."""
        for history, bound, guess in self._search.notes():
            known = _Known(bound, guess is not None or bound >= INFINITE, guess)
            self._keep(self._candidates(history), history, known)

    def _candidates(self, history: Turns) -> np.ndarray:
        """Return the candidates after a history, also while the engine works."""
        if self._table.most_rows >= self._space.size:
            return candidates_after(self._table, history)
        codes = None
        for guess, response in history:
            codes = self._space.consistent(guess, response_of_id(response), codes)
        return np.arange(self._space.size) if codes is None else codes

    def _tell(self, results: Iterable[tuple[Key, Proven]]) -> None:
        """Have the engine remember what was proven before."""
        depths: dict[str, list[int]] = {}
        for depth in self._depths():
            depths.setdefault(self._ahead(depth).text, []).append(depth)
        for key, proven in results:
            codes = self._candidates(read_history(self._space, proven.history)).astype(np.uint32)
            # Where all steps are equal, the engine does not mind the depth.
            for depth in depths[key.cost][: 1 if len(depths) == 1 else None]:
                known = self._read(codes, depth, proven)
                self._search.tell(codes, depth, known.bound, known.guess if known.exact else None)

    def _depths(self) -> range:
        """How many guesses may have been made before something that is kept; as a rule."""
        return range(len(self._cost) if self._limited else min(len(self._cost), _DEEPEST))

    def _ahead(self, depth: int) -> Costs:
        if depth not in self._costs:
            self._costs[depth] = costs_ahead(self._objective, depth)
        return self._costs[depth]

    def _look_up(self, codes: np.ndarray, history: Turns, anyway: bool = False) -> _Known | None:
        """What the store has of a set."""
        found = self._find(codes, history, anyway)
        return None if found is None else self._read(codes, len(history), found[1])

    def _find(
        self, codes: np.ndarray, history: Turns, anyway: bool = False
    ) -> tuple[Key, Proven] | None:
        size, depth = len(codes), len(history)
        if self._limited and depth >= len(self._cost):
            return None
        costs = self._ahead(depth)
        # The engine's memo has the tasks of this search; the divided sets, and what was answered
        # elsewhere, it does not know.
        mine = size > self._task_size or (costs.text, size) in self._kept_sizes
        if not (anyway or mine or self._store.knows_size(self._text, costs.text, size)):
            return None
        image = Image.of(self._rules, self._space.codes[codes])
        key = Key(self._text, costs.text, image.digest, size)
        proven = self._store.find(key)
        return None if proven is None else (key, proven)

    def _read(self, codes: np.ndarray, depth: int, proven: Proven) -> _Known:
        """What a result of the store says of this set after so many guesses."""
        bound = self._ahead(depth).expand(proven.bound, len(codes))
        guess = None
        if proven.guess is not None:
            image = Image.of(self._rules, self._space.codes[codes])
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
        if self._ask is not None:
            self._kept_sizes.add((costs.text, size))

    def _best_guess(self, codes: np.ndarray, history: Turns, value: int) -> int | None:
        known = self._look_up(codes, history, anyway=True)
        if known is None and len(codes) > self._task_size:
            known = self._value(codes, history, value + 1, self._scope)
        if known is None or not known.exact or known.bound != value:
            return None
        return known.guess


def _times(count: int, price: int) -> int:
    """So many secrets at that price each; none at a price that cannot be had cost nothing."""
    return 0 if count == 0 else INFINITE if price >= INFINITE else count * price


@dataclass(frozen=True, slots=True)
class Left:
    """What an interrupted search has left of a set."""

    history: Turns
    proven: int
    """What the set was shown to cost at least."""

    guesses: tuple[tuple[int, int], ...]
    """Guesses, and what the set was shown to cost at least if they come next."""


def pack_left(left: bytes) -> bytes:
    """Write what the engine's search would leave for a store."""
    return zlib.compress(left, 1)


def read_left(content: bytes) -> Iterator[Left]:
    """Read what :func:`pack_left` wrote. Raises :class:`~moo_research.errors.StoreError` for what
    it did not."""
    try:
        words = np.frombuffer(zlib.decompress(content), dtype=np.uint32).tolist()
        at = 0
        while at < len(words):
            turns, low, high, _best = words[at : at + 4]
            at += 4
            history = tuple(zip(*[iter(words[at : at + 2 * turns])] * 2, strict=True))
            at += 2 * turns
            proven, _first, _reached, _work, _step, count = words[at : at + 6]
            at += 6
            raised = tuple(zip(*[iter(words[at : at + 2 * count])] * 2, strict=True))
            at += 2 * count
            if at > len(words):
                raise ValueError
            bound = low | high << 32
            yield Left(
                history, bound + proven, tuple((guess, bound + more) for guess, more in raised)
            )
    except (ValueError, zlib.error):
        raise StoreError("an unfinished search that cannot be read") from None


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
