"""A drawing of the tree for Graphviz: guesses are nodes, responses are the edges between them.

A guess that is itself a candidate, and so may win, has a solid outline; any other a dashed one.
"""

from moo_research.tree import DecisionTree

__all__ = ["write"]


def write(tree: DecisionTree) -> str:
    """Return a directed graph in the DOT language; raises TreeError unless every secret is solved.

    Nodes are numbered as they are visited: parents first, parts in order of response id.
    """
    lines = [
        "digraph strategy {",
        f'  label="{tree.rules}: {tree.total} questions, mean {tree.mean:.4f}";',
        "  rankdir=LR;",
        '  node [shape=box, fontname="monospace"];',
        '  edge [fontname="monospace"];',
    ]
    number_at: dict[str, int] = {}
    for number, visit in enumerate(tree.visits()):
        number_at[visit.place] = number
        style = "" if visit.may_win else ", style=dashed"
        lines.append(f'  n{number} [label="{visit.node.guess}"{style}];')
        if visit.response is not None:
            parent = number_at[visit.place.rpartition("/")[0]]
            lines.append(f'  n{parent} -> n{number} [label="{visit.response}"];')
    lines.append("}")
    return "\n".join(lines) + "\n"
