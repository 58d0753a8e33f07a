"""A program in one file of Python 3.8 or later that plays the tree; docs/formats.md tells more."""

from moo_research.formats import Written, program
from moo_research.tree import DecisionTree

__all__ = ["write"]

_HEAD = '''\
"""@HEAD@

    checkio([@TEXTS@])
    next_guess([@TURNS@])

The two are the same: they return the next guess, as text, from the turns so far.
Begin with an empty list. After guesses that are not its own it goes on with a code that may be
the secret. ValueError: the history is not understood, or no code fits it. Run as a program, it
prints its guesses and reads the responses, one a line, such as 1B2C. Written by moo export.
"""

'''

_CODE = """\
import re
import sys
from itertools import @ITERATOR@

POSITIONS, SYMBOLS = @P@, "@SYMBOLS@"
TREE = (
@LINES@
)

CODES = ["".join(code) for code in @CODES@]
BASE, PLACES, EFFORT = @BASE@, @PLACES@, @EFFORT@
DIGITS = [chr(digit) for digit in range(35, 127) if chr(digit) not in "<?\\\\"]


def _bits(code):
    # One bit for each symbol in its place, above them one for each time that a symbol occurs.
    bits = 0
    for place, symbol in enumerate(code):
        number = SYMBOLS.index(symbol)
        bits |= 1 << @S@ * place + number
        bits |= 1 << POSITIONS * (@S@ + number) + code[:place].count(symbol)
    return bits


BITS = {code: _bits(code) for code in CODES}
IN_PLACE = (1 << @S@ * POSITIONS) - 1


def _response(bulls, common):
    return common * (common + 1) // 2 + bulls


def _split(guess, codes):
    # The codes by their response to the guess.
    parts = {}
    bits = BITS[guess]
    for code in codes:
        both = bits & BITS[code]
        bulls = bin(both & IN_PLACE).count("1")
        parts.setdefault(_response(bulls, bin(both).count("1") - bulls), []).append(code)
    return parts


def _own_guess(codes, others):
    # Fewest codes left on average: of every k-th of the codes, then of every k-th of the others.
    best, least = codes[0], len(codes) ** 2 + 1
    for pool in (codes, others):
        for guess in pool[:: 1 + len(codes) * len(pool) // EFFORT]:
            squares = sum(len(part) ** 2 for part in _split(guess, codes).values())
            if squares < least:
                best, least = guess, squares
            if least == len(codes):
                return best
    return best


def _tree_guess(turns):
    # Read the tree as far as the turns lead; None if they leave it. It is its guesses, parents
    # first, in arithmetic code: a mark (own player, candidate, any code), then a number.
    digits = map(DIGITS.index, TREE)
    width, value = BASE**PLACES, 0
    counts = [[1, 1, 1] for _ in range(32)]

    def take(start, size):
        nonlocal width, value
        value -= start
        width = size
        while width < BASE ** (PLACES - 1):
            width *= BASE
            value = value * BASE + next(digits, 0)

    def mark(size):
        ours = counts[size.bit_length()]
        unit = width // sum(ours)
        kind = start = 0
        while value >= (start + ours[kind]) * unit:
            start += ours[kind]
            kind += 1
        take(start * unit, ours[kind] * unit)
        ours[kind] += 1
        return kind

    def one_of(codes):
        unit = width // len(codes)
        number = value // unit
        take(number * unit, unit)
        return codes[number]

    for _ in range(PLACES):
        value = value * BASE + next(digits, 0)
    # Candidates, and how many turns led there; None off the way.
    stack = [(CODES, 0)]
    while stack:
        codes, turn = stack.pop()
        kind = mark(len(codes))
        if kind == 0:
            while turn is not None:
                guess = _own_guess(codes, CODES)
                if turn == len(turns):
                    return guess
                if guess != turns[turn][0]:
                    return None
                codes = _split(guess, codes)[turns[turn][1]]
                turn += 1
            continue
        guess = one_of(codes if kind == 1 else CODES)
        if turn == len(turns):
            return guess
        if turn is not None and guess != turns[turn][0]:
            return None
        for response, part in sorted(_split(guess, codes).items(), reverse=True):
            if response == _response(POSITIONS, POSITIONS):
                continue
            if turn is None or response < turns[turn][1]:
                stack.append((part, None))
            elif response == turns[turn][1]:
                stack.append((part, turn + 1))
    return None


def next_guess(history):
    codes, turns = CODES, []
    for guess, bulls, cows in history:
        if guess not in BITS or min(bulls, cows) < 0:
            raise ValueError(f"not understood: {guess!r} {bulls}B{cows}C is no turn of this game")
        turns.append((guess, _response(bulls, bulls + cows)))
        codes = _split(guess, codes).get(turns[-1][1], [])
        if not codes:
            raise ValueError(f"no code fits the history up to {guess} {bulls}B{cows}C")
    return _tree_guess(turns) or _own_guess(codes, codes)


def checkio(data):
    history = []
    for line in data:
        match = re.fullmatch(r"(?i)\\s*(\\w+)\\s+([0-9]+)B([0-9]+)C\\s*", line)
        if not match:
            raise ValueError(f"not understood: {line!r}; write it like @TEXT@")
        history.append((match[1], int(match[2]), int(match[3])))
    return next_guess(history)


if __name__ == "__main__":
    lines = []
    while not (lines and lines[-1].endswith(" @P@B0C")):
        try:
            lines.append(checkio(lines))
        except ValueError as error:
            sys.exit(str(error))
        print(lines[-1], flush=True)
        response = sys.stdin.readline().strip()
        if not response:
            break
        lines[-1] += " " + response
"""


def write(tree: DecisionTree, *, max_bytes: int | None = None) -> Written:
    """Return a Python program; see :func:`moo_research.formats.program.fit` for errors."""
    return program.write(tree, "Python", _render, max_bytes)


def _render(made: program.Program, terse: bool) -> str:
    codes = "permutations(SYMBOLS, POSITIONS)"
    if made.rules.repeats:
        codes = "product(SYMBOLS, repeat=POSITIONS)"
    return made.source(
        _HEAD,
        program.shortened(_CODE, "#", " ") if terse else _CODE,
        HEAD="\n".join(made.head()),
        TEXTS=", ".join(f'"{guess} {got}"' for guess, got in made.example),
        TURNS=", ".join(f'("{guess}", {got.bulls}, {got.cows})' for guess, got in made.example),
        TEXT=" ".join(map(str, made.example[0])),
        ITERATOR=codes.partition("(")[0],
        CODES=codes if made.rules.leading_zero else f"{codes} if code[0] != SYMBOLS[0]",
        LINES="\n".join(f'    "{line}"' for line in made.lines),
    )
