"""A checker of certificates, which trusts nothing but itself.

    python checker.py FILE [PROCESSES]

A certificate claims the least cost of a game of bulls and cows over all strategies, or that no
strategy keeps a limit on guesses; docs/certificate.md specifies the file. This program accepts it
only if the claim follows. It is one file that needs Python and NumPy and shares no code with the
search that wrote the certificate: rules, responses, symmetry and bounds are worked out anew, so
that a mistake in the search cannot hide here. Exit status 0: accepted; 1: rejected, with the place
and the reason; 2: there is no such file.

What has to be shown. Let c[1] <= c[2] <= ... be the cost of a secret solved at guess 1, 2, ..., and
V(S, d) the least cost of solving all secrets of a set S when d guesses have been made. A guess g
parts S by the responses, and with the winning part left out

    V(S, d) = min over g of  [g in S] c[d+1] + sum over the parts P of V(P, d+1).

The certificate holds a strategy that costs the optimum (``Checker.read_tree`` replays it on every
secret), and claims of the form "V(S, d) >= B, where S is what a history of d guesses leaves". One
of them is about all codes and the optimum. A claim is accepted if *every* guess g costs at least B
when for each V(P, d+1) a lower bound is put: the best of the claims about P, and of what the
following lemma says. As P is smaller than S, all claims together follow by induction on the size
of the set, in whatever order they stand.

Lemma (parts). If no member of P makes more than k parts of P, and no other code more than j, then

    V(P, d) >= min(c[d+1] + (k-1) c[d+2] + (n-k) c[d+3],  j c[d+2] + (n-j) c[d+3]),   n = |P|.

For a guess that is a member solves one secret at once, another code none; and of each other part at
most one secret is solved by the next guess. As the costs do not fall, more parts are no dearer, so
that k and j may also be *over*estimated, and that is cheap: k, j <= n, and a guess makes no more
parts of a subset than it makes of the set.

Which guesses need no look:
 * A code outside S that makes one part learns nothing. Dropped from a strategy, it makes all
   secrets be solved sooner, so that some other guess costs no more.
 * A permutation of positions with one of symbols that maps the *set* of (guess, response) pairs of
   the history to itself maps S to itself, and guesses to guesses that cost the same. Hence a guess
   is skipped if such a symmetry maps it to a smaller code. The smallest of its orbit never is.

Which costs matter: a guess that does not learn nothing leaves smaller parts, so a strategy without
useless guesses solves each of n secrets by guess n. What a later guess would cost makes no
difference.

Claims are checked one by one, so that several processes can share them. Each reads the whole file
itself, and must have read the same: nothing but numbers of claims passes between them.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import itertools
import math
import multiprocessing
import os
import re
import signal
import sys
import time
import zlib
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import wait
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

__all__ = ["Rejected", "Verdict", "check", "describe", "main", "terminal_report"]

Array = NDArray[Any]

# Limits on what is read, so that no file takes the machine down; past them it is rejected.
LONGEST_LINE = 8192
LARGEST_NUMBER = 2**50  # no cost in the file, and no strategy that is considered, may exceed it
MOST_TURNS = 200  # in a history or on a path of the tree
MOST_NODES = 2**21
MOST_CLAIMS = 2**22  # some 300 bytes each
MOST_MEMBERS = 2**28  # secrets in the sets of all claims together: half a gigabyte
MOST_TABLE = 2**30  # bytes of the table of responses: 32768 codes

# Speed and memory; nothing here decides what is accepted, but for symmetries past the limits.
CACHED_SETS = 400_000
CACHED_TABLE = 2**29  # bytes of a table of bits instead of responses, if it fits
BLOCK = 2**20  # numbers worked on at a time
PAIRS_UP_TO = 160  # members of a set whose pairs are looked at for all guesses at once
MOST_STEPS = 200_000  # in looking for symmetries
SYMMETRY_FROM = 20  # members of a set that repays looking for them, but with few positions any
FEW_POSITIONS = 2
MOST_SWAPPED = 12  # turns of a history among which some may change places
SHARED_CLAIMS = 256  # claims that a process takes at a time; neighbours have much in common
ALONE_UP_TO = 4096  # claims that do not repay reading the file once more
MOST_TOGETHER = 2**32  # bytes that all processes may take

INFINITE = 2**55  # 66 parts of three such terms each still fit 64 bits


class Rejected(Exception):
    """The certificate is not accepted; ``str()`` gives the place and the reason."""


def reject(place: str, reason: str) -> NoReturn:
    raise Rejected(f"{place}: {reason}")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check has found. Of a rejected file only what could be read is filled in."""

    accepted: bool

    rules: str | None
    """The game, as ``4x10``."""

    cost: tuple[int, ...] | None
    """What a secret solved at guess 1, 2, ... costs, as far as the file lists it."""

    step: int | None
    """How much each further guess costs more; None if no further guess is allowed."""

    optimum: int | None
    """The least cost; None if there is no strategy."""

    claims: int | None
    """How many sets the proof is about."""

    seconds: float

    reason: str | None
    """The place and the reason of the rejection."""


# ---- The file ------------------------------------------------------------------------------------


class Lines:
    """The lines of a certificate, plain or gzip-compressed, read one at a time and strictly."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._buffer = b""
        self._at = 0
        self._unzip: Any = None
        self._ended = False
        self._sha = hashlib.sha256()
        self.digest = ""
        """SHA-256 of the lines, once all are read."""
        self.number = 0
        """Of the line read last, from 1 on."""
        first = stream.read(BLOCK)
        if first[:2] == b"\x1f\x8b":
            self._unzip = zlib.decompressobj(wbits=31)
        self._compressed = first
        if self._unzip is None:
            self._buffer = first

    @property
    def place(self) -> str:
        return f"line {self.number}"

    def _more(self) -> bool:
        """Add to the buffer, never more than about a block, however well the file is compressed."""
        rest = self._buffer[self._at :]
        self._at = 0
        if self._unzip is None:
            data = self._stream.read(BLOCK)
        else:
            data = b""
            while not data and not self._ended:
                if not self._compressed:
                    self._compressed = self._stream.read(BLOCK)
                    if not self._compressed:
                        reject(f"after line {self.number}", "the compressed file is cut short")
                try:
                    data = self._unzip.decompress(self._compressed, BLOCK)
                except zlib.error as error:
                    reject(f"after line {self.number}", f"the compression is damaged ({error})")
                self._compressed = self._unzip.unconsumed_tail
                if self._unzip.eof:
                    self._ended = True
                    if self._unzip.unused_data or self._stream.read(1):
                        reject("end of file", "something follows the compressed certificate")
        self._buffer = rest + data
        return bool(data)

    def next(self, what: str, hashed: bool = True) -> str:
        """Return the next line, which should be ``what``, without its end."""
        while (end := self._buffer.find(b"\n", self._at)) < 0:
            if len(self._buffer) - self._at > LONGEST_LINE:
                self.number += 1
                reject(self.place, f"longer than {LONGEST_LINE} characters")
            if not self._more():
                reject(f"after line {self.number}", f"the file is cut short: no {what}")
        self.number += 1
        if end - self._at > LONGEST_LINE:
            reject(self.place, f"longer than {LONGEST_LINE} characters")
        line = self._buffer[self._at : end + 1]
        self._at = end + 1
        if hashed:
            self._sha.update(line)
        try:
            return line[:-1].decode("ascii")
        except UnicodeDecodeError:
            reject(self.place, "a character that is not ASCII")

    def finish(self) -> None:
        """Check the trailer, and that nothing follows."""
        self.digest = digest = self._sha.hexdigest()
        line = self.next("line 'end'", hashed=False)
        if not re.fullmatch(r"end [0-9a-f]{64}", line, re.ASCII):
            reject(self.place, f"here should be 'end' and a SHA-256 digest, not {shown(line)}")
        if line != f"end {digest}":
            reject(self.place, "the digest is not that of the lines before")
        while self._at == len(self._buffer):
            if not self._more():
                return
        reject(f"after line {self.number}", "something follows the line 'end'")


def shown(text: str) -> str:
    return ascii(text if len(text) <= 40 else text[:40] + "...")


def number_in(text: str, place: str) -> int:
    """Read a number written without sign, leading zeros or spaces."""
    if len(text) > 16 or not re.fullmatch(r"0|[1-9][0-9]*", text, re.ASCII):
        reject(place, f"{shown(text)} is not a number that is allowed here")
    if int(text) > LARGEST_NUMBER:
        reject(place, f"the number {text} is larger than 2^50")
    return int(text)


# ---- The game ------------------------------------------------------------------------------------


class Game:
    """All codes of a game in lexicographic order, and the response of each to each.

    The rules are PxS: P positions, S symbols, written 0-9a-z; ``r``: a symbol may occur more than
    once; ``z``: a code may not start with 0.
    """

    def __init__(self, text: str, place: str) -> None:
        match = re.fullmatch(r"(\d\d?)x(\d\d?)(r?)(z?)", text, re.ASCII)
        if not match or text.startswith("0") or "x0" in text:
            reject(place, f"{shown(text)} are no rules")
        self.positions, self.symbols = int(match[1]), int(match[2])
        self.repeats, self.leading_zero = bool(match[3]), not match[4]
        if self.positions > 10 or self.symbols > 36:
            reject(place, f"rules {text}: at most 10 positions and 36 symbols are known")
        first = self.symbols if self.leading_zero else self.symbols - 1
        rest = self.positions - 1
        self.size: int = first * (
            self.symbols**rest if self.repeats else math.perm(self.symbols - 1, rest)
        )
        if self.size == 0:
            reject(place, f"rules {text} have no code")
        if self.size**2 > MOST_TABLE:
            reject(place, f"rules {text} have {self.size} codes, too many for this checker")
        self.text = text
        codes = (
            itertools.product(range(self.symbols), repeat=self.positions)
            if self.repeats
            else itertools.permutations(range(self.symbols), self.positions)
        )
        self.codes = np.array([c for c in codes if self.leading_zero or c[0] != 0], np.uint8)
        alphabet = "0123456789abcdefghijklmnopqrstuvwxyz"
        self.names = ["".join(alphabet[symbol] for symbol in code) for code in self.codes.tolist()]
        self.index = {name: i for i, name in enumerate(self.names)}
        # Numbers that are in the same order as the codes.
        self.weights = self.symbols ** np.arange(self.positions - 1, -1, -1, dtype=np.int64)
        self.order = self.codes @ self.weights
        self._responses()

    def _responses(self) -> None:
        """Fill ``table``: for each pair of codes the number of the response.

        Bulls are the positions where the codes agree. Bulls and cows together are, symbol by
        symbol, the smaller of the numbers of times that the two codes have it.
        """
        size = self.size
        counts = [
            np.count_nonzero(self.codes == symbol, axis=1).astype(np.uint8)
            for symbol in range(self.symbols)
        ]
        self.table = np.empty((size, size), np.uint8)
        rows = max(1, BLOCK // size)
        for a in range(0, size, rows):
            b = min(a + rows, size)
            pairs = np.zeros((b - a, size), np.uint8)  # 11 times bulls and cows, plus bulls
            for count in counts:
                pairs += np.minimum(count[a:b, np.newaxis], count)
            pairs *= 11
            for position in self.codes.T:
                pairs += position[a:b, np.newaxis] == position
            self.table[a:b] = pairs
        occurs = np.zeros(256, np.bool_)
        for row in self.table:
            occurs[row] = True
        ids = np.flatnonzero(occurs)
        self.responses = len(ids)
        assert self.responses <= 64  # 10 positions have 65, but then there are too many codes
        self.win = self.responses - 1  # most bulls and cows, and most bulls among these
        compact = np.zeros(256, np.uint8)
        compact[ids] = np.arange(self.responses)
        for a in range(0, size, rows):
            self.table[a : a + rows] = compact[self.table[a : a + rows]]
        self.response_names = [f"{i % 11}B{i // 11 - i % 11}C" for i in ids.tolist()]
        self.response_index = {name: i for i, name in enumerate(self.response_names)}
        width = next(w for w in (16, 32, 64) if self.responses <= w)
        kind = {16: np.uint16, 32: np.uint32, 64: np.uint64}[width]
        self.bit = np.left_shift(1, np.arange(self.responses, dtype=np.uint64)).astype(kind)
        self._bits = self.bit[self.table] if size**2 * width // 8 <= CACHED_TABLE else None

    def code(self, name: str, place: str) -> int:
        index = self.index.get(name)
        if index is None:
            reject(place, f"{shown(name)} is no code of {self.text}")
        return index

    def response(self, name: str, place: str) -> int:
        index = self.response_index.get(name)
        if index is None:
            reject(place, f"{shown(name)} is no response of {self.text}")
        return index

    def parts(self, members: Array) -> Array:
        """Return how many parts each code makes of a set, the winning one included."""
        seen = np.zeros(self.size, self.bit.dtype)
        rows = max(1, BLOCK // self.size)
        for a in range(0, len(members), rows):
            some = members[a : a + rows]
            bits = self.bit[self.table[some]] if self._bits is None else self._bits[some]
            seen |= np.bitwise_or.reduce(bits, axis=0)
        return ones_in(seen)


def ones_in(words: Array) -> Array:
    """Return how many bits of each word are set."""
    if hasattr(np, "bitwise_count"):  # NumPy 2
        counts: Array = np.bitwise_count(words)
        return counts
    total = np.zeros(words.shape, np.uint8)
    for shift in range(0, 8 * words.itemsize, 16):
        total += _ONES[(words >> words.dtype.type(shift)) & words.dtype.type(0xFFFF)]
    return total


_ONES = np.array([bin(i).count("1") for i in range(1 << 16)], np.uint8)


# ---- Costs ---------------------------------------------------------------------------------------


class Prices:
    """c[1], c[2], ...: what a secret costs that is solved at guess 1, 2, ...

    ``uniform``: all steps are equal and there is no limit, so that V(S, d) = V(S, 0) + |S| (c[d+1]
    - c[1]), and claims about the same set at different depths can be compared.
    """

    def __init__(self, start: tuple[int, ...], step: int | None, codes: int, place: str) -> None:
        for a, b in itertools.pairwise(start):
            if b < a:
                reject(place, f"the costs fall from {a} to {b}")
        self.start, self.step = start, step
        # What a guess past number `codes` costs, or whether there is one, makes no difference: see
        # the top of this file.
        if step is None and len(start) > codes:
            step = 0
        if step is not None:
            start = start[: codes + 1]
            if len(start) == codes + 1:
                step = start[-1] - start[-2]
        length = MOST_TURNS + 8
        tail = (
            [INFINITE] * length
            if step is None
            else [min(start[-1] + step * i, INFINITE - 1) for i in range(1, length + 1)]
        )
        self.c = [0, *start, *tail][: length + 1]
        steps = {b - a for a, b in itertools.pairwise(start)}
        self.uniform = step is not None and steps <= {step}
        self.codes, self.place = codes, place

    def at(self, depth: int) -> list[int]:
        """Return what the next five guesses cost after ``depth`` guesses."""
        prices = self.c[depth + 1 : depth + 6]
        for price in prices:
            if price != INFINITE and price * self.codes > LARGEST_NUMBER:
                reject(self.place, f"{self.codes} codes at {price} each cost more than 2^50")
        return prices

    def shift(self, depth: int, count: int) -> int:
        """Return what a set of so many secrets costs more after ``depth`` guesses than at first."""
        return count * (self.c[depth + 1] - self.c[1]) if self.uniform else 0


def times(count: Any, price: int) -> Any:
    """``count`` (a number or an array) secrets at a price; none of them cost nothing, ever."""
    if price < INFINITE:
        return count * price
    if np.ndim(count):
        return np.where(count > 0, INFINITE, 0)
    return INFINITE if count > 0 else 0


def by_parts(n: Any, k: Any, j: Any, c: Sequence[int]) -> Any:
    """The lemma: n secrets, at most k parts by a member and j by others; c: the next prices."""
    member = c[0] + times(k - 1, c[1]) + times(n - k, c[2])
    other = times(j, c[1]) + times(n - j, c[2])
    return np.minimum(member, other) if np.ndim(member) else min(member, other)


# ---- Symmetry ------------------------------------------------------------------------------------

Turn = tuple[int, int]
"""A guess and its response, by number."""


def symmetries(game: Game, history: Sequence[Turn]) -> tuple[Array, Array, list[int]]:
    """Return permutations of positions and symbols that map the set of turns to itself.

    Three things: ``source[e, j]``, the position that comes to position j under element e;
    ``image[e, s]``, what becomes of symbol s; and the symbols that no turn has used, which may be
    renamed among themselves besides (their images are not set).

    Found by choosing for each turn one with the same response, and then for each position where it
    goes: each symbol there must go to the symbol that the chosen turn has in the new place, and no
    two symbols to the same. Without a leading zero the first position and 0 stay what they are.
    """
    guesses = [game.codes[guess].tolist() for guess, _ in history]
    positions = range(game.positions)
    found_sources: list[list[int]] = []
    found_images: list[list[int]] = []
    steps = 0

    def place(i: int, target: list[list[int]], to: list[int], image: dict[int, int]) -> None:
        nonlocal steps
        if i == game.positions:
            found_sources.append(sorted(positions, key=to.__getitem__))
            found_images.append([image.get(symbol, 0) for symbol in range(game.symbols)])
            return
        for j in positions:
            if j in to or (not game.leading_zero and (i == 0) != (j == 0)):
                continue
            steps += 1
            if steps > MOST_STEPS:  # a part of the symmetries is as sound as all
                return
            longer = dict(image)
            for guess, goal in zip(guesses, target, strict=True):
                if longer.setdefault(guess[i], goal[j]) != goal[j]:
                    break
            else:
                if len(set(longer.values())) == len(longer):
                    place(i + 1, target, [*to, j], longer)

    def choose(target: list[int]) -> None:
        t = len(target)
        if t == len(history):
            fixed = {} if game.leading_zero else {0: 0}
            place(0, [guesses[k] for k in target], [], fixed)
            return
        for k, (_, response) in enumerate(history):
            if response == history[t][1] and k not in target and steps <= MOST_STEPS:
                choose([*target, k])

    if len(set(history)) == len(history) <= MOST_SWAPPED:
        choose([])
    else:  # every turn keeps its place, which is as sound as all symmetries
        place(0, guesses, [], {} if game.leading_zero else {0: 0})
    used = {symbol for guess in guesses for symbol in guess} | (set() if game.leading_zero else {0})
    unused = [symbol for symbol in range(game.symbols) if symbol not in used]
    return np.array(found_sources), np.array(found_images), unused


def least_of_orbits(game: Game, history: Sequence[Turn], guesses: Array) -> Array:
    """Return ``guesses`` (in order) without those that a symmetry maps to a smaller code."""
    source, image, unused = symmetries(game, history)
    if len(source) == 1 and len(unused) < 2:
        return guesses  # nothing but the identity
    is_unused = np.zeros(game.symbols, np.bool_)
    is_unused[unused] = True
    names = np.array([*unused, 0])
    a = 0
    while a < len(source) and len(guesses):
        b = a + max(1, BLOCK // (len(guesses) * game.positions))
        # codes[e, g, j]: what element e brings to position j of guess g, not yet renamed.
        codes = game.codes[guesses][:, source[a:b]].swapaxes(0, 1)
        free = is_unused[codes]
        # Unused symbols are called by the smallest names, in the order in which they turn up.
        rank = np.cumsum(free, axis=2) - 1
        if game.repeats:
            rank = np.full(codes.shape, -1)
            last = np.full(codes.shape[:2], -1)
            for j in range(game.positions):
                for i in range(j):
                    rank[:, :, j] = np.where(
                        codes[:, :, i] == codes[:, :, j], rank[:, :, i], rank[:, :, j]
                    )
                new = free[:, :, j] & (rank[:, :, j] < 0)
                last += new
                rank[:, :, j] = np.where(new, last, rank[:, :, j])
        elements = np.arange(len(codes))[:, np.newaxis, np.newaxis]
        mapped = np.where(free, names[rank], image[a:b][elements, codes])
        smallest = (mapped @ game.weights).min(axis=0)
        guesses = guesses[smallest >= game.order[guesses]]
        a = b
    return guesses


# ---- The checker ---------------------------------------------------------------------------------

Report = Callable[[str, int, int], None]
"""Called now and then with what is done, how much of it, and out of how much."""


class Checker:
    """One certificate: ``read`` takes it in and checks the tree, ``prove`` checks the claims."""

    game: Game
    prices: Prices
    optimum: int | None

    def __init__(self, lines: Lines, report: Report) -> None:
        self.lines, self.report = lines, report
        self.turns = array("L")  # the histories of all claims, one after the other
        self.ends = array("L")  # where each ends
        self.bounds = array("q")
        # For each depth (one for all if it makes no difference) the members of a set, two bytes
        # each, and what V was claimed to be at least.
        self.known: list[dict[bytes, int]] = [{} for _ in range(MOST_TURNS + 2)]
        self.cache: dict[bytes, tuple[int, int]] = {}
        self.path: list[tuple[Turn, Array]] = []
        self.members = 0  # in the sets of all claims together

    # -- reading

    def read(self) -> None:
        lines = self.lines
        head = lines.next("first line")
        if not head.startswith("moo-certificate "):
            reject(lines.place, "this is no certificate: it does not start with 'moo-certificate'")
        if head != "moo-certificate 1":
            reject(lines.place, f"version {shown(head[16:])} is not known, only 1")
        self.game = Game(self.field("rules"), lines.place)
        self.read_cost()
        optimum = self.field("optimum")
        self.optimum = None if optimum == "none" else number_in(optimum, lines.place)
        if self.optimum is None and self.prices.step is not None:
            reject(lines.place, "without a limit on guesses there is always a strategy")
        self.read_tree(self.count("tree", MOST_NODES))
        self.read_claims(self.count("claims", MOST_CLAIMS))
        lines.finish()

    def field(self, name: str) -> str:
        line = self.lines.next(f"line '{name}'")
        if not line.startswith(name + " "):
            reject(self.lines.place, f"here should be '{name} ...', not {shown(line)}")
        return line[len(name) + 1 :]

    def count(self, name: str, most: int) -> int:
        count = number_in(self.field(name), self.lines.place)
        if count > most:
            reject(self.lines.place, f"more than {most} lines")
        return count

    def read_cost(self) -> None:
        """Read ``1 2 4 step 3`` or ``0 0 1 limit``."""
        words = self.field("cost").split(" ")
        place = self.lines.place
        step = None
        if words[-1] == "limit":
            words = words[:-1]
        elif len(words) > 1 and words[-2] == "step":
            step = number_in(words[-1], place)
            words = words[:-2]
        else:
            reject(place, "the costs must end in 'limit' or in 'step' and a number")
        if not words:
            reject(place, "there must be the cost of at least one guess")
        start = tuple(number_in(word, place) for word in words)
        self.prices = Prices(start, step, self.game.size, place)

    def read_tree(self, nodes: int) -> None:
        """Replay the strategy on all secrets while it is read; its cost must be the optimum.

        A node is a line: the number of guesses before it, the response to the last of them, and its
        guess; nodes come in preorder.
        """
        game, lines = self.game, self.lines
        if self.optimum is None:
            if nodes:
                reject(lines.place, "there is a tree where no strategy is claimed to exist")
            return
        # One entry per guess on the path: the parts that it left open, and its name.
        path: list[tuple[dict[int, Array], str]] = []
        total = 0

        def close(level: int) -> None:
            """Leave all guesses from this level on; they must have no open part."""
            while len(path) > level:
                open_parts, guess = path.pop()
                for response, part in open_parts.items():
                    reject(
                        lines.place,
                        f"the tree does not go on where {guess} is answered"
                        f" {game.response_names[response]} by {len(part)} codes such as"
                        f" {game.names[part[0]]}",
                    )

        for node in range(nodes):
            if node % 4096 == 0:
                self.report("tree", node, nodes)
            words = lines.next("line of the tree").split(" ")
            place = lines.place
            if len(words) != (3 if node else 2):
                reject(place, "here should be a node: level, response and guess")
            level = number_in(words[0], place)
            if level > len(path) or (level == 0) != (node == 0):
                reject(place, f"level {level} is not possible here")
            if level >= MOST_TURNS:
                reject(place, f"a path of more than {MOST_TURNS} guesses")
            close(level)
            guess = game.code(words[-1], place)
            if level == 0:
                members = np.arange(game.size, dtype=np.uint16)
            else:
                response = game.response(words[1], place)
                taken = path[-1][0].pop(response, None)
                if taken is None:
                    reject(
                        place,
                        f"{words[1]} after {path[-1][1]} is not possible here, or came before",
                    )
                members = taken
            answers = game.table[guess][members]
            parts = {r: members[answers == r] for r in np.unique(answers).tolist()}
            if game.win in parts:
                del parts[game.win]
                price = self.prices.at(level)[0]
                if price == INFINITE:
                    reject(place, f"guess {level + 1} is past the limit")
                total += price
            path.append((parts, words[-1]))
        close(0)
        if nodes == 0:
            reject(lines.place, "there is no tree")
        if total != self.optimum:
            reject("tree", f"it costs {total}, and the optimum is claimed to be {self.optimum}")

    def left_by(self, history: Sequence[Turn]) -> Array:
        """Return the codes that agree with a history. Much of it is often that of the call before,
        and what that left is kept."""
        t = 0
        while t < min(len(history), len(self.path)) and self.path[t][0] == history[t]:
            t += 1
        del self.path[t:]
        members = self.path[-1][1] if t else np.arange(self.game.size, dtype=np.uint16)
        for guess, response in history[t:]:
            members = members[self.game.table[guess][members] == response]
            self.path.append(((guess, response), members))
        return members

    def read_claims(self, claims: int) -> None:
        game, lines, prices = self.game, self.lines, self.prices
        self.first_line = lines.number + 1
        before = ""
        goal = INFINITE if self.optimum is None else self.optimum
        proven = -1
        for claim in range(claims):
            if claim % 4096 == 0:
                self.report("reading", claim, claims)
            line = lines.next("claim")
            words = line.split(" ")
            place = lines.place
            if len(words) % 2 == 0:
                reject(place, "here should be a bound and then pairs of guess and response")
            depth = len(words) // 2
            if depth > MOST_TURNS:
                reject(place, f"a history of more than {MOST_TURNS} guesses")
            bound = INFINITE if words[0] == "inf" else number_in(words[0], place)
            history = []
            for t in range(depth):
                guess = game.code(words[2 * t + 1], place)
                response = game.response(words[2 * t + 2], place)
                if response == game.win:
                    reject(place, "a history that goes on after the win")
                history.append((guess, response))
            if claim and line[len(words[0]) :] <= before:
                reject(place, "histories must be in ascending order, and none may come twice")
            before = line[len(words[0]) :]
            members = self.left_by(history)
            if not len(members):
                reject(place, "no code agrees with this history")
            self.members += len(members)
            if self.members > MOST_MEMBERS:
                reject(place, f"the claims are about more than {MOST_MEMBERS} codes in all")
            prices.at(depth)
            self.turns.extend(guess << 6 | response for guess, response in history)
            self.ends.append(len(self.turns))
            self.bounds.append(bound)
            if depth == 0:
                proven = bound
            # One set can come from several histories; the best of its bounds counts.
            known = self.known[0 if prices.uniform else depth]
            name = members.tobytes()
            value = min(bound - prices.shift(depth, len(members)), INFINITE)
            if value > known.get(name, -1):
                known[name] = value
        if proven != goal:
            said = "nothing" if proven < 0 else cost_text(proven)
            reject(
                f"after line {lines.number}",
                f"{said} is claimed about all codes, where the optimum needs {cost_text(goal)}",
            )

    # -- checking the claims

    def prove(self, path: str | os.PathLike[str], processes: int) -> None:
        """Check all claims; the first that fails is told. ``path``: for processes that help."""
        claims = len(self.bounds)
        blocks = [
            (first, min(first + SHARED_CLAIMS, claims)) for first in range(0, claims, SHARED_CLAIMS)
        ]
        path = os.path.realpath(path)
        # What comes through a pipe is read once. Each process has all that this one has.
        if not os.path.isfile(path):
            processes = 1
        processes = min(processes, MOST_TOGETHER // self.memory())
        if processes <= 1 or claims <= ALONE_UP_TO:
            for first, end in blocks:
                self.prove_some(first, end)
            return
        arguments = (path, self.lines.digest)
        checked, done, failures = 0, 0, {}
        with Helpers(min(processes, len(blocks)), arguments) as helpers:
            for block, reason in helpers.answers(blocks):
                checked += 1
                # They come in any order.
                done += blocks[block][1] - blocks[block][0]
                self.report("claims", done, claims)
                if reason:
                    failures[block] = reason
        if failures:
            raise Rejected(failures[min(failures)])
        assert checked == len(blocks)

    def memory(self) -> int:
        """Return about how many bytes a process takes that has read this certificate: the tables,
        300 for a claim, 2 for a member, and 64 MB for Python, NumPy and blocks."""
        tables = self.game.table.nbytes
        if self.game._bits is not None:
            tables += self.game._bits.nbytes
        return tables + 300 * len(self.bounds) + 2 * self.members + 2**26

    def prove_some(self, first: int, end: int) -> None:
        for claim in range(first, end):
            if claim % 64 == 0:
                self.report("claims", claim, len(self.bounds))
            start = self.ends[claim - 1] if claim else 0
            history = [(turn >> 6, turn & 63) for turn in self.turns[start : self.ends[claim]]]
            members = self.left_by(history)
            failure = self.refuted(history, members, self.bounds[claim])
            if failure is not None:
                guess, cost = failure
                reject(
                    f"line {self.first_line + claim}",
                    f"it is claimed that {len(members)} codes cost at least"
                    f" {cost_text(self.bounds[claim])}, but of guess {self.game.names[guess]} it is"
                    f" only shown that it costs at least {cost_text(cost)}",
                )

    def refuted(
        self, history: Sequence[Turn], members: Array, bound: int
    ) -> tuple[int, int] | None:
        """Check a claim: return None, or a guess that is not shown to cost ``bound``, and what it
        is shown to cost at least."""
        game = self.game
        n = len(members)
        c = self.prices.at(len(history))
        counts = game.parts(members)
        most = int(counts.max())
        # What the numbers of parts alone say. One part by no member: a useless guess.
        k = np.arange(game.responses + 1)
        outside = times(k, c[1]) + times(n - k, c[2])
        inside = c[0] + times(k - 1, c[1]) + times(n - k, c[2])
        is_member = np.zeros(game.size, np.bool_)
        is_member[members] = True
        cheap = np.where(is_member, (inside < bound)[counts], (outside < bound)[counts])
        cheap &= is_member | (counts > 1)
        guesses = np.flatnonzero(cheap)
        if len(guesses) > 1 and (n >= SYMMETRY_FROM or game.positions <= FEW_POSITIONS):
            guesses = least_of_orbits(game, history, guesses)
        some = max(1, BLOCK // n)
        for a in range(0, len(guesses), some):
            failure = self.try_guesses(
                guesses[a : a + some], is_member, members, most, len(history), c, bound
            )
            if failure is not None:
                return failure
        return None

    def try_guesses(
        self,
        guesses: Array,
        is_member: Array,
        members: Array,
        most: int,
        depth: int,
        c: list[int],
        bound: int,
    ) -> tuple[int, int] | None:
        """The same for some of the guesses; ``most``: the most parts that any guess makes.

        A guess is done with as soon as the sum over its parts has reached the bound. First all
        guesses at once get cheap bounds of their parts, then those that remain get better ones, one
        guess after the other.
        """
        n = len(members)
        # Cheapest: the lemma for a part of s secrets with k = j = min(s, most).
        s = np.arange(n + 1)
        k = np.minimum(s, most)
        by_size = by_parts(s, k, k, c[1:])
        by_size[0] = 0
        answers, sizes = self.split(guesses, members)
        won = np.where(is_member[guesses], c[0], 0)
        bounds = by_size[sizes]
        left = np.flatnonzero(bounds.sum(axis=1) + won < bound)
        if not len(left):
            return None
        guesses, answers, sizes = guesses[left], answers[left], sizes[left]
        won, bounds = won[left], bounds[left]
        # Better: k as it is, by looking at all pairs of members.
        parts_by_member = np.minimum(sizes, most)
        if n <= PAIRS_UP_TO:
            parts_by_member = self.pairs(answers, members)
            bounds = np.where(
                sizes, by_parts(sizes, parts_by_member, np.minimum(sizes, most), c[1:]), 0
            )
            left = np.flatnonzero(bounds.sum(axis=1) + won < bound)
            if not len(left):
                return None
            guesses, answers, sizes = guesses[left], answers[left], sizes[left]
            won, bounds, parts_by_member = won[left], bounds[left], parts_by_member[left]
        # Best: the claims, and k and j as they are.
        known = self.known[0 if self.prices.uniform else depth + 1]
        step = self.prices.shift(depth + 1, 1)
        sorted_members = members[np.argsort(answers, axis=1, kind="stable")]
        ends = np.cumsum(sizes, axis=1) * 2  # two bytes each
        costs = (bounds.sum(axis=1) + won).tolist()
        for g, cost in enumerate(costs):
            row = sorted_members[g].tobytes()
            todo = []
            end = 0
            for part_end, k, old in zip(
                ends[g].tolist(), parts_by_member[g].tolist(), bounds[g].tolist(), strict=True
            ):
                start, end = end, part_end
                if end - start <= 4:
                    continue
                name = row[start:end]
                claimed = known.get(name)
                if claimed is not None:
                    better = min(claimed + step * ((end - start) >> 1), INFINITE)
                    if better > old:
                        cost += better - old
                        if cost >= bound:
                            break
                elif 2 * k < end - start or n > PAIRS_UP_TO:
                    todo.append((name, old))
            for name, old in todo:
                if cost >= bound:
                    break
                cost += max(self.by_best_parts(name, c[1:]) - old, 0)
            if cost < bound:
                return int(guesses[g]), cost
        return None

    def split(self, guesses: Array, members: Array) -> tuple[Array, Array]:
        """Return for each guess the responses to the members, and how many of each there are but
        the winning one. The winning response is the largest."""
        table, responses = self.game.table, self.game.responses
        # A response is the same both ways, and whole rows of the table are copied fast.
        if len(members) < len(guesses):
            answers = table[members][:, guesses].T
        else:
            answers = table[guesses][:, members]
        slots = answers + np.arange(0, len(guesses) * responses, responses)[:, np.newaxis]
        sizes = np.bincount(slots.ravel(order="K"), minlength=len(guesses) * responses)
        return answers, sizes.reshape(len(guesses), responses)[:, :-1]

    def pairs(self, answers: Array, members: Array) -> Array:
        """Return for each guess and each of its parts the most parts that a member makes of it."""
        game = self.game
        n, responses = len(members), game.responses
        most = np.zeros((len(answers), responses), np.uint8)
        bits = game.bit[game.table[members[:, np.newaxis], members]]
        nothing = bits.dtype.type(0)
        some = max(1, BLOCK // n**2)
        for a in range(0, len(answers), some):
            block = answers[a : a + some]
            together = block[:, :, np.newaxis] == block[:, np.newaxis, :]
            seen = np.bitwise_or.reduce(np.where(together, bits, nothing), axis=1)
            rows = np.arange(len(block))[:, np.newaxis]
            np.maximum.at(most[a : a + some], (rows, block), ones_in(seen))
        return most[:, :-1].astype(np.int64)

    def by_best_parts(self, name: bytes, c: Sequence[int]) -> int:
        """The lemma with the true k and j of a set."""
        members = np.frombuffer(name, np.uint16)
        best = self.cache.get(name)
        if best is None:
            counts = self.game.parts(members)
            k = int(counts[members].max())
            counts[members] = 0
            best = k, int(counts.max())
            if len(self.cache) >= CACHED_SETS:
                self.cache.clear()
            self.cache[name] = best
        return min(int(by_parts(len(members), *best, c)), INFINITE)


class Helpers:
    """Processes that check claims. Left by whatever way, they are ended."""

    def __init__(self, count: int, arguments: tuple[str, str]) -> None:
        context = multiprocessing.get_context("spawn")
        self.processes = []
        self.pipes = []
        for _ in range(count):
            ours, theirs = context.Pipe()
            process = context.Process(target=help_check, args=(theirs, *arguments), daemon=True)
            process.start()
            theirs.close()
            self.pipes.append(ours)
            self.processes.append(process)

    def __enter__(self) -> Helpers:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self.processes:
            process.terminate()
        for process, pipe in zip(self.processes, self.pipes, strict=True):
            process.join()
            pipe.close()

    def answers(self, blocks: Sequence[tuple[int, int]]) -> Iterator[tuple[int, str]]:
        """Hand out blocks in order until one fails, and yield each with what is wrong with it.

        Raises ChildProcessError if a process was ended from outside.
        """
        left = iter(range(len(blocks)))
        busy: dict[Any, int] = {}
        free: list[Any] = list(self.pipes)
        while True:
            while free and (block := next(left, None)) is not None:
                pipe = free.pop()
                busy[pipe] = block
                with contextlib.suppress(OSError):  # recv() will tell
                    pipe.send(blocks[block])
            if not busy:
                return
            ready: list[Any] = wait(list(busy))
            for pipe in ready:
                block = busy.pop(pipe)
                try:
                    reason = pipe.recv()
                except (EOFError, OSError):
                    raise ChildProcessError(
                        errno.ECHILD,
                        "a process that helped to check it was ended; fewer take less memory",
                    ) from None
                if reason:
                    left = iter(())
                free.append(pipe)
                yield block, reason


def help_check(pipe: Any, path: str, digest: str) -> None:
    """Check blocks of claims that come through a pipe, and say what is wrong with each."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that is helped ends this one
    reason = ""
    try:
        with open(path, "rb") as stream:
            checker = Checker(Lines(stream), lambda *_: None)
            checker.read()
        if checker.lines.digest != digest:
            reason = f"{path}: the file was changed while it was checked"
    except Rejected as rejection:
        reason = str(rejection)
    except MemoryError:
        return
    except OSError as error:
        reason = f"{path}: {error.strerror or error}"
    # When the other process ends, or memory does, this one goes without a word.
    with contextlib.suppress(EOFError, OSError, MemoryError):
        while True:
            first, end = pipe.recv()
            failure = reason
            try:
                if not failure:
                    checker.prove_some(first, end)
            except Rejected as rejection:
                failure = str(rejection)
            pipe.send(failure)


def cost_text(cost: int) -> str:
    return "more than any strategy within the limit" if cost >= INFINITE else str(cost)


# ---- Running it ----------------------------------------------------------------------------------


def check(
    path: str | os.PathLike[str], report: Report | None = None, processes: int = 1
) -> Verdict:
    """Check the certificate in a file, by several processes if it is large. Raises OSError if it
    cannot be read."""
    began = time.perf_counter()
    reason = None
    checker = None
    with open(path, "rb") as stream:
        try:
            checker = Checker(Lines(stream), report or (lambda *_: None))
            checker.read()
            checker.prove(path, processes)
        except Rejected as rejection:
            reason = str(rejection)
    game, prices = (getattr(checker, name, None) for name in ("game", "prices"))
    return Verdict(
        accepted=reason is None,
        rules=game.text if game else None,
        cost=prices.start if prices else None,
        step=prices.step if prices else None,
        optimum=getattr(checker, "optimum", None),
        claims=len(checker.bounds) if checker else None,
        seconds=time.perf_counter() - began,
        reason=reason,
    )


def terminal_report() -> Report | None:
    """A line of progress on standard error, if that is a terminal."""
    if not sys.stderr.isatty():
        return None
    began = last = time.perf_counter()

    def report(what: str, done: int, of: int) -> None:
        nonlocal last, began
        now = time.perf_counter()
        if done == 0:
            began = now
        if now - last < 0.2:
            return
        last = now
        left = f", about {(now - began) * (of - done) / done:.0f} s left" if done else ""
        sys.stderr.write(f"\r\x1b[K{what}: {done} of {of}{left}")
        sys.stderr.flush()

    return report


def main(arguments: Sequence[str] | None = None) -> int:
    arguments = sys.argv[1:] if arguments is None else arguments
    processes = arguments[1] if len(arguments) == 2 else "1"
    if len(arguments) not in (1, 2) or not re.fullmatch(r"[1-9]\d{0,2}", processes, re.ASCII):
        print("usage: python checker.py FILE [PROCESSES]", file=sys.stderr)
        return 2
    report = terminal_report()
    try:
        verdict = check(arguments[0], report, int(processes))
    except OSError as error:
        print(f"{arguments[0]}: {error.strerror or error}", file=sys.stderr)
        return 2
    except MemoryError:
        print(f"{arguments[0]}: there is not enough memory", file=sys.stderr)
        return 2
    if report:
        sys.stderr.write("\r\x1b[K")
    if not verdict.accepted:
        print(f"rejected: {verdict.reason}")
        return 1
    print(describe(verdict))
    return 0


def describe(verdict: Verdict) -> str:
    """Say in two lines what an accepted certificate proves."""
    costs = " ".join(map(str, verdict.cost or ()))
    tail = "limit" if verdict.step is None else f"step {verdict.step}"
    found = (
        "no strategy keeps the limit"
        if verdict.optimum is None
        else f"the least cost of a strategy is {verdict.optimum}"
    )
    return (
        f"accepted: {verdict.rules}, costs {costs} {tail}: {found}\n"
        f"{verdict.claims} claims checked in {verdict.seconds:.1f} s"
    )


if __name__ == "__main__":
    sys.exit(main())
