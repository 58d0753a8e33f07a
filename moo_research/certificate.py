"""Writing a certificate: a proof of an optimum that anyone can check.

docs/certificate.md specifies the file and tells why it proves what it claims; checker.py, which
shares no code with this package, checks it. What is written here comes from the search: the
strategy it found, and what it has proven of each set whose guesses it had to try one by one. All
other bounds follow from the sets alone, so that the checker can do without them.
"""

from __future__ import annotations

import gzip
import hashlib
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path

from moo_research.checker import Verdict
from moo_research.errors import MooError
from moo_research.files import write_atomically
from moo_research.objective import Objective
from moo_research.rules import Response, Rules
from moo_research.search import Claim, Engine, ProgressCallback, Solution
from moo_research.tree import DecisionTree, Node, replay

__all__ = [
    "VERSION",
    "TreeProof",
    "certificate_text",
    "prove_tree",
    "save_certificate",
    "shortcoming_of",
]

VERSION = 1


def save_certificate(path: str | PathLike[str], solution: Solution) -> None:
    """Write the proof of a solution that was searched for with ``trace=True``.

    Raises :class:`~moo_research.errors.MooError` if the search kept no claims, and OSError.
    """
    if not solution.traced:
        raise MooError("there is no proof to write: search with trace=True")
    text = certificate_text(
        solution.rules, solution.minimised, solution.optimum, solution.tree, solution.claims
    )
    _save(path, text)


def _save(path: str | PathLike[str], text: str) -> None:
    data = text.encode("ascii")
    if fspath(path).endswith(".gz"):
        data = gzip.compress(data, compresslevel=6, mtime=0)
    write_atomically(Path(path), data)


@dataclass(frozen=True, slots=True)
class TreeProof:
    """Whether a decision tree has the least total, and the proof if it has."""

    tree: DecisionTree
    optimal: bool

    better: int | None
    """Guesses over all secrets of the history below, those of the history not counted, that are
    enough, where the tree takes more: the least total of theirs."""

    better_after: tuple[tuple[str, Response], ...]
    taken: int | None
    """What the tree takes there."""

    claims: tuple[Claim, ...]
    seconds: float

    def save(self, path: str | PathLike[str]) -> None:
        """Write the certificate. Raises :class:`~moo_research.errors.MooError` if the tree is not
        optimal, and OSError."""
        if not self.optimal:
            raise MooError("there is no proof to write: the tree is not optimal")
        tree = self.tree
        _save(
            path,
            certificate_text(tree.rules, Objective.mean(), tree.total, tree, self.claims),
        )


def prove_tree(
    tree: DecisionTree,
    *,
    threads: int = 1,
    memory: int | None = None,
    kernel: str | None = None,
    progress: ProgressCallback | None = None,
) -> TreeProof:
    """Prove that no strategy takes fewer guesses over all secrets than a tree does, or find out
    where one does.

    What the tree takes after each response to its first guess is shown to be least there, the small
    parts first; then every other first guess is shown to be no better. Raises
    :class:`~moo_research.errors.MooError`.
    """
    began = time.perf_counter()
    tree.ensure_valid()
    engine = Engine(tree.rules, threads=threads, memory=memory, kernel=kernel)
    search = engine.search(Objective.mean(), trace=True)
    first = engine.space.index(tree.root.guess)
    parts = []
    for response, node in tree.root.parts.items():
        secrets = search.candidates([(first, response)])
        histogram = replay(tree.rules, node, engine.space.texts(secrets))
        assert histogram is not None  # as the tree is valid
        taken = sum(guess * solved for guess, solved in enumerate(histogram, 1))
        parts.append((len(secrets), taken, response))
    questions: list[tuple[int, int, list[tuple[int, Response]]]] = [
        (size, taken, [(first, response)]) for size, taken, response in sorted(parts)
    ]
    questions.append((engine.space.size, tree.total, []))
    for size, taken, history in questions:
        before = size * len(history)
        stage = "".join(f"{response}: " for _guess, response in history)
        value, _guess = search.solve(history, taken + before, progress, stage)
        if value is not None and value < taken + before:
            after = tuple((engine.space.text(guess), answer) for guess, answer in history)
            seconds = time.perf_counter() - began
            return TreeProof(tree, False, value - before, after, taken, (), seconds)
    seconds = time.perf_counter() - began
    return TreeProof(tree, True, None, (), None, search.claims(), seconds)


def certificate_text(
    rules: Rules,
    objective: Objective,
    optimum: int | None,
    tree: DecisionTree | None,
    claims: Iterable[Claim],
) -> str:
    """Return a certificate as text; ``optimum`` and ``tree`` are None if there is no strategy.

    Claims may be repeated, and in any order. What is written does not depend on their order.
    """
    nodes = [] if tree is None else list(_nodes(tree.root))
    lemmas = sorted(_claims(optimum, claims))
    lines = [
        f"moo-certificate {VERSION}",
        f"rules {rules}",
        f"cost {objective.text}",
        f"optimum {_bound(optimum, 'none')}",
        f"tree {len(nodes)}",
        *nodes,
        f"claims {len(lemmas)}",
        *(f"{bound}{history}" for history, bound in lemmas),
        "",
    ]
    text = "\n".join(lines)
    return f"{text}end {hashlib.sha256(text.encode('ascii')).hexdigest()}\n"


def shortcoming_of(path: str | PathLike[str], verdict: Verdict) -> str | None:
    """Say why the tree in a file does not attain an accepted optimum; None if it does.

    Raises :class:`~moo_research.errors.TreeError` for a file that is no tree, and OSError.
    """
    tree = DecisionTree.load(path, strict=False)
    if verdict.cost is None or str(tree.rules) != verdict.rules:
        return f"the tree is for {tree.rules}, the proof for {verdict.rules}"
    replay = tree.verify()
    if replay.histogram is None:
        return f"the tree does not solve every secret: {replay.errors[0]}"
    objective = Objective("certified", verdict.cost, verdict.step)
    if objective.limit is not None and len(replay.histogram) > objective.limit:
        return f"the tree needs {len(replay.histogram)} guesses, and {objective.limit} are allowed"
    cost = objective.of(replay.histogram)
    if cost != verdict.optimum:
        return f"the tree costs {cost}, and the optimum is {verdict.optimum}"
    return None


def _bound(value: int | None, infinite: str) -> str:
    return infinite if value is None else str(value)


def _claims(optimum: int | None, claims: Iterable[Claim]) -> Iterator[tuple[str, str]]:
    """Yield history and bound of each claim, the best about each history, as they are written."""
    best: dict[frozenset[tuple[str, Response]], Claim] = {frozenset(): Claim((), optimum)}
    for claim in claims:
        turns = frozenset(claim.history)
        if len(turns) < len(claim.history):
            # A guess asked twice: the depth counts, so such a history is only equal to itself.
            raise AssertionError("the search repeats no guess")
        known = best.setdefault(turns, claim)
        if known.bound is not None and (claim.bound is None or claim.bound > known.bound):
            best[turns] = claim
    names: dict[Response, str] = {}
    for claim in best.values():
        words = []
        for guess, response in claim.history:
            if response not in names:
                names[response] = str(response)
            words.append(f" {guess} {names[response]}")
        # That a set costs at least 0 says nothing, but all codes must have their claim.
        if claim.bound != 0 or not claim.history:
            yield "".join(words), _bound(claim.bound, "inf")


def _nodes(root: Node) -> Iterator[str]:
    """Yield the lines of a tree in preorder: guesses before, last response, guess."""
    yield f"0 {root.guess}"
    stack = [(1, response, part) for response, part in reversed(list(root.parts.items()))]
    while stack:
        level, response, node = stack.pop()
        yield f"{level} {response} {node.guess}"
        stack += [(level + 1, answer, part) for answer, part in reversed(list(node.parts.items()))]
