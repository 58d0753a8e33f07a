"""The other side of a game: judges, the record of a game, and answers that cannot be right.

A :class:`Judge` answers guesses. :class:`Honest` has a secret. :class:`Adversary` has none: it
answers so as to leave the most candidates, and so keeps an ordinary game long.
:class:`TreeAdversary` knows the strategy that it faces, a decision tree, and keeps that one going
as long as it can. What an adversary answers always agrees with some code, and with everything that
it has answered before.

A person who answers makes mistakes. :func:`audit` finds the codes that disagree with the fewest
answers of a history; where they differ from it, the answer may be the mistaken one.

>>> rules = Rules.parse("4x10")
>>> turns = read_history(["9238 0B2C", "1792 1B1C", "2763 0B2C", "1324 2B2C"], rules)
>>> result = audit(turns, rules)
>>> result.counts
(5040, 1260, 204, 47, 0)
>>> [(suspect.turn, *map(str, suspect.could_be)) for suspect in result.suspects[:3]]
[(1, '2B0C'), (2, '0B2C', '2B0C'), (3, '1B1C')]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from moo_research.codes import MAX_CODES, CodeSpace, respond
from moo_research.errors import HistoryError, RulesError
from moo_research.history import Turn, read_history
from moo_research.players import State
from moo_research.rules import Response, Rules, response_count, response_id, response_of_id
from moo_research.tree import DecisionTree, Node

__all__ = [
    "Adversary",
    "Audit",
    "Explanation",
    "Honest",
    "Judge",
    "Record",
    "Suspect",
    "TreeAdversary",
    "audit",
    "draw_secret",
    "read_history",
]


# --- The record of a game -----------------------------------------------------------------------


class Record:
    """A game as it goes: its turns, and the candidates before each; turns can be taken back.

    The candidates of a game with more codes than can be listed are not known.
    """

    def __init__(self, game: Rules | str | CodeSpace) -> None:
        """``game``: its rules, or its codes if they have been listed already."""
        self.space: CodeSpace | None
        if isinstance(game, CodeSpace):
            self.rules, self.space = game.rules, game
        else:
            self.rules = Rules.of(game)
            self.space = CodeSpace(self.rules) if self.rules.size <= MAX_CODES else None
        self.turns: list[Turn] = []
        # Numbers of the codes left after 0, 1, 2, ... turns.
        self._left: list[NDArray[np.integer]] = []
        if self.space is not None:
            self._left.append(np.arange(self.space.size, dtype=np.int32))

    @property
    def counts(self) -> tuple[int | None, ...]:
        """Candidates before each guess, and after the last; None where they are not known."""
        if self.space is None:
            return (None,) * (len(self.turns) + 1)
        return tuple(int(left.size) for left in self._left)

    @property
    def count(self) -> int | None:
        """Candidates left; None if they are not known."""
        return self.counts[-1]

    @property
    def candidates(self) -> NDArray[np.integer]:
        """Numbers of the codes left, ascending. Raises RulesError for a game too large to list."""
        if self.space is None:
            raise RulesError(
                f"rules {self.rules} have {self.rules.size} codes; "
                f"at most {MAX_CODES} can be listed"
            )
        return self._left[-1]

    @property
    def state(self) -> State:
        """The game as a player sees it. Raises RulesError for a game too large to list."""
        candidates = self.candidates
        assert self.space is not None
        history = tuple((self.space.index(turn.guess), turn.response) for turn in self.turns)
        return State(self.space, candidates, history)

    @property
    def won(self) -> bool:
        """Whether the last guess was the secret."""
        return bool(self.turns) and self.turns[-1].response.bulls == self.rules.positions

    def add(self, turn: Turn) -> None:
        """Add a turn; no candidate need be left."""
        if self.space is not None:
            left = self._left[-1]
            ids = self.space.response_ids(self.space.index(turn.guess), left)
            self._left.append(left[ids == response_id(turn.response)])
        self.turns.append(turn)

    def undo(self) -> Turn:
        """Take the last turn back and return it. Raises HistoryError if there is none."""
        if not self.turns:
            raise HistoryError("there is no turn to take back")
        if self.space is not None:
            self._left.pop()
        return self.turns.pop()

    def correct(self, number: int, response: Response) -> None:
        """Change the response of turn ``number``, from 1 on.

        Raises HistoryError if there is no such turn.
        """
        if not 1 <= number <= len(self.turns):
            raise HistoryError(f"there is no turn {number} to correct")
        later = [self.undo() for _ in range(len(self.turns) - number + 1)]
        self.add(Turn(later.pop().guess, response))
        for turn in reversed(later):
            self.add(turn)


# --- Judges -------------------------------------------------------------------------------------


class Judge(Protocol):
    """Answers guesses."""

    def answer(self, record: Record, guess: str) -> Response:
        """Return the response to the next guess of a game that this judge has answered so far.

        Raises CodeError for a guess against the rules.
        """


@dataclass(frozen=True, slots=True)
class Honest:
    """Has a secret, and answers by it."""

    secret: str

    def answer(self, record: Record, guess: str) -> Response:
        return respond(guess, self.secret, record.rules)


@dataclass(frozen=True, slots=True)
class Adversary:
    """Leaves the most candidates, and says that a guess is right only when no other is left.

    Of responses that leave equally many it takes the one that shares the fewest symbols, of those
    the one with the fewest bulls.
    """

    def answer(self, record: Record, guess: str) -> Response:
        candidates, space = record.candidates, record.space
        assert space is not None
        win = response_count(record.rules.positions) - 1
        ids = space.response_ids(space.index(guess), candidates)
        sizes = np.bincount(ids, minlength=win + 1)
        if sizes[:win].any():
            sizes[win] = 0
        return response_of_id(int(sizes.argmax()))


@dataclass(frozen=True)
class TreeAdversary:
    """Keeps the player of a decision tree guessing as long as the tree can be made to last.

    Of responses that make the game equally long it takes the first in the order of ids. Against a
    guess that is not the tree's it answers like :class:`Adversary`. Raises TreeError for a tree
    that does not solve every secret.
    """

    tree: DecisionTree
    _depths: dict[int, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self.tree.ensure_valid()
        object.__setattr__(self, "_depths", _depths(self.tree.root))

    def answer(self, record: Record, guess: str) -> Response:
        if record.rules != self.tree.rules:
            raise RulesError(f"the tree is for {self.tree.rules}, not for {record.rules}")
        node: Node | None = self.tree.root
        for turn in record.turns:
            if node is None or node.guess != turn.guess:
                node = None
                break
            node = node.parts.get(turn.response)
        if node is None or node.guess != guess:
            return Adversary().answer(record, guess)
        if not node.parts:
            return Response(record.rules.positions, 0)
        return max(
            sorted(node.parts, key=response_id),
            key=lambda response: self._depths[id(node.parts[response])],
        )


def _depths(root: Node) -> dict[int, int]:
    """The most guesses from each node on, its own included, by the id of the node object."""
    depths: dict[int, int] = {}
    stack = [root]
    while stack:
        node = stack[-1]
        missing = [part for part in node.parts.values() if id(part) not in depths]
        if missing:
            stack += missing
        else:
            depths[id(node)] = 1 + max((depths[id(p)] for p in node.parts.values()), default=0)
            stack.pop()
    return depths


def draw_secret(rules: Rules | str, seed: int) -> str:
    """Draw a secret, each as likely as another; the codes need not be listed for it."""
    rules = Rules.of(rules)
    generator = np.random.default_rng([seed, 2])
    while True:
        if rules.repeats:
            code = generator.integers(rules.symbols, size=rules.positions)
        else:
            code = generator.permutation(rules.symbols)[: rules.positions]
        if rules.leading_zero or code[0]:
            return rules.write_code(code.tolist())


# --- Answers that cannot be right ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Suspect:
    """A turn whose response may be the mistaken one."""

    turn: int
    """Number of the turn, from 1 on."""

    given: Response

    could_be: tuple[Response, ...]
    """What the response should have been, the likeliest first."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A way to mend a history with as few corrections as will do."""

    right: tuple[tuple[int, Response], ...]
    """Number of each turn to be corrected, with the response that it should have."""

    codes: int
    """Codes that agree with the history then."""


@dataclass(frozen=True, slots=True)
class Audit:
    """What is to be said of the responses of a history."""

    rules: Rules
    turns: tuple[Turn, ...]

    secret: str | None
    """The secret, if it was told."""

    counts: tuple[int, ...]
    """Candidates before each guess, and after the last, if every response is taken as given."""

    slips: int
    """The fewest responses that must be mistaken; with a secret, those that are."""

    explanations: tuple[Explanation, ...]
    """Every way to mend the history with so few corrections, the likeliest first: bulls and cows
    exchanged, then the smallest difference, then the most codes left. Empty if nothing is wrong."""

    @property
    def consistent(self) -> bool:
        """Whether some code agrees with every response; with a secret, whether it does."""
        return self.slips == 0

    @property
    def candidates(self) -> int:
        """Codes that agree with every response."""
        return self.counts[-1]

    @property
    def suspects(self) -> tuple[Suspect, ...]:
        """The turns that some explanation corrects, in their order."""
        right: dict[int, dict[Response, None]] = {}  # in the order of the explanations
        for explanation in self.explanations:
            for turn, response in explanation.right:
                right.setdefault(turn, {})[response] = None
        return tuple(
            Suspect(turn, self.turns[turn - 1].response, tuple(found))
            for turn, found in sorted(right.items())
        )


def audit(
    turns: Sequence[Turn],
    rules: Rules | str = "4x10",
    *,
    secret: str | None = None,
    space: CodeSpace | None = None,
) -> Audit:
    """Find the responses of a history that cannot be right.

    ``space``: the codes, if they have been listed already. Without a secret every code is compared
    with the history, and the codes that disagree with the fewest responses say which ones. Raises
    CodeError for a guess or a secret against the rules, RulesError for a game too large to list.
    """
    space = CodeSpace(rules) if space is None else space
    guesses = [space.index(turn.guess) for turn in turns]
    given = np.array([response_id(turn.response) for turn in turns], np.uint8)
    wrong = np.zeros(space.size, np.uint16)
    counts = [space.size]
    for guess, answer in zip(guesses, given, strict=True):
        wrong += space.response_ids(guess) != answer
        # A code is a candidate as long as nothing that it was told is wrong.
        counts.append(int(np.count_nonzero(wrong == 0)))
    if secret is None:
        slips = int(wrong.min())
        nearest = np.flatnonzero(wrong == slips)
    else:
        nearest = np.array([space.index(secret)])
        slips = int(wrong[nearest[0]])
    return Audit(
        rules=space.rules,
        turns=tuple(turns),
        secret=secret,
        counts=tuple(counts),
        slips=slips,
        explanations=_explanations(space, guesses, given, nearest) if slips else (),
    )


def _explanations(
    space: CodeSpace, guesses: list[int], given: NDArray[np.uint8], codes: NDArray[np.integer]
) -> tuple[Explanation, ...]:
    """The corrections under which each of some codes agrees with a history, the same ones once."""
    answers = np.stack([space.response_ids(guess, codes) for guess in guesses], axis=1)
    rows, numbers = np.unique(answers, axis=0, return_counts=True)
    found = []
    for row, number in zip(rows, numbers, strict=True):
        wrong = np.flatnonzero(row != given).tolist()
        right = [response_of_id(int(row[turn])) for turn in wrong]
        difference = sum(
            _difference(response_of_id(int(given[turn])), response)
            for turn, response in zip(wrong, right, strict=True)
        )
        turns = tuple((turn + 1, response) for turn, response in zip(wrong, right, strict=True))
        found.append((difference, -int(number), Explanation(turns, int(number))))
    return tuple(explanation for _, _, explanation in sorted(found, key=lambda each: each[:2]))


def _difference(given: Response, right: Response) -> int:
    """How unlike two responses are to a person: exchanged numbers are the commonest slip."""
    if (given.bulls, given.cows) == (right.cows, right.bulls):
        return 0
    return abs(given.bulls - right.bulls) + abs(given.cows - right.cows)
