"""The formats a decision tree can be written in, one module each.

A module ``moo_research.formats.NAME`` has a function ``write(tree)`` that returns a text, or a
:class:`Written` if there is something to be said beside it; its keyword-only parameters are the
options of the format. To add a format, write the module and name it in :data:`FORMATS`. Modules are
imported when they are used. :mod:`~moo_research.formats.json` is read back, and
:mod:`~moo_research.formats.foreign` reads what other programs write; docs/formats.md specifies all.
"""

import gzip
import inspect
import io
import os
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType

from moo_research.errors import MooError, TreeError, shown
from moo_research.tree import DecisionTree

__all__ = ["FOREIGN", "FORMATS", "Written", "encode", "export", "options_of", "write"]

FORMATS: Mapping[str, str] = {
    "json": "the tree file that this program reads",
    "text": "an indented strategy to follow by hand",
    "csv": "one row for each secret, with the guesses that lead to it",
    "dot": "a drawing for Graphviz",
    "html": "a Web page to explore the tree with",
    "svg": "a picture of the first guesses, and when the secrets are solved",
    "python": "a program in one file, for Python 3.8 or later",
    "c": "a program in one file of C99",
    "javascript": "a program in one file, for Node.js and browsers",
    "nested": "the notation of published Mastermind strategies; read by moo import",
    "contest": "nested braces, {AB:{10:AA,...}}; read by moo import",
}
"""Name of each format, and what it is in a few words."""

FOREIGN: Mapping[str, str] = {
    "nested": "the notation of published Mastermind strategies, 1296 (1122: 1, 16 (1213: ...",
    "contest": "nested braces, {AB:{10:AA,02:BA,...}}",
}
"""Name of each format of other programs that is read, and what it looks like."""


@dataclass(frozen=True, slots=True)
class Written:
    """A tree in some format, and what is to be said beside it."""

    text: str
    """The contents of the file."""

    note: str = ""
    """A line for whoever asked for it, or nothing."""


def write(tree: DecisionTree, name: str, **options: object) -> str:
    """Return the text of :func:`export`."""
    return export(tree, name, **options).text


def export(tree: DecisionTree, name: str, **options: object) -> Written:
    """Return the tree in the format called ``name``.

    ``options``: those of the format, such as ``max_bytes`` of programs; None stands for none given.
    Raises MooError for an option that the format does not have or cannot keep, TreeError if there
    is no such format, or if the tree does not solve every secret and the format needs it to (all
    but json do).
    """
    if name not in FORMATS:
        raise TreeError(f"there is no format {shown(name)}; the formats are {', '.join(FORMATS)}")
    given = {option: value for option, value in options.items() if value is not None}
    if unknown := given.keys() - options_of(name):
        option = min(unknown)
        having = [other for other in FORMATS if option in options_of(other)]
        raise MooError(
            f"the format {name} has no option {option}"
            + (f"; {', '.join(having)} have it" if having else "")
        )
    written = _module(name).write(tree, **given)
    return written if isinstance(written, Written) else Written(written)


def options_of(name: str) -> frozenset[str]:
    """Return the names of the options of a format."""
    parameters = inspect.signature(_module(name).write).parameters.values()
    return frozenset(each.name for each in parameters if each.kind is each.KEYWORD_ONLY)


def _module(name: str) -> ModuleType:
    return import_module(f"{__name__}.{name}")


def encode(text: str, path: str | os.PathLike[str]) -> bytes:
    """Return the bytes of a file called ``path``: compressed if the name ends in ``.gz``.

    The same text gives the same bytes: no time and no file name go into the compressed header.
    """
    data = text.encode("utf-8")
    if not os.fspath(path).endswith(".gz"):
        return data
    buffer = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=buffer, mtime=0) as stream:
        stream.write(data)
    return buffer.getvalue()
