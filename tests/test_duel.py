"""Races of two strategies, against pairs of secrets played one by one."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moo_research.duel import race
from moo_research.errors import MooError
from moo_research.objective import Objective

histograms = st.lists(st.integers(0, 4), min_size=1, max_size=5).filter(any)


@given(ours=histograms, theirs=histograms)
def test_a_race_is_every_pair_of_secrets(ours: list[int], theirs: list[int]) -> None:
    mine = [k for k, count in enumerate(ours) for _ in range(count)]
    other = [k for k, count in enumerate(theirs) for _ in range(count)]
    pairs = [(i, j) for i in mine for j in other]
    outcome = race(ours, theirs)
    assert outcome.win == Fraction(sum(i < j for i, j in pairs), len(pairs))
    assert outcome.draw == Fraction(sum(i == j for i, j in pairs), len(pairs))
    assert outcome.win + outcome.draw + outcome.loss == 1
    assert outcome.score + race(theirs, ours).score == 1


@given(ours=st.permutations([1, 2, 3, 0, 0]), theirs=st.permutations([0, 1, 1, 4, 0]))
def test_the_cost_against_a_histogram_is_the_score(ours: list[int], theirs: list[int]) -> None:
    cost = Objective.against(theirs).of(ours)
    assert race(ours, theirs).score == 1 - Fraction(cost, 2 * sum(ours) * sum(theirs))


@pytest.mark.parametrize(("ours", "theirs"), [([], [1]), ([1], [0]), ([2, -1], [1])])
def test_no_race(ours: list[int], theirs: list[int]) -> None:
    with pytest.raises(MooError, match="histograms"):
        race(ours, theirs)
