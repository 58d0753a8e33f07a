"""Trees of other programs: every tree survives the way there and back, and damage is told.

Expected values come from the example that the contest gives with its grammar (score 21), from the
worked example in docs/formats.md, whose tree test_tree.py counts on paper, from trees drawn at
random (tree to text to tree is the identity), and from situations small enough to be worked out by
hand, as noted where they are.
"""

import gzip
import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from hypothesis import given
from hypothesis import strategies as st
from strategies import all_codes, answer, first_consistent, places, replace

from moo_research import formats
from moo_research.errors import TreeError
from moo_research.formats import FOREIGN, foreign
from moo_research.rules import Response, Rules
from moo_research.tree import MAX_GUESSES, DecisionTree, Node

GAMES = ["1x1", "1x5", "2x2r", "2x3", "2x3r", "2x4z", "2x3rz", "2x11", "1x27", "3x4", "3x3r", "4x4"]

DOCUMENT = (Path(__file__).parents[1] / "docs" / "formats.md").read_text("utf-8")
EXAMPLE = DOCUMENT.split("```json\n")[1].split("```")[0]
NESTED_EXAMPLE = DOCUMENT.split("as `nested`:\n\n```\n")[1].split("```")[0]
CONTEST_EXAMPLE = DOCUMENT.split("as `contest`:\n\n```\n")[1].split("```")[0]

CONTEST_OWN_EXAMPLE = "{AB:{10:{AC:{10:AA,01:CB,00:BB}},02:BA,01:{BC:{01:CA}},00:CC}}"

Moo = Callable[..., Result]


def draw_tree(rules: Rules, seed: int) -> DecisionTree:
    """Draw a tree that solves every secret, sometimes by guesses that tell nothing."""
    draw = random.Random(seed)
    codes = all_codes(rules)

    def grow(candidates: list[str]) -> Node:
        guess = draw.choice(codes if draw.random() < 0.5 else candidates)
        if candidates == [guess]:
            return Node(guess)
        parts: dict[Response, list[str]] = {}
        for code in candidates:
            if code != guess:
                parts.setdefault(answer(guess, code), []).append(code)
        return Node(guess, {response: grow(members) for response, members in parts.items()})

    return DecisionTree.of(rules, grow(codes))


def symbols_written(name: str, rules: Rules) -> str:
    """The symbols in which this program writes a foreign format, as docs/formats.md tells."""
    if name == "contest":
        letters = "abcdefghijklmnopqrstuvwxyz"
        return letters[: rules.symbols] if rules.symbols <= 26 else rules.alphabet()
    return rules.alphabet(1 if rules.symbols < 10 and rules.leading_zero else 0)


def refusal(text: str | bytes, name: str, **options: str) -> str:
    """Read a text that must be refused; return the message."""
    with pytest.raises(TreeError) as caught:
        foreign.read(text, name, **options)
    message = str(caught.value)
    assert message.isprintable()
    return message


# There and back


@pytest.mark.parametrize("name", FOREIGN)
@given(game=st.sampled_from(GAMES), seed=st.integers(0, 2**32))
def test_every_tree_is_the_same_after_the_way_there_and_back(
    name: str, game: str, seed: int
) -> None:
    tree = draw_tree(Rules.parse(game), seed)
    text = formats.write(tree, name)
    symbols = symbols_written(name, tree.rules)
    found = foreign.read(text, name, game, symbols)
    assert found.tree == tree
    assert found.verification.valid and not found.remarks
    # Without being told the rules it finds the same tree, or says that it cannot know.
    try:
        found = foreign.read(text, name)
    except TreeError as error:
        assert "say which (--" in str(error) and name == "nested"
    else:
        assert found.tree == tree and found.symbols == symbols


@pytest.mark.parametrize("name", FOREIGN)
def test_the_bundled_tree_there_and_back(name: str) -> None:
    tree = DecisionTree.load(Path(foreign.__file__).parents[1] / "data" / "4x10-mean.json.gz")
    found = foreign.read(formats.write(tree, name).encode(), name)
    assert found.tree == tree
    assert not found.remarks


def test_the_worked_examples_of_the_document() -> None:
    tree = DecisionTree.from_json(json.loads(EXAMPLE))
    for name, text in (("nested", NESTED_EXAMPLE), ("contest", CONTEST_EXAMPLE)):
        assert formats.write(tree, name) == text
        assert foreign.read(text, name).tree == tree


def test_the_example_of_the_contest_scores_what_the_contest_says() -> None:
    found = foreign.read(CONTEST_OWN_EXAMPLE, "contest")
    assert found.tree.rules == Rules.parse("2x3r")
    assert found.symbols == "abc"
    assert found.tree.total == 21


def test_large_situations_are_named_and_lines_are_short() -> None:
    text = formats.write(first_consistent("4x6"), "nested")
    assert "\nA = (" in text
    assert max(map(len, text.splitlines())) <= 100


def test_ten_cows_have_no_place_in_the_contest() -> None:
    # Of 10x2rz the second symbol is always first, so that nothing gets ten cows; of 10x2r 01...
    # gets ten cows from its opposite.
    tree = first_consistent("10x2r")
    with pytest.raises(TreeError, match=r"contest has one digit for each number; 0B10C needs two"):
        formats.write(tree, "contest")
    tree = first_consistent("10x2rz")
    assert foreign.read(formats.write(tree, "contest"), "contest").tree == tree


# What the hands of different authors have in common


def test_what_knuth_leaves_out_is_filled_in() -> None:
    # 2x3r: nine codes. 11 gets 0B0C from 22 23 32 33, 1B0C from 12 13 21 31. The bare 2 is Knuth's;
    # 12 then tells 13 and 21 apart from 31: 1B0C, 0B2C and 0B1C.
    text = "9 (11: 0,0,4A; 0,4(12); 1)  A = (22: 0,0,1;0,2;1)"
    found = foreign.read(text, "nested", "2x3r", "1-3")
    assert found.tree.root == Node(
        "00",
        {
            Response(0, 0): Node(
                "11",
                {
                    Response(0, 0): Node("22"),
                    Response(1, 0): Node("12", {Response(0, 2): Node("21")}),
                },
            ),
            Response(1, 0): Node(
                "01",
                {
                    Response(0, 1): Node("20"),
                    Response(0, 2): Node("10"),
                    Response(1, 0): Node("02"),
                },
            ),
        },
    )
    assert found.completed == 6
    assert found.verification.valid and not found.remarks


@pytest.mark.parametrize(
    "text",
    [
        "6 (12: 1, 2 (23), 0; 2 (13); 1)",
        "6(12:1,2(23),0;0,2(13);1)",
        "6 (12:1,\n2,0; 2 (13) ; 1)\r\n",
        "\ufeff6 (12: 1, 2A, 0; 2B; 1) B = 2 (13)\nA = (23x)",
        "6 (12*: 1, 2 (23 *), 0; 2 (13x); 1)",
    ],
)
def test_spellings_of_one_strategy(text: str) -> None:
    found = foreign.read(text, "nested", "2x3", "1-3")
    # A bare 2 guesses the first of the two, 23 before 31, as the others say.
    assert found.tree == DecisionTree.from_json(json.loads(EXAMPLE))
    assert not found.remarks


def test_a_mark_x_is_told_from_the_symbol_x() -> None:
    tree = first_consistent("1x36")
    assert foreign.read(formats.write(tree, "nested"), "nested").tree == tree


def test_what_the_rules_do_not_determine_is_missing_and_remarked() -> None:
    found = foreign.read("6 (12)", "nested", "2x3", "1-3")  # 0B1C and 1B0C leave two each
    assert found.verification.valid
    found = foreign.read("12 (12)", "nested", "2x4", "1-4")  # 0B1C and 1B0C leave four each
    assert found.remarks == (
        "root/0B1C: the file gives no guess for 4 candidates",
        "root/1B0C: the file gives no guess for 4 candidates",
    )
    assert len(found.verification.errors) == 2
    assert found.verification.errors[0].startswith("root/0B1C: missing, where 4 codes")


def test_a_wrong_count_is_a_remark_and_no_failure() -> None:
    found = foreign.read(NESTED_EXAMPLE.replace("2 (23)", "3 (23)"), "nested", "2x3")
    assert found.remarks == ("root/0B1C: the file counts 3 candidates; the rules leave 2",)
    assert found.verification.valid


# Rules and symbols


@pytest.mark.parametrize(
    ("text", "name", "rules", "symbols"),
    [
        (CONTEST_OWN_EXAMPLE.lower(), "contest", "2x3r", "abc"),
        (CONTEST_OWN_EXAMPLE.translate(str.maketrans("ABC", "123")), "contest", "2x3r", "123"),
        ("{21:{02:12}}", "contest", "2x2", "12"),
        ("{10:{10:11}}", "contest", "2x2rz", "01"),
        ("A", "contest", "1x1", "a"),
        ("5 (3: 0, 4 (5: 0, 3 (1: 0, 2 (2); 1); 1); 1)", "nested", "1x5", "12345"),
    ],
)
def test_rules_and_symbols_are_found_out(text: str, name: str, rules: str, symbols: str) -> None:
    found = foreign.read(text, name)
    assert (str(found.tree.rules), found.symbols) == (rules, symbols)
    assert found.verification.valid


def test_what_cannot_be_found_out_is_asked_for() -> None:
    message = refusal("6 (12)", "nested")
    assert message == "several rules fit: 2x3, 2x3rz; say which (--rules)"
    message = refusal("6 (12)", "nested", rules="2x3")
    assert message == "the symbols 12 of the file may be out of 1-3 and 0-2; say which (--symbols)"
    assert foreign.read("6 (12)", "nested", "2x3", "0-2").tree.root.guess == "12"
    assert foreign.read("6 (12)", "nested", "2x3", "123").tree.root.guess == "01"
    assert foreign.read("6 (12)", "nested", "2x3", "213").tree.root.guess == "10"
    assert refusal("7 (12)", "nested").startswith("no rules fit for 7 codes: the codes have 2 pos")
    assert refusal("{AB:{10:AD}}", "contest").startswith("no rules fit: the codes have 2 positions")
    assert "do not fit 3x10" in refusal("6 (12)", "nested", rules="3x10")
    assert "written with A-C" in refusal("6 (12)", "nested", rules="2x3", symbols="A-C")


@pytest.mark.parametrize("symbols", ["0-9a-z", "1-6", "A-F", "0", "ab", "9a", "0-2a-c", "321"])
def test_symbols_are_described_as_they_are_read(symbols: str) -> None:
    read = foreign.parse_symbols(symbols)
    assert foreign.parse_symbols(foreign.describe_symbols(read)) == read
    assert len(read) == {"0-9a-z": 36, "1-6": 6, "A-F": 6, "0-2a-c": 6}.get(symbols, len(symbols))


@pytest.mark.parametrize("symbols", ["", "A-", "1-a", "6-1", "aA", "a b", "\u0660-\u0669", "1-31"])
def test_no_symbols(symbols: str) -> None:
    with pytest.raises(TreeError, match=r"^symbols "):
        foreign.parse_symbols(symbols)


# Damage

NESTED_DAMAGE = {
    "six": "line 1, column 1: there is 's' where a number of candidates is expected",
    "6": "line 1, column 1: the first guess is missing",
    "6 (12": "line 1, column 6: the file is cut short, where ':' or ')' is expected",
    "6 (12: 1,\n2 (23), 0;": "line 2, column 11: the file is cut short, where a number of candida",
    "6 (12: 1, 2, 0; 2 1)": "line 1, column 19: there is '1' where ',', ';' or ')' is expected",
    "6 (12: 1, 2; 2; 1)": "line 1, column 8: there are 2 numbers for 0 bulls; 3 are expected",
    "6 (12: 1, 2, 0, 0; 2; 1)": "line 1, column 17: a bracket has at most 3 groups of as many",
    "6 (12: 1, 2, 0; 2; 1; 0)": "line 1, column 23: a bracket has at most 3 groups of as many",
    "6 (12: 1, 2, 0; 0, 2, 0; 1)": "line 1, column 17: there are 3 numbers for 1 bull; 1 are",
    "6 (12: 1, 2, 0; 2)": "line 1, column 18: the bracket has 2 groups of numbers; 3 are expected",
    "6 (12: 1, 2, 0; 2; 1 (12))": "line 1, column 23: nothing follows 2B0C; the number must be at",
    "6 (12: 1, 2, 0; 2; 2)": "line 1, column 20: nothing follows 2B0C; the number must be at",
    "6 (12: 1, 2, 0; 1, 1; 1)": "line 1, column 17: nothing follows 1B1C; the number must be at mo",
    "6 (12: 1, 2 (33), 0; 2; 1)": "line 1, column 14: the code '33' has a symbol twice, which 2x3",
    "6 (12: 1, 2 (14), 0; 2; 1)": "the codes of the file have 2 positions and the symbols 124: th",
    "6 (12: 1, 2 (123), 0; 2; 1)": "line 1, column 14: the code '123' has 3 symbols, and the first",
    "6 (12: 1, 2, 0; 2A; 1)": "line 1, column 17: A is not defined",
    "6 (12) A = (13)": "line 1, column 13: A is defined, but the first guess does not lead to it",
    "6 (12: 1, 2A, 0; 2A; 1) A = (13)": "line 1, column 19: A stands in two places",
    "6 (12: 1, 2, 0; 2A; 1) A = (13) A = (13)": "line 1, column 33: A is defined twice",
    "6 (12) A = (13: 0, 2A, 0; 0; 1)": "line 1, column 13: A is defined, but the first guess does",
    "6 (12))": "line 1, column 7: there is ')' where the name of a situation is expected",
    "6 (12: 1, 12345678901, 0; 2; 1)": "line 1, column 20: there is '0' where ',', ';' or ')' is",
}

CONTEST_DAMAGE = {
    "{AB": "line 1, column 4: the file is cut short, where ':' is expected",
    "AB,": "line 1, column 3: there is ',' after the end of the tree",
    "{AB:{}}": "line 1, column 6: there is '}' where a response of two digits, such as 10, is",
    "{AB:{1:BA}}": "line 1, column 6: there is '1' where a response of two digits, such as 10, is",
    "{AB:{100:BA}}": "line 1, column 6: there is '1' where a response of two digits, such as 10, ",
    "{AB:{10:AC,\n10:BC}}": "line 2, column 1: the response 10 to this guess occurs twice",
    "{AB:{92:AC}}": "line 1, column 6: 9B2C is no response: bulls and cows are at least 0 and",
    "{AB:{30:AC}}": "line 1, column 9: this response cannot occur in 2x3",
    "{AB:{11:AC}}": "line 1, column 9: this response cannot occur in 2x3",
    "{AB:{20:AC}}": "line 1, column 9: a guess after the winning response",
    "{AB:{10:ABC}}": "line 1, column 9: the code 'abc' has 3 symbols, and the first guess has 2",
    "{ABABABABABA:{10:A}}": "line 1, column 2: the code 'ABABABABABA' has 11 symbols; 10 are the",
    "{AB:{10:AC}": "line 1, column 12: the file is cut short, where '}' is expected",
    "{AB:{10:A\u00e9}}": "line 1, column 10: there is '\\xe9' where ',' or '}' is expected",
}


@pytest.mark.parametrize(("text", "message"), NESTED_DAMAGE.items())
def test_damage_to_a_nested_file(text: str, message: str) -> None:
    assert refusal(text, "nested", rules="2x3").startswith(message)


@pytest.mark.parametrize(("text", "message"), CONTEST_DAMAGE.items())
def test_damage_to_a_contest_file(text: str, message: str) -> None:
    assert refusal(text, "contest", rules="2x3").startswith(message)


@pytest.mark.parametrize("name", FOREIGN)
def test_a_file_cut_anywhere_is_refused_or_known_to_fail(name: str) -> None:
    rules = Rules.parse("2x4")
    text = formats.write(first_consistent(rules), name)
    for end in range(len(text.rstrip())):
        try:
            found = foreign.read(text[:end], name, rules, symbols_written(name, rules))
        except TreeError as error:
            assert str(error).isprintable()
        else:
            assert not found.verification.valid


@pytest.mark.parametrize("name", FOREIGN)
@given(seed=st.integers(0, 2**32))
def test_a_file_with_a_wrong_character_is_no_crash(name: str, seed: int) -> None:
    draw = random.Random(seed)
    text = list(formats.write(draw_tree(Rules.parse("2x3r"), seed), name))
    for _ in range(draw.randint(1, 3)):
        text[draw.randrange(len(text))] = draw.choice("0123ABC(){}:;,= x*\u0663")
    try:
        found = foreign.read("".join(text), name, "2x3r", symbols_written(name, Rules(2, 3, True)))
    except TreeError as error:
        assert str(error).isprintable()
    else:
        # Whatever tree it is, it is one that the tree file can hold.
        assert DecisionTree.from_json(found.tree.to_json(), strict=False) == found.tree


@pytest.mark.parametrize(
    ("name", "deep", "wide", "large"),
    [
        ("nested", "2 (12: ", f"2 ({'1' * 10**6})", "10000000 (1234567)"),
        ("contest", "{AB:{10:", "1" * 10**6, "1234567"),
    ],
)
def test_files_without_measure_are_refused(name: str, deep: str, wide: str, large: str) -> None:
    assert "deeper than 200 guesses" in refusal(deep * 100_000, name)
    assert "has 1000000 symbols; 10 are the most" in refusal(wide, name)
    message = refusal(large, name, rules="7x10r", symbols="0-9")
    assert message == "7x10r has 10000000 codes; trees of at most 1048576 are read"


@pytest.mark.parametrize("name", FOREIGN)
def test_the_deepest_tree_is_read_and_one_deeper_is_not(name: str) -> None:
    def chain(guesses: int) -> str:
        if name == "contest":
            return "{AB:{02:" * (guesses - 1) + "BA" + "}}" * (guesses - 1)
        return "2 (12: " * (guesses - 1) + "1 (21)" + ", 0, 0; 0; 0)" * (guesses - 1)

    assert foreign.read(chain(MAX_GUESSES), name, "2x2").tree.root.guess == "01"
    assert "deeper than 200 guesses" in refusal(chain(MAX_GUESSES + 1), name, rules="2x2")


def test_files_of_too_many_situations_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foreign, "MAX_SITUATIONS", 5)
    assert foreign.read(NESTED_EXAMPLE, "nested", "2x3").tree.total == 13
    assert refusal(CONTEST_EXAMPLE, "contest") == "line 1, column 41: more than 5 situations"


def test_names_do_not_make_a_tree_deeper_than_allowed() -> None:
    # Each situation holds the next in 100 brackets, so that three of them are too deep.
    def around(inner: str) -> str:
        return "(12: " + "2 (12: " * 99 + inner + ", 0, 0; 0; 0)" * 100

    text = f"2 {around('2A')} A = {around('2B')} B = {around('2')}"
    assert refusal(text, "nested", rules="2x2").endswith("deeper than 200 guesses")


@pytest.mark.parametrize(
    "data", [b"", b" \n", b"\xff\xfe{\x00", b"\x00", "{AB:{\n".encode("utf-16")]
)
def test_what_is_no_text_is_refused(data: bytes) -> None:
    for name in FOREIGN:
        assert refusal(data, name)


def test_compressed_files_and_file_names_in_messages(tmp_path: Path) -> None:
    path = tmp_path / "strategy.txt"
    path.write_bytes(gzip.compress(CONTEST_OWN_EXAMPLE.encode()))
    assert foreign.load(path, "contest").tree.total == 21
    path.write_bytes(gzip.compress(CONTEST_OWN_EXAMPLE.encode())[:-12])
    with pytest.raises(TreeError, match=r"strategy\.txt: the file is cut short"):
        foreign.load(path, "contest")
    with pytest.raises(TreeError, match="cannot be read: No such file"):
        foreign.load(tmp_path / "none", "contest")


def test_a_wrong_leaf_is_reported_at_its_place() -> None:
    tree = first_consistent("2x3")
    for place, node in places(tree).items():
        if node.parts:
            continue
        wrong = replace(tree, place, Node(tree.root.guess))
        text = "".join(_contest(wrong.root))
        found = foreign.read(text, "contest", "2x3", "0-2")
        assert found.tree == wrong
        assert [error.split(":")[0] for error in found.verification.errors] == [place]


def _contest(node: Node) -> list[str]:
    """Write the contest's grammar without looking at what it is that is written."""
    if not node.parts:
        return [node.guess]
    text = ["{", node.guess, ":{"]
    for response, part in node.parts.items():
        text += [",", f"{response.bulls}{response.cows}:", *_contest(part)]
    del text[3]
    return [*text, "}}"]


# On the command line


@pytest.fixture
def contest_file(tmp_path: Path) -> Path:
    path = tmp_path / "strategy.txt"
    path.write_text(CONTEST_OWN_EXAMPLE)
    return path


def test_import_prints_a_tree_file(moo: Moo, contest_file: Path, tmp_path: Path) -> None:
    result = moo("import", contest_file, "--from", "contest")
    assert result.exit_code == 0
    assert DecisionTree.from_json(json.loads(result.stdout)).total == 21
    assert "symbols     A-C" in result.stderr
    output = tmp_path / "tree.json.gz"
    result = moo("import", contest_file, "--from", "contest", "-o", output)
    assert result.exit_code == 0 and result.stderr == ""
    assert "total       21 guesses" in result.stdout
    assert moo("verify", output).exit_code == 0
    page = tmp_path / "page.html"
    assert moo("explore", output, "--no-open", "-o", page).exit_code == 0
    # The first guess and those after it, in the symbols of ours.
    assert '"guesses":"01' in page.read_text("utf-8")
    exported = moo("export", output, "--to", "contest")
    assert foreign.read(exported.stdout, "contest").tree == DecisionTree.load(output)


def test_import_of_a_tree_that_fails(moo: Moo, contest_file: Path, tmp_path: Path) -> None:
    contest_file.write_text(CONTEST_OWN_EXAMPLE.replace("00:CC", "00:AA"))
    output = tmp_path / "tree.json"
    result = moo("import", contest_file, "--from", "contest", "-o", output)
    assert result.exit_code == 1 and not output.exists()
    assert "root/0B0C: ends with 00 where 22 is left" in result.stdout
    assert "--force" in result.stdout
    assert moo("import", contest_file, "--from", "contest").stdout == ""
    result = moo("import", contest_file, "--from", "contest", "-o", output, "--force")
    assert result.exit_code == 1
    assert moo("verify", output).exit_code == 1


def test_import_as_json(moo: Moo, contest_file: Path, tmp_path: Path) -> None:
    result = moo("import", contest_file, "--from", "contest", "--json")
    assert json.loads(result.stdout) == {
        "rules": "2x3r",
        "symbols": "abc",
        "valid": True,
        "total": 21,
        "mean": 21 / 9,
        "max_guesses": 3,
        "histogram": [1, 4, 4],
        "completed": 0,
        "errors": [],
        "remarks": [],
        "tree": None,
    }


def test_requests_that_are_wrong(moo: Moo, contest_file: Path) -> None:
    for arguments, message in (
        ((contest_file,), "--from"),
        ((contest_file, "--from", "json"), "json"),
        ((contest_file, "--from", "nested"), "strategy.txt: line 1, column 1: there is '{' where"),
        ((contest_file, "--from", "contest", "--rules", "4x4"), "do not fit 4x4"),
        ((contest_file, "--from", "contest", "--symbols", "AA"), "name one twice"),
        ((contest_file, "--from", "contest", "-o", "x.txt"), "must end in .json"),
    ):
        result = moo("import", *arguments)
        assert result.exit_code == 2 and result.stdout == ""
        assert result.stderr.startswith("moo: ") and result.stderr.count("\n") == 1
        assert message in result.stderr
    contest_file.rename(contest_file.with_name("tree.json"))
    path = contest_file.with_name("tree.json")
    assert "take the place" in moo("import", path, "--from", "contest", "-o", path).stderr
