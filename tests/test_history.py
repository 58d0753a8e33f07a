"""Turns as people write them: what is read, and what is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moo_research.codes import CodeSpace
from moo_research.errors import CodeError, HistoryError, MooError, ResponseError
from moo_research.history import Turn, numbered, read_code, read_history, read_response, read_turn
from moo_research.rules import NOTATIONS, Response, Rules
from tests.strategies import all_codes

MOO = Rules.parse("4x10")


@pytest.mark.parametrize(
    "text",
    [
        "1234 0B2C",
        "1234 0b2c",
        "1234 02",
        "1234 0,2",
        "1234 0 2",
        "1234: 0 2",
        "1234 : 0,2",
        "1234,0,2",
        "1234, 0, 2",
        "1234 -> 0B2C",
        "1234=0B2C",
        "1234\t0B2C\n",
        "  1234   0 b 2 c  ",
        "1234 0A2B",
        "1234 0H2B",
        "1234 EAT 0 BITE 2",
        "1234 eat 0, bite 2",
        "1234 b2s0",
        "1234 s0 b2",
        "1234 b2 s0",
        "1234 0 bulls, 2 cows",
        "1234 0 bulls 2 cows.",
        "1234 0 hits 2 blows",
        "1234 0B, 2C",
        "1 2 3 4  0B2C",
        "1 2 3 4 0 2",
        "1,2,3,4 0,2",
        "12340B2C",
        "１２３４　０Ｂ２Ｃ",
        "１２３４：０，２",
    ],
)
def test_one_turn_in_many_spellings(text: str) -> None:
    assert read_turn(text, MOO) == Turn("1234", Response(0, 2))


@pytest.mark.parametrize(
    ("text", "error", "word"),
    [
        ("1234", HistoryError, "lacks a response"),
        ("", CodeError, "missing"),
        ("123 0B2C", CodeError, "fewer than 4"),
        ("12345 0B2C", CodeError, "more than 4"),
        ("1224 0B2C", CodeError, "twice"),
        ("12a4 0B2C", CodeError, "'a'"),
        ("1234 3B1C", ResponseError, "cannot be"),
        ("1234 5B0C", ResponseError, "counts 5"),
        ("1234 012", ResponseError, "several meanings"),
        ("1234 -1,2", ResponseError, "not understood"),
        ("1234 0B2C 5678", ResponseError, "not understood"),
        ("1234 \x00\x1b[2J", ResponseError, "\\x1b"),
        ("12½4 0B2C", CodeError, "12"),
        ("1234 " + "9" * 100_000, ResponseError, "100000"),
    ],
)
def test_a_turn_refused(text: str, error: type[MooError], word: str) -> None:
    with pytest.raises(error, match=word.replace("\\", "\\\\")) as caught:
        read_turn(text, MOO)
    assert len(str(caught.value)) < 300 and "\n" not in str(caught.value)


def test_a_response_that_no_two_codes_get() -> None:
    """Ten distinct symbols out of ten: all are shared."""
    with pytest.raises(ResponseError, match="cannot occur in 10x10"):
        read_response("0B9C", Rules.parse("10x10"))
    assert read_response("0B10C", Rules.parse("10x10")) == Response(0, 10)


@given(st.sampled_from(["1x4", "2x4", "3x4", "4x5", "3x3r", "2x3z", "3x12"]), st.data())
def test_whatever_is_written_is_read(name: str, data: st.DataObject) -> None:
    rules = Rules.parse(name)
    code = data.draw(st.sampled_from(all_codes(rules)))
    response = data.draw(st.sampled_from(rules.responses))
    first = data.draw(st.integers(0, 36 - rules.symbols))
    notation = data.draw(st.sampled_from(NOTATIONS))
    written = rules.write_code(rules.read_code(code), first)
    spaced = data.draw(st.sampled_from([written, " ".join(written), written.upper()]))
    text = f"{spaced} {response.format(notation)}"
    assert read_turn(text, rules, first) == Turn(code, response)
    assert read_code(spaced, rules, first) == code


def test_a_history_has_comments_numbers_and_lone_guesses() -> None:
    lines = ["# a game", "", "1. 1234 0B2C  # 5040", "2) 6512", "2B2C", " \t "]
    turns = read_history(lines, MOO)
    assert list(map(str, turns)) == ["1234 0B2C", "6512 2B2C"]
    assert read_history([], MOO) == ()
    space = CodeSpace("4x10")
    assert [space.text(guess) for guess, _ in numbered(turns, space)] == ["1234", "6512"]


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["1234 0B2C", "6512 9B9C"], ["turn 2", "9B9C"]),
        (["1234 0B2C", "6512"], ["turn 2", "6512", "lacks a response"]),
        (["123 0B1C"], ["turn 1", "--rules 3x10"]),
        (["11223 0B1C"], ["turn 1", "--rules 5x10r"]),
        (["abcd 0B1C"], ["turn 1", "'a'"]),
    ],
)
def test_a_history_refused(lines: list[str], words: list[str]) -> None:
    with pytest.raises(HistoryError) as caught:
        read_history(lines, MOO)
    for word in words:
        assert word in str(caught.value)


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    for rules in (MOO, Rules.parse("2x36r")):
        try:
            turn = read_turn(text, rules)
        except MooError as error:
            assert "\n" not in str(error)
        else:
            assert turn.response in rules.responses
            assert rules.read_code(turn.guess)
