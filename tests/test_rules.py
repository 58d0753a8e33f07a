"""Rules, codes and responses as text.

Expected values come from the written contract of the text forms, from closed forms stated with the
test, and from :mod:`tests.oracles.responses`, which lists codes and compares them one by one.
"""

import dataclasses
import math
import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moo_research.errors import CodeError, MooError, ResponseError, RulesError, shown
from moo_research.rules import (
    NAMES,
    NOTATIONS,
    SYMBOLS,
    Response,
    Rules,
    response_count,
    response_id,
    response_of_id,
)
from tests.oracles.responses import all_codes, respond


@st.composite
def any_rules(draw: st.DrawFn) -> Rules:
    """Rules of every kind and size that have a code."""
    repeats, leading_zero = draw(st.booleans()), draw(st.booleans())
    positions = draw(st.integers(1, 10))
    least = max(1 if repeats else positions, 1 if leading_zero else 2)
    return Rules(positions, draw(st.integers(least, 36)), repeats, leading_zero)


@st.composite
def rules_with_code(draw: st.DrawFn) -> tuple[Rules, tuple[int, ...]]:
    """Rules and one of their codes."""
    rules = draw(any_rules())
    code: list[int] = []
    for position in range(rules.positions):
        allowed = set(range(rules.symbols)) - (set() if rules.repeats else set(code))
        if position == 0 and not rules.leading_zero:
            allowed.discard(0)
        code.append(draw(st.sampled_from(sorted(allowed))))
    return rules, tuple(code)


def small_rules(most_codes: int) -> list[Rules]:
    """Every game of at most ``most_codes`` codes."""
    games = []
    for positions in range(1, 11):
        for symbols in range(1, 37):
            for repeats in (False, True):
                for leading_zero in (False, True):
                    try:
                        rules = Rules(positions, symbols, repeats, leading_zero)
                    except RulesError:
                        continue
                    if symbols**positions <= 20 * most_codes and rules.size <= most_codes:
                        games.append(rules)
    return games


def assert_clear(error: pytest.ExceptionInfo[MooError], *words: str) -> None:
    """A message is one short line of ASCII that contains each of ``words``."""
    message = str(error.value)
    assert message.isascii() and message.isprintable()
    assert 0 < len(message) < 300
    for word in words:
        assert word in message


# ---- rules as text ----


@pytest.mark.parametrize(
    ("text", "rules", "canonical"),
    [
        ("4x10", Rules(4, 10), "4x10"),
        ("4X6R", Rules(4, 6, repeats=True), "4x6r"),
        ("4x10z", Rules(4, 10, leading_zero=False), "4x10z"),
        ("4x10rz", Rules(4, 10, repeats=True, leading_zero=False), "4x10rz"),
        ("4x10zr", Rules(4, 10, repeats=True, leading_zero=False), "4x10rz"),
        (" 4 x 10\n", Rules(4, 10), "4x10"),
        ("10x36", Rules(10, 36), "10x36"),
        ("1x1", Rules(1, 1), "1x1"),
        ("moo", Rules(4, 10), "4x10"),
        ("bulls-and-cows", Rules(4, 10), "4x10"),
        ("Bulls and Cows", Rules(4, 10), "4x10"),
        ("hit-and-blow", Rules(4, 10), "4x10"),
        ("Hit & Blow", Rules(4, 10), "4x10"),
        ("Numer0n", Rules(3, 10), "3x10"),
        ("MASTERMIND", Rules(4, 6, repeats=True), "4x6r"),
    ],
)
def test_rules_are_read(text: str, rules: Rules, canonical: str) -> None:
    assert Rules.parse(text) == rules
    assert str(rules) == canonical
    assert Rules.of(text) == rules
    assert Rules.of(rules) is rules


@given(any_rules())
def test_rules_round_trip(rules: Rules) -> None:
    text = str(rules)
    assert Rules.parse(text) == rules
    assert Rules.parse(text.upper()) == rules
    assert Rules.parse(text.replace("rz", "zr")) == rules


@pytest.mark.parametrize("name", NAMES)
def test_names_stand_for_rules(name: str) -> None:
    assert str(Rules.parse(name)) == NAMES[name]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ["''", "4x10", "mastermind"]),
        ("   ", ["4x10"]),
        ("cows", ["'cows'", "mastermind"]),
        ("4", ["4x10"]),
        ("x10", ["4x10"]),
        ("4x", ["4x10"]),
        ("4x10q", ["'4x10q'"]),
        ("4x10rr", ["'4x10rr'"]),
        ("4x10 r z", ["'4x10 r z'"]),
        ("-4x10", ["'-4x10'"]),
        ("4.0x10", ["'4.0x10'"]),
        ("4x10\n4x10", [r"'4x10\n4x10'"]),
        ("\u0664x10", [r"'\u0664x10'"]),  # an Arabic 4
        ("4x\uff11\uff10", [r"\uff11"]),  # a full-width 10
        ("4\u00d710", [r"\xd7"]),  # the multiplication sign
        ("4x10" * 10_000, ["(40000 characters)"]),
        ("9" * 10_000 + "x10", ["(10003 characters)"]),
        ("9" * 30 + "x10", ["1 to 10"]),
        ("0x10", ["0 positions", "1 to 10"]),
        ("11x10", ["11 positions", "1 to 10"]),
        ("4x0", ["0 symbols", "1 to 36"]),
        ("4x37", ["37 symbols", "1 to 36"]),
        ("4x37r", ["37 symbols", "1 to 36"]),
        ("4x3", ["4 different symbols", "out of 3", "add r"]),
        ("2x1z", ["2 different symbols", "add r"]),
        ("1x1z", ["1x1z", "no code", "z forbids"]),
        ("3x1rz", ["3x1rz", "no code", "z forbids"]),
    ],
)
def test_wrong_rules_get_one_clear_line(text: str, words: list[str]) -> None:
    with pytest.raises(RulesError) as error:
        Rules.parse(text)
    assert_clear(error, *words)


@pytest.mark.parametrize("number", [4.0, "4", None, True])
def test_sizes_are_whole_numbers(number: object) -> None:
    with pytest.raises(RulesError, match="whole number"):
        Rules(number, 10)  # type: ignore[arg-type]
    with pytest.raises(RulesError, match="whole number"):
        Rules(1, number)  # type: ignore[arg-type]


def test_rules_and_responses_are_values() -> None:
    assert len({Rules(4, 10), Rules.parse("moo"), Rules(4, 10, repeats=True)}) == 2
    assert len({Response(1, 2), Response.parse("12", 4), Response(2, 1)}) == 2
    for value in (Rules(4, 10), Response(1, 2)):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(value, dataclasses.fields(value)[0].name, 3)


@pytest.mark.parametrize("rules", small_rules(400), ids=str)
def test_size_and_responses_are_those_of_the_listed_codes(rules: Rules) -> None:
    codes = all_codes(rules.positions, rules.symbols, rules.repeats, rules.leading_zero)
    assert rules.size == len(codes)
    found = {respond(guess, secret) for guess in codes for secret in codes}
    in_order = sorted(found, key=lambda pair: (sum(pair), pair[0]))
    assert [(response.bulls, response.cows) for response in rules.responses] == in_order


@pytest.mark.parametrize(
    ("text", "size"),
    [
        # Arrangements n! / (n - k)!, powers n^k, and the same with one symbol less in front.
        ("4x10", 10 * 9 * 8 * 7),
        ("10x10", math.factorial(10)),
        ("10x10z", 9 * math.factorial(9)),
        ("4x6r", 6**4),
        ("4x10rz", 9 * 10**3),
        ("10x36r", 36**10),
        ("10x36", math.factorial(36) // math.factorial(26)),
    ],
)
def test_size_of_large_games(text: str, size: int) -> None:
    assert Rules.parse(text).size == size


# ---- responses ----


def test_responses_of_the_4x10_game() -> None:
    # The 14 responses of the published table of first-guess classes, in the order of their ids.
    expected = "0B0C 0B1C 1B0C 0B2C 1B1C 2B0C 0B3C 1B2C 2B1C 3B0C 0B4C 1B3C 2B2C 4B0C"
    assert " ".join(map(str, Rules(4, 10).responses)) == expected


@pytest.mark.parametrize("positions", range(1, 11))
def test_ids_number_the_responses(positions: int) -> None:
    count = response_count(positions)
    responses = [response_of_id(number) for number in range(count)]
    assert [response_id(response) for response in responses] == list(range(count))
    assert responses[-1] == Response(positions, 0)
    # Every way to have at most `positions` bulls and cows, ordered by their sum, then by bulls.
    pairs = [(b, c) for b in range(positions + 1) for c in range(positions + 1 - b)]
    assert [(r.bulls, r.cows) for r in responses] == sorted(pairs, key=lambda p: (sum(p), p[0]))


@pytest.mark.parametrize("number", [-1, 66, 10**30])
def test_there_is_no_other_id(number: int) -> None:
    with pytest.raises(ResponseError, match="no response with the id"):
        response_of_id(number)


@pytest.mark.parametrize(("bulls", "cows"), [(-1, 2), (2, -1), (11, 0), (6, 5)])
def test_numbers_that_are_no_response(bulls: int, cows: int) -> None:
    with pytest.raises(ResponseError) as error:
        Response(bulls, cows)
    assert_clear(error, f"{bulls}B{cows}C")


def test_responses_are_ordered_by_bulls_then_cows() -> None:
    responses = [Response(2, 0), Response(0, 4), Response(1, 1), Response(1, 0)]
    assert " ".join(map(str, sorted(responses))) == "0B4C 1B0C 1B1C 2B0C"
    assert Response(1, 3).common == 4


@pytest.mark.parametrize(
    "text",
    [
        *("1B2C", "1b2c", " 1B 2C ", "1 b 2 c", "01B02C"),
        *("1A2B", "1a2b", "1H2B", "1h2b", "1 H 2 B"),
        *("1,2", "1, 2", "1 ,2", "1 2", "1   2", "1\t2", "12"),
        *("EAT 1 BITE 2", "eat 1, bite 2", "Eat1Bite2"),
        *(
            "b3s1",
            "B3S1",
            "b3 s1",
            "b3, s1",
            "s1b3",
            "s1 b3",
            "ball 3, strike 1",
            "Strikes 1 balls 3",
        ),
    ],
)
def test_every_notation_is_read(text: str) -> None:
    assert Response.parse(text, 4) == Response(1, 2)


def test_every_notation_is_written() -> None:
    written = [Response(1, 2).format(notation) for notation in NOTATIONS]
    assert written == ["1B2C", "1A2B", "1H2B", "1,2", "1 2", "12", "EAT 1 BITE 2", "b3s1"]
    assert Response(1, 2).format() == str(Response(1, 2)) == "1B2C"
    assert Response(1, 2).format("1b2c") == "1B2C"
    assert Response(1, 2).format("EAT-BITE") == "EAT 1 BITE 2"


@pytest.mark.parametrize("notation", NOTATIONS)
@pytest.mark.parametrize("positions", range(1, 11))
def test_every_notation_round_trips(positions: int, notation: str) -> None:
    for response in Rules(positions, 36, repeats=True).responses:
        if notation == "12" and max(response.bulls, response.cows) > 9:
            with pytest.raises(ResponseError) as error:
                response.format(notation)
            assert_clear(error, str(response), "1,2")
        else:
            text = response.format(notation)
            assert Response.parse(text, positions) == response
            assert Response.parse(text.swapcase(), positions) == response


def test_unknown_notation() -> None:
    with pytest.raises(ResponseError) as error:
        Response(1, 2).format("red-white")
    assert_clear(error, "'red-white'", *NOTATIONS)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ["''", "1B2C"]),
        ("  ", ["1B2C"]),
        ("1", ["'1'", "1B2C"]),
        ("1B", ["1B2C"]),
        ("B1C2", ["1B2C"]),
        ("2C1B", ["1B2C"]),
        ("1S2B", ["b3s1"]),  # here the balls might count strikes or not
        ("-1B2C", ["1B2C"]),
        ("1.0,2", ["1B2C"]),
        ("1B2C 1B2C", ["1B2C"]),
        ("1B\n2X", [r"\n"]),
        ("\u0661B2C", [r"\u0661"]),  # an Arabic 1
        ("\u00b92", [r"\xb9"]),  # a superscript 1
        ("1B2C" * 10_000, ["(40000 characters)"]),
        ("1" * 10_000, ["(10000 characters)"]),
        ("100", ["several meanings", "1,2"]),
        ("010", ["several meanings"]),
        ("1010", ["several meanings"]),
        ("5B0C", ["counts 5", "has 4"]),
        ("2,3", ["counts 5", "has 4"]),
        ("99", ["counts 18", "has 4"]),
        ("999999999999B0C", ["has 4"]),
        ("3B1C", ["cannot be", "3 of 4"]),
        ("31", ["cannot be"]),
        ("b4s3", ["cannot be", "3 of 4"]),
        ("b1s3", ["cannot be", "b counts strikes"]),
        ("s1b0", ["cannot be", "b counts strikes"]),
    ],
)
def test_wrong_responses_get_one_clear_line(text: str, words: list[str]) -> None:
    with pytest.raises(ResponseError) as error:
        Response.parse(text, 4)
    assert_clear(error, *words)


def test_one_cow_is_impossible_only_for_the_last_symbol() -> None:
    assert Response.parse("3B1C", 5) == Response(3, 1)
    with pytest.raises(ResponseError, match="cannot be"):
        Response.parse("0B1C", 1)


# ---- codes as text ----


@given(rules_with_code(), st.integers(0, 35), st.booleans())
def test_codes_round_trip(
    rules_and_code: tuple[Rules, tuple[int, ...]], first_symbol: int, upper: bool
) -> None:
    rules, code = rules_and_code
    first_symbol = min(first_symbol, 36 - rules.symbols)
    text = rules.write_code(code, first_symbol)
    assert text == "".join(SYMBOLS[first_symbol + symbol] for symbol in code)
    assert rules.read_code(text.upper() if upper else text, first_symbol) == code
    assert rules.check_code(code) == rules.check_code(list(code)) == code


@pytest.mark.parametrize(
    ("rules", "text", "words"),
    [
        ("4x10", "", ["missing", "4 different symbols out of 0-9"]),
        ("4x10", " \n", ["missing"]),
        ("4x10", "012", ["'012'", "fewer than 4"]),
        ("4x10", "01234", ["'01234'", "more than 4"]),
        ("4x10", "9876543210" * 1000, ["(10000 characters)", "more than 4"]),
        ("4x10", "0120", ["symbol 0 twice", "no repeats"]),
        ("4x16", "0AbB", ["symbol b twice"]),
        ("4x10", "012a", ["symbol 'a'", "0-9"]),
        ("4x10", "01 3", ["symbol ' '"]),
        ("4x10", "-123", ["symbol '-'"]),
        ("4x10", "012\x1b", [r"'\x1b'"]),
        ("4x10", "012\u0663", [r"'\u0663'"]),  # an Arabic 3
        ("4x10", "\uff10123", [r"'\uff10'"]),  # a full-width 0
        ("4x36", "012\u212a", [r"'\u212a'"]),  # the Kelvin sign, whose lower case is k
        ("4x36", "\u0130abc", [r"'\u0130'"]),  # a dotted I, whose lower case is two characters
        ("4x6r", "0126", ["symbol '6'", "4 symbols out of 0-5"]),
        ("4x10z", "0123", ["starts with 0", "4x10z"]),
        ("4x10rz", "0000", ["starts with 0", "4x10rz"]),
        ("1x1", "1", ["1 symbol out of 0"]),
        ("1x16", "g", ["1 symbol out of 0-9 and a-f"]),
        ("2x11", "0-", ["out of 0-9 and a"]),
    ],
)
def test_wrong_codes_get_one_clear_line(rules: str, text: str, words: list[str]) -> None:
    with pytest.raises(CodeError) as error:
        Rules.parse(rules).read_code(text)
    assert_clear(error, *words)


def test_first_symbol_moves_the_alphabet() -> None:
    rules = Rules.parse("4x6r")
    assert rules.alphabet() == "012345"
    assert rules.alphabet(1) == "123456"
    assert rules.read_code("1166", 1) == (0, 0, 5, 5)
    assert rules.write_code((0, 0, 5, 5), 1) == "1166"
    with pytest.raises(CodeError, match="'0'; write 4 symbols out of 1-6"):
        rules.read_code("0123", 1)
    # z forbids the first symbol, however it is written.
    with pytest.raises(CodeError, match="starts with 1"):
        Rules.parse("4x6rz").read_code("1234", 1)


@pytest.mark.parametrize(("symbols", "first_symbol"), [(36, 1), (6, 31), (6, -1)])
def test_alphabet_that_does_not_exist(symbols: int, first_symbol: int) -> None:
    rules = Rules(1, symbols)
    uses: tuple[Callable[[], object], ...] = (
        lambda: rules.alphabet(first_symbol),
        lambda: rules.read_code("a", first_symbol),
        lambda: rules.write_code((0,), first_symbol),
    )
    for use in uses:
        with pytest.raises(CodeError) as error:
            use()
        assert_clear(error, f"from 0 to {36 - symbols}")


@pytest.mark.parametrize(
    ("rules", "code", "words"),
    [
        ("4x10", (0, 1, 2), ["'012'", "fewer"]),
        ("4x10", (), ["fewer"]),
        ("4x10", (0, 1, 2, 3, 4), ["'01234'", "more"]),
        ("4x10", (0, 1, 2, 10), ["symbol number 10", "0 to 9"]),
        ("4x10", (0, 1, 2, -1), ["symbol number -1"]),
        ("4x10", (0, 1, 1, 2), ["'0112'", "symbol 1 twice"]),
        ("4x10z", (0, 1, 2, 3), ["'0123'", "starts with 0"]),
    ],
)
def test_wrong_codes_of_numbers(rules: str, code: tuple[int, ...], words: list[str]) -> None:
    for use in (Rules.parse(rules).check_code, Rules.parse(rules).write_code):
        with pytest.raises(CodeError) as error:
            use(code)
        assert_clear(error, *words)


def test_checked_codes_are_plain_integers() -> None:
    code = Rules.parse("4x10").check_code(np.array([3, 1, 2, 0], np.uint8))  # type: ignore[arg-type]
    assert code == (3, 1, 2, 0)
    assert {type(symbol) for symbol in code} == {int}


# ---- any text at all ----


@given(st.text(alphabet=st.one_of(st.characters(), st.sampled_from("0123xrzbscah ,")), max_size=60))
def test_no_text_causes_anything_but_a_clear_error(text: str) -> None:
    rules = Rules.parse("4x10")
    readers: tuple[Callable[[], object], ...] = (
        lambda: Rules.parse(text),
        lambda: rules.read_code(text),
        lambda: Response.parse(text, 4),
        lambda: Response(0, 0).format(text),
    )
    for read in readers:
        try:
            read()
        except MooError as error:
            message = str(error)
            assert message.isascii() and message.isprintable() and len(message) < 700


def test_shown_text_is_quoted_and_short() -> None:
    assert shown("12") == "'12'"
    assert shown("a\nb\x1b\u00e9") == r"'a\nb\x1b\xe9'"
    assert shown("x" * 41) == f"'{'x' * 40}'... (41 characters)"


def test_rules_need_no_numpy() -> None:
    # The command line reads its arguments with this module, and must answer at once.
    script = "import sys, moo_research.rules; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
