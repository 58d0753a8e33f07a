"""Judges and audits against slow, obvious versions of themselves, and the published games.

Responses of the oracles come from tests/oracles/responses.py, which shares no code with the
package.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moo_research import published
from moo_research.codes import CodeSpace
from moo_research.errors import CodeError, HistoryError, RulesError, TreeError
from moo_research.game import (
    Adversary,
    Audit,
    Honest,
    Judge,
    Record,
    TreeAdversary,
    audit,
    draw_secret,
)
from moo_research.history import Turn, read_history, read_response
from moo_research.players import get
from moo_research.rules import Response, Rules
from moo_research.simulate import decision_tree
from moo_research.tree import DecisionTree, Node
from tests.oracles.responses import respond
from tests.strategies import all_codes, first_consistent

GAMES = ("1x4", "2x4", "3x4", "3x5", "3x3r", "2x4z", "2x3rz")


def answer(guess: str, secret: str) -> Response:
    return Response(*respond(guess, secret))


def agreeing(rules: Rules, turns: list[Turn]) -> list[str]:
    return [
        code
        for code in all_codes(rules)
        if all(answer(turn.guess, code) == turn.response for turn in turns)
    ]


# --- The published games ------------------------------------------------------------------------


@pytest.mark.parametrize("game", published.TRANSCRIPTS, ids=lambda game: game.turns[0])
def test_published_game_comes_out_as_published(game: published.Transcript) -> None:
    rules = Rules.parse(game.rules)
    turns = read_history(game.turns, rules)
    result = audit(turns, rules, secret=game.secret)
    assert result.consistent is not bool(game.mistakes)
    assert [(each.turn, each.could_be) for each in result.suspects] == [
        (turn, (read_response(right, rules),)) for turn, right in game.mistakes
    ]
    if game.candidates is not None:
        assert result.counts[: len(game.candidates)] == game.candidates


def test_published_mistake_is_suspected_without_the_secret() -> None:
    game = published.TRANSCRIPTS[1]
    result = audit(read_history(game.turns, Rules.parse(game.rules)))
    assert result.slips == 1 and result.candidates == 0
    first = result.suspects[0]
    assert first.turn == 1 and first.could_be == (Response(2, 0),)
    # Bulls and cows exchanged is what comes to mind first.
    assert result.explanations[0].right == ((1, Response(2, 0)),)


# --- Records ------------------------------------------------------------------------------------


@given(st.sampled_from(GAMES), st.data())
def test_record_counts_as_a_person_would(name: str, data: st.DataObject) -> None:
    rules = Rules.parse(name)
    codes = all_codes(rules)
    turn = st.builds(Turn, st.sampled_from(codes), st.sampled_from(rules.responses))
    turns = data.draw(st.lists(turn, min_size=1, max_size=4))
    record = Record(rules)
    for each in turns:
        record.add(each)
    counts = tuple(len(agreeing(rules, turns[:k])) for k in range(len(turns) + 1))
    assert record.counts == counts
    assert record.count == counts[-1]
    left = [record.state.space.text(int(code)) for code in record.candidates]
    assert left == agreeing(rules, turns)

    number = data.draw(st.integers(1, len(turns)))
    right = data.draw(st.sampled_from(rules.responses))
    record.correct(number, right)
    turns[number - 1] = Turn(turns[number - 1].guess, right)
    assert record.turns == turns
    assert record.count == len(agreeing(rules, turns))
    assert record.undo() == turns[-1]
    assert record.count == len(agreeing(rules, turns[:-1]))


def test_nothing_to_take_back_or_correct() -> None:
    record = Record("2x4")
    with pytest.raises(HistoryError, match="no turn to take back"):
        record.undo()
    record.add(Turn("01", Response(0, 0)))
    for number in (0, 2):
        with pytest.raises(HistoryError, match=f"no turn {number}"):
            record.correct(number, Response(0, 1))
    assert record.turns == [Turn("01", Response(0, 0))]


def test_a_game_too_large_to_list_has_a_record_without_candidates() -> None:
    record = Record("10x36")
    record.add(Turn("0123456789", Response(1, 2)))
    assert record.counts == (None, None) and record.count is None
    with pytest.raises(RulesError, match="can be listed"):
        _ = record.state
    record.undo()
    assert not record.turns


# --- Judges -------------------------------------------------------------------------------------


@given(st.sampled_from(GAMES), st.data())
def test_honest_judge(name: str, data: st.DataObject) -> None:
    rules = Rules.parse(name)
    secret, guess = (data.draw(st.sampled_from(all_codes(rules))) for _ in range(2))
    assert Honest(secret).answer(Record(rules), guess) == answer(guess, secret)


def test_honest_judge_of_a_game_too_large_to_list() -> None:
    assert Honest("zyxwvutsrq").answer(Record("10x36"), "yzabcdefgq") == Response(1, 2)


@given(st.sampled_from(GAMES), st.data())
def test_adversary_takes_the_largest_part_and_never_contradicts_itself(
    name: str, data: st.DataObject
) -> None:
    rules = Rules.parse(name)
    codes = all_codes(rules)
    record = Record(rules)
    left = codes
    for guess in data.draw(st.lists(st.sampled_from(codes), min_size=1, max_size=12)):
        sizes = Counter(answer(guess, code) for code in left)
        got = Adversary().answer(record, guess)
        record.add(Turn(guess, got))
        left = [code for code in left if answer(guess, code) == got]
        assert left
        if got.bulls == rules.positions:
            assert list(sizes) == [got], "it gives in only when nothing else is possible"
        else:
            sizes.pop(Response(rules.positions, 0), None)
            largest = max(sizes.values())
            equal = [response for response, size in sizes.items() if size == largest]
            assert got == min(equal, key=lambda response: (response.common, response.bulls))
    assert list(map(int, record.candidates)) == [codes.index(code) for code in left]


def play(tree: DecisionTree, judge: Judge) -> int:
    """Guesses that a tree needs against a judge."""
    record = Record(tree.rules)
    node = tree.root
    while True:
        record.add(Turn(node.guess, judge.answer(record, node.guess)))
        if record.won:
            return len(record.turns)
        node = node.parts[record.turns[-1].response]


@pytest.mark.parametrize("name", [*GAMES, "3x6", "4x4r"])
@pytest.mark.parametrize("player", ["first", "entropy", "minimax"])
def test_exact_adversary_reaches_the_worst_case(name: str, player: str) -> None:
    """The worst case is that of replaying the tree on every secret."""
    tree = decision_tree(get(player), name)
    assert play(tree, TreeAdversary(tree)) == max(
        len(tree.play(secret)) for secret in all_codes(Rules.parse(name))
    )


def test_exact_adversary_is_longer_than_a_greedy_one() -> None:
    """The five secrets that take nine guesses are published; the largest parts lead elsewhere."""
    tree = decision_tree(get("first"), "4x10")
    exact = TreeAdversary(tree)
    assert play(tree, exact) == 9 > play(tree, Adversary())
    record = Record("4x10")
    node = tree.root
    while not record.won:
        record.add(Turn(node.guess, exact.answer(record, node.guess)))
        node = node.parts.get(record.turns[-1].response, node)
    assert record.turns[-1].guess in published.NINE_TURN_SECRETS


@given(st.sampled_from(GAMES), st.data())
def test_exact_adversary_off_its_tree_never_contradicts_itself(
    name: str, data: st.DataObject
) -> None:
    rules = Rules.parse(name)
    codes = all_codes(rules)
    tree = first_consistent(rules)
    judge, record, node = TreeAdversary(tree), Record(rules), tree.root
    for _ in range(8):
        follow = node is not None and data.draw(st.booleans())
        guess = node.guess if follow else data.draw(st.sampled_from(codes))
        expected = Adversary().answer(record, guess)
        got = judge.answer(record, guess)
        on_tree = node is not None and guess == node.guess
        assert on_tree or got == expected
        record.add(Turn(guess, got))
        assert record.count
        node = node.parts.get(got) if on_tree else None


def test_exact_adversary_wants_a_tree_of_the_game_that_solves_it() -> None:
    with pytest.raises(TreeError, match=r"missing|left"):
        TreeAdversary(DecisionTree.of("2x4", Node("01")))
    judge = TreeAdversary(first_consistent("2x4"))
    with pytest.raises(RulesError, match="2x4"):
        judge.answer(Record("2x5"), "01")


@pytest.mark.parametrize(
    "judge", [Honest("01"), Adversary(), TreeAdversary(first_consistent("2x4"))]
)
@pytest.mark.parametrize("guess", ["", "0", "012", "00", "09", "0x"])
def test_judges_refuse_what_is_no_code(judge: Judge, guess: str) -> None:
    with pytest.raises(CodeError):
        judge.answer(Record("2x4"), guess)


@pytest.mark.parametrize("name", GAMES)
def test_secrets_are_drawn_by_seed_and_all_can_come(name: str) -> None:
    codes = all_codes(Rules.parse(name))
    drawn = [draw_secret(name, seed) for seed in range(40 * len(codes))]
    assert set(drawn) == set(codes)
    assert drawn[7] == draw_secret(name, 7)
    assert Rules.parse("10x36").read_code(draw_secret("10x36", 1))


# --- Answers that cannot be right ---------------------------------------------------------------


def corrections(rules: Rules, turns: list[Turn]) -> tuple[int, dict[tuple, int]]:
    """Try to correct no answer, every single one, every two, ... until some code agrees.

    Returns how many had to be corrected, and for each way the number of codes that agree then.
    """
    for slips in range(len(turns) + 1):
        found: dict[tuple, int] = {}
        for places in combinations(range(len(turns)), slips):
            for responses in product(rules.responses, repeat=slips):
                right = dict(zip(places, responses, strict=True))
                if any(turns[place].response == response for place, response in right.items()):
                    continue
                mended = [
                    Turn(turn.guess, right.get(place, turn.response))
                    for place, turn in enumerate(turns)
                ]
                if codes := agreeing(rules, mended):
                    key = tuple((place + 1, response) for place, response in right.items())
                    found[key] = len(codes)
        if found:
            return slips, found
    raise AssertionError


def assert_right(rules: Rules, turns: list[Turn], result: Audit) -> None:
    slips, found = corrections(rules, turns)
    assert result.slips == slips
    assert result.consistent is (slips == 0)
    assert result.candidates == len(agreeing(rules, turns))
    expected = found if slips else {}
    assert {each.right: each.codes for each in result.explanations} == expected
    suspected = {(turn, response) for key in expected for turn, response in key}
    assert {
        (each.turn, response) for each in result.suspects for response in each.could_be
    } == suspected
    assert [each.turn for each in result.suspects] == sorted({turn for turn, _ in suspected})
    assert all(each.given == turns[each.turn - 1].response for each in result.suspects)


@given(st.sampled_from(("1x4", "2x4", "3x4", "2x3r", "2x4z")), st.data())
def test_audit_finds_what_trying_every_correction_finds(name: str, data: st.DataObject) -> None:
    """Answers at random: mostly several are wrong."""
    rules = Rules.parse(name)
    turn = st.builds(Turn, st.sampled_from(all_codes(rules)), st.sampled_from(rules.responses))
    turns = data.draw(st.lists(turn, max_size=3))
    assert_right(rules, turns, audit(turns, rules))


@pytest.mark.parametrize("name", ["3x4", "3x3r", "2x6"])
def test_a_single_slip_is_among_the_suspects(name: str) -> None:
    """Games with one answer changed: the audit names the turn and the answer that was right."""
    rules, draw = Rules.parse(name), random.Random(1)
    codes = all_codes(rules)
    found = 0
    for _ in range(30):
        secret = draw.choice(codes)
        turns = [Turn(guess, answer(guess, secret)) for guess in draw.sample(codes, 5)]
        place = draw.randrange(len(turns))
        right = turns[place].response
        wrong = draw.choice([each for each in rules.responses if each != right])
        turns[place] = Turn(turns[place].guess, wrong)
        result = audit(turns, rules)
        told = audit(turns, rules, secret=secret)
        assert [(each.turn, each.could_be) for each in told.suspects] == [(place + 1, (right,))]
        assert told.slips == 1 and not told.consistent
        if result.slips:
            found += 1
            assert_right(rules, turns, result)
            suspects = {each.turn: each.could_be for each in result.suspects}
            assert right in suspects[place + 1]
    assert found > 10


def test_audit_of_more_turns_than_a_byte_counts() -> None:
    turns = [Turn("01", Response(0, 0))] * 300 + [Turn("01", Response(2, 0))]
    result = audit(turns, "2x4")
    assert result.slips == 1
    assert [(each.turn, each.could_be) for each in result.suspects] == [(301, (Response(0, 0),))]


def test_audit_takes_a_space_and_refuses_a_secret_that_is_none() -> None:
    space = CodeSpace("2x4")
    assert audit([], space=space).counts == (12,)
    with pytest.raises(CodeError, match="09"):
        audit([], space=space, secret="09")
