"""A strategy as a decision tree: play it, measure it, check it, keep it in a file.

A tree says which code to guess first and, for every response that leaves a candidate, how to go
on. :meth:`DecisionTree.verify` replays it on every secret. Its responses are computed here, from
the definition of the game and on the codes as text: they share no code with the search, so that a
mistake in the search cannot hide in its own check. All secrets go down the tree together, level by
level, and a guess is compared only with the secrets that reach it, which is one response for each
question of the total. Where something is wrong, the tree is walked node by node, to say what.

Trees come from files that anybody may have written, so nothing here recurses, and a replay ends
after :data:`MAX_GUESSES` guesses on any path.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import eq
from os import PathLike

from moo_research.errors import CodeError, TreeError, shown
from moo_research.rules import Response, Rules, response_id

__all__ = [
    "MAX_GUESSES",
    "DecisionTree",
    "Node",
    "Verification",
    "Visit",
    "problem_of_guess",
    "problem_of_response",
    "replay",
]

MAX_GUESSES = 200
"""The deepest tree read, written or replayed, in guesses on one path. The game 1x36, where a guess
excludes one code, needs 36."""

# Games with more codes are not listed unless the tree has enough nodes to solve them.
_ALWAYS_REPLAYED = 100_000


@dataclass(frozen=True, slots=True)
class Node:
    """One guess of a strategy, and how it goes on after each response."""

    guess: str
    """The code to guess, written in the symbols 0-9a-z."""

    parts: Mapping[Response, Node] = field(default_factory=dict, hash=False)
    """What follows each response that is possible here; the winning response is left out, and a
    node reached by a single candidate has none."""


@dataclass(frozen=True, slots=True)
class Verification:
    """What a replay of a tree on every secret has shown."""

    valid: bool
    """Whether every secret is solved."""

    total: int | None
    """Guesses over all secrets; None, like the next three, if the tree is not valid."""

    mean: float | None
    """Total over the number of secrets."""

    max_guesses: int | None
    """Worst case."""

    histogram: tuple[int, ...] | None
    """Secrets solved at guess 1, 2, ..., ``max_guesses``."""

    errors: tuple[str, ...]
    """What is wrong, one line each, in the order of the tree and beginning with the place."""


@dataclass(frozen=True, slots=True)
class Visit:
    """A node of a tree, with the candidates that reach it."""

    place: str
    """The responses on the way: ``root``, ``root/0B1C``, ``root/0B1C/1B1C``."""

    response: Response | None
    """The last of them; None at the root."""

    node: Node

    guesses: tuple[str, ...]
    """The guesses on the way, that of this node last."""

    candidates: tuple[str, ...]
    """The secrets possible before this node's guess, in lexicographic order; never empty."""

    split: Mapping[Response, tuple[str, ...]]
    """The candidates by their response to the guess, the winning one included, in order of
    response id; empty if the guess is against the rules."""

    @property
    def may_win(self) -> bool:
        """Whether the guess is a candidate itself."""
        return self.node.guess in self.candidates


@dataclass(frozen=True)
class DecisionTree:
    """A whole strategy for one game.

    Making one checks nothing: :meth:`verify` tells whether the tree solves every secret. The
    measures ``total``, ``mean``, ``max_guesses`` and ``histogram`` raise
    :class:`~moo_research.errors.TreeError` if it does not.
    """

    rules: Rules

    cost: tuple[int, ...]
    """What a secret solved at guess 1, 2, ... costs under the objective the tree was made for;
    ``1, 2, 3, ...`` for the least total."""

    root: Node

    @classmethod
    def of(cls, rules: Rules | str, root: Node) -> DecisionTree:
        """Make a tree with the cost of the least total, as long as the tree is deep."""
        depth = 0
        level = [root]
        while level and depth < MAX_GUESSES:
            depth += 1
            level = [part for node in level for part in node.parts.values()]
        return cls(Rules.of(rules), tuple(range(1, depth + 1)), root)

    @classmethod
    def load(cls, path: str | PathLike[str], *, strict: bool = True) -> DecisionTree:
        """Read a tree file, compressed with gzip or not.

        Raises TreeError, with the file and the place in it, for anything that the format does not
        allow. ``strict=False`` lets guesses and responses against the rules pass, for
        :meth:`verify` to report all of them. Whether the tree is complete is for :meth:`verify`.
        """
        from moo_research.formats import json

        return json.load(path, strict=strict)

    def save(self, path: str | PathLike[str]) -> None:
        """Write a tree file, compressed if its name ends in ``.gz``; equal trees, equal bytes.

        The file appears whole or not at all. Raises TreeError if it cannot be written.
        """
        from moo_research.formats import json

        json.save(self, path)

    @classmethod
    def from_json(cls, value: object, *, strict: bool = True) -> DecisionTree:
        """Make a tree from what ``json.loads`` gives for a tree file; see :meth:`load`."""
        from moo_research.formats import json

        return json.from_object(value, strict=strict)

    def to_json(self) -> dict[str, object]:
        """Return the tree as objects for ``json.dumps``; the inverse of :meth:`from_json`."""
        from moo_research.formats import json

        return json.to_object(self)

    def verify(self) -> Verification:
        """Replay the tree on every secret, with responses computed anew from the rules."""
        return self._verification

    def ensure_valid(self) -> None:
        """Raise TreeError with the first thing that is wrong, if any secret is not solved."""
        if errors := self.verify().errors:
            more = len(errors) - 1
            others = f" (and {more} more error{'s' * (more > 1)})" if more else ""
            raise TreeError(errors[0] + others)

    @property
    def total(self) -> int:
        """Guesses over all secrets."""
        return sum(guess * secrets for guess, secrets in enumerate(self.histogram, 1))

    @property
    def mean(self) -> float:
        """Guesses for a secret, on average."""
        return self.total / self.rules.size

    @property
    def max_guesses(self) -> int:
        """Guesses in the worst case."""
        return len(self.histogram)

    @property
    def histogram(self) -> tuple[int, ...]:
        """Secrets solved at guess 1, 2, ..., ``max_guesses``."""
        self.ensure_valid()
        histogram = self.verify().histogram
        assert histogram is not None
        return histogram

    def play(self, secret: str) -> list[tuple[str, Response]]:
        """Play one game: the guesses and their responses, the winning one last.

        Raises CodeError for a secret against the rules, TreeError if the tree does not solve it.
        """
        secret = self.rules.write_code(self.rules.read_code(secret))
        node = self.root
        place = "root"
        game: list[tuple[str, Response]] = []
        while len(game) < MAX_GUESSES:
            if problem := problem_of_guess(self.rules, node.guess):
                raise TreeError(f"{place}: {problem}")
            response = Response(*_bulls_and_cows(node.guess, secret))
            game.append((node.guess, response))
            if node.guess == secret:
                return game
            place = f"{place}/{response}"
            if response not in node.parts:
                raise TreeError(f"{place}: missing, so that {secret} is not solved")
            node = node.parts[response]
        raise TreeError(f"root: {secret} is not solved within {MAX_GUESSES} guesses")

    def games(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield every secret, in lexicographic order, with the guesses that lead to it.

        Raises TreeError if the tree is not valid.
        """
        yield from sorted(
            (visit.node.guess, visit.guesses) for visit in self.visits() if visit.may_win
        )

    def visits(self) -> Iterator[Visit]:
        """Yield every node, parents first and parts in order of response id.

        Raises TreeError if the tree is not valid.
        """
        self.ensure_valid()
        return self._walk()

    @cached_property
    def _verification(self) -> Verification:
        size = self.rules.size
        if size > _ALWAYS_REPLAYED and (nodes := self._count_nodes(size)) < size:
            return _invalid([f"root: {nodes} nodes cannot solve the {size} codes of {self.rules}"])
        histogram = replay(self.rules, self.root)
        if histogram is not None:
            total = sum(guess * secrets for guess, secrets in enumerate(histogram, 1))
            return Verification(True, total, total / size, len(histogram), histogram, ())
        visits = list(self._walk())
        solved = {visit.node.guess: visit for visit in visits if visit.may_win}
        errors = [error for visit in visits for error in self._errors_at(visit, solved)]
        if not errors:
            raise AssertionError("two replays of a tree do not agree")
        return _invalid(errors)

    @property
    def _winning_response(self) -> Response:
        return Response(self.rules.positions, 0)

    def _count_nodes(self, limit: int) -> int:
        """Count the nodes, each object once, but no further than ``limit``."""
        seen = {id(self.root)}
        stack = [self.root]
        while stack and len(seen) < limit:
            for part in stack.pop().parts.values():
                if id(part) not in seen:
                    seen.add(id(part))
                    stack.append(part)
        return len(seen)

    def _walk(self) -> Iterator[Visit]:
        """Visit every node that some secret reaches, and none below a guess against the rules."""
        win = self._winning_response
        codes = tuple(_all_codes(self.rules))
        stack: list[tuple[str, Response | None, Node, tuple[str, ...], tuple[str, ...]]]
        stack = [("root", None, self.root, (self.root.guess,), codes)]
        while stack:
            place, response, node, guesses, candidates = stack.pop()
            lawful = problem_of_guess(self.rules, node.guess) is None
            split = _split(node.guess, candidates) if lawful else {}
            yield Visit(place, response, node, guesses, candidates, split)
            if len(guesses) < MAX_GUESSES:
                stack += [
                    (f"{place}/{answer}", answer, part, (*guesses, part.guess), members)
                    for answer, members in reversed(split.items())
                    if answer != win and (part := node.parts.get(answer)) is not None
                ]

    def _errors_at(self, visit: Visit, solved: Mapping[str, Visit]) -> Iterator[str]:
        """Say what is wrong with one node; ``solved``: where each secret is solved."""
        place, node, candidates = visit.place, visit.node, visit.candidates
        if problem := problem_of_guess(self.rules, node.guess):
            yield f"{place}: {problem}"
            return
        win = self._winning_response
        if not node.parts and candidates != (node.guess,):
            again = ""
            if node.guess in solved and not visit.may_win:
                again = f", and {node.guess} is solved at {solved[node.guess].place}"
            yield f"{place}: ends with {node.guess} where {_some(candidates)} left{again}"
            return
        if node.parts and len(visit.guesses) == MAX_GUESSES:
            yield f"{place}: goes on after {MAX_GUESSES} guesses"
            return
        for response, members in visit.split.items():
            if response != win and response not in node.parts:
                yield f"{place}/{response}: missing, where {_some(members)} left"
        extra = [answer for answer in node.parts if answer not in visit.split or answer == win]
        for response in sorted(extra, key=response_id):
            problem = problem_of_response(self.rules, response)
            problem = problem or f"no secret left gives this response to {node.guess}"
            yield f"{place}/{response}: {problem}"


def replay(
    rules: Rules, root: Node, secrets: Sequence[str] | None = None
) -> tuple[int, ...] | None:
    """Return how many secrets a strategy solves at guess 1, 2, ..., or None if anything is wrong.

    ``secrets``: the codes that it is for, each once; None for all of the game. Wrong is whatever
    :meth:`DecisionTree.verify` complains of: a guess that is no code, a response that some secret
    gives and that has no part, a part that no secret reaches, and secrets left at the deepest
    level.
    """
    import numpy as np  # for those who only read trees this import takes longer than the rest

    positions = rules.positions
    texts = tuple(_all_codes(rules))
    number = dict(zip(texts, range(len(texts)), strict=True))
    codes = np.frombuffer("".join(texts).encode(), np.uint8).reshape(-1, positions)
    counts = np.stack([(codes == ord(x)).sum(1, np.uint8) for x in rules.alphabet()], axis=1)
    ids = (positions + 1) ** 2  # bulls * (positions + 1) + cows
    responses = [divmod(key, positions + 1) for key in range(ids)]
    named = {(part.bulls, part.cows): part for part in rules.responses}
    histogram: list[int] = []
    left = np.arange(len(texts)) if secrets is None else np.array([number[x] for x in secrets])
    nodes, at = [root], np.zeros(len(left), np.intp)
    while len(left) and len(histogram) < MAX_GUESSES:
        guesses = [number.get(node.guess) for node in nodes]
        if None in guesses:
            return None
        guess = np.array(guesses, dtype=np.intp)[at]
        bulls = (codes[guess] == codes[left]).sum(1, np.intp)
        common = np.minimum(counts[guess], counts[left]).sum(1, np.intp)
        unsolved = bulls < positions
        histogram.append(len(left) - int(unsolved.sum()))
        keys = (at * ids + bulls * (positions + 1) + common - bulls)[unsolved]
        left = left[unsolved]
        reached, at = np.unique(keys, return_inverse=True)
        if sum(len(node.parts) for node in nodes) != len(reached):
            return None
        below = []
        for key in reached.tolist():
            node, response = divmod(key, ids)
            part = nodes[node].parts.get(named[responses[response]])
            if part is None:
                return None
            below.append(part)
        nodes = below
    return None if len(left) else tuple(histogram)


def problem_of_guess(rules: Rules, guess: str) -> str | None:
    """Say in a few words what makes ``guess`` no code of the game as trees spell it, or None."""
    try:
        spelling = rules.write_code(rules.read_code(guess))
    except CodeError as error:
        return f"the guess is against the rules: {error}"
    return None if spelling == guess else f"the guess {shown(guess)} must be written {spelling}"


def problem_of_response(rules: Rules, response: Response) -> str | None:
    """Say in a few words why no guess follows ``response`` in any tree of the game, or None."""
    if response == Response(rules.positions, 0):
        return "a guess after the winning response"
    return None if response in rules.responses else f"this response cannot occur in {rules}"


def _invalid(errors: list[str]) -> Verification:
    return Verification(False, None, None, None, None, tuple(errors))


def _some(codes: tuple[str, ...]) -> str:
    return f"{codes[0]} is" if len(codes) == 1 else f"{len(codes)} codes such as {codes[0]} are"


def _all_codes(rules: Rules) -> Iterator[str]:
    """Yield every code of the game as text, in lexicographic order."""
    symbols = rules.alphabet()
    codes = (
        itertools.product(symbols, repeat=rules.positions)
        if rules.repeats
        else itertools.permutations(symbols, rules.positions)
    )
    return ("".join(code) for code in codes if rules.leading_zero or code[0] != symbols[0])


def _split(guess: str, candidates: tuple[str, ...]) -> dict[Response, tuple[str, ...]]:
    """Part the candidates by their response to ``guess``, in order of response id."""
    parts: defaultdict[tuple[int, int], list[str]] = defaultdict(list)
    for candidate in candidates:
        parts[_bulls_and_cows(guess, candidate)].append(candidate)
    responses = {Response(*response): tuple(members) for response, members in parts.items()}
    return {response: responses[response] for response in sorted(responses, key=response_id)}


def _bulls_and_cows(guess: str, secret: str) -> tuple[int, int]:
    """Count symbols in the right place, and the others that both codes have."""
    bulls = sum(map(eq, guess, secret))
    common = sum(min(guess.count(symbol), secret.count(symbol)) for symbol in set(guess))
    return bulls, common - bulls
