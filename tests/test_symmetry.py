"""Orbits of guesses under a history, against the whole group."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moo_research import _engine
from moo_research.codes import CodeSpace
from moo_research.rules import Rules
from moo_research.symmetry import least_of_orbits, orbits, symmetries


def stabilizer(rules: Rules, pairs: set) -> list:
    """Every permutation of positions and symbols that keeps the rules and the set of pairs."""
    found = []
    for places in permutations(range(rules.positions)):
        if not rules.leading_zero and places[0] != 0:
            continue
        for names in permutations(range(rules.symbols)):
            if not rules.leading_zero and names[0] != 0:
                continue

            def move(code, places=places, names=names):
                return tuple(names[code[place]] for place in places)

            if {(move(code), response) for code, response in pairs} == pairs:
                found.append(move)
    return found


@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_orbits_are_those_of_the_whole_group(data: st.DataObject) -> None:
    text = data.draw(
        st.sampled_from(("2x4", "3x4", "3x5", "3x3r", "2x4z", "3x4z", "3x3rz", "4x4r"))
    )
    space = CodeSpace(text)
    codes = [tuple(int(s) for s in row) for row in space.codes]
    number = {code: i for i, code in enumerate(codes)}
    guesses = data.draw(st.lists(st.integers(0, space.size - 1), max_size=3, unique=True))
    secret = data.draw(st.integers(0, space.size - 1))
    with_responses = data.draw(st.booleans())
    responses = [space.response(guess, secret) for guess in guesses] if with_responses else None
    # Without responses each guess must stay: told apart by its place in the history.
    labels = responses or range(len(guesses))
    pairs = {(codes[g], label) for g, label in zip(guesses, labels, strict=True)}
    group = stabilizer(space.rules, pairs)
    assert symmetries(space, guesses, responses) == len(group)
    expected = [min(number[move(code)] for move in group) for code in codes]
    assert least_of_orbits(space, guesses, responses).tolist() == expected


def test_published_numbers_of_orbits() -> None:
    # search.md: "From 5040 second guesses 20 are left"; Koyama and Lai: five first guesses.
    moo = CodeSpace("4x10")
    assert [orbit.size for orbit in orbits(moo)] == [5040]
    second = orbits(moo, [0])
    assert len(second) == 20
    assert sum(orbit.size for orbit in second) == 5040
    mastermind = CodeSpace("4x6r")
    assert [mastermind.text(orbit.guess) for orbit in orbits(mastermind)] == [
        "0000",
        "0001",
        "0011",
        "0012",
        "0123",
    ]


def test_equal_responses_let_guesses_change_places() -> None:
    # search.md: after 0123 and 1456 both answered 0B1C one more symmetry halves the guesses.
    space = CodeSpace("4x10")
    guesses = [space.index("0123"), space.index("1456")]
    both = [space.response(guesses[0], guesses[1])] * 2
    assert symmetries(space, guesses, both) == 2 * symmetries(space, guesses)


@pytest.mark.parametrize("text", ["7x7", "8x2r", "10x2r"])
def test_a_list_cut_short_still_keeps_one_of_each_orbit(text: str) -> None:
    # Where the list of symmetries is cut, an orbit may be split but never lost.
    space = CodeSpace(text)
    least = least_of_orbits(space, [0])
    assert (least <= np.arange(space.size)).all()
    assert (least[least] == least).sum() > 0
    kept = np.unique(least)
    assert 0 in kept


# ---- Images of sets, by which the memo knows them ----


def image(codes: list[tuple[int, ...]], rules: Rules) -> tuple[object, set[tuple[int, ...]]]:
    key, rows = _engine.image(np.array(codes, np.uint8), rules.symbols, rules.leading_zero)
    table = np.frombuffer(rows, np.uint8).reshape(len(codes), rules.positions)
    return key, {tuple(row) for row in table.tolist()}


@given(data=st.data())
@settings(max_examples=150, deadline=None)
def test_an_image_is_made_by_a_symmetry(data: st.DataObject) -> None:
    """The image of a set comes from it by a symmetry of the whole group, which is tried in full."""
    text = data.draw(st.sampled_from(("2x4", "3x4", "3x5", "3x3r", "2x4z", "3x4z", "3x3rz")))
    rules = Rules.parse(text)
    every = [tuple(row) for row in CodeSpace(text).codes.tolist()]
    codes = data.draw(st.lists(st.sampled_from(every), min_size=1, max_size=12, unique=True))
    _key, found = image(codes, rules)
    assert any({move(code) for code in codes} == found for move in stabilizer(rules, set()))


@given(data=st.data())
@settings(max_examples=150, deadline=None)
def test_equal_keys_mean_equal_images(data: st.DataObject) -> None:
    """In whatever order the codes come, and whichever symmetry was applied to them before."""
    text = data.draw(st.sampled_from(("3x4", "3x5", "4x4r", "3x4z")))
    rules = Rules.parse(text)
    every = [tuple(row) for row in CodeSpace(text).codes.tolist()]
    codes = data.draw(st.lists(st.sampled_from(every), min_size=1, max_size=12, unique=True))
    move = data.draw(st.sampled_from(stabilizer(rules, set())))
    one, images = image(codes, rules)
    assert image(data.draw(st.permutations(codes)), rules) == (one, images)
    other, moved = image([move(code) for code in codes], rules)
    assert (one == other) == (images == moved)


def test_most_equivalent_sets_have_one_image() -> None:
    """Sets of 8 to 12 codes of 4 x 10, and the same sets under a random symmetry."""
    rules = Rules.parse("4x10")
    every = CodeSpace(rules).codes
    draw = np.random.default_rng(1)
    same = 0
    for _ in range(300):
        codes = every[draw.choice(len(every), draw.integers(8, 13), replace=False)]
        moved = draw.permutation(10).astype(np.uint8)[codes][:, draw.permutation(4)]
        same += _engine.image(codes, 10)[0] == _engine.image(np.ascontiguousarray(moved), 10)[0]
    assert same > 150
