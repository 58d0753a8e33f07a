"""Tree files and exports: read back what is written, refuse what is damaged, naming the place.

Expected values come from the worked example in docs/formats.md, whose tree test_tree.py counts on
paper, and from playing every secret with the slow definition in strategies.py.
"""

import csv
import gzip
import json
import os
import re
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from hypothesis import given
from hypothesis import strategies as st
from strategies import all_codes, answer, first_consistent, follow

from moo_research import formats
from moo_research.errors import MooError, TreeError
from moo_research.formats import json as tree_file
from moo_research.rules import Response
from moo_research.tree import MAX_GUESSES, DecisionTree, Node

GAMES = ["1x1", "1x12", "2x3", "2x3r", "2x3z", "2x3rz", "3x4", "4x4"]

DOCUMENT = Path(__file__).parents[1] / "docs" / "formats.md"
EXAMPLE = DOCUMENT.read_text("utf-8").split("```json\n")[1].split("```")[0]
TEXT_EXAMPLE = DOCUMENT.read_text("utf-8").split("as text:\n\n```\n")[1].split("```")[0]


def chain(guesses: int) -> Node:
    """A tree of the game 2x2 that guesses 01 again and again: one node for each guess."""
    node = Node("10")
    for _ in range(guesses - 1):
        node = Node("01", {Response(0, 2): node})
    return node


def refusal(path: Path, *, strict: bool = True) -> str:
    """Load a file that must be refused; return the message after the name of the file."""
    with pytest.raises(TreeError) as caught:
        DecisionTree.load(path, strict=strict)
    message = str(caught.value)
    assert message.startswith(f"{path}: ") and message.isprintable()
    return message.removeprefix(f"{path}: ")


@pytest.fixture
def example(tmp_path: Path) -> Path:
    path = tmp_path / "tree.json"
    path.write_text(EXAMPLE, "utf-8")
    return path


# Reading and writing


def test_the_worked_example_of_the_document(example: Path, tmp_path: Path) -> None:
    tree = DecisionTree.load(example)
    assert tree.verify().valid
    assert (tree.total, tree.histogram) == (13, (1, 3, 2))
    assert formats.write(tree, "json") == EXAMPLE
    assert formats.write(tree, "text").split("\n\n")[1] == TEXT_EXAMPLE
    tree.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_text("utf-8") == EXAMPLE


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("ending", [".json", ".json.gz"])
def test_a_saved_tree_loads_as_it_was(game: str, ending: str, tmp_path: Path) -> None:
    tree = first_consistent(game)
    path = tmp_path / f"tree{ending}"
    tree.save(path)
    assert DecisionTree.load(path) == tree
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("game", GAMES)
def test_a_tree_survives_the_way_through_objects(game: str) -> None:
    tree = first_consistent(game)
    objects = json.loads(json.dumps(tree.to_json()))
    assert objects == json.loads(formats.write(tree, "json"))
    assert DecisionTree.from_json(objects) == tree


def test_equal_trees_give_equal_bytes(example: Path, tmp_path: Path) -> None:
    tree = DecisionTree.load(example)
    turned = DecisionTree(
        tree.rules, tree.cost, Node(tree.root.guess, dict(reversed(tree.root.parts.items())))
    )
    for ending in (".json", ".json.gz"):
        tree.save(tmp_path / f"one{ending}")
        turned.save(tmp_path / f"two{ending}")
        one, two = ((tmp_path / f"{name}{ending}").read_bytes() for name in ("one", "two"))
        assert one == two
    # RFC 1952: bytes 4 to 7 are the time, bit 3 of byte 3 says that a name follows.
    assert one[4:8] == bytes(4) and one[3] & 8 == 0
    assert gzip.decompress(one).decode() == EXAMPLE


def test_compression_is_told_by_content_not_by_name(example: Path, tmp_path: Path) -> None:
    tree = DecisionTree.load(example)
    misnamed = tmp_path / "plain.json.gz"
    misnamed.write_bytes(example.read_bytes())
    assert DecisionTree.load(misnamed) == tree
    misnamed = tmp_path / "packed.json"
    misnamed.write_bytes(gzip.compress(example.read_bytes()))
    assert DecisionTree.load(misnamed) == tree


def test_any_layout_unknown_keys_and_empty_parts_are_read() -> None:
    value = json.loads(EXAMPLE)
    value["note"] = {"deep": [[[]]]}
    value["root"]["parts"]["0B2C"] |= {"parts": {}, "note": None}
    tree = DecisionTree.from_json(dict(reversed(value.items())))
    assert tree == tree_file.read(EXAMPLE) == tree_file.read(json.dumps(value, indent=4).encode())


def test_the_deepest_tree_is_read_and_one_deeper_is_not(tmp_path: Path) -> None:
    deepest = DecisionTree.of("2x2", chain(MAX_GUESSES))
    deepest.save(tmp_path / "deepest.json")
    assert DecisionTree.load(tmp_path / "deepest.json").max_guesses == MAX_GUESSES
    assert DecisionTree.from_json(deepest.to_json()).max_guesses == MAX_GUESSES
    deeper = DecisionTree.of("2x2", chain(MAX_GUESSES + 1))
    with pytest.raises(TreeError, match="deeper than 200 guesses"):
        deeper.save(tmp_path / "deeper.json")
    with pytest.raises(TreeError, match="deeper than 200 guesses"):
        deeper.to_json()
    assert not (tmp_path / "deeper.json").exists()


def test_a_failed_write_leaves_the_old_file_and_nothing_else(
    example: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    tree = DecisionTree.load(example)
    for call in ("fsync", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(os, call, fail)
            with pytest.raises(TreeError, match=r"cannot be written: No space left on device$"):
                tree.save(example)
        assert [file.name for file in example.parent.iterdir()] == [example.name]
        assert example.read_text("utf-8") == EXAMPLE


def test_a_file_that_cannot_be_written_is_told_by_name(example: Path, tmp_path: Path) -> None:
    path = tmp_path / "missing" / "tree.json"
    with pytest.raises(TreeError, match=f"^{re.escape(str(path))}: cannot be written: "):
        DecisionTree.load(example).save(path)


# Damaged files


def change(*path: str | int, to: object = None) -> str:
    """Return the example with the value at ``path`` changed, or taken out if ``to`` is ``...``."""
    value = json.loads(EXAMPLE)
    inner = value
    for key in path[:-1]:
        inner = inner[key]
    if to is ...:
        del inner[path[-1]]
    else:
        inner[path[-1]] = to
    return json.dumps(value)


PART = ("root", "parts", "0B1C")
NO_TREE = {
    "empty": ("", "no tree file: it is empty"),
    "blank": (" \n", "no tree file: it is empty"),
    "no JSON": ("moo", "no JSON at line 1, column 1: "),
    "other JSON": ("[1, 2]", "no tree file: it does not begin with "),
    "no format": (change("format", to=...), "no tree file: "),
    "other format": (change("format", to="moo-proof"), "no tree file: "),
    "newer version": (change("version", to=2), "version: '2' is newer than 1, which"),
    "far version": (change("version", to=10**4000), "version: '1000"),
    "version 0": (change("version", to=0), "version: it must be a whole number from 1 on"),
    "version true": (change("version", to=True), "version: it must be a whole number from 1 on"),
    "version 1.0": (change("version", to=1.0), "version: it must be a whole number from 1 on"),
    "no version": (change("version", to=...), "version: it must be a whole number from 1 on"),
    "no rules": (change("rules", to=...), "rules: missing"),
    "rules of a wrong type": (
        change("rules", to=4),
        'rules: they must be text such as "4x10", not',
    ),
    "unknown rules": (change("rules", to="4y10"), "rules: "),
    "impossible rules": (change("rules", to="4x3"), "rules: "),
    "no cost": (change("cost", to=...), "cost: missing"),
    "cost of a wrong type": (
        change("cost", to="1"),
        "cost: it must be a list of numbers, not text",
    ),
    "empty cost": (change("cost", to=[]), "cost: it must have a number for each guess"),
    "text in the cost": (change("cost", 1, to="2"), "cost[1]: it must be a whole number from 0 to"),
    "true in the cost": (change("cost", 0, to=True), "cost[0]: it must be a whole number"),
    "null in the cost": (change("cost", 2, to=None), "cost[2]: it must be a whole number"),
    "fraction in the cost": (change("cost", 1, to=1.5), "cost[1]: it must be a whole number"),
    "NaN in the cost": (change("cost", 1, to=float("nan")), "cost[1]: it must be a whole number"),
    "infinite cost": (change("cost", 2, to=float("inf")), "cost[2]: it must be a whole number"),
    "negative cost": (change("cost", 0, to=-1), "cost[0]: it must be a whole number"),
    "huge cost": (change("cost", 2, to=2**63), "cost[2]: it must be a whole number"),
    "falling cost": (
        change("cost", 2, to=1),
        "cost[2]: 1 is less than the cost of the guess before",
    ),
    "endless number": (EXAMPLE.replace("[1,", "[" + "9" * 5000 + ","), "no tree file: a number"),
    "no root": (change("root", to=...), "root: missing"),
    "root of a wrong type": (
        change("root", to="01"),
        "root: it must be an object with a guess, not",
    ),
    "null node": (change(*PART, to=None), "root/0B1C: it must be an object with a guess, not null"),
    "no guess": (change(*PART, "guess", to=...), "root/0B1C: the guess is missing"),
    "guess of a wrong type": (
        change(*PART, "guess", to=12),
        "root/0B1C: the guess must be text, not",
    ),
    "NaN as guess": (change(*PART, "guess", to=float("nan")), "root/0B1C: the guess must be text,"),
    "parts of a wrong type": (
        change(*PART, "parts", to=[]),
        "root/0B1C: the parts must be an object",
    ),
    "null parts": (change(*PART, "parts", to=None), "root/0B1C: the parts must be an object, not"),
    "unknown response": (
        change(*PART, "parts", to={"banana": {"guess": "20"}}),
        "root/0B1C: 'banana' is no response; responses are written like 1B2C",
    ),
    "response in another notation": (
        change(*PART, "parts", to={"0A1B": {"guess": "20"}}),
        "root/0B1C: '0A1B' is no response",
    ),
    "response spelled otherwise": (
        change(*PART, "parts", to={"00B1C": {"guess": "20"}}),
        "root/0B1C: '00B1C' is no response",
    ),
    "response of no game": (
        change(*PART, "parts", to={"9B9C": {"guess": "20"}}),
        "root/0B1C: 9B9C is no response: ",
    ),
    "long response": (
        change(*PART, "parts", to={"B" * 9999: {"guess": "20"}}),
        f"root/0B1C: '{'B' * 40}'... (9999 characters) is no response; ",
    ),
    "two wrong parts, the first one told": (
        change(*PART, "parts", to={"1B0C": None, "0B1C": None}),
        "root/0B1C/1B0C: it must be an object with a guess, not null",
    ),
    "line break in a response": (
        change(*PART, "parts", to={"0B1C\n": {"guess": "20"}}),
        r"root/0B1C: '0B1C\n' is no response",
    ),
    "a key twice in the head": (
        EXAMPLE.replace('"version"', '"rules": "2x3", "version"'),
        "the head: the key 'rules' occurs twice",
    ),
    "a key twice in a node": (
        EXAMPLE.replace('"guess":"12"', '"guess":"12","guess":"20"'),
        "root/0B1C: the key 'guess' occurs twice",
    ),
    "a response twice": (
        EXAMPLE.replace('"0B1C":{"guess":"20"}', '"0B1C":{"guess":"20"},"0B1\\u0043":{}'),
        "root/0B1C: the key '0B1C' occurs twice",
    ),
    "too deep": (
        json.dumps(DecisionTree.of("2x2", chain(MAX_GUESSES)).to_json()).replace(
            '{"guess": "10"}', '{"guess": "01", "parts": {"0B2C": {"guess": "10"}}}'
        ),
        "root/0B2C/0B2C/0B2C/0B2C/0B2C/.../0B2C/0B2C: deeper than 200 guesses",
    ),
    "brackets without end": ("[" * 100_000, "nested too deeply for a tree"),
    "nodes without end": (
        EXAMPLE.split("0B1C")[0] + '0B1C":{"parts":{"' * 100_000,
        "root/0B1C/0B1C/0B1C/0B1C/0B1C/.../0B1C/0B1C: nested too deeply for a tree",
    ),
    "notes without end": (
        EXAMPLE.replace('"20"', '"20","note":' + "[" * 100_000 + "]" * 100_000),
        "root/0B1C/0B1C: nested too deeply for a tree",
    ),
    "more after the end": (EXAMPLE + "{}", "no JSON at line 8, column 1: Extra data"),
    "comma missing": (
        EXAMPLE.replace('"12",', '"12"'),
        "root/0B1C: no JSON at line 3, column 22: Expecting ',' delimiter",
    ),
}

AGAINST_THE_RULES = {
    "repeated symbol": (
        change(*PART, "guess", to="11"),
        "root/0B1C: the guess is against the rules",
    ),
    "unknown symbol": (
        change(*PART, "guess", to="13"),
        "root/0B1C: the guess is against the rules",
    ),
    "no symbol": (change(*PART, "guess", to=""), "root/0B1C: the guess is against the rules"),
    "long guess": (change("root", "guess", to="0" * 9999), "root: the guess is against the rules"),
    "line break in a guess": (change("root", "guess", to="0\n"), "root: the guess "),
    "half a character in a guess": (change("root", "guess", to="\ud800"), "root: the guess "),
    "response that cannot occur": (
        change(*PART, "parts", "1B1C", to={"guess": "21"}),
        "root/0B1C/1B1C: this response cannot occur in 2x3",
    ),
    "response of a larger game": (
        change("root", "parts", "0B3C", to={"guess": "21"}),
        "root/0B3C: this response cannot occur in 2x3",
    ),
    "guess after the win": (
        change("root", "parts", "2B0C", to={"guess": "21"}),
        "root/2B0C: a guess after the winning response",
    ),
}

FAILS = {
    "missing part": (
        change(*PART, to=...),
        "root/0B1C: missing, where 2 codes such as 12 are left",
    ),
    "end too early": (change(*PART, "parts", to=...), "root/0B1C: ends with 12 where 2 codes such"),
    "repeated secret": (
        change(*PART, "parts", "0B1C", "guess", to="10"),
        "root/0B1C/0B1C: ends with 10 where 20 is left, and 10 is solved at root/0B2C",
    ),
    "part that no secret reaches": (
        change("root", "parts", "0B2C", "parts", to={"1B0C": {"guess": "12"}}),
        "root/0B2C/1B0C: no secret left gives this response to 10",
    ),
}


@pytest.mark.parametrize(("text", "beginning"), NO_TREE.values(), ids=NO_TREE)
def test_what_is_no_tree_file_is_refused_with_its_place(
    text: str, beginning: str, tmp_path: Path, moo: Callable[..., Result]
) -> None:
    path = tmp_path / "tree.json"
    path.write_text(text, "utf-8")
    assert refusal(path).startswith(beginning)
    assert refusal(path, strict=False).startswith(beginning)
    for arguments in (["verify", path], ["verify", path, "--json"], ["export", path, "--to=csv"]):
        result = moo(*arguments)
        assert result.exit_code == 2
        assert result.stdout == ""
        assert result.stderr.startswith(f"moo: {path}: {beginning}")
        assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(("text", "beginning"), AGAINST_THE_RULES.values(), ids=AGAINST_THE_RULES)
def test_nodes_against_the_rules_are_refused_but_listed_by_verify(
    text: str, beginning: str, tmp_path: Path, moo: Callable[..., Result]
) -> None:
    path = tmp_path / "tree.json"
    path.write_text(text, "utf-8")
    assert refusal(path).startswith(beginning)
    assert DecisionTree.load(path, strict=False).verify().errors[0].startswith(beginning)
    assert_fails(path, beginning, moo)


@pytest.mark.parametrize(("text", "beginning"), FAILS.values(), ids=FAILS)
def test_a_tree_that_fails_loads_and_is_listed_by_verify(
    text: str, beginning: str, tmp_path: Path, moo: Callable[..., Result]
) -> None:
    path = tmp_path / "tree.json"
    path.write_text(text, "utf-8")
    assert DecisionTree.load(path).verify().errors[0].startswith(beginning)
    assert_fails(path, beginning, moo)


def assert_fails(path: Path, beginning: str, moo: Callable[..., Result]) -> None:
    result = moo("verify", path)
    assert result.exit_code == 1
    assert result.stderr == ""
    assert beginning in result.stdout
    result = moo("verify", path, "--json")
    assert result.exit_code == 1
    value = json.loads(result.stdout)
    assert value["valid"] is False and value["total"] is None
    assert value["errors"][0].startswith(beginning)
    for name in formats.FORMATS:
        result = moo("export", path, "--to", name)
        assert result.exit_code == 2
        assert result.stdout == ""
        assert result.stderr.startswith(f"moo: {path}: {beginning}")
        assert result.stderr.count("\n") == 1


def test_a_file_cut_anywhere_is_refused_as_cut(tmp_path: Path) -> None:
    path = tmp_path / "tree.json"
    for end in range(1, len(EXAMPLE) - 1):
        path.write_text(EXAMPLE[:end], "utf-8")
        message = refusal(path)
        assert "the file is cut short, at line " in message
        # Line 4 is inside the node root/0B1C/0B1C once its brace is open.
        if EXAMPLE[:end].endswith('"guess":"20'):
            assert message.startswith("root/0B1C/0B1C: the file is cut short, at line 4, column ")


def test_a_compressed_file_cut_or_damaged_anywhere_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "tree.json.gz"
    tree_file.read(EXAMPLE).save(path)
    whole = path.read_bytes()
    for end in range(len(whole)):
        path.write_bytes(whole[:end])
        message = refusal(path)
        assert end < 2 or message == "the file is cut short: its gzip data end too early"
    for index in range(10, len(whole)):  # after the header, which holds nothing of the tree
        path.write_bytes(whole[:index] + bytes([whole[index] ^ 0x10]) + whole[index + 1 :])
        assert "gzip data" in refusal(path)


def test_a_gzip_bomb_is_stopped(tmp_path: Path) -> None:
    path = tmp_path / "bomb.json.gz"
    path.write_bytes(gzip.compress(bytes(2**20)) * 1024)  # 1 GiB in a file of 1 MiB
    tracemalloc.start()
    try:
        assert refusal(path) == "larger than the 32 MiB that a tree file may have"
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 4 * tree_file.MAX_BYTES


def test_a_large_plain_file_is_stopped(tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    with path.open("wb") as stream:
        stream.truncate(2**33)  # a sparse file: nothing is stored
    assert refusal(path) == "larger than the 32 MiB that a tree file may have"


def test_what_cannot_be_read_is_refused_by_name(tmp_path: Path, moo: Callable[..., Result]) -> None:
    assert refusal(tmp_path).startswith("cannot be read: ")
    assert refusal(tmp_path / "missing.json") == "cannot be read: No such file or directory"
    (tmp_path / "bytes.json").write_bytes(b'{"format": "\xff\xfe"}')
    assert refusal(tmp_path / "bytes.json") == "no tree file: byte 12 is not UTF-8 text"
    with pytest.raises(TreeError, match="cannot be read: "):
        DecisionTree.load("a\0b")
    with pytest.raises(TreeError, match=r"two\\nlines': cannot be read: "):
        DecisionTree.load(tmp_path / "two\nlines")
    result = moo("verify", tmp_path / "two\nlines")
    assert result.exit_code == 2 and result.stderr.count("\n") == 1


@given(st.data())
def test_random_damage_of_the_text_never_gets_past_a_tree_error(data: st.DataObject) -> None:
    text = list(EXAMPLE)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text) - 1))
        until = data.draw(st.integers(at, min(at + 5, len(text))))
        text[at:until] = data.draw(st.text('{}[]:,"\\0123BCNa \n\x00é', max_size=4))
        text.append(" ")
    try:
        tree = tree_file.read("".join(text), strict=False)
    except TreeError as error:
        assert str(error).isprintable()
    else:
        assert tree.verify().valid or all(map(str.isprintable, tree.verify().errors))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["guess", "parts", "0B1C", "0B2C", "1B0C", "9B9C", "x"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(st.dictionaries(st.sampled_from(["version", "rules", "cost", "root"]), json_values))
def test_random_objects_never_get_past_a_tree_error(values: dict[str, Any]) -> None:
    value = {"format": "moo-tree", "version": 1, "rules": "2x3", "cost": [1], **values}
    try:
        tree = DecisionTree.from_json(value, strict=False)
    except TreeError as error:
        assert str(error).isprintable()
    else:
        assert all(map(str.isprintable, tree.verify().errors))
        assert DecisionTree.from_json(tree.to_json(), strict=False) == tree


# Other formats: whoever follows them solves every secret in as many guesses as the tree


@pytest.mark.parametrize("game", GAMES)
def test_following_the_text_by_hand(game: str) -> None:
    tree = first_consistent(game)
    head, strategy = formats.write(tree, "text").split("\n\n")
    assert head.startswith(f"Strategy for {game}: {tree.rules.size} codes, {tree.total} questions")
    lines = strategy.splitlines()
    for secret in all_codes(tree.rules):
        at, guesses = 0, 1
        while (guess := lines[at].split()[-1]) != secret:
            depth = len(lines[at]) - len(lines[at].lstrip())
            wanted = f"{' ' * (depth + 4)}{answer(guess, secret)} "
            at = next(i for i in range(at + 1, len(lines)) if lines[i].startswith(wanted))
            guesses += 1
        assert guesses == len(follow(tree, secret) or ())
    # The last candidate of a part is marked, and nothing is asked below it.
    marked = [line for line in lines if "= " in line]
    assert len(marked) == sum(1 for visit in tree.visits() if not visit.node.parts)


@pytest.mark.parametrize("game", GAMES)
def test_csv_has_one_row_for_each_secret(game: str) -> None:
    tree = first_consistent(game)
    rows = list(csv.DictReader(formats.write(tree, "csv").splitlines()))
    assert [row["secret"] for row in rows] == all_codes(tree.rules)
    for row in rows:
        guesses = [row[f"guess_{number}"] for number in range(1, tree.max_guesses + 1)]
        asked = int(row["guesses"])
        assert guesses[:asked] == [guess for guess, _ in tree.play(row["secret"])]
        assert guesses[asked - 1] == row["secret"] and not any(guesses[asked:])
    assert sum(int(row["guesses"]) for row in rows) == tree.total


@pytest.mark.parametrize("game", GAMES)
def test_following_the_edges_of_the_drawing(game: str) -> None:
    tree = first_consistent(game)
    first, *lines, last = formats.write(tree, "dot").splitlines()
    assert (first, last) == ("digraph strategy {", "}")
    guess_of, next_of = {}, {}
    for line in lines:
        if match := re.fullmatch(r'  n(\d+) \[label="(\w+)"(, style=dashed)?\];', line):
            guess_of[match[1]] = match[2]
        elif match := re.fullmatch(r'  n(\d+) -> n(\d+) \[label="(\w+)"\];', line):
            next_of[match[1], match[3]] = match[2]
        else:
            assert re.fullmatch(r'  (\w+="?[^"]*"?|(node|edge) \[[^]]*\]);', line)
    for secret in all_codes(tree.rules):
        at, guesses = "0", 1
        while guess_of[at] != secret:
            at = next_of[at, str(answer(guess_of[at], secret))]
            guesses += 1
        assert guesses == len(follow(tree, secret) or ())


def test_guesses_that_cannot_win_are_told_from_candidates() -> None:
    """In the game 1x3, after 0 and 1 have failed, guessing 0 again cannot win."""
    again = Node("0", {Response(0, 0): Node("2")})
    tree = DecisionTree.of("1x3", Node("0", {Response(0, 0): Node("1", {Response(0, 0): again})}))
    drawing = formats.write(tree, "dot").splitlines()
    assert '  n0 [label="0"];' in drawing
    assert '  n2 [label="0", style=dashed];' in drawing
    assert formats.write(tree, "text").splitlines()[-4:] == [
        "[3] 0",
        "    0B0C [2] 1",
        "        0B0C [1] 0",
        "            0B0C = 2",
    ]


def test_an_unknown_format_is_refused_with_those_there_are() -> None:
    with pytest.raises(TreeError, match=r"no format 'pdf'; the formats are json, text, csv, dot, "):
        formats.write(tree_file.read(EXAMPLE), "pdf")


def test_an_option_that_the_format_does_not_have_is_refused(
    example: Path, moo: Callable[..., Result]
) -> None:
    tree = DecisionTree.load(example)
    with pytest.raises(MooError, match=r"^the format csv has no option max_bytes; python, c, "):
        formats.write(tree, "csv", max_bytes=1000)
    with pytest.raises(MooError, match=r"^the format python has no option colour$"):
        formats.write(tree, "python", colour="red")
    assert formats.write(tree, "csv", max_bytes=None) == formats.write(tree, "csv")
    result = moo("export", example, "--to", "csv", "--max-bytes", 1000)
    assert result.exit_code == 2 and result.stdout == ""
    assert result.stderr.startswith("moo: the format csv has no option max_bytes")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("name", [name for name in formats.FORMATS if name != "json"])
def test_formats_that_need_every_secret_refuse_a_tree_that_fails(name: str) -> None:
    failing = DecisionTree.from_json(json.loads(change(*PART, to=...)))
    with pytest.raises(TreeError, match=r"^root/0B1C: missing"):
        formats.write(failing, name)


# The commands


def test_verify_prints_what_the_replay_shows(example: Path, moo: Callable[..., Result]) -> None:
    result = moo("verify", example, "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout) == {
        "rules": "2x3",
        "valid": True,
        "total": 13,
        "mean": 13 / 6,
        "max_guesses": 3,
        "histogram": [1, 3, 2],
        "errors": [],
    }
    result = moo("verify", example)
    assert result.exit_code == 0
    for words in ("2x3", "yes, every secret is solved", "13 guesses", "2.1667", "3 guesses"):
        assert words in result.stdout
    assert re.search(r"at guess +1 +2 +3\n +secrets +1 +3 +2\n", result.stdout)


def test_verify_shortens_a_long_list_of_errors(tmp_path: Path, moo: Callable[..., Result]) -> None:
    path = tmp_path / "tree.json"
    DecisionTree.of("4x10", Node("0123", {Response(0, 1): Node("4567")})).save(path)
    errors = json.loads(moo("verify", path, "--json").stdout)["errors"]
    # published.md: 0123 has 14 responses, 4B0C wins; one part is there but ends at once.
    assert len(errors) == 13
    value = json.loads(path.read_text("utf-8"))
    value["root"]["parts"] = {f"{b}B{c}C": {"guess": "01"} for b in range(4) for c in range(8)}
    path.write_text(json.dumps(value), "utf-8")
    errors = json.loads(moo("verify", path, "--json").stdout)["errors"]
    assert len(errors) == 32
    shown = moo("verify", path).stdout
    assert errors[19] in shown and errors[20] not in shown
    assert "and 12 more (--json lists all)" in shown


@pytest.mark.parametrize("name", formats.FORMATS)
def test_export_writes_standard_output_or_a_file(
    name: str, example: Path, tmp_path: Path, moo: Callable[..., Result]
) -> None:
    written = formats.export(DecisionTree.load(example), name)
    expected = written.text
    note = f"{written.note}\n" if written.note else ""
    result = moo("export", example, "--to", name)
    assert (result.exit_code, result.stdout, result.stderr) == (0, expected, note)
    for ending in ("", ".gz"):
        path = tmp_path / f"out.{name}{ending}"
        result = moo("export", example, "--to", name, "-o", path)
        assert (result.exit_code, result.stdout, result.stderr) == (0, "", note)
        data = path.read_bytes()
        assert (gzip.decompress(data) if ending else data).decode() == expected


def test_export_refuses_an_unknown_format_or_folder(
    example: Path, tmp_path: Path, moo: Callable[..., Result]
) -> None:
    for arguments in (
        ["--to", "pdf"],
        ["--to", "csv", "-o", tmp_path / "missing" / "out.csv"],
        ["--to", "csv", "-o", tmp_path],
        [],
    ):
        result = moo("export", example, *arguments)
        assert result.exit_code == 2
        assert result.stdout == "" and result.stderr.count("\n") == 1
