"""What several commands share: options, reading of arguments, JSON, progress, output files.

A command takes its options from here, so that the same word means the same thing everywhere::

    @click.command()
    @common.rules_argument
    @common.json_option
    @common.quiet_option
    def command(rules: Rules, as_json: bool, quiet: bool) -> int | None: ...

and returns 1, or nothing; errors are raised (:class:`~moo_research.errors.MooError`,
:class:`click.UsageError`) and turned into one line by :mod:`moo_research.cli`.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from moo_research.errors import TreeError
from moo_research.files import check_writable
from moo_research.layout import counted
from moo_research.rules import Rules

if TYPE_CHECKING:
    from moo_research.search import Progress
    from moo_research.store import Store
    from moo_research.tree import DecisionTree

Function = TypeVar("Function", bound=Callable[..., Any])

CodeWriter = Callable[[str], str]
"""Rewrites a code in the symbols that the user asked for."""

KERNELS = ("auto", "avx512", "avx2", "neon", "portable")


_MEMORY = re.compile(r"(\d+(?:\.\d+)?)\s*(?:([kmgt])(?:i?b)?|b)?", re.ASCII | re.IGNORECASE)


def parse_memory(text: str) -> int:
    """Read a number of bytes: ``500M``, ``2G``, ``1.5GiB`` (units of 1024) or ``500000000``."""
    match = _MEMORY.fullmatch(text.strip())
    if match is None:
        raise click.BadParameter(f"{text!r} is no amount of memory; write 500M, 2G or bytes")
    number, unit = match.groups()
    return int(float(number) * 1024 ** (" kmgt".index(unit.lower()) if unit else 0))


def parse_cost(text: str) -> tuple[int, ...]:
    """Read a cost per guess number, ``0,0,0,0,0,0,1``.

    Whether the numbers make an objective is for :mod:`moo_research.objective` to say.
    """
    words = [word.strip() for word in text.split(",")]
    if not all(word.isascii() and word.isdigit() for word in words):
        raise click.BadParameter(
            f"{text!r} is no list of costs; write one number a guess, such as 0,0,0,1"
        )
    return tuple(int(word) for word in words)


def output_file(suffixes: Sequence[str] = ()) -> Callable[[str], Path]:
    """Read the name of a file to be written later: refused now if it cannot be, before long work.

    ``suffixes``: the endings allowed; none given allows any.
    """

    def file(text: str) -> Path:
        path = Path(text)
        if suffixes and not path.name.endswith(tuple(suffixes)):
            raise click.BadParameter(f"{text!r} must end in {' or '.join(suffixes)}")
        try:
            check_writable(path)
        except OSError as error:
            raise click.BadParameter(f"cannot write {text!r}: {error.strerror or error}") from None
        return path

    return file


def store_file(text: str) -> Path:
    """Read the name of a store of proven results; an empty one means the default."""
    from moo_research.store import SUFFIX, default_path

    path = Path(text) if text else default_path()
    if not path.name.endswith(SUFFIX):
        raise click.BadParameter(
            f"{str(path)!r} must end in {SUFFIX}; without a file, put the option last"
        )
    return path


def open_store(path: Path, *, read_only: bool = False) -> Store:
    """Open a store that tells of trouble on standard error."""
    from moo_research.store import Store

    return Store(path, say=lambda text: print_line(f"moo: {text}", err=True), read_only=read_only)


def load_tree(path: str) -> DecisionTree:
    """Read a tree file whose tree solves every secret; TreeError names the file otherwise."""
    from moo_research.tree import DecisionTree

    tree = DecisionTree.load(path)
    try:
        tree.ensure_valid()
    except TreeError as error:
        raise TreeError(f"{path}: {error}; see moo verify") from None
    return tree


def name_of_tree(path: str) -> str:
    """Return what a tree is called in a page or a picture: its file without folder and ending."""
    name = os.path.basename(path)
    for suffix in TREE_SUFFIXES:
        name = name.removesuffix(suffix) or name
    return name


_WIPE = "\r\x1b[K"


def wipe_line() -> None:
    """Wipe what stands on the line of progress."""
    click.echo(_WIPE, err=True, nl=False)


TREE_SUFFIXES = (".json", ".json.gz")
CERTIFICATE_SUFFIXES = (".cert", ".cert.gz")

rules_argument = click.argument("rules", type=Rules.of, default="4x10")
json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object and nothing else."
)
quiet_option = click.option("--quiet", "-q", is_flag=True, help="Show no progress.")
first_symbol_option = click.option(
    "--first-symbol",
    type=click.IntRange(min=0, max=35),
    default=0,
    show_default=True,
    metavar="N",
    help="Write codes from this symbol on: 1 writes 1-6 for 4x6r.",
)


def search_options(function: Function) -> Function:
    """Add the options of every command that searches: threads, memory, kernel, quiet, json."""
    for option in (
        json_option,
        quiet_option,
        click.option(
            "--kernel",
            type=click.Choice(KERNELS, case_sensitive=False),
            default="auto",
            show_default=True,
            callback=lambda _ctx, _param, value: None if value == "auto" else value,
            help="Vector instructions to use.",
        ),
        click.option(
            "--memory",
            type=parse_memory,
            metavar="SIZE",
            help="Limit on memory: 500M, 2G, or bytes.",
        ),
        click.option(
            "--threads",
            type=click.IntRange(min=1),
            default=1,
            show_default=True,
            metavar="N",
            help="Threads of the search.",
        ),
    ):
        function = option(function)
    return function


def print_line(text: str, err: bool = False) -> None:
    """Print a line while a line of progress may stand on the terminal."""
    if sys.stderr.isatty():
        click.echo(_WIPE, err=True, nl=False)
    click.echo(text, err=err)


def print_json(value: dict[str, Any]) -> None:
    """Print one JSON object on standard output."""
    click.echo(json.dumps(value, ensure_ascii=False, allow_nan=False))


def write_code(rules: Rules, text: str, first_symbol: int) -> str:
    """Rewrite a code, given in the canonical symbols, from ``first_symbol`` on."""
    return text if first_symbol == 0 else rules.write_code(rules.read_code(text), first_symbol)


def describe_rules(rules: Rules) -> str:
    """Say in words which game it is: ``4x10: 4 positions, 10 symbols, ...; 5040 codes``."""
    kind = "repeats allowed" if rules.repeats else "all distinct"
    zero = "" if rules.leading_zero else ", no leading 0"
    return (
        f"{rules}: {counted(rules.positions, 'position')}, {counted(rules.symbols, 'symbol')},"
        f" {kind}{zero}; {counted(rules.size, 'code')}"
    )


@contextmanager
def progress_line(what: str, quiet: bool) -> Iterator[Callable[[Progress], None] | None]:
    """Give a callback that keeps one line of progress on standard error, wiped at the end.

    Gives None, and so costs nothing, unless standard error is a terminal and ``quiet`` is false.
    """
    if quiet or not sys.stderr.isatty():
        yield None
        return

    def show(progress: Progress) -> None:
        line = f"{what}: {describe_progress(progress)}"
        # A line that wraps could not be wiped.
        click.echo(f"{_WIPE}{line[: _terminal_width() - 1]}", err=True, nl=False)

    try:
        yield show
    finally:
        click.echo(_WIPE, err=True, nl=False)


def _terminal_width() -> int:
    """Columns of the terminal on standard error; 80 if it does not tell."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


def describe_progress(progress: Progress) -> str:
    """Say in one line what is searched, the best so far, the proven bound, and the time left."""
    # What matters most comes first: a narrow terminal cuts the rest.
    parts = []
    if progress.best is not None:
        parts.append(f"best {progress.best}")
    if progress.bound is not None:
        parts.append(f"bound {progress.bound}")
    parts.append(f"{progress.seconds:.1f} s")
    if progress.done is not None and 0 < progress.done <= 1:
        left = progress.seconds * (1 - progress.done) / progress.done
        parts.append(f"{progress.done:.0%}, about {left:.0f} s left")
    if progress.stage:
        parts.append(progress.stage)
    if progress.guesses_tried:
        parts.append(f"{counted(progress.guesses_tried, 'guess', 'guesses')} tried")
    return ", ".join(parts)
