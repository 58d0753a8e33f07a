"""What has been proven, in a file that outlives the process.

A search proves that the candidates after some history cost exactly so much, or at least so much.
Neither depends on how the candidates were reached, nor on what positions and symbols are called, so
a result is kept under

* the **rules**,
* the **costs** from there on in canonical form (:func:`costs_ahead`): less the first of them,
  divided by what all differences have in common. So the least total is one question at every depth;
* the **image** of the candidates (:class:`Image`): the set after a symmetry of the game that puts
  positions and symbols in an order of their own. Equal images come from equivalent sets only;
* the **version** of the search, whose results no other version makes use of.

The file is an SQLite database. In its write-ahead log a transaction is there as a whole or not at
all, whenever a process is killed; ``synchronous = FULL`` has every one of them on the disk before
the next begins, so that a power cut takes no more; readers and several writers get along. (It wants
a local disk: a network file system has no shared memory for the log's index.) Nothing in the file
is code, and nothing is unpickled. Each row carries a digest of its key and content, the whole file
is checked when it is opened, and a damaged one is renamed, not repaired. The digests guard against
damage, not against a forger; :mod:`moo_research.recheck` solves results afresh.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from moo_research import __version__
from moo_research.errors import StoreError
from moo_research.objective import LARGEST_SUM, Objective

if TYPE_CHECKING:
    import numpy as np

    from moo_research.rules import Rules

__all__ = [
    "SUFFIX",
    "VERSION",
    "Costs",
    "Image",
    "Key",
    "Merged",
    "Notes",
    "Proven",
    "Store",
    "StoreCount",
    "Unfinished",
    "costs_ahead",
    "default_path",
    "objective_of",
    "read_line",
    "read_lines",
    "write_line",
]

VERSION = f"{__version__}-1"
"""Version of the search. The number behind the hyphen is raised by every change after which an old
result could be wrong or not be found; results of another version are never used."""

SUFFIX = ".sqlite"
"""How the name of a store ends."""

_APPLICATION = 0x6D6F6F53  # "mooS", in the header of the file
_FORMAT = 1
_BUSY_SECONDS = 5
_FLUSH_SECONDS = 1.0
_RETRY_SECONDS = 10.0
_MOST_NOTES = 200_000

T = TypeVar("T")

_SCHEMA = """
CREATE TABLE IF NOT EXISTS question (
    id INTEGER PRIMARY KEY,
    rules TEXT NOT NULL,
    cost TEXT NOT NULL,
    version TEXT NOT NULL,
    UNIQUE (rules, cost, version)
) STRICT;
CREATE TABLE IF NOT EXISTS proven (
    question INTEGER NOT NULL REFERENCES question,
    image BLOB NOT NULL,
    size INTEGER NOT NULL,
    history TEXT NOT NULL,
    bound INTEGER,
    exact INTEGER NOT NULL,
    guess TEXT,
    digest BLOB NOT NULL,
    PRIMARY KEY (question, image)
) STRICT, WITHOUT ROWID;
"""

# Stores of before have none.
_UNFINISHED = """
CREATE TABLE IF NOT EXISTS unfinished (
    rules TEXT NOT NULL,
    cost TEXT NOT NULL,
    history TEXT NOT NULL,
    version TEXT NOT NULL,
    run BLOB NOT NULL,
    content BLOB NOT NULL,
    digest BLOB NOT NULL,
    PRIMARY KEY (rules, cost, history, version, run)
) STRICT;
"""

_ROWS = """
SELECT rules, cost, version, image, size, history, bound, exact, guess, digest
FROM proven JOIN question ON question.id = proven.question
"""

# Only what says more replaces what is there: an exact value any bound, a bound a smaller one.
_KEEP = """
INSERT INTO proven (question, image, size, history, bound, exact, guess, digest)
VALUES ((SELECT id FROM question WHERE rules = ? AND cost = ? AND version = ?),
        ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (question, image) DO UPDATE
SET size = excluded.size, history = excluded.history, bound = excluded.bound,
    exact = excluded.exact, guess = excluded.guess, digest = excluded.digest
WHERE NOT proven.exact AND (excluded.exact OR excluded.bound > proven.bound)
"""


@dataclass(frozen=True, slots=True)
class Costs:
    """The costs that lie ahead, in canonical form: cost of guess k = ``first`` + ``scale`` x c[k],
    where c[1] = 0."""

    text: str
    """The c[k], then ``step N`` or ``limit`` as in a certificate: ``0 step 1`` for the total."""

    first: int
    scale: int

    def shrink(self, bound: int | None, size: int) -> int | None:
        """Turn a cost of so many secrets, or a lower bound of it, into one of the canonical form;
        None stays None (cannot be solved in time)."""
        return None if bound is None else -((size * self.first - bound) // self.scale)

    def expand(self, bound: int | None, size: int) -> int | None:
        """Turn a cost or lower bound of the canonical form back."""
        return None if bound is None else size * self.first + self.scale * bound


def costs_ahead(objective: Objective, depth: int) -> Costs:
    """Return the costs of an objective after ``depth`` guesses; a limit must leave one more."""
    start = list(objective.costs(max(depth + 1, len(objective.start)))[depth:])
    step = objective.step
    if not start:
        raise StoreError("no guess is left within the limit")
    if step is not None:
        while len(start) > 1 and start[-1] - start[-2] == step:
            start.pop()
    first = start[0]
    scale = math.gcd(*(cost - first for cost in start), step or 0) or 1
    numbers = tuple((cost - first) // scale for cost in start)
    ahead = Objective("ahead", numbers, None if step is None else step // scale)
    return Costs(ahead.text, first, scale)


def objective_of(costs: str, depth: int) -> Objective:
    """Return an objective whose costs after ``depth`` guesses are those of a :class:`Costs`'
    text."""
    numbers, step = costs, None
    if costs.endswith(" limit"):
        numbers = costs.removesuffix(" limit")
    else:
        numbers, _, last = costs.partition(" step ")
        step = int(last)
    return Objective("kept", (0,) * depth + tuple(map(int, numbers.split())), step)


@dataclass(frozen=True, slots=True)
class Image:
    """What a set of codes looks like under a symmetry that it chooses itself.

    Positions, then symbols, are put in order by how often the set has each symbol at each position.
    Ties are left as they fall, so that equivalent sets may have different images; then one of
    them is solved twice.
    """

    digest: bytes
    """16 bytes that stand for the codes of the image."""

    position: tuple[int, ...]
    """Position p of a code becomes ``position[p]``."""

    symbol: tuple[int, ...]
    """Symbol s becomes ``symbol[s]``."""

    @classmethod
    def of(cls, rules: Rules, codes: np.ndarray) -> Image:
        """Return the image of a set of codes: a row of symbols each, (codes, positions)."""
        import numpy as np

        positions, symbols = rules.positions, rules.symbols
        places = codes + np.arange(positions) * symbols
        often = np.bincount(places.ravel(), minlength=positions * symbols)
        often = often.reshape(positions, symbols)
        # Without a leading zero the first position and the first symbol keep their places.
        fixed = not rules.leading_zero
        looks = [(not (fixed and p == 0), *sorted(often[p].tolist())) for p in range(positions)]
        order = sorted(range(positions), key=looks.__getitem__)
        kind = {look: i for i, look in enumerate(sorted(set(looks)))}
        kinds = [kind[look] for look in looks]
        columns = often.T.tolist()
        marks = [
            (
                not (fixed and s == 0),
                not any(column),  # symbols that the set does not have come last
                *sorted(zip(kinds, column, strict=True)),
            )
            for s, column in enumerate(columns)
        ]
        ranks = sorted(range(symbols), key=marks.__getitem__)
        position, symbol = _inverse(order), _inverse(ranks)
        weights = symbols ** np.arange(positions - 1, -1, -1, dtype=np.int64)
        renamed = np.asarray(symbol, dtype=np.int64)[codes[:, order]]
        numbers = np.sort(renamed @ weights).astype("<i8")
        return cls(blake2b(numbers.tobytes(), digest_size=16).digest(), position, symbol)

    def forth(self, code: Sequence[int]) -> tuple[int, ...]:
        """Return the image of a code."""
        image = [0] * len(code)
        for p, s in enumerate(code):
            image[self.position[p]] = self.symbol[s]
        return tuple(image)

    def back(self, image: Sequence[int]) -> tuple[int, ...]:
        """Return the code that has an image."""
        origin = _inverse(self.symbol)
        return tuple(origin[image[place]] for place in self.position)


def _inverse(order: Sequence[int]) -> tuple[int, ...]:
    inverse = [0] * len(order)
    for place, one in enumerate(order):
        inverse[one] = place
    return tuple(inverse)


@dataclass(frozen=True, slots=True)
class Key:
    """What a result is about."""

    rules: str
    cost: str
    """Text of the :class:`Costs` ahead."""

    image: bytes
    """Digest of the candidates' image."""

    size: int
    """Number of candidates."""

    version: str = VERSION


@dataclass(frozen=True, slots=True)
class Proven:
    """What is proven of a set of candidates, in the canonical form of costs."""

    history: str
    """Turns whose candidates are such a set: ``0123 0B1C 1456 0B1C``."""

    bound: int | None
    """The least cost, or a lower bound; None if they cannot be solved within the limit."""

    exact: bool
    guess: str | None = None
    """Image of a guess that attains an exact cost."""

    def beats(self, other: Proven | None) -> bool:
        """Whether this says more than another result about the same set."""
        if other is None:
            return True
        if other.exact or other.bound is None:
            return False
        return self.exact or self.bound is None or self.bound > other.bound


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A search that may have been interrupted."""

    rules: str
    cost: str
    """Costs of all guesses of the game, as they were minimised: ``1 step 1``."""

    history: str
    """What came before."""

    version: str = VERSION


@dataclass(frozen=True, slots=True)
class StoreCount:
    """How much is kept about one question."""

    rules: str
    cost: str
    version: str
    values: int
    """Results that are exact."""

    bounds: int
    """Lower bounds."""

    largest: int
    """Most candidates of a result."""


@dataclass(frozen=True, slots=True)
class Merged:
    """What became of the results of another store."""

    new: int
    """Results about sets that nothing, or less, was known of."""

    known: int
    """Results that said no more than what was there."""

    refused: int
    """Results of another version of the search."""


def default_path() -> Path:
    """Return where results are kept: ``$MOO_STORE``, or ``moo_research/store.sqlite`` in
    ``$XDG_DATA_HOME`` or ``~/.local/share``."""
    chosen = os.environ.get("MOO_STORE")
    if chosen:
        return Path(chosen)
    data = os.environ.get("XDG_DATA_HOME")
    # A path that is not absolute is to be ignored, says the standard.
    try:
        folder = Path(data) if data and os.path.isabs(data) else Path.home() / ".local" / "share"
    except RuntimeError:
        raise StoreError("there is no home folder; name the store by MOO_STORE") from None
    return folder / "moo_research" / f"store{SUFFIX}"


def _digest(key: Key, proven: Proven) -> bytes:
    fields = (
        key.rules,
        key.cost,
        key.version,
        key.image.hex(),
        key.size,
        proven.history,
        proven.bound,
        proven.exact,
        proven.guess,
    )
    return blake2b(json.dumps(fields).encode(), digest_size=12).digest()


def _digest_of_state(search: Unfinished, run: bytes, content: bytes) -> bytes:
    fields = (search.rules, search.cost, search.history, search.version, run.hex())
    head = json.dumps(fields).encode()
    return blake2b(len(head).to_bytes(8) + head + content, digest_size=12).digest()


# What reading a database may raise: a message about damaged text is itself no text, perhaps.
_TROUBLE = (sqlite3.Error, UnicodeDecodeError)


class _Damaged(Exception):
    """The file is no longer what was written."""


class Store:
    """Proven results in a file, and those that are on their way there.

    ``say`` is told, a line each, of what a person should know: that a damaged file was renamed, or
    that the disk is full. A result that cannot be written stays in memory and is tried again.
    The file and its folder are made if they are missing, unless it is ``read_only``; then damage
    is an error, too. A store may be used from several threads, and its file by several
    processes. Raises :class:`~moo_research.errors.StoreError` if the file is another program's,
    from a newer version, or cannot be opened.
    """

    def __init__(
        self,
        path: Path | str | None = None,
        *,
        say: Callable[[str], None] | None = None,
        read_only: bool = False,
    ) -> None:
        self.path = default_path() if path is None else Path(path)
        self.kept = 0
        """Results that were given to keep and said something new."""
        self._used: set[Key] = set()
        self._run = os.urandom(8)
        self._taken_over: dict[Unfinished, list[bytes]] = {}
        self._say = say or (lambda _text: None)
        self._read_only = read_only
        self._pending: dict[Key, Proven] = {}
        self._own: dict[Key, Proven] = {}
        self._sizes: dict[tuple[str, str], set[int]] = {}
        self._lock = threading.RLock()
        self._flushed = time.monotonic()
        self._trouble = ""
        self._inode: int | None = None
        self._log: int | None = None
        self._base: sqlite3.Connection | None = None
        if read_only and not self.path.is_file():
            raise StoreError(f"there is no store {self.path}; moo solve --resume makes one")
        try:
            self._base = self._open()
        except _Damaged as error:
            if read_only:
                raise StoreError(f"the store {self.path} is damaged: {error}") from None
            self._base = self._set_aside()

    # ---- asking and telling ----

    def knows_size(self, rules: str, cost: str, size: int) -> bool:
        """Whether earlier searches kept anything about sets of so many candidates: to name a set
        and look for it is not free."""
        with self._lock:
            sizes = self._sizes.get((rules, cost))
            if sizes is None:
                sizes = self._sizes[rules, cost] = self._guarded(
                    lambda base: {
                        row[0]
                        for row in base.execute(
                            "SELECT DISTINCT size FROM proven JOIN question ON"
                            " question.id = question WHERE rules = ? AND cost = ? AND version = ?",
                            (rules, cost, VERSION),
                        )
                    },
                    set(),
                )
            return size in sizes

    def find(self, key: Key) -> Proven | None:
        """Return what is kept, or None."""
        with self._lock:
            found = self._look(key)
            if found is not None and key not in self._own:
                self._used.add(key)
            return found

    @property
    def used(self) -> int:
        """Number of results of earlier searches that were asked for and found."""
        return len(self._used)

    def _look(self, key: Key) -> Proven | None:
        mine = self._own.get(key) or self._pending.get(key)
        if mine is not None and mine.exact:
            return mine
        found = self._guarded(lambda base: self._read(base, key), None)
        return mine if found is None or (mine is not None and mine.beats(found)) else found

    def about(self, rules: str, costs: Collection[str]) -> list[tuple[Key, Proven]]:
        """Return what earlier searches kept about a game and these costs ahead."""
        marks = ", ".join("?" * len(costs))

        def read(base: sqlite3.Connection) -> list[tuple[Key, Proven]]:
            rows = base.execute(
                f"{_ROWS} WHERE rules = ? AND version = ? AND cost IN ({marks})",
                (rules, VERSION, *costs),
            )
            return [_result(row) for row in rows]

        with self._lock:
            found: list[tuple[Key, Proven]] = self._guarded(read, [])
            self._used.update(key for key, _proven in found if key not in self._own)
            return found

    def keep(self, key: Key, proven: Proven) -> None:
        """Keep a result; it is written within seconds, with those that come until then."""
        with self._lock:
            if not proven.beats(self._own.get(key)):
                return
            self._pending[key] = self._own[key] = proven
            self.kept += 1

    def unfinished(self) -> list[tuple[Unfinished, bytes]]:
        """Return what searches that were interrupted, or are under way, have left."""

        def read(base: sqlite3.Connection) -> list[tuple[Unfinished, bytes]]:
            return [(search, content) for search, _run, content in _states(base)]

        with self._lock:
            nothing: list[tuple[Unfinished, bytes]] = []
            return self._guarded(read, nothing)

    def take_over(self, search: Unfinished) -> list[bytes]:
        """Return what earlier runs of a search have left, which then is this one's."""
        nothing: list[tuple[Unfinished, bytes, bytes]] = []
        with self._lock:
            found = self._guarded(lambda base: list(_states(base, search)), nothing)
            self._taken_over[search] = [run for _search, run, _content in found]
            return [content for _search, _run, content in found]

    def leave(self, search: Unfinished, content: bytes | None) -> None:
        """Keep, at once, what a search would leave if it were interrupted now, in place of what it
        has left before and what it has taken over; or None when it is through, in place of all that
        any run of it has left."""
        names = (search.rules, search.cost, search.history, search.version)

        def write(base: sqlite3.Connection) -> None:
            with _transaction(base):
                if content is None:
                    base.execute(
                        "DELETE FROM unfinished WHERE (rules, cost, history, version) ="
                        " (?, ?, ?, ?)",
                        names,
                    )
                    return
                base.executemany(
                    "DELETE FROM unfinished WHERE"
                    " (rules, cost, history, version, run) = (?, ?, ?, ?, ?)",
                    [(*names, run) for run in {self._run, *self._taken_over.get(search, ())}],
                )
                _write_state(base, search, self._run, content)
            self._taken_over.pop(search, None)

        with self._lock:
            self._follow()
            self._guarded(write, None)

    def merge_unfinished(self, other: Store) -> int:
        """Add what searches of this version have left in another store; return how many."""
        with other._lock:
            nothing: list[tuple[Unfinished, bytes, bytes]] = []
            found = other._guarded(lambda base: list(_states(base)), nothing)
        found = [state for state in found if state[0].version == VERSION]

        def write(base: sqlite3.Connection) -> None:
            with _transaction(base):
                for search, run, content in found:
                    _write_state(base, search, run, content)

        with self._lock:
            self._guarded(write, None)
            if found and self._trouble:
                raise StoreError(f"cannot write {self.path}: {self._trouble}")
        return len(found)

    def _follow(self) -> None:
        """If the file was moved, deleted or replaced, go on in the one that is there, or in a new
        one, with all that was proven by this process."""
        if self._base is None or _inode(self.path) == self._inode:
            return
        self._say(
            f"{self.path} was moved, deleted or replaced; what was proven is written to another"
        )
        # Its log stays behind, and would be taken for that of the file that is there now.
        log = Path(f"{self.path}-wal")
        mine = self._log is not None and _inode(log) == self._log
        with contextlib.suppress(sqlite3.Error):
            self._base.close()
        self._base = None
        if mine:
            for suffix in ("-wal", "-shm"):
                with contextlib.suppress(OSError):
                    os.unlink(f"{self.path}{suffix}")
        self._sizes.clear()
        self._pending |= self._own
        try:
            self._base = self._open()
        except _Damaged:
            try:
                self._base = self._set_aside()
            except StoreError as error:
                self._complain(str(error))
        except StoreError as error:
            self._complain(str(error))

    def flush(self, *, force: bool = False) -> bool:
        """Write what is on its way if it has waited long enough, or now; whether all is written.

        To be called before work that takes long.
        """
        with self._lock:
            patience = _RETRY_SECONDS if self._trouble else _FLUSH_SECONDS
            if self._pending and (force or time.monotonic() - self._flushed >= patience):
                self._follow()
                self._guarded(self._write, None)
                self._flushed = time.monotonic()
            return not self._pending

    def close(self) -> None:
        """Write what is left, and let go of the file."""
        with self._lock:
            if not self.flush(force=True):
                self._say(
                    f"{len(self._pending)} proven results could not be kept in {self.path}:"
                    f" {self._trouble}"
                )
            if self._base is not None:
                with contextlib.suppress(sqlite3.Error):
                    self._base.close()
            self._base = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # ---- the whole of it ----

    def count(self) -> tuple[StoreCount, ...]:
        """Return how much is kept about each question, the results of other versions included."""
        self.flush(force=True)
        return tuple(
            StoreCount(*row)
            for row in self._rows(
                "SELECT rules, cost, version, sum(exact), sum(1 - exact), max(size)"
                " FROM proven JOIN question ON question.id = question"
                " GROUP BY rules, cost, version ORDER BY rules, cost, version"
            )
        )

    def results(self) -> Iterator[tuple[Key, Proven]]:
        """Yield all that is kept, of all versions, each row checked; StoreError for a bad one."""
        self.flush(force=True)
        for row in self._rows(f"{_ROWS} ORDER BY rules, cost, version, size DESC, image"):
            try:
                yield _result(row)
            except _Damaged as error:
                raise StoreError(f"{self.path} is damaged: {error}") from None

    def merge(self, results: Iterable[tuple[Key, Proven]]) -> Merged:
        """Add results of another store; those of another version of the search are refused."""
        new = known = refused = 0
        for key, proven in results:
            if key.version != VERSION:
                refused += 1
                continue
            with self._lock:
                if proven.beats(self._look(key)):
                    self._pending[key] = proven
                    new += 1
                else:
                    known += 1
            self.flush()
        if not self.flush(force=True):
            raise StoreError(f"cannot write {self.path}: {self._trouble}")
        return Merged(new, known, refused)

    # ---- the file ----

    def _open(self) -> sqlite3.Connection:
        """Open and check the file; _Damaged if it is not what was written."""
        path = self.path
        began = time.monotonic()
        while True:
            base = None
            try:
                if not self._read_only:
                    path.parent.mkdir(parents=True, exist_ok=True)
                base = sqlite3.connect(
                    f"{path.absolute().as_uri()}?{self._mode()}",
                    uri=True,
                    timeout=_BUSY_SECONDS,
                    isolation_level=None,
                    check_same_thread=False,
                )
                self._inode = _inode(path)
                self._prepare(base)
                self._log = _inode(Path(f"{path}-wal"))
                return base
            except BaseException as error:
                if base is not None:
                    base.close()
                if not isinstance(error, (OSError, *_TROUBLE)):
                    raise
                if isinstance(error, _TROUBLE):
                    if _is_damage(error):
                        raise _Damaged(_reason(error)) from None
                    # The change to a write-ahead log does not wait for another process.
                    if _is_busy(error) and time.monotonic() - began < _BUSY_SECONDS:
                        time.sleep(0.05)
                        continue
                raise StoreError(f"cannot open the store {path}: {_reason(error)}") from None

    def _mode(self) -> str:
        if not self._read_only:
            return "mode=rwc"
        # The index of the log is written to even by readers; where that cannot be and there is no
        # log, the file is read as it is.
        alone = not os.access(self.path.absolute().parent, os.W_OK)
        alone = alone and not Path(f"{self.path}-wal").exists()
        return "mode=ro&immutable=1" if alone else "mode=ro"

    def _prepare(self, base: sqlite3.Connection) -> None:
        base.execute("BEGIN")  # another process may be making it: all of this or none
        empty = not base.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        application = base.execute("PRAGMA application_id").fetchone()[0]
        form = base.execute("PRAGMA user_version").fetchone()[0]
        base.execute("COMMIT")
        if application != _APPLICATION and not (empty and application == 0):
            raise StoreError(f"{self.path} is a database of another program")
        if form > _FORMAT:
            raise StoreError(f"{self.path} is from a newer version of this program")
        if empty and application == _APPLICATION:
            raise _Damaged("its tables are gone")
        if not self._read_only:
            base.execute("PRAGMA journal_mode = WAL")
            base.execute("PRAGMA synchronous = FULL")
        if empty and self._read_only:
            raise StoreError(f"{self.path} is no store")
        if empty:
            base.executescript(
                f"BEGIN IMMEDIATE; PRAGMA application_id = {_APPLICATION};"
                f" PRAGMA user_version = {_FORMAT}; {_SCHEMA} {_UNFINISHED} COMMIT;"
            )
            return
        told = [row[0] for row in base.execute("PRAGMA integrity_check(1)")]
        if told != ["ok"]:
            raise _Damaged(_one_line(told[0]))
        try:
            for row in base.execute(_ROWS):
                _result(row)
            for _ in _states(base):
                pass
            orphans = base.execute(
                "SELECT count(*) FROM proven WHERE question NOT IN (SELECT id FROM question)"
            ).fetchone()[0]
        except sqlite3.OperationalError as error:
            if getattr(error, "sqlite_errorcode", None) != sqlite3.SQLITE_ERROR:
                raise
            # It has other tables or columns, though it is a store.
            raise _Damaged(_reason(error)) from None
        if orphans:
            raise _Damaged("results without a question")
        if not self._read_only:
            base.executescript(f"BEGIN IMMEDIATE; {_UNFINISHED} COMMIT;")

    def _set_aside(self) -> sqlite3.Connection:
        """Rename a damaged file and begin another."""
        for number in range(1, 10_000):
            aside = self.path.with_name(f"{self.path.name}.damaged-{number}")
            if not aside.exists():
                break
        try:
            if _inode(self.path) != self._inode:
                raise FileNotFoundError  # another process was quicker
            os.replace(self.path, aside)
            # The log last: without its database SQLite throws it away, and never reads it.
            for suffix in ("-wal", "-shm"):
                with contextlib.suppress(FileNotFoundError):
                    os.replace(f"{self.path}{suffix}", f"{aside}{suffix}")
            self._say(
                f"the store {self.path} was damaged; it is now {aside.name}, and a new one begun"
            )
        except FileNotFoundError:
            self._say(f"the store {self.path} was damaged, and another is in its place")
        except OSError as error:
            raise StoreError(
                f"the store {self.path} is damaged, and cannot be renamed: {_reason(error)}"
            ) from None
        self._sizes.clear()
        self._pending |= self._own  # what this search has proven need not be proven again
        try:
            return self._open()
        except _Damaged as error:
            raise StoreError(f"the store {self.path} is damaged again: {error}") from None

    def _guarded(self, work: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """Do something with the file; whatever goes wrong must not stop a search."""
        if self._base is None:
            return otherwise
        try:
            return work(self._base)
        except _TROUBLE as error:
            if not _is_damage(error):
                self._complain(_reason(error))
                return otherwise
        except _Damaged:
            pass
        with contextlib.suppress(sqlite3.Error):
            self._base.close()
        self._base = None
        try:
            self._base = self._set_aside()
        except StoreError as error:
            self._complain(str(error))
        return otherwise

    def _complain(self, reason: str) -> None:
        if not self._trouble:
            self._say(f"{self.path}: {reason}; what is proven stays in memory for now")
        self._trouble = reason

    def _write(self, base: sqlite3.Connection) -> None:
        """Write all that is on its way, or nothing."""
        with _transaction(base):
            base.executemany(
                "INSERT OR IGNORE INTO question (rules, cost, version) VALUES (?, ?, ?)",
                {(key.rules, key.cost, key.version) for key in self._pending},
            )
            base.executemany(
                _KEEP,
                (
                    (
                        *(key.rules, key.cost, key.version, key.image, key.size),
                        *(proven.history, proven.bound, int(proven.exact), proven.guess),
                        _digest(key, proven),
                    )
                    for key, proven in self._pending.items()
                ),
            )
        self._pending.clear()
        self._trouble = ""

    def _read(self, base: sqlite3.Connection, key: Key) -> Proven | None:
        row = base.execute(
            f"{_ROWS} WHERE rules = ? AND cost = ? AND version = ? AND image = ?",
            (key.rules, key.cost, key.version, key.image),
        ).fetchone()
        if row is None:
            return None
        found, proven = _result(row)
        if found != key:
            raise _Damaged("a set of another size")
        return proven

    def _rows(self, query: str) -> Iterator[tuple[Any, ...]]:
        if self._base is None:
            raise StoreError(f"the store {self.path} is closed")
        rows = None
        while True:
            try:
                rows = rows or self._base.execute(query)
                row = rows.fetchone()
            except _TROUBLE as error:
                raise StoreError(f"cannot read {self.path}: {_reason(error)}") from None
            if row is None:
                return
            yield row


@contextlib.contextmanager
def _transaction(base: sqlite3.Connection) -> Iterator[None]:
    """Have all that is written within, or nothing."""
    base.execute("BEGIN IMMEDIATE")
    try:
        yield
        base.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            if base.in_transaction:
                base.execute("ROLLBACK")
        raise


def _write_state(base: sqlite3.Connection, search: Unfinished, run: bytes, content: bytes) -> None:
    base.execute(
        "INSERT OR REPLACE INTO unfinished VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            *(search.rules, search.cost, search.history, search.version),
            *(run, content, _digest_of_state(search, run, content)),
        ),
    )


def _states(
    base: sqlite3.Connection, about: Unfinished | None = None
) -> Iterator[tuple[Unfinished, bytes, bytes]]:
    """Yield what searches have left, all or this one: search, run and content; _Damaged unless each
    digest is that of the rest."""
    query = "SELECT rules, cost, history, version, run, content, digest FROM unfinished"
    names: tuple[str, ...] = ()
    if about is not None:
        query += " WHERE (rules, cost, history, version) = (?, ?, ?, ?)"
        names = (about.rules, about.cost, about.history, about.version)
    if not base.execute("SELECT 1 FROM sqlite_master WHERE name = 'unfinished'").fetchone():
        return
    for *texts, run, content, digest in base.execute(query, names):
        sound = all(type(text) is str for text in texts)
        sound = sound and type(run) is bytes and type(content) is bytes
        search = Unfinished(*texts)
        if not sound or _digest_of_state(search, run, content) != digest:
            raise _Damaged("an unfinished search that does not fit its digest")
        yield search, run, content


def _result(row: Sequence[Any]) -> tuple[Key, Proven]:
    """Read a row; _Damaged unless its digest is that of its key and content."""
    rules, cost, version, image, size, history, bound, exact, guess, digest = row
    key = Key(rules, cost, image, size, version)
    proven = Proven(history, bound, bool(exact), guess)
    texts = (rules, cost, version, history, *(() if guess is None else (guess,)))
    numbers = (size, *(() if bound is None else (bound,)))
    sound = (
        all(type(text) is str for text in texts)
        and all(type(number) is int and abs(number) <= LARGEST_SUM for number in numbers)
        and type(image) is bytes
        and exact in (0, 1)
        and _digest(key, proven) == digest
    )
    if not sound:
        raise _Damaged("a row that does not fit its digest")
    return key, proven


def _is_damage(error: Exception) -> bool:
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:  # raised by the module: text that is no UTF-8, say
        return not isinstance(error, sqlite3.ProgrammingError)
    return code & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _inode(path: Path) -> int | None:
    try:
        return path.stat().st_ino
    except OSError:
        return None


def _is_busy(error: Exception) -> bool:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return _one_line(str(error))


def _one_line(text: str) -> str:
    """Write what SQLite says, in lines or with pieces of damaged text, on one line."""
    return "".join(char if char.isprintable() else "?" for char in " ".join(text.split()))


_LINE = (
    *("rules", "cost", "version", "image", "size"),
    *("history", "bound", "exact", "guess", "digest"),
)


def write_line(key: Key, proven: Proven) -> str:
    """Write a result as a JSON object on one line."""
    return json.dumps(
        {
            "rules": key.rules,
            "cost": key.cost,
            "version": key.version,
            "image": key.image.hex(),
            "size": key.size,
            "history": proven.history,
            "bound": proven.bound,
            "exact": proven.exact,
            "guess": proven.guess,
            "digest": _digest(key, proven).hex(),
        }
    )


def read_line(line: str) -> tuple[Key, Proven]:
    """Read a result that was written with :func:`write_line`; StoreError if it is none."""
    try:
        row = json.loads(line)
        fields = [row[name] for name in _LINE]
        fields[3], fields[9] = bytes.fromhex(fields[3]), bytes.fromhex(fields[9])
        return _result(fields)
    except (ValueError, KeyError, TypeError, RecursionError, _Damaged):
        raise StoreError("is no result of a store, or was altered") from None


def read_lines(path: Path | str) -> Iterator[tuple[Key, Proven]]:
    """Read results that were written with :func:`write_line`; StoreError names a bad line."""
    number = 1
    try:
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                yield read_line(line)
                number += 1
    except OSError as error:
        raise StoreError(f"cannot read {path}: {_reason(error)}") from None
    except (UnicodeDecodeError, StoreError):
        raise StoreError(f"{path}: line {number} is no result of a store, or was altered") from None


class Notes:
    """Results in memory, for a search whose results are kept elsewhere; used as a :class:`Store`.

    What comes from outside (:meth:`add`) is found; what is proven here (:meth:`keep`) is handed
    out once (:meth:`take`).
    """

    path = "memory"

    def __init__(self) -> None:
        self.used = 0
        self.kept = 0
        self._known: dict[Key, Proven] = {}
        self._sizes: set[tuple[str, str, int]] = set()
        self._new: dict[Key, Proven] = {}

    def knows_size(self, rules: str, cost: str, size: int) -> bool:
        """Whether anything about sets of so many candidates came from outside."""
        return (rules, cost, size) in self._sizes

    def about(self, rules: str, costs: Collection[str]) -> list[tuple[Key, Proven]]:
        """Return what is known of a game and these costs ahead."""
        known = list(self._known.items())
        return [(k, proven) for k, proven in known if k.rules == rules and k.cost in costs]

    def known(self, key: Key) -> Proven | None:
        """Return what is known, or None, without counting it as used."""
        return self._known.get(key)

    def find(self, key: Key) -> Proven | None:
        """Return what is known, or None."""
        found = self._known.get(key)
        self.used += found is not None
        return found

    def keep(self, key: Key, proven: Proven) -> None:
        """Keep a result, to be found here and to be handed out."""
        if proven.beats(self._known.get(key)):
            self.kept += 1
            self._room()
            self._known[key] = self._new[key] = proven

    def take_over(self, search: Unfinished) -> list[bytes]:
        """Return nothing, as nothing is left here."""
        return []

    def leave(self, search: Unfinished, content: bytes | None) -> None:
        """Do nothing: what outlives the process is kept elsewhere."""

    def add(self, key: Key, proven: Proven) -> None:
        """Take a result from outside."""
        if proven.beats(self._known.get(key)):
            self._room()
            self._known[key] = proven
        self._sizes.add((key.rules, key.cost, key.size))

    def take(self) -> dict[Key, Proven]:
        """Return the results that were kept since this was last asked."""
        new, self._new = self._new, {}
        return new

    def flush(self, *, force: bool = False) -> bool:
        """Do nothing: there is no file."""
        return True

    def _room(self) -> None:
        if len(self._known) >= _MOST_NOTES:
            self._known.clear()
