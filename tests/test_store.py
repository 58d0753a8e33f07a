"""Proven results in a file, and the search divided into tasks.

Expected costs come from tests/oracles/brute_force.py; what is said of images is checked by carrying
the symmetry out.
"""

import gc
import json
import math
import queue
import random
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from click.testing import Result
from hypothesis import given, settings
from hypothesis import strategies as st

from moo_research import _engine
from moo_research import division as division_module
from moo_research import search as search_module
from moo_research.cli import common
from moo_research.codes import CodeSpace
from moo_research.division import (
    Answer,
    Division,
    Dropped,
    Question,
    Task,
    pack_left,
    read_history,
)
from moo_research.errors import MooError, StoreError
from moo_research.objective import Objective
from moo_research.recheck import recheck
from moo_research.rules import Rules
from moo_research.search import Engine, Search, prove, solve
from moo_research.store import (
    VERSION,
    Image,
    Key,
    Notes,
    Proven,
    Store,
    Unfinished,
    costs_ahead,
    default_path,
    objective_of,
    read_lines,
    write_line,
)
from moo_research.tree import DecisionTree
from tests.oracles.brute_force import INFINITE, Game, least_cost, vector

Moo = Callable[..., Result]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "some.sqlite"


@pytest.fixture
def finely(monkeypatch: pytest.MonkeyPatch) -> None:
    """Divide down to pairs of candidates and keep everything, so that small games tell much."""
    monkeypatch.setattr(search_module, "Division", partial(Division, task_size=2, worth=0))


def key(**changes: Any) -> Key:
    fields = {"rules": "4x10", "cost": "0 step 1", "image": b"i" * 16, "size": 100}
    return Key(**{**fields, **changes})


def said() -> tuple[list[str], Callable[[str], None]]:
    lines: list[str] = []
    return lines, lines.append


# --- The search in tasks ------------------------------------------------------------------------

GAMES = ("2x3", "2x4", "2x5", "3x4", "2x3r", "2x4r", "3x2r", "2x4z", "2x5z", "2x3rz", "3x2rz")
OBJECTIVES = (
    Objective.mean(),
    Objective.within(3),
    Objective.within(5),
    Objective.at_last(4, 24),
    Objective.odds(2),
    Objective.odds(3),
    Objective.against((1, 3, 6, 2)),
    Objective.mean().limited(5),
    Objective.raw((1, 1, 5, 6, 30, 31)),
    Objective("concave", (0, 10, 15, 17, 18), 0),
    Objective.odds(3).then(Objective.mean(), 24),
    Objective.at_last(5, 24).limited(5).then(Objective.mean(), 24),
)


@cache
def expected(text: str, objective: Objective) -> float:
    rules = Rules.parse(text)
    game = Game(rules.positions, rules.symbols, rules.repeats, rules.leading_zero)
    return least_cost(game, vector(objective.start, objective.step))


def check(text: str, objective: Objective, store: Store, threads: int = 1) -> None:
    """The optimum is the brute force's, and the replayed tree attains it."""
    solution = prove(Engine(text, threads=threads, store=store), objective)
    wanted = expected(text, objective)
    assert solution.optimum == (None if wanted == INFINITE else wanted)
    assert (solution.tree is None) == (wanted == INFINITE)


@pytest.mark.usefixtures("finely")
@pytest.mark.parametrize("text", GAMES)
def test_tasks_give_the_optimum_of_brute_force(text: str, path: Path) -> None:
    with Store(path) as store:
        for objective in OBJECTIVES:
            check(text, objective, store)
    with Store(path) as store:  # all of it, from the file
        for objective in OBJECTIVES:
            check(text, objective, store)
        if text != "2x3":  # three codes in a part are settled at once
            assert store.used > 0


@pytest.mark.usefixtures("finely")
@pytest.mark.parametrize("text", ["3x4", "2x4r", "2x5z"])
def test_any_part_of_the_results_will_do(text: str, path: Path) -> None:
    with Store(path) as store:
        for objective in OBJECTIVES:
            check(text, objective, store)
    for seed in range(4):
        with sqlite3.connect(path) as base:
            images = [row[0] for row in base.execute("SELECT image FROM proven ORDER BY image")]
            lost = random.Random(seed).sample(images, len(images) // 2)
            base.executemany("DELETE FROM proven WHERE image = ?", [(image,) for image in lost])
        base.close()
        with Store(path) as store:
            for objective in OBJECTIVES:
                check(text, objective, store)


@settings(max_examples=40)
@given(
    text=st.sampled_from(("2x4", "3x4", "2x4r", "2x4z")),
    first=st.integers(0, 3),
    steps=st.lists(st.integers(0, 6), min_size=1, max_size=5),
    step=st.one_of(st.none(), st.integers(0, 3)),
)
def test_tasks_and_any_costs(text: str, first: int, steps: list[int], step: int | None) -> None:
    start = tuple(int(x) for x in np.cumsum([first, *steps]))
    objective = Objective("drawn", start, step)
    with (
        pytest.MonkeyPatch.context() as patch,
        TemporaryDirectory() as folder,
        Store(Path(folder) / "some.sqlite") as store,
    ):
        patch.setattr(search_module, "Division", partial(Division, task_size=2, worth=0))
        check(text, objective, store)
        check(text, objective, store)


@pytest.mark.parametrize(
    "options",
    [
        {"objective": "mean"},
        {"objective": "worst"},
        {"objective": "last"},
        {"objective": "last", "then": "mean"},
        {"objective": "mean", "then": "last"},
        {"objective": "mean", "max_guesses": 5},
        {"objective": "mean", "max_guesses": 4},
        {"cost": (0, 0, 1, 5, 6)},
    ],
    ids=str,
)
@pytest.mark.parametrize("threads", [1, 2])
def test_every_objective_as_solve_puts_it(
    options: dict[str, Any], threads: int, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_module, "Division", partial(Division, task_size=30, worth=0))
    plain = solve("3x6", **options)
    for _again in range(2):
        with Store(path) as store:
            kept = solve("3x6", store=store, threads=threads, **options)
        assert (kept.optimum, kept.optima, kept.feasible) == (
            plain.optimum,
            plain.optima,
            plain.feasible,
        )
    assert store.used > 0


@pytest.mark.parametrize("task_size", [40, 100])
def test_all_that_is_kept_is_true(
    task_size: int, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cost of every set, solved afresh without a store."""
    monkeypatch.setattr(search_module, "Division", partial(Division, task_size=task_size, worth=0))
    with Store(path) as store:
        for objective in ("mean", "last"):
            solve("4x7", objective=objective, store=store)
    results = results_of(path)
    assert any(proven.exact for proven in results.values())
    assert not all(proven.exact for proven in results.values())
    assert recheck(list(results.items())) == []


class Elsewhere:
    """Answers tasks by engines that are told nothing but the task, as other machines would be."""

    def __init__(self, rules: str, objective: Objective, workers: int) -> None:
        self.asked: list[Task] = []
        self.answered: list[Task] = []
        """Those of them that were not dropped before they had their answer."""
        self.late = 0.0
        """Share of the tasks that are given back after the least time."""
        self.heard = 1
        """How often it is heard that a cutoff has fallen."""
        self._draw = random.Random(1)
        self._idle: queue.Queue[Search] = queue.Queue()
        for _ in range(workers):
            self._idle.put(Engine(rules, store=Notes()).search(objective))

    def __call__(self, task: Task) -> Question:
        self.asked.append(task)
        return Asked(self, task)

    def answer(self, task: Task) -> Answer:
        late = self._draw.random() < self.late
        if late and not task.guesses:
            return Answer((), task.cutoff)
        search = self._idle.get()
        try:
            assert isinstance(search._top, Division)
            return search._top.answer(replace(task, seconds=0 if late else math.inf))
        finally:
            self._idle.put(search)


class Asked:
    def __init__(self, elsewhere: Elsewhere, task: Task) -> None:
        self._elsewhere = elsewhere
        self._task = task
        self._dropped = False
        self._by = 0

    def answer(self) -> Answer:
        if self._dropped:
            raise Dropped
        answer = self._elsewhere.answer(replace(self._task, cutoff=self._task.cutoff - self._by))
        if self._dropped:
            raise Dropped
        self._elsewhere.answered.append(self._task)
        return answer

    def lower(self, by: int) -> None:
        self._by += by * self._elsewhere.heard

    def drop(self) -> None:
        self._dropped = True


def divided(
    text: str, objective: Objective, ask: Elsewhere, store: Store | Notes, **options: Any
) -> tuple[Division, int | None]:
    """Search with tasks answered elsewhere; the tree is replayed."""
    here = Engine(text)
    local = here.search(objective)
    division = Division(
        *(here.space, here._space, local._search, objective, local._cost.tolist()),
        objective.limit is not None and objective.limit <= here.space.size,
        store,
        ask=ask,
        **options,
    )
    local._top = division
    value, _guess = local.solve()
    if value is not None:
        root = local.tree(value)
        replay = DecisionTree(here.rules, objective.costs(12), root).verify()
        assert replay.valid and replay.histogram is not None
        assert objective.of(replay.histogram) == value
    return division, value


@pytest.mark.parametrize("parallel", [1, 4])
@pytest.mark.parametrize("late", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("objective", [Objective.mean(), Objective.at_last(6, 360).limited(6)])
def test_tasks_can_be_answered_elsewhere(
    objective: Objective, parallel: int, late: float, path: Path
) -> None:
    ask = Elsewhere("4x6", objective, parallel)
    ask.late = late
    with Store(path) as store:
        division, value = divided(
            "4x6", objective, ask, store, parallel=parallel, task_size=60, worth=0
        )
    assert value == solve("4x6", objective=objective).optimum
    assert len(ask.answered) == division.tasks > 0
    if parallel == 1:  # then nothing is dropped
        assert ask.answered == ask.asked
    assert recheck(list(results_of(path).items())) == []


@pytest.mark.parametrize("text", GAMES)
def test_tasks_answered_elsewhere_give_the_optimum_of_brute_force(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Divided down to nothing, by several at a time."""
    monkeypatch.setattr(division_module, "_LEAST_ASKED", 3)
    for objective in OBJECTIVES:
        ask = Elsewhere(text, objective, 3)
        ask.late = 0.2
        ask.heard = 2  # too well
        options = {"parallel": 3, "task_size": 6, "worth": 0}
        _division, value = divided(text, objective, ask, Notes(), **options)
        wanted = expected(text, objective)
        assert value == (None if wanted == INFINITE else wanted)


@pytest.mark.parametrize("parallel", [1, 4])
def test_what_is_kept_is_not_asked_again(parallel: int, path: Path) -> None:
    ask = Elsewhere("4x6", Objective.mean(), parallel)
    options = {"parallel": parallel, "task_size": 60, "worth": 0}
    with Store(path) as store:
        divided("4x6", Objective.mean(), ask, store, **options)
    asked = len(ask.asked)
    with Store(path) as store:
        divided("4x6", Objective.mean(), ask, store, **options)
    assert len(ask.asked) == asked > 0


@pytest.mark.parametrize("parallel", [1, 4])
def test_trouble_elsewhere_ends_the_search(
    parallel: int, monkeypatch: pytest.MonkeyPatch, path: Path
) -> None:
    ask = Elsewhere("4x6", Objective.mean(), parallel)

    def fails(task: Task) -> Answer:
        if len(ask.asked) > 5:
            raise MooError("no luck")
        return Elsewhere.answer(ask, task)

    monkeypatch.setattr(ask, "answer", fails)
    with Store(path) as store, pytest.raises(MooError, match="no luck"):
        divided("4x6", Objective.mean(), ask, store, parallel=parallel, task_size=60, worth=0)
    assert recheck(list(results_of(path).items())) == []


def test_a_certificate_takes_nothing_from_a_store(path: Path) -> None:
    with Store(path) as store, pytest.raises(MooError, match="whole proof"):
        solve("2x4", store=store, trace=True)


# --- Names of what is kept ----------------------------------------------------------------------


def test_costs_ahead_by_hand() -> None:
    mean = Objective.mean()
    assert [costs_ahead(mean, depth).text for depth in (0, 1, 7)] == ["0 step 1"] * 3
    assert costs_ahead(Objective("x", (3, 5, 9), 4), 0).text == "0 1 step 2"
    assert costs_ahead(Objective("x", (3, 5, 9), 4), 1).text == "0 step 1"
    assert costs_ahead(mean.limited(5), 2).text == "0 1 2 limit"
    assert costs_ahead(Objective.within(3), 0).text == "0 0 0 limit"
    assert costs_ahead(Objective.odds(2), 2).text == "0 step 0"
    with pytest.raises(StoreError, match="no guess is left"):
        costs_ahead(Objective.within(3), 3)


@given(
    st.lists(st.integers(0, 9), min_size=1, max_size=6),
    st.one_of(st.none(), st.integers(0, 4)),
    st.integers(0, 5),
    st.lists(st.integers(0, 9), min_size=1, max_size=8),
)
def test_canonical_costs_are_the_costs_again(
    steps: list[int], step: int | None, depth: int, histogram: list[int]
) -> None:
    objective = Objective("x", tuple(int(x) for x in np.cumsum(steps)), step)
    if step is None:
        depth %= len(steps)
        histogram = histogram[: len(steps) - depth]
    costs = costs_ahead(objective, depth)
    size = sum(histogram)
    cost = objective.of([0] * depth + histogram)
    canonical = objective_of(costs.text, 0).of(histogram)
    assert costs.expand(canonical, size) == cost
    assert costs.shrink(cost, size) == canonical
    # A bound in between counts for the next value that a strategy can have.
    assert costs.expand(costs.shrink(cost - costs.scale + 1, size), size) == cost


def symmetry(rules: Rules, seed: int) -> tuple[list[int], list[int]]:
    """A random permutation of positions and one of symbols that the rules allow."""
    draw = random.Random(seed)
    kept = int(not rules.leading_zero)
    positions, symbols = list(range(kept, rules.positions)), list(range(kept, rules.symbols))
    draw.shuffle(positions)
    draw.shuffle(symbols)
    return list(range(kept)) + positions, list(range(kept)) + symbols


@given(
    st.sampled_from(("3x5", "4x6", "3x4r", "3x5z", "3x4rz")),
    st.integers(0, 10**6),
    st.integers(1, 40),
)
def test_an_image_is_a_symmetry(text: str, seed: int, size: int) -> None:
    rules, space = Rules.parse(text), CodeSpace(text)
    draw = random.Random(seed)
    numbers = sorted(draw.sample(range(space.size), min(size, space.size)))
    codes = space.codes[numbers]
    image = Image.of(rules, codes)
    assert sorted(image.position) == list(range(rules.positions))
    assert sorted(image.symbol) == list(range(rules.symbols))
    if not rules.leading_zero:
        assert image.position[0] == image.symbol[0] == 0
    mapped = [image.forth(code) for code in codes.tolist()]
    assert [image.back(code) for code in mapped] == [tuple(code) for code in codes.tolist()]
    # An equivalent set with the same name has the same codes behind it.
    positions, symbols = symmetry(rules, seed)
    other = np.array([[symbols[code[p]] for p in positions] for code in codes.tolist()], np.uint8)
    renamed = Image.of(rules, other)
    if renamed.digest == image.digest:
        assert sorted(renamed.forth(code) for code in other.tolist()) == sorted(mapped)
    # The order of the codes does not matter.
    assert Image.of(rules, codes[::-1]).digest == image.digest


def test_equivalent_histories_mostly_share_a_name() -> None:
    rules, space = Rules.parse("4x8"), CodeSpace("4x8")
    met = 0
    for seed in range(40):
        draw = random.Random(seed)
        numbers = sorted(draw.sample(range(space.size), 60))
        codes = space.codes[numbers]
        positions, symbols = symmetry(rules, seed)
        other = np.array([[symbols[c[p]] for p in positions] for c in codes.tolist()], np.uint8)
        met += Image.of(rules, codes).digest == Image.of(rules, other).digest
    assert met >= 38


# --- Keeping and finding ------------------------------------------------------------------------


def test_what_is_kept_is_found_again(path: Path) -> None:
    proven = Proven("0123 0B1C", 6495, True, "4567")
    with Store(path) as store:
        assert store.find(key()) is None
        store.keep(key(), proven)
        assert store.find(key()) == proven
        assert store.used == 0 and store.kept == 1
    with Store(path) as store:
        assert store.knows_size("4x10", "0 step 1", 100)
        assert not store.knows_size("4x10", "0 step 1", 99)
        assert store.find(key()) == proven
        assert store.used == 1
        for other in ({"rules": "4x9"}, {"cost": "0 step 0"}, {"image": b"j" * 16}):
            assert store.find(key(**other)) is None


def test_only_what_says_more_replaces(path: Path) -> None:
    steps = [
        (Proven("", 10, False), 10),
        (Proven("", 9, False), 10),
        (Proven("", 12, False), 12),
        (Proven("", 15, True, "0123"), 15),
        (Proven("", 14, False), 15),
        (Proven("", None, True), 15),
    ]
    for proven, bound in steps:
        with Store(path) as store:
            store.keep(key(), proven)
        with Store(path) as store:
            found = store.find(key())
            assert found is not None and found.bound == bound


def test_impossible_is_kept_as_such(path: Path) -> None:
    with Store(path) as store:
        store.keep(key(), Proven("", 3, False))
        store.flush(force=True)
        store.keep(key(), Proven("", None, True))
    with Store(path) as store:
        assert store.find(key()) == Proven("", None, True)


def test_another_version_is_not_used(path: Path) -> None:
    with Store(path) as store:
        store.keep(key(version="0.0.1-1"), Proven("", 1, True, "0123"))
    with Store(path) as store:
        assert store.find(key()) is None
        assert not store.knows_size("4x10", "0 step 1", 100)
        (count,) = store.count()
        assert count.version == "0.0.1-1" and count.values == 1


def test_where_the_store_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("MOO_STORE", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", "/some/where")
    assert default_path() == Path("/some/where/moo_research/store.sqlite")
    monkeypatch.setenv("XDG_DATA_HOME", "not/absolute")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_path() == tmp_path / ".local/share/moo_research/store.sqlite"
    monkeypatch.setenv("MOO_STORE", "here.sqlite")
    assert default_path() == Path("here.sqlite")


# --- Damage -------------------------------------------------------------------------------------


@pytest.fixture
def filled(path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store of a few hundred true results."""
    monkeypatch.setattr(search_module, "Division", partial(Division, task_size=6, worth=0))
    with Store(path) as store:
        for objective in ("mean", "last"):
            solve("4x6", objective=objective, store=store)
    return path


def results_of(path: Path) -> dict[Key, Proven]:
    with Store(path, read_only=True) as store:
        return dict(store.results())


def test_a_changed_row_is_not_trusted(filled: Path) -> None:
    with sqlite3.connect(filled) as base:
        base.execute("UPDATE proven SET bound = bound - 1 WHERE size = 360 AND exact")
    base.close()
    with pytest.raises(StoreError, match="damaged"):
        Store(filled, read_only=True)
    lines, say = said()
    with Store(filled, say=say) as store:
        assert solve("4x6", store=store).optimum == solve("4x6").optimum
        assert store.used == 0
    assert len(lines) == 1 and "damaged" in lines[0] and "\n" not in lines[0]
    assert filled.with_name("some.sqlite.damaged-1").exists()


@pytest.mark.parametrize("seed", range(12))
def test_bytes_that_change(filled: Path, seed: int) -> None:
    """Wherever they are: results are as they were, or the file is set aside."""
    before = results_of(filled)
    draw = random.Random(seed)
    data = bytearray(filled.read_bytes())
    at = draw.randrange(len(data))
    for i in range(at, min(at + draw.choice([1, 20, 4096]), len(data))):
        data[i] = draw.randrange(256)
    filled.write_bytes(data)
    lines, say = said()
    with Store(filled, say=say) as store:
        after = dict(store.results())
        assert after.items() <= before.items()
        assert after == before or len(lines) == 1
        assert solve("4x6", store=store).optimum == solve("4x6").optimum


@pytest.mark.parametrize("value", [0x00, 0x20, 0xEB])
def test_bytes_of_the_first_page_that_change(filled: Path, value: int) -> None:
    """The header and the names of tables and columns, one byte after the other."""
    before = results_of(filled)
    data = filled.read_bytes()
    # SQLite keeps the schema at the end of the page, and nothing between that and its header.
    schema = data.index(b"CREATE TABLE", 100, 4096)
    places = [*range(100, 116), *range(schema - 40, 4096, 29)]
    for at in places:
        if data[at] == value:
            continue
        for path in filled.parent.iterdir():
            path.unlink()
        filled.write_bytes(data[:at] + bytes([value]) + data[at + 1 :])
        try:
            assert results_of(filled) == before
        except StoreError as error:
            assert str(error).isprintable()
        lines, say = said()
        with Store(filled, say=say) as store:
            after = dict(store.results())
        assert after == before or (after == {} and len(lines) == 1)


@pytest.mark.parametrize("length", [0, 10, 100, 4096, 5000, -1])
def test_a_file_that_is_cut(filled: Path, length: int) -> None:
    data = filled.read_bytes()
    filled.write_bytes(data[:length])
    lines, say = said()
    with Store(filled, say=say) as store:
        assert solve("4x6", store=store).optimum == solve("4x6").optimum
    assert len(lines) == (length != 0)


def test_damage_found_during_a_search(filled: Path) -> None:
    lines, say = said()
    with Store(filled, say=say) as store:
        with sqlite3.connect(filled) as base:
            base.execute("UPDATE proven SET guess = '3210'")
        base.close()
        assert solve("4x6", store=store).optimum == solve("4x6").optimum
    assert len(lines) == 1 and "damaged" in lines[0]
    kept = results_of(filled)  # what was proven then is in the new file
    assert kept and recheck(list(kept.items())) == []


def test_what_was_proven_before_the_damage_is_written_again(path: Path) -> None:
    lines, say = said()
    with Store(path, say=say) as store:
        store.keep(key(), Proven("", 1, False))
        store.keep(key(size=101, image=bytes(16)), Proven("", 7, False))
        store.flush(force=True)
        with sqlite3.connect(path) as base:
            base.execute("UPDATE proven SET bound = 2 WHERE size = 100")
        base.close()
        store.find(key())
    assert len(lines) == 1 and "damaged" in lines[0]
    assert [proven.bound for proven in results_of(path).values()] == [7, 1]


def test_a_good_file_in_the_place_of_a_damaged_one_stays(path: Path) -> None:
    """Another process has set the damaged file aside already."""
    lines, say = said()
    with Store(path, say=say) as store:
        store.keep(key(), Proven("", 1, False))
        store.flush(force=True)
        with sqlite3.connect(path) as base:
            base.execute("UPDATE proven SET bound = 2")
        base.close()
        for suffix in ("", "-wal", "-shm"):
            Path(f"{path}{suffix}").rename(f"{path}.old{suffix}")
        with Store(path) as other:
            other.keep(key(image=bytes(16)), Proven("", 5, False))
        store.find(key())
    assert len(lines) == 1 and "another is in its place" in lines[0]
    assert sorted(str(proven.bound) for proven in results_of(path).values()) == ["1", "5"]
    assert not path.with_name("some.sqlite.damaged-1").exists()


def test_a_false_optimum_is_not_believed(moo: Moo, filled: Path) -> None:
    """With digests that fit: the tree cannot be made, and one line says so."""
    (root,) = (k for k in results_of(filled) if k.size == 360 and k.cost == "0 step 1")
    proven = results_of(filled)[root]
    assert proven.bound is not None
    filled.unlink()
    with Store(filled) as store:
        store.keep(root, Proven("", proven.bound - 1, True, proven.guess))
    result = moo("solve", "4x6", "--resume", filled)
    assert result.exit_code == 2 and "moo store verify" in result.stderr
    assert result.stderr.count("\n") == 1 and result.stdout == ""


def test_another_program_is_left_alone(path: Path) -> None:
    with sqlite3.connect(path) as base:
        base.execute("CREATE TABLE mine (x)")
    base.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="another program"):
        Store(path)
    assert path.read_bytes() == before


def test_a_newer_format_is_refused(path: Path) -> None:
    Store(path).close()
    with sqlite3.connect(path) as base:
        base.execute("PRAGMA user_version = 2")
    base.close()
    with pytest.raises(StoreError, match="newer version"):
        Store(path)


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot open"):
        Store(tmp_path / "file" / "some.sqlite")


def test_a_full_disk(path: Path) -> None:
    """SQLite itself says that the disk is full; nothing is lost, and one line is said."""
    lines, say = said()
    with Store(path, say=say) as store:
        assert store._base is not None
        store._base.execute("PRAGMA max_page_count = 8")
        for i in range(2000):
            store.keep(key(image=i.to_bytes(16, "big")), Proven("0123 0B1C", i, False))
        assert not store.flush(force=True)
        assert not store.flush(force=True)
        assert store.find(key(image=bytes(16))) == Proven("0123 0B1C", 0, False)
        store._base.execute("PRAGMA max_page_count = 100000")
        assert store.flush(force=True)
    assert len(lines) == 1 and "full" in lines[0]
    assert len(results_of(path)) == 2000


def test_a_disk_that_stays_full(path: Path) -> None:
    lines, say = said()
    with Store(path, say=say) as store:
        assert store._base is not None
        store._base.execute("PRAGMA max_page_count = 8")
        for i in range(2000):
            store.keep(key(image=i.to_bytes(16, "big")), Proven("0123 0B1C", i, False))
    assert len(lines) == 2 and "2000 proven results could not be kept" in lines[1]
    assert results_of(path) == {}


# --- moo store ----------------------------------------------------------------------------------


def test_commands(moo: Moo, filled: Path, tmp_path: Path) -> None:
    listed = json.loads(moo("store", "list", "-f", filled, "--json").stdout)
    number = sum(row["values"] + row["bounds"] for row in listed["questions"])
    assert number == len(results_of(filled)) > 100
    assert "0 step 1" in moo("store", "list", "-f", filled).stdout
    verified = json.loads(moo("store", "verify", "-f", filled, "--json", "--all").stdout)
    assert (verified["results"], verified["checked"]) == (number, number)
    assert verified["failures"] == []
    lines = moo("store", "export", "-f", filled).stdout
    assert lines.count("\n") == number
    out, other = tmp_path / "out.jsonl", tmp_path / "other.sqlite"
    assert moo("store", "export", "-f", filled, "-o", out).exit_code == 0
    assert out.read_text() == lines
    merged = json.loads(moo("store", "merge", out, "-f", other, "--json").stdout)
    assert merged == {"file": str(other), "new": number, "known": 0, "refused": 0, "unfinished": 0}
    merged = json.loads(moo("store", "merge", filled, "-f", other, "--json").stdout)
    assert merged == {"file": str(other), "new": 0, "known": number, "refused": 0, "unfinished": 0}
    assert results_of(other) == results_of(filled)


def test_export_of_one_game(moo: Moo, filled: Path) -> None:
    assert moo("store", "export", "-f", filled, "--rules", "4x9").stdout == ""
    assert moo("store", "verify", "-f", filled, "--rules", "4x9").exit_code == 0


def test_results_of_another_version_are_not_merged(moo: Moo, path: Path, tmp_path: Path) -> None:
    lines = tmp_path / "old.jsonl"
    lines.write_text(write_line(key(version="0.0.1-1"), Proven("", 1, True, "0123")) + "\n")
    result = moo("store", "merge", lines, "-f", path)
    assert result.exit_code == 1 and "1 refused" in result.stdout
    assert results_of(path) == {}


@pytest.mark.parametrize("line", ["", "{}", "[]", "7", "{", '{"rules": "4x10"}', "ff"])
def test_lines_that_are_no_results(line: str, tmp_path: Path) -> None:
    good = write_line(key(), Proven("", 1, False))
    file = tmp_path / "some.jsonl"
    file.write_text(f"{good}\n{line}\n")
    with pytest.raises(StoreError, match="line 2"):
        list(read_lines(file))


def test_an_altered_line(tmp_path: Path) -> None:
    file = tmp_path / "some.jsonl"
    file.write_text(write_line(key(), Proven("", 17, False)).replace("17", "18"))
    with pytest.raises(StoreError, match="line 1"):
        list(read_lines(file))


def lies(filled: Path) -> Iterator[tuple[Key, Proven]]:
    """True results, each changed in one way, with digests that fit."""
    results = results_of(filled)
    about, exact = next(
        (k, p)
        for k, p in results.items()
        if p.exact and p.guess and p.history and k.cost == "0 step 1"
    )
    space = CodeSpace("4x6")
    assert exact.bound is not None
    turns = read_history(space, exact.history)
    assert turns
    yield about, Proven(exact.history, exact.bound - 1, True, exact.guess)
    yield about, Proven(exact.history, exact.bound + 1, False)
    yield about, Proven(exact.history, None, True)
    yield about, Proven(exact.history, exact.bound, True, None)
    yield about, Proven("0123 0B2C", exact.bound, True, exact.guess)
    yield about, Proven("", exact.bound, True, exact.guess)
    yield about, Proven("what", exact.bound, True, exact.guess)
    yield Key("9x9x9", about.cost, about.image, about.size), exact
    yield Key(about.rules, "0 1 what", about.image, about.size), exact
    yield Key(about.rules, about.cost, bytes(16), about.size), exact


def test_what_is_false_does_not_pass_a_recheck(filled: Path, moo: Moo, tmp_path: Path) -> None:
    false = list(lies(filled))
    assert len(false) == 10
    for result in false:
        assert len(recheck([result])) == 1, result
    other = tmp_path / "other.sqlite"
    with Store(other) as store:
        for about, proven in false[:1]:
            store.keep(about, proven)
    result = moo("store", "verify", "-f", other)
    assert result.exit_code == 1 and "1 result wrong" in result.stdout


def test_requests_that_are_wrong(moo: Moo, tmp_path: Path, filled: Path) -> None:
    for arguments, words in (
        (("list", "-f", tmp_path / "none.sqlite"), "moo solve --resume"),
        (("list", "-f", tmp_path / "tree.json"), ".sqlite"),
        (("merge", tmp_path / "none.jsonl", "-f", filled), "No such file"),
        (("merge", tmp_path / "none.sqlite", "-f", filled), "no store"),
        (("merge",), "OTHER"),
        (("what",), "what"),
    ):
        result = moo("store", *arguments)
        assert result.exit_code == 2, result.output
        assert result.stderr.startswith("moo: ") and result.stderr.count("\n") == 1
        assert words in result.stderr


def test_solve_tells_of_the_store(moo: Moo, path: Path) -> None:
    first = moo("solve", "4x6", "--resume", path)
    assert "store" in first.stdout and str(path) in first.stdout
    told = json.loads(moo("solve", "4x6", "--resume", path, "--json").stdout)
    assert told["store"]["file"] == str(path)
    refused = moo("solve", "--resume", "4x6")
    assert refused.exit_code == 2 and "put the option last" in refused.stderr
    refused = moo("solve", "4x6", "--certificate", path.with_name("x.cert"), "--resume", path)
    assert refused.exit_code == 2 and "not both" in refused.stderr


def test_the_default_place(moo: Moo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MOO_STORE", str(tmp_path / "new" / "my.sqlite"))
    assert moo("solve", "2x4", "--resume").exit_code == 0
    assert moo("store", "list").exit_code == 0
    assert (tmp_path / "new" / "my.sqlite").exists()
    assert common.store_file("") == tmp_path / "new" / "my.sqlite"
    assert VERSION in moo("store", "list", "--json").stdout


# --- Searches that are not through ----------------------------------------------------------------


def left_of(text: str, work: int) -> bytes:
    """What a search leaves that is interrupted after so much work."""
    search = Engine(text).search(Objective.mean())
    search._search.note(1)
    search._search.stop_after(work)
    with pytest.raises(_engine.Interrupted):
        search._search.solve(search.engine.everything)
    return search._search.left()


def interrupted(path: Path, left: bytes, rules: str = "4x8") -> Unfinished:
    """Put what a search has left into a store."""
    about = Unfinished(rules, "1 step 1", "")
    with Store(path) as store:
        store.leave(about, pack_left(left))
    return about


def test_what_is_left_is_taken_over_and_goes_when_the_search_is_through(path: Path) -> None:
    plain = solve("4x8")
    interrupted(path, left_of("4x8", 8000))
    with Store(path) as store:
        assert [search.rules for search, _content in store.unfinished()] == ["4x8"]
        kept = solve("4x8", store=store)
        assert store.unfinished() == []
    assert kept.optimum == plain.optimum
    assert kept.guesses_tried < plain.guesses_tried


def test_another_search_takes_nothing_over(path: Path) -> None:
    left = left_of("4x8", 8000)
    interrupted(path, left)
    with Store(path) as store:
        solve("4x8", store=store, objective="last")
        solve("4x8", store=store, after=[("0123", "0B1C")])
        solve("4x7", store=store)
        assert [search for search, _content in store.unfinished()] == [
            Unfinished("4x8", "1 step 1", "")
        ]
        about = Unfinished("4x8", "1 step 1", "", version="0.0.0-0")
        store.leave(about, pack_left(left))
        assert solve("4x8", store=store).optimum == solve("4x8").optimum
        # That of another version is left alone.
        assert [search for search, _content in store.unfinished()] == [about]


def test_two_runs_leave_a_piece_each_until_one_takes_both_over(path: Path) -> None:
    about = Unfinished("4x8", "1 step 1", "")
    first, second, third = Store(path), Store(path), Store(path)
    first.leave(about, b"first")
    second.leave(about, b"second")
    first.leave(about, b"first again")
    assert sorted(third.take_over(about)) == [b"first again", b"second"]
    assert len(third.unfinished()) == 2  # until there is something in their place
    third.leave(about, b"all")
    assert third.unfinished() == [(about, b"all")]
    second.leave(about, b"second again")
    assert len(third.unfinished()) == 2
    third.leave(about, None)  # it is through, so nobody need go on
    assert third.unfinished() == []
    for store in (first, second, third):
        store.close()


@pytest.mark.parametrize("column", ["rules", "cost", "history", "version", "run", "content"])
def test_what_is_left_is_not_trusted_if_it_was_changed(column: str, path: Path) -> None:
    interrupted(path, left_of("4x8", 8000))
    with sqlite3.connect(path) as base:
        value = base.execute(f"SELECT {column} FROM unfinished").fetchone()[0]
        changed = value + "0" if isinstance(value, str) else value[:-1] + bytes([value[-1] ^ 1])
        base.execute(f"UPDATE unfinished SET {column} = ?", (changed,))
    base.close()
    lines, say = said()
    with Store(path, say=say) as store:
        assert store.unfinished() == []
    assert len(lines) == 1 and "damaged" in lines[0]


@pytest.mark.parametrize("content", [b"", b"nonsense", zlib.compress(b"\1\0\0\0" * 5)])
def test_what_no_search_has_left_is_refused(content: bytes, path: Path, moo: Moo) -> None:
    with Store(path) as store:
        store.leave(Unfinished("4x6", "1 step 1", ""), content)
    result = moo("solve", "4x6", "--resume", path)
    assert result.exit_code == 2 and "cannot be read" in result.stderr
    assert len(result.stderr.splitlines()) == 1
    result = moo("store", "verify", "-f", path)
    assert result.exit_code == 1 and "cannot be read" in result.stdout


def test_a_store_of_before_has_no_table_for_what_is_left(filled: Path) -> None:
    with sqlite3.connect(filled) as base:
        base.execute("DROP TABLE unfinished")
    base.close()
    before = results_of(filled)
    with Store(filled, read_only=True) as store:
        assert store.unfinished() == [] and store.count()
    with Store(filled) as store:
        store.leave(Unfinished("4x6", "1 step 1", ""), b"left")
        assert len(store.unfinished()) == 1
    assert results_of(filled) == before


def test_a_disk_without_room_for_what_is_left(path: Path) -> None:
    about = Unfinished("4x8", "1 step 1", "")
    lines, say = said()
    with Store(path, say=say) as store:
        assert store._base is not None
        store.leave(about, b"small")
        store._base.execute("PRAGMA max_page_count = 12")
        store.leave(about, bytes(200_000))
        assert store.unfinished() == [(about, b"small")]  # the new one, or the old
    assert len(lines) == 1 and "full" in lines[0]


def test_commands_tell_of_what_is_left(path: Path, moo: Moo) -> None:
    left = left_of("4x8", 8000)
    interrupted(path, left)
    listed = moo("store", "list", "-f", path)
    assert "unfinished: 4x8, costs 1 step 1; " in listed.stdout
    listed = json.loads(moo("store", "list", "-f", path, "--json").stdout)
    assert [one["rules"] for one in listed["unfinished"]] == ["4x8"]
    result = moo("store", "verify", "-f", path, "--seed", 1)
    assert result.exit_code == 0
    assert "1 unfinished search, 20 bounds proven afresh: all hold" in result.stdout


def test_false_bounds_that_are_left_do_not_pass_a_recheck(path: Path, moo: Moo) -> None:
    words = np.frombuffer(left_of("4x8", 8000), dtype=np.uint32).copy()
    at = 0
    while at < len(words):
        at += 4 + 2 * int(words[at])
        words[at] += 1000  # what was proven of the set, above its bound
        at += 6 + 2 * int(words[at + 5])
    interrupted(path, words.tobytes())
    result = moo("store", "verify", "-f", path, "--sample", 1000, "--json")
    assert result.exit_code == 1
    told = json.loads(result.stdout)
    assert told["bounds_checked"] > len(told["bounds_failed"]) > 0
    assert "costs" in told["bounds_failed"][0]


def test_what_is_left_goes_after_what_came_of_it_is_there(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever is killed between the two has lost nothing."""
    seen = []
    leave = Store.leave

    def watched(self: Store, search: Unfinished, content: bytes | None) -> None:
        if content is None:
            with Store(path) as other:
                seen.append(max(one.largest for one in other.count()))
        leave(self, search, content)

    monkeypatch.setattr(Store, "leave", watched)
    with Store(path) as store:
        solve("4x8", store=store)
    assert seen == [1680]


@pytest.mark.parametrize("how", ["deleted", "moved", "replaced", "set aside"])
def test_a_store_that_goes_away_under_a_search(how: str, path: Path, tmp_path: Path) -> None:
    lines, say = said()
    about = Unfinished("4x8", "1 step 1", "")
    with Store(path, say=say) as store:
        store.keep(key(), Proven("0123 0B1C", 5, False))
        assert store.flush(force=True)
        if how == "deleted":
            path.unlink()
        elif how == "moved":
            path.rename(tmp_path / "elsewhere.sqlite")
        elif how == "replaced":
            with Store(tmp_path / "other.sqlite") as other:
                other.keep(key(image=b"0" * 16), Proven("0123 0B1C", 6, False))
            (tmp_path / "other.sqlite").replace(path)
        else:
            path.rename(tmp_path / "some.sqlite.damaged-1")
            Store(path).close()
        store.keep(key(image=b"1" * 16), Proven("0123 0B1C", 7, False))
        store.leave(about, b"left")
    assert len(lines) == 1 and "moved, deleted or replaced" in lines[0]
    kept = results_of(path)
    bounds = {proven.bound for proven in kept.values()}
    assert bounds == ({5, 6, 7} if how == "replaced" else {5, 7})
    with Store(path) as store:
        assert store.unfinished() == [(about, b"left")]


def test_merge_takes_unfinished_searches_along(path: Path, tmp_path: Path, moo: Moo) -> None:
    left = left_of("4x8", 8000)
    about = interrupted(path, left)
    with Store(path) as store:
        store.leave(Unfinished("4x8", "1 step 1", "", version="0.0.0-0"), b"old")
    listed = moo("store", "list", "-f", path).stdout
    assert listed.count("unfinished: ") == 2 and "of version 0.0.0-0: not used" in listed
    other = tmp_path / "other.sqlite"
    for _ in range(2):  # twice is once
        result = moo("store", "merge", path, "-f", other)
        assert result.exit_code == 0 and "1 unfinished search" in result.stdout
        with Store(other) as store:
            assert store.unfinished() == [(about, pack_left(left))]


def test_export_does_not_write_over_a_store(filled: Path, moo: Moo) -> None:
    before = filled.read_bytes()
    result = moo("store", "export", "-f", filled, "-o", filled)
    assert result.exit_code == 2 and len(result.stderr.splitlines()) == 1
    assert filled.read_bytes() == before


def test_results_that_are_not_read_to_the_end(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trouble: list[object] = []
    monkeypatch.setattr("sys.unraisablehook", trouble.append)
    with Store(filled, read_only=True) as store:
        results = store.results()
        next(results)
    del results
    gc.collect()
    assert trouble == []
