"""Tree files: the JSON that this program writes and reads back.

docs/formats.md specifies the format. A file may come from anybody, so reading one is bounded (at
most :data:`MAX_BYTES` after decompression, :data:`~moo_research.tree.MAX_GUESSES` guesses deep) and
every refusal is one line that names the place, such as ``root/0B1C/1B1C``.
"""

from __future__ import annotations

import gzip
import itertools
import json
import os
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from moo_research.errors import MooError, ResponseError, RulesError, TreeError, shown
from moo_research.files import write_atomically
from moo_research.formats import encode
from moo_research.rules import Response, Rules, response_id
from moo_research.tree import (
    MAX_GUESSES,
    DecisionTree,
    Node,
    problem_of_guess,
    problem_of_response,
)

__all__ = [
    "MAX_BYTES",
    "contents",
    "decode",
    "from_object",
    "load",
    "naming",
    "read",
    "save",
    "to_object",
    "write",
]

FORMAT = "moo-tree"
VERSION = 1

MAX_BYTES = 32 * 2**20
"""The largest file read, after decompression. A tree takes about 40 bytes a secret, so this is
enough for half a million secrets."""

MAX_COST = 2**63 - 1

_GZIP_MAGIC = b"\x1f\x8b"
_RESPONSE = re.compile(r"(0|[1-9][0-9]?)B(0|[1-9][0-9]?)C")
_TOKEN = re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?|[\[{]|[\]}]')


class _Object(dict[str, Any]):
    """A JSON object that remembers a key it has twice."""

    __slots__ = ("repeated",)

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.repeated: str | None = None
        if len(self) < len(pairs):
            keys = [key for key, _ in pairs]
            self.repeated = next(key for i, key in enumerate(keys) if key in keys[:i])


def load(path: str | os.PathLike[str], *, strict: bool = True) -> DecisionTree:
    """Read a tree file; see :meth:`moo_research.tree.DecisionTree.load`."""
    with naming(path):
        return read(contents(path), strict=strict)


def save(tree: DecisionTree, path: str | os.PathLike[str]) -> None:
    """Write a tree file; see :meth:`moo_research.tree.DecisionTree.save`."""
    data = encode(write(tree), path)
    try:
        write_atomically(os.fspath(path), data)
    except OSError as error:
        reason = error.strerror or error
        raise TreeError(f"{os.fspath(path)}: cannot be written: {reason}") from None


def read(data: bytes | str, *, strict: bool = True) -> DecisionTree:
    """Make a tree from the contents of a file, decompressed; see :meth:`DecisionTree.load`."""
    return from_object(_parse(data), strict=strict)


def write(tree: DecisionTree) -> str:
    """Return the contents of a tree file: one line for the head, then one for each node.

    Parts come in order of response id, indented by one space for each guess before them. Raises
    TreeError for a tree that is deeper than could be read again.
    """
    head = {"format": FORMAT, "version": VERSION, "rules": str(tree.rules), "cost": [*tree.cost]}
    lines = [json.dumps(head)[:-1] + ', "root":']
    stack = [(0, "", tree.root, "}")]
    while stack:
        depth, opening, node, closing = stack.pop()
        line = f'{" " * depth}{opening}{{"guess":{json.dumps(node.guess)}'
        if not node.parts:
            lines.append(f"{line}}}{closing}")
            continue
        if depth + 1 == MAX_GUESSES:
            raise TreeError(f"the tree is deeper than {MAX_GUESSES} guesses")
        lines.append(f'{line},"parts":{{')
        after = "}}" + closing
        for response, part in reversed(_in_order(node)):
            stack.append((depth + 1, f'"{response}":', part, after))
            after = ","
    return "\n".join(lines) + "\n"


def to_object(tree: DecisionTree) -> dict[str, object]:
    """Return the tree as objects for ``json.dumps``."""
    root: dict[str, object] = {}
    stack = [(1, tree.root, root)]
    while stack:
        depth, node, value = stack.pop()
        value["guess"] = node.guess
        if not node.parts:
            continue
        if depth == MAX_GUESSES:
            raise TreeError(f"the tree is deeper than {MAX_GUESSES} guesses")
        parts: dict[str, dict[str, object]] = {str(response): {} for response, _ in _in_order(node)}
        value["parts"] = parts
        stack += [(depth + 1, part, parts[str(response)]) for response, part in node.parts.items()]
    return {
        "format": FORMAT,
        "version": VERSION,
        "rules": str(tree.rules),
        "cost": [*tree.cost],
        "root": root,
    }


def from_object(value: object, *, strict: bool = True) -> DecisionTree:
    """Make a tree from the objects that ``json.loads`` gives; see :meth:`DecisionTree.load`."""
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise TreeError(f'no tree file: it does not begin with {{"format": "{FORMAT}", ...}}')
    _refuse_repeated(value, "the head")
    version = value.get("version")
    if type(version) is not int or version < 1:
        raise TreeError("version: it must be a whole number from 1 on")
    if version > VERSION:
        raise TreeError(
            f"version: {shown(str(version))} is newer than {VERSION}, which this program reads; "
            "install a newer moo-research"
        )
    for key in ("rules", "cost", "root"):
        if key not in value:
            raise TreeError(f"{key}: missing")
    text = value["rules"]
    if not isinstance(text, str):
        raise TreeError(f'rules: they must be text such as "4x10", not {_kind(text)}')
    try:
        rules = Rules.parse(text)
    except RulesError as error:
        raise TreeError(f"rules: {error}") from None
    return DecisionTree(rules, _read_cost(value["cost"]), _read_root(value["root"], rules, strict))


def _read_cost(value: object) -> tuple[int, ...]:
    """Check the cost per guess number: whole numbers, none negative, never falling."""
    if not isinstance(value, list):
        raise TreeError(f"cost: it must be a list of numbers, not {_kind(value)}")
    if not value:
        raise TreeError("cost: it must have a number for each guess")
    before = 0
    for index, item in enumerate(value):
        if type(item) is not int or not 0 <= item <= MAX_COST:
            raise TreeError(f"cost[{index}]: it must be a whole number from 0 to {MAX_COST}")
        if item < before:
            raise TreeError(f"cost[{index}]: {item} is less than the cost of the guess before")
        before = item
    return tuple(value)


def _read_root(value: object, rules: Rules, strict: bool) -> Node:
    """Make the nodes, parents first; each is given its parts after it is made."""
    top: dict[Response, Node] = {}
    win = Response(rules.positions, 0)
    # Where the node goes, under which response, and how many guesses deep it is.
    stack = [("root", value, top, win, 1)]
    while stack:
        place, item, siblings, at, depth = stack.pop()
        guess, raw_parts = _read_node(item, place)
        if strict and (problem := problem_of_guess(rules, guess)):
            raise TreeError(f"{place}: {problem}")
        parts: dict[Response, Node] = {}
        siblings[at] = Node(guess, parts)
        if raw_parts and depth == MAX_GUESSES:
            raise TreeError(f"{_short(place)}: deeper than {MAX_GUESSES} guesses")
        below = []
        for key, part in raw_parts.items():
            response = _read_response(key, place)
            if strict and (problem := problem_of_response(rules, response)):
                raise TreeError(f"{place}/{response}: {problem}")
            below.append((f"{place}/{response}", part, parts, response, depth + 1))
        stack += reversed(below)
    return top[win]


def _read_node(value: object, place: str) -> tuple[str, dict[str, Any]]:
    """Check the form of one node, and return its guess and its parts as they are."""
    if not isinstance(value, dict):
        raise TreeError(f"{place}: it must be an object with a guess, not {_kind(value)}")
    _refuse_repeated(value, place)
    if "guess" not in value:
        raise TreeError(f"{place}: the guess is missing")
    guess = value["guess"]
    if not isinstance(guess, str):
        raise TreeError(f"{place}: the guess must be text, not {_kind(guess)}")
    parts = value.get("parts", {})
    if not isinstance(parts, dict):
        raise TreeError(f"{place}: the parts must be an object, not {_kind(parts)}")
    _refuse_repeated(parts, place)
    return guess, parts


def _read_response(key: str, place: str) -> Response:
    """Read the key of a part: only the spelling 1B2C, so that no two keys mean the same."""
    if match := _RESPONSE.fullmatch(key):
        try:
            return Response(int(match[1]), int(match[2]))
        except ResponseError as error:
            raise TreeError(f"{place}: {error}") from None
    raise TreeError(f"{place}: {shown(key)} is no response; responses are written like 1B2C")


def _refuse_repeated(value: dict[str, Any], place: str) -> None:
    if isinstance(value, _Object) and value.repeated is not None:
        raise TreeError(f"{place}: the key {shown(value.repeated)} occurs twice")


@contextmanager
def naming(path: str | os.PathLike[str]) -> Iterator[None]:
    """Name the file in an error about it; an OSError becomes a TreeError."""
    name = os.fspath(path)
    if not name.isprintable():
        name = ascii(name)
    try:
        yield
    except MooError as error:
        raise type(error)(f"{name}: {error}") from None
    except OSError as error:
        raise TreeError(f"{name}: cannot be read: {error.strerror or error}") from None


def contents(path: str | os.PathLike[str]) -> bytes:
    """Read a file, compressed or not, but no more of it than :data:`MAX_BYTES`.

    Raises TreeError for a larger one and for damaged gzip data, OSError if it cannot be read.
    """
    try:
        with open(path, "rb") as raw:
            packed = raw.peek(2)[:2] == _GZIP_MAGIC
            with gzip.GzipFile(fileobj=raw) if packed else raw as stream:
                data = stream.read(MAX_BYTES + 1)
    except EOFError:
        raise TreeError("the file is cut short: its gzip data end too early") from None
    except (zlib.error, gzip.BadGzipFile) as error:
        raise TreeError(f"the gzip data are damaged: {error}") from None
    except ValueError as error:  # a name with a null character
        raise TreeError(f"cannot be read: {error}") from None
    if len(data) > MAX_BYTES:
        raise TreeError(f"larger than the {MAX_BYTES // 2**20} MiB that a tree file may have")
    return data


def decode(data: bytes | str) -> str:
    """Return the text of a file. Raises TreeError if it is none, or empty."""
    try:
        text = data if isinstance(data, str) else data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise TreeError(f"no tree file: byte {error.start} is not UTF-8 text") from None
    if not text.strip():
        raise TreeError("no tree file: it is empty")
    return text


def _parse(data: bytes | str) -> object:
    """Turn the text of a file into objects; a syntax error is placed in the tree."""
    text = decode(data)
    try:
        return json.loads(text, object_pairs_hook=_Object)
    except json.JSONDecodeError as error:
        place = _place_at(text, error.pos)
        where = f"line {error.lineno}, column {error.colno}"
        if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
            raise TreeError(f"{place}the file is cut short, at {where}") from None
        raise TreeError(f"{place}no JSON at {where}: {error.msg}") from None
    except RecursionError:
        raise TreeError(f"{_place_at(text, len(text))}nested too deeply for a tree") from None
    except ValueError:  # Python does not convert numbers of thousands of digits
        raise TreeError("no tree file: a number in it has thousands of digits") from None


def _place_at(text: str, end: int) -> str:
    """Return where in the tree the text stops at ``end``, or where it first is too deep.

    Gives ``root/0B1C: ``, or nothing for a place outside the tree. The text need not be JSON.
    """
    keys: list[str] = []
    key = ""
    for token in _TOKEN.finditer(text, 0, end):
        if token[2]:
            key = token[1]
        elif token[0] in "[{":
            keys.append(key)
            key = ""
        elif token[0] in "]}" and keys:
            keys.pop()
        if len(keys) > 2 * MAX_GUESSES:
            break
    # The keys are those of the head, of the root, and then in turn "parts" and a response.
    if keys[1:2] != ["root"]:
        return ""
    responses = itertools.takewhile(_RESPONSE.fullmatch, keys[3::2])
    return f"{_short('/'.join(('root', *responses)))}: "


def _short(place: str) -> str:
    """Leave out the middle of a place that is too deep to be read."""
    steps = place.split("/")
    return place if len(steps) <= 12 else "/".join((*steps[:6], "...", *steps[-2:]))


def _in_order(node: Node) -> list[tuple[Response, Node]]:
    return sorted(node.parts.items(), key=lambda item: response_id(item[0]))


def _kind(value: object) -> str:
    """Name the kind of a JSON value."""
    kinds = {bool: "true or false", str: "text", list: "a list", type(None): "null"}
    if isinstance(value, dict):
        return "an object"
    return kinds.get(type(value), "a number")
