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
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from moo_research.errors import TreeError
from moo_research.files import check_writable
from moo_research.layout import counted
from moo_research.rules import Rules

if TYPE_CHECKING:
    from tqdm import tqdm

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
            f"{str(path)!r} must end in {SUFFIX}"
            + ("; without a file, put the option last" if text else ", and $MOO_STORE names it")
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
_VERBOSE = "moo_research.verbose"
_COUNTED = "moo_research.counted"


def wipe_line() -> None:
    """Wipe what stands on the line of progress."""
    click.echo(_WIPE, err=True, nl=False)


def _note_verbose(context: click.Context, _parameter: click.Parameter, value: bool) -> None:
    context.meta[_VERBOSE] = value


TREE_SUFFIXES = (".json", ".json.gz")
CERTIFICATE_SUFFIXES = (".cert", ".cert.gz")

rules_argument = click.argument("rules", type=Rules.of, default="4x10")
json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object and nothing else."
)
verbose_option = click.option(
    "--verbose",
    "-v",
    is_flag=True,
    expose_value=False,
    callback=_note_verbose,
    help="Tell each stage on standard error, and in the end what a search counted.",
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
    """Add the options of every command that searches, from threads to json."""
    for option in (
        json_option,
        quiet_option,
        verbose_option,
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


def tell_statistics(statistics: Mapping[str, int] | None = None) -> None:
    """Say on standard error what a search counted, or else all searches of this command together
    that :func:`progress_line` followed, if --verbose asked for it."""
    meta = click.get_current_context().meta
    if meta.get(_VERBOSE):
        for name, count in (statistics or meta.get(_COUNTED, {})).items():
            print_line(f"moo: {count:>15,} {name.replace('_', ' ')}", err=True)


@contextmanager
def progress_line(what: str, quiet: bool) -> Iterator[Callable[[Progress], None] | None]:
    """Give a callback that keeps one line of progress on standard error, wiped at the end.

    Gives None, and so costs nothing, unless standard error is a terminal and ``quiet`` is false.
    With --verbose each stage is told in a line that stays, on a terminal or not.
    """
    context = click.get_current_context(silent=True)
    verbose = context is not None and context.meta.get(_VERBOSE, False)
    if quiet and verbose:
        raise click.UsageError("give --quiet or --verbose, not both", context)
    line = _Line(what) if sys.stderr.isatty() and not quiet else None
    began, last = time.perf_counter(), None
    counted: Counter[str] = Counter()
    if context is not None:
        context.meta[_COUNTED] = counted

    def show(progress: Progress) -> None:
        nonlocal last
        for name, count in (progress.counted or {}).items():
            counted[name] += count
        # What stands behind the last colon changes all the time.
        stage = progress.stage.rpartition(": ")[0]
        if verbose and stage != last:
            last = stage
            print_line(f"moo: {time.perf_counter() - began:6.2f} s  {stage or what}", err=True)
        if line is not None:
            line.show(progress)

    try:
        yield None if line is None and not verbose else show
    finally:
        if line is not None:
            line.close()


class _Line:
    """A line of progress, drawn by tqdm: its clock, rates, time left and bar."""

    # What matters most comes first: a narrow terminal cuts the rest.
    _SEARCH = "{desc}{elapsed}, {n_fmt} guesses tried ({rate_fmt}){postfix}"
    _SHARE = "{desc}{percentage:3.0f}% |{bar:16}| {elapsed}, {remaining} left{postfix}"

    def __init__(self, what: str) -> None:
        self._what = what
        self._bar: tqdm[NoReturn] | None = None
        self._guesses = 0

    def show(self, progress: Progress) -> None:
        """Draw the line anew, a few times a second at the most."""
        bar = self._bar
        if bar is None:
            bar = self._bar = self._begin(progress)
        # A line that wraps could not be wiped.
        bar.ncols = max(1, _terminal_width() - 1)
        bar.set_description_str(f"{self._what}: {describe_progress(progress)}", refresh=False)
        bar.set_postfix_str(progress.stage, refresh=False)
        if bar.total is None:
            tried = progress.guesses_tried
            # A new search counts from 0.
            advance: float = tried - self._guesses if tried >= self._guesses else tried
            self._guesses = tried
        else:
            advance = (progress.done or 0) - bar.n
        bar.update(advance)

    def close(self) -> None:
        """Wipe the line."""
        if self._bar is not None:
            self._bar.close()

    def _begin(self, progress: Progress) -> tqdm[NoReturn]:
        # Here, so that nothing is loaded where no line is drawn.
        from tqdm import tqdm

        tqdm.monitor_interval = 0  # no thread that redraws: a search reports all the time
        tqdm.set_lock(threading.RLock())  # not one for processes, which takes a semaphore
        known = progress.done is not None
        bar: tqdm[NoReturn] = tqdm(
            total=1 if known else None,
            bar_format=self._SHARE if known else self._SEARCH,
            unit="",
            unit_scale=True,
            miniters=0,
            leave=False,
            position=0,
            nrows=20,  # for one that does not tell its height
            file=sys.stderr,
            delay=1e-9,  # not before there is something to say
        )
        # The work began before its first report; so the first rate and the first clock are right.
        bar.start_t -= progress.seconds
        bar.last_print_t = bar.start_t
        return bar


def _terminal_width() -> int:
    """Columns of the terminal on standard error; 80 if it does not tell."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


def describe_progress(progress: Progress) -> str:
    """Say the best so far and the proven bound, where known: ``best 30, bound 28, ``."""
    figures = (("best", progress.best), ("bound", progress.bound))
    return "".join(f"{name} {value}, " for name, value in figures if value is not None)
