"""The search on a Dask cluster (the extra ``cluster``).

The process that calls :func:`~moo_research.search.solve` with a :class:`Cluster` divides the search
(:mod:`moo_research.division`), holds the store and is the only one to write to it. Workers answer
tasks. A message has nothing but numbers and texts: the version of the search, the rules, the costs,
a history, a cutoff, guesses to try, results that are known; the answer has the version, the rules
and costs again, bounds, and results as they stand in ``moo store export``, each with its digest.
Both sides refuse what is of another version or about another question. (Dask itself pickles
messages between processes that are running; nothing is unpickled from a file.)

Workers may join, leave and be killed at any time: Dask gives their tasks to others, and if it gives
up, the task is sent again. If the scheduler is gone, a client is made anew when it is back, and
what was under way is sent again. What has been answered by then is in the store.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from multiprocessing import resource_tracker
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from moo_research.division import Answer, Division, Dropped, Question, Task
from moo_research.errors import ClusterError, MemoryLimitError, MooError, shown
from moo_research.machine import available_memory, processors
from moo_research.objective import Objective
from moo_research.rules import Rules, response_of_id
from moo_research.search import Engine, Search
from moo_research.store import VERSION, Key, Notes, Proven, read_line, write_line

if TYPE_CHECKING:
    import distributed

__all__ = ["Cluster", "silence"]

_EXTRA = "needs the extra: pip install 'moo-research[cluster]'"
_SET_SECONDS = 20.0  # a set that takes longer is divided into its guesses
_POLL_SECONDS = 0.1
_COUNT_SECONDS = 1.0
_RECALL_SECONDS = 1.0  # what has taken so long is divided if workers have nothing to do ...
_IDLE_SECONDS = 0.5  # ... for so long
_CLOSE_SECONDS = 1.0

Message = tuple[Any, ...]
"""Numbers, texts, and tuples of them."""


# ---- what workers do -----------------------------------------------------------------------------


class _GaveUp(Exception):
    """The task takes too long, or nobody waits for it any more."""


class _Lowered(Exception):
    """The cutoff has fallen."""


class _Searches:
    """The searches of a worker process, kept from task to task for what they remember.

    A search is lent to one thread at a time. One game and one objective are kept: the next
    question of a search that is put together from several comes when the last has its answer.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._game: tuple[Any, ...] = ()
        self._question: tuple[Any, ...] = ()
        self._engine: Engine | None = None
        self._idle: list[Search] = []

    @contextlib.contextmanager
    def lent(
        self, rules: str, cost: Message, memory: int | None, kernel: str | None
    ) -> Iterator[Search]:
        """Lend a search; it is forgotten if something goes wrong."""
        game, question = (rules, memory, kernel), (rules, memory, kernel, cost)
        with self._lock:
            if self._game != game:
                self._idle.clear()
                self._engine, self._game = None, ()
                self._engine = Engine(rules, memory=memory, kernel=kernel, store=Notes())
                self._game = game
            if self._question != question:
                self._idle.clear()
                self._question = question
            assert self._engine is not None
            engine = self._engine
            search = self._idle.pop() if self._idle else None
        if search is None:
            start, step = cost
            search = engine.search(Objective("asked", start, step))
        yield search
        with self._lock:
            if self._question == question:
                self._idle.append(search)


_searches = _Searches()
_cutoffs: dict[str, int] = {}  # of the tasks that are being answered here


def lower(cutoffs: Message) -> None:
    """Take notice that the cutoffs of some tasks have fallen, or that a task is wanted back (no
    cutoff); runs in every worker process."""
    for number, cutoff in cutoffs:
        if number in _cutoffs:
            _cutoffs[number] = -1 if cutoff is None else cutoff


def work(message: Message) -> Message:
    """Answer a message of a coordinator; runs in a worker process."""
    version, number, rules, cost, memory, kernel, *_task = message
    if version != VERSION:
        return (VERSION, number, "refused")
    task = _read_task(message)
    _cutoffs[number] = task.cutoff
    try:
        with _searches.lent(rules, cost, memory, kernel) as search:
            answer = _answer(search, task, number, message[6])
    except MemoryLimitError as error:
        return (VERSION, number, "failed", str(error))
    finally:
        _cutoffs.pop(number, None)
    return (
        VERSION,
        number,
        "answered",
        rules,
        cost,
        answer.bounds,
        answer.cutoff,
        answer.guess,
        tuple(write_line(key, proven) for key, proven in answer.proven),
        answer.counts,
        answer.seconds,
    )


def _answer(search: Search, task: Task, number: str, seconds: float) -> Answer:
    """Answer a task, within seconds, as long as somebody waits for it."""
    from distributed import get_worker

    division = search._top
    assert isinstance(division, Division)
    try:
        worker = get_worker()
        key = worker.get_current_task()
    except ValueError:  # in no worker
        worker, key = None, None
    began = time.monotonic()

    def supervise(_progress: object) -> None:
        state = worker.state.tasks.get(key) if worker is not None else None
        if time.monotonic() > began + seconds or (state and state.state == "cancelled"):
            raise _GaveUp
        cutoff = _cutoffs.get(number, task.cutoff)
        if cutoff < 0:
            raise _GaveUp
        if cutoff < task.cutoff:
            raise _Lowered

    while True:
        try:
            return search._run(partial(division.answer, task), supervise, "")
        except _Lowered:
            division.resume()  # it remembers what it has done
            task = replace(task, cutoff=_cutoffs.get(number, task.cutoff), known=())
        except _GaveUp:
            division.resume()
            return replace(division.gave_up(task), seconds=time.monotonic() - began)


def _write_task(
    number: str,
    rules: Rules,
    objective: Objective,
    task: Task,
    memory: int | None,
    kernel: str | None,
) -> Message:
    return (
        VERSION,
        number,
        str(rules),
        (objective.start, objective.step),
        memory,
        kernel,
        _SET_SECONDS,
        task.history,
        task.cutoff,
        task.guesses,
        tuple(write_line(key, proven) for key, proven in task.known),
        task.seconds,
    )


def _read_task(message: Message) -> Task:
    _version, _number, rules, *_others, history, cutoff, guesses, known, seconds = message
    return Task(history, cutoff, guesses, tuple(_results(rules, known)), seconds)


def _results(rules: str, lines: tuple[str, ...]) -> Iterator[tuple[Key, Proven]]:
    """Read results; ClusterError if one is of another version or about another game."""
    for line in lines:
        key, proven = read_line(line)
        if key.version != VERSION or key.rules != rules:
            raise ClusterError(f"a result of {key.rules}, version {key.version}, was sent")
        yield key, proven


# ---- what asks them ------------------------------------------------------------------------------


class Cluster:
    """A Dask cluster that answers the tasks of a search.

    ``address`` is that of a scheduler, or the name of a scheduler file; without one, a cluster of
    so many ``workers`` (by default, as many as there are processors) is started on this machine,
    and ended by :meth:`close`. ``memory`` limits the bytes of each process. While there is no
    scheduler, the search waits; after ``patience`` seconds it ends with a
    :class:`~moo_research.errors.ClusterError`. ``say`` is told, a line each, what a person should
    know. Raises ClusterError if there is no scheduler, or Dask is not installed.
    """

    def __init__(
        self,
        address: str = "",
        *,
        workers: int | None = None,
        memory: int | None = None,
        kernel: str | None = None,
        patience: float = 600.0,
        say: Callable[[str], None] | None = None,
    ) -> None:
        try:
            import distributed as _distributed  # noqa: F401
        except ImportError:
            raise ClusterError(f"the search on a cluster {_EXTRA}") from None
        self.address = address
        self.workers = 0
        """Workers that are there."""
        self.done = 0
        """Tasks answered."""
        self._threads = 0
        self._fallen: dict[str, int | None] = {}
        self._sent: dict[_Asked, float] = {}
        self._memory = memory
        self._kernel = kernel
        self._patience = patience
        self._say = say or (lambda _text: None)
        self._lock = threading.Lock()
        self._connecting = threading.Lock()
        # Several searches may use one scheduler, whose names of tasks must differ.
        self._mark = os.urandom(4).hex()
        self._numbers = itertools.count(1)
        self._closed = threading.Event()
        self._local: distributed.LocalCluster | None = None
        self._client: distributed.Client | None = None
        if not address:
            workers = workers or processors()
            if memory is None:
                self._memory = available_memory() // (workers + 1)
            self._start(workers)
        try:
            self._client = self._connect()
            self._count()
        except BaseException:
            self.close()
            raise
        if not self.workers:
            self._say(f"no workers at {self._where()} yet; waiting for them")
        threading.Thread(target=self._watch, daemon=True).start()

    def _start(self, workers: int) -> None:
        """Start a cluster on this machine."""
        started: list[distributed.LocalCluster] = []
        failure: list[BaseException] = []

        def start() -> None:
            # Ctrl-C reaches the workers as well, and is not for them: they inherit what is blocked
            # here, as soon as there is a tracker (whose start unblocks it).
            resource_tracker.ensure_running()
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            try:
                started.append(_local_cluster(workers))
            except BaseException as error:
                failure.append(error)

        thread = threading.Thread(target=start, daemon=True)
        thread.start()
        while thread.is_alive():
            thread.join(_POLL_SECONDS)
        if failure and isinstance(failure[0], OSError | RuntimeError):
            raise ClusterError(f"cannot start a cluster on this machine: {_reason(failure[0])}")
        if failure:
            raise failure[0]
        self._local = started[0]

    def _connect(self) -> distributed.Client:
        import distributed

        class Client(distributed.Client):  # type: ignore[misc]
            def __del__(self) -> None:
                # Where it could not be made, closing it fails as well, and would be told at length.
                with contextlib.suppress(Exception):
                    super().__del__()

        try:
            client = Client(
                self._local or _address(self.address),
                timeout=min(5.0, self._patience),
                set_as_default=False,
                name="moo",
                heartbeat_interval="5s",
            )
        except ClusterError:
            raise
        except Exception as error:  # whatever Dask makes of an address that is none
            raise ClusterError(f"no scheduler at {shown(self.address)}: {_reason(error)}") from None
        return client

    # ---- where it is ----

    @property
    def in_flight(self) -> int:
        """Tasks that were sent and have no answer yet."""
        return len(self._sent)

    @property
    def dashboard(self) -> str:
        """Address of Dask's dashboard; empty if it has none."""
        client = self._client
        with contextlib.suppress(Exception):
            return str(client.dashboard_link or "") if client is not None else ""
        return ""

    def describe(self) -> str:
        """Say in words what Dask's dashboard shows."""
        return (
            f"{self.workers} worker{'' if self.workers == 1 else 's'}, {self.in_flight}"
            f" task{'' if self.in_flight == 1 else 's'} in flight, {self.done} done"
        )

    def parallel(self) -> int:
        """How many tasks should be under way now."""
        return max(1, self._threads)

    def _where(self) -> str:
        return self.address or "this machine"

    def _watch(self) -> None:
        """Keep count of the workers, and tell them what has changed about their tasks."""
        counted = idle = time.monotonic()
        while not self._closed.wait(_POLL_SECONDS):
            now = time.monotonic()
            with contextlib.suppress(Exception):  # it will be heard of where tasks are sent
                if now - counted >= _COUNT_SECONDS:
                    counted = now
                    self._count()
                with self._lock:
                    if len(self._sent) >= self._threads:
                        idle = now
                    if self._sent and now - idle >= _IDLE_SECONDS:
                        # Some have nothing to do: others give back what takes long, for all.
                        asked, since = min(self._sent.items(), key=lambda item: item[1])
                        if now - since >= _RECALL_SECONDS:
                            self._fallen[asked.number] = None
                            self._sent[asked] = now
                    fallen, self._fallen = self._fallen, {}
                if fallen and self._client is not None:
                    self._client.run(lower, tuple(fallen.items()), on_error="ignore")

    def _count(self) -> None:
        client = self._client
        if client is not None and client.status == "running":
            threads = client.nthreads()
            self.workers, self._threads = len(threads), sum(threads.values())

    # ---- asking ----

    def asker(self, rules: Rules, objective: Objective) -> Callable[[Task], Question]:
        """Return what sends the tasks of one search."""
        from moo_research.codes import CodeSpace

        space = CodeSpace(rules)

        def ask(task: Task) -> Question:
            number = f"{self._mark}-{next(self._numbers)}"
            message = _write_task(number, rules, objective, task, self._memory, self._kernel)
            return _Asked(self, message, f"moo {rules}", _name(space, task))

        return ask

    def _sender(self) -> distributed.Client:
        """Return a client that works; wait for the scheduler if need be."""
        client = self._client
        if client is not None and client.status == "running":
            return client
        with self._connecting:
            client = self._client
            if client is not None and client.status == "running":
                return client
            if self._closed.is_set():
                raise Dropped
            self.workers = self._threads = 0
            self._say(
                f"the scheduler at {self._where()} is gone; waiting up to {self._patience:g} s for"
                " it to come back"
            )
            end = time.monotonic() + self._patience
            while True:
                if self._closed.wait(0.2):
                    raise Dropped
                with contextlib.suppress(ClusterError):
                    if client is not None:
                        _abandon(client)
                    client = self._client = self._connect()
                    self._say("the scheduler is back; what was under way is sent again")
                    return client
                if time.monotonic() > end:
                    raise ClusterError(
                        f"no scheduler at {self._where()} for {self._patience:g} s; what is proven"
                        " is kept, and the same command goes on from there"
                    )

    def close(self) -> None:
        """Let go of the cluster, and end it if it was started here."""
        self._closed.set()
        client, self._client = self._client, None
        if client is not None:
            with contextlib.suppress(Exception):
                client.close(timeout=_CLOSE_SECONDS)
        local, self._local = self._local, None
        if local is not None:
            with contextlib.suppress(Exception):
                local.close(timeout=_CLOSE_SECONDS)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def silence() -> None:
    """Keep Dask from writing to standard error, where :class:`Cluster` says what matters; to be
    called before Dask is imported."""
    with contextlib.suppress(ImportError):
        import dask.config

        names = ("distributed", "distributed.client", "bokeh", "tornado", "tornado.application")
        dask.config.set({"logging": dict.fromkeys(names, "critical")})


class _Asked:
    """A task that was sent to the cluster."""

    def __init__(self, cluster: Cluster, message: Message, game: str, name: str) -> None:
        self._cluster = cluster
        self._message = message
        self._game = game
        self._name = name
        self.number: str = message[1]
        self._cutoff: int = message[8]
        self._settled = threading.Event()
        self._dropped = False
        self._times = 0

    def drop(self) -> None:
        self._dropped = True
        self._settled.set()

    def lower(self, by: int) -> None:
        with self._cluster._lock:
            self._cutoff -= by
            if self._cluster._fallen.get(self.number, 0) is not None:
                self._cluster._fallen[self.number] = self._cutoff

    def answer(self) -> Answer:
        cluster = self._cluster
        with cluster._lock:
            cluster._sent[self] = time.monotonic()
        try:
            while True:
                reply = self._reply()
                if reply is not None:
                    break
            with cluster._lock:
                cluster.done += 1
            return self._read(reply)
        finally:
            with cluster._lock:
                del cluster._sent[self]
                cluster._fallen.pop(self.number, None)

    def _reply(self) -> Message | None:
        """Send the task and wait; None if it has to be sent again."""
        from distributed import KilledWorker
        from distributed.comm import CommClosedError

        cluster = self._cluster
        client = cluster._sender()
        if self._dropped:
            raise Dropped
        self._times += 1
        try:
            future = client.submit(
                work,
                self._message,
                # Dask gathers by the first part of the name, and shows the others.
                key=(self._game, self._name, f"{self.number}-{self._times}"),
                pure=False,
                priority=-len(self._message[7]),
            )
            future.add_done_callback(lambda _future: self._settled.set())
        except Exception:
            # The connection may break at any moment; if it has not, this is an error of ours.
            if client.status == "running":
                raise
            return None
        try:
            self._settled.wait()
            if self._dropped:
                raise Dropped
            self._settled.clear()
            status = future.status
            if status == "finished":
                reply: Message = future.result(timeout=30)
                return reply
            if status != "error":  # cancelled or lost, and not by us
                time.sleep(0.05)
                return None
            error = future.exception(timeout=30)
        except (CommClosedError, OSError):  # TimeoutError is one
            return None
        finally:
            future.release()  # which cancels it, if it still runs
        if isinstance(error, KilledWorker):
            cluster._say(f"workers died of a task again and again ({self._name}); it is sent again")
            return None
        if isinstance(error, MooError):
            raise error
        raise ClusterError(
            f"a worker could not do a task: {type(error).__name__}: {error};"
            f" it needs moo-research {VERSION.partition('-')[0]}"
        )

    def _read(self, reply: Message) -> Answer:
        version, number, said, *more = reply
        if version != VERSION or said == "refused":
            raise ClusterError(
                f"a worker has version {version} of the search, and here it is {VERSION}; install"
                " the same moo-research on all of them"
            )
        if said == "failed":
            raise ClusterError(f"a worker says: {more[0]}")
        rules, cost, bounds, cutoff, guess, proven, counts, seconds = more
        guesses = self._message[9]
        if (number, rules, cost) != self._message[1:4] or len(bounds) > max(1, len(guesses)):
            raise ClusterError("a worker has answered another question")
        return Answer(bounds, cutoff, guess, tuple(_results(rules, proven)), counts, seconds)


def _name(space: Any, task: Task) -> str:
    """Name a task for people: ``01234 1B2C 45670 and 7 more``."""
    words = [f"{space.text(guess)} {response_of_id(answer)}" for guess, answer in task.history]
    words += [space.text(guess) for guess in task.guesses[:1]]
    if len(task.guesses) > 1:
        words.append(f"and {len(task.guesses) - 1} more")
    return " ".join(words)


def _local_cluster(workers: int) -> distributed.LocalCluster:
    import distributed

    class Local(distributed.LocalCluster):  # type: ignore[misc]
        @property
        def shutdown_on_close(self) -> bool:
            """Whether Dask closes it as Python ends, which takes up to ten seconds where
            :meth:`Cluster.close` was interrupted; worker processes end with this one anyway."""
            return False

        @shutdown_on_close.setter
        def shutdown_on_close(self, _wanted: bool) -> None:
            pass

    return Local(
        n_workers=workers,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        memory_limit=0,  # the searches keep to a limit of their own
        silence_logs=logging.CRITICAL,
    )


def _address(address: str) -> str:
    """Return an address, or the one in a scheduler file."""
    if "://" in address or not (address.endswith(".json") or Path(address).exists()):
        return address
    try:
        found = json.loads(Path(address).read_bytes())
    except FileNotFoundError:
        raise ClusterError(f"there is no scheduler file {shown(address)}") from None
    except OSError as error:
        raise ClusterError(f"cannot read {shown(address)}: {error.strerror}") from None
    except (ValueError, RecursionError):
        found = None
    if not (isinstance(found, dict) and isinstance(found.get("address"), str)):
        raise ClusterError(
            f"{shown(address)} is no scheduler file, as dask scheduler --scheduler-file writes it"
        )
    there: str = found["address"]
    return there


def _abandon(client: distributed.Client) -> None:
    with contextlib.suppress(Exception):
        client.close(timeout=0.5)


def _reason(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__
