"""Best replies: against brute force, replayed, and against what Tanaka published."""

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import Result
from hypothesis import given, settings
from hypothesis import strategies as st

from moo_research import DecisionTree, published
from moo_research.codes import CodeSpace
from moo_research.duel import race
from moo_research.errors import MooError, ObjectiveError
from moo_research.objective import Objective
from moo_research.rules import Response, Rules
from moo_research.search import Engine
from moo_research.strongest import best_reply, reply_classes, strongest
from tests.oracles.brute_force import INFINITE, Game, least_cost, undominated, vector
from tests.strategies import first_consistent

Moo = Callable[..., Result]
RESULTS = Path(__file__).parent.parent / "results"
SMALL = ("2x4", "3x4", "2x3r", "3x2r", "2x4z", "4x4")


def brute(text: str) -> Game:
    rules = Rules.parse(text)
    return Game(rules.positions, rules.symbols, rules.repeats, rules.leading_zero)


def score_by_pairs(ours: DecisionTree, theirs: DecisionTree) -> Fraction:
    """Play every pair of secrets."""
    mine = [len(guesses) for _, guesses in ours.games()]
    other = [len(guesses) for _, guesses in theirs.games()]
    points = sum(Fraction((i < j) * 2 + (i == j), 2) for i in mine for j in other)
    return points / (len(mine) * len(other))


@given(data=st.data(), text=st.sampled_from(SMALL))
@settings(max_examples=40, deadline=None)
def test_a_best_reply_is_that_of_brute_force(data: st.DataObject, text: str) -> None:
    """Against any histogram at all, whether a strategy has it or not."""
    codes = Rules.parse(text).size
    cuts = sorted(data.draw(st.lists(st.integers(0, codes), min_size=2, max_size=5)))
    histogram = [b - a for a, b in zip([0, *cuts], [*cuts, codes], strict=True)]
    reply, score = best_reply(Engine(text), histogram)
    # Twice the points that the other gets for a secret solved at guess k.
    start = [2 * sum(histogram[:k]) + n for k, n in enumerate(histogram)] + [2 * codes]
    least = least_cost(brute(text), vector(start, 0))
    assert least != INFINITE
    assert score == 1 - Fraction(int(least), 2 * codes * codes)
    assert reply.tree is not None
    assert race(reply.tree.histogram, histogram).score == score


@pytest.mark.parametrize("text", ["2x5", "3x5", "3x3r", "2x6z", "4x5"])
def test_every_round_is_replayed_and_scores_what_it_says(text: str) -> None:
    result = strongest(text, start=first_consistent(text))
    assert result.rounds[0].histogram == first_consistent(text).histogram
    assert result.rounds[0].score is None
    for before, after in zip(result.rounds, result.rounds[1:], strict=False):
        assert before.tree is not None and after.tree is not None
        assert after.tree.verify().valid
        assert after.histogram == after.tree.histogram
        assert after.total == after.tree.total
        assert after.score == before.best_score == score_by_pairs(after.tree, before.tree)
        assert after.score > Fraction(1, 2)
    if result.equilibrium:
        assert result.strategy.best_score == Fraction(1, 2)
    else:
        assert result.circle is not None
        assert result.strategy.histogram == result.rounds[result.circle].histogram


@pytest.mark.parametrize("text", SMALL)
def test_nothing_beats_the_last(text: str) -> None:
    result = strongest(text)
    assert result.equilibrium
    least = least_cost(
        brute(text),
        vector(Objective.against(result.strategy.histogram).start, 0),
    )
    assert 1 - Fraction(int(least), 2 * Rules.parse(text).size ** 2) == Fraction(1, 2)


def test_rounds_that_run_out_leave_the_end_open() -> None:
    result = strongest("3x6", rounds=1)
    assert len(result.rounds) == 2
    assert result.equilibrium is None and result.circle is None
    assert result.strategy.best_score is None
    assert strongest("3x6").rounds[1].histogram == result.strategy.histogram


def test_a_histogram_may_be_its_own_best_reply() -> None:
    """Begun with the histogram of a fixed point, the sequence ends there, and has its tree."""
    fixed = strongest("3x6").strategy
    again = strongest("3x6", start=fixed.histogram)
    assert again.equilibrium and len(again.rounds) == 1
    assert again.strategy.tree is not None
    assert again.strategy.tree.histogram == fixed.histogram


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"start": (1, 2)}, "counts 3 secrets, but 2x4 has 12"),
        ({"start": (13, -1)}, "a histogram counts"),
        ({"rounds": 0}, "at least one round"),
        ({"start": first_consistent("2x5")}, "is for 2x5, not 2x4"),
    ],
)
def test_bad_requests(options: dict, message: str) -> None:
    with pytest.raises(MooError, match=message):
        strongest("2x4", **options)


# --- Second guesses of others, class by class ---------------------------------------------------


@pytest.mark.parametrize("text", ["3x4", "2x5", "2x6", "2x4r"])
def test_classes_are_those_of_brute_force(text: str) -> None:
    """Least cost, cost of a given guess and both extreme totals, for every second guess."""
    histogram = strongest(text).rounds[0].histogram
    space, game, limit = CodeSpace(text), brute(text), len(histogram)
    cost = vector(Objective.against(histogram).costs(limit), None)
    total = vector(tuple(range(limit)), None)  # guesses after the first
    most = vector(tuple(-k for k in range(limit)), None)
    first = space.text(0)
    for response, part in space.split(None, 0).items():
        if response.bulls == space.rules.positions:
            continue
        secrets = sum(1 << int(i) for i in part)
        for second in range(0, space.size, 7):
            [found] = reply_classes(Engine(text), histogram, first, {response: space.text(second)})
            assert (found.response, found.size) == (response, len(part))
            assert found.cost == least_cost(game, cost, 1, secrets)
            least = min(undominated(game, cost, total, 1, secrets))
            greatest = min(undominated(game, cost, most, 1, secrets))
            assert found.totals == (least[1], -greatest[1])
            win, *others = game.masks[second]
            parts = [left for mask in others if (left := secrets & mask)]
            expected = sum(least_cost(game, cost, 2, left) for left in parts)
            expected += cost(2) if secrets & win else 0
            if secrets & win or len(parts) > 1:
                assert found.asked_cost == (None if expected == INFINITE else expected)


def test_classes_make_up_the_game() -> None:
    """On 4 x 10 the costs of the classes of Tanaka's first guess are those of the best reply."""
    engine = Engine("4x10")
    reply, _ = best_reply(engine, published.MINIMUM_HISTOGRAM)
    asked = {
        Response.parse(row.response, 4): str(row.guess)
        for row in published.BEST_REPLY.second_guesses
    }
    rows = list(reply_classes(engine, published.MINIMUM_HISTOGRAM, published.FIRST_GUESS, asked))
    first = Objective.against(published.MINIMUM_HISTOGRAM).costs(1)[0]
    assert sum(row.cost for row in rows) + first == reply.optimum
    fewest, most = (sum(row.totals[i] for row in rows) + 5040 for i in (0, 1))
    assert reply.total is not None and fewest <= reply.total <= most


def test_classes_that_cannot_keep_the_limit() -> None:
    with pytest.raises(ObjectiveError, match="2 guesses are not enough"):
        list(reply_classes(Engine("2x4"), (1, 11), "01", {Response(0, 1): "02"}))


# --- The 4 x 10 game ----------------------------------------------------------------------------


def test_the_published_strategies_are_beaten(moo: Moo, tmp_path: Path) -> None:
    """From Tanaka's minimum strategy: a better reply than his, which also beats his, and which
    nothing beats."""
    start = ",".join(map(str, published.MINIMUM_HISTOGRAM))
    tree = tmp_path / "strongest.json.gz"
    value = json.loads(moo("strongest", "--start", start, "--tree", tree, "--json").stdout)
    assert value["equilibrium"] is True
    begin, reply, *_ = value["rounds"]
    assert begin["histogram"] == list(published.MINIMUM_HISTOGRAM) and begin["score"] is None
    ours = race(reply["histogram"], published.MINIMUM_HISTOGRAM).score
    assert Fraction(reply["score"]) == ours
    assert reply["score_percent"] == pytest.approx(float(100 * ours))
    assert ours > race(published.BEST_REPLY.histogram, published.MINIMUM_HISTOGRAM).score
    replay = DecisionTree.load(tree).verify()
    assert replay.histogram is not None
    assert list(replay.histogram) == value["rounds"][-1]["histogram"]
    assert race(replay.histogram, published.BEST_REPLY.histogram).score > Fraction(1, 2)


def test_the_strategy_in_results_is_what_it_claims() -> None:
    account = json.loads((RESULTS / "strongest.json").read_text())
    replay = DecisionTree.load(RESULTS / account["tree"]).verify()
    assert replay.valid and replay.histogram is not None
    assert (list(replay.histogram), replay.total) == (account["histogram"], account["total"])
    for each in account["races"]:
        assert race(replay.histogram, each["histogram"]).score == Fraction(each["score"])


# --- moo strongest ------------------------------------------------------------------------------


def test_strongest_for_people(moo: Moo, tmp_path: Path) -> None:
    tree = tmp_path / "last.json"
    lines = moo("strongest", "3x6", "--tree", tree).stdout.splitlines()
    expected = strongest("3x6")
    assert lines[0].startswith("3x6: ")
    rows = [line.split() for line in lines[3 : 3 + len(expected.rounds)]]
    for row, each in zip(rows, expected.rounds, strict=True):
        assert int(row[0]) == each.total
        assert tuple(map(int, row[-len(each.histogram) :])) == each.histogram
        if each.score is not None:
            assert Fraction(row[1]) == each.score
            assert row[2:4] == [f"({float(100 * each.score):.4f}", "%)"]
    assert lines[-3].startswith(
        "The last is a best reply to itself: no fixed strategy scores above"
    )
    assert DecisionTree.load(tree).histogram == expected.strategy.histogram


def test_strongest_from_a_tree(moo: Moo, tmp_path: Path) -> None:
    start = first_consistent("2x5")
    start.save(tmp_path / "start.json")
    value = json.loads(moo("strongest", "2x5", "--start", tmp_path / "start.json", "--json").stdout)
    assert value["rounds"][0]["histogram"] == list(start.histogram)


def test_rounds_run_out(moo: Moo) -> None:
    result = moo("strongest", "3x6", "--rounds", 1, "--json")
    assert json.loads(result.stdout)["equilibrium"] is None
    assert "The rounds ran out" in moo("strongest", "3x6", "--rounds", 1).stdout


def test_a_histogram_without_a_strategy_is_no_equilibrium(moo: Moo, tmp_path: Path) -> None:
    """By hand: 1 x 3 is solved at guesses 1, 2, 3, which against 2, 2, 2 win, draw and lose.

    No strategy has 2, 2, 2: only the reply, 1, 2, 3, can be called a best reply to itself.
    """
    tree = tmp_path / "tree.json"
    value = json.loads(moo("strongest", "1x3", "--start", "0,3", "--tree", tree, "--json").stdout)
    assert [each["histogram"] for each in value["rounds"]] == [[0, 3], [1, 1, 1]]
    assert value["equilibrium"] is True
    assert DecisionTree.load(tree).histogram == (1, 1, 1)


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--start", "1,2"], "12"),
        (["--start", "no-such-file.json"], "no-such-file.json"),
        (["--start", "1,-2"], "1,-2"),
        (["--rounds", "0"], "--rounds"),
        (["--tree", "tree.txt"], "tree.txt"),
    ],
)
def test_wrong_requests(moo: Moo, arguments: list[str], word: str) -> None:
    for more in ([], ["--json"]):
        result = moo("strongest", "2x4", *arguments, *more)
        assert result.exit_code == 2 and result.stdout == ""
        assert result.stderr.count("\n") == 1 and word in result.stderr
