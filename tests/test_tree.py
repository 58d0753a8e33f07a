"""Decision trees: measures, play, and every kind of damage named with its place.

Expected values come from the hand-made tree below, counted on paper, from published figures, or
from playing every secret on its own with the slow definition in strategies.py.
"""

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import all_codes, answer, first_consistent, follow, places, replace

from moo_research.errors import CodeError, MooError, TreeError
from moo_research.rules import Response, Rules
from moo_research.tree import MAX_GUESSES, DecisionTree, Node

SMALL_GAMES = ["1x1", "1x5", "2x2", "2x3", "2x3r", "2x3z", "2x3rz", "2x12", "3x4", "3x4r", "4x4"]


def node(guess: str, **parts: Node) -> Node:
    """``node("01", _0B1C=node("12"))``; no check that the responses can occur."""
    return Node(
        guess, {Response(*map(int, key[1:-1].split("B"))): part for key, part in parts.items()}
    )


# The game 2x3 has the codes 01 02 10 12 20 21. Against 01 they answer 2B0C 1B0C 0B2C 0B1C 0B1C
# 1B0C; then 12 against 20, and 02 against 21, answer 0B1C. One secret is solved at guess 1, three
# at guess 2 and two at guess 3.
TREE = DecisionTree(
    Rules(2, 3),
    (1, 2, 3),
    node(
        "01",
        _0B1C=node("12", _0B1C=node("20")),
        _1B0C=node("02", _0B1C=node("21")),
        _0B2C=node("10"),
    ),
)


def errors_of(tree: DecisionTree) -> tuple[str, ...]:
    verification = tree.verify()
    assert not verification.valid
    assert (verification.total, verification.mean) == (None, None)
    assert (verification.max_guesses, verification.histogram) == (None, None)
    return verification.errors


def test_measures_of_the_hand_made_tree() -> None:
    verification = TREE.verify()
    assert verification.valid and verification.errors == ()
    assert verification.histogram == TREE.histogram == (1, 3, 2)
    assert verification.total == TREE.total == 13
    assert verification.mean == TREE.mean == float(Fraction(13, 6))
    assert verification.max_guesses == TREE.max_guesses == 3


def test_play_of_the_hand_made_tree() -> None:
    assert TREE.play("21") == [
        ("01", Response(1, 0)),
        ("02", Response(0, 1)),
        ("21", Response(2, 0)),
    ]
    assert TREE.play("01") == [("01", Response(2, 0))]


def test_games_and_visits_of_the_hand_made_tree() -> None:
    assert list(TREE.games()) == [
        ("01", ("01",)),
        ("02", ("01", "02")),
        ("10", ("01", "10")),
        ("12", ("01", "12")),
        ("20", ("01", "12", "20")),
        ("21", ("01", "02", "21")),
    ]
    visits = {visit.place: visit for visit in TREE.visits()}
    assert list(visits) == [
        "root",
        "root/0B1C",
        "root/0B1C/0B1C",
        "root/1B0C",
        "root/1B0C/0B1C",
        "root/0B2C",
    ]
    assert visits["root/1B0C"].candidates == ("02", "21")
    assert visits["root/1B0C"].split == {Response(0, 1): ("21",), Response(2, 0): ("02",)}


def test_published_figures_of_the_first_consistent_code() -> None:
    """CheckiO article: 28024 guesses over the 5040 secrets, and the five that take nine."""
    tree = first_consistent("4x10")
    verification = tree.verify()
    assert verification.valid
    assert verification.total == 28024
    assert verification.histogram == (1, 13, 108, 596, 1668, 1768, 752, 129, 5)
    longest = [secret for secret, guesses in tree.games() if len(guesses) == 9]
    assert longest == ["5293", "9204", "9214", "9241", "9431"]


@pytest.mark.parametrize("game", SMALL_GAMES)
def test_measures_agree_with_playing_every_secret_on_its_own(game: str) -> None:
    tree = first_consistent(game)
    secrets = all_codes(tree.rules)
    lengths = [len(follow(tree, secret) or ()) for secret in secrets]
    assert tree.verify().valid
    assert tree.total == sum(lengths)
    assert dict(enumerate(tree.histogram, 1)) == Counter(lengths)
    assert [secret for secret, _ in tree.games()] == secrets
    for secret, guesses in tree.games():
        game_played = tree.play(secret)
        assert tuple(guess for guess, _ in game_played) == guesses
        assert all(response == answer(guess, secret) for guess, response in game_played)


def test_of_gives_the_cost_of_the_least_total() -> None:
    assert DecisionTree.of("2x3", TREE.root) == TREE


def test_play_reads_the_secret_like_any_code() -> None:
    tree = first_consistent("1x36")
    assert tree.play("Z") == tree.play("z")
    assert len(tree.play("z")) == 36
    with pytest.raises(CodeError):
        TREE.play("00")


def test_a_wasted_guess_is_bad_play_but_valid() -> None:
    """The guess 01 again answers 0B1C again, so two secrets are solved one guess later."""
    wasteful = replace(TREE, "root/0B1C", node("01", _0B1C=TREE.root.parts[Response(0, 1)]))
    assert wasteful.verify().valid
    assert wasteful.histogram == (1, 2, 2, 1)
    assert wasteful.total == 15


def test_the_cost_may_be_shorter_than_the_tree() -> None:
    assert DecisionTree(TREE.rules, (0, 0), TREE.root).verify().valid


DAMAGES = {
    "missing part": (
        replace(TREE, "root/0B1C", None),
        ["root/0B1C: missing, where 2 codes such as 12 are left"],
    ),
    "missing leaf": (
        replace(TREE, "root/0B2C", None),
        ["root/0B2C: missing, where 10 is left"],
    ),
    "end too early": (
        replace(TREE, "root/0B1C", node("12")),
        ["root/0B1C: ends with 12 where 2 codes such as 12 are left"],
    ),
    "wrong end": (
        replace(TREE, "root/0B1C/0B1C", node("10")),
        ["root/0B1C/0B1C: ends with 10 where 20 is left, and 10 is solved at root/0B2C"],
    ),
    "two leaves swapped": (
        replace(replace(TREE, "root/0B1C/0B1C", node("21")), "root/1B0C/0B1C", node("20")),
        [
            "root/0B1C/0B1C: ends with 21 where 20 is left",
            "root/1B0C/0B1C: ends with 20 where 21 is left",
        ],
    ),
    "part that no secret reaches": (
        replace(TREE, "root/0B2C", node("10", _0B1C=node("20"))),
        ["root/0B2C/0B1C: no secret left gives this response to 10"],
    ),
    "response of another game": (
        replace(TREE, "root/0B3C", node("10")),
        ["root/0B3C: this response cannot occur in 2x3"],
    ),
    "response with one cow too many": (
        replace(TREE, "root/1B1C", node("10")),
        ["root/1B1C: this response cannot occur in 2x3"],
    ),
    "guess after the win": (
        replace(TREE, "root/2B0C", node("10")),
        ["root/2B0C: a guess after the winning response"],
    ),
    "guess after a win that cannot be": (
        replace(TREE, "root/0B2C", node("10", _2B0C=node("20"))),
        ["root/0B2C/2B0C: a guess after the winning response"],
    ),
    "repeated symbol": (
        replace(TREE, "root/0B1C", node("11", _0B1C=node("20"))),
        ["root/0B1C: the guess is against the rules: "],
    ),
    "several at once, in the order of the tree": (
        replace(replace(TREE, "root/0B2C", node("3")), "root/0B1C/0B1C", None),
        [
            "root/0B1C: ends with 12 where 2 codes such as 12 are left",
            "root/0B2C: the guess is against the rules: ",
        ],
    ),
    "everything": (
        DecisionTree(Rules(2, 3), (1,), node("")),
        ["root: the guess is against the rules: "],
    ),
    "leading zero": (
        DecisionTree.of("2x2z", node("01")),
        ["root: the guess is against the rules: "],
    ),
    "spelling": (
        DecisionTree.of("1x11", node("A")),
        ["root: the guess 'A' must be written a"],
    ),
    # 922393263052800 = 36 * 35 * ... * 27
    "game too large to be listed": (
        DecisionTree(Rules(10, 36), (1,), node("0123456789")),
        ["root: 1 nodes cannot solve the 922393263052800 codes of 10x36"],
    ),
}


@pytest.mark.parametrize(("tree", "errors"), DAMAGES.values(), ids=DAMAGES)
def test_damage_is_named_with_its_place(tree: DecisionTree, errors: list[str]) -> None:
    found = errors_of(tree)
    assert len(found) == len(errors)
    for line, beginning in zip(found, errors, strict=True):
        # How the rules word their refusal of a code is theirs.
        assert line.startswith(beginning) and "\n" not in line
        assert line == beginning or beginning.endswith("rules: ")


def test_no_measure_of_a_damaged_tree() -> None:
    damaged = replace(replace(TREE, "root/0B1C", None), "root/0B2C", None)
    expected = r"^root/0B1C: missing, .* \(and 1 more error\)$"
    for measure in ("total", "mean", "max_guesses", "histogram"):
        with pytest.raises(TreeError, match=expected):
            getattr(damaged, measure)
    with pytest.raises(TreeError, match=expected):
        damaged.ensure_valid()
    with pytest.raises(TreeError, match=expected):
        damaged.visits()
    with pytest.raises(TreeError, match=expected):
        next(damaged.games())


def test_play_names_the_place_where_a_damaged_tree_fails() -> None:
    with pytest.raises(TreeError, match=r"^root/0B1C/0B1C: missing, so that 20 is not solved$"):
        replace(TREE, "root/0B1C", node("12")).play("20")
    with pytest.raises(TreeError, match=r"^root/0B1C: the guess is against the rules: "):
        replace(TREE, "root/0B1C", node("123")).play("20")


def test_a_tree_without_end_is_refused() -> None:
    parts: dict[Response, Node] = {}
    endless = DecisionTree(Rules(2, 2), (1,), Node("01", parts))
    parts[Response(0, 2)] = endless.root
    (error,) = errors_of(endless)
    assert error.startswith("root/0B2C/0B2C/") and error.endswith(": goes on after 200 guesses")
    assert MAX_GUESSES == 200
    with pytest.raises(TreeError, match="within 200 guesses"):
        endless.play("10")
    # A large game is refused by the number of its nodes; counting them ends as well.
    large = DecisionTree(Rules(10, 36), (1,), endless.root)
    assert errors_of(large)[0].startswith("root: 1 nodes cannot solve")


@st.composite
def damaged_trees(draw: st.DrawFn) -> DecisionTree:
    """Trees with one to three random changes; a change may well leave a tree valid."""
    tree = first_consistent(draw(st.sampled_from(["2x3", "2x4", "2x3r", "3x3", "2x3rz"])))
    rules = tree.rules
    codes = st.sampled_from(all_codes(rules))
    responses = st.sampled_from([*rules.responses, Response(1, rules.positions - 1)])
    for _ in range(draw(st.integers(1, 3))):
        nodes = places(tree)
        place = draw(st.sampled_from(sorted(nodes)))
        old = nodes[place]
        change = draw(st.sampled_from(["guess", "drop", "add", "swap", "text"]))
        if change == "guess":
            tree = replace(tree, place, Node(draw(codes), old.parts))
        elif change == "text":
            tree = replace(tree, place, Node(draw(st.text("012a", max_size=4)), old.parts))
        elif change == "drop" and place != "root":
            tree = replace(tree, place, None)
        elif change == "add":
            added = {draw(responses): draw(st.sampled_from(sorted(nodes.values(), key=repr)))}
            tree = replace(tree, place, Node(old.guess, {**old.parts, **added}))
        elif change == "swap" and len(old.parts) > 1:
            one, other = draw(st.permutations(list(old.parts)))[:2]
            swapped = {one: old.parts[other], other: old.parts[one]}
            tree = replace(tree, place, Node(old.guess, {**old.parts, **swapped}))
    return tree


@given(damaged_trees())
def test_valid_means_that_every_secret_is_solved_and_every_node_is_needed(
    tree: DecisionTree,
) -> None:
    codes = all_codes(tree.rules)
    lawful = all(node.guess in codes for node in places(tree).values())
    played = {secret: follow(tree, secret) for secret in codes} if lawful else {}
    solved = lawful and None not in played.values()
    reached = {place for path in played.values() if path for place in path}
    verification = tree.verify()
    if solved and reached == set(places(tree)):
        assert verification.errors == ()
        assert verification.valid
        assert verification.total == sum(map(len, filter(None, played.values())))
    else:
        errors = errors_of(tree)
        assert errors
        for line in errors:
            assert line.startswith("root") and line.isprintable()
            place = line.split(": ")[0]
            # The place is there, or would hang from one that is there.
            assert {place, place.rpartition("/")[0]} & set(places(tree))
    if lawful:
        for secret, path in played.items():
            if path is None:
                with pytest.raises(MooError, match=f"{secret} is not solved"):
                    tree.play(secret)
            else:
                assert len(tree.play(secret)) == len(path)
