"""Codes and responses as a person would work them out: no table, no closed form, no short cut.

A code is any sequence of symbols, a response the pair (bulls, cows).
"""

from collections.abc import Sequence
from itertools import product


def respond(guess: Sequence[object], secret: Sequence[object]) -> tuple[int, int]:
    """Take the bulls away, then pair off what is left of guess and secret, symbol by symbol."""
    left_of_guess = []
    left_of_secret = []
    bulls = 0
    for in_guess, in_secret in zip(guess, secret, strict=True):
        if in_guess == in_secret:
            bulls += 1
        else:
            left_of_guess.append(in_guess)
            left_of_secret.append(in_secret)
    cows = 0
    for symbol in left_of_guess:
        if symbol in left_of_secret:
            left_of_secret.remove(symbol)
            cows += 1
    return bulls, cows


def response_id(guess: Sequence[object], secret: Sequence[object]) -> int:
    """Return the place of the response in the order of bulls and cows together, then of bulls."""
    bulls, cows = respond(guess, secret)
    order = sorted((b + c, b, c) for b in range(12) for c in range(12) if b + c < 12)
    return order.index((bulls + cows, bulls, cows))


def all_codes(
    positions: int, symbols: int, repeats: bool = False, leading_zero: bool = True
) -> list[tuple[int, ...]]:
    """Return every code in lexicographic order: all sequences, without those that are no codes."""
    return [
        code
        for code in product(range(symbols), repeat=positions)
        if (repeats or len(set(code)) == positions) and (leading_zero or code[0] != 0)
    ]
