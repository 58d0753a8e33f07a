"""A search that is stopped in every way, and taken up again: the optimum stays what it is, and what
was proven before is still there.

The optimum of 4 x 10 is the published one. Processes are killed for good; the moments are drawn.
"""

import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from moo_research import published
from moo_research.errors import StoreError
from moo_research.search import Progress, solve
from moo_research.store import Key, Proven, Store

TOTAL = published.MINIMUM_TOTAL

# As `moo solve`, but more is kept, and sooner: more to lose. Sets are divided, too.
FINE = """
import functools, sys
from moo_research import division, search, store
store._FLUSH_SECONDS = division._NOTE_SECONDS = division._STATE_SECONDS = 0.05
search.Division = functools.partial(division.Division, task_size=400, worth=0.001, noted=500)
from moo_research.cli import main
main(sys.argv[1:])
"""


def start(*arguments: object, program: str = "", **options: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", program or FINE, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def finish(process: subprocess.Popen[str], status: int = 0) -> tuple[dict[str, Any], str]:
    """The JSON that a process printed, and what it said."""
    out, err = process.communicate(timeout=300)
    assert process.returncode == status, err
    assert "Traceback" not in err
    return (json.loads(out) if out else {}), err


# The same, but that nothing is divided.
WHOLE = FINE.replace("task_size=400, ", "")


def results_of(path: Path) -> dict[Key, Proven]:
    """All that is kept; empty before there is a store."""
    if not path.exists():
        return {}
    with Store(path) as store:
        return dict(store.results())


def assert_nothing_lost(before: Mapping[Key, Proven], after: Mapping[Key, Proven]) -> None:
    for key, proven in before.items():
        assert key in after
        assert after[key] == proven or after[key].beats(proven)


def unfinished(path: Path) -> int:
    """How many searches have left something."""
    if not path.exists():
        return 0
    with Store(path) as store:
        return len(store.unfinished())


def kill_often(path: Path, kills: int, seed: int, program: str) -> None:
    """Kill a search again and again; after the last time it must end with the optimum."""
    draw = random.Random(seed)
    known: dict[Key, Proven] = {}
    killed = left = 0
    while killed < kills:
        process = start("solve", "4x10", "--json", "--resume", path, program=program)
        try:
            # From the start of the interpreter to past the end of a search.
            process.wait(timeout=draw.uniform(0.1, 3.0))
        except subprocess.TimeoutExpired:
            process.kill()
            killed += 1
            process.communicate()
        else:
            solution, err = finish(process)
            assert (solution["optimum"], err) == (TOTAL, "")
            path.unlink()  # begin again
            known = {}
            continue
        now = results_of(path)
        assert_nothing_lost(known, now)
        known = now
        left += unfinished(path)
    solution, err = finish(start("solve", "4x10", "--json", "--resume", path, program=program))
    assert (solution["optimum"], solution["proved"], err) == (TOTAL, True, "")
    assert_nothing_lost(known, results_of(path))
    assert solution["store"]["used"] > 0 or not known
    assert left > 0 or kills < 10
    assert unfinished(path) == 0
    verified, _err = finish(start("store", "verify", "--json", "-f", path, "--seed", seed))
    assert verified["failures"] == []


@pytest.mark.parametrize("program", [FINE, WHOLE], ids=["divided", "whole"])
def test_killed_three_times(program: str, tmp_path: Path) -> None:
    kill_often(tmp_path / "some.sqlite", 3, 1, program)


@pytest.mark.long
@pytest.mark.parametrize("program", [FINE, WHOLE], ids=["divided", "whole"])
def test_killed_fifty_times(program: str, tmp_path: Path) -> None:
    kill_often(tmp_path / "some.sqlite", 50, 2, program)


def test_stopped_again_and_again(tmp_path: Path) -> None:
    """Ctrl-C each time that some work was done: what a run has done is not done again."""
    alone = solve("4x10")
    path = tmp_path / "some.sqlite"
    tried, left = [], 0

    def stop(state: Progress) -> None:
        if state.counted is None and state.guesses_tried > alone.guesses_tried / 6:
            tried.append(state.guesses_tried)
            raise KeyboardInterrupt

    solution = None
    while solution is None:
        with Store(path) as store, suppress(KeyboardInterrupt):
            solution = solve("4x10", store=store, progress=stop)
        left += unfinished(path)
        assert sum(tried) < 2.5 * alone.guesses_tried
    assert len(tried) > 1 and left > 0 and unfinished(path) == 0
    assert solution.optimum == TOTAL


def wait_for_results(path: Path, number: int, process: subprocess.Popen[str]) -> None:
    """Wait until a running search has written so many results."""
    while process.poll() is None:
        with suppress(StoreError), Store(path, read_only=True) as store:
            if sum(count.values + count.bounds for count in store.count()) >= number:
                return
        time.sleep(0.02)
    raise AssertionError("the search ended before it was stopped")


def test_interrupted(tmp_path: Path) -> None:
    """Ctrl-C: exit status 130, one line, and everything proven is kept and used."""
    path = tmp_path / "some.sqlite"
    process = start("solve", "4x10", "--objective", "last", "--json", "--resume", path)
    wait_for_results(path, 10, process)
    process.send_signal(signal.SIGINT)
    _nothing, err = finish(process, 130)
    assert err.strip() == "moo: interrupted"
    kept = results_of(path)
    assert len(kept) >= 10
    again, err = finish(start("solve", "4x10", "--objective", "last", "--json", "--resume", path))
    assert again["optima"] == [published.FEWEST_LAST]
    assert again["store"]["used"] > 0
    assert_nothing_lost(kept, results_of(path))


def test_two_at_once(tmp_path: Path) -> None:
    """Two processes on one store, both from the start: it is made once, and both are right."""
    path = tmp_path / "some.sqlite"
    both = [start("solve", "4x10", "--json", "--resume", path) for _ in range(2)]
    for process in both:
        solution, err = finish(process)
        assert (solution["optimum"], err) == (TOTAL, "")
    verified, _err = finish(start("store", "verify", "--json", "-f", path, "--seed", 1))
    assert verified["failures"] == [] and verified["results"] > 0


def test_a_disk_with_no_room(tmp_path: Path) -> None:
    """The system refuses to let the files grow: the search goes on, and what was written before
    stays."""
    path = tmp_path / "some.sqlite"
    finish(start("solve", "4x9", "--json", "--resume", path))
    before = results_of(path)
    room = max(40_000, path.stat().st_size)
    solution, err = finish(
        start(
            *("solve", "4x10", "--json", "--resume", path),
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),
        )
    )
    assert solution["optimum"] == TOTAL
    first, last = err.splitlines()
    assert "stays in memory" in first and "could not be kept" in last
    assert_nothing_lost(before, results_of(path))
    solution, err = finish(start("solve", "4x10", "--json", "--resume", path))
    assert (solution["optimum"], err) == (TOTAL, "")


def test_a_page_that_is_spoilt(tmp_path: Path) -> None:
    """Each page in turn: the file is set aside, or every result is as it was."""
    path = tmp_path / "some.sqlite"
    finish(start("solve", "4x10", "--json", "--resume", path))
    data, results = path.read_bytes(), results_of(path)
    aside = 0
    for page in range(len(data) // 4096):
        for left_over in tmp_path.iterdir():
            left_over.unlink()
        at = page * 4096
        path.write_bytes(data[:at] + os.urandom(4096) + data[at + 4096 :])
        lines: list[str] = []
        with Store(path, say=lines.append) as store:
            kept = dict(store.results())
        aside += len(lines)
        assert kept == (results if not lines else {})
    assert aside > 0
    solution, _err = finish(start("solve", "4x10", "--json", "--resume", path))
    assert solution["optimum"] == TOTAL
