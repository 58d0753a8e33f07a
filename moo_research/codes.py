"""Every code of a game, and the response of a guess to a secret.

>>> str(respond("9386", "9360"))
'2B1C'

A :class:`CodeSpace` numbers the codes of a game in lexicographic order and finds responses for many
codes at a time:

>>> space = CodeSpace("4x10")
>>> first = space.index("0123")
>>> {str(response): len(part) for response, part in space.split(None, first).items()}["0B1C"]
1440
"""

import math
from collections.abc import Sequence
from dataclasses import InitVar, dataclass, field

import numpy as np
from numpy.typing import NDArray

from moo_research import _responses
from moo_research.errors import CodeError, RulesError, shown
from moo_research.rules import (
    MAX_POSITIONS,
    MAX_SYMBOLS,
    Response,
    Rules,
    response_count,
    response_id,
    response_of_id,
)

__all__ = ["MAX_CODES", "Candidates", "CodeSpace", "respond"]

MAX_CODES = 2**25
"""The most codes a :class:`CodeSpace` lists: a third of a gigabyte at ten positions."""

# Codes that are gathered at a time.
_BLOCK = 1 << 15

Candidates = Sequence[int] | NDArray[np.integer]
"""Codes that are still possible, by number; the functions below keep their order."""


def respond(guess: str, secret: str, rules: Rules | str | None = None) -> Response:
    """Return the response to ``guess`` if ``secret`` is the secret.

    Without ``rules`` the two may be any codes of equal length, of the symbols 0-9 and a-z, with
    repeats. Raises :class:`CodeError` if one of them is no code, and :class:`RulesError` if there
    are no such rules.
    """
    rules = _any_rules(guess, secret) if rules is None else Rules.of(rules)
    codes = (bytes(rules.read_code(text)) for text in (guess, secret))
    return response_of_id(_responses.respond(*codes))


def _any_rules(guess: str, secret: str) -> Rules:
    """The rules that allow every code as long as both of these."""
    lengths = len(guess.strip()), len(secret.strip())
    if 0 in lengths:
        raise CodeError("a code is missing; guess and secret have at least one symbol")
    if max(lengths) > MAX_POSITIONS:
        raise CodeError(
            f"code {shown(max(guess, secret, key=len))} is too long; "
            f"a code has at most {MAX_POSITIONS} symbols"
        )
    if lengths[0] != lengths[1]:
        raise CodeError(
            f"guess {shown(guess)} and secret {shown(secret)} have {lengths[0]} and {lengths[1]} "
            "symbols; they must be of equal length"
        )
    return Rules(lengths[0], MAX_SYMBOLS, repeats=True)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CodeSpace:
    """The codes of a game, numbered 0 to ``size - 1`` in lexicographic order.

    Raises :class:`RulesError` if there are more than :data:`MAX_CODES`.
    """

    game: InitVar[Rules | str]
    """The rules, or their text."""

    rules: Rules = field(init=False)
    """The rules of the game."""

    codes: NDArray[np.uint8] = field(init=False)
    """All codes: ``size`` x ``positions``, each symbol a number from 0 on; read-only."""

    _latest: dict[int, NDArray[np.uint8]] = field(init=False, default_factory=dict)
    """The responses of all codes to the guess last asked about: a game often asks again."""

    def __post_init__(self, game: Rules | str) -> None:
        rules = Rules.of(game)
        if rules.size > MAX_CODES:
            raise RulesError(
                f"rules {rules} have {rules.size} codes; at most {MAX_CODES} can be listed"
            )
        object.__setattr__(self, "rules", rules)
        object.__setattr__(self, "codes", _all_codes(rules))

    def __repr__(self) -> str:
        return f"CodeSpace('{self.rules}')"

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def size(self) -> int:
        """The number of codes."""
        return len(self.codes)

    def index(self, code: str | Sequence[int]) -> int:
        """Return the number of a code, given as text or as symbols. Raises :class:`CodeError`."""
        rules = self.rules
        symbols = rules.read_code(code) if isinstance(code, str) else rules.check_code(code)
        # Count the codes that agree with this one up to some position and are smaller there.
        index = 0
        for position, symbol in enumerate(symbols):
            left = rules.positions - 1 - position
            smaller = set(range(symbol))
            if position == 0 and not rules.leading_zero:
                smaller.discard(0)
            if rules.repeats:
                index += len(smaller) * rules.symbols**left
            else:
                smaller.difference_update(symbols[:position])
                index += len(smaller) * math.perm(rules.symbols - 1 - position, left)
        return index

    def text(self, index: int) -> str:
        """Return code number ``index`` as it is written."""
        return self.rules.write_code(self.codes[index].tolist())

    def texts(self, indices: Candidates) -> list[str]:
        """Return the codes with these numbers as they are written, in their order."""
        symbols = np.frombuffer("".join(self.rules.alphabet()).encode(), np.uint8)
        rows = symbols[self.codes[_numbers(indices)]].tobytes().decode()
        length = self.rules.positions
        return [rows[at : at + length] for at in range(0, len(rows), length)]

    def response(self, guess: int, secret: int) -> Response:
        """Return the response to two codes, given by number."""
        return response_of_id(_responses.respond(self.codes[guess], self.codes[secret]))

    def response_ids(self, guess: int, candidates: Candidates | None = None) -> NDArray[np.uint8]:
        """Return the id of the response of code number ``guess`` to each candidate.

        ``candidates``: numbers of codes; None means all. The result has one byte for each.
        """
        if candidates is None:
            return self._all_response_ids(guess).copy()
        numbers = _numbers(candidates)
        if _is_range(numbers, self.size):
            return self._all_response_ids(guess).copy()
        ids = np.empty(numbers.size, np.uint8)
        # A block at a time: the codes gathered stay in the cache.
        for first in range(0, numbers.size, _BLOCK):
            block = slice(first, first + _BLOCK)
            self._respond(guess, self.codes.take(numbers[block], axis=0), ids[block])
        return ids

    def consistent(
        self, guess: int, response: Response, candidates: Candidates | None = None
    ) -> NDArray[np.int64]:
        """Return the candidates from which code number ``guess`` gets this response, in order.

        ``candidates``: numbers of codes; None means all.
        """
        rules = self.rules
        numbers = None
        if candidates is not None:
            numbers = np.ascontiguousarray(_numbers(candidates), np.int64)
        if guess in self._latest and (numbers is None or _is_range(numbers, self.size)):
            return np.flatnonzero(self._latest[guess] == response_id(response))
        left = np.empty(self.size if numbers is None else numbers.size, np.int64)
        kept = _responses.keep(
            self.codes[guess],
            self.codes,
            rules.symbols,
            not rules.repeats,
            response_id(response),
            left,
            numbers,
        )
        return left[:kept].copy()

    def _all_response_ids(self, guess: int) -> NDArray[np.uint8]:
        if guess not in self._latest:
            self._latest.clear()
            ids = np.empty(self.size, np.uint8)
            self._respond(guess, self.codes, ids)
            self._latest[guess] = ids
        return self._latest[guess]

    def _respond(self, guess: int, secrets: NDArray[np.uint8], ids: NDArray[np.uint8]) -> None:
        _responses.fill(self.codes[[guess]], secrets, ids[np.newaxis])

    def split(
        self, candidates: Candidates | None, guess: int
    ) -> dict[Response, NDArray[np.integer]]:
        """Return the parts that code number ``guess`` makes of the candidates.

        ``candidates``: numbers of codes; None means all. The parts that are not empty, in the order
        of the ids of their responses, hold the numbers in the order of ``candidates``.
        """
        numbers = np.arange(self.size) if candidates is None else _numbers(candidates)
        ids = self.response_ids(guess, numbers)
        sizes = np.bincount(ids, minlength=response_count(self.rules.positions))
        parts = np.split(numbers[np.argsort(ids, kind="stable")], np.cumsum(sizes)[:-1])
        return {response_of_id(i): part for i, part in enumerate(parts) if len(part)}


def _numbers(candidates: Candidates) -> NDArray[np.integer]:
    """Candidates as an array, which a list without any would turn into one of floats."""
    numbers = np.asarray(candidates)
    return numbers if numbers.size else numbers.astype(np.intp)


def _is_range(numbers: NDArray[np.integer], size: int) -> bool:
    """Whether the numbers are 0, 1, ..., ``size - 1``; quick, for there may be millions."""
    return (
        numbers.size == size
        and numbers[0] == 0
        and numbers[-1] == size - 1
        and bool((numbers[1:] > numbers[:-1]).all())
    )


def _all_codes(rules: Rules) -> NDArray[np.uint8]:
    """All codes in lexicographic order, made by putting one position in front after another."""
    tails = np.empty((1, 0), np.uint8)
    for position in reversed(range(rules.positions)):
        # Without repeats a tail names the symbols that are left by their ranks: behind a head, the
        # ranks from that of the head on move up by one.
        symbols = rules.symbols if rules.repeats else rules.symbols - position
        heads = range(int(position == 0 and not rules.leading_zero), symbols)
        codes = np.empty((len(heads), len(tails), rules.positions - position), np.uint8)
        for block, head in zip(codes, heads, strict=True):
            block[:, 0] = head
            block[:, 1:] = tails if rules.repeats else tails + (tails >= head)
        tails = codes.reshape(-1, rules.positions - position)
    tails.flags.writeable = False
    return tails
