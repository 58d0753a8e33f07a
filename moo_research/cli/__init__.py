"""The command line: ``moo`` and ``python -m moo_research`` are this program.

Each command lives in a module of its own, named after it, which holds a click command called
``command``. A module is imported only when its command is called, so that ``moo --help`` and every
error in the request answer at once.

Exit status, for every command:

* 0 -- done, and what was claimed holds;
* 1 -- done, and it does not hold (the command returns 1 or calls ``ctx.exit(1)``);
* 2 -- the request is wrong: one line on standard error says what and how to mend it;
* 130 -- interrupted by Ctrl-C;
* 141 -- the reader of standard output went away.
"""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from keyword import iskeyword
from typing import Any, NoReturn

import click

from moo_research import __version__
from moo_research.errors import MooError, SearchInterrupted

__all__ = ["main"]

# Name -> one line for `moo --help`. The module of `name` is moo_research.cli.<name>, with an
# underscore behind a word of Python's own.
_COMMANDS = {
    "solve": "Prove the optimum of a game and write its decision tree.",
    "table": "Show the best second guess for every response to the first.",
    "bound": "Find the smallest worst case and prove both halves of it.",
    "frontier": "Trade the total against the number of secrets at the last guess.",
    "odds": "Find the most secrets that can be solved within k guesses.",
    "strongest": "Find the strongest strategy in a race, by best replies to best replies.",
    "simulate": "Play all secrets, or some drawn at random, with one player.",
    "players": "List the players that go by a name.",
    "duel": "Race two strategies against each other, exactly.",
    "hint": "Say what to guess next in a game.",
    "audit": "Find the answers of a game that cannot be right.",
    "play": "Play with the computer: it guesses, or it answers.",
    "verify": "Replay a decision tree on every secret.",
    "check": "Check a proof of optimality without trusting the search.",
    "certify": "Prove that a decision tree is optimal, and write the proof.",
    "export": "Write a decision tree in another format.",
    "import": "Read a decision tree that another program wrote.",
    "explore": "Write a decision tree as a Web page, and open it.",
    "plot": "Draw strategies and results as SVG or PNG files.",
    "store": "Show, check and merge what has been proven and kept.",
    "reproduce": "Compute every published figure and compare.",
}

EXIT_WRONG_REQUEST = 2
EXIT_INTERRUPTED = 130
EXIT_BROKEN_PIPE = 141


class ReaderGone(Exception):
    """Standard output was closed; raised past click, which would call that exit status 1."""


class MooGroup(click.Group):
    """A click group that imports its commands late and reports an error in one line."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise ReaderGone from None

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, in the order in which they are explained."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of one command; None if there is no such command."""
        if cmd_name not in _COMMANDS:
            return None
        command = import_module(f"{__name__}.{cmd_name}{'_' * iskeyword(cmd_name)}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands for ``--help`` without importing any of them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        *unused: Any,
        **extra: Any,
    ) -> NoReturn:
        """Run the program and exit; nothing but a bug in this package shows a traceback."""
        extra["standalone_mode"] = False
        try:
            status = super().main(args, prog_name or "moo", *unused, **extra)
        except click.UsageError as error:
            _fail(f"{error.format_message().rstrip('.')}{_where_to_look(error.ctx)}")
        except click.ClickException as error:
            _fail(error.format_message())
        except (click.Abort, KeyboardInterrupt, SearchInterrupted):
            click.echo("moo: interrupted", err=True)
            sys.exit(EXIT_INTERRUPTED)
        except MooError as error:
            _fail(str(error))
        except MemoryError:
            _fail("out of memory; try a smaller game, or, for a search, a smaller --memory")
        except ReaderGone:
            # Whoever read standard output has gone: nothing is left to be said, as for any filter.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(EXIT_BROKEN_PIPE)
        except OSError as error:
            place = f"{error.filename}: " if error.filename else ""
            _fail(f"{place}{error.strerror or error}")
        sys.exit(status if isinstance(status, int) else 0)


def _where_to_look(ctx: click.Context | None) -> str:
    return f" (see '{ctx.command_path} --help')" if ctx is not None else ""


def _fail(message: str) -> NoReturn:
    """Print one line on standard error, whatever line breaks the message has, and exit 2."""
    click.echo("moo: " + " ".join(message.split()), err=True)
    sys.exit(EXIT_WRONG_REQUEST)


@click.group(
    "moo",
    cls=MooGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="moo")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Exact play of bulls and cows (MOO, Hit & Blow, Numer0n) and of Mastermind.

    RULES is written PxS: P positions, S symbols, all distinct; a suffix r allows repeats, a suffix
    z forbids a leading 0. Examples: 4x10 (the default), 3x10, 4x6r, 4x10z. Names: moo,
    bulls-and-cows, hit-and-blow, numer0n, mastermind.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
