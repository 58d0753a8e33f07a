"""Decision trees for the tests, from a strategy and a definition that are slow and obvious."""

from itertools import product

from moo_research.rules import Response, Rules
from moo_research.tree import DecisionTree, Node


def answer(guess: str, secret: str) -> Response:
    """Answer as a person does: strike out the bulls, then pair off what is left."""
    left_of_guess = [a for a, b in zip(guess, secret, strict=True) if a != b]
    left_of_secret = [b for a, b in zip(guess, secret, strict=True) if a != b]
    cows = 0
    for symbol in left_of_guess:
        if symbol in left_of_secret:
            left_of_secret.remove(symbol)
            cows += 1
    return Response(len(guess) - len(left_of_guess), cows)


def all_codes(rules: Rules) -> list[str]:
    """List every code of the game in lexicographic order, by throwing out what is none."""
    symbols = "0123456789abcdefghijklmnopqrstuvwxyz"[: rules.symbols]
    texts = ("".join(text) for text in product(symbols, repeat=rules.positions))
    return [
        text
        for text in texts
        if (rules.repeats or len(set(text)) == len(text))
        and (rules.leading_zero or not text.startswith("0"))
    ]


def first_consistent(rules: Rules | str) -> DecisionTree:
    """Make the tree of the player who always guesses the first candidate."""
    rules = Rules.of(rules)

    def grow(candidates: list[str]) -> Node:
        guess, *others = candidates
        parts: dict[Response, list[str]] = {}
        for code in others:
            parts.setdefault(answer(guess, code), []).append(code)
        return Node(guess, {response: grow(members) for response, members in parts.items()})

    return DecisionTree.of(rules, grow(all_codes(rules)))


def follow(tree: DecisionTree, secret: str, limit: int = 1000) -> list[str] | None:
    """Play one secret: the places visited until it is guessed; None if it never is."""
    node, places = tree.root, ["root"]
    while node.guess != secret and len(places) <= limit:
        response = answer(node.guess, secret)
        if response not in node.parts:
            return None
        node = node.parts[response]
        places.append(f"{places[-1]}/{response}")
    return places if node.guess == secret else None


def replace(tree: DecisionTree, place: str, node: Node | None) -> DecisionTree:
    """Return the tree with another node at ``place``, or none."""

    def change(old: Node, steps: list[str]) -> Node:
        if not steps:
            assert node is not None
            return node
        response = Response(*map(int, steps[0].rstrip("C").split("B")))
        parts = dict(old.parts)
        if node is None and len(steps) == 1:
            del parts[response]
        elif len(steps) == 1:
            parts[response] = node
        else:
            parts[response] = change(parts[response], steps[1:])
        return Node(old.guess, parts)

    return DecisionTree(tree.rules, tree.cost, change(tree.root, place.split("/")[1:]))


def places(tree: DecisionTree) -> dict[str, Node]:
    """Map every place of a tree to its node, reached by a secret or not."""
    found = {}
    stack = [("root", tree.root)]
    while stack:
        place, node = stack.pop()
        found[place] = node
        stack += [(f"{place}/{response}", part) for response, part in node.parts.items()]
    return found
