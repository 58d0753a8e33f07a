"""A Web page to explore the tree with; see :mod:`moo_research.explorer`."""

from moo_research import explorer
from moo_research.tree import DecisionTree

__all__ = ["write"]


def write(tree: DecisionTree) -> str:
    """Return one page that needs nothing else; raises TreeError unless every secret is solved."""
    return explorer.page([("", tree)])
