"""Orbits of guesses under a history, against the whole group."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
