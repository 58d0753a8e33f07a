"""``moo play``, ``hint``, ``audit`` and ``duel`` as people meet them: through a terminal, through
pipes, and with input that is wrong.

The terminal is a real one, a pseudo-terminal with the program in a process of its own; waiting has
a generous limit, after which the test fails with what was on the screen.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import pty
import re
import select
import shlex
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from moo_research import Rules, published, respond
from moo_research.cli import main
from moo_research.game import audit
from moo_research.history import read_history
from moo_research.players import get
from moo_research.simulate import decision_tree
from tests.oracles.responses import respond as oracle

Moo = Callable[..., Result]

PATIENCE = 120  # seconds until a terminal that says nothing is given up
GUESS = re.compile(r"I guess ([0-9a-z]+): $")


def typed(text: str | bytes, *arguments: object) -> Result:
    """Run a command with standard input from a pipe."""
    result = CliRunner().invoke(main, ["play", *map(str, arguments)], input=text)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    return result


class Terminal:
    """The program on a terminal of its own."""

    def __init__(self, *arguments: str) -> None:
        self.master, slave = pty.openpty()
        self.screen = ""

        def control_terminal() -> None:
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # so that Ctrl-C reaches the program

        self.process = subprocess.Popen(
            [sys.executable, "-m", "moo_research", *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            preexec_fn=control_terminal,
        )
        os.close(slave)

    def read_until(self, pattern: str) -> re.Match[str]:
        """Wait until what has been shown since the last wait matches."""
        while (match := re.search(pattern, self.screen)) is None:
            assert self._read(), f"the program ended before {pattern!r}: {self.screen!r}"
        self.screen = self.screen[match.end() :]
        return match

    def _read(self) -> bool:
        """Read what comes next; False at the end."""
        ready, _, _ = select.select([self.master], [], [], PATIENCE)
        assert ready, f"nothing more comes after {self.screen!r}"
        try:
            data = os.read(self.master, 1 << 16)
        except OSError:  # what Linux says when the other side is closed
            return False
        self.screen += data.decode(errors="replace").replace("\r\n", "\n")
        return bool(data)

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def end(self) -> int:
        """Wait for the program to end; the rest of what it shows is in ``screen``."""
        while self._read():
            pass
        return self.process.wait(PATIENCE)


@pytest.fixture
def terminal() -> Iterator[Callable[..., Terminal]]:
    opened: list[Terminal] = []

    def open_one(*arguments: str) -> Terminal:
        opened.append(Terminal(*arguments))
        return opened[-1]

    yield open_one
    for each in opened:
        each.process.kill()
        each.process.wait()
        with contextlib.suppress(OSError):
            os.close(each.master)


# --- The guide ----------------------------------------------------------------------------------


def guide() -> list[tuple[str, str]]:
    """The examples of docs/play.md, each a command and what it prints, what was typed included."""
    text = (Path(__file__).parent.parent / "docs" / "play.md").read_text()
    return re.findall(r"^```console\n\$ moo ([^\n]*)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(("command", "expected"), guide(), ids=lambda text: text[:24])
def test_examples_of_the_guide(command: str, expected: str) -> None:
    prompts = r"^(?:\d+\. \[[^\]]*\] [^:]*|Correct .* end): (.*)\n"
    typed_lines = re.findall(prompts, expected, re.MULTILINE)
    result = CliRunner().invoke(
        main, shlex.split(command), input="".join(f"{line}\n" for line in typed_lines)
    )
    assert result.stdout == expected


# --- On a terminal ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("secret", "rules", "notation"),
    [("9360", "4x10", "1H2B"), ("071", "3x10", "1,2"), ("5511", "mastermind", "strike-ball")],
)
def test_the_computer_guesses(
    terminal: Callable[..., Terminal], secret: str, rules: str, notation: str
) -> None:
    screen = terminal("play", "guess", rules, "--notation", notation)
    guesses: list[str] = []
    counts: list[int] = []
    while not guesses or guesses[-1] != secret:
        match = screen.read_until(r"(\d+)\. \[(\d+) candidates?\] I guess (\w+): ")
        assert int(match[1]) == len(guesses) + 1
        counts.append(int(match[2]))
        guesses.append(match[3])
        screen.type(respond(match[3], secret).format(notation) + "\n")
    assert screen.end() == 0
    assert f"Found in {len(guesses)} guesses." in screen.screen
    assert counts[0] == Rules.parse(rules).size and counts == sorted(counts, reverse=True)
    for number, (guess, count) in enumerate(zip(guesses, counts, strict=True), 1):
        line = f"{number}. {guess} {respond(guess, secret).format(notation)}   # {count}\n"
        assert line in screen.screen


def test_the_computer_answers(terminal: Callable[..., Terminal]) -> None:
    screen = terminal("play", "judge", "--secret", "1234")
    for guess, response, count in (
        ("9238", "2B0C", 5040),
        ("１７９２", "1B1C", 180),
        ("1 2 3 4", "4B0C", None),
    ):
        match = screen.read_until(r"\[(\d+) candidates?\] your guess: ")
        assert count is None or int(match[1]) == count
        screen.type(guess + "\n")
        screen.read_until(f"   {response}\n")
    assert screen.end() == 0
    assert "Right: found in 3 guesses." in screen.screen


@pytest.mark.parametrize("how", ["0\n", "q\n", "\x04"])
def test_leaving_a_game(terminal: Callable[..., Terminal], how: str) -> None:
    screen = terminal("play", "judge", "--secret", "1234")
    screen.read_until("your guess: ")
    screen.type("9238\n")
    screen.read_until("your guess: ")
    screen.type(how)
    assert screen.end() == 0
    assert "The code was 1234." in screen.screen
    assert "1. 9238 2B0C   # 5040\n" in screen.screen


@pytest.mark.parametrize("game", ["guess", "judge"])
def test_ctrl_c(terminal: Callable[..., Terminal], game: str) -> None:
    screen = terminal("play", game)
    screen.read_until("guess.*: $")
    screen.type("\x03")
    assert screen.end() == 130
    assert screen.screen.endswith("moo: interrupted\n")


# --- Through pipes ------------------------------------------------------------------------------


def test_undo_help_and_what_cannot_be() -> None:
    result = typed("?\nu\n0,1\nabc\n3B1C\n9B9B\n\nu\n0B2C\n0\n", "guess")
    assert result.exit_code == 0 and result.stderr == ""
    lines = result.stdout.splitlines()
    assert any("takes the last answer back" in line for line in lines)
    assert "   there is no turn to take back" in lines
    assert any("'abc' is not understood" in line for line in lines)
    assert any("'3B1C' cannot be" in line for line in lines)
    assert "   taken back: 0123 0B1C" in lines
    assert lines[-1] == "1. 0123 0B2C   # 5040"


def test_a_contradiction_is_told_at_once_and_can_be_mended() -> None:
    """0123 0B4C says that all four digits are 0-3; the next guess is made of them."""
    first = typed("0B4C\n0B0C\n", "guess")
    guess = GUESS.search(
        first.stdout.split("2. [9 candidates]")[1].splitlines()[0].split(":")[0] + ": "
    )
    assert guess is not None
    lines = first.stdout.splitlines()
    at = lines.index("No code agrees with your answers, one of them is mistaken:")
    assert lines[at + 1].startswith("   answer 1: 0123 0B4C should be ")
    assert lines[at + 2].startswith(f"   answer 2: {guess[1]} 0B0C should be ")
    mended = typed("0B4C\n0B0C\nwhat\n7: 0B0C\n1: 5B5C\n1: 0B0C\n", "guess")
    assert "'what' is no correction" in mended.stdout
    assert "there is no turn 7 to correct" in mended.stdout
    assert "counts 10 symbols" in mended.stdout
    assert "   answer 1 is now 0B0C" in mended.stdout
    assert f"1. 0123 0B0C   # 5040\n2. {guess[1]} 0B0C   # 360\n" in mended.stdout
    assert "3. [360 candidates] I guess " in mended.stdout


def test_more_than_one_mistake_is_told() -> None:
    """The answer that contradicts is always enough to blame; a wrong correction changes that."""
    result = typed("0B2C\n2B2C\n0B0C\n1: 3B0C\n", "guess", "--json")
    turns = [f"{turn['guess']} {turn['response']}" for turn in json.loads(result.stdout)["turns"]]
    slips = audit(read_history(turns, Rules.parse("4x10"))).slips
    assert slips > 1
    told = re.findall(r"\d of them are mistaken|one of them is mistaken", result.stderr)
    assert told == ["one of them is mistaken", f"{slips} of them are mistaken"]


def test_a_correction_in_the_middle_of_a_game() -> None:
    result = typed("0B1C\n1: 1B0C\n0\n", "guess", "--json")
    value = json.loads(result.stdout)
    assert value["turns"] == [{"guess": "0123", "response": "1B0C", "candidates": 5040}]
    assert value["candidates"] == published.RESPONSE_CLASSES["1B0C"]
    assert "answer 1 is now 1B0C" in result.stderr


@pytest.mark.parametrize("word", ["y", "YES", "correct", "4,0", "40", "4B0C"])
def test_ways_to_say_that_it_is_right(word: str) -> None:
    result = typed(f"{word}\n", "guess")
    assert "Found in 1 guess." in result.stdout


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"\n\n\n",
        b"\xff\xfe\x00\n",
        b"0" * 20_000,
        b"9" * 20_000 + b"\n0\n",
        b"1234",
        b"\x04\n0\n",
    ],
)
@pytest.mark.parametrize("game", ["guess", "judge"])
def test_odd_input_ends(text: bytes, game: str) -> None:
    assert typed(text, game).exit_code == 0


def test_guesses_refused() -> None:
    result = typed("12\n1122\n12345\n12x4\n0\n", "judge", "--seed", 1)
    for words in ("fewer than 4", "the symbol 1 twice", "more than 4", "the symbol 'x'"):
        assert words in result.stdout
    assert "candidates before" not in result.stdout  # no turn, no history
    value = json.loads(typed("0\n", "judge", "--seed", 1, "--json").stdout)
    again = json.loads(typed("0\n", "judge", "--seed", 1, "--json").stdout)
    assert value == again and len(set(value["secret"])) == 4


def test_a_hint_in_a_game() -> None:
    result = typed("h\n0123\nh\n0\n", "judge", "--secret", "4567")
    assert result.stdout.count("   try ") == 2
    assert "   try 0123" in result.stdout


def test_codes_that_look_like_commands() -> None:
    """In a game of 36 letters ``quit`` is a code, and so is 0 where a code has one symbol."""
    result = typed("quit\nundo\nhint\nhelp\nq\n", "judge", "4x36", "--secret", "quiz")
    assert [line for line in result.stdout.splitlines() if re.match(r"\d\. \w{4} ", line)] == [
        f"{number}. {guess} {respond(guess, 'quiz')}   # {count}"
        for number, guess, count in re.findall(r"(\d)\. (\w{4}) .*# (\d+)", result.stdout)
    ]
    assert result.stdout.count("   # ") == 4
    result = typed("0\n", "judge", "1x10", "--secret", "0")
    assert "Right: found in 1 guess." in result.stdout


def test_letters_and_another_first_symbol() -> None:
    result = typed("AB12\n", "judge", "4x36", "--secret", "ab12")
    assert "Right: found in 1 guess." in result.stdout
    result = typed("1123\n", "judge", "4x6r", "--first-symbol", 1, "--secret", "1123")
    assert "1. 1123 4B0C   # 1296" in result.stdout
    result = typed("2B0C\n0\n", "guess", "4x6r", "--first-symbol", 1)
    assert re.search(r"I guess [1-6]{4}: ", result.stdout)


@pytest.mark.parametrize("digits", range(2, 9))
def test_every_number_of_digits(digits: int) -> None:
    guess = "9876543210"[:digits]
    result = typed(f"{guess}\n", "judge", "--digits", digits, "--secret", guess)
    assert "Right: found in 1 guess." in result.stdout


def test_ten_digits_both_ways() -> None:
    """3 628 800 codes; after two guesses they are counted right.

    A guess and its answer of ten bulls but two: 45 ways to exchange two digits.
    """
    result = typed("8,2\n0\n", "guess", "10x10")
    assert "2. [45 candidates] I guess " in result.stdout
    result = typed(
        "0123456789\nh\n0\n", "judge", "10x10", "--secret", "1023456789", "--notation", "1,2"
    )
    assert "   8,2\n2. [45 candidates]" in result.stdout


def test_a_game_too_large_to_list_is_judged() -> None:
    result = typed("abcdefghij\nh\n0\n", "judge", "10x36", "--secret", "bacdefghij")
    assert "   8B2C" in result.stdout and "can be listed" in result.stdout
    assert result.stdout.splitlines()[-1] == "1. abcdefghij 8B2C"
    assert "The code was bacdefghij." in result.stdout


def test_an_adversary_at_the_table(tmp_path: Path) -> None:
    """Played with the tree's own guesses it takes the tree's worst case."""
    tree = decision_tree(get("first"), "3x4")
    tree.save(tmp_path / "tree.json")
    node, lines = tree.root, []
    while True:
        lines.append(node.guess)
        value = json.loads(
            typed(
                "\n".join(lines) + "\n", "judge", "--adversary",
                "--against", tmp_path / "tree.json", "--json",
            ).stdout
        )  # fmt: skip
        assert value["rules"] == "3x4"
        if value["won"]:
            break
        bulls, cows = re.findall(r"\d+", value["turns"][-1]["response"])
        node = next(
            part for r, part in node.parts.items() if (r.bulls, r.cows) == (int(bulls), int(cows))
        )
    assert len(value["turns"]) == tree.max_guesses
    by_name = typed(
        "\n".join(lines) + "\n", "judge", "3x4", "--adversary", "--against", "first", "--json"
    )
    assert json.loads(by_name.stdout) == value
    greedy = typed("012\n\n0\n", "judge", "3x4", "--adversary")
    assert "I had chosen none" in greedy.stdout


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["guess", "banana"], "banana"),
        (["guess", "3x10", "--digits", "4"], "--digits 4"),
        (["guess", "10x36"], "can be listed"),
        (["guess", "10x10", "--notation", "12"], "notation"),
        (["guess", "--first-symbol", "30"], "first symbol"),
        (["guess", "--digits", "11"], "--digits"),
        (["judge", "--secret", "1123"], "twice"),
        (["judge", "--secret", "1234", "--adversary"], "no secret"),
        (["judge", "--against", "tree.json"], "--adversary"),
        (["judge", "--adversary", "--against", "no-such.json"], "no-such.json"),
        (["judge", "--adversary", "--against", "random"], "random"),
        (["judge", "10x36", "--adversary"], "can be listed"),
        (["nobody"], "nobody"),
    ],
    ids=" ".join,
)
def test_games_refused(arguments: list[str], word: str) -> None:
    result = typed("0123456789\n", *arguments)
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1 and word in result.stderr


def test_play_alone_shows_its_help(moo: Moo) -> None:
    result = moo("play")
    assert result.exit_code == 0
    assert "guess" in result.stdout and "judge" in result.stdout


def test_no_standard_input_at_all() -> None:
    program = (
        "import sys; sys.stdin = None; from moo_research.cli import main; main(['play', 'guess'])"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert run.returncode == 0 and run.stderr == b""


# --- moo hint -----------------------------------------------------------------------------------


def read(result: Result, exit_code: int = 0) -> dict[str, Any]:
    assert result.exit_code == exit_code, result.output
    assert result.stderr == ""
    value = json.loads(result.stdout)
    assert isinstance(value, dict)
    return value


def test_hint(moo: Moo) -> None:
    """The four candidates and their parts by hand: 2516 parts them into 1, 1 and 2."""
    value = read(moo("hint", "1234 0B2C", "6512 2B2C", "--json"))
    candidates = [
        code
        for code in map("".join, permutations("0123456789", 4))
        if oracle("1234", code) == (0, 2) and oracle("6512", code) == (2, 2)
    ]
    assert value["candidates"] == len(candidates) == 4
    assert value["guess"] in candidates and value["is_candidate"] is True
    assert value["parts"] == {"0B4C": 1, "1B3C": 2, "4B0C": 1}
    assert value["total"] == 1 + 2 + 2 + 3 and value["mean"] == 2.0
    text = moo("hint", "1234 0B2C", "6512 2B2C").stdout
    assert "4: 2516 5612 6152 6521" in text and "proved best: 8 guesses" in text


def test_hint_from_arguments_files_and_pipes(moo: Moo, tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_text("# mine\n1. 1234 0B2C\n2. 6512 2,2\n")
    expected = moo("hint", "1234 0B2C", "6512 2B2C", "--json").stdout
    assert moo("hint", "1234", "0B2C", "6512", "22", "--json").stdout == expected
    assert moo("hint", tmp_path / "game.txt", "--json").stdout == expected
    assert moo("hint", "/dev/null", "--json").stdout == moo("hint", "--json").stdout
    for arguments in (["-"], ["1234 02", "-"]):
        result = CliRunner().invoke(
            main,
            ["hint", *arguments, "--json"],
            input="1234 0B2C\n6512 2B2C\n" if len(arguments) == 1 else "6512 2B2C",
        )
        assert result.stdout == expected


def test_hint_in_other_games_and_signs(moo: Moo) -> None:
    value = read(moo("hint", "--rules", "4x6r", "--first-symbol", 1, "1122 1B1C", "--json"))
    assert re.fullmatch("[1-6]{4}", value["guess"])
    text = moo("hint", "--notation", "1H2B", "1234 1H1B").stdout
    assert "0H0B" in text and "0B0C" not in text
    assert read(moo("hint", "1234 4B0C", "--json"))["guess"] == "1234"
    assert read(moo("hint", "--json"))["guess"] == published.FIRST_GUESS


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["123 0B1C"], ["turn 1", "--rules 3x10"]),
        (["1134 0B1C"], ["turn 1", "--rules 4x10r"]),
        (["1234 0B2C", "1234 3B1C"], ["turn 2", "3B1C"]),
        (["1234"], ["turn 1", "lacks a response"]),
        (["no-such-file.txt"], ["no file 'no-such-file.txt'"]),
        (["games/today"], ["no file 'games/today'"]),
        (["/"], ["/: Is a directory"]),
        (["1234 0B2C", "1234 0B3C"], ["mistaken", "answer 1", "answer 2"]),
        (["--rules", "9", "1234 0B2C"], ["'9'"]),
        (["--rules", "10x36", "0123456789 0B0C"], ["can be listed"]),
        (["x" * 5000], ["turn 1"]),
        (["1234 0B2C", "\x00"], ["turn 2"]),
    ],
    ids=lambda value: " ".join(value)[:40].replace("\x00", "NUL"),
)
def test_hints_refused(moo: Moo, arguments: list[str], words: list[str]) -> None:
    result = moo("hint", *arguments)
    assert result.exit_code == 2 and result.stdout == ""
    assert result.stderr.count("\n") == 1
    for word in words:
        assert word in result.stderr


# --- moo audit ----------------------------------------------------------------------------------


@pytest.mark.parametrize("game", published.TRANSCRIPTS, ids=lambda game: game.turns[0])
def test_audit_of_published_games(moo: Moo, game: published.Transcript) -> None:
    options = ["--rules", game.rules] + (["--secret", game.secret] if game.secret else [])
    wrong = bool(game.mistakes)
    value = read(moo("audit", *options, *game.turns, "--json"), exit_code=int(wrong))
    assert value["consistent"] is not wrong
    assert [each["turn"] for each in value["suspects"]] == [turn for turn, _ in game.mistakes]
    if game.candidates:
        counts = [turn["candidates"] for turn in value["turns"]] + [value["candidates"]]
        assert counts[: len(game.candidates)] == list(game.candidates)
    assert moo("audit", *options, *game.turns).exit_code == int(wrong)


def test_audit_without_the_secret(moo: Moo) -> None:
    turns = published.TRANSCRIPTS[1].turns
    value = read(moo("audit", *turns, "--json"), exit_code=1)
    assert value["consistent"] is False and value["candidates"] == 0
    assert value["suspects"][0] == {"turn": 1, "given": "0B2C", "could_be": ["2B0C"]}
    text = moo("audit", *turns, "--notation", "1H2B").stdout
    assert "  answer 1: 9238 0H2B should be 2H0B\n" in text
    assert "one of them is mistaken" in text


def test_audit_of_several_mistakes(moo: Moo) -> None:
    """0123 cannot be right, wrong in every place and unused at once."""
    turns = ["0123 4B0C", "0123 0B4C", "0123 0B0C"]
    result = moo("audit", *turns)
    assert result.exit_code == 1
    assert "at least 2 of them are mistaken" in result.stdout
    value = read(moo("audit", *turns, "--json"), exit_code=1)
    assert value["slips"] == 2
    assert {each["turn"] for each in value["suspects"]} == {1, 2, 3}


def test_audit_of_nothing_and_of_wrong_secrets(moo: Moo) -> None:
    value = read(moo("audit", "--json"))
    assert value["consistent"] is True and value["candidates"] == 5040 and value["suspects"] == []
    result = moo("audit", "--secret", "12", "1234 0B2C")
    assert result.exit_code == 2 and "'12'" in result.stderr


# --- moo duel -----------------------------------------------------------------------------------


def test_duel(moo: Moo) -> None:
    """Over all pairs of secrets, played one by one."""
    trees = [decision_tree(get(name), "2x4") for name in ("first", "minimax")]
    lengths = [[len(path) for _, path in tree.games()] for tree in trees]
    pairs = [(ours, theirs) for ours in lengths[0] for theirs in lengths[1]]
    value = read(moo("duel", "first", "minimax", "2x4", "--json"))
    for name, number in (
        ("win", sum(a < b for a, b in pairs)),
        ("draw", sum(a == b for a, b in pairs)),
        ("loss", sum(a > b for a, b in pairs)),
    ):
        assert Fraction(value[name]) == Fraction(number, len(pairs))
    assert Fraction(value["score"]) == Fraction(value["win"]) + Fraction(value["draw"]) / 2
    text = moo("duel", "first", "minimax", "2x4").stdout
    assert value["score"] in text and "A scores" in text


def test_duel_of_trees_and_itself(moo: Moo, tmp_path: Path) -> None:
    tree = decision_tree(get("first"), "2x4")
    tree.save(tmp_path / "tree.json")
    value = read(moo("duel", tmp_path / "tree.json", "first", "--json"))
    assert value["rules"] == "2x4" and value["win"] == value["loss"] and value["score"] == "1/2"
    tree = decision_tree(get("first"), "2x5")
    tree.save(tmp_path / "other.json")
    for arguments in (
        [tmp_path / "tree.json", tmp_path / "other.json"],
        [tmp_path / "tree.json", "first", "3x4"],
        ["random", "first"],
        ["first", "table-random"],
        ["first", "nobody"],
        ["first"],
    ):
        result = moo("duel", *arguments)
        assert result.exit_code == 2 and result.stderr.count("\n") == 1, result.output


# ---- What people get wrong ----


@pytest.mark.parametrize("command", ["hint", "audit"])
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([""], ["empty", "1234 0B2C"]),
        (["  "], ["empty"]),
        (["0B2C"], ["lacks a guess", "0123 0B0C"]),
        (["1234 0B2C", "2B0C"], ["turn 2", "lacks a guess"]),
    ],
)
def test_turns_that_are_none(
    moo: Moo, command: str, arguments: list[str], words: list[str]
) -> None:
    result = moo(command, *arguments)
    assert result.exit_code == 2 and len(result.stderr.splitlines()) == 1
    assert all(word in result.stderr for word in words), result.stderr


def test_several_lines_in_one_argument(moo: Moo) -> None:
    one = moo("hint", "1234 0B2C\n6512 2B2C", "--json")
    two = moo("hint", "1234 0B2C", "6512 2B2C", "--json")
    assert one.exit_code == 0 and one.stdout == two.stdout


def test_a_file_without_turns_is_named(moo: Moo, tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear reader,\n")
    result = moo("audit", str(path))
    assert result.exit_code == 2 and "letter.txt" in result.stderr


def test_duel_of_players_in_swap_order(moo: Moo) -> None:
    """The published totals of both orders (published.PLAYERS)."""
    found = json.loads(moo("duel", "first", "first", "--order", "swap", "--json").stdout)
    assert found["totals"] == [28029, 28029] and found["score"] == "1/2"
    ties = json.loads(
        moo("duel", "entropy", "knuth", "4x6r", "--ties", "consistent", "--json").stdout
    )
    assert ties["totals"] == [5722, 5801]
