"""The exact search: optimum, proof and tree of any game and objective.

The work is done by the extension (ext/search.c tells the method); here the question is put to it,
the answer is turned into a tree, and the tree is replayed. Every figure of a :class:`Solution` but
the optimum comes from that replay, and the optimum must agree with it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from moo_research import _engine
from moo_research.codes import CodeSpace
from moo_research.division import Division, candidates_after
from moo_research.errors import MemoryLimitError, MooError, ObjectiveError
from moo_research.layout import counted
from moo_research.machine import available_memory, peak_memory
from moo_research.objective import Objective
from moo_research.rules import Response, Rules, response_id, response_of_id
from moo_research.store import Notes, Store
from moo_research.symmetry import least_of_orbits
from moo_research.tree import DecisionTree, Node, replay

if TYPE_CHECKING:
    from moo_research.cluster import Cluster

__all__ = [
    "ENDINGS",
    "OBJECTIVES",
    "Claim",
    "Engine",
    "Progress",
    "SecondGuessTable",
    "Solution",
    "TableRow",
    "WorstCase",
    "kernels",
    "least_worst_case",
    "named_progress",
    "prove",
    "second_guess_table",
    "solve",
    "worst_case",
]

OBJECTIVES = ("mean", "worst", "last")
"""Objectives that have a name."""

ENDINGS = ("ended_size", "ended_quick", "ended_pass", "ended_search", "improved")
"""How a guess that is tried may end, as :attr:`Search.statistics` names it: refuted by the sizes of
its parts, by the quick bound or the memo, by a pass over all guesses for a part, by solving parts;
or the best so far."""

_INTERPRETER_BYTES = 40 << 20  # Python, NumPy and this package
_LEAST_MEMO = 1 << 20
_FEW_MEMO, _MUCH_MEMO = 4 << 20, 256 << 20
_LEAST_ROWS = 512  # a game is refused if it cannot be searched from so many candidates
_MOST_CODES = 1 << 24  # the memo keeps a guess in 24 bits
_STACK_BYTES = 64 << 20  # address space, not memory; the search recurses once per guess
_POLL_SECONDS = 0.05

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a search is."""

    stage: str
    """What is being searched."""

    seconds: float
    """Time since the search began."""

    guesses_tried: int
    sets_solved: int

    best: int | None
    """Cost of the best strategy so far."""

    bound: int | None
    """What every strategy has been proven to cost at least."""

    done: float | None
    """Part of the work that is done, from 0 to 1, where it can be told."""

    counted: Mapping[str, int] | None = None
    """In the last report on a question: all that was counted for it, by the names that
    :attr:`Solution.statistics` has."""


ProgressCallback = Callable[[Progress], None]


def named_progress(progress: ProgressCallback | None, name: str) -> ProgressCallback | None:
    """Return a callback that puts ``name`` before the stage, or None if there is no callback."""
    if progress is None:
        return None
    return lambda state: progress(
        replace(state, stage=f"{name}: {state.stage}" if state.stage else name)
    )


@dataclass(frozen=True, slots=True)
class Claim:
    """What was proven of the candidates after a history, by trying all guesses."""

    history: tuple[tuple[str, Response], ...]
    bound: int | None
    """What they cost at least; None if they cannot be solved within the limit."""


@dataclass(frozen=True, slots=True)
class Solution:
    """A proven optimum and a strategy that attains it."""

    rules: Rules
    objective: str
    """Name of the objective."""

    cost: tuple[int, ...]
    """Cost of a secret solved at guess 1, 2, ... of the game, up to the worst case of the tree, or
    up to the limit on guesses."""

    codes: int
    """Number of secrets: codes that agree with the history."""

    history: tuple[tuple[str, Response], ...]
    """The turns that went before, if the search was of what comes after them."""

    optimum: int | None
    """Least cost over all secrets; None, like all that follows from a tree, where no strategy keeps
    the limit."""

    optima: tuple[int, ...] | None
    """Its value under each of the objectives that were put in order, or under the one."""

    total: int | None
    """Guesses over all secrets, not counting those of the history, like the next three."""

    mean: float | None
    max_guesses: int | None
    """Worst case of the strategy."""

    histogram: tuple[int, ...] | None
    """Secrets solved at guess 1, 2, ..."""

    first_guess: str | None
    """The first guess after the history."""

    proved: bool
    """Whether the search ran to its end, so that the optimum (or that there is none) is certain."""

    feasible: bool
    """Whether any strategy keeps the limit on guesses."""

    seconds: float
    """Wall time, from the reading of the rules to the replay of the tree."""

    guesses_tried: int
    sets_solved: int
    threads: int
    peak_memory_mb: float
    """Largest memory of this process so far, in units of 10^6 bytes."""

    kernel: str
    root: Node | None = field(repr=False)
    """A strategy that attains the optimum."""

    tree: DecisionTree | None = field(repr=False)
    """The same as a tree, where there is no history."""

    statistics: Mapping[str, int] = field(repr=False)
    """Everything that the search counted."""

    minimised: Objective = field(repr=False)
    """What was minimised, with the costs of every guess number."""

    claims: tuple[Claim, ...] = field(repr=False)
    """The lemmas of the proof, where the search was asked to keep them."""

    traced: bool = field(repr=False)
    """Whether it was."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """The best second guess after one response to the first."""

    response: Response
    size: int
    """Candidates left."""

    guess: str | None
    """Best second guess, None if the first guess has won."""

    total: int
    """Guesses after the first, over all candidates left."""

    ties: tuple[str, ...]
    """All best second guesses, the least code of each orbit."""


@dataclass(frozen=True, slots=True)
class SecondGuessTable:
    """The best second guess for every response to the best first guess."""

    rules: Rules
    first_guess: str
    rows: tuple[TableRow, ...]
    """By response id, the winning response last."""

    total: int
    """Guesses over all secrets, the first included."""

    seconds: float

    def row(self, response: Response) -> TableRow:
        """Return the row of a response; KeyError if no secret gets it."""
        for row in self.rows:
            if row.response == response:
                return row
        raise KeyError(response)


@dataclass(frozen=True, slots=True)
class WorstCase:
    """The least worst case."""

    rules: Rules
    max_guesses: int
    proved: bool
    """Whether one guess fewer was shown to be impossible, and the tree replayed."""

    capacities: tuple[int, ...]
    """The most secrets that any strategy solves within 1, 2, ... guesses (Tanaka 1996), as far as
    they are cheap."""

    solution: Solution
    """A strategy that stays within ``max_guesses``."""

    impossible: Solution | None
    """The refutation of one guess fewer; None where there is only one code."""

    seconds: float


def kernels() -> tuple[str, ...]:
    """Return the names of the kernels that this processor can run, the best first."""
    return tuple(_engine.kernels())


class Engine:
    """A game laid out in memory, ready for searches of any objective.

    ``memory`` limits the bytes that the process may take; by default it is what the machine has
    left. A game whose table of responses does not fit can be searched from
    :attr:`most_candidates` on. With a ``store``, searches make use of what it has, and keep there
    what they prove (a store or :class:`~moo_research.store.Notes`); with a ``cluster``, they have
    it answer tasks.
    Raises :class:`~moo_research.errors.MemoryLimitError` if the game does not fit.
    """

    def __init__(
        self,
        rules: Rules | str = "4x10",
        *,
        threads: int = 1,
        memory: int | None = None,
        kernel: str | None = None,
        store: Store | Notes | None = None,
        cluster: Cluster | None = None,
    ) -> None:
        self.rules = Rules.of(rules)
        self.store = Notes() if store is None and cluster is not None else store
        self.cluster = cluster
        if not 1 <= threads <= _engine.MAX_THREADS:
            raise MooError(f"threads must be from 1 to {_engine.MAX_THREADS}, not {threads}")
        if kernel is not None and kernel not in kernels():
            raise MooError(f"no kernel {kernel!r} on this processor; it has {', '.join(kernels())}")
        self.threads = threads
        self._limit = available_memory() if memory is None else memory
        self._allowed = (
            f"only {_readable(self._limit)} may be used"
            if memory is None
            else f"the limit is {_readable(memory)}"
        )
        self._memo_bytes, rows = self._plan_memory()
        self.space = CodeSpace(self.rules)
        try:
            self._space = _engine.Space(
                self.space.codes,
                self.rules.symbols,
                self.rules.leading_zero,
                kernel or "auto",
                rows,
            )
        except MemoryError:
            raise MemoryLimitError(f"the response table of {self.rules} does not fit") from None
        self.kernel: str = self._space.kernel
        self.everything = np.arange(self.space.size, dtype=np.uint32)

    @property
    def most_candidates(self) -> int:
        """How many candidates a search may begin with: all, unless the game's table of responses
        would not fit."""
        return self._space.most_rows

    def _plan_memory(self) -> tuple[int, int]:
        """Return the bytes for the memo and the rows of the response table that there may be at a
        time, or refuse a game that does not fit.

        The search reads the rows of the candidates alone. So a game whose table does not fit can
        be searched from sets of candidates whose rows do.
        """
        codes, limit = self.rules.size, self._limit
        if codes >= _MOST_CODES:
            raise MemoryLimitError(
                f"{self.rules} has {codes} codes; games of at most {_MOST_CODES - 1} are searched"
            )
        size = partial(_engine.space_bytes, codes, self.rules.positions, self.rules.symbols)
        # The codes are held twice while they are enumerated.
        fixed = _INTERPRETER_BYTES + 2 * codes * self.rules.positions
        fixed += _engine.search_bytes(codes, self.threads)
        if fixed + size() + _LEAST_MEMO <= limit:
            # A memo much larger than the processor's cache costs more than it saves on small games.
            memo = max(_FEW_MEMO, min(_MUCH_MEMO, codes * codes * 3 // 4))
            return min(limit - fixed - size(), memo), codes
        fixed += size(0)
        row = size(1) - size(0)
        if fixed + _LEAST_ROWS * row + _LEAST_MEMO > limit:
            needed = fixed + min(_LEAST_ROWS, codes) * row + _LEAST_MEMO
            raise MemoryLimitError(
                f"{self.rules} has {codes} codes and needs at least {_readable(needed)} of memory,"
                f" but {self._allowed}"
            )
        memo = min(_MUCH_MEMO, max((limit - fixed - _LEAST_ROWS * row) // 4, _LEAST_MEMO))
        return memo, (limit - fixed - memo) // row

    def _too_large(self, candidates: int) -> MemoryLimitError:
        return MemoryLimitError(
            f"a search of {self.rules} from {candidates} candidates needs at least"
            f" {_readable(candidates * self.space.size)} of memory, but {self._allowed}, which is"
            f" enough for {self.most_candidates}; with --resume larger sets are divided"
        )

    def search(self, objective: Objective, *, trace: bool = False) -> Search:
        """Return a search for one objective; ``trace`` keeps the claims of a certificate."""
        return Search(self, objective, trace=trace)


class Search:
    """A search for one objective; keeps its memo from question to question.

    The methods take a history of pairs (number of the guess, response), whose candidates are the
    codes that agree with it.
    """

    def __init__(self, engine: Engine, objective: Objective, *, trace: bool = False) -> None:
        if trace and engine.store is not None:
            raise MooError(
                "a certificate must contain the whole proof, so none of it may come from a store"
            )
        self.engine = engine
        self.objective = objective
        self.traced = trace
        codes = engine.space.size
        # No guess that the search tries leaves all candidates in one part, so none is deeper than
        # the codes are many.
        guesses = codes + 1 if objective.limit is None else min(objective.limit, codes + 1)
        objective.check_size(codes, guesses)
        self._cost = np.array(objective.costs(guesses), dtype=np.int64)
        try:
            self._search = _engine.Search(
                engine._space,
                self._cost,
                objective.limit is not None and objective.limit <= codes,
                engine._memo_bytes,
                engine.threads,
                trace,
            )
        except MemoryError:
            raise _out_of_memory(engine) from None
        self._top: _engine.Search | Division = self._search
        if engine.store is not None:
            self._top = Division(
                engine.space,
                engine._space,
                self._search,
                objective,
                self._cost.tolist(),
                objective.limit is not None and objective.limit <= codes,
                engine.store,
                ask=engine.cluster.asker(engine.rules, objective) if engine.cluster else None,
                parallel=engine.cluster.parallel if engine.cluster else 1,
            )

    def candidates(self, history: Sequence[tuple[int, Response]]) -> np.ndarray:
        """Return the numbers of the codes that agree with a history, ascending, uint32."""
        turns = [(guess, response_id(response)) for guess, response in history]
        return candidates_after(self.engine._space, turns)

    def solve(
        self,
        history: Sequence[tuple[int, Response]] = (),
        cutoff: int | None = None,
        progress: ProgressCallback | None = None,
        stage: str = "",
    ) -> tuple[int | None, int]:
        """Return the least cost after a history, None if infinite, and the number of a guess that
        attains it.

        With a cutoff, a cost that is not below it is only a lower bound.
        """
        codes, turns = self._question(history)
        limit = _engine.INFINITE if cutoff is None else cutoff
        value, guess = self._run(
            lambda: self._top.solve(codes, turns, True, limit), progress, stage
        )
        return (None if value >= _engine.INFINITE else value), guess

    def value_of(
        self,
        guess: int,
        history: Sequence[tuple[int, Response]] = (),
        cutoff: int | None = None,
        progress: ProgressCallback | None = None,
        stage: str = "",
    ) -> int | None:
        """Return the least cost if a guess comes next; with a cutoff as in :meth:`solve`."""
        codes, turns = self._question(history)
        limit = _engine.INFINITE if cutoff is None else cutoff
        value: int = self._run(
            lambda: self._search.value_of(guess, codes, turns, True, limit), progress, stage
        )
        return None if value >= _engine.INFINITE else value

    def tree(self, value: int, history: Sequence[tuple[int, Response]] = ()) -> Node:
        """Return a strategy for the candidates after a history, whose exact least cost is
        ``value``."""
        codes, turns = self._question(history)
        guesses, parents, responses = self._run(
            lambda: self._top.tree(codes, value, turns, True), None, ""
        )
        parts: list[dict[Response, Node]] = [{} for _ in guesses]
        nodes = list(map(Node, self.engine.space.texts(guesses), parts))
        named = {response: response_of_id(response) for response in set(responses[1:])}
        for i in np.lexsort((responses, parents)).tolist():
            if i:  # the root is nobody's part
                parts[parents[i]][named[responses[i]]] = nodes[i]
        return nodes[0]

    def claims(self) -> tuple[Claim, ...]:
        """Return what was proven by trying guesses, if the search was made with ``trace``."""
        space = self.engine.space
        turns: dict[tuple[int, int], tuple[str, Response]] = {}

        def named(turn: tuple[int, int]) -> tuple[str, Response]:
            if turn not in turns:
                turns[turn] = space.text(turn[0]), response_of_id(turn[1])
            return turns[turn]

        return tuple(
            Claim(tuple(map(named, history)), None if bound >= _engine.INFINITE else bound)
            for history, bound, _guess in self._search.claims()
        )

    @property
    def statistics(self) -> dict[str, int]:
        """Everything that the search has counted, here and elsewhere."""
        stats: dict[str, int] = self._top.stats
        return stats

    @property
    def tried_by_size(self) -> tuple[tuple[int, Mapping[str, int]], ...]:
        """Guesses tried, by the size of their set and by what settled them.

        One pair for sets of 3 to 5 candidates, 6 to 11, 12 to 23, ...: their least size, and counts
        by the names that :attr:`statistics` has for them.
        """
        bands = self._search.tried_by_size
        while bands and not any(bands[-1][1]):
            bands.pop()
        return tuple((size, dict(zip(ENDINGS, counts, strict=True))) for size, counts in bands)

    def _question(
        self, history: Sequence[tuple[int, Response]]
    ) -> tuple[np.ndarray, list[tuple[int, int]]]:
        codes = self.candidates(history)
        if not len(codes):
            raise MooError("no code agrees with this history; moo audit tells what may be wrong")
        if len(history) >= len(self._cost):
            raise ObjectiveError("the history has used up the guesses that the objective allows")
        return codes, [(guess, response_id(response)) for guess, response in history]

    def _run(self, work: Callable[[], T], progress: ProgressCallback | None, stage: str) -> T:
        """Do the work on another thread, so that this one can hear Ctrl-C and show progress."""
        began = time.perf_counter()
        outcome: list[T] = []
        failure: list[BaseException] = []

        def run() -> None:
            try:
                outcome.append(work())
            except BaseException as error:
                failure.append(error)

        before = self.statistics
        self._search.enlist()
        worker = _start(run)
        helpers = [_start(partial(self._search.help, i)) for i in range(1, self.engine.threads)]
        try:
            worker.join(_POLL_SECONDS)
            while worker.is_alive():
                if progress is not None:
                    progress(self._progress(stage, time.perf_counter() - began))
                worker.join(_POLL_SECONDS)
        except BaseException:
            self._top.interrupt()
            raise
        finally:
            worker.join()
            self._search.dismiss()
            for helper in helpers:
                helper.join()
        if failure:
            if isinstance(failure[0], _engine.TooManyRows):
                raise self.engine._too_large(failure[0].args[0]) from None
            if isinstance(failure[0], MemoryError):
                raise _out_of_memory(self.engine) from None
            raise failure[0]
        if progress is not None:
            progress(self._progress(stage, time.perf_counter() - began, before))
        return outcome[0]

    def _progress(
        self, stage: str, seconds: float, before: Mapping[str, int] | None = None
    ) -> Progress:
        """Where the search is; at its end with all that was counted since ``before``."""
        stats = self._top.stats
        top, part = self._top.levels[:2]
        size, _tried, settled, best, bound = top
        if self.engine.cluster is not None:
            stage += f"{self.engine.cluster.describe()}, "
        if part[0]:
            below, tried, done, *_ = part
            stage += f"{settled} of {size} secrets settled, now {below}, "
            stage += f"{counted(tried, 'guess', 'guesses')} tried, {done} settled under the next"
        return Progress(
            stage=stage,
            seconds=seconds,
            guesses_tried=stats["guesses_tried"],
            sets_solved=stats["sets_solved"],
            best=best if 0 < best < _engine.INFINITE else None,
            bound=bound if bound else None,
            done=None,
            counted=None
            if before is None
            else {name: n - before[name] for name, n in stats.items()},
        )


def solve(
    rules: Rules | str = "4x10",
    *,
    objective: Objective | str = "mean",
    then: Objective | str | Sequence[Objective | str] | None = None,
    cost: Sequence[int] | None = None,
    max_guesses: int | None = None,
    threads: int = 1,
    memory: int | None = None,
    kernel: str | None = None,
    progress: ProgressCallback | None = None,
    trace: bool = False,
    store: Store | None = None,
    cluster: Cluster | None = None,
    after: Sequence[tuple[str, Response | str]] = (),
) -> Solution:
    """Prove the optimum of a game by exhaustive search.

    ``objective`` is an :class:`~moo_research.objective.Objective` or a name: ``mean``, ``worst``
    (least worst case, then least total), ``last`` (within the least worst case, fewest secrets at
    the last guess). ``then`` names another, to choose among the optima of the first, or several,
    each to choose among the optima of those before. ``cost`` gives the cost of a secret by the
    guess that solves it instead; guesses past its end are not allowed. ``max_guesses`` allows no
    more than so many guesses. ``memory`` is a limit in bytes, ``kernel`` a name out of
    :func:`kernels`, ``progress`` is called several times a second, ``trace`` keeps what a
    certificate needs. A ``store`` has what was proven before, and keeps what is proven now. A
    :class:`~moo_research.cluster.Cluster` does the work elsewhere. ``after`` is a history, pairs of
    a guess and its response, such as ``("0123", "1B2C")``: only what comes after it is searched;
    it goes with the objective ``mean``, an :class:`~moo_research.objective.Objective` and ``cost``.

    KeyboardInterrupt passes through within a second. Raises :class:`~moo_research.errors.MooError`.
    """
    began = time.perf_counter()
    engine = Engine(
        rules, threads=threads, memory=memory, kernel=kernel, store=store, cluster=cluster
    )
    if after and (then or objective in ("worst", "last")):
        raise ObjectiveError("after a history the objective is mean, or costs, without a tie-break")
    history = [
        (
            engine.space.index(guess),
            answer
            if isinstance(answer, Response)
            else Response.parse(answer, engine.rules.positions),
        )
        for guess, answer in after
    ]
    return prove(
        engine,
        _objective(engine, objective, then, cost, max_guesses, progress),
        progress,
        began,
        trace=trace,
        history=history,
    )


def second_guess_table(
    rules: Rules | str = "4x10",
    *,
    threads: int = 1,
    memory: int | None = None,
    kernel: str | None = None,
    progress: ProgressCallback | None = None,
    published: Mapping[Response, str] | None = None,
) -> SecondGuessTable:
    """Find the best first guess for the least total, and all best second guesses after each
    response to it.

    Guesses that a symmetry of the first guess and its response exchanges are listed once, by the
    least of them, or by the one that ``published`` names for the response.
    """
    began = time.perf_counter()
    engine = Engine(rules, threads=threads, memory=memory, kernel=kernel)
    search = engine.search(Objective.mean())
    total, first = search.solve(progress=progress)
    assert total is not None
    rows = []
    for response, part in engine.space.split(None, first).items():
        if response.bulls == engine.rules.positions:
            rows.append(TableRow(response, 1, None, 0, ()))
            continue
        history = [(first, response)]
        value, _guess = search.solve(history, progress=progress, stage=f"{response}: ")
        assert value is not None
        least = least_of_orbits(engine.space, [first], [response])
        names = {int(guess): engine.space.text(int(guess)) for guess in np.unique(least)}
        if published is not None and response in published:
            known = engine.space.index(published[response])
            names[int(least[known])] = engine.space.text(known)
        stage = f"{response}: ties: "
        ties = tuple(
            name
            for guess, name in names.items()
            if search.value_of(guess, history, value + 1, progress, stage) == value
        )
        rows.append(TableRow(response, len(part), ties[0], value - len(part), ties))
    return SecondGuessTable(
        rules=engine.rules,
        first_guess=engine.space.text(first),
        rows=tuple(rows),
        total=total,
        seconds=time.perf_counter() - began,
    )


def least_worst_case(
    rules: Rules | str = "4x10",
    *,
    threads: int = 1,
    memory: int | None = None,
    kernel: str | None = None,
    progress: ProgressCallback | None = None,
) -> WorstCase:
    """Find the least number of guesses within which every secret can be solved, and prove both
    halves."""
    began = time.perf_counter()
    engine = Engine(rules, threads=threads, memory=memory, kernel=kernel)
    guesses, impossible = _worst_case(engine, progress)
    solution = prove(engine, Objective.within(guesses), progress)
    capacities = tuple(
        engine.space.size - _proven(engine.search(Objective.odds(k)).solve(progress=progress)[0])
        for k in range(1, min(guesses, 4) + 1)
    )
    return WorstCase(
        rules=engine.rules,
        max_guesses=guesses,
        proved=solution.proved
        and solution.max_guesses is not None
        and solution.max_guesses <= guesses,
        capacities=capacities,
        solution=solution,
        impossible=impossible,
        seconds=time.perf_counter() - began,
    )


def _worst_case(engine: Engine, progress: ProgressCallback | None) -> tuple[int, Solution | None]:
    """Return the least worst case, and the refutation of one guess fewer."""
    refutation = None
    for guesses in range(1, engine.space.size + 1):
        began = time.perf_counter()
        search = engine.search(Objective.within(guesses))
        stage = f"within {guesses} guesses: "
        if search.solve(progress=progress, stage=stage)[0] is not None:
            return guesses, refutation
        refutation = _infeasible(engine, search, search.objective, began)
    raise AssertionError("guessing one code after the other solves every secret")


def worst_case(engine: Engine, progress: ProgressCallback | None = None) -> int:
    """Return the least number of guesses within which every secret can be solved, proven."""
    return _worst_case(engine, progress)[0]


def _objective(
    engine: Engine,
    objective: Objective | str,
    then: Objective | str | Sequence[Objective | str] | None,
    cost: Sequence[int] | None,
    max_guesses: int | None,
    progress: ProgressCallback | None,
) -> Objective:
    """Make the objective that a caller has described."""
    if max_guesses is not None and max_guesses < 1:
        raise ObjectiveError(f"at least one guess must be allowed, not {max_guesses}")
    worst: list[int] = []

    def least_limit() -> int:
        if not worst:
            worst.append(worst_case(engine, progress))
        return worst[0]

    def named(wanted: Objective | str, tie_break: bool) -> Objective:
        if isinstance(wanted, Objective):
            return wanted
        if wanted == "mean":
            return Objective.mean()
        if wanted == "worst" and not tie_break:
            chosen = Objective.mean().limited(least_limit())
            return Objective("worst", chosen.start, chosen.step)
        if wanted == "last":
            chosen = Objective.at_last(least_limit(), engine.space.size)
            return chosen if tie_break else chosen.limited(least_limit())
        if tie_break and wanted == "worst":
            raise ObjectiveError(
                "worst cannot break ties; use --max-guesses with the first objective"
            )
        raise ObjectiveError(f"no objective {wanted!r}; there are {', '.join(OBJECTIVES)}")

    if cost is not None:
        if objective != "mean":
            raise ObjectiveError("give an objective or a cost, not both")
        first = Objective.raw(cost)
    else:
        first = named(objective, False)
    for tie_break in (then,) if isinstance(then, Objective | str) else then or ():
        first = first.then(named(tie_break, True), engine.space.size)
    if max_guesses is not None and max_guesses < engine.space.size:
        # With as many guesses as codes, one can guess them all.
        first = first.limited(max_guesses)
    return first


def _proven(value: int | None) -> int:
    assert value is not None
    return value


def prove(
    engine: Engine,
    objective: Objective,
    progress: ProgressCallback | None = None,
    began: float | None = None,
    *,
    trace: bool = False,
    history: Sequence[tuple[int, Response]] = (),
) -> Solution:
    """Prove the optimum of an objective on a game laid out already, or of what is left of it after
    a history of pairs (number of the guess, response).

    ``seconds`` count from ``began``; ``trace`` keeps the claims of a certificate.
    """
    began = time.perf_counter() if began is None else began
    if trace and history:
        raise MooError("a certificate is of a whole game")
    search = engine.search(objective, trace=trace)
    if objective.limit is not None and objective.start[0] < objective.start[-1]:
        # Whether the limit can be kept at all is a much easier question than what it costs.
        limit = engine.search(Objective.within(objective.limit), trace=trace)
        if limit.solve(history, progress=progress, stage="can the limit be kept: ")[0] is None:
            return _infeasible(engine, limit, objective, began, history)
    optimum, _guess = search.solve(history, progress=progress)
    if optimum is None:
        return _infeasible(engine, search, objective, began, history)
    claims = search.claims()
    root = search.tree(optimum, history)
    secrets = engine.space.texts(search.candidates(history)) if history else None
    histogram = replay(engine.rules, root, secrets)
    if histogram is None:
        raise AssertionError(f"the search made a bad tree, beginning with {root.guess}")
    in_game = (0,) * len(history) + histogram
    if objective.of(in_game) != optimum:
        raise AssertionError("the tree does not cost what the search says")
    cost = objective.costs(len(in_game))
    total = sum(guess * solved for guess, solved in enumerate(histogram, 1))
    return Solution(
        rules=engine.rules,
        objective=objective.name,
        cost=cost if objective.limit is None else objective.costs(objective.limit),
        codes=sum(histogram),
        history=_named(engine, history),
        optimum=optimum,
        optima=objective.each_of(in_game),
        total=total,
        mean=total / sum(histogram),
        max_guesses=len(histogram),
        histogram=histogram,
        first_guess=root.guess,
        proved=True,
        feasible=True,
        root=root,
        tree=None if history else DecisionTree(engine.rules, cost, root),
        claims=claims,
        minimised=objective,
        traced=search.traced,
        **_effort(engine, search, began),
    )


def _infeasible(
    engine: Engine,
    search: Search,
    objective: Objective,
    began: float,
    history: Sequence[tuple[int, Response]] = (),
) -> Solution:
    return Solution(
        rules=engine.rules,
        objective=objective.name,
        cost=objective.start,
        codes=len(search.candidates(history)),
        history=_named(engine, history),
        optimum=None,
        optima=None,
        total=None,
        mean=None,
        max_guesses=None,
        histogram=None,
        first_guess=None,
        proved=True,
        feasible=False,
        root=None,
        tree=None,
        claims=search.claims(),
        minimised=objective,
        traced=search.traced,
        **_effort(engine, search, began),
    )


def _named(
    engine: Engine, history: Sequence[tuple[int, Response]]
) -> tuple[tuple[str, Response], ...]:
    return tuple((engine.space.text(guess), response) for guess, response in history)


def _effort(engine: Engine, search: Search, began: float) -> dict[str, Any]:
    statistics = search.statistics
    return {
        "seconds": time.perf_counter() - began,
        "guesses_tried": statistics["guesses_tried"],
        "sets_solved": statistics["sets_solved"],
        "threads": engine.threads,
        "peak_memory_mb": peak_memory() / 1e6,
        "kernel": engine.kernel,
        "statistics": statistics,
    }


def _start(work: Callable[[], object]) -> threading.Thread:
    """Start a thread with room for a deep recursion; some systems give new threads very little."""
    before = threading.stack_size(_STACK_BYTES)
    try:
        thread = threading.Thread(target=work, daemon=True)
        thread.start()
    finally:
        threading.stack_size(before)
    return thread


def _out_of_memory(engine: Engine) -> MemoryLimitError:
    return MemoryLimitError(
        f"the search of {engine.rules} ran out of memory; try --memory with less"
    )


def _readable(number: int) -> str:
    """Write an amount of memory as --memory reads it, 1 MB being 1024^2 bytes; rounded up."""
    for unit, size in (("MB", 1 << 20), ("GB", 1 << 30)):
        if number < size << 13:
            return f"{-(-number // size)} {unit}"
    terabytes = -(-number // (1 << 40))
    return f"{terabytes} TB" if terabytes < 10**4 else "over 10000 TB"
