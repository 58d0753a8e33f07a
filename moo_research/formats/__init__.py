"""The formats a decision tree can be written in, one module each.

A module ``moo_research.formats.NAME`` has a function ``write(tree) -> str``; to add a format, write
the module and name it in :data:`FORMATS`. Modules are imported when they are used. Only
:mod:`~moo_research.formats.json` is read back; docs/formats.md specifies it.
"""

import gzip
import io
import os
from collections.abc import Mapping
from importlib import import_module

from moo_research.errors import TreeError
from moo_research.tree import DecisionTree

__all__ = ["FORMATS", "encode", "write"]

FORMATS: Mapping[str, str] = {
    "json": "the tree file that this program reads",
    "text": "an indented strategy to follow by hand",
    "csv": "one row for each secret, with the guesses that lead to it",
    "dot": "a drawing for Graphviz",
}
"""Name of each format, and what it is in a few words."""


def write(tree: DecisionTree, name: str) -> str:
    """Return the tree in the format called ``name``.

    Raises TreeError if there is no such format, or if the tree does not solve every secret and the
    format needs it to (all but json do).
    """
    if name not in FORMATS:
        raise TreeError(f"there is no format {name!r}; the formats are {', '.join(FORMATS)}")
    text = import_module(f"{__name__}.{name}").write(tree)
    assert isinstance(text, str)
    return text


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
