"""The search on a Dask cluster: a scheduler and workers that are processes of their own, talking
over the loopback, and what happens when they die.

Expected optima come from the search in one process, which test_search.py holds to published results
and to brute force.
"""

import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from moo_research import cluster as cluster_module
from moo_research.division import INFINITE, Task
from moo_research.errors import ClusterError, StoreError
from moo_research.objective import Objective
from moo_research.recheck import recheck
from moo_research.rules import Rules
from moo_research.search import solve
from moo_research.store import VERSION, Key, Proven, Store, write_line

pytest.importorskip("distributed", reason="needs the extra: cluster")

Moo = Callable[..., Result]

GAME = "4x7"
OPTIMUM = solve(GAME).optimum

# Smaller tasks than `moo solve` has, of which more are kept, and sooner.
COORDINATOR = """
import functools, sys
from moo_research import division, search, store
store._FLUSH_SECONDS = 0.02
division._LEAST_ASKED = 20
division._BATCH_SECONDS = 0.005
search.Division = functools.partial(division.Division, task_size=150, worth=0)
from moo_research.cli import main
main(sys.argv[1:])
"""

# Workers take their time, so that there is something to break into.
WORKER = """
import time
from moo_research import cluster
class Slowly(type(cluster._searches)):
    def lent(self, *arguments):
        time.sleep(0.03)
        return super().lent(*arguments)
cluster._searches.__class__ = Slowly
"""

OTHER_VERSION = """
from moo_research import cluster
cluster.VERSION = "0.0.0-0"
"""


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


class Farm:
    """A scheduler and workers, each a process."""

    def __init__(self, folder: Path) -> None:
        self.address = f"tcp://127.0.0.1:{free_port()}"
        self.scheduler: subprocess.Popen[bytes] | None = None
        self.workers: list[subprocess.Popen[bytes]] = []
        self._folder = folder

    def start_scheduler(self) -> None:
        port = self.address.rpartition(":")[2]
        self.scheduler = self._start(
            "dask_scheduler",
            "--host",
            "127.0.0.1",
            "--port",
            port,
            "--dashboard-address",
            "127.0.0.1:0",
        )

    def start_worker(self, preload: str = WORKER) -> None:
        file = self._folder / f"preload_{len(self.workers)}.py"
        file.write_text(preload)
        self.workers.append(
            self._start(
                *("dask_worker", self.address, "--host", "127.0.0.1", "--nthreads", "1"),
                *("--no-nanny", "--no-dashboard", "--memory-limit", "0"),
                *("--local-directory", str(self._folder), "--preload", str(file)),
            )
        )

    def _start(self, program: str, *arguments: str) -> subprocess.Popen[bytes]:
        with open(self._folder / "log.txt", "ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.{program}", *arguments],
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        process.kill()
        process.wait()

    def close(self) -> None:
        for process in (*self.workers, *([self.scheduler] if self.scheduler else [])):
            process.kill()
            process.wait()


@pytest.fixture
def farm(tmp_path: Path) -> Iterator[Farm]:
    farm = Farm(tmp_path)
    farm.start_scheduler()
    yield farm
    farm.close()


def start(*arguments: object, fine: bool = True, **options: Any) -> subprocess.Popen[str]:
    program = ("-c", COORDINATOR) if fine else ("-m", "moo_research")
    return subprocess.Popen(
        [sys.executable, *program, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def begin(farm: Farm, path: Path, *options: object) -> subprocess.Popen[str]:
    """Start a search as soon as the scheduler is there."""
    port = int(farm.address.rpartition(":")[2])
    for _ in range(600):
        with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            break
        time.sleep(0.05)
    return start("solve", GAME, "--json", "--resume", path, *options, "--cluster", farm.address)


def finish(process: subprocess.Popen[str], status: int = 0) -> tuple[dict[str, Any], str]:
    """The JSON that a process printed, and what it said."""
    try:
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == status, err
    assert "Traceback" not in err
    return (json.loads(out) if out else {}), err


def results_of(path: Path) -> dict[Key, Proven]:
    with Store(path) as store:
        return dict(store.results())


def wait_for_results(path: Path, number: int, process: subprocess.Popen[str]) -> None:
    """Wait until a running search has written so many results."""
    end = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < end:
        with suppress(StoreError), Store(path, read_only=True) as store:
            if sum(count.values + count.bounds for count in store.count()) >= number:
                return
        time.sleep(0.02)
    process.kill()
    raise AssertionError(f"the search was not there to be stopped: {process.communicate()}")


def assert_right(process: subprocess.Popen[str], path: Path) -> str:
    """The search ends with the optimum, and all that it has kept holds. What it said."""
    solution, err = finish(process)
    assert (solution["optimum"], solution["proved"]) == (OPTIMUM, True)
    kept = results_of(path)
    assert kept and recheck(list(kept.items())) == []
    return err


# --- Processes ----------------------------------------------------------------------------------


def test_workers_join_and_are_killed(farm: Farm, tmp_path: Path) -> None:
    path = tmp_path / "some.sqlite"
    farm.start_worker()
    farm.start_worker()
    process = begin(farm, path)
    wait_for_results(path, 3, process)
    farm.kill(farm.workers[0])
    farm.start_worker()
    wait_for_results(path, 8, process)
    farm.kill(farm.workers[1])  # while the third may not be there yet
    assert "dead" not in assert_right(process, path)


def test_the_scheduler_is_restarted(farm: Farm, tmp_path: Path) -> None:
    path = tmp_path / "some.sqlite"
    farm.start_worker()
    process = begin(farm, path)
    wait_for_results(path, 5, process)
    assert farm.scheduler is not None
    farm.kill(farm.scheduler)
    before = results_of(path)
    time.sleep(0.5)
    farm.start_scheduler()
    farm.start_worker()  # as a batch system does, or a person: workers end with their scheduler
    lines = assert_right(process, path).splitlines()
    assert [line for line in lines if "gone" in line] and [line for line in lines if "back" in line]
    assert before.keys() <= results_of(path).keys()


def test_a_scheduler_that_stays_away(farm: Farm, tmp_path: Path) -> None:
    path = tmp_path / "some.sqlite"
    farm.start_worker()
    process = begin(farm, path, "--patience", "0.5")
    wait_for_results(path, 5, process)
    assert farm.scheduler is not None
    farm.kill(farm.scheduler)
    _nothing, err = finish(process, 2)
    assert "the same command goes on from there" in err.splitlines()[-1]
    kept = results_of(path)
    assert len(kept) >= 5 and recheck(list(kept.items())) == []


def test_interrupted(farm: Farm, tmp_path: Path) -> None:
    """Ctrl-C: exit status 130, one line, what is proven is kept, the cluster has nothing to do."""
    from distributed import Client

    path = tmp_path / "some.sqlite"
    farm.start_worker()
    process = begin(farm, path)
    wait_for_results(path, 5, process)
    with Client(farm.address, set_as_default=False) as client:
        # What the dashboard shows: all tasks under the name of the game.
        names = client.run_on_scheduler(lambda dask_scheduler: list(dask_scheduler.task_prefixes))
        assert names == [f"moo {GAME}"]
    process.send_signal(signal.SIGINT)
    _nothing, err = finish(process, 130)
    assert err.splitlines()[-1] == "moo: interrupted"
    kept = results_of(path)
    assert len(kept) >= 5
    with Client(farm.address, set_as_default=False) as client:
        for _ in range(100):
            if not client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks)):
                break
            time.sleep(0.05)
        else:
            raise AssertionError("tasks are left")
    again = begin(farm, path)
    assert_right(again, path)
    assert kept.keys() <= results_of(path).keys()


def test_a_worker_of_another_version(farm: Farm, tmp_path: Path) -> None:
    farm.start_worker(OTHER_VERSION)
    _nothing, err = finish(begin(farm, tmp_path / "some.sqlite"), 2)
    assert "0.0.0-0" in err.splitlines()[-1] and VERSION in err.splitlines()[-1]


def test_a_cluster_of_this_machine(tmp_path: Path) -> None:
    """Every objective is put together from searches on it; Ctrl-C ends it with its workers."""
    import psutil

    path = tmp_path / "some.sqlite"
    arguments = ("solve", "4x8", "--objective", "last", "--json", "--resume", path)
    arguments += ("--cluster", "--workers", "2")
    process = start(*arguments)
    wait_for_results(path, 5, process)
    children = psutil.Process(process.pid).children(recursive=True)
    assert len(children) >= 2
    process.send_signal(signal.SIGINT)
    _nothing, err = finish(process, 130)
    assert err.splitlines()[-1] == "moo: interrupted"
    _gone, alive = psutil.wait_procs(children, timeout=20)
    assert not alive
    solution, err = finish(start(*arguments))
    assert solution["optimum"] == solve("4x8", objective="last").optimum
    assert solution["store"]["used"] > 0 and solution["cluster"]["workers"] == 2
    assert err.startswith("moo: dashboard at http://127.0.0.1:") and err.count("\n") == 1


@pytest.mark.parametrize("children", [1, 3])
def test_interrupted_while_it_starts(children: int, tmp_path: Path) -> None:
    """By a terminal, whose Ctrl-C reaches the workers as well: they do not say so."""
    import psutil

    arguments = ("solve", "4x10", "--resume", tmp_path / "some.sqlite", "--cluster")
    process = start(*arguments, "--workers", "2", fine=False, start_new_session=True)
    family = []
    while len(family) < children and process.poll() is None:
        time.sleep(0.01)
        family = psutil.Process(process.pid).children(recursive=True)
    os.killpg(process.pid, signal.SIGINT)
    _nothing, err = finish(process, 130)
    said = [line for line in err.splitlines() if line and "dashboard" not in line]
    assert said == ["moo: interrupted"]
    _gone, alive = psutil.wait_procs(family, timeout=20)
    assert not alive


@pytest.mark.long
def test_twenty_five_workers_are_killed(farm: Farm, tmp_path: Path) -> None:
    """At random moments, searches one after the other; after each there is another worker."""
    draw = random.Random(1)
    path = tmp_path / "some.sqlite"
    farm.start_worker()
    farm.start_worker()
    process = begin(farm, path)
    for _ in range(25):
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=draw.uniform(0.5, 3))
        if process.poll() is not None:
            assert_right(process, path)
            path.unlink()
            process = begin(farm, path)
            continue
        victim = draw.choice([worker for worker in farm.workers if worker.poll() is None])
        farm.kill(victim)
        farm.start_worker()
    assert_right(process, path)


# --- What is refused ----------------------------------------------------------------------------


def message(**changes: Any) -> tuple[Any, ...]:
    fields = dict(
        enumerate(
            cluster_module._write_task(
                "1", Rules.parse("3x5"), Objective.mean(), Task((), INFINITE), None, None
            )
        )
    )
    return tuple({**fields, **{int(name[1:]): value for name, value in changes.items()}}.values())


def test_a_task_of_another_version_is_not_done() -> None:
    assert cluster_module.work(message(_0="0.0.0-0")) == (VERSION, "1", "refused")


def test_an_answer_in_this_process() -> None:
    """A worker's part, without a worker."""
    reply = cluster_module.work(message())
    assert reply[:5] == (VERSION, "1", "answered", "3x5", ((1,), 1))
    assert reply[5] == (solve("3x5").optimum,)


def test_results_of_another_version_or_game_are_not_taken() -> None:
    proven = Proven("", 1, False)
    for key in (
        Key("3x5", "0 step 1", bytes(16), 60, "0.0.0-0"),
        Key("3x6", "0 step 1", bytes(16), 60),
    ):
        with pytest.raises(ClusterError, match="was sent"):
            cluster_module.work(message(_10=(write_line(key, proven),)))
    line = write_line(Key("3x5", "0 step 1", bytes(16), 60), proven)
    with pytest.raises(StoreError, match="altered"):
        cluster_module.work(message(_10=(line.replace("60", "59"),)))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({0: "0.0.0-0"}, "version 0.0.0-0"),
        ({1: "2"}, "another question"),
        ({3: "3x6"}, "another question"),
        ({4: ((1,), 2)}, "another question"),
        ({5: (1, 2)}, "another question"),
    ],
)
def test_answers_to_other_questions_are_refused(changes: dict[int, Any], words: str) -> None:
    asked = cluster_module._Asked(None, message(), "moo 3x5", "")  # type: ignore[arg-type]
    reply = cluster_module.work(message())
    assert asked._read(reply).bounds == (solve("3x5").optimum,)
    reply = tuple({**dict(enumerate(reply)), **changes}.values())
    with pytest.raises(ClusterError, match=words):
        asked._read(reply)


def test_requests_that_are_wrong(moo: Moo, tmp_path: Path) -> None:
    store = ("--resume", tmp_path / "some.sqlite")
    for arguments, words in (
        (("4x6", "--workers", 2), "--cluster"),
        (("4x6", "--cluster", "tcp://127.0.0.1:1", "--workers", 2), "--workers"),
        (("4x6", "--threads", 2, "--cluster"), "--workers"),
        (("4x6", "--certificate", tmp_path / "x.cert", "--cluster"), "whole proof"),
    ):
        result = moo("solve", *arguments, *store)
        assert result.exit_code == 2, result.output
        assert result.stderr.startswith("moo: ") and result.stderr.count("\n") == 1
        assert words in result.stderr


def test_where_no_scheduler_is(tmp_path: Path) -> None:
    store = ("--resume", tmp_path / "some.sqlite")
    somewhere = f"tcp://127.0.0.1:{free_port()}"
    _nothing, err = finish(
        start("solve", "4x6", *store, "--patience", "1", "--cluster", somewhere), 2
    )
    assert err.startswith("moo: no scheduler at 'tcp://127.0.0.1:") and err.count("\n") == 1
    _nothing, err = finish(start("solve", "4x6", *store, "--cluster", "no/such/file.json"), 2)
    assert err.startswith("moo: there is no scheduler file") and err.count("\n") == 1


SEVERAL = """
import gc, sys
from moo_research.cli import main
for address in sys.argv[1:]:
    try:
        main(["solve", "2x4", "--patience", "0.2", "--cluster", address])
    except SystemExit as end:
        assert end.code == 2, address
    gc.collect()  # what Dask has begun is given up without a word
"""


def test_addresses_that_are_none(tmp_path: Path) -> None:
    """One line each, also of a file that another program wrote, or is about to write."""
    files = {
        "cut": '{"type": "Sched',
        "empty": "",
        "another": "{}",
        "list": "[]",
        "number": '{"address": 7}',
        "deep": "[" * 100_000,
        "binary": "\0\x9f",
        "nowhere": '{"address": "nowhere"}',
    }
    named = []
    for name, text in files.items():
        named.append(tmp_path / f"{name}.json")
        named[-1].write_text(text, encoding="latin-1")
    (tmp_path / "folder.json").mkdir()
    plain = ("nowhere", "tcp://", "tcp://[", "tcp://127.0.0.1:x", "http://x", "tls://127.0.0.1:1")
    addresses = (*plain, *named, tmp_path / "folder.json")
    result = subprocess.run(
        [sys.executable, "-c", SEVERAL, *map(str, addresses)],
        capture_output=True,
        text=True,
        env={**os.environ, "MOO_STORE": str(tmp_path / "some.sqlite")},
    )
    assert result.returncode == 0, result.stderr
    lines = result.stderr.splitlines()
    assert len(lines) == len(addresses) and all(line.startswith("moo: ") for line in lines)
    assert sum("is no scheduler file" in line for line in lines) == len(files) - 1


def test_a_scheduler_file_of_any_name(tmp_path: Path) -> None:
    for name in ("moo.json", "moo"):
        (tmp_path / name).write_text('{"address": "tcp://127.0.0.1:8786"}')
        assert cluster_module._address(str(tmp_path / name)) == "tcp://127.0.0.1:8786"
    assert cluster_module._address("node1:8786") == "node1:8786"


def test_without_the_extra(tmp_path: Path) -> None:
    code = "import sys; sys.modules['dask'] = None; from moo_research.cli import main; main()"
    result = subprocess.run(
        [sys.executable, "-c", code, "solve", "2x4", "--cluster"],
        capture_output=True,
        text=True,
        env={**os.environ, "MOO_STORE": str(tmp_path / "some.sqlite")},
    )
    assert result.returncode == 2 and result.stdout == ""
    assert "pip install 'moo-research[cluster]'" in result.stderr
    assert result.stderr.count("\n") == 1
