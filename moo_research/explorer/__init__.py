"""The explorer: a decision tree, or two of them, as one Web page that stands alone.

The page is page.html with style.css, model.js, app.js and the trees put into it. It asks no network
for anything and opens from disk; a policy in its head forbids every script but its own. What it
shows is counted in the browser from the trees inside it; only the score of a race comes ready, from
:mod:`moo_research.duel`.

A tree of n nodes goes into the page as four texts, its nodes in the order of
:meth:`~moo_research.tree.DecisionTree.visits` (parents first, parts in order of response id):

* ``guesses``: the codes one after another, a symbol each position;
* ``responses``: the response that leads to each node, its id as one of :data:`DIGITS`;
* ``parts``: how many parts each node has, likewise;
* ``wins``: ``1`` where the guess is a candidate itself, and so solves one secret, else ``0``.

That takes seven bytes a node in a game of four positions; model.js reads it in one pass.
"""

import base64
import hashlib
import html
import json
import re
from collections.abc import Sequence
from fractions import Fraction
from importlib.resources import files

import moo_research
from moo_research.duel import race
from moo_research.errors import TreeError
from moo_research.rules import Rules, response_id
from moo_research.tree import DecisionTree

__all__ = ["DIGITS", "GENERATOR", "page"]

DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_.!"
"""The numbers 0 to 65, one character each: enough for the response ids of ten positions."""

GENERATOR = "moo_research explorer"
"""How the head of a page tells what wrote it."""


def page(trees: Sequence[tuple[str, DecisionTree]]) -> str:
    """Return the page of one tree, or of two to compare, each with a name to show (or ``""``).

    Equal trees and names give equal pages. Raises TreeError for a tree that does not solve every
    secret, and for two trees of different games.
    """
    if not 1 <= len(trees) <= 2:
        raise ValueError(f"a page shows one tree or two, not {len(trees)}")
    rules = trees[0][1].rules
    for _, tree in trees:
        tree.ensure_valid()
        if tree.rules != rules:
            raise TreeError(
                f"trees of {rules} and of {tree.rules} cannot be compared; take two of one game"
            )
    data = {
        "rules": _describe(rules),
        "trees": [_encode(name, tree) for name, tree in trees],
        "race": _score(*(tree for _, tree in trees)) if len(trees) == 2 else None,
    }
    style, *scripts = map(_asset, ("style.css", "model.js", "app.js"))
    slots = {
        "policy": _policy(style, scripts),
        "generator": f"{GENERATOR} {moo_research.__version__}",
        "title": html.escape(f"{rules}: decision tree"),
        "style": style,
        "model": scripts[0],
        "app": scripts[1],
        "data": _script_safe(data),
    }
    # One pass, so that nothing that was put in is looked at again.
    return re.sub(r"\{\{(\w+)\}\}", lambda slot: slots[slot[1]], _asset("page.html"))


def _asset(name: str) -> str:
    return (files(__name__) / name).read_text("utf-8")


def _policy(style: str, scripts: Sequence[str]) -> str:
    """The Content-Security-Policy: our scripts and style, an icon in the head, nothing else."""
    return (
        f"default-src 'none'; script-src {' '.join(map(_source, scripts))}; "
        f"style-src {_source(style)}; img-src data:; base-uri 'none'; form-action 'none'; "
        "require-trusted-types-for 'script'; trusted-types"
    )


def _source(text: str) -> str:
    """How a policy names an element by its text."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _script_safe(value: object) -> str:
    """Return JSON that stands inside a script element, whatever texts are in ``value``.

    Only ASCII, and no sign that could end the element, open a comment in it or begin an entity.
    """
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return re.sub("[<>&]", lambda sign: f"\\u{ord(sign[0]):04x}", text)


def _describe(rules: Rules) -> dict[str, object]:
    return {
        "text": str(rules),
        "size": rules.size,
        "positions": rules.positions,
        "alphabet": rules.alphabet(),
        "repeats": rules.repeats,
        "leadingZero": rules.leading_zero,
        "responses": [response_id(response) for response in rules.responses],
    }


def _encode(name: str, tree: DecisionTree) -> dict[str, object]:
    visits = list(tree.visits())
    responses = (0 if visit.response is None else response_id(visit.response) for visit in visits)
    return {
        "name": name,
        # As texts: a cost may have more digits than a number of JavaScript holds.
        "cost": [str(cost) for cost in tree.cost],
        "totalCost": _total_cost(tree),
        "guesses": "".join(visit.node.guess for visit in visits),
        "responses": "".join(DIGITS[response] for response in responses),
        "parts": "".join(DIGITS[len(visit.node.parts)] for visit in visits),
        "wins": "".join("01"[visit.may_win] for visit in visits),
    }


def _total_cost(tree: DecisionTree) -> str | None:
    """Cost of the tree over all secrets; None where a guess is past the end of its cost."""
    if len(tree.cost) < tree.max_guesses:
        return None
    return str(sum(n * cost for n, cost in zip(tree.histogram, tree.cost, strict=False)))


def _score(ours: DecisionTree, theirs: DecisionTree) -> dict[str, object]:
    """How the first tree fares in a race against the second; see :func:`moo_research.duel.race`."""
    result = race(ours.histogram, theirs.histogram)
    shares = {"win": result.win, "draw": result.draw, "loss": result.loss, "score": result.score}
    winner = 0 if result.win > result.loss else 1 if result.win < result.loss else None
    return {"winner": winner, **{name: _share(share) for name, share in shares.items()}}


def _share(share: Fraction) -> dict[str, object]:
    return {"exact": str(share), "percent": f"{100 * float(share):.4f} %"}
