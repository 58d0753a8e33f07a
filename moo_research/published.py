"""What has been published about these games, as data, with where each figure comes from.

A figure here is a claim to test, never an input to the search: only :mod:`moo_research.reproduce`
and the tests read it, besides the commands that print a published value beside a computed one.
Responses are written ``1B2C``, codes in the canonical symbols from 0 on. A histogram lists the
secrets solved at guess 1, 2, ...
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Literal

__all__ = [
    "BALL_STRIKE",
    "BEST_REPLY",
    "CAPACITIES",
    "CAPACITY_BOUND",
    "CHECKIO",
    "CHEN_2007",
    "CHEN_LIN",
    "CPP_PLAYERS",
    "FASTEST_PLAYERS",
    "FASTEST_PROGRAM",
    "FEWEST_LAST",
    "FIRST_GUESS",
    "GUR",
    "HIT_AND_BLOW",
    "KNUTH",
    "KOYAMA_LAI",
    "MASTERMIND",
    "MINIMUM_HISTOGRAM",
    "MINIMUM_MEAN",
    "MINIMUM_TOTAL",
    "MISPRINTS",
    "NINE_TURN_SECRETS",
    "PLAYERS",
    "RESPONSE_CLASSES",
    "SECOND_GUESSES",
    "SLOVESNOV",
    "TANAKA",
    "TRANSCRIPTS",
    "TWO_BY_N_TOTALS",
    "VILLE",
    "VILLE_MEAN",
    "WEB",
    "WORST_CASE",
    "Mastermind",
    "Misprint",
    "PlayerResult",
    "PlayerSpeed",
    "SecondGuess",
    "Source",
    "Transcript",
    "second_guesses",
    "two_by_n_mean",
    "two_by_n_worst_case",
]


@dataclass(frozen=True, slots=True)
class Source:
    """Where a figure comes from."""

    name: str
    """Short name, as printed in tables: ``Tanaka 1996``."""
    title: str
    """What it is and where it appeared."""

    def __str__(self) -> str:
        return self.name


TANAKA = Source(
    "Tanaka 1996", 'T. Tanaka, "An optimal MOO strategy", Game Programming Workshop, 1996'
)
HIT_AND_BLOW = Source(
    "Hit&Blow article",
    "an article on an n-digit Hit & Blow (Numer0n) questioner and answerer, with a test script",
)
CHECKIO = Source("CheckiO article", 'a write-up of the CheckiO mission "Bulls and Cows" (8 turns)')
BALL_STRIKE = Source(
    "Ball/strike tutorial", "a Python tutorial, repeated digits allowed, 10 000 candidates"
)
CPP_PLAYERS = Source(
    "C++ players article", "a blog post with NaivePlayer, Clever1Player and Clever2Player"
)
KOYAMA_LAI = Source(
    "Koyama & Lai 1993",
    'K. Koyama, T. W. Lai, "An optimal Mastermind strategy", '
    "Journal of Recreational Mathematics 25, 1993",
)
KNUTH = Source(
    "Knuth 1977",
    'D. E. Knuth, "The computer as Master Mind", Journal of Recreational Mathematics 9, 1976-77',
)
VILLE = Source(
    "Ville 2013",
    'G. Ville, "An optimal Mastermind (4,7) strategy and more results in the expected case", '
    "arXiv 1305.1010",
)
CHEN_LIN = Source("Chen & Lin 2004", "closed forms for the 2 x n game, distinct symbols")
CHEN_2007 = Source("Chen et al. 2007", "seven guesses are necessary and sufficient for 4 x 10")
SLOVESNOV = Source(
    "Slovesnov", '"Search of optimal algorithms for bulls and cows game", a report on the Web'
)
WEB = Source("the Web", "totals of players, as collected on the Web")
FASTEST_PROGRAM = Source(
    "the fastest public program",
    "the fastest public program that plays by entropy, as far as we could find, by its own report",
)
GUR = Source("Gur", 'S. Gur, "Mastermind strategies", a table of players on the Web')


# --- The 4 x 10 game: four distinct digits out of ten, 5040 codes -------------------------------

FIRST_GUESS = "0123"

RESPONSE_CLASSES: Mapping[str, int] = MappingProxyType(
    {
        "4B0C": 1,
        "3B0C": 24,
        "2B2C": 6,
        "2B1C": 72,
        "2B0C": 180,
        "1B3C": 8,
        "1B2C": 216,
        "1B1C": 720,
        "1B0C": 480,
        "0B4C": 9,
        "0B3C": 264,
        "0B2C": 1260,
        "0B1C": 1440,
        "0B0C": 360,
    }
)
"""Secrets with each response to the first guess (Tanaka 1996 and the Hit&Blow article)."""


@dataclass(frozen=True, slots=True)
class SecondGuess:
    """One row of a second-guess table."""

    response: str
    guess: str | None
    """None where the first guess has already won."""
    total: int
    """Guesses asked after the first one, over all secrets of the class."""


MINIMUM_TOTAL = 26274
"""Least total of guesses over all secrets (Tanaka 1996, table 3)."""

MINIMUM_MEAN = "5.2131"
"""The same divided by 5040, as printed."""

MINIMUM_HISTOGRAM = (1, 7, 63, 697, 2424, 1774, 74)
"""Tanaka's minimum strategy; other strategies of the same total have other histograms."""

SECOND_GUESSES = (
    SecondGuess("4B0C", None, 0),
    SecondGuess("3B0C", "0245", 73),
    SecondGuess("2B2C", "0132", 15),
    SecondGuess("2B1C", "0145", 240),
    SecondGuess("2B0C", "0245", 659),
    SecondGuess("1B3C", "0134", 22),
    SecondGuess("1B2C", "0245", 804),
    SecondGuess("1B1C", "0245", 2992),
    SecondGuess("1B0C", "0456", 1913),
    SecondGuess("0B4C", "1230", 23),
    SecondGuess("0B3C", "1435", 1004),
    SecondGuess("0B2C", "1245", 5548),
    SecondGuess("0B1C", "1456", 6495),
    SecondGuess("0B0C", "4567", 1446),
)
"""Tanaka 1996, table 3."""


def second_guesses(rules: str) -> Mapping[str, SecondGuess]:
    """Return the published second-guess table of a game, by response; empty if there is none.

    ``rules``: the canonical text, such as ``4x10``.
    """
    return {row.response: row for row in SECOND_GUESSES} if rules == "4x10" else {}


@dataclass(frozen=True, slots=True)
class Misprint:
    """A figure that one source prints differently from another, and wrongly."""

    response: str
    printed: int
    source: Source


MISPRINTS = (
    Misprint("1B0C", 1446, HIT_AND_BLOW),
    Misprint("0B1C", 6595, HIT_AND_BLOW),
)
"""The Hit&Blow article's table is Tanaka's but for these two totals."""

CAPACITIES = (1, 14, 127, 864)
"""Most secrets that one strategy can solve within 1, 2, 3, 4 guesses (Tanaka 1996, table 1)."""

CAPACITY_BOUND = ((1, 0, 1), (2, -1, 14), (3, -15, 127), (4, -142, 864), (5, -1006, None))
"""Rows (a, b, last): for n secrets, n <= last, the total is at least a n + b (Tanaka, table 2).

For one secret the paper prints 1, which is 1 n + 0.
"""

WORST_CASE = 7
"""Guesses necessary and sufficient (Tanaka's strategy reaches it; Chen et al. 2007 prove it)."""

FEWEST_LAST = 50
"""Secrets at the seventh guess in the best strategy known (Slovesnov); not proven least there."""


@dataclass(frozen=True, slots=True)
class BestReply:
    """A strategy made to win races against the minimum strategy."""

    histogram: tuple[int, ...]
    total: int
    score: str
    """Percentage of races won, equal counts half, as printed."""
    unbeaten: str
    """The most that any fixed strategy is said to score against it, in the same form."""
    second_guesses: tuple[SecondGuess, ...]


BEST_REPLY = BestReply(
    histogram=(1, 4, 47, 688, 2531, 1628, 141),
    total=26312,
    score="50.20823",
    unbeaten="50.00000",
    second_guesses=(
        SecondGuess("2B2C", "0214", 16),
        SecondGuess("1B3C", "0134", 22),
        SecondGuess("0B4C", "1034", 24),
        SecondGuess("3B0C", "0456", 74),
        SecondGuess("2B1C", "0145", 240),
        SecondGuess("2B0C", "0456", 661),
        SecondGuess("1B2C", "0245", 804),
        SecondGuess("0B3C", "1435", 1004),
        SecondGuess("0B0C", "4567", 1449),
        SecondGuess("1B0C", "0456", 1915),
        SecondGuess("1B1C", "0145", 2996),
        SecondGuess("0B2C", "1245", 5555),
        SecondGuess("0B1C", "1456", 6512),
    ),
)
"""Tanaka 1996, tables 5 to 7: the paper claims that no fixed strategy scores above 50 % on it."""


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """What a player that chooses one guess at a time has been reported to need."""

    player: str
    """What the source calls it, or says of it."""

    name: str
    """What it is called here (:data:`moo_research.players.CATALOGUE`)."""

    source: Source
    rules: str
    order: Literal["lexicographic", "swap"] | None = None
    """Order in which codes are tried: ``lexicographic`` or ``swap``; None if it was not told."""

    ties: Literal["consistent", "earliest"] | None = None
    """Rule by which the player has this total, where it is not the player's own rule here."""

    total: int | None = None
    mean: str | None = None
    """As printed; a mean over random games where there is no total."""

    histogram: tuple[int, ...] | None = None
    worst_case: int | None = None
    """Guesses in the worst case, where there is no histogram to tell it."""

    at_worst: int | None = None
    """Secrets that take so many."""

    games: int | None = None
    """Number of random games played; None when every secret was played once."""

    in_outline: bool = False
    """Whether the source does not say enough about the player to play it."""


PLAYERS = (
    PlayerResult(
        "first consistent code",
        "first",
        CHECKIO,
        "4x10",
        order="lexicographic",
        total=28024,
        mean="5.5603",
        histogram=(1, 13, 108, 596, 1668, 1768, 752, 129, 5),
    ),
    PlayerResult(
        "first consistent code",
        "first",
        CPP_PLAYERS,
        "4x10",
        order="swap",
        total=28029,
        mean="5.5613",
        histogram=(1, 13, 108, 596, 1664, 1770, 755, 128, 5),
    ),
    PlayerResult(
        "smallest largest class, consistent codes only",
        "minimax-consistent",
        CPP_PLAYERS,
        "4x10",
        order="swap",
        total=26979,
        mean="5.3530",
        histogram=(1, 13, 108, 620, 2002, 1937, 356, 3),
    ),
    PlayerResult(
        "smallest largest class, all codes",
        "minimax",
        CPP_PLAYERS,
        "4x10",
        order="swap",
        total=29161,
        mean="5.7859",
        histogram=(1, 2, 22, 176, 1301, 2885, 653),
    ),
    PlayerResult(
        "random consistent code", "random", HIT_AND_BLOW, "4x10", mean="5.469", games=10_000
    ),
    PlayerResult(
        "table's second guess, then random consistent code",
        "table-random",
        HIT_AND_BLOW,
        "4x10",
        mean="5.436",
        games=10_000,
    ),
    PlayerResult("Larmouth", "larmouth", WEB, "4x10", mean="5.24"),
    PlayerResult("Landy", "landy", WEB, "4x10", total=26347, mean="5.2276", in_outline=True),
    PlayerResult("first consistent code", "first", GUR, "4x6r", total=7471, worst_case=9),
    PlayerResult("most parts", "parts", GUR, "4x6r", total=5668, worst_case=6, at_worst=7),
    PlayerResult(
        "expected size", "expected-size", GUR, "4x6r", total=5696, worst_case=6, at_worst=3
    ),
    PlayerResult(
        "entropy", "entropy", GUR, "4x6r", ties="consistent", total=5722, worst_case=6, at_worst=12
    ),
    PlayerResult("smallest largest class", "knuth", KNUTH, "4x6r", total=5801, worst_case=5),
)
"""Players over all secrets, or over random games."""


@dataclass(frozen=True, slots=True)
class PlayerSpeed:
    """How long a program says that it takes to play every secret of a game."""

    name: str
    """The player here that it is most like."""
    rules: str
    total: int
    seconds: float


FASTEST_PLAYERS = (
    PlayerSpeed("entropy", "4x10", 26409, 0.07),
    PlayerSpeed("entropy", "5x10", 173016, 2.5),
    PlayerSpeed("entropy", "5x8r", 179797, 5.2),
)
"""From a report of its own (:data:`FASTEST_PROGRAM`); on a machine that is not ours."""

NINE_TURN_SECRETS = ("5293", "9204", "9214", "9241", "9431")
"""The secrets on which the CheckiO article's player takes nine turns."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """A game that has been printed, turn by turn."""

    source: Source
    rules: str
    turns: tuple[str, ...]
    """Guesses with their responses, as printed but for the sign between them."""
    secret: str | None = None
    """None where it was not told; a game that ends with the winning response tells it."""
    candidates: tuple[int, ...] | None = None
    """Candidates before each guess, as printed; one more where the game stops for want of any."""
    mistakes: tuple[tuple[int, str], ...] = ()
    """Number of each turn whose response is wrong, with the right one."""


TRANSCRIPTS = (
    Transcript(
        HIT_AND_BLOW,
        "4x10",
        ("3429 0H2B", "7594 0H1B", "9613 1H2B", "9386 2H1B", "9036 1H3B", "9360 4H0B"),
        secret="9360",
    ),
    Transcript(
        HIT_AND_BLOW,
        "4x10",
        ("9238 0H2B", "1792 1H1B", "2763 0H2B", "1324 2H2B"),
        secret="1234",
        candidates=(5040, 1260, 204, 47, 0),
        mistakes=((1, "2H0B"),),
    ),
    Transcript(
        HIT_AND_BLOW,
        "4x10",
        ("7016 0,1", "2950 0,1", "4365 0,2", "3628 0,2", "1234 4,0"),
        candidates=(5040, 1440, 378, 99, 19),
    ),
    Transcript(
        BALL_STRIKE, "4x10r", ("5848 b2 s0", "4553 b3 s1", "4365 b3 s0", "3574 b3 s1"), "3450"
    ),
    Transcript(BALL_STRIKE, "4x10r", ("8088 b3 s1",), "4088", mistakes=((1, "b3 s3"),)),
)
"""Published games, the last the opening illustration of its source. A ball counts every common
digit, strikes included. (The mistakes are ours to tell, worked out by hand from the secrets; the
Hit&Blow article tells its own.)"""


# --- Other games --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Mastermind:
    """Figures for 4 x 6 with repeats, 1296 codes."""

    total: int
    """Least total."""
    mean: str
    at_six: int
    """Secrets at the sixth guess in the strategy of that total."""
    total_within_five: int
    """Least total if no secret may take more than five guesses."""
    worst_case: int


MASTERMIND = Mastermind(total=5625, mean="4.3403", at_six=1, total_within_five=5626, worst_case=5)
"""Koyama & Lai 1993; the worst case is Knuth's, 1977."""

VILLE_MEAN = "4.676"
"""Least mean of 4 x 7 with repeats, 2401 codes (Ville 2013)."""

TWO_BY_N_TOTALS: Mapping[int, int] = MappingProxyType({4: 30, 6: 103, 8: 238, 10: 451})
"""Least total of the 2 x n game over n (n - 1) codes, where it has been printed as a total."""


def two_by_n_mean(symbols: int) -> Fraction:
    """Return the least mean of the 2 x n game by the closed form of Chen & Lin 2004."""
    n = symbols
    if n % 2 == 0:
        return Fraction(4 * n**3 + 21 * n**2 - 76 * n + 72, 12 * n * (n - 1))
    return Fraction(4 * n**3 + 21 * n**2 - 82 * n + 105, 12 * n * (n - 1))


def two_by_n_worst_case(symbols: int) -> int:
    """Return the least worst case of the 2 x n game by the closed form of Chen & Lin 2004."""
    return -(-symbols // 2) + 1
