"""The command line: what it prints, where, and how it exits.

Expected totals come from the closed forms of Chen & Lin for 2 x n (see test_published.py), from
counting by hand, or from the published table of 4 x 10.
"""

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import Result

from moo_research import DecisionTree, published
from moo_research.cli import MooGroup, common
from moo_research.rules import Response, Rules

Moo = Callable[..., Result]

COMMANDS = (
    "solve",
    "table",
    "bound",
    "frontier",
    "odds",
    "strongest",
    "simulate",
    "players",
    "duel",
    "hint",
    "audit",
    "play",
    "verify",
    "check",
    "certify",
    "export",
    "import",
    "explore",
    "plot",
    "store",
    "reproduce",
)

SOLVE_KEYS = {
    "rules",
    "objective",
    "cost",
    "codes",
    "optimum",
    "total",
    "mean",
    "max_guesses",
    "histogram",
    "first_guess",
    "proved",
    "feasible",
    "seconds",
    "guesses_tried",
    "sets_solved",
    "threads",
    "peak_memory_mb",
}


def read(result: Result) -> dict[str, Any]:
    """The one JSON object on standard output, with nothing on standard error."""
    assert result.stderr == ""
    value = json.loads(result.stdout)
    assert isinstance(value, dict)
    return value


def assert_refused(result: Result, *words: str) -> None:
    """Exit status 2, nothing on standard output, and one line that says what is wrong."""
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1 and result.stderr.startswith("moo: ")
    for word in words:
        assert word in result.stderr


def run(*command: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run Python in a process of its own."""
    return subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, check=False, **options
    )


# --- Help and start-up --------------------------------------------------------------------------


def test_help_names_every_command(moo: Moo) -> None:
    result = moo("--help")
    assert result.exit_code == 0
    for name in COMMANDS:
        assert f"\n  {name} " in result.stdout


def test_no_command_shows_the_help(moo: Moo) -> None:
    assert moo().stdout == moo("--help").stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(moo: Moo, name: str) -> None:
    result = moo(name, "--help")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"Usage: moo {name} ")


def test_help_loads_nothing_heavy() -> None:
    program = (
        "import sys\n"
        "from moo_research.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "print([name for name in sys.modules if name.split('.')[0] == 'numpy'"
        " or name in ('moo_research._engine', 'moo_research._responses')], file=sys.stderr)"
    )
    result = run("-c", program)
    assert result.stderr == "[]\n"
    assert "Usage: moo" in result.stdout


def test_importing_the_package_loads_nothing_heavy() -> None:
    result = run("-c", "import sys, moo_research; print('numpy' in sys.modules)")
    assert result.stdout == "False\n"


def test_every_exported_name_is_there() -> None:
    import moo_research

    for name in moo_research.__all__:
        assert getattr(moo_research, name).__name__ == name
    assert set(moo_research.__all__) <= set(dir(moo_research))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        moo_research.nothing  # noqa: B018


def test_module_is_the_same_program() -> None:
    result = run("-m", "moo_research", "solve", "2x4", "--json")
    assert result.returncode == 0
    assert json.loads(result.stdout)["total"] == published.TWO_BY_N_TOTALS[4]


def test_version(moo: Moo) -> None:
    import moo_research

    assert moo("--version").stdout == f"moo, version {moo_research.__version__}\n"


# --- Requests that are wrong --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["nothing"], "nothing"),
        (["solve", "banana"], "banana"),
        (["solve", "4x3"], "4x3"),
        (["solve", "4x"], "4x"),
        (["solve", "0x5"], "0x5"),
        (["solve", "11x20"], "11x20"),
        (["solve", "4x37"], "4x37"),
        (["solve", "10x10"], "10x10"),
        (["solve", "10x36r"], "10x36r"),
        (["table", "10x36r"], "10x36r"),
        (["solve", "4x10", "4x6r"], "4x6r"),
        (["solve", "--wrong"], "--wrong"),
        (["solve", "--threads", "0"], "--threads"),
        (["solve", "--max-guesses", "0"], "--max-guesses"),
        (["solve", "--memory", "much"], "much"),
        (["solve", "--memory", "10K"], "memory"),
        (["solve", "--kernel", "abacus"], "abacus"),
        (["solve", "--objective", "luck"], "luck"),
        (["solve", "--patience", "5"], "--patience"),
        (["solve", "--cluster", "--patience", "nan"], "--patience"),
        (["solve", "--cluster", "--patience", "0"], "--patience"),
        (["solve", "--after", "0123"], "0123"),
        (["solve", "--after", "0123 9B0C"], "9B0C"),
        (["solve", "--after", "0122 1B0C"], "0122"),
        (["solve", "--after", "0123 4B0C", "--after", "4567 1B0C"], "moo audit"),
        (["solve", "--after", "0123 1B0C", "--objective", "last"], "after a history"),
        (["solve", "--after", "0123 1B0C", "--tree", "x.json"], "--after"),
        (["solve", "--after", "0123 1B0C", "--max-guesses", "1"], "used up"),
        (["solve", "--then", "luck"], "luck"),
        (["solve", "--cost", "1,two"], "1,two"),
        (["solve", "--cost", ""], "cost"),
        (["solve", "--cost", "2,1"], "cost"),
        (["solve", "--objective", "mean", "--cost", "1,2"], "--cost"),
        (["table", "banana"], "banana"),
        (["bound", "4x3"], "4x3"),
        (["reproduce", "banana"], "banana"),
        (["verify", "no-such-tree.json"], "no-such-tree.json"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_request(moo: Moo, arguments: list[str], word: str) -> None:
    assert_refused(moo(*arguments), word)


def test_wrong_request_with_json_prints_no_json(moo: Moo) -> None:
    assert_refused(moo("solve", "banana", "--json"), "banana")


@pytest.mark.parametrize("name", ["no-such-folder/tree.json", "a-folder.json", "tree.txt", "tree"])
def test_unwritable_tree_is_refused_before_the_search(
    moo: Moo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def search(*_arguments: object, **_options: object) -> None:
        pytest.fail("the search began")

    monkeypatch.setattr("moo_research.search.solve", search)
    (tmp_path / "a-folder.json").mkdir()
    assert_refused(moo("solve", "2x4", "--tree", tmp_path / name), name)
    assert [path.name for path in tmp_path.iterdir()] == ["a-folder.json"]


def test_error_of_several_lines_is_printed_as_one(capsys: pytest.CaptureFixture[str]) -> None:
    group = MooGroup("moo", callback=_fail_at_length, invoke_without_command=True)
    with pytest.raises(SystemExit) as stop:
        group.main([])
    assert stop.value.code == 2
    assert capsys.readouterr().err == "moo: one two three\n"


def _fail_at_length() -> None:
    raise click.ClickException("one\ntwo\n\n three")


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (KeyboardInterrupt(), 130, "moo: interrupted"),
        (MemoryError(), 2, "moo: out of memory"),
        (PermissionError(13, "Permission denied", "tree.json"), 2, "moo: tree.json: Permission"),
    ],
)
def test_errors_from_within(
    moo: Moo, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, line: str
) -> None:
    def search(*_arguments: object, **_options: object) -> None:
        raise error

    monkeypatch.setattr("moo_research.search.solve", search)
    result = moo("solve", "2x4")
    assert result.exit_code == code
    assert result.stderr.strip().splitlines()[-1].startswith(line)


def test_interrupt_ends_a_long_search() -> None:
    """Five positions and ten symbols take far longer than it takes to send the signal."""
    with subprocess.Popen(
        [sys.executable, "-m", "moo_research", "solve", "5x10", "--memory", "3G"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            wait_until_busy(process)
            process.send_signal(signal.SIGINT)
            output, errors = process.communicate(timeout=120)
        finally:
            process.kill()
    assert process.returncode == 130
    assert output == ""
    assert errors.split("\n")[-2:] == ["moo: interrupted", ""]


def wait_until_busy(process: subprocess.Popen[str]) -> None:
    """Wait until the process has used enough processor time to be past its start."""
    ticks = os.sysconf("SC_CLK_TCK")
    while process.poll() is None:
        try:
            fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:  # no /proc here
            time.sleep(5)
            return
        if (int(fields[11]) + int(fields[12])) / ticks > 2:
            return
        time.sleep(0.05)


# --- moo solve ----------------------------------------------------------------------------------


def test_solve_json(moo: Moo) -> None:
    value = read(moo("solve", "2x4", "--json"))
    assert value.keys() >= SOLVE_KEYS
    assert value["rules"] == "2x4"
    assert value["objective"] == "mean"
    assert value["codes"] == 4 * 3
    assert value["total"] == value["optimum"] == published.TWO_BY_N_TOTALS[4]
    assert value["mean"] == published.two_by_n_mean(4)
    assert value["proved"] is value["feasible"] is True
    assert value["threads"] == 1
    assert sum(value["histogram"]) == value["codes"]
    assert sum(k * n for k, n in enumerate(value["histogram"], 1)) == value["total"]
    assert len(value["histogram"]) == value["max_guesses"]


def test_solve_for_people(moo: Moo) -> None:
    result = moo("solve", "2x4")
    assert result.exit_code == 0 and result.stderr == ""
    lines = dict(line.split(maxsplit=1) for line in result.stdout.splitlines() if line[0] != " ")
    assert lines["game"] == "2x4: 2 positions, 4 symbols, all distinct; 12 codes"
    assert lines["optimum"] == f"{published.TWO_BY_N_TOTALS[4]} (proved)"
    assert lines["mean"] == "2.5000 guesses"


def test_solve_by_name_in_any_case(moo: Moo) -> None:
    assert read(moo("solve", "Mastermind", "--json"))["rules"] == "4x6r"


def test_impossible_limit_is_done_and_holds(moo: Moo) -> None:
    """The least worst case of 2 x 4 is three guesses (Chen & Lin 2004)."""
    result = moo("solve", "2x4", "--max-guesses", 2, "--json")
    assert result.exit_code == 0
    value = read(result)
    assert value["feasible"] is False and value["proved"] is True
    for key in ("optimum", "total", "mean", "max_guesses", "histogram", "first_guess"):
        assert value[key] is None
    assert "no strategy" in moo("solve", "2x4", "--max-guesses", 2).stdout


def test_no_tree_is_written_where_there_is_no_strategy(moo: Moo, tmp_path: Path) -> None:
    result = moo("solve", "2x4", "--max-guesses", 2, "--tree", tmp_path / "tree.json", "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["feasible"] is False
    assert "not written" in result.stderr
    assert not list(tmp_path.iterdir())


def test_possible_limit(moo: Moo) -> None:
    value = read(moo("solve", "2x6", "--max-guesses", 4, "--json"))
    assert value["feasible"] is True
    assert value["max_guesses"] == published.two_by_n_worst_case(6) == 4


@pytest.mark.parametrize("name", ["tree.json", "tree.json.gz"])
def test_solve_writes_a_tree(moo: Moo, tmp_path: Path, name: str) -> None:
    value = read(moo("solve", "3x4r", "--json", "--tree", tmp_path / name))
    replay = DecisionTree.load(tmp_path / name).verify()
    assert replay.valid
    assert replay.total == value["total"]
    assert list(replay.histogram) == value["histogram"]
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_first_symbol_changes_only_how_codes_are_written(moo: Moo) -> None:
    plain = read(moo("solve", "3x3r", "--json"))
    shifted = read(moo("solve", "3x3r", "--json", "--first-symbol", 1))
    assert shifted["first_guess"] == "".join(
        str(int(symbol) + 1) for symbol in plain["first_guess"]
    )
    assert shifted["total"] == plain["total"]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("memory", ["100M", "1G", str(2**27)])
def test_threads_and_memory_do_not_change_the_optimum(moo: Moo, threads: int, memory: str) -> None:
    value = read(moo("solve", "2x8", "--threads", threads, "--memory", memory, "--json"))
    assert value["total"] == published.TWO_BY_N_TOTALS[8]
    assert value["threads"] == threads


# --- moo table, moo bound -----------------------------------------------------------------------


def test_table_json(moo: Moo) -> None:
    """The classes and their totals make up the whole game, whose total Chen & Lin give."""
    value = read(moo("table", "2x6", "--json"))
    assert value["total"] == published.TWO_BY_N_TOTALS[6]
    assert sum(row["size"] for row in value["rows"]) == 6 * 5
    assert 6 * 5 + sum(row["total"] for row in value["rows"]) == value["total"]
    for row in value["rows"]:
        assert row.keys() >= {"response", "size", "guess", "total", "ties"}
        assert row["guess"] is None or row["guess"] in row["ties"]


def test_table_for_people(moo: Moo) -> None:
    result = moo("table", "2x4")
    assert result.exit_code == 0 and result.stderr == ""
    assert "published" not in result.stdout
    assert result.stdout.splitlines()[-1].startswith("total 30: 12 first guesses and 18 after them")


def test_bound_json(moo: Moo) -> None:
    value = read(moo("bound", "2x7", "--json"))
    assert value["max_guesses"] == published.two_by_n_worst_case(7)
    assert value["proved"] is True
    assert value["capacities"][0] == 1


def test_bound_for_people(moo: Moo) -> None:
    lines = moo("bound", "2x7").stdout.splitlines()
    assert lines[1] == "worst case  5 guesses, necessary and sufficient (both halves proved)"


# --- Options, progress --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("500M", 500 * 2**20),
        ("2G", 2**31),
        ("1.5g", 3 * 2**29),
        ("64KiB", 2**16),
        ("7kB", 7 * 1024),
        ("1T", 2**40),
        ("123456", 123456),
        ("99b", 99),
    ],
)
def test_memory(text: str, size: int) -> None:
    assert common.parse_memory(text) == size


@pytest.mark.parametrize("text", ["", "M", "-1", "1P", "1e9", "1 M M", "½G", "0x10"])
def test_no_memory(text: str) -> None:
    with pytest.raises(click.BadParameter, match="memory"):
        common.parse_memory(text)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_only_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    with common.progress_line("2x4", quiet=False) as progress:
        assert progress is None
    monkeypatch.setattr("sys.stderr", Terminal())
    with common.progress_line("2x4", quiet=True) as progress:
        assert progress is None


def frames(terminal: Terminal) -> list[str]:
    """What stood on the line of progress, one state after the other."""
    return terminal.getvalue().split("\r")


def test_progress_is_wiped_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    from moo_research import Progress

    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    with common.progress_line("4x10", quiet=False) as show:
        assert show is not None
        show(Progress("proving", 3.0, 12345, 678, 30, 28, None))
        time.sleep(0.15)  # it is not drawn more often than ten times a second
        show(Progress("a stage of many words " * 9, 3.2, 12345678, 678, 30, None, None))
    before, first, second, wiped, after = frames(terminal)
    assert re.fullmatch(
        r"4x10: best 30, bound 28, 00:03, 12\.3k guesses tried \(.*/s\), proving *", first
    )
    assert re.match(r"4x10: best 30, 00:03, 12\.3M guesses tried \(.*M/s\), a stage of", second)
    assert len(second) == len(wiped) == 79
    assert before == wiped.strip() == after == "" and "\n" not in terminal.getvalue()


def test_the_time_left_is_told_where_the_work_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    from moo_research import Progress

    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    with common.progress_line("4x10 entropy", quiet=False) as show:
        assert show is not None
        show(Progress("20 of 80 games", 30.0, 0, 0, None, None, 0.25))
    # A quarter in thirty seconds leaves ninety.
    _, line, *_ = frames(terminal)
    assert re.match(r"4x10 entropy:  25% \|\S+ +\| 00:30, 01:(29|30) left, 20 of 80 games", line)


def test_a_new_search_counts_from_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """1000 guesses in one search and 500 in the next are 1500 tried."""
    from moo_research import Progress

    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    with common.progress_line("2x4", quiet=False) as show:
        assert show is not None
        show(Progress("", 1.0, 1000, 0, None, None, None))
        time.sleep(0.15)
        show(Progress("", 0.1, 500, 0, None, None, None))
    assert "1.50k guesses tried" in frames(terminal)[2]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
@pytest.mark.parametrize("size", [(24, 80), (0, 0)])
def test_progress_on_a_terminal_of_any_size(
    monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    """A terminal that does not tell its size has one all the same."""
    import fcntl
    import pty
    import struct
    import termios

    from moo_research import Progress

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
    with os.fdopen(theirs, "w") as stream:
        monkeypatch.setattr("sys.stderr", stream)
        with common.progress_line("4x10", quiet=False) as show:
            assert show is not None
            show(Progress("proving", 3.0, 12345, 678, 30, 28, None))
            show(Progress("proving", 4.0, 22345, 678, 30, 28, None))
        stream.flush()
        os.set_blocking(ours, False)  # nothing to read is an error, not a wait
        shown = os.read(ours, 10_000).decode()
    os.close(ours)
    assert "4x10: best 30, bound 28" in shown and "proving" in shown


def test_nothing_is_drawn_without_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    with common.progress_line("2x4", quiet=False):
        pass
    assert terminal.getvalue() == ""


def test_progress_is_wiped_after_an_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    from moo_research import Progress

    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    with (
        pytest.raises(KeyboardInterrupt),
        common.progress_line("2x4", quiet=False) as show,
    ):
        assert show is not None
        show(Progress("", 1.0, 1000, 0, None, None, None))
        raise KeyboardInterrupt
    assert frames(terminal)[-2].strip() == frames(terminal)[-1] == ""


def test_verbose(moo: Callable[..., Result]) -> None:
    """What is counted goes to standard error, where it cannot be taken for the result."""
    result = moo("solve", "3x5", "-v", "--json")
    lines = re.findall(r"^moo: +([\d,]+) ([a-z ]+)$", result.stderr, re.MULTILINE)
    counted = {name: count for count, name in lines}
    answer = json.loads(result.stdout)
    assert counted["guesses tried"].replace(",", "") == str(answer["guesses_tried"])
    assert counted["sets solved"].replace(",", "") == str(answer["sets_solved"])
    assert moo("solve", "3x5", "--json").stderr == ""


def counts(text: str) -> dict[str, int]:
    """What -v tells in the end: ``moo:  1,234 guesses tried``."""
    lines = re.findall(r"^moo: +([\d,]+) ([a-z ]+)$", text, re.MULTILINE)
    return {name: int(count.replace(",", "")) for count, name in lines}


@pytest.mark.parametrize("command", ["table", "odds", "frontier"])
def test_verbose_counts_all_searches_of_a_command(moo: Callable[..., Result], command: str) -> None:
    found = counts(moo(command, "3x5", "-v", "--json").stderr)
    assert {"guesses tried", "sets solved"} <= found.keys()
    assert found["guesses tried"] > 0 and found["sets solved"] > 0
    assert counts(moo(command, "3x5", "--json").stderr) == {}


def test_counts_of_several_searches_are_added_up(capsys: pytest.CaptureFixture[str]) -> None:
    from moo_research.objective import Objective
    from moo_research.search import Engine, Search

    searches = [Search(Engine("3x6"), Objective.mean()) for _ in range(2)]

    @click.command()
    @common.verbose_option
    def work() -> None:
        with common.progress_line("3x6", quiet=False) as show:
            for search in searches:
                search.solve(progress=show)
                search.solve([(0, Response(0, 1))], progress=show)
        common.tell_statistics()

    work.main(["-v"], standalone_mode=False)
    found = counts(capsys.readouterr().err)
    for name in ("guesses_tried", "sets_solved", "memo_hits"):
        assert found[name.replace("_", " ")] == sum(one.statistics[name] for one in searches)


def test_verbose_tells_stages(capsys: pytest.CaptureFixture[str]) -> None:
    from moo_research import Progress

    @click.command()
    @common.verbose_option
    def work() -> None:
        with common.progress_line("2x4", quiet=False) as show:
            assert show is not None
            for stage in ("3 of 9 settled", "round 1: 3 of 9 settled", "round 1: 4 of 9 settled"):
                show(Progress(stage, 0.1, 5, 0, None, None, None))

    work.main(["-v"], standalone_mode=False)
    lines = capsys.readouterr().err.splitlines()
    assert [re.sub(r"\d+\.\d+", "#", line) for line in lines] == [
        "moo:   # s  2x4",
        "moo:   # s  round 1",
    ]


def test_verbose_and_quiet_contradict(moo: Callable[..., Result]) -> None:
    result = moo("solve", "3x5", "-v", "-q")
    assert result.exit_code == 2 and "not both" in result.stderr


def test_a_line_printed_over_progress(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    common.print_line("a row")
    assert capsys.readouterr() == ("a row\n", "")
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    common.print_line("a row")
    assert terminal.getvalue() == "\r\x1b[K"


def test_codes_are_described_in_words() -> None:
    assert (
        common.describe_rules(Rules.parse("4x6rz"))
        == "4x6rz: 4 positions, 6 symbols, repeats allowed, no leading 0; 1080 codes"
    )


def test_a_first_symbol_that_cannot_be_is_refused_before_the_search(
    moo: Moo, tmp_path: Path
) -> None:
    tree = tmp_path / "tree.json"
    result = moo("solve", "3x6", "--first-symbol", 35, "--tree", tree)
    assert result.exit_code == 2 and result.stdout == ""
    assert not tree.exists()


def test_a_limit_above_the_number_of_codes_is_none(moo: Moo) -> None:
    value = json.loads(moo("solve", "2x4", "--max-guesses", 10**12, "--json").stdout)
    assert value["optimum"] == 30  # Chen and Lin 2004


def test_games_of_one_position_are_no_trouble(moo: Moo) -> None:
    # One code is excluded by each guess: 1 + 2 + ... + 36.
    assert json.loads(moo("solve", "1x36", "--json").stdout)["total"] == 36 * 37 // 2


def test_each_objective_in_order_is_told(moo: Moo) -> None:
    """A total of 103 can be had within four guesses (Chen and Lin 2004), and "last" keeps to it."""
    value = json.loads(moo("solve", "2x6", "--then", "last", "--json").stdout)
    assert value["total"] == value["optima"][0] == 103
    assert value["max_guesses"] == 4
    assert value["optima"][1] == value["histogram"][-1]
    cost = zip(value["histogram"], value["cost"], strict=True)
    assert sum(count * price for count, price in cost) == value["optimum"]


def test_export_does_not_overwrite_what_it_reads(moo: Moo, tmp_path: Path) -> None:
    tree = tmp_path / "tree.json"
    moo("solve", "2x4", "--tree", tree)
    before = tree.read_bytes()
    assert moo("export", tree, "--to", "csv", "-o", tree).exit_code == 2
    assert tree.read_bytes() == before


def test_a_reader_that_goes_away() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "moo_research", "table", "2x4"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 141


def test_one_guess_is_told_as_one(moo: Callable[..., Result], tmp_path: Path) -> None:
    """1x1 has one code, so each figure is 1."""
    tree = str(tmp_path / "one.json")
    for arguments in (
        ["solve", "1x1", "--tree", tree],
        ["verify", tree],
        ["simulate", "first", "1x1"],
        ["bound", "1x1"],
    ):
        result = moo(*arguments)
        assert result.exit_code == 0, result.output
        assert "1 guess" in result.stdout and "1 guesses" not in result.stdout
