"""The rules of a game, its codes and its responses, as people write them.

>>> rules = Rules.parse("4x10")
>>> rules.size
5040
>>> rules.read_code("0123")
(0, 1, 2, 3)
>>> Response.parse("EAT 1 BITE 2", rules.positions)
Response(bulls=1, cows=2)
>>> str(Response(1, 2))
'1B2C'

Inside the package a code is a tuple of integers, a symbol being a number from 0 on, and a response
also has an id, a small number that orders responses and indexes tables:
``id = common * (common + 1) / 2 + bulls`` where ``common = bulls + cows``.
"""

import math
import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

from moo_research.errors import CodeError, ResponseError, RulesError, shown

__all__ = [
    "MAX_POSITIONS",
    "MAX_SYMBOLS",
    "NAMES",
    "NOTATIONS",
    "SYMBOLS",
    "Response",
    "Rules",
    "response_count",
    "response_id",
    "response_of_id",
]

MAX_POSITIONS = 10
MAX_SYMBOLS = 36

SYMBOLS = "0123456789abcdefghijklmnopqrstuvwxyz"
"""How symbols are written: symbol s of a game as ``SYMBOLS[first_symbol + s]``."""

NAMES = {
    "moo": "4x10",
    "bulls-and-cows": "4x10",
    "hit-and-blow": "4x10",
    "numer0n": "3x10",
    "mastermind": "4x6r",
}
"""Games with a name of their own, and their rules."""

# Ten characters would do for every text with a meaning; the rest is room for spaces.
_LONGEST_TEXT = 40


# ---- responses ----


@dataclass(frozen=True, slots=True, order=True)
class Response:
    """What a guess is told: how many symbols are right, in the right place and elsewhere.

    Raises :class:`ResponseError` for negative numbers and for more than ten in all.
    """

    bulls: int
    """Symbols of the guess that the secret has at the same position."""

    cows: int
    """Further symbols of the guess that the secret has at another position, repeats counted."""

    def __post_init__(self) -> None:
        if self.bulls < 0 or self.cows < 0 or self.common > MAX_POSITIONS:
            raise ResponseError(
                f"{self} is no response: bulls and cows are at least 0 and at most "
                f"{MAX_POSITIONS} in all"
            )

    @property
    def common(self) -> int:
        """Symbols that guess and secret share, wherever they are: bulls and cows."""
        return self.bulls + self.cows

    @classmethod
    def parse(cls, text: str, positions: int) -> Self:
        """Read a response in a game of ``positions`` positions, in any of these notations.

        ``1B2C``, ``1A2B``, ``1H2B`` (bulls first in all three), ``1,2``, ``1 2``, ``12``,
        ``EAT 1 BITE 2``, and ``b3s1`` or ``s1b3``, where the balls ``b`` count strikes too. Case
        and spaces are free. Raises :class:`ResponseError` for anything else, for a text with two
        meanings, and for a response that no guess can get.
        """
        words = text.strip().lower() if len(text) <= _LONGEST_TEXT else ""
        if words.isascii() and words.isdigit() and len(words) > 2:
            raise ResponseError(
                f"response {shown(text)} has several meanings; write it as 1B2C, or 1,2"
            )
        for pattern in _PATTERNS:
            match = pattern.fullmatch(words)
            if match is not None:
                break
        else:
            raise ResponseError(
                f"response {shown(text)} is not understood; write bulls and cows as 1B2C "
                "(or 1A2B, 1H2B, 1,2, 12, EAT 1 BITE 2, b3s1)"
            )
        numbers = {name: int(number) for name, number in match.groupdict().items()}
        bulls = numbers["bulls"]
        if "balls" in numbers and numbers["balls"] < bulls:
            raise ResponseError(
                f"response {shown(text)} cannot be: b counts strikes too, so it is at least s"
            )
        cows = numbers["cows"] if "cows" in numbers else numbers["balls"] - bulls
        if bulls + cows > positions:
            raise ResponseError(
                f"response {shown(text)} counts {bulls + cows} symbols; a code has {positions}"
            )
        if cows == 1 and bulls == positions - 1:
            raise ResponseError(
                f"response {shown(text)} cannot be: with {bulls} of {positions} in place, "
                "the last symbol has no other place to be"
            )
        return cls(bulls, cows)

    def format(self, notation: str = "1B2C") -> str:
        """Write the response in one of :data:`NOTATIONS`.

        Raises :class:`ResponseError` if there is no such notation, or if the notation ``12`` would
        need two digits for one number.
        """
        writer = _WRITERS.get(notation.upper()) or _WRITERS.get(notation.lower())
        if writer is None:
            raise ResponseError(
                f"there is no notation {shown(notation)}; the notations are {', '.join(NOTATIONS)}"
            )
        text = writer(self)
        if notation == "12" and len(text) > 2:
            raise ResponseError(f"{self} cannot be written in the notation 12; take 1,2")
        return text

    def __str__(self) -> str:
        return f"{self.bulls}B{self.cows}C"


_WRITERS: dict[str, Callable[[Response], str]] = {
    "1B2C": lambda response: f"{response.bulls}B{response.cows}C",
    "1A2B": lambda response: f"{response.bulls}A{response.cows}B",
    "1H2B": lambda response: f"{response.bulls}H{response.cows}B",
    "1,2": lambda response: f"{response.bulls},{response.cows}",
    "1 2": lambda response: f"{response.bulls} {response.cows}",
    "12": lambda response: f"{response.bulls}{response.cows}",
    "eat-bite": lambda response: f"EAT {response.bulls} BITE {response.cows}",
    "strike-ball": lambda response: f"b{response.common}s{response.bulls}",
}

NOTATIONS = tuple(_WRITERS)
"""Notations that :meth:`Response.format` can write; :meth:`Response.parse` reads them all."""

_BULLS, _COWS, _BALLS = (rf"(?P<{name}>\d+)" for name in ("bulls", "cows", "balls"))

# For text in lower case without spaces at its ends.
_PATTERNS = tuple(
    re.compile(pattern, re.ASCII)
    for pattern in (
        rf"{_BULLS}\s*b\s*{_COWS}\s*c",
        rf"{_BULLS}\s*[ah]\s*{_COWS}\s*b",
        rf"{_BULLS}(?:\s*,\s*|\s+){_COWS}",
        r"(?P<bulls>\d)(?P<cows>\d)",
        rf"eat\s*{_BULLS}[\s,]*bite\s*{_COWS}",
        rf"b(?:alls?)?\s*{_BALLS}[\s,]*s(?:trikes?)?\s*{_BULLS}",
        rf"s(?:trikes?)?\s*{_BULLS}[\s,]*b(?:alls?)?\s*{_BALLS}",
    )
)


def response_id(response: Response) -> int:
    """Return the id of a response; in every game the win has the largest."""
    return response.common * (response.common + 1) // 2 + response.bulls


def response_of_id(number: int) -> Response:
    """Return the response with this id. Raises :class:`ResponseError` if there is none."""
    if not 0 <= number < response_count(MAX_POSITIONS):
        raise ResponseError(f"there is no response with the id {number}")
    common = (math.isqrt(8 * number + 1) - 1) // 2
    bulls = number - common * (common + 1) // 2
    return Response(bulls, common - bulls)


def response_count(positions: int) -> int:
    """Return how many ids there are in a game of ``positions`` positions.

    Ids run from 0 to ``response_count(positions) - 1``, which is the win. One of them, that of
    ``positions - 1`` bulls and one cow, never occurs.
    """
    return (positions + 1) * (positions + 2) // 2


# ---- rules ----


@dataclass(frozen=True, slots=True)
class Rules:
    """Which codes there are. Raises :class:`RulesError` if there are none, or for sizes not known.

    The text of rules is ``PxS`` for P positions and S symbols, then ``r`` if a symbol may occur
    more than once, then ``z`` if a code may not start with the first symbol.
    """

    positions: int
    """Length of a code, 1 to 10."""

    symbols: int
    """Number of symbols, 1 to 36."""

    repeats: bool = False
    """Whether a symbol may occur more than once in a code."""

    leading_zero: bool = True
    """Whether a code may start with the first symbol, which is usually written 0."""

    def __post_init__(self) -> None:
        for number, limit, what in (
            (self.positions, MAX_POSITIONS, "positions"),
            (self.symbols, MAX_SYMBOLS, "symbols"),
        ):
            if type(number) is not int:
                raise RulesError(f"the number of {what} must be a whole number, not {number!r}")
            if not 1 <= number <= limit:
                raise RulesError(
                    f"rules {self} have {number} {what}; there must be from 1 to {limit}"
                )
        if self.size == 0:
            if self.symbols < self.positions and not self.repeats:
                raise RulesError(
                    f"rules {self} have no code: {self.positions} different symbols cannot be had "
                    f"out of {self.symbols}; add r to allow repeats"
                )
            raise RulesError(
                f"rules {self} have no code: z forbids the only symbol in the first position"
            )

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read rules: ``PxS`` with the suffixes ``r`` and ``z`` in any order, or a name.

        Case is free. Raises :class:`RulesError`.

        >>> Rules.parse("mastermind")
        Rules(positions=4, symbols=6, repeats=True, leading_zero=True)
        """
        words = text.strip().lower() if len(text) <= _LONGEST_TEXT else ""
        name = re.sub(r"[\s_]+", "-", words.replace("&", " and "))
        match = _RULES.fullmatch(NAMES.get(name, words))
        if match is None:
            raise RulesError(
                f"rules {shown(text)} are not known; write positions x symbols such as 4x10, "
                "with r for repeats (4x6r) and z for no leading zero (4x10z), "
                f"or a name: {', '.join(NAMES)}"
            )
        positions, symbols, suffix = match.groups()
        return cls(int(positions), int(symbols), "r" in suffix, "z" not in suffix)

    @classmethod
    def of(cls, rules: "Rules | str") -> "Rules":
        """Return rules as they are, or read them from text."""
        return rules if isinstance(rules, Rules) else cls.parse(rules)

    def __str__(self) -> str:
        suffix = "r" * self.repeats + "z" * (not self.leading_zero)
        return f"{self.positions}x{self.symbols}{suffix}"

    @property
    def size(self) -> int:
        """The number of codes."""
        first = self.symbols if self.leading_zero else self.symbols - 1
        others = self.positions - 1
        if self.repeats:
            return first * int(self.symbols**others)
        return first * math.perm(self.symbols - 1, others)

    @property
    def responses(self) -> tuple[Response, ...]:
        """The responses that some guess gets for some secret, in the order of their ids."""
        return _responses(self)

    def alphabet(self, first_symbol: int = 0) -> str:
        """Return the symbols of this game as they are written, from ``SYMBOLS[first_symbol]`` on.

        Raises :class:`CodeError` if there are not so many left to write.
        """
        if not 0 <= first_symbol <= MAX_SYMBOLS - self.symbols:
            raise CodeError(
                f"the {self.symbols} symbols of {self} cannot be written from symbol "
                f"{first_symbol} on; the first symbol must be from 0 to "
                f"{MAX_SYMBOLS - self.symbols}"
            )
        return SYMBOLS[first_symbol : first_symbol + self.symbols]

    def check_code(self, code: Sequence[int]) -> tuple[int, ...]:
        """Return ``code``, symbols as numbers from 0 on, as a tuple if the rules allow it.

        Raises :class:`CodeError`.
        """
        numbers = tuple(map(operator.index, code))  # plain integers, whatever array they come from
        for number in numbers:
            if not 0 <= number < self.symbols:
                raise CodeError(
                    f"a code has the symbol number {number}; {self} has 0 to {self.symbols - 1}"
                )
        self._check(numbers, 0, "")
        return numbers

    def read_code(self, text: str, first_symbol: int = 0) -> tuple[int, ...]:
        """Read a code, written with :meth:`alphabet` in either case. Raises :class:`CodeError`."""
        alphabet = self.alphabet(first_symbol)
        word = text.strip()
        if not word:
            raise CodeError(f"a code is missing; write {self._description(first_symbol)}")
        code = []
        for letter in word[: MAX_POSITIONS + 1]:
            # Only ASCII: lower() would turn some other letters and signs into ours.
            number = alphabet.find(letter.lower()) if letter.isascii() else -1
            if number < 0:
                raise CodeError(
                    f"code {shown(text)} has the symbol {shown(letter)}; "
                    f"write {self._description(first_symbol)}"
                )
            code.append(number)
        self._check(tuple(code), first_symbol, shown(text))
        return tuple(code)

    def write_code(self, code: Sequence[int], first_symbol: int = 0) -> str:
        """Write a code; the inverse of :meth:`read_code`. Raises :class:`CodeError`."""
        alphabet = self.alphabet(first_symbol)
        return "".join(alphabet[number] for number in self.check_code(code))

    def _check(self, code: tuple[int, ...], first_symbol: int, text: str) -> None:
        """Raise :class:`CodeError` unless ``code``, whose symbols exist, is a code.

        ``text``: the code as it was written, in quotes; if empty it is written anew.
        """
        if len(code) == self.positions:
            first_is_zero = not self.leading_zero and code[0] == 0
            repeated = not self.repeats and len(set(code)) < len(code)
            if not (first_is_zero or repeated):
                return
        alphabet = self.alphabet(first_symbol)
        text = text or shown("".join(alphabet[number] for number in code))
        if len(code) != self.positions:
            how_many = "more" if len(code) > self.positions else "fewer"
            problem = f"has {how_many} than {self.positions} symbols"
        elif first_is_zero:
            problem = f"starts with {alphabet[0]}, which {self} does not allow"
        else:
            twice = next(number for place, number in enumerate(code) if number in code[:place])
            problem = f"has the symbol {alphabet[twice]} twice, and {self} allows no repeats"
        raise CodeError(f"code {text} {problem}; write {self._description(first_symbol)}")

    def _description(self, first_symbol: int) -> str:
        """What a code looks like, for a message: ``4 different symbols out of 0-9``."""
        alphabet = self.alphabet(first_symbol)
        runs = [
            run[0] if len(run) == 1 else f"{run[0]}-{run[-1]}"
            for run in (
                [letter for letter in alphabet if letter.isdigit()],
                [letter for letter in alphabet if not letter.isdigit()],
            )
            if run
        ]
        what = "symbol" if self.positions == 1 else "symbols"
        different = "" if self.repeats or self.positions == 1 else "different "
        return f"{self.positions} {different}{what} out of {' and '.join(runs)}"


@lru_cache(maxsize=64)
def _responses(rules: Rules) -> tuple[Response, ...]:
    """The responses of :attr:`Rules.responses`, worked out once.

    Two codes of distinct symbols share at least ``2 P - S``, and no two codes get P-1 bulls and a
    cow. That is all, but for very few symbols. With a single one, every code is the same. With two,
    a cow needs a 0 where the other code has 1, and a 1 where it has 0, so that cows come in pairs;
    and without a leading zero every code starts with 1, a bull. (The tests compare this with all
    pairs of codes.)
    """
    fewest = 0 if rules.repeats else 2 * rules.positions - rules.symbols
    always_a_bull = rules.symbols == 2 and not rules.leading_zero

    def occurs(response: Response) -> bool:
        if rules.symbols == 1:
            return response.bulls == rules.positions
        if rules.symbols == 2 and response.cows % 2 == 1:
            return False
        if response.cows == 1 and response.common == rules.positions:
            return False
        return response.common >= fewest and (response.bulls > 0 or not always_a_bull)

    every = map(response_of_id, range(response_count(rules.positions)))
    return tuple(filter(occurs, every))


_RULES = re.compile(r"(\d+)\s*x\s*(\d+)(|r|z|rz|zr)", re.ASCII)
