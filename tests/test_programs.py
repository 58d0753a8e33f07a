"""Exported programs: each plays all secrets, and has to play the tree that it was made from.

A program is asked for its guess after every history that occurs, and the responses come from the
slow definition in strategies.py; so the tree that it plays is found out from outside. It has to be
the tree exported, or, for one cut to a size, to have the measures that the program states. What no
tree contains (histories of other players, wrong answers) is judged by listing all codes.
"""

import ast
import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from importlib.resources import files
from pathlib import Path
from typing import Any, Protocol

import pytest
from click.testing import Result
from strategies import all_codes, answer, first_consistent
from test_formats import chain

from moo_research import formats
from moo_research.errors import MooError, TreeError
from moo_research.formats import program
from moo_research.rules import Response, Rules
from moo_research.search import solve
from moo_research.tree import MAX_GUESSES, DecisionTree, Node

History = tuple[tuple[str, Response], ...]

LANGUAGES = ("python", "c", "javascript")
BUNDLED = str(files("moo_research") / "data" / "4x10-mean.json.gz")
DOCUMENT = Path(__file__).parents[1] / "docs" / "formats.md"


# --- Running a program --------------------------------------------------------------------------


class Program(Protocol):
    """Answers histories: the next guess, or how it refuses one, in words of its own."""

    def __call__(self, histories: Sequence[History]) -> list[str]: ...


def python_program(source: str, folder: Path, running: ExitStack) -> Program:
    namespace: dict[str, Any] = {"__name__": "program"}
    exec(compile(source, "program.py", "exec"), namespace)

    def ask(histories: Sequence[History]) -> list[str]:
        return [python_answer(namespace["next_guess"], history) for history in histories]

    return ask


def python_answer(next_guess: Callable[..., str], history: History) -> str:
    try:
        return next_guess([(guess, got.bulls, got.cows) for guess, got in history])
    except ValueError as error:
        return f"refused: {error}"


C_DRIVER = r"""
#define MOO_NO_MAIN
#include "program.c"
int main(void)
{
    static char line[10000], next[MOO_POSITIONS + 1];
    while (fgets(line, sizeof line, stdin)) {
        static char texts[300][20];
        const char *guesses[300];
        int bulls[300], cows[300], turns = 0, used;
        for (char *at = line; sscanf(at, " %19s %d %d%n", texts[turns], &bulls[turns],
                                     &cows[turns], &used) == 3; at += used) {
            guesses[turns] = texts[turns];
            turns++;
        }
        int error = moo_next_guess(turns, guesses, bulls, cows, next);
        puts(error == MOO_OK ? next : error == MOO_UNKNOWN ? "refused: unknown"
                                                           : "refused: inconsistent");
    }
    return 0;
}
"""

C_FLAGS = ["-std=c99", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]


def compiled(folder: Path, source: str, name: str) -> Path:
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("there is no C compiler here (cc, gcc or clang)")
    (folder / f"{name}.c").write_text(source, "ascii")
    command = [compiler, *C_FLAGS, "-o", name, f"{name}.c"]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")
    return folder / name


def c_program(source: str, folder: Path, running: ExitStack) -> Program:
    (folder / "program.c").write_text(source, "ascii")
    binary = compiled(folder, C_DRIVER, "driver")

    def ask(histories: Sequence[History]) -> list[str]:
        lines = (
            " ".join(f"{guess} {got.bulls} {got.cows}" for guess, got in history) + "\n"
            for history in histories
        )
        return run([str(binary)], "".join(lines)).splitlines()

    return ask


JAVASCRIPT_DRIVER = r"""
const { nextGuess } = require("./program.cjs");
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
    console.log(JSON.stringify(JSON.parse(line).map((history) => {
        try { return nextGuess(history); } catch (error) { return "refused: " + error.message; }
    })));
});
"""


def node() -> str:
    found = shutil.which("node")
    if found is None:
        pytest.skip("there is no Node.js here (node)")
    return found


def javascript_program(source: str, folder: Path, running: ExitStack) -> Program:
    (folder / "program.cjs").write_text(source, "ascii")
    (folder / "driver.cjs").write_text(JAVASCRIPT_DRIVER, "ascii")
    command = [node(), str(folder / "driver.cjs")]
    process = running.enter_context(
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    )

    def ask(histories: Sequence[History]) -> list[str]:
        assert process.stdin and process.stdout
        turns = [[[guess, got.bulls, got.cows] for guess, got in each] for each in histories]
        process.stdin.write(f"{json.dumps(turns)}\n")
        process.stdin.flush()
        answers = json.loads(process.stdout.readline())
        assert isinstance(answers, list)
        return answers

    return ask


def run(command: Sequence[str], text: str = "") -> str:
    result = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


RUNNERS = {"python": python_program, "c": c_program, "javascript": javascript_program}

Launch = Callable[[str, str], Program]


@pytest.fixture
def launch(tmp_path: Path) -> Iterator[Launch]:
    """Start a program of some language, given by its source; it is ended with the test."""
    with ExitStack() as running:

        def start(language: str, source: str) -> Program:
            folder = Path(tempfile.mkdtemp(dir=tmp_path))
            return RUNNERS[language](source, folder, running)

        yield start


def played(ask: Program, rules: Rules) -> DecisionTree:
    """Find out what a program plays, by asking it for its guess after every history that occurs."""
    top: dict[Response, Node] = {}
    win = Response(rules.positions, 0)
    level: list[tuple[History, list[str], dict[Response, Node], Response]]
    level = [((), all_codes(rules), top, win)]
    while level:
        below = []
        guesses = ask([history for history, *_ in level])
        for guess, (history, candidates, siblings, at) in zip(guesses, level, strict=True):
            parts: dict[Response, Node] = {}
            siblings[at] = Node(guess, parts)
            split: dict[Response, list[str]] = {}
            for secret in candidates:
                split.setdefault(answer(guess, secret), []).append(secret)
            split.pop(win, None)
            below += [
                ((*history, (guess, response)), members, parts, response)
                for response, members in split.items()
            ]
        level = below
        assert not level or len(level[0][0]) < 250
    return DecisionTree.of(rules, top[win])


# --- Trees to export ----------------------------------------------------------------------------


def at_random(game: str, seed: int) -> DecisionTree:
    """A tree that guesses any code whatever, useful or not, but more often a candidate."""
    rules = Rules.of(game)
    chance = random.Random(seed)
    codes = all_codes(rules)

    def grow(candidates: list[str]) -> Node:
        guess = chance.choice(codes if chance.random() < 0.3 else candidates)
        parts: dict[Response, list[str]] = {}
        for code in candidates:
            if code != guess:
                parts.setdefault(answer(guess, code), []).append(code)
        return Node(guess, {response: grow(members) for response, members in parts.items()})

    return DecisionTree.of(rules, grow(codes))


def optimal(game: str) -> DecisionTree:
    tree = solve(game).tree
    assert tree is not None
    return tree


TREES: dict[str, Callable[[], DecisionTree]] = {
    **{
        f"optimal {game}": lambda game=game: optimal(game)
        for game in ("1x1", "1x12", "2x3", "2x4", "2x3rz", "3x4r", "3x5", "3x6z", "4x4")
    },
    **{
        f"first {game}": lambda game=game: first_consistent(game)
        for game in ("3x6", "2x11", "9x1r")
    },
    **{f"random {game}": lambda game=game: at_random(game, 7) for game in ("2x5", "3x3r", "3x5")},
    "a deep 2x2": lambda: DecisionTree.of("2x2", chain(15)),
}

LARGER: dict[str, Callable[[], DecisionTree]] = {
    "optimal 4x6r": lambda: optimal("4x6r"),
    "optimal 4x10": lambda: DecisionTree.load(BUNDLED),
    "random 4x7": lambda: at_random("4x7", 7),
}


# --- A whole tree -------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("make", TREES.values(), ids=TREES)
def test_a_program_plays_its_tree_guess_by_guess(
    make: Callable[[], DecisionTree], language: str, launch: Launch
) -> None:
    tree = make()
    written = formats.export(tree, language)
    assert played(launch(language, written.text), tree.rules).root == tree.root
    assert_states(written, tree)
    assert "It plays the whole decision tree" in written.text


@pytest.mark.parametrize("language", ["python", "c"])
def test_a_program_plays_the_deepest_tree_there_may_be(language: str, launch: Launch) -> None:
    tree = DecisionTree.of("2x2", chain(MAX_GUESSES))
    test_a_program_plays_its_tree_guess_by_guess(lambda: tree, language, launch)


@pytest.mark.parametrize(
    "language", ["c", *(pytest.param(name, marks=pytest.mark.long) for name in LANGUAGES[::2])]
)
@pytest.mark.parametrize("make", LARGER.values(), ids=LARGER)
def test_a_program_plays_a_larger_tree_guess_by_guess(
    make: Callable[[], DecisionTree], language: str, launch: Launch
) -> None:
    test_a_program_plays_its_tree_guess_by_guess(make, language, launch)


def test_many_trees_survive_the_way_through_the_text() -> None:
    for seed in range(60):
        tree = at_random(("2x4", "2x3r", "3x4", "1x9")[seed % 4], seed)
        _, made = program.fit(tree, "none", lambda made, terse: made.text)
        assert set(made.text) <= set(program.DIGITS)
        assert program.decode(tree.rules, made.text).root == tree.root


@pytest.mark.parametrize("text", ["E 0", "?", '"', "E0\n", "ü"])
def test_what_is_no_text_is_refused(text: str) -> None:
    with pytest.raises(TreeError, match="is no text of a program"):
        program.decode(Rules.parse("2x3"), text)


def test_a_text_of_no_tree_is_refused() -> None:
    with pytest.raises(TreeError, match="stands for no tree"):
        program.decode(Rules.parse("2x3"), program.DIGITS[-1] * 1000)
    writer = program._Writer()
    for turn in range(300):  # 01 again and again, of two candidates and then with 10 alone
        writer.mark(program.ANY, 1 if turn else 2)
        writer.number(0, 2)
    with pytest.raises(TreeError, match="more than 200 guesses"):
        program.decode(Rules.parse("2x2"), writer.text())


def test_the_example_at_the_top_of_a_program_is_a_game_of_its_own() -> None:
    for name in ("optimal 1x1", "optimal 3x6z", "optimal 3x4r"):
        tree = TREES[name]()
        source = formats.write(tree, "python")
        namespace: dict[str, Any] = {"__name__": "program"}
        exec(source, namespace)
        calls = re.findall(r"^    ((?:checkio|next_guess)\(\[.*\]\))$", source, re.MULTILINE)
        asked, same = (eval(call, namespace) for call in calls)
        assert asked == same and asked in all_codes(tree.rules)


def test_the_optimal_tree_is_small() -> None:
    """What is aimed at is a size that can be pasted: programs below 20 kB, text below 500."""
    tree = DecisionTree.load(BUNDLED)
    for language in LANGUAGES:
        written = formats.export(tree, language)
        assert written.text.isascii() and len(written.text) < 20_000
        assert f"{tree.total} guesses over all secrets" in written.note
    _, made = program.fit(tree, "none", lambda made, terse: made.text)
    assert len(made.text) < 500


def assert_states(written: formats.Written, tree: DecisionTree) -> None:
    """The measures stand at the top of the program and in the note."""
    codes = tree.rules.size
    claim = (
        f"{tree.total} {'guesses' if codes > 1 else 'guess'} over all secrets, "
        f"mean {tree.total / codes:.4f}, "
        f"worst case {tree.max_guesses}"
    )
    assert claim in written.note
    head = " ".join(written.text[:6000].split())
    assert f"{claim}." in head
    assert f"guess 1, 2, ...: {' '.join(map(str, tree.histogram))} It plays" in head
    size = re.match(r"([0-9,]+) bytes? of ", written.note)
    assert size and int(size[1].replace(",", "")) == len(written.text)


# --- Cut to a size ------------------------------------------------------------------------------

# Games of which parts have to be left out before nothing is left but the program.
CUT = ("optimal 3x4r", "optimal 3x6z", "random 3x5")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", CUT)
def test_a_program_cut_to_a_size_plays_as_it_states(
    name: str, language: str, launch: Launch
) -> None:
    tree = TREES[name]()
    least = smallest(tree, language)
    sizes = []
    for limit in (least, least + 8, least + 20):
        written = formats.export(tree, language, max_bytes=limit)
        assert len(written.text) <= limit
        found = played(launch(language, written.text), tree.rules)
        assert found.verify().valid
        assert_states(written, found)
        assert ("It plays the whole decision tree" in written.text) == (found.root == tree.root)
        sizes.append(found.total)
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] < sizes[0] or sizes[0] <= tree.total


@pytest.mark.long
@pytest.mark.parametrize("limit", [0, 10, 20, 100, 150])
def test_a_cut_program_of_the_large_game_plays_as_it_states(limit: int, launch: Launch) -> None:
    tree = DecisionTree.load(BUNDLED)
    written = formats.export(tree, "c", max_bytes=smallest(tree, "c") + limit)
    found = played(launch("c", written.text), tree.rules)
    assert found.verify().valid
    assert_states(written, found)
    assert found.total >= tree.total


def smallest(tree: DecisionTree, language: str) -> int:
    """The size that the refusal of a single byte names."""
    with pytest.raises(
        MooError, match=rf" program for {tree.rules} has \d+ bytes, more "
    ) as caught:
        formats.write(tree, language, max_bytes=1)
    return int(str(caught.value).split(" bytes")[0].split()[-1])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_limit_changes_nothing_but_what_it_must(language: str) -> None:
    tree = TREES["optimal 3x5"]()
    whole = formats.write(tree, language)
    assert formats.write(tree, language, max_bytes=len(whole)) == whole
    terse = formats.export(tree, language, max_bytes=len(whole) - 1)
    assert "It plays the whole decision tree" in terse.text
    assert_states(terse, tree)


@pytest.mark.parametrize("language", LANGUAGES)
def test_more_room_never_makes_a_program_worse(language: str) -> None:
    tree = TREES["optimal 3x6z"]()
    least = smallest(tree, language)
    totals = []
    for limit in range(least, least + 30, 3):
        note = formats.export(tree, language, max_bytes=limit).note
        totals.append(int(note.split(" guess")[0].split()[-1]))
    assert totals == sorted(totals, reverse=True)
    assert totals[-1] == tree.total


def test_the_command_refuses_a_limit_that_cannot_be_kept(moo: Callable[..., Result]) -> None:
    for limit in (1, 0, "much"):
        result = moo("export", BUNDLED, "--to", "python", "--max-bytes", limit)
        assert result.exit_code == 2 and result.stdout == ""
        assert result.stderr.startswith("moo: ") and result.stderr.count("\n") == 1
    note = moo("export", BUNDLED, "--to", "python", "--max-bytes", 20_000).stderr
    assert re.match(r"[\d,]+ bytes of Python: 26274 guesses ", note)  # published, Tanaka 1996


# --- What no tree contains ----------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["optimal 3x4r", "optimal 3x6z", "first 3x6"])
def test_after_another_players_guesses_it_goes_on_with_a_candidate(
    name: str, language: str, launch: Launch
) -> None:
    tree = TREES[name]()
    ask = launch(language, formats.write(tree, language))
    codes = all_codes(tree.rules)
    chance = random.Random(5)
    histories: list[History] = []
    for _ in range(200):
        secret = chance.choice(codes)
        guesses = chance.choices(codes, k=chance.randint(1, 4))
        if guesses[0] != tree.root.guess:
            histories.append(tuple((guess, answer(guess, secret)) for guess in guesses))
    for history, guess in zip(histories, ask(histories), strict=True):
        assert guess in codes
        assert all(answer(asked, guess) == response for asked, response in history)


@pytest.mark.parametrize("language", LANGUAGES)
def test_after_the_secret_is_found_it_names_it_again(language: str, launch: Launch) -> None:
    tree = TREES["optimal 3x5"]()
    ask = launch(language, formats.write(tree, language))
    secret = tree.root.guess
    assert ask([((secret, Response(3, 0)),)]) == [secret]


@pytest.mark.parametrize("language", LANGUAGES)
def test_wrong_answers_and_turns_are_refused(language: str, launch: Launch) -> None:
    tree = TREES["optimal 3x6z"]()
    ask = launch(language, formats.write(tree, language))
    first = tree.root.guess
    unknown: list[History] = [
        ((guess, Response(0, 1)),) for guess in ("12", "1234", "113", "012", "12x", "126", "'\"\\")
    ]
    inconsistent: list[History] = [
        ((first, Response(0, 0)), (first, Response(1, 0))),
        ((first, Response(2, 1)),),
        (("123", Response(0, 0)), ("123", Response(0, 0)), ("345", Response(0, 0))),
    ]
    answers = ask([*unknown, *inconsistent])
    for text in answers[: len(unknown)]:
        assert text.startswith(("refused: not understood: ", "refused: unknown"))
    for text in answers[len(unknown) :]:
        assert text.startswith(("refused: no code fits the history up to ", "refused: incons"))


def test_checkio_speaks_the_protocol_of_the_mission() -> None:
    tree = DecisionTree.load(BUNDLED)
    namespace: dict[str, Any] = {"__name__": "program"}
    exec(formats.write(tree, "python"), namespace)
    checkio = namespace["checkio"]
    for secret in ("0123", "9431", "5293", "6512"):
        lines: list[str] = []
        while not lines or not lines[-1].endswith("4B0C"):
            guess = checkio(lines)
            assert guess == tree.play(secret)[len(lines)][0]
            lines.append(f"{guess} {answer(guess, secret)}")
        assert len(lines) <= 8  # the mission's limit
    guess = checkio(["1234 0B2C", "6512 2B2C"])  # not our guesses
    assert answer("1234", guess) == Response(0, 2) and answer("6512", guess) == Response(2, 2)
    for line in ("", "1234", "1234 0B", "1234 2 0", "12345 0B1C", "1123 0B1C", "1234 -1B2C"):
        with pytest.raises(ValueError, match=r"^not understood: .*"):
            checkio([line])
    with pytest.raises(ValueError, match=r"^no code fits the history up to 1234 3B1C$"):
        checkio(["1234 3B1C"])


# --- Where they run -----------------------------------------------------------------------------


def test_the_python_program_is_python_of_old() -> None:
    tree = TREES["optimal 3x5"]()
    source = formats.write(tree, "python")
    for text in (source, formats.write(tree, "python", max_bytes=len(source) - 1)):
        ast.parse(text, feature_version=(3, 8))


def game_of(command: Sequence[str], secret: str) -> list[str]:
    """Play one game with a program that prints its guesses and reads the responses."""
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin and process.stdout and process.stderr
        guesses: list[str] = []
        while (line := process.stdout.readline()) and len(guesses) < 20:
            guesses.append(line.strip())
            if guesses[-1] == secret:
                break
            process.stdin.write(f"{answer(guesses[-1], secret)}\n")
            process.stdin.flush()
        rest, errors = process.communicate(f"{Response(len(secret), 0)}\n")
        assert (process.returncode, rest, errors) == (0, "", "")
    return guesses


@pytest.mark.parametrize("language", ["python", "c"])
def test_a_game_on_standard_input_and_output(language: str, tmp_path: Path) -> None:
    tree = TREES["optimal 3x5"]()
    source = formats.write(tree, language)
    if language == "c":
        command = [str(compiled(tmp_path, source, "player"))]
    else:
        (tmp_path / "player.py").write_text(source, "ascii")
        command = [sys.executable, "-I", "-S", str(tmp_path / "player.py")]
    for secret in ("012", "432", "304"):
        assert game_of(command, secret) == [guess for guess, _ in tree.play(secret)]
    for wrong in ("2B1C\n", "banana\n", "-1B0C\n"):
        result = subprocess.run(command, input=wrong, capture_output=True, text=True, check=False)
        assert result.returncode == 1
        assert result.stdout == f"{tree.root.guess}\n" and result.stderr.count("\n") == 1
    result = subprocess.run(command, input="", capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (0, f"{tree.root.guess}\n", "")


def test_the_javascript_program_as_module_and_as_classic_script(tmp_path: Path) -> None:
    runtime = node()
    tree = TREES["optimal 3x4r"]()
    source = formats.write(tree, "javascript")
    assert not re.search("</?script|<!--|]]>", source)
    (tmp_path / "player.mjs").write_text(source, "ascii")
    (tmp_path / "user.mjs").write_text(
        'import "./player.mjs"; console.log(moo_3x4r.checkio([]));', "ascii"
    )
    assert run([runtime, str(tmp_path / "user.mjs")]) == f"{tree.root.guess}\n"
    # What a page does with a classic script: it has neither module nor require.
    (tmp_path / "page.cjs").write_text(
        'const page = require("vm").createContext({});'
        'require("vm").runInContext(require("fs").readFileSync(process.argv[2], "utf8"), page);'
        "console.log(page.moo_3x4r.nextGuess([]));",
        "ascii",
    )
    command = [runtime, str(tmp_path / "page.cjs"), str(tmp_path / "player.mjs")]
    assert run(command) == f"{tree.root.guess}\n"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("guess", ['"', "'''", '0"', "*/", "\\", "0\n", "@P@", ""])
def test_a_guess_that_is_no_code_never_gets_into_a_program(guess: str, language: str) -> None:
    tree = DecisionTree.of("2x3", Node(guess))
    with pytest.raises(TreeError, match="against the rules"):
        formats.write(tree, language)


def test_the_worked_example_of_the_document() -> None:
    root = first_consistent("2x3").root
    assert (root.guess, root.parts[Response(0, 1)].guess) == ("01", "12")
    parts = dict(root.parts) | {Response(0, 1): Node("20", {Response(0, 1): Node("12")})}
    tree = DecisionTree.of("2x3", Node("01", parts))
    _, made = program.fit(tree, "none", lambda made, terse: made.text)
    assert f"has the text\n`{made.text}`. " in DOCUMENT.read_text("utf-8")
    optimal_text = program.fit(DecisionTree.load(BUNDLED), "none", lambda made, terse: made.text)
    characters = len(optimal_text[1].text)
    assert f"takes {characters} characters of text" in DOCUMENT.read_text("utf-8")


def test_digits_need_no_escape_in_any_language() -> None:
    assert len(program.DIGITS) == len(set(program.DIGITS)) == 89
    assert all(33 < ord(digit) < 127 and digit not in '"\\?<' for digit in program.DIGITS)
    assert list(program.DIGITS) == sorted(program.DIGITS)
