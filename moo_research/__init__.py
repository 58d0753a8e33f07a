"""Exact play of bulls and cows (MOO, Hit & Blow, Numer0n) and of Mastermind.

>>> import moo_research
>>> moo_research.respond("1234", "1325")
Response(bulls=1, cows=2)

The names below are imported when they are first used: importing the package itself loads neither
NumPy nor the search.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from moo_research.advice import checkio
    from moo_research.codes import CodeSpace, respond
    from moo_research.errors import MooError
    from moo_research.rules import Response, Rules
    from moo_research.search import (
        Progress,
        SecondGuessTable,
        Solution,
        WorstCase,
        least_worst_case,
        second_guess_table,
        solve,
    )
    from moo_research.tree import DecisionTree, Node, Verification

__version__ = "0.1.0"

__all__ = [
    "CodeSpace",
    "DecisionTree",
    "MooError",
    "Node",
    "Progress",
    "Response",
    "Rules",
    "SecondGuessTable",
    "Solution",
    "Verification",
    "WorstCase",
    "checkio",
    "least_worst_case",
    "respond",
    "second_guess_table",
    "solve",
]

_HOME = {
    "CodeSpace": "codes",
    "DecisionTree": "tree",
    "MooError": "errors",
    "Node": "tree",
    "Progress": "search",
    "Response": "rules",
    "Rules": "rules",
    "SecondGuessTable": "search",
    "Solution": "search",
    "Verification": "tree",
    "WorstCase": "search",
    "checkio": "advice",
    "least_worst_case": "search",
    "respond": "codes",
    "second_guess_table": "search",
    "solve": "search",
}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
