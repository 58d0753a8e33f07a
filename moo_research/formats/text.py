"""A strategy to follow by hand: one line for each response, indented below the guess it answers."""

from moo_research.tree import DecisionTree

__all__ = ["write"]


def write(tree: DecisionTree) -> str:
    """Return the strategy as indented text; raises TreeError unless every secret is solved."""
    lines = [
        f"Strategy for {tree.rules}: {tree.rules.size} codes, {tree.total} questions in all, "
        f"mean {tree.mean:.4f}, at most {tree.max_guesses} guesses.",
        "Guess the code on a line; then go on with the response below it, one step to the right.",
        "In brackets: the candidates left before the guess. '=' marks the last one, the secret.",
        "",
    ]
    for visit in tree.visits():
        indent = "    " * (len(visit.guesses) - 1)
        response = f"{visit.response} " if visit.response else ""
        left = len(visit.candidates)
        mark = "=" if left == 1 and visit.may_win else f"[{left}]"
        lines.append(f"{indent}{response}{mark} {visit.node.guess}")
    return "\n".join(lines) + "\n"
