"""The published figures against each other: what one source says twice has to agree.

Expected values here come from counting codes or from another figure of the same source; whether a
figure is true is for tests/test_reproduce.py.
"""

from math import comb, perm

import pytest

from moo_research import published
from moo_research.players import names
from moo_research.rules import Response, Rules

CODES = perm(10, 4)


def total(histogram: tuple[int, ...]) -> int:
    return sum(k * secrets for k, secrets in enumerate(histogram, 1))


def count_class(bulls: int, cows: int) -> int:
    """Secrets of 4 x 10 with a response to a fixed guess, by a closed form.

    Choose the places of the bulls; the cows are digits of the guess that stand in wrong places, the
    rest are among the six digits that the guess has not: inclusion and exclusion over fixed points.
    """
    places = 4 - bulls
    placed = sum(
        (-1) ** fixed * comb(cows, fixed) * perm(places - fixed, cows - fixed)
        for fixed in range(cows + 1)
    )
    return comb(4, bulls) * comb(places, cows) * placed * perm(6, places - cows)


def test_response_classes_by_closed_form() -> None:
    for text, size in published.RESPONSE_CLASSES.items():
        response = Response.parse(text, 4)
        assert size == count_class(response.bulls, response.cows), text


def test_response_classes_are_all_codes() -> None:
    assert sum(published.RESPONSE_CLASSES.values()) == CODES
    assert len(published.RESPONSE_CLASSES) == len(Rules.parse("4x10").responses)


def test_second_guess_table_adds_up() -> None:
    rows = published.SECOND_GUESSES
    assert {row.response for row in rows} == set(published.RESPONSE_CLASSES)
    assert CODES + sum(row.total for row in rows) == published.MINIMUM_TOTAL


def test_misprints_do_not_add_up() -> None:
    """The reason to call them misprints: with them the table misses its own sum."""
    tanaka = {row.response: row.total for row in published.SECOND_GUESSES}
    for misprint in published.MISPRINTS:
        assert misprint.printed != tanaka[misprint.response]
    printed = tanaka | {misprint.response: misprint.printed for misprint in published.MISPRINTS}
    assert CODES + sum(printed.values()) != published.MINIMUM_TOTAL


def test_minimum_strategy() -> None:
    assert sum(published.MINIMUM_HISTOGRAM) == CODES
    assert total(published.MINIMUM_HISTOGRAM) == published.MINIMUM_TOTAL
    assert f"{published.MINIMUM_TOTAL / CODES:.4f}" == published.MINIMUM_MEAN
    assert len(published.MINIMUM_HISTOGRAM) == published.WORST_CASE


def test_best_reply() -> None:
    """Totals of tables 5 to 7; the score is that of two independent uniform secrets."""
    reply = published.BEST_REPLY
    assert sum(reply.histogram) == CODES
    assert total(reply.histogram) == reply.total
    assert CODES + sum(row.total for row in reply.second_guesses) == reply.total
    half_points = sum(
        mine * theirs * (2 * (i < j) + (i == j))
        for i, mine in enumerate(reply.histogram)
        for j, theirs in enumerate(published.MINIMUM_HISTOGRAM)
    )
    assert f"{100 * half_points / (2 * CODES**2):.5f}" == reply.score


def test_capacity_bound_follows_from_capacities() -> None:
    """Tanaka's table 2 is table 1 filled from the front: checked at every number of secrets."""
    capacities = (*published.CAPACITIES, CODES)
    for n in range(1, CODES + 1):
        filled, cost = 0, 0
        for guess, capacity in enumerate(capacities, 1):
            cost += guess * (min(n, capacity) - filled)
            filled = min(n, capacity)
        slope, offset = next(
            (a, b) for a, b, last in published.CAPACITY_BOUND if last is None or n <= last
        )
        assert slope * n + offset == cost, n


@pytest.mark.parametrize("player", published.PLAYERS, ids=lambda player: player.player)
def test_players(player: published.PlayerResult) -> None:
    codes = Rules.parse(player.rules).size
    if player.histogram is not None:
        assert sum(player.histogram) == codes
        assert total(player.histogram) == player.total
    if player.total is not None and player.mean is not None:
        assert f"{player.total / codes:.4f}" == player.mean
    assert player.name in names()


def test_nine_turn_secrets() -> None:
    checkio = next(p for p in published.PLAYERS if p.source is published.CHECKIO)
    assert checkio.histogram is not None
    assert len(published.NINE_TURN_SECRETS) == checkio.histogram[8]


def test_mastermind() -> None:
    known = published.MASTERMIND
    assert f"{known.total / 6**4:.4f}" == known.mean
    assert known.total < known.total_within_five


@pytest.mark.parametrize(("symbols", "printed"), published.TWO_BY_N_TOTALS.items())
def test_two_by_n_totals(symbols: int, printed: int) -> None:
    assert published.two_by_n_mean(symbols) * symbols * (symbols - 1) == printed


def test_two_by_n_by_hand() -> None:
    """2 x 2: guess 01, then 10 if that was wrong: 1 + 2 guesses for two secrets."""
    assert published.two_by_n_mean(2) == 3 / 2
    assert published.two_by_n_worst_case(2) == 2


def test_second_guesses_by_rules() -> None:
    assert published.second_guesses("4x10")["0B1C"].guess == "1456"
    assert not published.second_guesses("4x10z")
