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
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from moo_research.files import check_writable
from moo_research.rules import Rules

if TYPE_CHECKING:
    from moo_research.search import Progress

Function = TypeVar("Function", bound=Callable[..., Any])

CodeWriter = Callable[[str], str]
"""Rewrites a code in the symbols that the user asked for."""

KERNELS = ("auto", "avx512", "avx2", "neon", "portable")


class RulesType(click.ParamType):
    """A game, as written by people: ``4x10``, ``4x6r``, ``mastermind``."""

    name = "rules"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Rules:
        """Parse ``value``; the one line of :class:`RulesError` is the message for the user."""
        return Rules.of(value)


class MemoryType(click.ParamType):
    """A number of bytes: ``500M``, ``2G``, ``1.5GiB`` (units of 1024) or plain ``500000000``."""

    name = "memory"

    _PATTERN = re.compile(r"(\d+(?:\.\d+)?)\s*(?:([kmgt])(?:i?b)?|b)?", re.IGNORECASE)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Parse ``value`` into bytes."""
        if isinstance(value, int):
            return value
        match = self._PATTERN.fullmatch(value.strip())
        if match is None:
            self.fail(f"{value!r} is no amount of memory; write 500M, 2G or bytes", param, ctx)
        number, unit = match.groups()
        return int(float(number) * 1024 ** (" kmgt".index(unit.lower()) if unit else 0))


class CostType(click.ParamType):
    """A cost per guess number: non-negative integers between commas, ``0,0,0,0,0,0,1``."""

    name = "cost"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """Parse ``value``; whether the numbers make an objective is for ``objective`` to say."""
        if isinstance(value, tuple):
            return value
        words = [word.strip() for word in value.split(",")]
        if not all(word.isascii() and word.isdigit() for word in words):
            self.fail(
                f"{value!r} is no list of costs; write one number a guess, such as 0,0,0,1",
                param,
                ctx,
            )
        return tuple(int(word) for word in words)


class OutputFile(click.ParamType):
    """A file to be written later: refused now if it cannot be, before any long work.

    ``suffixes``: the endings allowed; empty allows any.
    """

    name = "file"

    def __init__(self, suffixes: Sequence[str] = ()) -> None:
        self.suffixes = tuple(suffixes)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Check the ending, the folder and the right to write."""
        path = Path(value)
        if self.suffixes and not path.name.endswith(self.suffixes):
            self.fail(f"{str(path)!r} must end in {' or '.join(self.suffixes)}", param, ctx)
        try:
            check_writable(path)
        except OSError as error:
            self.fail(f"cannot write {str(path)!r}: {error.strerror or error}", param, ctx)
        return path


TREE_SUFFIXES = (".json", ".json.gz")

rules_argument = click.argument("rules", type=RulesType(), default="4x10")
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
            type=MemoryType(),
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
        f"{rules}: {rules.positions} positions, {rules.symbols} symbols, {kind}{zero};"
        f" {rules.size} codes"
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
        click.echo(f"\r\x1b[K{what}: {describe_progress(progress)}", err=True, nl=False)

    try:
        yield show
    finally:
        click.echo("\r\x1b[K", err=True, nl=False)


def describe_progress(progress: Progress) -> str:
    """Say in one line what is searched, the best so far, the proven bound, and the time left."""
    parts = [progress.stage]
    if progress.best is not None:
        parts.append(f"best {progress.best}")
    if progress.bound is not None:
        parts.append(f"bound {progress.bound}")
    parts.append(f"{progress.guesses_tried:,} guesses tried")
    parts.append(f"{progress.seconds:.1f} s")
    if progress.done is not None and 0 < progress.done <= 1:
        left = progress.seconds * (1 - progress.done) / progress.done
        parts.append(f"{progress.done:.0%}, about {left:.0f} s left")
    return ", ".join(parts)
