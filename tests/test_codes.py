"""Codes by number, and every way to find a response.

Responses are compared with :mod:`tests.oracles.responses`, and the large table with a plain NumPy
version below. Other expected values are published; each test names its source.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from moo_research import _responses
from moo_research.codes import MAX_CODES, CodeSpace, respond
from moo_research.errors import CodeError, ResponseError, RulesError
from moo_research.rules import SYMBOLS, Response, Rules, response_id, response_of_id
from tests.oracles import responses as oracle

# From one position to ten, with few symbols and with all 36; 3x10 needs two blocks of the C code.
GAMES = [
    *("1x1", "1x36", "1x36z", "2x2", "2x2z", "2x36", "3x3rz", "3x10", "4x4rz", "4x6", "5x6z"),
    *("5x3r", "6x6", "7x2r", "8x2r", "9x2r", "10x2rz", "10x1r"),
]

Codes = list[tuple[int, ...]]


@st.composite
def lists_of_codes(draw: st.DrawFn, lists: int) -> tuple[Codes, ...]:
    """Lists of codes of one length, in few symbols or many, with repeats."""
    positions = draw(st.integers(1, 10))
    code = st.tuples(*[st.integers(0, draw(st.sampled_from((1, 3, 9, 35))))] * positions)
    return tuple(draw(st.lists(code, min_size=1, max_size=8)) for _ in range(lists))


@st.composite
def packable_codes(draw: st.DrawFn) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Two codes of distinct symbols out of ten."""
    positions = draw(st.integers(1, 10))
    codes = st.permutations(range(10)).map(lambda order: tuple(order[:positions]))
    return draw(codes), draw(codes)


def array(codes: Codes) -> NDArray[np.uint8]:
    return np.array(codes, np.uint8).reshape(len(codes), -1)


def numpy_table(codes: NDArray[np.uint8], symbols: int) -> NDArray[np.uint8]:
    """The table of responses as array operations: compare positions, take the least of counts."""
    bulls = sum(codes[:, None, p] == codes[None, :, p] for p in range(codes.shape[1]))
    counts = [(codes == s).sum(axis=1, dtype=np.uint8) for s in range(symbols)]
    common = sum(np.minimum(count[:, None], count[None, :]) for count in counts)
    return np.asarray(common * (common + 1) // 2 + bulls, np.uint8)


# ---- respond ----


@pytest.mark.parametrize(
    ("secret", "guess", "response"),
    [
        # The article on an n-digit Hit & Blow: a game, and the answer that it finds mistaken.
        ("9360", "3429", "0H2B"),
        ("9360", "7594", "0H1B"),
        ("9360", "9613", "1H2B"),
        ("9360", "9386", "2H1B"),
        ("9360", "9036", "1H3B"),
        ("9360", "9360", "4H0B"),
        ("1234", "9238", "2H0B"),
        # The ball/strike tutorial, where digits may repeat and balls count strikes too.
        ("3450", "5848", "b2 s0"),
        ("3450", "4553", "b3 s1"),
        ("3450", "4365", "b3 s0"),
        ("3450", "3574", "b3 s1"),
        # Its opening illustration says one strike; there are three.
        ("4088", "8088", "b3 s3"),
    ],
)
def test_published_responses(secret: str, guess: str, response: str) -> None:
    assert respond(guess, secret) == Response.parse(response, 4)


@given(lists_of_codes(lists=2))
def test_respond_agrees_with_the_oracle(lists: tuple[Codes, Codes]) -> None:
    guess, secret = lists[0][0], lists[1][0]
    expected = Response(*oracle.respond(guess, secret))
    texts = ["".join(SYMBOLS[symbol] for symbol in code) for code in (guess, secret)]
    assert respond(*texts) == expected
    assert respond(*reversed(texts)) == expected
    assert respond(texts[0].upper(), f" {texts[1]}\n") == expected
    assert respond(*texts, rules=Rules(len(guess), 36, repeats=True)) == expected
    assert _responses.respond(bytes(guess), bytes(secret)) == response_id(expected)


@given(packable_codes())
def test_packed_responses_agree_with_the_oracle(
    codes: tuple[tuple[int, ...], tuple[int, ...]],
) -> None:
    guess, secret = codes
    packed = [_responses.pack(bytes(code)) for code in codes]
    expected = oracle.response_id(guess, secret)
    assert _responses.respond_packed(*packed, len(guess)) == expected
    assert _responses.respond(bytes(guess), bytes(secret)) == expected


@pytest.mark.parametrize("text", ["1x10", "2x10", "3x7", "4x5", "5x5"])
def test_all_packed_responses(text: str) -> None:
    rules = Rules.parse(text)
    codes = oracle.all_codes(rules.positions, rules.symbols)
    packed = [_responses.pack(bytes(code)) for code in codes]
    for i, guess in enumerate(codes):
        for j, secret in enumerate(codes):
            found = _responses.respond_packed(packed[i], packed[j], rules.positions)
            assert found == oracle.response_id(guess, secret)


def test_packed_form() -> None:
    # Four bits a digit from the first on, and from bit 48 on the set of digits.
    assert _responses.pack(bytes((3, 0, 9))) == 0x903 | (1 << 0 | 1 << 3 | 1 << 9) << 48


@pytest.mark.parametrize(
    ("guess", "secret", "words"),
    [
        ("", "", "missing"),
        ("123", " ", "missing"),
        ("123", "1234", "'123' and secret '1234' have 3 and 4"),
        ("12345678901", "1234567890", "'12345678901' is too long"),
        ("12", "1" * 1000, "(1000 characters) is too long"),
        ("12-4", "1234", "symbol '-'"),
        ("1234", "123\u0664", r"symbol '\\u0664'"),
    ],
)
def test_respond_refuses_what_is_no_code(guess: str, secret: str, words: str) -> None:
    with pytest.raises(CodeError, match=words.replace("(", r"\(").replace(")", r"\)")):
        respond(guess, secret)


def test_respond_checks_the_rules_it_is_given() -> None:
    with pytest.raises(CodeError, match="twice"):
        respond("0011", "0123", "4x10")
    with pytest.raises(CodeError, match="starts with 0"):
        respond("1230", "0123", "4x10z")
    with pytest.raises(CodeError, match="fewer"):
        respond("123", "1234", Rules(4, 10))
    with pytest.raises(RulesError, match="not known"):
        respond("1234", "1234", "4by10")


# ---- tables ----


@pytest.mark.parametrize("text", GAMES)
def test_rows_agree_with_the_oracle(text: str) -> None:
    space = CodeSpace(text)
    codes = oracle.all_codes(
        space.rules.positions, space.rules.symbols, space.rules.repeats, space.rules.leading_zero
    )
    # At most some forty rows, spread over the table and with both ends.
    for first in range(0, space.size, max(1, space.size // 20)):
        last = min(first + 2, space.size)
        rows = np.asarray(_responses.rows(space.codes, first, last))
        expected = [[oracle.response_id(a, b) for b in codes] for a in codes[first:last]]
        assert rows.tolist() == expected


@given(lists_of_codes(lists=2), st.integers(0, 70))
def test_tables_of_other_codes(lists: tuple[Codes, Codes], spare: int) -> None:
    guesses, codes = lists
    out = np.full((len(guesses), len(codes) + spare), 0xEE, np.uint8)
    _responses.fill(array(guesses), array(codes), out)
    expected = [[oracle.response_id(a, b) for b in codes] for a in guesses]
    assert out[:, : len(codes)].tolist() == expected
    assert not out[:, len(codes) :].any()


@pytest.mark.parametrize("size", [1, 15, 16, 17, 511, 512, 513, 1023, 1024, 1025, 1300])
def test_tables_of_every_length(size: int) -> None:
    # Lengths around those that the C code handles at a time.
    codes = np.resize(CodeSpace("3x10").codes, (size, 3))
    row = np.full((1, size + 1), 0xEE, np.uint8)
    _responses.fill(codes[-1:], codes, row)
    last = tuple(codes[-1].tolist())
    expected = [oracle.response_id(last, tuple(code)) for code in codes.tolist()]
    assert row[0].tolist() == [*expected, 0]


@pytest.mark.parametrize("text", ["4x10", "4x6r", "3x12r", "5x4rz"])
def test_tables_agree_with_numpy(text: str) -> None:
    space = CodeSpace(text)
    table = np.asarray(_responses.rows(space.codes, 0, space.size))
    assert np.array_equal(table, numpy_table(space.codes, space.rules.symbols))


def test_tables_without_rows_or_columns() -> None:
    codes = CodeSpace("2x3").codes
    _responses.fill(codes[:0], codes, np.empty((0, 6), np.uint8))
    _responses.fill(codes, codes[:0], np.empty((6, 0), np.uint8))
    out = np.full((6, 3), 0xEE, np.uint8)
    _responses.fill(codes, codes[:0], out)
    assert not out.any()


def test_wrong_arguments_of_the_extension() -> None:
    codes = CodeSpace("3x10").codes
    two = np.zeros((2, 2), np.uint8)
    too_large = np.full((1, 3), 36, np.uint8)
    square = np.zeros((2, 2), np.uint8)
    for call, words in (
        (lambda: _responses.respond(b"", b""), "1 to 10 positions"),
        (lambda: _responses.respond(bytes(11), bytes(11)), "1 to 10 positions"),
        (lambda: _responses.respond(b"\x01", b"\x01\x02"), "1 and 2 positions"),
        (lambda: _responses.respond(b"\x01", b"\x24"), "below 36, not 36"),
        (lambda: _responses.respond(b"0123", b"\x00\x01\x02\x03"), "below 36, not 51"),
        (lambda: _responses.pack(b"\x01\x0a"), "below 10"),
        (lambda: _responses.pack(b"\x01\x01"), "distinct"),
        (lambda: _responses.respond_packed(0, 0, 0), "1 to 10 positions"),
        (lambda: _responses.respond_packed(0, 2**63, 4), "not a packed code"),
        (lambda: _responses.rows(codes, 3, 3), "no rows 3 to 2"),
        (lambda: _responses.rows(codes, -1, 3), "no rows -1 to 2"),
        (lambda: _responses.rows(codes, 0, 721), "no rows 0 to 720"),
        (lambda: _responses.fill(two, codes, square), "2 and 3 positions"),
        (lambda: _responses.fill(codes, codes, square), "720 rows of 720"),
        (lambda: _responses.fill(codes[:2], codes, square), "2 rows of 720"),
        (lambda: _responses.fill(codes[:2], codes[:1], square[:1]), "2 rows of 1"),
        (lambda: _responses.fill(too_large, too_large, square[:1]), "below 36, not 36"),
        (lambda: _responses.fill(codes[:1], too_large, square[:1]), "below 36, not 36"),
    ):
        with pytest.raises(ValueError, match=words):
            call()


# ---- code spaces ----


@pytest.mark.parametrize("text", GAMES)
def test_codes_are_numbered_in_lexicographic_order(text: str) -> None:
    space = CodeSpace(text)
    rules = space.rules
    codes = oracle.all_codes(rules.positions, rules.symbols, rules.repeats, rules.leading_zero)
    assert space.codes.dtype == np.uint8
    assert [tuple(code) for code in space.codes.tolist()] == codes
    assert space.size == len(space) == rules.size
    assert [space.index(code) for code in codes] == list(range(space.size))
    assert [space.index(space.text(i)) for i in range(space.size)] == list(range(space.size))


@pytest.mark.parametrize("text", ["4x10", "4x10z", "5x8r", "4x12rz"])
def test_codes_of_larger_games_are_distinct_and_in_order(text: str) -> None:
    space = CodeSpace(text)
    texts = [space.text(i) for i in range(space.size)]
    assert len(texts) == space.rules.size
    assert texts == sorted(set(texts))
    for i in (0, 1, space.size // 3, space.size - 1):
        assert space.index(texts[i]) == i


def test_ten_positions_of_ten_symbols() -> None:
    space = CodeSpace("10x10")
    assert space.size == math.factorial(10)
    assert space.text(0) == "0123456789"
    assert space.text(space.size - 1) == "9876543210"
    assert space.index("9876543210") == space.size - 1
    # Permutations without a fixed point: the nearest integer to 10! / e.
    sizes = {str(response): len(part) for response, part in space.split(None, 0).items()}
    assert sizes["0B10C"] == round(math.factorial(10) / math.e)
    assert sizes["10B0C"] == 1
    assert sum(sizes.values()) == space.size


def test_published_classes_of_the_first_guess() -> None:
    # The table of response classes of 0123 in the 4x10 game (Tanaka 1996).
    published = (
        "4B0C 1, 3B0C 24, 2B2C 6, 2B1C 72, 2B0C 180, 1B3C 8, 1B2C 216, "
        "1B1C 720, 1B0C 480, 0B4C 9, 0B3C 264, 0B2C 1260, 0B1C 1440, 0B0C 360"
    )
    space = CodeSpace("4x10")
    parts = space.split(None, space.index("0123"))
    found = {f"{response} {len(part)}" for response, part in parts.items()}
    assert found == set(published.split(", "))
    assert list(parts) == list(space.rules.responses)


@pytest.mark.parametrize(
    ("history", "counts"),
    [
        # Two games of the article on an n-digit Hit & Blow: candidates before each guess, and after
        # the last. In the first game one answer is mistaken, and no code is left.
        ("9238 0H2B 1792 1H1B 2763 0H2B 1324 2H2B", [5040, 1260, 204, 47, 0]),
        ("7016 0,1 2950 0,1 4365 0,2 3628 0,2 1234 4,0", [5040, 1440, 378, 99, 19, 1]),
    ],
)
def test_published_counts_of_candidates(history: str, counts: list[int]) -> None:
    space = CodeSpace("4x10")
    words = history.split()
    candidates = np.arange(space.size)
    found = [len(candidates)]
    for guess, response in zip(words[::2], words[1::2], strict=True):
        parts = space.split(candidates, space.index(guess))
        candidates = parts.get(Response.parse(response, 4), candidates[:0])
        found.append(len(candidates))
    assert found == counts


@given(st.lists(st.integers(0, 119), max_size=30), st.integers(0, 119))
def test_parts_of_some_candidates(candidates: list[int], guess: int) -> None:
    space = CodeSpace("4x5")
    codes = oracle.all_codes(4, 5)
    expected: dict[Response, list[int]] = {}
    for number in candidates:
        response = Response(*oracle.respond(codes[guess], codes[number]))
        expected.setdefault(response, []).append(number)
    for given_as in (candidates, np.array(candidates, np.uint32)):
        parts = space.split(given_as, guess)
        assert {response: part.tolist() for response, part in parts.items()} == expected
        assert [response_id(response) for response in parts] == sorted(map(response_id, expected))
        ids = space.response_ids(guess, given_as)
        assert ids.tolist() == [oracle.response_id(codes[guess], codes[i]) for i in candidates]


def test_all_candidates_are_meant_where_none_are_named() -> None:
    space = CodeSpace("3x6")
    everything = range(space.size)
    assert space.response_ids(7).tolist() == space.response_ids(7, everything).tolist()
    for response, part in space.split(None, 7).items():
        assert {space.response(7, number) for number in part.tolist()} == {response}
    assert sum(map(len, space.split(None, 7).values())) == space.size


def test_what_is_remembered_cannot_be_changed() -> None:
    """The responses of all codes to the last guess are kept; a caller has its own."""
    space = CodeSpace("3x6")
    for candidates in (None, np.arange(space.size)):
        expected = [space.response(7, secret) for secret in range(space.size)]
        space.response_ids(7, candidates)[:] = 0
        assert space.response_ids(7, candidates).tolist() == list(map(response_id, expected))
    # As many numbers as there are codes need not be all of them in order.
    backwards = np.arange(space.size)[::-1]
    assert space.response_ids(7, backwards).tolist() == space.response_ids(7)[::-1].tolist()


def test_codes_cannot_be_changed() -> None:
    space = CodeSpace("3x6")
    with pytest.raises(ValueError, match="read-only"):
        space.codes[0, 0] = 1
    with pytest.raises(AttributeError):
        space.rules = Rules(4, 10)  # type: ignore[misc]
    assert repr(space) == "CodeSpace('3x6')"


def test_codes_against_the_rules_have_no_number() -> None:
    space = CodeSpace("4x10z")
    for code in ("0123", "1123", "123", "123x", (0, 1, 2, 3), (1, 2, 3, 10)):
        with pytest.raises(CodeError):
            space.index(code)


def test_games_too_large_to_list() -> None:
    for text in ("10x36r", "10x11", "6x36"):
        assert Rules.parse(text).size > MAX_CODES
        with pytest.raises(RulesError, match=f"{text} have [0-9]+ codes; at most {MAX_CODES}"):
            CodeSpace(text)


def test_response_that_no_code_gets_is_in_no_split() -> None:
    space = CodeSpace("4x10")
    found = {response for guess in (0, 1234, 5039) for response in space.split(None, guess)}
    assert found == set(space.rules.responses)
    with pytest.raises(ResponseError):
        Response.parse("3B1C", 4)


@pytest.mark.parametrize(
    "text", ["1x3", "3x3", "3x5", "4x4r", "3x5z", "8x9", "9x9", "3x36", "2x3r"]
)
def test_candidates_that_give_a_response(text: str) -> None:
    """Against the responses of all candidates, for every response that one of them gives."""
    space = CodeSpace(text)
    draw = np.random.default_rng(7)
    for _ in range(12):
        guess = int(draw.integers(space.size))
        some = np.sort(draw.choice(space.size, max(1, space.size // 3), replace=False))
        for candidates in (None, np.arange(space.size), some, some[::-1], list(some[:5])):
            ids = space.response_ids(guess, candidates)
            numbers = np.arange(space.size) if candidates is None else np.asarray(candidates)
            for id_ in np.unique(ids).tolist()[:6]:
                found = space.consistent(guess, response_of_id(id_), candidates)
                assert found.tolist() == numbers[ids == id_].tolist()


def test_the_last_codes_are_read_within_bounds() -> None:
    """Words of eight bytes are not read past the end of the codes, of whatever length."""
    for positions in range(1, 11):
        rules = Rules(positions, 10, leading_zero=positions < 10)
        codes = np.array([[(i + k) % 10 for i in range(positions)] for k in range(3)], np.uint8)
        for guess in codes:
            for secret in codes:
                id_ = _responses.respond(guess, secret)
                out = np.empty(3, np.int64)
                kept = _responses.keep(guess, codes, rules.symbols, True, id_, out)
                wanted = [k for k in range(3) if _responses.respond(guess, codes[k]) == id_]
                assert out[:kept].tolist() == wanted
